"""Imports a VASSAL module of any author as a pack of Mitla, or makes a table between the module and a pack.

`definitions` reads the pieces, `faces` and `pictures` their look, and `sides` their owners. `maps`, `hexes` and
`places` read places, `setups` and `turns` the start of a game. `pack` and `yaml_writing` write the pack, and `table`
writes the table. `report` lists what the import didn't understand.
"""

"""Somebody's VASSAL module as a pack of Mitla, or as a table between it and a pack.

`definitions` reads its pieces, `faces` and `pictures` what they show, `sides` whose they are, `maps`, `hexes` and `places` where they
stand, `setups` and `turns` how a game begins. `pack` and `yaml` write the pack, `table` the table, `report` what wasn't understood.
"""

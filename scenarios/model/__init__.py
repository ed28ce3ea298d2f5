"""The model of a loaded game: hexes, boards, maps, counters, tables, attacks, scenarios and positions.

All values are immutable. Only `position.from_file` reads a file.
"""

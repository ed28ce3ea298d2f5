"""Print-and-play kits: counter sheets, maps, cards and tables as one PDF a game."""

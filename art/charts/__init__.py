"""Charts: every table of a game as a player-aid card of the height that it needs, and the grid that lays out its columns and cells."""

"""Charts: every table of a game as a player-aid card, as high as it needs to be, and the grid that lays out its columns and cells."""

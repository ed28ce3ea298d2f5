"""Maps as drawings: the ground, water, lines, places and names of hex maps and point maps, and thumbnails of set-ups."""

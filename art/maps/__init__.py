"""Drawings of maps: terrain, water, lines, places and names of hex maps and point maps, and thumbnails of set-ups."""

"""VASSAL's own formats, read and written with the standard library alone."""

MEGABYTE = 1_000_000
MOST = 100 * MEGABYTE
"""How many bytes a save or module may unpack to, unless the player allows more."""

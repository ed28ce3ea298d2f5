"""VASSAL's own formats, read and written with the standard library alone.

`sequence` puts texts together, `commands` and `archive` are what saves and modules are made of, `geometry` and `windows` say where things
lie in pixels, `playing` goes through a save or log, `reading` makes a position of it, `foreign` of a save of somebody else's module.
"""

MEGABYTE = 1_000_000
MAX_BYTES = 100 * MEGABYTE
"""How many bytes a save or module may unpack to, unless the player allows more."""

"""VASSAL's own formats, read and written with the standard library alone.

`sequence` joins and splits texts. `commands` and `archive` handle the contents and the files of saves and modules. `geometry` and
`windows` give positions in pixels. `playing` replays a save or log, `reading` makes a position from it. `other_modules` reads saves
of modules that Mitla didn't build.
"""

MEGABYTE = 1_000_000
MAX_BYTES = 100 * MEGABYTE
"""The maximum unpacked size of a save or module in bytes, unless the player allows more."""

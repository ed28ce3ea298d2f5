"""VASSAL's own formats, read and written with the standard library alone."""

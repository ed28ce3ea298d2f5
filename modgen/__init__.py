"""The products of a game: a print-and-play kit, a VASSAL module, pictures for other tabletops, the page as a folder. `modgen` builds them.

`build` makes what has changed and keeps it in the `cache` by its content. `kit/` lays out the PDF. `vmod/` writes
modules and saves. `importing/` reads any author's module as a pack. `editing/` and `watch/` show a pack in the
browser while its author works on it. `tabletop/` exports to other programs. `release` and `distribution` package what
is published, `docs` writes the documentation as a site, and `cli` is the command line.
"""

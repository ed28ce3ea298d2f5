"""What a game ships as: a print-and-play kit, a VASSAL module, pictures for other tabletops, the page as a folder; `modgen` builds them.

`build` makes what has changed and keeps it in the `cache` by its content. `kit/` lays out the PDF, `vmod/` writes modules and saves,
`importing/` reads somebody's module as a pack, `editing/` and `watch/` show a pack in the browser while it is written, `tabletop/` is for
other programs. `release` and `distribution` pack what is published, `docs` is the documentation as a site, `cli` the command line.
"""

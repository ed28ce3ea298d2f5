"""Print-and-play kits: counter sheets, maps, cards and tables in one PDF for each game.

`kit` puts all parts together. `faces`, `sheets` and `imposition` lay out the fronts and backs of counters. `tiles`
and `scale` lay out maps. `cards`, `rules`, `rulebook`, `sequence` and `charts` have the pages to read. `drawings` and
`plates` draw each picture once and cache it. `templates/` has the Typst templates of the pages. `pdf_finish` and
`tagging` add to the PDF what Typst can't write. `cut` makes files for cutting machines.
"""

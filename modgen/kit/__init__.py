"""Print-and-play kits: counter sheets, maps, cards and tables as one PDF a game.

`kit` says what is in one. `faces`, `sheets` and `imposition` lay out counters front and back, `tiles` and `scale` maps, `cards`, `rules`,
`rulebook`, `sequence` and `charts` the pages to read; `drawings` and `plates` draw each picture once and keep it, `templates/` set the
pages in Typst, `finish` and `tagging` add to the PDF what Typst can't write. `cut` makes files for cutting machines.
"""

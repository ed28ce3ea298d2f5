"""The look of a game: the model in, SVG out. Plain functions draw counters, maps, tracks and charts.

`svg`, `text`, `color` and `geometry` are the basic tools. `images` and `cleaning` handle a pack's own pictures. `counters/` draws pieces
and their symbols, silhouettes and flags. `maps/` draws hex maps, point maps and set-up thumbnails. `sheets/` puts a map on a printed sheet
with its legend, tracks and boxes. `charts/` draws tables.
"""

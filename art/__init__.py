"""What a game looks like: the model in, SVG out. Counters, maps, tracks and charts, each drawn by plain functions.

`svg` and `text` are the brushes, `color` and `textures` the paints. `counters`, `symbols`, `silhouettes/`, `icons`, `flags` and `markers`
draw pieces; `mapsheet` draws maps of hexes (`hexmap`, `ground`, `landforms`, `water`, `roads`, `labels`), `pointsheet` maps of points,
`tracks` boxes and tracks, `charts` tables, `setup` where a scenario's pieces stand.
"""

"""VASSAL modules: a game as a .vmod that the engine opens and plays.

`module` puts a module together of `frame` (its menus and windows), `maps` and `boards`, `pieces` with their `traits`, the `palette`,
`setups`, `turns` and `charts`. `battle`, `combat` and what they import write attacks in the engine's own expressions, `eyes`, `sight` and
`looking` who sees whom. `lock` keeps every id that a save may hold, `saving` writes saves, `verify`, `diff` and `opened` read modules back.
"""

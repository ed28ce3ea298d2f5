"""VASSAL modules: a game as a .vmod file that the VASSAL engine opens and plays.

`files` writes the module, its menus and its ids. `maps` has the windows and boards. `pieces` has counters, traits and
the palette. `setups` has set-ups, saves and turns. `battle` translates attacks into the engine's expressions. `sight`
works out who sees whom. `text` has all that the module says. `check` reads modules back.
"""

"""Rules as data: who moves where for what, who stops them, who may stack, who is in supply, where losers go.

`shapes` says what the section `rules` may hold, `words` what its expressions may ask. `checks` says whether it holds together:
`record_checks` looks at single records and their names, `walk_checks` at moves, supply and retreats, `play_checks` at sight, battles,
turns and victory. `assistant/engine/` carries the declarations out.
"""

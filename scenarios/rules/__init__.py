"""Rules as data: movement and its costs, zones of control, stacking, supply, retreats.

`shapes` says what the section `rules` may hold. `vocabulary` says which names its expressions may use. `checks` tests whether it is
consistent: `record_checks` tests single records and their names, `walk_checks` tests moves, supply and retreats, `play_checks`
tests sight, battles, turns and victory. `assistant/engine/` executes the declarations.
"""

"""Applies the rules that packs declare: one walk serves moves, supply traces, retreats, advances and zones.

`program` compiles a pack's declarations, `map_index` numbers a map's places and their classes, `field` is a map with
the pieces on it. `scope` finds what a rule asks of it, `signatures` tells places apart by their contents, and
`movement.walk` goes from place to place. The other modules are the sections of `rules`.
"""

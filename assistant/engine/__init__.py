"""The rules that packs declare, carried out: one walk for moves, traces of supply, retreats, advances and zones.

`program` makes a pack's declarations ready, `kinds` numbers a map's places and tells kinds of place apart, `field` is a
map with the pieces on it. `asked` finds what a rule asks of it, `looks` tells places apart by what is in them, and `walk`
goes from place to place; the other modules are the sections of `rules`.
"""

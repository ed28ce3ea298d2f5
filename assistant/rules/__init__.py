"""The rules that packs declare, carried out: one walk for moves, traces of supply, retreats, advances and zones.

`program` makes a pack's declarations ready, `kinds` numbers a map's places and tells kinds of place apart, `field` is a
map with the pieces on it, `walk` goes from place to place; the other modules are the sections of `rules`.
"""

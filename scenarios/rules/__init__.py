"""Rules as data: who moves where for what, who stops them, who may stack, who is in supply, where losers go.

`shapes` says what the section `rules` may hold, `words` what its expressions may ask, `checks` whether it holds together.
`assistant/rules/` carries the declarations out.
"""

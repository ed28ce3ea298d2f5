"""What a game decides: a game, a position and a question in; odds, sight, supply, moves, results out.

`questions` has typed inputs, `asking` reads units and places as people say them, `answers` are trees of a few kinds of nodes and
`rendering` shows them as lines, JSON or parts of the page. `registry` knows who answers what: `rules/` what a pack declares,
`games/` what no declaration can say. `attack` works out any declared attack, `tables`, `dice`, `scenario`, `rulebook` and `opened`
answer what every pack can be asked. `cli` and `verbs` are the command line, `page/` is the web page.
"""

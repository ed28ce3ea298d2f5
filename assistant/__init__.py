"""Answers questions about a game: it takes a game, a position and a question, and returns odds, sight, supply, moves
or results.

In `questions`, `question` has the typed inputs, `references` reads units and places as people write them, `answer`
holds the nodes of an answer, and `rendering` shows it as lines, JSON or parts of the page. `questions.registry`
knows which code answers which question: `engine/` what a pack declares, `games/` what no declaration can say.
`attack` computes any declared attack. `tables`, `dice`, `scenario`, `rulebook` and `save_summary` answer what every
pack can be asked. `cli` and `questions.command_line` are the command line, `page/` is the web page.
"""

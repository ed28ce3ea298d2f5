"""What no declaration can say, game by game: rounds of battle, air missions, fire unit by unit.

A game's package has `QUESTIONS`, the questions that it answers itself. The pack's declarations answer all others.
Files have the same names in every game, and a game has only those that it needs: `questions`, `forces`, `odds`,
`combat`, `battle`, `fire`, `retreat`, `air`, `movement`, `supply`, `stacking`, `turn`, `score`, `plans`, and `los`,
`morale`, `opportunity`, `smoke` for tactics.
"""

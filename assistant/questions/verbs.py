"""The verbs of the command line, the same in every game: `assistant move GAME ...`."""

from __future__ import annotations

from collections.abc import Mapping

VERBS: Mapping[str, str] = {
    "odds": "Show the odds of an attack, all modifiers and the chance of each result.",
    "los": "Check line of sight between two places, or list everything a place can see.",
    "move": "Show where a unit can move, at what cost, and what stops it.",
    "supply": "Show which units are in supply, by which path, and what would cut it.",
    "retreat": "Show where units can retreat, and their losses.",
    "stack": "List stacks and check the stacking limits.",
    "morale": "Show the chance that dispersed units recover.",
    "score": "Count the victory points of a position, and show who wins.",
    "turn": "Show what happens in a turn.",
    "air": "Show the results of air missions.",
    "table": "Look up a table: a cell, a column's chances, a row, or the whole table.",
    "roll": "Roll dice, or roll on a table.",
    "rules": "Find the rules about a few words, with rule numbers, sources and exceptions.",
    "scenario": "Show a scenario: set-up, entry, morale, special rules, victory.",
}
"""What each verb answers, for the list of commands."""

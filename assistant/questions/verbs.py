"""The verbs of the command line, the same in every game: `assistant move GAME ...`."""

from __future__ import annotations

from collections.abc import Mapping

VERBS: Mapping[str, str] = {
    "odds": "An attack: the odds, every modifier, the chance of each result.",
    "los": "Sight between two places, all that one place sees, or every pair of the map.",
    "move": "Where a unit can go and at what cost; what stops it.",
    "supply": "Who is in supply, by which way, and what would cut it.",
    "retreat": "Where units can go back to, and what it costs them.",
    "stack": "Who stands together, and whether they may.",
    "morale": "The chance that units recover.",
    "score": "The points of a position, and who wins.",
    "turn": "What a turn brings.",
    "air": "Missions in the air.",
    "table": "A table: a cell, a column's chances, a row, or the whole.",
    "roll": "A throw of dice, or on a table.",
    "rules": "The rules that a few words mean, with numbers, sources and what changes them.",
    "scenario": "A scenario's card: set-up, entry, morale, special rules, victory.",
}
"""What each verb answers, for the list of commands."""

"""What the rules of October War decide."""

from __future__ import annotations

from assistant.questions import Late

_HERE = "assistant.games.october_war"
QUESTIONS = Late({
    "air": f"{_HERE}.air:AIR",
    "airmobile": f"{_HERE}.movement:AIRMOBILE",
    "command": f"{_HERE}.supply:COMMAND",
    "fire": f"{_HERE}.fire:FIRE",
    "mobilization": f"{_HERE}.turn:MOBILIZATION",
    "move": f"{_HERE}.movement:MOVE",
    "odds": f"{_HERE}.odds:ODDS",
    "refit": f"{_HERE}.turn:REFIT",
    "retreat": f"{_HERE}.movement:RETREAT",
    "supply": f"{_HERE}.supply:SUPPLY",
    "umbrella": f"{_HERE}.supply:UMBRELLA",
})  # fmt: skip
"""The questions that the command line and the page ask."""

"""What the rules of October War decide."""

from __future__ import annotations

from assistant.questions import Late

_HERE = "assistant.games.october_war"
QUESTIONS = Late({
    "air": f"{_HERE}.missions:AIR",
    "airmobile": f"{_HERE}.moves:AIRMOBILE",
    "command": f"{_HERE}.command:COMMAND",
    "fire": f"{_HERE}.volley:FIRE",
    "mobilization": f"{_HERE}.reinforcements:MOBILIZATION",
    "move": f"{_HERE}.moves:MOVE",
    "odds": f"{_HERE}.odds:ODDS",
    "refit": f"{_HERE}.reinforcements:REFIT",
    "retreat": f"{_HERE}.moves:RETREAT",
    "score": f"{_HERE}.score:SCORE",
    "supply": f"{_HERE}.communication:SUPPLY",
    "umbrella": f"{_HERE}.command:UMBRELLA",
})  # fmt: skip
"""The questions that the command line and the page ask."""

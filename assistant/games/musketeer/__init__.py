"""What the rules of Operation Musketeer decide."""

from __future__ import annotations

from assistant.questions import Late

_HERE = "assistant.games.musketeer"
QUESTIONS = Late({
    "air": f"{_HERE}.air:AIR",
    "entry": f"{_HERE}.entry:ENTRY",
    "escalation": f"{_HERE}.escalation:ESCALATION",
    "event": f"{_HERE}.events:EVENT",
    "move": f"{_HERE}.movement:MOVE",
    "odds": f"{_HERE}.odds:ODDS",
    "paradrop": f"{_HERE}.paradrop:PARADROP",
    "pursuit": f"{_HERE}.pursuit:PURSUIT",
    "refit": f"{_HERE}.refit:REFIT",
    "retreat": f"{_HERE}.retreat:RETREAT",
    "score": f"{_HERE}.score:SCORE",
    "supply": f"{_HERE}.supply:SUPPLY",
})  # fmt: skip
"""The questions that the command line and the page ask."""

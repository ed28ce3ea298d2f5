"""Scores as text for a terminal, and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from assistant.games.arab_israeli_wars.score import Line, Score
from scenarios.export import plain

WIDTH = 78


def score_text(found: Score) -> Iterator[str]:
    """A score in lines: each victory line, the totals, who wins, and what must still be told."""
    last = f" of {found.last}" if found.last is not None else ""
    yield f"{found.scenario} {found.title}, turn {found.turn}{last}"
    for side, name in found.sides.items():
        yield f"{name}: {found.totals[side]}"
        for line in found.lines:
            if line.side == side:
                yield from textwrap.wrap(_line(line), WIDTH, subsequent_indent=" " * 24)
    winner, ahead, level = found.standing
    if winner:
        yield f"{found.sides[winner]} {'wins' if found.over else 'is ahead'} by {ahead}: {level} victory (The Situations B.2)"
    else:
        yield "even: nobody wins (The Situations B.2)"
    if not found.over:
        yield "the game isn't over: points are counted after its last turn"
    if found.to_be_told:
        yield "to be told:"
        for line in found.to_be_told:
            note = f" ({line.note})" if line.note else ""
            yield from textwrap.wrap(f"  {line.tell}=N  {line.text}{note}", WIDTH, subsequent_indent="    ")


def _line(line: Line) -> str:
    if line.count is None:
        return f"     ?        line {line.number:<2} {line.text} {line.each} each, to be told"
    note = f" ({line.note})" if line.note else ""
    return f"  {line.points!s:>4} = {line.each} x {line.count:<3} line {line.number:<2} {line.text}{note}"


def score_json(found: Score) -> dict[str, Any]:
    """A score with stable keys."""
    held = {
        "game": found.game,
        "scenario": found.scenario,
        "title": found.title,
        "turn": found.turn,
        "last": found.last,
        "over": found.over,
        "totals": found.totals,
        "winner": found.standing.winner or None,
        "ahead": found.standing.ahead,
        "level": found.standing.level or None,
        "lines": [
            {"number": line.number, "side": line.side, "text": line.text, "rule": line.rule, "each": line.each,
             "per": line.per, "count": line.count, "points": line.points, "tell": line.tell or None, "note": line.note}
            for line in found.lines
        ],
        "to_be_told": [{"event": line.tell, "text": line.text, "side": line.side} for line in found.to_be_told],
    }  # fmt: skip
    result: dict[str, Any] = plain(held)
    return result

"""Victory points of every Situation, from a position and what is told of the game; the level of victory.

Pieces that are gone stand at `box:eliminated` or `box:exited:EDGE`. The edge may be told more exactly: with its board
(`box:exited:D-west`) and with the turn (`box:exited:west@5`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from assistant.attacks import BadQuestion
from assistant.games.arab_israeli_wars.ground import from_position
from assistant.games.arab_israeli_wars.score_lines import Counted, Tally
from scenarios.game import Game
from scenarios.position import Piece, Position, nation_of
from scenarios.reading.findings import instead
from scenarios.tables import span

TOLD = re.compile(r"line:\d+|eliminated:\w+|left:\w+|attacked|extended")


@dataclass(frozen=True)
class Line:
    """One way to earn points, and what it has earned."""

    number: int
    side: str
    text: str
    rule: str
    each: Fraction
    per: str
    count: int | None
    """How often it was earned; None where that must be told."""
    points: Fraction
    tell: str
    """The event that tells it, where it must be told."""
    note: str


class Standing(NamedTuple):
    """Who is ahead, by how much, and what that is called (The Situations B.2)."""

    winner: str
    ahead: Fraction
    level: str


@dataclass(frozen=True)
class Score:
    """The points of a position. Lines to be told count nothing until they are."""

    game: str
    scenario: str
    title: str
    turn: int
    last: int | None
    sides: Mapping[str, str]
    lines: tuple[Line, ...]
    totals: Mapping[str, Fraction]
    standing: Standing

    @property
    def to_be_told(self) -> tuple[Line, ...]:
        """The lines that a position can't answer."""
        return tuple(line for line in self.lines if line.count is None)

    @property
    def over(self) -> bool:
        """Whether the position is of the last turn: points count only then (The Situations B.2)."""
        return self.last is not None and self.turn >= self.last


def score(game: Game, position: Position, events: Mapping[str, int] | None = None) -> Score:
    """The score of a position (The Situations B), each victory line of its Situation by itself.

    Events tell what a position can't: `line:N` how often line N was earned; `attacked` in how many turns B-2's platoon
    was; `left:C` that Israelis left that board (A-4); `extended` that S-1 went on; `eliminated:jet_israel` how many
    airplanes were shot down, whose counters come back (Advanced I.B.5, I.D.1.d).
    """
    if position.scenario not in game.scenarios:
        raise BadQuestion(f"points are a Situation's, and there is none called {position.scenario!r}; "
                          f"{instead(position.scenario, game.scenarios)}")  # fmt: skip
    scenario = game.scenarios[position.scenario]
    told = dict(events or {})
    _check(game, told, len(scenario.victory))
    tally = Tally.of(game, from_position(game, position), _with_shot_down(game, position, told), told)
    lines = tuple(_line(tally, number, told) for number in range(1, len(scenario.victory) + 1))
    sides = {side: held.name for side, held in game.sides_in(scenario).items()}
    totals = {side: sum((line.points for line in lines if line.side == side), Fraction(0)) for side in sides}
    last = scenario.turns.last if scenario.turns else None
    return Score(
        game.id, position.scenario, scenario.title, position.turn, tally.last_turn(last), MappingProxyType(sides), lines,
        MappingProxyType(totals), standing(game, totals),
    )  # fmt: skip


def standing(game: Game, totals: Mapping[str, Fraction]) -> Standing:
    """The level of victory of the points ahead (The Situations B.2); nobody wins a tie."""
    ranked = sorted(totals.items(), key=lambda item: -item[1])
    if len(ranked) < 2 or ranked[0][1] == ranked[1][1]:
        return Standing("", Fraction(0), "")
    ahead = ranked[0][1] - ranked[1][1]
    table = game.tables["victory_levels"]
    for row, cells in table.cells.items():
        if span(row).holds(ahead):
            return Standing(ranked[0][0], ahead, cells[table.named_column("level")])
    return Standing(ranked[0][0], ahead, "")


def _line(tally: Tally, number: int, told: Mapping[str, int]) -> Line:
    line = tally.scenario.victory[number - 1]
    key = f"line:{number}"
    found = Counted(told[key], "as told") if key in told else tally.count(line)
    count = found.times
    if count is not None and line.per == "once":
        count = min(count, 1)
    each = line.points or Fraction(0)
    points = each * count if count is not None else Fraction(0)
    rule = f"Situation {tally.position.scenario}"
    tell = (found.tell or key) if count is None else ""
    return Line(number, line.side, " ".join(line.text.split()), rule, each, line.per, count, points, tell, found.note)


def _check(game: Game, told: Mapping[str, int], lines: int) -> None:
    for key, count in told.items():
        if not TOLD.fullmatch(key):
            known = ["line:N", "attacked", "extended", "left:BOARD", "eliminated:UNIT"]
            raise BadQuestion(f"no event is called {key!r}; there are {', '.join(known)}")
        kind, _, what = key.partition(":")
        if count < 0:
            raise BadQuestion(f"{key} can't be {count}: it counts how often something happened")
        if kind == "line" and not 1 <= int(what) <= lines:
            raise BadQuestion(f"there is no victory line {what}; the Situation has {lines}")
        if kind == "eliminated" and what not in game.units:
            raise BadQuestion(f"no counter of {game.id} is called {what!r}; {instead(what, game.units)}")


def _with_shot_down(game: Game, position: Position, told: Mapping[str, int]) -> Position:
    """The position with a piece more for every unit that was eliminated and came back."""
    extra: list[Piece] = []
    for key, count in told.items():
        kind, _, what = key.partition(":")
        if kind == "eliminated":
            extra += [Piece(what, f"told {n}", nation_of(game, position.scenario, what), "box:eliminated") for n in range(1, count + 1)]
    return Position(position.game, position.scenario, position.turn, position.phase, (*position.pieces, *extra))

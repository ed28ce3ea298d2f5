"""Victory points from a scenario's lines: places held and units gone are counted, the rest is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assistant.answers import BadQuestion, Cell, Column, Node, Place, Section, Several, Table, Value, said
from scenarios.game import Game
from scenarios.position import Piece, Position
from scenarios.resolve import Location
from scenarios.scenario import Scenario, Who


@dataclass(frozen=True)
class Line:
    """One way to earn points, and what it has earned."""

    side: str
    text: str
    rule: str
    each: Fraction
    count: int
    places: tuple[Location, ...] = ()

    @property
    def points(self) -> Fraction:
        return self.each * self.count


@dataclass(frozen=True)
class Score:
    """The points of a position, who leads and by what level; and who has won outright, with the reason."""

    lines: tuple[Line, ...]
    level: str
    won: tuple[tuple[str, str], ...] = ()

    def total(self, side: str) -> Fraction:
        """A side's points."""
        return sum((line.points for line in self.lines if line.side == side), Fraction(0))


def scenario_of(game: Game, position: Position) -> Scenario:
    """The scenario that a position is of, or the game's only one."""
    if position.scenario in game.scenarios:
        return game.scenarios[position.scenario]
    if len(game.scenarios) == 1:
        return next(iter(game.scenarios.values()))
    raise BadQuestion("the position names no scenario, and without one there are no points")


def matches(game: Game, who: Who | None, piece: Piece) -> bool:
    """Whether a piece is one of those a line counts."""
    unit = game.units.get(piece.unit)
    if unit is None:
        return False
    if who is None:
        return True
    return (
        who.side in ("", unit.side)
        and who.nation in ("", unit.nation)
        and (not who.units or unit.id in who.units)
        and (not who.classes or unit.class_ in who.classes)
        and unit.id not in who.except_
    )


def score_nodes(
    game: Game, score: Score, name: Callable[[Location], Place], players: Mapping[str, str] | None = None,
    verdict: Sequence[Node] = (),
) -> list[Node]:  # fmt: skip
    """A score as an answer's nodes. `players` are the ids and names of who scores, where that isn't the sides; `verdict` tells
    people who wins, where that isn't who leads."""
    whose = players or {side: shape.name for side, shape in game.sides.items()}
    totals: Mapping[str, Fraction] = {side: score.total(side) for side in whose}
    ahead = max(totals, key=lambda side: totals[side]) if len(set(totals.values())) > 1 else ""
    columns = [
        Column("points", "points"), Column("said", "for", told=False), Column("places", "places"),
    ]  # fmt: skip

    def row(line: Line) -> dict[str, Cell]:
        return {
            "side": line.side, "text": line.text, "rule": line.rule, "each": line.each, "count": line.count, "points": line.points,
            "places": [name(spot) for spot in line.places],
        }  # fmt: skip

    def shown(line: Line) -> dict[str, Cell]:
        times = f", {line.count} × {line.each}" if line.count != 1 else ""
        return {**row(line), "said": f"{line.text}{f' ({line.rule})' if line.rule else ''}{times}"}

    sides = [
        Section([
            Value("side", side, shown=False), Value("points", totals[side], shown=False),
            Table("scored", columns, [shown(line) for line in score.lines if line.side == side and line.count], heads=False),
        ], f"{title}: {totals[side]}")
        for side, title in whose.items()
    ]  # fmt: skip
    won: list[dict[str, Cell]] = [{"side": side, "why": why} for side, why in score.won]
    return [
        Several("sides", sides),
        Value("totals", totals, shown=False),
        Table("scores", [Column("side")], [row(line) for line in score.lines]),
        Value("ahead", ahead, shown=False),
        Value("level", score.level, f"{whose[ahead]} ahead" if ahead else "Level", shown=not verdict and score.level != "ahead"),
        *([said(f"{whose[ahead]} ahead")] if score.level == "ahead" and not verdict else []),
        Table("won", [Column("side", "" if verdict else "has won at once"), Column("why", "" if verdict else "why")], won),
        *verdict,
    ]

"""Victory points from a scenario's lines: what a position shows is counted, the rest is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from assistant.answers import BadQuestion, Cell, Column, Node, Place, Section, Several, Table, Value, said
from assistant.answers import Line as Said
from assistant.rules.asked import Asked
from assistant.rules.field import Field, Fields, no_unit
from assistant.rules.roster import Roster, roster
from scenarios.game import Game
from scenarios.maps import HexMap
from scenarios.position import Piece, Position, exit_of
from scenarios.resolve import Location, Resolver
from scenarios.scenario import Scenario, Victory, Who
from scenarios.tables import span


@dataclass(frozen=True)
class Line:
    """One way to earn points, and what it has earned."""

    side: str
    text: str
    rule: str
    each: Fraction
    count: int
    places: tuple[Location, ...] = ()
    number: int = 0
    """Its number among the scenario's lines."""
    tell: str = ""
    """What has to be told before it counts: its number, or an input."""
    note: str = ""

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


# --- a line counted ---------------------------------------------------------------------------------------------------


class Counted(NamedTuple):
    """How often a line counts, or None where that has to be told, and why; its places where it counts, and its others."""

    times: int | None
    note: str = ""
    places: tuple[Location, ...] = ()
    others: tuple[Location, ...] = ()


@dataclass(frozen=True, eq=False)
class Tally:
    """A position, the units that are gone from it, and whose its pieces are."""

    field: Field
    lost: tuple[Piece, ...]

    @cached_property
    def roster(self) -> Roster:
        """Whose the pieces are."""
        return roster(self.field.game, self.field.position.scenario)

    @cached_property
    def living(self) -> list[Fields]:
        """The units that aren't gone."""
        away: dict[str, int] = {}
        for piece in self.lost:
            away[piece.unit] = away.get(piece.unit, 0) + 1
        found = []
        for fields in self.field.all_units:
            if away.get(str(fields["id"]), 0):
                away[str(fields["id"])] -= 1
            else:
                found.append(fields)
        return found

    def whole(self, side: str) -> Asked:
        """What is asked of the whole position."""
        return Asked(self.field, no_unit(side), {}, {"units": self.living} if self.lost else {})

    def untold(self, line: Victory) -> str:
        """The first input that a line rests on, has to be told and wasn't."""
        formulas = [
            formula for need in line.needs for formula in (need.when, need.that, need.among, need.amount, need.least)
        ]
        names = frozenset[str]().union(*map(self.field.program.names, (*formulas, line.times, line.where)))
        return next((name for name in sorted(self.field.untold) if f"told.{name}" in names), "")

    @cached_property
    def _resolver(self) -> Resolver:
        scenario = self.field.scenario
        return Resolver(self.field.kinds.map, dict(scenario.zones) if scenario else {}, units=self._stands)

    def _stands(self, whose: str) -> Iterator[Location]:
        """Where a counter or marker stands, or the units of a side or nation."""
        for piece in self.field.position.pieces:
            if piece.at in self.field.kinds.number and whose in (piece.unit, piece.nation, self.roster.side(piece)):
                yield piece.at

    def spots(self, line: Victory) -> tuple[Location, ...]:
        """The places that a line speaks of."""
        if line.at is None:
            return ()
        number, side = self.field.kinds.number, no_unit(line.side)
        places = sorted(self._resolver.places(line.at), key=str)
        return tuple(
            spot for spot in places if line.where is None or self.field.holds(line.where, side, to=number[spot])
        )

    def found(self, who: Who | None, pieces: Iterable[Piece], *, steps: bool = False) -> Counted:
        """How many of some pieces, or of their steps, are meant, unless a position leaves that open."""
        meant = [(piece, self.roster.matches(piece, who)) for piece in pieces]
        sure, doubt = [piece for piece, verdict in meant if verdict], sum(verdict is None for _, verdict in meant)
        if doubt:
            return Counted(None, f"{doubt} piece{'s' * (doubt > 1)} of unknown side or group; {len(sure)} sure")
        return Counted(sum(self.field.game.units[piece.unit].steps for piece in sure) if steps else len(sure))

    def count(self, line: Victory) -> Counted:
        """How often a line counts; None where a position can't show it."""
        if line.condition and not line.needs:
            return Counted(None, line.condition)
        match line.event:
            case "occupied" | "controlled" | "vacant" | "entered" if line.at is not None:
                return self._held(line)
            case "eliminated" if line.at is None:
                return self.found(line.who, self.lost, steps=line.per == "step")
            case "exited":
                return self._exited(line)
            case "remaining" if line.at is not None and (line.at.box or self._of_markers(line)):
                inside = {f"box:{line.at.box}"} if line.at.box else set(self.spots(line))
                return self.found(line.who, [piece for piece in self.field.position.pieces if piece.at in inside])
            case "remaining" | "supplied":
                return self._there(line)
            case "survived":
                gone = {(piece.unit, piece.copy) for piece in self.lost}
                return self.found(line.who, [p for p in self.field.position.pieces if (p.unit, p.copy) not in gone])
            case "other" if line.times is not None and self.untold(line):
                return Counted(None, "how often?")
            case "other" if line.times is not None:
                return Counted(int(self.field.value_of(line.times, self.whole(line.side))))
            case "other" if line.needs:
                return Counted(1)
            case _:
                return Counted(None, "how often?")

    def _held(self, line: Victory) -> Counted:
        """Places that a side occupies, controls or has been in, or where none of its units is."""
        field, spots = self.field, self.spots(line)
        side = line.who.side if line.who is not None and line.who.side else line.side
        who = line.who or Who(side=side)
        numbers = {spot: field.kinds.number[spot] for spot in spots if spot in field.kinds.number}
        if line.event == "controlled":
            held = tuple(spot for spot, n in numbers.items() if field.control(n) == side)
        else:
            there = {s.at for s in field.standings if s.at in numbers.values() and self.roster.matches(s.piece, who)}
            held = tuple(spot for spot, n in numbers.items() if (n in there) is not (line.event == "vacant"))
        if line.event == "entered" and not held:
            return Counted(None, "nobody is there now; were they ever?")
        return Counted(len(held), "", held, tuple(spot for spot in spots if spot not in held))

    def _exited(self, line: Victory) -> Counted:
        """Units that left over the line's edge, of its board and in its turns where it names them."""
        map = self.field.kinds.map
        edge, board = (line.at.edge, line.at.board) if line.at else (None, "")
        other_boards = (
            board
            and edge
            and isinstance(map, HexMap)
            and any(map.on_board(placed.board.id) & map.edge(edge) for placed in map.placed if placed.board.id != board)
        )
        counted: list[Piece] = []
        doubt = 0
        for piece in self.field.position.pieces:
            left = exit_of(piece)
            if left is None or self.roster.matches(piece, line.who) is False or (edge and left.edge != edge):
                continue
            if (board and left.board not in ("", board)) or (
                line.turns and left.turn is not None and not span(line.turns).holds(Fraction(left.turn))
            ):
                continue
            doubt += bool(other_boards and not left.board) or bool(line.turns and left.turn is None)
            counted.append(piece)
        if doubt:
            return Counted(
                None, f"of {doubt} exited unit{'s' * (doubt > 1)} the board or turn isn't told (box:exited:D-west@5)"
            )
        return self.found(line.who, counted)

    def _there(self, line: Victory) -> Counted:
        """Units on the map in the places of a line, in supply if it asks for that."""
        field, spots = self.field, self.spots(line)
        if line.event == "supplied" and field.program.rules.supply is None:
            return Counted(None, "how often?")
        there = [s for s in field.standings if line.at is None or field.kinds.places[s.at] in spots]
        if line.event == "supplied":
            there = [s for s in there if field.supply(s.side).found(s, "supplied")]
        if line.per == "hex":
            meant = {s.at for s in there if self.roster.matches(s.piece, line.who)}
            places = tuple(field.kinds.places[n] for n in sorted(meant))
            return Counted(len(places), "", places, tuple(spot for spot in spots if spot not in places))
        if line.per == "step":
            return Counted(sum(s.steps for s in there if self.roster.matches(s.piece, line.who)))
        return self.found(line.who, [s.piece for s in there])

    def _of_markers(self, line: Victory) -> bool:
        return line.who is not None and any(unit in self.field.game.markers for unit in line.who.units)


# --- the answer -------------------------------------------------------------------------------------------------------


def score_nodes(
    game: Game,
    score: Score,
    name: Callable[[Location], Place],
    players: Mapping[str, str] | None = None,
    verdict: Sequence[Node] = (),
) -> list[Node]:
    """A score as an answer's nodes. `players` are the ids and names of who scores, where that isn't the sides; `verdict` tells
    people who wins, where that isn't who leads."""
    whose = players or {side: shape.name for side, shape in game.sides.items()}
    totals: Mapping[str, Fraction] = {side: score.total(side) for side in whose}
    ahead = max(totals, key=lambda side: totals[side]) if len(set(totals.values())) > 1 else ""
    lead = (
        f"{whose[ahead]} {totals[ahead] - max(points for side, points in totals.items() if side != ahead)} ahead"
        if ahead
        else ""
    )
    is_tie = not (ahead or score.level or score.won or verdict) and len(totals) > 1
    columns = [
        Column("points", "points"),
        Column("said", "for", told=False),
        Column("places", "places"),
    ]

    def row(line: Line) -> dict[str, Cell]:
        return {
            "side": line.side,
            "text": line.text,
            "rule": line.rule,
            "each": line.each,
            "points": line.points,
            "count": line.count if not line.tell else None,
            "places": [name(spot) for spot in line.places],
            "number": line.number or None,
            "tell": line.tell or None,
            "note": line.note,
        }

    def shown(line: Line) -> dict[str, Cell]:
        times = f", {line.count} × {line.each}" if line.count != 1 else ""
        rule = f" ({line.rule})" if line.rule else ""
        return {**row(line), "said": f"{line.text.removesuffix('.') if rule or times else line.text}{rule}{times}"}

    sides = [
        Section(
            [
                Value("side", side, shown=False),
                Value("points", totals[side], shown=False),
                Table(
                    "scored",
                    columns,
                    [shown(line) for line in score.lines if line.side == side and line.count],
                    heads=False,
                ),
            ],
            f"{title}: {totals[side]}",
        )
        for side, title in whose.items()
    ]
    won: list[dict[str, Cell]] = [{"side": side, "why": why} for side, why in score.won]
    return [
        Several("sides", sides),
        Value("totals", totals, shown=False),
        Table("scores", [Column("side")], [row(line) for line in score.lines]),
        Value("ahead", ahead, shown=False),
        Value(
            "level",
            score.level or None,
            lead or "Level",
            shown=bool(score.level) and score.level != "ahead" and not verdict,
        ),
        *([said(lead)] if score.level == "ahead" and not verdict else []),
        *([Said("no side is ahead: a tie")] if is_tie else []),
        Table(
            "won", [Column("side", "" if verdict else "has won at once"), Column("why", "" if verdict else "why")], won
        ),
        *verdict,
    ]

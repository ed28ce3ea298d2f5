"""Victory points from a scenario's lines: counted from a position where it shows them, else from inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from assistant.engine.field import Field
from assistant.engine.placed_units import Fields, no_unit
from assistant.engine.roster import Roster, roster
from assistant.engine.scope import Scope
from assistant.engine.supply.supply_lines import supply_of
from assistant.questions.answer import (
    BadQuestion,
    Cell,
    Node,
    PlaceRef,
    RowTable,
    Section,
    Sections,
    Sentence,
    TableColumn,
    Value,
    remark,
)
from scenarios.areas.resolving import Location, Resolver
from scenarios.grammar import count_text
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.model.position import Piece, Position, exit_of
from scenarios.model.scenario import Scenario, Victory, Who
from scenarios.model.tables import span


@dataclass(frozen=True)
class ScoreLine:
    """One way to earn points, and what it has earned."""

    side: str
    text: str
    rule: str
    points_each: Fraction
    count: int
    places: tuple[Location, ...] = ()
    number: int = 0
    """Its number among the scenario's lines."""
    tell: str = ""
    """What the player must give before it counts: its number, or an input."""
    note: str = ""

    @property
    def points(self) -> Fraction:
        return self.points_each * self.count


@dataclass(frozen=True)
class Score:
    """The points of a position, the leader and the level; and the side that has won outright, with the reason."""

    lines: tuple[ScoreLine, ...]
    level: str
    won: tuple[tuple[str, str], ...] = ()

    def total(self, side: str) -> Fraction:
        """Return a side's points."""
        return sum((line.points for line in self.lines if line.side == side), Fraction(0))


def scenario_of(game: Game, position: Position) -> Scenario:
    """Return the scenario of a position, or the game's only one."""
    if position.scenario in game.scenarios:
        return game.scenarios[position.scenario]
    if len(game.scenarios) == 1:
        return next(iter(game.scenarios.values()))
    raise BadQuestion("the position names no scenario, so there are no victory points to count")


# --- counting a line --------------------------------------------------------------------------------------------------


class Tallied(NamedTuple):
    """How often a line counts, or None where the player must say, and why; the places where it counts, and its other
    places."""

    times: int | None
    note: str = ""
    places: tuple[Location, ...] = ()
    other_places: tuple[Location, ...] = ()


@dataclass(frozen=True, eq=False)
class Tally:
    """A position, its lost units, and the owners of its pieces."""

    field: Field
    lost_pieces: tuple[Piece, ...]

    @cached_property
    def roster(self) -> Roster:
        """The owners of the pieces."""
        return roster(self.field.game, self.field.position.scenario)

    @cached_property
    def living(self) -> list[Fields]:
        """The units that aren't lost."""
        lost_counts: dict[str, int] = {}
        for piece in self.lost_pieces:
            lost_counts[piece.unit] = lost_counts.get(piece.unit, 0) + 1
        units = []
        for fields in self.field.all_units:
            if lost_counts.get(str(fields["id"]), 0):
                lost_counts[str(fields["id"])] -= 1
            else:
                units.append(fields)
        return units

    def position_scope(self, side: str) -> Scope:
        """Return the scope for values of the whole position."""
        return self.field.scope(no_unit(side), {}, {"units": self.living} if self.lost_pieces else {})

    def untold(self, line: Victory) -> str:
        """Return the first required input of a line that the player didn't give."""
        formulas = [
            formula for need in line.needs for formula in (need.when, need.that, need.among, need.amount, need.at_least)
        ]
        names = frozenset[str]().union(*map(self.field.program.names, (*formulas, line.times, line.where)))
        return next((name for name in sorted(self.field.untold) if f"input.{name}" in names), "")

    @cached_property
    def _resolver(self) -> Resolver:
        scenario = self.field.scenario
        return Resolver(self.field.map_index.map, dict(scenario.zones) if scenario else {}, units=self._stands)

    def _stands(self, owner: str) -> Iterator[Location]:
        """Yield the place of a counter or marker, or the places of the units of a side or nation."""
        for piece in self.field.position.pieces:
            if piece.at in self.field.map_index.number and owner in (piece.unit, piece.nation, self.roster.side(piece)):
                yield piece.at

    def spots(self, line: Victory) -> tuple[Location, ...]:
        """Return the places of a line."""
        if line.at is None:
            return ()
        number, side = self.field.map_index.number, no_unit(line.side)
        places = sorted(self._resolver.places(line.at), key=str)
        return tuple(
            spot for spot in places if line.where is None or self.field.holds(line.where, side, to=number[spot])
        )

    def count_pieces(self, selector: Who | None, pieces: Iterable[Piece], *, steps: bool = False) -> Tallied:
        """Count the pieces that match, or their steps, unless a position leaves that open."""
        matches = [(piece, self.roster.matches(piece, selector)) for piece in pieces]
        sure, doubt = [piece for piece, verdict in matches if verdict], sum(verdict is None for _, verdict in matches)
        if doubt:
            return Tallied(None, f"{count_text(doubt, 'piece')} of unknown side or group; {len(sure)} certain")
        return Tallied(sum(self.field.game.units[piece.unit].steps for piece in sure) if steps else len(sure))

    def count(self, line: Victory) -> Tallied:
        """Count how often a line counts; None where a position can't show it."""
        if line.condition and not line.needs:
            return Tallied(None, line.condition)
        match line.event:
            case "occupied" | "controlled" | "vacant" | "entered" if line.at is not None:
                return self._count_controlled(line)
            case "eliminated" if line.at is None:
                return self.count_pieces(line.who, self.lost_pieces, steps=line.per == "step")
            case "eliminated" if line.at is not None and line.at.box:
                return self.count_pieces(line.who, self._in_pile(line), steps=line.per == "step")
            case "exited":
                return self._count_exited(line)
            case "remaining" if line.at is not None and (line.at.box or self._of_markers(line)):
                inside = {f"box:{line.at.box}"} if line.at.box else set(self.spots(line))
                return self.count_pieces(
                    line.who, [piece for piece in self.field.position.pieces if piece.at in inside]
                )
            case "remaining" | "supplied":
                return self._count_present(line)
            case "survived":
                lost_keys = {(piece.unit, piece.copy) for piece in self.lost_pieces}
                return self.count_pieces(
                    line.who, [p for p in self.field.position.pieces if (p.unit, p.copy) not in lost_keys]
                )
            case "other" if line.times is not None and self.untold(line):
                return Tallied(None, "the position doesn't show how often")
            case "other" if line.times is not None:
                return Tallied(int(self.field.value_of(line.times, self.position_scope(line.side))))
            case "other" if line.needs:
                return Tallied(1)
            case _:
                return Tallied(None, "the position doesn't show how often")

    def _in_pile(self, line: Victory) -> list[Piece]:
        """Return the pieces in the box of a line, and those in piles of the dead that the line counts too."""
        assert line.at is not None
        field, lost = self.field, line.lost
        in_box = [piece for piece in field.position.pieces if piece.at == f"box:{line.at.box}"]
        piles = [piece for piece in field.position.pieces if str(piece.at).startswith("dead:")]
        units = [(piece, field.game.units[piece.unit]) for piece in piles if piece.unit in field.game.units]
        return in_box + [piece for piece, unit in units if lost is not None and field.holds(lost, field.off_map(unit))]

    def _count_controlled(self, line: Victory) -> Tallied:
        """Count the places that a side occupies, controls or has entered, or where it has no unit."""
        field, spots = self.field, self.spots(line)
        side = line.who.side if line.who is not None and line.who.side else line.side
        selector = line.who or Who(side=side)
        numbers = {spot: field.map_index.number[spot] for spot in spots if spot in field.map_index.number}
        if line.event == "controlled":
            places = tuple(spot for spot, n in numbers.items() if field.control(n) == side)
        else:
            occupied_numbers = {
                s.place
                for s in field.placed_units
                if s.place in numbers.values() and self.roster.matches(s.piece, selector)
            }
            places = tuple(
                spot for spot, n in numbers.items() if (n in occupied_numbers) is not (line.event == "vacant")
            )
        if line.event == "entered" and not places:
            return Tallied(None, "no unit is there now, and the position doesn't show whether one was")
        return Tallied(len(places), "", places, tuple(spot for spot in spots if spot not in places))

    def _count_exited(self, line: Victory) -> Tallied:
        """Count the units that left over the line's edge, of its board and in its turns where it names them."""
        map = self.field.map_index.map
        edge, board = (line.at.edge, line.at.board) if line.at else (None, "")
        other_boards = (
            board
            and edge
            and isinstance(map, HexMap)
            and any(
                map.on_board(board_placement.board.id) & map.edge(edge)
                for board_placement in map.placed
                if board_placement.board.id != board
            )
        )
        exited_pieces: list[Piece] = []
        doubt = 0
        for piece in self.field.position.pieces:
            board_exit = exit_of(piece)
            if (
                board_exit is None
                or self.roster.matches(piece, line.who) is False
                or (edge and board_exit.edge != edge)
            ):
                continue
            if (board and board_exit.board not in ("", board)) or (
                line.turns and board_exit.turn is not None and not span(line.turns).holds(Fraction(board_exit.turn))
            ):
                continue
            doubt += bool(other_boards and not board_exit.board) or bool(line.turns and board_exit.turn is None)
            exited_pieces.append(piece)
        if doubt:
            return Tallied(
                None,
                f"{count_text(doubt, 'unit')} left by an unknown board edge or on an unknown turn (write box:exited:D-west@5)",
            )
        return self.count_pieces(line.who, exited_pieces)

    def _count_present(self, line: Victory) -> Tallied:
        """Count the units in the places of a line, in supply if it asks for that."""
        field, spots = self.field, self.spots(line)
        if line.event == "supplied" and field.program.rules.supply is None:
            return Tallied(None, "the position doesn't show how often")
        units = [s for s in field.placed_units if line.at is None or field.map_index.places[s.place] in spots]
        if line.event == "supplied":
            units = [s for s in units if supply_of(field, s.side).is_served(s, "supplied")]
        if line.per == "hex":
            place_numbers = {s.place for s in units if self.roster.matches(s.piece, line.who)}
            places = tuple(field.map_index.places[n] for n in sorted(place_numbers))
            return Tallied(len(places), "", places, tuple(spot for spot in spots if spot not in places))
        if line.per == "step":
            return Tallied(sum(s.steps for s in units if self.roster.matches(s.piece, line.who)))
        return self.count_pieces(line.who, [s.piece for s in units])

    def _of_markers(self, line: Victory) -> bool:
        return line.who is not None and any(unit in self.field.game.markers for unit in line.who.units)


# --- the answer -------------------------------------------------------------------------------------------------------


def score_nodes(
    game: Game,
    score: Score,
    name: Callable[[Location], PlaceRef],
    players: Mapping[str, str] | None = None,
    verdict: Sequence[Node] = (),
) -> list[Node]:
    """Return a score as an answer's nodes. `players` are the ids and names of those who score, where they aren't the
    sides. `verdict` tells people who wins, where that isn't the leader."""
    player_names = players or {side: shape.name for side, shape in game.sides.items()}
    totals: Mapping[str, Fraction] = {side: score.total(side) for side in player_names}
    ahead = max(totals, key=lambda side: totals[side]) if len(set(totals.values())) > 1 else ""
    lead = (
        f"{player_names[ahead]} {totals[ahead] - max(points for side, points in totals.items() if side != ahead)} ahead"
        if ahead
        else ""
    )
    is_tie = not (ahead or score.level or score.won or verdict) and len(totals) > 1
    columns = [
        TableColumn("points", "points"),
        TableColumn("said", "for", for_programs=False),
        TableColumn("places", "places"),
    ]

    def row(line: ScoreLine) -> dict[str, Cell]:
        return {
            "side": line.side,
            "text": line.text,
            "rule": line.rule,
            "each": line.points_each,
            "points": line.points,
            "count": line.count if not line.tell else None,
            "places": [name(spot) for spot in line.places],
            "number": line.number or None,
            "input": line.tell or None,
            "note": line.note,
        }

    def line_cells(line: ScoreLine) -> dict[str, Cell]:
        times = f", {line.count} × {line.points_each}" if line.count != 1 else ""
        rule = f" ({line.rule})" if line.rule else ""
        return {**row(line), "said": f"{line.text.removesuffix('.') if rule or times else line.text}{rule}{times}"}

    sides = [
        Section(
            [
                Value("side", side, for_people=False),
                Value("points", totals[side], for_people=False),
                RowTable(
                    "scored",
                    columns,
                    [line_cells(line) for line in score.lines if line.side == side and line.count],
                    heads=False,
                ),
            ],
            f"{title}: {totals[side]}",
        )
        for side, title in player_names.items()
    ]
    won: list[dict[str, Cell]] = [{"side": side, "why": reason} for side, reason in score.won]
    return [
        Sections("sides", sides),
        Value("totals", totals, for_people=False),
        RowTable("scores", [TableColumn("side")], [row(line) for line in score.lines]),
        Value("ahead", ahead, for_people=False),
        Value(
            "level",
            score.level or None,
            lead or "Result",
            for_people=bool(score.level) and score.level != "ahead" and not verdict,
        ),
        *([remark(lead)] if score.level == "ahead" and not verdict else []),
        *([Sentence("no side is ahead: a tie")] if is_tie else []),
        RowTable(
            "won",
            [TableColumn("side", "" if verdict else "wins immediately"), TableColumn("why", "" if verdict else "why")],
            won,
        ),
        *verdict,
    ]

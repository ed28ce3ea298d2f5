"""Victory points of every Situation, from a position and what is told of the game; the level of victory.

Pieces that are gone stand at `box:eliminated` or `box:exited:EDGE`. The edge may be told more exactly: with its board
(`box:exited:D-west`) and with the turn (`box:exited:west@5`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from assistant.answers import Answer, BadQuestion, Cell, Column, Line, Node, Ours, Table, Value
from assistant.games.arab_israeli_wars.asking import CHANGED, SCENARIO, asked_position
from assistant.games.arab_israeli_wars.forces import CANAL, field_of
from assistant.games.arab_israeli_wars.roster import Roster, roster
from assistant.games.arab_israeli_wars.sourced import of_score
from assistant.questions import POSITION, Input, Question, Told
from assistant.rules.field import Field
from scenarios.areas import Area
from scenarios.game import Game
from scenarios.hexes import Hex, neighbours, sides
from scenarios.position import Piece, Position, from_scenario, nation_of
from scenarios.reading.findings import instead
from scenarios.resolve import Resolver
from scenarios.scenario import Scenario, Victory, Who
from scenarios.tables import span

# --- counting --------------------------------------------------------------------------------------------------------


GONE = "box:eliminated"
EXIT = re.compile(r"box:exited:(?:(?P<board>\w+)-)?(?P<edge>north|east|south|west)(?:@(?P<turn>\d+))?")
BEFORE = re.compile(r"before turn (\d+)")
FROM = re.compile(r"on turn (\d+) or later")
EXTENDED = re.compile(r"(\d+) if (\d+) or more .* by turn (\d+)")
JUNCTION = 3
"""Hexsides with a road at a junction (A-4)."""


class Counted(NamedTuple):
    """How often, or None where it must be told; why, and under which event."""

    times: int | None
    note: str = ""
    tell: str = ""


class Exit(NamedTuple):
    """Where and when a piece left the map."""

    board: str
    edge: str
    turn: int | None


def exit_of(piece: Piece) -> Exit | None:
    """The exit of a piece that has left; BadQuestion where its box can't be read."""
    if not (isinstance(piece.at, str) and piece.at.startswith("box:exited")):
        return None
    match = EXIT.fullmatch(piece.at)
    if match is None:
        raise BadQuestion(f"{piece.unit}: {piece.at!r} is no exit; write box:exited:west, or box:exited:D-west@5")
    return Exit(match["board"] or "", match["edge"], int(match["turn"]) if match["turn"] else None)


@dataclass(frozen=True, eq=False)
class Tally:
    """A position with what is needed to count in it."""

    game: Game
    field: Field
    position: Position
    scenario: Scenario
    who: Roster
    told: Mapping[str, int]

    @classmethod
    def of(cls, game: Game, field: Field, position: Position, told: Mapping[str, int]) -> Tally:
        return cls(game, field, position, game.scenarios[position.scenario], roster(game, position.scenario), told)

    @cached_property
    def _resolver(self) -> Resolver:
        return Resolver(self.field.hex_map, dict(self.scenario.zones), units=self._places)

    def _places(self, side_or_nation: str) -> list[Hex | str]:
        pieces = [p for p in self.position.pieces if isinstance(p.at, Hex) and p.unit in self.game.units]
        return [p.at for p in pieces if side_or_nation in (self.who.side(p), p.nation)]

    def places(self, area: Area | None) -> frozenset[Hex]:
        """The hexes of an area; the whole map where there is none."""
        if area is None:
            return self.field.hex_map.field
        return frozenset(hex for hex in self._resolver.places(area) if isinstance(hex, Hex))

    def matches(self, piece: Piece, who: Who | None) -> bool | None:
        """Whether a line counts a piece; None where the position leaves open whose or of which group it is."""
        who = who or Who()
        unit = self.game.units.get(piece.unit)
        if (unit is None and piece.unit not in who.units) or (who.units and piece.unit not in who.units):
            return False
        if piece.unit in who.except_ or (who.classes and (unit is None or unit.class_ not in who.classes)):
            return False
        if who.nation and piece.nation != who.nation:
            return None if not piece.nation and who.nation in self.who.nations.get(piece.unit, ()) else False
        if who.side and (side := self.who.side(piece)) != who.side:
            return None if not side else False
        if who.groups:
            group = self.who.group(piece)
            return None if not group and self._could_be(piece, who.groups) else group in who.groups
        return True

    def _could_be(self, piece: Piece, groups: tuple[str, ...]) -> bool:
        forces = self.scenario.forces.values()
        return any(piece.unit in g.units for force in forces for g in force.groups if g.id in groups)

    def count(self, line: Victory) -> Counted:
        """How often a line was earned (The Situations A.3.f, and the Situation's own words)."""
        condition = self._condition(line)
        if isinstance(condition, Counted):
            return condition
        return _COUNTS[line.event](self, line, condition)

    def _condition(self, line: Victory) -> Callable[[Hex], bool] | Counted:
        """The hexes that a line's condition leaves; or the answer, where the condition isn't of hexes."""
        text = line.condition
        if not text or BEFORE.fullmatch(text) or FROM.fullmatch(text) or line.event in ("controlled", "other"):
            return lambda hex: True
        if text == "the game was extended":
            return (lambda hex: True) if self.extended else Counted(0, "the game was not extended", "extended")
        if "fort" in text:
            return lambda hex: "fort" in self.field.markers_at(hex)
        if text == "the hex has a bridge":
            return lambda hex: "bridge" in self.field.markers_at(hex)
        if text.startswith("the hex is clear and roads cross three"):
            return self._junction
        if text == "an Israeli unit has left that board":
            return self._left_board
        return Counted(None, text)

    def _junction(self, hex: Hex) -> bool:
        """A clear hex whose roads cross three hexsides or more (A-4)."""
        roads = sum("road" in self.field.hex_map.path_sides.get(side, ()) for side in sides(hex))
        return self.field.kinds.terrain(hex) == "clear" and roads >= JUNCTION

    def _left_board(self, hex: Hex) -> bool:
        return any(hex in self.field.hex_map.on_board(board) for board in self.left_boards)

    @cached_property
    def left_boards(self) -> frozenset[str]:
        """The boards that Israelis have left westward (A-4): all east of one they stand on, all if one is off the map.

        Who left and was eliminated leaves no trace: `left:BOARD` tells it.
        """
        order = [placed.board.id for placed in self.field.hex_map.placed]  # from west to east
        left = {board for board in order if self.told.get(f"left:{board}")}
        for piece in self.position.pieces:
            if self.matches(piece, Who(side="israeli")):
                if exit_of(piece):
                    left |= set(order)
                elif isinstance(piece.at, Hex):
                    on = [i for i, board in enumerate(order) if piece.at in self.field.hex_map.on_board(board)]
                    left |= set(order[max(on) + 1 :])
        return frozenset(left)

    @cached_property
    def _longer(self) -> re.Match[str] | None:
        effects = (effect for rule in self.scenario.special for effect in rule.effects)
        return next((m for e in effects if e.effect == "game_extended" and (m := EXTENDED.fullmatch(e.value))), None)

    @cached_property
    def extended(self) -> bool:
        """Whether the game went on past its first end (S-1): told, or seen by the turn."""
        if "extended" in self.told:
            return bool(self.told["extended"])
        return self._longer is not None and self.position.turn > int(self._longer[3])

    def last_turn(self, last: int | None) -> int | None:
        """The turn after which points are counted."""
        return int(self._longer[3]) if self._longer is not None and not self.extended else last

    def found(self, line: Victory, pieces: list[Piece]) -> Counted:
        """The number of pieces that count, unless some leave open whether they do."""
        verdicts = [self.matches(piece, line.who) for piece in pieces]
        if None in verdicts:
            doubt = sum(verdict is None for verdict in verdicts)
            return Counted(None, f"{doubt} piece{'s' * (doubt > 1)} of unknown side or group; {sum(map(bool, verdicts))} sure")
        return Counted(sum(map(bool, verdicts)))


_Condition = Callable[[Hex], bool]


def _eliminated(tally: Tally, line: Victory, holds: _Condition) -> Counted:
    """Units in the box of the eliminated (Basic VI.A.2.b)."""
    return tally.found(line, [piece for piece in tally.position.pieces if piece.at == GONE])


def _exited(tally: Tally, line: Victory, holds: _Condition) -> Counted:
    """Units that left over the line's edge, of its board and in its turns where it names them."""
    table = tally.field.hex_map
    edge, board = (line.at.edge, line.at.board) if line.at else (None, "")
    counted: list[Piece] = []
    doubt = 0
    for piece in tally.position.pieces:
        out = exit_of(piece)
        if out is None or tally.matches(piece, line.who) is False or (edge and out.edge != edge):
            continue
        if board and edge:
            along = {p.board.id for p in table.placed if table.on_board(p.board.id) & table.edge(edge)}
            if out.board and out.board != board:
                continue
            doubt += not out.board and along != {board}
        before, since = BEFORE.fullmatch(line.condition), FROM.fullmatch(line.condition)
        if before or since:
            doubt += out.turn is None
            if out.turn is not None and not (out.turn < int(before[1]) if before else out.turn >= int(since[1])):  # type: ignore[index]
                continue
        counted.append(piece)
    if doubt:
        return Counted(None, f"of {doubt} exited unit{'s' * (doubt > 1)} the board or turn isn't told (box:exited:D-west@5)")
    return tally.found(line, counted)


def _remaining(tally: Tally, line: Victory, holds: _Condition) -> Counted:
    """Units on the map in the line's area, passengers counted like others."""
    area = tally.places(line.at)
    pieces = [p for p in tally.position.pieces if isinstance(p.at, Hex) and p.at in area and holds(p.at)]
    return tally.found(line, pieces)


def _occupied(tally: Tally, line: Victory, holds: _Condition) -> Counted:
    """Hexes of the line's area with such a unit in them; S-1's fort counts if it was ever entered."""
    ever = "at whatever time" in line.text
    area = {hex for hex in tally.places(line.at) if holds(hex) and (not ever or "fort" in tally.field.markers_at(hex))}
    here = {p.at for p in tally.position.pieces if isinstance(p.at, Hex) and p.at in area and tally.matches(p, line.who)}
    if ever and not here:
        return Counted(None, "nobody is there now; were they ever?")
    return Counted(len(here))


def _controlled(tally: Tally, line: Victory, holds: _Condition) -> Counted:
    """Hexes of the line's area without an enemy of the side that earns it (S-12)."""
    foes = {
        p.at for p in tally.position.pieces
        if isinstance(p.at, Hex) and p.unit in tally.game.units and tally.who.side(p) not in ("", line.side)
    }  # fmt: skip
    return Counted(len(tally.places(line.at) - foes))


def _attacked(tally: Tally, line: Victory, holds: _Condition) -> Counted:
    """Turns with an attack on the unit (B-2): only the players know."""
    if "attacked" in tally.told:
        return Counted(tally.told["attacked"], "as told")
    return Counted(None, "in how many turns was it attacked?", "attacked")


def _unattacked(tally: Tally, line: Victory, holds: _Condition) -> Counted:
    """Never attacked (B-2): told, or false because it was eliminated."""
    if "attacked" in tally.told:
        return Counted(int(not tally.told["attacked"]), "as told")
    if any(piece.at == GONE and tally.matches(piece, line.who) for piece in tally.position.pieces):
        return Counted(0, "it was eliminated")
    return Counted(None, "was it ever attacked?", "attacked")


def _other(tally: Tally, line: Victory, holds: _Condition) -> Counted:
    """A piece in a place (A-5's bridge, S-13's ferry at a cut); anything else must be told."""
    if line.who is None or line.at is None:
        return Counted(None, "how often?")
    area = tally.places(line.at)
    if line.condition == "the canal hex has a cut":
        kinds = tally.field.kinds
        cuts = {hex for hex in tally.field.hex_map.hexes if kinds.terrain(hex) == CANAL and "trench" in tally.field.markers_at(hex)}
        area = frozenset(near for cut in cuts for near in (cut, *neighbours(cut))) & area
    elif line.condition:
        return Counted(None, line.condition)
    return tally.found(line, [p for p in tally.position.pieces if isinstance(p.at, Hex) and p.at in area])


def _untold(tally: Tally, line: Victory, holds: _Condition) -> Counted:
    return Counted(None, line.condition or "how often?")


_COUNTS: Mapping[str, Callable[[Tally, Victory, _Condition], Counted]] = {
    "eliminated": _eliminated,
    "exited": _exited,
    "remaining": _remaining,
    "occupied": _occupied,
    "controlled": _controlled,
    "attacked": _attacked,
    "unattacked": _unattacked,
    "other": _other,
    "entered": _untold,
    "survived": _untold,
    "supplied": _untold,
}

# --- the score -------------------------------------------------------------------------------------------------------


TOLD = re.compile(r"line:\d+|eliminated:\w+|left:\w+|attacked|extended")


@dataclass(frozen=True)
class Scored:
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
    lines: tuple[Scored, ...]
    totals: Mapping[str, Fraction]
    standing: Standing

    @property
    def to_be_told(self) -> tuple[Scored, ...]:
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
    tally = Tally.of(game, field_of(game, position), _with_shot_down(game, position, told), told)
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


def _line(tally: Tally, number: int, told: Mapping[str, int]) -> Scored:
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
    return Scored(number, line.side, " ".join(line.text.split()), rule, each, line.per, count, points, tell, found.note)


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


# --- the question -----------------------------------------------------------------------------------------------------


def score_answer(game: Game, told: Told) -> Answer:
    """The points of a position, or of a Situation with nobody on the map yet, and who wins (The Situations B)."""
    if "position" in told and "scenario" in told:
        raise BadQuestion("give --position FILE or --scenario SITUATION, not both")
    if "position" not in told and "scenario" not in told:
        known = instead("", game.scenarios)
        raise BadQuestion(f"points are a Situation's: --position FILE or --scenario SITUATION; {known} (The Situations B)")
    start = {"position": from_scenario(game, told["scenario"])} if "scenario" in told else {}
    position = asked_position(game, {**told, **start})
    assert position is not None
    found = score(game, position, {event: int(count) for event, count in told.get("tell", {}).items()})
    return Answer("score", game.id, [*score_nodes(found), Ours(of_score(game, position.scenario))])


def score_nodes(found: Score) -> list[Node]:
    """Each victory line, the totals, who wins, and what must still be told."""
    last = f" of {found.last}" if found.last is not None else ""
    silent: Mapping[str, Cell] = {
        "scenario": found.scenario, "turn": found.turn, "last_turn": found.last, "over": found.over, "totals": found.totals,
        "ahead": found.standing.winner or None, "difference": found.standing.ahead, "level": found.standing.level or None,
    }  # fmt: skip
    columns = [Column("points", "points"), Column("times", "how many", told=False), Column("number", "line"), Column("text", "for"),
               Column("note", "note")]  # fmt: skip
    nodes: list[Node] = [
        Line(f"{found.scenario} {found.title}, turn {found.turn}{last}"),
        *(Value(key, value, shown=False) for key, value in silent.items()),
        *(Table("shown", columns, [_row(line) for line in found.lines if line.side == side], f"{name}: {found.totals[side]}",
                heads=False, told=False) for side, name in found.sides.items()),
        Table("scores", [Column(one.key, told=one.told) for one in columns], [_row(line) for line in found.lines]),
        _standing(found),
    ]  # fmt: skip
    if not found.over:
        nodes.append(Line("the game isn't over: points are counted after its last turn"))
    rows: list[dict[str, Cell]] = [
        {"tell": line.tell, "how": f"{line.tell}=N", "text": line.text, "note": line.note, "side": line.side} for line in found.to_be_told
    ]
    to_tell = [Column("how", "tell", told=False), Column("text", "for"), Column("note", "note")]
    return [*nodes, Table("to_tell", to_tell, rows, "to be told" if rows else "", heads=False)]


def _standing(found: Score) -> Node:
    winner, ahead, level = found.standing
    if not winner:
        return Line("even: nobody wins", "The Situations B.2")
    return Line(f"{found.sides[winner]} {'wins' if found.over else 'is ahead'} by {ahead}: {level} victory", "The Situations B.2")


def _row(line: Scored) -> dict[str, Cell]:
    told = line.count is not None
    return {
        "number": line.number, "side": line.side, "text": line.text, "rule": line.rule, "each": line.each, "per": line.per,
        "count": line.count, "points": line.points if told else 0, "times": f"{line.each} x {line.count}" if told else f"{line.each} each",
        "tell": line.tell or None, "note": line.note if told else "to be told",
    }  # fmt: skip


SCORE = Question(
    name="score", about="the points of both sides and who wins", answer=score_answer,
    inputs=(
        SCENARIO, POSITION, *CHANGED,
        Input(name="tell", about="what happened that a position can't show: line:N, attacked, extended, left:BOARD, eliminated:UNIT",
              kind="pairs", between="=", example="line:3=1", most=9999),
    ),
)  # fmt: skip

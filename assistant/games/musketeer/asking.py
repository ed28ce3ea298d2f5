"""The position, the unit and the hexes that a question tells."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from assistant.answers import BadQuestion, Counter, Place
from assistant.asking import Named, named_place
from assistant.games.musketeer.contingents import label
from assistant.games.musketeer.field import GROUND
from assistant.games.musketeer.support import Support, support
from assistant.questions import GONE, MARK, POSITION, PUT, TURN, Input, Told
from assistant.shared.asking import asked_position
from assistant.shared.changes import changed, changes
from assistant.shared.options import given, whole, yes
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.maps import HexMap
from scenarios.position import Piece, Position

SCENARIO = Input(
    name="scenario", about="the start of a scenario, or none for an empty map", kind="choice", choices=("none",), of="scenario",
    example="standard",
)  # fmt: skip
ON_THE_MAP = (SCENARIO, POSITION, TURN, PUT, MARK, GONE)
UNIT = Input(name="unit", about="the counter", kind="unit", needed=True)
FROM = Input(name="from", about="the hex it is in, where the position doesn't show it", kind="place")
DISRUPTED = Input(name="disrupted", about="it is disrupted", kind="flag")
PLACED = (UNIT, FROM, DISRUPTED, *ON_THE_MAP)


def on_a_map(told: Told) -> bool:
    """Whether a position is told at all."""
    return given(told, "position") or given(told, "scenario") or changes(told)


def last_turn(game: Game) -> int:
    """The number of the last turn."""
    return game.turns.count if game.turns and game.turns.count else 1


def asked_turn(game: Game, told: Told, now: int = 1) -> int:
    """The turn that is told."""
    return whole(told, "turn", now, 1, last_turn(game))


def asked_support(game: Game, told: Told) -> Support:
    """The position: `position`, or the start of `scenario`, or an empty map; then `gone`, `put` and `mark`."""
    empty = told.get("scenario") == "none"
    here = support(game, Position(game.id, next(iter(game.scenarios))) if empty else asked_position(game, told))
    position = here.position
    if changes(told):
        position = changed(game, position, told, here.table, lambda text: named_place(here.table, text)).position
    turn = asked_turn(game, told, position.turn)
    if turn != position.turn:
        position = replace(position, turn=turn)
    if position is not here.position:
        here = replace(here, position=position)
    if changes(told):
        _apart(here)
        _on_land(here)
    return here


def _on_land(here: Support) -> None:
    """9.4: no ground unit is where none can go; who lands is in the coastal hex (the ruling on assaults from the sea)."""
    for _, unit, hex in here.units:
        if here.ground.costs[hex] is None:
            ground = here.game.terrain[here.table.terrain[hex]].name.lower()
            raise BadQuestion(
                f"{unit.id} can't be in {here.table.name(hex)}, which is {ground} (9.4); who lands is put in the coastal hex, with "
                "+direct_assault if an enemy is there (29.5)"
            )


def _apart(here: Support) -> None:
    """12.5: enemies share a hex only where one of them has landed on the other (29.5)."""
    for piece, unit, hex in here.units:
        for other, enemy, at in here.units:
            if at == hex and enemy.side != unit.side and "direct_assault" not in piece.states | other.states:
                raise BadQuestion(
                    f"{unit.id} and {enemy.id} can't both be in {here.table.name(hex)} (12.5); one that landed on the "
                    "other is marked: mark=UNIT+direct_assault (29.5)"
                )


def named_hex(map: HexMap, text: str, what: str) -> Hex:
    """A hex by its number or the name of its place."""
    found = named_place(map, text, what)
    if not isinstance(found, Hex):
        raise BadQuestion(f"{what} is a hex or a place on the map, not {text!r}")
    return found


def asked_hex(map: HexMap, told: Told, key: str) -> Hex | None:
    """The hex that is told; None where nothing is."""
    return named_hex(map, told[key], key) if key in told else None


def place(map: HexMap, hex: Hex) -> Place:
    """A hex in an answer."""
    return Place(map.name(hex))


def counter(game: Game, unit: Unit, copy: str = "") -> Counter:
    """A unit in an answer; with its copy, where there are several of it."""
    return Counter(f"{unit.id}/{copy}" if copy and unit.count > 1 else unit.id, label(game, unit))


# --- one unit ---------------------------------------------------------------------------------------------------------


class Placed(NamedTuple):
    """A unit in a position."""

    here: Support
    unit: Unit
    start: Hex
    disrupted: bool
    landed: bool
    """It is in a direct assault (29.5)."""

    @property
    def place(self) -> Place:
        """Where it is, in an answer."""
        return place(self.here.table, self.start)


class Found(NamedTuple):
    """A unit that may be on the map: its piece and its hex, if it is, and whether it is disrupted."""

    here: Support
    unit: Unit
    piece: Piece | None
    start: Hex | None
    disrupted: bool


def asked_unit(game: Game, told: Told) -> Found:
    """The ground unit under `unit`, where it is and what state it is in."""
    here, named = asked_support(game, told), told["unit"]
    assert isinstance(named, Named)
    unit = game.units.get(named.id)
    if unit is None or unit.class_ not in GROUND:
        raise BadQuestion(f"{label(game, unit) if unit else named.id} is no ground unit")
    text = told.get("from") or named.place
    start = named_hex(here.table, text, "from") if text else None
    pieces = [piece for piece, held, _ in here.units if held.id == unit.id and named.copy in ("", piece.copy)]
    piece = next((piece for piece in pieces if piece.at == start), None) or next(iter(pieces), None)
    if start is None and piece is not None and isinstance(piece.at, Hex):
        start = piece.at
    states = frozenset(named.states) or (piece.states if piece is not None else frozenset())
    return Found(here, unit, piece, start, yes(told, "disrupted", "disrupted" in states))


def asked_placed(game: Game, told: Told) -> Placed:
    """A unit that is on the map. With `from` it stands there and nowhere else."""
    here, unit, piece, start, disrupted = asked_unit(game, told)
    if start is None:
        raise BadQuestion(f"{label(game, unit)} is not on the map; say where it is: from=HEX")
    if piece is not None and piece.at != start and unit.count == 1:
        pieces = tuple(other for other in here.position.pieces if other != piece)
        here = replace(here, position=replace(here.position, pieces=pieces))
    states = frozenset(told["unit"].states) or (piece.states if piece is not None else frozenset())
    return Placed(here, unit, start, disrupted, "direct_assault" in states)

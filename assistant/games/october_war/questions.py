"""What the questions of October War have in common: the position, units and points by name, and how these stand in answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from assistant.answers import BadQuestion, Cell, Column, Counter, Ours, Place, Refusal
from assistant.asking import Named, named_place
from assistant.attacks import Fields, Value, unit_fields
from assistant.games.october_war.ground import Ground, bare, ground
from assistant.games.october_war.movement import CROSSINGS
from assistant.questions import Input, Told
from assistant.shared import asking
from assistant.shared.changes import rearranged
from assistant.shared.sourced import ours
from assistant.shared.strengths import map_sources
from assistant.words import read_answer
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.position import Piece, Position

MOST = 20
"""More units than the limits and exemptions of stacking let into a point (12.1, 12.5)."""
POINT = Input(name="point", about="the point", kind="place", aliases=("at", "place"))
SIDE = Input(name="side", about="one side only", kind="choice", of="side")
FROM = Input(name="from", about="the point it starts in, if the position doesn't show it", kind="place")
CHANGES = ("put", "mark", "gone")


# --- the position -----------------------------------------------------------------------------------------------------


def asked_position(game: Game, told: Told) -> Position:
    """The position that is told, or the start of the scenario; changed as told."""
    position = asking.asked_position(game, told)
    if any(told.get(key) for key in CHANGES):
        table = ground(game, position).map
        changes = {key: told.get(key, ()) for key in CHANGES}
        position = rearranged(game, position, **changes, located=lambda text: named_place(table, text, "put")).position
    turn = int(told.get("turn", position.turn))
    return position if turn == position.turn else replace(position, turn=turn)


def asked_ground(game: Game, told: Told) -> Ground:
    """The same as the rules see it."""
    return ground(game, asked_position(game, told))


def told_ground(game: Game, told: Told) -> Ground | None:
    """The same where a position, a scenario or a change of one is told."""
    return asked_ground(game, told) if any(told.get(key) for key in ("position", "scenario", *CHANGES)) else None


# --- points and units -------------------------------------------------------------------------------------------------


def asked_point(game: Game, here: Ground | None, told: Told, key: str = "point") -> str:
    """The id of a point that is told; nothing where none is."""
    if not told.get(key):
        return ""
    table = (here or bare(game)).map
    found = str(named_place(table, told[key], key))
    if found not in table.points:
        raise BadQuestion(f"{key} is a point of the map, not {told[key]!r}; write for example {key}={next(iter(table.points))}")
    return found


def fought_in(here: Ground, point: str) -> str:
    """The terrain of a point where there can be combat."""
    shape = here.map.points[point]
    if here.off_map(point):
        raise BadQuestion(f"there is no combat in a reserve area (25.5), and {shape.name} is one")
    if shape.terrain in CROSSINGS:
        raise BadQuestion(f"nobody ends a move in {shape.name} (21.6), so nobody fights there; name the point on its shore")
    return shape.terrain


def asked_unit(game: Game, named: Named) -> Unit:
    """One counter that is no marker."""
    if named.id not in game.units:
        raise BadQuestion(f"{game.markers[named.id].name} is a marker; name a unit")
    return game.units[named.id]


def started(game: Game, told: Told) -> tuple[Ground, Unit, Piece]:
    """The ground with a unit standing on it, the unit, and its piece where it starts: `from`, or UNIT@POINT."""
    named: Named = told["unit"]
    unit, position = asked_unit(game, named), asked_position(game, told)
    here = ground(game, position)
    start = asked_point(game, here, {"from": told.get("from") or named.place}, "from")
    mine = [piece for piece, held in here.units if held.id == unit.id and named.copy in ("", piece.copy)]
    found = next((piece for piece in mine if start in ("", piece.at)), None)
    if found is None and not start:
        raise BadQuestion(f"{unit.name} is not on the map; say where it starts: from=POINT")
    piece = found or Piece(unit.id, named.copy, unit.nation, start)
    shape = here.map.points[str(piece.at)]
    if shape.terrain in CROSSINGS:
        raise Refusal(f"nobody ends a move in {shape.name}, so nobody starts there; name a point on its shore", "21.6")
    if found is not None:
        return here, unit, found
    return ground(game, replace(position, pieces=(*position.pieces, piece))), unit, piece


def fighting(game: Game, named: Iterable[Named]) -> list[Fields]:
    """Units that fight on the ground, as the formulas of an attack see them."""
    units = [one for one in named for _ in range(one.count)]
    if len(units) > MOST:
        raise BadQuestion(f"{len(units)} units are more than a point holds: {MOST} at most (12.1, 12.5)")
    found = []
    for one in units:
        if one.place or one.details:
            raise BadQuestion(f"{one}: tell a unit and its states alone, as in {one.id}+out_of_supply")
        fields = unit_fields(game, one.id, one.states)
        if one.id not in game.units or fields.get("class") == "strike":
            raise BadQuestion(f"{fields.get('name') or 'that'} doesn't fight on the ground (18.8, 24.0)")
        sound(game, fields)
        found.append(fields)
    return list(found)


def sound(game: Game, fields: Fields) -> None:
    """Refusal if a unit shows a side that its counter doesn't have (9.9)."""
    if fields["combined_arms"] and game.units[str(fields["id"])].back_state != "combined_arms":
        raise Refusal(f"{fields['name']} has no combined arms side: only Israeli armored brigades do", "9.9")


def declared(game: Game, attack: str, told: Told, keys: Iterable[str]) -> dict[str, Value]:
    """What is told of the inputs of a declared attack, as its formulas take it."""
    shapes = game.attacks[attack].inputs
    found = {}
    for key in keys:
        if key in told:
            value = told[key]
            text = ("no", "yes")[value] if isinstance(value, bool) else str(value)
            found[key] = read_answer(game, key, shapes[key], text)
    return found


# --- in answers -------------------------------------------------------------------------------------------------------


def counter(game: Game, piece: Piece) -> Counter:
    """A piece in an answer."""
    name = game.units[piece.unit].name if piece.unit in game.units else piece.unit
    return Counter(f"{piece.unit}/{piece.copy}" if piece.copy not in ("", "1") else piece.unit, name)


def place(here: Ground, point: object) -> Place:
    """A point in an answer."""
    return Place(str(point), here.map.points[str(point)].name)


def near_first(here: Ground, points: Mapping[str, int]) -> list[Place]:
    """Points by their distance."""
    return [place(here, point) for point in sorted(points, key=lambda one: (points[one], one))]


def filled(columns: Iterable[Column], rows: Iterable[Mapping[str, Cell]]) -> list[Column]:
    """The columns, those that have nothing to show without a title."""
    held = list(rows)
    return [one if any(row.get(one.key) not in (None, "", []) for row in held) else one._replace(title="") for one in columns]


def ours_map(game: Game) -> Ours:
    """The map, where it isn't the rulebook's."""
    return Ours(ours(game, more=map_sources(game)))

"""What the questions of October War have in common: the position, units and points by name, and how these stand in answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assistant.answers import BadQuestion, Cell, Column, Counter, Ours, Refusal
from assistant.asking import Named
from assistant.attack import Fields, Value, read_answer, unit_fields
from assistant.questions import Input, Told
from assistant.rules.field import Field, Standing
from assistant.rules.kinds import kinds_of, once
from assistant.rules.placed import asked_field, asked_place, asked_units, on_a_map
from assistant.sourced import map_sources, ours
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.position import from_scenario

MOST = 20
"""More units than the limits and exemptions of stacking let into a point (12.1, 12.5)."""
POINT = Input(name="point", about="the point", kind="place", aliases=("at", "place"))
ENEMY = {"arab": "israeli", "israeli": "arab"}


# --- the position -----------------------------------------------------------------------------------------------------


def told_field(game: Game, told: Told) -> Field | None:
    """The pieces on the map, where a position, a scenario or a change of one is told."""
    return asked_field(game, told) if on_a_map(told) else None


def start_field(game: Game) -> Field:
    """The map as the game's scenario begins, where no position is told."""
    return once(game, _start_field)


def _start_field(game: Game) -> Field:
    position = from_scenario(game, next(iter(game.scenarios)))
    kinds = kinds_of(game, position.scenario)
    assert kinds is not None
    return Field(kinds, position)


# --- points and units -------------------------------------------------------------------------------------------------


def asked_point(game: Game, field: Field | None, told: Told, key: str = "point") -> str:
    """The id of a point that is told; nothing where none is."""
    if not told.get(key):
        return ""
    kinds = (field or start_field(game)).kinds
    return str(kinds.places[asked_place(kinds, told[key], key)])


def fought_in(field: Field, point: str) -> str:
    """The terrain of a point where there can be combat."""
    n = field.kinds.number[point]
    terrain, name = str(field.kinds.told(n, "terrain")), field.kinds.title(n)
    if terrain == "reserve_area":
        raise BadQuestion(f"there is no combat in a reserve area (25.5), and {name} is one")
    if terrain in ("lake_crossing", "red_sea_crossing"):
        raise BadQuestion(f"nobody ends a move in {name} (21.6), so nobody fights there; name the point on its shore")
    return terrain


def asked_unit(game: Game, named: Named) -> Unit:
    """One counter that is no marker."""
    if named.id not in game.units:
        raise BadQuestion(f"{game.markers[named.id].name} is a marker; name a unit")
    return game.units[named.id]


def started(game: Game, told: Told) -> tuple[Field, Standing]:
    """The pieces on the map with a unit among them, and the unit where it starts: `from`, or UNIT@POINT."""
    named, field = told["unit"], asked_field(game, told)
    asked_unit(game, named)
    return field, asked_units(field, (named,), told.get("from", ""))[0]


def fighting(game: Game, named: Iterable[Named]) -> list[Fields]:
    """Units that fight on the ground, as the formulas of an attack see them."""
    units = [unit for unit in named for _ in range(unit.count)]
    if len(units) > MOST:
        raise BadQuestion(f"{len(units)} units are more than a point holds: {MOST} at most (12.1, 12.5)")
    found = []
    for unit in units:
        if unit.place or unit.details:
            raise BadQuestion(f"{unit}: tell a unit and its states alone, as in {unit.id}+out_of_supply")
        fields = unit_fields(game, unit.id, unit.states)
        if unit.id not in game.units or fields.get("class") == "strike":
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


def counter(standing: Standing) -> Counter:
    """A unit in an answer."""
    return Counter(standing.key, standing.name)


def filled(columns: Iterable[Column], rows: Iterable[Mapping[str, Cell]]) -> list[Column]:
    """The columns, those that have nothing to show without a title."""
    listed = list(rows)
    return [column if any(row.get(column.key) not in (None, "", []) for row in listed) else column._replace(title="") for column in columns]


def ours_map(game: Game) -> Ours:
    """The map, where it isn't the rulebook's."""
    return Ours(ours(game, more=map_sources(game)))

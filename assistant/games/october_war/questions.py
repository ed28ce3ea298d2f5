"""What the questions of October War have in common: the position and the point, units by name, how these stand in answers."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.attack import AttackValue, Fields, read_answer, unit_fields
from assistant.engine.field import Field
from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of
from assistant.engine.placed_units import no_unit
from assistant.engine.question_field import asked_field, asked_place, on_a_map
from assistant.questions.answer import BadQuestion, Refusal
from assistant.questions.question import Input, Inputs
from assistant.questions.references import UnitRef
from scenarios.model.game import Game
from scenarios.model.memo import cached_on
from scenarios.model.position import from_scenario

MOST = 20
"""More units than the limits and exemptions of stacking let into a point (12.1, 12.5)."""
POINT = Input(name="point", about="the point", kind="place", aliases=("at", "place"))
ENEMY = {"arab": "israeli", "israeli": "arab"}


def start_field(game: Game) -> Field:
    """The map as the game's scenario begins, where no position is told."""
    return cached_on(game, _start_field)


def _start_field(game: Game) -> Field:
    position = from_scenario(game, next(iter(game.scenarios)))
    kinds = map_index_of(game, position.scenario)
    assert kinds is not None
    return make_field(kinds, position)


def asked_ground(game: Game, told: Inputs) -> tuple[Field | None, int | None]:
    """The pieces on the map, where a position, a scenario or a change of one is told; and the point, where one is."""
    field = asked_field(game, told) if on_a_map(told) else None
    point = asked_place((field or start_field(game)).map_index, told["point"], "point") if told.get("point") else None
    return field, point


def fought_in(field: Field, n: int) -> str:
    """The terrain of a point where there can be combat."""
    terrain, name = str(field.map_index.map_value(n, "terrain")), field.map_index.title(n)
    if terrain == "reserve_area":
        raise BadQuestion(f"there is no combat in a reserve area (25.5), and {name} is one")
    if terrain in ("lake_crossing", "red_sea_crossing"):
        raise BadQuestion(f"nobody ends a move in {name} (21.6), so nobody fights there; name the point on its shore")
    return terrain


def fighting(game: Game, named: Iterable[UnitRef]) -> list[Fields]:
    """Units that fight on the ground, as the formulas of an attack see them."""
    units = [unit for unit in named for _ in range(unit.count)]
    if len(units) > MOST:
        raise BadQuestion(f"{len(units)} units are more than a point holds: {MOST} at most (12.1, 12.5)")
    found: list[Fields] = []
    for unit in units:
        if unit.place or unit.details:
            raise BadQuestion(f"{unit}: tell a unit and its states alone, as in {unit.id}+out_of_supply")
        fields = unit_fields(game, unit.id, unit.states)
        if unit.id not in game.units or fields.get("class") == "strike":
            raise BadQuestion(f"{fields.get('name') or 'that'} doesn't fight on the ground (18.8, 24.0)")
        sound(game, fields)
        found.append(fields)
    return found


def sound(game: Game, fields: Fields) -> None:
    """Refusal if a unit shows a side that its counter doesn't have (9.9)."""
    if fields["combined_arms"] and game.units[str(fields["id"])].back_state != "combined_arms":
        raise Refusal(f"{fields['name']} has no combined arms side: only Israeli armored brigades do", "9.9")


def declared(
    game: Game, attack: str, told: Inputs, keys: Iterable[str], field: Field | None, point: int | None
) -> dict[str, AttackValue]:
    """What is told of the inputs of a declared attack, as its formulas take it; the terrain and what rules say are the point's."""
    found: dict[str, AttackValue] = {}
    for key in (key for key in keys if key in told):
        text = ("no", "yes")[told[key]] if isinstance(told[key], bool) else str(told[key])
        found[key] = read_answer(game, key, game.attacks[attack].inputs[key], text)
    if point is None:
        return found
    ground = field or start_field(game)
    if "terrain" not in found:
        found["terrain"] = fought_in(ground, point)
    for key, shape in game.attacks[attack].inputs.items():
        if shape.by_rules is not None and key not in found:
            found[key] = ground.ask(shape.by_rules, no_unit(), to=point)
    return found

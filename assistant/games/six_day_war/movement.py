"""Movement as a question: by land with dice, forced marches and transfers; by air."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from assistant.engine.field import Field
from assistant.engine.movement.reach import Reason, end_failures, reach
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.question_field import asked_place, asked_units
from assistant.engine.questions import answer_moves, refusal
from assistant.games.six_day_war.forces import around, front, limit, terrain, watched
from assistant.games.six_day_war.questions import ON_THE_MAP, asked_field
from assistant.games.six_day_war.turn import prices
from assistant.questions.answer import Answer, Cell, Chance, Node, PlaceList, PlaceRef, Sentence, Value
from assistant.questions.question import Input, Inputs, Question
from scenarios.model.game import Game
from scenarios.reading.shapes import number


def _move(game: Game, told: Inputs) -> Answer:
    """Where a unit can go, or its way `to` a hex; with a `die` thrown, a `forced` march, by `air`, or a `transfer`."""
    field = asked_field(game, told)
    (standing,) = asked_units(field, (told["unit"],))
    transfer = told.get("transfer", False)
    nodes = _flown(field, standing, told) if told.get("air") else _marched(field, standing, told)
    bought = (
        ["airborne_move"] * told.get("air", False)
        + ["forced_march"] * told.get("forced", False)
        + ["transfer_ground_unit"] * transfer
    )
    return Answer("move", game.id, [*nodes, _price(game, bought)])


def _price(game: Game, actions: Sequence[str]) -> Value:
    """What some things cost in reserve points (ZRP table)."""
    price = sum((number(prices(game)[action][0]) for action in actions), Fraction(0))
    return Value(
        "price", price, f"Reserve points for {' and '.join(actions).replace('_', ' ')}", "6.2", for_people=bool(actions)
    )


def _marched(field: Field, standing: PlacedUnit, told: Inputs) -> Sequence[Node]:
    """By land (10)."""
    found = reach(field, standing)
    # Where too many are at the end of the phase it may not stay (11.5), nor where it has to leave the front (6.2).
    stay = end_failures(field, found.walk, found.stepper.mover, standing.place, standing.place, {})
    found = replace(found, forbidden_places={**found.forbidden_places, standing.place: stay}) if stay else found
    nodes = answer_moves(field, [found], told, "move").nodes
    if not told.get("to"):
        return nodes
    to = asked_place(field.map_index, told["to"])
    row: dict[str, Cell] = {
        "place": field.place(to),
        "cost": found.costs[to],
        "may_end": True,
        "stops": to in found.stops,
    }
    row |= {"chance": Chance(found.chance(to)), "path": [field.place(n) for n in found.path(to)]}
    return [*nodes, Value("places", [row], for_people=False)]


def _flown(field: Field, standing: PlacedUnit, told: Inputs) -> Sequence[Node]:
    """By air: an assault from a free hex to anywhere, or an extraction out of an enemy zone to a free hex (20.1 to 20.5)."""
    found = reach(field, standing, "airborne")
    to = asked_place(field.map_index, told["to"], "to") if told.get("to") else None
    why = Reason(found.refusals[0], kind="who") if found.refusals else found.why_not(to) if to is not None else None
    if why is not None:
        raise refusal(found, why, standing.place if to is None else to, "move by air")
    landings = sorted(found.ends - {standing.place}, key=field.map_index.name)
    transfer, extraction = told.get("transfer", False), watched(field, standing.place, standing.side)
    what = "transfer" if transfer else "extraction" if extraction else "assault"
    hot = [n for n in landings if watched(field, n, standing.side)]
    rows: dict[PlaceRef, dict[str, Cell]] = {field.place(n): {"enemy_zone": n in hot} for n in landings}
    nodes: list[Node] = [
        Sentence((standing.ref, f": airborne {what}"), "20.2"),
        Value("unit", standing.ref, for_people=False),
        Value("mission", what, for_people=False),
        Sentence(
            f"{limit(field.game, 'airborne_a_phase')} such move a front in a movement phase, and it moves no further",
            "20.1, 20.2",
        ),
        PlaceList("landings", rows, "Places to land in", list_names=False),
    ]
    if to in hot:
        nodes.append(Sentence((field.place(to), " is in an enemy zone of control: it must attack"), "13.0"))
    forts: dict[PlaceRef, dict[str, Cell]] = {}
    if what == "assault":
        near = dict.fromkeys(
            m
            for n in hot
            for m in around(field, n)
            if field.is_occupied(m, "arab") and front(field, m) == front(field, n)
        )
        forts = {field.place(m): {} for m in near if terrain(field, m) == "fortification"}
    nodes += [Sentence("the first assault on a fortification of the front finds it nullified", "20.5")] if forts else []
    return [
        *nodes,
        PlaceList("surprised", forts, "Fortifications next to landings"),
    ]


MOVE = Question(
    name="move",
    about="where a unit can go, by land or air, and with what chance",
    answer=_move,
    positional=("unit", "to"),
    inputs=(
        Input(name="unit", about="who moves: one, for each moves by itself (10.5)", kind="unit", required=True),
        Input(name="to", about="where to", kind="place"),
        *ON_THE_MAP,
        Input(name="die", about="what was thrown for its points", kind="number", minimum=1, maximum=6),
        Input(name="forced", about="a forced march, for a reserve point", kind="flag"),
        Input(name="air", about="an airborne move, for a reserve point", kind="flag"),
        Input(name="transfer", about="a reserve brigade changes fronts, for reserve points", kind="flag"),
    ),
)

"""Movement as a question: by land with dice, forced marches and transfers; by air."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from assistant.answers import Answer, Cell, Chance, Line, Node, Place, Places, Value
from assistant.games.six_day_war.forces import around, front, limit, terrain, watched
from assistant.games.six_day_war.questions import ON_THE_MAP, asked_field
from assistant.games.six_day_war.turn import prices
from assistant.questions import Input, Question, Told
from assistant.rules.field import Field, Standing
from assistant.rules.movement import Reason, end_failures, reach
from assistant.rules.placed import asked_place, asked_units
from assistant.rules.questions import refusal, walked
from scenarios.game import Game
from scenarios.reading.shapes import number


def _move(game: Game, told: Told) -> Answer:
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
        "price", price, f"Reserve points for {' and '.join(actions).replace('_', ' ')}", "6.2", shown=bool(actions)
    )


def _marched(field: Field, standing: Standing, told: Told) -> Sequence[Node]:
    """By land (10)."""
    found = reach(field, standing)
    # Where too many are at the end of the phase it may not stay (11.5), nor where it has to leave the front (6.2).
    stay = end_failures(field, found.walk, found.stepper.walker, standing.at, standing.at, {})
    found = replace(found, barred={**found.barred, standing.at: stay}) if stay else found
    nodes = walked(field, [found], told, "move").nodes
    if not told.get("to"):
        return nodes
    to = asked_place(field.kinds, told["to"])
    row: dict[str, Cell] = {
        "place": field.place(to),
        "cost": found.costs[to],
        "may_end": True,
        "stops": to in found.stops,
    }
    row |= {"chance": Chance(found.chance(to)), "path": [field.place(n) for n in found.path(to)]}
    return [*nodes, Value("places", [row], shown=False)]


def _flown(field: Field, standing: Standing, told: Told) -> Sequence[Node]:
    """By air: an assault from a free hex to anywhere, or an extraction out of an enemy zone to a free hex (20.1 to 20.5)."""
    found = reach(field, standing, "airborne")
    to = asked_place(field.kinds, told["to"], "to") if told.get("to") else None
    why = Reason(found.refused[0], kind="who") if found.refused else found.why_not(to) if to is not None else None
    if why is not None:
        raise refusal(found, why, standing.at if to is None else to, "move by air")
    landings = sorted(found.ends - {standing.at}, key=field.kinds.name)
    transfer, extraction = told.get("transfer", False), watched(field, standing.at, standing.side)
    what = "transfer" if transfer else "extraction" if extraction else "assault"
    hot = [n for n in landings if watched(field, n, standing.side)]
    rows: dict[Place, dict[str, Cell]] = {field.place(n): {"enemy_zone": n in hot} for n in landings}
    nodes: list[Node] = [
        Line((standing.counter, f": airborne {what}"), "20.2"),
        Value("unit", standing.counter, shown=False),
        Value("mission", what, shown=False),
        Line(
            f"{limit(field.game, 'airborne_a_phase')} such move a front in a movement phase, and it moves no further",
            "20.1, 20.2",
        ),
        Places("landings", rows, "Places to land in", listed=False),
    ]
    if to in hot:
        nodes.append(Line((field.place(to), " is in an enemy zone of control: it must attack"), "13.0"))
    forts: dict[Place, dict[str, Cell]] = {}
    if what == "assault":
        near = dict.fromkeys(
            m for n in hot for m in around(field, n) if field.occupied(m, "arab") and front(field, m) == front(field, n)
        )
        forts = {field.place(m): {} for m in near if terrain(field, m) == "fortification"}
    nodes += [Line("the first assault on a fortification of the front finds it nullified", "20.5")] if forts else []
    return [
        *nodes,
        Places("surprised", forts, "Fortifications next to landings"),
    ]


MOVE = Question(
    name="move",
    about="where a unit can go, by land or air, and with what chance",
    answer=_move,
    bare=("unit", "to"),
    inputs=(
        Input(name="unit", about="who moves: one, for each moves by itself (10.5)", kind="unit", needed=True),
        Input(name="to", about="where to", kind="place"),
        *ON_THE_MAP,
        Input(name="die", about="what was thrown for its points", kind="number", least=1, most=6),
        Input(name="forced", about="a forced march, for a reserve point", kind="flag"),
        Input(name="air", about="an airborne move, for a reserve point", kind="flag"),
        Input(name="transfer", about="a reserve brigade changes fronts, for reserve points", kind="flag"),
    ),
)

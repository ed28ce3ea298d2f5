"""What mobilization points buy, and when refitted units come back (10.0, 11.0)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from assistant.answers import Answer, BadQuestion, Cell, Column, Counter, Line, Node, Ours, Table, Value, chances_of
from assistant.asking import Named
from assistant.games.october_war.mobilization import Plan, cost, in_boxes, plan, refit, refit_wait, returned
from assistant.games.october_war.questions import asked_position
from assistant.questions import ON_A_MAP, TURN, Input, Question, Told
from assistant.shared.sourced import ours
from scenarios.game import Game

NATIONS = ("israel", "egypt", "syria")
RAISED = ("armor_battalion", "mech_battalion")


def _counter(game: Game, unit: str) -> Counter:
    return Counter(unit, game.units[unit].name if unit in game.units else game.markers[unit].name if unit in game.markers else unit)


# --- mobilization -----------------------------------------------------------------------------------------------------


def _mobilization(game: Game, told: Told) -> Answer:
    wishes = [one.id for one in told["wishes"] for _ in range(one.count)]
    shown = any(key in told for key in ("position", "scenario", "put", "gone"))
    boxes = in_boxes(asked_position(game, {key: value for key, value in told.items() if key != "turn"}), told["how"]) if shown else None
    found = plan(
        game, told["nation"], wishes, turn=int(told.get("turn", 2)), kept=int(told.get("kept", 0)),
        mobilized={key: int(told.get(key, 0)) for key in RAISED}, how=told["how"], more=_more(told), boxes=boxes,
    )  # fmt: skip
    bought: list[dict[str, Cell]] = [{"unit": _counter(game, one.unit), "turn": one.turn, "cost": one.cost} for one in found.bought]
    turns: list[dict[str, Cell]] = [
        {"turn": turn, "left": left,
         "bought": ", ".join(f"{_counter(game, one.unit)} ({one.cost or 'free'})" for one in found.bought if one.turn == turn)}
        for turn, left in found.points.items()
    ]  # fmt: skip
    never: list[dict[str, Cell]] = [{"unit": _counter(game, unit), "why": why} for unit, why in found.never]
    columns = [Column("turn", "turn"), Column("left", "points left"), Column("bought", "bought", told=False)]
    return Answer("mobilization", game.id, [
        Table("turns", columns, turns),
        Table("bought", [Column("unit"), Column("turn"), Column("cost")], bought),
        Table("never", [Column("unit", "never"), Column("why", "why not")], never),
        *([] if shown or told["how"] == "refit" else _in_play(game, found)),
        Ours(ours(game, tables=["mobilization_points"])),
    ])  # fmt: skip


def _more(told: Told) -> dict[int, int]:
    """Points by turn, as in 3:+4,4:-3."""
    found = {}
    for turn, points in told.get("more", {}).items():
        try:
            found[int(turn)] = int(points)
        except ValueError:
            raise BadQuestion(f"more: {turn}:{points} should be a turn and points, as in 4:-3") from None
    return found


def _in_play(game: Game, found: Plan) -> Iterator[Node]:
    """What is bought though the set-up puts it on the map: it must have been lost before (10.0, 11.0)."""
    boxes = in_boxes(asked_position(game, {}))
    for unit in dict.fromkeys(one.unit for one in found.bought):
        if sum(one.unit == unit for one in found.bought) > boxes.get(unit, 0):
            left = boxes.get(unit, 0) or "none"
            yield Line((_counter(game, unit), f": in the box at the start: {left}; others once they are lost or used"), "10.0, 11.0")


MOBILIZATION = Question(
    name="mobilization", about="what the points buy, turn by turn (10.0)", answer=_mobilization, bare=("wishes",),
    inputs=(
        Input(name="wishes", about="what to buy, in this order", kind="units", needed=True, example="hq_143,4*armor_battalion"),
        Input(name="nation", about="whose points are spent", kind="choice", choices=NATIONS, default="israel"),
        replace(TURN, about="the first turn to spend in, the second if none is told"),
        Input(name="kept", about="points kept from before", kind="number"),
        Input(name="how", about="what is paid for", kind="choice", choices=("mobilize", "refit"), default="mobilize"),
        Input(name="armor_battalion", about="Israeli armored battalions mobilized so far", kind="number"),
        Input(name="mech_battalion", about="Israeli mechanized battalions mobilized so far", kind="number"),
        Input(name="more", about="points that events give or take, by turn", kind="pairs", values="text", example="3:+4,4:-3"),
        *(one for one in ON_A_MAP if one is not TURN),
    ),
)  # fmt: skip


# --- refit ------------------------------------------------------------------------------------------------------------


def _refit(game: Game, told: Told) -> Answer:
    named: Named | None = told.get("unit")
    price = cost(game, named.id, "refit") if named else None
    side = told.get("side") or (game.units[named.id].side if named and named.id in game.units else "israeli")
    units, turns = int(told["units"]), int(told["turns"])
    back = returned(game, side, units, turns)
    nodes: list[Node] = [Value("unit", _counter(game, named.id), "Unit")] if named else []
    return Answer("refit", game.id, [
        *nodes,
        Value("side", side, shown=False),
        Value("cost", price, "Mobilization points", shown=price is not None),
        chances_of("turns", {"never" if key is None else key: chance for key, chance in refit(game, side).items()},
                   "Turns until it is back (11.4)", {"never": "gone for good"}),
        Value("mean_turns", refit_wait(game, side), "Turns until one that comes back, on average"),
        chances_of("back", dict(sorted(back.items())), f"How many of {units} are back within {turns} turn{'s' * (turns != 1)}"),
    ])  # fmt: skip


REFIT = Question(
    name="refit", about="when refitted units come back (11.4)", answer=_refit, bare=("unit",),
    inputs=(
        Input(name="side", about="whose units", kind="choice", of="side"),
        Input(name="unit", about="a unit, for what its refit costs", kind="unit"),
        Input(name="units", about="how many are refitted now", kind="number", least=1, most=60, default=Fraction(1)),
        Input(name="turns", about="within how many turns they should be back", kind="number", default=Fraction(1)),
    ),
)  # fmt: skip

"""Mobilization and refit: what points buy, and when lost units come back (10.0, 11.0)."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from assistant.assumptions import turn_or, without_notes
from assistant.chances import gather, mean, successes
from assistant.engine.question_field import asked_field, on_a_map
from assistant.games.october_war.questions import start_field
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    CounterRef,
    Node,
    RowTable,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
    chances_of,
)
from assistant.questions.question import ON_ANY_MAP, TURN, Input, Inputs, Question
from assistant.questions.references import UnitRef
from assistant.special_rules import all_effects
from assistant.unofficial import unofficial_addresses
from scenarios.grammar import count_text
from scenarios.model.game import Game
from scenarios.model.position import Position
from scenarios.model.tables import span

CHARTS = {"israel": "mobilization_israeli", "egypt": "mobilization_arab", "syria": "mobilization_arab"}
RAISED = ("armor_battalion", "mech_battalion")
BARRAGE = "barrage_"
"""The markers that are bought like units, with their nation behind it."""


# --- what it costs ----------------------------------------------------------------------------------------------------


class Bought(NamedTuple):
    """A unit, the turn it is bought in, and what it costs; 0 for the free one of 10.6."""

    unit: str
    turn: int
    cost: Fraction


class Plan(NamedTuple):
    """What a list of wishes comes to, bought in its order."""

    bought: list[Bought]
    never: list[tuple[str, str]]
    """What can't be bought, and why."""
    points: Mapping[int, int]
    """The points left after each turn."""


def _nation(game: Game, unit: str) -> str:
    return game.units[unit].nation if unit in game.units else unit.removeprefix(BARRAGE)


def _cost(game: Game, wish: str, how: str) -> Fraction:
    """What a unit costs to `mobilize` or to `refit` (Mobilization Charts); BadQuestion where points don't buy it."""
    nation, unit = _nation(game, wish), game.units.get(wish)
    row = (
        str(start_field(game).fields_of(unit)["chart_line"])
        if unit is not None
        else "barrage"
        if wish.startswith(BARRAGE)
        else wish
    )
    if unit is not None and "large" in unit.abilities:
        raise BadQuestion(f"{unit.name} is built by combining small units only (10.5)")
    if nation not in CHARTS:
        raise BadQuestion(f"allies are neither mobilized nor refitted (10.4, 22.4): {wish}")
    table = game.tables[CHARTS[nation]]
    if row not in table.cells:
        raise BadQuestion(f"{table.title} has no line for {wish}")
    code = table.looked_up(row, how)
    try:
        return Fraction(code)
    except ValueError:
        why = {"set-up": "it comes with the set-up only", "event": "it comes by an event only"}.get(code, "not allowed")
        raise BadQuestion(f"points don't {how} {wish}: {why} ({table.title})") from None


def _wanted(
    game: Game, told: Inputs, boxes: Mapping[str, int] | None
) -> tuple[list[tuple[str, Fraction]], list[tuple[str, str]]]:
    """The wishes that may be bought, with their costs; and the others, with the reason: caps (10.5), and what lies in no box."""
    how, nation = told["how"], told["nation"]
    caps = {unit: int(effect.value) for effect in all_effects(game, "mobilization_cap") for unit in effect.units}
    raised, asked = Count({key: int(told.get(key, 0)) for key in RAISED}), Count[str]()
    wanted: list[tuple[str, Fraction]] = []
    never: list[tuple[str, str]] = []
    for wish in (named.id for named in told["wishes"] for _ in range(named.count)):
        # Barrages and missiles go back to the box with each use (18.9, 24.0).
        used_up = wish not in game.units or "expended" in game.units[wish].abilities
        try:
            price, why = _cost(game, wish, how), ""
        except BadQuestion as error:
            price, why = Fraction(0), str(error)
        if not why and _nation(game, wish) != nation:
            why = f"it isn't {game.nations[nation].adjective} (10.1)"
        elif not why and how == "mobilize" and wish in caps and raised[wish] >= caps[wish]:
            why = f"no more than {caps[wish]} are mobilized (10.5)"
        elif not why and boxes is not None and asked[wish] >= boxes.get(wish, 0) and not used_up:
            where = "for refit (11.1)" if how == "refit" else "for mobilization or refit (10.0, 11.0)"
            why = f"{boxes.get(wish, 0) or 'none'} in the box {where}"
        if why:
            never.append((wish, why))
        else:
            asked[wish], raised[wish] = asked[wish] + 1, raised[wish] + 1
            wanted.append((wish, price))
    return wanted, never


def _plan(game: Game, told: Inputs, boxes: Mapping[str, int] | None) -> Plan:
    """Buy wishes in their order, each as early as the points allow (10.1, 10.2).

    Halves are paid in whole points, two together; no half is kept. From turn 5 one Israeli recon, engineer or commando
    unit a turn is free (10.6). `more` are points that events give or take in a turn (28.0), never below none.
    """
    turn, how, more = turn_or(told, 2), told["how"], _more(told)
    last = game.turns.count if game.turns and game.turns.count else turn
    if not 1 <= turn <= last:
        raise BadQuestion(f"the game has turns 1 to {last}")
    waiting, never = _wanted(game, told, boxes)
    gifts = all_effects(game, "free_mobilization") if how == "mobilize" else []
    bought: list[Bought] = []
    left: dict[int, int] = {}
    points = int(told.get("kept", 0))
    for now in range(turn, last + 1):
        income = int(game.tables["mobilization_points"].looked_up(str(now), told["nation"]))  # 10.1
        points = max(0, points + income + more.get(now, 0))
        free = {unit for effect in gifts if span(effect.turns).holds(Fraction(now)) for unit in effect.units}
        gift = next((i for i, (wish, _) in enumerate(waiting) if wish in free), None)
        if gift is not None:
            bought.append(Bought(waiting.pop(gift)[0], now, Fraction(0)))
        spent = Fraction(0)
        while waiting and ceil(spent + waiting[0][1]) <= points:
            wish, price = waiting.pop(0)
            spent += price
            bought.append(Bought(wish, now, price))
        points -= ceil(spent)
        left[now] = points
    return Plan(bought, [*never, *((wish, "the points don't reach before the game ends") for wish, _ in waiting)], left)


def _more(told: Inputs) -> dict[int, int]:
    """Points by turn, as in 3:+4,4:-3."""
    found = {}
    for turn, points in told.get("more", {}).items():
        try:
            found[int(turn)] = int(points)
        except ValueError:
            raise BadQuestion(f"more: {turn}:{points} should be a turn and points, as in 4:-3") from None
    return found


def _in_boxes(position: Position, how: str = "mobilize") -> Mapping[str, int]:
    """What lies in the boxes that it can be bought from: for refit, and for mobilization too (10.0, 11.0, 11.1)."""
    boxes = ("_refit_available", *(["_mobilization_available"] * (how == "mobilize")))
    return Count(
        piece.unit for piece in position.pieces if str(piece.at).startswith("box:") and str(piece.at).endswith(boxes)
    )


# --- mobilization -----------------------------------------------------------------------------------------------------


def _counter(game: Game, unit: str) -> CounterRef:
    return CounterRef(
        unit, game.units[unit].name if unit in game.units else game.markers[unit].name if unit in game.markers else unit
    )


def _mobilization(game: Game, told: Inputs) -> Answer:
    shown = any(key in told for key in ("position", "scenario", "put", "remove"))
    boxes = _in_boxes(asked_field(game, without_notes(told, "turn")).position, told["how"]) if shown else None
    found = _plan(game, told, boxes)
    bought: list[dict[str, Cell]] = [
        {"unit": _counter(game, buy.unit), "turn": buy.turn, "cost": buy.cost} for buy in found.bought
    ]
    turns: list[dict[str, Cell]] = [
        {
            "turn": turn,
            "left": left,
            "bought": ", ".join(
                f"{_counter(game, buy.unit)} ({buy.cost or 'free'})" for buy in found.bought if buy.turn == turn
            ),
        }
        for turn, left in found.points.items()
    ]
    never: list[dict[str, Cell]] = [{"unit": _counter(game, unit), "why": why} for unit, why in found.never]
    columns = [
        TableColumn("turn", "turn"),
        TableColumn("left", "points left"),
        TableColumn("bought", "bought", for_programs=False),
    ]
    return Answer(
        "mobilization",
        game.id,
        [
            RowTable("turns", columns, turns),
            RowTable("bought", [TableColumn("unit"), TableColumn("turn"), TableColumn("cost")], bought),
            RowTable("never", [TableColumn("unit", "never"), TableColumn("why", "why not")], never),
            *([] if shown or told["how"] == "refit" else _in_play(game, found)),
            Unofficial(unofficial_addresses(game, tables=["mobilization_points"])),
        ],
    )


def _in_play(game: Game, found: Plan) -> Iterator[Node]:
    """What is bought though the set-up puts it on the map: it must have been lost before (10.0, 11.0)."""
    boxes = _in_boxes(asked_field(game, {}).position)
    for unit, many in Count(buy.unit for buy in found.bought).items():
        if many > boxes.get(unit, 0):
            left = boxes.get(unit, 0) or "none"
            yield Sentence(
                (_counter(game, unit), f": in the box at the start: {left}; others once they are lost or used"),
                "10.0, 11.0",
            )


MOBILIZATION = Question(
    name="mobilization",
    on_map=on_a_map,
    about="what the points buy, turn by turn (10.0)",
    answer=_mobilization,
    positional=("wishes",),
    inputs=(
        Input(
            name="wishes",
            about="what to buy, in this order",
            kind="units",
            required=True,
            example="hq_143,4*armor_battalion",
        ),
        Input(
            name="nation",
            about="whose points are spent",
            kind="choice",
            choices=tuple(CHARTS),
            default="israel",
            assumed=True,
        ),
        replace(TURN, about="the first turn to spend in, the second if left out"),
        Input(name="kept", about="points kept from before", kind="number"),
        Input(
            name="how",
            about="what is paid for",
            kind="choice",
            choices=("mobilize", "refit"),
            default="mobilize",
            assumed=True,
        ),
        Input(name="armor_battalion", about="Israeli armored battalions mobilized so far", kind="number"),
        Input(name="mech_battalion", about="Israeli mechanized battalions mobilized so far", kind="number"),
        Input(
            name="more",
            about="points that events give or take, by turn",
            kind="pairs",
            values="text",
            example="3:+4,4:-3",
        ),
        *(shared for shared in ON_ANY_MAP if shared is not TURN),
    ),
)


# --- refit ------------------------------------------------------------------------------------------------------------


def _refit(game: Game, told: Inputs) -> Answer:
    """The chance that a refitted unit is back after so many turns, or gone for good (11.4)."""
    named: UnitRef | None = told.get("unit")
    price = _cost(game, named.id, "refit") if named else None
    side = told.get("side") or (game.units[named.id].side if named and named.id in game.units else "israeli")
    units, turns = int(told["units"]), int(told["turns"])
    table = game.tables["refit_israeli" if side == "israeli" else "refit_arab"]
    chances = gather(table.distribution(0), lambda code: table.results[code].effects.get("turns", "never"))
    back = {int(wait): chance for wait, chance in chances.items() if wait != "never"}
    soon = sum((chance for wait, chance in back.items() if wait <= turns), Fraction(0))
    within = dict.fromkeys(range(units + 1), Fraction(0)) | successes(soon, units)
    nodes: Sequence[Node] = [Value("unit", _counter(game, named.id), "Unit")] if named else []
    return Answer(
        "refit",
        game.id,
        [
            *nodes,
            Value("side", side, for_people=False),
            Value("cost", price, f"Mobilization points{' each' * (units > 1)}", "11.3", for_people=price is not None),
            Value(
                "cost_of_all",
                None if price is None else ceil(price * units),
                f"For all {units}, in whole points",
                "10.2",
                for_people=price is not None and units > 1,
            ),
            chances_of("turns", chances, "Turns until it is back (11.4)", {"never": "gone for good"}),
            Value(
                "mean_turns",
                mean(back, lambda wait: wait) / sum(back.values()),
                "Turns until one that comes back, on average",
            ),
            chances_of("back", within, f"How many of {units} are back within {count_text(turns, 'turn')}"),
        ],
    )


REFIT = Question(
    name="refit",
    about="when refitted units come back (11.4)",
    answer=_refit,
    positional=("unit",),
    inputs=(
        Input(name="side", about="whose units", kind="choice", vocabulary="side"),
        Input(name="unit", about="a unit, for what its refit costs", kind="unit"),
        Input(
            name="units", about="how many are refitted now", kind="number", minimum=1, maximum=60, default=Fraction(1)
        ),
        Input(name="turns", about="within how many turns they should be back", kind="number", default=Fraction(1)),
    ),
)

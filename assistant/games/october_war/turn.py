"""Mobilization and refit: what points buy, and when lost units come back (10.0, 11.0)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb
from typing import NamedTuple

from assistant.answers import Answer, BadQuestion, Cell, Column, Counter, Line, Node, Ours, Table, Value, chances_of
from assistant.asking import Named
from assistant.questions import ON_A_MAP, TURN, Input, Question, Told
from assistant.rules.placed import asked_field
from assistant.sourced import ours
from assistant.specials import all_effects
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.position import Position
from scenarios.reading.findings import instead

# --- what it costs ----------------------------------------------------------------------------------------------------


CHARTS = {"israel": "mobilization_israeli", "egypt": "mobilization_arab", "syria": "mobilization_arab"}


class Bought(NamedTuple):
    """A unit, the turn it is bought in, and what it costs; 0 for the free one of 10.6."""

    unit: str
    turn: int
    cost: Fraction


@dataclass(frozen=True)
class Plan:
    """What a list of wishes comes to, bought in its order."""

    bought: tuple[Bought, ...]
    never: tuple[tuple[str, str], ...]
    """What can't be bought, and why."""
    points: Mapping[int, int]
    """The points left after each turn."""


def cost(game: Game, unit_id: str, how: str = "mobilize") -> Fraction:
    """What a unit costs to `mobilize` or to `refit` (Mobilization Charts); BadQuestion where points don't buy it."""
    if unit_id in game.markers and unit_id.startswith("barrage_"):
        nation, row = unit_id.removeprefix("barrage_"), "barrage"
    elif unit_id in game.units:
        unit = game.units[unit_id]
        nation, row = unit.nation, _row(unit)
        if "large" in unit.abilities:
            raise BadQuestion(f"{unit.name} is built by combining small units only (10.5)")
    else:
        raise BadQuestion(f"no counter is called {unit_id!r}; {instead(unit_id, game.units)}")
    if nation not in CHARTS:
        raise BadQuestion(f"allies are neither mobilized nor refitted (10.4, 22.4): {unit_id}")
    table = game.tables[CHARTS[nation]]
    if row not in table.cells:
        raise BadQuestion(f"{table.title} has no line for {unit_id}")
    code = table.cell(row, table.named_column(how)).code
    try:
        return Fraction(code)
    except ValueError:
        why = {"set-up": "it comes with the set-up only", "event": "it comes by an event only"}.get(code, "not allowed")
        raise BadQuestion(f"points don't {how} {unit_id}: {why} ({table.title})") from None


def _row(unit: Unit) -> str:
    """The line of the chart for a unit."""
    if "guards" in unit.abilities:
        return "guards"
    if unit.side == "arab" and unit.type in ("commando", "paratroop"):
        return "commando_airmobile" if "airmobile" in unit.abilities else "commando_other"
    return unit.type


def income(game: Game, nation: str, turn: int) -> int:
    """A nation's mobilization points of a turn (10.1)."""
    table = game.tables["mobilization_points"]
    if nation not in table.columns.labels:
        raise BadQuestion(f"{nation!r} has no mobilization points; {instead(nation, table.columns.labels)}")
    return int(table.cell(str(turn), table.named_column(nation)).code)


def plan(
    game: Game,
    nation: str,
    wishes: Sequence[str],
    *,
    turn: int = 2,
    kept: int = 0,
    mobilized: Mapping[str, int] | None = None,
    how: str = "mobilize",
    more: Mapping[int, int] | None = None,
    boxes: Mapping[str, int] | None = None,
) -> Plan:
    """Buy wishes in their order, each as early as the points allow (10.1, 10.2).

    Halves are paid in whole points, two together; no half is kept. From turn 5 one Israeli recon, engineer or commando
    unit a turn is free (10.6). `mobilized` counts battalions already raised, for the caps of 10.5; `more` are points that
    events give or take in a turn (28.0), never below none; `boxes` what lies in the boxes to be bought, if known.
    """
    last = game.turns.count if game.turns and game.turns.count else turn
    if not 1 <= turn <= last:
        raise BadQuestion(f"the game has turns 1 to {last}")
    raised = dict(mobilized or {})
    waiting: list[tuple[str, Fraction]] = []
    never: list[tuple[str, str]] = []
    caps = _caps(game)
    asked: dict[str, int] = {}
    for wish in wishes:
        try:
            price = cost(game, wish, how)
        except BadQuestion as error:
            never.append((wish, str(error)))
            continue
        if _nation(game, wish) != nation:
            never.append((wish, f"it is not of {nation}"))
        elif how == "mobilize" and wish in caps and raised.get(wish, 0) >= caps[wish]:
            never.append((wish, f"no more than {caps[wish]} are mobilized (10.5)"))
        elif boxes is not None and asked.get(wish, 0) >= boxes.get(wish, 0) and not _used_up(game, wish):
            where = "for refit (11.1)" if how == "refit" else "for mobilization or refit (10.0, 11.0)"
            never.append((wish, f"{boxes.get(wish, 0) or 'none'} in the box {where}"))
        else:
            asked[wish] = asked.get(wish, 0) + 1
            raised[wish] = raised.get(wish, 0) + 1
            waiting.append((wish, price))
    bought: list[Bought] = []
    left: dict[int, int] = {}
    points = kept
    for now in range(turn, last + 1):
        points = max(0, points + income(game, nation, now) + (more or {}).get(now, 0))
        free = _free(game, now) if how == "mobilize" else frozenset[str]()
        gift = next((i for i, (wish, _) in enumerate(waiting) if wish in free), None)
        if gift is not None:
            bought.append(Bought(waiting.pop(gift)[0], now, Fraction(0)))
        spent = Fraction(0)
        while waiting and -(-(spent + waiting[0][1]) // 1) <= points:
            wish, price = waiting.pop(0)
            spent += price
            bought.append(Bought(wish, now, price))
        points -= int(-(-spent // 1))
        left[now] = points
    never += [(wish, "the points don't reach before the game ends") for wish, _ in waiting]
    return Plan(tuple(bought), tuple(never), left)


def _nation(game: Game, unit: str) -> str:
    return game.units[unit].nation if unit in game.units else unit.removeprefix("barrage_")


def _used_up(game: Game, wish: str) -> bool:
    """Whether it goes back to the box with each use: barrages and missiles (18.9, 24.0)."""
    return wish not in game.units or "expended" in game.units[wish].abilities


def in_boxes(position: Position, how: str = "mobilize") -> dict[str, int]:
    """What lies in the boxes that it can be bought from: for refit, and for mobilization too (10.0, 11.0, 11.1)."""
    boxes = ("_refit_available", *(["_mobilization_available"] * (how == "mobilize")))
    found: dict[str, int] = {}
    for piece in position.pieces:
        if str(piece.at).startswith("box:") and str(piece.at).endswith(boxes):
            found[piece.unit] = found.get(piece.unit, 0) + 1
    return found


def _caps(game: Game) -> dict[str, int]:
    return {unit: int(effect.value) for effect in all_effects(game, "mobilization_cap") for unit in effect.units}


def _free(game: Game, turn: int) -> frozenset[str]:
    found = all_effects(game, "free_mobilization")
    return frozenset(unit for effect in found if turn >= int(effect.turns.rstrip("+") or "1") for unit in effect.units)


def refit(game: Game, side: str) -> dict[int | None, Fraction]:
    """The chance that a refitted unit is back after so many turns; None: gone for good (11.4)."""
    table = game.tables["refit_israeli" if side == "israeli" else "refit_arab"]
    result: dict[int | None, Fraction] = {}
    for code, chance in table.distribution(0).items():
        turns = table.results[code].effects.get("turns")
        key = None if turns is None else int(turns)
        result[key] = result.get(key, Fraction(0)) + chance
    return result


def refit_wait(game: Game, side: str) -> Fraction:
    """How many turns a unit that does come back takes, on average."""
    back = {turns: chance for turns, chance in refit(game, side).items() if turns is not None}
    return sum((turns * chance for turns, chance in back.items()), Fraction(0)) / sum(back.values())


def returned(game: Game, side: str, units: int, turns: int) -> dict[int, Fraction]:
    """How many of so many units, refitted now, are back within so many turns."""
    soon = sum((chance for t, chance in refit(game, side).items() if t is not None and t <= turns), Fraction(0))
    back, all_ = soon.numerator, soon.denominator
    return {n: Fraction(comb(units, n) * back**n * (all_ - back) ** (units - n), all_**units) for n in range(units + 1)}


# --- the questions ----------------------------------------------------------------------------------------------------


NATIONS = ("israel", "egypt", "syria")
RAISED = ("armor_battalion", "mech_battalion")


def _counter(game: Game, unit: str) -> Counter:
    return Counter(unit, game.units[unit].name if unit in game.units else game.markers[unit].name if unit in game.markers else unit)


# --- mobilization -----------------------------------------------------------------------------------------------------


def _mobilization(game: Game, told: Told) -> Answer:
    wishes = [wish.id for wish in told["wishes"] for _ in range(wish.count)]
    shown = any(key in told for key in ("position", "scenario", "put", "gone"))
    boxes = in_boxes(asked_field(game, {**told, "turn": None}).position, told["how"]) if shown else None
    found = plan(
        game, told["nation"], wishes, turn=int(told.get("turn", 2)), kept=int(told.get("kept", 0)),
        mobilized={key: int(told.get(key, 0)) for key in RAISED}, how=told["how"], more=_more(told), boxes=boxes,
    )  # fmt: skip
    bought: list[dict[str, Cell]] = [{"unit": _counter(game, buy.unit), "turn": buy.turn, "cost": buy.cost} for buy in found.bought]
    turns: list[dict[str, Cell]] = [
        {"turn": turn, "left": left,
         "bought": ", ".join(f"{_counter(game, buy.unit)} ({buy.cost or 'free'})" for buy in found.bought if buy.turn == turn)}
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
    boxes = in_boxes(asked_field(game, {}).position)
    for unit in dict.fromkeys(buy.unit for buy in found.bought):
        if sum(buy.unit == unit for buy in found.bought) > boxes.get(unit, 0):
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
        *(shared for shared in ON_A_MAP if shared is not TURN),
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

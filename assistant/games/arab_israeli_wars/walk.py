"""A move as a player plans it, hex by hex, with loading, overruns and other work: what each part costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, NamedTuple

from assistant.attacks import BadQuestion
from assistant.games.arab_israeli_wars.carriers import handling, load_bar, unload_bar
from assistant.games.arab_israeli_wars.ground import CANAL, Ground
from assistant.games.arab_israeli_wars.hazards import Leg, mine_at
from assistant.games.arab_israeli_wars.movement import OVERRUN, affordable, overrun_bar, overruns, ways
from assistant.games.arab_israeli_wars.steps import HALF, ZERO, Mover, Part, Rates, Step, budget
from assistant.games.arab_israeli_wars.traffic import Bar, Traffic, wreckage
from scenarios.hexes import Hex, distance

DeedKind = Literal["load", "unload", "overrun", "clear_mine", "clear_wreck", "smoke"]
DEEDS: tuple[DeedKind, ...] = ("load", "unload", "overrun", "clear_mine", "clear_wreck", "smoke")


class Deed(NamedTuple):
    """Something else than a step that costs points: with which units, or toward which hex."""

    kind: DeedKind
    units: tuple[str, ...] = ()
    hex: Hex | None = None


def read_plan(ground: Ground, words: Iterable[str]) -> tuple[Hex | Deed, ...]:
    """A plan in words: hexes, and deeds such as load:sagger+sagger, unload, unload@A-H-5, overrun@D-R-7, clear_mine."""
    plan: list[Hex | Deed] = []
    for word in words:
        head, at, place = word.partition("@")
        kind, _, units = head.partition(":")
        deed = next((one for one in DEEDS if one == kind), None)
        if deed is None:
            plan.append(ground.hex(word))
        else:
            named = tuple(unit for unit in units.split("+") if unit)
            plan.append(Deed(deed, named, ground.hex(place) if at else None))
    return tuple(plan)


class Spending(NamedTuple):
    """Points spent at once: the unit is in `end` when they are."""

    kind: Literal["move"] | DeedKind
    start: Hex
    end: Hex
    points: Fraction
    total: Fraction
    parts: tuple[Part, ...]
    road: bool = False
    note: str = ""


@dataclass(frozen=True)
class Walk:
    """A legal move, spending by spending."""

    mover: Mover
    """The unit as it began."""
    after: Mover
    """The unit as it ends, with the passengers it has then."""
    points: Fraction
    spendings: tuple[Spending, ...]

    @property
    def spent(self) -> Fraction:
        return self.spendings[-1].total if self.spendings else ZERO

    @property
    def legs(self) -> tuple[Leg, ...]:
        """The spendings as hazards see them."""
        return tuple(Leg(one.start, one.end) for one in self.spendings)


def walk(
    ground: Ground, mover: Mover, here: Traffic, plan: Sequence[Hex | Deed], roads: bool = True
) -> Walk:
    """What a planned move costs; BadQuestion with the rule where it isn't allowed (Basic V).

    The road rate is used wherever it is cheaper, unless `roads` is False or the plan has an overrun (Standard
    II.D.2.d).
    """
    points = budget(mover, here)
    if isinstance(points, Bar):
        raise BadQuestion(f"{mover.unit.name} stays: {points}")
    roads = roads and not any(isinstance(item, Deed) and item.kind == "overrun" for item in plan)
    state = _State(mover, mover.hex, ZERO, 0, False)
    spendings: list[Spending] = []
    for item in plan:
        if state.done:
            raise BadQuestion(f"the move ends in {ground.table.name(state.hex)}: {spendings[-1].note or 'overrun'}")
        rates = Rates(ground, state.mover, here)
        if isinstance(item, Deed):
            state, one = _deed(rates, state, item, points)
        else:
            state, one = _step(rates, state, item, points, roads)
        spendings.append(one)
    return Walk(mover, replace(state.mover, hex=state.hex), points, tuple(spendings))


class _State(NamedTuple):
    mover: Mover
    hex: Hex
    spent: Fraction
    taken: int
    done: bool


def _step(rates: Rates, state: _State, to: Hex, points: Fraction, roads: bool) -> tuple[_State, Spending]:
    table = rates.ground.table
    found = ways(rates, state.hex, to)
    where = f"{table.name(state.hex)} to {table.name(to) if to in table else 'nowhere'}"
    if isinstance(found, Bar):
        raise BadQuestion(f"{where}: {found}")
    paid = [affordable(state.mover, way, state.spent, state.taken, points) for way in found if roads or not way.road]
    legal = [step for step in paid if isinstance(step, Step)]
    if not legal:
        raise BadQuestion(f"{where}: {paid[0] if paid else Bar('only the road leads there', 'Standard II.D.2.d')}")
    step = min(legal, key=lambda one: one.cost)
    total = state.spent + step.cost
    one = Spending("move", state.hex, to, step.cost, total, step.parts, step.road, step.note)
    return _State(state.mover, to, total, state.taken + 1, step.only), one


def _deed(rates: Rates, state: _State, deed: Deed, points: Fraction) -> tuple[_State, Spending]:
    ground, mover, hex = rates.ground, state.mover, state.hex
    after, cost, rule, note, bar = _DOINGS[deed.kind](rates, state, deed)
    name = ground.table.name(hex)
    if bar is None and state.spent + cost > points:
        bar = Bar(f"it takes {cost} points, and {points - state.spent} are left", rule)
    if bar is not None:
        raise BadQuestion(f"{deed.kind.replace('_', ' ')} in {name}: {bar}")
    total = state.spent + cost
    one = Spending(deed.kind, hex, hex, cost, total, (Part(deed.kind.replace("_", " "), cost, rule),), False, note)
    return _State(after or mover, hex, total, state.taken, deed.kind == "overrun"), one


_Doing = tuple[Mover | None, Fraction, str, str, Bar | None]


def _load(rates: Rates, state: _State, deed: Deed) -> _Doing:
    """Basic V.B.7; ferries Advanced IV.B.2.d; missile teams two at a time Advanced II.E.3."""
    mover, origin = state.mover, deed.hex or state.hex
    waiting = [one for one in rates.here.at(origin) if one.side == mover.side and "loaded" not in one.states]
    taken = []
    for wanted in deed.units:
        found = next((one for one in waiting if one.unit.id == wanted and one not in taken), None)
        if found is None:
            missing = f"there is no {wanted} in {rates.ground.table.name(origin)}"
            return None, ZERO, "", "", Bar(missing, "Basic V.B.7.a")
        taken.append(found)
    cost, rule = handling(mover, [one.unit for one in taken])
    bar = load_bar(rates.ground, mover, rates.here, state.hex, taken, origin)
    after = replace(mover, passengers=(*mover.passengers, *taken))
    return after, cost, rule, ", ".join(one.unit.name for one in taken), bar


def _unload(rates: Rates, state: _State, deed: Deed) -> _Doing:
    """Basic V.B.7 and V.B.8; the passenger is a target together with its carrier (Standard II.E.3.h)."""
    mover, to = state.mover, deed.hex or state.hex
    left = list(mover.passengers)
    put = []
    for wanted in deed.units or tuple(one.unit.id for one in left):
        found = next((one for one in left if one.unit.id == wanted), None)
        if found is None:
            return None, ZERO, "", "", Bar(f"it carries no {wanted}", "Basic V.B.5")
        left.remove(found)
        put.append(found)
    if not put:
        return None, ZERO, "", "", Bar("it carries nobody", "Basic V.B.5")
    cost, rule = handling(mover, [one.unit for one in put])
    bar = unload_bar(rates.ground, mover, rates.here, state.hex, put, to)
    return replace(mover, passengers=tuple(left)), cost, rule, ", ".join(one.unit.name for one in put), bar


def _overrun(rates: Rates, state: _State, deed: Deed) -> _Doing:
    """Two points next to the enemy (Standard II.D.1.c)."""
    mover, target = state.mover, deed.hex
    rule = "Standard II.D"
    if target is None or distance(state.hex, target) != 1:
        return None, OVERRUN, rule, "", Bar("say which neighbouring hex is overrun", "Standard II.D.2.b")
    note = rates.ground.table.name(target) if target in rates.ground.table else ""
    if target in overruns(rates, state.hex, OVERRUN):
        return None, OVERRUN, rule, note, None
    if not mover.has("overrun"):
        return None, OVERRUN, rule, note, Bar(f"{mover.unit.name} can't overrun", "Standard II.D.2.a")
    if "inverted" in mover.states:
        return None, OVERRUN, rule, note, Bar("an inverted unit can't overrun", "Standard II.D.2.c, III.A.2")
    bar = overrun_bar(rates, target)
    return None, OVERRUN, rule, note, bar or Bar("no overrun out of this hex", "Standard II.D.3.a, V.H.4")


def _clear_mine(rates: Rates, state: _State, deed: Deed) -> _Doing:
    """A flail pays half its allowance (Standard VII.B.1.b)."""
    bar = None
    if not state.mover.has("flail"):
        bar = Bar("only flails clear mines as they move", "Standard VII.B.1")
    elif not mine_at(rates.ground, state.hex):
        bar = Bar("there is no minefield", "Standard VII.B.1.b")
    return None, state.mover.allowance * HALF, "Standard VII.B.1.b", "", bar


def _clear_wreck(rates: Rates, state: _State, deed: Deed) -> _Doing:
    """A battle tank pays its whole allowance for one wreck (Neutral Counters Chart, note 6)."""
    rule = "Neutral Counters Chart, note 6"
    bar = None
    if state.mover.unit.class_ != "battle_tank":
        bar = Bar("only battle tanks clear wrecks", rule)
    elif not wreckage(rates.ground, state.hex):
        bar = Bar("there is no wreck", rule)
    return None, state.mover.allowance, rule, "", bar


def _smoke(rates: Rates, state: _State, deed: Deed) -> _Doing:
    """Smoke in the unit's own hex takes the whole allowance (Optional II.B.2)."""
    rule = "Optional II.B.2"
    able = state.mover.has("smoke") and rates.ground.kind(state.hex) != CANAL
    return None, state.mover.allowance, rule, "", None if able else Bar("it can't make smoke here", rule)


_DOINGS = {
    "load": _load,
    "unload": _unload,
    "overrun": _overrun,
    "clear_mine": _clear_mine,
    "clear_wreck": _clear_wreck,
    "smoke": _smoke,
}

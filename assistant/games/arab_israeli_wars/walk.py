"""A move as a player plans it, hex by hex, with loading, overruns and other work: what each part costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, NamedTuple

from assistant.attacks import BadQuestion
from assistant.games.arab_israeli_wars.asking import hex_of
from assistant.games.arab_israeli_wars.deeds import BRIDGE, DEEDS, Deed, DeedKind, State, doing
from assistant.games.arab_israeli_wars.ground import Ground
from assistant.games.arab_israeli_wars.hazards import Leg
from assistant.games.arab_israeli_wars.movement import affordable, ways
from assistant.games.arab_israeli_wars.steps import ZERO, Mover, Part, Rates, Step, budget
from assistant.games.arab_israeli_wars.traffic import Bar, Traffic
from scenarios.hexes import Hex
from scenarios.reading.findings import instead


def read_plan(ground: Ground, words: Iterable[str]) -> tuple[Hex | Deed, ...]:
    """A plan in words: hexes, and deeds such as quick, load:sagger+sagger, unload@A-H-5, overrun@D-R-7, clear_mine."""
    plan: list[Hex | Deed] = []
    for word in words:
        head, at, place = word.partition("@")
        kind, _, units = head.partition(":")
        deed = next((one for one in DEEDS if one == kind), None)
        if deed is None:
            plan.append(_place(ground, word))
        else:
            named = tuple(unit for unit in units.split("+") if unit)
            for unit in named:
                if unit not in ground.game.units and unit != BRIDGE:
                    raise BadQuestion(f"no counter is called {unit!r}; {instead(unit, ground.game.units)}")
            plan.append(Deed(deed, named, hex_of(ground, place) if at else None))
    return tuple(plan)


def _place(ground: Ground, word: str) -> Hex:
    """The hex of a word that is no deed; where it is neither, both are told."""
    if "-" not in word:
        raise BadQuestion(f"{word!r} is neither a hex nor anything else to do; {instead(word, DEEDS)} (Basic V.A)")
    return hex_of(ground, word)


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
    state = State(mover, mover.hex, ZERO, 0, False)
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


def _step(rates: Rates, state: State, to: Hex, points: Fraction, roads: bool) -> tuple[State, Spending]:
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
    return State(state.mover, to, total, state.taken + 1, step.only), one


def _deed(rates: Rates, state: State, deed: Deed, points: Fraction) -> tuple[State, Spending]:
    name, word = rates.ground.table.name(state.hex), deed.kind.replace("_", " ")
    cost, rule, bar, note, after, to = doing(rates, state, deed)
    if bar is None and state.spent + cost > points:
        bar = Bar(f"it takes {cost} points, and {points - state.spent} are left", rule)
    if bar is not None:
        raise BadQuestion(f"{word} in {name}: {bar}")
    total, end = state.spent + cost, to or state.hex
    one = Spending(deed.kind, state.hex, end, cost, total, (Part(word, cost, rule),), False, note)
    return State(after or state.mover, end, total, state.taken + (to is not None), deed.kind == "overrun"), one

"""Retreats: what becomes of a beaten unit, where it may go, and what the way does to it."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assistant.rules.amounts import Worked, amount
from assistant.rules.asked import Asked
from assistant.rules.field import Field, Standing
from assistant.rules.movement import Ends, gate_failures, walk_named
from assistant.rules.program import Ready
from assistant.rules.walk import MOST_HARM, SCALE, Price, Stepper, Verdict
from scenarios.rules.shapes import Fate, NoWay, Retreat

LONGEST = 60
"""No retreat is longer than so many steps."""
MOST_STATES = 300_000


@dataclass(frozen=True)
class Way:
    """A way back: its places, the harm on it, and the records that do it; `room` is why its end has none."""

    path: tuple[int, ...]
    harm: int = 0
    harms: tuple[tuple[int, Ready], ...] = ()
    room: tuple[Ready, ...] = ()

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.path[-1]


@dataclass(frozen=True, eq=False)
class Back:
    """What a retreat does to a unit."""

    field: Field
    standing: Standing
    walk: Retreat
    length: Worked
    fate: Fate | None
    """It stays, or is lost, by this record."""
    ways: Mapping[int, tuple[Way, ...]]
    """The ways that are offered, by length."""
    refused: tuple[tuple[int, Ready], ...] = ()
    """The first steps that can't be taken, and why."""
    none: NoWay | None = None
    """What it means that there is no way."""

    @property
    def chance_of_none(self) -> Fraction:
        """The chance that there is no way."""
        return sum((chance for length, chance in self.length.chances.items() if not self.ways.get(int(length))), Fraction(0))


def retreat(field: Field, standing: Standing, result: int = 1, name: str = "", gone: Sequence[Standing] = ()) -> Back:
    """What a retreat of so many hexes does to a unit; `gone` are units that have left their places by then."""
    walk = walk_named(field.program.rules.retreat, name, "retreat")
    assert isinstance(walk, Retreat)
    walker, start = field.walker(standing, walk.as_), standing.at
    told = {"result": result}
    fate = next((one for one in walk.fate if field.holds(one.when, walker, told, to=start)), None)
    length = amount(field, walk.length or walk.allowance, walker, told, start=start)
    if fate is not None:
        return Back(field, standing, walk, length, fate, {})
    barred = gate_failures(field, field.program.ready(walk.who), Asked(field, walker, {"start": start}, told))
    if length.forbidden is not None:
        barred = (*barred, length.forbidden)
    if barred:
        return Back(field, standing, walk, length, None, {}, ((start, barred[0]),), walk.none)
    search = _Search(field, standing, walk, told, gone)
    ways = {int(one): search.ways(min(int(one), LONGEST)) for one in length.chances}
    longest = max(ways)
    return Back(field, standing, walk, length, None, ways, search.refused(longest), walk.none)


class _Search:
    """The ways back of one unit."""

    def __init__(self, field: Field, standing: Standing, walk: Retreat, told: Mapping[str, int], gone: Sequence[Standing]) -> None:
        self.field, self.standing, self.walk, self.told = field, standing, walk, told
        self.walker = field.walker(standing, walk.as_)
        self.start = standing.at
        self.ends = Ends(field, walk, self.walker, self.start, gone)
        gates = field.program.ready(walk.ends)
        self.allows = any(record.effect == "allow" for record in gates.records)

    def stepper(self, length: int) -> Stepper:
        return Stepper(
            self.field, self.field.program.ready(self.walk.steps), self.walker, modes=self.walk.modes, start=self.start,
            more={**self.told, "length": length}, priced=bool(self.walk.allowance),
        )  # fmt: skip

    def refused(self, length: int) -> tuple[tuple[int, Ready], ...]:
        """The steps away from the start that can't be taken, and the records that forbid them."""
        stepper, found = self.stepper(length), []
        for m, step in self.field.kinds.near(self.start):
            verdicts = [verdict for _, verdict in stepper.ways(self.start, m, step, True, "")]
            if verdicts and all(verdict.refused and verdict.rests for verdict in verdicts):
                found.append((m, verdicts[0].rests[0]))
        return tuple(found)

    def ways(self, length: int) -> tuple[Way, ...]:
        """The ways of a length that are offered: one for each end and amount of harm, by the preference of the walk."""
        found: dict[tuple[int, int], Way] = {}
        for state, taken in self._walked(length).items():
            place, harm = state.place, state.harm
            if place == self.start or (place, harm) in found:
                continue
            whole = Fraction(taken) / SCALE
            if not self.allows and whole != length:
                continue
            told = {**self.told, "length": length}
            failures = self.ends.failures(place, whole, told, room=False)
            if failures:
                continue
            room = self.ends.failures(place, whole, told) if self.walk.room != "any" else ()
            found[place, harm] = Way(state.path, harm, state.harms, room)
        ways = list(found.values())
        if self.walk.room == "must":
            ways = [way for way in ways if not way.room]
        elif self.walk.room == "first":
            ways = [way for way in ways if not way.room] or ways
        if self.walk.prefer == "least_harm" and ways:
            least = min(way.harm for way in ways)
            ways = [way for way in ways if way.harm == least]
        return tuple(ways)

    def _walked(self, length: int) -> dict[_State, Price]:
        """Every state within the length: a place, what was taken and the harm; by the first way found there."""
        stepper, near = self.stepper(length), self.field.kinds.near
        limit: Price = length * SCALE
        begin = _State(self.start, 0, "", (self.start,), ())
        best: dict[tuple[int, Price, int, str], _State] = {(self.start, 0, 0, ""): begin}
        queue: list[tuple[Price, int, _State, bool]] = [(0, 0, begin, False)]
        order: dict[_State, Price] = {begin: 0}
        pushed = 0
        while queue and len(best) < MOST_STATES:
            taken, _, here, stopped = heapq.heappop(queue)
            if stopped:
                continue
            for m, step in near(here.place):
                for mode, verdict in stepper.ways(here.place, m, step, len(here.path) == 1, here.mode):
                    cost = limit if verdict.takes_all and len(here.path) == 1 else verdict.cost
                    if cost is None or taken + cost > limit:
                        continue
                    harm = min(MOST_HARM, here.harm + verdict.harm)
                    key = m, taken + cost, harm, mode
                    if key in best:
                        continue
                    state = _State(m, harm, mode, (*here.path, m), (*here.harms, *_harms(m, verdict)))
                    best[key] = state
                    order[state] = taken + cost
                    pushed += 1
                    heapq.heappush(queue, (taken + cost, pushed, state, verdict.stop is not None or verdict.takes_all))
        return order


def _harms(place: int, verdict: Verdict) -> tuple[tuple[int, Ready], ...]:
    return tuple((place, record) for record in verdict.rests if record.effect == "harm") if verdict.harm else ()


@dataclass(frozen=True, eq=False)
class _State:
    """A walker on its way back."""

    place: int
    harm: int
    mode: str
    path: tuple[int, ...]
    harms: tuple[tuple[int, Ready], ...]

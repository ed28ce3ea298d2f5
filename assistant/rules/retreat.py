"""Retreats: what becomes of a beaten unit, where it may go, and what the way does to it."""

from __future__ import annotations

import dataclasses
import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from assistant.rules.amounts import Worked, amount
from assistant.rules.asked import Asked
from assistant.rules.field import Field, Standing, Walker
from assistant.rules.looks import places_where
from assistant.rules.movement import Ends, gate_failures, walk_named
from assistant.rules.program import Ready
from assistant.rules.walk import MOST_HARM, SCALE, Price, Stepper, Verdict
from scenarios.rules.shapes import Aim, Fate, Goal, NoWay, Retreat

LONGEST = 60
"""No retreat is longer than so many steps."""
MOST_STATES = 300_000
STEPS = "steps"
"""Where harm is this, it is steps that are lost: who has none left doesn't arrive, and the others need less room."""


@dataclass(frozen=True)
class Way:
    """A way back: its last state, the harm on it, and why its end has no `room`."""

    state: State
    harm: int = 0
    room: tuple[Ready, ...] = ()

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.state.place

    @cached_property
    def path(self) -> tuple[int, ...]:
        """Its places."""
        return tuple([state.place for state, _ in self._steps])

    @cached_property
    def harms(self) -> tuple[tuple[int, Ready], ...]:
        """Where the harm is done, and by which record."""
        found = ((state.place, verdict) for state, verdict in self._steps if verdict is not None and verdict.harm)
        return tuple((place, record) for place, verdict in found for record in verdict.rests if record.effect == "harm")

    @cached_property
    def _steps(self) -> list[tuple[State, Verdict | None]]:
        return self.state.walked()


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
    toward: Mapping[int, str] = dataclasses.field(default_factory=dict)
    """The goal it makes for, by length; nothing where it goes as it likes."""
    choice: Fate | None = None
    """The record by which it may stay instead."""
    enemy_moves: bool = False
    """Whether the enemy chooses its way."""

    @property
    def stays(self) -> bool:
        """Whether it stays where it fought, or may."""
        return self.choice is not None or bool(self.fate and self.fate.stay)

    @property
    def chance_gone(self) -> Fraction:
        """The chance that it is lost; who may stay stays."""
        return Fraction(0) if self.stays else self.chance_of_loss

    @property
    def harm(self) -> int:
        """The harm that the offered ways do, where no die is thrown for the length."""
        return next((way.harm for ways in self.ways.values() for way in ways), 0)

    @property
    def chance_of_none(self) -> Fraction:
        """The chance that there is no way."""
        return sum(
            (chance for length, chance in self.length.chances.items() if not self.ways.get(int(length))), Fraction(0)
        )

    @property
    def chance_of_loss(self) -> Fraction:
        """The chance that it is lost if it goes: by its fate, or for want of a way."""
        return Fraction(bool(self.fate and self.fate.lost)) if self.fate is not None else self.chance_of_none

    def worn(self, way: Way) -> bool:
        """Whether it arrives by a way with fewer steps than it has whole."""
        return self.walk.harm == STEPS and self.standing.steps - way.harm < self.standing.unit.steps

    @property
    def chance_worn(self) -> Fraction:
        """The chance that it gets away, but not whole."""
        chances = ((self.ways.get(int(length), ()), chance) for length, chance in self.length.chances.items())
        return sum(
            (chance for ways, chance in chances if ways and self.worn(min(ways, key=lambda way: way.harm))), Fraction(0)
        )


def retreat(field: Field, standing: Standing, result: int = 1, name: str = "", gone: Sequence[Standing] = ()) -> Back:
    """What a retreat of so many hexes does to a unit that goes alone; `gone` are units that have left their places by then."""
    back = all_ways(field, standing, result, name, gone)
    return replace(back, ways={length: offered(back.walk, ways) for length, ways in back.ways.items()})


def all_ways(field: Field, standing: Standing, result: int = 1, name: str = "", gone: Sequence[Standing] = ()) -> Back:
    """The same with every way that it may go, whatever the harm."""
    walk = walk_named(field.program.rules.retreat, name, "retreat")
    assert isinstance(walk, Retreat)
    walker, start = field.walker(standing, walk.as_), standing.at
    told = {"result": result}
    fate = choice = fate_of(field, standing, walk, result)
    if fate is not None and fate.may_stay:
        fate = None
    length = amount(field, walk.length or walk.allowance, walker, told, start=start)
    if fate is not None:
        return Back(field, standing, walk, length, fate, {})
    barred = gate_failures(field, field.program.ready(walk.who), Asked(field, walker, {"start": start}, told))
    if length.forbidden is not None:
        barred = (*barred, length.forbidden)
    if barred:
        return Back(field, standing, walk, length, None, {}, ((start, barred[0]),), walk.none)
    search = _Search(field, standing, walk, told, gone)
    goals = [name for name, goal in walk.toward.items() if field.holds(goal.when, walker, told, start=start)] or [""]
    ways: dict[int, tuple[Way, ...]] = {}
    toward: dict[int, str] = {}
    for one in map(int, length.chances):
        found = ((goal, search.ways(min(one, LONGEST), goal)) for goal in goals)
        toward[one], ways[one] = next((pair for pair in found if pair[1]), ("", ()))
    refused = () if all(ways.values()) else search.refused(max(ways))
    enemy = walk.enemy_moves is not None and field.holds(walk.enemy_moves, walker, told, start=start)
    return Back(field, standing, walk, length, None, ways, refused, walk.none, toward, choice, enemy)


def fate_of(field: Field, standing: Standing, walk: Retreat, result: int) -> Fate | None:
    """Whether a unit stays, or is lost, before it walks: the record that says so."""
    walker, start = field.walker(standing, walk.as_), standing.at
    return next(
        (one for one in walk.fate if field.holds(one.when, walker, {"result": result}, to=start, start=start)), None
    )


def barred(back: Back) -> Mapping[int, Ready]:
    """Of a retreat of one place: each place that it might have come to but for a record, and that record."""
    found: dict[int, Ready] = {}
    if back.fate is not None or set(back.ways) != {1} or back.walk.toward:
        return found
    ends = {way.end for way in back.ways[1]}
    search = _Search(back.field, back.standing, back.walk, {"result": 1}, ())
    stepper, near = search.stepper(1), back.field.kinds.near
    free = [state for state in search.walked(1, "").until(SCALE) if not state.taken]
    passed = {state.place for state in free}
    for state in free:
        for m, step in near(state.place):
            if m in passed or m in ends or m in found:
                continue
            verdicts = [
                verdict
                for _, verdict in stepper.ways(state.place, m, step, state.place == back.standing.at, state.mode)
            ]
            failures = search.ends(0, back.standing).failures(m, 1, {"result": 1, "length": 1})
            if all(verdict.refused and verdict.rests for verdict in verdicts):
                found[m] = verdicts[0].rests[0]
            elif failures:
                found[m] = failures[0]
    return found


def offered(walk: Retreat, ways: Sequence[Way]) -> tuple[Way, ...]:
    """The ways among which a unit that goes alone may choose, by the preferences of its walk."""
    if walk.room == "first":
        ways = [way for way in ways if not way.room] or ways
    if walk.prefer == "least_harm" and ways:
        least = min(way.harm for way in ways)
        ways = [way for way in ways if way.harm == least]
    return tuple(ways)


class _Search:
    """The ways back of one unit."""

    def __init__(
        self, field: Field, standing: Standing, walk: Retreat, told: Mapping[str, int], gone: Sequence[Standing]
    ) -> None:
        self.field, self.standing, self.walk, self.told, self.gone = field, standing, walk, told, gone
        self.walker = field.walker(standing, walk.as_)
        self.start = standing.at
        gates = field.program.ready(walk.ends)
        self.allows = any(record.effect == "allow" for record in gates.records)
        self.steps = field.program.ready(walk.steps)
        modes = frozenset[str]().union(*map(field.program.names, walk.modes.values()))
        self.by_length = "length" in self.steps.uses.walker or "length" in modes
        self._ends: dict[int, Ends] = {}
        self._steppers: dict[int, Stepper] = {}

    def stepper(self, length: int) -> Stepper:
        """Who judges the steps; one for all lengths, where no record asks for the length."""
        key = length if self.by_length else 0
        if key not in self._steppers:
            self._steppers[key] = Stepper(
                self.field,
                self.steps,
                self.walker,
                modes=self.walk.modes,
                start=self.start,
                more={**self.told, "length": length},
                priced=bool(self.walk.allowance),
                local=True,
            )
        return self._steppers[key]

    def refused(self, length: int) -> tuple[tuple[int, Ready], ...]:
        """The steps away from the start that can't be taken, and the records that forbid them."""
        stepper, found = self.stepper(length), []
        for m, step in self.field.kinds.near(self.start):
            verdicts = [verdict for _, verdict in stepper.ways(self.start, m, step, True, "")]
            if verdicts and all(verdict.refused and verdict.rests for verdict in verdicts):
                found.append((m, verdicts[0].rests[0]))
        return tuple(found)

    def arriving(self, harm: int) -> Standing | None:
        """The unit as it arrives; None if the harm on its way is its end."""
        if not harm or self.walk.harm != STEPS:
            return self.standing
        return self.field.with_loss(self.standing, harm) if harm < self.standing.steps else None

    def ends(self, harm: int, arriving: Standing) -> Ends:
        if harm not in self._ends:
            walker = self.field.walker(arriving, self.walk.as_)
            self._ends[harm] = Ends(self.field, self.walk, walker, self.start, [*self.gone, self.standing])
        return self._ends[harm]

    def ways(self, length: int, goal: str = "") -> tuple[Way, ...]:
        """The ways of a length that the unit may go, towards a goal if there is one: one for each end and amount of harm.

        Where no end of that length has room, it looks for one further on, as far as its walk says.
        """
        early = self._ended(length, goal, early=True) if self.allows else ()
        for further in range(self.walk.further + 1):
            found = self._ended(length + further, goal)
            if found:
                return (
                    *found,
                    *(way for way in early if (way.end, way.harm) not in {(one.end, one.harm) for one in found}),
                )
        return early

    def _ended(self, length: int, goal: str, *, early: bool = False) -> tuple[Way, ...]:
        """The ways that end after a length, or those that may end before it."""
        found: dict[tuple[int, int], Way] = {}
        told, whole = {**self.told, "length": length}, length * SCALE
        walked = self.walked(length, goal)
        for state in walked.before(whole) if early else walked.at(whole):
            if state.place == self.start or (state.place, state.harm) in found:
                continue
            arriving = self.arriving(state.harm)
            if arriving is None:
                continue
            ends = self.ends(state.harm, arriving)
            taken = Fraction(state.taken, SCALE) if state.taken % SCALE else state.taken // SCALE
            if ends.failures(state.place, taken, told, room=False):
                continue
            room = ends.crowded(state.place) if self.walk.room != "any" and ends.gates.stacking else ()
            if not room or self.walk.room != "must":
                found[state.place, state.harm] = Way(state, state.harm, room)
        return tuple(found.values())

    def walked(self, length: int, goal: str) -> Walked:
        """The states of the walk. Units alike in what the steps ask, in one place, go the same ways."""
        stepper = self.stepper(length)
        own = self.by_length or any(record.takes_all for record in self.steps.records)
        # As much harm as the unit could bear when whole: after losses it finds the same ways, and `arriving` leaves out its end.
        fatal = max(1, self.standing.unit.steps) if self.walk.harm == STEPS else MOST_HARM
        key = id(stepper.memo), self.start, length if own else 0, stepper.looks.get(self.start, 0), goal, fatal
        if key not in self.field.ways:
            toward = Toward(self.field, self.walk.toward[goal], self.walker, self.start) if goal else None
            self.field.ways[key] = Walked(stepper, self.start, toward, fatal, length * SCALE)
        walked: Walked = self.field.ways[key]
        return walked


class State:
    """A walker on its way back: where it is, what it took, the harm so far, and the goals (bits) it may be making for."""

    __slots__ = ("before", "goals", "harm", "mode", "place", "taken")

    def __init__(self, place: int, taken: Price, harm: int, mode: str, goals: int) -> None:
        self.place, self.taken, self.harm, self.mode, self.goals = place, taken, harm, mode, goals
        self.before: list[tuple[State, int, int, Verdict]] = []
        """The states before it, each with the goals that its step leads to, the goal reached there if it changed, and the verdict."""

    def walked(self) -> list[tuple[State, Verdict | None]]:
        """One way here, state by state, with the verdict on the step that led to each."""
        way: list[tuple[State, Verdict | None]] = []
        state, goals = self, self.goals
        while state.before:
            before, led, reached, verdict = next(step for step in state.before if step[1] & goals)
            way.append((state, verdict))
            state, goals = before, reached or led & goals
        return [*way, (state, None)][::-1]


class Walked:
    """The states of a walk back, found as far as they are asked for."""

    def __init__(self, stepper: Stepper, start: int, toward: Toward | None, fatal: int, whole: Price) -> None:
        self.stepper, self.start, self.toward, self.fatal, self.whole = stepper, start, toward, fatal, whole
        begin = State(start, 0, 0, "", toward.begin if toward is not None else 1)
        self._known: dict[tuple[int, Price, int, str], State] = {(start, 0, 0, ""): begin}
        self._taken: dict[Price, list[State]] = {0: [begin]}
        self._queue: list[tuple[Price, int, State]] = [(0, 0, begin)]
        self._number = 0

    def until(self, limit: Price) -> list[State]:
        """Every state within a limit, in the order in which they were found."""
        self._search(limit)
        return [state for state in self._known.values() if state.taken <= limit]

    def at(self, taken: Price) -> list[State]:
        """The states that take so much."""
        self._search(taken)
        return self._taken.get(taken, [])

    def before(self, taken: Price) -> Iterator[State]:
        """The states that take less, in the order in which they were found."""
        self._search(taken)
        return (state for state in self._known.values() if state.taken < taken)

    def _search(self, limit: Price) -> None:
        while self._queue and self._queue[0][0] < limit and len(self._known) < MOST_STATES:
            self._onward(heapq.heappop(self._queue)[2])

    def _onward(self, here: State) -> None:
        place, first, toward = here.place, not here.before, self.toward
        for m, step in self.stepper.kinds.near(place):
            led = ((1, 0),) if toward is None else toward.onward(place, m, here.goals)
            if not led:
                continue
            for mode, verdict in self.stepper.ways(place, m, step, first, here.mode):
                cost = self.whole if verdict.takes_all and first else verdict.cost
                harm = min(MOST_HARM, here.harm + verdict.harm)
                if cost is None or harm >= self.fatal:
                    continue
                key = m, here.taken + cost, harm, mode
                state = self._known.get(key) or self._new(key)
                for goals, reached in led:
                    if new := goals & ~state.goals:
                        self._led(here, state, new, reached, verdict)

    def _new(self, key: tuple[int, Price, int, str]) -> State:
        state = self._known[key] = State(*key, 0)
        self._taken.setdefault(key[1], []).append(state)
        return state

    def _led(self, here: State, state: State, new: int, reached: int, verdict: Verdict) -> None:
        """A step has led to goals that this state didn't make for yet."""
        state.goals |= new
        state.before.append((here, new, reached, verdict))
        if verdict.stop is None and not verdict.takes_all:
            self._number += 1
            heapq.heappush(self._queue, (state.taken, self._number, state))


class Toward:
    """A goal of a retreat: which steps lead there. Each place that a unit may make for is a bit; 1 where it needn't choose one."""

    def __init__(self, field: Field, goal: Goal, walker: Walker, start: int) -> None:
        self.field, self.goal, self.walker, self.start = field, goal, walker, start
        self.places = places_where(field, goal.one, walker) if goal.one is not None else ()
        self.bits = {place: 1 << number for number, place in enumerate(self.places)}
        self.begin = sum(bit for place, bit in self.bits.items() if place != start) if goal.one is not None else 1
        self.nearer = field.kinds.nearer(self.places)
        self._aims = [(aim, places_where(field, aim.nearest or aim.any, walker)) for aim in goal.aims]
        self._served: dict[tuple[int, int], bool] = {}
        self._open: dict[int, list[tuple[Aim, tuple[int, ...]]]] = {}

    def onward(self, n: int, m: int, goals: int) -> tuple[tuple[int, int], ...]:
        """The goals that a step leads to; who has reached one (the second number) may make for any other."""
        if self.goal.one is not None:
            nearer, reached = self.nearer(n, m), goals & self.bits.get(n, 0)
            kept = ((nearer & goals, 0),) if nearer & goals else ()
            return (*kept, (nearer, reached)) if reached and nearer else kept
        if (n, m) not in self._served:
            self._served[n, m] = any(self._serves(aim, places, n, m) for aim, places in self._aims_from(n))
        return ((1, 0),) if self._served[n, m] else ()

    def _aims_from(self, n: int) -> list[tuple[Aim, tuple[int, ...]]]:
        if n not in self._open:
            places = {"from": n, "start": self.start}
            self._open[n] = [pair for pair in self._aims if self.field.holds(pair[0].when, self.walker, None, **places)]
        return self._open[n]

    def _serves(self, aim: Aim, places: tuple[int, ...], n: int, m: int) -> bool:
        kinds = self.field.kinds
        if aim.nearest is not None:
            return kinds.nearest(places, m) < kinds.nearest(places, n)
        return kinds.nearer(places)(n, m) != 0

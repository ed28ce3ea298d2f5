"""Retreats: the outcome for a defeated unit, where it may retreat to, and the harm on its path."""

from __future__ import annotations

import dataclasses
import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from assistant.engine.field import Field
from assistant.engine.movement.amounts import EvaluatedAmount, amount
from assistant.engine.movement.reach import EndCheck, gate_failures, walk_named
from assistant.engine.movement.walk import MOST_HARM, SCALE, Price, StepEvaluator, StepResult
from assistant.engine.placed_units import Mover, PlacedUnit
from assistant.engine.program import CompiledRecord
from assistant.engine.signatures import places_where
from scenarios.model.memo import cached_on
from scenarios.rules.shapes import Aim, Fate, Goal, NoWay, Retreat

LONGEST = 60
"""The longest retreat, in steps of the path."""
MOST_STATES = 300_000
STEPS = "steps"
"""The kind of harm that costs steps: a unit without steps doesn't arrive, and the others need less room."""


@dataclass(frozen=True)
class RetreatPath:
    """A retreat path: its last state, the harm on it, and why its end has no `room`."""

    state: RetreatState
    harm: int = 0
    room: tuple[CompiledRecord, ...] = ()

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.state.place

    @cached_property
    def path(self) -> tuple[int, ...]:
        """Its places."""
        return tuple([state.place for state, _ in self._steps])

    @cached_property
    def harms(self) -> tuple[tuple[int, CompiledRecord], ...]:
        """Where the harm is done, and the record that does it."""
        harm_steps = ((state.place, verdict) for state, verdict in self._steps if verdict is not None and verdict.harm)
        return tuple(
            (place, record) for place, verdict in harm_steps for record in verdict.rests if record.effect == "harm"
        )

    @cached_property
    def _steps(self) -> list[tuple[RetreatState, StepResult | None]]:
        return self.state.trace_back()


@dataclass(frozen=True, eq=False)
class RetreatPaths:
    """What a retreat does to a unit."""

    field: Field
    unit: PlacedUnit
    walk: Retreat
    length: EvaluatedAmount
    fate: Fate | None
    """The record by which it stays or is eliminated."""
    ways: Mapping[int, tuple[RetreatPath, ...]]
    """The offered paths, by length."""
    refused_steps: tuple[tuple[int, CompiledRecord], ...] = ()
    """The first steps that aren't allowed, and why."""
    no_way: NoWay | None = None
    """What happens if there is no path."""
    toward: Mapping[int, str] = dataclasses.field(default_factory=dict)
    """The goal of the retreat, by length; empty where the direction is free."""
    choice: Fate | None = None
    """The record by which it may stay instead."""
    enemy_moves: bool = False
    """Whether the enemy chooses its path."""

    @property
    def stays(self) -> bool:
        """Whether it stays or may stay where it fought."""
        return self.choice is not None or bool(self.fate and self.fate.stay)

    @property
    def chance_gone(self) -> Fraction:
        """The chance that it is eliminated; a unit that may stay does stay."""
        return Fraction(0) if self.stays else self.chance_of_loss

    @property
    def harm(self) -> int:
        """The harm of the offered paths, where no die decides the length."""
        return next((way.harm for ways in self.ways.values() for way in ways), 0)

    @property
    def chance_of_none(self) -> Fraction:
        """The chance that there is no path."""
        return sum(
            (chance for length, chance in self.length.chances.items() if not self.ways.get(int(length))), Fraction(0)
        )

    @property
    def chance_of_loss(self) -> Fraction:
        """The chance that it is eliminated if it retreats: by a record, or because there is no path."""
        return Fraction(bool(self.fate and self.fate.lost)) if self.fate is not None else self.chance_of_none

    @property
    def harm_title(self) -> str:
        """What a path costs a unit, as a heading: steps lost, attacks by mines."""
        return "steps lost" if self.walk.harm == STEPS else self.walk.harm or "losses"

    def is_reduced_by(self, way: RetreatPath) -> bool:
        """Whether it arrives by a path with fewer steps than at full strength."""
        return self.walk.harm == STEPS and self.unit.steps - way.harm < self.unit.counter.steps

    @property
    def chance_worn(self) -> Fraction:
        """The chance that it survives and is reduced then, by this retreat or before."""
        chances = ((self.ways.get(int(length), ()), chance) for length, chance in self.length.chances.items())
        return sum(
            (chance for ways, chance in chances if ways and self.is_reduced_by(min(ways, key=lambda way: way.harm))),
            Fraction(0),
        )


def retreat(
    field: Field, unit: PlacedUnit, result: int = 1, name: str = "", absent_units: Sequence[PlacedUnit] = ()
) -> RetreatPaths:
    """Return what a retreat of so many hexes does to a unit that retreats alone. `absent_units` have left their
    places by then."""
    retreat_result = all_ways(field, unit, result, name, absent_units)
    return replace(
        retreat_result,
        ways={length: preferred_ways(retreat_result.walk, ways) for length, ways in retreat_result.ways.items()},
    )


def all_ways(
    field: Field, unit: PlacedUnit, result: int = 1, name: str = "", absent_units: Sequence[PlacedUnit] = ()
) -> RetreatPaths:
    """Return the same with every allowed path, whatever the harm."""
    walk = walk_named(field.program.rules.retreat, name, "retreat")
    assert isinstance(walk, Retreat)
    mover, start = field.mover(unit, walk.as_), unit.place
    extra_values = {"result": result}
    fate = choice = fate_of(field, unit, walk, result)
    if fate is not None and fate.may_stay:
        fate = None
    length = amount(field, walk.length or walk.allowance, mover, extra_values, start=start)
    if fate is not None:
        return RetreatPaths(field, unit, walk, length, fate, {})
    refusals = gate_failures(field, field.program.ready(walk.who), field.scope(mover, {"start": start}, extra_values))
    if length.forbidden is not None:
        refusals = (*refusals, length.forbidden)
    if refusals:
        return RetreatPaths(field, unit, walk, length, None, {}, ((start, refusals[0]),), walk.no_path)
    search = _Search(field, unit, walk, extra_values, absent_units)
    goals = [
        name for name, goal in walk.toward.items() if field.holds(goal.when, mover, extra_values, start=start)
    ] or [""]
    ways: dict[int, tuple[RetreatPath, ...]] = {}
    toward: dict[int, str] = {}
    for hex_count in map(int, length.chances):
        goal_ways = ((goal, search.ways(min(hex_count, LONGEST), goal)) for goal in goals)
        toward[hex_count], ways[hex_count] = next((pair for pair in goal_ways if pair[1]), ("", ()))
    refused_steps = () if all(ways.values()) else search.refused_steps(max(ways))
    enemy = walk.enemy_moves is not None and field.holds(walk.enemy_moves, mover, extra_values, start=start)
    return RetreatPaths(field, unit, walk, length, None, ways, refused_steps, walk.no_path, toward, choice, enemy)


def fate_of(field: Field, unit: PlacedUnit, walk: Retreat, result: int) -> Fate | None:
    """Return the record by which a unit stays or is eliminated before it moves."""
    mover, start = field.mover(unit, walk.as_), unit.place
    return next(
        (fate for fate in walk.outcomes if field.holds(fate.when, mover, {"result": result}, to=start, start=start)),
        None,
    )


def forbidden_places(retreat_result: RetreatPaths) -> Mapping[int, CompiledRecord]:
    """Return, for a retreat of one place, the places that only a record forbids, each with that record."""
    record_by_place: dict[int, CompiledRecord] = {}
    if retreat_result.fate is not None or set(retreat_result.ways) != {1} or retreat_result.walk.toward:
        return record_by_place
    ends = {way.end for way in retreat_result.ways[1]}
    search = _Search(retreat_result.field, retreat_result.unit, retreat_result.walk, {"result": 1}, ())
    evaluator, neighbours_of = search.stepper(1), retreat_result.field.map_index.neighbours
    free = [state for state in search.run_walk(1, "").until(SCALE) if not state.distance]
    free_places = {state.place for state in free}
    for state in free:
        for m, step in neighbours_of(state.place):
            if m in free_places or m in ends or m in record_by_place:
                continue
            verdicts = [
                verdict
                for _, verdict in evaluator.ways(
                    state.place, m, step, state.place == retreat_result.unit.place, state.mode
                )
            ]
            failures = search.ends(0, retreat_result.unit).failures(m, 1, {"result": 1, "length": 1})
            if all(verdict.is_refused and verdict.rests for verdict in verdicts):
                record_by_place[m] = verdicts[0].rests[0]
            elif failures:
                record_by_place[m] = failures[0]
    return record_by_place


def preferred_ways(walk: Retreat, ways: Sequence[RetreatPath]) -> tuple[RetreatPath, ...]:
    """Return the paths among which a unit that retreats alone may choose, by the preferences of its walk."""
    if walk.room == "first":
        ways = [way for way in ways if not way.room] or ways
    if walk.prefer == "least_harm" and ways:
        min_harm = min(way.harm for way in ways)
        ways = [way for way in ways if way.harm == min_harm]
    return tuple(ways)


class _Search:
    """The retreat paths of one unit."""

    def __init__(
        self,
        field: Field,
        unit: PlacedUnit,
        walk: Retreat,
        values: Mapping[str, int],
        absent_units: Sequence[PlacedUnit],
    ) -> None:
        self.field, self.unit, self.walk, self.inputs, self.eliminated = field, unit, walk, values, absent_units
        self.mover = field.mover(unit, walk.as_)
        self.start = unit.place
        gates = field.program.ready(walk.ends)
        self.allows = any(record.effect == "allow" for record in gates.records)
        self.steps = field.program.ready(walk.steps)
        modes = frozenset[str]().union(*map(field.program.names, walk.modes.values()))
        self.by_length = "length" in self.steps.uses.mover or "length" in modes
        self._ends: dict[int, EndCheck] = {}
        self._steppers: dict[int, StepEvaluator] = {}

    def stepper(self, length: int) -> StepEvaluator:
        """Return the evaluator of the steps; one for all lengths, where no record asks for the length."""
        key = length if self.by_length else 0
        if key not in self._steppers:
            self._steppers[key] = StepEvaluator(
                self.field,
                self.steps,
                self.mover,
                modes=self.walk.modes,
                start=self.start,
                extra_values={**self.inputs, "length": length},
                needs_price=bool(self.walk.allowance),
                local=True,
            )
        return self._steppers[key]

    def refused_steps(self, length: int) -> tuple[tuple[int, CompiledRecord], ...]:
        """Return the first steps that aren't allowed, and the records that forbid them."""
        evaluator, refusals = self.stepper(length), []
        for m, step in self.field.map_index.neighbours(self.start):
            verdicts = [verdict for _, verdict in evaluator.ways(self.start, m, step, True, "")]
            if verdicts and all(verdict.is_refused and verdict.rests for verdict in verdicts):
                refusals.append((m, verdicts[0].rests[0]))
        return tuple(refusals)

    def arriving(self, harm: int) -> PlacedUnit | None:
        """Return the unit as it arrives; None if the harm on its path eliminates it."""
        if not harm or self.walk.harm != STEPS:
            return self.unit
        return self.field.with_loss(self.unit, harm) if harm < self.unit.steps else None

    def ends(self, harm: int, arriving: PlacedUnit) -> EndCheck:
        if harm not in self._ends:
            mover = self.field.mover(arriving, self.walk.as_)
            self._ends[harm] = EndCheck(self.field, self.walk, mover, self.start, [*self.eliminated, self.unit])
        return self._ends[harm]

    def ways(self, length: int, goal: str = "") -> tuple[RetreatPath, ...]:
        """Return the allowed paths of a length, toward a goal if there is one: one for each end and amount of harm.

        Where no end of that length has room, the unit looks for an end further on, as far as its walk says.
        """
        early_ways = self._ways_ending(length, goal, is_early=True) if self.allows else ()
        for further in range(self.walk.further + 1):
            exact_ways = self._ways_ending(length + further, goal)
            if exact_ways:
                return (
                    *exact_ways,
                    *(
                        way
                        for way in early_ways
                        if (way.end, way.harm) not in {(other_way.end, other_way.harm) for other_way in exact_ways}
                    ),
                )
        return early_ways

    def _ways_ending(self, length: int, goal: str, *, is_early: bool = False) -> tuple[RetreatPath, ...]:
        """Return the paths that end after a length, or those that may end before it."""
        way_by_end: dict[tuple[int, int], RetreatPath] = {}
        values, target_cost = {**self.inputs, "length": length}, length * SCALE
        state_search = self.run_walk(length, goal)
        for state in state_search.states_before(target_cost) if is_early else state_search.states_at(target_cost):
            if state.place == self.start or (state.place, state.harm) in way_by_end:
                continue
            arriving = self.arriving(state.harm)
            if arriving is None:
                continue
            ends = self.ends(state.harm, arriving)
            points_spent = Fraction(state.distance, SCALE) if state.distance % SCALE else state.distance // SCALE
            if ends.failures(state.place, points_spent, values, room=False):
                continue
            room = ends.stacking_violations(state.place) if self.walk.room != "any" and ends.gates.stacking else ()
            if not room or self.walk.room != "must":
                way_by_end[state.place, state.harm] = RetreatPath(state, state.harm, room)
        return tuple(way_by_end.values())

    def run_walk(self, length: int, goal: str) -> WalkStates:
        """Return the states of the walk. Units in one place with equal values for what the steps ask take the same
        paths."""
        evaluator = self.stepper(length)
        is_per_length = self.by_length or any(record.takes_all for record in self.steps.records)
        # The limit is the harm that a unit of full strength bears. After losses it finds the same paths, and `arriving`
        # leaves out its elimination.
        fatal = max(1, self.unit.counter.steps) if self.walk.harm == STEPS else MOST_HARM
        key = (
            id(evaluator.memo),
            self.start,
            length if is_per_length else 0,
            evaluator.looks.get(self.start, 0),
            goal,
            fatal,
        )
        searches = cached_on(self.field, _searches)
        if key not in searches:
            toward = GoalSearch(self.field, self.walk.toward[goal], self.mover, self.start) if goal else None
            searches[key] = WalkStates(evaluator, self.start, toward, fatal, length * SCALE)
        return searches[key]


def _searches(field: Field) -> dict[tuple[object, ...], WalkStates]:
    """The retreat searches of a field, which `RetreatSearch.run_walk` fills."""
    return {}


class RetreatState:
    """A retreating unit: its place, the length so far, the harm so far, and the goals (bits) that it may retreat
    toward."""

    __slots__ = ("distance", "goals", "harm", "mode", "place", "predecessors")

    def __init__(self, place: int, cost: Price, harm: int, mode: str, goals: int) -> None:
        self.place, self.distance, self.harm, self.mode, self.goals = place, cost, harm, mode, goals
        self.predecessors: list[tuple[RetreatState, int, int, StepResult]] = []
        """The states before it, each with the goals that its step leads to, the goal reached there if it changed,
        and the step result."""

    def trace_back(self) -> list[tuple[RetreatState, StepResult | None]]:
        """Return one path to this state, state by state, with the result of the step to each."""
        way: list[tuple[RetreatState, StepResult | None]] = []
        state, goals = self, self.goals
        while state.predecessors:
            previous_state, step_goals, reached_goal, verdict = next(
                step for step in state.predecessors if step[1] & goals
            )
            way.append((state, verdict))
            state, goals = previous_state, reached_goal or step_goals & goals
        return [*way, (state, None)][::-1]


class WalkStates:
    """The states of a retreat, computed on demand."""

    def __init__(
        self, evaluator: StepEvaluator, start: int, toward: GoalSearch | None, fatal: int, full_cost: Price
    ) -> None:
        self.stepper, self.start, self.toward, self.fatal, self.is_complete = evaluator, start, toward, fatal, full_cost
        begin = RetreatState(start, 0, 0, "", toward.begin if toward is not None else 1)
        self._states: dict[tuple[int, Price, int, str], RetreatState] = {(start, 0, 0, ""): begin}
        self._by_distance: dict[Price, list[RetreatState]] = {0: [begin]}
        self._queue: list[tuple[Price, int, RetreatState]] = [(0, 0, begin)]
        self._number = 0

    def until(self, limit: Price) -> list[RetreatState]:
        """Return every state within a limit, in the order of discovery."""
        self._search(limit)
        return [state for state in self._states.values() if state.distance <= limit]

    def states_at(self, cost: Price) -> list[RetreatState]:
        """Return the states of this length."""
        self._search(cost)
        return self._by_distance.get(cost, [])

    def states_before(self, cost: Price) -> Iterator[RetreatState]:
        """Yield the shorter states, in the order of discovery."""
        self._search(cost)
        return (state for state in self._states.values() if state.distance < cost)

    def _search(self, limit: Price) -> None:
        while self._queue and self._queue[0][0] < limit and len(self._states) < MOST_STATES:
            self._onward(heapq.heappop(self._queue)[2])

    def _onward(self, origin: RetreatState) -> None:
        place, first, toward = origin.place, not origin.predecessors, self.toward
        for m, step in self.stepper.map_index.neighbours(place):
            goal_steps = ((1, 0),) if toward is None else toward.onward(place, m, origin.goals)
            if not goal_steps:
                continue
            for mode, verdict in self.stepper.ways(place, m, step, first, origin.mode):
                cost = self.is_complete if verdict.takes_all and first else verdict.cost
                harm = min(MOST_HARM, origin.harm + verdict.harm)
                if cost is None or harm >= self.fatal:
                    continue
                key = m, origin.distance + cost, harm, mode
                state = self._states.get(key) or self._new(key)
                for goals, reached_goal in goal_steps:
                    if new := goals & ~state.goals:
                        self._add_goals(origin, state, new, reached_goal, verdict)

    def _new(self, key: tuple[int, Price, int, str]) -> RetreatState:
        state = self._states[key] = RetreatState(*key, 0)
        self._by_distance.setdefault(key[1], []).append(state)
        return state

    def _add_goals(
        self, origin: RetreatState, state: RetreatState, new: int, reached_goal: int, verdict: StepResult
    ) -> None:
        """Record that a step leads to goals that this state didn't have yet."""
        state.goals |= new
        state.predecessors.append((origin, new, reached_goal, verdict))
        if verdict.stop is None and not verdict.takes_all:
            self._number += 1
            heapq.heappush(self._queue, (state.distance, self._number, state))


class GoalSearch:
    """A goal of a retreat, and the steps that lead to it. Each place that a unit may retreat toward is a bit; 1
    where it needs no goal."""

    def __init__(self, field: Field, goal: Goal, mover: Mover, start: int) -> None:
        self.field, self.goal, self.mover, self.start = field, goal, mover, start
        self.places = places_where(field, goal.places, mover) if goal.places is not None else ()
        self.bits = {place: 1 << number for number, place in enumerate(self.places)}
        self.begin = sum(bit for place, bit in self.bits.items() if place != start) if goal.places is not None else 1
        self.nearer = field.map_index.nearer(self.places)
        self._aims = [(aim, places_where(field, aim.nearest or aim.any, mover)) for aim in goal.aims]
        self._served_memo: dict[tuple[int, int], bool] = {}
        self._open: dict[int, list[tuple[Aim, tuple[int, ...]]]] = {}

    def onward(self, n: int, m: int, goals: int) -> tuple[tuple[int, int], ...]:
        """Return the goals that a step leads to. A unit that has reached a goal (the second number) may choose any
        other."""
        if self.goal.places is not None:
            nearer, reached_goal = self.nearer(n, m), goals & self.bits.get(n, 0)
            same_goal_step = ((nearer & goals, 0),) if nearer & goals else ()
            return (*same_goal_step, (nearer, reached_goal)) if reached_goal and nearer else same_goal_step
        if (n, m) not in self._served_memo:
            self._served_memo[n, m] = any(self._serves(aim, places, n, m) for aim, places in self._aims_from(n))
        return ((1, 0),) if self._served_memo[n, m] else ()

    def _aims_from(self, n: int) -> list[tuple[Aim, tuple[int, ...]]]:
        if n not in self._open:
            places = {"from": n, "start": self.start}
            self._open[n] = [pair for pair in self._aims if self.field.holds(pair[0].when, self.mover, None, **places)]
        return self._open[n]

    def _serves(self, aim: Aim, places: tuple[int, ...], n: int, m: int) -> bool:
        map_index = self.field.map_index
        if aim.nearest is not None:
            return map_index.nearest(places, m) < map_index.nearest(places, n)
        return map_index.nearer(places)(n, m) != 0

"""Movement: where a unit can move, at what cost, where it must stop, where it may end; and why it can't get
somewhere."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from assistant.engine.field import Field
from assistant.engine.movement.amounts import EvaluatedAmount, amount
from assistant.engine.movement.walk import (
    MOST_COST,
    SCALE,
    FewestRefusals,
    PathTree,
    Price,
    StepEvaluator,
    StepResult,
    evaluate_records,
    search,
)
from assistant.engine.placed_units import Mover, PlacedUnit
from assistant.engine.program import CompiledList, CompiledRecord
from assistant.engine.scope import Scope, TableCell
from assistant.engine.signatures import look
from assistant.engine.stacking import failures
from assistant.questions.answer import BadQuestion
from scenarios.expressions import EvaluationError
from scenarios.grammar import count_text, number_text
from scenarios.reading.findings import suggest
from scenarios.rules.shapes import Walk


class Leg(NamedTuple):
    """A place on a path, the cost of the step to it, and the records that set the cost."""

    place: int
    cost: Fraction | None
    rests: tuple[CompiledRecord, ...] = ()
    cells: frozenset[TableCell] = frozenset()
    parts: tuple[tuple[CompiledRecord, Fraction], ...] = ()
    mode: str = ""
    harm: int = 0


class Reason(NamedTuple):
    """Why something isn't possible: the record that forbids it (if any), the place, and more text."""

    record: CompiledRecord | None
    place: int | None = None
    needs: Fraction | None = None
    """The number of points that it would take, where points are missing."""
    kind: str = ""
    """One of who, end, step, stop, points, back, none."""


@dataclass(frozen=True, eq=False)
class Reach:
    """Where a unit can move."""

    field: Field
    unit: PlacedUnit
    walk: Walk
    allowance: EvaluatedAmount | None
    """The unit's points; None where its walk has no limit."""
    costs: Mapping[int, Fraction]
    """The cost of the cheapest path to each place."""
    stops: Mapping[int, CompiledRecord]
    """Places where something stops it, and the record that does."""
    forbidden_places: Mapping[int, tuple[CompiledRecord, ...]]
    """Places that it can reach but where it may not end, and why."""
    tree: PathTree
    stepper: StepEvaluator
    refusals: tuple[CompiledRecord, ...] = ()
    """Why it can't move at all."""
    minimum_moves: Mapping[int, tuple[int, StepResult]] = dataclasses.field(default_factory=dict)
    """Places that it reaches only because a unit can always move so far: the place before, and the step result."""

    @cached_property
    def cells(self) -> frozenset[TableCell]:
        """The table cells that its points and the costs of the cheapest paths depend on."""
        table_cells = set(self.allowance.cells) if self.allowance is not None else set[TableCell]()
        table_cells.update(cell for _, verdict in self.minimum_moves.values() for cell in verdict.cells)
        seen_states: set[int] = set()
        for place in self.tree.best:
            stop_verdict = self.tree.stop_at(place)
            state: int | None = self.tree.states.get(place)
            if stop_verdict is not None:
                table_cells |= stop_verdict.cells
                state = self.tree.leaves[place][1]
            while state is not None and state not in seen_states:
                seen_states.add(state)
                predecessor = self.tree.predecessors.get(state)
                table_cells |= predecessor[1].cells if predecessor is not None else frozenset()
                state = predecessor[0] if predecessor is not None else None
        return frozenset(table_cells)

    @property
    def barred_by(self) -> CompiledRecord | None:
        """The one record that forbids every first step, if there is one."""
        start, evaluator = self.unit.place, self.stepper
        verdicts = [
            v for m, step in self.field.map_index.neighbours(start) for _, v in evaluator.ways(start, m, step, True, "")
        ]
        records = {v.rests[0] if v.is_refused and v.rests else None for v in verdicts}
        return records.pop() if len(records) == 1 else None

    @property
    def returns(self) -> bool:
        """Whether a path leads back to the start."""
        start, modes = self.unit.place, self.tree.modes
        return start in self.tree.leaves or any(start * modes + mode in self.tree.predecessors for mode in range(modes))

    @property
    def ends(self) -> frozenset[int]:
        """The places where it may end."""
        return frozenset(self.costs.keys() - self.forbidden_places.keys())

    def chance(self, place: int) -> Fraction:
        """Return the chance that its points suffice."""
        if self.allowance is None or place in self.minimum_moves:
            return Fraction(1)
        cost = self.costs[place]
        return sum((chance for points, chance in self.allowance.chances.items() if points >= cost), Fraction(0))

    def path(self, place: int) -> tuple[int, ...]:
        """Return the places of the cheapest path to a place that it reaches."""
        if place in self.minimum_moves:
            return (*self.path(self.minimum_moves[place][0]), place)
        return tuple([n for n, _ in self.tree.way(place)])

    def way(self, place: int) -> tuple[Leg, ...]:
        """Return the cheapest path to a place that it reaches."""
        if place in self.minimum_moves:
            previous_place, verdict = self.minimum_moves[place]
            cost = self.costs[place] - self.costs[previous_place]
            return (
                *self.way(previous_place),
                Leg(place, cost, verdict.rests, verdict.cells, verdict.parts, verdict.mode, verdict.harm),
            )
        legs = []
        for n, verdict_or_none in self.tree.way(place):
            price = (
                None
                if verdict_or_none is None or verdict_or_none.cost is None
                else Fraction(verdict_or_none.cost) / SCALE
            )
            if verdict_or_none is not None and verdict_or_none.takes_all and self.allowance is not None:
                price = Fraction(self.allowance.maximum)
            legs.append(
                Leg(n, price) if verdict_or_none is None else Leg(n, price, *verdict_or_none[4:], verdict_or_none.harm)
            )
        return tuple(legs)

    @cached_property
    def acts(self) -> Mapping[str, Mapping[int, Fraction]]:
        """The acts that it could do during its move: in which places, and the points that it would have left. Loading
        isn't included."""
        points_by_act: dict[str, Mapping[int, Fraction]] = {}
        rules = self.field.program.rules
        for name, act in rules.acts.items():
            if (
                not act.cargo
                and not self.refusals
                and (not act.of or any(rules.movement.get(walk) is self.walk for walk in act.of))
            ):
                points_left: dict[int, Fraction] = {}
                for places in self.acting(name).values():
                    points_left |= {
                        m: points for m, points in places.items() if m not in points_left or points > points_left[m]
                    }
                points_by_act[name] = points_left
        return points_by_act

    def acting(self, name: str) -> Mapping[int, Mapping[int, Fraction]]:
        """Return from where it could do an act, in which places, and the points that it would have left."""
        field, act = self.field, self.field.program.rules.acts[name]
        records, neighbours_of, start = field.program.ready(act.steps), field.map_index.neighbours, self.unit.place
        evaluator = StepEvaluator(
            field, records, self.stepper.mover, start=start, extra_values={"distance": 1}, needs_price=True
        )
        points = Fraction(self.allowance.maximum) if self.allowance is not None else None
        can_enter: dict[int, bool] = {}
        points_by_place: dict[int, dict[int, Fraction]] = {}
        base = self.avoiding(act.without)
        for n, cost in base.costs.items():
            points_spent = min(cost, points) if points is not None and n in base.minimum_moves else cost
            for m, step in neighbours_of(n) if act.where != "here" else ():
                if m not in can_enter:
                    can_enter[m] = evaluator.start_refusal(m) is None
                if can_enter[m] and (
                    act.where != "into"
                    or any(not way.is_refused for _, way in self.stepper.ways(n, m, step, n == start, ""))
                ):
                    self._could(points_by_place, evaluator.verdict(n, m, step, n == start), n, m, points_spent, points)
            if act.where in ("here", "near"):
                scope = field.scope(
                    evaluator.mover, {"from": n, "to": n, "start": start}, {"first": n == start, "distance": 0}
                )
                self._could(
                    points_by_place,
                    evaluate_records(field, records.records, scope, needs_price=True),
                    n,
                    n,
                    points_spent,
                    points,
                )
        return points_by_place

    def _could(
        self,
        points_by_place: dict[int, dict[int, Fraction]],
        verdict: StepResult,
        n: int,
        m: int,
        points_spent: Fraction,
        points: Fraction | None,
    ) -> None:
        """Record an act that is possible, if the unit can pay for it."""
        cost = verdict.cost
        if verdict.takes_all and n == self.unit.place and points:
            cost = points * SCALE
        if cost is not None:
            points_left = (points or 0) - points_spent - Fraction(cost) / SCALE
            if points is None or points_left >= 0:
                points_by_place.setdefault(n, {})[m] = Fraction(points_left)

    def avoiding(self, modes: Collection[str]) -> Reach:
        """Return its reach without some modes."""
        verdicts = [verdict for _, verdict in self.tree.predecessors.values()] + [
            verdict for _, _, verdict in self.tree.leaves.values()
        ]
        used = {verdict.mode for verdict in (*verdicts, *(verdict for _, verdict in self.minimum_moves.values()))} & {
            *modes
        }
        moves = self.field.program.rules.movement
        name = next((name for name, walk in moves.items() if walk is self.walk), None)
        return reach(self.field, self.unit, name, without=modes) if used and name is not None else self

    def way_cells(self, place: int) -> tuple[frozenset[TableCell], ...]:
        """Return the table cells that its points and the costs of a path depend on."""
        return (
            self.allowance.cells if self.allowance is not None else frozenset(),
            *(leg.cells for leg in self.way(place)),
        )

    @cached_property
    def _limit(self) -> Price | None:
        return None if self.allowance is None else _scale_points(self.allowance.maximum)

    def why_not(self, place: int) -> Reason | None:
        """Return why it doesn't reach a place or may not end there; None if it does and may.

        The checks run in this order: it may not move; the place is no end; no step leads in; something stops it
        earlier; it has too few points; a step is forbidden further back.
        """
        if self.refusals:
            return Reason(self.refusals[0], kind="who")
        if place in self.costs and place not in self.forbidden_places:
            return None
        if place in self.forbidden_places:
            return Reason(self.forbidden_places[place][0], place, kind="end")
        mover = self.stepper.mover
        forbidden = end_failures(self.field, self.walk, mover, place, self.unit.place, {})
        if forbidden:
            return Reason(forbidden[0], place, kind="end")
        refusal = self._adjacent_refusal(place) or self._entry_refusal(place)
        if refusal is not None:
            return refusal
        map_index = self.field.map_index
        free = search(self.stepper, [self.unit.place], None, stops=False, full_cost=self._limit)
        best = free.best
        if place in best:
            open_ = search(self.stepper, [self.unit.place], None, full_cost=self._limit)
            if self._limit is None or best[place] <= self._limit or place not in open_.best:
                for n, verdict in free.way(place)[:-1]:
                    if verdict is not None and (verdict.stop is not None or verdict.takes_all):
                        return Reason(verdict.stop or verdict.rests[-1], n, kind="stop")
            return Reason(None, place, Fraction(open_.best.get(place, best[place])) / SCALE, "points")
        empty = StepEvaluator(
            self.field,
            self.stepper.steps,
            mover,
            modes=self.walk.modes,
            start=self.stepper.start,
            extra_values=self.stepper.extra_values,
            needs_price=self.stepper.has_prices,
            empty=True,
        )
        without = search(empty, [self.unit.place], None, stops=False, full_cost=self._limit)
        way = without.way(place) if place in without.best else []
        for (n, _), (m, _) in pairwise(way):
            step = next(kind for neighbour, kind in map_index.neighbours(n) if neighbour == m)
            verdicts = [v for _, v in self.stepper.ways(n, m, step, n == self.unit.place, "")]
            if all(verdict.is_refused for verdict in verdicts):
                return Reason(_refusal(verdicts), m, kind="back")
        return self._least_refused(place)

    def _least_refused(self, place: int) -> Reason:
        """Return the first refusal on the path with the fewest refusals. This serves places that no path reaches,
        with or without the enemy."""
        start = self.unit.place
        for n, m, evaluator, step in FewestRefusals(self.stepper, [start]).way(place):
            verdicts = [verdict for _, verdict in evaluator.ways(n, m, step, n == start, "")]
            if all(verdict.is_refused for verdict in verdicts) and (record := _refusal(verdicts)) is not None:
                return Reason(record, m, kind="step" if m == place else "back")
            all_points_verdict = next((verdict for verdict in verdicts if verdict.takes_all), None)
            if (
                all_points_verdict is not None
                and n != start
                and all(verdict.is_refused or verdict.takes_all for verdict in verdicts)
            ):
                return Reason(
                    next(price_record for price_record in reversed(all_points_verdict.rests) if price_record.takes_all),
                    m,
                    kind="whole",
                )
        return Reason(None, place, kind="none")

    def _adjacent_refusal(self, place: int) -> Reason | None:
        """Return the record that keeps the unit from a place adjacent to it."""
        start = self.unit.place
        for m, step in self.field.map_index.neighbours(start):
            if m == place:
                verdicts = [verdict for _, verdict in self.stepper.ways(start, place, step, True, "")]
                record = _refusal(verdicts) if all(verdict.is_refused for verdict in verdicts) else None
                return Reason(record, place, kind="step") if record is not None else None
        return None

    def _entry_refusal(self, place: int) -> Reason | None:
        """Return the record that forbids every step into a place; the nearest step counts."""
        map_index, start = self.field.map_index, self.unit.place
        candidates: list[tuple[bool, int, Reason]] = []
        for n, _ in map_index.neighbours(place):
            step = next((kind for neighbour, kind in map_index.neighbours(n) if neighbour == place), None)
            if step is None:
                continue
            verdicts = [verdict for _, verdict in self.stepper.ways(n, place, step, n == start, "")]
            if not all(verdict.is_refused for verdict in verdicts):
                return None
            candidates.append(
                (n not in self.costs, map_index.distance(start, n), Reason(_refusal(verdicts), place, kind="step"))
            )
        return (
            min(candidates, key=lambda candidate: candidate[:2])[2] if candidates else Reason(None, place, kind="none")
        )


def reason(unit_reach: Reach, obstacle: Reason, *, with_rule: bool = True) -> str:
    """Format a reason, with or without its rule."""
    name = unit_reach.field.map_index.title
    place_name = name(obstacle.place) if obstacle.place is not None else ""
    text, rule = (obstacle.record.text, f" ({obstacle.record.rule})") if obstacle.record is not None else ("", "")
    rule = rule if with_rule and obstacle.record is not None and obstacle.record.rule else ""
    if obstacle.kind == "points" and with_rule and unit_reach.walk.rule:
        rule = f" ({unit_reach.walk.rule})"
    match obstacle.kind:
        case "who" | "end" | "step":
            return f"{text or 'no rule gives the step a cost'}{rule}"
        case "stop":
            return f"{text} stops it in {place_name}{rule}"
        case "points":
            points = unit_reach.allowance.maximum if unit_reach.allowance is not None else 0
            return (
                f"it is {count_text(obstacle.needs or 0, 'point')} away, but the unit has {number_text(points)}{rule}"
            )
        case "whole":
            return f"{text}, so the unit must start its move next to {place_name}{rule}"
        case "back":
            return f"the path is blocked at {place_name}: {text}{rule}"
        case _:
            return "no path leads there"


def _refusal(verdicts: Sequence[StepResult]) -> CompiledRecord | None:
    """Return the record that forbids a step, if any."""
    return next(
        (verdict.rests[0] for verdict in verdicts if verdict.rests and verdict.rests[0].effect == "forbid"), None
    )


def _scale_points(points: Fraction | int) -> Price:
    price = points * SCALE
    return int(price) if price == int(price) else price


def gate_failures(field: Field, gates: CompiledList, scope: Scope) -> tuple[CompiledRecord, ...]:
    """Return the records that forbid. Where a list has records that allow, one of them must hold."""
    refusals, allowing, is_allowed = [], [], False
    for record in gates.records:
        try:
            holds = record.condition is None or record.condition(scope, field.program.lookup, None) is True
        except EvaluationError as error:
            raise BadQuestion(f"{error} (in {record.text!r})") from None
        if record.effect == "forbid" and holds:
            refusals.append(record)
        if record.effect == "allow":
            allowing.append(record)
            is_allowed = is_allowed or holds
    return tuple(refusals if is_allowed or not allowing else [*refusals, allowing[0]])


def end_failures(
    field: Field,
    walk: Walk,
    mover: Mover,
    n: int,
    start: int,
    extra_values: Mapping[str, object],
    *,
    room: bool = True,
    absent_units: Sequence[PlacedUnit] = (),
) -> tuple[CompiledRecord, ...]:
    """Return why a walk may not end in a place; empty if it may. `absent_units` have left their places."""
    gates = field.program.ready(walk.ends)
    refusals: tuple[CompiledRecord, ...] = ()
    if gates.records:
        refusals = gate_failures(field, gates, field.scope(mover, {"to": n, "start": start}, extra_values))
    return (*refusals, *failures(field, mover, n, absent_units)) if gates.stacking and room else refusals


def walk_named(walks: Mapping[str, Walk], name: str, section: str) -> Walk:
    """Return a walk of a section by its id; the first if no name is given."""
    if not walks:
        verb = {"movement": "move", "retreat": "retreat", "advance": "advance"}.get(section, section)
        raise BadQuestion(f"this pack doesn't say how units {verb}; add `rules.{section}` (docs/packs.md)")
    if not name:
        return next(iter(walks.values()))
    if name not in walks:
        raise BadQuestion(f"{section} has no kind {name!r}; {suggest(name, walks)}")
    return walks[name]


def reach(
    field: Field,
    unit: PlacedUnit,
    name: str = "",
    *,
    section: str = "movement",
    result: int | None = None,
    without: Collection[str] = (),
    avoids_harm: bool = False,
) -> Reach:
    """Return where a unit can move by a kind of move (the first if none is given), or advance (`result` hexes). It
    may do so `without` some modes, or only by paths that don't harm it."""
    walk = walk_named(getattr(field.program.rules, section), name, section)
    mover, start = field.mover(unit, walk.as_), unit.place
    ready = field.program.ready(walk.steps)
    result_values: dict[str, object] = {} if result is None else {"result": result}
    refusals = gate_failures(field, field.program.ready(walk.who), field.scope(mover, {"start": start}, result_values))
    limits = walk.allowance or walk.length
    points = amount(field, limits, mover, result_values, start=start) if limits else None
    if points is not None and points.forbidden is not None:
        refusals = (*refusals, points.forbidden)
    step_values = {**result_values, "length": points.maximum} if points is not None and walk.length else result_values
    modes = {mode: condition for mode, condition in walk.modes.items() if mode not in without}
    evaluator = StepEvaluator(
        field, ready, mover, modes=modes, start=start, extra_values=step_values, needs_price=bool(walk.allowance)
    )
    limit = None if points is None else _scale_points(points.maximum)
    tree = search(evaluator, [start], 0 if refusals else limit, avoids_harm=avoids_harm)
    if refusals:
        tree = PathTree({start * tree.modes: 0}, {}, {}, tree.modes)
    amounts = {cost: Fraction(cost) / SCALE for cost in set(tree.best.values())}
    costs = {n: amounts[cost] for n, cost in tree.best.items()}
    stops = {n: verdict.stop or verdict.rests[-1] for n in tree.leaves if (verdict := tree.stop_at(n)) is not None}
    minimum_steps: dict[int, tuple[int, StepResult]] = {}
    if walk.minimum is not None and not refusals and field.holds(walk.minimum.when, mover, start=start):
        minimum_steps = _minimum_moves(evaluator, start, walk.minimum.hexes, costs, avoids_harm)
        for n, (previous_place, verdict) in minimum_steps.items():
            extra_cost = points.maximum if points is not None and verdict.cost is None else 0
            costs[n] = costs[previous_place] + (
                Fraction(verdict.cost) / SCALE if verdict.cost is not None else extra_cost
            )
            if verdict.stop is not None:
                stops[n] = verdict.stop
    ends = EndCheck(field, walk, mover, start)
    barred_places = {
        n: end_records
        for n, cost in costs.items()
        if n != start and (end_records := ends.failures(n, cost, step_values))
    }
    return Reach(field, unit, walk, points, costs, stops, barred_places, tree, evaluator, refusals, minimum_steps)


class EndCheck:
    """Where a walk may end, evaluated once for each place class and its units."""

    def __init__(
        self, field: Field, walk: Walk, mover: Mover, start: int, absent_units: Sequence[PlacedUnit] = ()
    ) -> None:
        self.field, self.walk, self.mover, self.start, self.cost_so_far = field, walk, mover, start, absent_units
        self.gates, stacking = field.program.ready(walk.ends), field.program.ready(field.program.rules.stacking)
        self.distance_names = {"taken", "gone", "length"} & {*self.gates.uses.mover}
        self._signature_names = self._names(self.gates), self._names(stacking)
        self._memo: tuple[dict[object, tuple[CompiledRecord, ...]], dict[object, tuple[CompiledRecord, ...]]] = {}, {}

    def _names(self, records: CompiledList) -> tuple[tuple[str, ...], tuple[str, ...], Sequence[int]]:
        """Return the names that a list asks of a place, and the groups of places that share their values."""
        names, map_index = frozenset(records.uses.to_names), self.field.map_index
        return (
            tuple(sorted(names & map_index.position_names)),
            tuple(sorted(names & map_index.mover_names)),
            map_index.group_numbers(names),
        )

    def failures(
        self, n: int, points_spent: Fraction | int, extra_values: Mapping[str, object], *, room: bool = True
    ) -> tuple[CompiledRecord, ...]:
        """Why the walk may not end in a place."""
        refusals = self._closed_gates(n, points_spent, extra_values) if self.gates.records else ()
        return (*refusals, *self.stacking_violations(n)) if room and self.gates.stacking else refusals

    def _signature(self, n: int, which: int) -> tuple[object, ...]:
        field, mover, (names, special, groups) = self.field, self.mover, self._signature_names[which]
        content = look(field, mover, n, names) if names else 0
        return (
            groups[n],
            content,
            tuple([field.rule_values.of_place(mover, n, name) for name in special]) if special else (),
        )

    def _closed_gates(
        self, n: int, points_spent: Fraction | int, extra_values: Mapping[str, object]
    ) -> tuple[CompiledRecord, ...]:
        """Return the gates that are closed."""
        path_names, distance = self.distance_names, 0
        key: tuple[object, ...] = self._signature(n, 0)
        if path_names:
            distance = self.field.map_index.distance(self.start, n) if "gone" in path_names else 0
            key = (
                key,
                points_spent if "taken" in path_names else 0,
                distance,
                extra_values.get("length") if "length" in path_names else 0,
            )
        if key not in self._memo[0]:
            all_values = {**extra_values, "taken": points_spent, "gone": distance} if path_names else extra_values
            scope = self.field.scope(self.mover, {"to": n, "start": self.start}, all_values)
            self._memo[0][key] = gate_failures(self.field, self.gates, scope)
        return self._memo[0][key]

    def stacking_violations(self, n: int) -> tuple[CompiledRecord, ...]:
        """Return the stacking rules that would be violated."""
        friends = (s for s in self.field.by_place.get(n, ()) if s.side == self.mover.side and s is not self.mover.unit)
        key = self._signature(n, 1), tuple([s.equivalence_key for s in friends if s not in self.cost_so_far])
        if key not in self._memo[1]:
            self._memo[1][key] = failures(self.field, self.mover, n, self.cost_so_far)
        return self._memo[1][key]


def _minimum_moves(
    evaluator: StepEvaluator, start: int, hexes: int, costs: Mapping[int, Fraction], avoids_harm: bool
) -> dict[int, tuple[int, StepResult]]:
    """Return places that a unit reaches only because it can always move so many hexes."""
    minimum_steps: dict[int, tuple[int, StepResult]] = {}
    edge = [(start, "")]
    for _ in range(hexes):
        ahead: list[tuple[int, str]] = []
        for current_place, last in edge:
            for m, step in evaluator.map_index.neighbours(current_place):
                if m in costs or m in minimum_steps:
                    continue
                ways = [
                    way
                    for way in evaluator.ways(current_place, m, step, current_place == start, last)
                    if not way[1].is_refused
                ]
                ways = [way for way in ways if not (avoids_harm and way[1].harm)]
                if ways:
                    mode, verdict = min(ways, key=lambda way: MOST_COST if way[1].cost is None else way[1].cost)
                    minimum_steps[m] = (current_place, verdict)
                    if verdict.stop is None:
                        ahead.append((m, mode))
        edge = ahead
    return minimum_steps

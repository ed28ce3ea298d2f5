"""Supply and command: traces from their origin to the units that they supply, in stages if necessary."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from assistant.engine.field import Field
from assistant.engine.movement.amounts import amount
from assistant.engine.movement.walk import SCALE, FewestRefusals, PathTree, Price, StepEvaluator, search
from assistant.engine.placed_units import EquivalenceKey, Mover, PlacedUnit
from assistant.engine.program import CompiledRecord
from assistant.engine.signatures import places_where
from scenarios.model.attack_inputs import Formula
from scenarios.model.memo import cached_on
from scenarios.rules.records import RuleRecord
from scenarios.rules.shapes import Command, Trace, Walk


@dataclass(frozen=True)
class SupplyLine:
    """A unit's supply: by which trace and path it is in supply, or why it is not."""

    unit: PlacedUnit
    is_supplied: bool
    server: str = ""
    """The trace; empty for a unit that needs none or has none."""
    text: str = ""
    rule: str = ""
    source: PlacedUnit | None = None
    path: tuple[int, ...] = ()
    """From the origin to the unit or to a place next to it."""
    cost: Fraction | None = None
    cut: tuple[tuple[int, CompiledRecord], ...] = ()
    """Where the enemy cuts the path, and the record that does."""
    needs: Fraction | None = None
    """The path's length, where it is too long."""
    limit: Fraction | None = None
    """The trace's maximum length."""
    idle: bool = False
    """Whether the unit at its origin is itself out of supply."""


@dataclass(frozen=True, eq=False)
class SupplyRoot:
    """The origin of a trace: places of the map, or a unit; and the paths from there."""

    name: str
    """The trace or headquarters to which it belongs."""
    source: PlacedUnit | None
    starts: tuple[int, ...]
    tree: PathTree
    stepper: StepEvaluator
    final: StepEvaluator | None = None
    """Evaluates the step into the unit's place, where records treat it differently."""
    _arrivals: dict[int, tuple[Price, int] | None] = dataclasses.field(default_factory=dict)

    @property
    def places(self) -> Mapping[int, int]:
        """The places that it reaches, with their distance in whole points."""
        return {n: int(cost // SCALE) for n, cost in self.tree.best.items()}

    def place_before(self, place: int) -> int | None:
        """Return the place before, where only the last step of a path enters a place."""
        arrival = self.arrival(place) if place not in self.tree.best else None
        return arrival[1] if arrival is not None else None

    def cost(self, place: int) -> Price | None:
        """Return the cost to reach a place; None where no path does."""
        cost = self.tree.best.get(place)
        if cost is None and (arrival := self.arrival(place)) is not None:
            return arrival[0]
        return cost

    def arrival(self, place: int) -> tuple[Price, int] | None:
        """Return the cost to reach a place by the last step of a path, and the place before."""
        if self.final is None:
            return None
        if place not in self._arrivals:
            ends = []
            for n, step in self.stepper.map_index.incoming(place):
                if n in self.tree.states:
                    for _, verdict in self.final.ways(n, place, step, n in self.starts, ""):
                        if verdict.cost is not None:
                            ends.append((self.tree.best[n] + verdict.cost, n))
            self._arrivals[place] = min(ends, default=None)
        return self._arrivals[place]

    def path(self, place: int) -> tuple[int, ...]:
        """Return the path from the origin to a place."""
        previous_place = self.place_before(place)
        way = tuple(n for n, _ in self.tree.way(place if previous_place is None else previous_place))
        return way if previous_place is None else (*way, place)


class SideSupply:
    """The supply and the command of one side."""

    def __init__(self, field: Field, side: str) -> None:
        self.field, self.side = field, side
        self.own_units = field.units_of(side)
        self._served_memo: dict[tuple[str, PlacedUnit], tuple[SupplyRoot, int] | None] = {}
        self._trees: dict[Any, PathTree] = {}
        self._refusal_searches: dict[Any, FewestRefusals] = {}
        self._holds_memo: dict[Any, bool] = {}
        self._touched_memo: dict[tuple[int, int], tuple[int, ...]] = {}
        self._limits: dict[Any, Price | None] = {}
        self._limit_memo: dict[int, tuple[bool, bool]] = {}
        self._roots: dict[Any, tuple[SupplyRoot, ...]] = {}
        self._roots_of: dict[tuple[str, EquivalenceKey], tuple[SupplyRoot, ...]] = {}

    # Results.

    def is_served(self, unit: PlacedUnit, name: str) -> bool:
        """Whether a unit is `supplied`, `commanded`, or served by a named trace or headquarters."""
        rules = self.field.program.rules
        if name == "supplied":
            return self.free(unit) is not None or any(self.is_served(unit, trace) for trace in self.traces)
        if name == "commanded":
            return self.free(unit, "commanded") is not None or any(
                self.is_served(unit, command) for command in rules.command
            )
        return self.find_server(name, unit) is not None

    @cached_property
    def traces(self) -> Mapping[str, Trace]:
        """The traces of supply."""
        supply = self.field.program.rules.supply
        return supply.traces if supply is not None else {}

    def free(self, unit: PlacedUnit, status: str = "supplied", place: int | None = None) -> RuleRecord | None:
        """Return the record by which a unit needs no supply or no command, where it is or in another place."""
        rules, field = self.field.program.rules, self.field
        supply = rules.supply.exempt if rules.supply is not None else ()
        free = (
            supply
            if status == "supplied"
            else [record for command in rules.command.values() for record in command.exempt]
        )
        for record in free:
            if field.holds(record.when, field.mover(unit), to=unit.place if place is None else place):
                return record
        return None

    def commanders(self, name: str, unit: PlacedUnit) -> list[SupplyRoot]:
        """Return every unit of a command (or of a trace that begins with units) that serves a unit."""
        walk, condition, _, serves = self._parts(name)
        field = self.field
        if not field.holds(condition, field.mover(unit), to=unit.place):
            return []
        serving_roots = []
        for root in self.roots(name, unit):
            cost, limit = root.cost(unit.place), self.limit(walk, unit, root.source, unit.place)
            is_near = cost is not None and (limit is None or cost <= limit)
            if is_near and field.holds(serves, field.mover(unit, None, root.source), to=unit.place):
                serving_roots.append(root)
        return serving_roots

    def find_server(self, name: str, unit: PlacedUnit) -> tuple[SupplyRoot, int] | None:
        """Return what serves a unit in its place, by a trace or headquarters."""
        key = name, unit
        if key not in self._served_memo:
            self._served_memo[key] = None  # the pack check refuses a trace that asks for itself
            self._served_memo[key] = self.serve(name, unit, unit.place) if unit.side == self.side else None
        return self._served_memo[key]

    def serve(self, name: str, unit: PlacedUnit, unit_place: int) -> tuple[SupplyRoot, int] | None:
        """Return what would serve a unit in a place, by a trace or headquarters: the root, and the place that its
        path reaches."""
        best: tuple[Price, int, SupplyRoot, int] | None = None
        for number, (root, touch, limit) in enumerate(self.usable_roots(name, unit, unit_place)):
            for place in touch:
                cost = root.cost(place)
                if (
                    cost is not None
                    and (limit is None or cost <= limit)
                    and (best is None or (cost, number) < best[:2])
                ):
                    best = cost, number, root, place
        return None if best is None else best[2:]

    def usable_roots(
        self, name: str, unit: PlacedUnit, unit_place: int | None = None
    ) -> Iterator[tuple[SupplyRoot, Collection[int], Price | None]]:
        """Yield the roots that may serve a unit by a trace or headquarters: the places that their paths must reach,
        and their maximum length."""
        walk, condition, max_distance, serves = self._parts(name)
        unit_place = unit.place if unit_place is None else unit_place
        if not self._holds(condition, unit, unit_place):
            return
        touch = self.target_places(unit_place, max_distance)
        for root in self.roots(name, unit):
            if root.source is None or self._holds(serves, unit, unit_place, root.source):
                yield root, touch, self.limit(walk, unit, root.source, unit_place)

    def _holds(
        self, formula: Formula | None, unit: PlacedUnit, unit_place: int, source: PlacedUnit | None = None
    ) -> bool:
        """Whether a condition holds for a unit in a place. Where the place doesn't matter, equal units share the
        result."""
        if formula is None:
            return True
        key = id(formula), unit.equivalence_key, source
        is_met = self._holds_memo.get(key)
        if is_met is None:
            field = self.field
            is_met = field.holds(formula, field.mover(unit, None, source), to=unit_place)
            if not any(name.startswith(("to.", "by.")) for name in field.program.names(formula)):
                self._holds_memo[key] = is_met
        return is_met

    def stages(self, name: str) -> tuple[str, ...]:
        """Return the traces by which the units at a trace's origin must be in supply themselves."""
        _, units = self._origin(name)
        return tuple(stage for stage in self.traces if f"by.{stage}" in self.field.program.names(units))

    def begins(self, name: str, source: PlacedUnit, values: Mapping[str, Any]) -> bool:
        """Whether a trace begins with a unit, if some names had these values, such as `by.edge`."""
        _, units = self._origin(name)
        return self.field.holds(units, self.field.mover(source), values, to=source.place)

    def target_places(self, unit_place: int, max_distance: int) -> Collection[int]:
        """Return the places that a trace may reach: the unit's own and those within a distance."""
        key = unit_place, max_distance
        if key not in self._touched_memo:
            map_index, edge = self.field.map_index, [unit_place]
            places = dict.fromkeys(edge)
            for _ in range(max_distance):
                edge = [m for n in edge for m, _ in map_index.neighbours(n) if m not in places]
                places |= dict.fromkeys(edge)
            self._touched_memo[key] = tuple(places)
        return self._touched_memo[key]

    def _parts(self, name: str) -> tuple[Walk, Formula | None, int, Formula | None]:
        rules = self.field.program.rules
        if name in self.traces:
            trace = self.traces[name]
            return trace, trace.for_, trace.near, trace.from_.serves
        command: Command = rules.command[name]
        return command, None, 0, command.serves

    # Origins of traces.

    def roots(self, name: str, unit: PlacedUnit) -> Sequence[SupplyRoot]:
        """Return the roots of a trace for a unit. Units with equal values for what the trace asks share them."""
        equivalence_key = name, unit.equivalence_key
        if equivalence_key not in self._roots_of:
            walk, *_ = self._parts(name)
            mover = self.field.mover(unit, walk.as_)
            key = name, tuple([(field_name, mover.fields.get(field_name)) for field_name in self._walker_names(name)])
            if key not in self._roots:
                self._roots[key] = tuple(self._found_roots(name, walk, mover))
            self._roots_of[equivalence_key] = self._roots[key]
        return self._roots_of[equivalence_key]

    def _walker_names(self, name: str) -> tuple[str, ...]:
        """Return the fields of a unit that the paths of a trace depend on."""
        if name not in self._names_by_trace:
            program, (walk, *_) = self.field.program, self._parts(name)
            names = set(program.ready(walk.steps).uses.mover)
            for formula in (*walk.modes.values(), *self._origin(name)[:1]):
                names |= program.names(formula)
            fields = {
                dotted_name.removeprefix("unit.")
                for dotted_name in names
                if "." not in dotted_name or dotted_name.startswith("unit.")
            }
            self._names_by_trace[name] = tuple(sorted(fields))
        return self._names_by_trace[name]

    @cached_property
    def _names_by_trace(self) -> dict[str, tuple[str, ...]]:
        return {}

    def _origin(self, name: str) -> tuple[Formula | None, Formula | None]:
        """Return the conditions for places and for units where a trace begins."""
        if name in self.traces:
            return self.traces[name].from_.places, self.traces[name].from_.units
        return None, self.field.program.rules.command[name].of

    def _found_roots(self, name: str, walk: Walk, mover: Mover) -> Iterable[SupplyRoot]:
        places, units = self._origin(name)
        if places is not None:
            starts = places_where(self.field, places, Mover(mover.side, mover.fields, None, mover.source))
            evaluator = self._stepper(walk, mover)
            open_ = tuple(n for n in starts if evaluator.start_refusal(n) is None)
            yield SupplyRoot(
                name,
                None,
                starts,
                search(evaluator, open_, self._farthest(walk)),
                evaluator,
                self._final(walk, evaluator.mover),
            )
            return
        for source in self.sources(name, units):
            evaluator = self._stepper(walk, Mover(mover.side, mover.fields, mover.unit, source))
            limit = self.limit(walk, None, source, source.place)
            open_ = (source.place,) if evaluator.start_refusal(source.place) is None else ()
            key = id(evaluator.memo), source.place, limit
            if key not in self._trees:
                self._trees[key] = search(evaluator, open_, limit)
            yield SupplyRoot(
                name, source, (source.place,), self._trees[key], evaluator, self._final(walk, evaluator.mover)
            )

    def sources(self, name: str, units: Formula | None) -> tuple[PlacedUnit, ...]:
        """Return the units that a trace begins with."""
        if name not in self._sources:
            field = self.field
            self._sources[name] = tuple(s for s in self.own_units if field.holds(units, field.mover(s), to=s.place))
        return self._sources[name]

    @cached_property
    def _sources(self) -> dict[str, tuple[PlacedUnit, ...]]:
        return {}

    def _stepper(self, walk: Walk, mover: Mover, *, empty: bool = False, last: bool = False) -> StepEvaluator:
        # The mover isn't in the unit's place: it comes from the origin, and the unit is a friend on its path.
        free = Mover(mover.side, mover.fields, None, mover.source)
        ready = self.field.program.ready(walk.steps)
        extra_values = {"last": True} if last else None
        return StepEvaluator(
            self.field,
            ready,
            free,
            modes=walk.modes,
            needs_price=bool(walk.allowance),
            empty=empty,
            extra_values=extra_values,
        )

    def _final(self, walk: Walk, mover: Mover, *, empty: bool = False) -> StepEvaluator | None:
        """Return the evaluator of the step into the unit's place, where a record asks for it."""
        uses_last = "last" in self.field.program.ready(walk.steps).uses.step
        return self._stepper(walk, mover, empty=empty, last=True) if uses_last else None

    def _farthest(self, walk: Walk) -> Price | None:
        """Return the greatest length of a trace to any unit of the side, in fractions of a point; None without a
        limit."""
        if not (walk.length or walk.allowance):
            return None
        limits = [self.limit(walk, unit, None, unit.place) for unit in self.own_units]
        return None if None in limits else max((limit for limit in limits if limit is not None), default=None)

    def limit(self, walk: Walk, unit: PlacedUnit | None, source: PlacedUnit | None, place: int) -> Price | None:
        """Return the maximum length of a trace, in fractions of a point; None without a limit, or if it depends on
        the unit served."""
        records = walk.length or walk.allowance
        if not records:
            return None
        if id(records) not in self._limit_memo:
            uses = self.field.program.ready(records).uses
            is_known = all(name.startswith(("source.", "ruling.", "effect", "input.")) for name in uses.mover)
            self._limit_memo[id(records)] = (
                is_known,
                any(name.startswith("by.") for name in uses.mover) or bool(uses.to_names),
            )
        is_known, about_place = self._limit_memo[id(records)]
        if unit is None and not is_known:
            return None
        key = id(records), None if is_known else unit and unit.equivalence_key, source, place if about_place else None
        if key not in self._limits:
            assert unit is not None or source is not None
            mover = (
                self.field.mover(unit, walk.as_, source) if unit else Mover(self.side, source.fields, None, source)  # type: ignore[union-attr]
            )
            price = amount(self.field, records, mover, to=place).maximum * SCALE
            self._limits[key] = int(price) if price == int(price) else price
        return self._limits[key]

    # Answers.

    @cached_property
    def lines(self) -> tuple[SupplyLine, ...]:
        """The supply of every unit."""
        return tuple(self.line(unit) for unit in self.own_units)

    def line(self, unit: PlacedUnit) -> SupplyLine:
        """Return the supply of a unit."""
        free = self.free(unit)
        if free is not None:
            return SupplyLine(unit, True, text=free.text, rule=free.rule)
        services = [(name, *service) for name in self.traces if (service := self.find_server(name, unit)) is not None]
        if not services:
            return self._unsupplied_line(unit)
        rules = self.field.program.rules.supply
        if rules is not None and rules.prefer == "cheapest":
            services.sort(key=lambda service: service[1].cost(service[2]) or 0)
        name, root, place = services[0]
        trace, cost = self.traces[name], Fraction(root.cost(place) or 0) / SCALE
        return SupplyLine(unit, True, name, trace.text, trace.rule, root.source, self.path(root, place), cost)

    def path(self, root: SupplyRoot, place: int) -> tuple[int, ...]:
        """Return the path to a place from the first origin of its stages."""
        own_path = root.path(place)
        source = root.source
        for name in self.traces if source is not None else ():
            assert source is not None
            parent = self._served_memo.get((name, source))
            if (
                parent is not None
                and parent[0] is not root
                and parent[1] == source.place
                and parent[0].source is not source
            ):
                return (*self.path(parent[0], source.place), *own_path[1:])
        return own_path

    def _unsupplied_line(self, unit: PlacedUnit) -> SupplyLine:
        """Return why a unit is out of supply, by the trace that comes closest. The order: within its limit but cut by
        the enemy or from an unsupplied origin; too long; barred by the ground."""
        candidates: list[tuple[bool, Price, int, SupplyLine]] = []
        field, mover = self.field, self.field.mover(unit)
        unit_traces = [
            (name, trace) for name, trace in self.traces.items() if field.holds(trace.for_, mover, to=unit.place)
        ]
        roots = [(name, trace, root) for name, trace in unit_traces for root in self._would(name, unit)]
        for order, (name, trace, root) in enumerate(roots):
            line = self._fails(trace, name, unit, root)
            if line is not None:
                excess = line.needs - line.limit if line.needs is not None and line.limit is not None else Fraction(0)
                candidates.append((excess > 0, excess, order, line))
        if candidates:
            return min(candidates, key=lambda candidate: candidate[:3])[3]
        rules = field.program.rules.supply
        if rules is not None and rules.no_path is not None:
            return SupplyLine(unit, False, text=rules.no_path.text, rule=rules.no_path.rule)
        barred_lines = (self._barred_line(trace, name, unit, root) for name, trace, root in roots)
        return next(
            (line for line in barred_lines if line is not None),
            SupplyLine(unit, False, text="no supply line reaches it"),
        )

    def _would(self, name: str, unit: PlacedUnit) -> Iterable[SupplyRoot]:
        """Yield the roots of a trace that would serve a unit, in supply themselves or not."""
        walk, _, _, serves = self._parts(name)
        field = self.field
        places, _ = self._origin(name)
        if places is not None:
            yield from self.roots(name, unit)
            return
        mover = field.mover(unit, walk.as_)
        stages = {f"by.{stage}": True for stage in self.stages(name)}
        for source in self.own_units:
            if (
                source is not unit
                and self.begins(name, source, stages)
                and self._holds(serves, unit, unit.place, source)
            ):
                evaluator = self._stepper(walk, Mover(mover.side, mover.fields, mover.unit, source))
                yield SupplyRoot(
                    name,
                    source,
                    (source.place,),
                    PathTree({}, {}, {}, 1),
                    evaluator,
                    self._final(walk, evaluator.mover),
                )

    def _fails(self, trace: Trace, name: str, unit: PlacedUnit, root: SupplyRoot) -> SupplyLine | None:
        """Return why a root doesn't reach a unit: the path without the enemy and where it is cut, or that it is too
        long."""
        _, _, max_distance, _ = self._parts(name)
        key = name, root.starts, id(root.stepper.memo), "empty"
        empty = self._stepper(trace, root.stepper.mover, empty=True)
        if key not in self._trees:
            self._trees[key] = search(empty, [n for n in root.starts if empty.start_refusal(n) is None], None)
        without = self._trees[key]
        places = [n for n in self.target_places(unit.place, max_distance) if n in without.best]
        if not places:
            return None
        place = min(places, key=lambda n: without.best[n])
        way = without.way(place)
        limit = self.limit(trace, unit, root.source, unit.place)
        cost = without.best[place]
        path = tuple(n for n, _ in way)
        max_length = None if limit is None else Fraction(limit) / SCALE
        line = SupplyLine(
            unit, False, name, trace.text, trace.rule, root.source, path, needs=Fraction(cost) / SCALE, limit=max_length
        )
        if limit is not None and cost > limit:
            return line
        if root.source is not None and root.source not in self.sources(name, self._origin(name)[1]):
            stage = next((self.traces[stage].rule for stage in self.stages(name)), "")
            return replace(line, idle=True, rule=stage or line.rule)
        cut = []
        first = root.stepper.start_refusal(path[0])
        if first is not None:
            cut.append((path[0], first))
        for n, m in pairwise(path):
            step = next(kind for neighbour, kind in self.field.map_index.neighbours(n) if neighbour == m)
            judge = root.final if root.final is not None and m == path[-1] else root.stepper
            verdicts = [verdict for _, verdict in judge.ways(n, m, step, n == path[0], "")]
            if all(verdict.is_refused for verdict in verdicts):
                record = next((v.rests[0] for v in verdicts if v.rests), None)
                if record is not None:
                    cut.append((m, record))
        return replace(line, cut=tuple(cut))

    def _barred_line(self, trace: Trace, name: str, unit: PlacedUnit, root: SupplyRoot) -> SupplyLine | None:
        """Return what bars a trace even without the enemy, on the path with the fewest refusals."""
        key = name, root.starts, id(root.stepper.memo)
        if key not in self._refusal_searches:
            self._refusal_searches[key] = FewestRefusals(root.stepper, root.starts, counts_refusals=True)
        way, records = self._refusal_searches[key].way(unit.place, root.final), []
        for n, m, judge, step in way:
            if all(verdict.is_refused for _, verdict in judge.ways(n, m, step, n in root.starts, "")):
                records += [(m, record) for record in judge.refusals(n, m, step, n in root.starts)]
        path = (*(n for n, *_ in way), unit.place)
        return (
            SupplyLine(unit, False, name, trace.text, trace.rule, root.source, path, cut=tuple(records))
            if records
            else None
        )


def supply_of(field: Field, side: str) -> SideSupply:
    """Return the supply and the command of a side."""
    return cached_on(field, SideSupply, side)


def supplied_at(field: Field, unit: PlacedUnit, n: int) -> bool:
    """Whether a unit would be in supply in a place."""
    side = supply_of(field, unit.side)
    if side.free(unit, place=n) is not None:
        return True
    return any(side.serve(name, unit, n) is not None for name in side.traces)

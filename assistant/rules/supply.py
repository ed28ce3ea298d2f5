"""Supply and command: traces from where they begin to the units that they serve, in stages if need be."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as data_field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from assistant.rules.amounts import amount
from assistant.rules.field import Alike, Field, Standing, Walker
from assistant.rules.looks import places_where
from assistant.rules.program import Ready
from assistant.rules.walk import SCALE, LeastRefused, Price, Stepper, Tree, search
from scenarios.inputs import Formula
from scenarios.rules.shapes import Command, RuleRecord, Trace, Walk


@dataclass(frozen=True)
class Line:
    """One unit: in or out of supply, by which trace, over which places; or what keeps supply from it."""

    standing: Standing
    supplied: bool
    by: str = ""
    """The trace; empty for a unit that needs none, or that has none."""
    text: str = ""
    rule: str = ""
    source: Standing | None = None
    path: tuple[int, ...] = ()
    """From where it begins to the unit or next to it."""
    cost: Fraction | None = None
    cut: tuple[tuple[int, Ready], ...] = ()
    """Where the way that there would be without the enemy is cut, and by which record."""
    needs: Fraction | None = None
    """How far it is, where that is too far,"""
    limit: Fraction | None = None
    """and how far the trace goes."""
    idle: bool = False
    """Whether the unit that it would come from is out of supply itself."""


@dataclass(frozen=True, eq=False)
class Root:
    """Where a trace begins: places of the map, or a unit; and the ways from there."""

    name: str
    """The trace or headquarters that it is of."""
    source: Standing | None
    starts: tuple[int, ...]
    tree: Tree
    stepper: Stepper
    final: Stepper | None = None
    """Judges the step that comes to the unit, where records tell it from the others."""
    _arrivals: dict[int, tuple[Price, int] | None] = data_field(default_factory=dict)

    @property
    def places(self) -> Mapping[int, int]:
        """The places that it comes to, with their distance in whole points."""
        return {n: int(cost // SCALE) for n, cost in self.tree.best.items()}

    def before(self, place: int) -> int | None:
        """The place before, where only the last step of a way leads into a place."""
        found = self.arrival(place) if place not in self.tree.best else None
        return found[1] if found is not None else None

    def cost(self, place: int) -> Price | None:
        """What it costs to come to a place; None where no way does."""
        cost = self.tree.best.get(place)
        if cost is None and (found := self.arrival(place)) is not None:
            return found[0]
        return cost

    def arrival(self, place: int) -> tuple[Price, int] | None:
        """What it costs to come to a place by the last step of a way, and the place before."""
        if self.final is None:
            return None
        if place not in self._arrivals:
            ends = []
            for n, step in self.stepper.kinds.into(place):
                if n in self.tree.states:
                    for _, verdict in self.final.ways(n, place, step, n in self.starts, ""):
                        if verdict.cost is not None:
                            ends.append((self.tree.best[n] + verdict.cost, n))
            self._arrivals[place] = min(ends, default=None)
        return self._arrivals[place]

    def path(self, place: int) -> tuple[int, ...]:
        """The way to a place from where it begins."""
        before = self.before(place)
        way = tuple(n for n, _ in self.tree.way(place if before is None else before))
        return way if before is None else (*way, place)


class SideSupply:
    """The supply and the command of one side."""

    def __init__(self, field: Field, side: str) -> None:
        self.field, self.side = field, side
        self.mine = field.of(side)
        self._by: dict[tuple[str, Standing], tuple[Root, int] | None] = {}
        self._trees: dict[Any, Tree] = {}
        self._refused: dict[Any, LeastRefused] = {}
        self._held: dict[Any, bool] = {}
        self._touched: dict[tuple[int, int], tuple[int, ...]] = {}
        self._limits: dict[Any, Price | None] = {}
        self._limited: dict[int, tuple[bool, bool]] = {}
        self._roots: dict[Any, tuple[Root, ...]] = {}
        self._roots_of: dict[tuple[str, Alike], tuple[Root, ...]] = {}

    # What was found.

    def found(self, standing: Standing, name: str) -> bool:
        """Whether a unit is `supplied`, `commanded`, or served by a trace or headquarters of a name."""
        rules = self.field.program.rules
        if name == "supplied":
            return self.free(standing) is not None or any(self.found(standing, trace) for trace in self.traces)
        if name == "commanded":
            return self.free(standing, "commanded") is not None or any(
                self.found(standing, command) for command in rules.command
            )
        return self.served(name, standing) is not None

    @cached_property
    def traces(self) -> Mapping[str, Trace]:
        """The traces of supply."""
        supply = self.field.program.rules.supply
        return supply.traces if supply is not None else {}

    def free(self, standing: Standing, what: str = "supplied", at: int | None = None) -> RuleRecord | None:
        """The record by which a unit needs no supply, or no command, where it is or were it in a place."""
        rules, field = self.field.program.rules, self.field
        supply = rules.supply.free if rules.supply is not None else ()
        free = (
            supply if what == "supplied" else [record for command in rules.command.values() for record in command.free]
        )
        for record in free:
            if field.holds(record.when, field.walker(standing), to=standing.at if at is None else at):
                return record
        return None

    def commanders(self, name: str, standing: Standing) -> list[Root]:
        """Every unit of a command (or of a trace that begins with units) that serves a unit."""
        walk, for_, _, serves = self._parts(name)
        field = self.field
        if not field.holds(for_, field.walker(standing), to=standing.at):
            return []
        found = []
        for root in self.roots(name, standing):
            cost, limit = root.cost(standing.at), self.limit(walk, standing, root.source, standing.at)
            near = cost is not None and (limit is None or cost <= limit)
            if near and field.holds(serves, field.walker(standing, None, root.source), to=standing.at):
                found.append(root)
        return found

    def served(self, name: str, standing: Standing) -> tuple[Root, int] | None:
        """What serves a unit where it is, by a trace or headquarters."""
        key = name, standing
        if key not in self._by:
            self._by[key] = None  # a trace that asks for itself is refused at load
            self._by[key] = self.serve(name, standing, standing.at) if standing.side == self.side else None
        return self._by[key]

    def serve(self, name: str, standing: Standing, at: int) -> tuple[Root, int] | None:
        """What serves a unit, were it in a place, by a trace or headquarters: the root, and the place that its way comes to."""
        best: tuple[Price, int, Root, int] | None = None
        for number, (root, touch, limit) in enumerate(self.able(name, standing, at)):
            for place in touch:
                cost = root.cost(place)
                if (
                    cost is not None
                    and (limit is None or cost <= limit)
                    and (best is None or (cost, number) < best[:2])
                ):
                    best = cost, number, root, place
        return None if best is None else best[2:]

    def able(
        self, name: str, standing: Standing, at: int | None = None
    ) -> Iterator[tuple[Root, Collection[int], Price | None]]:
        """The roots that may serve a unit by a trace or headquarters: where their ways have to come to, and how far they go."""
        walk, for_, near, serves = self._parts(name)
        at = standing.at if at is None else at
        if not self._holds(for_, standing, at):
            return
        touch = self.touched(at, near)
        for root in self.roots(name, standing):
            if root.source is None or self._holds(serves, standing, at, root.source):
                yield root, touch, self.limit(walk, standing, root.source, at)

    def _holds(self, formula: Formula | None, standing: Standing, at: int, source: Standing | None = None) -> bool:
        """Whether a condition holds for a unit in a place; asked once for units that are alike, where the place doesn't matter."""
        if formula is None:
            return True
        key = id(formula), standing.alike, source
        held = self._held.get(key)
        if held is None:
            field = self.field
            held = field.holds(formula, field.walker(standing, None, source), to=at)
            if not any(name.startswith(("to.", "by.")) for name in field.program.names(formula)):
                self._held[key] = held
        return held

    def stages(self, name: str) -> tuple[str, ...]:
        """The traces by which the units that a trace begins with have to be in supply themselves."""
        _, units = self._origin(name)
        return tuple(named for named in self.traces if f"by.{named}" in self.field.program.names(units))

    def begins(self, name: str, source: Standing, values: Mapping[str, Any]) -> bool:
        """Whether a trace begins with a unit, if some names had these values, such as `by.edge`."""
        _, units = self._origin(name)
        return self.field.holds(units, self.field.walker(source), values, to=source.at)

    def touched(self, at: int, near: int) -> Collection[int]:
        """The places that a trace may come to: the unit's own, and those so near to it."""
        key = at, near
        if key not in self._touched:
            kinds, edge = self.field.kinds, [at]
            found = dict.fromkeys(edge)
            for _ in range(near):
                edge = [m for n in edge for m, _ in kinds.near(n) if m not in found]
                found |= dict.fromkeys(edge)
            self._touched[key] = tuple(found)
        return self._touched[key]

    def _parts(self, name: str) -> tuple[Walk, Formula | None, int, Formula | None]:
        rules = self.field.program.rules
        if name in self.traces:
            trace = self.traces[name]
            return trace, trace.for_, trace.near, trace.from_.serves
        command: Command = rules.command[name]
        return command, None, 0, command.serves

    # Where traces begin.

    def roots(self, name: str, standing: Standing) -> Sequence[Root]:
        """The roots of a trace as a unit finds them: units that are alike in what the trace asks find the same."""
        alike = name, standing.alike
        if alike not in self._roots_of:
            walk, *_ = self._parts(name)
            walker = self.field.walker(standing, walk.as_)
            key = name, tuple([(one, walker.fields.get(one)) for one in self._walker_names(name)])
            if key not in self._roots:
                self._roots[key] = tuple(self._found_roots(name, walk, walker))
            self._roots_of[alike] = self._roots[key]
        return self._roots_of[alike]

    def _walker_names(self, name: str) -> tuple[str, ...]:
        """The fields of a unit that the ways of a trace depend on."""
        if name not in self._asked:
            program, (walk, *_) = self.field.program, self._parts(name)
            found = set(program.ready(walk.steps).uses.walker)
            for formula in (*walk.modes.values(), *self._origin(name)[:1]):
                found |= program.names(formula)
            fields = {one.removeprefix("unit.") for one in found if "." not in one or one.startswith("unit.")}
            self._asked[name] = tuple(sorted(fields))
        return self._asked[name]

    @cached_property
    def _asked(self) -> dict[str, tuple[str, ...]]:
        return {}

    def _origin(self, name: str) -> tuple[Formula | None, Formula | None]:
        """The condition of the places where a trace begins, and of the units."""
        if name in self.traces:
            return self.traces[name].from_.places, self.traces[name].from_.units
        return None, self.field.program.rules.command[name].of

    def _found_roots(self, name: str, walk: Walk, walker: Walker) -> Iterable[Root]:
        places, units = self._origin(name)
        if places is not None:
            starts = places_where(self.field, places, Walker(walker.side, walker.fields, None, walker.source))
            stepper = self._stepper(walk, walker)
            open_ = tuple(n for n in starts if stepper.entered(n) is None)
            yield Root(
                name,
                None,
                starts,
                search(stepper, open_, self._farthest(walk)),
                stepper,
                self._final(walk, stepper.walker),
            )
            return
        for source in self.sources(name, units):
            stepper = self._stepper(walk, Walker(walker.side, walker.fields, walker.standing, source))
            limit = self.limit(walk, None, source, source.at)
            open_ = (source.at,) if stepper.entered(source.at) is None else ()
            key = id(stepper.memo), source.at, limit
            if key not in self._trees:
                self._trees[key] = search(stepper, open_, limit)
            yield Root(name, source, (source.at,), self._trees[key], stepper, self._final(walk, stepper.walker))

    def sources(self, name: str, units: Formula | None) -> tuple[Standing, ...]:
        """The units that a trace begins with."""
        if name not in self._sources:
            field = self.field
            self._sources[name] = tuple(s for s in self.mine if field.holds(units, field.walker(s), to=s.at))
        return self._sources[name]

    @cached_property
    def _sources(self) -> dict[str, tuple[Standing, ...]]:
        return {}

    def _stepper(self, walk: Walk, walker: Walker, *, empty: bool = False, last: bool = False) -> Stepper:
        # The walker isn't in its place: it comes from where the trace begins, and the unit is a friend on its way.
        free = Walker(walker.side, walker.fields, None, walker.source)
        ready = self.field.program.ready(walk.steps)
        more = {"last": True} if last else None
        return Stepper(self.field, ready, free, modes=walk.modes, priced=bool(walk.allowance), empty=empty, more=more)

    def _final(self, walk: Walk, walker: Walker, *, empty: bool = False) -> Stepper | None:
        """Who judges the step that comes to the unit, where a record asks for it."""
        asked = "last" in self.field.program.ready(walk.steps).uses.step
        return self._stepper(walk, walker, empty=empty, last=True) if asked else None

    def _farthest(self, walk: Walk) -> Price | None:
        """The farthest that a trace goes to any unit of the side, in parts of a point; None where there is no limit."""
        if not (walk.length or walk.allowance):
            return None
        limits = [self.limit(walk, standing, None, standing.at) for standing in self.mine]
        return None if None in limits else max((limit for limit in limits if limit is not None), default=None)

    def limit(self, walk: Walk, standing: Standing | None, source: Standing | None, at: int) -> Price | None:
        """How far a trace goes, in parts of a point; None where there is no limit, or it depends on whom it serves."""
        records = walk.length or walk.allowance
        if not records:
            return None
        if id(records) not in self._limited:
            uses = self.field.program.ready(records).uses
            known = all(name.startswith(("source.", "ruling.", "effect", "told.")) for name in uses.walker)
            self._limited[id(records)] = known, any(name.startswith("by.") for name in uses.walker) or bool(uses.to)
        known, about_place = self._limited[id(records)]
        if standing is None and not known:
            return None
        key = id(records), None if known else standing and standing.alike, source, at if about_place else None
        if key not in self._limits:
            assert standing is not None or source is not None
            walker = (
                self.field.walker(standing, walk.as_, source)
                if standing
                else Walker(self.side, source.fields, None, source)  # type: ignore[union-attr]
            )
            scaled = amount(self.field, records, walker, to=at).most * SCALE
            self._limits[key] = int(scaled) if scaled == int(scaled) else scaled
        return self._limits[key]

    # What is told of it.

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Every unit with its supply."""
        return tuple(self.line(standing) for standing in self.mine)

    def line(self, standing: Standing) -> Line:
        """How a unit stands with its supply."""
        free = self.free(standing)
        if free is not None:
            return Line(standing, True, text=free.text, rule=free.rule)
        served = [(name, *one) for name in self.traces if (one := self.served(name, standing)) is not None]
        if not served:
            return self._out(standing)
        rules = self.field.program.rules.supply
        if rules is not None and rules.prefer == "cheapest":
            served.sort(key=lambda one: one[1].cost(one[2]) or 0)
        name, root, place = served[0]
        trace, cost = self.traces[name], Fraction(root.cost(place) or 0) / SCALE
        return Line(standing, True, name, trace.text, trace.rule, root.source, self.path(root, place), cost)

    def path(self, root: Root, place: int) -> tuple[int, ...]:
        """The way to a place, from the very first source of its stages."""
        own = root.path(place)
        source = root.source
        for name in self.traces if source is not None else ():
            assert source is not None
            parent = self._by.get((name, source))
            if (
                parent is not None
                and parent[0] is not root
                and parent[1] == source.at
                and parent[0].source is not source
            ):
                return (*self.path(parent[0], source.at), *own[1:])
        return own

    def _out(self, standing: Standing) -> Line:
        """Why a unit is out of supply. Of the traces it might have, the one that fails least: within its limit, but cut by the enemy
        or from a source that is out of supply; then too long; then barred by the ground."""
        found: list[tuple[bool, Price, int, Line]] = []
        field, walker = self.field, self.field.walker(standing)
        able = [(name, trace) for name, trace in self.traces.items() if field.holds(trace.for_, walker, to=standing.at)]
        roots = [(name, trace, root) for name, trace in able for root in self._would(name, standing)]
        for order, (name, trace, root) in enumerate(roots):
            line = self._fails(trace, name, standing, root)
            if line is not None:
                over = line.needs - line.limit if line.needs is not None and line.limit is not None else Fraction(0)
                found.append((over > 0, over, order, line))
        if found:
            return min(found, key=lambda one: one[:3])[3]
        rules = field.program.rules.supply
        if rules is not None and rules.none is not None:
            return Line(standing, False, text=rules.none.text, rule=rules.none.rule)
        barred = (self._barred(trace, name, standing, root) for name, trace, root in roots)
        return next((line for line in barred if line is not None), Line(standing, False, text="no trace leads to it"))

    def _would(self, name: str, standing: Standing) -> Iterable[Root]:
        """The roots of a trace that would serve a unit, in supply themselves or not."""
        walk, _, _, serves = self._parts(name)
        field = self.field
        places, _ = self._origin(name)
        if places is not None:
            yield from self.roots(name, standing)
            return
        walker = field.walker(standing, walk.as_)
        stages = {f"by.{stage}": True for stage in self.stages(name)}
        for source in self.mine:
            if (
                source is not standing
                and self.begins(name, source, stages)
                and self._holds(serves, standing, standing.at, source)
            ):
                stepper = self._stepper(walk, Walker(walker.side, walker.fields, walker.standing, source))
                yield Root(name, source, (source.at,), Tree({}, {}, {}, 1), stepper, self._final(walk, stepper.walker))

    def _fails(self, trace: Trace, name: str, standing: Standing, root: Root) -> Line | None:
        """Why a root doesn't reach a unit: the way there would be without the enemy, and where it is cut; or that it is too long."""
        _, _, near, _ = self._parts(name)
        key = name, root.starts, id(root.stepper.memo), "empty"
        empty = self._stepper(trace, root.stepper.walker, empty=True)
        if key not in self._trees:
            self._trees[key] = search(empty, [n for n in root.starts if empty.entered(n) is None], None)
        without = self._trees[key]
        places = [n for n in self.touched(standing.at, near) if n in without.best]
        if not places:
            return None
        place = min(places, key=lambda n: without.best[n])
        way = without.way(place)
        limit = self.limit(trace, standing, root.source, standing.at)
        cost = without.best[place]
        path = tuple(n for n, _ in way)
        most = None if limit is None else Fraction(limit) / SCALE
        line = Line(
            standing, False, name, trace.text, trace.rule, root.source, path, needs=Fraction(cost) / SCALE, limit=most
        )
        if limit is not None and cost > limit:
            return line
        if root.source is not None and root.source not in self.sources(name, self._origin(name)[1]):
            stage = next((self.traces[stage].rule for stage in self.stages(name)), "")
            return replace(line, idle=True, rule=stage or line.rule)
        cut = []
        first = root.stepper.entered(path[0])
        if first is not None:
            cut.append((path[0], first))
        for n, m in pairwise(path):
            step = next(kind for other, kind in self.field.kinds.near(n) if other == m)
            judge = root.final if root.final is not None and m == path[-1] else root.stepper
            verdicts = [verdict for _, verdict in judge.ways(n, m, step, n == path[0], "")]
            if all(verdict.refused for verdict in verdicts):
                record = next((v.rests[0] for v in verdicts if v.rests), None)
                if record is not None:
                    cut.append((m, record))
        return replace(line, cut=tuple(cut))

    def _barred(self, trace: Trace, name: str, standing: Standing, root: Root) -> Line | None:
        """What bars a trace that wouldn't come even without the enemy: on the way that is barred least often."""
        key = name, root.starts, id(root.stepper.memo)
        if key not in self._refused:
            self._refused[key] = LeastRefused(root.stepper, root.starts, weighed=True)
        way, records = self._refused[key].way(standing.at, root.final), []
        for n, m, judge, step in way:
            if all(verdict.refused for _, verdict in judge.ways(n, m, step, n in root.starts, "")):
                records += [(m, record) for record in judge.refusals(n, m, step, n in root.starts)]
        path = (*(n for n, *_ in way), standing.at)
        return (
            Line(standing, False, name, trace.text, trace.rule, root.source, path, cut=tuple(records))
            if records
            else None
        )


def supplied_at(field: Field, standing: Standing, n: int) -> bool:
    """Whether a unit would be in supply in a place."""
    side = field.supply(standing.side)
    if side.free(standing, at=n) is not None:
        return True
    return any(side.serve(name, standing, n) is not None for name in side.traces)

"""Supply and command: traces from where they begin to the units that they serve, in stages if need be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from assistant.rules.amounts import amount
from assistant.rules.field import Field, Standing, Walker
from assistant.rules.program import Ready
from assistant.rules.walk import SCALE, Price, Stepper, Tree, search
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


@dataclass(frozen=True, eq=False)
class Root:
    """Where a trace begins: places of the map, or a unit; and the ways from there."""

    source: Standing | None
    starts: tuple[int, ...]
    tree: Tree
    stepper: Stepper


class SideSupply:
    """The supply and the command of one side."""

    def __init__(self, field: Field, side: str) -> None:
        self.field, self.side = field, side
        self.mine = field.of(side)
        self._by: dict[str, dict[Standing, tuple[Root, int]]] = {}
        self._trees: dict[Any, Tree] = {}

    # What was found.

    def found(self, standing: Standing, name: str) -> bool:
        """Whether a unit is `supplied`, `commanded`, or served by a trace or headquarters of a name."""
        rules = self.field.program.rules
        if name == "supplied":
            return self.free(standing) is not None or any(self.found(standing, trace) for trace in self.traces)
        if name == "commanded":
            return any(self.found(standing, command) for command in rules.command)
        return standing in self.served(name)

    @cached_property
    def traces(self) -> Mapping[str, Trace]:
        """The traces of supply."""
        supply = self.field.program.rules.supply
        return supply.traces if supply is not None else {}

    def free(self, standing: Standing) -> RuleRecord | None:
        """The record by which a unit needs no supply."""
        supply, field = self.field.program.rules.supply, self.field
        for record in supply.free if supply is not None else ():
            if field.holds(record.when, field.walker(standing), to=standing.at):
                return record
        return None

    def served(self, name: str) -> Mapping[Standing, tuple[Root, int]]:
        """Whom a trace or a headquarters serves: from where, and the place it comes to."""
        if name not in self._by:
            self._by[name] = {}  # a trace that asks for itself is refused at load
            found = {}
            for standing in self.mine:
                served = self.serve(name, standing, standing.at)
                if served is not None:
                    found[standing] = served
            self._by[name] = found
        return self._by[name]

    def serve(self, name: str, standing: Standing, at: int) -> tuple[Root, int] | None:
        """What serves a unit, were it in a place, by a trace or headquarters."""
        walk, for_, near, serves = self._parts(name)
        field = self.field
        if not field.holds(for_, field.walker(standing), to=at):
            return None
        best: tuple[Price, int, Root, int] | None = None
        for number, root in enumerate(self.roots(name, standing)):
            if root.source is not None and not field.holds(serves, field.walker(standing, None, root.source), to=at):
                continue
            limit = self.limit(walk, standing, root.source, at)
            costs = root.tree.best
            for place in self.touched(at, near):
                cost = costs.get(place)
                if cost is not None and (limit is None or cost <= limit) and (best is None or (cost, number) < best[:2]):
                    best = cost, number, root, place
        return None if best is None else best[2:]

    def touched(self, at: int, near: int) -> Iterable[int]:
        """The places that a trace may come to: the unit's own, and those so near to it."""
        kinds, edge = self.field.kinds, [at]
        found = dict.fromkeys(edge)
        for _ in range(near):
            edge = [m for n in edge for m, _ in kinds.near(n) if m not in found]
            found |= dict.fromkeys(edge)
        return found

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
        walk, *_ = self._parts(name)
        field = self.field
        walker = field.walker(standing, walk.as_)
        names = self._walker_names(name)
        key = name, tuple([(one, walker.fields.get(one)) for one in names])
        if key not in self._roots:
            self._roots[key] = tuple(self._found_roots(name, walk, walker))
        return self._roots[key]

    @cached_property
    def _roots(self) -> dict[Any, tuple[Root, ...]]:
        return {}

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
            starts = self._starts(places, walker)
            stepper = self._stepper(walk, walker)
            open_ = tuple(n for n in starts if stepper.entered(n) is None)
            yield Root(None, starts, search(stepper, open_, None), stepper)
            return
        for source in self.sources(name, units):
            stepper = self._stepper(walk, Walker(walker.side, walker.fields, walker.standing, source))
            limit = self.limit(walk, None, source, source.at)
            open_ = (source.at,) if stepper.entered(source.at) is None else ()
            key = id(stepper.memo), source.at, limit
            if key not in self._trees:
                self._trees[key] = search(stepper, open_, limit)
            yield Root(source, (source.at,), self._trees[key], stepper)

    def sources(self, name: str, units: Formula | None) -> tuple[Standing, ...]:
        """The units that a trace begins with."""
        if name not in self._sources:
            field = self.field
            self._sources[name] = tuple(s for s in self.mine if field.holds(units, field.walker(s), to=s.at))
        return self._sources[name]

    @cached_property
    def _sources(self) -> dict[str, tuple[Standing, ...]]:
        return {}

    def _starts(self, places: Formula, walker: Walker) -> tuple[int, ...]:
        """The places where a trace begins, asked once for each kind of place and what is in it."""
        field, kinds = self.field, self.field.kinds
        names = {one.partition(".")[2] for one in field.program.names(places) if one.startswith("to.")}
        position = tuple(sorted(names & kinds.position_names))
        special = tuple(sorted(names & kinds.walker_names))
        looks = field.seen(walker.side, position) if position else {}
        known: dict[Any, bool] = {}
        found = []
        for n in range(len(kinds.places)):
            key = kinds.kind(n), looks.get(n, 0), tuple([field.of_walker(walker, n, one) for one in special])
            if key not in known:
                known[key] = field.holds(places, walker, to=n)
            if known[key]:
                found.append(n)
        return tuple(found)

    def _stepper(self, walk: Walk, walker: Walker, *, empty: bool = False) -> Stepper:
        # The walker isn't in its place: it comes from where the trace begins, and the unit is a friend on its way.
        free = Walker(walker.side, walker.fields, None, walker.source)
        ready = self.field.program.ready(walk.steps)
        return Stepper(self.field, ready, free, modes=walk.modes, priced=bool(walk.allowance), empty=empty)

    def limit(self, walk: Walk, standing: Standing | None, source: Standing | None, at: int) -> Price | None:
        """How far a trace goes, in parts of a point; None where there is no limit, or it depends on whom it serves."""
        records = walk.length or walk.allowance
        if not records:
            return None
        field = self.field
        uses = field.program.ready(records).uses.walker
        if standing is None:
            if any("." not in name or not name.startswith(("source.", "ruling.", "effect", "told.")) for name in uses):
                return None
            assert source is not None
            walker = Walker(self.side, source.fields, None, source)
        else:
            walker = field.walker(standing, walk.as_, source)
        worked = amount(field, records, walker, to=at)
        scaled = worked.most * SCALE
        return int(scaled) if scaled == int(scaled) else scaled

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
        for name, trace in self.traces.items():
            served = self.served(name).get(standing)
            if served is not None:
                root, place = served
                path = self.path(root, place)
                cost = Fraction(root.tree.best[place]) / SCALE
                return Line(standing, True, name, trace.text, trace.rule, root.source, path, cost)
        return self._out(standing)

    def path(self, root: Root, place: int) -> tuple[int, ...]:
        """The way to a place, from the very first source of its stages."""
        own = tuple(n for n, _ in root.tree.way(place))
        source = root.source
        for name in self.traces if source is not None else ():
            assert source is not None
            parent = self._by.get(name, {}).get(source)
            if parent is not None and parent[0] is not root and parent[1] == source.at and parent[0].source is not source:
                return (*self.path(parent[0], source.at), *own[1:])
        return own

    def _out(self, standing: Standing) -> Line:
        """Why a unit is out of supply: of the traces it might have, the one that fails least."""
        found: list[tuple[int, Price, int, Line]] = []
        field = self.field
        for order, (name, trace) in enumerate(self.traces.items()):
            if not field.holds(trace.for_, field.walker(standing), to=standing.at):
                continue
            for root in self._would(name, standing):
                line = self._fails(trace, name, standing, root)
                if line is not None:
                    found.append((0 if line.cut else 1, line.needs or 0, order, line))
        if not found:
            return Line(standing, False, text="no trace leads to it")
        return min(found, key=lambda one: one[:3])[3]

    def _would(self, name: str, standing: Standing) -> Iterable[Root]:
        """The roots of a trace that serve a unit, in supply themselves or not."""
        walk, _, _, serves = self._parts(name)
        field = self.field
        places, units = self._origin(name)
        if places is not None:
            yield from self.roots(name, standing)
            return
        walker = field.walker(standing, walk.as_)
        for source in self.sources(name, units):
            if serves is None or field.holds(serves, field.walker(standing, None, source), to=standing.at):
                stepper = self._stepper(walk, Walker(walker.side, walker.fields, walker.standing, source))
                yield Root(source, (source.at,), Tree({}, {}, {}, 1), stepper)

    def _fails(self, trace: Trace, name: str, standing: Standing, root: Root) -> Line | None:
        """Why a root doesn't reach a unit: the way there would be without the enemy, cut where he is; or too long."""
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
        if limit is not None and cost > limit:
            return Line(
                standing, False, name, trace.text, trace.rule, root.source, path, needs=Fraction(cost) / SCALE,
                limit=Fraction(limit) / SCALE,
            )  # fmt: skip
        cut = []
        first = root.stepper.entered(path[0])
        if first is not None:
            cut.append((path[0], first))
        for n, m in pairwise(path):
            step = next(kind for other, kind in self.field.kinds.near(n) if other == m)
            verdicts = [verdict for _, verdict in root.stepper.ways(n, m, step, n == path[0], "")]
            if all(verdict.refused for verdict in verdicts):
                record = next((v.rests[0] for v in verdicts if v.rests), None)
                if record is not None:
                    cut.append((m, record))
        return Line(standing, False, name, trace.text, trace.rule, root.source, path, cut=tuple(cut))


def supplied_at(field: Field, standing: Standing, n: int) -> bool:
    """Whether a unit would be in supply in a place."""
    side = field.supply(standing.side)
    if side.free(standing) is not None:
        return True
    return any(side.serve(name, standing, n) is not None for name in side.traces)

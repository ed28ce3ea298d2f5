"""Movement: where a unit can go, for what, where it has to stop, where it may end; and why it can't get somewhere."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from assistant.answers import BadQuestion
from assistant.rules.amounts import Worked, amount
from assistant.rules.asked import Asked, TableCell, of_walker
from assistant.rules.field import Field, Standing, Walker
from assistant.rules.looks import look
from assistant.rules.program import Ready, ReadyList
from assistant.rules.stacking import failures
from assistant.rules.walk import MOST_COST, SCALE, LeastRefused, Price, Stepper, Tree, Verdict, judged, search
from scenarios.expressions import EvaluationError
from scenarios.rules.shapes import Walk


class Leg(NamedTuple):
    """A place on a way, what it cost to get there from the one before, and the records that say so."""

    place: int
    cost: Fraction | None
    rests: tuple[Ready, ...] = ()
    cells: frozenset[TableCell] = frozenset()
    parts: tuple[tuple[Ready, Fraction], ...] = ()
    mode: str = ""
    harm: int = 0


class Reason(NamedTuple):
    """Why something can't be: the record that says so (none where no record does), in which place, and more in words."""

    record: Ready | None
    place: int | None = None
    needs: Fraction | None = None
    """How many points it would take, where points are what is missing."""
    kind: str = ""
    """who, end, step, stop, points, back, none."""


@dataclass(frozen=True, eq=False)
class Reach:
    """Where a unit can go."""

    field: Field
    standing: Standing
    walk: Walk
    allowance: Worked | None
    """The points it has; None where its walk has no limit."""
    costs: Mapping[int, Fraction]
    """What it costs to get to each place, the cheapest way."""
    stops: Mapping[int, Ready]
    """Places where something stops it, and what."""
    barred: Mapping[int, tuple[Ready, ...]]
    """Places that it can get to but where it may not end, and why."""
    tree: Tree
    stepper: Stepper
    refused: tuple[Ready, ...] = ()
    """Why it can't walk at all."""
    least: Mapping[int, tuple[int, Verdict]] = dataclasses.field(default_factory=dict)
    """Places it gets to only because a unit can always go so far: the place before, and the verdict."""

    @cached_property
    def cells(self) -> frozenset[TableCell]:
        """The cells of tables that its points and the prices of the cheapest ways rest on."""
        found = set(self.allowance.cells) if self.allowance is not None else set[TableCell]()
        found.update(cell for _, verdict in self.least.values() for cell in verdict.cells)
        seen: set[int] = set()
        for place in self.tree.best:
            stopped = self.tree.stopped(place)
            state: int | None = self.tree.states.get(place)
            if stopped is not None:
                found |= stopped.cells
                state = self.tree.leaves[place][1]
            while state is not None and state not in seen:
                seen.add(state)
                before = self.tree.before.get(state)
                found |= before[1].cells if before is not None else frozenset()
                state = before[0] if before is not None else None
        return frozenset(found)

    @property
    def barred_by(self) -> Ready | None:
        """The one record that forbids every first step, where one does."""
        start, stepper = self.standing.at, self.stepper
        verdicts = [v for m, step in self.field.kinds.near(start) for _, v in stepper.ways(start, m, step, True, "")]
        records = {v.rests[0] if v.refused and v.rests else None for v in verdicts}
        return records.pop() if len(records) == 1 else None

    @property
    def returns(self) -> bool:
        """Whether a way leads back to where it began."""
        start, modes = self.standing.at, self.tree.modes
        return start in self.tree.leaves or any(start * modes + mode in self.tree.before for mode in range(modes))

    @property
    def ends(self) -> frozenset[int]:
        """Where it may end."""
        return frozenset(self.costs.keys() - self.barred.keys())

    def chance(self, place: int) -> Fraction:
        """The chance that its points suffice."""
        if self.allowance is None or place in self.least:
            return Fraction(1)
        cost = self.costs[place]
        return sum((chance for points, chance in self.allowance.chances.items() if points >= cost), Fraction(0))

    def path(self, place: int) -> tuple[int, ...]:
        """The places of the cheapest way to a place that it reaches."""
        if place in self.least:
            return (*self.path(self.least[place][0]), place)
        return tuple([n for n, _ in self.tree.way(place)])

    def way(self, place: int) -> tuple[Leg, ...]:
        """The cheapest way to a place that it reaches."""
        if place in self.least:
            before, verdict = self.least[place]
            cost = self.costs[place] - self.costs[before]
            return (
                *self.way(before),
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
                price = Fraction(self.allowance.most)
            legs.append(
                Leg(n, price) if verdict_or_none is None else Leg(n, price, *verdict_or_none[4:], verdict_or_none.harm)
            )
        return tuple(legs)

    @cached_property
    def acts(self) -> Mapping[str, Mapping[int, Fraction]]:
        """What it could do on its way: in which places, and the points that it would have left. Loading isn't told here."""
        found: dict[str, Mapping[int, Fraction]] = {}
        rules = self.field.program.rules
        for name, act in rules.acts.items():
            if (
                not act.cargo
                and not self.refused
                and (not act.of or any(rules.movement.get(walk) is self.walk for walk in act.of))
            ):
                left: dict[int, Fraction] = {}
                for places in self.acting(name).values():
                    left |= {m: points for m, points in places.items() if m not in left or points > left[m]}
                found[name] = left
        return found

    def acting(self, name: str) -> Mapping[int, Mapping[int, Fraction]]:
        """From where it could do an act, in which places, and the points that it would have left."""
        field, act = self.field, self.field.program.rules.acts[name]
        records, near, start = field.program.ready(act.steps), field.kinds.near, self.standing.at
        stepper = Stepper(field, records, self.stepper.walker, start=start, more={"distance": 1}, priced=True)
        points = Fraction(self.allowance.most) if self.allowance is not None else None
        able: dict[int, bool] = {}
        found: dict[int, dict[int, Fraction]] = {}
        base = self.avoiding(act.without)
        for n, cost in base.costs.items():
            taken = min(cost, points) if points is not None and n in base.least else cost
            for m, step in near(n) if act.where != "here" else ():
                if m not in able:
                    able[m] = stepper.entered(m) is None
                if able[m] and (
                    act.where != "into"
                    or any(not way.refused for _, way in self.stepper.ways(n, m, step, n == start, ""))
                ):
                    self._could(found, stepper.verdict(n, m, step, n == start), n, m, taken, points)
            if act.where in ("here", "near"):
                asked = Asked(
                    field, stepper.walker, {"from": n, "to": n, "start": start}, {"first": n == start, "distance": 0}
                )
                self._could(found, judged(field, records.records, asked, priced=True), n, n, taken, points)
        return found

    def _could(
        self,
        found: dict[int, dict[int, Fraction]],
        verdict: Verdict,
        n: int,
        m: int,
        taken: Fraction,
        points: Fraction | None,
    ) -> None:
        """Note an act that can be done, if it can be paid."""
        cost = verdict.cost
        if verdict.takes_all and n == self.standing.at and points:
            cost = points * SCALE
        if cost is not None:
            left = (points or 0) - taken - Fraction(cost) / SCALE
            if points is None or left >= 0:
                found.setdefault(n, {})[m] = Fraction(left)

    def avoiding(self, modes: Collection[str]) -> Reach:
        """Where it can go without some modes."""
        verdicts = [verdict for _, verdict in self.tree.before.values()] + [
            verdict for _, _, verdict in self.tree.leaves.values()
        ]
        used = {verdict.mode for verdict in (*verdicts, *(verdict for _, verdict in self.least.values()))} & {*modes}
        moves = self.field.program.rules.movement
        name = next((name for name, walk in moves.items() if walk is self.walk), None)
        return reach(self.field, self.standing, name, without=modes) if used and name is not None else self

    def way_cells(self, place: int) -> tuple[frozenset[TableCell], ...]:
        """The cells of tables that its points and the prices of a way rest on."""
        return (
            self.allowance.cells if self.allowance is not None else frozenset(),
            *(leg.cells for leg in self.way(place)),
        )

    @cached_property
    def _limit(self) -> Price | None:
        return None if self.allowance is None else _scaled(self.allowance.most)

    def why_not(self, place: int) -> Reason | None:
        """Why it doesn't get to a place, or may not end there; None if it does and may.

        In this order: it may not walk; the place is no end; no step leads in; something stops it on the way; it has
        too few points; a way is refused further back.
        """
        if self.refused:
            return Reason(self.refused[0], kind="who")
        if place in self.costs and place not in self.barred:
            return None
        if place in self.barred:
            return Reason(self.barred[place][0], place, kind="end")
        walker = self.stepper.walker
        forbidden = end_failures(self.field, self.walk, walker, place, self.standing.at, {})
        if forbidden:
            return Reason(forbidden[0], place, kind="end")
        refused = self._beside(place) or self._into(place)
        if refused is not None:
            return refused
        kinds = self.field.kinds
        free = search(self.stepper, [self.standing.at], None, stops=False, whole=self._limit)
        best = free.best
        if place in best:
            open_ = search(self.stepper, [self.standing.at], None, whole=self._limit)
            if self._limit is None or best[place] <= self._limit or place not in open_.best:
                for n, verdict in free.way(place)[:-1]:
                    if verdict is not None and (verdict.stop is not None or verdict.takes_all):
                        return Reason(verdict.stop or verdict.rests[-1], n, kind="stop")
            return Reason(None, place, Fraction(open_.best.get(place, best[place])) / SCALE, "points")
        empty = Stepper(
            self.field,
            self.stepper.steps,
            walker,
            modes=self.walk.modes,
            start=self.stepper.start,
            more=self.stepper.more,
            priced=self.stepper.priced,
            empty=True,
        )
        without = search(empty, [self.standing.at], None, stops=False, whole=self._limit)
        way = without.way(place) if place in without.best else []
        for (n, _), (m, _) in pairwise(way):
            step = next(kind for other, kind in kinds.near(n) if other == m)
            verdicts = [v for _, v in self.stepper.ways(n, m, step, n == self.standing.at, "")]
            if all(verdict.refused for verdict in verdicts):
                return Reason(_refusal(verdicts), m, kind="back")
        return self._least_refused(place)

    def _least_refused(self, place: int) -> Reason:
        """The first refusal on the way that meets the fewest: for a place that no way leads to, enemy or not."""
        start = self.standing.at
        for n, m, stepper, step in LeastRefused(self.stepper, [start]).way(place):
            verdicts = [verdict for _, verdict in stepper.ways(n, m, step, n == start, "")]
            if all(verdict.refused for verdict in verdicts) and (record := _refusal(verdicts)) is not None:
                return Reason(record, m, kind="step" if m == place else "back")
            whole = next((verdict for verdict in verdicts if verdict.takes_all), None)
            if whole is not None and n != start and all(verdict.refused or verdict.takes_all for verdict in verdicts):
                return Reason(next(one for one in reversed(whole.rests) if one.takes_all), m, kind="whole")
        return Reason(None, place, kind="none")

    def _beside(self, place: int) -> Reason | None:
        """The record that keeps the unit from a place right next to it."""
        start = self.standing.at
        for m, step in self.field.kinds.near(start):
            if m == place:
                verdicts = [verdict for _, verdict in self.stepper.ways(start, place, step, True, "")]
                record = _refusal(verdicts) if all(verdict.refused for verdict in verdicts) else None
                return Reason(record, place, kind="step") if record is not None else None
        return None

    def _into(self, place: int) -> Reason | None:
        """The record that keeps every step out of a place: of the step that lies nearest."""
        kinds, start = self.field.kinds, self.standing.at
        found: list[tuple[bool, int, Reason]] = []
        for n, _ in kinds.near(place):
            step = next((kind for other, kind in kinds.near(n) if other == place), None)
            if step is None:
                continue
            verdicts = [verdict for _, verdict in self.stepper.ways(n, place, step, n == start, "")]
            if not all(verdict.refused for verdict in verdicts):
                return None
            found.append(
                (n not in self.costs, kinds.distance(start, n), Reason(_refusal(verdicts), place, kind="step"))
            )
        return min(found, key=lambda one: one[:2])[2] if found else Reason(None, place, kind="none")


def reason(found: Reach, why: Reason, *, ruled: bool = True) -> str:
    """A reason in words, with its rule or without."""
    name = found.field.kinds.title
    where = name(why.place) if why.place is not None else ""
    text, rule = (why.record.text, f" ({why.record.rule})") if why.record is not None else ("", "")
    rule = rule if ruled and why.record is not None and why.record.rule else ""
    if why.kind == "points" and ruled and found.walk.rule:
        rule = f" ({found.walk.rule})"
    match why.kind:
        case "who" | "end" | "step":
            return f"{text or 'no rule gives the step a price'}{rule}"
        case "stop":
            return f"{text} stops it in {where}{rule}"
        case "points":
            return f"it is {why.needs} points away and there are {found.allowance.most if found.allowance is not None else 0}{rule}"
        case "whole":
            return f"{text}, so only from the next place to {where}{rule}"
        case "back":
            return f"the way is barred at {where}: {text}{rule}"
        case _:
            return "no way leads there"


def _refusal(verdicts: Sequence[Verdict]) -> Ready | None:
    """The record that refuses a step, if one does."""
    return next(
        (verdict.rests[0] for verdict in verdicts if verdict.rests and verdict.rests[0].effect == "forbid"), None
    )


def _scaled(points: Fraction | int) -> Price:
    scaled = points * SCALE
    return int(scaled) if scaled == int(scaled) else scaled


def gate_failures(field: Field, gates: ReadyList, asked: Asked) -> tuple[Ready, ...]:
    """The records that forbid; where a list allows, one that allows has to hold."""
    found, allowing, allowed = [], [], False
    for record in gates.records:
        try:
            holds = record.when is None or record.when(asked, field.program.lookup, None) is True
        except EvaluationError as error:
            raise BadQuestion(f"{error} (in {record.text!r})") from None
        if record.effect == "forbid" and holds:
            found.append(record)
        if record.effect == "allow":
            allowing.append(record)
            allowed = allowed or holds
    return tuple(found if allowed or not allowing else [*found, allowing[0]])


def end_failures(
    field: Field,
    walk: Walk,
    walker: Walker,
    n: int,
    start: int,
    more: Mapping[str, object],
    *,
    room: bool = True,
    gone: Sequence[Standing] = (),
) -> tuple[Ready, ...]:
    """Why a walk may not end in a place; empty if it may. `gone` have left their places."""
    gates = field.program.ready(walk.ends)
    found: tuple[Ready, ...] = ()
    if gates.records:
        found = gate_failures(field, gates, Asked(field, walker, {"to": n, "start": start}, more))
    return (*found, *failures(field, walker, n, gone)) if gates.stacking and room else found


def walk_named(walks: Mapping[str, Walk], name: str, section: str) -> Walk:
    """A walk of a section by its id; the first, if none is named."""
    if not walks:
        verb = {"movement": "move", "retreat": "retreat", "advance": "advance"}.get(section, section)
        raise BadQuestion(f"this pack doesn't say how units {verb}; add `rules.{section}` (docs/packs.md)")
    if not name:
        return next(iter(walks.values()))
    if name not in walks:
        from scenarios.reading.findings import instead

        raise BadQuestion(f"there is no kind of {section} {name!r}; {instead(name, walks)}")
    return walks[name]


def reach(
    field: Field,
    standing: Standing,
    name: str = "",
    *,
    section: str = "movement",
    result: int | None = None,
    without: Collection[str] = (),
    unharmed: bool = False,
) -> Reach:
    """Where a unit can go by a kind of move (the first, if none is named), or of advance (`result` hexes); if it likes `without` some
    modes, or only by ways that do it no harm."""
    walk = walk_named(getattr(field.program.rules, section), name, section)
    walker, start = field.walker(standing, walk.as_), standing.at
    ready = field.program.ready(walk.steps)
    told: dict[str, object] = {} if result is None else {"result": result}
    refused = gate_failures(field, field.program.ready(walk.who), Asked(field, walker, {"start": start}, told))
    limits = walk.allowance or walk.length
    points = amount(field, limits, walker, told, start=start) if limits else None
    if points is not None and points.forbidden is not None:
        refused = (*refused, points.forbidden)
    more = {**told, "length": points.most} if points is not None and walk.length else told
    modes = {mode: condition for mode, condition in walk.modes.items() if mode not in without}
    stepper = Stepper(field, ready, walker, modes=modes, start=start, more=more, priced=bool(walk.allowance))
    limit = None if points is None else _scaled(points.most)
    tree = search(stepper, [start], 0 if refused else limit, unharmed=unharmed)
    if refused:
        tree = Tree({start * tree.modes: 0}, {}, {}, tree.modes)
    amounts = {cost: Fraction(cost) / SCALE for cost in set(tree.best.values())}
    costs = {n: amounts[cost] for n, cost in tree.best.items()}
    stops = {n: verdict.stop or verdict.rests[-1] for n in tree.leaves if (verdict := tree.stopped(n)) is not None}
    least: dict[int, tuple[int, Verdict]] = {}
    if walk.minimum is not None and not refused and field.holds(walk.minimum.when, walker, start=start):
        least = _least(stepper, start, walk.minimum.hexes, costs, unharmed)
        for n, (before, verdict) in least.items():
            whole = points.most if points is not None and verdict.cost is None else 0
            costs[n] = costs[before] + (Fraction(verdict.cost) / SCALE if verdict.cost is not None else whole)
            if verdict.stop is not None:
                stops[n] = verdict.stop
    ends = Ends(field, walk, walker, start)
    barred = {n: why for n, cost in costs.items() if n != start and (why := ends.failures(n, cost, more))}
    return Reach(field, standing, walk, points, costs, stops, barred, tree, stepper, refused, least)


class Ends:
    """Where a walk may end, judged once for each kind of place and what stands there."""

    def __init__(self, field: Field, walk: Walk, walker: Walker, start: int, gone: Sequence[Standing] = ()) -> None:
        self.field, self.walk, self.walker, self.start, self.gone = field, walk, walker, start, gone
        self.gates, stacking = field.program.ready(walk.ends), field.program.ready(field.program.rules.stacking)
        self.far = {"taken", "gone", "length"} & {*self.gates.uses.walker}
        self._looked = self._names(self.gates), self._names(stacking)
        self._known: tuple[dict[object, tuple[Ready, ...]], dict[object, tuple[Ready, ...]]] = {}, {}

    def _names(self, records: ReadyList) -> tuple[tuple[str, ...], tuple[str, ...], Sequence[int]]:
        """The names that a list asks of a place, and the groups of places that are alike in them."""
        names, kinds = frozenset(records.uses.to), self.field.kinds
        return (
            tuple(sorted(names & kinds.position_names)),
            tuple(sorted(names & kinds.walker_names)),
            kinds.numbered(names),
        )

    def failures(
        self, n: int, taken: Fraction | int, more: Mapping[str, object], *, room: bool = True
    ) -> tuple[Ready, ...]:
        """Why the walk may not end in a place."""
        found = self._gated(n, taken, more) if self.gates.records else ()
        return (*found, *self.crowded(n)) if room and self.gates.stacking else found

    def _seen(self, n: int, which: int) -> tuple[object, ...]:
        field, walker, (names, special, groups) = self.field, self.walker, self._looked[which]
        there = look(field, walker, n, names) if names else 0
        return groups[n], there, tuple([of_walker(field, walker, n, name) for name in special]) if special else ()

    def _gated(self, n: int, taken: Fraction | int, more: Mapping[str, object]) -> tuple[Ready, ...]:
        """The gates that are shut."""
        far, gone = self.far, 0
        key: tuple[object, ...] = self._seen(n, 0)
        if far:
            gone = self.field.kinds.distance(self.start, n) if "gone" in far else 0
            key = key, taken if "taken" in far else 0, gone, more.get("length") if "length" in far else 0
        if key not in self._known[0]:
            told = {**more, "taken": taken, "gone": gone} if far else more
            asked = Asked(self.field, self.walker, {"to": n, "start": self.start}, told)
            self._known[0][key] = gate_failures(self.field, self.gates, asked)
        return self._known[0][key]

    def crowded(self, n: int) -> tuple[Ready, ...]:
        """The demands on stacking that wouldn't be met."""
        friends = (
            s for s in self.field.by_place.get(n, ()) if s.side == self.walker.side and s is not self.walker.standing
        )
        key = self._seen(n, 1), tuple([s.alike for s in friends if s not in self.gone])
        if key not in self._known[1]:
            self._known[1][key] = failures(self.field, self.walker, n, self.gone)
        return self._known[1][key]


def _least(
    stepper: Stepper, start: int, hexes: int, reached: Mapping[int, Fraction], unharmed: bool
) -> dict[int, tuple[int, Verdict]]:
    """Places that a unit gets to only because it can always go so many hexes."""
    found: dict[int, tuple[int, Verdict]] = {}
    edge = [(start, "")]
    for _ in range(hexes):
        ahead: list[tuple[int, str]] = []
        for here, last in edge:
            for m, step in stepper.kinds.near(here):
                if m in reached or m in found:
                    continue
                ways = [way for way in stepper.ways(here, m, step, here == start, last) if not way[1].refused]
                ways = [way for way in ways if not (unharmed and way[1].harm)]
                if ways:
                    mode, verdict = min(ways, key=lambda way: MOST_COST if way[1].cost is None else way[1].cost)
                    found[m] = (here, verdict)
                    if verdict.stop is None:
                        ahead.append((m, mode))
        edge = ahead
    return found

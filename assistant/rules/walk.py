"""The walk: from place to place, by the verdict of a list of steps on each step."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from assistant.answers import BadQuestion
from assistant.rules.asked import Asked, AskedOfEmptyMap, TableCell, of_step, of_walker
from assistant.rules.field import Field, Walker
from assistant.rules.looks import Looks, look, seen
from assistant.rules.program import Ready, ReadyList
from scenarios.expressions import EvaluationError
from scenarios.inputs import Formula

SCALE = 2520
"""Costs are counted in such parts of a point, which are whole numbers for all but the oddest fractions."""
MOST_HARM = 99
EMPTY = "empty"
"""Where verdicts on steps between empty places are kept, by kind of step."""
MOST_COST = 10**9
Price = int | Fraction
Rank = tuple[int, int]
"""The harm of a way, then how many steps it has where a way has modes."""
FIRST: Rank = (0, 0)


class Verdict(NamedTuple):
    """What a step comes to."""

    cost: Price | None
    """In parts of a point; None where it can't be taken."""
    takes_all: bool
    stop: Ready | None
    harm: int
    rests: tuple[Ready, ...]
    """The records that it rests on; of a step that can't be taken, the one that forbids it, if one does."""
    cells: frozenset[TableCell] = frozenset()
    """The cells of tables that its price rests on."""
    parts: tuple[tuple[Ready, Fraction], ...] = ()
    """What each record adds to the price, in points; none where the whole allowance is taken."""
    mode: str = ""

    @property
    def refused(self) -> bool:
        """Whether the step can't be taken."""
        return self.cost is None and not self.takes_all


class Stepper:
    """The steps of one walker in one position: a verdict for each kind of step, worked out once."""

    def __init__(
        self,
        field: Field,
        steps: ReadyList,
        walker: Walker,
        *,
        modes: Mapping[str, Formula | None] | None = None,
        start: int | None = None,
        more: Mapping[str, Any] | None = None,
        priced: bool = False,
        empty: bool = False,
        local: bool = False,
    ) -> None:
        """`priced`: a step without a price can't be taken, else it costs 1. `empty`: as if no piece were on the map.
        `local`: few places will be asked about."""
        self.field, self.kinds, self.steps, self.walker = field, field.kinds, steps, walker
        self.priced, self.start, self.more = priced, start, dict(more or {})
        self.modes: dict[str, Formula | None] = dict(modes or {}) or {"": None}
        uses, kinds = steps.uses, field.kinds
        names = {*uses.to, *uses.from_}
        for formula in self.modes.values():
            for name in field.program.names(formula):
                prefix, _, rest = name.partition(".")
                if prefix in ("to", "from"):
                    names.add(rest)
        self.position_names = tuple(sorted(names & kinds.position_names))
        self.to_walker = tuple(name for name in sorted(names) if name in kinds.walker_names)
        self.spans = field.zones.spanned(walker.side) if uses.over else {}
        self.farther, self.first = "farther" in self._step_names(), "first" in self._step_names()
        self.last = "last_mode" in uses.step
        self.looks: Mapping[int, int] = {}
        if self.position_names and not empty:
            self.looks = (
                Looks(field, walker, self.position_names) if local else seen(field, walker.side, self.position_names)
            )
        if self.looks and walker.standing is not None:  # who walks isn't a friend in the own place
            own = walker.standing.at
            self.looks = {**self.looks, own: look(field, walker, own, self.position_names)}
        self.ask: type[Asked] = AskedOfEmptyMap if empty else Asked
        zones = field.program.rules.zones
        self.over_zones = tuple(
            name for name in uses.over if name.partition("_")[0] == "other" and name.partition("_")[2] in zones
        )
        self.harms = any(record.effect == "harm" for record in steps.records)
        self.local = local
        self.plain = not (
            self.to_walker or self.over_zones or self.farther or self.first or self.last or len(self.modes) > 1
        )
        self._specials: dict[int, tuple[Any, ...]] = {}
        self.memo = kinds.verdicts((id(steps), priced, empty, self.more.get("last", False), self._signature()))

    def _step_names(self) -> frozenset[str]:
        found = self.steps.uses.step
        for formula in self.modes.values():
            found |= self.field.program.names(formula) & {"first", "farther"}
        return found

    def _signature(self) -> tuple[Any, ...]:
        """The values of all names that hold for the whole walk."""
        uses = self.steps.uses
        names = set(uses.walker)
        starts = set(uses.start)
        for formula in self.modes.values():
            for name in self.field.program.names(formula):
                prefix, _, rest = name.partition(".")
                if prefix == "start":
                    starts.add(rest)
                elif prefix not in ("to", "from", "over") and name not in ("first", "farther"):
                    names.add(name)
        places = {"start": self.start} if self.start is not None else {}
        asked = Asked(self.field, self.walker, places, self.more)
        values: list[Any] = [tuple(self.modes)]
        for name in sorted(names):
            values.append((name, self.field.all_alike if name == "units" else asked.get(name)))
        for name in sorted(starts):
            value = asked.get(f"start.{name}")
            values.append((name, repr(value) if isinstance(value, list) else value))
        return tuple(values)

    def verdict(self, n: int, m: int, step: int, first: bool = False, mode: str = "", last: str = "") -> Verdict:
        """What a step comes to."""
        looks, spans = self.looks, self.spans
        key: Any = step, looks.get(n, 0), looks.get(m, 0), spans.get((n, m), 0) if spans else 0
        if not self.plain:
            key = key, self._more(n, m, first, mode, last)
        found: Verdict | None = self.memo.get(key)
        if found is None:
            found = self.memo[key] = self._judge(n, m, first, mode, last)
            self.kinds.kept += 1
        return found

    def _more(self, n: int, m: int, first: bool, mode: str, last: str) -> tuple[Any, ...]:
        """What else a verdict depends on, in walks that ask for it."""
        return (
            mode,
            last if self.last else "",
            first and self.first,
            self.farther and self.leads_farther(n, m),
            (self._special(n), self._special(m)) if self.to_walker else (),
            tuple([of_step(self.field, self.walker, n, m, name) for name in self.over_zones]),
        )

    def _special(self, n: int) -> tuple[Any, ...]:
        """What of a place depends on who walks."""
        if not self.to_walker:
            return ()
        found = self._specials.get(n)
        if found is None:
            found = self._specials[n] = tuple([of_walker(self.field, self.walker, n, name) for name in self.to_walker])
        return found

    def leads_farther(self, n: int, m: int) -> bool:
        """Whether a step leads farther from the start."""
        return self.start is not None and self.kinds.distance(self.start, m) > self.kinds.distance(self.start, n)

    def ways(self, n: int, m: int, step: int, first: bool, last: str) -> Sequence[tuple[str, Verdict]]:
        """The ways in which a step may be taken, each with its mode."""
        if "" in self.modes:
            return (("", self.verdict(n, m, step, first)),)
        looks, spans = self.looks, self.spans
        key = (
            "ways",
            step,
            looks.get(n, 0),
            looks.get(m, 0),
            spans.get((n, m), 0) if spans else 0,
            self._more(n, m, first, "", last),
        )
        found: list[tuple[str, Verdict]] | None = self.memo.get(key)
        if found is None:
            open_ = [
                mode for mode, formula in self.modes.items() if formula is None or self._open(formula, n, m, first)
            ]
            found = self.memo[key] = [(mode, self.verdict(n, m, step, first, mode, last)) for mode in open_]
        return found

    def _open(self, formula: Formula, n: int, m: int, first: bool) -> bool:
        more = {**self.more, "first": first, "farther": self.leads_farther(n, m)}
        places = {"from": n, "to": m} | ({"start": self.start} if self.start is not None else {})
        return self.field.holds(formula, self.walker, more, **places)

    def _judge(self, n: int, m: int, first: bool, mode: str, last: str) -> Verdict:
        places = {"from": n, "to": m} | ({"start": self.start} if self.start is not None else {})
        step = {"first": first, "mode": mode, "last_mode": last, "last": self.more.get("last", False)}
        if self.farther:
            step["farther"] = self.leads_farther(n, m)
        asked = self.ask(self.field, self.walker, places, {**self.more, **step})
        found = judged(self.field, self.steps.records, asked, priced=self.priced)
        return found._replace(mode=mode) if mode else found

    def refusals(self, n: int, m: int, step: int, first: bool = False) -> list[Ready]:
        """Every record that forbids a step, not only the first, whatever the mode."""
        key = (
            "refusals",
            step,
            self.looks.get(n, 0),
            self.looks.get(m, 0),
            self.spans.get((n, m), 0),
            self._more(n, m, first, "", ""),
        )
        if key not in self.memo:
            places = {"from": n, "to": m} | ({"start": self.start} if self.start is not None else {})
            told = {
                "first": first,
                "mode": "",
                "last_mode": "",
                "last": self.more.get("last", False),
                "farther": self.leads_farther(n, m),
            }
            asked = self.ask(self.field, self.walker, places, {**self.more, **told})
            forbidding = [record for record in self.steps.records if record.effect == "forbid"]
            self.memo[key] = [
                record for record in forbidding if judged(self.field, [record], asked, priced=False).refused
            ]
        found: list[Ready] = self.memo[key]
        return found

    def entered(self, n: int) -> Ready | None:
        """The record that keeps a walk from beginning in a place: those that ask of the place alone are judged there."""
        key = "entered", *self.alike(n)
        if key not in self.memo:
            self.memo[key] = self.entered_if(n, {})
        record: Ready | None = self.memo[key]
        return record

    def alike(self, n: int) -> tuple[Any, ...]:
        """What tells a place from others for this walk."""
        return self.kinds.kind(n), self.looks.get(n, 0), self._special(n)

    def entered_if(self, n: int, values: Mapping[str, Any]) -> Ready | None:
        """The same, if some names had other values there, such as `to.enemy`."""
        records = [record for record in self.steps.records if record.effect == "forbid" and record.of_place_if(values)]
        places = {"to": n} | ({"start": self.start} if self.start is not None else {})
        found = judged(
            self.field, records, self.ask(self.field, self.walker, places, {**self.more, **values}), priced=False
        )
        return found.rests[0] if found.refused else None


def judged(field: Field, records: Iterable[Ready], asked: Asked, *, priced: bool) -> Verdict:
    """The records from top to bottom: the later one wins over the price, and a `forbid` over everything."""
    lookup = field.program.lookup
    cost: Any = None
    takes_all, stop, harm = False, None, 0
    rests: list[Ready] = []
    parts: list[tuple[Ready, Fraction]] = []
    cells: frozenset[TableCell] = frozenset()
    for record in records:
        try:
            if record.when is not None and record.when(asked, lookup, None) is not True:
                continue
            if record.effect == "forbid":
                return Verdict(None, False, None, 0, (record,))
            if record.effect == "cost":  # whatever was said of the price before doesn't count any more
                rests, cells, parts = [one for one in rests if one.effect in ("harm", "stop")], frozenset(), []
            rests.append(record)
            if record.effect == "stop":
                stop = record
            elif record.takes_all:
                takes_all = True
            else:
                assert record.work is not None
                asked.cells = set()
                value: Any = record.work(asked, asked.lookup, None)
                cells |= asked.cells
                if record.effect == "harm":
                    harm = min(MOST_HARM, harm + max(0, int(value)))
                    continue
                before = cost or 0
                if record.effect == "cost":
                    cost, takes_all = value, False
                elif record.effect == "add":
                    cost = (1 if not priced else 0) + value if cost is None else cost + value
                elif cost is not None:
                    cost = cost * value
                if cost is not None:
                    parts.append((record, Fraction(cost) - (0 if record.effect == "cost" else Fraction(before))))
        except EvaluationError as error:
            raise BadQuestion(f"{_named(record)}: {error}") from None
        except RecursionError:
            raise BadQuestion(f"{_named(record)} rests on too many values, one on the other") from None
    if takes_all:
        return Verdict(None, True, stop, harm, tuple(rests), cells)
    if cost is None:
        return Verdict(None if priced else SCALE, False, stop, harm, tuple(rests), cells)
    if not 0 <= cost <= MOST_COST:
        raise BadQuestion(
            f"a step comes to {cost} points, which can't be paid; see {_named(rests[-1])} and those above it"
        )
    scaled = cost * SCALE
    return Verdict(
        int(scaled) if scaled == int(scaled) else scaled, False, stop, harm, tuple(rests), cells, tuple(parts)
    )


def _named(record: Ready) -> str:
    """A record as its pack's author finds it."""
    return f"the rule {record.text!r}" + (f" ({record.rule})" if record.rule else "")


@dataclass(frozen=True, eq=False)
class Tree:
    """The cheapest ways from some starts, by state: a place, and the mode of the step that led there.

    `leaves` are places where a way ends because something stops it: what it costs, the state before, the verdict.
    """

    costs: Mapping[int, Price]
    before: Mapping[int, tuple[int, Verdict]]
    leaves: Mapping[int, tuple[Price, int, Verdict]]
    modes: int
    ranks: Mapping[int, Rank] = field(default_factory=dict)
    """What puts ways that cost the same in order, where that isn't (0, 0)."""

    @cached_property
    def states(self) -> Mapping[int, int]:
        """The cheapest state of each place that a way goes on from."""
        if self.modes == 1:
            return {state: state for state in self.costs}
        found: dict[int, int] = {}
        for state, cost in self.costs.items():
            place = state // self.modes
            other = found.get(place)
            if other is None or (cost, self.ranks.get(state, FIRST)) < (
                self.costs[other],
                self.ranks.get(other, FIRST),
            ):
                found[place] = state
        return found

    @cached_property
    def best(self) -> Mapping[int, Price]:
        """What each place costs by its cheapest way."""
        found = {place: self.costs[state] for place, state in self.states.items()}
        for place, (cost, _, _) in self.leaves.items():
            if place not in found or cost < found[place]:
                found[place] = cost
        return found

    def stopped(self, place: int) -> Verdict | None:
        """The verdict that stops the cheapest way to a place there, if one does."""
        leaf = self.leaves.get(place)
        if leaf is None or (place in self.states and self.costs[self.states[place]] <= leaf[0]):
            return None
        return leaf[2]

    def way(self, place: int) -> list[tuple[int, Verdict | None]]:
        """The cheapest way to a place: each place with the verdict on the step that led there."""
        way: list[tuple[int, Verdict | None]] = []
        verdict = self.stopped(place)
        state: int | None = self.states.get(place)
        if verdict is not None:
            way.append((place, verdict))
            state = self.leaves[place][1]
        while state is not None:
            step = self.before.get(state)
            way.append((state // self.modes, step[1] if step else None))
            state = step[0] if step else None
        return way[::-1]


class LeastRefused:
    """The ways from some starts that are refused least often, then the shortest. `weighed`: every record that forbids a step counts."""

    def __init__(self, stepper: Stepper, starts: Sequence[int], *, weighed: bool = False) -> None:
        self.stepper, self.starts, self.weighed = stepper, frozenset(starts), weighed
        best: dict[int, tuple[int, int]] = dict.fromkeys(starts, (0, 0))
        before: dict[int, int] = {}
        queue: list[tuple[int, int, int]] = [(0, 0, n) for n in starts]
        while queue:
            refused, steps, n = heapq.heappop(queue)
            if best[n] < (refused, steps):
                continue
            for m, step in stepper.kinds.near(n):
                if m in best and best[m] <= (refused, steps + 1):
                    continue  # it can't get better
                onward = refused + self._refused(stepper, n, m, step), steps + 1
                if m not in best or onward < best[m]:
                    best[m], before[m] = onward, n
                    heapq.heappush(queue, (*onward, m))
        self.best, self.before = best, before

    def _refused(self, stepper: Stepper, n: int, m: int, step: int) -> int:
        verdicts = [verdict for _, verdict in stepper.ways(n, m, step, n in self.starts, "")]
        shut = all(verdict.refused or (verdict.takes_all and n not in self.starts) for verdict in verdicts)
        return len(stepper.refusals(n, m, step, n in self.starts)) if shut and self.weighed else shut

    def way(self, place: int, final: Stepper | None = None) -> list[tuple[int, int, Stepper, int]]:
        """The steps of the way to a place, each with who judges it and its kind. `final` judges the step that comes to the place."""
        kinds, way = self.stepper.kinds, list[tuple[int, int, Stepper, int]]()
        if final is not None and place not in self.starts:
            ends = []
            for n, _ in kinds.near(place):
                step = kinds.step(n, place)
                if n in self.best and step is not None:
                    refused, steps = self.best[n]
                    ends.append((refused + self._refused(final, n, place, step), steps + 1, n, step))
            if not ends:
                return way
            _, _, n, step = min(ends)
            way.append((n, place, final, step))
            place = n
        while place in self.before:
            n = self.before[place]
            step = kinds.step(n, place)
            assert step is not None
            way.append((n, place, self.stepper, step))
            place = n
        return way[::-1]


def search(
    stepper: Stepper,
    starts: Sequence[int],
    limit: Price | None,
    *,
    stops: bool = True,
    whole: Price | None = None,
    unharmed: bool = False,
) -> Tree:
    """The cheapest ways within a limit, in parts of a point, and of equal ones those that do least harm, then where there are
    modes the shortest. Without `stops` nothing stops a walk; `unharmed` leaves out steps that do harm.

    `whole` is what a step costs that takes the whole allowance, where that isn't the limit.
    """
    if stepper.plain and "" in stepper.modes and not stepper.harms and not stepper.local:
        return _plain_search(stepper, starts, limit, stops, limit if whole is None else whole)
    near, ways = stepper.kinds.near, stepper.ways
    simple = "" in stepper.modes and not stepper.first
    # Where a first step is told from others, or modes are, the start is a state of its own: a way may come back to it.
    names = ("",) if simple else ("", *stepper.modes)
    number, modes = {mode: i for i, mode in enumerate(names)}, len(names)
    everything = limit if whole is None else whole
    costs: dict[int, Price] = {n * modes: 0 for n in starts}
    before: dict[int, tuple[int, Verdict]] = {}
    leaves: dict[int, tuple[Price, int, Verdict]] = {}
    ranks: dict[int, Rank] = {}
    queue: list[tuple[Price, Rank, int, int]] = [(0, FIRST, i, n * modes) for i, n in enumerate(starts)]
    pushed = len(queue)
    while queue:
        total, rank, _, here = heapq.heappop(queue)
        if costs[here] < total or ranks.get(here, FIRST) < rank:
            continue
        n, last = divmod(here, modes)
        first = here not in before
        for m, step in near(n):
            for mode, verdict in ways(n, m, step, first, names[last]):
                cost = verdict.cost
                if cost is not None:
                    onward = total + cost
                elif verdict.takes_all and first and everything:
                    onward = everything
                else:
                    continue
                if (limit is not None and onward > limit) or (unharmed and verdict.harm):
                    continue
                onrank = rank if simple and not verdict.harm else (rank[0] + verdict.harm, rank[1] + (not simple))
                if stops and (verdict.stop is not None or verdict.takes_all):
                    known_leaf = leaves.get(m)
                    if known_leaf is None or (onward, onrank) < (known_leaf[0], ranks[~m]):
                        leaves[m], ranks[~m] = (onward, here, verdict), onrank
                    continue
                there = m * modes + number[mode]
                if (
                    there not in costs
                    or onward < costs[there]
                    or (onward == costs[there] and onrank < ranks.get(there, FIRST))
                ):
                    costs[there], before[there] = onward, (here, verdict)
                    if onrank is not FIRST or there in ranks:
                        ranks[there] = onrank
                    pushed += 1
                    heapq.heappush(queue, (onward, onrank, pushed, there))
    return Tree(costs, before, leaves, modes, ranks)


def _plain_search(
    stepper: Stepper, starts: Sequence[int], limit: Price | None, stops: bool, everything: Price | None
) -> Tree:
    """The same for a walk that asks nothing of a step but its kind and what is at its two ends, and that does no harm: most moves and
    traces. Verdicts are looked up right here; for a step between empty places the kind alone tells."""
    near, nears = stepper.kinds.near, stepper.kinds.nears
    looks, spans, memo = stepper.looks, stepper.spans, stepper.memo
    spanned = frozenset(n for n, _ in spans)
    empty: dict[int, Verdict] = memo.setdefault(EMPTY, {})
    costs: dict[int, Price] = dict.fromkeys(starts, 0)
    before: dict[int, tuple[int, Verdict]] = {}
    leaves: dict[int, tuple[Price, int, Verdict]] = {}
    # Many ways cost the same: the places that so much leads to stand in one list, in the order in which they were come to.
    reached: dict[Price, list[int]] = {0: list(starts)}
    queue: list[Price] = [0]
    while queue:
        total = heapq.heappop(queue)
        for n in reached[total]:
            if costs[n] < total:
                continue
            bare, first = n not in looks and n not in spanned, n not in before
            for m, step in nears.get(n) or near(n):
                known = costs.get(m)
                if known is not None and known <= total:
                    continue  # no step makes a way cheaper
                if bare and m not in looks:
                    verdict = empty.get(step) or empty.setdefault(step, stepper.verdict(n, m, step))
                else:
                    verdict = stepper.verdict(n, m, step)
                cost = verdict.cost
                if cost is not None:
                    onward = total + cost
                elif verdict.takes_all and first and everything:
                    onward = everything
                else:
                    continue
                if limit is not None and onward > limit:
                    continue
                if stops and (verdict.stop is not None or verdict.takes_all):
                    if m not in leaves or onward < leaves[m][0]:
                        leaves[m] = onward, n, verdict
                elif known is None or onward < known:
                    costs[m], before[m] = onward, (n, verdict)
                    if onward in reached:
                        reached[onward].append(m)
                    else:
                        reached[onward] = [m]
                        heapq.heappush(queue, onward)
    return Tree(costs, before, leaves, 1)

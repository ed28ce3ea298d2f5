"""The walk: from place to place, by the result of a list of steps for each step."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from assistant.engine.field import Field
from assistant.engine.placed_units import Mover
from assistant.engine.program import CompiledList, CompiledRecord
from assistant.engine.scope import EmptyMapScope, Scope, TableCell
from assistant.engine.signatures import LazySignatures, look, signature_numbers
from assistant.engine.spans import spans_of
from assistant.questions.answer import BadQuestion
from scenarios.expressions import EvaluationError
from scenarios.grammar import count_text
from scenarios.model.attack_inputs import Formula

SCALE = 2520
"""Costs are counted in parts of 1/SCALE of a point, so that nearly all of them are integers."""
MOST_HARM = 99
EMPTY = "empty"
"""Cache key for results of steps between empty places, by step class."""
MOST_COST = 10**9
Price = int | Fraction
Rank = tuple[int, int]
"""The harm of a path, then its number of steps where a path has modes."""
FIRST: Rank = (0, 0)


class StepResult(NamedTuple):
    """The result of a step."""

    cost: Price | None
    """In fractions (1/SCALE) of a point; None where the step isn't allowed."""
    takes_all: bool
    stop: CompiledRecord | None
    harm: int
    rests: tuple[CompiledRecord, ...]
    """The records that it depends on; for a forbidden step the record that forbids it, if any."""
    cells: frozenset[TableCell] = frozenset()
    """The table cells that its cost depends on."""
    parts: tuple[tuple[CompiledRecord, Fraction], ...] = ()
    """The points that each record adds to the cost; empty where the step takes the whole allowance."""
    mode: str = ""

    @property
    def is_refused(self) -> bool:
        """Whether the step isn't allowed."""
        return self.cost is None and not self.takes_all


class StepEvaluator:
    """Evaluates the steps of one mover in one position, once for each step class."""

    def __init__(
        self,
        field: Field,
        steps: CompiledList,
        mover: Mover,
        *,
        modes: Mapping[str, Formula | None] | None = None,
        start: int | None = None,
        extra_values: Mapping[str, Any] | None = None,
        needs_price: bool = False,
        empty: bool = False,
        local: bool = False,
    ) -> None:
        """Prepare the evaluator. `needs_price`: a step without a cost isn't allowed; otherwise it costs 1. `empty`:
        as if no piece were on the map. `local`: only a few places are needed."""
        self.field, self.map_index, self.steps, self.mover = field, field.map_index, steps, mover
        self.has_prices, self.start, self.extra_values = needs_price, start, dict(extra_values or {})
        self.modes: dict[str, Formula | None] = dict(modes or {}) or {"": None}
        uses, map_index = steps.uses, field.map_index
        names = {*uses.to_names, *uses.from_names}
        for formula in self.modes.values():
            for name in field.program.names(formula):
                prefix, _, suffix = name.partition(".")
                if prefix in ("to", "from"):
                    names.add(suffix)
        self.position_names = tuple(sorted(names & map_index.position_names))
        self.to_mover = tuple(name for name in sorted(names) if name in map_index.mover_names)
        self.spans = spans_of(field).numbers(mover.side) if uses.over_names else {}
        self.farther, self.first = "farther" in self._step_names(), "first" in self._step_names()
        self.last = "last_mode" in uses.step
        self.looks: Mapping[int, int] = {}
        if self.position_names and not empty:
            self.looks = (
                LazySignatures(field, mover, self.position_names)
                if local
                else signature_numbers(field, mover.side, self.position_names)
            )
        if self.looks and mover.unit is not None:  # the moving unit isn't a friend in its own place
            own_place = mover.unit.place
            self.looks = {**self.looks, own_place: look(field, mover, own_place, self.position_names)}
        self.ask: type[Scope] = EmptyMapScope if empty else Scope
        zones = field.program.rules.zones
        self.over_zones = tuple(
            name for name in uses.over_names if name.partition("_")[0] == "other" and name.partition("_")[2] in zones
        )
        self.harms = any(record.effect == "harm" for record in steps.records)
        self.local = local
        self.is_plain = not (
            self.to_mover or self.over_zones or self.farther or self.first or self.last or len(self.modes) > 1
        )
        self._specials: dict[int, tuple[Any, ...]] = {}
        self.memo = map_index.verdicts(
            (id(steps), needs_price, empty, self.extra_values.get("last", False), self._signature())
        )

    def _step_names(self) -> frozenset[str]:
        names = self.steps.uses.step
        for formula in self.modes.values():
            names |= self.field.program.names(formula) & {"first", "farther"}
        return names

    def _signature(self) -> tuple[Any, ...]:
        """Return the values of all names that are the same for the whole walk."""
        uses = self.steps.uses
        names = set(uses.mover)
        starts = set(uses.start)
        for formula in self.modes.values():
            for name in self.field.program.names(formula):
                prefix, _, suffix = name.partition(".")
                if prefix == "start":
                    starts.add(suffix)
                elif prefix not in ("to", "from", "over") and name not in ("first", "farther"):
                    names.add(name)
        places = {"start": self.start} if self.start is not None else {}
        scope = self.field.scope(self.mover, places, self.extra_values)
        values: list[Any] = [tuple(self.modes)]
        for name in sorted(names):
            values.append((name, self.field.all_alike if name == "units" else scope.get(name)))
        for name in sorted(starts):
            value = scope.get(f"start.{name}")
            values.append((name, repr(value) if isinstance(value, list) else value))
        return tuple(values)

    def verdict(self, n: int, m: int, step: int, first: bool = False, mode: str = "", last: str = "") -> StepResult:
        """Return the result of a step."""
        looks, spans = self.looks, self.spans
        key: Any = step, looks.get(n, 0), looks.get(m, 0), spans.get((n, m), 0) if spans else 0
        if not self.is_plain:
            key = key, self._extra_values(n, m, first, mode, last)
        step_verdict: StepResult | None = self.memo.get(key)
        if step_verdict is None:
            step_verdict = self.memo[key] = self._judge(n, m, first, mode, last)
            self.map_index.memo_size += 1
        return step_verdict

    def _extra_values(self, n: int, m: int, first: bool, mode: str, last: str) -> tuple[Any, ...]:
        """Return what else a result depends on, in walks that ask for it."""
        return (
            mode,
            last if self.last else "",
            first and self.first,
            self.farther and self.leads_farther(n, m),
            (self._special(n), self._special(m)) if self.to_mover else (),
            tuple([self.field.rule_values.of_step(self.mover, n, m, name) for name in self.over_zones]),
        )

    def _special(self, n: int) -> tuple[Any, ...]:
        """Return the values of a place that depend on the mover."""
        if not self.to_mover:
            return ()
        values = self._specials.get(n)
        if values is None:
            of_place = self.field.rule_values.of_place
            values = self._specials[n] = tuple([of_place(self.mover, n, name) for name in self.to_mover])
        return values

    def leads_farther(self, n: int, m: int) -> bool:
        """Whether a step leads farther from the start."""
        return self.start is not None and self.map_index.distance(self.start, m) > self.map_index.distance(
            self.start, n
        )

    def ways(self, n: int, m: int, step: int, first: bool, last: str) -> Sequence[tuple[str, StepResult]]:
        """Return the ways to take a step, each with its mode."""
        if "" in self.modes:
            return (("", self.verdict(n, m, step, first)),)
        looks, spans = self.looks, self.spans
        key = (
            "ways",
            step,
            looks.get(n, 0),
            looks.get(m, 0),
            spans.get((n, m), 0) if spans else 0,
            self._extra_values(n, m, first, "", last),
        )
        mode_verdicts: list[tuple[str, StepResult]] | None = self.memo.get(key)
        if mode_verdicts is None:
            open_ = [
                mode for mode, formula in self.modes.items() if formula is None or self._open(formula, n, m, first)
            ]
            mode_verdicts = self.memo[key] = [(mode, self.verdict(n, m, step, first, mode, last)) for mode in open_]
        return mode_verdicts

    def _open(self, formula: Formula, n: int, m: int, first: bool) -> bool:
        extra_values = {**self.extra_values, "first": first, "farther": self.leads_farther(n, m)}
        places = {"from": n, "to": m} | ({"start": self.start} if self.start is not None else {})
        return self.field.holds(formula, self.mover, extra_values, **places)

    def _judge(self, n: int, m: int, first: bool, mode: str, last: str) -> StepResult:
        places = {"from": n, "to": m} | ({"start": self.start} if self.start is not None else {})
        step = {"first": first, "mode": mode, "last_mode": last, "last": self.extra_values.get("last", False)}
        if self.farther:
            step["farther"] = self.leads_farther(n, m)
        scope = self.ask(self.field.rule_values, self.mover, places, {**self.extra_values, **step})
        verdict = evaluate_records(self.field, self.steps.records, scope, needs_price=self.has_prices)
        return verdict._replace(mode=mode) if mode else verdict

    def refusals(self, n: int, m: int, step: int, first: bool = False) -> list[CompiledRecord]:
        """Return every record that forbids a step in any mode, not only the first."""
        key = (
            "refusals",
            step,
            self.looks.get(n, 0),
            self.looks.get(m, 0),
            self.spans.get((n, m), 0),
            self._extra_values(n, m, first, "", ""),
        )
        if key not in self.memo:
            places = {"from": n, "to": m} | ({"start": self.start} if self.start is not None else {})
            step_values = {
                "first": first,
                "mode": "",
                "last_mode": "",
                "last": self.extra_values.get("last", False),
                "farther": self.leads_farther(n, m),
            }
            scope = self.ask(self.field.rule_values, self.mover, places, {**self.extra_values, **step_values})
            forbidding = [record for record in self.steps.records if record.effect == "forbid"]
            self.memo[key] = [
                record
                for record in forbidding
                if evaluate_records(self.field, [record], scope, needs_price=False).is_refused
            ]
        records: list[CompiledRecord] = self.memo[key]
        return records

    def start_refusal(self, n: int) -> CompiledRecord | None:
        """Return the record that forbids a walk to begin in a place. It considers the records that ask about the
        place alone."""
        key = "entered", *self.place_key(n)
        if key not in self.memo:
            self.memo[key] = self.entered_if(n, {})
        record: CompiledRecord | None = self.memo[key]
        return record

    def place_key(self, n: int) -> tuple[Any, ...]:
        """Return a key that tells a place from others for this walk."""
        return self.map_index.kind(n), self.looks.get(n, 0), self._special(n)

    def entered_if(self, n: int, values: Mapping[str, Any]) -> CompiledRecord | None:
        """Return the record that forbids entry if some names had other values there, such as `to.enemy`."""
        records = [record for record in self.steps.records if record.effect == "forbid" and record.of_place_if(values)]
        places = {"to": n} | ({"start": self.start} if self.start is not None else {})
        verdict = evaluate_records(
            self.field,
            records,
            self.ask(self.field.rule_values, self.mover, places, {**self.extra_values, **values}),
            needs_price=False,
        )
        return verdict.rests[0] if verdict.is_refused else None


def evaluate_records(field: Field, records: Iterable[CompiledRecord], scope: Scope, *, needs_price: bool) -> StepResult:
    """Evaluate the records in order. A later cost overrides an earlier one, and a `forbid` overrides everything."""
    lookup = field.program.lookup
    cost: Any = None
    takes_all, stop, harm = False, None, 0
    rests: list[CompiledRecord] = []
    parts: list[tuple[CompiledRecord, Fraction]] = []
    cells: frozenset[TableCell] = frozenset()
    for record in records:
        try:
            if record.condition is not None and record.condition(scope, lookup, None) is not True:
                continue
            if record.effect == "forbid":
                return StepResult(None, False, None, 0, (record,))
            if record.effect == "cost":  # it replaces every cost before it
                rests, cells, parts = (
                    [earlier_record for earlier_record in rests if earlier_record.effect in ("harm", "stop")],
                    frozenset(),
                    [],
                )
            rests.append(record)
            if record.effect == "stop":
                stop = record
            elif record.takes_all:
                takes_all = True
            else:
                assert record.work is not None
                scope.cells = set()
                value: Any = record.work(scope, scope.lookup, None)
                cells |= scope.cells
                if record.effect == "harm":
                    harm = min(MOST_HARM, harm + max(0, int(value)))
                    continue
                old_cost = cost or 0
                if record.effect == "cost":
                    cost, takes_all = value, False
                elif record.effect == "add":
                    cost = (1 if not needs_price else 0) + value if cost is None else cost + value
                elif cost is not None:
                    cost = cost * value
                if cost is not None:
                    parts.append((record, Fraction(cost) - (0 if record.effect == "cost" else Fraction(old_cost))))
        except EvaluationError as error:
            raise BadQuestion(f"{_record_name(record)}: {error}") from None
        except RecursionError:
            raise BadQuestion(f"{_record_name(record)} has too many values that depend on each other") from None
    if takes_all:
        return StepResult(None, True, stop, harm, tuple(rests), cells)
    if cost is None:
        return StepResult(None if needs_price else SCALE, False, stop, harm, tuple(rests), cells)
    if not 0 <= cost <= MOST_COST:
        raise BadQuestion(
            f"a step comes to {count_text(cost, 'point')}, more than any unit can spend; "
            f"see {_record_name(rests[-1])} and the records above it"
        )
    price = cost * SCALE
    return StepResult(
        int(price) if price == int(price) else price, False, stop, harm, tuple(rests), cells, tuple(parts)
    )


def _record_name(record: CompiledRecord) -> str:
    """Return the name by which a pack's author finds a record."""
    return f"the rule {record.text!r}" + (f" ({record.rule})" if record.rule else "")


@dataclass(frozen=True, eq=False)
class PathTree:
    """The cheapest paths from some starts. A state is a place and the mode of the step that led there.

    `leaves` are places where a path ends because something stops it: the cost, the state before, the step result.
    """

    costs: Mapping[int, Price]
    predecessors: Mapping[int, tuple[int, StepResult]]
    leaves: Mapping[int, tuple[Price, int, StepResult]]
    modes: int
    ranks: Mapping[int, Rank] = field(default_factory=dict)
    """Orders paths of equal cost, where the rank isn't (0, 0)."""

    @cached_property
    def states(self) -> Mapping[int, int]:
        """The cheapest state of each place from which a path goes on."""
        if self.modes == 1:
            return {state: state for state in self.costs}
        state_by_place: dict[int, int] = {}
        for state, cost in self.costs.items():
            place = state // self.modes
            other_state = state_by_place.get(place)
            if other_state is None or (cost, self.ranks.get(state, FIRST)) < (
                self.costs[other_state],
                self.ranks.get(other_state, FIRST),
            ):
                state_by_place[place] = state
        return state_by_place

    @cached_property
    def best(self) -> Mapping[int, Price]:
        """The cost of the cheapest path to each place."""
        best_costs = {place: self.costs[state] for place, state in self.states.items()}
        for place, (cost, _, _) in self.leaves.items():
            if place not in best_costs or cost < best_costs[place]:
                best_costs[place] = cost
        return best_costs

    def stop_at(self, place: int) -> StepResult | None:
        """Return the result that stops the cheapest path in a place, if any."""
        leaf = self.leaves.get(place)
        if leaf is None or (place in self.states and self.costs[self.states[place]] <= leaf[0]):
            return None
        return leaf[2]

    def way(self, place: int) -> list[tuple[int, StepResult | None]]:
        """Return the cheapest path to a place: each place with the result of the step to it."""
        way: list[tuple[int, StepResult | None]] = []
        verdict = self.stop_at(place)
        state: int | None = self.states.get(place)
        if verdict is not None:
            way.append((place, verdict))
            state = self.leaves[place][1]
        while state is not None:
            step = self.predecessors.get(state)
            way.append((state // self.modes, step[1] if step else None))
            state = step[0] if step else None
        return way[::-1]


class FewestRefusals:
    """The paths from some starts with the fewest refusals, then the fewest steps. With `counts_refusals` every
    record that forbids a step counts."""

    def __init__(self, evaluator: StepEvaluator, starts: Sequence[int], *, counts_refusals: bool = False) -> None:
        self.stepper, self.starts, self.is_weighted = evaluator, frozenset(starts), counts_refusals
        best: dict[int, tuple[int, int]] = dict.fromkeys(starts, (0, 0))
        predecessors: dict[int, int] = {}
        queue: list[tuple[int, int, int]] = [(0, 0, n) for n in starts]
        while queue:
            refusal_count, steps, n = heapq.heappop(queue)
            if best[n] < (refusal_count, steps):
                continue
            for m, step in evaluator.map_index.neighbours(n):
                if m in best and best[m] <= (refusal_count, steps + 1):
                    continue  # no better path is possible
                onward = refusal_count + self._refusal_count(evaluator, n, m, step), steps + 1
                if m not in best or onward < best[m]:
                    best[m], predecessors[m] = onward, n
                    heapq.heappush(queue, (*onward, m))
        self.best, self.predecessors = best, predecessors

    def _refusal_count(self, evaluator: StepEvaluator, n: int, m: int, step: int) -> int:
        verdicts = [verdict for _, verdict in evaluator.ways(n, m, step, n in self.starts, "")]
        shut = all(verdict.is_refused or (verdict.takes_all and n not in self.starts) for verdict in verdicts)
        return len(evaluator.refusals(n, m, step, n in self.starts)) if shut and self.is_weighted else shut

    def way(self, place: int, final: StepEvaluator | None = None) -> list[tuple[int, int, StepEvaluator, int]]:
        """Return the steps of the path to a place, each with its evaluator and class. `final` evaluates the step into
        the place."""
        map_index, way = self.stepper.map_index, list[tuple[int, int, StepEvaluator, int]]()
        if final is not None and place not in self.starts:
            ends = []
            for n, _ in map_index.neighbours(place):
                step = map_index.step(n, place)
                if n in self.best and step is not None:
                    refusal_count, steps = self.best[n]
                    ends.append((refusal_count + self._refusal_count(final, n, place, step), steps + 1, n, step))
            if not ends:
                return way
            _, _, n, step = min(ends)
            way.append((n, place, final, step))
            place = n
        while place in self.predecessors:
            n = self.predecessors[place]
            step = map_index.step(n, place)
            assert step is not None
            way.append((n, place, self.stepper, step))
            place = n
        return way[::-1]


def search(
    evaluator: StepEvaluator,
    starts: Sequence[int],
    limit: Price | None,
    *,
    stops: bool = True,
    full_cost: Price | None = None,
    avoids_harm: bool = False,
) -> PathTree:
    """Find the cheapest paths within a limit, in fractions of a point. Among equal ones it prefers the least harm,
    then the fewest steps where there are modes. Without `stops` nothing stops a walk; `avoids_harm` leaves out
    harmful steps.

    `full_cost` is the cost of a step that takes the whole allowance, where that isn't the limit.
    """
    if evaluator.is_plain and "" in evaluator.modes and not evaluator.harms and not evaluator.local:
        return _plain_search(evaluator, starts, limit, stops, limit if full_cost is None else full_cost)
    neighbours_of, ways = evaluator.map_index.neighbours, evaluator.ways
    simple = "" in evaluator.modes and not evaluator.first
    # Where the first step is special, or there are modes, the start is a state of its own: a path may return to it.
    names = ("",) if simple else ("", *evaluator.modes)
    number, modes = {mode: i for i, mode in enumerate(names)}, len(names)
    everything = limit if full_cost is None else full_cost
    costs: dict[int, Price] = {n * modes: 0 for n in starts}
    predecessors: dict[int, tuple[int, StepResult]] = {}
    leaves: dict[int, tuple[Price, int, StepResult]] = {}
    ranks: dict[int, Rank] = {}
    queue: list[tuple[Price, Rank, int, int]] = [(0, FIRST, i, n * modes) for i, n in enumerate(starts)]
    push_count = len(queue)
    while queue:
        total, rank, _, current_state = heapq.heappop(queue)
        if costs[current_state] < total or ranks.get(current_state, FIRST) < rank:
            continue
        n, last = divmod(current_state, modes)
        first = current_state not in predecessors
        for m, step in neighbours_of(n):
            for mode, verdict in ways(n, m, step, first, names[last]):
                cost = verdict.cost
                if cost is not None:
                    onward = total + cost
                elif verdict.takes_all and first and everything:
                    onward = everything
                else:
                    continue
                if (limit is not None and onward > limit) or (avoids_harm and verdict.harm):
                    continue
                onrank = rank if simple and not verdict.harm else (rank[0] + verdict.harm, rank[1] + (not simple))
                if stops and (verdict.stop is not None or verdict.takes_all):
                    known_leaf = leaves.get(m)
                    if known_leaf is None or (onward, onrank) < (known_leaf[0], ranks[~m]):
                        leaves[m], ranks[~m] = (onward, current_state, verdict), onrank
                    continue
                next_state = m * modes + number[mode]
                if (
                    next_state not in costs
                    or onward < costs[next_state]
                    or (onward == costs[next_state] and onrank < ranks.get(next_state, FIRST))
                ):
                    costs[next_state], predecessors[next_state] = onward, (current_state, verdict)
                    if onrank is not FIRST or next_state in ranks:
                        ranks[next_state] = onrank
                    push_count += 1
                    heapq.heappush(queue, (onward, onrank, push_count, next_state))
    return PathTree(costs, predecessors, leaves, modes, ranks)


def _plain_search(
    evaluator: StepEvaluator, starts: Sequence[int], limit: Price | None, stops: bool, everything: Price | None
) -> PathTree:
    """Search for a walk that asks only about the step's class and the contents of its two ends, and that does no
    harm: most moves and traces. Results are looked up right here; for a step between empty places the class is
    enough."""
    neighbours_of, nears = evaluator.map_index.neighbours, evaluator.map_index.nears
    looks, spans, memo = evaluator.looks, evaluator.spans, evaluator.memo
    span_places = frozenset(n for n, _ in spans)
    empty: dict[int, StepResult] = memo.setdefault(EMPTY, {})
    costs: dict[int, Price] = dict.fromkeys(starts, 0)
    predecessors: dict[int, tuple[int, StepResult]] = {}
    leaves: dict[int, tuple[Price, int, StepResult]] = {}
    # Many paths cost the same. The places of one cost share one list, in the order of their discovery.
    places_by_cost: dict[Price, list[int]] = {0: list(starts)}
    queue: list[Price] = [0]
    while queue:
        total = heapq.heappop(queue)
        for n in places_by_cost[total]:
            if costs[n] < total:
                continue
            is_plain, first = n not in looks and n not in span_places, n not in predecessors
            for m, step in nears.get(n) or neighbours_of(n):
                old_cost = costs.get(m)
                if old_cost is not None and old_cost <= total:
                    continue  # no step makes a path cheaper
                if is_plain and m not in looks:
                    verdict = empty.get(step) or empty.setdefault(step, evaluator.verdict(n, m, step))
                else:
                    verdict = evaluator.verdict(n, m, step)
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
                elif old_cost is None or onward < old_cost:
                    costs[m], predecessors[m] = onward, (n, verdict)
                    if onward in places_by_cost:
                        places_by_cost[onward].append(m)
                    else:
                        places_by_cost[onward] = [m]
                        heapq.heappush(queue, onward)
    return PathTree(costs, predecessors, leaves, 1)

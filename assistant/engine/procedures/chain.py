"""The chain of a procedure: its states as a graph, and how chances flow through it.

Only what is asked for is kept. Going backwards from what an answer needs, a stage that changes nothing that is asked for later is left
out, and a group that only decides a fire is kept by its volley. Rounds that may change nothing make small blocks of states that lead to
each other; each is a set of linear equations, solved exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from assistant.engine.procedures.effects import Counters
from assistant.engine.procedures.fire import Fire, Volley
from assistant.engine.procedures.program import ProcedureProgram, added_constant
from assistant.engine.procedures.sharing import fire_key
from assistant.engine.procedures.stages import Numbers, StageRunner
from assistant.questions.answer import BadQuestion, Refusal
from scenarios.rules.procedures import MAX_STATES, Stage, effects_of

Gain = tuple[int, ...]
"""What is gained on a way: of each group the worth that left and the worth that was lost, then the tallies."""
Ways = dict[int, int]
"""In how many ways, by a count that is kept on the way."""
Arrival = tuple[int, Ways, int, int]
"""What arrives on a way: a denominator, the ways, what is added to their counts, and by what they are multiplied."""
FireCache = dict[tuple[int, tuple[str, ...], tuple[str, ...]], Fire]
"""What is known of the fires of stages, by what is asked of them."""
UNUSED = -1
ENDED = "ended"
"""The name by which an answer needs the word with which a procedure ended."""


class End(NamedTuple):
    """Where a procedure ended: in which turn, by which word, and what is left of what the answer asks for."""

    turn: int
    word: str
    nums: Numbers
    counters: tuple[tuple[str, Any], ...]


class TurnEnd(NamedTuple):
    """How things stand at the end of a turn of a forecast."""

    turn: int
    nums: Numbers
    counters: tuple[tuple[str, Any], ...]


class NodeKey(NamedTuple):
    """A state before a stage that rolls."""

    position: int
    nums: Numbers
    counters: tuple[tuple[str, Any], ...]
    volley: Volley | None
    pending: tuple[tuple[int, Volley], ...]
    turn_end: bool = False


class Edge(NamedTuple):
    """A way from a node: where it leads, what is gained, and in how many ways of how many."""

    target: Any
    gain: Gain
    ways: int
    total: int


class Chain:
    """Everything that can happen, as far as the answer `needs` it: groups by name, counters as `counter.NAME`."""

    def __init__(
        self,
        program: ProcedureProgram,
        needs: Iterable[str],
        fires: FireCache | None = None,
        pool: Mapping[Any, Fire] | None = None,
    ) -> None:
        """`fires` is what other chains of the same program have worked out, `pool` what chains of a similar program have."""
        self.pool = pool or {}
        self.program, self.needs = program, frozenset(needs)
        self.known_fires: FireCache = {} if fires is None else fires
        self.steps, self.loop = program.steps, program.loop
        self.runner = StageRunner(program)
        self.width = 2 * len(program.names) + len(program.tallies)
        self.no_gain: Gain = (0,) * self.width
        touched = [program.touches(stage) for stage in program.stages]
        self.touches = [touched[step.index] for step in self.steps]
        self.effects = [next(iter(effects_of(step.stage)), "") for step in self.steps]
        self.before, self.after = self._live()
        self.is_live = [bool(writes & after) for (_, writes), after in zip(self.touches, self.after, strict=True)]
        self.fires = self._fires()
        self.fire_reads = {i: self._fire_reads(i, fire) for i, fire in self.fires.items()}
        self.groups_of_steps = [program.group_of(step.stage.of) for step in self.steps]
        self.is_random = [self.runner.is_random(step.stage) for step in self.steps]
        self.is_turn_end = [self._turn_ends(i) for i in range(len(self.steps))]
        self.is_end = [bool(step.stage.end) and self._end_matters(i) for i, step in enumerate(self.steps)]
        self._reached: dict[tuple[Any, ...], tuple[Any, Gain]] = {}
        self.nodes: dict[NodeKey, int] = {}
        self.edges: list[list[Edge]] = []
        self.turn_ends: dict[int, TurnEnd] = {}
        self._todo: list[tuple[int, NodeKey]] = []
        self._build()
        self.blocks = self._sort()

    # What is still asked for, backwards through the stages.

    def _live(self) -> tuple[list[frozenset[str]], list[frozenset[str]]]:
        """What is still asked for before and after each step. An end matters only if it is asked for, or if something that is asked for
        could change after it."""
        count = len(self.steps)
        self.goes_on = [False] * (count + 1)
        while True:
            before, after = self._live_names()
            acts = [
                bool(writes & after[i])
                or self._turn_ends(i)
                or (bool(self.steps[i].stage.end) and self._end_matters(i))
                for i, (_, writes) in enumerate(self.touches)
            ]
            looped = self.loop is not None and any(acts[self.loop :])
            goes_on = [any(acts[i:]) or looped for i in range(count + 1)]
            if goes_on == self.goes_on:
                return before, after
            self.goes_on = goes_on

    def _end_matters(self, i: int) -> bool:
        return ENDED in self.needs or bool(self.program.case.turn_count) or self._follows(i)

    def _follows(self, i: int) -> bool:
        """Whether something that is asked for can change after a step."""
        if i + 1 == len(self.steps) and self.loop is not None:
            return self.goes_on[self.loop]
        return self.goes_on[i + 1]

    def _live_names(self) -> tuple[list[frozenset[str]], list[frozenset[str]]]:
        count = len(self.steps)
        at_end = self.needs if self.loop is None else frozenset[str]()
        before = [self.needs if self.loop is None else frozenset[str]() for _ in range(count)] + [at_end]
        after = [frozenset[str]() for _ in range(count)]
        changed = True
        while changed:
            changed = False
            for i in range(count - 1, -1, -1):
                following = before[i + 1] if i + 1 < count or self.loop is None else before[self.loop]
                reads, writes = self.touches[i]
                stage = self.steps[i].stage
                after[i] = following | self.needs
                is_live = self._end_matters(i) if stage.end else bool(writes & after[i])
                live = frozenset((after[i] - self._overwritten(stage)) | reads) if is_live else after[i]
                changed |= live != before[i]
                before[i] = live
        return before, after

    def _overwritten(self, stage: Stage) -> frozenset[str]:
        """The counters that a stage sets whatever they were before."""
        if not stage.change or stage.when is not None or stage.of or stage.roll:
            return frozenset()
        return frozenset(f"counter.{name}" for name in stage.change)

    def _turn_ends(self, i: int) -> bool:
        """Whether a turn of a forecast ends after a step."""
        if not self.program.case.turn_count:
            return False
        first = len(self.program.procedure.stages) + len(self.program.procedure.rounds)
        if self.steps[i].index < first:
            return False
        return i + 1 == len(self.steps) or self.steps[i + 1].turn != self.steps[i].turn

    def _fires(self) -> dict[int, Fire]:
        program, fires = self.program, dict[int, Fire]()
        for i, step in enumerate(self.steps):
            if self.effects[i] != "fire" or not self.is_live[i]:
                continue
            at = program.group_of(step.stage.at)
            _, writes = self.touches[i]
            groups = [name for name in program.names if name in writes and name in self.after[i]]
            effects = program.effects_of_stage(step.stage)
            counted = [
                name
                for name in program.counters
                if name not in program.tallies
                and (
                    f"counter.{name}" in writes & self.after[i]
                    or (name in effects.counters_used and f"counter.{name}" in self.before[i])
                )
            ]
            asked = {
                program.names_of_groups(program.group_of(step.stage.of)).get(name) for name in effects.groups_asked
            }
            groups += [name for name in program.names if counted and name in asked and name not in groups]
            fires[i] = self._fire_of(step.index, tuple(dict.fromkeys([at, *groups] if at else groups)), tuple(counted))
        return fires

    def _fire_of(self, index: int, touched: tuple[str, ...], counted: tuple[str, ...]) -> Fire:
        key = index, touched, counted
        if key not in self.known_fires:
            stage = self.program.stages[index]
            of, at = self.program.group_of(stage.of), self.program.group_of(stage.at)
            fire = self.pool.get(fire_key(stage, of, at, touched, counted))
            usable = fire is not None and fire.fits(self.program)
            if fire is None or not usable:
                earlier, fire = fire, Fire(self.program, stage, touched, counted)
                if earlier is not None:
                    fire.take_results(earlier)
            self.known_fires[key] = fire
        return self.known_fires[key]

    def _fire_reads(self, i: int, fire: Fire) -> frozenset[str]:
        """What a state before a fire is told apart by, besides the volley."""
        return self.after[i] | set(fire.touched) | {f"counter.{name}" for name in fire.counted}

    # The graph.

    def _build(self) -> None:
        program = self.program
        counters = {name: value for name, value in program.counters.items() if name not in program.tallies}
        start = tuple(group.start for group in program.groups.values())
        self.first = self._run(0, start, counters, self.no_gain, ())
        while self._todo:
            node, key = self._todo.pop()
            reached: dict[tuple[Any, Gain], tuple[int, int]] = {}
            for nums, counters, gain, ways, total in self._outcomes(key):
                target = self._run(key.position + (not key.turn_end), nums, counters, gain, key.pending)
                earlier = reached.get(target, (0, total))
                reached[target] = (earlier[0] + ways, total)
            self.edges[node] = [Edge(target, gain, ways, total) for (target, gain), (ways, total) in reached.items()]

    def _outcomes(self, key: NodeKey) -> Iterable[tuple[Numbers, Counters, Gain, int, int]]:
        """What a stage that rolls makes of a state, in how many ways of how many."""
        counters = dict(key.counters)
        if key.turn_end:
            yield key.nums, counters, self.no_gain, 1, 1
            return
        program = self.program
        if self.effects[key.position] != "fire":
            outcomes = self.runner.run(self.steps[key.position], key.nums, counters)
            total = lcm(*(outcome.chance.denominator for outcome in outcomes))
            for outcome in outcomes:
                nums, gain = self._settled(key.nums, outcome.nums, self.no_gain)
                yield nums, dict(outcome.counters), gain, int(outcome.chance * total), total
            return
        fire = self.fires[key.position]
        volley = key.volley or ()
        total = fire.faces ** len(volley)
        places = [program.index[name] for name in fire.touched]
        for left, ways in fire.outcomes(volley, key.nums, counters).items():
            changed, gained = list(key.nums), list(self.no_gain)
            for i, place in enumerate(places):
                changed[place] = left.groups[i]
                gained[2 * place] = left.gains[2 * i]
                gained[2 * place + 1] = left.gains[2 * i + 1]
            after = {**counters, **dict(zip(fire.counted, left.counters, strict=True))}
            yield tuple(changed), after, tuple(gained), ways, total

    def _settled(self, before: Numbers, after: Numbers, gain: Gain) -> tuple[Numbers, Gain]:
        """States without what has gone from them, which becomes a gain."""
        if before == after:
            return after, gain
        nums, gained = list(after), list(gain)
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            if old != new:
                nums[place], left, lost = self.program.groups[self.program.names[place]].settle(new)
                gained[2 * place] += left
                gained[2 * place + 1] += lost
        return tuple(nums), tuple(gained)

    def _run(
        self, i: int, nums: Numbers, counters: Mapping[str, Any], gain: Gain, pending: tuple[tuple[int, Volley], ...]
    ) -> tuple[Any, Gain]:
        """Through every stage that rolls nothing to the next one that does, or to the end: where that is, with what is gained."""
        key = i, nums, tuple(counters.items()), pending
        reached = self._reached.get(key)
        if reached is None:
            reached = self._reached[key] = self._walk(i, nums, counters, pending)
        target, more = reached
        return target, tuple([a + b for a, b in zip(gain, more, strict=True)]) if any(more) else gain

    def _walk(
        self, i: int, nums: Numbers, counters: Mapping[str, Any], pending: tuple[tuple[int, Volley], ...]
    ) -> tuple[Any, Gain]:
        program, visited, gain = self.program, 0, self.no_gain
        while True:
            if i == len(self.steps):
                if self.loop is None or visited > 2 * len(self.steps):
                    return self._end("", self.steps[-1].turn if self.steps else 1, nums, counters), gain
                i = self.loop
            step, effect, stage, group = self.steps[i], self.effects[i], self.steps[i].stage, self.groups_of_steps[i]
            if not self.goes_on[i]:
                return self._end("", step.turn, nums, counters), gain
            visited += 1
            if effect == "end":
                if self.is_end[i] and program.holds(stage.when, nums, counters, group, step.turn):
                    return self._end(stage.end, step.turn, nums, counters), gain
            elif self.is_live[i] and effect == "fire":
                volley, pending = self._volley(i, nums, counters, pending)
                if volley:
                    return self._node(i, nums, counters, volley, pending), gain
            elif self.is_live[i] and self.is_random[i]:
                if effect != "draw" or program.holds(stage.when, nums, counters, group, step.turn):
                    return self._node(i, nums, counters, None, pending), gain
            elif self.is_live[i]:
                nums, counters, gain = self._simple(i, nums, counters, gain)
            if self.is_turn_end[i]:
                return self._turn_node(i, nums, counters), gain
            i += 1

    def _volley(
        self, i: int, nums: Numbers, counters: Mapping[str, Any], pending: tuple[tuple[int, Volley], ...]
    ) -> tuple[Volley | None, tuple[tuple[int, Volley], ...]]:
        """The volley of a fire, if it fires, and those of the simultaneous fires after it."""
        stage = self.steps[i].stage
        if not any(item[0] == i for item in pending):
            if not self.program.holds(stage.when, nums, counters, self.groups_of_steps[i], self.steps[i].turn):
                return None, pending
            pending = self._simultaneous(i, nums, counters) if stage.simultaneous is not None else ()
            if not pending:
                return self.fires[i].volley(nums, counters), ()
        return dict(pending)[i], tuple(item for item in pending if item[0] != i)

    def _simple(
        self, i: int, nums: Numbers, counters: Mapping[str, Any], gain: Gain
    ) -> tuple[Numbers, Mapping[str, Any], Gain]:
        """A stage that rolls nothing."""
        stage, program = self.steps[i].stage, self.program
        tallied = [name for name in stage.change if name in program.tallies]
        if tallied:
            gained = list(gain)
            if program.holds(stage.when, nums, counters, program.group_of(stage.of), self.steps[i].turn):
                for name in tallied:
                    formula = stage.change[name]
                    amount = added_constant(formula, f"counter.{name}") if formula is not None else 0
                    gained[2 * len(program.names) + program.tallies.index(name)] += amount or 0
            if len(tallied) == len(stage.change):
                return nums, counters, tuple(gained)
            gain = tuple(gained)
        (outcome,) = self.runner.run(self.steps[i], nums, counters)
        after, gain = self._settled(nums, outcome.nums, gain)
        return after, outcome.counters, gain

    def _simultaneous(self, i: int, nums: Numbers, counters: Mapping[str, Any]) -> tuple[tuple[int, Volley], ...]:
        """The volleys of a fire and of the simultaneous ones after it, all as things stand now."""
        volleys: list[tuple[int, Volley]] = []
        for j in range(i, len(self.steps)):
            stage = self.steps[j].stage
            group = self.program.group_of(stage.of)
            is_simultaneous = stage.simultaneous is not None and self.program.holds(
                stage.simultaneous, nums, counters, group, self.steps[j].turn
            )
            if self.effects[j] != "fire" or not is_simultaneous:
                break
            if self.is_live[j]:
                fires = self.program.holds(stage.when, nums, counters, group, self.steps[j].turn)
                volleys.append((j, self.fires[j].volley(nums, counters) if fires else ()))
        return tuple(volleys) if len(volleys) > 1 else ()

    def _node(
        self,
        i: int,
        nums: Numbers,
        counters: Mapping[str, Any],
        volley: Volley | None,
        pending: tuple[tuple[int, Volley], ...],
    ) -> int:
        """The number of a state before a stage that rolls. A group that is only asked for its fire is kept by its volley."""
        live = self.before[i]
        if self.effects[i] == "fire":
            live = self.fire_reads[i]
        key = NodeKey(i, self._kept(nums, live), self._kept_counters(counters, live), volley, pending)
        return self._number(key)

    def _turn_node(self, i: int, nums: Numbers, counters: Mapping[str, Any]) -> int:
        live = self.after[i]
        key = NodeKey(i + 1, self._kept(nums, live), self._kept_counters(counters, live), None, (), True)
        number = self._number(key)
        asked = set(self.needs)
        self.turn_ends[number] = TurnEnd(
            self.steps[i].turn, self._kept(nums, asked), self._kept_counters(counters, asked)
        )
        return number

    def _number(self, key: NodeKey) -> int:
        number = self.nodes.get(key)
        if number is None:
            number = self.nodes[key] = len(self.nodes)
            self.edges.append([])
            self._todo.append((number, key))
            if number >= MAX_STATES:
                raise Refusal(self._too_many())
        return number

    def _kept(self, nums: Numbers, live: Iterable[str]) -> Numbers:
        return tuple([n if name in live else UNUSED for name, n in zip(self.program.names, nums, strict=True)])

    def _kept_counters(self, counters: Mapping[str, Any], live: Iterable[str]) -> tuple[tuple[str, Any], ...]:
        return tuple([(name, value) for name, value in counters.items() if f"counter.{name}" in live])

    def _end(self, word: str, turn: int, nums: Numbers, counters: Mapping[str, Any]) -> End:
        return End(turn, word, self._kept(nums, self.needs), self._kept_counters(counters, self.needs))

    def _too_many(self) -> str:
        """Which group or counter to make smaller."""
        program = self.program
        sizes: dict[str, int] = {}
        for place, name in enumerate(program.names):
            sizes[f"the group {program.procedure.groups[name].title}"] = len({key.nums[place] for key in self.nodes})
        for name in program.counters:
            values = {value for key in self.nodes for other, value in key.counters if other == name}
            sizes[f"the counter {name}"] = len(values)
        largest = max(sizes, key=lambda name: sizes[name])
        return (
            f"{program.procedure.title}: more than {MAX_STATES:,} states can come about; make {largest} smaller, "
            f"which has {sizes[largest]:,} of them"
        )

    # Blocks of states that lead to each other.

    def _sort(self) -> list[list[int]]:
        """The nodes in blocks, each after all that lead to it (Tarjan's algorithm)."""
        low: dict[int, int] = {}
        seen: dict[int, int] = {}
        stack: list[int] = []
        on_stack: set[int] = set()
        blocks: list[list[int]] = []
        for root in range(len(self.nodes)):
            if root in seen:
                continue
            work = [(root, iter(self._next(root)))]
            seen[root] = low[root] = len(seen)
            stack.append(root)
            on_stack.add(root)
            while work:
                node, edges = work[-1]
                for target in edges:
                    if target not in seen:
                        seen[target] = low[target] = len(seen)
                        stack.append(target)
                        on_stack.add(target)
                        work.append((target, iter(self._next(target))))
                        break
                    if target in on_stack:
                        low[node] = min(low[node], seen[target])
                else:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[node])
                    if low[node] == seen[node]:
                        block = []
                        while True:
                            member = stack.pop()
                            on_stack.discard(member)
                            block.append(member)
                            if member == node:
                                break
                        blocks.append(block)
        return blocks[::-1]

    def _next(self, node: int) -> list[int]:
        return [edge.target for edge in self.edges[node] if isinstance(edge.target, int)]

    # How chances flow.

    def flow(self, count: Callable[[Gain], int]) -> Flow:
        """In how many ways each end, and each end of a turn, is reached, by a count that is kept on the way."""
        waiting: dict[Any, list[Arrival]] = {}
        counts: dict[Gain, int] = {}
        target, gain = self.first
        waiting[target] = [(1, {count(gain): 1}, 0, 1)]
        turns: dict[TurnEnd, list[Arrival]] = {}
        for block in self.blocks:
            inside = set(block)
            is_cycle = any(edge.target in inside for node in block for edge in self.edges[node])
            arrived = [together(waiting.pop(node)) if node in waiting else (1, {}) for node in block]
            if is_cycle:
                arrived = self._visits(block, arrived, count)
            for node, (denominator, ways) in zip(block, arrived, strict=True):
                if node in self.turn_ends:
                    turns.setdefault(self.turn_ends[node], []).append((denominator, ways, 0, 1))
                for edge in self.edges[node]:
                    if edge.target in inside:
                        continue
                    more = counts.get(edge.gain)
                    if more is None:
                        more = counts[edge.gain] = count(edge.gain)
                    waiting.setdefault(edge.target, []).append((denominator * edge.total, ways, more, edge.ways))
        return Flow(_scaled(waiting), _scaled(turns))

    def _visits(
        self, block: list[int], arrived: list[tuple[int, Ways]], count: Callable[[Gain], int]
    ) -> list[tuple[int, Ways]]:
        """How often each node of a block is visited, all rounds together: linear equations, solved exactly."""
        size = len(block)
        place = {node: i for i, node in enumerate(block)}
        rows = [[Fraction(int(i == j)) for j in range(size)] for i in range(size)]
        for node in block:
            for edge in self.edges[node]:
                if edge.target in place:
                    if count(edge.gain):
                        raise BadQuestion(
                            f"{self.program.procedure.title}: a round may change nothing, so what it counts has no end; "
                            "end the procedure after a number of rounds"
                        )
                    rows[place[edge.target]][place[node]] -= Fraction(edge.ways, edge.total)
        keys = sorted({key for _, ways in arrived for key in ways})
        right = [[Fraction(ways.get(key, 0), denominator) for key in keys] for denominator, ways in arrived]
        for i in range(size):
            swap = next((j for j in range(i, size) if rows[j][i]), None)
            if swap is None:
                raise BadQuestion(
                    f"{self.program.procedure.title}: with these units it can go on for ever; a stage has to end it"
                )
            rows[i], rows[swap], right[i], right[swap] = rows[swap], rows[i], right[swap], right[i]
            pivot = rows[i][i]
            rows[i], right[i] = [value / pivot for value in rows[i]], [value / pivot for value in right[i]]
            for j in range(size):
                if j != i and rows[j][i]:
                    factor = rows[j][i]
                    rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i], strict=True)]
                    right[j] = [a - factor * b for a, b in zip(right[j], right[i], strict=True)]
        visits: list[tuple[int, Ways]] = []
        for row in right:
            denominator = lcm(1, *(value.denominator for value in row))
            visits.append(
                (denominator, {key: int(value * denominator) for key, value in zip(keys, row, strict=True) if value})
            )
        return visits


class Flow(NamedTuple):
    """In how many ways each end and each end of a turn is reached, out of how many."""

    ends: tuple[dict[Any, Ways], int]
    turns: tuple[dict[Any, Ways], int]


def _scaled(parts: Mapping[Any, Sequence[Arrival]]) -> tuple[dict[Any, Ways], int]:
    joined = {key: together(shares) for key, shares in parts.items()}
    common = lcm(1, *{denominator for denominator, _ in joined.values()})
    return {
        key: {count: n * (common // denominator) for count, n in ways.items()}
        for key, (denominator, ways) in joined.items()
    }, common


def together(parts: Sequence[Arrival]) -> tuple[int, Ways]:
    """Several shares with their own denominators as one."""
    common = lcm(*{part[0] for part in parts})
    joined: Ways = {}
    get = joined.get
    for denominator, ways, more, factor in parts:
        scale = factor * (common // denominator)
        for key, n in ways.items():
            key += more
            joined[key] = get(key, 0) + n * scale
    return common, joined

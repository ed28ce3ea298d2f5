"""What comes out of a procedure: the chances of outcomes, of counters and of losses, by turn in a forecast."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from assistant.engine.procedures.case import Case, holds, uses
from assistant.engine.procedures.chain import ENDED, Chain, End, FireCache, Flow, Gain, TurnEnd, Ways
from assistant.engine.procedures.effects import bounded, counter_shape
from assistant.engine.procedures.fire import Fire
from assistant.engine.procedures.groups import Group
from assistant.engine.procedures.program import ProcedureProgram
from assistant.engine.procedures.scores import Scores
from assistant.engine.procedures.sharing import changed_names, same_group
from scenarios.rules.procedures import ProcedureOutcome, formulas_of

WIDTH = 4096
"""Sums of worth are counted together in one number: one after the other, each below this."""
Chances = dict[Any, Fraction]
UNHARMED = "unharmed"


@dataclass(frozen=True)
class UnitFate:
    """What becomes of one unit of a group whose units are kept apart."""

    name: str
    unit: str
    chances: Mapping[str, Fraction]
    """The chance that it is `eliminated`, has `left` (in which state), or is still there: the name of the side that it then shows."""
    stack_number: int = 0


@dataclass(frozen=True)
class GroupResult:
    """What becomes of a group."""

    name: str
    worth_lost: Chances
    worth_left: Chances
    """The worth of who left by a retreat or for a box."""
    remaining: Mapping[str, Fraction]
    """How many units of each name are still there on average."""
    chance_gone: Fraction
    """The chance that nobody is there any more."""
    steps_left: Chances
    """How many steps the units have that are still there."""
    fates: tuple[UnitFate, ...] = ()
    tallies: Mapping[tuple[int, int, int], Fraction] = field(default_factory=dict)
    """Where units are kept apart: how many are eliminated, left, and are reduced or in another state, wherever they are then."""


@dataclass(frozen=True)
class Solution:
    """Everything that a procedure can come to. Every mapping of chances adds up to 1."""

    program: ProcedureProgram
    outcomes: Mapping[int, Fraction]
    """The chance of each outcome, by its index."""
    ends: Mapping[tuple[int, str], Fraction]
    """The chance of each way to end: in which turn, and by which word."""
    together: Mapping[tuple[Any, ...], Fraction]
    counters: Mapping[str, Chances]
    groups: Mapping[str, GroupResult]
    turns: Mapping[int, Mapping[str, Chances]] = field(default_factory=dict)
    """For a forecast, the chance of each value of each counter at the end of each turn, if it has not ended before."""
    states: int = 0
    winners: Mapping[str, Fraction] = field(default_factory=dict)
    """The chance that each side then wins by the scenario's own lines, where the counters that these ask for are known."""

    def chance_of(self, name: str, value: str) -> Fraction:
        """The chance that an outcome names a value."""
        listed = self.program.procedure.outcomes
        return sum((chance for i, chance in self.outcomes.items() if listed[i].is_.get(name) == value), Fraction(0))


class Solver:
    """A procedure with its chains. What isn't asked for together is worked out in a chain of its own, which is smaller."""

    def __init__(self, case: Case, program: ProcedureProgram | None = None, like: Solver | None = None) -> None:
        """`like` has solved a procedure that differs little: what is the same is taken over."""
        self.program: ProcedureProgram = program or ProcedureProgram(case, like.program if like is not None else None)
        self.pool: dict[tuple[object, ...], Fire] = (
            {} if like is None else {fire.key: fire for fire in like._fires.values()}
        )
        self.procedure = self.program.procedure
        self._fires: FireCache = {}
        self._chains: dict[frozenset[str], Chain] = {}
        self._flows: dict[Any, Flow] = {}
        self.scores = Scores(self.program) if self.procedure.scores and case.knows_counters else None

    def is_same(self, program: ProcedureProgram) -> bool:
        """Whether a procedure comes to the same as this one, as far as that is plain: everything about it is the same, but for inputs
        that change no roll."""
        own = self.program
        for name, group in own.groups.items():
            other = program.groups[name]
            is_empty = not group.kinds and not other.kinds
            if not is_empty and not (same_group(group, other) and group.start == other.start):
                return False
        if (own.aliases, own.counters, own.case.shifts) != (program.aliases, program.counters, program.case.shifts):
            return False
        formulas = [formula for stage in own.stages for formula in formulas_of(stage)]
        formulas += [outcome.when for outcome in self.procedure.outcomes if outcome.when is not None]
        asked = own.names_in_results.union(*(uses(formula) for formula in formulas))
        if asked & changed_names(own.base, program.base):
            return False
        return all(fire.rolls_the_same(program.case.inputs) for fire in self._fires.values())

    def chain(self, needs: frozenset[str]) -> Chain:
        """The chain that an answer needs."""
        if needs not in self._chains:
            self._chains[needs] = Chain(self.program, needs, self._fires, self.pool)
        return self._chains[needs]

    @cached_property
    def main_needs(self) -> frozenset[str]:
        """What outcomes and joint answers ask for."""
        program, procedure = self.program, self.procedure
        names = [name for outcome in procedure.outcomes for name in uses(outcome.when)]
        names += procedure.together
        if self.scores:
            names += [name for formula in procedure.scores.values() for name in uses(formula)]
        needs: set[str] = set()
        for name in names:
            known = name.partition(".")[2] if name.startswith(("gone.", "away.")) else program.aliases.get(name, name)
            if known in program.groups:
                needs.add(known)
            elif name.startswith("counter.") or name in program.counters:
                needs.add(name if name.startswith("counter.") else f"counter.{name}")
        return frozenset({*needs, *(f"counter.{name}" for name in program.tallies), ENDED})

    def solve(self, is_full: bool = True, *, has_counters: bool = True) -> Solution:
        """Solve the procedure. Without `is_full` only outcomes, joint answers and the groups that they ask for are worked out, without
        `has_counters` no counters."""
        program = self.program
        main = self.main_needs
        asked = [name for name in program.names if name in main]
        gains, plain = self._gains(asked)
        flow = self._flow(main, gains)
        outcomes: dict[int, int] = {}
        ends: dict[tuple[int, str], int] = {}
        joint: dict[tuple[Any, ...], int] = {}
        all_ends, total = flow.ends
        scored: dict[tuple[int, ...], int] = {}
        tables = {name: _GroupTable(program.groups[name], total) for name in asked}
        for end, ways in all_ends.items():
            for amounts, n in self._group_sums(end, ways, asked, gains, plain).items():
                index = self._outcome(end, amounts)
                if index is not None:
                    outcomes[index] = outcomes.get(index, 0) + n
                if self.procedure.together:
                    key = self._joint(end, amounts, index)
                    joint[key] = joint.get(key, 0) + n
                if self.scores and is_full:
                    points = self.scores.points(amounts)
                    scored[points] = scored.get(points, 0) + n
                for name in asked:
                    number = end.nums[program.index[name]]
                    tables[name].add(number, amounts[f"away.{name}"], amounts[f"gone.{name}"], n)
            key_end = end.turn, end.word
            ends[key_end] = ends.get(key_end, 0) + sum(ways.values())
        groups = {name: table.result() for name, table in tables.items()}
        counters: dict[str, Chances] = {}
        turns: dict[int, dict[str, Chances]] = {}
        if is_full:
            for name in program.names:
                if name not in groups and program.case.groups.get(name):
                    groups[name] = self._group_alone(name)
            for name in program.counters if has_counters else ():
                if not counter_shape(program.case, name).title or name not in program.changing_counters:
                    continue
                counters[name], by_turn = self._counter(name)
                for turn, chances in by_turn.items():
                    turns.setdefault(turn, {})[name] = chances
        return Solution(
            program,
            _shares(outcomes, total),
            _shares(ends, total),
            _shares(joint, total),
            counters,
            groups,
            turns,
            sum(len(chain.nodes) for chain in self._chains.values()),
            self.scores.winners(_shares(scored, total)) if self.scores and scored else {},
        )

    # Gains.

    def _gains(self, groups: list[str]) -> tuple[list[int], dict[str, bool]]:
        """Which sums of worth have to be carried beside the chain, by their place in a gain. What is lost follows from what is left where
        units keep their worth."""
        plain = {name: self.program.groups[name].keeps_worth for name in groups}
        places: list[int] = []
        for name in groups:
            place = 2 * self.program.index[name]
            places += [place] if plain[name] else [place, place + 1]
        return places, plain

    def _flow(self, needs: frozenset[str], places: list[int]) -> Flow:
        key = needs, tuple(places)
        if key not in self._flows:
            self._flows[key] = self.chain(needs).flow(_counting(places))
        return self._flows[key]

    def _group_sums(
        self, end: End | TurnEnd, ways: Ways, groups: list[str], places: list[int], plain: Mapping[str, bool]
    ) -> dict[_Amounts, int]:
        """The sums of worth of each group that left and that was lost, with their ways."""
        sums: dict[_Amounts, int] = {}
        for count, n in ways.items():
            values: dict[int, int] = {}
            for place in places:
                count, values[place] = divmod(count, WIDTH)
            amounts: dict[str, int] = {}
            for name in groups:
                place = 2 * self.program.index[name]
                group = self.program.groups[name]
                amounts[f"away.{name}"] = values[place]
                lost = group.start_worth - group.worth(end.nums[self.program.index[name]]) - values[place]
                amounts[f"gone.{name}"] = lost if plain[name] else values[place + 1]
            key = _Amounts(amounts)
            sums[key] = sums.get(key, 0) + n
        return sums

    # Outcomes.

    @cached_property
    def _sums_asked(self) -> list[frozenset[str]]:
        """The sums of worth that each outcome asks for."""
        return [
            frozenset(name for name in uses(outcome.when) if name.startswith(("gone.", "away.")))
            for outcome in self.procedure.outcomes
        ]

    @cached_property
    def _end_values(self) -> dict[End, dict[str, Any]]:
        return {}

    @cached_property
    def _known_outcomes(self) -> dict[Any, bool]:
        return {}

    def _outcome(self, end: End, amounts: Mapping[str, int]) -> int | None:
        """The first outcome that holds."""
        program = self.program
        if end not in self._end_values:
            names = frozenset[str]().union(*(uses(outcome.when) for outcome in self.procedure.outcomes))
            values = {**program.scope(end.nums, "", names), "ended": end.word, "turn": end.turn}
            self._end_values[end] = values | {f"counter.{name}": value for name, value in end.counters}
        for i, outcome in enumerate(self.procedure.outcomes):
            asked = tuple([(name, amounts[name]) for name in self._sums_asked[i]])
            key = i, end, asked
            is_so = self._known_outcomes.get(key)
            if is_so is None:
                values = {**self._end_values[end], **dict(asked)} if asked else self._end_values[end]
                is_so = self._known_outcomes[key] = holds(outcome.when, values, program.lookup)
            if is_so:
                return i
        return None

    def _joint(self, end: End, amounts: Mapping[str, int], index: int | None) -> tuple[Any, ...]:
        outcome = self.procedure.outcomes[index] if index is not None else ProcedureOutcome(text="")
        counters = dict(end.counters)
        return tuple(
            amounts[name] if name in amounts else counters[name] if name in counters else outcome.is_.get(name, "")
            for name in self.procedure.together
        )

    # Groups and counters alone.

    def _group_alone(self, name: str) -> GroupResult:
        program = self.program
        places, plain = self._gains([name])
        ends, total = self._flow(frozenset({name}), places).ends
        table = _GroupTable(program.groups[name], total)
        for end, ways in ends.items():
            for amounts, n in self._group_sums(end, ways, [name], places, plain).items():
                number = end.nums[program.index[name]]
                table.add(number, amounts[f"away.{name}"], amounts[f"gone.{name}"], n)
        return table.result()

    def _counter(self, name: str) -> tuple[Chances, dict[int, Chances]]:
        program = self.program
        needs = frozenset({f"counter.{name}"})
        if needs <= self.main_needs:
            needs = self.main_needs
        places = [2 * len(program.names) + program.tallies.index(name)] if name in program.tallies else []
        flow = self._flow(needs, places)
        shape, start = counter_shape(program.case, name), program.counters[name]

        def chances(parts: tuple[dict[Any, Ways], int], turn: int | None = None) -> Chances:
            found: dict[Any, int] = {}
            for end, ways in parts[0].items():
                for count, n in ways.items() if turn in (None, end.turn) else ():
                    value = bounded(shape, start + count) if places else dict(end.counters)[name]
                    found[value] = found.get(value, 0) + n
            return _shares(dict(sorted(found.items())), parts[1])

        turns = sorted({end.turn for end in flow.turns[0]})
        return chances(flow.ends), {turn: chances(flow.turns, turn) for turn in turns}


class _Amounts(dict[str, int]):
    """Sums by name, as a key."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self.items()))


class _GroupTable:
    """Adds up what becomes of a group."""

    def __init__(self, group: Group, total: int) -> None:
        self.group, self.total = group, total
        self.lost: dict[int, int] = {}
        self.left: dict[int, int] = {}
        self.ways: dict[int, int] = {}

    def add(self, number: int, left: int, lost: int, ways: int) -> None:
        """Add some ways to end."""
        self.lost[lost] = self.lost.get(lost, 0) + ways
        self.left[left] = self.left.get(left, 0) + ways
        self.ways[number] = self.ways.get(number, 0) + ways

    @cached_property
    def by_state(self) -> dict[int, Fraction]:
        """The chance of each state of the group."""
        return _shares(self.ways, self.total)

    def result(self) -> GroupResult:
        """What the group comes to."""
        group = self.group
        remaining: dict[str, Fraction] = {}
        steps: Chances = {}
        gone = Fraction(0)
        for number, chance in self.by_state.items():
            for name, count in group.mean_left(number).items():
                remaining[name] = remaining.get(name, Fraction(0)) + count * chance
            left_steps = group.steps(number)
            steps[left_steps] = steps.get(left_steps, Fraction(0)) + chance
            gone += chance if not any(group.state(number).present) else 0
        fates = tuple(self._fates()) if group.keeps_units else ()
        lost, left = (_shares(dict(sorted(ways.items())), self.total) for ways in (self.lost, self.left))
        tallies = dict(sorted(self._tallies().items())) if group.keeps_units else {}
        return GroupResult(group.name, lost, left, remaining, gone, dict(sorted(steps.items())), fates, tallies)

    def _tallies(self) -> dict[tuple[int, int, int], Fraction]:
        """How many of the listed units are eliminated, how many have left, and how many are there or left otherwise than they came."""
        group = self.group
        listed = set(group.kinds.listed)
        tallies: dict[tuple[int, int, int], Fraction] = {}
        for number, chance in self.by_state.items():
            state = group.state(number)
            left = sum(state.departed)
            changed = sum(n for kind, n in enumerate(state.present) if kind not in listed)
            changed += sum(n for kind, n in zip(group.watched, state.departed, strict=True) if kind not in listed)
            key = len(group.kinds.listed) - sum(state.present) - left, left, changed
            tallies[key] = tallies.get(key, Fraction(0)) + chance
        return tallies

    def _fates(self) -> list[UnitFate]:
        """What becomes of each listed unit; parts of a unit count as the unit."""
        group = self.group
        fates: list[UnitFate] = []
        for index, listed in enumerate(group.kinds.listed):
            own = [kind for kind in group.kinds if kind.index == index]
            chances: dict[str, Fraction] = {}
            for number, chance in self.by_state.items():
                state = group.state(number)
                present = [kind for kind in own if state.present[kind.number]]
                left = [kind for kind in own if state.departed[group.watched.index(kind.number)]]
                word = " and ".join(dict.fromkeys(_side_shown(group, kind.number, listed) for kind in present))
                if left and not word:
                    shown = dict.fromkeys(_side_shown(group, kind.number, listed) for kind in left)
                    word = " and ".join([*(name for name in shown if name != UNHARMED), "left"])
                word = word or "eliminated"
                chances[word] = chances.get(word, Fraction(0)) + chance
            participant = group.kinds[listed].participant
            fates.append(UnitFate(group.kinds[listed].name, participant.unit, chances, participant.stack_number))
        return fates


def _side_shown(group: Group, number: int, listed: int) -> str:
    """A unit that is still there: unharmed, or with which states and how many steps."""
    kind, before = group.kinds[number], group.kinds[listed]
    if number == listed:
        return UNHARMED
    states = [state for state in kind.participant.states if state not in before.participant.states]
    steps = (
        f"{kind.fields['steps']} of {before.fields['steps']} steps"
        if kind.fields["steps"] != before.fields["steps"]
        else ""
    )
    names = [group.case.game.states[state].name.lower() for state in states]
    return ", ".join([*names, *([steps] if steps and not names else [])]) or kind.name


def _shares(ways: Mapping[Any, int], total: int) -> dict[Any, Fraction]:
    return {key: Fraction(n, total) for key, n in ways.items()}


def _counting(places: list[int]) -> Callable[[Gain], int]:
    """Some sums of a gain in one number."""

    def count(gain: Gain) -> int:
        number = 0
        for place in reversed(places):
            number = number * WIDTH + gain[place]
        return number

    return count

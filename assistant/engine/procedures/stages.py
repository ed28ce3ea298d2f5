"""Every stage but fire: what it makes of the groups and the counters, with the chances of its own dice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from assistant.engine.procedures.case import evaluate, holds, uses
from assistant.engine.procedures.effects import Effects, change, named, rolls_of
from assistant.engine.procedures.groups import Group, GroupState
from assistant.engine.procedures.program import UNIT_EFFECTS, ProcedureProgram, Step
from assistant.questions.answer import BadQuestion
from scenarios.rules.procedures import Stage, effects_of

Numbers = tuple[int, ...]


class StageOutcome(NamedTuple):
    """What a stage leaves, with its chance."""

    nums: Numbers
    """The states of the groups by number."""
    counters: Mapping[str, Any]
    chance: Fraction


class StageRunner:
    """Runs the stages of a procedure that aren't fire."""

    def __init__(self, program: ProcedureProgram) -> None:
        self.program, self.lookup = program, program.lookup
        self.case = program.case

    def is_random(self, stage: Stage) -> bool:
        """Whether a stage rolls or draws."""
        return bool(stage.table or stage.draw or stage.roll)

    def run(self, step: Step, nums: Numbers, counters: Mapping[str, Any]) -> list[StageOutcome]:
        """What a stage makes of a state. A stage whose condition fails leaves everything as it is."""
        stage, program = step.stage, self.program
        effect = next(iter(effects_of(stage)), "")
        group = program.group_of(stage.draw or stage.of)
        if (effect == "change" and stage.of) or effect in UNIT_EFFECTS:
            return self._each(step, effect, program.groups[group], nums, counters)
        if not program.holds(stage.when, nums, counters, group, step.turn):
            return [StageOutcome(nums, counters, Fraction(1))]
        if effect == "change":
            values = self._values(step, nums, counters, group)
            return [
                StageOutcome(nums, self._changed(stage, counters, {**values, "roll": roll}), chance)
                for roll, chance in _rolls(stage)
            ]
        if effect == "leave":
            return [StageOutcome(self._left(group, nums), counters, Fraction(1))]
        if effect == "draw":
            return list(self._drawn(step, program.groups[group], nums, counters))
        return list(self._rolled(step, group, nums, counters))

    def _values(self, step: Step, nums: Numbers, counters: Mapping[str, Any], group: str) -> dict[str, Any]:
        stage = step.stage
        asked = frozenset[str]().union(
            *(uses(f) for f in (stage.when, stage.needs, stage.column, stage.lose, *stage.change.values()))
        )
        return {**self.program.scope(nums, group, asked), **named(counters), "turn": step.turn}

    def _changed(self, stage: Stage, counters: Mapping[str, Any], values: Mapping[str, Any]) -> Mapping[str, Any]:
        if not holds(stage.needs, values, self.lookup):
            return counters
        missing = [name for name in stage.change if name not in counters and name not in self.program.tallies]
        if missing:  # nobody asked for these before: the stage sets them anew
            known = {**dict.fromkeys(missing), **counters}
            counters = {name: known[name] for name in self.program.counters if name in known}
        return change(self.case, stage.change, dict(counters), dict(values))

    def _left(self, group: str, nums: Numbers) -> Numbers:
        own = self.program.groups[group]
        state = own.state(nums[self.program.index[group]])
        if not own.can_all_leave(state):
            return nums
        return self._with(nums, own, own.leave_all(state))

    def _with(self, nums: Numbers, group: Group, state: GroupState) -> Numbers:
        at = self.program.index[group.name]
        return (*nums[:at], group.states.number(state), *nums[at + 1 :])

    def _each(
        self, step: Step, effect: str, group: Group, nums: Numbers, counters: Mapping[str, Any]
    ) -> list[StageOutcome]:
        """An effect on every unit of a group for which the condition holds, one after the other."""
        stage = step.stage
        reached = [StageOutcome(nums, counters, Fraction(1))]
        at = self.program.index[group.name]
        present = group.state(nums[at]).present
        for number, count in enumerate(present):
            for _ in range(count):
                following: dict[tuple[Any, ...], StageOutcome] = {}
                for outcome in reached:
                    kind = group.kinds[number]
                    values = {**self._values(step, outcome.nums, outcome.counters, group.name), **kind.fields}
                    values |= {f"unit.{name}": value for name, value in kind.fields.items()}
                    for after in self._one(stage, effect, group, number, outcome, values):
                        key = after.nums, tuple(after.counters.items())
                        earlier = following.get(key)
                        chance = after.chance + (earlier.chance if earlier else 0)
                        following[key] = after._replace(chance=chance)
                reached = list(following.values())
        return reached

    def _one(
        self, stage: Stage, effect: str, group: Group, number: int, outcome: StageOutcome, values: dict[str, Any]
    ) -> Iterator[StageOutcome]:
        if not holds(stage.when, values, self.lookup):
            yield outcome
            return
        state = group.state(outcome.nums[self.program.index[group.name]])
        for roll, chance in _rolls(stage):
            rolled = {**values, "roll": roll}
            if not holds(stage.needs, rolled, self.lookup):
                yield outcome._replace(chance=outcome.chance * chance)
            elif effect == "change":
                counters = change(self.case, stage.change, dict(outcome.counters), rolled)
                yield StageOutcome(outcome.nums, counters, outcome.chance * chance)
            else:
                nums = self._with(outcome.nums, group, self._suffered(stage, effect, group, state, number, rolled))
                yield StageOutcome(nums, outcome.counters, outcome.chance * chance)

    def _suffered(
        self, stage: Stage, effect: str, group: Group, state: GroupState, number: int, values: Mapping[str, Any]
    ) -> GroupState:
        if effect == "eliminate":
            return group.eliminate(state, [(number, 1)])
        if effect == "send":
            return group.leave(state, [(number, 1)], group.keeps_units)
        if effect == "lose" and stage.lose is not None:
            return group.lose_steps(state, number, int(evaluate(stage.lose, values, self.lookup)))[0]
        kind = group.kinds[number]
        return group.change_kind(
            state, number, kind.in_state[stage.set] if stage.set else kind.out_of_state[stage.clear]
        )

    def _drawn(self, step: Step, group: Group, nums: Numbers, counters: Mapping[str, Any]) -> Iterator[StageOutcome]:
        state = group.state(nums[self.program.index[group.name]])
        total = sum(state.present)
        if not total:
            yield StageOutcome(nums, counters, Fraction(1))
        effects = self.program.effects_of_stage(step.stage) if step.stage.table else None
        for number, count in enumerate(state.present):
            if not count:
                continue
            after = self._with(nums, group, group.leave(state, [(number, 1)], group.keeps_units))
            chance = Fraction(count, total)
            code = group.kinds[number].participant.unit
            if effects is None:
                yield StageOutcome(after, counters, chance)
            else:
                yield from self._resulted(effects, "", after, counters, code, chance)

    def _rolled(self, step: Step, group: str, nums: Numbers, counters: Mapping[str, Any]) -> Iterator[StageOutcome]:
        stage = step.stage
        effects = self.program.effects_of_stage(stage)
        table, column = effects.table, 0
        if stage.column is not None:
            values = self._values(step, nums, counters, group)
            label = evaluate(stage.column, values, self.lookup)
            try:
                column = table.named_column(label) if isinstance(label, str) else _column(table.find_column(label))
            except (KeyError, ValueError):
                raise BadQuestion(f"{table.title} has no column {label!r}") from None
        for code, chance in table.distribution(column).items():
            yield from self._resulted(effects, group, nums, counters, code, chance)

    def _resulted(
        self, effects: Effects, group: str, nums: Numbers, counters: Mapping[str, Any], code: str, chance: Fraction
    ) -> Iterator[StageOutcome]:
        """The results of a code for the group that the stage is about, then for counters."""
        extra = named(counters)
        after = list(nums)
        for name, role in ((group, "defenders"), (self.program.supports.get(group, ""), "defender_support")):
            if name and role in effects.targets and nums[self.program.index[name]] >= 0:
                at = self.program.index[name]
                after[at] = effects.hit(self.program.groups[name], nums[at], code, role, None, extra)
        values = {**self._group_values(group, after, effects), "in_group": group}
        for changed, share in effects.count(dict(counters), code, values):
            yield StageOutcome(tuple(after), changed, chance * share)

    def _group_values(self, group: str, nums: Sequence[int], effects: Effects) -> dict[str, Any]:
        known = self.program.names_of_groups(group)
        return {
            name: self.program.groups[known[name]].units(nums[self.program.index[known[name]]])
            for name in effects.groups_asked
            if name in known
        }


def _rolls(stage: Stage) -> list[tuple[int, Fraction]]:
    return rolls_of(stage.roll) if stage.roll else [(0, Fraction(1))]


def _column(column: int | None) -> int:
    if column is None:
        raise ValueError
    return column

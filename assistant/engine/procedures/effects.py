"""Results carried out in a procedure: what the records of `rules.results` do to groups and counters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from assistant.engine.battle.results import ALWAYS, number_of
from assistant.engine.procedures.case import Case, Values, evaluate, holds, uses
from assistant.engine.procedures.groups import Group, GroupState
from assistant.questions.answer import Refusal
from scenarios.model.attack_inputs import Formula
from scenarios.model.dice import dice
from scenarios.model.tables import Table
from scenarios.rules.counters import RuleCounter
from scenarios.rules.shapes import ResultRule

Counters = dict[str, Any]
MAX_BREAKS = 99
UNSUPPORTED = ("exchange",)


@dataclass(frozen=True)
class DueRecord:
    """A record that a result calls for, with the number and the text of its effect."""

    record: ResultRule
    number: int
    text: str


class Branch(NamedTuple):
    """What a result may leave of a group, the unit that it chose, and in how many ways of the dice of a retreat."""

    state: GroupState
    chosen: int | None
    ways: int


class Walked(Protocol):
    """The retreats of a group that are walked, as the enemy stands."""

    @property
    def faces(self) -> int:
        """How many equally likely outcomes the dice of a retreat have."""

    def has(self, kind: int) -> bool:
        """Whether the retreat of a kind is walked."""

    def going(self, kind: int) -> Sequence[tuple[int, Fraction]]:
        """How many steps the retreat of a kind costs (below 0: it eliminates the unit), each with its chance."""

    def ways(self, chance: Fraction) -> int:
        """A chance in outcomes of the dice."""


class Effects:
    """The results of one table for one attack, or for a roll without an attack."""

    def __init__(self, case: Case, table: Table, attack: str = "") -> None:
        self.case, self.table, self.attack = case, table, attack
        self.lookup = case.program.lookup
        rules = case.program.rules
        self.base: dict[str, Any] = {f"input.{key}": value for key, value in case.inputs.items()}
        effects = {ALWAYS}.union(*(result.effects for result in table.results.values()))
        records = [record for name in rules.results if name in effects for record in rules.results[name]]
        self.targets = frozenset(record.to for record in records if not record.change)
        """To whom the results of the table do something."""
        self.changed = frozenset(key for record in records for key in record.change)
        """The counters that the results of the table change."""
        self.counters_asked = frozenset[str]().union(
            *(counters_in(*formulas_of_result(record)) for record in records if not record.change)
        )
        """The counters that decide what happens to units."""
        self.counters_used = self.counters_asked.union(
            *(counters_in(*formulas_of_result(record)) for record in records)
        )
        self.walks = any(
            record.retreat is not None
            and record.instead is None
            and record.count is not None
            and record.to == "defenders"
            for record in records
        )
        """Whether its results make single units retreat, which are walked on a map."""
        self.asks_battle = any(
            name.startswith("battle.") and name != "battle.attack"
            for record in records
            for formula in formulas_of_result(record)
            for name in case.program.names(formula)
        )
        self.groups_asked = frozenset(
            name for record in records if record.change for f in formulas_of_result(record) for name in uses(f)
        )
        for record in records:
            if record.exchange is not None:
                raise Refusal(f"{case.procedure.title}: an exchange can't be worked out in a procedure", record.rule)
        self._due: dict[str, list[DueRecord]] = {}

    def due(self, code: str) -> list[DueRecord]:
        """The records that a result calls for, in the order of `results`."""
        if code not in self._due:
            effects = self.table.results[code].effects if code in self.table.results else {}
            self._due[code] = [
                DueRecord(record, _number(effects.get(name, "")), effects.get(name, ""))
                for name, records in self.case.program.rules.results.items()
                if name in effects or name == ALWAYS
                for record in records
            ]
        return self._due[code]

    def values(self, code: str, due: DueRecord, extra: Values) -> dict[str, Any]:
        """What the expressions of a record see besides a unit."""
        return {
            **self.base,
            "code": code,
            "result": due.number,
            "result_text": due.text,
            "battle.attack": self.attack,
            **extra,
        }

    # Units.

    def hit(self, group: Group, number: int, code: str, role: str, among: Sequence[bool] | None, extra: Values) -> int:
        """What a result leaves of a group, by the number of its state, where no retreat is walked."""
        return self.hits(group, number, code, role, among, extra, None)[0][0]

    def hits(
        self,
        group: Group,
        number: int,
        code: str,
        role: str,
        among: Sequence[bool] | None,
        extra: Values,
        walked: Walked | None,
    ) -> list[tuple[int, int]]:
        """What a result leaves of a group, by the numbers of its states, each in so many ways of the dice of a retreat."""
        listed = [(due, self.values(code, due, {**extra, **group.policy})) for due in self.due(code)]
        listed = [(due, values) for due, values in listed if due.record.to == role and not due.record.change]
        steps_due = max(
            (
                int(evaluate(due.record.lose, values, self.lookup))
                for due, values in listed
                if due.record.lose and due.record.count
            ),
            default=0,
        )
        branches = [Branch(group.state(number), None, walked.faces if walked is not None else 1)]
        for due, values in listed:
            meant = [
                kind.number
                for kind in group.kinds
                if (among is None or among[kind.number])
                and holds(due.record.when, {**kind.fields, **values}, self.lookup)
            ]
            branches = [
                after
                for branch in branches
                for after in self._carried_out(group, branch, due.record, values, meant, steps_due, walked)
            ]
        return [(group.states.number(branch.state), branch.ways) for branch in branches]

    def _carried_out(
        self,
        group: Group,
        branch: Branch,
        record: ResultRule,
        values: Values,
        meant: Sequence[int],
        steps_due: int,
        walked: Walked | None,
    ) -> list[Branch]:
        """What a record does to a group."""
        state, chosen, ways = branch
        if not any(state.present[number] for number in meant):
            return [branch]
        if record.count is None:
            return [branch._replace(state=self._all(group, state, record, values, meant))]
        count = int(evaluate(record.count, values, self.lookup))
        if record.send:
            going = [n for n in self._order(group, record) if n in meant for _ in range(state.present[n])]
            return [branch._replace(state=group.leave(state, [(n, 1) for n in going[:count]], group.keeps_units))]
        if record.retreat is not None and (record.instead is not None or group.has_leaving_order):
            return [branch._replace(state=self._retreat(group, state, record, values, meant, count))]
        if record.lose is not None and record.retreat is None and count != 1:
            return [branch._replace(state=self._several(group, state, record, values, meant, count))]
        if chosen is None or not state.present[chosen]:
            if chosen is not None:
                return [branch]
            chosen = next(n for n in group.order(group.loss_order, due=steps_due) if n in meant and state.present[n])
        if record.retreat is not None and walked is not None and walked.has(chosen) and ways == walked.faces:
            return [
                Branch(group.walk_off(state, chosen, steps), chosen, walked.ways(chance))
                for steps, chance in walked.going(chosen)
            ]
        state, after = self._chosen(group, state, chosen, record, values)
        return [Branch(state, GONE if after is None else after, ways)]

    def _several(
        self, group: Group, state: GroupState, record: ResultRule, values: Values, meant: Sequence[int], count: int
    ) -> GroupState:
        """So many different units lose steps, those first that are lost first."""
        steps = int(evaluate(record.lose, values, self.lookup)) if record.lose is not None else 0
        hit = [n for n in self._order(group, record) if n in meant for _ in range(state.present[n])][:count]
        for number in hit:
            state, _ = group.lose_steps(state, number, steps)
        return state

    def _order(self, group: Group, record: ResultRule) -> list[int]:
        return group.order(group.enemy_order if record.who == "enemy" else group.loss_order)

    def _chosen(
        self, group: Group, state: GroupState, number: int, record: ResultRule, values: Values
    ) -> tuple[GroupState, int | None]:
        """What a record does to the one unit that its owner has chosen."""
        if number == GONE or not state.present[number]:
            return state, number
        if record.retreat is not None:
            return group.leave_one(state, number), number
        if record.lose is not None:
            return group.lose_steps(state, number, int(evaluate(record.lose, values, self.lookup)))
        return self._to_kind(group, state, number, record)

    def _to_kind(
        self, group: Group, state: GroupState, number: int, record: ResultRule, count: int = 1
    ) -> tuple[GroupState, int | None]:
        kind = group.kinds[number]
        if record.eliminate:
            return group.eliminate(state, [(number, count)]), None
        other = kind.in_state.get(record.set) if record.set else kind.out_of_state.get(record.clear)
        return (state, number) if other is None else (group.change_kind(state, number, other, count), other)

    def _all(
        self, group: Group, state: GroupState, record: ResultRule, values: Values, meant: Sequence[int]
    ) -> GroupState:
        if record.lose is not None:
            return self._losses(group, state, record, values, meant)
        if record.retreat is not None:
            return self._retreat(group, state, record, values, meant, None)
        if record.send:
            return group.leave(state, [(n, state.present[n]) for n in meant if state.present[n]], group.keeps_units)
        counts = [(number, state.present[number]) for number in meant if state.present[number]]
        for number, count in counts:
            state, _ = self._to_kind(group, state, number, record, count)
        return state

    def _losses(
        self, group: Group, state: GroupState, record: ResultRule, values: Values, meant: Sequence[int]
    ) -> GroupState:
        losses = int(evaluate(record.lose, values, self.lookup)) if record.lose is not None else 0
        if record.who == "each":
            for number, count in [(n, state.present[n]) for n in meant if state.present[n]]:
                state, _ = group.lose_steps(state, number, losses, count)
            return state
        by_owner = record.who != "enemy"
        if record.by is not None and record.who in ("strongest", "weakest", "in_turn"):
            order = group.order((record.by,), **{key: value for key, value in values.items() if key in ("code",)})
            order = list(order if record.who == "weakest" else reversed(order))
        else:
            order = self._order(group, record)
        order = [number for number in order if number in meant]
        after = group.lose(state, losses, order, by_owner)
        if record.evade is None or not losses or not group.can_all_leave(state):
            return after
        if not holds(record.evade, {**values, **self._any_side(group), "left": sum(after.present)}, self.lookup):
            return after
        avoided = (
            int(evaluate(record.avoids, {**values, **self._any_side(group)}, self.lookup)) if record.avoids else losses
        )
        spared = group.lose(state, max(0, losses - avoided), order, by_owner)
        return group.leave_all(spared) if group.can_all_leave(spared) else after

    def _any_side(self, group: Group) -> Values:
        """The side and nation of a group, for expressions about the group as a whole."""
        fields = group.kinds[0].fields
        return {"side": fields["side"], "nation": fields["nation"]}

    def _retreat(
        self,
        group: Group,
        state: GroupState,
        record: ResultRule,
        values: Values,
        meant: Sequence[int],
        count: int | None,
    ) -> GroupState:
        must_stand = record.stand is not None and holds(record.stand, values, self.lookup)
        if record.instead is not None and (must_stand or not group.can_leave(state)):
            losses = int(evaluate(record.instead, values, self.lookup))
            order = [number for number in self._order(group, record) if number in meant]
            return group.lose(state, losses, order, record.who != "enemy")
        if count is None:
            return group.leave_all(state)
        for _ in range(count):
            leavers = [number for number in group.leavers if number in meant and state.present[number]]
            if leavers:
                state = group.leave(state, [(leavers[0], 1)])
        return state

    # Counters.

    def count(self, counters: Counters, code: str, extra: Values) -> list[tuple[Counters, Fraction]]:
        """The counters after a result, with the chances that its own dice give them."""
        reached = [(counters, Fraction(1))]
        for due in self.due(code):
            record = due.record
            if not any(name in counters for name in record.change):
                continue
            new: list[tuple[Counters, Fraction]] = []
            for current, chance in reached:
                values = {**self.values(code, due, extra), **named(current)}
                for roll, share in self._rolls(record, due.text):
                    rolled = {**values, "roll": roll}
                    changed = (
                        change(self.case, record.change, current, rolled)
                        if holds(record.when, rolled, self.lookup)
                        else current
                    )
                    new.append((changed, chance * share))
            reached = new
        return reached

    def _rolls(self, record: ResultRule, text: str) -> list[tuple[int, Fraction]]:
        wanted = text if record.roll == "result_text" else record.roll
        return rolls_of(wanted) if wanted else [(0, Fraction(1))]

    @cached_property
    def can_roll(self) -> bool:
        """Whether results roll dice of their own."""
        return any(due.record.roll for code in self.table.results for due in self.due(code))


GONE = -1


def _number(text: str) -> int:
    return 1 if text == "true" else number_of(text)


def rolls_of(text: str) -> list[tuple[int, Fraction]]:
    """The totals of dice such as 2d6, 1d6+1 or -1, each with its chance."""
    if "d" not in text:
        return [(int(text), Fraction(1))]
    split = max(text.rfind("+"), text.rfind("-"))
    more = int(text[split:]) if split > 0 else 0
    return [(total + more, chance) for total, chance in dice(text[:split] if split > 0 else text).items()]


def named(counters: Mapping[str, Any]) -> dict[str, Any]:
    """Counters under the names that expressions use."""
    return {f"counter.{key}": value for key, value in counters.items()}


def counters_in(*formulas: Formula | None) -> frozenset[str]:
    """The counters that expressions ask for."""
    return frozenset(name[8:] for formula in formulas for name in uses(formula) if name.startswith("counter."))


def counter_shape(case: Case, name: str) -> RuleCounter:
    """The declaration of a counter: the procedure's own, or one that the game keeps."""
    own = case.procedure.counters
    return own[name] if name in own else case.program.rules.counters[name]


def bounded(shape: RuleCounter, value: Any) -> Any:
    """A value within the bounds of its counter."""
    if shape.kind != "number":
        return value
    number = Fraction(value)
    if shape.at_least is not None:
        number = max(number, Fraction(shape.at_least))
    if shape.at_most is not None:
        number = min(number, Fraction(shape.at_most))
    return int(number) if number.denominator == 1 else number


def change(case: Case, changes: Mapping[str, Formula | None], counters: Counters, values: Values) -> Counters:
    """Counters after a change. Those that nobody asks for any more are left out."""
    after = dict(counters)
    for key, formula in changes.items():
        if key in counters and formula is not None:
            after[key] = bounded(counter_shape(case, key), evaluate(formula, values, case.program.lookup))
    return after


def formulas_of_result(record: ResultRule) -> list[Formula]:
    """Every expression of a record that a procedure uses."""
    listed = [
        record.when,
        record.lose,
        record.count,
        record.instead,
        record.stand,
        record.evade,
        record.avoids,
        record.by,
    ]
    return [formula for formula in (*listed, *record.change.values()) if formula is not None]

"""The units of a group: what expressions see of each, and what losses, break-downs and states make of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from assistant.engine.procedures.case import Case, Participant, evaluate
from assistant.questions.answer import BadQuestion
from scenarios.model.counters import Unit
from scenarios.rules.procedures import ProcedureGroup
from scenarios.unit_view import UnitView, display_name, view_marker, view_unit

MAX_KINDS = 400


@dataclass(eq=False)
class Kind:
    """Units that the rules can't tell apart, or one unit of a group whose units are kept apart."""

    number: int
    participant: Participant
    counter: Unit | None
    index: int
    """Which of the listed units it is, or was a part of."""
    fields: dict[str, Any]
    display_name: str = ""
    worth: int = 1
    reduced: int | None = None
    """The kind that it is with one step less; None if it is eliminated then."""
    parts: dict[int, int] = field(default_factory=dict)
    """The kinds that it breaks down into, and how many of each."""
    in_state: dict[str, int] = field(default_factory=dict)
    """The kind that it is in a state."""
    out_of_state: dict[str, int] = field(default_factory=dict)
    """The kind that it is out of a state."""

    @property
    def name(self) -> str:
        """The name in answers: with its nation where the name alone is ambiguous."""
        return self.display_name or str(self.fields["name"])


class Kinds(list[Kind]):
    """Every kind that the units of a group are or can become."""

    def __init__(self, case: Case, group: str, states: Iterable[str], base: Mapping[str, Any]) -> None:
        """`states` are those that results or stages change; `base` are the values of the whole procedure."""
        super().__init__()
        self.case, self.group, self.base = case, group, base
        self.shape: ProcedureGroup = case.procedure.groups[group]
        self.changed_states = tuple(states)
        self.breaks = case.procedure.losses is not None and case.procedure.losses.breaks
        self._numbers: dict[tuple[Participant, int], int] = {}
        self.listed: list[int] = []
        """The kind of each unit that the question lists."""
        self._counts: list[int] = []
        apart = self.shape.keep == "units"
        for index, participant in enumerate(case.groups.get(group, ())):
            self.listed.append(self._number(participant, index if apart else -1, index))

    def _number(self, participant: Participant, apart: int, index: int) -> int:
        key = participant, apart
        if key in self._numbers:
            return self._numbers[key]
        number = self._numbers[key] = len(self)
        if number >= MAX_KINDS:
            raise BadQuestion(
                f"the units of {self.shape.title} can become more than {MAX_KINDS} different units; name fewer"
            )
        game = self.case.game
        counter = game.units.get(participant.unit)
        shown = display_name(game, counter) if counter is not None else ""
        kind = Kind(number, participant, counter, index, self._fields(participant, counter), shown)
        self.append(kind)
        if self.shape.worth is not None:
            kind.worth = int(evaluate(self.shape.worth, {**self.base, **kind.fields}, self.case.program.lookup))

        def like(unit: str, states: Iterable[str], steps_lost: int = 0) -> int:
            ordered = tuple(state for state in game.states if state in set(states))
            changed = replace(participant, unit=unit, states=ordered, steps_lost=steps_lost)
            return self._number(changed, apart, index)

        if counter is not None and self.breaks:
            inherited = [state for state in participant.states if state != counter.back_state]
            kind.parts = {
                like(part, inherited): count for part, count in parts_of(self._view(participant, counter)).items()
            }
        if counter is not None and int(kind.fields["steps"]) > 1:
            turned = {counter.back_state} if counter.back_state else set()
            kind.reduced = like(counter.id, {*participant.states, *turned}, participant.steps_lost + 1)
        for state in self.changed_states:
            kind.in_state[state] = like(participant.unit, {*participant.states, state}, participant.steps_lost)
            kind.out_of_state[state] = like(participant.unit, {*participant.states} - {state}, participant.steps_lost)
        return number

    def _view(self, participant: Participant, counter: Unit | None) -> UnitView:
        game = self.case.game
        if counter is None:
            return view_marker(game, participant.unit, participant.states)
        return view_unit(game, counter, participant.states, participant.steps_lost)

    def _fields(self, participant: Participant, counter: Unit | None) -> dict[str, Any]:
        own = self._view(participant, counter).fields
        computed = self.case.unit_values(counter, participant.states) if counter is not None else {}
        fields = {**computed, **own, "stack_number": participant.stack_number, "in_group": self.group}
        if counter is not None:
            fields["steps"] = max(0, counter.steps - lost_steps(self.case, counter, participant))
        for key, shape in self.shape.inputs.items():
            fields[key] = dict(participant.inputs).get(key, shape.usual)
        for key, formula in self.shape.values.items():
            if formula is not None:
                fields[key] = evaluate(formula, {**self.base, **fields}, self.case.program.lookup)
        return fields


def lost_steps(case: Case, counter: Unit, participant: Participant) -> int:
    """How many steps a unit has lost: as counted, by its states, and at least one where its back shows."""
    by_state = sum(case.game.states[state].steps_lost for state in participant.states)
    back = 1 if counter.steps > 1 and counter.back_state and counter.back_state in participant.states else 0
    return max(participant.steps_lost, by_state, back)


def parts_of(view: UnitView) -> Mapping[str, int]:
    """What a unit breaks down into on the side that shows."""
    if not isinstance(view.counter, Unit):
        return {}
    return (view.shows_back and view.counter.back_breaks_into) or view.counter.breaks_into

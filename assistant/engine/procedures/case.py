"""What a question says of a procedure: the units of each group, the inputs, and what the owners decide."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from assistant.engine.field import Field
from assistant.engine.map_index import program_of
from assistant.engine.program import Program
from assistant.questions.answer import BadQuestion
from scenarios.expressions import EvaluationError, names, parse
from scenarios.model.attack_inputs import Formula
from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.rules.procedures import MAX_TURNS, Procedure
from scenarios.unit_view import view_unit

Values = Mapping[str, Any]
NOTHING: Values = {}


@dataclass(frozen=True)
class Participant:
    """One unit of a group, as the question names it."""

    unit: str
    states: tuple[str, ...] = ()
    steps_lost: int = 0
    stack_number: int = 0
    inputs: tuple[tuple[str, Any], ...] = ()
    place: int | None = None
    """Where it stands, if that is known."""


@dataclass(frozen=True)
class Case:
    """A procedure with everything that a question says of it."""

    game: Game
    field: Field | None
    """The map: the question's, or that of the first scenario as it begins. None where the game has no map."""
    name: str
    groups: Mapping[str, tuple[Participant, ...]]
    inputs: Values = dataclasses.field(default_factory=dict)
    policies: Mapping[str, Values] = dataclasses.field(default_factory=dict)
    """What the owner of each group decides."""
    counters: Values = dataclasses.field(default_factory=dict)
    """Where the counters that the game keeps stand."""
    place: int | None = None
    """The place on the map where it happens, if it happens on a map."""
    at: int | None = None
    """The place that the question names, with a position or without."""
    elsewhere: Mapping[str, int] = dataclasses.field(default_factory=dict)
    """Counters that are in use elsewhere, so that no unit can break down into them."""
    immobile: Mapping[str, frozenset[str]] = dataclasses.field(default_factory=dict)
    """Of each group, the units that have nowhere to retreat to, by their ids."""
    cannot_leave: frozenset[str] = frozenset()
    """Groups that have nowhere to retreat to at all."""
    shifts: Mapping[str, int] = dataclasses.field(default_factory=dict)
    """Further columns to the right for the fire of a group."""
    idle_inputs: frozenset[str] = frozenset()
    """The inputs that only stages of groups without units ask for."""
    told_counters: frozenset[str] = frozenset()
    """The counters of the game whose values the question gives."""
    remarks: tuple[str, ...] = ()
    """What else the map says of the units that the question names."""
    terrain: str = ""
    """The kind of ground, where there is no place on a map."""
    turn: int = 1
    turns: int = 1
    """How many turns a forecast covers."""
    on_map: bool = False
    """Whether the question says what stands where."""
    reread: Callable[[Mapping[str, tuple[Participant, ...]]], Values] = lambda groups: {}
    """What the map says of inputs with other units in the groups."""

    def with_units(self, group: str, units: tuple[Participant, ...]) -> Case:
        """The case with other units in a group."""
        groups = {**self.groups, group: units}
        return dataclasses.replace(self, groups=groups, inputs={**self.inputs, **self.reread(groups)})

    @property
    def program(self) -> Program:
        """The compiled rules."""
        return program_of(self.game)

    @property
    def procedure(self) -> Procedure:
        """The declaration."""
        return self.program.rules.procedures[self.name]

    def unit_values(self, counter: Unit, states: Iterable[str]) -> Values:
        """What rules may ask of a unit besides what is printed on it."""
        if self.field is not None:
            return self.field.fields_of(counter, states)
        values: dict[str, Any] = {"formation": counter.formation, "copy": "", "group": ""}
        printed = view_unit(self.game, counter, states).fields
        for name, formula in self.program.rules.units.items():
            if formula is not None:
                values[name] = evaluate(formula, {**printed, **values}, self.program.lookup)
        return values

    def value(self, name: str) -> Any:
        """A value of the whole question: a ruling, an effect, the year."""
        if self.field is not None:
            return self.field.value(name)
        prefix, _, key = name.partition(".")
        if prefix == "ruling":
            return self.game.rulings[key].choice
        return False if prefix == "effect" else 0 if name in ("year", "exited") else ""

    @property
    def counters_of_game(self) -> Values:
        """Every counter that the game keeps: as told, else as its track or marker shows."""
        shown = {} if self.field is None else self.field.inputs
        return {name: self.counters.get(name, shown.get(name, 0)) for name in self.program.rules.counters}

    @property
    def knows_counters(self) -> bool:
        """Whether the question, or the position that it is about, says how a counter of `scores` stands."""
        if any(name in self.told_counters for name in self.procedure.scores):
            return True
        tracks = [self.program.rules.counters[name].track for name in self.procedure.scores]
        position = self.field.position if self.field is not None and self.place is not None else None
        return position is not None and any(track and position.on_track(track) is not None for track in tracks)

    @property
    def turn_count(self) -> int:
        """How many turns are laid out; none where the procedure has no `turns`."""
        return min(self.turns, MAX_TURNS) if self.procedure.turns else 0


def uses(formula: Formula | None) -> frozenset[str]:
    """The names in an expression."""
    return _uses(formula.text) if formula is not None else frozenset()


@cache
def _uses(text: str) -> frozenset[str]:
    return frozenset(names(parse(text)))


def evaluate(formula: Formula, values: Values, lookup: Any) -> Any:
    """The value of an expression of a procedure."""
    try:
        return formula.work(values, lookup, None)
    except EvaluationError as error:
        raise BadQuestion(f"{error} (in {formula.text!r} of the pack's rules)") from None


def holds(formula: Formula | None, values: Values, lookup: Any) -> bool:
    """Whether a condition holds; a missing condition holds."""
    return formula is None or evaluate(formula, values, lookup) is True

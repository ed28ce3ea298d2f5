"""Declared attacks: the strength of each unit, every modifier, the column, and the exact chances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from assistant.questions.answer import BadQuestion, Refusal
from scenarios.expressions import EvaluationError, names
from scenarios.grammar import count_text
from scenarios.model.attacks import Attack, AttackInput, AttackNote, Formula, GroupShape, Modifier, input_kind
from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.model.tables import Table
from scenarios.reading.findings import suggest
from scenarios.reading.shapes import number
from scenarios.unit_view import FieldValue, view_marker, view_unit

AttackValue = FieldValue
Effect = Literal["multiply", "add", "shift", "die"]
Fields = Mapping[str, AttackValue]
Scope = dict[str, Any]
"""The meaning of each name in an expression: a value, or a group of units."""


class AppliedModifier(NamedTuple):
    """A modifier that applied, and its amount."""

    text: str
    rule: str
    effect: Effect
    amount: Fraction
    target: str


@dataclass(frozen=True)
class UnitStrength:
    """One unit's strength, from the printed value to the one that counts."""

    name: str
    group: str
    printed_value: Fraction
    value: Fraction
    modifiers: tuple[AppliedModifier, ...]
    values: Mapping[str, AttackValue]
    """The values that the attack computes for this unit, such as the row of a chart."""


class MissingFactor(NamedTuple):
    """A factor that a strength asks for and a counter doesn't have: it counts as 0."""

    name: str
    group: str
    factor: str
    text: str


class Violation(NamedTuple):
    """A requirement that isn't met: by the unit at this index of a group, or (no group, -1) by the attack as a
    whole."""

    text: str
    rule: str
    group: str
    place: int
    name: str

    def __str__(self) -> str:
        prefix = f"{self.name}: " if self.name else ""
        return f"{prefix}{self.text}" + (f" ({self.rule})" if self.rule else "")


def refusal(failures: Sequence[Violation]) -> Refusal:
    """Return a refusal with all requirements that aren't met."""
    texts = dict.fromkeys(f"{failure.name}: {failure.text}" if failure.name else failure.text for failure in failures)
    return Refusal("; ".join(texts), ", ".join(dict.fromkeys(failure.rule for failure in failures if failure.rule)))


@dataclass(frozen=True)
class DefenderOdds:
    """One defender's own die modifier and chances."""

    name: str
    die: int
    modifiers: tuple[AppliedModifier, ...]
    chances: Mapping[str, Fraction]


@dataclass(frozen=True)
class Odds:
    """The result of the calculation. `column` is None where the table allows no attack."""

    attack: str
    units: tuple[UnitStrength, ...]
    attack_strength: Fraction
    defense_strength: Fraction | None
    start: str | None
    shift: int
    column: str | None
    die: int
    modifiers: tuple[AppliedModifier, ...]
    chances: Mapping[str, Fraction]
    targets: tuple[DefenderOdds, ...]
    failures: tuple[str, ...]
    violations: tuple[Violation, ...] = ()
    values: Mapping[str, AttackValue] = field(default_factory=dict)
    """The values that the attack computes for the battle as a whole."""
    missing: tuple[MissingFactor, ...] = ()
    notes: tuple[AttackNote, ...] = ()
    """The attack's notes that hold."""

    @property
    def ratio(self) -> Fraction | None:
        """Attack strength for each point of defense."""
        return self.attack_strength / self.defense_strength if self.defense_strength else None


def odds(
    game: Game,
    attack_id: str,
    groups: Mapping[str, Sequence[Fields]],
    inputs: Fields | None = None,
) -> Odds:
    """Evaluate an attack. `groups` gives each group's units: their fields (see `unit_fields`) and their inputs."""
    return _evaluation(game, attack_id, groups, inputs).answer()


def chances(
    game: Game,
    attack_id: str,
    groups: Mapping[str, Sequence[Fields]],
    inputs: Fields | None = None,
    extra_columns: int = 0,
) -> Mapping[str, Fraction]:
    """Return only the chances of an attack that is known to be allowed, shifted right by so many columns."""
    return _evaluation(game, attack_id, groups, inputs, True).chances_at(extra_columns)


def _evaluation(
    game: Game,
    attack_id: str,
    groups: Mapping[str, Sequence[Fields]],
    inputs: Fields | None,
    is_allowed: bool = False,
) -> Evaluation:
    if attack_id not in game.attacks:
        raise BadQuestion(f"{game.id} has no attack {attack_id!r}; {suggest(attack_id, game.attacks)}")
    return Evaluation(game, attack_id, groups, inputs or {}, is_allowed)


LARGEST = 9999
"""Upper bound for numeric inputs, such as a year."""


class NumberRange(NamedTuple):
    """The numbers that an input takes."""

    minimum: int
    maximum: int
    integer: bool

    def __str__(self) -> str:
        kind = "a whole number" if self.integer else "a number"
        return f"{kind} from {self.minimum} to {self.maximum}" if self.minimum != -LARGEST else kind


def number_range(game: Game, shape: AttackInput) -> NumberRange:
    """Return the numbers that an input takes: a turn is one of the game's, a year is from the first scenario's to
    the last's, a distance isn't negative, an attack comes from at least one hex."""
    match shape.read:
        case "turn":
            return NumberRange(*(game.turn_span() or (1, LARGEST)), True)
        case "year":
            return NumberRange(*(game.year_span() or (1, LARGEST)), True)
        case "hexes":
            return NumberRange(1, LARGEST, True)
        case "distance":
            return NumberRange(0, LARGEST, True)
        case _:
            return NumberRange(-LARGEST, LARGEST, False)


def read_answer(game: Game, key: str, shape: AttackInput, text: str) -> AttackValue:
    """Read the value of an input from its text."""
    kind = input_kind(shape, tuple(game.terrain))
    if kind.base == "number":
        try:
            value = number(text)
        except ValueError as error:
            raise BadQuestion(f"{key}: {error}") from None
        limits = number_range(game, shape)
        if not limits.minimum <= value <= limits.maximum or (limits.integer and value.denominator != 1):
            raise BadQuestion(f"{key} must be {limits}, not {text}")
        return value
    if kind.base == "flag":
        if text not in ("true", "false", "yes", "no"):
            raise BadQuestion(f"{key} must be yes or no, not {text!r}")
        return text in ("true", "yes")
    return text


def unit_fields(
    game: Game, unit: Unit | str, states: Iterable[str] = (), **overrides: AttackValue
) -> dict[str, AttackValue]:
    """Return what expressions see of a unit (or of a marker that can be attacked) in the given states, with `overrides`."""
    states = frozenset(states)
    for state in states:
        if state not in game.states:
            raise BadQuestion(f"there is no state {state!r}; {suggest(state, game.states)}")
    if isinstance(unit, str) and unit not in game.units:
        if unit not in game.markers:
            raise BadQuestion(f"no counter of {game.id} is called {unit!r}; {suggest(unit, game.units)}")
        return {**view_marker(game, unit, states).fields, **overrides}
    counter = game.units[unit] if isinstance(unit, str) else unit
    return {**view_unit(game, counter, states).fields, **overrides}


def missing_factors(game: Game, fields: Fields) -> frozenset[str]:
    """Return the numbers that aren't printed on the visible side of a counter and have no default: they count 0."""
    counter = str(fields.get("id"))
    unit = game.units.get(counter)
    if unit is not None:
        states = [state for state in game.states if fields.get(state) is True]
        steps_left = fields.get("steps", unit.steps)
        assert not isinstance(steps_left, str)
        return view_unit(game, unit, states, unit.steps - int(steps_left)).missing_factors
    if counter in game.markers:
        return view_marker(game, counter).missing_factors
    return frozenset()


class Evaluation:
    """One attack with all its inputs."""

    def __init__(
        self,
        game: Game,
        attack_id: str,
        groups: Mapping[str, Sequence[Fields]],
        inputs: Fields,
        is_allowed: bool = False,
    ) -> None:
        """Prepare the attack. `is_allowed`: the attack is known to be allowed, so values that only requirements need
        aren't computed."""
        self.game = game
        self.attack_id = attack_id
        self.attack: Attack = game.attacks[attack_id]
        self.table: Table = game.tables[self.attack.table]
        self.terrain = tuple(game.terrain)
        self.chances: dict[int, Mapping[str, Fraction]] = {}
        for key in groups:
            if key not in self.attack.groups:
                raise BadQuestion(f"{attack_id} has no group {key!r}; {suggest(key, self.attack.groups)}")
        battle_inputs = self._read_inputs("the battle", self.attack.inputs, inputs)
        self.groups: dict[str, list[dict[str, AttackValue]]] = {
            key: self._units(key, shape, groups.get(key, ())) for key, shape in self.attack.groups.items()
        }
        # The meaning of the names, for the battle and for each unit. They are built once, because most of the time goes
        # into looking up names.
        self.battle: Scope = {**battle_inputs, **self.groups}
        for name, formula in self.attack.values.items():
            if not is_allowed or name in self.attack.fought_with:
                self.battle[name] = self._value(formula, self.battle)
        # A unit given several times (the very same mapping) is computed once.
        self.scopes: dict[str, list[Scope]] = {}
        for key, shape in self.attack.groups.items():
            scopes: dict[int, Scope] = {}
            for unit in self.groups[key]:
                if id(unit) in scopes:
                    continue
                scope = scopes[id(unit)] = {**self.battle, **unit, **self.groups}
                self._judge_apart(scope, {name for name in self.attack.inputs if name in unit}, is_allowed)
                for name, formula in shape.values.items():
                    assert formula is not None
                    unit[name] = scope[name] = self._value(formula, scope)
            self.scopes[key] = [scopes[id(unit)] for unit in self.groups[key]]

    def _judge_apart(self, scope: Scope, own_inputs: set[str], is_allowed: bool) -> None:
        """Recompute for a unit what depends on inputs of the battle that differ in its place."""
        for name, formula in self.attack.values.items() if own_inputs else ():
            assert formula is not None
            if names(formula.expression) & own_inputs and (not is_allowed or name in self.attack.fought_with):
                own_inputs.add(name)
                scope[name] = self._value(formula, scope)

    def _read_inputs(
        self, subject: str, shapes: Mapping[str, AttackInput], given_values: Fields
    ) -> dict[str, AttackValue]:
        """Return the checked inputs, with defaults where none is given."""
        for key in given_values:
            if key not in shapes:
                raise BadQuestion(f"{self.attack_id} has no input {key!r} for {subject}; {suggest(key, shapes)}")
        values: dict[str, AttackValue] = {}
        for key, shape in shapes.items():
            value = given_values.get(key, shape.usual)
            if value is None:
                raise BadQuestion(f"{self.attack_id} needs {key!r} for {subject} ({shape.title}); add {key}=VALUE")
            if isinstance(value, str) and shape.choices and value not in shape.choices:
                choices = input_kind(shape, self.terrain).choices or ()
                if value not in choices:
                    raise BadQuestion(f"{value!r} is not a value of {key}; {suggest(value, choices)}")
            values[key] = value
        return values

    def _units(self, key: str, shape: GroupShape, unit_values: Sequence[Fields]) -> list[dict[str, AttackValue]]:
        if len(unit_values) < shape.at_least or (shape.at_most is not None and len(unit_values) > shape.at_most):
            span = f"{shape.at_least} or more" if shape.at_most is None else f"{shape.at_least} to {shape.at_most}"
            span = "exactly 1 is" if shape.at_least == shape.at_most == 1 else f"{span} are"
            units = f"{key}=UNIT" if shape.at_most == 1 else f"{key}=UNIT,UNIT"
            raise BadQuestion(
                f"{shape.title}: the question names {count_text(len(unit_values), 'unit')}, {span} needed; say {units}"
            )
        result: dict[int, dict[str, AttackValue]] = {}
        for unit in unit_values:
            if id(unit) not in result:
                unit_inputs = {k: unit[k] for k in shape.inputs if k in unit}
                result[id(unit)] = {
                    **unit,
                    **self._read_inputs(str(unit.get("name", "a unit")), shape.inputs, unit_inputs),
                }
        return [result[id(unit)] for unit in unit_values]

    def _value(self, formula: Formula | None, values: Scope) -> AttackValue:
        assert formula is not None
        try:
            return formula.work(values, self._lookup, None)
        except EvaluationError as error:
            subject = f" for {values['name']}" if "name" in values else ""
            fix = "; name a unit that has one" if subject else ""
            raise BadQuestion(f"{formula.text!r} has no value{subject}: {error}{fix}") from None

    def _lookup(self, table: str, keys: tuple[str, ...]) -> str:
        return self.game.tables[table].looked_up(*keys)

    def answer(self) -> Odds:
        """Return the full result."""
        failed_requirements = self._violations()
        strengths = {key: self._strengths(key) for key in self.attack.groups}
        total, defense, total_applied = self._totals(strengths)
        start = self._column(total, defense)
        shifts, dice = self._gather("shift", "", self.battle), self._gather("die", "", self.battle)
        shift, die = _sum(shifts), _sum(dice)
        column = None if start is None else self.table.shift_column(start, shift)
        labels = self.table.columns.labels
        chances: Mapping[str, Fraction] = {}
        targets: tuple[DefenderOdds, ...] = ()
        if column is not None:
            self.chances = {die: self.table.distribution(column, die)}
            chances = self.chances[die]
            if self.attack.per_defender:
                targets = tuple(self._target(scope, column, die) for scope in self.scopes[self.attack.defenders])
        return Odds(
            attack=self.attack_id,
            units=tuple(s for group in strengths.values() for s in group),
            attack_strength=total,
            defense_strength=defense,
            start=None if start is None else labels[start],
            shift=shift,
            column=None if column is None else labels[column],
            die=die,
            modifiers=tuple(total_applied + shifts + dice),
            chances=chances,
            targets=targets,
            failures=tuple(map(str, failed_requirements)),
            violations=failed_requirements,
            values={name: _exact(self.battle[name]) for name in self.attack.values},
            missing=tuple(self._missing()),
            notes=tuple(
                note for note in self.attack.notes if note.when is None or self._value(note.when, self.battle) is True
            ),
        )

    def _missing(self) -> Iterator[MissingFactor]:
        """Yield the factors that strengths really ask for (not in an unused part of an `if`) and counters don't
        have."""
        for key, shape in self.attack.groups.items():
            assert shape.strength is not None
            factor_names = names(shape.strength.expression)
            for scope in {id(scope): scope for scope in self.scopes[key]}.values():
                for factor in sorted(factor_names & missing_factors(self.game, scope)):
                    try:
                        without = {name: value for name, value in scope.items() if name != factor}
                        shape.strength.work(without, self._lookup, None)
                    except EvaluationError:
                        text = f"{_name(scope)} has no {self.game.factors[factor].name.lower()} factor; it counts as 0"
                        yield MissingFactor(_name(scope), key, factor, text)

    def chances_at(self, extra_columns: int) -> Mapping[str, Fraction]:
        """Return the chances alone, shifted right by so many columns; empty where the table allows no attack."""
        sides = (key for key in (self.attack.attackers, self.attack.defenders) if key)
        total, defense, _ = self._totals({key: self._strengths(key) for key in sides})
        start = self._column(total, defense)
        if start is None:
            return {}
        return self.table.distribution(
            self.table.shift_column(start, self._sum_effect("shift") + extra_columns), self._sum_effect("die")
        )

    def shift(self) -> int:
        """Return the column shift, without the reasons."""
        return self._sum_effect("shift")

    def _sum_effect(self, effect: Effect) -> int:
        """Return the sum of `_gather` for the battle, without the reasons."""
        total = 0
        for modifier in self.attack.modifiers_by_target.get("", ()):
            if modifier.effect is not None and modifier.effect[0] == effect and self._applies(modifier, self.battle):
                amount = self._value(modifier.effect[1], self.battle)
                total += amount if type(amount) is int else int(self._amount(modifier, self.battle).amount)
        return total

    def _totals(
        self, strengths: Mapping[str, Sequence[UnitStrength]]
    ) -> tuple[Fraction, Fraction | None, list[AppliedModifier]]:
        """Return the attack strength, the defense strength if there is one, and what changed them as a whole."""
        attack, attack_modifiers = self._total("attack", strengths[self.attack.attackers])
        if not self.attack.defenders:
            return attack, None, attack_modifiers
        defense, defense_modifiers = self._total("defense", strengths[self.attack.defenders])
        return attack, defense, attack_modifiers + defense_modifiers

    def _column(self, attack: Fraction, defense: Fraction | None) -> int | None:
        kind = self.table.columns.kind
        if kind == "names":
            name = str(self._value(self.attack.column, self.battle))
            if name not in self.table.columns.labels:
                raise BadQuestion(
                    f"{self.table.title} has no column {name!r}; {suggest(name, self.table.columns.labels)}"
                )
            return self.table.named_column(name)
        if kind == "strength":
            return self.table.find_column(attack)
        if not defense:
            reasons = dict.fromkeys(
                missing_factor.text
                for missing_factor in self._missing()
                if missing_factor.group == self.attack.defenders
            )
            raise BadQuestion("; ".join([*reasons, "the defense strength is 0, so there are no odds"]))
        return self.table.find_column(attack / defense * (100 if kind == "percent" else 1))

    def _violations(self) -> tuple[Violation, ...]:
        failures: list[Violation] = []
        for requirement in self.attack.requires:
            scopes = self.scopes[requirement.to] if requirement.to else [self.battle]
            results: dict[int, bool] = {}
            for place, scope in enumerate(scopes):
                if id(scope) not in results:
                    results[id(scope)] = self._value(requirement.that, scope) is True
                if not results[id(scope)]:
                    scope_index = place if requirement.to else -1
                    failures.append(
                        Violation(requirement.text, requirement.rule, requirement.to, scope_index, _name(scope))
                    )
        return tuple(failures)

    def _applies(self, modifier: Modifier, values: Scope) -> bool:
        return modifier.when is None or self._value(modifier.when, values) is True

    def _amount(self, modifier: Modifier, values: Scope) -> AppliedModifier:
        assert modifier.effect is not None
        name, formula = modifier.effect
        amount = self._value(formula, values)
        assert isinstance(amount, Fraction | int) and not isinstance(amount, bool)
        exact = Fraction(amount)
        if name in ("shift", "die") and exact.denominator != 1:
            raise BadQuestion(f"{modifier.text}: a {name} is a whole number, but {formula.text!r} gives {amount}")
        return AppliedModifier(modifier.text, modifier.rule, name, exact, modifier.to)

    def _strengths(self, key: str) -> list[UnitStrength]:
        shape = self.attack.groups[key]
        result: dict[int, UnitStrength] = {}
        for scope in self.scopes[key]:
            if id(scope) in result:
                continue
            printed_value = self._value(shape.strength, scope)
            assert isinstance(printed_value, Fraction | int)
            value, applied_modifiers = self._apply_modifiers(Fraction(printed_value), key, scope)
            if shape.round != "none":
                value = Fraction(value.__floor__() if shape.round == "down" else value.__ceil__())
            worked_out = {name: _exact(scope[name]) for name in shape.values}
            result[id(scope)] = UnitStrength(
                _name(scope), key, Fraction(printed_value), value, tuple(applied_modifiers), worked_out
            )
        return [result[id(scope)] for scope in self.scopes[key]]

    def _total(self, which: str, units: Sequence[UnitStrength]) -> tuple[Fraction, list[AppliedModifier]]:
        return self._apply_modifiers(sum((unit.value for unit in units), Fraction(0)), which, self.battle)

    def _apply_modifiers(self, value: Fraction, subject: str, values: Scope) -> tuple[Fraction, list[AppliedModifier]]:
        applied_modifiers = []
        for modifier in self.attack.modifiers_by_target.get(subject, ()):
            if modifier.effect is None or modifier.effect[0] in ("shift", "die"):
                continue
            if self._applies(modifier, values):
                applied_modifier = self._amount(modifier, values)
                value = (
                    value * applied_modifier.amount
                    if applied_modifier.effect == "multiply"
                    else value + applied_modifier.amount
                )
                applied_modifiers.append(applied_modifier)
        return value, applied_modifiers

    def _gather(self, effect: Effect, subject: str, values: Scope) -> list[AppliedModifier]:
        """Return what shifts the column or modifies the die of the battle, or of one unit."""
        applied_modifiers = [
            self._amount(modifier, values)
            for modifier in self.attack.modifiers_by_target.get(subject, ())
            if modifier.effect is not None and modifier.effect[0] == effect and self._applies(modifier, values)
        ]
        return [applied_modifier for applied_modifier in applied_modifiers if applied_modifier.amount]

    def _target(self, scope: Scope, column: int, die: int) -> DefenderOdds:
        applied_modifiers = self._gather("die", self.attack.defenders, scope)
        target_die = die + _sum(applied_modifiers)
        if target_die not in self.chances:
            self.chances[target_die] = self.table.distribution(column, target_die)
        return DefenderOdds(_name(scope), target_die, tuple(applied_modifiers), self.chances[target_die])


def _name(scope: Scope) -> str:
    return str(scope.get("name", ""))


def _sum(applied_modifiers: Sequence[AppliedModifier]) -> int:
    return sum(int(applied_modifier.amount) for applied_modifier in applied_modifiers)


def _exact(value: AttackValue) -> AttackValue:
    """Return a value as an answer gives it: every number is a Fraction."""
    return value if isinstance(value, (bool, str)) else Fraction(value)


def shift_answer(table: Table, answer: Odds, extra_columns: int) -> Odds:
    """Return an attack shifted right by so many columns, to see the effect."""
    if not extra_columns or answer.start is None:
        return answer
    labels = table.columns.labels
    column = table.shift_column(labels.index(answer.start), answer.shift + extra_columns)
    return replace(
        answer, shift=answer.shift + extra_columns, column=labels[column], chances=table.distribution(column)
    )

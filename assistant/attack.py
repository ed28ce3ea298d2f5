"""Declared attacks worked out: who counts how much, every modifier, the column, and the exact chances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from assistant.answers import BadQuestion, Refusal
from scenarios.attacks import Attack, Formula, GroupShape, Input, Modifier, input_kind
from scenarios.counters import Factor, Unit, typed
from scenarios.expressions import EvaluationError, names
from scenarios.game import Game
from scenarios.reading.findings import instead
from scenarios.reading.shapes import number
from scenarios.tables import Table

Value = Fraction | int | str | bool
Effect = Literal["multiply", "add", "shift", "die"]
Fields = Mapping[str, Value]
Scope = dict[str, Any]
"""What each name in an expression means: a value, or a group of units."""


class Applied(NamedTuple):
    """A modifier that applied, and by how much."""

    text: str
    rule: str
    effect: Effect
    amount: Fraction
    on: str


@dataclass(frozen=True)
class Strength:
    """One unit's strength, from what is printed to what counts."""

    name: str
    group: str
    printed: Fraction
    value: Fraction
    applied: tuple[Applied, ...]
    values: Mapping[str, Value]
    """What the attack works out for this unit, such as the row of a chart."""


class MissingFactor(NamedTuple):
    """A factor that a strength asks for and a counter hasn't: it counts 0."""

    name: str
    group: str
    factor: str
    text: str


class Failure(NamedTuple):
    """A requirement that isn't met: by the unit at this place of a group, or (no group, -1) by the attack as a whole."""

    text: str
    rule: str
    group: str
    place: int
    name: str

    def __str__(self) -> str:
        whom = f"{self.name}: " if self.name else ""
        return f"{whom}{self.text}" + (f" ({self.rule})" if self.rule else "")


def refusal(failures: Sequence[Failure]) -> Refusal:
    """A refusal by all requirements that aren't met."""
    texts = dict.fromkeys(f"{one.name}: {one.text}" if one.name else one.text for one in failures)
    return Refusal("; ".join(texts), ", ".join(dict.fromkeys(one.rule for one in failures if one.rule)))


@dataclass(frozen=True)
class Target:
    """One defender's own die modifier and chances."""

    name: str
    die: int
    applied: tuple[Applied, ...]
    chances: Mapping[str, Fraction]


@dataclass(frozen=True)
class Answer:
    """What an attack comes to. `column` is None where the table allows no attack."""

    attack: str
    units: tuple[Strength, ...]
    attack_strength: Fraction
    defense_strength: Fraction | None
    start: str | None
    shift: int
    column: str | None
    die: int
    applied: tuple[Applied, ...]
    chances: Mapping[str, Fraction]
    targets: tuple[Target, ...]
    failures: tuple[str, ...]
    refused: tuple[Failure, ...] = ()
    values: Mapping[str, Value] = field(default_factory=dict)
    """What the attack works out for the battle as a whole."""
    missing: tuple[MissingFactor, ...] = ()

    @property
    def ratio(self) -> Fraction | None:
        """Attack strength for each point of defense."""
        return self.attack_strength / self.defense_strength if self.defense_strength else None


def odds(
    game: Game,
    attack_id: str,
    groups: Mapping[str, Sequence[Fields]],
    inputs: Fields | None = None,
) -> Answer:
    """Evaluate an attack. `groups` gives each group's units: their fields (see `unit_fields`) and what is told of them."""
    return _evaluation(game, attack_id, groups, inputs).answer()


def chances(
    game: Game,
    attack_id: str,
    groups: Mapping[str, Sequence[Fields]],
    inputs: Fields | None = None,
    more: int = 0,
) -> Mapping[str, Fraction]:
    """Only the chances of an attack that is known to be allowed, so many more columns to the right."""
    return _evaluation(game, attack_id, groups, inputs, True).thrown(more)


def _evaluation(
    game: Game,
    attack_id: str,
    groups: Mapping[str, Sequence[Fields]],
    inputs: Fields | None,
    allowed: bool = False,
) -> Evaluation:
    if attack_id not in game.attacks:
        raise BadQuestion(f"{game.id} has no attack {attack_id!r}; {instead(attack_id, game.attacks)}")
    return Evaluation(game, attack_id, groups, inputs or {}, allowed)


LARGEST = 9999
"""The largest number that an attack is told, such as a year."""


class NumberRange(NamedTuple):
    """Which numbers an input takes."""

    least: int
    most: int
    whole: bool

    def __str__(self) -> str:
        kind = "a whole number" if self.whole else "a number"
        return f"{kind} from {self.least} to {self.most}" if self.least != -LARGEST else kind


def number_range(game: Game, shape: Input) -> NumberRange:
    """Which numbers answer an input: a turn is one of the game's, a distance isn't negative, nobody attacks from no hex."""
    match shape.read:
        case "turn":
            return NumberRange(1, last_turn(game) or LARGEST, True)
        case "hexes" | "year":
            return NumberRange(1, LARGEST, True)
        case "distance":
            return NumberRange(0, LARGEST, True)
        case _:
            return NumberRange(-LARGEST, LARGEST, False)


def last_turn(game: Game) -> int:
    """The last turn of the longest scenario; 0 where none says how many it has."""
    return max((one.turns.last for one in game.scenarios.values() if one.turns is not None), default=0)


def read_answer(game: Game, key: str, shape: Input, text: str) -> Value:
    """The answer to an input, from its text."""
    kind = input_kind(shape, tuple(game.terrain))
    if kind.base == "number":
        try:
            found = number(text)
        except ValueError as error:
            raise BadQuestion(f"{key}: {error}") from None
        limits = number_range(game, shape)
        if not limits.least <= found <= limits.most or (limits.whole and found.denominator != 1):
            raise BadQuestion(f"{key} is {limits}, not {text}")
        return found
    if kind.base == "flag":
        if text not in ("true", "false", "yes", "no"):
            raise BadQuestion(f"{key} is yes or no, not {text!r}")
        return text in ("true", "yes")
    return text


def unit_fields(game: Game, unit: Unit | str, states: Iterable[str] = (), **more: Value) -> dict[str, Value]:
    """What expressions see of a unit (or of a marker that can be attacked) in the given states; `more` is otherwise, or besides."""
    return counter_fields(game, unit, states) | more


def counter_fields(game: Game, unit: Unit | str, states: Iterable[str] = (), steps_lost: int = 0) -> dict[str, Value]:
    """What expressions see of a counter in some states and with so many steps lost.

    The back shows if the unit is in the back's state or has lost a step, by a state's `loses` too. A factor that isn't printed on
    the side that shows counts as its default, else as 0, an empty text or no.
    """
    states = set(states)
    for state in states:
        if state not in game.states:
            raise BadQuestion(f"there is no state {state!r}; {instead(state, game.states)}")
    fields: dict[str, Value] = {"id": "", "nation": "", "side": "", "class": "", "type": "", "size": ""}
    fields |= {key: factor_value(factor, None) for key, factor in game.factors.items()}
    fields |= dict.fromkeys(game.abilities, False) | {state: state in states for state in game.states}
    if isinstance(unit, str) and unit in game.markers:
        marker = game.markers[unit]
        factors = {key: factor_value(game.factors[key], text) for key, text in marker.factors.items()}
        return fields | factors | {"id": unit, "name": marker.name, "side": marker.side, "steps": Fraction(1)}
    if isinstance(unit, str):
        if unit not in game.units:
            raise BadQuestion(f"no counter of {game.id} is called {unit!r}; {instead(unit, game.units)}")
        unit = game.units[unit]
    lost = max(steps_lost, sum(game.states[state].loses for state in states))
    if unit.back is not None and unit.shows_back(states, lost):
        fields |= unit.back
        fields |= {unit.back_state: True} if unit.back_state else {}
    else:
        fields |= unit.factors
    fields |= dict.fromkeys(unit.abilities, True)
    fields |= {"id": unit.id, "name": unit.name, "nation": unit.nation, "side": unit.side}
    fields |= {"class": unit.class_, "type": unit.type, "size": unit.size}
    return fields | {"steps": Fraction(max(0, unit.steps - lost))}


def factor_value(factor: Factor, text: str | None) -> Value:
    """The value of a factor: as given, else its default, else 0, an empty text or no."""
    text = factor.default if text is None else text
    if text is None:
        return Fraction(0) if factor.kind == "number" else False if factor.kind == "flag" else ""
    return typed(factor, text)


def missing_factors(game: Game, fields: Fields) -> frozenset[str]:
    """The numbers that aren't printed on the side of a counter that shows, and have no default: they count 0."""
    counter = str(fields.get("id"))
    unit = game.units.get(counter)
    if unit is None:
        printed: Iterable[str] = game.markers[counter].factors if counter in game.markers else game.factors
    else:
        reduced = fields.get(unit.back_state) is True or Fraction(fields.get("steps", unit.steps)) < unit.steps
        printed = unit.back if unit.back is not None and reduced else unit.factors
    factors = game.factors.items()
    return frozenset(key for key, one in factors if one.kind == "number" and one.default is None and key not in printed)


class Evaluation:
    """One attack with all that is told of it."""

    def __init__(
        self, game: Game, attack_id: str, groups: Mapping[str, Sequence[Fields]], inputs: Fields, allowed: bool = False
    ) -> None:
        """`allowed` where it is known to be: what only requirements need isn't worked out then."""
        self.game = game
        self.attack_id = attack_id
        self.attack: Attack = game.attacks[attack_id]
        self.table: Table = game.tables[self.attack.table]
        self.terrain = tuple(game.terrain)
        self.chances: dict[int, Mapping[str, Fraction]] = {}
        for key in groups:
            if key not in self.attack.groups:
                raise BadQuestion(f"{attack_id} has no group {key!r}; {instead(key, self.attack.groups)}")
        told = self._told("the battle", self.attack.inputs, inputs)
        self.groups: dict[str, list[dict[str, Value]]] = {
            key: self._units(key, shape, groups.get(key, ())) for key, shape in self.attack.groups.items()
        }
        # What the names mean, for the battle and for each unit: built once, as most of the work is looking up names.
        self.battle: Scope = {**told, **self.groups}
        for name, formula in self.attack.values.items():
            if not allowed or name in self.attack.fought_with:
                self.battle[name] = self._value(formula, self.battle)
        # A unit given several times over (the very same mapping) is worked out once.
        self.scopes: dict[str, list[Scope]] = {}
        for key, shape in self.attack.groups.items():
            scopes: dict[int, Scope] = {}
            for unit in self.groups[key]:
                if id(unit) in scopes:
                    continue
                scope = scopes[id(unit)] = {**self.battle, **unit, **self.groups}
                self._judge_apart(scope, {name for name in self.attack.inputs if name in unit}, allowed)
                for name, formula in shape.values.items():
                    assert formula is not None
                    unit[name] = scope[name] = self._value(formula, scope)
            self.scopes[key] = [scopes[id(unit)] for unit in self.groups[key]]

    def _judge_apart(self, scope: Scope, own: set[str], allowed: bool) -> None:
        """Work out again for a unit what rests on inputs of the battle that are otherwise where it stands."""
        for name, formula in self.attack.values.items() if own else ():
            assert formula is not None
            if names(formula.expression) & own and (not allowed or name in self.attack.fought_with):
                own.add(name)
                scope[name] = self._value(formula, scope)

    def _told(self, whom: str, shapes: Mapping[str, Input], given: Fields) -> dict[str, Value]:
        """The answers to inputs, checked, with defaults where none is given."""
        for key in given:
            if key not in shapes:
                raise BadQuestion(f"{self.attack_id} asks nothing called {key!r} of {whom}; {instead(key, shapes)}")
        told: dict[str, Value] = {}
        for key, shape in shapes.items():
            value = given.get(key, shape.usual)
            if value is None:
                raise BadQuestion(f"{self.attack_id} needs {key!r} of {whom} ({shape.title}); say {key}=VALUE")
            if isinstance(value, str) and shape.choices and value not in shape.choices:
                choices = input_kind(shape, self.terrain).choices or ()
                if value not in choices:
                    raise BadQuestion(f"{value!r} is no {key}; {instead(value, choices)}")
            told[key] = value
        return told

    def _units(self, key: str, shape: GroupShape, given: Sequence[Fields]) -> list[dict[str, Value]]:
        if len(given) < shape.least or (shape.most is not None and len(given) > shape.most):
            span = f"{shape.least} or more" if shape.most is None else f"{shape.least} to {shape.most}"
            span = "exactly 1 is" if shape.least == shape.most == 1 else f"{span} are"
            units = f"{key}=UNIT" if shape.most == 1 else f"{key}=UNIT,UNIT"
            raise BadQuestion(f"{shape.title}: {len(given)} units are given, {span} needed; say {units}")
        result: dict[int, dict[str, Value]] = {}
        for unit in given:
            if id(unit) not in result:
                mine = {k: unit[k] for k in shape.inputs if k in unit}
                result[id(unit)] = {**unit, **self._told(str(unit.get("name", "a unit")), shape.inputs, mine)}
        return [result[id(unit)] for unit in given]

    def _value(self, formula: Formula | None, values: Scope) -> Value:
        assert formula is not None
        try:
            return formula.work(values, self._lookup, None)
        except EvaluationError as error:
            whom = f" for {values['name']}" if "name" in values else ""
            fix = "; name a unit that has one" if whom else ""
            raise BadQuestion(f"{formula.text!r} has no value{whom}: {error}{fix}") from None

    def _lookup(self, table: str, keys: tuple[str, ...]) -> str:
        return self.game.tables[table].looked_up(*keys)

    def answer(self) -> Answer:
        """All there is to say of it."""
        refused = self._refused()
        strengths = {key: self._strengths(key) for key in self.attack.groups}
        total, defense, total_applied = self._totals(strengths)
        start = self._column(total, defense)
        shifts, dice = self._gather("shift", "", self.battle), self._gather("die", "", self.battle)
        shift, die = _sum(shifts), _sum(dice)
        column = None if start is None else self.table.shifted(start, shift)
        labels = self.table.columns.labels
        chances: Mapping[str, Fraction] = {}
        targets: tuple[Target, ...] = ()
        if column is not None:
            self.chances = {die: self.table.distribution(column, die)}
            chances = self.chances[die]
            if self.attack.each:
                targets = tuple(self._target(scope, column, die) for scope in self.scopes[self.attack.defenders])
        return Answer(
            attack=self.attack_id,
            units=tuple(s for group in strengths.values() for s in group),
            attack_strength=total,
            defense_strength=defense,
            start=None if start is None else labels[start],
            shift=shift,
            column=None if column is None else labels[column],
            die=die,
            applied=tuple(total_applied + shifts + dice),
            chances=chances,
            targets=targets,
            failures=tuple(map(str, refused)),
            refused=refused,
            values={name: _exact(self.battle[name]) for name in self.attack.values},
            missing=tuple(self._missing()),
        )

    def _missing(self) -> Iterator[MissingFactor]:
        """The factors that strengths really ask for (not in a part of an `if` that doesn't count) and counters haven't."""
        for key, shape in self.attack.groups.items():
            assert shape.strength is not None
            asked = names(shape.strength.expression)
            for scope in {id(scope): scope for scope in self.scopes[key]}.values():
                for factor in sorted(asked & missing_factors(self.game, scope)):
                    try:
                        without = {name: value for name, value in scope.items() if name != factor}
                        shape.strength.work(without, self._lookup, None)
                    except EvaluationError:
                        text = f"{_name(scope)} has no {self.game.factors[factor].name.lower()} factor; it counts 0"
                        yield MissingFactor(_name(scope), key, factor, text)

    def thrown(self, more: int) -> Mapping[str, Fraction]:
        """The chances alone, so many more columns to the right; none where the table allows no attack."""
        sides = (key for key in (self.attack.attackers, self.attack.defenders) if key)
        total, defense, _ = self._totals({key: self._strengths(key) for key in sides})
        start = self._column(total, defense)
        if start is None:
            return {}
        return self.table.distribution(self.table.shifted(start, self._summed("shift") + more), self._summed("die"))

    def shift(self) -> int:
        """By how many columns it is shifted, without the reasons."""
        return self._summed("shift")

    def _summed(self, effect: Effect) -> int:
        """What `_gather` adds up to for the battle, without the reasons."""
        total = 0
        for modifier in self.attack.on.get("", ()):
            if modifier.effect is not None and modifier.effect[0] == effect and self._applies(modifier, self.battle):
                amount = self._value(modifier.effect[1], self.battle)
                total += amount if type(amount) is int else int(self._amount(modifier, self.battle).amount)
        return total

    def _totals(self, strengths: Mapping[str, Sequence[Strength]]) -> tuple[Fraction, Fraction | None, list[Applied]]:
        """The attack strength, the defense strength if there is one, and what changed them as a whole."""
        attack, applied = self._total("attack", strengths[self.attack.attackers])
        if not self.attack.defenders:
            return attack, None, applied
        defense, more = self._total("defense", strengths[self.attack.defenders])
        return attack, defense, applied + more

    def _column(self, attack: Fraction, defense: Fraction | None) -> int | None:
        kind = self.table.columns.kind
        if kind == "names":
            name = str(self._value(self.attack.column, self.battle))
            if name not in self.table.columns.labels:
                raise BadQuestion(
                    f"{self.table.title} has no column {name!r}; {instead(name, self.table.columns.labels)}"
                )
            return self.table.named_column(name)
        if kind == "strength":
            return self.table.find_column(attack)
        if not defense:
            reasons = dict.fromkeys(one.text for one in self._missing() if one.group == self.attack.defenders)
            raise BadQuestion("; ".join([*reasons, "the defense strength is 0: there are no odds to find"]))
        return self.table.find_column(attack / defense * (100 if kind == "percent" else 1))

    def _refused(self) -> tuple[Failure, ...]:
        failed: list[Failure] = []
        for requirement in self.attack.requires:
            scopes = self.scopes[requirement.to] if requirement.to else [self.battle]
            met: dict[int, bool] = {}
            for place, scope in enumerate(scopes):
                if id(scope) not in met:
                    met[id(scope)] = self._value(requirement.that, scope) is True
                if not met[id(scope)]:
                    at = place if requirement.to else -1
                    failed.append(Failure(requirement.text, requirement.rule, requirement.to, at, _name(scope)))
        return tuple(failed)

    def _applies(self, modifier: Modifier, values: Scope) -> bool:
        return modifier.when is None or self._value(modifier.when, values) is True

    def _amount(self, modifier: Modifier, values: Scope) -> Applied:
        assert modifier.effect is not None
        name, formula = modifier.effect
        amount = self._value(formula, values)
        assert isinstance(amount, Fraction | int) and not isinstance(amount, bool)
        exact = Fraction(amount)
        if name in ("shift", "die") and exact.denominator != 1:
            raise BadQuestion(f"{modifier.text}: a {name} is a whole number, but {formula.text!r} gives {amount}")
        return Applied(modifier.text, modifier.rule, name, exact, modifier.to)

    def _strengths(self, key: str) -> list[Strength]:
        shape = self.attack.groups[key]
        result: dict[int, Strength] = {}
        for scope in self.scopes[key]:
            if id(scope) in result:
                continue
            printed = self._value(shape.strength, scope)
            assert isinstance(printed, Fraction | int)
            value, applied = self._modified(Fraction(printed), key, scope)
            if shape.round != "none":
                value = Fraction(value.__floor__() if shape.round == "down" else value.__ceil__())
            worked_out = {name: _exact(scope[name]) for name in shape.values}
            result[id(scope)] = Strength(_name(scope), key, Fraction(printed), value, tuple(applied), worked_out)
        return [result[id(scope)] for scope in self.scopes[key]]

    def _total(self, which: str, units: Sequence[Strength]) -> tuple[Fraction, list[Applied]]:
        return self._modified(sum((unit.value for unit in units), Fraction(0)), which, self.battle)

    def _modified(self, value: Fraction, on: str, values: Scope) -> tuple[Fraction, list[Applied]]:
        applied = []
        for modifier in self.attack.on.get(on, ()):
            if modifier.effect is None or modifier.effect[0] in ("shift", "die"):
                continue
            if self._applies(modifier, values):
                one = self._amount(modifier, values)
                value = value * one.amount if one.effect == "multiply" else value + one.amount
                applied.append(one)
        return value, applied

    def _gather(self, effect: Effect, on: str, values: Scope) -> list[Applied]:
        """What shifts the column or changes the die of the battle, or of one unit."""
        applied = [
            self._amount(modifier, values)
            for modifier in self.attack.on.get(on, ())
            if modifier.effect is not None and modifier.effect[0] == effect and self._applies(modifier, values)
        ]
        return [one for one in applied if one.amount]

    def _target(self, scope: Scope, column: int, die: int) -> Target:
        applied = self._gather("die", self.attack.defenders, scope)
        own = die + _sum(applied)
        if own not in self.chances:
            self.chances[own] = self.table.distribution(column, own)
        return Target(_name(scope), own, tuple(applied), self.chances[own])


def _name(scope: Scope) -> str:
    return str(scope.get("name", ""))


def _sum(applied: Sequence[Applied]) -> int:
    return sum(int(one.amount) for one in applied)


def _exact(value: Value) -> Value:
    """A value as an answer gives it: every number is a Fraction."""
    return value if isinstance(value, (bool, str)) else Fraction(value)


def shifted(table: Table, answer: Answer, more: int) -> Answer:
    """A fire so many columns farther to the right, to see what that would change."""
    if not more or answer.start is None:
        return answer
    labels = table.columns.labels
    column = table.shifted(labels.index(answer.start), answer.shift + more)
    return replace(answer, shift=answer.shift + more, column=labels[column], chances=table.distribution(column))

"""Attacks as data: the inputs, the modifiers and the table that gives the result.

A pack declares each kind of attack. The assistant evaluates the declaration. The expressions of a module are translated from it.
So a pack states the arithmetic of a battle once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar, Literal

from scenarios.expressions import KnownNames, ValueType, check, names
from scenarios.model.attack_inputs import (
    UNIT_TEXTS,
    AttackInput,
    Formula,
    FormulaField,
    NearUnits,
    Vocabulary,
    check_input,
    input_kind,
)
from scenarios.model.sources import IdField, Sourced
from scenarios.reading.findings import suggest
from scenarios.reading.shapes import Findings, Record, documented_field, place, record

__all__ = [
    "UNIT_TEXTS",
    "Attack",
    "AttackInput",
    "AttackNote",
    "Distance",
    "Formula",
    "GroupShape",
    "Modifier",
    "NearUnits",
    "Requirement",
    "Vocabulary",
    "battle_names",
    "check_attack",
    "input_kind",
]


@record
class GroupShape(Record):
    """A set of units in the battle."""

    partial: ClassVar[bool] = True  # an attack that is `like` another states only what differs
    title: str = documented_field("What the group is called.")
    strength: FormulaField = documented_field("The strength of one unit, before modifiers.")
    inputs: Mapping[IdField, AttackInput] = documented_field("The inputs of each unit.", {})
    values: Mapping[IdField, FormulaField] = documented_field("Values worked out for each unit, in order.", {})
    at_least: int = documented_field("How many units it must have.", 1)
    at_most: int | None = documented_field("How many units it may have.", None)
    markers: bool = documented_field("Whether markers are among them, such as mines and bridges.", False)
    round: Literal["none", "down", "up"] = documented_field("How a unit's modified strength is rounded.", "none")


@record
class Modifier(Sourced):
    """A modifier of a strength, the column or the die."""

    text: str = documented_field("What it is, in a few words.")
    when: FormulaField = documented_field("When it applies; always, if left out.", None)
    to: IdField = documented_field(
        "A group (each of its units), or `attack` or `defense` (the total); else the battle.", ""
    )
    multiply: FormulaField = documented_field("Multiply the strength by this.", None)
    add: FormulaField = documented_field("Add this to the strength.", None)
    shift: FormulaField = documented_field("Shift the column by this, to the right if positive.", None)
    die: FormulaField = documented_field("Add this to the die.", None)

    @cached_property
    def effect(self) -> tuple[Literal["multiply", "add", "shift", "die"], Formula] | None:
        """The single effect of the modifier: its kind and its expression."""
        if self.multiply:
            return "multiply", self.multiply
        if self.add:
            return "add", self.add
        if self.shift:
            return "shift", self.shift
        return ("die", self.die) if self.die else None


@record
class Requirement(Sourced):
    """A condition for the attack to be allowed."""

    text: str = documented_field("What a player reads when it isn't.")
    that: FormulaField = documented_field("What must be true.")
    to: IdField = documented_field("A group whose every unit must meet it.", "")


@record
class AttackNote(Sourced):
    """A sentence that the answer about an attack adds."""

    text: str = documented_field("The sentence.")
    when: FormulaField = documented_field("When it is added; always, if left out.", None)


@record
class Distance(Sourced):
    """The distance from the attackers to their target, in hexes or points."""

    text: str = documented_field("What a player reads where a unit stands elsewhere.", "")
    at_least: FormulaField = documented_field("The fewest; 0, if left out.", None)
    at_most: FormulaField = documented_field("The most; any distance, if left out.", None)


NEXT_TO_IT = Distance(text="only units adjacent to a place may attack it", at_least=Formula("1"), at_most=Formula("1"))
"""The distance of an attack that declares none."""


@record
class Attack(Sourced):
    """A kind of attack."""

    partial: ClassVar[bool] = True
    title: str = documented_field("What it is called.")
    like: IdField = documented_field(
        "The attack this one is built on: what is given here is added, or replaces it by key.", ""
    )
    table: IdField = documented_field("The table that resolves it.")
    column: FormulaField = documented_field("For a table whose columns are names: the name of the column.", None)
    attackers: IdField = documented_field("The group whose strengths make the attack strength.", "attackers")
    defenders: IdField = documented_field("The group whose strengths make the defense strength.", "")
    groups: Mapping[IdField, GroupShape] = documented_field("The sets of units.")
    inputs: Mapping[IdField, AttackInput] = documented_field("The inputs of the battle.", {})
    values: Mapping[IdField, FormulaField] = documented_field("Values worked out for the battle, in order.", {})
    modifiers: tuple[Modifier, ...] = documented_field("What changes strengths, column and die, in order.", ())
    requires: tuple[Requirement, ...] = documented_field("What must be true for it to be allowed.", ())
    distance: Distance | None = documented_field(
        "How far each attacker stands from the target; left out, next to it, unless an input of the attackers reads "
        "the distance. {} is any distance.",
        None,
    )
    per_defender: bool = documented_field("True when each defender has its own die modifiers and result.", False)
    rolls: Literal["one", "each"] = documented_field("One roll for all defenders, or one for each of them.", "one")
    note: str = documented_field("What else holds for it.", "")
    notes: tuple[AttackNote, ...] = documented_field(
        "Sentences that the answer adds where they hold: expressions of the battle, as in `requires`.", ()
    )

    @property
    def all_inputs(self) -> list[AttackInput]:
        """All inputs: those of the battle and those of units."""
        return [*self.inputs.values(), *(shape for group in self.groups.values() for shape in group.inputs.values())]

    @property
    def required_distance(self) -> Distance | None:
        """The distance from the attackers to the target: as declared, else next to it. None where units attack no
        units, or an input reads the distance."""
        if self.distance is not None:
            return self.distance
        group = self.groups.get(self.attackers)
        reads_distance = group is None or any(shape.read == "distance" for shape in group.inputs.values())
        is_measured = bool(self.defenders) and not reads_distance and (group is None or group.at_most != 0)
        return NEXT_TO_IT if is_measured else None

    @cached_property
    def modifiers_by_target(self) -> Mapping[str, tuple[Modifier, ...]]:
        """The modifiers by target: the units of a group, a total, or (empty name) the battle."""
        return {
            target: tuple(modifier for modifier in self.modifiers if modifier.to == target)
            for target in {modifier.to for modifier in self.modifiers}
        }

    @cached_property
    def fought_with(self) -> frozenset[str]:
        """The values that strengths, modifiers and the column depend on. All other values serve requirements only."""
        used = [
            self.column,
            *(modifier.when for modifier in self.modifiers),
            *(modifier.effect[1] for modifier in self.modifiers if modifier.effect),
        ]
        for shape in self.groups.values():
            used += [shape.strength, *shape.values.values()]
        used_names = {name for formula in used if formula is not None for name in names(formula.expression)}
        for key, formula in reversed(list(self.values.items())):
            if key in used_names and formula is not None:
                used_names |= names(formula.expression)
        return frozenset(used_names & self.values.keys())


def battle_names(attack: Attack, words: Vocabulary) -> dict[str, ValueType]:
    """The inputs and computed values of a battle, with their kinds."""
    names = {name: input_kind(shape, words.terrain) for name, shape in attack.inputs.items()}
    units = {
        key: words.unit_fields()
        | {input_name: input_kind(shape, words.terrain) for input_name, shape in group.inputs.items()}
        for key, group in attack.groups.items()
    }
    for name, formula in attack.values.items():
        if formula is not None:
            names[name] = check(formula.expression, KnownNames(names, units, dict.fromkeys(words.tables, 2)))[
                0
            ] or ValueType("number")
    return names


def check_attack(attack: Attack, words: Vocabulary, findings: Findings) -> None:
    """Check that the groups, inputs, expressions and table of an attack fit together."""
    table = words.tables.get(attack.table)
    if attack.table and table is None:
        findings.add(
            place(attack, "table"), f"there is no table {attack.table!r}; {suggest(attack.table, words.tables)}"
        )
    if table is not None and not table.dice:
        findings.add(place(attack, "table"), f"the table {attack.table!r} isn't rolled on; name one with dice")
    for key in ("attackers", "defenders"):
        group_name = getattr(attack, key)
        if group_name and group_name not in attack.groups:
            findings.add(
                place(attack, key),
                f"there is no group {group_name!r} in this attack; {suggest(group_name, attack.groups)}",
            )
    if table is not None and table.columns.kind in ("odds", "percent") and not attack.defenders:
        findings.add(
            place(attack), f"the columns of {attack.table} compare two strengths; name the group of `defenders`"
        )
    if table is not None and (table.columns.kind == "names") != (attack.column is not None):
        need = "name the `column`" if table.columns.kind == "names" else "leave out `column`"
        findings.add(place(attack, "table"), f"the columns of {attack.table} are {table.columns.kind}; {need}")
    if attack.per_defender and not attack.defenders:
        findings.add(place(attack, "per_defender"), "`per_defender` needs a group of `defenders`")
    if attack.rolls == "each" and not attack.per_defender:
        findings.add(place(attack, "rolls"), "a roll for each defender needs `per_defender: true`")
    tables = dict.fromkeys(words.tables, 2)
    names = {name: input_kind(shape, words.terrain) for name, shape in attack.inputs.items()}
    for name, shape in attack.inputs.items():
        check_input(name, shape, words, False, findings)
    for group_id in attack.groups:
        _check_hiding(attack, group_id, words, findings)
    group_fields = {group_id: dict(words.unit_fields()) for group_id in attack.groups}
    for group_id, group in attack.groups.items():
        for name, shape in group.inputs.items():
            check_input(name, shape, words, True, findings)
            if shape.unshielded and group_id != attack.attackers:
                message = f"targets are shielded from those who attack; put this input into {attack.attackers}"
                findings.add(place(shape, "unshielded"), message)
            group_fields[group_id][name] = input_kind(shape, words.terrain)
    for name, formula in attack.values.items():
        if formula:
            kind = formula.check(KnownNames(names, group_fields, tables), None, findings)
            names[name] = kind or ValueType("number")
    for group_id, group in attack.groups.items():
        for name, formula in group.values.items():
            if formula:
                kind = formula.check(
                    KnownNames({**names, **group_fields[group_id]}, group_fields, tables), None, findings
                )
                group_fields[group_id][name] = kind or ValueType("number")
        if group.strength:
            group.strength.check(
                KnownNames({**names, **group_fields[group_id]}, group_fields, tables), "number", findings
            )
    battle = KnownNames(names, group_fields, tables)
    _check_distance(
        attack, KnownNames({**names, **group_fields.get(attack.attackers, {})}, group_fields, tables), findings
    )
    if attack.column:
        attack.column.check(battle, "text", findings)
    for modifier in attack.modifiers:
        _check_modifier(attack, modifier, battle, findings)
    for requirement in attack.requires:
        scope = _scope_on(attack, requirement, battle, findings)
        if requirement.that:
            requirement.that.check(scope, "flag", findings)
    for note in attack.notes:
        if note.when:
            note.when.check(battle, "flag", findings)


def _check_distance(attack: Attack, scope: KnownNames, findings: Findings) -> None:
    """Check that the declared distance of an attack can be computed."""
    if attack.distance is None:
        return
    bounds = [formula for formula in (attack.distance.at_least, attack.distance.at_most) if formula is not None]
    for formula in bounds:
        formula.check(scope, "number", findings)
    if bounds and not attack.distance.text:
        findings.add(place(attack.distance), "say in `text` what a player is told where a unit stands elsewhere")


def _check_hiding(attack: Attack, group_id: str, words: Vocabulary, findings: Findings) -> None:
    """Check that no input or computed value of the battle hides a field of a unit: each name has one meaning."""
    unit_fields = words.unit_fields()
    group = attack.groups[group_id]
    for owner, keys in ((attack, ("inputs", "values")), (group, ("inputs", "values"))):
        for key in keys:
            for name in getattr(owner, key):
                pair = (place(owner, key).entries or {}).get(name)
                if name in unit_fields and pair is not None:
                    findings.add(pair[0], f"every unit has a {name!r} already; choose another name for this")


def _scope_on(attack: Attack, item: Modifier | Requirement, battle: KnownNames, findings: Findings) -> KnownNames:
    """The names that an item may use. An item that works on a group may also use the fields of a unit."""
    totals = ("attack", "defense") if isinstance(item, Modifier) else ()
    if not item.to or item.to in totals:
        return battle
    if item.to not in attack.groups:
        findings.add(place(item, "to"), f"{item.to!r} is no group here; {suggest(item.to, [*attack.groups, *totals])}")
        return battle
    return KnownNames({**battle.names, **battle.groups[item.to]}, battle.groups, battle.tables)


def _check_modifier(attack: Attack, modifier: Modifier, battle: KnownNames, findings: Findings) -> None:
    scope = _scope_on(attack, modifier, battle, findings)
    if modifier.when:
        modifier.when.check(scope, "flag", findings)
    assert modifier.node is not None
    effect_keys = [key for key in ("multiply", "add", "shift", "die") if modifier.node.get(key) is not None]
    if len(effect_keys) != 1:
        findings.add(place(modifier), "a modifier has one effect: multiply, add, shift or die; give one of them")
        return
    effect = modifier.effect
    if effect is None:
        return
    name, formula = effect
    formula.check(scope, "number", findings)
    if name in ("multiply", "add") and not modifier.to:
        findings.add(place(modifier), f"`{name}` needs `to`; add a group, attack or defense")
    if name == "shift" and modifier.to:
        findings.add(place(modifier, "to"), "`shift` works on the whole battle; leave out `to`")
    if name == "die" and modifier.to and not (attack.per_defender and modifier.to == attack.defenders):
        findings.add(place(modifier, "to"), "`die` works on each defender only where the attack says `each: true`")

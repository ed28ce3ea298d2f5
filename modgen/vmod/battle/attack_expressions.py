"""Translation of one declared attack: the engine's expressions for its names, and the counts over its groups."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from modgen.vmod.battle.beanshell import (
    ATOM,
    COMPARISON,
    OR,
    PRODUCT,
    RANGE_SUFFIX,
    SUM,
    JavaExpression,
    Translator,
    Untranslatable,
    number_of,
    text_of,
)
from modgen.vmod.battle.places import OWN_PLACE, TARGET, default, place_inputs, place_slot, usual
from modgen.vmod.pieces.fighting import NO, USUAL, YES, has_spaces
from modgen.vmod.pieces.unit_fields import field_expressions
from scenarios.expressions import ValueType
from scenarios.expressions.syntax import Aggregate, Name
from scenarios.model.attacks import Attack, AttackInput, Formula, Modifier, input_kind
from scenarios.model.game import Game
from scenarios.model.tables import Table

UNITS = 5040
"""Strengths are whole numbers of 5040ths, because the engine adds only whole numbers.

Halves, thirds and sevenths come out exact.
"""
INTEGER_PATTERN = '"[+-]?[0-9]+"'


class BattleTranslator:
    """Translators for the names of one attack. It collects the aggregates of the formulas that it translates."""

    def __init__(self, game: Game, key: str) -> None:
        self.game, self.key = game, key
        self.attack: Attack = game.attacks[key]
        self.table: Table = game.tables[self.attack.table]
        self.aggregate_properties: dict[Aggregate, str] = {}
        self.waiting: list[Aggregate] = []
        self._kinds: dict[str, ValueType] = {}
        self._reads: dict[str, str] = {}
        self.words = Translator(self._kinds, self._reads, game.tables, self.aggregate)
        for name, shape in self.attack.inputs.items():
            self._kinds[name], self._reads[name] = self._kind(shape), text_of(self.prop(f"in_{name}"))
        for name, formula in self.attack.values.items():
            self._kinds[name] = ValueType(self.words.kind(checked_formula(formula).expression))
            self._reads[name] = text_of(self.prop(f"own_{name}"))
        self.units: Mapping[str, Translator] = {group: self._translate_units(group) for group in self.attack.groups}

    def _kind(self, shape: AttackInput) -> ValueType:
        return input_kind(shape, tuple(self.game.terrain))

    def _translate_units(self, group: str) -> Translator:
        name_kinds, reads = field_expressions(self.game)
        name_kinds, reads = name_kinds | self._kinds, reads | self._reads
        words = Translator(name_kinds, reads, self.game.tables, self.aggregate)
        shape = self.attack.groups[group]
        if group == self.attack.defenders:
            self._judge_apart(reads)
        for slot, (name, unit_input) in enumerate(shape.inputs.items(), 1):
            name_kinds[name], reads[name] = self._kind(unit_input), text_of(f"value{slot}")
        for slot, (name, formula) in enumerate(shape.values.items(), 1 + len(shape.inputs)):
            name_kinds[name] = ValueType(words.kind(checked_formula(formula).expression))
            reads[name] = text_of(f"value{slot}")
        return words

    def _judge_apart(self, reads: dict[str, str]) -> None:
        """Let a defender read its own answers where the battle has those of the first target's place."""
        for number, name in enumerate(place_inputs(self.attack), 1):
            reads[name] = text_of(place_slot(number))

    def place_values(self) -> list[tuple[str, str]]:
        """The answers for its own place that a defender computes, by slot."""
        slot_values = []
        for number, name in enumerate(place_inputs(self.attack), 1):
            if name in self.attack.inputs:
                expression = self.answer(name, self.attack.inputs[name]).replace(text_of(TARGET), text_of(OWN_PLACE))
            else:
                expression = translate_formula(self.units[self.attack.defenders], self.attack.values[name])
            slot_values.append((place_slot(number), expression))
        return slot_values

    def prop(self, name: str) -> str:
        """The name of a module property that belongs to this attack."""
        return f"v_{self.key}_{name}"

    @cached_property
    def roles(self) -> Mapping[str, int]:
        """The number of each group's role: 1 for the attackers, 2 for the other group."""
        other_groups = [group for group in self.attack.groups if group != self.attack.attackers]
        if len(other_groups) > 1:
            raise Untranslatable("more than two groups")
        return {self.attack.attackers: 1, **dict.fromkeys(other_groups, 2)}

    def aggregate(self, node: Aggregate) -> JavaExpression:
        """An expression that reads an aggregate's property. The battle computes the property before it is needed."""
        if node not in self.aggregate_properties:
            self.aggregate_properties[node] = f"count{len(self.aggregate_properties) + 1}"
            self.waiting.append(node)
        read = number_of(self.prop(self.aggregate_properties[node]))
        if node.function in ("any", "all"):
            return JavaExpression(f"{read}{'>' if node.function == 'any' else '=='}0", COMPARISON)
        return JavaExpression(read, ATOM)

    def how_many(self, group: str) -> str:
        """An expression for the number of units in a group."""
        return self.aggregate(Aggregate("count", Name(group))).text

    def answer(self, name: str, shape: AttackInput, for_unit: bool = False) -> str:
        """An expression for the answer that counts: the unit's own, else the player's, else the map's, else the default."""
        usually = self.read(name, shape) if shape.read == "units" else usual(self.game, shape, not for_unit)
        for property_name in (f"told_{name}", f"own_{name}") if for_unit else (f"told_{name}",):
            answer_text = text_of(property_name)
            if shape.kind == "flag":
                usually = f'"{YES}".equals({answer_text})||!"{NO}".equals({answer_text})&&({usually})'
            elif shape.kind == "number":
                usually = f"{answer_text}.matches({INTEGER_PATTERN})?{answer_text}:{usually}"
            else:
                answer_value = answer_text if has_spaces(shape) else f'{answer_text}.replace(" ","_")'
                usually = f'!"{USUAL}".equals({answer_text})&&!"".equals({answer_text})?{answer_value}:{usually}'
        return usually

    def read(self, name: str, shape: AttackInput) -> str:
        """The answer that units on the map give, or the default if none gives one."""
        near_answer = text_of(self.prop(f"near_{name}"))
        if shape.kind == "flag":
            return f'!"".equals({near_answer})'
        return f'"".equals({near_answer})?"{default(self.game, shape)}":{near_answer}'


def checked_formula(formula: Formula | None) -> Formula:
    """A formula that the pack's checks have parsed, so it is never None."""
    assert formula is not None
    return formula


def translate_formula(words: Translator, formula: Formula | None, level: int = 0) -> str:
    """A formula as an expression of the engine, in parentheses if it binds less tightly than `level`."""
    return words.translate(checked_formula(formula).expression, level)


def format_units(number: JavaExpression) -> str:
    """An expression for a number in whole 5040ths (`UNITS`)."""
    return f"(int)Math.round({number.with_level(PRODUCT)}*{UNITS}.0)"


def modifiers_of(attack: Attack, target: str, *effects: str) -> list[tuple[Modifier, str, Formula]]:
    """The modifiers of something that have one of these effects, in order."""
    return [
        (modifier, modifier.effect[0], modifier.effect[1])
        for modifier in attack.modifiers
        if modifier.to == target and modifier.effect is not None and modifier.effect[0] in effects
    ]


def apply_modifiers(
    words: Translator, start: JavaExpression, modifiers: list[tuple[Modifier, str, Formula]]
) -> JavaExpression:
    """A strength after its multiplications and additions, in order."""
    result = start
    for modifier, effect, amount in modifiers:
        level = PRODUCT if effect == "multiply" else SUM
        operand = words.translate(amount.expression, level + 1)
        if modifier.when is not None:
            neutral_value = "1.0" if effect == "multiply" else "0.0"
            operand = (
                f"({translate_formula(words, modifier.when, OR)}?{words.translate(amount.expression)}:{neutral_value})"
            )
        result = JavaExpression(f"{result.with_level(level)}{'*' if effect == 'multiply' else '+'}{operand}", level)
    return result


def summed_up(words: Translator, modifiers: list[tuple[Modifier, str, Formula]]) -> str:
    """The sum of shifts or die modifiers."""
    parts = []
    for modifier, _, amount in modifiers:
        addend = words.translate(amount.expression, PRODUCT)
        if modifier.when is not None:
            addend = f"({translate_formula(words, modifier.when, OR)}?{words.translate(amount.expression)}:0.0)"
        parts.append(addend)
    return "(int)Math.round(" + "+".join([*parts, "0.0"]) + ")"


def round_strength(strength: JavaExpression, way: str) -> JavaExpression:
    """A unit's strength, rounded as its group declares."""
    if way == "none":
        return strength
    inner = strength.with_level(SUM)
    return JavaExpression(
        f"Math.floor({inner}+{RANGE_SUFFIX})" if way == "down" else f"Math.ceil({inner}-{RANGE_SUFFIX})", ATOM
    )

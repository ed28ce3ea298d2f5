"""Stacking from a pack's declared rules: the demands on a stack that the engine can judge. A unit reports violations as it arrives."""

from __future__ import annotations

from contextlib import suppress

from modgen.vmod.battle.beanshell import AND, ATOM, CHOICE, JavaExpression, Translator, Untranslatable
from modgen.vmod.files.buttons import plain_text
from modgen.vmod.pieces.unit_fields import changes_on_back, field_expressions
from scenarios.expressions.checking import ValueType
from scenarios.expressions.syntax import Aggregate, Binary, Name, Number
from scenarios.model.game import Game
from scenarios.rules.records import Demand

STEPS_LEFT = "StepsLeft"
"""The property with the number of steps that a unit still has."""


def rule_words(game: Game) -> Translator:
    """A translator for demands on a stack, as one of its units reads them. Aggregates count the units of its side in its place."""
    name_kinds, reads = field_expressions(game)
    words = Translator(name_kinds, reads, game.tables, lambda node: _count_expression(game, words, node))
    for name, formula in game.rules.units.items() if game.rules is not None else ():
        if formula is None:
            continue
        try:
            kind, expression = words.kind(formula.expression), words.translate(formula.expression)
        except Untranslatable:
            continue
        name_kinds[name] = ValueType(kind)
        reads[name] = f"({expression})" if kind == "text" else f"String.valueOf({expression})"
    return words


def _quote(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _present(game: Game, words: Translator) -> str:
    """A filter for the units that count in a place: those of the same side as the unit that asks."""
    side_test = 'GetString("side").equals("$side$")'
    present = game.rules.present if game.rules is not None else None
    return side_test if present is None else f"{side_test}&&{words.translate(present.expression, AND)}"


def _count_expression(game: Game, words: Translator, node: Aggregate) -> JavaExpression:
    """The number of units in the place that meet a condition, or the sum of their values."""
    if node.group != Name("stack"):
        raise Untranslatable("only a stack is counted")
    unit_filter = _present(game, words)
    if node.function == "count" and node.argument is not None:
        return JavaExpression(
            f'CountStack("{{{_quote(f"{unit_filter}&&{words.translate(node.argument, AND)}")}}}")', ATOM
        )
    if (
        node.function == "sum"
        and isinstance(node.argument, Name)
        and (node.argument.name == "steps" or node.argument.name in game.factors)
    ):
        name = STEPS_LEFT if node.argument.name == "steps" else node.argument.name
        if name in game.factors and changes_on_back(game, name):
            raise Untranslatable("the engine adds up marks, and a mark doesn't change as a counter is flipped")
        return JavaExpression(f'SumStack("{name}","{{{_quote(unit_filter)}}}")', ATOM)
    raise Untranslatable(f"{node.function} of a stack isn't counted by the engine")


def _violation_test(game: Game, words: Translator, demand: Demand) -> str:
    """An expression that tests whether a stack violates a demand."""
    assert demand.that is not None
    node = demand.that.expression
    condition = f"{words.translate(demand.when.expression, AND)}&&" if demand.when is not None else ""
    match node:
        case Binary("<=", Aggregate("kinds", Name("stack"), argument), Number(1)) if argument is not None:
            if words.kind(argument) != "text":
                raise Untranslatable("kinds that aren't texts")
            value = words.translate(argument, CHOICE)
            own_value = f'"+({value})+"'
            unit_filter = f'{_present(game, words)}&&!"".equals({value})'
            value_test = f'!"".equals({value})&&'
            return f'{condition}{value_test}CountStack("{{{_quote(unit_filter)}&&!\\"{own_value}\\".equals({_quote(value)})}}")>0'
    return f"{condition}!({words.translate(node)})"


def stacking(game: Game) -> list[tuple[str, str]]:
    """Each demand on a stack that the engine can judge: a test of its violation, and the message."""
    words = rule_words(game)
    result: list[tuple[str, str]] = []
    for demand in game.rules.stacking if game.rules is not None else ():
        with suppress(Untranslatable):
            result.append((_violation_test(game, words, demand), plain_text(f"{demand.text} ({demand.rule})")))
    return result


def unchecked(game: Game) -> list[str]:
    """The demands on a stack that the engine can't judge, in players' words."""
    words = rule_words(game)
    rule_texts: list[str] = []
    for demand in game.rules.stacking if game.rules is not None else ():
        try:
            _violation_test(game, words, demand)
        except Untranslatable:
            rule_texts.append(plain_text(f"{demand.text} ({demand.rule})"))
    return rule_texts


def asks_steps(game: Game) -> bool:
    """Whether a demand on stacks counts steps."""
    return any(STEPS_LEFT in condition for condition, _ in stacking(game))

"""Stacking from a pack's declared rules: the demands on a stack that the engine can judge, told as a unit arrives."""

from __future__ import annotations

from contextlib import suppress

from modgen.vmod.battle import unit_words
from modgen.vmod.beanshell import AND, ATOM, CHOICE, Said, Untranslatable, Words
from modgen.vmod.buttons import bare
from modgen.vmod.faces import counted_steps
from scenarios.expressions.checking import Kind
from scenarios.expressions.syntax import Aggregate, Binary, Name, Number
from scenarios.game import Game
from scenarios.rules.shapes import Demand
from scenarios.vassal.reading import STEP_LOSS

STEPS_LEFT = "StepsLeft"
"""The property of a unit that tells how many steps it still has."""


def rule_words(game: Game) -> Words:
    """What a demand on a stack may say of one of its units; aggregates count the units of its side in its place."""
    kinds, reads = unit_words(game)
    words = Words(kinds, reads, game.tables, lambda node: _counted(game, words, node))
    for name, formula in game.rules.units.items() if game.rules is not None else ():
        if formula is None:
            continue
        try:
            kind, said = words.kind(formula.expression), words.said(formula.expression)
        except Untranslatable:
            continue
        kinds[name] = Kind(kind)
        reads[name] = f"({said})" if kind == "text" else f"String.valueOf({said})"
    return words


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _present(game: Game, words: Words) -> str:
    """A filter of the units that count in a place: those of the side of the unit that asks."""
    own = 'GetString("side").equals("$side$")'
    present = game.rules.present if game.rules is not None else None
    return own if present is None else f"{own}&&{words.said(present.expression, AND)}"


def _counted(game: Game, words: Words, node: Aggregate) -> Said:
    """How many units of the place meet a condition, or the sum of what they have."""
    if node.group != Name("stack"):
        raise Untranslatable("only a stack is counted")
    filtered = _present(game, words)
    if node.function == "count" and node.argument is not None:
        return Said(f'CountStack("{{{_quoted(f"{filtered}&&{words.said(node.argument, AND)}")}}}")', ATOM)
    if (
        node.function == "sum"
        and isinstance(node.argument, Name)
        and (node.argument.name == "steps" or node.argument.name in game.factors)
    ):
        name = STEPS_LEFT if node.argument.name == "steps" else node.argument.name
        return Said(f'SumStack("{name}","{{{_quoted(filtered)}}}")', ATOM)
    raise Untranslatable(f"{node.function} of a stack isn't counted by the engine")


def _broken(game: Game, words: Words, demand: Demand) -> str:
    """An expression that tells whether a demand on the stack isn't met."""
    assert demand.that is not None
    node = demand.that.expression
    when = f"{words.said(demand.when.expression, AND)}&&" if demand.when is not None else ""
    match node:
        case Binary("<=", Aggregate("kinds", Name("stack"), argument), Number(1)) if argument is not None:
            if words.kind(argument) != "text":
                raise Untranslatable("kinds that aren't texts")
            value = words.said(argument, CHOICE)
            mine = f'"+({value})+"'
            other = f'{_present(game, words)}&&!"".equals({value})'
            own = f'!"".equals({value})&&'
            return f'{when}{own}CountStack("{{{_quoted(other)}&&!\\"{mine}\\".equals({_quoted(value)})}}")>0'
    return f"{when}!({words.said(node)})"


def stacking(game: Game) -> list[tuple[str, str]]:
    """Each demand on a stack that the engine can judge: when it isn't met, and what to say."""
    words = rule_words(game)
    result: list[tuple[str, str]] = []
    for demand in game.rules.stacking if game.rules is not None else ():
        with suppress(Untranslatable):
            result.append((_broken(game, words, demand), bare(f"{demand.text} ({demand.rule})")))
    return result


def unchecked(game: Game) -> list[str]:
    """The demands on a stack that the engine can't judge, as players read them."""
    words = rule_words(game)
    left: list[str] = []
    for demand in game.rules.stacking if game.rules is not None else ():
        try:
            _broken(game, words, demand)
        except Untranslatable:
            left.append(bare(f"{demand.text} ({demand.rule})"))
    return left


def asks_steps(game: Game) -> bool:
    """Whether a demand on stacks counts steps."""
    return any(STEPS_LEFT in when for when, _ in stacking(game))


def steps_left(game: Game) -> str:
    """An expression for the steps that a unit still has."""
    if counted_steps(game):
        return '{"".equals(GetString("Steps_Level"))?steps:steps-Steps_Level+1}'
    lost = ["(Face_Level==2?1:0)", *([f"({STEP_LOSS}_Active==true?1:0)"] if STEP_LOSS in game.states else [])]
    return f"{{steps>1?steps-{'-'.join(lost)}:steps}}"

"""The pack's rules about who may attack what, checked by the module where the engine's expressions can say them.

They apply to attacks with a declared distance, as in the assistant. A demand that the engine can't judge is named in the report, unless
the attack itself repeats it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from modgen.vmod.battle.beanshell import AND, JavaExpression, Translator, Untranslatable, text_of
from modgen.vmod.battle.places import TARGET, part, terrain
from modgen.vmod.battle.table_lookups import is_any_of
from modgen.vmod.files.buttons import plain_text
from modgen.vmod.pieces.fighting import YES
from modgen.vmod.pieces.unit_fields import field_expressions
from scenarios.expressions import FLAG, NUMBER, TEXT, ValueType, names
from scenarios.expressions.syntax import Aggregate
from scenarios.model.attacks import AttackInput
from scenarios.model.game import Game
from scenarios.model.memo import cached_on
from scenarios.model.points import PointMap
from scenarios.rules.records import Demand
from scenarios.vassal.windows import prefix

INPUT = "input."


class AttackRule(NamedTuple):
    """A demand on an attacker: a test of its violation and the demand; no test where the engine can't judge it."""

    violated: str
    demand: Demand


def attack_rules(game: Game, key: str) -> list[AttackRule]:
    """The demands on the attackers of an attack, except those that the attack itself repeats."""
    return cached_on(game, _attack_rules, key)


def _attack_rules(game: Game, key: str) -> list[AttackRule]:
    attack = game.attacks[key]
    rules = game.rules.attacking if game.rules is not None else None
    if rules is None or attack.distance is None or attack.distance.at_most is None:
        return []
    own_texts = {requirement.text for requirement in attack.requires}
    translator = _translator(game)
    result = []
    for demand in rules.may:
        if demand.text in own_texts:
            continue
        try:
            result.append(AttackRule(_violation_test(translator, demand), demand))
        except Untranslatable:
            result.append(AttackRule("", demand))
    return [*result, *(AttackRule("", demand) for demand in rules.together if demand.text not in own_texts)]


def rule_inputs(game: Game, key: str) -> dict[str, AttackInput]:
    """The inputs of the pack's rules that the demands on attackers read: more conditions of the battle."""
    inputs = game.rules.inputs if game.rules is not None else {}
    demands = [rule.demand for rule in attack_rules(game, key) if rule.violated]
    formulas = [formula for demand in demands for formula in (demand.when, demand.that) if formula is not None]
    read = {name for formula in formulas for name in _all_names(game, names(formula.expression))}
    return {
        name: AttackInput(title=shape.title, default="false")
        for name, shape in inputs.items()
        if f"{INPUT}{name}" in read and shape.kind == "flag"
    }


def _violation_test(translator: Translator, demand: Demand) -> str:
    assert demand.that is not None
    condition = f"{translator.translate(demand.when.expression, AND)}&&" if demand.when is not None else ""
    return f"{condition}!({translator.translate(demand.that.expression)})"


def _all_names(game: Game, direct_names: frozenset[str] | set[str]) -> set[str]:
    """Names with all that the values of the rules read in turn."""
    values = game.rules.values if game.rules is not None else {}
    result, waiting = set(direct_names), list(direct_names)
    while waiting:
        formula = values.get(waiting.pop())
        new_names = names(formula.expression) - result if formula is not None else set()
        result |= new_names
        waiting += new_names
    return result


def _untranslatable(node: Aggregate) -> JavaExpression:
    raise Untranslatable(f"{node.function} of a place isn't counted by the engine")


def _translator(game: Game) -> Translator:
    """A translator for demands, as an attacker reads them. A name that the engine doesn't know is left out."""
    kinds, reads = field_expressions(game)
    kinds |= {name: kind for name, (kind, _) in _place_words(game).items()}
    reads |= {name: read for name, (_, read) in _place_words(game).items()}
    translator = Translator(kinds, reads, game.tables, _untranslatable)
    if game.rules is None:
        return translator
    for name, shape in game.rules.inputs.items():
        if shape.kind == "flag" and shape.default is None:
            kinds[INPUT + name] = FLAG
            reads[INPUT + name] = f'""+"{YES}".equals({text_of(f"told_{name}")})'
    for name, formula in (*game.rules.units.items(), *game.rules.values.items()):
        if formula is None or name in kinds:
            continue
        try:
            kind, expression = translator.kind(formula.expression), translator.translate(formula.expression)
        except Untranslatable:
            continue
        kinds[name] = ValueType(kind)
        reads[name] = f"({expression})" if kind == "text" else f"String.valueOf({expression})"
    return translator


def _place_words(game: Game) -> dict[str, tuple[ValueType, str]]:
    """The names of the attacker's place (`from`), the first target's (`to`) and the distance between them."""
    return cached_on(game, _make_place_words)


def _make_place_words(game: Game) -> dict[str, tuple[ValueType, str]]:
    places = {"from": (text_of("LocationName"), terrain(game)), "to": (part(4), part(2))}
    words, zone_names = {"distance": (NUMBER, text_of("Hexes"))}, _zone_names(game)
    for word, (location, kind_here) in places.items():
        words[f"{word}.terrain"] = TEXT, kind_here
        for kind in game.terrain:
            words[f"{word}.{kind}"] = FLAG, f'""+"{kind}".equals({kind_here})'
        for zone, place_names in zone_names.items():
            words[f"{word}.{zone}"] = FLAG, f'""+{is_any_of(place_names, location)}'
    return words


def _zone_names(game: Game) -> Mapping[str, list[str]]:
    """The names of the places in each named region of boards and of point maps."""
    zones: dict[str, list[str]] = {}
    for key, board in game.boards.items():
        own_hexes, beginning = {*board.grid.hexes}, prefix(game, key)
        for zone, hexes in board.zones.items():
            zones.setdefault(zone, []).extend(beginning + board.grid.name(hex) for hex in hexes if hex in own_hexes)
    for table in game.maps.values():
        if isinstance(table, PointMap):
            for area in table.areas:
                points = sorted(table.in_area(area))
                zones.setdefault(area, []).extend(plain_text(table.points[point].name) for point in points)
    return {zone: sorted(dict.fromkeys(place_names)) for zone, place_names in zones.items() if place_names}


def violations(game: Game, key: str) -> Iterator[str]:
    """An expression for each demand that the engine can judge: its message where it isn't met. Of several targets the first is judged, and
    only where there is one place, because one that may be attacked suffices."""
    for violated, demand in attack_rules(game, key):
        if violated:
            message = f'"{plain_text(f"{demand.text} ({demand.rule})" if demand.rule else demand.text)}. "'
            several = f'{text_of(TARGET)}.equals("")||{text_of(TARGET)}.endsWith("*")'
            yield f'({several}?"":{violated}?{message}:"")'


def unchecked(game: Game, key: str) -> list[str]:
    """The demands on attackers that the engine can't judge, in players' words."""
    return [
        plain_text(f"{demand.text} ({demand.rule})" if demand.rule else demand.text)
        for violated, demand in attack_rules(game, key)
        if not violated
    ]

"""One declared attack in translation: what its names mean to the engine, and what is counted over its groups."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from modgen.vmod.beanshell import (
    ATOM,
    COMPARED,
    NEAR,
    OR,
    PRODUCT,
    SUM,
    Said,
    Untranslatable,
    Words,
    number_of,
    text_of,
)
from modgen.vmod.faces import ability, loose_states
from modgen.vmod.fighters import NO, USUAL, YES, spaced
from modgen.vmod.places import default, usual
from scenarios.attacks import UNIT_TEXTS, Attack, Formula, Input, Modifier, input_kind
from scenarios.expressions import FLAG, NUMBER, TEXT, Kind
from scenarios.expressions.syntax import Aggregate, Name
from scenarios.game import Game
from scenarios.tables import Table

UNITS = 5040
"""The engine adds whole numbers only: strengths are kept in 5040ths, which halves, thirds and sevenths are whole in."""
WHOLE = '"[+-]?[0-9]+"'


class Battle:
    """What the names of one attack mean; aggregates are noted as formulas are read."""

    def __init__(self, game: Game, key: str) -> None:
        self.game, self.key = game, key
        self.attack: Attack = game.attacks[key]
        self.table: Table = game.tables[self.attack.table]
        self.found: dict[Aggregate, str] = {}
        self.waiting: list[Aggregate] = []
        self._kinds: dict[str, Kind] = {}
        self._reads: dict[str, str] = {}
        self.words = Words(self._kinds, self._reads, game.tables, self.aggregate)
        for name, shape in self.attack.inputs.items():
            self._kinds[name], self._reads[name] = self._kind(shape), text_of(self.prop(f"in_{name}"))
        for name, formula in self.attack.values.items():
            self._kinds[name] = Kind(self.words.kind(parsed(formula).expression))
            self._reads[name] = text_of(self.prop(f"own_{name}"))
        self.units: Mapping[str, Words] = {group: self._unit_words(group) for group in self.attack.groups}

    def _kind(self, shape: Input) -> Kind:
        return input_kind(shape, tuple(self.game.terrain))

    def _unit_words(self, group: str) -> Words:
        kinds, reads = unit_words(self.game)
        kinds, reads = kinds | self._kinds, reads | self._reads
        words = Words(kinds, reads, self.game.tables, self.aggregate)
        shape = self.attack.groups[group]
        for slot, (name, told) in enumerate(shape.inputs.items(), 1):
            kinds[name], reads[name] = self._kind(told), text_of(f"value{slot}")
        for slot, (name, formula) in enumerate(shape.values.items(), 1 + len(shape.inputs)):
            kinds[name] = Kind(words.kind(parsed(formula).expression))
            reads[name] = text_of(f"value{slot}")
        return words

    def prop(self, name: str) -> str:
        """The property that keeps something of this attack."""
        return f"v_{self.key}_{name}"

    @cached_property
    def roles(self) -> Mapping[str, int]:
        """1 for the attackers, 2 for the other group."""
        others = [group for group in self.attack.groups if group != self.attack.attackers]
        if len(others) > 1:
            raise Untranslatable("more than two groups")
        return {self.attack.attackers: 1, **dict.fromkeys(others, 2)}

    def aggregate(self, node: Aggregate) -> Said:
        """What an aggregate reads as: a property that the battle counts before it is needed."""
        if node not in self.found:
            self.found[node] = f"count{len(self.found) + 1}"
            self.waiting.append(node)
        read = number_of(self.prop(self.found[node]))
        if node.function in ("any", "all"):
            return Said(f"{read}{'>' if node.function == 'any' else '=='}0", COMPARED)
        return Said(read, ATOM)

    def how_many(self, group: str) -> str:
        """How many units a group has."""
        return self.aggregate(Aggregate("count", Name(group))).text

    def answer(self, name: str, shape: Input, own: bool = False) -> str:
        """The answer that holds: the unit's own, the player's, the map's or the default."""
        usually = self.read(name, shape) if shape.read == "units" else usual(self.game, shape, not own)
        for asked in (f"told_{name}", f"own_{name}") if own else (f"told_{name}",):
            told = text_of(asked)
            if shape.kind == "flag":
                usually = f'"{YES}".equals({told})||!"{NO}".equals({told})&&({usually})'
            elif shape.kind == "number":
                usually = f"{told}.matches({WHOLE})?{told}:{usually}"
            else:
                meant = told if spaced(shape) else f'{told}.replace(" ","_")'
                usually = f'!"{USUAL}".equals({told})&&!"".equals({told})?{meant}:{usually}'
        return usually

    def read(self, name: str, shape: Input) -> str:
        """The answer that units on the map gave; the default where there are none."""
        found = text_of(self.prop(f"near_{name}"))
        if shape.kind == "flag":
            return f'!"".equals({found})'
        return f'"".equals({found})?"{default(self.game, shape)}":{found}'


def parsed(formula: Formula | None) -> Formula:
    """A formula that the pack's checks have seen."""
    assert formula is not None
    return formula


def said(words: Words, formula: Formula | None, level: int = 0) -> str:
    """A formula for the engine, at least so tight."""
    return words.said(parsed(formula).expression, level)


def whole(number: Said) -> str:
    """A number in whole units."""
    return f"(int)Math.round({number.at(PRODUCT)}*{UNITS}.0)"


def unit_words(game: Game) -> tuple[dict[str, Kind], dict[str, str]]:
    """The names of what a unit is, and how the engine reads them; the back of a counter has factors of its own."""
    kinds = dict.fromkeys(UNIT_TEXTS, TEXT)
    reads = {"id": text_of("unit"), "name": text_of("printed")}
    kinds["steps"] = NUMBER
    backed = {name for unit in game.units.values() if unit.back is not None for name in unit.back}
    turned = _turned(game)
    for name, factor in game.factors.items():
        kinds[name] = Kind(factor.kind)
        if name in backed:
            back = text_of(f"{name}_back")
            reads[name] = f'{turned}&&!"".equals({back})?{back}:{text_of(name)}'
    loose = loose_states(game)
    for state in game.states:
        kinds[state] = FLAG
        shown = f'{turned}&&"{state}".equals({text_of("face_state")})?"true":"false"'
        reads[state] = text_of(f"{state}_Active") if state in loose else shown
    for word in game.abilities:
        kinds[word] = FLAG
        reads[word] = text_of(ability(word))
    return kinds, reads


def _turned(game: Game) -> str:
    """A test of whether a unit counts by its back: it is flipped, or marked with a step lost."""
    lost = [state for state in loose_states(game) if game.states[state].loses]
    marked = "".join(f'||"true".equals({text_of(f"{state}_Active")})' for state in lost)
    return f"(Face_Level==2{marked})" if lost else "Face_Level==2"


def chosen(attack: Attack, to: str, *effects: str) -> list[tuple[Modifier, str, Formula]]:
    """The modifiers of these effects on something, in order."""
    return [
        (modifier, modifier.effect[0], modifier.effect[1])
        for modifier in attack.modifiers
        if modifier.to == to and modifier.effect is not None and modifier.effect[0] in effects
    ]


def modified(words: Words, start: Said, modifiers: list[tuple[Modifier, str, Formula]]) -> Said:
    """A strength with what multiplies it and what is added, in order."""
    result = start
    for modifier, effect, amount in modifiers:
        level = PRODUCT if effect == "multiply" else SUM
        by = words.said(amount.expression, level + 1)
        if modifier.when is not None:
            none = "1.0" if effect == "multiply" else "0.0"
            by = f"({said(words, modifier.when, OR)}?{words.said(amount.expression)}:{none})"
        result = Said(f"{result.at(level)}{'*' if effect == 'multiply' else '+'}{by}", level)
    return result


def summed_up(words: Words, modifiers: list[tuple[Modifier, str, Formula]]) -> str:
    """Shifts or die modifiers added up."""
    parts = []
    for modifier, _, amount in modifiers:
        by = words.said(amount.expression, PRODUCT)
        if modifier.when is not None:
            by = f"({said(words, modifier.when, OR)}?{words.said(amount.expression)}:0.0)"
        parts.append(by)
    return "(int)Math.round(" + "+".join([*parts, "0.0"]) + ")"


def rounded(strength: Said, way: str) -> Said:
    """A unit's strength, rounded as its group is."""
    if way == "none":
        return strength
    inner = strength.at(SUM)
    return Said(f"Math.floor({inner}+{NEAR})" if way == "down" else f"Math.ceil({inner}-{NEAR})", ATOM)

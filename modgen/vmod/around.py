"""Units near a battle: headquarters, engineers, missiles that a rule asks for, read from the map.

Every unit there that a question means folds what it is worth into one answer. The engine can't go through lists, so
a distance from attackers who stand in several places isn't measured: a player tells it.
"""

from __future__ import annotations

from modgen.vmod.battle import unit_words
from modgen.vmod.beanshell import AND, NEAR, SUM, Said, Untranslatable, Words, text_of
from modgen.vmod.buttons import matching
from modgen.vmod.faces import ability
from modgen.vmod.fighters import LARGEST, TOTAL
from modgen.vmod.places import ON_MAP, SOURCES, TARGET, apart, part
from scenarios.attacks import Input, NearUnits
from scenarios.expressions.syntax import Aggregate, Binary, Expression, Name, Number, Text
from scenarios.game import Game

IS_UNIT = f'!"".equals({text_of("nation")})'


def asks_attackers(game: Game) -> bool:
    """Whether any answer hangs on where attackers stand, or whose they are."""
    shapes = (shape for attack in game.attacks.values() for shape in attack.all_inputs)
    return any(
        shape.at != "targets" or shape.read == "hexes" or (shape.units and shape.units.whose != "any")
        for shape in shapes
    )


def _refused(node: Aggregate) -> Said:
    raise Untranslatable("a unit that is read from the map knows no groups")


def words(game: Game) -> Words:
    """What a formula of a unit on the map may say."""
    return Words(*unit_words(game), game.tables, _refused)


def _whose(near: NearUnits) -> list[str]:
    """Tests of a unit's side or nation against the first attacker's."""
    if near.whose == "any":
        return []
    name, place = ("nation", 7) if near.whose == "nation" else ("side", 6)
    same = f"{text_of(name)}.equals({part(place, SOURCES)})"
    return [f'!"".equals({text_of(SOURCES)})', f"!{same}" if near.whose == "enemy" else same]


def _there(game: Game, near: NearUnits, of: str) -> str:
    """A test of how far a unit is from the target, or from the attackers."""
    known, here = f'!"".equals({text_of(of)})', text_of("LocationName")
    if near.within is None or near.within.text == "0":
        return (
            f'{text_of(SOURCES)}.contains("|;"+{here}+";")' if of == SOURCES else f"{known}&&{here}.equals({part(4)})"
        )
    single = (
        f'&&{text_of(of)}.indexOf("#")=={text_of(of)}.length()-1&&!"".equals({part(0, of)})' if of == SOURCES else ""
    )
    return f"{known}{single}&&{apart(game, of)}<={words(game).said(near.within.expression, SUM)}+{NEAR}"


def meant(game: Game, shape: Input) -> str:
    """The filter of the units that a question means."""
    near = shape.units
    assert near is not None
    places = {"targets": [TARGET], "attackers": [SOURCES]}.get(shape.at, [TARGET, SOURCES])
    there = "||".join(_there(game, near, of) for of in places)
    where = [] if near.where is None else [words(game).said(near.where.expression, AND)]
    tests = [ON_MAP, IS_UNIT, *_whose(near), f"({there})" if len(places) > 1 else there, *where]
    return "{" + "&&".join(tests) + "}"


def match(game: Game, shape: Input) -> str:
    """The fast match that leaves most others out: by an ability, a word or a factor that is asked for, else by whose they are."""
    near = shape.units
    assert near is not None
    for node in _conjuncts(near.where.expression) if near.where is not None else ():
        match node:
            case Name(word) if word in game.abilities:
                return matching(ability(word), "true")
            case Binary("==", Name(word), Text(value)) if word in ("class", "type", "nation", "side", "size"):
                return matching(word, value)
            case Binary(">", Name(word), Number(value)) if (
                value == 0 and word in game.factors and not _backed(game, word)
            ):
                return matching(word, "[1-9].*", "MATCH")
    if near.whose in ("own", "nation"):
        name, place = ("nation", 7) if near.whose == "nation" else ("side", 6)
        return matching(name, f'{{{text_of(SOURCES)}.equals("")?"-":{part(place, SOURCES)}}}')
    return matching("nation", ".+", "MATCH")


def _backed(game: Game, factor: str) -> bool:
    return any(unit.back is not None and factor in unit.back for unit in game.units.values())


def _conjuncts(node: Expression) -> list[Expression]:
    """What all has to hold."""
    if isinstance(node, Binary) and node.operator == "and":
        return [*_conjuncts(node.left), *_conjuncts(node.right)]
    return [node]


def worth(game: Game, shape: Input) -> str:
    """An expression for what such a unit adds to the answer."""
    near = shape.units
    assert near is not None
    return "1" if near.worth is None else f"(int)Math.round({words(game).said(near.worth.expression)})"


def folded(shape: Input) -> str:
    """The keystroke that makes one answer of them."""
    return TOTAL if shape.units is not None and shape.units.total else LARGEST

"""Units near a battle that a rule asks for: headquarters, engineers or missiles, read from the map.

Every such unit adds its value to one answer. The engine can't loop over lists, so it can't measure a distance from
attackers in several places. There a player gives the distance.
"""

from __future__ import annotations

from modgen.vmod.battle.beanshell import AND, RANGE_SUFFIX, SUM, JavaExpression, Translator, Untranslatable, text_of
from modgen.vmod.battle.places import ON_MAP, SOURCES, TARGET, distance_expression, part
from modgen.vmod.files.buttons import matching
from modgen.vmod.pieces.faces import ability
from modgen.vmod.pieces.fighting import LARGEST, TOTAL
from modgen.vmod.pieces.unit_fields import field_expressions, is_on_backs
from scenarios.expressions.syntax import Aggregate, Binary, Expression, Name, Number, Text
from scenarios.model.attacks import AttackInput, NearUnits
from scenarios.model.game import Game

IS_UNIT = f'!"".equals({text_of("nation")})'


def asks_attackers(game: Game) -> bool:
    """Whether any answer depends on the attackers' place or side."""
    shapes = (shape for attack in game.attacks.values() for shape in attack.all_inputs)
    return any(
        shape.at != "targets" or shape.read == "hexes" or (shape.units and shape.units.whose != "any")
        for shape in shapes
    )


def _untranslatable(node: Aggregate) -> JavaExpression:
    raise Untranslatable("a unit that is read from the map knows no groups")


def words(game: Game) -> Translator:
    """A translator for the formulas of a unit on the map."""
    return Translator(*field_expressions(game), game.tables, _untranslatable)


def _owner_tests(near_units: NearUnits) -> list[str]:
    """Tests that compare a unit's side or nation with the first attacker's."""
    if near_units.whose == "any":
        return []
    name, place = ("nation", 7) if near_units.whose == "nation" else ("side", 6)
    owner_test = f"{text_of(name)}.equals({part(place, SOURCES)})"
    return [f'!"".equals({text_of(SOURCES)})', f"!{owner_test}" if near_units.whose == "enemy" else owner_test]


def _distance_test(game: Game, near_units: NearUnits, origin: str) -> str:
    """A test of a unit's distance from the target, or from the attackers."""
    origin_test, location = f'!"".equals({text_of(origin)})', text_of("LocationName")
    if near_units.within is None or near_units.within.text == "0":
        return (
            f'{text_of(SOURCES)}.contains("|;"+{location}+";")'
            if origin == SOURCES
            else f"{origin_test}&&{location}.equals({part(4)})"
        )
    single = (
        f'&&{text_of(origin)}.indexOf("#")=={text_of(origin)}.length()-1&&!"".equals({part(0, origin)})'
        if origin == SOURCES
        else ""
    )
    limit = words(game).translate(near_units.within.expression, SUM)
    return f"{origin_test}{single}&&{distance_expression(game, origin)}<={limit}+{RANGE_SUFFIX}"


def units_filter(game: Game, shape: AttackInput) -> str:
    """The filter for the units that an input asks about."""
    near_units = shape.units
    assert near_units is not None
    places = {"targets": [TARGET], "attackers": [SOURCES]}.get(shape.at, [TARGET, SOURCES])
    distance_test = "||".join(_distance_test(game, near_units, origin) for origin in places)
    conditions = [] if near_units.where is None else [words(game).translate(near_units.where.expression, AND)]
    tests = [
        ON_MAP,
        IS_UNIT,
        *_owner_tests(near_units),
        f"({distance_test})" if len(places) > 1 else distance_test,
        *conditions,
    ]
    return "{" + "&&".join(tests) + "}"


def match(game: Game, shape: AttackInput) -> str:
    """The fast match that excludes most other units: by an ability, word or factor that the input requires, else by owner."""
    near_units = shape.units
    assert near_units is not None
    for node in _conjuncts(near_units.where.expression) if near_units.where is not None else ():
        match node:
            case Name(word) if word in game.abilities:
                return matching(ability(word), "true")
            case Binary("==", Name(word), Text(value)) if word in ("class", "type", "nation", "side", "size"):
                return matching(word, value)
            case Binary(">", Name(word), Number(value)) if (
                value == 0 and word in game.factors and not is_on_backs(game, word)
            ):
                return matching(word, "[1-9].*", "MATCH")
    if near_units.whose in ("own", "nation"):
        name, place = ("nation", 7) if near_units.whose == "nation" else ("side", 6)
        return matching(name, f'{{{text_of(SOURCES)}.equals("")?"-":{part(place, SOURCES)}}}')
    return matching("nation", ".+", "MATCH")


def _conjuncts(node: Expression) -> list[Expression]:
    """The parts of a condition that all have to hold."""
    if isinstance(node, Binary) and node.operator == "and":
        return [*_conjuncts(node.left), *_conjuncts(node.right)]
    return [node]


def worth(game: Game, shape: AttackInput) -> str:
    """An expression for what such a unit adds to the answer."""
    near_units = shape.units
    assert near_units is not None
    return "1" if near_units.worth is None else f"(int)Math.round({words(game).translate(near_units.worth.expression)})"


def fold_key(shape: AttackInput) -> str:
    """The keystroke that combines the units' values into one answer."""
    return TOTAL if shape.units is not None and shape.units.total else LARGEST

"""A battle in words: units without places, for the effect of each result on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.attack import AttackValue, Fields
from assistant.engine.battle.battle import Battle, BattleInputs
from assistant.engine.field import Field
from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of
from assistant.engine.placed_units import PlacedUnit, no_unit
from assistant.questions.answer import BadQuestion
from assistant.questions.references import UnitRef
from scenarios.model.game import Game
from scenarios.model.position import Piece, Position

PLACELESS = frozenset({"battle", "ruling", "input"})
"""The prefixes of names that results may ask of units without places."""


def ruled_inputs(game: Game, key: str) -> dict[str, AttackValue]:
    """Return the inputs of an attack that depend on nothing but rulings."""
    map_index, inputs = map_index_of(game), dict[str, AttackValue]()
    for name, shape in game.attacks[key].inputs.items():
        if map_index is None or shape.by_rules is None:
            continue
        if all(asked.startswith("ruling.") for asked in map_index.program.names(shape.by_rules)):
            field = make_field(map_index, Position(game.id))
            inputs[name] = field.value_of(shape.by_rules, field.scope(no_unit(), {}))
    return inputs


def battle_in_words(
    game: Game,
    key: str,
    unit_refs: Mapping[str, Sequence[UnitRef]],
    groups: Mapping[str, Sequence[Fields]],
    inputs: Fields,
) -> Battle | None:
    """Return a battle of units that stand nowhere. None where the game has no map, or a counter is no unit."""
    map_index, attack = map_index_of(game), game.attacks[key]
    if map_index is None or any(ref.id not in game.units for refs in unit_refs.values() for ref in refs):
        return None
    field = make_field(map_index, Position(game.id))
    units = {
        group: tuple(unit for ref in unit_refs.get(group, ()) for unit in _units(field, ref))
        for group in (attack.attackers, attack.defenders)
    }
    for unit in (*units[attack.attackers], *units[attack.defenders]):
        _check_states(field, unit)
    usual = {name: shape.usual for name, shape in attack.inputs.items() if shape.usual is not None}
    inputs = {**usual, **inputs}
    attackers, defenders = units[attack.attackers], units[attack.defenders]
    side = attackers[0].side if attackers else ""
    inputs_read = BattleInputs(inputs, {}, {})
    return Battle(field, key, side, (), attackers, defenders, groups, inputs, (), inputs_read)


def _check_states(field: Field, unit: PlacedUnit) -> None:
    """Raise BadQuestion for a unit that can't be anywhere in its states."""
    scope = field.scope(field.mover(unit), {})
    for record in field.program.rules.allowed_places:
        names = field.program.names(record.that) | field.program.names(record.when)
        applies = all(_is_placeless(name) for name in names) and field.holds_of(record.when, scope)
        if applies and not field.holds_of(record.that, scope):
            rule = f" ({record.rule})" if record.rule else ""
            raise BadQuestion(f"{unit.name}: {record.text}{rule}")


def _is_placeless(name: str) -> bool:
    return "." not in name or name.partition(".")[0] in PLACELESS


def results_are_placeless(field: Field) -> bool:
    """Whether no record of the results asks about places, so that they can be applied to units without places."""
    program = field.program
    formulas = [
        formula
        for records in program.rules.results.values()
        for record in records
        for formula in (record.when, record.lose, record.retreat, record.by, record.first, record.exchange)
    ]
    return all(_is_placeless(name) for formula in formulas for name in program.names(formula))


def _units(field: Field, ref: UnitRef) -> list[PlacedUnit]:
    """Return a named unit, as often as it takes part."""
    counter = field.game.units[ref.id]
    place = field.map_index.places[0]
    copies = [str(copy + 1) for copy in range(ref.count)] if ref.count > 1 else [ref.copy]
    pieces = [Piece(ref.id, copy, counter.nation, place, frozenset(ref.states)) for copy in copies]
    return [field.as_if(piece) for piece in pieces]

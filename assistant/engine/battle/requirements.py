"""Who may attack what, and who must: the records of `rules.attacking`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from assistant.attack import Fields, Odds, Violation, odds
from assistant.engine.battle.battle import Battle
from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit, no_unit
from scenarios.model.attack_inputs import Formula
from scenarios.model.attacks import NEXT_TO_IT, Distance
from scenarios.model.game import Game
from scenarios.rules.records import Demand, RuleRecord
from scenarios.rules.shapes import Duty


def resolve_attack(battle: Battle) -> Odds:
    """Resolve an attack, with every condition that isn't met: the attack's own and those of the rules."""
    result = odds(battle.field.game, battle.attack, battle.groups, battle.inputs)
    failure_keys = {(failure.text, failure.place) for failure in result.violations}
    new_failures = tuple(
        failure for failure in _broken_demands(battle) if (failure.text, failure.place) not in failure_keys
    )
    return (
        replace(
            result, violations=(*result.violations, *new_failures), failures=(*result.failures, *map(str, new_failures))
        )
        if new_failures
        else result
    )


def _broken_demands(battle: Battle) -> Iterator[Violation]:
    rules = battle.field.program.rules.attacking
    if not battle.targets:
        return
    group = battle.field.game.attacks[battle.attack].attackers
    for place, unit in enumerate(battle.attackers):
        for demand in unmet(battle.field, unit, battle.targets, battle.attack, battle.inputs):
            yield Violation(demand.text, demand.rule, group, place, unit.name)
    if rules is None:
        return
    extra_values = {
        "hexes": len(battle.sources),
        "attackers": [unit.fields for unit in battle.attackers],
        "defenders": [unit.fields for unit in battle.defenders],
    }
    for demand in rules.together:
        for target in battle.targets:
            scope = battle.field.scope(no_unit(battle.side), {"to": target}, extra_values)
            if battle.field.holds_of(demand.when, scope) and not battle.field.holds_of(demand.that, scope):
                yield Violation(demand.text, demand.rule, "", -1, "")
                break


def unmet(
    field: Field, unit: PlacedUnit, targets: Sequence[int], attack: str = "", inputs: Fields | None = None
) -> list[Demand | Distance]:
    """Return what forbids a unit to attack each of these places: its distance in that attack (in any attack by
    default), and the conditions on attackers."""
    rules = field.program.rules.attacking
    refusals: list[Demand | Distance] = []
    for target in targets:
        extra_values = {"distance": field.map_index.distance(unit.place, target), "attack_kind": attack}
        scope = field.scope(field.mover(unit), {"from": unit.place, "to": target}, extra_values)
        refusals = [
            *too_far(field, unit, target, attack, inputs or {}),
            *(
                demand
                for demand in (rules.may if rules is not None else ())
                if field.holds_of(demand.when, scope) and not field.holds_of(demand.that, scope)
            ),
        ]
        if not refusals:
            return []
    return refusals


def too_far(field: Field, unit: PlacedUnit, target: int, attack: str, inputs: Fields) -> list[Distance]:
    """Return the declared distance of an attack where a unit is at another distance; without a name that of the
    first attack, where no attack fits."""
    distance = field.map_index.distance(unit.place, target)
    violations = []
    for key, attack_record in field.game.attacks.items():
        required = attack_record.required_distance
        if required is None or required.at_most is None or (attack and key != attack):
            continue
        outside = outside_distance(field.game, key, distance, {**unit.fields, **inputs})
        if outside is None:
            return []
        violations.append(outside)
    return violations[:1]


def outside_distance(game: Game, attack: str, distance: int, known_values: Fields) -> Distance | None:
    """Return the distance that an attack requires, where a unit is nearer or farther. `known_values` is what
    formulas may ask of unit and battle."""
    attack_record = game.attacks[attack]
    required = attack_record.required_distance
    if required is None:
        return None
    shapes = {**attack_record.inputs, **attack_record.groups[attack_record.attackers].inputs}
    values = {name: shape.usual for name, shape in shapes.items() if shape.usual is not None} | dict(known_values)

    def bound(formula: Formula | None) -> Any:
        lookup = game.tables
        return None if formula is None else formula.work(values, lambda key, keys: lookup[key].looked_up(*keys), None)

    min_distance, max_distance = bound(required.at_least), bound(required.at_most)
    fits = (min_distance is None or distance >= min_distance) and (
        max_distance is None or 0 <= distance <= max_distance
    )
    return None if fits else required


def possible(field: Field, side: str, attack: str = "") -> Mapping[int, tuple[PlacedUnit, ...]]:
    """Return the enemy places that units of a side may attack, each with these units; adjacent places, where no rule
    says who may attack. Without the name of an `attack`, by any attack."""
    own_units = field.units_of(side)
    attackers_by_place: dict[int, tuple[PlacedUnit, ...]] = {}
    for n in sorted({unit.place for unit in field.placed_units if unit.side != side}):
        attackers = tuple(unit for unit in own_units if not _refusals(field, unit, n, attack))
        if attackers:
            attackers_by_place[n] = attackers
    return attackers_by_place


def duties(field: Field, side: str) -> Iterator[tuple[Duty, PlacedUnit]]:
    """Yield the units of a side that must attack, and the enemies that must be attacked."""
    rules = field.program.rules.attacking
    for duty in rules.must if rules is not None else ():
        for unit in field.placed_units:
            if (unit.side == side) == duty.attack and field.holds(duty.when, field.mover(unit), to=unit.place):
                yield duty, unit


# --- what each stack must attack --------------------------------------------------------------------------------------


class StackDuty(NamedTuple):
    """A stack with enemies that it may or must attack."""

    place: int
    units: tuple[PlacedUnit, ...]
    """The units that can attack."""
    barred: tuple[tuple[PlacedUnit, Demand | Distance], ...]
    """The other units, each with what keeps it from any attack."""
    must: Duty | None
    whole: RuleRecord | None
    """The rule by which it attacks all of the enemies or none."""
    enemies: tuple[int, ...]
    """The places that it can attack, or could if its units were able to attack at all."""
    alone: tuple[int, ...]
    """Those of them that no other stack can attack."""


def in_front(field: Field, n: int, front: str) -> bool:
    """Whether a place is on a front of the pack; always true where no front is named."""
    rules = field.program.rules.attacking
    if not front or rules is None:
        return True
    return field.holds_of(rules.fronts[front].that, field.scope(no_unit(), {"to": n}))


def stack_duties(field: Field, side: str, front: str = "") -> tuple[StackDuty, ...]:
    """Return the stacks of a side that can attack, or could if their units were of another kind; on one front if it
    is named."""
    rules = field.program.rules.attacking
    duty_by_unit = {attacker: duty for duty, attacker in duties(field, side) if duty.attack}
    places = {n for n in field.by_place if in_front(field, n, front)}
    targets = [n for n in places if any(occupant.side != side for occupant in field.by_place[n])]
    stacks: list[StackDuty] = []
    for n in sorted((n for n in places if field.stack(n, side)), key=field.map_index.name):
        stack = field.stack(n, side)
        able_units: dict[PlacedUnit, None] = {}
        refusal_by_unit: dict[PlacedUnit, Demand | Distance] = {}
        enemies: list[int] = []
        for target in targets:
            refusals = {unit: _refusals(field, unit, target) for unit in stack}
            own_refusals = {
                unit: unit_refusals
                for unit, unit_refusals in refusals.items()
                if all(is_of_unit(field, refusal) for refusal in unit_refusals)
            }
            enemies += [target] if own_refusals else []
            able_units |= dict.fromkeys(unit for unit, unit_refusals in own_refusals.items() if not unit_refusals)
            refusal_by_unit |= {unit: unit_refusals[0] for unit, unit_refusals in own_refusals.items() if unit_refusals}
        if enemies:
            units = tuple(unit for unit in stack if unit in able_units)
            must = next((duty_by_unit[unit] for unit in units if unit in duty_by_unit), None)
            records = rules.all_or_none if rules is not None and units and must is None else ()
            whole_record = next(
                (record for record in records if field.holds(record.when, field.mover(units[0]), to=n)), None
            )
            other_units = tuple((unit, demand) for unit, demand in refusal_by_unit.items() if unit not in able_units)
            enemy_places = tuple(sorted(enemies, key=field.map_index.name))
            stacks.append(StackDuty(n, units, other_units, must, whole_record, enemy_places, ()))
    touched_places = [enemy for stack in stacks if stack.units for enemy in stack.enemies]
    return tuple(
        stack_duty._replace(alone=tuple(n for n in stack_duty.enemies if touched_places.count(n) == 1))
        for stack_duty in stacks
    )


def _refusals(field: Field, unit: PlacedUnit, target: int, attack: str = "") -> list[Demand | Distance]:
    """Return the conditions that a unit fails for an attack on a place, up to the first that isn't about the unit
    alone."""
    rules = field.program.rules.attacking
    distance = field.map_index.distance(unit.place, target)
    distances = (record.required_distance for key, record in field.game.attacks.items() if attack in ("", key))
    has_distance = any(required is not None and required.at_most for required in distances)
    if has_distance and (outside := too_far(field, unit, target, attack, {})):
        return list(outside)
    if rules is None or not rules.may:
        return [] if has_distance or distance == 1 else [NEXT_TO_IT]
    extra_values = {"distance": distance, "attack_kind": attack}
    scope = field.scope(field.mover(unit), {"from": unit.place, "to": target}, extra_values)
    refusals: list[Demand | Distance] = []
    for demand in rules.may:
        if field.holds_of(demand.when, scope) and not field.holds_of(demand.that, scope):
            refusals.append(demand)
            if not is_of_unit(field, demand):
                break
    return refusals


def is_of_unit(field: Field, demand: Demand | Distance) -> bool:
    """Whether a condition asks about the attacker alone, not about the places."""
    if isinstance(demand, Distance):
        return False
    names = field.program.names(demand.that) | field.program.names(demand.when)
    return not any("." in name or name == "distance" for name in names)

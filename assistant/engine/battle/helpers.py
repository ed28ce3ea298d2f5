"""Helpers: units stacked with the attackers that take part in an attack without fighting, such as headquarters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from assistant.engine.battle.battle import Battle
from assistant.engine.field import Field
from assistant.engine.movement.reach import reach
from assistant.engine.placed_units import PlacedUnit
from scenarios.model.attack_inputs import AttackInput
from scenarios.model.attacks import Attack


def helper_inputs(attack: Attack) -> Mapping[str, AttackInput]:
    """Return the inputs of an attack that helpers answer."""
    return {name: shape for name, shape in attack.inputs.items() if shape.helps and shape.units is not None}


def helpers_in(field: Field, shape: AttackInput, side: str, places: Sequence[int]) -> Iterator[PlacedUnit]:
    """Yield the units of a side in some places that answer an input of helpers."""
    for n in dict.fromkeys(places):
        for unit in field.stack(n, side):
            if shape.units is not None and field.holds(shape.units.where, field.mover(unit)):
                yield unit


def has_follower(battle: Battle, assigned_helpers: Sequence[PlacedUnit] | None = None) -> bool:
    """Whether a helper that doesn't fight may advance into a place attacked once it is empty: one of those assigned
    to the attack, or any of the stacks that attack."""
    field, attack = battle.field, battle.field.game.attacks[battle.attack]
    if not battle.targets or not field.program.rules.advance:
        return False
    helpers = set(assigned_helpers or ())
    for name, shape in helper_inputs(attack).items() if assigned_helpers is None else ():
        if battle.inputs.get(name) is True:
            helpers |= set(helpers_in(field, shape, battle.side, battle.sources)) - set(battle.attackers)
    free_field = field.with_changes(removed_units=battle.defenders) if helpers else field
    return any(
        target in reach(free_field, helper, section="advance").ends for helper in helpers for target in battle.targets
    )

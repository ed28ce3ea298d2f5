"""What if: one unit less, a stack more, an enhanced attack, a column; and what the next column would take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from assistant.games.six_day_war.battle import Battle, battles, shifted
from assistant.games.six_day_war.field import Field, Stand
from scenarios.hexes import Hex, neighbours
from scenarios.tables import span


@dataclass(frozen=True)
class Variant:
    """A change to an attack and what becomes of it on one table."""

    change: str
    battle: Battle


def variants(
    field: Field, battle: Battle, targets: Sequence[Hex], told: Mapping[str, Any]
) -> tuple[Variant, ...]:
    """The same attack without each unit, with each stack that could join, enhanced, and a column left and right."""
    attackers = battle.attackers
    tries: list[tuple[str, Sequence[Stand], Mapping[str, Any]]] = [
        (f"without {gone.name}", [s for s in attackers if s is not gone], told) for gone in attackers if len(attackers) > 1
    ]
    for stack in joining(field, attackers, targets):
        tries.append((f"with {' and '.join(s.name for s in stack)}", [*attackers, *stack], told))
    if not battle.setting.doubled and attackers[0].side == "israeli":
        tries.append(("as an enhanced attack, 1 reserve point", attackers, {**told, "enhanced": True}))
    found = []
    for change, units, options in tries:
        same = [one for one in battles(field, units, targets, **options) if one.table == battle.table]
        found += [Variant(change, one) for one in same if not one.answer.failures]
    for shift, name in ((-1, "one column to the left"), (1, "one column to the right")):
        moved = shifted(field, battle, shift)
        found += [] if moved is None else [Variant(name, moved)]
    return tuple(found)


def joining(field: Field, attackers: Sequence[Stand], targets: Sequence[Hex]) -> list[tuple[Stand, ...]]:
    """Idle stacks of the attackers' side next to every target, whole as they must attack (13.5, 13.10)."""
    side, front = attackers[0].side, field.front(targets[0])
    around = [near for near in neighbours(targets[0]) if all(near in neighbours(hex) for hex in targets)]
    stacks = [
        tuple(s for s in field.held[side].get(near, ()) if not s.static and s not in attackers)
        for near in around
        if field.front(near) == front
    ]
    return [stack for stack in stacks if stack]


def next_column(field: Field, battle: Battle) -> Fraction | None:
    """How much more strength would start one column further right; None at the last."""
    answer, labels = battle.answer, field.game.tables[battle.table].columns.labels
    if answer.start is None or not answer.defense_strength or answer.start == labels[-1]:
        return None
    least = span(labels[labels.index(answer.start) + 1]).low
    return Fraction(least or 0) * answer.defense_strength / 100 - answer.attack_strength

"""What if: one unit less, a stack more, an enhanced attack, a column; and what the next column would take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assistant.games.six_day_war.battle import Battle
from assistant.games.six_day_war.field import Field, Stand
from assistant.games.six_day_war.tolls import Toll, Tolls
from scenarios.hexes import Hex, neighbours
from scenarios.tables import span


@dataclass(frozen=True)
class Variant:
    """A change to an attack, the column it is fought on then, and what it costs."""

    change: str
    column: str
    toll: Toll


def variants(field: Field, battle: Battle, targets: Sequence[Hex]) -> Iterator[Variant]:
    """The same attack without each unit, with each stack that could join, enhanced, and a column left and right; where
    that is allowed."""
    attackers, enhanced = battle.attackers, battle.sums.told.enhanced
    stacks = joining(field, attackers, targets)
    tries = [(f"without {gone.name}", tuple(s for s in attackers if s is not gone), enhanced) for gone in attackers]
    tries = tries if len(attackers) > 1 else []
    tries += [(f"with {' and '.join(s.name for s in stack)}", (*attackers, *stack), enhanced) for stack in stacks]
    if not battle.setting.doubled and attackers[0].side == "israeli":
        tries.append(("as an enhanced attack, 1 reserve point", attackers, True))
    tolls = Tolls(field, battle, [s for stack in stacks for s in stack])
    for change, units, more in tries:
        column = battle.sums.column(battle.table, units, more)
        if column is not None:
            yield Variant(change, column, tolls.of(units, column))
    labels = field.game.tables[battle.table].columns.labels
    if battle.answer.column is not None:
        place = labels.index(battle.answer.column)
        for moved, name in ((place - 1, "one column to the left"), (place + 1, "one column to the right")):
            if 0 <= moved < len(labels):
                yield Variant(name, labels[moved], tolls.of(attackers, labels[moved]))


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

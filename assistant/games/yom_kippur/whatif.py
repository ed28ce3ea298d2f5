"""What if: one unit less or more, a helper, an air unit, a column; and what the next column would take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from assistant.games.yom_kippur.combat import Combat, ground_combat, shifted
from assistant.games.yom_kippur.field import Field, Stand
from scenarios.hexes import Hex, neighbours
from scenarios.tables import odds


@dataclass(frozen=True)
class Variant:
    """A change to an attack and what becomes of it."""

    change: str
    combat: Combat


def variants(field: Field, attackers: Sequence[Stand], target: Hex, told: Mapping[str, Any]) -> tuple[Variant, ...]:
    """The attack with one unit less, with each idle neighbour that may join, with a helper, with one air unit more on
    either side, and one column left and right (1.5, 1.12a)."""
    side = attackers[0].unit.side
    plain = ground_combat(field, attackers, target, **told)
    found = [
        Variant(f"without {gone.name}", ground_combat(field, [s for s in attackers if s is not gone], target, **told))
        for gone in attackers
        if len(attackers) > 1
    ]
    for stand in idle(field, attackers, target):
        joined = ground_combat(field, [*attackers, stand], target, **told)
        if not any(failure.name == stand.name for failure in joined.answer.refused):
            found.append(Variant(f"with {stand.name}", joined))
    if not plain.answer.values["attack_help"]:
        found.append(
            Variant("with a headquarters or engineer", ground_combat(field, attackers, target, **{**told, "helper": True}))
        )
    for flown in ("israeli", "egyptian"):
        key = f"{flown}_air"
        more = {**told, key: int(told.get(key, 0)) + 1}
        if flown == "israeli":
            more["sam_zone_air"] = int(told.get("sam_zone_air", 0)) + 1
        combat = ground_combat(field, attackers, target, **more)
        if len(combat.answer.failures) <= len(plain.answer.failures):
            whose = "one air unit more" if flown == side else "an enemy air unit"
            found.append(Variant(f"with {whose}", combat))
    for shift, name in ((-1, "one column to the left"), (1, "one column to the right")):
        moved = shifted(field, plain, shift)
        if moved is not None:
            found.append(Variant(name, moved))
    return tuple(found)


def idle(field: Field, attackers: Sequence[Stand], target: Hex) -> list[Stand]:
    """Friends next to the target who could attack it too."""
    side = attackers[0].unit.side
    return [
        stand
        for near in neighbours(target)
        for stand in field.held[side].get(near, ())
        if stand not in attackers and stand.factor("attack") > 0
    ]


def next_column(field: Field, combat: Combat) -> Fraction | None:
    """How many points of attack strength more would start one column further right; None at the last."""
    answer = combat.answer
    labels = field.ground.game.tables["combat"].columns.labels
    if answer.start is None or answer.defense_strength is None:
        return None
    place = labels.index(answer.start)
    if place + 1 == len(labels):
        return None
    return odds(labels[place + 1]) * answer.defense_strength - answer.attack_strength

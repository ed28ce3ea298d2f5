"""What if: one attacker less, one neighbour more, one air unit more; and what the next column would take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from assistant.attacks import BadQuestion
from assistant.games.yom_kippur.combat import Combat, ground_combat
from assistant.games.yom_kippur.field import Field, Stand
from scenarios.hexes import Hex, neighbours
from scenarios.tables import odds


@dataclass(frozen=True)
class Variant:
    """A change to an attack and what becomes of it."""

    change: str
    combat: Combat


def variants(field: Field, attackers: Sequence[Stand], target: Hex, told: Mapping[str, Any]) -> tuple[Variant, ...]:
    """The attack with one unit less, with each idle neighbour that may join, and with one air unit more (1.12a)."""
    side = attackers[0].unit.side
    found = [
        Variant(f"without {gone.name}", ground_combat(field, [s for s in attackers if s != gone], target, **told))
        for gone in attackers
        if len(attackers) > 1
    ]
    idle = [
        stand
        for near in neighbours(target)
        for stand in field.held[side].get(near, ())
        if stand not in attackers and stand.factor("attack") > 0
    ]
    for stand in idle:
        joined = ground_combat(field, [*attackers, stand], target, **told)
        if not any(failure.name == stand.name for failure in joined.answer.refused):
            found.append(Variant(f"with {stand.name}", joined))
    air = f"{side}_air"
    more = {**told, air: int(told.get(air, 0)) + 1}
    if side == "israeli":
        more["sam_zone_air"] = int(told.get("sam_zone_air", 0)) + 1
    flown = ground_combat(field, attackers, target, **more)
    if not flown.answer.failures:
        found.append(Variant("with one air unit more", flown))
    return tuple(found)


def next_column(field: Field, combat: Combat) -> Fraction | None:
    """How many points of attack strength more would start one column further right; None at the last."""
    answer = combat.answer
    labels = field.ground.game.tables["combat"].columns.labels
    if answer.start is None or answer.defense_strength is None:
        raise BadQuestion("there is no column to better")
    place = labels.index(answer.start)
    if place + 1 == len(labels):
        return None
    return odds(labels[place + 1]) * answer.defense_strength - answer.attack_strength

"""What an attack leaves undone that has to be done (12.5, 13.3 to 13.5, 13.10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from assistant.engine.battle.requirements import StackDuty, stack_duties
from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.games.six_day_war.forces import front, static


class Neglect(NamedTuple):
    """What an attack leaves undone that has to be done: units that stay out, and enemies that nobody attacks."""

    left_out: list[PlacedUnit]
    """Mobile units stacked with attackers (13.10)."""
    must_join: list[PlacedUnit]
    """Units elsewhere that have to attack and touch only enemies that this attack takes up (13.2, 13.3)."""
    unattacked: list[int]
    """Enemies that only the attackers touch (13.5), or that attackers out of their works pass over (13.4)."""
    why: list[tuple[str, str]]
    """All that in sentences, each with its rule."""


def neglect(field: Field, attackers: Sequence[PlacedUnit], targets: Sequence[int]) -> Neglect:
    """What has to be done beside an attack on some hexes and can't be done once it is made."""
    side, home = attackers[0].side, dict.fromkeys(standing.place for standing in attackers)
    found = [duty for duty in stack_duties(field, side, front(field, targets[0])) if duty.units]
    # Who is in works of his own attacks all around him or nobody (13.4), and none of them twice (13.2).
    idle = [duty for duty in found if duty.place not in home and (duty.must or set(duty.enemies).isdisjoint(targets))]
    others = {enemy for duty in idle for enemy in duty.enemies}
    left_out = [s for n in home for s in field.stack(n, side) if s not in attackers and not static(s)]
    why = [(f"{s.name} shares a hex with an attacker and has to attack too", "13.10") for s in left_out]
    unattacked: list[int] = []
    for duty in (duty for duty in found if duty.place in home):
        spared = [enemy for enemy in duty.enemies if enemy not in targets]
        missed = [enemy for enemy in spared if enemy not in others] if duty.must else spared
        unattacked += missed
        if missed:
            alone, all_around = (
                ("which nobody else can attack", "13.5"),
                ("for units in their own works attack all around them", "13.4"),
            )
            reason, rule = alone if duty.must else all_around
            why.append((f"{_who(field, duty)} must also attack {_named(field, missed)}, {reason}", rule))
    joining: list[PlacedUnit] = []
    for duty in (duty for duty in found if duty.must and duty.place not in home and set(duty.enemies) <= set(targets)):
        apart = [n for n in targets if n not in duty.enemies]
        joining += duty.units
        if apart:
            only = f"touches only {_named(field, duty.enemies)}, not {_named(field, apart)}"
            why.append((f"{_who(field, duty)} must attack and {only}: these can't be attacked as one", "13.3, 13.5"))
        else:
            why.append((f"{_who(field, duty)} must attack and touches no other enemy, so it has to join", "13.3"))
    return Neglect(left_out, joining, list(dict.fromkeys(unattacked)), why)


def _who(field: Field, duty: StackDuty) -> str:
    return f"{' and '.join(standing.name for standing in duty.units)} in {field.map_index.name(duty.place)}"


def _named(field: Field, hexes: Sequence[int]) -> str:
    return " and ".join(map(field.map_index.name, hexes))

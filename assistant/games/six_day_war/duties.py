"""Who has to attack and who has to be attacked (12.5, 13.3 to 13.5, 13.10, 13.11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.games.six_day_war.field import Field, Stand, other
from scenarios.hexes import Hex, neighbours


@dataclass(frozen=True)
class Duty:
    """A hex with units that must attack, or may, and the enemy hexes around it."""

    hex: Hex
    stands: tuple[Stand, ...]
    must: bool
    enemies: tuple[Hex, ...]
    alone: tuple[Hex, ...]
    """Those of them that no other hex can attack: whoever must attack must attack them all (13.5)."""


@dataclass(frozen=True)
class Unable:
    """A hex next to the enemy where nobody can attack, for all are static or neutral (13.11, 25.2)."""

    hex: Hex
    stands: tuple[Stand, ...]


def duties(field: Field, side: str, front: str) -> tuple[Duty, ...]:
    """The stacks of a side on a front next to the enemy: those in an enemy zone must attack; those in their own works may,
    and then attack all around them (13.4). Static units never attack (13.11)."""
    beside = {hex: (able, enemies) for hex, able, enemies in _next_to_enemies(field, side, front) if able}
    touching: dict[Hex, int] = {}
    for _, enemies in beside.values():
        for enemy in enemies:
            touching[enemy] = touching.get(enemy, 0) + 1
    watched = field.zones[other(side)]
    return tuple(
        Duty(hex, able, hex in watched, enemies, tuple(enemy for enemy in enemies if touching[enemy] == 1))
        for hex, (able, enemies) in beside.items()
    )


def unable(field: Field, side: str, front: str) -> tuple[Unable, ...]:
    """Hexes of a side next to the enemy where nobody can attack."""
    return tuple(Unable(hex, field.held[side][hex]) for hex, able, _ in _next_to_enemies(field, side, front) if not able)


def _next_to_enemies(field: Field, side: str, front: str) -> list[tuple[Hex, tuple[Stand, ...], tuple[Hex, ...]]]:
    """The hexes of a side next to the enemy on a front, with who can attack out of them and whom."""
    foe = field.held[other(side)]
    found = []
    for hex, stands in sorted(field.held[side].items()):
        enemies = tuple(
            near
            for near in neighbours(hex)
            if any(field.watches(s) for s in foe.get(near, ())) and field.front(near) == front
        )
        if enemies and field.front(hex) == front:
            found.append((hex, tuple(s for s in stands if not s.static and field.watches(s)), enemies))
    return found


def to_attack(found: tuple[Duty, ...]) -> tuple[Hex, ...]:
    """Enemy hexes that somebody must attack: those next to a stack that has to (13.3, 13.5)."""
    return tuple(sorted({hex for duty in found if duty.must for hex in duty.enemies}))


@dataclass(frozen=True)
class Neglect:
    """What an attack leaves undone that has to be done: units that stay out, and enemies that nobody attacks."""

    left_out: tuple[Stand, ...]
    """Mobile units stacked with attackers (13.10)."""
    must_join: tuple[Stand, ...]
    """Units elsewhere that have to attack and touch only enemies that this attack takes up (13.2, 13.3)."""
    unattacked: tuple[Hex, ...]
    """Enemies that only the attackers touch (13.5), or that attackers out of their works pass over (13.4)."""
    why: tuple[str, ...]
    """All that in sentences."""


def neglect(field: Field, attackers: Sequence[Stand], targets: Sequence[Hex]) -> Neglect:
    """What has to be done beside an attack on some hexes and can't be done once it is made."""
    name, side = field.table.name, attackers[0].side
    home = dict.fromkeys(stand.hex for stand in attackers)
    found = duties(field, side, field.front(targets[0]))
    # Who is in works of his own attacks all around him or nobody (13.4), and none of them twice (13.2).
    idle = [duty for duty in found if duty.hex not in home and (duty.must or set(duty.enemies).isdisjoint(targets))]
    others = {enemy for duty in idle for enemy in duty.enemies}
    left_out = [s for hex in home for s in field.held[side].get(hex, ()) if s not in attackers and not s.static]
    why = [f"{s.name} shares a hex with an attacker and has to attack too (13.10)" for s in left_out]
    unattacked: list[Hex] = []
    for duty in (duty for duty in found if duty.hex in home):
        spared = [enemy for enemy in duty.enemies if enemy not in targets]
        missed = [enemy for enemy in spared if enemy not in others] if duty.must else spared
        unattacked += missed
        if missed:
            whom = f"{' and '.join(s.name for s in duty.stands)} in {name(duty.hex)}"
            reason = "which nobody else can attack (13.5)" if duty.must else "for units in their own works attack all around them (13.4)"
            why.append(f"{whom} must also attack {' and '.join(map(name, missed))}, {reason}")
    joining: list[Stand] = []
    for duty in (duty for duty in found if duty.must and duty.hex not in home and set(duty.enemies) <= set(targets)):
        whom = f"{' and '.join(s.name for s in duty.stands)} in {name(duty.hex)}"
        apart = [hex for hex in targets if hex not in duty.enemies]
        joining += duty.stands
        if apart:
            why.append(
                f"{whom} must attack and touches only {' and '.join(map(name, duty.enemies))}, not {' and '.join(map(name, apart))}: "
                "these can't be attacked as one (13.3, 13.5)"
            )
        else:
            why.append(f"{whom} must attack and touches no other enemy, so it has to join (13.3)")
    return Neglect(tuple(left_out), tuple(joining), tuple(dict.fromkeys(unattacked)), tuple(why))

"""The best way to share attackers out among enemy hexes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, Literal

from assistant.attacks import BadQuestion
from assistant.games.yom_kippur.combat import Combat, ground_combat
from assistant.games.yom_kippur.field import Field, Stand
from scenarios.hexes import Hex, neighbours

Aim = Literal["steps", "hexes"]
MOST_PLANS = 100_000


@dataclass(frozen=True)
class Plan:
    """An attack on each hex that gets one, what all of them bring on average, and who is left over."""

    attacks: tuple[tuple[Hex, Combat], ...]
    worth: Fraction
    idle: tuple[Stand, ...]
    unable: tuple[Stand, ...]


def best_plan(
    field: Field, units: Sequence[Stand], targets: Sequence[Hex], aim: Aim, told: Mapping[str, Any], price: Fraction
) -> Plan:
    """The plan that brings most enemy steps, or most hexes, less `price` for each step lost; every plan is tried.

    A unit attacks one hex or none. A headquarters or engineer gives its shift where its own stack attacks; it helps one
    battle only, so it is shared out like the others.
    """
    options: dict[Stand, list[Hex | None]] = {}
    for stand in units:
        may = [hex for hex in targets if hex in neighbours(stand.hex) and _allowed(field, stand, hex, told)]
        if may:
            options[stand] = [*may, None]
    plans = prod(len(choice) for choice in options.values())
    if plans > MOST_PLANS:
        raise BadQuestion(f"there are {plans:,} ways to share these units out; name fewer attackers or targets")
    known: dict[tuple[Hex, frozenset[Stand]], tuple[Fraction, Combat | None]] = {}

    def worth(hex: Hex, group: frozenset[Stand]) -> tuple[Fraction, Combat | None]:
        key = hex, group
        if key not in known:
            known[key] = _worth(field, [s for s in options if s in group], hex, aim, told, price)
        return known[key]

    best: tuple[Fraction, int, tuple[Hex | None, ...]] | None = None
    for chosen in product(*options.values()):
        sent: dict[Hex, list[Stand]] = {}
        for stand, hex in zip(options, chosen, strict=True):
            if hex is not None:
                sent.setdefault(hex, []).append(stand)
        total = sum((worth(hex, frozenset(group))[0] for hex, group in sent.items()), Fraction(0))
        used = sum(map(len, sent.values()))
        if best is None or (total, -used) > (best[0], -best[1]):
            best = total, used, chosen
    assert best is not None
    final: dict[Hex, list[Stand]] = {}
    for stand, hex in zip(options, best[2], strict=True):
        if hex is not None:
            final.setdefault(hex, []).append(stand)
    attacks = []
    for hex in targets:
        combat = worth(hex, frozenset(final[hex]))[1] if hex in final else None
        if combat is not None:
            attacks.append((hex, combat))
    busy = {stand for _, combat in attacks for stand in combat.attackers}
    return Plan(
        tuple(attacks), best[0], tuple(s for s in options if s not in busy), tuple(s for s in units if s not in options)
    )


def _allowed(field: Field, stand: Stand, hex: Hex, told: Mapping[str, Any]) -> bool:
    combat = ground_combat(field, [stand], hex, **told)
    return not any(failure.group == "attackers" for failure in combat.answer.refused)


def _worth(
    field: Field, group: Sequence[Stand], hex: Hex, aim: Aim, told: Mapping[str, Any], price: Fraction
) -> tuple[Fraction, Combat | None]:
    """What an attack is worth; nothing where nobody in it can fight."""
    if not any(stand.factor("attack") > 0 for stand in group):
        return Fraction(0), None
    helps = any("gives_shift" in stand.unit.abilities for stand in group)
    combat = ground_combat(field, group, hex, **{**told, "helper": helps})
    gain = combat.falls if aim == "hexes" else combat.expected(lambda one: one.defender.total)
    return gain - price * combat.expected(lambda one: one.attacker.total), combat

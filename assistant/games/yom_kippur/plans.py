"""The best way to share attackers out among enemy hexes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, Literal

from assistant.answers import BadQuestion
from assistant.games.yom_kippur.combat import Battle, Combat, battle_of, fight, star_counts
from assistant.rules.field import Field, Standing

Aim = Literal["steps", "hexes"]
MOST_PLANS = 100_000


@dataclass(frozen=True)
class Plan:
    """An attack on each hex that gets one, what all of them bring on average, and who is left over."""

    attacks: tuple[tuple[int, Combat], ...]
    worth: Fraction
    idle: tuple[Standing, ...]
    unable: tuple[Standing, ...]


def best_plan(
    field: Field, units: Sequence[Standing], targets: Sequence[int], aim: Aim, told: Mapping[str, Any], price: Fraction
) -> Plan:
    """The plan that brings most enemy steps, or most hexes, less `price` for each step lost; every plan is tried.

    A unit attacks one hex or none. A headquarters or engineer gives its shift where its own stack attacks; it helps one
    battle only, so it is shared out like the others.
    """
    front = _Front(field, told)
    options: dict[Standing, list[int | None]] = {}
    for standing in units:
        may = [hex for hex in targets if field.kinds.distance(standing.at, hex) == 1 and front.allowed(standing, hex)]
        if may:
            options[standing] = [*may, None]
    plans = prod(len(choice) for choice in options.values())
    if plans > MOST_PLANS:
        raise BadQuestion(f"there are {plans:,} ways to share these units out; name fewer attackers or targets")
    known: dict[tuple[int, frozenset[Standing]], Fraction] = {}

    def worth(hex: int, group: frozenset[Standing]) -> Fraction:
        key = hex, group
        if key not in known:
            known[key] = front.worth([s for s in options if s in group], hex, aim, price)
        return known[key]

    best: tuple[Fraction, int, dict[int, list[Standing]]] | None = None
    for chosen in product(*options.values()):
        sent: dict[int, list[Standing]] = {}
        for standing, hex in zip(options, chosen, strict=True):
            if hex is not None:
                sent.setdefault(hex, []).append(standing)
        total = sum((worth(hex, frozenset(group)) for hex, group in sent.items()), Fraction(0))
        used = sum(map(len, sent.values()))
        if best is None or (total, -used) > (best[0], -best[1]):
            best = total, used, sent
    assert best is not None
    sent = best[2]
    attacks = tuple((hex, fight(front.battle(sent[hex], hex))) for hex in targets if hex in sent and _fights(sent[hex]))
    busy = {standing for _, combat in attacks for standing in combat.attackers}
    idle = tuple(s for s in options if s not in busy)
    return Plan(attacks, best[0], idle, tuple(s for s in units if s not in options))


def _fights(group: Sequence[Standing]) -> bool:
    return any(standing.fields["attack"] > 0 for standing in group)


class _Front:
    """The attacks that one side could make."""

    def __init__(self, field: Field, told: Mapping[str, Any]) -> None:
        self.field, self.told = field, told
        self.battles: dict[int, Battle] = {}

    def battle(self, group: Sequence[Standing], hex: int) -> Battle:
        """The attack of a group on a hex; only a headquarters or engineer of its own helps."""
        if hex not in self.battles:
            self.battles[hex] = battle_of(self.field, group, hex, **self.told)
        helps = any("gives_shift" in standing.unit.abilities for standing in group)
        return self.battles[hex].by(group).given(attacker_helper=helps)

    def allowed(self, standing: Standing, hex: int) -> bool:
        """Whether a unit may attack a hex."""
        return not any(failure.group == "attackers" for failure in self.battle([standing], hex).odds().refused)

    def worth(self, group: Sequence[Standing], hex: int, aim: Aim, price: Fraction) -> Fraction:
        """What an attack is worth; nothing where nobody in it can fight."""
        if not _fights(group):
            return Fraction(0)
        battle = self.battle(group, hex)
        answer = battle.odds()
        mean = battle.mean(answer.column, star_counts(answer))
        return (mean.taken if aim == "hexes" else mean.theirs) - price * mean.mine

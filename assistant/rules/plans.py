"""The best way to share attackers out among places to attack, for any pack whose attack is one throw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Literal

from assistant.answers import BadQuestion
from assistant.rules.battle import Told, battle_of
from assistant.rules.field import Field, Standing
from assistant.rules.whatif import Prospect, prospect

Aim = Literal["steps", "places"]
MOST_PLANS = 1_500
"""More plans than this aren't tried one by one: each attack of them takes some milliseconds."""
NOTHING = Fraction(0)


@dataclass(frozen=True)
class Plan:
    """Who attacks where, what it is worth on average, and whether no plan is better."""

    attacks: Mapping[int, tuple[tuple[Standing, ...], Prospect]]
    idle: tuple[Standing, ...]
    worth: Fraction
    sure: bool


class Planner:
    """Looks for the best plan. What an attack is worth is worked out once for each place and set of attackers."""

    most = MOST_PLANS

    def __init__(
        self,
        field: Field,
        attack: str,
        side: str,
        able: Mapping[int, Sequence[Standing]],
        aim: Aim,
        told: Told,
        price: Fraction | None = None,
    ) -> None:
        """`price` is what a step of one's own counts; without it as much as the enemy's, and nothing where places count."""
        self.field, self.attack, self.side, self.aim, self.told = field, attack, side, aim, told
        self.price = Fraction(aim == "steps") if price is None else price
        self.able = {n: tuple(units) for n, units in able.items()}
        self.units = tuple(dict.fromkeys(unit for units in self.able.values() for unit in units))
        self._known: dict[tuple[int, frozenset[tuple[object, int]], int], tuple[Fraction, Prospect | None]] = {}
        self._sent: dict[tuple[int, tuple[Standing, ...]], tuple[Fraction, Prospect | None]] = {}

    @cached_property
    def choices(self) -> list[list[int | None]]:
        """What each unit can do: attack one of these places, or none."""
        return [[*(n for n, units in self.able.items() if unit in units), None] for unit in self.units]

    @property
    def count(self) -> int:
        """How many plans there are."""
        return prod(map(len, self.choices))

    def plan(self) -> Plan:
        """The best plan; every one is tried where they aren't too many, else it is bettered unit by unit."""
        if self.count > self.most:
            return self._told(self._bettered(self.choices), False)
        best = max(product(*self.choices), key=lambda plan: (self._worth(plan), -sum(n is not None for n in plan)))
        return self._told(best, True)

    def gain(self, found: Prospect) -> Fraction:
        """What an attack brings."""
        return (found.falls if self.aim == "places" else found.defender_steps) - self.price * found.attacker_steps

    def may(self, units: Sequence[Standing], found: Prospect) -> bool:
        """Whether some units may make an attack."""
        return found.allowed

    def _bettered(self, choices: Sequence[Sequence[int | None]]) -> tuple[int | None, ...]:
        plan: list[int | None] = [None] * len(choices)
        better = True
        while better:
            better = False
            for unit, options in enumerate(choices):
                tried = [(self._worth((*plan[:unit], n, *plan[unit + 1 :])), n) for n in options]
                worth, place = max(tried, key=lambda pair: pair[0])
                if worth > self._worth(tuple(plan)):
                    plan[unit], better = place, True
            for one in range(len(choices)):  # two units may be worth something only together
                for two in range(one + 1, len(choices)):
                    for n in set(choices[one]) & set(choices[two]) - {None}:
                        tried_plan = [*plan]
                        tried_plan[one] = tried_plan[two] = n
                        if self._worth(tuple(tried_plan)) > self._worth(tuple(plan)):
                            plan, better = tried_plan, True
        return tuple(plan)

    def _worth(self, plan: Sequence[int | None]) -> Fraction:
        sent: dict[int, list[Standing]] = {}
        for unit, n in zip(self.units, plan, strict=True):
            if n is not None:
                sent.setdefault(n, []).append(unit)
        return sum((self._attack(n, tuple(units))[0] for n, units in sent.items()), NOTHING)

    def _at(self, plan: Sequence[int | None], n: int) -> tuple[Standing, ...]:
        return tuple(unit for unit, place in zip(self.units, plan, strict=True) if place == n)

    def _attack(self, n: int, units: tuple[Standing, ...]) -> tuple[Fraction, Prospect | None]:
        """What an attack is worth; worked out once for units that are alike."""
        if (n, units) not in self._sent:
            key = n, frozenset((unit.alike, unit.at) for unit in units), len(units)
            if key not in self._known:
                try:
                    found = self.prospect(n, units)
                except BadQuestion:
                    self._known[key] = Fraction(-1), None
                else:
                    # Less than nothing where it isn't allowed, so that it is left out.
                    self._known[key] = self.gain(found) if self.may(units, found) else Fraction(-1), found
            self._sent[n, units] = self._known[key]
        return self._sent[n, units]

    def prospect(self, n: int, units: Sequence[Standing]) -> Prospect:
        """What an attack of some units on a place comes to."""
        defenders = [standing for standing in self.field.by_place[n] if standing.side != self.side]
        return prospect(battle_of(self.field, self.attack, self.side, (n,), units, defenders, self.told))

    def _told(self, plan: Sequence[int | None], sure: bool) -> Plan:
        attacks = {}
        for n in self.able:
            units = self._at(plan, n)
            found = self._attack(n, units)[1] if units else None
            if found is not None and self.may(units, found):
                attacks[n] = units, found
        used = {unit for units, _ in attacks.values() for unit in units}
        return Plan(attacks, tuple(unit for unit in self.units if unit not in used), self._worth(plan), sure)

"""The best distribution of attackers among targets, for any pack whose attack is one roll."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Literal

from assistant.engine.battle.battle import BattleInputs, battle_of
from assistant.engine.battle.helpers import helper_inputs, helpers_in
from assistant.engine.battle.what_if import Prospect, prospect
from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.questions.answer import BadQuestion
from scenarios.model.attack_inputs import AttackInput

Aim = Literal["steps", "places"]
MOST_PLANS = 100_000
"""The search tries at most this many plans one by one."""
MOST_ATTACKS = 1_500
"""The search computes at most this many attacks; each takes some milliseconds."""
NOTHING = Fraction(0)


@dataclass(frozen=True)
class AttackPlan:
    """Which units attack where, the average worth, and whether the plan is the best."""

    attacks: Mapping[int, tuple[tuple[PlacedUnit, ...], Prospect]]
    idle: tuple[PlacedUnit, ...]
    worth: Fraction
    sure: bool


class Planner:
    """Searches for the best plan. It computes the worth of an attack once for each place and set of attackers."""

    def __init__(
        self,
        field: Field,
        attack: str,
        side: str,
        units_by_target: Mapping[int, Sequence[PlacedUnit]],
        aim: Aim,
        battle_inputs: BattleInputs,
        price: Fraction | None = None,
    ) -> None:
        """Prepare the search. `price` is the weight of one's own step. By default it equals an enemy step; where
        places count it is zero."""
        self.field, self.attack, self.side, self.aim, self.inputs = field, attack, side, aim, battle_inputs
        self.helpers: set[PlacedUnit] = set()
        """Those who take part without fighting: each helps one attack only."""
        self.price = Fraction(aim == "steps") if price is None else price
        attack_record = field.game.attacks[attack]
        self.helper_inputs = helper_inputs(attack_record)
        self.has_advances = any(
            record.advance for records in field.program.rules.results.values() for record in records
        )
        self.attackers_by_target = {n: self._with_helpers(units) for n, units in units_by_target.items()}
        self.units = tuple(dict.fromkeys(unit for units in self.attackers_by_target.values() for unit in units))
        self._prospect_memo: dict[tuple[int, frozenset[tuple[object, int]], int], tuple[Fraction, Prospect | None]] = {}
        self._attack_memo: dict[tuple[int, tuple[PlacedUnit, ...]], tuple[Fraction, Prospect | None]] = {}

    @cached_property
    def choices(self) -> list[list[int | None]]:
        """The choices of each unit: attack one of these places, or none."""
        return [[*(n for n, units in self.attackers_by_target.items() if unit in units), None] for unit in self.units]

    @property
    def count(self) -> int:
        """The number of plans."""
        return prod(map(len, self.choices))

    def plan(self) -> AttackPlan:
        """Return the best plan. It tries all plans if they are few enough; otherwise it improves a plan unit by
        unit."""
        attacks = sum(2 ** len(units) for units in self.attackers_by_target.values())
        if self.count > MOST_PLANS or attacks > MOST_ATTACKS:
            return self._to_plan(self._improve(self.choices), False)
        best = max(product(*self.choices), key=lambda plan: (self._worth(plan), -sum(n is not None for n in plan)))
        return self._to_plan(best, True)

    def gain(self, found: Prospect) -> Fraction:
        """Return the worth of an attack."""
        places = found.advance_chance if self.has_advances else found.falls
        return (places if self.aim == "places" else found.defender_steps) - self.price * found.attacker_steps

    def may(self, units: Sequence[PlacedUnit], found: Prospect) -> bool:
        """Whether some units may make an attack."""
        return found.is_allowed

    def _improve(self, choices: Sequence[Sequence[int | None]]) -> tuple[int | None, ...]:
        plan: list[int | None] = [None] * len(choices)
        better = True
        while better:
            better = False
            for unit, options in enumerate(choices):
                trials = [(self._worth((*plan[:unit], n, *plan[unit + 1 :])), n) for n in options]
                worth, place = max(trials, key=lambda pair: pair[0])
                if worth > self._worth(tuple(plan)):
                    plan[unit], better = place, True
            for first in range(len(choices)):  # two units may be worth something only together
                for two in range(first + 1, len(choices)):
                    for n in set(choices[first]) & set(choices[two]) - {None}:
                        tried_plan = [*plan]
                        tried_plan[first] = tried_plan[two] = n
                        if self._worth(tuple(tried_plan)) > self._worth(tuple(plan)):
                            plan, better = tried_plan, True
        return tuple(plan)

    def _worth(self, plan: Sequence[int | None]) -> Fraction:
        units_by_target: dict[int, list[PlacedUnit]] = {}
        for unit, n in zip(self.units, plan, strict=True):
            if n is not None:
                units_by_target.setdefault(n, []).append(unit)
        return sum((self._attack(n, tuple(units))[0] for n, units in units_by_target.items()), NOTHING)

    def _attackers_of(self, plan: Sequence[int | None], n: int) -> tuple[PlacedUnit, ...]:
        return tuple(unit for unit, place in zip(self.units, plan, strict=True) if place == n)

    def _attack(self, n: int, units: tuple[PlacedUnit, ...]) -> tuple[Fraction, Prospect | None]:
        """Return the worth of an attack; computed once for equal units."""
        if (n, units) not in self._attack_memo:
            key = n, frozenset((unit.equivalence_key, unit.place) for unit in units), len(units)
            if key not in self._prospect_memo:
                try:
                    prospect = self.prospect(n, units)
                except BadQuestion:
                    self._prospect_memo[key] = Fraction(-1), None
                else:
                    # A forbidden attack counts as less than nothing, so the plan leaves it out.
                    self._prospect_memo[key] = (
                        self.gain(prospect) if self.may(units, prospect) else Fraction(-1),
                        prospect,
                    )
            self._attack_memo[n, units] = self._prospect_memo[key]
        return self._attack_memo[n, units]

    def prospect(self, n: int, units: Sequence[PlacedUnit]) -> Prospect:
        """Return the outlook of an attack by some units on a place."""
        defenders = [defender for defender in self.field.by_place[n] if defender.side != self.side]
        attackers = [unit for unit in units if unit not in self.helpers]
        if not attackers:
            raise BadQuestion("only helpers are left for this attack")
        battle_inputs = self.inputs
        if self.helper_inputs:
            helps = {
                name: any(shape.units is not None and self._helps(shape, unit) for unit in units)
                for name, shape in self.helper_inputs.items()
                if name not in battle_inputs.inputs
            }
            battle_inputs = replace(battle_inputs, inputs={**battle_inputs.inputs, **helps})
        battle = battle_of(self.field, self.attack, self.side, (n,), attackers, defenders, battle_inputs)
        helpers = [unit for unit in units if unit in self.helpers]
        return prospect(battle, one_by_one=not self.has_advances, assigned_helpers=helpers)

    def _with_helpers(self, units: Sequence[PlacedUnit]) -> tuple[PlacedUnit, ...]:
        """Return the units that may attack a place, with the helpers stacked with them that don't fight."""
        places = [unit.place for unit in units]
        helpers = [
            helper
            for shape in self.helper_inputs.values()
            for helper in helpers_in(self.field, shape, self.side, places)
            if helper not in units
        ]
        self.helpers |= set(helpers)
        return tuple(dict.fromkeys((*units, *helpers)))

    def _helps(self, shape: AttackInput, unit: PlacedUnit) -> bool:
        return shape.units is not None and self.field.holds(shape.units.where, self.field.mover(unit))

    def _to_plan(self, plan: Sequence[int | None], sure: bool) -> AttackPlan:
        attacks = {}
        for n in self.attackers_by_target:
            units = self._attackers_of(plan, n)
            prospect = self._attack(n, units)[1] if units else None
            if prospect is not None and self.may(units, prospect):
                attacks[n] = units, prospect
        used = {unit for units, _ in attacks.values() for unit in units}
        return AttackPlan(attacks, tuple(unit for unit in self.units if unit not in used), self._worth(plan), sure)

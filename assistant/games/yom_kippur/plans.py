"""What if: one unit less or more, a helper, an air unit, a shaken defender, a column. And the best way to share attackers out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from assistant.attack import AttackValue
from assistant.engine.battle.battle import Battle, BattleInputs, by_others, with_inputs
from assistant.engine.battle.plans import Aim, Planner
from assistant.engine.battle.what_if import Prospect
from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.games.yom_kippur.air import air_units
from assistant.games.yom_kippur.combat import Combat, fight, on_the_map
from assistant.questions.answer import BadQuestion

SHAKEN = ("disorganized", "out_of_supply")
MOST_PLANS = 100_000
Variant = tuple[str, str | None, Combat]
"""A change to an attack, the column, and what becomes of it."""


def variants(combat: Combat) -> Iterator[Variant]:
    """The attack with one unit less, with each idle neighbour that may join, with a helper, with one air unit more on
    either side, on a defender without order or supply, and one column left and right (1.5, 1.7, 1.9a, 1.12a)."""
    battle, attackers = combat.battle, combat.battle.attackers
    for gone in attackers if len(attackers) > 1 else ():
        yield _variant(f"without {gone.name}", _by(battle, [s for s in attackers if s is not gone]))
    for standing in idle(battle):
        joined = fight(by_others(battle, [*attackers, standing]))
        if not any(
            failure.group == "attackers" and failure.place == len(attackers) for failure in joined.odds.violations
        ):
            yield f"with {standing.name}", joined.odds.column, joined
    if not combat.odds.values["attack_help"]:
        yield _variant("with a headquarters or engineer", with_inputs(battle, attacker_helper=True))
    yield from _flown(combat)
    for state in SHAKEN:
        if any(_would_hurt(standing, state) for standing in battle.defenders):
            yield _variant(f"if the defenders were {state.replace('_', ' ')}", with_state(battle, state))
    if combat.odds.column is not None:
        labels, here = combat.table.columns.labels, combat.table.named_column(combat.odds.column)
        for column, name in ((here - 1, "one column to the left"), (here + 1, "one column to the right")):
            if 0 <= column < len(labels):
                yield name, labels[column], fight(battle, combat.odds, column)


def _variant(change: str, battle: Battle) -> Variant:
    """What becomes of a battle."""
    found = fight(battle)
    return change, found.odds.column, found


def _by(battle: Battle, attackers: Sequence[PlacedUnit]) -> Battle:
    """The same attack by fewer units, in words too."""
    if battle.targets:
        return by_others(battle, attackers)
    seen = dict(zip(battle.attackers, battle.groups["attackers"], strict=True))
    return replace(
        battle, attackers=tuple(attackers), groups={**battle.groups, "attackers": [seen[s] for s in attackers]}
    )


def _flown(combat: Combat) -> Iterator[Variant]:
    battle = combat.battle
    for side in ("israeli", "egyptian"):
        if battle.targets and int(battle.inputs.get(f"{side}_air", 0)) >= air_units(battle.field, side):
            continue
        # An Israeli air unit more is taken from the SAM Zone Box, so that missiles don't matter.
        keys = (f"{side}_air", "sam_zone_air") if side == "israeli" else (f"{side}_air",)
        flown = fight(with_inputs(battle, **{key: Fraction(battle.inputs.get(key, 0)) + 1 for key in keys}))
        if len(flown.odds.failures) <= len(combat.odds.failures):
            under = side == "israeli" and battle.inputs.get("under_sam")
            what = "with one air unit more" if side == battle.side else "with an enemy air unit"
            yield f"{what} (SAM Zone)" if under else what, flown.odds.column, flown


def _would_hurt(standing: PlacedUnit, state: str) -> bool:
    spared = state == "out_of_supply" and "always_supplied" in standing.counter.abilities
    return state not in standing.piece.states and not spared


def with_state(battle: Battle, state: str) -> Battle:
    """The battle with every defender in a state; who is disorganized has no zone of control (1.9a)."""
    field, defenders = battle.field, battle.defenders
    if not battle.targets:
        return replace(
            battle, groups={**battle.groups, "defenders": [{**one, state: True} for one in battle.groups["defenders"]]}
        )
    shaken = {s: s.piece.states | {state} for s in defenders}
    pieces = [s.piece._replace(at=field.map_index.places[s.place], states=shaken[s]) for s in defenders]
    groups = {**battle.groups, "defenders": [field.as_if(piece).fields for piece in pieces]}
    return replace(battle, states=shaken, groups=groups)


def idle(battle: Battle) -> Sequence[PlacedUnit]:
    """Friends next to the target who could attack it too."""
    field = battle.field
    near = [
        s
        for target in battle.targets
        for n, _ in field.map_index.neighbours(target)
        for s in field.stack(n, battle.side)
    ]
    return [s for s in near if s not in battle.attackers and s.fields["attack"] > 0]


# --- the best plan ----------------------------------------------------------------------------------------------------


class Front(Planner):
    """The attacks that one side could make: a unit attacks one hex or none.

    A headquarters or engineer gives its shift where its own stack attacks; it helps one battle only, so it is shared out like
    the others.
    """

    max_plans = MOST_PLANS

    def __init__(
        self,
        field: Field,
        units: Sequence[PlacedUnit],
        targets: Sequence[int],
        aim: Aim,
        battle_inputs: Mapping[str, AttackValue],
        price: Fraction,
    ) -> None:
        self.field, self.battle_values = field, battle_inputs
        self.battles: dict[int, Battle] = {}
        able = {
            hex: [s for s in units if field.map_index.distance(s.place, hex) == 1 and self._allowed(s, hex)]
            for hex in targets
        }
        super().__init__(
            field, "ground", units[0].side if units else "", able, aim, BattleInputs(battle_inputs, {}, {}), price
        )
        if self.count > self.max_plans:
            raise BadQuestion(
                f"there are {self.count:,} ways to share these units out; name fewer attackers or targets"
            )

    def prospect(self, n: int, units: Sequence[PlacedUnit]) -> Combat:
        """The attack of some units on a hex; only a headquarters or engineer of their own helps."""
        if n not in self.battles:
            self.battles[n] = on_the_map(self.field, units, n, self.battle_values)
        helps = any("gives_shift" in standing.counter.abilities for standing in units)
        return fight(with_inputs(by_others(self.battles[n], units), attacker_helper=helps))

    def _allowed(self, standing: PlacedUnit, hex: int) -> bool:
        return not any(failure.group == "attackers" for failure in self.prospect(hex, [standing]).odds.violations)

    def gain(self, found: Prospect) -> Fraction:
        """A hex counts where an attacker is left to take it."""
        return (
            found.advance_chance if self.aim == "places" else found.defender_steps
        ) - self.price * found.attacker_steps

    def may(self, units: Sequence[PlacedUnit], found: Prospect) -> bool:
        """Whether somebody in an attack can fight; what else it breaks is told with it."""
        return any(standing.fields["attack"] > 0 for standing in units)

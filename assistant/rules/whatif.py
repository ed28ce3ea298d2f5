"""What if: one attacker more or fewer, a unit in another state; for any pack whose attack is one throw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from assistant.answers import BadQuestion
from assistant.attack import Answer as Odds
from assistant.rules.attacking import fought, possible
from assistant.rules.battle import Battle, battle_of
from assistant.rules.field import Field, Standing
from assistant.rules.results import consequences
from scenarios.expressions import names

MOST = 60
"""So many changes are looked at."""


@dataclass(frozen=True)
class Prospect:
    """What an attack brings on average; nothing where the table allows none."""

    odds: Odds
    attacker_steps: Fraction
    defender_steps: Fraction
    falls: Fraction

    @property
    def allowed(self) -> bool:
        """Whether the attack may be made."""
        return self.odds.column is not None and not self.odds.refused


def prospect(battle: Battle) -> Prospect:
    """What a battle brings, by what each result does."""
    odds = fought(battle)
    found = consequences(battle, odds, alone=True)
    return Prospect(
        odds, sum((one.chance * one.steps("attacker") for one in found), Fraction(0)),
        sum((one.chance * one.steps("defender") for one in found), Fraction(0)),
        sum((one.chance for one in found if one.falls), Fraction(0)),
    )  # fmt: skip


def changes(battle: Battle) -> Iterator[tuple[str, Prospect]]:
    """Each change that makes a difference, in words, with what the attack would then bring."""
    base = prospect(battle)
    for count, (text, other) in enumerate(_changed(battle)):
        if count >= MOST:
            return
        try:
            found = prospect(other)
        except BadQuestion:
            continue
        if _told(found) != _told(base):
            yield text, found


def _told(found: Prospect) -> tuple[object, ...]:
    odds = found.odds
    return odds.column, odds.die, tuple(map(str, odds.refused)), found.attacker_steps, found.defender_steps, found.falls, odds.chances


def _changed(battle: Battle) -> Iterator[tuple[str, Battle]]:
    field, name = battle.field, battle.field.kinds.title
    able = dict.fromkeys(standing for n in battle.targets for standing in possible(field, battle.side).get(n, ()))
    for standing in able:
        if standing not in battle.attackers:
            yield f"with {standing.name} from {name(standing.at)}", with_attackers(battle, (*battle.attackers, standing))
    for standing in battle.attackers if len(battle.attackers) > 1 else ():
        yield f"without {standing.name}", with_attackers(battle, tuple(one for one in battle.attackers if one is not standing))
    for standing in (*battle.attackers, *battle.defenders):
        for state in asked_states(battle):
            yield _marked(battle, standing, state)


def with_attackers(battle: Battle, attackers: tuple[Standing, ...]) -> Battle:
    """The battle with other attackers."""
    return battle_of(battle.field, battle.attack, battle.side, battle.targets, attackers, battle.defenders, battle.told)


def asked_states(battle: Battle) -> list[str]:
    """The states that the attack's formulas ask for."""
    game = battle.field.game
    attack = game.attacks[battle.attack]
    formulas = [*(group.strength for group in attack.groups.values()), *attack.values.values()]
    formulas += [formula for group in attack.groups.values() for formula in group.values.values()]
    for modifier in attack.modifiers:
        formulas += [modifier.when, *(modifier.effect[1:] if modifier.effect else ())]
    formulas += [requirement.that for requirement in attack.requires]
    used = {name for formula in formulas if formula is not None for name in names(formula.expression)}
    backs = {unit.back_state for unit in game.units.values() if unit.back is not None}
    return [state for state in game.states if state in used or state in backs]


def _marked(battle: Battle, standing: Standing, state: str) -> tuple[str, Battle]:
    """The battle with a unit in a state, or out of it."""
    field: Field = battle.field
    has = bool(standing.fields.get(state))
    states = standing.piece.states - {state} if has else standing.piece.states | {state}
    lost = 0 if has and field.game.states[state].loses else standing.piece.steps_lost
    other = field.as_if(standing.piece._replace(states=states, steps_lost=lost))
    changed = field.changed([standing], [other])

    def swapped(units: tuple[Standing, ...]) -> tuple[Standing, ...]:
        return tuple(other if unit is standing else unit for unit in units)

    text = f"{standing.name} {'not ' * has}{field.game.states[state].name.lower()}"
    attackers, defenders = swapped(battle.attackers), swapped(battle.defenders)
    return text, battle_of(changed, battle.attack, battle.side, battle.targets, attackers, defenders, battle.told)

"""What if: one attacker more or fewer, a unit in another state; for any pack whose attack is one throw."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

from assistant.answers import BadQuestion
from assistant.attack import Answer as Odds
from assistant.rules.attacking import fought, possible
from assistant.rules.battle import Battle, battle_of, by_others
from assistant.rules.field import Field, Standing
from assistant.rules.results import Consequence, consequences
from scenarios.expressions import names
from scenarios.tables import Table, span
from scenarios.tables import odds as odds_of

MOST = 60
"""So many changes are looked at."""


@dataclass(frozen=True)
class Prospect:
    """What an attack brings on average; nothing where the table allows none."""

    odds: Odds
    results: tuple[Consequence, ...]

    @property
    def allowed(self) -> bool:
        """Whether the attack may be made."""
        return self.odds.column is not None and not self.odds.refused

    @cached_property
    def _throws(self) -> int:
        return lcm(*(one.chance.denominator for one in self.results))

    def mean(self, value: Callable[[Consequence], Fraction | int]) -> Fraction:
        """The mean of something that results have."""
        # Whole numbers add up much quicker than fractions.
        counts = ((int(one.chance * self._throws), value(one)) for one in self.results)
        return Fraction(sum(count * found for count, found in counts if found), self._throws)

    @cached_property
    def attacker_steps(self) -> Fraction:
        """The steps that the attackers lose."""
        return self.mean(lambda one: one.attackers.steps)

    @cached_property
    def defender_steps(self) -> Fraction:
        """The steps that the defenders lose."""
        return self.mean(lambda one: one.defenders.steps)

    @cached_property
    def falls(self) -> Fraction:
        """The chance that no defender is left in place."""
        return self.mean(lambda one: one.falls)

    @cached_property
    def taken(self) -> Fraction:
        """The chance that an attacker may advance besides; known where the prospect looked at advances too."""
        return self.mean(lambda one: one.taken)


def prospect(battle: Battle, odds: Odds | None = None, *, column: int | None = None, alone: bool = True) -> Prospect:
    """What a battle brings, by what each result does; on another `column` where one is told. `alone` as in `Outcomes.of`."""
    found = odds or fought(battle)
    table = battle.field.game.tables[battle.field.game.attacks[battle.attack].table]
    chances = None if column is None else table.distribution(column)
    return Prospect(found, consequences(battle, found, alone=alone, chances=chances))


def beside(battle: Battle, odds: Odds, *, alone: bool = True) -> Iterator[tuple[str, str, Prospect]]:
    """The same attack one column to the left and to the right: in words, the column, and what it brings there."""
    labels = battle.field.game.tables[battle.field.game.attacks[battle.attack].table].columns.labels
    if odds.column is None:
        return
    at = labels.index(odds.column)
    for column, text in ((at - 1, "one column to the left"), (at + 1, "one column to the right")):
        if 0 <= column < len(labels):
            yield text, labels[column], prospect(battle, odds, column=column, alone=alone)


def next_column(table: Table, found: Odds) -> Fraction | None:
    """How much more strength would start one column further right; None at the last."""
    labels = table.columns.labels
    if found.start is None or found.start == labels[-1] or table.columns.kind == "names":
        return None
    label = labels[labels.index(found.start) + 1]
    against = found.defense_strength
    if table.columns.kind == "odds" and against is not None:
        return odds_of(label) * against - found.attack_strength
    least = span(label).low or Fraction(0)
    if table.columns.kind == "percent":
        return least * against / 100 - found.attack_strength if against else None
    return least - found.attack_strength


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
    return (
        odds.column,
        odds.die,
        tuple(map(str, odds.refused)),
        found.attacker_steps,
        found.defender_steps,
        found.falls,
        odds.chances,
    )


def _changed(battle: Battle) -> Iterator[tuple[str, Battle]]:
    field, name = battle.field, battle.field.kinds.title
    able = dict.fromkeys(standing for n in battle.targets for standing in possible(field, battle.side).get(n, ()))
    for standing in able:
        if standing not in battle.attackers:
            yield f"with {standing.name} from {name(standing.at)}", by_others(battle, (*battle.attackers, standing))
    for standing in battle.attackers if len(battle.attackers) > 1 else ():
        yield (
            f"without {standing.name}",
            by_others(battle, tuple(one for one in battle.attackers if one is not standing)),
        )
    for standing in (*battle.attackers, *battle.defenders):
        for state in asked_states(battle):
            yield _marked(battle, standing, state)


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

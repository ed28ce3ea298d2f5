"""What if: one attacker more or fewer, or a unit in another state; for any pack whose attack is one roll."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

from assistant.attack import Odds
from assistant.engine.battle.battle import Battle, battle_of, by_others
from assistant.engine.battle.requirements import possible, resolve_attack
from assistant.engine.battle.result_effects import consequences
from assistant.engine.battle.results import Consequence
from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.questions.answer import BadQuestion
from scenarios.expressions import names
from scenarios.model.tables import Table, parse_odds, span

MAX_CHANGES = 60
"""The maximum number of changes tried."""


@dataclass(frozen=True)
class Prospect:
    """The average effect of an attack; empty where the table allows none."""

    odds: Odds
    results: tuple[Consequence, ...]

    @property
    def is_allowed(self) -> bool:
        """Whether the attack is allowed."""
        return self.odds.column is not None and not self.odds.violations

    @cached_property
    def _throws(self) -> int:
        return lcm(*(result.chance.denominator for result in self.results))

    def mean(self, value: Callable[[Consequence], Fraction | int]) -> Fraction:
        """Return the mean of a value of the results."""
        # Integers add up much faster than fractions.
        counts = ((int(result.chance * self._throws), value(result)) for result in self.results)
        return Fraction(sum(count * amount for count, amount in counts if amount), self._throws)

    @cached_property
    def attacker_steps(self) -> Fraction:
        """The steps that the attackers lose."""
        return self.mean(lambda result: result.attackers.steps)

    @cached_property
    def defender_steps(self) -> Fraction:
        """The steps that the defenders lose."""
        return self.mean(lambda result: result.defenders.steps)

    @cached_property
    def falls(self) -> Fraction:
        """The chance that no defender is left in place."""
        return self.mean(lambda result: result.falls)

    @cached_property
    def advance_chance(self) -> Fraction:
        """The chance that an attacker may also advance; known where the prospect looked at advances."""
        return self.mean(lambda result: result.place_taken)


def prospect(
    battle: Battle, odds: Odds | None = None, *, column: int | None = None, one_by_one: bool = True
) -> Prospect:
    """Return what a battle brings, by the effect of each result; on another `column` if given. `one_by_one` is as in
    `Outcomes.of`."""
    battle_odds = odds or resolve_attack(battle)
    table = battle.field.game.tables[battle.field.game.attacks[battle.attack].table]
    chances = None if column is None else table.distribution(column)
    return Prospect(battle_odds, consequences(battle, battle_odds, one_by_one=one_by_one, chances=chances))


def adjacent_columns(battle: Battle, odds: Odds, *, one_by_one: bool = True) -> Iterator[tuple[str, str, Prospect]]:
    """Yield the same attack one column to the left and to the right: a label, the column, and what it brings there."""
    labels = battle.field.game.tables[battle.field.game.attacks[battle.attack].table].columns.labels
    if odds.column is None:
        return
    column_number = labels.index(odds.column)
    for column, text in ((column_number - 1, "one column to the left"), (column_number + 1, "one column to the right")):
        if 0 <= column < len(labels):
            yield text, labels[column], prospect(battle, odds, column=column, one_by_one=one_by_one)


def next_column(table: Table, odds: Odds) -> Fraction | None:
    """Return how much more strength would reach the next column to the right; None at the last."""
    labels = table.columns.labels
    if odds.start is None or odds.start == labels[-1] or table.columns.kind == "names":
        return None
    label = labels[labels.index(odds.start) + 1]
    against = odds.defense_strength
    if table.columns.kind == "odds" and against is not None:
        return parse_odds(label) * against - odds.attack_strength
    min_strength = span(label).low or Fraction(0)
    if table.columns.kind == "percent":
        return min_strength * against / 100 - odds.attack_strength if against else None
    return min_strength - odds.attack_strength


def changes(battle: Battle) -> Iterator[tuple[str, Prospect]]:
    """Yield each change that makes a difference, as text, with what the attack would then bring."""
    base = prospect(battle)
    for count, (text, other_battle) in enumerate(_changed_battles(battle)):
        if count >= MAX_CHANGES:
            return
        try:
            new_prospect = prospect(other_battle)
        except BadQuestion:
            continue
        if _prospect_key(new_prospect) != _prospect_key(base):
            yield text, new_prospect


def _prospect_key(prospect: Prospect) -> tuple[object, ...]:
    odds = prospect.odds
    return (
        odds.column,
        odds.die,
        tuple(map(str, odds.violations)),
        prospect.attacker_steps,
        prospect.defender_steps,
        prospect.falls,
        odds.chances,
    )


def _changed_battles(battle: Battle) -> Iterator[tuple[str, Battle]]:
    field, name = battle.field, battle.field.map_index.title
    possible_units = dict.fromkeys(unit for n in battle.targets for unit in possible(field, battle.side).get(n, ()))
    for unit in possible_units:
        if unit not in battle.attackers:
            yield f"with {unit.name} from {name(unit.place)}", by_others(battle, (*battle.attackers, unit))
    for unit in battle.attackers if len(battle.attackers) > 1 else ():
        yield (
            f"without {unit.name}",
            by_others(battle, tuple(attacker for attacker in battle.attackers if attacker is not unit)),
        )
    for unit in (*battle.attackers, *battle.defenders):
        for state in asked_states(battle):
            yield _toggle_state(battle, unit, state)


def asked_states(battle: Battle) -> list[str]:
    """Return the states that the attack's formulas ask for."""
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


def _toggle_state(battle: Battle, placed_unit: PlacedUnit, state: str) -> tuple[str, Battle]:
    """Return the battle with a state of a unit set or cleared."""
    field: Field = battle.field
    has = bool(placed_unit.fields.get(state))
    states = placed_unit.piece.states - {state} if has else placed_unit.piece.states | {state}
    lost_steps = 0 if has and field.game.states[state].steps_lost else placed_unit.piece.steps_lost
    changed_unit = field.as_if(placed_unit.piece._replace(states=states, steps_lost=lost_steps))
    changed_field = field.with_changes([placed_unit], [changed_unit])

    def swap_unit(units: tuple[PlacedUnit, ...]) -> tuple[PlacedUnit, ...]:
        return tuple(changed_unit if unit is placed_unit else unit for unit in units)

    text = f"{placed_unit.name} {'not ' * has}{field.game.states[state].name.lower()}"
    attackers, defenders = swap_unit(battle.attackers), swap_unit(battle.defenders)
    return text, battle_of(
        changed_field, battle.attack, battle.side, battle.targets, attackers, defenders, battle.inputs_read
    )

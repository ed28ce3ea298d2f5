"""What if: one attacker more or fewer, or a unit in another state; for any pack whose attack is one roll."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import lcm

from assistant.attack import Odds
from assistant.engine.battle.battle import Battle, battle_of, by_others, with_inputs
from assistant.engine.battle.helpers import has_follower
from assistant.engine.battle.requirements import possible, resolve_attack
from assistant.engine.battle.result_effects import consequences
from assistant.engine.battle.results import Consequence
from assistant.engine.battle.words import results_are_placeless
from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.question_field import cant_be
from assistant.questions.answer import BadQuestion
from scenarios.expressions import names
from scenarios.model.game import Game
from scenarios.model.tables import Table, parse_odds, span

MAX_CHANGES = 60
"""The maximum number of changes tried."""


@dataclass(frozen=True)
class Prospect:
    """The average effect of an attack; empty where the table allows none."""

    odds: Odds
    results: tuple[Consequence, ...]
    has_follower: bool = False
    """Whether a helper that loses nothing may advance, too."""

    results_apply: bool = True
    """Whether the pack says what the results do to the units."""

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
        """The chance that an attacker or a helper may also advance; known where the prospect looked at advances."""
        return self.mean(self.is_taken)

    def is_taken(self, result: Consequence) -> bool:
        """Whether a result leaves the place free, and an attacker or a helper may advance into it."""
        return result.place_taken or (self.has_follower and result.falls and not result.attackers.going)


def prospect(
    battle: Battle,
    odds: Odds | None = None,
    *,
    column: int | None = None,
    one_by_one: bool = True,
    assigned_helpers: Sequence[PlacedUnit] | None = None,
) -> Prospect:
    """Return what a battle brings, by the effect of each result; on another `column` if given. `one_by_one` is as in
    `Outcomes.of`; a plan assigns helpers."""
    battle_odds = odds or resolve_attack(battle)
    table = battle.field.game.tables[battle.field.game.attacks[battle.attack].table]
    chances = None if column is None else table.distribution(column)
    if not results_apply(battle):
        return Prospect(battle_odds, (), results_apply=False)
    results = consequences(battle, battle_odds, one_by_one=one_by_one, chances=chances)
    return Prospect(battle_odds, results, not one_by_one and has_follower(battle, assigned_helpers))


def results_apply(battle: Battle) -> bool:
    """Whether the results of an attack can be applied to its units; for a battle in words, only those that ask
    nothing about places."""
    if not has_declared_results(battle.field.game, battle.attack):
        return False
    return bool(battle.targets) or bool(battle.defenders and battle.attackers and results_are_placeless(battle.field))


def has_declared_results(game: Game, key: str) -> bool:
    """Whether the pack says what the results of an attack do to the units: its table has effects with records."""
    attack = game.attacks[key]
    if game.rules is None or attack.per_defender:
        return False
    effects = {effect for result in game.tables[attack.table].results.values() for effect in result.effects}
    return any(effect in game.rules.results for effect in effects)


def adjacent_columns(battle: Battle, odds: Odds, *, one_by_one: bool = True) -> Iterator[tuple[str, str, Prospect]]:
    """Yield the same attack one column to the left and to the right: a label, the column, and what it brings there."""
    columns = battle.field.game.tables[battle.field.game.attacks[battle.attack].table].columns
    labels = columns.labels
    if odds.column is None or columns.kind == "names":
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


def changes(battle: Battle, *, one_by_one: bool = True) -> Iterator[tuple[str, Prospect]]:
    """Yield each change that makes a difference, as text, with what the attack would then bring. `one_by_one` is as in
    `prospect`."""
    base = prospect(battle, one_by_one=one_by_one)
    changed_battles = chain(_changed_battles(battle), _changed_inputs(battle))
    for count, (text, other_battle) in enumerate(changed_battles):
        if count >= MAX_CHANGES:
            return
        try:
            new_prospect = prospect(other_battle, one_by_one=one_by_one)
        except BadQuestion:
            continue
        is_forbidden = len(new_prospect.odds.violations) > len(base.odds.violations)
        if is_forbidden and (
            other_battle.inputs != battle.inputs or len(other_battle.attackers) > len(battle.attackers)
        ):
            continue  # a unit or an input more that the rules forbid is no help
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
    possible_units = dict.fromkeys(
        unit for n in battle.targets for unit in possible(field, battle.side, battle.attack).get(n, ())
    )
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
            if (changed := _toggle_state(battle, unit, state)) is not None:
                yield changed


def _changed_inputs(battle: Battle) -> Iterator[tuple[str, Battle]]:
    """Yield the battle with each input changed that declares a what-if."""
    for name, shape in battle.field.game.attacks[battle.attack].inputs.items():
        value = battle.inputs.get(name)
        if shape.what_if and shape.kind == "number":
            yield shape.what_if, with_inputs(battle, **{name: Fraction(value or 0) + 1})
        elif shape.what_if and value is not True:
            yield shape.what_if, with_inputs(battle, **{name: True})


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


def _toggle_state(battle: Battle, placed_unit: PlacedUnit, state: str) -> tuple[str, Battle] | None:
    """Return the battle with a state of a unit set or cleared; None where it can't be in it."""
    field: Field = battle.field
    has = bool(placed_unit.fields.get(state))
    states = placed_unit.piece.states - {state} if has else placed_unit.piece.states | {state}
    lost_steps = 0 if has and field.game.states[state].steps_lost else placed_unit.piece.steps_lost
    changed_unit = field.as_if(placed_unit.piece._replace(states=states, steps_lost=lost_steps))
    if changed_unit.steps <= 0 or (battle.targets and cant_be(field, changed_unit, placed_unit.place)):
        return None
    changed_field = field.with_changes([placed_unit], [changed_unit])

    def swap_unit(units: tuple[PlacedUnit, ...]) -> tuple[PlacedUnit, ...]:
        return tuple(changed_unit if unit is placed_unit else unit for unit in units)

    text = f"{placed_unit.name} {'not ' * has}{field.game.states[state].name.lower()}"
    attackers, defenders = swap_unit(battle.attackers), swap_unit(battle.defenders)
    if not battle.targets:
        attack = field.game.attacks[battle.attack]
        units = {attack.attackers: battle.attackers, attack.defenders: battle.defenders}
        groups = {
            group: [
                {**fields, **changed_unit.fields} if member is placed_unit else fields
                for member, fields in zip(units[group], rows, strict=True)
            ]
            if group in units
            else rows
            for group, rows in battle.groups.items()
        }
        return text, replace(battle, attackers=attackers, defenders=defenders, groups=groups)
    return text, battle_of(
        changed_field, battle.attack, battle.side, battle.targets, attackers, defenders, battle.inputs_read
    )

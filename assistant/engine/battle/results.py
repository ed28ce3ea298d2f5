"""What a battle result does by the records of `rules.results`: losses, retreats with their destinations, and
advances."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, NamedTuple

from assistant.engine.field import Field
from assistant.engine.map_index import program_of
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.retreat.paths import RetreatPaths
from assistant.questions.answer import Cell, RowTable, TableColumn
from scenarios.expressions.evaluating import evaluate
from scenarios.expressions.syntax import conjuncts
from scenarios.model.game import Game
from scenarios.rules.shapes import ResultRule, Rules

ALL_STEPS = 99
"""The number that stands for the effect `all`."""
ALWAYS = "always"
"""The records that hold after every result."""
Role = Literal["attacker", "defender"]
ROLES: tuple[Role, Role] = ("attacker", "defender")


@dataclass(frozen=True, eq=False)
class UnitOutcome:
    """The outcome for one unit."""

    unit: PlacedUnit
    role: Role
    steps_lost: int = 0
    is_eliminated: bool = False
    states: frozenset[str] = frozenset()
    retreat: tuple[int, str] | None = None
    """How many hexes it retreats, and by which walk."""
    ahead: tuple[tuple[ResultRule, int], ...] = ()
    """The records by which it may advance, and how many hexes."""
    records: tuple[ResultRule, ...] = ()
    """The records behind the rest of the outcome, in order."""
    steps_instead: int = 0
    """The steps that it loses where it can't retreat."""
    retreat_paths: RetreatPaths | None = None
    """Its retreat paths; empty where it needn't retreat, or where units have no places."""
    is_stopped: bool = False
    """Whether it may move no farther."""

    @property
    def steps_left(self) -> int:
        """The steps that it has left after the battle itself."""
        return 0 if self.is_eliminated else max(0, self.unit.steps - self.steps_lost)

    @property
    def is_lost(self) -> bool:
        """Whether it is certainly eliminated, its retreat included."""
        return not self.steps_left or self.chance_gone == 1

    @property
    def no_way(self) -> bool:
        """Whether it must retreat, can't, and is eliminated for that."""
        return (
            bool(self.steps_left)
            and self.retreat_paths is not None
            and self.retreat_paths.fate is None
            and self.chance_gone == 1
        )

    @property
    def chance_gone(self) -> Fraction:
        """The chance that it is eliminated: by the result, by a record of its retreat, or because there is no path."""
        retreat_result = self.retreat_paths
        if not self.steps_left:
            return Fraction(1)
        if retreat_result is None or retreat_result.choice is not None:
            return Fraction(0)
        return (
            retreat_result.chance_of_loss
            if retreat_result.fate is not None or retreat_result.no_way is None or retreat_result.no_way.lose == "all"
            else Fraction(0)
        )

    @property
    def stays(self) -> bool:
        """Whether it may stay where it fought though it should retreat."""
        return self.retreat_paths is not None and self.retreat_paths.stays

    @property
    def leaves(self) -> bool:
        """Whether it leaves the place where it fought; a unit that may do either stays."""
        return not self.steps_left or (self.retreat is not None and not self.stays)

    @property
    def steps(self) -> Fraction | int:
        """The total steps that it loses with the best retreat; an average where dice decide the length."""
        unit_steps, retreat_result = self.unit.steps, self.retreat_paths
        if not self.steps_left or retreat_result is None:
            return unit_steps if not self.steps_left else self.steps_lost
        harm = 0
        if retreat_result.walk.harm == "steps" and retreat_result.fate is None:
            harm = min((way.harm for ways in retreat_result.ways.values() for way in ways), default=0)
            if not any(retreat_result.ways.values()) and retreat_result.no_way is not None:
                harm = int(retreat_result.no_way.lose) if retreat_result.no_way.lose.isdecimal() else 0
        loss_chance = self.chance_gone
        steps_lost = min(unit_steps, self.steps_lost + harm)
        return (
            steps_lost
            if not loss_chance
            else unit_steps
            if loss_chance == 1
            else steps_lost + loss_chance * (unit_steps - steps_lost)
        )


class ResultChoice(NamedTuple):
    """A record that leaves a choice, the side that chooses, and the units as strong as those chosen here."""

    record: ResultRule
    chooser: str
    equals: tuple[PlacedUnit, ...] = ()
    most: int = 0
    """For an advance, how many units may go; a choice only where more could."""


@dataclass(frozen=True, eq=False)
class GroupOutcome:
    """What a result does to one group. `crowded`: some place of its retreat lacks room for all. `sure`: no plan is
    better."""

    fates: tuple[UnitOutcome, ...]
    choices: tuple[ResultChoice, ...] = ()
    is_crowded: bool = False
    sure: bool = True

    @cached_property
    def steps(self) -> Fraction | int:
        """The steps that it loses."""
        return sum(fate.steps for fate in self.fates)

    @cached_property
    def leaves(self) -> bool:
        """Whether all of it leaves the place where it fought."""
        return all(fate.leaves for fate in self.fates)

    @cached_property
    def going(self) -> tuple[UnitOutcome, ...]:
        """The units that must retreat."""
        return tuple([fate for fate in self.fates if fate.retreat and fate.steps_left])


@dataclass(frozen=True, eq=False)
class Fight:
    """A battle whose results are computed. Without `targets` units have no places, and there are no paths."""

    field: Field
    attack: str
    targets: tuple[int, ...]
    attackers: tuple[PlacedUnit, ...]
    defenders: tuple[PlacedUnit, ...]
    inputs: Mapping[str, Any]
    """The inputs of the battle, and the values that the attack computes for it."""
    worth: Mapping[PlacedUnit, Fraction]
    """The strength of each unit in it."""
    states: Mapping[PlacedUnit, frozenset[str]] = dataclasses.field(default_factory=dict)
    """The states of units that differ from the field in this question."""
    preferred: frozenset[PlacedUnit] = frozenset()
    """The units that their owner chooses among equally strong ones."""

    def units_of(self, role: Role) -> tuple[PlacedUnit, ...]:
        """Return one group."""
        return self.attackers if role == "attacker" else self.defenders


@dataclass(frozen=True, eq=False)
class Consequence:
    """What a result does."""

    code: str
    chance: Fraction
    attackers: GroupOutcome
    defenders: GroupOutcome
    fight: Fight
    find_advances: Callable[[Fight, UnitOutcome, GroupOutcome, GroupOutcome], tuple[int, ...]]
    """Where a unit may advance to: what becomes of its group and of the other group decides it."""

    @property
    def fates(self) -> tuple[UnitOutcome, ...]:
        """The outcomes of all units."""
        return (*self.attackers.fates, *self.defenders.fates)

    @property
    def falls(self) -> bool:
        """Whether no defender is left in the places attacked."""
        return bool(self.fight.defenders) and self.defenders.leaves

    @property
    def place_taken(self) -> bool:
        """Whether no defender is left and an attacker may advance; where units have places, into a contested one."""
        if not self.falls or self.attackers.going:
            return False
        may_advance = self.advances if self.fight.targets else lambda outcome: outcome.steps_left and outcome.ahead
        return any(may_advance(fate) for fate in self.attackers.fates)

    @property
    def choices(self) -> tuple[ResultChoice, ...]:
        """The choices that the result leaves."""
        all_choices = (*self.attackers.choices, *self.defenders.choices)
        return tuple(
            [choice for choice in all_choices if not choice.record.advance or choice.most < self._able(choice.record)]
        )

    def _able(self, record: ResultRule) -> int:
        """Return how many units may advance by a record."""
        return sum(
            any(advance_record is record for advance_record, _ in fate.ahead) and bool(self.advances(fate))
            for fate in self.fates
        )

    def share_of(self, role: Role) -> GroupOutcome:
        """Return the outcome of one group."""
        return self.attackers if role == "attacker" else self.defenders

    def steps(self, role: Role) -> Fraction | int:
        """Return the steps that a group loses."""
        return self.share_of(role).steps

    def advances(self, fate: UnitOutcome) -> tuple[int, ...]:
        """Where a unit may advance to: into the places fought for, if it can."""
        return self.find_advances(
            self.fight, fate, self.share_of(fate.role), self.share_of(ROLES[fate.role == "attacker"])
        )


def rules_of(fates: Iterable[UnitOutcome]) -> str:
    """Return the sections of the rulebook whose records decide these outcomes."""
    records = (
        record for fate in fates for record in (*fate.records, *(advance_record for advance_record, _ in fate.ahead))
    )
    return ", ".join(dict.fromkeys(part for record in records for part in record.rule.split(", ") if part))


def is_of_battle(record: ResultRule) -> bool:
    """Whether a record does something to a side of a single battle; counters and boxes belong to procedures."""
    return record.to in ("attackers", "defenders") and not record.change and not record.send


def records_of(rules: Rules, effects: Mapping[str, str]) -> Iterator[tuple[ResultRule, int]]:
    """Yield the records that the effects of a result call for, in their order, each with the number of its effect."""
    for name, outcomes in rules.results.items():
        if name in effects or name == ALWAYS:
            for outcome in filter(is_of_battle, outcomes):
                yield outcome, number_of(effects.get(name, "0"))


def records_for(
    game: Game, attack: str, code: str, unit: Mapping[str, Any], inputs: Mapping[str, Any]
) -> Iterator[ResultRule]:
    """Yield the records that a result applies to one defender of which only the fields are known (it may be a
    marker). They stop when it is eliminated. `inputs` are the attack's inputs and computed values."""
    program, results = program_of(game), game.tables[game.attacks[attack].table].results
    effects = results[code].effects if code in results else {}
    for name, records in program.rules.results.items():
        if name not in effects and name != ALWAYS:
            continue
        text = effects.get(name, "0")
        values = {
            **unit,
            "code": code,
            "role": "defender",
            "result": number_of(text),
            "result_text": text,
            "battle.attack": attack,
        }
        for record in records:
            names = (
                battle_name
                for battle_name in program.names(record.when)
                if battle_name.startswith("battle.") and battle_name not in values
            )
            values |= {battle_name: inputs.get(battle_name[7:], False) for battle_name in names}
            if record.to == "defenders" and (
                record.when is None or record.when.work(values, program.lookup, None) is True
            ):
                yield record
                if record.eliminate:
                    return


def results_table(game: Game, attack: str) -> RowTable:
    """Return what each result of an attack does by the rules, for battles whose units fire one by one."""
    program, rows = program_of(game), list[dict[str, Cell]]()

    def fits(record: ResultRule, number: int, code: str) -> bool:
        """Whether a record may hold after this result; its other conditions depend on the battle."""
        values: dict[str, Any] = {"result": number, "code": code, "battle.attack": attack}
        return record.when is None or all(
            evaluate(part, values, program.lookup) is True
            for part in conjuncts(record.when.expression)
            if program.names_of(part) <= values.keys()
        )

    for code, result in game.tables[game.attacks[attack].table].results.items():
        records = [record for record, number in records_of(program.rules, result.effects) if fits(record, number, code)]
        if records:
            rules = ", ".join(dict.fromkeys(part for record in records for part in record.rule.split(", ") if part))
            does: list[Cell] = [{"text": record.text, "rule": record.rule} for record in records]
            rows.append({"result": code, "meaning": result.meaning, "does": does, "rule": rules})
    return RowTable(
        "results",
        [
            TableColumn("result", "result"),
            TableColumn("meaning", "effects"),
            TableColumn("rule", "rule"),
            TableColumn("does"),
        ],
        rows,
    )


def number_of(text: str) -> int:
    """Return the number of an effect: 99 for `all`, 0 for a word."""
    return ALL_STEPS if text == "all" else int(text) if text.lstrip("-").isdecimal() else 0

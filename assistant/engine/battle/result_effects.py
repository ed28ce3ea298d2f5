"""Battle results applied to a field.

The results of one battle have much in common, and so have battles that differ in one unit. So the outcome of a group
is computed once for each part of a result that concerns it. Retreat paths are computed once for each field that the
losses leave.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from assistant.attack import Odds
from assistant.engine.battle.battle import Battle
from assistant.engine.battle.results import (
    ALWAYS,
    ROLES,
    Consequence,
    Fight,
    GroupOutcome,
    ResultChoice,
    Role,
    UnitOutcome,
    is_of_battle,
    number_of,
)
from assistant.engine.field import Field
from assistant.engine.movement.reach import reach, walk_named
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.retreat.joint_retreat import JointRetreat, retreat_together
from assistant.engine.retreat.paths import RetreatPaths, retreat
from assistant.engine.scope import Scope
from assistant.engine.zones import zones_of
from scenarios.model.attack_inputs import Formula
from scenarios.model.memo import cached_on
from scenarios.rules.shapes import ResultRule, Retreat

MOST_CHOSEN = 14
"""For an exchange among more units than this, the cheapest units are taken one by one."""
CHANGING = ("code", "result", "result_text", "steps_lost")
"""Names that differ between the results of a battle."""
SHARED_NAMES = ("code", "result", "result_text")
"""Names that are the same for all units."""
GROUPS = frozenset({"attackers", "defenders"})


class _AffectedUnit:
    """A unit while the records are applied."""

    __slots__ = (
        "ahead",
        "is_eliminated",
        "is_stopped",
        "records",
        "retreat",
        "role",
        "states",
        "steps",
        "steps_instead",
        "steps_lost",
        "unit",
    )

    def __init__(self, unit: PlacedUnit, role: Role, states: frozenset[str]) -> None:
        self.unit, self.role, self.states, self.steps = unit, role, states, unit.steps
        self.steps_lost, self.is_eliminated, self.steps_instead, self.is_stopped = 0, False, 0, False
        self.retreat: tuple[int, str] | None = None
        self.ahead: list[tuple[ResultRule, int]] = []
        self.records: list[ResultRule] = []

    @property
    def steps_left(self) -> int:
        return 0 if self.is_eliminated or self.steps_lost >= self.steps else self.steps - self.steps_lost

    def key(self) -> tuple[Any, ...]:
        """Return its outcome so far as a key."""
        ahead = tuple([(id(record), hexes) for record, hexes in self.ahead])
        return (
            self.steps_lost,
            self.is_eliminated,
            self.retreat,
            self.steps_instead,
            self.is_stopped,
            ahead,
            tuple(map(id, self.records)),
        )

    def fate(self) -> UnitOutcome:
        return UnitOutcome(
            self.unit,
            self.role,
            self.steps_lost,
            self.is_eliminated,
            self.states,
            self.retreat,
            tuple(self.ahead),
            tuple(self.records),
            self.steps_instead,
            is_stopped=self.is_stopped,
        )


class _PreparedRecord:
    """A prepared record: what its condition and its amount ask."""

    def __init__(self, field: Field, record: ResultRule) -> None:
        self.record = record
        names = field.program.names
        self.condition_names, self.choice_names = names(record.when), names(record.by) | names(record.first)
        effects = (record.lose, record.retreat, record.exchange, record.hexes, record.count, record.instead)
        self.uses = self.condition_names | self.choice_names | frozenset[str]().union(*map(names, effects))
        self.is_independent = record.exchange is None and not self.uses & GROUPS
        """Whether it asks nothing of the other group."""
        self.role: Role = "attacker" if record.to == "attackers" else "defender"
        self.changing = tuple(
            name for name in self.condition_names | self.choice_names if name in CHANGING or name.startswith("battle.")
        )
        """What its condition and amount ask of the result and the battle."""


class _ResultPart(NamedTuple):
    """A result as far as records depend on it: each effect with its text and records, and the part that concerns
    each group."""

    effects: tuple[tuple[str, tuple[_PreparedRecord, ...]], ...]
    is_independent: bool
    """Whether the outcome of one group is independent of the other."""
    names_by_role: Mapping[Role, tuple[str, ...]]


FieldAfter = tuple[frozenset[PlacedUnit], tuple[tuple[PlacedUnit, int, frozenset[str]], ...]]
"""The units removed, and the units changed."""


class Outcomes:
    """The effects of results on one field. It caches what it computes."""

    def __init__(self, field: Field) -> None:
        self.field = field
        rules = field.program.rules
        self.records = {
            name: tuple(_PreparedRecord(field, record) for record in records if is_of_battle(record))
            for name, records in rules.results.items()
        }
        all_records = [result_record for records in self.records.values() for result_record in records]
        self.battle_names = sorted(
            {name for result_record in all_records for name in result_record.uses if name.startswith("battle.")}
        )
        self.worth = any(
            (result_record.record.who != "each" or result_record.record.count is not None)
            and result_record.record.by is None
            for result_record in all_records
        )
        rule_names = {name.partition(".")[2] for name in field.program.all_names}
        self.groups_asked = any(name in ("friends", "enemies") or name.endswith("_units") for name in rule_names)
        program = field.program
        self.asked_back = program.going_back & frozenset(field.game.states)
        self._joints: dict[tuple[FieldAfter, tuple[PlacedUnit, ...], int, str], JointRetreat] = {}
        self._holds: dict[Any, bool] = {}
        self._strengths: dict[Any, tuple[Any, bool]] = {}
        self._parts: dict[tuple[str, str], _ResultPart] = {}
        self._shares: dict[Any, GroupOutcome] = {}
        self._share_memo: dict[Any, GroupOutcome] = {}
        self._backs: dict[Any, GroupOutcome] = {}
        self._lone: dict[tuple[Field, PlacedUnit, int, str], RetreatPaths] = {}
        self._fields: dict[FieldAfter, Field] = {}
        self._standings: dict[tuple[PlacedUnit, int, frozenset[str]], PlacedUnit] = {}
        self._advances: dict[Any, tuple[int, ...]] = {}

    def consequences(
        self, fight: Fight, chances: Mapping[str, Fraction], *, one_by_one: bool = False
    ) -> tuple[Consequence, ...]:
        """Return what each possible result does. `one_by_one`: units that share no room are treated separately,
        whichever unit makes room for them, and no unit advances. That is enough to know the losses and whether
        the place falls."""
        battle_values = self._battle_values(fight)
        consequences = []
        for code, chance in chances.items():
            if chance:
                attackers, defenders = self._result(fight, code, battle_values, one_by_one)
                consequences.append(Consequence(code, chance, attackers, defenders, fight, self.advances))
        return tuple(consequences)

    def _battle_values(self, fight: Fight) -> dict[str, Any]:
        """Return what records ask of the battle; a name is empty where this attack doesn't have it."""
        return {
            name: fight.attack if name == "battle.attack" else fight.inputs.get(name[7:], False)
            for name in self.battle_names
        }

    def _part(self, attack: str, code: str) -> _ResultPart:
        """Return what records say of a result."""
        if (attack, code) not in self._parts:
            results = self.field.game.tables[self.field.game.attacks[attack].table].results
            effects = results[code].effects if code in results else {}
            effect_rows = [
                (name, effects.get(name, "0"), records)
                for name, records in self.records.items()
                if name in effects or name == ALWAYS
            ]
            all_records = [result_record for _, _, records in effect_rows for result_record in records]
            code_names = [code] * any("code" in result_record.uses for result_record in all_records)
            concerns: dict[Role, tuple[str, ...]] = {
                role: (
                    *code_names,
                    *(
                        f"{name} {text}"
                        for name, text, records in effect_rows
                        if any(result_record.role == role for result_record in records)
                    ),
                )
                for role in ROLES
            }
            effect_records = tuple((text, records) for _, text, records in effect_rows)
            self._parts[attack, code] = _ResultPart(
                effect_records, all(result_record.is_independent for result_record in all_records), concerns
            )
        return self._parts[attack, code]

    def _result(
        self, fight: Fight, code: str, battle_values: Mapping[str, Any], one_by_one: bool
    ) -> tuple[GroupOutcome, GroupOutcome]:
        """Apply losses first, on both sides; then the defenders retreat, then the attackers, each group after its
        losses."""
        part = self._part(fight.attack, code)
        if part.is_independent:
            attackers, defenders = (self._share(fight, role, code, part, battle_values, one_by_one) for role in ROLES)
        else:
            attackers, defenders = self._suffer(fight, ROLES, code, part, battle_values, one_by_one)
        defenders = self._go_back(fight, defenders, attackers, one_by_one)
        return self._go_back(fight, attackers, defenders, one_by_one), defenders

    # Losses.

    def _share(
        self, fight: Fight, role: Role, code: str, part: _ResultPart, battle_values: Mapping[str, Any], one_by_one: bool
    ) -> GroupOutcome:
        """Return the outcome of a group before any retreat, by the part of a result that concerns it."""
        units = fight.units_of(role)
        worth = tuple([fight.worth.get(unit) for unit in units]) if self.worth else ()
        states = tuple([fight.states.get(unit) for unit in units]) if fight.states else ()
        values = tuple(battle_values.values())
        key = part.names_by_role[role], units, fight.targets, values, worth, states, one_by_one, fight.preferred
        if key not in self._shares:
            (self._shares[key],) = self._suffer(fight, (role,), code, part, battle_values, one_by_one)
        return self._shares[key]

    def _suffer(
        self,
        fight: Fight,
        roles: Sequence[Role],
        code: str,
        part: _ResultPart,
        battle_values: Mapping[str, Any],
        one_by_one: bool,
    ) -> list[GroupOutcome]:
        units = {
            role: [
                _AffectedUnit(unit, role, fight.states.get(unit, unit.piece.states)) for unit in fight.units_of(role)
            ]
            for role in roles
        }
        choices: dict[Role, list[ResultChoice]] = {role: [] for role in roles}
        picked_units: dict[Role, list[_AffectedUnit]] = {}
        for text, records in part.effects:
            asking = RecordEvaluation(
                self,
                fight,
                units,
                {"code": code, "result": number_of(text), "result_text": text, **battle_values},
                picked_units,
            )
            for result_record in records:
                if result_record.role in units and not (one_by_one and result_record.record.advance):
                    self._carry_out(result_record, asking, choices[result_record.role])
        return [self._shared_share(units[role], choices[role]) for role in roles]

    def _shared_share(self, units: Sequence[_AffectedUnit], choices: Sequence[ResultChoice]) -> GroupOutcome:
        """Return the outcome of a group; results with the same effect share one."""
        unit_keys = tuple([(n, *unit.key()) for n, unit in enumerate(units) if unit.records or unit.ahead])
        choice_keys = tuple([(id(choice.record), *choice[1:]) for choice in choices])
        key = tuple([unit.unit for unit in units]), tuple([unit.states for unit in units]), unit_keys, choice_keys
        if key not in self._share_memo:
            self._share_memo[key] = GroupOutcome(tuple([unit.fate() for unit in units]), tuple(choices))
        return self._share_memo[key]

    def _carry_out(self, result_record: _PreparedRecord, asking: RecordEvaluation, choices: list[ResultChoice]) -> None:
        record = result_record.record
        units = [
            unit for unit in asking.units[result_record.role] if unit.steps_left and asking.holds(result_record, unit)
        ]
        if record.advance and record.count is not None and units and result_record.role not in asking.chosen_roles:
            # The free places are known only later: all units are candidates, and their owner chooses among them.
            choices.append(ResultChoice(record, "owner", most=int(asking.value(record.count, units[0]))))
        elif record.count is not None and units:
            units = self._pick(result_record, units, asking, choices)
        if not units:
            return
        old_states = [
            (unit.steps_lost, unit.is_eliminated, unit.states, unit.is_stopped, unit.retreat) for unit in units
        ]
        if record.lose is not None:
            self._lose(result_record, units, asking, choices)
        elif record.eliminate:
            for unit in units:
                unit.is_eliminated = True
        elif record.exchange is not None:
            self._exchange(record, units, asking, choices)
        elif record.set or record.clear:
            for unit in units:
                unit.states = (unit.states | {record.set}) - {record.clear, ""}
        elif record.stop:
            for unit in units:
                unit.is_stopped = True
        elif record.retreat is not None:
            for unit, hexes in zip(units, asking.values(record.retreat, units), strict=True):
                unit.retreat = max(unit.retreat or (0, ""), (hexes, record.kind)) if hexes > 0 else unit.retreat
                unit.steps_instead = int(asking.value(record.instead, unit)) if record.instead is not None else 0
        else:
            hex_counts = asking.values(record.hexes, units) if record.hexes is not None else [1] * len(units)
            for unit, hexes in zip(units, hex_counts, strict=True):
                if hexes > 0:
                    unit.ahead.append((record, hexes))
        for unit, was in zip(units, old_states, strict=True):
            if (unit.steps_lost, unit.is_eliminated, unit.states, unit.is_stopped, unit.retreat) != was:
                unit.records.append(record)

    def _pick(
        self,
        result_record: _PreparedRecord,
        units: Sequence[_AffectedUnit],
        asking: RecordEvaluation,
        choices: list[ResultChoice],
    ) -> list[_AffectedUnit]:
        """Return so many of the units, chosen by their owner, who spares units, then strength; once for the whole
        result."""
        assert result_record.record.count is not None
        if result_record.role not in asking.chosen_roles:
            count = int(asking.value(result_record.record.count, units[0]))
            choices += [ResultChoice(result_record.record, "owner")] if 0 < count < len(units) else []
            order = sorted(units, key=lambda unit: _rank("owner", unit, *asking.strength(result_record, unit)))
            asking.chosen_roles[result_record.role] = order[:count]
        return [unit for unit in units if unit in asking.chosen_roles[result_record.role]]

    def _lose(
        self,
        result_record: _PreparedRecord,
        units: Sequence[_AffectedUnit],
        asking: RecordEvaluation,
        choices: list[ResultChoice],
    ) -> None:
        record = result_record.record
        assert record.lose is not None
        if record.who == "each":
            for unit, steps in zip(units, asking.values(record.lose, units), strict=True):
                unit.steps_lost += steps
            return
        due = steps = min(int(asking.value(record.lose, units[0])), sum(unit.steps_left for unit in units))
        strength = (
            {unit: asking.strength(result_record, unit) for unit in units} if len(units) > 1 else {units[0]: (0, False)}
        )
        if record.who in ("owner", "enemy") and 0 < steps < sum(unit.steps_left for unit in units) and len(units) > 1:
            choices.append(ResultChoice(record, record.who))
        if record.who == "in_turn":
            order = sorted(units, key=lambda unit: (-strength[unit][0], not strength[unit][1], unit.unit.key))
            while steps:
                for unit in [unit for unit in order if unit.steps_left][:steps]:
                    unit.steps_lost += 1
                    steps -= 1
            return
        hit: set[_AffectedUnit] = set()
        for _ in range(steps):
            preferred = asking.fight.preferred
            unit = min(
                (unit for unit in units if unit.steps_left),
                key=lambda unit: _rank(record.who, unit, strength[unit][0], strength[unit][1], unit.unit in preferred),
            )
            unit.steps_lost += 1
            hit.add(unit)
        if record.who in ("strongest", "weakest") and due:
            hit_strengths = {strength[unit][0] for unit in hit}
            equals = tuple(unit.unit for unit in units if unit not in hit and strength[unit][0] in hit_strengths)
            choices += [ResultChoice(record, "owner", equals)] if equals else []

    def _exchange(
        self, record: ResultRule, units: Sequence[_AffectedUnit], asking: RecordEvaluation, choices: list[ResultChoice]
    ) -> None:
        """Eliminate units worth at least the other group's losses, at the least cost."""
        formula = record.exchange
        assert formula is not None
        other_units = asking.units[ROLES[units[0].role == "attacker"]]
        owed = sum((Fraction(asking.value(formula, unit)) for unit in other_units if not unit.steps_left), Fraction(0))
        payment = _cheapest_payment([Fraction(asking.value(formula, unit)) for unit in units], owed)
        if 0 < len(payment) < len(units):
            choices.append(ResultChoice(record, "owner"))
        for n in payment:
            units[n].is_eliminated = True

    # Destinations.

    def _go_back(
        self, fight: Fight, own_share: GroupOutcome, other_share: GroupOutcome, one_by_one: bool
    ) -> GroupOutcome:
        """Return a group with the retreat paths of all units that must retreat."""
        if not fight.targets or not own_share.going:
            return own_share
        retreat_kinds = dict.fromkeys(fate.retreat for fate in own_share.going if fate.retreat is not None)
        walks = [walk_named(self.field.program.rules.retreat, kind, "retreat") for _, kind in retreat_kinds]
        is_joint = all(isinstance(walk, Retreat) and walk.together for walk in walks)
        one_by_one = one_by_one and all(
            isinstance(walk, Retreat) and not walk.together and walk.room != "must" for walk in walks
        )
        # Units that retreat together aren't friends on each other's paths.
        field_change = self._field_after(own_share, other_share, own_share.going if is_joint else ())
        key = own_share, field_change, one_by_one
        if key not in self._backs:
            field = self._field(field_change)
            backs: dict[UnitOutcome, RetreatPaths] = {}
            is_crowded, sure = False, True
            for hexes, kind in retreat_kinds:
                going = [fate for fate in own_share.going if fate.retreat == (hexes, kind)]
                if one_by_one:
                    backs |= {fate: self._retreat_alone(field, self._walker(fate), hexes, kind) for fate in going}
                    continue
                walkers = tuple([self._walker(fate) for fate in going])
                joint = self._joints.get((field_change, walkers, hexes, kind))
                if joint is None:
                    joint = self._joints[field_change, walkers, hexes, kind] = retreat_together(
                        field, walkers, hexes, kind
                    )
                backs.update(zip(going, joint.backs, strict=True))
                is_crowded, sure = is_crowded or joint.is_crowded, sure and joint.sure
            fates = tuple([_gone_back(fate, backs[fate]) if fate in backs else fate for fate in own_share.fates])
            self._backs[key] = GroupOutcome(fates, own_share.choices, is_crowded, sure)
        return self._backs[key]

    def _retreat_alone(self, field: Field, unit: PlacedUnit, hexes: int, kind: str) -> RetreatPaths:
        key = field, unit, hexes, kind
        if key not in self._lone:
            self._lone[key] = retreat(field, unit, hexes, kind)
        return self._lone[key]

    def _field_after(
        self, own_share: GroupOutcome, other_share: GroupOutcome, going: Collection[UnitOutcome]
    ) -> FieldAfter:
        """Return the field after the losses. An enemy that is only reduced matters where it lost a zone, or where
        records ask for it."""
        removed_units = []
        changed_units = []
        for share in (own_share, other_share):
            for fate in share.fates:
                if not fate.steps_left or (fate.retreat_paths is not None and fate.leaves) or fate in going:
                    removed_units.append(fate.unit)
                elif (fate.steps_lost or fate.states != fate.unit.piece.states) and (
                    share is own_share or self._matters(fate)
                ):
                    changed_units.append((fate.unit, fate.steps_lost, fate.states))
        return frozenset(removed_units), tuple(changed_units)

    def _matters(self, fate: UnitOutcome) -> bool:
        zones = zones_of(self.field)
        unit_after = self._standing(fate)
        return self.groups_asked or any(
            zones.has(name, fate.unit) != zones.has(name, unit_after) for name in self.field.program.rules.zones
        )

    def _field(self, field_change: FieldAfter) -> Field:
        if field_change not in self._fields:
            removed_units, changed_units = field_change
            new_units = [self._reduced_unit(*change) for change in changed_units]
            self._fields[field_change] = (
                self.field.with_changes([*removed_units, *(change[0] for change in changed_units)], new_units)
                if removed_units or changed_units
                else self.field
            )
        return self._fields[field_change]

    def _standing(self, fate: UnitOutcome) -> PlacedUnit:
        """Return a unit as the battle leaves it."""
        return self._reduced_unit(fate.unit, fate.steps_lost, fate.states)

    def _walker(self, fate: UnitOutcome) -> PlacedUnit:
        """Return a unit as it retreats. Of the states that changed it has only those that retreats ask for."""
        old_states = fate.unit.piece.states
        states = (
            fate.states
            if fate.states == old_states
            else (fate.states & self.asked_back) | (old_states - self.asked_back)
        )
        return self._reduced_unit(fate.unit, fate.steps_lost, states)

    def _reduced_unit(self, unit: PlacedUnit, lost_steps: int, states: frozenset[str]) -> PlacedUnit:
        key = unit, lost_steps, states
        if key not in self._standings:
            changed_unit = self.field.with_loss(unit, lost_steps)
            if states != unit.piece.states:
                changed_unit = self.field.as_if(changed_unit.piece._replace(states=states))
            self._standings[key] = changed_unit
        return self._standings[key]

    def advances(
        self, fight: Fight, fate: UnitOutcome, own_share: GroupOutcome, other_share: GroupOutcome
    ) -> tuple[int, ...]:
        """Return where a unit may advance to, if the other group has left its places."""
        if (
            not fate.ahead
            or not fate.steps_left
            or fate.retreat is not None
            or not other_share.leaves
            or not fight.targets
        ):
            return ()
        field_change = self._field_after(own_share, other_share, ())
        key = fate, field_change
        if key not in self._advances:
            field, places = self._field(field_change), list[int]()
            battle_places = fight.targets if fate.role == "attacker" else {unit.place for unit in fight.attackers}
            for record, hexes in fate.ahead:
                places += self._advance(field, self._standing(fate), record, hexes, battle_places)
            self._advances[key] = tuple(dict.fromkeys(places))
        return self._advances[key]

    def _advance(
        self, field: Field, unit: PlacedUnit, record: ResultRule, hexes: int, battle_places: Collection[int]
    ) -> list[int]:
        """Return where a unit may advance by a record: into the contested places and on from there."""
        advance_reach = reach(field, unit, record.kind, section="advance", result=hexes)
        if advance_reach.refusals:
            return []
        ends = [n for n in advance_reach.ends if n != unit.place]
        places_beyond = {n for n in ends if advance_reach.path(n)[1] in battle_places}
        may_go_on = hexes > 1 and "result" in field.program.walk_names(advance_reach.walk)
        for n in (n for n in battle_places if may_go_on and n in advance_reach.costs and n not in advance_reach.stops):
            advanced_unit = field.as_if(unit.piece._replace(at=field.map_index.places[n]))
            next_reach = reach(
                field.with_changes([unit]), advanced_unit, record.kind, section="advance", result=hexes - 1
            )
            places_beyond.update(next_reach.ends if not next_reach.refusals else ())
        return [
            *(n for n in ends if n in battle_places),
            *sorted(places_beyond.difference(battle_places, {unit.place})),
        ]


class RecordEvaluation:
    """What records ask of the units of a battle under one effect of a result."""

    def __init__(
        self,
        outcomes: Outcomes,
        fight: Fight,
        units: Mapping[Role, Sequence[_AffectedUnit]],
        extra_values: Mapping[str, Any],
        picked_units: dict[Role, list[_AffectedUnit]],
    ) -> None:
        """Prepare the evaluation. `picked_units` are the affected units, where a result affects only some of a
        group."""
        self.outcomes, self.fight, self.units, self.extra_values, self.chosen_roles = (
            outcomes,
            fight,
            units,
            extra_values,
            picked_units,
        )
        self._groups: dict[tuple[int, ...], dict[str, list[Any]]] = {}

    def holds(self, result_record: _PreparedRecord, unit: _AffectedUnit) -> bool:
        """Whether a record's condition holds for a unit; computed once for units with equal values."""
        if result_record.record.when is None:
            return True
        cache = self.outcomes._holds
        key = self._key(result_record, unit)
        if key is None:
            return self._field.holds_of(result_record.record.when, self._scope_of(unit, result_record.condition_names))
        if key not in cache:
            cache[key] = self._field.holds_of(
                result_record.record.when, self._scope_of(unit, result_record.condition_names)
            )
        return cache[key]

    def strength(self, result_record: _PreparedRecord, unit: _AffectedUnit) -> tuple[Any, bool]:
        """Return the value by which a unit is compared, and whether it comes before its equals."""
        record = result_record.record
        if record.by is None and record.first is None:
            return self.fight.worth.get(unit.unit, Fraction(0)), False
        cache, key = self.outcomes._strengths, self._key(result_record, unit)
        if key is None or key not in cache:
            scope = self._scope_of(unit, result_record.choice_names)
            measure = (
                self._field.value_of(record.by, scope)
                if record.by is not None
                else self.fight.worth.get(unit.unit, Fraction(0))
            )
            rank = measure, record.first is not None and self._field.holds_of(record.first, scope)
            if key is None or record.by is None:
                return rank
            cache[key] = rank
        return cache[key]

    def value(self, formula: Formula, unit: _AffectedUnit) -> Any:
        """Return the value of an expression for a unit."""
        return self._field.value_of(formula, self._scope_of(unit, self._field.program.names(formula)))

    def values(self, formula: Formula, units: Sequence[_AffectedUnit]) -> list[int]:
        """Return the values of an expression for some units; computed once where it is the same for all."""
        if all(name in SHARED_NAMES or name.startswith("battle.") for name in self._field.program.names(formula)):
            return [int(self.value(formula, units[0]))] * len(units)
        return [int(self.value(formula, unit)) for unit in units]

    @property
    def _field(self) -> Field:
        return self.fight.field

    def _key(self, result_record: _PreparedRecord, unit: _AffectedUnit) -> tuple[Any, ...] | None:
        """Return what the value depends on besides the unit and its place; None where it depends on other units."""
        if not result_record.is_independent:
            return None
        states = self.fight.states.get(unit.unit)
        if not result_record.changing:
            return result_record, unit.unit, self.fight.targets, states
        changing_values = tuple(
            [
                unit.steps_lost if name == "steps_lost" else self.extra_values.get(name)
                for name in result_record.changing
            ]
        )
        return result_record, unit.unit, self.fight.targets, states, changing_values

    def _scope_of(self, unit: _AffectedUnit, names: frozenset[str]) -> Scope:
        """Return the scope of some names for a unit."""
        field, targets = self._field, self.fight.targets
        placed_unit = self.outcomes._reduced_unit(
            unit.unit, 0, self.fight.states.get(unit.unit, unit.unit.piece.states)
        )
        adjacent_targets = [n for n in targets if field.map_index.distance(placed_unit.place, n) == 1]
        target = placed_unit.place if unit.role == "defender" or not targets else (*adjacent_targets, *targets)[0]
        extra_values = {**self.extra_values, "role": unit.role, "steps_lost": min(unit.steps_lost, placed_unit.steps)}
        if names & GROUPS:
            steps_left = tuple([member.steps_left for units in self.units.values() for member in units])
            if steps_left not in self._groups:
                unit_groups = self.units.items()
                self._groups[steps_left] = {
                    f"{role}s": [{**member.unit.fields, "steps": member.steps_left} for member in units]
                    for role, units in unit_groups
                }
            extra_values |= self._groups[steps_left]
        return field.scope(field.mover(placed_unit), {"from": placed_unit.place, "to": target}, extra_values)


def _gone_back(fate: UnitOutcome, retreat_result: RetreatPaths) -> UnitOutcome:
    """Return a unit with its retreat paths; or with losses instead, where it has no path and its record says so."""
    if fate.steps_instead and retreat_result.fate is None and not any(retreat_result.ways.values()):
        return replace(fate, steps_lost=fate.steps_lost + fate.steps_instead, retreat=None)
    return replace(fate, retreat_paths=retreat_result)


def _rank(chooser: str, unit: _AffectedUnit, strength: Any, first: bool, is_preferred: bool = False) -> tuple[Any, ...]:
    """Return the order in which units lose steps: an owner spares units, then strength; the enemy and `strongest`
    take the strongest. Of equally strong ones the preferred come first."""
    if chooser in ("enemy", "strongest", "weakest"):
        value = strength if chooser == "weakest" else -strength
        return value, not first, not is_preferred, unit.steps_left, unit.unit.key
    return unit.steps_left == 1, strength, not first, unit.unit.key


def _cheapest_payment(worth: Sequence[Fraction], owed: Fraction) -> tuple[int, ...]:
    """Return the cheapest set of units worth at least this much; all units where they aren't worth it."""
    if owed <= 0:
        return ()
    if sum(worth) <= owed:
        return tuple(range(len(worth)))
    if len(worth) > MOST_CHOSEN:
        payment, debt = [], owed
        for n in sorted(range(len(worth)), key=lambda n: -worth[n]):
            if debt > 0:
                payment.append(n)
                debt -= worth[n]
        return tuple(sorted(payment))
    sets: Iterable[tuple[int, ...]] = (
        combination for size in range(1, len(worth) + 1) for combination in combinations(range(len(worth)), size)
    )
    return min(
        (combination for combination in sets if sum(worth[n] for n in combination) >= owed),
        key=lambda c: (sum(worth[n] for n in c), len(c)),
    )


def consequences(
    battle: Battle,
    odds: Odds,
    *,
    one_by_one: bool = False,
    chances: Mapping[str, Fraction] | None = None,
    preferred: frozenset[PlacedUnit] = frozenset(),
) -> tuple[Consequence, ...]:
    """What each result that may be thrown does; `one_by_one` as in `Outcomes.consequences`, `chances` where they aren't
    those of the odds, `preferred` the units that their owner chooses among equally strong ones."""
    attack = battle.field.game.attacks[battle.attack]
    groups = ((attack.attackers, battle.attackers), (attack.defenders, battle.defenders))
    worth: dict[PlacedUnit, Fraction] = {}
    for key, units in groups:
        worth.update(zip(units, (unit.value for unit in odds.units if unit.group == key), strict=False))
    battle_values = {**battle.inputs, **odds.values}
    fight = Fight(
        battle.field,
        battle.attack,
        battle.targets,
        battle.attackers,
        battle.defenders,
        battle_values,
        worth,
        battle.states,
        preferred,
    )
    return cached_on(battle.field, Outcomes).consequences(
        fight, odds.chances if chances is None else chances, one_by_one=one_by_one
    )

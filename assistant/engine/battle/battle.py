"""A battle read from the field: the units on both sides, and what the map says about it.

An attack says of each input how it can be read (`read: terrain`, `hexside`, `distance` ...). An input that can't be
read must come from the player or has a default. The battle records which is which, so that an answer can say so.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from assistant.assumptions import assume_inputs
from assistant.attack import AttackValue, Fields, read_answer
from assistant.engine.field import Field
from assistant.engine.placed_units import Mover, PlacedUnit
from assistant.engine.question_field import asked_place, asked_units
from assistant.engine.sight.visibility import SightResult, has_sight, sights_of
from assistant.questions.answer import BadQuestion
from assistant.questions.references import UnitRef
from scenarios.model.attack_inputs import AttackInput, Formula, NearUnits, input_kind
from scenarios.model.attacks import Attack, GroupShape
from scenarios.model.hexes import Hex, direction, neighbours
from scenarios.reading.findings import suggest

ReadMethod = Literal["told", "read", "usual"]
OF_THE_SCENARIO = ("turn", "first_turn", "year", "effect")
"""Inputs that are read without a place."""
OF_A_PLACE = ("terrain", "markers", "units")
"""Inputs that are read from the places attacked. If there are several, each defender uses its own."""


@dataclass(frozen=True)
class InputReading:
    """An input of the battle and its source: the player, the map or the default."""

    name: str
    title: str
    value: AttackValue
    method: ReadMethod


@dataclass(frozen=True)
class BattleInputs:
    """The player's inputs to a battle: for the whole battle, for single attackers, and for the attack's other
    groups."""

    inputs: Fields
    details: Mapping[str, Mapping[str, str]]
    other_groups: Mapping[str, Sequence[Fields]]


@dataclass(frozen=True)
class Battle:
    """The attackers and defenders with their places, and all that the attack's formulas ask."""

    field: Field
    attack: str
    side: str
    """The attacking side."""
    targets: tuple[int, ...]
    """The places under attack."""
    attackers: tuple[PlacedUnit, ...]
    defenders: tuple[PlacedUnit, ...]
    groups: Mapping[str, Sequence[Fields]]
    inputs: Fields
    readings: tuple[InputReading, ...]
    inputs_read: BattleInputs
    states: Mapping[PlacedUnit, frozenset[str]] = dataclasses.field(default_factory=dict)
    """The states of units that differ from the field in this question."""
    memo: dict[Any, Any] = dataclasses.field(default_factory=dict, repr=False, compare=False)
    """A cache of what was read for single units, shared by battles of the same attack on the same places."""
    by_place: Mapping[int, Fields] = dataclasses.field(default_factory=dict)
    """What is read for each place attacked, by input, where the places differ."""

    @property
    def sources(self) -> tuple[int, ...]:
        """The places of the attackers."""
        return tuple(dict.fromkeys(unit.place for unit in self.attackers))


def read_battle(
    field: Field,
    key: str,
    question_inputs: Mapping[str, Any],
    other_groups: Mapping[str, Sequence[Fields]],
    inputs: Fields,
) -> Battle:
    """Read the battle at the places `at`: of the units in `from`, of the named units, or of all adjacent units.

    `other_groups` are the attack's other groups as the player gives them; `inputs` are the inputs to the battle.
    """
    attack = field.game.attacks[key]
    targets = tuple(dict.fromkeys(asked_place(field.map_index, place, "at") for place in question_inputs["at"]))
    if not targets:
        raise BadQuestion("name the attacked place: at=PLACE")
    sources = tuple(
        dict.fromkeys(asked_place(field.map_index, place, "from") for place in question_inputs.get("from", ()))
    )
    unit_refs: tuple[UnitRef, ...] = question_inputs.get(attack.attackers, ())
    chosen_units = asked_units(field, unit_refs) if unit_refs else []
    if (
        attack.defenders
        and not question_inputs.get(attack.defenders)
        and not any(field.by_place.get(n) for n in targets)
    ):
        raise _nobody(field, targets, "no unit is")
    side = _side(field, question_inputs, targets, sources, chosen_units)
    defenders = _defenders(field, attack, question_inputs, targets, side)
    may_be_empty = not attack.groups[attack.attackers].at_least
    attackers = (
        []
        if may_be_empty and not (sources or chosen_units)
        else _attackers(field, targets, sources, chosen_units, side)
    )
    return battle_of(
        field,
        key,
        side,
        targets,
        attackers,
        defenders,
        BattleInputs(inputs, _details(field, attack, unit_refs, chosen_units), other_groups),
    )


def battle_of(
    field: Field,
    key: str,
    side: str,
    targets: Sequence[int],
    attackers: Sequence[PlacedUnit],
    defenders: Sequence[PlacedUnit],
    battle_inputs: BattleInputs,
    cache: dict[Any, Any] | None = None,
) -> Battle:
    """Return a battle of these units, with what the map says about it."""
    attack = field.game.attacks[key]
    reader = InputReader(field, side, targets, attackers, {} if cache is None else cache)
    groups: dict[str, Sequence[Fields]] = dict(battle_inputs.other_groups)
    unit_readings: list[InputReading] = []
    for group, units in ((attack.attackers, attackers), (attack.defenders, defenders)):
        if group:
            groups[group] = [
                _fields(reader, attack, group, unit, battle_inputs.details.get(unit.key, {}), unit_readings)
                for unit in units
            ]
        if group and group == attack.attackers:
            unshielded_flags = [name for name, shape in attack.groups[group].inputs.items() if shape.unshielded]
            pairs = zip(units, groups[group], strict=True)
            reader.lookers = tuple(
                [unit for unit, fields in pairs if not any(fields[name] for name in unshielded_flags)]
            )
    readings = [reader.reading(name, shape, battle_inputs.inputs, None) for name, shape in attack.inputs.items()]
    inputs = {reading.name: reading.value for reading in readings}
    by_place = _by_place(reader, attack, battle_inputs) if attack.defenders and len(targets) > 1 else {}
    if by_place:
        pairs = zip(defenders, groups[attack.defenders], strict=True)
        groups[attack.defenders] = [{**fields, **by_place.get(unit.place, {})} for unit, fields in pairs]
    usual = {reading.name: reading for reading in unit_readings if reading.method == "usual"}
    all_readings = (*readings, *usual.values())
    sides = tuple(attackers), tuple(defenders)
    return Battle(
        field,
        key,
        side,
        tuple(targets),
        *sides,
        groups,
        inputs,
        all_readings,
        battle_inputs,
        memo=reader.memo,
        by_place=by_place,
    )


def _by_place(reader: InputReader, attack: Attack, battle_inputs: BattleInputs) -> dict[int, dict[str, AttackValue]]:
    """Return what is read for each place attacked, by input. It leaves out what is the same in all places or comes
    from the player."""
    values_by_place: dict[int, dict[str, AttackValue]] = {n: {} for n in reader.targets}
    for name, shape in attack.inputs.items():
        if name in battle_inputs.inputs or shape.read not in OF_A_PLACE or shape.at == "attackers":
            continue
        values = {n: reader.at_place(n).reading(name, shape, battle_inputs.inputs, None).value for n in reader.targets}
        if len(set(values.values())) > 1:
            for n, value in values.items():
                values_by_place[n][name] = value
    return values_by_place if any(values_by_place.values()) else {}


def scenario_inputs(field: Field, key: str, side: str) -> dict[str, AttackValue]:
    """Return the inputs of a side's attack that are the same everywhere: the turn, the year, effects in force."""
    reader = InputReader(field, side, (0,), (), {})
    shapes = {name: shape for name, shape in field.game.attacks[key].inputs.items() if shape.read in OF_THE_SCENARIO}
    values = {name: reader.value(shape, None) for name, shape in shapes.items()}
    return {name: value for name, value in values.items() if value is not None}


def assume_readings(inputs: Mapping[str, Any], battle: Battle) -> None:
    """Record the inputs of a battle that neither the player nor the map gives."""
    attack = battle.field.game.attacks[battle.attack]
    shapes = {name: shape for group in attack.groups.values() for name, shape in group.inputs.items()} | dict(
        attack.inputs
    )
    usual = {reading.name for reading in battle.readings if reading.method == "usual"}
    assume_inputs(inputs, shapes, shapes.keys() - usual)


def by_others(battle: Battle, attackers: Sequence[PlacedUnit]) -> Battle:
    """Return the same attack by other units of its side; in words, by some of those that were named."""
    if not battle.targets:
        group = battle.field.game.attacks[battle.attack].attackers
        fields = dict(zip(battle.attackers, battle.groups[group], strict=True))
        groups = {**battle.groups, group: [fields[unit] for unit in attackers]}
        return replace(battle, attackers=tuple(attackers), groups=groups)
    targets, battle_inputs = battle.targets, battle.inputs_read
    return battle_of(
        battle.field, battle.attack, battle.side, targets, attackers, battle.defenders, battle_inputs, battle.memo
    )


def with_inputs(battle: Battle, **overrides: AttackValue) -> Battle:
    """Return the same attack with other inputs."""
    groups = {
        group: [{name: value for name, value in fields.items() if name not in overrides} for fields in units]
        if any(overrides.keys() & values.keys() for values in battle.by_place.values())
        else units
        for group, units in battle.groups.items()
    }
    inputs, all_told = (
        {**battle.inputs, **overrides},
        replace(battle.inputs_read, inputs={**battle.inputs_read.inputs, **overrides}),
    )
    return replace(battle, groups=groups, inputs=inputs, inputs_read=all_told)


def _side(
    field: Field,
    inputs: Mapping[str, Any],
    targets: Sequence[int],
    sources: Sequence[int],
    chosen_units: Sequence[PlacedUnit],
) -> str:
    """Return the attacking side: as the player says, else that of the named units, else the enemy of the side in the
    place attacked."""
    if inputs.get("side"):
        return str(inputs["side"])
    if chosen_units:
        return chosen_units[0].side
    defending_sides = {unit.side for n in targets for unit in field.by_place.get(n, ())}
    source_sides = {unit.side for n in sources for unit in field.by_place.get(n, ())}
    attacking_sides = (source_sides or set(field.sides)) - defending_sides
    if len(attacking_sides) != 1:
        raise BadQuestion(f"choose the attacking side: side={next(iter(field.sides))}")
    return attacking_sides.pop()


def _defenders(
    field: Field, attack: Attack, inputs: Mapping[str, Any], targets: Sequence[int], side: str
) -> list[PlacedUnit]:
    defenders = [unit for n in targets for unit in field.by_place.get(n, ()) if unit.side != side]
    if attack.defenders and inputs.get(attack.defenders):
        return asked_units(field, inputs[attack.defenders])
    if attack.defenders and not defenders:
        raise _nobody(field, targets, f"only {_side_name(field, side)} units are")
    return defenders


def _nobody(field: Field, targets: Sequence[int], subject: str) -> BadQuestion:
    place_names = [field.map_index.title(n) for n in targets]
    return BadQuestion(
        f"{subject} in {' or '.join(place_names)}, so there is nothing to attack; to add a unit there, write put=UNIT@{place_names[0]}"
    )


def _attackers(
    field: Field, targets: Sequence[int], sources: Sequence[int], chosen_units: Sequence[PlacedUnit], side: str
) -> list[PlacedUnit]:
    map_index = field.map_index
    if chosen_units:
        strange = next((unit for unit in chosen_units if sources and unit.place not in sources), None)
        if strange is not None:
            raise BadQuestion(
                f"{strange.name} stands in {map_index.title(strange.place)}, which isn't in `from`; add that place"
            )
        return list(chosen_units)
    if sources:
        for n in sources:
            if not any(unit.side == side for unit in field.by_place.get(n, ())):
                raise BadQuestion(
                    f"no {_side_name(field, side)} unit stands in {map_index.title(n)}; {_who_is_near(field, targets, side)}"
                )
        return [unit for n in sources for unit in field.by_place[n] if unit.side == side]
    adjacent_units = [
        s for s in field.placed_units if s.side == side and any(map_index.distance(s.place, n) == 1 for n in targets)
    ]
    if not adjacent_units:
        target_names = " or ".join(map_index.title(n) for n in targets)
        raise BadQuestion(
            f"no {_side_name(field, side)} unit is adjacent to {target_names}; name the attacking places, "
            "from=PLACE, or add a unit, put=UNIT@PLACE"
        )
    return adjacent_units


def _who_is_near(field: Field, targets: Sequence[int], side: str) -> str:
    map_index = field.map_index
    adjacent_places = dict.fromkeys(
        s.place
        for s in field.placed_units
        if s.side == side and any(map_index.distance(s.place, n) == 1 for n in targets)
    )
    return (
        f"adjacent to the target they stand in {', '.join(map_index.title(n) for n in adjacent_places)}"
        if adjacent_places
        else "none of them is adjacent to the target"
    )


def _side_name(field: Field, side: str) -> str:
    sides = field.game.sides_in(field.scenario) if field.scenario else field.game.sides
    return sides[side].name if side in sides else side


def _details(
    field: Field, attack: Attack, unit_refs: Iterable[UnitRef], chosen_units: Sequence[PlacedUnit]
) -> dict[str, Mapping[str, str]]:
    """Return the inputs for single attackers, by unit."""
    waiting, details_by_unit = list(chosen_units), {}
    shapes = attack.groups[attack.attackers].inputs
    for unit_ref in unit_refs:
        if strange := next((name for name in unit_ref.details if name not in shapes), None):
            raise BadQuestion(f"{attack.attackers} has no input {strange!r}; {suggest(strange, shapes)}")
        for _ in range(unit_ref.count):
            details_by_unit[waiting.pop(0).key] = unit_ref.details
    return details_by_unit


def _fields(
    reader: InputReader,
    attack: Attack,
    group: str,
    unit: PlacedUnit,
    inputs: Mapping[str, str],
    readings: list[InputReading],
) -> dict[str, Any]:
    """Return a unit as the attack's formulas see it."""
    key = group, unit, tuple(inputs.items()), reader.lookers if _asks_lookers(attack.groups[group]) else ()
    if key not in reader.memo:
        fields: dict[str, Any] = {**unit.fields, "name": unit.name}
        read = []
        for name, shape in attack.groups[group].inputs.items():
            unit_inputs = {name: read_answer(reader.field.game, name, shape, inputs[name])} if name in inputs else {}
            read.append(reader.reading(name, shape, unit_inputs, unit))
            fields[name] = read[-1].value
        reader.memo[key] = fields, read
    fields, read = reader.memo[key]
    readings += read
    return fields


def _asks_lookers(group: GroupShape) -> bool:
    """Whether what is read of a group's units depends on who observes them."""
    return any(shape.read == "shielded" for shape in group.inputs.values())


class InputReader:
    """Reads inputs from the field."""

    def __init__(
        self, field: Field, side: str, targets: Sequence[int], attackers: Sequence[PlacedUnit], cache: dict[Any, Any]
    ) -> None:
        self.field, self.side, self.targets, self.attackers, self.memo = field, side, targets, attackers, cache
        self.lookers = tuple(attackers)
        """The attackers from whom something can shield the targets."""

    def at_place(self, n: int) -> InputReader:
        """Return a reader for one of the places attacked."""
        return InputReader(self.field, self.side, (n,), self.attackers, self.memo)

    def reading(self, name: str, shape: AttackInput, inputs: Fields, unit: PlacedUnit | None) -> InputReading:
        """Return an input of the battle or of one unit, with its source."""
        if name in inputs:
            return InputReading(name, shape.title, inputs[name], "told")
        value = self.value(shape, unit)
        if value is not None:
            return InputReading(name, shape.title, value, "read")
        if shape.usual is None:
            prefix = f"{unit.name}: " if unit is not None else ""
            raise BadQuestion(f"{prefix}the map doesn't show {name} ({shape.title}); add {name}=VALUE")
        return InputReading(name, shape.title, shape.usual, "usual")

    def value(self, shape: AttackInput, unit: PlacedUnit | None) -> AttackValue | None:
        """Return what the field says of an input; None where it says nothing."""
        if shape.read == "angle" and shape.degrees is not None:
            is_so = shape.by_rules is None or self._by_rules(shape, shape.by_rules, unit) is True
            return is_so and self._angle(shape.degrees)
        return self._read(shape, unit) if shape.by_rules is None else self._by_rules(shape, shape.by_rules, unit)

    def _read(self, shape: AttackInput, unit: PlacedUnit | None) -> AttackValue | None:
        field = self.field
        match shape.read:
            case "terrain":
                return self._terrain(shape, unit)
            case "markers":
                return self._markers(shape, unit)
            case "units" if shape.units is not None:
                return self._units(shape, shape.units, unit)
            case "distance":
                return Fraction(
                    min(self._distance(attacker, n) for attacker in self._units_of(unit) for n in self.targets)
                )
            case "adjacent":
                return any(self._distance(attacker, n) == 1 for attacker in self._units_of(unit) for n in self.targets)
            case "hexes":
                return Fraction(len({attacker.place for attacker in self.attackers}))
            case "hexside":
                return self._hexside(shape, unit)
            case "turn":
                return Fraction(field.position.turn)
            case "first_turn":
                return field.position.turn == (
                    field.scenario.turns.first if field.scenario and field.scenario.turns else 1
                )
            case "year":
                return Fraction(field.scenario.year) if field.scenario and field.scenario.year is not None else None
            case "effect":
                effects = field.in_force(shape.effect)
                if shape.kind == "flag":
                    return bool(effects)
                return next((Fraction(effect.value) for effect in effects if effect.value), shape.usual)
            case "sight" if has_sight(field):
                return all(
                    any(self._look(attacker, n).clear for n in self.targets) for attacker in self._units_of(unit)
                )
            case "shielded" if has_sight(field):
                return any(self._look(observer, n).shields for observer in self.lookers for n in self.targets)
            case "nation":
                return str(unit.fields["nation"]) if unit is not None else None
            case _:
                return None

    def _by_rules(self, shape: AttackInput, formula: Formula, unit: PlacedUnit | None) -> AttackValue:
        """Return the value of an expression of the rules for the unit or the attackers."""
        attackers: Sequence[PlacedUnit | None] = self._units_of(unit) or [None]
        if shape.kind == "flag":
            return all(self._evaluate(formula, attacker, n) is True for attacker in attackers for n in self.targets)
        value = self._evaluate(formula, attackers[0], self.targets[0])
        return Fraction(value) if shape.kind == "number" else str(value)

    def _evaluate(self, formula: Formula, unit: PlacedUnit | None, n: int) -> Any:
        """Return the value for one unit; without attackers (with aircraft only, for example) for any unit of that
        side."""
        field = self.field
        # Where it asks nothing of a unit but its side, all units in a place get the same answer.
        anybody = unit is not None and all("." in name or name == "side" for name in field.program.names(formula))
        key = id(formula), unit.place if anybody and unit is not None else unit, n
        if key not in self.memo:
            mover = (
                field.mover(unit)
                if unit is not None
                else Mover(self.side, {**field.unknown_unit.fields, "side": self.side})
            )
            source = unit.place if unit is not None else n
            self.memo[key] = field.ask(
                formula, mover, {"distance": field.map_index.distance(source, n)}, **{"from": source, "to": n}
            )
        return self.memo[key]

    def _look(self, unit: PlacedUnit, n: int) -> SightResult:
        sights = sights_of(self.field)
        return sights.look(unit.place, n, sights.observer(unit.fields))

    def _units_of(self, unit: PlacedUnit | None) -> Sequence[PlacedUnit]:
        return self.attackers if unit is None else [unit]

    def _distance(self, unit: PlacedUnit, n: int) -> int:
        return self.field.map_index.distance(unit.place, n)

    def _places(self, shape: AttackInput, unit: PlacedUnit | None) -> list[int]:
        """Return the places that count, those of the targets first."""
        attacker_places = [attacker.place for attacker in self._units_of(unit)]
        return {"targets": [*self.targets], "attackers": attacker_places}.get(
            shape.at, [*self.targets, *attacker_places]
        )

    def _terrain(self, shape: AttackInput, unit: PlacedUnit | None) -> AttackValue | None:
        map_index = self.field.map_index
        places = [map_index.places[n] for n in self._places(shape, unit)]
        if shape.kind == "flag":
            return any(feature in shape.terrain for place in places for feature in map_index.features(place))
        fitting = input_kind(shape, tuple(self.field.game.terrain)).choices
        terrain_kinds = [
            kind for place in places for kind in map_index.features(place) if kind in self.field.game.terrain
        ]
        return next((kind for kind in terrain_kinds if fitting is None or kind in fitting), None)

    def _markers(self, shape: AttackInput, unit: PlacedUnit | None) -> AttackValue | None:
        marker_ids = {marker["id"] for n in self._places(shape, unit) for marker in self.field.markers.get(n, ())}
        if shape.kind == "flag":
            return any(marker in marker_ids for marker in shape.markers)
        return next((marker for marker in shape.choices if marker in marker_ids), shape.default)

    def _hexside(self, shape: AttackInput, unit: PlacedUnit | None) -> AttackValue | None:
        """Return the kind of hexside that a unit attacks across; for a battle the kind that every attacker crosses."""
        map_index = self.field.map_index
        pairs = dict.fromkeys((attacker.place, n) for attacker in self._units_of(unit) for n in self.targets)
        crossings = [map_index.lies(n, m) for n, m in pairs if map_index.distance(n, m) == 1] or [frozenset()]
        if shape.kind == "flag":
            return all(any(kind in sides for kind in shape.hexsides) for sides in crossings)
        if shape.largest is not None:
            return self._best_hexside(shape, shape.largest, crossings)
        return next((kind for kind in shape.choices if all(kind in sides for sides in crossings)), shape.default)

    def _best_hexside(
        self, shape: AttackInput, largest: Formula, crossings: Sequence[frozenset[str]]
    ) -> AttackValue | None:
        """Return, of the kinds of hexside that the attackers cross, that for which an expression is largest; of the kinds of one
        hexside, that for which it is least."""
        field = self.field

        def worth(kind: str) -> Any:
            return field.ask(largest, Mover(self.side, field.unknown_unit.fields), {"it": kind})

        crossed = [[kind for kind in shape.choices if kind in sides] for sides in crossings]
        if not all(crossed):
            return shape.default
        return max((min(kinds, key=worth) for kinds in crossed), key=worth, default=shape.default)

    def _angle(self, degrees: int) -> bool:
        """Return whether two attackers next to a target stand so far apart around it; on maps without hexes nobody does."""
        places = self.field.map_index.places
        for target in (places[n] for n in self.targets):
            if not isinstance(target, Hex):
                continue
            sources = {at for attacker in self.attackers if isinstance(at := places[attacker.place], Hex)}
            turns = [direction(target, source) for source in sources if source in neighbours(target)]
            if any(60 * min((a - b) % 6, (b - a) % 6) >= degrees for a in turns for b in turns):
                return True
        return False

    def _units(self, shape: AttackInput, criteria: NearUnits, unit: PlacedUnit | None) -> AttackValue | None:
        """Return whether units meet the criteria, or their value."""
        field, worth = self.field, []
        nations = {attacker.fields["nation"] for attacker in self._units_of(unit)}
        places = self._places(shape, unit)
        near_by = (
            field.placed_units
            if criteria.within is not None
            else [occupant for n in dict.fromkeys(places) for occupant in field.by_place.get(n, ())]
        )
        for candidate in near_by:
            mover = field.mover(candidate)
            is_own = candidate.side == self.side
            is_counted = {
                "any": True,
                "own": is_own,
                "nation": is_own and candidate.fields["nation"] in nations,
                "enemy": not is_own,
            }[criteria.whose]
            if not is_counted or not field.holds(criteria.where, mover, to=candidate.place):
                continue
            within = field.ask(criteria.within, mover) if criteria.within is not None else 0
            nearest = 0 if criteria.beyond is None else criteria.beyond + 1
            if any(nearest <= field.map_index.distance(candidate.place, n) <= within for n in places):
                worth.append(Fraction(field.ask(criteria.worth, mover)) if criteria.worth is not None else Fraction(1))
        if shape.kind == "flag":
            return bool(worth)
        return (sum(worth, Fraction(0)) if criteria.total else max(worth)) if worth else shape.usual

"""A case read from a question: the units of each group as named or as they stand on a map, the inputs, and who can retreat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from assistant.assumptions import assume, assume_inputs
from assistant.attack import read_answer
from assistant.engine.battle.battle import InputReader
from assistant.engine.field import Field
from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of, program_of
from assistant.engine.placed_units import PlacedUnit, no_unit
from assistant.engine.procedures.case import Case, Participant, uses
from assistant.engine.procedures.leaving import loses_instead
from assistant.engine.procedures.places import Places, in_state, standing
from assistant.engine.question_field import asked_field, on_a_map
from assistant.engine.retreat.paths import retreat
from assistant.engine.zones import zones_of
from assistant.odds import check_copies
from assistant.questions.answer import BadQuestion, Refusal
from assistant.questions.references import UnitRef
from scenarios.model.attack_inputs import AttackInput, Formula
from scenarios.model.game import Game
from scenarios.model.memo import cached_on
from scenarios.model.position import Piece, from_scenario
from scenarios.reading.findings import suggest
from scenarios.rules.procedures import MAX_UNITS, Procedure, ProcedureGroup, formulas_of

NOBODY = "none"
"""The word for a group without units."""


def start_field(game: Game) -> Field | None:
    """The map as the game's first scenario begins, for questions without a position. None where the game has no map."""
    return cached_on(game, _start_field)


def _start_field(game: Game) -> Field | None:
    if not game.scenarios:
        return None
    position = from_scenario(game, next(iter(game.scenarios)))
    map_index = map_index_of(game, position.scenario)
    return make_field(map_index, position) if map_index is not None else None


@dataclass
class CaseReader:
    """Reads a case from the inputs of a question."""

    game: Game
    name: str
    inputs: Mapping[str, Any]

    def __post_init__(self) -> None:
        self.on_map = on_a_map(self.inputs)
        self.field = asked_field(self.game, self.inputs) if self.on_map else start_field(self.game)
        if not self.on_map and self.field is not None and self.inputs.get("turn"):
            self.field = self.field.on_turn(int(self.inputs["turn"]))
        self.rules = program_of(self.game).rules
        self.procedure: Procedure = self.rules.procedures[self.name]
        self.places = Places(self.field, self.procedure, self.inputs, self.on_map)
        self.place = self.places.at
        self.placed: dict[str, list[PlacedUnit]] = {}
        """The units of groups that are read from the map."""
        self.groups: dict[str, tuple[Participant, ...]] = {}
        self.side = ""
        self.empty: set[str] = set()
        """The groups of which the question says that nobody is in them."""
        self.read_values: dict[str, Any] = {}
        """The inputs that are read from the map."""

    def case(self) -> Case:
        """The case."""
        named = {name: self._named(name, shape) for name, shape in self.procedure.groups.items()}
        side = self.side = self._side(named)
        self._check_place(side)
        groups = self.groups
        for name, shape in self.procedure.groups.items():
            groups[name] = self._placed(shape, named[name], side) or (
                () if name in self.empty else self._read(name, shape, side)
            )
            self._check_size(name, shape, len(groups[name]))
        values = self._values(side, groups)
        terrain = str(values.get("terrain", ""))
        immobile, cannot_leave = self._immobile(groups)
        kept = {name: value for name in self.rules.counters if (value := self._counter(name)) is not None}
        kept |= {
            name: self._whole(self.inputs[name]) for name in self._own_counters() if self.inputs.get(name) is not None
        }
        turn = int(
            self.inputs.get("turn") or (self.field.position.turn if self.on_map and self.field is not None else 1)
        )
        return Case(
            self.game,
            self.field,
            self.name,
            dict(groups),
            values,
            self._policies(),
            kept,
            self.place if self.on_map else None,
            self.place,
            self._elsewhere(groups),
            immobile,
            frozenset({*cannot_leave, *(g for g in groups if self.inputs.get(f"{g}_can_retreat") is False)}),
            {g: int(self.inputs[f"{g}_shift"]) for g in groups if self.inputs.get(f"{g}_shift")},
            frozenset(self.procedure.inputs.keys() - self._inputs_that_matter(groups)),
            frozenset(name for name in self.rules.counters if self.inputs.get(name) is not None),
            tuple(self._strangers()),
            terrain if terrain in self.game.terrain else "",
            turn,
            int(self.inputs.get("turns") or 1),
            self.on_map,
            self.reread,
        )

    # Units.

    def _named(self, name: str, shape: ProcedureGroup) -> tuple[Participant, ...]:
        """The units that the question names."""
        listed: Sequence[Any] = self.inputs.get(name, ())
        if NOBODY in listed:
            if len(listed) > 1:
                raise BadQuestion(f"{name} names {NOBODY} and somebody; leave one out")
            self.empty.add(name)
            return ()
        stacks: Sequence[Sequence[UnitRef]] = listed if shape.stacks else [listed]
        check_copies(self.game, [unit_ref for stack in stacks for unit_ref in stack])
        self.places.check_stacks(name, shape, len(stacks) if shape.stacks else 0)
        found: list[Participant] = []
        for number, stack in enumerate(stacks, start=1):
            stack_place = self.places.of_stack(shape, number)
            for unit_ref in stack:
                if unit_ref.id not in self.game.units and not shape.markers:
                    raise BadQuestion(f"{name}: {unit_ref.id} is a marker, and only units take part")
                if unit_ref.place and not self.on_map:
                    raise BadQuestion(
                        f"{name}: {unit_ref.id}@{unit_ref.place} has a place, and a battle in words has none; leave it out, or put "
                        f"the units on the map and name the place attacked: put={unit_ref.id}@{unit_ref.place}"
                    )
                states = tuple(state for state in self.game.states if state in unit_ref.states)
                inputs = self._unit_inputs(name, shape, unit_ref.details)
                place = stack_place if stack_place is not None else self._standing_at(shape, unit_ref)
                unit = Participant(unit_ref.id, states, 0, number if shape.stacks else 0, inputs, place)
                if self.field is not None and shape.read is not None and shape.read.from_:
                    unit = replace(unit, states=in_state(self.field, unit, shape, self.place))
                found += [unit] * unit_ref.count
        return tuple(found)

    def _standing_at(self, shape: ProcedureGroup, unit_ref: UnitRef) -> int | None:
        """Where a position shows a unit of a group without stacks that comes from somewhere."""
        if not self.on_map or self.field is None or shape.stacks or shape.read is None or not shape.read.from_:
            return None
        known = (unit for unit in self.field.placed_units if unit.counter.id == unit_ref.id)
        return next((unit.place for unit in known if unit_ref.copy in ("", unit.piece.copy)), None)

    def _unit_inputs(self, name: str, shape: ProcedureGroup, details: Mapping[str, str]) -> tuple[tuple[str, Any], ...]:
        for key in details:
            if key not in shape.inputs:
                raise BadQuestion(f"nothing called {key!r} is asked of {name}; {suggest(key, shape.inputs)}")
        values: dict[str, Any] = {}
        for key, asked in shape.inputs.items():
            told = details.get(key, self.inputs.get(f"{name}_{key}"))
            if told is not None:
                values[key] = read_answer(self.game, key, asked, _text(told))
        return tuple(values.items())

    def _strangers(self) -> Iterator[str]:
        """Which of the named units stand in another place on the map."""
        if self.place is None or not self.on_map or self.field is None:
            return
        field, title = self.field, self.field.map_index.title
        for name, shape in self.procedure.groups.items():
            for unit_ref in self.inputs.get(name, ()) if shape.read is not None and not shape.stacks else ():
                if unit_ref == NOBODY:
                    continue
                units = [unit for unit in field.placed_units if unit.counter.id == unit_ref.id]
                places = [unit.place for unit in units if unit_ref.copy in ("", unit.piece.copy)]
                if places and self.place not in places:
                    yield f"{units[0].counter.name} stands in {title(places[0])}: this is as if it stood in {title(self.place)}"

    def _side(self, named: Mapping[str, Sequence[Participant]]) -> str:
        """The side that acts: as told, or that of the units that are named."""
        if self.inputs.get("side"):
            return str(self.inputs["side"])
        for name, shape in self.procedure.groups.items():
            sides = [self.game.units[unit.unit].side for unit in named[name] if unit.unit in self.game.units]
            if sides:
                is_own = shape.read is None or shape.read.whose != "enemy"
                return sides[0] if is_own else next((side for side in self.game.sides if side != sides[0]), "")
        return self.procedure.side or (self.places.side() if self.field is not None and self.on_map else "")

    def _check_place(self, side: str) -> None:
        """Refuse a place on the map where the procedure may not happen."""
        if self.place is None or self.field is None:
            return
        for demand in self.procedure.places:
            if not self.field.holds(demand.that, no_unit(side), to=self.place):
                name = self.field.map_index.title(self.place)
                raise Refusal(f"{name}: {demand.text}", demand.rule)

    def _placed(self, shape: ProcedureGroup, named: Sequence[Participant], side: str) -> tuple[Participant, ...]:
        """Named units with what the map says of them as if they stood in the place."""
        if self.place is None or not self.on_map or self.field is None or not shape.inputs:
            return tuple(named)
        field, place, found = self.field, self.field.map_index.places[self.place], list[Participant]()
        for participant in named:
            counter = self.game.units.get(participant.unit)
            if counter is None:
                found.append(participant)
                continue
            piece = Piece(counter.id, "", counter.nation, place, frozenset(participant.states), participant.steps_lost)
            unit = field.as_if(piece)
            inputs = self._inputs_of(shape, unit, dict(participant.inputs), side)
            found.append(replace(participant, inputs=tuple(inputs.items())))
        return tuple(found)

    def _inputs_of(self, shape: ProcedureGroup, unit: PlacedUnit, values: dict[str, Any], side: str) -> dict[str, Any]:
        """The inputs of a unit: as told, else as the map says."""
        assert self.field is not None and self.place is not None
        reader = InputReader(self.field, unit.side or side, (self.place,), [unit], {})
        for key, asked in shape.inputs.items():
            if (
                key not in values
                and (asked.read or asked.by_rules)
                and (value := reader.value(asked, unit)) is not None
            ):
                values[key] = value
        return values

    def _read(self, name: str, shape: ProcedureGroup, side: str) -> tuple[Participant, ...]:
        """The units of a group that stand on the map."""
        if shape.read is None or self.place is None or not self.on_map or self.field is None:
            return ()
        if not side:
            raise BadQuestion(f"say whose units act: side={' or side='.join(self.game.sides)}")

        def is_meant(unit: PlacedUnit) -> bool:
            return self._is_meant(shape, unit, side)

        if shape.read.from_:
            whose = side if shape.read.whose != "enemy" else next((s for s in self.game.sides if s != side), side)
            numbered = self.places.stacks(whose, is_meant)
        else:
            numbered = [(0, unit) for unit in self._candidates(shape, side) if is_meant(unit)]
        units = [unit for _, unit in numbered]
        self.placed[name] = units
        found: list[Participant] = []
        for number, unit in numbered:
            values = self._inputs_of(shape, unit, dict(self._unit_inputs(name, shape, {})), side)
            ordered = tuple(state for state in self.game.states if state in unit.piece.states)
            participant = Participant(
                unit.counter.id,
                ordered,
                unit.piece.steps_lost,
                number if shape.stacks else 0,
                tuple(values.items()),
                None if shape.supports else unit.place,
            )
            found.append(replace(participant, states=in_state(self.field, participant, shape, self.place)))
        return tuple(found)

    def _candidates(self, shape: ProcedureGroup, side: str) -> Iterable[PlacedUnit]:
        assert shape.read is not None and self.place is not None and self.field is not None
        if shape.read.zone:
            zones = zones_of(self.field)
            sides = [
                other
                for other in self.game.sides
                if shape.read.whose == "any" or (other == side) == (shape.read.whose == "own")
            ]
            return [unit for other in sides for unit in zones.coverage(shape.read.zone, other).get(self.place, ())]
        if shape.read.with_:
            places = dict.fromkeys(unit.place for unit in self.placed.get(shape.read.with_, ()))
            return [unit for n in places for unit in self.field.by_place.get(n, ())]
        if shape.supports:
            return [u for u in (*self.field.placed_units, *self.field.set_aside) if u.place == self.place]
        return self.field.by_place.get(self.place, ())

    def _is_meant(self, shape: ProcedureGroup, unit: PlacedUnit, side: str) -> bool:
        assert shape.read is not None and self.field is not None
        if shape.read.whose != "any" and (unit.side == side) != (shape.read.whose == "own"):
            return False
        if shape.read.same and unit.fields.get(shape.read.same) not in self._values_of(shape.supports, shape.read.same):
            return False
        return self.places.is_so(shape.read.where, unit, unit.place)

    def _values_of(self, group: str, name: str) -> set[Any]:
        """The values of a name that the units of a group have."""
        assert self.field is not None
        units = [self.game.units.get(unit.unit) for unit in self.groups.get(group, ())]
        return {self.field.fields_of(unit).get(name) for unit in units if unit is not None}

    def _check_size(self, name: str, shape: ProcedureGroup, count: int) -> None:
        if count < shape.at_least and not count and shape.read is not None and self.on_map and self.place is not None:
            side = next((s for s in self.game.sides if (s == self.side) == (shape.read.whose == "own")), "")
            assert self.field is not None
            raise BadQuestion(f"no {side} unit is in {self.field.map_index.title(self.place)}; say {name}=UNIT,UNIT")
        if count < shape.at_least:
            where = "; or say at=PLACE with a position" if shape.read is not None else ""
            raise BadQuestion(f"{shape.title}: the question names {count or 'nobody'}; say {name}=UNIT,UNIT{where}")
        most = min(shape.at_most if shape.at_most is not None else MAX_UNITS, MAX_UNITS)
        if count > most:
            raise BadQuestion(f"{shape.title}: {count} units are too many; name {most} at most")

    def read_from_map(self) -> list[str]:
        """What is read from the map, in words: the units of each group, and inputs."""
        units = [
            f"{self.procedure.groups[name].title}: {', '.join(unit.name for unit in units)}"
            for name, units in self.placed.items()
            if units
        ]
        inputs = [f"{self.procedure.inputs[key].title}: {_text(value)}" for key, value in self.read_values.items()]
        return units + inputs

    # Inputs, policies and counters.

    def _values(self, side: str, groups: Mapping[str, Sequence[Participant]]) -> dict[str, Any]:
        """The inputs of the procedure: as told, else as the map says."""
        values: dict[str, Any] = {}
        attackers = self._attackers()
        reader = (
            InputReader(self.field, side, (self.place,), attackers, {})
            if self.field and self.place is not None
            else None
        )
        for key, asked in self.procedure.inputs.items():
            if self.inputs.get(key) is not None:
                values[key] = read_answer(self.game, key, asked, _text(self.inputs[key]))
            elif reader is not None and self._is_readable(asked) and (value := reader.value(asked, None)) is not None:
                values[key] = self.read_values[key] = value
            elif asked.by_rules is not None and self._is_of_question(asked.by_rules) and self.field is not None:
                values[key] = self.read_values[key] = self.field.ask(asked.by_rules, no_unit(side))
                if not (self.on_map or self.inputs.get("turn")):
                    assume(self.inputs, "turn", self.field.position.turn, f"turn {self.field.position.turn}")
            elif asked.usual is None and asked.largest is None:
                raise BadQuestion(f"the question doesn't tell {key} ({asked.title}); say {key}=VALUE")
        picked = {key for key, asked in self.procedure.inputs.items() if asked.largest and not asked.read}
        matters = self._inputs_that_matter(groups)
        shapes = {key: asked for key, asked in self.procedure.inputs.items() if key in matters}
        assume_inputs(self.inputs, shapes, {*values, *picked})
        return values

    def _inputs_that_matter(self, groups: Mapping[str, Sequence[Participant]]) -> set[str]:
        """The inputs that something asks for: those of a stage about a group without units don't matter."""
        empty = {name for name, units in groups.items() if not units}
        happening = [stage for stage in self.procedure.all_stages if not {stage.of, stage.at} & empty]
        passing = [stage for stage in self.procedure.all_stages if stage not in happening]
        names = frozenset[str]().union(*(uses(f) for stage in passing for f in formulas_of(stage)))
        asked = frozenset[str]().union(*(uses(f) for stage in happening for f in formulas_of(stage)))
        attacks = self.game.attacks
        of_attacks = {key for s in happening if s.fire for key in attacks[s.fire].inputs if key not in s.with_}
        left_out = {
            key
            for stage in passing
            if stage.fire
            for key in (*attacks[stage.fire].inputs, *(n.removeprefix("input.") for n in names))
        }
        return {
            key for key in self.procedure.inputs if key not in left_out or f"input.{key}" in asked or key in of_attacks
        }

    def _attackers(self) -> Sequence[PlacedUnit]:
        """The units of the first group whose places are known."""
        for name, shape in self.procedure.groups.items():
            if shape.read is not None and shape.read.from_ and self.places.sources and self.field is not None:
                units = (standing(self.field, unit, str(n)) for n, unit in enumerate(self.groups[name]))
                return [unit for unit in units if unit is not None]
            if name in self.placed:
                return self.placed[name]
            is_first = name == next(iter(self.procedure.groups)) and shape.read is not None and not shape.read.from_
            if is_first and self.place is not None and self.field is not None:
                place = self.field.map_index.places[self.place]
                counters = [self.game.units[unit.unit] for unit in self.groups[name] if unit.unit in self.game.units]
                return [self.field.as_if(Piece(counter.id, "", counter.nation, place)) for counter in counters]
        return []

    def reread(self, groups: Mapping[str, tuple[Participant, ...]]) -> dict[str, Any]:
        """What the map says of the inputs that the question doesn't tell, with other units in the groups."""
        if not self.places.sources or self.field is None or self.place is None:
            return {}
        own, self.groups = self.groups, dict(groups)
        reader = InputReader(self.field, self.side, (self.place,), self._attackers(), {})
        values: dict[str, Any] = {}
        for key, asked in self.procedure.inputs.items():
            if self.inputs.get(key) is None and asked.read in ("hexside", "angle") and self._is_readable(asked):
                value = reader.value(asked, None)
                if value is not None:
                    values[key] = value
        self.groups = own
        return values

    def _is_of_question(self, formula: Formula) -> bool:
        """Whether an expression asks only what is the same for a whole question, such as an effect of a scenario."""
        names = program_of(self.game).names(formula)
        return all(name == "turn" or name.partition(".")[0] in ("effect", "effect_value", "ruling") for name in names)

    def _is_readable(self, asked: AttackInput) -> bool:
        if (
            asked.read in ("hexside", "angle")
            and (asked.read == "angle" or not asked.by_rules)
            and not self._attackers()
        ):
            return False
        if not self.on_map:
            is_printed = asked.by_rules is not None and self.field is not None and self._is_printed(asked.by_rules)
            return asked.read in ("terrain", "hexside", "angle") or is_printed
        return bool(asked.read or asked.by_rules)

    def _is_printed(self, formula: Formula) -> bool:
        """Whether an expression asks for nothing but what is printed on the map at the place."""
        assert self.field is not None
        names = self.field.program.names(formula)
        printed = {*self.game.terrain, *self.field.map_index.regions, "terrain", "owner"}
        return all(name.startswith("to.") and name.removeprefix("to.") in printed for name in names)

    def _policies(self) -> dict[str, dict[str, Any]]:
        """What the question says of each owner's decisions."""
        return {
            group: {
                name: self.inputs[f"{group}_{name}"]
                for name in self.procedure.policies
                if self.inputs.get(f"{group}_{name}") is not None
            }
            for group in self.procedure.groups
        }

    def _own_counters(self) -> list[str]:
        """The procedure's own counters that a question may say: those that begin with something."""
        return [name for name, shape in self.procedure.counters.items() if shape.start is not None]

    def _counter(self, name: str) -> Any:
        """Where a counter of the game stands: as told, else as its track or its marker on the map shows."""
        told, shape = self.inputs.get(name), self.rules.counters[name]
        if told is None and (shape.track or shape.marker) and self.field is not None:
            told = self.field.inputs[name]
        return self._whole(told)

    def _whole(self, told: Any) -> Any:
        return int(told) if isinstance(told, Fraction) and told.denominator == 1 else told

    # Who can go where.

    def _elsewhere(self, groups: Mapping[str, Sequence[Participant]]) -> dict[str, int]:
        """The counters in use elsewhere on the map."""
        if not self.on_map or self.field is None or self.procedure.losses is None or not self.procedure.losses.breaks:
            return {}
        return dict(Counter(unit.counter.id for unit in self.field.placed_units if unit.place != self.place))

    def _immobile(self, groups: Mapping[str, Sequence[Participant]]) -> tuple[dict[str, frozenset[str]], set[str]]:
        """The units that have nowhere to retreat to, asked as if each went alone; and groups of which nobody has."""
        immobile: dict[str, frozenset[str]] = {}
        cannot_leave: set[str] = set()
        if self.place is None or not self.on_map or not self.rules.retreat:
            return immobile, cannot_leave
        for name, participants in groups.items():
            if f"{name}_can_retreat" in self.inputs or not loses_instead(self.game, self.procedure, name):
                continue
            can = self._can_retreat(participants)
            if can and not any(can.values()):
                cannot_leave.add(name)
            elif can:
                immobile[name] = frozenset(unit for unit, goes in can.items() if not goes)
        return immobile, cannot_leave

    def _can_retreat(self, participants: Iterable[Participant]) -> dict[str, bool]:
        """Whether each unit, and each of its parts, has a way to go. Those whom a rule keeps or eliminates are left out."""
        assert self.place is not None and self.field is not None
        can: dict[str, bool] = {}
        field, place = self.field, self.field.map_index.places[self.place]
        for participant in participants:
            counter = self.game.units.get(participant.unit)
            if counter is None or not field.is_occupied(self.place, counter.side):
                continue
            for unit in (
                counter,
                *(self.game.units[part] for part in (*counter.breaks_into, *counter.back_breaks_into)),
            ):
                if unit.id not in can:
                    paths = retreat(field, field.as_if(Piece(unit.id, "", unit.nation, place)))
                    if paths.fate is None:
                        can[unit.id] = any(paths.ways.values())
        return can


def _text(value: Any) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)

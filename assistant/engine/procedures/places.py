"""Where the units of a procedure stand: in the places that the question names, or where a position shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.procedures.case import Participant
from assistant.engine.question_field import asked_place
from assistant.engine.stacking import failures
from assistant.questions.answer import BadQuestion, Refusal
from scenarios.grammar import count_text
from scenarios.model.attack_inputs import Formula
from scenarios.model.position import Piece
from scenarios.rules.procedures import Procedure, ProcedureGroup


class Places:
    """The places that a question names: `at`, where it happens, and `from`, where those come from."""

    def __init__(self, field: Field | None, procedure: Procedure, inputs: Mapping[str, Any], on_map: bool) -> None:
        self.field, self.procedure, self.on_map = field, procedure, on_map
        self.at: int | None = None
        self.sources: tuple[int, ...] = ()
        if field is None:
            return
        if inputs.get("at"):
            self.at = asked_place(field.map_index, inputs["at"], "at")
        self.sources = tuple(asked_place(field.map_index, name, "from") for name in inputs.get("from", ()))
        if len(set(self.sources)) < len(self.sources):
            raise BadQuestion("a place is named twice with `from`: all who come from it are one stack")
        if self.sources and self.at is None:
            raise BadQuestion("the question names `from`, but not where it happens; say at=PLACE")

    def of_stack(self, shape: ProcedureGroup, stack_number: int) -> int | None:
        """The place of a stack of a group that comes from somewhere, or that of everybody else. None where it isn't known."""
        if shape.read is None or shape.supports:
            return None
        if not shape.read.from_:
            return self.at if not (shape.read.zone or shape.read.with_) else None
        if not shape.stacks:
            return self.sources[0] if len(self.sources) == 1 else None
        return self.sources[stack_number - 1] if 0 < stack_number <= len(self.sources) else None

    def check_stacks(self, name: str, shape: ProcedureGroup, count: int) -> None:
        """That the question names as many stacks as places they come from."""
        if shape.read is None or not shape.read.from_ or not self.sources or not count:
            return
        if shape.stacks and count != len(self.sources):
            raise BadQuestion(
                f"{name} names {count_text(count, 'stack')}, but `from` names {count_text(len(self.sources), 'place')}"
            )

    def side(self) -> str:
        """The side that comes from the places that the question names, or the enemy of those who stand where it happens. Empty
        where that isn't clear."""
        assert self.field is not None
        by_place = self.field.by_place
        there = {unit.side for unit in by_place.get(self.at, ())} if self.at is not None else set()
        coming = {
            unit.side for n in self.sources for unit in by_place.get(n, ()) if n != self.at or self._may_come(unit)
        }
        if len(coming) == 1:
            return coming.pop()
        others = set(self.field.sides) - there
        return others.pop() if not coming and len(there) == 1 and len(others) == 1 else ""

    def _may_come(self, unit: PlacedUnit) -> bool:
        """Whether a unit in the place itself may be of a group that comes to it."""
        groups = (shape.read for shape in self.procedure.groups.values() if shape.read is not None and shape.read.from_)
        return any(read.where is not None and self.is_so(read.where, unit, unit.place) for read in groups)

    def is_so(self, formula: Formula | None, unit: PlacedUnit, to: int) -> bool:
        """Whether a condition of a unit holds; `to` is a place, `distance` how far the unit is from where it happens."""
        assert self.field is not None
        distance = self.field.map_index.distance(unit.place, self.at) if self.at is not None else 0
        return self.field.holds(
            formula, self.field.mover(unit), {"distance": distance}, **{"from": unit.place, "to": to}
        )

    def near(self, side: str) -> str:
        """Where units of a side stand next to the place, in words."""
        assert self.field is not None and self.at is not None
        map_index = self.field.map_index
        next_to = (
            n for n, _ in map_index.neighbours(self.at) if self.field is not None and self.field.is_occupied(n, side)
        )
        names = sorted(map(map_index.name, next_to))
        return (
            f"next to {map_index.name(self.at)} they stand in {', '.join(names)}"
            if names
            else (f"nobody of that side is next to {map_index.name(self.at)}")
        )

    def stacks(self, side: str, is_meant: Callable[[PlacedUnit], bool]) -> list[tuple[int, PlacedUnit]]:
        """The units in each place that a group comes from, with the number of the place."""
        assert self.field is not None
        if not self.sources:
            raise BadQuestion(f"say where the units come from: from=PLACE,PLACE; {self.near(side)}")
        found: list[tuple[int, PlacedUnit]] = []
        for number, n in enumerate(self.sources, start=1):
            units = [unit for unit in self.field.by_place.get(n, ()) if is_meant(unit)]
            if not units:
                name = self.field.map_index.name(n)
                raise BadQuestion(f"no unit that may take part stands in {name}; {self.near(side)}")
            found += [(number, unit) for unit in units]
        return found


def standing(field: Field, participant: Participant, copy: str) -> PlacedUnit | None:
    """A unit as it takes part, in its place."""
    counter = field.game.units.get(participant.unit)
    if counter is None or participant.place is None:
        return None
    at = field.map_index.places[participant.place]
    piece = Piece(counter.id, copy, counter.nation, at, frozenset(participant.states))
    return field.as_if(piece._replace(steps_lost=participant.steps_lost))


def in_state(field: Field, participant: Participant, shape: ProcedureGroup, at: int | None) -> tuple[str, ...]:
    """The states that a unit is in by the rules of its group."""
    unit = standing(field, participant, "") if shape.states else None
    if unit is None:
        return participant.states
    places = {"from": unit.place, "to": unit.place if at is None else at}
    extra = {"distance": field.map_index.distance(places["from"], places["to"])}
    states = set(participant.states)
    for state, formula in shape.states.items():
        states = states | {state} if field.holds(formula, field.mover(unit), extra, **places) else states - {state}
    return tuple(state for state in field.game.states if state in states)


def check_barred(field: Field, at: int, shape: ProcedureGroup, participants: Iterable[Participant]) -> None:
    """Refuse units that may not take part. Of one whose place isn't known only what doesn't ask for that is asked."""
    for participant in participants:
        if participant.unit not in field.game.units:
            continue
        unit = standing(field, replace(participant, place=at if participant.place is None else participant.place), "")
        assert unit is not None
        distance = field.map_index.distance(unit.place, at)
        for record in shape.barred:
            asked = field.program.names(record.when)
            if participant.place is None and any(name == "distance" or name.startswith("from.") for name in asked):
                continue
            if field.holds(record.when, field.mover(unit), {"distance": distance}, **{"from": unit.place, "to": at}):
                raise Refusal(f"{unit.display_name}: {record.text}", record.rule)


def check_stacking(field: Field, participants: Iterable[Participant]) -> None:
    """Refuse stacks that the rules of stacking don't allow."""
    stacks: dict[int, list[Piece]] = {}
    for number, unit in enumerate(participants):
        counter = field.game.units.get(unit.unit)
        if counter is not None:
            piece = Piece(counter.id, str(number), counter.nation, field.map_index.places[0], frozenset(unit.states))
            stacks.setdefault(unit.stack_number, []).append(piece)
    for pieces in stacks.values():
        units = [field.as_if(piece) for piece in pieces]
        broken = failures(field.with_pieces(()), field.mover(units[0]), 0, (), units) if len(units) > 1 else ()
        if broken:
            names = ", ".join(unit.display_name for unit in units)
            raise Refusal(f"these can't stand in one place: {names}: {broken[0].text}", broken[0].rule)


def with_everybody(field: Field, groups: Mapping[str, Sequence[Participant]]) -> Field:
    """The position with all who take part in their places, as they take part; their copies are the group and their number in it."""
    parts = {
        f"{name} {n}": unit for name, units in groups.items() for n, unit in enumerate(units) if unit.place is not None
    }
    taking_part = [*parts.values()]
    names = {unit.unit for unit in taking_part}
    wanted: dict[tuple[str, int], int] = {}
    for unit in taking_part:
        wanted[unit.unit, unit.place or 0] = wanted.get((unit.unit, unit.place or 0), 0) + 1
    gone: list[PlacedUnit] = []
    for placed in field.placed_units:
        key = placed.counter.id, placed.place
        if wanted.get(key):
            wanted[key] -= 1
            gone.append(placed)
        elif placed.counter.id in names and placed.counter.count == 1:
            gone.append(placed)
    come = (standing(field, part, copy) for copy, part in parts.items())
    return field.with_changes(gone, [there for there in come if there is not None])

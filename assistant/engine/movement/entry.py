"""How a unit may enter the map, or go from one place of it to another by air or sea: every declared way, and where it
leads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from assistant.engine.field import Field
from assistant.engine.movement.reach import gate_failures
from assistant.engine.notes import Subject, note_nodes
from assistant.engine.placed_units import Mover, PlacedUnit
from assistant.engine.program import CompiledRecord
from assistant.engine.question_field import asked_anywhere, asked_place
from assistant.engine.scope import TableCell
from assistant.engine.signatures import places_where
from assistant.engine.stacking import failures
from assistant.questions.answer import (
    Answer,
    Cell,
    CounterRef,
    Node,
    PlaceList,
    PlaceRef,
    Refusal,
    RowTable,
    Section,
    Sections,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
)
from assistant.unofficial import unofficial_addresses
from scenarios.grammar import count_text
from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.rules.records import RuleRecord
from scenarios.rules.shapes import EntryWay

MAX_ROWS = 12
"""The number of places of a way that a screen lists."""


class Arrival(NamedTuple):
    """A way onto the map: the places that are free for a unit, the places where it would land on the enemy, or why it
    may not use this way."""

    name: str
    way: EntryWay
    places: tuple[int, ...] = ()
    assault: tuple[int, ...] = ()
    refusal: CompiledRecord | None = None


def arrivals(field: Field, unit: Unit, placed_unit: PlacedUnit | None = None) -> dict[str, Arrival]:
    """Return every declared way for a unit, which is on the map (`placed_unit`) or isn't."""
    shape = field.program.rules.entry
    if shape is None:
        return {}
    mover = field.mover(placed_unit) if placed_unit is not None else field.off_map(unit)
    return {name: _arrival(field, name, way, mover) for name, way in shape.ways.items()}


def _arrival(field: Field, name: str, way: EntryWay, mover: Mover) -> Arrival:
    start = mover.unit.place if mover.unit is not None else None
    extra_values = {"on_map": start is not None}
    places = {} if start is None else {"start": start}
    refusals = gate_failures(field, field.program.ready(way.who), field.scope(mover, places, extra_values))
    if refusals:
        return Arrival(name, way, refusal=refusals[0])
    closed_places = {n for record in _closed(field) for n in places_where(field, record.when, mover, start)}
    open_places = [n for n in places_where(field, way.to, mover, start) if n != start and n not in closed_places]
    enemies = {s.place for s in field.placed_units if s.side != mover.side}
    own_places = {s.place for s in field.placed_units if s.side == mover.side}
    free = tuple(
        [n for n in open_places if n not in enemies and (n not in own_places or not failures(field, mover, n))]
    )
    return Arrival(name, way, free, tuple([n for n in open_places if n in enemies]) if way.assault else ())


def _closed(field: Field) -> tuple[RuleRecord, ...]:
    """Return the records that close places to every way onto the map."""
    shape = field.program.rules.entry
    return shape.closed if shape is not None else ()


def refusal_of(field: Field, mover: Mover, arrival: Arrival, goal: int | None) -> tuple[str, str]:
    """Return why a unit can't use a way, or can't use it to a place (`goal`): the text and the rule of the record."""
    way = arrival.way
    if arrival.refusal is not None:
        return arrival.refusal.text, arrival.refusal.rule
    no_place = (
        f"no place on the map is allowed; the unit needs {way.where}" if way.where else "no place on the map is allowed"
    )
    if goal is None:
        return no_place, way.rule
    start = mover.unit.place if mover.unit is not None else None
    if goal == start:
        return "the unit is already on the map", way.rule
    for record in _closed(field):
        if goal in places_where(field, record.when, mover, start):
            return record.text, record.rule
    if goal not in places_where(field, way.to, mover, start):
        return (
            f"the place isn't {way.where}" if way.where else "this way onto the map doesn't lead to that place",
            way.rule,
        )
    if any(unit.side != mover.side for unit in field.by_place.get(goal, ())):
        return "an enemy unit is in the place", way.rule
    stacking_failures = failures(field, mover, goal)
    return (stacking_failures[0].text, stacking_failures[0].rule) if stacking_failures else (no_place, way.rule)


# --- the question -----------------------------------------------------------------------------------------------------


def entry_answer(game: Game, inputs: Mapping[str, Any]) -> Answer:
    """Answer how a unit may enter the map, and where."""
    field, unit, placed_unit = asked_anywhere(game, inputs)
    shape = field.program.rules.entry
    assert shape is not None
    mover = field.mover(placed_unit) if placed_unit is not None else field.off_map(unit)
    counter = CounterRef(unit.id, placed_unit.name if placed_unit is not None else field.display_name(unit))
    if shape.lost is not None and placed_unit is None and unit.count == 1 and field.is_lost(unit):
        raise Refusal(f"{counter.name} is lost: {shape.lost.text}", shape.lost.rule)
    name = field.map_index.name
    goal = asked_place(field.map_index, inputs["to"], "to") if inputs.get("to") else None
    all_arrivals = [*arrivals(field, unit, placed_unit).values()]
    ways = [
        arrival
        for arrival in all_arrivals
        if (goal in arrival.places + arrival.assault if goal is not None else arrival.places or arrival.assault)
    ]
    refusal_rows: list[dict[str, Cell]] = []
    for arrival in all_arrivals:
        if arrival not in ways:
            reason, rule = refusal_of(field, mover, arrival, goal)
            refusal_rows.append({"way": arrival.way.title or arrival.name, "why": reason, "rule": rule})
    start_place = PlaceRef(name(placed_unit.place)) if placed_unit is not None else PlaceRef("box", "its box")
    count = count_text(len(ways), "way") if ways else "no way onto the map"
    goal_parts: tuple[str | PlaceRef, ...] = (" to ", PlaceRef(name(goal))) if goal is not None else ()
    nodes: list[Node] = [
        Sentence((counter, ", from ", start_place, *goal_parts, f": {count}")),
        Value("unit", counter, for_people=False),
        Value("from", start_place, for_people=False),
        Sections("ways", [_way(field, arrival, goal) for arrival in ways]),
        Value("refused", [*refusal_rows], for_people=False)
        if ways
        else RowTable(
            "refused",
            [TableColumn("way", "not by"), TableColumn("why", "because"), TableColumn("rule", "rule")],
            refusal_rows,
        ),
    ]
    extra_values: dict[str, Any] = {"on_map": placed_unit is not None}
    nodes += note_nodes(field, shape.notes, [Subject(counter, mover)], extra_values=extra_values)
    limits, cells = {}, set[TableCell]()
    if placed_unit is None:
        for key, formula in shape.limits.items():
            scope = field.scope(mover, {}, extra_values)
            limits[key] = int(formula.work(scope, scope.lookup, None)) if formula is not None else 0
            cells |= scope.cells
    nodes.append(Value("limits", limits, "Units at once", for_people=bool(limits)))
    return Answer(
        "entry",
        game.id,
        [*nodes, Unofficial(unofficial_addresses(game, cells=[(cell[0], cell[1], cell[2]) for cell in cells]))],
    )


def _way(field: Field, arrival: Arrival, goal: int | None) -> Section:
    way, title = arrival.way, arrival.way.title or arrival.name
    nodes: list[Node] = [
        Value("way", title, for_people=False),
        Value("rule", way.rule, for_people=False),
        Value("note", way.note, for_people=False),
    ]
    for key, places, head in (("reach", arrival.places, "to"), ("assault", arrival.assault, way.assault)):
        if key == "reach" or places:
            rows: dict[PlaceRef, dict[str, Any]] = {
                PlaceRef(field.map_index.name(n)): {} for n in places if goal in (None, n)
            }
            nodes.append(PlaceList(key, rows, head, list_names=len(rows) <= MAX_ROWS))
    return Section(nodes, f"{title} ({way.rule})" + (f"; {way.note}" if way.note else ""))

"""How a unit may come onto the map, or from one place of it to another by air or sea: every declared way, and where it leads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from assistant.answers import (
    Answer,
    Cell,
    Column,
    Counter,
    Line,
    Node,
    Ours,
    Place,
    Places,
    Refusal,
    Section,
    Several,
    Table,
    Value,
)
from assistant.rules.asked import Asked, TableCell
from assistant.rules.field import Field, Standing, Walker
from assistant.rules.looks import places_where
from assistant.rules.movement import gate_failures
from assistant.rules.placed import asked_anywhere, asked_place
from assistant.rules.program import Ready
from assistant.rules.stacking import failures
from assistant.sourced import ours
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.rules.shapes import EntryWay, RuleRecord

SHOWN = 12
"""How many places of a way are listed on a screen."""


class Arrival(NamedTuple):
    """A way onto the map: the places that are free for a unit, those where it would land on the enemy; or why it may not come so."""

    name: str
    way: EntryWay
    places: tuple[int, ...] = ()
    assault: tuple[int, ...] = ()
    refused: Ready | None = None


def arrivals(field: Field, unit: Unit, standing: Standing | None = None) -> dict[str, Arrival]:
    """Every declared way, for a unit that is on the map (`standing`) or isn't."""
    shape = field.program.rules.entry
    if shape is None:
        return {}
    walker = field.walker(standing) if standing is not None else field.off_map(unit)
    return {name: _arrival(field, name, way, walker) for name, way in shape.ways.items()}


def _arrival(field: Field, name: str, way: EntryWay, walker: Walker) -> Arrival:
    start = walker.standing.at if walker.standing is not None else None
    known = {"on_map": start is not None}
    places = {} if start is None else {"start": start}
    refused = gate_failures(field, field.program.ready(way.who), Asked(field, walker, places, known))
    if refused:
        return Arrival(name, way, refused=refused[0])
    closed = {n for record in _closed(field) for n in places_where(field, record.when, walker, start)}
    there = [n for n in places_where(field, way.to, walker, start) if n != start and n not in closed]
    enemies = {s.at for s in field.standings if s.side != walker.side}
    held = {s.at for s in field.standings if s.side == walker.side}
    free = tuple([n for n in there if n not in enemies and (n not in held or not failures(field, walker, n))])
    return Arrival(name, way, free, tuple([n for n in there if n in enemies]) if way.assault else ())


def _closed(field: Field) -> tuple[RuleRecord, ...]:
    """The records that close places to every way onto the map."""
    shape = field.program.rules.entry
    return shape.closed if shape is not None else ()


def refusal_of(field: Field, walker: Walker, arrival: Arrival, goal: int | None) -> tuple[str, str]:
    """Why a unit can't come by a way, or not to a place (`goal`): the text and the rule of the record that says so."""
    way = arrival.way
    if arrival.refused is not None:
        return arrival.refused.text, arrival.refused.rule
    no_place = f"there is no place for it; it needs {way.where}" if way.where else "there is no place for it"
    if goal is None:
        return no_place, way.rule
    start = walker.standing.at if walker.standing is not None else None
    if goal == start:
        return "it is there already", way.rule
    for record in _closed(field):
        if goal in places_where(field, record.when, walker, start):
            return record.text, record.rule
    if goal not in places_where(field, way.to, walker, start):
        return f"this isn't {way.where}" if way.where else "it doesn't lead there", way.rule
    if any(unit.side != walker.side for unit in field.by_place.get(goal, ())):
        return "enemies are there", way.rule
    broken = failures(field, walker, goal)
    return (broken[0].text, broken[0].rule) if broken else (no_place, way.rule)


# --- the question -----------------------------------------------------------------------------------------------------


def entry_answer(game: Game, told: Mapping[str, Any]) -> Answer:
    """How a unit may come onto the map, and where."""
    field, unit, standing = asked_anywhere(game, told)
    shape = field.program.rules.entry
    assert shape is not None
    walker = field.walker(standing) if standing is not None else field.off_map(unit)
    who = Counter(unit.id, standing.name if standing is not None else field.called(unit))
    if shape.lost is not None and standing is None and unit.count == 1 and field.is_lost(unit):
        raise Refusal(f"{who.name} is lost: {shape.lost.text}", shape.lost.rule)
    name = field.kinds.name
    goal = asked_place(field.kinds, told["to"], "to") if told.get("to") else None
    found = [*arrivals(field, unit, standing).values()]
    ways = [
        one for one in found if (goal in one.places + one.assault if goal is not None else one.places or one.assault)
    ]
    refused: list[dict[str, Cell]] = []
    for one in found:
        if one not in ways:
            why, rule = refusal_of(field, walker, one, goal)
            refused.append({"way": one.way.title or one.name, "why": why, "rule": rule})
    at = Place(name(standing.at)) if standing is not None else Place("box", "its box")
    count = f"{len(ways)} way{'s' * (len(ways) != 1)}" if ways else "no way"
    where: tuple[str | Place, ...] = (" to ", Place(name(goal))) if goal is not None else ()
    nodes: list[Node] = [
        Line((who, ", from ", at, *where, f": {count}")),
        Value("unit", who, shown=False),
        Value("from", at, shown=False),
        Several("ways", [_way(field, one, goal) for one in ways]),
        Value("refused", [*refused], shown=False)
        if ways
        else Table("refused", [Column("way", "not by"), Column("why", "because"), Column("rule", "rule")], refused),
    ]
    known: dict[str, Any] = {"on_map": standing is not None}
    nodes += [Line(note.text, note.rule) for note in shape.notes if field.holds(note.when, walker, known)]
    limits, cells = {}, set[TableCell]()
    if standing is None:
        for key, formula in shape.limits.items():
            asked = Asked(field, walker, {}, known)
            limits[key] = int(formula.work(asked, asked.lookup, None)) if formula is not None else 0
            cells |= asked.cells
    nodes.append(Value("limits", limits, "So many at once", shown=bool(limits)))
    return Answer("entry", game.id, [*nodes, Ours(ours(game, cells=[(cell[0], cell[1], cell[2]) for cell in cells]))])


def _way(field: Field, arrival: Arrival, goal: int | None) -> Section:
    way, title = arrival.way, arrival.way.title or arrival.name
    nodes: list[Node] = [
        Value("way", title, shown=False),
        Value("rule", way.rule, shown=False),
        Value("note", way.note, shown=False),
    ]
    for key, places, head in (("reach", arrival.places, "to"), ("assault", arrival.assault, way.assault)):
        if key == "reach" or places:
            rows: dict[Place, dict[str, Any]] = {Place(field.kinds.name(n)): {} for n in places if goal in (None, n)}
            nodes.append(Places(key, rows, head, listed=len(rows) <= SHOWN))
    return Section(nodes, f"{title} ({way.rule})" + (f"; {way.note}" if way.note else ""))

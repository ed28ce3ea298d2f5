"""How a unit may come onto the map, or from one place of it to another by air or sea: every declared way, and where it leads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from assistant.answers import Answer, Counter, Line, Node, Ours, Place, Places, Refusal, Section, Several, Value
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
from scenarios.rules.shapes import EntryWay

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
    there = [n for n in places_where(field, way.to, walker, start) if n != start]
    enemies = {s.at for s in field.standings if s.side != walker.side}
    held = {s.at for s in field.standings if s.side == walker.side}
    free = tuple([n for n in there if n not in enemies and (n not in held or not failures(field, walker, n))])
    return Arrival(name, way, free, tuple([n for n in there if n in enemies]) if way.assault else ())


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
    found = [one for one in arrivals(field, unit, standing).values() if one.places or one.assault]
    ways = [one for one in found if goal is None or goal in one.places + one.assault]
    at = Place(name(standing.at)) if standing is not None else Place("box", "its box")
    count = f"{len(ways)} way{'s' * (len(ways) != 1)}" if ways else "no way"
    where: tuple[str | Place, ...] = (" to ", Place(name(goal))) if goal is not None else ()
    nodes: list[Node] = [
        Line((who, ", from ", at, *where, f": {count}")),
        Value("unit", who, shown=False),
        Value("from", at, shown=False),
        Several("ways", [_way(field, one, goal) for one in ways]),
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

"""Whom an event brings to the Arabs, and where they come onto the map (7.4)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from assistant.engine.field import Field
from assistant.games.six_day_war.forces import (
    FRONTS,
    area,
    dead,
    entering,
    terrain,
    watched,
)
from assistant.games.six_day_war.questions import CONTROL, FRONT, ON_THE_MAP, asked_field
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    CounterRef,
    RowTable,
    Sentence,
    TableColumn,
    Unofficial,
)
from assistant.questions.question import Input, Inputs, Question
from assistant.unofficial import required_factor, unofficial_addresses
from scenarios.model.areas import Area
from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.reading.findings import join_alternatives

# --- the Arabs that an event brings -------------------------------------------------------------------------------------

CITIES = ("city", "fortified_city")
AREAS = {front: Area(zone=f"{front}_arrivals") for front in FRONTS}
OUT = re.compile(r"dead|aside")
"""Places that nobody waits in."""


def _effects(game: Game, event: str) -> Mapping[str, str]:
    """What an event does, by its dice."""
    table = game.tables["events"]
    return table.results[table.cells[event][0]].effects


def _waiting(field: Field, front: str, event: str) -> list[Unit]:
    """The units of an event that are still outside (24.1)."""
    meant = next(effect for effect in field.in_force("by_event") if effect.value == event)
    outside = [p.unit for p in field.position.pieces if isinstance(p.at, str) and not OUT.search(p.at)]
    units = (field.game.units[unit] for unit in outside if unit in field.game.units)
    mine = (unit for unit in units if unit.nation == meant.nation and unit.factors.get("front") == front)
    return [unit for unit in mine if not meant.units or unit.id in meant.units]


def _weakest(field: Field, mobile: Sequence[Unit]) -> list[Unit]:
    """The weakest of some units; several where they are equal and the player picks (event 3)."""
    least = min((required_factor(field.game, unit, "combat") for unit in mobile), default=Fraction(0))
    return [unit for unit in mobile if required_factor(field.game, unit, "combat") == least]


def _entered(field: Field, front: str, units: Sequence[Unit], back: bool) -> list[int]:
    """Where they may be put: the map edge and Arab cities, not where an enemy stands (7.4)."""
    scenario = field.game.scenarios[field.position.scenario]
    entries = [g.enters.at for g in scenario.forces["arab"].groups if g.enters and units and units[0].id in g.units]
    stepper = entering(field, field.taker("israeli", 0, zone=False))
    open_ = (
        n
        for n in sorted(area(field, (entries[0] if entries and not back else None) or AREAS[front]))
        if stepper.start_refusal(n) is None
    )
    return [n for n in open_ if terrain(field, n) not in CITIES or field.control(n) == "arab"]


def _arrivals(game: Game, told: Inputs) -> Answer:
    """Whom an event brings to the Arabs of a front, and where they may be put (7.4)."""
    field, table, event = asked_field(game, told), game.tables["events"], told.get("event", "")
    known = {
        row: cells[0] for row, cells in table.cells.items() if {"arab_returns", "arrives"} & _effects(game, row).keys()
    }
    if event and event not in known:
        raise BadQuestion(f"event: no Arabs come by {event!r}; write {join_alternatives(sorted(known, key=int))}")
    rows: list[dict[str, Cell]] = []
    compared: list[Unit] = []
    for key in [event] if event else known:
        back, drawn = (
            "arab_returns" in _effects(game, key),
            _effects(game, key).get("arrives", "").split(" ")[0].isdecimal(),
        )
        for front in [told["front"]] if "front" in told else FRONTS:
            fallen = [game.units[p.unit] for p in dead(game, field.position, front) if p.unit in game.units]
            mobile = [unit for unit in fallen if unit.side == "arab" and unit.class_ == "mobile"]
            compared += mobile if back else []
            units = _weakest(field, mobile) if back else _waiting(field, front, key)
            hexes = _entered(field, front, units, back)
            chance = Fraction(1, len(units)) if drawn and units else Fraction(1)
            joined = " and " if chance == 1 and not back else " or "
            each = f", {float(chance):.1%} each" if chance < 1 else ""
            where = " ".join(map(field.map_index.name, hexes)) or "no hex is free: they come next turn"
            rows.append(
                {
                    "event": key,
                    "name": known[key],
                    "front": front,
                    "units": [CounterRef(unit.id, unit.name) for unit in units],
                    "who": (joined.join(unit.name for unit in units) or "nobody waits") + each,
                    "chance": Chance(chance),
                    "where": where if units else "",
                    "places": field.places_at(hexes),
                    "enemy_zone": field.places_at(n for n in hexes if watched(field, n, "arab")),
                }
            )
    columns = [
        TableColumn("name", "event"),
        TableColumn("front", "front"),
        TableColumn("who", "who", for_programs=False),
        TableColumn("where", "in", for_programs=False),
    ]
    return Answer(
        "arrivals",
        game.id,
        [
            RowTable("arrivals", columns, rows, heads=False),
            Sentence(
                "they may stand in enemy zones, too many to a hex until the phase ends, and act normally this turn",
                "7.4",
            ),
            Unofficial(unofficial_addresses(game, [(unit, "combat") for unit in compared])),
        ],
    )


ARRIVALS = Question(
    name="arrivals",
    about="whom an event brings to the Arabs, and where they may be put",
    answer=_arrivals,
    inputs=(
        Input(name="event", about="the dice of the event; else all", kind="choice", rows="events", example="9"),
        FRONT,
        *ON_THE_MAP,
        CONTROL,
    ),
)

"""What a turn brings: reserve points and what they buy, where units come onto the map (6, 7, 8.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from assistant.engine.field import Field
from assistant.games.six_day_war.forces import (
    FRONTS,
    HAVENS,
    HOMES,
    area,
    dead,
    entering,
    in_box,
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
    Node,
    PlaceList,
    RowTable,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
    Warning,
)
from assistant.questions.question import Input, Inputs, Question
from assistant.unofficial import required_factor, unofficial_addresses
from scenarios.model.areas import Area
from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.model.position import Position
from scenarios.reading.findings import join_alternatives, suggest
from scenarios.reading.shapes import number

# --- reserve points -----------------------------------------------------------------------------------------------------

SAVES = {
    "replace_armor_airborne_mechanized": "israeli_mobile_refit",
    "replace_other_mobile": "israeli_mobile_refit",
    "remove_terrorized": "terror_marker",
}
"""Purchases that take away something the victory chart counts (23.2)."""
ENHANCED = "enhanced_attack"


def prices(game: Game) -> Mapping[str, tuple[str, ...]]:
    """What can be bought: cost and phase (ZRP table)."""
    return {action: row for action, row in game.tables["zrp_costs"].cells.items() if row[0] != "no"}


def in_reserve(game: Game, position: Position) -> dict[str, int]:
    """How many markers and brigades the Reserve box still has (6.2); nothing where a position leaves them all out."""
    kinds = {
        "purchase_airstrike_or_sf": frozenset(("airstrike", "special_forces")),
        "purchase_ground_unit": frozenset(
            unit.id for unit in game.units.values() if unit.factors.get("front") == "either"
        ),
    }
    shown = {piece.unit for piece in position.pieces}
    return {action: len(in_box(position, "reserve", units)) for action, units in kinds.items() if units & shown}


def _reserve(game: Game, told: Inputs) -> Answer:
    """The price of a plan of purchases, with points already gone, and what each point buys (6.1, 6.2).

    Points stay between 0 and the limit, whatever events 4 and 5 take or give (ruling zrp_index). Each point spent is a victory point
    less; some purchases take away what costs victory points.
    """
    plan = {action: int(count) for action, count in told.get("plan", {}).items()}
    known, table, chart = prices(game), game.tables["zrp_costs"], game.tables["victory_points"]
    if strange := next((action for action in plan if action not in known), None):
        if strange in table.cells:
            raise BadQuestion("a static unit can't be brought back (8.1, 19.2)")
        raise BadQuestion(f"{strange!r} is nothing to buy; {suggest(strange, known)}")
    field, front = asked_field(game, told, units=False), told.get("front", "")
    turn, shock = field.position.turn, bool(field.in_force("free_enhanced", "israeli"))
    there = in_reserve(game, field.position)
    if shock:
        there[ENHANCED] = 0  # every attack is enhanced already (25.5)
    spent = int(told.get("spent", (field.position.on_track(f"{front}_zrp") if front else None) or 0))
    most = number(field.in_force("reserve_points")[0].value)
    hand = max(Fraction(0), min(most, most - spent + int(told.get("events", 0))))
    cost = sum((number(known[action][0]) * count for action, count in plan.items()), Fraction(0))
    left = hand - cost
    rows: list[dict[str, Cell]] = []
    for action, row in known.items():
        price, points = number(row[0]), int(left / number(row[0]))
        saves = -number(chart.cell(SAVES[action], 0).code) if action in SAVES else Fraction(0)
        unsold = there[action] - plan.get(action, 0) if action in there else points
        rows.append(
            {
                "action": action,
                "title": table.labels[action],
                "cost": price,
                "phase": row[1],
                "saves": saves or None,
                "count": plan.get(action, 0),
                "net": saves - price,
                "affordable": max(0, min(points, unsold)),
            }
        )
    columns = [
        TableColumn("title", "what"),
        TableColumn("action"),
        TableColumn("cost", "each"),
        TableColumn("phase", "phase"),
        TableColumn("saves", "saves VP"),
        TableColumn("count", "bought"),
        TableColumn("affordable", "more"),
        TableColumn("net"),
    ]
    wrong = [(f"{-left} point{'s' * (left != -1)} too many", "6.1")] if left < 0 else []
    wrong += [
        (f"{table.labels[action].lower()}: {count} times, but the Reserve box has {there[action]}", "6.2")
        for action, count in plan.items()
        if count > there.get(action, count) and action != ENHANCED
    ]
    wrong += [(f"no enhanced attack can be bought on turn {turn}", "25.5")] if shock and plan.get(ENHANCED) else []
    nodes: list[Node] = [
        *(Warning(f"not allowed: {text}", rule) for text, rule in wrong),
        RowTable("refused", [TableColumn("text")], [{"text": text, "rule": rule} for text, rule in wrong]),
        RowTable("actions", columns, rows),
        Value("cost", cost, "Cost"),
        Value("left", left, f"Left of {hand} in hand"),
        Sentence("each point spent is a victory point less", "23.2"),
    ]
    nodes += (
        [Sentence(f"on turn {turn} every attack is enhanced for nothing, and none can be bought", "25.5")]
        if shock
        else []
    )
    nodes += _put_down(field, front) if front else []
    costs = [("zrp_costs", action, "cost") for action in known]
    saved = [("victory_points", SAVES[action], "points") for action in known if action in SAVES]
    return Answer("reserve", game.id, [*nodes, Unofficial(unofficial_addresses(game, cells=(*costs, *saved)))])


def _put_down(field: Field, front: str) -> list[Node]:
    """Where bought and refitted units of a front arrive: such places of Israel under Israeli control, not terrorized (7.2, 8.3,
    18.8). A full hex takes them, for stacks are counted at the end of the phases that follow (11.4)."""
    mine = [n for n in sorted(field.map_index.region(f"israel_{front}")) if field.control(n) == "israeli"]
    calm = [n for n in mine if not any(marker["id"] == "terrorized" for marker in field.markers.get(n, ()))]
    nodes: list[Node] = [
        PlaceList(key, {field.place(n): {} for n in calm if terrain(field, n) in kinds}, title)
        for key, kinds, title in (
            ("purchases_at", HOMES, "Bought units (7.2, 18.8)"),
            ("replacements_at", HAVENS, "From Refit (8.3, 18.8)"),
        )
    ]
    if not any(terrain(field, n) in HAVENS for n in mine):
        nodes.append(Sentence("no airstrikes or special forces: the front controls no city or town of Israel", "7.3"))
    return nodes


RESERVE = Question(
    name="reserve",
    about="reserve points: a plan, what each point buys, and where units arrive",
    answer=_reserve,
    inputs=(
        Input(
            name="plan",
            about="what is bought",
            kind="pairs",
            rows="zrp_costs",
            example="purchase_ground_unit:2,enhanced_attack:1",
        ),
        Input(name="spent", about="points spent before", kind="number"),
        Input(name="events", about="what events 4 and 5 took or gave", kind="number", minimum=-99, example="-3"),
        FRONT,
        *ON_THE_MAP,
        CONTROL,
    ),
)


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

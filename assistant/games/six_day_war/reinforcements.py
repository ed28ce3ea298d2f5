"""Reserve points and what they buy; where units come onto the map: Israelis, and the Arabs that an event brings (6, 7, 8.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assistant.answers import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Column,
    Counter,
    Line,
    Node,
    Ours,
    Places,
    Table,
    Value,
    Warning,
)
from assistant.games.six_day_war.fronts import (
    FRONTS,
    HAVENS,
    HOMES,
    area,
    dead,
    entering,
    in_box,
    in_force,
    region,
    terrain,
    watched,
)
from assistant.games.six_day_war.questions import CONTROL, FRONT, ON_THE_MAP, asked_field, place, places
from assistant.questions import Input, Question, Told
from assistant.rules.field import Field
from assistant.sourced import needed, ours
from scenarios.areas import Area
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.position import Position
from scenarios.reading.findings import instead
from scenarios.reading.shapes import number

SAVES = {
    "replace_armor_airborne_mechanized": "israeli_mobile_refit",
    "replace_other_mobile": "israeli_mobile_refit",
    "remove_terrorized": "terror_marker",
}
"""Purchases that take away something the victory chart counts (23.2)."""


@dataclass(frozen=True)
class Purchase:
    """One thing that reserve points buy; `saves` are the victory points that come back with each."""

    action: str
    cost: Fraction
    phase: str
    count: int
    affordable: int
    """How many more the points left would buy, and the Reserve box has."""
    saves: Fraction

    @property
    def total(self) -> Fraction:
        """What so many cost."""
        return self.cost * self.count

    @property
    def net(self) -> Fraction:
        """What each does to the score: each point spent is a victory point less."""
        return self.saves - self.cost


@dataclass(frozen=True)
class Budget:
    """What is bought, what it costs, and what is left."""

    purchases: tuple[Purchase, ...]
    hand: Fraction

    @property
    def cost(self) -> Fraction:
        """What all purchases cost."""
        return sum((one.total for one in self.purchases), Fraction(0))

    @property
    def left(self) -> Fraction:
        """Points that can still be spent afterwards; below 0 the plan is too dear."""
        return self.hand - self.cost


def limit(game: Game, scenario: str = "standard") -> Fraction:
    """How many points a player may spend in the game (6.1)."""
    effects = [e for s in game.scenarios[scenario].special for e in s.effects if e.effect == "reserve_points"]
    return number(effects[0].value)


def prices(game: Game) -> Mapping[str, tuple[str, ...]]:
    """What can be bought: cost and phase (ZRP table)."""
    return {action: row for action, row in game.tables["zrp_costs"].cells.items() if row[0] != "no"}


def in_reserve(game: Game, position: Position) -> dict[str, int]:
    """How many markers and brigades the Reserve box still has (6.2); nothing where a position leaves them all out."""
    kinds = {
        "purchase_airstrike_or_sf": frozenset(("airstrike", "special_forces")),
        "purchase_ground_unit": frozenset(unit.id for unit in game.units.values() if unit.factors.get("front") == "either"),
    }
    shown = {piece.unit for piece in position.pieces}
    return {action: len(in_box(position, "reserve", units)) for action, units in kinds.items() if units & shown}


def budget(
    game: Game, plan: Mapping[str, int], *, spent: int = 0, scenario: str = "standard", events: int = 0,
    there: Mapping[str, int] | None = None,
) -> Budget:  # fmt: skip
    """The price of a plan, and how many of each thing the points left would buy (6.1, 6.2).

    `events` is what events 4 and 5 have taken from or added to the points in hand, which stay between 0 and the limit
    (ruling zrp_index). `there` is how many of a thing are left to buy.
    """
    known = prices(game)
    for action in plan:
        if action not in known:
            table = game.tables["zrp_costs"].cells
            why = "can't be bought" if action in table else f"is nothing to buy; {instead(action, known)}"
            raise BadQuestion(f"{action!r} {why}")
    most = limit(game, scenario)
    hand = max(Fraction(0), min(most, most - spent + events))
    left = hand - sum((number(known[action][0]) * count for action, count in plan.items()), Fraction(0))
    chart = game.tables["victory_points"]

    def more(action: str, price: str) -> int:
        points = int(left / number(price))
        unsold = there[action] - plan.get(action, 0) if there and action in there else points
        return max(0, min(points, unsold))

    found = tuple(
        Purchase(
            action, number(row[0]), row[1], plan.get(action, 0), more(action, row[0]),
            -number(chart.cell(SAVES[action], 0).code) if action in SAVES else Fraction(0),
        )
        for action, row in known.items()
    )  # fmt: skip
    return Budget(found, hand)


# --- onto the map -------------------------------------------------------------------------------------------------------

CITIES = ("city", "fortified_city")
AREAS = {front: Area(zone=f"{front}_arrivals") for front in FRONTS}
OUT = re.compile(r"dead|aside")
"""Places that nobody waits in."""


def arrivals(field: Field, front: str, kinds: Sequence[str]) -> list[int]:
    """Where Israelis of a front may be put on the map: such places of Israel under Israeli control, not terrorized (7.2,
    8.3, 18.8). A full hex takes them, for stacks are counted at the end of the phases that follow (11.4)."""
    terror = {n for n, markers in field.markers.items() if any(marker["id"] == "terrorized" for marker in markers)}
    homes = (n for n in region(field, f"israel_{front}") if terrain(field, n) in kinds and n not in terror)
    return [n for n in homes if field.control(n) == "israeli"]


@dataclass(frozen=True)
class Arrival:
    """What an event brings to the Arabs of a front."""

    event: str
    units: tuple[Unit, ...]
    chance: Fraction
    """The chance of each unit: 1 where all come or the player picks."""
    hexes: tuple[int, ...]
    hot: tuple[int, ...]
    """Hexes in an enemy zone of control, which is allowed."""


def arab_events(field: Field) -> dict[str, str]:
    """The events that bring Arabs, by their dice, with their names (25.7, Random Events Table)."""
    table = field.game.tables["events"]
    events = {row: cells[0] for row, cells in table.cells.items()}
    return {row: name for row, name in events.items() if {"arab_returns", "arrives"} & table.results[name].effects.keys()}


def _effects(game: Game, event: str) -> Mapping[str, str]:
    """What an event does, by its dice."""
    table = game.tables["events"]
    return table.results[table.cells[event][0]].effects


def returns(game: Game, event: str) -> bool:
    """Whether an event brings units back from the dead."""
    return "arab_returns" in _effects(game, event)


def arab_arrival(field: Field, front: str, event: str) -> Arrival:
    """Who comes to a front by an event, and where: the map edge and Arab cities, not where an enemy stands (7.4)."""
    back, drawn = returns(field.game, event), _effects(field.game, event).get("arrives", "").split(" ")[0].isdecimal()
    units = _weakest(field, front) if back else _waiting(field, front, event)
    scenario = field.game.scenarios[field.position.scenario]
    entries = [g.enters.at for g in scenario.forces["arab"].groups if g.enters and units and units[0].id in g.units]
    places = area(field, (entries[0] if entries and not back else None) or AREAS[front])
    somebody = field.taker("israeli", 0, zone=False)
    stepper = entering(field, somebody)
    hexes = tuple(
        n
        for n in sorted(places)
        if stepper.entered(n) is None and (terrain(field, n) not in CITIES or field.control(n) == "arab")
    )
    chance = Fraction(1, len(units)) if drawn and units else Fraction(1)
    return Arrival(event, units, chance, hexes, tuple(n for n in hexes if watched(field, n, "arab")))


def _waiting(field: Field, front: str, event: str) -> tuple[Unit, ...]:
    """The units of an event that are still outside (24.1)."""
    meant = next(effect for effect in field.in_force("by_event") if effect.value == event)
    outside = [p.unit for p in field.position.pieces if isinstance(p.at, str) and not OUT.search(p.at)]
    units = (field.game.units[unit] for unit in outside if unit in field.game.units)
    return tuple(
        unit
        for unit in units
        if unit.nation == meant.nation and unit.factors.get("front") == front and (not meant.units or unit.id in meant.units)
    )


def lost_mobile(field: Field, front: str) -> list[Unit]:
    """The mobile Arabs among the dead of a front."""
    lost = [field.game.units[p.unit] for p in dead(field.game, field.position, front) if p.unit in field.game.units]
    return [unit for unit in lost if unit.side == "arab" and unit.class_ == "mobile"]


def _weakest(field: Field, front: str) -> tuple[Unit, ...]:
    """The weakest mobile Arab among the dead of a front; several where they are equal and the player picks (event 3)."""
    mobile = lost_mobile(field, front)
    least = min((needed(field.game, unit, "combat") for unit in mobile), default=Fraction(0))
    return tuple(unit for unit in mobile if needed(field.game, unit, "combat") == least)


# --- the questions ----------------------------------------------------------------------------------------------------

ENHANCED = "enhanced_attack"


def _reserve(game: Game, told: Told) -> Answer:
    """The price of a plan of purchases, with points already gone, and what each point buys (6.2)."""
    plan = {action: int(count) for action, count in told.get("plan", {}).items()}
    front = told.get("front", "")
    field = asked_field(game, told, units=False)
    turn, shock = field.position.turn, in_force(field, "free_enhanced")
    there = in_reserve(game, field.position)
    if shock:
        there[ENHANCED] = 0  # every attack is enhanced already (25.5)
    spent = int(told.get("spent", (field.position.on_track(f"{front}_zrp") if front else None) or 0))
    found = budget(game, plan, spent=spent, events=int(told.get("events", 0)), there=there)
    labels = game.tables["zrp_costs"].labels
    rows: list[dict[str, Cell]] = [
        {"action": one.action, "title": labels[one.action], "cost": one.cost, "phase": one.phase, "saves": one.saves or None,
         "count": one.count, "net": one.net, "affordable": one.affordable}
        for one in found.purchases
    ]  # fmt: skip
    columns = [
        Column("title", "what"), Column("action"), Column("cost", "each"), Column("phase", "phase"), Column("saves", "saves VP"),
        Column("count", "bought"), Column("affordable", "more"), Column("net"),
    ]  # fmt: skip
    wrong = [(f"{-found.left} points too many", "6.1")] if found.left < 0 else []
    wrong += [
        (f"{one.action} {one.count} times, the Reserve box has {there[one.action]}", "6.2")
        for one in found.purchases
        if one.count > there.get(one.action, one.count) and one.action != ENHANCED
    ]
    wrong += [(f"{ENHANCED}: none can be bought on turn {turn}", "25.5")] if shock and plan.get(ENHANCED) else []
    nodes: list[Node] = [
        *(Warning(f"not allowed: {text}", rule) for text, rule in wrong),
        Table("refused", [Column("text")], [{"text": text, "rule": rule} for text, rule in wrong]), Table("actions", columns, rows),
        Value("cost", found.cost, "Cost"), Value("left", found.left, f"Left of {found.hand} in hand"),
        Line("each point spent is a victory point less", "23.2"),
    ]  # fmt: skip
    nodes += [Line(f"on turn {turn} every attack is enhanced for nothing, and none can be bought", "25.5")] if shock else []
    nodes += _put_down(field, front) if front else []
    costs = [("zrp_costs", one.action, "cost") for one in found.purchases]
    saves = [("victory_points", SAVES[one.action], "points") for one in found.purchases if one.action in SAVES]
    return Answer("reserve", game.id, [*nodes, Ours(ours(game, cells=(*costs, *saves)))])


def _put_down(field: Field, front: str) -> list[Node]:
    """Where bought and refitted units of a front arrive."""
    nodes: list[Node] = [
        Places(key, {place(field, n): {} for n in arrivals(field, front, kinds)}, title)
        for key, kinds, title in (
            ("purchases_at", HOMES, "Bought units (7.2, 18.8)"), ("replacements_at", HAVENS, "From Refit (8.3, 18.8)"),
        )
    ]
    havens = (n for n in region(field, f"israel_{front}") if terrain(field, n) in HAVENS)
    if not any(field.control(n) == "israeli" for n in havens):
        nodes.append(Line("no airstrikes or special forces: the front controls no city or town of Israel", "7.3"))
    return nodes


def _arrivals(game: Game, told: Told) -> Answer:
    """Whom an event brings to the Arabs of a front, and where they may be put (7.4)."""
    field = asked_field(game, told)
    known = arab_events(field)
    event = told.get("event", "")
    if event and event not in known:
        raise BadQuestion(f"event: no Arabs come by {event!r}; {instead(event, known)}")
    rows: list[dict[str, Cell]] = []
    compared: list[Unit] = []
    for key in [event] if event else known:
        for front in [told["front"]] if "front" in told else FRONTS:
            found = arab_arrival(field, front, key)
            compared += lost_mobile(field, front) if returns(game, key) else ()
            joined = " and " if found.chance == 1 and not returns(game, key) else " or "
            each = f", {float(found.chance):.1%} each" if found.chance < 1 else ""
            where = " ".join(map(field.kinds.name, found.hexes)) or "no hex is free: they come next turn"
            rows.append({
                "event": key, "name": known[key], "front": front, "units": [Counter(unit.id, unit.name) for unit in found.units],
                "who": (joined.join(unit.name for unit in found.units) or "nobody waits") + each, "chance": Chance(found.chance),
                "where": where if found.units else "", "places": places(field, found.hexes), "enemy_zone": places(field, found.hot),
            })  # fmt: skip
    columns = [
        Column("name", "event"), Column("front", "front"), Column("who", "who", told=False), Column("where", "in", told=False),
    ]  # fmt: skip
    return Answer("arrivals", game.id, [
        Table("arrivals", columns, rows, heads=False),
        Line("they may stand in enemy zones, too many to a hex until the phase ends, and act as usual this turn", "7.4"),
        Ours(ours(game, [(unit, "combat") for unit in compared])),
    ])  # fmt: skip


RESERVE = Question(
    name="reserve", about="reserve points: a plan, what each point buys, and where units arrive", answer=_reserve,
    inputs=(
        Input(name="plan", about="what is bought", kind="pairs", rows="zrp_costs", example="purchase_ground_unit:2,enhanced_attack:1"),
        Input(name="spent", about="points spent before", kind="number"),
        Input(name="events", about="what events 4 and 5 took or gave", kind="number", least=-99, example="-3"),
        FRONT, *ON_THE_MAP, CONTROL,
    ),
)  # fmt: skip
ARRIVALS = Question(
    name="arrivals", about="whom an event brings to the Arabs, and where they may be put", answer=_arrivals,
    inputs=(
        Input(name="event", about="the dice of the event; else all", kind="choice", rows="events", example="9"),
        FRONT, *ON_THE_MAP, CONTROL,
    ),
)  # fmt: skip

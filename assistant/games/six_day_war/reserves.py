"""Reserve points: what they buy; and whether an eliminated unit goes to Refit or to the deadpile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from assistant.attacks import BadQuestion
from assistant.games.six_day_war.field import Field, Stand
from assistant.shared.hexpaths import grow, hex_net
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.reading.findings import instead
from scenarios.reading.shapes import number


@dataclass(frozen=True)
class Purchase:
    """One thing that reserve points buy."""

    action: str
    cost: Fraction
    phase: str
    count: int
    affordable: int

    @property
    def total(self) -> Fraction:
        """What so many cost."""
        return self.cost * self.count


@dataclass(frozen=True)
class Budget:
    """What is bought, what it costs, and what is left. Each point is a victory point less (23.2)."""

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


def budget(game: Game, plan: Mapping[str, int], *, spent: int = 0, scenario: str = "standard", events: int = 0) -> Budget:
    """The price of a plan, and how many of each thing the points left would buy (6.1, 6.2).

    `events` is what events 4 and 5 have taken from or added to the points in hand, which stay
    between 0 and the limit (ruling zrp_index).
    """
    table = game.tables["zrp_costs"]
    prices = {action: row for action, row in table.cells.items() if row[0] != "no"}
    for action in plan:
        if action not in prices:
            why = "can't be bought" if action in table.cells else f"is nothing to buy; {instead(action, prices)}"
            raise BadQuestion(f"{action!r} {why}")
    most = limit(game, scenario)
    hand = max(Fraction(0), min(most, most - spent + events))
    cost = sum((number(prices[action][0]) * count for action, count in plan.items()), Fraction(0))
    left = hand - cost
    found = tuple(
        Purchase(action, number(row[0]), row[1], plan.get(action, 0), max(0, int(left / number(row[0]))))
        for action, row in prices.items()
    )
    return Budget(found, hand)


@dataclass(frozen=True)
class Line:
    """Where an Israeli unit would go if it were eliminated where it stands."""

    stand: Stand
    refit: bool
    path: tuple[Hex, ...]


def replacement_lines(field: Field) -> tuple[Line, ...]:
    """Which mobile Israelis have a way of free hexes to a city or town of Israel (8.2).

    The way enters no enemy hex, no enemy zone of control, no water and no closed country; the unit's own hex is where
    it died and needn't be free of zones. A fortified city is a city (ruling fortified_city_is_a_city).
    """
    closed = field.closed("israeli")
    shut = closed | frozenset(field.held["arab"]) | frozenset(field.zones["arab"])

    def cost(a: Hex, b: Hex) -> Fraction | None:
        return Fraction(1) if field.enterable(b) else None

    net = hex_net(field.table, cost)
    havens = [
        hex for hex in field.table.zones["israel"] if field.table.terrain[hex] in ("city", "fortified_city", "town")
    ]
    numbers = net.numbers
    barred = frozenset(numbers[hex] for hex in shut)
    tree = grow(net.back, [numbers[hex] for hex in havens], barred)
    found = []
    for stand in field.stands:
        if stand.side != "israeli" or stand.static:
            continue
        home = numbers[stand.hex]
        doors = [home] if home in tree.costs else [near for near, _ in net.steps[home] if near in tree.costs]
        if not doors:
            found.append(Line(stand, False, ()))
            continue
        door = min(doors, key=lambda place: (tree.costs[place], place))
        way = [net.places[place] for place in reversed(tree.path(door))]
        found.append(Line(stand, True, tuple(way if door == home else (stand.hex, *way))))
    return tuple(found)

"""Ground movement (9.0, 13.0, 24.2, 28.1)."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from assistant.answers import Answer, Cell, Column, Line, Node, Ours, Places, Table, Value, Warning
from assistant.games.musketeer.asking import PLACED, asked_hex, asked_placed, counter, place
from assistant.games.musketeer.contingents import contingent
from assistant.games.musketeer.field import movement_of
from assistant.games.musketeer.ground import WATERS, Ground, Step
from assistant.games.musketeer.stacking import room
from assistant.games.musketeer.support import Support
from assistant.questions import Input, Question, Told
from assistant.shared.sourced import ours
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex, distance


class Reach(NamedTuple):
    """A hex that a unit can move to: what it pays, the path, and whether an enemy zone of control stops it there."""

    cost: Fraction
    path: tuple[Hex, ...]
    stops: bool
    ways: tuple[str, ...] = ()
    """For each step the road or track it goes along; nothing where it goes across country."""


@dataclass(frozen=True)
class Mover:
    """A unit about to move. `disrupted` units have their back's movement."""

    here: Support
    unit: Unit
    start: Hex
    disrupted: bool = False

    @property
    def allowance(self) -> int:
        """Its movement factor (9.1)."""
        return movement_of(self.here.game, self.unit, self.disrupted)

    @property
    def enemies(self) -> frozenset[Hex]:
        """Hexes with enemy ground units."""
        return self.here.enemies[self.unit.side]

    @property
    def zone(self) -> frozenset[Hex]:
        """Hexes in enemy zones of control (13.0)."""
        return self.here.zones[self.unit.side]

    @cached_property
    def engineers(self) -> frozenset[Hex]:
        """Hexes with engineers of its contingent, who help others across while they stay (24.2)."""
        own = contingent(self.unit.nation)
        return frozenset(
            hex for _, unit, hex in self.here.units if "bridges" in unit.abilities and contingent(unit.nation) == own
        )

    @property
    def open(self) -> frozenset[Hex]:
        """The hexes that politics leave it (28.1)."""
        return self.here.open_to(self.unit.nation)

    def costs(self, a: Hex, b: Hex, last: str) -> dict[str, Fraction]:
        """What a step costs along each way it can go; nothing where nobody can go."""
        step = next(step for step in self.ground.steps[a] if step.hex == b)
        return {way: Fraction(price, self.ground.parts) for way, price in self.prices(step, a, last)}

    def prices(self, step: Step, start: Hex, last: str) -> list[tuple[str, int]]:
        """What a step costs in parts of a point along each way it can go; nothing where nobody can go.

        Across country the hex's dearest terrain and the hexside together (9.8, 9.9). Along a road or track its own price
        whatever the terrain, and one point from one kind of way to the other (9.10). A unit takes which it likes: the
        cheapest step may lead to a dearer one. Hexsides cost on roads too (the ruling on roads and hexsides).
        """
        if step.terrain is None:
            return []
        extra = sum(self._crossed(step, start).values()) if step.sides else 0
        found = [("", step.terrain + extra)]
        for way in step.ways:
            changed = last != "" and last != way
            found.append((way, (self.ground.parts if changed else self.ground.price(way)) + extra))
        return found

    def crossed(self, a: Hex, b: Hex) -> dict[str, Fraction]:
        """The hexsides of a step with their prices (9.8)."""
        step = next(step for step in self.ground.steps[a] if step.hex == b)
        return {kind: Fraction(price, self.ground.parts) for kind, price in self._crossed(step, a).items()}

    def _crossed(self, step: Step, start: Hex) -> dict[str, int]:
        """That in parts of a point: nothing for water where engineers help (24.2)."""
        helped = "bridges" in self.unit.abilities or start in self.engineers or step.hex in self.engineers
        return {kind: 0 if helped and kind in WATERS else price for kind, price in step.sides.items()}

    @property
    def ground(self) -> Ground:
        return self.here.ground

    def passable(self, hex: Hex) -> bool:
        """Whether ground units enter the hex at all (9.4)."""
        return self.ground.costs[hex] is not None


def moves(mover: Mover) -> Mapping[Hex, Reach]:
    """Every hex that a unit can end its move in, with the cheapest way; one hex it can always move (9.3)."""
    if not mover.allowance:
        return {mover.start: Reach(Fraction(0), (mover.start,), False)}
    parts, steps = mover.ground.parts, mover.ground.steps
    zone, enemies, open_ = mover.zone, mover.enemies, mover.open
    most = mover.allowance * parts
    best: dict[Hex, tuple[int, tuple[Hex, ...], tuple[str, ...]]] = {}
    too_dear: dict[Hex, tuple[int, tuple[Hex, ...], tuple[str, ...]]] = {}
    seen: set[tuple[Hex, str]] = set()
    queue: list[tuple[int, tuple[Hex, ...], tuple[str, ...]]] = [(0, (mover.start,), ())]
    while queue:
        spent, path, ways = heapq.heappop(queue)
        here, last = path[-1], ways[-1] if ways else ""
        if (here, last) in seen:
            continue
        seen.add((here, last))
        stops = here in zone and here != mover.start
        best.setdefault(here, (spent, path, ways))
        if stops:
            continue
        for step in steps[here]:
            there = step.hex
            if there in enemies or there not in open_ or (there in zone and here in zone):
                continue  # 9.4, 28.1, 13.6
            for way, price in mover.prices(step, here, last):
                if (there, way) in seen:
                    continue
                found = spent + price, (*path, there), (*ways, way)
                if found[0] <= most:
                    heapq.heappush(queue, found)
                elif len(path) == 1:
                    too_dear[there] = min(found, too_dear.get(there, found))
    # The one hex that it can always move, where no way within its allowance leads there (9.3).
    best = {**too_dear, **best}
    return {
        hex: Reach(Fraction(spent, parts), path, hex in zone and hex != mover.start, ways)
        for hex, (spent, path, ways) in best.items()
    }


# --- the question -----------------------------------------------------------------------------------------------------


def _move(game: Game, told: Told) -> Answer:
    placed = asked_placed(game, told)
    here, unit, start = placed.here, placed.unit, placed.start
    mover = Mover(here, unit, start, placed.disrupted)
    goal = asked_hex(here.table, told, "to")
    found = moves(mover)
    if goal is not None:
        found = {goal: found[goal]} if goal in found else {}
    reach = {
        place(here.table, hex): _row(mover, hex, one) for hex, one in sorted(found.items(), key=lambda item: (item[1].cost, item[0]))
    }
    who = counter(game, unit)
    columns = [Column("cost", "points"), Column("path", "way"), Column("note", "note")]
    nodes: list[Node] = [
        Line((who, " in ", placed.place)), Value("unit", who, shown=False), Value("from", placed.place, shown=False),
        Value("allowance", mover.allowance, "Movement points"), Places("reach", reach, "Reach", columns),
    ]  # fmt: skip
    if goal is not None and goal in found:
        heads = [Column("place", "step"), Column("cost", "points"), Column("why", "for")]
        nodes.append(Table("steps", heads, list(_paid(mover, found[goal]))))
    elif goal is not None:
        why, rule = _why_not(mover, goal)
        nodes += [
            Warning((place(here.table, goal), f" is out of its reach: {why}"), rule),
            Value("why", why, shown=False), Value("rule", rule, shown=False),
        ]  # fmt: skip
    nodes.append(Ours(ours(game, [(unit, "movement")], cells=_cells(mover, found.values()))))
    return Answer("move", game.id, nodes)


def _row(mover: Mover, hex: Hex, reach: Reach) -> dict[str, Cell]:
    """A hex of the reach: it may stop there for an enemy zone, and it may have no room."""
    may_end = hex == mover.start or room(mover.here, mover.unit, hex)
    notes = ["stop"] * reach.stops + ["no room (12.1, 12.5)"] * (not may_end) + ["minimum move (9.3)"] * (reach.cost > mover.allowance)
    return {
        "cost": reach.cost, "path": [place(mover.here.table, step) for step in reach.path], "stops": reach.stops, "may_end": may_end,
        "note": ", ".join(notes),
    }  # fmt: skip


def _cells(mover: Mover, reached: Iterable[Reach]) -> Iterator[tuple[str, str, str]]:
    """The cells of the terrain chart that the paths rest on."""
    ground = mover.ground
    for reach in reached:
        for (a, b), way in zip(itertools.pairwise(reach.path), reach.ways, strict=True):
            used = [way] if way else [kind for kind in ground.kinds(b) if ground.prices.get(kind, 0) * ground.parts == ground.costs[b]]
            yield from (("terrain", kind, "move") for kind in (*used, *mover.crossed(a, b)))


def _paid(mover: Mover, reach: Reach) -> Iterator[dict[str, Cell]]:
    """What each step of a path costs, and for what (9.8 to 9.10, 24.2)."""
    game, last = mover.here.game, ""
    for (a, b), way in zip(itertools.pairwise(reach.path), reach.ways, strict=True):
        cost = mover.costs(a, b, last)[way]
        sides = mover.crossed(a, b)
        ground = game.paths[way].name if way else game.terrain[mover.here.table.terrain[b]].name
        base = cost - sum(sides.values())
        what = [f"{ground} {base}" + ", changing ways" * bool(way and last and way != last)]
        what += [f"{game.hexsides[kind].name} +{price}" for kind, price in sides.items() if price]
        what += [f"{game.hexsides[kind].name} +0, engineers" for kind, price in sides.items() if kind in WATERS and not price]
        yield {"place": place(mover.here.table, b), "cost": cost, "why": what}
        last = way


def _why_not(mover: Mover, goal: Hex) -> tuple[str, str]:
    """The first thing that keeps a unit from a hex, and its rule."""
    if not mover.allowance:
        return "it never moves", "9.5"
    if goal in mover.enemies:
        return "enemies are there", "9.4"
    if not mover.passable(goal):
        return f"nobody enters {mover.here.game.terrain[mover.here.table.terrain[goal]].name.lower()}", "9.4"
    if goal not in mover.open:
        return "it keeps to Israel and the Sinai, and off the canal", "28.1"
    if mover.start in mover.zone and goal in mover.zone and distance(mover.start, goal) == 1:
        return "it never goes from one enemy zone of control straight into another", "13.6"
    return "too many movement points, or enemies and their zones in the way", "9.1, 13.4"


MOVE = Question(
    name="move", about="where a unit can go, and at what cost", answer=_move, bare=("unit", "from", "to"),
    inputs=(*PLACED, Input(name="to", about="one hex to go to; left out, all", kind="place")),
)  # fmt: skip

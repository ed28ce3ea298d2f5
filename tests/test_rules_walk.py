"""The walk against a slow search written from the language's definition: small random maps, random rules, random positions.

Nothing of the engine is used here but the answers: conditions are written twice, as expressions of a pack and as functions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.engine.field import Field
from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of
from assistant.engine.movement.reach import reach
from assistant.engine.retreat.paths import retreat
from scenarios import load
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, distance, neighbours
from scenarios.model.position import Piece, Position
from tests.packs import SMALL

PACK = (
    SMALL
    + """hexsides: {river: River}
paths: {road: Road}
classes: {foot: Foot}
types: {man: Man}
abilities: {heavy: Heavy}
factors: {movement: {name: Movement}}
counters:
  light: {name: Light, class: foot, type: man, steps: 3, factors: {movement: 4}, variants: {red: {count: 4}, blue: {count: 4}}}
  heavy_one:
    {name: Heavy, class: foot, type: man, steps: 3, abilities: [heavy], factors: {movement: 6},
     variants: {red: {count: 4}, blue: {count: 4}}}
"""
)


STEPS = 3
"""What each unit can lose before it is gone."""


@dataclass
class World:
    """A map and who stands on it, in plain dictionaries."""

    terrain: dict[Hex, str]
    rivers: set[frozenset[Hex]]
    roads: set[frozenset[Hex]]
    units: list[tuple[str, bool, Hex]]
    """Side, heavy or not, place; the first walks."""

    @property
    def start(self) -> Hex:
        return self.units[0][2]

    def adjacent_hexes(self, hex: Hex) -> list[Hex]:
        return [neighbour for neighbour in neighbours(hex) if neighbour in self.terrain]

    def enemy(self, hex: Hex) -> bool:
        return any(side == "blue" and location == hex for side, _, location in self.units)

    def friends(self, hex: Hex) -> int:
        return sum(side == "red" and location == hex for side, _, location in self.units[1:])

    def zoc(self, hex: Hex) -> bool:
        """Heavy enemies have zones; none crosses a river."""
        return any(
            side == "blue"
            and heavy
            and hex in self.adjacent_hexes(location)
            and frozenset((hex, location)) not in self.rivers
            for side, heavy, location in self.units
        )


@dataclass
class Step:
    """What a condition may look at."""

    world: World
    a: Hex
    b: Hex
    first: bool
    mode: str = ""
    last: str = ""

    @property
    def hexside(self) -> frozenset[Hex]:
        return frozenset((self.a, self.b))


Condition = Callable[[Step], bool]
CONDITIONS: dict[str, Condition] = {
    "to.woods": lambda s: s.world.terrain[s.b] == "woods",
    "from.woods": lambda s: s.world.terrain[s.a] == "woods",
    "to.lake and not heavy": lambda s: s.world.terrain[s.b] == "lake" and not s.world.units[0][1],
    "over.river": lambda s: s.hexside in s.world.rivers,
    "over.road": lambda s: s.hexside in s.world.roads,
    "not over.road and over.river": lambda s: s.hexside not in s.world.roads and s.hexside in s.world.rivers,
    "to.enemy": lambda s: s.world.enemy(s.b),
    "to.friend": lambda s: s.world.friends(s.b) > 0,
    "to.zoc": lambda s: s.world.zoc(s.b),
    "to.zoc and not to.friend": lambda s: s.world.zoc(s.b) and not s.world.friends(s.b),
    "from.zoc and to.zoc": lambda s: s.world.zoc(s.a) and s.world.zoc(s.b),
    "first": lambda s: s.first,
    "start.woods and not first": lambda s: s.world.terrain[s.world.start] == "woods" and not s.first,
    "heavy": lambda s: s.world.units[0][1],
    "count(to.friends) >= 2": lambda s: s.world.friends(s.b) >= 2,
    "any(from.enemies, heavy)": lambda s: any(
        side == "blue" and heavy and location == s.a for side, heavy, location in s.world.units
    ),
    'mode == "road"': lambda s: s.mode == "road",
    'last_mode == "road" and mode != "road"': lambda s: s.last == "road" and s.mode != "road",
}
EFFECTS = [
    "cost: 1", "cost: 2", "cost: 1/2", "cost: 3", "add: 1", "add: 1/3", "multiply: 2", "harm: 1", "stop: true", "forbid: true",
    "cost: all",
]  # fmt: skip
MODES: dict[str, Condition] = {"road": CONDITIONS["over.road"], "country": lambda s: True}


@dataclass
class Verdict:
    cost: Fraction | None = None
    takes_all: bool = False
    stop: bool = False
    harm: int = 0


def judge(records: list[tuple[str, str]], step: Step, is_priced: bool) -> Verdict | None:
    """The records from top to bottom, as the language says; None where the step can't be taken."""
    verdict = Verdict()
    for condition, effect in records:
        if condition and not CONDITIONS[condition](step):
            continue
        name, _, text = effect.partition(": ")
        if name == "forbid":
            return None
        if name == "stop":
            verdict.stop = True
        elif name == "harm":
            verdict.harm += 1
        elif text == "all":
            verdict.takes_all = True
        elif name == "cost":
            verdict.cost, verdict.takes_all = Fraction(text), False
        elif name == "add":
            verdict.cost = (verdict.cost if verdict.cost is not None else Fraction(0 if is_priced else 1)) + Fraction(
                text
            )
        elif verdict.cost is not None:
            verdict.cost *= Fraction(text)
    if not verdict.takes_all and verdict.cost is None:
        if is_priced:
            return None
        verdict.cost = Fraction(1)
    return verdict


@dataclass
class Slow:
    """Every state by relaxing all steps until nothing changes."""

    world: World
    records: list[tuple[str, str]]
    points: Fraction
    modes: bool
    moving: dict[tuple[Hex, str], Fraction] = field(default_factory=dict)
    stop_costs: dict[Hex, Fraction] = field(default_factory=dict)

    def run(self) -> dict[Hex, Fraction]:
        start = self.world.start
        self.moving = {(start, ""): Fraction(0)}
        has_changed = True
        while has_changed:
            has_changed = False
            for (a, last), total in list(self.moving.items()):
                for b in self.world.adjacent_hexes(a):
                    for mode in self._modes(a, b):
                        # A walk that comes back to its start is never on its first step again, nor in no mode.
                        has_changed |= self._take(
                            a, b, last, mode, total, first=(a, last) == (start, "") and total == 0
                        )
        best: dict[Hex, Fraction] = {}
        for (hex, _), cost in self.moving.items():
            best[hex] = min(cost, best.get(hex, cost))
        for hex, cost in self.stop_costs.items():
            best[hex] = min(cost, best.get(hex, cost))
        return best

    def _modes(self, a: Hex, b: Hex) -> Iterator[str]:
        if not self.modes:
            yield ""
            return
        for mode, open_ in MODES.items():
            if open_(Step(self.world, a, b, False)):
                yield mode

    def _take(self, a: Hex, b: Hex, last: str, mode: str, total: Fraction, first: bool) -> bool:
        verdict = judge(self.records, Step(self.world, a, b, first, mode, last), True)
        if verdict is None or (verdict.takes_all and (not first or not self.points)):
            return False
        onward = self.points if verdict.takes_all else total + (verdict.cost or 0)
        if onward > self.points:
            return False
        if verdict.stop or verdict.takes_all:
            if b in self.stop_costs and self.stop_costs[b] <= onward:
                return False
            self.stop_costs[b] = onward
            return True
        if self.moving.get((b, mode), onward + 1) <= onward:
            return False
        self.moving[b, mode] = onward
        return True


def rules_text(records: list[tuple[str, str]], modes: bool) -> str:
    lines = ["        - {text: base, rule: base, cost: 0}"]
    for n, (condition_name, effect) in enumerate(records):
        condition = f", when: '{condition_name}'" if condition_name else ""
        lines.append(f"        - {{text: record {n}, rule: r{n}{condition}, {effect}}}")
    steps = "\n".join(lines)
    mode_text = "\n      modes: {road: over.road, country: true}" if modes else ""
    without = "\n".join(line for line in lines if not any(word in line for word in ("mode", "cost: all", "rule: base")))
    return f"""
rules:
  zones: {{zoc: {{has: heavy, steps: [{{text: no river, when: over.river, forbid: true}}]}}}}
  stacking: [{{text: two, rule: s, that: count(stack) <= 2}}]
  movement:
    move:
      allowance: movement{mode_text}
      steps:
{steps}
      ends: [{{text: no lake, when: to.lake, forbid: true}}, stacking]
  retreat:
    back:
      length: result
      harm: steps
      room: any
      steps:
        - {{text: farther, when: not farther, forbid: true}}
{without}
"""


def build(folder: Path, world: World, records: list[tuple[str, str]], modes: bool) -> tuple[Game, Field]:
    columns = max(hex.q for hex in world.terrain) + 1
    base = (
        PACK + f"boards:\n  b:\n    name: B\n    grid: {{columns: {columns}, rows: 4, numbering: {{scheme: xxyy}}}}\n"
    )
    (folder / "game.yaml").write_text(base + "maps: {m: {name: M, arrangement: {boards: b}}}\n", encoding="utf-8")
    grid = load(folder).boards["b"].grid
    sides = {
        kind: [f"{grid.name(a)}/{grid.name(b)}" for a, b in map(sorted, lines)]
        for kind, lines in (("river", world.rivers),)
    }
    paths = [
        f"{{kind: road, name: R, hexes: ['{grid.name(a)}', '{grid.name(b)}']}}" for a, b in map(sorted, world.roads)
    ]
    terrain = ", ".join(f"'{grid.name(hex)}': {kind}" for hex, kind in world.terrain.items())
    board = f"    hexes: {{{terrain}}}\n    hexsides: {{river: [{', '.join(sides['river'])}]}}\n    paths: [{', '.join(paths)}]\n"
    text = base + board + "maps: {m: {name: M, arrangement: {boards: b}}}\n" + rules_text(records, modes)
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    game = load(folder)
    pieces: list[Piece] = []
    used: dict[str, int] = {}
    for side, heavy, location in world.units:
        unit = f"{'heavy_one' if heavy else 'light'}_{side}"
        used[unit] = used.get(unit, 0) + 1
        pieces.append(Piece(unit, str(used[unit]), side, location))
    map_index = map_index_of(game)
    assert map_index is not None
    return game, make_field(map_index, Position(game.id, pieces=tuple(pieces)))


def small_world(rnd: random.Random) -> World:
    hexes = [Hex(q, r - q // 2) for q in range(rnd.choice([3, 4])) for r in range(4)]
    terrain = {hex: rnd.choice(["clear", "clear", "woods", "lake"]) for hex in hexes}
    sides = {frozenset((a, b)) for a in hexes for b in neighbours(a) if b in terrain}
    hexsides = sorted(sides, key=sorted)
    rivers = set(rnd.sample(hexsides, rnd.randint(0, 6)))
    roads = set(rnd.sample(hexsides, rnd.randint(0, 8)))
    units: list[tuple[str, bool, Hex]] = []
    for _ in range(rnd.randint(1, 6)):
        side, location = ("red" if not units else rnd.choice(["red", "blue"])), rnd.choice(hexes)
        if all(location != other_location or side == other_side for other_side, _, other_location in units):
            units.append((side, rnd.random() < 0.5, location))
    limited_units = [
        unit for n, unit in enumerate(units) if sum(earlier_unit[:2] == unit[:2] for earlier_unit in units[:n]) < 4
    ]
    return World(terrain, rivers, roads, limited_units)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("small")


def draw_records(rnd: random.Random, modes: bool, max_count: int) -> list[tuple[str, str]]:
    """Some records; prices more often than what forbids or stops."""
    conditions = [condition for condition in CONDITIONS if modes or "mode" not in condition]
    weights = [1 if effect in ("forbid: true", "stop: true", "cost: all") else 2 for effect in EFFECTS]
    return [(rnd.choice(conditions), rnd.choices(EFFECTS, weights)[0]) for _ in range(rnd.randint(0, max_count))]


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.integers(0, 10**9), st.booleans())
def test_reach_is_what_a_slow_search_finds(folder: Path, seed: int, modes: bool) -> None:
    rnd = random.Random(seed)
    world = small_world(rnd)
    records = [("", "cost: 1"), *draw_records(rnd, modes, 5)]
    _, game_field = build(folder, world, records, modes)
    unit = game_field.placed_units[0]
    unit_reach = reach(game_field, unit)
    points = Fraction(6 if world.units[0][1] else 4)
    expected_costs = Slow(world, records, points, modes).run()
    places = game_field.map_index.places
    assert {places[n]: cost for n, cost in unit_reach.costs.items()} == expected_costs
    ends = {
        hex for hex in expected_costs if hex == world.start or (world.terrain[hex] != "lake" and world.friends(hex) < 2)
    }
    assert {places[n] for n in unit_reach.ends} == ends
    for n, hex in enumerate(places):
        if hex != world.start:
            reason = unit_reach.why_not(n)
            assert (reason is None) == (hex in ends)
        if hex in expected_costs:
            legs = unit_reach.way(n)
            leg_costs = [leg.cost for leg in legs[1:] if leg.cost is not None]
            assert (
                legs[0].place == unit.place
                and legs[-1].place == n
                and sum(leg_costs, Fraction(0)) == expected_costs[hex]
            )
            assert all(places[b.place] in neighbours(places[a.place]) for a, b in pairwise(legs))  # type: ignore[arg-type]


def all_walks(world: World, records: list[tuple[str, str]], length: int) -> set[tuple[Hex, int]]:
    """Every end of every walk of a length, with the harm on it: one hex after the other, each farther from the start."""
    ends = set()

    def onward(a: Hex, cost: Fraction, harm: int, first: bool) -> None:
        if cost == length and a != world.start:
            ends.add((a, harm))
        for b in world.adjacent_hexes(a):
            if distance(world.start, b) <= distance(world.start, a):
                continue
            verdict = judge(records, Step(world, a, b, first), False)
            if verdict is None or verdict.cost is None or cost + verdict.cost > length:
                continue
            if verdict.stop:
                if cost + verdict.cost == length:
                    ends.add((b, harm + verdict.harm))
                continue
            onward(b, cost + verdict.cost, harm + verdict.harm, False)

    onward(world.start, Fraction(0), 0, True)
    return ends


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.integers(0, 10**9), st.integers(1, 3))
def test_retreats_are_all_walks_of_that_length(folder: Path, seed: int, length: int) -> None:
    rnd = random.Random(seed)
    world = small_world(rnd)
    records = [("to.woods", "harm: 1"), *draw_records(rnd, False, 4)]
    _, game_field = build(folder, world, records, False)
    unit_retreat = retreat(game_field, game_field.placed_units[0], length)
    places = game_field.map_index.places
    walk_records = [(condition, effect) for condition, effect in records if effect != "cost: all"]
    alive = {(end, harm) for end, harm in all_walks(world, walk_records, length) if harm < STEPS}
    assert {(places[way.end], way.harm) for way in unit_retreat.ways[length]} == alive

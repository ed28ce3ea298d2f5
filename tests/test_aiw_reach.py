"""Reach in The Arab-Israeli Wars against every path there is: the charts typed again, the rules read again."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.model.hexes import Hex, Hexside, hexside, neighbour, neighbours
from scenarios.model.position import Piece
from tests.aiw_world import GAME, World, small

F = Fraction
HALF_POINT = F(1, 2)

MOVES = "moves"
"""The copy that moves."""
MOVE = {"clear": (1, 2), "woods": (1, 2), "town": (1, 1), "slope": (2, 4)}
SIDE = {"sand_dune": HALF_POINT, "ridge": F(1), "crest": F(1)}
NEGATES = {"mine_1_1", "mine_2_1", "mine_3_1", "block", "fort", "double_wreck"}
TRUCKS = {"truck_egypt", "btr_152", "btr_60"}
PENALIZED_UNITS = {"truck_egypt", "m113_jordan", "btr_50"}
SWIM = {"m113_jordan", "btr_50", "btr_60"}
FOOT = {"infantry_egypt", "combat_engineer_arab"}
ALLOWANCE = {
    "t_62": 6, "t_10m": 5, "truck_egypt": 10, "btr_152": 9, "btr_50": 6, "btr_60": 10, "m113_jordan": 8,
    "infantry_egypt": 1, "combat_engineer_arab": 1, "atg_85": 3, "mtu_2": 6, "pt_54_flail": 6,
}  # fmt: skip


class Oracle:
    """Every path of a unit, one hex after another, with what it has paid."""

    def __init__(self, world: World, unit: str, start: Hex, quick: bool) -> None:
        self.world, self.unit, self.start, self.quick = world, unit, start, quick
        self.kind = world.table.terrain
        self.best: dict[Hex, Fraction] = {start: F(0)}
        self.explore((start,), F(0))

    def works(self, hex: Hex) -> frozenset[str]:
        return frozenset(self.world.works.get(hex, ()))

    def units_at(self, hex: Hex) -> list[str]:
        """The other units in a hex."""
        return [piece.unit for piece in self.world.units if piece.at == hex and piece.copy != MOVES]

    def explore(self, path: tuple[Hex, ...], points_spent: Fraction) -> None:
        current_hex = path[-1]
        self.best[current_hex] = min(self.best.get(current_hex, points_spent), points_spent)
        if current_hex != self.start and "block" in self.works(current_hex):
            return
        for next_hex in neighbours(current_hex):
            if next_hex in self.kind and next_hex not in path:
                for cost, ends in self.prices(current_hex, next_hex, len(path) == 1):
                    if points_spent + cost <= ALLOWANCE[self.unit]:
                        if ends:
                            self.best[next_hex] = min(self.best.get(next_hex, F(99)), points_spent + cost)
                        else:
                            self.explore((*path, next_hex), points_spent + cost)

    def prices(self, a: Hex, b: Hex, first: bool) -> Iterator[tuple[Fraction, bool]]:
        """What the step can cost, and whether it ends the move."""
        works, allowance = self.works(b), F(ALLOWANCE[self.unit])
        units = self.units_at(b)
        if any(GAME.units[unit].side == "israeli" for unit in units):
            return
        water_a, water_b = self.kind[a] == "suez_canal", self.kind[b] == "suez_canal"
        if water_b and not water_a:
            if a in (neighbour(b, 0), neighbour(b, 3)):
                yield from self.bridge_costs(b, first)
            return
        if water_a and (water_b or b not in (neighbour(a, 0), neighbour(a, 3))):
            return
        points = len(units) + ("wreck" in works) + 2 * ("double_wreck" in works)
        if points + 1 > 4:
            return
        foot = self.unit in FOOT
        if "trench" in works and not foot:
            vehicles = sum(unit not in FOOT for unit in units)
            if "bridge" not in works:
                obstacles = works & {"block", "wreck", "double_wreck", "mine_1_1", "mine_2_1", "mine_3_1"}
                if self.unit == "mtu_2" and first and not obstacles and not vehicles:
                    yield allowance, True
                return
            if vehicles:
                return
        if "improved_position" in works and self.on_west_bank(b):
            stack_count = sum((unit in FOOT) == foot for unit in units)
            if stack_count >= (2 if foot else 1):
                return
        if "block" in works and not first:
            return
        stop = "block" in works
        costs = [HALF_POINT] if self.road(a, b) and points <= 1 else []
        cost = F(MOVE[self.kind[b]][self.unit in TRUCKS])
        if self.quick and self.kind[b] != "slope":
            cost = HALF_POINT
        features = set(self.world.table.hexsides.get(hexside(a, b), ()))
        if water_a:
            cut = "trench" in self.works(a)
            if not cut and not (foot and "bridge" in self.works(a)):
                return
            cost += HALF_POINT if cut else 0
        elif features:
            cost += sum((SIDE[kind] for kind in features), F(0)) + (self.unit in PENALIZED_UNITS)
        costs.append(cost)
        if allowance == 1 and first and not self.quick:
            costs = [min(cost, allowance) for cost in costs]
        yield from ((price, stop) for price in costs)

    def bridge_costs(self, b: Hex, first: bool) -> Iterator[tuple[Fraction, bool]]:
        """Onto a canal bridge or into a cut."""
        works, units = self.works(b), self.units_at(b)
        if "block" in works and not first:
            return
        swimmers = [unit for unit in units if unit in SWIM]
        dry = [unit for unit in units if unit not in SWIM]
        if "bridge" in works and not dry and swimmers:
            dry, swimmers = swimmers[:1], swimmers[1:]
        is_occupied = bool(dry) or bool(works & {"wreck", "double_wreck"})
        if "bridge" in works and not is_occupied and ("trench" in works or self.unit in FOOT):
            yield HALF_POINT if self.quick else F(1), "block" in works
        if self.unit in SWIM and "trench" in works and first and not swimmers:
            yield F(ALLOWANCE[self.unit]), True

    def road(self, a: Hex, b: Hex) -> bool:
        for hex in (a, b):
            works = self.works(hex)
            if works & NEGATES or ("trench" in works and "bridge" not in works):
                return False
            if self.kind[hex] != "town" and not any(hex in path.hexes for path in self.world.table.paths):
                return False
        if self.kind[a] == self.kind[b] == "town":
            return True
        pairs = [pair for path in self.world.table.paths for pair in itertools.pairwise(path.hexes)]
        return (a, b) in pairs or (b, a) in pairs

    def on_west_bank(self, hex: Hex) -> bool:
        # North is to the left of these boards, so west is at the bottom: the canal lies straight above the hex.
        upper_hex = neighbour(hex, 0)
        return self.kind.get(upper_hex) == "suez_canal"


def random_board(rng: random.Random, water: bool) -> World:
    columns, rows = 3, 5 if water else 4
    hex_map = small(columns=columns, rows=rows)
    hexes = hex_map.hexes
    terrain = {hex: rng.choice(["clear", "clear", "clear", "woods", "town", "slope"]) for hex in hexes}
    grid = hex_map.placed[0].board.grid
    if water:
        terrain |= {hex: "suez_canal" for hex in hexes if grid.row(hex) == 2}
    sides: dict[Hexside, list[str]] = {}
    hex_pairs = [
        (start_hex, two) for start_hex in hexes for two in neighbours(start_hex) if start_hex < two and two in hex_map
    ]
    for a, b in hex_pairs:
        wet = (terrain[a] == "suez_canal") + (terrain[b] == "suez_canal")
        if wet == 1:
            sides[hexside(a, b)] = ["moraine"]
        elif not wet and rng.random() < 0.3:
            sides[hexside(a, b)] = [rng.choice(list(SIDE))]
    # A grid's own edge has moraines on the canal's outer sides too: the canal goes on there.
    roads = []
    for _ in range(3):
        chain = [rng.choice([hex for hex in hexes if terrain[hex] != "suez_canal"])]
        for _ in range(rng.randint(1, 5)):
            steps = [n for n in neighbours(chain[-1]) if n in hex_map and terrain[n] != "suez_canal"]
            chain.append(rng.choice(steps or [chain[-1]]))
        if all(a != b for a, b in itertools.pairwise(chain)) and len(chain) > 1:
            roads.append(tuple(chain))
    works: dict[Hex, list[str]] = {}
    for hex in hexes:
        if terrain[hex] == "suez_canal":
            choices = [
                [],
                ["trench"],
                ["trench", "bridge"],
                ["trench", "bridge"],
                ["bridge"],
                ["trench", "bridge", "wreck"],
                ["trench", "bridge", "block"],
            ]
            works[hex] = rng.choice(choices)
        elif rng.random() < 0.35:
            on_land = [["mine_2_1"], ["block"], ["fort"], ["wreck"], ["double_wreck"], ["improved_position"]]
            if terrain[hex] == "clear":
                on_land += [["trench"], ["trench", "bridge"], ["trench", "bridge", "wreck"], ["trench", "block"]]
            works[hex] = rng.choice(on_land)
    return World(small(terrain, sides, roads, columns, rows), works, scenario="A-3")


@settings(deadline=None, max_examples=int(os.environ.get("MITLA_EXAMPLES", "200")))
@given(st.integers(0, 10**9), st.booleans())
def test_reach_against_every_path(seed: int, water: bool) -> None:
    rng = random.Random(seed)
    empty_world = random_board(rng, water)
    table = empty_world.table
    unit = rng.choice(list(ALLOWANCE))
    start = rng.choice([hex for hex in table.hexes if table.terrain[hex] != "suez_canal" or rng.random() < 0.2])
    unit_places = []
    for hex in table.hexes:
        if hex != start and rng.random() < 0.3:
            if table.terrain[hex] == "suez_canal":
                unit_places.append((rng.choice(["btr_50", "infantry_egypt", "m48a5"]), hex))
            else:
                friend = rng.choice(["t_55", "infantry_egypt", "m48a5"])
                unit_places += [(friend, hex)] * rng.randint(1, 1 if friend == "m48a5" else 4)
    quick = unit == "infantry_egypt" and rng.random() < 0.5
    other_pieces = [Piece(name, str(i), GAME.units[name].nation, hex) for i, (name, hex) in enumerate(unit_places)]
    world = World(table, empty_world.works, (Piece(unit, MOVES, "egypt", start), *other_pieces), "A-3")
    inputs = {"unit": unit, "copy": MOVES, "from_": table.name(start), "quick": quick}
    answer = world.ask("move", **inputs)
    best = Oracle(world, unit, start, quick).best
    assert answer["costs"] == {table.name(hex): cost for hex, cost in best.items() if hex != start}
    for place, stop in rng.sample(sorted(answer["reach"].items()), min(3, len(answer["reach"]))):
        done = world.ask("move", **inputs, path=",".join(answer["ways"][place]))
        assert done["spent"] == stop["cost"] and done["steps"][-1]["to"] == place
        assert stop.get("off_road") is None or stop["off_road"] >= stop["cost"]
        assert stop.get("without_mines") is None or stop["without_mines"] >= stop["cost"]
        assert sum(done["endings"].values()) == 1

"""Yom Kippur supply: the set-ups of the book, and random small maps against a plain search."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from assistant.attacks import BadQuestion
from assistant.games.yom_kippur import QUESTIONS
from assistant.games.yom_kippur.field import Field, Stand, field_of, other
from assistant.games.yom_kippur.ground import Ground
from assistant.games.yom_kippur.placing import start
from assistant.games.yom_kippur.supply import SideSupply, supply
from scenarios import load
from scenarios.boards import Path
from scenarios.game import Game
from scenarios.grids import Grid
from scenarios.hexes import Hex, Hexside, hexside, neighbours
from scenarios.maps import HexMap
from scenarios.position import Piece, Position
from tests.asking import ask

COSTS = {"open": "1", "rough": "3", "sand_dune": "4", "city": "1/2", "swamp": None, "sea": None, "bar_lev_hex": "1"}


@pytest.fixture(scope="module")
def game() -> Game:
    return load("yom_kippur", standing=False)


def put(game: Game, ground: Ground, *units: tuple[str, str] | tuple[str, str, str]) -> Field:
    """A field with these units: id, hex and perhaps a state."""
    pieces = [
        Piece(unit, str(number), game.units[unit].nation, ground.table.hex(hex), frozenset(states))
        for number, (unit, hex, *states) in enumerate(units)
    ]
    return field_of(ground, Position(game.id, pieces=tuple(pieces)))


def states(field: Field) -> dict[str, tuple[bool, str]]:
    """In or out, and by which rule, of each unit."""
    return {line.stand.unit.id: (line.supplied, line.rule) for side in supply(field) for line in side.lines}


def crossable(field: Field, side: str) -> set[Hexside]:
    """The bridges that a side can cross, by hand: its own, and enemy ones between two hexes free of enemies (1.14e)."""
    enemies = {stand.hex for stand in field.stands if stand.unit.side != side}
    return {over for over in field.bridges[other(side)] if not {over.a, over.b} & enemies} | set(field.bridges[side])


# The rules one by one, on the real map.


def test_a_headquarters_needs_its_edge_and_a_unit_a_headquarters(game: Game) -> None:
    ground = Ground.of(game, "4.5")
    found = states(
        put(game, ground, ("sharon_div_hq", "27.14"), ("reshef_arm_bde_a", "28.16"), ("nir_arm_bde_a", "50.04"))
    )
    assert found["sharon_div_hq"] == (True, "1.6a")
    assert found["reshef_arm_bde_a"] == (True, "1.6b")
    assert found["nir_arm_bde_a"] == (False, "1.6b")


def test_no_unit_without_a_headquarters_but_forts_and_the_west_bank(game: Game) -> None:
    ground = Ground.of(game, "4.5")
    found = states(
        put(game, ground, ("fort_purkan", "29.24"), ("reshef_arm_bde_a", "28.16"), ("inf_2_4", "39.25"), ("inf_2_120", "37.24"),
            ("inf_16_16", "38.21"))
    )  # fmt: skip
    assert found["fort_purkan"] == (True, "1.6d")
    assert found["reshef_arm_bde_a"] == (False, "1.6e")
    assert found["inf_2_4"] == (True, "1.6c")
    assert found["inf_2_120"] == (True, "1.6c"), "on the east bank, next to the canal"
    assert found["inf_16_16"] == (False, "1.6e"), "too far from it"


def test_egyptian_supply_crosses_by_bridges_only(game: Game) -> None:
    ground = Ground.of(game, "4.5")
    units: list[tuple[str, str]] = [("hq_2_army", "42.25"), ("inf_2_120", "42.21")]
    assert states(put(game, ground, *units))["inf_2_120"] == (False, "1.6e")
    assert states(put(game, ground, *units, ("engineer_2_9", "42.24", "bridge")))["inf_2_120"] == (True, "1.6b")
    israeli = put(game, ground, *units, ("engineer_bn_1", "42.23", "bridge"))
    assert states(israeli)["inf_2_120"] == (False, "1.6e"), "not by the enemy's"


def test_a_way_goes_around_an_enemy_zone(game: Game) -> None:
    ground = Ground.of(game, "4.5")
    free = put(game, ground, ("south_corps_hq", "27.14"), ("commando_130", "27.10"))
    lines = {one.stand.unit.id: one for one in supply(free)[1].lines}
    assert lines["south_corps_hq"].supplied
    assert ground.table.hex("27.10") not in lines["south_corps_hq"].path
    around = {ground.table.hex(name) for name in ("27.09", "27.11", "26.09", "26.10", "28.09", "28.10")}
    assert not around & set(lines["south_corps_hq"].path)
    weak = put(game, ground, ("south_corps_hq", "27.14"), ("commando_130", "27.10", "disorganized"))
    path = next(one.path for one in supply(weak)[1].lines if one.stand.unit.id == "south_corps_hq")
    assert around & set(path), "a disorganized unit has no zone (1.9a)"


def test_a_superpower_is_supplied_by_its_own_headquarters(game: Game) -> None:
    ground = Ground.of(game, "4.5")
    own = next(unit.id for unit in game.units.values() if unit.nation == "us" and unit.type != "hq")
    assert states(put(game, ground, ("sharon_div_hq", "27.14"), (own, "27.13")))[own][0] is False
    assert states(put(game, ground, ("us_hq", "27.14"), (own, "27.13"), ("nir_arm_bde_a", "27.12"))) == {
        "us_hq": (True, "1.6a"), own: (True, "1.6b"), "nir_arm_bde_a": (True, "1.6b"),
    }  # fmt: skip


# The scenarios.


@pytest.mark.parametrize("scenario", ["4.5", "4.6"])
def test_the_historical_positions_are_in_supply(game: Game, scenario: str) -> None:
    answer, lines = ask(game, QUESTIONS["supply"], {"scenario": scenario})
    for side in answer["sides"].values():
        assert side["out"] == 0
        for unit in side["units"]:
            assert unit["path"] or unit["rule"] == "1.6d"
            if unit["rule"] == "1.6b":
                assert unit["points"] is not None
    assert any("taken would cut" in line for line in lines)


def test_every_path_is_walked_step_by_step(game: Game) -> None:
    ground = Ground.of(game, "4.5")
    position, assumed = start(ground, "4.5")
    field = field_of(ground, position, assumed)
    for side in supply(field):
        shut = field.shut(side.side)
        edge = ground.table.zones["west_edge" if side.side == "egyptian" else "east_edge"]
        for line in side.lines:
            if not line.path:
                continue
            assert line.path[0] in edge
            assert not shut & set(line.path)
            for a, b in zip(line.path, line.path[1:], strict=False):
                assert b in neighbours(a)
                bridged = hexside(a, b) in field.bridges[side.side]
                assert bridged or ground.cost(a, b, "mechanized") is not None
            assert line.stand.hex == line.path[-1] or line.stand.hex in neighbours(line.path[-1])


@pytest.mark.parametrize("scenario", ["4.1", "4.2", "4.3", "4.4", "4.1b"])
def test_units_set_up_by_area_are_put_somewhere_lawful(game: Game, scenario: str) -> None:
    ground = Ground.of(game, scenario)
    position, assumed = start(ground, scenario)
    field = field_of(ground, position, assumed)
    assert assumed
    assert not field.held["egyptian"].keys() & field.held["israeli"].keys()
    for held in field.held.values():
        for stands in held.values():
            assert sum(stand.steps for stand in stands) <= ground.limit("stack_steps")
    assert not [piece for piece in position.pieces if str(piece.at).startswith("setup:") and piece.unit in game.units]


def test_bad_questions(game: Game) -> None:
    with pytest.raises(BadQuestion, match="say which scenario"):
        ask(game, QUESTIONS["supply"], {})
    with pytest.raises(BadQuestion, match=r"4\.5"):
        ask(game, QUESTIONS["supply"], {"scenario": "4.55"})


# Random small maps, against every path there is.


def small(game: Game, dice: random.Random) -> Ground:
    """A map of fifteen hexes: the canal between the second and the third row from the west, roads, rough ground."""
    whole = game.maps["main"]
    assert isinstance(whole, HexMap)
    board = whole.placed[0].board
    grid = Grid("flat", 3, 5, "odd", numbering=board.grid.numbering)
    rows = {hex: int(grid.name(hex).split(".")[1]) for hex in grid.hexes}
    terrain = {hex: dice.choice(["open", "open", "open", "rough", "swamp", "city", "sea"]) for hex in grid.hexes}
    bank = dice.choice([2, 3, 4])
    sides = {hexside(a, b) for a in grid.hexes for b in neighbours(a) if b in rows}
    kinds: dict[Hexside, frozenset[str]] = {}
    for side in sides:
        if (rows[side.a] <= bank) != (rows[side.b] <= bank):
            kinds[side] = frozenset(["suez_canal"])
        elif dice.random() < 0.15:
            kinds[side] = frozenset(["minor_canal"])
    roads = tuple(Path("road", "", (side.a, side.b)) for side in sorted(sides) if dice.random() < 0.35)
    dry = {hex for hex in grid.hexes if terrain[hex] != "sea"}
    zones = {
        "east_of_canal": frozenset(h for h in dry if rows[h] <= bank),
        "west_of_canal": frozenset(h for h in dry if rows[h] > bank),
        "east_edge": frozenset(h for h in dry if rows[h] == 1),
        "west_edge": frozenset(h for h in dry if rows[h] == 5),
    }
    made = replace(board, grid=grid, terrain=terrain, hexsides=kinds, paths=roads, places={}, zones=zones)
    return Ground(game, replace(whole, placed=(replace(whole.placed[0], board=made),)))


UNITS = {
    "egyptian": ["hq_2_army", "hq_3_army", "inf_2_4", "inf_2_120", "mech_2_117", "commando_130", "arty_53"],
    "israeli": ["adan_div_hq", "sharon_div_hq", "reshef_arm_bde_a", "alush_inf_bde_a", "fort_nisan", "arty_bde_1", "us_hq",
                "hawk_bn"],
}  # fmt: skip


def scatter(ground: Ground, dice: random.Random) -> Field:
    """Units here and there, some disorganized, perhaps a bridge or two."""
    hexes = [hex for hex in ground.table.hexes if ground.table.terrain[hex] != "sea"]
    owner = {hex: dice.choice(["egyptian", "israeli"]) for hex in hexes}
    pieces = []
    for side, units in UNITS.items():
        mine = [hex for hex in hexes if owner[hex] == side]
        for unit in dice.sample(units, 4):
            if mine:
                broken = frozenset(["disorganized"]) if dice.random() < 0.2 else frozenset[str]()
                pieces.append(Piece(unit, "1", ground.game.units[unit].nation, dice.choice(mine), broken))
    for unit in ("engineer_2_9", "engineer_bn_1"):
        if dice.random() < 0.7 and hexes:
            pieces.append(Piece(unit, "1", ground.game.units[unit].nation, dice.choice(hexes), frozenset(["bridge"])))
    return field_of(ground, Position("yom_kippur", pieces=tuple(pieces)))


class Oracle:
    """The rules of 1.6 in the plainest way: try every path that isn't dearer than one already tried."""

    def __init__(self, field: Field, side: str, lost: Hex | None = None) -> None:
        self.field, self.side, self.map = field, side, field.ground.table
        self.mine = [s for s in field.stands if s.unit.side == side and s.hex != lost]
        foes = [s for s in field.stands if s.unit.side != side]
        friends = {s.hex for s in self.mine}
        self.shut = {s.hex for s in foes} | ({lost} if lost else set())
        for foe in foes:
            if foe.factor("attack") >= 1 and "disorganized" not in foe.piece.states:
                self.shut |= {hex for hex in self._around(foe.hex) if self._may(foe, hex)} - friends

    def _around(self, hex: Hex) -> list[Hex]:
        return [near for near in neighbours(hex) if near in self.map]

    def _may(self, foe: Stand, to: Hex) -> bool:
        """Whether a unit could ever step into a neighbour."""
        terrain = self.map.terrain[to]
        if terrain == "sea":
            return False
        side = hexside(foe.hex, to)
        canal = "suez_canal" in self.map.hexsides.get(side, ())
        if foe.unit.class_ == "infantry":
            return True
        if canal and side not in self.field.bridges[other(self.side)]:
            return False
        return terrain != "swamp" or ("road" in self.map.path_sides.get(side, ()) and not canal)

    def step(self, a: Hex, b: Hex) -> Fraction | None:
        """What a mechanized unit pays."""
        side = hexside(a, b)
        kinds = self.map.hexsides.get(side, frozenset())
        ground = COSTS[self.map.terrain[b]]
        if self.map.terrain[b] == "sea":
            return None
        if "suez_canal" in kinds:
            return Fraction(ground) if ground and side in self.field.bridges[self.side] else None
        if "road" in self.map.path_sides.get(side, frozenset()):
            return Fraction(1, 2)
        extra = 0
        if "minor_canal" in kinds:
            extra = 0 if side in self.field.bridges[self.side] else 3
        return Fraction(ground) + extra if ground else None

    def reached(self, starts: list[Hex], limit: Fraction | None, only: frozenset[Hex] | None = None) -> set[Hex]:
        """Every hex on any path from the starts."""
        found: set[Hex] = set()
        best: dict[Hex, Fraction] = {}
        todo: list[tuple[Hex, Fraction]] = [(hex, Fraction(0)) for hex in starts if hex not in self.shut]
        while todo:
            here, paid = todo.pop()
            if here in best and best[here] <= paid:
                continue
            best[here] = paid
            found.add(here)
            for near in self._around(here):
                cost = self.step(here, near)
                if cost is None or near in self.shut or (only is not None and near not in only):
                    continue
                if limit is None or paid + cost <= limit:
                    todo.append((near, paid + cost))
        return found

    def supplied(self) -> dict[str, bool]:
        """Who is in supply."""
        zones = self.map.zones
        edge = sorted(zones["west_edge" if self.side == "egyptian" else "east_edge"])
        open_edge = self.reached(edge, None)
        served: dict[str, set[Hex]] = {}
        result: dict[str, bool] = {}
        for stand in self.mine:
            if stand.unit.type == "hq":
                result[stand.unit.id] = stand.hex in open_edge
                if stand.hex in open_edge:
                    reach = stand.factor("supply_range")
                    served[stand.unit.nation] = served.get(stand.unit.nation, set()) | self.reached([stand.hex], reach)
        bank = self.reached([h for h in edge if h in zones["west_of_canal"]], None, zones["west_of_canal"])
        for stand in self.mine:
            if stand.unit.type == "hq":
                continue
            near = {stand.hex, *self._around(stand.hex)}
            by = any(near & hexes for hexes in served.values())
            west = self.side == "egyptian" and bool(near & bank)
            result[stand.unit.id] = stand.unit.type == "fort" or by or west
        return result


@pytest.mark.parametrize("seed", range(60))
def test_small_maps_agree_with_every_path(game: Game, seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(4):
        field = scatter(small(game, dice), dice)
        for side in supply(field, most=99):
            found = {line.stand.unit.id: line.supplied for line in side.lines}
            assert found == Oracle(field, side.side).supplied()
            check_cuts(field, side, found)


def check_cuts(field: Field, side: SideSupply, found: dict[str, bool]) -> None:
    """Every hex whose loss cuts somebody is named with just those, the worst first."""
    expected: dict[Hex, set[str]] = {}
    names = {line.stand.unit.id: line.stand.name for line in side.lines}
    for hex in field.ground.table.hexes:
        if hex in field.held[other(side.side)]:
            continue
        left = Oracle(field, side.side, hex).supplied()
        gone = {names[unit] for unit, supplied in left.items() if found[unit] and not supplied}
        if gone:
            expected[hex] = gone
    assert {threat.hex: set(threat.names) for threat in side.threats} == expected
    sizes = [len(threat.names) for threat in side.threats]
    assert sizes == sorted(sizes, reverse=True)

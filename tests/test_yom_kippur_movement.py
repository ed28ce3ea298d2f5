"""Yom Kippur movement: rules one by one, and random small maps against every path."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from assistant.attacks import BadQuestion
from assistant.games.yom_kippur import QUESTIONS
from assistant.games.yom_kippur.bridges import launches, sites
from assistant.games.yom_kippur.field import Field, Stand, field_of, other
from assistant.games.yom_kippur.flights import airmobile
from assistant.games.yom_kippur.ground import Ground
from assistant.games.yom_kippur.movement import allowance, may_exploit, reach
from scenarios import load
from scenarios.game import Game
from scenarios.hexes import Hex, distance, hexside, neighbours
from scenarios.position import Piece, Position
from tests.asking import ask
from tests.test_yom_kippur_supply import COSTS, crossable, scatter, small


@pytest.fixture(scope="module")
def game() -> Game:
    return load("yom_kippur", standing=False)


@pytest.fixture(scope="module")
def ground(game: Game) -> Ground:
    return Ground.of(game, "4.1")


def put(ground: Ground, *units: tuple[str, ...], turn: int = 1) -> Field:
    """A field with these units: id, hex and states."""
    pieces = [
        Piece(unit, "1", ground.game.units[unit].nation, ground.table.hex(hex), frozenset(states))
        for unit, hex, *states in units
    ]
    return field_of(ground, Position("yom_kippur", "", turn, pieces=tuple(pieces)))


def test_roads_and_halved_allowances(ground: Ground) -> None:
    field = put(ground, ("nir_arm_bde_a", "25.01"))
    found = reach(field, field.stands[0])
    assert found.costs[ground.table.hex("27.14")] == 7, "fourteen hexes of road"
    tired = put(ground, ("nir_arm_bde_a", "25.01", "disorganized", "out_of_supply"))
    assert allowance(tired, tired.stands[0]) == 4
    assert ground.table.hex("27.14") not in reach(tired, tired.stands[0]).costs


def test_the_canal_and_its_bridges(ground: Ground) -> None:
    east, west = ground.table.hex("42.23"), ground.table.hex("42.24")
    foot = put(ground, ("inf_2_4", "42.24"))
    found = reach(foot, foot.stands[0])
    assert found.costs[east] == 8 and east in found.stops, "the whole allowance, from next to it"
    far = put(ground, ("inf_2_4", "42.25"))
    assert east not in reach(far, far.stands[0]).costs
    tanks = put(ground, ("arm_15", "42.24"))
    assert east not in reach(tanks, tanks.stands[0]).costs
    bridged = put(ground, ("arm_15", "42.24"), ("engineer_2_9", "42.24", "bridge"))
    assert reach(bridged, bridged.stands[0]).costs[east] == 1, "the ground beyond, not the road (1.13d)"
    held = put(ground, ("nir_arm_bde_a", "42.22"), ("engineer_2_9", "42.24", "bridge"), ("arm_15", "42.24"))
    assert west not in reach(held, held.stands[0]).costs
    left = put(ground, ("nir_arm_bde_a", "42.22"), ("engineer_2_9", "42.24", "bridge"))
    assert west in reach(left, left.stands[0]).costs, "an enemy bridge with nobody at it is taken by crossing (1.14e)"
    staff = put(ground, ("hq_2_army", "42.24"), ("engineer_2_9", "42.24", "bridge"))
    assert east not in reach(staff, staff.stands[0]).costs, "3.5a"
    assert east in reach(staff, staff.stands[0], may_cross_east=True).costs, "3.8"
    swimmers = put(ground, ("amphib_130_a", "42.24"))
    assert reach(swimmers, swimmers.stands[0]).costs[east] == 3, "two more than the ground (3.5b)"
    watched = put(ground, ("inf_2_4", "42.24"), ("nir_arm_bde_a", "42.22"))
    assert east not in reach(watched, watched.stands[0]).costs, "not into an enemy zone (1.13a)"


def test_swimmers_cross_lakes_and_never_stop_in_one(ground: Ground) -> None:
    field = put(ground, ("amphib_130_a", "16.20"))
    found = reach(field, field.stands[0])
    lakes = [hex for hex in found.costs if ground.table.terrain[hex] == "lake"]
    assert lakes and not set(lakes) & found.ends
    assert any(hex in ground.east for hex in found.ends)


def test_zones_stop_and_exploitation_needs_freedom(ground: Ground) -> None:
    field = put(ground, ("nir_arm_bde_a", "33.15"), ("inf_2_4", "33.18"))
    found = reach(field, field.stands[0])
    near = ground.table.hex("33.17")
    assert near in found.stops
    paths = {hex: found.path(hex) for hex in found.costs}
    assert all(path[-1] == hex and not set(path[1:-1]) & set(field.zones["egyptian"]) for hex, path in paths.items())
    touching = put(ground, ("nir_arm_bde_a", "33.17"), ("inf_2_4", "33.18"))
    assert "zone" in may_exploit(touching, touching.stands[0])
    with pytest.raises(BadQuestion, match="can't exploit"):
        reach(touching, touching.stands[0], "exploitation")
    shaken = put(ground, ("nir_arm_bde_a", "33.17"), ("inf_2_4", "33.18", "disorganized"))
    assert not may_exploit(shaken, shaken.stands[0]), "a disorganized enemy has no zone"
    guns = put(ground, ("arty_bde_1", "33.15"))
    assert "capability" in may_exploit(guns, guns.stands[0])
    worn = put(ground, ("arm_21_1", "33.25", "reduced"))
    assert "lost a step" in may_exploit(worn, worn.stands[0])


def test_overruns(ground: Ground) -> None:
    field = put(ground, ("nir_arm_bde_a", "27.15"), ("arty_53", "27.17"))
    assert reach(field, field.stands[0]).overruns[ground.table.hex("27.17")] == 16 - 1 - 1 - 3
    dunes = put(ground, ("nir_arm_bde_a", "33.15"), ("arty_53", "38.18"))
    assert not reach(dunes, dunes.stands[0]).overruns, "never in sand dunes"


def test_helicopters(ground: Ground) -> None:
    calm = put(ground, ("airmobile_150", "30.30"))
    found = airmobile(calm, calm.stands[0])
    assert max(found.landings.values()) == 25
    assert all(step == distance(calm.stands[0].hex, hex) for hex, step in found.landings.items())
    assert airmobile(calm, calm.stands[0], turn=3).reason
    hawk = put(ground, ("airmobile_150", "30.30"), ("hawk_bn", "27.14"))
    covered = airmobile(hawk, hawk.stands[0])
    assert all(distance(hex, ground.table.hex("27.14")) > 12 for hex in covered.landings)
    commandos = put(ground, ("commando_130", "30.30"), turn=2)
    assert "turn 1" in airmobile(commandos, commandos.stands[0]).reason
    assert not airmobile(commandos, commandos.stands[0], every_turn=True).reason
    tired = put(ground, ("airmobile_150", "30.30", "out_of_supply"))
    assert "1.7" in airmobile(tired, tired.stands[0]).reason
    tanks = put(ground, ("nir_arm_bde_a", "27.14"))
    assert "only infantry" in airmobile(tanks, tanks.stands[0]).reason


def test_answers(game: Game) -> None:
    told, lines = ask(game, QUESTIONS["move"], {"scenario": "4.5", "unit": "reshef_arm_bde_b", "to": "33.16"})
    assert told["hexes"][0]["path"][-1] == "33.16" and "points" in lines[1]
    assert ask(game, QUESTIONS["move"], {"scenario": "4.5", "unit": "reshef_arm_bde_b"})[0]["hexes"]
    with pytest.raises(BadQuestion, match="can't reach"):
        ask(game, QUESTIONS["move"], {"scenario": "4.5", "unit": "reshef_arm_bde_b", "to": "27.35"})
    with pytest.raises(BadQuestion, match="only infantry"):
        ask(game, QUESTIONS["move"], {"scenario": "4.5", "unit": "reshef_arm_bde_b", "air": True})


def every_path(field: Field, stand: Stand) -> dict[Hex, Fraction]:
    """The cheapest cost to each hex by walking every path that is not dearer than one walked before."""
    table, foe = field.ground.table, other(stand.unit.side)
    points = stand.factor("movement") * (Fraction(1, 2) if "disorganized" in stand.piece.states else 1)
    best: dict[Hex, Fraction] = {}
    todo = [(stand.hex, Fraction(0))]
    while todo:
        here, paid = todo.pop()
        if here in best and best[here] <= paid:
            continue
        best[here] = paid
        if here != stand.hex and here in field.zones[foe]:
            continue
        for near in neighbours(here):
            if near not in table or table.terrain[near] == "sea" or near in field.held[foe]:
                continue
            side = hexside(here, near)
            kinds = table.hexsides.get(side, frozenset())
            bridge = side in crossable(field, stand.unit.side)
            road = "road" in table.path_sides.get(side, frozenset())
            foot = stand.unit.class_ == "infantry"
            ground = COSTS[table.terrain[near]]
            cost: Fraction | None = None
            if "stays_west" in stand.unit.abilities and near in table.zones["east_of_canal"]:
                continue
            if "suez_canal" in kinds:
                if bridge and ground is not None:
                    cost = Fraction(ground)
                elif foot and here == stand.hex and near not in field.zones[foe]:
                    cost = points
            elif road:
                cost = Fraction(1, 2)
            elif ground is not None:
                cost = Fraction(ground) + (3 if "minor_canal" in kinds and not bridge else 0)
            elif foot and here == stand.hex:
                cost = points
            if cost is not None and 0 < paid + cost <= points:
                if cost == points and foot and here == stand.hex and ("suez_canal" in kinds or ground is None):
                    best[near] = min(best.get(near, points), points)
                else:
                    todo.append((near, paid + cost))
    return best


@pytest.mark.parametrize("seed", range(30))
def test_small_maps_agree_with_every_path(game: Game, seed: int) -> None:
    dice = random.Random(1000 + seed)
    for _ in range(3):
        field = scatter(small(game, dice), dice)
        for stand in field.stands:
            assert dict(reach(field, stand).costs) == every_path(field, stand), stand.name


def test_bridges_and_the_pcb(ground: Ground) -> None:
    free = put(ground, ("nir_arm_bde_a", "27.14"))
    roads = {launch.road: launch for launch in launches(free, free.stands[0])}
    assert not roads["Tirtur"].reason and roads["Tirtur"].to == ground.table.hex("23.24")
    assert roads["Tirtur"].points is not None and roads["Tirtur"].points <= 16
    guarded = put(ground, ("nir_arm_bde_a", "27.14"), ("sam", "23.24"))
    assert "Egyptians" in {launch.road: launch for launch in launches(guarded, guarded.stands[0])}["Tirtur"].reason
    watched = put(ground, ("nir_arm_bde_a", "27.14"), ("inf_16_16", "24.20"))
    assert all("zone" in launch.reason for launch in launches(watched, watched.stands[0]) if launch.road == "Tirtur")
    engineer = put(ground, ("engineer_bn_1", "42.23"))
    (site,) = sites(engineer, engineer.stands[0])
    assert not site.reason and site.over == hexside(ground.table.hex("42.23"), ground.table.hex("42.24"))
    north = put(ground, ("engineer_2_9", "53.25"))
    assert all("1.14g" in site.reason for site in sites(north, north.stands[0]))
    second = put(ground, ("engineer_bn_1", "42.23"), ("engineer_bn_2", "24.23", "bridge"))
    assert all("2.5" in site.reason for site in sites(second, second.stands[0]))

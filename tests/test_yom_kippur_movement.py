"""Yom Kippur movement: rules one by one, and random small maps against every path."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from scenarios import load
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, distance, hexside, neighbours
from scenarios.model.maps import HexMap
from tests.net.adapter import GameAnswer, ask
from tests.net.board import Board, Man, put
from tests.yom_kippur_small import COSTS, crossable, enemy_of, factor, fighting, scatter, small, zones


@pytest.fixture(scope="module")
def game() -> Game:
    return load("yom_kippur", with_config_overlays=False)


@pytest.fixture(scope="module")
def table(game: Game) -> HexMap:
    main_map = game.maps["main"]
    assert isinstance(main_map, HexMap)
    return main_map


def move(game: Game, *units: tuple[str, ...], turn: int = 1, scenario: str = "", **inputs: str) -> GameAnswer:
    """Where the first of these units can go."""
    return put(game, *units, turn=turn, scenario=scenario).ask("move", unit=units[0][0], **inputs)


def test_roads_and_halved_allowances(game: Game) -> None:
    assert move(game, ("nir_arm_bde_a", "25.01"))["costs"]["27.14"] == 7, "fourteen hexes of road"
    slow_move = move(game, ("nir_arm_bde_a", "25.01", "disorganized", "out_of_supply"))
    assert slow_move["allowance"] == 4
    assert "27.14" not in slow_move["costs"]


def test_the_canal_and_its_bridges(game: Game) -> None:
    foot = move(game, ("inf_2_4", "42.24"))
    assert foot["costs"]["42.23"] == 8 and "42.23" in foot["stops"], "the whole allowance, from next to it"
    assert "42.23" not in move(game, ("inf_2_4", "42.25"))["costs"]
    assert "42.23" not in move(game, ("arm_15", "42.24"))["costs"]
    bridge = ("engineer_2_9", "42.24", "bridge")
    assert move(game, ("arm_15", "42.24"), bridge)["costs"]["42.23"] == 1, "the ground beyond, not the road (1.13d)"
    assert "42.24" not in move(game, ("nir_arm_bde_a", "42.22"), bridge, ("arm_15", "42.24"))["costs"]
    bridge_move = move(game, ("nir_arm_bde_a", "42.22"), bridge)
    assert "42.24" in bridge_move["costs"], "an enemy bridge with nobody at it is taken by crossing (1.14e)"
    assert "42.23" not in move(game, ("hq_2_army", "42.24"), bridge)["costs"], "3.5a"
    assert "42.23" in move(game, ("hq_2_army", "42.24"), bridge, may_cross_east="yes")["costs"], "3.8"
    assert move(game, ("amphib_130_a", "42.24"))["costs"]["42.23"] == 3, "two more than the ground (3.5b)"
    blocked_move = move(game, ("inf_2_4", "42.24"), ("nir_arm_bde_a", "42.22"))
    assert "42.23" not in blocked_move["costs"], "not into an enemy zone (1.13a)"


def test_swimmers_cross_lakes_and_never_stop_in_one(game: Game, table: HexMap) -> None:
    answer = move(game, ("amphib_130_a", "16.20"))
    lakes = {place for place in answer["costs"] if table.terrain[table.hex(place)] == "lake"}
    assert lakes and not lakes & answer["ends"]
    assert any(table.hex(place) in table.zones["east_of_canal"] for place in answer["ends"])


def test_zones_stop_and_exploitation_needs_freedom(game: Game) -> None:
    board = put(game, ("nir_arm_bde_a", "33.15"), ("inf_2_4", "33.18"))
    answer = board.ask("move", unit="nir_arm_bde_a")
    assert "33.17" in answer["stops"]
    zone_names = board.names(zones(board, "egyptian"))
    for place in sorted(answer["ends"] - {"33.15"})[::5]:
        way = board.ask("move", unit="nir_arm_bde_a", to=place)["way"]
        assert way[-1] == place and not set(way[1:-1]) & zone_names

    def exploits(*units: tuple[str, ...]) -> str:
        return move(game, *units, kind="exploitation").refusal

    assert "zone" in exploits(("nir_arm_bde_a", "33.17"), ("inf_2_4", "33.18"))
    assert not exploits(("nir_arm_bde_a", "33.17"), ("inf_2_4", "33.18", "disorganized")), (
        "a disorganized enemy has no zone"
    )
    assert "capability" in exploits(("arty_bde_1", "33.15"))
    assert "lost a step" in exploits(("arm_21_1", "33.25", "reduced"))


def test_overruns(game: Game) -> None:
    assert move(game, ("nir_arm_bde_a", "27.15"), ("arty_53", "27.17"))["overruns"]["27.17"] == 16 - 1 - 1 - 3
    assert not move(game, ("nir_arm_bde_a", "33.15"), ("arty_53", "38.18"))["overruns"], "never in sand dunes"


def test_helicopters(game: Game, table: HexMap) -> None:
    def fly(*units: tuple[str, ...], turn: int = 1, scenario: str = "") -> GameAnswer:
        return move(game, *units, turn=turn, scenario=scenario, kind="flight")

    landings = fly(("airmobile_150", "30.30"))["landings"]
    assert max(landings.values()) == 25
    assert all(step == distance(table.hex("30.30"), table.hex(place)) for place, step in landings.items())
    assert fly(("airmobile_150", "30.30"), turn=3).refusal
    covered_landings = fly(("airmobile_150", "30.30"), ("hawk_bn", "27.14"))["landings"]
    assert all(distance(table.hex(place), table.hex("27.14")) > 12 for place in covered_landings)
    assert "1.11c" in fly(("commando_130", "30.30"), turn=2).refusal
    assert fly(("commando_130", "30.30"), turn=2, scenario="4.3")["landings"], "4.3 lets them fly on every turn"
    assert "1.7" in fly(("airmobile_150", "30.30", "out_of_supply")).refusal
    assert "only infantry" in fly(("nir_arm_bde_a", "27.14")).refusal


def test_answers(game: Game) -> None:
    answer = ask(game, "move", scenario="4.5", unit="reshef_arm_bde_b", to="33.16")
    costs = ask(game, "move", scenario="4.5", unit="reshef_arm_bde_b")["costs"]
    assert answer["way"][-1] == "33.16" and answer["cost"] == costs["33.16"] and len(costs) > 1
    assert "can't reach" in ask(game, "move", scenario="4.5", unit="reshef_arm_bde_b", to="27.35").refusal
    assert "only infantry" in ask(game, "move", scenario="4.5", unit="reshef_arm_bde_b", kind="flight").refusal


def every_path(board: Board, man: Man) -> dict[Hex, Fraction]:
    """The cheapest cost to each hex by walking every path that is not dearer than one walked before."""
    table, foe = board.table, enemy_of(man.side)
    watched_hexes, enemies = zones(board, foe), {enemy.hex for enemy in fighting(board, foe)}
    points = factor(man, "movement") * (Fraction(1, 2) if "disorganized" in man.states else 1)
    best: dict[Hex, Fraction] = {}
    todo = [(man.hex, Fraction(0))]
    while todo:
        current_hex, spent_points = todo.pop()
        if current_hex in best and best[current_hex] <= spent_points:
            continue
        best[current_hex] = spent_points
        if current_hex != man.hex and current_hex in watched_hexes:
            continue
        for neighbour in neighbours(current_hex):
            if neighbour not in table or table.terrain[neighbour] == "sea" or neighbour in enemies:
                continue
            side = hexside(current_hex, neighbour)
            side_kinds = table.hexsides.get(side, frozenset())
            bridge = side in crossable(board, man.side)
            road = "road" in table.path_sides.get(side, frozenset())
            foot = man.unit.class_ == "infantry"
            ground = COSTS[table.terrain[neighbour]]
            cost: Fraction | None = None
            if "stays_west" in man.unit.abilities and neighbour in table.zones["east_of_canal"]:
                continue
            if "suez_canal" in side_kinds:
                if bridge and ground is not None:
                    cost = Fraction(ground)
                elif foot and current_hex == man.hex and neighbour not in watched_hexes:
                    cost = points
            elif road:
                cost = Fraction(1, 2)
            elif ground is not None:
                cost = Fraction(ground) + (3 if "minor_canal" in side_kinds and not bridge else 0)
            elif foot and current_hex == man.hex:
                cost = points
            if cost is not None and 0 < spent_points + cost <= points:
                if (
                    cost == points
                    and foot
                    and current_hex == man.hex
                    and ("suez_canal" in side_kinds or ground is None)
                ):
                    best[neighbour] = min(best.get(neighbour, points), points)
                else:
                    todo.append((neighbour, spent_points + cost))
    return best


@pytest.mark.parametrize("seed", range(30))
def test_small_maps_agree_with_every_path(game: Game, seed: int) -> None:
    dice = random.Random(1000 + seed)
    for _ in range(3):
        board = scatter(small(game, dice), dice)
        for man in fighting(board):
            expected_costs = {board.table.name(hex): cost for hex, cost in every_path(board, man).items()}
            answer = board.ask("move", unit=man.key)
            if not game.units[man.id].factors["movement"]:
                assert "it never moves" in answer.refusal and len(expected_costs) == 1, man.id
                continue
            assert answer["costs"] == expected_costs, man.id


def test_bridges_and_the_pcb(game: Game) -> None:
    def launches(*units: tuple[str, ...], phase: str = "") -> dict[str, dict[str, object]]:
        answer = put(game, *units, scenario="").ask("bridges", unit=units[0][0], phase=phase)
        return {name.split("@", 1)[1]: launch for name, launch in answer["launches"].items()}

    free = launches(("nir_arm_bde_a", "27.14"))["Tirtur@23.24"]
    assert not free["refused"] and free["cost"] is not None and Fraction(str(free["cost"])) <= 16
    assert launches(("nir_arm_bde_a", "27.14"), ("sam", "23.24"))["Tirtur@23.24"]["refused"]
    launch_report = launches(("nir_arm_bde_a", "27.14"), ("inf_16_16", "24.20"))
    assert all(launch["refused"] for road, launch in launch_report.items() if road.startswith("Tirtur"))

    def sites(*units: tuple[str, ...]) -> dict[str, dict[str, object]]:
        answer = put(game, *units).ask("bridges", unit=units[0][0])
        return {name.split("@", 1)[1]: site for name, site in answer["sites"].items()}

    ((crossing_name, site),) = sites(("engineer_bn_1", "42.23")).items()
    assert not site["refused"] and set(crossing_name.split("/")) == {"42.23", "42.24"}
    north = sites(("engineer_2_9", "53.25")).values()
    assert all("1.14g" in site["rules"] for site in north)  # type: ignore[operator]
    second = sites(("engineer_bn_1", "42.23"), ("engineer_bn_2", "24.23", "bridge")).values()
    assert all("2.5" in site["rules"] for site in second)  # type: ignore[operator]

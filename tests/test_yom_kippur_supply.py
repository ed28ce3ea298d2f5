"""Yom Kippur supply: the set-ups of the book, and random small maps against a plain search."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest

from scenarios import load
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, hexside, neighbours
from scenarios.model.position import from_scenario
from tests.net.adapter import GameAnswer, ask
from tests.net.board import Board, Man, put
from tests.yom_kippur_small import COSTS, bridges, enemy_of, factor, fighting, scatter, small, zone, zones


@pytest.fixture(scope="module")
def game() -> Game:
    return load("yom_kippur", with_config_overlays=False)


def states(game: Game, *units: tuple[str, ...]) -> dict[str, tuple[bool, str]]:
    """In or out, and by which rule, of each unit: its id, its hex and perhaps a state."""
    answer = put(game, *units, scenario="4.5").ask("supply")
    return {
        unit: (unit in answer["supplied"][side], rule)
        for side, rules in answer["rules"].items()
        for unit, rule in rules.items()
    }


# The rules one by one, on the real map.


def test_a_headquarters_needs_its_edge_and_a_unit_a_headquarters(game: Game) -> None:
    unit_states = states(game, ("sharon_div_hq", "27.14"), ("reshef_arm_bde_a", "28.16"), ("nir_arm_bde_a", "50.04"))
    assert unit_states["sharon_div_hq"] == (True, "1.6a")
    assert unit_states["reshef_arm_bde_a"] == (True, "1.6b")
    assert unit_states["nir_arm_bde_a"] == (False, "1.6b")


def test_no_unit_without_a_headquarters_but_forts_and_the_west_bank(game: Game) -> None:
    unit_states = states(
        game,
        ("fort_purkan", "29.24"),
        ("reshef_arm_bde_a", "28.16"),
        ("inf_2_4", "39.25"),
        ("inf_2_120", "37.24"),
        ("inf_16_16", "38.21"),
    )
    assert unit_states["fort_purkan"] == (True, "1.6d")
    assert unit_states["reshef_arm_bde_a"] == (False, "1.6e")
    assert unit_states["inf_2_4"] == (True, "1.6c")
    assert unit_states["inf_2_120"] == (True, "1.6c"), "on the east bank, next to the canal"
    assert unit_states["inf_16_16"] == (False, "1.6e"), "too far from it"


def test_egyptian_supply_crosses_by_bridges_only(game: Game) -> None:
    units = [("hq_2_army", "42.25"), ("inf_2_120", "42.21")]
    assert states(game, *units)["inf_2_120"] == (False, "1.6e")
    assert states(game, *units, ("engineer_2_9", "42.24", "bridge"))["inf_2_120"] == (True, "1.6b")
    assert states(game, *units, ("engineer_bn_1", "42.23", "bridge"))["inf_2_120"] == (False, "1.6e"), (
        "not by the enemy's"
    )


def test_a_way_goes_around_an_enemy_zone(game: Game) -> None:
    zone_names = {"27.09", "27.11", "26.09", "26.10", "28.09", "28.10"}

    def way(*extra_states: str) -> set[str]:
        answer = put(game, ("south_corps_hq", "27.14"), ("commando_130", "27.10", *extra_states), scenario="4.5").ask(
            "supply", side="israeli"
        )
        assert "south_corps_hq" in answer["supplied"]["israeli"]
        return set(answer["ways"]["israeli"]["south_corps_hq"])

    assert not way() & {"27.10", *zone_names}
    assert zone_names & way("disorganized"), "a disorganized unit has no zone (1.9a)"


def test_a_superpower_is_supplied_by_its_own_headquarters(game: Game) -> None:
    us_unit = next(unit.id for unit in game.units.values() if unit.nation == "us" and unit.type != "hq")
    assert states(game, ("sharon_div_hq", "27.14"), (us_unit, "27.13"))[us_unit][0] is False
    assert states(game, ("us_hq", "27.14"), (us_unit, "27.13"), ("nir_arm_bde_a", "27.12")) == {
        "us_hq": (True, "1.6a"),
        us_unit: (True, "1.6b"),
        "nir_arm_bde_a": (True, "1.6b"),
    }


# The scenarios.


@pytest.mark.parametrize("scenario", ["4.5", "4.6"])
def test_the_historical_positions_are_in_supply(game: Game, scenario: str) -> None:
    answer = ask(game, "supply", scenario=scenario)
    for side in ("egyptian", "israeli"):
        assert answer["supplied"][side] and not answer["out"][side]
        for unit, rule in answer["rules"][side].items():
            assert answer["ways"][side][unit] or rule == "1.6d"
            assert rule != "1.6b" or answer["costs"][side][unit] is not None
    assert any(answer["cuts_most"].values())


def standing(game: Game, answer: GameAnswer, scenario: str) -> Board:
    """The units where an answer about a scenario's start says that they are, and the bridges of the set-up."""
    table = Board(game, (), scenario).table
    copies = {unit: unit.partition("/") for places in answer["places"].values() for unit in places}
    men = [
        Man(game.units[copies[unit][0]], table.hex(place), frozenset(), copies[unit][2] or "1")
        for places in answer["places"].values()
        for unit, place in places.items()
    ]
    pieces = from_scenario(game, scenario).pieces
    men += [
        Man(game.units[p.unit], p.at, p.states, p.copy)
        for p in pieces
        if "bridge" in p.states and isinstance(p.at, Hex)
    ]
    return Board(game, tuple(men), scenario)


def test_every_path_is_walked_step_by_step(game: Game) -> None:
    answer = ask(game, "supply", scenario="4.5")
    board = standing(game, answer, "4.5")
    table = board.table
    for side, ways in answer["ways"].items():
        enemies = {man.hex for man in fighting(board, enemy_of(side))}
        shut = enemies | (zones(board, enemy_of(side)) - {man.hex for man in fighting(board, side)})
        edge = table.zones["west_edge" if side == "egyptian" else "east_edge"]
        for unit, names in ways.items():
            if not names:
                continue
            path = [table.hex(name) for name in names]
            assert path[0] in edge
            assert not shut & set(path)
            for a, b in pairwise(path):
                assert b in neighbours(a)
                assert hexside(a, b) in bridges(board)[side] or Oracle(board, side).step(a, b) is not None, unit
            unit_hex = table.hex(answer["places"][side][unit])
            assert unit_hex == path[-1] or unit_hex in neighbours(path[-1])


@pytest.mark.parametrize("scenario", ["4.1", "4.2", "4.3", "4.4", "4.1b"])
def test_units_set_up_by_area_are_put_somewhere_lawful(game: Game, scenario: str) -> None:
    answer = ask(game, "supply", scenario=scenario)
    places_by_side = {side: set(places.values()) for side, places in answer["places"].items()}
    assert not places_by_side["egyptian"] & places_by_side["israeli"]
    stacks = ask(game, "stacks", scenario=scenario)
    assert all(stack["steps"] <= 6 for stack in stacks["stacks"].values())
    unit_names = {unit.partition("/")[0] for places in answer["places"].values() for unit in places}
    waiting = {
        p.unit for p in from_scenario(game, scenario).pieces if str(p.at).startswith("setup:") and p.unit in game.units
    }
    assert waiting <= unit_names


def test_bad_questions(game: Game) -> None:
    assert "name a scenario" in ask(game, "supply").refusal
    assert "4.5" in ask(game, "supply", scenario="4.55").refusal


# Random small maps, against every path there is.


class Oracle:
    """The rules of 1.6 in the plainest way: try every path that isn't dearer than one already tried."""

    def __init__(self, board: Board, side: str, lost_hex: Hex | None = None) -> None:
        self.board, self.side, self.map = board, side, board.table
        self.own_units = [man for man in fighting(board, side) if man.hex != lost_hex]
        foes = fighting(board, enemy_of(side))
        friends = {man.hex for man in self.own_units}
        self.shut = {man.hex for man in foes} | ({lost_hex} if lost_hex else set())
        for foe in foes:
            self.shut |= zone(board, foe) - friends

    def _neighbours(self, hex: Hex) -> list[Hex]:
        return [neighbour for neighbour in neighbours(hex) if neighbour in self.map]

    def step(self, a: Hex, b: Hex) -> Fraction | None:
        """What a mechanized unit pays."""
        side = hexside(a, b)
        side_kinds = self.map.hexsides.get(side, frozenset())
        ground = COSTS.get(self.map.terrain[b], "1")
        if self.map.terrain[b] == "sea":
            return None
        if "suez_canal" in side_kinds:
            return Fraction(ground) if ground and side in bridges(self.board)[self.side] else None
        if "road" in self.map.path_sides.get(side, frozenset()):
            return Fraction(1, 2)
        extra = 0
        if "minor_canal" in side_kinds:
            extra = 0 if side in bridges(self.board)[self.side] else 3
        return Fraction(ground) + extra if ground else None

    def reachable_hexes(
        self, starts: list[Hex], limit: Fraction | None, allowed_hexes: frozenset[Hex] | None = None
    ) -> set[Hex]:
        """Every hex on any path from the starts."""
        reached_hexes: set[Hex] = set()
        best: dict[Hex, Fraction] = {}
        todo: list[tuple[Hex, Fraction]] = [(hex, Fraction(0)) for hex in starts if hex not in self.shut]
        while todo:
            current_hex, spent_points = todo.pop()
            if current_hex in best and best[current_hex] <= spent_points:
                continue
            best[current_hex] = spent_points
            reached_hexes.add(current_hex)
            for neighbour in self._neighbours(current_hex):
                cost = self.step(current_hex, neighbour)
                if (
                    cost is None
                    or neighbour in self.shut
                    or (allowed_hexes is not None and neighbour not in allowed_hexes)
                ):
                    continue
                if limit is None or spent_points + cost <= limit:
                    todo.append((neighbour, spent_points + cost))
        return reached_hexes

    def supplied_units(self) -> set[str]:
        """Who is in supply."""
        zones = self.map.zones
        edge = sorted(zones["west_edge" if self.side == "egyptian" else "east_edge"])
        open_edge = self.reachable_hexes(edge, None)
        hexes_by_nation: dict[str, set[Hex]] = {}
        result = set()
        for man in self.own_units:
            if man.unit.type == "hq" and man.hex in open_edge:
                result.add(man.key)
                reach = factor(man, "supply_range")
                hexes_by_nation[man.unit.nation] = hexes_by_nation.get(man.unit.nation, set()) | self.reachable_hexes(
                    [man.hex], reach
                )
        bank = self.reachable_hexes([h for h in edge if h in zones["west_of_canal"]], None, zones["west_of_canal"])
        for man in self.own_units:
            nearby_hexes = {man.hex, *self._neighbours(man.hex)}
            has_headquarters = any(nearby_hexes & hexes for hexes in hexes_by_nation.values())
            west = self.side == "egyptian" and bool(nearby_hexes & bank)
            if man.unit.type != "hq" and (man.unit.type == "fort" or has_headquarters or west):
                result.add(man.key)
        return result


@pytest.mark.parametrize("seed", range(60))
def test_small_maps_agree_with_every_path(game: Game, seed: int) -> None:
    dice = random.Random(seed)
    for number in range(4):
        board = scatter(small(game, dice), dice)
        answer = board.ask("supply")
        for side in ("egyptian", "israeli"):
            supplied_units = Oracle(board, side).supplied_units()
            assert answer["supplied"][side] == supplied_units
            assert answer["out"][side] == {man.key for man in fighting(board, side)} - supplied_units
            check_cuts(board, side, answer, supplied_units, is_exhaustive=seed % 3 == number == 0)


def check_cuts(board: Board, side: str, answer: GameAnswer, supplied_units: set[str], *, is_exhaustive: bool) -> None:
    """The hexes named are the worst, with just those whom their loss cuts; and each hex is what it is when it is asked for."""
    expected_cuts: dict[str, set[str]] = {}
    for hex in board.table.hexes:
        if any(man.hex == hex for man in fighting(board, enemy_of(side))):
            continue
        cut = (
            supplied_units
            - Oracle(board, side, hex).supplied_units()
            - {man.key for man in fighting(board, side) if man.hex == hex}
        )
        if cut:
            expected_cuts[board.table.name(hex)] = cut
        if is_exhaustive and not any(man.hex == hex for man in fighting(board, side)):
            cut_answer = board.ask("supply", side=side, taken=board.table.name(hex))
            assert supplied_units - cut_answer["supplied"][side] == cut
    sizes = sorted((len(cut) for cut in expected_cuts.values()), reverse=True)
    assert list(answer["cuts_most"][side]) == sizes[: len(answer["cuts_most"][side])] and len(
        answer["cuts_most"][side]
    ) == min(3, len(sizes))
    for place, cut_units in answer["cuts"][side].items():
        assert cut_units == expected_cuts[place]

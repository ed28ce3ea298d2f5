"""Six Day War: several units going back at once, against every order and every choice of hexes."""

from __future__ import annotations

import random

import pytest

from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.retreat.joint_retreat import left_out
from assistant.engine.stacking import StackingSpace
from scenarios import load
from scenarios.model.game import Game
from scenarios.model.hexes import disk, neighbours
from scenarios.model.maps import HexMap
from tests.net.adapter import position
from tests.net.board import put as placed

ISRAELIS = [
    "is_7_armor",
    "is_60_armor",
    "is_14_armor",
    "is_200_armor",
    "is_202_airborne",
    "is_11_infantry",
    "is_granit_recon",
]
ARABS = ["jo_kw", "jo_ha", "jo_alia", "jo_40_armor", "sy_8", "sy_19", "sy_11"]


@pytest.fixture(scope="module")
def game() -> Game:
    return load("six_day_war", with_config_overlays=False)


def fits(stack: list[PlacedUnit]) -> bool:
    """11.2, 11.3: three Israelis, or two Arabs of one contingent."""
    arabs = [s for s in stack if s.counter.side == "arab"]
    return len(stack) <= (2 if arabs else 3) and len({s.counter.factors["contingent"] for s in arabs}) <= 1


def every_order(units: list[tuple[PlacedUnit, list[int]]], occupants: dict[int, list[PlacedUnit]]) -> set[int]:
    """14.2: units one after the other in any order, into any hex with room; into a full one only if no other is left."""
    if not units:
        return {0}
    counts = set()
    for number, (unit, ends) in enumerate(units):
        other_units = units[:number] + units[number + 1 :]
        free = [n for n in ends if fits([*occupants.get(n, []), unit])]
        for n in free:
            counts |= every_order(other_units, {**occupants, n: [*occupants.get(n, []), unit]})
        if not free:
            counts |= {1 + count for count in every_order(other_units, occupants)}
    return counts


def test_against_every_order_and_every_choice(game: Game) -> None:
    table = game.maps["main"]
    assert isinstance(table, HexMap)
    count_ranges = set()
    for seed in range(150):
        dice = random.Random(seed)
        names = dice.choice([ISRAELIS, ARABS])
        spots = disk(table.hex("4622"), 1)[: dice.randint(1, 4)]
        home = table.hex("4322")
        moving = dice.randint(1, 4)
        unit_hexes = [home] * moving + [dice.choice(spots) for _ in names[moving:]]
        pieces = [f"{unit}@{table.name(hex)}" for unit, hex in zip(names, unit_hexes, strict=True)]
        map_index = map_index_of(game, "standard")
        assert map_index is not None
        field = make_field(map_index, position(game, "standard", pieces, turn=2))
        ends = [map_index.number[hex] for hex in spots]
        units = [(s, dice.sample(ends, dice.randint(1, min(3, len(ends))))) for s in field.placed_units[:moving]]
        occupants: dict[int, list[PlacedUnit]] = {}
        for s in field.placed_units[moving:]:
            occupants.setdefault(s.place, []).append(s)
        counts = every_order(units, occupants)
        unit_ends = [(placed_unit, frozenset(ends)) for placed_unit, ends in units]
        room = StackingSpace(field, field.placed_units[:moving])
        assert left_out(room, unit_ends, False) == min(counts), seed
        assert left_out(room, unit_ends, True) == max(counts), seed
        count_ranges.add((min(counts), max(counts)))
    assert (
        any(min_count < max_count for min_count, max_count in count_ranges)
        and (0, 0) in count_ranges
        and max(min_count for min_count, _ in count_ranges) > 1
    )


def test_two_units_and_room_for_one(game: Game) -> None:
    """Two Egyptians have one way back, where one more of theirs stands: one of them is too many (11.3, 11.5)."""
    table = game.maps["main"]
    assert isinstance(table, HexMap)
    middle = table.hex("4621")
    open_hex = next(hex for hex in neighbours(middle) if table.name(hex) == "4620")
    enemy_hexes = [h for h in neighbours(middle) if h not in neighbours(open_hex) and h != open_hex]
    foes = [(unit, table.name(hex)) for unit, hex in zip(ISRAELIS, enemy_hexes, strict=False)]
    units = [("eg_7_11", "4621"), ("eg_14_armor", "4621")]
    board = placed(game, *units, ("eg_2_10", "4620"), *foes, turn=2, scenario="standard")
    assert len(board.units_by_hex["israeli"]) == 3
    answer = board.ask("retreat", unit="eg_7_11,eg_14_armor")
    assert set(answer["back"].values()) == {frozenset({"4620"})}, "each alone has room there"
    assert answer["no_room"] == {"1": 1}
    attackers = ",".join(man.id for man in board.units_of("israeli"))
    for code, result in board.ask("odds", attackers=attackers, target="4621")["tables"]["assault"]["results"].items():
        if code in ("DR", "DD") and len(result["defender_back"]) == 2:
            assert result["too_many"] == {"1": 1}
        if not result["defender_back"] and not result["attacker_back"]:
            assert result["too_many"] == {"0": 1}
    free = placed(game, *units, *foes, turn=2, scenario="standard").ask("retreat", unit="eg_7_11,eg_14_armor")
    assert free["no_room"] == {"0": 1}, "two may share the hex"

"""Six Day War: several units going back at once, against every order and every choice of hexes."""

from __future__ import annotations

import random

import pytest

from assistant.games.six_day_war.field import Stand
from assistant.games.six_day_war.together import crowded
from scenarios import load
from scenarios.game import Game
from scenarios.hexes import Hex, disk, neighbours
from scenarios.maps import HexMap
from tests.net.board import put as placed
from tests.six_day_war_field import put

ISRAELIS = ["is_7_armor", "is_60_armor", "is_14_armor", "is_200_armor", "is_202_airborne", "is_11_infantry", "is_granit_recon"]
ARABS = ["jo_kw", "jo_ha", "jo_alia", "jo_40_armor", "sy_8", "sy_19", "sy_11"]


@pytest.fixture(scope="module")
def game() -> Game:
    return load("six_day_war", standing=False)


def fits(stack: list[Stand]) -> bool:
    """11.2, 11.3: three Israelis, or two Arabs of one contingent."""
    arabs = [s for s in stack if s.unit.side == "arab"]
    return len(stack) <= (2 if arabs else 3) and len({s.unit.factors["contingent"] for s in arabs}) <= 1


def every_order(units: list[tuple[Stand, list[Hex]]], there: dict[Hex, list[Stand]]) -> set[int]:
    """14.2: units one after the other in any order, into any hex with room; into a full one only if no other is left."""
    if not units:
        return {0}
    found = set()
    for number, (stand, ends) in enumerate(units):
        rest = units[:number] + units[number + 1 :]
        free = [hex for hex in ends if fits([*there.get(hex, []), stand])]
        for hex in free:
            found |= every_order(rest, {**there, hex: [*there.get(hex, []), stand]})
        if not free:
            found |= {1 + more for more in every_order(rest, there)}
    return found


def test_against_every_order_and_every_choice(game: Game) -> None:
    table = game.maps["main"]
    assert isinstance(table, HexMap)
    seen = set()
    for seed in range(150):
        dice = random.Random(seed)
        names = dice.choice([ISRAELIS, ARABS])
        spots = disk(table.hex("4622"), 1)[: dice.randint(1, 4)]
        home = table.hex("4322")
        moving = dice.randint(1, 4)
        where = [home] * moving + [dice.choice(spots) for _ in names[moving:]]
        field = put(game, *((unit, table.name(hex)) for unit, hex in zip(names, where, strict=True)))
        units = [(s, dice.sample(spots, dice.randint(1, min(3, len(spots))))) for s in field.stands[:moving]]
        there: dict[Hex, list[Stand]] = {}
        for s in field.stands[moving:]:
            there.setdefault(s.hex, []).append(s)
        counts = every_order(units, there)
        told = [(stand, frozenset(ends)) for stand, ends in units]
        leaving = frozenset(field.stands[:moving])
        assert crowded(field, told, leaving, False) == min(counts), seed
        assert crowded(field, told, leaving, True) == max(counts), seed
        seen.add((min(counts), max(counts)))
    assert any(least < most for least, most in seen) and (0, 0) in seen and max(least for least, _ in seen) > 1


def test_two_units_and_room_for_one(game: Game) -> None:
    """Two Egyptians have one way back, where one more of theirs stands: one of them is too many (11.3, 11.5)."""
    table = game.maps["main"]
    assert isinstance(table, HexMap)
    middle = table.hex("4621")
    back = next(hex for hex in neighbours(middle) if table.name(hex) == "4620")
    around = [h for h in neighbours(middle) if h not in neighbours(back) and h != back]
    foes = [(unit, table.name(hex)) for unit, hex in zip(ISRAELIS, around, strict=False)]
    units = [("eg_7_11", "4621"), ("eg_14_armor", "4621")]
    board = placed(game, *units, ("eg_2_10", "4620"), *foes, turn=2, scenario="standard")
    assert len(board.held["israeli"]) == 3
    told = board.ask("retreat", unit="eg_7_11,eg_14_armor")
    assert set(told["back"].values()) == {frozenset({"4620"})}, "each alone has room there"
    assert told["too_many"] == {"israeli": {"0": 1}, "arab": {"1": 1}}
    attackers = ",".join(man.id for man in board.of("israeli"))
    for code, result in board.ask("odds", attackers=attackers, target="4621")["tables"]["assault"]["results"].items():
        if code in ("DR", "DD") and len(result["defender_back"]) == 2:
            assert result["too_many"] == {"1": 1}
        if not result["defender_back"] and not result["attacker_back"]:
            assert result["too_many"] == {"0": 1}
    free = placed(game, *units, *foes, turn=2, scenario="standard").ask("retreat", unit="eg_7_11,eg_14_armor")
    assert free["too_many"]["arab"] == {"0": 1}, "two may share the hex"

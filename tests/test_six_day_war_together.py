"""Six Day War: several units going back at once, against every order and every choice of hexes."""

from __future__ import annotations

import random

import pytest

from assistant.rules.field import Field, Standing
from assistant.rules.kinds import kinds_of
from assistant.rules.stacking import Room
from assistant.rules.together import left_out
from scenarios import load
from scenarios.game import Game
from scenarios.hexes import disk, neighbours
from scenarios.maps import HexMap
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
    return load("six_day_war", standing=False)


def fits(stack: list[Standing]) -> bool:
    """11.2, 11.3: three Israelis, or two Arabs of one contingent."""
    arabs = [s for s in stack if s.unit.side == "arab"]
    return len(stack) <= (2 if arabs else 3) and len({s.unit.factors["contingent"] for s in arabs}) <= 1


def every_order(units: list[tuple[Standing, list[int]]], there: dict[int, list[Standing]]) -> set[int]:
    """14.2: units one after the other in any order, into any hex with room; into a full one only if no other is left."""
    if not units:
        return {0}
    found = set()
    for number, (standing, ends) in enumerate(units):
        rest = units[:number] + units[number + 1 :]
        free = [n for n in ends if fits([*there.get(n, []), standing])]
        for n in free:
            found |= every_order(rest, {**there, n: [*there.get(n, []), standing]})
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
        pieces = [f"{unit}@{table.name(hex)}" for unit, hex in zip(names, where, strict=True)]
        kinds = kinds_of(game, "standard")
        assert kinds is not None
        field = Field(kinds, position(game, "standard", pieces, turn=2))
        ends = [kinds.number[hex] for hex in spots]
        units = [(s, dice.sample(ends, dice.randint(1, min(3, len(ends))))) for s in field.standings[:moving]]
        there: dict[int, list[Standing]] = {}
        for s in field.standings[moving:]:
            there.setdefault(s.at, []).append(s)
        counts = every_order(units, there)
        told = [(standing, frozenset(ends)) for standing, ends in units]
        room = Room(field, field.standings[:moving])
        assert left_out(room, told, False) == min(counts), seed
        assert left_out(room, told, True) == max(counts), seed
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

"""Withdrawals, routs and pursuits against every path tried (16.0, 17.0)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, cast

import pytest

from scenarios import load
from scenarios.hexes import Hex, distance, hexside, neighbours
from scenarios.maps import HexMap
from scenarios.position import Piece, Position
from tests.net.adapter import Told, ask

GAME = load("musketeer")
MAP = cast(HexMap, GAME.maps["main"])
CLOSED = ("sea", "lake", "neutral")
EAST = MAP.zones["sinai"] | MAP.zones["israel"]
SINAI = sorted(h for h in MAP.zones["sinai"] if MAP.terrain[h] not in CLOSED)
BANKS = frozenset(h for s, kinds in MAP.hexsides.items() if "suez_canal" in kinds for h in (s.a, s.b)) - EAST
SOUTH = MAP.edge("south") & MAP.zones["egypt"]
WATER = {"suez_canal", "river"}


def back(unit: str, start: Hex, others: list[Piece], **inputs: str) -> Told:
    """Where a unit goes that must retreat."""
    return ask(
        GAME,
        "retreat",
        Position("musketeer", "standard", pieces=tuple(others)),
        unit=unit,
        from_=MAP.name(start),
        **inputs,
    )


def fates(told: Told) -> dict[int, dict[str, Any]]:
    """What each length of a retreat does."""
    return {int(fate["hexes"]): fate for fate in told["fates"]}


def havens(enemies: set[Hex]) -> set[Hex]:
    found = {h for h in MAP.zones["egypt"] if MAP.terrain[h] == "city"}
    for place in MAP.places.values():
        if place.kind == "airbase":
            found |= set(place.hexes) & MAP.zones["egypt"]
    return found - enemies


def paths(start: Hex, length: int, enemies: set[Hex]) -> Iterator[tuple[Hex, ...]]:
    """Every path that ends as many hexes away as it is long, so that each step leads away (16.4 e)."""
    stack: list[tuple[Hex, ...]] = [(start,)]
    while stack:
        path = stack.pop()
        if len(path) == length + 1:
            yield path
            continue
        for near in neighbours(path[-1]):
            if (
                near in MAP
                and MAP.terrain[near] not in CLOSED
                and near not in enemies
                and distance(start, near) == len(path)
            ):
                stack.append((*path, near))


def towards_haven(path: tuple[Hex, ...], goals: set[Hex]) -> bool:
    """16.3 a: some haven comes nearer with each hex, and beyond it another."""
    open_ = {goal for goal in goals if goal != path[0]}
    for here, there in zip(path, path[1:], strict=False):  # noqa: RUF007
        if here in open_:
            open_ = {
                goal for goal in goals if goal != here
            }  # reached: any other, or still the ones it was on the way to
        open_ = {goal for goal in open_ if distance(there, goal) < distance(here, goal)}
        if not open_:
            return False
    return True


def towards_line(path: tuple[Hex, ...], goals: set[Hex]) -> bool:
    """16.3 b and c."""
    for here, there in zip(path, path[1:], strict=False):  # noqa: RUF007
        lines = BANKS if here in EAST else SOUTH
        nearer = min(distance(there, g) for g in lines) < min(distance(here, g) for g in lines)
        haven = path[0] in EAST and here not in EAST and any(distance(there, g) < distance(here, g) for g in goals)
        if not nearer and not haven:
            return False
    return True


def towards_any(path: tuple[Hex, ...], goals: set[Hex]) -> bool:
    """Each hex serves some goal of 16.3, one or another."""
    for here, there in zip(path, path[1:], strict=False):  # noqa: RUF007
        lines = BANKS if here in EAST else SOUTH
        line = min(distance(there, g) for g in lines) < min(distance(here, g) for g in lines)
        if not line and all(distance(there, g) >= distance(here, g) for g in goals):
            return False
    return True


def harm(path: tuple[Hex, ...], zone: set[Hex]) -> int:
    steps = list(zip(path, path[1:], strict=False))  # noqa: RUF007
    wet = sum(bool(MAP.hexsides.get(hexside(a, b), frozenset()) & WATER) for a, b in steps)
    return wet + sum(b in zone for _, b in steps)


@pytest.mark.parametrize(
    ("seed", "crowd"), [*((seed, 14) for seed in range(10)), (3, 50), (21, 50), (71, 50), (49, 90), (88, 90)]
)
def test_a_rout_against_every_path(seed: int, crowd: int) -> None:
    """16.3, 16.4: the least harm that a path allows, a haven first, then the canal or the edge, then whatever serves."""
    rng = random.Random(seed)
    start = rng.choice(SINAI)
    foes = [
        Piece("bde_7_israel", str(i), "israel", hex) for i, hex in enumerate(rng.sample(SINAI, crowd)) if hex != start
    ]
    near = [hex for hex in neighbours(start) if hex in SINAI]
    foes.append(Piece("gol_israel", "n", "israel", rng.choice(near)))
    enemies = {cast(Hex, piece.at) for piece in foes}
    zone = {near for hex in enemies for near in neighbours(hex)}
    told = back("iraq_arab_league", start, foes)  # no Egyptian, who might stop in a fortification
    goals = havens(enemies)
    assert told["routs"]
    for length in (1, 2, 3, 4):
        found = fates(told)[length]
        every = [(path, harm(path, zone)) for path in paths(start, length, enemies)]
        alive = [(path, hurt) for path, hurt in every if hurt < 2]
        ways = ([one for one in alive if kind(one[0], goals)] for kind in (towards_haven, towards_line, towards_any))
        best = next((way for way in ways if way), [])
        assert found["eliminated"] == (not best)
        if best:
            least = min(hurt for _, hurt in best)
            ends = {MAP.name(path[-1]) for path, hurt in best if hurt == least}
            assert found["disrupted"] == (least > 0)
            assert found["ends"] and found["ends"] <= ends


@pytest.mark.parametrize("seed", range(12))
def test_a_withdrawal_against_every_neighbour(seed: int) -> None:
    """16.2, 16.4, 28.1: one hex, any way, disrupted in a zone of control or over water; Israelis not to the canal."""
    rng = random.Random(seed)
    start = rng.choice(SINAI)
    foes = [Piece("bde_4_egypt", str(i), "egypt", hex) for i, hex in enumerate(rng.sample(SINAI, 25)) if hex != start]
    foes += [
        Piece("ng_1_egypt", f"n{i}", "egypt", hex)
        for i, hex in enumerate(rng.sample(neighbours(start), 2))
        if hex in SINAI
    ]
    enemies = {cast(Hex, piece.at) for piece in foes}
    zone = {near for hex in enemies for near in neighbours(hex)}
    for disrupted in (False, True):
        told = back("bde_7_israel", start, foes, disrupted="yes" if disrupted else "no")
        assert not told["routs"]
        able = [
            harm((start, hex), zone)
            for hex in neighbours(start)
            if hex in MAP
            and MAP.terrain[hex] not in CLOSED
            and hex in EAST
            and hex not in MAP.zones["canal_bank"]
            and hex not in enemies
        ]
        (fate,) = told["fates"]
        alive = [hurt for hurt in able if hurt < (1 if disrupted else 2)]
        assert fate["eliminated"] == (not alive)
        assert fate["disrupted"] == (bool(alive) and (disrupted or min(alive) > 0))
        assert (told["lost"], told["disrupted"]) == (fate["eliminated"], fate["disrupted"])


def test_who_routs() -> None:
    """16.1: Egyptians, the Arab League and Soviets but for their airborne; static units are lost."""
    start = SINAI[100]
    kinds = {
        name: back(name, start, [])["routs"]
        for name in (
            "bde_4_egypt",
            "iraq_arab_league",
            "mech_1_ussr",
            "abn_108g_ussr",
            "gd_britain",
            "rep_1_france",
            "cca_us",
        )
    }
    assert kinds == {
        "bde_4_egypt": True,
        "iraq_arab_league": True,
        "mech_1_ussr": True,
        "abn_108g_ussr": False,
        "gd_britain": False,
        "rep_1_france": False,
        "cca_us": False,
    }
    (lost,) = back("garrison_egypt", start, [])["fates"]
    assert lost["eliminated"]
    found = fates(back("bde_4_egypt", start, []))
    assert set(found) == set(range(1, 7)) and {fate["chance"] for fate in found.values()} == {Fraction(1, 6)}


def test_an_egyptian_may_stop_in_a_fortification() -> None:
    """16.5."""
    fort = MAP.hex("5509")
    start = next(h for h in neighbours(fort) if h in SINAI)
    ring = [h for h in MAP.hexes if distance(start, h) == 2 and h in MAP and MAP.terrain[h] not in CLOSED]
    foes = [Piece("garrison_israel", str(i), "israel", hex, frozenset({"disrupted"})) for i, hex in enumerate(ring)]
    far = fates(back("bde_4_egypt", start, foes))[3]
    assert not far["eliminated"] and far["ends"] == {"5509"}
    assert fates(back("iraq_arab_league", start, foes))[3]["eliminated"]


def test_a_full_hex_sends_it_on() -> None:
    """16.4 d, 12.1, 12.5: two Egyptian units in a hex, no other contingent's."""
    start = SINAI[100]
    free = fates(back("bde_4_egypt", start, []))[1]
    full = [
        Piece("iraq_arab_league", str(i), "arab_league", MAP.hex(place)) for i, place in enumerate(sorted(free["ends"]))
    ]
    found = fates(back("bde_4_egypt", start, full))[1]
    assert found["ends"] and all(distance(start, MAP.hex(end)) == 2 for end in found["ends"])


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("unit", ["armd_25_britain", "gd_britain", "bde_7_israel"])
def test_pursuit_against_every_path(seed: int, unit: str) -> None:
    """17.3, 17.4: the cleared hex first; three hexes for mechanized units, one for others; zones don't matter."""
    rng = random.Random(seed)
    land = sorted(h for h in (MAP.zones["canal_zone"] | MAP.zones["sinai"]) if MAP.terrain[h] not in CLOSED)
    start = rng.choice(land)
    cleared = rng.choice([h for h in neighbours(start) if h in MAP and MAP.terrain[h] not in CLOSED] or [start])
    foes = [
        Piece("bde_4_egypt", str(i), "egypt", h)
        for i, h in enumerate(rng.sample(land, 20))
        if h not in (start, cleared)
    ]
    enemies = {cast(Hex, piece.at) for piece in foes}
    nation = GAME.units[unit].nation

    def enters(hex: Hex) -> bool:
        home = nation != "israel" or (hex in EAST and hex not in MAP.zones["canal_bank"])
        return hex in MAP and MAP.terrain[hex] not in CLOSED and hex not in enemies and home

    def ends(a: Hex, b: Hex) -> bool:
        wet = bool(MAP.hexsides.get(hexside(a, b), frozenset()) & WATER)
        return wet or MAP.terrain[b] in ("city", "fortification")

    far = 3 if GAME.units[unit].class_ == "mechanized" else 1
    found: set[Hex] = set()
    stack = [(start, cleared, 1)] if enters(cleared) else []
    while stack:
        before, hex, gone = stack.pop()
        found.add(hex)
        if gone < far and not ends(before, hex):
            stack += [(hex, near, gone + 1) for near in neighbours(hex) if enters(near)]
    here = Position("musketeer", "standard", pieces=tuple(foes))
    told = ask(GAME, "pursuit", here, unit=unit, from_=MAP.name(start), cleared=MAP.name(cleared))
    assert (set(told["to"]) if not told.refusal else set()) == {MAP.name(hex) for hex in found}, told.refusal

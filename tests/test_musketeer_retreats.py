"""Withdrawals, routs and pursuits against every path tried (16.0, 17.0)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, cast

import pytest

from scenarios import load
from scenarios.model.hexes import Hex, distance, hexside, neighbours
from scenarios.model.maps import HexMap
from scenarios.model.position import Piece, Position
from tests.net.adapter import GameAnswer, ask

GAME = load("musketeer")
MAP = cast(HexMap, GAME.maps["main"])
CLOSED = ("sea", "lake", "neutral")
EAST = MAP.zones["sinai"] | MAP.zones["israel"]
SINAI = sorted(h for h in MAP.zones["sinai"] if MAP.terrain[h] not in CLOSED)
BANKS = frozenset(h for s, side_kinds in MAP.hexsides.items() if "suez_canal" in side_kinds for h in (s.a, s.b)) - EAST
SOUTH = MAP.edge("south") & MAP.zones["egypt"]
WATER = {"suez_canal", "river"}


def ask_retreat(unit: str, start: Hex, other_pieces: list[Piece], **inputs: str) -> GameAnswer:
    """Where a unit goes that must retreat."""
    return ask(
        GAME,
        "retreat",
        Position("musketeer", "standard", pieces=tuple(other_pieces)),
        unit=unit,
        from_=MAP.name(start),
        **inputs,
    )


def fates(answer: GameAnswer) -> dict[int, dict[str, Any]]:
    """What each length of a retreat does."""
    return {int(fate["hexes"]): fate for fate in answer["fates"]}


def havens(enemies: set[Hex]) -> set[Hex]:
    haven_hexes = {h for h in MAP.zones["egypt"] if MAP.terrain[h] == "city"}
    for place in MAP.places.values():
        if place.kind == "airbase":
            haven_hexes |= set(place.hexes) & MAP.zones["egypt"]
    return haven_hexes - enemies


def paths(start: Hex, length: int, enemies: set[Hex]) -> Iterator[tuple[Hex, ...]]:
    """Every path that ends as many hexes away as it is long, so that each step leads away (16.4 e)."""
    stack: list[tuple[Hex, ...]] = [(start,)]
    while stack:
        path = stack.pop()
        if len(path) == length + 1:
            yield path
            continue
        for adjacent_hex in neighbours(path[-1]):
            if (
                adjacent_hex in MAP
                and MAP.terrain[adjacent_hex] not in CLOSED
                and adjacent_hex not in enemies
                and distance(start, adjacent_hex) == len(path)
            ):
                stack.append((*path, adjacent_hex))


def towards_haven(path: tuple[Hex, ...], goals: set[Hex]) -> bool:
    """16.3 a: some haven comes nearer with each hex, and beyond it another."""
    open_ = {goal for goal in goals if goal != path[0]}
    for from_hex, to_hex in zip(path, path[1:], strict=False):  # noqa: RUF007
        if from_hex in open_:
            open_ = {
                goal for goal in goals if goal != from_hex
            }  # reached: any other, or still the ones it was on the way to
        open_ = {goal for goal in open_ if distance(to_hex, goal) < distance(from_hex, goal)}
        if not open_:
            return False
    return True


def towards_line(path: tuple[Hex, ...], goals: set[Hex]) -> bool:
    """16.3 b and c."""
    for from_hex, to_hex in zip(path, path[1:], strict=False):  # noqa: RUF007
        lines = BANKS if from_hex in EAST else SOUTH
        nearer = min(distance(to_hex, g) for g in lines) < min(distance(from_hex, g) for g in lines)
        haven = (
            path[0] in EAST and from_hex not in EAST and any(distance(to_hex, g) < distance(from_hex, g) for g in goals)
        )
        if not nearer and not haven:
            return False
    return True


def towards_any(path: tuple[Hex, ...], goals: set[Hex]) -> bool:
    """Each hex serves some goal of 16.3, one or another."""
    for from_hex, to_hex in zip(path, path[1:], strict=False):  # noqa: RUF007
        lines = BANKS if from_hex in EAST else SOUTH
        line = min(distance(to_hex, g) for g in lines) < min(distance(from_hex, g) for g in lines)
        if not line and all(distance(to_hex, g) >= distance(from_hex, g) for g in goals):
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
    adjacent_hexes = [hex for hex in neighbours(start) if hex in SINAI]
    foes.append(Piece("gol_israel", "n", "israel", rng.choice(adjacent_hexes)))
    enemies = {cast(Hex, piece.at) for piece in foes}
    zone = {zone_hex for hex in enemies for zone_hex in neighbours(hex)}
    answer = ask_retreat("iraq_arab_league", start, foes)  # no Egyptian, who might stop in a fortification
    goals = havens(enemies)
    assert answer["routs"]
    for length in (1, 2, 3, 4):
        outcome = fates(answer)[length]
        harm_by_path = [(path, harm(path, zone)) for path in paths(start, length, enemies)]
        alive = [(path, hurt) for path, hurt in harm_by_path if hurt < 2]
        ways = (
            [path_harm for path_harm in alive if kind(path_harm[0], goals)]
            for kind in (towards_haven, towards_line, towards_any)
        )
        best = next((way for way in ways if way), [])
        assert outcome["eliminated"] == (not best)
        if best:
            min_harm = min(hurt for _, hurt in best)
            ends = {MAP.name(path[-1]) for path, hurt in best if hurt == min_harm}
            assert outcome["disrupted"] == (min_harm > 0)
            assert outcome["ends"] and outcome["ends"] <= ends


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
    zone = {zone_hex for hex in enemies for zone_hex in neighbours(hex)}
    for is_disrupted in (False, True):
        answer = ask_retreat("bde_7_israel", start, foes, disrupted="yes" if is_disrupted else "no")
        assert not answer["routs"]
        harms = [
            harm((start, hex), zone)
            for hex in neighbours(start)
            if hex in MAP
            and MAP.terrain[hex] not in CLOSED
            and hex in EAST
            and hex not in MAP.zones["canal_bank"]
            and hex not in enemies
        ]
        (fate,) = answer["fates"]
        alive = [hurt for hurt in harms if hurt < (1 if is_disrupted else 2)]
        assert fate["eliminated"] == (not alive)
        assert fate["disrupted"] == (bool(alive) and (is_disrupted or min(alive) > 0))
        assert (answer["lost"], answer["disrupted"]) == (fate["eliminated"], fate["disrupted"])


def test_who_routs() -> None:
    """16.1: Egyptians, the Arab League and Soviets but for their airborne; static units are lost."""
    start = SINAI[100]
    routs_by_unit = {
        name: ask_retreat(name, start, [])["routs"]
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
    assert routs_by_unit == {
        "bde_4_egypt": True,
        "iraq_arab_league": True,
        "mech_1_ussr": True,
        "abn_108g_ussr": False,
        "gd_britain": False,
        "rep_1_france": False,
        "cca_us": False,
    }
    (garrison_fate,) = ask_retreat("garrison_egypt", start, [])["fates"]
    assert garrison_fate["eliminated"]
    outcomes = fates(ask_retreat("bde_4_egypt", start, []))
    assert set(outcomes) == set(range(1, 7)) and {fate["chance"] for fate in outcomes.values()} == {Fraction(1, 6)}


def test_an_egyptian_may_stop_in_a_fortification() -> None:
    """16.5."""
    fort = MAP.hex("5509")
    start = next(h for h in neighbours(fort) if h in SINAI)
    ring = [h for h in MAP.hexes if distance(start, h) == 2 and h in MAP and MAP.terrain[h] not in CLOSED]
    foes = [Piece("garrison_israel", str(i), "israel", hex, frozenset({"disrupted"})) for i, hex in enumerate(ring)]
    outcome = fates(ask_retreat("bde_4_egypt", start, foes))[3]
    assert not outcome["eliminated"] and outcome["ends"] == {"5509"}
    assert fates(ask_retreat("iraq_arab_league", start, foes))[3]["eliminated"]


def test_a_full_hex_sends_it_on() -> None:
    """16.4 d, 12.1, 12.5: two Egyptian units in a hex, no other contingent's."""
    start = SINAI[100]
    free = fates(ask_retreat("bde_4_egypt", start, []))[1]
    full = [
        Piece("iraq_arab_league", str(i), "arab_league", MAP.hex(place)) for i, place in enumerate(sorted(free["ends"]))
    ]
    outcome = fates(ask_retreat("bde_4_egypt", start, full))[1]
    assert outcome["ends"] and all(distance(start, MAP.hex(end)) == 2 for end in outcome["ends"])


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("unit", ["armd_25_britain", "gd_britain", "bde_7_israel"])
def test_pursuit_against_every_path(seed: int, unit: str) -> None:
    """17.3, 17.4: the cleared hex first; three hexes for mechanized units, one for others; zones don't matter."""
    rng = random.Random(seed)
    land = sorted(h for h in (MAP.zones["canal_zone"] | MAP.zones["sinai"]) if MAP.terrain[h] not in CLOSED)
    start = rng.choice(land)
    cleared_hex = rng.choice([h for h in neighbours(start) if h in MAP and MAP.terrain[h] not in CLOSED] or [start])
    foes = [
        Piece("bde_4_egypt", str(i), "egypt", h)
        for i, h in enumerate(rng.sample(land, 20))
        if h not in (start, cleared_hex)
    ]
    enemies = {cast(Hex, piece.at) for piece in foes}
    nation = GAME.units[unit].nation

    def enters(hex: Hex) -> bool:
        home = nation != "israel" or (hex in EAST and hex not in MAP.zones["canal_bank"])
        return hex in MAP and MAP.terrain[hex] not in CLOSED and hex not in enemies and home

    def ends(a: Hex, b: Hex) -> bool:
        wet = bool(MAP.hexsides.get(hexside(a, b), frozenset()) & WATER)
        return wet or MAP.terrain[b] in ("city", "fortification")

    max_steps = 3 if GAME.units[unit].class_ == "mechanized" else 1
    reachable_hexes: set[Hex] = set()
    stack = [(start, cleared_hex, 1)] if enters(cleared_hex) else []
    while stack:
        previous_hex, hex, step_count = stack.pop()
        reachable_hexes.add(hex)
        if step_count < max_steps and not ends(previous_hex, hex):
            stack += [(hex, next_hex, step_count + 1) for next_hex in neighbours(hex) if enters(next_hex)]
    position = Position("musketeer", "standard", pieces=tuple(foes))
    answer = ask(GAME, "pursuit", position, unit=unit, from_=MAP.name(start), cleared=MAP.name(cleared_hex))
    assert (set(answer["to"]) if not answer.refusal else set()) == {MAP.name(hex) for hex in reachable_hexes}, (
        answer.refusal
    )

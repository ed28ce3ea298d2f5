"""Movement in October War and Operation Musketeer, against every way tried with costs typed from the rules."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import cast

import pytest

from scenarios import load
from scenarios.hexes import Hex, hexside, neighbours
from scenarios.maps import HexMap
from scenarios.points import PointMap
from scenarios.position import Piece, Position
from tests.net.adapter import Told, ask

WAR = load("october_war")
SUEZ = load("musketeer")
POINTS = cast(PointMap, WAR.maps["main"])
HEXES = cast(HexMap, SUEZ.maps["main"])

STOP = {"rough", "marsh", "objective", "city", "reserve_area", "mountain"}
FORTS = {"arab_fort": "arab", "israeli_fort_sinai": "israeli", "israeli_fort_golan": "israeli"}


def put(*pieces: tuple[str, str]) -> Position:
    held = tuple(Piece(unit, str(i), "", at) for i, (unit, at) in enumerate(pieces))
    return Position("october_war", "standard", pieces=held)


def by_hand(here: Position, unit: str, start: str, allowance: int) -> set[str]:
    """13.3, 13.5, 13.6 for a mechanized Israeli without bridges: every way of so many steps."""
    arabs = {str(piece.at) for piece in here.pieces if WAR.units[piece.unit].side == "arab"}
    ours = {str(piece.at) for piece in here.pieces if WAR.units[piece.unit].side == "israeli" and piece.unit != unit}
    found = {start}
    stack = [(start, allowance)]
    while stack:
        point, left = stack.pop()
        if not left:
            continue
        for there, kinds in POINTS.adjacent(point).items():
            terrain = POINTS.points[there].terrain
            if kinds <= {"suez_canal", "water"} or terrain in ("mountain", "lake_crossing", "red_sea_crossing"):
                continue
            if terrain == "reserve_area" and there != "israeli_reserve":
                continue
            found.add(there)
            fort = terrain in FORTS and FORTS[terrain] != "israeli" and there not in ours
            if there not in arabs and terrain not in STOP and not fort:
                stack.append((there, left - 1))
    return found


@pytest.mark.parametrize("seed", range(20))
def test_israeli_armor_against_every_way(seed: int) -> None:
    rng = random.Random(seed)
    land = [
        p
        for p, shape in POINTS.points.items()
        if shape.terrain not in ("lake_crossing", "red_sea_crossing", "mountain") and not p.endswith("_reserve")
    ]
    start = rng.choice([p for p in land if POINTS.points[p].side == "israeli"])
    foes = [("mech_brigade_egypt", rng.choice(land)) for _ in range(8)]
    friends = [("mech_battalion", rng.choice(land)) for _ in range(4)]
    here = put(("armor_battalion", start), *foes, *friends)
    told = ask(WAR, "move", here, unit="armor_battalion", from_=start)
    assert told["allowance"] in (1, 2)
    assert set(told["costs"]) == by_hand(here, "armor_battalion", start, int(told["allowance"]))


def test_allowances_and_the_canal() -> None:
    """13.2, 13.9, 21.1, 21.3, 21.7, 25.3."""

    def reach(*pieces: tuple[str, str]) -> tuple[int, set[str]]:
        told = ask(WAR, "move", put(*pieces), unit=pieces[0][0], from_=pieces[0][1])
        return int(told["allowance"]), set(told["costs"])

    assert reach(("armor_battalion", "tasa"))[0] == 2
    assert reach(("armor_battalion", "tasa"), ("depot", "tasa"))[0] == 4
    assert reach(("armor_brigade", "israeli_reserve"))[0] == 4
    assert "2.3" in ask(WAR, "move", put(("garrison", "budapest")), unit="garrison", from_="budapest").rules
    assert "milano" not in reach(("armored_brigade_egypt", "qantara"))[1]
    assert "milano" in reach(("armored_brigade_egypt", "qantara"), ("bridge_arab", "qantara"))[1]
    assert "milano" in reach(("amphibious_brigade_egypt", "qantara"))[1]
    assert "milano" in reach(("infantry_brigade_egypt", "qantara"), ("engineer_egypt", "qantara"))[1]
    assert "milano" not in reach(("infantry_brigade_egypt", "qantara"))[1]
    assert "milano" not in reach(("city_brigade_egypt", "qantara"), ("engineer_egypt", "qantara"))[1]


# Musketeer: movement points by terrain, typed from the chart.
COST = {"open": 1, "rough": 2, "dunes": 2, "delta": 2, "marsh": 3, "pass": 2, "city": 1, "town": 1, "kibbutz": 1,
        "fortification": 1}  # fmt: skip
SIDE = {"suez_canal": 2, "river": 1, "wadi": 1, "border": 0}
WAY = {"road": Fraction(1, 3), "track": Fraction(1, 2)}


def ride(unit: str, start: Hex, others: list[Piece], to: str = "") -> Told:
    """Where a unit of Musketeer can go."""
    return ask(
        SUEZ, "move", Position("musketeer", "standard", pieces=tuple(others)), unit=unit, from_=HEXES.name(start), to=to
    )


def test_crossing_the_canal_into_open_ground_costs_three() -> None:
    """9.8, the example."""
    sides = [
        s
        for s, kinds in HEXES.hexsides.items()
        if "suez_canal" in kinds
        and HEXES.terrain[s.b] == "open"
        and not HEXES.path_sides.get(s)
        and not any(s.b in place.hexes for place in HEXES.places.values())
    ]
    for unit, cost in (("armd_25_britain", 3), ("re_britain", 1)):
        straight = []
        for side in sides[:12]:
            start, end = HEXES.name(side.a), HEXES.name(side.b)
            told = ride(unit, side.a, [], end)
            straight += [told["costs"][end]] if told["way"] == (start, end) else []
        assert straight and set(straight) == {cost}, unit


def steps(hex: Hex, last: str, near: Hex) -> dict[str, Fraction]:
    """9.8 to 9.10: what a step costs across country, and along each road or track between the two hexes."""
    side = hexside(hex, near)
    extra = sum(SIDE[kind] for kind in HEXES.hexsides.get(side, frozenset()))
    passes = any(near in place.hexes and place.kind == "pass" for place in HEXES.places.values())
    found = {"": Fraction(max(COST[HEXES.terrain[near]], 2 if passes else 0) + extra)}
    for way in HEXES.path_sides.get(side, frozenset()):
        found[way] = (Fraction(1) if last and last != way else WAY[way]) + extra
    return found


def relaxed(start: Hex, allowance: int, held: set[Hex]) -> dict[Hex, Fraction]:
    """9.1, 9.3, 9.4 and 13.0: what every hex costs at least, by whichever ways; relaxed until nothing changes."""
    zone = {near for hex in held for near in neighbours(hex)}
    best: dict[tuple[Hex, str], Fraction] = {(start, ""): Fraction(0)}
    least: dict[Hex, Fraction] = {}
    changed = True
    while changed:
        changed = False
        for (hex, last), spent in list(best.items()):
            if hex in zone and hex != start:
                continue
            for near in neighbours(hex):
                if (
                    near not in HEXES
                    or HEXES.terrain[near] not in COST
                    or near in held
                    or (hex in zone and near in zone)
                ):
                    continue
                for way, price in steps(hex, last, near).items():
                    total = spent + price
                    if hex == start:
                        least[near] = min(total, least.get(near, total))
                    if total <= allowance and total < best.get((near, way), Fraction(99)):
                        best[near, way] = total
                        changed = True
    expected: dict[Hex, Fraction] = {}
    for (hex, _), spent in best.items():
        expected[hex] = min(spent, expected.get(hex, spent))
    return {**least, **expected}


BOTH = sorted(side for side, kinds in HEXES.path_sides.items() if kinds >= {"road", "track"})


@pytest.mark.parametrize("unit", ["armd_25_britain", "min_int_egypt", "abn_234g_ussr"])
@pytest.mark.parametrize("seed", range(8))
def test_movement_against_every_way(seed: int, unit: str) -> None:
    """9.7 to 9.10 and 13.0: in the Sinai, and from each hexside that carries both a road and a track."""
    rng = random.Random(seed)
    land = sorted(h for h in HEXES.zones["sinai"] if HEXES.terrain[h] in COST)
    start = BOTH[seed].a if seed < len(BOTH) else rng.choice(land)
    if seed % 2:
        start = next(near for near in neighbours(start) if near in HEXES and HEXES.terrain[near] in COST)
    foe, nation = ("ng_1_egypt", "egypt") if SUEZ.units[unit].side == "west" else ("bde_4_israel", "israel")
    foes = [Piece(foe, str(i), nation, hex) for i, hex in enumerate(rng.sample(land, 12)) if hex != start]
    allowance = int(str(SUEZ.units[unit].factors["movement"]))
    found = ride(unit, start, foes)["costs"]
    expected = relaxed(start, allowance, {cast(Hex, piece.at) for piece in foes})
    assert found == {HEXES.name(hex): cost for hex, cost in expected.items()}


def test_israelis_keep_away_from_the_canal() -> None:
    """28.1."""
    bank = sorted(HEXES.zones["canal_bank"])
    near = next(h for h in sorted(HEXES.zones["sinai"]) if h not in bank and any(n in bank for n in neighbours(h)))
    assert not set(ride("bde_7_israel", near, [])["costs"]) & set(map(HEXES.name, bank))


def test_answers() -> None:
    told = ask(WAR, "move", unit="armor_brigade", scenario="standard")
    assert told["allowance"] == 4 and len(told["costs"]) > 10
    assert ask(SUEZ, "move", unit="gol_israel", from_="5709", scenario="standard")["costs"]["5709"] == 0
    for game in (WAR, SUEZ):
        assert ask(game, "move", unit="nobody").refusal
    assert ask(SUEZ, "score", Position("musketeer", "standard"))["points"] == {"west": 0, "east": 0}

"""Movement in October War and Operation Musketeer, against every way tried with costs typed from the rules."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import cast

import pytest

from scenarios import load
from scenarios.model.hexes import Hex, hexside, neighbours
from scenarios.model.maps import HexMap
from scenarios.model.points import PointMap
from scenarios.model.position import Piece, Position
from tests.net.adapter import GameAnswer, ask

WAR = load("october_war")
SUEZ = load("musketeer")
POINTS = cast(PointMap, WAR.maps["main"])
HEXES = cast(HexMap, SUEZ.maps["main"])

STOP = {"rough", "marsh", "objective", "city", "reserve_area", "mountain"}
FORTS = {"arab_fort": "arab", "israeli_fort_sinai": "israeli", "israeli_fort_golan": "israeli"}


def put(*pieces: tuple[str, str]) -> Position:
    placed_pieces = tuple(Piece(unit, str(i), "", place) for i, (unit, place) in enumerate(pieces))
    return Position("october_war", "standard", pieces=placed_pieces)


def by_hand(position: Position, unit: str, start: str, allowance: int) -> set[str]:
    """13.3, 13.5, 13.6 for a mechanized Israeli without bridges: every way of so many steps."""
    arabs = {str(piece.at) for piece in position.pieces if WAR.units[piece.unit].side == "arab"}
    own_points = {
        str(piece.at) for piece in position.pieces if WAR.units[piece.unit].side == "israeli" and piece.unit != unit
    }
    reached_points = {start}
    stack = [(start, allowance)]
    while stack:
        point, steps_left = stack.pop()
        if not steps_left:
            continue
        for next_point, route_kinds in POINTS.adjacent(point).items():
            terrain = POINTS.points[next_point].terrain
            if route_kinds <= {"suez_canal", "water"} or terrain in ("mountain", "lake_crossing", "red_sea_crossing"):
                continue
            if terrain == "reserve_area" and next_point != "israeli_reserve":
                continue
            reached_points.add(next_point)
            fort = terrain in FORTS and FORTS[terrain] != "israeli" and next_point not in own_points
            if next_point not in arabs and terrain not in STOP and not fort:
                stack.append((next_point, steps_left - 1))
    return reached_points


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
    position = put(("armor_battalion", start), *foes, *friends)
    answer = ask(WAR, "move", position, unit="armor_battalion", from_=start)
    assert answer["allowance"] in (1, 2)
    assert set(answer["costs"]) == by_hand(position, "armor_battalion", start, int(answer["allowance"]))


def test_allowances_and_the_canal() -> None:
    """13.2, 13.9, 21.1, 21.3, 21.7, 25.3."""

    def reach(*pieces: tuple[str, str]) -> tuple[int, set[str]]:
        answer = ask(WAR, "move", put(*pieces), unit=pieces[0][0], from_=pieces[0][1])
        return int(answer["allowance"]), set(answer["costs"])

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


def ride(unit: str, start: Hex, other_pieces: list[Piece], destination: str = "") -> GameAnswer:
    """Where a unit of Musketeer can go."""
    return ask(
        SUEZ,
        "move",
        Position("musketeer", "standard", pieces=tuple(other_pieces)),
        unit=unit,
        from_=HEXES.name(start),
        to=destination,
    )


def test_crossing_the_canal_into_open_ground_costs_three() -> None:
    """9.8, the example."""
    sides = [
        s
        for s, side_kinds in HEXES.hexsides.items()
        if "suez_canal" in side_kinds
        and HEXES.terrain[s.b] == "open"
        and not HEXES.path_sides.get(s)
        and not any(s.b in place.hexes for place in HEXES.places.values())
    ]
    for unit, cost in (("armd_25_britain", 3), ("re_britain", 1)):
        straight = []
        for side in sides[:12]:
            start, end = HEXES.name(side.a), HEXES.name(side.b)
            answer = ride(unit, side.a, [], end)
            straight += [answer["costs"][end]] if answer["way"] == (start, end) else []
        assert straight and set(straight) == {cost}, unit


def steps(hex: Hex, last: str, adjacent_hex: Hex) -> dict[str, Fraction]:
    """9.8 to 9.10: what a step costs across country, and along each road or track between the two hexes."""
    side = hexside(hex, adjacent_hex)
    extra = sum(SIDE[kind] for kind in HEXES.hexsides.get(side, frozenset()))
    passes = any(adjacent_hex in place.hexes and place.kind == "pass" for place in HEXES.places.values())
    costs = {"": Fraction(max(COST[HEXES.terrain[adjacent_hex]], 2 if passes else 0) + extra)}
    for way in HEXES.path_sides.get(side, frozenset()):
        costs[way] = (Fraction(1) if last and last != way else WAY[way]) + extra
    return costs


def relax_costs(start: Hex, allowance: int, enemy_hexes: set[Hex]) -> dict[Hex, Fraction]:
    """9.1, 9.3, 9.4 and 13.0: what every hex costs at least, by whichever ways; relaxed until nothing changes."""
    zone = {zone_hex for hex in enemy_hexes for zone_hex in neighbours(hex)}
    best: dict[tuple[Hex, str], Fraction] = {(start, ""): Fraction(0)}
    min_costs: dict[Hex, Fraction] = {}
    has_changed = True
    while has_changed:
        has_changed = False
        for (hex, last), cost in list(best.items()):
            if hex in zone and hex != start:
                continue
            for adjacent_hex in neighbours(hex):
                if (
                    adjacent_hex not in HEXES
                    or HEXES.terrain[adjacent_hex] not in COST
                    or adjacent_hex in enemy_hexes
                    or (hex in zone and adjacent_hex in zone)
                ):
                    continue
                for way, price in steps(hex, last, adjacent_hex).items():
                    total = cost + price
                    if hex == start:
                        min_costs[adjacent_hex] = min(total, min_costs.get(adjacent_hex, total))
                    if total <= allowance and total < best.get((adjacent_hex, way), Fraction(99)):
                        best[adjacent_hex, way] = total
                        has_changed = True
    total_costs: dict[Hex, Fraction] = {}
    for (hex, _), cost in best.items():
        total_costs[hex] = min(cost, total_costs.get(hex, cost))
    return {**min_costs, **total_costs}


BOTH = sorted(side for side, path_kinds in HEXES.path_sides.items() if path_kinds >= {"road", "track"})


@pytest.mark.parametrize("unit", ["armd_25_britain", "min_int_egypt", "abn_234g_ussr"])
@pytest.mark.parametrize("seed", range(8))
def test_movement_against_every_way(seed: int, unit: str) -> None:
    """9.7 to 9.10 and 13.0: in the Sinai, and from each hexside that carries both a road and a track."""
    rng = random.Random(seed)
    land = sorted(h for h in HEXES.zones["sinai"] if HEXES.terrain[h] in COST)
    start = BOTH[seed].a if seed < len(BOTH) else rng.choice(land)
    if seed % 2:
        start = next(
            adjacent_hex
            for adjacent_hex in neighbours(start)
            if adjacent_hex in HEXES and HEXES.terrain[adjacent_hex] in COST
        )
    foe, nation = ("ng_1_egypt", "egypt") if SUEZ.units[unit].side == "west" else ("bde_4_israel", "israel")
    foes = [Piece(foe, str(i), nation, hex) for i, hex in enumerate(rng.sample(land, 12)) if hex != start]
    allowance = int(str(SUEZ.units[unit].factors["movement"]))
    costs = ride(unit, start, foes)["costs"]
    expected_costs = relax_costs(start, allowance, {cast(Hex, piece.at) for piece in foes})
    assert costs == {HEXES.name(hex): cost for hex, cost in expected_costs.items()}


def test_israelis_keep_away_from_the_canal() -> None:
    """28.1."""
    bank = sorted(HEXES.zones["canal_bank"])
    near_hex = next(h for h in sorted(HEXES.zones["sinai"]) if h not in bank and any(n in bank for n in neighbours(h)))
    assert not set(ride("bde_7_israel", near_hex, [])["costs"]) & set(map(HEXES.name, bank))


def test_answers() -> None:
    answer = ask(WAR, "move", unit="armor_brigade", scenario="standard")
    assert answer["allowance"] == 4 and len(answer["costs"]) > 10
    assert ask(SUEZ, "move", unit="gol_israel", from_="5709", scenario="standard")["costs"]["5709"] == 0
    for game in (WAR, SUEZ):
        assert ask(game, "move", unit="nobody").refusal
    assert ask(SUEZ, "score", Position("musketeer", "standard"))["points"] == {"west": 0, "east": 0}

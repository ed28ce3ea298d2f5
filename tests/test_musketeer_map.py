"""The map of Operation Musketeer: what the rulebook states of it, and the ground it lies on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from math import cos, hypot, radians, sqrt

import pytest

from scenarios.model.areas import Edge
from scenarios.model.hexes import Corner, Hex, Hexside, distance, ends, hexes_at, hexside, neighbours, sides
from scenarios.model.maps import HexMap
from scenarios.pack.loading import read_game
from scenarios.pack.pack_folder import find_pack

GAME, FINDINGS = read_game(find_pack("musketeer"), [], False)
assert GAME is not None
_MAIN = GAME.maps["main"]
assert isinstance(_MAIN, HexMap)
MAP: HexMap = _MAIN
BOARD = GAME.boards["suez"]
TERRAIN, ZONES, PLACES = MAP.terrain, MAP.zones, MAP.places
CLOSED_TERRAIN = ("sea", "lake", "neutral")

# Victory points of 3.3 for either player, by name.
CHART = {
    "Cairo": 15, "Alexandria": 10, "Port Said": 7, "Suez City": 7, "Gaza": 5, "Sharm el Sheikh": 5, "Ismailia": 3,
    "Qantara": 3, "Matruh": 2, "Giza": 2, "El Arish": 2, "Mitla Pass": 2, "Gidi Pass": 2, "Rafah": 1, "Abu Agheila": 1,
}  # fmt: skip

# Latitude and longitude.
EARTH = {
    "cairo": (30.04, 31.24), "giza": (30.01, 31.21), "alexandria": (31.20, 29.92), "port_said": (31.26, 32.29),
    "suez_city": (29.97, 32.53), "ismailia": (30.60, 32.27), "qantara": (30.85, 32.30), "matruh": (31.35, 27.24),
    "gaza": (31.50, 34.46), "khan_yunis": (31.34, 34.30), "rafah": (31.28, 34.24), "el_arish": (31.13, 33.80),
    "abu_agheila": (30.84, 34.11), "sharm_el_sheikh": (27.86, 34.28), "mitla_pass": (30.01, 32.92),
    "gidi_pass": (30.22, 33.07), "damietta": (31.42, 31.81), "mansura": (31.04, 31.38), "tanta": (30.79, 31.00),
    "beni_suef": (29.07, 31.10), "minya": (28.10, 30.75), "eilat": (29.56, 34.95), "beersheba": (31.25, 34.79),
    "ashkelon": (31.67, 34.57), "sde_boker": (30.87, 34.79), "yotvata": (29.89, 35.06), "nakhl": (29.90, 33.75),
    "kuntilla": (30.00, 34.69), "el_tor": (28.24, 33.62), "zafarana": (29.12, 32.65), "el_alamein": (30.83, 28.95),
}  # fmt: skip


def place(place_id: str) -> Hex:
    (hex,) = PLACES[place_id].hexes
    return hex


def of_kind(*terrain_kinds: str) -> set[Hex]:
    return {hex for hex, kind in TERRAIN.items() if kind in terrain_kinds}


def with_side(kind: str) -> set[Hexside]:
    return {side for side, side_kinds in MAP.hexsides.items() if kind in side_kinds}


def reach(start: Hex, step: Callable[[Hex, Hex], bool]) -> set[Hex]:
    """The hexes that steps from neighbour to neighbour lead to."""
    reached_hexes = {start}
    for hex in (queue := [start]):
        for adjacent_hex in neighbours(hex):
            if adjacent_hex in MAP and adjacent_hex not in reached_hexes and step(hex, adjacent_hex):
                reached_hexes.add(adjacent_hex)
                queue.append(adjacent_hex)
    return reached_hexes


def dry(*barriers: str) -> Callable[[Hex, Hex], bool]:
    """A step over land and lagoons, but over no hexside of these kinds."""
    barrier_sides = set().union(*(with_side(kind) for kind in barriers))
    return lambda a, b: TERRAIN[b] != "sea" and hexside(a, b) not in barrier_sides


def has_path_along(*path_kinds: str) -> Callable[[Hex, Hex], bool]:
    return lambda a, b: any(kind in MAP.path_sides.get(hexside(a, b), ()) for kind in path_kinds)


def corners_of(lot: Iterable[Hexside]) -> dict[Corner, int]:
    """How many of the hexsides meet in each corner."""
    count: dict[Corner, int] = {}
    for side in lot:
        for corner in ends(side):
            count[corner] = count.get(corner, 0) + 1
    return count


def in_one_piece(lot: set[Hexside]) -> bool:
    remaining_sides = set(lot)
    queue = [remaining_sides.pop()]
    for side in queue:
        touching_sides = {
            touching_side for touching_side in remaining_sides if set(ends(touching_side)) & set(ends(side))
        }
        remaining_sides -= touching_sides
        queue.extend(touching_sides)
    return not remaining_sides


def kilometres(a: str, b: str) -> float:
    (lat, lon), (lat2, lon2) = EARTH[a], EARTH[b]
    return hypot((lat2 - lat) * 110.9, (lon2 - lon) * 111.3 * cos(radians((lat + lat2) / 2)))


def on_paper(hex: Hex) -> tuple[float, float]:
    """Across and down, in hexes of 15 km."""
    return hex.q * sqrt(3) / 2, hex.r + hex.q / 2


def test_it_reads() -> None:
    assert [finding for finding in FINDINGS if "map.yaml" in str(finding) or "map_boxes.yaml" in str(finding)] == []


def test_every_place_of_the_victory_chart_has_a_hex_of_its_own() -> None:
    hexes = {p.name: p.hexes for p in PLACES.values() if p.name in CHART}
    assert hexes.keys() == CHART.keys()
    assert len({hex for lot in hexes.values() for hex in lot}) == len(CHART)


def test_eight_egyptian_garrisons() -> None:
    garrisons = of_kind("city", "fortification")
    assert len(garrisons) == 8
    assert garrisons <= ZONES["egypt"]
    assert {hex for p in PLACES.values() if p.kind in ("city", "fortification") for hex in p.hexes} == garrisons


def test_event_9_finds_cities_and_fortifications_in_the_sinai() -> None:
    assert of_kind("city") & ZONES["sinai"]
    assert of_kind("fortification") & ZONES["sinai"]


def test_six_israeli_garrisons() -> None:
    garrisons = of_kind("town", "kibbutz") & ZONES["israel"]
    assert len(garrisons) == 6
    assert place("eilat") in garrisons
    assert of_kind("kibbutz") and of_kind("kibbutz") < garrisons


@pytest.mark.parametrize("name", ["khan_yunis", "damietta", "mansura"])
def test_towns_that_the_text_only_names(name: str) -> None:
    assert TERRAIN[place(name)] == "town"
    assert place(name) in ZONES["egypt"]


def test_a_place_lies_on_ground_of_its_kind() -> None:
    grounds = ("city", "town", "kibbutz", "fortification", "pass")
    for p in PLACES.values():
        for hex in p.hexes:
            assert TERRAIN[hex] not in CLOSED_TERRAIN, p.name
            assert p.kind not in grounds or TERRAIN[hex] == p.kind, p.name
            assert hex in ZONES["egypt" if p.side == "east" else "israel"], p.name


def test_zones_part_the_map() -> None:
    countries = ("egypt", "israel", "jordan", "saudi_arabia", "mediterranean", "red_sea")
    assert sum(len(ZONES[zone]) for zone in countries) + len(of_kind("lake")) == len(MAP.hexes)
    assert set().union(*(ZONES[zone] for zone in countries)) | of_kind("lake") == set(MAP.hexes)
    assert ZONES["jordan"] | ZONES["saudi_arabia"] == of_kind("neutral")
    assert ZONES["mediterranean"] | ZONES["red_sea"] == of_kind("sea")


@pytest.mark.parametrize(("edge", "country"), [("south", "egypt"), ("east", "israel"), ("west", "egypt")])
def test_reinforcements_find_an_edge(edge: Edge, country: str) -> None:
    assert MAP.edge(edge) & ZONES[country]


def test_libya_lies_beyond_the_west_edge_by_road() -> None:
    assert any(
        has_path_along("road")(hex, adjacent_hex)
        for hex in MAP.edge("west")
        for adjacent_hex in neighbours(hex)
        if adjacent_hex in MAP
    )


# The canal


def test_the_canal_runs_from_sea_to_sea() -> None:
    canal = with_side("suez_canal")
    assert in_one_piece(canal)
    tips = [corner for corner, count in corners_of(canal).items() if count == 1]
    seas = {sea for tip in tips for sea in ("mediterranean", "red_sea") if set(hexes_at(tip)) & ZONES[sea]}
    assert len(tips) == 2
    assert seas == {"mediterranean", "red_sea"}


def test_the_canal_parts_africa_from_the_sinai() -> None:
    step = dry("suez_canal")
    africa = reach(place("cairo"), step)
    asia = reach(place("mitla_pass"), step)
    assert not africa & asia
    assert asia & ZONES["egypt"] == ZONES["sinai"]
    assert ZONES["israel"] <= asia
    west = ("cairo", "giza", "alexandria", "matruh", "damietta", "port_said", "qantara", "ismailia", "suez_city")
    east = ("el_arish", "rafah", "gaza", "khan_yunis", "abu_agheila", "mitla_pass", "gidi_pass", "sharm_el_sheikh")
    assert {place(name) for name in west} <= africa
    assert {place(name) for name in east} <= ZONES["sinai"]


@pytest.mark.parametrize("name", ["port_said", "qantara", "ismailia", "suez_city"])
def test_towns_on_the_canal(name: str) -> None:
    assert with_side("suez_canal") & set(sides(place(name)))


def test_the_bank_closed_to_israelis_is_the_sinai_next_to_the_canal() -> None:
    canal_hexes = {hex for side in with_side("suez_canal") for hex in side}
    assert ZONES["canal_bank"] == canal_hexes & ZONES["sinai"]
    assert ZONES["canal_zone"] == canal_hexes


def test_open_ground_lies_behind_the_canal() -> None:
    """9.8: crossing into open ground costs three."""
    assert of_kind("open") & ZONES["canal_bank"]


# The Nile


def test_the_nile_runs_from_the_south_edge_to_two_mouths() -> None:
    nile = with_side("river")
    assert in_one_piece(nile)
    count = corners_of(nile)
    tips = [corner for corner, n in count.items() if n == 1]
    assert sorted(n for n in count.values() if n > 2) == [3]
    assert len(tips) == 3
    assert sum(bool(set(hexes_at(tip)) & ZONES["mediterranean"]) for tip in tips) == 2
    assert sum(any(hex not in MAP for hex in hexes_at(tip)) for tip in tips) == 1


def test_the_nile_flows_between_cairo_and_giza() -> None:
    assert hexside(place("cairo"), place("giza")) in with_side("river")


def test_banks_of_the_nile() -> None:
    step = dry("river", "suez_canal")
    west, middle, east = (reach(place(name), step) for name in ("giza", "tanta", "cairo"))
    assert not west & east and not west & middle and not middle & east
    assert {place(name) for name in ("alexandria", "matruh", "minya", "beni_suef", "fayum", "damanhur")} <= west
    assert {place(name) for name in ("ismailia", "suez_city", "zagazig", "mansura", "damietta", "port_said")} <= east


# The seas


def test_the_two_seas_do_not_meet() -> None:
    for sea in ("mediterranean", "red_sea"):
        sea_hex = next(iter(ZONES[sea]))
        assert reach(sea_hex, lambda a, b: TERRAIN[b] == "sea") == ZONES[sea]


@pytest.mark.parametrize("sea", ["mediterranean", "red_sea"])
def test_coasts(sea: str) -> None:
    coast_hexes = {
        hex for wet in ZONES[sea] for hex in neighbours(wet) if hex in MAP and TERRAIN[hex] not in CLOSED_TERRAIN
    }
    assert ZONES[f"{sea}_coast"] == coast_hexes


@pytest.mark.parametrize(
    ("name", "coast"),
    [
        ("alexandria", "mediterranean"), ("matruh", "mediterranean"), ("port_said", "mediterranean"),
        ("el_arish", "mediterranean"), ("gaza", "mediterranean"), ("khan_yunis", "mediterranean"),
        ("ashkelon", "mediterranean"), ("suez_city", "red_sea"), ("eilat", "red_sea"), ("sharm_el_sheikh", "red_sea"),
        ("el_tor", "red_sea"),
    ],
)  # fmt: skip
def test_towns_on_a_coast(name: str, coast: str) -> None:
    assert place(name) in ZONES[f"{coast}_coast"]


@pytest.mark.parametrize("name", ["cairo", "mansura", "ismailia", "abu_agheila", "mitla_pass", "beersheba", "nakhl"])
def test_towns_inland(name: str) -> None:
    assert place(name) not in ZONES["mediterranean_coast"] | ZONES["red_sea_coast"]


def test_ports_lie_on_a_coast() -> None:
    ports = {hex for p in PLACES.values() if p.kind == "port" for hex in p.hexes}
    assert ports <= ZONES["mediterranean_coast"] | ZONES["red_sea_coast"]
    assert ports & ZONES["mediterranean_coast"] & ZONES["egypt"]


def test_airbases_in_egypt() -> None:
    bases = {hex for p in PLACES.values() if p.kind == "airbase" for hex in p.hexes}
    assert bases & ZONES["sinai"]
    assert bases & (ZONES["egypt"] - ZONES["sinai"])


# Borders, roads and tracks


def test_the_border_parts_egypt_from_israel() -> None:
    def step(a: Hex, b: Hex) -> bool:
        return TERRAIN[b] not in CLOSED_TERRAIN and hexside(a, b) not in with_side("border")

    assert reach(place("beersheba"), step) == ZONES["israel"]
    assert reach(place("el_arish"), step) | of_kind("lake") == ZONES["egypt"] | of_kind("lake")


def test_the_gaza_strip_is_egyptian_and_on_the_sea() -> None:
    assert ZONES["gaza_strip"] < ZONES["sinai"]
    assert ZONES["gaza_strip"] < ZONES["mediterranean_coast"]
    assert {place("gaza"), place("khan_yunis")} < ZONES["gaza_strip"]


@pytest.mark.parametrize(
    ("first_place", "second_place"),
    [
        ("alexandria", "cairo"), ("cairo", "giza"), ("cairo", "ismailia"), ("cairo", "suez_city"),
        ("cairo", "damietta"), ("port_said", "qantara"), ("port_said", "suez_city"), ("matruh", "alexandria"),
        ("qantara", "el_arish"),
        ("el_arish", "rafah"), ("rafah", "gaza"), ("gaza", "ashkelon"), ("el_arish", "abu_agheila"),
        ("ismailia", "abu_agheila"), ("suez_city", "mitla_pass"), ("mitla_pass", "eilat"), ("beersheba", "eilat"),
        ("giza", "minya"),
    ],
)  # fmt: skip
def test_roads(first_place: str, second_place: str) -> None:
    assert place(second_place) in reach(place(first_place), has_path_along("road"))


@pytest.mark.parametrize("name", ["sharm_el_sheikh", "gidi_pass", "kuntilla", "nakhl", "yotvata", "el_tor"])
def test_roads_and_tracks(name: str) -> None:
    assert place(name) in reach(place("cairo"), has_path_along("road", "track"))


def test_the_canal_road_keeps_to_the_west_bank() -> None:
    step, road = dry("suez_canal"), has_path_along("road")
    assert place("suez_city") in reach(place("port_said"), lambda a, b: step(a, b) and road(a, b))


def test_paths_run_on_ground_that_units_enter() -> None:
    assert {path.kind for path in MAP.paths} == {"road", "track"}
    for path in MAP.paths:
        assert all(TERRAIN[hex] not in CLOSED_TERRAIN for hex in path.hexes), path.name
        assert all(distance(a, b) == 1 for a, b in pairwise(path.hexes)), path.name


def test_wadis_are_hexsides_of_dry_land() -> None:
    wadis = with_side("wadi")
    assert any(side.a in ZONES["sinai"] and side.b in ZONES["sinai"] for side in wadis)
    assert not wadis & (with_side("river") | with_side("suez_canal"))
    assert all(TERRAIN[hex] != "sea" for side in wadis for hex in side)


# The scale


def test_distances_on_the_map_are_those_on_the_ground() -> None:
    """A place may lie 9 km from the middle of its hex, and the earth is round: two hexes at most over any distance."""
    names = sorted(EARTH)
    for a in names:
        for b in names:
            x, y = on_paper(place(a))
            x2, y2 = on_paper(place(b))
            assert abs(hypot(x2 - x, y2 - y) - kilometres(a, b) / 15) <= 2, (a, b)


def test_north_is_up() -> None:
    def compare_with_gap(a: float, b: float, gap: float) -> int:
        return (a > b + gap) - (a < b - gap)

    for a, (lat, lon) in EARTH.items():
        for b, (lat2, lon2) in EARTH.items():
            (x, y), (x2, y2) = on_paper(place(a)), on_paper(place(b))
            assert compare_with_gap(lon, lon2, 0.4) in (0, compare_with_gap(x, x2, 0)), (a, b)
            assert compare_with_gap(lat, lat2, 0.4) in (0, compare_with_gap(y2, y, 0)), (a, b)


def test_the_drawn_canal_lies_on_its_hexsides() -> None:
    line = BOARD.shape.lines["suez_canal"].points
    for corner in corners_of(with_side("suez_canal")):
        x, y = corner.x / 3, (corner.y + corner.x / 2) / 3
        gaps = [_gap((x, y), (float(a), float(b)), (float(c), float(d))) for (a, b), (c, d) in pairwise(line)]
        assert min(gaps) < 1, corner


def _gap(p: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    """How far a point lies from a stretch of line."""
    run = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
    t = max(0.0, min(1.0, ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / run))
    return hypot(p[0] - a[0] - t * (b[0] - a[0]), p[1] - a[1] - t * (b[1] - a[1]))


def test_lines_stay_on_the_board() -> None:
    grid = BOARD.grid
    for name, line in BOARD.shape.lines.items():
        for x, y in line.points:
            assert -1 < x < grid.columns and -1 < y <= grid.rows, name


# Beside the map


def test_boxes_and_tracks() -> None:
    for contingent in ("anglo_french", "israeli", "us", "egyptian", "arab_league", "ussr"):
        assert {f"{contingent}_reinforcement", f"{contingent}_available"} <= MAP.boxes.keys()
    assert {"west_pool", "east_pool", "command_markers", "eliminated"} <= MAP.boxes.keys()
    assert MAP.tracks["turn"].labels == tuple(str(n) for n in range(1, 8))
    assert MAP.tracks["escalation"].labels == tuple(str(n) for n in range(1, 51))

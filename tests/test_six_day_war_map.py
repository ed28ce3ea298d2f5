"""The map of Six Day War: what the rulebook says of it, and the real ground it is projected from."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from math import cos, hypot, radians

import pytest

from scenarios.model.hexes import Hex, Hexside, corners, distance, hexside, neighbours, sides
from scenarios.model.maps import HexMap
from scenarios.pack.loading import read_game
from scenarios.pack.pack_folder import find_pack

GAME, FINDINGS = read_game(find_pack("six_day_war"), [], False)
assert GAME is not None
BOARD = GAME.boards["main"]
GRID = BOARD.grid
_MAP = GAME.maps["main"]
assert isinstance(_MAP, HexMap)
MAP: HexMap = _MAP
ZONES = BOARD.zones
WATER = {hex for hex, kind in BOARD.terrain.items() if kind in ("sea", "lake")}
SEA = {hex for hex, kind in BOARD.terrain.items() if kind == "sea"}
LAND = set(GRID.hexes) - WATER
COUNTRIES = (
    "israel", "egypt_mainland", "egypt_sinai", "gaza", "jordan_west_bank", "jordan_east_bank", "golan", "syria",
    "lebanon", "saudi_arabia",
)  # fmt: skip
SECTORS = ("sinai_sector", "eastern_sector")

# Latitude and longitude, from any atlas.
ATLAS = {
    "port_said": (31.26, 32.30), "ismailia": (30.60, 32.27), "suez": (29.97, 32.55), "el_arish": (31.13, 33.80),
    "rafah": (31.28, 34.24), "gaza": (31.50, 34.46), "nakhl": (29.90, 33.75), "el_tor": (28.24, 33.62),
    "sharm_el_sheikh": (27.86, 34.28), "eilat": (29.56, 34.95), "aqaba": (29.53, 35.01), "beersheba": (31.25, 34.79),
    "tel_aviv": (32.07, 34.78), "haifa": (32.82, 34.99), "nablus": (32.22, 35.26), "hebron": (31.53, 35.10),
    "jericho": (31.86, 35.46), "amman": (31.95, 35.93), "irbid": (32.56, 35.85), "maan": (30.20, 35.73),
    "kuneitra": (33.125, 35.82), "damascus": (33.51, 36.29), "deraa": (32.62, 36.10), "tyre": (33.27, 35.20),
    "sidon": (33.56, 35.37),
}  # fmt: skip
PORTS = [
    "port_said", "suez", "el_arish", "gaza", "ashkelon", "ashdod", "tel_aviv", "netanya", "haifa", "acre", "nahariya",
    "tyre", "sidon", "eilat", "aqaba", "el_tor", "nuweiba", "dahab", "sharm_el_sheikh", "abu_rudeis",
]  # fmt: skip
INLAND = [
    "beersheba", "west_jerusalem", "east_jerusalem", "nablus", "hebron", "amman", "irbid", "maan", "nakhl",
    "bir_gifgafa", "damascus", "safed",
]  # fmt: skip
COUNTRY_OF = {
    "port_said": "egypt_mainland", "ismailia": "egypt_mainland", "suez": "egypt_mainland", "qantara": "egypt_sinai",
    "el_arish": "egypt_sinai", "abu_agheila": "egypt_sinai", "kuntilla": "egypt_sinai", "ras_el_naqb": "egypt_sinai",
    "sharm_el_sheikh": "egypt_sinai", "gaza": "gaza", "khan_yunis": "gaza", "eilat": "israel", "nitzana": "israel",
    "nahal_oz": "israel", "kerem_shalom": "israel", "west_jerusalem": "israel", "afula": "israel", "dan": "israel",
    "ein_gev": "israel", "degania": "israel", "latrun": "jordan_west_bank", "east_jerusalem": "jordan_west_bank",
    "qalqilya": "jordan_west_bank", "tulkarm": "jordan_west_bank", "jenin": "jordan_west_bank",
    "jericho": "jordan_west_bank", "hebron": "jordan_west_bank", "aqaba": "jordan_east_bank",
    "amman": "jordan_east_bank", "irbid": "jordan_east_bank", "karak": "jordan_east_bank", "banias": "golan",
    "tawafiq": "golan", "kuneitra": "golan", "rafid": "golan", "sasa": "syria", "nawa": "syria", "deraa": "syria",
    "damascus": "syria", "tyre": "lebanon", "marjayoun": "lebanon",
}  # fmt: skip
ROADS = [
    ("port_said", "suez"), ("qantara", "el_arish"), ("el_arish", "gaza"), ("gaza", "tel_aviv"), ("tel_aviv", "haifa"),
    ("haifa", "sidon"), ("ismailia", "abu_agheila"), ("abu_agheila", "beersheba"), ("suez", "mitla_pass"),
    ("mitla_pass", "eilat"), ("suez", "sharm_el_sheikh"), ("beersheba", "eilat"), ("tel_aviv", "west_jerusalem"),
    ("west_jerusalem", "east_jerusalem"), ("east_jerusalem", "nablus"), ("nablus", "jenin"), ("jenin", "afula"),
    ("east_jerusalem", "hebron"), ("jericho", "amman"), ("amman", "irbid"), ("amman", "aqaba"), ("amman", "damascus"),
    ("safed", "kuneitra"), ("kuneitra", "damascus"), ("haifa", "kiryat_shmona"),
]  # fmt: skip


def hex_named(name: str) -> Hex:
    return BOARD.places[name].hexes[0]


def spot(hex: Hex) -> tuple[float, float]:
    """Where a hex lies on the ground, by the formula in the board's file."""
    row, column = int(GRID.row_name(hex)), int(GRID.column_name(hex))
    return 27.860 + 0.0695 * (row - 1), 32.015 + 0.0930 * (column - 1 + (row % 2) / 2)


def nearest(latitude: float, longitude: float) -> Hex:
    return min(GRID.hexes, key=lambda hex: kilometres(spot(hex), (latitude, longitude)))


def kilometres(a: tuple[float, float], b: tuple[float, float]) -> float:
    return hypot((a[0] - b[0]) * 111, (a[1] - b[1]) * 111.3 * cos(radians((a[0] + b[0]) / 2)))


def country(hex: Hex) -> str:
    return next(name for name in COUNTRIES if hex in ZONES[name])


def touches(hex: Hex, other_hexes: Iterable[Hex]) -> bool:
    return not set(neighbours(hex)).isdisjoint(other_hexes)


def reachable_hexes(
    start: Hex, hexes: Iterable[Hex], may_cross: Callable[[Hexside], bool] = lambda side: True
) -> set[Hex]:
    """All hexes that a walk through `among` reaches."""
    allowed_hexes = set(hexes)
    region = {start}
    for hex in (queue := [start]):
        for neighbour in neighbours(hex):
            if neighbour in allowed_hexes and neighbour not in region and may_cross(hexside(hex, neighbour)):
                region.add(neighbour)
                queue.append(neighbour)
    return region


def of_kind(kind: str) -> set[Hexside]:
    return {side for side, side_kinds in BOARD.hexsides.items() if kind in side_kinds}


def border_sides(first_countries: set[str], two: set[str]) -> set[Hexside]:
    """The hexsides between two groups of countries."""
    return {
        side
        for hex in LAND
        if country(hex) in first_countries
        for side in sides(hex)
        if (far_hex := side.b if side.a == hex else side.a) in LAND and country(far_hex) in two
    }


def test_the_pack_is_sound() -> None:
    assert [f for f in FINDINGS if "map" in str(f)] == []


def test_saudi_arabia_begins_at_2233_on_the_gulf() -> None:
    """25.1: from there to the south along the coast."""
    first = GRID.hex("2233")
    gulf = reachable_hexes(GRID.hex("2232"), SEA)
    shore = {hex for hex in ZONES["saudi_arabia"] if touches(hex, gulf)}
    assert first in shore and GRID.hex("2232") in SEA
    assert {int(GRID.row_name(hex)) for hex in shore} == set(range(min(int(GRID.row_name(h)) for h in shore), 23))
    assert [GRID.name(hex) for hex in shore if GRID.row_name(hex) == "22"] == ["2233"]
    north = reachable_hexes(hex_named("aqaba"), {hex for hex in ZONES["jordan_east_bank"] if touches(hex, gulf)})
    assert north and touches(first, north)
    assert distance(hex_named("aqaba"), first) == 3
    assert kilometres(spot(first), (29.36, 34.96)) < 6


@pytest.mark.parametrize("name", ATLAS)
def test_places_stand_where_they_are(name: str) -> None:
    assert kilometres(spot(hex_named(name)), ATLAS[name]) < 5.5
    assert hex_named(name) == nearest(*ATLAS[name])


@pytest.mark.parametrize("name", PORTS)
def test_ports_touch_the_sea(name: str) -> None:
    assert touches(hex_named(name), SEA)


@pytest.mark.parametrize("name", INLAND)
def test_inland_towns_do_not(name: str) -> None:
    assert not touches(hex_named(name), SEA)


@pytest.mark.parametrize("name", COUNTRY_OF)
def test_places_lie_in_their_country(name: str) -> None:
    assert country(hex_named(name)) == COUNTRY_OF[name]


def test_all_places_stand_on_land_and_apart() -> None:
    towns = [place for place in BOARD.places.values() if place.kind not in ("bridge", "sea", "gulf")]
    assert {hex for place in towns for hex in place.hexes} <= LAND
    assert len({place.hexes for place in towns}) == len(towns)
    place_kinds = {"city", "fortified_city", "town", "kibbutz", "fortification", "airbase"}
    assert all(BOARD.terrain[place.hexes[0]] == place.kind for place in towns if place.kind in place_kinds)
    place_hexes = {place.hexes[0] for place in towns if place.kind in place_kinds}
    assert {hex for hex, kind in BOARD.terrain.items() if kind in place_kinds} == place_hexes


@pytest.mark.parametrize(
    ("latitude", "longitude", "kind"),
    [
        (32.5, 33.5, "sea"), (31.6, 32.5, "sea"), (33.4, 34.8, "sea"),  # the Mediterranean
        (29.6, 32.5, "sea"), (28.8, 32.95, "sea"), (28.2, 33.4, "sea"),  # the Gulf of Suez
        (29.35, 34.88, "sea"), (28.9, 34.75, "sea"), (28.3, 34.55, "sea"),  # the Gulf of Aqaba
        (31.5, 35.48, "lake"), (31.2, 35.42, "lake"), (32.85, 35.59, "lake"), (30.33, 32.40, "lake"),
        (28.6, 34.0, "mountain"), (30.75, 32.8, "dunes"), (30.05, 34.2, "clear"), (32.2, 35.35, "rough"),
    ],
)  # fmt: skip
def test_the_ground(latitude: float, longitude: float, kind: str) -> None:
    assert BOARD.terrain[nearest(latitude, longitude)] == kind


def test_the_gulfs_are_no_lakes() -> None:
    """Both reach the south edge; the Mediterranean is another sea."""
    edge = set(GRID.edge("bottom"))
    suez, aqaba = (reachable_hexes(nearest(*point), SEA) for point in ((28.8, 32.95), (28.9, 34.75)))
    mediterranean = reachable_hexes(GRID.hex("8601"), SEA)
    assert suez & edge and aqaba & edge
    assert suez.isdisjoint(mediterranean) and aqaba.isdisjoint(mediterranean)
    assert mediterranean | suez | aqaba == SEA


def test_the_canal_runs_from_sea_to_sea() -> None:
    canal = of_kind("suez_canal")
    assert canal == border_sides({"egypt_mainland"}, {"egypt_sinai"})
    joined_corners = {corner for hex in reachable_hexes(GRID.hex("8601"), SEA) for corner in corners(hex)}
    bitter_lake = reachable_hexes(nearest(30.33, 32.40), WATER - SEA)
    parts = [set(corners(side.a)) & set(corners(side.b)) for side in canal]
    parts.append({corner for hex in bitter_lake for corner in corners(hex)})
    while growing := [part for part in parts if joined_corners & part]:
        parts = [part for part in parts if not joined_corners & part]
        joined_corners |= set().union(*growing)
    assert not parts
    assert joined_corners & {corner for hex in reachable_hexes(nearest(29.6, 32.5), SEA) for corner in corners(hex)}
    assert ZONES["egypt_sinai"].isdisjoint(reachable_hexes(hex_named("suez"), LAND, lambda side: side not in canal))


def test_countries_and_sectors_partition_the_land() -> None:
    for zones in (COUNTRIES, SECTORS):
        assert set().union(*(ZONES[zone] for zone in zones)) == LAND
        assert sum(len(ZONES[zone]) for zone in zones) == len(LAND)
    for zone in (*COUNTRIES, *SECTORS):
        start = min(ZONES[zone])
        assert reachable_hexes(start, ZONES[zone]) == ZONES[zone], zone


def test_the_sectors_part_at_their_boundary() -> None:
    """5.3 to 5.7: Egypt and Gaza face the Sinai front, everyone else the Eastern one."""
    sinai, eastern = (ZONES[zone] for zone in SECTORS)
    for zone in ("egypt_mainland", "egypt_sinai", "gaza"):
        assert ZONES[zone] <= sinai
    for zone in ("jordan_west_bank", "jordan_east_bank", "golan", "syria", "lebanon", "saudi_arabia"):
        assert ZONES[zone] <= eastern
    assert of_kind("sector_boundary") == {
        hexside(hex, neighbour) for hex in sinai for neighbour in neighbours(hex) if neighbour in eastern
    }
    for sector in (sinai, eastern):
        assert {"city", "town", "kibbutz"} <= {BOARD.terrain[hex] for hex in sector & ZONES["israel"]}


def test_rivers_and_lines_part_the_countries() -> None:
    """25.4: the Jordan and the ceasefire line bound the Israelis."""
    rivers = of_kind("river")
    assert border_sides({"jordan_west_bank"}, {"jordan_east_bank"}) <= rivers
    assert border_sides({"golan"}, {"jordan_east_bank"}) <= rivers
    assert of_kind("ceasefire_line") == border_sides({"golan"}, {"syria"})
    west, east = {"israel", "jordan_west_bank"}, {"jordan_east_bank"}
    dry = {side for side in border_sides(west, east) if side not in rivers}
    assert {GRID.row_name(hex) for side in dry for hex in side} <= {f"{row:02}" for row in range(24, 48)}
    abroad = {"israel", "lebanon", "syria", "golan", "saudi_arabia"}
    for nation in abroad:
        assert border_sides({nation}, abroad - {nation}) - of_kind("ceasefire_line") <= of_kind("border")
    assert border_sides({"israel"}, set(COUNTRIES) - {"israel"}) <= of_kind("border")


def test_bridges_carry_roads_over_rivers() -> None:
    bridges = [place for place in BOARD.places.values() if place.kind == "bridge"]
    assert {"allenby_bridge", "damiya_bridge", "bnot_yaakov_bridge"} <= {bridge.id for bridge in bridges}
    for bridge in bridges:
        side = hexside(*bridge.hexes)
        assert BOARD.hexsides[side] & {"river", "suez_canal"}
        assert "road" in BOARD.path_sides[side]


@pytest.mark.parametrize(("start", "end"), ROADS)
def test_roads_join_the_towns(start: str, end: str) -> None:
    def is_road(side: Hexside) -> bool:
        return "road" in BOARD.path_sides.get(side, ())

    assert hex_named(end) in reachable_hexes(hex_named(start), LAND, is_road)


def test_paths_stay_on_land_and_no_stretch_is_drawn_twice() -> None:
    crossings = [side for path in BOARD.paths for side in path.crossings]
    assert {hex for path in BOARD.paths for hex in path.hexes} <= LAND
    assert len(crossings) == len(set(crossings))
    assert all(distance(a, b) == 1 for path in BOARD.paths for a, b in pairwise(path.hexes))
    assert ZONES["saudi_arabia"].isdisjoint(hex for path in BOARD.paths for hex in path.hexes)


def test_jerusalem_is_two_hexes() -> None:
    """16.14; East Jerusalem alone is an objective."""
    west, east = hex_named("west_jerusalem"), hex_named("east_jerusalem")
    assert distance(west, east) == 1
    assert {BOARD.terrain[west], BOARD.terrain[east]} == {"fortified_city"}
    assert east in ZONES["eastern_objectives"] and west not in ZONES["eastern_objectives"]


def test_objectives_lie_where_israelis_may_go() -> None:
    """23.2 and 25.4; the chart gives East Jerusalem 25, Sharm el Sheikh and Gaza 10, the others 5."""
    sinai, eastern = ZONES["sinai_objectives"], ZONES["eastern_objectives"]
    assert {hex_named("gaza"), hex_named("sharm_el_sheikh")} <= sinai <= ZONES["egypt_sinai"] | ZONES["gaza"]
    assert eastern <= ZONES["jordan_west_bank"] | ZONES["golan"]
    assert 2 * 10 + 5 * (len(sinai) - 2) == 25 + 5 * (len(eastern) - 1)


def test_everyone_has_a_place_to_arrive() -> None:
    """7.4 and 24.1: map edges, cities west of the canal and in Jordan and Syria, towns in Lebanon."""
    cities = {hex for hex, kind in BOARD.terrain.items() if kind in ("city", "fortified_city")}
    assert MAP.edge("west") & ZONES["egypt_mainland"]
    assert MAP.edge("east") & ZONES["jordan_east_bank"] and MAP.edge("east") & ZONES["syria"]
    for zone in ("egypt_mainland", "jordan_east_bank", "syria", "israel"):
        assert cities & ZONES[zone]
    assert {hex for hex in ZONES["lebanon"] if BOARD.terrain[hex] == "town"}
    assert {hex for hex in GRID.hexes if BOARD.terrain[hex] == "kibbutz"} <= ZONES["israel"]


def test_fortifications_face_the_israelis() -> None:
    """12.1 has several on the Golan."""
    forts = {hex for hex, kind in BOARD.terrain.items() if kind == "fortification"}
    assert forts.isdisjoint(ZONES["israel"]) and {hex_named("rafah"), hex_named("abu_agheila")} <= forts
    golan = forts & ZONES["golan"]
    assert len(golan) > 1 and all(touches(hex, ZONES["israel"]) for hex in golan)


def test_boxes_and_tracks() -> None:
    for front in ("sinai", "eastern"):
        for box in ("available", "utilized", "refit", "dead", "arab_reinforcement", "barrage"):
            assert f"{front}_{box}" in MAP.boxes
        assert MAP.tracks[f"{front}_air_defense"].labels == ("0", "1", "2", "3", "4", "5")
        assert MAP.tracks[f"{front}_zrp"].labels[-1] == "50"
    assert "reserve" in MAP.boxes
    assert len(MAP.tracks["turn"].labels) == 6


def test_drawn_coasts_follow_the_hexes() -> None:
    """The points of a coast have land and sea within two hexes, and all lines stay on the sheet."""
    points = [point for line in BOARD.shape.lines.values() for point in line.points]
    assert all(-0.6 <= x <= 49.1 and -0.8 <= y <= 85.8 for x, y in points)
    centres = {hex: (hex.q + hex.r / 2, hex.r * 0.866) for hex in GRID.hexes}  # in hex widths, both ways
    coasts = [line for line in BOARD.shape.lines.values() if line.kind == "coast" and not line.closed]
    for x, y in (point for line in coasts for point in line.points[::5]):
        if 1 < x < 47.5 and 1 < y < 84:
            nearby_hexes = {hex for hex, (u, v) in centres.items() if hypot(u - float(x), v - float(y) * 0.866) < 2}
            assert nearby_hexes & WATER and nearby_hexes & LAND

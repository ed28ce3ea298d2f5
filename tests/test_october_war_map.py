"""The map of October War: what the rulebook says of its points, and what the ground says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise

import pytest

from scenarios.model.points import PointMap
from scenarios.pack.loading import read_game
from scenarios.pack.pack_folder import find_pack

GAME, FINDINGS = read_game(find_pack("october_war"), [], False)
assert GAME is not None
_FIELD = GAME.maps["main"]
assert isinstance(_FIELD, PointMap)
MAP: PointMap = _FIELD

LAND = ("road", "jordan_river", "purple_line")
OPEN_WAYS = (*LAND, "reserve")
THEATERS = ("sinai", "golan")
RESERVES = ("israeli_reserve", "egyptian_reserve", "syrian_reserve")

Spot = tuple[Fraction, Fraction]


def spot(point: str) -> Spot:
    x, y = MAP.points[point].at
    return x, y


def point_named(name: str) -> str:
    (point_id,) = (point for point, shape in MAP.points.items() if shape.name == name)
    return point_id


def of_terrain(kind: str) -> set[str]:
    return {point for point, shape in MAP.points.items() if shape.terrain == kind}


def of_kind(kind: str) -> set[str]:
    return {point for point, shape in MAP.points.items() if kind in shape.kinds}


def routes_of(kind: str) -> list[tuple[str, str]]:
    return [(route.a, route.b) for route in MAP.routes if route.kind == kind]


def reachable_points(start: str, without: Iterable[str]) -> set[str]:
    """Where one gets by land without setting foot on some points."""
    shut, reached_points, waiting = set(without), {start}, [start]
    while waiting:
        for adjacent_point, route_kinds in MAP.adjacent(waiting.pop()).items():
            if adjacent_point not in reached_points and adjacent_point not in shut and route_kinds & set(LAND):
                reached_points.add(adjacent_point)
                waiting.append(adjacent_point)
    return reached_points


def turn(a: Spot, b: Spot, c: Spot) -> Fraction:
    """Above zero when a, b, c turn one way, below when the other, zero in a line."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def meet(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def inside(point: Spot, shore: Sequence[Spot]) -> bool:
    x, y = point
    hits = 0
    for (x1, y1), (x2, y2) in pairwise([*shore, shore[0]]):
        if (y1 > y) != (y2 > y) and x < x1 + (x2 - x1) * (y - y1) / (y2 - y1):
            hits += 1
    return hits % 2 == 1


def east_of(point: Spot, line: Sequence[Spot]) -> bool:
    """Whether a point is to the right of a line drawn from north to south; its ends are carried on straight."""
    x, y = point
    for (x1, y1), (x2, y2) in pairwise(line):
        if y1 <= y <= y2:
            return x > x1 + (x2 - x1) * (y - y1) / (y2 - y1)
    return x > (line[0] if y < line[0][1] else line[-1])[0]


# What the text names.


@pytest.mark.parametrize(
    ("name", "terrain", "area"),
    [
        ("Port Said", "city", "africa"),  # 5.2
        ("Ismailia", "city", "africa"),
        ("Suez City", "city", "africa"),
        ("Port Tawfik", "israeli_fort_sinai", "east_of_canal"),  # 20.4
        ("Chinese Farm", "rough", "east_of_canal"),  # 24.3; its terrain is ours
        ("Mitla Pass", "pass", "east_of_canal"),  # 4.1
        ("Gidi Pass", "pass", "east_of_canal"),
        ("Gonen", "open", "west_of_purple_line"),  # 6.3, 23.1
        ("Wasit", "open", "west_of_purple_line"),
        ("Kuneitra", "town", "west_of_purple_line"),
        ("109/110", "israeli_fort_golan", "west_of_purple_line"),
        ("Um Butne", "arab_fort", "east_of_purple_line"),
        ("El Hara", "objective", "east_of_purple_line"),
        ("Mount Hermon", "mountain", "west_of_purple_line"),  # 5.1
        ("Sasa", "objective", "east_of_purple_line"),  # 5.3
        ("Sheikh Meskin", "town", "east_of_purple_line"),  # 10.10
    ],
)
def test_a_named_point(name: str, terrain: str, area: str) -> None:
    point = point_named(name)
    assert MAP.points[point].terrain == terrain
    assert point in MAP.in_area(area)
    assert MAP.points[point].side == ("arab" if area in ("africa", "east_of_purple_line") else "israeli")


def test_what_the_text_names_says_so() -> None:
    sourced_points = {point for point, shape in MAP.points.items() if "name" in shape.sources}
    for name in ("Port Said", "Port Tawfik", "Chinese Farm", "Gonen", "109/110", "Um Butne", "Sasa", "Sheikh Meskin"):
        source = MAP.points[point_named(name)].sources["name"]
        assert source is not None and source.word == "rulebook", name
    assert not sourced_points & {"orkal", "tasa", "nafah", "fort_104", "bnot_yaakov_bridge"}
    assert GAME is not None
    for datum in GAME.data:
        if datum.address[:3] == ("maps", "main", "points") and "at" in datum.address:
            assert datum.source is not None and datum.source.word == "reconstructed", datum.path


def test_cities_forts_passes_objectives() -> None:
    assert of_terrain("city") == MAP.in_area("egyptian_cities") == {"port_said", "ismailia", "suez_city"}
    assert of_terrain("pass") == MAP.in_area("passes") == of_kind("pass") == {"mitla_pass", "gidi_pass"}
    # Four garrisons, one to a point (5.1); four Golan forts are held and no more, so there are more.
    assert len(MAP.in_area("bar_lev_line")) >= 4
    assert len(MAP.in_area("purple_line_forts")) > 4
    assert of_terrain("israeli_fort_sinai") == MAP.in_area("bar_lev_line")
    assert of_terrain("israeli_fort_golan") == MAP.in_area("purple_line_forts")
    assert of_terrain("arab_fort") == MAP.in_area("syrian_forts") <= MAP.in_area("east_of_purple_line")
    forts = MAP.in_area("bar_lev_line") | MAP.in_area("purple_line_forts") | MAP.in_area("syrian_forts")
    assert of_kind("fort") == forts
    # Both sides have objectives in both theaters (4.1, 4.2), each on the other's ground.
    for side, grounds in (
        ("arab", ("east_of_canal", "west_of_purple_line")),
        ("israeli", ("africa", "east_of_purple_line")),
    ):
        for theater, ground in zip(THEATERS, grounds, strict=True):
            objectives = MAP.in_area(f"{side}_objectives_{theater}")
            assert objectives and objectives <= MAP.in_area(ground)
            assert objectives == of_kind(f"{side}_objective") & MAP.in_area(theater)
    assert of_terrain("objective") == of_kind("objective") == of_kind("arab_objective") | of_kind("israeli_objective")
    # Towns that score for Israel are Egyptian (chart), so none stands east of the canal.
    assert of_terrain("town") & MAP.in_area("sinai") == MAP.in_area("egyptian_towns") <= MAP.in_area("africa")
    assert of_terrain("town") & MAP.in_area("east_of_purple_line") == MAP.in_area("syrian_towns")


def test_every_kind_of_point_and_route_is_used() -> None:
    assert GAME is not None
    assert {shape.terrain for shape in MAP.points.values()} == set(GAME.terrain)
    assert {route.kind for route in MAP.routes} == set(GAME.routes)


# The canal, the lakes, the sea.


def test_the_canal_parts_the_theater() -> None:
    africa, east, water = (MAP.in_area(area) for area in ("africa", "east_of_canal", "sinai_water"))
    assert set(MAP.distances("ismailia", LAND)) == africa
    assert set(MAP.distances("tasa", LAND)) == east
    for a, b in routes_of("suez_canal"):
        assert {a in africa, b in africa} == {True, False}
        assert {a, b} & MAP.in_area("bar_lev_line")
    # The Bar-Lev Line is what adjoins the canal (2.1): one crossing to each fort, and none besides.
    crossings = routes_of("suez_canal")
    assert len(crossings) == 10
    assert {point for pair in crossings for point in pair} == of_kind("canal_bank")
    assert {point for pair in crossings for point in pair if point in east} == MAP.in_area("bar_lev_line")
    for point in water:
        shores = MAP.adjacent(point)
        assert all(route_kinds == {"water"} for route_kinds in shores.values())
        assert len(shores) == 2 and len(set(shores) & africa) == 1 and len(set(shores) & east) == 1
    assert of_terrain("lake_crossing") | of_terrain("red_sea_crossing") == water


def test_the_examples_of_the_text() -> None:
    assert MAP.adjacent("suez_city")["port_tawfik"] == {"suez_canal"}  # 20.4
    (fort,) = set(MAP.adjacent("port_said")) & MAP.in_area("bar_lev_line")  # 24.3
    assert spot(fort)[0] > spot("port_said")[0]
    assert "chinese_farm" not in MAP.adjacent("port_said")
    assert "chinese_farm" not in MAP.in_area("bar_lev_line")
    assert MAP.distance("matzmed", "chinese_farm") == 1


# The Golan.

LINE = ("Gonen", "Wasit", "Kuneitra", "109/110", "Um Butne", "El Hara")


def test_the_line_of_the_golan() -> None:
    line = [*(point_named(name) for name in LINE), "south_of_el_hara"]
    assert MAP.areas["golan_line"].points == tuple(line)
    for a, b in pairwise(line):
        assert MAP.distance(a, b) == 1
    assert spot("south_of_el_hara")[1] > spot("el_hara")[1]
    assert abs(spot("south_of_el_hara")[0] - spot("el_hara")[0]) < 3
    north, south = MAP.in_area("golan_north"), MAP.in_area("golan_south")
    assert reachable_points("mount_hermon", line) == north
    assert reachable_points("hushniya", line) | reachable_points("nawa", line) == south
    assert north | south | set(line) == MAP.in_area("golan")
    assert not north & south and not set(line) & (north | south)


def test_the_purple_line_parts_the_armies() -> None:
    west, east = MAP.in_area("west_of_purple_line"), MAP.in_area("east_of_purple_line")
    for route in MAP.routes:
        if {route.a, route.b} <= west | east:
            assert (route.kind == "purple_line") == ((route.a in west) != (route.b in west)), route
    adjoining = {a if a in west else b for a, b in routes_of("purple_line")}
    assert adjoining == MAP.in_area("purple_line_forts") | {"mount_hermon"}
    assert set(MAP.distances("nafah", ("road", "jordan_river"))) == west
    assert set(MAP.distances("sasa", ("road",))) == east


# Reserve areas and lines of communication.


def test_reserve_areas() -> None:
    assert of_terrain("reserve_area") == set(RESERVES)
    assert len(MAP.adjacent("egyptian_reserve")) == 5  # 25.3
    assert set(MAP.adjacent("egyptian_reserve")) == MAP.in_area("egyptian_edge") <= MAP.in_area("africa")
    assert set(MAP.adjacent("syrian_reserve")) == MAP.in_area("to_damascus")
    assert len(MAP.in_area("to_damascus")) >= 2
    assert all(MAP.points[point].name.startswith("To Damascus") for point in MAP.in_area("to_damascus"))
    israeli = MAP.in_area("israeli_edge_sinai") | MAP.in_area("israeli_edge_golan")
    assert set(MAP.adjacent("israeli_reserve")) == israeli  # 3.2: both theaters
    assert all(MAP.in_area(theater) & israeli for theater in THEATERS)
    for a, b in routes_of("reserve"):
        assert len({a, b} & set(RESERVES)) == 1
    # Only through the Israeli reserve does one theater touch the other (3.1, 3.2).
    for route in MAP.routes:
        assert route.kind == "reserve" or any({route.a, route.b} <= MAP.in_area(theater) for theater in THEATERS)
    # No stop on entry for what comes out of reserve at double movement (25.3).
    edge = israeli | MAP.in_area("egyptian_edge") | MAP.in_area("to_damascus")
    assert {MAP.points[point].terrain for point in edge} <= {"open", "town"}


@pytest.mark.parametrize(
    ("area", "reserve"),
    [
        ("africa", "egyptian_reserve"),
        ("east_of_canal", "israeli_reserve"),
        ("west_of_purple_line", "israeli_reserve"),
        ("east_of_purple_line", "syrian_reserve"),
    ],
)
def test_everyone_has_a_line_of_communications_at_the_start(area: str, reserve: str) -> None:
    area_points = MAP.in_area(area)
    for start in area_points:
        reached_points, waiting = {start}, [start]
        while waiting:
            for adjacent_point, route_kinds in MAP.adjacent(waiting.pop()).items():
                if (
                    adjacent_point not in reached_points
                    and adjacent_point in {*area_points, reserve}
                    and route_kinds & set(OPEN_WAYS)
                ):
                    reached_points.add(adjacent_point)
                    waiting.append(adjacent_point)
        assert reserve in reached_points, start


def test_the_jordanians_come_from_the_southeast_corner() -> None:
    assert MAP.in_area("jordanian_entry") == {"sheikh_meskin"}
    x, y = spot("sheikh_meskin")
    syrian = MAP.in_area("east_of_purple_line")
    assert all(spot(point)[0] <= x or spot(point)[1] < y for point in syrian - {"sheikh_meskin"})


# The whole.


def test_areas_divide_the_points() -> None:
    parts = [*THEATERS, *RESERVES]
    assert sorted(point for part in parts for point in MAP.areas[part].points) == sorted(MAP.points)
    for theater, pieces in (
        ("sinai", ("africa", "sinai_water", "east_of_canal")),
        ("golan", ("west_of_purple_line", "east_of_purple_line")),
        ("golan", ("golan_line", "golan_north", "golan_south")),
    ):
        assert sorted(p for piece in pieces for p in MAP.areas[piece].points) == sorted(MAP.areas[theater].points)


def test_every_point_is_reached_and_has_two_ways() -> None:
    assert set(MAP.distances("tasa")) == set(MAP.points)
    for point in MAP.points:
        assert len(MAP.adjacent(point)) >= 2, point
    assert all(len(route_kinds) == 1 for point in MAP.points for route_kinds in MAP.adjacent(point).values())


@pytest.mark.parametrize(
    ("a", "b", "low", "high"),
    [
        ("port_said", "suez_city", 8, 12),  # the canal from end to end
        ("suez_city", "mitla_pass", 3, 4),  # in reach of commandos by air: four points (23.4)
        ("el_arish", "milano", 4, 8),  # a paradrop from the edge reaches the canal: eight points (13.10)
        ("fort_107", "bnot_yaakov_bridge", 3, 4),  # the Golan is shallow
        ("to_damascus_center", "kuneitra", 4, 6),
        ("tasa", "bir_gifgafa", 2, 3),
        ("mount_hermon", "el_al", 6, 9),
    ],
)
def test_distances_make_sense(a: str, b: str, low: int, high: int) -> None:
    actual_distance = MAP.distance(a, b, (*LAND, "suez_canal"))
    assert actual_distance is not None and low <= actual_distance <= high


# Boxes and tracks.


def test_displays_and_tracks() -> None:
    for army in ("israeli", "egyptian", "syrian"):
        for box in (
            "air_ready",
            "air_used",
            "barrage",
            "ew",
            "mobilization_available",
            "refit_available",
            "breakdown",
            "eliminated",
            "permanently_eliminated",
        ):
            assert f"{army}_{box}" in MAP.boxes
    missions = ("air_superiority", "strategic", "ground_attack", "recon")  # 18.3
    displays = ("israeli_sinai", "israeli_golan", "egyptian", "syrian")  # 2.2: four
    assert {f"{display}_{mission}" for display in displays for mission in missions} <= set(MAP.boxes)
    assert {"battle", "israeli_events_in_play", "arab_events_in_play"} <= set(MAP.boxes)
    for side in ("israeli", "arab"):
        assert MAP.tracks[f"{side}_turns"].labels == tuple("123456789")  # 4.4
    for army, loss_limit in (("israeli", 70), ("egyptian", 60), ("syrian", 60)):
        # 7.2 ends the track at 50 and goes round again; ours goes on to the total that loses the game (4.1).
        assert MAP.tracks[f"{army}_casualties"].labels == tuple(str(n) for n in range(loss_limit + 2))
        assert MAP.tracks[f"{army}_mobilization"].labels[0] == "0"


# The ground.


@pytest.mark.parametrize(
    ("point", "latitude", "longitude"),
    [
        ("port_said", "31.26", "32.30"),
        ("ismailia", "30.60", "32.27"),
        ("suez_city", "29.97", "32.55"),
        ("baluza", "30.98", "32.55"),
        ("tasa", "30.48", "32.70"),
        ("bir_gifgafa", "30.41", "33.15"),
        ("gidi_pass", "30.22", "33.07"),
        ("mitla_pass", "30.01", "32.92"),
        ("el_arish", "31.13", "33.80"),
        ("nakhl", "29.90", "33.75"),
        ("gonen", "33.12", "35.65"),
        ("wasit", "33.15", "35.74"),
        ("kuneitra", "33.125", "35.82"),
        ("nafah", "33.07", "35.75"),
        ("el_hara", "33.06", "36.03"),
        ("sasa", "33.28", "36.03"),
        ("sheikh_meskin", "32.83", "36.16"),
        ("tiberias", "32.79", "35.53"),
    ],
)
def test_points_lie_where_they_do_on_the_ground(point: str, latitude: str, longitude: str) -> None:
    north, east = Fraction(latitude), Fraction(longitude)
    if point in MAP.in_area("sinai"):
        x, y = 32 * (east - Fraction("31.15")), 37 * (Fraction("31.62") - north)
    else:
        x, y = 104 + 62 * (east - Fraction("35.45")), 74 * (Fraction("33.58") - north)
    right, y_offset = spot(point)
    assert (right - x) ** 2 + (y_offset - y) ** 2 <= Fraction(5, 2) ** 2


def test_points_are_on_the_right_side_of_water_and_line() -> None:
    canal, purple = MAP.lines["canal"].points, MAP.lines["purple_line"].points
    assert not any(east_of(spot(point), canal) for point in MAP.in_area("africa"))
    assert all(east_of(spot(point), canal) for point in MAP.in_area("east_of_canal"))
    assert not any(east_of(spot(point), purple) for point in MAP.in_area("west_of_purple_line"))
    assert all(east_of(spot(point), purple) for point in MAP.in_area("east_of_purple_line"))
    waters = [line.points for line in MAP.lines.values() if line.kind in ("coast", "shore")]
    for point in MAP.points:
        assert any(inside(spot(point), shore) for shore in waters) == (point in MAP.in_area("sinai_water")), point
    for theater in THEATERS:
        frame = MAP.lines[f"{theater}_sheet"].points
        assert all(inside(spot(point), frame) for point in MAP.in_area(theater))


def test_counters_fit_and_routes_do_not_cross() -> None:
    for a, b in combinations(MAP.points, 2):
        (ax, ay), (bx, by) = spot(a), spot(b)
        assert (ax - bx) ** 2 + (ay - by) ** 2 >= 9, (a, b)  # three centimetres
    for first_route, second_route in combinations(MAP.routes, 2):
        if len({first_route.a, first_route.b, second_route.a, second_route.b}) == 4:
            assert not meet(spot(first_route.a), spot(first_route.b), spot(second_route.a), spot(second_route.b)), (
                first_route,
                second_route,
            )
    for route in MAP.routes:
        start, end = spot(route.a), spot(route.b)
        length = (start[0] - end[0]) ** 2 + (start[1] - end[1]) ** 2
        for point in MAP.points.keys() - {route.a, route.b}:
            x, y = spot(point)
            projection = (x - start[0]) * (end[0] - start[0]) + (y - start[1]) * (end[1] - start[1])
            if 0 < projection < length:
                assert turn(start, end, (x, y)) ** 2 > length, (route, point)  # more than one centimetre off

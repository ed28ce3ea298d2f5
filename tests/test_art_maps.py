"""Maps, boards, point maps and the sheets around them: sizes, ids, names, legends, boxes and tracks."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from art import icons, legend, mapsheet, pointmap, scenery
from art.geometry import ROOT3, Paper, path_of, short
from art.hexmap import LEAST_ID, SIDE, hex_ids, id_size, map_group, place_names, sheet_of
from art.labels import PlacedLabel
from art.places import spots
from art.pointnames import placed_names
from art.pointsheet import RADIUS, moved, point_sheet
from art.svg import Element, to_bytes
from art.text import CAPITAL
from art.tracks import SPACE, track_spaces
from art.water import WATER, cut_up, water_of
from scenarios.game import Game
from scenarios.hexes import Hex, Hexside, neighbours
from scenarios.loading import load
from scenarios.maps import HexMap, TrackShape
from scenarios.points import PointMap
from tests.packs import TWO_WELLS

HEX_GAMES = ("musketeer", "six_day_war", "yom_kippur")
GAMES = (*HEX_GAMES, "october_war")


@lru_cache(maxsize=8)
def game(name: str) -> Game:
    return load(TWO_WELLS if name == "two_wells" else name)


@lru_cache(maxsize=8)
def sheet(name: str) -> bytes:
    return to_bytes(mapsheet.map_sheet(game(name), "main"))


def texts(data: bytes) -> list[str]:
    return re.findall(r">([^<>]+)</text>", data.decode())


def hex_map(name: str) -> HexMap:
    field = game(name).maps["main"]
    assert isinstance(field, HexMap)
    return field


def size_of(drawn: Element) -> tuple[float, float]:
    """The size in millimetres, which the view box must repeat."""
    wide, high = (drawn.get(key, "") for key in ("width", "height"))
    assert wide.endswith("mm") and high.endswith("mm")
    assert drawn.get("viewBox") == f"0 0 {wide[:-2]} {high[:-2]}"
    return float(wide[:-2]), float(high[:-2])


@pytest.mark.parametrize(
    ("name", "wide", "high"),
    [
        ("musketeer", (61 * 1.5 + 2) * SIDE, 33.5 * ROOT3 * SIDE),
        ("yom_kippur", (59 * 1.5 + 2) * SIDE, 35.5 * ROOT3 * SIDE),
        ("six_day_war", 49.5 * ROOT3 * SIDE, (85 * 1.5 + 2) * SIDE),
    ],
)
def test_maps_have_their_true_size(name: str, wide: float, high: float) -> None:
    made = sheet_of(hex_map(name))
    assert (made.width, made.height) == pytest.approx((wide, high))


def test_boards_are_cut_through_their_half_hexes_and_join() -> None:
    made = game("arab_israeli_wars")
    one = sheet_of(mapsheet.board_map(made, "A"))
    assert (one.width, one.height) == pytest.approx((32 * 1.5 * SIDE, 10 * ROOT3 * SIDE))
    stacked = made.scenario_maps["B-1"]
    assert isinstance(stacked, HexMap)
    two = sheet_of(stacked)
    assert (two.width, two.height) == pytest.approx((one.width, 2 * one.height))


@pytest.mark.parametrize("name", GAMES)
def test_sheets_say_their_size_and_the_map_lies_within(name: str) -> None:
    plan = mapsheet.map_plan(game(name), "main")
    wide, high = size_of(mapsheet.map_sheet(game(name), "main"))
    assert (wide, high) == pytest.approx((plan.width, plan.height), abs=0.001)
    rooms = [plan.map, *plan.boxes.values(), *(space for track in plan.tracks.values() for space in track)]
    for room in rooms:
        assert room.x > 0 and room.x + room.width < wide
        assert room.y > 0 and room.y + room.height < high
    for a, b in combinations(rooms, 2):
        apart = a.x + a.width <= b.x + 1e-6 or b.x + b.width <= a.x + 1e-6
        assert apart or a.y + a.height <= b.y + 1e-6 or b.y + b.height <= a.y + 1e-6, (a, b)


@pytest.mark.parametrize("name", HEX_GAMES)
def test_every_hex_id_is_printed_as_the_rulebook_has_it(name: str) -> None:
    table = hex_map(name)
    printed = texts(sheet(name))
    assert {table.name(hex) for hex in table.hexes} <= set(printed)
    made = sheet_of(table)
    assert id_size(made) >= LEAST_ID
    for hex_id in hex_ids(game(name), table, made):
        assert made.inside((hex_id.x, hex_id.y)) and made.inside((hex_id.x, hex_id.y - id_size(made) * CAPITAL))


def test_seam_hexes_have_the_ids_of_both_boards() -> None:
    field = game("arab_israeli_wars").scenario_maps["A-5"]
    assert isinstance(field, HexMap)
    ids = hex_ids(game("arab_israeli_wars"), field, sheet_of(field))
    assert len(ids) == sum(len(placed.board.grid.hexes) for placed in field.placed)
    spots = {(round(one.x, 1), round(one.y, 1)) for one in ids}
    assert len(spots) == len(ids)


def assert_apart(placed: list[PlacedLabel]) -> None:
    for a, b in combinations(placed, 2):
        assert a.box.shared(b.box) == 0, (a.label.words, b.label.words)


@pytest.mark.parametrize("name", HEX_GAMES)
def test_no_two_place_names_overlap_and_none_leaves_the_map(name: str) -> None:
    table = hex_map(name)
    made = sheet_of(table)
    placed = place_names(game(name), table, made, spots(game(name), table, made.paper))[0]
    assert len(placed) > 40
    assert_apart(placed)
    for one in placed:
        assert one.box.left >= 0 and one.box.right <= made.width
        assert one.box.top >= 0 and one.box.bottom <= made.height
        assert one.size >= 1.6


def test_place_names_of_every_situation_keep_apart() -> None:
    made = game("arab_israeli_wars")
    for field in {id(field): field for field in made.scenario_maps.values()}.values():
        assert isinstance(field, HexMap)
        assert_apart(place_names(made, field, sheet_of(field), spots(made, field, sheet_of(field).paper))[0])


def test_names_of_points_keep_off_points_and_each_other() -> None:
    made = game("october_war")
    field = made.maps["main"]
    assert isinstance(field, PointMap)
    placed = placed_names(field, point_sheet(field))[0]
    at = point_sheet(field)
    assert_apart(placed)
    assert len(placed) == sum(point.terrain != "reserve_area" for point in field.points.values())
    for one in placed:
        for key, (x, y) in at.points.items():
            if field.points[key].terrain == "reserve_area":
                continue
            nearest = max(one.box.left, min(x, one.box.right)), max(one.box.top, min(y, one.box.bottom))
            assert (nearest[0] - x) ** 2 + (nearest[1] - y) ** 2 > RADIUS**2, (one.label.words, key)
    routes = [(at.points[r.a], at.points[r.b]) for r in field.routes if r.kind != "reserve"]
    covered = sum(_crosses(one, a, b) for one in placed for a, b in routes)
    assert covered <= len(placed) // 20


def _crosses(one: PlacedLabel, a: tuple[float, float], b: tuple[float, float]) -> bool:
    steps = [(a[0] + (b[0] - a[0]) * t / 60, a[1] + (b[1] - a[1]) * t / 60) for t in range(61)]
    return any(one.box.left < x < one.box.right and one.box.top < y < one.box.bottom for x, y in steps)


@pytest.mark.parametrize("name", GAMES)
def test_every_box_and_track_is_drawn(name: str) -> None:
    made = game(name)
    field = made.maps["main"]
    plan = mapsheet.map_plan(made, "main")
    assert set(plan.boxes) == set(field.boxes) and set(plan.tracks) == set(field.tracks)
    printed = " ".join(texts(sheet(name)))
    for box in field.boxes.values():
        assert all(word in printed for word in box.name.split())
    for track_id, track in field.tracks.items():
        assert track.name in printed
        assert tuple(space.label for space in plan.tracks[track_id]) == track.labels


def test_points_are_all_drawn_with_their_names() -> None:
    made = game("october_war")
    field = made.maps["main"]
    printed = " ".join(texts(sheet("october_war")))
    for point in field.points.values():  # type: ignore[union-attr]
        assert all(word in printed for word in point.name.split())


@pytest.mark.parametrize("name", HEX_GAMES)
def test_legends_list_what_the_map_has(name: str) -> None:
    made, table = game(name), hex_map(name)
    words = [entry.words for entry in legend.entries(made, table, sheet_of(table).paper)]
    for kind, ground in made.terrain.items():
        assert (ground.name in words) == (kind in set(table.terrain.values())) or ground.name in icons.NAMES.values()
    sides = {kind for kinds in table.hexsides.values() for kind in kinds}
    for kind, line in made.hexsides.items():
        assert (line.name in words) == (kind in sides)
    for kind, line in made.paths.items():
        assert (line.name in words) == (kind in {path.kind for path in table.paths})
    assert len(set(words)) == len(words)


def test_the_legend_of_a_point_map_lists_points_and_routes() -> None:
    made = game("october_war")
    field = made.maps["main"]
    assert isinstance(field, PointMap)
    words = [entry.words for entry in pointmap.entries(made, field)]
    assert {made.routes[route.kind].name for route in field.routes} <= set(words)
    assert {made.terrain[point.terrain].name for point in field.points.values()} <= set(words)


@pytest.mark.parametrize("name", ["musketeer", "october_war", "two_wells"])
def test_the_same_map_gives_the_same_bytes(name: str) -> None:
    assert to_bytes(mapsheet.map_sheet(game(name), "main")) == sheet(name)


@pytest.mark.parametrize("name", GAMES)
def test_files_stay_small_and_plain(name: str) -> None:
    data = sheet(name)
    assert len(data) < 4_000_000
    for banned in (b"<filter", b"<style", b"<image", b"nan", b"inf "):
        assert banned not in data
    found = re.findall(rb'id="([^"]+)"', data)
    assert len(found) == len(set(found))


@pytest.mark.parametrize("name", GAMES)
def test_a_sheet_says_where_it_comes_from(name: str) -> None:
    printed = " ".join(texts(sheet(name)))
    assert "reconstructed" in printed and "not affiliated" in printed and game(name).title in printed


def test_the_compass_and_the_edges_follow_true_north() -> None:
    printed = sheet("yom_kippur").decode()
    places = dict(re.findall(r"translate\(([-\d. ]+)\)[^>]*><text[^>]*>(\w+) EDGE</text>", printed))
    at = {name: [float(part) for part in place.split()] for place, name in places.items()}
    assert at["NORTH"][0] > at["SOUTH"][0] and at["WEST"][1] < at["EAST"][1]


def test_water_lies_where_the_terrain_says() -> None:
    for name in HEX_GAMES:
        table = hex_map(name)
        made = sheet_of(table)
        water = water_of(table, made.paper, made.width, made.height)
        assert water.shapes
        assert all(table.terrain[hex] in WATER for hex in water.wet)
        assert all(table.terrain[hex] not in WATER for hex in water.dry)
        assert len(water.wet) + len(water.dry) < 0.02 * len(table.hexes)


def test_lines_from_edge_to_edge_cut_a_sheet_into_shapes() -> None:
    faces, loose = cut_up([[(0.0, 5.0), (10.0, 5.0)], [(5.0, 6.0), (6.0, 7.0)]], 10, 10, 0.1)
    assert len(faces) == 2 and len(loose) == 1
    for face in faces:
        area = sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise([*face, face[0]])) / 2
        assert abs(area) == pytest.approx(50)


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_a_point_lies_in_the_hex_around_it(orientation: str) -> None:
    paper = Paper(orientation, 10.5, 3, 4)  # type: ignore[arg-type]
    for hex in (Hex(q, r) for q in range(-3, 4) for r in range(-3, 4)):
        x, y = paper.centre(hex)
        for dx, dy in ((0, 0), (8, 0), (-8, 0), (0, 8), (0, -8)):
            assert paper.hex_at(x + dx, y + dy) == hex


def test_every_situation_has_its_map_and_every_board_its_sheet() -> None:
    made = game("arab_israeli_wars")
    for board_id in made.boards:
        printed = texts(to_bytes(mapsheet.board_sheet(made, board_id)))
        assert f"Board {board_id}: {made.boards[board_id].name}" in printed
        assert "NORTH EDGE" not in printed
    for scenario_id in ("A-1", "A-5", "S-11"):
        scenario = made.scenarios[scenario_id]
        printed = texts(to_bytes(mapsheet.scenario_map(made, scenario_id)))
        assert any(scenario.title in words for words in printed)
        assert scenario.turns is not None
        turns = mapsheet.scenario_plan(made, scenario_id).tracks["turn"]
        assert len(turns) == scenario.turns.last - scenario.turns.first + 1


def test_spaces_hold_a_counter_and_stay_in_the_width() -> None:
    for last in (1, 6, 20, 51):
        track = TrackShape(name="Points", first=1, last=last)
        for width in (40.0, 200.0, 933.0):
            spaces = track_spaces(track, width)
            assert len(spaces) == last
            assert all(space.width >= SPACE and space.height >= SPACE for space in spaces)
            assert max(space.x + space.width for space in spaces) <= width + 1e-6


def test_a_line_from_point_to_point_is_drawn_through_them_and_named() -> None:
    field = game("october_war").maps["main"]
    assert isinstance(field, PointMap)
    area, spots = field.areas["golan_line"], point_sheet(field).points
    drawn = to_bytes(pointmap.points_group(game("october_war"), field))
    assert area.name in texts(drawn)
    paths = [re.findall(r"-?[\d.]+", data) for data in re.findall(r' d="([^"]*)"', drawn.decode())]
    through = [f"{value:.2f}" for key in area.points for value in spots[key]]
    assert through in [[f"{float(value):.2f}" for value in path] for path in paths]


def test_a_lake_crossing_lies_on_its_lake() -> None:
    field = game("october_war").maps["main"]
    assert isinstance(field, PointMap)
    spots = point_sheet(field).points
    for key in ("great_bitter_lake", "little_bitter_lake"):
        shore = moved(field.lines[key], point_sheet(field))
        xs, ys = [x for x, _ in shore], [y for _, y in shore]
        x, y = spots[key]
        assert min(xs) < x - RADIUS and x + RADIUS < max(xs) and min(ys) < y - RADIUS and y + RADIUS < max(ys)


def test_scenery_lies_on_open_ground_and_never_crosses_a_landform() -> None:
    """Wadis and tracks have no rule, so they go through no ridge or dune that has one, and fields lie on clear hexes."""
    made = game("arab_israeli_wars")
    for board_id in made.boards:
        table = mapsheet.board_map(made, board_id)
        land = scenery._Land(table)
        ways = [*land.wadis(), *land.tracks()]
        assert ways, board_id
        for way in ways:
            assert all(table.terrain[hex] == table.plain or hex in land.roads for hex in way[1:])
            for a, b in pairwise(way):
                assert b in neighbours(a) and Hexside(*sorted((a, b))) not in table.hexsides
        assert all(table.terrain[hex] == table.plain for hex in land.farmed())


def test_roads_that_rules_speak_of_have_their_names() -> None:
    # Yom Kippur 4.1 sets brigades up along these two; the others have names that no rule uses.
    table = game("yom_kippur").scenario_maps["4.1"]
    assert isinstance(table, HexMap)
    drawn = map_group(game("yom_kippur"), table, sheet_of(table, SIDE))
    paper = sheet_of(table, SIDE).paper
    named = [path for path in table.paths if path.name]
    for path in named:
        at = [
            tuple(
                float(part)
                for part in re.findall(r"-?[\d.]+", str(element.getparent().getparent().get("transform")))[:2]  # type: ignore[union-attr]
            )
            for element in drawn.iter()
            if element.text == path.name and element.get("opacity") is None
        ]
        assert bool(at) == (path.name in ("Lateral Road", "Artillery Road")), path.name
        for x, y in at:
            assert min(abs(x - cx) + abs(y - cy) for cx, cy in map(paper.centre, path.hexes)) < 2 * SIDE


NUMBERS = st.floats(-9999, 9999) | st.integers(-9999, 9999) | st.decimals(-99, 99, places=1).map(float)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1))
def test_numbers_of_a_path_have_no_zeros_at_their_ends(points: list[tuple[float, float]]) -> None:
    wanted = [f"{round(x, 2):g} {round(y, 2):g}" for x, y in points]
    assert path_of(points, closed=True) == "M" + "L".join(wanted) + "Z"
    assert [f"{short(x)} {short(y)}" for x, y in points] == wanted

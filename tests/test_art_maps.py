"""Maps, boards, point maps and the sheets around them: sizes, ids, names, legends, boxes and tracks."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from art.geometry import ROOT3, Paper, path_of, short
from art.maps import icons, pointmap, scenery
from art.maps.hexmap import LEAST_ID, SIDE, hex_ids, id_size, map_group, place_names, sheet_of
from art.maps.labels import PlacedLabel
from art.maps.places import spots
from art.maps.point_labels import placed_names
from art.maps.point_layout import RADIUS, line_on_sheet, point_sheet
from art.maps.water import cut_up, water_kinds, water_of
from art.sheets import legend, mapsheet
from art.sheets.tracks import SPACE, track_spaces
from art.svg import Element, to_bytes
from art.text import CAPITAL
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, Hexside, neighbours
from scenarios.model.maps import HexMap, TrackShape
from scenarios.model.points import PointMap
from scenarios.pack.loading import load
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


def size_of(element: Element) -> tuple[float, float]:
    """The size in millimetres, which the view box must repeat."""
    width, height = (element.get(key, "") for key in ("width", "height"))
    assert width.endswith("mm") and height.endswith("mm")
    assert element.get("viewBox") == f"0 0 {width[:-2]} {height[:-2]}"
    return float(width[:-2]), float(height[:-2])


@pytest.mark.parametrize(
    ("name", "width", "height"),
    [
        ("musketeer", (61 * 1.5 + 2) * SIDE, 33.5 * ROOT3 * SIDE),
        ("yom_kippur", (59 * 1.5 + 2) * SIDE, 35.5 * ROOT3 * SIDE),
        ("six_day_war", 49.5 * ROOT3 * SIDE, (85 * 1.5 + 2) * SIDE),
    ],
)
def test_maps_have_their_true_size(name: str, width: float, height: float) -> None:
    map_sheet = sheet_of(hex_map(name))
    assert (map_sheet.width, map_sheet.height) == pytest.approx((width, height))


def test_boards_are_cut_through_their_half_hexes_and_join() -> None:
    pack = game("arab_israeli_wars")
    single_sheet = sheet_of(mapsheet.board_map(pack, "A"))
    assert (single_sheet.width, single_sheet.height) == pytest.approx((32 * 1.5 * SIDE, 10 * ROOT3 * SIDE))
    stacked_map = pack.scenario_maps["B-1"]
    assert isinstance(stacked_map, HexMap)
    two = sheet_of(stacked_map)
    assert (two.width, two.height) == pytest.approx((single_sheet.width, 2 * single_sheet.height))


@pytest.mark.parametrize("name", GAMES)
def test_sheets_say_their_size_and_the_map_lies_within(name: str) -> None:
    plan = mapsheet.map_plan(game(name), "main")
    width, height = size_of(mapsheet.map_sheet(game(name), "main"))
    assert (width, height) == pytest.approx((plan.width, plan.height), abs=0.001)
    rooms = [plan.map, *plan.boxes.values(), *(space for track in plan.tracks.values() for space in track)]
    for room in rooms:
        assert room.x > 0 and room.x + room.width < width
        assert room.y > 0 and room.y + room.height < height
    for a, b in combinations(rooms, 2):
        is_apart = a.x + a.width <= b.x + 1e-6 or b.x + b.width <= a.x + 1e-6
        assert is_apart or a.y + a.height <= b.y + 1e-6 or b.y + b.height <= a.y + 1e-6, (a, b)


@pytest.mark.parametrize("name", HEX_GAMES)
def test_every_hex_id_is_printed_as_the_rulebook_has_it(name: str) -> None:
    table = hex_map(name)
    printed_texts = texts(sheet(name))
    assert {table.name(hex) for hex in table.hexes} <= set(printed_texts)
    map_sheet = sheet_of(table)
    assert id_size(map_sheet) >= LEAST_ID
    for hex_id in hex_ids(game(name), table, map_sheet):
        assert map_sheet.inside((hex_id.x, hex_id.y)) and map_sheet.inside(
            (hex_id.x, hex_id.y - id_size(map_sheet) * CAPITAL)
        )


def test_seam_hexes_have_the_ids_of_both_boards() -> None:
    field = game("arab_israeli_wars").scenario_maps["A-5"]
    assert isinstance(field, HexMap)
    ids = hex_ids(game("arab_israeli_wars"), field, sheet_of(field))
    assert len(ids) == sum(len(placed_board.board.grid.hexes) for placed_board in field.placed)
    spots = {(round(hex_id.x, 1), round(hex_id.y, 1)) for hex_id in ids}
    assert len(spots) == len(ids)


def assert_apart(labels: list[PlacedLabel]) -> None:
    for a, b in combinations(labels, 2):
        assert a.box.overlap(b.box) == 0, (a.label.words, b.label.words)


@pytest.mark.parametrize("name", HEX_GAMES)
def test_no_two_place_names_overlap_and_none_leaves_the_map(name: str) -> None:
    table = hex_map(name)
    map_sheet = sheet_of(table)
    labels = place_names(game(name), table, map_sheet, spots(game(name), table, map_sheet.paper))[0]
    assert len(labels) > 40
    assert_apart(labels)
    for label in labels:
        assert label.box.left >= 0 and label.box.right <= map_sheet.width
        assert label.box.top >= 0 and label.box.bottom <= map_sheet.height
        assert label.size >= 1.6


def test_place_names_of_every_situation_keep_apart() -> None:
    pack = game("arab_israeli_wars")
    for field in {id(field): field for field in pack.scenario_maps.values()}.values():
        assert isinstance(field, HexMap)
        assert_apart(place_names(pack, field, sheet_of(field), spots(pack, field, sheet_of(field).paper))[0])


def test_names_of_points_keep_off_points_and_each_other() -> None:
    pack = game("october_war")
    field = pack.maps["main"]
    assert isinstance(field, PointMap)
    labels = placed_names(pack, field, point_sheet(field))[0]
    layout = point_sheet(field)
    assert_apart(labels)
    assert len(labels) == sum(point.terrain != "reserve_area" for point in field.points.values())
    for place_label in labels:
        for key, (x, y) in layout.points.items():
            if field.points[key].terrain == "reserve_area":
                continue
            nearest = (
                max(place_label.box.left, min(x, place_label.box.right)),
                max(place_label.box.top, min(y, place_label.box.bottom)),
            )
            assert (nearest[0] - x) ** 2 + (nearest[1] - y) ** 2 > RADIUS**2, (place_label.label.words, key)
    routes = [(layout.points[r.a], layout.points[r.b]) for r in field.routes if r.kind != "reserve"]
    crossing_count = sum(_crosses(crossing_label, a, b) for crossing_label in labels for a, b in routes)
    assert crossing_count <= len(labels) // 20


def _crosses(label: PlacedLabel, a: tuple[float, float], b: tuple[float, float]) -> bool:
    steps = [(a[0] + (b[0] - a[0]) * t / 60, a[1] + (b[1] - a[1]) * t / 60) for t in range(61)]
    return any(label.box.left < x < label.box.right and label.box.top < y < label.box.bottom for x, y in steps)


@pytest.mark.parametrize("name", GAMES)
def test_every_box_and_track_is_drawn(name: str) -> None:
    pack = game(name)
    field = pack.maps["main"]
    plan = mapsheet.map_plan(pack, "main")
    assert set(plan.boxes) == set(field.boxes) and set(plan.tracks) == set(field.tracks)
    sheet_text = " ".join(texts(sheet(name)))
    for box in field.boxes.values():
        assert all(word in sheet_text for word in box.name.split())
    for track_id, track in field.tracks.items():
        assert track.name in sheet_text
        assert tuple(space.label for space in plan.tracks[track_id]) == track.labels


def test_points_are_all_drawn_with_their_names() -> None:
    pack = game("october_war")
    field = pack.maps["main"]
    sheet_text = " ".join(texts(sheet("october_war")))
    for point in field.points.values():  # type: ignore[union-attr]
        assert all(word in sheet_text for word in point.name.split())


@pytest.mark.parametrize("name", HEX_GAMES)
def test_legends_list_what_the_map_has(name: str) -> None:
    pack, table = game(name), hex_map(name)
    words = [entry.words for entry in legend.entries(pack, table, sheet_of(table).paper)]
    for kind, ground in pack.terrain.items():
        assert (ground.name in words) == (kind in set(table.terrain.values())) or ground.name in icons.NAMES.values()
    sides = {kind for side_kinds in table.hexsides.values() for kind in side_kinds}
    for kind, line in pack.hexsides.items():
        assert (line.name in words) == (kind in sides)
    for kind, line in pack.paths.items():
        assert (line.name in words) == (kind in {path.kind for path in table.paths})
    assert len(set(words)) == len(words)


def test_the_legend_of_a_point_map_lists_points_and_routes() -> None:
    pack = game("october_war")
    field = pack.maps["main"]
    assert isinstance(field, PointMap)
    words = [entry.words for entry in pointmap.point_entries(pack, field)]
    assert {pack.routes[route.kind].name for route in field.routes} <= set(words)
    assert {pack.terrain[point.terrain].name for point in field.points.values()} <= set(words)


@pytest.mark.parametrize("name", ["musketeer", "october_war", "two_wells"])
def test_the_same_map_gives_the_same_bytes(name: str) -> None:
    assert to_bytes(mapsheet.map_sheet(game(name), "main")) == sheet(name)


@pytest.mark.parametrize("name", GAMES)
def test_files_stay_small_and_plain(name: str) -> None:
    data = sheet(name)
    assert len(data) < 4_000_000
    for markup in (b"<filter", b"<style", b"<image", b"nan", b"inf "):
        assert markup not in data
    element_ids = re.findall(rb'id="([^"]+)"', data)
    assert len(element_ids) == len(set(element_ids))


@pytest.mark.parametrize("name", GAMES)
def test_a_sheet_says_where_it_comes_from(name: str) -> None:
    sheet_text = " ".join(texts(sheet(name)))
    assert "reconstructed" in sheet_text and "not affiliated" in sheet_text and game(name).title in sheet_text


def test_the_compass_and_the_edges_follow_true_north() -> None:
    svg_text = sheet("yom_kippur").decode()
    places = dict(re.findall(r"translate\(([-\d. ]+)\)[^>]*><text[^>]*>(\w+) EDGE</text>", svg_text))
    edge_positions = {name: [float(part) for part in place.split()] for place, name in places.items()}
    assert (
        edge_positions["NORTH"][0] > edge_positions["SOUTH"][0]
        and edge_positions["WEST"][1] < edge_positions["EAST"][1]
    )


def test_water_lies_where_the_terrain_says() -> None:
    for name in HEX_GAMES:
        table = hex_map(name)
        map_sheet = sheet_of(table)
        water = water_of(game(name), table, map_sheet.paper, map_sheet.width, map_sheet.height)
        assert water.shapes
        assert all(table.terrain[hex] in water_kinds(game(name)) for hex in water.wet)
        assert all(table.terrain[hex] not in water_kinds(game(name)) for hex in water.dry)
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
    pack = game("arab_israeli_wars")
    for board_id in pack.boards:
        printed_texts = texts(to_bytes(mapsheet.board_sheet(pack, board_id)))
        assert f"Board {board_id}: {pack.boards[board_id].name}" in printed_texts
        assert "NORTH EDGE" not in printed_texts
    for scenario_id in ("A-1", "A-5", "S-11"):
        scenario = pack.scenarios[scenario_id]
        printed_texts = texts(to_bytes(mapsheet.scenario_map(pack, scenario_id)))
        assert any(scenario.title in words for words in printed_texts)
        assert scenario.turns is not None
        turns = mapsheet.scenario_plan(pack, scenario_id).tracks["turn"]
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
    svg_bytes = to_bytes(pointmap.points_group(game("october_war"), field))
    assert area.name in texts(svg_bytes)
    paths = [re.findall(r"-?[\d.]+", data) for data in re.findall(r' d="([^"]*)"', svg_bytes.decode())]
    through = [f"{value:.2f}" for key in area.points for value in spots[key]]
    assert through in [[f"{float(value):.2f}" for value in path] for path in paths]


def test_a_lake_crossing_lies_on_its_lake() -> None:
    field = game("october_war").maps["main"]
    assert isinstance(field, PointMap)
    spots = point_sheet(field).points
    for key in ("great_bitter_lake", "little_bitter_lake"):
        shore = line_on_sheet(field.lines[key], point_sheet(field))
        xs, ys = [x for x, _ in shore], [y for _, y in shore]
        x, y = spots[key]
        assert min(xs) < x - RADIUS and x + RADIUS < max(xs) and min(ys) < y - RADIUS and y + RADIUS < max(ys)


def test_scenery_lies_on_open_ground_and_never_crosses_a_landform() -> None:
    """Wadis and tracks have no rule, so they go through no ridge or dune that has one, and fields lie on clear hexes."""
    pack = game("arab_israeli_wars")
    for board_id in pack.boards:
        table = mapsheet.board_map(pack, board_id)
        land = scenery._Land(table)
        ways = [*land.wadis(), *land.tracks()]
        assert ways, board_id
        for way in ways:
            assert all(table.terrain[hex] == table.plain or hex in land.roads for hex in way[1:])
            for a, b in pairwise(way):
                assert b in neighbours(a) and Hexside(*sorted((a, b))) not in table.hexsides
        assert all(table.terrain[hex] == table.plain for hex in land.farmland())


def test_roads_that_rules_speak_of_have_their_names() -> None:
    # Yom Kippur 4.1 sets brigades up along these two; the others have names that no rule uses.
    table = game("yom_kippur").scenario_maps["4.1"]
    assert isinstance(table, HexMap)
    map_element = map_group(game("yom_kippur"), table, sheet_of(table, SIDE))
    paper = sheet_of(table, SIDE).paper
    named_paths = [path for path in table.paths if path.name]
    for path in named_paths:
        name_positions = [
            tuple(
                float(part)
                for part in re.findall(r"-?[\d.]+", str(element.getparent().getparent().get("transform")))[:2]  # type: ignore[union-attr]
            )
            for element in map_element.iter()
            if element.text == path.name and element.get("opacity") is None
        ]
        assert bool(name_positions) == (path.name in ("Lateral Road", "Artillery Road")), path.name
        for x, y in name_positions:
            assert min(abs(x - cx) + abs(y - cy) for cx, cy in map(paper.centre, path.hexes)) < 2 * SIDE


NUMBERS = st.floats(-9999, 9999) | st.integers(-9999, 9999) | st.decimals(-99, 99, places=1).map(float)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1))
def test_numbers_of_a_path_have_no_zeros_at_their_ends(points: list[tuple[float, float]]) -> None:
    expected_points = [f"{round(x, 2):g} {round(y, 2):g}" for x, y in points]
    assert path_of(points, is_closed=True) == "M" + "L".join(expected_points) + "Z"
    assert [f"{short(x)} {short(y)}" for x, y in points] == expected_points

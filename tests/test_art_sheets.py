"""Map sheets and covers of any board, small or large: nothing lies on anything else, nothing leaves the sheet."""

from __future__ import annotations

import datetime
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from art.geometry import ROOT3
from art.maps.hexmap import SIDE
from art.maps.labels import Box
from art.sheets.furniture import scale_bar
from art.sheets.heading import LEAST_ROOM, HeadingText, heading
from art.sheets.mapsheet import SheetPlan, map_plan, map_sheet
from modgen.kit.covers import regions, view_of
from modgen.new import new_game
from scenarios.model.game import Game
from scenarios.pack.loading import load
from tests.art_boxes import Ink, texts
from tests.packs import TWO_WELLS

BOARDS = [(3, 3), (3, 4), (5, 4), (4, 12), (3, 40), (12, 8), (24, 3), (60, 4), (60, 40)]
LONG = "A Long Campaign in the Hills beyond the Great River and Back Again"


def board(folder: Path, columns: int, rows: int, title: str = "Small") -> Game:
    """A game of one's own with a board of that size."""
    pack = folder / "own"
    new_game(pack, title, datetime.date(2026, 1, 1))
    head = "#  " + "".join(str((i + 1) % 10) for i in range(columns))
    lines = [head]
    for row in range(1, rows + 1):
        lines.append(f"{row:02} " + " ".join("." * ((columns + 1) // 2)))
        lines.append(f"{row:02}  " + " ".join("." * (columns // 2)))
    terrain = "\n".join(f"      {line}" for line in lines)
    (pack / "map.yaml").write_text(
        f"""source: {{rulebook: "the map"}}
boards:
  field:
    name: The field
    grid: {{columns: {columns}, rows: {rows}, numbering: {{scheme: xxyy}}}}
    terrain: |
{terrain}
    places:
      midtown: {{name: Midtown, hex: "0202", kind: town}}
maps:
  main:
    name: The field
    arrangement: {{boards: field}}
    boxes: {{lost: {{name: Lost, kind: dead}}, off: {{name: Far away, kind: off_map}}}}
    tracks: {{turn: {{name: Turn, last: 12}}, points: {{name: Points, first: 0, last: 30}}}}
""",
        encoding="utf-8",
    )
    return load(pack)


def boxes_of(plan: SheetPlan) -> list[Box]:
    spaces = [plan.map, *plan.boxes.values(), *(space for track in plan.tracks.values() for space in track)]
    return [Box(s.x, s.y, s.x + s.width, s.y + s.height) for s in spaces]


def box_of(ink: Ink) -> Box:
    return Box(ink.left, ink.top, ink.right, ink.bottom)


@pytest.mark.parametrize(("columns", "rows"), BOARDS)
@pytest.mark.parametrize("title", ["Small", LONG])
def test_nothing_overlaps_on_a_sheet_of_any_size(tmp_path: Path, columns: int, rows: int, title: str) -> None:
    game = board(tmp_path, columns, rows, title)
    plan = map_plan(game, "main")
    sheet = Box(0, 0, plan.width, plan.height)
    spaces = boxes_of(plan)
    for space in spaces:
        assert space.overlap(sheet) == pytest.approx((space.right - space.left) * (space.bottom - space.top))
    for first_space, second_space in combinations(spaces, 2):
        assert first_space.overlap(second_space) < 1e-6
    place = spaces[0]
    outer_inks = [ink for ink in texts(map_sheet(game, "main")) if box_of(ink).overlap(place) == 0]
    assert {"LEGEND", "Turn", "Lost", "The field"} <= {ink.words for ink in outer_inks}
    for ink in outer_inks:
        assert ink.left >= -0.1 and ink.right <= plan.width + 0.1 and ink.top >= 0 and ink.bottom <= plan.height, ink
    for a, b in combinations(outer_inks, 2):
        assert not a.overlaps(b), (a, b)


@cache
def wells() -> Game:
    return load(TWO_WELLS)


@settings(max_examples=200)
@given(
    room=st.floats(LEAST_ROOM, 1300),
    band=st.sampled_from([30.0, 44.0]),
    title=st.text(alphabet="abcdefgh WM", min_size=1, max_size=90).filter(str.strip),
    subtitle=st.text(alphabet="abcdefgh WM", min_size=0, max_size=90),
    north=st.sampled_from(["", "up", "left", "down", "right"]),
    letter=st.sampled_from(["", "A"]),
)
def test_the_parts_of_a_heading_keep_apart(
    room: float, band: float, title: str, subtitle: str, north: str, letter: str
) -> None:
    sheet_heading = heading(wells(), HeadingText(title, subtitle, north, ROOT3 * SIDE, letter), 22, 14, room, band)
    for first_box, second_box in combinations(sheet_heading.boxes.values(), 2):
        assert first_box.overlap(second_box) < 1e-6, sheet_heading.boxes
    for box in sheet_heading.boxes.values():
        assert box.left >= 22 - 1e-6 and box.right <= 22 + room + 1e-6, sheet_heading.boxes
        assert box.bottom <= 14 + sheet_heading.height, sheet_heading.boxes


@pytest.mark.parametrize("room", [48.0, 60.0, 110.0])
def test_a_scale_bar_keeps_its_room(room: float) -> None:
    bar, width = scale_bar(wells(), ROOT3 * SIDE, room)
    assert width > 0
    assert all(ink.left >= -0.1 and ink.right <= width + 0.1 for ink in texts(bar))


@pytest.mark.parametrize(("columns", "rows"), BOARDS)
@pytest.mark.parametrize(("width", "height"), [(210.0, 166.0), (216.0, 156.0), (297.0, 235.0)])
def test_the_window_of_a_cover_shows_map_and_nothing_else(
    tmp_path: Path, columns: int, rows: int, width: float, height: float
) -> None:
    game = board(tmp_path, columns, rows)
    map_regions = {"main": regions(game, "main")}
    _, (left, top), scale = view_of(map_regions, width, height)
    place = map_plan(game, "main").map
    assert place.x - 1e-6 <= left and left + width / scale <= place.x + place.width + 1e-6
    assert place.y - 1e-6 <= top and top + height / scale <= place.y + place.height + 1e-6

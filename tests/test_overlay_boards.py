"""Overlays on boards and maps of points: the user's printed map in place of ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenarios import PackError, load
from scenarios.model.points import PointMap


def write_overlay(tmp_path: Path, game: str, text: str) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(f"overlay: {game}\n{text}", encoding="utf-8")
    return path


def test_an_overlay_adds_what_a_board_lacks(tmp_path: Path) -> None:
    text = """
boards:
  solla:
    hexes: {"0101": woods}
    hexsides: {wall: ["0101/0201"], hedge: gone}
    features: {woods: ["0704"]}
    paths:
      - {kind: road, name: A lane, hexes: ["0101", "0102", "0103"]}
    places:
      tower: gone
      mill: {name: The mill, hex: "0202", kind: objective}
"""
    # The scenario's victory names the tower, so taking it away must be noticed.
    with pytest.raises(PackError, match="tower"):
        load("ridge", [write_overlay(tmp_path, "ridge", text)])
    game = load("ridge", [write_overlay(tmp_path, "ridge", text.replace("      tower: gone\n", ""))])
    board = game.boards["solla"]
    assert board.terrain[board.grid.hex("0101")] == "woods"
    assert {board.grid.side_name(side) for side, side_kinds in board.hexsides.items() if "wall" in side_kinds} == {
        "0101/0201"
    }
    assert not any("hedge" in side_kinds for side_kinds in board.hexsides.values())
    assert board.features["woods"] == {board.grid.hex("0704")}
    assert [path.name for path in board.paths] == ["A lane"]
    assert set(board.places) == {"solla", "tower", "mill"}


def test_a_kind_that_the_pack_lacks_or_a_part_that_isnt_there_is_a_finding(tmp_path: Path) -> None:
    for text, message in {
        'boards: {solla: {hexsides: {river: ["0101/0201"]}}}': "no hexside is called 'river'",
        "boards: {solla: {places: {nowhere: gone}}}": "to take away",
        "boards: {solla: {hexen: {}}}": "to replace",
        'boards: {solla: {hexes: {"9999": woods}}}': "9999",
    }.items():
        with pytest.raises(PackError) as error:
            load("ridge", [write_overlay(tmp_path, "ridge", text)])
        assert message in str(error.value) and "mine.yaml:" in str(error.value)


def test_points_and_routes_can_be_moved_and_added(tmp_path: Path) -> None:
    old_map = next(iter(load("island").maps.values()))
    assert isinstance(old_map, PointMap)
    first = next(iter(old_map.points))
    text = f"maps: {{{old_map.id}: {{points: {{{first}: {{at: [1, 1]}}, mine: {{name: My cove, at: [2, 3]}}}}}}}}"
    game = load("island", [write_overlay(tmp_path, "island", text)])
    new_map = game.maps[old_map.id]
    assert isinstance(new_map, PointMap)
    points = new_map.points
    assert points["mine"].name == "My cove" and [int(number) for number in points[first].at] == [1, 1]

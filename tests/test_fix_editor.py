"""Two edits of one map: what was changed in the file meanwhile is kept, and nobody's change is overwritten unseen."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from modgen.editing.page import EditPage, editor
from scenarios import load
from scenarios.pack.pack_folder import SAMPLES

BOARD = "boards/solla"
RANGE = "counters/hq_3_army/factors/supply_range"


def ask(page: EditPage, path: str, body: Any = None) -> tuple[int, Any]:
    answer = page.get(f"api/{path}") if body is None else page.post(f"api/{path}", json.dumps(body).encode())
    return answer.status, json.loads(answer.body)


@pytest.fixture(params=["overlay", "pack"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path | None]:
    """An overlay over a sample, or a pack of one's own: the pack's name and the overlay."""
    if request.param == "overlay":
        return "ridge", tmp_path / "mine.yaml"
    return str(shutil.copytree(SAMPLES / "ridge", tmp_path / "ridge")), None


def terrain(files: tuple[str, Path | None]) -> dict[str, str]:
    """The terrain of the board as it loads now."""
    pack, overlay = files
    board = load(pack, [overlay] if overlay and overlay.exists() else []).boards["solla"]
    return {board.grid.name(hex): kind for hex, kind in board.terrain.items()}


def paint(board: dict[str, Any], **hexes: str) -> dict[str, Any]:
    """What the browser sends when these hexes of a board that it opened were painted."""
    parts = {**board["parts"], "terrain": {**board["parts"]["terrain"], **hexes}}
    return {"map": BOARD, "opened": {**board["parts"], "image": board["image"]}, "parts": parts}


def test_two_editors_keep_what_the_other_saved(files: tuple[str, Path | None]) -> None:
    first, second = editor(*files), editor(*files)
    boards = [ask(page, f"map/{BOARD}")[1] for page in (first, second)]
    assert ask(first, "save", paint(boards[0], **{"0101": "woods"}))[0] == 200
    status, answer = ask(second, "save", paint(boards[1], **{"0303": "woods"}))
    assert status == 200 and answer["merged"] and answer["parts"]["terrain"]["0101"] == "woods"
    assert terrain(files)["0101"] == terrain(files)["0303"] == "woods"
    assert ask(first, f"map/{BOARD}")[1]["parts"]["terrain"]["0303"] == "woods", "opened again, it is as in the file"


def test_two_tabs_of_one_editor_too(files: tuple[str, Path | None]) -> None:
    page = editor(*files)
    boards = [ask(page, f"map/{BOARD}")[1] for _ in range(2)]
    assert ask(page, "save", paint(boards[0], **{"0101": "woods"}))[0] == 200
    assert ask(page, "save", paint(boards[1], **{"0303": "woods"}))[0] == 200
    assert terrain(files)["0101"] == terrain(files)["0303"] == "woods"


def test_the_same_hex_painted_twice_is_asked_about(files: tuple[str, Path | None]) -> None:
    first, second = editor(*files), editor(*files)
    boards = [ask(page, f"map/{BOARD}")[1] for page in (first, second)]
    terrain_kinds = [kind["id"] for kind in boards[0]["kinds"]["terrain"]]
    was = boards[0]["parts"]["terrain"]["0101"]
    my_kind, their_kind = [kind for kind in terrain_kinds if kind != was][:2]
    assert ask(first, "save", paint(boards[0], **{"0101": their_kind, "0202": their_kind}))[0] == 200
    status, answer = ask(second, "save", paint(boards[1], **{"0101": my_kind, "0303": my_kind}))
    assert status == 409 and "0101" in answer["wrong"] and "meanwhile" in answer["wrong"]
    assert terrain(files)["0101"] == their_kind and terrain(files)["0303"] == boards[0]["parts"]["terrain"]["0303"]
    for choice, expected_kind in (("edit", my_kind), ("theirs", their_kind)):
        merged_terrain = answer[choice]["terrain"]
        assert (merged_terrain["0101"], merged_terrain["0202"], merged_terrain["0303"]) == (
            expected_kind,
            their_kind,
            my_kind,
        )
    parts = {part: value for part, value in answer["edit"].items() if part != "image"}
    assert ask(second, "save", {"map": BOARD, "opened": answer["file"], "parts": parts})[0] == 200
    assert (terrain(files)["0101"], terrain(files)["0202"]) == (my_kind, their_kind)


def test_a_file_that_was_changed_by_hand_is_not_reverted(tmp_path: Path) -> None:
    pack = Path(shutil.copytree(SAMPLES / "ridge", tmp_path / "ridge"))
    page = editor(str(pack), None)
    board = ask(page, f"map/{BOARD}")[1]
    second_page = editor(str(pack), None)
    place = {"name": "The mill", "hex": "0202", "kind": "town"}
    new_parts = {**board["parts"], "places": {**board["parts"]["places"], "mill": place}}
    assert ask(second_page, "save", {"map": BOARD, "parts": new_parts})[0] == 200
    file = next(path for path in pack.rglob("*.yaml") if "The mill" in path.read_text(encoding="utf-8"))
    file.write_text(file.read_text(encoding="utf-8").replace("The mill", "The old mill"), encoding="utf-8")
    body = paint(board, **{"0101": "woods"})
    del body["opened"]  # what this server sent last is what was opened
    assert ask(page, "save", body)[0] == 200
    text = file.read_text(encoding="utf-8")
    assert "The old mill" in text
    assert load(pack).boards["solla"].shape.places["mill"].name == "The old mill"


def test_roads_of_both_stay(files: tuple[str, Path | None]) -> None:
    first, second = editor(*files), editor(*files)
    boards = [ask(page, f"map/{BOARD}")[1] for page in (first, second)]
    kind = boards[0]["kinds"]["paths"][0]["id"]
    names = [name for name, *_ in boards[0]["hexes"]]
    roads = [{"kind": kind, "hexes": [names[n], names[n + 1]]} for n in (0, 4)]
    for page, board, road in zip((first, second), boards, roads, strict=True):
        body = paint(board)
        body["parts"]["paths"] = [*board["parts"]["paths"], road]
        assert ask(page, "save", body)[0] == 200
    saved_paths = ask(first, f"map/{BOARD}")[1]["parts"]["paths"]
    assert all(road in saved_paths for road in roads) and len(saved_paths) == len(boards[0]["parts"]["paths"]) + 2


def test_a_point_moved_twice_is_asked_about(tmp_path: Path) -> None:
    overlay = tmp_path / "mine.yaml"
    pages = [editor("island", overlay) for _ in range(2)]
    opened_parts = [ask(page, "map/maps/main")[1]["parts"] for page in pages]
    point, other_point = sorted(opened_parts[0]["points"])[:2]
    for page, parts, coordinates in zip(pages, opened_parts, ([3, 4], [7, 8]), strict=True):
        edit = json.loads(json.dumps(parts))
        edit["points"][point]["at"] = coordinates
        edit["points"][other_point]["name"] = "Renamed by both alike"
        status, answer = ask(page, "save", {"map": "maps/main", "opened": parts, "parts": edit})
        assert (status == 200) is (coordinates == [3, 4]), answer
    assert point in answer["wrong"] and other_point not in answer["wrong"], "both said the same of the other"
    assert answer["file"]["points"][point]["at"] == [3, 4]


def test_a_number_that_another_filled_in_is_not_overwritten(tmp_path: Path) -> None:
    overlay = tmp_path / "mine.yaml"
    pages = [editor("yom_kippur", overlay) for _ in range(2)]
    opened_numbers = {row["address"]: str(row["value"]) for row in ask(pages[0], "numbers")[1]["numbers"]}
    assert ask(pages[0], "numbers", {"numbers": {RANGE: "11"}, "opened": opened_numbers})[0] == 200
    status, answer = ask(pages[1], "numbers", {"numbers": {RANGE: "12"}, "opened": opened_numbers})
    assert status == 400 and "11" in answer["wrong"] and "meanwhile" in answer["wrong"]
    assert "11" in overlay.read_text(encoding="utf-8")

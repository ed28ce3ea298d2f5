"""What the fuzzers of tests/fuzz have found, and that the fuzzers themselves work."""

from __future__ import annotations

import json
import os
import shutil
import struct
import time
import zlib
from pathlib import Path
from random import Random
from typing import Any

import pytest

from art.images import NoPicture, PictureBox, dots, place_image
from assistant.page.live_tables import Live
from assistant.page.saves import Saves
from assistant.page.site import Site
from assistant.questions.answer import BadQuestion
from assistant.questions.registry import ask
from modgen.editing.page import editor
from modgen.vmod.files.lock import CannotBuild
from modgen.vmod.files.patch import apply_patch
from scenarios import check, load
from scenarios.files import replace_folder
from scenarios.model.images import Image
from scenarios.model.position import format_location, from_scenario
from scenarios.opening_positions import open_position, write_position
from scenarios.pack.images import looked_at
from scenarios.pack.pack_folder import SAMPLES
from tests.fuzz.parts import PARTS, use_folder
from tests.fuzz.running import Part, limits, read_case, run_case, run_part, write_crash
from tests.packs import TWO_WELLS, break_pack
from tests.vassal_module import picture

GAME = load(TWO_WELLS)
QUICK = ("overlays", "csv", "pictures", "saves", "logs", "questions", "expressions", "tables")


def test_the_fuzzers_run(tmp_path: Path) -> None:
    """A few cases of the quick parts, always the same; none crashes."""
    with use_folder(tmp_path), limits(1 << 40):
        for name in QUICK:
            tally = run_part(name, PARTS[name], Random(f"smoke {name}"), time.monotonic() + 60, 6, tmp_path / "found")
            assert tally.cases == 6 and not tally.crashes, (name, tally.crashes)


def test_a_crash_is_kept_and_read_again(tmp_path: Path) -> None:
    def run(case: Any) -> str:
        raise ZeroDivisionError(case["content"])

    case = {"content": b"\xff\x00", "words": ["é", 1, None], "tree": {"items": [1]}}
    with limits(1 << 40):
        word, error = run_case(Part(lambda random: case, run), case)
    assert word == "crash" and error is not None
    assert read_case(write_crash("x", case, error, tmp_path)) == ("x", case)


def test_a_png_with_a_broken_chunk_is_a_sentence(tmp_path: Path) -> None:
    content = bytearray(picture("red"))
    content[content.index(b"IDAT")] = 0xFF
    (tmp_path / "broken.png").write_bytes(content)
    image = Image(file="broken.png", digest=looked_at(tmp_path / "broken.png"))
    for call in (lambda: place_image(tmp_path, image, PictureBox(0, 0, 20, 10)), lambda: dots(tmp_path, image)):
        with pytest.raises(NoPicture, match=r"broken\.png can't be shown"):
            call()


@pytest.mark.filterwarnings("ignore:Image size")
@pytest.mark.parametrize("side", [10_000, 60_000])
def test_a_png_with_a_second_and_larger_head_is_a_sentence(tmp_path: Path, side: int) -> None:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    heads = b"".join(chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)) for size in (10, side))
    (tmp_path / "two.png").write_bytes(
        b"\x89PNG\r\n\x1a\n" + heads + chunk(b"IDAT", zlib.compress(bytes(310))) + chunk(b"IEND", b"")
    )
    image = Image(file="two.png", digest=looked_at(tmp_path / "two.png"))
    for call in (lambda: place_image(tmp_path, image, PictureBox(0, 0, 20, 10)), lambda: dots(tmp_path, image)):
        with pytest.raises(NoPicture, match="its data is larger than its header says"):
            call()


@pytest.mark.parametrize(
    "change",
    [
        [], {"at": ["x"], "set": {"name": ["a"]}}, {"at": [], "set": []}, {"at": [], "text": "abc"}, {"at": [], "text": [None]},
        {"at": [], "add": 5}, {"at": [], "add": "<a/>", "after": []}, {"at": []},
    ],
)  # fmt: skip
def test_a_patch_with_a_change_that_is_none_is_a_sentence(tmp_path: Path, change: object) -> None:
    (tmp_path / "module.patch.json").write_text(
        json.dumps({"patch": 1, "changes": [change], "files": {}}), encoding="utf-8"
    )
    with pytest.raises(CannotBuild, match="change 1 isn't one"):
        apply_patch(tmp_path, {"buildFile.xml": b"<a/>"})


def test_a_patch_with_odd_files_is_a_sentence(tmp_path: Path) -> None:
    odd: tuple[Any, ...] = ({"a.png": None}, {"a.png": {"was": 1}}, [])
    for files in odd:
        (tmp_path / "module.patch.json").write_text(
            json.dumps({"patch": 1, "changes": [], "files": files}), encoding="utf-8"
        )
        with pytest.raises(CannotBuild, match="no mapping"):
            apply_patch(tmp_path, {"buildFile.xml": b"<a/>"})


def test_a_patch_never_makes_a_build_file_that_cannot_be_read(tmp_path: Path) -> None:
    change = {"at": [], "set": {"no name": [None, "\x00"]}}
    (tmp_path / "module.patch.json").write_text(
        json.dumps({"patch": 1, "changes": [change], "files": {}}), encoding="utf-8"
    )
    with pytest.raises(CannotBuild, match="no build file can hold"):
        apply_patch(tmp_path, {"buildFile.xml": b"<a/>"})


def test_a_change_after_a_cut_off_line_is_kept(tmp_path: Path) -> None:
    """A server was killed in the middle of a line; the next one writes on, and a third reads all that was answered."""
    live = Live(tmp_path)
    key = live.begin(GAME, from_scenario(GAME, "noon"), "Noon").key
    live.change(GAME, key, 1, {"turn": 2})
    for turn, cut_line in ((3, b'{"tur'), (4, b'{"turn": 9}'), (5, b"\xff\x00")):
        with (tmp_path / f"{key}.jsonl").open("ab") as file:
            file.write(cut_line)
        reopened_tables = Live(tmp_path)
        table = reopened_tables.table(GAME, key)
        assert table.position.turn == turn - 1
        reopened_tables.change(GAME, key, table.version, {"turn": turn})
        assert Live(tmp_path).table(GAME, key).position.turn == turn


@pytest.mark.parametrize("line", [b"[]", b"5", b"null", b'{"game": "two_wells"}', b'{"game": "two_wells", "name": "x", "position": []}',
                                  b'{"game": "two_wells", "name": "x", "position": {"scenario": "noon", "turn": 1, "phase": "", '
                                  b'"pieces": [["camels", "23", "blue", 5, [], 0, ""]]}}'])  # fmt: skip
def test_a_table_file_that_is_none_is_left_out(tmp_path: Path, line: bytes) -> None:
    (tmp_path / "table-1.jsonl").write_bytes(line + b"\n")
    assert Live(tmp_path).tables_of(GAME) == []


def test_pieces_off_the_map_of_no_scenario_are_a_sentence() -> None:
    page = Site({"two_wells": "Two Wells"}, lambda key: GAME, saves=Saves(live=Live()))
    key = json.loads(page.post("/api/two_wells/play", b'{"begin": "noon"}').body)["id"]
    page.post(
        "/api/two_wells/play",
        json.dumps({"table": key, "version": 1, "change": {"add": "camels", "to": "box:lost"}}).encode(),
    )
    assert page.get(f"/api/two_wells/away/noon/{key}").status == 200
    assert page.get(f"/api/two_wells/away/midnight/{key}").status == 404


def test_points_of_a_photo_without_numbers_are_a_sentence(tmp_path: Path) -> None:
    site = editor("ridge", tmp_path / "mine.yaml")
    site.work.photos["solla"] = picture("red")
    odd: tuple[Any, ...] = ([], [1], {}, None, "x")
    for hex_point in odd:
        answer = site.post("api/fix", json.dumps({"map": "boards/solla", "hexes": {"0101": hex_point}}).encode())
        assert answer.status == 400 and json.loads(answer.body)["wrong"]


def test_pins_that_put_the_board_behind_the_camera_are_a_sentence(tmp_path: Path) -> None:
    page = editor("ridge", tmp_path / "mine.yaml")
    page.work.photos["solla"] = picture("red")
    pins = {"1209": [183.75, 163.68], "1204": [183.75, 72.75], "0506": [73.5, 0], "1202": [183750.0, 36.37]}
    answer = page.post("api/fix", json.dumps({"map": "boards/solla", "hexes": pins}).encode())
    assert answer.status == 400 and "far apart" in json.loads(answer.body)["wrong"]


def test_what_a_killed_release_left_goes_with_the_next(tmp_path: Path) -> None:
    for name in (".out.1234.part", ".out.1234.old", ".other.1234.part"):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (1, 1))
    (tmp_path / ".out.5678.part").mkdir()  # a release that is being written just now
    replace_folder(tmp_path / "out", {"a.txt": b"a"})
    assert {path.name for path in tmp_path.iterdir()} == {"out", ".other.1234.part", ".out.5678.part"}


@pytest.mark.parametrize(
    "change",
    [{"states": [["camels", "23"]], "now": [[]]}, {"add": {}, "to": "0102"}, {"add": ["camels"], "to": "0102"}],
)
def test_a_change_of_lists_is_a_sentence(change: dict[str, Any]) -> None:
    page = Site({"two_wells": "Two Wells"}, lambda key: GAME, saves=Saves(live=Live()))
    key = json.loads(page.post("/api/two_wells/play", b'{"begin": "noon"}').body)["id"]
    answer = page.post("/api/two_wells/play", json.dumps({"table": key, "version": 1, "change": change}).encode())
    assert answer.status == 400 and "there is no" in json.loads(answer.body)["wrong"]


def test_a_position_without_a_scenario_is_written_and_played(tmp_path: Path) -> None:
    game = load("corps")
    path = tmp_path / "position.yaml"
    path.write_text('game: corps\npieces:\n  - {unit: infantry_north, at: "0304"}\n', encoding="utf-8")
    position = open_position(game, path)
    write_position(game, position, tmp_path / "again.yaml")
    assert open_position(game, tmp_path / "again.yaml") == position
    live = Live(tmp_path / "tables")
    key = live.begin(game, position, "Table").key
    live.change(game, key, 1, {"move": [["infantry_north", "1"]], "to": "0305"})
    table_position = Live(tmp_path / "tables").table(game, key).position
    assert format_location(game.maps[next(iter(game.maps))], table_position.pieces[0].at) == "0305"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("columns: {names: [cost]}", "columns: {names: 7}", "the table movement has no columns"),
        (
            "columns: {names: [cost]}",
            "columns: {names: [cost, more]}",
            "row clear of the table movement has no cell in column more",
        ),
    ],
)
def test_a_rulebook_speaks_of_a_table_that_is_not_whole(tmp_path: Path, old: str, new: str, message: str) -> None:
    pack, _, _ = break_pack(tmp_path, "counters.yaml", old, new)
    reference = "movement.clear.more" if "more" in new else "movement.clear"
    (pack / "RULES.md").write_text(f"# Rules\n\nA unit pays {{{{number {reference}}}}}.\n", encoding="utf-8")
    assert any(message in str(finding) for finding in check(pack))


def test_a_table_without_a_row_for_the_turn_is_a_sentence(tmp_path: Path) -> None:
    pack = Path(shutil.copytree(SAMPLES / "corps", tmp_path / "corps"))
    path = pack / "rules.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace('"replacements", turn,', '"replacements", turn - 9,'), encoding="utf-8"
    )
    game = load(pack)
    with pytest.raises(BadQuestion, match='"replacements" has nothing at'):
        ask(game, "turn", {"scenario": next(iter(game.scenarios)), "turn": "1"})


def test_an_effect_without_a_value_is_a_finding(tmp_path: Path) -> None:
    pack = Path(shutil.copytree(SAMPLES / "corps", tmp_path / "corps"))
    path = pack / "rules.yaml"
    text = path.read_text(encoding="utf-8")
    assert text.count("harm: 1}") == 1
    path.write_text(text.replace("harm: 1}", "harm: }"), encoding="utf-8")
    assert ["`harm` is empty" in finding.message for finding in check(pack)] == [True]

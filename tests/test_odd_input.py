"""Whatever is fed in, however odd: a sentence that tells the fix, and the right exit code. Found by a fuzzer, kept here."""

from __future__ import annotations

import io
import json
import lzma
import os
import zipfile
from pathlib import Path

import click
import pytest

from assistant.cli import cli as assistant
from assistant.page.site import Site
from modgen.cli import cli as modgen
from modgen.vmod.files.lock import CannotBuild, read_lock
from scenarios import check, load
from scenarios.vassal.archive import ENTRY, read_save, read_zip, unveil, veil
from scenarios.vassal.commands import flatten
from scenarios.vassal.playing import play_text
from scenarios.vassal.reading import read_position
from tests.asking import run_command
from tests.packs import break_pack, copy

TWO_WELLS = "scenarios/samples/two_wells"
SAVE = Path("tests/data/two_wells.vsav")


def run_group(group: click.Group, *words: str, code: int) -> str:
    result = run_command(group, *words)
    assert result.exit_code == code, result.output
    return result.output


# The file, the text, what stands there instead, what is said of it.
ODD = {
    "a key of spaces": ("counters.yaml", "      blue: {numbers", "      ' ': {numbers", "'' can't be an id; use letters"),
    "a key that is no id": ("counters.yaml", "  gun:\n", "  g!n:\n", "'g!n' can't be an id"),
    "no columns": ("counters.yaml", '    columns: {odds: ["1-2", "1-1", "2-1", "3-1", "4-1"]}\n', "", "'columns' is missing"),
    "a section that is a text": ("counters.yaml", "markers:\n", "types: x\nmarkers:\n", "keep one of them"),
    "no such day": ("game.yaml", "release: 20", "release: 9920", "is no date since 1980"),
    "an escape": ("game.yaml", "title: Two Wells", 'title: "Two\\e[31m"', "U+001B can't be printed; delete its escape"),
    "a number past measure": ("counters.yaml", "attack: 6,", f"attack: {'9' * 5000},", "is not a number"),
    "a key past measure": ("counters.yaml", "    size: section", f"    {'s' * 500}: section", "longer than 100 letters"),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_odd_packs_get_a_short_finding(name: str, tmp_path: Path) -> None:
    file, old, new, words = ODD[name]
    pack, _, _ = break_pack(tmp_path, file, old, new)
    findings = check(pack)
    assert any(words in finding.message for finding in findings), findings
    assert all(len(finding.message) < 400 for finding in findings)


def test_a_day_that_is_none(tmp_path: Path) -> None:
    for day in ("2026-13-01", "2025-02-29", "1979-12-31"):
        folder = tmp_path / day
        folder.mkdir()
        (folder / "game.yaml").write_text(f"game: {{id: x, title: X, release: {day}}}\n", encoding="utf-8")
        assert [finding.message for finding in check(folder)] == [
            f"{day!r} is no date since 1980; write one such as 2026-11-16"
        ]


def test_a_file_that_cannot_be_read_hides_behind_no_other_finding(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    (pack / "game.yaml").write_text("game: [\n", encoding="utf-8")
    assert [Path(finding.path).name for finding in check(pack)] == ["game.yaml"]


def test_what_is_no_file(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    (pack / "folder.yaml").mkdir()
    (pack / "loop.yaml").symlink_to("loop.yaml")
    os.mkfifo(pack / "pipe.yaml")
    for command, code in (("check", 1), ("build", 2)):
        output = run_group(
            modgen, command, str(pack), *(["--out", str(tmp_path / "out")] * (command == "build")), code=code
        )
        for words in (
            "folder.yaml:1:1: this is no regular file",
            "loop.yaml:1:1: this file can't be read",
            "pipe.yaml:1:1: this is no",
        ):
            assert words in output
    assert not (tmp_path / "out").exists()


def test_a_folder_without_a_game_is_not_searched(tmp_path: Path) -> None:
    assert "name the folder that has it, or add it" in run_group(modgen, "check", str(tmp_path), code=1)
    assert "there is no game" in run_group(modgen, "check", "x" * 5000, code=2)


def test_a_pack_with_nothing_to_play_on(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text("game: {id: x, title: X, release: 2026-01-01}\n", encoding="utf-8")
    options = ["--out", str(tmp_path / "out")]
    assert "add `boards` and `maps`, or build with --only kit" in run_group(
        modgen, "build", str(tmp_path), "--only", "module", *options, code=1
    )


@pytest.mark.parametrize("text", ["[]", '{"gpids": {"a": "x"}, "names": {}, "next": 1, "boards": {}}', "[" * 100_000])
def test_a_damaged_lock(text: str, tmp_path: Path) -> None:
    (tmp_path / "module.lock.json").write_text(text, encoding="utf-8")
    with pytest.raises(CannotBuild, match="is damaged; take it from the last commit"):
        read_lock(tmp_path)


def test_a_new_game_with_any_title(tmp_path: Path) -> None:
    run_group(modgen, "new", str(tmp_path / "one"), "--title", 'A: "b" {c} $d #e', code=0)
    assert load(tmp_path / "one").title == 'A: "b" {c} $d #e'
    assert "leave them out" in run_group(modgen, "new", str(tmp_path / "two"), "--title", "\x1b[31m", code=2)
    assert not (tmp_path / "two").exists()


def zip_files(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def garble_byte(raw: bytes, offset: int, byte: int) -> bytes:
    return raw[:offset] + bytes([byte]) + raw[offset + 1 :]


BEGIN = zip_files({ENTRY: b"begin_save" * 50})
SAVES = {
    "cut off": BEGIN[:60],
    "random": bytes(range(256)),
    "empty": b"",
    "another zip": zip_files({"a.txt": b"x"}),
    "garbled": garble_byte(BEGIN, 45, BEGIN[45] ^ 0xFF),
    "an unknown way to pack": garble_byte(garble_byte(BEGIN, 8, 99), BEGIN.rindex(b"PK\x01\x02") + 10, 99),
    "under a password": garble_byte(garble_byte(BEGIN, 6, 1), BEGIN.rindex(b"PK\x01\x02") + 8, 1),
    "no text": zip_files({ENTRY: b"\xff\xfe"}),
    "a key that is none": zip_files({ENTRY: b"!VCSKzz00"}),
    "packed and cut off": zip_files({ENTRY: lzma.compress(b"begin_save" * 99)[:-20]}),
    "nested past measure": zip_files({ENTRY: veil("'" * 3000)}),
    "a place that is none": zip_files({ENTRY: veil("begin_save\x1b+/1/piece;;;a;b/Main Map;x;y")}),
}


@pytest.mark.parametrize("name", SAVES)
def test_a_damaged_save(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.vsav"
    path.write_bytes(SAVES[name])
    output = run_group(assistant, "open", str(path), "--game", TWO_WELLS, code=2)
    assert "is no VASSAL save" in output or "this save is damaged" in output
    assert "again" in output or "name a .vsav" in output
    if ENTRY.encode() not in SAVES[name]:
        assert "is no module" in run_group(modgen, "verify", str(path), code=2)


def test_an_archive_that_would_grow_past_measure() -> None:
    with pytest.raises(ValueError, match=r"a\.vmod would unpack to more than 0 MB"):
        read_zip(io.BytesIO(zip_files({"a": b"x" * 5000})), "module", "a.vmod", 1000)
    with pytest.raises(ValueError, match="would unpack to more than"):
        unveil(lzma.compress(b"x" * 5000), 1000)


def test_commands_come_in_order_however_nested() -> None:
    assert list(flatten("a\x1bb\\\x1bc\x1bd")) == ["a", "b", "c", "d"]


def test_what_a_save_tells_of_other_kinds() -> None:
    """Grids that are no mapping, a turn that is no number."""
    game = load(TWO_WELLS)
    text, _ = read_save(SAVE)
    saved_json = play_text(text).properties["Mitla"]
    strange = text.replace(saved_json, json.dumps(json.loads(saved_json) | {"grids": [1]}, separators=(",", ":")))
    assert read_position(game, strange).pieces == read_position(game, text).pieces
    tracker = next(iter(play_text(text).turns))
    with pytest.raises(ValueError, match=r"damaged \(its turn is 'x'\); save the game in VASSAL again"):
        read_position(game, f"{text}\x1b{tracker}\t0|x;0")


def test_a_position_without_its_scenario_is_of_the_only_one(tmp_path: Path) -> None:
    text = Path("docs/examples/chinese_farm.yaml").read_text(encoding="utf-8")
    (tmp_path / "farm.yaml").write_text(text.replace("scenario: standard\n", ""), encoding="utf-8")
    bare_output, named_output = (
        run_group(assistant, "score", "october_war", "--position", str(path), code=0)
        for path in (tmp_path / "farm.yaml", "docs/examples/chinese_farm.yaml")
    )
    assert bare_output == named_output and "scenario: standard\n" in text


def test_a_battle_of_a_hundred_thousand_tanks(tmp_path: Path) -> None:
    text = Path("docs/examples/ambush.yaml").read_text(encoding="utf-8")
    (tmp_path / "many.yaml").write_text(text.replace("count: 2", "count: 100000", 1), encoding="utf-8")
    assert "write 1 to 99" in run_group(
        assistant, "odds", "arab_israeli_wars", "--battle", str(tmp_path / "many.yaml"), code=2
    )


def test_a_save_of_a_pack_of_ones_own_asks_for_the_pack() -> None:
    assert "name the folder of its pack: --game FOLDER" in run_group(assistant, "open", str(SAVE), code=2)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("los", TWO_WELLS), "line of sight; add `rules.sight`"),
        (("ask", "arab_israeli_wars", "x"), "los, morale, move"),
        (("score", "arab_israeli_wars", "x"), "scenario: there is no 'x'"),
        (("score", "arab_israeli_wars", "--scenario", "S-9", "--counts", "1=²"), "counts=3:2"),
        (("supply", "october_war", "position=\x00"), "can't be read (no file has such a name)"),
        (("ask", "six_day_war", "supply", f"position={'x' * 5000}"), "can't be read"),
        (("ask", "six_day_war", "supply", "position=\x00"), "can't be read"),
        (("odds", "october_war", "--ruling", "a=b"), "has no option --ruling"),
        (("roll", TWO_WELLS, "2d6", "--times", "1000000000"), "from 1 to 10000, not"),
        (("roll", TWO_WELLS, "2d6", "--log", "/dev/full"), "is not a log of dice rolls; name another file"),
        (("serve", "--port", "99999"), "is not in the range"),
        (("serve", "--host", "x" * 300, "--port", "0"), "choose another --host or --port"),
    ],
)
def test_wrong_questions(words: tuple[str, ...], message: str) -> None:
    assert message in run_group(assistant, *words, code=2)


def test_odd_requests_to_the_page() -> None:
    site = Site(
        {"two_wells": "Two Wells", "october_war": "October War"},
        lambda key: load(TWO_WELLS if key == "two_wells" else key),
    )
    assert site.get("//[").status == 404 and site.post("//[", b"{}").status == 404
    for body in (
        b"[" * 100_000,
        b"\xff",
        b'{"what": "2d6", "times": Infinity}',
        b'{"what": "2d6", "die": ' + b"9" * 5000 + b"}",
    ):
        assert site.post("/api/two_wells/roll", body).status == 400
    for name, value, message in (
        ("position", "/etc/hosts", "that save is no longer open"),
        ("words", "x", "takes no file names"),
        ("side", ["x"], "side"),
    ):
        request_body = json.dumps({"question": "supply", "inputs": {name: value}}).encode()
        answer = site.post("/api/october_war/ask", request_body)
        assert answer.status == 400 and message in answer.body.decode()

"""`modgen build` as a person types it: what it writes, what it refuses, what it remembers."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

import modgen.build
import modgen.products
from modgen.build import build_games, fingerprint
from modgen.build_jobs import BuildJob
from modgen.cache import Cache, cache_folder, code_key, key_of
from modgen.cli import cli
from modgen.kit.options import Options
from modgen.products import make
from modgen.render import fitting, pixels
from tests.asking import run_command, run_modgen
from tests.packs import TWO_WELLS, break_pack, copy

PACK_PATH = str(TWO_WELLS)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MITLA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def built_files(folder: Path) -> list[str]:
    """What is kept, but for prepared packs."""
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return [name for name in files if not name.startswith("packs/")]


def test_a_kit_has_its_name_and_comes_whole(tmp_path: Path) -> None:
    output_folder = tmp_path / "dist"
    run_modgen("build", PACK_PATH, "--only", "kit", "--only", "cut", "--out", str(output_folder))
    assert built_files(output_folder) == ["two_wells/cut/two_wells-sheet-1-a4.svg", "two_wells/two_wells-kit-a4.pdf"]
    run_modgen("build", PACK_PATH, "--only", "kit", "--paper", "Letter", "--out", str(output_folder))
    assert (output_folder / "two_wells" / "two_wells-kit-letter.pdf").is_file()
    run_modgen("build", PACK_PATH, "--only", "kit", "--pieces", "cars,gun", "--out", str(output_folder))
    pieces_pdf = pypdfium2.PdfDocument(str(output_folder / "two_wells" / "two_wells-pieces-cars-gun-a4.pdf"))
    assert len(pieces_pdf) == 2
    run_modgen("build", PACK_PATH, "--only", "kit", "--scenario", "noon", "--out", str(output_folder))
    assert (output_folder / "two_wells" / "two_wells-scenario-noon-a4.pdf").is_file()


def test_pngs_are_as_big_as_asked(tmp_path: Path) -> None:
    answer = json.loads(
        run_modgen("build", PACK_PATH, "--only", "png", "--dpi", "127", "--out", str(tmp_path / "d"), "--json")
    )
    names = built_files(tmp_path / "d" / "two_wells" / "png")
    assert len(answer["files"]) == len(names) and "counters/cars-14-front.png" in names and "charts/combat.png" in names
    with Image.open(tmp_path / "d" / "two_wells" / "png" / "counters" / "cars-14-back.png") as face:
        assert face.size == (80, 80) and face.info["dpi"] == pytest.approx((127, 127), abs=0.1)
    assert any(name.startswith("maps/") for name in names)


def test_calibrate(tmp_path: Path) -> None:
    assert "calibration-letter.pdf" in run_modgen("calibrate", "--paper", "letter", "--out", str(tmp_path))
    assert len(pypdfium2.PdfDocument(str(tmp_path / "calibration-letter.pdf"))) == 2
    assert "did you mean" in run_modgen("calibrate", "--paper", "lettter", "--out", str(tmp_path), code=2)
    run_modgen("build", PACK_PATH, "--only", "calibration", "--out", str(tmp_path / "d"))
    assert built_files(tmp_path / "d") == ["two_wells/calibration-a4.pdf"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--paper", "a5x"), "there is no paper 'a5x'"),
        (("--backs", "folded"), "did you mean fold"),
        (("--only", "kitt"), "did you mean kit"),
        (("--back-offset", "east"), "write two numbers"),
        (("--margin", "100"), "leaves too little of A4"),
        (("--pieces", ""), "names no piece"),
        (("--counter-size", "300"), "choose 8 to 50 mm"),
        (("--margin", "wide"), "not a valid float"),
        (("--counter-size", "8"), "choose --counter-size"),
        (("--pieces", "carz"), "did you mean cars"),
        (("--scenario", "nooon"), "did you mean noon"),
        (("--dpi", "1"), "choose 36 to 1200"),
    ],
)
def test_bad_input_is_a_sentence_and_writes_nothing(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    output_folder = tmp_path / "dist"
    assert message in run_modgen("build", PACK_PATH, *words, "--out", str(output_folder), code=2)
    assert not output_folder.exists()


def test_one_bad_game_of_two_writes_nothing(tmp_path: Path) -> None:
    pack, _, _ = break_pack(tmp_path, "counters.yaml", "attack: 6,", "attack: six,")
    run_modgen("build", PACK_PATH, str(pack), "--only", "json", "--out", str(tmp_path / "dist"), code=2)
    assert not (tmp_path / "dist").exists()


def test_a_colour_that_is_none(tmp_path: Path) -> None:
    pack, _, _ = break_pack(tmp_path, "game.yaml", 'fill: "#d2897b"', "fill: pinkish")
    result = run_command(cli, "build", str(pack), "--out", str(tmp_path / "dist"))
    assert result.exit_code == 2 and not (tmp_path / "dist").exists()
    assert re.search(r"game\.yaml:\d+:\d+: .*pinkish", result.output)
    assert run_command(cli, "check", str(pack)).exit_code == 1, "to check it is another question"


def test_text_that_does_not_fit_its_counter(tmp_path: Path) -> None:
    pack, _, _ = break_pack(
        tmp_path, "counters.yaml", "name: Armoured cars", "name: Heavily armoured wheeled carriages of war"
    )
    output = run_modgen("build", str(pack), "--out", str(tmp_path / "dist"), code=2)
    assert "shorten it" in output and not (tmp_path / "dist").exists()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "dist").write_text("a file", encoding="utf-8")
    assert "choose another --out" in run_modgen("build", PACK_PATH, "--out", str(tmp_path / "dist"), code=2)
    assert "choose another --out" in run_modgen("calibrate", "--out", str(tmp_path / "dist"), code=2)


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(files: object) -> None:
        raise OSError(28, "No space left on device", str(tmp_path / "dist"))

    monkeypatch.setattr(modgen.build, "write_all", full)
    output = run_modgen("build", PACK_PATH, "--only", "json", "--out", str(tmp_path / "dist"), code=2)
    assert "No space left on device" in output and not (tmp_path / "dist").exists()


def test_an_overlay_says_so(tmp_path: Path) -> None:
    overlay_path = tmp_path / "mine.yaml"
    overlay_path.write_text("overlay: two_wells\ncounters: {gun: {factors: {attack: 7}}}\n", encoding="utf-8")
    run_modgen("build", PACK_PATH, "--only", "kit", "--overlay", str(overlay_path), "--out", str(tmp_path / "dist"))
    document = pypdfium2.PdfDocument(str(tmp_path / "dist" / "two_wells" / "two_wells-kit-a4.pdf"))
    assert "Built with the overlay mine.yaml" in document[0].get_textpage().get_text_range()


def test_what_did_not_change_is_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path / "cache")
    job = BuildJob(PACK_PATH, (), False, ("kit", "json"), Options())
    first = build_games([job], tmp_path / "a", True, cache)
    monkeypatch.setattr(modgen.products, "make", lambda *_: pytest.fail("it was made again"))
    build_games([job], tmp_path / "b", True, cache)
    assert [Path(name).read_bytes() for name in first["files"]] == [
        (tmp_path / "b" / Path(name).relative_to(tmp_path / "a")).read_bytes() for name in first["files"]
    ]


def test_a_changed_counter_changes_the_kit_and_little_else(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    pack = copy(tmp_path)
    job = BuildJob(str(pack), (), False, ("kit",), Options())
    old_result = make(job, cache)
    old_entries = set(built_files(tmp_path / "cache"))
    key = fingerprint(job)
    text = (pack / "counters.yaml").read_text(encoding="utf-8")
    (pack / "counters.yaml").write_text(text.replace("attack: 6,", "attack: 9,", 1), encoding="utf-8")
    new_result = make(job, cache)
    assert new_result.outputs != old_result.outputs and fingerprint(job) != key
    assert len(set(built_files(tmp_path / "cache")) - old_entries) <= 6, "a face, two pages, two plates, the kit"


def test_with_and_without_a_cache_it_is_the_same(tmp_path: Path) -> None:
    job = BuildJob(PACK_PATH, (), False, ("kit",), Options())
    cache = Cache(tmp_path / "cache")
    assert make(job, Cache(None)).outputs == make(job, cache).outputs == make(job, cache).outputs


def test_the_cache_survives_damage_and_stays_small(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "c")
    cache.put(key_of("a"), b"content")
    assert cache.get(key_of("a")) == b"content"
    (path,) = (p for p in (tmp_path / "c").rglob("*") if p.is_file())
    path.write_bytes(path.read_bytes()[:-1])
    assert cache.get(key_of("a")) is None
    assert cache.get_or_make(key_of("a"), lambda: b"again") == b"again"
    cache.tidy(max_bytes=0, days=-1)
    assert cache.get(key_of("a")) is None
    blocking_file = tmp_path / "file"
    blocking_file.write_text("", encoding="utf-8")
    assert Cache(blocking_file / "below").get_or_make("ab" * 32, lambda: b"x") == b"x"


def test_where_the_cache_is() -> None:
    assert cache_folder({"MITLA_CACHE": "off"}) is None
    assert cache_folder({"XDG_CACHE_HOME": "/x"}, "linux") == Path("/x/mitla")
    assert str(cache_folder({"LOCALAPPDATA": "L"}, "win32") or "").startswith("L")
    assert key_of("a", "b") != key_of("ab", "") and len(code_key()) == 64


def test_a_big_map_has_fewer_dots() -> None:
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="1400mm" height="1000mm" viewBox="0 0 14 10"/>'
    picture, dpi = fitting(svg, 1200)
    assert dpi < 100 and picture.width == pixels(1400, dpi) and picture.width * picture.height < 16_100_000
    assert fitting(svg, 72)[1] == 72


@pytest.mark.skipif(shutil.which("pdffonts") is None, reason="pdffonts isn't there")
def test_pdffonts_sees_only_embedded_fonts(tmp_path: Path) -> None:
    import subprocess

    run_modgen("build", PACK_PATH, "--only", "kit", "--out", str(tmp_path))
    font_lines = subprocess.run(
        ["pdffonts", str(tmp_path / "two_wells" / "two_wells-kit-a4.pdf")], capture_output=True, text=True, check=True
    ).stdout.splitlines()[2:]
    assert font_lines and all(line.split()[-5] == "yes" and "SourceSansPro" in line for line in font_lines)


def test_colours_that_look_alike_are_a_warning(tmp_path: Path) -> None:
    pack, _, _ = break_pack(tmp_path, "game.yaml", 'fill: "#d2897b"', 'fill: "#a9c8e8"')
    answer = json.loads(run_modgen("check", str(pack), "--json"))
    assert answer["ok"]
    (warning,) = answer["games"][0]["warnings"]
    assert warning["path"].endswith("game.yaml") and warning["line"] and "look alike" in warning["message"]
    assert "(a warning)" in run_modgen("check", str(pack))

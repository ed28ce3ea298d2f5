"""A release: everything that it should hold, sums that hold, notes for players; all of it or nothing."""

from __future__ import annotations

import hashlib
import tomllib
import zipfile
from pathlib import Path

import pytest

from modgen.cache import Cache
from modgen.cli import cli
from modgen.release import CannotRelease, make_release, newest, sums
from modgen.vmod.check.verify import verify_module
from modgen.vmod.files.lock import LOCK
from scenarios import load
from scenarios.files import replace_folder
from tests.asking import run_command
from tests.packs import break_pack, copy

ROOT = Path(__file__).parent.parent

CHANGELOG = "# Changelog\n\n## 2, new\n\n### Added\n- A second well.\n\n## 1\n- A first well.\n"


def test_a_release_of_a_small_game(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text(CHANGELOG, encoding="utf-8")
    output_folder, cache = tmp_path / "dist" / "release", Cache(tmp_path / "cache")
    output_folder.mkdir(parents=True)
    (output_folder / "stale.txt").write_text("of the release before", encoding="utf-8")
    with pytest.raises(CannotRelease, match="would change"):
        make_release([str(pack)], output_folder, changelog, cache=cache)
    assert [path.name for path in output_folder.iterdir()] == ["stale.txt"], (
        "a release that fails leaves the one before"
    )
    answer = make_release([str(pack)], output_folder, changelog, is_locked=False, cache=cache)
    expected_files = ["RELEASE.md", "SHA256SUMS", "two_wells-kit-a4.pdf", "two_wells-kit-letter.pdf", "two_wells.vmod"]
    assert answer["files"] == sorted(path.name for path in output_folder.iterdir()) == expected_files
    assert [path.name for path in output_folder.parent.iterdir()] == ["release"]
    for line in (output_folder / "SHA256SUMS").read_text(encoding="ascii").splitlines():
        digest, _, name = line.partition("  ")
        assert hashlib.sha256((output_folder / name).read_bytes()).hexdigest() == digest
    assert verify_module(output_folder / "two_wells.vmod", load(pack))["problems"] == []
    notes = (output_folder / "RELEASE.md").read_text(encoding="utf-8")
    for words in (
        "Two Wells",
        "A second well.",
        "VASSAL 3.7",
        "no Python",
        "CC BY 4.0",
        "| rulebook |",
        "not affiliated",
    ):
        assert words in notes
    assert "A first well" not in notes
    # The lock is there now: the same release, locked, is the same to the byte.
    assert (pack / LOCK).exists()
    old_files = {path.name: path.read_bytes() for path in output_folder.iterdir()}
    make_release([str(pack)], output_folder, changelog, cache=cache)
    assert old_files == {path.name: path.read_bytes() for path in output_folder.iterdir()}


def test_the_page_is_in_it_or_a_sentence_says_why_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack, output_folder, cache = copy(tmp_path), tmp_path / "out", Cache(tmp_path / "cache")
    monkeypatch.setattr("modgen.page.shutil.which", lambda name: None)
    answer = make_release([str(pack)], output_folder, is_locked=False, cache=cache, page=True)
    assert len(answer["left_out"]) == 1 and "install Node.js with npm" in answer["left_out"][0]
    assert "mitla-page.zip" not in answer["files"] and "mitla-page" not in (output_folder / "RELEASE.md").read_text(
        encoding="utf-8"
    )
    runtime = tmp_path / "pyodide"
    runtime.mkdir()
    with pytest.raises(CannotRelease, match=r"has no pyodide\.asm\.wasm"):
        make_release([str(pack)], output_folder, cache=cache, page=True, runtime=runtime)
    (runtime / "pyodide.asm.wasm").write_bytes(b"wasm")
    answer = make_release([str(pack)], output_folder, cache=cache, page=True, runtime=runtime)
    assert answer["left_out"] == [] and "`mitla-page.zip`" in (output_folder / "RELEASE.md").read_text(encoding="utf-8")
    first = (output_folder / "mitla-page.zip").read_bytes()
    with zipfile.ZipFile(output_folder / "mitla-page.zip") as archive:
        assert {"mitla-page/index.html", "mitla-page/offline.js", "mitla-page/python.zip"} <= set(archive.namelist())
    make_release([str(pack)], output_folder, cache=cache, page=True, runtime=runtime)
    assert (output_folder / "mitla-page.zip").read_bytes() == first


def test_a_bad_pack_is_not_released(tmp_path: Path) -> None:
    pack, _, _ = break_pack(tmp_path, "map.yaml", 'at: "0301"}', 'at: "0999"}')
    result = run_command(cli, "release", str(pack), "--out", str(tmp_path / "out"), "--unlocked")
    assert result.exit_code == 1
    assert "0999" in result.output and not (tmp_path / "out").exists()
    result = run_command(cli, "release", "two_weels", "--out", str(tmp_path / "out"))
    assert result.exit_code == 2


def test_a_folder_is_replaced_whole(tmp_path: Path) -> None:
    output_folder = tmp_path / "out"
    replace_folder(output_folder, {"a": b"1", "b": b"2"})
    with pytest.raises(OSError):
        replace_folder(output_folder, {"a": b"3", "x" * 300: b"4"})
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (
        sorted(path.name for path in output_folder.iterdir()) == ["a", "b"]
        and (output_folder / "a").read_bytes() == b"1"
    )


def test_news_and_sums() -> None:
    assert newest(CHANGELOG) == "### Added\n- A second well."
    assert newest("") == ""
    assert sums({"b": b"", "a": b"x"}).splitlines()[0] == f"{hashlib.sha256(b'x').hexdigest()}  a"


def test_every_file_of_a_pack_or_sample_is_packaged() -> None:
    """What `modgen new --like`, the locks and the docs need is in the wheel."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["scenarios"]
    packaged_paths = {path for pattern in patterns for path in (ROOT / "scenarios").glob(pattern)}
    source_paths = {
        path for room in ("packs", "samples") for path in (ROOT / "scenarios" / room).rglob("*") if path.is_file()
    }
    assert {path for path in source_paths - packaged_paths if path.suffix not in (".pyc", ".part")} == set()

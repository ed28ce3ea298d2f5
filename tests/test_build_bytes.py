"""Builds in processes of their own: the same bytes everywhere, never stale, never half-written."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from art.counters.face import face_group
from modgen.build import build_games, fingerprint, remember
from modgen.build_jobs import BuildJob
from modgen.cache import Cache
from modgen.kit.options import Options
from modgen.products import make
from scenarios.pack.pack_folder import PACKS
from tests.packs import TWO_WELLS, copy

ROOT = Path(__file__).parent.parent
PLACES = (("0", "UTC", "one"), ("1", "Asia/Tokyo", "two"), ("4242", "America/St_Johns", "three"))


def start_build(
    game: Path, formats: tuple[str, ...], output_folder: Path, cache: str, seed: str, zone: str
) -> subprocess.Popen[str]:
    """A build that runs in a process of its own, with its own hash seed, time zone and working folder."""
    words = [word for build_format in formats for word in ("--only", build_format)]
    output_folder.mkdir(parents=True)
    return subprocess.Popen(
        [sys.executable, "-m", "modgen.cli", "build", str(game), "--no-overlay", *words, "--out", str(output_folder)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed, "TZ": zone, "MITLA_CACHE": cache},
        cwd=output_folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("game", "formats"),
    [
        (TWO_WELLS, ("kit", "module", "json", "cut")),
        pytest.param(PACKS / "october_war", ("module",), marks=pytest.mark.slow),
    ],
)
def test_the_same_bytes_everywhere(game: Path, formats: tuple[str, ...], tmp_path: Path) -> None:
    """Two builds at once into one cache, then one from the cache; for a small game also one without any."""
    pack = Path(shutil.copytree(game, tmp_path / game.name))
    cache_folder = str(tmp_path / "cache")
    running = [start_build(pack, formats, tmp_path / name, cache_folder, seed, zone) for seed, zone, name in PLACES[:2]]
    assert [process.wait() for process in running] == [0, 0], [process.communicate()[0] for process in running]
    seed, zone, name = PLACES[2]
    assert (
        start_build(pack, formats, tmp_path / name, "off" if game == TWO_WELLS else cache_folder, seed, zone).wait()
        == 0
    )
    first, *later_builds = (files(tmp_path / name) for _, _, name in PLACES)
    assert first and all(later_build == first for later_build in later_builds)
    cache = Cache(tmp_path / "cache")
    build_games([BuildJob(str(pack), (), False, formats, Options())], tmp_path / "warm", True, cache)
    assert files(tmp_path / "warm") == first


def test_a_changed_counter_changes_its_own_pictures_only(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    job = BuildJob(str(pack), (), False, ("module",), Options())
    cache = Cache(tmp_path / "cache")
    build_games([job], tmp_path / "a", True, cache)
    change(pack / "counters.yaml", "attack: 6,", "attack: 9,")
    build_games([job], tmp_path / "b", True, cache)
    old_files, new_files = (module(tmp_path / name / "two_wells" / "two_wells.vmod") for name in "ab")
    pictures = {name for name in old_files if name.startswith("images/")}
    assert {name for name in pictures if old_files[name] != new_files[name]} == {"images/gun.png"}
    fresh = make(job, Cache(None)).outputs
    assert [output.content for output in fresh] == [(tmp_path / "b" / "two_wells" / "two_wells.vmod").read_bytes()]


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def module(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_file_of_either_ending_counts(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    (pack / "counters.yaml").rename(pack / "counters.yml")
    job = BuildJob(str(pack), (), False, ("json",), Options())
    old_fingerprint = fingerprint(job)
    change(pack / "counters.yml", "attack: 6,", "attack: 9,")
    assert fingerprint(job) != old_fingerprint


def test_what_changed_while_it_was_built_is_not_kept(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    job = BuildJob(str(pack), (), False, ("json",), Options())
    cache = Cache(tmp_path / "cache")
    key = fingerprint(job)
    build_result = make(job, cache)
    change(pack / "counters.yaml", "attack: 6,", "attack: 9,")
    remember(job, key, build_result, cache)
    build_games([job], tmp_path / "out", True, cache)
    assert b'"attack": 9' in re.sub(rb"\s+", b" ", files(tmp_path / "out")["two_wells/two_wells.json"])


@pytest.mark.skipif(sys.platform == "win32", reason="this system has no limits for files")
def test_a_disk_that_fills_up(tmp_path: Path) -> None:
    """Files may grow to less than a module has: a sentence, exit code 2, and nothing half-written."""
    import resource

    pack = copy(tmp_path)
    module_bytes = make(BuildJob(str(pack), (), False, ("module",), Options()), Cache(None)).outputs[0].content
    output_folder = tmp_path / "out"
    process = subprocess.run(
        [
            sys.executable,
            "-m",
            "modgen.cli",
            "build",
            str(pack),
            "--no-overlay",
            "--only",
            "module",
            "--out",
            str(output_folder),
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT), "MITLA_CACHE": str(tmp_path / "cache")},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (len(module_bytes) - 1, len(module_bytes) - 1)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 2 and "can't write to" in process.stderr, process.stderr
    assert "Traceback" not in process.stderr and not files(output_folder)


def test_a_piece_that_cannot_be_drawn_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(game: object, unit: object, *arguments: object) -> object:
        if getattr(unit, "id", "") == "cars":
            raise ValueError("no such symbol")
        return face_group(game, unit, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("modgen.vmod.pieces.face_pictures.face_group", failing)
    job = BuildJob(str(copy(tmp_path)), (), False, ("module",), Options())
    answer = build_games([job], tmp_path / "out", True, Cache(None))
    assert "cars" in answer["failed"][0] and "no such symbol" in answer["failed"][0]
    assert not (tmp_path / "out").exists()


def test_what_a_killed_build_left_is_cleaned_up_by_the_next(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    job = BuildJob(str(pack), (), False, ("json",), Options())
    build_games([job], tmp_path / "out", True, Cache(tmp_path / "cache"))
    leftovers = [tmp_path / "out" / "two_wells" / ".two_wells.json.0a1b2c.part", pack / ".module.lock.json.0a1b2c.part"]
    running = tmp_path / "out" / "two_wells" / ".two_wells.pdf.0a1b2c.part"
    for path in (*leftovers, running):
        path.write_bytes(b"half")
    for path in leftovers:
        os.utime(path, (0, 0))
    build_games([job], tmp_path / "out", True, Cache(tmp_path / "cache"))
    assert not any(path.exists() for path in leftovers) and running.exists()

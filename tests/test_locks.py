"""Locks that can't be written, are missing or damaged; and outputs that don't depend on what was built before."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from modgen.cache import Cache
from modgen.cli import cli
from modgen.vmod.files.lock import LOCK
from scenarios.pack import pack_folder
from tests.packs import copy


def build(
    pack: Path, output_folder: Path, *words: str, cache: Path | None = None, build_format: str = "module"
) -> Result:
    command = ["build", str(pack), "--no-overlay", "--only", build_format, "--out", str(output_folder), *words]
    result = CliRunner().invoke(cli, command, env={"MITLA_CACHE": str(cache) if cache else "off"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def unwritable(monkeypatch: pytest.MonkeyPatch) -> None:
    original_replace = Path.replace

    def replace(self: Path, target: Path) -> Path:
        if Path(target).name == LOCK:
            raise PermissionError(13, "Permission denied", str(target))
        return original_replace(self, target)

    monkeypatch.setattr(Path, "replace", replace)


def test_a_lock_that_cannot_be_written_stops_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = copy(tmp_path)
    unwritable(monkeypatch)
    result = build(pack, tmp_path / "out")
    assert result.exit_code == 1 and not (tmp_path / "out").exists()
    assert f"{LOCK} can't be written (Permission denied)" in result.output and "copy the pack" in result.output
    assert not list(pack.glob(".*")), "nothing half-written"


def test_a_lock_that_stays_as_it_is_needs_no_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pack that is installed where nothing can be written has the lock it came with."""
    pack = copy(tmp_path)
    assert build(pack, tmp_path / "out").exit_code == 0
    unwritable(monkeypatch)
    assert build(pack, tmp_path / "out").exit_code == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"gpids": {"cars": -5}}, "gives cars the id -5; ids begin with 1"),
        ({"gpids": {"cars": 0}}, "gives cars the id 0"),
        ({"gpids": {"cars": 1.5}}, "is damaged"),
        ({"gpids": {"cars": "1"}}, "is damaged"),
        ({"gpids": {"cars": True}}, "is damaged"),
        ({"next": -3}, "the next would be -3"),
    ],
)
def test_ids_of_a_lock_are_whole_numbers_from_one(tmp_path: Path, change: dict[str, object], message: str) -> None:
    pack = copy(tmp_path)
    lock = {"next": 9, "gpids": {"cars": 1}, "names": {}, "boards": {}}
    (pack / LOCK).write_text(json.dumps(lock | change), encoding="utf-8")
    result = build(pack, tmp_path / "out")
    assert result.exit_code == 1 and message in result.output and not (tmp_path / "out").exists()


def test_a_lock_that_went_missing_is_asked_for(tmp_path: Path) -> None:
    """The module that was built before tells; so does the cache, where the module is elsewhere."""
    pack, output_folder = copy(tmp_path), tmp_path / "out"
    assert build(pack, output_folder).exit_code == 0
    old_bytes = (output_folder / "two_wells" / "two_wells.vmod").read_bytes()
    (pack / LOCK).unlink()
    result = build(pack, output_folder)
    assert result.exit_code == 1 and f"{LOCK} is missing" in result.output and "--new-lock" in result.output
    assert not (pack / LOCK).exists() and (output_folder / "two_wells" / "two_wells.vmod").read_bytes() == old_bytes
    assert build(pack, output_folder, "--new-lock").exit_code == 0 and (pack / LOCK).exists()
    assert build(pack, output_folder, cache=tmp_path / "cache").exit_code == 0
    (pack / LOCK).unlink()
    shutil.rmtree(output_folder)
    result = build(pack, output_folder, cache=tmp_path / "cache")
    assert result.exit_code == 1 and "this pack was built with one" in result.output
    assert build(copy(tmp_path / "other"), output_folder, cache=tmp_path / "cache").exit_code == 0, (
        "a pack elsewhere had none"
    )


def test_a_pack_of_ours_without_its_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = copy(tmp_path)
    monkeypatch.setattr("modgen.notices.PACKS", tmp_path)
    result = build(pack, tmp_path / "out")
    assert result.exit_code == 1 and "this pack comes with one" in result.output


def test_what_is_built_depends_on_whose_the_pack_is_and_not_on_what_was_built_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same files as a pack of Mitla's and as one of somebody else's have different licences."""
    own_pack, other_pack = copy(tmp_path / "packs"), copy(tmp_path / "elsewhere")
    for module in (pack_folder, __import__("modgen.notices", fromlist=["PACKS"])):
        monkeypatch.setattr(module, "PACKS", tmp_path / "packs")
    notices = {}
    for name, cache in (("warm", tmp_path / "cache"), ("cold", None)):
        for pack in (own_pack, other_pack):
            output_folder = tmp_path / name / pack.parent.name
            assert build(pack, output_folder, cache=cache, build_format="json").exit_code == 0
            notices[name, pack] = json.loads(
                (output_folder / "two_wells" / "two_wells.json").read_text(encoding="utf-8")
            )["notice"]
    assert (
        notices["warm", own_pack]
        == notices["cold", own_pack]
        != notices["warm", other_pack]
        == notices["cold", other_pack]
    )


def test_a_cache_whose_entries_were_swapped_is_as_good_as_none(tmp_path: Path) -> None:
    pack, cache = copy(tmp_path), tmp_path / "cache"
    assert build(pack, tmp_path / "a", cache=cache, build_format="json").exit_code == 0
    cache_files = [path for path in cache.glob("??/*") if path.is_file()]
    contents = [path.read_bytes() for path in cache_files]
    for path, content in zip(cache_files, [*contents[1:], contents[0]], strict=True):
        path.write_bytes(content)
    assert len(cache_files) > 1
    assert build(pack, tmp_path / "b", cache=cache, build_format="json").exit_code == 0
    first, second = ((tmp_path / name / "two_wells" / "two_wells.json").read_bytes() for name in "ab")
    assert first == second
    store = Cache(tmp_path / "store")
    store.put("aa" * 32, b"one")
    source, target = (tmp_path / "store" / key[:2] / key[2:] for key in ("aa" * 32, "bb" * 32))
    target.parent.mkdir()
    shutil.move(source, target)
    assert store.get("bb" * 32) is None

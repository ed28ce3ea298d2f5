"""The prepared form of a pack: the same game, read part by part; never older than its files, never code."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from scenarios import shipped_games
from scenarios.model.game import Game
from scenarios.pack import building, pack_cache
from scenarios.pack.loading import load
from scenarios.pack.pack_cache import decode, encode
from scenarios.pack.pack_folder import find_pack, pack_files
from tests.packs import copy


def read(folder: Path) -> Game:
    game, findings = building.read_game(folder, [], False)
    assert game is not None and not findings
    return game


def is_same(a: Any, b: Any) -> bool:
    """Whether two values are equal, field by field, the places in files left out."""
    if dataclasses.is_dataclass(a) and type(a) is type(b):
        return all(
            is_same(getattr(a, name), getattr(b, name))
            for name in pack_cache.fields_of(type(a))
            if name != "expression"
        )
    if hasattr(a, "items") and hasattr(b, "items"):
        return list(a) == list(b) and all(is_same(a[key], b[key]) for key in a)
    if isinstance(a, tuple) and isinstance(b, tuple) and not hasattr(a, "_fields"):
        return len(a) == len(b) and all(map(is_same, a, b))
    return bool(a == b)


@pytest.mark.parametrize("pack", shipped_games())
def test_a_prepared_pack_is_the_pack(pack: str) -> None:
    game = read(find_pack(pack))
    decoded_game = decode(encode(game), game.folder)
    for field in dataclasses.fields(Game):
        if field.name != "data":
            assert is_same(getattr(game, field.name), getattr(decoded_game, field.name)), field.name
    assert [(d.address, d.value, d.source) for d in decoded_game.data] == [
        (d.address, d.value, d.source) for d in game.data
    ]
    for key, map in decoded_game.scenario_maps.items():  # what is one map or board stays one
        assert [map is other_map for other_map in decoded_game.scenario_maps.values()] == [
            game.scenario_maps[key] is other_map for other_map in game.scenario_maps.values()
        ]
    assert encode(decoded_game) == encode(game)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MITLA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(pack_cache, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache" / "packs"


def test_a_pack_is_read_once_until_a_file_changes(tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read_folders: list[Path] = []
    read_game = building.read_game

    def counted_read(folder: Path, *arguments: Any) -> Any:
        read_folders.append(folder)
        return read_game(folder, *arguments)

    monkeypatch.setattr(building, "read_game", counted_read)
    folder = copy(tmp_path)
    for _ in range(3):
        assert load(folder).units["cars"].name == "Armoured cars"
    assert len(read_folders) == 1
    counters = folder / "counters.yaml"
    old_text = counters.read_text(encoding="utf-8")
    counters.write_text(old_text.replace("Armoured cars", "Armoured cards"), encoding="utf-8")
    assert load(folder).units["cars"].name == load(folder).units["cars"].name == "Armoured cards"
    assert len(read_folders) == 2
    counters.write_text(old_text, encoding="utf-8")
    assert load(folder).units["cars"].name == "Armoured cars" and len(read_folders) == 2


def test_an_added_file_is_seen(tmp_path: Path, kept: Path) -> None:
    folder = copy(tmp_path)
    load(folder)
    (folder / "more.yaml").write_text("states: {tired: {name: Tired}}\n", encoding="utf-8")
    assert "tired" in load(folder).states


@pytest.mark.parametrize("damage", [b"", b"{}\n", b"garbage", None, "cut", "flip"])
def test_a_damaged_one_is_made_anew(tmp_path: Path, kept: Path, damage: bytes | str | None) -> None:
    folder = copy(tmp_path)
    load(folder)
    (path,) = kept.iterdir()
    raw = path.read_bytes()
    if damage == "cut":
        path.write_bytes(raw[:-10])
    elif damage == "flip":
        path.write_bytes(raw[:-10] + b"x" + raw[-9:])
    elif isinstance(damage, bytes):
        path.write_bytes(damage)
    else:
        path.unlink()
        path.mkdir()
    assert load(folder).units["cars"].name == "Armoured cars"


def test_no_class_but_ours_can_be_named(tmp_path: Path) -> None:
    game = read(copy(tmp_path))
    head, _, body = encode(game).partition(b"\n")
    header = json.loads(head)
    for name in (
        "os:system",
        "scenarios.files:write",
        "builtins:eval",
        "subprocess:Popen",
        "scenarios.pack.pack_cache:ROOT.x",
    ):
        with pytest.raises((ValueError, AttributeError)):
            decode(json.dumps({**header, "classes": [name]}).encode() + b"\n" + body, game.folder)


def test_the_folder_of_prepared_packs_stops_growing(tmp_path: Path, kept: Path) -> None:
    folder = copy(tmp_path)
    counts = []
    for number in range(pack_cache.MAX_KEPT + 3):
        (folder / "more.yaml").write_text(f"states: {{tired: {{name: Tired {number}}}}}\n", encoding="utf-8")
        assert load(folder).states["tired"].name == f"Tired {number}"
        counts.append(len(list(kept.iterdir())))
    assert counts[0] == 1 and counts[-1] == counts[-2] == counts[-3] == max(counts)
    assert pack_files(folder)[0].name == "game.yaml"

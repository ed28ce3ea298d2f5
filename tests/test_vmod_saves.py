"""Nothing that a save names ever moves; saves and logs of the engine's own hand are read as the engine lists them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from modgen.cache import Cache
from modgen.vmod.check.diff import compare
from modgen.vmod.check.engine import read_lines
from modgen.vmod.check.verify import differences
from modgen.vmod.files.loaded_module import open_module
from modgen.vmod.files.lock import Lock
from modgen.vmod.files.locked_build import make_module
from modgen.vmod.files.module import compose
from modgen.vmod.setups.setups import setup_file
from scenarios import load
from scenarios.model.game import Game
from scenarios.model.position import from_scenario
from scenarios.pack.pack_folder import find_pack
from scenarios.vassal.archive import ENTRY, pack_zip, read_save, veil
from scenarios.vassal.commands import ESCAPE, add_piece_command, flatten, read_added
from scenarios.vassal.playing import play, play_text
from scenarios.vassal.reading import game_of_save, read_position
from scenarios.vassal.sequence import join, split
from tests import shared
from tests.changing import NEW, reorder_counters
from tests.packs import TWO_WELLS, copy

DATA = Path(__file__).parent / "data"
PACKS = [(TWO_WELLS, "counters.yaml"), (find_pack("six_day_war"), "counters_egypt.yaml")]


def module(game: Game, path: Path, lock: Lock) -> Path:
    """A module without its pictures' pixels: names and sizes of files are enough here."""
    composed_module = compose(game, lock, shared.DRAWN)
    size = {
        name: b"\x89PNG" + bytes(12) + d.width.to_bytes(4, "big") + d.height.to_bytes(4, "big")
        for name, d in composed_module.pictures.items()
    }
    path.write_bytes(
        pack_zip({**composed_module.files, **{f"images/{name}": content for name, content in size.items()}})
    )
    return path


@pytest.mark.parametrize("pack, file", PACKS, ids=["two_wells", "six_day_war"])
def test_old_saves_open_in_a_changed_module(pack: Path, file: str, tmp_path: Path) -> None:
    old_game = load(pack, with_config_overlays=False)
    lock = Lock()
    old = module(old_game, tmp_path / "old.vmod", lock)
    folder, new_id = reorder_counters(pack, file, tmp_path / "new")
    new_game = load(folder, with_config_overlays=False)
    assert list(new_game.units) != list(old_game.units)
    name = next(unit.name for unit in new_game.units.values() if unit.id == new_id)
    assert name.endswith(" again")
    new = module(new_game, tmp_path / "new.vmod", Lock(dict(lock.gpids), lock.next, lock.names, lock.boards))
    answer = compare(old, new)
    assert answer["breaks"] == [] and answer["saves_keep"]
    changes = answer["changes"]["pieces"]
    assert [piece.split()[1] for piece in changes["added"]] == [NEW]
    assert changes["gone"] == []
    assert any(piece.endswith(f" {new_id}") for piece in changes["changed"])
    for scenario in old_game.scenarios:
        save = tmp_path / "a.vsav"
        save.write_bytes(open_module(old).files[setup_file(old_game, scenario)])
        text, _ = read_save(save)
        assert read_position(new_game, text) == read_position(old_game, text)


def test_without_the_lock_old_saves_break(tmp_path: Path) -> None:
    old = module(load(TWO_WELLS, with_config_overlays=False), tmp_path / "old.vmod", Lock())
    folder, _ = reorder_counters(TWO_WELLS, "counters.yaml", tmp_path / "new")
    new = module(load(folder, with_config_overlays=False), tmp_path / "new.vmod", Lock())
    reasons = compare(old, new)["breaks"]
    assert any("would turn into others" in reason for reason in reasons)


def test_the_real_build_keeps_its_lock(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    old, new = tmp_path / "old.vmod", tmp_path / "new.vmod"
    old.write_bytes(make_module(load(pack), Cache(None), pool=False))
    folder, _ = reorder_counters(pack, "counters.yaml", tmp_path / "next")
    new.write_bytes(make_module(load(folder), Cache(None), pool=False))
    assert compare(old, new)["saves_keep"]


@pytest.mark.parametrize("ending", ["vsav", "vlog"])
def test_files_of_the_engine_are_read_as_it_lists_them(ending: str) -> None:
    text, files = read_save(DATA / f"two_wells.{ending}")
    assert {"moduledata", "savedata"} <= set(files)
    table = play_text(text)
    lines = read_lines((DATA / "two_wells.txt").read_text(encoding="utf-8").splitlines())
    expected_pieces = {line.fields[0]: line.fields[1:] for line in lines if line.word == "PIECE"}
    assert set(table.pieces) == set(expected_pieces)
    for key, (_, unit, number, _, window, _, x, y, layers) in expected_pieces.items():
        piece = table.pieces[key]
        assert (piece.window, piece.x, piece.y) == (window, int(x), int(y))
        assert (piece.properties["unit"], piece.properties["copy"]) == (unit, number)
        layer_text = ",".join(f"{name}={max(0, level)}" for name, level in piece.layers.items())
        assert layer_text == layers.rstrip(",")
    # Three steps from the first phase of turn 1: Blue fights.
    assert split(split(table.turn, "|")[1], ";")[4].startswith("3;")


@pytest.mark.parametrize("ending", ["vsav", "vlog"])
def test_files_of_the_engine_are_positions(ending: str) -> None:
    game = load(TWO_WELLS, with_config_overlays=False)
    text, _ = read_save(DATA / f"two_wells.{ending}")
    position = read_position(game, text)
    assert (position.scenario, position.turn) == ("noon", 1)
    first = next(iter(game.maps.values()))
    pieces_by_id = {(piece.unit, piece.copy): piece for piece in position.pieces}
    assert pieces_by_id["infantry_blue", "21"].at == first.hex("0301")  # type: ignore[union-attr]
    assert pieces_by_id["dug_in", "2"].at == first.hex("0303")  # type: ignore[union-attr]
    assert pieces_by_id["infantry_blue", "22"].at == "box:lost"
    assert pieces_by_id["infantry_blue", "22"].states == {"reduced", "dug_in", "dry"}
    assert pieces_by_id["infantry_red", "11"].states == {"reduced", "dry"}
    assert ("camels", "24") not in pieces_by_id
    assert pieces_by_id["infantry_red", ""].unit == "infantry_red"


@pytest.mark.parametrize("ending", ["vsav", "vlog"])
def test_what_the_engine_wrote_is_written_again_to_the_byte(ending: str) -> None:
    text, _ = read_save(DATA / f"two_wells.{ending}")
    assert join(split(text, ESCAPE), ESCAPE) == text
    pieces = [(command, read_added(command)) for command in flatten(text)]
    assert sum(piece is not None for _, piece in pieces) > 12
    assert all(piece is None or add_piece_command(piece) == command for command, piece in pieces)
    with zipfile.ZipFile(DATA / f"two_wells.{ending}") as archive:
        data = archive.read(ENTRY)
    assert veil(text, int(data[5:7], 16)) == data


def test_decks_are_no_pieces_and_stacks_move_with_what_they_hold() -> None:
    piece_command = "+/1/mark;unit\tpiece;;;;Gun/gun\tMain Map;10;20;5;0"
    stack, deck = "+/7/stack/Main Map;10;20;1;@@0", "+/8/deck;x/Main Map;1;1;false;1"
    table = play([piece_command, stack, deck, "LOG\tM/7/Boxes/30/40/null/Main Map/10/20/null/me"])
    assert set(table.pieces) == {"1"} and table.stacks == {"7": {"1": None}}
    assert (table.pieces["1"].window, table.pieces["1"].x, table.pieces["1"].y) == ("Boxes", 30, 40)
    for command in ("LOG\tUNDO\ttrue", "LOG\tM/7/Main Map/10/20/null/Boxes/30/40/null/me", "LOG\tUNDO\tfalse"):
        table.do(command.removeprefix("LOG\t"))
    assert (table.pieces["1"].window, table.pieces["1"].x) == ("Main Map", 10)
    table.do("D/1/tank\tMain Map;11;20;5;0/gun\tMain Map;10;20;5;0")
    assert table.pieces["1"].properties == {"unit": "tank"} and table.pieces["1"].x == 11
    table.do("-/1")
    assert table.pieces == {} and table.stacks == {"7": {}}


@pytest.mark.parametrize("ending", ["vsav", "vlog"])
def test_a_save_tells_its_game_without_the_module(ending: str) -> None:
    text, _ = read_save(DATA / f"two_wells.{ending}")
    assert game_of_save(text) == "two_wells"
    assert play_text(text).about["played"] is True, "as the player left it, not as the module began"
    assert all(piece.properties.get("unit") for piece in play_text(text).pieces.values())


def test_a_set_up_tells_its_game_too(tmp_path: Path) -> None:
    game = load(TWO_WELLS, with_config_overlays=False)
    save = tmp_path / "noon.vsav"
    save.write_bytes(compose(game, Lock()).files["Noon.vsav"])
    text, _ = read_save(save)
    about = play_text(text).about
    assert (about["game"], about["release"]) == ("two_wells", game.card.release)
    assert about["grids"] == {"The desert": [278, 259, 43, 37, 64, 74]}
    assert list(differences(game, from_scenario(game, "noon"), read_position(game, text))) == []


def test_a_save_of_another_game_or_grid_is_refused() -> None:
    game = load(TWO_WELLS, with_config_overlays=False)
    text, _ = read_save(DATA / "two_wells.vsav")
    with pytest.raises(ValueError, match="is of two_wells, not of six_day_war"):
        read_position(load("six_day_war", with_config_overlays=False), text)
    game_info = json.dumps({"game": "two_wells", "grids": {"The desert": [1, 2, 3, 4, 5, 6]}}, separators=(",", ":"))
    changed_text = text + ESCAPE + join(["GlobalProperty\t", "Mitla", game_info, ""], ";")
    with pytest.raises(ValueError, match="another grid"):
        read_position(game, changed_text)
    with pytest.raises(ValueError, match="doesn't tell its game"):
        game_of_save("begin_save")

"""Modules: what is in them, that set-ups are what scenarios say, that nothing a save names ever moves."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from modgen.cache import Cache
from modgen.cli import cli
from modgen.vmod.battle.combat import combat
from modgen.vmod.check.verify import differences, traits_of, verify_module
from modgen.vmod.files.lock import Lock, LockChanged, read_lock
from modgen.vmod.files.locked_build import make_module
from modgen.vmod.files.module import compose, module_bytes
from modgen.vmod.maps import beyond
from modgen.vmod.pieces import aids, pieces, support
from modgen.vmod.setups.setups import commands, scenario_of
from modgen.vmod.setups.turns import phases, state
from modgen.vmod.sight import shading
from modgen.vmod.sight.visibility import has_eyes
from scenarios import load, shipped_games
from scenarios.model.game import Game
from scenarios.model.position import from_scenario
from scenarios.pack.pack_folder import samples
from scenarios.vassal.archive import unveil, veil
from scenarios.vassal.reading import read_position
from tests import shared
from tests.asking import run_command
from tests.packs import TWO_WELLS, copy

GAMES = shipped_games()


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Game, Path]:
    """Two Wells and its module."""
    folder = copy(tmp_path_factory.mktemp("vmod"))
    pack_game = load(folder)
    path = folder.parent / "two_wells.vmod"
    path.write_bytes(make_module(pack_game, Cache(None), pool=False))
    return pack_game, path


def test_every_set_up_reads_back_as_its_scenario(game: Game) -> None:
    lock = Lock()
    gpids = {key: lock.gpid(key) for key in (*game.units, *game.markers)}
    prototypes = shared.prototypes(game)
    phase_names = phases(game)
    for key, scenario in game.scenarios.items():
        expected_position = from_scenario(game, key)
        text = commands(game, expected_position, gpids, prototypes, state(game, scenario, phase_names))
        actual_position = read_position(game, unveil(veil(text)))
        assert actual_position.scenario == key
        assert actual_position.turn == expected_position.turn
        assert list(differences(game, expected_position, actual_position)) == []


def test_no_piece_of_a_set_up_has_a_prototype_left(game: Game) -> None:
    prototypes = shared.prototypes(game)
    for unit in game.units.values():
        unit_piece = pieces.unit_piece(game, unit, "1")
        traits = pieces.expand_prototypes(unit_piece.traits, prototypes)
        assert not any(trait.type.startswith("prototype;") for trait in traits)
        assert traits[-1].type.startswith("piece;")
        assert len(traits) > len(unit_piece.traits)


def test_every_attack_is_translated(game: Game) -> None:
    _, _, missing = combat(game)
    assert missing == {}


def test_build_file_is_whole(game: Game) -> None:
    parts = shared.module(game)
    root = ElementTree.fromstring(parts.files["buildFile.xml"])
    data = ElementTree.fromstring(parts.files["moduledata"])
    assert root.get("VassalVersion") == data.findtext("VassalVersion") == "3.7.0"
    assert root.get("name") == game.title
    sides = [entry.text for entry in root.iter("entry")]
    other_players = ["Jordanian", "Syrian"] if game.id == "arab_israeli_wars" else []
    assert sides == [*(game.card.players or [side.name for side in game.sides.values()]), *other_players, "Solitaire"]
    setups = [part for part in root.iter("VASSAL.build.module.PredefinedSetup") if part.get("isMenu") == "false"]
    assert [scenario_of(game, part.get("file", "")) for part in setups] == [*game.scenarios]
    assert {part.get("file") for part in setups} <= set(parts.files)
    slots = list(root.iter("VASSAL.build.widget.PieceSlot"))
    extra_slots = [*support.all_support(game), *aids.slots(game), *([shading.NAME] if has_eyes(game) else [])]
    extra_slots += [beyond.NAME] if beyond.needed(game) else []
    assert len(slots) == len(game.units) + len(game.markers) + len(extra_slots)
    assert all(traits_of(slot.text or "")[-1].startswith("piece;") for slot in slots)
    charts = {part.get("chartName") for part in root.iter("VASSAL.build.widget.Chart")}
    assert charts == {"Legend of the map", *(table.title for table in game.tables.values())}
    module_text = b" ".join(parts.files.values())
    assert b"not affiliated" in module_text


@pytest.mark.parametrize(
    "name", [*shipped_games(), *(name for name in samples() if name != "two_wells")]
)  # that one keeps no lock
def test_the_committed_lock_is_enough(name: str) -> None:
    game = load(name)
    lock = read_lock(game.folder)
    lock_text = lock.as_text()
    compose(game, lock, shared.DRAWN)
    assert lock.as_text() == lock_text, "run `modgen build --only module` and commit the lock file"


def test_verify_finds_nothing_wrong(small: tuple[Game, Path]) -> None:
    pack_game, path = small
    answer = verify_module(path, pack_game)
    assert answer["problems"] == []
    assert answer["counts"]["set-ups"] == len(pack_game.scenarios)


def test_verify_finds_what_is_wrong(small: tuple[Game, Path], tmp_path: Path) -> None:
    import zipfile

    from scenarios.vassal.archive import pack_zip

    pack_game, path = small
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    unit = next(iter(pack_game.units))
    del files[f"images/{unit}.png"]
    files["buildFile.xml"] = files["buildFile.xml"].replace(b'nextPieceSlotId="', b'nextPieceSlotId="0" was="')
    broken_path = tmp_path / "broken.vmod"
    broken_path.write_bytes(pack_zip(files))
    problems = verify_module(broken_path, pack_game)["problems"]
    assert any(f"{unit}.png" in problem for problem in problems)
    assert any("next id" in problem for problem in problems)


def test_verify_on_the_command_line(tmp_path: Path) -> None:
    no_module = tmp_path / "no.vmod"
    no_module.write_bytes(b"no zip")
    result = run_command(cli, "verify", str(no_module))
    assert result.exit_code == 2
    assert "no module" in result.output


def test_the_same_twice() -> None:
    pack_game = load(TWO_WELLS)
    first_module, second_module = (module_bytes(pack_game, Lock(), Cache(None), pool=False) for _ in range(2))
    assert first_module == second_module


def test_ids_stay_when_counters_are_added_and_moved(tmp_path: Path) -> None:
    pack_game = load(copy(tmp_path))
    lock = Lock()
    compose(pack_game, lock)
    old_ids = dict(lock.gpids)
    new_lock = Lock(dict(old_ids), lock.next)
    assert [new_lock.gpid(key) for key in reversed(old_ids)] == [str(old_ids[key]) for key in reversed(old_ids)]
    assert new_lock.gpid("new") == str(lock.next)


def test_a_locked_build_fails_where_the_lock_would_change(tmp_path: Path) -> None:
    pack_game = load(copy(tmp_path))
    with pytest.raises(LockChanged, match="would change"):
        make_module(pack_game, Cache(None), is_locked=True, pool=False)


def test_a_board_that_changes_its_size_is_not_built() -> None:
    lock = Lock()
    lock.board("Board A", 100, 50)
    with pytest.raises(LockChanged, match="old saves"):
        lock.board("Board A", 100, 60)


def test_a_save_tells_its_game(game: Game) -> None:
    root = ElementTree.fromstring(shared.module(game).files["buildFile.xml"])
    property_element = next(
        p for p in root.iter("VASSAL.build.module.properties.GlobalProperty") if p.get("name") == "Mitla"
    )
    assert json.loads(property_element.get("initialValue", ""))["game"] == game.id


def test_no_two_buttons_have_one_keystroke(game: Game) -> None:
    root = ElementTree.fromstring(shared.module(game).files["buildFile.xml"])
    strokes = []
    for part in root.iter():
        kind = part.tag.rpartition(".")[2]
        if kind in ("ChangePropertyButton", "DoActionButton"):
            strokes.append(part.get("hotkey"))
        elif kind in ("GlobalKeyCommand", "MassKeyCommand"):
            strokes.append(part.get("buttonHotkey"))
    # One command tells every attack at once that none waits to be resolved all the same.
    keystrokes = [stroke for stroke in strokes if stroke and not stroke.endswith(",not-waiting")]
    assert len(keystrokes) == len(set(keystrokes)), sorted(
        {stroke for stroke in keystrokes if keystrokes.count(stroke) > 1}
    )

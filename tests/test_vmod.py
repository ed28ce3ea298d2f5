"""Modules: what is in them, that set-ups are what scenarios say, that nothing a save names ever moves."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from modgen.cache import Cache
from modgen.cli import cli
from modgen.vmod import aids, pieces, shading, support
from modgen.vmod.combat import combat
from modgen.vmod.eyes import has_eyes
from modgen.vmod.lock import Lock, LockChanged, read_lock
from modgen.vmod.making import make_module
from modgen.vmod.module import compose, module_bytes
from modgen.vmod.setups import commands, scenario_of
from modgen.vmod.turns import phases, state
from modgen.vmod.verify import differences, traits_of, verify
from scenarios import load, shipped
from scenarios.game import Game
from scenarios.loading import samples
from scenarios.position import from_scenario
from scenarios.vassal.archive import unveil, veil
from scenarios.vassal.reading import read_position
from tests import shared
from tests.packs import TWO_WELLS, copy

GAMES = shipped()


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Game, Path]:
    """Two Wells and its module."""
    folder = copy(tmp_path_factory.mktemp("vmod"))
    held = load(folder)
    path = folder.parent / "two_wells.vmod"
    path.write_bytes(make_module(held, Cache(None), pool=False))
    return held, path


def test_every_set_up_reads_back_as_its_scenario(game: Game) -> None:
    lock = Lock()
    gpids = {key: lock.gpid(key) for key in (*game.units, *game.markers)}
    known = shared.prototypes(game)
    listed = phases(game)
    for key, scenario in game.scenarios.items():
        wanted = from_scenario(game, key)
        text = commands(game, wanted, gpids, known, state(game, scenario, listed))
        found = read_position(game, unveil(veil(text)))
        assert found.scenario == key
        assert found.turn == wanted.turn
        assert list(differences(wanted, found)) == []


def test_no_piece_of_a_set_up_has_a_prototype_left(game: Game) -> None:
    known = shared.prototypes(game)
    for unit in game.units.values():
        made = pieces.unit_piece(game, unit, "1")
        whole = pieces.expanded(made.traits, known)
        assert not any(trait.type.startswith("prototype;") for trait in whole)
        assert whole[-1].type.startswith("piece;")
        assert len(whole) > len(made.traits)


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
    theirs = ["Jordanian", "Syrian"] if game.id == "arab_israeli_wars" else []
    assert sides == [*(game.card.players or [side.name for side in game.sides.values()]), *theirs, "Solitaire"]
    listed = [part for part in root.iter("VASSAL.build.module.PredefinedSetup") if part.get("isMenu") == "false"]
    assert [scenario_of(game, part.get("file", "")) for part in listed] == [*game.scenarios]
    assert {part.get("file") for part in listed} <= set(parts.files)
    slots = list(root.iter("VASSAL.build.widget.PieceSlot"))
    own = [*support.listed(game), *aids.slots(game), *([shading.NAME] if has_eyes(game) else [])]
    assert len(slots) == len(game.units) + len(game.markers) + len(own)
    assert all(traits_of(slot.text or "")[-1].startswith("piece;") for slot in slots)
    charts = {part.get("chartName") for part in root.iter("VASSAL.build.widget.Chart")}
    assert charts == {"Legend of the map", *(table.title for table in game.tables.values())}
    shown = b" ".join(parts.files.values())
    assert b"not affiliated" in shown


@pytest.mark.parametrize(
    "name", [*shipped(), *(name for name in samples() if name != "two_wells")]
)  # that one keeps no lock
def test_the_committed_lock_is_enough(name: str) -> None:
    game = load(name)
    lock = read_lock(game.folder)
    before = lock.as_text()
    compose(game, lock, shared.DRAWN)
    assert lock.as_text() == before, "run `modgen build --only module` and commit the lock file"


def test_verify_finds_nothing_wrong(small: tuple[Game, Path]) -> None:
    held, path = small
    answer = verify(path, held)
    assert answer["problems"] == []
    assert answer["counts"]["set-ups"] == len(held.scenarios)


def test_verify_finds_what_is_wrong(small: tuple[Game, Path], tmp_path: Path) -> None:
    import zipfile

    from scenarios.vassal.archive import packed

    held, path = small
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    unit = next(iter(held.units))
    del files[f"images/{unit}.png"]
    files["buildFile.xml"] = files["buildFile.xml"].replace(b'nextPieceSlotId="', b'nextPieceSlotId="0" was="')
    broken = tmp_path / "broken.vmod"
    broken.write_bytes(packed(files))
    problems = verify(broken, held)["problems"]
    assert any(f"{unit}.png" in problem for problem in problems)
    assert any("next id" in problem for problem in problems)


def test_verify_on_the_command_line(tmp_path: Path) -> None:
    no_module = tmp_path / "no.vmod"
    no_module.write_bytes(b"no zip")
    result = CliRunner().invoke(cli, ["verify", str(no_module)])
    assert result.exit_code == 2
    assert "no module" in result.output


def test_the_same_twice() -> None:
    held = load(TWO_WELLS)
    once, again = (module_bytes(held, Lock(), Cache(None), pool=False) for _ in range(2))
    assert once == again


def test_ids_stay_when_counters_are_added_and_moved(tmp_path: Path) -> None:
    held = load(copy(tmp_path))
    lock = Lock()
    compose(held, lock)
    before = dict(lock.gpids)
    again = Lock(dict(before), lock.next)
    assert [again.gpid(key) for key in reversed(before)] == [str(before[key]) for key in reversed(before)]
    assert again.gpid("new") == str(lock.next)


def test_a_locked_build_fails_where_the_lock_would_change(tmp_path: Path) -> None:
    held = load(copy(tmp_path))
    with pytest.raises(LockChanged, match="would change"):
        make_module(held, Cache(None), locked=True, pool=False)


def test_a_board_that_changes_its_size_is_not_built() -> None:
    lock = Lock()
    lock.board("Board A", 100, 50)
    with pytest.raises(LockChanged, match="old saves"):
        lock.board("Board A", 100, 60)


def test_a_save_tells_its_game(game: Game) -> None:
    root = ElementTree.fromstring(shared.module(game).files["buildFile.xml"])
    told = next(p for p in root.iter("VASSAL.build.module.properties.GlobalProperty") if p.get("name") == "Mitla")
    assert json.loads(told.get("initialValue", ""))["game"] == game.id


def test_no_two_buttons_have_one_keystroke(game: Game) -> None:
    root = ElementTree.fromstring(shared.module(game).files["buildFile.xml"])
    strokes = []
    for part in root.iter():
        kind = part.tag.rpartition(".")[2]
        if kind in ("ChangePropertyButton", "DoActionButton"):
            strokes.append(part.get("hotkey"))
        elif kind in ("GlobalKeyCommand", "MassKeyCommand"):
            strokes.append(part.get("buttonHotkey"))
    given = [stroke for stroke in strokes if stroke]
    assert len(given) == len(set(given)), sorted({stroke for stroke in given if given.count(stroke) > 1})

"""Extensions: what an overlay adds to a game loads with the module as it was released, and keeps working with later ones."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image

from modgen.cache import Cache
from modgen.cli import cli as modgen
from modgen.vmod.check.diff import compare, unit_of
from modgen.vmod.check.extension_check import verify_extension
from modgen.vmod.files.component_paths import find
from modgen.vmod.files.extension import ExtensionBuilder, read_overlay
from modgen.vmod.files.loaded_module import LoadedModule, open_module
from modgen.vmod.files.lock import CannotBuild, Lock, read_lock
from modgen.vmod.maps import beyond
from modgen.vmod.text.briefing import scenario_name
from scenarios import PackError, load
from scenarios.model.game import Game
from scenarios.model.position import from_scenario
from scenarios.vassal.archive import ENTRY, pack_zip, read_zip, unveil
from scenarios.vassal.commands import flatten, read_added
from scenarios.vassal.playing import play_text
from scenarios.vassal.reading import read_position
from scenarios.vassal.sequence import join
from tests.asking import run_command
from tests.extensions import GUARDS, HAND, LIST, PROTOTYPES, TRAYS, by_hand, later, make_extension, module_of, pack_of


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """Two Wells, released."""
    return pack_of(tmp_path_factory.mktemp("pack"))


@pytest.fixture(scope="module")
def module(game: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its module."""
    return module_of(game, tmp_path_factory.mktemp("module") / "two_wells.vmod")


def open_extension(content: bytes, folder: Path, name: str = "two_wells-coast_guards") -> LoadedModule:
    """An extension as a file."""
    path = folder / f"{name}.vmdx"
    path.write_bytes(content)
    return open_module(path)


def overlay(folder: Path, text: str, game: str = "two_wells") -> Path:
    """An overlay of a test's own."""
    path = folder / "mine.yaml"
    path.write_text(f"overlay: {game}\n{text}", encoding="utf-8")
    return path


def text_of(extension: LoadedModule, file: str) -> str:
    """The commands of a set-up."""
    return unveil(read_zip(io.BytesIO(extension.files[file]), "save")[ENTRY])


def test_everything_hangs_on_a_component_that_the_released_module_has(game: Game, module: Path, tmp_path: Path) -> None:
    extension, root = open_extension(make_extension(game, GUARDS), tmp_path), open_module(module).root
    targets = [part.get("target", "") for part in extension.root]
    assert all(find(root, target) is not None for target in targets)
    lists = "VASSAL.build.module.PieceWindow:Pieces/VASSAL.build.widget.BoxWidget:Pieces/VASSAL.build.widget.BoxWidget:"
    assert Counter(targets) == {
        f"{lists}Red Coast/VASSAL.build.widget.ListWidget:Foot": 1,
        f"{lists}Blue Hills/VASSAL.build.widget.ListWidget:Wheels": 1,
        f"{lists}Markers/VASSAL.build.widget.ListWidget:Function": 1,
        TRAYS: 1,
        "VASSAL.build.module.ChartWindow:Charts/VASSAL.build.widget.ListWidget:Charts": 1,
        "VASSAL.build.module.ChartWindow:Scenarios/VASSAL.build.widget.ListWidget:Scenarios": 1,
        "": 1,
    }
    attributes = extension.root.attrib
    assert (attributes["module"], attributes["moduleVersion"], attributes["version"]) == (
        "Two Wells",
        "2026.11.16",
        "2026.11.18",
    )
    assert {"extensiondata", "moduledata", "Dusk.vsav", "images/guards.png", "images/guards-back.png"} <= set(
        extension.files
    )
    assert not {name for name in extension.files if name.startswith("images/")} & set(open_module(module).files)


def test_its_pieces_have_ids_of_their_own_that_later_builds_keep(game: Game, tmp_path: Path) -> None:
    lock = Lock()
    slots = {
        unit_of(slot): slot.get("gpid")
        for slot in open_extension(make_extension(game, GUARDS, lock), tmp_path).elements("PieceSlot")
    }
    assert slots == {"guards": f"{lock.id}:1", "lorries": f"{lock.id}:2", "cache": f"{lock.id}:3"}
    assert re.fullmatch("[0-9a-f]{6}", lock.id)
    first = (
        f"    askaris: {{name: Askaris, nation: red, class: foot, type: guards, {FACTORS}, count: 1}}\n    guards:\n"
    )
    overlay_text = GUARDS.read_text(encoding="utf-8").replace("    guards:\n", first, 1)
    new_text = overlay_text.replace("    lorries:\n", "    trucks:\n      was: [lorries]\n", 1).replace(
        "lorries: 1}", "trucks: 1}"
    )
    path = tmp_path / GUARDS.name
    path.write_text(new_text, encoding="utf-8")
    new_ids = {
        unit_of(slot): slot.get("gpid")
        for slot in open_extension(make_extension(game, path, lock), tmp_path).elements("PieceSlot")
    }
    assert new_ids == {
        "guards": slots["guards"],
        "trucks": slots["lorries"],
        "cache": slots["cache"],
        "askaris": f"{lock.id}:4",
    }


def test_a_set_up_names_its_pieces_and_is_read_as_the_scenario_says(game: Game, tmp_path: Path) -> None:
    lock = Lock()
    text = text_of(open_extension(make_extension(game, GUARDS, lock), tmp_path), "Dusk.vsav")
    full_game = load(game.folder, [GUARDS])
    position, expected_position = read_position(full_game, text), from_scenario(full_game, "dusk")
    assert Counter((p.unit, p.copy, p.at, p.group) for p in position.pieces) == Counter(
        (p.unit, p.copy, p.at, p.group) for p in expected_position.pieces
    )
    base = read_lock(game.folder).gpids
    pieces = [
        piece for piece in map(read_added, flatten(text)) if piece is not None and piece.traits[0].type != "stack"
    ]
    ids = Counter(piece.traits[-1].state.split(";")[3] for piece in pieces)
    assert ids == {f"{lock.id}:1": 2, f"{lock.id}:2": 1, f"{lock.id}:3": 1} | {
        str(base[unit]): n for unit, n in (("cars", 1), ("infantry_blue", 2), ("camels", 2), (beyond.NAME, 2))
    }
    # The module knows no scenario `dusk`: its expressions take it for the one on the same map.
    assert play_text(text).properties.get("Scenario") == "noon" or "Scenario;noon" in text
    with pytest.raises(
        ValueError, match="has no scenario 'dusk'; the save was played with two_wells-coast_guards: name the overlay"
    ):
        read_position(game, text)


def test_pieces_of_an_extension_made_by_hand_are_named_and_left_out(game: Game, module: Path) -> None:
    text = text_of(open_module(module), "Noon.vsav")
    place = join(["Main Map", "100", "100", f"{HAND}:0", "0"], ";")
    scout = f"+/9/piece;;;x.png;Desert scout/{place}"
    position = read_position(
        game, join(["begin_save", *flatten(text), scout, "EXT\tby hand\t0.1", "end_save"], chr(27))
    )
    assert [unknown_piece.unit for unknown_piece in position.unknown] == ["Desert scout"] and position.extensions == (
        "by hand",
    )
    assert len(position.pieces) == len(from_scenario(game, "noon").pieces)


FACTORS = "factors: {attack: 6, defense: 1, movement: 2}"
REFUSED_OVERLAYS: dict[str, tuple[str, int, str]] = {
    "a changed value": ("counters: {cars: {factors: {attack: 6}}}", 2, "counters that the module has can't be changed"),
    "a board": ('boards: {desert: {hexes: {"0101": hill}}}', 2, "boards that the module has can't be changed"),
    "a state": ("add:\n  states: {lost: {name: Lost, short: LOST}}", 3, "can't carry states"),
    "a nation": (
        'add:\n  nations: {green: {name: Green, side: red, colors: {fill: "#88cc88", ink: "#000000"}}}', 3, "can't carry nations"
    ),
    "a kind of terrain": ('add:\n  terrain: {marsh: {name: Marsh, mark: "m", color: "#88aa88"}}', 3, "can't carry terrain"),
    "nothing": ("note: none", 1, "it adds nothing"),
    "new sides": (
        "add:\n  scenarios:\n    x:\n      title: X\n      like: noon\n      sides: {red: {name: Pirates, nations: [red]}, blue: Blue}",
        7, "nobody can play Pirates",
    ),
    "a back for a state that the module's units wear as a tag": (
        f"add:\n  counters:\n    x: {{name: X, nation: red, class: foot, type: infantry, {FACTORS}, back: {{state: dry}}, count: 1}}",
        2, "what is added would change PrototypesContainer / Unit of the module",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case_name", REFUSED_OVERLAYS)
def test_what_an_extension_cant_carry_is_refused_with_its_line(game: Game, tmp_path: Path, case_name: str) -> None:
    text, line, pattern = REFUSED_OVERLAYS[case_name]
    path = overlay(tmp_path, text)
    with pytest.raises(PackError) as error:
        make_extension(game, path)
    messages = [str(finding) for finding in error.value.findings]
    assert any(re.match(rf"{re.escape(str(path))}:{line}:\d+: .*{pattern}", finding) for finding in messages), messages
    assert case_name == "nothing" or all(f"modgen build two_wells --overlay {path}" in finding for finding in messages)


def test_a_box_that_would_have_to_grow_and_more_trays_than_windows_are_refused(game: Game, tmp_path: Path) -> None:
    names = [f"u{n}" for n in range(60)]
    counters = "".join(
        f"    {name}: {{name: {name}, nation: red, class: foot, type: infantry, {FACTORS}, count: 1}}\n"
        for name in names
    )
    units = ", ".join(f"{name}: 1" for name in names)
    box_groups = f"{{id: Z, nation: red, units: {{{units}}}, at: {{box: lost}}}}"
    trays = ", ".join(
        f"{{id: Z{n}, name: Z{n}, nation: red, units: {{{name}: 1}}, at: {{zone: west}}}}"
        for n, name in enumerate(names)
    )
    for groups, pattern in (
        (box_groups, "more kinds of counters into a box"),
        (trays, "its trays need the window .* let fewer groups choose their place, or build a module"),
    ):
        scenario = f"x: {{title: X, like: noon, forces: {{red: {{groups: [{groups}]}}}}}}"
        with pytest.raises(PackError, match=pattern):
            make_extension(game, overlay(tmp_path, f"add:\n  counters:\n{counters}  scenarios:\n    {scenario}\n"))


def test_a_counter_with_a_name_that_another_nation_has_leaves_the_module_alone(
    game: Game, module: Path, tmp_path: Path
) -> None:
    text = (
        f"add:\n  counters:\n    guns: {{name: Field gun, nation: red, class: wheels, type: gun, {FACTORS}, count: 1}}"
    )
    extension = open_extension(make_extension(game, overlay(tmp_path, text)), tmp_path)
    assert [slot.get("entryName") for slot in extension.elements("PieceSlot")] == ["Red Field gun (1)"]
    assert verify_extension(extension.path, module)["problems"] == []


def test_a_counter_with_more_steps_than_any_brings_what_counts_them(game: Game, module: Path, tmp_path: Path) -> None:
    text = f"add:\n  counters:\n    big: {{name: Big, nation: red, class: foot, type: infantry, {FACTORS}, steps: 4, count: 1}}"
    extension = open_extension(make_extension(game, overlay(tmp_path, text)), tmp_path)
    assert {"images/loss-1.png", "images/loss-2.png", "images/loss-3.png"} <= set(extension.files)
    assert verify_extension(extension.path, module)["problems"] == []


def test_a_class_of_its_own_brings_a_list_and_a_prototype(game: Game, module: Path, tmp_path: Path) -> None:
    text = """add:
  classes: {boats: Boats}
  types: {dhow: {name: Dhow, symbol: infantry}}
  counters:
    dhow: {name: Dhow, nation: red, class: boats, type: dhow, factors: {attack: 1, defense: 1, movement: 4}, count: 1, steps: 4}
"""
    extension = open_extension(make_extension(game, overlay(tmp_path, text)), tmp_path)
    assert [part.get("name") for part in extension.elements("PrototypeDefinition")] == ["Steps 4"]
    list_widget = next(extension.elements("ListWidget"))
    assert list_widget.get("entryName") == "Boats" and len(list_widget) == 1
    assert verify_extension(extension.path, module)["problems"] == []


def test_a_picture_beside_the_overlay_is_in_the_extension(game: Game, tmp_path: Path) -> None:
    Image.new("RGB", (80, 80), (10, 200, 30)).save(tmp_path / "green.png")
    text = (
        "add:\n  counters:\n    guards: {name: Guards, nation: red, class: foot, type: infantry, factors: {attack: 1}, count: 1,"
        " image: {file: green.png, text: false}}"
    )
    extension = open_extension(make_extension(game, overlay(tmp_path, text)), tmp_path)
    picture = Image.open(io.BytesIO(extension.files["images/guards.png"])).convert("RGB")
    assert picture.getpixel((picture.width // 2, picture.height // 2)) == (10, 200, 30)


def test_a_table_with_dice_is_a_chart_and_says_so(game: Game, tmp_path: Path) -> None:
    cells = "cells: {1: A, 2: A, 3: A, 4: B, 5: B, 6: B}, results: {A: Bad., B: Good.}"
    text = f"add:\n  tables:\n    luck: {{title: Luck, dice: 1d6, columns: {{names: [luck]}}, {cells}}}"
    path = overlay(tmp_path, text)
    lock, full_game = Lock(), load(game.folder, [path])
    making = ExtensionBuilder(game, full_game, read_overlay(game.id, [path]), "luck", lock, Cache(None))
    result = making.make()
    assert [part.get("chartName") for _, part in result.parts] == ["Luck"]
    assert result.notes == ["the table luck is a chart; the button that rolls on it needs a module"]


def test_a_module_that_was_never_built_has_no_extension(tmp_path: Path) -> None:
    from tests.packs import copy

    with pytest.raises(CannotBuild, match="lacks pieces of the module; build that first: modgen build"):
        make_extension(load(copy(tmp_path)), GUARDS)


def test_it_fits_the_module_and_a_later_one_and_so_does_one_made_by_hand(
    game: Game, module: Path, tmp_path: Path
) -> None:
    later_game = later(game, tmp_path / "later")
    newer = module_of(later_game, tmp_path / "two_wells.vmod")
    extension_path = open_extension(make_extension(game, GUARDS), tmp_path).path
    hand = open_extension(by_hand("2026.11.16"), tmp_path, "by hand").path
    for path in (extension_path, hand):
        for module_path in (module, newer):
            assert verify_extension(path, module_path)["problems"] == []
    assert verify_extension(extension_path, module, load(game.folder, [GUARDS]))["problems"] == []
    assert verify_extension(extension_path, newer, load(later_game.folder, [GUARDS]))["problems"] == []
    assert all(find(open_module(newer).root, target) is not None for target in (LIST, TRAYS, PROTOTYPES))
    old = open_extension(make_extension(later_game, GUARDS), tmp_path, "newer").path
    assert any("was made for version 2027.03.01" in problem for problem in verify_extension(old, module)["problems"])
    answer = compare(module, newer)
    assert answer["saves_keep"] and answer["extensions_keep"] and answer["extensions"] == []


def test_a_renamed_list_is_told(game: Game, module: Path, tmp_path: Path) -> None:
    later_game = later(game, tmp_path / "later")
    for file in later_game.folder.glob("*.yaml"):
        file.write_text(
            file.read_text(encoding="utf-8").replace("name: Blue Hills", "name: Blue Mountains"), encoding="utf-8"
        )
    newer = module_of(load(later_game.folder), tmp_path / "two_wells.vmod")
    answer = compare(module, newer)
    assert answer["saves_keep"] and not answer["extensions_keep"]
    assert answer["extensions"] == [
        "Pieces / Blue Hills is gone or has another name: extensions that add to it don't load whole"
    ]
    hand = open_extension(by_hand("2026.11.16"), tmp_path, "by hand").path
    assert [problem for problem in verify_extension(hand, newer)["problems"] if LIST in problem]


def test_what_is_wrong_with_an_extension_is_told(game: Game, module: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is no extension"):
        verify_extension(module, module)
    path = open_extension(by_hand("2026.11.16"), tmp_path, "by hand").path
    build = open_module(path).files["buildFile.xml"]
    for was, replacement in (
        (b'gpid="5f2:0"', b'gpid="7"'),
        (b'name="Tired"', b'name="Weary"'),
        (b"infantry_blue.png", b"none.png"),
    ):
        assert was in build
        build = build.replace(was, replacement)
    path.write_bytes(pack_zip({"buildFile.xml": build}))
    report = " / ".join(verify_extension(path, module)["problems"])
    for expected_problem in (
        "no extensiondata",
        "has the id '7'; it should begin with 5f2:",
        "the prototype 'Tired'",
        "the picture none.png",
    ):
        assert expected_problem in report, report


def test_the_command_writes_the_same_bytes_twice_and_nothing_where_it_fails(game: Game, tmp_path: Path) -> None:
    path = tmp_path / "mine" / GUARDS.name
    path.parent.mkdir()
    path.write_bytes(GUARDS.read_bytes())
    arguments = ["extension", game.folder, "--overlay", path]
    first = run_command(modgen, *arguments, "--out", tmp_path / "a", "--json")
    assert first.exit_code == 0, first.output
    answer = json.loads(first.output)
    assert answer["adds"] == ["2 counters", "1 marker", "1 table", "1 scenario"] and answer["notes"] == []
    file = tmp_path / "a" / "two_wells" / "two_wells_ext" / "two_wells-coast_guards.vmdx"
    lock = path.with_name("coast_guards.lock.json")
    assert (
        answer["file"] == str(file)
        and answer["lock"] == str(lock)
        and json.loads(lock.read_text())["id"] == answer["id"]
    )
    second_result = run_command(modgen, *arguments, "--out", tmp_path / "b", "--locked")
    assert (
        second_result.exit_code == 0
        and "put it into the folder two_wells_ext beside two_wells.vmod" in second_result.output
    )
    assert (tmp_path / "b" / file.relative_to(tmp_path / "a")).read_bytes() == file.read_bytes()
    lock.unlink()
    missing = run_command(modgen, *arguments, "--out", tmp_path / "a")
    assert missing.exit_code == 1 and "coast_guards.lock.json is missing" in missing.output and not lock.exists()
    assert (
        run_command(modgen, *arguments, "--out", tmp_path / "a", "--locked", "--new-lock").exit_code == 1
        and not lock.exists()
    )
    assert run_command(modgen, *arguments, "--out", tmp_path / "a", "--new-lock").exit_code == 0 and lock.exists()
    path.write_text(path.read_text(encoding="utf-8") + "counters: {cars: {factors: {attack: 6}}}\n", encoding="utf-8")
    refusal = run_command(modgen, *arguments, "--out", tmp_path / "c")
    assert (
        refusal.exit_code == 1
        and "can't be changed by an extension" in refusal.output
        and not (tmp_path / "c").exists()
    )
    wrong = run_command(modgen, *arguments, "--name", "../x", "--out", tmp_path / "c")
    assert wrong.exit_code == 2 and "is no name for an extension" in wrong.output
    verification = run_command(modgen, "verify", file, "--module", module_of(game, tmp_path / "m.vmod"))
    assert verification.exit_code == 0 and "3 pieces" in verification.output
    lonely = run_command(modgen, "verify", open_extension(file.read_bytes(), tmp_path).path)
    assert lonely.exit_code == 2 and "--module FILE.vmod" in lonely.output


def test_a_scenario_is_called_the_same_whatever_others_there_are(game: Game) -> None:
    full_game = load(game.folder, [GUARDS])
    assert [scenario_name(full_game, key) for key in full_game.scenarios] == ["Noon", "Dusk"] and scenario_name(
        game, "noon"
    ) == "Noon"
    wars = load("arab_israeli_wars")
    assert scenario_name(wars, "S-2") == "S-2 Abu Agheila"


def test_a_situation_goes_by_the_name_of_one_on_the_same_boards_of_the_same_year(tmp_path: Path) -> None:
    base = load("arab_israeli_wars")
    text = """add:
  scenarios:
    X-1: {title: Again, like: A-5}
    X-2: {title: Later, like: A-5, year: 1982}
    X-3:
      {title: Elsewhere, sequence: standard, turns: {last: 5}, first: israeli, year: 1973, arrangement: {boards: [[A, D]], north: up}}
"""
    path = overlay(tmp_path, text, base.id)
    making = ExtensionBuilder(base, load(base.id, [path]), read_overlay(base.id, [path]), "x", Lock(), Cache(None))
    assert making._stands_for("X-1") == "A-5"
    assert making._stands_for("X-2") is None and making._stands_for("X-3") is None
    assert [(finding.line, finding.message.partition(";")[0]) for finding in making.findings] == [
        (5, "battles ask for the year, and no scenario of the module on this map is of 1982"),
        (7, "no scenario of the module lies on this map"),
    ]


@pytest.mark.slow
def test_support_that_no_situation_has_comes_as_pieces(tmp_path: Path) -> None:
    base = load("arab_israeli_wars")
    text = """add:
  scenarios:
    X-1:
      title: Guns
      like: S-2
      forces: {israeli: {support: [{kind: artillery, name: Long guns, nation: israel, count: 2, weapon: "(H)", strength: 15}]}}
"""
    path = overlay(tmp_path, text, base.id)
    lock = Lock()
    extension = open_extension(make_extension(base, path, lock), tmp_path, "guns")
    assert [slot.get("entryName") for slot in extension.elements("PieceSlot")] == ["Israeli Long guns"]
    commands = text_of(extension, "X-1 Guns.vsav")
    pieces = [piece for piece in map(read_added, flatten(commands)) if piece is not None]
    assert sum(piece.traits[-1].state.split(";")[3:4] == [f"{lock.id}:1"] for piece in pieces) == 2
    position = read_position(load(base.id, [path]), commands)
    assert position.unknown == () and position.extensions == ("arab_israeli_wars-mine",)

"""Keys, shadings and names of modules: none is the engine's own, a stack is shaded once, and names are the assistant's."""

from __future__ import annotations

import io
import json
import math
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from assistant.cli import cli as assistant
from modgen.cache import Cache
from modgen.cli import cli as modgen
from modgen.vmod.files.locked_build import make_module
from modgen.vmod.maps import beyond
from modgen.vmod.setups.setups import setup_file
from scenarios import load
from scenarios.model.maps import HexMap
from scenarios.vassal.archive import ENTRY, pack_zip
from scenarios.vassal.geometry import BoardSheet
from scenarios.vassal.windows import MAIN
from tests import shared
from tests.asking import run_command
from tests.bsh import Scope, evaluate_text
from tests.packs import copy

SERVER, FILE_MENU = r"Alt\+S: the server window", r"Alt\+F: the File menu"
ENGINE_KEYS = {
    "83,520": SERVER,
    "83,512": SERVER,
    "87,520": r"Alt\+W: begin a log file",
    "87,585": r"Shift\+Alt\+W: end a log file",
    "70,520": FILE_MENU,
    "72,520": r"Alt\+H: the Help menu",
    "84,520": r"Alt\+T: the Tools menu",
}
"""VASSAL 3.7.26: ChatServerControls and BasicLogger register the first, PlayerWindow has the mnemonics of its three menus."""
HEX_GAMES = ["arab_israeli_wars", "musketeer", "six_day_war", "yom_kippur"]


def build_file(game_id: str) -> str:
    return shared.module(load(game_id)).files["buildFile.xml"].decode()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two Wells and its module."""
    folder = copy(tmp_path_factory.mktemp("keys"))
    path = folder.parent / "two_wells.vmod"
    path.write_bytes(make_module(load(folder), Cache(None), pool=False))
    return folder, path


def rewritten(path: Path, target_path: Path, old: str, new: str) -> Path:
    """A module whose build file is changed by a pattern."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    text, count = re.subn(old, new, files["buildFile.xml"].decode(), count=1)
    assert count == 1
    target_path.write_bytes(pack_zip(files | {"buildFile.xml": text.encode()}))
    return target_path


@pytest.mark.parametrize("game_id", [*HEX_GAMES, "october_war"])
def test_no_key_of_a_module_is_the_engines_own(game_id: str) -> None:
    for part in ElementTree.fromstring(build_file(game_id)).iter():
        clashes = {key for key, value in part.attrib.items() if "key" in key.lower() and value in ENGINE_KEYS}
        assert not clashes, (part.tag, part.attrib)


@pytest.mark.parametrize("key, problem", ENGINE_KEYS.items())
def test_verify_knows_the_keys_of_the_engine(small: tuple[Path, Path], tmp_path: Path, key: str, problem: str) -> None:
    changed_module = rewritten(small[1], tmp_path / "a.vmod", r'hotkey="73,520"', f'hotkey="{key}"')
    problems = json.loads(run_command(modgen, "verify", changed_module, "--game", small[0], "--json").stdout)[
        "problems"
    ]
    assert any(re.search(problem, message) for message in problems), problems


def test_verify_finds_an_engine_key_on_a_piece(small: tuple[Path, Path], tmp_path: Path) -> None:
    changed_module = rewritten(small[1], tmp_path / "a.vmod", r"delete;([^;]*);68,130", r"delete;\1;83,520")
    problems = json.loads(run_command(modgen, "verify", changed_module, "--game", small[0], "--json").stdout)[
        "problems"
    ]
    assert any(re.search(SERVER, message) for message in problems), problems


@pytest.mark.parametrize("game_id", HEX_GAMES)
def test_areas_of_a_stack_are_drawn_as_one(game_id: str) -> None:
    """The engine unites the areas of all pieces that name a shading of the map; areas without one lie on each other."""
    text = build_file(game_id)
    shadings = {
        part.get("name"): part.get("alwaysOn")
        for part in ElementTree.fromstring(text).iter("VASSAL.build.module.map.MapShader")
    }
    shading_names = [area_trait.split(";")[7] for area_trait in re.findall(r"AreaOfEffect;[^\t/]*", text)]
    assert shading_names and set(shading_names) <= shadings.keys()
    assert set(shadings.values()) == {"true"}


@pytest.mark.parametrize("game_id", HEX_GAMES)
def test_shades_end_at_the_edge_of_the_map(game_id: str) -> None:
    """Discs as wide as the earth cover the background to the right of the map and below, and no pixel of the map."""
    root = ElementTree.fromstring(build_file(game_id))
    main = next(part for part in root.iter("VASSAL.build.module.Map") if part.get("mapName") == MAIN)
    last_shading = [*main.iter("VASSAL.build.module.map.MapShader")][-1]
    cover = (main.get("backgroundcolor"), "100", "false")
    assert tuple(last_shading.get(key) for key in ("color", "opacity", "drawOver")) == cover
    game = load(game_id)
    for scenario, table in game.scenario_maps.items():
        assert isinstance(table, HexMap)
        width, height = BoardSheet(table).size
        with zipfile.ZipFile(io.BytesIO(shared.module(game).files[setup_file(game, scenario)])) as archive:
            text = archive.read(ENTRY).decode()
        disc_pattern = rf"AreaOfEffect;0,0,0;25;(\d+);[^/]*;{beyond.NAME};true[^/]*/[^/]*\ttrue[^/]*{MAIN};(\d+);(\d+);"
        discs = [tuple(map(int, numbers)) for numbers in re.findall(disc_pattern, text)]
        assert len(discs) == 2, scenario
        (right_radius, right_x, right_y), (low_radius, low_x, low_y) = discs
        assert right_x - right_radius == width and low_y - low_radius == height
        for radius, length, middle in ((right_radius, height, right_y), (low_radius, width, low_x)):
            departure = radius - math.sqrt(radius**2 - max(middle, length - middle) ** 2)
            assert departure < 0.5


@pytest.mark.parametrize("index, expected_state", [("", "on"), ("0", "on"), ("1", "on"), ("2", "off"), ("4", "off")])
def test_what_a_stack_sees_is_switched_once(index: str, expected_state: str) -> None:
    """Each selected piece gets the keystroke; only the first switches, so that two don't undo each other."""
    texts = [part.text or "" for part in ElementTree.fromstring(build_file("arab_israeli_wars")).iter()]
    trait_match = next(match for text in texts if (match := re.search(r"setprop;Looker;.*?\{(.*?)\}", text)))
    expression = re.sub(r"\\+([,;:/\\])", r"\1", trait_match[1])
    values = {"UiPieceIndex": index, "Looker": "", "CurrentX": "1", "CurrentY": "2", "CurrentMap": "Map"}
    values |= {"PlayerName": "Ann", "class": "armor", "type": "armor"}
    value = evaluate_text(expression, Scope(values, {"GetString": lambda name: values.get(name, "")}))
    assert ("on" if value else "off") == expected_state


def test_a_counter_has_one_name() -> None:
    """The name in the module's palette is the one in the assistant's answers, but for counts and the number of a copy."""
    game_id, unit, place = "six_day_war", "is_militia_sinai", "4520"
    answer = run_command(assistant, "move", game_id, f"unit={unit}", f"put={unit}@{place}", "--json")
    in_answer = json.loads(answer.stdout)["refused"][0]["text"].partition(" can't move")[0]
    slots = ElementTree.fromstring(build_file(game_id)).iter("VASSAL.build.widget.PieceSlot")
    in_module = next(
        re.sub(r" \(\d+\)$", "", slot.get("entryName", "")) for slot in slots if f"{unit}.png" in (slot.text or "")
    )
    assert in_answer == f"{in_module} 1"


def test_what_the_editor_writes_by_itself_is_no_change(small: tuple[Path, Path], tmp_path: Path) -> None:
    """VASSAL 3.7.26 adds these defaults and numbers named keys from 57344 to 63743 anew as it saves a module."""
    old = rewritten(small[1], tmp_path / "old.vmod", 'tooltip="All counters and markers"', 'tooltip="The pieces"')
    with zipfile.ZipFile(small[1]) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    root = ElementTree.fromstring(files["buildFile.xml"])
    for part in root.iter():
        defaults = {
            "GlobalOptions": {"minMaxHeap": "0", "purgeBlankPropertyPrompts": "true"},
            "TurnTracker": {"length": "-1", "plusButtonSize": "22"},
            "DiceButton": {"keepCount": "1", "keepOption": ">"},
        }.get(part.tag.rpartition(".")[2], {})
        for key, value in defaults.items():
            part.set(key, value)
        for key, value in part.attrib.items():
            part.set(key, re.sub(r"57348(?=\\*,0)", "61007", value))
        part.text = re.sub(r"57348(?=\\*,0)", "60111", part.text or "")
    new = tmp_path / "new.vmod"
    new.write_bytes(pack_zip(files | {"buildFile.xml": ElementTree.tostring(root)}))
    assert (
        json.loads(run_command(modgen, "diff", old, new, "--patch", tmp_path / "module.patch.json", "--json").stdout)[
            "changes"
        ]
        == 1
    )
    patch = json.loads((tmp_path / "module.patch.json").read_text())
    assert [change["set"] for change in patch["changes"]] == [{"tooltip": ["The pieces", "All counters and markers"]}]

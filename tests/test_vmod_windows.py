"""What lies beside the map: trays that don't overlap, instructions that aren't cut, piles of the game's own."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from art.text import lines
from modgen.vmod.battle.conditions import MAX_VALUES, conditions, inputs_by_name
from modgen.vmod.check import module_faults
from modgen.vmod.files.loaded_module import LoadedModule
from modgen.vmod.maps.trays import SIZES, box_notes, instructions
from modgen.vmod.pieces.losses import piles as piles_by_map
from modgen.vmod.setups.setups import setup_file
from modgen.vmod.text.briefing import WAITING, welcome
from scenarios import load, shipped_games
from scenarios.model.game import Game
from scenarios.vassal.archive import ENTRY, read_zip, unveil
from scenarios.vassal.playing import play_text
from scenarios.vassal.windows import SETUP, TITLE, TraySheet, box_sheets, map_of, setup_sheets
from tests import shared


@pytest.fixture(params=sorted(shipped_games()))
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


def open_built_module(game: Game) -> LoadedModule:
    files = shared.module(game).files
    return LoadedModule(Path("a.vmod"), files, ElementTree.fromstring(files["buildFile.xml"]))


def sheets(game: Game) -> list[tuple[TraySheet, dict[str, str]]]:
    boxes = [(sheet, box_notes(sheet)) for sheet in box_sheets(game, map_of(game))]
    return boxes + [
        (sheet, instructions(game, key, sheet)) for key in game.scenarios for sheet in setup_sheets(game, key)
    ]


def piles(game: Game, piece: str) -> list[str]:
    """Where a lost piece goes in a game with one map."""
    (pile,) = piles_by_map(game, piece).values()
    return pile


def test_no_tray_lies_on_another_or_on_the_name_of_a_track(game: Game) -> None:
    for sheet, _ in sheets(game):
        tracks_seen: set[str] = set()
        rectangles = []
        for tray in sheet.trays:
            track = tray.group if "/" in tray.location and tray.location.startswith("box:") else ""
            title_height = TITLE if track and track not in tracks_seen else 0
            tracks_seen.add(track)
            rectangles.append((tray.x, tray.y - title_height, tray.x + tray.width, tray.y + tray.height))
        for first, two in combinations(rectangles, 2):
            assert first[2] <= two[0] or two[2] <= first[0] or first[3] <= two[1] or two[3] <= first[1]
        assert all(
            left >= 0 and top >= 0 and right <= sheet.width and low <= sheet.height
            for left, top, right, low in rectangles
        )


def test_no_instruction_is_cut(game: Game) -> None:
    for sheet, texts in sheets(game):
        for tray in sheet.trays:
            words = texts.get(tray.name, "")
            assert any(len(lines(words, tray.width - 12, size)) <= max_lines for size, _, max_lines in SIZES), words


def test_lost_pieces_go_to_a_place_of_the_window(game: Game) -> None:
    zones = {tray.name for sheet in box_sheets(game, map_of(game)) for tray in sheet.trays}
    for unit in game.units:
        assert piles(game, unit) and set(piles(game, unit)) <= zones
    for marker in game.markers:
        assert set(piles(game, marker)) <= zones
    table = map_of(game)
    has_dead_box = table is not None and any(box.kind == "dead" for box in table.boxes.values())
    assert has_dead_box == (not any(zone.startswith("Eliminated: ") for zone in zones))


def test_a_nation_has_its_own_pile_before_its_side() -> None:
    october = load("october_war")
    nations = {unit.nation: unit.id for unit in october.units.values()}
    assert piles(october, nations["egypt"]) == ["Egyptian Eliminated", "Egyptian Permanently Eliminated"]
    assert piles(october, nations["israel"]) == ["Israeli Eliminated", "Israeli Permanently Eliminated"]
    assert {"Egyptian Eliminated", "Syrian Eliminated"} <= set(piles(october, nations["iraq"]))
    six = load("six_day_war")
    assert {tuple(piles(six, unit)) for unit in six.units} == {("Sinai: deadpile", "Eastern: deadpile")}


def test_every_entry_of_a_menu_is_one_button(game: Game) -> None:
    assert not list(module_faults.menus(open_built_module(game)))


def test_a_title_that_a_button_has_already_is_told_apart() -> None:
    game = load("yom_kippur")
    key, attack = next((key, attack) for key, attack in game.attacks.items() if attack.inputs)
    name, shape = next(iter(attack.inputs.items()))
    changed_attack = replace(attack, inputs={**attack.inputs, name: replace(shape, title="Charts")})
    module = open_built_module(replace(game, attacks={**game.attacks, key: changed_attack}))
    assert not list(module_faults.menus(module))
    bad = open_built_module(game)
    for part in bad.elements("ChangePropertyButton"):
        if part.get("text"):
            part.set("text", "Charts")
            break
    assert any(
        "buttons have this name" in problem or "no such button" in problem for problem in module_faults.menus(bad)
    )


def test_many_conditions_are_in_a_menu_for_each_attack(game: Game) -> None:
    keys = list(game.attacks)
    _, buttons = conditions(game, keys, set())
    menus = {
        str(part.attributes["text"]): str(part.attributes["menuItems"])
        for part in buttons
        if "menuItems" in part.attributes
    }
    inputs = inputs_by_name(game, keys)
    telling = [key for key in keys if inputs_by_name(game, [key])]
    assert (len(menus) > 1) == (len(inputs) > MAX_VALUES and len(telling) > 1)
    if len(menus) > 1:
        assert len(menus) == 1 + len(telling)


def test_players_choose_a_side_or_what_the_pack_calls_them(game: Game) -> None:
    roster = [
        entry.text for roster_element in open_built_module(game).elements("PlayerRoster") for entry in roster_element
    ]
    sides = [side.name for side in game.sides.values()]
    other_players = ["Jordanian", "Syrian"] if game.id == "arab_israeli_wars" else []
    assert roster == [*(game.card.players or sides), *other_players, "Solitaire"], "S-3 is fought by others"
    # What only one side sees needs a player of that side.
    assert not (game.card.fog and game.card.players)
    if game.id == "six_day_war":
        assert roster[:2] == ["Sinai Front player", "Eastern Front player"]


def test_no_window_opens_over_toolbar_or_chat(game: Game) -> None:
    """The engine opens each window 30 pixels below the one before: nine places are taken before the first, without a button."""
    module = open_built_module(game)
    parts = [*module.root.iter()]
    positions = [
        i
        for i, part in enumerate(parts)
        if part.tag.endswith(".Inventory") and part.get("name", "").startswith("Place ")
    ]
    first = next(i for i, part in enumerate(parts) if part.tag.endswith((".Map", ".PrivateMap")))
    assert len(positions) >= 9 and max(positions) < first
    assert not any(parts[i].get("text") or parts[i].get("icon") for i in positions)


def test_the_set_up_opens_as_a_scenario_begins_and_not_again(game: Game) -> None:
    """The engine does what is for the start of a game only when a set-up begins, never as it loads a save (tests.engine.beginning)."""
    starts = list(open_built_module(game).elements("StartupGlobalKeyCommand"))
    assert [part.get("whenToApply") for part in starts] == [
        "startOfGameOnly",
        "everyLaunchOfSession",
        "everyLaunchOfSession",
    ]
    show_key = next(part for part in open_built_module(game).elements("Map") if part.get("mapName") == "Set-up").get(
        "showKey"
    )
    buttons = {part.get("hotkey"): part for part in open_built_module(game).elements("DoActionButton")}
    begin = buttons[starts[0].get("globalHotkey")]
    opens = buttons[begin.get("hotkeys", "").replace("\\", "")]
    assert show_key is not None and show_key in opens.get("hotkeys", "").replace("\\", "")
    assert opens.get("loopType") == "counted" and opens.get("loopCount") == "{Waiting>0?1:0}"


def test_the_set_up_opens_for_every_scenario_that_has_pieces_in_it(game: Game) -> None:
    """The save says how many pieces lie in the Set-up window; a window beside it isn't counted."""
    files = open_built_module(game).files
    for key in game.scenarios:
        table = play_text(unveil(read_zip(io.BytesIO(files[setup_file(game, key)]), "save")[ENTRY]))
        piece_count = sum(piece.window == SETUP for piece in table.pieces.values())
        assert (key, table.properties[WAITING]) == (key, str(piece_count))


def test_the_chat_says_where_north_is() -> None:
    game = load("arab_israeli_wars")
    texts = {key: welcome(game, key) for key in game.scenarios}
    assert "first player: Syrian" in texts["S-3"] and "Irbid" in texts["S-3"]
    for key, words in texts.items():
        assert ("north is up on the map" in words) == (game.scenario_maps[key].north == "up")
    assert any("to the" in words or "at the bottom" in words for words in texts.values())

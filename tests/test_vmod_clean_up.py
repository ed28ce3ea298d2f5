"""Clean-up of phases: which pieces they touch, which keystroke they send, what a scenario sets for them."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from modgen.vmod.files import keys
from modgen.vmod.pieces import pieces
from modgen.vmod.setups import phase_effects
from modgen.vmod.setups.turns import phases
from scenarios import load, shipped_games
from scenarios.model.game import Game
from scenarios.reading.findings import PackError
from scenarios.unit_view import face_state
from scenarios.vassal.sequence import split
from scenarios.vassal.windows import box_names, box_sheets, map_of
from tests import shared
from tests.packs import copy


@pytest.fixture(scope="module", params=shipped_games())
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


def trait_types(game: Game, piece_id: str) -> list[str]:
    traits = pieces.expand_prototypes(pieces.piece_entry(game, piece_id, "1").traits, shared.prototypes(game))
    return [trait.type for trait in traits]


def test_the_rulebooks_clean_ups() -> None:
    effects_by_game = {
        name: {
            (name_, phase_effects.words(load(name), c)) for _, name_, _, c in phase_effects.all_clean_ups(load(name))
        }
        for name in ("arab_israeli_wars", "yom_kippur", "musketeer", "six_day_war")
    }
    aiw = effects_by_game["arab_israeli_wars"]
    assert ("First Player Fire Phase: Remove SPOTTED markers", "no longer spotted") in aiw
    face_up = "no longer inverted, except units that are dispersed"
    assert ("Second Player Movement Phase: Face up", face_up) in aiw
    assert ("First Player Fire Phase: Recovery", "no longer dispersed") in aiw
    assert ("Egyptian Turn: Egyptian Clean Up Phase", "no longer disorganized") in effects_by_game["yom_kippur"]
    assert ("First Operational Impulse: Refit Phase", "no longer used") in effects_by_game["musketeer"]
    assert ("Israeli Sinai Front Strike Phase: Return", "back to Sinai: available") in effects_by_game["six_day_war"]


def test_a_clean_up_sends_what_its_pieces_hear(game: Game) -> None:
    zones = {tray.name for sheet in box_sheets(game, map_of(game)) for tray in sheet.trays}
    clean_ups = list(phase_effects.all_clean_ups(game))
    assert clean_ups
    for _, name, _, clean_up in clean_ups:
        assert name in phases(game)
        stroke = phase_effects.clean_up_key(game, clean_up)
        if clean_up.to:
            target_keys = [key for key, unit in game.units.items() if {key, unit.class_} & set(clean_up.of)]
            target_keys += [key for key in game.markers if key in clean_up.of]
            assert target_keys
            assert {box_names(game)[box] for box in (*clean_up.from_, clean_up.to)} <= zones
            for key in target_keys:
                sends = [split(t, ";") for t in trait_types(game, key) if t.startswith("sendto;")]
                assert [box_names(game)[clean_up.to]] == [fields[15] for fields in sends if fields[2] == stroke]
        elif stroke == keys.FLIP:
            assert any(face_state(game, unit) == clean_up.clear for unit in game.units.values())
        else:
            unit = next(iter(game.units))
            heard = [
                split(t, ";")[19] for t in trait_types(game, unit) if t.startswith("emb2;") and stroke in split(t, ";")
            ]
            assert heard == [clean_up.clear]


def test_a_clean_up_touches_only_its_phase_side_and_state() -> None:
    aiw = load("arab_israeli_wars")
    conditions = {
        (sequence, name): phase_effects.condition(aiw, sequence, name, phase, clean_up)
        for sequence, name, phase, clean_up in phase_effects.all_clean_ups(aiw)
    }
    basic = conditions["basic", "First Player Movement Phase: Face up"]
    standard = conditions["standard", "First Player Movement Phase: Face up"]
    assert 'Sequence=="basic"' in basic and "dispersed" not in basic
    assert 'Sequence=="standard"' in standard and "!(dispersed_Active==true)" in standard
    assert 'Phase=="First Player Movement Phase: Face up"' in basic
    assert 'String.valueOf(FirstNations).contains("|"+nation+"|")' in basic
    assert '(Face_Level==2&&face_state=="inverted")' in basic
    yom_kippur = load("yom_kippur")
    clean_up_conditions = [
        phase_effects.condition(yom_kippur, *effect) for effect in phase_effects.all_clean_ups(yom_kippur)
    ]
    assert any(
        'side=="egyptian"' in condition and "(disorganized_Active==true)" in condition
        for condition in clean_up_conditions
    )


def test_a_scenario_says_who_is_first() -> None:
    game = load("arab_israeli_wars")
    properties = dict(phase_effects.set_for(game, game.scenarios["B-1"]))
    assert properties["Sequence"] == "basic"
    assert "|egypt|" in properties["FirstNations"] and properties["SecondNations"] == "|israel|"
    arabs = dict(phase_effects.set_for(game, game.scenarios["S-3"]))
    assert (arabs["FirstNations"], arabs["SecondNations"]) == ("|syria|", "|jordan|")


def test_the_tracker_and_the_button_run_them(game: Game) -> None:
    root = ElementTree.fromstring(shared.module(game).files["buildFile.xml"])
    expected_keys = [phase_effects.own_key(number) for number in range(len(list(phase_effects.all_clean_ups(game))))]
    assert [
        part.get("buttonHotkey") for part in root.iter() if part.get("buttonHotkey") in expected_keys
    ] == expected_keys
    runner = next(part for part in root.iter("VASSAL.build.module.DoActionButton") if part.get("hotkey") == keys.GO)
    assert split(runner.get("hotkeys", ""), ",") == expected_keys
    hotkeys = list(root.iter("VASSAL.build.module.turn.TurnGlobalHotkey"))
    assert [part.get("hotkey") for part in hotkeys[:2]] == [keys.GO, ""]
    buttons = [part for part in root.iter() if part.get("hotkey") == keys.CLEAN_UP_KEY]
    assert len(buttons) == 1 and buttons[0].get("hotkeys") == keys.GO.replace(",", "\\,")


def test_a_clean_up_that_names_nothing_is_a_finding(tmp_path: Path) -> None:
    folder = copy(tmp_path)
    path = next(path for path in folder.rglob("*.yaml") if "\nsequence:" in path.read_text(encoding="utf-8"))
    text = path.read_text(encoding="utf-8")
    assert "{id: " in text
    place = text.index("{id: ", text.index("\nsequence:"))
    broken_text = text[:place] + "{clean_up: [{clear: tierd}, {from: [nowhere], to: nowhere}], " + text[place + 1 :]
    path.write_text(broken_text, encoding="utf-8")
    with pytest.raises(PackError) as error:
        load(folder)
    assert "there is no state 'tierd'" in str(error.value)
    assert "nowhere" in str(error.value)

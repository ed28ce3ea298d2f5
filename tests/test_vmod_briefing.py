"""Every scenario is in the module in words: in the notes of its set-up, and as a page of a window."""

from __future__ import annotations

import io
from xml.etree import ElementTree

import pytest

from art.charts import referred
from modgen.vmod import keys, pieces
from modgen.vmod.briefing import NOTES, WIDE, file, note
from modgen.vmod.faces import face_state, loose_states, lower, short
from modgen.vmod.places import ground_under
from modgen.vmod.reports import sentences
from modgen.vmod.stacking import stacking
from modgen.vmod.turns import turn_number
from scenarios import load, shipped
from scenarios.game import Game
from scenarios.vassal.archive import read_save
from scenarios.vassal.commands import whole
from scenarios.vassal.sequence import split
from scenarios.vassal.windows import prefix
from tests import shared
from tests.bsh import Scope, evaluated


@pytest.fixture(scope="module", params=shipped())
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


def test_a_card_tells_what_the_pack_does(game: Game) -> None:
    for key, held in game.scenarios.items():
        told = note(game, key)
        lines = split(told.removeprefix(NOTES), "|")
        text = " ".join(line.strip() for line in lines)
        sides = game.sides_in(held)
        assert lines[0] == held.title.upper()
        assert "\t" not in text and "\n" not in told and all(len(line) <= WIDE or " " not in line.strip() for line in lines[1:])
        for side in (held.first, held.sets_up_first):
            assert side not in sides or sides[side].name in text
        for special in held.special:
            assert " ".join(referred(game, special.text).split()) in text
        for nation, level in held.morale.items():
            assert f"{game.nations[nation].name} {level}" in text
        for force in held.forces.values():
            for group in force.groups:
                for unit, count in group.units.items():
                    name = game.units[unit].name
                    assert (f"{count} x " in text if count > 1 else True) and name in text
            for one in force.support:
                assert f"Off the map: {one.count} × {one.name}" in text


def test_the_module_has_the_cards(game: Game) -> None:
    parts = shared.module(game)
    root = ElementTree.fromstring(parts.files["buildFile.xml"])
    charts = [part.get("fileName") for part in root.iter("VASSAL.build.widget.HtmlChart")]
    assert charts == [file(game, key) for key in game.scenarios]
    for key, held in game.scenarios.items():
        page = ElementTree.fromstring(parts.files[file(game, key)])
        assert page.findtext("body/h1") == held.title
    saves = [content for name, content in parts.files.items() if name.endswith(".vsav")]
    assert len(saves) == len(game.scenarios)
    for content, key in zip(saves, game.scenarios, strict=True):
        assert note(game, key).split("|")[0] in read_save(io.BytesIO(content))[0]  # type: ignore[arg-type]


def test_the_viewer_names_the_terrain_of_an_empty_hex(game: Game) -> None:
    said = ground_under(game)
    assert bool(said) == (bool(game.boards) and game.id != "yom_kippur"), "hex 4.10 would be told as 4.1"
    for key, board in game.boards.items() if said else ():
        for hex in board.grid.hexes[::23]:
            name = prefix(game, key) + board.grid.name(hex)
            kind = board.terrain.get(hex) or next(iter(game.terrain))
            told = evaluated(said[1:-1], Scope({"LocationName": name, "Scenario": "-"}))
            assert told == f"{name}: {game.terrain[kind].name}"


def told_by(game: Game, unit: str, stroke: str, now: dict[str, str]) -> list[str]:
    """What the chat says as a unit hears a keystroke: its reports, and what the window makes of them."""
    traits = pieces.expanded(pieces.piece(game, unit, "1").traits, shared.prototypes(game))
    words = {"LocationName": "here", "newPieceName": "It (so)", "Selected": "false", "OldLocationName": "there"} | now
    lines = []
    for fields in (split(one.type, ";") for one in traits if one.type.startswith("report;")):
        if stroke in split(fields[1], ","):
            message = evaluated(fields[2][1:-1], Scope(words)) if fields[2].startswith("{") else fields[2]
            window = sentences(stacking(game), turn_number(game))
            lines.append(evaluated(window[1:-1], Scope(words | {"message": message})) if message else "")
    return [line for line in lines if line]


def test_a_flip_tells_the_factors_that_count_now(game: Game) -> None:
    for unit in [*game.units][::7]:
        held = game.units[unit]
        words = {"Short": short(game, held), "ShortBack": short(game, held, "back") if held.back is not None else ""}
        told = [told_by(game, unit, keys.FLIP, words | {"Face_Level": level}) for level in ("2", "1")]
        state = face_state(game, held)
        name = lower(game.states[state].name) if state in game.states else "its back"
        changed = held.back is not None and words["Short"] != words["ShortBack"]
        factors = (f": now {words['ShortBack']}, was {words['Short']}", f": {words['Short']} again") if changed else ("", "")
        assert told == [[f"here: It flips to {name}{factors[0]}"], [f"here: It flips back to its front{factors[1]}"]]


def test_the_factors_of_a_concealed_piece_are_not_told(game: Game) -> None:
    unit = next(iter(game.units))
    words = {"newPieceName": "concealed piece", "Short": "5-5", "ShortBack": "3-3", "Face_Level": "2"}
    (line,) = told_by(game, unit, keys.FLIP, words)
    assert line.startswith("here: concealed piece flips to ") and "3-3" not in line


def test_every_state_is_told_as_it_is_put_on_and_taken_off(game: Game) -> None:
    unit = next(iter(game.units))
    for number, state in enumerate(loose_states(game)):
        name = game.states[state].name
        for active, words in (("true", "is marked"), ("false", "is no longer marked")):
            told = told_by(game, unit, keys.state_key(number), {f"{state}_Active": active, "menuCommand": name})
            assert [line.lower() for line in told] == [f"here: it {words} {name.lower()}"]


def test_a_loss_and_a_return_name_both_places(game: Game) -> None:
    unit = next(iter(game.units))
    assert told_by(game, unit, keys.ELIMINATE, {"CurrentMap": "Tracks"}) == ["It is lost in there, to here"]
    assert told_by(game, unit, keys.BACK, {"CurrentMap": "Main Map"}) == ["It is back in here, from there"]


def test_a_piece_that_comes_before_its_turn_is_told() -> None:
    game = load("yom_kippur")
    unit, coming = next(iter(game.units)), {"Enters": "Turn 5, in Entry Area A", "OldMap": "Reinforcements", "StackPos": "2"}
    assert told_by(game, unit, keys.ARRIVED, coming | {"TurnNumber": "4"}) == ["here: It is early: Turn 5, in Entry Area A"]
    assert not told_by(game, unit, keys.ARRIVED, coming | {"TurnNumber": "5"})
    assert not told_by(game, unit, keys.ARRIVED, coming | {"TurnNumber": "4", "OldMap": "Main Map"})


def test_copies_of_a_counter_fit_the_packers_window(game: Game) -> None:
    """A save has two characters for each; beyond 32 KB the packer doesn't find the last copy again, and saves grow fivefold."""
    known = shared.prototypes(game)
    for unit in game.units:
        traits = pieces.expanded(pieces.piece(game, unit, "1").traits, known)
        assert 2 * len(whole([one.type for one in traits])) + 2 * len(whole([one.state for one in traits])) < 32_000, unit

"""Every scenario is in the module in words: in the notes of its set-up, and as a page of a window."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from art.charts.charts import number_rulings
from modgen.vmod.battle.places import ground_under
from modgen.vmod.pieces import pieces
from modgen.vmod.text.briefing import NOTES, PAGE_WIDTH, file, note
from scenarios import load, shipped_games
from scenarios.model.game import Game
from scenarios.model.points import PointMap
from scenarios.vassal.archive import read_save
from scenarios.vassal.commands import join_traits
from scenarios.vassal.sequence import split
from scenarios.vassal.windows import prefix
from tests import shared
from tests.bsh import Scope, evaluate_text


@pytest.fixture(scope="module", params=shipped_games())
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


def test_a_card_tells_what_the_pack_does(game: Game) -> None:
    for key, scenario in game.scenarios.items():
        note_text = note(game, key)
        lines = split(note_text.removeprefix(NOTES), "|")
        text = " ".join(line.strip() for line in lines)
        sides = game.sides_in(scenario)
        assert lines[0] == scenario.title.upper()
        assert (
            "\t" not in text
            and "\n" not in note_text
            and all(len(line) <= PAGE_WIDTH or " " not in line.strip() for line in lines[1:])
        )
        for side in (scenario.first, scenario.sets_up_first):
            assert side not in sides or sides[side].name in text
        for special in scenario.special:
            assert " ".join(number_rulings(game, special.text).split()) in text
        for nation, level in scenario.morale.items():
            assert f"{game.nations[nation].name} {level}" in text
        for force in scenario.forces.values():
            for group in force.groups:
                for unit, count in group.units.items():
                    name = game.units[unit].name
                    assert (f"{count} x " in text if count > 1 else True) and name in text
            for support in force.support:
                assert f"Off the map: {support.count} × {support.name}" in text


def test_the_module_has_the_cards(game: Game, tmp_path: Path) -> None:
    parts = shared.module(game)
    root = ElementTree.fromstring(parts.files["buildFile.xml"])
    charts = [part.get("fileName") for part in root.iter("VASSAL.build.widget.HtmlChart")]
    assert charts == [file(game, key) for key in game.scenarios]
    for key, scenario in game.scenarios.items():
        page = ElementTree.fromstring(parts.files[file(game, key)])
        assert page.findtext("body/h1") == scenario.title
    saves = [content for name, content in parts.files.items() if name.endswith(".vsav")]
    assert len(saves) == len(game.scenarios)
    for content, key in zip(saves, game.scenarios, strict=True):
        (tmp_path / "start.vsav").write_bytes(content)
        assert note(game, key).split("|")[0] in read_save(tmp_path / "start.vsav")[0]


def test_the_viewer_names_the_terrain_of_an_empty_place(game: Game) -> None:
    expression = ground_under(game)
    assert expression
    for table in game.maps.values():
        for point in table.points.values() if isinstance(table, PointMap) else ():
            text = evaluate_text(expression[1:-1], Scope({"LocationName": point.name, "Scenario": "-"}))
            assert text == f"{point.name}: {game.terrain[point.terrain].name}"
    for key, board in game.boards.items() if expression else ():
        for hex in board.grid.hexes[::23]:
            name = prefix(game, key) + board.grid.name(hex)
            kind = board.terrain.get(hex) or next(iter(game.terrain))
            location_name = (
                str(float(name)) if re.fullmatch(r"[0-9]+\.[0-9]+", name) else name
            )  # the engine makes 4.1 of hex 4.10
            text = evaluate_text(expression[1:-1], Scope({"LocationName": location_name, "Scenario": "-"}))
            assert text == f"{name}: {game.terrain[kind].name}"


def test_copies_of_a_counter_fit_the_packers_window(game: Game) -> None:
    """A save has two characters for each; beyond 32 KB the packer doesn't find the last copy again, and saves grow fivefold."""
    prototypes = shared.prototypes(game)
    for unit in game.units:
        traits = pieces.expand_prototypes(pieces.piece_entry(game, unit, "1").traits, prototypes)
        assert (
            2 * len(join_traits([trait.type for trait in traits]))
            + 2 * len(join_traits([trait.state for trait in traits]))
            < 32_000
        ), unit

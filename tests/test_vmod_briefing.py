"""Every scenario is in the module in words: in the notes of its set-up, and as a page of a window."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from art.charts import referred
from modgen.vmod import pieces
from modgen.vmod.briefing import NOTES, WIDE, file, note
from modgen.vmod.places import ground_under
from scenarios import load, shipped
from scenarios.game import Game
from scenarios.points import PointMap
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
        assert (
            "\t" not in text
            and "\n" not in told
            and all(len(line) <= WIDE or " " not in line.strip() for line in lines[1:])
        )
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


def test_the_module_has_the_cards(game: Game, tmp_path: Path) -> None:
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
        (tmp_path / "start.vsav").write_bytes(content)
        assert note(game, key).split("|")[0] in read_save(tmp_path / "start.vsav")[0]


def test_the_viewer_names_the_terrain_of_an_empty_place(game: Game) -> None:
    said = ground_under(game)
    assert said
    for table in game.maps.values():
        for point in table.points.values() if isinstance(table, PointMap) else ():
            told = evaluated(said[1:-1], Scope({"LocationName": point.name, "Scenario": "-"}))
            assert told == f"{point.name}: {game.terrain[point.terrain].name}"
    for key, board in game.boards.items() if said else ():
        for hex in board.grid.hexes[::23]:
            name = prefix(game, key) + board.grid.name(hex)
            kind = board.terrain.get(hex) or next(iter(game.terrain))
            given = (
                str(float(name)) if re.fullmatch(r"[0-9]+\.[0-9]+", name) else name
            )  # the engine makes 4.1 of hex 4.10
            told = evaluated(said[1:-1], Scope({"LocationName": given, "Scenario": "-"}))
            assert told == f"{name}: {game.terrain[kind].name}"


def test_copies_of_a_counter_fit_the_packers_window(game: Game) -> None:
    """A save has two characters for each; beyond 32 KB the packer doesn't find the last copy again, and saves grow fivefold."""
    known = shared.prototypes(game)
    for unit in game.units:
        traits = pieces.expanded(pieces.piece(game, unit, "1").traits, known)
        assert 2 * len(whole([one.type for one in traits])) + 2 * len(whole([one.state for one in traits])) < 32_000, (
            unit
        )

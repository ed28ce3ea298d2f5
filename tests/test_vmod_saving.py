"""`modgen save`: a position becomes a save, and reading the save gives the position back."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from modgen.cli import cli
from modgen.vmod.files.lock import CannotBuild
from modgen.vmod.setups.saving import position_save
from scenarios import load, shipped_games
from scenarios.areas.resolving import Location
from scenarios.model.maps import HexMap
from scenarios.model.position import Position, from_scenario
from scenarios.opening_positions import open_position, write_position
from scenarios.pack.pack_folder import samples
from tests.asking import run_command


def draw_position(game_id: str, seed: int) -> Position:
    """A scenario's start with pieces moved about, marked and taken off, on a later turn."""
    game, chance = load(game_id), random.Random(seed)
    key = chance.choice(sorted(game.scenarios))
    start, map = from_scenario(game, key), game.scenario_maps[key]
    places: list[Location] = [*sorted(map.hexes)] if isinstance(map, HexMap) else [*sorted(map.points)]
    pieces = []
    for piece in start.pieces:
        if chance.random() < 0.1:
            continue
        if chance.random() < 0.5:
            piece = piece._replace(at=chance.choice(places))
        unit = game.units.get(piece.unit)
        if unit is not None and unit.back is not None and unit.back_state in game.states and chance.random() < 0.3:
            piece = piece._replace(states=piece.states | {unit.back_state}, steps_lost=0)
        pieces.append(piece)
    return Position(game.id, key, min(start.turn + 2, 3), "", tuple(pieces))


def position_facts(position: Position) -> object:
    return (
        position.scenario,
        position.turn,
        sorted((p.unit, p.copy, str(p.at), sorted(p.states), p.nation) for p in position.pieces),
    )


@pytest.mark.parametrize("game_id", [*shipped_games(), "ridge", "island"])
@pytest.mark.parametrize("seed", range(3))
def test_a_save_reads_back_as_the_position(game_id: str, seed: int, tmp_path: Path) -> None:
    game, position = load(game_id), draw_position(game_id, seed)
    file = tmp_path / "game.vsav"
    file.write_bytes(position_save(game, position))
    assert position_facts(open_position(game, file)) == position_facts(position)


@pytest.mark.slow
def test_every_start_can_be_saved(tmp_path: Path) -> None:
    for game_id in (*shipped_games(), *samples()):
        game = load(game_id)
        for key in game.scenarios:
            if (game.folder / "module.lock.json").exists():
                (tmp_path / "game.vsav").write_bytes(position_save(game, from_scenario(game, key)))
                assert position_facts(open_position(game, tmp_path / "game.vsav")) == position_facts(
                    from_scenario(game, key)
                ), key


def test_the_command_writes_beside_the_position_and_says_what_it_wrote(tmp_path: Path) -> None:
    game = load("yom_kippur")
    position = tmp_path / "mine.yaml"
    write_position(game, draw_position("yom_kippur", 7), position)
    answer = run_command(cli, "save", "yom_kippur", str(position))
    assert answer.exit_code == 0, answer.output
    assert (tmp_path / "mine.vsav").exists()
    assert "mine.vsav" in answer.output and "pieces" in answer.output
    second_result = run_command(cli, "save", "yom_kippur", str(tmp_path / "mine.vsav"))
    assert second_result.exit_code == 2 and "--out" in second_result.output


def test_a_place_that_the_module_lacks_is_a_sentence() -> None:
    game = load("yom_kippur")
    start = from_scenario(game, "4.5")
    astray = Position(game.id, "4.5", 1, "", (start.pieces[0]._replace(at="box:nowhere"),))
    with pytest.raises(CannotBuild, match="has no such place"):
        position_save(game, astray)
    with pytest.raises(CannotBuild, match="has no scenario"):
        position_save(game, Position(game.id, "9.9"))

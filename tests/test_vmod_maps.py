"""A game with several maps: each has its boxes, tracks, pools and piles in the module."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from modgen.cache import Cache
from modgen.vmod.check.verify import verify_module
from modgen.vmod.files.loaded_module import LoadedModule, open_module
from modgen.vmod.files.lock import Lock
from modgen.vmod.files.module import module_bytes
from modgen.vmod.pieces.losses import piles, taken_out
from modgen.vmod.setups.setups import setup_file
from scenarios import load
from scenarios.model.game import Game
from scenarios.model.position import from_scenario
from scenarios.vassal.archive import ENTRY, read_zip, unveil
from scenarios.vassal.reading import read_position
from scenarios.vassal.windows import BOXES, map_of

PACK = """source: {mine: all}
game: {id: two_maps, title: Two maps, release: 2026-11-16}
sides: {red: Red, blue: Blue}
nations:
  red: {name: Red, side: red, colors: {fill: "#cc3333", ink: "#ffffff"}}
  blue: {name: Blue, side: blue, colors: {fill: "#3333cc", ink: "#ffffff"}}
terrain: {clear: {name: Clear, mark: ".", color: "#eeeeaa"}}
factors: {attack: {name: Attack}}
types: {foot: Foot}
classes: {foot: Foot}
counters:
  guard: {name: Guard, class: foot, type: foot, factors: {attack: 3}, variants: {red: {count: 2}, blue: {count: 2}}}
markers: {ace: {name: Ace, count: 2}}
maps:
  day:
    name: Day
    points: {x: {name: X, terrain: clear, at: [2, 2]}, y: {name: Y, terrain: clear, at: [6, 2]}}
    boxes: {lost: {name: Fallen by day, kind: dead}, cards: {name: Cards, kind: pool}}
    tracks: {clock: {name: Clock, first: 1, last: 3, turns: true}}
  night:
    name: Night
    points: {v: {name: V, terrain: clear, at: [2, 2]}, w: {name: W, terrain: clear, at: [6, 2]}}
    boxes: {lost: {name: Fallen by night, kind: dead}, camp: {name: Camp}}
turns: {count: 3}
scenarios:
  noon:
    title: Noon
    map: day
    turns: {first: 1, last: 3}
    forces:
      red: {groups: [{units: {guard_red: 1}, at: x}, {units: {guard_red: 1}, enters: {turn: 2, at: x}}]}
      blue: {groups: [{units: {guard_blue: 1}, markers: {ace: 2}, at: {box: cards}}]}
  midnight:
    title: Midnight
    map: night
    turns: {first: 1, last: 3}
    forces:
      red: {groups: [{units: {guard_red: 1}, at: v}, {units: {guard_red: 1}, enters: {turn: 2, at: v}}]}
      blue: {groups: [{units: {guard_blue: 2}, at: {box: camp}}]}
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("two_maps")
    (folder / "game.yaml").write_text(PACK, "utf-8")
    return load(folder)


@pytest.fixture(scope="module")
def module(game: Game, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoadedModule]:
    path = Path(tmp_path_factory.mktemp("module")) / "two_maps.vmod"
    path.write_bytes(module_bytes(game, Lock(), Cache(None), pool=False))
    assert not verify_module(path, game)["problems"]
    yield open_module(path)


def test_each_map_has_a_board_of_its_own_boxes(module: LoadedModule) -> None:
    window = next(part for part in module.elements("Map") if part.get("mapName") == BOXES)
    zones = {
        board.get("name"): {zone.get("name") for zone in board.iter() if zone.tag.endswith(".Zone")}
        for board in window.iter()
        if board.tag.endswith(".Board")
    }
    assert {"Fallen by day", "Cards", "Clock 1", "Clock 2", "Clock 3"} <= zones["Boxes"]
    assert {"Fallen by night", "Camp"} <= zones["Boxes night"]
    assert not {"Camp", "Fallen by night"} & zones["Boxes"]
    piles_drawn = [part.get("owningBoard") for part in module.elements("DrawPile")]
    assert piles_drawn == ["Boxes"]


def test_a_set_up_has_the_boxes_of_its_map_and_reads_back(game: Game, module: LoadedModule) -> None:
    for key in game.scenarios:
        text = unveil(read_zip(io.BytesIO(module.files[setup_file(game, key)]), "save")[ENTRY])
        expected_position, actual_position = from_scenario(game, key), read_position(game, text)
        piece_lists = [
            sorted((piece.unit, piece.copy, str(piece.at)) for piece in position.pieces)
            for position in (actual_position, expected_position)
        ]
        assert piece_lists[0] == piece_lists[1]
        board = "Boxes night" if key == "midnight" else "Boxes"
        assert f"{BOXES}BoardPicker\t{board}" in text.replace("\\", "")


def test_a_lost_piece_goes_to_the_dead_box_of_the_scenarios_map(game: Game) -> None:
    assert piles(game, "guard_red") == {"day": ["Fallen by day"], "night": ["Fallen by night"]}
    send_trait = next(trait.type for trait in taken_out(game, "guard_red") if trait.type.startswith("sendto;Eliminate"))
    assert '"noon".equals(GetString("Scenario"))?"Fallen by day":"Fallen by night"' in send_trait.replace("\\", "")
    assert {map_of(game, key).id for key in game.scenarios} == {"day", "night"}  # type: ignore[union-attr]

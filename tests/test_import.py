"""`modgen import FILE.vmod --to DIR`: somebody's module as a pack, by what the engine's formats mean."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from modgen.cache import Cache
from modgen.cli import cli as modgen
from modgen.importing.faces import looks
from modgen.importing.hexes import fit, read_grid
from modgen.importing.pictures import Pictures
from modgen.vmod.check.verify import verify_module
from modgen.vmod.files.locked_build import make_module
from scenarios import load
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.model.position import format_location, from_scenario
from scenarios.pack.pack_folder import SAMPLES
from scenarios.vassal.commands import Trait
from tests.asking import run_command
from tests.vassal_module import (
    GRID,
    MODULE,
    board,
    element,
    layer,
    mark,
    module,
    picture,
    piece,
    piece_command,
    prototype,
    prototype_definition,
    regions,
    roster,
    save,
    setup,
    slot,
    stack,
    window,
    zone,
)


def import_module(path: Path, folder: Path) -> dict[str, Any]:
    """Import a module; the pack must check."""
    result = run_command(modgen, "import", path, "--to", folder, "--json")
    assert result.exit_code == 0, result.output
    assert run_command(modgen, "check", folder).exit_code == 0, run_command(modgen, "check", folder).output
    report: dict[str, Any] = json.loads(result.stdout)
    return report


IMAGES = {f"images/{color}.png": picture(color) for color in ("red", "blue", "green", "white", "clear")}
IMAGES |= {"images/map.png": picture("khaki", (600, 400)), "images/other.jpg": picture("beige", (500, 300), "JPEG")}
IMAGES |= {"images/dot.png": picture("black", (10, 10)), "images/card.gif": picture("pink", (60, 90), "GIF")}
PLACES = regions(("Paris", 100, 100), ("Metz", 300, 120), ("Köln", 480, 300))


def oos(level: int) -> Trait:
    """A badge that can be switched on."""
    return layer(["dot.png"], "Out of supply", level, False, "OOS", 9, 9)


def cadre(path: Path) -> Path:
    """A card-driven game in small: places, two maps, a deck, a hand, turns and a set-up."""
    france = slot(
        "1st Army", prototype("French"), layer(["blue.png", "white.png"], "Steps"), mark(Attack="5"), gpid="11"
    )
    reich = slot("2. Armee", layer(["green.png", "red.png"], "Steps"), mark(Side="German", Attack="4"), gpid="12")
    mask = Trait("obs;77,130;red.png;Mask;I;?;sides:French;Peek;;false;;", "null;")
    cards = [slot(f"Card {n}", mask, gpid=f"2{n}", image="card", kind="CardSlot") for n in (1, 2)]
    machine_slot = slot("Machine", gpid="30", image="clear.png")
    parts = [
        roster("French", "German", "Solitaire"),
        element(MODULE + "PrototypesContainer", prototype_definition("French", mark(Side="French"), oos(-1))),
        element(
            MODULE + "PieceWindow",
            element("VASSAL.build.widget.ListWidget", france, reich, machine_slot, entryName="Armies"),
            name="Pieces",
        ),
        window(
            "Map",
            board("East", "map.png", PLACES),
            board("West", "other.jpg", regions(("Paris", 90, 90), ("Lyon", 200, 200))),
            inside=[stack("Deck", 500, 50, *cards, board="East", kind="DrawPile")],
        ),
        window(
            "French hand", board("Hand", "", zone("Hand", [(0, 0), (300, 0), (300, 100), (0, 100)])), kind="PrivateMap"
        ),
        element(
            MODULE + "turn.TurnTracker",
            element(
                MODULE + "turn.CounterTurnLevel",
                element(MODULE + "turn.ListTurnLevel", name="Phase", list="Move,Fight"),
                name="Turn",
                start="1",
                loop="true",
                loopLimit="20",
            ),
            name="Turn",
        ),
        element(
            MODULE + "ChartWindow",
            element("VASSAL.build.widget.Chart", chartName="Combat", fileName="other.jpg"),
            name="Charts",
        ),
        setup("August", "august.vsav"),
        element("some.body.Own", name="Machine of its own"),
    ]
    commands = [
        piece_command(
            "a",
            piece("1st Army", oos(1), layer(["blue.png", "white.png"], "Steps", 2), gpid="11", position="Map;300;120"),
        ),
        piece_command(
            "b",
            piece("1st Army", oos(-1), layer(["blue.png", "white.png"], "Steps", 1), gpid="11", position="Map;101;99"),
        ),
        piece_command(
            "c", piece("2. Armee", layer(["green.png", "red.png"], "Steps", 1), gpid="12", position="Map;480;300")
        ),
        piece_command("d", piece("Card 1", gpid="21", image="card", position="Map;500;50")),
        piece_command("e", piece("Card 2", gpid="22", image="card", position="French hand;40;40")),
        piece_command("f", piece("Machine", gpid="30", image="clear.png", position="Map;10;10")),
        piece_command("g", piece("Stranger", gpid="77", image="white.png", position="Map;200;390")),
        "MapBoardPicker\tEast\t0\t0",
    ]
    return module(path, *parts, files={**IMAGES, "august.vsav": save(commands)})


@pytest.fixture
def small(tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path / "my_game"
    return folder, import_module(cadre(tmp_path / "a.vmod"), folder)


def pieces_of(game: Game, scenario: str) -> Counter[tuple[str, str, tuple[str, ...]]]:
    """Name, place and states of every piece."""
    table = game.scenario_maps[scenario]
    names = {
        **{key: unit.name for key, unit in game.units.items()},
        **{key: marker.name for key, marker in game.markers.items()},
    }
    return Counter(
        (names[p.unit], format_location(table, p.at), tuple(sorted(p.states)))
        for p in from_scenario(game, scenario).pieces
    )


def test_pieces_maps_sides_turns_and_set_ups(small: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = small
    game = load(folder)
    assert (game.id, game.title) == ("my_game", "Small")
    assert [side.name for side in game.sides.values()] == ["French", "German"]
    assert {
        unit.name: (game.sides[unit.side].name, unit.count, unit.factors["attack"]) for unit in game.units.values()
    } == {
        "1st Army": ("French", 2, 5),
        "2. Armee": ("German", 1, 4),
    }
    assert {game.classes[unit.class_].name for unit in game.units.values()} == {"Armies"}
    assert {marker.name for marker in game.markers.values()} == {"Card 1", "Card 2", "Stranger"}
    assert [point.name for point in game.maps["east"].points.values()][:3] == ["Paris", "Metz", "Köln"]  # type: ignore[union-attr]
    assert {point.name for point in game.maps["west"].points.values()} == {"Paris", "Lyon"}  # type: ignore[union-attr]
    assert game.turns is not None and game.turns.count == 20
    assert [phase.name for phase in game.sequence["standard"].phases] == ["Move", "Fight"]
    (scenario,) = game.scenarios
    assert game.scenarios[scenario].title == "August" and game.scenarios[scenario].map == "east"
    deck, hand, spot = "box:deck", "box:french_hand_hand", "spot_1"
    assert pieces_of(game, scenario) == Counter(
        {
            ("1st Army", "metz", ("flipped", "out_of_supply")): 1,
            ("1st Army", "paris", ()): 1,
            ("2. Armee", "koln", ()): 1,
            ("Card 1", deck, ()): 1,
            ("Card 2", hand, ()): 1,
            ("Stranger", spot, ()): 1,
        }
    )
    assert game.maps["east"].boxes["deck"].kind == "pool"


def test_pictures_of_fronts_backs_and_maps(small: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = small
    game = load(folder)
    army = next(unit for unit in game.units.values() if unit.name == "1st Army")
    assert army.image is not None and (folder / army.image.file).read_bytes() == IMAGES["images/blue.png"]
    assert army.back_image is not None and (folder / army.back_image.file).read_bytes() == IMAGES["images/white.png"]
    card = next(marker for marker in game.markers.values() if marker.name == "Card 1")
    assert card.image is not None and card.image.file.endswith(".png"), "a GIF is made a PNG"
    assert card.back is not None and card.back.image is not None
    assert (folder / card.back.image.file).read_bytes() == IMAGES["images/red.png"], "a mask is the back of a card"
    assert (
        game.maps["east"].image is not None  # type: ignore[union-attr]
        and (folder / game.maps["east"].image.file).read_bytes() == IMAGES["images/map.png"]  # type: ignore[union-attr]
    )


def test_nothing_is_dropped_in_silence(small: tuple[Path, dict[str, Any]]) -> None:
    folder, report = small
    left_out_text = json.dumps(report["left_out"])
    assert "Machine" in left_out_text and "Own" in left_out_text and "Combat" in left_out_text
    assert "Stranger" in json.dumps(report["choices"])
    text = (folder / "IMPORT.md").read_text()
    assert all(reason in text for reason in (*report["left_out"], *report["choices"]))


def test_it_prints_and_builds_and_its_own_set_ups_open(small: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    folder, _ = small
    build_result = run_command(modgen, "build", folder, "--only", "kit", "--only", "module", "--out", tmp_path / "dist")
    assert build_result.exit_code == 0, build_result.output
    path = tmp_path / "dist/my_game/my_game.vmod"
    assert verify_module(path, load(folder))["problems"] == []
    second_folder = tmp_path / "again"
    import_module(path, second_folder)
    imported_game = load(second_folder)
    placements = pieces_of(imported_game, next(iter(imported_game.scenarios)))
    assert placements.keys() >= {("1st Army", "metz", ("flipped", "out_of_supply")), ("2. Armee", "koln", ())}


def hexes_of(game: Game, scenario: str) -> Counter[tuple[str, str]]:
    """Name and hex of every piece on the map."""
    off_map_prefixes = ("box:", "setup:", "turn:")
    return Counter(
        (name, place)
        for name, place, _ in pieces_of(game, scenario).elements()
        if not place.startswith(off_map_prefixes)
    )


@pytest.mark.parametrize("name", ["two_wells", "corps", "ridge"])
def test_our_own_modules_come_back_with_the_same_pieces_in_the_same_hexes(name: str, tmp_path: Path) -> None:
    game = load(shutil.copytree(SAMPLES / name, tmp_path / name))
    path = tmp_path / "own.vmod"
    path.write_bytes(make_module(game, Cache(None), pool=False))
    import_module(path, tmp_path / "back")
    imported_game = load(tmp_path / "back")
    assert len(imported_game.scenarios) == len(game.scenarios)
    for old_scenario, new_scenario in zip(game.scenarios, imported_game.scenarios, strict=True):
        pieces = from_scenario(game, old_scenario).pieces
        assert len(from_scenario(imported_game, new_scenario).pieces) == len(pieces)
        assert {place for _, place in hexes_of(imported_game, new_scenario)} == {
            place for _, place in hexes_of(game, old_scenario)
        }
    table, original_map = next(iter(imported_game.maps.values())), next(iter(game.maps.values()))
    assert isinstance(table, HexMap) and isinstance(original_map, HexMap)
    assert {table.name(hex) for hex in table.hexes} == {original_map.name(hex) for hex in original_map.hexes}


@pytest.mark.slow
def test_yom_kippur_comes_back(tmp_path: Path) -> None:
    game = load("yom_kippur")
    path = tmp_path / "own.vmod"
    assert run_command(modgen, "build", "yom_kippur", "--only", "module", "--out", tmp_path).exit_code == 0
    path = tmp_path / "yom_kippur/yom_kippur.vmod"
    import_module(path, tmp_path / "back")
    imported_game = load(tmp_path / "back")
    assert [*imported_game.scenarios] == [*game.scenarios]
    for key in game.scenarios:
        assert Counter(place for _, place in hexes_of(imported_game, key).elements()) == Counter(
            place for _, place in hexes_of(game, key).elements()
        )


NUMBERINGS = [
    # attributes of the numbering, and by hand the names of the hexes with their centres at (50, 50), (50, 110), (102, 80), (154, 50)
    ({"first": "H", "sep": "", "hType": "N", "vType": "N", "hOff": 1, "vOff": 1, "hLeading": 1, "vLeading": 1, "stagger": "false"},
     ["0101", "0102", "0201", "0301"]),
    ({"first": "H", "sep": "", "hType": "N", "vType": "N", "hOff": 1, "vOff": 1, "hLeading": 1, "vLeading": 1, "stagger": "true"},
     ["0101", "0102", "0202", "0301"]),
    ({"first": "V", "sep": ".", "hType": "N", "vType": "N", "hOff": 5, "vOff": 3, "hLeading": 1, "vLeading": 0, "stagger": "false"},
     ["3.05", "4.05", "3.06", "3.07"]),
    ({"first": "H", "sep": "-", "hType": "A", "vType": "N", "hOff": 0, "vOff": 1, "hLeading": 0, "vLeading": 0, "stagger": "false"},
     ["A-1", "A-2", "B-1", "C-1"]),
    # Rows from the bottom: the engine takes the highest row from the height over the distance of columns: 360 / 52 + 1/2 = 7.
    ({"first": "H", "sep": "", "hType": "N", "vType": "N", "hOff": 1, "vOff": 0, "hLeading": 1, "vLeading": 1, "stagger": "false",
      "vDescend": "true"}, ["0107", "0106", "0207", "0307"]),
]  # fmt: skip


@pytest.mark.parametrize(("attributes", "names"), NUMBERINGS)
def test_hexes_are_called_what_the_engine_calls_them(attributes: dict[str, Any], names: list[str]) -> None:
    from xml.etree import ElementTree

    numbering = element(GRID + "mapgrid.HexGridNumbering", **attributes)
    grid = read_grid(
        ElementTree.fromstring(element(GRID + "HexGrid", numbering, x0=50, y0=50, dx=52, dy=60, sideways="false")),
        (400, 360),
    )
    assert grid is not None
    spots = [(50, 50), (50, 110), (102, 80), (154, 50)]
    cell_names = grid.names()
    assert [cell_names[grid.cell(x, y)] for x, y in spots] == names
    fitted_grid = fit(grid)
    assert fitted_grid is not None
    if attributes["stagger"] == "false":
        assert (
            fitted_grid.has_names
            and [fitted_grid.prefix + fitted_grid.grid.name(fitted_grid.by_cell()[grid.cell(x, y)]) for x, y in spots]
            == names
        )


def test_a_sideways_grid_has_pointy_hexes() -> None:
    from xml.etree import ElementTree

    attributes: dict[str, Any] = {
        "first": "V",
        "sep": "",
        "hType": "N",
        "vType": "N",
        "hOff": 1,
        "vOff": 1,
        "hLeading": 1,
        "vLeading": 1,
        "stagger": "false",
    }
    numbering = element(GRID + "mapgrid.HexGridNumbering", **attributes)
    grid = read_grid(
        ElementTree.fromstring(element(GRID + "HexGrid", numbering, x0=50, y0=50, dx=52, dy=60, sideways="true")),
        (360, 400),
    )
    fitted_grid = fit(grid) if grid is not None else None
    assert (
        grid is not None
        and fitted_grid is not None
        and fitted_grid.has_names
        and fitted_grid.grid.orientation == "pointy"
    )
    # The first row is at y = 50, the second half a hex further right at y = 102.
    assert grid.spot(grid.cell(50, 50)) == (50, 50) and grid.spot(grid.cell(79, 103)) == (80, 102)


def test_layers_over_each_other_are_one_picture() -> None:
    pictures = Pictures(IMAGES)
    number = layer(["dot.png"], "Number", x=10, y=-10)
    appearance = looks(piece("x", number, layer(["blue.png", "red.png"], "Side"), image="green.png").traits, pictures)
    assert [part.picture for part in appearance.front.parts] == ["blue.png", "dot.png"], (
        "what lies under a picture as large isn't seen"
    )
    assert [part.picture for part in appearance.back.parts] == ["red.png", "dot.png"]
    flip = looks(piece("x", layer(["red.png"], "Flip", -1, False, "Flip"), image="green.png").traits, pictures)
    assert [part.picture for part in flip.front.parts] == ["green.png"] and [
        part.picture for part in flip.back.parts
    ] == ["red.png"]
    badge = looks(piece("x", layer(["dot.png"], "Dug in", -1, False, "Dig"), image="green.png").traits, pictures)
    assert not badge.back.parts and badge.turns is None

"""`modgen build --only tabletop` and `--only tts`: what is on the table of others is what the pack says."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from modgen.cli import cli
from scenarios import load
from scenarios.model.hexes import Hex, distance
from scenarios.model.maps import HexMap
from scenarios.model.position import from_scenario
from tests.asking import run_command


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output_folder = tmp_path_factory.mktemp("tabletop")
    result = run_command(
        cli, "build", "two_wells", "island", "--only", "tabletop", "--only", "tts", "--out", str(output_folder)
    )
    assert result.exit_code == 0, result.output
    return output_folder


@pytest.mark.parametrize("name", ["two_wells", "island"])
def test_the_manifest_names_every_piece_with_its_number_and_its_pictures(name: str, built: Path) -> None:
    game, folder = load(name), built / name / "tabletop"
    rows = list(csv.DictReader(io.StringIO((folder / "manifest.csv").read_text(encoding="utf-8"))))
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert [{key: str(value) for key, value in item.items()} for item in manifest["items"]] == [
        {key: value for key, value in row.items() if value or key in item}
        for row, item in zip(rows, manifest["items"], strict=True)
    ]
    counters = [row for row in rows if row["kind"] == "counter"]
    copies: Counter[str] = Counter()
    for row in counters:
        copies[row["id"]] += int(row["copies"])
    assert copies == {unit.id: unit.count for unit in game.units.values()}
    for unit in game.units.values():
        assert {row["number"] for row in counters if row["id"] == unit.id} == set(unit.numbers or [""])
    for row in rows:
        for side in ("front", "back"):
            if row[side]:
                with Image.open(folder / row[side]) as picture:
                    assert picture.size == (int(row["width_px"]), int(row["height_px"]))
    assert {row["kind"] for row in rows} >= {"counter", "marker", "board", "chart"}
    for key in game.scenarios:
        pieces = Counter((piece["id"], piece["number"]) for piece in manifest["scenarios"][key]["pieces"])
        assert pieces == Counter((piece.unit, piece.copy) for piece in from_scenario(game, key).pieces)


def test_a_face_is_in_its_place_on_its_sheet(built: Path) -> None:
    folder = built / "two_wells/tabletop"
    for row in csv.DictReader(io.StringIO((folder / "manifest.csv").read_text(encoding="utf-8"))):
        if row["kind"] != "counter":
            continue
        for side in ("front", "back"):
            with Image.open(folder / f"{row['sheet']}-{side}.png") as sheet, Image.open(folder / row[side]) as face:
                face_width = face.width
                left, top = (int(row["sheet_column"]) - 1) * face_width, (int(row["sheet_row"]) - 1) * face_width
                assert (
                    sheet.crop((left, top, left + face_width, top + face_width)).tobytes()
                    == face.convert("RGB").tobytes()
                )


def saves(build_folder: Path, name: str) -> list[dict[str, Any]]:
    return [
        json.loads(path.read_text(encoding="utf-8")) for path in sorted((build_folder / name / "tts/Saves").iterdir())
    ]


def tiles(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [*objects, *(inner for table_object in objects for inner in table_object.get("ContainedObjects", []))]


@pytest.mark.parametrize("name", ["two_wells", "island"])
def test_each_scenario_is_a_save_with_all_its_pieces_and_the_rest_in_bags(name: str, built: Path) -> None:
    game = load(name)
    game_saves = saves(built, name)
    assert len(game_saves) == len(game.scenarios)
    images = {path.name for path in (built / name / "tts/Mods/Images").iterdir()}
    for save, key in zip(game_saves, game.scenarios, strict=True):
        objects = save["ObjectStates"]
        loose = [tile for tile in objects if tile["Name"] == "Custom_Tile" and not tile["Locked"]]
        assert len(loose) == len(from_scenario(game, key).pieces)
        for tile in tiles(objects):
            if "CustomImage" in tile:
                assert {tile["CustomImage"]["ImageURL"], tile["CustomImage"]["ImageSecondaryURL"]} <= images
        guids = [tile["GUID"] for tile in tiles(objects)]
        assert len(guids) == len(set(guids)), "every object has an id of its own"
        everything = Counter(
            tile["CustomImage"]["ImageURL"]
            for tile in tiles(objects)
            if tile["Name"] == "Custom_Tile" and not tile["Locked"]
        )
        for unit in game.units.values():
            assert everything[f"{name}-{unit.id}.png"] == unit.count


def test_pieces_lie_on_their_hexes(built: Path) -> None:
    """Neighbouring hexes are all equally far apart on the table, and every piece of a hex lies on one of the hexes' middles."""
    game = load("two_wells")
    save, key = saves(built, "two_wells")[0], next(iter(game.scenarios))
    table = game.scenario_maps[key]
    assert isinstance(table, HexMap)
    snaps = [(snap["Position"]["x"], snap["Position"]["z"]) for snap in save["SnapPoints"]]
    assert len(snaps) == len(table.hexes)
    spacings = {
        round(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5, 1)
        for a, first in zip(snaps, table.hexes, strict=True)
        for b, second in zip(snaps, table.hexes, strict=True)
        if distance(first, second) == 1
    }
    assert max(spacings) - min(spacings) <= 0.1
    expected_places = Counter(
        snaps[table.hexes.index(piece.at)] for piece in from_scenario(game, key).pieces if isinstance(piece.at, Hex)
    )
    places = Counter(
        (tile["Transform"]["posX"], tile["Transform"]["posZ"]) for tile in save["ObjectStates"] if not tile["Locked"]
    )
    assert all(places[spot] == count for spot, count in expected_places.items()) and expected_places
    (board,) = [tile for tile in save["ObjectStates"] if tile["Nickname"] == game.boards["desert"].name]
    reach = board["Transform"]["scaleX"], board["Transform"]["scaleZ"]
    assert all(abs(x) < reach[0] and abs(z) < reach[1] for x, z in snaps), "every hex is on the board"


def test_the_same_twice_and_pictures_at_an_address(built: Path, tmp_path: Path) -> None:
    words = ["build", "two_wells", "--only", "tts", "--out", str(tmp_path)]
    assert run_command(cli, *words).exit_code == 0
    path = next((tmp_path / "two_wells/tts/Saves").iterdir())
    assert path.read_bytes() == (built / "two_wells/tts/Saves" / path.name).read_bytes()
    assert run_command(cli, *words, "--images-at", "https://example.org/wells/").exit_code == 0
    objects = json.loads(path.read_text(encoding="utf-8"))["ObjectStates"]
    urls = {tile["CustomImage"]["ImageURL"] for tile in objects if "CustomImage" in tile}
    assert all(url.startswith("https://example.org/wells/two_wells-") for url in urls)

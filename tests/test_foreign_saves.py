"""`modgen import MODULE --for GAME` and `assistant open SAVE --map TABLE`: answers for saves of somebody else's module."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from assistant.cli import cli as assistant
from modgen.cli import cli as modgen
from scenarios import load
from scenarios.model.position import format_location, from_scenario
from scenarios.opening_positions import open_position
from tests.asking import run_command
from tests.packs import TWO_WELLS
from tests.vassal_module import (
    GRID,
    board,
    element,
    layer,
    module,
    picture,
    piece,
    piece_command,
    roster,
    save,
    slot,
    window,
)

NAMES = ("Red Infantry", "Armored Cars", "Camel Riders")


def build_foreign_module(path: Path) -> Path:
    """Two Wells as somebody else built it: other names for some counters, hexes twice as large and numbered row first."""
    numbering = element(
        GRID + "mapgrid.HexGridNumbering",
        first="V",
        sep="",
        hType="N",
        vType="N",
        hOff=1,
        vOff=1,
        hLeading=1,
        vLeading=1,
        stagger="false",
    )
    grid = element(GRID + "HexGrid", numbering, x0=90, y0=74, dx=128, dy=148, sideways="false")
    slots = [
        *(slot(name, layer(["a.png", "b.png"], "Steps"), gpid=str(n)) for n, name in enumerate(NAMES, 1)),
        slot("Something else", gpid="4", image="a.png"),
    ]
    files = {
        "images/a.png": picture("red"),
        "images/b.png": picture("blue"),
        "images/map.png": picture("khaki", (700, 640)),
    }
    return module(
        path,
        roster("Red", "Blue"),
        *slots,
        window("Board", board("Desert", "map.png", grid)),
        files=files,
        name="Their Wells",
    )


def their_save(path: Path, module_name: str = "Their Wells") -> Path:
    """Infantry in column 1 row 2, turned over; camels in column 2 row 1; cars off the board; something that we don't have."""
    commands = [
        piece_command(
            "a", piece("Red Infantry", layer(["a.png", "b.png"], "Steps", 2), gpid="1", position=f"Board;90;{74 + 148}")
        ),
        piece_command(
            "b",
            piece(
                "Camel Riders", layer(["a.png", "b.png"], "Steps", 1), gpid="3", position=f"Board;{90 + 128};{74 + 74}"
            ),
        ),
        piece_command(
            "c", piece("Armored Cars", layer(["a.png", "b.png"], "Steps", 1), gpid="2", position="Board;690;10")
        ),
        piece_command("d", piece("Something else", gpid="4", image="a.png", position="Board;90;74")),
        "BoardBoardPicker\tDesert\t0\t0",
    ]
    path.write_bytes(save(commands, module_name))
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "wells.map.csv"
    result = run_command(
        modgen, "import", build_foreign_module(tmp_path / "theirs.vmod"), "--for", "two_wells", "--to", path
    )
    assert result.exit_code == 0, result.output
    return path


def rows(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_pieces_are_proposed_by_name_and_hexes_by_number(table: Path) -> None:
    pieces = {row["name"]: row["ours"] for row in rows(table) if row["kind"] == "piece"}
    assert pieces == {
        "Red Infantry": "infantry_red",
        "Armored Cars": "cars",
        "Camel Riders": "camels",
        "Something else": "",
    }
    game = load("two_wells")
    hex_map = game.scenario_maps["noon"]
    places = {row["name"]: row["ours"] for row in rows(table) if row["kind"] == "place" and row["ours"]}
    assert places["0201"] == "0102" and places["0102"] == "0201", "row and column change places"
    assert set(places.values()) <= {hex_map.name(hex) for hex in hex_map.hexes}  # type: ignore[union-attr]


def test_a_save_of_their_module_gets_our_answers(table: Path, tmp_path: Path) -> None:
    folder = tmp_path / "saves"
    folder.mkdir()
    path = their_save(folder / "game.vsav")
    result = run_command(assistant, "open", path, "--map", table, "--game", "two_wells", "--json")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    piece_places = {piece["unit"]: (piece["at"], piece["states"]) for piece in answer["pieces"]}
    assert piece_places == {"infantry_red": ("0102", ["reduced"]), "camels": ("0201", []), "cars": ("box:off", [])}
    assert "Something else" in json.dumps(answer)
    # Beside the save it is found without being named, by every question.
    shutil.copy(table, folder / "game.map.csv")
    assert (
        open_position(load("two_wells"), path).pieces_at(load("two_wells").scenario_maps["noon"].hex("0102"))[0].unit  # type: ignore[union-attr]
        == "infantry_red"
    )
    assert run_command(assistant, "stack", "two_wells", "--position", path).exit_code in (0, 2)
    assert (
        json.loads(run_command(assistant, "open", path, "--game", "two_wells", "--json").stdout)["pieces"]
        == answer["pieces"]
    )


def test_a_corrected_table_is_what_counts(table: Path, tmp_path: Path) -> None:
    text = table.read_text(encoding="utf-8").replace("Armored Cars,,,,,,cars", "Armored Cars,,,,,,gun")
    table.write_text(text.replace(",", ";"), encoding="utf-8")  # as a spreadsheet may save it
    position = open_position(load("two_wells"), their_save(tmp_path / "game.vsav"), table=table)
    assert [
        piece.unit
        for piece in position.pieces
        if format_location(load("two_wells").scenario_maps["noon"], piece.at) == "box:off"
    ] == ["gun"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (",cars,", ",carz,", "the pack has no counter 'carz'"),
        (",0102,the same", ",0199,the same", "0199"),
        ("scenario,,,,,,,,noon", "scenario,,,,,,,,nine", "has no scenario 'nine'"),
        ("piece,1,", "peace,1,", "is no kind of row"),
        ("kind,id,name", "sort,id,name", "no column 'kind'"),
        (",two_wells,", ",yom_kippur,", "is for yom_kippur, not for two_wells"),
    ],
)
def test_a_wrong_cell_is_told_with_its_place(old: str, new: str, message: str, table: Path, tmp_path: Path) -> None:
    text = table.read_text(encoding="utf-8")
    assert old in text
    table.write_text(text.replace(old, new, 1), encoding="utf-8")
    result = run_command(assistant, "open", their_save(tmp_path / "game.vsav"), "--map", table, "--game", "two_wells")
    assert result.exit_code == 2 and message in result.output and str(table) in result.output


def test_a_save_of_a_third_module_is_refused(table: Path, tmp_path: Path) -> None:
    result = run_command(
        assistant, "open", their_save(tmp_path / "game.vsav", "Third Wells"), "--map", table, "--game", "two_wells"
    )
    assert result.exit_code == 2 and "is of the module 'Third Wells'" in result.output
    strange = tmp_path / "other.vsav"
    strange.write_bytes(
        save([piece_command("a", piece("Nobody", gpid="99", image="a.png", position="Board;90;74"))], "Their Wells")
    )
    result = run_command(assistant, "open", strange, "--map", table, "--game", "two_wells")
    assert result.exit_code == 2 and "no piece of this save is in" in result.output


def test_saves_of_our_own_modules_need_no_table(table: Path, tmp_path: Path) -> None:
    """A table that lies beside a save of ours changes nothing."""
    from modgen.cache import Cache
    from modgen.vmod.files.locked_build import make_module
    from scenarios.vassal.archive import read_zip

    pack = shutil.copytree(TWO_WELLS, tmp_path / "two_wells")
    path = tmp_path / "own.vmod"
    path.write_bytes(make_module(load(pack), Cache(None), pool=False))
    files = read_zip(path, "module")
    own_save = tmp_path / "own.vsav"
    own_save.write_bytes(next(content for name, content in files.items() if name.endswith(".vsav")))
    game = load(pack)
    assert len(open_position(game, own_save).pieces) == len(from_scenario(game, "noon").pieces)

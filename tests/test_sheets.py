"""Spreadsheets in packs: what reads alike, what is told of a wrong cell, and files that read back the same."""

from __future__ import annotations

import csv
import dataclasses
import io
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modgen.cli import cli
from modgen.schemas import SCHEMAS
from scenarios import check, load, shipped_games
from scenarios.model.game import Game
from scenarios.model.sources import Datum
from scenarios.pack import building
from scenarios.pack.pack_cache import fields_of
from scenarios.pack.pack_folder import find_pack, samples
from scenarios.pack.spreadsheet_writing import addresses, flow, to_csv
from scenarios.pack.spreadsheets import IN_FORCES, places
from scenarios.reading.findings import letters
from scenarios.reading.nodes import Node
from scenarios.reading.rows import MOST_CELLS, parse_sheet
from scenarios.reading.shapes import Findings
from tests.asking import run_command
from tests.packs import copy

COUNTERS = """id,name,nation,class,type,size,attack,defense,movement,back.state,back.attack,back.defense,steps,abilities,count,numbers
infantry,Infantry,red,foot,infantry,platoon,3,4,3,reduced,2,2,2,,,11-13
cars,Armoured cars,red,wheels,cars,platoon,5,3,6,,,,,,,14-15
camels,Camel riders,blue,foot,camels,platoon,4,3,5,,,,,,,"23, 25-26"
gun,Field gun,blue,wheels,gun,section,6,1,2,,,,,fires_far,1,
infantry_blue,Infantry,blue,foot,infantry,platoon,3,5,3,reduced,2,2,2,,,21-22
"""


def sheet_pack(folder: Path, text: str | bytes = COUNTERS, name: str = "counters.csv") -> Path:
    """Two Wells with its counters in a spreadsheet."""
    pack = copy(folder)
    path = pack / "counters.yaml"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    first, last = lines.index("counters:\n"), lines.index("markers:\n")
    path.write_text("".join([*lines[:first], f"counters: {{csv: {name}}}\n", *lines[last:]]), encoding="utf-8")
    (pack / name).write_bytes(text.encode() if isinstance(text, str) else text)
    scenario = pack / "map.yaml"
    scenario.write_text(scenario.read_text(encoding="utf-8").replace("infantry_red", "infantry"), encoding="utf-8")
    return pack


def finding_texts(pack: Path) -> list[str]:
    return [str(finding).removeprefix(str(pack) + "/") for finding in check(pack)]


def with_cell(row: int, column: str, text: str) -> str:
    rows = list(csv.reader(io.StringIO(COUNTERS)))
    index = sum((ord(sign) - 64) * 26**power for power, sign in enumerate(reversed(column))) - 1
    rows[row - 1][index] = text
    buffer = io.StringIO()
    csv.writer(buffer).writerows(rows)
    return buffer.getvalue()


def test_counters_from_a_spreadsheet(tmp_path: Path) -> None:
    game = load(sheet_pack(tmp_path))
    infantry = game.units["infantry"]
    assert (infantry.name, infantry.nation, infantry.factors["attack"], infantry.steps) == ("Infantry", "red", 3, 2)
    assert infantry.back is not None and (infantry.back["attack"], infantry.back["movement"], infantry.back_state) == (
        2,
        3,
        "reduced",
    )
    assert infantry.numbers == ("11", "12", "13") and infantry.count == 3
    assert game.units["camels"].numbers == ("23", "25", "26") and game.units["gun"].abilities == {"fires_far"}
    assert game.units["gun"].back is None
    assert (
        infantry.counter.source is not None and infantry.counter.source.note == "the counter sheet"
    )  # the YAML file's


def as_saved(separator: str, mark: bool, ends: str, is_quoted: bool) -> bytes:
    """The same cells as another program saves them."""
    rows = list(csv.reader(io.StringIO(COUNTERS)))
    buffer = io.StringIO(newline="")
    writer = csv.writer(
        buffer, delimiter=separator, lineterminator=ends, quoting=csv.QUOTE_ALL if is_quoted else csv.QUOTE_MINIMAL
    )
    writer.writerows([*rows, [""] * len(rows[0]), [""] * 3])
    return (b"\xef\xbb\xbf" if mark else b"") + buffer.getvalue().encode()


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("mark", [False, True])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("is_quoted", [False, True])
def test_what_spreadsheets_save_reads_alike(
    tmp_path: Path, separator: str, mark: bool, ends: str, is_quoted: bool
) -> None:
    original, _ = parse_sheet(COUNTERS.encode(), "a.csv")
    sheet, findings = parse_sheet(as_saved(separator, mark, ends, is_quoted), "a.csv")
    assert original is not None and sheet is not None and not findings
    assert [(n, {c: node.text for c, node in cells.items()}) for n, cells in sheet.rows] == [
        (n, {c: node.text for c, node in cells.items()}) for n, cells in original.rows
    ]


def test_the_line_that_names_the_separator_is_read() -> None:
    sheet, findings = parse_sheet(b"sep=;\r\nid;note\r\na;b,c,d,e,f\r\n", "a.csv")
    assert not findings and sheet is not None and sheet.rows[0][1][1].text == "b,c,d,e,f"


@given(
    st.lists(
        st.lists(st.text(st.characters(categories=["L", "N", "P", "Zs"]), max_size=8), min_size=2, max_size=5),
        max_size=6,
    )
)
def test_cells_are_what_the_csv_module_reads(rows: list[list[str]]) -> None:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows([["id", "a", "b", "c", "d"], *rows])
    sheet, _ = parse_sheet(buffer.getvalue().encode(), "a.csv")
    assert sheet is not None
    expected_cells = {
        number: {c: cell.strip() for c, cell in enumerate(row) if cell.strip()}
        for number, row in enumerate(rows, 2)
        if any(cell.strip() for cell in row) and not next(cell for cell in row if cell.strip()).strip().startswith("#")
    }
    assert {number: {c: node.text for c, node in cells.items()} for number, cells in sheet.rows} == expected_cells


def test_a_decimal_comma_where_semicolons_stand_between_cells(tmp_path: Path) -> None:
    text = with_cell(3, "G", "2,5")
    semicolons = io.StringIO()
    csv.writer(semicolons, delimiter=";").writerows(csv.reader(io.StringIO(text)))
    assert load(sheet_pack(tmp_path / "a", semicolons.getvalue())).units["cars"].factors["attack"] == 2.5
    assert "counters.csv:3:G: '2,5' is not a number" in finding_texts(sheet_pack(tmp_path / "b", text))[0]


@pytest.mark.parametrize(
    ("row", "column", "cell", "message"),
    [
        (3, "G", "many", "counters.csv:3:G: 'many' is not a number; write one such as 3, -1, 1/2 or 1.5"),
        (2, "C", "rd", "counters.csv:2:C: there is no nation 'rd'; did you mean red?"),
        (4, "D", "fot", "counters.csv:4:D: there is no class 'fot'; did you mean foot?"),
        (2, "M", "two", "counters.csv:2:M: 'two' is not a whole number; write one such as 3"),
        (5, "N", "fires_fr", "counters.csv:5:N: there is no ability 'fires_fr'; did you mean fires_far?"),
        (2, "J", "reducd", "counters.csv:2:J: there is no state 'reducd'; did you mean reduced?"),
        (2, "B", "", "counters.csv:2:A: the key 'name' is missing; add it"),
        (3, "A", "infantry", "counters.csv:3:A: the id 'infantry' is taken by counters.csv:2; choose another"),
        (3, "A", "", "counters.csv:3:A: this row has no id; write one, or begin the row with # to leave it out"),
        (1, "G", "atack", "counters.csv:1:G: no key is called 'atack'; did you mean attack or back?"),
        (1, "H", "attack", "counters.csv:1:H: the heading 'attack' stands here twice (first in G); rename or remove one"),
        (1, "K", "back.atack", "counters.csv:1:K: no key is called 'back.atack'; did you mean attack or back?"),
        (1, "O", "", "counters.csv:5:O: no heading stands above '1'; write one, or remove the cell"),
        (3, "P", "14.Mai", "counters.csv:3:P: 14.Mai is no number or range; write 7, 11-14 or a list: [7, 11-14] "
         "(the spreadsheet may have made a date of it: format the column as text)"),
        (3, "G", "#REF!", "counters.csv:3:G: the spreadsheet's formula failed (#REF!); correct it and save again"),
        (3, "B", "a\x07b", "counters.csv:3:B: the character U+0007 can't be printed; delete it"),
    ],
)  # fmt: skip
def test_a_wrong_cell_is_told_by_row_and_letter(tmp_path: Path, row: int, column: str, cell: str, message: str) -> None:
    assert message in finding_texts(sheet_pack(tmp_path, with_cell(row, column, cell)))


def test_every_check_points_into_the_file(tmp_path: Path) -> None:
    """What is wrong with a counter in YAML is wrong in a cell, with the same words."""
    pack = sheet_pack(tmp_path / "a", with_cell(2, "P", "13-11").replace("fires_far", "x y"))
    yaml = copy(tmp_path / "b")
    text = (yaml / "counters.yaml").read_text(encoding="utf-8")
    text = text.replace("red: {numbers: 11-13}", "red: {numbers: 13-11}").replace("[fires_far]", "[x, y]")
    (yaml / "counters.yaml").write_text(text, encoding="utf-8")
    of_cells = {(f.message, Path(f.path).name) for f in check(pack)}
    assert {(message, "counters.csv") for message in {f.message for f in check(yaml)}} <= of_cells | {
        (f.message, "counters.csv") for f in check(yaml) if f.path.endswith("map.yaml")
    }


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "counters.csv:1:A: this file has no headings"),
        (COUNTERS.encode("utf-16"), "counters.csv:1:A: this file is UTF-16, not UTF-8; save it as \"CSV UTF-8\" (Excel)"),
        (COUNTERS.replace("Field gun", "Geschütz").encode("cp1252"), "counters.csv:5:A: byte 0xfc is not UTF-8; save it as"),
        (b'id,name\na,"b\n', "counters.csv:2:A: a quote that opens isn't closed; close it"),
        (b'id,name\na,"b"c\n', "counters.csv:2:A: a quote stands inside a cell; close it"),
        (b"id,name\na," + b"x" * 200_000, "counters.csv:2:A: a cell here has more than 131,072 characters"),
        (b"name,nation\nx,red\n", "counters.csv:1:A: no heading is `id`; add a column with the id of each row"),
        (b"id,name\n" + b"," * 10_000_000, f"counters.csv:1:A: this file has more than {MOST_CELLS:,} cells; split it"),
        (b"id,name\n" + b"a,b\n" * 4_000_001, "counters.csv:1:A: this file has more than 16,000,000 bytes; split it"),
    ],
)  # fmt: skip
def test_what_is_no_spreadsheet_gets_a_sentence(tmp_path: Path, raw: bytes, message: str) -> None:
    assert any(line.startswith(message) for line in finding_texts(sheet_pack(tmp_path, raw))), finding_texts(
        sheet_pack(tmp_path / "again", raw)
    )


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("../counters.csv", "'../counters.csv' leads out of the pack"),
        ("/etc/counters.csv", "'/etc/counters.csv' leads out of the pack"),
        ("..\\counters.csv", "leads out of the pack"),
        ("C:/counters.csv", "'C:/counters.csv' leads out of the pack"),
        ("contres.csv", "there is no file 'contres.csv' in the pack's folder; did you mean counters.csv?"),
        ("link.csv", "'link.csv' is a link that leads out of the pack; put the file itself there"),
    ],
)
def test_files_stay_inside_the_pack(tmp_path: Path, name: str, message: str) -> None:
    pack = sheet_pack(tmp_path)
    (tmp_path / "outside.csv").write_text(COUNTERS, encoding="utf-8")
    (pack / "link.csv").symlink_to(tmp_path / "outside.csv")
    text = (pack / "counters.yaml").read_text(encoding="utf-8")
    (pack / "counters.yaml").write_text(
        text.replace("counters: {csv: counters.csv}", f"counters: {{csv: '{name}'}}"), encoding="utf-8"
    )
    assert (
        len(finding_texts(pack)) == 1
        and message in finding_texts(pack)[0]
        and finding_texts(pack)[0].startswith("counters.yaml:3:")
    )


def test_yaml_and_several_files_stand_side_by_side(tmp_path: Path) -> None:
    rows = COUNTERS.splitlines()
    pack = sheet_pack(tmp_path, "\n".join(rows[:3]))
    (pack / "more.csv").write_text("\n".join([rows[0], "# a note for myself", *rows[4:]]), encoding="utf-8")
    text = (pack / "counters.yaml").read_text(encoding="utf-8")
    factors = "{attack: 4, defense: 3, movement: 5}"
    camels = (
        f"camels: {{name: Camel riders, nation: blue, class: foot, type: camels, factors: {factors}, numbers: 23-25}}"
    )
    (pack / "counters.yaml").write_text(
        text.replace("counters: {csv: counters.csv}", f"counters:\n  csv: [counters.csv, more.csv]\n  {camels}"),
        encoding="utf-8",
    )
    assert list(load(pack).units) == ["infantry", "cars", "gun", "infantry_blue", "camels"]


def test_tables_places_and_set_ups(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    yaml = load(pack)
    counters, board = (
        (pack / "counters.yaml").read_text(encoding="utf-8"),
        (pack / "map.yaml").read_text(encoding="utf-8"),
    )
    for file, old, new in (
        ("counters.yaml", '    columns: {odds: ["1-2", "1-1", "2-1", "3-1", "4-1"]}\n', "    columns: odds\n"),
        (
            "counters.yaml",
            counters.partition("    cells:\n")[2].partition("    results:")[0],
            "      csv: combat.csv\n",
        ),
        ("map.yaml", board.partition("    places:\n")[2].partition("    zones:")[0], "      csv: places.tsv\n"),
        ("map.yaml", board.partition("    forces:\n")[2].partition("    special:")[0], "      csv: noon.csv\n"),
    ):
        path = pack / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), encoding="utf-8")
    (pack / "combat.csv").write_text(
        "die,1-2,1-1,2-1,3-1,4-1\n1,D1,D1,D2,D2,DE\n2,-,D1,D1,D2,D2\n3,-,-,D1,D1,D2\n4,A1,-,-,D1,D1\n5,A1,A1,-,-,D1\n6,A1,A1,A1,-,-\n",
        encoding="utf-8",
    )
    wells = "id\tname\thex\tkind\nwest_well\tWest Well\t0202\twell\neast_well\tEast Well\t0302\twell\n"
    (pack / "places.tsv").write_text(wells, encoding="utf-8")
    (pack / "noon.csv").write_text(
        "side,id,name,nation,unit,count,marker,states,at,enters.turn,enters.at,enters.together\n"
        'red,A,Column,red,infantry_red,3,,,"{zone: west, within: {distance: 0, of: {edge: west}}}",,,\n'
        "red,B,Cars,red,cars,2,,,,2,{edge: south},TRUE\n"
        "blue,A,Garrison,blue,infantry_blue,2,,dug_in,0301,,,\n"
        "blue,A,,,,2,dug_in,,,,,\n"
        'blue,B,Riders,blue,camels,2,,,"{except: {zone: west}, at_least: {distance: 1, of: ""0301""}}",,,\n'
        "blue,B,,,gun,,,,,,,\n",
        encoding="utf-8",
    )
    assert finding_texts(pack) == []
    sheet_game = load(pack)
    assert is_same(sheet_game.tables, yaml.tables) and is_same(sheet_game.scenarios, yaml.scenarios)
    assert is_same(sheet_game.boards["desert"].places, yaml.boards["desert"].places)
    for file, old, new, message in (
        ("combat.csv", "2,-,D1", "2,-,X1", "combat.csv:3:C: no result explains the code 'X1'; write one of -, A1"),
        (
            "combat.csv",
            "2-1,3-1",
            "02. Jan,3-1",
            "combat.csv:1:D: '02. Jan' is no odds; write them as 3-1 or 1:2 (the spreadsheet",
        ),
        ("places.tsv", "0302", "0902", "places.tsv:3:C: "),
        ("noon.csv", "infantry_red,3", "infantry_rd,3", "noon.csv:2:E: "),
        (
            "noon.csv",
            "{edge: south}",
            "{edge: south",
            "noon.csv:3:K: the { that opens here isn't closed; write } where it ends",
        ),
        ("noon.csv", "blue,B,,,gun,,", "blue,B,Rider,,gun,,", "noon.csv:7:C: the group has another `name` in row 6"),
        ("noon.csv", "blue,B,,,gun,,", ",B,,,gun,,", "noon.csv:7:A: this row has no side; say whose units these are"),
    ):
        path = pack / file
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        assert any(line.startswith(message) for line in finding_texts(pack)), finding_texts(pack)
        path.write_text(text, encoding="utf-8")


# --- a file that is written reads back the same -----------------------------------------------------------------------


def is_same(a: Any, b: Any) -> bool:
    """Whether two values are equal, field by field; the places in files and the order of keys left out."""
    if dataclasses.is_dataclass(a) and type(a) is type(b):
        return all(is_same(getattr(a, name), getattr(b, name)) for name in fields_of(type(a)) if name != "expression")
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return set(a) == set(b) and all(is_same(a[key], b[key]) for key in a)
    if isinstance(a, tuple) and isinstance(b, tuple) and not hasattr(a, "_fields"):
        return len(a) == len(b) and all(map(is_same, a, b))
    return bool(a == b)


def in_sheets(folder: Path, destination: Path) -> int:
    """A pack once more, with all that spreadsheets may hold in CSV files; how many there are."""
    root = building._merge_files(folder, Findings())
    assert root is not None
    file_count = 0
    shutil.copytree(folder, destination, ignore=shutil.ignore_patterns("*.yaml", "*.csv"))
    kind_by_address = {place.address: place.kind for place in places()}
    address_kinds = [
        (address, kind_by_address[place.address]) for place in places() for address in addresses(root, place.address)
    ]
    # A whole section needs none of its parts; a set-up none of its groups.
    inner = [(a, kind) for a, kind in address_kinds if not any(a[: len(b)] == b and a != b for b, _ in address_kinds)]
    for address, kind in inner:
        node = root.child(*address)
        if not (node.entries or node.items):
            continue
        name = f"{file_count}.csv"
        (destination / name).write_text(to_csv(root, "/".join(address)), encoding="utf-8")
        file_count += 1
        name_node = Node("", 1, 1, text=name)
        other_entries = {"csv": (name_node, name_node)}
        if kind == IN_FORCES:  # what isn't a group stays
            for side, (key, force) in (node.entries or {}).items():
                side_entries = {k: v for k, v in (force.entries or {}).items() if k != "groups"}
                if side_entries:
                    other_entries[side] = (key, Node("", 1, 1, entries=side_entries))
        node.items, node.entries = None, other_entries
    (destination / "game.yaml").write_text(flow(root), encoding="utf-8")
    return file_count


def data_of(game: Game) -> list[Any]:
    return sorted((d.address, d.value, d.source or ()) for d in game.data if isinstance(d, Datum))


@pytest.mark.parametrize("pack", [*samples(), *shipped_games()])
def test_a_pack_in_spreadsheets_is_the_pack(pack: str, tmp_path: Path) -> None:
    folder = find_pack(pack)
    game, wrong = building.read_game(folder, [], False)
    assert game is not None and not wrong
    assert in_sheets(folder, tmp_path / pack) >= 10
    reread_game, wrong = building.read_game(tmp_path / pack, [], False)
    assert not wrong and reread_game is not None
    for field in dataclasses.fields(Game):
        if field.name not in ("data", "folder"):
            assert is_same(getattr(game, field.name), getattr(reread_game, field.name)), field.name
    assert data_of(reread_game) == data_of(game)


def test_the_command_writes_what_reads_back(tmp_path: Path) -> None:
    for part in ("counters", "tables/combat", "boards/desert/places", "scenarios/noon/forces"):
        answer = run_command(cli, "show", "two_wells", part, "--csv")
        assert answer.exit_code == 0 and answer.stdout.count("\n") >= 3
    answer = run_command(cli, "show", "two_wells", "counters", "--csv")
    pack = sheet_pack(tmp_path, answer.stdout)
    scenario = pack / "map.yaml"
    scenario.write_text(
        scenario.read_text(encoding="utf-8").replace("{infantry: 3}", "{infantry_red: 3}"), encoding="utf-8"
    )
    assert is_same(load(pack).units, load("two_wells").units)
    flags = run_command(cli, "show", "island", "markers", "--csv").stdout
    assert "pictures/flag_mainland.svg" in flags and "digest" not in flags
    answer = run_command(cli, "show", "two_wells", "tables/combt", "--csv")
    assert answer.exit_code == 2 and "did you mean tables/combat/cells" in answer.stderr
    answer = run_command(cli, "show", "two_wells", "counters", "--csv", "--json")
    assert answer.exit_code == 2


def test_the_prepared_form_follows_the_spreadsheet(tmp_path: Path) -> None:
    pack = sheet_pack(tmp_path)
    assert load(pack).units["cars"].factors["attack"] == 5
    (pack / "counters.csv").write_text(with_cell(3, "G", "7"), encoding="utf-8")
    assert load(pack).units["cars"].factors["attack"] == 7


def test_an_overlay_lies_over_a_spreadsheet(tmp_path: Path) -> None:
    pack = sheet_pack(tmp_path)
    overlay = tmp_path / "mine.yaml"
    overlay.write_text("overlay: two_wells\ncounters: {cars: {factors: {attack: 9}}}\n", encoding="utf-8")
    assert load(pack, [overlay]).units["cars"].factors["attack"] == 9
    overlay.write_text("overlay: two_wells\ncounters: {cars: {factors: {attack: nine}}}\n", encoding="utf-8")
    assert [Path(f.path).name for f in check(pack, [overlay])] == ["mine.yaml"]


def test_columns_are_lettered_as_spreadsheets_do() -> None:
    assert [letters(n) for n in (1, 26, 27, 52, 53, 702, 703)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]


def test_the_schema_knows_spreadsheets() -> None:
    validator = jsonschema.Draft202012Validator(SCHEMAS["pack"]())
    good = {
        "counters": {"csv": ["a.csv", "b.TSV"]},
        "classes": {"csv": "Computer vehicles"},
        "tables": {"combat": {"title": "Combat", "columns": "odds", "cells": {"csv": "combat.csv"}}},
        "boards": {
            "a": {
                "name": "A",
                "grid": {"columns": 1, "rows": 1, "numbering": {"scheme": "xxyy"}},
                "paths": {"csv": "paths.csv"},
            }
        },
        "scenarios": {
            "s": {
                "title": "S",
                "forces": {"csv": "s.csv", "red": {"groups": {"csv": "r.csv"}}},
                "victory": {"csv": "v.csv"},
            }
        },
    }
    assert not list(validator.iter_errors(good))
    assert list(validator.iter_errors({"counters": {"csv": "a.xlsx"}}))
    assert list(validator.iter_errors({"sequence": {"csv": "a.csv"}}))

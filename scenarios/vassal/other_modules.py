"""Read saves of modules that Mitla didn't build, with a table that maps their pieces and places to those of a pack.

The table is a CSV file. `modgen import MODULE --for GAME` proposes it and a person corrects it. Each row has a kind:

    game      name: the module's name; ours: the pack's id
    scenario  ours: the scenario for its saves
    piece     id: the ids of its slots in the module; name; ours: a counter or marker, or empty if the pack doesn't have it
    state     name: a layer of the module's pieces; x: the first picture that shows the state; ours: a state, or back: that of the back
    place     window, boards (those of the window, if it matters), x, y, reach in pixels; name; ours: a hex, a point or box:ID
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from scenarios.areas.resolving import Location
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.model.position import Piece, Position, Unknown, nation_of
from scenarios.reading.findings import Finding, PackError, suggest
from scenarios.reading.nodes import Node
from scenarios.reading.rows import read_sheet
from scenarios.vassal.playing import TablePiece, play_text
from scenarios.vassal.sequence import split

COLUMNS = ("kind", "id", "name", "window", "boards", "x", "y", "reach", "ours", "why")
KINDS = ("game", "scenario", "piece", "state", "place")
ENDING = ".map.csv"
OFF_MAP_BOX = "box:off"
FLIPPED_FACE = "back"
MODULE_NAME = re.compile(rb"<name>([^<]{1,200})</name>")


class ForeignPlace(NamedTuple):
    """A place of the module in pixels, with the matching place of the pack."""

    x: int
    y: int
    reach: int
    our_location: Location


@dataclass
class Conversion:
    """A table that maps a module to a pack."""

    path: Path
    game: str = ""
    module: str = ""
    scenario: str = ""
    units: dict[str, str] = field(default_factory=dict)
    """The pack's counter by the id of a slot."""
    renamed_units: dict[str, str] = field(default_factory=dict)
    """The pack's counter by the name of a piece."""
    states: dict[str, tuple[str, int]] = field(default_factory=dict)
    """The pack's state by the name of a layer, with the first picture that shows it."""
    places: dict[tuple[str, str], list[ForeignPlace]] = field(default_factory=dict)
    """By window and the boards in it; "" stands for any boards."""


def game_of_table(path: Path) -> str:
    """The id of the game that a table is for. Raises PackError if the table has none."""
    for kind, row in _rows(path):
        if kind == "game":
            return _text(row, "ours")
    raise PackError(
        [Finding(str(path), 1, 1, "this table has no row of kind `game`; make it with modgen import MODULE --for GAME")]
    )


def read_table(game: Game, path: Path) -> Conversion:
    """Read a table for a game. Raises PackError with every cell that is wrong."""
    table, findings = Conversion(path), list[Finding]()
    rows = list(_rows(path))
    game_row = next((row for kind, row in rows if kind == "game"), None)
    scenario = next((row for kind, row in rows if kind == "scenario"), None)
    table.game, table.module = (_text(game_row, key) if game_row else "" for key in ("ours", "name"))
    if table.game != game.id:
        message = f"this table is for {table.game or 'no game'}, not for {game.id}; name another with --map"
        raise PackError([Finding(str(path), 1, 1, message)])
    table.scenario = _text(scenario, "ours") if scenario else next(iter(game.scenarios))
    if table.scenario not in game.scenarios:
        scenario_node = scenario["ours"] if scenario and "ours" in scenario else None
        message = f"{game.id} has no scenario {table.scenario!r}; {suggest(table.scenario, game.scenarios)}"
        raise PackError([scenario_node.find(message) if scenario_node else Finding(str(path), 1, 1, message)])
    counters = [*game.units, *game.markers]
    for kind, row in rows:
        pack_id = _text(row, "ours")
        if kind == "piece" and pack_id:
            if pack_id not in game.units and pack_id not in game.markers:
                findings.append(row["ours"].find(f"the pack has no counter {pack_id!r}; {suggest(pack_id, counters)}"))
            table.units |= dict.fromkeys(_text(row, "id").split(), pack_id)
            table.renamed_units.setdefault(_text(row, "name"), pack_id)
        elif kind == "state" and pack_id:
            level = _text(row, "x") or "1"
            if pack_id not in (*game.states, FLIPPED_FACE):
                findings.append(
                    row["ours"].find(
                        f"the pack has no state {pack_id!r}; {suggest(pack_id, [FLIPPED_FACE, *game.states])}"
                    )
                )
            elif not re.fullmatch(r"\d{1,3}", level):
                findings.append(row["x"].find(f"{level!r} is no number of a picture; write 1 or 2"))
            else:
                table.states[_text(row, "name")] = pack_id, int(level)
        elif kind == "place" and pack_id:
            findings += _place(game, table, row, pack_id)
    if findings:
        raise PackError(findings)
    return table


def _place(game: Game, table: Conversion, row: Mapping[str, Node], pack_id: str) -> Iterator[Finding]:
    try:
        x, y, reach = (int(_text(row, key) or default) for key, default in (("x", ""), ("y", ""), ("reach", "40")))
    except ValueError:
        first_node = next(iter(row.values()))
        yield first_node.find("a place needs whole numbers for x, y and reach, in pixels of the module's window")
        return
    scenario_map = game.scenario_maps[table.scenario]
    location: Location = pack_id
    if not pack_id.startswith(("box:", "turn:", "setup:")):
        if isinstance(scenario_map, HexMap):
            try:
                location = scenario_map.hex(pack_id)
            except ValueError as error:
                yield row["ours"].find(str(error))
                return
        elif pack_id not in scenario_map.points:
            yield row["ours"].find(f"there is no point {pack_id!r}; {suggest(pack_id, scenario_map.points)}")
            return
    elif pack_id.startswith("box:") and (key := pack_id[4:].partition("/")[0]) not in (
        *scenario_map.boxes,
        *scenario_map.tracks,
        "off",
    ):
        yield row["ours"].find(f"there is no box {key!r}; {suggest(key, [*scenario_map.boxes, *scenario_map.tracks])}")
        return
    table.places.setdefault((_text(row, "window"), _text(row, "boards")), []).append(
        ForeignPlace(x, y, reach, location)
    )


def _text(row: Mapping[str, Node], key: str) -> str:
    return (row[key].text or "").strip() if key in row else ""


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, Node]]]:
    sheet, findings = read_sheet(path)
    if sheet is None or findings:
        raise PackError(findings)
    headings = {column: node.text or "" for column, node in sheet.headings.items()}
    if missing := [name for name in ("kind", "name", "ours") if name not in headings.values()]:
        raise PackError(
            [sheet.cell_node().find(f"this table has no column {missing[0]!r}; its first row is {','.join(COLUMNS)}")]
        )
    for number, cells in sheet.rows:
        row = {headings[column]: node for column, node in cells.items() if column in headings}
        kind = _text(row, "kind")
        if kind not in KINDS:
            raise PackError([sheet.cell_node(number).find(f"{kind!r} is no kind of row; {suggest(kind, KINDS)}")])
        yield kind, row


def table_beside(save: Path) -> Path | None:
    """The table beside a save: the one with the same name, else the only one in its folder."""
    own_table = save.with_suffix(ENDING)
    if own_table.is_file():
        return own_table
    tables = sorted(save.parent.glob(f"*{ENDING}"))
    return tables[0] if len(tables) == 1 else None


def is_foreign(text: str) -> bool:
    """Whether a save belongs to a module that Mitla didn't build."""
    return not play_text(text).about.get("game")


def module_of(files: Mapping[str, bytes]) -> str:
    """The name of the module that a save belongs to, if the save has it."""
    match = MODULE_NAME.search(files.get("moduledata", b"")[:100_000])
    return (
        match[1].decode("utf-8", "replace").replace("&amp;", "&").replace("&apos;", "'").replace("&quot;", '"')
        if match
        else ""
    )


def read_foreign(game: Game, text: str, files: Mapping[str, bytes], table: Conversion) -> Position:
    """The position of a save of another module. Raises ValueError with a sentence if the table is for a different module."""
    module = module_of(files)
    if module and table.module and module != table.module:
        raise ValueError(
            f"this save is of the module {module!r}, and {table.path.name} is for {table.module!r}; name another with --map"
        )
    vassal_table = play_text(text)
    boards = {
        window: ";".join(split(cell, "/")[0] for cell in cells[::3]) for window, cells in vassal_table.boards.items()
    }
    used: dict[str, int] = {}
    pieces: list[Piece] = []
    unknown: list[Unknown] = []
    for piece in vassal_table.pieces.values():
        location = _convert_place(table, piece, boards.get(piece.window, ""))
        fields = split(piece.types[-1], ";")
        name = fields[4] if len(fields) > 4 else ""
        unit = table.units.get(_gpid(piece)) or table.renamed_units.get(name)
        if unit is None:
            unknown += [Unknown(re.sub(r"[^\w .:+-]", "?", name)[:60] or "?", "", location)] if name else []
            continue
        copy = _copy(game, unit, used.get(unit, 0))
        used[unit] = used.get(unit, 0) + 1
        nation = nation_of(game, table.scenario, unit)
        pieces.append(Piece(unit, copy, nation, location, frozenset(_states(game, table, unit, piece)), 0, ""))
    if not pieces:
        raise ValueError(
            f"no piece of this save is in {table.path.name}; make a table of its module, or name another with --map"
        )
    return Position(game.id, table.scenario, _turn(vassal_table.turn), "", tuple(pieces), tuple(unknown))


def _gpid(piece: TablePiece) -> str:
    fields = split(piece.states[-1], ";")
    return fields[3] if len(fields) > 3 else ""


def _copy(game: Game, unit: str, index: int) -> str:
    unit_record = game.units.get(unit)
    return (
        unit_record.numbers[index] if unit_record is not None and index < len(unit_record.numbers) else str(index + 1)
    )


def _convert_place(table: Conversion, piece: TablePiece, boards: str) -> Location:
    spots = table.places.get((piece.window, boards)) or table.places.get((piece.window, ""), [])

    def distance_to(spot: ForeignPlace) -> int:
        return (spot.x - piece.x) ** 2 + (spot.y - piece.y) ** 2

    nearest_spot = min(spots, key=distance_to, default=None)
    return (
        nearest_spot.our_location
        if nearest_spot is not None and distance_to(nearest_spot) <= nearest_spot.reach**2
        else OFF_MAP_BOX
    )


def _states(game: Game, table: Conversion, unit: str, piece: TablePiece) -> Iterator[str]:
    unit_record = game.units.get(unit)
    for name, level in piece.layers.items():
        state, first = table.states.get(name, ("", 0))
        if unit_record is None or not state or level < first:
            continue
        if state != FLIPPED_FACE:
            yield state
        elif unit_record.back is not None and unit_record.back_state:
            yield unit_record.back_state


def _turn(state: str) -> int:
    match = re.search(r"(?<![\w.])\d{1,3}(?![\w.])", state.replace("|", " ").replace(";", " "))
    return max(1, int(match[0])) if match else 1

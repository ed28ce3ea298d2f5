"""Saves of somebody else's module of a game, read with a table between its pieces and places and our pack's.

The table is a CSV file that `modgen import MODULE --for GAME` proposes and a person corrects. A row is of a kind:

    game      name: the module's name; ours: the pack's id
    scenario  ours: the scenario that saves are read as
    piece     id: the ids of its slots in the module; name; ours: a counter or marker, or nothing for what the pack doesn't have
    state     name: a layer of the module's pieces; x: the picture from which on it holds; ours: a state, or back: that of the back
    place     window, boards (those of the window, where it matters), x, y, reach in pixels; name; ours: a hex, a point or box:ID
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from scenarios.game import Game
from scenarios.maps import HexMap
from scenarios.position import Piece, Position, Unknown, nation_of
from scenarios.reading.findings import Finding, PackError, instead
from scenarios.reading.nodes import Node
from scenarios.resolve import Location
from scenarios.vassal.playing import OnTable, play_text
from scenarios.vassal.sequence import split

COLUMNS = ("kind", "id", "name", "window", "boards", "x", "y", "reach", "ours", "why")
KINDS = ("game", "scenario", "piece", "state", "place")
ENDING = ".map.csv"
OFF = "box:off"
BACK = "back"
MODULE_NAME = re.compile(rb"<name>([^<]{1,200})</name>")


class Spot(NamedTuple):
    """A place of the module in pixels, and ours."""

    x: int
    y: int
    reach: int
    ours: Location


@dataclass
class Conversion:
    """A table between a module and a pack."""

    path: Path
    game: str = ""
    module: str = ""
    scenario: str = ""
    units: dict[str, str] = field(default_factory=dict)
    """Our counter by the id of a slot."""
    named: dict[str, str] = field(default_factory=dict)
    """Our counter by the name of a piece."""
    states: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Our state by the name of a layer, and the picture from which on it holds."""
    places: dict[tuple[str, str], list[Spot]] = field(default_factory=dict)
    """By window and the boards in it; "" for any."""


def game_of_table(path: Path) -> str:
    """The id of the game that a table is for. PackError where it doesn't tell."""
    for kind, row in _rows(path):
        if kind == "game":
            return _text(row, "ours")
    raise PackError(
        [Finding(str(path), 1, 1, "this table has no row of kind `game`; make it with modgen import MODULE --for GAME")]
    )


def read_table(game: Game, path: Path) -> Conversion:
    """A table for a game; PackError tells every cell that is wrong."""
    table, findings = Conversion(path), list[Finding]()
    rows = list(_rows(path))
    told = next((row for kind, row in rows if kind == "game"), None)
    scenario = next((row for kind, row in rows if kind == "scenario"), None)
    table.game, table.module = (_text(told, key) if told else "" for key in ("ours", "name"))
    if table.game != game.id:
        said = f"this table is for {table.game or 'no game'}, not for {game.id}; name another with --map"
        raise PackError([Finding(str(path), 1, 1, said)])
    table.scenario = _text(scenario, "ours") if scenario else next(iter(game.scenarios))
    if table.scenario not in game.scenarios:
        where = scenario["ours"] if scenario and "ours" in scenario else None
        said = f"{game.id} has no scenario {table.scenario!r}; {instead(table.scenario, game.scenarios)}"
        raise PackError([where.find(said) if where else Finding(str(path), 1, 1, said)])
    counters = [*game.units, *game.markers]
    for kind, row in rows:
        ours = _text(row, "ours")
        if kind == "piece" and ours:
            if ours not in game.units and ours not in game.markers:
                findings.append(row["ours"].find(f"the pack has no counter {ours!r}; {instead(ours, counters)}"))
            table.units |= dict.fromkeys(_text(row, "id").split(), ours)
            table.named.setdefault(_text(row, "name"), ours)
        elif kind == "state" and ours:
            level = _text(row, "x") or "1"
            if ours not in (*game.states, BACK):
                findings.append(
                    row["ours"].find(f"the pack has no state {ours!r}; {instead(ours, [BACK, *game.states])}")
                )
            elif not re.fullmatch(r"\d{1,3}", level):
                findings.append(row["x"].find(f"{level!r} is no number of a picture; write 1 or 2"))
            else:
                table.states[_text(row, "name")] = ours, int(level)
        elif kind == "place" and ours:
            findings += _place(game, table, row, ours)
    if findings:
        raise PackError(findings)
    return table


def _place(game: Game, table: Conversion, row: Mapping[str, Node], ours: str) -> Iterator[Finding]:
    try:
        x, y, reach = (int(_text(row, key) or default) for key, default in (("x", ""), ("y", ""), ("reach", "40")))
    except ValueError:
        where = next(iter(row.values()))
        yield where.find("a place needs whole numbers for x, y and reach, in pixels of the module's window")
        return
    held = game.scenario_maps[table.scenario]
    at: Location = ours
    if not ours.startswith(("box:", "turn:", "setup:")):
        if isinstance(held, HexMap):
            try:
                at = held.hex(ours)
            except ValueError as error:
                yield row["ours"].find(str(error))
                return
        elif ours not in held.points:
            yield row["ours"].find(f"there is no point {ours!r}; {instead(ours, held.points)}")
            return
    elif ours.startswith("box:") and (key := ours[4:].partition("/")[0]) not in (*held.boxes, *held.tracks, "off"):
        yield row["ours"].find(f"there is no box {key!r}; {instead(key, [*held.boxes, *held.tracks])}")
        return
    table.places.setdefault((_text(row, "window"), _text(row, "boards")), []).append(Spot(x, y, reach, at))


def _text(row: Mapping[str, Node], key: str) -> str:
    return (row[key].text or "").strip() if key in row else ""


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, Node]]]:
    from scenarios.reading.rows import read_sheet

    sheet, findings = read_sheet(path)
    if sheet is None or findings:
        raise PackError(findings)
    headings = {column: node.text or "" for column, node in sheet.headings.items()}
    if missing := [name for name in ("kind", "name", "ours") if name not in headings.values()]:
        raise PackError(
            [sheet.at().find(f"this table has no column {missing[0]!r}; its first row is {','.join(COLUMNS)}")]
        )
    for number, cells in sheet.rows:
        row = {headings[column]: node for column, node in cells.items() if column in headings}
        kind = _text(row, "kind")
        if kind not in KINDS:
            raise PackError([sheet.at(number).find(f"{kind!r} is no kind of row; {instead(kind, KINDS)}")])
        yield kind, row


def table_beside(save: Path) -> Path | None:
    """The table that lies beside a save: of its own name, else the only one in its folder."""
    own = save.with_suffix(ENDING)
    if own.is_file():
        return own
    found = sorted(save.parent.glob(f"*{ENDING}"))
    return found[0] if len(found) == 1 else None


def is_foreign(text: str) -> bool:
    """Whether a save isn't of a module of Mitla."""
    return not play_text(text).about.get("game")


def module_of(files: Mapping[str, bytes]) -> str:
    """The name of the module that a save is of, where it tells."""
    found = MODULE_NAME.search(files.get("moduledata", b"")[:100_000])
    return (
        found[1].decode("utf-8", "replace").replace("&amp;", "&").replace("&apos;", "'").replace("&quot;", '"')
        if found
        else ""
    )


def read_foreign(game: Game, text: str, files: Mapping[str, bytes], table: Conversion) -> Position:
    """The position of a save of another module; ValueError with a sentence where it is of a third one."""
    module = module_of(files)
    if module and table.module and module != table.module:
        raise ValueError(
            f"this save is of the module {module!r}, and {table.path.name} is for {table.module!r}; name another with --map"
        )
    held = play_text(text)
    boards = {window: ";".join(split(cell, "/")[0] for cell in cells[::3]) for window, cells in held.boards.items()}
    used: dict[str, int] = {}
    pieces: list[Piece] = []
    unknown: list[Unknown] = []
    for piece in held.pieces.values():
        at = _at(table, piece, boards.get(piece.window, ""))
        fields = split(piece.types[-1], ";")
        name = fields[4] if len(fields) > 4 else ""
        unit = table.units.get(_gpid(piece)) or table.named.get(name)
        if unit is None:
            unknown += [Unknown(re.sub(r"[^\w .:+-]", "?", name)[:60] or "?", "", at)] if name else []
            continue
        copy = _copy(game, unit, used.get(unit, 0))
        used[unit] = used.get(unit, 0) + 1
        nation = nation_of(game, table.scenario, unit)
        pieces.append(Piece(unit, copy, nation, at, frozenset(_states(game, table, unit, piece)), 0, ""))
    if not pieces:
        raise ValueError(
            f"no piece of this save is in {table.path.name}; make a table of its module, or name another with --map"
        )
    return Position(game.id, table.scenario, _turn(held.turn), "", tuple(pieces), tuple(unknown))


def _gpid(piece: OnTable) -> str:
    fields = split(piece.states[-1], ";")
    return fields[3] if len(fields) > 3 else ""


def _copy(game: Game, unit: str, index: int) -> str:
    held = game.units.get(unit)
    return held.numbers[index] if held is not None and index < len(held.numbers) else str(index + 1)


def _at(table: Conversion, piece: OnTable, boards: str) -> Location:
    spots = table.places.get((piece.window, boards)) or table.places.get((piece.window, ""), [])

    def far(spot: Spot) -> int:
        return (spot.x - piece.x) ** 2 + (spot.y - piece.y) ** 2

    near = min(spots, key=far, default=None)
    return near.ours if near is not None and far(near) <= near.reach**2 else OFF


def _states(game: Game, table: Conversion, unit: str, piece: OnTable) -> Iterator[str]:
    own = game.units.get(unit)
    for name, level in piece.layers.items():
        state, first = table.states.get(name, ("", 0))
        if own is None or not state or level < first:
            continue
        if state != BACK:
            yield state
        elif own.back is not None and own.back_state:
            yield own.back_state


def _turn(state: str) -> int:
    found = re.search(r"(?<![\w.])\d{1,3}(?![\w.])", state.replace("|", " ").replace(";", " "))
    return max(1, int(found[0])) if found else 1

"""Open a position from any file that has one: a position file of Mitla, or a save or log of VASSAL."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from scenarios.files import write_text
from scenarios.model.game import Game
from scenarios.model.position import MAX_LENGTH, Position, format_location, from_file, map_of, nation_of
from scenarios.reading.findings import Finding, PackError
from scenarios.vassal import MAX_BYTES

SAVES = (".vsav", ".vlog")


def open_position(game: Game, path: Path, max_bytes: int = MAX_BYTES, table: Path | None = None) -> Position:
    """The position in a file. Raises PackError with everything that is wrong. A save may unpack to `max_bytes` bytes.

    A save of a module that Mitla didn't build needs a `table` that maps it to the pack. The default is the table beside the save.
    """
    if path.suffix.lower() not in SAVES:
        return from_file(game, path)
    # Imported late: a position file is read without the formats of VASSAL.
    from scenarios.vassal.archive import read_save
    from scenarios.vassal.other_modules import is_foreign, read_foreign, read_table, table_beside
    from scenarios.vassal.reading import read_position

    try:
        text, files = read_save(path, max_bytes)
        neighbouring_table = table_beside(path) if table is None else None
        used = table or (neighbouring_table if neighbouring_table is not None and is_foreign(text) else None)
        if used is not None:
            return read_foreign(game, text, files, read_table(game, used))
        return read_position(game, text)
    except ValueError as error:
        raise PackError([Finding(str(path), 1, 1, str(error))]) from None


def game_of(path: Path, max_bytes: int = MAX_BYTES, table: Path | None = None) -> str:
    """The id of the game of a save or position, or of the table for the save. Raises ValueError if there is none."""
    if path.suffix.lower() not in SAVES:
        return _path_text(path)
    # Imported late: a position file is read without the formats of VASSAL.
    from scenarios.vassal.archive import read_save
    from scenarios.vassal.other_modules import game_of_table, is_foreign, table_beside
    from scenarios.vassal.reading import game_of_save

    text, _ = read_save(path, max_bytes)
    neighbouring_table = table_beside(path) if table is None else None
    used = table or (neighbouring_table if neighbouring_table is not None and is_foreign(text) else None)
    return game_of_table(used) if used is not None else game_of_save(text)


def _path_text(path: Path) -> str:
    # Imported late: only a file needs YAML, and a question without one starts without it.
    from scenarios.reading.yaml_tree import read_nodes

    node, findings = read_nodes(path, MAX_LENGTH)
    game_id = node.child("game").text if node is not None else None
    if not game_id:
        raise ValueError("\n".join(map(str, findings)) or f"{path.name} doesn't tell its game; write `game: ID` in it")
    return game_id


def write_position(game: Game, position: Position, path: Path) -> None:
    """Write a position file completely or not at all."""
    write_text(path, as_text(game, position))


def as_text(game: Game, position: Position) -> str:
    """The text of a position file."""
    return "\n".join((*_lines(game, position), ""))


def _lines(game: Game, position: Position) -> Iterator[str]:
    table = map_of(game, position)
    yield f"game: {position.game}"
    if position.scenario:
        yield f'scenario: "{position.scenario}"'
    if position.map:
        yield f'map: "{position.map}"'
    yield f"turn: {game.nearest_turn(position.turn, position.scenario)}"
    if position.phase:
        yield f"phase: {position.phase}"
    yield "pieces:"
    for piece in position.pieces:
        fields = [
            f"unit: {piece.unit}",
            f"copy: {_quote(piece.copy)}",
            f"at: {_quote(format_location(table, piece.at))}",
        ]
        if piece.nation not in ("", nation_of(game, position.scenario, piece.unit, piece.group)):
            fields.append(f"nation: {piece.nation}")
        fields += [f"states: [{', '.join(sorted(piece.states))}]"] * bool(piece.states)
        fields += [f"steps_lost: {piece.steps_lost}"] * bool(piece.steps_lost)
        fields += [f"group: {_quote(piece.group)}"] * bool(piece.group)
        yield f"  - {{{', '.join(fields)}}}"
    if position.unknown:
        yield "unknown:"
    for unknown_piece in position.unknown:
        fields = [
            f"unit: {_quote(unknown_piece.unit)}",
            f"copy: {_quote(unknown_piece.copy)}",
            f"at: {_quote(format_location(table, unknown_piece.at))}",
        ]
        fields += [f"state: {_quote(unknown_piece.state)}"] * bool(unknown_piece.state)
        yield f"  - {{{', '.join(fields)}}}"


def _quote(text: str) -> str:
    """A text in quotes that YAML and JSON both read."""
    return json.dumps(text, ensure_ascii=False)

"""Live tables: positions that the page's devices change together. Each change is saved before it is answered.

A table is a file of lines: the start, then every change, then `undo` where one was taken back. An incomplete last
line is ignored, so a table survives a crash of the server. Several servers may share one folder: each reads what
another has written, and a file is locked while a line is added.
"""

from __future__ import annotations

import json
import os
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from assistant.questions.answer import BadQuestion
from scenarios.areas.resolving import Location
from scenarios.files import locked
from scenarios.grammar import count_text
from scenarios.model.game import Game
from scenarios.model.position import Piece, Position, from_text, locate, map_of, nation_of
from scenarios.opening_positions import as_text
from scenarios.reading.findings import PackError, suggest

MOST_TABLES = 100
MOST_CHANGES = 20_000
PREFIX = "table-"
GONE = "that table has ended; start another"
STALE = "another player changed the table in the meantime; look at it and try again"


@dataclass
class LiveTable:
    """A position and the changes that led to it."""

    key: str
    game: str
    name: str
    positions: list[Position]
    """Its positions, change by change; the last is the present one."""
    version: int = 0
    """The number of lines written."""
    end: int = 0
    """The end of the lines in the file, in bytes."""

    @property
    def position(self) -> Position:
        """The present position."""
        return self.positions[-1]


@dataclass
class Live:
    """The tables of this server, kept in a folder."""

    folder: Path | None = None
    _tables: dict[str, LiveTable] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def begin(self, game: Game, position: Position, name: str) -> LiveTable:
        """Start a new table."""
        with self._lock:
            if len(self._tables) >= MOST_TABLES:
                raise BadQuestion(f"there are already {MOST_TABLES} tables; end one first")
            key = PREFIX + secrets.token_hex(4)
            table = LiveTable(key, game.id, name, [position])
            self._write(table, {"game": game.id, "name": name, "position": as_text(game, position)})
            self._tables[key] = table
            return table

    def tables_of(self, game: Game) -> list[LiveTable]:
        """Return the tables of a game, the newest last."""
        with self._lock:
            self._read(game)
            return [table for table in self._tables.values() if table.game == game.id]

    def table(self, game: Game, key: object) -> LiveTable:
        """Return a table by its key."""
        for table in self.tables_of(game):
            if table.key == key:
                return table
        raise BadQuestion(GONE)

    def change(self, game: Game, key: object, version: object, change: object) -> LiveTable:
        """Change a table that nobody has changed since: `version` is the state that the device saw."""
        with self._lock:
            table = self.table(game, key)
            if version != table.version:
                raise BadQuestion(STALE)
            if table.version >= MOST_CHANGES:
                raise BadQuestion(
                    f"a table holds at most {MOST_CHANGES:,} changes; save it and start another from the saved position"
                )
            if not isinstance(change, Mapping):
                raise BadQuestion(
                    "a change has one of the forms {move, to}, {states, now}, {lost, steps}, {remove}, {add, to}, {turn} or {undo}"
                )
            positions = _apply_change(game, table.positions, change)
            _check_turn(game, positions[-1], table.position)
            self._write(table, dict(change))
            table.positions = positions
            return table

    def end(self, game: Game, key: object) -> None:
        """Delete a table."""
        with self._lock:
            table = self.table(game, key)
            if self.folder is not None:
                try:
                    self._path(table.key).unlink(missing_ok=True)
                except OSError as error:
                    raise BadQuestion(f"the table can't be removed: {error.strerror}; nothing was changed") from None
            del self._tables[table.key]

    # Writing and reading.

    def _path(self, key: str) -> Path:
        assert self.folder is not None
        return self.folder / f"{key}.jsonl"

    def _write(self, table: LiveTable, line: Mapping[str, Any]) -> None:
        if self.folder is not None:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                table.end = _append(self._path(table.key), table.end, json.dumps(line).encode("ascii") + b"\n")
            except FileNotFoundError:
                raise BadQuestion(GONE) from None
            except OSError as error:
                raise BadQuestion(f"the table can't be saved ({error.strerror}); nothing was changed") from None
        table.version += 1

    def _read(self, game: Game) -> None:
        """Read tables that another server wrote, and what another has added to this server's tables."""
        if self.folder is None or not self.folder.is_dir():
            return
        paths = {path.stem: path for path in self.folder.glob(f"{PREFIX}*.jsonl")}
        for table in [table for table in self._tables.values() if table.game == game.id]:
            if table.key not in paths or not _caught_up(game, table, paths[table.key]):
                del self._tables[table.key]
        new_paths = (path for key, path in paths.items() if key not in self._tables)
        for path in sorted(new_paths, key=_changed_at):
            if (replayed_table := _replay(game, path)) is not None:
                self._tables[path.stem] = replayed_table


def _changed_at(path: Path) -> float:
    """Return when a file was changed; long ago if it doesn't exist."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _append(path: Path, end: int, line: bytes) -> int:
    """Write a line after the last complete line of a file, over an incomplete one of a killed server. Return the new
    end.

    If another server has added a line meanwhile, nothing is written.
    """
    with path.open("r+b" if end else "x+b") as file, locked(file):
        if end and os.fstat(file.fileno()).st_nlink == 0:
            raise FileNotFoundError(2, "the table was removed", str(path))
        file.seek(end)
        if b"\n" in file.read():
            raise BadQuestion(STALE)
        file.truncate(end)
        file.seek(end)
        file.write(line)
        file.flush()
        os.fsync(file.fileno())
        return file.tell()


def _caught_up(game: Game, table: LiveTable, path: Path) -> bool:
    """Replay what another server has added to a table. Return False where that fails, or the file is gone."""
    try:
        if path.stat().st_size == table.end:
            return True
        with path.open("rb") as file:
            file.seek(table.end)
            lines, length = _whole_lines(file.read())
        positions = table.positions
        for line in lines:
            positions = _apply_change(game, positions, line)
    except FileNotFoundError:
        return False
    except OSError:  # unreadable at the moment
        return True
    except (PackError, ValueError, KeyError, TypeError, AttributeError):
        return False
    table.positions, table.version, table.end = positions, table.version + len(lines), table.end + length
    return True


def _replay(game: Game, path: Path) -> LiveTable | None:
    """Return a table from the complete lines of its file; None where it is of another game, or unreadable."""
    try:
        lines, end = _whole_lines(path.read_bytes())
        if not lines or lines[0].get("game") != game.id:
            return None
        table = LiveTable(
            path.stem,
            game.id,
            str(lines[0]["name"]),
            [from_text(game, lines[0]["position"], path.name)],
            len(lines),
            end,
        )
        for line in lines[1:]:
            table.positions = _apply_change(game, table.positions, line)
        return table
    except (OSError, PackError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _whole_lines(content: bytes) -> tuple[list[dict[str, Any]], int]:
    """Return the lines up to the first incomplete one, and where they end."""
    lines: list[dict[str, Any]] = []
    end = 0
    for text in content.split(b"\n")[:-1]:
        try:
            line = json.loads(text)
        except (ValueError, RecursionError):
            break
        if not isinstance(line, dict):
            break
        lines.append(line)
        end += len(text) + 1
    return lines, end


# Changes.


def _apply_change(game: Game, positions: list[Position], change: Mapping[str, Any]) -> list[Position]:
    """Return the positions with one more, or with one less."""
    if change.get("undo"):
        if len(positions) < 2:
            raise BadQuestion("there is nothing to undo")
        return positions[:-1]
    position = positions[-1]
    if "turn" in change:
        if not isinstance(change["turn"], int) or not 1 <= change["turn"] <= 999:
            raise BadQuestion("the turn must be a whole number from 1 to 999")
        return [*positions, replace(position, turn=change["turn"])]
    if "add" in change:
        return [*positions, _add_position(game, position, change)]
    for word in ("move", "states", "lost", "remove"):
        if word in change:
            keys = _keys(game, position, change[word])
            return [*positions, replace(position, pieces=tuple(_alter_pieces(game, position, keys, word, change)))]
    raise BadQuestion(f"there is no change {next(iter(change), 'nothing')!r}")


def _alter_pieces(
    game: Game, position: Position, keys: set[tuple[str, str]], word: str, change: Mapping[str, Any]
) -> list[Piece]:
    """Return the pieces after a change to some of them. Moved pieces go on top of the stack."""
    chosen_pieces = [piece for piece in position.pieces if (piece.unit, piece.copy) in keys]
    other_pieces = [piece for piece in position.pieces if (piece.unit, piece.copy) not in keys]
    if word == "remove":
        return other_pieces
    if word == "move":
        location = _read_location(game, position, change.get("to"))
        return [*(piece._replace(at=location) for piece in chosen_pieces), *other_pieces]
    if word == "lost":
        steps = change.get("steps")
        if not isinstance(steps, int) or not 0 <= steps <= 99:
            raise BadQuestion("steps must be a whole number from 0 to 99")
        for piece in chosen_pieces:
            unit = game.units.get(piece.unit)
            if unit is not None and steps > unit.steps:
                raise BadQuestion(f"{unit.name} has {count_text(unit.steps, 'step')} to lose, not {steps}")
        return [piece._replace(steps_lost=steps) if piece in chosen_pieces else piece for piece in position.pieces]
    states = change.get("now")
    if not isinstance(states, list):
        raise BadQuestion("states must be a list")
    for state in states:
        if not isinstance(state, str) or state not in game.states:
            raise BadQuestion(f"there is no state {state!r}; {suggest(str(state), game.states)}")
    return [piece._replace(states=frozenset(states)) if piece in chosen_pieces else piece for piece in position.pieces]


def _add_position(game: Game, position: Position, change: Mapping[str, Any]) -> Position:
    unit = change["add"]
    if not isinstance(unit, str) or (unit not in game.units and unit not in game.markers):
        raise BadQuestion(f"there is no counter {unit!r}; {suggest(str(unit), [*game.units, *game.markers])}")
    used = {piece.copy for piece in position.copies_of(unit)}
    copy = next(str(number) for number in range(1, len(used) + 2) if str(number) not in used)
    piece = Piece(
        unit, copy, nation_of(game, position.scenario, unit), _read_location(game, position, change.get("to"))
    )
    return replace(position, pieces=(piece, *position.pieces))


def _check_turn(game: Game, position: Position, previous_position: Position) -> None:
    """Raise BadQuestion where a change leads to a turn that the scenario doesn't have."""
    if position.turn != previous_position.turn and (fault := game.turn_fault(position.turn, position.scenario)):
        raise BadQuestion(fault)


def _keys(game: Game, position: Position, piece_list: object) -> set[tuple[str, str]]:
    """Return pieces, each as [unit, copy]."""
    present_keys = {(piece.unit, piece.copy) for piece in position.pieces}
    if (
        not isinstance(piece_list, list)
        or not piece_list
        or not all(isinstance(pair, list) and len(pair) == 2 for pair in piece_list)
    ):
        raise BadQuestion("pieces must be a list of [unit, copy]")
    keys = {(str(unit), str(copy)) for unit, copy in piece_list}
    if missing := keys - present_keys:
        unit = sorted(missing)[0][0]
        counter = game.units.get(unit) or game.markers.get(unit)
        raise BadQuestion(f"{counter.name if counter else unit} is not on the table")
    return keys


def _read_location(game: Game, position: Position, place_name: object) -> Location:
    """Return a place of the map, or off it."""
    if not isinstance(place_name, str) or not place_name:
        raise BadQuestion("name the destination")
    return locate(map_of(game, position), place_name)

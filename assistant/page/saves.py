"""The player's saves and positions: opened on the page, or read from a watched file."""

from __future__ import annotations

import base64
import binascii
import hashlib
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, NamedTuple

from assistant.page.live_tables import PREFIX, Live, LiveTable
from assistant.questions.answer import BadQuestion
from assistant.questions.left_out import unknown_text
from scenarios.model.game import Game
from scenarios.model.position import Position
from scenarios.opening_positions import SAVES, open_position
from scenarios.reading.findings import Finding, PackError
from scenarios.vassal import MAX_BYTES

MOST_KEPT = 20
MOST_NAME = 200
"""The maximum length of a save's name, in characters."""
WATCHED_KEY = "watched"


class LoadedSave(NamedTuple):
    """A save that was read, by its file name; `version` changes with its contents."""

    name: str
    position: Position
    version: str


@dataclass
class Saves:
    """Open saves, by game and key, kept while the page runs. The oldest uploads are dropped."""

    file: Path | None = None
    """A save of the game `file_game` that is read again whenever it changes; it is never dropped."""
    file_game: str = ""
    watched_path: Path | None = None
    """Or a folder whose newest save of that game is used."""
    max_bytes: int = MAX_BYTES
    """The maximum unpacked size of a save, in bytes."""
    loaded_saves: dict[tuple[str, str], LoadedSave] = field(default_factory=dict)
    live: Live = field(default_factory=Live)
    """The live tables of the page."""
    _file_stamp: tuple[int, int] = (0, 0)
    _lock: threading.RLock = field(default_factory=threading.RLock)
    """Requests come in parallel; one at a time changes what is open."""

    def open(self, game: Game, body: Mapping[str, Any]) -> dict[str, Any]:
        """Open a file that the page sends: `name` and `data` in base64. It is never stored under its own name."""
        name, data = body.get("name"), body.get("data")
        if not isinstance(name, str) or not isinstance(data, str):
            raise BadQuestion("a save needs its name and its data in base64")
        if len(name) > MOST_NAME:
            raise BadQuestion(f"the name of a save has at most {MOST_NAME} characters; rename the file")
        try:
            content = base64.b64decode(data, validate=True)
        except (binascii.Error, ValueError):
            raise BadQuestion("the data of a save must be base64") from None
        key = hashlib.sha256(content).hexdigest()[:16]
        display_name = _display_name(name)
        with self._lock:
            self.loaded_saves[game.id, key] = LoadedSave(
                display_name, _read(game, content, display_name, self.max_bytes), key
            )
            sent_keys = [opened_key for opened_key in self.loaded_saves if opened_key[1] != WATCHED_KEY]
            for old in sent_keys[:-MOST_KEPT]:
                del self.loaded_saves[old]
            return self._describe(game, key)

    def list_saves(self, game: Game) -> list[dict[str, Any]]:
        """Return the saves of a game, the watched one first."""
        with self._lock:
            self._look(game)
            keys = [key for game_id, key in self.loaded_saves if game_id == game.id]
            saves = [self._describe(game, key) for key in sorted(keys, key=lambda key: key != WATCHED_KEY)]
            return [*saves, *(self.table(game, table) for table in self.live.tables_of(game))]

    def table(self, game: Game, table: LiveTable) -> dict[str, Any]:
        """Return a live table as the page lists it."""
        table_save = LoadedSave(table.name, table.position, str(table.version))
        return {**_describe_save(game, table.key, table_save), "live": table.version, "undo": len(table.positions) > 1}

    def position(self, game: Game, key: object) -> Position:
        """Return the present position of a save or a live table."""
        if isinstance(key, str) and key.startswith(PREFIX):
            return self.live.table(game, key).position
        with self._lock:
            if key == WATCHED_KEY:
                self._look(game)
            save = self.loaded_saves.get((game.id, key)) if isinstance(key, str) else None
        if save is None:
            raise BadQuestion("that save is no longer open; open it again")
        return save.position

    def _look(self, game: Game) -> None:
        """Read the watched file again if it has changed; while it is being written, the old contents stay."""
        if game.id != self.file_game:
            return
        try:
            file = self.file or self._newest()
            if file is None:
                return
            file_stat = file.stat()
            if (file_stat.st_mtime_ns, file_stat.st_size) != self._file_stamp:
                position = open_position(game, file, self.max_bytes)
                self._file_stamp = (file_stat.st_mtime_ns, file_stat.st_size)
                self.loaded_saves[game.id, WATCHED_KEY] = LoadedSave(
                    file.name, position, f"{file_stat.st_mtime_ns}-{file_stat.st_size}"
                )
        except (OSError, PackError):
            return

    def _newest(self) -> Path | None:
        """Return the newest save in the watched folder."""
        if self.watched_path is None:
            return None
        saves = [path for path in self.watched_path.iterdir() if path.suffix.lower() in SAVES and path.is_file()]
        return max(saves, key=lambda path: path.stat().st_mtime_ns, default=None)

    def _describe(self, game: Game, key: str) -> dict[str, Any]:
        return _describe_save(game, key, self.loaded_saves[game.id, key])


def _describe_save(game: Game, key: str, save: LoadedSave) -> dict[str, Any]:
    name, position, version = save
    scenario = position.scenario if position.scenario in game.scenarios else next(iter(game.scenarios), "")
    return {
        "id": key,
        "name": name,
        "scenario": scenario,
        "turn": position.turn,
        "pieces": len(position.pieces),
        "version": version,
        "left_out": unknown_text(game, position),
    }


def _display_name(name: str) -> str:
    return PureWindowsPath(PurePosixPath(name).name).name or "the file"


def _is_text(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _read(game: Game, content: bytes, display_name: str, max_bytes: int) -> Position:
    ending = Path(display_name).suffix.lower()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"save{ending if ending in SAVES else '.yaml'}"
        path.write_bytes(content)
        try:
            return open_position(game, path, max_bytes)
        except PackError as error:
            findings = [
                Finding(
                    display_name,
                    pack_finding.line,
                    pack_finding.column,
                    pack_finding.message.replace(path.name, display_name),
                )
                for pack_finding in error.findings
            ]
            if ending not in SAVES and not _is_text(content):
                raise BadQuestion(f"{display_name} is neither a save of VASSAL nor a position file") from None
            if ending in SAVES:  # a binary file has no lines
                raise BadQuestion("; ".join(dict.fromkeys(finding.message for finding in findings))) from None
            raise PackError(findings) from None

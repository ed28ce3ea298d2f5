"""Saves and positions that were opened on the page: kept while it runs, the oldest forgotten first."""

from __future__ import annotations

import base64
import binascii
import hashlib
import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from assistant.attacks import BadQuestion
from scenarios.game import Game
from scenarios.opening import SAVES, open_position
from scenarios.position import Position
from scenarios.reading.findings import Finding, PackError

MOST_KEPT = 20
Kept = dict[tuple[str, str], Position]
"""Positions by game and name."""


def open_save(game: Game, body: Mapping[str, Any], kept: Kept) -> dict[str, Any]:
    """A file of the player's: `name` and `data` in base64. It is read, never stored under its own name."""
    name, data = body.get("name"), body.get("data")
    if not isinstance(name, str) or not isinstance(data, str):
        raise BadQuestion("a save is told by its name and its data in base64")
    try:
        content = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise BadQuestion("the data of a save are written in base64") from None
    shown = PureWindowsPath(PurePosixPath(name).name).name or "the file"
    position = _read(game, content, shown)
    key = hashlib.sha256(content).hexdigest()[:16]
    kept[game.id, key] = position
    for old in list(kept)[:-MOST_KEPT]:
        del kept[old]
    scenario = position.scenario if position.scenario in game.scenarios else next(iter(game.scenarios), "")
    return {"id": key, "name": shown, "scenario": scenario, "turn": position.turn, "pieces": len(position.pieces)}


def _read(game: Game, content: bytes, shown: str) -> Position:
    ending = Path(shown).suffix.lower()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"save{ending if ending in SAVES else '.yaml'}"
        path.write_bytes(content)
        try:
            return open_position(game, path)
        except PackError as error:
            found = [Finding(shown, one.line, one.column, one.message) for one in error.findings]
            raise PackError(found) from None


def kept_position(game: Game, key: object, kept: Kept) -> Position:
    """The position that was opened under a name."""
    if not isinstance(key, str) or (game.id, key) not in kept:
        raise BadQuestion("that save isn't open any more; open it again")
    return kept[game.id, key]

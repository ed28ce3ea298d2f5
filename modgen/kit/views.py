"""A game with only the sections that a drawing uses.

A section that a drawing doesn't see can't change it. So the key of the view is a valid key of the drawing.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from modgen.cache import code_key, key_of
from scenarios.model.boards import Board
from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.model.maps import HexMap, PlacedBoard
from scenarios.model.memo import cached_on
from scenarios.model.points import PointMap
from scenarios.model.sources import Datum

BASE = ("sides", "nations", "states")
FACES = (*BASE, "classes", "types", "abilities", "factors", "layouts", "formations")
GROUND = (*BASE, "turns", "terrain", "hexsides", "paths", "routes", "boards", "maps")
ORIGINS = ("boards", "maps")
"""The sections whose drawings show the source of their data."""
_SECTIONS = tuple(
    f.name for f in dataclasses.fields(Game) if f.name not in ("card", "folder", "overlays", "turns", "data")
)


@dataclasses.dataclass(frozen=True)
class View:
    """A narrowed game and its key."""

    game: Game
    key: str

    def with_entries(self, **sections: Mapping[str, Any]) -> View:
        """The view with additional data: just these entries of these sections."""
        section_views = {name: MappingProxyType(dict(entries)) for name, entries in sections.items()}
        return View(dataclasses.replace(self.game, **section_views), key_of(self.key, _text(section_views)))  # type: ignore[arg-type]


def faces_view(game: Game) -> View:
    """The data for all faces; `formations` gives their tints."""
    return view(game, FACES)


def face_view(base_view: View, game: Game, piece: str) -> View:
    """The data for one counter or marker, given the view of all faces."""
    if piece in game.units:
        return base_view.with_entries(units={piece: game.units[piece]})
    return base_view.with_entries(markers={piece: game.markers[piece]})


def view(game: Game, sections: tuple[str, ...]) -> View:
    """The game with only these sections."""
    empty: dict[str, Any] = {name: MappingProxyType({}) for name in _SECTIONS if name not in sections}
    if "turns" not in sections:
        empty["turns"] = None
    data = tuple(datum for datum in game.data if datum.address[0] in sections and datum.address[0] in ORIGINS)
    # The folder is where pictures are. Their content is in the records that name them.
    narrowed_game = dataclasses.replace(game, overlays=(), data=data, **empty)
    key_parts = {name: getattr(narrowed_game, name) for name in ("card", *sections, "data")}
    return View(narrowed_game, key_of(code_key(), _text(key_parts)))


@functools.cache
def _names(kind: type) -> tuple[str, ...]:
    """The fields of a record, except its position in a file."""
    return tuple(f.name for f in dataclasses.fields(kind) if f.name != "node")


def _text(value: object) -> str:
    return json.dumps(_to_json(value), ensure_ascii=False, separators=(",", ":"))


def _to_json(value: Any) -> Any:
    """Any value of the model as JSON, without its position in a file."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Board):
        return [value.id, _to_json(value.shape)]
    if isinstance(value, HexMap | PointMap | Unit):  # many scenarios share these
        return cached_on(value, _fields)
    if isinstance(value, PlacedBoard):
        return [value.board.id, list(value.offset), value.turned]
    if isinstance(value, Datum):
        return [value.path, value.value, value.source]
    if isinstance(value, Mapping):
        return [[_to_json(key), _to_json(item)] for key, item in value.items()]
    if isinstance(value, frozenset | set):
        return sorted(json.dumps(_to_json(item), ensure_ascii=False) for item in value)
    if isinstance(value, tuple | list):
        return [_to_json(item) for item in value]
    if dataclasses.is_dataclass(value):
        return _fields(value)
    return str(value)


def _fields(value: Any) -> list[Any]:
    return [[name, _to_json(getattr(value, name))] for name in _names(value.__class__)]

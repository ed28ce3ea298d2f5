"""The cache of loaded packs: plain data that is read again part by part.

Reading and checking a pack's YAML takes most of a second, and a question needs few of its parts. The cache holds every part of a
Game as JSON, without the places in the files. A part is decoded on first use. The cache holds data and names of Mitla's own
classes only: whoever can write into it can make an answer wrong, but can't run code.

A cached pack is used only while the pack's files, the overlays and Mitla's code are unchanged.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import importlib
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scenarios.files import read, read_inside, write
from scenarios.folders import cache_folder, standing_overlays
from scenarios.model.attack_inputs import Formula
from scenarios.model.game import Game
from scenarios.model.sources import Datum, Source, grounds
from scenarios.vassal import MAX_BYTES

FORMAT = 1
MAX_KEPT = 4
"""The maximum number of cached forms of one pack: with and without overlays, of this version and the last."""
MOST_IN_ALL = 60
ROOT = Path(__file__).parents[1]
WHOLE_PARTS = ("card", "turns", "rules")
"""Parts that aren't mappings."""
SEPARATE_PARTS = ("folder", "overlays", "data")
NAMED_PARTS = ("boards", "maps", "scenario_maps")
"""Parts whose values others refer to: several maps may share one board object."""


# --- the key ----------------------------------------------------------------------------------------------------------


def key_of(
    folder: Path, files: Iterable[Path], pictures: Iterable[Path], overlays: Iterable[Path], with_config_overlays: bool
) -> str:
    """A cache key from everything that determines a pack. Empty if a file can't be read; then nothing is cached.

    Pictures are large, so only their size and time count.
    """
    bytes_left = MAX_BYTES
    digest = hashlib.sha256(f"{FORMAT}\0{_code()}\0{folder}".encode("utf-8", "surrogateescape"))
    try:
        for kind, paths in (
            ("file", files),
            ("overlay", overlays),
            ("standing", standing_overlays() if with_config_overlays else []),
        ):
            for path in paths:
                raw = read_inside(folder, path) if kind == "file" else read(path)
                bytes_left -= len(raw)
                if bytes_left < 0:
                    return ""
                digest.update(f"\0{kind}\0{path}\0{len(raw)}\0".encode("utf-8", "surrogateescape"))
                digest.update(raw)
        for path in pictures:
            digest.update(
                f"\0picture\0{path}\0{path.stat().st_size}\0{path.stat().st_mtime_ns}".encode(
                    "utf-8", "surrogateescape"
                )
            )
    except (OSError, ValueError):
        return ""
    return digest.hexdigest()


def _code() -> str:
    """A stamp of Mitla's code: names, sizes and times of the modules that read packs."""
    signatures = []
    for folder in (ROOT, *(ROOT / name for name in ("model", "pack", "areas", "reading", "expressions", "rules"))):
        if folder.is_dir():
            with os.scandir(folder) as entries:
                signatures += [
                    f"{e.path}:{e.stat().st_size}:{e.stat().st_mtime_ns}" for e in entries if e.name.endswith(".py")
                ]
    # A sample's rules may be inherited.
    signatures += [
        f"{path}:{path.stat().st_size}:{path.stat().st_mtime_ns}"
        for path in sorted((ROOT / "samples").glob("*/*.yaml"))
    ]
    return "\n".join(sorted(signatures))


def _path(key: str, folder: Path) -> Path | None:
    cache_path = cache_folder()
    return None if cache_path is None else cache_path / "packs" / f"{_prefix(folder)}{key[:32]}.json"


def _prefix(folder: Path) -> str:
    """The prefix of the cache files of one pack."""
    return hashlib.sha256(str(folder).encode("utf-8", "surrogateescape")).hexdigest()[:12] + "-"


# --- store and read ---------------------------------------------------------------------------------------------------


def keep(key: str, game: Game) -> None:
    """Cache a game that was loaded without a finding. Does nothing if the folder can't be written."""
    path = _path(key, game.folder)
    if path is None:
        return
    with contextlib.suppress(OSError):
        write(path, encode(game), durable=False)
        cache_files = sorted(path.parent.glob("*.json"), key=lambda cache_path: cache_path.stat().st_mtime)
        game_files = [cache_file for cache_file in cache_files if cache_file.name.startswith(_prefix(game.folder))]
        for old in {*game_files[:-MAX_KEPT], *cache_files[:-MOST_IN_ALL]}:
            old.unlink(missing_ok=True)


def read_cached(key: str, folder: Path) -> Game | None:
    """Read a game from the cache by its key. None if it is missing or damaged."""
    path = _path(key, folder)
    if path is None:
        return None
    try:
        raw = path.read_bytes()
        return decode(raw, folder)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError):
        return None


# --- encode -----------------------------------------------------------------------------------------------------------


class _Encoder:
    """Encodes values as JSON. Texts, whole numbers, flags and mappings by text stay as they are. Any other value is a list; its first
    item is the kind of value.
    """

    def __init__(self, game: Game) -> None:
        self.classes: dict[str, int] = {}
        self.references: dict[int, list[Any]] = {}
        for part in NAMED_PARTS:
            for key, value in getattr(game, part).items():
                self.references.setdefault(id(value), ["@", part, key])

    def part(self, name: str, value: Any) -> Any:
        """Encode a part of the game. The values of a named part are written where they are first defined."""
        if name not in NAMED_PARTS:
            return self.encode(value)
        return {
            key: self.encode_all(entry)
            if self.references[id(entry)] == ["@", name, key]
            else self.references[id(entry)]
            for key, entry in value.items()
        }

    def encode(self, value: Any) -> Any:
        """Encode one value."""
        kind = type(value)
        if value is None or kind in (str, int, bool):
            return value
        if id(value) in self.references:
            return self.references[id(value)]
        return self.encode_all(value)

    def encode_all(self, value: Any) -> Any:
        kind = type(value)
        if kind is Fraction:
            return ["/", value.numerator, value.denominator]
        if kind is Formula:
            return ["=", value.text]
        if isinstance(value, Mapping):
            if all(type(key) is str for key in value):
                return {key: self.encode(item) for key, item in value.items()}
            return ["m", *(part for key, item in value.items() for part in (self.encode(key), self.encode(item)))]
        if kind is tuple:
            return ["(", *map(self.encode, value)]
        if kind is frozenset:
            return ["{", *sorted(map(self.encode, value), key=repr)]
        if isinstance(value, Path):
            return ["p", str(value)]
        if kind.__module__.partition(".")[0] != "scenarios":
            raise TypeError(f"{kind} has no prepared form")
        return ["#", self._class(kind), *(self.encode(getattr(value, name)) for name in fields_of(kind))]

    def _class(self, kind: type) -> int:
        return self.classes.setdefault(f"{kind.__module__}:{kind.__qualname__}", len(self.classes))


def fields_of(kind: type) -> tuple[str, ...]:
    """The cached fields of a class: all but the place in a file."""
    if hasattr(kind, "_fields"):
        return tuple(kind._fields)
    return tuple(f.name for f in dataclasses.fields(kind) if f.name != "node")


def encode(game: Game) -> bytes:
    """Encode a game as bytes: a header with the position of each part, then the parts."""
    encoder = _Encoder(game)
    names = [f.name for f in dataclasses.fields(game) if f.name not in SEPARATE_PARTS]
    bodies = {name: _json(encoder.part(name, getattr(game, name))) for name in names}
    bodies["data"] = _json([[list(d.address), d.value, d.source and list(d.source)] for d in game.data])
    bodies["grounds"] = _json({path: source and list(source) for path, source in grounds(game.data).items()})
    keys = {name: list(getattr(game, name)) for name in names if name not in WHOLE_PARTS}
    places, offset = {}, 0
    for name, body in bodies.items():
        places[name] = [offset, len(body)]
        offset += len(body)
    overlays = [str(path) for path in game.overlays]
    joined_bodies = b"".join(bodies.values())
    head = {
        "format": FORMAT,
        "sum": zlib.crc32(joined_bodies),
        "overlays": overlays,
        "classes": list(encoder.classes),
        "keys": keys,
        "parts": places,
    }
    return _json(head) + b"\n" + joined_bodies


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


# --- decode -----------------------------------------------------------------------------------------------------------


class _Decoder:
    def __init__(self, classes: list[str], part: Callable[[str], Mapping[str, Any]]) -> None:
        self.makers = [_maker(name) for name in classes]
        self.part = part

    def decode(self, value: Any) -> Any:
        """Decode one value."""
        kind = type(value)
        if kind is dict:
            decode = self.decode
            return MappingProxyType({key: item if type(item) is str else decode(item) for key, item in value.items()})
        if kind is not list:
            return value
        match value[0]:
            case "#":
                return self.makers[value[1]]([item if type(item) is str else self.decode(item) for item in value[2:]])
            case "(":
                return tuple([item if type(item) is str else self.decode(item) for item in value[1:]])
            case "m":
                items = iter([self.decode(item) for item in value[1:]])
                return MappingProxyType(dict(zip(items, items, strict=True)))
            case "/":
                return Fraction(value[1], value[2])
            case "{":
                return frozenset([self.decode(item) for item in value[1:]])
            case "@":
                return self.part(value[1])[value[2]]
            case "=":
                return Formula(value[1])
            case "p":
                return Path(value[1])
        raise ValueError(f"{value[0]!r} is no kind of value")


def _maker(name: str) -> Callable[[list[Any]], Any]:
    """A function that makes an object of a class from its fields. Only Mitla's own data classes are allowed."""
    module, _, qualname = name.partition(":")
    if not module.startswith("scenarios.") or not qualname.isidentifier():
        raise ValueError(f"{name!r} is none of our classes")
    kind = getattr(importlib.import_module(module), qualname)
    if not isinstance(kind, type):
        raise ValueError(f"{name!r} is no class")
    if hasattr(kind, "_make"):
        tuple_maker: Callable[[list[Any]], Any] = kind._make
        return tuple_maker
    names = fields_of(kind)
    node_default = {"node": None} if any(f.name == "node" for f in dataclasses.fields(kind)) else {}

    def make(values: list[Any]) -> Any:
        value: Any = object.__new__(kind)
        value.__dict__.update(zip(names, values, strict=True))
        value.__dict__.update(node_default)
        return value

    return make


class LazyPart(Mapping[str, Any]):
    """A part of a cached game. Its keys are known at once; its values are decoded on first use."""

    def __init__(self, keys: list[str], raw: Callable[[], dict[str, Any]], decode: Callable[[Any], Any]) -> None:
        self._keys, self._raw, self._decode = dict.fromkeys(keys), raw, decode
        self._texts: dict[str, Any] | None = None
        self._values: dict[str, Any] = {}

    def __getitem__(self, key: str) -> Any:
        if key in self._values:
            return self._values[key]
        if key not in self._keys:
            raise KeyError(key)
        if self._texts is None:
            self._texts = self._raw()
        value = self._values[key] = self._decode(self._texts[key])
        return value

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __repr__(self) -> str:
        return f"Part({list(self._keys)})"


def decode(raw: bytes, folder: Path) -> Game:
    """Decode a game. Raises ValueError or KeyError if the bytes are no cached game."""
    end = raw.index(b"\n")
    head = json.loads(raw[:end])
    if head["format"] != FORMAT:
        raise ValueError("another format")
    places, start = head["parts"], end + 1
    if zlib.crc32(memoryview(raw)[start:]) != head["sum"]:
        raise ValueError("it isn't whole")

    def text(name: str) -> Any:
        offset, length = places[name]
        return json.loads(raw[start + offset : start + offset + length])

    parts: dict[str, Mapping[str, Any]] = {}
    decoder = _Decoder(head["classes"], lambda name: parts[name])
    for name, keys in head["keys"].items():
        parts[name] = LazyPart(keys, lambda name=name: text(name), decoder.decode)  # type: ignore[misc]
    wholes = {name: decoder.decode(text(name)) for name in WHOLE_PARTS}
    overlays = tuple(map(Path, head["overlays"]))
    return Game(
        folder=folder,
        overlays=overlays,
        data=Data(lambda: text("data"), lambda: text("grounds")),
        **wholes,
        **parts,  # type: ignore[arg-type]
    )


class Data(Sequence[Datum]):
    """The data of a pack, decoded on first use because few questions need them. The sources of terrain are stored separately."""

    def __init__(self, raw: Callable[[], list[Any]], ground: Callable[[], dict[str, Any]]) -> None:
        self._raw, self._ground = raw, ground

    @cached_property
    def grounds(self) -> Mapping[str, Source | None]:
        """The result of `model.sources.grounds` for these data."""
        return {path: Source(*source) if source else None for path, source in self._ground().items()}

    @cached_property
    def _entries(self) -> tuple[Datum, ...]:
        return tuple(
            Datum(tuple(address), value, Source(*source) if source else None, None)
            for address, value, source in self._raw()
        )

    def __getitem__(self, index: Any) -> Any:
        return self._entries[index]

    def __len__(self) -> int:
        return len(self._entries)

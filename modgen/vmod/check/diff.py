"""Compares two modules: what was added, changed and removed, and whether games saved under the old one still load."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from modgen.vmod.files.component_paths import loose
from modgen.vmod.files.loaded_module import (
    Element,
    LoadedModule,
    former_ids,
    kind_of,
    name_of,
    open_module,
    pictures_in,
)
from scenarios.vassal import MAX_BYTES
from scenarios.vassal.commands import split_traits
from scenarios.vassal.sequence import split

GRID = ("sideways", "x0", "y0", "dx", "dy", "originx", "originy", "path")
Contents = Mapping[str, object]


def compare(old: Path, new: Path, max_bytes: int = MAX_BYTES) -> dict[str, Any]:
    """The differences between two modules, and each reason why old saves or extensions break.

    Each module may unpack to `max_bytes` bytes.
    """
    old_module, new_module = open_module(old, max_bytes), open_module(new, max_bytes)
    changes = {
        category: _changes(list_elements(old_module), list_elements(new_module))
        for category, list_elements in COMPARED_PARTS.items()
    }
    breaks = list(reasons(old_module, new_module))
    hang = list(loose(old_module, new_module))
    return {
        "old": str(old),
        "new": str(new),
        "changes": changes,
        "breaks": breaks,
        "saves_keep": not breaks,
        "extensions": hang,
        "extensions_keep": not hang,
    }


def _changes(old_elements: Contents, new_elements: Contents) -> dict[str, list[str]]:
    return {
        "added": [name for name in new_elements if name not in old_elements],
        "changed": [name for name in old_elements if name in new_elements and old_elements[name] != new_elements[name]],
        "gone": [name for name in old_elements if name not in new_elements],
    }


def _slots(module: LoadedModule) -> dict[str, Element]:
    return {slot.get("gpid", ""): slot for slot in module.elements("PieceSlot")}


def _pieces(module: LoadedModule) -> Contents:
    return {f"{gpid} {unit_of(slot)}".strip(): (name_of(slot), slot.text) for gpid, slot in _slots(module).items()}


def unit_of(slot: Element) -> str:
    """The counter or marker of a slot; its name if the slot gives none."""
    parts = split((slot.text or "").removeprefix("+/null/"), "/")
    if len(parts) > 1:
        for trait, state in zip(split_traits(parts[0]), split_traits(parts[1]), strict=False):
            if trait.startswith("mark;"):
                marks = dict(zip(split(trait[5:], ","), split(state, ","), strict=False))
                if marks.get("unit"):
                    return marks["unit"]
    return name_of(slot)


def _pictures(module: LoadedModule) -> Contents:
    return {
        name.removeprefix("images/"): hashlib.sha256(content).hexdigest()
        for name, content in sorted(module.files.items())
        if name.startswith("images/")
    }


def _elements_by_name(*element_kinds: str) -> Any:
    """Elements of some kinds by name, each with all its content."""

    def list_elements(module: LoadedModule) -> Contents:
        return {
            name_of(part): (part.text, [sorted(inner.attrib.items()) for inner in part.iter()])
            for part in module.elements(*element_kinds)
        }

    return list_elements


def _scenarios(module: LoadedModule) -> Contents:
    return {
        name_of(part): hashlib.sha256(module.files.get(part.get("file", ""), b"")).hexdigest()
        for part in module.elements("PredefinedSetup")
        if part.get("isMenu") != "true"
    }


def _windows(module: LoadedModule) -> Contents:
    return {name_of(part): sorted(part.attrib.items()) for part in module.elements("Map")}


def _sides(module: LoadedModule) -> Contents:
    return {entry.text or "": "" for entry in module.elements("entry")}


def _lists(module: LoadedModule) -> dict[str, list[str]]:
    """The turn tracker's lists by name, each in order."""
    return {name_of(level): split(level.get("list", ""), ",") for level in module.elements("ListTurnLevel")}


def _phases(module: LoadedModule) -> Contents:
    return {f"{level}: {word}": number for level, words in _lists(module).items() for number, word in enumerate(words)}


COMPARED_PARTS: Mapping[str, Any] = {
    "pieces": _pieces,
    "pictures": _pictures,
    "prototypes": _elements_by_name("PrototypeDefinition"),
    "boards": _elements_by_name("Board"),
    "windows": _windows,
    "scenarios": _scenarios,
    "charts": _elements_by_name("Chart"),
    "properties": _elements_by_name("GlobalProperty"),
    "sides": _sides,
    "phases": _phases,
}


def reasons(old_module: LoadedModule, new_module: LoadedModule) -> Iterator[str]:
    """Why games saved under the old module fail under the new one, a sentence for each reason."""
    slots, new_slots, new_unit_ids = _slots(old_module), _slots(new_module), former_ids(new_module)
    for gpid, slot in slots.items():
        if gpid not in new_slots:
            yield f"the piece {gpid} ({name_of(slot)}) is missing from the palette: saves contain it, and VASSAL can't refresh it"
        elif unit_of(new_slots[gpid]) not in (unit := unit_of(slot), new_unit_ids.get(unit)):
            yield f"the id {gpid} was {unit_of(slot)} and is {unit_of(new_slots[gpid])}: pieces of saves would turn into others"
    for name in sorted(_used_pictures(old_module)):
        if f"images/{name}" in old_module.files and f"images/{name}" not in new_module.files:
            yield f"the picture {name} is missing: pieces in saves use it"
    windows, boards = _windows(new_module), dict(_boards(new_module))
    for window in _windows(old_module):
        if window not in windows:
            yield f"the window {window} is missing or renamed: saves have pieces in it"
    for (window, name), board in _boards(old_module):
        if (window, name) not in boards:
            yield f"the board {name} of {window} is missing or renamed: saves use it"
        else:
            yield from _moves(name, (old_module, board), (new_module, boards[window, name]))
    sides, lists = _sides(new_module), _lists(new_module)
    for side in _sides(old_module):
        if side not in sides:
            yield f"the side {side} is missing: a player of a save has it"
    for level, words in _lists(old_module).items():
        if lists.get(level, [])[: len(words)] != words:
            yield f"the order of {level} changed: saves keep its place by number"


def _used_pictures(module: LoadedModule) -> set[str]:
    """The pictures that pieces name."""
    return {name for traits in module.traits.values() for name in pictures_in("\t".join(traits))}


def _boards(module: LoadedModule) -> Iterator[tuple[tuple[str, str], Element]]:
    for window in module.elements("Map"):
        for part in window.iter():
            if kind_of(part) == "Board":
                yield (name_of(window), name_of(part)), part


def _moves(name: str, old: tuple[LoadedModule, Element], new: tuple[LoadedModule, Element]) -> Iterator[str]:
    sizes = [_size(module, board) for module, board in (old, new)]
    if sizes[0] != sizes[1]:
        was, new_size = ("x".join(map(str, size)) for size in sizes)
        yield f"the board {name} was {was} pixels and is {new_size}: pieces of saves would stand elsewhere"
    places, new_places = _grid(old[1]), _grid(new[1])
    for part, place in places.items():
        if new_places.get(part) != place:
            yield f"the grid of the board {name} moved ({part}): pieces of saves would stand elsewhere"


def _grid(board: Element) -> dict[str, tuple[str, ...]]:
    """The positions of the parts of a board's grid."""
    return {
        f"{kind_of(part)} {name_of(part)}".strip(): tuple(part.get(key, "") for key in GRID)
        for part in board.iter()
        if part is not board and any(key in part.attrib for key in GRID)
    }


def _size(module: LoadedModule, board: Element) -> tuple[int, int]:
    """The size of a board's picture in pixels."""
    head = module.files.get(f"images/{board.get('image', '')}", b"")[16:24]
    return int.from_bytes(head[:4], "big"), int.from_bytes(head[4:], "big")

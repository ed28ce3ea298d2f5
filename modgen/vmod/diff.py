"""Two modules compared: what came, what changed, what went, and whether games saved under the old one keep."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from modgen.vmod.opened import Element, Opened, kind_of, name_of, open_module, pictures_in, renamed
from modgen.vmod.targets import loose
from scenarios.vassal import MOST
from scenarios.vassal.commands import parted
from scenarios.vassal.sequence import split

GRID = ("sideways", "x0", "y0", "dx", "dy", "originx", "originy", "path")
Held = Mapping[str, object]


def compare(old: Path, new: Path, most: int = MOST) -> dict[str, Any]:
    """What changed from one module to another, and each reason why old saves or extensions break. Each may unpack to `most` bytes."""
    before, after = open_module(old, most), open_module(new, most)
    changes = {what: _changes(listed(before), listed(after)) for what, listed in LISTED.items()}
    breaks = list(reasons(before, after))
    hang = list(loose(before, after))
    return {
        "old": str(old),
        "new": str(new),
        "changes": changes,
        "breaks": breaks,
        "saves_keep": not breaks,
        "extensions": hang,
        "extensions_keep": not hang,
    }


def _changes(before: Held, after: Held) -> dict[str, list[str]]:
    return {
        "added": [name for name in after if name not in before],
        "changed": [name for name in before if name in after and before[name] != after[name]],
        "gone": [name for name in before if name not in after],
    }


def _slots(module: Opened) -> dict[str, Element]:
    return {slot.get("gpid", ""): slot for slot in module.all("PieceSlot")}


def _pieces(module: Opened) -> Held:
    return {f"{gpid} {unit_of(slot)}".strip(): (name_of(slot), slot.text) for gpid, slot in _slots(module).items()}


def unit_of(slot: Element) -> str:
    """The counter or marker that a slot is for; its name, where the slot doesn't say."""
    parts = split((slot.text or "").removeprefix("+/null/"), "/")
    if len(parts) > 1:
        for trait, state in zip(parted(parts[0]), parted(parts[1]), strict=False):
            if trait.startswith("mark;"):
                marks = dict(zip(split(trait[5:], ","), split(state, ","), strict=False))
                if marks.get("unit"):
                    return marks["unit"]
    return name_of(slot)


def _pictures(module: Opened) -> Held:
    return {
        name.removeprefix("images/"): hashlib.sha256(content).hexdigest()
        for name, content in sorted(module.files.items())
        if name.startswith("images/")
    }


def _named(*kinds: str) -> Any:
    """Elements of some kinds by name, each with all that is in it."""

    def listed(module: Opened) -> Held:
        return {
            name_of(part): (part.text, [sorted(inner.attrib.items()) for inner in part.iter()])
            for part in module.all(*kinds)
        }

    return listed


def _scenarios(module: Opened) -> Held:
    return {
        name_of(part): hashlib.sha256(module.files.get(part.get("file", ""), b"")).hexdigest()
        for part in module.all("PredefinedSetup")
        if part.get("isMenu") != "true"
    }


def _windows(module: Opened) -> Held:
    return {name_of(part): sorted(part.attrib.items()) for part in module.all("Map")}


def _sides(module: Opened) -> Held:
    return {entry.text or "": "" for entry in module.all("entry")}


def _lists(module: Opened) -> dict[str, list[str]]:
    """The turn tracker's lists by name, each in its order."""
    return {name_of(level): split(level.get("list", ""), ",") for level in module.all("ListTurnLevel")}


def _phases(module: Opened) -> Held:
    return {f"{level}: {word}": number for level, words in _lists(module).items() for number, word in enumerate(words)}


LISTED: Mapping[str, Any] = {
    "pieces": _pieces,
    "pictures": _pictures,
    "prototypes": _named("PrototypeDefinition"),
    "boards": _named("Board"),
    "windows": _windows,
    "scenarios": _scenarios,
    "charts": _named("Chart"),
    "properties": _named("GlobalProperty"),
    "sides": _sides,
    "phases": _phases,
}


def reasons(before: Opened, after: Opened) -> Iterator[str]:
    """Why games saved under the old module don't keep under the new one, each in a sentence."""
    slots, now, called = _slots(before), _slots(after), renamed(after)
    for gpid, slot in slots.items():
        if gpid not in now:
            yield f"the piece {gpid} ({name_of(slot)}) is gone from the palette: saves have it, and it can't be refreshed"
        elif unit_of(now[gpid]) not in (unit := unit_of(slot), called.get(unit)):
            yield f"the id {gpid} was {unit_of(slot)} and is {unit_of(now[gpid])}: pieces of saves would turn into others"
    for name in sorted(_worn(before)):
        if f"images/{name}" in before.files and f"images/{name}" not in after.files:
            yield f"the picture {name} is gone: pieces of saves wear it"
    windows, boards = _windows(after), dict(_boards(after))
    for window in _windows(before):
        if window not in windows:
            yield f"the window {window} is gone or has another name: pieces of saves stand in it"
    for (window, name), board in _boards(before):
        if (window, name) not in boards:
            yield f"the board {name} of {window} is gone or has another name: saves lay it out"
        else:
            yield from _moved(name, (before, board), (after, boards[window, name]))
    sides, lists = _sides(after), _lists(after)
    for side in _sides(before):
        if side not in sides:
            yield f"the side {side} is gone: a player of a save has it"
    for level, words in _lists(before).items():
        if lists.get(level, [])[: len(words)] != words:
            yield f"the order of {level} changed: saves keep its place by number"


def _worn(module: Opened) -> set[str]:
    """The pictures that pieces name."""
    return {name for traits in module.traits.values() for name in pictures_in("\t".join(traits))}


def _boards(module: Opened) -> Iterator[tuple[tuple[str, str], Element]]:
    for window in module.all("Map"):
        for part in window.iter():
            if kind_of(part) == "Board":
                yield (name_of(window), name_of(part)), part


def _moved(name: str, old: tuple[Opened, Element], new: tuple[Opened, Element]) -> Iterator[str]:
    sizes = [_size(module, board) for module, board in (old, new)]
    if sizes[0] != sizes[1]:
        was, now = ("x".join(map(str, size)) for size in sizes)
        yield f"the board {name} was {was} pixels and is {now}: pieces of saves would stand elsewhere"
    places, moved = _grid(old[1]), _grid(new[1])
    for part, place in places.items():
        if moved.get(part) != place:
            yield f"the grid of the board {name} moved ({part}): pieces of saves would stand elsewhere"


def _grid(board: Element) -> dict[str, tuple[str, ...]]:
    """Where the parts of a board's grid lie."""
    return {
        f"{kind_of(part)} {name_of(part)}".strip(): tuple(part.get(key, "") for key in GRID)
        for part in board.iter()
        if part is not board and any(key in part.attrib for key in GRID)
    }


def _size(module: Opened, board: Element) -> tuple[int, int]:
    """The pixels of a board's picture."""
    head = module.files.get(f"images/{board.get('image', '')}", b"")[16:24]
    return int.from_bytes(head[:4], "big"), int.from_bytes(head[4:], "big")

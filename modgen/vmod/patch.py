"""What a person changed in VASSAL's editor, kept as a patch of the pack that every later build applies.

`module.patch.json` lists changes by the way to their element; new and changed files lie in the folder `module.patch` beside it.
A change says what was there before. Where the next module has something else there, it no longer fits, and the build says where.
"""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from modgen.vmod.lock import CannotBuild
from modgen.vmod.opened import BUILD, DEEPEST, Element, kind_of, name_of, open_module, parse_elements
from scenarios.files import read_inside, write_all
from scenarios.reading.findings import plain_reason
from scenarios.vassal import MOST

NAME, FOLDER = "module.patch.json", "module.patch"
KEPT_FILES = re.compile(r"(images|sounds|help\w*)/[^/\\:]+(/[^/\\:]+)*|[^/\\:]+\.(html?|txt|vsav|properties)")
"""Files that a patch may bring: nothing that is a program."""
OWN_FILES = (BUILD, "moduledata")
ITSELF = {
    "GameModule": {"VassalVersion", "nextPieceSlotId"},
    "PieceSlot": {"width", "height"},
    "CardSlot": {"width", "height"},
    "ListWidget": {"width", "height", "divider"},
}
"""Attributes that the editor writes by itself."""
AUTOMATIC = {
    "option", "GlobalProperties", "GlobalTranslatableMessages", "HighlightLastMoved", "ZonedGridHighlighter", "Flare", "Language",
    "SelectionHighlighters", "KeyNamer", "Chatter", "StackMetrics", "ImageSaver", "StackExpander", "MenuDisplayer",
}  # fmt: skip
"""Parts that the editor adds by itself where they are missing."""
DEFAULTS = {
    ("GlobalOptions", "minMaxHeap"): "0",
    ("GlobalOptions", "purgeBlankPropertyPrompts"): "true",
    ("TurnTracker", "length"): "-1",
    ("TurnTracker", "plusButtonSize"): "22",
    ("DiceButton", "keepCount"): "1",
    ("DiceButton", "keepOption"): ">",
}
"""What the editor writes where an attribute is missing."""
NAMED_KEY = re.compile(r"(?<!\d)(?:57[3-9]|5[89]\d|6[0-3]\d)\d\d(?=\\*,0\\*,\w)")
"""The number of a keystroke that only has a name: the editor gives it anew each time."""
ANY_NUMBER = "57348"
"""The number that our builds give to all of them (`traits.named`)."""
ENGINE = "VASSAL."
PLAIN = {"entry", "setup", "option", "listView"}
"""Elements of the engine whose names aren't classes."""


def step_of(element: Element) -> str:
    """What an element is called among its siblings: its kind with its slot's id or name."""
    told = element.get("gpid", "") or name_of(element) or element.get("text", "") or element.get("title", "")
    return f"{kind_of(element)}:{told}" if told else kind_of(element)


def steps(parent: Element) -> dict[str, Element]:
    """The children of an element by what they are called; the second of a name has #2 behind it."""
    counted: Counter[str] = Counter()
    result = {}
    for child in parent:
        step = step_of(child)
        counted[step] += 1
        result[step if counted[step] == 1 else f"{step}#{counted[step]}"] = child
    return result


# --- making a patch ---------------------------------------------------------------------------------------------------


def make_patch(old: Path, new: Path, most: int = MOST) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The changes from one module to another, and the files that they bring."""
    before, after = open_module(old, most), open_module(new, most)
    usual = _written_by_itself(before.root, after.root)
    changes = list(_changes(before.root, after.root, (), usual))
    files: dict[str, Any] = {}
    content: dict[str, bytes] = {}
    for name in sorted({*before.files, *after.files}):
        if name in OWN_FILES or before.files.get(name) == after.files.get(name):
            continue
        if not KEPT_FILES.fullmatch(name) or ".." in name:
            raise ValueError(
                f"{new.name} has the new file {name[:80]!r}, which a patch can't keep: only pictures, sounds, texts and saves"
            )
        files[name] = {"was": _digest(before.files.get(name)), "now": _digest(after.files.get(name))}
        if name in after.files:
            content[name] = after.files[name]
    return {"patch": 1, "changes": changes, "files": files}, content


def write_patch(target: Path, patch: Mapping[str, Any], content: Mapping[str, bytes]) -> Path:
    """Write a patch into a pack's folder, or to a file of that name with the files beside it."""
    folder = target if target.is_dir() else target.parent
    if not target.is_dir() and target.name != NAME:
        raise ValueError(f"a patch is called {NAME}; name the pack's folder, or {target.with_name(NAME)}")
    path = folder / NAME
    text = json.dumps(patch, indent=1, ensure_ascii=False) + "\n"
    write_all([*((folder / FOLDER / name, held) for name, held in content.items()), (path, text.encode("utf-8"))])
    return path


def _digest(content: bytes | None) -> str | None:
    return hashlib.sha256(content).hexdigest()[:32] if content is not None else None


class _Matched(NamedTuple):
    """The children of two elements: those that are the same in both, those that went, those that came."""

    pairs: Mapping[str, tuple[Element, Element]]
    gone: Sequence[str]
    came: Sequence[str]
    order: Sequence[str]
    """Those of the second element, in their order."""


def _matched(old: Element, new: Element) -> _Matched:
    before, after = steps(old), steps(new)
    pairs = {step: (before[step], after[step]) for step in before if step in after}
    gone = [step for step in before if step not in pairs]
    came = [step for step in after if step not in pairs]
    for step in list(gone):
        # Something that only got another name is the only one of its kind that went, and the only one that came.
        alike = [
            [other for other in listed if other.partition(":")[0] == step.partition(":")[0]] for listed in (gone, came)
        ]
        if len(alike[0]) == len(alike[1]) == 1:
            pairs[step] = before[step], after[alike[1][0]]
            gone.remove(step)
            came.remove(alike[1][0])
    return _Matched(pairs, gone, came, list(after))


def _all_pairs(old: Element, new: Element) -> Iterator[tuple[Element, Element]]:
    yield old, new
    for one, other in _matched(old, new).pairs.values():
        yield from _all_pairs(one, other)


def _written_by_itself(old: Element, new: Element) -> set[tuple[str, str]]:
    """Attributes that all elements of a kind got that lacked them, with the same value: the editor's defaults."""
    got: dict[tuple[str, str], Counter[str]] = {}
    for one, other in _all_pairs(old, new):
        for key, value in other.attrib.items():
            if key not in one.attrib:
                got.setdefault((kind_of(other), key), Counter())[value] += 1
    return {pair for pair, values in got.items() if len(values) == 1 and values.total() > 1}


def _changes(old: Element, new: Element, way: tuple[str, ...], usual: set[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    changed = {
        key: [old.get(key), same_numbers(value)]
        for key, value in new.attrib.items()
        if old.get(key) != value and not _no_change(kind_of(new), key, old.get(key), value, usual)
    }
    if changed:
        yield {"at": list(way), "set": changed}
    before, now = (old.text or "").strip(), same_numbers((new.text or "").strip())
    if same_numbers(before) != now:
        yield {"at": list(way), "text": [before, now]}
    held, after = _matched(old, new), steps(new)
    for step, (one, other) in held.pairs.items():
        yield from _changes(one, other, (*way, step), usual)
    for step in held.gone:
        yield {"at": [*way, step], "remove": True}
    for step in held.came:
        if kind_of(after[step]) in AUTOMATIC and not len(after[step]):
            continue
        place = held.order.index(step)
        yield {"at": list(way), "add": _xml(after[step]), "after": held.order[place - 1] if place else None}


def _no_change(kind: str, key: str, was: str | None, now: str, usual: set[tuple[str, str]]) -> bool:
    if key in ITSELF.get(kind, ()):
        return True
    if was is None:
        return now in ("", "false") or (kind, key) in usual or DEFAULTS.get((kind, key)) == now
    return same_numbers(was) == same_numbers(now)


def same_numbers(text: str) -> str:
    """A text in which all keystrokes that only have a name have one number."""
    return NAMED_KEY.sub(ANY_NUMBER, text)


def _xml(element: Element) -> str:
    alone = copy.deepcopy(element)
    alone.tail = None
    return same_numbers(ElementTree.tostring(alone, encoding="unicode"))


# --- applying it ------------------------------------------------------------------------------------------------------


def patch_files(folder: Path) -> list[Path]:
    """The files of a pack's patch, if it has one."""
    path = folder / NAME
    return [path, *sorted(file for file in (folder / FOLDER).rglob("*") if file.is_file())] if path.is_file() else []


def apply_patch(folder: Path, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """A module's files with the patch of its pack; CannotBuild says every place where it no longer fits."""
    path = folder / NAME
    if not path.is_file():
        return dict(files)
    patch = _read(path)
    root = ElementTree.fromstring(files[BUILD])
    misfits: list[str] = []
    for change in patch["changes"]:
        misfits += _applied(root, change)
    result = dict(files)
    for name, held in patch["files"].items():
        misfits += _file(folder, result, name, held)
    if misfits:
        raise CannotBuild(
            f"{path} no longer fits:\n  "
            + "\n  ".join(misfits)
            + f"\n  take these changes out of {NAME}, or make it anew (docs/import.md)"
        )
    _number(root)
    ElementTree.indent(root, " ")
    head = b'<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
    text = ElementTree.tostring(root, encoding="utf-8")
    try:
        ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise CannotBuild(
            f"{path} writes what no build file can hold ({error}); make it anew with modgen diff OLD NEW --patch"
        ) from None
    return {**result, BUILD: head + text + b"\n"}


def _read(path: Path) -> dict[str, Any]:
    try:
        patch = json.loads(read_inside(path.parent, path))
        if patch["patch"] != 1:
            raise ValueError("it is no patch")
        for number, change in enumerate(patch["changes"], 1):
            if not _is_change(change):
                raise ValueError(f"change {number} isn't one")
        if not isinstance(patch["files"], dict) or not all(
            _texts(held, "was", "now") for held in patch["files"].values()
        ):
            raise ValueError("its files are no mapping of what they were and are")
    except OSError as error:
        raise CannotBuild(f"{path} can't be read ({error.strerror}); check its rights") from None
    except CannotBuild:
        raise
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CannotBuild(
            f"{path} is damaged ({plain_reason(error)}); make it anew with modgen diff OLD NEW --patch"
        ) from None
    return dict(patch)


def _is_change(change: Any) -> bool:
    """Whether this is a change as `make_patch` writes them."""
    if not isinstance(change, dict) or not isinstance(change.get("at"), list) or not _texts(change, "after"):
        return False
    if len(change["at"]) > DEEPEST:
        return False
    if "set" in change:
        return isinstance(change["set"], dict) and all(map(_is_pair, change["set"].values()))
    return _is_pair(change["text"]) if "text" in change else "remove" in change or isinstance(change.get("add"), str)


def _is_pair(value: Any) -> bool:
    """What something was and what it shall be: texts, or nothing."""
    return isinstance(value, list) and len(value) == 2 and all(one is None or isinstance(one, str) for one in value)


def _texts(held: Any, *keys: str) -> bool:
    """Whether what is held under some keys is a text, or isn't there."""
    return isinstance(held, dict) and all(held.get(key) is None or isinstance(held[key], str) for key in keys)


def _find(root: Element, way: list[str]) -> tuple[Element, Element | None] | str:
    """An element and what it lies in; the first step that isn't there."""
    here, above = root, None
    for step in way:
        below = steps(here).get(str(step))
        if below is None:
            return str(step)
        here, above = below, here
    return here, above


def _applied(root: Element, change: Mapping[str, Any]) -> Iterator[str]:
    way = " / ".join(str(step) for step in change["at"]) or "the module"
    found = _find(root, change["at"])
    if isinstance(found, str):
        if "remove" not in change:
            yield f"{way}: there is no {found} any more"
        return
    here, above = found
    if "set" in change:
        for key, pair in change["set"].items():
            was, now = pair
            if here.get(key) is not None and same_numbers(here.get(key, "")) not in (
                same_numbers(str(was)),
                same_numbers(str(now)),
            ):
                yield f"{way}: {key} was {was!r} and is {here.get(key)!r} now; the patch would make it {now!r}"
            else:
                here.set(str(key), str(now))
    elif "text" in change:
        was, now = change["text"]
        if same_numbers((here.text or "").strip()) not in (same_numbers(str(was)), same_numbers(str(now))):
            yield f"{way}: its text is another now"
        else:
            here.text = str(now)
    elif "remove" in change and above is not None:
        above.remove(here)
    elif "add" in change:
        yield from _add(root, here, change, way)


def _add(root: Element, here: Element, change: Mapping[str, Any], way: str) -> Iterator[str]:
    try:
        added = parse_elements(str(change["add"]))
    except (ElementTree.ParseError, ValueError) as error:
        yield f"{way}: what is to be added can't be read ({error})"
        return
    foreign = next(
        (part.tag for part in added.iter() if not part.tag.startswith(ENGINE) and part.tag not in PLAIN), None
    )
    if foreign is not None:
        yield f"{way}: {foreign} is no part of VASSAL's own; a pack brings no code"
        return
    step = step_of(added)
    if step in steps(here) and _xml(steps(here)[step]) != _xml(added):
        yield f"{way}: there is another {step} now"
        return
    taken = {part.get("gpid") for part in root.iter() if part.get("gpid")}
    clash = next(
        (part.get("gpid") for part in added.iter() if part.get("gpid") in taken and step not in steps(here)), None
    )
    if clash is not None:
        yield f"{way}: {step} has the id {clash}, which another piece has now; give it a new one"
        return
    if step in steps(here):
        return
    places = list(steps(here))
    after = change.get("after")
    here.insert(places.index(after) + 1 if after in places else len(places) if after is not None else 0, added)


def _number(root: Element) -> None:
    """The next id of a slot is higher than all that are there."""
    given = [int(part.get("gpid", "0")) for part in root.iter() if part.get("gpid", "").isdecimal()]
    held = root.get("nextPieceSlotId", "0")
    root.set("nextPieceSlotId", str(max([*(gpid + 1 for gpid in given), int(held) if held.isdecimal() else 0])))


def _file(folder: Path, files: dict[str, bytes], name: str, held: Mapping[str, Any]) -> Iterator[str]:
    if not KEPT_FILES.fullmatch(name) or ".." in name:
        yield f"{name[:80]!r} is no file that a patch may bring"
        return
    here = _digest(files.get(name))
    if here not in (held.get("was"), held.get("now")):
        yield f"{name}: the file is another now"
    elif held.get("now") is None:
        files.pop(name, None)
    else:
        kept = folder / FOLDER / name
        try:
            content = read_inside(folder, kept, MOST)
        except OSError as error:
            yield f"{kept} can't be read ({error.strerror})"
            return
        if _digest(content) != held.get("now"):
            yield f"{kept} isn't what {NAME} says; make the patch anew"
        else:
            files[name] = content

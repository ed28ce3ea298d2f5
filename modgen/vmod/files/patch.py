"""A person's changes in VASSAL's editor, kept as a patch of the pack. Every later build applies it.

`module.patch.json` lists changes by the path to their element. New and changed files are in the folder `module.patch`
beside it. A change records the old value. If the next module has a different value there, the patch no longer fits,
and the build names the place.
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

from modgen.vmod.files.loaded_module import BUILD, DEEPEST, Element, kind_of, name_of, open_module, parse_elements
from modgen.vmod.files.lock import CannotBuild
from scenarios.files import read_inside, write_all
from scenarios.reading.findings import plain_reason
from scenarios.vassal import MAX_BYTES

NAME, FOLDER = "module.patch.json", "module.patch"
KEPT_FILES = re.compile(r"(images|sounds|help\w*)/[^/\\:]+(/[^/\\:]+)*|[^/\\:]+\.(html?|txt|vsav|properties)")
"""Files that a patch may contain; none of them is a program."""
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
"""Parts that the editor adds by itself if they are missing."""
DEFAULTS = {
    ("GlobalOptions", "minMaxHeap"): "0",
    ("GlobalOptions", "purgeBlankPropertyPrompts"): "true",
    ("TurnTracker", "length"): "-1",
    ("TurnTracker", "plusButtonSize"): "22",
    ("DiceButton", "keepCount"): "1",
    ("DiceButton", "keepOption"): ">",
}
"""The values that the editor writes for missing attributes."""
NAMED_KEY = re.compile(r"(?<!\d)(?:57[3-9]|5[89]\d|6[0-3]\d)\d\d(?=\\*,0\\*,\w)")
"""The number of a keystroke that has only a name. The editor assigns a new one each time."""
ANY_NUMBER = "57348"
"""The number that Mitla's builds write for all of them (`traits.named_key`)."""
ENGINE = "VASSAL."
PLAIN_ELEMENTS = {"entry", "setup", "option", "listView"}
"""Elements of the engine whose names aren't classes."""


def step_of(element: Element) -> str:
    """The name of an element among its siblings: its kind, with its slot's id or its name."""
    identifier = element.get("gpid", "") or name_of(element) or element.get("text", "") or element.get("title", "")
    return f"{kind_of(element)}:{identifier}" if identifier else kind_of(element)


def steps(parent: Element) -> dict[str, Element]:
    """The children of an element by name. The second child of a name has #2 after it."""
    step_counts: Counter[str] = Counter()
    result = {}
    for child in parent:
        step = step_of(child)
        step_counts[step] += 1
        result[step if step_counts[step] == 1 else f"{step}#{step_counts[step]}"] = child
    return result


# --- making a patch ---------------------------------------------------------------------------------------------------


def make_patch(old: Path, new: Path, max_bytes: int = MAX_BYTES) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The changes from one module to another, and the new and changed files."""
    old_module, new_module = open_module(old, max_bytes), open_module(new, max_bytes)
    usual = _written_by_itself(old_module.root, new_module.root)
    changes = list(_changes(old_module.root, new_module.root, (), usual))
    files: dict[str, Any] = {}
    content: dict[str, bytes] = {}
    for name in sorted({*old_module.files, *new_module.files}):
        if name in OWN_FILES or old_module.files.get(name) == new_module.files.get(name):
            continue
        if not KEPT_FILES.fullmatch(name) or ".." in name:
            raise ValueError(
                f"{new.name} has the new file {name[:80]!r}, which a patch can't keep: only pictures, sounds, texts and saves"
            )
        files[name] = {"was": _digest(old_module.files.get(name)), "now": _digest(new_module.files.get(name))}
        if name in new_module.files:
            content[name] = new_module.files[name]
    return {"patch": 1, "changes": changes, "files": files}, content


def write_patch(target: Path, patch: Mapping[str, Any], content: Mapping[str, bytes]) -> Path:
    """Write a patch into a pack's folder, or to a file of that name with its files beside it."""
    folder = target if target.is_dir() else target.parent
    if not target.is_dir() and target.name != NAME:
        raise ValueError(f"a patch is called {NAME}; name the pack's folder, or {target.with_name(NAME)}")
    path = folder / NAME
    text = json.dumps(patch, indent=1, ensure_ascii=False) + "\n"
    write_all(
        [*((folder / FOLDER / name, file_bytes) for name, file_bytes in content.items()), (path, text.encode("utf-8"))]
    )
    return path


def _digest(content: bytes | None) -> str | None:
    return hashlib.sha256(content).hexdigest()[:32] if content is not None else None


class _Match(NamedTuple):
    """The children of two elements: the same in both, removed, or added."""

    pairs: Mapping[str, tuple[Element, Element]]
    removed: Sequence[str]
    came: Sequence[str]
    order: Sequence[str]
    """The children of the second element, in order."""


def _match_elements(old: Element, new: Element) -> _Match:
    old_children, new_children = steps(old), steps(new)
    pairs = {step: (old_children[step], new_children[step]) for step in old_children if step in new_children}
    removed_steps = [step for step in old_children if step not in pairs]
    came = [step for step in new_children if step not in pairs]
    for step in list(removed_steps):
        # A renamed part is the only one of its kind that was removed, and the only one that was added.
        same_kind_steps = [
            [other_step for other_step in step_list if other_step.partition(":")[0] == step.partition(":")[0]]
            for step_list in (removed_steps, came)
        ]
        if len(same_kind_steps[0]) == len(same_kind_steps[1]) == 1:
            pairs[step] = old_children[step], new_children[same_kind_steps[1][0]]
            removed_steps.remove(step)
            came.remove(same_kind_steps[1][0])
    return _Match(pairs, removed_steps, came, list(new_children))


def _all_pairs(old: Element, new: Element) -> Iterator[tuple[Element, Element]]:
    yield old, new
    for old_child, new_child in _match_elements(old, new).pairs.values():
        yield from _all_pairs(old_child, new_child)


def _written_by_itself(old: Element, new: Element) -> set[tuple[str, str]]:
    """Attributes that all elements of a kind lacked and now have with the same value: the editor's defaults."""
    got: dict[tuple[str, str], Counter[str]] = {}
    for old_element, new_element in _all_pairs(old, new):
        for key, value in new_element.attrib.items():
            if key not in old_element.attrib:
                got.setdefault((kind_of(new_element), key), Counter())[value] += 1
    return {pair for pair, values in got.items() if len(values) == 1 and values.total() > 1}


def _changes(old: Element, new: Element, way: tuple[str, ...], usual: set[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    changed_attributes = {
        key: [old.get(key), same_numbers(value)]
        for key, value in new.attrib.items()
        if old.get(key) != value and not _no_change(kind_of(new), key, old.get(key), value, usual)
    }
    if changed_attributes:
        yield {"at": list(way), "set": changed_attributes}
    old_text, new_text = (old.text or "").strip(), same_numbers((new.text or "").strip())
    if same_numbers(old_text) != new_text:
        yield {"at": list(way), "text": [old_text, new_text]}
    matches, new_children = _match_elements(old, new), steps(new)
    for step, (old_child, new_child) in matches.pairs.items():
        yield from _changes(old_child, new_child, (*way, step), usual)
    for step in matches.removed:
        yield {"at": [*way, step], "remove": True}
    for step in matches.came:
        if kind_of(new_children[step]) in AUTOMATIC and not len(new_children[step]):
            continue
        place = matches.order.index(step)
        yield {"at": list(way), "add": _xml(new_children[step]), "after": matches.order[place - 1] if place else None}


def _no_change(kind: str, key: str, was: str | None, new_value: str, usual: set[tuple[str, str]]) -> bool:
    if key in ITSELF.get(kind, ()):
        return True
    if was is None:
        return new_value in ("", "false") or (kind, key) in usual or DEFAULTS.get((kind, key)) == new_value
    return same_numbers(was) == same_numbers(new_value)


def same_numbers(text: str) -> str:
    """A text in which all keystrokes that have only a name have the same number."""
    return NAMED_KEY.sub(ANY_NUMBER, text)


def _xml(element: Element) -> str:
    element_copy = copy.deepcopy(element)
    element_copy.tail = None
    return same_numbers(ElementTree.tostring(element_copy, encoding="unicode"))


# --- applying it ------------------------------------------------------------------------------------------------------


def patch_files(folder: Path) -> list[Path]:
    """The files of a pack's patch, if it has one."""
    path = folder / NAME
    return [path, *sorted(file for file in (folder / FOLDER).rglob("*") if file.is_file())] if path.is_file() else []


def apply_patch(folder: Path, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """A module's files after the pack's patch. Raises CannotBuild with every place where the patch no longer fits."""
    path = folder / NAME
    if not path.is_file():
        return dict(files)
    patch = _read(path)
    root = ElementTree.fromstring(files[BUILD])
    misfits: list[str] = []
    for change in patch["changes"]:
        misfits += _apply(root, change)
    result = dict(files)
    for name, file_change in patch["files"].items():
        misfits += _file(folder, result, name, file_change)
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
            _texts(file_change, "was", "now") for file_change in patch["files"].values()
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
    """Whether this is a pair of an old and a new value: each a text or nothing."""
    return isinstance(value, list) and len(value) == 2 and all(text is None or isinstance(text, str) for text in value)


def _texts(record: Any, *keys: str) -> bool:
    """Whether the values of these keys are texts or missing."""
    return isinstance(record, dict) and all(record.get(key) is None or isinstance(record[key], str) for key in keys)


def _find(root: Element, way: list[str]) -> tuple[Element, Element | None] | str:
    """An element and its parent, or the first step of the path that doesn't exist."""
    element, parent = root, None
    for step in way:
        child = steps(element).get(str(step))
        if child is None:
            return str(step)
        element, parent = child, element
    return element, parent


def _apply(root: Element, change: Mapping[str, Any]) -> Iterator[str]:
    way = " / ".join(str(step) for step in change["at"]) or "the module"
    location = _find(root, change["at"])
    if isinstance(location, str):
        if "remove" not in change:
            yield f"{way}: there is no {location} any more"
        return
    element, parent = location
    if "set" in change:
        for key, pair in change["set"].items():
            was, new_value = pair
            if element.get(key) is not None and same_numbers(element.get(key, "")) not in (
                same_numbers(str(was)),
                same_numbers(str(new_value)),
            ):
                yield f"{way}: {key} was {was!r} and is {element.get(key)!r} now; the patch would make it {new_value!r}"
            else:
                element.set(str(key), str(new_value))
    elif "text" in change:
        was, new_value = change["text"]
        if same_numbers((element.text or "").strip()) not in (same_numbers(str(was)), same_numbers(str(new_value))):
            yield f"{way}: its text is another now"
        else:
            element.text = str(new_value)
    elif "remove" in change and parent is not None:
        parent.remove(element)
    elif "add" in change:
        yield from _add(root, element, change, way)


def _add(root: Element, parent: Element, change: Mapping[str, Any], way: str) -> Iterator[str]:
    try:
        new_element = parse_elements(str(change["add"]))
    except (ElementTree.ParseError, ValueError) as error:
        yield f"{way}: what is to be added can't be read ({error})"
        return
    foreign = next(
        (part.tag for part in new_element.iter() if not part.tag.startswith(ENGINE) and part.tag not in PLAIN_ELEMENTS),
        None,
    )
    if foreign is not None:
        yield f"{way}: {foreign} is no part of VASSAL's own; a pack brings no code"
        return
    step = step_of(new_element)
    if step in steps(parent) and _xml(steps(parent)[step]) != _xml(new_element):
        yield f"{way}: there is another {step} now"
        return
    used_ids = {part.get("gpid") for part in root.iter() if part.get("gpid")}
    clash = next(
        (part.get("gpid") for part in new_element.iter() if part.get("gpid") in used_ids and step not in steps(parent)),
        None,
    )
    if clash is not None:
        yield f"{way}: {step} has the id {clash}, which another piece has now; give it a new one"
        return
    if step in steps(parent):
        return
    places = list(steps(parent))
    previous_step = change.get("after")
    parent.insert(
        places.index(previous_step) + 1 if previous_step in places else len(places) if previous_step is not None else 0,
        new_element,
    )


def _number(root: Element) -> None:
    """Set the next slot id higher than all existing ones."""
    slot_ids = [int(part.get("gpid", "0")) for part in root.iter() if part.get("gpid", "").isdecimal()]
    next_id = root.get("nextPieceSlotId", "0")
    root.set(
        "nextPieceSlotId", str(max([*(gpid + 1 for gpid in slot_ids), int(next_id) if next_id.isdecimal() else 0]))
    )


def _file(folder: Path, files: dict[str, bytes], name: str, file_change: Mapping[str, Any]) -> Iterator[str]:
    if not KEPT_FILES.fullmatch(name) or ".." in name:
        yield f"{name[:80]!r} is no file that a patch may bring"
        return
    current_digest = _digest(files.get(name))
    if current_digest not in (file_change.get("was"), file_change.get("now")):
        yield f"{name}: the file is another now"
    elif file_change.get("now") is None:
        files.pop(name, None)
    else:
        source_path = folder / FOLDER / name
        try:
            content = read_inside(folder, source_path, MAX_BYTES)
        except OSError as error:
            yield f"{source_path} can't be read ({error.strerror})"
            return
        if _digest(content) != file_change.get("now"):
            yield f"{source_path} isn't what {NAME} says; make the patch anew"
        else:
            files[name] = content

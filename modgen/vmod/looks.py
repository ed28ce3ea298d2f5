"""What can be wrong with a module by itself: pictures, prototypes, ids, keys, menus, expressions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree

from modgen.vmod.expressions import BadExpression, bare_ids, parse
from modgen.vmod.opened import Opened, definitions, kind_of, name_of, traits_of
from scenarios.vassal.sequence import split

PICTURED = ("image", "fileName", "icon")
BUTTONS: Mapping[str, tuple[str, ...]] = {
    "ChangePropertyButton": ("hotkey",),
    "DoActionButton": ("hotkey",),
    "GlobalKeyCommand": ("buttonHotkey",),
    "MassKeyCommand": ("buttonHotkey",),
    "TurnTracker": ("hotkey", "nexthotkey", "prevhotkey"),
    "Map": ("hotkey",),
    "PieceWindow": ("hotkey",),
    "ChartWindow": ("hotkey",),
    "Inventory": ("hotkey",),
    "NotesWindow": ("hotkey",),
    "DiceButton": ("hotkey",),
    "LOS_Thread": ("hotkey",),
    "GlobalMap": ("hotkey",),
    "HidePiecesButton": ("hotkey",),
}
"""The keys that buttons answer to; what they send on is no key of theirs."""
TEXTS = ("text", "buttonText", "buttonName")
"""Where elements keep the text of their button."""
COMMANDS: Mapping[str, tuple[tuple[int, int], ...]] = {
    "emb2": ((0, 26), (3, 27), (9, 10)),
    "delete": ((0, 1),),
    "clone": ((0, 1),),
    "sendto": ((0, 1), (6, 7)),
    "macro": ((1, 2),),
    "footprint": ((1, 0),),
    "markmoved": ((3, 4),),
    "AreaOfEffect": ((4, 5),),
    "placemark": ((0, 1),),
    "replace": ((0, 1),),
    "globalkey": ((0, 1),),
}
"""Where a trait keeps the names and keys of its commands."""


def metadata(module: Opened) -> Iterator[str]:
    """What the module manager reads must be what the module says."""
    try:
        data = ElementTree.fromstring(module.files.get("moduledata", b"<data/>"))
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        yield f"moduledata can't be read ({error}); build the module again"
        return
    for key in ("version", "VassalVersion"):
        if data.findtext(key) != module.root.get(key):
            yield f"moduledata and buildFile.xml differ in {key}: {data.findtext(key)} and {module.root.get(key)}"


def pictures(module: Opened) -> Iterator[str]:
    """Every picture that is named is there, and every one that is there is named."""
    there = {name.removeprefix("images/") for name in module.files if name.startswith("images/")}
    wanted: dict[str, str] = {}
    for element in module.root.iter():
        for key in PICTURED:
            name = element.get(key, "")
            if name.endswith((".png", ".svg", ".gif")) and not name.startswith("/images/"):
                wanted.setdefault(name, f"{kind_of(element)} {name_of(element)}".strip())
    for piece, traits in definitions(module):
        for name in re.findall(r"[\w.-]+\.(?:png|svg|gif)", "\t".join(traits)):
            wanted.setdefault(name, piece)
    for name, where in wanted.items():
        if name not in there:
            yield f"{where} needs the picture {name}, which isn't there"
    for name in sorted(there - set(wanted)):
        yield f"nothing needs the picture {name}"


def ids(module: Opened) -> Iterator[str]:
    """Every slot of the palette has an id of its own, lower than the next."""
    found = Counter(slot.get("gpid", "") for slot in module.all("PieceSlot"))
    for slot in module.all("PieceSlot"):
        gpid = slot.get("gpid", "")
        if not gpid.isdecimal():
            yield f"{name_of(slot)} has no proper id, but {gpid!r}"
        elif f";{gpid};" not in (slot.text or ""):
            yield f"{name_of(slot)} has the id {gpid} in the palette and another in its own state"
    for gpid, count in found.items():
        if count > 1:
            yield f"the id {gpid} belongs to {count} pieces of the palette"
    highest = max((int(gpid) for gpid in found if gpid.isdecimal()), default=0)
    if int(module.root.get("nextPieceSlotId", "0")) <= highest:
        yield f"the next id would be {module.root.get('nextPieceSlotId')}, but {highest} is in use"


def prototypes(module: Opened) -> Iterator[str]:
    """Every prototype that a piece is built on is there."""
    known = {element.get("name") for element in module.all("PrototypeDefinition")}
    for piece, traits in definitions(module):
        for trait in traits:
            if trait.startswith("prototype;") and based(trait) not in known:
                yield f"{piece} is built on the prototype {based(trait)!r}, which isn't there"


def based(trait: str) -> str:
    """The prototype that a trait names."""
    return split(trait.removeprefix("prototype;"), ";")[0]


def commands(trait: str) -> Iterator[tuple[str, str]]:
    """The commands of a trait that stand in its menu: name and key."""
    kind, _, rest = trait.partition(";")
    fields = split(rest, ";")
    if kind in ("PROP", "setprop") and len(fields) > 2:
        for listed in split(fields[2], ","):
            parts = split(listed, ":")
            if len(parts) > 1 and parts[0]:
                yield parts[0], parts[1]
    for name, key in COMMANDS.get(kind, ()):
        if max(name, key) < len(fields) and fields[name] and fields[key]:
            yield fields[name], fields[key]


def keys(module: Opened) -> Iterator[str]:
    """No two commands of a piece have one key, no two buttons, and no button has that of a command."""
    made = {name_of(e): traits_of(e.text or "") for e in module.all("PrototypeDefinition")}

    def expanded(traits: list[str]) -> Iterator[str]:
        for trait in traits:
            if trait.startswith("prototype;"):
                yield from expanded(made.get(based(trait), []))
            else:
                yield trait

    pieces: dict[str, str] = {}
    said = set()
    for slot in module.all("PieceSlot"):
        own: dict[str, str] = {}
        for trait in expanded(traits_of(slot.text or "")):
            for name, key in commands(trait):
                if own.setdefault(key, name) != name and (name, key) not in said:
                    said.add((name, key))
                    yield f"{name_of(slot)} has {own[key]!r} and {name!r} on one key, {shown(key)}"
                pieces.setdefault(key, name)
    buttons: dict[str, str] = {}
    for element in module.root.iter():
        for attribute in BUTTONS.get(kind_of(element), ()):
            key, name = element.get(attribute, ""), name_of(element) or kind_of(element)
            if key and key in buttons:
                yield f"{buttons[key]!r} and {name!r} have one key, {shown(key)}"
            elif key and key in pieces:
                yield f"{name!r} has the key of the pieces' {pieces[key]!r}, {shown(key)}"
            if key:
                buttons.setdefault(key, name)


def menus(module: Opened) -> Iterator[str]:
    """Every entry of a menu is the text of one button: the engine finds buttons by their texts."""
    windows = {inner for window in module.all("Map", "PrivateMap") for inner in window.iter() if inner is not window}
    texts: Counter[str] = Counter()
    for element in module.root.iter():
        if element not in windows:
            texts.update(held for name in TEXTS if (held := element.get(name, "")))
    for made in module.all("ToolbarMenu"):
        for entry in split(made.get("menuItems", ""), ","):
            if texts[entry] != 1:
                how = "no button is called so" if not texts[entry] else f"{texts[entry]} buttons are called so"
                yield f"the menu {made.get('text')!r} has an entry {entry!r}, and {how}"


def shown(key: str) -> str:
    """A keystroke as a person reads it."""
    code, _, rest = key.partition(",")
    modifiers, _, name = rest.partition(",")
    if name:
        return name
    held = int(modifiers) if modifiers.isdecimal() else 0
    before = [word for bit, word in ((128, "Ctrl"), (64, "Shift"), (512, "Alt")) if held & bit]
    return "+".join([*before, chr(int(code)) if code.isdecimal() else code])


def expressions(module: Opened) -> Iterator[str]:
    """Every expression can be read by the engine and compares no name as a number."""
    for element in module.root.iter():
        for key, text in element.attrib.items():
            if key != "initialValue":
                yield from _bad(f"{kind_of(element)} {name_of(element)}", _found(text))
    for piece, traits in definitions(module):
        for trait in traits:
            if not trait.startswith("mark;"):
                yield from _bad(piece, _dynamic(trait) if trait.startswith(("PROP;", "setprop;")) else _found(trait))


def _dynamic(trait: str) -> Iterator[str]:
    """The expressions of a property that commands change."""
    for listed in split(split(trait, ";")[3], ","):
        change = split([*split(listed, ":"), "", ""][2], ",")
        yield from (text[1:-1] for text in change[1:] if text.startswith("{") and text.endswith("}"))


def _found(text: str, delimiters: str = ";,:|") -> Iterator[str]:
    """The expressions of a text, however deep they stand in sequences."""
    if text.startswith("{") and text.endswith("}"):
        yield text[1:-1]
        return
    for i, delimiter in enumerate(delimiters):
        if delimiter in text and "{" in text:
            for part in split(text, delimiter):
                yield from _found(part, delimiters if part != text else delimiters[i + 1 :])
            return


def _bad(where: str, found: Iterator[str]) -> Iterator[str]:
    for text in found:
        try:
            for compared in bare_ids(parse(text)):
                yield f"{where.strip()}: {compared} compares a name as a number; put it in quotes"
        except BadExpression as error:
            yield f"{where.strip()}: the engine can't read {{{text[:60]}{'...' if len(text) > 60 else ''}}}: {error}"

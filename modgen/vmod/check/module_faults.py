"""Faults that a module can have by itself: pictures, prototypes, ids, keys, menus, expressions."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree

from modgen.vmod.check.java_expressions import BadExpression, bare_ids, parse
from modgen.vmod.files.keys import engine_key
from modgen.vmod.files.loaded_module import (
    PICTURES,
    LoadedModule,
    definitions,
    former_ids,
    kind_of,
    name_of,
    pictures_in,
)
from scenarios.reading.findings import plain_reason
from scenarios.vassal.sequence import split

Command = tuple[str, str]
"""The name of a menu command, and its key."""
NUMBER = re.compile(r"[0-9]{1,9}")
MOST_COMMANDS = 1000
"""More commands than any piece has."""
LONG = 100
"""The number of characters of a name in a message."""
DEEPEST = 20
"""The greatest depth of nested sequences; real modules reach five."""
PICTURE_ATTRIBUTES = ("image", "fileName", "icon", "buttonIcon")
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
    "MoveCameraButton": ("hotkey",),
    "MapShader": ("hotkey",),
}
"""The attributes with the keys that buttons respond to. The keys that a button sends aren't its own."""
TEXTS = ("text", "buttonText", "buttonName")
"""The attributes with the text of an element's button."""
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
"""The positions in a trait of its commands' names and keys."""


def metadata(module: LoadedModule) -> Iterator[str]:
    """Checks that the metadata for the module manager agrees with the module."""
    try:
        data = ElementTree.fromstring(module.files.get("moduledata", b"<data/>"))
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        yield f"moduledata can't be read ({plain_reason(error)}); build the module again"
        return
    for key in ("version", "VassalVersion"):
        if data.findtext(key) != module.root.get(key):
            either = f"{data.findtext(key) or 'nothing'} and {module.root.get(key) or 'nothing'}"
            yield f"moduledata and buildFile.xml differ in {key}: {either}"


FAMILY = re.compile(r"src=([\w-]+)\$1\.png")
"""Pictures that a label names by an expression. All their names begin alike."""


def pictures(module: LoadedModule) -> Iterator[str]:
    """Checks that every named picture exists and every existing picture is named."""
    picture_names = {name.removeprefix("images/") for name in module.files if name.startswith("images/")}
    users_by_picture: dict[str, str] = {}
    for element in module.root.iter():
        for key in PICTURE_ATTRIBUTES:
            name = element.get(key, "")
            if name.endswith(PICTURES) and not name.startswith("/images/"):
                users_by_picture.setdefault(name, f"{kind_of(element)} {name_of(element)}".strip())
    for piece, traits in definitions(module):
        for name in pictures_in("\t".join(traits)):
            users_by_picture.setdefault(name, piece)
    family_prefixes = tuple(
        prefix for slot in module.elements("PieceSlot") for prefix in FAMILY.findall(slot.text or "")
    )
    for name, user in users_by_picture.items():
        if name not in picture_names:
            yield f"{user} needs the picture {name[:LONG]}, which is missing"
    for name in sorted(picture_names - set(users_by_picture) - of_renamed(module)):
        if not (family_prefixes and name.startswith(family_prefixes)):
            yield f"nothing needs the picture {name}"


def of_renamed(module: LoadedModule) -> set[str]:
    """The pictures that only pieces of old saves use: those of counters whose id has changed."""
    return {f"{old}{end}.png" for old in former_ids(module) for end in ("", "-back")}


def ids(module: LoadedModule) -> Iterator[str]:
    """Checks that every palette slot has its own id, lower than the next free id."""
    gpid_counts = Counter(slot.get("gpid", "") for slot in module.elements("PieceSlot"))
    for slot in module.elements("PieceSlot"):
        gpid = slot.get("gpid", "")
        if whole_number(gpid) is None:
            yield f"{name_of(slot)} has no proper id, but {gpid[:20]!r}"
        elif f";{gpid};" not in (slot.text or ""):
            yield f"{name_of(slot)} has the id {gpid} in the palette and another in its own state"
    for gpid, count in gpid_counts.items():
        if count > 1:
            yield f"the id {gpid} belongs to {count} pieces of the palette"
    highest = max((whole_number(gpid) or 0 for gpid in gpid_counts), default=0)
    next_id = module.root.get("nextPieceSlotId", "0")
    following = whole_number(next_id)
    if following is None:
        yield f"the next id would be {next_id[:20]!r}, which is no number"
    elif following <= highest:
        yield f"the next id would be {following}, but {highest} is in use"


def whole_number(text: str) -> int | None:
    """The value of a text if it is a whole number of up to nine digits."""
    return int(text) if NUMBER.fullmatch(text) else None


def prototypes(module: LoadedModule) -> Iterator[str]:
    """Checks that every prototype that a piece uses exists, and that none uses itself."""
    prototype_names = {element.get("name") for element in module.elements("PrototypeDefinition")}
    for piece, traits in definitions(module):
        for name in bases(traits):
            if name not in prototype_names:
                yield f"{piece} is built on the prototype {name!r}, which is missing"
    bases_by_name = {name_of(e): bases(module.traits[e]) for e in module.elements("PrototypeDefinition")}
    _, circles = from_the_ground(bases_by_name)
    for name in circles:
        yield f"the prototype {name!r} is built on itself: the engine gives up on pieces that have it"


def bases(traits: list[str]) -> list[str]:
    """The prototypes that traits name."""
    return [split(trait.removeprefix("prototype;"), ";")[0] for trait in traits if trait.startswith("prototype;")]


def from_the_ground(bases_by_name: Mapping[str, list[str]]) -> tuple[list[str], list[str]]:
    """Prototypes in an order in which each follows those that it uses; and the prototypes that use themselves."""
    order: list[str] = []
    circles: list[str] = []
    started_names: set[str] = set()
    done: set[str] = set()
    for first in bases_by_name:
        waiting = [(first, False)]
        while waiting:
            name, ready = waiting.pop()
            if ready:
                order.append(name)
                done.add(name)
            elif name not in started_names:
                started_names.add(name)
                waiting.append((name, True))
                for base in bases_by_name[name]:
                    if base in bases_by_name and base in started_names and base not in done:
                        circles.append(base)
                    elif base in bases_by_name and base not in started_names:
                        waiting.append((base, False))
    return order, list(dict.fromkeys(circles))


def commands(trait: str) -> Iterator[Command]:
    """The menu commands of a trait: name and key."""
    kind, _, trait_body = trait.partition(";")
    fields = split(trait_body, ";")
    if kind in ("PROP", "setprop") and len(fields) > 2:
        for entry in split(fields[2], ","):
            parts = split(entry, ":")
            if len(parts) > 1 and parts[0]:
                yield parts[0], parts[1]
    for name, key in COMMANDS.get(kind, ()):
        if max(name, key) < len(fields) and fields[name] and fields[key]:
            yield fields[name], fields[key]


def all_commands(traits: list[str], prototype_commands: Mapping[str, list[Command]]) -> list[Command]:
    """The commands of traits and of the prototypes that they name, each once, in order."""
    unique_commands: dict[Command, None] = {}
    for trait in traits:
        prototype_names = bases([trait])
        unique_commands |= dict.fromkeys(
            prototype_commands.get(prototype_names[0], ()) if prototype_names else commands(trait)
        )
        if len(unique_commands) > MOST_COMMANDS:
            break
    return list(unique_commands)


def keys(module: LoadedModule) -> Iterator[str]:
    """Checks that no two commands of a piece share a key, nor two buttons, nor a button and a command."""
    prototype_traits = {name_of(e): module.traits[e] for e in module.elements("PrototypeDefinition")}
    prototype_commands: dict[str, list[Command]] = {}
    for prototype in from_the_ground({name: bases(traits) for name, traits in prototype_traits.items()})[0]:
        prototype_commands[prototype] = all_commands(prototype_traits[prototype], prototype_commands)
    pieces: dict[str, str] = {}
    reported_commands = set()
    for slot in module.elements("PieceSlot"):
        slot_commands: dict[str, str] = {}
        for name, key in all_commands(module.traits[slot], prototype_commands):
            if slot_commands.setdefault(key, name) != name and (name, key) not in reported_commands:
                reported_commands.add((name, key))
                yield f"{name_of(slot)} has {slot_commands[key]!r} and {name!r} on one key, {display_key(key)}"
            if key not in pieces and (purpose := engine_key(key)):
                yield f"{name_of(slot)}: {name!r} has a key of the engine's own, {display_key(key)}: {purpose}"
            pieces.setdefault(key, name)
    buttons: dict[str, str] = {}
    for element in module.root.iter():
        for attribute in BUTTONS.get(kind_of(element), ()):
            key, name = element.get(attribute, ""), name_of(element) or kind_of(element)
            if kind_of(element) in ("MoveCameraButton", "ChangePropertyButton") and key.count(",") > 1:
                continue  # one named command moves the camera of several windows, or changes several properties
            if purpose := engine_key(key):
                yield f"{name!r} has a key of the engine's own, {display_key(key)}: {purpose}"
            if key and key in buttons:
                yield f"{buttons[key]!r} and {name!r} have one key, {display_key(key)}"
            elif key and key in pieces:
                yield f"{name!r} has the key of the pieces' {pieces[key]!r}, {display_key(key)}"
            if key:
                buttons.setdefault(key, name)


def menus(module: LoadedModule) -> Iterator[str]:
    """Checks that every entry of a menu is the text of one button, because the engine finds buttons by their texts."""
    windows = {
        inner for window in module.elements("Map", "PrivateMap") for inner in window.iter() if inner is not window
    }
    texts: Counter[str] = Counter()
    for element in module.root.iter():
        if element not in windows:
            texts.update(button_text for name in TEXTS if (button_text := element.get(name, "")))
    for toolbar_menu in module.elements("ToolbarMenu"):
        for entry in split(toolbar_menu.get("menuItems", ""), ","):
            if texts[entry] != 1:
                problem = "there is no such button" if not texts[entry] else f"{texts[entry]} buttons have this name"
                yield f"the menu {toolbar_menu.get('text')!r} has an entry {entry!r}, and {problem}"


def display_key(key: str) -> str:
    """A keystroke as a person reads it."""
    code, _, remainder = key.partition(",")
    modifiers, _, name = remainder.partition(",")
    if name:
        return name
    modifier_bits, letter = whole_number(modifiers) or 0, whole_number(code)
    modifier_words = [word for bit, word in ((128, "Ctrl"), (64, "Shift"), (512, "Alt")) if modifier_bits & bit]
    return "+".join([*modifier_words, chr(letter) if letter is not None and letter <= sys.maxunicode else code])


def expressions(module: LoadedModule) -> Iterator[str]:
    """Checks that the engine can read every expression and that none compares a name as a number."""
    for element in module.root.iter():
        for key, text in element.attrib.items():
            if key != "initialValue":
                yield from _bad(f"{kind_of(element)} {name_of(element)}", _find_expressions(text))
    for piece, traits in definitions(module):
        for trait in traits:
            if not trait.startswith("mark;"):
                yield from _bad(
                    piece, _dynamic(trait) if trait.startswith(("PROP;", "setprop;")) else _find_expressions(trait)
                )


def _dynamic(trait: str) -> Iterator[str]:
    """The expressions of a property that commands change."""
    for entry in split([*split(trait, ";"), "", "", ""][3], ","):
        change = split([*split(entry, ":"), "", ""][2], ",")
        yield from (text[1:-1] for text in change[1:] if text.startswith("{") and text.endswith("}"))


def _find_expressions(text: str, delimiters: str = ";,:|", depth: int = 0) -> Iterator[str]:
    """The expressions of a text, however deeply nested in sequences, up to a depth that no real module has."""
    if text.startswith("{") and text.endswith("}"):
        yield text[1:-1]
        return
    if depth > DEEPEST:
        return
    for i, delimiter in enumerate(delimiters):
        if delimiter in text and "{" in text:
            for part in split(text, delimiter):
                yield from _find_expressions(part, delimiters if part != text else delimiters[i + 1 :], depth + 1)
            return


def _bad(location: str, expressions: Iterator[str]) -> Iterator[str]:
    for text in expressions:
        try:
            for comparison in bare_ids(parse(text)):
                yield f"{location.strip()}: {comparison} compares a name as a number; put it in quotes"
        except BadExpression as error:
            yield f"{location.strip()}: the engine can't read {{{text[:60]}{'...' if len(text) > 60 else ''}}}: {error}"

"""Looking a module over without the engine: everything that it names is there, every set-up is what its scenario says."""

from __future__ import annotations

import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from scenarios.game import Game
from scenarios.position import Position, from_scenario
from scenarios.vassal.archive import ENTRY, unveil
from scenarios.vassal.commands import parted, read_added
from scenarios.vassal.reading import read_position
from scenarios.vassal.sequence import split

PICTURED = ("image", "fileName", "icon")


def verify(path: Path, game: Game | None = None) -> dict[str, Any]:
    """What is in a module, and what is wrong with it."""
    try:
        with zipfile.ZipFile(path) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        root = ElementTree.fromstring(files["buildFile.xml"])
    except (OSError, zipfile.BadZipFile, KeyError, ElementTree.ParseError) as error:
        raise ValueError(f"{path.name} is no module: {error}") from None
    problems = [*_metadata(root, files), *_pictures(root, files), *_slots(root), *_prototypes(root)]
    game = game or _game(root)
    setups = root.findall(".//VASSAL.build.module.PredefinedSetup")
    if game is None:
        problems.append("the module doesn't say of which game it is; its set-ups aren't compared")
    else:
        problems += _setups(game, setups, files)
    counts = {
        "pictures": sum(name.startswith("images/") for name in files),
        "prototypes": len(list(_all(root, "PrototypeDefinition"))),
        "pieces": len(list(_all(root, "PieceSlot"))),
        "set-ups": len(setups),
        "problems": len(problems),
    }
    return {"file": str(path), "game": game.id if game else None, "counts": counts, "problems": problems}


def _all(root: ElementTree.Element, kind: str) -> Iterator[ElementTree.Element]:
    return (element for element in root.iter() if element.tag.rpartition(".")[2] == kind)


def _game(root: ElementTree.Element) -> Game | None:
    from scenarios import NoSuchGame, load

    for held in _all(root, "GlobalProperty"):
        if held.get("name") == "Mitla":
            try:
                return load(json.loads(held.get("initialValue", "{}"))["game"])
            except (NoSuchGame, KeyError, json.JSONDecodeError):
                return None
    return None


def _metadata(root: ElementTree.Element, files: Mapping[str, bytes]) -> Iterator[str]:
    data = ElementTree.fromstring(files.get("moduledata", b"<data/>"))
    for key in ("version", "VassalVersion"):
        if data.findtext(key) != root.get(key):
            yield f"moduledata and buildFile.xml differ in {key}: {data.findtext(key)} and {root.get(key)}"


def _texts(root: ElementTree.Element) -> Iterator[tuple[str, str]]:
    """The definition of every piece and prototype, with its name."""
    for kind in ("PieceSlot", "PrototypeDefinition"):
        for element in _all(root, kind):
            yield element.get("entryName") or element.get("name") or "", element.text or ""


def traits_of(text: str) -> list[str]:
    """The types of a definition's traits."""
    parts = split(text.removeprefix("+/null/"), "/")
    return parted(parts[0])


def _pictures(root: ElementTree.Element, files: Mapping[str, bytes]) -> Iterator[str]:
    there = {name.removeprefix("images/") for name in files if name.startswith("images/")}
    wanted: dict[str, str] = {}
    for element in root.iter():
        for key in PICTURED:
            name = element.get(key, "")
            if name.endswith(".png") and not name.startswith("/images/"):
                wanted.setdefault(name, element.tag.rpartition(".")[2])
    for piece, text in _texts(root):
        for name in re.findall(r"[\w.-]+\.png", text):
            wanted.setdefault(name, piece)
    for name, where in wanted.items():
        if name not in there:
            yield f"{where} needs the picture {name}, which isn't there"
    for name in sorted(there - set(wanted)):
        yield f"nothing needs the picture {name}"


def _slots(root: ElementTree.Element) -> Iterator[str]:
    ids = Counter(slot.get("gpid") for slot in _all(root, "PieceSlot"))
    for gpid, count in ids.items():
        if count > 1:
            yield f"the id {gpid} belongs to {count} pieces of the palette"
    highest = max((int(gpid or 0) for gpid in ids), default=0)
    if int(root.get("nextPieceSlotId", "0")) <= highest:
        yield f"the next id would be {root.get('nextPieceSlotId')}, but {highest} is in use"


def _prototypes(root: ElementTree.Element) -> Iterator[str]:
    known = {element.get("name") for element in _all(root, "PrototypeDefinition")}
    for piece, text in _texts(root):
        for trait in traits_of(text):
            name = trait.removeprefix("prototype;")
            if name != trait and name not in known:
                yield f"{piece} is built on the prototype {name!r}, which isn't there"


def _setups(game: Game, setups: list[ElementTree.Element], files: Mapping[str, bytes]) -> Iterator[str]:
    found = set()
    for setup in setups:
        name = setup.get("file", "")
        scenario = name.removeprefix("setup-").removesuffix(".vsav")
        if name not in files:
            yield f"the set-up {setup.get('name')} has no file {name}"
            continue
        found.add(scenario)
        text = _saved(files[name])
        if any(
            piece and any(t.type.startswith("prototype;") for t in piece.traits)
            for piece in map(read_added, text.split("\x1b"))
        ):
            yield f"{name} has pieces whose prototypes aren't expanded"
        if scenario not in game.scenarios:
            yield f"{game.id} has no scenario {scenario}"
            continue
        yield from differences(from_scenario(game, scenario), read_position(game, text, scenario))
    for scenario in game.scenarios:
        if scenario not in found:
            yield f"the scenario {scenario} has no set-up"


def _saved(content: bytes) -> str:
    import io

    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return unveil(archive.read(ENTRY))


def differences(wanted: Position, found: Position) -> Iterator[str]:
    """Which pieces aren't where, or how, they should be."""

    def counted(position: Position) -> Counter[tuple[object, ...]]:
        return Counter((p.unit, p.copy, p.at, p.states, p.steps_lost) for p in position.pieces)

    for piece, _ in (counted(wanted) - counted(found)).items():
        yield f"scenario {wanted.scenario}: {piece[0]} {piece[1]} should be at {piece[2]}"
    for piece, _ in (counted(found) - counted(wanted)).items():
        yield f"scenario {wanted.scenario}: {piece[0]} {piece[1]} stands at {piece[2]}, where it shouldn't"

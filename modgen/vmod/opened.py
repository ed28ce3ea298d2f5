"""A module as a file: its elements, its pieces, its game. Whoever made it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from scenarios.game import Game
from scenarios.vassal.archive import read_zip
from scenarios.vassal.commands import parted
from scenarios.vassal.sequence import split

Element = ElementTree.Element
BUILD = "buildFile.xml"


@dataclass(frozen=True)
class Opened:
    """A module: every file in it, and its build file."""

    path: Path
    files: Mapping[str, bytes]
    root: Element

    def all(self, *kinds: str) -> Iterator[Element]:
        """Every element of some kinds, by the last word of its class."""
        return (element for element in self.root.iter() if kind_of(element) in kinds)


def open_module(path: Path) -> Opened:
    """Open a module; ValueError with a sentence if it is none."""
    files = read_zip(path, "module")
    if BUILD not in files:
        raise ValueError(f"{path.name} is no module: it has no {BUILD} in it; name a .vmod file")
    try:
        return Opened(path, files, ElementTree.fromstring(files[BUILD]))
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise ValueError(f"{path.name} is a damaged module ({BUILD}: {error}); fetch or build it again") from None


def kind_of(element: Element) -> str:
    """The last word of an element's class."""
    return element.tag.rpartition(".")[2]


def name_of(element: Element) -> str:
    """What an element is called."""
    return next((element.get(key, "") for key in ("entryName", "name", "mapName", "chartName") if element.get(key)), "")


def traits_of(text: str) -> list[str]:
    """The types of a definition's traits, from the outside in."""
    return parted(split(text.removeprefix("+/null/"), "/")[0])


def definitions(module: Opened) -> Iterator[tuple[str, list[str]]]:
    """Every piece of the palette and every prototype: its name and the types of its traits."""
    for element in module.all("PieceSlot", "PrototypeDefinition"):
        yield name_of(element), traits_of(element.text or "")


def told(module: Opened) -> Mapping[str, object]:
    """What the module tells of its game in the property that saves carry."""
    for held in module.all("GlobalProperty"):
        if held.get("name") == "Mitla":
            try:
                found = json.loads(held.get("initialValue", ""))
            except (json.JSONDecodeError, RecursionError):
                return {}
            return found if isinstance(found, dict) else {}
    return {}


def game_of(module: Opened) -> Game | None:
    """The game of a module, where it is one that comes with Mitla."""
    from scenarios import load, shipped

    game = told(module).get("game")
    return load(str(game)) if game in shipped() else None

"""A module read from a file, whoever made it: its elements, its pieces, its game."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from xml.etree import ElementTree

from scenarios.model.game import Game
from scenarios.pack.loading import load
from scenarios.pack.pack_folder import shipped_games
from scenarios.reading.findings import plain_reason
from scenarios.vassal import MAX_BYTES
from scenarios.vassal.archive import read_zip
from scenarios.vassal.commands import split_traits
from scenarios.vassal.sequence import split

Element = ElementTree.Element
BUILD = "buildFile.xml"
MOST_ELEMENTS = 1_000_000
DEEPEST = 60
"""The greatest depth of nested elements; real modules reach ten at most."""
PICTURES = (".png", ".svg", ".gif")


@dataclass(frozen=True)
class LoadedModule:
    """A module: every file in it, and its build file."""

    path: Path
    files: Mapping[str, bytes]
    root: Element

    def elements(self, *element_kinds: str) -> Iterator[Element]:
        """Every element of some kinds, given by the last word of its class."""
        return (element for element in self.root.iter() if kind_of(element) in element_kinds)

    @cached_property
    def traits(self) -> Mapping[Element, list[str]]:
        """The trait types of every palette piece and every prototype, from the outside in."""
        return {element: traits_of(element.text or "") for element in self.elements("PieceSlot", "PrototypeDefinition")}


def open_module(path: Path, max_bytes: int = MAX_BYTES) -> LoadedModule:
    """Open a module that may unpack to `max_bytes` bytes. Raises ValueError with a sentence if it isn't a module."""
    files = read_zip(path, "module", max_bytes=max_bytes)
    if BUILD not in files:
        raise ValueError(f"{path.name} is no module: it has no {BUILD} in it; name a .vmod file")
    try:
        return LoadedModule(path, files, parse_elements(files[BUILD]))
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise ValueError(
            f"{path.name} is a damaged module ({BUILD}: {plain_reason(error)}); fetch or build it again"
        ) from None


def parse_elements(text: str | bytes) -> Element:
    """The elements of a build file or of a part of one. Raises ValueError or ParseError if it is neither."""
    return ElementTree.fromstring(text, ElementTree.XMLParser(target=_Builder()))


class _Builder(ElementTree.TreeBuilder):
    """Builds the tree of a build file, up to a number of elements and a depth that no real module has."""

    def __init__(self) -> None:
        super().__init__()
        self.count = self.depth = 0

    def doctype(self, name: str, pubid: str, system: str, /) -> None:
        """Refuse a document type. A build file has no declarations; a file with some is made to expand as it is read."""
        raise ValueError("it declares a document type, which no build file does")

    def start(self, tag: str, attrs: dict[str, str], /) -> Element:
        self.count += 1
        if self.count > MOST_ELEMENTS:
            raise ValueError(f"it has more than {MOST_ELEMENTS:,} elements")
        self.depth += 1
        if self.depth > DEEPEST:
            raise ValueError(f"its elements lie more than {DEEPEST} deep in each other")
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> Element:
        self.depth -= 1
        return super().end(tag)


def kind_of(element: Element) -> str:
    """The last word of an element's class."""
    return element.tag.rpartition(".")[2]


def name_of(element: Element) -> str:
    """The name of an element."""
    return next((element.get(key, "") for key in ("entryName", "name", "mapName", "chartName") if element.get(key)), "")


def traits_of(text: str) -> list[str]:
    """The types of a definition's traits, from the outside in."""
    return split_traits(split(text.removeprefix("+/null/"), "/")[0])


def pictures_in(text: str) -> Iterator[str]:
    """The names of pictures in a text."""
    for run in re.findall(r"[\w.-]+", text):
        end = max(run.rfind(ending) for ending in PICTURES)
        if end > 0:
            yield run[: end + 4]


def definitions(module: LoadedModule) -> Iterator[tuple[str, list[str]]]:
    """Every palette piece and every prototype: its name and the types of its traits."""
    for element, traits in module.traits.items():
        yield name_of(element), traits


def module_facts(module: LoadedModule) -> Mapping[str, object]:
    """The module's facts about its game, from the property that saves carry."""
    for element in module.elements("GlobalProperty"):
        if element.get("name") == "Mitla":
            try:
                content = json.loads(element.get("initialValue", ""))
            except (ValueError, RecursionError):
                return {}
            return content if isinstance(content, dict) else {}
    return {}


def former_ids(module: LoadedModule) -> Mapping[str, str]:
    """The former ids of counters, each with the current one."""
    was = module_facts(module).get("was")
    return {str(old): str(new_id) for old, new_id in was.items()} if isinstance(was, dict) else {}


def game_of(module: LoadedModule) -> Game | None:
    """The game of a module if it comes with Mitla. The pack of any other has to be named."""
    game = module_facts(module).get("game")
    return load(str(game)) if game in shipped_games() else None

"""A module as a file: its elements, its pieces, its game. Whoever made it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from xml.etree import ElementTree

from scenarios.model.game import Game
from scenarios.reading.findings import plain_reason
from scenarios.vassal import MAX_BYTES
from scenarios.vassal.archive import read_zip
from scenarios.vassal.commands import split_traits
from scenarios.vassal.sequence import split

Element = ElementTree.Element
BUILD = "buildFile.xml"
MOST_ELEMENTS = 1_000_000
DEEPEST = 60
"""How deep elements may lie in each other; those of modules do up to ten."""
PICTURES = (".png", ".svg", ".gif")


@dataclass(frozen=True)
class LoadedModule:
    """A module: every file in it, and its build file."""

    path: Path
    files: Mapping[str, bytes]
    root: Element

    def elements(self, *element_kinds: str) -> Iterator[Element]:
        """Every element of some kinds, by the last word of its class."""
        return (element for element in self.root.iter() if kind_of(element) in element_kinds)

    @cached_property
    def traits(self) -> Mapping[Element, list[str]]:
        """The types of the traits of every piece of the palette and every prototype, from the outside in."""
        return {element: traits_of(element.text or "") for element in self.elements("PieceSlot", "PrototypeDefinition")}


def open_module(path: Path, max_bytes: int = MAX_BYTES) -> LoadedModule:
    """Open a module that may unpack to `most` bytes; ValueError with a sentence if it is none."""
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
    """The elements of a build file or of a part of one; ValueError or ParseError where it is none."""
    return ElementTree.fromstring(text, ElementTree.XMLParser(target=_Builder()))


class _Builder(ElementTree.TreeBuilder):
    """Builds the tree of a build file, up to a number of elements and a depth that no module has."""

    def __init__(self) -> None:
        super().__init__()
        self.count = self.depth = 0

    def doctype(self, name: str, pubid: str, system: str, /) -> None:
        """A build file declares nothing; what does is made to swell when it is read."""
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
    """What an element is called."""
    return next((element.get(key, "") for key in ("entryName", "name", "mapName", "chartName") if element.get(key)), "")


def traits_of(text: str) -> list[str]:
    """The types of a definition's traits, from the outside in."""
    return split_traits(split(text.removeprefix("+/null/"), "/")[0])


def pictures_in(text: str) -> Iterator[str]:
    """The names of pictures that stand in a text."""
    for run in re.findall(r"[\w.-]+", text):
        end = max(run.rfind(ending) for ending in PICTURES)
        if end > 0:
            yield run[: end + 4]


def definitions(module: LoadedModule) -> Iterator[tuple[str, list[str]]]:
    """Every piece of the palette and every prototype: its name and the types of its traits."""
    for element, traits in module.traits.items():
        yield name_of(element), traits


def module_facts(module: LoadedModule) -> Mapping[str, object]:
    """What the module tells of its game in the property that saves carry."""
    for element in module.elements("GlobalProperty"):
        if element.get("name") == "Mitla":
            try:
                content = json.loads(element.get("initialValue", ""))
            except (ValueError, RecursionError):
                return {}
            return content if isinstance(content, dict) else {}
    return {}


def former_ids(module: LoadedModule) -> Mapping[str, str]:
    """The ids that counters had before, each with the one it has now."""
    was = module_facts(module).get("was")
    return {str(old): str(new_id) for old, new_id in was.items()} if isinstance(was, dict) else {}


def game_of(module: LoadedModule) -> Game | None:
    """The game of a module, where it is one that comes with Mitla; for others its pack has to be named."""
    from scenarios import load, shipped_games

    game = module_facts(module).get("game")
    return load(str(game)) if game in shipped_games() else None

"""Components by their paths, as extensions name them: what is added hangs on a component of the module."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from modgen.vmod.opened import Element, Opened, kind_of, name_of
from scenarios.vassal.sequence import join, split

ENGINE = "VASSAL."
DEEPEST = 60
"""How deep components lie in one another at most."""
HOLDERS = (
    "PieceWindow", "TabWidget", "BoxWidget", "ListWidget", "PanelWidget", "MapWidget", "Map", "BoardPicker", "ChartWindow",
    "PrivateMap", "PrototypesContainer", "GlobalProperties", "GlobalPropertyFolder", "PrototypeFolder", "ModuleSubFolder", "MapSubFolder",
    "DiceButton", "TurnTracker", "Inventory", "Documentation", "GlobalTranslatableMessages",
)  # fmt: skip
"""The kinds of component that others can be added to, as VASSAL's editor lets a player do it."""


def step(element: Element) -> str:
    """A component as a step of a path: its class, and its name where it has one."""
    name = name_of(element)
    return join([element.tag, name], ":") if name else element.tag


def path(way: Sequence[Element]) -> str:
    """The path of a component, from the module down; nothing for the module itself."""
    return join([step(element) for element in way], "/") if way else ""


def words(way: Sequence[Element]) -> str:
    """The same for people: Pieces / Red Coast / Foot."""
    named = [name_of(element) or kind_of(element) for element in way]
    return " / ".join(dict.fromkeys(named)) or "the module"


def find(root: Element, target: str) -> Element | None:
    """The component that a path leads to by all its names; None where there is none."""
    here = root
    for told in split(target, "/") if target else ():
        tag, *name = split(told, ":")
        below = (child for child in here if child.tag == tag and name_of(child) == "".join(name))
        found = next(below, None)
        if found is None:
            return None
        here = found
    return here


def holders(root: Element) -> Iterator[tuple[Element, ...]]:
    """Every component that something can be added to, with those that it is in."""
    left: list[tuple[Element, ...]] = [(child,) for child in reversed(root)]
    while left:
        way = left.pop()
        if way[-1].tag.startswith(ENGINE) and len(way) < DEEPEST:
            if kind_of(way[-1]) in HOLDERS:
                yield way
            left += [(*way, child) for child in reversed(way[-1])]


def loose(before: Opened, after: Opened) -> Iterator[str]:
    """What extensions of an old module hang on and a new one lacks, each in a sentence."""
    called, now = before.root.get("name", ""), after.root.get("name", "")
    if called != now:
        yield f"the module was called {called} and is called {now}: VASSAL loads no extension of the old one with it"
    there = {path(way) for way in holders(after.root)}
    gone: set[str] = set()
    for way in holders(before.root):
        own = path(way)
        if own not in there and not any(path(way[:steps]) in gone for steps in range(1, len(way) + 1)):
            gone.add(own)
            yield f"{words(way)} is gone or has another name: extensions that add to it don't load whole"
    known = {name_of(part) for part in after.all("PrototypeDefinition")}
    for part in before.all("PrototypeDefinition"):
        if name_of(part) not in known:
            yield f"the prototype {name_of(part)} is gone or has another name: pieces of extensions that use it lose its traits"

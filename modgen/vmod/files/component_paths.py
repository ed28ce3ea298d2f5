"""Components by their paths, as extensions name them. An addition is attached to a component of the module."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from modgen.vmod.files.loaded_module import Element, LoadedModule, kind_of, name_of
from scenarios.vassal.sequence import join, split

ENGINE = "VASSAL."
DEEPEST = 60
"""The greatest depth of nested components."""
HOLDERS = (
    "PieceWindow",
    "TabWidget",
    "BoxWidget",
    "ListWidget",
    "PanelWidget",
    "MapWidget",
    "Map",
    "BoardPicker",
    "ChartWindow",
    "PrivateMap",
    "PrototypesContainer",
    "GlobalProperties",
    "GlobalPropertyFolder",
    "PrototypeFolder",
    "ModuleSubFolder",
    "MapSubFolder",
    "DiceButton",
    "TurnTracker",
    "Inventory",
    "Documentation",
    "GlobalTranslatableMessages",
)
"""The kinds of component that can contain additions, as VASSAL's editor allows."""


def step(element: Element) -> str:
    """A component as a step of a path: its class, and its name if it has one."""
    name = name_of(element)
    return join([element.tag, name], ":") if name else element.tag


def path(way: Sequence[Element]) -> str:
    """The path of a component from the module down; empty for the module itself."""
    return join([step(element) for element in way], "/") if way else ""


def words(way: Sequence[Element]) -> str:
    """The path for people: Pieces / Red Coast / Foot."""
    names = [name_of(element) or kind_of(element) for element in way]
    return " / ".join(dict.fromkeys(names)) or "the module"


def find(root: Element, target: str) -> Element | None:
    """The component that a path leads to; None if there is none. All names of the path have to match."""
    element = root
    for step in split(target, "/") if target else ():
        tag, *name = split(step, ":")
        matches = (child for child in element if child.tag == tag and name_of(child) == "".join(name))
        match = next(matches, None)
        if match is None:
            return None
        element = match
    return element


def holders(root: Element) -> Iterator[tuple[Element, ...]]:
    """Every component that can contain additions, each with its ancestors."""
    waiting: list[tuple[Element, ...]] = [(child,) for child in reversed(root)]
    while waiting:
        way = waiting.pop()
        if way[-1].tag.startswith(ENGINE) and len(way) < DEEPEST:
            if kind_of(way[-1]) in HOLDERS:
                yield way
            waiting += [(*way, child) for child in reversed(way[-1])]


def loose(old_module: LoadedModule, new_module: LoadedModule) -> Iterator[str]:
    """A sentence for each component that extensions of the old module are attached to and the new module lacks."""
    old_name, new_name = old_module.root.get("name", ""), new_module.root.get("name", "")
    if old_name != new_name:
        yield f"the module was called {old_name} and is called {new_name}: VASSAL loads no extension of the old one with it"
    new_paths = {path(way) for way in holders(new_module.root)}
    lost_paths: set[str] = set()
    for way in holders(old_module.root):
        holder_path = path(way)
        if holder_path not in new_paths and not any(
            path(way[:steps]) in lost_paths for steps in range(1, len(way) + 1)
        ):
            lost_paths.add(holder_path)
            yield f"{words(way)} is gone or has another name: extensions that add to it don't load whole"
    prototype_names = {name_of(part) for part in new_module.elements("PrototypeDefinition")}
    for part in old_module.elements("PrototypeDefinition"):
        if name_of(part) not in prototype_names:
            yield f"the prototype {name_of(part)} is gone or has another name: pieces of extensions that use it lose its traits"

"""Components by their paths, as extensions name them: what is added hangs on a component of the module."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from modgen.vmod.opened import Element, kind_of, name_of
from scenarios.vassal.sequence import join

ENGINE = "VASSAL."
HOLDERS = (
    "PieceWindow", "TabWidget", "BoxWidget", "ListWidget", "PanelWidget", "MapWidget", "Map", "BoardPicker", "ChartWindow",
    "PrototypesContainer", "GlobalProperties", "GlobalPropertyFolder", "PrototypeFolder", "ModuleSubFolder", "MapSubFolder",
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


def holders(root: Element) -> Iterator[tuple[Element, ...]]:
    """Every component that something can be added to, with those that it is in."""

    def below(element: Element, way: tuple[Element, ...]) -> Iterator[tuple[Element, ...]]:
        for child in element:
            if child.tag.startswith(ENGINE):
                inner = (*way, child)
                if kind_of(child) in HOLDERS:
                    yield inner
                yield from below(child, inner)

    yield from below(root, ())

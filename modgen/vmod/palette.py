"""The palette: every counter and marker by side, nation and class, with how many there are."""

from __future__ import annotations

from collections.abc import Mapping

from modgen.vmod import aids, shading, support
from modgen.vmod.eyes import has_eyes
from modgen.vmod.keys import PALETTE_KEY
from modgen.vmod.pieces import Made, definition, marker_piece, unit_piece
from modgen.vmod.prototypes import GROUND
from modgen.vmod.xml import MODULE, WIDGET, Part
from scenarios.game import Game
from scenarios.vassal.windows import counter_size

MARKERS, SUPPORT = "Markers", "Support off the map"
"""The drawer of all that isn't a unit, and its list of batteries, air strikes and boats."""
HIGH = 340
"""The height of the lists where the window stands by itself."""


def slot(made: Made, count: int | None, size: int) -> Part:
    """One piece of the palette."""
    name = f"{made.name} ({count})" if count else made.name
    return Part(
        WIDGET + "PieceSlot", content=definition(made.traits), entryName=name, gpid=made.gpid, width=size, height=size
    )


def listing(title: str, slots: list[Part]) -> Part:
    """A list of pieces."""
    return Part(WIDGET + "ListWidget", *slots, entryName=title, divider=160, width=420, height=HIGH, scale="1.0")


def drawer(title: str, lists: Mapping[str, list[Part]]) -> Part:
    """Lists of pieces, of which one is chosen from a menu."""
    return Part(
        WIDGET + "BoxWidget",
        *(listing(name, slots) for name, slots in lists.items()),
        entryName=title,
        width=420,
        height=HIGH,
    )


def palette(game: Game, gpids: Mapping[str, str]) -> Part:
    """The palette's window."""
    size = counter_size(game)
    drawers: list[Part] = []
    for nation_id, nation in game.nations.items():
        lists: dict[str, list[Part]] = {}
        for unit in game.units.values():
            if unit.nation == nation_id:
                word = game.classes[unit.class_].name if unit.class_ in game.classes else "Units"
                lists.setdefault(word, []).append(slot(unit_piece(game, unit, gpids[unit.id]), unit.count, size))
        if lists:
            drawers.append(drawer(nation.name, lists))
    kinds: dict[str, list[Part]] = {}
    for marker_id, marker in game.markers.items():
        kinds.setdefault(marker.kind.capitalize(), []).append(
            slot(marker_piece(game, marker_id, gpids[marker_id]), marker.count, size)
        )
    for key, held in support.listed(game).items():
        kinds.setdefault(SUPPORT, []).append(slot(support.piece(game, held, gpids[key]), None, size))
    if aids.flags(game):
        kinds.setdefault("Who holds a place", []).append(slot(aids.flag(game, gpids[aids.FLAG]), None, size))
    if aids.has_compass(game):
        made = Made("", aids.COMPASS, gpids[aids.COMPASS], aids.compass(game, gpids[aids.COMPASS]))
        kinds.setdefault("Of the map", []).append(slot(made, None, size))
    if has_eyes(game):
        made = Made("", shading.NAME, gpids[shading.NAME], shading.piece(game, gpids[shading.NAME], GROUND))
        kinds.setdefault("Of the map", []).append(slot(made, None, size))
    if kinds:
        drawers.append(drawer(MARKERS, kinds))
    return Part(
        MODULE + "PieceWindow",
        # Not tabs: a dozen of them would leave no room for pieces beside the chat.
        Part(WIDGET + "BoxWidget", *drawers, entryName="Pieces", width=420, height=HIGH),
        name="Pieces",
        text="Pieces",
        tooltip="All counters and markers",
        icon="/images/counter.gif",
        hidden=False,
        hotkey=PALETTE_KEY,
        scale="1.0",
        defaultWidth=420,
    )

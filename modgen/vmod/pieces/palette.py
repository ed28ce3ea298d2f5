"""The palette: every counter and marker by side, nation and class, with its number of copies."""

from __future__ import annotations

from collections.abc import Mapping

from modgen.vmod.files.keys import PALETTE_KEY
from modgen.vmod.files.xml import MODULE, WIDGET, XmlPart
from modgen.vmod.maps import beyond
from modgen.vmod.pieces import aids, support
from modgen.vmod.pieces.pieces import PaletteEntry, definition
from modgen.vmod.pieces.prototypes import GROUND
from modgen.vmod.sight import shading
from modgen.vmod.sight.visibility import has_eyes
from scenarios.model.game import Game
from scenarios.vassal.windows import counter_size

MARKERS, SUPPORT = "Markers", "Support off the map"
"""The drawer of all pieces that aren't units, and its list of batteries, air strikes and boats."""
PALETTE_HEIGHT = 340
"""The height of the lists in pixels when the palette is a separate window."""


def slot(entry: PaletteEntry, count: int | None, size: int) -> XmlPart:
    """One piece of the palette."""
    name = f"{entry.name} ({count})" if count else entry.name
    return XmlPart(
        WIDGET + "PieceSlot", content=definition(entry.traits), entryName=name, gpid=entry.gpid, width=size, height=size
    )


def listing(title: str, slots: list[XmlPart]) -> XmlPart:
    """A list of pieces."""
    return XmlPart(
        WIDGET + "ListWidget", *slots, entryName=title, divider=160, width=420, height=PALETTE_HEIGHT, scale="1.0"
    )


def drawer(title: str, lists: Mapping[str, list[XmlPart]]) -> XmlPart:
    """A menu from which a player chooses one of several lists of pieces."""
    return XmlPart(
        WIDGET + "BoxWidget",
        *(listing(name, slots) for name, slots in lists.items()),
        entryName=title,
        width=420,
        height=PALETTE_HEIGHT,
    )


def palette(game: Game, gpids: Mapping[str, str], entries: Mapping[str, PaletteEntry]) -> XmlPart:
    """The window of the palette, from the entries of all counters and markers."""
    size = counter_size(game)
    drawers: list[XmlPart] = []
    for nation_id, nation in game.nations.items():
        lists: dict[str, list[XmlPart]] = {}
        for unit in game.units.values():
            if unit.nation == nation_id:
                word = game.classes[unit.class_].name if unit.class_ in game.classes else "Units"
                lists.setdefault(word, []).append(slot(entries[unit.id], unit.count, size))
        if lists:
            drawers.append(drawer(nation.name, lists))
    marker_lists: dict[str, list[XmlPart]] = {}
    for marker_id, marker in game.markers.items():
        marker_lists.setdefault(marker.kind.capitalize(), []).append(slot(entries[marker_id], marker.count, size))
    for key, support_kind in support.all_support(game).items():
        marker_lists.setdefault(SUPPORT, []).append(slot(support.piece(game, support_kind, gpids[key]), None, size))
    if aids.flags(game):
        marker_lists.setdefault("Control of places", []).append(slot(aids.flag(game, gpids[aids.FLAG]), None, size))
    if aids.has_compass(game):
        entry = PaletteEntry("", aids.COMPASS, gpids[aids.COMPASS], aids.compass(game, gpids[aids.COMPASS]))
        marker_lists.setdefault("Of the map", []).append(slot(entry, None, size))
    if has_eyes(game):
        entry = PaletteEntry("", shading.NAME, gpids[shading.NAME], shading.piece(game, gpids[shading.NAME], GROUND))
        marker_lists.setdefault("Of the map", []).append(slot(entry, None, size))
    if beyond.needed(game):
        entry = PaletteEntry("", beyond.NAME, gpids[beyond.NAME], beyond.piece(gpids[beyond.NAME]))
        marker_lists.setdefault("Of the map", []).append(slot(entry, None, size))
    if marker_lists:
        drawers.append(drawer(MARKERS, marker_lists))
    return XmlPart(
        MODULE + "PieceWindow",
        # A menu rather than tabs: a dozen tabs would leave no space for pieces beside the chat.
        XmlPart(WIDGET + "BoxWidget", *drawers, entryName="Pieces", width=420, height=PALETTE_HEIGHT),
        name="Pieces",
        text="Pieces",
        tooltip="All counters and markers",
        icon="/images/counter.gif",
        hidden=False,
        hotkey=PALETTE_KEY,
        scale="1.0",
        defaultWidth=420,
    )

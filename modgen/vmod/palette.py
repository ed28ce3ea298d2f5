"""The palette: every counter and marker by side, nation and class, with how many there are."""

from __future__ import annotations

from collections.abc import Mapping

from modgen.vmod.pieces import Made, definition, marker_piece, unit_piece
from modgen.vmod.traits import ALT, key
from modgen.vmod.xml import MODULE, WIDGET, Part
from scenarios.game import Game
from scenarios.vassal.windows import counter_size


def slot(made: Made, count: int | None, size: int) -> Part:
    """One piece of the palette."""
    name = f"{made.name} ({count})" if count else made.name
    return Part(
        WIDGET + "PieceSlot", content=definition(made.traits), entryName=name, gpid=made.gpid, width=size, height=size
    )


def listing(title: str, slots: list[Part]) -> Part:
    """A list of pieces."""
    return Part(WIDGET + "ListWidget", *slots, entryName=title, divider=160, width=330, height=320, scale="1.0")


def palette(game: Game, gpids: Mapping[str, str]) -> Part:
    """The palette's window."""
    size = counter_size(game)
    tabs: list[Part] = []
    for nation_id, nation in game.nations.items():
        lists: dict[str, list[Part]] = {}
        for unit in game.units.values():
            if unit.nation == nation_id:
                word = game.classes[unit.class_].name if unit.class_ in game.classes else "Units"
                lists.setdefault(word, []).append(slot(unit_piece(game, unit, gpids[unit.id]), unit.count, size))
        if lists:
            tabs.append(
                Part(
                    WIDGET + "TabWidget",
                    *(listing(title, slots) for title, slots in lists.items()),
                    entryName=nation.name,
                )
            )
    kinds: dict[str, list[Part]] = {}
    for marker_id, marker in game.markers.items():
        kinds.setdefault(marker.kind.capitalize(), []).append(
            slot(marker_piece(game, marker_id, gpids[marker_id]), marker.count, size)
        )
    if kinds:
        tabs.append(
            Part(WIDGET + "TabWidget", *(listing(title, slots) for title, slots in kinds.items()), entryName="Markers")
        )
    return Part(
        MODULE + "PieceWindow",
        Part(WIDGET + "TabWidget", *tabs, entryName="Pieces"),
        name="Pieces",
        text="Pieces",
        tooltip="All counters and markers",
        icon="/images/counter.gif",
        hidden=False,
        hotkey=key("I", ALT | 65),
        scale="1.0",
        defaultWidth=0,
    )

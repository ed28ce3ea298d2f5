"""Pieces without a printed counter: a compass if scenarios arrange the boards anew, and flags that show who holds a place."""

from __future__ import annotations

from art import svg
from art.sheets.tracks import NEUTRAL
from art.text import centred_text
from modgen.vmod.files.keys import CLONE, DELETE, FLIP
from modgen.vmod.pieces import traits
from modgen.vmod.pieces.faces import SCALE
from modgen.vmod.pieces.pictures import SvgPicture, draw_picture
from modgen.vmod.pieces.pieces import PaletteEntry
from modgen.vmod.pieces.prototypes import GROUND
from modgen.vmod.text import piece_reports
from scenarios.model.definitions import Colors
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.vassal.commands import Trait
from scenarios.vassal.geometry import BoardSheet
from scenarios.vassal.windows import counter_size

TURNS = {"up": 0, "right": 90, "down": 180, "left": 270}
SIZE = 60
COMPASS, FLAG = "Compass", "flag"
"""The ids of their slots in the palette."""
HELD_BY = "Held by"
"""The beginning of a flag's name; the name of its side follows."""
NEUTRAL_INK = "#1f2328"
"""The color of the print on the flag of a side without a nation."""


def has_compass(game: Game) -> bool:
    """Whether scenarios arrange the boards differently."""
    return len(game.boards) > 1


def compass(game: Game, gpid: str, north: str = "up") -> tuple[Trait, ...]:
    """A compass that players can't move."""
    return (
        traits.immovable(),
        traits.marks({"Layer": GROUND}),
        traits.layer("Compass", [f"compass-{way}.png" for way in TURNS], [*TURNS].index(north) + 1, scale=SCALE),
        traits.basic(COMPASS, gpid),
    )


def corner(table: HexMap) -> tuple[int, int]:
    """The compass's position in the upper right corner of a map."""
    return BoardSheet(table).size[0] - SIZE // 2 - 6, SIZE // 2 + 6


def slots(game: Game) -> list[str]:
    """The palette slots of the compass and the flags."""
    return [*([COMPASS] if has_compass(game) else []), *([FLAG] if flags(game) else [])]


def _rose(north: str) -> SvgPicture:
    """A needle in a ring; its dark half points north."""
    middle, size = SIZE, 2 * SIZE
    rotation = f"rotate({TURNS[north]} {middle} {middle})"
    ring = svg.element(
        "circle",
        cx=middle,
        cy=middle,
        r=middle - 4,
        fill="#fffdf4",
        fill_opacity=0.72,
        stroke="#2e4057",
        stroke_width=3,
    )
    needle = [
        svg.path(f"M{middle} 40L{middle + 14} {middle + 8}H{middle - 14}Z", fill="#a3161d"),
        svg.path(f"M{middle} {size - 14}L{middle + 14} {middle + 8}H{middle - 14}Z", fill="#2e4057"),
    ]
    dx, dy = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}[north]
    letter = centred_text("N", middle + dx * 38, middle + dy * 38, 26, "bold", fill="#1f2328")
    return draw_picture([ring, svg.group(needle, transform=rotation), letter], size, size)


def flags(game: Game) -> bool:
    """Whether the module needs flags: the pack has places, and no markers of its own that show who holds them."""
    has_own_markers = any(
        key.startswith(("control", "captured")) and not marker.state for key, marker in game.markers.items()
    )
    places = any(board.places for board in game.boards.values()) or not game.boards
    return places and not has_own_markers


def flag(game: Game, gpid: str) -> PaletteEntry:
    """A flag with a face for each side. Players put it under the units on a captured place."""
    sides = [*game.sides.values()]
    traits_ = (
        *piece_reports.changes_hands(game),
        traits.prototype("Arrival"),
        traits.marks({"Layer": GROUND}),
        traits.prototype("Piece"),
        traits.layer(
            "Face",
            [f"{FLAG}-{side}.png" for side in game.sides],
            labels=[f"+ {side.name}" for side in sides],
            up_command="Change hands",
            up_key=FLIP,
            scale=SCALE,
        ),
        traits.delete("Delete", DELETE),
        traits.clone("Copy", CLONE),
        traits.marks({"Factors": "who controls this place"}),
        traits.basic(HELD_BY, gpid),
    )
    return PaletteEntry(FLAG, HELD_BY, gpid, traits_)


def _side_colors(game: Game, side: str) -> Colors:
    """The colors of a side's first nation; neutral ones for a side without a nation."""
    own = [nation.colors for nation in game.nations.values() if nation.side == side]
    return own[0] if own else Colors(fill=NEUTRAL, ink=NEUTRAL_INK, accent=NEUTRAL_INK)


def pictures(game: Game) -> dict[str, SvgPicture]:
    """The compass in all four directions, and the faces of the flag."""
    drawings = {f"compass-{north}.png": _rose(north) for north in TURNS} if has_compass(game) else {}
    size = 2 * counter_size(game)
    for side, owner in game.sides.items() if flags(game) else ():
        colors = _side_colors(game, side)
        left, notch, right = size * 0.28, size * 0.72, size * 0.86
        outline = f"M{left} {size * 0.14}H{right}L{notch} {size * 0.34}L{right} {size * 0.54}H{left}Z"
        cloth = svg.path(outline, fill=colors.fill, stroke=colors.ink, stroke_width=3)
        pole = svg.path(f"M{size * 0.25} {size * 0.1}V{size * 0.9}", fill="none", stroke="#1f2328", stroke_width=5)
        short = centred_text(owner.name[:3].upper(), size * 0.51, size * 0.34, size * 0.16, "bold", fill=colors.ink)
        drawings[f"{FLAG}-{side}.png"] = draw_picture([cloth, pole, short], size, size)
    return drawings

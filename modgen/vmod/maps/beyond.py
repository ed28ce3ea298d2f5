"""What cuts the shading of hexes at the map's edge.

The engine shades hexes beyond the map too, on the background that a large window shows to the right of it and below.
So the background is shaded once more in its own color, over all other shadings: two pieces lie so far away
from the map that the edge of a disc around each is a straight line along the edge of the map. Such a disc is the area
of effect of a piece beside all boards.
"""

from __future__ import annotations

from modgen.vmod.pieces import traits
from modgen.vmod.pieces.prototypes import GROUND, shade_colors
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.vassal.commands import Trait
from scenarios.vassal.geometry import BoardSheet

NAME = "Edge of the map"
"""The name of the shading, of its pieces and of their palette slot."""
RADIUS = 20_000_000
"""In pixels. Along 5,000 pixels of a map its edge departs from a straight line by a sixth of a pixel."""


def needed(game: Game) -> bool:
    """Whether there are shadings to be cut."""
    return bool(shade_colors(game))


def piece(gpid: str, is_shown: bool = False) -> tuple[Trait, ...]:
    """A piece with a disc. The palette's doesn't show it, because on a hex its radius would count hexes."""
    return (
        traits.immovable(),
        traits.marks({"Layer": GROUND}),
        traits.area("area_edge", "", traits.NO_VALUE, NAME, str(RADIUS), is_public=True, is_shown=is_shown),
        traits.basic(NAME, gpid),
    )


def centers(table: HexMap) -> list[tuple[int, int]]:
    """Where the two pieces of a map are."""
    width, height = BoardSheet(table).size
    return [(width + RADIUS, height // 2), (width // 2, height + RADIUS)]

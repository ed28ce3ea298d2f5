"""Pictures that a pack names: how each is used, and how it is aligned with a map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import ClassVar, Literal

from scenarios.reading.shapes import Findings, Record, documented_field, place, record


@record
class Image(Record):
    """A picture beside the pack: PNG, JPEG, WebP or SVG."""

    shorthand: ClassVar[str] = "file"
    file: str = documented_field("Its name, from the pack's folder down: pictures/tank.png.")
    fit: Literal["", "cover", "contain"] = documented_field(
        "`cover` fills the place and crops what is too much, `contain` shows the whole picture; left out, a symbol is contained "
        "and everything else covered.",
        "",
    )
    text: bool = documented_field("False where the picture says it all, and nothing shall be printed on it.", True)
    digest: str = documented_field("What the file holds.", "", inner=True)
    folder: str = documented_field("The folder of the overlay that names it; empty for the pack's own.", "", inner=True)

    def home(self, pack: Path) -> Path:
        """The folder that the file name is relative to: that of the pack or the overlay."""
        return Path(self.folder) if self.folder else pack


@record
class BoardImage(Image):
    """A picture of a whole board. It replaces Mitla's drawing."""

    shorthand: ClassVar[str] = "file"
    hexes: Mapping[str, tuple[Fraction, ...]] = documented_field(
        "Where the centres of two or more hexes are on the picture, in dots across and down: {0101: [112, 96], 2015: [1980, 1460]}. "
        "Left out, the picture is as large as the board.",
        {},
    )
    with_: tuple[Literal["grid", "numbers", "lines", "names"], ...] = documented_field(
        "What of our drawing is printed over it: the grid, the hexes' numbers, hexsides and roads, the names of places.",
        (),
    )


@record
class MapImage(Image):
    """A picture of a whole point map. It replaces Mitla's drawing."""

    shorthand: ClassVar[str] = "file"
    points: Mapping[str, tuple[Fraction, ...]] = documented_field(
        "Where two points or more are on the picture, in dots across and down: {cairo: [112, 96], suez: [980, 460]}. "
        "Left out, the picture is as large as the sheet.",
        {},
    )
    with_: tuple[Literal["lines", "points", "names"], ...] = documented_field(
        "What of our drawing is printed over it: the routes, the points, their names.", ()
    )


Spot = tuple[str, tuple[Fraction, ...], tuple[Fraction | int, ...] | None]


def check_spots(image: BoardImage | MapImage, key: str, spots: Iterable[Spot], findings: Findings) -> None:
    """Check that the hexes or points that align a picture are enough. Each has a name, its pixels, and its map position (None: unknown)."""
    spot_pairs = []
    for name, dots, ground in spots:
        if len(dots) != 2:
            findings.add(
                place(image, key, name), "here belong two numbers: how many dots across and down the picture it is"
            )
        elif ground is not None:
            spot_pairs.append((*ground, *dots))
    if len(spot_pairs) == len(getattr(image, key)) and any(
        len({spot[axis] for spot in spot_pairs}) < 2 for axis in range(4)
    ):
        message = f"name two {key} or more that lie apart both across and down, such as those at two opposite corners"
        findings.add(place(image, key), message)

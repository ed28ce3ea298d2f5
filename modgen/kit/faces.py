"""The faces of all kinds of pieces, and a check that their text is readable at the chosen size."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from lxml import etree

from art import svg
from art.counters.face import SIZE, Side, face_group
from art.counters.markers import marker_group
from art.svg import Element
from modgen.cache import Cache, key_of
from modgen.kit.paper import WrongOption
from modgen.kit.sheets import PrintedPiece, copy_numbers
from modgen.kit.views import face_view, faces_view
from scenarios.model.game import Game

SIDES: tuple[Side, ...] = ("front", "back")
MIN_MARGIN = 1.2
"""The smallest font size in millimeters on a counter of any size: 3.4 points."""


def piece_group(game: Game, piece: PrintedPiece, side: Side, bleed: float = 0) -> Element:
    """One side of a piece on a square of 16 units."""
    if piece.kind == "marker":
        return marker_group(game, piece.id, piece.copy, side, bleed)
    return face_group(game, game.units[piece.id], side, piece.copy, bleed)


class Faces:
    """The faces of a game's pieces. Each kind is drawn once for all its copies and cached."""

    def __init__(self, game: Game, cache: Cache, bleed: float = 0) -> None:
        self.game, self.cache, self.bleed = game, cache, bleed
        self.view = faces_view(game)
        self._books: dict[str, dict[str, str]] = {}

    def __call__(self, piece: PrintedPiece, side: Side) -> Element:
        """One side of a piece on a square of 16 units."""
        return etree.fromstring(self._book(piece)[f"{side}/{piece.copy}"])

    def drawing(self, piece: PrintedPiece, side: Side = "front", size: float = SIZE, bled: bool = False) -> bytes:
        """One side of a piece as a separate drawing, perhaps with its bleed."""
        face, mm = self._book(piece)[f"{side}/{piece.copy}"], svg.number(size)
        start, extent = svg.number(-self.bleed * bled), svg.number(SIZE + 2 * self.bleed * bled)
        root = f'<svg xmlns="{svg.SVG}" width="{mm}mm" height="{mm}mm" viewBox="{start} {start} {extent} {extent}">'
        return f"{root}{face}</svg>".encode()

    def _book(self, piece: PrintedPiece) -> dict[str, str]:
        name = f"{piece.kind}/{piece.id}"
        if name not in self._books:
            piece_view = face_view(self.view, self.game, piece.id)
            key = key_of("faces", piece_view.key, name, repr(self.bleed))
            self._books[name] = json.loads(self.cache.get_or_make(key, lambda: self._draw(piece_view.game, piece)))
        return self._books[name]

    def _draw(self, game: Game, piece: PrintedPiece) -> bytes:
        copies = ["", *copy_numbers(game, piece)]
        face_texts = {
            f"{side}/{copy}": svg.to_bytes(piece_group(game, piece._replace(copy=copy), side, self.bleed)).decode(
                "utf-8"
            )
            for side in SIDES
            for copy in copies
        }
        return json.dumps(face_texts, ensure_ascii=False).encode("utf-8")


def check_sizes(face_elements: Iterable[tuple[str, Element]], size: float) -> None:
    """Check that the smallest text of every piece is readable at this printed size."""
    smallest, piece_name = min(((_smallest(face), name) for name, face in face_elements), default=(SIZE, ""))
    if smallest * size / SIZE < MIN_MARGIN - 1e-9:
        raise WrongOption(
            f"a counter of {size:g} mm is too small for the text of {piece_name}, which would be {smallest * size / SIZE:.2f} mm "
            f"high; choose --counter-size {_round_up(MIN_MARGIN * SIZE / smallest):g} or more"
        )


def _smallest(face: Element, scale: float = 1.0) -> float:
    """The smallest font size in a drawing, including scaled groups."""
    match = re.search(r"scale\(([\d.]+)", face.get("transform") or "")
    face_scale = scale * float(match[1]) if match else scale
    own_sizes = [float(size) * face_scale for size in [face.get("font-size")] if size]
    return min([*own_sizes, *(_smallest(child, face_scale) for child in face)], default=SIZE)


def _round_up(value: float) -> float:
    """The value rounded up to half a millimeter."""
    return -(-value // 0.5) * 0.5

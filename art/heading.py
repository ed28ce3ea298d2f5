"""What stands above a map: title, a board's letter, scale bar and compass; under each other where the sheet is narrow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from art import furniture, svg
from art.furniture import EDGE, PANEL
from art.icons import INK
from art.labels import Box
from art.svg import Element
from art.text import CAPITAL, Weight, centred, lines, text, width
from scenarios.game import Game

LEAST_ROOM = 144.0
"""The least width between the margins of a sheet; a smaller map stands in the middle of it."""
ROOMY = 380.0
"""From this width on everything stands in one row."""
AIR = 8.0
BAR = 110.0
"""The most room for a scale bar."""


class Words(NamedTuple):
    """What a heading says: the game, the map, which way is north, how wide a hex is (0 without hexes), a letter."""

    title: str
    under: str
    north: str
    across: float
    letter: str = ""


class Heading(NamedTuple):
    """A heading, how high it is, and where its parts lie."""

    drawn: Element
    height: float
    boxes: Mapping[str, Box]


class _Corner(NamedTuple):
    """What stands at the right of a title, from the right end leftwards."""

    parts: list[Element]
    width: float
    boxes: dict[str, Box]


def heading(game: Game, words: Words, x: float, y: float, room: float, band: float) -> Heading:
    """The heading of a sheet, from its top left corner on, as wide as the room; `band` high where it is one row."""
    corner = _corner(game, words, x + room, y, room, band)
    free = room - corner.width - (AIR if corner.width else 0)
    fits = min(
        free / width(words.title, band * 0.5, "black"),
        free / max(0.1, width(words.under, band * 0.2, "italic")),
    )
    if room >= ROOMY or fits >= 0.8:
        return _in_a_row(words, corner, x, y, room, free, band)
    return _stacked(game, words, x, y, room)


def _rules(x: float, y: float, room: float) -> list[Element]:
    return [
        svg.line(x, y, x + room, y, stroke=EDGE, stroke_width=0.8),
        svg.line(x, y + 1.2, x + room, y + 1.2, stroke=EDGE, stroke_width=0.25),
    ]


def _line(words: str, x: float, base: float, size: float, weight: Weight, ink: str) -> tuple[Element, Box]:
    box = Box(x, base - size * CAPITAL, x + width(words, size, weight), base + size * 0.2)
    return text(words, x, base, size, weight, "start", fill=ink), box


def _fit(words: str, room: float, size: float, weight: Weight) -> float:
    wide = width(words, size, weight)
    return size if wide <= room else size * room / wide


def _even(words: str, room: float, size: float, weight: Weight) -> list[str]:
    """A text in as few lines as fit the room, and no line much shorter than the others."""
    most = lines(words, room, size, weight)
    for share in (0.5, 0.6, 0.7, 0.8, 0.9):
        rows = lines(words, room * share, size, weight)
        if len(rows) == len(most) and all(width(row, size, weight) <= room for row in rows):
            return rows
    return most


def _in_a_row(words: Words, corner: _Corner, x: float, y: float, room: float, free: float, band: float) -> Heading:
    title, title_box = _line(
        words.title, x, y + band * 0.46, _fit(words.title, free, band * 0.5, "black"), "black", INK
    )
    under, under_box = _line(
        words.under, x, y + band * 0.74, _fit(words.under, free, band * 0.2, "italic"), "italic", EDGE
    )
    drawn = svg.group([title, under, *_rules(x, y + band * 0.86, room), *corner.parts])
    return Heading(drawn, band, {"title": title_box, "under": under_box, **corner.boxes})


def _corner(game: Game, words: Words, right: float, y: float, room: float, band: float) -> _Corner:
    """Compass, scale bar and letter, from the right end on."""
    parts: list[Element] = []
    boxes: dict[str, Box] = {}
    left = right
    if words.across and words.north:
        r = band * 0.36
        reach = r * 1.25  # with its letter
        parts.append(furniture.compass(left - reach, y + band * 0.41, r, words.north))
        boxes["compass"] = Box.around(left - reach, y + band * 0.41, reach, reach)
        left -= 2 * reach
    if words.across:
        bar, wide = furniture.scale_bar(game, words.across, min(BAR, room / 3))
        if wide:
            left -= wide + (AIR if boxes else 0)
            parts.append(svg.moved(bar, left, y + band * 0.42))
            boxes["scale"] = Box(left, y + band * 0.42 - 4, left + wide, y + band * 0.42 + 7)
    if words.letter:
        left -= 20 + (AIR * 2 if boxes else 0)
        parts += [
            svg.rect(left, y + 1, 20, 20, rx=2.5, fill=INK),
            centred(words.letter, left + 10, y + 11, 15, "black", fill=PANEL),
        ]
        boxes["letter"] = Box(left, y + 1, left + 20, y + 21)
    return _Corner(parts, right - left, boxes)


def _stacked(game: Game, words: Words, x: float, y: float, room: float) -> Heading:
    """The title in as many lines as it needs, and all else below it."""
    parts: list[Element] = []
    boxes: dict[str, Box] = {}
    down = y
    written: list[tuple[str, str, float, Weight, str]] = [
        ("title", words.title, 13.0, "black", INK),
        ("under", words.under, 5.4, "italic", EDGE),
    ]
    for name, said, size, weight, ink in written:
        size = min((_fit(word, room, size, weight) for word in said.split()), default=size)
        for i, row in enumerate(_even(said, room, size, weight)):
            drawn, box = _line(row, x, down + size * (1.0 if i else 0.86), size, weight, ink)
            parts.append(drawn)
            boxes[f"{name} {i + 1}"] = box
            down = box.bottom
        down += 2
    corner = _corner(game, words, x + room, down, room, 30.0)
    if corner.parts:
        down += 26
    return Heading(svg.group([*parts, *corner.parts, *_rules(x, down + 2, room)]), down + 6 - y, boxes | corner.boxes)

"""The heading of a map: title, board letter, scale bar and compass. On a narrow sheet they are below each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from art import svg
from art.maps.icons import INK
from art.maps.labels import Box
from art.sheets import furniture
from art.sheets.furniture import EDGE, PANEL
from art.svg import Element
from art.text import CAPITAL, Weight, centred_text, lines, text, width
from scenarios.model.game import Game

LEAST_ROOM = 144.0
"""The minimum width between the margins of a sheet. A smaller map is centered."""
ROOMY = 380.0
"""The minimum width for a heading in one row."""
AIR = 8.0
BAR = 110.0
"""The maximum width of a scale bar."""


class HeadingText(NamedTuple):
    """The content of a heading: the game, the map, the direction of north, the width of a hex (0 without hexes), a letter."""

    title: str
    subtitle: str
    north: str
    width: float
    letter: str = ""


class Heading(NamedTuple):
    """A heading, its height, and the positions of its parts."""

    drawing: Element
    height: float
    boxes: Mapping[str, Box]


class _RightParts(NamedTuple):
    """The parts to the right of a title, placed from the right end."""

    parts: list[Element]
    width: float
    boxes: dict[str, Box]


def heading(game: Game, words: HeadingText, x: float, y: float, room: float, band: float) -> Heading:
    """The heading of a sheet, from its top left corner, as wide as the room. In one row it is `band` high."""
    corner = _corner(game, words, x + room, y, room, band)
    free = room - corner.width - (AIR if corner.width else 0)
    fits = min(
        free / width(words.title, band * 0.5, "black"),
        free / max(0.1, width(words.subtitle, band * 0.2, "italic")),
    )
    if room >= ROOMY or fits >= 0.8:
        return _in_a_row(words, corner, x, y, room, free, band)
    return _stack_lines(game, words, x, y, room)


def _rules(x: float, y: float, room: float) -> list[Element]:
    return [
        svg.line(x, y, x + room, y, stroke=EDGE, stroke_width=0.8),
        svg.line(x, y + 1.2, x + room, y + 1.2, stroke=EDGE, stroke_width=0.25),
    ]


def _line(words: str, x: float, base: float, size: float, weight: Weight, ink: str) -> tuple[Element, Box]:
    box = Box(x, base - size * CAPITAL, x + width(words, size, weight), base + size * 0.2)
    return text(words, x, base, size, weight, "start", fill=ink), box


def _fit(words: str, room: float, size: float, weight: Weight) -> float:
    text_width = width(words, size, weight)
    return size if text_width <= room else size * room / text_width


def _balance_lines(words: str, room: float, size: float, weight: Weight) -> list[str]:
    """Break a text into as few lines as possible, of similar length."""
    full_rows = lines(words, room, size, weight)
    for share in (0.5, 0.6, 0.7, 0.8, 0.9):
        rows = lines(words, room * share, size, weight)
        if len(rows) == len(full_rows) and all(width(row, size, weight) <= room for row in rows):
            return rows
    return full_rows


def _in_a_row(
    words: HeadingText, corner: _RightParts, x: float, y: float, room: float, free: float, band: float
) -> Heading:
    title, title_box = _line(
        words.title, x, y + band * 0.46, _fit(words.title, free, band * 0.5, "black"), "black", INK
    )
    subtitle, under_box = _line(
        words.subtitle, x, y + band * 0.74, _fit(words.subtitle, free, band * 0.2, "italic"), "italic", EDGE
    )
    body = svg.group([title, subtitle, *_rules(x, y + band * 0.86, room), *corner.parts])
    return Heading(body, band, {"title": title_box, "under": under_box, **corner.boxes})


def _corner(game: Game, words: HeadingText, right: float, y: float, room: float, band: float) -> _RightParts:
    """The compass, scale bar and letter, placed from the right end."""
    parts: list[Element] = []
    boxes: dict[str, Box] = {}
    left = right
    if words.width and words.north:
        r = band * 0.36
        reach = r * 1.25  # with its letter
        parts.append(furniture.compass(left - reach, y + band * 0.41, r, words.north))
        boxes["compass"] = Box.around(left - reach, y + band * 0.41, reach, reach)
        left -= 2 * reach
    if words.width:
        bar, bar_width = furniture.scale_bar(game, words.width, min(BAR, room / 3))
        if bar_width:
            left -= bar_width + (AIR if boxes else 0)
            parts.append(svg.translate(bar, left, y + band * 0.42))
            boxes["scale"] = Box(left, y + band * 0.42 - 4, left + bar_width, y + band * 0.42 + 7)
    if words.letter:
        left -= 20 + (AIR * 2 if boxes else 0)
        parts += [
            svg.rect(left, y + 1, 20, 20, rx=2.5, fill=INK),
            centred_text(words.letter, left + 10, y + 11, 15, "black", fill=PANEL),
        ]
        boxes["letter"] = Box(left, y + 1, left + 20, y + 21)
    return _RightParts(parts, right - left, boxes)


def _stack_lines(game: Game, words: HeadingText, x: float, y: float, room: float) -> Heading:
    """The title in as many lines as it needs, with everything else below it."""
    parts: list[Element] = []
    boxes: dict[str, Box] = {}
    bottom = y
    text_lines: list[tuple[str, str, float, Weight, str]] = [
        ("title", words.title, 13.0, "black", INK),
        ("under", words.subtitle, 5.4, "italic", EDGE),
    ]
    for name, sentence, size, weight, ink in text_lines:
        size = min((_fit(word, room, size, weight) for word in sentence.split()), default=size)
        for i, row in enumerate(_balance_lines(sentence, room, size, weight)):
            row_text, box = _line(row, x, bottom + size * (1.0 if i else 0.86), size, weight, ink)
            parts.append(row_text)
            boxes[f"{name} {i + 1}"] = box
            bottom = box.bottom
        bottom += 2
    corner = _corner(game, words, x + room, bottom, room, 30.0)
    if corner.parts:
        bottom += 26
    return Heading(
        svg.group([*parts, *corner.parts, *_rules(x, bottom + 2, room)]), bottom + 6 - y, boxes | corner.boxes
    )

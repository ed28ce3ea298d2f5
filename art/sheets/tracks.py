"""Tracks and boxes beside a map, in the colors of their owners."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from art import svg
from art.color import contrast, darker, lighter, luminance, mix
from art.images import PictureBox, place_image, text_over_image
from art.maps.icons import INK
from art.sheets.furniture import EDGE
from art.svg import Element
from art.text import centred_text, lines, text, width
from scenarios.model.game import Game
from scenarios.model.maps import BoxShape, TrackShape

SPACE = 18.0
"""The side of a track's space: a counter of 16 mm with a small margin."""
HEAD = 8.5
"""The height of a track's title."""
BOX_HIGH = 66.0
NEUTRAL = "#cfc4ab"


class Space(NamedTuple):
    """A space of a track, or the inside of a box, by its top left corner."""

    label: str
    x: float
    y: float
    width: float
    height: float


def owner_color(game: Game, name: str, side: str = "") -> str:
    """The color of the nation in a name, else of the side."""
    words = f" {re.sub(r'[^a-z]+', ' ', name.lower())} "
    for nation_id, nation in game.nations.items():
        nation_names = (nation.adjective, nation.name, nation_id.replace("_", " "))
        if any(word and f" {word.lower()} " in words for word in nation_names):
            return nation.colors.fill
    if side in game.nations:
        return game.nations[side].colors.fill
    fills = [nation.colors.fill for nation in game.nations.values() if nation.side == side]
    return fills[0] if side and fills else NEUTRAL


def track_spaces(track: TrackShape, width: float, per_row: int = 0) -> list[Space]:
    """The spaces of a track of that width, with `per_row` spaces in a row, or in rows as equal as possible."""
    labels = track.labels
    fit = max(1, int((width + 0.01) // SPACE))
    if not 0 < per_row <= fit:
        per_row = math.ceil(len(labels) / math.ceil(len(labels) / fit))
    space_width = min(width / per_row, SPACE * 1.6)
    return [
        Space(label, (i % per_row) * space_width, HEAD + (i // per_row) * SPACE, space_width, SPACE)
        for i, label in enumerate(labels)
    ]


def tens(track: TrackShape) -> int:
    """Ten if a track has one row for each ten, else 0."""
    return 10 if len(track.labels) > 30 and track.labels[0] in ("0", "1") else 0


def track_height(track: TrackShape, width: float, per_row: int = 0) -> float:
    """The height of a track of that width."""
    return max(space.y + space.height for space in track_spaces(track, width, per_row))


def track_group(game: Game, track: TrackShape, width: float, per_row: int = 0) -> tuple[Element, float]:
    """A track of that width with its title, note and spaces, and its height."""
    color = owner_color(game, track.name)
    ink = mix(darker(color, 0.65), INK, 0.4)
    if luminance(color) < 0.2:  # a dark nation's track would hide its numbers
        color = lighter(color, 0.45)
    parts: list[Element] = [text(track.name, 0, 5.2, 4.2, "bold", "start", fill=INK)]
    parts += _note_beside(track.name, 4.2, track.note, width)
    for i, space in enumerate(track_spaces(track, width, per_row)):
        tens = len(track.labels) > 12 and space.label.endswith("0")
        fill = lighter(color, 0.25 if tens else 0.55 if i % 2 else 0.68)
        parts.append(svg.rect(space.x, space.y, space.width, space.height, fill=fill, stroke=EDGE, stroke_width=0.3))
        rows, size = _label(space)
        middle = space.y + space.height / 2 - size * (len(rows) - 1) / 2
        parts += [
            centred_text(row, space.x + space.width / 2, middle + size * n, size, "bold", fill=ink, fill_opacity=0.75)
            for n, row in enumerate(rows)
        ]
    return svg.group(parts), track_height(track, width, per_row)


def _label(space: Space) -> tuple[list[str], float]:
    """The text of a space: one line if it is readable, else up to five. A text that is still too long is cut."""
    room = space.width - 2
    max_size = 7.0 if len(space.label) < 4 else 4.2
    size = min(max_size, max_size * room / max(0.1, width(space.label, max_size, "bold")))
    if size >= 1.9:
        return [space.label], size
    rows = lines(space.label, room, 2.4, "bold")
    cut = [row if width(row, 2.4, "bold") <= room else row[: int(room / 1.7)] + "…" for row in rows]
    return (cut if len(cut) <= 5 else [*cut[:4], cut[4] + "…"]), 2.4


def _note_beside(title: str, size: float, note: str, room: float) -> list[Element]:
    """A note after a title, as much of it as fits the line."""
    x = width(title, size, "bold") + 3
    if not note or room - x < 12:
        return []
    rows = lines(note, room - x, 2.5, "italic")
    return [
        text(row, x, 5.2 - 2.7 * (min(len(rows), 2) - 1 - i), 2.5, "italic", "start", fill=EDGE)
        for i, row in enumerate(rows[:2])
    ]


KINDS: Mapping[str, str] = MappingProxyType(
    {
        "box": "",
        "display": "",
        "holding": "holding box",
        "dead": "out of play",
        "off_map": "off the map",
        "pool": "drawn at random",
    }
)


def box_group(game: Game, box: BoxShape, width: float, height: float = BOX_HIGH) -> Element:
    """A box of that size: its name on a bar in its owner's color, its note below, and room for counters."""
    color = owner_color(game, box.name, box.side)
    ink = "#1d1710" if contrast("#1d1710", color) >= 4.5 else "#ffffff"
    size = 3.9
    rows = lines(box.name, width - 6, size, "bold")
    if len(rows) > 2:
        size = 3.2
        rows = lines(box.name, width - 6, size, "bold")
    bar = 3.4 + size * 1.15 * len(rows)
    dashes = "2 1.2" if box.kind in ("dead", "off_map") else None
    parts: list[Element] = [
        svg.rect(
            0,
            0,
            width,
            height,
            rx=1.6,
            fill=lighter(color, 0.72),
            stroke=darker(color, 0.5),
            stroke_width=0.5,
            stroke_dasharray=dashes,
        ),
        svg.path(
            f"M0 {svg.number(bar)}V1.6Q0 0 1.6 0H{svg.number(width - 1.6)}Q{svg.number(width)} 0 "
            f"{svg.number(width)} 1.6V{svg.number(bar)}Z",
            fill=color,
        ),
        svg.line(0, bar, width, bar, stroke=darker(color, 0.5), stroke_width=0.35),
    ]
    for i, row in enumerate(rows):
        parts.append(text(row, 3, 1.1 + size * (0.92 + 1.15 * i), size, "bold", "start", fill=ink))
    notes = [
        word for word in (KINDS[box.kind], f"at most {box.limit}" if box.limit is not None else "", box.note) if word
    ]
    small = lines("; ".join(notes), width - 6, 2.5, "italic")[: max(1, int((height - bar - 20) // 3.1))]
    for i, row in enumerate(small):
        y = height - 2.2 - 3.1 * (len(small) - 1 - i)
        parts.append(text(row, 3, y, 2.5, "italic", "start", fill=darker(color, 0.62)))
    if box.image is not None:
        picture = place_image(game.folder, box.image, PictureBox(0.25, bar + 0.2, width - 0.5, height - bar - 0.45))
        notes_ = parts[3 + len(rows) :]
        note_texts = text_over_image(notes_, lighter(color, 0.72)) if box.image.text else []
        parts = [*parts[: 3 + len(rows)], *picture, *note_texts]
    return svg.group(parts)

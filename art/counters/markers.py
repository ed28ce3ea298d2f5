"""Markers: constructions, states, functions and support, 16 mm square, front and back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from art import svg
from art.color import darker, mix, readable_surface
from art.counters.face import Side
from art.counters.marker_pictures import PICTURES
from art.counters.slots import MARGIN, SIZE, SMALLEST, NoRoom
from art.images import PictureBox, place_image, text_over_image
from art.svg import Element
from art.text import CAPITAL, Weight, centred_text, lines, text, width
from scenarios.model.counters import Marker
from scenarios.model.definitions import Colors
from scenarios.model.game import Game

NEUTRAL: Mapping[str, Colors] = {
    "construction": Colors(fill="#d9cfb4", ink="#2b2416", accent="#6b5a34"),
    "state": Colors(fill="#fbf4e6", ink="#5c0d12", accent="#a3161d"),
    "function": Colors(fill="#f2f2ee", ink="#1d2024", accent="#4a5058"),
    "support": Colors(fill="#e7e9ee", ink="#1b222b", accent="#48566a"),
}
"""The colors of markers without an owner, by kind."""
MARKER_EXAMPLES: Sequence[tuple[str, str]] = (
    ("captured", "captured_bridge"), ("bridge_destroyed", "bridge_destroyed"), ("bridge", "pontoon"), ("fort", "fort"),
    ("improved", "improved_position"), ("mine", "mine"), ("block", "block"), ("trench", "trench"),
    ("double_wreck", "double_wreck"), ("wreck", "wreck"), ("spotted", "spotted"), ("disperse", "dispersed"),
    ("disorganized", "disorganized"), ("out_of_supply", "out_of_supply"), ("step_loss", "step_loss"),
    ("disintegration", "disintegrated"), ("interdiction", "interdiction"), ("smoke", "smoke"), ("reload", "reload"),
    ("barrage", "barrage"), ("special_forces", "special_forces"), ("airborne", "airborne"), ("air_supply", "air_supply"),
    ("air_defense", "air_defense"), ("amphibious", "amphibious"), ("helicopter", "helicopter"), ("sealift", "sealift"),
    ("nuclear", "nuclear"), ("escalation", "escalation"), ("command", "command"), ("control", "control"),
    ("terror", "terrorized"), ("casualties", "casualties"), ("mobilized", "mobilized"), ("points", "points"),
    ("zrp", "points"), ("event", "event"), ("battle", "battle"), ("breach", "breach"), ("turn", "turn"),
    ("north", "north"), ("down", "down"), ("ew", "ew"), ("air", "airstrike"),
)  # fmt: skip
"""The picture of a marker: the first entry whose word begins a word of the marker's id or state."""
BLIND = ("event", "command")
"""Markers that players draw without seeing them. Their backs don't show what they are."""
NUMBERS: Sequence[str] = ("escalation", "strength", "shifts", "strike", "defense")
"""The factors shown on a marker if its name doesn't contain them."""


class MarkerStyle(NamedTuple):
    """The content of a face."""

    words: str
    picture: str
    figure: str
    colors: Colors


def draw_marker(
    game: Game, marker_id: str, copy: str = "", side: Side = "front", size: float = SIZE, bleed: float = 0
) -> Element:
    """One side of a marker as a separate drawing."""
    scale = size / SIZE
    body = marker_group(game, marker_id, copy, side, bleed / scale)
    return svg.drawing(size + 2 * bleed, size + 2 * bleed, [svg.translate(body, bleed, bleed, scale)])


def marker_group(game: Game, marker_id: str, copy: str = "", side: Side = "front", bleed: float = 0) -> Element:
    """One side of a marker as a group on a square of 16, for sheets and cards."""
    marker = game.markers[marker_id]
    look = _look(game, marker_id, marker, side)
    colors = look.colors
    image = (
        marker.back.image
        if side == "back" and marker.back is not None and marker.back.image is not None
        else marker.image
    )
    parts = [svg.rect(-bleed, -bleed, SIZE + 2 * bleed, SIZE + 2 * bleed, fill=colors.fill)]
    if image is not None:
        parts += place_image(game.folder, image, PictureBox(0, 0, SIZE, SIZE), bleed=bleed)
        if not image.text:
            return svg.group(parts)
    else:
        parts += _edge(marker.kind, colors, bleed)
    first_text = len(parts)
    rows, size = _fit_name(look.words, marker_id)
    step = size * 1.08
    block = CAPITAL * size + step * (len(rows) - 1)
    low = SIZE - 1.75 if not copy else SIZE - 3.2
    shade = readable_surface(colors) if marker.kind != "state" else mix(colors.fill, colors.accent, 0.18)
    if image is not None:
        pass
    elif look.picture:
        room = low - block - 0.8 - 1.9
        scale = min(1.0, room / 8.2)
        icon = svg.group(PICTURES[look.picture](colors.ink, shade))
        top = 1.9 + (room - 8 * scale) / 2
        parts.append(svg.translate(icon, SIZE / 2 - 6 * scale, top, scale))
    else:
        low = SIZE / 2 + block / 2
    parts += [
        text(row, SIZE / 2, low - step * (len(rows) - 1 - i), size, "bold", "middle", fill=colors.ink)
        for i, row in enumerate(rows)
    ]
    if copy:
        parts.append(text(copy, SIZE / 2, SIZE - 1.15, SMALLEST + 0.15, "semibold", "middle", fill=colors.ink))
    if look.figure:
        parts += _figure(look.figure, colors)
    return svg.group(
        parts if image is None else [*parts[:first_text], *text_over_image(parts[first_text:], colors.fill)]
    )


def _look(game: Game, marker_id: str, marker: Marker, side: Side) -> MarkerStyle:
    colors = colors_of(game, marker_id, marker)
    picture = picture_of(marker_id, marker)
    figures = [marker.factors[key] for key in NUMBERS if key in marker.factors]
    figure = figures[0] if figures and figures[0] not in re.findall(r"\d+", marker.name) else ""
    back_colors = replace(colors, fill=mix(colors.fill, colors.ink, 0.14))
    if marker.state == "disintegrated":
        subject = marker.name.partition(", ")[2]
        if side == "back":
            return MarkerStyle(f"Disintegrated, {subject}", "disintegrated", "", back_colors)
        return MarkerStyle(f"Intact, {subject}", "shield", "", colors)
    if side == "front":
        return MarkerStyle(marker.name, picture, figure, colors)
    kind = marker_id.partition("_")[0]
    if kind in BLIND and marker.side:
        paper = colors_of_side(game, marker.side)
        words = f"{game.sides[marker.side].name} {kind}"
        return MarkerStyle(words, picture, "", replace(paper, fill=mix(paper.fill, paper.ink, 0.14)))
    if marker.kind == "support":
        return MarkerStyle(
            f"{marker.name}: used", picture, "", replace(back_colors, ink=mix(back_colors.fill, colors.ink, 0.72))
        )
    return MarkerStyle(marker.name, picture, figure, back_colors)


def picture_of(marker_id: str, marker: Marker) -> str:
    """The icon of a marker: its own, or the one that fits its id or state. Empty if there is none."""
    if marker.symbol:
        return marker.symbol if marker.symbol in PICTURES else ""
    for name in (marker_id, marker.state):
        for word, icon in MARKER_EXAMPLES:
            if re.search(rf"(?:^|_){word}", name):
                return icon
    return ""


def colors_of_side(game: Game, side: str) -> Colors:
    """The colors of a side: those of its first nation."""
    for nation in game.nations.values():
        if nation.side == side:
            return nation.colors
    return NEUTRAL["function"]


def colors_of(game: Game, marker_id: str, marker: Marker) -> Colors:
    """The colors of the marker's nation, else of its side, else of its kind."""
    if not marker.side:
        return NEUTRAL[marker.kind]
    name_words = {*marker_id.split("_"), *re.findall(r"\w+", marker.name.lower())}
    note_words = {*re.findall(r"\w+", marker.note)}
    for key, nation in game.nations.items():
        nation_words = {key, key.split("_")[-1], nation.adjective.lower()}
        if nation.side == marker.side and (nation_words & name_words or {nation.adjective, key.upper()} & note_words):
            return nation.colors
    return colors_of_side(game, marker.side)


def _edge(kind: str, colors: Colors, bleed: float) -> list[Element]:
    """A frame that shows the kind: none for support, a line for functions, bars for states, corners for constructions."""
    if kind == "state":
        bars = [(-bleed, 1.25 + bleed), (SIZE - 0.85, 0.85 + bleed)]
        return [svg.rect(-bleed, y, SIZE + 2 * bleed, height, fill=colors.accent) for y, height in bars]
    if kind == "construction":
        inner = SIZE - 1.3
        return [
            svg.rect(
                0.65,
                0.65,
                inner,
                inner,
                rx=0.5,
                fill="none",
                stroke=colors.accent,
                stroke_width=0.35,
                stroke_dasharray="1.1 0.7",
            )
        ]
    if kind == "function":
        inner = SIZE - 1.3
        return [
            svg.rect(0.65, 0.65, inner, inner, rx=1.2, fill="none", stroke=darker(colors.fill, 0.35), stroke_width=0.3)
        ]
    return []


def _figure(figure: str, colors: Colors) -> list[Element]:
    tag_width = max(3.0, width(figure, 2.6, "bold") + 1.2)
    x = SIZE - MARGIN - 0.3 - tag_width / 2
    tag = svg.rect(x - tag_width / 2, 1.1, tag_width, 3.0, rx=1.5, fill=colors.accent)
    return [tag, centred_text(figure, x, 2.6, 2.6, "bold", fill="#ffffff")]


def _fit_name(words: str, marker_id: str) -> tuple[list[str], float]:
    """Break a name into at most three lines, at the largest possible size."""
    room = SIZE - 2 * MARGIN - 0.6
    weight: Weight = "bold"
    for tenths in range(25, 14, -1):
        size = max(tenths / 10, SMALLEST)
        rows = lines(words, room, size, weight)
        max_rows = 1 if size > 2.1 else 2 if size > 1.75 else 3
        if len(rows) <= max_rows and all(width(row, size, weight) <= room for row in rows):
            return rows, size
    raise NoRoom(f"{marker_id}: {words!r} doesn't fit a marker at the smallest legible size; shorten it")

"""Markers: constructions, states, functions and support, 16 mm square, front and back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from art import svg
from art.color import darker, mix, shaded
from art.counters import Side
from art.images import Box, over, placed
from art.pictures import PICTURES
from art.spots import MARGIN, SIZE, SMALLEST, NoRoom
from art.svg import Element
from art.text import CAPITAL, Weight, centred, lines, text, width
from scenarios.counters import Marker
from scenarios.game import Game
from scenarios.pack import Colors

NEUTRAL: Mapping[str, Colors] = {
    "construction": Colors(fill="#d9cfb4", ink="#2b2416", accent="#6b5a34"),
    "state": Colors(fill="#fbf4e6", ink="#5c0d12", accent="#a3161d"),
    "function": Colors(fill="#f2f2ee", ink="#1d2024", accent="#4a5058"),
    "support": Colors(fill="#e7e9ee", ink="#1b222b", accent="#48566a"),
}
"""The colours of markers that are nobody's, by kind."""
SHOWN: Sequence[tuple[str, str]] = (
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
"""Which picture a marker has: the first whose word begins a word of its id, or of its state."""
BLIND = ("event", "command")
"""Markers drawn blindly: their backs don't tell what they are."""
NUMBERS: Sequence[str] = ("escalation", "strength", "shifts", "strike", "defense")
"""The factors that are shown on a marker whose name doesn't say them."""


class Look(NamedTuple):
    """What a face shows."""

    words: str
    picture: str
    figure: str
    colors: Colors


def marker(
    game: Game, marker_id: str, copy: str = "", side: Side = "front", size: float = SIZE, bleed: float = 0
) -> Element:
    """One side of a marker as a drawing of its own."""
    scale = size / SIZE
    body = marker_group(game, marker_id, copy, side, bleed / scale)
    return svg.drawing(size + 2 * bleed, size + 2 * bleed, [svg.moved(body, bleed, bleed, scale)])


def marker_group(game: Game, marker_id: str, copy: str = "", side: Side = "front", bleed: float = 0) -> Element:
    """The same as a group on a square of 16, for sheets and cards."""
    held = game.markers[marker_id]
    look = _look(game, marker_id, held, side)
    colors = look.colors
    image = held.back.image if side == "back" and held.back is not None and held.back.image is not None else held.image
    parts = [svg.rect(-bleed, -bleed, SIZE + 2 * bleed, SIZE + 2 * bleed, fill=colors.fill)]
    if image is not None:
        parts += placed(game.folder, image, Box(0, 0, SIZE, SIZE), bleed=bleed)
        if not image.text:
            return svg.group(parts)
    else:
        parts += _edge(held.kind, colors, bleed)
    below = len(parts)
    rows, size = _fitted(look.words, marker_id)
    step = size * 1.08
    block = CAPITAL * size + step * (len(rows) - 1)
    low = SIZE - 1.75 if not copy else SIZE - 3.2
    shade = shaded(colors) if held.kind != "state" else mix(colors.fill, colors.accent, 0.18)
    if image is not None:
        pass
    elif look.picture:
        room = low - block - 0.8 - 1.9
        scale = min(1.0, room / 8.2)
        drawn = svg.group(PICTURES[look.picture](colors.ink, shade))
        top = 1.9 + (room - 8 * scale) / 2
        parts.append(svg.moved(drawn, SIZE / 2 - 6 * scale, top, scale))
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
    return svg.group(parts if image is None else [*parts[:below], *over(parts[below:], colors.fill)])


def _look(game: Game, marker_id: str, held: Marker, side: Side) -> Look:
    colors = colors_of(game, marker_id, held)
    picture = picture_of(marker_id, held)
    figures = [held.factors[key] for key in NUMBERS if key in held.factors]
    figure = figures[0] if figures and figures[0] not in re.findall(r"\d+", held.name) else ""
    back = replace(colors, fill=mix(colors.fill, colors.ink, 0.14))
    if held.state == "disintegrated":
        where = held.name.partition(", ")[2]
        if side == "back":
            return Look(f"Disintegrated, {where}", "disintegrated", "", back)
        return Look(f"Intact, {where}", "shield", "", colors)
    if side == "front":
        return Look(held.name, picture, figure, colors)
    kind = marker_id.partition("_")[0]
    if kind in BLIND and held.side:
        paper = colors_of_side(game, held.side)
        words = f"{game.sides[held.side].name} {kind}"
        return Look(words, picture, "", replace(paper, fill=mix(paper.fill, paper.ink, 0.14)))
    if held.kind == "support":
        return Look(f"{held.name}: used", picture, "", replace(back, ink=mix(back.fill, colors.ink, 0.72)))
    return Look(held.name, picture, figure, back)


def picture_of(marker_id: str, held: Marker) -> str:
    """The icon of a marker: its own, or what its id or its state suggests; empty where there is none."""
    if held.symbol:
        return held.symbol if held.symbol in PICTURES else ""
    for name in (marker_id, held.state):
        for word, icon in SHOWN:
            if re.search(rf"(?:^|_){word}", name):
                return icon
    return ""


def colors_of_side(game: Game, side: str) -> Colors:
    """The colours of a side: those of its first nation."""
    for nation in game.nations.values():
        if nation.side == side:
            return nation.colors
    return NEUTRAL["function"]


def colors_of(game: Game, marker_id: str, held: Marker) -> Colors:
    """The colours of the nation that a marker names, else of its side, else those of its kind."""
    if not held.side:
        return NEUTRAL[held.kind]
    named = {*marker_id.split("_"), *re.findall(r"\w+", held.name.lower())}
    noted = {*re.findall(r"\w+", held.note)}
    for key, nation in game.nations.items():
        known = {key, key.split("_")[-1], nation.adjective.lower()}
        if nation.side == held.side and (known & named or {nation.adjective, key.upper()} & noted):
            return nation.colors
    return colors_of_side(game, held.side)


def _edge(kind: str, colors: Colors, bleed: float) -> list[Element]:
    """A frame that tells the kind: none for support, a line for functions, bars for states, corners for constructions."""
    if kind == "state":
        bars = [(-bleed, 1.25 + bleed), (SIZE - 0.85, 0.85 + bleed)]
        return [svg.rect(-bleed, y, SIZE + 2 * bleed, high, fill=colors.accent) for y, high in bars]
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
    wide = max(3.0, width(figure, 2.6, "bold") + 1.2)
    x = SIZE - MARGIN - 0.3 - wide / 2
    tag = svg.rect(x - wide / 2, 1.1, wide, 3.0, rx=1.5, fill=colors.accent)
    return [tag, centred(figure, x, 2.6, 2.6, "bold", fill="#ffffff")]


def _fitted(words: str, who: str) -> tuple[list[str], float]:
    """A name in at most three lines, as large as it can be."""
    room = SIZE - 2 * MARGIN - 0.6
    weight: Weight = "bold"
    for tenths in range(25, 14, -1):
        size = max(tenths / 10, SMALLEST)
        rows = lines(words, room, size, weight)
        most = 1 if size > 2.1 else 2 if size > 1.75 else 3
        if len(rows) <= most and all(width(row, size, weight) <= room for row in rows):
            return rows, size
    raise NoRoom(f"{who}: {words!r} doesn't fit a marker at the least legible size; shorten it")

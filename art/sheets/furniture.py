"""The parts around a map: title, compass, scale bar, frame, edge names, and the line of credits."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from art import svg
from art.geometry import path_of
from art.maps.icons import INK
from art.svg import Element
from art.text import centred_text, lines, text, width
from scenarios.model.game import Game
from scenarios.model.sources import Source

PAPER = "#f6efdc"
PANEL = "#fbf6e6"
EDGE = "#5a4630"
FAINT = "#8a7658"
TURNS: dict[str, int] = {"up": 0, "right": 90, "down": 180, "left": 270}
SIDES = ("top", "right", "bottom", "left")
COMPASS = ("North", "East", "South", "West")


def compass(x: float, y: float, r: float, north: str) -> Element:
    """A compass rose. Its long point shows the true north of the map. Its letters are upright."""
    turn = math.radians(TURNS[north])

    def point_at(angle: float, share: float) -> tuple[float, float]:
        return x + r * share * math.sin(angle + turn), y - r * share * math.cos(angle + turn)

    parts = [
        svg.circle(x, y, r * 0.62, fill="none", stroke=EDGE, stroke_width=r * 0.03),
        svg.circle(x, y, r * 0.55, fill="none", stroke=EDGE, stroke_width=r * 0.015),
    ]
    for k in range(8):
        angle = k * math.pi / 4
        tip_share = 0.86 if k == 0 else 0.7 if k % 2 == 0 else 0.46
        waist_share = 0.13
        tip, left_corner, right = (
            point_at(angle, tip_share),
            point_at(angle - math.pi / 4, waist_share),
            point_at(angle + math.pi / 4, waist_share),
        )
        parts.append(
            svg.path(path_of([tip, left_corner, (x, y)], True), fill=PANEL, stroke=EDGE, stroke_width=r * 0.015)
        )
        parts.append(svg.path(path_of([tip, right, (x, y)], True), fill=INK, stroke=EDGE, stroke_width=r * 0.015))
    nx, ny = point_at(0, 1.08)
    parts.append(centred_text("N", nx, ny, r * 0.34, "bold", fill=INK))
    return svg.group(parts)


def hex_scale(game: Game) -> tuple[Fraction, str] | None:
    """The distance across a hex with its unit, from the pack's scale."""
    match = re.match(r"(\d+(?:\.\d+)?)\s*([a-z]+)", game.card.scale.get("hex", ""))
    return (Fraction(match[1]), match[2]) if match else None


def scale_bar(game: Game, hex_width: float, room: float) -> tuple[Element, float]:
    """A scale bar for hexes `hex_width` mm wide, and the width that it takes (0 if the pack has no scale).

    It begins at 0. Its figures may extend to the left by as much as to the right.
    """
    scale = hex_scale(game)
    if scale is None:
        return svg.group([]), 0.0
    value, unit = scale
    steps = [Fraction(n) * 10**k for k in range(-1, 5) for n in (1, 2, 5)]
    overhang = 1.0
    step = max((s for s in steps if 4 * float(s / value) * hex_width <= room - overhang), default=steps[0])
    long = float(step / value) * hex_width
    parts: list[Element] = []
    for i in range(4):
        fill = INK if i % 2 == 0 else PANEL
        parts.append(svg.rect(overhang + i * long, 0, long, 2.2, fill=fill, stroke=INK, stroke_width=0.25))
    for i in range(5):
        parts.append(text(f"{float(step * i):g}", overhang + i * long, -1.2, 2.8, "semibold", "middle", fill=INK))
    last = 4 * long + overhang + width(f"{float(step * 4):g}", 2.8, "semibold") / 2 + 0.8
    parts.append(text(unit, last, -1.2, 2.8, "semibold", "start", fill=INK))
    caption = f"1 hex = {game.card.scale['hex']}"
    rows = lines(caption, room, 2.6, "italic")[:1]
    parts += [text(row, 0, 6, 2.6, "italic", "start", fill=EDGE) for row in rows]
    total_width = max(last + width(unit, 2.8, "semibold"), *(width(row, 2.6, "italic") for row in rows))
    return svg.group(parts), total_width


def frame(x: float, y: float, width: float, height: float) -> Element:
    """A double line around a map. The inner line is the edge of the map."""
    return svg.group(
        [
            svg.rect(x - 2, y - 2, width + 4, height + 4, fill="none", stroke=EDGE, stroke_width=1.1),
            svg.rect(x, y, width, height, fill="none", stroke=EDGE, stroke_width=0.35),
        ]
    )


def edge_names(x: float, y: float, map_width: float, height: float, north: str) -> Element:
    """The names of the four edges, by their compass direction."""
    quarter = TURNS[north] // 90
    parts = []
    for i, name in enumerate(COMPASS):
        edge = SIDES[(i + quarter) % 4]
        middle = {
            "top": (x + map_width / 2, y - 4.8),
            "bottom": (x + map_width / 2, y + height + 5),
            "left": (x - 4.9, y + height / 2),
            "right": (x + map_width + 4.9, y + height / 2),
        }[edge]
        turn = {"left": -90, "right": 90}.get(edge, 0)
        word = centred_text(f"{name} edge".upper(), 0, 0, 3.4, "bold", fill=FAINT, letter_spacing=1.2)
        move = f"translate({svg.number(middle[0])} {svg.number(middle[1])})" + (f" rotate({turn})" if turn else "")
        parts.append(svg.group([word], transform=move))
    return svg.group(parts)


def source_of(game: Game, kind: str, key: str, part: str) -> Source | None:
    """The source of a board or map: that of its terrain or points, else that of any part of it."""
    records = [d for d in game.data if d.address[:2] == (kind, key) and d.source]
    return next((d.source for d in records if d.address[2:3] == (part,)), records[0].source if records else None)


def credits_line(game: Game, source: Source | None) -> str:
    """The credits: the makers of the game, the source of this map, and a note that Mitla is not affiliated with the publisher."""
    card = game.card
    makers = f" by {' and '.join(card.designers)}" if card.designers else ""
    publication = f"{card.publisher}, {card.year}" if card.publisher and card.year else card.publisher
    about = f"Mitla's own drawing for {card.title}{makers}" + (f" ({publication})" if publication else "")
    word = f"map {source.word}" if source else "map of no stated source"
    # A sample, and a game started from one, has this project as its publisher.
    has_publisher = card.publisher and card.publisher != "Mitla"
    disclaimer = f"not affiliated with {card.publisher}" if has_publisher else "not affiliated with any publisher"
    overlays = "; with the user's own overlays" if game.overlays else ""
    return f"{about}; {word}{overlays}. Mitla is {disclaimer}."

"""Counters: one face as a drawing, 16 mm square, from the model alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from art import svg
from art.color import lighter, mix
from art.silhouettes import SILHOUETTES, silhouette
from art.svg import Element
from art.symbols import HIGH, MARKS, WIDE, symbol
from art.text import CAPITAL, Weight, fitting, text
from scenarios.counters import FactorValue, Unit
from scenarios.game import Game
from scenarios.pack import Colors, Layout

SIZE = 16.0
"""The side of a counter in millimetres; other sizes are scaled from it."""
MARGIN = 0.9
SMALLEST = 1.55
"""The smallest font size in millimetres that a player can read: 4.4 points."""

Side = Literal["front", "back"]


@dataclass(frozen=True)
class Spot:
    """A place for text on a counter: its point, how it hangs there, its room and its size."""

    x: float
    y: float
    anchor: Literal["start", "middle", "end"]
    room: float
    size: float
    least: float
    weight: Weight = "bold"
    turned: int = 0


TOP, BOTTOM, RIGHT = MARGIN, SIZE - MARGIN, SIZE - MARGIN
SPOTS: Mapping[str, Spot] = {
    "top_left": Spot(MARGIN, TOP, "start", 4.9, 4.1, 2.4),
    "top": Spot(SIZE / 2, TOP, "middle", 4.6, 3.2, 2.2),
    "top_right": Spot(RIGHT, TOP, "end", 4.9, 4.1, 2.4),
    "left": Spot(MARGIN + 0.55, SIZE / 2 - 1.2, "middle", 8.2, 1.9, SMALLEST, "semibold", -90),
    "right": Spot(RIGHT - 0.55, SIZE / 2 - 1.2, "middle", 8.2, 1.9, SMALLEST, "semibold", 90),
    "caption": Spot(SIZE / 2, 11.95, "middle", SIZE - 2 * MARGIN, 2.0, SMALLEST, "semibold"),
    "bottom_left": Spot(MARGIN, BOTTOM, "start", 4.9, 4.1, 2.4),
    "bottom": Spot(SIZE / 2, BOTTOM, "middle", 5.0, 1.8, SMALLEST, "semibold"),
    "bottom_right": Spot(RIGHT, BOTTOM, "end", 4.9, 4.1, 2.4),
}
WIDE_BOTTOM = Spot(SIZE / 2, BOTTOM, "middle", SIZE - 2 * MARGIN, 4.3, 2.4)
"""The bottom spot where nothing stands in the corners beside it."""


class NoRoom(ValueError):
    """A text that doesn't fit its counter at a legible size."""


def layout_of(game: Game, unit: Unit) -> Layout:
    """The first layout of the pack that fits a counter."""
    for layout in game.layouts.values():
        if (not layout.classes or unit.class_ in layout.classes) and (not layout.types or unit.type in layout.types):
            return layout
    return Layout(spots={"bottom": "-".join(f"{{{key}}}" for key in list(game.factors)[:3]), "caption": "{name}"})


def words(template: str, unit: Unit, factors: Mapping[str, FactorValue], copy: str) -> str:
    """What a spot says: empty where something it names is missing."""
    known = {key: _shown(value) for key, value in factors.items()}
    known |= {"name": unit.name, "formation": unit.formation, "number": copy, "setup": unit.setup}
    known |= {"size": unit.size, "steps": str(unit.steps)}
    names = re.findall(r"\{([^}]*)\}", template)
    if any(not known.get(name) for name in names):
        return ""
    return re.sub(r"\{([^}]*)\}", lambda found: known[found[1]], template)


def _shown(value: FactorValue) -> str:
    halves = {"1/2": "½", "1/4": "¼", "3/4": "¾", "1/3": "⅓", "2/3": "⅔"}
    return halves.get(str(value), str(value))


def face(game: Game, unit: Unit, side: Side = "front", copy: str = "", size: float = SIZE, bleed: float = 0) -> Element:
    """One side of a counter as a drawing of its own, with colour beyond the cut where there is a bleed."""
    body = face_group(game, unit, side, copy, bleed)
    scale = size / SIZE
    drawn = svg.group(
        [body], transform=f"translate({svg.number(bleed)} {svg.number(bleed)}) scale({svg.number(scale)})"
    )
    return svg.drawing(size + 2 * bleed, size + 2 * bleed, [drawn])


def face_group(game: Game, unit: Unit, side: Side, copy: str, bleed: float = 0) -> Element:
    """The same as a group on a square of 16, for sheets and cards."""
    colors = game.nations[unit.nation].colors
    paper = colors.fill if side == "front" else mix(colors.fill, colors.ink, 0.12)
    spread = bleed * 1.0
    parts = [svg.rect(-spread, -spread, SIZE + 2 * spread, SIZE + 2 * spread, fill=paper)]
    layout = layout_of(game, unit)
    if side == "back" and unit.back is None:
        return svg.group([*parts, *_plain_back(game, unit, layout, colors, copy)])
    factors = unit.factors if side == "front" or unit.back is None else unit.back
    if side == "back":
        parts.append(_stripe(colors, spread))
    parts.append(_picture(game, unit, layout, colors))
    name = unit.back_name if side == "back" and unit.back_name else unit.name
    corners = any(layout.spots.get(key) for key in ("bottom_left", "bottom_right"))
    for key, template in layout.spots.items():
        said = words(template, unit, factors, copy).replace(unit.name, name) if template else ""
        spot = WIDE_BOTTOM if key == "bottom" and not corners else SPOTS[key]
        if said:
            parts.append(_said(said, spot, colors.ink, unit.id))
    return svg.group(parts)


def _said(said: str, spot: Spot, ink: str, who: str) -> Element:
    try:
        size = fitting(said, spot.room, spot.size, spot.least, spot.weight)
    except ValueError as error:
        raise NoRoom(f"{who}: {error}; shorten it") from None
    y = spot.y + (CAPITAL * size if spot.y < SIZE / 4 and not spot.turned else 0)
    if spot.turned:
        drawn = text(said, 0, CAPITAL * size / 2, size, spot.weight, "middle", fill=ink)
        turn = f"translate({svg.number(spot.x)} {svg.number(spot.y)}) rotate({spot.turned})"
        return svg.group([drawn], transform=turn)
    return text(said, spot.x, y, size, spot.weight, spot.anchor, fill=ink)


def _picture(game: Game, unit: Unit, layout: Layout, colors: Colors) -> Element:
    kind = game.types.get(unit.type)
    name = (kind.symbol if kind and kind.symbol else unit.type) or "infantry"
    if layout.picture == "silhouette" and name in SILHOUETTES:
        return svg.moved(silhouette(name, colors.ink, mix(colors.fill, colors.ink, 0.35)), 1.6, 4.55, 12.8 / 24)
    if layout.picture != "none" and name in MARKS:
        low = bool(layout.spots.get("caption"))
        wide, top = (7.4, 5.0) if low else (9.0, 4.6)
        drawn = symbol(name, colors.ink, lighter(colors.fill, 0.55), unit.size)
        return svg.moved(drawn, (SIZE - wide) / 2, top, wide / WIDE)
    return svg.group([])


def _stripe(colors: Colors, spread: float) -> Element:
    """The band that tells a unit that has lost steps."""
    return svg.rect(-spread, 3.9, SIZE + 2 * spread, HIGH, fill=lighter(colors.fill, 0.45))


def _plain_back(game: Game, unit: Unit, layout: Layout, colors: Colors, copy: str) -> list[Element]:
    """The back of a counter that is the same whichever way it lies: turned over, it has moved or fired."""
    faint = mix(colors.fill, colors.ink, 0.45)
    ghost = Colors(fill=colors.fill, ink=faint, accent=colors.accent)
    parts = [_picture(game, unit, layout, ghost)]
    spot = SPOTS["caption"]
    parts.append(_said(unit.name, spot, mix(colors.fill, colors.ink, 0.75), unit.id))
    if copy:
        parts.append(_said(copy, SPOTS["bottom"], mix(colors.fill, colors.ink, 0.75), unit.id))
    return parts

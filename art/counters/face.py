"""The faces of counters: drawings 16 mm square, made from the model alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from art import svg
from art.color import contrast, lighter, mix, readable_surface
from art.counters.flags import flag
from art.counters.formations import Tint, says_formation, short_names, tint
from art.counters.marker_pictures import PICTURES
from art.counters.silhouettes import SILHOUETTES, silhouette
from art.counters.slots import (
    BADGE,
    CAPTION_BESIDE,
    CAPTION_FIGURES,
    CODE,
    CODE_BESIDE,
    MARGIN,
    SIZE,
    SMALLEST,
    SPOTS,
    WIDE_BOTTOM,
    NoRoom,
    Slot,
    draw_text,
    fits,
    slot_beside,
)
from art.counters.symbols import MARKS, SYMBOL_HEIGHT, SYMBOL_WIDTH, symbol
from art.images import PictureBox, place_image, text_over_image
from art.svg import Element
from art.text import centred_text, width
from scenarios.model.counters import Unit
from scenarios.model.definitions import Colors, Layout
from scenarios.model.game import Game
from scenarios.unit_view import UnitView, view_face

__all__ = ["MARGIN", "SIZE", "SMALLEST", "NoRoom", "Side", "face", "face_group", "layout_of"]

Side = Literal["front", "back"]
FIELD_PATTERN = re.compile(r"\{([a-z0-9_]+)(?:\?([^}]*))?\}")
FRACTIONS = {"1/2": "½", "1/4": "¼", "3/4": "¾", "1/3": "⅓", "2/3": "⅔"}
FRAME_TOP, FRAME_WIDE = 3.6, 8.4
"""The position of a symbol's frame, and its width."""
SILHOUETTE_LEFT, SILHOUETTE_TOP, SILHOUETTE_WIDE = 2.6, 3.9, 12.0


def layout_of(game: Game, unit: Unit) -> Layout:
    """The first layout of the pack that fits a counter."""
    for layout in game.layouts.values():
        if (not layout.classes or unit.class_ in layout.classes) and (not layout.types or unit.type in layout.types):
            return layout
    factor_keys = [key for key in game.factors if key in unit.factors][:3]
    return Layout(
        spots={"bottom": "-".join(f"{{{key}}}" for key in factor_keys), "caption": "{name}", "right": "{number}"}
    )


def words(template: str, view: UnitView, copy: str) -> str:
    """The text of a slot: the first of its choices without a missing value. {front?} is missing on a back."""
    unit = view.counter
    assert isinstance(unit, Unit)
    values = {key: FRACTIONS.get(str(value), str(value)) for key, value in view.printed_factors.items()}
    values |= {"name": view.face_name, "formation": unit.formation, "number": copy}
    values |= {"setup": unit.setup, "size": unit.size, "steps": str(unit.steps)}
    values |= {"front": "x" if view.face == "front" else ""} | dict.fromkeys(sorted(unit.abilities), "x")
    for choice in template.split("|"):
        if all(values.get(match[1]) for match in FIELD_PATTERN.finditer(choice)):
            return FIELD_PATTERN.sub(lambda match: values[match[1]] if match[2] is None else match[2], choice).strip()
    return ""


def face(game: Game, unit: Unit, side: Side = "front", copy: str = "", size: float = SIZE, bleed: float = 0) -> Element:
    """One side of a counter as a separate drawing. With a bleed, its color extends beyond the cut."""
    scale = size / SIZE
    place = svg.number(bleed)
    transform = f"translate({place} {place}) scale({svg.number(scale)})"
    body = svg.group([face_group(game, unit, side, copy, bleed / scale)], transform=transform)
    return svg.drawing(size + 2 * bleed, size + 2 * bleed, [body])


def face_group(game: Game, unit: Unit, side: Side, copy: str, bleed: float = 0) -> Element:
    """One side of a counter as a group on a square of 16, for sheets and cards."""
    colors = game.nations[unit.nation].colors
    paper = colors.fill if side == "front" else mix(colors.fill, colors.ink, 0.12)
    ground = svg.rect(-bleed, -bleed, SIZE + 2 * bleed, SIZE + 2 * bleed, fill=paper)
    layout = layout_of(game, unit)
    if side == "back" and unit.back is None:
        return svg.group([ground, *_plain_back(game, unit, layout, colors, copy)])
    view = view_face(game, unit, side)
    name = view.face_name
    parts = [ground]
    image = unit.image if side == "front" else unit.back_image
    if image is not None:
        parts += place_image(game.folder, image, PictureBox(0, 0, SIZE, SIZE), bleed=bleed)
        if not image.text:
            return svg.group(parts)
    shows_state = side == "back" and unit.back_state in PICTURES and image is None
    if image is None:
        if side == "back" and not shows_state:
            parts.append(_stripe(colors, bleed))
        parts.append(_state_picture(unit, colors) if shows_state else _picture(game, unit, layout, colors, side))
    first_text = len(parts)
    texts_by_spot = {key: words(t, view, copy) for key, t in layout.spots.items() if t}
    texts_by_spot = {
        key: word
        for key, word in texts_by_spot.items()
        if word and not (shows_state and key not in ("caption", "left"))
    }
    if side == "front":
        code = game.nations[unit.nation].letters
        parts += draw_text([code], CODE_BESIDE if "top_left" in texts_by_spot else CODE, colors, unit.id)
        texts_by_spot.setdefault("top_left", "")
    has_own_back = unit.back == unit.factors or unit.back_name
    if (
        side == "back"
        and has_own_back
        and not shows_state
        and unit.back_state in game.states
        and "top_left" not in texts_by_spot
    ):
        parts += _tag(game.states[unit.back_state].short or unit.back_state, colors)
    for key, word in texts_by_spot.items():
        if not word:
            continue
        spot = _spot(key, texts_by_spot, layout.picture == "silhouette")
        choices = [word]
        if "{name}" in layout.spots[key] and unit.short:
            choices = _names(word, name, unit.short, spot)
        elif "{formation}" in layout.spots[key]:
            briefs = [word.replace(unit.formation, brief) for brief in short_names(unit.formation)]
            choices = [] if says_formation(unit) else [brief for brief in briefs if fits(brief, spot)][:1]
        if choices:
            parts += draw_text(choices, spot, colors, unit.id)
    return svg.group(parts if image is None else [*parts[:first_text], *text_over_image(parts[first_text:], paper)])


def _names(word: str, name: str, short: str, spot: Slot) -> list[str]:
    """The full name if it fits comfortably, else the short name."""
    at_ease = replace(spot, min_size=(spot.size + spot.min_size) / 2)
    return [word if fits(word, at_ease) else word.replace(name, short)]


def _spot(key: str, texts_by_spot: Mapping[str, str], vehicle: bool) -> Slot:
    """The place and size of a slot, depending on the used slots. Below a vehicle the name is a little lower."""
    if vehicle and key in ("caption", "low_left", "low_right"):
        spot = _spot(key, dict.fromkeys(texts_by_spot, ""), False)
        return replace(spot, y=spot.y + 0.25)
    if key == "bottom" and not texts_by_spot.keys() & {"bottom_left", "bottom_right"}:
        return WIDE_BOTTOM
    if key == "caption" and texts_by_spot.keys() & {"low_left", "low_right"}:
        return CAPTION_BESIDE
    if key == "caption" and texts_by_spot.get(key, "").isdigit():
        return CAPTION_FIGURES
    if key in ("left", "right"):
        corner_keys = {f"top_{key}"} | ({"badge"} if key == "right" else set())
        return slot_beside(key, bool(texts_by_spot.keys() & corner_keys))
    return BADGE if key == "badge" else SPOTS[key]


def _picture(game: Game, unit: Unit, layout: Layout, colors: Colors, side: Side = "front") -> Element:
    kind = game.types.get(unit.type)
    name = unit.symbol or (kind.symbol if kind and kind.symbol else unit.type) or "infantry"
    if side == "back" and unit.back_state in MARKS:
        name = unit.back_state
    corner_keys = layout.spots.keys() & {"top_left", "top_right"}
    top, frame_width = (FRAME_TOP + 0.7, FRAME_WIDE - 1.2) if corner_keys else (FRAME_TOP, FRAME_WIDE)
    if kind and kind.image and layout.picture != "none" and not unit.symbol:
        picture_parts = place_image(
            game.folder,
            kind.image,
            PictureBox((SIZE - frame_width) / 2, top, frame_width, frame_width * SYMBOL_HEIGHT / SYMBOL_WIDTH),
            "contain",
        )
        return svg.group(picture_parts, opacity=0.5 if unit.back is None and side == "back" else None)
    if layout.picture == "silhouette" and name in SILHOUETTES:
        picture = silhouette(name, colors.ink, mix(colors.fill, colors.ink, 0.35))
        return svg.translate(picture, SILHOUETTE_LEFT, SILHOUETTE_TOP, SILHOUETTE_WIDE / 24)
    if layout.picture != "none":
        if name not in MARKS and kind and kind.short:
            name = kind.short
        fill = tint(game, unit)
        if unit.back is None and side == "back":
            fill = Tint(*(mix(part, colors.fill, 0.5) for part in fill))
        size = "" if layout.spots.get("top") else unit.size
        ink = colors.ink if contrast(colors.ink, fill.upper) > contrast(colors.fill, fill.upper) else colors.fill
        picture = symbol(name, ink, fill.upper, size, fill.lower, colors.ink)
        return svg.translate(picture, (SIZE - frame_width) / 2, top, frame_width / SYMBOL_WIDTH)
    return svg.group([])


def _state_picture(unit: Unit, colors: Colors) -> Element:
    """The icon for the state on a unit's back, such as a bridge."""
    icon = svg.group(PICTURES[unit.back_state](colors.ink, readable_surface(colors, 0.5)))
    return svg.translate(icon, 2.6, 1.7, 0.9)


def _stripe(colors: Colors, bleed: float) -> Element:
    """The band that marks a unit with lost steps."""
    top, height = FRAME_TOP + 0.9, SYMBOL_HEIGHT * FRAME_WIDE / SYMBOL_WIDTH - 1.8
    return svg.rect(-bleed, top, SIZE + 2 * bleed, height, fill=lighter(colors.fill, 0.72))


def _tag(word: str, colors: Colors) -> list[Element]:
    """A state's short name on a dark tag in the upper left corner."""
    size = 1.9
    tag_width = width(word, size, "bold") + 1.1
    tag = svg.rect(MARGIN, MARGIN - 0.1, tag_width, 2.2, rx=0.5, fill=colors.accent)
    return [tag, centred_text(word, MARGIN + tag_width / 2, MARGIN + 1.0, size, "bold", fill="#ffffff")]


def _plain_back(game: Game, unit: Unit, layout: Layout, colors: Colors, copy: str) -> list[Element]:
    """The back of a counter without a second face: its flag and set-up code, or a shadow of its front."""
    quiet = Colors(fill=colors.fill, ink=mix(colors.fill, colors.ink, 0.8), accent=colors.accent)
    if unit.setup:
        flag_picture = svg.translate(flag(game.nations[unit.nation].flag or unit.nation, colors), (SIZE - 9) / 2, 2.3)
        return [flag_picture, *draw_text([unit.setup], SPOTS["banner"], quiet, unit.id)]
    ghost = Colors(fill=colors.fill, ink=mix(colors.fill, colors.ink, 0.45), accent=colors.accent)
    spot = _spot("caption", {}, layout.picture == "silhouette")
    names = _names(unit.name, unit.name, unit.short, spot) if unit.short else [unit.name]
    parts = [_picture(game, unit, layout, ghost, "back"), *draw_text(names, spot, quiet, unit.id)]
    return [*parts, *(draw_text([copy], SPOTS["bottom"], quiet, unit.id) if copy else [])]

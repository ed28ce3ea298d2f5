"""Tones of printing. Ink saving lightens surfaces and keeps lines and letters dark; the other tone is gray."""

from __future__ import annotations

import re
from dataclasses import replace
from types import MappingProxyType

from lxml import etree

from art.charts.charts import BAR, ON_BAR
from art.color import grey, lighter, luminance
from art.images import toned_picture
from art.svg import SVG, Element, to_bytes
from scenarios.model.game import Game

HEX = re.compile(r"#[0-9a-fA-F]{6}")
COLOR_ATTRIBUTES = ("fill", "stroke", "stop-color")
SHARE = 0.72
"""The share of white in a bright surface."""


def ink_saving_color(color: str) -> str:
    """A color as printed to save ink: the brighter it was, the nearer to white."""
    if not HEX.fullmatch(color):
        return color
    light = luminance(color)
    return lighter(color, SHARE * max(0.0, min(1.0, (light - 0.06) / 0.2)))


def ink_saving_game(game: Game) -> Game:
    """A game in which no nation has dark counters with light ink; their codes still distinguish nations."""
    nations = {}
    for key, nation in game.nations.items():
        fill, ink = nation.colors.fill, nation.colors.ink
        if luminance(ink) > luminance(fill):
            fill, ink = lighter(fill, SHARE), fill
        nations[key] = replace(nation, colors=replace(nation.colors, fill=fill, ink=ink))
    return replace(game, nations=MappingProxyType(nations))


def apply_tone(root: Element, tone: str) -> Element:
    """Change a drawing to a tone in place: ink-saving, gray, or unchanged."""
    if tone:
        for image in root.iter(f"{{{SVG}}}image"):
            image.set("href", toned_picture(str(image.get("href")), tone))
    if "ink-saver" in tone:
        save_ink(root)
    if "grey" in tone:
        for element in root.iter():
            for name in COLOR_ATTRIBUTES:
                color = element.get(name)
                if color and HEX.fullmatch(color):
                    element.set(name, grey(color))
    return root


def save_ink(root: Element) -> Element:
    """Lighten the surfaces of a drawing in place. Text on a solid bar gets the bar's color."""
    for element in root.iter():
        if element.get("fill") == BAR and not str(element.tag).endswith("text"):
            element.set("stroke", BAR)
            element.set("stroke-width", "0.3")
            element.set("fill", "#ffffff")
        elif element.get("fill") in ("#ffffff", ON_BAR) and str(element.tag).endswith("text"):
            element.set("fill", BAR)
        for name in COLOR_ATTRIBUTES:
            color = element.get(name)
            if color:
                element.set(name, ink_saving_color(color))
    return root


def in_tone(svg: bytes, tone: str) -> bytes:
    """A serialized drawing in a tone."""
    return to_bytes(apply_tone(etree.fromstring(svg), tone)) if tone else svg

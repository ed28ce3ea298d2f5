"""The data that all pages of a kit share."""

from __future__ import annotations

from typing import Any

from modgen.kit import texts
from modgen.kit.options import Options
from modgen.kit.shelves import GAP
from modgen.kit.tiles import OVERLAP
from scenarios.model.game import Game

RULER = 130.0
COVER = 0.56
"""The share of the cover's height that the map takes."""


def frame_of(game: Game, options: Options) -> dict[str, Any]:
    """The frame of a kit: its paper, its titles, and other data that don't depend on the drawings."""
    return {
        "title": f"{game.title}: print-and-play kit",
        "author": texts.AUTHOR,
        "keywords": ["wargame", "print-and-play", game.title],
        "game": {"title": game.title, "summary": game.card.summary},
        "overlays": texts.overlaid(game),
        "words": texts.TITLES,
        "paper": {"width": options.paper.width, "height": options.paper.height},
        "margin": options.margin,
        "counter_size": options.counter_size,
        "duplex": options.backs.startswith("duplex"),
        "overlap": OVERLAP,
        "gap": GAP,
        "ruler": RULER,
        "cover_share": COVER,
        "ink_saver": options.ink_saver,
        "grey": options.grey,
        "steps": texts.STEPS,
        "making": texts.making(options),
        "depth": 2,
        "enlarged": options.scale,
        "rules_about": texts.RULES_ABOUT,
        "maps_about": texts.MAPS_ABOUT,
        "charts_about": texts.CHARTS_ABOUT,
        "displays_about": texts.DISPLAYS_ABOUT,
        "pieces_about": texts.PIECES_ABOUT,
    }

"""What all pages of a kit share."""

from __future__ import annotations

from typing import Any

from modgen.kit import words
from modgen.kit.options import Options
from modgen.kit.shelves import GAP
from modgen.kit.tiles import OVERLAP
from scenarios.game import Game

RULER = 130.0
COVER = 0.56
"""How much of the cover's height is map."""


def frame_of(game: Game, options: Options) -> dict[str, Any]:
    """The frame of a kit: its paper, its titles, and what else doesn't depend on what is drawn."""
    return {
        "title": f"{game.title}: print-and-play kit",
        "author": words.AUTHOR,
        "keywords": ["wargame", "print-and-play", game.title],
        "game": {"title": game.title, "summary": game.card.summary},
        "overlays": words.overlaid(game),
        "words": words.TITLES,
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
        "steps": words.STEPS,
        "making": words.making(options),
        "depth": 2,
        "enlarged": options.scale,
        "rules_about": words.RULES_ABOUT,
        "maps_about": words.MAPS_ABOUT,
        "charts_about": words.CHARTS_ABOUT,
        "displays_about": words.DISPLAYS_ABOUT,
        "pieces_about": words.PIECES_ABOUT,
    }

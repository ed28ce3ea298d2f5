"""What the recordings ask: every question of every game, at every scenario's start and on random positions, from a seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scenarios import load
from tests.net.draw import arab_israeli_wars, musketeer, october_war, six_day_war, yom_kippur
from tests.net.draw.packs import packs
from tests.net.draw.sheet import Sheet

GAMES: Mapping[str, Callable[[Sheet], None]] = {
    "arab_israeli_wars": arab_israeli_wars.draw,
    "musketeer": musketeer.draw,
    "october_war": october_war.draw,
    "six_day_war": six_day_war.draw,
    "yom_kippur": yom_kippur.draw,
}


def draw_sheet(game: str) -> Sheet:
    """The positions and questions of a game."""
    sheet = Sheet(load(game))
    packs(sheet)
    GAMES[game](sheet)
    return sheet

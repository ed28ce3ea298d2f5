"""Labels for the trays that counters are kept in: one for each nation, and one for the markers."""

from __future__ import annotations

from art import svg
from art.flags import flag
from art.markers import NEUTRAL
from art.svg import Element
from art.text import CAPITAL, text, width
from scenarios.game import Game

ACROSS, HIGH, GAP = 2, 18.0, 4.0
"""How many labels stand side by side, how high each is, and the room between them, in millimetres."""


def tray_labels(game: Game, room: float) -> Element:
    """All labels of a game, that wide."""
    wide = (room - 0.6 - GAP * (ACROSS - 1)) / ACROSS
    drawn = [_nation(game, key, wide) for key in game.nations if any(u.nation == key for u in game.units.values())]
    if game.markers:
        count = sum(marker.count or 1 for marker in game.markers.values())
        colors = NEUTRAL["function"]
        drawn.append(_label("Markers", f"{count} markers", colors.fill, colors.ink, wide))
    parts = [
        svg.moved(label, 0.3 + (i % ACROSS) * (wide + GAP), 0.3 + (i // ACROSS) * (HIGH + GAP))
        for i, label in enumerate(drawn)
    ]
    return svg.drawing(room, tray_height(game), parts)


def tray_height(game: Game) -> float:
    """How high all labels of a game are."""
    count = len({unit.nation for unit in game.units.values()}) + bool(game.markers)
    return -(-count // ACROSS) * (HIGH + GAP) - GAP + 0.6


def _nation(game: Game, key: str, wide: float) -> Element:
    nation = game.nations[key]
    count = sum(unit.count for unit in game.units.values() if unit.nation == key)
    said = f"{nation.letters} · {count} counter{'s' * (count != 1)}"
    banner = svg.moved(flag(nation.flag or key, nation.colors), wide - 12, (HIGH - 6) / 2)
    return svg.group([_label(nation.name, said, nation.colors.fill, nation.colors.ink, wide, 16), banner])


def _label(name: str, said: str, fill: str, ink: str, wide: float, beside: float = 4) -> Element:
    """A label: its name as large as it fits, and what is in the tray below it."""
    size = min(4.6, 4.6 * (wide - beside - 3) / width(name, 4.6, "bold"))
    return svg.group(
        [
            svg.rect(0, 0, wide, HIGH, rx=1.2, fill=fill, stroke=ink, stroke_width=0.25),
            text(name, 3, 6.6 + size * CAPITAL / 2, size, "bold", "start", fill=ink),
            text(said, 3, 13.6, 3.1, "regular", "start", fill=ink),
        ]
    )

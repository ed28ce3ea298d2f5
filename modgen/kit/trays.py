"""Labels for counter trays: one for each nation, and one for the markers."""

from __future__ import annotations

from art import svg
from art.counters.flags import flag
from art.counters.markers import NEUTRAL
from art.svg import Element
from art.text import CAPITAL, text, width
from scenarios.model.game import Game

COLUMNS, ROW_HEIGHT, GAP = 2, 18.0, 4.0
"""The number of labels side by side, the height of each, and the space between them, in millimeters."""


def tray_labels(game: Game, room: float) -> Element:
    """All labels of a game, in this width."""
    label_width = (room - 0.6 - GAP * (COLUMNS - 1)) / COLUMNS
    labels = [
        _nation(game, key, label_width) for key in game.nations if any(u.nation == key for u in game.units.values())
    ]
    if game.markers:
        count = sum(marker.count or 1 for marker in game.markers.values())
        colors = NEUTRAL["function"]
        labels.append(_label("Markers", f"{count} markers", colors.fill, colors.ink, label_width))
    parts = [
        svg.translate(label, 0.3 + (i % COLUMNS) * (label_width + GAP), 0.3 + (i // COLUMNS) * (ROW_HEIGHT + GAP))
        for i, label in enumerate(labels)
    ]
    return svg.drawing(room, tray_height(game), parts)


def tray_height(game: Game) -> float:
    """The height of all labels of a game."""
    count = len({unit.nation for unit in game.units.values()}) + bool(game.markers)
    return -(-count // COLUMNS) * (ROW_HEIGHT + GAP) - GAP + 0.6


def _nation(game: Game, key: str, label_width: float) -> Element:
    nation = game.nations[key]
    count = sum(unit.count for unit in game.units.values() if unit.nation == key)
    summary = f"{nation.letters} · {count} counter{'s' * (count != 1)}"
    banner = svg.translate(flag(nation.flag or key, nation.colors), label_width - 12, (ROW_HEIGHT - 6) / 2)
    return svg.group([_label(nation.name, summary, nation.colors.fill, nation.colors.ink, label_width, 16), banner])


def _label(name: str, summary: str, fill: str, ink: str, label_width: float, side_room: float = 4) -> Element:
    """A label: its name as large as it fits, and the content of the tray below it."""
    size = min(4.6, 4.6 * (label_width - side_room - 3) / width(name, 4.6, "bold"))
    return svg.group(
        [
            svg.rect(0, 0, label_width, ROW_HEIGHT, rx=1.2, fill=fill, stroke=ink, stroke_width=0.25),
            text(name, 3, 6.6 + size * CAPITAL / 2, size, "bold", "start", fill=ink),
            text(summary, 3, 13.6, 3.1, "regular", "start", fill=ink),
        ]
    )

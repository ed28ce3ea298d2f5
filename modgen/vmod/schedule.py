"""What a tray of reinforcements shows while its pieces wait on the turn track: who comes."""

from __future__ import annotations

from art import svg
from art.svg import Element
from art.text import centred, lines
from scenarios.game import Game
from scenarios.position import Position
from scenarios.vassal.windows import TraySheet, counter_size, kinds, map_of, turn_space

FAINT = "#8b8370"


def ghosts(game: Game, sheet: TraySheet, start: Position) -> list[Element]:
    """An empty place with a name for each counter that waits on the turn track."""
    size, table = counter_size(game), map_of(game, start.scenario)
    parts: list[Element] = []
    for tray in sheet.trays:
        if not turn_space(table, tray.location):
            continue
        waiting = [piece for piece in start.pieces if piece.at == tray.location and piece.group == tray.group]
        for key, (x, y) in zip(kinds(waiting), tray.cells, strict=False):
            parts.append(
                svg.rect(
                    x - size / 2,
                    y - size / 2,
                    size,
                    size,
                    rx=3,
                    fill="none",
                    stroke=FAINT,
                    stroke_width=1,
                    stroke_dasharray="4 3",
                )
            )
            count = sum(piece.unit == key for piece in waiting)
            held = game.units[key] if key in game.units else game.markers[key]
            name = f"{held.name} ({count})" if count > 1 else held.name
            rows = lines(name, size - 6, 10.5)[:4]
            top = y - 6.5 * (len(rows) - 1)
            parts += [centred(row, x, top + 13 * i, 10.5, fill="#55524a") for i, row in enumerate(rows)]
    return parts

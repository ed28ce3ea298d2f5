"""What the markers of a position's tracks tell."""

from __future__ import annotations

from scenarios.position import Position


def on_track(position: Position, track: str) -> int | None:
    """The number that a marker of a track stands on; without a space it is the first, 0. None if there is no marker."""
    for piece in position.pieces:
        box, _, space = str(piece.at).partition("/")
        if box == f"box:{track}":
            return int(space) if space.isdecimal() else 0
    return None

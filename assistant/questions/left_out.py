"""What a save of VASSAL has and the pack doesn't know."""

from __future__ import annotations

from scenarios.model.game import Game
from scenarios.model.position import Position, format_location, map_of

NAME_LIMIT = 12
"""How many kinds of what isn't known are named."""


def unknown_json(game: Game, position: Position) -> list[dict[str, str]]:
    """What a save has and the pack doesn't know, for a program."""
    table = map_of(game, position)
    return [
        {
            "unit": unknown_piece.unit,
            "copy": unknown_piece.copy,
            "at": format_location(table, unknown_piece.at),
            **({"state": unknown_piece.state} if unknown_piece.state else {}),
        }
        for unknown_piece in position.unknown
    ]


def unknown_text(game: Game, position: Position) -> str:
    """What a save has and the pack doesn't know, in a sentence; nothing where it knows everything."""
    if not position.unknown:
        return ""
    table = map_of(game, position)
    places: dict[str, list[str]] = {}
    for unknown_piece in position.unknown:
        label = (
            f"the state {unknown_piece.state} of {unknown_piece.unit}" if unknown_piece.state else unknown_piece.unit
        )
        places.setdefault(label, []).append(format_location(table, unknown_piece.at))
    descriptions = [
        f"{len(locations)} x {label} ({', '.join(dict.fromkeys(locations))})" for label, locations in places.items()
    ]
    remainder = [f"and {len(descriptions) - NAME_LIMIT} more"] * (len(descriptions) > NAME_LIMIT)
    fix = "if a counter was renamed, add the old name to its pack with `was`"
    if position.extensions:
        extension_names = ", ".join(position.extensions)
        fix = f"the save uses {extension_names}: name the overlay of that extension with --overlay"
    names = ", ".join([*descriptions[:NAME_LIMIT], *remainder])
    return f"{game.title} doesn't have these pieces, so the answer leaves them out: {names}; {fix}."

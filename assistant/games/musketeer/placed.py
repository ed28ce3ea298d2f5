"""A ground unit and where it is, as a question tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from assistant.attacks import BadQuestion
from assistant.games.musketeer.asked import PLACE, asked_hex, asked_support
from assistant.games.musketeer.contingents import label
from assistant.games.musketeer.field import GROUND
from assistant.games.musketeer.movement import Mover
from assistant.games.musketeer.retreat import Retreat
from assistant.games.musketeer.stacking import fits
from assistant.games.musketeer.support import Support
from assistant.shared.asking import Options
from assistant.shared.options import word, yes
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.position import Piece
from scenarios.reading.findings import instead

UNIT: Mapping[str, str] = {
    "unit": "the counter",
    "from": "the hex it is in, if the position doesn't show it",
    "disrupted": "it is disrupted (yes or no)",
    **PLACE,
}


class Placed(NamedTuple):
    """A unit in a position."""

    here: Support
    unit: Unit
    start: Hex
    disrupted: bool
    landed: bool
    """It is in a direct assault (29.5)."""

    @property
    def mover(self) -> Mover:
        return Mover(self.here, self.unit, self.start, self.disrupted)

    @property
    def retreat(self) -> Retreat:
        return Retreat(self.here, self.unit, self.start, self.disrupted, self.landed)


def asked_unit(game: Game, options: Options) -> Unit:
    """The ground unit under `unit`."""
    name = word(options, "unit")
    if name not in game.units:
        raise BadQuestion(
            f"no counter is called {name!r}; {instead(name, game.units)}" if name else "say which unit: unit=UNIT"
        )
    unit = game.units[name]
    if unit.class_ not in GROUND:
        raise BadQuestion(f"{label(game, unit)} is no ground unit")
    return unit


def piece_of(here: Support, unit: Unit, at: Hex | None = None) -> Piece | None:
    """A piece of a counter on the map: the one in a hex, if there are several."""
    pieces = [piece for piece, held, _ in here.units if held.id == unit.id]
    return next((piece for piece in pieces if piece.at == at), None) or next(iter(pieces), None)


def asked_placed(game: Game, options: Options) -> Placed:
    """The unit, where it is and what state it is in. With `from` it stands there and nowhere else."""
    here, unit = asked_support(game, options), asked_unit(game, options)
    start = asked_hex(here.table, options, "from")
    piece = piece_of(here, unit, start)
    if start is None and piece is not None and isinstance(piece.at, Hex):
        start = piece.at
    if start is None:
        raise BadQuestion(f"{label(game, unit)} is not on the map; say where it is: from=HEX")
    if piece is not None and piece.at != start and unit.count == 1:
        pieces = tuple(other for other in here.position.pieces if other != piece)
        here = replace(here, position=replace(here.position, pieces=pieces))
    states = piece.states if piece is not None else frozenset[str]()
    return Placed(here, unit, start, yes(options, "disrupted", "disrupted" in states), "direct_assault" in states)


def room(here: Support, unit: Unit, hex: Hex) -> bool:
    """Whether a unit may end a phase in a hex beside the friends there (12.1, 12.2, 12.5)."""
    return fits(here.game, [*here.stacks.get((unit.side, hex), ()), unit])

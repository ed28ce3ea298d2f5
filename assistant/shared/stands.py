"""Units in hexes, and finding them by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from assistant.attacks import BadQuestion
from assistant.shared.asking import Options
from assistant.shared.options import listed
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.maps import HexMap
from scenarios.position import Piece
from scenarios.reading.findings import instead


@dataclass(frozen=True, eq=False)
class InHex:
    """A unit in a hex; `assumed` where the hex is our choice."""

    unit: Unit
    piece: Piece
    hex: Hex
    assumed: bool = False

    @property
    def name(self) -> str:
        """Its name, with its number where there are several of it."""
        return self.unit.name if self.unit.count == 1 else f"{self.unit.name} {self.piece.copy}"

    @property
    def key(self) -> str:
        """The counter's id, with its number where there are several of it."""
        return self.unit.id if self.unit.count == 1 else f"{self.unit.id}/{self.piece.copy}"


Unit_ = TypeVar("Unit_", bound=InHex)


def named_unit(game: Game, stands: Sequence[Unit_], name: str) -> Unit_:
    """A unit on the map by its counter's id (`sam/3` for one of several) or its name."""
    for stand in stands:
        if name in (stand.key, stand.unit.id, stand.name):
            return stand
    if name in game.units:
        raise BadQuestion(f"{name} is not on the map")
    raise BadQuestion(f"no unit on the map is called {name!r}; {instead(name, [s.key for s in stands])}")


def named_units(game: Game, stands: Sequence[Unit_], options: Options, key: str) -> list[Unit_]:
    """The units listed under a name, each once."""
    return list(dict.fromkeys(named_unit(game, stands, name) for name in listed(options, key)))


def hex_map(game: Game, scenario: str = "") -> HexMap:
    """The hex map of a scenario, or the game's own."""
    table = game.scenario_maps.get(scenario) or next(iter(game.maps.values()))
    assert isinstance(table, HexMap)
    return table


def named_hex(table: HexMap, name: str) -> Hex:
    """A hex by its number, or a place of one hex by its id."""
    place = table.places.get(name)
    if place is not None and len(place.hexes) == 1:
        return place.hexes[0]
    if not any(letter.isdigit() for letter in name):
        single = [key for key, one in table.places.items() if len(one.hexes) == 1]
        if single:
            raise BadQuestion(f"there is no place {name!r}; {instead(name, single)}")
    try:
        return table.hex(name)
    except ValueError as error:
        raise BadQuestion(str(error)) from None

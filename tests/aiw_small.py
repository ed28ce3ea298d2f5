"""Little boards, units and stacks of The Arab-Israeli Wars for tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from assistant.games.arab_israeli_wars.ground import Ground
from assistant.games.arab_israeli_wars.movement import Level, Mover, Occupant, Reach, Traffic
from scenarios import load
from scenarios.boards import Board, Path
from scenarios.grids import Grid, Numbering
from scenarios.hexes import Hex, Hexside
from scenarios.maps import HexMap, Placed

GAME = load("arab_israeli_wars")
F = Fraction
HALF = F(1, 2)
Works = Mapping[Hex, Iterable[str]]


def small(
    terrain: Mapping[Hex, str] | None = None,
    sides: Mapping[Hexside, Iterable[str]] | None = None,
    roads: Sequence[tuple[Hex, ...]] = (),
    works: Works | None = None,
    columns: int = 4,
    rows: int = 4,
    rulings: Mapping[str, str] | None = None,
) -> Ground:
    """A little board; clear where nothing is said."""
    grid = Grid("flat", columns, rows, "even", numbering=Numbering("letters", rows_from="bottom"))
    kinds = {hex: (terrain or {}).get(hex, "clear") for hex in grid.hexes}
    held = {side: frozenset(found) for side, found in (sides or {}).items()}
    paths = tuple(Path("road", "", tuple(chain)) for chain in roads)
    shape = GAME.boards["A"].shape
    board = Board("Z", "Z", grid, kinds, held, paths, {}, {}, shape)
    table = HexMap("z", "Z", (Placed(board, Hex(0, 0), False),), "left", "clear", False, {}, {})
    return Ground.of(GAME, table, works, year=1973, rulings=rulings)


def mover(unit: str, hex: Hex, *states: str, side: str = "", quick: bool = False, bridge: bool = False) -> Mover:
    held = GAME.units[unit]
    return Mover(held, hex, side or held.side, "", frozenset(states), (), bridge, quick)


def standing(*units: tuple[str, Hex], level: Level = "advanced", states: Mapping[int, str] | None = None) -> Traffic:
    stacks: dict[Hex, tuple[Occupant, ...]] = {}
    for i, (unit, hex) in enumerate(units):
        held = frozenset((states or {}).get(i, "").split())
        one = Occupant(GAME.units[unit], str(i), GAME.units[unit].side, held)
        stacks[hex] = (*stacks.get(hex, ()), one)
    return Traffic(MappingProxyType(stacks), level)


def spent(found: Reach) -> dict[Hex, Fraction]:
    return {hex: stop.spent for hex, stop in found.stops.items()}


A, B, C, D = (Hex(1, y) for y in range(4))
"""Four hexes of one column, from the top."""

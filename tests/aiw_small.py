"""Little boards, units and stacks of The Arab-Israeli Wars for tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from assistant.games.arab_israeli_wars import canal, movement
from assistant.games.arab_israeli_wars import hazards as dangers
from assistant.games.arab_israeli_wars import opportunity as shooting
from assistant.games.arab_israeli_wars import walk as walking
from assistant.games.arab_israeli_wars.canal import Crossing
from assistant.games.arab_israeli_wars.forces import enlisted, field_on
from assistant.games.arab_israeli_wars.hazards import Hazards, Leg
from assistant.games.arab_israeli_wars.move import MoveAnswer, move
from assistant.games.arab_israeli_wars.movement import Mover, Reach
from assistant.games.arab_israeli_wars.opportunity import Sees, Trigger
from assistant.games.arab_israeli_wars.walk import Deed, Walk
from assistant.rules.field import Field
from assistant.rules.roster import roster
from scenarios import load
from scenarios.boards import Board, Path
from scenarios.grids import Grid, Numbering
from scenarios.hexes import Hex, Hexside
from scenarios.maps import HexMap, Placed
from scenarios.position import Piece

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
) -> Field:
    """A little board; clear where nothing is said."""
    grid = Grid("flat", columns, rows, "even", numbering=Numbering("letters", rows_from="bottom"))
    kinds = {hex: (terrain or {}).get(hex, "clear") for hex in grid.hexes}
    held = {side: frozenset(found) for side, found in (sides or {}).items()}
    paths = tuple(Path("road", "", tuple(chain)) for chain in roads)
    shape = GAME.boards["A"].shape
    board = Board("Z", "Z", grid, kinds, held, paths, {}, {}, shape)
    table = HexMap("z", "Z", (Placed(board, Hex(0, 0), False),), "left", "clear", False, {}, {})
    return field_on(GAME, table, works, year=1973, rulings=rulings)


@dataclass(frozen=True)
class Around:
    """The other units on a board, the level of the rules, and the bridges that are dispersed."""

    units: tuple[tuple[str, Hex, str], ...] = ()
    level: str = "advanced"
    shut: frozenset[Hex] = frozenset()

    def on(self, field: Field) -> Field:
        marks = [
            piece._replace(states=frozenset({"dispersed"})) if piece.unit == "bridge" and piece.at in self.shut else piece
            for piece in field.position.pieces
        ]
        units = [piece_of(field, unit, hex, str(i), *states.split()) for i, (unit, hex, states) in enumerate(self.units)]
        return Field(field.kinds, replace(field.position, pieces=(*marks, *units)), readings={**field.readings, "level": self.level})


def piece_of(field: Field, unit: str, hex: Hex, copy: str = "", *states: str, side: str = "") -> Piece:
    who = roster(GAME, field.position.scenario)
    return enlisted(who, Piece(unit, copy, "", hex, frozenset(states)), side or GAME.units[unit].side)


@dataclass(frozen=True)
class Who:
    """A unit that moves, with its passengers."""

    unit: str
    hex: Hex
    states: tuple[str, ...] = ()
    riders: tuple[str, ...] = ()
    side: str = ""
    quick: bool = False
    bridge: bool = False

    def on(self, field: Field) -> Mover:
        mine = field.as_if(piece_of(field, self.unit, self.hex, "", *self.states, side=self.side))
        riders = (field.as_if(piece_of(field, rider, self.hex, "1", "loaded", side=mine.side)) for rider in self.riders)
        return Mover(mine, tuple(riders), self.bridge, self.quick)


def mover(
    unit: str, hex: Hex, *states: str, side: str = "", quick: bool = False, bridge: bool = False, riders: tuple[str, ...] = ()
) -> Who:
    return Who(unit, hex, states, riders, side, quick, bridge)


def standing(*units: tuple[str, Hex], level: str = "advanced", states: Mapping[int, str] | None = None) -> Around:
    return Around(tuple((unit, hex, (states or {}).get(i, "")) for i, (unit, hex) in enumerate(units)), level)


NOBODY = Around()


def reach(field: Field, who: Who, around: Around = NOBODY) -> Reach:
    here = around.on(field)
    return movement.reach(here, who.on(here))


def ask_move(field: Field, who: Who, around: Around = NOBODY) -> MoveAnswer:
    here = around.on(field)
    return move(here, who.on(here))


def walk(field: Field, who: Who, around: Around, plan: Sequence[Hex | Deed]) -> Walk:
    here = around.on(field)
    return walking.walk(here, who.on(here), plan)


def hazards(field: Field, who: Who, legs: Iterable[Leg]) -> Hazards:
    return dangers.hazards(field, who.on(field), legs)


def crossings(field: Field, who: Who, around: Around = NOBODY, boats: Mapping[Hex, int] | None = None) -> tuple[Crossing, ...]:
    here = around.on(field)
    return canal.crossings(here, who.on(here), boats)


def opportunity(
    field: Field, around: Around, path: Walk, firers: Iterable[Piece], sees: Sees | None = None, fired: Iterable[int] = ()
) -> tuple[Trigger, ...]:
    here = around.on(field)
    enemies = [here.as_if(piece) for piece in firers]
    return shooting.opportunity(here, path, enemies, sees or shooting.in_sight(here, path.mover), frozenset(fired))


def spent(found: Reach) -> dict[Hex, Fraction]:
    return {hex: stop.spent for hex, stop in found.stops.items()}


A, B, C, D = (Hex(1, y) for y in range(4))
"""Four hexes of one column, from the top."""

"""The rules' own numbers, which stand in the pack's table of limits, and the stacking limits (12.0)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.same import Same

Held = TypeVar("Held")

MOVEMENT, CUT_OFF = "movement points", "movement points without a line"
DOUBLED = "times the points from a reserve area or a depot"
FLIGHT, DROP = "points of an airmobile move", "points of a parachute drop"
SPARED = "losses that a whole retreat spares"
SMALL, LARGE = "casualty points of a small unit", "casualty points of a large unit"
LOST, SHIELD = (
    "casualty points that lose the game if passed",
    "own casualty points that undo the enemy's limit if passed",
)
HOME = "free_at_home"
"""The ability of the brigades of Egypt's cities, which aren't counted for stacking in their own (5.2 (2))."""
AIR_GROUP, FREED = "air points of one throw for superiority", "TAC that may turn to ground attack if unopposed"


def limit(game: Game, what: str, side: str) -> Fraction:
    """A number of the rules for a side."""
    return _limit(Same(game), what, side)


@lru_cache(maxsize=64)
def _limit(game: Same[Game], what: str, side: str) -> Fraction:
    table = game.value.tables["limits"]
    return Fraction(table.cell(what, table.named_column(side)).code)


@lru_cache(maxsize=16)
def _stack_limit(game: Same[Game], side: str) -> int:
    """How much of a side a point holds (12.1): Arab brigades, Israeli battalions."""
    table = game.value.tables["stacking"]
    return int(table.cell("limit", table.named_column(side)).code)


@lru_cache(maxsize=256)
def _size_in_stack(game: Same[Game], unit: Same[Unit]) -> int:
    """What a unit counts for stacking where nothing spares it (12.1); a headquarters nothing, unless it is doubled."""
    shape, table = unit.value, game.value.tables["stacking"]
    if shape.type == "headquarters" or "never_stacks" in shape.abilities:
        return 0
    row = shape.type if shape.type in table.cells else shape.size
    code = table.cell(row, table.named_column(shape.side)).code if row in table.cells else "0"
    return int(code) if code.isdecimal() else 0


def within(
    game: Game, held: Sequence[Held], unit: Callable[[Held], Unit], side: str, at_home: int = 0
) -> tuple[list[Held], list[Held]]:
    """Those of a stack that fit in a point, first come first, and those beyond the limit (12.1, 12.5).

    One of each type that stacks free is not counted, nor are so many city brigades that are at home (5.2 (2)). One
    headquarters of each size stands above the limit; a second of that size doesn't fit at all (12.1, 17.4).
    """
    same = Same(game)
    room = _stack_limit(same, side)
    fits: list[Held] = []
    over: list[Held] = []
    free: set[str] = set()
    sizes: set[str] = set()
    for one in held:
        shape = unit(one)
        counts = _size_in_stack(same, Same(shape))
        if shape.type == "headquarters":
            counts = room + 1 if shape.size in sizes else 0
            sizes.add(shape.size)
        elif counts and "free_stacking_one" in shape.abilities and shape.type not in free:
            free.add(shape.type)
            counts = 0
        elif HOME in shape.abilities and at_home:
            at_home -= 1
            counts = 0
        (fits if counts <= room else over).append(one)
        room -= counts if counts <= room else 0
    return fits, over


def counters(game: Game, side: str, *types: str) -> int:
    """How many counters of some types a side has: the mix is a limit (10.5)."""
    return sum(unit.count for unit in game.units.values() if unit.side == side and unit.type in types)


def doubled_headquarters(units: Iterable[Unit]) -> str:
    """The size of which there is more than one headquarters in a stack (12.1, 17.4)."""
    seen: set[str] = set()
    for unit in units:
        if unit.type == "headquarters":
            if unit.size in seen:
                return unit.size
            seen.add(unit.size)
    return ""

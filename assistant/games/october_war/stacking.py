"""The rules' own numbers, which stand in the pack's table of limits, and who of a stack is within its limit (12.0)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TypeVar

from assistant.games.october_war.questions import start_field
from assistant.rules.kinds import once
from scenarios.counters import Unit
from scenarios.game import Game

Fighter = TypeVar("Fighter")

SPARED = "losses that a whole retreat spares"
SMALL, LARGE = "casualty points of a small unit", "casualty points of a large unit"
AIR_GROUP, FREED = "air points of one throw for superiority", "TAC that may turn to ground attack if unopposed"


def limit(game: Game, what: str, side: str) -> Fraction:
    """A number of the rules for a side."""
    return Fraction(game.tables["limits"].looked_up(what, side))


def within(
    game: Game, stack: Sequence[Fighter], unit: Callable[[Fighter], Unit], side: str, at_home: int = 0
) -> tuple[list[Fighter], list[Fighter]]:
    """Those of a stack that fit in a point, first come first, and those beyond the limit (12.1, 12.5).

    One of each type that stacks free is not counted, nor are so many city brigades that are at home (5.2 (2)). One
    headquarters of each size stands above the limit; a second of that size doesn't fit at all (12.1, 17.4).
    """
    room = int(game.tables["stacking"].looked_up("limit", side))
    fits: list[Fighter] = []
    over: list[Fighter] = []
    free: set[str] = set()
    sizes: set[str] = set()
    for fighter in stack:
        shape = unit(fighter)
        counts = once(game, _size, shape.id)
        if shape.type == "headquarters":
            counts = room + 1 if shape.size in sizes else 0
            sizes.add(shape.size)
        elif counts and "free_stacking_one" in shape.abilities and shape.type not in free:
            free.add(shape.type)
            counts = 0
        elif "free_at_home" in shape.abilities and at_home:
            at_home -= 1
            counts = 0
        (fits if counts <= room else over).append(fighter)
        room -= counts if counts <= room else 0
    return fits, over


def _size(game: Game, unit: str) -> int:
    """What a unit counts for stacking where nothing spares it, as the pack's rules say (12.1)."""
    return int(start_field(game).fields_of(game.units[unit])["stack_size"])


def counters(game: Game, side: str, *types: str) -> int:
    """How many counters of some types a side has: the mix is a limit (10.5)."""
    return sum(unit.count for unit in game.units.values() if unit.side == side and unit.type in types)


def doubled_headquarters(units: Iterable[Unit]) -> str:
    """The size of which there is more than one headquarters in a stack (12.1, 17.4)."""
    sizes = [unit.size for unit in units if unit.type == "headquarters"]
    return next((size for size in sizes if sizes.count(size) > 1), "")

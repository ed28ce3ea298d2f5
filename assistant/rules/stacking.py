"""Stacking: what has to be true of the units in one place."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Any

from assistant.answers import BadQuestion
from assistant.rules.asked import Asked
from assistant.rules.field import Field, Standing, Walker
from assistant.rules.program import Ready
from scenarios.expressions import EvaluationError

MOST_TRIES = 500
"""The most ways to leave a stack that are tried."""


@dataclass(frozen=True)
class Stack:
    """The units of a side in one place, and the demands that they don't meet."""

    place: int
    side: str
    standings: tuple[Standing, ...]
    failures: tuple[Ready, ...]


def failures(
    field: Field, walker: Walker, n: int, gone: Collection[Standing] = (), more: Iterable[Standing] = ()
) -> tuple[Ready, ...]:
    """The demands that wouldn't be met with a walker in a place; `gone` have left it, `more` come along."""
    demands = field.program.ready(field.program.rules.stacking)
    if not demands.records:
        return ()
    there = [
        s for s in field.by_place.get(n, ()) if s.side == walker.side and s is not walker.standing and s not in gone
    ]
    coming = [s for s in more if s is not walker.standing and s not in there]
    return _failures(field, walker, n, [*there, *coming])


def _failures(field: Field, walker: Walker, n: int, others: list[Standing]) -> tuple[Ready, ...]:
    stack = [walker.fields, *(standing.fields for standing in others)]
    asked = Asked(field, walker, {"to": n}, {"stack": stack})
    return unmet(field, field.program.ready(field.program.rules.stacking).records, asked)


def unmet(field: Field, demands: Iterable[Ready], asked: Asked) -> tuple[Ready, ...]:
    """The demands that aren't met."""
    lookup, found = field.program.lookup, []
    for record in demands:
        try:
            if record.when is not None and record.when(asked, lookup, None) is not True:
                continue
            assert record.work is not None
            if record.work(asked, lookup, None) is not True:
                found.append(record)
        except EvaluationError as error:
            raise BadQuestion(f"{error} (in {record.text!r})") from None
    return tuple(found)


def stacks(field: Field, place: int | None = None) -> tuple[Stack, ...]:
    """Every stack of more than one unit, or that breaks a demand; or all in one place."""
    found = []
    for n, held in field.by_place.items():
        if place is not None and n != place:
            continue
        for side in dict.fromkeys(standing.side for standing in held):
            mine = tuple(standing for standing in held if standing.side == side)
            broken: dict[Ready, None] = {}
            for standing in mine:
                broken |= dict.fromkeys(failures(field, field.walker(standing), n))
            if len(mine) > 1 or broken or place is not None:
                found.append(Stack(n, side, mine, tuple(broken)))
    return tuple(found)


def too_many(field: Field, stack: Stack) -> int | None:
    """How many units of a stack have to leave it, at least, for the others to be within the rules; None where that takes too many
    tries."""
    units = stack.standings
    for count in range(len(units)):
        if comb(len(units), count) > MOST_TRIES:
            return None
        for gone in combinations(units, count):
            left = (unit for unit in units if unit not in gone)
            if not any(failures(field, field.walker(unit), stack.place, gone) for unit in left):
                return count
    return len(units)


class Room:
    """The room of places for units that come there. Units of which stacking asks the same are one kind, and have a number."""

    def __init__(self, field: Field, gone: Collection[Standing]) -> None:
        """`gone` have left their places."""
        self.field, self.gone = field, gone
        self.units: list[Standing] = []
        self._kinds: dict[Any, int] = {}
        self._fits: dict[tuple[int, tuple[int, ...]], bool] = {}
        program = field.program
        asked = program.stacked_by
        effects = [name.partition(".")[2] for name in asked if name.startswith(("effect.", "effect_value.", "to."))]
        own = any(effect.nation or effect.units for name in effects for effect in field.in_force(name))
        self._alike = not any(name.startswith("to.") for name in asked)
        """Whether all places that are empty have the same room."""
        self._names = tuple(
            name for name in (*asked, *(("nation", "id") if own else ())) if name in field.unknown_unit.fields
        )

    def kind(self, standing: Standing) -> int:
        """The number of a unit's kind."""
        fields = standing.fields
        number = self._kinds.setdefault((standing.side, *[fields[name] for name in self._names]), len(self._kinds))
        if number == len(self.units):
            self.units.append(standing)
        return number

    def fits(self, n: int, kinds: tuple[int, ...]) -> bool:
        """Whether a place has room for all of these."""
        key = n if n in self.field.by_place or not self._alike else -1, kinds
        if key not in self._fits:
            # Each is a unit of its own, though some are alike.
            units = [replace(self.units[number]) for number in kinds]
            self._fits[key] = not any(
                failures(self.field, self.field.walker(unit), n, self.gone, units) for unit in units
            )
        return self._fits[key]

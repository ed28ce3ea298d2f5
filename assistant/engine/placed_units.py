"""What stands on a map: a unit in its place, in its state; and the mover that a rule is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from assistant.questions.answer import CounterRef
from scenarios.model.counters import Unit
from scenarios.model.position import Piece

Fields = Mapping[str, Any]
COMING = "new "
"""Prefix of the copy number of a unit that a question adds to a place."""

EquivalenceKey = tuple[Any, ...]
"""Identifies a unit for the rules: two units with the same key have the same fields."""


@dataclass(frozen=True, eq=False)
class PlacedUnit:
    """A unit in its place. `is_assumed` is true where the engine, not the player, chose the place."""

    counter: Unit
    piece: Piece
    place: int
    side: str
    fields: Fields
    equivalence_key: EquivalenceKey
    display_name: str
    """The counter's name, with the nation where the name alone is ambiguous."""
    is_assumed: bool = False

    @cached_property
    def name(self) -> str:
        """The counter's name, with the copy number where there are several of it."""
        copy = self.piece.copy
        number = f" {copy}" if self.counter.count > 1 and copy and not copy.startswith(COMING) else ""
        return f"{self.display_name}{number}"

    @cached_property
    def key(self) -> str:
        """The counter's id, with the copy number where there are several of it."""
        return (
            self.counter.id
            if self.counter.count == 1 or not self.piece.copy
            else f"{self.counter.id}/{self.piece.copy}"
        )

    @property
    def ref(self) -> CounterRef:
        """The unit in an answer; a star marks an assumed place."""
        return CounterRef(self.key, f"{self.name}{'*' * self.is_assumed}")

    @property
    def shows_back(self) -> bool:
        """Whether its counter lies with its back up."""
        counter = self.counter
        return counter.back is not None and (self.fields.get(counter.back_state) is True or self.steps < counter.steps)

    @property
    def steps(self) -> int:
        """The steps it has left."""
        steps_left: int = self.fields["steps"]
        return steps_left


@dataclass(frozen=True, eq=False)
class UnnamedEnemy(PlacedUnit):
    """An enemy unit that the question doesn't name, in a place that it has taken. With `has_zone` it has every zone
    around it that the map and its side allow."""

    has_zone: bool = False

    @property
    def name(self) -> str:
        """The name in answers."""
        return "the enemy"


@dataclass(frozen=True, eq=False)
class Mover:
    """What moves: a unit, or something that stands for one."""

    side: str
    fields: Fields
    unit: PlacedUnit | None = None
    source: PlacedUnit | None = None


def no_unit(side: str = "") -> Mover:
    """A mover for questions without a unit: a line of sight, a roll of the turn, points. It has a side where the side
    matters."""
    return Mover(side, {"nation": "", "id": "", "side": side})

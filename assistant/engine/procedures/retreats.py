"""Retreats walked inside a procedure: what becomes of a unit that retreats from its place, among the enemies that stand then.

Each unit goes as if it went alone. What decides a retreat is which places the enemy still holds and which of his zones are left, so
states of the enemy that agree in that are one.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from assistant.engine.field import Field
from assistant.engine.map_index import program_of
from assistant.engine.movement.amounts import amount
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.procedures.case import Case
from assistant.engine.procedures.groups import Group
from assistant.engine.procedures.places import standing, with_everybody
from assistant.engine.retreat.paths import STEPS, retreat
from assistant.questions.answer import Refusal
from scenarios.model.game import Game
from scenarios.model.memo import cached_on

LOST = -1
Going = tuple[tuple[int, Fraction], ...]
"""How many steps a retreat costs (`LOST`: it eliminates the unit), each with its chance."""


class WalkedRetreats:
    """The retreats of the units of one group from another that fires at them."""

    def __init__(self, case: Case, group: Group, enemy: Group) -> None:
        assert case.field is not None
        self.case, self.group, self.enemy = case, group, enemy
        self.field = everybody(case)
        self.by_state: dict[tuple[int, ...], int] = {}
        self.by_facing: dict[Any, int] = {}
        self.by_outcome: dict[tuple[Going, ...], int] = {}
        self.outcomes: list[tuple[Going, ...]] = []
        self.walkers = [
            kind.number
            for kind in group.kinds
            if kind.participant.place is not None and kind.counter is not None and not group.fates[kind.number]
        ]
        self._index = {number: i for i, number in enumerate(self.walkers)}
        self._asks_enemies = cached_on(case.game, asks_enemies)
        self._enemy_units = self._units(enemy)
        self.faces = self._dice()

    def has(self, kind: int) -> bool:
        """Whether the retreat of a kind is walked."""
        return kind in self._index

    def as_they_stand(self, facing: int) -> RetreatsFacing:
        """The retreats while the enemy stands so."""
        return RetreatsFacing(self, facing)

    def going(self, facing: int, kind: int) -> Going:
        """What a retreat does to a kind while the enemy stands so."""
        return self.outcomes[facing][self._index[kind]]

    def facing(self, present: tuple[int, ...]) -> int:
        """The number of how the enemy stands: two states have the same where every retreat comes to the same."""
        number = self.by_state.get(present)
        if number is None:
            signature = present if self._asks_enemies else self._signature(present)
            known = self.by_facing.get(signature)
            if known is None:
                outcomes = self._outcomes(present)
                known = self.by_outcome.setdefault(outcomes, len(self.outcomes))
                if known == len(self.outcomes):
                    self.outcomes.append(outcomes)
                self.by_facing[signature] = known
            number = self.by_state[present] = known
        return number

    def _units(self, group: Group) -> list[PlacedUnit | None]:
        """Each kind of a group as a unit in its place."""
        return [standing(self.field, kind.participant, f"kind {kind.number}") for kind in group.kinds]

    def _signature(self, present: tuple[int, ...]) -> tuple[Any, ...]:
        """The places that the enemy holds, and the zones that he has around each."""
        zones = self.field.program.rules.zones
        held: dict[int, list[bool]] = {}
        for count, unit in zip(present, self._enemy_units, strict=True):
            if not count or unit is None:
                continue
            at = held.setdefault(unit.place, [False] * len(zones))
            for i, zone in enumerate(zones.values()):
                at[i] = at[i] or self.field.holds(zone.has, self.field.mover(unit))
        return tuple(sorted((place, tuple(flags)) for place, flags in held.items()))

    def _outcomes(self, present: tuple[int, ...]) -> tuple[Going, ...]:
        gone = [unit for unit in self.field.placed_units if unit.piece.copy.startswith(f"{self.enemy.name} ")]
        come = [
            unit
            for count, unit in zip(present, self._enemy_units, strict=True)
            for _ in range(count)
            if unit is not None
        ]
        field = self.field.with_changes(gone, come)
        own = self._units(self.group)
        return tuple(self._going(field, own[number]) for number in self.walkers)

    def _going(self, field: Field, unit: PlacedUnit | None) -> Going:
        assert unit is not None
        back = retreat(field, unit)
        if back.fate is not None:
            return ((LOST if back.fate.lost else 0, Fraction(1)),)
        found: dict[int, Fraction] = {}
        for length, chance in back.length.chances.items():
            ways = back.ways.get(int(length), ())
            if ways:
                harm = min(way.harm for way in ways) if back.walk.harm == STEPS else 0
            else:
                text = back.no_way.lose if back.no_way is not None else "all"
                harm = int(text) if text.isdecimal() else LOST
            found[harm] = found.get(harm, Fraction(0)) + chance
        return tuple(sorted(found.items()))

    def _dice(self) -> int:
        """How many equally likely outcomes the dice of a retreat have."""
        walk = next(iter(self.field.program.rules.retreat.values()))
        own = self._units(self.group)
        shares = [1]
        for number in self.walkers:
            unit = own[number]
            if unit is not None:
                length = amount(
                    self.field, walk.length or walk.allowance, self.field.mover(unit), {"result": 1}, start=unit.place
                )
                shares += [chance.denominator for chance in length.chances.values()]
        return lcm(*shares)

    def ways(self, chance: Fraction) -> int:
        """A chance in outcomes of the dice."""
        ways = chance * self.faces
        if ways.denominator != 1:
            raise Refusal(
                f"{self.case.procedure.title}: the dice of a retreat may not depend on where the enemy stands"
            )
        return int(ways)


class RetreatsFacing(NamedTuple):
    """The retreats of a group while the enemy stands in one way."""

    retreats: WalkedRetreats
    number: int

    @property
    def faces(self) -> int:
        """How many equally likely outcomes the dice of a retreat have."""
        return self.retreats.faces

    def has(self, kind: int) -> bool:
        """Whether the retreat of a kind is walked."""
        return self.retreats.has(kind)

    def going(self, kind: int) -> Going:
        """How many steps the retreat of a kind costs (`LOST`: it eliminates the unit), each with its chance."""
        return self.retreats.going(self.number, kind)

    def ways(self, chance: Fraction) -> int:
        """A chance in outcomes of the dice."""
        return self.retreats.ways(chance)


def everybody(case: Case) -> Field:
    """The position with all who take part in their places."""
    assert case.field is not None
    return with_everybody(case.field, case.groups)


def asks_enemies(game: Game) -> bool:
    """Whether a retreat asks for more of the enemy's units than where they are and which zones they have."""
    asked = program_of(game).going_back
    return any(name.endswith(".enemies") or name == "units" for name in asked)

"""What retreats cost: of one unit, and of all who fight, put into the outcome of their combat (16.0)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.retreat.paths import retreat
from assistant.games.musketeer.combat import AWAY, GONE, WORN, End, Facing, Outcome
from assistant.games.musketeer.forces import Combat, Fighter
from scenarios.model.dice import dice

DIE = len(dice("1d6"))  # 16.3: the die of a rout


class Costs(NamedTuple):
    """What a retreat costs: the chance that a unit is eliminated, and that it is disrupted on the way."""

    eliminated: Fraction
    disrupted: Fraction


def chances_of_going(field: Field, standing: PlacedUnit, disrupted: bool = False) -> Costs:
    """What it costs a unit to go; a static one is lost, even where it may stay (16.1)."""
    if standing.counter.class_ == "static":
        return Costs(Fraction(1), Fraction(0))
    if disrupted:
        standing = marked(field, standing, "disrupted")
    back = retreat(field, standing)
    return Costs(back.chance_of_loss, back.chance_worn if standing.steps > 1 else Fraction(0))


def marked(field: Field, standing: PlacedUnit, state: str) -> PlacedUnit:
    """A unit in a state besides those that it is in."""
    return field.as_if(standing.piece._replace(states=standing.piece.states | {state}))


@dataclass(frozen=True, eq=False)
class Retreats:
    """The retreats of those who fight over a hex. Each goes as if it were the only one; the enemies that stand when they
    fire are in their hexes, with a zone of control if one of them isn't disrupted."""

    field: Field
    """The position with all who fight in it."""
    target: int
    starts: Sequence[int]
    fighters: tuple[frozenset[tuple[str, int]], frozenset[tuple[str, int]]]
    """The counters that fight, of each side, with their hexes."""
    _faced: dict[tuple[int, Facing], Field] = dataclasses.field(default_factory=dict)
    _went: dict[tuple[int, Fighter, int, Facing], list[tuple[int, int]]] = dataclasses.field(default_factory=dict)

    def hex(self, side: int, unit: Fighter) -> int | None:
        """Where a unit fights from, if that is known."""
        return self.target if side else self.starts[unit.stack] if unit.stack < len(self.starts) else None

    def standing(self, unit: Fighter, at: int) -> PlacedUnit:
        """A unit that fights, where it does."""
        return next(s for s in self.field.by_place[at] if s.counter.id == unit.id)

    def facing(self, side: int, facing: Facing) -> Field:
        """The field as a side that retreats finds it: enemies whose stack is gone aren't there, those of one without a zone of
        control are disrupted."""
        key = side, facing
        if key not in self._faced:
            zones = dict(facing)
            hexes = dict(enumerate(self.starts)) if side else {0: self.target}
            zone_at = {at: zones.get(stack) for stack, at in hexes.items()}
            enemies = [
                s
                for s in self.field.placed_units
                if (s.counter.id, s.place) in self.fighters[1 - side] and not zone_at[s.place]
            ]
            worn = [marked(self.field, s, "disrupted") for s in enemies if zone_at[s.place] is not None]
            self._faced[key] = self.field.with_changes(enemies, worn) if enemies else self.field
        return self._faced[key]

    def folded(self, outcome: Outcome) -> Outcome:
        """The outcome after all retreats: who is eliminated or disrupted on the way is so there."""
        most = max(map(len, outcome.combat.sides))
        times = DIE**most
        cleared, may, must = (ways * times for ways in outcome.pursuits)
        ends = self._folded(outcome, 0, most), self._folded(outcome, 1, most)
        return replace(outcome, ends=ends, pursuits=(cleared, may, must), throws=outcome.throws * times)

    def _folded(self, outcome: Outcome, side: int, most: int) -> Mapping[End, int]:
        units = outcome.combat.sides[side]
        found: dict[End, int] = {}
        for end, count in outcome.ends[side].items():
            gone = [place for place, code in enumerate(end.codes) if code in (AWAY, AWAY + WORN)]
            ways = count * DIE ** (most - len(gone))
            for fates in product(*(self._after(side, units[place], end.codes[place], end.facing) for place in gone)):
                now, share = list(end.codes), ways
                for place, (code, faces) in zip(gone, fates, strict=True):
                    now[place], share = code, share * faces
                after = End(tuple(now), end.support)
                found[after] = found.get(after, 0) + share
        return found

    def _after(self, side: int, unit: Fighter, code: int, facing: Facing) -> list[tuple[int, int]]:
        """What becomes of a unit that retreats, in how many faces of the die."""
        key = side, unit, code, facing
        if key not in self._went:
            at = self.hex(side, unit)
            lost = worn = 0
            if at is not None:
                costs = chances_of_going(self.facing(side, facing), self.standing(unit, at), code > AWAY)
                lost, worn = (int(chance * DIE) for chance in costs)
            ends = [(code, DIE - lost - worn), (AWAY + WORN, worn), (GONE, lost)]
            self._went[key] = [(after, faces) for after, faces in ends if faces]
        return self._went[key]


def retreats_of(field: Field, combat: Combat, target: int, starts: Sequence[int]) -> Retreats:
    """The retreats of a combat over a hex; `field` has all who fight in it."""
    attackers = [(unit.id, starts[unit.stack]) for unit in combat.attackers if unit.stack < len(starts)]
    defenders = [(unit.id, target) for unit in combat.defenders]
    return Retreats(field, target, starts, (frozenset(attackers), frozenset(defenders)))

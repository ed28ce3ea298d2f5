"""What a result of the combat table costs one side: steps, Saggers, forts, retreats."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from assistant.games.yom_kippur.field import Field, Stand
from assistant.games.yom_kippur.retreats import NOBODY, UNCHANGED, Back, Changed, back, changed
from scenarios.tables import Outcome


class Loss(NamedTuple):
    """Steps that one unit loses, and what becomes of it."""

    stand: Stand
    steps: int
    left: int

    @property
    def name(self) -> str:
        """Whose they are."""
        return self.stand.name


@dataclass(frozen=True)
class Share:
    """What a result does to one side. `sagger` is the step that a star costs (3.6)."""

    steps: int
    sagger: int
    retreat: int
    losses: tuple[Loss, ...]
    standing: tuple[Stand, ...]
    """Who has to go back if there is a retreat: who is left, forts apart (2.1)."""
    back: tuple[Back, ...] = ()

    @cached_property
    def total(self) -> int:
        """Steps that are really lost."""
        return sum(loss.steps for loss in self.losses)

    @cached_property
    def dead(self) -> frozenset[Stand]:
        """Who is gone."""
        return frozenset(loss.stand for loss in self.losses if not loss.left)


@dataclass(frozen=True, eq=False)
class Force:
    """One side of a battle. Without a field no way back is sought."""

    stands: tuple[Stand, ...]
    who: Literal["attacker", "defender"]
    field: Field | None = None

    @cached_property
    def order(self) -> tuple[Stand, ...]:
        """The strongest first, as they lose steps (ruling combat_losses)."""
        strength = "attack" if self.who == "attacker" else "defense"
        return tuple(sorted(self.stands, key=lambda s: (-s.factor(strength), s.key)))

    @cached_property
    def armor(self) -> tuple[Stand, ...]:
        """The Israeli armor, the weakest first."""
        strength = "attack" if self.who == "attacker" else "defense"
        armor = [s for s in self.stands if "pure_armor" in s.unit.abilities and s.unit.nation == "israel"]
        return tuple(sorted(armor, key=lambda s: (s.factor(strength), s.key)))

    @cached_property
    def rooted(self) -> tuple[Stand, ...]:
        """The forts, which don't go back (2.1)."""
        return tuple(s for s in self.stands if "stands_fast" in s.unit.abilities)

    @cached_property
    def _whole(self) -> dict[Stand, int]:
        return {s: s.steps for s in self.stands}

    @cached_property
    def _shares(self) -> dict[tuple[int, int, bool, Changed], Share]:
        """Those worked out so far: many results of the table are alike for one side."""
        return {}

    def share(self, outcome: Outcome, stars: bool, gone: AbstractSet[Stand] = NOBODY) -> Share:
        """What a result does to it; `gone` are the enemies whom it kills first. `stars`: whether a star counts (3.6)."""
        effects, who = outcome.effects, self.who
        steps, hexes = int(effects.get(f"{who}_steps", "0")), int(effects.get(f"{who}_retreat", "0"))
        after = UNCHANGED
        if hexes and self.field is not None:
            after = changed(self.field, self.stands[0].unit.side, gone, frozenset(self.stands))
        key = steps, hexes, stars and effects.get(f"{who}_star") == "true", after
        if key not in self._shares:
            self._shares[key] = self._share(*key)
        return self._shares[key]

    def _share(self, steps: int, hexes: int, star: bool, after: Changed) -> Share:
        """Steps come from the strongest first, then each in turn (ruling combat_losses); the star's from armor that is
        left (ruling sagger_order); a fort takes a retreat as steps (2.1); enemy zones on the way back cost steps."""
        left = dict(self._whole)

        def hit(stand: Stand, count: int) -> int:
            count = min(count, left[stand])
            left[stand] -= count
            return count

        due = min(steps, sum(left.values()))
        while due:
            for stand in self.order:
                due -= hit(stand, 1) if due else 0
        sagger = 0
        if star:
            # The owner picks whose armor step the Saggers take: a unit that lives on if he can (3.6).
            for stand in sorted((s for s in self.armor if left[s]), key=lambda s: left[s] == 1)[:1]:
                sagger = hit(stand, 1)
        for stand in self.rooted:
            hit(stand, hexes)
        walkers: tuple[Stand, ...] = ()
        ways: tuple[Back, ...] = ()
        if hexes:
            walkers = tuple(s for s in self.stands if left[s] and s not in self.rooted)
            if self.field is not None:
                ways = tuple(back(self.field, s, hexes, left[s], after) for s in walkers)
        for one in ways:
            hit(one.stand, one.lost)
        losses = tuple(Loss(s, s.steps - left[s], left[s]) for s in self.stands if left[s] < s.steps)
        return Share(steps, sagger, hexes, losses, walkers, ways)

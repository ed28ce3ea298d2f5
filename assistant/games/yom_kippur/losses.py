"""What a result of the combat table costs one side: steps, Saggers, forts, retreats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from assistant.games.yom_kippur.field import Field, Stand
from assistant.games.yom_kippur.retreats import NOBODY, UNCHANGED, Back, Changed, back, changed
from scenarios.same import Same
from scenarios.tables import Table

Who = Literal["attacker", "defender"]


class Loss(NamedTuple):
    """Steps that one unit loses, and what becomes of it."""

    stand: Stand
    steps: int
    left: int

    @property
    def name(self) -> str:
        """Whose they are."""
        return self.stand.name


class Part(NamedTuple):
    """One side's part of a result: steps to lose, hexes to go back, and whether a star costs a step more (3.6)."""

    steps: int
    hexes: int
    star: bool


@lru_cache(maxsize=8)
def parts(table: Same[Table], stars: bool) -> Mapping[str, tuple[Part, Part]]:
    """The attacker's and the defender's part of each result of a table. `stars`: whether stars count."""

    def part(effects: Mapping[str, str], who: str) -> Part:
        star = stars and effects.get(f"{who}_star") == "true"
        return Part(int(effects.get(f"{who}_steps", "0")), int(effects.get(f"{who}_retreat", "0")), star)

    results = table.value.results
    return {code: (part(one.effects, "attacker"), part(one.effects, "defender")) for code, one in results.items()}


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
    who: Who
    field: Field | None
    order: tuple[Stand, ...]
    """The strongest first, as they lose steps (ruling combat_losses)."""
    armor: tuple[Stand, ...]
    """The Israeli armor, the weakest first."""
    rooted: tuple[Stand, ...]
    """The forts, which don't go back (2.1)."""

    @staticmethod
    def of(stands: Sequence[Stand], who: Who, field: Field | None = None) -> Force:
        """The force that these units make."""
        strength = "attack" if who == "attacker" else "defense"
        armor = [s for s in stands if "pure_armor" in s.unit.abilities and s.unit.nation == "israel"]
        return Force(
            tuple(stands), who, field,
            tuple(sorted(stands, key=lambda s: (-s.factor(strength), s.key))),
            tuple(sorted(armor, key=lambda s: (s.factor(strength), s.key))),
            tuple(s for s in stands if "stands_fast" in s.unit.abilities),
        )  # fmt: skip

    def without(self, gone: Stand) -> Force:
        """The force without one of its units."""
        lists = (self.stands, self.order, self.armor, self.rooted)
        stands, order, armor, rooted = (tuple([s for s in one if s is not gone]) for one in lists)
        return Force(stands, self.who, self.field, order, armor, rooted)

    @cached_property
    def _whole(self) -> dict[Stand, int]:
        return {s: s.steps for s in self.stands}

    @cached_property
    def _known(self) -> dict[tuple[Part, frozenset[Stand]], Share]:
        """Shares asked for so far."""
        return {}

    @cached_property
    def _shares(self) -> dict[tuple[Part, Changed], Share]:
        """The same by what the dead have changed: mostly it is nothing."""
        return {}

    def share(self, part: Part, gone: frozenset[Stand] = NOBODY) -> Share:
        """What its part of a result does to it; `gone` are the enemies whom the result kills first."""
        key = part, gone
        if key not in self._known:
            after = UNCHANGED
            if part.hexes and self.field is not None:
                after = changed(self.field, self.stands[0].unit.side, gone, frozenset(self.stands))
            if (part, after) not in self._shares:
                self._shares[part, after] = self._share(part, after)
            self._known[key] = self._shares[part, after]
        return self._known[key]

    def _share(self, part: Part, after: Changed) -> Share:
        """Steps come from the strongest first, then each in turn (ruling combat_losses); the star's from armor that is
        left (ruling sagger_order); a fort takes a retreat as steps (2.1); enemy zones on the way back cost steps."""
        steps, hexes, star = part
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

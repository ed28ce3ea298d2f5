"""What a result of the combat table costs one side: steps, Saggers, forts, retreats."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from assistant.games.yom_kippur.field import Field, Stand
from assistant.games.yom_kippur.retreats import NOBODY, UNCHANGED, Back, Changed, changed
from assistant.games.yom_kippur.together import Retreat, go_back
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


class Share(NamedTuple):
    """What a result does to one side. `sagger` is the step that a star costs (3.6)."""

    steps: int
    sagger: int
    retreat: int
    losses: tuple[Loss, ...]
    standing: tuple[Stand, ...]
    """Who has to go back if there is a retreat: who is left, forts apart (2.1)."""
    total: int
    """Steps that are really lost."""
    dead: frozenset[Stand]
    """Who is gone."""
    leaves: bool
    """Whether nobody of it stays where it was."""
    retreats: Retreat

    @property
    def back(self) -> tuple[Back, ...]:
        """Who goes back, and where to."""
        return self.retreats.backs


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
    known: dict[tuple[Part, frozenset[Stand]], Share] = dataclasses.field(default_factory=dict)
    """Shares asked for so far."""
    after: dict[tuple[Part, Changed], Share] = dataclasses.field(default_factory=dict)
    """The same by what the dead have changed: mostly it is nothing."""

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

    def on(self, field: Field) -> Force:
        """The force on another field."""
        return Force(self.stands, self.who, field, self.order, self.armor, self.rooted)

    def share(self, part: Part, gone: frozenset[Stand] = NOBODY) -> Share:
        """What its part of a result does to it; `gone` are the enemies whom the result kills first."""
        key = part, gone
        if key not in self.known:
            after = UNCHANGED
            if part.hexes and self.field is not None:
                leaving = [s for s in self.stands if s not in self.rooted]
                after = changed(self.field, self.stands[0].unit.side, gone, leaving)
            if (part, after) not in self.after:
                self.after[part, after] = self._share(part, after)
            self.known[key] = self.after[part, after]
        return self.known[key]

    def _share(self, part: Part, after: Changed) -> Share:
        """Steps come from the strongest first, then each in turn (ruling combat_losses); the star's from armor that is
        left (ruling sagger_order); a fort takes a retreat as steps (2.1); enemy zones on the way back cost steps."""
        due, hexes, star = part
        left = {s: s.steps for s in self.stands}

        def hit(stand: Stand, count: int) -> int:
            count = min(count, left[stand])
            left[stand] -= count
            return count

        due = min(due, sum(left.values()))
        while due:
            for stand in self.order:
                if not due:
                    break
                due -= hit(stand, 1)
        sagger = 0
        if star:
            # The owner picks whose armor step the Saggers take: a unit that lives on if he can (3.6).
            for stand in sorted((s for s in self.armor if left[s]), key=lambda s: left[s] == 1)[:1]:
                sagger = hit(stand, 1)
        for stand in self.rooted:
            hit(stand, hexes)
        walkers: tuple[Stand, ...] = ()
        retreat = Retreat(())
        if hexes:
            walkers = tuple([s for s in self.stands if left[s] and s not in self.rooted])
            if self.field is not None:
                retreat = go_back(self.field, walkers, left, hexes, after)
        for one in retreat.backs:
            hit(one.stand, one.lost)
        losses = tuple([Loss(s, s.steps - left[s], left[s]) for s in self.stands if left[s] < s.steps])
        total, dead = sum(loss.steps for loss in losses), frozenset(loss.stand for loss in losses if not loss.left)
        leaves = not any(left[s] for s in (self.rooted if hexes else self.stands))
        return Share(part.steps, sagger, hexes, losses, walkers, total, dead, leaves, retreat)

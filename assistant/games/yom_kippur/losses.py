"""What a result of the combat table costs one side: steps, Saggers, forts, retreats."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from assistant.games.yom_kippur.field import Field, Stand
from assistant.games.yom_kippur.retreats import NOBODY, Back, retreat
from scenarios.tables import Outcome


@dataclass(frozen=True)
class Loss:
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

    @property
    def total(self) -> int:
        """Steps that are really lost."""
        return sum(loss.steps for loss in self.losses)

    @property
    def dead(self) -> frozenset[Stand]:
        """Who is gone."""
        return frozenset(loss.stand for loss in self.losses if not loss.left)


def share(
    field: Field | None, stands: Sequence[Stand], outcome: Outcome, who: str, stars: bool, gone: AbstractSet[Stand] = NOBODY
) -> Share:
    """What a result does to one side; `gone` are the enemies whom it kills first. Without a field no way back is sought.

    Steps come from the strongest first, then each in turn (ruling combat_losses); the star's from armor that is left
    (ruling sagger_order); a fort takes a retreat as steps (2.1); enemy zones on the way back cost steps.
    """
    effects = outcome.effects
    strength = "attack" if who == "attacker" else "defense"
    steps, hexes = int(effects.get(f"{who}_steps", "0")), int(effects.get(f"{who}_retreat", "0"))
    left = {s: s.steps for s in stands}

    def hit(stand: Stand, count: int) -> int:
        count = min(count, left[stand])
        left[stand] -= count
        return count

    due = steps
    order = sorted(stands, key=lambda s: (-s.factor(strength), s.key))
    while due and any(left.values()):
        for stand in order:
            due -= hit(stand, 1) if due else 0
    sagger = 0
    if stars and effects.get(f"{who}_star") == "true":
        # The owner picks whose armor step the Saggers take: a unit that lives on if he can (3.6).
        armor = [s for s in stands if left[s] and "pure_armor" in s.unit.abilities and s.unit.nation == "israel"]
        for stand in sorted(armor, key=lambda s: (left[s] == 1, s.factor(strength), s.key))[:1]:
            sagger = hit(stand, 1)
    for stand in stands:
        if "stands_fast" in stand.unit.abilities:
            hit(stand, hexes)
    walkers = tuple(s for s in stands if left[s] and "stands_fast" not in s.unit.abilities)
    back: tuple[Back, ...] = ()
    if field is not None and hexes:
        back = tuple(retreat(field, s, hexes, left[s], gone, frozenset(stands)) for s in walkers)
    for one in back:
        hit(one.stand, one.lost)
    losses = tuple(Loss(s, s.steps - left[s], left[s]) for s in stands if left[s] < s.steps)
    return Share(steps, sagger, hexes, losses, walkers, back)

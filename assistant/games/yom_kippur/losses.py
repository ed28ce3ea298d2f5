"""What a result of the combat table does: the steps that each side loses, Saggers, forts, retreats; and what that comes to on average."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Literal, NamedTuple

from assistant.rules.field import Field, Standing
from assistant.rules.retreat import Way
from assistant.rules.together import retreat_together
from scenarios.same import Same
from scenarios.tables import Table

Who = Literal["attacker", "defender"]
NOBODY: frozenset[Standing] = frozenset()


class Loss(NamedTuple):
    """Steps that one unit loses, and what becomes of it."""

    standing: Standing
    steps: int
    left: int


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
    return {code: (part(result.effects, "attacker"), part(result.effects, "defender")) for code, result in results.items()}


class Back(NamedTuple):
    """A unit that goes back: the ways that it may go, and the steps that the retreat costs it; all, if there is no way."""

    standing: Standing
    ways: tuple[Way, ...]
    lost: int


class Share(NamedTuple):
    """What a result does to one side. `sagger` is the step that a star costs (3.6)."""

    steps: int
    sagger: int
    retreat: int
    losses: tuple[Loss, ...]
    walkers: tuple[Standing, ...]
    """Who has to go back if there is a retreat: who is left, forts apart (2.1)."""
    total: int
    """Steps that are really lost."""
    dead: frozenset[Standing]
    """Who is gone."""
    leaves: bool
    """Whether nobody of it stays where it was."""
    back: tuple[Back, ...]
    """Who goes back, and where to; without a map nobody is told where."""
    crowded: bool
    sure: bool


@dataclass(frozen=True, eq=False)
class Force:
    """One side of a battle. Without a field no way back is sought."""

    standings: tuple[Standing, ...]
    who: Who
    field: Field | None
    order: tuple[Standing, ...]
    """The strongest first, as they lose steps (ruling combat_losses)."""
    armor: tuple[Standing, ...]
    """The Israeli armor, the weakest first."""
    rooted: tuple[Standing, ...]
    """The forts, which don't go back (2.1)."""
    known: dict[tuple[Part, frozenset[Standing]], Share] = dataclasses.field(default_factory=dict)
    """Shares asked for so far."""
    after: dict[frozenset[Standing], Field] = dataclasses.field(default_factory=dict)
    """The field as those who go back find it, by the enemies who have died."""

    @staticmethod
    def of(standings: Sequence[Standing], who: Who, field: Field | None = None) -> Force:
        """The force that these units make."""
        strength = "attack" if who == "attacker" else "defense"
        armor = [s for s in standings if "pure_armor" in s.unit.abilities and s.unit.nation == "israel"]
        return Force(
            tuple(standings), who, field,
            tuple(sorted(standings, key=lambda s: (-s.fields[strength], s.key))),
            tuple(sorted(armor, key=lambda s: (s.fields[strength], s.key))),
            tuple(s for s in standings if "stands_fast" in s.unit.abilities),
        )  # fmt: skip

    def without(self, gone: Standing) -> Force:
        """The force without one of its units."""
        lists = (self.standings, self.order, self.armor, self.rooted)
        standings, order, armor, rooted = (tuple([s for s in units if s is not gone]) for units in lists)
        return Force(standings, self.who, self.field, order, armor, rooted)

    def on(self, field: Field) -> Force:
        """The force on another field."""
        return Force(self.standings, self.who, field, self.order, self.armor, self.rooted)

    def share(self, part: Part, gone: frozenset[Standing] = NOBODY) -> Share:
        """What its part of a result does to it; `gone` are the enemies whom the result kills first."""
        key = part, gone if part.hexes else NOBODY
        if key not in self.known:
            self.known[key] = self._share(part, gone)
        return self.known[key]

    def _share(self, part: Part, gone: frozenset[Standing]) -> Share:
        """Steps come from the strongest first, then each in turn (ruling combat_losses); the star's from armor that is
        left (ruling sagger_order); a fort takes a retreat as steps (2.1); enemy zones on the way back cost steps."""
        due, hexes, star = part
        left = {s: s.steps for s in self.standings}

        def hit(standing: Standing, count: int) -> int:
            count = min(count, left[standing])
            left[standing] -= count
            return count

        due = min(due, sum(left.values()))
        while due:
            for standing in self.order:
                if not due:
                    break
                due -= hit(standing, 1)
        sagger = 0
        if star:
            # The owner picks whose armor step the Saggers take: a unit that lives on if he can (3.6).
            for standing in sorted((s for s in self.armor if left[s]), key=lambda s: left[s] == 1)[:1]:
                sagger = hit(standing, 1)
        for standing in self.rooted:
            hit(standing, hexes)
        walkers = tuple([s for s in self.standings if left[s] and s not in self.rooted]) if hexes else ()
        back, crowded, sure = self._back(walkers, left, hexes, gone)
        for one in back:
            hit(one.standing, one.lost)
        losses = tuple([Loss(s, s.steps - left[s], left[s]) for s in self.standings if left[s] < s.steps])
        total, dead = sum(loss.steps for loss in losses), frozenset(loss.standing for loss in losses if not loss.left)
        leaves = not any(left[s] for s in (self.rooted if hexes else self.standings))
        return Share(part.steps, sagger, hexes, losses, walkers, total, dead, leaves, back, crowded, sure)

    def _back(
        self, walkers: Sequence[Standing], left: Mapping[Standing, int], hexes: int, gone: frozenset[Standing]
    ) -> tuple[tuple[Back, ...], bool, bool]:
        """The ways back of all who go (1.3, ruling retreat_together): the dead have neither hex nor zone."""
        if self.field is None or not walkers:
            return (), False, True
        if gone not in self.after:
            self.after[gone] = self.field.changed(gone=[*gone, *(s for s in self.standings if s not in self.rooted)])
        field = self.after[gone]
        joint = retreat_together(field, [field.with_loss(s, s.steps - left[s]) for s in walkers], hexes)
        found = []
        for standing, back in zip(walkers, joint.backs, strict=True):
            ways = tuple(sorted(next(iter(back.ways.values()), ()), key=lambda way: way.end))
            found.append(Back(standing, ways, ways[0].harm if ways else left[standing]))
        return tuple(found), joint.crowded, joint.sure


# --- the results of a battle ------------------------------------------------------------------------------------------


class CombatResult(NamedTuple):
    """One result of the table: its chance and what it does."""

    code: str
    chance: Fraction
    attacker: Share
    defender: Share
    hex_falls: bool
    """Nobody of the defenders is left in the hex."""
    hex_taken: bool
    """And somebody of the attackers is left who may advance into it."""


def results(
    mine: Force, theirs: Force, table: Table, chances: Mapping[str, Fraction], stars: bool, follower: bool
) -> tuple[CombatResult, ...]:
    """Each result spelled out. `stars`: whether a star costs an Israeli armor step (3.6); `follower`: whether somebody
    who loses nothing can advance as well (1.5)."""
    both = parts(Same(table), stars)
    return tuple(
        CombatResult(code, chance, *_shares(mine, theirs, *both[code], follower)) for code, chance in chances.items()
    )


def _shares(mine: Force, theirs: Force, attack: Part, defense: Part, follower: bool) -> tuple[Share, Share, bool, bool]:
    """What a result does to the attacker and to the defender, whether the hex is left free, and whether it is taken."""
    # Steps first, on both sides; who dies of them has no zone when the others go back.
    attacker = mine.share(attack)
    defender = theirs.share(defense, attacker.dead)
    if attack.hexes:
        return mine.share(attack, defender.dead), defender, defender.leaves, False
    taken = defender.leaves and (follower or any(s not in attacker.dead and s not in mine.rooted for s in mine.standings))
    return attacker, defender, defender.leaves, taken


class Mean(NamedTuple):
    """The chances that the hex falls and that an attacker takes it, and the steps that both lose on average."""

    falls: Fraction
    taken: Fraction
    mine: Fraction
    theirs: Fraction


def mean(mine: Force, theirs: Force, table: Table, column: int | None, stars: bool, follower: bool) -> Mean:
    """What a battle on a column comes to on average; nothing where there is no attack."""
    if column is None:
        return Mean(Fraction(0), Fraction(0), Fraction(0), Fraction(0))
    both, (throws, codes) = parts(Same(table), stars), _throws(Same(table), column)
    fallen = held = lost = killed = 0
    for code, count in codes.items():
        attacker, defender, falls, taken = _shares(mine, theirs, *both[code], follower)
        fallen += count * falls
        held += count * taken
        lost += count * attacker.total
        killed += count * defender.total
    return Mean(*(Fraction(count, throws) for count in (fallen, held, lost, killed)))


@lru_cache(maxsize=32)
def _throws(table: Same[Table], column: int) -> tuple[int, Mapping[str, int]]:
    """How many throws there are, and how many of them give each result of a column."""
    chances = table.value.distribution(column)
    throws = lcm(*(chance.denominator for chance in chances.values()))
    return throws, {code: int(chance * throws) for code, chance in chances.items()}

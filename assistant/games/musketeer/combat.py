"""A ground combat of Operation Musketeer: both fires, unit by unit, exactly (14.0, 15.0)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from assistant.answers import BadQuestion
from assistant.attack_answers import refusal
from assistant.games.musketeer.ends import Ends, Ways
from assistant.games.musketeer.fighters import Facing, first_fire
from assistant.games.musketeer.fires import Columns, Fires
from assistant.games.musketeer.outcome import ATTACKER, DEFENDER, Cleared, Combat, Outcome

Kind = TypeVar("Kind", bound=Hashable)
Group = TypeVar("Group", bound=Hashable)
Faced = dict[Facing, Ways]
"""The ends of a side, by whom it faced."""
POLICIES = {
    "spread": "disruptions go to whole units first, the weakest of them; all else to the weakest",
    "weakest": "the weakest unit takes every result",
    "strongest": "the strongest unit takes every result, as the enemy would wish",
    "listed": "the unit listed first takes every result",
}


def solve(combat: Combat, kept: Kept | None = None) -> Outcome:
    """Both fires of a combat, exactly: every unit throws once, each result is applied at once (14.3 to 14.5).

    What is `kept` of combats before it isn't worked out again.
    """
    if not combat.attackers or not combat.defenders:
        raise BadQuestion("a combat needs units on both sides")
    return _Solver(combat, kept or Kept()).outcome()


@dataclass(frozen=True)
class Kept:
    """What combats that differ in little have in common. Nobody asks of them who pursues unless it is `followed` on, nor
    whom those faced who retreat unless it is `watched`."""

    followed: bool = True
    watched: bool = False
    _ends: dict[object, Ends] = field(default_factory=dict)

    def ends(self, combat: Combat, side: int, fired: bool) -> Ends:
        """What can become of a side: the same, while it has the same units on the same ground."""
        stacks = max(unit.stack for unit in combat.attackers) if self.followed else 0
        key = (side, combat.sides[side], combat.inputs.get("terrain"), stacks if side else combat.aim)
        if key not in self._ends:
            self._ends[key] = Ends(combat, side, self.followed, fired)
        return self._ends[key]


class _Solver:
    def __init__(self, combat: Combat, kept: Kept) -> None:
        self.combat, self.followed, self.watched = combat, kept.followed, kept.watched
        self.fires = Fires(combat, 0), Fires(combat, 1)
        self.landed = any(unit.landed for unit in combat.attackers)
        self.shots = self.fires[0].shots(), self.fires[1].shots()
        refused = [failure for side in self.shots for shot in side for failure in shot.failures]
        if refused:
            raise refusal(refused)
        self.first = first_fire(combat.game, str(combat.inputs.get("terrain", "open")))
        self.ends = kept.ends(combat, 0, self.first == ATTACKER), kept.ends(combat, 1, self.first == DEFENDER)

    def outcome(self) -> Outcome:
        one = 0 if self.first == ATTACKER else 1
        other = 1 - one
        start = self.ends[one].start(self.combat.support[one])
        columns = self._columns(one, start)
        left: Ways = {self.ends[other].start(self.combat.support[other]): 1}
        for place, column in enumerate(columns):
            left = self.ends[other].fired_on(left, column, self.combat.sides[one][place].stack)
        attacker, defender, cleared = self._after_attack(left) if other else self._after_defense(left)
        sides = self.ends[0].told(attacker), self.ends[1].told(defender)
        throws = self.ends[0].die ** (len(self.combat.attackers) + len(self.combat.defenders))
        return Outcome(self.combat, self.first, self.shots, sides, cleared, throws)

    def _after_attack(self, left: Ways) -> tuple[Faced, Faced, Cleared]:
        """The defenders fire back with what is left of them: the ends of both sides, and how often who pursues."""
        groups: dict[tuple[tuple[int, bool, Facing], Columns], int] = {}
        for end, count in left.items():
            group = ((*self.ends[1].cleared_by(end), self._facing(1, end)), self._columns(1, end))
            groups[group] = groups.get(group, 0) + count
        attacker: Faced = {}
        cleared = may = must = 0
        for (by, star, facing), ways in self._fired(1, groups).items():
            for end, count in ways.items():
                cleared += count * (by >= 0)
                if self._pursues(self._able(end), by):
                    may, must = may + count, must + count * star
            _gather(attacker, facing, self._failed(ways) if self.landed and by < 0 else ways)
        return attacker, self._waited(1, left), Cleared(cleared, may, must)

    def _after_defense(self, left: Ways) -> tuple[Faced, Faced, Cleared]:
        """The attackers fire with what is left of them: the ends of both sides, and how often who pursues."""
        groups: dict[tuple[tuple[frozenset[int], Facing, int], Columns], int] = {}
        for end, count in left.items():
            kind = (self._able(end), self._facing(0, end), end if self.landed else 0)
            group = (kind, self._columns(0, end))
            groups[group] = groups.get(group, 0) + count
        landed: Ways = {}
        defender: Faced = {}
        cleared = may = must = 0
        for (able, facing, before), ways in self._fired(0, groups).items():
            good = 0
            for end, count in ways.items():
                by, star = self.ends[1].cleared_by(end)
                good += count * (by >= 0)
                if self._pursues(able, by):
                    may, must = may + count, must + count * star
            cleared += good
            if self.landed:
                _add(landed, {before: good})
                _add(landed, self._failed({before: sum(ways.values()) - good}))
            _gather(defender, facing, ways)
        attacker = self._waited(0, left)
        return dict.fromkeys(attacker, landed) if self.landed else attacker, defender, Cleared(cleared, may, must)

    def _waited(self, side: int, left: Ways) -> Faced:
        """The ends of the side that was fired on first, when it has thrown its own dice."""
        other = 1 - side
        throws = self.ends[side].die ** len(self.combat.sides[side])
        start = self.ends[other].start(self.combat.support[other])
        return {self._facing(other, start): {end: count * throws for end, count in left.items()}}

    def _failed(self, ways: Ways) -> Ways:
        """Those who landed have not cleared the hex (29.5)."""
        found: Ways = {}
        for end, count in ways.items():
            _add(found, {self.ends[0].assault_failed(end): count})
        return found

    def _facing(self, side: int, number: int) -> Facing:
        return self.ends[side].facing(number) if self.watched else ()

    def _fired(self, side: int, groups: Mapping[tuple[Kind, Columns], int]) -> dict[Kind, Ways]:
        """A side fires on the columns of each group: what becomes of the enemy, by kind.

        Groups that begin alike share the first fires; those of a kind that go on alike are put together for the last.
        """
        units, enemy = self.combat.sides[side], self.ends[1 - side]
        begun = [len({columns[: place + 1] for _, columns in groups}) for place in range(len(units))]
        ahead = [len({(kind, columns[place:]) for kind, columns in groups}) for place in range(len(units))]
        half = min(range(len(units) + 1), key=lambda place: sum(begun[:place]) + sum(ahead[place:]))
        shared: dict[Columns, Ways] = {(): {enemy.start(self.combat.support[1 - side]): 1}}
        for place in range(half):
            shared = {
                columns: enemy.fired_on(shared[columns[:-1]], columns[-1], units[place].stack)
                for columns in {columns[: place + 1] for _, columns in groups}
            }
        together: dict[tuple[Kind, Columns], Ways] = {}
        for (kind, columns), count in groups.items():
            _gather(
                together, (kind, columns[half:]), {end: ways * count for end, ways in shared[columns[:half]].items()}
            )
        for place in range(half, len(units)):
            onward: dict[tuple[Kind, Columns], Ways] = {}
            for (kind, columns), ways in together.items():
                _gather(onward, (kind, columns[1:]), enemy.fired_on(ways, columns[0], units[place].stack))
            together = onward
        return {kind: ways for (kind, _), ways in together.items()}

    def _columns(self, side: int, number: int) -> Columns:
        ends = self.ends[side]
        codes, support = ends.known[number // ends.span]
        return self.fires[side].columns(codes, support, ends.there[number // ends.span])

    def _able(self, number: int) -> frozenset[int]:
        return self.ends[0].able(number) if self.followed else frozenset()

    def _pursues(self, able: frozenset[int], by: int) -> bool:
        """Whether someone can pursue: of the stack that cleared the hex, or all of a concentric attack (17.1, 29.4)."""
        return by >= 0 and (bool(able) if self.combat.inputs.get("concentric") is True else by in able)


def _gather(into: dict[Group, Ways], group: Group, ways: Ways) -> None:
    if group in into:
        _add(into[group], ways)
    else:
        into[group] = ways


def _add(into: Ways, ways: Ways) -> None:
    for end, count in ways.items():
        into[end] = into.get(end, 0) + count

"""A ground combat of Operation Musketeer: both fires, unit by unit, exactly (14.0 to 15.4)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple, TypeVar

from assistant.answers import BadQuestion
from assistant.attack import refusal
from assistant.games.musketeer.forces import (
    ATTACKER,
    DEFENDER,
    Body,
    Cleared,
    Combat,
    Facing,
    Outcome,
    Side,
    Support,
    first_fire,
)
from assistant.games.musketeer.guns import Columns, Fires, Result, faces

POLICIES = {
    "spread": "disruptions go to whole units first, the weakest of them; all else to the weakest",
    "weakest": "the weakest unit takes every result",
    "strongest": "the strongest unit takes every result, as the enemy would wish",
    "listed": "the unit listed first takes every result",
}
WHOLE, WORN, AWAY, GONE = 0, 1, 2, 4
"""What has become of a unit: whole, disrupted, either of them retreated (and so two more), or eliminated."""
Kind = TypeVar("Kind", bound=Hashable)
Group = TypeVar("Group", bound=Hashable)


class Stand(NamedTuple):
    """How a side stands in the middle of a combat: its units, its support; of defenders also whether they have suffered an
    asterisk and which stack has cleared them away (17.1, 17.6)."""

    codes: tuple[int, ...]
    support: Support
    star: bool = False
    cleared_by: int = -1


Ways = dict[Stand, int]
"""In how many ways of the throws a side stands so."""
Faced = dict[Facing, Ways]
"""The same by whom it faced."""


class Force:
    """One side of a combat, and what fire makes of it, result by result (15.0)."""

    def __init__(self, combat: Combat, side: int, fired: bool) -> None:
        """`fired` where the side has fired before it is fired on: a defender then needs no support any more."""
        self.combat, self.side, self.spent = combat, side, bool(side) and fired
        self.units, self.policy = combat.sides[side], combat.policies[side]
        self.faces = faces(combat.game)
        self.die = sum(share for _, share in self.faces[0])
        self.start = Stand((WHOLE,) * len(self.units), combat.support[side])
        terrain, grounds = str(combat.inputs.get("terrain", "open")), dict(enumerate(combat.grounds))
        self._fates = [unit.fate(combat.game, terrain if side else grounds.get(unit.stack, "")) for unit in self.units]
        self._there: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._leads: dict[tuple[Stand, int, int], tuple[tuple[Stand, int], ...]] = {}

    def there(self, stand: Stand) -> tuple[int, ...]:
        """The units that are still in the combat."""
        if stand.codes not in self._there:
            self._there[stand.codes] = tuple([place for place, code in enumerate(stand.codes) if code in (WHOLE, WORN)])
        return self._there[stand.codes]

    def fired_on(self, ways: Ways, column: int, stack: int) -> Ways:
        """A unit of a stack fires on this side; at nobody, if there is nobody left (15.4)."""
        if column < 0:
            return {stand: count * self.die for stand, count in ways.items()}
        found: Ways = {}
        for stand, count in ways.items():
            key = stand, column, stack
            leads = self._leads.get(key)
            if leads is None:
                leads = self._leads[key] = tuple(self._shares(*key).items())
            for after, share in leads:
                found[after] = found.get(after, 0) + count * share
        return found

    def _shares(self, stand: Stand, column: int, stack: int) -> Ways:
        """Where a fire on a column leads, each with so many faces of the die."""
        targets = self._targets(stand)
        found: Ways = {}
        for result, share in self.faces[column]:
            after = self._suffered(stand, targets, result, stack) if targets else stand
            found[after] = found.get(after, 0) + share
        return found

    def _targets(self, stand: Stand) -> list[int]:
        """Whom enemy fire can hit: any defender, but of the attackers only the stack that is fired at (14.4)."""
        return [place for place in self.there(stand) if self.side or self.units[place].stack == self.combat.aim]

    def _suffered(self, stand: Stand, targets: list[int], result: Result, stack: int) -> Stand:
        """A result on one unit of the side, chosen by its owner (15.1, 15.2)."""
        codes, support = stand.codes, stand.support
        if result.hits:
            place = self._chosen(codes, targets, result.steps)
            codes = (*codes[:place], self._hit(place, codes[place], result), *codes[place + 1 :])
        if result.support and not self.spent:
            support = support.hit(self.combat.spares_air)
        if not self.side:
            return Stand(codes, support)
        after = Stand(codes, support, stand.star or result.star)
        return after if self.there(after) else after._replace(cleared_by=stack)

    def _chosen(self, codes: tuple[int, ...], targets: list[int], steps: int) -> int:
        """Who suffers: of equal units the first."""
        if self.policy == "listed" or len(targets) == 1:
            return targets[0]
        if self.policy == "strongest":
            return max(targets, key=lambda place: self.units[place].strengths[codes[place]])
        if self.policy == "spread" and steps == 1:
            targets = [place for place in targets if codes[place] + 1 < self.units[place].steps] or targets
        return min(targets, key=lambda place: self.units[place].strengths[codes[place]])

    def _hit(self, place: int, code: int, result: Result) -> int:
        unit = self.units[place]
        lost, fate = code + result.steps, self._fates[place]
        if lost >= unit.steps:
            return GONE
        if not result.retreats:
            return lost
        return lost + AWAY if fate is None else GONE if fate.lost else lost

    def assault_failed(self, stand: Stand) -> Stand:
        """Who landed on the enemy and has not cleared the hex is lost (29.5)."""
        return stand._replace(codes=tuple([GONE if u.landed else code for u, code in zip(self.units, stand.codes, strict=True)]))

    def able(self, stand: Stand) -> frozenset[int]:
        """The stacks with someone who can pursue: no static unit, nobody who landed there (17.5, 29.5)."""
        units = (self.units[place] for place in self.there(stand))
        return frozenset({unit.stack for unit in units if unit.fields["class"] != "static" and not unit.landed})

    def facing(self, stand: Stand) -> Facing:
        """The stacks that stand, each with a zone of control or not: disrupted units have none (13.1)."""
        zones: dict[int, bool] = {}
        for place in self.there(stand):
            unit = self.units[place]
            zones[unit.stack] = zones.get(unit.stack, False) or (stand.codes[place] == WHOLE and unit.zone)
        return tuple(zones.items())

    def told(self, facing: Mapping[Facing, Ways]) -> Mapping[Side, int]:
        """The ways by how the side stands and whom it faced, whatever asterisk and stack."""
        bodies = [(Body(), Body(1), Body(0, True), Body(1, True), Body(unit.steps)) for unit in self.units]
        sides: dict[Side, int] = {}
        for faced, ways in facing.items():
            for stand, count in ways.items():
                if count:
                    stands = tuple([body[code] for body, code in zip(bodies, stand.codes, strict=True)])
                    side = Side(stands, stand.support, faced)
                    sides[side] = sides.get(side, 0) + count
        return sides


def solve(combat: Combat, watched: bool = False) -> Outcome:
    """Both fires of a combat, exactly: every unit throws once, each result is applied at once (14.3 to 14.5). Where it is `watched`,
    the outcome also tells whom those faced who retreat."""
    if not combat.attackers or not combat.defenders:
        raise BadQuestion("a combat needs units on both sides")
    return _Solver(combat, watched).outcome()


class _Solver:
    def __init__(self, combat: Combat, watched: bool) -> None:
        self.combat, self.watched = combat, watched
        self.fires = Fires(combat, 0), Fires(combat, 1)
        self.landed = any(unit.landed for unit in combat.attackers)
        self.shots = self.fires[0].shots(), self.fires[1].shots()
        refused = [failure for side in self.shots for shot in side for failure in shot.failures]
        if refused:
            raise refusal(refused)
        self.first = first_fire(combat.game, str(combat.inputs.get("terrain", "open")))
        self.forces = Force(combat, 0, self.first == ATTACKER), Force(combat, 1, self.first == DEFENDER)

    def outcome(self) -> Outcome:
        one = 0 if self.first == ATTACKER else 1
        fired_on = self.forces[1 - one]
        left: Ways = {fired_on.start: 1}
        for place, column in enumerate(self._columns(one, self.forces[one].start)):
            left = fired_on.fired_on(left, column, self.combat.sides[one][place].stack)
        attacker, defender, cleared = self._after_defense(left) if one else self._after_attack(left)
        sides = self.forces[0].told(attacker), self.forces[1].told(defender)
        throws = self.forces[0].die ** (len(self.combat.attackers) + len(self.combat.defenders))
        return Outcome(self.combat, self.first, self.shots, sides, cleared, throws)

    def _after_attack(self, left: Ways) -> tuple[Faced, Faced, Cleared]:
        """The defenders fire back with what is left of them: the ends of both sides, and how often who pursues."""
        groups: dict[tuple[tuple[int, bool, Facing], Columns], int] = {}
        for stand, count in left.items():
            group = ((stand.cleared_by, stand.star, self._facing(1, stand)), self._columns(1, stand))
            groups[group] = groups.get(group, 0) + count
        attacker: Faced = {}
        cleared = may = must = 0
        for (by, star, facing), ways in self._fired(1, groups).items():
            for stand, count in ways.items():
                cleared += count * (by >= 0)
                if self._pursues(self.forces[0].able(stand), by):
                    may, must = may + count, must + count * star
            _gather(attacker, facing, self._failed(ways) if self.landed and by < 0 else ways)
        return attacker, self._waited(1, left), Cleared(cleared, may, must)

    def _after_defense(self, left: Ways) -> tuple[Faced, Faced, Cleared]:
        """The attackers fire with what is left of them: the ends of both sides, and how often who pursues."""
        groups: dict[tuple[tuple[frozenset[int], Facing, Stand | None], Columns], int] = {}
        for stand, count in left.items():
            kind = (self.forces[0].able(stand), self._facing(0, stand), stand if self.landed else None)
            group = (kind, self._columns(0, stand))
            groups[group] = groups.get(group, 0) + count
        landed: Ways = {}
        defender: Faced = {}
        cleared = may = must = 0
        for (able, facing, before), ways in self._fired(0, groups).items():
            good = 0
            for stand, count in ways.items():
                good += count * (stand.cleared_by >= 0)
                if self._pursues(able, stand.cleared_by):
                    may, must = may + count, must + count * stand.star
            cleared += good
            if before is not None:
                _add(landed, {before: good})
                _add(landed, self._failed({before: sum(ways.values()) - good}))
            _gather(defender, facing, ways)
        attacker = self._waited(0, left)
        return dict.fromkeys(attacker, landed) if self.landed else attacker, defender, Cleared(cleared, may, must)

    def _waited(self, side: int, left: Ways) -> Faced:
        """The ends of the side that was fired on first, when it has thrown its own dice."""
        throws = self.forces[side].die ** len(self.combat.sides[side])
        facing = self._facing(1 - side, self.forces[1 - side].start)
        return {facing: {stand: count * throws for stand, count in left.items()}}

    def _failed(self, ways: Ways) -> Ways:
        """Those who landed have not cleared the hex (29.5)."""
        found: Ways = {}
        for stand, count in ways.items():
            _add(found, {self.forces[0].assault_failed(stand): count})
        return found

    def _facing(self, side: int, stand: Stand) -> Facing:
        return self.forces[side].facing(stand) if self.watched else ()

    def _fired(self, side: int, groups: Mapping[tuple[Kind, Columns], int]) -> dict[Kind, Ways]:
        """A side fires on the columns of each group: what becomes of the enemy, by kind.

        Groups that begin alike share the first fires; those of a kind that go on alike are put together for the last.
        """
        units, enemy = self.combat.sides[side], self.forces[1 - side]
        begun = [len({columns[: place + 1] for _, columns in groups}) for place in range(len(units))]
        ahead = [len({(kind, columns[place:]) for kind, columns in groups}) for place in range(len(units))]
        half = min(range(len(units) + 1), key=lambda place: sum(begun[:place]) + sum(ahead[place:]))
        shared: dict[Columns, Ways] = {(): {enemy.start: 1}}
        for place in range(half):
            shared = {
                columns: enemy.fired_on(shared[columns[:-1]], columns[-1], units[place].stack)
                for columns in {columns[: place + 1] for _, columns in groups}
            }
        together: dict[tuple[Kind, Columns], Ways] = {}
        for (kind, columns), count in groups.items():
            begun_ways = {stand: ways * count for stand, ways in shared[columns[:half]].items()}
            _gather(together, (kind, columns[half:]), begun_ways)
        for place in range(half, len(units)):
            onward: dict[tuple[Kind, Columns], Ways] = {}
            for (kind, columns), ways in together.items():
                _gather(onward, (kind, columns[1:]), enemy.fired_on(ways, columns[0], units[place].stack))
            together = onward
        return {kind: ways for (kind, _), ways in together.items()}

    def _columns(self, side: int, stand: Stand) -> Columns:
        return self.fires[side].columns(stand.codes, stand.support, self.forces[side].there(stand))

    def _pursues(self, able: frozenset[int], by: int) -> bool:
        """Whether someone can pursue: of the stack that cleared the hex, or all of a concentric attack (17.1, 29.4)."""
        return by >= 0 and (bool(able) if self.combat.inputs.get("concentric") is True else by in able)


def _gather(into: dict[Group, Ways], group: Group, ways: Ways) -> None:
    if group in into:
        _add(into[group], ways)
    else:
        into[group] = ways


def _add(into: Ways, ways: Ways) -> None:
    for stand, count in ways.items():
        into[stand] = into.get(stand, 0) + count

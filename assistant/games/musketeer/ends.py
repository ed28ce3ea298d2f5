"""What fire can make of one side of a combat, result by result (15.0)."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.games.musketeer.contingents import contingent
from assistant.games.musketeer.fighters import Body, Facing, Side, Support
from assistant.games.musketeer.fires import NOTHING, Result, faces
from assistant.games.musketeer.ground import Lazy
from assistant.games.musketeer.outcome import Combat
from scenarios.counters import Unit
from scenarios.same import Same

SHELTERS = ("city", "fortification")  # 16.5
WHOLE, WORN, AWAY, GONE = 0, 1, 2, 4
"""What has become of a unit: whole, disrupted, either of them retreated (and so two more), or eliminated."""
Codes = tuple[int, ...]
Ways = dict[int, int]
"""In how many ways of the throws a side ends as it does, by the numbers of its ends."""


def sheltered(unit: Unit, terrain: str) -> bool:
    """Whether a unit that stands there ignores retreats: Egyptians in cities and fortifications of Egypt (16.5)."""
    return terrain in SHELTERS and contingent(unit.nation) == "egypt"


class Ends:
    """What can become of one side, each by its number: numbers are quick to work with.

    Where it is `followed` on, the number of an end of the defender also tells whether it has suffered an asterisk and
    which stack has cleared it away (17.1, 17.6): `span` of them go with each way that its units stand.
    """

    def __init__(self, combat: Combat, side: int, followed: bool, fired: bool) -> None:
        """`fired` where the side has fired before it is fired on, and so needs no support any more."""
        self.combat, self.side, self.spent = combat, side, bool(side) and fired
        self.fighters, self.policy = combat.sides[side], combat.policies[side]
        self.faces = faces(Same(combat.game))
        self.die = self.faces.die
        self.span = 2 * (max(unit.stack for unit in combat.attackers) + 2) if side and followed else 1
        self.known: list[tuple[Codes, Support]] = []
        self.there: list[list[int]] = []
        """The places of those still in the combat."""
        self._numbers: dict[tuple[Codes, Support], int] = {}
        self._after: list[dict[int, int]] = []
        self._able: list[frozenset[int]] = []
        self._leads: Lazy[int, dict[int, list[tuple[int, int]]]] = Lazy(lambda column: {})
        order = sorted({strength for unit in self.fighters for strength in unit.strengths})
        self._ranks = [[order.index(strength) for strength in unit.strengths] for unit in self.fighters]
        """From the weakest up, whole and disrupted."""
        terrain = str(combat.inputs.get("terrain", "open"))
        grounds = dict(enumerate(combat.grounds))
        self._stay = [
            sheltered(combat.game.units[str(unit.fields["id"])], terrain if side else grounds.get(unit.stack, ""))
            for unit in self.fighters
        ]

    def start(self, support: Support) -> int:
        """The number of the side as it comes into the combat."""
        return self._number((WHOLE,) * len(self.fighters), support, list(range(len(self.fighters)))) * self.span

    def _number(self, codes: Codes, support: Support, there: list[int]) -> int:
        number = self._numbers.setdefault((codes, support), len(self.known))
        if number == len(self.known):
            self.known.append((codes, support))
            self.there.append(there)
            self._after.append({})
        return number

    def cleared_by(self, number: int) -> tuple[int, bool]:
        """The stack that has cleared a defender away, and whether with an asterisk on the way; -1: none has. Where
        that isn't followed on, it is the first."""
        if self.there[number // self.span]:
            return -1, False
        flag = number % self.span
        return max(0, flag // 2 - 1), bool(flag % 2)

    def fired_on(self, ways: Ways, column: int, stack: int) -> Ways:
        """A unit of a stack fires on this side; at nobody, if there is nobody left (15.4)."""
        if column < 0:
            return {end: count * self.die for end, count in ways.items()}
        found: Ways = {}
        leads, had = self._leads[column], found.get
        for end, count in ways.items():
            for after, share in leads.get(end) or leads.setdefault(end, self._shares(end, column)):
                if after < 0:
                    after = 2 * stack - after
                found[after] = had(after, 0) + count * share
        return found

    def _shares(self, number: int, column: int) -> list[tuple[int, int]]:
        """Where a fire on a column leads from an end, each with so many faces of the die."""
        if not self._targets(number // self.span):
            return [(number, self.die)]
        found: dict[int, int] = {}
        for result, share in self.faces.columns[column]:
            after = number if result == NOTHING else self._lead(number, result)
            found[after] = found.get(after, 0) + share
        return list(found.items())

    def _lead(self, number: int, result: int) -> int:
        """Where a result leads: to a number below 0, if it clears the hex and this is followed on, as the first stack
        would; what other stacks would do has numbers above that."""
        end, flag = divmod(number, self.span)
        plain, known = self.faces.plain[result], self._after[end]
        after = known[plain] if plain in known else self._suffered(end, plain)
        if self.span == 1:
            return after
        number = after * self.span + (flag | (plain != result))
        return number if self.there[after] else -(number + 2)

    def _targets(self, end: int) -> list[int]:
        """Whom enemy fire can hit: any defender, but of the attackers only the stack that is fired at (14.4)."""
        there = self.there[end]
        return there if self.side else [place for place in there if self.fighters[place].stack == self.combat.aim]

    def _suffered(self, end: int, number: int) -> int:
        """A result on one unit of the side, chosen by its owner (15.1, 15.2)."""
        result = self.faces.results[number]
        (codes, support), there = self.known[end], self.there[end]
        if result.hits:
            place = self._chosen(end, result.steps)
            now = self._worn(place, codes[place], result)
            codes = (*codes[:place], now, *codes[place + 1 :])
            there = there if now in (WHOLE, WORN) else [other for other in there if other != place]
        if result.support and not self.spent:
            support = support.hit(self.combat.spares_air)
        after = self._after[end][number] = self._number(codes, support, there)
        return after

    def _chosen(self, end: int, steps: str) -> int:
        codes, left = self.known[end][0], self._targets(end)
        if self.policy == "listed" or len(left) == 1:
            return left[0]
        if self.policy == "strongest":
            return max(left, key=lambda place: self._ranks[place][codes[place]])
        if self.policy == "spread" and steps == "1":
            left = [place for place in left if codes[place] + 1 < self.fighters[place].steps] or left
        return min(left, key=lambda place: self._ranks[place][codes[place]])  # of equal ones the first

    def _worn(self, place: int, code: int, result: Result) -> int:
        unit = self.fighters[place]
        lost = unit.steps if result.steps == "all" else code + int(result.steps)
        if lost >= unit.steps:
            return GONE
        if not result.retreats or self._stay[place]:
            return lost
        stuck = unit.fields["class"] == "static" or unit.landed  # 16.1, 29.5
        return GONE if stuck else lost + AWAY

    def assault_failed(self, number: int) -> int:
        """Who landed on the enemy and has not cleared the hex is lost (29.5)."""
        codes, support = self.known[number]
        after = tuple(GONE if unit.landed else code for unit, code in zip(self.fighters, codes, strict=True))
        return self._number(after, support, [place for place in self.there[number] if after[place] != GONE])

    def able(self, number: int) -> frozenset[int]:
        """The stacks with someone who can pursue: no static unit, nobody who landed there (17.5, 29.5)."""
        while len(self._able) < len(self.known):
            there = self.there[len(self._able)]
            units = [self.fighters[place] for place in there]
            self._able.append(
                frozenset({unit.stack for unit in units if unit.fields["class"] != "static" and not unit.landed})
            )
        return self._able[number // self.span]

    def facing(self, number: int) -> Facing:
        """The stacks that stand, each with a zone of control or not: disrupted units have none (13.1)."""
        codes, zones = self.known[number // self.span][0], dict[int, bool]()
        for place in self.there[number // self.span]:
            unit = self.fighters[place]
            zones[unit.stack] = zones.get(unit.stack, False) or (codes[place] == WHOLE and unit.zone)
        return tuple(zones.items())

    def told(self, facing: Mapping[Facing, Ways]) -> Mapping[Side, int]:
        """The ways by how the side stands and whom it faced, whatever asterisk and stack."""
        bodies = [(Body(), Body(1), Body(0, True), Body(1, True), Body(unit.steps)) for unit in self.fighters]
        sides = {}
        for faced, ways in facing.items():
            found: dict[int, int] = {}
            for number, count in ways.items():
                end = number // self.span
                found[end] = found.get(end, 0) + count
            for end, count in found.items():
                if not count:
                    continue
                codes, support = self.known[end]
                stands = tuple([body[code] for body, code in zip(bodies, codes, strict=True)])
                sides[Side(stands, support, faced)] = count
        return sides

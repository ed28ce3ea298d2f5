"""What fire can make of one side of a combat, result by result (15.0)."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.games.musketeer.contingents import contingent
from assistant.games.musketeer.fighters import Body, Side, Support
from assistant.games.musketeer.fires import ATTACK, faces
from assistant.games.musketeer.outcome import Combat
from scenarios.counters import Unit
from scenarios.same import Same

SHELTERS = ("city", "fortification")  # 16.5
WHOLE, WORN, AWAY, GONE = 0, 1, 2, 4
"""What has become of a unit: whole, disrupted, either of them retreated (and so two more), or eliminated."""
Codes = tuple[int, ...]
Leads = tuple[tuple[int, int], ...]
"""The numbers of ends that a fire leads to, each in so many faces of the die."""
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
        self.results = combat.game.tables[combat.game.attacks[ATTACK].table].results
        self.columns = faces(Same(combat.game))
        self.die = sum(face.share for face in self.columns[0])
        self.span = 2 * (max(unit.stack for unit in combat.attackers) + 2) if side and followed else 1
        self.known: list[tuple[Codes, Support]] = []
        self.there: list[list[int]] = []
        """The places of those still in the combat."""
        self._numbers: dict[tuple[Codes, Support], int] = {}
        self._after: list[dict[str, int]] = []
        self._able: list[frozenset[int]] = []
        self._moves: dict[int, dict[int, tuple[Leads, Leads]]] = {}
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
            self._after.append({"": number})
        return number

    def cleared_by(self, number: int) -> tuple[int, bool]:
        """The stack that has cleared a defender away, and whether with an asterisk on the way; -1: none has. Where
        that isn't followed on, it is the first."""
        if self.there[number // self.span]:
            return -1, False
        flag = number % self.span
        return max(0, flag // 2 - 1), bool(flag % 2)

    def fired_on(self, ways: Ways, column: int, stack: int) -> Ways:
        """A unit of a stack fires on this side."""
        if column < 0:
            return {end: count * self.die for end, count in ways.items()}
        moves = self._moves.setdefault(column, {})
        found: Ways = {}
        for end, count in ways.items():
            if end not in moves:
                moves[end] = self._leads(end, column)
            left, cleared = moves[end]
            for after, share in left:
                found[after] = found.get(after, 0) + count * share
            for after, share in cleared:
                found[after + 2 * stack] = found.get(after + 2 * stack, 0) + count * share
        return found

    def _leads(self, number: int, column: int) -> tuple[Leads, Leads]:
        """Where a fire on a column leads, and where if it clears the hex and this is followed on, as if by the first
        stack; nowhere, if there is nobody left (15.4)."""
        end, flag = divmod(number, self.span)
        if not self._targets(end):
            return ((number, self.die),), ()
        left: Ways = {}
        cleared: Ways = {}
        after, span = self._after[end], self.span
        for code, share, star in self.columns[column]:
            there = after[code] if code in after else self._suffered(end, code)
            number = there * span + (flag | star if span > 1 else 0)
            if span > 1 and not self.there[there]:
                cleared[number + 2] = cleared.get(number + 2, 0) + share
            else:
                left[number] = left.get(number, 0) + share
        return tuple(left.items()), tuple(cleared.items())

    def _targets(self, end: int) -> list[int]:
        """Whom enemy fire can hit: any defender, but of the attackers only the stack that is fired at (14.4)."""
        there = self.there[end]
        return there if self.side else [place for place in there if self.fighters[place].stack == self.combat.aim]

    def _suffered(self, end: int, code: str) -> int:
        """A result on one unit of the side, chosen by its owner (15.1, 15.2)."""
        effects = self.results[code].effects
        (codes, support), there = self.known[end], self.there[end]
        if "units" in effects:
            steps = effects.get("steps", "0")
            place = self._chosen(end, steps)
            now = self._worn(place, codes[place], steps, "retreat" in effects)
            codes = (*codes[:place], now, *codes[place + 1 :])
            there = there if now in (WHOLE, WORN) else [other for other in there if other != place]
        if "support" in effects and not self.spent:
            support = support.hit(self.combat.spares_air)
        self._after[end][code] = self._number(codes, support, there)
        return self._after[end][code]

    def _chosen(self, end: int, steps: str) -> int:
        codes, left = self.known[end][0], self._targets(end)
        if self.policy == "listed" or len(left) == 1:
            return left[0]
        if self.policy == "strongest":
            return max(left, key=lambda place: self._ranks[place][codes[place]])
        if self.policy == "spread" and steps == "1":
            left = [place for place in left if codes[place] + 1 < self.fighters[place].steps] or left
        return min(left, key=lambda place: self._ranks[place][codes[place]])  # of equal ones the first

    def _worn(self, place: int, code: int, steps: str, retreats: bool) -> int:
        unit = self.fighters[place]
        lost = unit.steps if steps == "all" else code + int(steps)
        if lost >= unit.steps:
            return GONE
        if not retreats or self._stay[place]:
            return lost
        return GONE if unit.fields["class"] == "static" or unit.landed else lost + AWAY  # 16.1, 29.5: who can't go is lost

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

    def told(self, ways: Ways) -> Mapping[Side, int]:
        """The ways by how the side stands, whatever asterisk and stack."""
        found: dict[int, int] = {}
        for number, count in ways.items():
            end = number // self.span
            found[end] = found.get(end, 0) + count
        bodies = [(Body(), Body(1), Body(0, True), Body(1, True), Body(unit.steps)) for unit in self.fighters]
        sides = {}
        for end, count in found.items():
            codes, support = self.known[end]
            sides[Side(tuple([body[code] for body, code in zip(bodies, codes, strict=True)]), support)] = count
        return sides

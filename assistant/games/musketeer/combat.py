"""A ground combat of Operation Musketeer: both fires, unit by unit, exactly (14.0, 15.0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from assistant.attacks import Answer, BadQuestion, Fields, Value, chances, odds
from assistant.games.musketeer.contingents import contingent
from assistant.games.musketeer.fighters import Bodies, Body, Fighter, Side, Support, first_fire, standing
from assistant.games.musketeer.outcome import ATTACKER, DEFENDER, Combat, Outcome
from assistant.shared.shifts import shifted
from scenarios.counters import Unit
from scenarios.dice import dice
from scenarios.reading.findings import instead

POLICIES = {
    "spread": "disruptions go to whole units first, the weakest of them; all else to the weakest",
    "weakest": "the weakest unit takes every result",
    "strongest": "the strongest unit takes every result, as the enemy would wish",
    "listed": "the unit listed first takes every result",
}
SHELTERS = ("city", "fortification")  # 16.5
NOBODY: frozenset[int] = frozenset()
Volley = tuple[tuple[str, int], ...]
"""The codes of a unit's fire, in how many faces of the die, no code where nothing happens; () for no fire."""


def sheltered(unit: Unit, terrain: str) -> bool:
    """Whether a unit that stands there ignores retreats: Egyptians in cities and fortifications of Egypt (16.5)."""
    return terrain in SHELTERS and contingent(unit.nation) == "egypt"


def solve(combat: Combat) -> Outcome:
    """Both fires of a combat, exactly: every unit throws once, each result is applied at once (14.3 to 14.5)."""
    return _Solver(combat).outcome()


class _Ends:
    """What can become of one side, each by its number: numbers are quick to work with."""

    def __init__(self, fighters: Sequence[Fighter], start: Side) -> None:
        self.fighters = fighters
        self.known: list[Side] = []
        self.there: list[list[int]] = []
        """The places of those still in the combat."""
        self.numbers: dict[Side, int] = {}
        self.after: dict[tuple[int, str, int], int] = {}
        """From a number, by a result thrown by a stack, to the number of what comes of it."""
        self.start = self.number(start)

    def number(self, end: Side) -> int:
        if end not in self.numbers:
            self.numbers[end] = len(self.known)
            self.known.append(end)
            self.there.append(standing(self.fighters, end.bodies))
        return self.numbers[end]


class _Solver:
    def __init__(self, combat: Combat) -> None:
        for policy in combat.policies:
            if policy not in POLICIES:
                raise BadQuestion(f"{policy!r} is no policy for losses; {instead(policy, POLICIES)}")
        if not combat.attackers or not combat.defenders:
            raise BadQuestion("a combat needs units on both sides")
        self.combat, self.game = combat, combat.game
        self.table = combat.game.tables[combat.game.attacks["ground_fire"].table]
        self.terrain = str(combat.inputs.get("terrain", "open"))
        self.faces = len(dice(self.table.dice))
        self.ends = [
            _Ends(side, Side(tuple(Body() for _ in side), support))
            for side, support in zip(combat.sides, combat.support, strict=True)
        ]
        kinds: dict[object, int] = {}
        self.alike = [
            [tuple(kinds.setdefault(kind, len(kinds)) for kind in unit.alike) for unit in side] for side in combat.sides
        ]
        self.engineers: dict[int, frozenset[int]] = {}
        for place, unit in enumerate(combat.attackers):
            if unit.fields["bridges"] is True:
                self.engineers[unit.stack] = self.engineers.get(unit.stack, NOBODY) | {place}
        self.volleys: dict[tuple[object, ...], Volley] = {}
        self.fires: dict[tuple[int, tuple[Volley, ...]], Mapping[int, int]] = {}

    def outcome(self) -> Outcome:
        combat = self.combat
        shots = self._shots(0), self._shots(1)
        refused = dict.fromkeys(failure for side in shots for answer in side for failure in answer.failures)
        if refused:
            raise BadQuestion("; ".join(refused))
        first = first_fire(self.game, self.terrain)
        ways = self._assaults(self._fires(0 if first == ATTACKER else 1))
        ends = self.ends[0].known, self.ends[1].known
        throws = self.faces ** (len(combat.attackers) + len(combat.defenders))
        return Outcome(combat, first, shots, ends, ways, throws)

    def _shots(self, side: int) -> tuple[Answer, ...]:
        """How each unit of a side would fire at the start, with every reason."""
        start, found = self.ends[side].start, []
        for place in range(len(self.combat.sides[side])):
            firer, told = self._told(side, place, start)
            answer = shifted(self.table, odds(self.game, "ground_fire", firer, told), self.combat.shifts[side])
            self.volleys[self._key(side, place, start)] = self._codes(answer.chances)
            found.append(answer)
        return tuple(found)

    def _fires(self, one: int) -> dict[tuple[int, int], int]:
        """One side fires, then the other with what is left of it: in how many ways both end as they do."""
        other = 1 - one
        ways: dict[tuple[int, int], int] = {}
        for left, count in self._fire(one, self._volleys(one, self.ends[one].start)).items():
            for back, more in self._fire(other, self._volleys(other, left)).items():
                ways[(left, back) if other == 0 else (back, left)] = count * more
        return ways

    def _fire(self, side: int, volleys: tuple[Volley, ...]) -> Mapping[int, int]:
        """Each unit of a side fires, if it is still there and has an enemy left (15.4): what becomes of the enemy."""
        other = 1 - side
        if not volleys:
            return {self.ends[other].start: 1}
        key = (side, volleys)
        if key not in self.fires:
            volley, stack = volleys[-1], self.combat.sides[side][len(volleys) - 1].stack
            known = self.ends[other].after
            result: dict[int, int] = {}
            for end, ways in self._fire(side, volleys[:-1]).items():
                for code, share in volley or (("", self.faces),):
                    hit = known.get((end, code, stack))
                    if hit is None:
                        hit = known[end, code, stack] = self._suffer(end, other, code, stack)
                    result[hit] = result.get(hit, 0) + ways * share
            self.fires[key] = result
        return self.fires[key]

    def _volleys(self, side: int, end: int) -> tuple[Volley, ...]:
        """How each unit of a side fires, as it stands then."""
        there = self.ends[side].there[end]
        return tuple(
            [self._volley(side, place, end) if place in there else () for place in range(len(self.combat.sides[side]))]
        )

    def _volley(self, side: int, place: int, end: int) -> Volley:
        key = self._key(side, place, end)
        if key not in self.volleys:
            firer, told = self._told(side, place, end)
            self.volleys[key] = self._codes(chances(self.game, "ground_fire", firer, told, self.combat.shifts[side]))
        return self.volleys[key]

    def _codes(self, thrown: Mapping[str, Fraction]) -> Volley:
        results, faces = self.table.results, self.faces
        return tuple(
            (code if results[code].effects else "", faces * chance.numerator // chance.denominator)
            for code, chance in thrown.items()
        )

    def _key(self, side: int, place: int, end: int) -> tuple[object, ...]:
        """What a fire hangs on. An engineer helps its own stack as long as it stands (24.2)."""
        now, stack = self.ends[side].known[end], self.combat.sides[side][place].stack
        engineer = side == 0 and not self.engineers.get(stack, NOBODY).isdisjoint(self.ends[0].there[end])
        return side, self.alike[side][place][bool(now.bodies[place].lost)], now.support, engineer

    def _told(self, side: int, place: int, end: int) -> tuple[dict[str, list[Fields]], dict[str, Value]]:
        """The unit that fires and what is told of its fire."""
        now, own = self.ends[side].known[end], self.combat.sides[side][place]
        support = now.support
        told: dict[str, Value] = {
            **self.combat.inputs,
            "role": DEFENDER if side else ATTACKER,
            "cas": 0 if side else support.cas,
            "special_forces": support.special_forces,
            "guerrilla": support.guerrilla or 0,
            "engineer": self._key(side, place, end)[-1] is True,
        }
        if side:
            told |= {"special_command": False, "concentric": False}
        return {"firer": [own.shape(now.bodies[place])]}, told

    def _suffer(self, end: int, side: int, code: str, stack: int) -> int:
        """A result on one unit of a side, chosen by its owner (15.1, 15.2)."""
        ends = self.ends[side]
        if not code or not self._targets(end, side):
            return end
        bodies, support = self._hit(end, side, code)
        if not side:
            return ends.number(Side(bodies, support))
        pursuit = ends.known[end].pursuit or "pursuit" in self.table.results[code].effects
        by = -1 if standing(ends.fighters, bodies) else stack
        return ends.number(Side(bodies, support, pursuit, by))

    def _targets(self, end: int, side: int) -> list[int]:
        """Whom enemy fire can hit: any defender, but of the attackers only the stack that is fired at (14.4)."""
        there = self.ends[side].there[end]
        return there if side else [place for place in there if self.combat.attackers[place].stack == self.combat.aim]

    def _hit(self, end: int, side: int, code: str) -> tuple[Bodies, Support]:
        effects = self.table.results[code].effects
        bodies, support = self.ends[side].known[end][:2]
        if "units" in effects:
            steps = effects.get("steps", "0")
            place = self._chosen(end, side, steps)
            bodies = self._worn(side, bodies, place, steps, "retreat" in effects)
        return bodies, support.hit(self.combat.spares_air) if "support" in effects else support

    def _chosen(self, end: int, side: int, steps: str) -> int:
        fighters, bodies, left = self.combat.sides[side], self.ends[side].known[end].bodies, self._targets(end, side)
        policy = self.combat.policies[side]

        def strength(place: int) -> Fraction:
            return fighters[place].strengths[bool(bodies[place].lost)]

        if policy == "listed":
            return left[0]
        if policy == "strongest":
            return max(left, key=lambda place: (strength(place), -place))
        if policy == "spread" and steps == "1":
            left = [place for place in left if bodies[place].lost + 1 < fighters[place].steps] or left
        return min(left, key=lambda place: (strength(place), place))

    def _worn(self, side: int, bodies: Bodies, place: int, steps: str, retreats: bool) -> Bodies:
        unit, body = self.combat.sides[side][place], bodies[place]
        lost = unit.steps if steps == "all" else body.lost + int(steps)
        away = False
        ground = self.terrain if side else dict(enumerate(self.combat.grounds)).get(unit.stack, "")
        kept = sheltered(self.game.units[str(unit.fields["id"])], ground)
        if retreats and lost < unit.steps and not kept:
            if unit.fields["class"] == "static" or unit.fields.get("direct_assault") is True:
                lost = unit.steps  # 16.1, 29.5: who can't go is eliminated
            else:
                away = True
        return (*bodies[:place], Body(min(lost, unit.steps), away), *bodies[place + 1 :])

    def _assaults(self, ways: Mapping[tuple[int, int], int]) -> Mapping[tuple[int, int], int]:
        """Who landed on the enemy and has not cleared the hex is lost (29.5)."""
        if not any(unit.fields.get("direct_assault") is True for unit in self.combat.attackers):
            return ways
        result: dict[tuple[int, int], int] = {}
        for (one, other), count in ways.items():
            end = one
            if self.ends[1].there[other]:
                attacker = self.ends[0].known[one]
                bodies = tuple(
                    Body(unit.steps, False) if unit.fields.get("direct_assault") is True else body
                    for unit, body in zip(self.combat.attackers, attacker.bodies, strict=True)
                )
                end = self.ends[0].number(attacker._replace(bodies=bodies))
            result[end, other] = result.get((end, other), 0) + count
        return result

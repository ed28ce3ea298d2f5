"""A ground combat of Operation Musketeer: both fires, unit by unit, exactly (14.0, 15.0)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from assistant.attacks import Answer, BadQuestion, Value, odds
from assistant.games.musketeer.contingents import contingent
from assistant.games.musketeer.fighters import Body, Fighter, State, Support, first_fire, standing
from assistant.shared.chains import gather
from scenarios.game import Game
from scenarios.reading.findings import instead

ATTACKER, DEFENDER = "attacker", "defender"
POLICIES = {
    "spread": "disruptions go to whole units first, the weakest of them; all else to the weakest",
    "weakest": "the weakest unit takes every result",
    "strongest": "the strongest unit takes every result, as the enemy would wish",
    "listed": "the unit listed first takes every result",
}
SHELTERS = ("city", "fortification")  # 16.5


@dataclass(frozen=True)
class Combat:
    """A combat: who fights, where, and what is told of it."""

    game: Game
    attackers: tuple[Fighter, ...]
    defenders: tuple[Fighter, ...]
    inputs: Mapping[str, Value]
    support: tuple[Support, Support] = (Support(), Support())
    policies: tuple[str, str] = ("spread", "spread")

    @property
    def sides(self) -> tuple[tuple[Fighter, ...], tuple[Fighter, ...]]:
        return self.attackers, self.defenders


@dataclass(frozen=True)
class Outcome:
    """A combat, solved: the chance of every final state."""

    combat: Combat
    first: str
    volleys: tuple[tuple[str, str, Answer], ...]
    states: Mapping[State, Fraction]

    def cleared(self) -> Fraction:
        """The chance that no defender is left in the hex."""
        return self._chance(lambda state: not standing(self.combat.defenders, state.bodies[1]))

    def must_pursue(self) -> Fraction:
        """The chance that the hex is cleared and an asterisk makes the attackers follow (17.6)."""
        return self._chance(lambda state: state.pursuit and self._may(state))

    def may_pursue(self) -> Fraction:
        """The chance that attackers who can pursue have cleared the hex (17.1, 17.5)."""
        return self._chance(self._may)

    def _may(self, state: State) -> bool:
        left = standing(self.combat.attackers, state.bodies[0])
        mobile = any(self.combat.attackers[i].fields["class"] != "static" for i in left)
        return mobile and not standing(self.combat.defenders, state.bodies[1])

    def losses(self, side: str) -> dict[tuple[int, int, int], Fraction]:
        """The chance of each (eliminated, disrupted, retreated) of a side; the retreated may be disrupted too."""
        number = (ATTACKER, DEFENDER).index(side)
        fighters = self.combat.sides[number]

        def count(state: State) -> tuple[int, int, int]:
            bodies = state.bodies[number]
            gone = sum(b.lost >= f.steps for f, b in zip(fighters, bodies, strict=True))
            worn = sum(0 < b.lost < f.steps for f, b in zip(fighters, bodies, strict=True))
            return gone, worn, sum(b.away for b in bodies)

        return dict(sorted(gather(self.states, count).items()))

    def air_lost(self) -> dict[int, Fraction]:
        """The chance of each number of close air support airstrikes lost (19.9)."""
        began = self.combat.support[0].cas
        return dict(sorted(gather(self.states, lambda state: began - state.support[0].cas).items()))

    def fate(self, side: str, place: int) -> dict[str, Fraction]:
        """What may become of one unit."""
        number = (ATTACKER, DEFENDER).index(side)
        steps = self.combat.sides[number][place].steps

        def name(state: State) -> str:
            body = state.bodies[number][place]
            if body.lost >= steps:
                return "eliminated"
            return " and ".join(("disrupted",) * bool(body.lost) + ("retreated",) * body.away) or "unharmed"

        return gather(self.states, name)

    def _chance(self, holds: Callable[[State], bool]) -> Fraction:
        return sum((chance for state, chance in self.states.items() if holds(state)), Fraction(0))


def solve(combat: Combat) -> Outcome:
    """Both fires of a combat, exactly: every unit throws once, each result is applied at once (14.3 to 14.5)."""
    return _Solver(combat).outcome()


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
        self.shots: dict[tuple[int, int, bool, Support, bool], Answer] = {}

    def outcome(self) -> Outcome:
        combat = self.combat
        start = State(tuple(tuple(Body() for _ in side) for side in combat.sides), combat.support)  # type: ignore[arg-type]
        volleys = [
            ((ATTACKER, DEFENDER)[side], unit.name, self._shot(side, place, start))
            for side in (0, 1)
            for place, unit in enumerate(combat.sides[side])
        ]
        refused = dict.fromkeys(f"{name}: {failure}" for _, name, answer in volleys for failure in answer.failures)
        if refused:
            raise BadQuestion("; ".join(refused))
        first = first_fire(self.game, self.terrain)
        states = {start: Fraction(1)}
        for side in (0, 1) if first == ATTACKER else (1, 0):
            for place in range(len(combat.sides[side])):
                states = self._throw(states, side, place)
        return Outcome(combat, first, tuple(volleys), self._assaults(states))

    def _throw(self, states: Mapping[State, Fraction], side: int, place: int) -> dict[State, Fraction]:
        """One unit fires, if it is still there and has an enemy left (15.4)."""
        after: dict[State, Fraction] = {}
        for state, chance in states.items():
            fires = place in standing(self.combat.sides[side], state.bodies[side])
            if not fires or not standing(self.combat.sides[1 - side], state.bodies[1 - side]):
                after[state] = after.get(state, Fraction(0)) + chance
                continue
            for code, share in self._shot(side, place, state).chances.items():
                hit = self._suffer(state, 1 - side, code)
                after[hit] = after.get(hit, Fraction(0)) + chance * share
        return after

    def _shot(self, side: int, place: int, state: State) -> Answer:
        fighters, bodies = self.combat.sides[side], state.bodies[side]
        own = fighters[place]
        mates = [i for i in standing(fighters, bodies) if fighters[i].stack == own.stack]
        engineer = any(fighters[i].fields["bridges"] is True for i in mates)
        support = state.support[side]
        key = (side, place, bool(bodies[place].lost), support, engineer)
        if key not in self.shots:
            told: dict[str, Value] = {
                **self.combat.inputs,
                "role": DEFENDER if side else ATTACKER,
                "cas": Fraction(0 if side else support.cas),
                "special_forces": support.special_forces,
                "guerrilla": Fraction(support.guerrilla or 0),
                "engineer": engineer and not side,
            }
            if side:
                told |= {"special_command": False, "concentric": False}
            self.shots[key] = odds(self.game, "ground_fire", {"firer": [own.shape(bodies[place])]}, told)
        return self.shots[key]

    def _suffer(self, state: State, side: int, code: str) -> State:
        """A result on one unit of a side, chosen by its owner (15.1, 15.2)."""
        effects = self.table.results[code].effects
        support = list(state.support)
        bodies = list(state.bodies)
        if "support" in effects:
            support[side] = support[side].hit()
        if "units" in effects:
            steps = effects.get("steps", "0")
            place = self._chosen(state, side, steps)
            bodies[side] = self._worn(side, bodies[side], place, steps, "retreat" in effects)
        pursuit = state.pursuit or (side == 1 and "pursuit" in effects)
        return State((bodies[0], bodies[1]), (support[0], support[1]), pursuit)

    def _chosen(self, state: State, side: int, steps: str) -> int:
        fighters, bodies = self.combat.sides[side], state.bodies[side]
        left = standing(fighters, bodies)
        policy = self.combat.policies[side]

        def strength(place: int) -> Fraction:
            combat = fighters[place].shape(bodies[place])["combat"]
            assert isinstance(combat, Fraction | int)
            return Fraction(combat)

        if policy == "listed":
            return left[0]
        if policy == "strongest":
            return max(left, key=lambda place: (strength(place), -place))
        if policy == "spread" and steps == "1":
            left = [place for place in left if bodies[place].lost + 1 < fighters[place].steps] or left
        return min(left, key=lambda place: (strength(place), place))

    def _worn(self, side: int, bodies: tuple[Body, ...], place: int, steps: str, retreats: bool) -> tuple[Body, ...]:
        unit, body = self.combat.sides[side][place], bodies[place]
        lost = unit.steps if steps == "all" else body.lost + int(steps)
        away = False
        if retreats and lost < unit.steps and not self._stays(side, unit):
            if unit.fields["class"] == "static" or unit.fields.get("direct_assault") is True:
                lost = unit.steps  # 16.1, 29.5: who can't go is eliminated
            else:
                away = True
        return (*bodies[:place], Body(min(lost, unit.steps), away), *bodies[place + 1 :])

    def _stays(self, side: int, unit: Fighter) -> bool:
        """Egyptians in cities and fortifications of Egypt ignore retreats (16.5)."""
        return side == 1 and self.terrain in SHELTERS and contingent(str(unit.fields["nation"])) == "egypt"

    def _assaults(self, states: Mapping[State, Fraction]) -> dict[State, Fraction]:
        """Who landed on the enemy and has not cleared the hex is lost (29.5)."""
        result: dict[State, Fraction] = {}
        for state, chance in states.items():
            bodies = state.bodies[0]
            if standing(self.combat.defenders, state.bodies[1]):
                bodies = tuple(
                    Body(unit.steps, False) if unit.fields.get("direct_assault") is True else body
                    for unit, body in zip(self.combat.attackers, bodies, strict=True)
                )
            after = replace(state, bodies=(bodies, state.bodies[1]))
            result[after] = result.get(after, Fraction(0)) + chance
        return result

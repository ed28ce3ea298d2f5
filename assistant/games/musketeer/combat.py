"""A ground combat of Operation Musketeer: both fires, unit by unit, exactly (14.0, 15.0)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from assistant.attacks import Answer, BadQuestion, Value, odds
from assistant.games.musketeer.contingents import contingent
from assistant.games.musketeer.fighters import Bodies, Body, State, Support, first_fire, standing
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


def sheltered(unit: Unit, terrain: str) -> bool:
    """Whether a unit that stands there ignores retreats: Egyptians in cities and fortifications of Egypt (16.5)."""
    return terrain in SHELTERS and contingent(unit.nation) == "egypt"


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
        self.faces = len(dice(self.table.dice))
        self.shots: dict[tuple[object, ...], Answer] = {}
        self.volleys: dict[tuple[int, int, Bodies, Support], tuple[tuple[str, int], ...]] = {}
        self.hits: dict[tuple[int, Bodies, Support, str], tuple[Bodies, Support]] = {}
        self.gone: dict[tuple[int, Bodies], bool] = {}

    def outcome(self) -> Outcome:
        combat = self.combat
        start = State(tuple(tuple(Body() for _ in side) for side in combat.sides), combat.support)  # type: ignore[arg-type]
        volleys = [
            ((ATTACKER, DEFENDER)[side], unit.name, self._shot(side, place, start))
            for side in (0, 1)
            for place, unit in enumerate(combat.sides[side])
        ]
        refused = dict.fromkeys(failure for _, _, answer in volleys for failure in answer.failures)
        if refused:
            raise BadQuestion("; ".join(refused))
        first = first_fire(self.game, self.terrain)
        states, throws = {start: 1}, 1
        for side in (0, 1) if first == ATTACKER else (1, 0):
            for place in range(len(combat.sides[side])):
                states = self._throw(states, side, place)
                throws *= self.faces
        return Outcome(combat, first, tuple(volleys), self._assaults(states), throws)

    def _throw(self, states: Mapping[State, int], side: int, place: int) -> dict[State, int]:
        """One unit fires, if it is still there and has an enemy left (15.4). In how many ways it goes."""
        after: dict[State, int] = {}
        other = 1 - side
        stack = self.combat.sides[side][place].stack
        for state, ways in states.items():
            volley = self._volley(side, place, state)
            if not volley or self._gone(other, state.bodies[other]):
                after[state] = after.get(state, 0) + ways * self.faces
                continue
            for code, share in volley:
                hit = self._suffer(state, other, code, stack) if code else state
                after[hit] = after.get(hit, 0) + ways * share
        return after

    def _gone(self, side: int, bodies: Bodies) -> bool:
        """Whether a side has nobody left whom the enemy can fire at."""
        key = (side, bodies)
        if key not in self.gone:
            self.gone[key] = not self._targets(side, bodies)
        return self.gone[key]

    def _targets(self, side: int, bodies: Bodies) -> list[int]:
        """Whom enemy fire can hit: any defender, but of the attackers only the stack that is fired at (14.4)."""
        fighters = self.combat.sides[side]
        return [place for place in standing(fighters, bodies) if side or fighters[place].stack == self.combat.aim]

    def _volley(self, side: int, place: int, state: State) -> tuple[tuple[str, int], ...]:
        """The codes of a unit's fire, in how many faces of the die, no code where nothing happens; () for no fire."""
        key = (side, place, state.bodies[side], state.support[side])
        if key not in self.volleys:
            results = self.table.results
            fires = place in standing(self.combat.sides[side], state.bodies[side])
            self.volleys[key] = () if not fires else tuple(
                (code if results[code].effects else "", int(chance * self.faces))
                for code, chance in self._shot(side, place, state).chances.items()
            )  # fmt: skip
        return self.volleys[key]

    def _key(self, side: int, place: int, state: State) -> tuple[object, ...]:
        """What a fire hangs on. An engineer helps its own stack as long as it stands (24.2)."""
        fighters, bodies = self.combat.sides[side], state.bodies[side]
        own = fighters[place]
        engineer = not side and any(
            fighters[i].fields["bridges"] is True and fighters[i].stack == own.stack for i in standing(fighters, bodies)
        )
        return side, own.alike[bool(bodies[place].lost)], state.support[side], engineer

    def _shot(self, side: int, place: int, state: State) -> Answer:
        key = self._key(side, place, state)
        if key not in self.shots:
            support, own = state.support[side], self.combat.sides[side][place]
            told: dict[str, Value] = {
                **self.combat.inputs,
                "role": DEFENDER if side else ATTACKER,
                "cas": 0 if side else support.cas,
                "special_forces": support.special_forces,
                "guerrilla": support.guerrilla or 0,
                "engineer": key[-1] is True,
            }
            if side:
                told |= {"special_command": False, "concentric": False}
            firer = [own.shape(state.bodies[side][place])]
            self.shots[key] = shifted(self.table, odds(self.game, "ground_fire", {"firer": firer}, told), self.combat.shifts[side])
        return self.shots[key]

    def _suffer(self, state: State, side: int, code: str, stack: int) -> State:
        """A result on one unit of a side, chosen by its owner (15.1, 15.2)."""
        key = (side, state.bodies[side], state.support[side], code)
        if key not in self.hits:
            self.hits[key] = self._hit(state, side, code)
        bodies, support = self.hits[key]
        if not side:
            return State((bodies, state.bodies[1]), (support, state.support[1]), state.pursuit, state.by)
        pursuit = state.pursuit or "pursuit" in self.table.results[code].effects
        by = stack if self._gone(1, bodies) else -1
        return State((state.bodies[0], bodies), (state.support[0], support), pursuit, by)

    def _hit(self, state: State, side: int, code: str) -> tuple[Bodies, Support]:
        effects = self.table.results[code].effects
        bodies, support = state.bodies[side], state.support[side]
        if "units" in effects:
            steps = effects.get("steps", "0")
            place = self._chosen(state, side, steps)
            bodies = self._worn(side, bodies, place, steps, "retreat" in effects)
        return bodies, support.hit(self.combat.spares_air) if "support" in effects else support

    def _chosen(self, state: State, side: int, steps: str) -> int:
        fighters, bodies = self.combat.sides[side], state.bodies[side]
        left = self._targets(side, bodies)
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

    def _assaults(self, states: Mapping[State, int]) -> Mapping[State, int]:
        """Who landed on the enemy and has not cleared the hex is lost (29.5)."""
        if not any(unit.fields.get("direct_assault") is True for unit in self.combat.attackers):
            return states
        result: dict[State, int] = {}
        for state, ways in states.items():
            bodies = state.bodies[0]
            if standing(self.combat.defenders, state.bodies[1]):
                bodies = tuple(
                    Body(unit.steps, False) if unit.fields.get("direct_assault") is True else body
                    for unit, body in zip(self.combat.attackers, bodies, strict=True)
                )
            after = state._replace(bodies=(bodies, state.bodies[1]))
            result[after] = result.get(after, 0) + ways
        return result

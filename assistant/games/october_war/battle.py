"""A whole battle of October War, solved exactly: who holds the point, and what it costs each side (15.0, 16.0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from assistant.attacks import BadQuestion
from assistant.games.october_war.fire import OWN_INPUTS, Battle, Guns, other
from assistant.games.october_war.forces import Counts, Force, army
from assistant.games.october_war.losses import can_leave, leave, suffer
from assistant.games.october_war.result import ATTACKER, DEFENDER, Ending, Result
from assistant.shared.chains import counting, gather


class _Round(NamedTuple):
    """Between two fires: who fires next, and whether the fire before it in the round had a result."""

    second: bool
    scored: bool
    attacker: Counts
    defender: Counts


class _Opening(NamedTuple):
    """Before the ground fire: which blow falls next."""

    stage: int
    attacker: Counts
    defender: Counts


class _End(NamedTuple):
    """The end of a battle; why is left open where the other side is not there any more."""

    holder: str
    why: str
    attacker: Counts
    defender: Counts


_State = _Opening | _Round | _End
WIDE = 1_000
"""Both sides' retreated points are counted in one number: the attacker's times this, and the defender's."""


def first_fire(ew_attacker: bool = False, ew_defender: bool = False, surprise: bool = False) -> str:
    """Who fires first (15.2, 26.2): the defender, unless the attacker's EW goes unanswered or it is 6.3 (1)."""
    return ATTACKER if surprise or (ew_attacker and not ew_defender) else DEFENDER


def solve(battle: Battle) -> Result:
    """The chance of every end of a battle."""
    if not battle.attackers or not battle.defenders:
        raise BadQuestion("a battle needs units on both sides")
    for key in battle.inputs:
        if key in OWN_INPUTS:
            raise BadQuestion(f"{key!r} is worked out for each shot of a battle; leave it out")
    sides = [str(units[0]["side"]) for units in (battle.attackers, battle.defenders)]
    if sides[0] == sides[1]:
        raise BadQuestion(f"both forces are of the {sides[0]} side")
    return _Solver(battle, sides).result()


class _Solver:
    def __init__(self, battle: Battle, sides: Sequence[str]) -> None:
        self.battle = battle
        self.armies = {
            name: army(battle.game, units, policy, side, battle.elsewhere)
            for name, units, policy, side in zip(
                (ATTACKER, DEFENDER), (battle.attackers, battle.defenders), battle.policies, sides, strict=True
            )
        }
        self.guns = Guns(battle, self.armies)
        self.table = self.guns.table
        self.hits: dict[tuple[str, Force, str, bool], Force] = {}
        self.fires: dict[tuple[str, Counts, Counts], Mapping[tuple[Force, bool], int]] = {}
        self.steps: dict[_State, Mapping[tuple[_State, int], int]] = {}

    def result(self) -> Result:
        attacker, defender = self.armies[ATTACKER], self.armies[DEFENDER]
        volleys = [volley for side in (ATTACKER, DEFENDER) for volley in self.guns.volleys(side)]
        refused = [failure for volley in volleys for failure in volley.answer.failures]
        if refused:
            raise BadQuestion("; ".join(dict.fromkeys(refused)))
        for side, held in self.armies.items():
            if self.guns.within(side, held.start.present) != held.start.present:
                self.guns.notes.append(
                    f"the {side} is over the stacking limit: only what is within it fires (12.1, 15.3)"
                )
        start: _State = _Opening(0, attacker.start.present, defender.start.present)
        endings = gather(counting(start, self._step), lambda key: _ending(*key))
        return Result(
            attacker,
            defender,
            self.battle.first,
            tuple(volleys),
            endings,
            tuple(self.guns.notes),
            lambda: self._rounds(start),
        )

    def _rounds(self, start: _State) -> dict[int, Fraction]:
        """The chance of each number of rounds; 0 where the blows before it end the battle."""

        def step(state: _State) -> Mapping[tuple[_State, int], int]:
            begun = int(isinstance(state, _Round) and not state.second)
            onward: dict[tuple[_State, int], int] = {}
            for (there, _), ways in self.steps[state].items():
                onward[there, begun] = onward.get((there, begun), 0) + ways
            return onward

        found: dict[int, Fraction] = {}
        for (_, count), chance in counting(start, step).items():
            found[count] = found.get(count, Fraction(0)) + chance
        return dict(sorted(found.items()))

    def _step(self, state: _State) -> Mapping[tuple[_State, int], int]:
        self.steps[state] = self._opened(state) if isinstance(state, _Opening) else self._fired(state)
        return self.steps[state]

    def _opened(self, state: _Opening) -> Mapping[tuple[_State, int], int]:
        """An air attack or a barrage, which nobody answers (6.2 (2f), 19.9, 24.1)."""
        if state.stage == len(self.battle.blows):
            return {(_Round(False, False, state.attacker, state.defender), 0): 1}
        blow = self.battle.blows[state.stage]
        common = lcm(*(chance.denominator for chance in blow.codes.values()))
        result: dict[tuple[_State, int], int] = {}
        for code, chance in blow.codes.items():
            hit = Force(state.defender)
            if self.table.results[code].effects:
                hit = self._hit(DEFENDER, hit, code, blow.feared)
            after: _State = _Opening(state.stage + 1, state.attacker, hit.present)
            if not any(hit.present):
                after = _End(ATTACKER, "", state.attacker, hit.present)
            key = (after, hit.away)
            result[key] = result.get(key, 0) + int(chance * common)
        return result

    def _fired(self, state: _State) -> Mapping[tuple[_State, int], int]:
        """One side's fire (15.2 (3), (4)), what it ends, and the retreats that may follow it (16.3)."""
        if not isinstance(state, _Round):
            return {}
        first = self.battle.first
        shooter = other(first) if state.second else first
        at_defender = shooter == ATTACKER
        own, target = (state.attacker, state.defender) if at_defender else (state.defender, state.attacker)
        result: dict[tuple[_State, int], int] = {}
        for (hit, scored), ways in self._fire(shooter, own, target).items():
            attacker, defender = (own, hit.present) if at_defender else (hit.present, own)
            after, gone = self._after(state, shooter, attacker, defender, scored)
            key = (after, gone + hit.away * (1 if at_defender else WIDE))
            result[key] = result.get(key, 0) + ways
        return result

    def _after(
        self, state: _Round, shooter: str, attacker: Counts, defender: Counts, scored: bool
    ) -> tuple[_Round | _End, int]:
        """What follows a fire, and who retreats of his own will."""
        if not any(defender if shooter == ATTACKER else attacker):
            return _End(shooter, "", attacker, defender), 0
        if not state.second:
            left = self._left(DEFENDER, attacker, defender) if shooter == ATTACKER else None
            return left or (_Round(True, scored, attacker, defender), 0)
        if not (scored or state.scored):
            return _End(DEFENDER, "no result", attacker, defender), 0
        left = self._left(ATTACKER, attacker, defender) or self._left(DEFENDER, attacker, defender)
        return left or (_Round(False, False, attacker, defender), 0)

    def _left(self, side: str, attacker: Counts, defender: Counts) -> tuple[_End, int] | None:
        """The end if a side's policy makes it leave now (16.3), with what goes; else None."""
        army = self.armies[side]
        share = army.policy.leave
        if not share:
            return None
        own, theirs = (attacker, defender) if side == ATTACKER else (defender, attacker)
        stays = army.strength(Force(own)) >= share * self.armies[other(side)].strength(Force(theirs))
        if stays or not can_leave(army, Force(own)):
            return None
        gone = leave(army, Force(own))
        if side == ATTACKER:
            return _End(DEFENDER, "retreated", gone.present, defender), gone.away * WIDE
        return _End(ATTACKER, "retreated", attacker, gone.present), gone.away

    def _fire(self, side: str, shooters: Counts, target: Counts) -> Mapping[tuple[Force, bool], int]:
        """All of a side fire, one by one; each result is applied at once (15.3, 15.4). In how many ways it goes."""
        key = (side, shooters, target)
        if key in self.fires:
            return self.fires[key]
        allowed = self.guns.within(side, shooters)
        states: dict[tuple[Force, bool], int] = {(Force(target), False): 1}
        for i in self.guns.kinds[side]:
            for _ in range(allowed[i]):
                after: dict[tuple[Force, bool], int] = {}
                for (force, scored), ways in states.items():
                    if not any(force.present):
                        after[force, scored] = after.get((force, scored), 0) + ways * self.guns.faces
                        continue
                    for code, share in self.guns.ways(side, i, shooters, force.present):
                        hit = (self._hit(other(side), force, code), True) if code else (force, scored)
                        after[hit] = after.get(hit, 0) + ways * share
                states = after
        self.fires[key] = states
        return states

    def _hit(self, side: str, force: Force, code: str, feared: bool = False) -> Force:
        key = (side, force, code, feared)
        if key not in self.hits:
            self.hits[key] = suffer(self.armies[side], force, self.table.results[code].effects, feared)
        return self.hits[key]


def _ending(end: _State, away: int) -> Ending:
    assert isinstance(end, _End)
    attacker, defender = Force(end.attacker, away // WIDE), Force(end.defender, away % WIDE)
    loser = defender if end.holder == ATTACKER else attacker
    return Ending(end.holder, end.why or ("retreated" if loser.away else "eliminated"), attacker, defender)

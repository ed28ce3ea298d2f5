"""A whole battle of October War, solved exactly: who holds the point, and what it costs each side (15.0, 16.0)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from assistant.attacks import BadQuestion
from assistant.games.october_war.fire import Battle, Guns, armies, firing_nation, other
from assistant.games.october_war.forces import Force
from assistant.games.october_war.losses import can_leave, leave
from assistant.games.october_war.result import ATTACKER, DEFENDER, Ending, Result, Weight
from assistant.shared.chains import counting, gather, visits


class _Round(NamedTuple):
    """Between two fires: who fires next, and whether the fire before it in the round had a result."""

    second: bool
    scored: bool
    attacker: Force
    defender: Force


class _Opening(NamedTuple):
    """Before the ground fire: which blow falls next."""

    stage: int
    attacker: Force
    defender: Force


class _End(NamedTuple):
    """The end of a battle; why is left open where the other side is not there any more."""

    holder: str
    why: str
    attacker: Force
    defender: Force


_State = _Opening | _Round | _End
_Steps = Mapping[tuple[_State, int], int]
"""In how many ways it goes on to each state, with the points that retreat on the way."""
WIDE = 1_000
"""Both sides' retreated points are counted in one number: the attacker's times this, and the defender's."""


def first_fire(ew_attacker: bool = False, ew_defender: bool = False, surprise: bool = False) -> str:
    """Who fires first (15.2, 26.2): the defender, unless the attacker's EW goes unanswered or it is 6.3 (1)."""
    return ATTACKER if surprise or (ew_attacker and not ew_defender) else DEFENDER


def solve(battle: Battle) -> Result:
    """The chance of every end of a battle."""
    return Solver(battle).result()


class Solver:
    """A battle and what is known of its fires, which battles much like it share."""

    def __init__(self, battle: Battle, kin: Solver | None = None) -> None:
        self.battle = battle
        self.armies = armies(battle)
        if kin is not None and not all(kin.armies[side].knows(army) for side, army in self.armies.items()):
            kin = None
        if kin is not None:
            self.armies = {side: kin.armies[side].like(army) for side, army in self.armies.items()}
        self.nation = firing_nation(battle.attackers, battle.contingent)
        self.guns = {side: self._guns(side, kin) for side in self.armies}
        self.steps: dict[_State, _Steps] = {}

    def _guns(self, side: str, kin: Solver | None) -> Guns:
        """One side's fire: that of the kindred battle, if nothing changes it."""
        nation = self.nation if side == ATTACKER else ""
        made = Guns(self.battle, side, self.armies[side], self.armies[other(side)], nation)
        known = kin.guns[side] if kin is not None else made
        same = made.settings == known.settings
        return known if same else made

    @property
    def start(self) -> _State:
        return _Opening(0, self.armies[ATTACKER].start, self.armies[DEFENDER].start)

    def result(self) -> Result:
        """The battle with all its ends."""
        volleys = [
            volley
            for side in (ATTACKER, DEFENDER)
            for volley in self.guns[side].volleys(self.armies[side].start.present, self.armies[other(side)].start.present)
        ]
        refused = [failure for volley in volleys for failure in volley.answer.failures]
        if refused:
            raise BadQuestion("; ".join(dict.fromkeys(refused)))
        endings = gather(counting(self.start, self._step), lambda key: _ending(*key))
        return Result(
            self.armies[ATTACKER],
            self.armies[DEFENDER],
            self.battle.first,
            tuple(volleys),
            endings,
            tuple(self._notes()),
            self._rounds,
        )

    def weigh(self) -> Weight:
        """The battle in three numbers, without the spread of its losses: much quicker."""

        def onward(state: _State) -> Mapping[_State, int]:
            result: dict[_State, int] = {}
            for (there, _), ways in self._step(state).items():
                result[there] = result.get(there, 0) + ways
            return result

        holds = Fraction(0)
        left = {side: Fraction(0) for side in self.armies}
        for state, chance in visits(self.start, onward).items():
            steps = self.steps[state]
            away = sum(gone * ways for (_, gone), ways in steps.items())
            if away:
                split = [sum(part(gone) * ways for (_, gone), ways in steps.items()) for part in (_attackers, _defenders)]
                for side, points in zip(left, split, strict=True):
                    left[side] += chance * Fraction(points, sum(steps.values()))
            if isinstance(state, _End):
                holds += chance * (state.holder == ATTACKER)
                for side, force in zip(left, (state.attacker, state.defender), strict=True):
                    left[side] += chance * self.armies[side].points(force)
        lost = [army.points(army.start) - left[side] for side, army in self.armies.items()]
        return Weight(holds, lost[0], lost[1])

    def _notes(self) -> list[str]:
        notes = list(self.battle.notes)
        if len({str(unit["nation"]) for unit in self.battle.attackers}) > 1:
            name = self.battle.game.nations[self.nation].name
            notes.append(f"only the units of {name} fire in the attack (12.3, 22.1)")
        for side, held in self.armies.items():
            if self.guns[side].within(held.start.present) != held.start.present:
                notes.append(f"the {side} is over the stacking limit: only what is within it fires (12.1, 15.3)")
        return notes

    def _rounds(self) -> dict[int, Fraction]:
        """The chance of each number of rounds; 0 where the blows before it end the battle."""

        def step(state: _State) -> _Steps:
            begun = int(isinstance(state, _Round) and not state.second)
            onward: dict[tuple[_State, int], int] = {}
            for (there, _), ways in self.steps[state].items():
                onward[there, begun] = onward.get((there, begun), 0) + ways
            return onward

        found: dict[int, Fraction] = {}
        for (_, count), chance in counting(self.start, step).items():
            found[count] = found.get(count, Fraction(0)) + chance
        return dict(sorted(found.items()))

    def _step(self, state: _State) -> _Steps:
        if state not in self.steps:
            self.steps[state] = self._opened(state) if isinstance(state, _Opening) else self._fired(state)
        return self.steps[state]

    def _opened(self, state: _Opening) -> _Steps:
        """An air attack or a barrage, which nobody answers (6.2 (2f), 19.9, 24.1)."""
        if state.stage == len(self.battle.blows):
            return {(_Round(False, False, state.attacker, state.defender), 0): 1}
        blow, guns = self.battle.blows[state.stage], self.guns[ATTACKER]
        common = lcm(*(chance.denominator for chance in blow.codes.values()))
        result: dict[tuple[_State, int], int] = {}
        for code, chance in blow.codes.items():
            hit = state.defender
            if guns.table.results[code].effects:
                hit = guns.hit(hit, code, blow.feared)
            after: _State = _Opening(state.stage + 1, state.attacker, hit.settled)
            if not any(hit.present):
                after = _End(ATTACKER, "", state.attacker, hit.settled)
            key = (after, hit.away)
            result[key] = result.get(key, 0) + int(chance * common)
        return result

    def _fired(self, state: _State) -> _Steps:
        """One side's fire (15.2 (3), (4)), what it ends, and the retreats that may follow it (16.3)."""
        if not isinstance(state, _Round):
            return {}
        first = self.battle.first
        shooter = other(first) if state.second else first
        at_defender = shooter == ATTACKER
        own, target = (state.attacker, state.defender) if at_defender else (state.defender, state.attacker)
        result: dict[tuple[_State, int], int] = {}
        for (hit, scored), ways in self.guns[shooter].fire(own.present, target).items():
            attacker, defender = (own, hit.settled) if at_defender else (hit.settled, own)
            after, gone = self._after(state, shooter, attacker, defender, scored)
            key = (after, gone + hit.away * (1 if at_defender else WIDE))
            result[key] = result.get(key, 0) + ways
        return result

    def _after(
        self, state: _Round, shooter: str, attacker: Force, defender: Force, scored: bool
    ) -> tuple[_Round | _End, int]:
        """What follows a fire, and who retreats of his own will."""
        if not any(defender.present if shooter == ATTACKER else attacker.present):
            return _End(shooter, "", attacker, defender), 0
        if not state.second:
            left = self._left(DEFENDER, attacker, defender) if shooter == ATTACKER else None
            return left or (_Round(True, scored, attacker, defender), 0)
        if not (scored or state.scored):
            return _End(DEFENDER, "no result", attacker, defender), 0
        left = self._left(ATTACKER, attacker, defender) or self._left(DEFENDER, attacker, defender)
        return left or (_Round(False, False, attacker, defender), 0)

    def _left(self, side: str, attacker: Force, defender: Force) -> tuple[_End, int] | None:
        """The end if a side's policy makes it leave now (16.3), with what goes; else None."""
        army = self.armies[side]
        share = army.policy.leave
        if not share:
            return None
        own, theirs = (attacker, defender) if side == ATTACKER else (defender, attacker)
        stays = army.strength(own) >= share * self.armies[other(side)].strength(theirs)
        if stays or not can_leave(army, own):
            return None
        gone = leave(army, own)
        if side == ATTACKER:
            return _End(DEFENDER, "retreated", gone.settled, defender), gone.away * WIDE
        return _End(ATTACKER, "retreated", attacker, gone.settled), gone.away


def _attackers(gone: int) -> int:
    return gone // WIDE


def _defenders(gone: int) -> int:
    return gone % WIDE


def _ending(end: _State, away: int) -> Ending:
    assert isinstance(end, _End)
    attacker = Force(end.attacker.present, _attackers(away))
    defender = Force(end.defender.present, _defenders(away))
    loser = defender if end.holder == ATTACKER else attacker
    return Ending(end.holder, end.why or ("retreated" if loser.away else "eliminated"), attacker, defender)

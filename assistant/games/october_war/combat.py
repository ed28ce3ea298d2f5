"""A whole battle of October War, solved exactly in whole numbers: who holds the point, and what it costs each side (15.0, 16.0)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from assistant.answers import BadQuestion
from assistant.games.october_war.battle import (
    ATTACKER,
    DEFENDER,
    Battle,
    Result,
    Toll,
    Volley,
    Weight,
    armies,
    firing_nation,
    other,
)
from assistant.games.october_war.forces import Ledger
from assistant.games.october_war.guns import GROUND, Guns

# --- the rounds as a chain of fires (15.2, 15.3, 16.3) ----------------------------------------------------------------


QUIET, FIRST, SCORED = range(3)
"""Before the second fire of a round whose first had no result, before a round, before the second fire of a round whose
first had one. While the forces stay the same each leads only to those before it here."""
WIDE = 1_000
"""Both sides' retreated points are counted in one number: the attacker's times this, and the defender's."""
START = 0
"""The source of the first states."""

State = tuple[int, int, int]
"""What comes next, the attackers and the defenders, by the numbers of their forces."""
Arrivals = list[tuple[int, int, int]]
"""The ways into a state: from which state, with how many points that retreat, in how many ways."""


End = tuple[str, str, int, int]
"""Who holds the point, why, and both forces; why is left open where the other side is not there any more."""


class Opened(NamedTuple):
    """The forces after the blows before a battle, the defender's points that retreated, in how many ways."""

    attacker: int
    defender: int
    away: int
    ways: int


class Rounds:
    """All that can happen from the first fire of a battle to its end."""

    def __init__(self, guns: Mapping[str, Guns], first: str, opened: Iterable[Opened]) -> None:
        self.guns, self.first = guns, first
        self.attackers, self.defenders = guns[ATTACKER].own, guns[DEFENDER].own
        self.faces = guns[first].faces
        self.arrivals: list[Arrivals] = [[]]
        """Of every state, each leading only to later ones."""
        self.dice, self.begins = [0], [0]
        """Of every state: how many dice its fire is, and whether a round begins with it."""
        self.ends: dict[End, Arrivals] = {}
        # Who may leave and ever would: both after a round, the defender before he fires back (16.3).
        self.leaving = [self._leaving((ATTACKER, DEFENDER)), self._leaving([DEFENDER] * (first == ATTACKER))]
        self.opened = 0
        self._levels: dict[int, dict[State, Arrivals]] = {}
        for attacker, defender, away, ways in opened:
            self.opened += ways
            if self.defenders.depths[defender]:
                self._into((FIRST, attacker, defender)).append((START, away, ways))
            else:
                self._end(ATTACKER, "", attacker, defender).append((START, away, ways))
        # A result costs one side something, so states with more left of both come before those with less.
        for level in range(max(self._levels, default=-1), -1, -1):
            for state, arrivals in self._levels.pop(level, {}).items():
                self._fire(state, arrivals)
        if self._levels:
            raise ValueError("a result that changes nothing: the battle would never end")

    def _into(self, state: State) -> Arrivals:
        level = 3 * (self.attackers.depths[state[1]] + self.defenders.depths[state[2]]) + state[0]
        return self._levels.setdefault(level, {}).setdefault(state, [])

    def _end(self, holder: str, why: str, attacker: int, defender: int) -> Arrivals:
        return self.ends.setdefault((holder, why, attacker, defender), [])

    def _fire(self, state: State, arrivals: Arrivals) -> None:
        """One side's fire (15.2 (3), (4)), what it ends, and the retreats that may follow it (16.3)."""
        phase, attacker, defender = state
        shooter = self.first if phase == FIRST else other(self.first)
        at_defender = shooter == ATTACKER
        own, target = (attacker, defender) if at_defender else (defender, attacker)
        dice, outcomes = self.guns[shooter].fire(own, target)
        here = len(self.arrivals)
        self.arrivals.append(arrivals)
        self.dice.append(dice)
        self.begins.append(int(phase == FIRST))
        depths, wide = self.guns[shooter].enemy.depths, 1 if at_defender else WIDE
        leaving = self.leaving[phase == FIRST]
        for hit, scored, away, ways in outcomes:
            attacker, defender = (own, hit) if at_defender else (hit, own)
            gone = 0
            if not depths[hit]:
                into = self._end(shooter, "", attacker, defender)
            elif phase == QUIET and not scored:
                into = self._end(DEFENDER, "no result", attacker, defender)
            elif leaving and (left := self._left(leaving, attacker, defender)) is not None:
                into, gone = left
            else:
                after = FIRST if phase != FIRST else SCORED if scored else QUIET
                into = self._into((after, attacker, defender))
            into.append((here, away * wide + gone, ways))

    def _leaving(self, asked: Iterable[str]) -> list[str]:
        return [side for side in asked if self.guns[side].own.army.policy.leave]

    def _left(self, sides: Iterable[str], attacker: int, defender: int) -> tuple[Arrivals, int] | None:
        """The end if a side's policy makes it leave now (16.3), with the points that go; else None."""
        for side in sides:
            ledger = self.guns[side].own
            mine, theirs = self.attackers.strength(attacker), self.defenders.strength(defender)
            if side == DEFENDER:
                mine, theirs = theirs, mine
            if mine < ledger.army.policy.leave * theirs:
                gone = ledger.gone(attacker if side == ATTACKER else defender)
                if gone is not None and side == ATTACKER:
                    return self._end(DEFENDER, "retreated", gone[0], defender), gone[1] * WIDE
                if gone is not None:
                    return self._end(ATTACKER, "retreated", attacker, gone[0]), gone[1]
        return None


# --- how chances flow through the rounds ------------------------------------------------------------------------------


Held = dict[int, int]
"""In how many ways, by a count that is kept on the way."""


class Spread(NamedTuple):
    """In how many ways each end is reached, by the count; and out of how many."""

    ends: Mapping[End, Held]
    of: int


def by_points(rounds: Rounds) -> Spread:
    """Every end by the points that have retreated."""
    return _flow(rounds, rounds.arrivals, rounds.ends)


def by_rounds(rounds: Rounds) -> dict[int, Fraction]:
    """The chance of each number of rounds; 0 where the blows before them end the battle."""

    def counted(arrivals: Arrivals) -> Arrivals:
        ways: dict[int, int] = {}
        for source, _, more in arrivals:
            ways[source] = ways.get(source, 0) + more
        return [(source, rounds.begins[source], more) for source, more in ways.items()]

    together = [arrival for arrivals in rounds.ends.values() for arrival in arrivals]
    ends, of = _flow(rounds, [counted(arrival) for arrival in rounds.arrivals], {("", "", 0, 0): counted(together)})
    return {count: Fraction(ways, of) for held in ends.values() for count, ways in sorted(held.items())}


def on_average(rounds: Rounds) -> tuple[Mapping[End, tuple[int, int, int]], int]:
    """Every end with the ways that lead to it, and the points of attackers and of defenders that retreat on them, all ways together;
    and out of how many ways. What has to be known for averages, without keeping the points of each way apart."""
    held: list[tuple[int, int, int]] = [(1, 0, 0)]
    thrown, faces = [0], rounds.faces

    def merged(into: Arrivals, most: int) -> tuple[int, int, int]:
        all_ways = attackers = defenders = 0
        for source, gain, ways in into:
            ways *= faces ** (most - thrown[source])
            before, gone_attackers, gone_defenders = held[source]
            all_ways += before * ways
            attackers += gone_attackers * ways
            defenders += gone_defenders * ways
            if gain:
                attackers += before * ways * (gain // WIDE)
                defenders += before * ways * (gain % WIDE)
        return all_ways, attackers, defenders

    for into, dice in zip(rounds.arrivals[1:], rounds.dice[1:], strict=True):
        most = max(thrown[source] for source, _, _ in into)
        held.append(merged(into, most))
        thrown.append(most + dice)
    most = max(thrown)
    return {end: merged(into, most) for end, into in rounds.ends.items()}, rounds.opened * faces**most


def _flow(rounds: Rounds, arrivals: list[Arrivals], ends: Mapping[End, Arrivals]) -> Spread:
    held: list[Held] = [{0: 1}]
    thrown = [0]
    for into, dice in zip(arrivals[1:], rounds.dice[1:], strict=True):
        most = max(thrown[source] for source, _, _ in into)
        held.append(_merged(into, held, thrown, most, rounds.faces))
        thrown.append(most + dice)
    most = max(thrown)
    return Spread(
        {end: _merged(into, held, thrown, most, rounds.faces) for end, into in ends.items()},
        rounds.opened * rounds.faces**most,
    )


def _merged(into: Arrivals, held: list[Held], thrown: list[int], most: int, faces: int) -> Held:
    """What arrives in a state, in ways out of so many dice."""
    result: Held = {}
    get = result.get
    for source, gain, ways in into:
        ways *= faces ** (most - thrown[source])
        for count, n in held[source].items():
            count += gain
            result[count] = get(count, 0) + n * ways
    return result


# --- the battle -------------------------------------------------------------------------------------------------------


def first_fire(ew_attacker: bool = False, ew_defender: bool = False, surprise: bool = False) -> str:
    """Who fires first (15.2, 26.2): the defender, unless the attacker's EW goes unanswered or it is 6.3 (1)."""
    return ATTACKER if surprise or (ew_attacker and not ew_defender) else DEFENDER


def solve(battle: Battle) -> Result:
    """The chance of every end of a battle."""
    return Solver(battle).result()


class Solver:
    """A battle and what is known of its fires."""

    def __init__(self, battle: Battle, like: Solver | None = None) -> None:
        """`like` is another battle: the forces and fires that are the same are taken over with all that is known of them."""
        self.battle, self.armies = battle, armies(battle)
        table = battle.game.tables[battle.game.attacks[GROUND].table]
        self.nation = firing_nation(battle.attackers, battle.contingent)
        self.ledgers = {side: Ledger(army, table) for side, army in self.armies.items()}
        if like is not None:
            self.ledgers |= {side: like.ledgers[side] for side, army in self.armies.items() if army.same(like.armies[side])}
        self.guns = {
            side: Guns(battle, side, self.ledgers[side], self.ledgers[other(side)], self.nation if side == ATTACKER else "")
            for side in self.armies
        }
        if like is not None:
            self.guns |= {side: like.guns[side] for side, guns in self.guns.items() if guns.same(like.guns[side])}

    def weight(self) -> Weight:
        """The battle in three numbers."""
        self._volleys()
        ends, of = on_average(self._fought())
        began = [army.points(army.start) for army in self.armies.values()]
        attackers, defenders = self.ledgers[ATTACKER], self.ledgers[DEFENDER]
        holds = lost = taken = 0
        for (holder, _, attacker, defender), (ways, gone, fled) in ends.items():
            holds += ways * (holder == ATTACKER)
            lost += ways * (began[0] - attackers.points(attacker)) - gone
            taken += ways * (began[1] - defenders.points(defender)) - fled
        return Weight(Fraction(holds, of), Fraction(lost, of), Fraction(taken, of))

    def result(self) -> Result:
        """The battle with all its ends."""
        volleys = self._volleys()
        rounds = self._fought()
        spread = by_points(rounds)
        ends: dict[tuple[str, str], int] = {}
        paid: dict[Toll, int] = {}
        present: dict[str, dict[int, int]] = {side: {} for side in self.armies}
        attackers, defenders = self.ledgers[ATTACKER], self.ledgers[DEFENDER]
        began = [army.points(army.start) for army in self.armies.values()]
        for (holder, why, attacker, defender), held in spread.ends.items():
            lost = began[0] - attackers.points(attacker), began[1] - defenders.points(defender)
            for away, ways in held.items():
                gone = divmod(away, WIDE)
                told = why or ("retreated" if gone[holder == ATTACKER] else "eliminated")
                ends[holder, told] = ends.get((holder, told), 0) + ways
                toll = Toll(holder, lost[0] - gone[0], lost[1] - gone[1])
                paid[toll] = paid.get(toll, 0) + ways
            total = sum(held.values())
            for side, force in ((ATTACKER, attacker), (DEFENDER, defender)):
                present[side][force] = present[side].get(force, 0) + total
        return Result(
            self.armies[ATTACKER], self.armies[DEFENDER], self.battle.first, tuple(volleys), tuple(self._notes()),
            ends, paid, {side: self._standing(side, forces) for side, forces in present.items()}, spread.of,
            by_rounds(rounds),
        )  # fmt: skip

    def _standing(self, side: str, forces: Mapping[int, int]) -> dict[str, int]:
        """How many units of each name are left in all ways together."""
        army, ledger = self.armies[side], self.ledgers[side]
        result: dict[str, int] = {}
        for place, kind in enumerate(army.kinds):
            many = sum(ledger.forces[force].present[place] * ways for force, ways in forces.items())
            if many:
                result[kind.name] = result.get(kind.name, 0) + many
        return result

    def _volleys(self) -> list[Volley]:
        """What all fire on in the first round; BadQuestion where one of them may not."""
        found = [
            volley
            for side in (ATTACKER, DEFENDER)
            for volley in self.guns[side].volleys(self.armies[side].start.present, self.armies[other(side)].start.present)
        ]
        refused = [failure for volley in found for failure in volley.answer.failures]
        if refused:
            raise BadQuestion("; ".join(dict.fromkeys(refused)))
        return found

    def _fought(self) -> Rounds:
        """The rounds of the battle, after the blows before it."""
        return Rounds(self.guns, self.battle.first, self._opened())

    def _opened(self) -> list[Opened]:
        """The forces after air attacks and barrages, which nobody answers (6.2 (2f), 19.9, 24.1)."""
        attacker, start = (self.ledgers[side].number(self.armies[side].start) for side in (ATTACKER, DEFENDER))
        ledger = self.ledgers[DEFENDER]
        forces = {(start, 0): 1}
        for blow in self.battle.blows:
            common = lcm(*(chance.denominator for chance in blow.codes.values()))
            after: dict[tuple[int, int], int] = {}
            for (force, away), ways in forces.items():
                for code, chance in blow.codes.items():
                    hit, gone = force, 0
                    if ledger.depths[force] and ledger.table.results[code].effects:
                        hit, gone = ledger.settled(ledger.hit(force, code, blow.feared))
                    key = (hit, away + gone)
                    after[key] = after.get(key, 0) + ways * int(chance * common)
            forces = after
        return [Opened(attacker, force, away, ways) for (force, away), ways in forces.items() if ways]

    def _notes(self) -> list[str]:
        notes = list(self.battle.notes)
        if len({str(unit["nation"]) for unit in self.battle.attackers}) > 1:
            name = self.battle.game.nations[self.nation].name
            notes.append(f"only the units of {name} fire in the attack (12.3, 22.1)")
        for side, army in self.armies.items():
            if army.firing(army.start.present) != army.start.present:
                notes.append(f"the {side} is over the stacking limit: only what is within it fires (12.1, 15.3)")
        return notes

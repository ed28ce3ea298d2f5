"""A whole battle of October War, solved exactly in whole numbers: who holds the point, and what it costs each side (15.0, 16.0)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple, TypeVar

from assistant.games.october_war.combat import Battle, Guns, Ledger, Volley, firing_nation
from assistant.games.october_war.forces import ATTACKER, DEFENDER, GROUND, ROLES, Army
from assistant.questions.answer import BadQuestion

Value = TypeVar("Value")
Key = TypeVar("Key", bound=Hashable)

# --- what it comes to -------------------------------------------------------------------------------------------------


class Toll(NamedTuple):
    """Who holds the point, and the casualty points of both sides."""

    holder: str
    attacker: int
    defender: int


class Weight(NamedTuple):
    """The chance that the attacker holds the point, and the casualty points of both sides on average."""

    holds: Fraction
    attacker: Fraction
    defender: Fraction


@dataclass(frozen=True)
class Result:
    """A battle, solved. Every mapping of chances adds up to 1."""

    armies: Mapping[str, Army]
    volleys: tuple[Volley, ...]
    notes: tuple[str, ...]
    ends: Mapping[tuple[str, str], Fraction]
    """The chance of each holder of the point, and what became of the other side: `eliminated`, `retreated` or `no result`."""
    paid: Mapping[Toll, int]
    """In how many ways each toll is paid,"""
    of: int
    """out of so many."""
    left: Mapping[str, Mapping[str, Fraction]]
    """Of each side, how many units of each name are in the point afterwards, on average."""
    rounds: Mapping[int, Fraction]
    """The chance of each number of rounds; 0 where the blows before them end the battle."""

    def holds(self) -> dict[str, Fraction]:
        """The chance that each side holds the point."""
        return dict.fromkeys(ROLES, Fraction(0)) | self.gathered(lambda toll: toll.holder)

    def gathered(self, key: Callable[[Toll], Key]) -> dict[Key, Fraction]:
        """The chances of what tolls have in common."""
        found: dict[Key, int] = {}
        for toll, ways in self.paid.items():
            name = key(toll)
            found[name] = found.get(name, 0) + ways
        return {name: Fraction(ways, self.of) for name, ways in found.items()}

    def casualties(self, role: str) -> dict[int, Fraction]:
        """The chance of each number of casualty points of a side."""
        return dict(sorted(self.gathered(lambda toll: int(getattr(toll, role))).items()))

    def weight(self) -> Weight:
        """The battle in three numbers."""
        lost = [sum(ways * getattr(toll, role) for toll, ways in self.paid.items()) for role in ROLES]
        return Weight(self.holds()[ATTACKER], Fraction(lost[0], self.of), Fraction(lost[1], self.of))


# --- the rounds as a chain of fires (15.2, 15.3, 16.3) ----------------------------------------------------------------


QUIET, FIRST, SCORED = range(3)
"""Before the second fire of a round whose first had no result, before a round, before the second fire of a round whose
first had one. While the forces stay the same each leads only to those before it here."""
WIDE = 1_000
"""Both sides' retreated points are counted in one number: the attacker's times this, and the defender's."""
State = tuple[int, int, int]
"""What comes next, the attackers and the defenders, by the numbers of their forces."""
Arrivals = list[tuple[int, int, int]]
"""The ways into a state: from which state (0: from the start), with how many points that retreat, in how many ways."""
End = tuple[str, str, int, int]
"""Who holds the point, why, and both forces; why is left open where the other side is not there any more."""
Opened = tuple[int, int, int]
"""The defenders after the blows before a battle, their points that retreated, in how many ways."""


class Rounds:
    """All that can happen from the first fire of a battle to its end."""

    def __init__(self, guns: Mapping[str, Guns], first: str, attacker: int, opened: Iterable[Opened]) -> None:
        self.guns, self.first = guns, first
        self.attackers, self.defenders = guns[ATTACKER].own, guns[DEFENDER].own
        self.faces = guns[first].faces
        self.arrivals: list[Arrivals] = [[]]
        """Of every state, each leading only to later ones."""
        self.dice, self.begins = [0], [0]
        """Of every state: how many dice its fire is, and whether a round begins with it."""
        self.ends: dict[End, Arrivals] = {}
        # Who may leave and ever would: both after a round, the defender before he fires back (16.3).
        self.leaving = [
            [role for role in asked if guns[role].own.army.policy.leave]
            for asked in (ROLES, ROLES[1:] if first == ATTACKER else ())
        ]
        self.opened = 0
        self._levels: dict[int, dict[State, Arrivals]] = {}
        for defender, away, ways in opened:
            self.opened += ways
            alive = self.defenders.depths[defender]
            into = self._into((FIRST, attacker, defender)) if alive else self._end(ATTACKER, "", attacker, defender)
            into.append((0, away, ways))
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
        shooter = self.first if phase == FIRST else ROLES[self.first == ATTACKER]
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

    def _left(self, roles: Iterable[str], attacker: int, defender: int) -> tuple[Arrivals, int] | None:
        """The end if a side's policy makes it leave now (16.3), with the points that go; else None."""
        strengths = self.attackers.strength(attacker), self.defenders.strength(defender)
        for role in roles:
            place = ROLES.index(role)
            ledger, number = ((self.attackers, attacker), (self.defenders, defender))[place]
            force = ledger.forces[number]
            if strengths[place] < ledger.army.policy.leave * strengths[1 - place] and ledger.army.can_all_leave(force):
                left, gone = ledger.settled(ledger.number(ledger.army.leave(force)))
                if role == ATTACKER:
                    return self._end(DEFENDER, "retreated", left, defender), gone * WIDE
                return self._end(ATTACKER, "retreated", attacker, left), gone
        return None


# --- how chances flow through the rounds ------------------------------------------------------------------------------


Merge = Callable[[Arrivals, list[Value], list[int]], Value]
"""What arrives in a state from others, by what is held there, and by what its ways are to be multiplied."""
Held = dict[int, int]
"""In how many ways, by a count that is kept on the way."""
Sums = tuple[int, int, int]
"""The ways, and the points of attackers and of defenders that retreat on them, all ways together."""


def _flow(
    rounds: Rounds, arrivals: list[Arrivals], ends: Mapping[End, Arrivals], start: Value, merge: Merge[Value]
) -> Mapping[End, Value]:
    """What is held in every end. Ways into a state may have thrown fewer dice than others: they count for all that these could show."""
    held, thrown, faces = [start], [0], rounds.faces
    for into, dice in zip(arrivals[1:], rounds.dice[1:], strict=True):
        most = max([thrown[source] for source, _, _ in into])  # noqa: C419
        held.append(merge(into, held, [faces ** (most - thrown[source]) for source, _, _ in into]))
        thrown.append(most + dice)
    most = max(thrown)
    return {
        end: merge(into, held, [faces ** (most - thrown[source]) for source, _, _ in into])
        for end, into in ends.items()
    }


def _counted(into: Arrivals, held: list[Held], scales: list[int]) -> Held:
    """Every count that is gained on the way, apart."""
    result: Held = {}
    get = result.get
    for (source, gain, ways), scale in zip(into, scales, strict=True):
        ways *= scale
        for count, n in held[source].items():
            count += gain
            result[count] = get(count, 0) + n * ways
    return result


def _summed(into: Arrivals, held: list[Sums], scales: list[int]) -> Sums:
    """What has to be known for averages, without keeping the points of each way apart."""
    all_ways = attackers = defenders = 0
    for (source, gain, ways), scale in zip(into, scales, strict=True):
        ways *= scale
        before, gone_attackers, gone_defenders = held[source]
        all_ways += before * ways
        attackers += gone_attackers * ways
        defenders += gone_defenders * ways
        if gain:
            attackers += before * ways * (gain // WIDE)
            defenders += before * ways * (gain % WIDE)
    return all_ways, attackers, defenders


def _by_rounds(rounds: Rounds) -> dict[int, Fraction]:
    """The chance of each number of rounds; 0 where the blows before them end the battle."""

    def counted(arrivals: Arrivals) -> Arrivals:
        ways: dict[int, int] = {}
        for source, _, more in arrivals:
            ways[source] = ways.get(source, 0) + more
        return [(source, rounds.begins[source], more) for source, more in ways.items()]

    together = {("", "", 0, 0): counted([arrival for arrivals in rounds.ends.values() for arrival in arrivals])}
    (held,) = _flow(rounds, [counted(arrival) for arrival in rounds.arrivals], together, {0: 1}, _counted).values()
    return {count: Fraction(ways, sum(held.values())) for count, ways in sorted(held.items())}


# --- the battle -------------------------------------------------------------------------------------------------------


class Solver:
    """A battle and what is known of its fires."""

    def __init__(self, battle: Battle, like: Solver | None = None) -> None:
        """`like` is another battle: the forces and fires that are the same are taken over with all that is known of them."""
        self.battle, self.armies = battle, battle.armies()
        self.nation = firing_nation(battle.attackers, battle.contingent)
        self.ledgers = {role: Ledger(army) for role, army in self.armies.items()}
        if like is not None:
            self.ledgers |= {
                role: like.ledgers[role] for role, army in self.armies.items() if army.same(like.armies[role])
            }
        attackers, defenders = self.ledgers.values()
        self.guns = {
            ATTACKER: Guns(battle, ATTACKER, attackers, defenders, self.nation),
            DEFENDER: Guns(battle, DEFENDER, defenders, attackers),
        }
        if like is not None:
            self.guns |= {role: like.guns[role] for role, guns in self.guns.items() if guns.same(like.guns[role])}
        self.volleys = [volley for guns in self.guns.values() for volley in guns.volleys()]
        refused = [failure for volley in self.volleys for failure in volley.answer.failures]
        if refused:
            raise BadQuestion("; ".join(dict.fromkeys(refused)))
        self.began = [army.points(army.start) for army in self.armies.values()]
        self.rounds = Rounds(self.guns, battle.first, attackers.number(attackers.army.start), self._opened())

    def weight(self) -> Weight:
        """The battle in three numbers."""
        attackers, defenders = self.ledgers.values()
        total = holds = lost = taken = 0
        ends = _flow(self.rounds, self.rounds.arrivals, self.rounds.ends, (1, 0, 0), _summed)
        for (holder, _, attacker, defender), (ways, gone, fled) in ends.items():
            total += ways
            holds += ways * (holder == ATTACKER)
            lost += ways * (self.began[0] - attackers.points[attacker]) - gone
            taken += ways * (self.began[1] - defenders.points[defender]) - fled
        return Weight(Fraction(holds, total), Fraction(lost, total), Fraction(taken, total))

    def result(self) -> Result:
        """The battle with all its ends."""
        ends: dict[tuple[str, str], int] = {}
        paid: dict[Toll, int] = {}
        left: dict[str, dict[str, int]] = {role: {} for role in ROLES}
        attackers, defenders = self.ledgers.values()
        for (holder, why, *forces), held in _flow(
            self.rounds, self.rounds.arrivals, self.rounds.ends, {0: 1}, _counted
        ).items():
            lost = self.began[0] - attackers.points[forces[0]], self.began[1] - defenders.points[forces[1]]
            for away, ways in held.items():
                gone = divmod(away, WIDE)
                told = why or ("retreated" if gone[holder == ATTACKER] else "eliminated")
                ends[holder, told] = ends.get((holder, told), 0) + ways
                toll = Toll(holder, lost[0] - gone[0], lost[1] - gone[1])
                paid[toll] = paid.get(toll, 0) + ways
            total = sum(held.values())
            for (role, ledger), force in zip(self.ledgers.items(), forces, strict=True):
                for kind, count in zip(ledger.army.kinds, ledger.forces[force].present, strict=True):
                    if count:
                        left[role][kind.name] = left[role].get(kind.name, 0) + count * total
        of = sum(paid.values())
        return Result(
            self.armies,
            tuple(self.volleys),
            tuple(self._notes()),
            {end: Fraction(ways, of) for end, ways in ends.items()},
            paid,
            of,
            {role: {name: Fraction(many, of) for name, many in held.items()} for role, held in left.items()},
            _by_rounds(self.rounds),
        )

    def _opened(self) -> list[Opened]:
        """The defenders after air attacks and barrages, which nobody answers (6.2 (2f), 19.9, 24.1)."""
        ledger, game = self.ledgers[DEFENDER], self.battle.game
        results = game.tables[game.attacks[GROUND].table].results
        forces = {(ledger.number(ledger.army.start), 0): 1}
        for blow in self.battle.blows:
            common = lcm(*(chance.denominator for chance in blow.codes.values()))
            after: dict[tuple[int, int], int] = {}
            for (force, away), ways in forces.items():
                for code, chance in blow.codes.items():
                    hit, gone = force, 0
                    if ledger.depths[force] and results[code].effects:
                        hit, gone = ledger.settled(ledger.hit(force, code, blow.feared))
                    key = (hit, away + gone)
                    after[key] = after.get(key, 0) + ways * int(chance * common)
            forces = after
        return [(force, away, ways) for (force, away), ways in forces.items() if ways]

    def _notes(self) -> Iterable[str]:
        yield from self.battle.notes
        if len({str(unit["nation"]) for unit in self.battle.attackers}) > 1:
            yield f"only the units of {self.battle.game.nations[self.nation].name} fire in the attack (12.3, 22.1)"
        for role, army in self.armies.items():
            if army.firing(army.start.present) != army.start.present:
                yield f"the {role} is over the stacking limit: only what is within it fires (12.1, 15.3)"

"""A whole battle of October War, solved exactly: who holds the point, and what it costs each side (15.0, 16.0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from assistant.attacks import Answer, BadQuestion, Fields, Value, odds
from assistant.games.october_war.forces import Army, Counts, Force, Policy, army, can_leave, leave, suffer
from assistant.games.october_war.result import ATTACKER, DEFENDER, Ending, Result, Volley
from assistant.shared.chains import counting
from scenarios.dice import dice
from scenarios.game import Game

OWN_INPUTS = ("attacking", "headquarters", "engineer", "armor")
"""What the ground attack asks and a battle works out for each shot."""


class _Round(NamedTuple):
    """Between two fires: who fires next, and whether the fire before it in the round had a result."""

    second: bool
    scored: bool
    attacker: Counts
    defender: Counts


class _End(NamedTuple):
    """The end of a battle; why is left open where the other side is not there any more."""

    holder: str
    why: str
    attacker: Counts
    defender: Counts


WIDE = 1_000
"""Both sides' retreated points are counted in one number: the attacker's times this, and the defender's."""


def first_fire(ew_attacker: bool = False, ew_defender: bool = False, surprise: bool = False) -> str:
    """Who fires first (15.2, 26.2): the defender, unless the attacker's EW goes unanswered or it is 6.3 (1)."""
    return ATTACKER if surprise or (ew_attacker and not ew_defender) else DEFENDER


def battle(
    game: Game,
    attackers: Sequence[Fields],
    defenders: Sequence[Fields],
    inputs: Fields | None = None,
    *,
    first: str = DEFENDER,
    headquarters: tuple[int, int] = (0, 0),
    policies: tuple[Policy, Policy] = (Policy(), Policy()),
    contingent: str = "",
) -> Result:
    """Solve a battle. `inputs` are those of the ground attack; `headquarters` are the best next to the point, attacker's
    and defender's; of a mixed Arab attack only the `contingent` fires (12.3, 22.1), the strongest if none is named."""
    if not attackers or not defenders:
        raise BadQuestion("a battle needs units on both sides")
    for key in inputs or {}:
        if key in OWN_INPUTS:
            raise BadQuestion(f"{key!r} is worked out for each shot of a battle; leave it out")
    sides = [str(units[0]["side"]) for units in (attackers, defenders)]
    if sides[0] == sides[1]:
        raise BadQuestion(f"both forces are of the {sides[0]} side")
    armies = [army(game, units, policy, side) for units, policy, side in zip(
        (attackers, defenders), policies, sides, strict=True)]  # fmt: skip
    return _Solver(game, armies[0], armies[1], inputs or {}, first, headquarters, contingent).result()


class _Solver:
    def __init__(
        self,
        game: Game,
        attacker: Army,
        defender: Army,
        inputs: Fields,
        first: str,
        headquarters: tuple[int, int],
        contingent: str,
    ) -> None:
        self.game, self.inputs, self.first = game, inputs, first
        self.armies = {ATTACKER: attacker, DEFENDER: defender}
        self.near = {ATTACKER: headquarters[0], DEFENDER: headquarters[1]}
        self.table = game.tables[game.attacks["ground"].table]
        self.notes: list[str] = []
        self.firing = {ATTACKER: self._firing(contingent), DEFENDER: tuple(range(len(defender.kinds)))}
        self.shots: dict[tuple[str, int, int, bool, frozenset[int]], Answer] = {}
        self.shares: dict[tuple[str, int, Counts, Counts], Sequence[tuple[str, int]]] = {}
        self.hits: dict[tuple[str, Force, str], Force] = {}
        self.fires: dict[tuple[str, Counts, Counts], Mapping[tuple[Force, bool], int]] = {}

    def _firing(self, contingent: str) -> tuple[int, ...]:
        """The kinds that may fire in the attack: of one Arab army only (12.3, 22.1)."""
        army = self.armies[ATTACKER]
        nations: dict[str, Fraction] = {}
        for kind, count in zip(army.kinds, army.start.present, strict=True):
            if count:
                nations[kind.nation] = nations.get(kind.nation, Fraction(0)) + kind.strength * count
        if contingent and contingent not in nations:
            raise BadQuestion(f"no attacker is of {contingent!r}; there are {', '.join(nations)}")
        chosen = contingent or max(nations, key=lambda nation: nations[nation])
        if len(nations) > 1:
            self.notes.append(f"only the units of {self.game.nations[chosen].name} fire in the attack (12.3, 22.1)")
        return tuple(i for i, kind in enumerate(army.kinds) if kind.nation == chosen)

    def result(self) -> Result:
        attacker, defender = self.armies[ATTACKER], self.armies[DEFENDER]
        volleys = [volley for side in (ATTACKER, DEFENDER) for volley in self._volleys(side)]
        refused = [f"{v.name}: {failure}" for v in volleys for failure in v.answer.failures]
        if refused:
            raise BadQuestion("; ".join(dict.fromkeys(refused)))
        start: _Round | _End = _Round(False, False, attacker.start.present, defender.start.present)
        ends = counting(start, self._step)
        endings = {_ending(end, away): chance for (end, away), chance in ends.items() if isinstance(end, _End)}
        return Result(attacker, defender, self.first, tuple(volleys), endings, tuple(self.notes))

    def _volleys(self, side: str) -> list[Volley]:
        army, enemy = self.armies[side], self.armies[_other(side)]
        return [
            Volley(side, army.kinds[i].name, self._shot(side, i, army.start.present, enemy.start.present))
            for i in self.firing[side]
            for _ in range(army.start.present[i])
        ]

    def _step(self, state: _Round | _End) -> Mapping[tuple[_Round | _End, int], int]:
        """One side's fire (15.2 (3), (4)), what it ends, and the retreats that may follow it (16.3)."""
        if isinstance(state, _End):
            return {}
        shooter = _other(self.first) if state.second else self.first
        at_defender = shooter == ATTACKER
        own, target = (state.attacker, state.defender) if at_defender else (state.defender, state.attacker)
        result: dict[tuple[_Round | _End, int], int] = {}
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
        own, other = (attacker, defender) if side == ATTACKER else (defender, attacker)
        stays = army.strength(Force(own)) >= share * self.armies[_other(side)].strength(Force(other))
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
        faces = len(dice(self.table.dice))
        states: dict[tuple[Force, bool], int] = {(Force(target), False): 1}
        for i in self.firing[side]:
            for _ in range(shooters[i]):
                after: dict[tuple[Force, bool], int] = {}
                for (force, scored), ways in states.items():
                    if not any(force.present):
                        after[force, scored] = after.get((force, scored), 0) + ways * faces
                        continue
                    for code, share in self._ways(side, i, shooters, force.present):
                        hit = (self._hit(_other(side), force, code), True) if code else (force, scored)
                        after[hit] = after.get(hit, 0) + ways * share
                states = after
        self.fires[key] = states
        return states

    def _hit(self, side: str, force: Force, code: str) -> Force:
        key = (side, force, code)
        if key not in self.hits:
            self.hits[key] = suffer(self.armies[side], force, self.table.results[code].effects)
        return self.hits[key]

    def _ways(self, side: str, i: int, own: Counts, target: Counts) -> Sequence[tuple[str, int]]:
        """The codes of one unit's fire, in how many faces of the die; no code where nothing happens."""
        key = (side, i, own, target)
        if key not in self.shares:
            faces = len(dice(self.table.dice))
            chances = self._shot(side, i, own, target).chances
            results = self.table.results
            self.shares[key] = tuple(
                (code if results[code].effects else "", int(chance * faces)) for code, chance in chances.items()
            )
        return self.shares[key]

    def _shot(self, side: str, i: int, own: Counts, target: Counts) -> Answer:
        """One unit's fire by the declared attack `ground`, with what is in the battle just now."""
        army, enemy = self.armies[side], self.armies[_other(side)]
        present = [kind for kind, count in zip(army.kinds, own, strict=True) if count]
        mates = [kind for kind in present if kind.nation == army.kinds[i].nation]  # 22.2: no other army's headquarters
        leader = max([self.near[side], *(kind.leader for kind in mates)])
        engineer = any(kind.fields["engineering"] is True for kind in present)
        seen = frozenset(j for j, count in enumerate(target) if count)
        key = (side, i, leader, engineer, seen)
        if key not in self.shots:
            told: dict[str, Value] = {
                **self.inputs,
                "attacking": side == ATTACKER,
                "headquarters": Fraction(leader),
                "engineer": engineer,
            }
            groups = {"firing": [army.kinds[i].fields], "targets": [enemy.kinds[j].fields for j in sorted(seen)]}
            self.shots[key] = odds(self.game, "ground", groups, told)
        return self.shots[key]


def _ending(end: _End, away: int) -> Ending:
    attacker, defender = Force(end.attacker, away // WIDE), Force(end.defender, away % WIDE)
    fled = defender.away if end.holder == ATTACKER else attacker.away
    return Ending(end.holder, end.why or ("retreated" if fled else "eliminated"), attacker, defender)


def _other(side: str) -> str:
    return DEFENDER if side == ATTACKER else ATTACKER

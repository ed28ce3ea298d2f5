"""A battle as it is told, and the fire of its units: who may fire, on which column (15.3 to 15.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from assistant.attacks import Answer, BadQuestion, Fields, Value, odds
from assistant.games.october_war.forces import Army, Counts, Force, army
from assistant.games.october_war.losses import suffer
from assistant.games.october_war.policy import Policy
from assistant.games.october_war.result import ATTACKER, DEFENDER, Volley
from assistant.shared.shifts import shifted
from scenarios.dice import dice
from scenarios.game import Game

OWN_INPUTS = ("attacking", "headquarters", "engineer", "armor")
"""What the ground attack asks and a battle works out for each shot."""


class Blow(NamedTuple):
    """An air attack or a barrage before the ground fire: the chances of its codes on the ground table."""

    name: str
    codes: Mapping[str, Fraction]
    feared: bool = False
    """The attacker chooses what is lost (26.3)."""


@dataclass(frozen=True)
class Battle:
    """Who fights where, and what is told of it. Pairs are the attacker's and the defender's."""

    game: Game
    attackers: Sequence[Fields]
    defenders: Sequence[Fields]
    inputs: Fields = field(default_factory=dict)
    """Those of the ground attack, but what the battle works out itself."""
    first: str = DEFENDER
    near: tuple[Mapping[str, int], Mapping[str, int]] = ({}, {})
    """The best headquarters next to the point, by nation; under no name, one that helps all."""
    policies: tuple[Policy, Policy] = (Policy(), Policy())
    contingent: str = ""
    """Of a mixed Arab attack only one army fires (12.3, 22.1): this one, or else the strongest."""
    blows: tuple[Blow, ...] = ()
    offers: tuple[tuple[str, Blow], ...] = ()
    """Blows that could fall besides, to see what they would change."""
    shifts: tuple[int, int] = (0, 0)
    """Further columns to the right, to see what one more would change."""
    elsewhere: Mapping[str, int] = field(default_factory=dict)
    """Counters elsewhere on the map, which nobody breaks down into (9.4)."""
    notes: tuple[str, ...] = ()
    """What a position tells besides."""


def other(side: str) -> str:
    """The other side of a battle."""
    return DEFENDER if side == ATTACKER else ATTACKER


def armies(battle: Battle) -> dict[str, Army]:
    """Both armies of a battle that makes sense."""
    if not battle.attackers or not battle.defenders:
        raise BadQuestion("a battle needs units on both sides")
    for key in battle.inputs:
        if key in OWN_INPUTS:
            raise BadQuestion(f"{key!r} is worked out for each shot of a battle; leave it out")
    forces = (battle.attackers, battle.defenders)
    sides = [str(units[0]["side"]) for units in forces]
    if sides[0] == sides[1]:
        raise BadQuestion(f"both forces are of the {sides[0]} side")
    return {
        name: army(battle.game, units, policy, side, battle.elsewhere)
        for name, units, policy, side in zip((ATTACKER, DEFENDER), forces, battle.policies, sides, strict=True)
    }


def firing_nation(attackers: Sequence[Fields], wanted: str = "") -> str:
    """The army that fires in an attack (12.3, 22.1): the one that is told, or else the strongest."""
    nations: dict[str, Fraction] = {}
    for unit in attackers:
        name, strength = str(unit["nation"]), Fraction(str(unit["strength"]))
        nations[name] = nations.get(name, Fraction(0)) + strength
    if wanted and wanted not in nations:
        raise BadQuestion(f"no attacker is of {wanted!r}; there are {', '.join(nations)}")
    return wanted or max(nations, key=lambda nation: nations[nation])


class Guns:
    """The fire of one army at the other; every shot and every fire is worked out once."""

    def __init__(self, battle: Battle, side: str, army: Army, enemy: Army, nation: str = "") -> None:
        self.battle, self.side, self.army, self.enemy, self.nation = battle, side, army, enemy, nation
        place = 0 if side == ATTACKER else 1
        self.near, self.more = battle.near[place], battle.shifts[place]
        self.table = battle.game.tables[battle.game.attacks["ground"].table]
        self.faces = len(dice(self.table.dice))
        self.kinds = tuple(i for i, kind in enumerate(army.kinds) if nation in ("", kind.nation))
        self.limits: dict[Counts, Counts] = {}
        self.shots: dict[tuple[int, int, bool, frozenset[int]], Answer] = {}
        self.shares: dict[tuple[int, Counts, Counts], Sequence[tuple[str, int]]] = {}
        self.hits: dict[tuple[Force, str, bool], Force] = {}
        self.fires: dict[tuple[Counts, Force], Mapping[tuple[Force, bool], int]] = {}

    @property
    def settings(self) -> tuple[object, ...]:
        """What decides the fire of the same armies."""
        return self.near, self.more, self.nation, self.battle.inputs

    def within(self, present: Counts) -> Counts:
        """How many of each kind may fire (15.3)."""
        if present not in self.limits:
            self.limits[present] = self.army.firing(present)
        return self.limits[present]

    def volleys(self, own: Counts, target: Counts) -> list[Volley]:
        """What every unit fires on."""
        allowed = self.within(own)
        return [
            Volley(self.side, self.army.kinds[i].name, self._shot(i, own, target))
            for i in self.kinds
            for _ in range(allowed[i])
        ]

    def fire(self, own: Counts, target: Force) -> Mapping[tuple[Force, bool], int]:
        """All fire, one by one; each result is applied at once (15.3, 15.4). In how many ways it goes, and if it scores."""
        key = (own, target)
        if key in self.fires:
            return self.fires[key]
        allowed = self.within(own)
        states: dict[tuple[Force, bool], int] = {(target, False): 1}
        for i in self.kinds:
            for _ in range(allowed[i]):
                after: dict[tuple[Force, bool], int] = {}
                for (force, scored), ways in states.items():
                    if not any(force.present):
                        after[force, scored] = after.get((force, scored), 0) + ways * self.faces
                        continue
                    for code, share in self._ways(i, own, force.present):
                        state = (self.hit(force, code), True) if code else (force, scored)
                        after[state] = after.get(state, 0) + ways * share
                states = after
        self.fires[key] = states
        return states

    def hit(self, force: Force, code: str, feared: bool = False) -> Force:
        """What a result leaves of the enemy."""
        key = (force, code, feared)
        if key not in self.hits:
            self.hits[key] = suffer(self.enemy, force, self.table.results[code].effects, feared)
        return self.hits[key]

    def _ways(self, i: int, own: Counts, target: Counts) -> Sequence[tuple[str, int]]:
        """The codes of one unit's fire, in how many faces of the die; no code where nothing happens."""
        key = (i, own, target)
        if key not in self.shares:
            chances = self._shot(i, own, target).chances
            results = self.table.results
            self.shares[key] = tuple(
                (code if results[code].effects else "", int(chance * self.faces)) for code, chance in chances.items()
            )
        return self.shares[key]

    def _shot(self, i: int, own: Counts, target: Counts) -> Answer:
        """One unit's fire by the declared attack `ground`, with what is in the battle just now."""
        army, near = self.army, self.near
        present = [kind for kind, count in zip(army.kinds, own, strict=True) if count]
        mates = [kind for kind in present if kind.nation == army.kinds[i].nation]  # 22.2: no other army's headquarters
        leader = max([near.get("", 0), near.get(army.kinds[i].nation, 0), *(kind.leader for kind in mates)])
        engineer = any(kind.fields["engineering"] is True for kind in present)
        seen = frozenset(j for j, count in enumerate(target) if count)
        key = (i, leader, engineer, seen)
        if key not in self.shots:
            told: dict[str, Value] = {
                **self.battle.inputs,
                "attacking": self.side == ATTACKER,
                "headquarters": Fraction(leader),
                "engineer": engineer,
            }
            groups = {"firing": [army.kinds[i].fields], "targets": [self.enemy.kinds[j].fields for j in sorted(seen)]}
            self.shots[key] = shifted(self.table, odds(self.battle.game, "ground", groups, told), self.more)
        return self.shots[key]

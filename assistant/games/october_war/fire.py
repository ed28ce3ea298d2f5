"""A battle as it is told, and the fire of its units: who may fire, on which column (15.3 to 15.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from assistant.attacks import Answer, BadQuestion, Fields, Value, odds
from assistant.games.october_war.forces import Army, Counts
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
    shifts: tuple[int, int] = (0, 0)
    """Further columns to the right, to see what one more would change."""
    elsewhere: Mapping[str, int] = field(default_factory=dict)
    """Counters elsewhere on the map, which nobody breaks down into (9.4)."""


def other(side: str) -> str:
    """The other side of a battle."""
    return DEFENDER if side == ATTACKER else ATTACKER


class Guns:
    """The fire of both armies; every shot is worked out once."""

    def __init__(self, battle: Battle, armies: Mapping[str, Army]) -> None:
        self.battle, self.armies = battle, armies
        self.near = dict(zip((ATTACKER, DEFENDER), battle.near, strict=True))
        self.more = dict(zip((ATTACKER, DEFENDER), battle.shifts, strict=True))
        self.table = battle.game.tables[battle.game.attacks["ground"].table]
        self.faces = len(dice(self.table.dice))
        self.notes: list[str] = []
        self.kinds = {ATTACKER: self._firing(), DEFENDER: tuple(range(len(armies[DEFENDER].kinds)))}
        self.limits: dict[tuple[str, Counts], Counts] = {}
        self.shots: dict[tuple[str, int, int, bool, frozenset[int]], Answer] = {}
        self.shares: dict[tuple[str, int, Counts, Counts], Sequence[tuple[str, int]]] = {}

    def _firing(self) -> tuple[int, ...]:
        """The kinds that may fire in the attack: of one Arab army only (12.3, 22.1)."""
        army, wanted = self.armies[ATTACKER], self.battle.contingent
        nations: dict[str, Fraction] = {}
        for kind, count in zip(army.kinds, army.start.present, strict=True):
            if count:
                nations[kind.nation] = nations.get(kind.nation, Fraction(0)) + kind.strength * count
        if wanted and wanted not in nations:
            raise BadQuestion(f"no attacker is of {wanted!r}; there are {', '.join(nations)}")
        chosen = wanted or max(nations, key=lambda nation: nations[nation])
        if len(nations) > 1:
            self.notes.append(
                f"only the units of {self.battle.game.nations[chosen].name} fire in the attack (12.3, 22.1)"
            )
        return tuple(i for i, kind in enumerate(army.kinds) if kind.nation == chosen)

    def within(self, side: str, present: Counts) -> Counts:
        """How many of each kind may fire (15.3)."""
        if (side, present) not in self.limits:
            self.limits[side, present] = self.armies[side].firing(present)
        return self.limits[side, present]

    def volleys(self, side: str) -> list[Volley]:
        """What every unit of a side fires on at the start."""
        army, enemy = self.armies[side], self.armies[other(side)]
        return [
            Volley(side, army.kinds[i].name, self._shot(side, i, army.start.present, enemy.start.present))
            for i in self.kinds[side]
            for _ in range(self.within(side, army.start.present)[i])
        ]

    def ways(self, side: str, i: int, own: Counts, target: Counts) -> Sequence[tuple[str, int]]:
        """The codes of one unit's fire, in how many faces of the die; no code where nothing happens."""
        key = (side, i, own, target)
        if key not in self.shares:
            chances = self._shot(side, i, own, target).chances
            results = self.table.results
            self.shares[key] = tuple(
                (code if results[code].effects else "", int(chance * self.faces)) for code, chance in chances.items()
            )
        return self.shares[key]

    def _shot(self, side: str, i: int, own: Counts, target: Counts) -> Answer:
        """One unit's fire by the declared attack `ground`, with what is in the battle just now."""
        army, enemy, near = self.armies[side], self.armies[other(side)], self.near[side]
        present = [kind for kind, count in zip(army.kinds, own, strict=True) if count]
        mates = [kind for kind in present if kind.nation == army.kinds[i].nation]  # 22.2: no other army's headquarters
        leader = max([near.get("", 0), near.get(army.kinds[i].nation, 0), *(kind.leader for kind in mates)])
        engineer = any(kind.fields["engineering"] is True for kind in present)
        seen = frozenset(j for j, count in enumerate(target) if count)
        key = (side, i, leader, engineer, seen)
        if key not in self.shots:
            told: dict[str, Value] = {
                **self.battle.inputs,
                "attacking": side == ATTACKER,
                "headquarters": Fraction(leader),
                "engineer": engineer,
            }
            groups = {"firing": [army.kinds[i].fields], "targets": [enemy.kinds[j].fields for j in sorted(seen)]}
            self.shots[key] = shifted(self.table, odds(self.battle.game, "ground", groups, told), self.more[side])
        return self.shots[key]

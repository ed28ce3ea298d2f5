"""A battle as it is told, and the fire of its forces, unit by unit (15.3 to 15.7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from assistant.attack import AttackValue, Fields, Odds, chances, odds, shift_answer
from assistant.engine.battle.rounds import NumberedStates, Salvos
from assistant.games.october_war.forces import (
    ATTACKER,
    DEFENDER,
    GROUND,
    ROLES,
    Army,
    Counts,
    Force,
    Policy,
    army,
    does,
)
from assistant.questions.answer import BadQuestion
from scenarios.expressions import names
from scenarios.model.dice import dice
from scenarios.model.game import Game
from scenarios.model.memo import cached_on

# --- who fights where -------------------------------------------------------------------------------------------------


class Blow(NamedTuple):
    """An air attack or a barrage before the ground fire: the chances of its codes on the ground table."""

    name: str
    codes: Mapping[str, Fraction]
    feared: bool = False
    """The attacker chooses what is lost (26.3)."""
    unofficial: Mapping[str, str] = {}
    """The numbers that it rests on and the rulebook doesn't give, by their overlay entries."""


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
    advisers: tuple[str, ...] = ()
    """The headquarters next to the point, by counter, whose leader values are in `near`."""
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
    at_home: int = 0
    """How many city brigades aren't counted for stacking there (5.2 (2))."""
    casualties: Mapping[str, int] = field(default_factory=dict)
    """The casualty points so far by their tracks, where they are known."""
    golan: bool = False
    """On the Golan; else in the Sinai."""

    def armies(self) -> dict[str, Army]:
        """Both armies."""
        forces = (self.attackers, self.defenders)
        sides = [str(units[0]["side"]) for units in forces]
        if sides[0] == sides[1]:
            raise BadQuestion(f"both forces are of the {sides[0]} side")
        return {
            name: army(self.game, units, policy, side, self.elsewhere, self.at_home)
            for name, units, policy, side in zip(ROLES, forces, self.policies, sides, strict=True)
        }


def firing_nation(attackers: Sequence[Fields], wanted: str = "") -> str:
    """The army that fires in an attack (12.3, 22.1): the one that is told, or else the strongest."""
    nations: dict[str, Fraction] = {}
    for unit in attackers:
        name, strength = str(unit["nation"]), Fraction(str(unit["strength"]))
        nations[name] = nations.get(name, Fraction(0)) + strength
    return wanted if wanted in nations else max(nations, key=lambda nation: nations[nation])


# --- forces by number -------------------------------------------------------------------------------------------------


class Ledger(NumberedStates[Force]):
    """The forces of one army in the order in which a battle meets them."""

    def __init__(self, army: Army) -> None:
        super().__init__()
        self.army, self.forces = army, self.states
        self.depths: list[int] = []
        """How many losses each force can take; 0 where nobody is left."""
        self.points: list[int] = []
        """The casualty points that each force would be (7.4)."""
        self._worth = [army.depth(kind) for kind in army.kinds]
        self._hits: dict[tuple[int, str, bool], int] = {}
        self._strengths: dict[int, Fraction] = {}
        self._settled: dict[int, tuple[int, int]] = {}

    def number(self, force: Force) -> int:
        """The number of a force, a new one if it is new."""
        found = super().number(force)
        if found == len(self.depths):
            self.depths.append(sum(n * worth for n, worth in zip(force.present, self._worth, strict=True) if n))
            self.points.append(self.army.points(force))
        return found

    def settled(self, number: int) -> tuple[int, int]:
        """A force without what has retreated from it, and the casualty points that this would be."""
        found = self._settled.get(number)
        if found is None:
            force = self.forces[number]
            found = self._settled[number] = (
                (self.number(force._replace(away=0)), force.away) if force.away else (number, 0)
            )
        return found

    def hit(self, number: int, code: str, feared: bool = False) -> int:
        """What a result leaves of a force; `feared` where the enemy chooses what is lost (26.3)."""
        key = number, code, feared
        if key not in self._hits:
            self._hits[key] = self.number(
                self.army.suffer(self.forces[number], cached_on(self.army.game, does, code), feared)
            )
        return self._hits[key]

    def strength(self, number: int) -> Fraction:
        """The printed strengths of all that are present."""
        if number not in self._strengths:
            self._strengths[number] = self.army.strength(self.forces[number])
        return self._strengths[number]


# --- one unit's fire, kept for a game by all that decides it ----------------------------------------------------------


Seen = tuple[tuple[str, AttackValue], ...]
"""What a fire sees of a unit."""
Row = tuple[tuple[str, int], ...]
"""The codes with how many faces of the die each has; no code where nothing happens."""


def _seen(unit: Fields, asked: Iterable[str]) -> Seen:
    return tuple((name, unit[name]) for name in asked if name in unit)


def _asked(game: Game) -> tuple[Sequence[str], Sequence[str]]:
    """All names in the formulas of ground fire, and what an answer calls a unit; and those in the formulas that speak of its targets:
    targets that are alike in these are one to who fires."""
    attack = game.attacks[GROUND]
    found = [*attack.values.values(), *(shape.strength for shape in attack.groups.values())]
    found += [modifier.when for modifier in attack.modifiers] + [
        modifier.effect[1] for modifier in attack.modifiers if modifier.effect
    ]
    found += [demand.that for demand in attack.requires]
    used = [names(formula.expression) for formula in found if formula is not None]
    return sorted({"name"}.union(*used)), sorted(set().union(*(asked for asked in used if "targets" in asked)))


def _answer(game: Game, firing: Seen, targets: frozenset[Seen], told: Seen, more: int) -> Odds:
    """A fire with all there is to say of it: who fires, at whom, what is told, how many more columns to the right."""
    return shift_answer(
        game.tables[game.attacks[GROUND].table], odds(game, GROUND, _groups(firing, targets), dict(told)), more
    )


def _row(game: Game, firing: Seen, targets: frozenset[Seen], told: Seen, more: int) -> Row:
    """What an allowed fire may throw."""
    table = game.tables[game.attacks[GROUND].table]
    faces = len(dice(table.dice))
    return tuple(
        (code if table.results[code].effects else "", chance.numerator * (faces // chance.denominator))
        for code, chance in chances(game, GROUND, _groups(firing, targets), dict(told), more).items()
    )


def _groups(firing: Seen, targets: frozenset[Seen]) -> dict[str, list[dict[str, AttackValue]]]:
    return {"firing": [dict(firing)], "targets": [dict(target) for target in sorted(targets, key=str)]}


# --- the fire of an army ----------------------------------------------------------------------------------------------


class Aim(NamedTuple):
    """What decides a unit's fire besides its target: its kind, the best headquarters with it, an engineer."""

    kind: int
    leader: int
    engineer: bool


class Volley(NamedTuple):
    """What one unit fires on in the first round."""

    side: str
    name: str
    answer: Odds


Outcome = tuple[int, int, int, int]
"""What a salvo leaves: a settled force, 1 if anything happened, the points that retreated, in how many ways."""


class Guns:
    """The fire of one army at the other; what was worked out for one force serves the next."""

    def __init__(self, battle: Battle, side: str, own: Ledger, enemy: Ledger, nation: str = "") -> None:
        self.battle, self.side, self.own, self.enemy, self.nation = battle, side, own, enemy, nation
        game, kinds, place = battle.game, own.army.kinds, ROLES.index(side)
        self.near, self.more = battle.near[place], battle.shifts[place]
        self.faces = len(dice(game.tables[game.attacks[GROUND].table].dice))
        in_full, as_target = cached_on(game, _asked)
        self.kinds = tuple(i for i, kind in enumerate(kinds) if nation in ("", kind.unit.nation))
        self.engineers = frozenset(i for i, kind in enumerate(kinds) if kind.fields["engineering"] is True)
        self.firing = [_seen(kind.fields, in_full) for kind in kinds]
        self.targets = [_seen(kind.fields, as_target) for kind in enemy.army.kinds]
        self.alike = [self.targets.index(seen) for seen in self.targets]
        self.salvos: Salvos[int] = Salvos(self._shares)
        self.rows: dict[tuple[int, frozenset[int]], Row] = {}
        self.aims: list[Aim] = []
        """Those met so far: everywhere else they are numbers."""
        self._aimed: dict[Counts, tuple[int, ...]] = {}
        self.fires: dict[tuple[tuple[int, ...], int], Sequence[Outcome]] = {}

    def same(self, other: Guns) -> bool:
        """Whether all that decides its fire is the same as of another."""
        mine, theirs = ((guns.near, guns.more, guns.battle.inputs, guns.nation) for guns in (self, other))
        return self.own is other.own and self.enemy is other.enemy and mine == theirs

    def volleys(self) -> list[Volley]:
        """What every unit fires on in the first round, with the reasons."""
        own, enemy = self.own.army, self.enemy.army
        asked = cached_on(self.battle.game, _asked)[0]
        present = [kind.fields for kind, count in zip(enemy.kinds, enemy.start.present, strict=True) if count]
        targets = frozenset(_seen(fields, asked) for fields in present)
        aims = [self.aims[aim] for aim in self._aims(own.start.present)]
        told = {
            aim: cached_on(self.battle.game, _answer, self.firing[aim.kind], targets, self._told(aim), self.more)
            for aim in aims
        }
        return [Volley(self.side, own.kinds[aim.kind].name, told[aim]) for aim in aims]

    def fire(self, own: int, target: int) -> tuple[int, Sequence[Outcome]]:
        """All fire, one by one; each result is applied at once (15.3, 15.4). The dice thrown, and what comes of them."""
        aims = self._aims(self.own.forces[own].present)
        found = self.fires.get((aims, target))
        if found is None:
            settled = self.enemy.settled
            found = self.fires[aims, target] = [
                ((now := settled(state >> 1))[0], state & 1, now[1], ways)
                for state, ways in self.salvos.successors(2 * target, aims).items()
            ]
        return len(aims), found

    def _aims(self, own: Counts) -> tuple[int, ...]:
        """The aims of all that may fire (15.3), in the order of the list."""
        found = self._aimed.get(own)
        if found is None:
            kinds, allowed = self.own.army.kinds, self.own.army.firing(own)
            present = [i for i, count in enumerate(own) if count]
            engineer = not self.engineers.isdisjoint(present)
            led = dict(self.near)
            for i in present:  # 22.2: no other army's headquarters
                nation = kinds[i].unit.nation
                led[nation] = max(led.get(nation, 0), led.get("", 0), kinds[i].leader)
            aims = {i: Aim(i, led[kinds[i].unit.nation], engineer) for i in self.kinds if allowed[i]}
            self.aims += [aim for aim in aims.values() if aim not in self.aims]
            numbers = {i: self.aims.index(aim) for i, aim in aims.items()}
            found = self._aimed[own] = tuple(number for i, number in numbers.items() for _ in range(allowed[i]))
        return found

    def _shares(self, state: int, aim: int) -> dict[int, int]:
        """What a fire makes of twice the number of a force, plus one if an earlier fire had a result."""
        target = state >> 1
        if not self.enemy.depths[target]:
            return {state: self.faces}
        found: dict[int, int] = {}
        for code, faces in self._row(aim, self.enemy.forces[target].present):
            there = 2 * self.enemy.hit(target, code) + 1 if code else state
            found[there] = found.get(there, 0) + faces
        return found

    def _row(self, aim: int, target: Counts) -> Row:
        seen = frozenset(self.alike[j] for j, count in enumerate(target) if count)
        if (aim, seen) not in self.rows:
            targets = frozenset(self.targets[j] for j in seen)
            firing = self.firing[self.aims[aim].kind]
            self.rows[aim, seen] = cached_on(
                self.battle.game, _row, firing, targets, self._told(self.aims[aim]), self.more
            )
        return self.rows[aim, seen]

    def _told(self, aim: Aim) -> Seen:
        own: dict[str, AttackValue] = {
            "attacking": self.side == ATTACKER,
            "headquarters": aim.leader,
            "engineer": aim.engineer,
        }
        return tuple({**self.battle.inputs, **own}.items())

"""The fire of a force, unit by unit (15.3 to 15.7); what was worked out for one force serves the next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from assistant.attack import Answer, Fields, Value, chances, odds, shifted
from assistant.games.october_war.battle import ATTACKER, Battle, Volley
from assistant.games.october_war.forces import Counts, Ledger
from assistant.rules.kinds import once
from scenarios.dice import dice
from scenarios.expressions import names
from scenarios.game import Game

# --- one unit's fire, kept for a game by all that decides it ----------------------------------------------------------


GROUND = "ground"
Seen = tuple[tuple[str, Value], ...]
"""What a fire sees of a unit."""
Row = tuple[tuple[str, int], ...]
"""The codes with how many faces of the die each has; no code where nothing happens."""


def in_full(game: Game, unit: Fields) -> Seen:
    """What a fire may ask of a unit, and what an answer calls it."""
    return _seen(unit, once(game, _asked)[0])


def as_target(game: Game, unit: Fields) -> Seen:
    """What decides the fire at a unit: units that are alike in it are one to who fires."""
    return _seen(unit, once(game, _asked)[1])


def _seen(unit: Fields, asked: Iterable[str]) -> Seen:
    return tuple((name, unit[name]) for name in asked if name in unit)


def _asked(game: Game) -> tuple[Sequence[str], Sequence[str]]:
    """All names in the formulas of ground fire; and those in the formulas that speak of its targets."""
    attack = game.attacks[GROUND]
    found = [*attack.values.values(), *(shape.strength for shape in attack.groups.values())]
    found += [modifier.when for modifier in attack.modifiers] + [modifier.effect[1] for modifier in attack.modifiers if modifier.effect]
    found += [demand.that for demand in attack.requires]
    used = [names(formula.expression) for formula in found if formula is not None]
    return sorted({"name"}.union(*used)), sorted(set().union(*(asked for asked in used if "targets" in asked)))


def _answer(game: Game, firing: Seen, targets: frozenset[Seen], told: Seen, more: int) -> Answer:
    """A fire with all there is to say of it: who fires, at whom, what is told, how many more columns to the right."""
    return shifted(game.tables[game.attacks[GROUND].table], odds(game, GROUND, _groups(firing, targets), dict(told)), more)


def _row(game: Game, firing: Seen, targets: frozenset[Seen], told: Seen, more: int) -> Row:
    """What an allowed fire may throw."""
    table = game.tables[game.attacks[GROUND].table]
    faces = len(dice(table.dice))
    return tuple(
        (code if table.results[code].effects else "", chance.numerator * (faces // chance.denominator))
        for code, chance in chances(game, GROUND, _groups(firing, targets), dict(told), more).items()
    )


def _groups(firing: Seen, targets: frozenset[Seen]) -> dict[str, list[dict[str, Value]]]:
    return {"firing": [dict(firing)], "targets": [dict(target) for target in sorted(targets, key=str)]}


# --- the fire of an army ----------------------------------------------------------------------------------------------


class Aim(NamedTuple):
    """What decides a unit's fire besides its target: its kind, the best headquarters with it, an engineer."""

    kind: int
    leader: int
    engineer: bool


class Throw(NamedTuple):
    """One unit's fire at one force: the faces of the die that do nothing, and those that leave another force."""

    quiet: int
    hits: tuple[tuple[int, int], ...]


Outcome = tuple[int, int, int, int]
"""What a salvo leaves: a settled force, 1 if anything happened, the points that retreated, in how many ways."""


class Guns:
    """The fire of one army at the other."""

    def __init__(self, battle: Battle, side: str, own: Ledger, enemy: Ledger, nation: str = "") -> None:
        self.battle, self.side, self.own, self.enemy, self.nation = battle, side, own, enemy, nation
        place = 0 if side == ATTACKER else 1
        self.near, self.more = battle.near[place], battle.shifts[place]
        self.faces = len(dice(own.table.dice))
        self.kinds = tuple(i for i, kind in enumerate(own.army.kinds) if nation in ("", kind.nation))
        self.engineers = frozenset(i for i, kind in enumerate(own.army.kinds) if kind.fields["engineering"] is True)
        self.firing = [in_full(battle.game, kind.fields) for kind in own.army.kinds]
        self.targets = [as_target(battle.game, kind.fields) for kind in enemy.army.kinds]
        self.alike = [self.targets.index(seen) for seen in self.targets]
        self.rows: dict[tuple[Aim, frozenset[int]], Row] = {}
        self.throws: dict[Aim, dict[int, Throw]] = {}
        self.aims: dict[Counts, tuple[Aim, ...]] = {}
        self.spreads: dict[tuple[tuple[Aim, ...], int], dict[int, int]] = {}
        self.fires: dict[tuple[tuple[Aim, ...], int], Sequence[Outcome]] = {}

    def same(self, other: Guns) -> bool:
        """Whether all that decides its fire is the same as of another."""
        mine, theirs = self.battle, other.battle
        return (
            (self.own is other.own and self.enemy is other.enemy and self.nation == other.nation)
            and (self.near, self.more, mine.inputs) == (other.near, other.more, theirs.inputs)
        )  # fmt: skip

    def volleys(self, own: Counts, target: Counts) -> list[Volley]:
        """What every unit fires on, with the reasons."""
        aims = self._aims(own)
        told = {aim: self._answer(aim, target) for aim in dict.fromkeys(aims)}
        return [Volley(self.side, self.own.army.kinds[aim.kind].name, told[aim]) for aim in aims]

    def fire(self, own: int, target: int) -> tuple[int, Sequence[Outcome]]:
        """All fire, one by one; each result is applied at once (15.3, 15.4). The dice thrown, and what comes of them."""
        aims = self._aims(self.own.forces[own].present)
        found = self.fires.get((aims, target))
        if found is None:
            settled = self.enemy.settled
            found = self.fires[aims, target] = [
                ((now := settled(state >> 1))[0], state & 1, now[1], ways) for state, ways in self._spread(aims, target).items()
            ]
        return len(aims), found

    def _aims(self, own: Counts) -> tuple[Aim, ...]:
        """The aims of all that may fire (15.3), in the order of the list."""
        if own not in self.aims:
            kinds, allowed = self.own.army.kinds, self.own.army.firing(own)
            present = [i for i, count in enumerate(own) if count]
            engineer = not self.engineers.isdisjoint(present)
            led = dict(self.near)
            for i in present:  # 22.2: no other army's headquarters
                led[kinds[i].nation] = max(led.get(kinds[i].nation, 0), kinds[i].leader)
            best = led.get("", 0)
            self.aims[own] = tuple(
                Aim(i, max(best, led[kinds[i].nation]), engineer) for i in self.kinds for _ in range(allowed[i])
            )  # fmt: skip
        return self.aims[own]

    def _spread(self, aims: tuple[Aim, ...], target: int) -> dict[int, int]:
        """In how many ways fire goes: by twice the number of the force that it leaves, plus one if it had a result.

        Forces that fire alike share it, and its beginning with many others.
        """
        if not aims:
            return {2 * target: 1}
        after = self.spreads.get((aims, target))
        if after is not None:
            return after
        after = self.spreads[aims, target] = {}
        throws, get = self.throws.setdefault(aims[-1], {}), after.get
        for state, ways in self._spread(aims[:-1], target).items():
            throw = throws.get(state >> 1)
            if throw is None:
                throw = throws[state >> 1] = self._throw(aims[-1], state >> 1)
            quiet, hits = throw
            if quiet:
                after[state] = get(state, 0) + ways * quiet
            for there, faces in hits:
                after[there] = get(there, 0) + ways * faces
        return after

    def _throw(self, aim: Aim, target: int) -> Throw:
        if not self.enemy.depths[target]:
            return Throw(self.faces, ())
        quiet = 0
        hits: dict[int, int] = {}
        for code, faces in self._row(aim, self.enemy.forces[target].present):
            if code:
                there = 2 * self.enemy.hit(target, code) + 1
                hits[there] = hits.get(there, 0) + faces
            else:
                quiet += faces
        return Throw(quiet, tuple(hits.items()))

    def _row(self, aim: Aim, target: Counts) -> Row:
        seen = frozenset(self.alike[j] for j, count in enumerate(target) if count)
        if (aim, seen) not in self.rows:
            targets = frozenset(self.targets[j] for j in seen)
            self.rows[aim, seen] = once(self.battle.game, _row, self.firing[aim.kind], targets, self._told(aim), self.more)
        return self.rows[aim, seen]

    def _answer(self, aim: Aim, target: Counts) -> Answer:
        """One unit's fire with all there is to say of it."""
        enemies = [kind.fields for kind, count in zip(self.enemy.army.kinds, target, strict=True) if count]
        targets = frozenset(in_full(self.battle.game, fields) for fields in enemies)
        return once(self.battle.game, _answer, self.firing[aim.kind], targets, self._told(aim), self.more)

    def _told(self, aim: Aim) -> Seen:
        own: dict[str, Value] = {
            "attacking": self.side == ATTACKER, "headquarters": aim.leader, "engineer": aim.engineer,
        }  # fmt: skip
        return tuple({**self.battle.inputs, **own}.items())

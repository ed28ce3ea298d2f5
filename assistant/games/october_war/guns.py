"""The fire of a force, unit by unit (15.3 to 15.7); what was worked out for one force serves the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from assistant.attacks import Answer, Value
from assistant.games.october_war.fire import Battle
from assistant.games.october_war.forces import Counts
from assistant.games.october_war.ledger import Ledger
from assistant.games.october_war.result import ATTACKER, Volley
from assistant.games.october_war.rows import Row, Seen, as_target, fires, in_full
from scenarios.dice import dice
from scenarios.same import Same


class Aim(NamedTuple):
    """What decides a unit's fire besides its target: its kind, the best headquarters with it, an engineer."""

    kind: int
    leader: int
    engineer: bool


class Throw(NamedTuple):
    """One unit's fire at one force: the faces of the die that do nothing, and those that leave another force."""

    quiet: int
    hits: tuple[tuple[int, int], ...]


class Salvo(NamedTuple):
    """The fire of some units in order, known by the last of them."""

    before: int
    """The salvo of the others; the first of all is nobody's."""
    aim: Aim
    dice: int
    throws: dict[int, Throw]
    """What is known of the last unit's fire, by the target."""


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
        self.known = fires(Same(battle.game))
        self.rows: dict[tuple[Aim, frozenset[int]], Row] = {}
        self.throws: dict[Aim, dict[int, Throw]] = {}
        self.salvos = [Salvo(0, Aim(0, 0, False), 0, {})]
        self.numbers: dict[tuple[int, Aim], int] = {}
        self.salvo_of: dict[Counts, int] = {}
        self.spreads: dict[tuple[int, int], dict[int, int]] = {}
        self.fires: dict[tuple[int, int], Sequence[Outcome]] = {}

    def serves(self, battle: Battle, nation: str) -> bool:
        """Whether nothing that a battle of the same armies tells changes this fire."""
        place = 0 if self.side == ATTACKER else 1
        told = battle.near[place], battle.shifts[place], nation, battle.inputs
        return told == (self.near, self.more, self.nation, self.battle.inputs)

    def volleys(self, own: Counts, target: Counts) -> list[Volley]:
        """What every unit fires on, with the reasons."""
        aims = self._aims(own)
        told = {aim: self._answer(aim, target) for aim in dict.fromkeys(aims)}
        return [Volley(self.side, self.own.army.kinds[aim.kind].name, told[aim]) for aim in aims]

    def fire(self, own: int, target: int) -> tuple[int, Sequence[Outcome]]:
        """All fire, one by one; each result is applied at once (15.3, 15.4). The dice thrown, and what comes of them."""
        present = self.own.forces[own].present
        salvo = self.salvo_of.get(present)
        if salvo is None:
            salvo = self.salvo_of[present] = self._salvo(present)
        found = self.fires.get((salvo, target))
        if found is None:
            settled = self.enemy.settled
            found = self.fires[salvo, target] = [
                ((now := settled(state >> 1))[0], state & 1, now[1], ways)
                for state, ways in self._spread(salvo, target).items()
            ]
        return self.salvos[salvo].dice, found

    def _salvo(self, own: Counts) -> int:
        """The number of a force's salvo. Forces that fire alike share it, and its beginning with many others."""
        salvo = 0
        for aim in self._aims(own):
            if (salvo, aim) not in self.numbers:
                self.numbers[salvo, aim] = len(self.salvos)
                throws = self.throws.setdefault(aim, {})
                self.salvos.append(Salvo(salvo, aim, self.salvos[salvo].dice + 1, throws))
            salvo = self.numbers[salvo, aim]
        return salvo

    def _aims(self, own: Counts) -> list[Aim]:
        """The aims of all that may fire (15.3), in the order of the list."""
        kinds, allowed = self.own.army.kinds, self.own.army.firing(own)
        present = [i for i, count in enumerate(own) if count]
        engineer = not self.engineers.isdisjoint(present)
        led = dict(self.near)
        for i in present:  # 22.2: no other army's headquarters
            led[kinds[i].nation] = max(led.get(kinds[i].nation, 0), kinds[i].leader)
        best = led.get("", 0)
        return [
            Aim(i, max(best, led[kinds[i].nation]), engineer) for i in self.kinds for _ in range(allowed[i])
        ]  # fmt: skip

    def _spread(self, salvo: int, target: int) -> dict[int, int]:
        """In how many ways a salvo goes: by twice the number of the force that it leaves, plus one if it had a result."""
        if not salvo:
            return {2 * target: 1}
        after = self.spreads.get((salvo, target))
        if after is not None:
            return after
        after = self.spreads[salvo, target] = {}
        before, aim, _, throws = self.salvos[salvo]
        get = after.get
        for state, ways in self._spread(before, target).items():
            throw = throws.get(state >> 1)
            if throw is None:
                throw = throws[state >> 1] = self._throw(aim, state >> 1)
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
            self.rows[aim, seen] = self.known.row(self.firing[aim.kind], targets, self._told(aim), self.more)
        return self.rows[aim, seen]

    def _answer(self, aim: Aim, target: Counts) -> Answer:
        """One unit's fire with all there is to say of it."""
        enemies = [kind.fields for kind, count in zip(self.enemy.army.kinds, target, strict=True) if count]
        targets = frozenset(in_full(self.battle.game, fields) for fields in enemies)
        return self.known.answer(self.firing[aim.kind], targets, self._told(aim), self.more)

    def _told(self, aim: Aim) -> Seen:
        own: dict[str, Value] = {
            "attacking": self.side == ATTACKER, "headquarters": aim.leader, "engineer": aim.engineer,
        }  # fmt: skip
        return tuple({**self.battle.inputs, **own}.items())

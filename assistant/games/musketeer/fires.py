"""On which column each unit of a combat fires, by the attack that the pack declares (14.5, 14.10)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from assistant.attacks import Fields, Value, odds, unit_fields
from assistant.evaluation import Evaluation
from assistant.games.musketeer.fighters import Support
from assistant.games.musketeer.outcome import ATTACKER, DEFENDER, Combat, Shot
from scenarios.attacks import Formula
from scenarios.dice import dice
from scenarios.expressions import names
from scenarios.game import Game
from scenarios.same import Same

ATTACK = "ground_fire"
STRENGTH = "combat"
SILENT = -1
"""The column of a unit that doesn't fire."""
MOST = 4000
"""How many shifts of a game are kept."""
Columns = tuple[int, ...]
Kind = tuple[Value, ...]


class Reads(NamedTuple):
    """The fields of a unit that its shifts hang on, and those that decide whether it may fire at all."""

    shifts: tuple[str, ...]
    allowed: tuple[str, ...]


@lru_cache(maxsize=8)
def reads(game: Same[Game]) -> Reads:
    """What the declared fire reads of a unit; its strength only picks the column where it starts."""
    attack = game.value.attacks[ATTACK]
    known = unit_fields(game.value, next(iter(game.value.units))).keys() - {STRENGTH}
    moving = [attack.values[name] for name in attack.fought_with]
    moving += [formula for one in attack.modifiers if one.effect for formula in (one.when, one.effect[1])]
    every = [*attack.values.values(), *moving, *(one.that for one in attack.requires)]
    return Reads(_named(moving, known), _named(every, known))


def _named(formulas: Iterable[Formula | None], known: Iterable[str]) -> tuple[str, ...]:
    used = {name for formula in formulas if formula is not None for name in names(formula.expression)}
    return tuple(sorted(used.intersection(known)))


class Result(NamedTuple):
    """What a fire does to the enemy: how many steps a unit loses, if one is hit at all, and whether it retreats;
    whether a support is lost; the asterisk."""

    hits: bool
    steps: str
    retreats: bool
    support: bool
    star: bool


@dataclass(frozen=True)
class Faces:
    """The results that matter, by number, and for each column of the table how many faces of the die throw each."""

    results: tuple[Result, ...]
    plain: tuple[int, ...]
    """For each result the number of the one without its asterisk."""
    columns: tuple[tuple[tuple[int, int], ...], ...]
    die: int


NOTHING = 0
"""The number of the result that does nothing."""


@lru_cache(maxsize=8)
def faces(game: Same[Game]) -> Faces:
    """The faces of a game's combat table."""
    table = game.value.tables[game.value.attacks[ATTACK].table]
    numbers: dict[Result, int] = {Result(False, "0", False, False, False): NOTHING}
    columns = []
    die = len(dice(table.dice))
    for column in range(len(table.columns.labels)):
        shares: dict[int, int] = {}
        for code, chance in table.distribution(column).items():
            does = table.results[code].effects
            hits = "units" in does
            result = Result(hits, does.get("steps", "0"), "retreat" in does, "support" in does, "pursuit" in does)
            number = numbers.setdefault(result, len(numbers))
            shares[number] = shares.get(number, 0) + int(die * chance)
        columns.append(tuple(shares.items()))
    plain = [numbers.setdefault(result._replace(star=False), len(numbers)) for result in list(numbers)]
    plain += range(len(plain), len(numbers))
    return Faces(tuple(numbers), tuple(plain), tuple(columns), die)


class Found:
    """The shifts and shots of a game that were worked out before. They hang on little: the same come again and again."""

    def __init__(self, game: Game) -> None:
        self.game, self.reads = game, reads(Same(game))
        self._shifts: dict[object, int] = {}
        self._shots: dict[object, Shot] = {}

    def kind(self, firer: Fields) -> Kind:
        """What the shifts of a unit hang on."""
        return tuple([firer[name] for name in self.reads.shifts])

    def shift(self, firer: Fields, kind: Kind, told: Mapping[str, Value]) -> int:
        """By how many columns the fire of a unit of this kind is shifted."""
        key = (kind, frozenset(told.items()))
        found = self._shifts.get(key)
        if found is None:
            _make_room(self._shifts)
            found = self._shifts[key] = Evaluation(self.game, ATTACK, {"firer": [firer]}, told, True).shift()
        return found

    def shot(self, firer: Fields, told: Mapping[str, Value]) -> Shot:
        """A fire with every reason, but for its column."""
        key = (*(firer[name] for name in self.reads.allowed), frozenset(told.items()))
        found = self._shots.get(key)
        if found is None:
            _make_room(self._shots)
            answer = odds(self.game, ATTACK, {"firer": [firer]}, told)
            found = self._shots[key] = Shot("", answer.shift, answer.applied, answer.refused)
        return found


def _make_room(known: dict[Any, Any]) -> None:
    if len(known) >= MOST:
        known.clear()


@lru_cache(maxsize=8)
def found_in(game: Same[Game]) -> Found:
    """What was found of a game so far."""
    return Found(game.value)


class Fires:
    """The fires of one side of a combat."""

    def __init__(self, combat: Combat, side: int) -> None:
        self.combat, self.side, self.found = combat, side, found_in(Same(combat.game))
        self.units, self.more = combat.sides[side], combat.shifts[side]
        self.table = combat.game.tables[combat.game.attacks[ATTACK].table]
        self.starts = [unit.columns for unit in self.units]
        self.engineers: dict[int, set[int]] = {}
        for place, unit in enumerate(self.units):
            if not side and unit.fields["bridges"] is True:
                self.engineers.setdefault(unit.stack, set()).add(place)
        self._kinds = [(self.found.kind(unit.fields), self.found.kind(unit.worn)) for unit in self.units]
        self._rows: dict[tuple[Support, frozenset[int]], list[tuple[int, int]]] = {}

    def shots(self) -> tuple[Shot, ...]:
        """How each unit would fire at the start, with every reason."""
        support, shots, labels = self.combat.support[self.side], [], self.table.columns.labels
        told = {helped: self._told(support, helped) for helped in (False, True)}
        for unit, (start, _) in zip(self.units, self.starts, strict=True):
            shot = self.found.shot(unit.fields, told[unit.stack in self.engineers])
            shift = shot.shift + self.more
            shots.append(shot._replace(shift=shift, column=labels[self.table.shifted(start, shift)]))
        return tuple(shots)

    def columns(self, worn: Sequence[int], support: Support, there: list[int]) -> Columns:
        """The column that each unit fires on that is still there, worn or not. An engineer helps its own stack as long as it
        stands (24.2)."""
        helped = frozenset({stack for stack, places in self.engineers.items() if not places.isdisjoint(there)})
        row = self._rows.get((support, helped))
        if row is None:
            row = self._rows[support, helped] = self._row(support, helped)
        found = [SILENT] * len(row)
        for place in there:
            found[place] = row[place][worn[place]]
        return tuple(found)

    def _row(self, support: Support, helped: frozenset[int]) -> list[tuple[int, int]]:
        """The columns of each unit, whole and disrupted."""
        shifts: dict[tuple[bool, Kind], int] = {}
        row = []
        last = len(self.table.columns.labels) - 1
        for unit, kinds, starts in zip(self.units, self._kinds, self.starts, strict=True):
            columns = []
            for fields, kind, start in zip((unit.fields, unit.worn), kinds, starts, strict=True):
                key = (unit.stack in helped, kind)
                if key not in shifts:
                    shifts[key] = self.found.shift(fields, kind, self._told(support, key[0])) + self.more
                columns.append(max(0, min(last, start + shifts[key])))
            row.append((columns[0], columns[1]))
        return row

    def _told(self, support: Support, engineer: bool) -> dict[str, Value]:
        """What is told of a fire: close air support, special commands and angles help attackers only (14.10)."""
        told: dict[str, Value] = {
            **self.combat.inputs,
            "role": DEFENDER if self.side else ATTACKER,
            "cas": 0 if self.side else support.cas,
            "special_forces": support.special_forces,
            "guerrilla": support.guerrilla or 0,
            "engineer": engineer,
        }
        return told | {"special_command": False, "concentric": False} if self.side else told

"""An attack evaluated many times over with other units and other inputs: what rests on nothing that changed is kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import NamedTuple

from assistant.attack_answers import Applied, Strength, Value
from assistant.evaluation import Evaluation, Fields
from scenarios.attacks import Formula
from scenarios.expressions import names
from scenarios.game import Game
from scenarios.same import Same

Token = tuple[object, ...]
"""The values of all that a unit's strength rests on beside the unit."""


class Kept:
    """What was worked out so far for one kind of attack, whose units have no values of their own to work out.

    A unit is known by its very mapping: hand over the same one again.
    """

    def __init__(self, game: Game, attack_id: str) -> None:
        self.game, self.attack_id = game, attack_id
        assert not any(shape.values for shape in game.attacks[attack_id].groups.values())
        self.reads = _reads(Same(game), attack_id)
        self.terrain = tuple(game.terrain)
        self.given: list[Fields] = []
        """The mappings that were handed over: they are known by their ids, so they have to stay."""
        self.units: dict[str, dict[int, dict[str, Value]]] = {key: {} for key in game.attacks[attack_id].groups}
        self.strengths: dict[tuple[str, Token], dict[int, Strength]] = {}
        self.met: dict[tuple[int, Token], dict[int, bool]] = {}


class Again(Evaluation):
    """One more evaluation: the column, the chances and the values of the battle, without the reasons."""

    def __init__(self, kept: Kept, groups: Mapping[str, Sequence[Fields]], inputs: Fields) -> None:
        self.kept, self.game, self.attack_id = kept, kept.game, kept.attack_id
        self.attack = self.game.attacks[self.attack_id]
        self.table = self.game.tables[self.attack.table]
        self.terrain = kept.terrain
        told = self._told("the battle", self.attack.inputs, inputs)
        self.groups = {key: self._known(key, groups.get(key, ())) for key in self.attack.groups}
        self.battle = {**told, **self.groups}
        for name, formula in self.attack.values.items():
            self.battle[name] = self._value(formula, self.battle)

    def _known(self, key: str, units: Sequence[Fields]) -> list[dict[str, Value]]:
        """The units with what is told of them, each looked at once."""
        known = self.kept.units[key]
        for unit in units:
            if id(unit) not in known:
                self.kept.given.append(unit)
                known[id(unit)] = self._units(key, self.attack.groups[key], [unit])[0]
        return [known[id(unit)] for unit in units]

    def _token(self, rests: Iterable[str]) -> Token:
        values = (self.battle[name] for name in rests)
        return tuple([tuple(map(id, value)) if isinstance(value, list) else value for value in values])

    def _strengths(self, key: str) -> list[Strength]:
        """Each unit's strength, worked out anew only where something that it rests on is new."""
        known = self.kept.strengths.setdefault((key, self._token(self.kept.reads.strengths[key])), {})
        for unit in self.groups[key]:
            if id(unit) not in known:
                self.scopes = {key: [{**self.battle, **unit, **self.groups}]}
                known[id(unit)] = super()._strengths(key)[0]
        return [known[id(unit)] for unit in self.groups[key]]

    def _total(self, which: str, units: Sequence[Strength]) -> tuple[Fraction, list[Applied]]:
        return self._modified(exact_sum([unit.value for unit in units]), which, self.battle)

    def column(self) -> int | None:
        """The column it is fought on; None where the table allows no attack."""
        sides = (key for key in (self.attack.attackers, self.attack.defenders) if key)
        total, defense, _ = self._totals({key: self._strengths(key) for key in sides})
        start = self._column(total, defense)
        return None if start is None else self.table.shifted(start, self._summed("shift"))

    def failures(self, group: str = "", place: int = -1) -> int:
        """How many requirements aren't met; with a group and a place, by that unit."""
        failed = 0 if group else sum(
            self._value(one.that, self.battle) is not True for one in self.attack.requires if not one.to
        )  # fmt: skip
        for key, units in self.groups.items():
            if group in ("", key):
                failed += self._failed(key, [units[place]] if group else units)
        return failed

    def _failed(self, key: str, units: Sequence[Mapping[str, Value]]) -> int:
        """How many requirements of a group these units don't meet, all in all."""
        met = {
            number: self.kept.met.setdefault((number, self._token(self.kept.reads.requires[number])), {})
            for number, one in enumerate(self.attack.requires)
            if one.to == key
        }
        failed = 0
        for unit in units:
            fresh = [number for number, known in met.items() if id(unit) not in known]
            scope = {**self.battle, **unit, **self.groups} if fresh else {}
            for number in fresh:
                met[number][id(unit)] = self._value(self.attack.requires[number].that, scope) is True
            failed += sum(not known[id(unit)] for known in met.values())
        return failed


def exact_sum(values: Sequence[Fraction], times: Sequence[int] | None = None) -> Fraction:
    """Their sum, each so many times: over one denominator, which is quicker than one by one."""
    pairs = [value.as_integer_ratio() for value in values]
    common = lcm(*[below for _, below in pairs])
    if times is None:
        return Fraction(sum(above * (common // below) for above, below in pairs), common)
    return Fraction(sum(above * (common // below) * n for (above, below), n in zip(pairs, times, strict=True)), common)


class _Reads(NamedTuple):
    """What a unit's strength, and what is required of a unit, reads of the battle; and all names that are read anywhere."""

    strengths: Mapping[str, tuple[str, ...]]
    requires: Sequence[tuple[str, ...]]
    names: frozenset[str]


@lru_cache(maxsize=8)
def _reads(game: Same[Game], attack_id: str) -> _Reads:
    attack = game.value.attacks[attack_id]

    def used(formulas: Iterable[Formula | None]) -> frozenset[str]:
        return frozenset(name for formula in formulas if formula is not None for name in names(formula.expression))

    def read(formulas: Iterable[Formula | None]) -> tuple[str, ...]:
        return tuple(sorted(used(formulas) & {*attack.inputs, *attack.values, *attack.groups}))

    strengths = {}
    for key, shape in attack.groups.items():
        on = attack.on.get(key, ())
        strengths[key] = read([shape.strength, *(one.when for one in on), *(one.effect[1] for one in on if one.effect)])
    every = [attack.column, *attack.values.values(), *(shape.strength for shape in attack.groups.values())]
    for one in attack.modifiers:
        every += [one.when, *(one.effect[1:] if one.effect else ())]
    every += [one.that for one in attack.requires]
    return _Reads(strengths, [read([one.that]) for one in attack.requires], used(every))

"""The row of codes that one unit's fire may throw (15.3), kept for a game by all that decides it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache

from assistant.attacks import Fields, Value, chances
from scenarios.attacks import Attack
from scenarios.dice import dice
from scenarios.expressions import Expression, names
from scenarios.game import Game
from scenarios.same import Same

GROUND = "ground"
Seen = tuple[tuple[str, Value], ...]
"""What a fire sees of a unit."""
Row = tuple[tuple[str, int], ...]
"""The codes with how many faces of the die each has; no code where nothing happens."""


def of_firing(game: Game, unit: Fields) -> Seen:
    """What decides the fire of a unit."""
    return _seen(unit, _asked(Same(game))[0])


def of_target(game: Game, unit: Fields) -> Seen:
    """What decides the fire at a unit."""
    return _seen(unit, _asked(Same(game))[1])


def _seen(unit: Fields, asked: Iterable[str]) -> Seen:
    return tuple((name, unit[name]) for name in asked if name in unit)


@lru_cache(maxsize=8)
def _asked(game: Same[Game]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What ground fire may ask of who fires and of its targets: every name, and those beside the word for the targets."""
    used = [names(text) for text in _formulas(game.value.attacks[GROUND])]
    beside = [found for found in used if "targets" in found]
    return tuple(sorted(frozenset().union(*used))), tuple(sorted(frozenset().union(*beside)))


def _formulas(attack: Attack) -> Iterable[Expression]:
    found = [*attack.values.values(), *(shape.strength for shape in attack.groups.values())]
    found += [one.when for one in attack.modifiers] + [one.effect[1] for one in attack.modifiers if one.effect]
    return (formula.expression for formula in found if formula is not None)


@lru_cache(maxsize=4096)
def row(game: Same[Game], firing: Seen, targets: frozenset[Seen], told: Seen, more: int) -> Row:
    """The row of an allowed fire, so many more columns to the right."""
    groups = {"firing": [dict(firing)], "targets": [dict(one) for one in sorted(targets, key=str)]}
    return coded(game.value, chances(game.value, GROUND, groups, dict(told), more))


def coded(game: Game, found: Mapping[str, Fraction]) -> Row:
    """Chances as faces of the die."""
    table = game.tables[game.attacks[GROUND].table]
    faces = len(dice(table.dice))
    return tuple(
        (code if table.results[code].effects else "", chance.numerator * (faces // chance.denominator))
        for code, chance in found.items()
    )

"""One unit's fire (15.3 to 15.7), kept for a game by all that decides it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from assistant.attacks import Answer, Fields, Value, chances, odds
from assistant.shared.shifts import shifted
from scenarios.dice import dice
from scenarios.expressions import names
from scenarios.game import Game
from scenarios.same import Same

GROUND = "ground"
Seen = tuple[tuple[str, Value], ...]
"""What a fire sees of a unit."""
Row = tuple[tuple[str, int], ...]
"""The codes with how many faces of the die each has; no code where nothing happens."""


def in_full(game: Game, unit: Fields) -> Seen:
    """What a fire may ask of a unit, and what an answer calls it."""
    return _seen(unit, _asked(Same(game))[0])


def as_target(game: Game, unit: Fields) -> Seen:
    """What decides the fire at a unit: units that are alike in it are one to who fires."""
    return _seen(unit, _asked(Same(game))[1])


def _seen(unit: Fields, asked: Iterable[str]) -> Seen:
    return tuple((name, unit[name]) for name in asked if name in unit)


@lru_cache(maxsize=8)
def _asked(game: Same[Game]) -> tuple[Sequence[str], Sequence[str]]:
    """All names in the formulas of ground fire; and those in the formulas that speak of its targets."""
    attack = game.value.attacks[GROUND]
    found = [*attack.values.values(), *(shape.strength for shape in attack.groups.values())]
    found += [one.when for one in attack.modifiers] + [one.effect[1] for one in attack.modifiers if one.effect]
    found += [one.that for one in attack.requires]
    used = [names(formula.expression) for formula in found if formula is not None]
    return sorted({"name"}.union(*used)), sorted(set().union(*(one for one in used if "targets" in one)))


class Fires(NamedTuple):
    """The fires of a game that were asked for: who fires, at whom, what is told, how many more columns to the right."""

    answer: Callable[[Seen, frozenset[Seen], Seen, int], Answer]
    """A fire with all there is to say of it."""
    row: Callable[[Seen, frozenset[Seen], Seen, int], Row]
    """What an allowed fire may throw."""


@lru_cache(maxsize=8)
def fires(game: Same[Game]) -> Fires:
    """What is known of a game's fires."""
    war = game.value
    table = war.tables[war.attacks[GROUND].table]
    faces = len(dice(table.dice))

    @lru_cache(maxsize=1024)
    def answer(firing: Seen, targets: frozenset[Seen], told: Seen, more: int) -> Answer:
        return shifted(table, odds(war, GROUND, _groups(firing, targets), dict(told)), more)

    @lru_cache(maxsize=4096)
    def row(firing: Seen, targets: frozenset[Seen], told: Seen, more: int) -> Row:
        return tuple(
            (code if table.results[code].effects else "", chance.numerator * (faces // chance.denominator))
            for code, chance in chances(war, GROUND, _groups(firing, targets), dict(told), more).items()
        )

    return Fires(answer, row)


def _groups(firing: Seen, targets: frozenset[Seen]) -> dict[str, list[dict[str, Value]]]:
    return {"firing": [dict(firing)], "targets": [dict(one) for one in sorted(targets, key=str)]}

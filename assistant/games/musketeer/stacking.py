"""Stacking in Operation Musketeer (12.0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import inf

from assistant.games.musketeer.contingents import contingent
from assistant.games.musketeer.field import Field
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.same import Same


@lru_cache(maxsize=8)
def _limits(game: Same[Game]) -> Mapping[str, tuple[float, float, float]]:
    """For each contingent how many units, divisions and static units a hex holds (12.1, 12.2)."""
    table = game.value.tables["stacking"]
    columns = [table.named_column(name) for name in ("units", "divisions", "static")]
    found = {}
    for who in table.cells:
        codes = [table.cell(who, column).code for column in columns]
        units, divisions, static = (int(code) if code.isdecimal() else inf for code in codes)
        found[who] = (units, divisions, static)
    return found


def fits(game: Game, units: Sequence[Unit]) -> bool:
    """Whether units of one side may end a phase in one hex: one contingent, within its limits (12.1, 12.2, 12.5)."""
    who = {contingent(unit.nation) for unit in units}
    if len(who) > 1:
        return False
    static = sum(unit.class_ == "static" for unit in units)
    divisions = sum(unit.size == "division" for unit in units)
    limits = [_limits(Same(game))[nation] for nation in who]
    return all(len(units) - static <= most[0] and divisions <= most[1] and static <= most[2] for most in limits)


def room(here: Field, unit: Unit, hex: Hex) -> bool:
    """Whether a unit may end a phase in a hex beside the friends there (12.1, 12.2, 12.5)."""
    return fits(here.game, [*here.stacks.get((unit.side, hex), ()), unit])

"""Stacking in Operation Musketeer (12.0)."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.games.musketeer.contingents import contingent
from scenarios.counters import Unit
from scenarios.game import Game


def fits(game: Game, units: Sequence[Unit]) -> bool:
    """Whether units of one side may end a phase in one hex: one contingent, within its limits (12.1, 12.2, 12.5)."""
    who = {contingent(unit.nation) for unit in units}
    if len(who) > 1:
        return False
    table = game.tables["stacking"]
    for nation in who:
        counts = {
            "units": sum(unit.class_ != "static" for unit in units),
            "divisions": sum(unit.size == "division" for unit in units),
            "static": sum(unit.class_ == "static" for unit in units),
        }
        for column, count in counts.items():
            code = table.cell(nation, table.named_column(column)).code
            if code.isdecimal() and count > int(code):
                return False
    return True

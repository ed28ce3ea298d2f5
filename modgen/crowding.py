"""Set-ups that break stacking: places where a scenario puts more units than the pack's own rules allow."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of
from assistant.engine.question_field import settle_forced_groups
from assistant.engine.stacking import stacks
from assistant.questions.answer import BadQuestion
from scenarios.model.game import Game
from scenarios.model.position import from_scenario, groups
from scenarios.reading.findings import Finding
from scenarios.reading.shapes import place


def crowded_setups(game: Game) -> list[Finding]:
    """Every place at a scenario's start whose units may not stack, reported at the group that fills it."""
    return sorted({finding for scenario in game.scenarios for finding in _crowded(game, scenario)})


def _crowded(game: Game, scenario: str) -> Iterator[Finding]:
    map_index = map_index_of(game, scenario)
    if map_index is None or not map_index.program.rules.stacking:
        return
    field = make_field(map_index, settle_forced_groups(map_index, from_scenario(game, scenario)))
    try:
        crowded_stacks = [stack for stack in stacks(field) if stack.failures]
    except BadQuestion:
        return  # required inputs are unknown at the start
    forces = game.scenarios[scenario].forces
    for stack in crowded_stacks:
        last = stack.placed_units[-1]
        side, _, name = last.piece.group.partition("/")
        group = groups(forces[side])[name]
        unit_names = ", ".join(unit.name for unit in stack.placed_units)
        for demand in stack.failures:
            rule = f" ({demand.rule})" if demand.rule else ""
            yield place(group, "at" if group.at is not None else "at_each").find(
                f"in {scenario}, {unit_names} can't stand together in {map_index.title(stack.place)}: {demand.text}{rule}; "
                "set fewer up there, or change `rules.stacking`"
            )

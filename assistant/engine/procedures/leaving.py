"""What a procedure declares of its groups: who acts, who may lose something instead of going away; every expression of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from assistant.engine.map_index import program_of
from scenarios.model.attack_inputs import Formula
from scenarios.model.game import Game
from scenarios.rules.procedures import Procedure


def acting_groups(procedure: Procedure, name: str) -> tuple[str, ...]:
    """The groups that a stage may mean by a name: `first` and `second` may be any that opposes another."""
    if name in ("first", "second"):
        return tuple(key for key, group in procedure.groups.items() if not group.supports)[:2]
    return (name,) if name else ()


def loses_instead(game: Game, procedure: Procedure, group: str) -> bool:
    """Whether a group may leave by choice or loses something where it has to leave and can't. A single unit that has to retreat isn't
    asked before: its retreat is walked on the map."""
    results = program_of(game).rules.results
    for stage in procedure.all_stages:
        if stage.leave and group in acting_groups(procedure, stage.of):
            return True
        if not stage.fire or group not in acting_groups(procedure, stage.at):
            continue
        effects = {
            key for result in game.tables[game.attacks[stage.fire].table].results.values() for key in result.effects
        }
        if any(
            record.retreat is not None and (record.instead is not None or record.count is None)
            for key in effects & results.keys()
            for record in results[key]
        ):
            return True
    return False


def formulas_in(record: Any) -> Iterator[Formula]:
    """Every expression of a record and of the records in it."""
    if isinstance(record, Formula):
        yield record
    elif isinstance(record, Mapping):
        for value in record.values():
            yield from formulas_in(value)
    elif isinstance(record, Sequence) and not isinstance(record, str):
        for value in record:
            yield from formulas_in(value)
    elif is_dataclass(record) and not isinstance(record, type):
        for item in fields(record):
            if item.name != "node":
                yield from formulas_in(getattr(record, item.name))

"""Declared attacks evaluated: strengths, modifiers, column, and the exact chances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from assistant.attack_answers import Answer, Applied, BadQuestion, Effect, Failure, Strength, Target, Value
from assistant.evaluation import Evaluation, Fields
from scenarios.counters import Factor, Unit, typed
from scenarios.game import Game
from scenarios.reading.findings import instead

__all__ = [
    "Answer", "Applied", "BadQuestion", "Effect", "Failure", "Fields", "Strength", "Target", "Value", "chances", "odds",
    "unit_fields",
]  # fmt: skip


def odds(
    game: Game,
    attack_id: str,
    groups: Mapping[str, Sequence[Fields]],
    inputs: Fields | None = None,
) -> Answer:
    """Evaluate an attack. `groups` gives each group's units: their fields (see `unit_fields`) and what is told of them."""
    return _evaluation(game, attack_id, groups, inputs).answer()


def chances(
    game: Game,
    attack_id: str,
    groups: Mapping[str, Sequence[Fields]],
    inputs: Fields | None = None,
    more: int = 0,
) -> Mapping[str, Fraction]:
    """Only the chances of an attack that is known to be allowed, so many more columns to the right."""
    return _evaluation(game, attack_id, groups, inputs, True).thrown(more)


def _evaluation(
    game: Game,
    attack_id: str,
    groups: Mapping[str, Sequence[Fields]],
    inputs: Fields | None,
    allowed: bool = False,
) -> Evaluation:
    if attack_id not in game.attacks:
        raise BadQuestion(f"{game.id} has no attack {attack_id!r}; {instead(attack_id, game.attacks)}")
    return Evaluation(game, attack_id, groups, inputs or {}, allowed)


def unit_fields(game: Game, unit: Unit | str, states: Sequence[str] = (), **more: Value) -> dict[str, Value]:
    """What expressions see of a unit (or of a marker that can be attacked), in the given states."""
    for state in states:
        if state not in game.states:
            raise BadQuestion(f"there is no state {state!r}; {instead(state, game.states)}")
    fields: dict[str, Value] = {"id": "", "nation": "", "side": "", "class": "", "type": "", "size": ""}
    fields |= {key: value for key, factor in game.factors.items() if (value := _default(factor)) is not None}
    fields |= dict.fromkeys(game.abilities, False) | {state: state in states for state in game.states}
    if isinstance(unit, str) and unit in game.markers:
        marker = game.markers[unit]
        factors = {key: typed(game.factors[key], text) for key, text in marker.factors.items()}
        return fields | factors | {"id": unit, "name": marker.name, "side": marker.side, "steps": Fraction(1)} | more
    if isinstance(unit, str):
        if unit not in game.units:
            raise BadQuestion(f"no counter of {game.id} is called {unit!r}; {instead(unit, game.units)}")
        unit = game.units[unit]
    fields |= unit.back if unit.back is not None and unit.back_state in states else unit.factors
    fields |= dict.fromkeys(unit.abilities, True)
    fields |= {"id": unit.id, "name": unit.name, "nation": unit.nation, "side": unit.side, "class": unit.class_}
    return fields | {"type": unit.type, "size": unit.size, "steps": Fraction(unit.steps)} | more


def _default(factor: Factor) -> Value | None:
    """The value of a unit that doesn't give this factor; None where it must."""
    if factor.default is not None:
        return typed(factor, factor.default)
    return None if factor.kind == "number" else False if factor.kind == "flag" else ""

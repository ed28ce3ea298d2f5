"""Zones and ranges from a pack's declared rules: which units have a zone of control, and what stops ranges on a point map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenarios.expressions.checking import names
from scenarios.expressions.evaluating import evaluate
from scenarios.expressions.meaning import EvaluationError
from scenarios.expressions.syntax import Expression
from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.model.points import PointMap
from scenarios.rules.shapes import Zone


def _holds(expression: Expression, values: Mapping[str, Any]) -> bool:
    """Whether an expression is true if every unknown value is false."""
    try:
        return evaluate(expression, {**dict.fromkeys(names(expression), False), **values}) is True
    except EvaluationError:
        return False


def zone_of_control(game: Game) -> Zone | None:
    """The zone that covers the hexes around a unit, if the rules declare one."""
    zones = game.rules.zones.values() if game.rules is not None else ()
    return next((zone for zone in zones if not zone.length), None)


def has_zone(game: Game, unit: Unit) -> bool:
    """Whether a unit has a zone of control at full strength and in no special state. A unit that doesn't count in its place has none."""
    zone = zone_of_control(game)
    if zone is None or game.rules is None:
        return False
    values: dict[str, Any] = {"id": unit.id, "class": unit.class_, "type": unit.type, "size": unit.size}
    values |= {"side": unit.side, "nation": unit.nation, "formation": unit.formation, "steps": unit.steps}
    values |= dict(unit.factors) | dict.fromkeys(unit.abilities, True)
    return all(_holds(formula.expression, values) for formula in (zone.has, game.rules.present) if formula is not None)


def stops(game: Game, table: PointMap) -> set[str]:
    """The points that ranges reach but don't pass. A zone as long as a factor forbids going on from there."""
    zones = [zone for zone in game.rules.zones.values() if zone.length] if game.rules is not None else []
    steps = [step for zone in zones for step in game.rules.spread(zone.steps)] if game.rules is not None else []
    forbidding = [step.when.expression for step in steps if getattr(step, "forbid", False) and step.when is not None]
    return {
        key
        for key, point in table.points.items()
        if any(_holds(condition, {f"from.{point.terrain}": True}) for condition in forbidding)
    }

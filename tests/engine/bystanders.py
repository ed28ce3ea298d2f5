"""Who else stands on the map of a random battle, and what that answers; worked out from the pack, not from the module."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from assistant.attack import Fields, unit_fields
from scenarios.model.attacks import Attack, AttackInput, NearUnits
from scenarios.model.game import Game, Map
from scenarios.model.hexes import distance
from scenarios.model.maps import HexMap

Place = tuple[Any, int, int]


@dataclass
class Fighter:
    """A piece in a battle, or beside it."""

    name: str
    unit: str
    group: str
    place: Place
    states: list[str]
    told: dict[str, Any] = field(default_factory=dict)
    fights: bool = True


def steps_between(game: Game, table: Map, a: Any, b: Any) -> int | None:
    """Hexes or points from one place to another, None where no range leads: step by step, past nothing that stops it."""
    if isinstance(table, HexMap):
        return distance(a, b)
    reserve_points = {key for area in table.areas.values() if area.kind == "reserve" for key in area.points}
    reachable_points, steps = {a}, 0
    while b not in reachable_points:
        onward = [
            point
            for point in reachable_points
            if point not in reserve_points and game.terrain[table.points[point].terrain].name != "Red Sea crossing"
        ]
        further = reachable_points | {
            neighbour for point in onward for neighbour in table.adjacent(point) if neighbour not in reserve_points
        }
        if further == reachable_points:
            return None
        reachable_points, steps = further, steps + 1
    return steps


def fields_of(game: Game, fighter: Fighter) -> Fields:
    """What is known of a piece."""
    return unit_fields(game, fighter.unit, fighter.states)


def add_bystanders(
    game: Game, attack: Attack, places: Sequence[Place], dice: random.Random, first: int
) -> list[Fighter]:
    """Some units that the attack's questions mean, and some that they don't, at or near these places."""
    bystanders: list[Fighter] = []
    for near_units in (shape.units for shape in attack.inputs.values() if shape.units is not None):
        fitting = [key for key in game.units if _fits(near_units, unit_fields(game, key, []))]
        for _ in range(dice.randint(0, 2)):
            unit = dice.choice(fitting if fitting and dice.random() < 0.8 else [*game.units])
            bystanders.append(Fighter(f"p{first + len(bystanders)}", unit, "", dice.choice(places), [], fights=False))
    return bystanders


def _fits(near_units: NearUnits, fields: Fields) -> bool:
    return near_units.where is None or near_units.where.work({}, None, fields) is True


def count_answer(
    game: Game,
    table: Map,
    shape: AttackInput,
    attackers: Sequence[Fighter],
    target: Place | None,
    everyone: Sequence[Fighter],
) -> Any:
    """What the units on the map answer to a question; None where they don't."""
    near_units = shape.units
    assert near_units is not None
    worth: list[Fraction] = []
    for fighter in everyone:
        if fighter.unit not in game.units:
            continue
        fields = fields_of(game, fighter)
        if not _fits(near_units, fields) or not _has_fitting_owner(game, near_units, fields, attackers):
            continue
        reach = Fraction(near_units.within.work({}, None, fields)) if near_units.within is not None else Fraction(0)
        if any(
            _within(game, table, fighter, place, reach)
            for place in _places(shape, attackers, target, reach, near_units)
        ):
            worth.append(
                Fraction(near_units.worth.work({}, None, fields)) if near_units.worth is not None else Fraction(1)
            )
    if shape.kind == "flag":
        return bool(worth)
    return None if not worth else sum(worth, Fraction(0)) if near_units.total else max(worth)


def is_ambiguous(game: Game, shape: AttackInput, attackers: Sequence[Fighter]) -> bool:
    """Whether attackers of several sides (or nations) leave it open whose units are meant: the engine takes any of them."""
    if shape.units is None or shape.units.whose == "any":
        return False
    counters = [game.units.get(attacker.unit) or game.markers[attacker.unit] for attacker in attackers]
    word = "nation" if shape.units.whose == "nation" else "side"
    return len({getattr(counter, word, "") for counter in counters}) > 1


def _has_fitting_owner(game: Game, near_units: NearUnits, fields: Fields, attackers: Sequence[Fighter]) -> bool:
    if near_units.whose == "any":
        return True
    if not attackers:
        return False
    first = attackers[0].unit
    if first in game.markers:
        return near_units.whose != "nation" and (fields["side"] == game.markers[first].side) == (
            near_units.whose == "own"
        )
    attacker_unit = game.units[first]
    if near_units.whose == "nation":
        return bool(fields["nation"] == attacker_unit.nation)
    return (fields["side"] == attacker_unit.side) == (near_units.whose == "own")


def _places(
    shape: AttackInput, attackers: Sequence[Fighter], target: Place | None, reach: Fraction, near_units: NearUnits
) -> list[Place]:
    """The places that count; from attackers in several places nothing is measured."""
    attacker_places = list(dict.fromkeys(attacker.place for attacker in attackers))
    attacker_places = attacker_places if near_units.within is None or len(attacker_places) == 1 else []
    target_places = [target] if target is not None else []
    return {"targets": target_places, "attackers": attacker_places}.get(shape.at, [*target_places, *attacker_places])


def _within(game: Game, table: Map, fighter: Fighter, place: Place, reach: Fraction) -> bool:
    distance = steps_between(game, table, fighter.place[0], place[0])
    return distance is not None and distance <= reach

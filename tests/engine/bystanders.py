"""Who else stands on the map of a random battle, and what that answers; worked out from the pack, not from the module."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from assistant.attack import Fields, unit_fields
from scenarios.attacks import Attack, Input, NearUnits
from scenarios.game import Game, Map
from scenarios.hexes import distance
from scenarios.maps import HexMap

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


def away(game: Game, table: Map, a: Any, b: Any) -> int | None:
    """Hexes or points from one place to another, None where no range leads: step by step, past nothing that stops it."""
    if isinstance(table, HexMap):
        return distance(a, b)
    off = {key for area in table.areas.values() if area.kind == "reserve" for key in area.points}
    here, steps = {a}, 0
    while b not in here:
        onward = [
            one for one in here if one not in off and game.terrain[table.points[one].terrain].name != "Red Sea crossing"
        ]
        further = here | {there for one in onward for there in table.adjacent(one) if there not in off}
        if further == here:
            return None
        here, steps = further, steps + 1
    return steps


def fields_of(game: Game, one: Fighter) -> Fields:
    """What is known of a piece."""
    return unit_fields(game, one.unit, one.states)


def invited(game: Game, attack: Attack, places: Sequence[Place], dice: random.Random, first: int) -> list[Fighter]:
    """Some units that the attack's questions mean, and some that they don't, at or near these places."""
    found: list[Fighter] = []
    for near in (shape.units for shape in attack.inputs.values() if shape.units is not None):
        fitting = [key for key in game.units if _fits(near, unit_fields(game, key, []))]
        for _ in range(dice.randint(0, 2)):
            unit = dice.choice(fitting if fitting and dice.random() < 0.8 else [*game.units])
            found.append(Fighter(f"p{first + len(found)}", unit, "", dice.choice(places), [], fights=False))
    return found


def _fits(near: NearUnits, fields: Fields) -> bool:
    return near.where is None or near.where.work({}, None, fields) is True


def counted(
    game: Game,
    table: Map,
    shape: Input,
    attackers: Sequence[Fighter],
    target: Place | None,
    everyone: Sequence[Fighter],
) -> Any:
    """What the units on the map answer to a question; None where they don't."""
    near = shape.units
    assert near is not None
    worth: list[Fraction] = []
    for one in everyone:
        if one.unit not in game.units:
            continue
        fields = fields_of(game, one)
        if not _fits(near, fields) or not _theirs(game, near, fields, attackers):
            continue
        reach = Fraction(near.within.work({}, None, fields)) if near.within is not None else Fraction(0)
        if any(_within(game, table, one, there, reach) for there in _places(shape, attackers, target, reach, near)):
            worth.append(Fraction(near.worth.work({}, None, fields)) if near.worth is not None else Fraction(1))
    if shape.kind == "flag":
        return bool(worth)
    return None if not worth else sum(worth, Fraction(0)) if near.total else max(worth)


def mixed(game: Game, shape: Input, attackers: Sequence[Fighter]) -> bool:
    """Whether attackers of several sides (or nations) leave it open whose units are meant: the engine takes any of them."""
    if shape.units is None or shape.units.whose == "any":
        return False
    held = [game.units.get(one.unit) or game.markers[one.unit] for one in attackers]
    word = "nation" if shape.units.whose == "nation" else "side"
    return len({getattr(one, word, "") for one in held}) > 1


def _theirs(game: Game, near: NearUnits, fields: Fields, attackers: Sequence[Fighter]) -> bool:
    if near.whose == "any":
        return True
    if not attackers:
        return False
    first = attackers[0].unit
    if first in game.markers:
        return near.whose != "nation" and (fields["side"] == game.markers[first].side) == (near.whose == "own")
    other = game.units[first]
    if near.whose == "nation":
        return bool(fields["nation"] == other.nation)
    return (fields["side"] == other.side) == (near.whose == "own")


def _places(
    shape: Input, attackers: Sequence[Fighter], target: Place | None, reach: Fraction, near: NearUnits
) -> list[Place]:
    """The places that count; from attackers in several places nothing is measured."""
    stood = list(dict.fromkeys(one.place for one in attackers))
    stood = stood if near.within is None or len(stood) == 1 else []
    aimed = [target] if target is not None else []
    return {"targets": aimed, "attackers": stood}.get(shape.at, [*aimed, *stood])


def _within(game: Game, table: Map, one: Fighter, there: Place, reach: Fraction) -> bool:
    far = away(game, table, one.place[0], there[0])
    return far is not None and far <= reach

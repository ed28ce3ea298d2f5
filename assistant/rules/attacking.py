"""Who may attack whom, and who must: the records of `rules.attacking`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assistant.attack import Answer as Odds
from assistant.attack import Failure, Fields, odds
from assistant.rules.asked import Asked
from assistant.rules.battle import Battle
from assistant.rules.field import Field, Standing, no_unit
from scenarios.attacks import Distance
from scenarios.game import Game
from scenarios.inputs import Formula
from scenarios.rules.shapes import Demand, Duty


def fought(battle: Battle) -> Odds:
    """What an attack comes to, with every demand that isn't met: the attack's own and those of the rules."""
    found = odds(battle.field.game, battle.attack, battle.groups, battle.inputs)
    broken = tuple(_broken(battle))
    return (
        replace(found, refused=(*found.refused, *broken), failures=(*found.failures, *map(str, broken)))
        if broken
        else found
    )


def _broken(battle: Battle) -> Iterator[Failure]:
    rules = battle.field.program.rules.attacking
    group = battle.field.game.attacks[battle.attack].attackers
    for place, standing in enumerate(battle.attackers):
        for demand in unmet(battle.field, standing, battle.targets, battle.attack, battle.inputs):
            yield Failure(demand.text, demand.rule, group, place, standing.name)
    if rules is None:
        return
    more = {
        "hexes": len(battle.sources),
        "attackers": [standing.fields for standing in battle.attackers],
        "defenders": [standing.fields for standing in battle.defenders],
    }
    asked = Asked(battle.field, no_unit(battle.side), {"to": battle.targets[0]}, more)
    for demand in rules.together:
        if battle.field.holds_of(demand.when, asked) and not battle.field.holds_of(demand.that, asked):
            yield Failure(demand.text, demand.rule, "", -1, "")


def unmet(
    field: Field, standing: Standing, targets: Sequence[int], attack: str = "", inputs: Fields | None = None
) -> list[Demand | Distance]:
    """What forbids a unit to attack each of these places: its distance in that attack (in any attack, where none is named), and the
    demands on attackers."""
    rules = field.program.rules.attacking
    found: list[Demand | Distance] = []
    for target in targets:
        more = {"distance": field.kinds.distance(standing.at, target)}
        asked = Asked(field, field.walker(standing), {"from": standing.at, "to": target}, more)
        found = [
            *too_far(field, standing, target, attack, inputs or {}),
            *(
                demand
                for demand in (rules.may if rules is not None else ())
                if field.holds_of(demand.when, asked) and not field.holds_of(demand.that, asked)
            ),
        ]
        if not found:
            return []
    return found


def too_far(field: Field, standing: Standing, target: int, attack: str, inputs: Fields) -> list[Distance]:
    """The declared distance of an attack, where a unit stands elsewhere; without a name that of the first attack, where no attack fits."""
    away = field.kinds.distance(standing.at, target)
    failed = []
    for key, held in field.game.attacks.items():
        if held.distance is None or held.distance.most is None or (attack and key != attack):
            continue
        outside = outside_distance(field.game, key, away, {**standing.fields, **inputs})
        if outside is None:
            return []
        failed.append(outside)
    return failed[:1]


def outside_distance(game: Game, attack: str, away: int, known: Fields) -> Distance | None:
    """The distance that an attack declares, where a unit stands nearer or farther; `known` is what formulas may ask of unit and battle."""
    held = game.attacks[attack]
    if held.distance is None:
        return None
    shapes = {**held.inputs, **held.groups[held.attackers].inputs}
    values = {name: shape.usual for name, shape in shapes.items() if shape.usual is not None} | dict(known)

    def bound(formula: Formula | None) -> Any:
        lookup = game.tables
        return None if formula is None else formula.work(values, lambda key, keys: lookup[key].looked_up(*keys), None)

    least, most = bound(held.distance.least), bound(held.distance.most)
    fits = (least is None or away >= least) and (most is None or 0 <= away <= most)
    return None if fits else held.distance


def possible(field: Field, side: str) -> Mapping[int, tuple[Standing, ...]]:
    """The places with enemies that units of a side may attack, each with these units; next to them, where no rule says who may."""
    rules = field.program.rules.attacking
    declared = any(held.distance is not None and held.distance.most for held in field.game.attacks.values())
    own = field.of(side)
    found: dict[int, tuple[Standing, ...]] = {}
    for n in sorted({standing.at for standing in field.standings if standing.side != side}):
        if declared or (rules is not None and rules.may):
            able = tuple(standing for standing in own if not unmet(field, standing, (n,)))
        else:
            able = tuple(standing for standing in own if field.kinds.distance(standing.at, n) == 1)
        if able:
            found[n] = able
    return found


def duties(field: Field, side: str) -> Iterator[tuple[Duty, Standing]]:
    """Who of a side must attack, and which enemies must be attacked."""
    rules = field.program.rules.attacking
    for duty in rules.must if rules is not None else ():
        for standing in field.standings:
            if (standing.side == side) == duty.attack and field.holds(
                duty.when, field.walker(standing), to=standing.at
            ):
                yield duty, standing

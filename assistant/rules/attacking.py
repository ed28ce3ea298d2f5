"""Who may attack whom, and who must: the records of `rules.attacking`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from assistant.attack import Answer as Odds
from assistant.attack import Failure, Fields, odds
from assistant.rules.asked import Asked
from assistant.rules.battle import Battle
from assistant.rules.field import Field, Standing, no_unit
from scenarios.attacks import Distance
from scenarios.game import Game
from scenarios.inputs import Formula
from scenarios.rules.shapes import Demand, Duty, RuleRecord

NEXT_TO_IT = Demand(text="only units next to a place attack it", that=Formula("distance == 1"))
"""What holds where no attack declares a distance and no rule says who may attack."""


def fought(battle: Battle) -> Odds:
    """What an attack comes to, with every demand that isn't met: the attack's own and those of the rules."""
    found = odds(battle.field.game, battle.attack, battle.groups, battle.inputs)
    named = {(failure.text, failure.place) for failure in found.refused}
    broken = tuple(failure for failure in _broken(battle) if (failure.text, failure.place) not in named)
    return (
        replace(found, refused=(*found.refused, *broken), failures=(*found.failures, *map(str, broken)))
        if broken
        else found
    )


def _broken(battle: Battle) -> Iterator[Failure]:
    rules = battle.field.program.rules.attacking
    if not battle.targets:
        return
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
    for demand in rules.together:
        for target in battle.targets:
            asked = Asked(battle.field, no_unit(battle.side), {"to": target}, more)
            if battle.field.holds_of(demand.when, asked) and not battle.field.holds_of(demand.that, asked):
                yield Failure(demand.text, demand.rule, "", -1, "")
                break


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
    own = field.of(side)
    found: dict[int, tuple[Standing, ...]] = {}
    for n in sorted({standing.at for standing in field.standings if standing.side != side}):
        able = tuple(standing for standing in own if not _refusals(field, standing, n))
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


# --- what each stack has to attack ------------------------------------------------------------------------------------


class StackDuty(NamedTuple):
    """A stack with enemies that it may attack or has to."""

    place: int
    units: tuple[Standing, ...]
    """Those who can attack."""
    barred: tuple[tuple[Standing, Demand | Distance], ...]
    """The others, each with what keeps it from attacking anybody."""
    must: Duty | None
    whole: RuleRecord | None
    """The rule by which it attacks all of the enemies or none."""
    enemies: tuple[int, ...]
    """The places that it can attack; or could, but for what keeps its units from attacking anybody."""
    alone: tuple[int, ...]
    """Those of them that no other stack can attack."""


def in_front(field: Field, n: int, front: str) -> bool:
    """Whether a place is on one of the pack's fronts; on none, where that is empty."""
    rules = field.program.rules.attacking
    if not front or rules is None:
        return True
    return field.holds_of(rules.fronts[front].that, Asked(field, no_unit(), {"to": n}, None))


def stack_duties(field: Field, side: str, front: str = "") -> tuple[StackDuty, ...]:
    """The stacks of a side that can attack somebody, or could but for their own kind; on one front only, if it is named."""
    rules = field.program.rules.attacking
    bound = {standing: duty for duty, standing in duties(field, side) if duty.attack}
    places = {n for n in field.by_place if in_front(field, n, front)}
    targets = [n for n in places if any(standing.side != side for standing in field.by_place[n])]
    stacks: list[StackDuty] = []
    for n in sorted((n for n in places if field.stack(n, side)), key=field.kinds.name):
        stack = field.stack(n, side)
        able: dict[Standing, None] = {}
        barred: dict[Standing, Demand | Distance] = {}
        enemies: list[int] = []
        for target in targets:
            refusals = {unit: _refusals(field, unit, target) for unit in stack}
            near = {unit: found for unit, found in refusals.items() if all(_of_unit(field, one) for one in found)}
            enemies += [target] if near else []
            able |= dict.fromkeys(unit for unit, found in near.items() if not found)
            barred |= {unit: found[0] for unit, found in near.items() if found}
        if enemies:
            units = tuple(unit for unit in stack if unit in able)
            must = next((bound[unit] for unit in units if unit in bound), None)
            records = rules.whole if rules is not None and units and must is None else ()
            whole = next((one for one in records if field.holds(one.when, field.walker(units[0]), to=n)), None)
            others = tuple((unit, demand) for unit, demand in barred.items() if unit not in able)
            listed = tuple(sorted(enemies, key=field.kinds.name))
            stacks.append(StackDuty(n, units, others, must, whole, listed, ()))
    touched = [enemy for stack in stacks if stack.units for enemy in stack.enemies]
    return tuple(one._replace(alone=tuple(n for n in one.enemies if touched.count(n) == 1)) for one in stacks)


def _refusals(field: Field, standing: Standing, target: int) -> list[Demand | Distance]:
    """The demands on an attacker of a place that a unit doesn't meet, up to the first that isn't about the unit alone."""
    rules = field.program.rules.attacking
    distance = field.kinds.distance(standing.at, target)
    declared = any(attack.distance is not None and attack.distance.most for attack in field.game.attacks.values())
    if declared and (outside := too_far(field, standing, target, "", {})):
        return list(outside)
    if rules is None or not rules.may:
        return [] if declared or distance == 1 else [NEXT_TO_IT]
    asked = Asked(field, field.walker(standing), {"from": standing.at, "to": target}, {"distance": distance})
    found: list[Demand | Distance] = []
    for demand in rules.may:
        if field.holds_of(demand.when, asked) and not field.holds_of(demand.that, asked):
            found.append(demand)
            if not _of_unit(field, demand):
                break
    return found


def _of_unit(field: Field, demand: Demand | Distance) -> bool:
    """Whether a demand asks of the attacker alone, not of the places."""
    if isinstance(demand, Distance):
        return False
    names = field.program.names(demand.that) | field.program.names(demand.when)
    return not any("." in name or name == "distance" for name in names)

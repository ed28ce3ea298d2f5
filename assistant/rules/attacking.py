"""Who may attack whom, and who must: the records of `rules.attacking`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from assistant.attack import Answer as Odds
from assistant.attack import Failure, odds
from assistant.rules.asked import Asked
from assistant.rules.battle import Battle
from assistant.rules.field import Field, Standing, no_unit
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
    if rules is None:
        return
    group = battle.field.game.attacks[battle.attack].attackers
    for place, standing in enumerate(battle.attackers):
        for demand in unmet(battle.field, standing, battle.targets):
            yield Failure(demand.text, demand.rule, group, place, standing.name)
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


def unmet(field: Field, standing: Standing, targets: Sequence[int]) -> list[Demand]:
    """The demands on an attacker of one of these places that a unit doesn't meet."""
    rules = field.program.rules.attacking
    found: list[Demand] = []
    for target in targets:
        more = {"distance": field.kinds.distance(standing.at, target)}
        asked = Asked(field, field.walker(standing), {"from": standing.at, "to": target}, more)
        found = [
            demand
            for demand in (rules.may if rules is not None else ())
            if field.holds_of(demand.when, asked) and not field.holds_of(demand.that, asked)
        ]
        if not found:
            return []
    return found


def possible(field: Field, side: str) -> Mapping[int, tuple[Standing, ...]]:
    """The places with enemies that units of a side may attack, each with these units; next to them, where no rule says who may."""
    rules = field.program.rules.attacking
    own = field.of(side)
    found: dict[int, tuple[Standing, ...]] = {}
    for n in sorted({standing.at for standing in field.standings if standing.side != side}):
        if rules is not None and rules.may:
            able = tuple(standing for standing in own if _may(field, standing, n))
        else:
            able = tuple(standing for standing in own if field.kinds.distance(standing.at, n) == 1)
        if able:
            found[n] = able
    return found


def _may(field: Field, standing: Standing, target: int) -> bool:
    """Whether a unit meets every demand on attackers of a place."""
    rules = field.program.rules.attacking
    more = {"distance": field.kinds.distance(standing.at, target)}
    asked = Asked(field, field.walker(standing), {"from": standing.at, "to": target}, more)
    demands = rules.may if rules is not None else ()
    return all(not field.holds_of(demand.when, asked) or field.holds_of(demand.that, asked) for demand in demands)


def duties(field: Field, side: str) -> Iterator[tuple[Duty, Standing]]:
    """Who of a side must attack, and which enemies must be attacked."""
    rules = field.program.rules.attacking
    for duty in rules.must if rules is not None else ():
        for standing in field.standings:
            if (standing.side == side) == duty.attack and field.holds(
                duty.when, field.walker(standing), to=standing.at
            ):
                yield duty, standing

"""Scenarios: who fights, with what, where, how long, and what wins."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from scenarios.areas import AreaField
from scenarios.boards import Arrangement
from scenarios.inputs import FormulaField
from scenarios.reading.findings import instead
from scenarios.reading.shapes import Findings, Record, key_of, noted, place, record
from scenarios.rules.shapes import Need, RuleRecord, SetUp
from scenarios.sources import IdField, Sourced


@record
class Side(Record):
    """A player's side."""

    shorthand: ClassVar[str] = "name"
    name: str = noted("What it is called.")
    nations: tuple[IdField, ...] = noted("Its nations, where a scenario divides them otherwise.", ())
    note: str = noted("What else holds for it.", "")


@record
class Sooner(RuleRecord):
    """A turn after which the game is over already, where something holds."""

    last: int = noted("The last turn then.")


@record
class Turns(Record):
    """How long a scenario lasts."""

    first: int = noted("The first turn.", 1)
    last: int = noted("The last turn.")
    sooner: Sooner | None = noted(
        "It may be over sooner: {last: 10, text: ..., when: turn <= 10 and not told.extended}.", None
    )
    note: str = noted("What may end it sooner or later.", "")


@record
class Arrival(Record):
    """A time and a place at which a group may arrive."""

    turn: int = noted("The turn of arrival; the first possible one where there is a choice.")
    until: int | None = noted("The last turn it may arrive; left out when there is no choice.", None)
    at: AreaField | None = noted("Where it enters.", None)


@record
class Entry(Arrival):
    """When and where a group arrives."""

    together: bool = noted("True when all its units must enter on one turn.", False)
    condition: str = noted("What must be true for it to come at all.", "")
    instead: tuple[Arrival, ...] = noted("Other times and places at which its owner may bring it instead.", ())

    @property
    def ways(self) -> tuple[Arrival, ...]:
        """Every time and place at which it may arrive, one of which its owner chooses."""
        return (self, *self.instead)


@record
class Group(Sourced):
    """Units that set up or arrive together."""

    id: IdField = noted("Its letter or name in the scenario.", "")
    name: str = noted("What it is called.", "")
    nation: IdField = noted("Its nation.", "")
    formation: str = noted("The formation it belongs to.", "")
    units: Mapping[IdField, int] = noted("How many of each counter.", {})
    markers: Mapping[IdField, int] = noted("How many of each marker or construction.", {})
    at: AreaField | None = noted("Where it sets up.", None)
    each: tuple[AreaField, ...] = noted(
        "Or places each of which has these units: {units: {fort: 1}, each: [0101, 0305]}.", ()
    )
    enters: Entry | None = noted("When and where it arrives, if it isn't on the map.", None)
    states: tuple[IdField, ...] = noted("The states its units start in.", ())
    steps_lost: int = noted("Steps that each of its units has already lost.", 0)
    order: int = noted("Which sets up first: 1, then 2.", 0)
    only_with: str = noted(
        "The optional rules that bring it into the game; without them it has no part: the advanced air rules.", ""
    )
    note: str = noted("What else holds for it.", "")


SHORT = 2
"""A group's own letter has at most so many characters."""


def called(group: Group) -> str:
    """The letter or short name that a group has by its id: `A`, `N1`, or the A of `A-bridges`, a part of Group A."""
    name = group.id.partition("-")[0]
    return name if len(name) <= SHORT and name != name.lower() else ""


def lettered(group: Group, name: str) -> str:
    """A group's name with its letter before it, unless it says so itself: 'Group A, 125th Brigade'."""
    letter = called(group)
    said = f"Group {letter}" if letter else ""
    return name if not said or said in name else f"{said}, {name}" if name else said


@record
class Support(Sourced):
    """Artillery off the map, air strikes, boats: what has strength but no counter of its own."""

    kind: IdField = noted("artillery, air_strike, assault_boat ...")
    name: str = noted("What it is.")
    nation: IdField = noted("Whose it is.", "")
    count: int = noted("How many.")
    weapon: str = noted("Its weapon type.", "")
    strength: Fraction | None = noted("The attack strength of each.", None)
    note: str = noted("When and how it may be used.", "")


@record
class Effect(Record):
    """What a special rule changes, for a program."""

    effect: IdField = noted("Its id, from `effects`.")
    side: IdField = noted("Whom it touches.", "")
    nation: IdField = noted("Which nation.", "")
    units: tuple[IdField, ...] = noted("Which counters.", ())
    at: AreaField | None = noted("Where.", None)
    value: str = noted("How much.", "")
    turns: str = noted("When: 1-3, 5+.", "")


@record
class Special(Sourced):
    """A rule of this scenario alone."""

    shorthand: ClassVar[str] = "text"
    text: str = noted("The rule in our own words.")
    effects: tuple[Effect, ...] = noted("What it changes, for a program.", ())
    set_up: tuple[SetUp, ...] = noted("What a set-up has to keep to by it.", ())


@record
class Who(Record):
    """Which units a victory line counts."""

    side: IdField = noted("Of this side.", "")
    nation: IdField = noted("Of this nation.", "")
    units: tuple[IdField, ...] = noted("These counters.", ())
    classes: tuple[IdField, ...] = noted("These classes.", ())
    except_: tuple[IdField, ...] = noted("But not these counters.", ())
    groups: tuple[IdField, ...] = noted("Of these groups.", ())


@record
class Victory(Sourced):
    """One way to earn victory points, or to win outright."""

    side: IdField = noted("Who earns it.")
    player: str = noted("Which of the game's `players`, where several play one side.", "")
    text: str = noted("The condition as one sentence of our own.")
    points: Fraction | None = noted("How many points.", None)
    wins: bool = noted("True when this decides the game.", False)
    per: Literal["once", "unit", "hex", "point", "turn", "step", "other"] = noted("What the points are for.", "once")
    event: Literal[
        "eliminated",
        "exited",
        "remaining",
        "occupied",
        "controlled",
        "vacant",
        "entered",
        "survived",
        "supplied",
        "other",
    ] = noted("What must have happened.")
    who: Who | None = noted("To which units.", None)
    at: AreaField | None = noted("Where.", None)
    where: FormulaField = noted("Only in places for which this holds: an expression of `to`.", None)
    turns: str = noted("For the event `exited`: in which turns, 1-6 or 7+.", "")
    least: int = noted("How many are needed at least.", 1)
    most: int | None = noted("Of a line that wins: so many at most, instead of at least; 0 for none.", None)
    condition: str = noted("What must be true for the line to count, in words.", "")
    needs: tuple[Need, ...] = noted(
        "The same as records that a position is held against; what is missing to win is told.", ()
    )
    times: FormulaField = noted("For the event `other`: how often it counts, an expression of the position.", None)


@record
class Force(Sourced):
    """What one side has."""

    groups: tuple[Group, ...] = noted("Its units, in groups.", (), sheet=True)
    support: tuple[Support, ...] = noted("What it has off the map.", (), sheet=True)


@record
class Scenario(Sourced):
    """A battle or campaign ready to play."""

    title: str = noted("Its name.")
    date: str = noted("When it was fought.", "")
    year: int | None = noted("The year, where rules depend on it.", None)
    summary: str = noted("What happens, in our own words.", "")
    level: str = noted("Which rules it needs.", "")
    like: IdField = noted("The scenario this one is built on; what is given here is added or replaces.", "")
    map: IdField = noted("The map it is played on.", "")
    arrangement: Arrangement | None = noted("Or the boards and how they lie.", None)
    sides: Mapping[IdField, Side] = noted("Its sides, where they aren't the game's.", {})
    sequence: IdField = noted("The sequence of play it follows.", "")
    turns: Turns | None = noted("How long it lasts.", None)
    first: IdField = noted("The side that moves first.", "")
    sets_up_first: IdField = noted("The side that sets up first.", "")
    morale: Mapping[IdField, str] = noted("Morale level by nation.", {})
    forces: Mapping[IdField, Force] = noted("What each side has.", {}, sheet=True)
    special: tuple[Special, ...] = noted("Special rules.", ())
    victory: tuple[Victory, ...] = noted("How points are earned and who wins.", (), sheet=True)
    zones: Mapping[IdField, AreaField] = noted("Areas named for this scenario.", {})
    notes: tuple[str, ...] = noted("What else a player should know.", ())


def spread(scenario: Scenario, findings: Findings) -> Scenario:
    """A scenario whose groups that stand in each of several places are one group for each of them."""
    forces = {}
    for side, force in scenario.forces.items():
        groups: list[Group] = []
        for group in force.groups:
            if group.each and (group.at is not None or group.enters is not None):
                findings.at(
                    place(group, "each"),
                    "a group sets up `at` a place, in `each` of several, or enters; give one of them",
                )
            groups += [dataclasses.replace(group, at=area, each=()) for area in group.each] or [group]
        forces[side] = dataclasses.replace(force, groups=tuple(groups)) if len(groups) != len(force.groups) else force
    if all(forces[side] is force for side, force in scenario.forces.items()):
        return scenario
    return dataclasses.replace(scenario, forces=MappingProxyType(forces))


def grown(key: str, scenarios: Mapping[str, Scenario], findings: Findings, below: tuple[str, ...] = ()) -> Scenario:
    """A scenario with what it takes over from the one it is like; its own groups and lines are added."""
    own = scenarios[key]
    if not own.like:
        return own
    if own.like not in scenarios or own.like in (*below, key):
        others = [k for k in scenarios if k not in (*below, key)]
        findings.at(place(own, "like"), f"it can't be like {own.like!r}; {instead(own.like, others)}")
        return own
    base = grown(own.like, scenarios, findings, (*below, key))
    assert own.node is not None and own.node.entries is not None
    given = set(own.node.entries)
    changes: dict[str, Any] = {
        f.name: getattr(base, f.name)
        for f in dataclasses.fields(Scenario)
        if f.name != "node" and key_of(f.name) not in given
    }
    forces = dict(base.forces)
    for side, force in own.forces.items():
        old = forces.get(side)
        if old is not None:
            force = dataclasses.replace(force, groups=old.groups + force.groups, support=old.support + force.support)
        forces[side] = force
    changes["forces"] = MappingProxyType(forces)
    changes["special"] = base.special + own.special
    changes["victory"] = base.victory + own.victory
    return dataclasses.replace(own, **changes)

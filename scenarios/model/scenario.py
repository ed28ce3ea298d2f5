"""Scenarios: the sides and their forces, the set-up, the length and the victory conditions."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from scenarios.model.areas import AreaField
from scenarios.model.attack_inputs import FormulaField
from scenarios.model.boards import Arrangement
from scenarios.model.sources import IdField, Sourced
from scenarios.reading.findings import suggest
from scenarios.reading.shapes import Findings, Record, documented_field, key_of, place, record
from scenarios.rules.records import RuleRecord
from scenarios.rules.shapes import Need, SetUp


@record
class Side(Record):
    """A player's side."""

    shorthand: ClassVar[str] = "name"
    name: str = documented_field("What it is called.")
    nations: tuple[IdField, ...] = documented_field("Its nations, where a scenario divides them otherwise.", ())
    note: str = documented_field("What else holds for it.", "")


@record
class Sooner(RuleRecord):
    """A turn after which the game ends early, if a condition is true."""

    last: int = documented_field("The last turn then.")


@record
class Turns(Record):
    """The length of a scenario."""

    first: int = documented_field("The first turn.", 1)
    last: int = documented_field("The last turn.")
    early_end: Sooner | None = documented_field(
        "It may be over sooner: {last: 10, text: ..., when: turn <= 10 and not input.extended}.", None
    )
    note: str = documented_field("What may end it sooner or later.", "")


@record
class Arrival(Record):
    """A time and a place at which a group may arrive."""

    turn: int = documented_field("The turn of arrival; the first possible one where there is a choice.")
    until: int | None = documented_field("The last turn it may arrive; left out when there is no choice.", None)
    at: AreaField | None = documented_field("Where it enters.", None)


@record
class Entry(Arrival):
    """When and where a group arrives."""

    together: bool = documented_field("True when all its units must enter on one turn.", False)
    condition: str = documented_field("What must be true for it to come at all.", "")
    instead: tuple[Arrival, ...] = documented_field(
        "Other times and places at which its owner may bring it instead.", ()
    )

    @property
    def ways(self) -> tuple[Arrival, ...]:
        """Every time and place at which the group may arrive. Its owner chooses one."""
        return (self, *self.instead)


@record
class Group(Sourced):
    """Units that set up or arrive together."""

    id: IdField = documented_field("Its letter or name in the scenario.", "")
    name: str = documented_field("What it is called.", "")
    nation: IdField = documented_field("Its nation.", "")
    formation: str = documented_field("The formation it belongs to.", "")
    units: Mapping[IdField, int] = documented_field("How many of each counter.", {})
    markers: Mapping[IdField, int] = documented_field("How many of each marker or construction.", {})
    at: AreaField | None = documented_field("Where it sets up.", None)
    at_each: tuple[AreaField, ...] = documented_field(
        "Or places each of which has these units: {units: {fort: 1}, each: [0101, 0305]}.", ()
    )
    enters: Entry | None = documented_field("When and where it arrives, if it isn't on the map.", None)
    states: tuple[IdField, ...] = documented_field("The states its units start in.", ())
    steps_lost: int = documented_field("Steps that each of its units has already lost.", 0)
    order: int = documented_field("Which sets up first: 1, then 2.", 0)
    only_with: str = documented_field(
        "The optional rules that bring it into the game; without them it has no part: the advanced air rules.", ""
    )
    note: str = documented_field("What else holds for it.", "")


SHORT = 2
"""The maximum length of a group's letter."""


def group_label(group: Group) -> str:
    """The letter or short name in a group's id: `A`, `N1`, or the A of `A-bridges`, which is a part of Group A."""
    name = group.id.partition("-")[0]
    return name if len(name) <= SHORT and name != name.lower() else ""


def labelled_name(group: Group, name: str) -> str:
    """A group's name after its letter, unless the name already has it: 'Group A, 125th Brigade'."""
    letter = group_label(group)
    letter_name = f"Group {letter}" if letter else ""
    return name if not letter_name or letter_name in name else f"{letter_name}, {name}" if name else letter_name


@record
class Support(Sourced):
    """Support off the map: artillery, air strikes, boats. It has strength but no counter of its own."""

    kind: IdField = documented_field("artillery, air_strike, assault_boat ...")
    name: str = documented_field("What it is.")
    nation: IdField = documented_field("Whose it is.", "")
    count: int = documented_field("How many.")
    weapon: str = documented_field("Its weapon type.", "")
    strength: Fraction | None = documented_field("The attack strength of each.", None)
    note: str = documented_field("When and how it may be used.", "")


@record
class Effect(Record):
    """The effect of a special rule, in a form for programs."""

    effect: IdField = documented_field("Its id, from `effects`.")
    side: IdField = documented_field("Whom it touches.", "")
    nation: IdField = documented_field("Which nation.", "")
    units: tuple[IdField, ...] = documented_field("Which counters.", ())
    at: AreaField | None = documented_field("Where.", None)
    value: str = documented_field("How much.", "")
    turns: str = documented_field("When: 1-3, 5+.", "")


@record
class Special(Sourced):
    """A special rule of this scenario."""

    shorthand: ClassVar[str] = "text"
    text: str = documented_field("The rule in our own words.")
    effects: tuple[Effect, ...] = documented_field("What it changes, for a program.", ())
    set_up: tuple[SetUp, ...] = documented_field("What a set-up has to keep to by it.", ())


@record
class Who(Record):
    """The units that a victory line counts."""

    side: IdField = documented_field("Of this side.", "")
    nation: IdField = documented_field("Of this nation.", "")
    units: tuple[IdField, ...] = documented_field("These counters.", ())
    classes: tuple[IdField, ...] = documented_field("These classes.", ())
    except_: tuple[IdField, ...] = documented_field("But not these counters.", ())
    groups: tuple[IdField, ...] = documented_field("Of these groups.", ())


@record
class Victory(Sourced):
    """One way to earn victory points, or to win outright."""

    side: IdField = documented_field("Who earns it.")
    player: str = documented_field("Which of the game's `players`, where several play one side.", "")
    text: str = documented_field("The condition as one sentence of our own.")
    points: Fraction | None = documented_field("How many points.", None)
    wins: bool = documented_field("True when this decides the game.", False)
    per: Literal["once", "unit", "hex", "point", "turn", "step", "other"] = documented_field(
        "What the points are for.", "once"
    )
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
    ] = documented_field("What must have happened.")
    who: Who | None = documented_field("To which units.", None)
    at: AreaField | None = documented_field("Where.", None)
    where: FormulaField = documented_field("Only in places for which this holds: an expression of `to`.", None)
    lost: FormulaField = documented_field(
        "For the event `eliminated` with a box: units in a pile of the dead that is no box count too if this holds for them.",
        None,
    )
    turns: str = documented_field("For the event `exited`: in which turns, 1-6 or 7+.", "")
    at_least: int = documented_field("How many are needed at least.", 1)
    at_most: int | None = documented_field(
        "Of a line that wins: so many at most, instead of at least; 0 for none.", None
    )
    condition: str = documented_field(
        "What must be true for the line to count, in words; `the table NAME` for the table of levels.", ""
    )
    needs: tuple[Need, ...] = documented_field(
        "The same as records that a position is checked against; the answer names what is missing to win.", ()
    )
    times: FormulaField = documented_field(
        "For the event `other`: how often it counts, an expression of the position.", None
    )
    at_end: bool = documented_field("Of a line that wins: it decides at the end of the last turn, not at once.", False)


@record
class Force(Sourced):
    """The forces of one side."""

    groups: tuple[Group, ...] = documented_field("Its units, in groups.", (), sheet=True)
    support: tuple[Support, ...] = documented_field("What it has off the map.", (), sheet=True)


@record
class Scenario(Sourced):
    """A battle or campaign ready to play."""

    title: str = documented_field("Its name.")
    date: str = documented_field("When it was fought.", "")
    year: int | None = documented_field("The year, where rules depend on it.", None)
    summary: str = documented_field("What happens, in our own words.", "")
    level: str = documented_field("Which rules it needs.", "")
    like: IdField = documented_field("The scenario this one is built on; what is given here is added or replaces.", "")
    map: IdField = documented_field("The map it is played on.", "")
    arrangement: Arrangement | None = documented_field("Or the boards and how they lie.", None)
    sides: Mapping[IdField, Side] = documented_field("Its sides, where they aren't the game's.", {})
    sequence: IdField = documented_field("The sequence of play it follows.", "")
    turns: Turns | None = documented_field("How long it lasts.", None)
    first: IdField = documented_field("The side that moves first.", "")
    sets_up_first: IdField = documented_field("The side that sets up first.", "")
    morale: Mapping[IdField, str] = documented_field("Morale level by nation.", {})
    forces: Mapping[IdField, Force] = documented_field("What each side has.", {}, sheet=True)
    special: tuple[Special, ...] = documented_field("Special rules.", ())
    victory: tuple[Victory, ...] = documented_field("How points are earned and who wins.", (), sheet=True)
    zones: Mapping[IdField, AreaField] = documented_field("Areas named for this scenario.", {})
    notes: tuple[str, ...] = documented_field("What else a player should know.", ())


def spread(scenario: Scenario, findings: Findings) -> Scenario:
    """Split every group that stands in each of several places into one group for each place."""
    forces = {}
    for side, force in scenario.forces.items():
        groups: list[Group] = []
        for group in force.groups:
            if group.at_each and (group.at is not None or group.enters is not None):
                findings.add(
                    place(group, "at_each"),
                    "a group sets up `at` a place, `at_each` of several, or enters; give one of them",
                )
            groups += [dataclasses.replace(group, at=area, at_each=()) for area in group.at_each] or [group]
        forces[side] = dataclasses.replace(force, groups=tuple(groups)) if len(groups) != len(force.groups) else force
    if all(forces[side] is force for side, force in scenario.forces.items()):
        return scenario
    return dataclasses.replace(scenario, forces=MappingProxyType(forces))


def inherit_scenario(
    key: str, scenarios: Mapping[str, Scenario], findings: Findings, descendants: tuple[str, ...] = ()
) -> Scenario:
    """Merge a scenario with the one it is `like`. Its own groups and lines are added."""
    scenario = scenarios[key]
    if not scenario.like:
        return scenario
    if scenario.like not in scenarios or scenario.like in (*descendants, key):
        candidates = [k for k in scenarios if k not in (*descendants, key)]
        findings.add(
            place(scenario, "like"), f"it can't be like {scenario.like!r}; {suggest(scenario.like, candidates)}"
        )
        return scenario
    base = inherit_scenario(scenario.like, scenarios, findings, (*descendants, key))
    assert scenario.node is not None and scenario.node.entries is not None
    own_keys = set(scenario.node.entries)
    changes: dict[str, Any] = {
        f.name: getattr(base, f.name)
        for f in dataclasses.fields(Scenario)
        if f.name != "node" and key_of(f.name) not in own_keys
    }
    forces = dict(base.forces)
    for side, force in scenario.forces.items():
        old = forces.get(side)
        if old is not None:
            force = dataclasses.replace(force, groups=old.groups + force.groups, support=old.support + force.support)
        forces[side] = force
    changes["forces"] = MappingProxyType(forces)
    changes["special"] = base.special + scenario.special
    changes["victory"] = base.victory + scenario.victory
    return dataclasses.replace(scenario, **changes)

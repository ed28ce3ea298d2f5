"""What `rules.procedures` may hold: several rolls in a row over groups of units and counters, as an ordered list of stages.

A procedure answers the question of its name. `assistant/engine/procedures/` solves it as one exact chain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cached_property
from typing import Literal

from scenarios.model.attack_inputs import AttackInput, Formula, FormulaField
from scenarios.model.attacks import Requirement
from scenarios.model.sources import IdField, Sourced
from scenarios.reading.shapes import Record, documented_field, record
from scenarios.rules.counters import RuleCounter
from scenarios.rules.records import RuleRecord

MAX_GROUPS = 8
MAX_STAGES = 40
"""How many groups and stages a procedure may have."""
MAX_UNITS = 30
MAX_TURNS = 40
MAX_STATES = 200_000
"""How many units a group may have, how many turns a forecast covers, and how many states a procedure may reach."""


@record
class GroupRead(Record):
    """Where the units of a group stand on a map."""

    whose: Literal["own", "enemy", "any"] = documented_field(
        "Whose units: of the side that acts, of its enemies, or of anybody.", "any"
    )
    where: FormulaField = documented_field("Which of them: an expression of the unit; all, if left out.", None)
    zone: IdField = documented_field(
        "Units whose zone of this name covers the place; units in the place itself, if left out.", ""
    )
    with_: IdField = documented_field("Units stacked with those of this group instead.", "")
    from_: bool = documented_field(
        "Units in the places that the question names as `from` instead; of a group with `stacks`, each place is a stack.",
        False,
    )
    same: str = documented_field(
        "Of a group that `supports` another: only units that have the same value of this name as that group's units, such as `nation`.",
        "",
    )


@record
class ProcedureGroup(Record):
    """A set of units that takes part in a procedure."""

    title: str = documented_field("What the group is called.")
    keep: Literal["kinds", "units"] = documented_field(
        "`units` follows every unit by itself, for the chances of each; `kinds` counts equal units, which is much faster.",
        "kinds",
    )
    supports: IdField = documented_field(
        "The group that this one supports: expressions about that group see this one as `own_support` or `enemy_support`.",
        "",
    )
    worth: FormulaField = documented_field(
        "What a unit counts in the sums of losses: a whole number, an expression of the unit; 1, if left out.", None
    )
    order: tuple[FormulaField, ...] = documented_field(
        "Who of the group is lost first, the least first; the policy `losses` says it, if left out.", ()
    )
    at_least: int = documented_field("How many units it must have.", 1)
    at_most: int | None = documented_field("How many units it may have.", None)
    markers: bool = documented_field("Whether markers may be in it.", False)
    inputs: Mapping[IdField, AttackInput] = documented_field("What is asked of each unit.", {})
    values: Mapping[IdField, FormulaField] = documented_field("Values worked out for each unit, in order.", {})
    stacks: bool = documented_field(
        "Its units stand in several stacks: `stack_number` of a unit tells them apart.", False
    )
    read: GroupRead | None = documented_field("Where on a map its units stand, for a question that names none.", None)
    states: Mapping[IdField, FormulaField] = documented_field(
        "States that the rules give units whose place is known: a state, and when a unit is in it. `from` is where it stands, `to` the "
        "place where it happens, `distance` how far apart they are.",
        {},
    )
    barred: tuple[RuleRecord, ...] = documented_field(
        "Why a unit may not take part, asked of each unit whose place is known, with `from`, `to` and `distance`.", ()
    )
    stacking: bool = documented_field(
        "The units of a stack must be allowed to stand together: `stacking` is asked of those that the question names.",
        False,
    )


@record
class PolicyChoice(Record):
    """One choice of a policy."""

    text: str = documented_field("What it means, in a sentence.")
    order: tuple[FormulaField, ...] = documented_field(
        "For the policies `losses` and `leaving`: which unit is first, the least first.", ()
    )


@record
class Policy(Record):
    """A decision that the owner of a group makes before the procedure: `policy.NAME` in expressions."""

    title: str = documented_field("What is decided.")
    kind: Literal["choice", "number", "flag"] = documented_field("What the decision is.", "choice")
    choices: Mapping[IdField, PolicyChoice] = documented_field("The choices; the first is the default.", {})
    default: str | None = documented_field("The decision where none is given.", None)
    groups: tuple[IdField, ...] = documented_field("The groups whose owners decide; all, if left out.", ())


@record
class LossRule(Record):
    """What a loss does to a group."""

    enemy_order: tuple[FormulaField, ...] = documented_field(
        "Who is lost first where the enemy chooses, the least first; the owner's order, if left out.", ()
    )
    breaks: bool = documented_field(
        "A unit with `breaks_into` becomes its parts. Without enough counters for them it is lost whole, for as many losses as it has "
        "parts, and its owner takes such a loss last.",
        False,
    )


@record
class ActingLimit(Record):
    """A limit on how many units of a group act together."""

    first: tuple[FormulaField, ...] = documented_field("Which units come first, the least first.", ())
    that: FormulaField = documented_field("What has to be true of those that act: the group `stack`.")


@record
class Stage(RuleRecord):
    """One stage of a procedure, with exactly one effect."""

    text: str = documented_field("What happens, in a few words; that of the stage it is `like`, if left out.", "")
    id: IdField = documented_field("A name for other stages that are `like` this one.", "")
    like: IdField = documented_field("The stage that this one takes over every key from that isn't given here.", "")
    of: IdField = documented_field("The group that acts or suffers: its name, or `first` or `second`.", "")

    fire: IdField = documented_field("Units of the group `of` make this attack on the group `at`.", "")
    at: IdField = documented_field("For `fire`: the group that is fired at. Without it only counters change.", "")
    by: Literal["each", "all", "volleys"] = documented_field(
        "For `fire`: every unit by itself, in the listed order; all together; or in as few and full volleys as `most` allows.",
        "each",
    )
    most: FormulaField = documented_field("For `by: volleys`: how much strength fires at once.", None)
    simultaneous: FormulaField = documented_field(
        "For `fire`: where it holds, this fire and the simultaneous one next to it see the groups as they were before both.",
        None,
    )
    who: FormulaField = documented_field("For `fire`: which units of `of` fire; all, if left out.", None)
    among: FormulaField = documented_field("For `fire`: which units of `at` may be hit; all, if left out.", None)
    within: ActingLimit | None = documented_field("For `fire`: how many of them fire at once at most.", None)
    with_: Mapping[IdField, FormulaField] = documented_field(
        "For `fire`: the inputs of the attack, each an expression; an input of the procedure with the same name is used without it.",
        {},
    )

    table: IdField = documented_field("A roll on this table; `results` carry out its effects.", "")
    column: FormulaField = documented_field("For `table`: its column, where it has several.", None)
    draw: IdField = documented_field(
        "One unit or marker of this group, each equally likely, leaves it; `results` carry out the effects of the result of its id on "
        "the `table`.",
        "",
    )
    change: Mapping[IdField, FormulaField] = documented_field(
        "Counters take these values, all worked out before any of them changes. With `of`, once for each unit for which `when` holds.",
        {},
    )
    roll: str = documented_field("For `change` and for effects on units: it needs a roll of these dice,", "")
    needs: FormulaField = documented_field("for which this is true: an expression of `roll`.", None)
    set: IdField = documented_field("Units of the group for which `when` holds come into this state.", "")
    clear: IdField = documented_field("Units of the group for which `when` holds come out of this state.", "")
    lose: FormulaField = documented_field("Units of the group for which `when` holds lose so many steps.", None)
    eliminate: bool = documented_field("Units of the group for which `when` holds are eliminated.", False)
    send: IdField = documented_field("Units of the group for which `when` holds leave it for this box.", "")
    leave: bool = documented_field(
        "The whole group leaves by choice, or nobody where one of it can't; `when` is asked of the group.", False
    )
    end: str = documented_field("The procedure ends: `true`, or a word that outcomes ask for as `ended`.", "")


STAGE_EFFECTS = ("fire", "table", "draw", "change", "set", "clear", "lose", "eliminate", "send", "leave", "end")
"""The effects of a stage, of which it has exactly one. A stage that draws may name a table too."""


def effects_of(stage: Stage) -> list[str]:
    """The effects that a stage has. A stage is valid if there is exactly one."""
    effects = [name for name in STAGE_EFFECTS if getattr(stage, name)]
    return [name for name in effects if name != "table"] if stage.draw else effects


@record
class ProcedureOutcome(RuleRecord):
    """A name for how a procedure ends. The first outcome that holds counts."""

    is_: Mapping[IdField, str] = documented_field("What is so then, in words: {holder: attacker}.", {})


@record
class ProcedureNote(RuleRecord):
    """Something a player is told where it holds."""

    each: IdField = documented_field("A group: it is asked of each unit, and those for which it holds are named.", "")
    amount: FormulaField = documented_field("A number that is told with it.", None)


@record
class WhatIf(Record):
    """A change that a what-if tries."""

    text: str = documented_field("The change in a few words.")
    when: FormulaField = documented_field(
        "When it is tried: an expression of the groups as they begin; always, if left out.", None
    )
    add: Mapping[IdField, FormulaField] = documented_field(
        "Groups that get one more unit or marker: an expression that gives its id.", {}
    )
    inputs: Mapping[IdField, FormulaField] = documented_field("Inputs that take other values, as expressions.", {})
    set: Mapping[IdField, IdField] = documented_field("Groups whose units all come into a state.", {})
    clear: Mapping[IdField, IdField] = documented_field("Groups whose units all come out of a state.", {})


@record
class PlaceDemand(RuleRecord):
    """A condition on the place on a map where a procedure happens."""

    that: FormulaField = documented_field("What has to be true of the place, such as not to.sea.")


@record
class Procedure(Sourced):
    """Several rolls in a row over groups of units and counters. It answers the question of its name."""

    title: str = documented_field("What it is called.")
    note: str = documented_field("What else holds for it.", "")
    side: IdField = documented_field("Who acts, where no unit is named.", "")
    first: FormulaField = documented_field(
        "The name of the group that goes first; stages name it as `first` and its enemy as `second`.", None
    )
    groups: Mapping[IdField, ProcedureGroup] = documented_field(
        "The sets of units; the first two oppose each other.", {}
    )
    inputs: Mapping[IdField, AttackInput] = documented_field("What is asked of the whole procedure.", {})
    values: Mapping[IdField, FormulaField] = documented_field("Values worked out from inputs and groups, in order.", {})
    requires: tuple[Requirement, ...] = documented_field("What must be true for it to be allowed.", ())
    places: tuple[PlaceDemand, ...] = documented_field("Where on a map it may happen.", ())
    policies: Mapping[IdField, Policy] = documented_field(
        "What owners decide. `losses` says who is lost first, `leaving` who leaves first.", {}
    )
    losses: LossRule | None = documented_field("What a loss is, where it is more than one step of one unit.", None)
    counters: Mapping[IdField, RuleCounter] = documented_field("Counters of this procedure alone.", {})
    stages: tuple[Stage, ...] = documented_field("What happens once, in order.", ())
    rounds: tuple[Stage, ...] = documented_field("What happens then, again and again until a stage ends it.", ())
    turns: tuple[Stage, ...] = documented_field(
        "What happens then in each turn of a forecast, for as many turns as the question asks.", ()
    )
    outcomes: tuple[ProcedureOutcome, ...] = documented_field(
        "How it can end; here `gone.GROUP` and `away.GROUP` are the worth of who is lost and of who left.", ()
    )
    together: tuple[IdField, ...] = documented_field(
        "What is answered jointly: names of outcomes and counters, gone.GROUP, away.GROUP.", ()
    )
    scores: Mapping[IdField, FormulaField] = documented_field(
        "Counters of the game that take these values when it is over, expressions that may ask gone.GROUP: the answer says how likely each "
        "side then wins by the scenario's own lines.",
        {},
    )
    what_if: tuple[WhatIf, ...] = documented_field("Changes that a what-if tries besides the usual ones.", ())
    notes: tuple[ProcedureNote, ...] = documented_field("What else a player reads.", ())

    @cached_property
    def all_stages(self) -> tuple[Stage, ...]:
        """Every stage with the keys of the stage that it is like."""
        listed = (*self.stages, *self.rounds, *self.turns)
        by_id = {stage.id: stage for stage in listed if stage.id}
        return tuple(filled(stage, by_id.get(stage.like)) for stage in listed)


def filled(stage: Stage, other: Stage | None) -> Stage:
    """A stage with every key of another that it doesn't give itself."""
    if other is None:
        return stage
    missing = {
        item.name: getattr(other, item.name)
        for item in fields(Stage)
        if item.name not in ("node", "id", "like")
        and getattr(stage, item.name) in (None, "", {}, False, _USUAL[item.name])
    }
    return replace(stage, **missing)


_USUAL = {item.name: item.default for item in fields(Stage)}


def formulas_of(stage: Stage) -> list[Formula]:
    """Every expression of a stage."""
    found = [stage.when, stage.most, stage.simultaneous, stage.who, stage.among, stage.column, stage.needs, stage.lose]
    found += [*stage.with_.values(), *stage.change.values()]
    if stage.within is not None:
        found += [*stage.within.first, stage.within.that]
    return [formula for formula in found if formula is not None]

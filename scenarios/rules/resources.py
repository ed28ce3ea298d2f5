"""Resources: the points that a game keeps in counters, and what they buy."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.model.attack_inputs import FormulaField
from scenarios.model.sources import IdField, Sourced
from scenarios.reading.shapes import documented_field, record
from scenarios.rules.records import Note, RuleRecord


@record
class PurchaseLimit(RuleRecord):
    """How many units may be bought. Without a unit in mind, how many purchases there may be."""

    at_most: FormulaField = documented_field("So many of one kind of unit: an expression of the unit.")
    before: FormulaField = documented_field(
        "How many of them were bought before this question; none, if left out.", None
    )
    each_turn: bool = documented_field("So many in each turn, not in the whole game.", False)


@record
class FreePurchase(RuleRecord):
    """Units that cost nothing: those for which `when` holds."""

    count: int = documented_field("How many of them in each turn.", 1)


@record
class PurchaseWay(Sourced):
    """One thing that points buy: units out of boxes, or something to do."""

    title: str = documented_field("What it is called.")
    note: str = documented_field("What a player should know of it.", "")
    from_: tuple[IdField, ...] = documented_field(
        "The boxes that the units are bought from. Without them no unit is bought, but something to do.", ()
    )
    refills: FormulaField = documented_field(
        "Units that go back to their box with each use, so that it always has one; none, if left out.", None
    )
    price: FormulaField = documented_field("What one of them costs: an expression of the unit.")
    barred: tuple[RuleRecord, ...] = documented_field("Why it can't be bought: records of which none may hold.", ())
    limits: tuple[PurchaseLimit, ...] = documented_field("How many may be bought.", ())
    free: tuple[FreePurchase, ...] = documented_field("Which units cost nothing, so many in a turn.", ())
    delay: FormulaField = documented_field(
        "The id of a table. Each bought unit rolls on it: the effect `turns` says in how many turns the unit comes, a "
        "result without this effect that it never comes.",
        None,
    )
    enters: IdField = documented_field("The way onto the map, of `entry.ways`, by which bought units come.", "")
    notes: tuple[Note, ...] = documented_field("What the answer adds about it; an `amount` is a gain.", ())


@record
class Resource(Sourced):
    """Points that a game keeps in counters, and what they buy. It answers the question of its name."""

    title: str = documented_field("What the points are called.")
    side: IdField = documented_field("Who buys, where a purchase names no unit.", "")
    paid_by: Mapping[IdField, FormulaField] = documented_field(
        "The counters that hold the points, each with the units that it pays for: the first that holds for a unit.", {}
    )
    spends_up_to: FormulaField = documented_field(
        "The counters count the points spent, and so many may be spent; without it they count the points left.", None
    )
    whole_points: bool = documented_field(
        "What is bought in a turn is paid together in whole points, rounded up.", False
    )
    barred: tuple[RuleRecord, ...] = documented_field("Why a unit can't be bought in any way.", ())
    ways: Mapping[IdField, PurchaseWay] = documented_field("What the points buy.", {})
    notes: tuple[Note, ...] = documented_field("What the answer adds.", ())

"""The records that every section of `rules` is made of: a sentence, the rule's number, a condition."""

from __future__ import annotations

from scenarios.model.attack_inputs import FormulaField
from scenarios.model.sources import Sourced
from scenarios.reading.shapes import documented_field, record


@record
class RuleRecord(Sourced):
    """A rule in a sentence, with its number."""

    text: str = documented_field("What a player reads, written as a reason: an enemy zone of control.")
    when: FormulaField = documented_field("When it holds; always, if left out.", None)
    note: str = documented_field("What else a reader should know.", "")


@record
class Demand(RuleRecord):
    """A condition that must be true."""

    that: FormulaField = documented_field("What has to be true.")


@record
class Note(RuleRecord):
    """A sentence that an answer adds where it holds. Where `when` asks about `to`, the answer names the places."""

    text: str = documented_field("The sentence.")
    each: bool = documented_field("It is about single units: the answer names each unit for which it holds.", False)
    amount: FormulaField = documented_field("A number that follows the sentence.", None)

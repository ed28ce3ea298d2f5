"""Counters: the numbers, flags and texts that a game keeps from turn to turn."""

from __future__ import annotations

from typing import Literal

from scenarios.model.attack_inputs import FormulaField
from scenarios.model.sources import IdField, Sourced
from scenarios.reading.shapes import documented_field, record


@record
class RuleCounter(Sourced):
    """A number, a flag or a text that a game keeps, or that a procedure counts: `counter.NAME` in expressions."""

    title: str = documented_field("What it is called; answers leave out a counter without a title.", "")
    kind: Literal["number", "flag", "text"] = documented_field("What it holds.", "number")
    choices: tuple[str, ...] = documented_field("For a text: the texts it may hold; it starts as the first.", ())
    at_least: int | None = documented_field("For a number: it never falls below this.", None)
    at_most: int | None = documented_field("For a number: it never rises above this.", None)
    start: FormulaField = documented_field(
        "What it starts as; 0, false, or the first choice, if left out. Under `rules.counters` it is a constant.", None
    )
    marker: IdField = documented_field(
        "For a flag: under `rules.counters` it holds while this marker lies somewhere, turned to its `state` if it has one.",
        "",
    )
    track: IdField = documented_field(
        "For a number: under `rules.counters` it is read from the marker on this track of the map.", ""
    )


def start_text(counter: RuleCounter) -> str:
    """The text of what a counter starts as."""
    if counter.start is not None:
        return counter.start.text
    return {"number": "0", "flag": "false", "text": next(iter(counter.choices), "")}[counter.kind]

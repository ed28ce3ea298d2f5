"""The assumptions of an answer: a turn, a year, a distance or places in a set-up that the player didn't give.

A question records each with `assume` where it takes the default. `questions.answer` puts them all in front of the
answer, in one node: lines, JSON and page show them first. Other silent conditions of an answer belong here too, such
as units that a position leaves out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from assistant.questions.answer import Assumption, Cell
from assistant.questions.rendering import format_cell
from scenarios.model.attack_inputs import AttackInput

NOTES = "(assumptions)"
"""The key under which the inputs of a question carry its assumptions. No input has this name."""
NOT_SAID = ("support", "nation", "markers")
"""What an attack reads from its own pieces: without an input, the counters decide."""


def assume(inputs: Mapping[str, Any], name: str, value: Cell, text: str, rule: str = "") -> None:
    """Record that `name` has this value by default. Each name and text is recorded once."""
    notes: list[Assumption] | None = inputs.get(NOTES)
    note = Assumption(name, value, text, rule)
    if notes is not None and note not in notes:
        notes.append(note)


def turn_or(inputs: Mapping[str, Any], turn: int) -> int:
    """Return the given turn; else this one, which is recorded."""
    if "turn" not in inputs:
        assume(inputs, "turn", turn, f"turn {turn}")
    return int(inputs.get("turn", turn))


def without_notes(inputs: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return the inputs without some of them, for a question within another; its assumptions aren't recorded."""
    return {name: value for name, value in inputs.items() if name not in (NOTES, *names)}


def assume_inputs(inputs: Mapping[str, Any], shapes: Mapping[str, AttackInput], given_names: Collection[str]) -> None:
    """Record the numbers of an attack, and what a map would say about it, that have a default and weren't given."""
    for name, shape in shapes.items():
        if name not in given_names and shape.usual not in (None, False) and _is_said(shape):
            assume(inputs, name, shape.usual, f"{shape.title}: {format_cell(shape.usual)}")


def assume_of_units(
    inputs: Mapping[str, Any], shapes: Mapping[str, AttackInput], units: Iterable[Collection[str]]
) -> None:
    """Record the same for the inputs of each unit of a group; `units` holds the names given for each."""
    for input_names in units:
        assume_inputs(inputs, shapes, input_names)


def _is_said(shape: AttackInput) -> bool:
    return (shape.kind == "number" or bool(shape.read)) and shape.read not in NOT_SAID

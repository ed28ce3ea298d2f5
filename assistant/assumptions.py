"""What an answer takes for granted because nobody said it: the turn, the year, a distance, places that we chose in a set-up.

A question notes each with `assume`, in the place where it takes the default. `questions.answer` puts them all in front of the answer,
in one node: lines, JSON and page say them first. What else an answer silently rests on belongs here too, such as units that a
position leaves out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from assistant.questions.answer import Assumption, Cell
from assistant.questions.rendering import format_cell
from scenarios.model.attack_inputs import AttackInput

NOTES = "(assumptions)"
"""Where the inputs of a question carry what was assumed so far. No input has such a name."""
NOT_SAID = ("support", "nation", "markers")
"""What an attack reads of its own pieces: where nobody says it, it is what the counters say."""


def assume(inputs: Mapping[str, Any], name: str, value: Cell, text: str, rule: str = "") -> None:
    """Note that `name` has this value, although nobody said so. Once for each name and text."""
    notes: list[Assumption] | None = inputs.get(NOTES)
    note = Assumption(name, value, text, rule)
    if notes is not None and note not in notes:
        notes.append(note)


def turn_or(inputs: Mapping[str, Any], turn: int) -> int:
    """The turn that is given; else this one, which is noted."""
    if "turn" not in inputs:
        assume(inputs, "turn", turn, f"turn {turn}")
    return int(inputs.get("turn", turn))


def without_notes(inputs: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """The inputs without some of them, for a question that is asked within another: what it assumes isn't noted."""
    return {name: value for name, value in inputs.items() if name not in (NOTES, *names)}


def assume_inputs(inputs: Mapping[str, Any], shapes: Mapping[str, AttackInput], given_names: Collection[str]) -> None:
    """Note the numbers of an attack, and what a map would tell of it, that weren't given and have a default."""
    for name, shape in shapes.items():
        if name not in given_names and shape.usual not in (None, False) and _is_said(shape):
            assume(inputs, name, shape.usual, f"{shape.title}: {format_cell(shape.usual)}")


def assume_of_units(
    inputs: Mapping[str, Any], shapes: Mapping[str, AttackInput], units: Iterable[Collection[str]]
) -> None:
    """The same of what is asked of each unit of a group; `units` are the names given of each."""
    for input_names in units:
        assume_inputs(inputs, shapes, input_names)


def _is_said(shape: AttackInput) -> bool:
    return (shape.kind == "number" or bool(shape.read)) and shape.read not in NOT_SAID

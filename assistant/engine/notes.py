"""Notes: the sentences that the pack's rules add to an answer, each where it holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from assistant.engine.field import Field
from assistant.engine.placed_units import Mover, PlacedUnit, no_unit
from assistant.questions.answer import Cell, CounterRef, Node, RowTable, Sentence, TableColumn
from scenarios.rules.records import Note

MAX_NAMES = 12
"""The most places that a sentence names."""
COLUMNS = [TableColumn(key) for key in ("text", "rule", "amount", "units", "places")]


class Subject(NamedTuple):
    """What a note may be about: a unit, or a side as a whole; its start, and the places of the answer."""

    ref: CounterRef | None
    mover: Mover
    start: int | None = None
    places: Sequence[int] = ()


class _Remark(NamedTuple):
    """A note that holds: for which units, in which places, with which amount."""

    units: list[CounterRef]
    places: dict[int, None]
    amount: Fraction | None


def unit_subjects(field: Field, units: Iterable[PlacedUnit], places: Sequence[int] = ()) -> list[Subject]:
    """Return units as subjects, with these places or each with its own."""
    return [Subject(unit.ref, field.mover(unit), unit.place, places or (unit.place,)) for unit in units]


def question_notes(field: Field, question: str, side: str = "") -> list[Node]:
    """Return the notes of a question about all units, or about those of one side."""
    notes = field.program.rules.notes.get(question, ())
    if not notes:
        return []
    units = field.units_of(side) if side else field.placed_units
    return note_nodes(field, notes, unit_subjects(field, units), [Subject(None, no_unit(side))])


def note_nodes(
    field: Field,
    notes: Iterable[Note],
    subjects: Sequence[Subject],
    whole: Sequence[Subject] = (),
    extra_values: Mapping[str, Any] | None = None,
) -> list[Node]:
    """Return the notes that hold. A note that isn't `each` is asked of `whole`, where the question has one."""
    rows: list[dict[str, Cell]] = []
    sentences: list[Node] = []
    for note in notes:
        asked = subjects if note.each or not whole else whole
        listed = any(len(subject.places) > 1 for subject in asked) and _asks_place(field, note)
        for remark in _remarks(field, note, asked, extra_values or {}):
            places = field.places_at(remark.places) if listed else []
            row: dict[str, Cell] = {"text": note.text, "rule": note.rule}
            row |= {"amount": remark.amount} if remark.amount is not None else {}
            row |= {"units": remark.units} if note.each else {}
            row |= {"places": places} if listed else {}
            rows.append(row)
            text = f"{', '.join(map(str, remark.units))}: {note.text}" if note.each else note.text
            text += f": {remark.amount}" if remark.amount is not None else ""
            names = [str(place) for place in places[:MAX_NAMES]]
            names += [f"{len(places) - MAX_NAMES} more"] if len(places) > MAX_NAMES else []
            sentences.append(Sentence(f"{text}: {', '.join(names)}" if listed else text, note.rule, for_programs=False))
    return [*sentences, RowTable("remarks", COLUMNS, rows)] if rows else []


def _asks_place(field: Field, note: Note) -> bool:
    return any(name.startswith("to.") for name in field.program.names(note.when))


def _remarks(field: Field, note: Note, subjects: Sequence[Subject], extra_values: Mapping[str, Any]) -> list[_Remark]:
    """Return a note once for all subjects for which it holds; with `each` and an amount, once for each of them."""
    remarks: list[_Remark] = []
    for subject in subjects:
        places = subject.places if _asks_place(field, note) else subject.places[:1]
        start = {"start": subject.start} if subject.start is not None else {}
        scopes = [field.scope(subject.mover, {**start, "to": n}, extra_values) for n in places]
        scopes = scopes or [field.scope(subject.mover, start, extra_values)]
        scopes = [scope for scope in scopes if field.holds_of(note.when, scope)]
        if not scopes:
            continue
        amount = Fraction(field.value_of(note.amount, scopes[0])) if note.amount is not None else None
        units = [subject.ref] if subject.ref is not None else []
        remark = _Remark(units, dict.fromkeys(scope.places["to"] for scope in scopes if "to" in scope.places), amount)
        if remarks and not (note.each and note.amount is not None):
            remarks[0].units.extend(remark.units)
            remarks[0].places.update(remark.places)
        else:
            remarks.append(remark)
    return remarks

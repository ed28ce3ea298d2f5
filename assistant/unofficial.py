"""Printed numbers: the number that a counter lacks, and the unofficial numbers of an answer, each with the overlay
entry that can replace it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from assistant.questions.answer import BadQuestion
from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.model.sources import UNOFFICIAL_SOURCES, Source
from scenarios.unit_view import printed_name

if TYPE_CHECKING:
    from assistant.attack import AppliedModifier


Cell = tuple[str, str, str]
"""A table, a row and a column."""
MAX_ADDRESSES = 4
"""The number of entries that a line names."""


def address(unit: Unit, factor: str) -> str:
    """Return the overlay address of a factor."""
    return f"counters/{unit.template}/factors/{factor}"


def required_factor(game: Game, unit: Unit, factor: str) -> Fraction:
    """Return a number of a counter. If it isn't known, the error names the overlay entry that would give it."""
    value = unit.factors.get(factor)
    if isinstance(value, Fraction):
        return value
    default = game.factors[factor].default
    if default is not None:
        return Fraction(default)
    name = game.factors[factor].name.lower()
    raise BadQuestion(f"the {name} of {unit.name} is unknown; an overlay can supply it: {address(unit, factor)}")


def source_of(unit: Unit, factor: str) -> Source | None:
    """Return the source of a factor of a counter."""
    sources = unit.counter.sources
    return sources.get(factor) or sources.get("factors") or unit.counter.source


def shown_source(unit: Unit, factor: str, is_back: bool) -> tuple[str, Source | None]:
    """Return the overlay entry of a factor on the visible side of a counter, or of its `steps`, and its source."""
    sources = unit.counter.sources
    if factor == "steps":
        return f"counters/{unit.template}/steps", sources.get("steps") or unit.counter.source
    if is_back and unit.back is not None and "back" in sources:
        return f"counters/{unit.template}/back/factors/{factor}", sources["back"]
    return address(unit, factor), source_of(unit, factor)


def shown_sources(units: Iterable[tuple[Unit, str, bool]]) -> dict[str, Source | None]:
    """Return the same for several factors, each with whether the counter lies with its back up."""
    return dict(shown_source(unit, factor, is_back) for unit, factor, is_back in units)


def not_the_books(game: Game, units: Iterable[tuple[Unit, str]]) -> dict[str, str]:
    """Return the overlay entries of unofficial numbers that the user's overlays don't replace; each with its source."""
    words_by_entry: dict[str, str] = {}
    for unit, factor in units:
        source = source_of(unit, factor)
        if source is not None and source.word in UNOFFICIAL_SOURCES:
            words_by_entry[address(unit, factor)] = source.word
    remaining_entries = still_ours(game, words_by_entry)
    return {entry: word for entry, word in words_by_entry.items() if entry in remaining_entries}


def modifier_sources(game: Game, attack: str, applied_modifiers: Iterable[AppliedModifier]) -> dict[str, Source | None]:
    """Return the overlay entries of the declared modifiers that an attack used, each with its source."""
    used = {(applied_modifier.text, applied_modifier.rule) for applied_modifier in applied_modifiers}
    return {
        f"attacks/{attack}/modifiers/{number}": modifier.source
        for number, modifier in enumerate(game.attacks[attack].modifiers)
        if (modifier.text, modifier.rule) in used
    }


def map_sources(game: Game) -> Mapping[str, Source | None]:
    """Return the overlay entries of the ground, terrain of boards or points of a point map, each with its source."""
    return game.grounds


def still_ours(game: Game, entries: Iterable[str]) -> list[str]:
    """Return the entries that the user's overlays haven't fully replaced."""
    if not game.overlays:
        return list(entries)
    remaining_paths = {
        datum.path for datum in game.data if datum.source is not None and datum.source.word in UNOFFICIAL_SOURCES
    }
    return [
        entry
        for entry in entries
        if entry in remaining_paths or any(path.startswith(f"{entry}/") for path in remaining_paths)
    ]


def unofficial_addresses(
    game: Game,
    factors: Iterable[tuple[Unit, str]] = (),
    tables: Iterable[str] = (),
    cells: Iterable[Cell] = (),
    other_sources: Mapping[str, Source | None] | None = None,
) -> dict[str, str]:
    """Return the overlay entries of factors, of whole tables, of single cells and of other numbers, as far as they
    are unofficial and the user's overlays don't replace them; each with a word for its source.

    Where all cells of a table are unofficial, or more than a few of those used, the table's entry stands for them.
    """
    words_by_entry = not_the_books(game, factors)
    used: dict[str, dict[str, str]] = {}
    table_cells = [
        (name, row, column)
        for name in tables
        for row in game.tables[name].cells
        for column in game.tables[name].columns.labels
    ]
    for name, row, column in (*table_cells, *cells):
        source = game.tables[name].source_of(row, column)
        if source is not None and source.word in UNOFFICIAL_SOURCES:
            used.setdefault(name, {})[f"tables/{name}/cells/{row}/{column}"] = source.word
    single: dict[str, str] = {}
    for name, entries in used.items():
        remaining_entries = still_ours(game, entries)
        kept_words = {entry: entries[entry] for entry in remaining_entries}
        single |= (
            kept_words if len(kept_words) < MAX_ADDRESSES else {f"tables/{name}/cells": next(iter(kept_words.values()))}
        )
    other_words = {
        entry: source.word
        for entry, source in (other_sources or {}).items()
        if source is not None and source.word in UNOFFICIAL_SOURCES
    }
    return {**words_by_entry, **single, **{entry: other_words[entry] for entry in still_ours(game, other_words)}}


MAX_LISTED = 4
"""The number of unofficial numbers that a line names."""


def unofficial_line(game: Game, entries: Iterable[str]) -> str:
    """Return the line that names unofficial numbers by their overlay entries; nothing if there are none.

    Tables are first, because there are few of them and many counters.
    """
    details: dict[tuple[bool, str], list[str]] = {}
    for entry in sorted(entries, key=_is_of_counter):
        name, detail = _entry_name(game, entry)
        details.setdefault((_is_of_counter(entry), name), []).extend([detail] if detail else [])
    labels = {key: ", ".join(dict.fromkeys(numbers)) for key, numbers in details.items()}
    counts = Counter(label for (is_of_counter, _), label in labels.items() if is_of_counter and label)
    names = [
        f"{name} ({label})" if label else name
        for (is_of_counter, name), label in labels.items()
        if not is_of_counter or counts[label] <= MAX_LISTED
    ]
    names += [f"{label} of {count} counters" for label, count in counts.items() if count > MAX_LISTED]
    remainder = f"; and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return f"Uses unofficial numbers: {'; '.join(names[:MAX_LISTED])}{remainder}" if names else ""


def _is_of_counter(entry: str) -> bool:
    return entry.startswith(("counters/", "markers/"))


def _entry_name(game: Game, entry: str) -> tuple[str, str]:
    """Return a player's name for an overlay entry: the table, board, counter or scenario, and which of its numbers."""
    section, key, *rest = [*entry.split("/"), ""]
    number = rest[-2] if len(rest) > 1 else ""
    match section:
        case "tables" if key in game.tables:
            return game.tables[key].title, ""
        case "boards" if key in game.boards:
            return _board_name(game, key), number.replace("_", " ")
        case "counters" | "markers" if key in game.units or key in game.markers:
            title = game.factors[number].name.lower() if number in game.factors else number.replace("_", " ")
            return printed_name(game, key), title
        case "terrain" if key in game.terrain:
            return game.terrain[key].name, ""
        case "scenarios" if key in game.scenarios:
            return game.scenarios[key].title, "victory points" if "victory" in rest else ""
        case _:
            return section.replace("_", " "), ""


def _board_name(game: Game, key: str) -> str:
    if len(game.boards) == 1:
        return "the map"
    return f"board {key}" if len(key) == 1 else game.boards[key].name

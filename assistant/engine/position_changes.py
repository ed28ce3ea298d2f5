"""What if: a position with pieces moved, marked differently or removed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from assistant.questions.answer import BadQuestion
from assistant.questions.references import MAX_COPIES, UnitRef
from scenarios.areas.resolving import Location
from scenarios.model.game import Game
from scenarios.model.position import Piece, Position, nation_of
from scenarios.model.sources import UNOFFICIAL_SOURCES
from scenarios.reading.findings import suggest

LOOKS = {"put": "UNIT@HEX, 2*UNIT@HEX or UNIT@HEX:nation=NATION", "mark": "UNIT+STATE", "remove": "UNIT or 2*UNIT"}


class ChangedPosition(NamedTuple):
    """A position after its changes; the counters and copies that moved, and those whose states the player gave."""

    position: Position
    put: frozenset[tuple[str, str]]
    marked_pieces: frozenset[tuple[str, str]]


def apply_changes(
    game: Game,
    position: Position,
    *,
    remove: Sequence[UnitRef],
    put: Sequence[UnitRef],
    mark: Sequence[UnitRef],
    location_of: Callable[[str], Location],
) -> ChangedPosition:
    """Return the position with some pieces removed, some moved and some in other states.

    `2*UNIT` is two of a counter, `UNIT/3` its third copy. An entry without a copy takes the next copy that no other
    entry names. A piece that isn't in the position is added. Naming the same copy twice is a contradiction.
    """
    for key, entries in (("remove", remove), ("put", put), ("mark", mark)):
        for entry in entries:
            details = set(entry.details) - ({"nation"} if key == "put" else set())
            if details or bool(entry.place) != (key == "put") or (key == "remove" and entry.states):
                raise BadQuestion(f"{key}: {str(entry)!r} must look like {LOOKS[key]}")
    pieces = list(position.pieces)
    without = _match_pieces(game, pieces, remove)
    put_entries = _match_pieces(game, pieces, put, without=without, adding=True, scenario=position.scenario)
    for number, entry in put_entries.items():
        piece_changes: dict[str, Any] = {"states": frozenset(entry.states), "steps_lost": 0} if entry.states else {}
        if nation := entry.details.get("nation"):
            if nation not in game.nations:
                raise BadQuestion(f"put: there is no nation {nation!r}; {suggest(nation, game.nations)}")
            piece_changes["nation"] = nation
        pieces[number] = pieces[number]._replace(at=location_of(entry.place), **piece_changes)
    mark_entries = _match_pieces(game, pieces, mark, without=without, first=put_entries)
    for number, entry in mark_entries.items():
        put_entry = put_entries.get(number, entry)
        if put_entry.states and set(put_entry.states) != set(entry.states):
            raise BadQuestion(
                f"put has {str(put_entry)!r} but mark has {str(entry)!r}: name the states of a piece once"
            )
        pieces[number] = pieces[number]._replace(states=frozenset(entry.states), steps_lost=0)
    remaining_pieces = tuple(piece for number, piece in enumerate(pieces) if number not in without)
    told_states = (*mark_entries, *(number for number, entry in put_entries.items() if entry.states))
    keys = [frozenset((pieces[n].unit, pieces[n].copy) for n in numbers) for numbers in (put_entries, told_states)]
    return ChangedPosition(replace(position, pieces=remaining_pieces), *keys)


def _match_pieces(
    game: Game,
    pieces: list[Piece],
    entries: Iterable[UnitRef],
    *,
    without: Mapping[int, UnitRef] | None = None,
    first: Iterable[int] = (),
    adding: bool = False,
    scenario: str = "",
) -> dict[int, UnitRef]:
    """Return the pieces that the entries mean, by their number in the list: those that name a copy choose first.

    Entries without a copy prefer a piece of `first`. With `adding` a missing piece is added to the list, of the
    nation that `scenario` gives the counter to.
    """
    used: dict[int, UnitRef] = {}
    removals = without or {}
    order = [*dict.fromkeys((*first, *range(len(pieces))))]
    for entry in sorted(entries, key=lambda unit_ref: not unit_ref.copy):
        for _ in range(entry.count):
            candidates = [n for n in order if pieces[n].unit == entry.id and entry.copy in ("", pieces[n].copy)]
            number = next((n for n in candidates if n not in used and n not in removals), None)
            if number is None and adding:
                present_copies = [piece.copy for piece in pieces if piece.unit == entry.id]
                all_copies = _copies(game, entry.id)
                copy = next(
                    (
                        copy_name
                        for copy_name in all_copies
                        if copy_name not in present_copies and entry.copy in ("", copy_name)
                    ),
                    None,
                )
                if copy is not None and len(present_copies) < len(all_copies):
                    number = len(pieces)
                    pieces.append(Piece(entry.id, copy, nation_of(game, scenario, entry.id), ""))
                    order.append(number)
            if number is None:
                other_entries = [str(removals.get(n) or used[n]) for n in candidates]
                raise BadQuestion(
                    _contradiction(game, entry, other_entries)
                    if other_entries
                    else _missing(game, pieces, entry, adding)
                )
            used[number] = entry
    return used


def _copies(game: Game, name: str) -> Sequence[str]:
    """Return the names of a counter's copies. Markers are unlimited unless the rulebook gives their number."""
    unit, marker = game.units.get(name), game.markers.get(name)
    if unit is not None:
        return unit.numbers or [str(number + 1) for number in range(unit.count)]
    assert marker is not None
    source = marker.sources.get("count") or marker.source
    is_unofficial = source is not None and source.word in UNOFFICIAL_SOURCES
    return [
        str(number + 1)
        for number in range(marker.count if marker.count == 1 or (marker.count and not is_unofficial) else MAX_COPIES)
    ]


def _contradiction(game: Game, entry: UnitRef, other_entries: Sequence[str]) -> str:
    """Return the message that a question names more copies of a counter than exist."""
    counter_name = f"{entry.id}/{entry.copy}" if entry.copy else entry.id
    count = len(other_entries)
    references = dict.fromkeys((*other_entries, str(entry)))
    have = (
        f"there is only one counter of {counter_name}"
        if count == 1
        else f"there are only {count} counters of {counter_name}"
    )
    return f"{have}, but {' and '.join(map(repr, references))} name{'s' * (len(references) == 1)} more"


def _missing(game: Game, pieces: Iterable[Piece], entry: UnitRef, adding: bool) -> str:
    """Return the message that a piece isn't there, or that a copy doesn't exist."""
    name = f"{entry.id}/{entry.copy}" if entry.copy else entry.id
    if adding:
        return f"{entry.id} has no copy {entry.copy!r}; {suggest(entry.copy, _copies(game, entry.id))}"
    return f"{name} is not in the position; {suggest(name, {piece.unit for piece in pieces})}"

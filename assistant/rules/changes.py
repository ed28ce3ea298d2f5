"""What if: a position with pieces put elsewhere, marked otherwise or taken away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from assistant.answers import BadQuestion
from assistant.asking import MOST, Named
from scenarios.data import OURS
from scenarios.game import Game
from scenarios.position import Piece, Position, nation_of
from scenarios.reading.findings import instead
from scenarios.resolve import Location

LOOKS = {"put": "UNIT@HEX, 2*UNIT@HEX or UNIT@HEX:nation=NATION", "mark": "UNIT+STATE", "gone": "UNIT or 2*UNIT"}


class Changed(NamedTuple):
    """A position after its changes; which counters and copies were put somewhere, and of which the states were told."""

    position: Position
    put: frozenset[tuple[str, str]]
    marked: frozenset[tuple[str, str]]


def rearranged(
    game: Game,
    position: Position,
    *,
    gone: Sequence[Named],
    put: Sequence[Named],
    mark: Sequence[Named],
    located: Callable[[str], Location],
) -> Changed:
    """The position with some pieces gone, some put elsewhere and some in other states.

    `2*UNIT` is two of a counter, `UNIT/3` its third copy. An entry without a copy takes the next one that no other entry
    names; a piece that isn't there yet is added. The same copy twice is a contradiction.
    """
    for key, entries in (("gone", gone), ("put", put), ("mark", mark)):
        for entry in entries:
            details = set(entry.details) - ({"nation"} if key == "put" else set())
            if details or bool(entry.place) != (key == "put") or (key == "gone" and entry.states):
                raise BadQuestion(f"{key}: {str(entry)!r} should look like {LOOKS[key]}")
    pieces = list(position.pieces)
    without = _chosen(game, pieces, gone)
    moved = _chosen(game, pieces, put, without=without, adding=True, scenario=position.scenario)
    for number, entry in moved.items():
        told: dict[str, Any] = {"states": frozenset(entry.states), "steps_lost": 0} if entry.states else {}
        if nation := entry.details.get("nation"):
            if nation not in game.nations:
                raise BadQuestion(f"put: there is no nation {nation!r}; {instead(nation, game.nations)}")
            told["nation"] = nation
        pieces[number] = pieces[number]._replace(at=located(entry.place), **told)
    marked = _chosen(game, pieces, mark, without=without, first=moved)
    for number, entry in marked.items():
        before = moved.get(number, entry)
        if before.states and set(before.states) != set(entry.states):
            raise BadQuestion(f"put has {str(before)!r} but mark has {str(entry)!r}: tell the states of a piece once")
        pieces[number] = pieces[number]._replace(states=frozenset(entry.states), steps_lost=0)
    left = tuple(piece for number, piece in enumerate(pieces) if number not in without)
    told_states = (*marked, *(number for number, entry in moved.items() if entry.states))
    keys = [frozenset((pieces[n].unit, pieces[n].copy) for n in numbers) for numbers in (moved, told_states)]
    return Changed(replace(position, pieces=left), *keys)


def _chosen(
    game: Game,
    pieces: list[Piece],
    entries: Iterable[Named],
    *,
    without: Mapping[int, Named] | None = None,
    first: Iterable[int] = (),
    adding: bool = False,
    scenario: str = "",
) -> dict[int, Named]:
    """Which pieces the entries mean, by their number in the list: those that name a copy choose first.

    Entries without a copy take a piece of `first` before others; with `adding` a missing piece is added to the list, of the
    nation that `scenario` gives the counter to.
    """
    used: dict[int, Named] = {}
    gone = without or {}
    order = [*dict.fromkeys((*first, *range(len(pieces))))]
    for entry in sorted(entries, key=lambda one: not one.copy):
        for _ in range(entry.count):
            alike = [n for n in order if pieces[n].unit == entry.id and entry.copy in ("", pieces[n].copy)]
            number = next((n for n in alike if n not in used and n not in gone), None)
            if number is None and adding:
                there = [piece.copy for piece in pieces if piece.unit == entry.id]
                known = _copies(game, entry.id)
                copy = next((one for one in known if one not in there and entry.copy in ("", one)), None)
                if copy is not None and len(there) < len(known):
                    number = len(pieces)
                    pieces.append(Piece(entry.id, copy, nation_of(game, scenario, entry.id), ""))
                    order.append(number)
            if number is None:
                others = [str(gone.get(n) or used[n]) for n in alike]
                raise BadQuestion(
                    _contradiction(game, entry, others) if others else _missing(game, pieces, entry, adding)
                )
            used[number] = entry
    return used


def _copies(game: Game, name: str) -> Sequence[str]:
    """What tells the copies of a counter apart; of a marker there are plenty unless the rulebook gives their number."""
    unit, marker = game.units.get(name), game.markers.get(name)
    if unit is not None:
        return unit.numbers or [str(number + 1) for number in range(unit.count)]
    assert marker is not None
    source = marker.sources.get("count") or marker.source
    ours = source is not None and source.word in OURS
    return [
        str(number + 1) for number in range(marker.count if marker.count == 1 or (marker.count and not ours) else MOST)
    ]


def _contradiction(game: Game, entry: Named, others: Sequence[str]) -> str:
    """More of a counter is named than there is."""
    one = f"{entry.id}/{entry.copy}" if entry.copy else entry.id
    many = len(others)
    told = dict.fromkeys((*others, str(entry)))
    have = f"there is only one {one}" if many == 1 else f"there are only {many} of {one}"
    return f"{have}, but {' and '.join(map(repr, told))} name{'s' * (len(told) == 1)} more"


def _missing(game: Game, pieces: Iterable[Piece], entry: Named, adding: bool) -> str:
    """A piece that isn't there, or a copy that doesn't exist."""
    name = f"{entry.id}/{entry.copy}" if entry.copy else entry.id
    if adding:
        return f"{entry.id} has no copy {entry.copy!r}; {instead(entry.copy, _copies(game, entry.id))}"
    return f"{name} is not in the position; {instead(name, {piece.unit for piece in pieces})}"

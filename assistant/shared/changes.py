"""What if: a position with pieces put elsewhere, marked otherwise or taken away."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from assistant.attacks import BadQuestion
from assistant.shared.asking import Options
from assistant.shared.options import given, listed, one_of
from assistant.shared.stands import InHex
from assistant.shared.strengths import OURS
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.maps import HexMap
from scenarios.position import Piece, Position
from scenarios.reading.findings import instead
from scenarios.resolve import Location

CHANGES: Mapping[str, str] = {
    "put": "what if: pieces put somewhere, as in UNIT@HEX,2*UNIT@HEX,UNIT/2@HEX,UNIT+STATE@box:NAME",
    "mark": "what if: pieces in other states, as in UNIT+STATE+STATE,UNIT",
    "gone": "what if: pieces taken away, as in UNIT,2*UNIT",
}
LOOKS = {"put": "UNIT@HEX or 2*UNIT@HEX", "mark": "UNIT+STATE", "gone": "UNIT or 2*UNIT"}
ENTRY = re.compile(
    r"\s*(?:(?P<count>[^*/+@]*)\*)?(?P<unit>[^*/+@]+)(?:/(?P<copy>[^/+@]+))?(?P<states>(?:\+[^+@]+)*)(?:@(?P<place>.+))?"
)
PLENTY = 99
"""How many there are of a marker whose number the rulebook doesn't give."""


class Changed(NamedTuple):
    """A position after its changes; which counters and copies were put somewhere, and of which the states were told."""

    position: Position
    put: frozenset[tuple[str, str]]
    marked: frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Entry:
    """One entry of a change: `2*UNIT/COPY+STATE@PLACE`, or as much of it as was told."""

    text: str
    count: int
    unit: str
    copy: str
    states: tuple[str, ...]
    place: str


def changes(options: Options) -> bool:
    """Whether anything is to be changed."""
    return any(given(options, key) for key in CHANGES)


def changed(
    game: Game, position: Position, options: Options, table: HexMap, place: Callable[[str], Location]
) -> Changed:
    """The position after `gone`, `put` and `mark`.

    `2*UNIT` is two of a counter, `UNIT/3` its third copy. An entry without a copy takes the next one that no other entry
    names; a piece that isn't there yet is added. The same copy twice is a contradiction.
    """
    asked = {key: [_entry(game, key, text) for text in listed(options, key)] for key in CHANGES}
    pieces = list(position.pieces)
    gone = _chosen(game, pieces, asked["gone"])
    put = _chosen(game, pieces, asked["put"], gone=gone, adding=True)
    for number, entry in put.items():
        told: dict[str, Any] = {"states": frozenset(entry.states), "steps_lost": 0} if entry.states else {}
        pieces[number] = pieces[number]._replace(at=_location(entry, table, place), **told)
    mark = _chosen(game, pieces, asked["mark"], gone=gone, first=put)
    for number, entry in mark.items():
        before = put.get(number, entry)
        if before.states and set(before.states) != set(entry.states):
            raise BadQuestion(f"put has {before.text!r} but mark has {entry.text!r}: tell the states of a piece once")
        pieces[number] = pieces[number]._replace(states=frozenset(entry.states), steps_lost=0)
    left = tuple(piece for number, piece in enumerate(pieces) if number not in gone)
    told_states = (*mark, *(number for number, entry in put.items() if entry.states))
    keys = [frozenset((pieces[n].unit, pieces[n].copy) for n in numbers) for numbers in (put, told_states)]
    return Changed(replace(position, pieces=left), *keys)


def _entry(game: Game, key: str, text: str) -> Entry:
    """One entry of a change; BadQuestion tells how it should look."""
    found = ENTRY.fullmatch(text)
    if found is None or (found["place"] is not None) != (key == "put") or (key == "gone" and found["states"]):
        raise BadQuestion(f"{key}: {text!r} should look like {LOOKS[key]}")
    count, unit, copy = ((found[name] or "").strip() for name in ("count", "unit", "copy"))
    if found["count"] is not None and (not count.isdecimal() or not 1 <= int(count) <= PLENTY):
        raise BadQuestion(f"{key}: {text!r}: write a number from 1 to {PLENTY} before the star, as in 2*{unit}")
    if count and copy:
        raise BadQuestion(f"{key}: {text!r} is both a number of copies and a single one; write {count}*{unit} or {unit}/{copy}")
    if unit not in game.units and unit not in game.markers:
        raise BadQuestion(f"no counter is called {unit!r}; {instead(unit, [*game.units, *game.markers])}")
    states = tuple(state.strip() for state in found["states"].split("+")[1:])
    for state in states:
        if state not in game.states:
            raise BadQuestion(f"there is no state {state!r}; {instead(state, game.states)}")
    return Entry(text.strip(), int(count or 1), unit, copy, states, (found["place"] or "").strip())


def _chosen(
    game: Game, pieces: list[Piece], entries: Iterable[Entry], *, gone: Mapping[int, Entry] | None = None,
    first: Iterable[int] = (), adding: bool = False,
) -> dict[int, Entry]:  # fmt: skip
    """Which pieces the entries mean, by their number in the list: those that name a copy choose first.

    Entries without a copy take a piece of `first` before others; with `adding` a missing piece is added to the list.
    """
    used: dict[int, Entry] = {}
    gone = gone or {}
    order = [*dict.fromkeys((*first, *range(len(pieces))))]
    for entry in sorted(entries, key=lambda one: not one.copy):
        for _ in range(entry.count):
            alike = [n for n in order if pieces[n].unit == entry.unit and entry.copy in ("", pieces[n].copy)]
            number = next((n for n in alike if n not in used and n not in gone), None)
            if number is None and adding:
                copies = {piece.copy for piece in pieces if piece.unit == entry.unit}
                copy = next((one for one in _copies(game, entry.unit) if one not in copies and entry.copy in ("", one)), None)
                if copy is not None:
                    number = len(pieces)
                    nation = game.units[entry.unit].nation if entry.unit in game.units else ""
                    pieces.append(Piece(entry.unit, copy, nation, ""))
                    order.append(number)
            if number is None:
                others = [(gone.get(n) or used[n]).text for n in alike]
                raise BadQuestion(_contradiction(game, entry, others) if others else _missing(game, pieces, entry, adding))
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
    return [str(number + 1) for number in range(marker.count if marker.count == 1 or (marker.count and not ours) else PLENTY)]


def _contradiction(game: Game, entry: Entry, others: Sequence[str]) -> str:
    """More of a counter is named than there is."""
    one = f"{entry.unit}/{entry.copy}" if entry.copy else entry.unit
    many = len(others)
    told = dict.fromkeys((*others, entry.text))
    have = f"there is only one {one}" if many == 1 else f"there are only {many} of {one}"
    return f"{have}, but {' and '.join(map(repr, told))} name{'s' * (len(told) == 1)} more"


def _missing(game: Game, pieces: Iterable[Piece], entry: Entry, adding: bool) -> str:
    """A piece that isn't there, or a copy that doesn't exist."""
    name = f"{entry.unit}/{entry.copy}" if entry.copy else entry.unit
    if adding:
        return f"{entry.unit} has no copy {entry.copy!r}; {instead(entry.copy, _copies(game, entry.unit))}"
    return f"{name} is not in the position; {instead(name, {piece.unit for piece in pieces})}"


def _location(entry: Entry, table: HexMap, place: Callable[[str], Location]) -> Location:
    """Where an entry of `put` puts its pieces: a place of the map, a box, or a space of a track."""
    if not entry.place.startswith("box:"):
        return place(entry.place)
    box, slash, space = entry.place.removeprefix("box:").partition("/")
    one_of(box, [*table.boxes, *table.tracks], "put")
    if slash:
        labels = table.tracks[box].labels if box in table.tracks else ()
        one_of(space, labels, f"put: {box}")
    return f"box:{box}{slash}{space}"


def apart(name: Callable[[Hex], str], *held: Mapping[Hex, Sequence[InHex]]) -> None:
    """BadQuestion if units of both sides share a hex."""
    first, second = held
    for hex in sorted(first.keys() & second.keys()):
        raise BadQuestion(f"{first[hex][0].name} and {second[hex][0].name} can't both be in {name(hex)}: they are enemies")

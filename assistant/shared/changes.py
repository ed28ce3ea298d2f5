"""What if: a position with pieces put elsewhere, marked otherwise or taken away."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from assistant.attacks import BadQuestion
from assistant.shared.asking import Options
from assistant.shared.options import given, listed, one_of, paired
from assistant.shared.stands import InHex
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.maps import HexMap
from scenarios.position import Piece, Position
from scenarios.reading.findings import instead
from scenarios.resolve import Location

CHANGES: Mapping[str, str] = {
    "put": "what if: pieces put somewhere, as in UNIT@HEX,UNIT@box:NAME",
    "mark": "what if: pieces in other states, as in UNIT+STATE+STATE,UNIT",
    "gone": "what if: pieces taken away, as in UNIT,UNIT",
}


def changes(options: Options) -> bool:
    """Whether anything is to be changed."""
    return any(given(options, key) for key in CHANGES)


def changed(
    game: Game, position: Position, options: Options, table: HexMap, place: Callable[[str], Location]
) -> Position:
    """The position after `gone`, `put` and `mark`. `sam/3` is the third of several; a piece not there yet is added."""
    pieces = list(position.pieces)
    for name in listed(options, "gone"):
        del pieces[_find(game, pieces, name)]
    for name, where in paired(options, "put", by="@", example="UNIT@HEX").items():
        box = where.removeprefix("box:")
        at = place(where) if box == where else f"box:{one_of(box, [*table.boxes, *table.tracks], 'put')}"
        if (found := _look(game, pieces, name)) is None:
            unit, copy = _split(name)
            pieces.append(Piece(unit, copy or "1", game.units[unit].nation if unit in game.units else "", at))
        else:
            pieces[found] = pieces[found]._replace(at=at)
    for part in listed(options, "mark"):
        name, *states = part.split("+")
        for state in states:
            if state not in game.states:
                raise BadQuestion(f"there is no state {state!r}; {instead(state, game.states)}")
        found = _find(game, pieces, name)
        pieces[found] = pieces[found]._replace(states=frozenset(states), steps_lost=0)
    return replace(position, pieces=tuple(pieces))


def apart(name: Callable[[Hex], str], *held: Mapping[Hex, Sequence[InHex]]) -> None:
    """BadQuestion if units of both sides share a hex."""
    first, second = held
    for hex in sorted(first.keys() & second.keys()):
        raise BadQuestion(f"{first[hex][0].name} and {second[hex][0].name} can't both be in {name(hex)}: they are enemies")


def _split(name: str) -> tuple[str, str]:
    unit, _, copy = name.partition("/")
    return unit, copy


def _look(game: Game, pieces: list[Piece], name: str) -> int | None:
    unit, copy = _split(name)
    if unit not in game.units and unit not in game.markers:
        raise BadQuestion(f"no counter is called {unit!r}; {instead(unit, [*game.units, *game.markers])}")
    alike = (number for number, piece in enumerate(pieces) if piece.unit == unit and copy in ("", piece.copy))
    return next(alike, None)


def _find(game: Game, pieces: list[Piece], name: str) -> int:
    found = _look(game, pieces, name)
    if found is None:
        there = {piece.unit for piece in pieces}
        raise BadQuestion(f"{name} is not in the position; {instead(name, there)}")
    return found

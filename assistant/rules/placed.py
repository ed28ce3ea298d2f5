"""The field that a question is about: a scenario's start or a position, changed in thought as the question tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from assistant.answers import BadQuestion
from assistant.asking import Named, named_place
from assistant.rules.field import Field, Standing
from assistant.rules.kinds import Kinds, kinds_of
from scenarios.game import Game
from scenarios.opening import open_position
from scenarios.position import Piece, Position, from_scenario
from scenarios.reading.findings import instead


def asked_field(game: Game, told: Mapping[str, Any]) -> Field:
    """The pieces on the map: of `position`, or of the start of `scenario` (of the only one, if none is named)."""
    position = asked_position(game, told)
    kinds = kinds_of(game, position.scenario)
    if kinds is None:
        raise BadQuestion(f"{game.title} has no map to ask about; add `maps`")
    pieces = changed(game, kinds, list(position.pieces), told)
    turn = int(told["turn"]) if told.get("turn") else position.turn
    return Field(kinds, replace(position, turn=turn, pieces=tuple(pieces)), _told(kinds, told))


def asked_position(game: Game, told: Mapping[str, Any]) -> Position:
    """The position before anything is changed."""
    position = told.get("position")
    if isinstance(position, Position):
        return position
    if isinstance(position, Path):
        try:
            return open_position(game, position)
        except OSError as error:
            raise BadQuestion(f"no position can be read from {str(position)!r}: {error.strerror}") from None
    scenario = str(told.get("scenario") or "")
    if not scenario and len(game.scenarios) == 1:
        scenario = next(iter(game.scenarios))
    if not scenario and told.get("put"):
        return Position(game.id)
    if not scenario:
        raise BadQuestion(f"say which scenario or position; {game.id} has {', '.join(game.scenarios) or 'no scenarios'}")
    return from_scenario(game, scenario)


def changed(game: Game, kinds: Kinds, pieces: list[Piece], told: Mapping[str, Any]) -> list[Piece]:
    """The pieces after `gone`, `put` and `mark`; a piece that isn't there yet is added by `put`."""
    for named in told.get("gone", ()):
        for _ in range(named.count):
            del pieces[_find(pieces, named)]
    for named in told.get("put", ()):
        at = named_place(kinds.map, named.place, what="put")
        found = _look(pieces, named) if named.count == 1 else None
        if found is not None:
            states = frozenset(named.states) if named.states else pieces[found].states
            pieces[found] = pieces[found]._replace(at=at, states=states)
            continue
        for _ in range(named.count):
            unit = game.units.get(named.id)
            copy = named.copy or _free_copy(game, pieces, named.id)
            pieces.append(Piece(named.id, copy, unit.nation if unit else "", at, frozenset(named.states)))
    for named in told.get("mark", ()):
        found = _find(pieces, named)
        pieces[found] = pieces[found]._replace(states=frozenset(named.states), steps_lost=0)
    return pieces


def _free_copy(game: Game, pieces: list[Piece], unit: str) -> str:
    used = {piece.copy for piece in pieces if piece.unit == unit}
    held = game.units.get(unit)
    numbers = [*(held.numbers if held else ()), *(str(n) for n in range(1, len(used) + 2))]
    return next(number for number in numbers if number not in used)


def _look(pieces: list[Piece], named: Named) -> int | None:
    return next((i for i, piece in enumerate(pieces) if piece.unit == named.id and named.copy in ("", piece.copy)), None)


def _find(pieces: list[Piece], named: Named) -> int:
    found = _look(pieces, named)
    if found is None:
        raise BadQuestion(f"{named.id} is not in this position; put it somewhere first: put={named.id}@PLACE")
    return found


def _told(kinds: Kinds, told: Mapping[str, Any]) -> dict[str, Any]:
    """What the pack's own inputs were told."""
    found: dict[str, Any] = {}
    for name, shape in kinds.program.rules.inputs.items():
        value = told.get(name)
        if value is None:
            continue
        found[name] = [asked_place(kinds, one, name) for one in value] if shape.kind == "places" else value
    return found


def asked_place(kinds: Kinds, text: str, what: str = "") -> int:
    """A place of the map by its name."""
    place = named_place(kinds.map, text, what=what)
    if place not in kinds.number:
        raise BadQuestion(f"{text!r} is not on the map; name a hex or point")
    return kinds.number[place]


def asked_units(field: Field, named: tuple[Named, ...]) -> list[Standing]:
    """The units that a question names, on the map."""
    found: list[Standing] = []
    for one in named:
        mine = [s for s in field.standings if s.unit.id == one.id and one.copy in ("", s.piece.copy) and s not in found]
        if one.place:
            at = asked_place(field.kinds, one.place)
            mine = [s for s in mine if s.at == at]
        if len(mine) < one.count:
            raise BadQuestion(_missing(field, one))
        found += mine[: one.count]
    return found


def _missing(field: Field, named: Named) -> str:
    game = field.game
    if named.id in game.markers:
        return f"{named.id} is a marker; name a unit"
    name = game.units[named.id].name
    waiting = [str(piece.at) for piece in field.position.pieces if piece.unit == named.id and piece.at not in field.kinds.number]
    if any(s.unit.id == named.id for s in field.standings):
        return f"there is no such {name} there; {instead(named.id, sorted({s.key for s in field.standings}))}"
    if not waiting:
        return f"{name} is not in this position; to ask all the same, put={named.id}@PLACE"
    what, _, where = waiting[0].partition(":")
    told = f"it comes on turn {where}" if what == "turn" else f"it is in the box {where}" if what == "box" else "it isn't set up yet"
    return f"{name} is not on the map: {told}; to ask all the same, put={named.id}@PLACE"

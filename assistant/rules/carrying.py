"""Carrying: what has to be true of a carrier and of all that it would carry."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from assistant.answers import Answer, BadQuestion, Counter, Line, Value
from assistant.questions import POSITION, SCENARIO, Input, Question, Told
from assistant.rules.asked import Asked
from assistant.rules.field import Field, Fields, Standing, Walker
from assistant.rules.kinds import kinds_of
from assistant.rules.placed import asked_position
from assistant.rules.program import Ready
from assistant.rules.stacking import unmet
from scenarios.game import Game
from scenarios.position import Piece, Position
from scenarios.resolve import Location


def carry_failures(field: Field, carrier: Walker, load: Iterable[Fields]) -> tuple[Ready, ...]:
    """The demands that wouldn't be met if a carrier had all of these aboard."""
    demands = field.program.ready(field.program.rules.carry)
    return unmet(field, demands.records, Asked(field, carrier, {}, {"load": list(load)}))


class Seated(Protocol):
    """A piece with its counter, place and states."""

    @property
    def unit(self) -> str: ...

    @property
    def at(self) -> Location | None: ...

    @property
    def states(self) -> frozenset[str]: ...


def seats(field: Field, pieces: Sequence[Seated]) -> dict[int, int]:
    """Who rides with whom, by their places in the list: a passenger comes after its carrier; where that one is full, it is with the
    nearest one before it that has room."""
    aboard, units = field.program.rules.aboard, field.game.units
    load: dict[int, list[Fields]] = {}
    found: dict[int, int] = {}
    for number, piece in enumerate(pieces):
        if aboard not in piece.states or piece.unit not in units:
            continue
        rider = field.fields_of(units[piece.unit])
        for before in range(number - 1, -1, -1):
            other = pieces[before]
            if other.at != piece.at or other.unit not in units or aboard in other.states:
                continue
            riders = load.setdefault(before, [])
            if not carry_failures(field, field.off_map(units[other.unit]), [*riders, rider]):
                riders.append(rider)
                found[number] = before
                break
    return found


def riders(field: Field, standing: Standing) -> tuple[Standing, ...]:
    """Who is aboard a unit on the map."""
    there = [piece for piece in field.position.pieces if piece.at == standing.piece.at]
    found = seats(field, there) if field.program.rules.aboard else {}
    return tuple(field.as_if(there[number]) for number, carrier in found.items() if there[carrier] is standing.piece)


def carry_answer(game: Game, told: Told) -> Answer:
    """Whether a unit may carry others, all together; in a scenario by its level of rules."""
    position = asked_position(game, told) if told.get("scenario") or told.get("position") else Position(game.id)
    kinds = kinds_of(game, position.scenario or next(iter(game.scenarios), ""))
    if kinds is None:
        raise BadQuestion(f"{game.title} has no map; add `maps`")
    field = Field(kinds, replace(position, pieces=()))
    named, units = told["unit"], [one for one in told["load"] for _ in range(one.count)]
    if marker := next((one.id for one in (named, *units) if one.id not in game.units), ""):
        raise BadQuestion(f"{marker} is a marker; name a unit")
    carrier, *load = (
        field.as_if(Piece(one.id, one.copy or "1", "", kinds.places[0], frozenset(one.states)))
        for one in (named, *units)
    )
    broken = carry_failures(field, field.walker(carrier), [standing.fields for standing in load])
    counts = Tally(standing.unit.name for standing in load)
    whom = " and ".join(f"{count} x {name}" if count > 1 else name for name, count in counts.items())
    return Answer(
        "carry",
        game.id,
        [
            Value("unit", Counter(carrier.unit.id, carrier.unit.name), shown=False),
            Value("units", [Counter(standing.unit.id, standing.unit.name) for standing in load], shown=False),
            Value("may", not broken, f"{carrier.unit.name} may carry {whom}"),
            Value("refused", [{"text": record.text, "rule": record.rule} for record in broken], shown=False),
            *(Line(record.text, record.rule) for record in broken),
        ],
    )


CARRY = Question(
    name="carry",
    about="whether a unit may carry others",
    answer=carry_answer,
    bare=("unit", "load"),
    inputs=(
        Input(name="unit", about="who carries", kind="unit", needed=True),
        Input(name="load", about="whom, all together", kind="units", needed=True),
        SCENARIO,
        POSITION,
    ),
)

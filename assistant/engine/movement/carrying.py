"""Carrying: the conditions that a carrier and all its passengers must meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from assistant.engine.field import Field
from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of
from assistant.engine.placed_units import Fields, Mover, PlacedUnit
from assistant.engine.program import CompiledRecord
from assistant.engine.question_field import asked_position
from assistant.engine.stacking import unmet
from assistant.questions.answer import Answer, BadQuestion, CounterRef, Sentence, Value
from assistant.questions.question import POSITION, SCENARIO, Input, Inputs, Question
from scenarios.areas.resolving import Location
from scenarios.model.game import Game
from scenarios.model.position import Piece, Position


def carry_failures(field: Field, carrier: Mover, load: Iterable[Fields]) -> tuple[CompiledRecord, ...]:
    """Return the conditions that would fail if a carrier had all these units aboard."""
    demands = field.program.ready(field.program.rules.carry)
    return unmet(field, demands.records, field.scope(carrier, {}, {"load": list(load)}))


class SeatedUnit(Protocol):
    """A piece with its counter, place and states."""

    @property
    def unit(self) -> str: ...

    @property
    def at(self) -> Location | None: ...

    @property
    def states(self) -> frozenset[str]: ...


def seats(field: Field, pieces: Sequence[SeatedUnit]) -> dict[int, int]:
    """Return the carrier of each passenger, by their positions in the list. A passenger follows its carrier in the
    list. If that carrier is full, the passenger rides with the nearest carrier before it that has room."""
    aboard, units = field.program.rules.aboard, field.game.units
    load: dict[int, list[Fields]] = {}
    carriers: dict[int, int] = {}
    for number, piece in enumerate(pieces):
        if aboard not in piece.states or piece.unit not in units:
            continue
        rider = field.fields_of(units[piece.unit])
        for carrier_number in range(number - 1, -1, -1):
            carrier = pieces[carrier_number]
            if carrier.at != piece.at or carrier.unit not in units or aboard in carrier.states:
                continue
            riders = load.setdefault(carrier_number, [])
            if not carry_failures(field, field.off_map(units[carrier.unit]), [*riders, rider]):
                riders.append(rider)
                carriers[number] = carrier_number
                break
    return carriers


def riders(field: Field, unit: PlacedUnit) -> tuple[PlacedUnit, ...]:
    """Return the units aboard a unit on the map."""
    stacked_pieces = [piece for piece in field.position.pieces if piece.at == unit.piece.at]
    carriers = seats(field, stacked_pieces) if field.program.rules.aboard else {}
    return tuple(
        field.as_if(stacked_pieces[number])
        for number, carrier in carriers.items()
        if stacked_pieces[carrier] is unit.piece
    )


def carry_answer(game: Game, inputs: Inputs) -> Answer:
    """Answer whether a unit may carry others at the same time; in a scenario by its level of rules."""
    position = asked_position(game, inputs) if inputs.get("scenario") or inputs.get("position") else Position(game.id)
    map_index = map_index_of(game, position.scenario or next(iter(game.scenarios), ""))
    if map_index is None:
        raise BadQuestion(f"{game.title} has no map; add `maps`")
    field = make_field(map_index, replace(position, pieces=()))
    carrier_ref, units = inputs["unit"], [unit_ref for unit_ref in inputs["load"] for _ in range(unit_ref.count)]
    if marker := next((unit_ref.id for unit_ref in (carrier_ref, *units) if unit_ref.id not in game.units), ""):
        raise BadQuestion(f"{marker} is a marker; name a unit")
    carrier, *load = (
        field.as_if(Piece(unit_ref.id, unit_ref.copy or "1", "", map_index.places[0], frozenset(unit_ref.states)))
        for unit_ref in (carrier_ref, *units)
    )
    refusals = carry_failures(field, field.mover(carrier), [passenger.fields for passenger in load])
    counts = Counter(passenger.display_name for passenger in load)
    load_names = " and ".join(f"{count} x {name}" if count > 1 else name for name, count in counts.items())
    return Answer(
        "carry",
        game.id,
        [
            Value("unit", CounterRef(carrier.counter.id, carrier.display_name), for_people=False),
            Value(
                "units",
                [CounterRef(passenger.counter.id, passenger.display_name) for passenger in load],
                for_people=False,
            ),
            Value("may", not refusals, f"{carrier.display_name} may carry {load_names}"),
            Value("refused", [{"text": record.text, "rule": record.rule} for record in refusals], for_people=False),
            *(Sentence(record.text, record.rule) for record in refusals),
        ],
    )


CARRY = Question(
    name="carry",
    about="check whether a unit may carry other units",
    answer=carry_answer,
    positional=("unit", "load"),
    inputs=(
        Input(name="unit", about="the unit that carries", kind="unit", required=True),
        Input(name="load", about="the units that it carries together", kind="units", required=True),
        SCENARIO,
        POSITION,
    ),
)

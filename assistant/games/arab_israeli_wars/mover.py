"""The unit that moves: with its passengers, out of a position or by itself on the map; and its plan, read from words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from assistant.engine.field import Field
from assistant.engine.movement import route_plan
from assistant.engine.movement.carrying import carry_failures
from assistant.engine.movement.route_plan import MoveAct, MovePlanner, PlannedMove, walk_planned
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.roster import roster
from assistant.games.arab_israeli_wars.forces import BRIDGE, enlist, hex_at, seats, unit_word, with_carrier
from assistant.games.arab_israeli_wars.questions import hex_of
from assistant.questions.answer import BadQuestion, Refusal
from assistant.questions.question import Inputs
from scenarios.model.counters import Unit
from scenarios.model.hexes import Hex
from scenarios.reading.findings import suggest

QUICK = "quick"
WITH_BRIDGE = {"load:bridge": "load_bridge", "unload:bridge": "unload_bridge"}
"""What is done with a bridge instead of with units."""
LOADED_STATE = frozenset({"loaded"})


@dataclass(frozen=True)
class MovingUnit:
    """The unit that moves, its passengers, and the field without it, which knows of a quick march and of a bridge in tow."""

    field: Field
    placed_unit: PlacedUnit
    passengers: tuple[PlacedUnit, ...] = ()

    @property
    def unit(self) -> Unit:
        return self.placed_unit.counter

    @property
    def hex(self) -> Hex:
        return hex_at(self.placed_unit)

    @property
    def quick(self) -> bool:
        """Whether it is on a quick march (Advanced II.C)."""
        return bool(self.field.inputs[QUICK])

    @property
    def allowance(self) -> Fraction:
        """The printed allowance, or 1 with a bridge in tow (Standard III.B, Advanced V.D.2.b)."""
        return Fraction(self.field.ask(self.field.program.values["full"], self.field.mover(self.placed_unit)))

    @property
    def air(self) -> bool:
        return self.unit.class_ == "air"

    @property
    def low(self) -> bool:
        """A helicopter that is down (Optional I.C)."""
        return self.air and "down" in self.placed_unit.piece.states

    @property
    def kind(self) -> str:
        """Which of the pack's kinds of move it makes."""
        return "flight" if self.air else "move"

    @cached_property
    def steps(self) -> MovePlanner:
        return MovePlanner(self.field, self.placed_unit, self.kind)

    def quickly(self) -> MovingUnit:
        """Return the same unit on a quick march."""
        return MovingUnit(self.field.telling(quick=True), self.placed_unit, self.passengers)

    def walk(self, plan: Sequence[int | MoveAct]) -> PlannedMove:
        """Return a planned move; raise Refusal where it isn't allowed."""
        return walk_planned(self.field, self.placed_unit, plan, self.passengers, self.kind)


def mover_in(field: Field, unit: str, start_hex: Hex | None = None, copy: str = "", quick: bool = False) -> MovingUnit:
    """Return the unit of a position that is to move, with the passengers and the bridge listed after it in its hex."""
    game, pieces = field.game, field.position.pieces
    if unit not in game.units:
        raise BadQuestion(f"no counter of {game.id} is called {unit!r}; {suggest(unit, game.units)}")
    fitting = [
        piece
        for piece in pieces
        if piece.unit == unit
        and copy in ("", piece.copy)
        and isinstance(piece.at, Hex)
        and start_hex in (None, piece.at)
    ]
    if not fitting:
        known_units = {piece.unit for piece in pieces if piece.unit in game.units and start_hex in (None, piece.at)}
        hint = f"; {suggest(unit, known_units)}" if known_units else ""
        hex_name = field.map_index.name(field.map_index.number[start_hex]) if start_hex is not None else "HEX"
        unit_label = unit_word(unit, copy)
        raise BadQuestion(
            f"no {unit_label} is in this position (to add one, write put={unit}@{hex_name}){hint} (Basic V.A)"
        )
    piece = fitting[0]
    if len({fitting_piece.at for fitting_piece in fitting}) > 1:
        raise BadQuestion(f"there are {len(fitting)} counters of {unit} on the map; name the hex")
    stack_pieces = [stack_piece for stack_piece in pieces if stack_piece.at == piece.at]
    carrier_by_rider = seats(field, stack_pieces)
    for number, stack_piece in enumerate(stack_pieces):
        if "loaded" in stack_piece.states and number not in carrier_by_rider and stack_piece.unit in game.units:
            raise BadQuestion(
                f"{game.units[stack_piece.unit].name} is loaded, and no carrier listed before it there has room for it "
                "(Basic V.B.1, V.B.5; pairs of missile units Advanced II.E)"
            )
    aboard = [stack_pieces[number] for number, carrier in carrier_by_rider.items() if stack_pieces[carrier] is piece]
    riders = [
        field.as_if(rider_piece._replace(states=with_carrier(rider_piece.states, piece.states)))
        for rider_piece in aboard
        if rider_piece.unit in game.units
    ]
    moving_units = [placed_unit for placed_unit in field.placed_units if placed_unit.piece is piece]
    towing = any(rider_piece.unit == BRIDGE for rider_piece in aboard)
    return MovingUnit(
        field.with_changes(moving_units).telling(quick=quick, towing=towing), field.as_if(piece), tuple(riders)
    )


def with_mover(field: Field, inputs: Inputs, start: Hex | None, copy: str) -> Field:
    """Return the field with the unit and the passengers that a question names, where no position shows them."""
    unit_ref, units = inputs["unit"], field.game.units
    if start is None:
        raise BadQuestion("name the hex it moves from: --from HEX")
    army_roster = roster(field.game, field.position.scenario)
    states = frozenset((*unit_ref.states, *inputs.get("states", ())))
    passengers = [ref.id for ref in inputs.get("passengers", ()) if ref.id in units for _ in range(ref.count)]
    pieces = []
    for unit, unit_copy, unit_states in (
        (unit_ref.id, copy, states),
        *((rider, "", LOADED_STATE) for rider in passengers),
    ):
        piece = army_roster.piece_of(unit)
        side = str(inputs.get("side") or army_roster.side(piece))
        pieces.append(enlist(army_roster, piece._replace(copy=unit_copy, at=start, states=unit_states), side))
    carrier, *load = map(field.as_if, pieces)
    if load and (violations := carry_failures(field, field.mover(carrier), [rider.fields for rider in load])):
        raise Refusal(f"{carrier.counter.name}: {violations[0].text}", violations[0].rule)
    return field.with_pieces((*field.position.pieces, *pieces))


def read_plan(field: Field, words: Iterable[str]) -> list[int | MoveAct]:
    """Return a plan of hexes and acts, such as quick, load:sagger+sagger, load:bridge, unload@A-H-5, overrun@D-R-7, clear_mine."""
    words = [WITH_BRIDGE.get(word, word) for word in words]
    plan = route_plan.read_plan(field, words, lambda text: field.map_index.number[hex_of(field, text)], (QUICK,))
    if any(isinstance(plan_step, MoveAct) and plan_step.act == QUICK for plan_step in plan[1:]):
        raise BadQuestion(
            "a quick march is announced before the unit moves: the first word of the path (Advanced II.C.2)"
        )
    return plan

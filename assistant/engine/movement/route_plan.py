"""A move as a player plans it: place by place, with acts during the move such as loading or an overrun, and the cost
of each part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from assistant.engine.field import Field
from assistant.engine.movement.amounts import EvaluatedAmount, amount
from assistant.engine.movement.carrying import carry_failures, riders
from assistant.engine.movement.reach import gate_failures, walk_named
from assistant.engine.movement.walk import SCALE, StepEvaluator, StepResult, evaluate_records
from assistant.engine.placed_units import Mover, PlacedUnit
from assistant.engine.program import CompiledRecord
from assistant.engine.question_field import asked_place
from assistant.engine.stacking import failures, unmet
from assistant.questions.answer import (
    BadQuestion,
    Cell,
    CounterRef,
    MapPath,
    Node,
    Refusal,
    RowTable,
    Sentence,
    TableColumn,
    Value,
)
from scenarios.grammar import count_text, number_text
from scenarios.reading.findings import suggest
from scenarios.rules.shapes import Act, Walk

ZERO = Fraction(0)


class MoveRefusal(NamedTuple):
    """Why something isn't possible, and the rule that says so."""

    text: str
    rule: str

    def __str__(self) -> str:
        return f"{self.text} ({self.rule})" if self.rule else self.text


class PointsItem(NamedTuple):
    """An item that points pay for."""

    text: str
    points: Fraction
    rule: str


class MoveAct(NamedTuple):
    """An act during the move: the units, and the place (the unit's own by default)."""

    act: str
    units: tuple[str, ...] = ()
    place: int | None = None


class Payment(NamedTuple):
    """The cost of a step or an act."""

    points: Fraction
    parts: tuple[PointsItem, ...]
    mode: str = ""
    last: bool = False
    """The move ends with it."""
    note: str = ""
    is_whole_move: bool = False
    """It takes all points."""


class Spending(NamedTuple):
    """A payment of points. The unit is then in `end`. Without an `act` it is a step; `place` is the target of an act."""

    act: str
    start: int
    end: int
    place: int
    points: Fraction
    total: Fraction
    parts: tuple[PointsItem, ...]
    mode: str = ""
    note: str = ""


@dataclass(frozen=True)
class MoveState:
    """A unit during its move."""

    field: Field
    unit: PlacedUnit
    """The unit at the start of its move."""
    place: int
    aboard: tuple[PlacedUnit, ...] = ()
    points_spent: Fraction = ZERO
    steps: int = 0
    mode: str = ""
    end_reason: str = ""
    """What ended the move."""


@dataclass(frozen=True)
class PlannedMove:
    """A legal move, payment by payment."""

    unit: PlacedUnit
    aboard: tuple[PlacedUnit, ...]
    """The units aboard at the end."""
    field: Field
    """The field at the end, without the unit."""
    points: Fraction | None
    spendings: tuple[Spending, ...]

    @property
    def total_cost(self) -> Fraction:
        """Its total cost."""
        return self.spendings[-1].total if self.spendings else ZERO


class MovePlanner:
    """What one unit may do in a position: the cost of each step and act from any place, or why it isn't possible."""

    def __init__(
        self, field: Field, unit: PlacedUnit, kind: str = "", earlier_steps: MovePlanner | None = None
    ) -> None:
        """Plan for one unit. `earlier_steps` are the same move before something changed during it; the unit keeps the
        points that it had then."""
        self.field, self.unit, self.kind, self.start_state = field, unit, kind, earlier_steps
        self.walk: Walk = walk_named(field.program.rules.movement, kind, "movement")
        self.mover: Mover = field.mover(unit, self.walk.as_)

    @cached_property
    def stepper(self) -> StepEvaluator:
        """Evaluates single steps."""
        steps, start = self.field.program.ready(self.walk.steps), self.unit.place
        return StepEvaluator(
            self.field,
            steps,
            self.mover,
            modes=self.walk.modes,
            start=start,
            needs_price=bool(self.walk.allowance),
            local=True,
        )

    @cached_property
    def allowance(self) -> EvaluatedAmount | None:
        """The unit's points; None where its walk has no limit."""
        limits = self.walk.allowance or self.walk.length
        return amount(self.field, limits, self.mover, {}, start=self.unit.place) if limits else None

    @cached_property
    def points(self) -> Fraction | None:
        """The most points that it can have."""
        if self.start_state is not None:
            return self.start_state.points
        return None if self.allowance is None else Fraction(self.allowance.maximum)

    @cached_property
    def refusal(self) -> MoveRefusal | None:
        """Why it can't move at all."""
        gates = self.field.program.ready(self.walk.who)
        shut = gate_failures(self.field, gates, self.field.scope(self.mover, {"start": self.unit.place}, {}))
        record = shut[0] if shut else self.allowance.forbidden if self.allowance is not None else None
        return None if record is None else MoveRefusal(record.text, record.rule)

    # Steps.

    def ways(self, n: int, m: int, first: bool = True, last: str = "") -> list[Payment] | MoveRefusal:
        """Return the ways to step from a place to the next, by mode, or why there is none."""
        step = self.field.map_index.step(n, m)
        if step is None:
            return MoveRefusal(
                "each place of a path must be adjacent to the one before", self.walk.cites.get("step", self.walk.rule)
            )
        verdicts = [verdict._replace(mode=mode) for mode, verdict in self.stepper.ways(n, m, step, first, last)]
        payments = [self._payment(verdict) for verdict in verdicts if not verdict.is_refused]
        return payments or self._no(m, verdicts)

    def way(self, n: int, m: int, mode: str) -> Payment | MoveRefusal:
        """Return one way to step, such as over a bridge, as the first step; or why it isn't possible."""
        step = self.field.map_index.step(n, m)
        verdicts = (
            []
            if step is None
            else [verdict for name, verdict in self.stepper.ways(n, m, step, True, "") if name == mode]
        )
        return self._payment(verdicts[0]) if verdicts and not verdicts[0].is_refused else self._no(m, verdicts)

    def _payment(self, verdict: StepResult) -> Payment:
        stop = verdict.stop.text if verdict.stop is not None else ""
        if verdict.takes_all:
            record, points = (
                next(price_record for price_record in reversed(verdict.rests) if price_record.takes_all),
                self.points or ZERO,
            )
            return Payment(
                points, (PointsItem(record.text, points, record.rule),), verdict.mode, True, record.text, True
            )
        assert verdict.cost is not None
        parts = tuple(PointsItem(record.text, points, record.rule) for record, points in verdict.parts)
        return Payment(Fraction(verdict.cost) / SCALE, parts, verdict.mode, bool(stop), stop)

    def _no(self, m: int, verdicts: Iterable[StepResult]) -> MoveRefusal:
        record = next((verdict.rests[0] for verdict in verdicts if verdict.rests), None)
        if record is None:
            return MoveRefusal("no path leads there", self.walk.rule)
        # The stacking rules explain more than a record that asks for room.
        demands = failures(self.field, self.mover, m) if "to.room" in record.uses else ()
        return MoveRefusal((demands or (record,))[0].text, (demands or (record,))[0].rule)

    def affordable(self, way: Payment, progress: MoveState) -> Payment | MoveRefusal:
        """Return the payment for a step after earlier ones, or why it isn't possible."""
        points, minimum = self.points, self.walk.minimum
        if way.is_whole_move and (progress.steps or progress.points_spent):
            return MoveRefusal(f"a unit that {way.note} starts next to it and moves one hex", way.parts[0].rule)
        if points is None or progress.points_spent + way.points <= points:
            return way
        fresh = minimum is not None and progress.steps < minimum.hexes and not progress.points_spent
        if minimum is not None and fresh and self.field.holds(minimum.when, self.mover, start=self.unit.place):
            return way._replace(points=points, parts=(PointsItem(minimum.text, points, minimum.rule),))
        return self.too_few(way.points, points - progress.points_spent, self.walk.cites.get("points", self.walk.rule))

    def too_few(self, needs: Fraction, points_left: Fraction, rule: str) -> MoveRefusal:
        """What is said where points are missing."""
        return MoveRefusal(
            f"it takes {count_text(needs, 'point')}, but the unit has {number_text(points_left)} left", rule
        )

    # Acts.

    def act(
        self, name: str, n: int, m: int, load: Sequence[PlacedUnit] = (), *, first: bool = True
    ) -> Payment | MoveRefusal:
        """Return the cost of an act on a place for a unit in another place (or the same), or why it isn't possible.
        `load` holds the other units of the act."""
        field, shape = self.field, self.field.program.rules.acts[name]
        distance = field.map_index.distance(n, m)
        if not self.may(shape):
            return MoveRefusal(f"{shape.title} isn't possible in this kind of move", shape.rule)
        spots = {"from": n, "to": m, "start": self.unit.place}
        extra_values: dict[str, Any] = {"first": first, "distance": distance, "load": [unit.fields for unit in load]}
        verdict = evaluate_records(
            field,
            field.program.ready(shape.steps).records,
            field.scope(self.mover, spots, extra_values),
            needs_price=True,
        )
        if verdict.is_refused and verdict.rests:
            return self._no(m, [verdict])
        allowed_distances = {"here": (0,), "near": (0, 1)}.get(shape.where, (1,))
        if distance not in allowed_distances:
            return MoveRefusal(
                f"name an adjacent place: {name}@PLACE"
                if 1 in allowed_distances
                else "it happens in the unit's own place; leave out the @PLACE",
                shape.rule,
            )
        if verdict.is_refused:
            return MoveRefusal("no rule gives it a cost", shape.rule)
        lacking = self._lacking(shape, n, extra_values)
        if lacking is not None:
            return MoveRefusal(lacking.text, lacking.rule)
        way = self.ways(n, m, first) if shape.where == "into" else None
        if isinstance(way, MoveRefusal):
            return way
        payment = self._payment(verdict)
        rule = next(
            (
                price_record.rule
                for price_record in reversed(verdict.rests)
                if price_record.effect in ("cost", "add", "multiply")
            ),
            shape.rule,
        )
        return Payment(
            payment.points,
            (PointsItem(name.replace("_", " "), payment.points, rule),),
            "",
            shape.ends,
            shape.does,
            payment.is_whole_move,
        )

    def may(self, shape: Act) -> bool:
        """Whether an act may be done during this kind of move."""
        return not shape.of or any(self.field.program.rules.movement.get(kind) is self.walk for kind in shape.of)

    def _lacking(self, shape: Act, n: int, extra_values: Mapping[str, Any]) -> CompiledRecord | None:
        """Return the condition that no adjacent place meets."""
        field = self.field
        for demand in field.program.ready(shape.beside).records:
            spots = [{"from": n, "to": m, "start": self.unit.place} for m, _ in field.map_index.neighbours(n)]
            if all(unmet(field, [demand], field.scope(self.mover, spot, extra_values)) for spot in spots):
                return demand
        return None

    def taking(
        self,
        name: str,
        n: int,
        m: int,
        units: Sequence[PlacedUnit],
        aboard: Sequence[PlacedUnit],
        *,
        first: bool = True,
    ) -> Payment | MoveRefusal:
        """Return the cost of loading units in a place, in addition to those aboard; or why it isn't possible."""
        fields = [unit.fields for unit in (*aboard, *units)]
        refusals = carry_failures(self.field, self.mover, fields)
        if refusals:
            return MoveRefusal(f"{self.unit.display_name}: {refusals[0].text}", refusals[0].rule)
        return self.act(name, n, m, units, first=first)

    def putting(
        self, name: str, n: int, m: int, put: Sequence[PlacedUnit], *, first: bool = True
    ) -> Payment | MoveRefusal:
        """Return the cost of unloading passengers in a place, or why it isn't possible."""
        payment = self.act(name, n, m, put, first=first)
        if isinstance(payment, MoveRefusal):
            return payment
        field = self.field
        carrier = field.as_if(self.unit.piece._replace(at=field.map_index.places[n]))
        units_beside = [carrier] if n == m and not (self.unit in field.placed_units and n == self.unit.place) else []
        for unit in put:
            refusals = failures(field, field.mover(unit), m, extra_units=units_beside)
            if refusals:
                return MoveRefusal(refusals[0].text, refusals[0].rule)
            units_beside.append(unit)
        return payment


def walk_planned(
    field: Field, unit: PlacedUnit, plan: Sequence[int | MoveAct], aboard: Sequence[PlacedUnit] = (), kind: str = ""
) -> PlannedMove:
    """Return the cost of a planned move. It raises Refusal with the rule where the move isn't allowed. `field`
    excludes the moving unit.

    Each step uses the cheapest mode that no act of the plan forbids.
    """
    steps = MovePlanner(field, unit, kind)
    if steps.refusal is not None:
        raise Refusal(f"{unit.display_name} stays: {steps.refusal.text}", steps.refusal.rule)
    acts = field.program.rules.acts
    without = {mode for deed in plan if isinstance(deed, MoveAct) for mode in acts[deed.act].without}
    progress, points = MoveState(field, unit, unit.place, tuple(aboard)), steps.points
    spendings: list[Spending] = []
    for item in plan:
        if progress.end_reason:
            raise BadQuestion(f"the move ends in {field.map_index.name(progress.place)}: {progress.end_reason}")
        if progress.field is not steps.field:
            steps = MovePlanner(progress.field, unit, kind, steps.start_state or steps)
        progress, spending = (
            _perform_act(steps, progress, item, points)
            if isinstance(item, MoveAct)
            else _take_step(steps, progress, item, without)
        )
        spendings.append(spending)
    return PlannedMove(unit, progress.aboard, progress.field, points, tuple(spendings))


def _take_step(steps: MovePlanner, progress: MoveState, m: int, without: set[str]) -> tuple[MoveState, Spending]:
    title = steps.field.map_index.name
    ways = steps.ways(progress.place, m, not progress.steps, progress.mode)
    step_name = f"{title(progress.place)} to {title(m)}"
    if isinstance(ways, MoveRefusal):
        raise Refusal(f"{step_name}: {ways.text}", ways.rule)
    payments = [steps.affordable(way, progress) for way in ways if way.mode not in without]
    lawful = [way for way in payments if isinstance(way, Payment)]
    if not lawful:
        no = next(
            (way for way in payments if isinstance(way, MoveRefusal)),
            MoveRefusal(f"only {' or '.join(way.mode for way in ways)} leads there", ""),
        )
        raise Refusal(f"{step_name}: {no.text}", no.rule)
    way = min(lawful, key=lambda payment: payment.points)
    total = progress.points_spent + way.points
    ending = (way.note or "the unit stops") if way.last else ""
    new_progress = replace(
        progress, place=m, points_spent=total, steps=progress.steps + 1, mode=way.mode, end_reason=ending
    )
    return new_progress, Spending("", progress.place, m, m, way.points, total, way.parts, way.mode, way.note)


def _perform_act(
    steps: MovePlanner, progress: MoveState, deed: MoveAct, points: Fraction | None
) -> tuple[MoveState, Spending]:
    field, shape = steps.field, steps.field.program.rules.acts[deed.act]
    word, title, m = (
        deed.act.replace("_", " "),
        field.map_index.name,
        progress.place if deed.place is None else deed.place,
    )
    if shape.cargo == "load":
        riding = field.program.rules.aboard
        free = [
            unit
            for unit in field.stack(m, steps.unit.side)
            if unit is not steps.unit and riding not in unit.piece.states
        ]
        load = _units_of_act(shape, deed, free, f"{word} in {title(progress.place)}", title(m))
        payment = steps.taking(deed.act, progress.place, m, load, progress.aboard, first=not progress.steps)
    elif shape.cargo == "unload":
        load = [
            _unload_at(steps, unit, m)
            for unit in _units_of_act(shape, deed, progress.aboard, f"{word} in {title(progress.place)}", "")
        ]
        payment = steps.putting(deed.act, progress.place, m, load, first=not progress.steps)
    else:
        load = []
        payment = steps.act(deed.act, progress.place, m, first=not progress.steps)
    if isinstance(payment, Payment) and payment.is_whole_move and (progress.steps or progress.points_spent):
        payment = MoveRefusal("it takes the whole move, so it must come first", payment.parts[0].rule)
    elif isinstance(payment, Payment) and points is not None and progress.points_spent + payment.points > points:
        payment = steps.too_few(payment.points, points - progress.points_spent, payment.parts[0].rule)
    if isinstance(payment, MoveRefusal):
        raise Refusal(f"{word} in {title(progress.place)}: {payment.text}", payment.rule)
    total, end = progress.points_spent + payment.points, m if shape.where == "into" else progress.place
    note = payment.note or ", ".join(unit.display_name for unit in load) or (title(m) if m != progress.place else "")
    new_progress = replace(
        progress,
        field=_field_after_act(shape, field, load),
        place=end,
        points_spent=total,
        steps=progress.steps + (end != progress.place),
        end_reason=word * payment.last,
    )
    keys = {unit.piece[:2] for unit in load}
    if shape.cargo == "load":
        new_progress = replace(new_progress, aboard=(*progress.aboard, *load))
    elif shape.cargo == "unload":
        new_progress = replace(
            new_progress, aboard=tuple(unit for unit in progress.aboard if unit.piece[:2] not in keys)
        )
    return new_progress, Spending(deed.act, progress.place, end, m, payment.points, total, payment.parts, "", note)


def _units_of_act(
    shape: Act, deed: MoveAct, free: Sequence[PlacedUnit], doing: str, place_name: str
) -> list[PlacedUnit]:
    """Return the units that an act names; all passengers where it names none."""
    aboard = shape.cargo == "unload"
    if not deed.units and aboard and free:
        return list(free)
    if not deed.units:
        raise Refusal(f"{doing}: {'it carries no unit' if aboard else f'name the unit: {deed.act}:UNIT'}", shape.rule)
    units: list[PlacedUnit] = []
    for unit_id in deed.units:
        unit = next(
            (candidate for candidate in free if candidate.counter.id == unit_id and candidate not in units), None
        )
        if unit is None:
            raise Refusal(
                f"{doing}: {f'it carries no {unit_id}' if aboard else f'there is no {unit_id} in {place_name}'}",
                shape.rule,
            )
        units.append(unit)
    return units


def _unload_at(steps: MovePlanner, passenger: PlacedUnit, m: int) -> PlacedUnit:
    """Return a passenger as it would be in a place."""
    field = steps.field
    states = passenger.piece.states - {field.program.rules.aboard}
    return field.as_if(passenger.piece._replace(at=field.map_index.places[m], states=states))


def _field_after_act(shape: Act, field: Field, load: Sequence[PlacedUnit]) -> Field:
    """Return the field after an act."""
    inputs = {name: _read_value(field, name, text) for name, text in shape.sets.items()}
    field = field.telling(**inputs) if inputs else field
    if shape.cargo == "load":
        return field.with_changes(removed_units=load)
    put = [field.as_if(unit.piece._replace(states=unit.piece.states | {*shape.marks})) for unit in load]
    return field.with_changes(added_units=put) if put else field


def _read_value(field: Field, name: str, text: str) -> Any:
    kind = field.program.rules.inputs[name].kind
    return text == "true" if kind == "flag" else Fraction(text) if kind == "number" else text


# The question.


def read_plan(
    field: Field, words: Iterable[str], place: Callable[[str], int], other_acts: Sequence[str] = ()
) -> list[int | MoveAct]:
    """Read a plan: places, and acts such as dig, load:squad+squad or overrun@0203. `other_acts` are further words for
    acts."""
    acts = [*other_acts, *field.program.rules.acts]
    plan: list[int | MoveAct] = []
    for word in words:
        head, separator, spot = word.partition("@")
        act, _, unit_names = head.partition(":")
        if act not in acts:
            try:
                plan.append(place(word))
            except BadQuestion as error:
                raise BadQuestion(
                    f"{error}; it is no action of this move either: {suggest(act, acts)}" if acts else str(error)
                ) from None
            continue
        units = tuple(unit for unit in unit_names.split("+") if unit)
        for unit in units:
            if unit not in field.game.units:
                raise BadQuestion(f"no counter is called {unit!r}; {suggest(unit, field.game.units)}")
        plan.append(MoveAct(act, units, place(spot) if separator else None))
    return plan


def planned_nodes(field: Field, unit: PlacedUnit, words: Iterable[str], kind: str = "") -> list[Node]:
    """Answer for a move along a path: the cost of each part, or a Refusal."""
    plan = read_plan(field, words, lambda text: asked_place(field.map_index, text, "path"))
    way = walk_planned(field, unit, plan[1:] if plan[:1] == [unit.place] else plan, riders(field, unit), kind)
    titles = field.program.rules.acts
    rows: list[dict[str, Cell]] = [
        {
            "place": field.place(spending.place),
            "act": spending.act or None,
            "title": titles[spending.act].title if spending.act else "",
            "cost": spending.points,
            "why": "; ".join(
                f"{part.text} {part.points}{f' ({part.rule})' if part.rule else ''}" for part in spending.parts
            ),
            "note": spending.note,
        }
        for spending in way.spendings
    ]
    heads = {"place": "to", "title": "does", "cost": "cost", "why": "for", "note": "", "act": ""}
    columns = [TableColumn(key, head) for key, head in heads.items()]
    places = [
        field.place(n)
        for n in (unit.place, *(spending.end for spending in way.spendings if spending.end != spending.start))
    ]
    nodes: list[Node] = [
        Sentence((f"{unit.name} in ", field.place(unit.place))),
        Value("unit", CounterRef(unit.key, unit.name), for_people=False),
        MapPath("path", places, "Path", way.total_cost, complete=True),
        RowTable("steps", columns, rows),
    ]
    if way.points is not None:
        nodes.append(Value("left", way.points - way.total_cost, "Points left"))
    return [
        *nodes,
        Value(
            "passengers",
            [CounterRef(passenger.key, passenger.name) for passenger in way.aboard],
            "Carried units",
            for_people=bool(way.aboard),
        ),
    ]

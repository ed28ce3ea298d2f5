"""A move as a player plans it: place by place, with acts on the way such as loading or an overrun, and what each part costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from assistant.answers import BadQuestion, Cell, Column, Counter, Line, Node, Path, Refusal, Table, Value
from assistant.rules.amounts import Worked, amount
from assistant.rules.asked import Asked
from assistant.rules.carrying import carry_failures, riders
from assistant.rules.field import Field, Standing, Walker
from assistant.rules.movement import gate_failures, walk_named
from assistant.rules.placed import asked_place
from assistant.rules.program import Ready
from assistant.rules.stacking import failures, unmet
from assistant.rules.walk import SCALE, Stepper, Verdict, judged
from scenarios.reading.findings import instead
from scenarios.rules.shapes import Act, Walk

ZERO = Fraction(0)


class Bar(NamedTuple):
    """Why something can't be done, and the rule that says so."""

    text: str
    rule: str

    def __str__(self) -> str:
        return f"{self.text} ({self.rule})" if self.rule else self.text


class Part(NamedTuple):
    """What some points are paid for."""

    text: str
    points: Fraction
    rule: str


class Deed(NamedTuple):
    """An act on the way: with which units, in which place (its own, where none is named)."""

    act: str
    units: tuple[str, ...] = ()
    place: int | None = None


class Paid(NamedTuple):
    """What a step or an act costs."""

    points: Fraction
    parts: tuple[Part, ...]
    mode: str = ""
    last: bool = False
    """The move ends with it."""
    note: str = ""
    whole: bool = False
    """It takes all points."""


class Spending(NamedTuple):
    """Points spent at once: the unit is in `end` when they are. Without an `act` it is a step; `place` is what an act is done to."""

    act: str
    start: int
    end: int
    place: int
    points: Fraction
    total: Fraction
    parts: tuple[Part, ...]
    mode: str = ""
    note: str = ""


@dataclass(frozen=True)
class Underway:
    """A unit in the middle of its move."""

    field: Field
    standing: Standing
    """The unit as it began."""
    at: int
    aboard: tuple[Standing, ...] = ()
    spent: Fraction = ZERO
    steps: int = 0
    mode: str = ""
    ended: str = ""
    """What ended the move."""


@dataclass(frozen=True)
class Way:
    """A lawful move, spending by spending."""

    standing: Standing
    aboard: tuple[Standing, ...]
    """Who is aboard at the end."""
    field: Field
    """The field at the end, without the unit."""
    points: Fraction | None
    spendings: tuple[Spending, ...]

    @property
    def spent(self) -> Fraction:
        """All that it cost."""
        return self.spendings[-1].total if self.spendings else ZERO


class Steps:
    """What one unit may do in a position: the price of each step and act from anywhere, or why it can't be."""

    def __init__(self, field: Field, standing: Standing, kind: str = "", begun: Steps | None = None) -> None:
        """`begun`: the same move before something changed on its way; the points that it had then are what it has."""
        self.field, self.standing, self.kind, self.begun = field, standing, kind, begun
        self.walk: Walk = walk_named(field.program.rules.movement, kind, "movement")
        self.walker: Walker = field.walker(standing, self.walk.as_)

    @cached_property
    def stepper(self) -> Stepper:
        """What judges single steps."""
        steps, start = self.field.program.ready(self.walk.steps), self.standing.at
        return Stepper(
            self.field,
            steps,
            self.walker,
            modes=self.walk.modes,
            start=start,
            priced=bool(self.walk.allowance),
            local=True,
        )

    @cached_property
    def worked(self) -> Worked | None:
        """The points it has; None where its walk has no limit."""
        limits = self.walk.allowance or self.walk.length
        return amount(self.field, limits, self.walker, {}, start=self.standing.at) if limits else None

    @cached_property
    def points(self) -> Fraction | None:
        """The most points it can have."""
        if self.begun is not None:
            return self.begun.points
        return None if self.worked is None else Fraction(self.worked.most)

    @cached_property
    def refused(self) -> Bar | None:
        """Why it can't move at all."""
        gates = self.field.program.ready(self.walk.who)
        shut = gate_failures(self.field, gates, Asked(self.field, self.walker, {"start": self.standing.at}, {}))
        record = shut[0] if shut else self.worked.forbidden if self.worked is not None else None
        return None if record is None else Bar(record.text, record.rule)

    # Steps.

    def ways(self, n: int, m: int, first: bool = True, last: str = "") -> list[Paid] | Bar:
        """The ways to go from a place to the next, by their modes, or why there is none."""
        step = self.field.kinds.step(n, m)
        if step is None:
            return Bar("a unit moves from place to neighbouring place", self.walk.cites.get("step", self.walk.rule))
        verdicts = [verdict._replace(mode=mode) for mode, verdict in self.stepper.ways(n, m, step, first, last)]
        found = [self._paid(verdict) for verdict in verdicts if not verdict.refused]
        return found or self._no(m, verdicts)

    def way(self, n: int, m: int, mode: str) -> Paid | Bar:
        """One way to go, such as over a bridge, as the first step; or why it can't be gone."""
        step = self.field.kinds.step(n, m)
        verdicts = (
            [] if step is None else [one for name, one in self.stepper.ways(n, m, step, True, "") if name == mode]
        )
        return self._paid(verdicts[0]) if verdicts and not verdicts[0].refused else self._no(m, verdicts)

    def _paid(self, verdict: Verdict) -> Paid:
        stop = verdict.stop.text if verdict.stop is not None else ""
        if verdict.takes_all:
            record, points = next(one for one in reversed(verdict.rests) if one.takes_all), self.points or ZERO
            return Paid(points, (Part(record.text, points, record.rule),), verdict.mode, True, record.text, True)
        assert verdict.cost is not None
        parts = tuple(Part(record.text, points, record.rule) for record, points in verdict.parts)
        return Paid(Fraction(verdict.cost) / SCALE, parts, verdict.mode, bool(stop), stop)

    def _no(self, m: int, verdicts: Iterable[Verdict]) -> Bar:
        record = next((verdict.rests[0] for verdict in verdicts if verdict.rests), None)
        if record is None:
            return Bar("no way leads there", self.walk.rule)
        # The demands on stacking say more than a record that asks for room.
        demands = failures(self.field, self.walker, m) if "to.room" in record.uses else ()
        return Bar((demands or (record,))[0].text, (demands or (record,))[0].rule)

    def affordable(self, way: Paid, now: Underway) -> Paid | Bar:
        """A step as it is paid after others, or why it can't be."""
        points, minimum = self.points, self.walk.minimum
        if way.whole and (now.steps or now.spent):
            return Bar(f"a unit that {way.note} starts next to it and moves one hex", way.parts[0].rule)
        if points is None or now.spent + way.points <= points:
            return way
        fresh = minimum is not None and now.steps < minimum.hexes and not now.spent
        if minimum is not None and fresh and self.field.holds(minimum.when, self.walker, start=self.standing.at):
            return way._replace(points=points, parts=(Part(minimum.text, points, minimum.rule),))
        return self.too_few(way.points, points - now.spent, self.walk.cites.get("points", self.walk.rule))

    def too_few(self, needs: Fraction, left: Fraction, rule: str) -> Bar:
        """What is said where points are missing."""
        return Bar(f"it takes {needs} points, and {left} are left", rule)

    # Acts.

    def act(self, name: str, n: int, m: int, load: Sequence[Standing] = (), *, first: bool = True) -> Paid | Bar:
        """What an act on a place costs a unit in another (or in the same), or why it can't be done. `load` is whom it is done with."""
        field, shape = self.field, self.field.program.rules.acts[name]
        far = field.kinds.distance(n, m)
        if not self.may(shape):
            return Bar(f"{shape.title} is no part of this kind of move", shape.rule)
        spots = {"from": n, "to": m, "start": self.standing.at}
        more: dict[str, Any] = {"first": first, "distance": far, "load": [one.fields for one in load]}
        verdict = judged(
            field, field.program.ready(shape.steps).records, Asked(field, self.walker, spots, more), priced=True
        )
        if verdict.refused and verdict.rests:
            return self._no(m, [verdict])
        near = {"here": (0,), "near": (0, 1)}.get(shape.where, (1,))
        if far not in near:
            return Bar(
                f"say which place next to it: {name}@PLACE" if 1 in near else "it is done in its own place", shape.rule
            )
        if verdict.refused:
            return Bar("no rule gives it a price", shape.rule)
        lacking = self._lacking(shape, n, more)
        if lacking is not None:
            return Bar(lacking.text, lacking.rule)
        way = self.ways(n, m, first) if shape.where == "into" else None
        if isinstance(way, Bar):
            return way
        paid = self._paid(verdict)
        rule = next(
            (one.rule for one in reversed(verdict.rests) if one.effect in ("cost", "add", "multiply")), shape.rule
        )
        return Paid(
            paid.points, (Part(name.replace("_", " "), paid.points, rule),), "", shape.ends, shape.does, paid.whole
        )

    def may(self, shape: Act) -> bool:
        """Whether an act may be done on the way of this kind of move."""
        return not shape.of or any(self.field.program.rules.movement.get(kind) is self.walk for kind in shape.of)

    def _lacking(self, shape: Act, n: int, more: Mapping[str, Any]) -> Ready | None:
        """The demand that no place next to it meets."""
        field = self.field
        for demand in field.program.ready(shape.beside).records:
            spots = [{"from": n, "to": m, "start": self.standing.at} for m, _ in field.kinds.near(n)]
            if all(unmet(field, [demand], Asked(field, self.walker, spot, more)) for spot in spots):
                return demand
        return None

    def taking(
        self, name: str, n: int, m: int, taken: Sequence[Standing], aboard: Sequence[Standing], *, first: bool = True
    ) -> Paid | Bar:
        """What it costs to take units aboard that stand in a place, besides those that are; or why they can't be."""
        fields = [one.fields for one in (*aboard, *taken)]
        broken = carry_failures(self.field, self.walker, fields)
        if broken:
            return Bar(f"{self.standing.unit.name}: {broken[0].text}", broken[0].rule)
        return self.act(name, n, m, taken, first=first)

    def putting(self, name: str, n: int, m: int, put: Sequence[Standing], *, first: bool = True) -> Paid | Bar:
        """What it costs to put passengers down in a place, or why they can't be."""
        paid = self.act(name, n, m, put, first=first)
        if isinstance(paid, Bar):
            return paid
        field = self.field
        carrier = field.as_if(self.standing.piece._replace(at=field.kinds.places[n]))
        beside = [carrier] if n == m and not (self.standing in field.standings and n == self.standing.at) else []
        for one in put:
            broken = failures(field, field.walker(one), m, more=beside)
            if broken:
                return Bar(broken[0].text, broken[0].rule)
            beside.append(one)
        return paid


def walk_planned(
    field: Field, standing: Standing, plan: Sequence[int | Deed], aboard: Sequence[Standing] = (), kind: str = ""
) -> Way:
    """What a planned move costs; Refusal with the rule where it isn't allowed. `field` is without the unit that moves.

    Each step is made in the cheapest mode; one that an act of the plan rules out isn't used.
    """
    steps = Steps(field, standing, kind)
    if steps.refused is not None:
        raise Refusal(f"{standing.unit.name} stays: {steps.refused.text}", steps.refused.rule)
    acts = field.program.rules.acts
    without = {mode for deed in plan if isinstance(deed, Deed) for mode in acts[deed.act].without}
    now, points = Underway(field, standing, standing.at, tuple(aboard)), steps.points
    spendings: list[Spending] = []
    for item in plan:
        if now.ended:
            raise BadQuestion(f"the move ends in {field.kinds.name(now.at)}: {now.ended}")
        if now.field is not steps.field:
            steps = Steps(now.field, standing, kind, steps.begun or steps)
        now, spending = (
            _acted(steps, now, item, points) if isinstance(item, Deed) else _stepped(steps, now, item, without)
        )
        spendings.append(spending)
    return Way(standing, now.aboard, now.field, points, tuple(spendings))


def _stepped(steps: Steps, now: Underway, m: int, without: set[str]) -> tuple[Underway, Spending]:
    title = steps.field.kinds.name
    ways = steps.ways(now.at, m, not now.steps, now.mode)
    where = f"{title(now.at)} to {title(m)}"
    if isinstance(ways, Bar):
        raise Refusal(f"{where}: {ways.text}", ways.rule)
    paid = [steps.affordable(way, now) for way in ways if way.mode not in without]
    lawful = [way for way in paid if isinstance(way, Paid)]
    if not lawful:
        no = next(
            (way for way in paid if isinstance(way, Bar)),
            Bar(f"only {' or '.join(way.mode for way in ways)} leads there", ""),
        )
        raise Refusal(f"{where}: {no.text}", no.rule)
    way = min(lawful, key=lambda one: one.points)
    total = now.spent + way.points
    ended = (way.note or "it stops") if way.last else ""
    after = replace(now, at=m, spent=total, steps=now.steps + 1, mode=way.mode, ended=ended)
    return after, Spending("", now.at, m, m, way.points, total, way.parts, way.mode, way.note)


def _acted(steps: Steps, now: Underway, deed: Deed, points: Fraction | None) -> tuple[Underway, Spending]:
    field, shape = steps.field, steps.field.program.rules.acts[deed.act]
    word, title, m = deed.act.replace("_", " "), field.kinds.name, now.at if deed.place is None else deed.place
    if shape.cargo == "load":
        riding = field.program.rules.aboard
        free = [
            one
            for one in field.stack(m, steps.standing.side)
            if one is not steps.standing and riding not in one.piece.states
        ]
        load = _named(shape, deed, free, f"{word} in {title(now.at)}", title(m))
        paid = steps.taking(deed.act, now.at, m, load, now.aboard, first=not now.steps)
    elif shape.cargo == "unload":
        load = [_off(steps, one, m) for one in _named(shape, deed, now.aboard, f"{word} in {title(now.at)}", "")]
        paid = steps.putting(deed.act, now.at, m, load, first=not now.steps)
    else:
        load = []
        paid = steps.act(deed.act, now.at, m, first=not now.steps)
    if isinstance(paid, Paid) and paid.whole and (now.steps or now.spent):
        paid = Bar("it takes the whole move, from its start", paid.parts[0].rule)
    elif isinstance(paid, Paid) and points is not None and now.spent + paid.points > points:
        paid = steps.too_few(paid.points, points - now.spent, paid.parts[0].rule)
    if isinstance(paid, Bar):
        raise Refusal(f"{word} in {title(now.at)}: {paid.text}", paid.rule)
    total, end = now.spent + paid.points, m if shape.where == "into" else now.at
    note = paid.note or ", ".join(one.unit.name for one in load) or (title(m) if m != now.at else "")
    after = replace(
        now,
        field=_after(shape, field, load),
        at=end,
        spent=total,
        steps=now.steps + (end != now.at),
        ended=word * paid.last,
    )
    keys = {one.piece[:2] for one in load}
    if shape.cargo == "load":
        after = replace(after, aboard=(*now.aboard, *load))
    elif shape.cargo == "unload":
        after = replace(after, aboard=tuple(one for one in now.aboard if one.piece[:2] not in keys))
    return after, Spending(deed.act, now.at, end, m, paid.points, total, paid.parts, "", note)


def _named(shape: Act, deed: Deed, free: Sequence[Standing], doing: str, where: str) -> list[Standing]:
    """The units that an act names; of passengers all, where it names none."""
    aboard = shape.cargo == "unload"
    if not deed.units and aboard and free:
        return list(free)
    if not deed.units:
        raise Refusal(f"{doing}: {'it carries nobody' if aboard else f'say whom, as in {deed.act}:UNIT'}", shape.rule)
    found: list[Standing] = []
    for wanted in deed.units:
        unit = next((one for one in free if one.unit.id == wanted and one not in found), None)
        if unit is None:
            raise Refusal(
                f"{doing}: {f'it carries no {wanted}' if aboard else f'there is no {wanted} in {where}'}", shape.rule
            )
        found.append(unit)
    return found


def _off(steps: Steps, passenger: Standing, m: int) -> Standing:
    """A passenger as it would stand in a place."""
    field = steps.field
    states = passenger.piece.states - {field.program.rules.aboard}
    return field.as_if(passenger.piece._replace(at=field.kinds.places[m], states=states))


def _after(shape: Act, field: Field, load: Sequence[Standing]) -> Field:
    """The field after an act."""
    told = {name: _told(field, name, text) for name, text in shape.sets.items()}
    field = field.telling(**told) if told else field
    if shape.cargo == "load":
        return field.changed(gone=load)
    put = [field.as_if(one.piece._replace(states=one.piece.states | {*shape.marks})) for one in load]
    return field.changed(come=put) if put else field


def _told(field: Field, name: str, text: str) -> Any:
    kind = field.program.rules.inputs[name].kind
    return text == "true" if kind == "flag" else Fraction(text) if kind == "number" else text


# The question.


def read_plan(
    field: Field, words: Iterable[str], place: Callable[[str], int], also: Sequence[str] = ()
) -> list[int | Deed]:
    """A plan in words: places, and acts such as dig, load:squad+squad or overrun@0203. `also` are other words that count as acts."""
    acts = [*also, *field.program.rules.acts]
    plan: list[int | Deed] = []
    for word in words:
        head, at, spot = word.partition("@")
        act, _, named = head.partition(":")
        if act not in acts:
            try:
                plan.append(place(word))
            except BadQuestion as error:
                raise BadQuestion(
                    f"{error}; nor is it anything to do on the way: {instead(act, acts)}" if acts else str(error)
                ) from None
            continue
        units = tuple(unit for unit in named.split("+") if unit)
        for unit in units:
            if unit not in field.game.units:
                raise BadQuestion(f"no counter is called {unit!r}; {instead(unit, field.game.units)}")
        plan.append(Deed(act, units, place(spot) if at else None))
    return plan


def planned_nodes(field: Field, standing: Standing, words: Iterable[str], kind: str = "") -> list[Node]:
    """A move along a path: what each part costs, or a Refusal."""
    plan = read_plan(field, words, lambda text: asked_place(field.kinds, text, "path"))
    way = walk_planned(field, standing, plan[1:] if plan[:1] == [standing.at] else plan, riders(field, standing), kind)
    titles = field.program.rules.acts
    rows: list[dict[str, Cell]] = [
        {
            "place": field.place(one.place),
            "act": one.act or None,
            "title": titles[one.act].title if one.act else "",
            "cost": one.points,
            "why": "; ".join(
                f"{part.text} {part.points}{f' ({part.rule})' if part.rule else ''}" for part in one.parts
            ),
            "note": one.note,
        }
        for one in way.spendings
    ]
    heads = {"place": "to", "title": "does", "cost": "cost", "why": "for", "note": "", "act": ""}
    columns = [Column(key, head) for key, head in heads.items()]
    places = [field.place(n) for n in (standing.at, *(one.end for one in way.spendings if one.end != one.start))]
    nodes: list[Node] = [
        Line((f"{standing.name} in ", field.place(standing.at))),
        Value("unit", Counter(standing.key, standing.name), shown=False),
        Path("path", places, "Way", way.spent, whole=True),
        Table("steps", columns, rows),
    ]
    if way.points is not None:
        nodes.append(Value("left", way.points - way.spent, "Points left"))
    return [
        *nodes,
        Value("passengers", [Counter(one.key, one.name) for one in way.aboard], "Aboard", shown=bool(way.aboard)),
    ]

"""Who stands where, and movement by the pack's rules: what a step costs, where a unit can go, what it can still do there (Basic V)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from assistant.answers import BadQuestion
from assistant.games.arab_israeli_wars.forces import hex_at
from assistant.rules.amounts import amount
from assistant.rules.field import Field, Standing, Walker
from assistant.rules.movement import Reach as Found
from assistant.rules.movement import reach as found_reach
from assistant.rules.program import Ready
from assistant.rules.stacking import failures
from assistant.rules.walk import SCALE, Stepper, Verdict
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex, distance
from scenarios.rules.shapes import Walk


class Bar(NamedTuple):
    """Why something can't be done, and the rule that says so."""

    text: str
    rule: str

    def __str__(self) -> str:
        return f"{self.text} ({self.rule})" if self.rule else self.text


def special_notes(game: Game, scenario_id: str) -> Iterator[str]:
    """What a Situation's special rules say of movement that only the players can judge."""
    scenario = game.scenarios.get(scenario_id)
    for rule in scenario.special if scenario else ():
        if any(effect.effect in ("forced_march", "forced_march_ends", "held_until_entered", "boards_apart") for effect in rule.effects):
            yield " ".join(rule.text.split())


def wrecked(field: Field, hex: Hex) -> bool:
    """Whether a wreck is in a hex."""
    return bool(field.markers_at(hex) & {"wreck", "double_wreck"})


def friends(field: Field, hex: Hex, side: str) -> tuple[Standing, ...]:
    """Units of a side that count for stacking in a hex."""
    return tuple(one for one in field.stack(field.kinds.number[hex], side) if one.fields["stacking_points"])


def barred(field: Field, hex: Hex, side: str) -> bool:
    """Whether an enemy combat unit is in the hex (Basic III.C.2, V.A.7); air units don't matter (Advanced I.A.1)."""
    return any(one.side != side and one.unit.class_ != "air" for one in field.by_place.get(field.kinds.number[hex], ()))

# --- moving ----------------------------------------------------------------------------------------------------------


ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)
ROAD = "road"
NO_ROOM = "there is no room"
"""The record that stands for the demands on stacking; those say more."""


@dataclass(frozen=True)
class Mover:
    """The unit that moves: where, in which states, whom it carries, and how it means to go."""

    standing: Standing
    passengers: tuple[Standing, ...] = ()
    bridge: bool = False
    """It carries a bridge."""
    quick: bool = False
    """It is on a quick march (Advanced II.C)."""

    @property
    def unit(self) -> Unit:
        return self.standing.unit

    @property
    def hex(self) -> Hex:
        return hex_at(self.standing)

    @property
    def side(self) -> str:
        return self.standing.side

    @property
    def states(self) -> frozenset[str]:
        return self.standing.piece.states

    @property
    def copy(self) -> str:
        return self.standing.piece.copy

    @property
    def allowance(self) -> Fraction:
        """The printed allowance, or 1 with a bridge in tow (Standard III.B, Advanced V.D.2.b)."""
        printed = self.unit.factors["movement"]
        assert isinstance(printed, Fraction)
        return ONE if self.bridge and self.unit.class_ == "battle_tank" else printed

    @property
    def air(self) -> bool:
        return self.unit.class_ == "air"

    @property
    def low(self) -> bool:
        """A helicopter that is down (Optional I.C)."""
        return self.air and "down" in self.states

    def has(self, ability: str) -> bool:
        return ability in self.unit.abilities


def without(field: Field, mover: Mover) -> Field:
    """The field without the piece that moves."""
    return field.changed(gone=[one for one in field.standings if one.piece is mover.standing.piece])


class Part(NamedTuple):
    """One thing that a step is paid for."""

    text: str
    points: Fraction
    rule: str


class Step(NamedTuple):
    """A step from a hex to its neighbour."""

    start: Hex
    end: Hex
    cost: Fraction
    parts: tuple[Part, ...]
    road: bool = False
    only: bool = False
    """The unit must start next to this hex, and goes no further."""
    note: str = ""
    whole: bool = False
    """It takes the whole allowance."""


class Steps:
    """The steps that the pack's rules allow one unit, among the pieces around it."""

    def __init__(self, field: Field, mover: Mover) -> None:
        self.field, self.mover = field.telling(quick=mover.quick, towing=mover.bridge), mover
        self.standing = mover.standing

    @cached_property
    def walker(self) -> Walker:
        return self.field.walker(self.standing)

    @property
    def walk_id(self) -> str:
        """Which of the pack's kinds of move it makes."""
        return "flight" if self.mover.air else "move"

    @property
    def walk(self) -> Walk:
        return self.field.program.rules.movement[self.walk_id]

    @cached_property
    def stepper(self) -> Stepper:
        ready = self.field.program.ready(self.walk.steps)
        return Stepper(self.field, ready, self.walker, modes=self.walk.modes, start=self.standing.at, priced=True)

    @cached_property
    def budget(self) -> Fraction | Bar:
        """How many points the unit may spend now, or why none."""
        found = amount(self.field, self.walk.allowance, self.walker, {}, start=self.standing.at)
        return Bar(found.forbidden.text, found.forbidden.rule) if found.forbidden is not None else Fraction(found.most)

    @cached_property
    def always(self) -> Ready | None:
        """The record by which an allowance of 1 buys one hex, where it holds (Basic V.A.6.d)."""
        minimum = self.walk.minimum
        holds = minimum is not None and self.field.holds(minimum.when, self.walker, start=self.standing.at)
        return Ready(minimum, None, "cost", None, frozenset()) if minimum is not None and holds else None

    # --- one step -----------------------------------------------------------------------------------------------------

    def ways(self, a: Hex, b: Hex, first: bool = True) -> tuple[Step, ...] | Bar:
        """The ways to go from a hex to its neighbour, cheapest first, or why there is none (Basic V.A.5-7)."""
        verdicts = self._verdicts(a, b, first)
        if isinstance(verdicts, Bar):
            return verdicts
        found = [self.step(a, b, verdict) for verdict in verdicts if not verdict.refused]
        if found:
            return tuple(sorted(found, key=lambda step: (step.cost, not step.road)))
        return self._bar(b, verdicts)

    def way(self, a: Hex, b: Hex, mode: str) -> Step | Bar:
        """One way to go, such as over a bridge, or why it can't be gone; the unit may have come from elsewhere."""
        verdicts = self._verdicts(a, b, True)
        if isinstance(verdicts, Bar):
            return verdicts
        mine = [verdict for verdict in verdicts if verdict.mode == mode] or verdicts
        return self.step(a, b, mine[0]) if not mine[0].refused else self._bar(b, mine)

    def _verdicts(self, a: Hex, b: Hex, first: bool) -> list[Verdict] | Bar:
        kinds = self.field.kinds
        if distance(a, b) != 1:
            return Bar("a unit moves from hex to neighbouring hex", "Basic V.A.5")
        if b not in kinds.number:
            return Bar("that is off the map", "The Situations C.4")
        n, m = kinds.number[a], kinds.number[b]
        step = kinds.step(n, m)
        assert step is not None
        return [verdict._replace(mode=mode) for mode, verdict in self.stepper.ways(n, m, step, first, "")]

    def _bar(self, hex: Hex, verdicts: Iterable[Verdict]) -> Bar:
        record = next((verdict.rests[0] for verdict in verdicts if verdict.rests), None)
        if record is None:
            return Bar("no way leads there", "Basic V.A")
        demands = failures(self.field, self.walker, self.field.kinds.number[hex]) if record.text == NO_ROOM else ()
        return Bar((demands or (record,))[0].text, (demands or (record,))[0].rule)

    def step(self, a: Hex, b: Hex, verdict: Verdict) -> Step:
        """A step as it is paid."""
        parts = tuple(Part(record.text, points, record.rule) for record, points in verdict.parts)
        note = verdict.stop.text if verdict.stop is not None else ""
        if verdict.takes_all:
            whole = next(record for record in reversed(verdict.rests) if record.takes_all)
            parts, note = (Part(whole.text, self.mover.allowance, whole.rule),), whole.text
        cost = self.mover.allowance if verdict.cost is None else Fraction(verdict.cost) / SCALE
        return Step(a, b, cost, parts, verdict.mode == ROAD, bool(verdict.stop) or verdict.takes_all, note, verdict.takes_all)

    def affordable(self, step: Step, spent: Fraction, taken: int, limit: Fraction) -> Step | Bar:
        """The step as it is paid after `taken` others, or why it can't be (Basic V.A.6)."""
        if step.whole and taken:
            return Bar(f"a unit that {step.note} starts next to it and moves one hex", step.parts[0].rule)
        if spent + step.cost <= limit:
            return step
        if self.always is not None and not taken and not spent:
            return step._replace(cost=limit, parts=(Part(self.always.text, limit, self.always.rule),))
        return Bar(f"it takes {step.cost} points, and {limit - spent} are left", "Basic V.A.6")

    # --- what else --------------------------------------------------------------------------------------------------

    def act(self, name: str, a: Hex, b: Hex) -> Fraction | Bar:
        """What an overrun or an assault of a neighbouring hex costs, or why it can't be (Standard II.C, II.D)."""
        kinds, stepper = self.field.kinds, self._acts(name)
        step = kinds.step(kinds.number[a], kinds.number[b]) if b in kinds.number else None
        if step is None:
            return Bar("that is no neighbouring hex", "Basic V.A.5")
        verdict = stepper.verdict(kinds.number[a], kinds.number[b], step)
        return self._bar(b, [verdict]) if verdict.cost is None else Fraction(verdict.cost) / SCALE

    def acts(self, name: str, hex: Hex, left: Fraction) -> tuple[Hex, ...]:
        """The neighbouring hexes that an act of the unit can be on, with so many points left."""
        if self.mover.air:
            return ()
        kinds, stepper = self.field.kinds, self._acts(name)
        n = kinds.number[hex]
        found = ((m, stepper.verdict(n, m, step).cost) for m, step in kinds.near(n))
        places = [kinds.places[m] for m, cost in found if cost is not None and Fraction(cost) / SCALE <= left]
        return tuple(place for place in places if isinstance(place, Hex))

    def _acts(self, name: str) -> Stepper:
        if name not in self._steppers:
            ready = self.field.program.ready(self.field.program.rules.acts[name].steps)
            self._steppers[name] = Stepper(self.field, ready, self.walker, start=self.standing.at, priced=True)
        return self._steppers[name]

    @cached_property
    def _steppers(self) -> dict[str, Stepper]:
        return {}


def room(field: Field, standing: Standing, hex: Hex) -> Bar | None:
    """Why a unit can't be put down in a hex; None if it can (Basic III.C.2, III.D)."""
    n = field.kinds.number[hex]
    if barred(field, hex, standing.side):
        return Bar("an enemy unit is in the hex", "Basic III.C.2, V.A.7")
    demands = failures(field, field.walker(standing), n)
    return Bar(demands[0].text, demands[0].rule) if demands else None


# --- everywhere -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stop:
    """A hex that a unit can reach, by its cheapest path."""

    hex: Hex
    spent: Fraction
    steps: tuple[Step, ...]
    mines: int
    """How often mines attack on the way."""
    off_road: Fraction | None
    """The cheapest cost without the road rate, which overruns and assaults forbid."""
    safe: Fraction | None
    """The cheapest cost that no mine attacks."""
    overruns: tuple[Hex, ...]
    assaults: tuple[Hex, ...]

    @property
    def path(self) -> tuple[Hex, ...]:
        """The hexes on the way, the last one included."""
        return tuple(step.end for step in self.steps)


@dataclass(frozen=True)
class Reach:
    """All that a unit can reach this turn, or why it stays."""

    mover: Mover
    points: Fraction
    stops: Mapping[Hex, Stop]
    bar: Bar | None
    notes: tuple[str, ...]


def reach(field: Field, mover: Mover) -> Reach:
    """Every hex that a unit can get to in this phase, with its cheapest path (Basic V.A)."""
    if mover.hex not in field.hex_map:
        raise BadQuestion("the unit isn't on the map")
    steps, notes = Steps(field, mover), tuple(dict.fromkeys(special_notes(field.game, field.position.scenario)))
    points = steps.budget
    if isinstance(points, Bar):
        return Reach(mover, ZERO, MappingProxyType({}), points, notes)
    found = found_reach(steps.field, steps.standing, steps.walk_id)
    ways = dict(_ways(steps, found, points))
    spent = _spent(steps, found, points)
    by_road = any(step.road for way, _ in ways.values() for step in way)
    off_road = _spent(steps, found_reach(steps.field, steps.standing, steps.walk_id, without=(ROAD,)), points) if by_road else spent
    mined = any(harm for _, harm in ways.values())
    safe = _spent(steps, found_reach(steps.field, steps.standing, steps.walk_id, unharmed=True), points) if mined else spent
    stops = {
        hex: Stop(
            hex, spent[hex], way, harm, off_road.get(hex), safe.get(hex),
            steps.acts("overrun", hex, points - off_road[hex]) if hex in off_road else (),
            steps.acts("assault", hex, points) if hex in off_road else (),
        )
        for hex, (way, harm) in ways.items()
    }  # fmt: skip
    return Reach(mover, points, MappingProxyType(stops), None, notes)


def _spent(steps: Steps, found: Found, points: Fraction) -> dict[Hex, Fraction]:
    """What each hex costs; one that is reached only because an allowance of 1 buys a hex costs all of it."""
    places = steps.field.kinds.places
    return {hex: points if n in found.least else cost for n, cost in found.costs.items() if isinstance(hex := places[n], Hex)}


def _ways(steps: Steps, found: Found, points: Fraction) -> Iterator[tuple[Hex, tuple[tuple[Step, ...], int]]]:
    """The cheapest way to each hex, and how often mines attack on it."""
    places = steps.field.kinds.places
    for n in found.costs:
        if n in found.least:
            before, last = found.least[n]
            way = [*found.tree.way(before), (n, last)]
        else:
            way = found.tree.way(n)
        legs: list[Step] = []
        for (a, _), (b, verdict) in pairwise(way):
            here, there = places[a], places[b]
            assert isinstance(here, Hex) and isinstance(there, Hex) and verdict is not None
            step = steps.step(here, there, verdict)
            if n in found.least and b == n and steps.always is not None:
                step = step._replace(cost=points, parts=(Part(steps.always.text, points, steps.always.rule),))
            legs.append(step)
        hex = places[n]
        assert isinstance(hex, Hex)
        yield hex, (tuple(legs), sum(verdict.harm for _, verdict in way if verdict is not None))

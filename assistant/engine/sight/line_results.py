"""The results of the sight records, computed once for each class of end, hexside and hex.

A record's result depends on the classes of the two ends, the class of what is met and the manner of meeting it
(`place_classes.py`). So all lines of a map depend on a few hundred results.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from assistant.engine.field import Field
from assistant.engine.movement.amounts import amount
from assistant.engine.placed_units import no_unit
from assistant.engine.program import CompiledRecord
from assistant.engine.sight.line_crossings import (
    ALONG_SIDE,
    AT_CORNER,
    CROSSES_SIDE,
    FIRST,
    HEXES,
    LAST,
    SHIFT,
    THROUGH_HEX,
    CrossingKind,
    LineReading,
    Lines,
)
from assistant.engine.sight.place_classes import BOARDS, HEIGHT, OFF_MAP, Codes, ConditionPart, SightMap
from scenarios.expressions import EvaluationError, Expression, Name, evaluate
from scenarios.expressions.syntax import Aggregate, Binary, Call, Membership, Unary
from scenarios.rules.vocabulary import COMPASS

COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}
END_NAMES = {0: "", FIRST: "from", LAST: "to", FIRST | LAST: "both"}
REVERSED_END_NAMES = {0: "", FIRST: "to", LAST: "from", FIRST | LAST: "both"}


@dataclass(frozen=True, eq=False, slots=True)
class LineVerdict:
    """What the records do about one thing that a line meets."""

    blocks: bool
    worse: Fraction
    records: tuple[tuple[CompiledRecord, Fraction], ...]


class LineEvaluator:
    """Evaluates the records for one kind of observer and target and the values of the whole question."""

    def __init__(self, sight: SightMap, field: Field, viewer: str, seen_as: str) -> None:
        self.sight, self.field, self.viewer, self.seen_as = sight, field, viewer, seen_as
        self.feet = Footprints(sight, self) if HEIGHT in sight.hexes.names else None
        reading = LineReading(
            self._needs(sight.rules.along),
            self._needs(sight.rules.corner),
            bool(sight.beside_names),
            ("distance" in sight.sides.names, "distance" in sight.hexes.names),
        )
        self.lines = lines_of(sight, reading, self.feet)
        self._verdict_memo: dict[tuple[int, int, bool], _Judged] = {}
        self._ends: dict[tuple[int, int, int], tuple[CompiledRecord, ...]] = {}
        self._limits: dict[tuple[int, int, int], tuple[Fraction, CompiledRecord | None]] = {}
        self._max_memo: dict[tuple[int, int, int], Fraction] = {}
        self._parts: dict[Any, frozenset[int]] = {}
        self.levels: dict[Any, Any] = {}
        """The contents of planes (`bit_planes.py`), by the classes on the map."""

    def _needs(self, meeting: Any) -> int:
        if meeting is None or meeting.needs is None:
            return 1
        return int(self.field.ask(meeting.needs, no_unit()))

    def needs(self, kind: int) -> int:
        """Return how many of a kind (times SHIFT) must block at once, where one isn't enough."""
        return (
            self.lines.reading.side_reading
            if self.lines.crossing_kinds[kind // SHIFT].manner == ALONG_SIDE
            else self.lines.reading.corner
        )

    def verdicts_between(self, first: int, last: int, is_turned: bool) -> _Judged:
        """Return the results between two classes of ends by what is met; the caller fills them. `is_turned`: the
        last end observes."""
        key = first, last, is_turned
        if key not in self._verdict_memo:
            self._verdict_memo[key] = _Judged(self, *key)
        return self._verdict_memo[key]

    def records(self, plane: int) -> tuple[CompiledRecord, ...]:
        """Return the records about hexes or hexsides."""
        return (self.sight.hexes if plane == HEXES else self.sight.sides).records

    def holds(
        self, record: CompiledRecord, kind: CrossingKind, code: int, first: int, last: int, is_turned: bool
    ) -> Fraction | None:
        """Return the worth of a record for something that is met (0 where that is no number); None where it doesn't
        hold."""
        return self._worth(record, self._values(record.uses, kind, code, first, last, is_turned))

    def _worth(self, record: CompiledRecord, extra_values: dict[str, Any]) -> Fraction | None:
        scope, lookup = self.field.scope(no_unit(), {}, extra_values), self.field.program.lookup
        if record.condition is not None and record.condition(scope, lookup, None) is not True:
            return None
        return Fraction(record.work(scope, lookup, None)) if record.work is not None else Fraction(0)

    def codes_of(
        self, record: CompiledRecord, kind: CrossingKind, codes: frozenset[int], first: int, last: int, is_turned: bool
    ) -> dict[Fraction, frozenset[int]]:
        """Return the classes of what is met for which a record holds, by its worth. Its conditions are evaluated one
        by one, each only for what it asks for."""
        for part in self.sight.parts(record):
            codes = self._codes(part, kind, codes, first, last, is_turned)
            if not codes:
                return {}
        if record.work is None:
            return {Fraction(0): codes}
        codes_by_worth: dict[Fraction, set[int]] = {}
        for code in codes:
            worth = self.holds(record, kind, code, first, last, is_turned)
            if worth is not None:
                codes_by_worth.setdefault(worth, set()).add(code)
        return {worth: frozenset(worth_codes) for worth, worth_codes in codes_by_worth.items()}

    def _codes(
        self, part: ConditionPart, kind: CrossingKind, codes: frozenset[int], first: int, last: int, is_turned: bool
    ) -> frozenset[int]:
        """Return the classes for which a part of a condition holds."""
        key = (
            part,
            kind.plane == HEXES,
            kind.manner if part.manner else "",
            (kind.endpoint, is_turned) if part.is_endpoint else 0,
            kind.is_reversed != is_turned if part.faces else False,
            self.ends_like(part, first, last, is_turned),
            (kind.height, is_turned) if part.uses_height else 0,
            codes if part.uses_crossing else 0,
        )
        if key not in self._parts:
            sample_codes = codes if part.uses_crossing else [next(iter(codes))]
            self._parts[key] = frozenset(
                [
                    code
                    for code in sample_codes
                    if self._holds(part, self._values(part.uses, kind, code, first, last, is_turned))
                ]
            )
        held_codes = self._parts[key]
        return held_codes if part.uses_crossing else codes if held_codes else frozenset()

    def ends_like(
        self, asks: CompiledRecord | ConditionPart, first: int, last: int, is_turned: bool
    ) -> tuple[int, int]:
        """Return two classes of ends, as far as a record or a part of one distinguishes them."""
        start, end = (last, first) if is_turned else (first, last)
        like = self.sight.like(asks)
        return like[0][start], like[1][end]

    def _values(
        self, uses: Iterable[str], kind: CrossingKind, code: int, first: int, last: int, is_turned: bool
    ) -> dict[str, Any]:
        """Return names with their values."""
        registers = self.sight.registers
        start, end = (last, first) if is_turned else (first, last)
        ends = registers["ends"].values
        values: dict[str, Any] = {}
        of_side = registers["sides"].values[code] if kind.plane != HEXES else {}
        beside_values = registers["beside"].values
        for name in uses:
            prefix, dot, suffix = name.partition(".")
            if not dot:
                if name == "manner":
                    values[name] = kind.manner
                elif name == "own":
                    values[name] = (REVERSED_END_NAMES if is_turned else END_NAMES)[kind.endpoint]
                elif name == "distance":
                    values[name] = kind.distance
                elif name == "viewer":
                    values[name] = self.viewer
                elif name == "seen_as":
                    values[name] = self.seen_as
            elif prefix == "from":
                values[name] = ends[start][suffix]
            elif prefix == "to":
                values[name] = ends[end][suffix]
            elif prefix == "hex":
                values[name] = registers["hexes"].values[code][suffix]
            elif prefix == "over":
                lies = of_side["over"]
                values[name] = (
                    [{"kind": feature} for feature in sorted(lies) if feature not in COMPASS]
                    if suffix == "features"
                    else suffix in lies
                )
            elif prefix in ("near", "far"):
                # The line is stored from its first hex; seen from the last hex, near becomes far.
                which = "near" if (prefix == "near") == (kind.is_reversed == is_turned) else "far"
                values[name] = beside_values[of_side[which]].get(suffix, False)
            elif name == HEIGHT:
                assert self.feet is not None
                low, last_height = Fraction(ends[first]["height"]), Fraction(ends[last]["height"])
                values[name] = low + (last_height - low) * self.feet.foot(kind.height)
        return values

    def shielding(self, kind: CrossingKind, codes: frozenset[int], first: int, last: int) -> frozenset[int]:
        """Return the classes of hexsides that shield the last end, where they are met in this manner."""
        records = [record for record in self.sight.sides.records if getattr(record.record, "shield", "") == "to"]
        code_sets = (self.codes_of(record, kind, codes, first, last, False).values() for record in records if codes)
        return frozenset().union(*(worth_codes for record_codes in code_sets for worth_codes in record_codes))

    def matters(self, marker: str, codes: Codes) -> bool:
        """Whether a marker may change a result on a map with these classes: whether any condition or value that asks
        for it changes, wherever the marker is."""
        sight = self.sight
        if marker in sight.hex_names or marker in sight.far_names:
            return True
        ends, sides = sorted(set(codes.ends)), sorted(frozenset().union(*codes.planes[:3]) - {OFF_MAP})
        asking = [f"{prefix}.{marker}" for prefix in ("from", "to", "near", "far")]
        for part in sight.conditions():
            for name in asking if part.direct.intersection(asking) else ():
                like = {self.ends_like(part, *pair, False): pair for pair in product(ends, ends)}
                manners = (CROSSES_SIDE, ALONG_SIDE, AT_CORNER) if part.manner else (CROSSES_SIDE,)
                variants = product(
                    manners, END_NAMES if part.is_endpoint else (0,), (False, True) if part.faces else (False,)
                )
                for (manner, end_flags, is_turned), code, pair in product(
                    variants, sides if part.uses_crossing else sides[:1], like.values()
                ):
                    values = self._values(
                        part.uses, CrossingKind(0, manner, end_flags, is_turned, 0, 0), code, *pair, False
                    )
                    if self._holds(part, values) != self._holds(part, {**values, name: True}):
                        return True
        return False

    def always_blocks(self, marker: str, codes: Codes) -> bool:
        """Whether a marker blocks every line that meets its hex in any manner, except at the ends, on a map with
        these classes."""
        name = f"hex.{marker}"
        if self.lines.reading.side_reading > 1 or marker not in self.sight.hex_names:
            return False
        records = [record for record in self.sight.hexes.records if record.effect == "block" and name in record.uses]
        ends, hexes = sorted(set(codes.ends)), sorted({*codes.planes[HEXES]} - {OFF_MAP})
        for manner, end_flags in product((THROUGH_HEX, ALONG_SIDE, AT_CORNER), (0, FIRST | LAST)):
            kind = CrossingKind(HEXES, manner, end_flags, False, 0, 0)
            for code, first, last in product(hexes, ends, ends):
                value_sets = (
                    {**self._values(record.uses, kind, code, first, last, False), name: True} for record in records
                )
                if all(self._worth(record, values) is None for record, values in zip(records, value_sets, strict=True)):
                    return False
        return True

    def may_hide(self, codes: Codes) -> bool:
        """Whether anything may block a line on a map with these classes. If it is false, every line is clear."""
        sight = self.sight
        if sight.rules.limit or HEIGHT in sight.hexes.names:
            return True
        if any(self.ends(first, last, 1) for first, last in product(set(codes.distances), set(codes.distances))):
            return True
        sides, hexes = (
            frozenset().union(*planes) - {OFF_MAP} for planes in (codes.planes[:HEXES], codes.planes[HEXES:])
        )
        ends = sorted(set(codes.ends))
        for plane, met_codes, manners in (
            (0, sides, (CROSSES_SIDE, ALONG_SIDE, AT_CORNER)),
            (HEXES, hexes, (THROUGH_HEX, ALONG_SIDE, AT_CORNER)),
        ):
            records = [record for record in self.records(plane) if record.effect in ("block", "degrade")]
            for record, manner, end_flags, is_turned, first, last in product(
                records, manners, END_NAMES, (False, True), ends, ends
            ):
                if met_codes and self.codes_of(
                    record, CrossingKind(plane, manner, end_flags, is_turned, 0, 0), met_codes, first, last, False
                ):
                    return True
        return False

    def _holds(self, part: ConditionPart, extra_values: dict[str, Any]) -> bool:
        return part.work(self.field.scope(no_unit(), {}, extra_values), self.field.program.lookup, None) is True

    # Results of the ends alone.

    def ends(self, start: int, end: int, distance: int) -> tuple[CompiledRecord, ...]:
        """Return the records that block because of where a line starts and ends."""
        if not self.sight.rules.ends:
            return ()
        key = start, end, distance if "distance" in self.sight.ends.names else 0
        if key not in self._ends:
            self._ends[key] = tuple(
                record
                for record in self.sight.ends.records
                if self._worth(record, self._of_ends("far", *key)) is not None
            )
        return self._ends[key]

    def _of_ends(self, register: str, start: int, end: int, distance: int) -> dict[str, Any]:
        values = self.sight.registers[register].values
        end_values: dict[str, Any] = {"distance": distance, "viewer": self.viewer, "seen_as": self.seen_as}
        for prefix, code in (("from", start), ("to", end)):
            end_values |= {f"{prefix}.{name}": value for name, value in values[code].items()}
        if BOARDS in values[start]:
            end_values[BOARDS] = not set(values[start][BOARDS]).isdisjoint(values[end][BOARDS])
        return end_values

    def limit(self, start: int, end: int, distance: int) -> tuple[Fraction, CompiledRecord | None]:
        """Return the range of sight, and the record that limits it where the line is longer."""
        key = start, end, distance
        if key not in self._limits:
            sight_range = amount(self.field, self.sight.rules.limit, no_unit(), self._of_ends("far", *key))
            max_distance = Fraction(sight_range.maximum)
            self._limits[key] = (
                max_distance,
                sight_range.rests[-1] if distance > max_distance and sight_range.rests else None,
            )
        return self._limits[key]

    def max_degradation(self, start: int, end: int, distance: int) -> Fraction:
        """Return the degradation that a line may have."""
        formula = self.sight.rules.degrade_limit
        key = start, end, distance
        if key not in self._max_memo:
            assert formula is not None
            self._max_memo[key] = Fraction(self.field.ask(formula, no_unit(), self._of_ends("ends", *key)))
        return self._max_memo[key]


class _Judged(dict[int, LineVerdict | None]):
    """The results between two classes of ends, by the kind of meeting (times SHIFT) and the class of what is met;
    None for no effect."""

    def __init__(self, judge: LineEvaluator, first: int, last: int, is_turned: bool) -> None:
        super().__init__()
        self.judge, self.ends = judge, (first, last, is_turned)

    def __missing__(self, key: int) -> LineVerdict | None:
        number, code = divmod(key, SHIFT)
        kind = self.judge.lines.crossing_kinds[number]
        record_worths = []
        for record in self.judge.records(kind.plane):
            worth = self.judge.holds(record, kind, code, *self.ends)
            if worth is not None:
                record_worths.append((record, worth))
        effects = [record.effect for record, _ in record_worths]
        worse = sum((worth for record, worth in record_worths if record.effect == "degrade"), Fraction(0))
        verdict = self[key] = LineVerdict("block" in effects, worse, tuple(record_worths)) if record_worths else None
        return verdict


class Footprints:
    """Positions of hexes on a line, only as exact as the heights need with which records compare the line's.

    A record that compares `line.height` with a height of the hex changes only where the line passes that height. So
    the positions on a line fall into a few intervals, and a hex is evaluated as if its foot were in the middle of
    its interval.
    """

    def __init__(self, sight: SightMap, judge: LineEvaluator) -> None:
        heights = {Fraction(values["height"]) for values in sight.registers["ends"].values[1:]}
        critical = _critical(sight, judge)
        self.exact = critical is None
        self.limits = sorted(
            {
                foot
                for low in heights
                for upper in heights
                if low != upper
                for height in critical or ()
                if 0 < (foot := (height - low) / (upper - low)) < 1
            }
        )
        self._numbers: dict[Fraction, int] = {}
        self._feet: list[Fraction] = []

    @property
    def count(self) -> int:
        """The number of intervals and limits."""
        return 2 * len(self.limits) + 1

    def number(self, part: int, total: int) -> int:
        """Return the number of the interval in which a part of the line ends."""
        if self.exact:
            foot = Fraction(part, total)
            if foot not in self._numbers:
                self._numbers[foot] = len(self._feet)
                self._feet.append(foot)
            return self._numbers[foot]
        for i, limit in enumerate(self.limits):
            ahead = part * limit.denominator - limit.numerator * total
            if ahead <= 0:
                return 2 * i + (ahead == 0)
        return 2 * len(self.limits)

    def foot(self, number: int) -> Fraction:
        """Return a position on the line in this interval."""
        if self.exact:
            return self._feet[number]
        bounds = [Fraction(0), *self.limits, Fraction(1)]
        i = number // 2
        return bounds[i + 1] if number % 2 else (bounds[i] + bounds[i + 1]) / 2


def lines_of(sight: SightMap, reading: LineReading, feet: Footprints | None) -> Lines:
    """The lines of the map, read in one way; other maps of the game that are as high have the same."""
    stride, line_cache = sight.row.stride, sight.map_index.program.lines
    if feet is not None and feet.exact:
        return Lines(stride, reading, feet.number)
    key = stride, reading, None if feet is None else tuple(feet.limits)
    if key not in line_cache:
        line_cache[key] = Lines(stride, reading, None if feet is None else feet.number)
    return line_cache[key]


def _critical(sight: SightMap, judge: LineEvaluator) -> set[Fraction] | None:
    """Return the heights with which records compare the line's; None where they do something else with it."""
    program = sight.map_index.program
    expressions: list[Expression] = []
    formulas = [
        formula for record in sight.rules.hexes for formula in (record.when, record.degrade) if formula is not None
    ]
    formulas += [value for name, value in program.values.items() if HEIGHT in program.names(value)]
    for formula in formulas:
        if HEIGHT in program.names(formula) and not _compares(formula.expression, expressions):
            return None
    heights: set[Fraction] = set()
    for expression in expressions:
        for values in sight.registers["hexes"].values[1:]:
            extra_values = {f"hex.{name}": value for name, value in values.items()}
            try:
                heights.add(
                    Fraction(evaluate(expression, judge.field.scope(no_unit(), {}, extra_values), program.lookup))
                )
            except (EvaluationError, KeyError, TypeError):
                return None
    return heights


def _compares(node: Expression, expressions: list[Expression]) -> bool:
    """Whether an expression only compares the line's height; it appends what it is compared with to a list."""
    match node:
        case Name(name):
            return name != HEIGHT
        case Binary(operator, left, right):
            for first_operand, second_operand in ((left, right), (right, left)):
                if operator in COMPARISONS and isinstance(first_operand, Name) and first_operand.name == HEIGHT:
                    expressions.append(second_operand)
                    return _compares(second_operand, expressions)
            return _compares(left, expressions) and _compares(right, expressions)
        case Unary(_, operand) | Membership(operand):
            return _compares(operand, expressions)
        case Call(_, arguments):
            return all(_compares(argument, expressions) for argument in arguments)
        case Aggregate(_, _, argument):
            return argument is None or _compares(argument, expressions)
    return True

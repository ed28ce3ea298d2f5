"""What the records of sight say, judged once for each kind of end, hexside and hex.

A record's verdict depends on the codes of the two ends, the code of what is met and the manner of meeting it (`codes.py`), so all lines
of a map rest on a few hundred verdicts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from assistant.rules.amounts import amount
from assistant.rules.asked import Asked
from assistant.rules.codes import BOARDS, HEIGHT, OFF, Codes, Part, SightMap
from assistant.rules.field import Field, no_unit
from assistant.rules.lines import ALONG, CORNER, CROSSED, FIRST, HEXES, LAST, SHIFT, THROUGH, Kind, Reading
from assistant.rules.program import Ready
from scenarios.expressions import EvaluationError, Expression, Name, evaluate
from scenarios.expressions.syntax import Aggregate, Binary, Call, Membership, Unary
from scenarios.rules.words import COMPASS

COMPARED = {"<", "<=", ">", ">=", "==", "!="}
OWN = {0: "", FIRST: "from", LAST: "to", FIRST | LAST: "both"}
BACK = {0: "", FIRST: "to", LAST: "from", FIRST | LAST: "both"}


@dataclass(frozen=True, eq=False, slots=True)
class Verdict:
    """What the records do about one thing that a line meets."""

    blocks: bool
    worse: Fraction
    records: tuple[tuple[Ready, Fraction], ...]


class Judge:
    """The verdicts of the records, for who looks and who is looked at and for what holds in the whole question."""

    def __init__(self, sight: SightMap, field: Field, viewer: str, seen_as: str) -> None:
        self.sight, self.field, self.viewer, self.seen_as = sight, field, viewer, seen_as
        self.feet = Feet(sight, self) if HEIGHT in sight.hexes.names else None
        reading = Reading(
            self._needs(sight.rules.along),
            self._needs(sight.rules.corner),
            bool(sight.beside_names),
            ("distance" in sight.sides.names, "distance" in sight.hexes.names),
        )
        self.lines = sight.lines(reading, self.feet)
        self._judged: dict[tuple[int, int, bool], _Judged] = {}
        self._ends: dict[tuple[int, int, int], tuple[Ready, ...]] = {}
        self._limits: dict[tuple[int, int, int], tuple[Fraction, Ready | None]] = {}
        self._most: dict[tuple[int, int, int], Fraction] = {}
        self._parts: dict[Any, frozenset[int]] = {}
        self.levels: dict[Any, Any] = {}
        """What planes are made of (`planes.py`), by the codes that there are."""

    def _needs(self, meeting: Any) -> int:
        if meeting is None or meeting.needs is None:
            return 1
        return int(self.field.ask(meeting.needs, no_unit()))

    def needs(self, kind: int) -> int:
        """How many of a kind (times SHIFT) have to block at once, where one isn't enough."""
        return (
            self.lines.reading.along if self.lines.kinds[kind // SHIFT].manner == ALONG else self.lines.reading.corner
        )

    def judged(self, first: int, last: int, turned: bool) -> _Judged:
        """The verdicts between two kinds of ends by what is met, to be filled; `turned`: it is the last who looks."""
        key = first, last, turned
        if key not in self._judged:
            self._judged[key] = _Judged(self, *key)
        return self._judged[key]

    def records(self, plane: int) -> tuple[Ready, ...]:
        """The records about hexes or hexsides."""
        return (self.sight.hexes if plane == HEXES else self.sight.sides).records

    def holds(self, record: Ready, kind: Kind, code: int, first: int, last: int, turned: bool) -> Fraction | None:
        """What a record is worth for something that is met (0 where that is no number); None where it doesn't hold."""
        return self._worth(record, self._values(record.uses, kind, code, first, last, turned))

    def _worth(self, record: Ready, more: dict[str, Any]) -> Fraction | None:
        asked, lookup = Asked(self.field, no_unit(), {}, more), self.field.program.lookup
        if record.when is not None and record.when(asked, lookup, None) is not True:
            return None
        return Fraction(record.work(asked, lookup, None)) if record.work is not None else Fraction(0)

    def codes_of(
        self, record: Ready, kind: Kind, codes: frozenset[int], first: int, last: int, turned: bool
    ) -> dict[Fraction, frozenset[int]]:
        """For which codes of what is met a record holds, by what it is worth. Its conditions are judged one by one, each only for
        what it asks for."""
        for part in self.sight.parts(record):
            codes = self._codes(part, kind, codes, first, last, turned)
            if not codes:
                return {}
        if record.work is None:
            return {Fraction(0): codes}
        found: dict[Fraction, set[int]] = {}
        for code in codes:
            worth = self.holds(record, kind, code, first, last, turned)
            if worth is not None:
                found.setdefault(worth, set()).add(code)
        return {worth: frozenset(some) for worth, some in found.items()}

    def _codes(
        self, part: Part, kind: Kind, codes: frozenset[int], first: int, last: int, turned: bool
    ) -> frozenset[int]:
        """The codes for which a part of a condition holds."""
        key = (
            part,
            kind.plane == HEXES,
            kind.manner if part.manner else "",
            (kind.own, turned) if part.own else 0,
            kind.turned != turned if part.faces else False,
            self.ends_like(part, first, last, turned),
            (kind.height, turned) if part.high else 0,
            codes if part.met else 0,
        )
        if key not in self._parts:
            some = codes if part.met else [next(iter(codes))]
            self._parts[key] = frozenset(
                [code for code in some if self._holds(part, self._values(part.uses, kind, code, first, last, turned))]
            )
        held_codes = self._parts[key]
        return held_codes if part.met else codes if held_codes else frozenset()

    def ends_like(self, asks: Ready | Part, first: int, last: int, turned: bool) -> tuple[int, int]:
        """Two kinds of ends, as far as a record or a part of one tells them apart."""
        start, end = (last, first) if turned else (first, last)
        like = self.sight.like(asks)
        return like[0][start], like[1][end]

    def _values(
        self, uses: Iterable[str], kind: Kind, code: int, first: int, last: int, turned: bool
    ) -> dict[str, Any]:
        """Names with their values."""
        registers = self.sight.registers
        start, end = (last, first) if turned else (first, last)
        ends = registers["ends"].values
        found: dict[str, Any] = {}
        of_side = registers["sides"].values[code] if kind.plane != HEXES else {}
        beside = registers["beside"].values
        for name in uses:
            prefix, dot, rest = name.partition(".")
            if not dot:
                if name == "manner":
                    found[name] = kind.manner
                elif name == "own":
                    found[name] = (BACK if turned else OWN)[kind.own]
                elif name == "distance":
                    found[name] = kind.distance
                elif name == "viewer":
                    found[name] = self.viewer
                elif name == "seen_as":
                    found[name] = self.seen_as
            elif prefix == "from":
                found[name] = ends[start][rest]
            elif prefix == "to":
                found[name] = ends[end][rest]
            elif prefix == "hex":
                found[name] = registers["hexes"].values[code][rest]
            elif prefix == "over":
                lies = of_side["over"]
                found[name] = (
                    [{"kind": one} for one in sorted(lies) if one not in COMPASS]
                    if rest == "features"
                    else rest in lies
                )
            elif prefix in ("near", "far"):
                # The line is told from its first hex; looked along from the last, what is near is far.
                which = "near" if (prefix == "near") == (kind.turned == turned) else "far"
                found[name] = beside[of_side[which]].get(rest, False)
            elif name == HEIGHT:
                assert self.feet is not None
                low, high = Fraction(ends[first]["height"]), Fraction(ends[last]["height"])
                found[name] = low + (high - low) * self.feet.foot(kind.height)
        return found

    def shielding(self, kind: Kind, codes: frozenset[int], first: int, last: int) -> frozenset[int]:
        """The codes of hexsides that shield who is at the last end, where they are met so."""
        records = [record for record in self.sight.sides.records if getattr(record.record, "shield", "") == "to"]
        found = (self.codes_of(record, kind, codes, first, last, False).values() for record in records if codes)
        return frozenset().union(*(held for some in found for held in some))

    def matters(self, marker: str, codes: Codes) -> bool:
        """Whether a marker may change a verdict on a map with these codes: whether any condition or value that asks for it is then
        another one, wherever it is put."""
        sight = self.sight
        if marker in sight.hex_names or marker in sight.far_names:
            return True
        ends, sides = sorted(set(codes.ends)), sorted(frozenset().union(*codes.planes[:3]) - {OFF})
        asking = [f"{prefix}.{marker}" for prefix in ("from", "to", "near", "far")]
        for part in sight.conditions():
            for name in asking if part.direct.intersection(asking) else ():
                like = {self.ends_like(part, *pair, False): pair for pair in product(ends, ends)}
                manners = (CROSSED, ALONG, CORNER) if part.manner else (CROSSED,)
                kinds = product(manners, OWN if part.own else (0,), (False, True) if part.faces else (False,))
                for (manner, own, turned), code, pair in product(
                    kinds, sides if part.met else sides[:1], like.values()
                ):
                    known = self._values(part.uses, Kind(0, manner, own, turned, 0, 0), code, *pair, False)
                    if self._holds(part, known) != self._holds(part, {**known, name: True}):
                        return True
        return False

    def always_blocks(self, marker: str, codes: Codes) -> bool:
        """Whether a marker blocks every line that meets its hex in any manner, the ends aside, on a map with these codes."""
        name = f"hex.{marker}"
        if self.lines.reading.along > 1 or marker not in self.sight.hex_names:
            return False
        records = [record for record in self.sight.hexes.records if record.effect == "block" and name in record.uses]
        ends, hexes = sorted(set(codes.ends)), sorted({*codes.planes[HEXES]} - {OFF})
        for manner, own in product((THROUGH, ALONG, CORNER), (0, FIRST | LAST)):
            kind = Kind(HEXES, manner, own, False, 0, 0)
            for code, first, last in product(hexes, ends, ends):
                known = (
                    {**self._values(record.uses, kind, code, first, last, False), name: True} for record in records
                )
                if all(self._worth(record, more) is None for record, more in zip(records, known, strict=True)):
                    return False
        return True

    def may_hide(self, codes: Codes) -> bool:
        """Whether anything may keep a line from being clear on a map with these codes; surely nothing where it says no."""
        sight = self.sight
        if sight.rules.limit or HEIGHT in sight.hexes.names:
            return True
        if any(self.ends(first, last, 1) for first, last in product(set(codes.far), set(codes.far))):
            return True
        sides, hexes = (frozenset().union(*planes) - {OFF} for planes in (codes.planes[:HEXES], codes.planes[HEXES:]))
        ends = sorted(set(codes.ends))
        for plane, met, manners in ((0, sides, (CROSSED, ALONG, CORNER)), (HEXES, hexes, (THROUGH, ALONG, CORNER))):
            records = [record for record in self.records(plane) if record.effect in ("block", "degrade")]
            for record, manner, own, turned, first, last in product(records, manners, OWN, (False, True), ends, ends):
                if met and self.codes_of(record, Kind(plane, manner, own, turned, 0, 0), met, first, last, False):
                    return True
        return False

    def _holds(self, part: Part, more: dict[str, Any]) -> bool:
        return part.work(Asked(self.field, no_unit(), {}, more), self.field.program.lookup, None) is True

    # By the ends alone.

    def ends(self, start: int, end: int, far: int) -> tuple[Ready, ...]:
        """The records that block by where a line starts and ends."""
        if not self.sight.rules.ends:
            return ()
        key = start, end, far if "distance" in self.sight.ends.names else 0
        if key not in self._ends:
            self._ends[key] = tuple(
                record
                for record in self.sight.ends.records
                if self._worth(record, self._of_ends("far", *key)) is not None
            )
        return self._ends[key]

    def _of_ends(self, register: str, start: int, end: int, far: int) -> dict[str, Any]:
        values = self.sight.registers[register].values
        found: dict[str, Any] = {"distance": far, "viewer": self.viewer, "seen_as": self.seen_as}
        for prefix, code in (("from", start), ("to", end)):
            found |= {f"{prefix}.{name}": value for name, value in values[code].items()}
        if BOARDS in values[start]:
            found[BOARDS] = not set(values[start][BOARDS]).isdisjoint(values[end][BOARDS])
        return found

    def limit(self, start: int, end: int, far: int) -> tuple[Fraction, Ready | None]:
        """How far one sees, and the record that limits it where it is farther."""
        key = start, end, far
        if key not in self._limits:
            worked = amount(self.field, self.sight.rules.limit, no_unit(), self._of_ends("far", *key))
            most = Fraction(worked.most)
            self._limits[key] = most, worked.rests[-1] if far > most and worked.rests else None
        return self._limits[key]

    def most(self, start: int, end: int, far: int) -> Fraction:
        """How much worse a line may get."""
        formula = self.sight.rules.most
        key = start, end, far
        if key not in self._most:
            assert formula is not None
            self._most[key] = Fraction(self.field.ask(formula, no_unit(), self._of_ends("ends", *key)))
        return self._most[key]


class _Judged(dict[int, Verdict | None]):
    """The verdicts between two kinds of ends, by the kind of meeting (times SHIFT) and the code of what is met; None for nothing."""

    def __init__(self, judge: Judge, first: int, last: int, turned: bool) -> None:
        super().__init__()
        self.judge, self.ends = judge, (first, last, turned)

    def __missing__(self, key: int) -> Verdict | None:
        number, code = divmod(key, SHIFT)
        kind = self.judge.lines.kinds[number]
        held = []
        for record in self.judge.records(kind.plane):
            worth = self.judge.holds(record, kind, code, *self.ends)
            if worth is not None:
                held.append((record, worth))
        effects = [record.effect for record, _ in held]
        worse = sum((worth for record, worth in held if record.effect == "degrade"), Fraction(0))
        verdict = self[key] = Verdict("block" in effects, worse, tuple(held)) if held else None
        return verdict


class Feet:
    """Where on a line hexes lie, told apart only as far as the heights matter with which records compare the line's.

    A record that compares `line.height` with what a hex has changes its mind only where the line passes that height. So the places
    on a line fall into a few intervals, and a hex is judged as if its foot were in the middle of its interval.
    """

    def __init__(self, sight: SightMap, judge: Judge) -> None:
        heights = {Fraction(values["height"]) for values in sight.registers["ends"].values[1:]}
        critical = _critical(sight, judge)
        self.exact = critical is None
        self.limits = sorted(
            {
                foot
                for low in heights
                for high in heights
                if low != high
                for height in critical or ()
                if 0 < (foot := (height - low) / (high - low)) < 1
            }
        )
        self._known: dict[Fraction, int] = {}
        self._feet: list[Fraction] = []

    @property
    def count(self) -> int:
        """How many intervals and limits there are."""
        return 2 * len(self.limits) + 1

    def number(self, part: int, whole: int) -> int:
        """The number of the interval in which a part of the line ends."""
        if self.exact:
            foot = Fraction(part, whole)
            if foot not in self._known:
                self._known[foot] = len(self._feet)
                self._feet.append(foot)
            return self._known[foot]
        for i, limit in enumerate(self.limits):
            ahead = part * limit.denominator - limit.numerator * whole
            if ahead <= 0:
                return 2 * i + (ahead == 0)
        return 2 * len(self.limits)

    def foot(self, number: int) -> Fraction:
        """A place on the line in this interval."""
        if self.exact:
            return self._feet[number]
        bounds = [Fraction(0), *self.limits, Fraction(1)]
        i = number // 2
        return bounds[i + 1] if number % 2 else (bounds[i] + bounds[i + 1]) / 2


def _critical(sight: SightMap, judge: Judge) -> set[Fraction] | None:
    """The heights with which records compare the line's; None where they do something else with it."""
    program = sight.kinds.program
    compared: list[Expression] = []
    formulas = [
        formula for record in sight.rules.hexes for formula in (record.when, record.degrade) if formula is not None
    ]
    formulas += [value for name, value in program.values.items() if HEIGHT in program.names(value)]
    for formula in formulas:
        if HEIGHT in program.names(formula) and not _compares(formula.expression, compared):
            return None
    found: set[Fraction] = set()
    for expression in compared:
        for values in sight.registers["hexes"].values[1:]:
            more = {f"hex.{name}": value for name, value in values.items()}
            try:
                found.add(Fraction(evaluate(expression, Asked(judge.field, no_unit(), {}, more), program.lookup)))
            except (EvaluationError, KeyError, TypeError):
                return None
    return found


def _compares(node: Expression, compared: list[Expression]) -> bool:
    """Whether an expression does nothing with the line's height but compare it; with what is added to a list."""
    match node:
        case Name(name):
            return name != HEIGHT
        case Binary(operator, left, right):
            for one, other in ((left, right), (right, left)):
                if operator in COMPARED and isinstance(one, Name) and one.name == HEIGHT:
                    compared.append(other)
                    return _compares(other, compared)
            return _compares(left, compared) and _compares(right, compared)
        case Unary(_, operand) | Membership(operand):
            return _compares(operand, compared)
        case Call(_, arguments):
            return all(_compares(argument, compared) for argument in arguments)
        case Aggregate(_, _, argument):
            return argument is None or _compares(argument, compared)
    return True

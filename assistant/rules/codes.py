"""A map as sight knows it: places and hexsides of which the lists of records ask the same have one code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from assistant.rules.asked import of_place, of_question
from assistant.rules.field import Field, no_unit
from assistant.rules.lines import ALONG, CORNER, Lines, Reading, Row
from assistant.rules.program import Ready
from scenarios.expressions import Compiled, Expression, compiled, names
from scenarios.expressions.syntax import Binary
from scenarios.hexes import DIRECTIONS, Hex, Hexside, hexside
from scenarios.maps import HexMap
from scenarios.rules.words import COMPASS

if TYPE_CHECKING:
    from assistant.rules.kinds import Kinds
    from assistant.rules.sight import Sights
    from assistant.rules.verdicts import Feet, Judge

HEIGHT = "line.height"
BOARDS = "same_board"
NOT_ASKED = frozenset({"manner", "own", "distance", HEIGHT, BOARDS, "viewer", "seen_as"})
_PREFIXES = ("from", "to", "near", "far", "hex", "over")
OFF = 0
"""The code of what isn't on the map."""


class Codes(NamedTuple):
    """A field by the codes of its places and hexsides."""

    planes: tuple[list[int], list[int], list[int], list[int]]
    """By their numbers in the row: hexsides of three directions, then hexes."""
    ends: list[int]
    """Places as ends of a line, for what is met on the way,"""
    far: list[int]
    """and for what depends on the ends alone; empty where nothing does."""
    changed: frozenset[int]
    """The places where something else is than on the bare map."""
    context: tuple[Any, ...]
    """What holds for the whole question, by the names that sight asks for."""


@dataclass(frozen=True, eq=False)
class Part:
    """One of several conditions that have to hold together, and what it asks for."""

    work: Compiled
    uses: frozenset[str]
    direct: frozenset[str] = frozenset()
    """The names that stand in it, values among them."""

    @cached_property
    def manner(self) -> bool:
        return "manner" in self.uses

    @cached_property
    def own(self) -> bool:
        return "own" in self.uses

    @cached_property
    def high(self) -> bool:
        return HEIGHT in self.uses

    @cached_property
    def faces(self) -> bool:
        return any(name.startswith(("near.", "far.")) for name in self.uses)

    @cached_property
    def met(self) -> bool:
        """Whether it asks of what is met."""
        return any(name.startswith(("over.", "hex.", "near.", "far.")) for name in self.uses)


class Register:
    """Codes for what is alike: from 1 in the order in which they are met."""

    def __init__(self) -> None:
        self.values: list[Mapping[str, Any]] = [{}]
        self._known: dict[Any, int] = {}

    def code(self, names: tuple[str, ...], values: tuple[Any, ...]) -> int:
        """The code of some values."""
        key = tuple([repr(value) if isinstance(value, list) else value for value in values])
        if key not in self._known:
            self._known[key] = len(self.values)
            self.values.append(dict(zip(names, values, strict=True)))
        return self._known[key]


class SightMap:
    """A map as sight knows it, whatever stands there."""

    def __init__(self, kinds: Kinds) -> None:
        program, map = kinds.program, kinds.map
        assert program.rules.sight is not None and isinstance(map, HexMap)
        self.kinds, self.map, self.rules, self.row = kinds, map, program.rules.sight, Row(map)
        rules = self.rules
        self.sides, self.hexes, self.ends = (
            program.ready(records) for records in (rules.sides, rules.hexes, rules.ends)
        )
        limit = program.ready(rules.limit)
        on_way = self.sides.names | self.hexes.names | program.names(rules.most)
        by_ends = self.ends.names | limit.names
        self.end_names = _behind(on_way | ({"to.height"} if HEIGHT in on_way else set()), "from", "to")
        self.far_names = _behind(by_ends, "from", "to") + ((BOARDS,) if BOARDS in by_ends else ())
        self.beside_names, self.hex_names = _behind(self.sides.names, "near", "far"), _behind(self.hexes.names, "hex")
        self.over_names = frozenset(_behind(self.sides.names, "over"))
        every = (*self.end_names, *self.far_names, *self.beside_names, *self.hex_names)
        self.markers = frozenset(
            name for name in every if name in kinds.position_names and name in program.game.markers
        )
        """The markers that change sight."""
        self.by_ends = bool(rules.ends or rules.limit)
        asked = (
            on_way
            | by_ends
            | frozenset().union(*(program.names(one.needs) for one in (rules.along, rules.corner) if one))
        )
        self.question_names = tuple(
            sorted(name for name in asked - NOT_ASKED if name.partition(".")[0] not in _PREFIXES)
        )
        self.registers = {name: Register() for name in ("ends", "far", "beside", "sides", "hexes")}
        self._bare: dict[str, list[int]] = {}
        self._lies = self._lying()
        self._compass = self._directions()
        self._bare_sides: list[list[int]] = []
        self._judges: dict[Any, Judge] = {}
        self._roots: dict[tuple[Any, ...], Sights] = {}
        self._parted: dict[Ready, tuple[Part, ...]] = {}
        self._alike: dict[Ready | Part, tuple[list[int], list[int]]] = {}

    def ruled(self, record: Ready, manner: str) -> str:
        """The rule of a record, with that of the manner in which a line meets something."""
        meeting = {ALONG: self.rules.along, CORNER: self.rules.corner}.get(manner)
        return ", ".join(filter(None, (record.rule, meeting.rule if meeting is not None else "")))

    # Codes.

    def context(self, field: Field) -> tuple[Any, ...]:
        """What holds for the whole question, by the names that sight asks for."""
        return tuple(
            [
                field.all_alike if name == "units" else repr(of_question(field, no_unit(), name))
                for name in self.question_names
            ]
        )

    def codes(self, field: Field) -> Codes:
        """The codes of a field."""
        ends, moved = self._places(field, "ends", self.end_names)
        far, moved_far = self._places(field, "far", self.far_names) if self.by_ends else ([], set[int]())
        hexes, moved_hexes = self._places(field, "hexes", self.hex_names)
        beside, moved_beside = self._places(field, "beside", self.beside_names)
        row = self.row
        numbered = [OFF] * row.size
        for n, number in enumerate(row.numbers):
            numbered[number] = hexes[n]
        sides = [list(plane) for plane in self._all_sides()]
        for n in moved_beside:
            self._around(n, beside, sides)
        changed = frozenset(moved | moved_far | moved_hexes | moved_beside)
        return Codes((sides[0], sides[1], sides[2], numbered), ends, far, changed, self.context(field))

    def _places(self, field: Field, name: str, names: tuple[str, ...]) -> tuple[list[int], set[int]]:
        """The codes of all places under some names, and those that differ from the bare map's."""
        kinds, register = self.kinds, self.registers[name]
        wide = [one for one in names if one in kinds.walker_names or one in field.told_places]
        if name not in self._bare:
            self._bare[name] = [
                register.code(names, tuple([self._bare_value(n, one) for one in names]))
                for n in range(len(kinds.places))
            ]
        bare = self._bare[name]
        there = range(len(bare)) if wide else field.markers if any(one in kinds.position_names for one in names) else ()
        found, moved = bare, set()
        for n in there:
            of_map = ("height", BOARDS)
            values = tuple(
                [self._bare_value(n, one) if one in of_map else of_place(field, no_unit(), n, one) for one in names]
            )
            code = register.code(names, values)
            if code != bare[n]:
                found = list(bare) if found is bare else found
                found[n] = code
                moved.add(n)
        return found, moved

    def _bare_value(self, n: int, name: str) -> Any:
        kinds = self.kinds
        if name == "height":
            return kinds.height(n)
        if name == BOARDS:
            return tuple(
                placed.board.id for placed in self.map.placed if kinds.places[n] in self.map.on_board(placed.board.id)
            )
        if name in kinds.position_names or name in kinds.walker_names:
            return [] if name == "markers" else False
        value = kinds.told(n, name)
        return [{"kind": kind} for kind in value] if name == "features" else value

    def _all_sides(self) -> list[list[int]]:
        """The codes of all hexsides of the bare map."""
        if not self._bare_sides:
            self._bare_sides = [[OFF] * self.row.size for _ in range(3)]
            for n in range(len(self.kinds.places)):
                self._around(n, self._bare["beside"], self._bare_sides)
        return self._bare_sides

    def _around(self, n: int, beside: list[int], planes: list[list[int]]) -> None:
        """Write down the codes of a hex's six sides."""
        row, kinds = self.row, self.kinds
        hex = kinds.places[n]
        assert isinstance(hex, Hex)
        for d, step in enumerate(DIRECTIONS):
            other = hex.plus(step)
            m = kinds.number.get(other)
            lies = self._lies.get(hexside(hex, other), frozenset()) | self._compass[d]
            codes = beside[n], OFF if m is None else beside[m]
            at, number = (d, row.numbers[n]) if d < 3 else (d - 3, row.numbers[n] + row.steps[d])
            values = (lies, *(codes if d < 3 else codes[::-1]))
            planes[at][number] = self.registers["sides"].code(("over", "near", "far"), values)

    def _lying(self) -> dict[Hexside, frozenset[str]]:
        """What lies on hexsides, as far as a record asks for it."""
        found: dict[Hexside, frozenset[str]] = {}
        for sides in (self.map.hexsides, self.map.path_sides):
            for side, kinds in sides.items():
                held = kinds if "features" in self.over_names else kinds & self.over_names
                if held:
                    found[side] = found.get(side, frozenset()) | held
        return found

    def _directions(self) -> list[frozenset[str]]:
        """The directions of the map that a hexside lies in, seen from either of its hexes, by the number of its direction."""
        found: list[set[str]] = [set() for _ in DIRECTIONS]
        for name in self.over_names.intersection(COMPASS):
            d = self.kinds.straight(name)
            if d is not None:
                found[d].add(name)
                found[(d + 3) % 6].add(name)
        return [frozenset(names) for names in found]

    def parts(self, record: Ready) -> tuple[Part, ...]:
        """The conditions of a record that have to hold together."""
        if record not in self._parted:
            when = record.record.when
            self._parted[record] = () if when is None else tuple(map(self._part, _both(when.expression)))
        return self._parted[record]

    def _part(self, expression: Expression) -> Part:
        return Part(compiled(expression), self.kinds.program.names_of(expression), names(expression))

    def conditions(self) -> Iterator[Part]:
        """All conditions about hexsides, and the pack's values that they rest on."""
        waiting = [part for record in self.sides.records for part in self.parts(record)]
        known: set[str] = set()
        while waiting:
            part = waiting.pop()
            yield part
            for name in part.direct.intersection(self.kinds.program.values) - known:
                known.add(name)
                waiting.append(self._part(self.kinds.program.values[name].expression))

    def like(self, asks: Ready | Part) -> tuple[list[int], list[int]]:
        """For each kind of end a number: ends of which a record, or a part of one, asks the same have the same; as `from` and as `to`."""
        values = self.registers["ends"].values
        known = self._alike.get(asks)
        if known is None or len(known[0]) < len(values):
            high = ["height"] * (HEIGHT in asks.uses)
            rows = []
            for prefix in ("from", "to"):
                names = [name.partition(".")[2] for name in asks.uses if name.startswith(f"{prefix}.")] + high
                numbers: dict[Any, int] = {}
                row = [numbers.setdefault(repr([held.get(name) for name in names]), len(numbers)) for held in values]
                rows.append(row)
            known = self._alike[asks] = rows[0], rows[1]
        return known

    # Who is shared.

    def bare(self, sights: Sights, viewer: str, seen_as: str) -> Sights | None:
        """The sights of the bare map under the same readings, if every pair is known there."""
        root = self._roots.get(sights.codes.context)
        if root is None or root is sights or not sights.codes.changed:
            return None
        masks = (root.known_masks(viewer, seen_as, turned) for turned in (False, True))
        return root if all(one is not None and one.whole for one in masks) else None

    def remember(self, sights: Sights) -> None:
        """Keep the sights of the bare map."""
        if not sights.codes.changed:
            self._roots.setdefault(sights.codes.context, sights)

    def judge(self, field: Field, context: tuple[Any, ...], viewer: str, seen_as: str) -> Judge:
        """What the records say for what holds in the whole question."""
        heights = len(self.registers["hexes"].values) if HEIGHT in self.hexes.names else 0
        key = context, viewer, seen_as, heights
        if key not in self._judges:
            from assistant.rules.verdicts import Judge

            self._judges[key] = Judge(self, field, viewer, seen_as)
        return self._judges[key]

    def lines(self, reading: Reading, feet: Feet | None) -> Lines:
        """The lines of the map, read in one way; other maps of the game that are as high have the same."""
        stride, known = self.row.stride, self.kinds.program.lines
        if feet is not None and feet.exact:
            return Lines(stride, reading, feet.number)
        key = stride, reading, None if feet is None else tuple(feet.limits)
        if key not in known:
            known[key] = Lines(stride, reading, None if feet is None else feet.number)
        return known[key]


def _both(node: Expression) -> Iterator[Expression]:
    """What has to hold together in an expression."""
    if isinstance(node, Binary) and node.operator == "and":
        yield from _both(node.left)
        yield from _both(node.right)
    else:
        yield node


def _behind(names: Iterable[str], *prefixes: str) -> tuple[str, ...]:
    return tuple(
        sorted({name.partition(".")[2] for name in names if name.partition(".")[0] in prefixes and "." in name})
    )

"""A map as the sight package knows it. Places and hexsides that the records cannot tell apart share a class (a
number, `code`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from assistant.engine.field import Field
from assistant.engine.map_index import MapIndex
from assistant.engine.placed_units import no_unit
from assistant.engine.program import CompiledRecord
from assistant.engine.sight.line_crossings import ALONG_SIDE, AT_CORNER, HexRow
from scenarios.expressions import Evaluator, Expression, compile_expression, names
from scenarios.expressions.syntax import conjuncts
from scenarios.model.hexes import DIRECTIONS, Hex, Hexside, hexside
from scenarios.model.maps import HexMap
from scenarios.model.memo import cached_on
from scenarios.rules.vocabulary import COMPASS

HEIGHT = "line.height"
BOARDS = "same_board"
NOT_ASKED = frozenset({"manner", "own", "distance", HEIGHT, BOARDS, "viewer", "seen_as"})
_PREFIXES = ("from", "to", "near", "far", "hex", "over")
OFF_MAP = 0
"""The class of what isn't on the map."""


class Codes(NamedTuple):
    """A field by the classes of its places and hexsides."""

    planes: tuple[list[int], list[int], list[int], list[int]]
    """By their numbers in the row: hexsides of three directions, then hexes."""
    ends: list[int]
    """Places as ends of a line, for records about what is met on the way."""
    distances: list[int]
    """The same for records about the ends alone; empty where there are none."""
    changed_cells: frozenset[int]
    """The places that differ from the bare map."""
    context: tuple[Any, ...]
    """The values of the whole question, for the names that sight asks for."""


@dataclass(frozen=True, eq=False)
class ConditionPart:
    """One of several conditions that must hold together, and what it asks for."""

    work: Evaluator
    uses: frozenset[str]
    direct: frozenset[str] = frozenset()
    """The names that appear in it, including values."""

    @cached_property
    def manner(self) -> bool:
        return "manner" in self.uses

    @cached_property
    def is_endpoint(self) -> bool:
        return "own" in self.uses

    @cached_property
    def uses_height(self) -> bool:
        return HEIGHT in self.uses

    @cached_property
    def faces(self) -> bool:
        return any(name.startswith(("near.", "far.")) for name in self.uses)

    @cached_property
    def uses_crossing(self) -> bool:
        """Whether it asks about what is met."""
        return any(name.startswith(("over.", "hex.", "near.", "far.")) for name in self.uses)


class NumberRegister:
    """Numbers for equal things: from 1 in the order of their first use."""

    def __init__(self) -> None:
        self.values: list[Mapping[str, Any]] = [{}]
        self._numbers: dict[Any, int] = {}

    def code(self, names: tuple[str, ...], values: tuple[Any, ...]) -> int:
        """Return the number of some values."""
        key = tuple([repr(value) if isinstance(value, list) else value for value in values])
        if key not in self._numbers:
            self._numbers[key] = len(self.values)
            self.values.append(dict(zip(names, values, strict=True)))
        return self._numbers[key]


class SightMap:
    """A map as the sight package knows it, whatever pieces are on it."""

    def __init__(self, map_index: MapIndex) -> None:
        program, map = map_index.program, map_index.map
        assert program.rules.sight is not None and isinstance(map, HexMap)
        self.map_index, self.map, self.rules, self.row = map_index, map, program.rules.sight, HexRow(map)
        rules = self.rules
        self.sides, self.hexes, self.ends = (
            program.ready(records) for records in (rules.sides, rules.hexes, rules.ends)
        )
        limit = program.ready(rules.limit)
        on_way = self.sides.names | self.hexes.names | program.names(rules.degrade_limit)
        by_ends = self.ends.names | limit.names
        self.end_names = _strip_prefixes(on_way | ({"to.height"} if HEIGHT in on_way else set()), "from", "to")
        self.far_names = _strip_prefixes(by_ends, "from", "to") + ((BOARDS,) if BOARDS in by_ends else ())
        self.beside_names, self.hex_names = (
            _strip_prefixes(self.sides.names, "near", "far"),
            _strip_prefixes(self.hexes.names, "hex"),
        )
        self.over_names = frozenset(_strip_prefixes(self.sides.names, "over"))
        all_names = (*self.end_names, *self.far_names, *self.beside_names, *self.hex_names)
        self.markers = frozenset(
            name for name in all_names if name in map_index.position_names and name in program.game.markers
        )
        """The markers that change sight."""
        self.by_ends = bool(rules.ends or rules.limit)
        rule_names = (
            on_way
            | by_ends
            | frozenset().union(
                *(program.names(meeting_rule.needs) for meeting_rule in (rules.along, rules.corner) if meeting_rule)
            )
        )
        self.question_names = tuple(
            sorted(name for name in rule_names - NOT_ASKED if name.partition(".")[0] not in _PREFIXES)
        )
        self.registers = {name: NumberRegister() for name in ("ends", "far", "beside", "sides", "hexes")}
        self._base_planes: dict[str, list[int]] = {}
        self._lies = self._lying()
        self._compass = self._directions()
        self._bare_sides: list[list[int]] = []
        self._parts: dict[CompiledRecord, tuple[ConditionPart, ...]] = {}
        self._classes: dict[CompiledRecord | ConditionPart, tuple[list[int], list[int]]] = {}

    def cite_rule(self, record: CompiledRecord, manner: str) -> str:
        """Return the rule of a record, with that of the manner in which a line meets something."""
        meeting = {ALONG_SIDE: self.rules.along, AT_CORNER: self.rules.corner}.get(manner)
        return ", ".join(filter(None, (record.rule, meeting.rule if meeting is not None else "")))

    # Classes.

    def context(self, field: Field) -> tuple[Any, ...]:
        """Return the values of the whole question, for the names that sight asks for."""
        return tuple(
            [
                field.all_alike if name == "units" else repr(field.rule_values.of_question(no_unit(), name))
                for name in self.question_names
            ]
        )

    def codes(self, field: Field) -> Codes:
        """Return the classes of a field."""
        ends, moved_ends = self._places(field, "ends", self.end_names)
        far_codes, moved_far = self._places(field, "far", self.far_names) if self.by_ends else ([], set[int]())
        hexes, moved_hexes = self._places(field, "hexes", self.hex_names)
        beside_codes, moved_beside = self._places(field, "beside", self.beside_names)
        row = self.row
        hex_codes = [OFF_MAP] * row.size
        for n, number in enumerate(row.numbers):
            hex_codes[number] = hexes[n]
        sides = [list(plane) for plane in self._all_sides()]
        for n in moved_beside:
            self._code_sides(n, beside_codes, sides)
        changed_places = frozenset(moved_ends | moved_far | moved_hexes | moved_beside)
        return Codes((sides[0], sides[1], sides[2], hex_codes), ends, far_codes, changed_places, self.context(field))

    def _places(self, field: Field, name: str, names: tuple[str, ...]) -> tuple[list[int], set[int]]:
        """Return the classes of all places under some names, and the places that differ from the bare map."""
        map_index, register = self.map_index, self.registers[name]
        wide_names = [
            value_name
            for value_name in names
            if value_name in map_index.mover_names or value_name in field.input_places
        ]
        if name not in self._base_planes:
            self._base_planes[name] = [
                register.code(names, tuple([self._bare_value(n, value_name) for value_name in names]))
                for n in range(len(map_index.places))
            ]
        bare_codes = self._base_planes[name]
        candidates = (
            range(len(bare_codes))
            if wide_names
            else field.markers
            if any(value_name in map_index.position_names for value_name in names)
            else ()
        )
        codes, moved_places = bare_codes, set()
        for n in candidates:
            of_map = ("height", BOARDS)
            values = tuple(
                [
                    self._bare_value(n, value_name)
                    if value_name in of_map
                    else field.rule_values.of_place(no_unit(), n, value_name)
                    for value_name in names
                ]
            )
            code = register.code(names, values)
            if code != bare_codes[n]:
                codes = list(bare_codes) if codes is bare_codes else codes
                codes[n] = code
                moved_places.add(n)
        return codes, moved_places

    def _bare_value(self, n: int, name: str) -> Any:
        map_index = self.map_index
        if name == "height":
            return map_index.height(n)
        if name == BOARDS:
            return tuple(
                board_placement.board.id
                for board_placement in self.map.placed
                if map_index.places[n] in self.map.on_board(board_placement.board.id)
            )
        if name in map_index.position_names or name in map_index.mover_names:
            return [] if name == "markers" else False
        value = map_index.map_value(n, name)
        return [{"kind": kind} for kind in value] if name == "features" else value

    def _all_sides(self) -> list[list[int]]:
        """The classes of all hexsides of the bare map."""
        if not self._bare_sides:
            self._bare_sides = [[OFF_MAP] * self.row.size for _ in range(3)]
            for n in range(len(self.map_index.places)):
                self._code_sides(n, self._base_planes["beside"], self._bare_sides)
        return self._bare_sides

    def _code_sides(self, n: int, beside_codes: list[int], planes: list[list[int]]) -> None:
        """Store the classes of a hex's six sides."""
        row, map_index = self.row, self.map_index
        hex = map_index.places[n]
        assert isinstance(hex, Hex)
        for d, step in enumerate(DIRECTIONS):
            neighbour = hex.plus(step)
            m = map_index.number.get(neighbour)
            lies = self._lies.get(hexside(hex, neighbour), frozenset()) | self._compass[d]
            codes = beside_codes[n], OFF_MAP if m is None else beside_codes[m]
            plane, number = (d, row.numbers[n]) if d < 3 else (d - 3, row.numbers[n] + row.steps[d])
            values = (lies, *(codes if d < 3 else codes[::-1]))
            planes[plane][number] = self.registers["sides"].code(("over", "near", "far"), values)

    def _lying(self) -> dict[Hexside, frozenset[str]]:
        """The features on hexsides, as far as a record asks for them."""
        kinds_by_side: dict[Hexside, frozenset[str]] = {}
        for sides in (self.map.hexsides, self.map.path_sides):
            for side, side_kinds in sides.items():
                relevant_kinds = side_kinds if "features" in self.over_names else side_kinds & self.over_names
                if relevant_kinds:
                    kinds_by_side[side] = kinds_by_side.get(side, frozenset()) | relevant_kinds
        return kinds_by_side

    def _directions(self) -> list[frozenset[str]]:
        """The directions of the map in which a hexside lies, seen from either of its hexes, by the number of its
        direction."""
        names_by_direction: list[set[str]] = [set() for _ in DIRECTIONS]
        for name in self.over_names.intersection(COMPASS):
            d = self.map_index.straight(name)
            if d is not None:
                names_by_direction[d].add(name)
                names_by_direction[(d + 3) % 6].add(name)
        return [frozenset(names) for names in names_by_direction]

    def parts(self, record: CompiledRecord) -> tuple[ConditionPart, ...]:
        """Return the conditions of a record that must hold together."""
        if record not in self._parts:
            condition = record.record.when
            self._parts[record] = () if condition is None else tuple(map(self._part, conjuncts(condition.expression)))
        return self._parts[record]

    def _part(self, expression: Expression) -> ConditionPart:
        return ConditionPart(
            compile_expression(expression), self.map_index.program.names_of(expression), names(expression)
        )

    def conditions(self) -> Iterator[ConditionPart]:
        """Yield all conditions about hexsides, and the pack's values that they depend on."""
        waiting = [part for record in self.sides.records for part in self.parts(record)]
        seen_names: set[str] = set()
        while waiting:
            part = waiting.pop()
            yield part
            for name in part.direct.intersection(self.map_index.program.values) - seen_names:
                seen_names.add(name)
                waiting.append(self._part(self.map_index.program.values[name].expression))

    def like(self, asks: CompiledRecord | ConditionPart) -> tuple[list[int], list[int]]:
        """Return a number for each class of end, as `from` and as `to`. Ends share it if a record or a part of one
        asks the same of them."""
        values = self.registers["ends"].values
        numberings = self._classes.get(asks)
        if numberings is None or len(numberings[0]) < len(values):
            height_names = ["height"] * (HEIGHT in asks.uses)
            rows = []
            for prefix in ("from", "to"):
                names = [name.partition(".")[2] for name in asks.uses if name.startswith(f"{prefix}.")] + height_names
                numbers: dict[Any, int] = {}
                row = [
                    numbers.setdefault(repr([end_values.get(name) for name in names]), len(numbers))
                    for end_values in values
                ]
                rows.append(row)
            numberings = self._classes[asks] = rows[0], rows[1]
        return numberings


def sight_map_of(map_index: MapIndex) -> SightMap:
    """A map as sight knows it."""
    return cached_on(map_index, SightMap)


def _strip_prefixes(names: Iterable[str], *prefixes: str) -> tuple[str, ...]:
    return tuple(
        sorted({name.partition(".")[2] for name in names if name.partition(".")[0] in prefixes and "." in name})
    )

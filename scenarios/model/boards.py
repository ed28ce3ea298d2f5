"""Boards: one printed sheet, its grid and its terrain."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal

from scenarios.model.drawn_boards import draw, read_block
from scenarios.model.grids import Grid, Numbering
from scenarios.model.hexes import Hex, Hexside, distance, hexside
from scenarios.model.images import BoardImage, check_spots
from scenarios.model.sources import IdField, Sourced
from scenarios.reading.findings import suggest
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings, Form, Record, Schema, documented_field, place, record


@record
class NumberingShape(Record):
    """How the hexes of a board are named."""

    scheme: Literal["letters", "xxyy", "x.y"] = documented_field("A-1, 0101 or 4.09.")
    first: Literal["column", "row"] = documented_field("Which of the two is printed first.", "column")
    columns_from: Literal["left", "right"] = documented_field("Where column numbers begin.", "left")
    rows_from: Literal["top", "bottom"] = documented_field("Where row numbers begin.", "top")
    start: tuple[int, ...] = documented_field("The lowest column number and the lowest row number.", (1, 1))
    digits: int = documented_field(
        "How many digits a padded number has: both of `xxyy`, the second of `x.y`; with 1, 4.9 instead of 4.09.", 2
    )


@record
class GridShape(Record):
    """The grid of a board."""

    orientation: Literal["flat", "pointy"] = documented_field("Flat-top or pointy-top hexes.", "flat")
    columns: int = documented_field("How many columns.")
    rows: int = documented_field("How many rows (in a column that isn't pushed).")
    pushed: Literal["odd", "even"] = documented_field("Which columns (rows when pointy) are pushed half a hex.", "even")
    halves: Literal["none", "sides", "ends", "both"] = documented_field(
        "Which edges cut hexes in half, so that boards join.", "none"
    )
    numbering: NumberingShape = documented_field("How hexes are named.")


@record
class PathShape(Sourced):
    """A road, track, river or canal from hex to hex."""

    kind: IdField = documented_field("Its kind, from `paths`.")
    name: str = documented_field("What it is called.", "")
    hexes: tuple[str, ...] = documented_field("The hexes it runs through, each next to the one before.")


@record
class PlaceShape(Sourced):
    """A town, pass, airfield or other named place."""

    name: str = documented_field("What it is called.")
    hex: str = documented_field("Its hex.", "")
    hexes: tuple[str, ...] = documented_field("Its hexes, if it has several.", ())
    kind: str = documented_field("What it is: city, town, airfield, fort, pass ...", "")
    side: IdField = documented_field("Who holds it at the start.", "")
    note: str = documented_field("What else holds for it.", "")


@record
class ZoneShape(Sourced):
    """A named region of a board."""

    name: str = documented_field("What it is called.")
    hexes: tuple[str, ...] = documented_field("Its hexes.")
    kind: str = documented_field("What it is: sector, boundary, entry area ...", "")


POINT = re.compile(r"-?\d+(?:\.\d+)?,-?\d+(?:\.\d+)?")


class _PointsForm(Form):
    """Points of a line: '1.5,2 1.7,2.25 2,3', across and down."""

    empty: ClassVar[tuple[tuple[Fraction, Fraction], ...]] = ()

    @staticmethod
    def read(node: Node, findings: Findings) -> tuple[tuple[Fraction, Fraction], ...]:
        words = (node.text or "").split()
        bad = next((word for word in words if not POINT.fullmatch(word)), None)
        if bad is not None or len(words) < 2:
            problem = f"{bad!r} is no point" if bad is not None else "a line has two points or more"
            findings.add(node, f"{problem}; write them as 1.5,2 1.7,2.25")
            return ()
        return tuple((Fraction(x), Fraction(y)) for x, y in (word.split(",") for word in words))

    @staticmethod
    def schema(define: Callable[[Any], Schema]) -> Schema:
        return {"type": "string"}


@record
class LineShape(Sourced):
    """A line without effect on play: a coast, a shore, a border, a river's true course."""

    kind: str = documented_field("What it is: coast, shore, border, river, canal, road ...")
    name: str = documented_field("What it is called.", "")
    closed: bool = documented_field("True for the shore of a lake or island.", False)
    points: Annotated[tuple[tuple[Fraction, Fraction], ...], _PointsForm] = documented_field(
        "Its points, across and down: on a board in columns and rows, from the centre of the top left hex."
    )


@record
class BoardShape(Sourced):
    """One printed sheet of hexes."""

    name: str = documented_field("What it is called.")
    grid: GridShape = documented_field("Its grid.")
    terrain: str = documented_field(
        "A drawing of it: one mark a hex, one line a row. Left out, all is plain ground, and `modgen show GAME map` "
        "prints a drawing to begin with.",
        "",
    )
    hexes: Mapping[str, IdField] = documented_field("Hexes whose terrain isn't the drawing's.", {})
    features: Mapping[IdField, tuple[str, ...]] = documented_field(
        "Kinds of terrain that hexes have besides: {woods: [0203]} makes woods of a hill. Rules ask for both.", {}
    )
    hexsides: Mapping[IdField, tuple[str, ...]] = documented_field("Hexsides of each kind, as C-3/D-3 or C-3:n.", {})
    paths: tuple[PathShape, ...] = documented_field("Roads, tracks and rivers.", (), sheet=True)
    places: Mapping[IdField, PlaceShape] = documented_field("Named places.", {}, sheet=True)
    zones: Mapping[IdField, ZoneShape] = documented_field("Named regions.", {}, sheet=True)
    lines: Mapping[IdField, LineShape] = documented_field("Lines that are only drawn.", {})
    image: BoardImage | None = documented_field(
        "A picture of it, such as a scan, that is shown instead of our drawing.", None
    )
    note: str = documented_field("What it shows.", "")


class _BoardRowsForm(Form):
    """A board, a row of boards, or rows of boards. 'A turned' is board A rotated by 180 degrees."""

    empty: ClassVar[tuple[tuple[str, ...], ...]] = ()

    @staticmethod
    def read(node: Node, findings: Findings) -> tuple[tuple[str, ...], ...]:
        rows = node.items if node.items is not None else [node]
        result = []
        for row in rows:
            cells = row.items if row.items is not None else [row]
            for cell in cells:
                if not cell.text:
                    findings.add(cell, "here belongs a board, such as A or 'A turned'")
            result.append(tuple(cell.text or "" for cell in cells))
        return tuple(result)

    @staticmethod
    def schema(define: Callable[[Any], Schema]) -> Schema:
        text_schema: Schema = {"type": "string"}
        return {
            "anyOf": [
                text_schema,
                {"type": "array", "items": {"anyOf": [text_schema, {"type": "array", "items": text_schema}]}},
            ]
        }


@record
class Arrangement(Sourced):
    """Joined boards: rows of boards from the top of the table down, each from left to right."""

    boards: Annotated[tuple[tuple[str, ...], ...], _BoardRowsForm] = documented_field(
        "Rows of boards, such as [[B], [A turned]]."
    )
    north: Literal["up", "right", "down", "left"] = documented_field("Where north is on the table.", "up")


@dataclass(frozen=True)
class BoardPath:
    """A path through adjacent hexes."""

    kind: str
    name: str
    hexes: tuple[Hex, ...]

    @property
    def crossings(self) -> tuple[Hexside, ...]:
        """The hexsides that the path crosses."""
        return tuple(hexside(a, b) for a, b in pairwise(self.hexes))


def crossed_by(paths: Iterable[BoardPath]) -> Mapping[Hexside, frozenset[str]]:
    """The kinds of path that cross each hexside."""
    kinds_by_side: dict[Hexside, frozenset[str]] = {}
    for path in paths:
        for side in path.crossings:
            kinds_by_side[side] = kinds_by_side.get(side, frozenset()) | {path.kind}
    return MappingProxyType(kinds_by_side)


@dataclass(frozen=True)
class Place:
    """A named place on hexes."""

    id: str
    name: str
    kind: str
    hexes: tuple[Hex, ...]
    side: str


@dataclass(frozen=True)
class Board:
    """A board ready for use. All data are keyed by hex and hexside of the board's own grid."""

    id: str
    name: str
    grid: Grid
    terrain: Mapping[Hex, str]
    hexsides: Mapping[Hexside, frozenset[str]]
    paths: tuple[BoardPath, ...]
    places: Mapping[str, Place]
    zones: Mapping[str, frozenset[Hex]]
    shape: BoardShape
    features: Mapping[str, frozenset[Hex]] = field(default_factory=dict)
    """The hexes that have a kind of terrain in addition to their main terrain."""

    @cached_property
    def path_sides(self) -> Mapping[Hexside, frozenset[str]]:
        """The kinds of path that cross each hexside."""
        return crossed_by(self.paths)

    def drawing(self, marks: Mapping[str, str]) -> str:
        """The board as a block of text. `marks` gives the character for each kind of terrain."""
        return draw(self.grid, {hex: marks[kind] for hex, kind in self.terrain.items()})


def make_grid(shape: GridShape, findings: Findings) -> Grid | None:
    """Make the grid that a pack describes."""
    numbering = shape.numbering
    if numbering is None or shape.columns < 1 or shape.rows < 1 or shape.columns * shape.rows > 40_000:
        findings.add(place(shape), "a grid needs columns, rows and numbering, and at most 40,000 hexes")
        return None
    if len(numbering.start) != 2:
        findings.add(place(numbering, "start"), "`start` is two numbers: the lowest column and the lowest row")
        return None
    try:
        return Grid(
            shape.orientation,
            shape.columns,
            shape.rows,
            shape.pushed,
            shape.halves,
            numbering=Numbering(
                numbering.scheme,
                numbering.first,
                numbering.columns_from,
                numbering.rows_from,
                (numbering.start[0], numbering.start[1]),
                numbering.digits,
            ),
        )
    except ValueError as error:
        findings.add(place(shape), str(error))
        return None


def make_board(
    board_id: str,
    shape: BoardShape,
    marks: Mapping[str, str],
    hexside_kinds: Mapping[str, Any],
    path_kinds: Mapping[str, Any],
    findings: Findings,
) -> Board | None:
    """Make the board that a pack describes. `marks` gives the character for each kind of terrain."""
    grid = make_grid(shape.grid, findings) if shape.grid is not None else None
    if grid is None:
        return None
    terrain_of_mark = {mark: kind for kind, mark in marks.items()}
    if shape.terrain.strip():
        terrain = read_block(grid, place(shape, "terrain"), terrain_of_mark, findings)
    else:
        terrain = dict.fromkeys(grid.hexes, next(iter(marks), ""))
    for name, kind in shape.hexes.items():
        hex_node = place(shape, "hexes", name)
        hex = find_hex(grid, name, hex_node, findings)
        if kind not in marks:
            findings.add(hex_node, f"no terrain is called {kind!r}; {suggest(kind, marks)}")
        elif hex is not None:
            terrain[hex] = kind
    features: dict[str, frozenset[Hex]] = {}
    for kind, names in shape.features.items():
        if kind not in marks:
            findings.add(place(shape, "features", kind), f"no terrain is called {kind!r}; {suggest(kind, marks)}")
            continue
        feature_hexes = [
            find_hex(grid, name, place(shape, "features", kind, i), findings) for i, name in enumerate(names)
        ]
        features[kind] = frozenset(hex for hex in feature_hexes if hex is not None)
    sides: dict[Hexside, frozenset[str]] = {}
    for kind, names in shape.hexsides.items():
        if kind not in hexside_kinds:
            findings.add(
                place(shape, "hexsides", kind), f"no hexside is called {kind!r}; {suggest(kind, hexside_kinds)}"
            )
            continue
        for i, name in enumerate(names):
            try:
                side = grid.side(name)
            except ValueError as error:
                findings.add(place(shape, "hexsides", kind, i), str(error))
                continue
            if kind in sides.get(side, ()):
                findings.add(
                    place(shape, "hexsides", kind, i), f"the {kind} hexside {name} stands here twice; remove one"
                )
            sides[side] = sides.get(side, frozenset()) | {kind}
    paths = []
    for path in shape.paths:
        if path.kind and path.kind not in path_kinds:
            findings.add(place(path, "kind"), f"no path is called {path.kind!r}; {suggest(path.kind, path_kinds)}")
        hexes = _path_hexes(grid, path, findings)
        paths.append(BoardPath(path.kind, path.name, hexes))
    places = {}
    for place_id, p in shape.places.items():
        place_hexes = find_hexes(grid, p, findings)
        if not (p.hex or p.hexes):
            findings.add(place(p), f"the place {p.name} has no hex; add `hex`")
        places[place_id] = Place(place_id, p.name, p.kind, place_hexes, p.side)
    zones = {zone_id: frozenset(find_hexes(grid, z, findings)) for zone_id, z in shape.zones.items()}
    if shape.image is not None and shape.image.hexes:
        _check_picture(grid, shape.image, findings)
    return Board(
        board_id,
        shape.name,
        grid,
        MappingProxyType(terrain),
        MappingProxyType(sides),
        tuple(paths),
        MappingProxyType(places),
        MappingProxyType(zones),
        shape,
        MappingProxyType(features),
    )


def _check_picture(grid: Grid, image: BoardImage, findings: Findings) -> None:
    """Check that the hexes that align a picture exist and are enough."""
    spots = []
    for name, dots in image.hexes.items():
        hex = find_hex(grid, name, place(image, "hexes", name), findings)
        spots.append((name, dots, None if hex is None else (grid.column(hex), grid.row(hex))))
    check_spots(image, "hexes", spots, findings)


def find_hex(grid: Grid, name: str, node: Node, findings: Findings) -> Hex | None:
    """Find the hex with this name. Adds a finding if there is none."""
    try:
        return grid.hex(name)
    except ValueError as error:
        findings.add(node, str(error))
        return None


def find_hexes(grid: Grid, shape: PlaceShape | ZoneShape, findings: Findings) -> tuple[Hex, ...]:
    """Find the hexes that a place or zone names."""
    named_nodes = [(name, place(shape, "hexes", i)) for i, name in enumerate(shape.hexes)]
    if isinstance(shape, PlaceShape) and shape.hex:
        named_nodes.insert(0, (shape.hex, place(shape, "hex")))
    hexes = [find_hex(grid, name, node, findings) for name, node in named_nodes]
    return tuple(hex for hex in hexes if hex is not None)


def _path_hexes(grid: Grid, path: PathShape, findings: Findings) -> tuple[Hex, ...]:
    hexes: list[Hex] = []
    findings_before = len(findings)
    if path.hexes and len(path.hexes) < 2:
        findings.add(place(path, "hexes"), "a path runs through two hexes or more; add the next one")
    for i, name in enumerate(path.hexes):
        hex_node = place(path, "hexes", i)
        hex = find_hex(grid, name, hex_node, findings)
        if hex is None:
            continue
        if hexes and distance(hexes[-1], hex) != 1:
            last = grid.name(hexes[-1])
            findings.add(hex_node, f"{path.kind} hex {name} doesn't touch {last} before it; add the hexes between")
        hexes.append(hex)
    return tuple(hexes) if len(findings) == findings_before else ()

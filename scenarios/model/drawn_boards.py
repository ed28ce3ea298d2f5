"""A board drawn as a block of text with one character for each hex. Any text editor can edit it.

Each line is a row of adjacent hexes. It begins with the number of hexes in it. On a flat-top grid neighboring
columns are half a hex apart, so the characters of one line stand in every other column of the text:

    # ABCDE
    3  . .
    2 . T .
    2  . .
    1 . . .
    1  . .
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scenarios.model.grids import Grid
from scenarios.model.hexes import Hex
from scenarios.reading.findings import suggest
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings

_LINES = {
    "flat": "every second column stands half a hex lower, so its hexes have lines of their own",
    "pointy": "one line a row of hexes",
}


class TextSpot(NamedTuple):
    """The position of a hex in the text: its line and its place in the line."""

    line: int
    place: int


def spots(grid: Grid) -> dict[Hex, TextSpot]:
    """The text position of every hex of a grid."""
    if grid.orientation == "flat":
        raw = {hex: TextSpot(2 * hex.r + hex.q, hex.q) for hex in grid.hexes}
    else:
        raw = {hex: TextSpot(hex.r, 2 * hex.q + hex.r) for hex in grid.hexes}
    top = min(spot.line for spot in raw.values())
    min_place = min(spot.place for spot in raw.values())
    return {hex: TextSpot(spot.line - top, spot.place - min_place) for hex, spot in raw.items()}


def draw(grid: Grid, marks: Mapping[Hex, str]) -> str:
    """Draw a board as a block of text, from the character of each hex."""
    spot_of_hex = spots(grid)
    width = max(len(grid.row_name(hex)) for hex in grid.hexes)
    lines: dict[int, list[str]] = {}
    labels: dict[int, str] = {}
    for hex, spot in spot_of_hex.items():
        line = lines.setdefault(spot.line, [])
        line.extend(" " * (spot.place + 1 - len(line)))
        line[spot.place] = marks[hex]
        labels[spot.line] = grid.row_name(hex)
    rows = [f"{labels[i].ljust(width)} {''.join(lines[i])}" for i in sorted(lines)]
    return "\n".join([*_heading(grid, spot_of_hex, width), *rows]) + "\n"


def _heading(grid: Grid, spot_of_hex: Mapping[Hex, TextSpot], width: int) -> list[str]:
    """A comment line with the last character of each column's name above the column (flat-top grids only)."""
    if grid.orientation != "flat":
        return []
    names = {spot.place: grid.column_name(hex)[-1] for hex, spot in spot_of_hex.items()}
    return ["#" + " " * width + "".join(names[place] for place in sorted(names))]


def _in_place(line: str, hex_places: set[int], start: int) -> str:
    """A line with one character for each of its hexes, moved to the right places. Empty if nothing has to move."""
    marks = [mark for mark in line if mark != " "]
    places = [start + place for place in sorted(hex_places)]
    if len(marks) != len(places) or all(line[i : i + 1] == mark for i, mark in zip(places, marks, strict=True)):
        return ""
    characters = [" "] * (places[-1] + 1)
    for i, mark in zip(places, marks, strict=True):
        characters[i] = mark
    return "".join(characters)


def read_block(grid: Grid, node: Node, terrain_of_mark: Mapping[str, str], findings: Findings) -> dict[Hex, str]:
    """Read the kind of terrain of each hex from a block of text. `terrain_of_mark` gives the kind for each character."""
    spot_of_hex = spots(grid)
    by_spot = {spot: hex for hex, spot in spot_of_hex.items()}
    width = max(len(grid.row_name(hex)) for hex in grid.hexes)
    lines = [(n, line) for n, line in enumerate((node.text or "").splitlines())]
    lines = [(n, line.rstrip()) for n, line in lines if line.strip() and not line.lstrip().startswith("#")]
    labels = {spot.line: grid.row_name(hex) for hex, spot in spot_of_hex.items()}
    if len(lines) != len(labels):
        hint = _LINES[grid.orientation]
        findings.add(node, f"the drawing has {len(lines)} lines, but the grid has {len(labels)}; {hint}")
        return {}
    places_of_line: dict[int, set[int]] = {}
    for spot in by_spot:
        places_of_line.setdefault(spot.line, set()).add(spot.place)
    terrain: dict[Hex, str] = {}
    for (n, line), row in zip(lines, sorted(labels), strict=True):
        label = line.split()[0]
        if label != labels[row]:
            findings.add(node.inside(n, 0), f"this line starts with {label!r}; write its number {labels[row]} there")
            continue
        unlabelled_line = line.replace(label, " " * len(label), 1)
        if right := _in_place(unlabelled_line, places_of_line[row], width + 1):
            line = label + right[len(label) :]
            findings.add(node.inside(n, 0), f"the marks of this line don't stand where its hexes do; write {line!r}")
            continue
        marks = unlabelled_line[width + 1 :]
        for place in sorted(places_of_line[row] | {i for i, mark in enumerate(marks) if mark != " "}):
            mark = marks[place] if place < len(marks) else " "
            hex = by_spot.get(TextSpot(row, place))
            mark_node = node.inside(n, width + 1 + place)
            if hex is None:
                findings.add(
                    mark_node, f"no hex stands here, but there is a mark {mark!r}; move it one place left or right"
                )
            elif mark == " ":
                findings.add(mark_node, f"hex {grid.name(hex)} has no mark; write one of {' '.join(terrain_of_mark)}")
            elif mark not in terrain_of_mark:
                findings.add(
                    mark_node,
                    f"no terrain has the mark {mark!r} (hex {grid.name(hex)}); {suggest(mark, terrain_of_mark)}",
                )
            else:
                terrain[hex] = terrain_of_mark[mark]
    return terrain

"""A board drawn as a block of text: one mark a hex, so that anyone can edit it in any editor.

Each line is a row of hexes that stand side by side, headed by its number. On a flat-top grid neighbouring
columns stand half a hex apart, so the marks of one line stand in every other column of the text:

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

from scenarios.grids import Grid
from scenarios.hexes import Hex
from scenarios.reading.findings import instead
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings

_LINES = {
    "flat": "every second column stands half a hex lower, so its hexes have lines of their own",
    "pointy": "one line a row of hexes",
}


class Spot(NamedTuple):
    """Where a hex stands in the text: its line and its place in the line."""

    line: int
    place: int


def spots(grid: Grid) -> dict[Hex, Spot]:
    """The spot of every hex of a grid."""
    if grid.orientation == "flat":
        raw = {hex: Spot(2 * hex.r + hex.q, hex.q) for hex in grid.hexes}
    else:
        raw = {hex: Spot(hex.r, 2 * hex.q + hex.r) for hex in grid.hexes}
    top = min(spot.line for spot in raw.values())
    left = min(spot.place for spot in raw.values())
    return {hex: Spot(spot.line - top, spot.place - left) for hex, spot in raw.items()}


def draw(grid: Grid, marks: Mapping[Hex, str]) -> str:
    """The block of text of a board, by the mark of each hex."""
    where = spots(grid)
    width = max(len(grid.row_name(hex)) for hex in grid.hexes)
    lines: dict[int, list[str]] = {}
    labels: dict[int, str] = {}
    for hex, spot in where.items():
        line = lines.setdefault(spot.line, [])
        line.extend(" " * (spot.place + 1 - len(line)))
        line[spot.place] = marks[hex]
        labels[spot.line] = grid.row_name(hex)
    rows = [f"{labels[i].ljust(width)} {''.join(lines[i])}" for i in sorted(lines)]
    return "\n".join([*_heading(grid, where, width), *rows]) + "\n"


def _heading(grid: Grid, where: Mapping[Hex, Spot], width: int) -> list[str]:
    """A comment line with the last character of each column's name above it (flat-top grids only)."""
    if grid.orientation != "flat":
        return []
    names = {spot.place: grid.column_name(hex)[-1] for hex, spot in where.items()}
    return ["#" + " " * width + "".join(names[place] for place in sorted(names))]


def _in_place(line: str, standing: set[int], start: int) -> str:
    """A line with a mark for each of its hexes, put where these stand; empty where nothing is to be moved."""
    marks = [mark for mark in line if mark != " "]
    places = [start + place for place in sorted(standing)]
    if len(marks) != len(places) or all(line[i : i + 1] == mark for i, mark in zip(places, marks, strict=True)):
        return ""
    moved = [" "] * (places[-1] + 1)
    for i, mark in zip(places, marks, strict=True):
        moved[i] = mark
    return "".join(moved)


def read_block(grid: Grid, node: Node, kinds: Mapping[str, str], findings: Findings) -> dict[Hex, str]:
    """The kind of terrain of each hex from a block of text; `kinds` gives the kind of each mark."""
    where = spots(grid)
    by_spot = {spot: hex for hex, spot in where.items()}
    width = max(len(grid.row_name(hex)) for hex in grid.hexes)
    lines = [(n, line) for n, line in enumerate((node.text or "").splitlines())]
    lines = [(n, line.rstrip()) for n, line in lines if line.strip() and not line.lstrip().startswith("#")]
    labels = {spot.line: grid.row_name(hex) for hex, spot in where.items()}
    if len(lines) != len(labels):
        why = _LINES[grid.orientation]
        findings.at(node, f"the drawing has {len(lines)} lines, but the grid has {len(labels)}; {why}")
        return {}
    standing: dict[int, set[int]] = {}
    for spot in by_spot:
        standing.setdefault(spot.line, set()).add(spot.place)
    terrain: dict[Hex, str] = {}
    for (n, line), row in zip(lines, sorted(labels), strict=True):
        label = line.split()[0]
        if label != labels[row]:
            findings.at(node.inside(n, 0), f"this line starts with {label!r}; write its number {labels[row]} there")
            continue
        unheaded = line.replace(label, " " * len(label), 1)
        if right := _in_place(unheaded, standing[row], width + 1):
            line = label + right[len(label) :]
            findings.at(node.inside(n, 0), f"the marks of this line don't stand where its hexes do; write {line!r}")
            continue
        marks = unheaded[width + 1 :]
        for place in sorted(standing[row] | {i for i, mark in enumerate(marks) if mark != " "}):
            mark = marks[place] if place < len(marks) else " "
            hex = by_spot.get(Spot(row, place))
            here = node.inside(n, width + 1 + place)
            if hex is None:
                findings.at(here, f"no hex stands here, but there is a mark {mark!r}; move it one place left or right")
            elif mark == " ":
                findings.at(here, f"hex {grid.name(hex)} has no mark; write one of {' '.join(kinds)}")
            elif mark not in kinds:
                findings.at(here, f"no terrain has the mark {mark!r} (hex {grid.name(hex)}); {instead(mark, kinds)}")
            else:
                terrain[hex] = kinds[mark]
    return terrain

"""Boards, blocks of text, maps put together, areas."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios import load
from scenarios.areas.resolving import Resolver
from scenarios.model.areas import Area
from scenarios.model.boards import Arrangement, Board, BoardShape, GridShape, NumberingShape, make_board
from scenarios.model.drawn_boards import draw, read_block
from scenarios.model.grids import Grid, Numbering, UnknownHex
from scenarios.model.hexes import Hex, distance
from scenarios.model.maps import HexMap, put_together
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings, reader
from scenarios.reading.yaml_tree import parse_nodes
from tests.packs import TWO_WELLS

MARKS = {"clear": ".", "woods": "w", "town": "T"}
LETTERS = Grid("flat", 33, 10, "even", "both", numbering=Numbering("letters", rows_from="bottom"))


def board(name: str, seed: int = 0) -> Board:
    """A board of The Arab-Israeli Wars' grid with random terrain and a road from end to end."""
    rng = random.Random(f"{name}{seed}")
    marks = {hex: rng.choice("....wT") for hex in LETTERS.hexes}
    road = [LETTERS.name(hex) for hex in sorted(LETTERS.hexes) if LETTERS.row_name(hex) == "5"]
    text = "\n".join(
        [
            "name: Board",
            "grid:",
            "  {columns: 33, rows: 10, halves: both, numbering: {scheme: letters, rows_from: bottom}}",
        ]
        + ["terrain: |"]
        + ["  " + line for line in draw(LETTERS, marks).splitlines()]
        + ["hexsides: {ridge: [C-3/D-3, R-1/S-1]}"]
        + [f"paths: [{{kind: road, hexes: [{', '.join(road)}]}}]"]
        + ["places: {well: {name: Well, hex: R-1}}"]
    )
    node, parse_findings = parse_nodes(text.encode(), name)
    assert node is not None and not parse_findings
    findings = Findings()
    shape = reader(BoardShape)(node, findings)
    new_board = make_board(name, shape, MARKS, {"ridge": 0}, {"road": 0}, findings)
    assert new_board is not None and not findings, findings
    return new_board


BOARDS = {name: board(name) for name in "ABCD"}


def join_boards(*rows: tuple[str, ...], north: Any = "up") -> HexMap:
    findings = Findings()
    joined_map = put_together("m", "Map", Arrangement(boards=rows, north=north), BOARDS, "clear", findings)
    assert joined_map is not None, findings
    return joined_map


grids = st.builds(
    Grid,
    st.sampled_from(["flat", "pointy"]),
    st.integers(2, 9),
    st.integers(2, 9),
    st.sampled_from(["odd", "even"]),
    st.sampled_from(["none", "sides", "ends", "both"]),
    numbering=st.builds(
        Numbering,
        st.sampled_from(["letters", "xxyy", "x.y"]),
        st.sampled_from(["column", "row"]),
        st.sampled_from(["left", "right"]),
        st.sampled_from(["top", "bottom"]),
    ),
)


@given(grids, st.randoms(use_true_random=False))
def test_a_drawn_board_and_the_model_are_the_same(grid: Grid, rng: random.Random) -> None:
    kinds_by_mark = {mark: kind for kind, mark in MARKS.items()}
    terrain = {hex: rng.choice(sorted(MARKS)) for hex in grid.hexes}
    text = draw(grid, {hex: MARKS[kind] for hex, kind in terrain.items()})
    findings = Findings()
    assert read_block(grid, Node("f", 1, 1, text=text, style="|"), kinds_by_mark, findings) == terrain
    assert not findings
    assert sum(c in ".wT" for line in text.splitlines() if not line.startswith("#") for c in line) == len(grid.hexes)


@given(grids)
def test_marks_stand_where_hexes_stand(grid: Grid) -> None:
    """Left of, above and so on in the text is the same on the table."""
    from scenarios.model.drawn_boards import spots

    def on_paper(hex: Hex) -> tuple[int, int]:
        return (hex.q, hex.q + 2 * hex.r) if grid.orientation == "flat" else (2 * hex.q + hex.r, hex.r)

    mark_spots = spots(grid)
    for a in grid.hexes[:12]:
        for b in grid.hexes:
            (ax, ay), (bx, by) = (on_paper(a), on_paper(b))
            assert (mark_spots[a].place < mark_spots[b].place) == (ax < bx)
            assert (mark_spots[a].line < mark_spots[b].line) == (ay < by)


def test_lettered_edge_to_lettered_edge() -> None:
    """The rulebook's own example: seam hex A-R-1 is also B-P-1."""
    table = join_boards(("A",), ("B turned",))
    assert table.names[table.hex("A-R-1")] == ("A-R-1", "B-P-1")
    assert table.hex("A-R-1") == table.hex("B-P-1")
    assert len(table.hexes) == 346 * 2 - 16
    assert table.on_board("A") & table.on_board("B") == {table.hex(f"A-{c}-1") for c in evens()}


def evens() -> list[str]:
    return [LETTERS.column_name(hex) for hex in sorted(LETTERS.edge("bottom"))][1::2]


def test_other_ways_to_join() -> None:
    joined_map = join_boards(("A turned",), ("B",))
    assert joined_map.names[joined_map.hex("A-R-11")] == ("A-R-11", "B-P-11")
    same_way = join_boards(("A",), ("B",))
    assert same_way.names[same_way.hex("A-R-1")] == ("A-R-1", "B-R-11")
    ends = join_boards(("A", "B"))
    assert ends.names[ends.hex("A-GG-4")] == ("A-GG-4", "B-A-4")
    ends_turned = join_boards(("A", "B turned"))
    assert ends_turned.names[ends_turned.hex("A-GG-4")] == ("A-GG-4", "B-GG-7")
    four = join_boards(("A", "B turned"), ("C", "D turned"))
    columns = {four.spot(hex)[0] for hex in four.hexes}
    assert len(columns) == 65 and len(four.hexes) == 4 * 346 - 2 * 16 - 2 * 10
    assert four.names[four.hex("A-GG-1")] == ("A-GG-1", "B-GG-10")


@pytest.mark.parametrize(
    "rows", [(("A",), ("B turned",)), (("A", "B turned"), ("C turned", "D")), (("A turned", "C"),)]
)
def test_distances_and_features_move_with_their_board(rows: tuple[tuple[str, ...], ...]) -> None:
    table = join_boards(*rows)
    for placed_board in table.placed:
        printed_board = placed_board.board
        hexes = printed_board.grid.hexes[::17]
        for a in hexes:
            assert placed_board.to_board(placed_board.to_map(a)) == a
            for b in hexes:
                assert distance(placed_board.to_map(a), placed_board.to_map(b)) == distance(a, b)
        for path in printed_board.paths:
            assert any(p.hexes == tuple(map(placed_board.to_map, path.hexes)) for p in table.paths)
    assert sum(len(side_kinds) for side_kinds in table.hexsides.values()) == 2 * len(table.placed)
    for hex, names in table.names.items():
        terrain_kinds = {p.board.terrain[local] for p in table.placed if (local := p.to_board(hex)) is not None}
        assert table.terrain[hex] in terrain_kinds
        if len(terrain_kinds - {"clear"}) == 1:
            assert {table.terrain[hex]} == terrain_kinds - {"clear"}
        assert all(table.hex(name) == hex for name in names)


def test_roads_meet_across_a_seam() -> None:
    table = join_boards(("A", "B"))
    ends = [path.hexes[-1] for path in table.paths] + [path.hexes[0] for path in table.paths]
    assert table.hex("A-GG-5") in ends and ends.count(table.hex("A-GG-5")) == 2


def test_names_on_one_board_and_wrong_names() -> None:
    single = join_boards(("A",))
    assert single.hex("R-2") == single.hex("A-R-2") == single.hex("a-r-2")
    two = join_boards(("A",), ("B",))
    with pytest.raises(UnknownHex, match="names no board"):
        two.hex("C-R-2")
    with pytest.raises(UnknownHex) as error_info:
        two.hex("A-A-11")
    assert error_info.value.suggestions[0] == "A-A-10"


@pytest.mark.parametrize(("north", "edges"), [("up", "NESW"), ("right", "WNES"), ("down", "SWNE"), ("left", "ESWN")])
def test_edges_face_the_compass(north: str, edges: str) -> None:
    """`edges` says which compass point the top, right, bottom and left edge of the table face."""
    table = join_boards(("A",), ("B turned",), north=north)
    compass = {"N": "north", "E": "east", "S": "south", "W": "west"}
    top, right, bottom, left = (table.edge(compass[e]) for e in edges)  # type: ignore[arg-type]
    assert {table.name(h) for h in top} >= {"A-A-10", "A-B-11", "A-GG-10"} and len(top) == 33
    assert {table.name(h) for h in left} == {f"A-A-{n}" for n in range(1, 11)} | {f"B-GG-{n}" for n in range(1, 11)}
    assert {table.name(h) for h in bottom} >= {"B-GG-10", "B-B-11"} and len(bottom) == 33
    assert {table.name(h) for h in right} == {f"A-GG-{n}" for n in range(1, 11)} | {f"B-A-{n}" for n in range(1, 11)}


def places(table: HexMap, text: str) -> set[str]:
    node, _ = parse_nodes(text.encode(), "f")
    assert node is not None
    findings = Findings()
    area: Area = reader(Area)(node, findings)
    place_names = {table.name(h) for h in Resolver(table, {}, findings).places(area) if isinstance(h, Hex)}
    assert not findings, findings
    return place_names


def test_areas() -> None:
    table = join_boards(("A",), ("B turned",))
    assert places(table, "{hex: B-P-1}") == {"A-R-1"}
    assert places(table, "{hexes: [A-R-1, A-R-2]}") == {"A-R-1", "A-R-2"}
    assert len(places(table, "{board: B}")) == 346
    assert places(table, "{board: A, rows: [R]}") == {f"A-R-{n}" for n in range(1, 12)}
    west = places(table, "{board: A, beyond: {row: C, toward: west}}")
    assert west == {f"A-A-{n}" for n in range(1, 11)} | {f"A-B-{n}" for n in range(1, 12)}
    east = places(table, "{board: B, beyond: {row: C, toward: east}}")
    assert {name.split("-")[1] for name in east if name.startswith("B")} <= {"A", "B"}
    assert places(table, "{hex: A-R-5, within: {distance: 2, of: A-R-7}}") == {"A-R-5"}
    ring = places(table, "{adjacent: {hex: A-R-5}}")
    assert len(ring) == 6 and "A-R-5" not in ring
    assert len(places(table, "{within: {distance: 2, of: A-R-6}}")) == 19
    far_names = places(table, "{at_least: {distance: 3, of: {edge: north}}, board: A}")
    assert "A-C-8" not in far_names and "A-C-7" in far_names
    assert len(places(table, "{any: [{hex: A-R-1}, {hex: A-R-3}], except: {hex: A-R-3}}")) == 1
    assert places(table, "{terrain: [town], board: A}") <= {
        table.name(h) for h, k in table.terrain.items() if k == "town"
    }
    assert "A-E-5" in places(table, "{path: road}")
    assert places(table, "{edge: south, board: A}") >= {"A-B-1"}
    beyond_names = places(table, "{beyond: {of: {hexes: [A-R-5, A-S-5]}, toward: north}}")
    assert {"A-R-6", "A-S-6"} <= beyond_names and "A-R-5" not in beyond_names and "A-E-9" not in beyond_names


def test_an_area_by_brute_force() -> None:
    table = join_boards(("A", "C turned"))
    core = {h for h in table.hexes if table.terrain[h] == "town"}
    slow = {table.name(h) for h in table.hexes if min(distance(h, c) for c in core) == 2}
    assert (
        places(table, "{at_least: {distance: 2, of: {terrain: [town]}}, within: {distance: 2, of: {terrain: [town]}}}")
        == slow
    )


def test_boards_that_cannot_join() -> None:
    def bad(*rows: tuple[str, ...]) -> str:
        node, _ = parse_nodes(f"boards: {[list(r) for r in rows]!r}".encode(), "f")
        assert node is not None
        findings = Findings()
        arrangement = reader(Arrangement)(node, findings)
        assert put_together("m", "Map", arrangement, {**BOARDS, "E": small()}, "clear", findings) is None
        return str(findings[0])

    assert "twice" in bad(("A", "A"))
    assert "another grid" in bad(("A", "E"))
    assert "as long as the first" in bad(("A", "B"), ("C",))
    assert "there is no board 'Z'" in bad(("Z",))


def small() -> Board:
    return load(TWO_WELLS).boards["desert"]


def test_a_map_without_half_hexes_stands_alone() -> None:
    game = load(TWO_WELLS)
    table = game.maps["main"]
    assert isinstance(table, HexMap)
    assert table.name(table.hex("0101")) == "0101"
    assert {table.name(h) for h in table.edge("south")} == {"0103", "0203", "0303", "0403"}
    assert Path(game.folder).name == "two_wells"


def test_shapes_can_be_built_in_code() -> None:
    shape = GridShape(columns=2, rows=2, numbering=NumberingShape(scheme="xxyy"))
    assert shape.rows == 2 and shape.node is None and Fraction(1) == 1

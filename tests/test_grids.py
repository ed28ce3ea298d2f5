import pickle
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.model.grids import Edge, Grid, Numbering, UnknownHex
from scenarios.model.hexes import Hex, centre, disk, distance, hexside, neighbours, sides
from tests.test_hexes import plane

FROM_BELOW = Numbering("letters", rows_from="bottom")
AIW = Grid("flat", columns=33, rows=10, pushed="even", halves="both", numbering=FROM_BELOW)
FOUR_DIGITS = Grid("flat", columns=22, rows=33, pushed="odd", numbering=Numbering("xxyy"))
DOTTED_GRID = Grid("flat", columns=12, rows=30, pushed="even", numbering=Numbering("x.y"))
OPPOSITE: dict[Edge, Edge] = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}

numberings = st.builds(
    Numbering,
    scheme=st.sampled_from(["letters", "xxyy", "x.y"]),
    first=st.sampled_from(["column", "row"]),
    columns_from=st.sampled_from(["left", "right"]),
    rows_from=st.sampled_from(["top", "bottom"]),
    start=st.tuples(st.integers(0, 20), st.integers(0, 20)),
    digits=st.sampled_from([2, 3]),
)
grids = st.builds(
    Grid,
    orientation=st.sampled_from(["flat", "pointy"]),
    columns=st.integers(2, 9),
    rows=st.integers(2, 9),
    pushed=st.sampled_from(["odd", "even"]),
    halves=st.sampled_from(["none", "sides", "ends", "both"]),
    numbering=numberings,
)
quick = settings(max_examples=20, deadline=None)


def draw_grid(grid: Grid) -> dict[tuple[int, int], tuple[Fraction, Fraction]]:
    """Where each column and row lies on paper, from the words of the grid alone, in the units of `plane`."""
    flat = grid.orientation == "flat"
    lanes, length = (grid.columns, grid.rows) if flat else (grid.rows, grid.columns)
    cut = grid.halves in ("sides", "both")
    paper_places = {}
    for lane in range(1, lanes + 1):
        is_pushed = (lane % 2 == 1) == (grid.pushed == "odd")
        shift = Fraction(0) if not is_pushed else Fraction(-1, 2) if cut else Fraction(1, 2)
        for k in range(length + (1 if is_pushed and cut else 0)):
            lane_offset, along_lane = Fraction(3, 2) * lane, k + shift
            paper_places[(lane - 1, k) if flat else (k, lane - 1)] = (
                (lane_offset, along_lane) if flat else (along_lane, lane_offset)
            )
    return paper_places


def suggestions(ask: Callable[[str], Any], text: str) -> tuple[str, ...]:
    with pytest.raises(UnknownHex) as error_info:
        ask(text)
    assert repr(text) in str(error_info.value)
    assert all(name in str(error_info.value) for name in error_info.value.suggestions)
    return error_info.value.suggestions


# The board


@quick
@given(grids)
def test_the_board_is_the_one_drawn_on_paper(grid: Grid) -> None:
    paper = draw_grid(grid)
    places = {hex: (grid.column(hex), grid.row(hex)) for hex in grid.hexes}
    assert sorted(places.values()) == sorted(paper)
    x, y = paper[places[Hex(0, 0)]]
    for hex, place in places.items():
        right, y_offset = plane(grid.orientation, *centre(hex))
        assert (x + right, y + y_offset) == paper[place]


@quick
@given(grids)
def test_neighbours_are_the_hexes_next_to_each_other_on_paper(grid: Grid) -> None:
    paper = draw_grid(grid)
    x_weight, y_weight = (1, 3) if grid.orientation == "flat" else (3, 1)
    for a in grid.hexes:
        ax, ay = paper[grid.column(a), grid.row(a)]
        adjacent_hexes = set()
        for b in grid.hexes:
            bx, by = paper[grid.column(b), grid.row(b)]
            if x_weight * (bx - ax) ** 2 + y_weight * (by - ay) ** 2 == 3:
                adjacent_hexes.add(b)
        assert adjacent_hexes == {b for b in neighbours(a) if b in grid}


@quick
@given(grids)
def test_hexes_come_in_reading_order(grid: Grid) -> None:
    places = [(grid.row(hex), grid.column(hex)) for hex in grid.hexes]
    assert places == sorted(set(places))
    assert set(grid.hexes) == {hex for hex in disk(Hex(0, 0), 25) if hex in grid}


@quick
@given(grids)
def test_edges_and_half_hexes(grid: Grid) -> None:
    paper = draw_grid(grid)
    flat = grid.orientation == "flat"
    (left, *_, right), (top, *_, bottom) = (sorted(values) for values in zip(*paper.values(), strict=True))
    extremes: dict[Edge, Callable[[Fraction, Fraction], bool]] = {
        "left": lambda x, _: x == left,
        "right": lambda x, _: x == right,
        "top": lambda _, y: y == top,
        "bottom": lambda _, y: y == bottom,
    }
    for edge, extreme in extremes.items():
        lying = grid.edge(edge)
        outermost = {hex for hex in grid.hexes if extreme(*paper[grid.column(hex), grid.row(hex)])}
        is_end = edge in (("left", "right") if flat else ("top", "bottom"))
        assert outermost <= set(lying)
        cut = grid.halves in (("ends", "both") if is_end else ("sides", "both"))
        assert {hex for hex in grid.hexes if edge in grid.cut_edges(hex)} == (outermost if cut else set())
        if is_end:
            assert outermost == set(lying)
            assert list(lying) == sorted(lying)
        else:
            assert len(lying) == (grid.columns if flat else grid.rows)
            assert all(distance(a, b) == 1 for a, b in pairwise(lying))


def test_hexes_off_the_board_are_refused() -> None:
    assert Hex(0, 10) not in AIW
    assert "A-1" not in AIW
    for ask in (AIW.name, AIW.column, AIW.row, AIW.column_name, AIW.row_name, AIW.rotate_hex, AIW.cut_edges):
        with pytest.raises(ValueError, match=r"hex \(0, 10\) is not on this board"):
            ask(Hex(0, 10))


def test_impossible_grids_are_refused() -> None:
    with pytest.raises(ValueError, match="0 columns"):
        Grid("flat", 0, 3, "odd", numbering=Numbering("xxyy"))
    with pytest.raises(ValueError, match="100 needs more than 2 digits"):
        Grid("flat", 3, 100, "odd", numbering=Numbering("xxyy"))
    with pytest.raises(ValueError, match="single column or row"):
        Grid("pointy", 3, 1, "odd", "ends", numbering=Numbering("xxyy"))
    with pytest.raises(ValueError, match="cannot start at -1"):
        Grid("flat", 3, 3, "odd", numbering=Numbering("xxyy", start=(0, -1)))


# Turning


@quick
@given(grids)
def test_turning_twice_changes_nothing(grid: Grid) -> None:
    lanes = grid.columns if grid.orientation == "flat" else grid.rows
    if lanes % 2 == (1 if grid.halves in ("sides", "both") else 0):
        for hex in grid.hexes:
            turned_hex = grid.rotate_hex(hex)
            assert grid.rotate_hex(turned_hex) == hex
            assert grid.cut_edges(turned_hex) == {OPPOSITE[edge] for edge in grid.cut_edges(hex)}
        for edge, opposite in OPPOSITE.items():
            assert {grid.rotate_hex(hex) for hex in grid.edge(edge)} == set(grid.edge(opposite))
    else:
        with pytest.raises(ValueError, match="does not cover itself"):
            grid.rotate_hex(Hex(0, 0))


def test_the_arab_israeli_wars_board() -> None:
    assert len(AIW.hexes) == 346
    assert [len(AIW.in_column(name)) for name in ("A", "b", "Z", "AA", "GG")] == [10, 11, 11, 10, 10]
    assert AIW.name(AIW.rotate_hex(AIW.hex("R-1"))) == "P-11"
    assert AIW.name(AIW.rotate_hex(AIW.hex("A-1"))) == "GG-10"
    assert AIW.name(AIW.edge("top")[0]) == "A-10"
    assert AIW.cut_edges(AIW.hex("B-1")) == {"bottom"}
    assert AIW.cut_edges(AIW.hex("B-11")) == {"top"}
    assert AIW.cut_edges(AIW.hex("GG-4")) == {"right"}
    assert AIW.cut_edges(AIW.hex("C-1")) == frozenset()


def test_two_boards_share_the_half_hexes_where_they_touch() -> None:
    # The second board is turned about its centre and then moved down by the height of a board, ten hexes.
    upper = {hex: AIW.name(hex) for hex in AIW.hexes}
    lower = {AIW.rotate_hex(hex).plus(Hex(0, 10)): AIW.name(hex) for hex in AIW.hexes}
    shared_names = {upper[hex]: lower[hex] for hex in upper.keys() & lower.keys()}
    assert shared_names["R-1"] == "P-1"
    assert shared_names["B-1"] == "FF-1"
    assert len(shared_names) == 16
    assert all(AIW.cut_edges(AIW.hex(name)) == {"bottom"} for name in [*shared_names, *shared_names.values()])
    # Whole hexes touch across the seam.
    assert lower[AIW.hex("A-1").plus(Hex(0, 1))] == "GG-1"


# Names of hexes


@quick
@given(grids)
def test_names_are_read_back(grid: Grid) -> None:
    names = [grid.name(hex) for hex in grid.hexes]
    assert len(set(names)) == len(names)
    for hex, name in zip(grid.hexes, names, strict=True):
        assert grid.hex(name) == grid.hex(f" {name} ") == hex
        assert hex in grid.in_column(grid.column_name(hex))
        column, row = grid.column_name(hex), grid.row_name(hex)
        row_first = grid.numbering.first == "row" and grid.numbering.scheme != "letters"
        assert [part for part in name.split("-" if "-" in name else ".") if part] == (
            [name] if grid.numbering.scheme == "xxyy" else [row, column] if row_first else [column, row]
        )
        if grid.numbering.scheme == "letters":
            assert grid.hex(name.lower().replace("-", "")) == hex


@quick
@given(grids)
def test_numbers_count_from_their_edges(grid: Grid) -> None:
    numbering = grid.numbering
    if numbering.scheme == "letters":
        assert {grid.column_name(hex) for hex in grid.edge(numbering.columns_from)} == {"A"}
    else:
        columns = {int(grid.column_name(hex)) for hex in grid.edge(numbering.columns_from)}
        assert columns == {numbering.start[0]}
    assert {int(grid.row_name(hex)) for hex in grid.edge(numbering.rows_from)} == {numbering.start[1]}


def test_names_as_printed() -> None:
    assert AIW.name(AIW.hex("r2")) == AIW.name(AIW.hex("r-2")) == "R-2"
    assert AIW.name(AIW.hex("gG10")) == "GG-10"
    assert (AIW.column_name(AIW.hex("r2")), AIW.row_name(AIW.hex("r2"))) == ("R", "2")
    assert [AIW.name(hex) for hex in AIW.edge("bottom")][24:28] == ["Y-1", "Z-1", "AA-1", "BB-1"]
    assert FOUR_DIGITS.name(FOUR_DIGITS.hexes[0]) == "0101"
    assert FOUR_DIGITS.name(FOUR_DIGITS.hexes[-1]) == "2233"
    assert [DOTTED_GRID.name(hex) for hex in DOTTED_GRID.in_column("9")][2:10:7] == ["9.03", "9.10"]
    by_row = Grid("pointy", 4, 3, "even", numbering=Numbering("xxyy", first="row", start=(0, 7)))
    assert [by_row.name(hex) for hex in by_row.edge("top")] == ["0700", "0701", "0702", "0703"]
    broad_grid = Grid("flat", 60, 1, "even", numbering=Numbering("letters"))
    assert [broad_grid.name(hex) for hex in broad_grid.hexes][25:54:26] == ["Z-1", "ZZ-1"]
    assert broad_grid.name(broad_grid.hexes[52]) == "AAA-1"


@pytest.mark.parametrize(
    ("grid", "text", "nearest"),
    [
        (AIW, "GG-11", ("GG-10", "GG-1")),
        (AIW, "A-11", ("A-10", "A-1", "B-11")),
        (AIW, "A-0", ("A-1", "A-2", "A-3")),
        (AIW, "HH-3", ("GG-3", "H-3")),
        (AIW, "0-7", ("O-7",)),
        (AIW, "17", ("I-7",)),
        (AIW, "A-1O", ("A-10",)),
        (AIW, "R-02", ("R-2",)),
        (AIW, "AB-3", ("A-3", "AA-3", "B-3")),
        (AIW, "Q", ("Q-1", "Q-2", "Q-3")),
        (AIW, "nowhere", ()),
        (AIW, "", ()),
        (AIW, "9" * 9999, ()),
        (DOTTED_GRID, "4.1", ("4.01", "4.10")),
        (DOTTED_GRID, "04.10", ("4.10",)),
        (DOTTED_GRID, "4,18", ("4.18",)),
        (DOTTED_GRID, "410", ("4.10",)),
        (FOUR_DIGITS, "101", ("0101", "1001")),
        (FOUR_DIGITS, "1.1", ("0101",)),
        (FOUR_DIGITS, "O1l2", ("0112",)),
    ],
)
def test_wrong_names_and_the_nearest_right_ones(grid: Grid, text: str, nearest: tuple[str, ...]) -> None:
    assert suggestions(grid.hex, text) == nearest


def test_numbers_past_the_edge_mean_the_edge() -> None:
    assert suggestions(DOTTED_GRID.hex, "4.31")[0] == "4.30"
    assert suggestions(FOUR_DIGITS.hex, "2308")[0] == "2208"
    assert suggestions(FOUR_DIGITS.hex, "2236")[0] == "2233"
    pointy = Grid("pointy", 9, 9, "even", "sides", numbering=Numbering("xxyy"))
    assert suggestions(pointy.hex, "1001")[0] == "0901"
    assert pointy.name(pointy.hex("1002")) == "1002"


@quick
@given(grids, st.text("0123459ABOIlz-./: ²é", max_size=8))
def test_any_text_is_a_hex_or_gets_names_that_are(grid: Grid, text: str) -> None:
    for ask in (grid.hex, grid.in_column):
        try:
            ask(text)
        except UnknownHex as error:
            assert len(set(error.suggestions)) == len(error.suggestions) <= 3
            for name in error.suggestions:
                ask(name)


def test_wrong_columns() -> None:
    assert suggestions(AIW.in_column, "HH") == ("GG", "H")
    assert suggestions(AIW.in_column, "0") == ("O",)
    assert suggestions(FOUR_DIGITS.in_column, "3") == ("03",)
    assert suggestions(FOUR_DIGITS.in_column, "24")[0] == "22"
    with pytest.raises(UnknownHex, match=r"no column '\?\?' on this board; they run from A to GG"):
        AIW.in_column("??")


def test_the_complaint_is_a_sentence() -> None:
    with pytest.raises(UnknownHex) as error_info:
        AIW.hex("A-11")
    assert str(error_info.value) == "there is no hex 'A-11' on this board; did you mean A-10, A-1 or B-11?"
    copy = pickle.loads(pickle.dumps(error_info.value))
    assert (str(copy), copy.suggestions) == (str(error_info.value), error_info.value.suggestions)
    with pytest.raises(UnknownHex, match="'nowhere' on this board; they run from A-1 to GG-10"):
        AIW.hex("nowhere")


# Names of hexsides and corners


@quick
@given(grids)
def test_hexsides_are_read_back(grid: Grid) -> None:
    names = {side: grid.side_name(side) for hex in grid.hexes for side in sides(hex)}
    assert len(set(names.values())) == len(names)
    for side, name in names.items():
        assert grid.side(name) == side
        assert ("/" in name) == (side.a in grid and side.b in grid)
        if "/" in name:
            first_name, two = name.split("/")
            assert (grid.hex(first_name), grid.hex(two)) == tuple(side)
            assert grid.side(f"{two} / {first_name}") == side


def test_hexsides_as_written() -> None:
    side = AIW.side("c3/D-3")
    assert side == hexside(AIW.hex("C-3"), AIW.hex("D-3")) == AIW.side("D-3/C-3") == AIW.side("C-3:SE")
    assert AIW.side_name(side) == "C-3/D-3"
    assert AIW.side_name(AIW.side("B-11:n")) == "B-11:n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("A-1/C-3", "A-1 and C-3 share no hexside; A-1 touches A-2, B-2 and B-1"),
        ("A-1", "'A-1' is not a hexside; write two hexes with / between them"),
        ("A-1:e", "no direction 'e'"),
        ("A-1/A-11", "no hex 'A-11'"),
        ("A-11:n", "no hex 'A-11'"),
    ],
)
def test_wrong_hexsides(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        AIW.side(text)


def test_a_hexside_off_the_board() -> None:
    with pytest.raises(ValueError, match="is not on this board"):
        AIW.side_name(sides(Hex(500, 500))[0])

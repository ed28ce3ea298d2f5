"""The four boards of The Arab-Israeli Wars: every fact that the rulebook states, and how they join."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from scenarios.model.boards import Arrangement, Board
from scenarios.model.hexes import Hex, distance, hexside, neighbours, sides
from scenarios.model.maps import HexMap, put_together
from scenarios.pack.loading import read_game
from scenarios.pack.pack_folder import find_pack
from scenarios.reading.shapes import Findings

GAME, FINDINGS = read_game(find_pack("arab_israeli_wars"), [], False)
assert GAME is not None
BOARDS = GAME.boards
A, B, C, D = (BOARDS[board_id] for board_id in "ABCD")
COLUMNS = tuple(A.grid.column_name(hex) for hex in A.grid.edge("top"))
SIDE_EXITS = ("J", "X")
END_EXITS = (3, 8)

each_board = pytest.mark.parametrize("board", [A, B, C, D], ids="ABCD")


def of_kind(board: Board, kind: str) -> set[str]:
    return {board.grid.name(hex) for hex, terrain in board.terrain.items() if terrain == kind}


def hexsides(board: Board, kind: str) -> set[str]:
    return {board.grid.side_name(side) for side, features in board.hexsides.items() if kind in features}


def share(board: Board, kind: str) -> float:
    return 100 * len(of_kind(board, kind)) / len(board.grid.hexes)


def arms(board: Board | HexMap, hex: Hex) -> int:
    """How many sides of a hex a road crosses."""
    return sum("road" in board.path_sides.get(side, ()) for side in sides(hex))


def junctions(board: Board) -> set[str]:
    """Clear hexes with three sides crossed by roads (Situation A-4)."""
    clear = [hex for hex, kind in board.terrain.items() if kind == "clear"]
    return {board.grid.name(hex) for hex in clear if arms(board, hex) >= 3}


def road_hexes(board: Board) -> set[Hex]:
    return {hex for path in board.paths for hex in path.hexes}


def road_lengths(board: Board, start: Hex) -> dict[Hex, int]:
    """How far along roads every hex is that roads reach."""
    distances = {start: 0}
    for hex in (queue := [start]):
        for neighbour in neighbours(hex):
            if neighbour not in distances and "road" in board.path_sides.get(hexside(hex, neighbour), ()):
                distances[neighbour] = distances[hex] + 1
                queue.append(neighbour)
    return distances


def join_boards(rows: tuple[tuple[str, ...], ...]) -> HexMap:
    findings = Findings()
    arrangement = Arrangement(boards=rows, north="up")
    hex_map = put_together("joined", "Joined", arrangement, BOARDS, "clear", findings)
    assert hex_map is not None and not findings
    return hex_map


def pairs(ends: bool) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Every way to join two boards by their ends, or by their long sides."""
    ids = "BCD" if ends else "ABCD"
    for first_id in ids:
        for two in ids.replace(first_id, ""):
            for turn in ("", " turned"):
                for other_turn in ("", " turned"):
                    cells = first_id + turn, two + other_turn
                    yield (cells,) if ends else ((cells[0],), (cells[1],))


SEAMS = [*pairs(ends=False), *pairs(ends=True)]


def test_the_board_files_are_sound() -> None:
    assert [str(finding) for finding in FINDINGS if Path(finding.path).parent.name == "boards"] == []


# Basic III.A: the hexes of every board


@each_board
def test_columns_and_numbers(board: Board) -> None:
    """Basic III.A.1-2: 33 lettered columns, numbered from the lettered edge, half-hexes included."""
    numbers = [len(board.grid.in_column(column)) for column in COLUMNS]
    assert (COLUMNS[0], COLUMNS[25], COLUMNS[26], COLUMNS[-1]) == ("A", "Z", "AA", "GG")
    assert numbers == [10 + column % 2 for column in range(33)]
    assert len(of_kind(board, "clear")) >= 200, "room to move on every board"


def test_a_seam_hex_has_two_names() -> None:
    """Basic III.A.2: lettered edge to lettered edge, A-R-1 is B-P-1."""
    hex_map = join_boards((("A",), ("B turned",)))
    assert hex_map.hex("A-R-1") == hex_map.hex("B-P-1")


# Board A


def test_canal() -> None:
    """Advanced IV: H-4 is canal, H-3 and H-5 lead to it; a way in has its canal hex's own letter."""
    assert of_kind(A, "suez_canal") == {f"{column}-4" for column in COLUMNS}
    banks = {
        A.grid.name(neighbour)
        for hex, kind in A.terrain.items()
        if kind == "suez_canal"
        for neighbour in neighbours(hex)
        if neighbour in A.grid and A.terrain[neighbour] != "suez_canal"
    }
    assert banks == {f"{column}-{number}" for column in COLUMNS for number in (3, 5)}
    assert {A.grid.name(hex) for hex in A.zones["lettered_bank"] | A.zones["far_bank"]} == banks
    assert {A.grid.name(hex) for hex in A.zones["canal"]} == of_kind(A, "suez_canal")


def test_moraines() -> None:
    """Standard VI.B.1: all hexsides between canal and bank, and no others; board A has no ridge."""
    expected_sides = {
        A.grid.side_name(side)
        for hex in A.grid.hexes
        for side in sides(hex)
        if side.a in A.grid
        and side.b in A.grid
        and (A.terrain[side.a] == "suez_canal") != (A.terrain[side.b] == "suez_canal")
    }
    assert hexsides(A, "moraine") == expected_sides
    assert hexsides(A, "ridge") == set()
    assert all(not hexsides(board, "moraine") and not of_kind(board, "suez_canal") for board in (B, C, D))


def test_towns_of_a() -> None:
    """Basic III.A.1: R-2 and S-1, no more."""
    assert of_kind(A, "town") == {"R-2", "S-1"}


def test_no_road_in_the_canal() -> None:
    """Standard VI.A: an empty canal hex holds nobody, so no road runs there."""
    assert all(A.terrain[hex] != "suez_canal" for hex in road_hexes(A))


def test_the_towns_lie_west_of_the_canal() -> None:
    """S-9, S-13, A-5, A-6: board B lies east of A, room for six hexes from the canal on that side."""
    assert all(int(name.split("-")[1]) < 4 for name in of_kind(A, "town") | of_kind(A, "woods"))
    assert all(int(A.grid.row_name(hex)) > 4 for hex, kind in A.terrain.items() if kind == "slope")


# Board B


def test_junctions_of_b() -> None:
    """Situation A-4: CC-3 and D-5 are junctions, BB-4 is none (a road runs through it)."""
    assert junctions(B) == {"CC-3", "D-5"}
    assert arms(B, B.grid.hex("BB-4")) == 2


def test_b_is_desert_with_roads() -> None:
    """Basic III.A."""
    assert of_kind(B, "town") == set()
    assert share(B, "clear") > 85
    assert 5 <= share(B, "slope") <= 12
    assert len(hexsides(B, "sand_dune")) > len(hexsides(B, "ridge")) > 0


# Board C


def test_hexes_for_the_fort() -> None:
    """Situation B-2 with the neutral counters chart: a fort may stand anywhere but in a town."""
    fort_hexes = {"O-7", "O-8", "N-9", "M-9", "L-8", "L-9"}
    assert {C.grid.name(hex) for hex in C.zones["settlement_fort"]} == fort_hexes
    assert not fort_hexes & of_kind(C, "town")
    towns = [C.grid.hex(name) for name in of_kind(C, "town")]
    for name in fort_hexes:
        assert min(distance(C.grid.hex(name), town) for town in towns) == 1


def test_c_has_towns_and_orchards() -> None:
    """Basic III.A; S-3 and S-12 pay for each town hex, so there are several, on both halves of the board."""
    towns = of_kind(C, "town")
    assert 6 <= len(towns) <= 14
    columns = [C.grid.column(C.grid.hex(name)) for name in towns]
    assert min(columns) < 12 < 16 < max(columns)
    assert 12 <= share(C, "woods") <= 22
    assert 8 <= share(C, "slope") <= 15


# Board D


def test_one_town_on_d() -> None:
    """Situation S-1: defenders next to the one town hex, and room for raiders over 4 hexes from them."""
    (name,) = of_kind(D, "town")
    town = D.grid.hex(name)
    ring = neighbours(town)
    assert all(hex in D.grid for hex in ring)
    free = [hex for hex in D.grid.hexes if min(distance(hex, neighbour) for neighbour in ring) > 4]
    for far_hexes in (
        [hex for hex in free if D.grid.column(hex) > D.grid.column(town)],
        [hex for hex in free if D.grid.column(hex) < D.grid.column(town)],
        [hex for hex in free if 2 * hex.r + hex.q > 2 * town.r + town.q],
        [hex for hex in free if 2 * hex.r + hex.q < 2 * town.r + town.q],
    ):
        assert len(far_hexes) >= 30


def test_d_is_rough() -> None:
    """Basic III.A; S-11 needs clear ground for trenches (neutral counters chart)."""
    assert 25 <= share(D, "slope") <= 35
    assert share(D, "woods") < 4
    assert len(hexsides(D, "crest")) > 80
    assert len(hexsides(D, "ridge")) > 30


@pytest.mark.parametrize("east", ["left", "right"])
def test_ambush_on_d(east: str) -> None:
    """Situation B-3: two road hexes on the east edge, nine road hexes from each, and on to the west edge."""
    edges = {"left": D.grid.edge("left"), "right": D.grid.edge("right")}
    first = set(edges.pop(east))
    (last,) = edges.values()
    starts = first & road_hexes(D)
    assert len(starts) == 2
    for start in starts:
        distances = road_lengths(D, start)
        assert any(hex in distances for hex in last)
        column = [hex for hex in distances if distances[hex] < 9]
        assert len(column) == 9, "one unbroken road, without a fork among its first nine hexes"
        assert starts & set(column) == {start}


# What holds for every board


@each_board
def test_crests_touch_slopes(board: Board) -> None:
    """Basic VII.A.4: crests are the highest part of slope hexes."""
    for side, features in board.hexsides.items():
        if "crest" in features:
            assert "slope" in (board.terrain[side.a], board.terrain[side.b]), board.grid.side_name(side)


@each_board
def test_hexsides_lie_on_the_board(board: Board) -> None:
    """One kind each; none off the board, none cut in half by the end of a board (but the canal's)."""
    ends = {*board.grid.edge("left"), *board.grid.edge("right")}
    for side, features in board.hexsides.items():
        assert len(features) == 1
        assert side.a in board.grid and side.b in board.grid
        assert features == {"moraine"} or not {side.a, side.b} <= ends


@each_board
def test_roads_lead_somewhere(board: Board) -> None:
    """Each end of a road is on the edge, in a town, on another road or, on A, at the bank of the canal."""
    edges = {hex for edge in ("left", "right", "top", "bottom") for hex in board.grid.edge(edge)}
    crossings = Counter(side for path in board.paths for side in path.crossings)
    assert max(crossings.values()) == 1, "no stretch of road is drawn twice"
    for path in board.paths:
        for end in (path.hexes[0], path.hexes[-1]):
            other_hexes = {hex for other_path in board.paths if other_path is not path for hex in other_path.hexes}
            at_bank = any(board.terrain.get(neighbour) == "suez_canal" for neighbour in neighbours(end))
            is_connected = end in edges | other_hexes or board.terrain[end] == "town" or at_bank
            assert is_connected, (path.name, board.grid.name(end))
        for start_hex, two in pairwise(path.hexes):
            assert distance(start_hex, two) == 1


@each_board
def test_roads_leave_at_the_same_places(board: Board) -> None:
    """Our own rule, that roads meet: J and X on the long sides, 3 and 8 on the ends (2 and 8 on A)."""
    roads = {board.grid.name(hex) for hex in road_hexes(board) if board.grid.cut_edges(hex)}
    long_sides = {f"{column}-{number}" for column in SIDE_EXITS for number in (1, 11)}
    numbers = (2, 8) if board.id == "A" else END_EXITS
    assert roads == long_sides | {f"{column}-{number}" for column in ("A", "GG") for number in numbers}


# Basic III.A: any side to any side, any end to any end (A by its sides only)


def turned_and_beside(rows: tuple[tuple[str, ...], ...]) -> str:
    return " over ".join(" beside ".join(row) for row in rows)


@pytest.mark.parametrize("rows", SEAMS, ids=turned_and_beside)
def test_seams_agree(rows: tuple[tuple[str, ...], ...]) -> None:
    hex_map = join_boards(rows)
    first_board, two = hex_map.placed
    seam = [hex for hex in hex_map.hexes if len(hex_map.names[hex]) == 2]
    assert len(seam) == (10 if len(rows) == 1 else 16)
    for hex in seam:
        locals_ = [(placement.board, placement.to_board(hex)) for placement in (first_board, two)]
        halves = {board.terrain[local] for board, local in locals_ if local is not None}
        assert len(halves - {"clear"}) <= 1, hex_map.names[hex]
    assert all(len(features) == 1 for features in hex_map.hexsides.values())


@pytest.mark.parametrize("rows", SEAMS, ids=turned_and_beside)
def test_roads_cross_seams(rows: tuple[tuple[str, ...], ...]) -> None:
    hex_map = join_boards(rows)
    crossing = [hex for hex in hex_map.hexes if len(hex_map.names[hex]) == 2 and arms(hex_map, hex)]
    assert len(crossing) == 2
    for hex in crossing:
        roads = [path for path in hex_map.paths if hex in path.hexes]
        assert len(roads) == 2 and all(hex in (path.hexes[0], path.hexes[-1]) for path in roads)
        assert arms(hex_map, hex) == 2

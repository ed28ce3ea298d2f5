from fractions import Fraction
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.model.hexes import Corner, Hex, Hexside, disk, distance, ends, hexes_at
from scenarios.model.lines import Line, line

quick = settings(max_examples=25, deadline=None)
coordinates = st.integers(-30, 30)
hexes = st.builds(Hex, coordinates, coordinates)

# A point lies inside hex (0, 0) when each of these sums of its coordinates lies between -1 and 1.
BOUNDS = ((1, -1), (2, 1), (1, 2))


def inside(step: Hex, hex: Hex) -> tuple[Fraction, Fraction]:
    """From where to where the line from (0, 0) lies inside a hex, as parts of its length."""
    start, stop = Fraction(0), Fraction(1)
    for u, v in BOUNDS:
        speed, offset = u * step.q + v * step.r, u * hex.q + v * hex.r
        if speed:
            low, high = sorted((Fraction(offset - 1, speed), Fraction(offset + 1, speed)))
            start, stop = max(start, low), min(stop, high)
        elif abs(offset) >= 1:
            return Fraction(1), Fraction(0)
    return start, stop


# The points, in thirds, where two of the bounds are reached and none is passed.
CORNER_OFFSETS = [
    (x, y) for x in range(-2, 3) for y in range(-2, 3) if sorted(abs(u * x + v * y) for u, v in BOUNDS) == [0, 3, 3]
]


def corners_of(hex: Hex) -> list[Corner]:
    return [Corner(3 * hex.q + x, 3 * hex.r + y) for x, y in CORNER_OFFSETS]


def part(step: Hex, x: int, y: int) -> Fraction:
    """How far along the line a point given in thirds lies, if it lies on it."""
    return Fraction(x, 3 * step.q) if step.q else Fraction(y, 3 * step.r)


def oracle(step: Hex) -> Line:
    """The line from hex (0, 0), by trying everything near it."""
    if step == Hex(0, 0):
        return Line((step,), (), (), ())
    nearby_hexes = [
        Hex(q, r)
        for q in range(min(0, step.q) - 1, max(0, step.q) + 2)
        for r in range(min(0, step.r) - 1, max(0, step.r) + 2)
        if abs(step.q * r - step.r * q) <= 2 * (abs(step.q) + abs(step.r))
    ]
    corners_by_hex = {hex: corners_of(hex) for hex in nearby_hexes}
    offsets = {(x, y): step.q * y - step.r * x for hex_corners in corners_by_hex.values() for x, y in hex_corners}
    positions = {point: part(step, *point) for point in offsets if offsets[point] == 0}
    spans = {hex: inside(step, hex) for hex in nearby_hexes}
    hex_entries = sorted((start, hex) for hex, (start, stop) in spans.items() if start < stop)
    crossings, parallel_sides = [], []
    for a in nearby_hexes:
        for q, r in ((0, 1), (1, 0), (1, -1)):
            b = Hex(a.q + q, a.r + r)
            if b not in corners_by_hex:
                continue
            first_corner, two = (corner for corner in corners_by_hex[a] if corner in corners_by_hex[b])
            if offsets[first_corner] * offsets[two] < 0:
                # The crossing divides the side in the ratio of how far its ends lie off the line.
                share = Fraction(offsets[first_corner], offsets[first_corner] - offsets[two])
                x, y = (
                    first_corner.x + share * (two.x - first_corner.x),
                    first_corner.y + share * (two.y - first_corner.y),
                )
                position = x / (3 * step.q) if step.q else y / (3 * step.r)
                if 0 < position < 1:
                    crossings.append((position, Hexside(a, b)))
            elif (
                offsets[first_corner] == offsets[two] == 0
                and 0 < positions[first_corner] < 1
                and 0 < positions[two] < 1
            ):
                parallel_sides.append((min(positions[first_corner], positions[two]), Hexside(a, b)))
    corner_touches = sorted((position, Corner(*point)) for point, position in positions.items() if 0 < position < 1)
    return Line(
        tuple(hex for _, hex in hex_entries),
        tuple(side for _, side in sorted(crossings)),
        tuple(side for _, side in sorted(parallel_sides)),
        tuple(corner for _, corner in corner_touches),
    )


def test_every_short_line_agrees_with_trying_everything() -> None:
    for step in disk(Hex(0, 0), 12):
        assert line(Hex(0, 0), step) == oracle(step), step


@quick
@given(hexes)
def test_long_lines_agree_with_trying_everything(step: Hex) -> None:
    assert line(Hex(0, 0), step) == oracle(step)


def test_the_oracle_itself() -> None:
    assert oracle(Hex(1, 1)) == Line(
        (Hex(0, 0), Hex(1, 1)), (), (Hexside(Hex(0, 1), Hex(1, 0)),), (Corner(1, 1), Corner(2, 2))
    )
    assert len(CORNER_OFFSETS) == 6


def test_a_line_through_corners_only_touches_them() -> None:
    # Two corners, and three hexsides between them.
    straight_line = line(Hex(0, 0), Hex(4, 1))
    assert straight_line.hexes == (Hex(0, 0), Hex(1, 0), Hex(2, 0), Hex(2, 1), Hex(3, 1), Hex(4, 1))
    assert straight_line.crossed_sides == (
        Hexside(Hex(0, 0), Hex(1, 0)),
        Hexside(Hex(2, 0), Hex(2, 1)),
        Hexside(Hex(3, 1), Hex(4, 1)),
    )
    assert straight_line.corners == (Corner(4, 1), Corner(8, 2))
    assert straight_line.followed_sides == ()


def test_a_hex_to_itself() -> None:
    point_line = line(Hex(5, -2), Hex(5, -2))
    assert point_line == Line((Hex(5, -2),), (), (), ())
    assert point_line.hexes[1:-1] == ()


@quick
@given(hexes, hexes, hexes)
def test_a_line_depends_only_on_the_difference(a: Hex, b: Hex, move: Hex) -> None:
    base_line, moved_line = line(a, b), line(a.plus(move), b.plus(move))
    assert moved_line.hexes == tuple(hex.plus(move) for hex in base_line.hexes)
    for kind in ("crossed_sides", "followed_sides"):
        assert getattr(moved_line, kind) == tuple(
            Hexside(side.a.plus(move), side.b.plus(move)) for side in getattr(base_line, kind)
        )
    assert moved_line.corners == tuple(Corner(x + 3 * move.q, y + 3 * move.r) for x, y in base_line.corners)


@quick
@given(hexes, hexes)
def test_the_way_back_is_the_way_there(a: Hex, b: Hex) -> None:
    forward_line, backward_line = line(a, b), line(b, a)
    assert all(forward_part == two[::-1] for forward_part, two in zip(forward_line, backward_line, strict=True))


@quick
@given(hexes, hexes)
def test_a_line_hangs_together(a: Hex, b: Hex) -> None:
    straight_line = line(a, b)
    assert (straight_line.hexes[0], straight_line.hexes[-1]) == (a, b)
    assert straight_line.hexes[1:-1] == tuple(hex for hex in straight_line.hexes if hex not in (a, b))
    steps = list(pairwise(straight_line.hexes))
    assert {distance(*step) for step in steps} <= {1, 2}
    assert sum(distance(*step) == 2 for step in steps) == len(straight_line.followed_sides)
    assert all(set(ends(side)) <= set(straight_line.corners) for side in straight_line.followed_sides)
    assert all(not set(ends(side)) & set(straight_line.corners) for side in straight_line.crossed_sides)
    assert all(set(hexes_at(corner)) & set(straight_line.hexes) for corner in straight_line.corners)
    lone_corners = len(straight_line.corners) - 2 * len(straight_line.followed_sides)
    assert len(steps) == len(straight_line.crossed_sides) + len(straight_line.followed_sides) + lone_corners


@quick
@given(hexes, hexes, st.integers(2, 4))
def test_a_longer_line_repeats_a_shorter_one(a: Hex, step: Hex, times: int) -> None:
    long_line = line(a, a.plus(step.times(times)))
    stages = [line(a.plus(step.times(k)), a.plus(step.times(k + 1))) for k in range(times)]
    assert long_line.crossed_sides == tuple(side for stage in stages for side in stage.crossed_sides)
    assert long_line.followed_sides == tuple(side for stage in stages for side in stage.followed_sides)
    assert long_line.corners == tuple(corner for stage in stages for corner in stage.corners)

from fractions import Fraction
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.hexes import Corner, Hex, Hexside, disk, distance, ends, hexes_at
from scenarios.lines import Line, line

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
REACHED = [
    (x, y) for x in range(-2, 3) for y in range(-2, 3) if sorted(abs(u * x + v * y) for u, v in BOUNDS) == [0, 3, 3]
]


def corners_of(hex: Hex) -> list[Corner]:
    return [Corner(3 * hex.q + x, 3 * hex.r + y) for x, y in REACHED]


def part(step: Hex, x: int, y: int) -> Fraction:
    """How far along the line a point given in thirds lies, if it lies on it."""
    return Fraction(x, 3 * step.q) if step.q else Fraction(y, 3 * step.r)


def oracle(step: Hex) -> Line:
    """The line from hex (0, 0), by trying everything near it."""
    if step == Hex(0, 0):
        return Line((step,), (), (), ())
    near = [
        Hex(q, r)
        for q in range(min(0, step.q) - 1, max(0, step.q) + 2)
        for r in range(min(0, step.r) - 1, max(0, step.r) + 2)
        if abs(step.q * r - step.r * q) <= 2 * (abs(step.q) + abs(step.r))
    ]
    around = {hex: corners_of(hex) for hex in near}
    off = {(x, y): step.q * y - step.r * x for some in around.values() for x, y in some}
    on = {point: part(step, *point) for point in off if off[point] == 0}
    spans = {hex: inside(step, hex) for hex in near}
    passed = sorted((start, hex) for hex, (start, stop) in spans.items() if start < stop)
    crossed, along = [], []
    for a in near:
        for q, r in ((0, 1), (1, 0), (1, -1)):
            b = Hex(a.q + q, a.r + r)
            if b not in around:
                continue
            one, two = (corner for corner in around[a] if corner in around[b])
            if off[one] * off[two] < 0:
                # The crossing divides the side in the ratio of how far its ends lie off the line.
                share = Fraction(off[one], off[one] - off[two])
                x, y = one.x + share * (two.x - one.x), one.y + share * (two.y - one.y)
                where = x / (3 * step.q) if step.q else y / (3 * step.r)
                if 0 < where < 1:
                    crossed.append((where, Hexside(a, b)))
            elif off[one] == off[two] == 0 and 0 < on[one] < 1 and 0 < on[two] < 1:
                along.append((min(on[one], on[two]), Hexside(a, b)))
    touched = sorted((where, Corner(*point)) for point, where in on.items() if 0 < where < 1)
    return Line(
        tuple(hex for _, hex in passed),
        tuple(side for _, side in sorted(crossed)),
        tuple(side for _, side in sorted(along)),
        tuple(corner for _, corner in touched),
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
    assert len(REACHED) == 6


def test_a_line_through_corners_only_touches_them() -> None:
    # Two corners, and three hexsides between them.
    passed = line(Hex(0, 0), Hex(4, 1))
    assert passed.hexes == (Hex(0, 0), Hex(1, 0), Hex(2, 0), Hex(2, 1), Hex(3, 1), Hex(4, 1))
    assert passed.crossed == (
        Hexside(Hex(0, 0), Hex(1, 0)),
        Hexside(Hex(2, 0), Hex(2, 1)),
        Hexside(Hex(3, 1), Hex(4, 1)),
    )
    assert passed.corners == (Corner(4, 1), Corner(8, 2))
    assert passed.along == ()


def test_a_hex_to_itself() -> None:
    alone = line(Hex(5, -2), Hex(5, -2))
    assert alone == Line((Hex(5, -2),), (), (), ())
    assert alone.hexes[1:-1] == ()


@quick
@given(hexes, hexes, hexes)
def test_a_line_depends_only_on_the_difference(a: Hex, b: Hex, move: Hex) -> None:
    here, moved = line(a, b), line(a.plus(move), b.plus(move))
    assert moved.hexes == tuple(hex.plus(move) for hex in here.hexes)
    for kind in ("crossed", "along"):
        assert getattr(moved, kind) == tuple(
            Hexside(side.a.plus(move), side.b.plus(move)) for side in getattr(here, kind)
        )
    assert moved.corners == tuple(Corner(x + 3 * move.q, y + 3 * move.r) for x, y in here.corners)


@quick
@given(hexes, hexes)
def test_the_way_back_is_the_way_there(a: Hex, b: Hex) -> None:
    there, back = line(a, b), line(b, a)
    assert all(one == two[::-1] for one, two in zip(there, back, strict=True))


@quick
@given(hexes, hexes)
def test_a_line_hangs_together(a: Hex, b: Hex) -> None:
    passed = line(a, b)
    assert (passed.hexes[0], passed.hexes[-1]) == (a, b)
    assert passed.hexes[1:-1] == tuple(hex for hex in passed.hexes if hex not in (a, b))
    steps = list(pairwise(passed.hexes))
    assert {distance(*step) for step in steps} <= {1, 2}
    assert sum(distance(*step) == 2 for step in steps) == len(passed.along)
    assert all(set(ends(side)) <= set(passed.corners) for side in passed.along)
    assert all(not set(ends(side)) & set(passed.corners) for side in passed.crossed)
    assert all(set(hexes_at(corner)) & set(passed.hexes) for corner in passed.corners)
    alone = len(passed.corners) - 2 * len(passed.along)
    assert len(steps) == len(passed.crossed) + len(passed.along) + alone


@quick
@given(hexes, hexes, st.integers(2, 4))
def test_a_longer_line_repeats_a_shorter_one(a: Hex, step: Hex, times: int) -> None:
    whole = line(a, a.plus(step.times(times)))
    stages = [line(a.plus(step.times(k)), a.plus(step.times(k + 1))) for k in range(times)]
    assert whole.crossed == tuple(side for stage in stages for side in stage.crossed)
    assert whole.along == tuple(side for stage in stages for side in stage.along)
    assert whole.corners == tuple(corner for stage in stages for corner in stage.corners)

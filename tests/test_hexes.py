from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.hexes import (
    DIRECTIONS,
    Corner,
    Hex,
    Hexside,
    Orientation,
    centre,
    corners,
    direction,
    direction_name,
    direction_number,
    disk,
    distance,
    ends,
    hexes_at,
    hexside,
    neighbour,
    neighbours,
    ring,
    sides,
)

quick = settings(max_examples=25, deadline=None)
coordinates = st.integers(-1000, 1000)
hexes = st.builds(Hex, coordinates, coordinates)
orientations: st.SearchStrategy[Orientation] = st.sampled_from(["flat", "pointy"])


def plane(orientation: Orientation, x: int, y: int) -> tuple[Fraction, Fraction]:
    """Where a point given in thirds lies on paper: to the right, and down, from the middle of hex (0, 0).

    A hexside has length 1. On a flat-top grid the first number counts hexsides and the second counts
    hexsides times the root of three (the height of a hex); on a pointy-top grid it is the other way round.
    """
    if orientation == "flat":
        return Fraction(x, 2), Fraction(x + 2 * y, 6)
    return Fraction(2 * x + y, 6), Fraction(y, 2)


def squared(orientation: Orientation, a: tuple[int, int], b: tuple[int, int]) -> Fraction:
    """The square of the distance on paper of two points given in thirds, in hexsides."""
    (ax, ay), (bx, by) = plane(orientation, *a), plane(orientation, *b)
    wide, high = (1, 3) if orientation == "flat" else (3, 1)
    return wide * (bx - ax) ** 2 + high * (by - ay) ** 2


def test_directions_point_where_their_names_say() -> None:
    for orientation in ("flat", "pointy"):
        for d, step in enumerate(DIRECTIONS):
            right, down = plane(orientation, *centre(step))
            name = direction_name(orientation, d)
            assert ("n" in name, "s" in name) == (down < 0, down > 0)
            assert ("w" in name, "e" in name) == (right < 0, right > 0)
            assert direction_number(orientation, name.upper()) == d
    assert [direction_name("flat", d) for d in range(6)] == ["n", "ne", "se", "s", "sw", "nw"]
    assert [direction_name("pointy", d) for d in range(6)] == ["nw", "ne", "e", "se", "sw", "w"]


def test_a_direction_of_the_other_orientation_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no direction 'e'; flat-top hexes have n, ne, se, s, sw and nw"):
        direction_number("flat", "e")


@quick
@given(hexes, orientations)
def test_neighbours_lie_around_a_hex(hex: Hex, orientation: Orientation) -> None:
    for d, other in enumerate(neighbours(hex)):
        assert other == neighbour(hex, d) == neighbour(hex, d - 6)
        assert direction(hex, other) == d
        assert direction(other, hex) == (d + 3) % 6
        assert squared(orientation, centre(hex), centre(other)) == 3
        assert distance(other, neighbour(hex, d + 1)) == 1


@quick
@given(hexes, hexes)
def test_only_neighbours_have_a_direction_and_a_side(a: Hex, b: Hex) -> None:
    if distance(a, b) != 1:
        with pytest.raises(ValueError, match="are not neighbours"):
            direction(a, b)
        with pytest.raises(ValueError, match="are not neighbours"):
            hexside(a, b)


def test_distance_is_the_least_number_of_steps() -> None:
    start = Hex(2, -5)
    reached = {start: 0}
    wave = [start]
    for steps in range(1, 8):
        wave = [other for hex in wave for other in neighbours(hex)]
        wave = list({other for other in wave if other not in reached})
        reached.update(dict.fromkeys(wave, steps))
    assert all(distance(start, hex) == distance(hex, start) == steps for hex, steps in reached.items())
    assert set(disk(start, 7)) == set(reached)


@quick
@given(hexes, hexes, hexes)
def test_a_detour_is_never_shorter(a: Hex, b: Hex, c: Hex) -> None:
    assert distance(a, c) <= distance(a, b) + distance(b, c)
    assert (distance(a, b) == 0) == (a == b)


@quick
@given(hexes, st.integers(1, 8))
def test_rings_make_a_disk(hex: Hex, radius: int) -> None:
    around = ring(hex, radius)
    assert len(around) == len(set(around)) == 6 * radius
    assert {distance(hex, other) for other in around} == {radius}
    assert around[0] == hex.plus(DIRECTIONS[0].times(radius))
    assert around[radius] == hex.plus(DIRECTIONS[1].times(radius)), "clockwise"
    assert all(distance(around[i - 1], around[i]) == 1 for i in range(len(around)))
    whole = disk(hex, radius)
    assert len(whole) == len(set(whole)) == 1 + 3 * radius * (radius + 1)
    assert [distance(hex, other) for other in whole] == sorted(distance(hex, other) for other in whole)


def test_the_smallest_ring_and_none_smaller() -> None:
    assert ring(Hex(3, 4), 0) == disk(Hex(3, 4), 0) == (Hex(3, 4),)
    for shape in (ring, disk):
        with pytest.raises(ValueError, match="no radius -1"):
            shape(Hex(0, 0), -1)


@quick
@given(hexes, hexes, st.integers(-9, 9))
def test_steps(a: Hex, b: Hex, n: int) -> None:
    assert a.plus(b).minus(b) == a
    assert a.times(n) == Hex(a.q * n, a.r * n)


@quick
@given(hexes, orientations)
def test_corners_are_a_regular_hexagon(hex: Hex, orientation: Orientation) -> None:
    around = corners(hex)
    middle = centre(hex)
    assert len(set(around)) == 6
    for d, corner in enumerate(around):
        assert squared(orientation, middle, corner) == 1
        assert squared(orientation, corner, around[(d + 1) % 6]) == 1
        assert squared(orientation, corner, around[(d + 3) % 6]) == 4
        (x, y), (ax, ay) = plane(orientation, *middle), plane(orientation, *corner)
        bx, by = plane(orientation, *around[(d + 1) % 6])
        assert (ax - x) * (by - y) - (ay - y) * (bx - x) > 0, "clockwise, with y down"


@quick
@given(hexes)
def test_a_side_lies_between_its_corners(hex: Hex) -> None:
    around = corners(hex)
    for d, side in enumerate(sides(hex)):
        other = neighbour(hex, d)
        assert side == hexside(hex, other) == hexside(other, hex) == Hexside(*sorted((hex, other)))
        assert side.a < side.b
        assert set(ends(side)) == {around[d], around[(d + 1) % 6]} == set(around) & set(corners(other))
        assert ends(side)[0] in corners(side.a)


def test_each_corner_belongs_to_three_hexes_and_three_sides() -> None:
    region = disk(Hex(-3, 1), 5)
    owners = Counter(corner for hex in region for corner in corners(hex))
    inner = {corner for hex in disk(Hex(-3, 1), 4) for corner in corners(hex)}
    assert {owners[corner] for corner in inner} == {3}
    assert len(inner) == 6 * 5**2
    for corner in inner:
        meeting = hexes_at(corner)
        assert list(meeting) == sorted(hex for hex in region if corner in corners(hex))
        assert all(corner in ends(hexside(a, b)) for a, b in combinations(meeting, 2))
        assert corner == Corner(sum(hex.q for hex in meeting), sum(hex.r for hex in meeting))


@quick
@given(coordinates, coordinates)
def test_other_points_are_no_corners(x: int, y: int) -> None:
    is_corner = any(Corner(x, y) in corners(hex) for hex in disk(Hex(x // 3, y // 3), 2))
    if is_corner:
        assert len(hexes_at(Corner(x, y))) == 3
    else:
        with pytest.raises(ValueError, match="is not a corner"):
            hexes_at(Corner(x, y))


def test_places_on_paper() -> None:
    half, whole, none = Fraction(1, 2), Fraction(1), Fraction(0)
    assert plane("flat", *centre(Hex(1, 0))) == (3 * half, half)
    assert plane("flat", *centre(Hex(0, 1))) == (none, whole)
    assert plane("pointy", *centre(Hex(1, 0))) == (whole, none)
    assert plane("pointy", *centre(Hex(0, 1))) == (half, 3 * half)
    assert plane("flat", *corners(Hex(0, 0))[2]) == (whole, none)
    assert plane("pointy", *corners(Hex(0, 0))[1]) == (none, -whole)

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.model.hexes import (
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


def squared_distance(orientation: Orientation, a: tuple[int, int], b: tuple[int, int]) -> Fraction:
    """The square of the distance on paper of two points given in thirds, in hexsides."""
    (ax, ay), (bx, by) = plane(orientation, *a), plane(orientation, *b)
    x_weight, y_weight = (1, 3) if orientation == "flat" else (3, 1)
    return x_weight * (bx - ax) ** 2 + y_weight * (by - ay) ** 2


def test_directions_point_where_their_names_say() -> None:
    for orientation in ("flat", "pointy"):
        for d, step in enumerate(DIRECTIONS):
            right, y_offset = plane(orientation, *centre(step))
            name = direction_name(orientation, d)
            assert ("n" in name, "s" in name) == (y_offset < 0, y_offset > 0)
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
    for d, adjacent_hex in enumerate(neighbours(hex)):
        assert adjacent_hex == neighbour(hex, d) == neighbour(hex, d - 6)
        assert direction(hex, adjacent_hex) == d
        assert direction(adjacent_hex, hex) == (d + 3) % 6
        assert squared_distance(orientation, centre(hex), centre(adjacent_hex)) == 3
        assert distance(adjacent_hex, neighbour(hex, d + 1)) == 1


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
    distances = {start: 0}
    wave = [start]
    for steps in range(1, 8):
        wave = [next_hex for hex in wave for next_hex in neighbours(hex)]
        wave = list({next_hex for next_hex in wave if next_hex not in distances})
        distances.update(dict.fromkeys(wave, steps))
    assert all(distance(start, hex) == distance(hex, start) == steps for hex, steps in distances.items())
    assert set(disk(start, 7)) == set(distances)


@quick
@given(hexes, hexes, hexes)
def test_a_detour_is_never_shorter(a: Hex, b: Hex, c: Hex) -> None:
    assert distance(a, c) <= distance(a, b) + distance(b, c)
    assert (distance(a, b) == 0) == (a == b)


@quick
@given(hexes, st.integers(1, 8))
def test_rings_make_a_disk(hex: Hex, radius: int) -> None:
    ring_hexes = ring(hex, radius)
    assert len(ring_hexes) == len(set(ring_hexes)) == 6 * radius
    assert {distance(hex, ring_hex) for ring_hex in ring_hexes} == {radius}
    assert ring_hexes[0] == hex.plus(DIRECTIONS[0].times(radius))
    assert ring_hexes[radius] == hex.plus(DIRECTIONS[1].times(radius)), "clockwise"
    assert all(distance(ring_hexes[i - 1], ring_hexes[i]) == 1 for i in range(len(ring_hexes)))
    disk_hexes = disk(hex, radius)
    assert len(disk_hexes) == len(set(disk_hexes)) == 1 + 3 * radius * (radius + 1)
    assert [distance(hex, disk_hex) for disk_hex in disk_hexes] == sorted(
        distance(hex, disk_hex) for disk_hex in disk_hexes
    )


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
    hex_corners = corners(hex)
    middle = centre(hex)
    assert len(set(hex_corners)) == 6
    for d, corner in enumerate(hex_corners):
        assert squared_distance(orientation, middle, corner) == 1
        assert squared_distance(orientation, corner, hex_corners[(d + 1) % 6]) == 1
        assert squared_distance(orientation, corner, hex_corners[(d + 3) % 6]) == 4
        (x, y), (ax, ay) = plane(orientation, *middle), plane(orientation, *corner)
        bx, by = plane(orientation, *hex_corners[(d + 1) % 6])
        assert (ax - x) * (by - y) - (ay - y) * (bx - x) > 0, "clockwise, with y down"


@quick
@given(hexes)
def test_a_side_lies_between_its_corners(hex: Hex) -> None:
    hex_corners = corners(hex)
    for d, side in enumerate(sides(hex)):
        adjacent_hex = neighbour(hex, d)
        assert side == hexside(hex, adjacent_hex) == hexside(adjacent_hex, hex) == Hexside(*sorted((hex, adjacent_hex)))
        assert side.a < side.b
        assert (
            set(ends(side))
            == {hex_corners[d], hex_corners[(d + 1) % 6]}
            == set(hex_corners) & set(corners(adjacent_hex))
        )
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
    half_unit, unit_length, zero = Fraction(1, 2), Fraction(1), Fraction(0)
    assert plane("flat", *centre(Hex(1, 0))) == (3 * half_unit, half_unit)
    assert plane("flat", *centre(Hex(0, 1))) == (zero, unit_length)
    assert plane("pointy", *centre(Hex(1, 0))) == (unit_length, zero)
    assert plane("pointy", *centre(Hex(0, 1))) == (half_unit, 3 * half_unit)
    assert plane("flat", *corners(Hex(0, 0))[2]) == (unit_length, zero)
    assert plane("pointy", *corners(Hex(0, 0))[1]) == (zero, -unit_length)

"""What blocks sight on a map, hex by hex in one long row: a byte for each hex and hexside, or a bit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache

from assistant.games.arab_israeli_wars.ground import CANAL, Ground
from assistant.games.arab_israeli_wars.sight_programs import Program, Programs, margin
from scenarios.hexes import DIRECTIONS, Hex, neighbour, neighbours, sides
from scenarios.maps import HexMap

# What lies on a hexside. Any of it blocks at ground level; CREST and smoke block at every level.
GROUND, CREST, NEAR, HIDES_A, HIDES_B, SMOKE_A, SMOKE_B = (1 << i for i in range(7))
BARS = GROUND | CREST | NEAR
# What lies in a hex.
HIDES, SMOKES, HIGH, OPEN, OPEN_TO_ALL, ON = (1 << i for i in range(6))
_BAR = {"ground": GROUND, "all": CREST, "near": NEAR}
_WIDE = 1 << 12


def difference(key: int) -> tuple[int, int]:
    """The difference of two hexes, from the difference of their keys."""
    dr = (key + _WIDE // 2) % _WIDE - _WIDE // 2
    return (key - dr) // _WIDE, dr


class Numbers:
    """The hexes of a map in one row, with a ring of hexes around it.

    A hex's number is q * stride + r + base. In answers its bit stands `margin` lower, so that a plane is moved to the
    right whichever neighbour of the line is to come to lie on its first hex. A hex's key tells differences apart.
    """

    def __init__(self, table: HexMap, apart: bool = False) -> None:
        rows = [y for _, y in table.spots.values()]
        self.top, self.bottom = min(rows), max(rows)
        self.stride = (self.bottom - self.top) // 2 + 4
        self.margin = margin(self.stride)
        self.base = 2 * self.margin - min(q * self.stride + r for q, r in table.hexes)
        self.size = max(map(self.number, table.hexes)) + 2 * self.margin
        self.places: dict[Hex, tuple[int, int]] = {
            hex: (self.number(hex) - self.margin, hex.q * _WIDE + hex.r) for hex in sorted(table.hexes)
        }
        self.steps = [q * self.stride + r for q, r in DIRECTIONS]
        self._spots = table.spots
        boards = [table.on_board(placed.board.id) for placed in table.placed] if apart else [table.field]
        self._boards = [self._mask(board) for board in boards]
        self._rows: dict[int, int] = {}
        self._lines: dict[Programs, Lines] = {}
        self._shadows: dict[Programs, Shadows] = {}

    def number(self, hex: Hex) -> int:
        """Where a hex stands in the row."""
        return hex.q * self.stride + hex.r + self.base

    def _mask(self, hexes: Iterable[Hex]) -> int:
        bits = bytearray(b"0" * self.size)
        for hex in hexes:
            bits[-1 - self.places[hex][0]] = 49
        return int(bits, 2)

    def lines(self, made: Programs) -> Lines:
        """The lines of this map by the key of their difference."""
        if made not in self._lines:
            self._lines[made] = Lines(self, made)
        return self._lines[made]

    def shadows(self, made: Programs) -> Shadows:
        """What smoke does to the lines of this map, by the key of their difference."""
        if made not in self._shadows:
            self._shadows[made] = Shadows(self.size, self.lines(made))
        return self._shadows[made]

    @cached_property
    def at(self) -> Mapping[int, Hex]:
        """The hex of each number, on the map or next to it."""
        around = (other for hex in self.places for other in neighbours(hex))
        return {self.number(hex): hex for hex in (*around, *self.places)}

    def valid(self, key: int) -> int:
        """The hexes from which the hex so far away is on the map, and on the same board where boards lie apart."""
        dq, dr = difference(key)
        down, last, found = 2 * dr + dq, dq * self.stride + dr, 0
        if down not in self._rows:
            kept = (hex for hex, (_, y) in self._spots.items() if self.top <= y + down <= self.bottom)
            self._rows[down] = self._mask(kept)
        for board in self._boards:
            found |= board & board >> last
        return found & self._rows[down]

    @cached_property
    def keys(self) -> tuple[int, ...]:
        """The keys of half of all differences: the other half is the same turned round."""
        high = self.bottom - self.top
        columns = [q for q, _ in self.places]
        found = (
            dq * _WIDE + (down - dq) // 2
            for dq in range(max(columns) - min(columns) + 1)
            for down in range(-high + (high + dq) % 2, high + 1, 2)
        )
        return tuple(key for key in found if key > 0)


class Lines(dict[int, tuple[Program, int]]):
    """The program of each difference, and the hexes from which it leads to a hex of the map."""

    def __init__(self, numbers: Numbers, made: Programs) -> None:
        super().__init__()
        self.numbers, self.made = numbers, made

    def __missing__(self, key: int) -> tuple[Program, int]:
        known = self[key] = self.made.program(*difference(key)), self.numbers.valid(key)
        return known

    @cached_property
    def leaving(self) -> list[list[tuple[int, int]]]:
        """For each plane of hexsides the lines that have one as their own: the line's key and the hexside's number."""
        found: list[list[tuple[int, int]]] = [[], [], []]
        for key in self.numbers.keys:
            for plane, number in {*self[key][0].first, *self[key][0].final}:
                found[plane].append((key, number))
        return found


class Shadows(dict[int, int]):
    """The hexes from which smoke blocks a line of each difference: moved to the right by the row's size less the bit
    of the smoke's hex, it tells their bits."""

    def __init__(self, size: int, lines: Lines) -> None:
        super().__init__()
        self.size, self.lines = size, lines

    def __missing__(self, key: int) -> int:
        known = self[key] = sum(1 << self.size - number for number in self.lines[key][0].blind)
        return known


class Codes:
    """What lies on every hexside and in every hex of a ground, a byte each."""

    def __init__(self, ground: Ground, numbers: Numbers) -> None:
        self.numbers = numbers
        self.sides = [bytearray(numbers.size) for _ in range(3)]
        self.hexes = bytearray(numbers.size)
        for side, kinds in ground.table.hexsides.items():
            d = DIRECTIONS.index(side.b.minus(side.a))
            here, plane = (side.a, d) if d < 3 else (side.b, d - 3)
            self.sides[plane][numbers.number(here)] |= _bar(ground, kinds)
        for hex in ground.table.hexes:
            self._set(ground, hex)
        for hex in ground.works:
            self._cut(ground, hex)

    def after(self, ground: Ground, hexes: Iterable[Hex]) -> Codes:
        """The codes when the markers in these hexes have changed."""
        codes = object.__new__(Codes)
        codes.numbers = self.numbers
        codes.sides = [bytearray(one) for one in self.sides]
        codes.hexes = bytearray(self.hexes)
        for hex in hexes:
            codes._set(ground, hex)
            codes._cut(ground, hex)
        return codes

    def _set(self, ground: Ground, hex: Hex) -> None:
        """Write down one hex, and on its six sides what it hides (VII.C.1.b, Optional II.B.1)."""
        number = self.numbers.number(hex)
        smoke = ground.has(hex, "smoke")
        hides = ground.seen_as(ground.kind(hex)) == "hides"
        code = ON | (HIDES if hides else 0) | (SMOKES if smoke else 0) | (HIGH if ground.is_slope(hex) else 0)
        if ground.works and ground.east_bank(hex):
            fort = ground.has(hex, "fort")
            code |= OPEN_TO_ALL if fort else 0
            code |= OPEN if fort or ground.has(hex, "improved_position") else 0
        self.hexes[number] = code
        here = (HIDES_A if hides else 0) | (SMOKE_A if smoke else 0)
        for d in range(3):
            back = number + self.numbers.steps[d + 3]
            self.sides[d][number] = self.sides[d][number] & ~(HIDES_A | SMOKE_A) | here
            self.sides[d][back] = self.sides[d][back] & ~(HIDES_B | SMOKE_B) | here << 1

    def _cut(self, ground: Ground, hex: Hex) -> None:
        """Write down the sides of a canal hex: moraines, or sand dunes where they are cut (Standard VI.C.1)."""
        if ground.kind(hex) != CANAL:
            return
        for d, side in enumerate(sides(hex)):
            here, plane = (hex, d) if d < 3 else (neighbour(hex, d), d - 3)
            number = self.numbers.number(here)
            self.sides[plane][number] = self.sides[plane][number] & ~BARS | _bar(ground, ground.side_kinds(side))

    def side_bits(self, plane: int, low: int, high: int) -> int:
        """One bit for each hexside with any of `low`, and above them one for each with any of `high`."""
        return self._bits(self.sides[plane], low) | self._bits(self.sides[plane], high) << self.numbers.size

    def hex_bits(self, low: int, high: int = 0) -> int:
        """The same for hexes."""
        return self._bits(self.hexes, low) | self._bits(self.hexes, high) << self.numbers.size

    @staticmethod
    def _bits(codes: bytearray, wanted: int) -> int:
        return int(codes[::-1].translate(_digits(wanted)), 2) if wanted else 0


@lru_cache(maxsize=64)
def _digits(wanted: int) -> bytes:
    return bytes(49 if code & wanted else 48 for code in range(256))


def _bar(ground: Ground, kinds: Iterable[str]) -> int:
    """The bars of a hexside: what the Terrain Effects Chart says of each."""
    code = 0
    for kind in kinds:
        code |= _BAR.get(ground.seen_as(kind), 0)
    return code

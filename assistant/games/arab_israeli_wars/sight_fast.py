"""Every line of sight on a map at once: one bit a hex, one long integer for each difference of two hexes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property, lru_cache
from typing import Any, Literal

from assistant.attacks import BadQuestion
from assistant.games.arab_israeli_wars.ground import Ground
from assistant.games.arab_israeli_wars.sight_board import (
    BARS,
    CREST,
    HIDES,
    HIGH,
    NEAR,
    OPEN,
    OPEN_TO_ALL,
    SMOKE_A,
    SMOKE_B,
    SMOKES,
    Codes,
    Numbers,
    difference,
)
from assistant.games.arab_israeli_wars.sight_lines import Readings, readings
from assistant.games.arab_israeli_wars.sight_programs import PLANES, Term, programs
from scenarios.hexes import Hex

Observer = Literal["ground", "infantry", "air"]
"""A unit that isn't of the infantry class (a helicopter that is down too), one that is, and one in the air."""
_OPENED: Mapping[Observer, int] = {"ground": OPEN, "infantry": OPEN_TO_ALL, "air": 0}


class Planes(dict[int, int]):
    """Planes by number; those of stretches are put together when they are first used."""

    stretches: Sequence[tuple[Term, Term]]

    def __missing__(self, plane: int) -> int:
        (one, here), (other, there) = self.stretches[plane - PLANES]
        made = self[plane] = self[one] >> here | self[other] >> there
        return made


class Masks(dict[int, int]):
    """The hexes that see the hex so far away, by the difference's key; each is worked out when it is asked for."""

    def __init__(self, codes: Codes, how: Readings, first: Observer, last: Observer) -> None:
        super().__init__()
        self.numbers = codes.numbers
        self.programs = programs(codes.numbers.stride, how)
        self.size, margin = codes.numbers.size, codes.numbers.margin
        air, smoke = "air" in (first, last), SMOKE_A | SMOKE_B
        whole, bars = ((smoke, 0), (0, 0)) if air else ((255, CREST | smoke), (BARS, CREST))
        planes = [codes.side_bits(d, *whole) for d in range(3)] + [codes.side_bits(d, *bars) for d in range(3)]
        planes += [codes.hex_bits(SMOKES if air else HIDES | SMOKES, SMOKES), codes.hex_bits(SMOKES, SMOKES)]
        self.planes = Planes(enumerate(planes))
        self.planes.stretches = self.programs.stretches
        self.moraines = {d: 0 if air else codes.side_bits(d, NEAR, 0) for d in range(3)}
        self.canal = any(self.moraines.values())
        self.high = 0 if air else codes.hex_bits(HIGH) >> margin
        self.shut_first, self.shut_last = (~(codes.hex_bits(_OPENED[who]) >> margin) for who in (first, last))

    def __missing__(self, key: int) -> int:
        """The hexes from which the line to the hex so far away is clear."""
        (last, one, two, first, final, adjacent, _), mask = self.numbers.line(key, self.programs)
        planes, found = self.planes, 0
        for plane, number in one:
            found |= planes[plane] >> number
        for these, those in two:
            found |= _laid(planes, these) & _laid(planes, those)
        blocked = found
        if self.canal:
            # Standard VI.B.3.a and VI.E.2: own moraines block too, unless a fort or a position opens them.
            moraine = _laid(self.moraines, first) & self.shut_first
            if adjacent:
                moraine &= self.shut_last >> last
            blocked |= moraine | _laid(self.moraines, final) & self.shut_last >> last
        if self.high:
            # VII.C.2: from or to a slope only crests (and smoke) block.
            blocked ^= (blocked ^ found >> self.size) & (self.high | self.high >> last)
        mask &= ~blocked
        self[key] = mask
        return mask


def _laid(planes: Mapping[int, int], terms: Iterable[Term]) -> int:
    """Planes laid over each other, each moved so that what a line touches comes to lie on its first hex."""
    found = 0
    for plane, number in terms:
        found |= planes[plane] >> number
    return found


class Sights:
    """All sight on one ground, remembered. A ground never changes: `after` gives the sights of the next one."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.how = readings(ground)
        self.codes = Codes(ground, Numbers(ground.table, ground.apart))
        self.places = self.codes.numbers.places
        self.before: Sights | None = None
        self.changed: frozenset[Hex] = frozenset()
        self._masks: dict[tuple[Observer, Observer], Masks] = {}
        self.told: dict[tuple[object, ...], Any] = {}

    def after(self, changes: Mapping[Hex, Iterable[str]]) -> Sights:
        """The sights when other markers stand in some hexes: smoke comes and goes, a cut is made.

        What doesn't touch the changed hexes is not worked out again.
        """
        later = copy(self)
        later.ground = self.ground.with_works(changes)
        later.codes = self.codes.after(later.ground, changes)
        later.before = self.before or self
        later.changed = self.changed.union(changes)
        later._masks, later.told = {}, {}
        return later

    def masks(self, first: Observer = "ground", last: Observer = "ground") -> Masks:
        """The bits for observers of these kinds at the first and at the last hex."""
        if (first, last) not in self._masks:
            self._masks[first, last] = Masks(self.codes, self.how, first, last)
        return self._masks[first, last]

    def clear(self, a: Hex, b: Hex, viewer: Observer = "ground", target: Observer = "ground") -> bool:
        """Whether the line of sight from a to b is clear (VII.B.3 and B.4)."""
        try:
            (bit, key), (other_bit, other_key) = self.places[a], self.places[b]
        except KeyError as error:
            raise _off_map(error.args[0]) from None
        if key < other_key:
            return self.masks(viewer, target)[other_key - key] >> bit & 1 == 1
        return key == other_key or self.masks(target, viewer)[key - other_key] >> other_bit & 1 == 1

    def seen_from(self, hex: Hex, viewer: Observer = "ground", target: Observer = "ground") -> frozenset[Hex]:
        """Every hex that a unit in this hex sees, its own included; the same hexes see it, roles exchanged."""
        if hex not in self.places:
            raise _off_map(hex)
        bit, key = self.places[hex]
        turn = self._turns[hex]
        ahead, behind = self._row[turn + 1 :], self._row[:turn]
        onward, back = self.masks(viewer, target), self.masks(target, viewer)
        if self.before is None:
            seen = [other for other, _, k in ahead if onward[k - key] >> bit & 1]
            seen += [other for other, b, k in behind if back[key - k] >> b & 1]
            return frozenset([hex, *seen])
        was_onward, was_back = self.before.masks(viewer, target), self.before.masks(target, viewer)
        numbers, made = self.codes.numbers, onward.programs
        # The changed hexes as seen from this one; a line's hexes stand in `near` as seen from its first.
        seat = numbers.size + numbers.margin - bit
        changed = sum(1 << self.places[one][0] + seat for one in self.changed)
        here = changed >> numbers.size
        seen = [hex]
        for other, _, k in ahead:
            near = numbers.line(k - key, made)[0].near
            if (onward if near & here else was_onward)[k - key] >> bit & 1:
                seen.append(other)
        for other, b, k in behind:
            line = numbers.line(key - k, made)[0]
            if (back if line.near & changed >> numbers.size - line.last else was_back)[key - k] >> b & 1:
                seen.append(other)
        return frozenset(seen)

    @cached_property
    def _row(self) -> list[tuple[Hex, int, int]]:
        return [(hex, bit, key) for hex, (bit, key) in self.places.items()]

    @cached_property
    def _turns(self) -> Mapping[Hex, int]:
        return {hex: i for i, hex in enumerate(self.places)}

    def all_pairs(self, viewer: Observer = "ground", target: Observer = "ground") -> Masks:
        """Every pair of the map: for half of all differences the hexes that see the hex so far away."""
        masks = self.masks(viewer, target)
        for key in self.codes.numbers.keys():  # noqa: SIM118
            masks[key]
        return masks

    def pairs(self, viewer: Observer = "ground", target: Observer = "ground") -> Iterator[tuple[Hex, Hex]]:
        """Every two hexes that see each other, each pair once, the viewer in the hex of the lower column."""
        at = {bit: hex for hex, (bit, _) in self.places.items()}
        for key, mask in self.all_pairs(viewer, target).items():
            step = Hex(*difference(key))
            while mask:
                bit = mask.bit_length() - 1
                yield at[bit], at[bit].plus(step)
                mask ^= 1 << bit

    def count(self, viewer: Observer = "ground", target: Observer = "ground") -> int:
        """How many pairs see each other."""
        return sum(mask.bit_count() for mask in self.all_pairs(viewer, target).values())


@lru_cache(maxsize=16)
def sights(ground: Ground) -> Sights:
    """The sights of a ground, remembered for the last few."""
    return Sights(ground)


def seen_from(
    ground: Ground, hex: Hex, viewer: Observer = "ground", target: Observer = "ground"
) -> frozenset[Hex]:
    """Every hex that a unit in this hex sees."""
    return sights(ground).seen_from(hex, viewer, target)


def all_pairs(ground: Ground) -> Sights:
    """The sights of a ground with every pair worked out."""
    known = sights(ground)
    known.all_pairs()
    return known


def _off_map(hex: Hex) -> BadQuestion:
    return BadQuestion(f"hex {tuple(hex)} is not on this map")

"""The hexes that see the hex so far away: one bit a hex, one long integer for each difference of two hexes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

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
)
from assistant.games.arab_israeli_wars.sight_lines import Readings
from assistant.games.arab_israeli_wars.sight_programs import PLANES, Term, programs

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
        self.lines = codes.numbers.lines(self.programs)
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
        (last, one, two, first, final, adjacent, _, _), mask = self.lines[key]
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

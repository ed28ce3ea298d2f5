"""Sight after a change of markers, from what was known before: only the lines that the change touches are looked at.

Smoke blocks every line that touches a side of its hex, the two ends' own sides aside, whoever looks from wherever
(Optional II.B.1, II.B.5): those lines are struck out. All other markers change nothing but lines that begin or end in
their hex or on the two banks of a cut (Standard VI.C.1, VI.E.2, VI.E.3): those lines are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assistant.games.arab_israeli_wars.sight_board import Codes
from assistant.games.arab_israeli_wars.sight_lines import Readings
from assistant.games.arab_israeli_wars.sight_masks import Masks, Observer
from assistant.games.arab_israeli_wars.sight_programs import Program, Term
from scenarios.hexes import Hex


def easy(how: Readings) -> bool:
    """Whether one blocking thing is enough wherever a line touches it; where two are needed, smoke isn't struck out."""
    return how.corner and how.along


class Later(Masks):
    """The masks of a ground that differs from another one without smoke by some markers."""

    def __init__(
        self, codes: Codes, root: Masks, first: Observer, last: Observer, changed: Iterable[Hex], smoke: Iterable[Hex]
    ) -> None:
        super().__init__(codes, root.programs.how, first, last)
        self.root, self.shadows = root, self.numbers.shadows(self.programs)
        self.smoke = [self.size - self.numbers.places[hex][0] for hex in smoke]
        self.mended: dict[int, int] = {}
        if not (first == "air" or last == "air"):
            self._mend(changed)
        if not self.smoke:
            self.update(root)
            self.update(self.mended)

    def __missing__(self, key: int) -> int:
        mask = self.mended.get(key)
        if mask is None:
            mask = self.root[key]
        if self.smoke:
            shadow = self.shadows[key]
            for number in self.smoke:
                mask &= ~(shadow >> number)
        self[key] = mask
        return mask

    def _mend(self, changed: Iterable[Hex]) -> None:
        """Look again at every line from or to a hex that has changed, and at those that leave theirs over a cut."""
        was, places, lines = self.root, self.numbers.places, self.lines
        for plane in range(3):
            for bit in _bits(self.moraines[plane] ^ was.moraines[plane]):
                for key, number in lines.leaving[plane]:
                    if bit >= number and lines[key][1] >> bit - number & 1:
                        self._look(key, bit - number)
        turned = (self.high ^ was.high) | (self.shut_first ^ was.shut_first) | (self.shut_last ^ was.shut_last)
        for bit, key in (places[hex] for hex in changed):
            if turned >> bit & 1:
                for other_bit, other_key in places.values():
                    if other_key > key:
                        self._look(other_key - key, bit)
                    elif other_key < key:
                        self._look(key - other_key, other_bit)

    def _look(self, key: int, start: int) -> None:
        line, valid = self.lines[key]
        mask = self.mended.get(key)
        if mask is None:
            mask = self.root[key]
        if valid >> start & 1 and self._clear(line, start) != mask >> start & 1:
            self.mended[key] = mask ^ 1 << start

    def _clear(self, line: Program, start: int) -> int:
        """One line: what blocks on the way is what blocked before; the ends' own moraines are looked at anew."""
        end = start + line.last
        raised = (self.high >> start | self.high >> end) & 1
        above = self.size if raised else 0
        planes = self.root.planes
        if any(planes[plane] >> number + start + above & 1 for plane, number in line.one):
            return 0
        if raised:
            return 1
        first, last = self.shut_first >> start & 1, self.shut_last >> end & 1
        if first and (last or not line.adjacent) and any(self._moraine(line.first, start)):
            return 0
        return 0 if last and any(self._moraine(line.final, start)) else 1

    def _moraine(self, terms: Iterable[Term], start: int) -> Iterator[int]:
        return (self.moraines[plane] >> number + start & 1 for plane, number in terms)


def _bits(value: int) -> Iterator[int]:
    while value:
        low = value & -value
        yield low.bit_length() - 1
        value ^= low

"""Every line of sight on a map at once, remembered, and right again after a change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from functools import cached_property, lru_cache
from typing import Any

from assistant.answers import BadQuestion
from assistant.games.arab_israeli_wars.ground import Ground
from assistant.games.arab_israeli_wars.sight_board import Codes, Numbers, difference
from assistant.games.arab_israeli_wars.sight_later import Later, easy
from assistant.games.arab_israeli_wars.sight_lines import readings
from assistant.games.arab_israeli_wars.sight_masks import Masks, Observer
from scenarios.hexes import Hex

__all__ = ["Masks", "Observer", "Sights", "all_pairs", "seen_from", "sights"]


class Sights:
    """All sight on one ground, remembered. A ground never changes: `after` gives the sights of the next one."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.how = readings(ground)
        self.codes = Codes(ground, Numbers(ground.table, ground.apart))
        self.places = self.codes.numbers.places
        self.root: Sights | None = None
        """The sights of the same ground before any change, without smoke; None where this is it."""
        self.changed: frozenset[Hex] = frozenset()
        """The hexes in which other markers stand than in the root's."""
        self._masks: dict[tuple[Observer, Observer], Masks] = {}
        self.told: dict[tuple[object, ...], Any] = {}
        smoky = {hex: works - {"smoke"} for hex, works in ground.works.items() if "smoke" in works}
        if smoky:
            self.root, self.changed = self.after(smoky), frozenset(smoky)
            self.root.root, self.root.changed = None, frozenset()

    def after(self, changes: Mapping[Hex, Iterable[str]]) -> Sights:
        """The sights when other markers stand in some hexes: smoke comes and goes, a cut is made.

        What doesn't touch the changed hexes is not worked out again.
        """
        later = copy(self)
        later.ground = self.ground.with_works(changes)
        later.codes = self.codes.after(later.ground, changes)
        later.root = self.root or self
        later.changed = self.changed.union(changes)
        later._masks, later.told = {}, {}
        return later

    def masks(self, first: Observer = "ground", last: Observer = "ground") -> Masks:
        """The bits for observers of these kinds at the first and at the last hex."""
        if (first, last) not in self._masks:
            self._masks[first, last] = self._made(first, last)
        return self._masks[first, last]

    def _made(self, first: Observer, last: Observer) -> Masks:
        if self.root is None or not easy(self.how):
            return Masks(self.codes, self.how, first, last)
        smoke = [hex for hex in self.changed if self.ground.has(hex, "smoke")]
        return Later(self.codes, self.root.masks(first, last), first, last, self.changed, smoke)

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
        if self.root is None:
            seen = [other for other, _, k in ahead if onward[k - key] >> bit & 1]
            seen += [other for other, b, k in behind if back[key - k] >> b & 1]
            return frozenset([hex, *seen])
        was_onward, was_back = self.root.masks(viewer, target), self.root.masks(target, viewer)
        numbers, lines = self.codes.numbers, onward.lines
        # The changed hexes as seen from this one; a line's hexes stand in `near` as seen from its first.
        seat = numbers.size + numbers.margin - bit
        changed = sum(1 << self.places[one][0] + seat for one in self.changed)
        here = changed >> numbers.size
        seen = [hex]
        for other, _, k in ahead:
            near = lines[k - key][0].near
            if (onward if near & here else was_onward)[k - key] >> bit & 1:
                seen.append(other)
        for other, b, k in behind:
            line = lines[key - k][0]
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
        for key in self.codes.numbers.keys:
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

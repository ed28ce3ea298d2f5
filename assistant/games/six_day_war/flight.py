"""Ways back from the enemy over open ground, for all units of a side (14.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from assistant.games.six_day_war.field import Field, Stand, other
from scenarios.hexes import Hex, distance


class Flight:
    """The retreats of a side while some of its enemies are dead. What is found on the way is remembered.

    Works don't stop the units of a `broken` front (21.3).
    """

    def __init__(self, field: Field, side: str, dead: frozenset[Stand], broken: bool) -> None:
        self.field, self.side, self.dead, self.broken = field, side, dead, broken
        self.seen: dict[Hex, bool] = {}
        self.known: dict[tuple[Hex, int], frozenset[Hex]] = {}
        self.odds: dict[tuple[Hex, tuple[int, ...]], Fraction] = {}

    @staticmethod
    def of(field: Field, side: str, dead: Iterable[Stand], broken: bool) -> Flight:
        """The one of a field, kept there."""
        key = (side, frozenset(dead), broken)
        if key not in field.flights:
            field.flights[key] = Flight(field, *key)
        return field.flights[key]

    def open(self, hex: Hex) -> bool:
        """Whether no living enemy, no zone of one and no closed country is in the way (12.1, 14.2, 25.4)."""
        if hex not in self.seen:
            field, foe = self.field, other(self.side)
            there = (*field.held[foe].get(hex, ()), *field.zones[foe].get(hex, ()))
            self.seen[hex] = self.dead.issuperset(there) and hex not in field.closed(self.side)
        return self.seen[hex]

    def ends(self, start: Hex, hexes: int) -> Iterator[tuple[Hex, ...]]:
        """A shortest way to every end: so many hexes away in as many steps, or in works before that (14.2, 14.5, 21.3)."""
        for path in self._walks(start, hexes):
            steps = len(path) - 1
            if self._works(path[-1]) or (steps == hexes and distance(start, path[-1]) == steps):
                yield path

    def all_ends(self, start: Hex, hexes: int) -> frozenset[Hex]:
        """Every end, with or without room."""
        if (start, hexes) not in self.known:
            self.known[start, hexes] = frozenset(path[-1] for path in self.ends(start, hexes))
        return self.known[start, hexes]

    def chance_of_no_end(self, start: Hex, far: Mapping[int, Fraction]) -> Fraction:
        """The chance that there is no end, with the chance of each number of hexes."""
        key = (start, tuple(far))
        if key not in self.odds:
            most = max(far)
            away = self._straight_away(start, most)
            # A way straight back has an end after each of its steps, so works matter only beyond it.
            works = most if away == most else self._first_works(start, most)
            self.odds[key] = sum((chance for count, chance in far.items() if away < count < works), Fraction(0))
        return self.odds[key]

    def _works(self, hex: Hex) -> bool:
        return not self.broken and self.field.protects(hex, self.side)

    def _straight_away(self, start: Hex, most: int) -> int:
        """How many hexes away a way of as many steps leads, up to a number."""
        longest, edge, seen = 0, [(start, 0)], {start}
        while edge and longest < most:
            hex, steps = edge.pop()
            longest = max(longest, steps)
            for near in self.field.ground.ways_out(hex):
                if near not in seen and distance(start, near) > steps and self.open(near):
                    seen.add(near)
                    edge.append((near, steps + 1))
        return longest

    def _first_works(self, start: Hex, most: int) -> int:
        """After how many steps works can be entered; one more than the most, if never."""
        return next((len(path) - 1 for path in self._walks(start, most) if self._works(path[-1])), most + 1)

    def _walks(self, start: Hex, hexes: int) -> Iterator[tuple[Hex, ...]]:
        """A shortest way to every hex that can be entered within so many hexes, the nearest first."""
        seen = {start}
        edge: list[tuple[Hex, ...]] = [(start,)]
        for _ in range(hexes):
            ahead: list[tuple[Hex, ...]] = []
            for path in edge:
                for near in self.field.ground.ways_out(path[-1]):
                    if near not in seen and self.open(near):
                        seen.add(near)
                        ahead.append((*path, near))
                        yield ahead[-1]
            edge = ahead

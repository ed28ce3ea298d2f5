"""Supply traces: sources that reach out over a net, claims that must be reached, and what would cut most."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple

from assistant.shared.hexpaths import Steps, Tree, way_without

Around = Callable[[int], AbstractSet[int]]


@dataclass(frozen=True, eq=False)
class Source:
    """Something that supplies: the ways from it, and the source that must itself reach it, if there is one."""

    name: str
    back: Steps
    tree: Tree
    limit: int | None = None
    root: int | None = None
    parent: Source | None = None

    def way(self, place: int) -> tuple[int, ...]:
        """The way to a place, from the parent's own start if there is one."""
        own = self.tree.path(place)
        if self.parent is None or self.root is None or self.root not in self.parent.tree.costs:
            return own
        return (*self.parent.way(self.root), *own[1:])


@dataclass(frozen=True)
class Claim:
    """A unit that wants supply: a way into any of the places `touch` serves it, from any of the sources."""

    name: str
    home: int
    touch: frozenset[int]
    sources: tuple[Source, ...]

    def best(self) -> tuple[Source, int] | None:
        """The source and the place that serve it most cheaply, or None when it is out of supply."""
        found = [
            (source.tree.costs[place], number, place)
            for number, source in enumerate(self.sources)
            for place in self.touch
            if place in source.tree.costs
        ]
        if not found:
            return None
        _, number, place = min(found)
        return self.sources[number], place


class Cut(NamedTuple):
    """A place, and the claims that go out of supply when the enemy takes it."""

    place: int
    names: tuple[str, ...]


def cuts(
    claims: Sequence[Claim], *, most: int = 1, taken: Around | None = None, around: Around | None = None,
    barred: Iterable[int] = (),
) -> tuple[Cut, ...]:  # fmt: skip
    """The places that, taken by the enemy, would cut most claims; worst first, ties by number.

    `taken` gives the places that are lost with one (its zone of control, say), `around` the places whose taking costs a
    given one, `barred` those that aren't asked about. Units in the taken place itself are gone, not cut. Exact: a place
    that leaves a known way to a claim whole can't cut it; each of the others is tried, and a way found around it is
    known from then on.
    """
    if most < 1:
        return ()
    ways = _Ways(around)
    allowed = ~sum(1 << place for place in frozenset(barred))
    losses: dict[int, _Loss] = {}
    alike: dict[tuple[int, frozenset[int], tuple[Source, ...]], list[str]] = {}
    for claim in claims:
        able = tuple(source for source in claim.sources if any(place in source.tree.costs for place in claim.touch))
        alike.setdefault((claim.home, claim.touch, able), []).append(claim.name)
    found: dict[int, list[str]] = {}
    for (home, touch, sources), names in alike.items():
        left = ways.common(touch, sources) & allowed & ~(1 << home)
        while left > 0:
            place = left.bit_length() - 1
            left ^= 1 << place
            if place not in losses:
                losses[place] = _Loss(frozenset((place,)) if taken is None else frozenset(taken(place)) | {place}, ways)
            spared = losses[place].way(touch, sources)
            if spared is None:
                found.setdefault(place, []).extend(names)
            else:
                left &= spared
    order = {claim.name: number for number, claim in enumerate(claims)}
    worst = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))[:most]
    return tuple(Cut(place, tuple(sorted(names, key=order.__getitem__))) for place, names in worst)


class _Ways:
    """Ways as sets of bits: every place whose taking would cut them."""

    def __init__(self, around: Around | None) -> None:
        self.around = around
        self.own: dict[Source, dict[int, int]] = {}
        self.base: dict[Source, int] = {}
        self.near: dict[int, int] = {}

    def threats(self, place: int) -> int:
        """The places whose taking costs this one."""
        if place not in self.near:
            mask = 1 << place
            for other in self.around(place) if self.around is not None else ():
                mask |= 1 << other
            self.near[place] = mask
        return self.near[place]

    def within(self, source: Source, place: int) -> int:
        """The way from a source itself to a place."""
        held = self.own.setdefault(source, {})
        fresh = []
        here: int | None = place
        while here is not None and here not in held:
            fresh.append(here)
            here = source.tree.before.get(here)
        mask = 0 if here is None else held[here]
        for step in reversed(fresh):
            mask = held[step] = mask | self.threats(step)
        return mask

    def whole(self, source: Source, place: int) -> int:
        """The way to a place from the very first source."""
        if source not in self.base:
            parent, root = source.parent, source.root
            self.base[source] = 0 if parent is None or root is None else self.whole(parent, root)
        return self.within(source, place) | self.base[source]

    def common(self, touch: frozenset[int], sources: tuple[Source, ...]) -> int:
        """What threatens every known way at once; nothing where there is no way."""
        masks = [self.whole(source, place) for source in sources for place in touch if place in source.tree.costs]
        common = -1 if masks else 0
        for mask in masks:
            common &= mask
        return common


class _Loss:
    """What is left when some places are lost."""

    def __init__(self, lost: frozenset[int], ways: _Ways) -> None:
        self.lost = lost
        self.ways = ways
        self.standing: dict[Source, int | None] = {}
        self.fallen: dict[Source, dict[int, bool]] = {}

    def way(self, touch: Iterable[int], sources: tuple[Source, ...]) -> int | None:
        """A way that any of the sources still has, or None."""
        for source in sources:
            base = self._stands(source)
            onward = None if base is None else self._reaches(source, touch)
            if base is not None and onward is not None:
                return base | onward
        return None

    def _stands(self, source: Source) -> int | None:
        """The way to a source that still works: its own place isn't lost, and its parent still reaches it."""
        if source not in self.standing:
            mask: int | None = None if source.root in self.lost else 0
            if mask is not None and source.parent is not None and source.root is not None:
                mask = self.way((source.root,), (source.parent,))
            self.standing[source] = mask
        return self.standing[source]

    def _reaches(self, source: Source, wanted: Iterable[int]) -> int | None:
        fallen = self.fallen.setdefault(source, {})
        way = way_without(source.back, source.tree, wanted, self.lost, source.limit, fallen)
        if way is None:
            return None
        mask = self.ways.within(source, way[0])
        for step in way[1:]:
            mask |= self.ways.threats(step)
        return mask

"""Which point's loss would cut most lines of communication (11.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import NamedTuple

from assistant.games.october_war.supply import Lines, can_swim
from assistant.shared.pointpaths import spread
from scenarios.position import Piece


class Cut(NamedTuple):
    """A point, and the units and controlled points that lose their line when the enemy takes it."""

    point: str
    units: tuple[Piece, ...]
    points: tuple[str, ...]


def cuts(lines: Lines) -> tuple[Cut, ...]:
    """The points that, taken by the enemy, would cut most units (then most controlled points), worst first.

    Units in the taken point itself don't count: they would be gone, not cut off. A bridge that falls with its bank
    (21.4) carries no line that doesn't pass the bank.
    """
    here = lines.ground
    swimmers = [can_swim(here.game.units[line.piece.unit]) for line in lines.all()]
    passed = {swims: unavoidable(lines.net(swims), lines.sources()) for swims in {False, *swimmers}}
    units: dict[str, list[Piece]] = {}
    points: dict[str, list[str]] = {}
    for line, swims in zip(lines.all(), swimmers, strict=True):
        at = str(line.piece.at)
        if line.supplied and not lines.safe(at):
            for point in passed[swims][at] - {at}:
                units.setdefault(point, []).append(line.piece)
    for held, side in here.control.items():
        if side == lines.side and not here.off_map(held):
            for point in passed[False].get(held, frozenset()) - {held}:
                points.setdefault(point, []).append(held)
    found = [
        Cut(point, tuple(units.get(point, ())), tuple(points.get(point, ())))
        for point in units.keys() | points.keys()
        if not here.off_map(point)
    ]
    return tuple(sorted(found, key=lambda cut: (-len(cut.units), -len(cut.points), cut.point)))


def unavoidable(net: Mapping[str, Iterable[str]], starts: Iterable[str]) -> dict[str, frozenset[str]]:
    """Of each point that can be reached: the points that every way to it passes, itself among them.

    A point that no way enters may still be the end of one, which starts from where its own steps lead.
    """
    place = {point: i for i, point in enumerate(["", *spread(net, starts).costs])}
    before: dict[str, list[str]] = {start: [""] for start in starts}
    for here in place:
        for there in net.get(here, ()):
            before.setdefault(there, []).append(here)
    # The last point before each that no way avoids: nearer to the start, so that walking back by it comes to an end.
    last = {"": ""}

    def meet(a: str, b: str) -> str:
        while a != b:
            a, b = (last[a], b) if place[a] > place[b] else (a, last[b])
        return a

    changed = True
    while changed:
        changed = False
        for here in list(place)[1:]:
            now = reduce(meet, [one for one in before[here] if one in last])
            changed |= last.get(here) != now
            last[here] = now
    passed: dict[str, frozenset[str]] = {"": frozenset()}
    for here in list(place)[1:]:
        passed[here] = passed[last[here]] | {here}
    for end, ends in net.items():
        inside = [there for there in ends if there in place]
        if end not in place and inside:
            passed[end] = passed[reduce(meet, inside)] | {end}
    return passed

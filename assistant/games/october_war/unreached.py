"""Why a unit can't move to a point: the fewest rules that stand in its way."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from assistant.games.october_war.ground import CANAL, WATER
from assistant.games.october_war.movement import CROSSINGS, Mover


def why_not(mover: Mover, wanted: str) -> list[str]:
    """The reasons, each with its rule, why a unit doesn't get to a point.

    Of all ways within its points, rules left aside, the one that breaks the fewest; where no way is short enough, the
    points it lacks.
    """
    name = mover.ground.map.points[wanted].name
    if "static" in mover.unit.abilities:
        return ["static units don't move (2.3)"]
    golan = mover.ground.map.in_area("golan")
    if mover.unit.side == "arab" and (wanted in golan) != (mover.start in golan):
        return [f"{name} is in the other theater, where Arab units never go (3.1)"]
    if mover.ground.map.points[wanted].terrain in CROSSINGS:
        return [f"nobody ends a move in {name}, which is water (21.6)"]
    queue: list[tuple[int, int, tuple[str, ...], tuple[str, ...]]] = [(0, 0, (mover.start,), ())]
    best: dict[str, list[tuple[int, int]]] = {}
    while queue:
        broken, cost, path, reasons = heapq.heappop(queue)
        here = path[-1]
        if here == wanted:
            return list(reasons)
        if any(b <= broken and c <= cost for b, c in best.get(here, ())):
            continue
        best.setdefault(here, []).append((broken, cost))
        if cost == mover.allowance:
            continue
        for there, kinds in mover.ground.map.adjacent(here).items():
            if there not in path:
                more = tuple(one for one in _broken(mover, path, there, kinds) if one not in reasons)
                heapq.heappush(queue, (broken + len(more), cost + 1, (*path, there), (*reasons, *more)))
    return [f"{name} is {_distance(mover, wanted)} points away, and it has {mover.allowance} (13.2)"]


def _broken(mover: Mover, path: tuple[str, ...], there: str, kinds: frozenset[str]) -> Iterator[str]:
    """The rules that a further step would break."""
    here, names = path[-1], {point: shape.name for point, shape in mover.ground.map.points.items()}
    if here != mover.start and (halt := mover.halt(here)):
        yield f"it must stop in {names[here]}: {halt}"
    if len(path) > 1 and _swum(mover, path[-2], here):
        yield f"crossing the canal to {names[here]} without a bridge takes its whole move (21.1, 21.7)"
    if shut := mover.shut(there):
        yield f"{names[there]} is {shut}"
    if kinds - {CANAL, WATER} or (WATER in kinds and mover.swims):
        return
    if WATER in kinds:
        if not mover.shut(there):
            yield f"only amphibious units and Israeli commandos go over water to {names[there]} (21.6)"
    elif CANAL in kinds and not mover.ground.bridged(here, there, mover.unit.side):
        if not mover.crosses(here, there):
            yield f"no bridge of its own side spans the canal from {names[here]} to {names[there]} (21.1, 21.3)"
        elif len(path) > 1:
            yield "crossing the canal without a bridge takes its whole move (21.1, 21.7)"


def _swum(mover: Mover, here: str, there: str) -> bool:
    """Whether a step went over the canal without a bridge."""
    kinds = mover.ground.map.adjacent(here)[there]
    return CANAL in kinds and not kinds - {CANAL, WATER} and not mover.ground.bridged(here, there, mover.unit.side)


def _distance(mover: Mover, wanted: str) -> int:
    """How many routes away a point is at least, whatever bars them."""
    seen, rim, far = {mover.start}, {mover.start}, 0
    while wanted not in rim:
        far += 1
        rim = {there for here in rim for there in mover.ground.map.adjacent(here)} - seen
        seen |= rim
        assert rim, "every point of a map can be reached by its routes"
    return far

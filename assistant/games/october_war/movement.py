"""Ground movement of October War from point to point (13.0, 21.0, 25.0)."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from assistant.games.october_war.ground import CANAL, ENEMY, WATER, Ground
from assistant.games.october_war.limits import CUT_OFF, DOUBLED, MOVEMENT, limit, within
from assistant.games.october_war.supply import FORTS, lines_of
from scenarios.counters import Unit
from scenarios.position import Piece

ON_FOOT = ("infantry", "paratroop", "airmobile_infantry", "commando", "irregular")  # 13.7, 21.1
CROSSINGS = ("lake_crossing", "red_sea_crossing")


class Reach(NamedTuple):
    """A point that a unit can move to: what it pays, the way, and whether it must stop there."""

    cost: int
    path: tuple[str, ...]
    stops: bool


@dataclass(frozen=True)
class Mover:
    """A unit about to move, with what its start gives it."""

    ground: Ground
    unit: Unit
    start: str

    @property
    def allowance(self) -> int:
        """13.2: two points, one without a line of communication; doubled from a reserve area or a depot (13.3, 13.9)."""
        if "static" in self.unit.abilities or self.unit.class_ == "strike":
            return 0
        here = Piece(self.unit.id, "", self.unit.nation, self.start)
        supplied = lines_of(self.ground, self.unit.side).line(here, self.unit).supplied
        doubled = self.ground.off_map(self.start) or self._mate("depot_rate")
        game, side = self.ground.game, self.unit.side
        base = limit(game, MOVEMENT if supplied else CUT_OFF, side)
        return int(base * (limit(game, DOUBLED, side) if doubled else 1))

    @property
    def swims(self) -> bool:
        """21.6: amphibious units, and Israeli commandos."""
        commando = self.unit.type == "commando" and self.unit.side == "israeli"
        return "amphibious" in self.unit.abilities or commando

    def _mate(self, ability: str) -> bool:
        return any(ability in unit.abilities for _, unit in self.ground.stack(self.start, self.unit.side))

    def crosses(self, here: str, there: str) -> bool:
        """Whether it may cross the canal without a bridge, all its movement for one step (21.1, 21.7)."""
        helped = self.unit.type in ON_FOOT and self._mate("engineering")
        return here == self.start and (self.swims or helped)

    def enters(self, there: str) -> bool:
        """Whether the point is open to it at all."""
        shape = self.ground.map.points[there]
        if self.ground.off_map(there):
            return self.ground.owner(there) == self.unit.side
        if shape.terrain in CROSSINGS:
            return self.swims
        if "no_crossing" in self.unit.abilities and there in self.ground.map.in_area("east_of_canal"):
            return False
        return self._chart(there) != "prohibited"

    def stops(self, there: str) -> bool:
        """Whether it must end its move there (13.5, 13.6, 25.3); not in own forts, nor in one that friends hold (2.6)."""
        if self.ground.off_map(there) or self.ground.holds(ENEMY[self.unit.side], there):
            return True
        fort = self.ground.map.points[there].terrain in FORTS
        if fort and (self.ground.owner(there) == self.unit.side or self.ground.holds(self.unit.side, there)):
            return False
        return self._chart(there) == "stop"

    def _chart(self, there: str) -> str:
        terrain = self.ground.map.points[there].terrain
        tables = self.ground.game.tables
        if terrain in tables["terrain_by_faction"].cells:
            table = tables["terrain_by_faction"]
            return table.cell(terrain, table.named_column("move")).code
        table = tables["terrain"]
        column = "move_mechanized" if self.unit.class_ == "mechanized" else "move_other"
        return table.cell(terrain, table.named_column(column)).code


def moves(mover: Mover) -> Mapping[str, Reach]:
    """Every point that a unit can end its move in, with the cheapest way."""
    table, allowance = mover.ground.map, mover.allowance
    best: dict[str, Reach] = {}
    queue: list[tuple[int, tuple[str, ...]]] = [(0, (mover.start,))]
    while queue:
        cost, path = heapq.heappop(queue)
        here = path[-1]
        if here in best:
            continue
        best[here] = Reach(cost, path, here != mover.start and mover.stops(here))
        if best[here].stops:
            continue
        for there, kinds in table.adjacent(here).items():
            price = _price(mover, here, there, kinds, allowance - cost)
            if price is not None and there not in best and cost + price <= allowance:
                heapq.heappush(queue, (cost + price, (*path, there)))
    return {point: reach for point, reach in best.items() if table.points[point].terrain not in CROSSINGS}


def _price(mover: Mover, here: str, there: str, kinds: frozenset[str], left: int) -> int | None:
    """What a step costs (13.3): one point; all of them over the canal without a bridge (21.1, 21.7)."""
    if not mover.enters(there) or left < 1:
        return None
    if kinds - {CANAL, WATER} or (WATER in kinds and mover.swims):
        return 1
    if CANAL in kinds:
        if mover.ground.bridged(here, there, mover.unit.side):
            return 1
        return left if mover.crosses(here, there) else None
    return None


def overstacked(here: Ground, unit: Unit, point: str) -> bool:
    """Whether a point would hold too much of a side if a unit came there (12.1); reserve areas never do (25.6)."""
    held = [one for _, one in here.stack(point, unit.side)]
    return not here.off_map(point) and bool(within(here.game, [*held, unit], lambda one: one, unit.side)[1])

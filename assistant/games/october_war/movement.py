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
        doubled = self.ground.off_map(self.start) or self._mate("depot_rate")
        game, side = self.ground.game, self.unit.side
        base = limit(game, MOVEMENT if self.supplied else CUT_OFF, side)
        return int(base * (limit(game, DOUBLED, side) if doubled else 1))

    @property
    def supplied(self) -> bool:
        """Whether it has a line of communication (11.2)."""
        here = Piece(self.unit.id, "", self.unit.nation, self.start)
        return lines_of(self.ground, self.unit.side).line(here, self.unit).supplied

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
        return not self.shut(there)

    def shut(self, there: str) -> str:
        """Why the point is never open to it; nothing where it is."""
        shape = self.ground.map.points[there]
        if self.ground.off_map(there):
            return "" if self.ground.owner(there) == self.unit.side else "the enemy's reserve area (25.2)"
        if shape.terrain in CROSSINGS:
            return "" if self.swims else "water, open only to amphibious units and Israeli commandos (21.6)"
        if "no_crossing" in self.unit.abilities and there in self.ground.map.in_area("east_of_canal"):
            return "east of the canal, where the city brigades never go (5.2 (2))"
        if self._chart(there) != "prohibited":
            return ""
        terrain = self.ground.game.terrain[shape.terrain].name.lower()
        whom = "the mechanized class" if self.unit.class_ == "mechanized" else "it"
        return f"{terrain}, closed to {whom} (Terrain Effects Chart)"

    def stops(self, there: str) -> bool:
        """Whether it must end its move there; not in own forts, nor in one that friends hold (2.6)."""
        return bool(self.halt(there))

    def halt(self, there: str) -> str:
        """Why it must end its move there (13.5, 13.6, 25.3); nothing where it may go on."""
        if self.ground.off_map(there):
            return "a reserve area (25.3)"
        if self.ground.holds(ENEMY[self.unit.side], there):
            return "enemy units (13.6)"
        terrain = self.ground.map.points[there].terrain
        if terrain in FORTS and (
            self.ground.owner(there) == self.unit.side or self.ground.holds(self.unit.side, there)
        ):
            return ""
        return f"{self.ground.game.terrain[terrain].name.lower()} (13.5)" if self._chart(there) == "stop" else ""

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


def overstacked(here: Ground, unit: Unit, start: str, point: str) -> str:
    """Why a point would hold too much of a side if a unit came there from another; nothing if it wouldn't.

    Reserve areas have no limit (25.6).
    """
    if here.off_map(point):
        return ""
    stack = here.stack(point, unit.side)
    held = [one for _, one in stack]
    if unit.type == "headquarters" and any((one.type, one.size) == (unit.type, unit.size) for one in held):
        return f"a second headquarters of that size ({unit.size}) in the point (12.1, 17.4)"
    coming = [piece for piece, one in here.units if one.id == unit.id and piece.at == start]
    home = any(here.at_home(piece, point) for piece in (*coming[:1], *(piece for piece, _ in stack)))
    over = within(here.game, [*held, unit], lambda one: one, unit.side, int(home))[1]
    return "over the stacking limit (12.1)" if over else ""

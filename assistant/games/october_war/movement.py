"""Ground movement of October War from point to point (13.0, 21.0, 25.0)."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from assistant.attacks import BadQuestion
from assistant.games.october_war.ground import CANAL, ENEMY, WATER, Ground, ground
from assistant.games.october_war.supply import FORTS, Lines
from assistant.shared.asking import Options, Said, asked_position
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.position import Piece
from scenarios.reading.findings import instead

BASE = 2  # 13.2
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
        supplied = Lines(self.ground, self.unit.side).reach(self.start, self.swims) is not None
        doubled = self.ground.off_map(self.start) or self._mate("depot_rate")
        return (BASE if supplied else 1) * (2 if doubled else 1)

    @property
    def swims(self) -> bool:
        """21.6: amphibious units, and Israeli commandos."""
        commando = self.unit.type == "commando" and self.unit.side == "israeli"
        return "amphibious" in self.unit.abilities or commando

    def _mate(self, ability: str) -> bool:
        here = [unit for piece, unit in self.ground.units if piece.at == self.start and unit.side == self.unit.side]
        return any(ability in unit.abilities for unit in here)

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


def asked_mover(here: Ground, options: Options) -> Mover:
    """`unit`, and `from` where it isn't on the map of the position."""
    name = str(options.get("unit") or "")
    if name not in here.game.units:
        raise BadQuestion(f"no counter is called {name!r}; {instead(name, here.game.units)}")
    unit = here.game.units[name]
    start = str(options.get("from_") or options.get("from") or "")
    if not start:
        start = next((str(piece.at) for piece, held in here.units if held.id == name), "")
    if start not in here.map.points:
        raise BadQuestion(f"say where {unit.name} starts; {instead(start, here.map.points)}" if start else
                          f"{unit.name} is not on the map; say where it starts")  # fmt: skip
    return Mover(here, unit, start)


def move_answer(game: Game, options: Options) -> Said:
    """Where a unit can go: `unit`, `from`, `to`, and a position or scenario with who is where."""
    position = asked_position(game, options)
    here = ground(game, position)
    mover = asked_mover(here, options)
    if not any(piece.at == mover.start and unit.id == mover.unit.id for piece, unit in here.units):
        piece = Piece(mover.unit.id, "moving", mover.unit.nation, mover.start)
        here = ground(game, replace(position, pieces=(*position.pieces, piece)))
        mover = Mover(here, mover.unit, mover.start)
    found = dict(moves(mover))
    wanted = str(options.get("to") or "")
    if wanted:
        if wanted not in here.map.points:
            raise BadQuestion(f"there is no point {wanted!r}; {instead(wanted, here.map.points)}")
        found = {wanted: found[wanted]} if wanted in found else {}
    json = {
        "game": game.id, "unit": mover.unit.id, "from": mover.start, "allowance": mover.allowance,
        "points": {p: {"cost": r.cost, "path": list(r.path), "stops": r.stops} for p, r in found.items()},
    }  # fmt: skip
    names = {point: shape.name for point, shape in here.map.points.items()}
    lines = [f"{mover.unit.name} in {names[mover.start]}: {mover.allowance} movement points"]
    lines += [
        f"  {names[p]:22} {r.cost}{' stop' * r.stops:5}  {' - '.join(names[q] for q in r.path[1:])}"
        for p, r in sorted(found.items(), key=lambda item: (item[1].cost, item[0]))
        if p != mover.start
    ]
    return json, lines if found else [*lines, f"  {names[wanted]} is out of its reach"]

"""Resolve an area to the hexes, points or boxes of a map."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scenarios.model.areas import Area, Beyond, Compass, Within
from scenarios.model.hexes import Hex, disk, distance, neighbours, sides
from scenarios.model.maps import HexMap
from scenarios.model.points import PointMap
from scenarios.reading.findings import suggest
from scenarios.reading.shapes import Findings, place

Location = Hex | str
"""A hex of a map, the id of a point, or `box:ID`."""

UnitPlaces = Callable[[str], Iterable[Location]]
_VECTORS: dict[str, tuple[int, int]] = {
    "north": (0, -1), "northeast": (1, -1), "east": (1, 0), "southeast": (1, 1),
    "south": (0, 1), "southwest": (-1, 1), "west": (-1, 0), "northwest": (-1, -1),
}  # fmt: skip
_QUARTERS = {"up": 0, "right": 1, "down": 2, "left": 3}


class Resolver:
    """Resolves areas on one map. Errors in an area go to `findings`."""

    def __init__(
        self,
        field: HexMap | PointMap,
        zones: Mapping[str, Area] | None = None,
        findings: Findings | None = None,
        units: UnitPlaces | None = None,
    ) -> None:
        self.field = field
        self.zones = zones or {}
        self.findings = Findings() if findings is None else findings
        self.units = units
        self._busy: set[str] = set()

    def everything(self) -> frozenset[Location]:
        """Every hex or point of the map."""
        if isinstance(self.field, HexMap):
            return self.field.field
        return frozenset(self.field.points)

    def places(self, area: Area) -> frozenset[Location]:
        """All places that meet every condition of the area."""
        if area.box:
            boxes = {**self.field.boxes, **self.field.tracks}
            if area.box not in boxes:
                self._wrong(area, "box", f"there is no box {area.box!r} beside this map; {suggest(area.box, boxes)}")
            track = self.field.tracks.get(area.box)
            spaces = track.labels if track is not None else ()
            if area.space and area.space not in spaces:
                self._wrong(area, "space", f"{area.box} has no space {area.space!r}; {suggest(area.space, spaces)}")
            return frozenset({f"box:{area.box}/{area.space}" if area.space in spaces[1:] else f"box:{area.box}"})
        locations = self.everything()
        for condition in (self._named_places, self._boards, self._terrain, self._places_near):
            locations = condition(area, locations)
        if area.any_:
            locations &= frozenset(spot for part in area.any_ for spot in self.places(part))
        if area.except_:
            locations -= self.places(area.except_)
        return locations

    def _wrong(self, record: Any, key: str, message: str, *steps: int) -> None:
        if record.node is not None:
            self.findings.add(place(record, key, *steps), message)

    def _named_places(self, area: Area, locations: frozenset[Location]) -> frozenset[Location]:
        """Select hexes, points, zones and places by name."""
        if area.hex:
            locations &= self._resolve_name(area, "hex", area.hex)
        if area.hexes:
            locations &= frozenset(
                s for i, name in enumerate(area.hexes) for s in self._resolve_name(area, "hexes", name, i)
            )
        if area.point:
            locations &= self._resolve_name(area, "point", area.point)
        if area.points:
            locations &= frozenset(
                s for i, name in enumerate(area.points) for s in self._resolve_name(area, "points", name, i)
            )
        if area.zone:
            locations &= self._zone(area)
        if area.place:
            places = self.field.places if isinstance(self.field, HexMap) else {}
            if area.place not in places:
                self._wrong(
                    area, "place", f"there is no place {area.place!r} on this map; {suggest(area.place, places)}"
                )
            else:
                locations &= frozenset(places[area.place].hexes)
        return locations

    def _resolve_name(self, record: Any, key: str, name: str, *steps: int) -> frozenset[Location]:
        if isinstance(self.field, PointMap):
            if name not in self.field.points:
                self._wrong(record, key, f"there is no point {name!r}; {suggest(name, self.field.points)}", *steps)
                return frozenset()
            return frozenset({name})
        try:
            return frozenset({self.field.hex(name)})
        except ValueError as error:
            self._wrong(record, key, str(error), *steps)
            return frozenset()

    def _zone(self, area: Area) -> frozenset[Location]:
        if area.zone in self.zones and area.zone not in self._busy:
            self._busy.add(area.zone)
            try:
                return self.places(self.zones[area.zone])
            finally:
                self._busy.discard(area.zone)
        regions: Mapping[str, Any]
        if isinstance(self.field, HexMap):
            regions = self.field.zones
            if area.zone in regions:
                return frozenset(regions[area.zone])
        else:
            regions = self.field.areas
            if area.zone in regions:
                return frozenset(self.field.in_area(area.zone))
        self._wrong(
            area, "zone", f"there is no zone {area.zone!r} on this map; {suggest(area.zone, [*regions, *self.zones])}"
        )
        return frozenset()

    def _boards(self, area: Area, locations: frozenset[Location]) -> frozenset[Location]:
        """Select boards, rows of hexes and edges."""
        if not (area.board or area.boards or area.rows or area.edge or area.beyond):
            return locations
        if not isinstance(self.field, HexMap):
            assert area.node is not None
            self.findings.add(area.node, "boards, rows and edges are of hex maps; name points or a zone")
            return locations
        board_by_id = {placed_board.board.id: placed_board for placed_board in self.field.placed}
        boards = (area.board, *area.boards) if area.board else area.boards
        for i, board in enumerate(boards):
            if board not in board_by_id:
                key = "board" if board == area.board else "boards"
                steps = [i] if key == "boards" else []
                self._wrong(area, key, f"board {board!r} is not on this map; {suggest(board, board_by_id)}", *steps)
        boards = tuple(board for board in boards if board in board_by_id)
        if boards and not area.edge:
            locations &= frozenset(hex for board in boards for hex in self.field.on_board(board))
        if area.edge:
            edges = [self.field.edge(area.edge, board) for board in boards] or [self.field.edge(area.edge)]
            locations &= frozenset(hex for edge in edges for hex in edge)
        if area.rows:
            locations &= frozenset(
                hex for i, row in enumerate(area.rows) for hex in self._row(area, "rows", row, boards, i)
            )
        if area.beyond:
            locations &= self._places_beyond(area.beyond, boards)
        return locations

    def _row(self, record: Any, key: str, row: str, boards: tuple[str, ...], *steps: int) -> frozenset[Hex]:
        assert isinstance(self.field, HexMap)
        result: set[Hex] = set()
        for placed_board in self.field.placed:
            if boards and placed_board.board.id not in boards:
                continue
            try:
                result |= {placed_board.to_map(hex) for hex in placed_board.board.grid.in_column(row)}
            except ValueError as error:
                self._wrong(record, key, str(error), *steps)
                break
        return frozenset(result)

    def _places_beyond(self, limit: Beyond, boards: tuple[str, ...]) -> frozenset[Location]:
        assert isinstance(self.field, HexMap)
        field = self.field
        origin_keys = [key for key in ("row", "hex", "of") if getattr(limit, key)]
        if len(origin_keys) != 1:
            self._wrong(limit, "toward", "`beyond` is of one thing: a row, a hex or an area (`of`)")
            return self.everything()
        if limit.row:
            line: frozenset[Location] = self._row(limit, "row", limit.row, boards)
        else:
            line = self._resolve_name(limit, "hex", limit.hex) if limit.hex else self.places(limit.of)  # type: ignore[arg-type]
        marks = [field.spot(hex) for hex in line if isinstance(hex, Hex)]
        if not marks:
            return frozenset()
        right, downward = toward(field, limit.toward)
        if limit.row and (right if field.orientation == "flat" else downward) == 0:
            self._wrong(limit, "toward", f"row {limit.row} runs {limit.toward}ward itself; name a direction across it")
            return self.everything()

        straight = bool(limit.row or limit.hex or (right and downward))
        farthest: dict[int, int] = {}
        for mark in marks:
            level = 0 if straight else mark[1] if right else mark[0]
            farthest[level] = max(farthest.get(level, -(10**9)), right * mark[0] + downward * mark[1])
        if straight:
            min_projection = max(farthest.values()) + (not limit.inclusive)
            return frozenset([hex for hex, (x, y) in field.spots.items() if right * x + downward * y >= min_projection])
        beyond_hexes = set()
        for hex, spot in field.spots.items():
            # Level with the line: the same column. Across, adjacent rows count too, which are half a hex off.
            levels = [spot[1] - 1, spot[1], spot[1] + 1] if right else [spot[0]]
            level_limits = [farthest[level] for level in levels if level in farthest]
            projection = right * spot[0] + downward * spot[1]
            if level_limits and (
                projection > max(level_limits) or (limit.inclusive and projection == max(level_limits))
            ):
                beyond_hexes.add(hex)
        return frozenset(beyond_hexes)

    def _terrain(self, area: Area, locations: frozenset[Location]) -> frozenset[Location]:
        """Select kinds of hex, and hexes on a path."""
        if area.terrain:
            if isinstance(self.field, HexMap):
                terrain = self.field.terrain
                locations = frozenset(h for h in locations if isinstance(h, Hex) and terrain.get(h) in area.terrain)
            else:
                points = self.field.points
                locations = frozenset(p for p in locations if isinstance(p, str) and points[p].terrain in area.terrain)
        if area.path and isinstance(self.field, HexMap):
            locations &= frozenset(hex for path in self.field.paths if path.kind == area.path for hex in path.hexes)
            if area.sides:
                path_kinds = self.field.path_sides
                locations = frozenset(
                    hex
                    for hex in locations
                    if isinstance(hex, Hex)
                    and sum(area.path in path_kinds.get(side, ()) for side in sides(hex)) >= area.sides
                )
        return locations

    def _places_near(self, area: Area, locations: frozenset[Location]) -> frozenset[Location]:
        """Select the places of markers, if these are known, and places within a distance."""
        if area.marker and self.units is not None:
            locations &= frozenset(self.units(area.marker))
        if area.adjacent:
            core = self.places(area.adjacent)
            locations = self._reach(core, 1) & locations - core
        if area.within:
            near_core = self._core(area.within)
            if near_core is not None:
                locations &= self._reach(near_core, area.within.distance)
        if area.at_least:
            far_core = self._core(area.at_least)
            if far_core is not None:
                locations -= self._reach(far_core, area.at_least.distance - 1)
        return locations

    def _core(self, within: Within) -> frozenset[Location] | None:
        if within.units:
            return frozenset(self.units(within.units)) if self.units else None
        if within.of is None:
            self._wrong(within, "distance", "say from what the distance counts: `of` an area, or `units` of a side")
            return None
        return self.places(within.of)

    def _reach(self, core: frozenset[Location], steps: int) -> frozenset[Location]:
        """Every place within this many steps of a place in the core."""
        if steps < 0:
            return frozenset()
        if len(core) == 1 and isinstance(self.field, HexMap):
            (middle,) = core
            if isinstance(middle, Hex) and 3 * steps * (steps + 1) < len(self.field.hexes):
                return self.field.field & frozenset(disk(middle, steps))
            if isinstance(middle, Hex):
                return frozenset(hex for hex in self.field.hexes if distance(middle, hex) <= steps)
        reach, edge = set(core), set(core)
        for _ in range(steps):
            edge = {neighbour for spot in edge for neighbour in self._adjacent(spot)} - reach
            reach |= edge
        return frozenset(reach)

    def _adjacent(self, spot: Location) -> Iterable[Location]:
        if isinstance(spot, Hex):
            return [hex for hex in neighbours(spot) if hex in self.field] if isinstance(self.field, HexMap) else []
        return self.field.adjacent(spot) if isinstance(self.field, PointMap) and spot in self.field.points else []


def toward(field: HexMap, compass: Compass) -> tuple[int, int]:
    """A compass direction as an offset to the right and down the sheet."""
    right, downward = _VECTORS[compass]
    for _ in range(_QUARTERS[field.north]):
        right, downward = -downward, right
    return right, downward

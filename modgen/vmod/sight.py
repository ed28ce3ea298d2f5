"""Sight in a module: who sees whom is worked out when it is built and kept in tables that an expression looks up.

A table is a global translatable message, which is a constant: no save has it. Each way that boards lie has one table with a
bit for each pair of hexes, six to a character, and one with what shields each hex. A hex's number is arithmetic on
pixels, so names, turned boards and seams don't matter. A set-up writes down which tables are its own.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.rules.field import Field
from assistant.rules.kinds import kinds_for, program_of
from assistant.rules.lines import CORNER, CROSSED, LAST, Kind
from assistant.rules.program import PLACES
from assistant.rules.sight import Sights
from modgen.cache import Cache, code_key, key_of
from modgen.vmod.xml import MODULE, Part
from scenarios.game import Game
from scenarios.hexes import DIRECTIONS, Hex
from scenarios.maps import HexMap
from scenarios.position import Position
from scenarios.vassal.geometry import Sheet, pixels

LAYOUT = "Layout"
"""The property that tells which tables hold."""
LETTERS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
FLIES = {"arab_israeli_wars": 'class == "air" and not down'}
"""The games whose sight the assistant works out, and which of their units see and are seen from everywhere."""
AIR = "air"
"""How its rules call an observer in the air."""
READS = ("sight", "shielded")


def read_here(game: Game) -> bool:
    """Whether battles of a game read sight, and the tables for it can be made."""
    shapes = (
        one for attack in game.attacks.values() for group in attack.groups.values() for one in group.inputs.values()
    )
    return game.id in FLIES and any(shape.read in READS for shape in shapes)


@dataclass(frozen=True)
class Layout:
    """Boards as they lie: what tells one arrangement from another, and sight on them."""

    key: str
    sights: Sights = field(compare=False)

    @property
    def cells(self) -> Cells:
        """How its hexes are numbered."""
        return Cells(self.map)

    @property
    def map(self) -> HexMap:
        """The boards put together."""
        return self.sights.map.map

    @property
    def apart(self) -> bool:
        """Whether boards lie so that not even a flying unit sees from one to another."""
        codes, judge = self.sights.codes.far, self.sights.judge(AIR, AIR)
        return any(judge.ends(a, b, 1) for a in set(codes) for b in set(codes))


class Cells:
    """The numbers of a map's hexes: lane by lane, from their pixels."""

    def __init__(self, table: HexMap) -> None:
        self.sheet = Sheet(table)
        grid = pixels(table.placed[0].board.grid)
        self.lane, self.half = grid.lane, grid.high // 2
        width, height = self.sheet.size
        self.rows = round(height / self.half) // 2 + 1
        self.count = (round(width / self.lane) + 1) * self.rows
        self.wide = -(-self.count // 6)
        self.of: dict[Hex, int] = {hex: self.at(*self.sheet.centre(hex)) for hex in table.hexes}

    def at(self, x: int, y: int) -> int:
        """The number of the hex around a point in pixels."""
        return round(x / self.lane) * self.rows + round(y / self.half) // 2


def layouts(game: Game) -> dict[str, Layout]:
    """The layout of every scenario."""
    return {key: _layout(game, key) for key in game.scenarios} if read_here(game) else {}


def _layout(game: Game, scenario: str) -> Layout:
    table, rules = game.scenario_maps[scenario], game.rules
    assert isinstance(table, HexMap) and rules is not None
    sights = Field(kinds_for(game, table, scenario), Position(game.id, scenario)).sights
    corners = Sheet(table).corners
    lying = [(p.board.id, p.turned, corners[p.board.id], p.board.terrain, p.board.hexsides) for p in table.placed]
    values = {name: formula.text for name, formula in rules.values.items() if formula is not None}
    layout = Layout("", sights)
    return Layout(repr((lying, layout.apart, rules.sight, values, sights.codes.context)), sights)


@dataclass(frozen=True)
class Tables:
    """The tables of one layout."""

    seen: str
    air: str
    """Where boards lie apart: who sees whom from the air. Elsewhere a flying unit sees all."""
    shields: str


def tables(layout: Layout, cache: Cache | None = None) -> Tables:
    """Sight and shields of a layout; those in the cache aren't worked out again."""

    def made() -> bytes:
        cells = layout.cells
        air = packed(cells, _rows(layout.sights, AIR)) if layout.apart else ""
        return "\n".join((packed(cells, _rows(layout.sights)), air, _shields(cells, layout.sights))).encode("ascii")

    kept = cache or Cache(None)
    return Tables(*kept.made(key_of("sight", code_key(), layout.key), made).decode("ascii").split("\n"))


def packed(cells: Cells, rows: Mapping[Hex, Iterable[Hex]]) -> str:
    """A bit for each pair of hexes, row by row."""
    result = ["A" * cells.wide] * cells.count
    for hex, seen in rows.items():
        row = [0] * cells.wide
        for other in seen:
            number = cells.of[other]
            row[number // 6] |= 1 << number % 6
        result[cells.of[hex]] = "".join([LETTERS[bits] for bits in row])
    return "".join(result)


def _rows(sights: Sights, observer: str = "") -> dict[Hex, list[Hex]]:
    """What is seen from every hex, its own included."""
    sights.all_pairs(observer, observer)
    places: Any = sights.field.kinds.places
    return {hex: [hex, *(places[m] for m in sights.seen_from(n, observer, observer))] for n, hex in enumerate(places)}


def _shields(cells: Cells, sights: Sights) -> str:
    """Three characters for each hex: the sides that shield at ground level, those that shield at any, whether it is high."""
    codes, judge = sights.codes, sights.judge("", "")
    sides = sorted({code for plane in codes.planes[:3] for code in plane} - {0})
    shielding = {
        (first, last): frozenset(code for code in sides if judge.shields(Kind(0, CROSSED, LAST, False, 0, 0), code, first, last))
        for first in set(codes.ends)
        for last in set(codes.ends)
    }
    most = max(shielding.values(), key=len)
    high = {end: shielding[end, end] != most for end in set(codes.ends)}
    least = next((held for (first, last), held in shielding.items() if high[first] or high[last]), frozenset[int]())
    if any(held != (least if high[first] or high[last] else most) for (first, last), held in shielding.items()):
        raise ValueError("a module's tables know two levels of the ground: sides shield from some ends that neither of them has")
    result = ["AAA"] * cells.count
    row, places = sights.row, sights.field.kinds.places
    for n, number in enumerate(row.numbers):
        held = [codes.planes[d % 3][number if d < 3 else number + row.steps[d]] for d in range(len(DIRECTIONS))]
        bars, crests = (_clockwise(sum(1 << d for d, code in enumerate(held) if code in some)) for some in (most, least))
        result[cells.of[places[n]]] = LETTERS[bars] + LETTERS[crests] + ("B" if high[codes.ends[n]] else "A")  # type: ignore[index]
    return "".join(result)


def _clockwise(bits: int) -> int:
    """Sides by direction as sides clockwise from the upper one."""
    order = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)]
    return sum(1 << order.index((q, 2 * r + q)) for d, (q, r) in enumerate(DIRECTIONS) if bits >> d & 1)


def _numbered(lying: Iterable[Layout]) -> dict[Layout, int]:
    return {layout: number for number, layout in enumerate(dict.fromkeys(lying), 1)}


def messages(game: Game, cache: Cache | None = None) -> list[Part]:
    """Every table as a constant of the module, each once."""
    parts: list[Part] = []
    for layout, number in _numbered(layouts(game).values()).items():
        held = tables(layout, cache)
        named = {f"Sight{number}": held.seen, f"SightAir{number}": held.air, f"Shield{number}": held.shields}
        parts += [
            Part(MODULE + "properties.GlobalTranslatableMessage", name=name, initialValue=text, description="Sight")
            for name, text in named.items()
            if text
        ]
    return parts


def written(game: Game) -> dict[str, str]:
    """What each set-up writes down: the number of its tables, rows in a lane, characters in a row, from the air, what hides."""
    lying = layouts(game)
    numbers = _numbered(lying.values())
    result: dict[str, str] = {}
    for scenario, held in lying.items():
        cells, judge = held.cells, held.sights.judge("", "")
        air = "air" if held.apart else "all"
        hides = "/".join(["", *(one for one in obstacles(game) if judge.matters(one, held.sights.codes)), ""])
        result[scenario] = f"{numbers[held]};{cells.rows};{cells.wide};{air};{hides}"
    return result


def corners_shield(game: Game) -> bool:
    """Whether a side shields from a line that only touches its end, by the reading that holds."""
    sights = _layout(game, next(iter(game.scenarios))).sights
    ends, sides = set(sights.codes.ends), {code for plane in sights.codes.planes[:3] for code in plane} - {0}
    kind, judge = Kind(0, CORNER, LAST, False, 0, 0), sights.judge("", "")
    return any(judge.shields(kind, code, first, last) for code in sides for first in ends for last in ends)


def obstacles(game: Game) -> list[str]:
    """The markers that change sight and that no table knows."""
    asked = program_of(game).seeing if read_here(game) else frozenset()
    return [one for one in game.markers if any(f"{prefix}.{one}" in asked for prefix in PLACES)]

"""Sight in a module: who sees whom is worked out when it is built and kept in tables that an expression looks up.

A table is a global translatable message, which is a constant: no save has it. Each way that boards lie has one table with a
bit for each pair of hexes, six to a character, and one with what shields each hex. A hex's number is arithmetic on
pixels, so names, turned boards and seams don't matter. A set-up writes down which tables are its own.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from assistant.games.arab_israeli_wars import sight_rows
from assistant.games.arab_israeli_wars.ground import Ground
from modgen.cache import Cache, code_key, key_of
from modgen.vmod.xml import MODULE, Part
from scenarios.game import Game
from scenarios.hexes import DIRECTIONS, Hex
from scenarios.maps import HexMap
from scenarios.vassal.geometry import Sheet, pixels

LAYOUT = "Layout"
"""The property that tells which tables hold."""
LETTERS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
FLIES = {"arab_israeli_wars": 'class == "air" and not down'}
"""The games whose sight the assistant works out, and which of their units see and are seen from everywhere."""
READS = ("sight", "shielded")


def read_here(game: Game) -> bool:
    """Whether battles of a game read sight, and the tables for it can be made."""
    shapes = (
        one for attack in game.attacks.values() for group in attack.groups.values() for one in group.inputs.values()
    )
    return game.id in FLIES and any(shape.read in READS for shape in shapes)


@dataclass(frozen=True)
class Layout:
    """Boards as they lie: what tells one arrangement from another, and the ground it makes."""

    key: str
    ground: Ground = field(compare=False)

    @property
    def cells(self) -> Cells:
        """How its hexes are numbered."""
        return Cells(self.ground.table)


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
    ground = Ground.of(game, scenario)
    table = ground.table
    corners = Sheet(table).corners
    lying = [(p.board.id, p.turned, corners[p.board.id], p.board.terrain, p.board.hexsides) for p in table.placed]
    return Layout(
        repr((lying, ground.apart, [ground.seen_as(kind) for kind in (*game.terrain, *game.hexsides)])), ground
    )


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
        ground, cells = layout.ground, layout.cells
        air = packed(cells, sight_rows.rows(ground, "air")) if ground.apart else ""
        return "\n".join((packed(cells, sight_rows.rows(ground)), air, _shields(cells, ground))).encode("ascii")

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


def _shields(cells: Cells, ground: Ground) -> str:
    """Three characters for each hex: the sides with a bar, those with a crest, whether it is high."""
    result = ["AAA"] * cells.count
    for hex, shield in sight_rows.shields(ground).items():
        bars, crests = (_clockwise(bits) for bits in (shield.bars, shield.crests))
        result[cells.of[hex]] = LETTERS[bars] + LETTERS[crests] + ("B" if shield.high else "A")
    return "".join(result)


def _clockwise(bits: int) -> int:
    """Sides by direction as sides clockwise from the upper one."""
    order = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)]
    return sum(1 << order.index((q, 2 * r + q)) for d, (q, r) in enumerate(DIRECTIONS) if bits >> d & 1)


def _numbered(game: Game) -> dict[Layout, int]:
    return {layout: number for number, layout in enumerate(dict.fromkeys(layouts(game).values()), 1)}


def messages(game: Game, cache: Cache | None = None) -> list[Part]:
    """Every table as a constant of the module, each once."""
    parts: list[Part] = []
    for layout, number in _numbered(game).items():
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
    numbers = _numbered(game)
    result: dict[str, str] = {}
    for scenario, held in layouts(game).items():
        cells = held.cells
        air = "air" if held.ground.apart else "all"
        hides = "/".join(["", *sight_rows.hiding(held.ground), ""])
        result[scenario] = f"{numbers[held]};{cells.rows};{cells.wide};{air};{hides}"
    return result


def corners_shield(game: Game) -> bool:
    """Whether a side shields from a line that only touches its end, by the reading that holds."""
    return sight_rows.corners_shield(Ground.of(game, next(iter(game.scenarios))))


def obstacles(game: Game) -> list[str]:
    """The markers that can come between and that no table knows."""
    listed = (*sight_rows.OBSTACLES, *sight_rows.CANAL_WORKS) if read_here(game) else ()
    return [one for one in listed if one in game.markers]

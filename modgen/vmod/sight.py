"""Sight in a module: who sees whom is worked out when it is built and kept in tables that an expression looks up.

A table is a global translatable message, which is a constant: no save has it. Each way that boards lie has one table with a
bit for each pair of hexes, six to a character, and one with what shields each hex or each pair. A hex's number is arithmetic
on pixels, so names, turned boards and seams don't matter; six hexes of a lane make a character, so that a row of a table
can be drawn. A set-up writes down which tables are its own.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from modgen.cache import Cache, code_key, key_of
from modgen.vmod.eyes import Eyes, Shield, has_eyes, turns
from modgen.vmod.xml import MODULE, Part
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.kept import once
from scenarios.maps import HexMap
from scenarios.vassal.geometry import Sheet, pixels

LAYOUT = "Layout"
"""The property that tells which tables hold."""
LETTERS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
BITS = 6
READS = ("sight", "shielded")


def read_here(game: Game) -> bool:
    """Whether battles of a game know sight: the tables for it can be made."""
    return has_eyes(game) and bool(game.attacks)


@dataclass(frozen=True)
class Layout:
    """Boards as they lie: what tells one arrangement from another, and who sees whom there."""

    key: str
    eyes: Eyes = field(compare=False)

    @property
    def cells(self) -> Cells:
        """How its hexes are numbered."""
        return cells_of(self.eyes.map)


class Cells:
    """The numbers of a map's hexes: lane by lane, from their pixels."""

    def __init__(self, table: HexMap) -> None:
        self.sheet = Sheet(table)
        grid = pixels(table.placed[0].board.grid)
        self.flat = grid.grid.orientation == "flat"
        self.lane, self.half = grid.lane, grid.high // 2
        across, along = self.sheet.size if self.flat else reversed(self.sheet.size)
        self.lanes = round(across / self.lane) + 1
        self.rows = -(-(round(along / self.half) // 2 + 1) // BITS) * BITS
        self.count = self.lanes * self.rows
        self.wide = self.count // BITS
        self.of: dict[Hex, int] = {hex: self.at(*self.sheet.centre(hex)) for hex in table.hexes}
        # On the last edges the engine moves a centre a pixel in: the first hex lies true.
        spot = min(self._turned(*self.sheet.centre(hex)) for hex in table.hexes)
        lane, half = self._steps(*spot)
        self.shift = spot[0] - lane * self.lane, spot[1] - half * self.half
        """How far the middles of hexes lie from where their numbers would have them, across the lanes and along them."""
        self.pushed = (half + lane) % 2
        """Whether the first lane begins half a hex on."""

    def _turned(self, x: int, y: int) -> tuple[int, int]:
        return (x, y) if self.flat else (y, x)

    def _steps(self, across: int, along: int) -> tuple[int, int]:
        return _rounded(across, self.lane), _rounded(along, self.half)

    def at(self, x: int, y: int) -> int:
        """The number of the hex around a point in pixels."""
        lane, half = self._steps(*self._turned(x, y))
        return lane * self.rows + half // 2


def cells_of(table: HexMap) -> Cells:
    """How the hexes of a map are numbered."""
    return once(table, Cells)


def _rounded(value: int, unit: int) -> int:
    """As the engine rounds, a half up."""
    return (2 * value + unit) // (2 * unit)


def layouts(game: Game) -> Mapping[str, Sequence[Layout]]:
    """The layouts of every scenario, by turn where sight changes with it."""
    return once(game, _layouts) if has_eyes(game) else {}


def _layouts(game: Game) -> Mapping[str, Sequence[Layout]]:
    known: dict[str, Layout] = {}
    made: dict[str, list[Layout]] = {}
    for scenario in game.scenarios:
        looks = [Eyes(game, scenario, turn) for turn in turns(game, scenario)]
        made[scenario] = [known.setdefault(look.key, Layout(look.key, look)) for look in looks]
    return made


def by_sides(game: Game) -> bool:
    """Whether on every map a hex's own sides tell what shields it; else each pair of hexes has a bit for that."""
    return all(layout.eyes.by_sides for layout in numbered(game))


@dataclass(frozen=True)
class Tables:
    """The tables of one layout."""

    seen: str
    air: str
    """Where boards lie apart: who sees whom from the air. Elsewhere a flying unit sees all."""
    shields: str
    """Three characters for each hex, where its own sides tell what shields it;"""
    covers: str
    """else a bit for each pair."""


def tables(layout: Layout, sides: bool, cache: Cache | None = None) -> Tables:
    """Sight and shields of a layout, by sides or by pairs; those in the cache aren't worked out again."""

    def made() -> bytes:
        look, cells = layout.eyes, layout.cells
        air = packed(cells, look.seen_from_air()) if look.apart else ""
        shields, covers = (_shields(cells, look.shields()), "") if sides else ("", packed(cells, look.covered()))
        return "\n".join((packed(cells, look.seen()), air, shields, covers)).encode("ascii")

    kept = cache or Cache(None)
    return Tables(*kept.made(key_of("sight", code_key(), layout.key, str(sides)), made).decode("ascii").split("\n"))


def packed(cells: Cells, rows: Mapping[Hex, Iterable[Hex]]) -> str:
    """A bit for each pair of hexes, row by row."""
    result = ["A" * cells.wide] * cells.count
    for hex, seen in rows.items():
        row = [0] * cells.wide
        for other in seen:
            number = cells.of[other]
            row[number // BITS] |= 1 << number % BITS
        result[cells.of[hex]] = "".join([LETTERS[bits] for bits in row])
    return "".join(result)


def _shields(cells: Cells, shields: Mapping[Hex, Shield]) -> str:
    """Three characters for each hex: the sides with a bar, those with a crest, whether it is high."""
    result = ["AAA"] * cells.count
    for hex, shield in shields.items():
        result[cells.of[hex]] = LETTERS[shield.bars] + LETTERS[shield.crests] + ("B" if shield.high else "A")
    return "".join(result)


def numbered(game: Game) -> dict[Layout, int]:
    """Every layout once, with the number of its tables."""
    listed = (layout for own in layouts(game).values() for layout in own)
    return {layout: number for number, layout in enumerate(dict.fromkeys(listed), 1)}


def messages(game: Game, cache: Cache | None = None) -> list[Part]:
    """Every table as a constant of the module, each once."""
    parts: list[Part] = []
    sides = by_sides(game)
    for layout, number in numbered(game).items():
        held = tables(layout, sides, cache)
        named = {f"Sight{number}": held.seen, f"SightAir{number}": held.air}
        named |= {f"Shield{number}": held.shields, f"Cover{number}": held.covers}
        parts += [
            Part(MODULE + "properties.GlobalTranslatableMessage", name=name, initialValue=text, description="Sight")
            for name, text in named.items()
            if text
        ]
    return parts


def most_turns(game: Game) -> int:
    """The most turns that a scenario has tables for."""
    return max((len(turns(game, scenario)) for scenario in game.scenarios), default=1) if has_eyes(game) else 1


def written(game: Game) -> dict[str, str]:
    """What each set-up writes down: the number of its tables (or one for each turn), rows in a lane, characters in a row, from the
    air, what hides, whether the first lane is pushed."""
    numbers, many = numbered(game), most_turns(game)
    result: dict[str, str] = {}
    for scenario, held in layouts(game).items():
        cells, look = held[0].cells, held[0].eyes
        air = "air" if look.apart else "all"
        hides = "/".join(["", *look.hiding, ""])
        own = ",".join(str(numbers[held[min(turn, len(held) - 1)]]) for turn in range(many))
        result[scenario] = f"{own};{cells.rows};{cells.wide};{air};{hides};{cells.pushed}"
    return result

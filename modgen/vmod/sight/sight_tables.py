"""Tables of who sees whom, computed when the module is built. Expressions look sight up in them.

A table is a global translatable message, a constant that no save contains. Each arrangement of boards has one table
with a bit for each pair of hexes, six to a character. Another table has what shields each hex or each pair. A hex's
number is arithmetic on pixels, so names, turned boards and seams don't matter. Six hexes of a lane make a character,
so that a row of a table can be drawn. A set-up records which tables are its own.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from modgen.cache import Cache, code_key, key_of
from modgen.vmod.files.xml import MODULE, XmlPart
from modgen.vmod.sight.visibility import Shield, SightTable, has_eyes, turns
from scenarios.model.game import Game
from scenarios.model.hexes import Hex
from scenarios.model.maps import HexMap
from scenarios.model.memo import cached_on
from scenarios.vassal.geometry import BoardSheet, pixels

LAYOUT = "Layout"
"""The property that names the tables in use."""
LETTERS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
BITS = 6
READS = ("sight", "shielded")


def read_here(game: Game) -> bool:
    """Whether battles of a game use sight and the tables for it can be made."""
    return has_eyes(game) and bool(game.attacks)


@dataclass(frozen=True)
class BoardLayout:
    """An arrangement of boards: its key, and who sees whom there."""

    key: str
    eyes: SightTable = field(compare=False)

    @property
    def cells(self) -> Cells:
        """The numbers of its hexes."""
        return cells_of(self.eyes.map)


class Cells:
    """The numbers of a map's hexes: lane by lane, from their pixels."""

    def __init__(self, table: HexMap) -> None:
        self.sheet = BoardSheet(table)
        grid = pixels(table.placed[0].board.grid)
        self.flat = grid.grid.orientation == "flat"
        self.lane, self.half_height = grid.lane, grid.height // 2
        lane_extent, row_extent = self.sheet.size if self.flat else reversed(self.sheet.size)
        self.lanes = round(lane_extent / self.lane) + 1
        self.rows = -(-(round(row_extent / self.half_height) // 2 + 1) // BITS) * BITS
        self.count = self.lanes * self.rows
        self.row_width = self.count // BITS
        self.cell_numbers: dict[Hex, int] = {hex: self.cell_at(*self.sheet.centre(hex)) for hex in table.hexes}
        # On the last edges the engine moves a center inward by a pixel; the first hex is exact.
        spot = min(self._rotate(*self.sheet.centre(hex)) for hex in table.hexes)
        lane, half_row = self._steps(*spot)
        self.shift = spot[0] - lane * self.lane, spot[1] - half_row * self.half_height
        """The offset of the hexes' centers from the positions that their numbers give, across the lanes and along them."""
        self.is_shifted = (half_row + lane) % 2
        """Whether the first lane begins half a hex further on."""

    def _rotate(self, x: int, y: int) -> tuple[int, int]:
        return (x, y) if self.flat else (y, x)

    def _steps(self, lane_position: int, row_position: int) -> tuple[int, int]:
        return _round_half_up(lane_position, self.lane), _round_half_up(row_position, self.half_height)

    def cell_at(self, x: int, y: int) -> int:
        """The number of the hex around a point in pixels."""
        lane, half_row = self._steps(*self._rotate(x, y))
        return lane * self.rows + half_row // 2


def cells_of(table: HexMap) -> Cells:
    """The numbers of the hexes of a map."""
    return cached_on(table, Cells)


def _round_half_up(value: int, unit: int) -> int:
    """Rounds a half up, as the engine does."""
    return (2 * value + unit) // (2 * unit)


def layouts(game: Game) -> Mapping[str, Sequence[BoardLayout]]:
    """The layouts of every scenario, by turn if sight changes with it."""
    return cached_on(game, _layouts) if has_eyes(game) else {}


def _layouts(game: Game) -> Mapping[str, Sequence[BoardLayout]]:
    layouts_by_key: dict[str, BoardLayout] = {}
    scenario_layouts: dict[str, list[BoardLayout]] = {}
    for scenario in game.scenarios:
        looks = [SightTable(game, scenario, turn) for turn in turns(game, scenario)]
        scenario_layouts[scenario] = [
            layouts_by_key.setdefault(look.key, BoardLayout(look.key, look)) for look in looks
        ]
    return scenario_layouts


def by_sides(game: Game) -> bool:
    """Whether on every map a hex's own sides decide what shields it; else each pair of hexes has a bit for that."""
    return all(layout.eyes.by_sides for layout in table_numbers(game))


@dataclass(frozen=True)
class Tables:
    """The tables of one layout."""

    visible: str
    air: str
    """Sight from the air, for boards that lie apart. Elsewhere a flying unit sees all."""
    shields: str
    """Three characters for each hex, if its own sides decide what shields it."""
    covers: str
    """Otherwise a bit for each pair of hexes."""


def tables(layout: BoardLayout, sides: bool, cache: Cache | None = None) -> Tables:
    """Sight and shields of a layout, by sides or by pairs. Tables in the cache aren't computed again."""

    def build() -> bytes:
        look, cells = layout.eyes, layout.cells
        air = pack_rows(cells, look.seen_from_air()) if look.has_gaps else ""
        shields, covers = (
            (_shields(cells, look.shields()), "") if sides else ("", pack_rows(cells, look.shielded_hexes()))
        )
        return "\n".join((pack_rows(cells, look.visible_hexes()), air, shields, covers)).encode("ascii")

    table_cache = cache or Cache(None)
    return Tables(
        *table_cache.get_or_make(key_of("sight", code_key(), layout.key, str(sides)), build).decode("ascii").split("\n")
    )


def pack_rows(cells: Cells, rows: Mapping[Hex, Iterable[Hex]]) -> str:
    """A bit for each pair of hexes, row by row."""
    result = ["A" * cells.row_width] * cells.count
    for hex, visible_hexes in rows.items():
        row = [0] * cells.row_width
        for visible_hex in visible_hexes:
            number = cells.cell_numbers[visible_hex]
            row[number // BITS] |= 1 << number % BITS
        result[cells.cell_numbers[hex]] = "".join([LETTERS[bits] for bits in row])
    return "".join(result)


def _shields(cells: Cells, shields: Mapping[Hex, Shield]) -> str:
    """Three characters for each hex: its sides with a bar, its sides with a crest, whether it is high."""
    result = ["AAA"] * cells.count
    for hex, shield in shields.items():
        result[cells.cell_numbers[hex]] = (
            LETTERS[shield.bars] + LETTERS[shield.crests] + ("B" if shield.is_high else "A")
        )
    return "".join(result)


def table_numbers(game: Game) -> dict[BoardLayout, int]:
    """Every layout once, with the number of its tables."""
    all_layouts = (layout for turn_layouts in layouts(game).values() for layout in turn_layouts)
    return {layout: number for number, layout in enumerate(dict.fromkeys(all_layouts), 1)}


def messages(game: Game, cache: Cache | None = None) -> list[XmlPart]:
    """Every table as a constant of the module, each once."""
    parts: list[XmlPart] = []
    sides = by_sides(game)
    for layout, number in table_numbers(game).items():
        layout_tables = tables(layout, sides, cache)
        table_texts = {f"Sight{number}": layout_tables.visible, f"SightAir{number}": layout_tables.air}
        table_texts |= {f"Shield{number}": layout_tables.shields, f"Cover{number}": layout_tables.covers}
        parts += [
            XmlPart(MODULE + "properties.GlobalTranslatableMessage", name=name, initialValue=text, description="Sight")
            for name, text in table_texts.items()
            if text
        ]
    return parts


def most_turns(game: Game) -> int:
    """The greatest number of turns for which a scenario has tables."""
    return max((len(turns(game, scenario)) for scenario in game.scenarios), default=1) if has_eyes(game) else 1


def setup_values(game: Game) -> dict[str, str]:
    """The values that each set-up records about its tables.

    They are the number of its tables (or one for each turn), rows in a lane, characters in a row, sight from the air,
    what hides, and whether the first lane is shifted.
    """
    numbers, turn_count = table_numbers(game), most_turns(game)
    result: dict[str, str] = {}
    for scenario, turn_layouts in layouts(game).items():
        cells, look = turn_layouts[0].cells, turn_layouts[0].eyes
        air = "air" if look.has_gaps else "all"
        hides = "/".join(["", *look.hiding, ""])
        numbers_text = ",".join(
            str(numbers[turn_layouts[min(turn, len(turn_layouts) - 1)]]) for turn in range(turn_count)
        )
        result[scenario] = f"{numbers_text};{cells.rows};{cells.row_width};{air};{hides};{cells.is_shifted}"
    return result

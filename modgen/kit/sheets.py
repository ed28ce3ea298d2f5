"""Counter sheets: the copies to print, and the sheet and position of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple

from modgen.kit.options import Options
from modgen.kit.paper import WrongOption
from scenarios.model.counters import Marker, Unit, numbers
from scenarios.model.game import Game
from scenarios.model.scenario import Scenario
from scenarios.reading.findings import suggest

BLEED = 1.0
"""The width of the bleed beyond the cut, in millimeters."""
MARK = 5.0
"""The space for crop marks beside the counters."""
HEAD, FOOT = 8.0, 9.0
"""The strips above and below the crop marks for the label, the registration marks and the ruler."""
FOLD = 4.0
"""The distance between counters and the fold line."""


class PrintedPiece(NamedTuple):
    """One copy of a counter or marker."""

    kind: Literal["unit", "marker"]
    id: str
    copy: str
    owner: str


class SheetCell(NamedTuple):
    """A piece with its position: the top left corner of its front on the page, in millimeters."""

    piece: PrintedPiece
    x: float
    y: float


@dataclass(frozen=True)
class PageFrame:
    """The grid of a sheet: the number of columns and rows, and the position of the first counter."""

    columns: int
    rows: int
    left: float
    top: float
    size: float
    gutter: float = 2 * BLEED
    """The space between counters; zero if neighbors share their cut."""
    gutter_down: float | None = None
    """The space between rows, if it differs."""

    @property
    def pitch(self) -> float:
        """The distance from one counter to the next."""
        return self.size + self.gutter

    @property
    def pitch_down(self) -> float:
        """The distance from one row to the next."""
        return self.size + (self.gutter if self.gutter_down is None else self.gutter_down)


@dataclass(frozen=True)
class CounterSheet:
    """A sheet of counters: its number, the grid and the pieces in it."""

    number: int
    frame: PageFrame
    cells: tuple[SheetCell, ...]


def frame(options: Options) -> PageFrame:
    """The grid that fits the paper, or a template's grid. Raises WrongOption if not even one counter fits."""
    if options.layout:
        layout, size = options.layout, options.counter_size
        column_room, row_room = (pitch - size for pitch in layout.pitch)
        return PageFrame(layout.columns, layout.rows, layout.left, layout.top, size, column_room, row_room)
    gutter = 0.0 if options.cuts == "shared" else 2 * BLEED
    paper, size, pitch = options.paper, options.counter_size, options.counter_size + gutter
    fold = options.backs == "fold"
    column_room = (paper.width / 2 - FOLD if fold else paper.width - MARK - options.margin) - options.margin - MARK
    row_room = paper.height - 2 * options.margin - HEAD - FOOT - 2 * MARK
    columns, rows = int((column_room + gutter) // pitch), int((row_room + gutter) // pitch)
    if columns < 1 or rows < 1:
        raise WrongOption(
            f"there is no room on {paper.title} for a counter of {size:g} mm inside a margin of {options.margin:g} mm; "
            "choose a smaller --margin, a smaller --counter-size or a bigger --paper"
        )
    grid_width = columns * pitch - gutter
    left = paper.width / 2 - FOLD - grid_width if fold else (paper.width - grid_width) / 2
    return PageFrame(columns, rows, left, options.margin + HEAD + MARK, size, gutter)


def pieces(game: Game, options: Options) -> list[PrintedPiece]:
    """Every copy to print: units by nation first, then markers."""
    chosen_ids = _chosen_pieces(game, options)
    result: list[PrintedPiece] = []
    for nation in game.nations:
        for unit in game.units.values():
            if unit.nation == nation and (chosen_ids is None or unit.id in chosen_ids):
                result += _copies("unit", unit.id, unit.numbers, unit.count, f"{unit.side}/{nation}")
    for key, marker in game.markers.items():
        if chosen_ids is None or key in chosen_ids:
            copy_labels = copy_numbers(game, PrintedPiece("marker", key, "", ""))
            result += _copies("marker", key, copy_labels, marker.count or len(copy_labels) or 1, "markers")
    return result


def copy_numbers(game: Game, piece: PrintedPiece) -> tuple[str, ...]:
    """The numbers printed on the copies of a piece."""
    if piece.kind == "unit":
        return game.units[piece.id].numbers
    return numbers(game.markers[piece.id].numbers, game.card.skip_zeros)


def _copies(
    kind: Literal["unit", "marker"], key: str, copy_labels: Sequence[str], count: int, owner: str
) -> Iterator[PrintedPiece]:
    for i in range(count):
        yield PrintedPiece(kind, key, copy_labels[i] if i < len(copy_labels) else "", owner)


def _chosen_pieces(game: Game, options: Options) -> frozenset[str] | None:
    """The ids that `--pieces` or `--scenario` choose; None for all."""
    if options.pieces:
        return frozenset(key for name in options.pieces for key in _find_pieces(game, name))
    if options.scenario:
        chosen_scenario = scenario(game, options.scenario)
        groups = [group for force in chosen_scenario.forces.values() for group in force.groups]
        piece_ids = {key for group in groups for key in (*group.units, *group.markers)}
        fragment_ids = {part for key in piece_ids if key in game.units for part in game.units[key].breaks_into}
        return frozenset(piece_ids | fragment_ids | _markers_of(game, chosen_scenario))
    return None


def _markers_of(game: Game, scenario: Scenario) -> set[str]:
    """The markers that a scenario's rules use. Markers of a later level of rules than the scenario's don't count."""
    levels = list(game.sequence)
    if scenario.level not in levels:
        return set(game.markers)
    allowed_levels = levels[: levels.index(scenario.level) + 1]
    return {
        key
        for key, marker in game.markers.items()
        if not marker.rule or marker.rule.split()[0].lower() in allowed_levels or marker.rule[0].isdigit()
    }


def _find_pieces(game: Game, name: str) -> list[str]:
    """The pieces that have this id or this name."""
    pieces_by_id: dict[str, Unit | Marker] = {**game.units, **game.markers}
    if name in pieces_by_id:
        return [name]
    matching_ids = [key for key, piece in pieces_by_id.items() if name.casefold() == piece.name.casefold()]
    if not matching_ids:
        raise WrongOption(
            f"{game.title} has no piece {name!r}; {suggest(name, [*pieces_by_id, *_names(pieces_by_id)])}"
        )
    return matching_ids


def _names(pieces_by_id: Mapping[str, Unit | Marker]) -> set[str]:
    return {piece.name for piece in pieces_by_id.values()}


def scenario(game: Game, key: str) -> Scenario:
    """The scenario with this id."""
    if key not in game.scenarios:
        raise WrongOption(f"{game.title} has no scenario {key!r}; {suggest(key, game.scenarios)}")
    return game.scenarios[key]


def sheets(piece_list: Sequence[PrintedPiece], grid: PageFrame) -> tuple[CounterSheet, ...]:
    """The sheets with all pieces. A new side and the markers begin new rows, unless that costs a sheet."""
    separate_sheets = _lay_out(
        [
            list(owner_pieces)
            for _, owner_pieces in groupby(piece_list, key=lambda piece: piece.owner.partition("/")[0])
        ],
        grid,
    )
    close = _lay_out([list(piece_list)], grid)
    return close if len(close) < len(separate_sheets) else separate_sheets


def _lay_out(groups: Sequence[Sequence[PrintedPiece]], grid: PageFrame) -> tuple[CounterSheet, ...]:
    places: list[tuple[int, int, int, PrintedPiece]] = []
    line = column = 0
    for group in groups:
        if column:
            line, column = line + 1, 0
        for piece in group:
            if column == grid.columns:
                line, column = line + 1, 0
            places.append((line // grid.rows, line % grid.rows, column, piece))
            column += 1
    result = []
    for number, sheet_places in groupby(places, key=lambda place: place[0]):
        cells = [
            SheetCell(p, grid.left + c * grid.pitch, grid.top + r * grid.pitch_down) for _, r, c, p in sheet_places
        ]
        result.append(CounterSheet(number + 1, grid, tuple(cells)))
    return tuple(result)

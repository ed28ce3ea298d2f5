"""Counter sheets: which copies there are, and where on which sheet each of them lies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple

from modgen.kit.options import Options, WrongOption
from scenarios.counters import Marker, Unit, numbers
from scenarios.game import Game
from scenarios.reading.findings import instead
from scenarios.scenario import Scenario

BLEED = 1.0
"""How far colour runs beyond the cut, in millimetres."""
MARK = 5.0
"""The room that crop marks take beside the counters."""
HEAD, FOOT = 8.0, 9.0
"""The strips above and below the crop marks for the label, the registration marks and the ruler."""
FOLD = 4.0
"""How far counters stay off the fold line."""


class Piece(NamedTuple):
    """One copy of a counter or marker."""

    kind: Literal["unit", "marker"]
    id: str
    copy: str
    owner: str


class Cell(NamedTuple):
    """A piece in its place: the top left corner of its front on the page, in millimetres."""

    piece: Piece
    x: float
    y: float


@dataclass(frozen=True)
class Frame:
    """The grid of a sheet: how many columns and rows, and where the first counter lies."""

    columns: int
    rows: int
    left: float
    top: float
    size: float
    gutter: float = 2 * BLEED
    """The room between counters; none where neighbours share their cut."""
    gutter_down: float | None = None
    """The same between rows, where it is another."""

    @property
    def pitch(self) -> float:
        """From one counter to the next."""
        return self.size + self.gutter

    @property
    def pitch_down(self) -> float:
        """From one row to the next."""
        return self.size + (self.gutter if self.gutter_down is None else self.gutter_down)


@dataclass(frozen=True)
class Sheet:
    """A sheet of counters: its number, the grid and the pieces in it."""

    number: int
    frame: Frame
    cells: tuple[Cell, ...]


def frame(options: Options) -> Frame:
    """The grid that fits the paper, or a template's own; WrongOption where not one counter fits."""
    if options.layout:
        held, size = options.layout, options.counter_size
        across, down = (pitch - size for pitch in held.pitch)
        return Frame(held.columns, held.rows, held.left, held.top, size, across, down)
    gutter = 0.0 if options.cuts == "shared" else 2 * BLEED
    paper, size, pitch = options.paper, options.counter_size, options.counter_size + gutter
    fold = options.backs == "fold"
    across = (paper.width / 2 - FOLD if fold else paper.width - MARK - options.margin) - options.margin - MARK
    down = paper.height - 2 * options.margin - HEAD - FOOT - 2 * MARK
    columns, rows = int((across + gutter) // pitch), int((down + gutter) // pitch)
    if columns < 1 or rows < 1:
        raise WrongOption(
            f"there is no room on {paper.title} for a counter of {size:g} mm inside a margin of {options.margin:g} mm; "
            "choose a smaller --margin, a smaller --counter-size or a bigger --paper"
        )
    wide = columns * pitch - gutter
    left = paper.width / 2 - FOLD - wide if fold else (paper.width - wide) / 2
    return Frame(columns, rows, left, options.margin + HEAD + MARK, size, gutter)


def pieces(game: Game, options: Options) -> list[Piece]:
    """Every copy that is to be printed, units by nation first, then markers."""
    chosen = _chosen(game, options)
    result: list[Piece] = []
    for nation in game.nations:
        for unit in game.units.values():
            if unit.nation == nation and (chosen is None or unit.id in chosen):
                result += _copies("unit", unit.id, unit.numbers, unit.count, f"{unit.side}/{nation}")
    for key, marker in game.markers.items():
        if chosen is None or key in chosen:
            shown = copy_numbers(game, Piece("marker", key, "", ""))
            result += _copies("marker", key, shown, marker.count or len(shown) or 1, "markers")
    return result


def copy_numbers(game: Game, piece: Piece) -> tuple[str, ...]:
    """The numbers printed on the copies of a piece."""
    if piece.kind == "unit":
        return game.units[piece.id].numbers
    return numbers(game.markers[piece.id].numbers, game.card.skip_zeros)


def _copies(kind: Literal["unit", "marker"], key: str, shown: Sequence[str], count: int, owner: str) -> Iterator[Piece]:
    for i in range(count):
        yield Piece(kind, key, shown[i] if i < len(shown) else "", owner)


def _chosen(game: Game, options: Options) -> frozenset[str] | None:
    """The ids that `--pieces` or `--scenario` choose; None for all."""
    if options.pieces:
        return frozenset(key for asked in options.pieces for key in _called(game, asked))
    if options.scenario:
        held = scenario(game, options.scenario)
        groups = [group for force in held.forces.values() for group in force.groups]
        placed = {key for group in groups for key in (*group.units, *group.markers)}
        broken = {part for key in placed if key in game.units for part in game.units[key].breaks_into}
        return frozenset(placed | broken | _markers_of(game, held))
    return None


def _markers_of(game: Game, held: Scenario) -> set[str]:
    """The markers that a scenario's rules use: not those that belong to a later level of rules than its own."""
    levels = list(game.sequence)
    if held.level not in levels:
        return set(game.markers)
    known = levels[: levels.index(held.level) + 1]
    return {
        key
        for key, marker in game.markers.items()
        if not marker.rule or marker.rule.split()[0].lower() in known or marker.rule[0].isdigit()
    }


def _called(game: Game, asked: str) -> list[str]:
    """The pieces that have this id or this name."""
    known: dict[str, Unit | Marker] = {**game.units, **game.markers}
    if asked in known:
        return [asked]
    found = [key for key, piece in known.items() if asked.casefold() == piece.name.casefold()]
    if not found:
        raise WrongOption(f"{game.title} has no piece {asked!r}; {instead(asked, [*known, *_names(known)])}")
    return found


def _names(known: Mapping[str, Unit | Marker]) -> set[str]:
    return {piece.name for piece in known.values()}


def scenario(game: Game, key: str) -> Scenario:
    """The scenario of that id."""
    if key not in game.scenarios:
        raise WrongOption(f"{game.title} has no scenario {key!r}; {instead(key, game.scenarios)}")
    return game.scenarios[key]


def sheets(found: Sequence[Piece], grid: Frame) -> tuple[Sheet, ...]:
    """The pieces laid out: another side or the markers begin a new row, unless that costs a sheet."""
    apart = _laid([list(owned) for _, owned in groupby(found, key=lambda piece: piece.owner.partition("/")[0])], grid)
    close = _laid([list(found)], grid)
    return close if len(close) < len(apart) else apart


def _laid(groups: Sequence[Sequence[Piece]], grid: Frame) -> tuple[Sheet, ...]:
    places: list[tuple[int, int, int, Piece]] = []
    line = column = 0
    for owned in groups:
        if column:
            line, column = line + 1, 0
        for piece in owned:
            if column == grid.columns:
                line, column = line + 1, 0
            places.append((line // grid.rows, line % grid.rows, column, piece))
            column += 1
    result = []
    for number, on in groupby(places, key=lambda place: place[0]):
        cells = [Cell(p, grid.left + c * grid.pitch, grid.top + r * grid.pitch_down) for _, r, c, p in on]
        result.append(Sheet(number + 1, grid, tuple(cells)))
    return tuple(result)

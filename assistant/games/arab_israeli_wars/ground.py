"""The ground of a question: the boards as they lie, and the markers that change them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType

from assistant.answers import BadQuestion
from assistant.rules.field import Field, no_unit
from assistant.rules.kinds import kinds_for
from scenarios.boards import Arrangement
from scenarios.game import Game
from scenarios.hexes import Hex, sides
from scenarios.maps import HexMap, put_together
from scenarios.position import Piece, Position
from scenarios.reading.findings import instead
from scenarios.reading.shapes import Findings, number

CANAL, MORAINE = "suez_canal", "moraine"
_NOTHING: frozenset[str] = frozenset()
_OF_THE_MAP = frozenset({"entries"})
"""What is worked out of the map alone, and holds whatever markers stand on it."""


@dataclass(frozen=True, eq=False)
class Ground:
    """A map, the markers standing on it, the year and the readings chosen for this question."""

    game: Game
    map: HexMap
    works: Mapping[Hex, frozenset[str]] = field(default_factory=dict)
    year: int = 0
    rulings: Mapping[str, str] = field(default_factory=dict)
    scenario: str = ""

    @classmethod
    def of(
        cls,
        game: Game,
        where: str | HexMap,
        works: Mapping[Hex, Iterable[str]] | None = None,
        *,
        year: int | None = None,
        rulings: Mapping[str, str] | None = None,
    ) -> Ground:
        """The ground of a Situation, of a map, of a board, or of boards in rows such as 'B / A turned, C'."""
        scenario = where if isinstance(where, str) and where in game.scenarios else ""
        map = where if isinstance(where, HexMap) else _map(game, where)
        if year is None:
            held = game.scenarios[scenario].year if scenario else None
            year = held or game.card.year or 0
        ground = cls(game, map, {}, year, MappingProxyType(checked(game, rulings or {})), scenario)
        return ground.with_works(works or {})

    def with_works(self, changes: Mapping[Hex, Iterable[str]]) -> Ground:
        """The same ground with other markers in some hexes; an empty list takes all away."""
        works = dict(self.works)
        for hex, markers in changes.items():
            if hex not in self.map:
                raise BadQuestion(f"hex {tuple(hex)} is not on this map")
            held = frozenset(markers)
            for marker in held:
                if marker not in self.game.markers:
                    raise BadQuestion(f"there is no marker {marker!r}; {instead(marker, self.game.markers)}")
            works.pop(hex, None)
            if held:
                works[hex] = held
        made = replace(self, works=MappingProxyType(works))
        vars(made).update({key: known for key, known in vars(self).items() if key in _OF_THE_MAP})
        return made

    def hex(self, name: str) -> Hex:
        """The hex of this name; BadQuestion with the nearest names if the map has none."""
        try:
            return self.map.hex(name)
        except ValueError as error:
            raise BadQuestion(str(error)) from None

    def reading(self, ruling: str) -> str:
        """The reading of a ruling that holds: this question's, else the pack's."""
        return self.rulings.get(ruling) or self.game.rulings[ruling].choice

    def kind(self, hex: Hex) -> str:
        """The terrain printed in a hex."""
        return self.map.terrain.get(hex, self.map.plain)

    def has(self, hex: Hex, marker: str) -> bool:
        """Whether a marker stands in a hex."""
        return marker in self.works.get(hex, _NOTHING)

    def is_slope(self, hex: Hex) -> bool:
        """Whether a hex counts as a slope for sight: printed, or an improved position on the west bank (VI.E.3)."""
        return self.field.holds(self.field.program.values["high_to"], no_unit(), to=self.field.kinds.number[hex])

    @cached_property
    def field(self) -> Field:
        """The map with the markers on it, as the rules see it."""
        return self.field_with(())

    def field_with(self, pieces: Iterable[Piece]) -> Field:
        """The same with the units among some pieces."""
        works = (Piece(work, str(number), "", hex) for hex, held in self.works.items() for number, work in enumerate(sorted(held)))
        units = (piece for piece in pieces if piece.unit in self.game.units)
        readings = {f"ruling.{key}": reading for key, reading in self.rulings.items()}
        kinds = kinds_for(self.game, self.map, self.scenario)
        return Field(kinds, Position(self.game.id, self.scenario, pieces=(*works, *units)), readings=readings)

    def east_bank(self, hex: Hex) -> bool:
        """Whether a hex is a bank hex on the canal's east side, by where north is (Standard VI.E.1)."""
        return hex in self.map and bool(self.field.kinds.told(self.field.kinds.number[hex], f"{CANAL}_west"))

    def west_bank(self, hex: Hex) -> bool:
        """Whether a hex is a bank hex on the canal's west side, by where north is (Standard VI.E.1)."""
        return hex in self.map and bool(self.field.kinds.told(self.field.kinds.number[hex], f"{CANAL}_east"))

    @cached_property
    def entries(self) -> Mapping[Hex, tuple[int, ...]]:
        """The directions of each canal hex's entry hexsides: opposite each other, both moraine (Advanced IV)."""
        found: dict[Hex, tuple[int, ...]] = {}
        for hex, kind in self.map.terrain.items():
            if kind == CANAL:
                moraine = [MORAINE in self.map.hexsides.get(side, _NOTHING) for side in sides(hex)]
                found[hex] = tuple(d for d in range(6) if moraine[d] and moraine[(d + 3) % 6])
        return found


def limit(game: Game, name: str) -> Fraction:
    """A number of the table of limits."""
    table = game.tables["limits"]
    return number(table.cell(name, table.named_column("number")).code)


def from_position(
    game: Game, position: Position, *, where: str = "", rulings: Mapping[str, str] | None = None
) -> Ground:
    """The ground of a position, with the markers that stand on it."""
    if not (where or position.scenario):
        raise BadQuestion("the position names no Situation; say which map it is on")
    works: dict[Hex, set[str]] = {}
    for piece in position.pieces:
        if piece.unit in game.markers and isinstance(piece.at, Hex):
            works.setdefault(piece.at, set()).add(piece.unit)
    return Ground.of(game, where or position.scenario, works, rulings=rulings)


def _map(game: Game, where: str) -> HexMap:
    """The map that a word names: a Situation's, one of the pack's, or boards put together."""
    held = game.scenario_maps.get(where) or game.maps.get(where)
    if isinstance(held, HexMap):
        return held
    rows = tuple(tuple(" ".join(cell.split()) for cell in row.split(",")) for row in where.split("/"))
    known = [*game.boards, *game.scenario_maps, *game.maps]
    for cell in (cell for row in rows for cell in row):
        if cell.removesuffix(" turned") not in game.boards:
            raise BadQuestion(f"{game.id} has no map, Situation or board {cell!r}; {instead(cell, known)}")
        if len(rows[0]) > 1 and CANAL in game.boards[cell.removesuffix(" turned")].terrain.values():
            raise BadQuestion(f"board {cell}, with the canal, joins no other end to end (Basic III.A)")
    findings = Findings()
    alike = (s.arrangement for s in game.scenarios.values() if s.arrangement and s.arrangement.boards == rows)
    arrangement = next(alike, Arrangement(boards=rows))
    made = put_together(where, where, arrangement, game.boards, next(iter(game.terrain)), findings)
    if made is None or findings:
        raise BadQuestion(f"{where!r} is no map: {'; '.join(one.message for one in findings)} (Basic III.A)")
    return made


def checked(game: Game, rulings: Mapping[str, str]) -> dict[str, str]:
    """The readings that a question chooses; BadQuestion where there is no such ruling or reading."""
    for ruling, reading in rulings.items():
        if ruling not in game.rulings:
            raise BadQuestion(f"there is no ruling {ruling!r}; {instead(ruling, game.rulings)}")
        held = game.rulings[ruling]
        if reading not in held.readings:
            raise BadQuestion(f"ruling {ruling} has no reading {reading!r}; {instead(reading, held.readings)}")
        if not held.switch and reading != held.choice:
            raise BadQuestion(f"ruling {ruling} can't be switched; its reading is {held.choice}")
    return dict(rulings)

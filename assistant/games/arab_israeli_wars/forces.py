"""The field of a question: the boards as they lie, the pieces on them, the year and the readings chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from assistant.answers import BadQuestion
from assistant.rules.field import Field, Standing, no_unit
from assistant.rules.kinds import kinds_for
from assistant.rules.roster import Roster, roster
from scenarios.boards import Arrangement
from scenarios.game import Game
from scenarios.hexes import Hex, neighbour, sides
from scenarios.maps import HexMap, put_together
from scenarios.position import Piece, Position
from scenarios.reading.findings import instead
from scenarios.reading.shapes import Findings, number

CANAL, MORAINE = "suez_canal", "moraine"
NOTHING: frozenset[str] = frozenset()


def field_on(
    game: Game, where: str | HexMap, works: Mapping[Hex, Iterable[str]] | None = None, *,
    year: int | None = None, rulings: Mapping[str, str] | None = None,
) -> Field:  # fmt: skip
    """A Situation's map, a map, a board, or boards in rows such as 'B / A turned', with these markers on it."""
    scenario = where if isinstance(where, str) and where in game.scenarios else ""
    map = where if isinstance(where, HexMap) else _map(game, where)
    bare = Field(kinds_for(game, map, scenario), Position(game.id, scenario), readings=_readings(game, scenario, year, rulings or {}))
    return bare.with_markers(works) if works else bare


def field_of(game: Game, position: Position, *, where: str = "", rulings: Mapping[str, str] | None = None) -> Field:
    """A position on its map: each unit in an army of the side that it is on."""
    if not (where or position.scenario):
        raise BadQuestion("the position names no Situation; say which map it is on")
    bare = field_on(game, where or position.scenario, rulings=rulings)
    scenario = bare.position.scenario
    who = roster(game, scenario)
    pieces = tuple(enlisted(who, piece, who.side(piece)) for piece in position.pieces)
    return Field(bare.kinds, replace(position, scenario=scenario, pieces=pieces), readings=bare.readings)


def enlisted(who: Roster, piece: Piece, side: str) -> Piece:
    """A unit's piece with an army of its side: its own, if that is one of them."""
    unit = who.game.units.get(piece.unit)
    if unit is None:
        return piece
    armies = {key: held.nations for key, held in who.scenario.sides.items()} if who.scenario else {}
    mine = list(armies.get(side, ())) or [nation for nation, held in who.game.nations.items() if held.side == side and not armies]
    return piece if not mine or (piece.nation or unit.nation) in mine else piece._replace(nation=mine[0])


def _readings(game: Game, scenario: str, year: int | None, rulings: Mapping[str, str]) -> dict[str, object]:
    if year is None:
        year = (game.scenarios[scenario].year if scenario else None) or game.card.year or 0
    return {"year": year, **{f"ruling.{key}": reading for key, reading in checked(game, rulings).items()}}


def level_of(field: Field) -> str:
    """Which rules are played: the Situation's, without one all of them."""
    return field.value("level") or "advanced"


def hex_at(standing: Standing) -> Hex:
    """The hex that a unit stands in."""
    assert isinstance(standing.piece.at, Hex)
    return standing.piece.at


def is_slope(field: Field, hex: Hex) -> bool:
    """Whether a hex counts as a slope for sight: printed, or an improved position on the west bank (VI.E.3)."""
    return field.holds(field.program.values["high_to"], no_unit(), to=field.kinds.number[hex])


def east_bank(field: Field, hex: Hex) -> bool:
    """Whether a hex is a bank hex on the canal's east side, by where north is (Standard VI.E.1)."""
    return hex in field.hex_map and bool(field.kinds.told(field.kinds.number[hex], f"{CANAL}_west"))


def west_bank(field: Field, hex: Hex) -> bool:
    """Whether a hex is a bank hex on the canal's west side, by where north is (Standard VI.E.1)."""
    return hex in field.hex_map and bool(field.kinds.told(field.kinds.number[hex], f"{CANAL}_east"))


def debouchments(field: Field, canal: Hex) -> tuple[Hex, ...]:
    """The two bank hexes behind a canal hex's entry hexsides, which are opposite each other and both moraine (Advanced IV)."""
    map = field.hex_map
    if canal not in map or field.kinds.terrain(canal) != CANAL:
        return ()
    moraine = [MORAINE in map.hexsides.get(side, NOTHING) for side in sides(canal)]
    banks = (neighbour(canal, d) for d in range(6) if moraine[d] and moraine[(d + 3) % 6])
    return tuple(hex for hex in banks if hex in map)


def limit(game: Game, name: str) -> Fraction:
    """A number of the table of limits."""
    table = game.tables["limits"]
    return number(table.cell(name, table.named_column("number")).code)


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

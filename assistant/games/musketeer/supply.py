"""Lines of support as they are asked."""

from __future__ import annotations

from assistant.answers import Answer, Cell, Column, Line, Node, Ours, Section, Several, Table, Value
from assistant.games.musketeer.asking import ON_THE_MAP, asked_support, counter, place
from assistant.games.musketeer.contingents import label
from assistant.games.musketeer.field import DEAD, GROUND
from assistant.games.musketeer.support import Line as Support_
from assistant.games.musketeer.support import Support
from assistant.questions import Input, Question, Told
from assistant.shared.sourced import ours
from scenarios.game import Game
from scenarios.hexes import Hex

WORST = 3
"""How many of the hexes that cut most are told."""


def _supply(game: Game, told: Told) -> Answer:
    here = asked_support(game, told)
    sides = [side for side in game.sides if told.get("side", side) == side]
    tracing = [unit for _, unit, _ in here.units if unit.side in sides]
    return Answer("supply", game.id, [
        Several("sides", [Section(_side(here, side), game.sides[side].name) for side in sides]),
        Ours(ours(game, ((unit, "movement") for unit in tracing))),
    ])  # fmt: skip


def _side(here: Support, side: str) -> list[Node]:
    lines, cuts = here.lines(side), here.cuts(side, WORST)
    inside = sum(line.supplied for line in lines)
    off_map = _off_map(here, side)
    columns = [
        Column("unit", "unit"), Column("place", "hex"), Column("line", "line of support", told=False), Column("supplied"),
        Column("by_road"), Column("path"), Column("why"), Column("rule"),
    ]  # fmt: skip
    nodes: list[Node] = [
        Value("side", side, shown=False), Value("in", inside, "with a line of support"), Value("out", len(lines) - inside, "without"),
        Value("off_map", off_map, "not on the map yet (put=UNIT@HEX)", shown=off_map > 0),
        Table("units", columns, [_row(here, line) for line in lines], heads=False),
        Table("cuts", [Column("place", "an enemy in"), Column("count", "would cut"), Column("units", "namely")], [
            {"place": place(here.table, cut.hex), "count": len(cut.units),
             "units": [counter(here.game, here.game.units[piece.unit], piece.copy) for piece in cut.units]}
            for cut in cuts
        ]),
    ]  # fmt: skip
    return nodes if cuts else [*nodes, Line("no single hex would cut anybody")]


def _row(here: Support, line: Support_) -> dict[str, Cell]:
    unit, way = here.game.units[line.piece.unit], [place(here.table, hex) for hex in line.path]
    assert isinstance(line.piece.at, Hex)
    why = f"{line.why} ({line.rule})" if line.rule else line.why
    said = f"in   {' '.join(map(str, way))}{' by road' * line.by_road}" if line.supplied else f"OUT  {why}"
    return {
        "unit": counter(here.game, unit, line.piece.copy), "name": label(here.game, unit), "place": place(here.table, line.piece.at),
        "line": said, "supplied": line.supplied, "by_road": line.by_road, "path": way, "why": line.why, "rule": line.rule,
    }  # fmt: skip


def _off_map(here: Support, side: str) -> int:
    """Ground units of a side that are in a box or still to be set up."""
    units = here.game.units
    return sum(
        piece.unit in units and units[piece.unit].class_ in GROUND and units[piece.unit].side == side
        for piece in here.position.pieces
        if not isinstance(piece.at, Hex) and piece.at != DEAD
    )


SUPPLY = Question(
    name="supply", about="lines of support of both sides, and what would cut them", answer=_supply, bare=("side",),
    inputs=(Input(name="side", about="one side only", kind="choice", of="side"), *ON_THE_MAP),
)  # fmt: skip

"""Supply: lines of communication, what cuts them, who is in command, what lies under missiles (11.2, 14.0, 20.3)."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.answers import Answer, Cell, Column, Line, Node, Ours, Section, Several, Table, Value, Warning
from assistant.games.october_war.command import command_table, umbrella_table
from assistant.games.october_war.cuts import cuts
from assistant.games.october_war.ground import Ground
from assistant.games.october_war.questions import SIDE, asked_ground, counter, place
from assistant.games.october_war.reach import commands, umbrellas
from assistant.games.october_war.supply import Lines, lines_of
from assistant.questions import ON_A_MAP, Input, Question, Told
from assistant.shared.sourced import ours
from assistant.shared.strengths import map_sources
from scenarios.game import Game

WORST = 3
"""So many points whose loss would cut most are told."""


def _supply(game: Game, told: Told) -> Answer:
    here = asked_ground(game, told)
    sides = [side for side in game.sides if told.get("side", side) == side]
    own = [unit for _, unit in here.units if unit.side in sides]
    used = [(unit, key) for unit in own for key in ("leader", "umbrella") if unit.factors.get(key)]
    return Answer("supply", game.id, [
        Value("scenario", here.position.scenario, shown=False),
        Several("sides", [_side(lines_of(here, side, told["control"])) for side in sides]),
        Ours(ours(game, used, more=map_sources(game))),
    ])  # fmt: skip


def _side(own: Lines) -> Section:
    here, game, lines = own.ground, own.ground.game, own.all()
    inside = sum(line.supplied for line in lines)
    rows: list[dict[str, Cell]] = [
        {"unit": counter(game, line.piece), "place": place(here, line.piece.at), "supplied": line.supplied, "why": line.why,
         "path": _places(here, line.path), "cut_by": list(line.cut_by), "state": "in" if line.supplied else "OUT",
         "how": _places(here, line.path[1:]) or [*line.cut_by] or line.why}
        for line in lines
    ]  # fmt: skip
    columns = [
        Column("unit", "unit"), Column("place", "in"), Column("state", "supply", told=False), Column("how", "by, or cut by", told=False),
    ]  # fmt: skip
    covered = sorted({point for one in umbrellas(here, own.side) for point in one.points})
    return Section([
        Value("side", own.side, shown=False), Value("in_supply", inside, shown=False),
        Value("out_of_supply", len(lines) - inside, shown=False),
        Table("units", columns, rows),
        _waiting(own), *_bridges(here, own.side), *_worst(own), *_commands(here, own.side),
        _quiet(umbrella_table(here, umbrellas(here, own.side), idle=True)),
        Value("covered", _places(here, covered), "Under missiles", "20.3", shown=bool(covered)),
    ], f"{game.sides[own.side].name}: {inside} in supply, {len(lines) - inside} out")  # fmt: skip


def _places(here: Ground, points: Iterable[str]) -> list[Cell]:
    return [place(here, point) for point in points]


def _quiet(table: Table, key: str = "") -> Table:
    """A table for programs alone."""
    return Table(key or table.key, [column._replace(title="") for column in table.columns], table.rows)


def _waiting(own: Lines) -> Table:
    here = own.ground
    rows: list[dict[str, Cell]] = [
        {"group": one.group, "places": _places(here, one.points), "many": len(one.points), "out": _places(here, one.out)}
        for one in own.waiting()
    ]
    columns = [Column("group", "to be set up"), Column("many", "points to choose from", told=False), Column("out", "without a line")]
    return Table("waiting", columns, rows)


def _bridges(here: Ground, side: str) -> list[Node]:
    found = here.crossings(side)
    rows: list[dict[str, Cell]] = [
        {"place": place(here, point), "to": place(here, there), "stands": stands} for point, there, stands in found
    ]
    why = " goes: no unit of its side on either bank"
    gone = [Warning(("the bridge from ", place(here, a), " to ", place(here, b), why), "21.4") for a, b, stands in found if not stands]
    return [Table("bridges", [Column("place"), Column("to"), Column("stands")], rows), *gone]


def _worst(own: Lines) -> list[Node]:
    """The points whose loss would cut most."""
    here, found = own.ground, cuts(own)[:WORST]
    rows: list[dict[str, Cell]] = [
        {"place": place(here, cut.point), "units": [counter(here.game, piece) for piece in cut.units],
         "places": _places(here, cut.points), "many": len(cut.units), "points": len(cut.points)}
        for cut in found
    ]  # fmt: skip
    columns = [Column("place", "taken by the enemy"), Column("many", "cuts units", told=False), Column("points", "and points", told=False)]
    return [Table("worst", columns, rows), *([] if rows else [Line("no single point would cut anything")])]


def _commands(here: Ground, side: str) -> list[Node]:
    found = commands(here, side)
    out = [one.piece for one in found if not one.by and not one.free]
    lines = [Line(("not in command: ", counter(here.game, piece), " in ", place(here, piece.at)), "14.1") for piece in out]
    return [_quiet(command_table(here, found), "command"), *lines]


SUPPLY = Question(
    name="supply", about="lines of communication, command, missile umbrellas (11.2, 14.0, 20.3)", answer=_supply, bare=("scenario",),
    inputs=(
        SIDE, Input(name="control", about="enemy control stops a line too, not only enemy units", kind="flag", default=True), *ON_A_MAP,
    ),
)  # fmt: skip

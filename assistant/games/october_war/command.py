"""How far headquarters and missiles reach, and who is in command (14.0, 20.3)."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.answers import Answer, BadQuestion, Cell, Column, Line, Node, Ours, Table, Value
from assistant.games.october_war.ground import Ground
from assistant.games.october_war.questions import (
    FROM,
    POINT,
    SIDE,
    asked_ground,
    asked_point,
    counter,
    near_first,
    place,
    started,
)
from assistant.games.october_war.reach import Command, Umbrella, command_points, commands, leader, umbrellas
from assistant.questions import ON_A_MAP, Input, Question, Told
from assistant.shared.sourced import ours
from assistant.shared.strengths import map_sources
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.position import Piece

INPUTS = (FROM, SIDE, *ON_A_MAP)


# --- headquarters -----------------------------------------------------------------------------------------------------


def _command(game: Game, told: Told) -> Answer:
    here, pieces = _asked(game, told, "leader", "headquarters (14.1)")
    radii: list[dict[str, Cell]] = []
    for piece, unit in pieces:
        points = command_points(here, str(piece.at), unit.side, leader(unit))
        radii.append({
            "unit": counter(game, piece), "place": place(here, piece.at), "leader": leader(unit), "shown": near_first(here, points),
            "reach": [{"place": one, "distance": points[one.name]} for one in near_first(here, points)],
        })  # fmt: skip
    columns = [
        Column("unit", "headquarters"), Column("place", "in"), Column("leader", "leader value"),
        Column("shown", "commands, nearest first", told=False), Column("reach"),
    ]  # fmt: skip
    sides = [side for side in game.sides if told.get("side", side) == side]
    units = [] if "unit" in told else [one for side in sides for one in commands(here, side)]
    nodes: list[Node] = [Table("headquarters", columns, radii), command_table(here, units)]
    if not pieces:
        nodes.append(Line("no headquarters is on the map: tell unit=HQ from=POINT"))
    used = ours(game, ((unit, "leader") for _, unit in pieces), more=map_sources(game)) if pieces else {}
    return Answer("command", game.id, [*nodes, Ours(used)])


def command_table(here: Ground, units: Iterable[Command]) -> Table:
    """Units with the headquarters that command them, or why they need none."""
    rows: list[dict[str, Cell]] = [
        {"unit": counter(here.game, one.piece), "place": place(here, one.piece.at), "by": list(one.by), "why": one.free or None,
         "how": ", ".join(one.by) or one.free or "NOT in command"}
        for one in units
    ]  # fmt: skip
    return Table("units", [Column("unit", "unit"), Column("place", "in"), Column("how", "in command of", told=False)], rows)


COMMAND = Question(
    name="command", about="how far headquarters reach, and who is in command (14.0)", answer=_command, bare=("unit", "from"),
    inputs=(Input(name="unit", about="one headquarters; left out, all", kind="unit"), *INPUTS),
)  # fmt: skip


# --- missiles ---------------------------------------------------------------------------------------------------------


def _umbrella(game: Game, told: Told) -> Answer:
    here, pieces = _asked(game, told, "umbrella", "SAM unit (20.2)")
    wanted = asked_point(game, here, told)
    held = {id(piece) for piece, _ in pieces}
    found = [one for side in game.sides for one in umbrellas(here, side) if id(one.piece) in held]
    nodes: list[Node] = [Value("place", place(here, wanted), "Point")] if wanted else []
    table = umbrella_table(here, found, wanted)
    nodes.append(table)
    if not table.rows:
        nothing = ("no missiles reach ", place(here, wanted)) if wanted else "no SAM unit is on the map: tell unit=SAM from=POINT"
        nodes.append(Line(nothing))
    used = [(game.units[one.piece.unit], "umbrella") for one in found]
    return Answer("umbrella", game.id, [*nodes, Ours(ours(game, used, more=map_sources(game)) if used else {})])


def umbrella_table(here: Ground, found: Iterable[Umbrella], wanted: str = "", *, idle: bool = False) -> Table:
    """Missiles with the points that they cover, or those that cover one; with `idle` those that cover none too."""
    rows: list[dict[str, Cell]] = []
    for one in found:
        points = {point: far for point, far in one.points.items() if wanted in ("", point)}
        if points or idle:
            near = near_first(here, points)
            covers: list[Cell] = [{"place": spot, "distance": points[spot.name]} for spot in near]
            rows.append({"unit": counter(here.game, one.piece), "place": place(here, one.piece.at), "shown": near, "covers": covers})
    columns = [
        Column("unit", "missiles"), Column("place", "in"), Column("shown", "cover, nearest first", told=False), Column("covers"),
    ]  # fmt: skip
    return Table("umbrellas", columns, rows)


UMBRELLA = Question(
    name="umbrella", about="what lies under missiles (20.3, 20.4)", answer=_umbrella, bare=("unit", "from"),
    inputs=(
        Input(name="unit", about="one SAM unit; left out, all", kind="unit"), *INPUTS, POINT,
    ),
)  # fmt: skip


def _asked(game: Game, told: Told, factor: str, what: str) -> tuple[Ground, list[tuple[Piece, Unit]]]:
    """The ground, and the units asked about: one that is told, or all of a kind."""
    if "unit" in told:
        here, unit, piece = started(game, told)
        if not unit.factors.get(factor):
            raise BadQuestion(f"{unit.name} is no {what}")
        return here, [(piece, unit)]
    here, side = asked_ground(game, told), told.get("side", "")
    return here, [(piece, unit) for piece, unit in here.units if unit.factors.get(factor) and side in ("", unit.side)]

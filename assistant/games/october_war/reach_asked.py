"""How far headquarters and missiles reach, as it is asked (14.0, 20.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.attacks import BadQuestion
from assistant.games.october_war.battle_asked import asked_point
from assistant.games.october_war.ground import Ground, ground
from assistant.games.october_war.move_asked import PLACE, started
from assistant.games.october_war.reach import command_points, commands, leader, umbrellas
from assistant.shared.asking import Options, Said, asked_position
from assistant.shared.options import choice, given, word
from assistant.shared.sourced import ours, ours_text
from assistant.shared.strengths import map_sources
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.position import Piece

COMMAND = {
    "unit": "one headquarters; left out, all",
    "from": "the point it is in, if the position doesn't show it",
    "side": "one side only: arab or israeli",
    **PLACE,
}
UMBRELLA = {
    **COMMAND,
    "unit": "one SAM unit; left out, all",
    "point": "one point: which missiles reach it",
}


def command_answer(game: Game, options: Options) -> Said:
    """The command radius of headquarters, and who is in command (14.1, 14.2, 22.2)."""
    here, pieces = _asked(game, options, "leader", "headquarters (14.1)")
    sides = [side for side in game.sides if choice(options, "side", game.sides) in ("", side)]
    radii = [(piece, unit, command_points(here, str(piece.at), unit.side, leader(unit))) for piece, unit in pieces]
    lines, told = [], []
    for piece, unit, points in radii:
        told.append({"unit": unit.id, "point": piece.at, "leader": leader(unit), "points": points})
        lines.append(f"{unit.name} in {_name(here, piece.at)}, leader value {leader(unit)}: {_points(here, points)}")
    units = [] if given(options, "unit") else [one for side in sides for one in commands(here, side)]
    for one in units:
        how = f"by {', '.join(one.by)}" if one.by else one.free or "NOT in command"
        lines.append(f"  {game.units[one.piece.unit].name:22} {_name(here, one.piece.at):22} {how}")
    json: dict[str, Any] = {
        "game": game.id, "question": "command", "headquarters": told,
        "units": [{"unit": one.piece.unit, "point": one.piece.at, "by": list(one.by), "free": one.free} for one in units],
        "not_the_rulebooks": ours(game, ((unit, "leader") for _, unit in pieces), more=map_sources(game)) if pieces else {},
    }  # fmt: skip
    lines += ours_text(json["not_the_rulebooks"])
    return json, lines or ["no headquarters is on the map: tell unit=HQ from=POINT"]


def umbrella_answer(game: Game, options: Options) -> Said:
    """The points that missiles cover (20.3, 20.4), or what covers one point."""
    here, pieces = _asked(game, options, "umbrella", "SAM unit (20.2)")
    wanted = asked_point(game, here, word(options, "point"))
    held = {id(piece) for piece, _ in pieces}
    found = [one for side in game.sides for one in umbrellas(here, side) if id(one.piece) in held]
    lines, told = [], []
    for one in found:
        points = {point: far for point, far in one.points.items() if wanted in ("", point)}
        if points:
            told.append({"unit": one.piece.unit, "point": one.piece.at, "covers": points})
            name = f"{game.units[one.piece.unit].name} in {_name(here, one.piece.at)}"
            lines.append(f"{name}: {_points(here, points)}")
    nothing = f"no missiles reach {_name(here, wanted)}" if wanted else "no SAM unit is on the map: tell unit=SAM from=POINT"
    used = [(game.units[one.piece.unit], "umbrella") for one in found]
    rebuilt = ours(game, used, more=map_sources(game)) if used else {}
    json = {"game": game.id, "question": "umbrella", "umbrellas": told, "not_the_rulebooks": rebuilt}
    return json, [*(lines or [nothing]), *ours_text(rebuilt)]


def _asked(game: Game, options: Options, factor: str, what: str) -> tuple[Ground, list[tuple[Piece, Unit]]]:
    """The ground, and the units asked about: one that is told, or all of a kind."""
    side = choice(options, "side", game.sides)
    if given(options, "unit"):
        here, unit, start = started(game, options)
        if not unit.factors.get(factor):
            raise BadQuestion(f"{unit.name} is no {what}")
        return here, [next(pair for pair in here.units if pair[0].at == start and pair[1].id == unit.id)]
    here = ground(game, asked_position(game, options))
    return here, [(p, unit) for p, unit in here.units if unit.factors.get(factor) and side in ("", unit.side)]


def _name(here: Ground, point: Any) -> str:
    return here.map.points[str(point)].name


def _points(here: Ground, points: Mapping[str, int]) -> str:
    return ", ".join(f"{_name(here, p)} {far}" for p, far in sorted(points.items(), key=lambda one: (one[1], one[0])))

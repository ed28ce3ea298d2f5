"""Supply, command and umbrellas as text and JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assistant.games.october_war.ground import Ground, ground
from assistant.games.october_war.reach import commands, umbrellas
from assistant.games.october_war.supply import Line, Lines
from assistant.shared.asking import Options, Said, asked_position
from assistant.shared.options import choice, yes
from scenarios.game import Game

NAMES = {
    "side": "one side only: arab or israeli",
    "control": "enemy control stops a line too, not only enemy units (yes or no)",
    "position": "a position file",
    "scenario": "the start of a scenario, instead of a position",
}


def supply_answer(game: Game, options: Options) -> Said:
    """Lines of communication of both sides, or of one; without `control` by 11.2 alone."""
    here = ground(game, asked_position(game, options))
    control, wanted = yes(options, "control", True), choice(options, "side", game.sides)
    sides = [Lines(here, side, control) for side in game.sides if wanted in ("", side)]
    return supply_json(game, here, sides), [line for one in sides for line in supply_text(game, one)]


def supply_json(game: Game, here: Ground, sides: list[Lines]) -> dict[str, Any]:
    """Supply for a program; points by id."""
    return {"game": game.id, "scenario": here.position.scenario, "sides": {one.side: _side(one) for one in sides}}


def _side(own: Lines) -> dict[str, Any]:
    found = own.all()
    return {
        "in": sum(line.supplied for line in found),
        "out": sum(not line.supplied for line in found),
        "units": [_line(line) for line in found],
        "waiting": [{"group": g.group, "points": list(g.points), "out": list(g.out)} for g in own.waiting()],
        "worst": [
            {
                "point": cut.point,
                "cuts": [_key(piece.unit, piece.copy) for piece in cut.units],
                "points": list(cut.points),
            }
            for cut in own.cuts(3)
        ],
        "command": [
            {"unit": _key(c.piece.unit, c.piece.copy), "point": c.piece.at, "by": list(c.by), "free": c.free}
            for c in commands(own.ground, own.side)
        ],
        "bridges": [
            {"point": point, "to": there, "stands": stands} for point, there, stands in own.ground.crossings(own.side)
        ],
        "umbrellas": [
            {"unit": _key(u.piece.unit, u.piece.copy), "point": u.piece.at, "covers": u.points}
            for u in umbrellas(own.ground, own.side)
        ],
    }


def _line(line: Line) -> dict[str, Any]:
    return {
        "unit": _key(line.piece.unit, line.piece.copy),
        "point": line.piece.at,
        "supplied": line.supplied,
        "why": line.why,
        "path": list(line.path),
        "cut_by": list(line.cut_by),
    }


def _key(unit: str, copy: str) -> str:
    return f"{unit}/{copy}" if copy not in ("", "1") else unit


def supply_text(game: Game, own: Lines) -> Iterator[str]:
    """One side's lines of communication, its command and its umbrellas in lines."""
    found = own.all()
    inside = sum(line.supplied for line in found)
    yield f"{game.sides[own.side].name}: {inside} in supply, {len(found) - inside} out"
    names = {point: shape.name for point, shape in own.ground.map.points.items()}
    for line in found:
        unit, where = game.units[line.piece.unit].name, names[str(line.piece.at)]
        if line.supplied:
            way = " - ".join(names[point] for point in line.path[1:])
            yield f"  {unit:22} {where:20} in   {way or line.why}"
        else:
            yield f"  {unit:22} {where:20} OUT  {'; '.join(line.cut_by)}"
    for group in own.waiting():
        out = f", out in {', '.join(names[p] for p in group.out)}" if group.out else ", all with a line"
        yield f"  {group.group}: may set up in {len(group.points)} points{out}"
    for point, there, stands in own.ground.crossings(own.side):
        if not stands:
            yield f"  the bridge from {names[point]} to {names[there]} goes: no unit of its side on either bank (21.4)"
    worst = own.cuts(3)
    for cut in worst:
        lost = f"{_many(len(cut.units), 'unit')} and {_many(len(cut.points), 'point')}"
        yield f"  {names[cut.point]} taken would cut {lost}"
    if not worst:
        yield "  no single point would cut anything"
    for one in commands(own.ground, own.side):
        if not one.by and not one.free:
            yield f"  not in command: {game.units[one.piece.unit].name} in {names[str(one.piece.at)]}"
    covered = sorted({point for umbrella in umbrellas(own.ground, own.side) for point in umbrella.points})
    if covered:
        yield f"  under missiles: {', '.join(names[point] for point in covered)}"


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"

"""Supply, command and umbrellas as text and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from assistant.games.october_war.cuts import Cut, cuts
from assistant.games.october_war.ground import ground
from assistant.games.october_war.reach import Command, Umbrella, commands, umbrellas
from assistant.games.october_war.supply import Line, Lines, Waiting, lines_of
from assistant.shared.asking import Options, Said, asked_position
from assistant.shared.options import choice, yes
from assistant.shared.sourced import ours, ours_text
from assistant.shared.strengths import map_sources
from scenarios.game import Game

NAMES = {
    "side": "one side only: arab or israeli",
    "control": "enemy control stops a line too, not only enemy units (yes or no)",
    "position": "a position file",
    "scenario": "the start of a scenario, instead of a position",
}


class Side(NamedTuple):
    """All there is to tell of one side's lines."""

    own: Lines
    lines: Sequence[Line]
    waiting: Sequence[Waiting]
    worst: Sequence[Cut]
    commands: Sequence[Command]
    crossings: Sequence[tuple[str, str, bool]]
    umbrellas: Sequence[Umbrella]


def supply_answer(game: Game, options: Options) -> Said:
    """Lines of communication of both sides, or of one; without `control` by 11.2 alone."""
    here = ground(game, asked_position(game, options))
    control, wanted = yes(options, "control", True), choice(options, "side", game.sides)
    sides = [_side(lines_of(here, side, control)) for side in game.sides if wanted in ("", side)]
    told = {"game": game.id, "scenario": here.position.scenario, "sides": {one.own.side: _json(one) for one in sides}}
    own = [unit for _, unit in here.units if wanted in ("", unit.side)]
    used = [(unit, key) for unit in own for key in ("leader", "umbrella") if unit.factors.get(key)]
    rebuilt = ours(game, used, more=map_sources(game))
    return {**told, "not_the_rulebooks": rebuilt}, [line for one in sides for line in _text(game, one)] + ours_text(rebuilt)


def _side(own: Lines) -> Side:
    here = own.ground
    return Side(
        own, own.all(), own.waiting(), cuts(own)[:3], commands(here, own.side), here.crossings(own.side),
        umbrellas(here, own.side),
    )  # fmt: skip


def _json(side: Side) -> dict[str, Any]:
    """One side's supply for a program; points by id."""
    return {
        "in": sum(line.supplied for line in side.lines),
        "out": sum(not line.supplied for line in side.lines),
        "units": [_line(line) for line in side.lines],
        "waiting": [{"group": g.group, "points": list(g.points), "out": list(g.out)} for g in side.waiting],
        "worst": [
            {
                "point": cut.point,
                "cuts": [_key(piece.unit, piece.copy) for piece in cut.units],
                "points": list(cut.points),
            }
            for cut in side.worst
        ],
        "command": [
            {"unit": _key(c.piece.unit, c.piece.copy), "point": c.piece.at, "by": list(c.by), "free": c.free}
            for c in side.commands
        ],
        "bridges": [{"point": point, "to": there, "stands": stands} for point, there, stands in side.crossings],
        "umbrellas": [
            {"unit": _key(u.piece.unit, u.piece.copy), "point": u.piece.at, "covers": dict(u.points)}
            for u in side.umbrellas
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


def _text(game: Game, side: Side) -> Iterator[str]:
    """One side's lines of communication, its command and its umbrellas in lines."""
    inside = sum(line.supplied for line in side.lines)
    yield f"{game.sides[side.own.side].name}: {inside} in supply, {len(side.lines) - inside} out"
    names = {point: shape.name for point, shape in side.own.ground.map.points.items()}
    for line in side.lines:
        unit, where = game.units[line.piece.unit].name, names[str(line.piece.at)]
        if line.supplied:
            way = " - ".join(names[point] for point in line.path[1:])
            yield f"  {unit:22} {where:20} in   {way or line.why}"
        else:
            yield f"  {unit:22} {where:20} OUT  {'; '.join(line.cut_by)}"
    for group in side.waiting:
        out = f", out in {', '.join(names[p] for p in group.out)}" if group.out else ", all with a line"
        yield f"  {group.group}: may set up in {len(group.points)} points{out}"
    for point, there, stands in side.crossings:
        if not stands:
            yield f"  the bridge from {names[point]} to {names[there]} goes: no unit of its side on either bank (21.4)"
    for cut in side.worst:
        lost = f"{_many(len(cut.units), 'unit')} and {_many(len(cut.points), 'point')}"
        yield f"  {names[cut.point]} taken would cut {lost}"
    if not side.worst:
        yield "  no single point would cut anything"
    for one in side.commands:
        if not one.by and not one.free:
            yield f"  not in command: {game.units[one.piece.unit].name} in {names[str(one.piece.at)]}"
    covered = sorted({point for umbrella in side.umbrellas for point in umbrella.points})
    if covered:
        yield f"  under missiles: {', '.join(names[point] for point in covered)}"


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"

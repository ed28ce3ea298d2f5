"""Supply answers as text and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assistant.games.yom_kippur.field import SIDES, Field
from assistant.games.yom_kippur.printed import ours
from assistant.games.yom_kippur.questions import CHOSEN, asked_field, asked_hex, asked_side
from assistant.games.yom_kippur.supply import Line, SideSupply, supply
from assistant.shared.asking import Options, Said
from assistant.shared.options import listed, yes
from assistant.shared.sourced import ours_text
from scenarios.game import Game

GHQ = "box:ghq_holding"


def supply_answer(game: Game, options: Options) -> Said:
    """Supply of both sides, or of `side`: each unit in or out, its path, what cuts it, and what would cut most."""
    field = asked_field(game, options)
    lost = frozenset(asked_hex(field, name) for name in listed(options, "taken"))
    wanted = asked_side(options)
    sides = supply(field, sides=(wanted,) if wanted else SIDES, zone=yes(options, "zone"), lost=lost)
    whole = yes(options, "paths")
    lines = [line for one in sides for line in supply_text(field, one, whole=whole)]
    return supply_json(game, field, sides), [*lines, *ours_text(_ranges(field, sides))]


def supply_json(game: Game, field: Field, sides: Sequence[SideSupply]) -> dict[str, Any]:
    """Supply for a program. Hexes by name; points of the count from the headquarters."""
    name = field.ground.table.name

    def line(one: Line) -> dict[str, Any]:
        return {
            "unit": one.stand.key,
            "name": one.stand.name,
            "hex": name(one.stand.hex),
            "assumed": one.stand.assumed,
            "supplied": one.supplied,
            "rule": one.rule,
            "by": one.by,
            "path": [name(hex) for hex in one.path],
            "points": None if one.points is None else str(one.points),
            "reason": one.reason,
            "blocked": [name(hex) for hex in one.blocked],
        }

    return {
        "game": game.id,
        "scenario": field.position.scenario,
        "ghq_holding": [piece.unit for piece in field.position.pieces if piece.at == GHQ],
        "not_the_rulebooks": _ranges(field, sides),
        "sides": {
            one.side: {
                "in": sum(line.supplied for line in one.lines),
                "out": len(one.out),
                "units": [line(each) for each in one.lines],
                "worst": [{"hex": name(threat.hex), "cuts": list(threat.names)} for threat in one.threats],
            }
            for one in sides
        },
    }


def _ranges(field: Field, sides: Sequence[SideSupply]) -> dict[str, str]:
    """The supply ranges that aren't the rulebook's, and the map."""
    chiefs = [line.stand for one in sides for line in one.lines if "supplies" in line.stand.unit.abilities]
    return ours(field.ground.game, ((stand, "supply_range") for stand in chiefs), ground=True)


def supply_text(field: Field, one: SideSupply, *, whole: bool = False) -> Iterator[str]:
    """One side's supply in lines, with `whole` every hex of each path."""
    name = field.ground.table.name
    yield f"{field.ground.game.sides[one.side].name}: {len(one.lines) - len(one.out)} in supply, {len(one.out)} out"
    for line in one.lines:
        where = f"{name(line.stand.hex)}{'*' if line.stand.assumed else ''}"
        start = f"  {line.stand.name:16} {where:7}"
        if not line.supplied:
            yield f"{start} OUT  {line.reason} ({line.rule})"
        elif not line.path:
            yield f"{start} in   always ({line.rule})"
        else:
            count = "" if line.points is None else f", {line.points} point{'s' * (line.points != 1)}"
            path = [name(hex) for hex in line.path]
            yield f"{start} in   from {line.by}{count} ({line.rule}): {' '.join(path) if whole else _short(path)}"
    if any(line.stand.assumed for line in one.lines):
        yield f"  {CHOSEN}"
    if one.side == "egyptian" and (waiting := sum(piece.at == GHQ for piece in field.position.pieces)):
        yield f"  {waiting} units in the GHQ Holding Box are always in supply (3.3)"
    for threat in one.threats:
        units = len(threat.names)
        yield f"  {name(threat.hex)} taken would cut {units} unit{'s' * (units != 1)}: {', '.join(threat.names)}"
    if not one.threats:
        yield "  no single hex would cut anybody"


def _short(names: list[str]) -> str:
    """A path, with its middle left out where it is long."""
    return " ".join(names) if len(names) <= 5 else f"{names[0]} ... {' '.join(names[-2:])} ({len(names)} hexes)"

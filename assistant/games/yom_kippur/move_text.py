"""Movement answers as text and JSON."""

from __future__ import annotations

from typing import Any

from assistant.attacks import BadQuestion
from assistant.games.yom_kippur.movement import airmobile, reach
from assistant.games.yom_kippur.questions import Options, asked_field, asked_hex, asked_unit
from scenarios.game import Game


def move_answer(game: Game, options: Options) -> tuple[dict[str, Any], list[str]]:
    """Where `unit` can go, or its way `to` a hex; `phase` exploitation, or `air` for a flight."""
    field = asked_field(game, options)
    if "unit" not in options:
        raise BadQuestion("say which unit moves: unit")
    stand = asked_unit(field, str(options["unit"]))
    name = field.ground.table.name
    to = asked_hex(field, str(options["to"])) if options.get("to") else None
    if options.get("air"):
        turn = options.get("turn")
        flight = airmobile(field, stand, turn=None if turn is None else int(turn))
        if flight.reason:
            raise BadQuestion(f"{stand.name} can't fly: {flight.reason}")
        if to is not None and to not in flight.landings:
            raise BadQuestion(f"{stand.name} can't land in {name(to)} (1.11)")
        spots = {name(hex): step for hex, step in flight.landings.items() if to is None or hex == to}
        lines = [f"{stand.name} may land in {len(flight.landings)} hexes, up to {max(flight.landings.values(), default=0)} away"]
        lines += [f"  {hex}: {step} hexes" for hex, step in spots.items()] if to is not None else []
        return {"game": game.id, "unit": stand.key, "landings": spots}, lines
    found = reach(field, stand, "exploitation" if options.get("phase") == "exploitation" else "movement")
    if to is not None and to not in found.costs:
        raise BadQuestion(f"{stand.name} can't reach {name(to)} with {found.allowance} points")
    hexes = [
        {
            "hex": name(hex),
            "points": str(cost),
            "path": [name(step) for step in found.paths[hex]],
            "may_end": hex in found.ends,
            "stops": hex in found.stops,
        }
        for hex, cost in found.costs.items()
        if to is None or hex == to
    ]
    lines = [f"{stand.name} in {name(stand.hex)}: {found.allowance} points, {len(found.ends)} hexes to end in"]
    if to is not None:
        lines.append(f"  {' '.join(name(step) for step in found.paths[to])}: {found.costs[to]} points")
        lines += ["  it has to stop there" for _ in [0] if to in found.stops]
        lines += ["  it may not end there (1.3)" for _ in [0] if to not in found.ends]
    else:
        stops = sorted(name(hex) for hex in found.stops)
        lines.append(f"  stopped in {' '.join(stops)}" if stops else "  nothing stops it")
    overruns = {name(hex): str(left) for hex, left in found.overruns.items()}
    lines += [f"  could overrun {hex}, {left} points left" for hex, left in overruns.items()]
    told = {"game": game.id, "unit": stand.key, "allowance": str(found.allowance), "hexes": hexes, "overruns": overruns}
    return told, lines

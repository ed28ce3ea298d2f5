"""Movement answers as text and JSON."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.attacks import BadQuestion
from assistant.games.yom_kippur.field import Field, Stand
from assistant.games.yom_kippur.flights import airmobile
from assistant.games.yom_kippur.movement import Phase, Reach, reach, together
from assistant.games.yom_kippur.questions import asked_field, asked_hex, asked_units, effects
from assistant.shared.asking import Options, Said
from assistant.shared.options import choice, given, yes
from scenarios.game import Game
from scenarios.hexes import Hex


def move_answer(game: Game, options: Options) -> Said:
    """Where `unit` (or a stack of units) can go, or its way `to` a hex; `phase` exploitation, or `air` for a flight."""
    field = asked_field(game, options)
    stands = asked_units(field, options, "unit")
    if not stands:
        raise BadQuestion("say which unit moves: unit")
    to = asked_hex(field, str(options["to"])) if given(options, "to") else None
    if yes(options, "air"):
        if len(stands) > 1:
            raise BadQuestion("units fly one by one: name a single unit")
        return _flight(field, stands[0], to)
    phase: Phase = "exploitation" if choice(options, "phase", ("movement", "exploitation")) == "exploitation" else "movement"
    return _march(field, stands, phase, to, may_cross_east=yes(options, "may_cross_east"))


def _flight(field: Field, stand: Stand, to: Hex | None) -> Said:
    name = field.ground.table.name
    lift = bool(list(effects(field, "airmobile_lift", stand.unit.side)))
    flight = airmobile(field, stand, every_turn=lift)
    if flight.reason:
        raise BadQuestion(f"{stand.name} can't fly: {flight.reason}")
    if to is not None and to not in flight.landings:
        raise BadQuestion(f"{stand.name} can't land in {name(to)} (1.11)")
    spots = {name(hex): step for hex, step in flight.landings.items() if to is None or hex == to}
    lines = [f"{stand.name} may land in {len(flight.landings)} hexes, up to {max(flight.landings.values(), default=0)} away"]
    lines += [f"  {hex}: {step} hexes" for hex, step in spots.items()] if to is not None else []
    if not stand.unit.abilities & {"air_lift", "air_lift_always"}:
        lines.append(f"  it takes {stand.steps} of the {field.ground.limit('airmobile_steps')} steps a turn's lift carries (1.11)")
    return {"game": field.ground.game.id, "unit": stand.key, "landings": spots}, lines


def _march(field: Field, stands: Sequence[Stand], phase: Phase, to: Hex | None, *, may_cross_east: bool) -> Said:
    name = field.ground.table.name
    if len({stand.hex for stand in stands}) > 1:
        raise BadQuestion("units that move together stand in one hex")
    found = together([reach(field, stand, phase, may_cross_east=may_cross_east) for stand in stands], field)
    who = " and ".join(stand.name for stand in stands)
    if to is not None and to not in found.costs:
        raise BadQuestion(f"{who} can't reach {name(to)} with {found.allowance} points")
    lines = [f"{who} in {name(stands[0].hex)}: {found.allowance} points, {len(found.ends)} hexes to end in"]
    lines += _way(found, to, name(to), [name(step) for step in found.paths[to]]) if to is not None else []
    if to is None:
        stops = sorted(name(hex) for hex in found.stops)
        lines.append(f"  stopped in {' '.join(stops)}" if stops else "  nothing stops it")
    overruns = {name(hex): str(left) for hex, left in found.overruns.items()}
    lines += [f"  could overrun {hex}, {left} points left" for hex, left in overruns.items() if to is None]
    hexes = [
        {"hex": name(hex), "points": str(cost), "path": [name(step) for step in found.paths[hex]],
         "may_end": hex in found.ends, "stops": hex in found.stops}
        for hex, cost in found.costs.items()
        if to is None or hex == to
    ]  # fmt: skip
    told = {"unit": ",".join(stand.key for stand in stands), "allowance": str(found.allowance)}
    return {"game": field.ground.game.id, **told, "hexes": hexes, "overruns": overruns}, lines


def _way(found: Reach, to: Hex, name: str, path: Sequence[str]) -> list[str]:
    lines = [f"  {' '.join(path)}: {found.costs[to]} points"]
    lines += [f"  it has to stop in {name}"] if to in found.stops else []
    return lines + (["  there is no room to end there (1.3)"] if to not in found.ends else [])

"""Movement answers as text and JSON."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.attacks import BadQuestion
from assistant.games.yom_kippur.field import Field, Stand
from assistant.games.yom_kippur.flights import airmobile, why_no_landing
from assistant.games.yom_kippur.movement import Phase, Reach, reach, room, together, why_no_end, why_not
from assistant.games.yom_kippur.printed import STEPS, ours
from assistant.games.yom_kippur.questions import asked_field, asked_hex, asked_units, effects
from assistant.shared.asking import Options, Said
from assistant.shared.options import choice, given, yes
from assistant.shared.sourced import ours_text
from scenarios.game import Game
from scenarios.hexes import Hex


def move_answer(game: Game, options: Options) -> Said:
    """Where `unit` (or a stack of units) can go, or its way `to` a hex; `phase` exploitation, or `air` for a flight."""
    field = asked_field(game, options)
    stands = asked_units(field, options, "unit")
    if not stands:
        raise BadQuestion("say which unit moves: unit")
    to = asked_hex(field, str(options["to"])) if given(options, "to") else None
    phase: Phase = "exploitation" if choice(options, "phase", ("movement", "exploitation")) == "exploitation" else "movement"
    if yes(options, "air"):
        if phase == "exploitation":
            raise BadQuestion("nobody flies in the Exploitation Phase, only in the Movement Phase (1.11a)")
        return _flight(field, stands, to)
    return _march(field, stands, phase, to, may_cross_east=yes(options, "may_cross_east"))


def _flight(field: Field, stands: Sequence[Stand], to: Hex | None) -> Said:
    """Units by helicopter, all of them to one hex; what they take of the turn's lift (1.11)."""
    name = field.ground.table.name
    lift, side = field.ground.limit("airmobile_steps"), stands[0].unit.side
    every_turn = bool(list(effects(field, "airmobile_lift", side)))
    flights = [airmobile(field, stand, every_turn=every_turn) for stand in stands]
    for flight in flights:
        if flight.reason:
            raise BadQuestion(f"{flight.stand.name} can't fly: {flight.reason}")
    counted = sum(s.steps for s in stands if not s.unit.abilities & {"air_lift", "air_lift_always"})
    if counted > lift:
        raise BadQuestion(f"these are {counted} steps, and a turn's lift carries {lift} (1.11b, 1.11c)")
    shared = [hex for hex in flights[0].landings if all(hex in flight.landings for flight in flights)]
    spots = {hex: max(flight.landings[hex] for flight in flights) for hex in shared if room(field, stands, hex)}
    who = " and ".join(stand.name for stand in stands)
    if to is not None and to not in spots:
        reasons = [(one.stand, why_no_landing(field, one, to)) for one in flights if to not in one.landings]
        alone = "; ".join(f"{stand.name} can't land in {name(to)}: {why}" for stand, why in reasons)
        raise BadQuestion(alone or f"{who} can't land together in {name(to)}: {why_no_end(field, stands, to)}")
    lines = [f"{who} may land in {len(spots)} hexes, up to {max(spots.values(), default=0)} away"]
    lines += [f"  {name(to)}: {spots[to]} hexes"] if to is not None else []
    lines += [f"  {counted} of the {lift} steps that a turn's lift carries (1.11b, 1.11c)"] if counted else []
    told = {name(hex): step for hex, step in spots.items() if to is None or hex == to}
    rebuilt = ours(field.ground.game, ((stand, STEPS) for stand in stands))
    json = {"game": field.ground.game.id, "unit": ",".join(s.key for s in stands), "landings": told, "lift": counted}
    return {**json, "not_the_rulebooks": rebuilt}, [*lines, *ours_text(rebuilt)]


def _march(field: Field, stands: Sequence[Stand], phase: Phase, to: Hex | None, *, may_cross_east: bool) -> Said:
    name = field.ground.table.name
    if len({stand.hex for stand in stands}) > 1:
        where = ", ".join(f"{stand.name} in {name(stand.hex)}" for stand in stands)
        raise BadQuestion(f"units that move together stand in one hex, but these don't: {where}")
    each = {stand: reach(field, stand, phase, may_cross_east=may_cross_east) for stand in stands}
    found = together(list(each.values()), field)
    who = " and ".join(stand.name for stand in stands)
    if to is not None and to not in found.costs:
        reasons = ((one, why_not(field, one, to, may_cross_east=may_cross_east)) for one in stands if to not in each[one].costs)
        raise BadQuestion("; ".join(f"{one.name} can't reach {name(to)}: {why}" for one, why in reasons))
    lines = [f"{who} in {name(stands[0].hex)}: {found.allowance} points, {len(found.ends)} hexes to end in"]
    if to is not None:
        bar = "" if to in found.ends else why_no_end(field, stands, to)
        lines += _way(found, to, name(to), [name(step) for step in found.path(to)], bar)
    if to is None:
        stops = sorted(name(hex) for hex in found.stops)
        lines.append(f"  stopped in {' '.join(stops)}" if stops else "  nothing stops it")
    overruns = {name(hex): str(left) for hex, left in found.overruns.items()}
    lines += [f"  could overrun {hex}, {left} points left" for hex, left in overruns.items() if to is None]
    names = {hex: name(hex) for hex in (found.costs if to is None else found.path(to))}
    amounts = {cost: str(cost) for cost in set(found.costs.values())}
    hexes = [
        {"hex": names[hex], "points": amounts[cost], "path": [names[step] for step in found.path(hex)],
         "may_end": hex in found.ends, "why_no_end": "" if hex in found.ends else why_no_end(field, stands, hex),
         "stops": hex in found.stops}
        for hex, cost in found.costs.items()
        if to is None or hex == to
    ]  # fmt: skip
    told = {"unit": ",".join(stand.key for stand in stands), "allowance": str(found.allowance)}
    rebuilt = ours(field.ground.game, ((stand, "movement") for stand in stands), ground=True)
    json = {"game": field.ground.game.id, **told, "hexes": hexes, "overruns": overruns, "not_the_rulebooks": rebuilt}
    return json, [*lines, *ours_text(rebuilt)]


def _way(found: Reach, to: Hex, name: str, path: Sequence[str], bar: str) -> list[str]:
    lines = [f"  {' '.join(path)}: {found.costs[to]} points"]
    lines += [f"  it has to stop in {name}"] if to in found.stops else []
    return lines + ([f"  it can't end there: {bar}"] if bar else [])

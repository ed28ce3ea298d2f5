"""What a unit can spend its points on besides steps: loading, overruns, clearing, laying, smoke, building."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Literal, NamedTuple

from assistant.games.arab_israeli_wars.canal import debouchments
from assistant.games.arab_israeli_wars.carriers import handling, load_bar, unload_bar
from assistant.games.arab_israeli_wars.ground import CANAL, Ground
from assistant.games.arab_israeli_wars.hazards import mine_at
from assistant.games.arab_israeli_wars.movement import OVERRUN, overrun_bar, overruns, ways
from assistant.games.arab_israeli_wars.steps import HALF, ZERO, Mover, Rates
from assistant.games.arab_israeli_wars.traffic import Bar, wreckage
from scenarios.hexes import Hex, distance

DeedKind = Literal[
    "quick", "load", "unload", "overrun", "clear_mine", "clear_wreck", "smoke", "lay_mine", "pick_up", "build"
]
DEEDS: tuple[DeedKind, ...] = (
    "quick", "load", "unload", "overrun", "clear_mine", "clear_wreck", "smoke", "lay_mine", "pick_up", "build",
)  # fmt: skip
BRIDGE = "bridge"


class Deed(NamedTuple):
    """Something else than a step that costs points: with which units, or toward which hex."""

    kind: DeedKind
    units: tuple[str, ...] = ()
    hex: Hex | None = None


class State(NamedTuple):
    """A unit in the middle of its move."""

    mover: Mover
    hex: Hex
    spent: Fraction
    taken: int
    """How many hexes it has moved."""
    done: bool


class Doing(NamedTuple):
    """What a deed costs and changes, or why it can't be done."""

    cost: Fraction
    rule: str
    bar: Bar | None = None
    note: str = ""
    after: Mover | None = None
    to: Hex | None = None
    """The hex it moves to as part of the deed."""


def doing(rates: Rates, state: State, deed: Deed) -> Doing:
    """A deed of a unit where it stands."""
    match deed.kind:
        case "quick":
            bar = Bar("it is announced before the unit moves: the first word of the path", "Advanced II.C.2")
            return Doing(ZERO, "Advanced II.C.2", bar)
        case "load":
            return _load_bridge(rates, state) if deed.units == (BRIDGE,) else _load(rates, state, deed)
        case "unload":
            return _unload_bridge(rates, state) if deed.units == (BRIDGE,) else _unload(rates, state, deed)
        case "overrun":
            return _overrun(rates, state, deed)
        case "clear_mine":
            return _clear_mine(rates, state)
        case "clear_wreck":
            return _clear_wreck(rates, state)
        case "smoke":
            return _smoke(rates, state)
        case "lay_mine":
            return _lay_mine(rates, state, deed)
        case "pick_up":
            return _pick_up(rates, state, deed)
        case "build":
            return _build(rates, state)


def _load(rates: Rates, state: State, deed: Deed) -> Doing:
    """Basic V.B.7; ferries Advanced IV.B.2.d; missile teams two at a time Advanced II.E.3."""
    mover, origin = state.mover, deed.hex or state.hex
    waiting = [one for one in rates.here.at(origin) if one.side == mover.side and "loaded" not in one.states]
    if not deed.units:
        return Doing(ZERO, "", Bar("say whom it loads, as in load:infantry_egypt", "Basic V.B.7"))
    taken = []
    for wanted in deed.units:
        found = next((one for one in waiting if one.unit.id == wanted and one not in taken), None)
        if found is None:
            return Doing(ZERO, "", Bar(f"there is no {wanted} in {rates.ground.table.name(origin)}", "Basic V.B.7.a"))
        taken.append(found)
    cost, rule = handling(mover, [one.unit for one in taken])
    bar = load_bar(rates.ground, mover, rates.here, state.hex, taken, origin)
    after = replace(mover, passengers=(*mover.passengers, *taken))
    return Doing(cost, rule, bar, ", ".join(one.unit.name for one in taken), after)


def _unload(rates: Rates, state: State, deed: Deed) -> Doing:
    """Basic V.B.7 and V.B.8; the passenger is a target together with its carrier (Standard II.E.3.h)."""
    mover, to = state.mover, deed.hex or state.hex
    left = list(mover.passengers)
    put = []
    for wanted in deed.units or tuple(one.unit.id for one in left):
        found = next((one for one in left if one.unit.id == wanted), None)
        if found is None:
            return Doing(ZERO, "", Bar(f"it carries no {wanted}", "Basic V.B.5"))
        left.remove(found)
        put.append(found)
    if not put:
        return Doing(ZERO, "", Bar("it carries nobody", "Basic V.B.5"))
    cost, rule = handling(mover, [one.unit for one in put])
    bar = unload_bar(rates.ground, mover, rates.here, state.hex, put, to)
    return Doing(cost, rule, bar, ", ".join(one.unit.name for one in put), replace(mover, passengers=tuple(left)))


def _load_bridge(rates: Rates, state: State) -> Doing:
    """A bridge on the ground is taken in tow for a whole allowance (Advanced V.D.1, V.D.2)."""
    mover, rule = state.mover, "Advanced V.D"
    bar = _towing_bar(rates, mover)
    if bar is None and mover.bridge:
        bar = Bar("it carries a bridge already", "Advanced V.D")
    elif bar is None and state.hex not in rates.here.overland:
        bar = Bar("no bridge lies there on the ground", "Advanced V.D")
    return Doing(mover.allowance, rule, bar, "bridge", replace(mover, bridge=True))


def _unload_bridge(rates: Rates, state: State) -> Doing:
    """A bridge is put down for a whole allowance; a PMP only where it goes straight into the canal (Advanced V.D.1)."""
    mover, ground, rule = state.mover, rates.ground, "Advanced V.D"
    bar = _towing_bar(rates, mover)
    canals = [hex for hex in ground.entries if state.hex in debouchments(ground, hex) and ground.has(hex, "trench")]
    if bar is None and not mover.bridge:
        bar = Bar("it carries no bridge", "Advanced V.D")
    elif bar is None and mover.has("bridge_transport") and not canals:
        bar = Bar("it unloads only at a cut, into the canal", "Advanced V.D.1")
    return Doing(mover.allowance, rule, bar, "bridge", replace(mover, bridge=False))


def _towing_bar(rates: Rates, mover: Mover) -> Bar | None:
    if rates.here.level != "advanced":
        return Bar("bridges move overland in the Advanced Rules only", "Advanced V.D")
    return None if mover.has("carries_bridge") else Bar(f"{mover.unit.name} carries no bridges", "Advanced V.D")


def _overrun(rates: Rates, state: State, deed: Deed) -> Doing:
    """Two points next to the enemy (Standard II.D.1.c)."""
    mover, target, rule = state.mover, deed.hex, "Standard II.D"
    if target is None or distance(state.hex, target) != 1:
        return Doing(OVERRUN, rule, Bar("say which neighbouring hex is overrun: overrun@HEX", "Standard II.D.2.b"))
    note = rates.ground.table.name(target)
    if target in overruns(rates, state.hex, OVERRUN):
        return Doing(OVERRUN, rule, None, note)
    if not mover.has("overrun"):
        return Doing(OVERRUN, rule, Bar(f"{mover.unit.name} can't overrun", "Standard II.D.2.a"), note)
    if "inverted" in mover.states:
        return Doing(OVERRUN, rule, Bar("an inverted unit can't overrun", "Standard II.D.2.c, III.A.2"), note)
    bar = overrun_bar(rates, target)
    return Doing(OVERRUN, rule, bar or Bar("no overrun out of this hex", "Standard II.D.3.a, V.H.4"), note)


def _clear_mine(rates: Rates, state: State) -> Doing:
    """A flail pays half its allowance (Standard VII.B.1.b)."""
    bar = None
    if not state.mover.has("flail"):
        bar = Bar("only flails clear mines as they move", "Standard VII.B.1")
    elif not mine_at(rates.ground, state.hex):
        bar = Bar("there is no minefield", "Standard VII.B.1.b")
    return Doing(state.mover.allowance * HALF, "Standard VII.B.1.b", bar)


def _clear_wreck(rates: Rates, state: State) -> Doing:
    """A battle tank pays its whole allowance for one wreck (Neutral Counters Chart, note 6)."""
    rule = "Neutral Counters Chart, note 6"
    bar = None
    if state.mover.unit.class_ != "battle_tank":
        bar = Bar("only battle tanks clear wrecks", rule)
    elif not wreckage(rates.ground, state.hex):
        bar = Bar("there is no wreck", rule)
    return Doing(state.mover.allowance, rule, bar)


def _smoke(rates: Rates, state: State) -> Doing:
    """Smoke in the unit's own hex takes the whole allowance (Optional II.B.2)."""
    rule = "Optional II.B.2"
    able = state.mover.has("smoke")
    return Doing(state.mover.allowance, rule, None if able else Bar(f"{state.mover.unit.name} makes no smoke", rule))


def _lay_mine(rates: Rates, state: State, deed: Deed) -> Doing:
    """The minelayer moves one hex for its whole allowance and leaves a mine behind (Optional II.A)."""
    mover, rule = state.mover, "Optional II.A"
    bar = Bar("only the minelayer lays mines", rule) if not mover.has("minelayer") else _mine_bar(rates.ground, state.hex)
    return _one_hex(rates, state, deed, rule, bar, "leaves a 1-1 minefield behind")


def _mine_bar(ground: Ground, hex: Hex) -> Bar | None:
    """Why no mine may lie in a hex (Standard V.E.1; on a canal bridge it may, VI.D.1.d)."""
    works, kind = ground.works.get(hex, frozenset()), ground.kind(hex)
    if kind == "town" or (kind == CANAL and BRIDGE not in works):
        return Bar("no mine in a town or in the canal", "Standard V.E.1")
    if works & {"fort", "improved_position"} or mine_at(ground, hex):
        return Bar("no mine with a fort, an improved position or another mine", "Standard V.E.1.a")
    return None


def _pick_up(rates: Rates, state: State, deed: Deed) -> Doing:
    """A bridge layer takes its bridge up as it drives off (Standard VII.B.2.c)."""
    ground, rule = rates.ground, "Standard VII.B.2.c"
    bar = None
    if not state.mover.has("bridging"):
        bar = Bar("only bridge layers pick bridges up", rule)
    elif ground.kind(state.hex) == CANAL or not (ground.has(state.hex, BRIDGE) and ground.has(state.hex, "trench")):
        bar = Bar("there is no bridge over a trench on land", rule)
    return _one_hex(rates, state, deed, rule, bar, "picks the bridge up")


def _one_hex(rates: Rates, state: State, deed: Deed, rule: str, bar: Bar | None, note: str) -> Doing:
    """A step to the next hex that takes the whole allowance."""
    full = state.mover.allowance
    if bar is None and deed.hex is None:
        bar = Bar(f"say to which hex: {deed.kind}@HEX", rule)
    if bar is None and (state.taken or state.spent):
        bar = Bar("it takes the whole allowance, from the start of the move", rule)
    if bar is None and deed.hex is not None:
        found = ways(rates, state.hex, deed.hex)
        bar = found if isinstance(found, Bar) else None
    return Doing(full, rule, bar, note, to=deed.hex)


def _build(rates: Rates, state: State) -> Doing:
    """A construction engineer builds for a turn: a cut from its east bank hex, a bridge on the canal (Advanced V.A)."""
    ground, rule, bar = rates.ground, "Advanced V.A.1", None
    if not state.mover.has("engineer_advanced"):
        bar = Bar("only construction and pontoon engineers build", "Advanced V")
    elif rates.here.level != "advanced":
        bar = Bar("building is an Advanced Rule", "Advanced V")
    elif not (ground.east_bank(state.hex) or (ground.kind(state.hex) == CANAL and ground.has(state.hex, BRIDGE))):
        bar = Bar("it builds on the east bank or with a bridge on the canal", "Advanced V.B, V.C.3")
    return Doing(state.mover.allowance, rule, bar, "a turn of building")

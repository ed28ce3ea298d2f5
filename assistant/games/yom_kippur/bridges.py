"""Bridges: where an engineer may build one, and which armor can launch the PCB bridge now."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from assistant.games.yom_kippur.field import Field, Stand, other
from assistant.games.yom_kippur.ground import CANAL, MINOR
from assistant.games.yom_kippur.movement import Phase, allowance, declared_reach, may_exploit
from scenarios.hexes import Hex, Hexside, hexside, neighbour


@dataclass(frozen=True)
class Site:
    """A hexside where an engineer could turn into a bridge, or why not."""

    over: Hexside
    reason: str = ""


def sites(field: Field, stand: Stand, *, shifted: bool = False) -> tuple[Site, ...]:
    """Where an engineer may build: straight east or west over water, not at a no-bridge symbol (1.14c, 1.14g, 2.5).

    Enemies and their zones beyond don't matter. Israel has one engineer bridge at a time (ruling israeli_bridges). Not if
    it has `shifted` a combat this turn (1.14a).
    """
    if "builds_bridge" not in stand.unit.abilities:
        return ()
    table = field.ground.table
    found = []
    for near in (neighbour(stand.hex, 0), neighbour(stand.hex, 3)):
        if near not in table:
            continue
        over = hexside(stand.hex, near)
        kinds = table.hexsides.get(over, frozenset())
        if not kinds & (CANAL | MINOR):
            continue
        reason = ""
        if "suez_canal_no_bridge" in kinds:
            reason = "no bridge may be built there (1.14g)"
        elif shifted:
            reason = "it gave a combat shift this turn (1.5, 1.14a)"
        elif stand.unit.side == "israeli" and _engineer_bridges(field, "israeli"):
            reason = "another Israeli engineer is a bridge already; it has to stop being one (2.5)"
        found.append(Site(over, reason))
    return tuple(found)


def _engineer_bridges(field: Field, side: str) -> int:
    units = field.ground.game.units
    return sum(
        "bridge" in piece.states and piece.unit in units and units[piece.unit].side == side
        for piece in field.position.pieces
        if isinstance(piece.at, Hex)
    )


@dataclass(frozen=True)
class Launch:
    """A PCB bridge that a unit could put in place: its road, the points it takes, or why it can't."""

    road: str
    path: tuple[Hex, ...]
    to: Hex
    points: Fraction | None
    reason: str = ""


def launches(field: Field, stand: Stand, phase: Phase = "movement") -> tuple[Launch, ...]:
    """Each PCB road, and whether this armor can tow the bridge down it in the phase (2.2).

    It goes to the road's eastern end and along it at the road's rate, through no enemy zone, against no Egyptian in the
    hex beyond; one such bridge in the game.
    """
    if "tows_pcb" not in stand.unit.abilities:
        return ()
    ground, foe = field.ground, other(stand.unit.side)
    built = any(piece.unit == "pcb_bridge" and isinstance(piece.at, Hex) for piece in field.position.pieces)
    tied = may_exploit(field, stand) if phase == "exploitation" else ""
    launched = []
    for path in ground.table.paths:
        if path.kind != "pcb_road":
            continue
        road = path.hexes
        # The road's last step points over the canal, straight west.
        to = next(n for n in (neighbour(road[-1], 0), neighbour(road[-1], 3)) if ground.canal_between(road[-1], n))
        # Who begins in a zone of control at the road's end doesn't enter it.
        entered = road[1:] if stand.hex == road[0] else road
        points, reason = None, ""
        if built:
            reason = "the PCB bridge is in place already"
        elif tied:
            reason = f"it can't exploit: {tied}"
        elif to in field.held[foe]:
            reason = f"Egyptians stand in {ground.table.name(to)}"
        elif blocked := [hex for hex in entered if hex in field.zones[foe] or hex in field.held[foe]]:
            reason = f"{ground.table.name(blocked[0])} is held by the enemy or in his zone of control"
        else:
            points, reason = _towed(field, stand, road)
        launched.append(Launch(path.name, road, to, points, reason))
    return tuple(launched)


def _towed(field: Field, stand: Stand, road: tuple[Hex, ...]) -> tuple[Fraction | None, str]:
    """What it takes to get to the road's end and down it, and why there are not so many points."""
    have, there = allowance(field, stand), declared_reach(field, stand).costs.get(field.ground.kinds.number[road[0]])
    if there is None:
        return None, f"it can't reach {field.ground.table.name(road[0])}"
    steps = (field.ground.cost(a, b, stand.kind) or Fraction(0) for a, b in pairwise(road))
    points = there + sum(steps, Fraction(0))
    return points, "" if points <= have else f"it takes {points} points and there are {have}"

"""Who stands where: stacking, enemies, closed ground, and the level of the rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal, NamedTuple

from assistant.games.arab_israeli_wars.ground import Ground
from assistant.games.arab_israeli_wars.roster import Roster, roster
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.maps import HexMap
from scenarios.position import Position
from scenarios.resolve import Resolver

Level = Literal["basic", "standard", "advanced"]
LEVELS: tuple[Level, ...] = ("basic", "standard", "advanced")
STACK = 4
"""Stacking points in a hex at most (Basic III.D)."""
ROAD_STACK = 1
"""Stacking points at most in a hex that is entered along a road (Basic V.C.1.d)."""
OVERLAND_BRIDGE = 2
"""Stacking points of a bridge that is carried or left on land (Advanced V.D.4)."""


class Bar(NamedTuple):
    """Why something can't be done, and the rule that says so."""

    text: str
    rule: str

    def __str__(self) -> str:
        return f"{self.text} ({self.rule})"


class Occupant(NamedTuple):
    """A unit in a hex."""

    unit: Unit
    copy: str
    side: str
    states: frozenset[str] = frozenset()

    @property
    def points(self) -> int:
        """Stacking points: one, none for air units and passengers (Basic III.D.1)."""
        return 0 if self.unit.class_ == "air" or "loaded" in self.states else 1

    @property
    def bars(self) -> bool:
        """Whether enemies can't enter its hex (Basic III.C.2); air units don't matter (Advanced I.A.1)."""
        return self.unit.class_ != "air"


@dataclass(frozen=True)
class Traffic:
    """The pieces around a moving unit, and what the Situation adds to the rules of movement."""

    stacks: Mapping[Hex, tuple[Occupant, ...]] = field(default_factory=dict)
    level: Level = "advanced"
    closed: frozenset[Hex] = frozenset()
    """Hexes that the Situation closes."""
    shut: frozenset[Hex] = frozenset()
    """Hexes with a dispersed bridge: no unit moves onto it (Standard VI.E.5.b)."""
    overland: frozenset[Hex] = frozenset()
    """Hexes with a bridge on the ground: two stacking points."""
    held: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Counters of each side that the Situation never lets move."""
    notes: tuple[str, ...] = ()
    """Special rules on movement that only the players can judge."""

    def at(self, hex: Hex) -> tuple[Occupant, ...]:
        return self.stacks.get(hex, ())

    def friends(self, hex: Hex, side: str) -> tuple[Occupant, ...]:
        """Units of a side that count for stacking in a hex."""
        return tuple(one for one in self.at(hex) if one.side == side and one.points)

    def enemies(self, hex: Hex, side: str) -> tuple[Occupant, ...]:
        """Units of the other side that bar a hex, passengers not counted."""
        return tuple(one for one in self.at(hex) if one.side != side and one.points)

    def barred(self, hex: Hex, side: str) -> bool:
        """Whether an enemy combat unit is in the hex (Basic III.C.2, V.A.7)."""
        return any(one.side != side and one.bars for one in self.at(hex))

    def without(self, unit: str, copy: str) -> Traffic:
        """The same without one piece: the one that moves."""
        stacks = {h: tuple(o for o in s if (o.unit.id, o.copy) != (unit, copy)) for h, s in self.stacks.items()}
        return replace(self, stacks=MappingProxyType({hex: stack for hex, stack in stacks.items() if stack}))

    def plus(self, hex: Hex, one: Occupant) -> Traffic:
        """The same with one more unit in a hex."""
        return replace(self, stacks=MappingProxyType({**self.stacks, hex: (*self.at(hex), one)}))


def traffic(game: Game, position: Position, level: str = "", at: Roster | None = None) -> Traffic:
    """Everybody on the map of a position, at the rules level of its Situation unless told otherwise."""
    who = at or roster(game, position.scenario)
    scenario = game.scenarios.get(position.scenario)
    stacks: dict[Hex, list[Occupant]] = {}
    for piece in position.pieces:
        if isinstance(piece.at, Hex) and piece.unit in game.units:
            one = Occupant(game.units[piece.unit], piece.copy, who.side(piece), piece.states)
            stacks.setdefault(piece.at, []).append(one)
    table = game.scenario_maps.get(position.scenario)
    bridges = [piece for piece in position.pieces if piece.unit == "bridge" and isinstance(piece.at, Hex)]
    trenches = {piece.at for piece in position.pieces if piece.unit == "trench"}
    water = table.terrain if isinstance(table, HexMap) else {}
    on_land = {
        p.at for p in bridges if isinstance(p.at, Hex) and p.at not in trenches and water.get(p.at) != "suez_canal"
    }
    chosen = level or (scenario.level if scenario else "") or "advanced"
    if chosen not in LEVELS:
        raise ValueError(f"there is no level of rules called {chosen!r}; there are {', '.join(LEVELS)}")
    closed, held, notes = special(game, position.scenario)
    return Traffic(
        MappingProxyType({hex: tuple(stack) for hex, stack in stacks.items()}),
        LEVELS[LEVELS.index(chosen)],
        closed,
        frozenset(p.at for p in bridges if isinstance(p.at, Hex) and "dispersed" in p.states),
        frozenset(on_land - {p.at for p in bridges if "loaded" in p.states}),
        held,
        notes,
    )


def special(game: Game, scenario_id: str) -> tuple[frozenset[Hex], Mapping[str, frozenset[str]], tuple[str, ...]]:
    """What a Situation's special rules do to movement: closed hexes, counters that never move, and the rest as text."""
    scenario = game.scenarios.get(scenario_id)
    table = game.scenario_maps.get(scenario_id)
    if scenario is None or not isinstance(table, HexMap):
        return frozenset(), MappingProxyType({}), ()
    closed: set[Hex] = set()
    held: dict[str, frozenset[str]] = {}
    notes: list[str] = []
    resolver = Resolver(table, dict(scenario.zones))
    for rule in scenario.special:
        for effect in rule.effects:
            if effect.effect == "closed_area" and effect.at is not None:
                closed |= {hex for hex in resolver.places(effect.at) if isinstance(hex, Hex)}
            elif effect.effect == "no_movement":
                held[effect.side] = held.get(effect.side, frozenset()) | frozenset(effect.units)
            elif effect.effect in ("forced_march", "forced_march_ends", "held_until_entered", "boards_apart"):
                notes.append(" ".join(rule.text.split()))
    return frozenset(closed), MappingProxyType(held), tuple(dict.fromkeys(notes))


def is_infantry(unit: Unit) -> bool:
    """Whether a unit is of the infantry class (Basic V.B.2)."""
    return unit.class_ == "infantry"


def wreckage(ground: Ground, hex: Hex) -> int:
    """Stacking points of the wrecks in a hex (Basic III.D.2)."""
    chart = ground.game.tables["neutral_counters"]
    column = chart.named_column("stacking")
    cells = [chart.cell(one, column).code for one in ground.works.get(hex, ()) if one in chart.cells]
    return sum(int(found[1]) for cell in cells if (found := re.fullmatch(r"(\d+) points?", cell)))


def points(ground: Ground, here: Traffic, hex: Hex, side: str) -> int:
    """Stacking points in a hex: units, wrecks, a bridge on the ground (Basic III.D, Advanced V.D.4)."""
    units = sum(one.points for one in here.friends(hex, side))
    return units + wreckage(ground, hex) + (OVERLAND_BRIDGE if hex in here.overland else 0)


def room(ground: Ground, unit: Unit, side: str, here: Traffic, hex: Hex, more: int = 1) -> Bar | None:
    """Why `more` points of a unit can't be added to a hex that isn't canal, or None if they can.

    Enemies and stacking (Basic III.C.2, III.D, V.A.7), trenches and bridges on land (Standard V.G.2, V.H.2), improved
    positions on the west bank (Standard VI.E.3.b).
    """
    if here.barred(hex, side):
        return Bar("an enemy unit is in the hex", "Basic III.C.2, V.A.7")
    if points(ground, here, hex, side) + more > STACK:
        return Bar(f"there would be more than {STACK} stacking points", "Basic III.D, V.A.7")
    works = ground.works.get(hex, frozenset())
    friends = here.friends(hex, side)
    foot = sum(is_infantry(one.unit) for one in friends)
    if not is_infantry(unit) and "trench" in works:
        if "bridge" not in works:
            return Bar("only infantry-class units enter a trench without a bridge", "Standard V.G.2")
        if len(friends) - foot + more > 1:
            return Bar("one stacking point of other than infantry class may be on the bridge", "Standard V.H.2")
    if "improved_position" in works and ground.west_bank(hex):
        limit, inside, what = (2, foot, "two infantry-class") if is_infantry(unit) else (1, len(friends) - foot, "one other")
        if inside + more > limit:
            return Bar(f"an improved position on the west bank holds {what} unit{'s' * (limit > 1)}", "Standard VI.E.3.b")
    return None

"""How a unit may come onto the map, and where (8.3, 10.0, 11.0, 26.1, 29.0)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from assistant.answers import Answer, Line, Node, Ours, Place, Places, Refusal, Section, Several, Value
from assistant.games.musketeer.asking import ON_THE_MAP, UNIT, asked_hex, asked_unit, counter, place
from assistant.games.musketeer.contingents import contingent, label
from assistant.games.musketeer.field import DEAD
from assistant.games.musketeer.politics import WATCHED
from assistant.games.musketeer.stacking import room
from assistant.games.musketeer.support import Support
from assistant.questions import Input, Question, Told
from assistant.shared.sourced import ours
from assistant.shared.specials import all_effects
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex, distance

HELICOPTER = 4  # 26.1
ON = "may move on"
"""10.3, 11.5, ruling reinforcements_move: those who land by air or over a beach; not in a direct assault (29.5)."""


class Way(NamedTuple):
    """One way onto the map: the hexes free for it, and those where it would land on the enemy (29.5)."""

    name: str
    rule: str
    hexes: frozenset[Hex]
    assault: frozenset[Hex]
    note: str


@dataclass(frozen=True)
class Entry:
    """A unit that is to come: out of its box, or by air or sea from a hex."""

    here: Support
    unit: Unit
    start: Hex | None = None

    @property
    def drops(self) -> bool:
        """Whether it can jump: out of a box or from an airbase (10.2, 24.3)."""
        able = "airborne" in self.unit.abilities and "no_drop" not in self.unit.abilities
        return able and (self.start is None or self.start in self._sites("airbase"))

    @property
    def beaches(self) -> bool:
        """Whether it can land on a beach: amphibious, airborne and plain infantry (11.3, ruling airborne_by_sea)."""
        able = {"amphibious", "airborne"} & set(self.unit.abilities) or self.unit.type == "infantry"
        return bool(able) and self.unit.class_ == "foot"

    def lands(self, hex: Hex) -> bool:
        """Whether it can come down on the enemy in a hex: by parachute, by helicopter, over a beach (29.5)."""
        sails = self.beaches and contingent(self.unit.nation) in SEAFARING
        return self.drops or self._rides or (sails and hex in self.here.table.zones["mediterranean_coast"])

    def _sites(self, kind: str) -> frozenset[Hex]:
        return frozenset(h for place in self.here.table.places.values() if place.kind == kind for h in place.hexes)

    @cached_property
    def _own(self) -> frozenset[Hex]:
        """Hexes with units of its contingent."""
        who = contingent(self.unit.nation)
        return frozenset(at for _, one, at in self.here.units if contingent(one.nation) == who)

    def way(self, name: str, rule: str, area: frozenset[Hex], note: str = "", assault: bool = False) -> Way:
        """A way into an area: without the enemy unless it is an assault (29.5), and with room (12.0)."""
        costs = self.here.ground.costs
        area = frozenset(hex for hex in area & self.here.open_to(self.unit.nation) if costs[hex] is not None)
        enemies = self.here.enemies[self.unit.side]
        friends = frozenset(at for _, one, at in self.here.units if one.side == self.unit.side)
        full = frozenset(hex for hex in area & friends if not room(self.here, self.unit, hex))
        return Way(name, rule, area - enemies - full, area & enemies if assault else frozenset(), note)

    @property
    def ways(self) -> tuple[Way, ...]:
        """Every way that is open to it."""
        found = self._out_of_the_box() if self.start is None else self._on_the_map(self.start)
        return tuple(way for way in found if way.hexes or way.assault)

    def _out_of_the_box(self) -> Iterator[Way]:
        """The scenario's entry effects that fit the unit."""
        game, unit = self.here.game, self.unit
        scenario, ground = next(iter(game.scenarios)), self.here.ground
        for effect in all_effects(game, "entry"):
            anyone = not effect.nation and not effect.units  # the Red Sea is for those who sail (29.2)
            if (anyone and contingent(unit.nation) not in SEAFARING) or (effect.units and unit.id not in effect.units):
                continue
            if effect.at is None or effect.nation not in ("", unit.nation) or effect.side not in ("", unit.side):
                continue
            yield from self._by(effect.value, ground.area(scenario, effect.at))
        for effect in all_effects(game, "helicopter"):
            if effect.at is not None and self._rides:
                area = ground.area(scenario, effect.at)
                yield self.way("helicopters", "26.1", area, f"one unit an impulse, {ON}", assault=True)

    @property
    def _rides(self) -> bool:
        return contingent(self.unit.nation) == "anglo_french" and self.unit.class_ == "foot"

    def _by(self, value: str, area: frozenset[Hex]) -> Iterator[Way]:
        """One entry effect of the scenario, by its value."""
        if value == "parachute" and self.drops:
            yield self.way("paradrop", "10.2", area, f"a landing hazard (29.6), {ON}", assault=True)
        elif value.startswith("air transfer") and (self.unit.class_ != "mechanized" or "non-mechanized" not in value):
            yield self.way("air transfer", "10.1", self._sites("airbase") & self._own)
        elif value == "beach or port":
            yield self.way("naval transfer", "11.2", self._sites("port") & self._own)
            if self.beaches:
                yield self.way("amphibious assault", "11.4", area, ON, assault=True)
        elif value == "1 unit a game":
            yield self.way("Red Sea landing", "29.2", area, "one unit a game")
        elif value == "2":
            yield self.way("from Libya", "29.1", area, "two units an impulse, each 1 escalation point")
        elif value == "airbase":
            others = frozenset(at for _, one, at in self.here.units) - self._own
            yield self.way("infiltration", "29.3", (area & self._sites("airbase")) - others)
        elif not value:
            yield self.way("arrival", "8.3", area)

    def _on_the_map(self, start: Hex) -> Iterator[Way]:
        """10.2, 11.4, 26.1: by parachute or helicopter from an airbase, over a beach from a Mediterranean port."""
        table = self.here.table
        every = frozenset(table.names) - {start}
        if self.drops:
            yield self.way("paradrop", "10.2", every, f"a landing hazard (29.6), {ON}", assault=True)
        ports = self._sites("port") & table.zones["mediterranean_coast"]
        if self.beaches and contingent(self.unit.nation) in SEAFARING and start in ports:
            area = table.zones["mediterranean_coast"] - {start}
            yield self.way("amphibious assault", "11.4", area, ON, assault=True)
        if self._rides:
            near = frozenset(hex for hex in every if distance(hex, start) <= HELICOPTER)
            bases = self._sites("airbase")
            area = near if start in bases else near & bases & self._own
            yield self.way("helicopters", "26.1", area, f"one unit an impulse, {ON}", assault=start in bases)


SEAFARING = ("anglo_french", "us")  # 11.1
SHOWN = 12
"""How many hexes of a way are listed on a screen."""


# --- the question -----------------------------------------------------------------------------------------------------


def _entry(game: Game, told: Told) -> Answer:
    here, unit, _, start, _ = asked_unit(game, told)
    if unit.count == 1 and any(piece.unit == unit.id and piece.at == DEAD for piece in here.position.pieces):
        raise Refusal(f"{label(game, unit)} is eliminated; ground units don't come back, but for a Soviet one by event 11", "21.8")
    goal = asked_hex(here.table, told, "to")
    ways = [way for way in Entry(here, unit, start).ways if goal is None or goal in way.hexes | way.assault]
    limits = _limits(game, unit) if start is None else {}
    who, box = counter(game, unit), Place("box", "its box")
    at = place(here.table, start) if start else box
    count = f"{len(ways)} way{'s' * (len(ways) != 1)}" if ways else "no way"
    where: tuple[str | Place, ...] = (" to ", place(here.table, goal)) if goal is not None else ()
    nodes: list[Node] = [
        Line((who, ", from ", at, *where, f": {count}")), Value("unit", who, shown=False), Value("from", at, shown=False),
        Several("ways", [_way(here, way, goal) for way in ways]),
    ]  # fmt: skip
    if start is None and contingent(unit.nation) in WATCHED:
        nodes.append(Line("only when its contingent is committed", "28.3"))
    nodes.append(Value("limits", limits, "An impulse of its contingent", shown=bool(limits)))
    nodes.append(Ours(ours(game, cells=[("reinforcements", contingent(unit.nation), "ground")] if limits else [])))
    return Answer("entry", game.id, nodes)


def _way(here: Support, way: Way, goal: Hex | None) -> Section:
    free, enemy = ([hex for hex in sorted(hexes) if goal in (None, hex)] for hexes in (way.hexes, way.assault))
    note = f"; {way.note}" if way.note else ""
    nodes: list[Node] = [Value("way", way.name, shown=False), Value("rule", way.rule, shown=False), Value("note", way.note, shown=False)]
    for key, hexes, title in (("reach", free, "to"), ("assault", enemy, "as a direct assault (29.5)")):
        if key == "reach" or way.assault:
            nodes.append(Places(key, {place(here.table, hex): {} for hex in hexes}, title, listed=len(hexes) <= SHOWN))
    return Section(nodes, f"{way.name} ({way.rule}){note}")


def _limits(game: Game, unit: Unit) -> dict[str, int]:
    """What an impulse lets in: ground units of the box (8.2), airborne and sealift moves (10.4, 11.6)."""
    box, lift, who = game.tables["reinforcements"], game.tables["contingents"], contingent(unit.nation)
    found = {"ground_units": int(box.cell(who, box.named_column("ground")).code)}
    for column in ("airborne moves", "sealift moves"):
        found[column.replace(" ", "_")] = int(lift.cell(who, lift.named_column(column)).code)
    return found


ENTRY = Question(
    name="entry", about="how a unit may come onto the map, and where", answer=_entry, bare=("unit", "to"),
    inputs=(
        UNIT, Input(name="from", about="the hex it starts in, if not in its box", kind="place"),
        Input(name="to", about="one hex to come to; left out, all", kind="place"), *ON_THE_MAP,
    ),
)  # fmt: skip

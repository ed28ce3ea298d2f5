"""Little boards of The Arab-Israeli Wars for tests, and moves on them, asked as players ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from assistant.answers import BadQuestion
from assistant.questions import answer
from assistant.registry import questions
from assistant.rendering import as_json
from scenarios.game import Game
from scenarios.hexes import Hex, Hexside
from scenarios.maps import HexMap
from scenarios.position import Piece, Position
from tests.aiw_world import GAME as GAME
from tests.aiw_world import small as small_map
from tests.net.adapter import Told, ask

F = Fraction
HALF = F(1, 2)
Works = Mapping[Hex, Iterable[str]]
PLAYED = {"advanced": "", "standard": "S-9", "basic": "B-2"}
"""A Situation of each level of rules; without one all rules hold."""


@dataclass(frozen=True)
class Table:
    """A map with works on it, and the readings chosen; `scenario` is the Situation that it is played as, if it has to be one."""

    map: HexMap
    works: Works = field(default_factory=dict)
    rulings: Mapping[str, str] = field(default_factory=dict)
    scenario: str = ""

    def hex(self, name: str) -> Hex:
        return self.map.hex(name)

    def name(self, hex: Hex) -> str:
        return self.map.name(hex)

    def with_markers(self, works: Works) -> Table:
        return replace(self, works={**self.works, **works})

    @cached_property
    def game(self) -> Game:
        """The game with this map in it."""
        own = {} if self.scenario else {name: self.map for name in PLAYED.values() if name}
        return replace(GAME, maps={**GAME.maps, "z": self.map}, scenario_maps={**GAME.scenario_maps, **own})


def small(
    terrain: Mapping[Hex, str] | None = None,
    sides: Mapping[Hexside, Iterable[str]] | None = None,
    roads: Sequence[tuple[Hex, ...]] = (),
    works: Works | None = None,
    columns: int = 4,
    rows: int = 4,
    rulings: Mapping[str, str] | None = None,
) -> Table:
    """A little board; clear where nothing is said."""
    return Table(small_map(terrain, sides, roads, columns, rows), works or {}, rulings or {})


def played(
    scenario: str, works: Mapping[str, Iterable[str]] | None = None, rulings: Mapping[str, str] | None = None
) -> Table:
    """The map of a Situation."""
    map = GAME.scenario_maps[scenario]
    assert isinstance(map, HexMap)
    return Table(map, {map.hex(name): markers for name, markers in (works or {}).items()}, rulings or {}, scenario)


@dataclass(frozen=True)
class Around:
    """The other units on a board with their states, the level of the rules, and the bridges that are dispersed."""

    units: tuple[tuple[str, Hex, str], ...] = ()
    level: str = "advanced"
    shut: frozenset[Hex] = frozenset()


NOBODY = Around()


def standing(*units: tuple[str, Hex], level: str = "advanced", states: Mapping[int, str] | None = None) -> Around:
    return Around(tuple((unit, hex, (states or {}).get(i, "")) for i, (unit, hex) in enumerate(units)), level)


@dataclass(frozen=True)
class Who:
    """A unit that moves, with its passengers."""

    unit: str
    hex: Hex
    states: tuple[str, ...] = ()
    riders: tuple[str, ...] = ()
    quick: bool = False
    bridge: bool = False


def mover(
    unit: str, hex: Hex, *states: str, quick: bool = False, bridge: bool = False, riders: tuple[str, ...] = ()
) -> Who:
    return Who(unit, hex, states, riders, quick, bridge)


class Deed(NamedTuple):
    """What is done on the way, with which units, toward which hex."""

    act: str
    units: tuple[str, ...] = ()
    hex: Hex | None = None


Plan = Sequence[Hex | Deed]


def _word(table: Table, one: Hex | Deed) -> str:
    if isinstance(one, Hex):
        return table.name(one)
    return f"{one.act}{':' * bool(one.units)}{'+'.join(one.units)}{f'@{table.name(one.hex)}' if one.hex is not None else ''}"


def question(table: Table, who: Who, around: Around = NOBODY, plan: Plan = (), **inputs: Any) -> dict[str, Any]:
    """A move as it is asked about."""
    works = [
        Piece(work, str(i), "", hex, frozenset({"dispersed"} if work == "bridge" and hex in around.shut else ()))
        for hex, held in table.works.items()
        for i, work in enumerate(sorted(held))
    ]
    mine = [Piece(who.unit, "me", GAME.units[who.unit].nation, who.hex, frozenset(who.states))]
    mine += [
        Piece(rider, f"aboard {i}", GAME.units[rider].nation, who.hex, frozenset({"loaded"}))
        for i, rider in enumerate(who.riders)
    ]
    mine += [Piece("bridge", "tow", "", who.hex, frozenset({"loaded"}))] if who.bridge else []
    others = [
        Piece(unit, str(i), GAME.units[unit].nation, hex, frozenset(states.split()))
        for i, (unit, hex, states) in enumerate(around.units)
    ]
    scenario = table.scenario or PLAYED[around.level]
    told = {
        "position": Position(GAME.id, scenario, 1, "", (*works, *mine, *others)),
        "unit": who.unit,
        "from": table.name(who.hex),
        "copy": "me",
        "quick": who.quick,
        "map": "" if scenario else "z",
        "path": [_word(table, one) for one in plan],
        "ruling": [f"{key}={value}" for key, value in table.rulings.items()],
        **inputs,
    }
    return {name: value for name, value in told.items() if value}


def asked(table: Table, who: Who, around: Around = NOBODY, plan: Plan = (), **inputs: Any) -> Told:
    """The answer about a move; BadQuestion where it is refused."""
    told = question(table, who, around, plan, **inputs)
    found = ask(table.game, "move", told.pop("position"), **told)
    if found.refusal:
        raise BadQuestion(found.refusal)
    return found


class Step(NamedTuple):
    """Points spent at once."""

    kind: str
    points: Fraction
    total: Fraction
    road: bool


class Walk(NamedTuple):
    """A move along a path."""

    spendings: tuple[Step, ...]
    end: Hex
    told: Told

    @property
    def spent(self) -> Fraction:
        return F(self.told["spent"])


def walk(table: Table, who: Who, around: Around, plan: Plan, **inputs: Any) -> Walk:
    told = asked(table, who, around, plan, **inputs)
    steps = tuple(Step(one["kind"], F(one["cost"]), F(one["total"]), one["road"]) for one in told["steps"])
    return Walk(steps, table.hex(told["steps"][-1]["to"]), told)


class Stop(NamedTuple):
    """A hex within reach."""

    spent: Fraction
    off_road: Fraction | None
    safe: Fraction | None
    mines: int
    overruns: frozenset[Hex]
    assaults: frozenset[Hex]
    path: tuple[Hex, ...]
    road: bool


class Reach(NamedTuple):
    """All that a unit can reach; `bar` are the rules by which it stays."""

    bar: frozenset[str]
    points: Fraction
    stops: Mapping[Hex, Stop]
    told: Told


def reach(table: Table, who: Who, around: Around = NOBODY, **inputs: Any) -> Reach:
    told = asked(table, who, around, **inputs)

    def hexes(names: Iterable[str]) -> Iterable[Hex]:
        return map(table.hex, names)

    stops = {
        table.hex(name): Stop(
            one["cost"],
            one["off_road"],
            one["without_mines"],
            one["mines"],
            frozenset(hexes(one["overruns"])),
            frozenset(hexes(one["assaults"])),
            tuple(hexes(told["ways"][name])),
            told["by_road"][name],
        )
        for name, one in told["reach"].items()
    }
    return Reach(frozenset(told["stays"]), F(told["points"]), stops, told)


def spent(found: Reach) -> dict[Hex, Fraction]:
    return {hex: stop.spent for hex, stop in found.stops.items()}


class Blast(NamedTuple):
    """An attack on the way."""

    kind: str
    hex: Hex
    chances: Mapping[str, Fraction]


class Hazards(NamedTuple):
    """The attacks on the way, and how it may end: by fate and hex."""

    blasts: tuple[Blast, ...]
    endings: Mapping[tuple[str, Hex], Fraction]

    @property
    def through(self) -> Fraction:
        return sum((chance for (fate, _), chance in self.endings.items() if fate == "through"), F(0))


def hazards(table: Table, who: Who, plan: Plan) -> Hazards:
    told = asked(table, who, NOBODY, plan)
    blasts = tuple(Blast(one["kind"], table.hex(one["at"]), one["chances"]) for one in told["hazards"])
    ends = {
        (key.partition("@")[0], table.hex(key.partition("@")[2])): chance for key, chance in told["endings"].items()
    }
    return Hazards(blasts, ends)


class Crossing(NamedTuple):
    """A way over the canal."""

    how: str
    turns: int
    far: frozenset[str]
    bar: str
    """Why not; empty where it can be gone."""


def crossings(
    table: Table, who: Who, around: Around = NOBODY, boats: Mapping[Hex, int] | None = None
) -> list[Crossing]:
    told = question(table, who, around, boats={table.name(hex): str(count) for hex, count in (boats or {}).items()})
    found = as_json(answer(questions(table.game)["move"], table.game, told))["crossings"]
    return [Crossing(one["way"], one["takes"], frozenset(one["to"]), one["why"] or "") for one in found]


A, B, C, D = (Hex(1, y) for y in range(4))
"""Four hexes of one column, from the top."""

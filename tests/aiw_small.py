"""Little boards of The Arab-Israeli Wars for tests, and moves on them, asked as players ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from assistant.questions.answer import BadQuestion
from assistant.questions.answering import answer_question
from assistant.questions.registry import questions
from assistant.questions.rendering import answer_json
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, Hexside
from scenarios.model.maps import HexMap
from scenarios.model.position import Piece, Position
from tests.aiw_world import GAME as GAME
from tests.aiw_world import small as small_map
from tests.net.adapter import GameAnswer, ask

F = Fraction
HALF_POINT = F(1, 2)
Works = Mapping[Hex, Iterable[str]]
LEVEL_SCENARIOS = {"advanced": "", "standard": "S-9", "basic": "B-2"}
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
        table_maps = {} if self.scenario else {name: self.map for name in LEVEL_SCENARIOS.values() if name}
        return replace(GAME, maps={**GAME.maps, "z": self.map}, scenario_maps={**GAME.scenario_maps, **table_maps})


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


def scenario_table(
    scenario: str, works: Mapping[str, Iterable[str]] | None = None, rulings: Mapping[str, str] | None = None
) -> Table:
    """The map of a Situation."""
    map = GAME.scenario_maps[scenario]
    assert isinstance(map, HexMap)
    return Table(map, {map.hex(name): markers for name, markers in (works or {}).items()}, rulings or {}, scenario)


@dataclass(frozen=True)
class Surroundings:
    """The other units on a board with their states, the level of the rules, and the bridges that are dispersed."""

    units: tuple[tuple[str, Hex, str], ...] = ()
    level: str = "advanced"
    shut: frozenset[Hex] = frozenset()


NOBODY = Surroundings()


def standing(*units: tuple[str, Hex], level: str = "advanced", states: Mapping[int, str] | None = None) -> Surroundings:
    return Surroundings(tuple((unit, hex, (states or {}).get(i, "")) for i, (unit, hex) in enumerate(units)), level)


@dataclass(frozen=True)
class MovingUnit:
    """A unit that moves, with its passengers."""

    unit: str
    hex: Hex
    states: tuple[str, ...] = ()
    riders: tuple[str, ...] = ()
    quick: bool = False
    bridge: bool = False


def mover(
    unit: str, hex: Hex, *states: str, quick: bool = False, bridge: bool = False, riders: tuple[str, ...] = ()
) -> MovingUnit:
    return MovingUnit(unit, hex, states, riders, quick, bridge)


class Deed(NamedTuple):
    """What is done on the way, with which units, toward which hex."""

    act: str
    units: tuple[str, ...] = ()
    hex: Hex | None = None


Plan = Sequence[Hex | Deed]


def _word(table: Table, step: Hex | Deed) -> str:
    if isinstance(step, Hex):
        return table.name(step)
    return f"{step.act}{':' * bool(step.units)}{'+'.join(step.units)}{f'@{table.name(step.hex)}' if step.hex is not None else ''}"


def question(
    table: Table, mover: MovingUnit, surroundings: Surroundings = NOBODY, plan: Plan = (), **inputs: Any
) -> dict[str, Any]:
    """A move as it is asked about."""
    works = [
        Piece(work, str(i), "", hex, frozenset({"dispersed"} if work == "bridge" and hex in surroundings.shut else ()))
        for hex, hex_works in table.works.items()
        for i, work in enumerate(sorted(hex_works))
    ]
    own_pieces = [Piece(mover.unit, "me", GAME.units[mover.unit].nation, mover.hex, frozenset(mover.states))]
    own_pieces += [
        Piece(rider, f"aboard {i}", GAME.units[rider].nation, mover.hex, frozenset({"loaded"}))
        for i, rider in enumerate(mover.riders)
    ]
    own_pieces += [Piece("bridge", "tow", "", mover.hex, frozenset({"loaded"}))] if mover.bridge else []
    other_pieces = [
        Piece(unit, str(i), GAME.units[unit].nation, hex, frozenset(states.split()))
        for i, (unit, hex, states) in enumerate(surroundings.units)
    ]
    scenario = table.scenario or LEVEL_SCENARIOS[surroundings.level]
    question_inputs = {
        "position": Position(GAME.id, scenario, 1, "", (*works, *own_pieces, *other_pieces)),
        "unit": mover.unit,
        "from": table.name(mover.hex),
        "copy": "me",
        "quick": mover.quick,
        "map": "" if scenario else "z",
        "path": [_word(table, step) for step in plan],
        "ruling": [f"{key}={value}" for key, value in table.rulings.items()],
        **inputs,
    }
    return {name: value for name, value in question_inputs.items() if value}


def ask_move(
    table: Table, mover: MovingUnit, surroundings: Surroundings = NOBODY, plan: Plan = (), **inputs: Any
) -> GameAnswer:
    """The answer about a move; BadQuestion where it is refused."""
    question_inputs = question(table, mover, surroundings, plan, **inputs)
    result = ask(table.game, "move", question_inputs.pop("position"), **question_inputs)
    if result.refusal:
        raise BadQuestion(result.refusal)
    return result


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
    move_answer: GameAnswer

    @property
    def total_cost(self) -> Fraction:
        return F(self.move_answer["spent"])


def walk(table: Table, mover: MovingUnit, surroundings: Surroundings, plan: Plan, **inputs: Any) -> Walk:
    answer = ask_move(table, mover, surroundings, plan, **inputs)
    steps = tuple(Step(row["kind"], F(row["cost"]), F(row["total"]), row["road"]) for row in answer["steps"])
    return Walk(steps, table.hex(answer["steps"][-1]["to"]), answer)


class Stop(NamedTuple):
    """A hex within reach."""

    cost: Fraction
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
    reach_answer: GameAnswer


def reach(table: Table, mover: MovingUnit, surroundings: Surroundings = NOBODY, **inputs: Any) -> Reach:
    answer = ask_move(table, mover, surroundings, **inputs)

    def hexes(names: Iterable[str]) -> Iterable[Hex]:
        return map(table.hex, names)

    stops = {
        table.hex(name): Stop(
            row["cost"],
            row["off_road"],
            row["without_mines"],
            row["mines"],
            frozenset(hexes(row["overruns"])),
            frozenset(hexes(row["assaults"])),
            tuple(hexes(answer["ways"][name])),
            answer["by_road"][name],
        )
        for name, row in answer["reach"].items()
    }
    return Reach(frozenset(answer["stays"]), F(answer["points"]), stops, answer)


def stop_costs(reach: Reach) -> dict[Hex, Fraction]:
    return {hex: stop.cost for hex, stop in reach.stops.items()}


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


def hazards(table: Table, mover: MovingUnit, plan: Plan) -> Hazards:
    answer = ask_move(table, mover, NOBODY, plan)
    blasts = tuple(Blast(hazard["kind"], table.hex(hazard["at"]), hazard["chances"]) for hazard in answer["hazards"])
    ends = {
        (key.partition("@")[0], table.hex(key.partition("@")[2])): chance for key, chance in answer["endings"].items()
    }
    return Hazards(blasts, ends)


class Crossing(NamedTuple):
    """A way over the canal."""

    manner: str
    turns: int
    far_hexes: frozenset[str]
    bar: str
    """Why not; empty where it can be gone."""


def crossings(
    table: Table, mover: MovingUnit, surroundings: Surroundings = NOBODY, boats: Mapping[Hex, int] | None = None
) -> list[Crossing]:
    question_inputs = question(
        table, mover, surroundings, boats={table.name(hex): str(count) for hex, count in (boats or {}).items()}
    )
    rows = answer_json(answer_question(questions(table.game)["move"], table.game, question_inputs))["crossings"]
    return [Crossing(row["way"], row["takes"], frozenset(row["to"]), row["why"] or "") for row in rows]


A, B, C, D = (Hex(1, y) for y in range(4))
"""Four hexes of one column, from the top."""

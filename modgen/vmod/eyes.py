"""Whose eyes a module has: who sees whom on the bare map of a scenario, hex by hex, as the assistant works it out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from assistant.rules.field import Field
from assistant.rules.kinds import kinds_for, kinds_of, program_of
from assistant.rules.lines import CORNER, CROSSED, LAST, Kind
from assistant.rules.program import PLACES
from assistant.rules.sight import Look, Sights
from scenarios.game import Game
from scenarios.hexes import DIRECTIONS, Hex
from scenarios.maps import HexMap
from scenarios.position import Position
from scenarios.vassal.geometry import Sheet

FLIES = {"arab_israeli_wars": 'class == "air" and not down'}
"""The games whose sight is a matter of their own, and which of their units see and are seen from everywhere."""
AIR = "air"
"""How rules call an observer in the air."""
MOST = 600
"""On a map with more hexes than these the rules of a pack would take too long, a pair at a time."""


class Shield(NamedTuple):
    """What shields a hex: a bit for each side with a bar, clockwise from the upper one, and for each with a crest."""

    bars: int
    crests: int
    high: bool
    """Where only crests shield, whoever looks."""


class Eyes(Protocol):
    """Who sees whom on one map."""

    key: str
    """What tells one arrangement of boards, with the rules that hold there, from another."""
    map: HexMap
    apart: bool
    """Whether boards lie apart, so that not even a flying unit sees all."""

    def seen(self) -> Mapping[Hex, Iterable[Hex]]:
        """What is seen from every hex."""

    def seen_from_air(self) -> Mapping[Hex, Iterable[Hex]]:
        """What a flying unit sees, where boards lie apart."""

    def covered(self) -> Mapping[Hex, Iterable[Hex]]:
        """From which hexes whoever is in a hex that they see is shielded; empty where `shields` tells it."""

    def shields(self) -> Mapping[Hex, Shield]:
        """What shields every hex, where its own sides alone tell it."""

    @property
    def hiding(self) -> tuple[str, ...]:
        """The markers that can change sight here in a way that a module doesn't work out."""


class Planes:
    """A pack whose sides shield at two levels of the ground, and that knows flying units: The Arab-Israeli Wars."""

    def __init__(self, game: Game, scenario: str) -> None:
        table, rules = game.scenario_maps[scenario], game.rules
        assert isinstance(table, HexMap) and rules is not None
        self.game, self.map = game, table
        self.sights = Field(kinds_for(game, table, scenario), Position(game.id, scenario)).sights
        codes, judge = self.sights.codes.far, self.sights.judge(AIR, AIR)
        self.apart = any(judge.ends(a, b, 1) for a in set(codes) for b in set(codes))
        values = {name: formula.text for name, formula in rules.values.items() if formula is not None}
        self.key = repr((_lying(table), self.apart, rules.sight, values, self.sights.codes.context))

    def seen(self) -> Mapping[Hex, Iterable[Hex]]:
        """From ground level."""
        return _rows(self.sights)

    def seen_from_air(self) -> Mapping[Hex, Iterable[Hex]]:
        """From the air."""
        return _rows(self.sights, AIR)

    def covered(self) -> Mapping[Hex, Iterable[Hex]]:
        """Nothing: its own sides shield a hex."""
        return {}

    def shields(self) -> Mapping[Hex, Shield]:
        """Hull down: the sides of every hex that shield at ground level, and those that shield at any."""
        codes, judge = self.sights.codes, self.sights.judge("", "")
        sides = sorted({code for plane in codes.planes[:3] for code in plane} - {0})
        shielding = {
            (first, last): frozenset(code for code in sides if judge.shields(Kind(0, CROSSED, LAST, False, 0, 0), code, first, last))
            for first in set(codes.ends)
            for last in set(codes.ends)
        }
        most = max(shielding.values(), key=len)
        high = {end: shielding[end, end] != most for end in set(codes.ends)}
        least = next((held for (first, last), held in shielding.items() if high[first] or high[last]), frozenset[int]())
        if any(held != (least if high[first] or high[last] else most) for (first, last), held in shielding.items()):
            raise ValueError("a module's tables know two levels of the ground: sides shield from some ends that neither of them has")
        row, places = self.sights.row, self.sights.field.kinds.places
        result: dict[Hex, Shield] = {}
        for n, number in enumerate(row.numbers):
            held = [codes.planes[d % 3][number if d < 3 else number + row.steps[d]] for d in range(len(DIRECTIONS))]
            bars, crests = (_clockwise(sum(1 << d for d, code in enumerate(held) if code in some)) for some in (most, least))
            result[places[n]] = Shield(bars, crests, high[codes.ends[n]])  # type: ignore[index]
        return result

    @property
    def hiding(self) -> tuple[str, ...]:
        """Works at the canal."""
        judge, blocking = self.sights.judge("", ""), blockers(self.game)
        return tuple(one for one in obstacles(self.game) if one not in blocking and judge.matters(one, self.sights.codes))


def _rows(sights: Sights, observer: str = "") -> Mapping[Hex, list[Hex]]:
    """What is seen from every hex, its own included."""
    sights.all_pairs(observer, observer)
    places: Any = sights.field.kinds.places
    return {hex: [hex, *(places[m] for m in sights.seen_from(n, observer, observer))] for n, hex in enumerate(places)}


class Declared:
    """A pack that declares sight: every pair is looked at by the rules' engine, on one turn of a scenario."""

    apart = False

    def __init__(self, game: Game, scenario: str, turn: int) -> None:
        kinds = kinds_of(game, scenario)
        assert kinds is not None and isinstance(kinds.map, HexMap)
        self.map = kinds.map
        field = Field(kinds, Position(game.id, scenario, turn))
        self.sights = field.sights
        holding = [(name, [(effect.at, effect.value) for effect in field.in_force(name)]) for name in game.effects]
        self.key = repr((_lying(self.map), [pair for pair in holding if pair[1]], repr(field.program.rules.sight), _heights(field)))

    @cached_property
    def _looks(self) -> Mapping[Hex, list[tuple[Hex, Look]]]:
        numbers = self.sights.field.kinds.number
        return {
            a: [(b, look) for b in self.map.hexes if (look := self.sights.look(numbers[a], numbers[b])).clear]
            for a in self.map.hexes
        }

    def seen(self) -> Mapping[Hex, Iterable[Hex]]:
        """What is seen."""
        return {a: [b for b, _ in looks] for a, looks in self._looks.items()}

    def seen_from_air(self) -> Mapping[Hex, Iterable[Hex]]:
        """The same: no rule knows flying units."""
        return self.seen()

    def covered(self) -> Mapping[Hex, Iterable[Hex]]:
        """By the looker's hex, those in which it finds its targets shielded."""
        return {a: [b for b, look in looks if look.shields] for a, looks in self._looks.items()}

    def shields(self) -> Mapping[Hex, Shield]:
        """Nothing: what shields depends on both hexes."""
        return {}

    @property
    def hiding(self) -> tuple[str, ...]:
        """Markers that the rules ask for otherwise than to block."""
        game = self.sights.field.game
        return tuple(marker for marker in _asked(game) if marker not in blockers(game))


def _lying(table: HexMap) -> list[object]:
    corners = Sheet(table).corners
    return [(p.board.id, p.turned, corners[p.board.id], p.board.terrain, p.board.hexsides) for p in table.placed]


def _heights(field: Field) -> list[str]:
    return [str(field.kinds.height(n)) for n in range(len(field.kinds.places))]


def _clockwise(bits: int) -> int:
    """Sides by direction as sides clockwise from the upper one."""
    order = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)]
    return sum(1 << order.index((q, 2 * r + q)) for d, (q, r) in enumerate(DIRECTIONS) if bits >> d & 1)


def has_eyes(game: Game) -> bool:
    """Whether a module of the game can know who sees whom."""
    if game.id in FLIES:
        return True
    maps = game.scenario_maps.values()
    return bool(
        game.rules and game.rules.sight and maps and all(isinstance(table, HexMap) and len(table.hexes) <= MOST for table in maps)
    )


def eyes(game: Game, scenario: str, turn: int) -> Eyes:
    """The eyes of a scenario on a turn."""
    return Planes(game, scenario) if game.id in FLIES else Declared(game, scenario, turn)


def turns(game: Game, scenario: str) -> range:
    """The turns on which sight can differ."""
    held = game.scenarios[scenario]
    changing = any(effect.turns for special in held.special for effect in special.effects)
    if game.id in FLIES or not changing or held.turns is None:
        return range(1, 2)
    return range(1, held.turns.last + 1)


def _asked(game: Game) -> list[str]:
    """The markers that the pack's rules of sight ask for in a hex."""
    sight = game.rules.sight if game.rules else None
    words = " ".join(record.when.text for record in sight.hexes if record.when is not None) if sight else ""
    return [marker for marker in game.markers if re.search(rf"\bhex\.{marker}\b", words)]


def blockers(game: Game) -> tuple[str, ...]:
    """The markers that block every line that touches their hex, the two ends aside: a module finds them among its pieces."""
    sight = game.rules.sight if game.rules else None
    if game.id in FLIES:
        # Smoke, unless a reading lets lines pass along its sides, at its corners or exactly between.
        read = {key: ruling.choice for key, ruling in game.rulings.items()}
        open_ = any(read.get(key) == "clear" for key in ("sight_along", "sight_corner", "sight_touch"))
        between = "blocked" in (read.get("smoke_between"), read.get("sight_between"))
        return ("smoke",) if "smoke" in game.markers and not open_ and between else ()
    plain = {r.when.text.strip() for r in sight.hexes if r.when is not None and r.block} if sight else set()
    return tuple(marker for marker in _asked(game) if f"hex.{marker}" in plain)


def obstacles(game: Game) -> list[str]:
    """All markers that can come between."""
    if not has_eyes(game):
        return []
    asked = program_of(game).seeing
    return [one for one in game.markers if any(f"{prefix}.{one}" in asked for prefix in PLACES)]


def corners_shield(game: Game) -> bool:
    """Whether a side shields from a line that only touches its end, by the reading that holds."""
    sights = Planes(game, next(iter(game.scenarios))).sights
    ends, sides = set(sights.codes.ends), {code for plane in sights.codes.planes[:3] for code in plane} - {0}
    kind, judge = Kind(0, CORNER, LAST, False, 0, 0), sights.judge("", "")
    return any(judge.shields(kind, code, first, last) for code in sides for first in ends for last in ends)

"""Whose eyes a module has: who sees whom on the bare map of a scenario, hex by hex, as the assistant works it out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

from assistant.rules.field import Field
from assistant.rules.kinds import kinds_of, program_of
from assistant.rules.lines import CORNER, CROSSED, FIRST, LAST, Kind
from assistant.rules.program import PLACES
from assistant.rules.sight import Sights
from scenarios.expressions.syntax import Expression, Name
from scenarios.game import Game
from scenarios.hexes import DIRECTIONS, Hex
from scenarios.kept import once
from scenarios.maps import HexMap
from scenarios.position import Position
from scenarios.vassal.geometry import Sheet

AIR = "air"
"""The observer of a pack that is in the air. Between two units of which either is in the air its sight holds; all others are taken as
the pack's last observer."""
ROOM = 4_000_000
"""How many characters a table of sight may have, six pairs to a character: that is a map of some 4,800 hexes."""


class Shield(NamedTuple):
    """What shields a hex: a bit for each side with a bar, clockwise from the upper one, and for each with a crest."""

    bars: int
    crests: int
    high: bool
    """Where only crests shield, whoever looks."""


class Eyes:
    """Who sees whom on the bare map of a scenario, on one turn."""

    def __init__(self, game: Game, scenario: str, turn: int = 1) -> None:
        kinds = kinds_of(game, scenario)
        assert kinds is not None and isinstance(kinds.map, HexMap) and game.rules is not None
        self.game, self.map = game, kinds.map
        self._field = field = Field(kinds, Position(game.id, scenario, turn))
        self.flying = flying(game) is not None
        asked = [name for name in game.effects if f"effect.{name}" in field.program.seeing]
        holding = [(name, [(effect.at, effect.value) for effect in field.in_force(name)]) for name in asked]
        values = {name: formula.text for name, formula in game.rules.values.items() if formula is not None}
        heights = [str(kinds.height(n)) for n in range(len(kinds.places))]
        self.key = repr((_lying(self.map), holding, game.rules.sight, values, kinds.sight.context(field), heights))
        """What tells one arrangement of boards, with the rules that hold there, from another."""

    @property
    def sights(self) -> Sights:
        """All sight there."""
        return self._field.sights

    def seen(self) -> Mapping[Hex, Iterable[Hex]]:
        """What is seen from every hex, at ground level."""
        return self._rows("")

    def seen_from_air(self) -> Mapping[Hex, Iterable[Hex]]:
        """What a flying unit sees."""
        return self._rows(AIR)

    def _rows(self, observer: str) -> Mapping[Hex, list[Hex]]:
        """What is seen from every hex, its own included."""
        places: Any = self.sights.field.kinds.places
        return {
            places[n]: [places[n], *map(places.__getitem__, seen)]
            for n, seen in self.sights.every_row(observer, observer)
        }

    @cached_property
    def apart(self) -> bool:
        """Whether even a flying unit may not see all: boards that lie apart, for example."""
        return self.flying and self.sights.judge(AIR, AIR).may_hide(self.sights.codes)

    @cached_property
    def _shielding(self) -> dict[tuple[int, int], frozenset[int]]:
        """The codes of hexsides that shield who is behind them from a line across, by the codes of both ends."""
        ends, judge = set(self.sights.codes.ends), self.sights.judge("", "")
        kind = Kind(0, CROSSED, LAST, False, 0, 0)
        return {pair: judge.shielding(kind, self._sides, *pair) for pair in product(ends, ends)}

    @cached_property
    def _sides(self) -> frozenset[int]:
        """The codes of all hexsides."""
        return frozenset().union(*self.sights.codes.planes[:3]) - {0}

    @cached_property
    def corners_shield(self) -> bool:
        """Whether a side shields from a line that only touches its end, by the reading that holds."""
        judge = self.sights.judge("", "")
        kind = Kind(0, CORNER, LAST, False, 0, 0)
        return any(judge.shielding(kind, self._sides, *pair) for pair in self._shielding)

    @cached_property
    def _levels(self) -> tuple[frozenset[int], frozenset[int], dict[int, bool]]:
        """The codes of hexsides that shield on low ground, those that shield where an end is high, and which ends are high."""
        shielding = self._shielding
        most = max(shielding.values(), key=len)
        high = {end: shielding[end, end] != most for end in set(self.sights.codes.ends)}
        least = next(
            (codes for (first, last), codes in shielding.items() if high[first] or high[last]), frozenset[int]()
        )
        return most, least, high

    @cached_property
    def by_sides(self) -> bool:
        """Whether a hex's own sides alone tell what shields it, at two levels of the ground."""
        most, least, high = self._levels
        return self._plainly() and all(
            codes == (least if high[first] or high[last] else most) for (first, last), codes in self._shielding.items()
        )

    def shields(self) -> Mapping[Hex, Shield]:
        """What shields every hex, where its own sides alone tell it."""
        (most, least, high), codes = self._levels, self.sights.codes
        row, places = self.sights.row, self.sights.field.kinds.places
        result: dict[Hex, Shield] = {}
        for n, number in enumerate(row.numbers):
            held = [codes.planes[d % 3][number if d < 3 else number + row.steps[d]] for d in range(len(DIRECTIONS))]
            bars, crests = (
                _clockwise(sum(1 << d for d, code in enumerate(held) if code in some)) for some in (most, least)
            )
            result[places[n]] = Shield(bars, crests, high[codes.ends[n]])  # type: ignore[index]
        return result

    def _plainly(self) -> bool:
        """Whether it doesn't matter how far one looks or from which side, and corners shield as sides do, or not at all."""
        judge, rules = self.sights.judge("", ""), self.sights.rules
        if "distance" in self.sights.map.sides.names or any(getattr(record, "shield", "") for record in rules.hexes):
            return False
        for manner, own, turned in product((CROSSED, CORNER), (LAST, FIRST | LAST), (False, True)):
            none = manner == CORNER and not self.corners_shield
            for pair, codes in self._shielding.items():
                kind = Kind(0, manner, own, turned, 0, 0)
                if judge.shielding(kind, self._sides, *pair) != (frozenset() if none else codes):
                    return False
        return True

    def covered(self) -> Mapping[Hex, Iterable[Hex]]:
        """By the looker's hex, those in which it finds its targets shielded."""
        sights, places = self.sights, self.sights.field.kinds.places
        if not any(getattr(record, "shield", "") for record in (*sights.rules.sides, *sights.rules.hexes)):
            return {}
        sights.all_pairs()
        result: dict[Hex, list[Hex]] = {}
        for n, hex in enumerate(places):
            result[hex] = [places[m] for m in sights.seen_from(n) if sights.look(n, m).shields]  # type: ignore[index, misc]
        return result

    @property
    def hiding(self) -> tuple[str, ...]:
        """The markers that can change sight here in a way that a module doesn't work out."""
        judge, blocking = self.sights.judge("", ""), blockers(self.game)
        return tuple(
            one for one in obstacles(self.game) if one not in blocking and judge.matters(one, self.sights.codes)
        )


def _lying(table: HexMap) -> list[object]:
    corners = Sheet(table).corners
    return [(p.board.id, p.turned, corners[p.board.id], p.board.terrain, p.board.hexsides) for p in table.placed]


def _clockwise(bits: int) -> int:
    """Sides by direction as sides clockwise from the upper one."""
    order = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)]
    return sum(1 << order.index((q, 2 * r + q)) for d, (q, r) in enumerate(DIRECTIONS) if bits >> d & 1)


def flying(game: Game) -> Expression | None:
    """The expression that tells whether a unit is in the air, in words that a unit of a module knows; None where no rule asks."""
    rules = game.rules
    formula = rules.sight.observers.get(AIR) if rules is not None and rules.sight is not None else None
    held = formula.expression if formula is not None else None
    while rules is not None and isinstance(held, Name) and (value := rules.units.get(held.name)) is not None:
        held = value.expression
    return held


def has_eyes(game: Game) -> bool:
    """Whether a module of the game can know who sees whom."""
    maps = game.scenario_maps.values()
    return bool(
        game.rules
        and game.rules.sight
        and maps
        and all(isinstance(map, HexMap) and len(map.hexes) ** 2 <= 6 * ROOM for map in maps)
    )


def turns(game: Game, scenario: str) -> range:
    """The turns on which sight can differ."""
    held, seeing = game.scenarios[scenario], program_of(game).seeing
    changing = any(
        effect.turns and f"effect.{effect.effect}" in seeing for special in held.special for effect in special.effects
    )
    return range(1, held.turns.last + 1) if changing and held.turns is not None else range(1, 2)


def blockers(game: Game) -> tuple[str, ...]:
    """The markers that block every line that touches their hex, the two ends aside: a module finds them among its pieces."""
    return once(game, _blockers) if has_eyes(game) else ()


def _blockers(game: Game) -> tuple[str, ...]:
    sights = Eyes(game, next(iter(game.scenarios))).sights
    observers = ("", AIR) if flying(game) is not None else ("",)
    judges = [sights.judge(*pair) for pair in product(observers, observers)]
    return tuple(
        marker for marker in obstacles(game) if all(judge.always_blocks(marker, sights.codes) for judge in judges)
    )


def obstacles(game: Game) -> list[str]:
    """All markers that can come between."""
    if not has_eyes(game):
        return []
    asked = program_of(game).seeing
    return [one for one in game.markers if any(f"{prefix}.{one}" in asked for prefix in PLACES)]

"""Who sees whom on the bare map of a scenario, hex by hex, computed as the assistant does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of, program_of
from assistant.engine.program import PLACES
from assistant.engine.sight.line_crossings import AT_CORNER, CROSSES_SIDE, FIRST, LAST, CrossingKind
from assistant.engine.sight.place_classes import sight_map_of
from assistant.engine.sight.visibility import Sights, sights_of
from scenarios.expressions.syntax import Expression, Name
from scenarios.model.game import Game
from scenarios.model.hexes import DIRECTIONS, Hex
from scenarios.model.maps import HexMap
from scenarios.model.memo import cached_on
from scenarios.model.position import Position
from scenarios.vassal.geometry import BoardSheet

AIR = "air"
"""The observer of a pack that is in the air.

Its sight applies between two units if either is in the air. All other units count as the pack's last observer.
"""
ROOM = 4_000_000
"""The greatest number of characters of a sight table, six pairs to a character: a map of some 4,800 hexes."""


class Shield(NamedTuple):
    """What shields a hex: a bit for each side with a bar, clockwise from the upper one, and one for each side with a crest."""

    bars: int
    crests: int
    is_high: bool
    """Whether only crests shield the hex, whoever looks."""


class SightTable:
    """Who sees whom on the bare map of a scenario, on one turn."""

    def __init__(self, game: Game, scenario: str, turn: int = 1) -> None:
        map_index = map_index_of(game, scenario)
        assert map_index is not None and isinstance(map_index.map, HexMap) and game.rules is not None
        self.game, self.map = game, map_index.map
        self._field = field = make_field(map_index, Position(game.id, scenario, turn))
        self.flying = flying(game) is not None
        effect_names = [name for name in game.effects if f"effect.{name}" in field.program.seeing]
        holding = [(name, [(effect.at, effect.value) for effect in field.in_force(name)]) for name in effect_names]
        values = {name: formula.text for name, formula in game.rules.values.items() if formula is not None}
        heights = [str(map_index.height(n)) for n in range(len(map_index.places))]
        self.key = repr(
            (_lying(self.map), holding, game.rules.sight, values, sight_map_of(map_index).context(field), heights)
        )
        """What tells one arrangement of boards, with the rules that hold there, from another."""

    @property
    def sights(self) -> Sights:
        """All sight there."""
        return sights_of(self._field)

    def visible_hexes(self) -> Mapping[Hex, Iterable[Hex]]:
        """The hexes visible from every hex, at ground level."""
        return self._rows("")

    def seen_from_air(self) -> Mapping[Hex, Iterable[Hex]]:
        """The hexes that a flying unit sees from every hex."""
        return self._rows(AIR)

    def _rows(self, observer: str) -> Mapping[Hex, list[Hex]]:
        """The hexes that an observer sees from every hex, including its own."""
        places: Any = self.sights.field.map_index.places
        return {
            places[n]: [places[n], *map(places.__getitem__, visible_numbers)]
            for n, visible_numbers in self.sights.every_row(observer, observer)
        }

    @cached_property
    def has_gaps(self) -> bool:
        """Whether even a flying unit may not see all hexes, for example if boards lie apart."""
        return self.flying and self.sights.judge(AIR, AIR).may_hide(self.sights.codes)

    @cached_property
    def _shielding(self) -> dict[tuple[int, int], frozenset[int]]:
        """The codes of hexsides that shield units behind them from a line across, by the codes of both ends."""
        ends, judge = set(self.sights.codes.ends), self.sights.judge("", "")
        kind = CrossingKind(0, CROSSES_SIDE, LAST, False, 0, 0)
        return {pair: judge.shielding(kind, self._sides, *pair) for pair in product(ends, ends)}

    @cached_property
    def _sides(self) -> frozenset[int]:
        """The codes of all hexsides."""
        return frozenset().union(*self.sights.codes.planes[:3]) - {0}

    @cached_property
    def corners_shield(self) -> bool:
        """Whether a side shields from a line that only touches its end, by the chosen reading of the rules."""
        judge = self.sights.judge("", "")
        kind = CrossingKind(0, AT_CORNER, LAST, False, 0, 0)
        return any(judge.shielding(kind, self._sides, *pair) for pair in self._shielding)

    @cached_property
    def _levels(self) -> tuple[frozenset[int], frozenset[int], dict[int, bool]]:
        """The codes of hexsides that shield on low ground, those that shield if an end is high, and which ends are high."""
        shielding = self._shielding
        low_ground_codes = max(shielding.values(), key=len)
        high_ends = {end: shielding[end, end] != low_ground_codes for end in set(self.sights.codes.ends)}
        high_ground_codes = next(
            (codes for (first, last), codes in shielding.items() if high_ends[first] or high_ends[last]),
            frozenset[int](),
        )
        return low_ground_codes, high_ground_codes, high_ends

    @cached_property
    def by_sides(self) -> bool:
        """Whether a hex's own sides alone decide what shields it, at two levels of the ground."""
        low_ground_codes, high_ground_codes, high_ends = self._levels
        return self._plainly() and all(
            codes == (high_ground_codes if high_ends[first] or high_ends[last] else low_ground_codes)
            for (first, last), codes in self._shielding.items()
        )

    def shields(self) -> Mapping[Hex, Shield]:
        """What shields every hex, if its own sides alone decide it."""
        (low_ground_codes, high_ground_codes, high_ends), codes = self._levels, self.sights.codes
        row, places = self.sights.row, self.sights.field.map_index.places
        result: dict[Hex, Shield] = {}
        for n, number in enumerate(row.numbers):
            side_codes = [
                codes.planes[d % 3][number if d < 3 else number + row.steps[d]] for d in range(len(DIRECTIONS))
            ]
            bars, crests = (
                _clockwise(sum(1 << d for d, code in enumerate(side_codes) if code in shielding_codes))
                for shielding_codes in (low_ground_codes, high_ground_codes)
            )
            result[places[n]] = Shield(bars, crests, high_ends[codes.ends[n]])  # type: ignore[index]
        return result

    def _plainly(self) -> bool:
        """Whether the distance and direction of a line don't matter, and corners shield as sides do, or not at all."""
        judge, rules = self.sights.judge("", ""), self.sights.rules
        if "distance" in self.sights.map.sides.names or any(getattr(record, "shield", "") for record in rules.hexes):
            return False
        for manner, own_ends, is_turned in product((CROSSES_SIDE, AT_CORNER), (LAST, FIRST | LAST), (False, True)):
            is_unshielded = manner == AT_CORNER and not self.corners_shield
            for pair, codes in self._shielding.items():
                kind = CrossingKind(0, manner, own_ends, is_turned, 0, 0)
                if judge.shielding(kind, self._sides, *pair) != (frozenset() if is_unshielded else codes):
                    return False
        return True

    def shielded_hexes(self) -> Mapping[Hex, Iterable[Hex]]:
        """For each hex of an observer, the hexes in which targets are shielded from it."""
        sights, places = self.sights, self.sights.field.map_index.places
        if not any(getattr(record, "shield", "") for record in (*sights.rules.sides, *sights.rules.hexes)):
            return {}
        sights.all_pairs()
        result: dict[Hex, list[Hex]] = {}
        for n, hex in enumerate(places):
            result[hex] = [places[m] for m in sights.seen_from(n) if sights.look(n, m).shields]  # type: ignore[index, misc]
        return result

    @property
    def hiding(self) -> tuple[str, ...]:
        """The markers that can change sight on this map in a way that a module doesn't compute."""
        judge, blocking = self.sights.judge("", ""), blockers(self.game)
        return tuple(
            marker
            for marker in obstacles(self.game)
            if marker not in blocking and judge.matters(marker, self.sights.codes)
        )


def _lying(table: HexMap) -> list[object]:
    corners = BoardSheet(table).corners
    return [(p.board.id, p.turned, corners[p.board.id], p.board.terrain, p.board.hexsides) for p in table.placed]


def _clockwise(bits: int) -> int:
    """Converts bits of sides by direction to bits clockwise from the upper side."""
    order = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)]
    return sum(1 << order.index((q, 2 * r + q)) for d, (q, r) in enumerate(DIRECTIONS) if bits >> d & 1)


def flying(game: Game) -> Expression | None:
    """The expression that tests whether a unit is in the air, with names that a unit of a module knows; None if no rule asks."""
    rules = game.rules
    formula = rules.sight.observers.get(AIR) if rules is not None and rules.sight is not None else None
    expression = formula.expression if formula is not None else None
    while (
        rules is not None and isinstance(expression, Name) and (value := rules.units.get(expression.name)) is not None
    ):
        expression = value.expression
    return expression


def has_eyes(game: Game) -> bool:
    """Whether a module of the game can compute who sees whom."""
    maps = game.scenario_maps.values()
    return bool(
        game.rules
        and game.rules.sight
        and maps
        and all(isinstance(map, HexMap) and len(map.hexes) ** 2 <= 6 * ROOM for map in maps)
    )


def turns(game: Game, scenario: str) -> range:
    """The turns on which sight can differ."""
    played_scenario, seeing = game.scenarios[scenario], program_of(game).seeing
    changing = any(
        effect.turns and f"effect.{effect.effect}" in seeing
        for special in played_scenario.special
        for effect in special.effects
    )
    return range(1, played_scenario.turns.last + 1) if changing and played_scenario.turns is not None else range(1, 2)


def blockers(game: Game) -> tuple[str, ...]:
    """The markers that block every line that touches their hex, except at its two ends. A module finds them among its pieces."""
    return cached_on(game, _blockers) if has_eyes(game) else ()


def _blockers(game: Game) -> tuple[str, ...]:
    sights = SightTable(game, next(iter(game.scenarios))).sights
    observers = ("", AIR) if flying(game) is not None else ("",)
    judges = [sights.judge(*pair) for pair in product(observers, observers)]
    return tuple(
        marker for marker in obstacles(game) if all(judge.always_blocks(marker, sights.codes) for judge in judges)
    )


def obstacles(game: Game) -> list[str]:
    """All markers that can block or change a line."""
    if not has_eyes(game):
        return []
    condition_names = program_of(game).seeing
    return [marker for marker in game.markers if any(f"{prefix}.{marker}" in condition_names for prefix in PLACES)]

"""A sheet of questions, and random positions to ask them of."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scenarios.model.game import Game
from scenarios.model.hexes import neighbours
from scenarios.model.maps import HexMap
from scenarios.model.points import PointMap


class Case(NamedTuple):
    """A question, what it is told, and the position (by its number on the sheet; none if negative)."""

    question: str
    inputs: Mapping[str, Any]
    at: int = -1


class WrittenPosition(NamedTuple):
    """A position as it is written: its scenario, its turn and its pieces."""

    scenario: str
    turn: int
    pieces: tuple[str, ...]


@dataclass
class Sheet:
    """The questions that are asked of a game."""

    game: Game
    positions: list[WrittenPosition] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)

    def ask(self, question: str, position_number: int = -1, /, **inputs: Any) -> None:
        """One question more. `from_` is `from`; empty inputs are left out."""
        case_inputs = {key.rstrip("_"): str(value) for key, value in inputs.items() if value not in ("", None, False)}
        self.cases.append(Case(question, case_inputs, position_number))

    def put(self, scenario: str, turn: int, pieces: Sequence[str]) -> int:
        """A position, for questions to be asked at."""
        self.positions.append(WrittenPosition(scenario, turn, tuple(pieces)))
        return len(self.positions) - 1


class Land:
    """The places of a map and what lies next to what, by name."""

    def __init__(self, table: HexMap | PointMap, wet: Collection[str] = ()) -> None:
        if isinstance(table, HexMap):
            self.next = {table.name(hex): [table.name(n) for n in neighbours(hex) if n in table] for hex in table.hexes}
            self.terrain = {table.name(hex): table.terrain[hex] for hex in table.hexes}
        else:
            self.next = {point: sorted(table.adjacent(point)) for point in table.points}
            self.terrain = {point: shape.terrain for point, shape in table.points.items()}
        self.dry = [place for place in self.next if self.terrain[place] not in wet]

    def places_within(self, place: str, max_distance: int) -> list[str]:
        """The places within so many steps, the nearest first."""
        distances = {place: 0}
        edge = [place]
        for distance in range(1, max_distance + 1):
            edge = [neighbour for origin in edge for neighbour in self.next[origin] if neighbour not in distances]
            edge = list(dict.fromkeys(edge))
            distances |= dict.fromkeys(edge, distance)
        return list(distances)


class Stand(NamedTuple):
    """A unit that was placed."""

    unit: str
    copy: str
    side: str
    place: str
    text: str

    @property
    def key(self) -> str:
        return f"{self.unit}/{self.copy}"


@dataclass
class Scene:
    """Units of both sides mixed up in a small part of a map."""

    stands: list[Stand]
    held: Mapping[str, list[Stand]]

    def stands_of(self, side: str) -> list[Stand]:
        return [stand for stand in self.stands if stand.side == side]

    def fronts(self, land: Land, side: str) -> list[tuple[str, str]]:
        """A place of a side and an enemy's next to it."""
        return [
            (own_place, enemy_place)
            for own_place, men in self.held.items()
            for enemy_place in land.next[own_place]
            if men[0].side == side and enemy_place in self.held and self.held[enemy_place][0].side != side
        ]

    def targets(self, land: Land, side: str) -> dict[str, list[str]]:
        """Enemy places with the places of a side next to them."""
        sources_by_target: dict[str, list[str]] = defaultdict(list)
        for source, target in self.fronts(land, side):
            sources_by_target[target].append(source)
        return dict(sources_by_target)


def scene(
    rng: random.Random,
    land: Land,
    pools: Mapping[str, Sequence[tuple[str, str]]],
    *,
    max_units: int = 8,
    spread: int = 4,
    stack: int = 2,
    centre: str = "",
    write: Callable[[str, str, str], str] = lambda unit, copy, place: f"{unit}/{copy}@{place}",
) -> Scene:
    """Some units (with their copies) of each side's pool around a place, never with an enemy."""
    centre = centre or rng.choice(land.dry)
    dry = set(land.dry)
    area = [place for place in land.places_within(centre, spread) if place in dry]
    stands_by_place: dict[str, list[Stand]] = {}
    stands = []
    for side, pool in pools.items():
        for unit, copy in rng.sample(list(pool), min(len(pool), rng.randint(2, max_units))):
            own_places = [place for place, men in stands_by_place.items() if men[0].side == side and len(men) < stack]
            free = [place for place in area if place not in stands_by_place]
            if not free and not own_places:
                continue
            place = rng.choice(own_places) if own_places and (not free or rng.random() < 0.35) else rng.choice(free)
            stand = Stand(unit, copy, side, place, write(unit, copy, place))
            stands_by_place.setdefault(place, []).append(stand)
            stands.append(stand)
    return Scene(stands, stands_by_place)


def draw_some(rng: random.Random, values: Sequence[Any], max_count: int) -> list[Any]:
    """Some of many, in their order."""
    indexes = set(rng.sample(range(len(values)), min(max_count, len(values))))
    return [value for number, value in enumerate(values) if number in indexes]

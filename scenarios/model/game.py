"""A loaded game: immutable and complete."""

from __future__ import annotations

import collections.abc
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from scenarios.model.attacks import Attack
from scenarios.model.boards import Board
from scenarios.model.counters import Factor, Marker, Unit
from scenarios.model.definitions import (
    Card,
    CounterType,
    EffectWord,
    Layout,
    LineKind,
    Nation,
    Phase,
    Sequence,
    State,
    TerrainKind,
    TurnTrack,
    Word,
)
from scenarios.model.maps import HexMap
from scenarios.model.points import PointMap
from scenarios.model.scenario import Scenario, Side
from scenarios.model.sources import Datum, Ruling, Source, grounds
from scenarios.model.tables import Table
from scenarios.rules.shapes import Rules

Map = HexMap | PointMap
"""A map of hexes or of points, without pieces."""


@dataclass(frozen=True)
class Game:
    """All content of a pack, by id."""

    card: Card
    folder: Path
    overlays: tuple[Path, ...]
    sides: Mapping[str, Side]
    nations: Mapping[str, Nation]
    states: Mapping[str, State]
    turns: TurnTrack | None
    sequence: Mapping[str, Sequence]
    terrain: Mapping[str, TerrainKind]
    hexsides: Mapping[str, LineKind]
    paths: Mapping[str, LineKind]
    routes: Mapping[str, LineKind]
    classes: Mapping[str, Word]
    types: Mapping[str, CounterType]
    abilities: Mapping[str, Word]
    effects: Mapping[str, EffectWord]
    factors: Mapping[str, Factor]
    layouts: Mapping[str, Layout]
    units: Mapping[str, Unit]
    formations: Mapping[str, Mapping[str, int]]
    """The formations of each nation that have more than one counter, numbered in the order of the pack."""
    markers: Mapping[str, Marker]
    tables: Mapping[str, Table]
    boards: Mapping[str, Board]
    maps: Mapping[str, Map]
    attacks: Mapping[str, Attack]
    scenarios: Mapping[str, Scenario]
    scenario_maps: Mapping[str, Map]
    rulings: Mapping[str, Ruling]
    rules: Rules | None
    data: collections.abc.Sequence[Datum]

    @property
    def id(self) -> str:
        """The pack's id."""
        return self.card.id

    @property
    def title(self) -> str:
        """The game's title."""
        return self.card.title

    @cached_property
    def grounds(self) -> Mapping[str, Source | None]:
        """The addresses of terrain, each with its source unless that is the rulebook. A pack from the cache has them precomputed."""
        ready: Mapping[str, Source | None] | None = getattr(self.data, "grounds", None)
        return ready if ready is not None else grounds(self.data)

    @cached_property
    def former_ids(self) -> Mapping[str, str]:
        """The present id of each renamed counter or marker, by its former id."""
        units = {old: unit.id for unit in self.units.values() for old in unit.counter.was}
        return {**units, **{old: key for key, marker in self.markers.items() for old in marker.was}}

    def sides_in(self, scenario: Scenario) -> Mapping[str, Side]:
        """The sides of a scenario: its own, else those of the game."""
        return scenario.sides or self.sides

    def turn_span(self, scenario_id: str = "") -> tuple[int, int] | None:
        """The first and last turn of a scenario; without one, of all scenarios. None where a scenario has no length."""
        scenario = self.scenarios.get(scenario_id)
        tracks = [each.turns for each in ((scenario,) if scenario is not None else self.scenarios.values())]
        spans = [track for track in tracks if track is not None]
        if not spans or len(spans) < len(tracks):
            return None
        return min(track.first for track in spans), max(track.last for track in spans)

    def nearest_turn(self, turn: int, scenario_id: str) -> int:
        """The turn of a scenario nearest to a number: the turn counter of a module doesn't stop."""
        first, last = self.turn_span(scenario_id) or (turn, turn)
        return min(max(turn, first), last)

    def turn_fault(self, turn: int, scenario_id: str = "") -> str:
        """Why there is no such turn; empty if there is one."""
        span = self.turn_span(scenario_id)
        if span is None:
            return "" if turn >= 0 else f"a turn is a whole number from 1, not {turn}"
        scenarios = {scenario_id} & self.scenarios.keys() or set(self.scenarios)
        subject = f"the scenario {next(iter(scenarios))}" if len(scenarios) == 1 else self.title
        return "" if span[0] <= turn <= span[1] else f"{subject} has turns {span[0]} to {span[1]}, not {turn}"

    def year_span(self) -> tuple[int, int] | None:
        """The years of the scenarios, from the first to the last; None where none has a year."""
        years = [scenario.year for scenario in self.scenarios.values() if scenario.year is not None]
        return (min(years), max(years)) if years else None


def phases(sequence: Sequence) -> Iterator[Phase]:
    """The phases of a turn that contain no other phase, in order."""

    def leaves(phase: Phase) -> Iterator[Phase]:
        if phase.phases:
            for inner in phase.phases:
                yield from leaves(inner)
        else:
            yield phase

    for phase in sequence.phases:
        yield from leaves(phase)

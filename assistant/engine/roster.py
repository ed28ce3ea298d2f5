"""The owner and the group of each piece: what a position leaves to the scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from scenarios.model.game import Game
from scenarios.model.position import Piece, armies, from_scenario, nation_of
from scenarios.model.scenario import Scenario, Who


@dataclass(frozen=True)
class Roster:
    """The sides, nations and groups of a scenario's pieces."""

    game: Game
    scenario: Scenario | None
    holders: Mapping[str, frozenset[str]]
    """The groups that have a counter, as SIDE/GROUP."""
    id: str = ""
    nations: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The armies that have a counter."""

    def side(self, piece: Piece) -> str:
        """Return the side of the piece; "" where nothing decides it (a construction without a nation)."""
        if piece.group:
            return piece.group.partition("/")[0]
        if piece.nation and (side := self._of_nation(piece.nation)):
            return side
        sides = {group.partition("/")[0] for group in self.holders.get(piece.unit, ())}
        if len(sides) == 1:
            return sides.pop()
        if piece.unit in self.game.units and not (self.scenario and self.scenario.sides):
            return self.game.units[piece.unit].side
        return ""

    def group(self, piece: Piece) -> str:
        """Return the letter or name of its group; "" where several groups have the counter and the piece names none."""
        if piece.group:
            return piece.group.partition("/")[2]
        groups = self.holders.get(piece.unit, frozenset())
        return next(iter(groups)).partition("/")[2] if len(groups) == 1 else ""

    def morale(self, piece: Piece) -> str:
        """Return the morale level of the piece's nation; "" where the scenario gives none, or gives several to the
        possible armies of the piece."""
        levels = self.scenario.morale if self.scenario else {}
        if piece.nation in levels:
            return levels[piece.nation]
        side = self.side(piece)
        may_be = self.nations.get(piece.unit) or [nation for nation in levels if self._of_nation(nation) == side]
        possible_levels = {levels.get(nation, "") for nation in may_be}
        return possible_levels.pop() if len(possible_levels) == 1 else ""

    def piece_of(self, unit: str) -> Piece:
        """Return the piece for a counter that a question names alone, of the army that the scenario gives it to."""
        nation = nation_of(self.game, self.id, unit) if unit in self.game.units else ""
        return Piece(unit, "", nation, "box:asked")

    def matches(self, piece: Piece, selector: Who | None) -> bool | None:
        """Whether a piece matches a selector; None where the position leaves its owner or group open. Markers match
        only by name."""
        selector = selector or Who()
        unit = self.game.units.get(piece.unit)
        if piece.unit in selector.except_ or (piece.unit not in selector.units if selector.units else unit is None):
            return False
        if selector.classes and (unit is None or unit.class_ not in selector.classes):
            return False
        if selector.nation and piece.nation != selector.nation:
            return None if not piece.nation and selector.nation in self.nations.get(piece.unit, ()) else False
        if selector.side and (side := self.side(piece)) != selector.side:
            return None if not side else False
        if selector.groups:
            group = self.group(piece)
            could_be = {holder.partition("/")[2] for holder in self.holders.get(piece.unit, ())}
            return None if not group and could_be & set(selector.groups) else group in selector.groups
        return True

    def _of_nation(self, nation: str) -> str:
        for side, side_record in (self.scenario.sides if self.scenario else {}).items():
            if nation in side_record.nations:
                return side
        if self.scenario and self.scenario.sides:
            return ""
        return self.game.nations[nation].side if nation in self.game.nations else ""


def roster(game: Game, scenario_id: str = "") -> Roster:
    """Return the roster of a scenario. Without a scenario the counter sheets decide."""
    if scenario_id not in game.scenarios:
        return Roster(game, None, MappingProxyType({}))
    holders: dict[str, frozenset[str]] = {}
    for piece in from_scenario(game, scenario_id).pieces:
        holders[piece.unit] = holders.get(piece.unit, frozenset()) | {piece.group}
    nations = armies(game, scenario_id).nations
    return Roster(game, game.scenarios[scenario_id], MappingProxyType(holders), scenario_id, nations)

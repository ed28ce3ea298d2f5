"""Units that a scenario sets up by area are put somewhere lawful, so that questions about its start have an answer: `rules.placing`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assistant.rules.asked import Asked
from assistant.rules.field import Field, Standing, Walker
from assistant.rules.kinds import kinds_of
from assistant.rules.looks import places_where
from assistant.rules.stacking import Room, unmet
from scenarios.areas import Area
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.kept import once
from scenarios.maps import HexMap
from scenarios.position import Position, from_scenario, groups
from scenarios.resolve import Resolver
from scenarios.rules.shapes import Placing

Assumed = frozenset[tuple[str, str]]
"""Counters and copies whose place is our choice."""


def started(game: Game, scenario: str) -> tuple[Position, Assumed]:
    """The start of a scenario with units set up by area on the map, where the rules say how to place them; and which ones."""
    return once(game, _started, scenario)


def _started(game: Game, scenario_id: str) -> tuple[Position, Assumed]:
    position, scenario, kinds = (
        from_scenario(game, scenario_id),
        game.scenarios[scenario_id],
        kinds_of(game, scenario_id),
    )
    rules = kinds.program.rules.placing if kinds is not None else None
    if kinds is None or rules is None:
        return position, frozenset()
    trays = {
        f"setup:{side}/{key}": group for side, force in scenario.forces.items() for key, group in groups(force).items()
    }
    pieces = list(position.pieces)
    waiting = [
        i
        for i, piece in enumerate(pieces)
        if piece.unit in game.units and str(piece.at) in trays and trays[str(piece.at)].at
    ]
    waiting.sort(key=lambda i: trays[str(pieces[i].at)].order or 0)
    setup = _Setup(Field(kinds, position), rules, Resolver(kinds.map, dict(scenario.zones)))
    put = set()
    for i in waiting:
        area = trays[str(pieces[i].at)].at
        assert area is not None
        order = setup.order(str(pieces[i].at), area, game.units[pieces[i].unit].side)
        n = setup.chosen(setup.field.as_if(pieces[i]._replace(at=kinds.places[order[0]])), order) if order else None
        if n is not None:
            pieces[i] = pieces[i]._replace(at=kinds.places[n])
            setup.put(setup.field.as_if(pieces[i]))
            put.add((pieces[i].unit, pieces[i].copy))
    return replace(position, pieces=tuple(pieces)), frozenset(put)


class _Setup:
    """Who stands where as the set-up goes on."""

    def __init__(self, field: Field, rules: Placing, resolver: Resolver) -> None:
        self.field, self.rules, self.resolver = field, rules, resolver
        self.room = Room(field, ())
        self.kinds: dict[int, tuple[int, ...]] = {}
        self.holder = {standing.at: standing.side for standing in field.standings}
        self._orders: dict[tuple[str, str], list[int]] = {}
        self._near: dict[str, Mapping[int, int]] = {}
        self._opened: dict[tuple[str, int], bool] = {}
        # Only a condition on friends and zones needs to see every unit that was put before.
        self.seen = bool(rules.first or rules.best)

    def put(self, standing: Standing) -> None:
        """One more unit on the map."""
        self.kinds[standing.at] = tuple(sorted((*self.kinds.get(standing.at, ()), self.room.kind(standing))))
        self.holder[standing.at] = standing.side
        if self.seen:
            self.field = self.field.changed(come=[standing])

    def chosen(self, standing: Standing, order: Sequence[int]) -> int | None:
        """The place of an order that suits a unit best."""
        field, rules, walker, kind = self.field, self.rules, self.field.walker(standing), self.room.kind(standing)
        for priority in rules.first:
            if field.holds(priority.when, walker):
                there = next((n for n in order if field.holds(priority.that, walker, to=n)), None)
                if there is not None:
                    return there
        best: tuple[tuple[Any, ...], int] | None = None
        for n in order:
            fits = self.holder.get(n, standing.side) == standing.side
            if not fits or not self.room.fits(n, tuple(sorted((*self.kinds.get(n, ()), kind)))):
                continue
            value = tuple([field.ask(formula, walker, to=n) for formula in rules.best if formula is not None])
            if not any(value):
                return n
            if best is None or value < best[0]:
                best = value, n
        return best[1] if best is not None else None

    def order(self, label: str, area: Area, side: str) -> list[int]:
        """The places of an area in the order in which they are filled."""
        if (label, side) not in self._orders:
            self._orders[label, side] = self._ordered(area, side)
        return self._orders[label, side]

    def _ordered(self, area: Area, side: str) -> list[int]:
        kinds, rules = self.field.kinds, self.rules
        walker = Walker(side, {**self.field.unknown_unit.fields, "side": side})
        places = [kinds.number[place] for place in self.resolver.places(area) if place in kinds.number]
        places = [n for n in places if self._open(walker, n)]
        places.sort(key=self._spot())
        heart = area.within.of if area.within is not None else None
        if heart is None and rules.spread:
            stride = max(1, len(places) // rules.spread)
            return [n for first in range(stride) for n in places[first::stride]]
        middles = (
            [kinds.number[place] for place in self.resolver.places(heart) if place in kinds.number]
            if heart is not None
            else []
        )
        near = self._nearness(walker)
        asked: dict[int, list[Any]] = {}
        for n in places:
            asked[n] = [self.field.ask(formula, walker, to=n) for formula in rules.order if formula is not None]
            asked[n].append(min((kinds.distance(n, middle) for middle in middles), default=0))
            asked[n].append(near.get(n, len(near)))
        return sorted(places, key=asked.__getitem__)

    def _open(self, walker: Walker, n: int) -> bool:
        """Whether somebody of a side can be in a place at all; asked once for each kind of empty place."""
        demands = self.field.program.for_anybody(self.field.program.rules.standing).records
        key = walker.side, self.field.kinds.kind(n) if n not in self.field.by_place else ~n
        if key not in self._opened:
            self._opened[key] = not unmet(self.field, demands, Asked(self.field, walker, {"to": n}, None))
        return self._opened[key]

    def _spot(self) -> Callable[[int], Any]:
        """What puts places in the order in which a map is read."""
        map, places = self.field.kinds.map, self.field.kinds.places
        if not isinstance(map, HexMap):
            return lambda n: n

        def spot(n: int) -> tuple[int, int]:
            hex = places[n]
            assert isinstance(hex, Hex)
            return map.spot(hex)

        return spot

    def _nearness(self, walker: Walker) -> Mapping[int, int]:
        """How many steps each place is from the nearest of those that `near` names; the others are left out."""
        near = self.rules.near
        if near is None:
            return {}
        if walker.side not in self._near:
            begin = places_where(self.field, near.places, walker)
            over = frozenset(
                places_where(self.field, near.over, walker)
                if near.over is not None
                else range(len(self.field.kinds.places))
            )
            found = dict.fromkeys(begin, 0)
            queue = list(begin)
            for n in queue:  # which grows
                for m, _ in self.field.kinds.near(n):
                    if m in over and m not in found:
                        found[m] = found[n] + 1
                        queue.append(m)
            self._near[walker.side] = {n: steps for n, steps in found.items() if steps}
        return self._near[walker.side]

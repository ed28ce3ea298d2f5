"""What retreats out of a combat cost, put into its outcome (16.0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import cast

from assistant.games.musketeer.fighters import Body, Facing, Fighter, Side
from assistant.games.musketeer.ground import Lazy
from assistant.games.musketeer.outcome import Cleared, Combat, Outcome
from assistant.games.musketeer.retreat import Retreat
from assistant.games.musketeer.support import Support
from scenarios.dice import dice
from scenarios.hexes import Hex
from scenarios.position import Piece

DIE = len(dice("1d6"))  # 16.3: the die of a rout


@dataclass(frozen=True, eq=False)
class Retreats:
    """The retreats of those who fight over a hex. Each goes as if it were the only one; the enemies that stand when they
    fire are in their hexes, with a zone of control if one of them isn't disrupted."""

    here: Support
    """The position with all who fight in it."""
    target: Hex
    starts: Sequence[Hex]
    fighters: tuple[frozenset[tuple[str, Hex]], frozenset[tuple[str, Hex]]]
    """The counters that fight, of each side, with their hexes."""

    def hex(self, side: int, unit: Fighter) -> Hex | None:
        """Where a unit fights from, if that is known."""
        return self.target if side else self.starts[unit.stack] if unit.stack < len(self.starts) else None

    @cached_property
    def _facing(self) -> Mapping[tuple[int, Facing], Support]:
        return Lazy(lambda key: self._faced(*key))

    def _faced(self, side: int, facing: Facing) -> Support:
        """The position as a side that retreats finds it."""
        zones = dict(facing)
        hexes = dict(enumerate(self.starts)) if side else {0: self.target}
        zone_at = {hex: zones.get(stack) for stack, hex in hexes.items()}
        others, fighting = self._pieces[1 - side]
        standing = [found for piece in fighting if (found := _stands(piece, zone_at))]
        if standing == fighting:
            return self.here
        return replace(self.here, position=replace(self.here.position, pieces=(*others, *standing)))

    @cached_property
    def _pieces(self) -> list[tuple[list[Piece], list[Piece]]]:
        """For each side the pieces of all others, and those that fight for it."""
        found: list[tuple[list[Piece], list[Piece]]] = [([], []), ([], [])]
        for piece in self.here.position.pieces:
            for side, fighters in enumerate(self.fighters):
                found[side][(piece.unit, piece.at) in fighters].append(piece)
        return found

    def folded(self, outcome: Outcome) -> Outcome:
        """The outcome after all retreats: who is eliminated or disrupted on the way is so there."""
        most = max(map(len, outcome.combat.sides))
        sides = self._folded(outcome, 0, most), self._folded(outcome, 1, most)
        times = DIE**most
        ways = Cleared(*(count * times for count in outcome.ways))
        return replace(outcome, sides=sides, ways=ways, throws=outcome.throws * times)

    def _folded(self, outcome: Outcome, side: int, most: int) -> Mapping[Side, int]:
        units = outcome.combat.sides[side]
        found: dict[Side, int] = {}
        for end, count in outcome.sides[side].items():
            gone = [place for place, body in enumerate(end.bodies) if body.away]
            ways = count * DIE ** (most - len(gone))
            for bodies in product(*(self._after[side, units[place], end.bodies[place], end.facing] for place in gone)):
                now, share = list(end.bodies), ways
                for place, (body, faces) in zip(gone, bodies, strict=True):
                    now[place], share = body, share * faces
                after = Side(tuple(now), end.support)
                found[after] = found.get(after, 0) + share
        return found

    @cached_property
    def _after(self) -> Mapping[tuple[int, Fighter, Body, Facing], list[tuple[Body, int]]]:
        return Lazy(lambda key: self._went(*key))

    def _went(self, side: int, unit: Fighter, body: Body, facing: Facing) -> list[tuple[Body, int]]:
        """What becomes of a unit that retreats, in how many faces of the die."""
        start = self.hex(side, unit)
        if start is None:
            return [(body, DIE)]
        one_step = unit.steps == 1 or body.lost > 0
        retreat = Retreat(self._facing[side, facing], self.here.game.units[str(unit.fields["id"])], start, one_step)
        lost, worn = (int(chance * DIE) for chance in retreat.costs)
        worn = 0 if one_step else worn
        ends = [(body, DIE - lost - worn), (Body(1, True), worn), (Body(unit.steps), lost)]
        return [(after, faces) for after, faces in ends if faces]


def _stands(piece: Piece, zone_at: Mapping[Hex, bool | None]) -> Piece | None:
    """An enemy where its stack stands, disrupted if that has no zone of control; None where it is gone."""
    zone = zone_at[cast(Hex, piece.at)]
    if zone is None:
        return None
    return piece if zone else piece._replace(states=piece.states | {"disrupted"})


def retreats_of(here: Support, combat: Combat, target: Hex | None, starts: Sequence[Hex]) -> Retreats | None:
    """The retreats of a combat in a position, if it is known which hex is attacked; `here` has all who fight in it."""
    if target is None:
        return None
    attackers = [(str(u.fields["id"]), starts[u.stack]) for u in combat.attackers if u.stack < len(starts)]
    defenders = [(str(unit.fields["id"]), target) for unit in combat.defenders]
    return Retreats(here, target, starts, (frozenset(attackers), frozenset(defenders)))

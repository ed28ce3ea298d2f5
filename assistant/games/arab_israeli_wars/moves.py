"""A question about a move and its whole answer: reach, a path, what threatens it, and ways over the canal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from assistant.attacks import BadQuestion
from assistant.games.arab_israeli_wars.canal import Crossing, crossings
from assistant.games.arab_israeli_wars.carriers import handling, load_bar, seats, unload_bar, with_carrier
from assistant.games.arab_israeli_wars.deeds import Deed
from assistant.games.arab_israeli_wars.ground import Ground
from assistant.games.arab_israeli_wars.hazards import Hazards, hazards
from assistant.games.arab_israeli_wars.movement import Reach, reach
from assistant.games.arab_israeli_wars.opportunity import Firer, Sees, Trigger, firers, opportunity
from assistant.games.arab_israeli_wars.roster import roster
from assistant.games.arab_israeli_wars.steps import Mover
from assistant.games.arab_israeli_wars.traffic import Occupant, Traffic
from assistant.games.arab_israeli_wars.walk import Walk, walk
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.position import Piece, Position
from scenarios.reading.findings import instead


class Handling(NamedTuple):
    """A hex where a carrier can load or unload in this turn, and the points it has left then."""

    kind: Literal["load", "unload"]
    hex: Hex
    units: tuple[str, ...]
    left: Fraction


@dataclass(frozen=True)
class MoveAnswer:
    """All that there is to say of a move. `move` is None where no path was asked for."""

    ground: Ground
    here: Traffic
    mover: Mover
    reach: Reach
    move: Walk | None
    hazards: Hazards | None
    triggers: tuple[Trigger, ...]
    crossings: tuple[Crossing, ...]
    handlings: tuple[Handling, ...] = ()
    """Where it can load or unload this turn; only where no path was asked for."""


def move(
    ground: Ground,
    mover: Mover,
    here: Traffic,
    plan: Sequence[Hex | Deed] = (),
    *,
    to: Hex | None = None,
    enemies: Sequence[Firer] | None = None,
    sees: Sees | None = None,
    fired: Sequence[int] = (),
    boats: Mapping[Hex, int] | None = None,
) -> MoveAnswer:
    """Answer a question about a move: the reach; and, with a plan or a goal, the path with its dangers.

    Enemies are those of `here` unless told. Without `sees` nobody's sight is asked and no opportunity fire is found.
    """
    found = reach(ground, mover, here)
    made: Walk | None = None
    if to is not None and not plan:
        made = _to(ground, mover, here, found, to)
    elif plan:
        made = walk(ground, mover, here, plan)
    triggers: tuple[Trigger, ...] = ()
    if made is not None and sees is not None:
        against = firers(here, mover) if enemies is None else enemies
        triggers = opportunity(ground, here, made, against, sees, fired)
    danger = None if made is None else hazards(ground, mover, made.legs)
    over = crossings(ground, mover, here, boats)
    work = handlings(ground, mover, here, found) if made is None else ()
    return MoveAnswer(ground, here, mover, found, made, danger, triggers, over, work)


def handlings(ground: Ground, mover: Mover, here: Traffic, found: Reach) -> tuple[Handling, ...]:
    """Where a carrier gets in this turn with points left to put its passengers down or to take a unit up (Basic V.B.7)."""
    result: list[Handling] = []
    for hex, stop in found.stops.items():
        if stop.steps and stop.steps[-1].only:
            continue
        left = found.points - stop.spent
        if mover.passengers:
            cost = handling(mover, [one.unit for one in mover.passengers])[0]
            if cost <= left and unload_bar(ground, mover, here, hex, mover.passengers, hex) is None:
                result.append(Handling("unload", hex, tuple(one.unit.id for one in mover.passengers), left - cost))
        for one in {one.unit.id: one for one in here.friends(hex, mover.side)}.values():
            cost = handling(mover, [one.unit])[0]
            if cost <= left and load_bar(ground, mover, here, hex, [one], hex) is None:
                result.append(Handling("load", hex, (one.unit.id,), left - cost))
    return tuple(result)


def _to(ground: Ground, mover: Mover, here: Traffic, found: Reach, to: Hex) -> Walk:
    if found.bar is not None:
        raise BadQuestion(f"{mover.unit.name} stays: {found.bar}")
    if to not in found.stops:
        name = ground.table.name(to) if to in ground.table else "that hex"
        raise BadQuestion(f"{name} is out of reach with {found.points} points (Basic V.A.6)")
    return walk(ground, mover, here, found.stops[to].path)


def mover_in(game: Game, position: Position, unit: str, at: Hex | None = None, copy: str = "", quick: bool = False) -> Mover:
    """The unit of a position that is to move, with the passengers and the bridge it carries.

    A loaded piece belongs to the carrier listed before it in the same hex (see `seats`).
    """
    if unit not in game.units:
        raise BadQuestion(f"no counter of {game.id} is called {unit!r}; {instead(unit, game.units)}")
    who = roster(game, position.scenario)
    fitting = [
        piece for piece in position.pieces
        if piece.unit == unit and copy in ("", piece.copy) and isinstance(piece.at, Hex) and at in (None, piece.at)
    ]  # fmt: skip
    if not fitting:
        known = {piece.unit for piece in position.pieces if piece.unit in game.units and at in (None, piece.at)}
        near = instead(unit, known) if known else "nobody is"
        raise BadQuestion(f"no {unit}{'#' * bool(copy)}{copy} is there in this position; {near} (Basic V.A)")
    piece = fitting[0]
    if len({one.at for one in fitting}) > 1:
        raise BadQuestion(f"there are {len(fitting)} pieces of {unit} on the map; say from which hex")
    assert isinstance(piece.at, Hex)
    aboard = _aboard(game, position, piece)
    riders = tuple(
        Occupant(game.units[one.unit], one.copy, who.side(one), with_carrier(one.states, piece.states))
        for one in aboard if one.unit in game.units
    )  # fmt: skip
    towing = any(one.unit == "bridge" for one in aboard)
    return Mover(game.units[unit], piece.at, who.side(piece), piece.copy, piece.states, riders, towing, quick)


def _aboard(game: Game, position: Position, carrier: Piece) -> tuple[Piece, ...]:
    scenario = game.scenarios.get(position.scenario)
    pieces = [piece for piece in position.pieces if piece.at == carrier.at]
    found = seats(game, pieces, scenario is None or scenario.level == "advanced")
    for place, piece in enumerate(pieces):
        if "loaded" in piece.states and place not in found and piece.unit in game.units:
            name = game.units[piece.unit].name
            raise BadQuestion(f"{name} is loaded, and no carrier listed before it there has room for it "
                              "(Basic V.B.1, V.B.5; pairs of missile units Advanced II.E)")  # fmt: skip
    return tuple(pieces[place] for place, mine in found.items() if pieces[mine] is carrier)

"""Where along a move opportunity fire is triggered, and by whom (Standard II.E; helicopters Advanced I.D.2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from fractions import Fraction
from typing import NamedTuple

from assistant.attacks import Fields, Value, odds, unit_fields
from assistant.games.arab_israeli_wars.battle_position import carried
from assistant.games.arab_israeli_wars.ground import Ground
from assistant.games.arab_israeli_wars.sight import Sights, observer
from assistant.games.arab_israeli_wars.steps import ZERO, Mover
from assistant.games.arab_israeli_wars.traffic import Traffic
from assistant.games.arab_israeli_wars.walk import Spending, Walk
from scenarios.counters import Unit
from scenarios.hexes import Hex, distance

HELICOPTER_FIRST = Fraction(4)
"""The point at which a helicopter first becomes a target (Advanced I.D.2.a)."""
HELICOPTER_AGAIN = Fraction(1)
"""The points after which it does again (Advanced I.D.2.b)."""


class Firer(NamedTuple):
    """An enemy unit that may fire at a mover."""

    unit: Unit
    hex: Hex
    copy: str = ""
    states: frozenset[str] = frozenset()


Sees = Callable[[Firer, Hex], bool]
"""Whether a firer sees the moving unit in a hex."""


def in_sight(known: Sights, mover: Mover) -> Sees:
    """Sight by the rules: air units see and are seen everywhere, but not through smoke (Advanced I.A.2, Optional II.B.5)."""
    target = observer(mover.unit, mover.states)

    def sees(firer: Firer, hex: Hex) -> bool:
        return known.clear(firer.hex, hex, observer(firer.unit, firer.states), target)

    return sees


class Trigger(NamedTuple):
    """A moment when a moving unit is active as a target for a firer."""

    step: int
    """Which spending of the walk."""
    hex: Hex
    """Where the moving unit then is."""
    firer: Firer
    distance: int
    in_sight: Fraction
    """Points spent without a break in the firer's sight since it last became no target."""
    first: bool
    """It has just been activated."""
    failures: tuple[str, ...]
    """Why this firer can't fire all the same; empty if it may."""


def quarter(mover: Mover) -> Fraction:
    """The points that make a target: a fourth of the printed allowance, split move or not (Standard II.E.1, III.B)."""
    return mover.allowance / 4


def firers(here: Traffic, mover: Mover) -> tuple[Firer, ...]:
    """The enemies on the map, passengers left out (Basic V.B.6.d)."""
    return tuple(
        Firer(one.unit, hex, one.copy, one.states)
        for hex, stack in sorted(here.stacks.items())
        for one in stack
        if one.side != mover.side and "loaded" not in one.states
    )


def opportunity(
    ground: Ground,
    here: Traffic,
    move: Walk,
    enemies: Iterable[Firer],
    sees: Sees,
    fired: Collection[int] = (),
) -> tuple[Trigger, ...]:
    """Every moment at which each enemy may fire at the moving unit, in order.

    Points spent to enter a hex are spent in it (Standard II.E.3.a); out of sight the count starts again (II.E.1.c).
    `fired` are the spendings at which the enemy did fire: then the unit is no target for anybody until it has spent
    another fourth (II.E.3.e). There is no opportunity fire in the Basic Rules.
    """
    if here.level == "basic":
        return ()
    flying = move.mover.air and not move.mover.low
    need = HELICOPTER_FIRST if flying else quarter(move.mover)
    again = HELICOPTER_AGAIN if flying else need
    found: list[Trigger] = []
    for firer in enemies:
        seen, threshold, was = ZERO, need, False
        for index, one in enumerate(move.spendings):
            if sees(firer, one.end):
                seen += one.points
            else:
                seen, was = ZERO, False
            if seen >= threshold:
                failures = _failures(ground, here, move, one, firer)
                away = distance(firer.hex, one.end)
                found.append(Trigger(index, one.end, firer, away, seen, not was, failures))
                was = True
            if index in fired:
                seen, threshold, was = ZERO, again, False
    return tuple(sorted(found, key=lambda t: (t.step, t.distance, t.firer.unit.id, t.firer.copy, t.firer.hex)))


def _failures(ground: Ground, here: Traffic, move: Walk, one: Spending, firer: Firer) -> tuple[str, ...]:
    """What the pack's own rules of opportunity fire say against this shot; hull down and spotting aside."""
    game = ground.game
    states = sorted(firer.states & set(game.states))
    overrun = one.kind == "overrun" and one.note == ground.table.name(firer.hex)
    told: dict[str, Value] = {
        "distance": Fraction(distance(firer.hex, one.end)), "sees": True, "overrun_by_them": overrun,
    }  # fmt: skip
    if "air_strike_only" in firer.unit.abilities and (strike := carried(game, ground, firer.unit.id)):
        told |= {"points": strike["points"], "kind": strike["kind"]}  # Advanced I.E.7.a
    shooter: Fields = unit_fields(game, firer.unit, states, **told)
    target: Fields = unit_fields(game, move.mover.unit, ["spotted"], shielded=False)
    inputs: Fields = {
        "terrain": ground.kind(one.end),
        "year": Fraction(ground.year),
        "overrunning": one.kind == "overrun",
        "quick_march": move.mover.quick,
    }
    answer = odds(game, "opportunity_fire", {"firers": [shooter], "targets": [target]}, inputs)
    failures = list(answer.failures)
    if "committed" in firer.states:
        failures.append(f"{firer.unit.name}: it is written down for indirect fire (Standard II.A.1)")
    return tuple(failures)

"""Opportunity fire: where along a move it is triggered and by whom, and the battle there (Standard II.E; helicopters Advanced I.D.2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from assistant.answers import BadQuestion
from assistant.attack import Fields, Value, odds, unit_fields
from assistant.games.arab_israeli_wars.battle import OTHER_NAMES, Asked, Battle, Fighter, battle_from, carried, picked
from assistant.games.arab_israeli_wars.forces import hex_at, level_of, limit
from assistant.games.arab_israeli_wars.movement import ZERO, Mover, without
from assistant.games.arab_israeli_wars.walk import Deed, Spending, Walk, mover_in, read_plan, walk
from assistant.rules.field import Field, Standing
from scenarios.game import Game
from scenarios.hexes import Hex, distance

Sees = Callable[[Standing, Hex], bool]
"""Whether a firer sees the moving unit in a hex."""


def in_sight(field: Field, mover: Mover) -> Sees:
    """Sight by the rules: air units see and are seen everywhere, but not through smoke (Advanced I.A.2, Optional II.B.5)."""
    sights, number = field.sights, field.kinds.number
    target = sights.observer(mover.standing.fields)

    def sees(firer: Standing, hex: Hex) -> bool:
        return sights.clear(firer.at, number[hex], sights.observer(firer.fields), target)

    return sees


class Trigger(NamedTuple):
    """A moment when a moving unit is active as a target for a firer."""

    step: int
    """Which spending of the walk."""
    hex: Hex
    """Where the moving unit then is."""
    firer: Standing
    distance: int
    in_sight: Fraction
    """Points spent without a break in the firer's sight since it last became no target."""
    first: bool
    """It has just been activated."""
    failures: tuple[str, ...]
    """Why this firer can't fire all the same; empty if it may."""


def quarter(game: Game, mover: Mover) -> Fraction:
    """The points that make a target: a fourth of the printed allowance, split move or not (Standard II.E.1, III.B)."""
    return mover.allowance * limit(game, "target_share")


def firers(field: Field, mover: Mover) -> tuple[Standing, ...]:
    """The enemies on the map, passengers left out (Basic V.B.6.d)."""
    enemies = [one for one in field.standings if one.side != mover.side and "loaded" not in one.piece.states]
    return tuple(sorted(enemies, key=lambda one: field.kinds.places[one.at]))


def opportunity(
    field: Field,
    move: Walk,
    enemies: Iterable[Standing],
    sees: Sees,
    fired: Collection[int] = (),
) -> tuple[Trigger, ...]:
    """Every moment at which each enemy may fire at the moving unit, in order.

    Points spent to enter a hex are spent in it (Standard II.E.3.a); out of sight the count starts again (II.E.1.c).
    `fired` are the spendings at which the enemy did fire: then the unit is no target for anybody until it has spent
    another fourth (II.E.3.e). There is no opportunity fire in the Basic Rules.
    """
    if level_of(field) == "basic":
        return ()
    flying = move.mover.air and not move.mover.low
    game = field.game
    need = limit(game, "helicopter_target") if flying else quarter(game, move.mover)
    again = limit(game, "helicopter_target_again") if flying else need
    found: list[Trigger] = []
    for firer in enemies:
        seen, threshold, was = ZERO, need, False
        for index, one in enumerate(move.spendings):
            if sees(firer, one.end):
                seen += one.points
            else:
                seen, was = ZERO, False
            if seen >= threshold:
                failures = _failures(field, move, one, firer)
                away = distance(hex_at(firer), one.end)
                found.append(Trigger(index, one.end, firer, away, seen, not was, failures))
                was = True
            if index in fired:
                seen, threshold, was = ZERO, again, False
    return tuple(sorted(found, key=lambda t: (t.step, t.distance, t.firer.unit.id, t.firer.piece.copy, hex_at(t.firer))))


def _failures(field: Field, move: Walk, one: Spending, firer: Standing) -> tuple[str, ...]:
    """What the pack's own rules of opportunity fire say against this shot; hull down and spotting aside."""
    game = field.game
    states = sorted(firer.piece.states & set(game.states))
    overrun = one.kind == "overrun" and one.note == field.hex_map.name(hex_at(firer))
    told: dict[str, Value] = {
        "distance": Fraction(distance(hex_at(firer), one.end)), "sees": True, "overrun_by_them": overrun,
    }  # fmt: skip
    if "air_strike_only" in firer.unit.abilities and (strike := carried(game, field, firer.unit.id)):
        told |= {"points": strike["points"], "kind": strike["kind"]}  # Advanced I.E.7.a
    shooter: Fields = unit_fields(game, firer.unit, states, **told)
    target: Fields = unit_fields(game, move.mover.unit, ["spotted"], shielded=False)
    inputs: Fields = {
        "terrain": field.kinds.terrain(one.end),
        "year": Fraction(field.value("year")),
        "overrunning": one.kind == "overrun",
        "quick_march": move.mover.quick,
    }
    answer = odds(game, "opportunity_fire", {"firers": [shooter], "targets": [target]}, inputs)
    failures = list(answer.failures)
    if "committed" in firer.piece.states:
        failures.append(f"{firer.unit.name}: it is written down for indirect fire (Standard II.A.1)")
    return tuple(failures)

# --- the battle on the way -------------------------------------------------------------------------------------------


INACTIVE = ("it has not had the target in sight for a fourth of its allowance", "Standard II.E.1")


def moving_battle(
    game: Game, field: Field, everyone: tuple[Fighter, ...], asked: Asked, path: Sequence[str]
) -> Battle:
    """The battle at the last hex of a path, which starts where the position has the moving unit. Enemies for whom it is
    no target yet (or no longer) are barred; where nobody is named, all others fire."""
    if OTHER_NAMES.get(asked.attack, asked.attack) != "opportunity_fire":
        raise BadQuestion("a --path is walked under opportunity fire; add --attack opportunity_fire (Standard II.E)")
    plan = read_plan(field, path)
    quick = bool(plan) and plan[0] == Deed("quick")
    start, way = plan[quick] if plan[quick:] else None, plan[quick + 1 :]
    if not isinstance(start, Hex) or not way:
        raise BadQuestion("the --path begins in the hex where the unit stands, and leads to another (Basic V.A.5)")
    target = _target(game, field, everyone, asked, start)
    mover = mover_in(field, target.unit, start, target.copy, quick)
    here = without(field, mover)
    made = walk(here, mover, way)
    last = made.spendings[-1]
    found = opportunity(here, made, firers(here, mover), in_sight(here, mover))
    active = {(one.firer.unit.id, one.firer.piece.copy, hex_at(one.firer)) for one in found if one.step == len(made.spendings) - 1}
    put = _put_down(everyone, target, made, way[-1])
    moved = {id(target): replace(target, at=last.end)} | put
    now = tuple(moved.get(id(one), one) for one in everyone)
    overrun = way[-1].hex if isinstance(way[-1], Deed) and way[-1].kind == "overrun" else None
    where = asked.from_ or tuple(dict.fromkeys(hex for _, _, hex in sorted(active)))
    if not where:
        raise BadQuestion(f"{target.name} is no target for anybody in {field.hex_map.name(last.end)} ({INACTIVE[1]})")
    chosen = _fired_at(asked.targets, moved[id(target)], tuple(put.values()))
    names = tuple(f"{one.unit}#{one.copy}" if one.copy else one.unit for one in chosen)
    told = {"quick_march": True, **asked.told} if quick else asked.told
    question = replace(asked, at=chosen[0].at, from_=where, targets=names, overrun=overrun, told=told)
    battle = battle_from(game, field, now, question)
    shooters = (
        one if (one.unit, one.copy, one.at) in active else replace(one, bar=INACTIVE) for one in battle.firers
    )
    return replace(battle, firers=tuple(shooters))


def _put_down(
    everyone: Sequence[Fighter], carrier: Fighter, made: Walk, last: Hex | Deed
) -> dict[int, Fighter]:
    """The passengers that spend points together with their carrier because it just unloads them, by the places they
    had: targets beside it or instead of it, by the firer's choice (Standard II.E.3.h)."""
    if not isinstance(last, Deed) or last.kind != "unload":
        return {}
    left = [(one.unit.id, one.piece.copy) for one in made.mover.passengers]
    for kept in made.after.passengers:
        left.remove((kept.unit.id, kept.piece.copy))
    end = last.hex or made.spendings[-1].end
    found: dict[int, Fighter] = {}
    for one in everyone:
        if one.at == carrier.at and "loaded" in one.states and (one.unit, one.copy) in left:
            left.remove((one.unit, one.copy))
            found[id(one)] = replace(one, at=end, states=one.states - {"loaded"} | {"inverted"})
    return found


def _fired_at(named: Sequence[str], carrier: Fighter, put: Sequence[Fighter]) -> tuple[Fighter, ...]:
    """Who is fired at: the moving unit, or those that the player names of it and of whom it unloads."""
    chosen = picked((carrier, *put), named, "spends points there") if named else (carrier,)
    if len({one.at for one in chosen}) > 1:
        raise BadQuestion("all units attacked in one attack are in one hex (Basic VI.C.4)")
    return chosen


def _target(game: Game, field: Field, everyone: Sequence[Fighter], asked: Asked, start: Hex) -> Fighter:
    there = [one for one in everyone if one.at == start and one.unit in game.units and "loaded" not in one.states]
    if asked.targets:
        named = [one for one in there if any(one.called(word) for word in asked.targets)]
        riders = [one for one in everyone if one.at == start and "loaded" in one.states]
        carriers = [one for one in there if any(word.startswith("carries") for word in game.units[one.unit].abilities)]
        there = named or (carriers if any(one.called(word) for one in riders for word in asked.targets) else [])
    if not there:
        raise BadQuestion(f"nobody who could move is in {field.hex_map.name(start)} (Basic V.A)")
    if len({one.unit for one in there}) > 1:
        names = ", ".join(sorted({one.unit for one in there}))
        raise BadQuestion(f"several units are in {field.hex_map.name(start)}; say which moves: --targets {names}")
    return there[0]

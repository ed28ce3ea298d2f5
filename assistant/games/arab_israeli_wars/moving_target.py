"""Opportunity fire at a unit somewhere on its way: the path tells for whom it is a target (Standard II.E.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.attacks import BadQuestion
from assistant.games.arab_israeli_wars.battle import OTHER_NAMES, Battle, Fighter, picked
from assistant.games.arab_israeli_wars.battle_position import Asked, battle_from
from assistant.games.arab_israeli_wars.deeds import Deed
from assistant.games.arab_israeli_wars.ground import Ground
from assistant.games.arab_israeli_wars.moves import mover_in
from assistant.games.arab_israeli_wars.opportunity import firers, in_sight, opportunity
from assistant.games.arab_israeli_wars.sight_fast import sights
from assistant.games.arab_israeli_wars.traffic import traffic
from assistant.games.arab_israeli_wars.walk import Walk, read_plan, walk
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.position import Position

INACTIVE = ("it has not had the target in sight for a fourth of its allowance", "Standard II.E.1")


def moving_battle(
    game: Game, ground: Ground, position: Position, everyone: tuple[Fighter, ...], asked: Asked, path: Sequence[str]
) -> Battle:
    """The battle at the last hex of a path, which starts where the position has the moving unit. Enemies for whom it is
    no target yet (or no longer) are barred; where nobody is named, all others fire."""
    if OTHER_NAMES.get(asked.attack, asked.attack) != "opportunity_fire":
        raise BadQuestion("a --path is walked under opportunity fire; add --attack opportunity_fire (Standard II.E)")
    plan = read_plan(ground, path)
    quick = bool(plan) and plan[0] == Deed("quick")
    start, way = plan[quick] if plan[quick:] else None, plan[quick + 1 :]
    if not isinstance(start, Hex) or not way:
        raise BadQuestion("the --path begins in the hex where the unit stands, and leads to another (Basic V.A.5)")
    target = _target(game, ground, everyone, asked, start)
    mover = mover_in(game, position, target.unit, start, target.copy, quick)
    here = traffic(game, position).without(target.unit, target.copy)
    made = walk(ground, mover, here, way)
    last = made.spendings[-1]
    found = opportunity(ground, here, made, firers(here, mover), in_sight(sights(ground), mover))
    active = {(one.firer.unit.id, one.firer.copy, one.firer.hex) for one in found if one.step == len(made.spendings) - 1}
    put = _put_down(everyone, target, made, way[-1])
    moved = {id(target): replace(target, at=last.end)} | put
    now = tuple(moved.get(id(one), one) for one in everyone)
    overrun = way[-1].hex if isinstance(way[-1], Deed) and way[-1].kind == "overrun" else None
    where = asked.from_ or tuple(dict.fromkeys(hex for _, _, hex in sorted(active)))
    if not where:
        raise BadQuestion(f"{target.name} is no target for anybody in {ground.table.name(last.end)} ({INACTIVE[1]})")
    chosen = _fired_at(asked.targets, moved[id(target)], tuple(put.values()))
    names = tuple(f"{one.unit}#{one.copy}" if one.copy else one.unit for one in chosen)
    told = {"quick_march": True, **asked.told} if quick else asked.told
    question = replace(asked, at=chosen[0].at, from_=where, targets=names, overrun=overrun, told=told)
    battle = battle_from(game, ground, now, question)
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
    left = [(one.unit.id, one.copy) for one in made.mover.passengers]
    for kept in made.after.passengers:
        left.remove((kept.unit.id, kept.copy))
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


def _target(game: Game, ground: Ground, everyone: Sequence[Fighter], asked: Asked, start: Hex) -> Fighter:
    there = [one for one in everyone if one.at == start and one.unit in game.units and "loaded" not in one.states]
    if asked.targets:
        named = [one for one in there if any(one.called(word) for word in asked.targets)]
        riders = [one for one in everyone if one.at == start and "loaded" in one.states]
        carriers = [one for one in there if any(word.startswith("carries") for word in game.units[one.unit].abilities)]
        there = named or (carriers if any(one.called(word) for one in riders for word in asked.targets) else [])
    if not there:
        raise BadQuestion(f"nobody who could move is in {ground.table.name(start)} (Basic V.A)")
    if len({one.unit for one in there}) > 1:
        names = ", ".join(sorted({one.unit for one in there}))
        raise BadQuestion(f"several units are in {ground.table.name(start)}; say which moves: --targets {names}")
    return there[0]

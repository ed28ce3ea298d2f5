"""`assistant odds --best` for The Arab-Israeli Wars: the best plan for many units against many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assistant.attacks import BadQuestion
from assistant.games.arab_israeli_wars.asking import Words, hex_of
from assistant.games.arab_israeli_wars.battle import OTHER_NAMES, SEEN_FIRST, Battle, Fighter, picked
from assistant.games.arab_israeli_wars.battle_position import ON_ALL, Asked, armed, carried, flies, strike, support
from assistant.games.arab_israeli_wars.fire_json import shares_json
from assistant.games.arab_israeli_wars.ground import Ground
from assistant.games.arab_israeli_wars.looking import by_the_rules
from assistant.games.arab_israeli_wars.plans import best_shares
from assistant.games.arab_israeli_wars.sourced import of_plan, with_sources
from assistant.games.arab_israeli_wars.whatif_text import shares_text
from assistant.parts import Reply
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.reading.findings import instead

SUPPORTS = {"indirect_fire": "artillery", "air_strike": "air_strike"}
"""What support of a Situation takes part in which attack (Standard II.B, II.F)."""
ANY = "any"
"""With --destructive: each battery may be written for one unit."""


def best_command(
    game: Game, ground: Ground, everyone: tuple[Fighter, ...], asked: Asked, at: Words, aim: str
) -> Reply:
    """The best plan for the units in --from and the --support named (or for a whole --side) against those in each
    --at."""
    if asked.destructive not in ("", ANY):
        raise BadQuestion(f"with --best say --destructive {ANY}: the plan finds whom it is written for (Advanced III.C)")
    units = tuple(one for one in everyone if one.unit in game.units)
    hexes = [hex_of(ground, name) for name in at]
    if not hexes:
        raise BadQuestion("say which hexes are attacked: --at HEX,HEX (Basic VI.C.4)")
    side = _side(units, asked, hexes)
    firers = _firers(game, ground, units, asked, side)
    stacks = [_stack(game, ground, units, asked, side, hex) for hex in hexes]
    first = _aimed(ground, stacks, aim)
    pattern = Battle(game, asked.attack, firers, (), ground, asked.told, units, asked.overrun, seen=asked.seen)
    if asked.destructive and not pattern.advanced:
        raise BadQuestion("destructive fire is in the Advanced Rules (Advanced III.C)")
    held = best_shares(pattern, stacks, by_the_rules, first, bool(asked.destructive))
    reply = Reply(lambda: shares_text(pattern, held), lambda: shares_json(pattern, held))
    return with_sources(reply, of_plan(pattern, held))


def _side(units: Sequence[Fighter], asked: Asked, hexes: Sequence[Hex]) -> str:
    """Whose plan it is: as told, or of who stands in --from, or of the enemies of who is attacked."""
    sides = sorted({one.side for one in units if one.side})
    if asked.side and asked.side not in sides:
        raise BadQuestion(f"no unit of {asked.side!r} is there; {instead(asked.side, sides)} (Basic VI.A.1)")
    side = asked.side or next((one.side for one in units if one.at in asked.from_), "")
    enemies = {one.side for one in units if one.at in hexes}
    if not side and len(enemies) == 1:
        side = next((one.side for one in units if one.side not in enemies), "")
    return side


def _firers(game: Game, ground: Ground, units: Sequence[Fighter], asked: Asked, side: str) -> tuple[Fighter, ...]:
    """Who may be given a target: those named by place or support, else all of the side and all its support."""
    kind = OTHER_NAMES.get(asked.attack, asked.attack)
    named = bool(asked.from_ or asked.support)
    names = asked.support or (() if named or asked.firers else tuple(_supports(game, ground, kind, side)))
    here = [one for one in units if one.side == side and "loaded" not in one.states]
    here = [one for one in here if one.at in asked.from_ or not named]
    if kind in SUPPORTS and not asked.from_:
        here = [one for one in here if kind in game.units[one.unit].abilities]
    if kind == "air_strike" and names and not named:
        here = []  # helicopters strike in the fire phase, not with the airplanes (Advanced I.B.7)
    free = picked([armed(game, ground, one, asked) for one in here], asked.firers, "stands there")
    if kind in (*SEEN_FIRST, "overrun"):
        free = tuple(_with_riders(game, units, here, free))
    bare = Asked(asked.attack, of_firers=asked.of_firers)
    found = (*free, *(one for name in names for one in support(game, ground, name, side, bare)))
    if not found:
        raise BadQuestion("no unit of that side is there (Basic VI.A.1)")
    return found


def _with_riders(
    game: Game, units: Sequence[Fighter], here: Sequence[Fighter], chosen: Sequence[Fighter]
) -> Iterator[Fighter]:
    """The firers, each followed by its passengers that might fire along (Advanced II.A)."""
    aboard: dict[int, list[Fighter]] = {}
    for one in units:
        if one.carrier is not None and "special_infantry" in game.units[one.unit].abilities:
            aboard.setdefault(id(one.carrier), []).append(one)
    left = list(here)
    for firer in chosen:
        own = next(one for one in left if (one.unit, one.copy, one.at, one.states) == (firer.unit, firer.copy, firer.at, firer.states))
        left.remove(own)
        yield firer
        yield from (replace(rider, carrier=firer) for rider in aboard.get(id(own), ()))


def _supports(game: Game, ground: Ground, kind: str, side: str) -> Iterator[str]:
    """The side's support in a Situation, each by its name as often as there is of it; what helicopters carry comes with
    them (Advanced I.C.1)."""
    scenario = game.scenarios.get(ground.scenario)
    force = scenario.forces.get(side) if scenario else None
    aboard = [carried(game, ground, unit) for unit in game.units]
    for one in force.support if force else ():
        held = strike(one)
        mine = any(had and (had["points"], had["kind"]) == (held.get("points"), held.get("kind")) for had in aboard)
        if one.kind == SUPPORTS.get(kind) and not mine:
            yield from [one.name] * one.count


def _stack(
    game: Game, ground: Ground, units: Sequence[Fighter], asked: Asked, side: str, hex: Hex
) -> tuple[Fighter, ...]:
    """The enemies in a hex that may be attacked."""
    stack = [one for one in units if one.at == hex and one.side != side and "loaded" not in one.states]
    kind = OTHER_NAMES.get(asked.attack, asked.attack)
    if kind in ON_ALL:
        stack = [one for one in stack if not flies(game, one)]
        if asked.targets:
            raise BadQuestion(f"this attack is on all units in the hex, not on some ({ON_ALL[kind]})")
    if not stack:
        raise BadQuestion(f"no enemy is in {ground.table.name(hex)} (Basic VI.A.1)")
    words = [word for word in asked.targets if any(one.called(word) for one in stack)]
    return picked(stack, words, "is an enemy there")


def _aimed(ground: Ground, stacks: Sequence[Sequence[Fighter]], aim: str) -> list[Fighter]:
    """--aim kills: nothing comes first. --aim HEX or HEX:UNIT: the units there, or that unit."""
    if aim in ("", "kills"):
        return []
    place, _, unit = aim.partition(":")
    hex = hex_of(ground, place)
    found = [one for stack in stacks for one in stack if one.at == hex and (not unit or one.called(unit))]
    if not found:
        raise BadQuestion(f"{aim!r} is none of the targets; aim at `kills`, at a HEX of --at, or at HEX:UNIT")
    return found[:1] if unit else found

"""Escalation, the superpowers' entry and refits of Operation Musketeer, with exact chances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import lcm
from typing import NamedTuple, TypeVar

from assistant.attacks import BadQuestion
from assistant.games.musketeer.contingents import contingent
from assistant.shared.chains import absorb, gather
from assistant.shared.specials import all_effects
from scenarios.dice import dice
from scenarios.game import Game
from scenarios.reading.findings import instead

Key = TypeVar("Key")
WEST_SPECIAL = "west_special"
"""What an event forbids that keeps back all special markers of the West (22.1, event 10)."""
WATCHED = ("ussr", "arab_league", "us")  # 28.3: who must be committed; the US only after the Soviets


class World(NamedTuple):
    """The political state at the start of a turn, or at the end of all."""

    turn: int
    level: int
    """The escalation index."""
    banned: str
    """The marker that the last event forbids this turn; WEST_SPECIAL for all of the West's special ones (22.2)."""
    committed: frozenset[str]
    used: frozenset[str] = frozenset()
    """Special markers that were drawn: once a game each (7.7)."""
    war: int = 0
    """The turn in which World War III broke out, or 0."""
    over: bool = False


@dataclass(frozen=True)
class Forecast:
    """The end of each turn, and where it all leads. Chances are exact."""

    war: Mapping[int, Fraction]
    """The chance that World War III breaks out in each turn."""
    index: Mapping[int, Fraction]
    """The chance of each index at the end, and of peace until then; with `war` they add up to 1."""
    committed: Mapping[str, Fraction]
    """The chance that each contingent of 28.3 is committed by the end."""


def marker_points(game: Game, marker: str) -> int:
    """What drawing a command marker adds to the index (6.2)."""
    table = game.tables["escalation"]
    if marker not in table.cells:
        raise BadQuestion(f"there is no command marker {marker!r}; {instead(marker, table.cells)}")
    return int(table.cell(marker, table.named_column("points")).code)


def why_not(game: Game, marker: str, world: World) -> str:
    """Why a marker may not be played this turn; nothing, if it may."""
    table = game.tables["escalation"]
    whose = table.cell(marker, table.named_column("contingent")).code
    once = special(game, marker)
    west = any(contingent(n) == whose and nation.side == "west" for n, nation in game.nations.items())
    if world.banned == marker or (world.banned == WEST_SPECIAL and once and west):
        return "the last event forbids it (22.2)"
    if marker in world.used:
        return "it was played before, and goes once a game (7.7)"
    if marker in _barred(game, world.turn):
        return f"not in turn {world.turn} (28.2)"
    if whose in WATCHED and whose not in world.committed:
        return "its contingent isn't committed (28.3)"
    return ""


def _barred(game: Game, turn: int) -> frozenset[str]:
    """The markers that a special rule keeps back in a turn (28.2)."""
    return frozenset(effect.value for effect in all_effects(game, "no_marker", turn))


def special(game: Game, marker: str) -> bool:
    """Whether a marker is played once a game (2.7)."""
    table = game.tables["escalation"]
    return table.cell(marker, table.named_column("use")).code == "once"


def limit(game: Game) -> int:
    """The index at which World War III begins (6.4), from the scenario."""
    found = all_effects(game, "world_war")
    if not found:
        raise BadQuestion("no scenario says at which index the world war begins")
    return int(found[0].value)


def forecast(
    game: Game,
    index: int,
    plan: Sequence[Sequence[str]],
    *,
    turn: int = 1,
    committed: Sequence[str] = (),
    used: Sequence[str] = (),
    banned: str = "",
    libya: int = 0,
) -> Forecast:
    """The chances of escalation when these markers are drawn, turn by turn; `libya` units come that way this turn.

    All markers of a turn are drawn (nobody blinks, 6.5); then the event (22.1) and the involvement rolls (28.3) follow.
    """
    for marker in (*(m for markers in plan for m in markers), *used):
        marker_points(game, marker)
    for who in committed:
        if who not in WATCHED:
            raise BadQuestion(f"{who!r} needs no commitment (28.3); {instead(who, WATCHED)}")
    last = min(turn + len(plan) - 1, game.turns.count if game.turns and game.turns.count else turn + len(plan) - 1)
    top = limit(game)
    events = _ways(_events(game))

    @cache
    def drawn(world: World) -> tuple[int, frozenset[str]]:
        """The points of a turn's markers, and the special markers used after it; the level doesn't matter."""
        able = [m for m in dict.fromkeys(plan[world.turn - turn]) if not why_not(game, m, world)]
        return sum(marker_points(game, m) for m in able), world.used | {m for m in able if special(game, m)}

    @cache
    def joined(now: int, inside: frozenset[str]) -> Mapping[frozenset[str], int]:
        return _ways(_involved(game, now, inside))

    def step(world: World) -> Mapping[World, int]:
        if world.over:
            return {}
        points, used = drawn(world._replace(level=0))
        here = world.level + points + (libya if world.turn == turn else 0)
        if here >= top:
            return {world._replace(level=top, war=world.turn, over=True): 1}
        result: dict[World, int] = {}
        involved = joined(world.turn, world.committed)
        for (rise, ban), ways in events.items():
            after = max(1, here + rise)  # 6.3
            if after >= top:
                end = world._replace(level=top, banned="", war=world.turn, over=True)
                result[end] = result.get(end, 0) + ways * sum(involved.values())
                continue
            for inside, share in involved.items():
                next_ = World(world.turn + 1, after, ban, inside, used, 0, world.turn >= last)
                result[next_] = result.get(next_, 0) + ways * share
        return result

    ends = absorb(World(turn, index, banned, frozenset(committed), frozenset(used)), step)
    peace = {world: chance for world, chance in ends.items() if not world.war}
    war = {t: Fraction(0) for t in range(turn, last + 1)}
    war |= {t: chance for t, chance in gather(ends, lambda world: world.war).items() if t}
    return Forecast(
        dict(sorted(war.items())),
        dict(sorted(gather(peace, lambda world: world.level).items())),
        {who: sum((c for w, c in ends.items() if who in w.committed), Fraction(0)) for who in WATCHED},
    )


def _ways(chances: Mapping[Key, Fraction]) -> dict[Key, int]:
    """Chances as whole numbers of equal ways, which add up faster."""
    whole = lcm(*(chance.denominator for chance in chances.values()))
    return {key: int(chance * whole) for key, chance in chances.items()}


def _events(game: Game) -> dict[tuple[int, str], Fraction]:
    """By how much the random event changes the index, and which marker it forbids next turn (22.1)."""
    table = game.tables["events"]
    result: dict[tuple[int, str], Fraction] = {}
    for event, chance in table.distribution(0).items():
        effects = table.results[event].effects
        change = effects.get("escalation", "0")
        rises = dice(change) if "d" in change else {int(change): Fraction(1)}
        for rise, share in rises.items():
            key = (rise, effects.get("no_marker", ""))
            result[key] = result.get(key, Fraction(0)) + chance * share
    return result


def _involved(game: Game, turn: int, committed: frozenset[str]) -> dict[frozenset[str], Fraction]:
    """Who is committed after the involvement rolls of a turn (28.3)."""
    table = game.tables["involvement"]
    column = table.find_column(Fraction(turn))
    assert column is not None
    joins = table.distribution(column).get("in", Fraction(0))
    result = {committed: Fraction(1)}
    for who in WATCHED:
        after: dict[frozenset[str], Fraction] = {}
        for held, chance in result.items():
            rolls = who not in held and (who != "us" or "ussr" in held)
            for inside, share in ((held | {who}, joins), (held, 1 - joins)) if rolls else ((held, Fraction(1)),):
                if share:
                    after[inside] = after.get(inside, Fraction(0)) + chance * share
        result = after
    return result


def entries(game: Game, turn: int, turns: int, committed: Sequence[str] = ()) -> dict[str, dict[int, Fraction]]:
    """The chance that each contingent of 28.3 is committed by the end of each turn, if peace holds."""
    sets = {frozenset(committed): Fraction(1)}
    found: dict[str, dict[int, Fraction]] = {who: {} for who in WATCHED}
    last = min(turn + turns - 1, game.turns.count if game.turns and game.turns.count else turn + turns - 1)
    for now in range(turn, last + 1):
        after: dict[frozenset[str], Fraction] = {}
        for held, chance in sets.items():
            for inside, share in _involved(game, now, held).items():
                after[inside] = after.get(inside, Fraction(0)) + chance * share
        sets = after
        for who in WATCHED:
            found[who][now] = sum((chance for inside, chance in sets.items() if who in inside), Fraction(0))
    return found


def refit_chance(game: Game, nation: str, kind: str = "ground") -> Fraction:
    """The chance of one refit roll (21.2, 21.9, 25.8): `ground`, `air` or `special`."""
    table = game.tables["refit"]
    who = contingent(nation)
    if who not in table.cells:
        raise BadQuestion(f"{who!r} is no contingent; {instead(who, table.cells)}")
    if kind not in table.columns.labels:
        raise BadQuestion(f"{kind!r} is not refitted; {instead(kind, table.columns.labels)}")
    code = table.cell(who, table.named_column(kind)).code
    return Fraction(int(code), 6) if code.isdecimal() else Fraction(0)


def refits(chance: Fraction, units: int, impulses: int) -> dict[int, Fraction]:
    """How many of so many units are refitted after so many Refit Phases, each rolling until it succeeds."""
    whole = 1 - (1 - chance) ** impulses
    result = {0: Fraction(1)}
    for _ in range(units):
        after: dict[int, Fraction] = {}
        for count, share in result.items():
            for more, part in ((1, whole), (0, 1 - whole)):
                if part:
                    after[count + more] = after.get(count + more, Fraction(0)) + share * part
        result = after
    return result


def paradrop(game: Game, contested: bool) -> Fraction:
    """The chance that a unit is disrupted as it lands (29.6)."""
    table = game.tables["paradrop"]
    column = table.named_column("contested" if contested else "quiet")
    return table.distribution(column).get("D", Fraction(0))

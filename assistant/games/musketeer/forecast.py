"""Where escalation leads, turn by turn, with exact chances (6.0, 22.0, 28.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TypeVar

from assistant.attacks import BadQuestion
from assistant.games.musketeer.politics import WATCHED, World, involved, limit, marker_points, markers, playable
from scenarios.dice import dice
from scenarios.game import Game
from scenarios.reading.findings import instead
from scenarios.same import Same

Key = TypeVar("Key")


@dataclass(frozen=True)
class Forecast:
    """The end of each turn, and where it all leads. Chances are exact."""

    war: Mapping[int, Fraction]
    """The chance that World War III breaks out in each turn."""
    index: Mapping[int, Fraction]
    """The chance of each index at the end, and of peace until then; with `war` they add up to 1."""
    committed: Mapping[str, Fraction]
    """The chance that each contingent of 28.3 is committed by the end."""


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
    for marker in (*(m for drawn in plan for m in drawn), *used):
        marker_points(game, marker)
    for who in committed:
        if who not in WATCHED:
            raise BadQuestion(f"{who!r} needs no commitment (28.3); {instead(who, WATCHED)}")
    last = min(turn + len(plan) - 1, game.turns.count if game.turns and game.turns.count else turn + len(plan) - 1)
    turns = _Turns(game, last - turn + 1)
    worlds = {World(turn, banned, frozenset(committed), frozenset(used)): turns.at(index + libya)}
    war: dict[int, Fraction] = {}
    inside = dict.fromkeys(WATCHED, Fraction(0))
    throws = 1
    for now in range(turn, last + 1):
        worlds, lost, throws = turns.play(worlds, plan[now - turn], throws)
        war[now] = sum(lost.values(), Fraction(0))
        for held, chance in lost.items():
            inside |= {who: inside[who] + chance for who in held}
    peace: dict[int, int] = {}
    for world, ways in worlds.items():
        for level, count in turns.levels(ways):
            peace[level] = peace.get(level, 0) + count
        inside |= {who: inside[who] + Fraction(turns.count(ways), throws) for who in world.committed}
    return Forecast(war, {level: Fraction(count, throws) for level, count in sorted(peace.items())}, inside)


class _Turns:
    """Turns played out for every index at once.

    The ways to have each index are packed in one number, a digit for each index: so points are a shift, an event that
    raises the index is a multiplication, and a war is in the digits from the limit on.
    """

    def __init__(self, game: Game, turns: int) -> None:
        self.game, self.top = game, limit(game)
        events = _ways(_events(game))
        self.events, self.joining = sum(events.values()), len(dice(game.tables["involvement"].dice)) ** len(WATCHED)
        self.bits: int = ((self.events * self.joining) ** turns).bit_length() + 1
        self.rises: dict[str, int] = {}
        self.falls: dict[str, list[tuple[int, int]]] = {}
        for (rise, ban), ways in events.items():
            self.rises.setdefault(ban, 0)
            if rise < 0:
                self.falls.setdefault(ban, []).append((-rise, ways))
            else:
                self.rises[ban] += ways << self.bits * rise

    def at(self, index: int) -> int:
        """One way to have an index."""
        return 1 << self.bits * min(index, self.top)

    def levels(self, ways: int) -> Iterator[tuple[int, int]]:
        """Each index with the ways to have it."""
        for level in range(self.top):
            count = (ways >> self.bits * level) & ((1 << self.bits) - 1)
            if count:
                yield level, count

    def count(self, ways: int) -> int:
        """All ways together: the sum of the digits is what is left of a number modulo one less than its base."""
        return ways % ((1 << self.bits) - 1)

    def play(
        self, worlds: Mapping[World, int], plan: Sequence[str], throws: int
    ) -> tuple[dict[World, int], dict[frozenset[str], Fraction], int]:
        """One turn: the worlds after it, the chance of war in it by who was committed, and out of how many throws."""
        lost: dict[frozenset[str], Fraction] = {}
        drawn: dict[World, int] = {}
        for world, ways in worlds.items():
            points, after = self._drawn(world, plan)
            safe = self._safe(ways << self.bits * points, world.committed, throws, lost)
            drawn[after] = drawn.get(after, 0) + safe
        found: dict[World, int] = {}
        for world, ways in drawn.items():
            joined = involved(Same(self.game), world.turn, world.committed)
            shares = [(inside, int(chance * self.joining)) for inside, chance in joined.items()]
            for ban in self.rises:
                safe = self._safe(self._after_event(ways, ban), world.committed, throws * self.events, lost)
                for inside, share in shares:
                    after = World(world.turn + 1, ban, inside, world.used)
                    found[after] = found.get(after, 0) + safe * share
        return found, lost, throws * self.events * self.joining

    def _drawn(self, world: World, plan: Sequence[str]) -> tuple[int, World]:
        """The points of a turn's markers, and the world with what they used up; nothing is banned any more."""
        known = markers(Same(self.game))
        able = playable(self.game, dict.fromkeys(plan), world)
        used = world.used.union(name for name in able if known[name].special)
        return sum(known[name].points for name in able), world._replace(banned="", used=used)

    def _safe(self, ways: int, committed: frozenset[str], throws: int, lost: dict[frozenset[str], Fraction]) -> int:
        """The ways in which there is no war; the others are added to what is lost (6.4)."""
        beyond = ways >> self.bits * self.top
        if beyond:
            lost[committed] = lost.get(committed, Fraction(0)) + Fraction(self.count(beyond), throws)
        return ways & ((1 << self.bits * self.top) - 1)

    def _after_event(self, ways: int, ban: str) -> int:
        """The index after the events that forbid this marker (22.1); it never falls below 1 (6.3)."""
        after = ways * self.rises[ban]
        for fall, share in self.falls.get(ban, ()):
            low = ways & ((1 << self.bits * (fall + 1)) - 1)
            after += share * (((ways - low) >> self.bits * fall) + (self.count(low) << self.bits))
        return after


def _ways(chances: Mapping[Key, Fraction]) -> dict[Key, int]:
    """Chances as whole numbers of equal ways."""
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

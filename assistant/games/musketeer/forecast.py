"""Where escalation leads, turn by turn, with exact chances (6.0, 22.0, 28.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from assistant.answers import BadQuestion
from assistant.games.musketeer.politics import World, politics_of
from assistant.games.musketeer.questions import last_turn
from scenarios.dice import dice
from scenarios.game import Game
from scenarios.reading.findings import instead

Levels = list[int]
"""The ways to have each index."""


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
    politics = politics_of(game)
    for marker in (*(m for drawn in plan for m in drawn), *used):
        politics.points(marker)
    joining = politics.watched
    for who in committed:
        if who not in joining:
            raise BadQuestion(f"{who!r} needs no commitment (28.3); {instead(who, joining)}")
    last = min(turn + len(plan) - 1, last_turn(game))
    course = _Course(game)
    worlds = {World(turn, banned, frozenset(committed), frozenset(used)): course.changed([1], (index + libya, 1))}
    war: dict[int, Fraction] = {}
    inside = dict.fromkeys(joining, Fraction(0))
    for now in range(turn, last + 1):
        worlds, lost = course.play(worlds, plan[now - turn])
        war[now] = sum(lost.values(), Fraction(0))
        for held, chance in lost.items():
            inside |= {who: inside[who] + chance for who in held}
    peace: dict[int, Fraction] = {}
    for world, levels in worlds.items():
        for level, ways in enumerate(levels):
            if ways:
                peace[level] = peace.get(level, Fraction(0)) + Fraction(ways, course.throws)
        inside |= {who: inside[who] + Fraction(sum(levels), course.throws) for who in world.committed}
    return Forecast(war, dict(sorted(peace.items())), inside)


class _Course:
    """Turns played out: in how many ways of the `throws` so far each world has each index (a list, by index)."""

    def __init__(self, game: Game) -> None:
        self.politics, self.throws = politics_of(game), 1
        self.top = self.politics.limit
        events = _events(game)
        self.events = lcm(*(chance.denominator for chance in events.values()))
        self.joining = len(dice(game.tables["involvement"].dice)) ** len(self.politics.watched)
        self.changes: dict[str, list[tuple[int, int]]] = {}
        """By the marker that an event forbids: how the index changes, in how many ways."""
        for (change, ban), chance in events.items():
            self.changes.setdefault(ban, []).append((change, int(chance * self.events)))

    def changed(self, levels: Levels, *changes: tuple[int, int]) -> Levels:
        """Every index changed by some points in so many ways, but never below 1 (6.3); all from the limit on are one."""
        found, top = [0] * (self.top + 1), self.top
        for level, ways in enumerate(levels):
            if ways:
                for points, times in changes:
                    found[min(top, max(1, level + points))] += ways * times
        return found

    def play(self, worlds: Mapping[World, Levels], plan: Sequence[str]) -> tuple[dict[World, Levels], dict[frozenset[str], Fraction]]:
        """One turn: the worlds after it, and the chance of war in it by who was committed."""
        lost: dict[frozenset[str], Fraction] = {}
        drawn: dict[World, Levels] = {}
        for world, levels in worlds.items():
            points, after = self._drawn(world, plan)
            _add(drawn, after, self._peace(self.changed(levels, (points, 1)), world, lost))
        self.throws *= self.events
        found: dict[World, Levels] = {}
        for world, levels in drawn.items():
            joined = self.politics.involved(world.turn, world.committed)
            for ban, changes in self.changes.items():
                safe = self._peace(self.changed(levels, *changes), world, lost)
                for inside, chance in joined.items():
                    _add(found, World(world.turn + 1, ban, inside, world.used), safe, int(chance * self.joining))
        self.throws *= self.joining
        return found, lost

    def _drawn(self, world: World, plan: Sequence[str]) -> tuple[int, World]:
        """The points of a turn's markers, and the world with what they used up; nothing is banned any more."""
        known = self.politics.markers
        able = self.politics.playable(dict.fromkeys(plan), world)
        used = world.used.union(name for name in able if known[name].special)
        return sum(known[name].points for name in able), world._replace(banned="", used=used)

    def _peace(self, levels: Levels, world: World, lost: dict[frozenset[str], Fraction]) -> Levels:
        """The ways in which there is no war; the others are added to what is lost (6.4)."""
        if levels[self.top]:
            lost[world.committed] = lost.get(world.committed, Fraction(0)) + Fraction(levels[self.top], self.throws)
        return [*levels[: self.top], 0]


def _add(into: dict[World, Levels], world: World, levels: Levels, times: int = 1) -> None:
    before = into.get(world)
    if before is None:
        into[world] = [times * ways for ways in levels] if times != 1 else levels
    else:
        into[world] = [a + times * b for a, b in zip(before, levels, strict=True)]


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

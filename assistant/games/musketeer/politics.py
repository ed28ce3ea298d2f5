"""Command markers and the superpowers' entry, with exact chances (6.0, 7.0, 28.0)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from assistant.answers import BadQuestion
from assistant.games.musketeer.questions import contingent, last_turn
from assistant.rules.kinds import once
from assistant.shared.specials import all_effects
from scenarios.game import Game
from scenarios.reading.findings import instead

WEST_SPECIAL = "west_special"
"""What an event forbids that keeps back all special markers of the West (22.1, event 10)."""


class World(NamedTuple):
    """The political state at the start of a turn, but for the escalation index."""

    turn: int
    banned: str
    """The marker that the last event forbids this turn; WEST_SPECIAL for all of the West's special ones (22.2)."""
    committed: frozenset[str]
    used: frozenset[str] = frozenset()
    """Special markers that were drawn: once a game each (7.7)."""


class Marker(NamedTuple):
    """A command marker: what drawing it adds to the index (6.2), whose it is, and whether it goes once a game (2.7)."""

    points: int
    contingent: str
    special: bool
    west: bool


class Politics:
    """What a game says of command markers, of who must be committed and of the world war."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.watched: Mapping[str, str] = {
            effect.nation: effect.value.partition("after ")[2] for effect in all_effects(game, "commitment")
        }
        """Who must be committed, each with whom it only comes after, by the scenario's rule (28.3)."""
        self.markers: Mapping[str, Marker] = _markers(game)
        self._barred: dict[int, frozenset[str]] = {}
        self._involved: dict[tuple[int, frozenset[str]], Mapping[frozenset[str], Fraction]] = {}

    def points(self, marker: str) -> int:
        """What drawing a command marker adds to the index (6.2)."""
        if marker not in self.markers:
            raise BadQuestion(f"there is no command marker {marker!r}; {instead(marker, self.markers)}")
        return self.markers[marker].points

    def why_not(self, name: str, world: World) -> tuple[str, str]:
        """Why a marker may not be played this turn, and by which rule; nothing, if it may."""
        marker = self.markers[name]
        if world.banned == name or (world.banned == WEST_SPECIAL and marker.special and marker.west):
            return "the last event forbids it", "22.2"
        if name in world.used:
            return "it was played before, and goes once a game", "7.7"
        if name in self.barred(world.turn):
            return f"not in turn {world.turn}", "28.2"
        if marker.contingent in self.watched and marker.contingent not in world.committed:
            return "its contingent isn't committed", "28.3"
        return "", ""

    def playable(self, names: Iterable[str], world: World) -> list[str]:
        """The markers among these that may be played this turn."""
        return [name for name in names if not self.why_not(name, world)[0]]

    def barred(self, turn: int) -> frozenset[str]:
        """The markers that a special rule keeps back in a turn (28.2)."""
        if turn not in self._barred:
            self._barred[turn] = frozenset(effect.value for effect in all_effects(self.game, "no_marker", turn))
        return self._barred[turn]

    @property
    def limit(self) -> int:
        """The index at which World War III begins (6.4), from the scenario."""
        found = all_effects(self.game, "world_war")
        if not found:
            raise BadQuestion("no scenario says at which index the world war begins")
        return int(found[0].value)

    def involved(self, turn: int, committed: frozenset[str]) -> Mapping[frozenset[str], Fraction]:
        """Who is committed after the involvement rolls of a turn (28.3)."""
        key = turn, committed
        if key in self._involved:
            return self._involved[key]
        table = self.game.tables["involvement"]
        column = table.find_column(Fraction(turn))
        assert column is not None
        joins = table.distribution(column).get("in", Fraction(0))
        result = {committed: Fraction(1)}
        for who, before in self.watched.items():
            after: dict[frozenset[str], Fraction] = {}
            for held, chance in result.items():
                rolls = who not in held and (not before or before in held)
                for inside, share in ((held | {who}, joins), (held, 1 - joins)) if rolls else ((held, Fraction(1)),):
                    if share:
                        after[inside] = after.get(inside, Fraction(0)) + chance * share
            result = after
        self._involved[key] = result
        return result

    def entries(self, turn: int, turns: int, committed: Sequence[str] = ()) -> dict[str, dict[int, Fraction]]:
        """The chance that each contingent of 28.3 is committed by the end of each turn, if peace holds."""
        sets = {frozenset(committed): Fraction(1)}
        found: dict[str, dict[int, Fraction]] = {who: {} for who in self.watched}
        for now in range(turn, min(turn + turns - 1, last_turn(self.game)) + 1):
            after: dict[frozenset[str], Fraction] = {}
            for held, chance in sets.items():
                for inside, share in self.involved(now, held).items():
                    after[inside] = after.get(inside, Fraction(0)) + chance * share
            sets = after
            for who in found:
                found[who][now] = sum((chance for inside, chance in sets.items() if who in inside), Fraction(0))
        return found


def politics_of(game: Game) -> Politics:
    """The politics of a game, read once."""
    return once(game, Politics)


def _markers(game: Game) -> Mapping[str, Marker]:
    table = game.tables["escalation"]
    west = {contingent(game, name) for name, nation in game.nations.items() if nation.side == "west"}
    found = {}
    for name in table.cells:
        points, whose, use = (table.cell(name, table.named_column(c)).code for c in ("points", "contingent", "use"))
        found[name] = Marker(int(points), whose, use == "once", whose in west)
    return found

"""Command markers and the superpowers' entry, with exact chances (6.0, 7.0, 28.0)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from assistant.answers import BadQuestion
from assistant.games.musketeer.questions import contingent
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


def watched(game: Game) -> Mapping[str, str]:
    """Who must be committed, each with whom it only comes after, by the scenario's rule (28.3)."""
    return {effect.nation: effect.value.partition("after ")[2] for effect in all_effects(game, "commitment")}


def markers(game: Game) -> Mapping[str, Marker]:
    """The command markers of a game."""
    return once(game, _markers)


def _markers(game: Game) -> Mapping[str, Marker]:
    table = game.tables["escalation"]
    west = {contingent(game, name) for name, nation in game.nations.items() if nation.side == "west"}
    found = {}
    for name in table.cells:
        points, whose, use = (table.cell(name, table.named_column(c)).code for c in ("points", "contingent", "use"))
        found[name] = Marker(int(points), whose, use == "once", whose in west)
    return found


def marker_points(game: Game, marker: str) -> int:
    """What drawing a command marker adds to the index (6.2)."""
    known = markers(game)
    if marker not in known:
        raise BadQuestion(f"there is no command marker {marker!r}; {instead(marker, known)}")
    return known[marker].points


def why_not(game: Game, marker: str, world: World) -> tuple[str, str]:
    """Why a marker may not be played this turn, and by which rule; nothing, if it may."""
    one = markers(game)[marker]
    if world.banned == marker or (world.banned == WEST_SPECIAL and one.special and one.west):
        return "the last event forbids it", "22.2"
    if marker in world.used:
        return "it was played before, and goes once a game", "7.7"
    if marker in once(game, _barred, world.turn):
        return f"not in turn {world.turn}", "28.2"
    if one.contingent in watched(game) and one.contingent not in world.committed:
        return "its contingent isn't committed", "28.3"
    return "", ""


def playable(game: Game, names: Iterable[str], world: World) -> list[str]:
    """The markers among these that may be played this turn."""
    return [name for name in names if not why_not(game, name, world)[0]]


def _barred(game: Game, turn: int) -> frozenset[str]:
    """The markers that a special rule keeps back in a turn (28.2)."""
    return frozenset(effect.value for effect in all_effects(game, "no_marker", turn))


def limit(game: Game) -> int:
    """The index at which World War III begins (6.4), from the scenario."""
    found = all_effects(game, "world_war")
    if not found:
        raise BadQuestion("no scenario says at which index the world war begins")
    return int(found[0].value)


def involved(game: Game, turn: int, committed: frozenset[str]) -> Mapping[frozenset[str], Fraction]:
    """Who is committed after the involvement rolls of a turn (28.3)."""
    return once(game, _involved, turn, committed)


def _involved(game: Game, turn: int, committed: frozenset[str]) -> Mapping[frozenset[str], Fraction]:
    table = game.tables["involvement"]
    column = table.find_column(Fraction(turn))
    assert column is not None
    joins = table.distribution(column).get("in", Fraction(0))
    result = {committed: Fraction(1)}
    for who, before in watched(game).items():
        after: dict[frozenset[str], Fraction] = {}
        for held, chance in result.items():
            rolls = who not in held and (not before or before in held)
            for inside, share in ((held | {who}, joins), (held, 1 - joins)) if rolls else ((held, Fraction(1)),):
                if share:
                    after[inside] = after.get(inside, Fraction(0)) + chance * share
        result = after
    return result


def entries(game: Game, turn: int, turns: int, committed: Sequence[str] = ()) -> dict[str, dict[int, Fraction]]:
    """The chance that each contingent of 28.3 is committed by the end of each turn, if peace holds."""
    sets = {frozenset(committed): Fraction(1)}
    found: dict[str, dict[int, Fraction]] = {who: {} for who in watched(game)}
    last = min(turn + turns - 1, game.turns.count if game.turns and game.turns.count else turn + turns - 1)
    for now in range(turn, last + 1):
        after: dict[frozenset[str], Fraction] = {}
        for held, chance in sets.items():
            for inside, share in involved(game, now, held).items():
                after[inside] = after.get(inside, Fraction(0)) + chance * share
        sets = after
        for who in found:
            found[who][now] = sum((chance for inside, chance in sets.items() if who in inside), Fraction(0))
    return found

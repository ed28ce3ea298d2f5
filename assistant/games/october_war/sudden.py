"""Sudden death in October War: which ways to it are open, and what each still lacks (4.1, 7.2, 7.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from assistant.games.october_war.casualties import Casualties, lacking
from assistant.games.october_war.ground import Ground
from scenarios.scenario import Scenario, Victory

NAMED = 4
"""So many places are named, the others counted."""


class Way(NamedTuple):
    """A way to win at once, and what is still missing; nothing if it is won."""

    side: str
    text: str
    lacks: tuple[str, ...]
    places: bool
    """It is won by places, not by casualties."""


def ways(here: Ground, scenario: Scenario, casualties: Casualties) -> tuple[Way, ...]:
    """4.1, read as the ruling on its and and or says."""
    return tuple(
        Way(line.side, line.text, tuple(_lacks(here, scenario, line, casualties)), line.at is not None)
        for line in scenario.victory
        if line.wins
    )


def _lacks(here: Ground, scenario: Scenario, line: Victory, casualties: Casualties) -> Iterator[str]:
    if line.at is None:
        bled = lacking(here.game, line.side, casualties)
        yield from [bled] if bled else []
        return

    def zone(name: str) -> list[str]:
        found = scenario.zones.get(name)
        return sorted(here.places(found) if found else here.map.in_area(name))

    spots = sorted(here.places(line.at))
    has = here.holds if line.event == "occupied" else lambda side, point: here.control.get(point) == side
    missing = [point for point in spots if not has(line.side, point)]
    short = line.least - (len(spots) - len(missing))
    if short > 0:
        yield f"{short} more of {_names(here, missing)}"
    if line.side == "arab":
        sinai = bool(set(spots) & set(zone("bar_lev_line")))
        goals = zone("arab_objectives_sinai" if sinai else "arab_objectives_golan")
        if not any(here.holds("arab", point) for point in goals):
            yield f"a unit in {_names(here, goals, 'or')}"
        yield from _driven_out(here, "israeli", zone("arab_strongholds"))
        return
    forts = [point for point in zone("syrian_forts") if not here.holds("israeli", point)]
    if forts:
        yield f"units in {_names(here, forts)}"
    yield from _driven_out(here, "arab", [*zone("bar_lev_line"), *zone("west_of_purple_line")])


def _driven_out(here: Ground, side: str, points: Iterable[str]) -> Iterator[str]:
    held = [point for point in points if here.holds(side, point)]
    if held:
        yield f"no {here.game.sides[side].name} unit in {_names(here, held, 'or')}"


def _names(here: Ground, points: list[str], word: str = "and") -> str:
    names = [here.map.points[point].name for point in points]
    if len(names) > NAMED + 1:
        names = [*names[:NAMED], f"{len(names) - NAMED} others"]
    return f" {word} ".join(([", ".join(names[:-1])] if names[1:] else []) + names[-1:])

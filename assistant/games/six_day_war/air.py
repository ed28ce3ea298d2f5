"""Airpower: air superiority with the fire that answers it, strikes and barrages, exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from assistant.attacks import Answer, BadQuestion, Value, odds, unit_fields
from scenarios.game import Game


class Sky(NamedTuple):
    """How an air phase may end: what is left of the defenses and what the Israelis lost."""

    level: int
    barrages: int
    refit: int
    dead: int


@dataclass(frozen=True)
class AirPhase:
    """Every end of an air phase and its chance."""

    chances: Mapping[Sky, Fraction]

    def spread(self, what: str) -> Mapping[int, Fraction]:
        """The chance of each value of level, barrages, refit or dead."""
        found: dict[int, Fraction] = {}
        for sky, chance in self.chances.items():
            value = int(getattr(sky, what))
            found[value] = found.get(value, Fraction(0)) + chance
        return dict(sorted(found.items()))


def air_phase(
    game: Game, *, superiority: int, special_forces: int = 0, ground: int = 0, level: int, barrages: int = 0,
    shock_turn: bool = False, levels_first: bool = True,
) -> AirPhase:  # fmt: skip
    """Air superiority, then air defense fire with the level that is left (16.4 to 16.13).

    `superiority` and `ground` are airstrikes on the two missions; EH takes half the markers flown, rounded down (ruling
    eh_of_seven). `levels_first` says whether levels or barrage markers are taken off first.
    """
    if superiority < 0 or ground < 0 or special_forces < 0 or level < 0 or barrages < 0:
        raise BadQuestion("numbers of airstrikes, special forces, levels and barrages are not below 0")
    if special_forces and not superiority:
        raise BadQuestion("at least one airstrike must fly with special forces (16.5)")
    ends: dict[Sky, Fraction] = {}
    for taken, chance in _taken(game, superiority, special_forces, shock_turn).items():
        first = min(taken, level if levels_first else barrages)
        second = min(taken - first, barrages if levels_first else level)
        less, guns = (first, second) if levels_first else (second, first)
        flying = superiority + special_forces + ground
        for (refit, dead), fire in _fired(game, level - less, flying, superiority + ground, shock_turn).items():
            end = Sky(level - less, barrages - guns, refit, dead)
            ends[end] = ends.get(end, Fraction(0)) + chance * fire
    return AirPhase(dict(sorted(ends.items())))


def _taken(game: Game, airstrikes: int, special_forces: int, shock: bool) -> dict[int, Fraction]:
    """How many levels and barrage markers the Israelis take off (16.12)."""
    if not airstrikes:
        return {0: Fraction(1)}
    told: dict[str, Value] = {
        "airstrikes": Fraction(airstrikes), "special_forces": Fraction(special_forces), "shock_turn": shock,
    }  # fmt: skip
    answer = _asked(game, "air_superiority", told)
    flown = airstrikes + special_forces
    worth = {"EE": flown, "EH": flown // 2}
    found: dict[int, Fraction] = {}
    for code, chance in answer.chances.items():
        found[worth.get(code, 0)] = found.get(worth.get(code, 0), Fraction(0)) + chance
    return found


def _fired(game: Game, level: int, flying: int, airstrikes: int, shock: bool) -> dict[tuple[int, int], Fraction]:
    """Airstrikes that go to Refit and to the dead; special forces are never lost, the dead come first (16.13)."""
    if not flying:
        return {(0, 0): Fraction(1)}
    told: dict[str, Value] = {"level": Fraction(level), "flying": Fraction(flying), "shock_turn": shock}
    answer = _asked(game, "air_defense", told)
    found: dict[tuple[int, int], Fraction] = {}
    for code, chance in answer.chances.items():
        dead = min(airstrikes, 1) if code == "EE" else 0
        refit = min(airstrikes - dead, 1) if code in ("EE", "EH") else 0
        found[refit, dead] = found.get((refit, dead), Fraction(0)) + chance
    return found


def _asked(game: Game, attack: str, told: Mapping[str, Value]) -> Answer:
    answer = odds(game, attack, {}, told)
    if answer.failures:
        raise BadQuestion(answer.failures[0])
    return answer


def strike(game: Game, targets: Sequence[str], airstrikes: int, *, jerusalem: bool = False) -> Answer:
    """Airstrikes on a hex: a throw for each Arab unit there (16.15, 16.17)."""
    units = [unit_fields(game, target) for target in targets]
    return odds(game, "strike", {"targets": units}, {"airstrikes": Fraction(airstrikes), "jerusalem": jerusalem})


def barrage(game: Game, targets: Sequence[str] = ()) -> Answer:
    """An Arab barrage on units, or on the place if none are named (18.2, 18.6)."""
    return odds(game, "barrage", {"targets": [unit_fields(game, target) for target in targets]})

"""Airpower: air superiority with the fire that answers it, strikes and barrages, exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from assistant.attacks import Answer, BadQuestion, Value, odds, unit_fields
from assistant.games.six_day_war.field import Field, Stand
from assistant.games.six_day_war.retreats import Retreat, broken, retreat
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.reading.shapes import number
from scenarios.same import Same

TARGETS = ("city", "fortified_city", "town", "kibbutz", "airbase")


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
    most = game.markers["airstrike"].count or 0
    if superiority + ground > most:
        raise BadQuestion(f"there are {most} airstrikes in all, not {superiority + ground} (24.1)")
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
    found: dict[int, Fraction] = {}
    for code, chance in superiority_fire(game, airstrikes, special_forces, shock).chances.items():
        taken = takes_off(game, code, airstrikes + special_forces)
        found[taken] = found.get(taken, Fraction(0)) + chance
    return found


def superiority_fire(game: Game, airstrikes: int, special_forces: int, shock: bool) -> Answer:
    """The Israeli throw: its column and the chance of each result (16.4, 25.5)."""
    told: dict[str, Value] = {
        "airstrikes": Fraction(airstrikes), "special_forces": Fraction(special_forces), "shock_turn": shock,
    }  # fmt: skip
    return _asked(game, "air_superiority", told)


def takes_off(game: Game, code: str, flown: int) -> int:
    """How many levels and barrage markers a result takes off, rounded down (16.12)."""
    return int(number(_effect(game, code, "israeli_takes")) * flown)


def _effect(game: Game, code: str, name: str) -> str:
    return game.tables["air_superiority"].results[code].effects.get(name, "0")


def _fired(game: Game, level: int, flying: int, airstrikes: int, shock: bool) -> dict[tuple[int, int], Fraction]:
    """Airstrikes that go to Refit and to the dead; special forces are never lost, the dead come first (16.13)."""
    if not flying:
        return {(0, 0): Fraction(1)}
    told: dict[str, Value] = {"level": Fraction(level), "flying": Fraction(flying), "shock_turn": shock}
    answer = _asked(game, "air_defense", told)
    found: dict[tuple[int, int], Fraction] = {}
    for code, chance in answer.chances.items():
        dead = min(airstrikes, int(_effect(game, code, "dead")))
        refit = min(airstrikes - dead, int(_effect(game, code, "refit")))
        found[refit, dead] = found.get((refit, dead), Fraction(0)) + chance
    return found


def _asked(game: Game, attack: str, told: Mapping[str, Value]) -> Answer:
    answer = _thrown(Same(game), attack, tuple(told.items()))
    if answer.failures:
        raise BadQuestion(answer.failures[0])
    return answer


@lru_cache(maxsize=512)
def _thrown(game: Same[Game], attack: str, told: tuple[tuple[str, Value], ...]) -> Answer:
    """A throw on a table: there are only so many columns."""
    return odds(game.value, attack, {}, dict(told))


@dataclass(frozen=True)
class Struck:
    """A unit under a strike or barrage: the chance that it is eliminated, and what a T1 does to it."""

    stand: Stand
    eliminated: Fraction
    retreat: Retreat


@dataclass(frozen=True)
class Strike:
    """Markers on a hex: the arithmetic, and each unit there."""

    answer: Answer
    units: tuple[Struck, ...]


def strike(field: Field, hex: Hex, airstrikes: int, *, disintegrated: AbstractSet[str] = frozenset()) -> Strike:
    """Airstrikes on a hex: a throw for each Arab unit there; T1 panics it, T2 eliminates it (16.14 to 16.19)."""
    there = field.held["arab"].get(hex, ())
    if not there:
        raise BadQuestion(f"no Arab unit stands in {field.table.name(hex)}")
    spared = any(e.at is not None and hex in field.ground.places(e.at) for e in field.effects("no_strike", "israeli"))
    inputs: dict[str, Value] = {"airstrikes": Fraction(airstrikes), "jerusalem": spared}
    return _struck(field, "strike", there, inputs, disintegrated)


def barrage(field: Field, hex: Hex, *, place: bool = False) -> Strike:
    """An Arab barrage on the Israelis of a hex, each with a throw; T1 is a retreat of one hex, T2 eliminates; or on the
    place itself (18.2 to 18.9)."""
    there = () if place else field.held["israeli"].get(hex, ())
    if not place and not there:
        raise BadQuestion(f"no Israeli unit stands in {field.table.name(hex)}")
    if place and (hex not in field.israel or field.table.terrain[hex] not in TARGETS):
        raise BadQuestion(f"{field.table.name(hex)} is no city, town, kibbutz or airbase of Israel (18.5)")
    return _struck(field, "barrage", there, {}, frozenset())


def _struck(
    field: Field, attack: str, there: Sequence[Stand], inputs: Mapping[str, Value], disintegrated: AbstractSet[str]
) -> Strike:
    groups = {"targets": [unit_fields(field.game, s.unit, sorted(s.piece.states)) for s in there]}
    answer = odds(field.game, attack, groups, inputs)
    results = field.game.tables["strike"].results
    hexes = field.limit("panic") if attack == "strike" else "1"
    kind = "airstrike" if attack == "strike" else "barrage"
    found = []
    for stand, target in zip(there, answer.targets, strict=True):
        back = retreat(field, stand, hexes, broken(field, stand, disintegrated))
        dies = Fraction(0)
        for code, chance in target.chances.items():
            effect = results[code].effects.get(kind, "")
            dies += chance * (1 if effect == "eliminated" else back.dies if effect else 0)
        found.append(Struck(stand, dies, back))
    return Strike(answer, tuple(found))

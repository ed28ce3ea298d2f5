"""Barrage, SAM suppression and cease-fire: what the dice can bring, exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assistant.attacks import Answer, BadQuestion, Value, odds
from assistant.games.yom_kippur.combat import fields
from assistant.games.yom_kippur.field import Field, Stand, other
from assistant.games.yom_kippur.umbrella import umbrellas
from scenarios.dice import dice
from scenarios.game import Game
from scenarios.hexes import Hex, distance, neighbours


def barrage(
    field: Field, guns: Sequence[Stand], target: Hex, *, side: str = "", told: Mapping[str, Value] | None = None
) -> Answer:
    """A barrage on a hex: distances, spotters and missiles from the position, unless they are told (1.8, 1.12b)."""
    side = side or (guns[0].unit.side if guns else "israeli" if (told or {}).get("israeli_air") else "egyptian")
    if target not in field.held[other(side)]:
        raise BadQuestion(f"no enemy stands in {field.ground.table.name(target)}")
    inputs: dict[str, Value] = {
        "terrain": field.ground.table.terrain[target],
        "spotter": any(hex in field.held[side] for hex in neighbours(target)),
        "under_sam": bool(umbrellas(field, "egyptian", target)),
        "under_hawk": bool(umbrellas(field, "israeli", target)),
        **(told or {}),
    }
    units = [{**fields(field.ground.game, gun), "distance": Fraction(distance(gun.hex, target))} for gun in guns]
    return odds(field.ground.game, "barrage", {"attackers": units}, inputs)


@dataclass(frozen=True)
class Suppression:
    """What setting so many air units aside brings: how many others may fly under the missiles."""

    allocated: int
    others: int
    chances: Mapping[int, Fraction]

    @property
    def expected(self) -> Fraction:
        """The mean number that may."""
        return sum((count * chance for count, chance in self.chances.items()), Fraction(0))


def suppression(game: Game, available: int) -> tuple[Suppression, ...]:
    """Every allocation of the air units of a turn to SAM suppression (1.12c)."""
    found = []
    for allocated in range(available + 1):
        told: dict[str, Value] = {"allocated": Fraction(allocated), "available": Fraction(available)}
        answer = odds(game, "sam_suppression", {}, told)
        results = game.tables[game.attacks["sam_suppression"].table].results
        others = available - allocated
        chances: dict[int, Fraction] = {}
        for code, chance in answer.chances.items():
            count = min(others, int(results[code].effects["air_units"]))
            chances[count] = chances.get(count, Fraction(0)) + chance
        found.append(Suppression(allocated, others, dict(sorted(chances.items()))))
    return tuple(found)


@dataclass(frozen=True)
class CeaseFire:
    """One turn's end: the number to throw, its chance, and the chances seen from the first turn asked about."""

    turn: int
    needed: int | None
    chance: Fraction
    first: Fraction
    """That the first cease-fire comes now."""
    second: Fraction
    """That the second comes now, the first having been ignored (1.15b)."""


def cease_fires(game: Game, first: int = 1, last: int | None = None) -> tuple[CeaseFire, ...]:
    """The chance of a cease-fire at the end of each turn (1.15), and of the first and second one overall."""
    track = game.tables["turn_track"]
    column = track.named_column("cease_fire")
    turns = [int(turn) for turn in track.cells if first <= int(turn) <= (last or 99)]
    if not turns and last is not None and str(first) in track.cells:
        raise BadQuestion(f"turn {first} is past the scenario's last turn, {last}")
    if not turns:
        raise BadQuestion(f"the turn track has the turns {', '.join(track.cells)}")
    none, one = Fraction(1), Fraction(0)
    found = []
    for turn in turns:
        cell = track.cell(str(turn), column).code
        needed = None if cell == "NA" else int(cell)
        chance = sum((p for total, p in dice("2d6").items() if needed is not None and total >= needed), Fraction(0))
        found.append(CeaseFire(turn, needed, chance, none * chance, one * chance))
        none, one = none * (1 - chance), one * (1 - chance) + none * chance
    return tuple(found)

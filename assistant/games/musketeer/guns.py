"""On which column each unit of a combat fires, by the attack that the pack declares, and what the faces of the die do (14.5, 14.10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from assistant.attack import Evaluation, Value, odds
from assistant.games.musketeer.forces import ATTACKER, DEFENDER, Combat, Fighter, Shot, Support
from assistant.rules.kinds import once, program_of
from assistant.rules.results import records_of
from scenarios.dice import dice
from scenarios.game import Game

ATTACK = "ground_fire"
SILENT = -1
"""The column of a unit that doesn't fire."""
Columns = tuple[int, ...]
Told = tuple[tuple[str, Value], ...]


class Result(NamedTuple):
    """What a fire does to the enemy: how many steps a unit loses, if one is hit at all, and whether it retreats;
    whether a support is lost; the asterisk."""

    hits: bool = False
    steps: int = 0
    retreats: bool = False
    support: bool = False
    star: bool = False


def faces(game: Game) -> tuple[tuple[tuple[Result, int], ...], ...]:
    """For each column of the combat table its results, each with so many faces of the die."""
    return once(game, _faces)


def _faces(game: Game) -> tuple[tuple[tuple[Result, int], ...], ...]:
    table = game.tables[game.attacks[ATTACK].table]
    die, columns = len(dice(table.dice)), []
    for column in range(len(table.columns.labels)):
        shares: dict[Result, int] = {}
        for code, chance in table.distribution(column).items():
            result = _result(game, table.results[code].effects)
            shares[result] = shares.get(result, 0) + int(die * chance)
        columns.append(tuple(shares.items()))
    return tuple(columns)


def _result(game: Game, effects: Mapping[str, str]) -> Result:
    """What a result does, by the records of the pack's rules; that it costs a support counter is this game's own."""
    found = Result(support="support" in effects)
    for record, number in records_of(program_of(game).rules, effects):
        if record.lose is not None:
            found = found._replace(hits=True, steps=number)
        elif record.retreat is not None:
            found = found._replace(hits=True, retreats=True)
        elif record.advance:
            found = found._replace(star=True)
    return found


def _shift(game: Game, unit: Fighter, worn: bool, told: Told) -> int:
    """By how many columns the fire of a unit is shifted."""
    firer = unit.worn if worn else unit.fields
    return Evaluation(game, ATTACK, {"firer": [firer]}, dict(told), True).shift()


def _shot(game: Game, unit: Fighter, told: Told) -> Shot:
    """A fire with every reason, but for its column."""
    answer = odds(game, ATTACK, {"firer": [unit.fields]}, dict(told))
    return Shot("", answer.shift, answer.applied, answer.refused)


class Fires:
    """The fires of one side of a combat."""

    def __init__(self, combat: Combat, side: int) -> None:
        self.combat, self.side, self.game = combat, side, combat.game
        self.units, self.more = combat.sides[side], combat.shifts[side]
        self.table = combat.game.tables[combat.game.attacks[ATTACK].table]
        self.engineers: dict[int, set[int]] = {}
        for place, unit in enumerate(self.units):
            if not side and unit.fields["bridges"] is True:
                self.engineers.setdefault(unit.stack, set()).add(place)
        self._rows: dict[tuple[Support, frozenset[int]], list[list[int]]] = {}

    def shots(self) -> tuple[Shot, ...]:
        """How each unit would fire at the start, with every reason."""
        told = {helped: self._told(self.combat.support[self.side], helped) for helped in (False, True)}
        shots = []
        for unit in self.units:
            shot = once(self.game, _shot, unit, told[unit.stack in self.engineers])
            shift = shot.shift + self.more
            shots.append(shot._replace(shift=shift, column=self.table.columns.labels[self.table.shifted(unit.columns[0], shift)]))
        return tuple(shots)

    def columns(self, worn: Sequence[int], support: Support, there: Sequence[int]) -> Columns:
        """The column that each unit fires on that is still there, worn or not. An engineer helps its own stack as long as it
        stands (24.2)."""
        helped = frozenset({stack for stack, places in self.engineers.items() if not places.isdisjoint(there)})
        if (support, helped) not in self._rows:
            told = {help_: self._told(support, help_) for help_ in (False, True)}
            self._rows[support, helped] = [
                [self._column(unit, bool(worn_), told[unit.stack in helped]) for worn_ in (0, 1)] for unit in self.units
            ]
        row, found = self._rows[support, helped], [SILENT] * len(self.units)
        for place in there:
            found[place] = row[place][worn[place]]
        return tuple(found)

    def _column(self, unit: Fighter, worn: bool, told: Told) -> int:
        return self.table.shifted(unit.columns[worn], once(self.game, _shift, unit, worn, told) + self.more)

    def _told(self, support: Support, engineer: bool) -> Told:
        """What is told of a fire: close air support, special commands and angles help attackers only (14.10)."""
        told: dict[str, Value] = {
            **self.combat.inputs,
            "role": DEFENDER if self.side else ATTACKER,
            "cas": 0 if self.side else support.cas,
            "special_forces": support.special_forces,
            "guerrilla": support.guerrilla or 0,
            "engineer": engineer,
        }
        return tuple((told | {"special_command": False, "concentric": False} if self.side else told).items())

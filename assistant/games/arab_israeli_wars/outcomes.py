"""What a die roll does to the defenders, one by one and together, with exact chances."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from assistant.attacks import Answer
from assistant.games.arab_israeli_wars.battle import Battle, Fighter
from assistant.games.arab_israeli_wars.ground import CANAL
from scenarios.dice import dice
from scenarios.tables import Table

ELIMINATED, UNHARMED = "eliminated", "unharmed"
HURT = ("dispersed", "stopped", "inverted")
ORDER = (ELIMINATED, *HURT, UNHARMED)


class Toll(NamedTuple):
    """How many defenders are eliminated, and how many are dispersed (stopped, inverted) but stay."""

    eliminated: int
    hurt: int


Together = Mapping[Toll, Fraction]
"""The chance of each toll; adds up to 1."""


@dataclass(frozen=True)
class Fate:
    """One defender's chances, by what becomes of it; they add up to 1."""

    fighter: Fighter
    die: int
    chances: Mapping[str, Fraction]

    @property
    def killed(self) -> Fraction:
        """The chance that it is eliminated."""
        return self.chances.get(ELIMINATED, Fraction(0))


def fate(battle: Battle, table: Table, target: Fighter, code: str) -> str:
    """What a result means for one defender, in its state (Basic VI.A.2); the exceptions have their rules below."""
    effects = table.results[code].effects if code in table.results else {}
    state = effects.get("state", "")
    condition = effects.get("eliminate", "")
    lethal = condition == "true" or (condition.startswith("if ") and condition.removeprefix("if ") in target.states)
    if battle.kind == "clear_mines":  # Standard VII.A.1.d-f: inverted first, an inverted one is removed.
        return ELIMINATED if lethal or (state and "inverted" in target.states) else "inverted" if state else UNHARMED
    if battle.kind == "interdiction":  # Advanced III.D.6.b: stopped, never dispersed.
        return ELIMINATED if condition == "true" else "stopped" if state else UNHARMED
    if lethal:
        return ELIMINATED
    if state and target.unit == "bridge" and not _stands(battle, target):
        return UNHARMED
    return state or UNHARMED


def _stands(battle: Battle, bridge: Fighter) -> bool:
    """Whether a bridge can be dispersed: finished, and on the canal (Standard VI.E.5.b, Advanced V.C.5, V.D.3.d)."""
    on_canal = battle.inputs().get("terrain") == CANAL
    return on_canal and "inverted" not in bridge.states


def one_throw(battle: Battle, answer: Answer, targets: Sequence[Fighter]) -> tuple[tuple[Fate, ...], Together]:
    """All defenders share one throw, each with its own modifiers (Basic VI.B)."""
    table = battle.game.tables[battle.shape.table]
    if answer.column is None:
        alone: Mapping[str, Fraction] = {UNHARMED: Fraction(1)}
        return tuple(Fate(target, 0, alone) for target in targets), {Toll(0, 0): Fraction(1)}
    column = table.named_column(answer.column)
    modifiers = [target.die for target in answer.targets] or [answer.die] * len(targets)
    single: list[dict[str, Fraction]] = [{} for _ in targets]
    together: dict[Toll, Fraction] = {}
    throws = dice(table.dice)
    rows = {thrown + modifier for thrown in throws for modifier in set(modifiers)}
    codes = {row: table.cell(row, column).code for row in rows}
    for thrown, chance in throws.items():
        fates = [
            fate(battle, table, target, codes[thrown + modifier])
            for target, modifier in zip(targets, modifiers, strict=True)
        ]
        for held, word in zip(single, fates, strict=True):
            held[word] = held.get(word, Fraction(0)) + chance
        toll = Toll(fates.count(ELIMINATED), sum(word in HURT for word in fates))
        together[toll] = together.get(toll, Fraction(0)) + chance
    found = zip(targets, modifiers, single, strict=True)
    return tuple(Fate(target, modifier, ordered(held)) for target, modifier, held in found), sorted_tolls(together)


def separate_throws(parts: Iterable[Together]) -> Together:
    """A throw for each defender, as in indirect fire (Standard II.A.5.d): the tolls add up."""
    total: dict[Toll, Fraction] = {Toll(0, 0): Fraction(1)}
    for part in parts:
        grown: dict[Toll, Fraction] = {}
        for toll, chance in total.items():
            for more, its_chance in part.items():
                key = Toll(toll.eliminated + more.eliminated, toll.hurt + more.hurt)
                grown[key] = grown.get(key, Fraction(0)) + chance * its_chance
        total = grown
    return sorted_tolls(total)


def mixed(parts: Iterable[tuple[Fraction, Together]]) -> Together:
    """One of several cases happens, each with its chance."""
    total: dict[Toll, Fraction] = {}
    for weight, part in parts:
        for toll, chance in part.items():
            total[toll] = total.get(toll, Fraction(0)) + weight * chance
    return sorted_tolls(total)


def ordered(chances: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """The worst for the defender first."""
    return {word: chances[word] for word in ORDER if chances.get(word)}


def sorted_tolls(tolls: Mapping[Toll, Fraction]) -> dict[Toll, Fraction]:
    """The heaviest toll first."""
    return {toll: tolls[toll] for toll in sorted(tolls, reverse=True) if tolls[toll]}


def expected(together: Together) -> tuple[Fraction, Fraction]:
    """How many are eliminated, and how many dispersed, on average."""
    kills = sum((toll.eliminated * chance for toll, chance in together.items()), Fraction(0))
    return kills, sum((toll.hurt * chance for toll, chance in together.items()), Fraction(0))


def at_least(together: Together, kills: int) -> Fraction:
    """The chance that so many defenders or more are eliminated."""
    return sum((chance for toll, chance in together.items() if toll.eliminated >= kills), Fraction(0))

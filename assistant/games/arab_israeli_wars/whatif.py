"""What if: the next column, and one unit more or less."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from assistant.attack import Answer
from assistant.games.arab_israeli_wars.battle import could_fire
from assistant.games.arab_israeli_wars.combat import expected, worked_out
from assistant.games.arab_israeli_wars.fire import Fire, fire
from assistant.games.arab_israeli_wars.forces import Battle, Fighter, Looks, every_look
from scenarios.tables import Table
from scenarios.tables import odds as odds_of


class Next(NamedTuple):
    """The columns around the one reached: what the next would take, and what could be spared without falling back."""

    column: str
    """The next column; "" at the last one."""
    needed: Fraction
    spare: Fraction


class Change(NamedTuple):
    """The attack with one unit more or less."""

    fighter: Fighter
    added: bool
    strength: Fraction
    column: str | None
    kills: Fraction
    """Eliminated on average."""
    hurt: Fraction
    """Dispersed on average."""


def next_column(table: Table, answer: Answer) -> Next | None:
    """How many effective points more reach the next column, shifts included (Basic VI.A.1.b, Standard II.D.4.c)."""
    if answer.defense_strength is None or table.columns.kind != "odds":
        return None
    labels = table.columns.labels
    starts = [odds_of(text) * answer.defense_strength for text in labels]
    here = max((i for i, start in enumerate(starts) if start <= answer.attack_strength), default=-1)
    ends = [table.shifted(i, answer.shift) for i in range(len(labels))]
    above = next((i for i in range(here + 1, len(labels)) if here < 0 or ends[i] != ends[here]), None)
    least = next((i for i in range(here + 1) if ends[i] == ends[here]), 0)
    return Next(
        labels[ends[above]] if above is not None else "",
        starts[above] - answer.attack_strength if above is not None else Fraction(0),
        answer.attack_strength - starts[least] if here >= 0 else Fraction(0),
    )


def changes(held: Fire, looks: Looks | None) -> tuple[Change, ...]:
    """What adding each other unit that may join, or dropping each that fires, would change. Units that are alike in
    every way are told of once."""
    battle = held.battle
    found: list[Change] = []
    for firer in _different(_joining(battle, looks)):
        found.append(_changed(replace(battle, firers=(*battle.firers, firer)), firer, True, looks))
    if len(battle.firers) > 1:
        for firer in _different(battle.firers):
            rest = list(battle.firers)
            rest.remove(firer)
            found.append(_changed(replace(battle, firers=tuple(rest)), firer, False, looks))
    return tuple(sorted(found, key=lambda change: (not change.added, -change.kills, -change.hurt, change.fighter.unit)))


def _different(fighters: Iterable[Fighter]) -> list[Fighter]:
    known: dict[tuple[object, ...], Fighter] = {}
    for one in fighters:
        known.setdefault((one.unit, one.nation, one.at, one.states, tuple(one.told.items()), one.name), one)
    return list(known.values())


def _joining(battle: Battle, looks: Looks | None) -> list[Fighter]:
    """The other units that may take part in the same attack."""
    others = tuple(could_fire(battle)) if battle.everyone and battle.kind in battle.game.attacks else ()
    if not others or not battle.targets or battle.kind in ("minefield", "air_strike"):
        return []
    asked = replace(battle, firers=others)
    _, refused = worked_out(asked, every_look(asked, looks))
    return [one for i, one in enumerate(others) if ("firers", i) not in refused]


def _changed(battle: Battle, fighter: Fighter, added: bool, looks: Looks | None) -> Change:
    held = fire(battle, looks, anyway=True)
    group = battle.shape.attackers
    told = [unit for unit in held.answers[0].units if unit.group == group]
    own = told[-1].value if added else Fraction(0)
    return Change(fighter, added, own, held.answers[0].column, *expected(held.together))

"""What every pack answers: its attacks in words, bare strengths, tables, throws."""

from __future__ import annotations

import random

from scenarios.model.attacks import Attack, AttackInput, input_kind
from scenarios.model.game import Game
from tests.net.draw.sheet import Sheet

ATTACKS = 40
"""How often each attack is asked in words."""


def packs(sheet: Sheet) -> None:
    """All attacks in words, all tables, some bare strengths and throws."""
    game = sheet.game
    for name, attack in game.attacks.items():
        rng = random.Random(f"{game.id} {name}")
        for _ in range(ATTACKS):
            sheet.ask("declared", words=" ".join([name, *_words(rng, game, attack)]))
    for name, table in game.tables.items():
        sheet.ask("table", table=name)
        for column in table.columns.labels if table.dice else ():
            sheet.ask("table", table=name, column=column)
        for row in () if table.dice else table.cells:
            sheet.ask("table", table=name, row=row)
        if table.dice:
            for shift in (-2, 1):
                sheet.ask("table", table=name, column=table.columns.labels[-1], shift=shift, die=shift)
            sheet.ask("roll", what=name, column=table.columns.labels[0], seed=1967, times=6)
    for words in ("11:3", "3:11", "7:2 shift=-1", "1:1 die=1", "25", "3-1", "250-300", "40 shift=1", "9:0"):
        sheet.ask("bare", words=words)
    sheet.ask("roll", what="2d6", seed=1956, times=8)


def _words(rng: random.Random, game: Game, attack: Attack) -> list[str]:
    """Units and inputs, mostly of the right kind."""
    units = [unit for unit in game.units.values() if attack_factor(game, unit.id)]
    sides = rng.sample(list(game.sides), len(game.sides))
    words = []
    for number, (name, group) in enumerate(attack.groups.items()):
        pool = [unit.id for unit in units if unit.side == sides[number % len(sides)]]
        pool += [marker for marker in game.markers if name == "mine"]
        unit_words = []
        for unit in rng.choices(pool, k=rng.randint(0 if rng.random() < 0.1 else 1, 3)):
            states = [state for state in game.states if rng.random() < 0.06]
            inputs = [f"{key}={_value(rng, game, shape)}" for key, shape in group.inputs.items() if rng.random() < 0.6]
            unit_words.append(":".join(["+".join([unit, *states]), *inputs]))
        words.append(f"{name}={','.join(unit_words)}")
    words += [f"{key}={_value(rng, game, shape)}" for key, shape in attack.inputs.items() if rng.random() < 0.5]
    return words


def attack_factor(game: Game, unit: str) -> bool:
    """Whether a unit has any number printed on it."""
    return bool(game.units[unit].factors)


def _value(rng: random.Random, game: Game, shape: AttackInput) -> str:
    kind = input_kind(shape, tuple(game.terrain))
    if kind.base == "flag":
        return rng.choice(("yes", "no"))
    if shape.read == "year" and (span := game.year_span()) is not None:
        return str(rng.choice((span[0], 1967, 1970, span[1])))
    if kind.base == "number":
        return str(rng.choice((1, 1, 2, 3, 4, 5, 1967)))
    return rng.choice(sorted(kind.choices or {"none"}))

"""The chances of each result, column by column and die modifier by die modifier, as a constant of the module for each table."""

from __future__ import annotations

from fractions import Fraction

from modgen.vmod.beanshell import text_of
from modgen.vmod.rolls import dies, plain
from modgen.vmod.xml import MODULE, Part
from scenarios.dice import dice
from scenarios.game import Game
from scenarios.tables import Table


def name(table: str) -> str:
    """What a table's chances are called."""
    return f"Chances_{table}"


def modifiers(table: Table) -> range:
    """Every die modifier that can differ from the next."""
    thrown, rows = dice(table.dice), dies(table)
    return range(rows[0] - max(thrown), rows[-1] - min(thrown) + 1)


def chances(table: Table, column: int, modifier: int) -> dict[str, Fraction]:
    """The chance of each result in a column, likeliest first."""
    found: dict[str, Fraction] = {}
    for thrown, chance in dice(table.dice).items():
        code = table.cell(thrown + modifier, column).code
        found[code] = found.get(code, Fraction(0)) + chance
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def listed(table: Table) -> str:
    """All of them in one text: |0;-1=D1 50%, D2 17%|0;0=..."""
    rows = []
    for column in range(len(table.columns.labels)):
        for modifier in modifiers(table):
            held = chances(table, column, modifier)
            rows.append(
                f"{column};{modifier}=" + ", ".join(f"{plain(code)} {float(100 * c):.0f}%" for code, c in held.items())
            )
    return "|".join(["", *rows, ""])


def messages(game: Game) -> list[Part]:
    """A constant for each table that an attack is thrown on."""
    used = dict.fromkeys(attack.table for attack in game.attacks.values())
    return [
        Part(
            MODULE + "properties.GlobalTranslatableMessage",
            name=name(key),
            initialValue=listed(game.tables[key]),
            description="Chances",
        )
        for key in used
        if game.tables[key].dice
    ]


def key(table: Table, column: str, modifier: str) -> str:
    """An expression for where the chances of a column with a die modifier begin."""
    span = modifiers(table)
    return f'"|"+{column}+";"+(int)Math.round(Math.max({span[0]}.0,Math.min({span[-1]}.0,{modifier})))+"="'


def told(table: str, held: str) -> str:
    """An expression for the chances whose key a property holds."""
    text, start = text_of(name(table)), f"{text_of(name(table))}.indexOf({text_of(held)})"
    return f'({start}<0?"":{text}.substring({start}+{text_of(held)}.length(),{text}.indexOf("|",{start}+1)))'

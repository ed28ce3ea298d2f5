"""The chances of each result for each column and die modifier. Each table has one constant of the module."""

from __future__ import annotations

from fractions import Fraction

from modgen.vmod.battle.beanshell import text_of
from modgen.vmod.battle.rolls import dies, plain_code
from modgen.vmod.files.xml import MODULE, XmlPart
from scenarios.model.dice import dice
from scenarios.model.game import Game
from scenarios.model.tables import Table


def name(table: str) -> str:
    """The name of the constant with a table's chances."""
    return f"Chances_{table}"


def modifiers(table: Table) -> range:
    """Every die modifier whose chances can differ from the next one's."""
    totals, rows = dice(table.dice), dies(table)
    return range(rows[0] - max(totals), rows[-1] - min(totals) + 1)


def chances(table: Table, column: int, modifier: int) -> dict[str, Fraction]:
    """The chance of each result in a column, likeliest first."""
    result_chances: dict[str, Fraction] = {}
    for total, chance in dice(table.dice).items():
        code = table.cell(total + modifier, column).code
        result_chances[code] = result_chances.get(code, Fraction(0)) + chance
    return dict(sorted(result_chances.items(), key=lambda item: -item[1]))


def chance_list(table: Table) -> str:
    """All chances of a table in one text: |0;-1=D1 50%, D2 17%|0;0=..."""
    rows = []
    for column in range(len(table.columns.labels)):
        for modifier in modifiers(table):
            result_chances = chances(table, column, modifier)
            rows.append(
                f"{column};{modifier}="
                + ", ".join(f"{plain_code(code)} {float(100 * c):.0f}%" for code, c in result_chances.items())
            )
    return "|".join(["", *rows, ""])


def messages(game: Game) -> list[XmlPart]:
    """A constant for each table that an attack rolls on."""
    used = dict.fromkeys(attack.table for attack in game.attacks.values())
    return [
        XmlPart(
            MODULE + "properties.GlobalTranslatableMessage",
            name=name(key),
            initialValue=chance_list(game.tables[key]),
            description="Chances",
        )
        for key in used
        if game.tables[key].dice
    ]


def key(table: Table, column: str, modifier: str) -> str:
    """An expression for the key under which the chances of a column with a die modifier begin."""
    span = modifiers(table)
    return f'"|"+{column}+";"+(int)Math.round(Math.max({span[0]}.0,Math.min({span[-1]}.0,{modifier})))+"="'


def chances_expression(table: str, key_property: str) -> str:
    """An expression for the chances whose key a property holds."""
    text, start = text_of(name(table)), f"{text_of(name(table))}.indexOf({text_of(key_property)})"
    return f'({start}<0?"":{text}.substring({start}+{text_of(key_property)}.length(),{text}.indexOf("|",{start}+1)))'

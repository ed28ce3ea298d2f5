"""Rolls on tables: each table with dice has an entry in the Roll menu that asks for the column, throws and tells."""

from __future__ import annotations

from modgen.vmod.beanshell import number_of, text_of
from modgen.vmod.buttons import TAKEN, Buttons, ask, bare, change, choose, distinct, menu, press, prop, set_to
from modgen.vmod.icons import icon
from modgen.vmod.traits import named
from modgen.vmod.xml import Part
from scenarios.dice import DICE, dice
from scenarios.game import Game
from scenarios.tables import Table

MODIFIER = "roll_modifier"
ENTRY = "Die modifier of the next roll"


def throw(thrown: str) -> str:
    """A throw as an expression."""
    match = DICE.fullmatch(thrown)
    assert match
    return "+".join([f"Random({match[2]})"] * int(match[1] or 1))


def dies(table: Table) -> range:
    """Every modified throw that can differ: one beyond the lowest and the highest row at least."""
    bounds = [int(end) for _, held in table._spans for end in held if end is not None]
    known = [*bounds, *dice(table.dice)]
    return range(min(known) - 1, max(known) + 2)


def plain(code: str) -> str:
    """A code that can stand in a list."""
    return bare(code).replace(";", ",")


def code_of(table: Table, column: str, die: str) -> str:
    """An expression for the code in a column (by its number) and the row of a die; `none` where there is no column."""
    rows = dies(table)
    codes = [plain(table.cell(row, i).code) for i in range(len(table.columns.labels)) for row in rows]
    row = f"Math.max({rows[0]}.0,Math.min({rows[-1]}.0,{die})){-rows[0]:+}.0"
    place = f"(int)Math.round({column}*{len(rows)}.0+{row})"
    return f'{column}<0?"none":"{";".join(codes)};".split(";")[{place}]'


def result(table: Table, code: str) -> str:
    """An expression for a result and what it means, where the table says; a dash that means something isn't shown."""
    told = "".join(
        f'"{plain(key)}".equals({code})?"<b>{bare(outcome.meaning if key == "-" else plain(key) + ":")}</b>'
        f'{"" if key == "-" else " " + bare(outcome.meaning)}":'
        for key, outcome in table.results.items()
        if outcome.meaning
    )
    return f'({told}"<b>"+{code}+"</b>")'


def column_index(table: Table, name: str) -> str:
    """An expression for the number of the column whose label a property holds."""
    labels = table.columns.labels
    chained = "".join(f'"{bare(label)}".equals({text_of(name)})?{i}.0:' for i, label in enumerate(labels[:-1]))
    return f"({chained}{len(labels) - 1}.0)"


def entries(game: Game) -> dict[str, str]:
    """What the Roll menu calls each table with dice."""
    taken = {*TAKEN, ENTRY}
    return {key: distinct(bare(table.title), taken, key) for key, table in game.tables.items() if table.dice}


def rolls(game: Game) -> Buttons:
    """The global properties and the buttons of the Roll menu."""
    props: list[Part] = []
    buttons: list[Part] = []
    named_rolls = entries(game)
    spent: list[Part] = []
    for key, item in named_rolls.items():
        table = game.tables[key]
        labels = [bare(label) for label in table.columns.labels]
        die, column = f"die_{key}", f"column_{key}"
        keys: list[str] = []
        where, index, answered = '""', "0.0", ""
        if len(labels) > 1:
            title = bare(table.column_title or table.columns.kind.capitalize())
            asking, forgetting = named(f"column-{key}"), named(f"no-column-{key}")
            asked = change(asking, choose(f"{title}:", labels))
            props.append(prop(column, "", asked, change(forgetting, set_to(""))))
            keys += [forgetting, asking]
            answered = f'!{text_of(column)}.equals("")'
            where, index = f'", column <b>"+{text_of(column)}+"</b>"', column_index(table, column)
        thrown = number_of(die)
        modifier = f'({text_of(MODIFIER)}.matches("[+-]?[0-9]+")?{number_of(MODIFIER)}:0.0)'
        # A question that is cancelled leaves no column: nothing is thrown and nothing told then.
        thrown_so = f"{answered}?{throw(table.dice)}:{text_of(die)}" if answered else throw(table.dice)
        props.append(prop(die, "1", change(named(f"throw-{key}"), set_to("{" + thrown_so + "}"))))
        code = code_of(table, index, f"{thrown}+{modifier}")
        props.append(prop(f"code_{key}", "", change(named(f"code-{key}"), set_to("{" + code + "}"))))
        found = text_of(f"code_{key}")
        changed = f'({modifier}==0?"":({modifier}>0?" +":" ")+(int){modifier}+" = "+(int)({thrown}+{modifier}))'
        told_so = f'"|<b>{item}</b>"+{where}+": {table.dice} = "+{text_of(die)}+{changed}+": "+{result(table, found)}'
        report = f'{{{answered}?{told_so}:""}}' if answered else f"{{{told_so}}}"
        forget = named(f"unmodified-{key}")
        spent.append(change(forget, set_to(f'{{{answered}?"0":{text_of(MODIFIER)}}}' if answered else "0")))
        told = [named(f"throw-{key}"), named(f"code-{key}"), named(f"tell-{key}"), forget]
        buttons.append(press(item, [*keys, *told], text=item))
        buttons.append(press(f"Tell {item}", [], stroke=named(f"tell-{key}"), report=report))
    if not named_rolls:
        return [], []
    asked = change(
        named("roll-modifier"), ask("Added to the die (a whole number):"), ENTRY, f"|{ENTRY}: <b>$newValue$</b>"
    )
    props.append(prop(MODIFIER, "0", asked, *spent))
    return props, [*buttons, *menu("Roll", [*named_rolls.values(), ENTRY], "Roll on a table", icon("roll"))]

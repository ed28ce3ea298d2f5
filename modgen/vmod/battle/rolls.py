"""Rolls on tables. Each table with dice has an entry in the Roll menu: it asks for the column, rolls and reports."""

from __future__ import annotations

from modgen.vmod.battle.beanshell import number_of, text_of
from modgen.vmod.files.buttons import (
    ENGINE_PROPERTIES,
    Buttons,
    ask,
    change,
    choose,
    distinct,
    menu,
    plain_text,
    press,
    prop,
    set_to,
)
from modgen.vmod.files.xml import XmlPart
from modgen.vmod.maps.icons import icon
from modgen.vmod.pieces.traits import named_key
from scenarios.model.dice import DICE, dice
from scenarios.model.game import Game
from scenarios.model.tables import Table

MODIFIER = "roll_modifier"
ENTRY = "Die modifier of the next roll"


def throw(dice_text: str) -> str:
    """A roll as an expression."""
    match = DICE.fullmatch(dice_text)
    assert match
    return "+".join([f"Random({match[2]})"] * int(match[1] or 1))


def dies(table: Table) -> range:
    """Every modified roll that can give a different row, and at least one beyond the lowest and the highest row."""
    bounds = [int(end) for _, row_span in table._spans for end in row_span if end is not None]
    totals = [*bounds, *dice(table.dice)]
    return range(min(totals) - 1, max(totals) + 2)


def plain_code(code: str) -> str:
    """A code that is safe in a list."""
    return plain_text(code).replace(";", ",")


def code_of(table: Table, column: str, die: str) -> str:
    """An expression for the code in a column (by its number) and the row of a die roll; `none` without a column."""
    rows = dies(table)
    codes = [plain_code(table.cell(row, i).code) for i in range(len(table.columns.labels)) for row in rows]
    row = f"Math.max({rows[0]}.0,Math.min({rows[-1]}.0,{die})){-rows[0]:+}.0"
    place = f"(int)Math.round({column}*{len(rows)}.0+{row})"
    return f'{column}<0?"none":"{";".join(codes)};".split(";")[{place}]'


def result(table: Table, code: str) -> str:
    """An expression for a result and its meaning, if the table gives one. A dash that has a meaning isn't shown."""
    cases = "".join(
        f'"{plain_code(key)}".equals({code})?"<b>{plain_text(outcome.meaning if key == "-" else plain_code(key) + ":")}</b>'
        f'{"" if key == "-" else " " + plain_text(outcome.meaning)}":'
        for key, outcome in table.results.items()
        if outcome.meaning
    )
    return f'({cases}"<b>"+{code}+"</b>")'


def column_index(table: Table, name: str) -> str:
    """An expression for the number of the column whose label is in a property."""
    labels = table.columns.labels
    cases = "".join(f'"{plain_text(label)}".equals({text_of(name)})?{i}.0:' for i, label in enumerate(labels[:-1]))
    return f"({cases}{len(labels) - 1}.0)"


def entries(game: Game) -> dict[str, str]:
    """The Roll menu's entry for each table with dice."""
    used_texts = {*ENGINE_PROPERTIES, ENTRY}
    return {key: distinct(plain_text(table.title), used_texts, key) for key, table in game.tables.items() if table.dice}


def rolls(game: Game) -> Buttons:
    """The global properties and the buttons of the Roll menu."""
    props: list[XmlPart] = []
    buttons: list[XmlPart] = []
    named_rolls = entries(game)
    modifier_resets: list[XmlPart] = []
    for key, item in named_rolls.items():
        table = game.tables[key]
        labels = [plain_text(label) for label in table.columns.labels]
        die, column = f"die_{key}", f"column_{key}"
        keys: list[str] = []
        column_text, index, answer_test = '""', "0.0", ""
        if len(labels) > 1:
            title = plain_text(table.column_title or table.columns.kind.capitalize())
            asking, forgetting = named_key(f"column-{key}"), named_key(f"no-column-{key}")
            prompt = change(asking, choose(f"{title}:", labels))
            props.append(prop(column, "", prompt, change(forgetting, set_to(""))))
            keys += [forgetting, asking]
            answer_test = f'!{text_of(column)}.equals("")'
            column_text, index = f'", column <b>"+{text_of(column)}+"</b>"', column_index(table, column)
        die_value = number_of(die)
        modifier = f'({text_of(MODIFIER)}.matches("[+-]?[0-9]+")?{number_of(MODIFIER)}:0.0)'
        # A player who cancels the question chooses no column. Then the button neither rolls nor reports.
        thrown_so = f"{answer_test}?{throw(table.dice)}:{text_of(die)}" if answer_test else throw(table.dice)
        props.append(prop(die, "1", change(named_key(f"throw-{key}"), set_to("{" + thrown_so + "}"))))
        code = code_of(table, index, f"{die_value}+{modifier}")
        props.append(prop(f"code_{key}", "", change(named_key(f"code-{key}"), set_to("{" + code + "}"))))
        result_code = text_of(f"code_{key}")
        modifier_text = (
            f'({modifier}==0?"":({modifier}>0?" +":" ")+(int){modifier}+" = "+(int)({die_value}+{modifier}))'
        )
        told_so = f'"|<b>{item}</b>"+{column_text}+": {table.dice} = "+{text_of(die)}+{modifier_text}+": "+{result(table, result_code)}'
        report = f'{{{answer_test}?{told_so}:""}}' if answer_test else f"{{{told_so}}}"
        forget = named_key(f"unmodified-{key}")
        modifier_resets.append(
            change(forget, set_to(f'{{{answer_test}?"0":{text_of(MODIFIER)}}}' if answer_test else "0"))
        )
        keystrokes = [named_key(f"throw-{key}"), named_key(f"code-{key}"), named_key(f"tell-{key}"), forget]
        buttons.append(press(item, [*keys, *keystrokes], text=item))
        buttons.append(press(f"Tell {item}", [], stroke=named_key(f"tell-{key}"), report=report))
    if not named_rolls:
        return [], []
    prompt = change(
        named_key("roll-modifier"), ask("Added to the die (a whole number):"), ENTRY, f"|{ENTRY}: <b>$newValue$</b>"
    )
    props.append(prop(MODIFIER, "0", prompt, *modifier_resets))
    return props, [*buttons, *menu("Roll", [*named_rolls.values(), ENTRY], "Roll on a table", icon("roll"))]

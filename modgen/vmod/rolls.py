"""Rolls on tables: each table with dice has an entry in the Roll menu that asks for the column, throws and tells."""

from __future__ import annotations

import re

from modgen.vmod.traits import named
from modgen.vmod.xml import MODULE, Part
from scenarios.dice import DICE
from scenarios.game import Game
from scenarios.tables import Table
from scenarios.vassal.sequence import join

Buttons = tuple[list[Part], list[Part]]


def bare(words: str) -> str:
    """A text that can stand in an expression and a report: without quotes, dollar signs and braces."""
    return re.sub(r"[\"\\{}$|]", "", " ".join(words.split()))


def prop(name: str, value: str, *buttons: Part) -> Part:
    """A global property, with the hidden buttons that change it."""
    return Part(
        MODULE + "properties.GlobalProperty",
        *buttons,
        name=name,
        initialValue=value,
        description="",
        isNumeric=False,
        min="",
        max="",
        wrap=False,
    )


def change(stroke: str, changer: str, text: str = "", report: str = "") -> Part:
    """A button that changes the property it is in; without a text it is only a keystroke."""
    return Part(
        MODULE + "properties.ChangePropertyButton",
        text=text,
        tooltip="",
        icon="",
        hotkey=stroke,
        propChanger=changer,
        reportFormat=report,
        desc="",
    )


def set_to(value: str) -> str:
    """A change to a value or expression."""
    return join(["P", value], ",")


def choose(prompt: str, values: list[str]) -> str:
    """A change to what the player chooses from a list."""
    return join(["E", prompt, join(values, ",")], ",")


def ask(prompt: str) -> str:
    """A change to what the player types."""
    return join(["R", prompt], ",")


def press(name: str, keys: list[str], text: str = "", stroke: str = "", report: str = "") -> Part:
    """A button that tells something, then presses other keys."""
    return Part(
        MODULE + "DoActionButton",
        name=name,
        text=text,
        tooltip=name,
        icon="",
        hotkey=stroke,
        doReport=bool(report),
        reportFormat=report,
        doSound=False,
        soundClip="",
        doHotkey=bool(keys),
        hotkeys=join(keys, ","),
        doLoop=False,
        loopType="counted",
        loopCount=1,
        whileExpression="",
        untilExpression="",
        preLoopKey="",
        postLoopKey="",
        index=False,
        indexProperty="",
        indexStart=1,
        indexStep=1,
    )


def menu(title: str, items: list[str], tooltip: str) -> list[Part]:
    """A menu of buttons, by their texts."""
    if not items:
        return []
    return [
        Part(
            MODULE + "ToolbarMenu",
            description=title,
            text=title,
            tooltip=tooltip,
            icon="",
            hotkey="",
            menuItems=join(items, ","),
        )
    ]


def throw(dice: str) -> str:
    """A throw as an expression."""
    match = DICE.fullmatch(dice)
    assert match
    return "+".join([f"Random({match[2]})"] * int(match[1] or 1))


def cell_text(table: Table, column: str, die: str) -> str:
    """An expression for what stands in a column (by its number) and the row of a die: the code and its meaning."""
    rows = sorted(table._spans, key=lambda pair: (pair[1].low is not None, pair[1].low or 0))
    columns = []
    for i in range(len(table.columns.labels)):
        told = ""
        for n, (label, span) in enumerate(rows):
            code = table.cells[label][i]
            meaning = table.results[code].meaning if code in table.results else ""
            text = f'"{bare(code)}{": " + bare(meaning) if meaning else ""}"'
            told += text if n == len(rows) - 1 else f"{die}<={span.high if span.high is not None else span.low}?{text}:"
        columns.append(f"({told})")
    chained = ""
    for i, told in enumerate(columns):
        chained += told if i == len(columns) - 1 else f"{column}=={i}?{told}:"
    return f"({chained})"


def column_index(table: Table, name: str) -> str:
    """An expression for the number of the column whose label a property holds."""
    chained = ""
    labels = table.columns.labels
    for i, label in enumerate(labels):
        chained += str(i) if i == len(labels) - 1 else f'String.valueOf({name}).equals("{bare(label)}")?{i}:'
    return f"({chained})"


def rolls(game: Game) -> Buttons:
    """The global properties and the buttons of the Roll menu."""
    props: list[Part] = []
    buttons: list[Part] = []
    items: list[str] = []
    for key, table in game.tables.items():
        if not table.dice:
            continue
        labels = [bare(label) for label in table.columns.labels]
        die, column = f"die_{key}", f"column_{key}"
        props.append(prop(die, "1", change(named(f"throw-{key}"), set_to("{" + throw(table.dice) + "}"))))
        keys = []
        if len(labels) > 1:
            title = bare(table.column_title or table.columns.kind.capitalize())
            props.append(prop(column, labels[0], change(named(f"column-{key}"), choose(f"{title}:", labels))))
            keys.append(named(f"column-{key}"))
        index = column_index(table, column) if len(labels) > 1 else "0"
        where = f'", column "+{column}+' if len(labels) > 1 else '"'
        where = where if len(labels) > 1 else '""+'
        report = f'{{"{bare(table.title)}"+{where}", {table.dice} = "+{die}+" -> "+{cell_text(table, index, die)}}}'
        item = bare(table.title)
        items.append(item)
        buttons.append(press(item, [*keys, named(f"throw-{key}"), named(f"tell-{key}")], text=item))
        buttons.append(press(f"Tell {item}", [], stroke=named(f"tell-{key}"), report=report))
    return props, [*buttons, *menu("Roll", items, "Roll on a table")]

"""Buttons, menus and properties of a module, and the texts that they may contain."""

from __future__ import annotations

import re

from modgen.vmod.files.xml import MODULE, XmlPart
from scenarios.vassal.sequence import join

Buttons = tuple[list[XmlPart], list[XmlPart]]
"""Properties, and the buttons that belong to them."""

ADVICE = ("Movement of the selected units", "Supply of the selected units", "Retreat of the selected units")
"""The menu's questions about the selected units."""
ENGINE_PROPERTIES = (
    *("Retire", "Turn", "Pieces", "Clean-up", "Set-up", "Tracks", "Charts", "Roll", "Conditions", "Battle", "Sight"),
    *("Odds", "Attack", "Resolve anyway", "End the battle", "Marks after an attack"),
    *("Ask", *ADVICE),
)
"""Button texts that every module may have. A menu finds its entries by their texts, so no other button may use one of these."""


def distinct(words: str, used_texts: set[str], addition: str = "") -> str:
    """A button text that no other button has. A repeated text gets an addition, or else a number."""
    tries = (words, *([f"{words} ({addition})"] if addition else []), *(f"{words} ({n})" for n in range(2, 999)))
    button_text = next(candidate for candidate in tries if candidate not in used_texts)
    used_texts.add(button_text)
    return button_text


def plain_text(words: str) -> str:
    """A text that is safe in an expression and a report: without quotes, dollar signs and braces."""
    return re.sub(r"[\"\\{}$|]", "", " ".join(words.split()))


def prop(name: str, value: str, *buttons: XmlPart) -> XmlPart:
    """A global property, with the hidden buttons that change it."""
    return XmlPart(
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


def change(stroke: str, changer: str, text: str = "", report: str = "") -> XmlPart:
    """A button that changes the property that contains it. Without a text it is only a keystroke."""
    return XmlPart(
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
    """A change to a value or the value of an expression."""
    return join(["P", value], ",")


def choose(prompt: str, values: list[str]) -> str:
    """A change to the player's choice from a list."""
    return join(["E", prompt, join(values, ",")], ",")


def ask(prompt: str) -> str:
    """A change to the text that the player types."""
    return join(["R", prompt], ",")


def press(
    name: str,
    keys: list[str],
    text: str = "",
    stroke: str = "",
    report: str = "",
    tooltip: str = "",
    picture: str = "",
    condition: str = "",
) -> XmlPart:
    """A button that writes a report, then presses other keys. It does both only if the expression `condition` is true."""
    return XmlPart(
        MODULE + "DoActionButton",
        name=name,
        text=text,
        tooltip=tooltip or name,
        icon=picture,
        hotkey=stroke,
        doReport=bool(report),
        reportFormat=report,
        doSound=False,
        soundClip="",
        doHotkey=bool(keys),
        hotkeys=join(keys, ","),
        doLoop=bool(condition),
        loopType="counted",
        loopCount=f"{{{condition}?1:0}}" if condition else 1,
        whileExpression="",
        untilExpression="",
        preLoopKey="",
        postLoopKey="",
        index=False,
        indexProperty="",
        indexStart=1,
        indexStep=1,
    )


def tool(kind: str, tooltip: str, hotkey: str = "", **attributes: str) -> XmlPart:
    """A button that the engine provides, with a picture and no text."""
    return XmlPart(MODULE + kind, buttonText="", tooltip=tooltip, hotkey=hotkey, **attributes)


def menu(title: str, items: list[str], tooltip: str, picture: str = "") -> list[XmlPart]:
    """A menu of buttons, listed by their texts."""
    if not items:
        return []
    return [
        XmlPart(
            MODULE + "ToolbarMenu",
            description=title,
            text=title,
            tooltip=tooltip,
            icon=picture,
            hotkey="",
            menuItems=join(items, ","),
        )
    ]


def folder(name: str, description: str, *parts: XmlPart, kind: str = "ModuleSubFolder") -> XmlPart:
    """Parts in a named folder of the editor's tree."""
    return XmlPart(MODULE + f"folder.{kind}", *parts, name=name, desc=description)


def matching(name: str, value: str, mode: str = "EQUALS") -> str:
    """A fast match: the engine checks one property of a piece, and evaluates an expression only if it matches."""
    return join(["MODULE", "false", "MAP", "", "", "", "", "0", "0", "", "true", name, value, mode, "", ""], "|")


def all_units(
    stroke: str, condition: str, command_key: str, parameters: list[tuple[str, str]], match: str = ""
) -> XmlPart:
    """A command to units: each unit first computes the parameters, then receives a keystroke."""
    parameter_list = join([join([name, value], ":") for name, value in parameters], ",")
    return XmlPart(
        MODULE + "GlobalKeyCommand",
        name=f"Units {stroke.rpartition(',')[2]}",
        buttonText="",
        tooltip="",
        icon="",
        buttonHotkey=stroke,
        hotkey=command_key,
        **({"target": match} if match else {}),
        filter=condition,
        deckCount=0,
        reportSingle=False,
        reportFormat="",
        parameters=parameter_list,
        suppressSounds=False,
    )

"""Conditions of a battle: a property for every input of a player, and a menu to change it."""

from __future__ import annotations

import re

from modgen.vmod.battle.attack_rules import rule_inputs
from modgen.vmod.files.buttons import Buttons, change, distinct, menu, plain_text, press, prop, set_to
from modgen.vmod.files.xml import XmlPart
from modgen.vmod.maps.icons import icon
from modgen.vmod.pieces.fighting import USUAL, changer
from modgen.vmod.pieces.traits import named_key
from scenarios.model.attacks import AttackInput
from scenarios.model.game import Game

MAX_VALUES = 9
"""With more conditions than this, each attack has its own menu."""


def inputs_by_name(game: Game, keys: list[str]) -> dict[str, list[AttackInput]]:
    """All inputs of these attacks, of the battle, of its units or of the rules about attackers, by name."""
    shapes: dict[str, list[AttackInput]] = {}
    for key in keys:
        attack = game.attacks[key]
        input_groups = [attack.inputs, *(group.inputs for group in attack.groups.values())]
        input_groups.append(rule_inputs(game, key))
        for name, shape in (pair for group_inputs in input_groups for pair in group_inputs.items()):
            shapes.setdefault(name, []).append(shape)
    return shapes


def conditions(game: Game, keys: list[str], used_texts: set[str]) -> Buttons:
    """The properties, the menu (by attack, if there are many inputs), and the entry that resets all conditions."""
    props: list[XmlPart] = []
    items: dict[str, str] = {}
    resets: list[str] = []
    for name, shapes in inputs_by_name(game, keys).items():
        title = distinct(re.sub(r" \(ruling [^)]*\)|[;:]", "", plain_text(shapes[0].title)), used_texts, name)
        reset = named_key(f"usual-{name}")
        answer_change = change("", changer(game, shapes, title), title, f"|{title}: <b>$newValue$</b>")
        props.append(prop(f"told_{name}", USUAL, answer_change, change(reset, set_to(USUAL))))
        items[name] = title
        resets.append(reset)
    if not items:
        return [], []
    clear = distinct("Reset conditions", used_texts)
    buttons = [press(clear, resets, text=clear, report="|All conditions are reset.")]
    groups = {key: [items[name] for name in inputs_by_name(game, [key])] for key in keys}
    menu_entries = list(items.values())
    if len(items) > MAX_VALUES and len([group_titles for group_titles in groups.values() if group_titles]) > 1:
        titles = {
            key: distinct(plain_text(game.attacks[key].title), used_texts, "conditions") for key in keys if groups[key]
        }
        for key, title in titles.items():
            buttons += menu(title, groups[key], title)
        menu_entries = list(titles.values())
    return props, [
        *buttons,
        *menu(
            "Conditions",
            [clear, *menu_entries],
            "Conditions of this battle that differ from the default",
            icon("conditions"),
        ),
    ]

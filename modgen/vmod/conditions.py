"""What isn't as usual in a battle: a property for everything a player can tell, and a menu to change it."""

from __future__ import annotations

import re

from modgen.vmod.buttons import Buttons, bare, change, distinct, menu, press, prop, set_to
from modgen.vmod.fighters import USUAL, changer
from modgen.vmod.icons import icon
from modgen.vmod.traits import named
from modgen.vmod.xml import Part
from scenarios.attacks import Input
from scenarios.game import Game

MANY = 9
"""With more conditions than these each attack has a menu of its own."""


def told(game: Game, keys: list[str]) -> dict[str, list[Input]]:
    """Everything that is told in these attacks, of the battle or of its units, by name."""
    shapes: dict[str, list[Input]] = {}
    for key in keys:
        attack = game.attacks[key]
        listed = [attack.inputs, *(group.inputs for group in attack.groups.values())]
        for name, shape in (pair for held in listed for pair in held.items()):
            shapes.setdefault(name, []).append(shape)
    return shapes


def conditions(game: Game, keys: list[str], taken: set[str]) -> Buttons:
    """The properties, the menu (by attack, where there is much to tell), and the entry that sets all as usual."""
    props: list[Part] = []
    items: dict[str, str] = {}
    resets: list[str] = []
    for name, shapes in told(game, keys).items():
        title = distinct(re.sub(r" \(ruling [^)]*\)|[;:]", "", bare(shapes[0].title)), taken, name)
        reset = named(f"usual-{name}")
        asked = change("", changer(game, shapes, title), title, f"|{title}: <b>$newValue$</b>")
        props.append(prop(f"told_{name}", USUAL, asked, change(reset, set_to(USUAL))))
        items[name] = title
        resets.append(reset)
    if not items:
        return [], []
    clear = distinct("All as usual", taken)
    buttons = [press(clear, resets, text=clear, report="|All conditions are as usual.")]
    groups = {key: [items[name] for name in told(game, [key])] for key in keys}
    listed = list(items.values())
    if len(items) > MANY and len([held for held in groups.values() if held]) > 1:
        titles = {key: distinct(bare(game.attacks[key].title), taken, "conditions") for key in keys if groups[key]}
        for key, title in titles.items():
            buttons += menu(title, groups[key], title)
        listed = list(titles.values())
    return props, [
        *buttons,
        *menu("Conditions", [clear, *listed], "What isn't as usual in this battle", icon("conditions")),
    ]

"""What isn't as usual in a battle: a property for everything a player can tell, and a menu to change it."""

from __future__ import annotations

import re

from modgen.vmod.buttons import Buttons, bare, change, menu, press, prop, set_to
from modgen.vmod.fighters import USUAL, changer
from modgen.vmod.traits import named
from modgen.vmod.xml import Part
from scenarios.attacks import Input
from scenarios.game import Game


def told(game: Game, keys: list[str]) -> dict[str, list[Input]]:
    """Everything that is told in these attacks, of the battle or of its units, by name."""
    shapes: dict[str, list[Input]] = {}
    for key in keys:
        attack = game.attacks[key]
        listed = [attack.inputs, *(group.inputs for group in attack.groups.values())]
        for name, shape in (pair for held in listed for pair in held.items()):
            shapes.setdefault(name, []).append(shape)
    return shapes


def conditions(game: Game, keys: list[str]) -> Buttons:
    """The properties, the menu, and the entry that sets all as usual."""
    props: list[Part] = []
    items: list[str] = []
    resets: list[str] = []
    for name, shapes in told(game, keys).items():
        title = re.sub(r"[;:]", "", bare(shapes[0].title))
        title = title if title not in items else f"{title} ({name})"
        reset = named(f"usual-{name}")
        asked = change("", changer(game, shapes, title), title, f"|{title}: <b>$newValue$</b>")
        props.append(prop(f"told_{name}", USUAL, asked, change(reset, set_to(USUAL))))
        items.append(title)
        resets.append(reset)
    if not items:
        return [], []
    clear = "All as usual"
    buttons = [press(clear, resets, text=clear, report="|All conditions are as usual.")]
    return props, [*buttons, *menu("Conditions", [clear, *items], "What isn't as usual in this battle")]

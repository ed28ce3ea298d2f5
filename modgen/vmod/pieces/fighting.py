"""What a piece needs to fight: its role in the battle, the inputs for it alone, and slots for the values that it computes."""

from __future__ import annotations

import re

from modgen.vmod.battle.places import HEXSIDE_PROPERTY, OWN_PLACE, crossings, place_slot, place_slots
from modgen.vmod.files.buttons import ask, choose, plain_text, set_to
from modgen.vmod.files.keys import ATTACKER, DEFENDER, UNMARKED
from modgen.vmod.pieces import traits
from modgen.vmod.pieces.losses import leaving
from modgen.vmod.pieces.traits import named_key
from modgen.vmod.sight.sight_tables import read_here
from scenarios.model.attacks import Attack, AttackInput
from scenarios.model.game import Game
from scenarios.vassal.commands import Trait

COUNT_KEY, TELL = named_key("counted"), named_key("tell")
LARGEST, SMALLEST, IS_MARKED = named_key("largest"), named_key("smallest"), named_key("same")
TOTAL, LIST_KEY = named_key("total"), named_key("listed")
FOLDS = (LARGEST, SMALLEST, IS_MARKED, TOTAL, LIST_KEY)
"""The keystrokes that combine units' values into one answer: over all units, or over each place once with its first unit."""
BATTLE_KEYS = (COUNT_KEY, TELL, *FOLDS)
"""The keystrokes of a battle that only the outermost traits of a piece answer."""
DISMISS = named_key("dismiss")
"""Reports why a marked piece takes no part, and removes its mark."""
COMBAT = "Combat"
MENU = "In this battle"
USUAL = "default"
"""The answer that a player hasn't changed: what the map shows, or else the attack's own default."""
YES, NO = "yes", "no"
ROOM = 2
"""The number of slots is a multiple of this, so a pack can grow a little and its pieces stay the same."""


def counted_words(attack: Attack, group: str) -> int:
    """The number of answers and values that a unit of a group keeps."""
    shape = attack.groups[group]
    return len(shape.inputs) + len(shape.values)


def slots(game: Game) -> int:
    """The number of values that a unit can keep in a battle."""
    max_values = max(
        (counted_words(attack, group) for attack in game.attacks.values() for group in attack.groups), default=0
    )
    return max(ROOM, -(-max_values // ROOM) * ROOM)


def unit_inputs(game: Game) -> dict[str, list[AttackInput]]:
    """Every input for a single unit, in any attack."""
    shapes: dict[str, list[AttackInput]] = {}
    for attack in game.attacks.values():
        for group in attack.groups.values():
            for name, shape in group.inputs.items():
                shapes.setdefault(name, []).append(shape)
    return shapes


def answers(game: Game, shapes: list[AttackInput]) -> list[str]:
    """The answers that a player can choose from; none if a player types the answer."""
    if shapes[0].kind == "flag":
        return [USUAL, YES, NO]
    choices = [choice for shape in shapes for choice in shape.choices]
    spread = [answer for choice in choices for answer in (game.terrain if choice == "terrain" else (choice,))]
    labels = [answer if any(map(has_spaces, shapes)) else answer.replace("_", " ") for answer in spread]
    return [USUAL, *dict.fromkeys(labels)] if labels else []


def has_spaces(shape: AttackInput) -> bool:
    """Whether answers contain spaces. Answers that don't are shown with spaces in place of underscores."""
    return any(" " in choice for choice in shape.choices)


def changer(game: Game, shapes: list[AttackInput], title: str) -> str:
    """The command by which a player changes an answer."""
    choices = answers(game, shapes)
    return choose(title, choices) if choices else ask(f"{title} ({USUAL}, or a number)")


def _unit_commands(game: Game, support: bool) -> list[Trait]:
    """Commands for the inputs of one unit, in a submenu that only fighting units have. Support has only commands for its numbers."""
    own_traits: list[Trait] = []
    titles: list[str] = []
    strokes: list[str] = []
    for number, (name, shapes) in enumerate(unit_inputs(game).items(), 1):
        if support and all(shape.read != "support" for shape in shapes):
            continue
        title = re.sub(r"[;:]", "", plain_text(shapes[0].title))
        stroke = named_key(f"own{number}")
        titles.append(title)
        strokes.append(stroke)
        # The menu entry already names the input. A title in the question would double what each piece takes in a save.
        commands = [(title, stroke, changer(game, shapes, "Choose")), ("", UNMARKED, set_to(USUAL))]
        own_traits.append(traits.changing(f"own_{name}", USUAL, commands))
    if not own_traits:
        return []
    return [traits.hide_commands("Fighting only", "{Role==0}", strokes), traits.submenu(MENU, titles), *own_traits]


def answering() -> tuple[Trait, ...]:
    """Answers the keystrokes of a battle, outside all other traits of a piece. The next trait lets none of them further in:
    a layer and a property write down the whole piece before and after every keystroke that reaches them.
    """
    first = 'GetString("Best").equals("")'
    list_value = 'GetString("Best")+GetString("Fold")+GetString("side")+";"+GetString("nation")+";#"'
    folds = [
        ("", LARGEST, set_to(f"{{({first}||Fold>Best)?Fold:Best}}")),
        ("", SMALLEST, set_to(f"{{({first}||Fold<Best)?Fold:Best}}")),
        ("", TOTAL, set_to(f"{{{first}?Fold:Best+Fold}}")),
        ("", LIST_KEY, set_to(f'{{GetString("Best").contains(GetString("Fold"))?Best:{list_value}}}')),
        ("", IS_MARKED, set_to(f'{{{first}?Fold:(GetString("Best").startsWith(GetString("Fold"))?Best:Best+"*")}}')),
    ]
    return (
        traits.report([TELL, DISMISS], "$Told$"),
        traits.fold_commands("Best", folds),
    )


def fighting(game: Game, support: bool = False) -> tuple[Trait, ...]:
    """The traits of every piece that fights."""
    roles = [("Attacker", ATTACKER, "{Role==1?0:1}"), ("Defender", DEFENDER, "{Role==2?0:2}"), ("", UNMARKED, "0")]
    value_names = [f"value{n}" for n in range(1, slots(game) + 1)]
    return (
        traits.trigger([DISMISS, *leaving(game)], [UNMARKED]),
        *_unit_commands(game, support),
        traits.layer(COMBAT, ["", "attacker.png", "defender.png"], scale="0.5", follow="Role", first=0),
        traits.dynamic("Role", "0", roles),
        *(traits.dynamic(name, "0", []) for name in ("Strength", "Base", "Die", "Thrown", *value_names)),
        *(traits.dynamic(name, "", []) for name in ("Failure", "Result", "Told", "Fold", "Hexes")),
        *([traits.dynamic(HEXSIDE_PROPERTY, "", [])] if crossings(game) else []),
        *([traits.dynamic(OWN_PLACE, "", [])] if place_slots(game) else []),
        *(traits.dynamic(place_slot(number), "", []) for number in range(1, place_slots(game) + 1)),
        *([traits.dynamic("Sees", "", [])] if read_here(game) else []),
    )


def fights(game: Game, marker: str) -> bool:
    """Whether a marker can take part in a battle: it has a factor that some strength uses."""
    shapes = [shape for attack in game.attacks.values() for shape in attack.groups.values()]
    named_there = {word for shape in shapes if shape.strength for word in re.findall(r"\w+", shape.strength.text)}
    return bool(named_there & game.markers[marker].factors.keys())

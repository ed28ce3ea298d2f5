"""Every keystroke of a module in one place, so that none is used twice, with descriptions in words."""

from __future__ import annotations

from collections.abc import Iterator

from modgen.vmod.maps.zones import zone_of_control
from modgen.vmod.pieces.faces import counted_steps, loose_states, lower, ranges
from modgen.vmod.pieces.traits import ALT, CTRL, SHIFT, key, named_key
from modgen.vmod.sight.sight_tables import read_here
from modgen.vmod.sight.visibility import has_eyes
from scenarios.model.game import Game, phases

FLIP, ELIMINATE, RETURN_TO_PLAY = key("F"), key("E"), key("E", CTRL | SHIFT)
LOSS, RECOVER = key("L"), key("L", CTRL | SHIFT)
DELETE, CLONE, TRAIL, MARK_MOVED = key("D"), key("C"), key("T"), key("M")
ATTACKER, DEFENDER, UNMARKED = key("A"), key("B"), named_key("neither")
CONCEAL, ZONE, SEEN_KEY = key("K"), key("Z", ALT), key("V")
AREAS = (key("R"), key("R", CTRL | SHIFT), key("R", ALT))
"""A module can show up to three ranges of a game's counters."""
# Keys of the windows and the toolbar:
SETUP_KEY, BOXES_KEY, INVENTORY_KEY, PALETTE_KEY = key("D", ALT), key("B", ALT), key("I", ALT), key("K", ALT)
NEXT_KEY, PREVIOUS_KEY, CLEAN_UP_KEY = key("N", ALT), key("P", ALT), key("J", ALT)
OVERVIEW_KEY, HIDE_KEY, THREAD_KEY, UNMOVED_KEY = key("O", ALT), key("X", ALT), key("L", ALT), key("U", ALT)
GROUND_KEY, NOTES_KEY, CHARTS_KEY, SIGHT_KEY = key("G", ALT), key("M", ALT), key("C", ALT), key("V", ALT)
ZOOM_IN, ZOOM_OUT, LOOK = key("=", CTRL), key("-", CTRL), key(" ", CTRL)
ENGINE_KEYS = {
    key("S", ALT): "the server window",
    key("W", ALT): "begin a log file",
    key("W", ALT | SHIFT): "end a log file",
    "34,0": "next step of a log file",
    key("F", ALT): "the File menu",
    key("T", ALT): "the Tools menu",
    key("H", ALT): "the Help menu",
}
"""The keys that the engine itself uses in every module (3.7.26): those of its toolbar and its menus."""
GO, TRUE_SIZE, BEGIN = named_key("chores"), named_key("true-size"), named_key("begin")
OPEN_SETUP, SHOW_SETUP = named_key("open-setup"), named_key("show-setup")
SCENARIO_KEY, ADVICE_KEY = key("Q", ALT), key("A", ALT)
ARRIVAL, BOX_ARRIVAL, TURN_BEGINS, TURN_MARKER = (
    named_key("arrived"),
    named_key("boxed"),
    named_key("turn-begins"),
    named_key("turn-marker"),
)
"""The keystrokes that a piece receives when it is put down on the map or beside it, and those that move the turn marker."""
FRONT_KEY = key("Y", ALT)
"""Brings the map to the front."""


def engine_key(stroke: str) -> str:
    """The engine's own action for a keystroke; empty if the key is free."""
    return next(
        (purpose for engine_stroke, purpose in ENGINE_KEYS.items() if pressed(engine_stroke) == pressed(stroke)), ""
    )


def pressed(stroke: str) -> tuple[str, int]:
    """The key of a keystroke, and its Ctrl, Alt and Shift modifiers. Files may write the same keys in older notations."""
    code, _, modifiers = stroke.partition(",")
    return code, int(modifiers) & (128 | 512 | 64) if modifiers.isdecimal() else -1


def state_key(number: int) -> str:
    """The keystroke of a state with a badge: Alt and its number, as long as there are digits."""
    return key(str(number + 1), ALT) if number < 9 else named_key(f"state{number}")


def eliminate_key(number: int) -> str:
    """The keystroke that sends a piece to its second, third ... pile."""
    return named_key(f"eliminate{number}")


def sent_to(box: str) -> str:
    """The keystroke that sends a piece to a box."""
    return named_key(f"to-{box}")


def display_key(stroke: str) -> str:
    """A keystroke as a person reads it; empty if no keyboard has it."""
    code, modifiers, *name = stroke.split(",")
    if name:
        return ""
    modifier_bits = int(modifiers)
    words = [word for word, bit in (("Ctrl", 128), ("Alt", 512), ("Shift", 64)) if modifier_bits & bit]
    return "+".join([*words, {" ": "Space", "=": "+"}.get(chr(int(code)), chr(int(code)))])


def all_keys(game: Game) -> Iterator[tuple[str, str, str]]:
    """Each keystroke of this game's module: where it works, the stroke, what it does."""
    piece, window = "Pieces", "Windows and map"
    yield piece, display_key(FLIP), "flip the counter"
    if counted_steps(game):
        yield piece, f"{display_key(LOSS)}, {display_key(RECOVER)}", "lose a step, restore all"
    yield piece, f"{display_key(ELIMINATE)}, {display_key(RETURN_TO_PLAY)}", "eliminate, return to play"
    for number, state in enumerate(loose_states(game)):
        if display_key(state_key(number)):
            yield piece, display_key(state_key(number)), f"{game.states[state].name}: on or off"
    for stroke, (_, factor) in zip(AREAS, ranges(game), strict=False):
        verb = "show" if game.boards else "list the points within"
        yield piece, display_key(stroke), f"{verb} its {lower(factor.name)}"
    if zone_of_control(game) is not None and game.boards:
        yield piece, display_key(ZONE), "show its zone of control"
    if has_eyes(game):
        yield (
            piece,
            display_key(SEEN_KEY),
            "shade what it sees on the map without pieces, for you only; press again to clear",
        )
    if game.card.fog:
        yield piece, display_key(CONCEAL), "conceal from the other side, or reveal"
    if game.attacks:
        yield piece, f"{display_key(ATTACKER)}, {display_key(DEFENDER)}", "mark as attacker, as defender"
    yield piece, f"{display_key(MARK_MOVED)}, {display_key(TRAIL)}", "moved mark, movement trail"
    yield piece, f"{display_key(DELETE)}, {display_key(CLONE)}", "remove from the game; copy a marker"
    yield window, f"{display_key(NEXT_KEY)}, {display_key(PREVIOUS_KEY)}", "next phase, previous phase"
    if any(phase.clean_up for sequence in game.sequence.values() for phase in phases(sequence)):
        yield window, display_key(CLEAN_UP_KEY), "clean up for this phase"
    yield window, display_key(UNMOVED_KEY), "clear all moved marks and trails"
    yield window, f"{display_key(SETUP_KEY)}, {display_key(BOXES_KEY)}", "set-up trays; tracks and boxes"
    yield (
        window,
        f"{display_key(CHARTS_KEY)}, {display_key(INVENTORY_KEY)}, {display_key(PALETTE_KEY)}",
        "charts, inventory, all pieces",
    )
    yield (
        window,
        f"{display_key(SCENARIO_KEY)}, {display_key(NOTES_KEY)}",
        "the scenarios; notes with the card of this scenario",
    )
    if read_here(game):
        yield window, display_key(SIGHT_KEY), "which attackers see the defenders' hex"
    if game.attacks and game.rules is not None and game.rules.movement:
        yield window, display_key(ADVICE_KEY), "movement of the selected units, with the assistant's command"
    yield window, display_key(FRONT_KEY), "bring the map to the front"
    yield window, "right click on the turn", "set turn and phase"
    yield window, f"{display_key(THREAD_KEY)}, {display_key(OVERVIEW_KEY)}", "line of sight; overview"
    yield (
        window,
        f"{display_key(HIDE_KEY)}, {display_key(GROUND_KEY)}",
        "hide all pieces; show only markers on the ground",
    )
    yield window, f"{display_key(ZOOM_IN)}, {display_key(ZOOM_OUT)}", "zoom in, zoom out"
    yield window, f"{display_key(LOOK)}", "show the stack under the pointer"
    yield window, "Alt+click", "show a flare to all players"

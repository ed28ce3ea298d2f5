"""Traits of pieces as the engine writes them: a type (its definition) and a state (its values in play)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenarios.vassal.commands import Trait
from scenarios.vassal.sequence import join

CTRL, SHIFT, ALT = 130, 65, 520
NO_VALUE = ""


def key(letter: str, modifiers: int = CTRL) -> str:
    """A keystroke: a letter and its modifier keys."""
    return f"{ord(letter.upper())},{modifiers}"


def named_key(name: str) -> str:
    """A keystroke that has only a name. No key of a keyboard sends it, so it never collides."""
    return f"57348,0,{name}"


def _type(name: str, *fields: object) -> str:
    return f"{name};" + join([_word(field) for field in fields], ";")


def _word(field: object) -> str:
    return ("true" if field else "false") if isinstance(field, bool) else str(field)


def basic(name: str, gpid: str, picture: str = "") -> Trait:
    """The basic piece, the innermost trait."""
    return Trait(_type("piece", "", "", picture, name), f"null;0;0;{gpid};0")


def prototype(name: str) -> Trait:
    """A reference to a prototype, whose traits apply in this place."""
    return Trait(f"prototype;{join([name], ';')}", "")


def marks(values: Mapping[str, str]) -> Trait:
    """Properties that never change."""
    return Trait("mark;" + join(values, ","), join(values.values(), ","))


def layer(
    name: str,
    pictures: Sequence[str],
    level: int = 1,
    *,
    labels: Sequence[str] = (),
    up_command: str = "",
    up_key: str = NO_VALUE,
    reset: str = "",
    reset_key: str = NO_VALUE,
    scale: str = "1.0",
    shift: tuple[int, int] = (0, 0),
    active: bool = True,
    toggle: str = "",
    toggle_key: str = NO_VALUE,
    follow: str = "",
    first: int = 1,
) -> Trait:
    """Pictures of which one shows. A layer that isn't always active has a command that shows and hides it."""
    words = [*labels, *([""] * len(pictures))][: len(pictures)]
    text = _type(
        "emb2",
        toggle,
        CTRL - 2,
        "A",
        up_command,
        CTRL - 2,
        "",
        "",
        CTRL - 2,
        "",
        reset,
        reset_key,
        "1",
        False,
        shift[0],
        shift[1],
        join(pictures, ","),
        join(words, ","),
        True,
        name,
        NO_VALUE,
        "",
        bool(follow),
        follow,
        first,
        1,
        active,
        toggle_key,
        up_key,
        NO_VALUE,
        "",
        scale,
        "",
        "true",
    )
    return Trait(text, str(level if active else -level))


def calculated_property(name: str, expression: str) -> Trait:
    """A property that the engine computes whenever something reads it."""
    return Trait(_type("calcProp", name, expression, ""), "")


def delete(command: str, stroke: str) -> Trait:
    """Deletes the piece from the game."""
    return Trait(_type("delete", command, stroke, ""), "")


def trail() -> Trait:
    """Shows the path of the piece's moves."""
    text = _type(
        "footprint",
        key("T"),
        "Movement trail",
        False,
        False,
        8,
        "255,255,255",
        "30,30,30",
        100,
        60,
        20,
        30,
        "1.5",
        named_key("trailOn"),
        named_key("trailOff"),
        named_key("trailClear"),
        "",
    )
    return Trait(text, "false;;0;false")


def movement_mark(picture: str, x: int, y: int) -> Trait:
    """Marks a piece that has moved."""
    text = _type("markmoved", picture, x, y, "Mark moved", key("M"), "", True, "", NO_VALUE, "", named_key("unmove"))
    return Trait(text, "false")


def report(keys: Sequence[str], words: str, about: str = "") -> Trait:
    """Reports in the chat what a player did; `about` describes the trait in the editor."""
    key_list = join(keys, ",")
    return Trait(_type("report", key_list, words, "", "", about, False), "-1")


def send_zone(
    command: str, stroke: str, window: str, zone: str, return_text: str, back_key: str, pixels_below: int = 0
) -> Trait:
    """Sends the piece to the middle of a zone of a window, or this many pixels below it, and back."""
    text = _type(
        "sendto",
        command,
        stroke,
        window,
        "",
        0,
        0,
        return_text,
        back_key,
        0,
        pixels_below,
        1,
        1,
        "",
        "Z",
        zone,
        "",
        "",
        "",
    )
    return Trait(text, ";;")


def dynamic(name: str, value: str, commands: Sequence[tuple[str, str, str]], numeric: bool = False) -> Trait:
    """A property that commands change. Each command has a menu text, a keystroke and the new value or expression."""
    command_list = _commands([(menu, stroke, f"P,{join([new], ',')}") for menu, stroke, new in commands])
    return Trait(_type("PROP", name, f"{_word(numeric)},0,100,false", command_list, ""), value)


def changing(name: str, value: str, commands: Sequence[tuple[str, str, str]]) -> Trait:
    """A property that commands change. Each command has a menu text, a keystroke and the kind of change."""
    return Trait(_type("PROP", name, "false,0,100,false", _commands(commands), ""), value)


def fold_commands(name: str, commands: Sequence[tuple[str, str, str]]) -> Trait:
    """Commands that change a property of the module."""
    level = "Current Zone/Current Map/Module"
    return Trait(_type("setprop", name, "false,0,100,false", _commands(commands), "", level, ""), "")


def _commands(commands: Sequence[tuple[str, str, str]]) -> str:
    return join([join([menu, stroke, action], ":") for menu, stroke, action in commands], ",")


def hide_commands(name: str, condition: str, keys: Sequence[str]) -> Trait:
    """Hides commands from the menu while a condition holds."""
    return Trait(_type("hideCmd", name, "Hide", condition, join(keys, ",")), "")


def area(
    name: str, command: str, stroke: str, shading: str, radius: str, *, is_public: bool = False, is_shown: bool = False
) -> Trait:
    """Shades every hex within a radius: a number or a property between dollar signs.

    The map's shading of that name draws the areas of all pieces as one. An area that isn't public is shaded for the
    player who asks.
    """
    is_fixed = not radius.startswith("$")
    text = _type(
        "AreaOfEffect",
        "0,0,0",
        25,
        radius if is_fixed else 1,
        False,
        command,
        stroke,
        shading,
        is_fixed,
        "" if is_fixed else radius.strip("$"),
        "",
        name,
        "",
        NO_VALUE,
        "",
        NO_VALUE,
        is_public,
    )
    return Trait(text, "true" if is_shown else "false")


def zone(command: str, stroke: str, shading: str) -> Trait:
    """Shades the adjacent hexes."""
    return area("area_zone", command, stroke, shading, "1")


LABELS = {"left": ("t", 9, "l", 1, "t", "l"), "top": ("t", -1, "c", 0, "t", "c"), "bottom": ("b", -2, "c", 0, "b", "c")}
"""Where a label can be: its edge of the piece and its distance from there."""
GROUNDS = {"left": "245,240,228"}
"""The color under a label, for counters that may be dark."""


def label(words: str, size: int, location: str) -> Trait:
    """A small text on the piece and after its name. It is left of the symbol under the nation's code, or at an edge."""
    look, place = ("", size, GROUNDS.get(location, ""), "40,40,40"), LABELS[location]
    text = _type("label", NO_VALUE, *look, *place, "$pieceName$ $label$", "SansSerif", 0, 0, "CopyLabel", "", False)
    return Trait(text, words)


def page(words: str, x: int, y: int) -> Trait:
    """A label drawn as a whole page. Its corner has this distance from the piece's place."""
    look = (NO_VALUE, "", 1, "", "0,0,0", "c", y, "c", x, "t", "l")
    return Trait(_type("label", *look, "$pieceName$", "SansSerif", 0, 0, "Page", "", False), words)


def immovable() -> Trait:
    """Stops players from selecting, moving or stacking the piece."""
    return Trait("immob;ngZ;V;R;", "")


def mask(command: str, stroke: str, picture: str, name: str, sides: Sequence[str]) -> Trait:
    """Conceals the piece from all other sides."""
    access = "sides:" + join(sides, ":")
    return Trait(_type("obs", stroke, picture, command, "I", name, access, "Peek", "", False, NO_VALUE, ""), "null;")


def clone(command: str, stroke: str) -> Trait:
    """Makes a copy of the piece."""
    return Trait(_type("clone", command, stroke, ""), "")


def submenu(title: str, commands: Sequence[str]) -> Trait:
    """Commands in a submenu."""
    return Trait(_type("submenu", title, join(commands, ","), ""), "")


def action(command: str, stroke: str, keys: Sequence[str], condition: str = "") -> Trait:
    """One command that sends several keystrokes."""
    return Trait(_macro(command, stroke, condition, "", join(keys, ",")), "")


def trigger(watched_keys: Sequence[str], keys: Sequence[str], condition: str = "") -> Trait:
    """Further keystrokes that follow a keystroke of another trait."""
    return Trait(_macro("", NO_VALUE, condition, join(watched_keys, ","), join(keys, ",")), "")


def _macro(command: str, stroke: str, condition: str, watched_keys: str, keys: str) -> str:
    return _type(
        "macro",
        "",
        command,
        stroke,
        condition,
        watched_keys,
        keys,
        False,
        "",
        "",
        "counted",
        1,
        "",
        "",
        False,
        "",
        1,
        1,
    )

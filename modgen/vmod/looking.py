"""Sight in a battle: the expressions that look it up in the tables of the boards as they lie."""

from __future__ import annotations

from modgen.vmod.around import words
from modgen.vmod.beanshell import AND, text_of
from modgen.vmod.buttons import Buttons, all_units, change, matching, press, prop, set_to
from modgen.vmod.fighters import LARGEST, SAME, TELL
from modgen.vmod.icons import icon
from modgen.vmod.keys import SIGHT_KEY
from modgen.vmod.places import GROUNDED, HIDES, ON_MAP, SCENARIO, SEES, SHIELDED, TARGET
from modgen.vmod.sight import FLIES, LAYOUT, LETTERS, corners_shield, obstacles
from modgen.vmod.telling import QUIET, line, whose
from modgen.vmod.traits import named
from modgen.vmod.xml import Part
from scenarios.expressions.parsing import parse
from scenarios.game import Game
from scenarios.vassal.geometry import pixels

TOOLTIP = "Sight: who of the attackers (Ctrl+A) sees the hex of the defenders (Ctrl+B)"
AIM = "Aim"
"""The numbers of the target's hex."""
EXEMPT = "overrun_by_them"
"""From a unit of which this is told nothing shields the targets (The Arab-Israeli Wars, Standard II.E.5.e)."""


def part(number: int) -> str:
    """A part of what the set-up wrote down of its boards."""
    return f'{text_of(LAYOUT)}.split(";")[{number}]'


def table(name: str) -> str:
    """A table of the boards as they lie."""
    return f'GetString("{name}"+{part(0)})'


def flies(game: Game) -> str:
    """An expression that tells whether a unit is in the air, where it sees all and nothing shields from it."""
    return words(game).said(parse(FLIES[game.id]), AND)


def _steps(game: Game, x: str, y: str) -> tuple[str, str]:
    """Expressions for the lane and the half row of a point in pixels."""
    grid = pixels(next(iter(game.boards.values())).grid)
    sizes = ((x, float(grid.lane)), (y, grid.high / 2))
    lane, half = (f"(int)Math.round(Double.parseDouble({value})/{size})" for value, size in sizes)
    return lane, half


def _numbers(steps: tuple[str, str]) -> str:
    """An expression for the lane, the half row and the number of a hex: 3;7;36"""
    lane, half = steps
    return f'{lane}+";"+{half}+";"+({lane}*Integer.parseInt({part(1)})+{half}/2)'


def aim(game: Game) -> str:
    """An expression for the numbers of the target's hex; nothing where there is no table, or no one hex is meant."""
    unknown = "||".join([f'{text_of(LAYOUT)}.equals("")', f'{text_of(TARGET)}.equals("")', f'{text_of(TARGET)}.endsWith("*")'])
    steps = _steps(game, *(f'{text_of(TARGET)}.split(";")[{i}]' for i in (0, 1)))
    return f'{unknown}?"":{_numbers(steps)}'


def here(game: Game) -> str:
    """An expression for the numbers of a piece's own hex; nothing where it isn't on the map."""
    steps = _steps(game, text_of("CurrentX"), text_of("CurrentY"))
    return f'{ON_MAP}&&!"".equals({text_of(AIM)})?{_numbers(steps)}:""'


def _of(name: str, number: int) -> str:
    """One of the numbers of a hex."""
    return f'Integer.parseInt({text_of(name)}.split(";")[{number}])'


def _bit(name: str) -> str:
    own, other = _of("Fold", 2), _of(AIM, 2)
    return f'("{LETTERS}".indexOf({table(name)}.charAt({own}*Integer.parseInt({part(2)})+{other}/6))>>{other}%6&1)==1'


def sees(game: Game) -> str:
    """An expression that tells whether a unit, whose numbers are in `Fold`, sees the target's hex; nothing where that isn't
    known."""
    aloft = f'{flies(game)}||"0".equals({text_of(GROUNDED)})'
    from_air = f'(!"air".equals({part(3)})||{_bit("SightAir")})'
    return f'"".equals({text_of("Fold")})?"":{aloft}?{from_air}:{_bit("Sight")}'


def shields(game: Game) -> str:
    """An expression for the sides of the target's hex that shield it from a unit, whose numbers are in `Fold`; 0 for none.

    Sides are bits clockwise from the upper one. A line through a corner touches two; from or to a slope only crests shield.
    """
    dx, dy = (f"({_of('Fold', i)}-{_of(AIM, i)})" for i in (0, 1))
    steep = f"Math.abs{dy}-3*Math.abs{dx}"
    ends = (3, 12, 33, 24, 6, 48) if corners_shield(game) else (0,) * 6
    corners = f"{steep}==0?({dx}>0?({dy}<0?{ends[0]}:{ends[1]}):{dy}<0?{ends[2]}:{ends[3]}):{dy}==0?({dx}>0?{ends[4]}:{ends[5]})"
    sides = f"{steep}>0?({dy}<0?1:8):{dx}>0?({dy}<0?2:4):{dy}<0?32:16"
    held = table("Shield")
    there, own = f"3*{_of(AIM, 2)}", f"3*{_of('Fold', 2)}"
    high = "||".join(f'"B".equals({held}.substring({at}+2,{at}+3))' for at in (there, own))
    crests, bars = (f'"{LETTERS}".indexOf({held}.charAt({there}+{at}))' for at in (1, 0))
    exempt = "||".join(f'"yes".equals({text_of(f"{whose}_{EXEMPT}")})' for whose in ("own", "told"))
    same = f"{_of('Fold', 2)}=={_of(AIM, 2)}"
    none = f'!"true".equals({text_of(SEES)})||{flies(game)}||{exempt}||{same}'
    return f"{none}?0:({high}?{crests}:{bars})&({corners}:{sides})"


def told(game: Game) -> str:
    """An expression for a line of the chat: what a marked unit sees of the target's hex, and how to learn why."""
    there, hexes = f'{text_of(TARGET)}.split(";")[4]', text_of("Hexes")
    unseen = f'"can\'t see it"+". Why: assistant los {game.id} --map "+{text_of(SCENARIO)}+" "+{text_of("LocationName")}+" "+{there}'
    shielded = f'({text_of("Fold")}.equals("0")?"":"; a unit there is hull down from here")'
    seen = f'"true".equals({text_of(SEES)})?"sees it"+{shielded}:{unseen}'
    return line(f'{whose()}+", "+{hexes}+" from "+{there}+": "+({seen})', QUIET, 1)


def button(game: Game, locate: str) -> list[Part]:
    """The button that tells who of the marked units sees the hex of those marked as defenders."""
    missing = '"|Sight: mark who looks with Ctrl+A, and a piece in the one hex looked at with Ctrl+B."'
    heading = f'"".equals({text_of(AIM)})?{missing}:"|<b>Sight</b>"'
    lines, begin = named("sight-lines"), named("sight-begin")
    filtered = f'{{!"".equals({text_of(SEES)})}}'
    return [
        press("Sight heading", [], stroke=begin, report=f"{{{heading}}}"),
        all_units(lines, filtered, TELL, [("Told", f"{{{told(game)}}}")], matching("Role", "1")),
        press("Sight", [locate, begin, lines], text="Sight", stroke=SIGHT_KEY, tooltip=TOOLTIP, picture=icon("sight")),
    ]


def looked(game: Game, forget: str) -> tuple[Buttons, list[str]]:
    """The steps of a battle that read sight: properties and commands, and the keys in their order."""
    best = set_to(f"{{{text_of('Best')}}}")
    grounded, aimed, hiding = named("locate-grounded"), named("locate-sight"), named("locate-hiding")
    props = [
        prop(AIM, "", change(named("locate-aim"), set_to(f"{{{aim(game)}}}"))),
        prop(GROUNDED, "", change(named("locate-ground"), best)),
        prop(SHIELDED, "", change(named("locate-shielded"), best)),
        prop(HIDES, "", change(named("locate-hides"), best)),
    ]
    worked = [("Fold", here(game)), (SEES, sees(game)), ("Fold", shields(game))]
    between = f'{{{ON_MAP}&&!{text_of(LAYOUT)}.equals("")&&{part(4)}.contains("/"+{text_of("unit")}+"/")}}'
    markers = "|".join(obstacles(game))
    parts = [
        all_units(grounded, "", LARGEST, [("Fold", f"{{{flies(game)}?0:1}}")], matching("Role", "2")),
        all_units(aimed, "", LARGEST, [(slot, f"{{{one}}}") for slot, one in worked], matching("Role", "1")),
        all_units(hiding, between, SAME, [("Fold", f"{{{text_of('BasicName')}}}")], matching("unit", markers, "MATCH")),
    ]
    pressed = [named("locate-aim"), forget, grounded, named("locate-ground"), forget, aimed, named("locate-shielded")]
    return (props, parts), [*pressed, forget, hiding, named("locate-hides")]

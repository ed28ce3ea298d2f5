"""Sight in a battle: the expressions that look it up in the tables of the boards as they lie."""

from __future__ import annotations

from collections.abc import Sequence

from modgen.vmod.around import words
from modgen.vmod.beanshell import AND, text_of
from modgen.vmod.buttons import Buttons, all_units, bare, change, matching, press, prop, set_to
from modgen.vmod.eyes import FLIES, blockers, corners_shield, obstacles
from modgen.vmod.fighters import LARGEST, SAME, TELL
from modgen.vmod.icons import icon
from modgen.vmod.keys import SIGHT_KEY
from modgen.vmod.places import GROUNDED, HIDES, ON_MAP, SCENARIO, SEES, SHIELDED, SMOKE, TARGET, turn
from modgen.vmod.sight import BITS, LAYOUT, LETTERS, most_turns
from modgen.vmod.telling import QUIET, line, whose
from modgen.vmod.traits import named
from modgen.vmod.xml import Part
from scenarios.expressions.parsing import parse
from scenarios.game import Game
from scenarios.vassal.geometry import pixels

TOOLTIP = "Sight: who of the attackers (Ctrl+A) sees the hex of the defenders (Ctrl+B)"
SMOKY = "smoke"
"""What a unit keeps instead of `true` where only smoke, or another marker that blocks, hides the target."""
AIM = "Aim"
"""The numbers of the target's hex."""
EXEMPT = "overrun_by_them"
"""From a unit of which this is told nothing shields the targets (The Arab-Israeli Wars, Standard II.E.5.e)."""


def part(number: int) -> str:
    """A part of what the set-up wrote down of its boards."""
    return f'{text_of(LAYOUT)}.split(";")[{number}]'


def table(game: Game, name: str) -> str:
    """A table of the boards as they lie, on this turn where that matters."""
    most, held = most_turns(game), part(0)
    number = f'{held}.split(",")[Math.min({most},Integer.parseInt({turn(game, "1")}))-1]' if most > 1 else held
    return f'GetString("{name}"+{number})'


def flies(game: Game) -> str:
    """An expression that tells whether a unit is in the air, where it sees all and nothing shields from it."""
    return words(game).said(parse(FLIES[game.id]), AND) if game.id in FLIES else "false"


def steps(game: Game, x: str, y: str) -> tuple[str, str]:
    """Expressions for the lane and the half row of a point in pixels."""
    grid = pixels(next(iter(game.boards.values())).grid)
    across, along = (x, y) if grid.grid.orientation == "flat" else (y, x)
    sizes = ((across, float(grid.lane)), (along, grid.high / 2))
    lane, half = (f"(int)Math.round(Double.parseDouble({value})/{size})" for value, size in sizes)
    return lane, half


def cell(steps: tuple[str, str]) -> str:
    """An expression for the number of a hex."""
    lane, half = steps
    return f"({lane}*Integer.parseInt({part(1)})+{half}/2)"


def _numbers(steps: tuple[str, str]) -> str:
    """An expression for the lane, the half row and the number of a hex: 3;7;36"""
    lane, half = steps
    return f'{lane}+";"+{half}+";"+{cell(steps)}'


def aim(game: Game) -> str:
    """An expression for the numbers of the target's hex; nothing where there is no table, or no one hex is meant."""
    unknown = "||".join([f'{text_of(LAYOUT)}.equals("")', f'{text_of(TARGET)}.equals("")', f'{text_of(TARGET)}.endsWith("*")'])
    aimed = steps(game, *(f'{text_of(TARGET)}.split(";")[{i}]' for i in (0, 1)))
    return f'{unknown}?"":{_numbers(aimed)}'


def here(game: Game) -> str:
    """An expression for the numbers of a piece's own hex; nothing where it isn't on the map."""
    own = steps(game, text_of("CurrentX"), text_of("CurrentY"))
    return f'{ON_MAP}&&!"".equals({text_of(AIM)})?{_numbers(own)}:""'


def _of(name: str, number: int) -> str:
    """One of the numbers of a hex."""
    return f'Integer.parseInt({text_of(name)}.split(";")[{number}])'


def _bit(game: Game, name: str) -> str:
    own, other = _of("Fold", 2), _of(AIM, 2)
    letter = f"{table(game, name)}.charAt({own}*Integer.parseInt({part(2)})+{other}/{BITS})"
    return f'("{LETTERS}".indexOf({letter})>>{other}%{BITS}&1)==1'


def _marker_at(game: Game) -> tuple[str, str]:
    """The lane and the half row of a marker, as a text inside a text."""
    lane, half = steps(game, text_of("CurrentX"), text_of("CurrentY"))
    return lane.replace('"', '\\"'), half.replace('"', '\\"')


def _counted(markers: Sequence[str], parts: Sequence[str]) -> str:
    """An expression for how many of these markers fit a test on the map. Its parts are texts and, between them, numbers of the
    line that the piece that asks puts in."""
    kinds = "||".join(f'\\"{marker}\\".equals(GetString(\\"unit\\"))' for marker in markers)
    test = "+".join(f'"{part}"' if number % 2 == 0 else part for number, part in enumerate(parts))
    return f'CountMap("{{({kinds})&&"+{test}+"}}")'


def line_numbers() -> str:
    """An expression for the numbers of the line from a unit, whose own are in `Fold`, to the target, where smoke may lie on it: lane
    (counted three) and half row of its beginning, how far it goes in both, how far a corner can be aside, its length squared."""
    dx, dy = f"3*({_of(AIM, 0)}-{_of('Fold', 0)})", f"({_of(AIM, 1)}-{_of('Fold', 1)})"
    most = f"Math.max(2*Math.abs{dy},Math.abs({dx})+Math.abs{dy})"
    numbers = [f"3*{_of('Fold', 0)}", _of("Fold", 1), dx, dy, most, f"({dx}*{dx}+3*{dy}*{dy})"]
    none = f'"".equals({text_of("Fold")})||"".equals({text_of(SMOKE)})'
    return f'{none}?"":' + '+";"+'.join(f"({number})" if number[0] != "(" else number for number in numbers) + '+";"'


def smoke_on_line(game: Game) -> str:
    """An expression for how many markers of smoke, or of what else blocks, lie on the line whose numbers are in `Told`.

    Lanes count three and half rows one, so that all corners of a hex are whole numbers. A line touches a hex where its middle is
    no farther to the side than a corner can be; it lies between the ends where its foot on the line does.
    """
    lane, half = _marker_at(game)
    ax, ay, dx, dy, most, whole = (f'{text_of("Told")}.split(";")[{i}]' for i in range(6))
    x, y = [f"(3*{lane}-(", ax, "))"], [f"({half}-(", ay, "))"]
    aside = _glued(["Math.abs((", dx, ")*"], y, ["-(", dy, ")*"], x, [")<=", most, ""])
    foot = _glued(["(", dx, ")*"], x, ["+3*(", dy, ")*"], y)
    between = _glued(["&&"], foot, [">0&&"], foot, ["<", whole, ""])
    return _counted(blockers(game), _glued(aside, between))


def _glued(*lists: list[str]) -> list[str]:
    """Lists of texts with numbers between them as one: the last text of each and the first of the next are one text."""
    result = [""]
    for part in lists:
        result = [*result[:-1], result[-1] + part[0], *part[1:]]
    return result


def beside(game: Game) -> str:
    """An expression for how many works that no table knows stand next to a unit or to the target, or with them."""
    lane, half = _marker_at(game)
    tests = []
    for end in ("Fold", AIM):
        across, along = ([f"Math.abs({value}-", f'{text_of(end)}.split(";")[{i}]', ")"] for i, value in ((0, lane), (1, half)))
        tests.append(_glued(["("], across, ["<=1&&"], across, ["+"], along, ["<=2)"]))
    return _counted(unchecked(game), _glued(["("], tests[0], ["||"], tests[1], [")"]))


def unchecked(game: Game) -> list[str]:
    """The markers that may change a line in a way that isn't worked out here."""
    return [marker for marker in obstacles(game) if marker not in blockers(game)]


def sees(game: Game) -> str:
    """An expression that tells whether a unit, whose numbers are in `Fold`, sees the target's hex on the bare map; nothing where that
    isn't known."""
    seen = _bit(game, "Sight")
    if game.id in FLIES:
        from_air = f'(!"air".equals({part(3)})||{_bit(game, "SightAir")})'
        seen = f'{flies(game)}||"0".equals({text_of(GROUNDED)})?{from_air}:{seen}'
    return f'"".equals({text_of("Fold")})?"":{seen}'


def smoky(game: Game) -> str:
    """An expression for the same, where smoke may lie on the line whose numbers are in `Told`."""
    smoke = f'"true".equals({text_of(SEES)})&&!"".equals({text_of("Told")})&&{smoke_on_line(game)}>0'
    return f'{smoke}?"{SMOKY}":{text_of(SEES)}'


def shields(game: Game) -> str:
    """An expression for the sides of the target's hex that shield it from a unit, whose numbers are in `Fold`; 0 for none.

    Sides are bits clockwise from the upper one. A line through a corner touches two; from or to a slope only crests shield.
    Where a pack declares it, there is a table of pairs.
    """
    unseen = f'!"true".equals({text_of(SEES)})'
    if game.id not in FLIES:
        return f'{unseen}||!({_bit(game, "Cover")})?0:1'
    dx, dy = (f"({_of('Fold', i)}-{_of(AIM, i)})" for i in (0, 1))
    steep = f"Math.abs{dy}-3*Math.abs{dx}"
    ends = (3, 12, 33, 24, 6, 48) if corners_shield(game) else (0,) * 6
    corners = f"{steep}==0?({dx}>0?({dy}<0?{ends[0]}:{ends[1]}):{dy}<0?{ends[2]}:{ends[3]}):{dy}==0?({dx}>0?{ends[4]}:{ends[5]})"
    sides = f"{steep}>0?({dy}<0?1:8):{dx}>0?({dy}<0?2:4):{dy}<0?32:16"
    held = table(game, "Shield")
    there, own = f"3*{_of(AIM, 2)}", f"3*{_of('Fold', 2)}"
    high = "||".join(f'"B".equals({held}.substring({at}+2,{at}+3))' for at in (there, own))
    crests, bars = (f'"{LETTERS}".indexOf({held}.charAt({there}+{at}))' for at in (1, 0))
    exempt = "||".join(f'"yes".equals({text_of(f"{who}_{EXEMPT}")})' for who in ("own", "told"))
    same = f"{_of('Fold', 2)}=={_of(AIM, 2)}"
    none = f"{unseen}||{flies(game)}||{exempt}||{same}"
    return f"{none}?0:({high}?{crests}:{bars})&({corners}:{sides})"


def told(game: Game) -> str:
    """An expression for a line of the chat: what a marked unit sees of the target's hex, and how to learn why."""
    there, hexes = f'{text_of(TARGET)}.split(";")[4]', text_of("Hexes")
    option = "--map" if game.id in FLIES else "--scenario"
    asked = f'"assistant los {game.id} {option} "+{text_of(SCENARIO)}+" "+{text_of("LocationName")}+" "+{there}'
    unseen = f'"can\'t see it"+". Why: "+{asked}'
    if blockers(game):
        names = " or ".join(bare(game.markers[marker].name) for marker in blockers(game))
        unseen = f'"{SMOKY}".equals({text_of(SEES)})?"can\'t see it: {names} lies on the line":{unseen}'
    word = "hull down" if game.id in FLIES else "shielded"
    shielded = f'({text_of("Fold")}.equals("0")?"":"; a unit there is {word} from here")'
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
    props = [
        prop(AIM, "", change(named("locate-aim"), set_to(f"{{{aim(game)}}}"))),
        prop(SHIELDED, "", change(named("locate-shielded"), best)),
    ]
    parts: list[Part] = []
    pressed = [named("locate-aim")]

    def folded(name: str, command: str, sent: str, match: str, value: str, condition: str = "") -> None:
        """Pieces fold something into a property."""
        props.append(prop(name, "", change(named(f"locate-{command}s"), best)))
        parts.append(all_units(named(f"locate-{command}"), condition, sent, [("Fold", f"{{{value}}}")], match))
        pressed.extend([forget, named(f"locate-{command}"), named(f"locate-{command}s")])

    if game.id in FLIES:
        folded(GROUNDED, "ground", LARGEST, matching("Role", "2"), f"{flies(game)}?0:1")
    listed = f'{{{ON_MAP}&&!{text_of(LAYOUT)}.equals("")&&{part(4)}.contains("/"+{text_of("unit")}+"/")}}'
    for name, command, markers, condition in (
        (SMOKE, "smoke", blockers(game), f"{{{ON_MAP}}}"),
        (HIDES, "work", unchecked(game), listed),
    ):
        if markers:
            folded(name, command, SAME, matching("unit", "|".join(markers), "MATCH"), text_of("BasicName"), condition)
    aimed = named("locate-sight")
    smoke = [("Told", line_numbers()), (SEES, smoky(game))] if blockers(game) else []
    worked = [("Fold", here(game)), (SEES, sees(game)), *smoke, ("Fold", shields(game))]
    parts.append(all_units(aimed, "", LARGEST, [(slot, f"{{{one}}}") for slot, one in worked], matching("Role", "1")))
    pressed += [forget, aimed, named("locate-shielded")]
    if unchecked(game):
        near, far = named("locate-near"), named("locate-far")
        known = f'{{{ON_MAP}&&!"".equals({text_of(HIDES)})&&!"".equals({text_of(AIM)})}}'
        counted = [("Fold", f"{{{here(game)}}}"), ("Fold", f"{{{beside(game)}}}")]
        parts.append(all_units(near, known, LARGEST, counted, matching("Role", "1")))
        none = f'"".equals({text_of("Best")})||"0".equals({text_of("Best")})'
        hides = next(one for one in props if one.attributes["name"] == HIDES)
        hides.parts.append(change(far, set_to(f'{{{none}?"":{text_of(HIDES)}}}')))
        pressed += [forget, near, far]
    return (props, parts), pressed

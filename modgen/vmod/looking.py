"""Sight in a battle: the expressions that look it up in the tables of the boards as they lie."""

from __future__ import annotations

from collections.abc import Sequence

from modgen.vmod.around import words
from modgen.vmod.beanshell import AND, text_of
from modgen.vmod.buttons import Buttons, all_units, bare, change, matching, press, prop, set_to
from modgen.vmod.eyes import blockers, flying, obstacles
from modgen.vmod.fighters import LARGEST, SAME, TELL, TOTAL
from modgen.vmod.icons import icon
from modgen.vmod.keys import SIGHT_KEY
from modgen.vmod.places import GROUNDED, HIDES, ON_MAP, SCENARIO, SEES, SHIELDED, SMOKE, TARGET, turn
from modgen.vmod.sight import BITS, LAYOUT, LETTERS, by_sides, most_turns, numbered
from modgen.vmod.telling import QUIET, hidden_line, line, whose
from modgen.vmod.traits import named
from modgen.vmod.xml import Part
from scenarios.game import Game
from scenarios.vassal.geometry import pixels

TOOLTIP = "Sight: who of the attackers (Ctrl+A) sees the hex of the defenders (Ctrl+B)"
SMOKY = "smoke"
"""What a unit keeps instead of `true` where only smoke, or another marker that blocks, hides the target."""
AIM = "Aim"
"""The numbers of the target's hex."""
KINDS = 4
"""So many kinds of markers on a line are told apart."""


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
    held = flying(game)
    return words(game).said(held, AND) if held is not None else "false"


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
    unknown = "||".join(
        [f'{text_of(LAYOUT)}.equals("")', f'{text_of(TARGET)}.equals("")', f'{text_of(TARGET)}.endsWith("*")']
    )
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


def line_numbers(where: str) -> str:
    """An expression for the numbers of the line from a unit, whose own are in `Fold`, to the target, where a property tells that markers
    may stand on it: lane (counted three) and half row of its beginning, how far it goes in both, how far a corner can be aside, its
    length squared."""
    dx, dy = f"3*({_of(AIM, 0)}-{_of('Fold', 0)})", f"({_of(AIM, 1)}-{_of('Fold', 1)})"
    most = f"Math.max(2*Math.abs{dy},Math.abs({dx})+Math.abs{dy})"
    numbers = [f"3*{_of('Fold', 0)}", _of("Fold", 1), dx, dy, most, f"({dx}*{dx}+3*{dy}*{dy})"]
    none = f'"".equals({text_of("Fold")})||"".equals({text_of(where)})'
    return f'{none}?"":' + '+";"+'.join(f"({number})" if number[0] != "(" else number for number in numbers) + '+";"'


def on_line(game: Game, markers: Sequence[str], ends: bool = False) -> str:
    """An expression for how many of some markers stand on the line whose numbers are in `Told`, between its ends or there too.

    Lanes count three and half rows one, so that all corners of a hex are whole numbers. A line touches a hex where its middle is
    no farther to the side than a corner can be; it lies between the ends where its foot on the line does.
    """
    lane, half = _marker_at(game)
    ax, ay, dx, dy, most, whole = (f'{text_of("Told")}.split(";")[{i}]' for i in range(6))
    x, y = [f"(3*{lane}-(", ax, "))"], [f"({half}-(", ay, "))"]
    aside = _glued(["Math.abs((", dx, ")*"], y, ["-(", dy, ")*"], x, [")<=", most, ""])
    foot = _glued(["(", dx, ")*"], x, ["+3*(", dy, ")*"], y)
    more, less = (">=0&&", "<=") if ends else (">0&&", "<")
    between = _glued(["&&"], foot, [more], foot, [less, whole, ""])
    return _counted(markers, _glued(aside, between))


def _glued(*lists: list[str]) -> list[str]:
    """Lists of texts with numbers between them as one: the last text of each and the first of the next are one text."""
    result = [""]
    for part in lists:
        result = [*result[:-1], result[-1] + part[0], *part[1:]]
    return result


def works(game: Game) -> list[list[str]]:
    """The markers that no table knows, each by itself, but for the last if there are many."""
    kinds = unchecked(game)
    return [*([kind] for kind in kinds[: KINDS - 1]), *([kinds[KINDS - 1 :]] if len(kinds) >= KINDS else [])]


def works_on_line(game: Game) -> str:
    """An expression for the kinds of such markers that stand on the line whose numbers are in `Told`, or at its ends: a number with two
    figures for each kind, 1 where it is there."""
    each = "+".join(f"({on_line(game, kinds, True)}>0?{100**i}:0)" for i, kinds in enumerate(works(game)))
    return f'"".equals({text_of("Told")})||{on_line(game, unchecked(game), True)}==0?0:{each}'


def works_named(game: Game, number: str) -> str:
    """An expression that names the markers of such numbers, added up, each with its rule."""
    parts = []
    for i, kinds in enumerate(works(game)):
        named = " or ".join(f"{bare(game.markers[kind].name)} ({bare(game.markers[kind].rule)})" for kind in kinds)
        parts.append(f'({number}/{100**i}%100>0?", {named}":"")')
    return "+".join(parts) or '""'


def unchecked(game: Game) -> list[str]:
    """The markers that may change a line in a way that isn't worked out here."""
    return [marker for marker in obstacles(game) if marker not in blockers(game)]


def sees(game: Game) -> str:
    """An expression that tells whether a unit, whose numbers are in `Fold`, sees the target's hex on the bare map; nothing where that
    isn't known."""
    seen = _bit(game, "Sight")
    if flying(game):
        from_air = f'(!"air".equals({part(3)})||{_bit(game, "SightAir")})'
        seen = f'{flies(game)}||"0".equals({text_of(GROUNDED)})?{from_air}:{seen}'
    return f'"".equals({text_of("Fold")})?"":{seen}'


def smoky(game: Game) -> str:
    """An expression for the same, where smoke may lie on the line whose numbers are in `Told`."""
    smoke = f'"true".equals({text_of(SEES)})&&!"".equals({text_of("Told")})&&{on_line(game, blockers(game))}>0'
    return f'{smoke}?"{SMOKY}":{text_of(SEES)}'


def shields(game: Game) -> str:
    """An expression for the sides of the target's hex that shield it from a unit, whose numbers are in `Fold`; 0 for none.

    Sides are bits clockwise from the upper one. A line through a corner touches two; from or to a slope only crests shield.
    Where a pack declares it, there is a table of pairs.
    """
    told = [f'"yes".equals({text_of(f"{who}_{name}")})' for name in unshielded(game) for who in ("own", "told")]
    unseen = f'!"true".equals({text_of(SEES)})'
    if not by_sides(game):
        return f"{'||'.join([unseen, *told])}||!({_bit(game, 'Cover')})?0:1"
    dx, dy = (f"({_of('Fold', i)}-{_of(AIM, i)})" for i in (0, 1))
    steep = f"Math.abs{dy}-3*Math.abs{dx}"
    corner = any(layout.eyes.corners_shield for layout in numbered(game))
    ends = (3, 12, 33, 24, 6, 48) if corner else (0,) * 6
    corners = f"{steep}==0?({dx}>0?({dy}<0?{ends[0]}:{ends[1]}):{dy}<0?{ends[2]}:{ends[3]}):{dy}==0?({dx}>0?{ends[4]}:{ends[5]})"
    sides = f"{steep}>0?({dy}<0?1:8):{dx}>0?({dy}<0?2:4):{dy}<0?32:16"
    held = table(game, "Shield")
    there, own = f"3*{_of(AIM, 2)}", f"3*{_of('Fold', 2)}"
    high = "||".join(f'"B".equals({held}.substring({at}+2,{at}+3))' for at in (there, own))
    crests, bars = (f'"{LETTERS}".indexOf({held}.charAt({there}+{at}))' for at in (1, 0))
    same = f"{_of('Fold', 2)}=={_of(AIM, 2)}"
    none = "||".join([unseen, flies(game), *told, same])
    return f"{none}?0:({high}?{crests}:{bars})&({corners}:{sides})"


def unshielded(game: Game) -> list[str]:
    """The inputs of attacking units from which, where they are told, nothing shields the targets."""
    groups = (attack.groups[attack.attackers] for attack in game.attacks.values())
    return [*dict.fromkeys(name for group in groups for name, shape in group.inputs.items() if shape.unshielded)]


def told(game: Game) -> str:
    """An expression for a line of the chat: what a marked unit sees of the target's hex, and how to learn why."""
    there, hexes = f'{text_of(TARGET)}.split(";")[4]', text_of("Hexes")
    asked = f'"assistant los {game.id} --scenario "+{text_of(SCENARIO)}+" "+{text_of("LocationName")}+" "+{there}'
    unseen = f'"can\'t see it"+". Why: "+{asked}'
    if blockers(game):
        names = " or ".join(bare(game.markers[marker].name) for marker in blockers(game))
        unseen = f'"{SMOKY}".equals({text_of(SEES)})?"can\'t see it: {names} lies on the line":{unseen}'
    word = bare(shelter(game))
    shielded = f'({text_of("Fold")}.equals("0")?"":"; a unit there is {word} from here")'
    seen = f'"true".equals({text_of(SEES)})?"sees it"+{shielded}:{unseen}'
    return line(f'{whose()}+", "+{hexes}+" from "+{there}+": "+({seen})', QUIET, 1)


def shelter(game: Game) -> str:
    """What the rules call a unit that is shielded, with their number."""
    sight = game.rules.sight if game.rules is not None else None
    record = (
        next((record for record in (*sight.sides, *sight.hexes) if record.shield), None) if sight is not None else None
    )
    if record is None:
        return "shielded"
    return f"{record.text.removesuffix(' behind') if record.text.endswith(' behind') else f'shielded by {record.text}'} ({record.rule})"


def button(game: Game, locate: str) -> list[Part]:
    """The button that tells who of the marked units sees the hex of those marked as defenders."""
    missing = '"|Sight: mark who looks with Ctrl+A, and a piece in the one hex looked at with Ctrl+B."'
    heading = f'"".equals({text_of(AIM)})?{missing}:"|<b>Sight</b>"'
    lines, begin, warned = named("sight-lines"), named("sight-begin"), named("sight-warned")
    filtered = f'{{!"".equals({text_of(SEES)})}}'
    return [
        press("Sight heading", [], stroke=begin, report=f"{{{heading}}}"),
        all_units(lines, filtered, TELL, [("Told", f"{{{told(game)}}}")], matching("Role", "1")),
        press("Sight warning", [], stroke=warned, report=f"{{{hidden_line()}}}"),
        press(
            "Sight",
            [locate, begin, lines, warned],
            text="Sight",
            stroke=SIGHT_KEY,
            tooltip=TOOLTIP,
            picture=icon("sight"),
        ),
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

    if flying(game):
        folded(GROUNDED, "ground", LARGEST, matching("Role", "2"), f"{flies(game)}?0:1")
    listed = f'{{{ON_MAP}&&!{text_of(LAYOUT)}.equals("")&&{part(4)}.contains("/"+{text_of("unit")}+"/")}}'
    for name, command, markers, condition in (
        (SMOKE, "smoke", blockers(game), f"{{{ON_MAP}}}"),
        (HIDES, "work", unchecked(game), listed),
    ):
        if markers:
            folded(name, command, SAME, matching("unit", "|".join(markers), "MATCH"), text_of("BasicName"), condition)
    aimed = named("locate-sight")
    smoke = [("Told", line_numbers(SMOKE)), (SEES, smoky(game))] if blockers(game) else []
    worked = [("Fold", here(game)), (SEES, sees(game)), *smoke, ("Fold", shields(game))]
    parts.append(all_units(aimed, "", LARGEST, [(slot, f"{{{one}}}") for slot, one in worked], matching("Role", "1")))
    pressed += [forget, aimed, named("locate-shielded")]
    if unchecked(game):
        near, far = named("locate-near"), named("locate-far")
        known = f'{{{ON_MAP}&&!"".equals({text_of(HIDES)})&&!"".equals({text_of(AIM)})}}'
        counted = [("Fold", here(game)), ("Told", line_numbers(HIDES)), ("Fold", works_on_line(game))]
        parts.append(
            all_units(near, known, TOTAL, [(slot, f"{{{one}}}") for slot, one in counted], matching("Role", "1"))
        )
        none = f'"".equals({text_of("Best")})||"0".equals({text_of("Best")})'
        hides = next(one for one in props if one.attributes["name"] == HIDES)
        said = works_named(game, f"Integer.parseInt({text_of('Best')})")
        hides.parts.append(change(far, set_to(f'{{{none}?"":{said}}}')))
        pressed += [forget, near, far]
    return (props, parts), pressed

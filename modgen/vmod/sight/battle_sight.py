"""Sight in a battle: expressions that look it up in the tables of the current arrangement of boards."""

from __future__ import annotations

from collections.abc import Sequence

from modgen.vmod.battle.beanshell import AND, text_of
from modgen.vmod.battle.nearby_units import words
from modgen.vmod.battle.places import GROUND_SIGHT, HIDES, ON_MAP, SCENARIO, SEES, SHIELD_PROPERTY, SMOKE, TARGET, turn
from modgen.vmod.files.buttons import Buttons, all_units, change, matching, plain_text, press, prop, set_to
from modgen.vmod.files.keys import SIGHT_KEY
from modgen.vmod.files.xml import XmlPart
from modgen.vmod.maps.icons import icon
from modgen.vmod.pieces.fighting import IS_MARKED, LARGEST, TELL, TOTAL
from modgen.vmod.pieces.traits import named_key
from modgen.vmod.sight.sight_tables import BITS, LAYOUT, LETTERS, by_sides, most_turns, table_numbers
from modgen.vmod.sight.visibility import blockers, flying, obstacles
from modgen.vmod.text.battle_reports import QUIET, hidden_line, line, piece_and_place
from scenarios.model.game import Game
from scenarios.vassal.geometry import pixels

TOOLTIP = "Which attackers (Ctrl+A) see the hex of the defenders (Ctrl+B)"
SMOKY = "smoke"
"""The value in place of `true` for a unit whose view of the target only smoke, or another marker that blocks, hides."""
AIM = "Aim"
"""The property with the numbers of the target's hex."""
KINDS = 4
"""The number of groups into which markers on a line are sorted."""


def part(number: int) -> str:
    """A part of the set-up's record of its boards."""
    return f'{text_of(LAYOUT)}.split(";")[{number}]'


def table(game: Game, name: str) -> str:
    """A table of the current arrangement of boards, for this turn if that matters."""
    max_turns, table_numbers = most_turns(game), part(0)
    number = (
        f'{table_numbers}.split(",")[Math.min({max_turns},Integer.parseInt({turn(game, "1")}))-1]'
        if max_turns > 1
        else table_numbers
    )
    return f'GetString("{name}"+{number})'


def flies(game: Game) -> str:
    """An expression that tests whether a unit is in the air. There it sees everything, and nothing shields from it."""
    expression = flying(game)
    return words(game).translate(expression, AND) if expression is not None else "false"


def steps(game: Game, x: str, y: str) -> tuple[str, str]:
    """Expressions for the lane and the half row of a point in pixels."""
    grid = pixels(next(iter(game.boards.values())).grid)
    lane_position, row_position = (x, y) if grid.grid.orientation == "flat" else (y, x)
    sizes = ((lane_position, float(grid.lane)), (row_position, grid.height / 2))
    lane, half_row = (f"(int)Math.round(Double.parseDouble({value})/{size})" for value, size in sizes)
    return lane, half_row


def cell(steps: tuple[str, str]) -> str:
    """An expression for the number of a hex."""
    lane, half_row = steps
    return f"({lane}*Integer.parseInt({part(1)})+{half_row}/2)"


def _numbers(steps: tuple[str, str]) -> str:
    """An expression for the lane, the half row and the number of a hex: 3;7;36"""
    lane, half_row = steps
    return f'{lane}+";"+{half_row}+";"+{cell(steps)}'


def aim(game: Game) -> str:
    """An expression for the numbers of the target's hex; empty without a table, or without a single target hex."""
    unknown = "||".join(
        [f'{text_of(LAYOUT)}.equals("")', f'{text_of(TARGET)}.equals("")', f'{text_of(TARGET)}.endsWith("*")']
    )
    target_steps = steps(game, *(f'{text_of(TARGET)}.split(";")[{i}]' for i in (0, 1)))
    return f'{unknown}?"":{_numbers(target_steps)}'


def own_hex(game: Game) -> str:
    """An expression for the numbers of a piece's own hex; empty if it isn't on the map."""
    own_steps = steps(game, text_of("CurrentX"), text_of("CurrentY"))
    return f'{ON_MAP}&&!"".equals({text_of(AIM)})?{_numbers(own_steps)}:""'


def _hex_number(name: str, number: int) -> str:
    """One of the numbers of a hex."""
    return f'Integer.parseInt({text_of(name)}.split(";")[{number}])'


def _bit(game: Game, name: str) -> str:
    own_number, target_number = _hex_number("Fold", 2), _hex_number(AIM, 2)
    letter = f"{table(game, name)}.charAt({own_number}*Integer.parseInt({part(2)})+{target_number}/{BITS})"
    return f'("{LETTERS}".indexOf({letter})>>{target_number}%{BITS}&1)==1'


def _marker_at(game: Game) -> tuple[str, str]:
    """The lane and the half row of a marker, as a text within a text."""
    lane, half_row = steps(game, text_of("CurrentX"), text_of("CurrentY"))
    return lane.replace('"', '\\"'), half_row.replace('"', '\\"')


def _count_markers(markers: Sequence[str], parts: Sequence[str]) -> str:
    """An expression for the number of these markers on the map that pass a test.

    The parts of the test are texts, and between them numbers of the line, which the asking piece inserts.
    """
    marker_test = "||".join(f'\\"{marker}\\".equals(GetString(\\"unit\\"))' for marker in markers)
    test = "+".join(f'"{part}"' if number % 2 == 0 else part for number, part in enumerate(parts))
    return f'CountMap("{{({marker_test})&&"+{test}+"}}")'


def line_numbers(property_name: str) -> str:
    """An expression for the numbers of the line from a unit to the target; empty unless a property says that markers may be on it.

    The unit's own numbers are in `Fold`. The line's numbers are the lane (counted three) and half row of its
    beginning, its length in both directions, the greatest sideways distance of a corner, and its length squared.
    """
    dx, dy = f"3*({_hex_number(AIM, 0)}-{_hex_number('Fold', 0)})", f"({_hex_number(AIM, 1)}-{_hex_number('Fold', 1)})"
    max_offset = f"Math.max(2*Math.abs{dy},Math.abs({dx})+Math.abs{dy})"
    numbers = [f"3*{_hex_number('Fold', 0)}", _hex_number("Fold", 1), dx, dy, max_offset, f"({dx}*{dx}+3*{dy}*{dy})"]
    missing_test = f'"".equals({text_of("Fold")})||"".equals({text_of(property_name)})'
    return (
        f'{missing_test}?"":'
        + '+";"+'.join(f"({number})" if number[0] != "(" else number for number in numbers)
        + '+";"'
    )


def on_line(game: Game, markers: Sequence[str], ends: bool = False) -> str:
    """An expression for the number of markers on the line whose numbers are in `Told`, between its ends, or also at them with `ends`.

    Lanes count three and half rows one, so that all corners of a hex are whole numbers. A line touches a hex if the
    hex's center is no farther to the side than a corner can be. The hex is between the ends if the projection of its
    center on the line is.
    """
    lane, half_row = _marker_at(game)
    ax, ay, dx, dy, max_offset, squared_length = (f'{text_of("Told")}.split(";")[{i}]' for i in range(6))
    x, y = [f"(3*{lane}-(", ax, "))"], [f"({half_row}-(", ay, "))"]
    offset_test = _concatenate(["Math.abs((", dx, ")*"], y, ["-(", dy, ")*"], x, [")<=", max_offset, ""])
    foot = _concatenate(["(", dx, ")*"], x, ["+3*(", dy, ")*"], y)
    lower_sign, upper_sign = (">=0&&", "<=") if ends else (">0&&", "<")
    span_test = _concatenate(["&&"], foot, [lower_sign], foot, [upper_sign, squared_length, ""])
    return _count_markers(markers, _concatenate(offset_test, span_test))


def _concatenate(*lists: list[str]) -> list[str]:
    """Joins lists of texts with numbers between them. The last text of each list and the first of the next become one text."""
    result = [""]
    for part in lists:
        result = [*result[:-1], result[-1] + part[0], *part[1:]]
    return result


def works(game: Game) -> list[list[str]]:
    """The markers that no table covers, each in its own group. If there are many, the last group has the rest."""
    marker_kinds = unchecked_markers(game)
    return [
        *([kind] for kind in marker_kinds[: KINDS - 1]),
        *([marker_kinds[KINDS - 1 :]] if len(marker_kinds) >= KINDS else []),
    ]


def works_on_line(game: Game) -> str:
    """An expression for the groups of such markers on the line whose numbers are in `Told`, or at its ends.

    The value is a number with two digits for each group, 1 if it is there.
    """
    kind_counts = "+".join(
        f"({on_line(game, marker_group, True)}>0?{100**i}:0)" for i, marker_group in enumerate(works(game))
    )
    return f'"".equals({text_of("Told")})||{on_line(game, unchecked_markers(game), True)}==0?0:{kind_counts}'


def works_named(game: Game, number: str) -> str:
    """An expression that names the markers of a sum of group numbers, each with its rule."""
    parts = []
    for i, marker_group in enumerate(works(game)):
        marker_names = " or ".join(
            f"{plain_text(game.markers[kind].name)} ({plain_text(game.markers[kind].rule)})" for kind in marker_group
        )
        parts.append(f'({number}/{100**i}%100>0?", {marker_names}":"")')
    return "+".join(parts) or '""'


def unchecked_markers(game: Game) -> list[str]:
    """The markers that may change a line in a way that this module doesn't compute."""
    return [marker for marker in obstacles(game) if marker not in blockers(game)]


def sees(game: Game) -> str:
    """An expression that tests whether a unit sees the target's hex on the bare map; empty if that is unknown.

    The unit's numbers are in `Fold`.
    """
    sight_test = _bit(game, "Sight")
    if flying(game):
        from_air = f'(!"air".equals({part(3)})||{_bit(game, "SightAir")})'
        sight_test = f'{flies(game)}||"0".equals({text_of(GROUND_SIGHT)})?{from_air}:{sight_test}'
    return f'"".equals({text_of("Fold")})?"":{sight_test}'


def smoky(game: Game) -> str:
    """The same expression if smoke may be on the line whose numbers are in `Told`."""
    smoke = f'"true".equals({text_of(SEES)})&&!"".equals({text_of("Told")})&&{on_line(game, blockers(game))}>0'
    return f'{smoke}?"{SMOKY}":{text_of(SEES)}'


def shields(game: Game) -> str:
    """An expression for the sides of the target's hex that shield it from a unit, whose numbers are in `Fold`; 0 for none.

    Sides are bits clockwise from the upper one. A line through a corner touches two sides. From or to a slope only
    crests shield. A pack may declare rules that need a table of pairs instead.
    """
    input_tests = [
        f'"yes".equals({text_of(f"{source}_{name}")})' for name in unshielded_inputs(game) for source in ("own", "told")
    ]
    unseen = f'!"true".equals({text_of(SEES)})'
    if not by_sides(game):
        return f"{'||'.join([unseen, *input_tests])}||!({_bit(game, 'Cover')})?0:1"
    dx, dy = (f"({_hex_number('Fold', i)}-{_hex_number(AIM, i)})" for i in (0, 1))
    steep = f"Math.abs{dy}-3*Math.abs{dx}"
    corner = any(layout.eyes.corners_shield for layout in table_numbers(game))
    ends = (3, 12, 33, 24, 6, 48) if corner else (0,) * 6
    corners = f"{steep}==0?({dx}>0?({dy}<0?{ends[0]}:{ends[1]}):{dy}<0?{ends[2]}:{ends[3]}):{dy}==0?({dx}>0?{ends[4]}:{ends[5]})"
    sides = f"{steep}>0?({dy}<0?1:8):{dx}>0?({dy}<0?2:4):{dy}<0?32:16"
    shield_table = table(game, "Shield")
    target_offset, own_offset = f"3*{_hex_number(AIM, 2)}", f"3*{_hex_number('Fold', 2)}"
    height_test = "||".join(
        f'"B".equals({shield_table}.substring({offset}+2,{offset}+3))' for offset in (target_offset, own_offset)
    )
    crests, bars = (f'"{LETTERS}".indexOf({shield_table}.charAt({target_offset}+{character}))' for character in (1, 0))
    same_hex_test = f"{_hex_number('Fold', 2)}=={_hex_number(AIM, 2)}"
    unshielded_test = "||".join([unseen, flies(game), *input_tests, same_hex_test])
    return f"{unshielded_test}?0:({height_test}?{crests}:{bars})&({corners}:{sides})"


def unshielded_inputs(game: Game) -> list[str]:
    """The inputs of attacking units that remove the targets' shield when a player sets them."""
    groups = (attack.groups[attack.attackers] for attack in game.attacks.values())
    return [*dict.fromkeys(name for group in groups for name, shape in group.inputs.items() if shape.unshielded)]


def sight_report(game: Game) -> str:
    """An expression for a line of the chat: what a marked unit sees of the target's hex, and the command that explains it."""
    target_place, hexes = f'{text_of(TARGET)}.split(";")[4]', text_of("Hexes")
    command = (
        f'"assistant los {game.id} --scenario "+{text_of(SCENARIO)}+" "+{text_of("LocationName")}+" "+{target_place}'
    )
    unseen = f'"can\'t see it"+". Why: "+{command}'
    if blockers(game):
        names = " or ".join(plain_text(game.markers[marker].name) for marker in blockers(game))
        unseen = f'"{SMOKY}".equals({text_of(SEES)})?"can\'t see it: {names} lies on the line":{unseen}'
    word = plain_text(shelter(game))
    shelter_text = f'({text_of("Fold")}.equals("0")?"":"; a unit there is {word} from here")'
    sight_text = f'"true".equals({text_of(SEES)})?"sees it"+{shelter_text}:{unseen}'
    return line(f'{piece_and_place()}+", "+{hexes}+" from "+{target_place}+": "+({sight_text})', QUIET, 1)


def shelter(game: Game) -> str:
    """The rules' name for a shielded unit, with their number."""
    sight = game.rules.sight if game.rules is not None else None
    record = (
        next((record for record in (*sight.sides, *sight.hexes) if record.shield), None) if sight is not None else None
    )
    if record is None:
        return "shielded"
    return f"{record.text.removesuffix(' behind') if record.text.endswith(' behind') else f'shielded by {record.text}'} ({record.rule})"


def button(game: Game, locate: str) -> list[XmlPart]:
    """The button that reports which of the marked units see the hex of the marked defenders."""
    missing = '"|Sight: mark the observers with Ctrl+A and a piece in the target hex with Ctrl+B."'
    heading = f'"".equals({text_of(AIM)})?{missing}:"|<b>Sight</b>"'
    lines, begin, warning_key = named_key("sight-lines"), named_key("sight-begin"), named_key("sight-warned")
    unit_filter = f'{{!"".equals({text_of(SEES)})}}'
    return [
        press("Sight heading", [], stroke=begin, report=f"{{{heading}}}"),
        all_units(lines, unit_filter, TELL, [("Told", f"{{{sight_report(game)}}}")], matching("Role", "1")),
        press("Sight warning", [], stroke=warning_key, report=f"{{{hidden_line()}}}"),
        press(
            "Sight",
            [locate, begin, lines, warning_key],
            text="Sight",
            stroke=SIGHT_KEY,
            tooltip=TOOLTIP,
            picture=icon("sight"),
        ),
    ]


def sight_steps(game: Game, forget: str) -> tuple[Buttons, list[str]]:
    """The steps of a battle that read sight: properties and commands, and the keys in order."""
    best = set_to(f"{{{text_of('Best')}}}")
    props = [
        prop(AIM, "", change(named_key("locate-aim"), set_to(f"{{{aim(game)}}}"))),
        prop(SHIELD_PROPERTY, "", change(named_key("locate-shielded"), best)),
    ]
    parts: list[XmlPart] = []
    keystrokes = [named_key("locate-aim")]

    def fold(name: str, command: str, fold_key: str, match: str, value: str, condition: str = "") -> None:
        """Add the steps in which pieces combine a value into a property."""
        props.append(prop(name, "", change(named_key(f"locate-{command}s"), best)))
        parts.append(all_units(named_key(f"locate-{command}"), condition, fold_key, [("Fold", f"{{{value}}}")], match))
        keystrokes.extend([forget, named_key(f"locate-{command}"), named_key(f"locate-{command}s")])

    if flying(game):
        fold(GROUND_SIGHT, "ground", LARGEST, matching("Role", "2"), f"{flies(game)}?0:1")
    work_filter = f'{{{ON_MAP}&&!{text_of(LAYOUT)}.equals("")&&{part(4)}.contains("/"+{text_of("unit")}+"/")}}'
    for name, command, markers, condition in (
        (SMOKE, "smoke", blockers(game), f"{{{ON_MAP}}}"),
        (HIDES, "work", unchecked_markers(game), work_filter),
    ):
        if markers:
            fold(
                name, command, IS_MARKED, matching("unit", "|".join(markers), "MATCH"), text_of("BasicName"), condition
            )
    sight_key = named_key("locate-sight")
    smoke = [("Told", line_numbers(SMOKE)), (SEES, smoky(game))] if blockers(game) else []
    slot_values = [("Fold", own_hex(game)), (SEES, sees(game)), *smoke, ("Fold", shields(game))]
    parts.append(
        all_units(
            sight_key,
            "",
            LARGEST,
            [(slot, f"{{{expression}}}") for slot, expression in slot_values],
            matching("Role", "1"),
        )
    )
    keystrokes += [forget, sight_key, named_key("locate-shielded")]
    if unchecked_markers(game):
        near_key, far_key = named_key("locate-near"), named_key("locate-far")
        sight_filter = f'{{{ON_MAP}&&!"".equals({text_of(HIDES)})&&!"".equals({text_of(AIM)})}}'
        work_values = [("Fold", own_hex(game)), ("Told", line_numbers(HIDES)), ("Fold", works_on_line(game))]
        parts.append(
            all_units(
                near_key,
                sight_filter,
                TOTAL,
                [(slot, f"{{{expression}}}") for slot, expression in work_values],
                matching("Role", "1"),
            )
        )
        empty_test = f'"".equals({text_of("Best")})||"0".equals({text_of("Best")})'
        hides = next(global_property for global_property in props if global_property.attributes["name"] == HIDES)
        work_names = works_named(game, f"Integer.parseInt({text_of('Best')})")
        hides.parts.append(change(far_key, set_to(f'{{{empty_test}?"":{work_names}}}')))
        keystrokes += [forget, near_key, far_key]
    return (props, parts), keystrokes

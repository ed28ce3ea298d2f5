"""What the map says of a battle: terrain and markers where it takes place, distances, turn and year.

The engine knows no terrain. The target writes its place into the property `Target`: pixels, terrain, markers, name,
number of the point. It adds a star for each target in another place. The attackers write each of their places into
`Sources`, with the side and nation of the first unit there. The lists of hexes are part of the command that asks for
the place.
"""

from __future__ import annotations

import re

from modgen.vmod.battle.beanshell import text_of
from modgen.vmod.battle.table_lookups import is_any_of
from modgen.vmod.files.buttons import plain_text
from modgen.vmod.maps import point_ranges
from scenarios.expressions import names as names_in
from scenarios.model.attacks import Attack, AttackInput, input_kind
from scenarios.model.game import Game
from scenarios.model.maps import HexMap, PlacedBoard
from scenarios.model.points import PointMap
from scenarios.model.scenario import Scenario
from scenarios.vassal.geometry import BoardSheet, pixels
from scenarios.vassal.windows import MAIN, prefix

TARGET, SOURCES, SCENARIO = "Target", "Sources", "Scenario"
HEXSIDE_PROPERTY, CROSSED_PROPERTY = "Across", "Crossed"
"""The kind of hexside between a piece and the target.

`Crossed` is what all attackers cross, with a star where they differ.
"""
OWN_PLACE = "Place"
"""A defender's own place, as in `Target`, where defenders are judged each in its place."""
SEES, SHIELD_PROPERTY, GROUND_SIGHT = "Sees", "Shielded", "Grounded"
"""Whether a piece sees the target; what shields the target from any attacker; whether a target is on the ground."""
SMOKE, HIDES = "Smokes", "Hides"
"""A marker that blocks lines of sight; a marker that may change sight in a way that the module doesn't compute."""
SUPPORT, SUPPORT_STRENGTH, SUPPORT_WEAPON = "support", "support_strength", "support_weapon"
"""The properties of a piece of off-map support: its kind, strength and weapon."""
ON_MAP = f'GetString("CurrentMap").equals("{MAIN}")'


ACTING = ("box", "display")
"""The kinds of boxes whose pieces take part in battles: air boxes, a battle display.

Other boxes hold pieces that wait or are lost.
"""


def in_play(game: Game) -> str:
    """An expression that tests whether a piece can take part in a battle: on the map, or in such a box."""
    acting_boxes = dict.fromkeys(
        plain_text(box.name) for table in game.maps.values() for box in table.boxes.values() if box.kind in ACTING
    )
    box_test = f"||{is_any_of(list(acting_boxes), text_of('CurrentZone'))}" if acting_boxes else ""
    support = f'||!"".equals({text_of(SUPPORT)})' if has_support(game) else ""
    return f"{ON_MAP}{box_test}{support}"


def has_support(game: Game) -> bool:
    """Whether any scenario gives a side off-map support."""
    return any(force.support for scenario in game.scenarios.values() for force in scenario.forces.values())


def reads_targets(attack: Attack) -> bool:
    """Whether an attack reads anything from its targets' places."""
    local_reads, relative_reads = (
        ("terrain", "markers", "units"),
        ("distance", "adjacent", "hexside", "sight", "shielded"),
    )
    return any(
        attack_input.read in relative_reads or (attack_input.read in local_reads and attack_input.at != "attackers")
        for attack_input in attack.all_inputs
    )


def place_inputs(attack: Attack) -> list[str]:
    """What each defender answers for its own place: the inputs of the battle that are read in the targets' places, then
    the values that follow from them, as far as the defenders' formulas read them."""
    if not attack.defenders:
        return []
    inputs = [
        name for name, shape in attack.inputs.items() if shape.read in ("terrain", "markers") and shape.at == "targets"
    ]
    derived = list(inputs)
    for name, formula in attack.values.items():
        if formula is not None and names_in(formula.expression) & set(derived):
            derived.append(name)
    group = attack.groups[attack.defenders]
    formulas = [group.strength, *group.values.values()]
    for modifier in attack.modifiers:
        if modifier.to == attack.defenders:
            formulas += [modifier.when, modifier.effect[1] if modifier.effect is not None else None]
    formulas += [requirement.that for requirement in attack.requires if requirement.to == attack.defenders]
    read = {name for formula in formulas if formula is not None for name in names_in(formula.expression)}
    for name in reversed(derived):
        formula = attack.values.get(name)
        if name in read and formula is not None:
            read |= names_in(formula.expression)
    return [name for name in derived if name in read]


def place_slots(game: Game) -> int:
    """The number of answers for its own place that a defender keeps."""
    return max((len(place_inputs(attack)) for attack in game.attacks.values()), default=0)


def place_slot(number: int) -> str:
    """The property with one of these answers."""
    return f"{OWN_PLACE}{number}"


def default_terrain(game: Game) -> str:
    """The terrain of a hex that declares none."""
    return next(iter(game.terrain))


def terrain_names(game: Game) -> dict[str, list[str]]:
    """The names of all places of each kind of terrain except the plain one."""
    names_by_kind: dict[str, list[str]] = {}
    for key, board in game.boards.items():
        for hex, kind in board.terrain.items():
            names_by_kind.setdefault(kind, []).append(prefix(game, key) + board.grid.name(hex))
    for table in game.maps.values():
        if isinstance(table, PointMap):
            for point in table.points.values():
                names_by_kind.setdefault(point.terrain, []).append(plain_text(point.name))
    return {kind: names for kind, names in names_by_kind.items() if kind and kind != default_terrain(game)}


def _board_at(sheet: BoardSheet, x: int, y: int) -> PlacedBoard | None:
    """The board that the engine finds at a point. A board owns its left and upper edges."""
    for placed_board in sheet.table.placed:
        left, top = sheet.corners[placed_board.board.id]
        width, height = pixels(placed_board.board.grid).size
        if left <= x < left + width and top <= y < top + height:
            return placed_board
    return None


def seams(game: Game) -> dict[str, list[str]]:
    """Hexes that two boards share, by kind, if the engine names the plain half. Each is written scenario/name."""
    names_by_kind: dict[str, list[str]] = {}
    for scenario, table in game.scenario_maps.items():
        if not isinstance(table, HexMap) or len(table.placed) < 2:
            continue
        sheet = BoardSheet(table)
        for hex, names in table.names.items():
            if len(names) < 2:
                continue
            placed_board = _board_at(sheet, *sheet.centre(hex))
            local = placed_board.to_board(hex) if placed_board else None
            if placed_board is None or local is None:
                continue
            kind = table.terrain.get(hex, table.plain)
            if placed_board.board.terrain.get(local, table.plain) != kind:
                name = prefix(game, placed_board.board.id) + placed_board.board.grid.name(local)
                names_by_kind.setdefault(kind, []).append(f"{scenario}/{name}")
    return names_by_kind


def terrain(game: Game) -> str:
    """An expression for the terrain that a piece is on."""
    location, scenario_location = text_of("LocationName"), f'{text_of(SCENARIO)}+"/"+{text_of("LocationName")}'
    tests = [(kind, is_any_of(names, scenario_location)) for kind, names in seams(game).items()]
    tests += [(kind, is_any_of(names, location)) for kind, names in terrain_names(game).items()]
    return "(" + "".join(f'{test}?"{kind}":' for kind, test in tests) + f'"{default_terrain(game)}")'


def ground_under(game: Game) -> str:
    """The viewer's text for an empty hex or the nearest point: its name and terrain; empty where the engine would spoil the names.

    In the viewer the engine reads a name that looks like a number as one: 0703 as 703, 4.10 as 4.1. If all names have
    one length, or equally many digits behind the point, the text pads them again.
    """
    names = [board.grid.name(hex) for board in game.boards.values() for hex in board.grid.hexes]
    lengths = {len(name) for name in names}
    location = "String.valueOf(LocationName)"
    if any(re.fullmatch(r"[0-9.]+", prefix(game, key) + name) for key in game.boards for name in names):
        decimal_lengths = {len(name.partition(".")[2]) for name in names}
        if len(lengths) == 1 and all(name.isdigit() for name in names):
            padded_name = f'"{"0" * lengths.pop()}"+LocationName'
            location = f"String.valueOf({padded_name}).substring(String.valueOf(LocationName).length())"
        elif len(decimal_lengths) == 1 and all(re.fullmatch(r"[1-9][0-9]*\.[0-9]{1,3}", name) for name in names):
            digits = decimal_lengths.pop()
            decimal_count = f'{location}.length()-{location}.indexOf(".")-1'
            location = f'({location}+"{"0" * digits}".substring(Math.min({digits},{decimal_count})))'
        else:
            return ""
    points = [
        point.name for table in game.maps.values() if isinstance(table, PointMap) for point in table.points.values()
    ]
    if not names and (not points or any(re.fullmatch(r"0[0-9]+|[0-9]*\.[0-9]+", name) for name in points)):
        return ""
    tests = [
        (kind, is_any_of(place_names, f'String.valueOf(Scenario)+"/"+{location}'))
        for kind, place_names in seams(game).items()
    ]
    tests += [(kind, is_any_of(place_names, location)) for kind, place_names in terrain_names(game).items()]
    terrain_cases = "".join(f'{test}?"{plain_text(game.terrain[kind].name)}":' for kind, test in tests)
    return f'{{"".equals(LocationName)?"":{location}+": "+({terrain_cases}"{plain_text(game.terrain[default_terrain(game)].name)}")}}'


def watched_markers(game: Game) -> list[str]:
    """The markers that some input asks for."""
    marker_ids: dict[str, None] = {}
    for attack in game.attacks.values():
        for shape in attack.all_inputs:
            if shape.read == "markers":
                marker_ids |= dict.fromkeys(key for key in (*shape.markers, *shape.choices) if key in game.markers)
    return list(marker_ids)


def place(game: Game) -> str:
    """An expression for a piece's place: x, y, terrain, markers, name, number of the point."""
    parts = [
        text_of("CurrentX"),
        text_of("CurrentY"),
        terrain(game),
        _markers(watched_markers(game)),
        text_of("LocationName"),
    ]
    parts.append('""' if game.boards else point_ranges.number())
    return '+";"+'.join(parts) + '+";"'


def _lies(marker: str) -> str:
    """An expression that tests whether a marker is in a piece's place."""
    return f'CountLocation("{{GetString(\\"unit\\").equals(\\"{marker}\\")}}")>0'


def _markers(marker_ids: list[str]) -> str:
    return "+".join(['"|"', *(f'({_lies(key)}?"{key}|":"")' for key in marker_ids)])


def part(number: int, property_name: str = TARGET) -> str:
    """One part of the target's place, or of the first attacker's."""
    return f'{text_of(property_name)}.split(";")[{number}]'


def distance_expression(game: Game, property_name: str = TARGET) -> str:
    """An expression for the distance in hexes or points from a piece on the map to the target or the first attacker."""
    if not game.boards:
        return point_ranges.points_to(part(5, property_name))
    grid = pixels(next(iter(game.boards.values())).grid)
    flat = grid.grid.orientation == "flat"
    width, height = (grid.lane, grid.height / 2) if flat else (grid.height / 2, grid.lane)
    distances = [
        f"Math.round(Math.abs(Double.parseDouble({text_of(name)})-Double.parseDouble({part(i, property_name)}))/{size})"
        for i, (name, size) in enumerate((("CurrentX", float(width)), ("CurrentY", float(height))))
    ]
    lanes, rows = distances if flat else reversed(distances)
    return f"Math.max({lanes},({lanes}+{rows})/2)"


def to_target(game: Game) -> str:
    """An expression for the distance in hexes or points from a piece to the target; empty if either isn't on the map."""
    return f'{ON_MAP}&&!"".equals({text_of(TARGET)})?""+{distance_expression(game)}:""'


def crossings(game: Game) -> dict[str, list[str]]:
    """The hexsides of each kind that some input asks for, as pairs of names in both orders: 0703/0704."""
    hexside_kinds = [
        kind
        for attack in game.attacks.values()
        for attack_input in attack.all_inputs
        if attack_input.read == "hexside"
        for kind in (*attack_input.choices, *attack_input.hexsides)
    ]
    pairs_by_kind: dict[str, list[str]] = {kind: [] for kind in hexside_kinds}
    for key, board in game.boards.items():
        for side, side_kinds in board.hexsides.items():
            names = [prefix(game, key) + board.grid.name(hex) for hex in side if hex in board.grid.hexes]
            for kind in side_kinds & pairs_by_kind.keys() if len(names) == 2 else ():
                pairs_by_kind[kind] += ["/".join(names), "/".join(reversed(names))]
    return {kind: pairs for kind, pairs in pairs_by_kind.items() if pairs}


def hexside_expression(game: Game) -> str:
    """An expression for the kind of hexside between a piece and the target; empty if there are several targets."""
    pair = f'{text_of("LocationName")}+"/"+{part(4)}'
    cases = "".join(f'{is_any_of(pairs, pair)}?"{kind}":' for kind, pairs in crossings(game).items())
    return f'!{ON_MAP}||"".equals({text_of(TARGET)})||{text_of(TARGET)}.endsWith("*")?"":{cases}""'


def turn(game: Game, otherwise: str) -> str:
    """An expression for the turn as a text."""
    if not game.turns or not game.turns.names:
        number = text_of("TurnNumber")
        return f'{number}.equals("")?"{otherwise}":{number}'
    name = text_of("TurnName")
    cases = "".join(f'{name}.equals("{plain_text(n)}")?"{i}":' for i, n in enumerate(game.turns.names, 1))
    return f'{cases}"{otherwise}"'


def default(game: Game, shape: AttackInput) -> str:
    """The default answer of an input."""
    kind = input_kind(shape, tuple(game.terrain))
    if shape.default is not None:
        return shape.default
    if shape.kind == "text":
        return next((c for c in shape.choices if c in (kind.choices or ())), "")
    return "false" if shape.kind == "flag" else "0"


def usual(game: Game, shape: AttackInput, for_battle: bool) -> str:
    """An expression for the answer without a player's input, for the whole battle or for a unit: the map's, or the default."""
    default_answer = default(game, shape)
    if shape.kind == "flag":
        return _usual_flag(game, shape, default_answer, for_battle)
    return _read(game, shape, default_answer, for_battle)


def has_effect(scenario: Scenario, effect: str) -> bool:
    """Whether a special rule of a scenario has an effect on all of its turns."""
    return any(
        special_effect.effect == effect and not special_effect.turns
        for special in scenario.special
        for special_effect in special.effects
    )


def _texts(shape: AttackInput) -> list[str]:
    """The properties with the places that an input asks about."""
    return {"targets": [TARGET], "attackers": [SOURCES]}.get(shape.at, [TARGET, SOURCES])


def _usual_flag(game: Game, shape: AttackInput, default_answer: str, for_battle: bool) -> str:
    if shape.read == "first_turn":
        has_turn_names = bool(game.turns and game.turns.names)
        first = game.turns.names[0] if game.turns and has_turn_names else "1"
        return f'{text_of("TurnName" if has_turn_names else "TurnNumber")}.equals("{plain_text(first)}")'
    if shape.read == "sight":
        return f'"".equals({text_of(SEES)})?{default_answer}:"true".equals({text_of(SEES)})'
    if shape.read == "shielded":
        return f'!"".equals({text_of(SHIELD_PROPERTY)})&&!"0".equals({text_of(SHIELD_PROPERTY)})'
    if shape.read == "support":
        return is_any_of(shape.support, text_of(SUPPORT))
    if shape.read == "effect":
        scenario_ids = [key for key, scenario in game.scenarios.items() if has_effect(scenario, shape.effect)]
        return is_any_of(scenario_ids, text_of(SCENARIO)) if scenario_ids else default_answer
    if shape.read == "adjacent":
        return f'"".equals({text_of("Hexes")})?{default_answer}:"1".equals({text_of("Hexes")})'
    if shape.read == "hexside":
        slot, ending = (CROSSED_PROPERTY, ";") if for_battle else (HEXSIDE_PROPERTY, "")
        crossing_kinds = [kind for kind in crossings(game) if kind in shape.hexsides]
        return (
            "(" + "||".join(f'"{kind}{ending}".equals({text_of(slot)})' for kind in crossing_kinds) + ")"
            if crossing_kinds
            else default_answer
        )
    if shape.read not in ("markers", "terrain"):
        return default_answer
    if shape.at == "attackers" and not for_battle:
        return (
            "||".join(map(_lies, shape.markers)) if shape.read == "markers" else is_any_of(shape.terrain, terrain(game))
        )
    marks = (
        [f"|{key}|" for key in shape.markers] if shape.read == "markers" else [f";{kind};|" for kind in shape.terrain]
    )
    return "(" + "||".join(f'{text_of(text)}.contains("{mark}")' for text in _texts(shape) for mark in marks) + ")"


def _terrain(game: Game, shape: AttackInput, usually: str) -> str:
    allowed_kinds = input_kind(shape, tuple(game.terrain)).choices or frozenset(game.terrain)
    read = usually
    for text in reversed(_texts(shape)):
        fits = is_any_of([kind for kind in game.terrain if kind in allowed_kinds], part(2, text))
        read = f'{text_of(text)}.equals("")?{read}:{fits}?{part(2, text)}:{usually}'
    return read


def _read(game: Game, shape: AttackInput, default_answer: str, for_battle: bool) -> str:
    usually = f'"{plain_text(default_answer)}"'
    if shape.read == "terrain":
        return _terrain(game, shape, usually)
    if shape.read == "markers":
        marker_ids = [key for key in shape.choices if key in game.markers]
        marker_tests = {
            key: "||".join(f'{text_of(text)}.contains("|{key}|")' for text in _texts(shape)) for key in marker_ids
        }
        return "".join(f'{marker_tests[key]}?"{key}":' for key in reversed(marker_ids)) + usually
    if shape.read == "distance":
        return f'{text_of("Hexes")}.equals("")?{usually}:{text_of("Hexes")}'
    if shape.read == "hexside":
        slot = CROSSED_PROPERTY if for_battle else HEXSIDE_PROPERTY
        ending = ";" if for_battle else ""
        crossing_kinds = [kind for kind in crossings(game) if kind in shape.choices]
        return "".join(f'"{kind}{ending}".equals({text_of(slot)})?"{kind}":' for kind in crossing_kinds) + usually
    if shape.read == "hexes":
        source_places = text_of(SOURCES)
        return f'{source_places}.equals("")?{usually}:String.valueOf({source_places}.length()-{source_places}.replace("#","").length())'
    if shape.read == "turn":
        return turn(game, default_answer)
    if shape.read == "support":
        slot = SUPPORT_STRENGTH if shape.kind == "number" else SUPPORT_WEAPON
        return f"{is_any_of(shape.support, text_of(SUPPORT))}?{text_of(slot)}:{usually}"
    if shape.read == "year":
        years: dict[int, list[str]] = {}
        for key, scenario in game.scenarios.items():
            if scenario.year is not None:
                years.setdefault(scenario.year, []).append(key)
        return "".join(f'{is_any_of(keys, text_of(SCENARIO))}?"{year}":' for year, keys in years.items()) + usually
    return usually

"""What the map tells of a battle: terrain and markers where it is fought, distances, turn and year.

The engine knows no terrain. The target writes its place into the property `Target`: pixels, terrain, markers, name,
number of the point; a star for each target that stands elsewhere. The attackers write each of their places into
`Sources`, with side and nation of who stands there first. The lists of hexes are part of the command that asks for it.
"""

from __future__ import annotations

import re

from modgen.vmod import near
from modgen.vmod.beanshell import text_of
from modgen.vmod.buttons import bare
from modgen.vmod.lookups import among
from scenarios.attacks import Attack, Input, input_kind
from scenarios.game import Game
from scenarios.maps import HexMap, Placed
from scenarios.points import PointMap
from scenarios.scenario import Scenario
from scenarios.vassal.geometry import Sheet, pixels
from scenarios.vassal.windows import MAIN, prefix

TARGET, SOURCES, SCENARIO = "Target", "Sources", "Scenario"
ACROSS, CROSSED = "Across", "Crossed"
"""The kind of hexside between a piece and the target; what all attackers cross, with a star where they differ."""
SEES, SHIELDED, GROUNDED = "Sees", "Shielded", "Grounded"
"""Whether a piece sees the target; what shields the target from any attacker; whether a target is on the ground."""
SMOKE, HIDES = "Smokes", "Hides"
"""A marker on the map that blocks lines; one that may change sight in a way that isn't worked out."""
SUPPORT, SUPPORT_STRENGTH, SUPPORT_WEAPON = "support", "support_strength", "support_weapon"
"""What a piece of support off the map tells: its kind, strength and weapon."""
ON_MAP = f'GetString("CurrentMap").equals("{MAIN}")'


ACTING = ("box", "display")
"""The kinds of boxes that pieces act from: air boxes, a battle display. Others hold pieces that wait or are lost."""


def in_play(game: Game) -> str:
    """An expression that tells whether a piece can take part in a battle: on the map, or in a box that pieces act from."""
    listed = dict.fromkeys(
        bare(box.name) for table in game.maps.values() for box in table.boxes.values() if box.kind in ACTING
    )
    boxed = f"||{among(list(listed), text_of('CurrentZone'))}" if listed else ""
    support = f'||!"".equals({text_of(SUPPORT)})' if has_support(game) else ""
    return f"{ON_MAP}{boxed}{support}"


def has_support(game: Game) -> bool:
    """Whether any scenario gives a side something off the map."""
    return any(force.support for held in game.scenarios.values() for force in held.forces.values())


def reads_targets(attack: Attack) -> bool:
    """Whether an attack reads anything where its targets stand."""
    placed, measured = ("terrain", "markers", "units"), ("distance", "adjacent", "hexside", "sight", "shielded")
    return any(one.read in measured or (one.read in placed and one.at != "attackers") for one in attack.all_inputs)


def plain(game: Game) -> str:
    """The kind of a hex that has no other."""
    return next(iter(game.terrain))


def terrain_names(game: Game) -> dict[str, list[str]]:
    """The names of all places of each kind of terrain, but for the plain one."""
    found: dict[str, list[str]] = {}
    for key, board in game.boards.items():
        for hex, kind in board.terrain.items():
            found.setdefault(kind, []).append(prefix(game, key) + board.grid.name(hex))
    for table in game.maps.values():
        if isinstance(table, PointMap):
            for point in table.points.values():
                found.setdefault(point.terrain, []).append(bare(point.name))
    return {kind: names for kind, names in found.items() if kind and kind != plain(game)}


def _board_at(sheet: Sheet, x: int, y: int) -> Placed | None:
    """The board that the engine finds at a point: its left and upper edges are its own."""
    for placed in sheet.table.placed:
        left, top = sheet.corners[placed.board.id]
        wide, high = pixels(placed.board.grid).size
        if left <= x < left + wide and top <= y < top + high:
            return placed
    return None


def seams(game: Game) -> dict[str, list[str]]:
    """Hexes that two boards share, by kind, where the engine names the plain half: scenario/name."""
    found: dict[str, list[str]] = {}
    for scenario, table in game.scenario_maps.items():
        if not isinstance(table, HexMap) or len(table.placed) < 2:
            continue
        sheet = Sheet(table)
        for hex, names in table.names.items():
            if len(names) < 2:
                continue
            placed = _board_at(sheet, *sheet.centre(hex))
            local = placed.to_board(hex) if placed else None
            if placed is None or local is None:
                continue
            kind = table.terrain.get(hex, table.plain)
            if placed.board.terrain.get(local, table.plain) != kind:
                name = prefix(game, placed.board.id) + placed.board.grid.name(local)
                found.setdefault(kind, []).append(f"{scenario}/{name}")
    return found


def terrain(game: Game) -> str:
    """An expression for the terrain a piece stands on."""
    here, there = text_of("LocationName"), f'{text_of(SCENARIO)}+"/"+{text_of("LocationName")}'
    tests = [(kind, among(names, there)) for kind, names in seams(game).items()]
    tests += [(kind, among(names, here)) for kind, names in terrain_names(game).items()]
    return "(" + "".join(f'{test}?"{kind}":' for kind, test in tests) + f'"{plain(game)}")'


def ground_under(game: Game) -> str:
    """The viewer's words for an empty hex, or the nearest point: its name and terrain; nothing where the engine would spoil the names.

    There the engine gives a name only as a number, if it looks like one: 0703 as 703, 4.10 as 4.1. Names of one length, and
    those with equally many digits behind the point, are padded again.
    """
    names = [board.grid.name(hex) for board in game.boards.values() for hex in board.grid.hexes]
    lengths = {len(name) for name in names}
    here = "String.valueOf(LocationName)"
    if any(re.fullmatch(r"[0-9.]+", prefix(game, key) + name) for key in game.boards for name in names):
        behind = {len(name.partition(".")[2]) for name in names}
        if len(lengths) == 1 and all(name.isdigit() for name in names):
            padded = f'"{"0" * lengths.pop()}"+LocationName'
            here = f"String.valueOf({padded}).substring(String.valueOf(LocationName).length())"
        elif len(behind) == 1 and all(re.fullmatch(r"[1-9][0-9]*\.[0-9]{1,3}", name) for name in names):
            digits = behind.pop()
            given = f'{here}.length()-{here}.indexOf(".")-1'
            here = f'({here}+"{"0" * digits}".substring(Math.min({digits},{given})))'
        else:
            return ""
    points = [
        point.name for table in game.maps.values() if isinstance(table, PointMap) for point in table.points.values()
    ]
    if not names and (not points or any(re.fullmatch(r"0[0-9]+|[0-9]*\.[0-9]+", name) for name in points)):
        return ""
    tests = [(kind, among(found, f'String.valueOf(Scenario)+"/"+{here}')) for kind, found in seams(game).items()]
    tests += [(kind, among(found, here)) for kind, found in terrain_names(game).items()]
    told = "".join(f'{test}?"{bare(game.terrain[kind].name)}":' for kind, test in tests)
    return f'{{"".equals(LocationName)?"":{here}+": "+({told}"{bare(game.terrain[plain(game)].name)}")}}'


def watched(game: Game) -> list[str]:
    """The markers that answer anything."""
    found: dict[str, None] = {}
    for attack in game.attacks.values():
        for shape in attack.all_inputs:
            if shape.read == "markers":
                found |= dict.fromkeys(key for key in (*shape.markers, *shape.choices) if key in game.markers)
    return list(found)


def place(game: Game) -> str:
    """An expression for where a piece stands: x, y, terrain, markers, name, number of the point."""
    parts = [text_of("CurrentX"), text_of("CurrentY"), terrain(game), _markers(watched(game)), text_of("LocationName")]
    parts.append('""' if game.boards else near.number())
    return '+";"+'.join(parts) + '+";"'


def _lies(marker: str) -> str:
    """An expression that tells whether a marker lies where a piece stands."""
    return f'CountLocation("{{GetString(\\"unit\\").equals(\\"{marker}\\")}}")>0'


def _markers(listed: list[str]) -> str:
    return "+".join(['"|"', *(f'({_lies(key)}?"{key}|":"")' for key in listed)])


def part(number: int, of: str = TARGET) -> str:
    """A part of the target's place, or of the first attacker's."""
    return f'{text_of(of)}.split(";")[{number}]'


def apart(game: Game, of: str = TARGET) -> str:
    """An expression for the hexes or points from a piece on the map to the target, or to the first attacker."""
    if not game.boards:
        return near.points_to(part(5, of))
    grid = pixels(next(iter(game.boards.values())).grid)
    flat = grid.grid.orientation == "flat"
    wide, high = (grid.lane, grid.high / 2) if flat else (grid.high / 2, grid.lane)
    away = [
        f"Math.round(Math.abs(Double.parseDouble({text_of(name)})-Double.parseDouble({part(i, of)}))/{size})"
        for i, (name, size) in enumerate((("CurrentX", float(wide)), ("CurrentY", float(high))))
    ]
    lanes, rows = away if flat else reversed(away)
    return f"Math.max({lanes},({lanes}+{rows})/2)"


def to_target(game: Game) -> str:
    """An expression for the hexes or points from a piece to the target; nothing where either isn't on the map."""
    return f'{ON_MAP}&&!"".equals({text_of(TARGET)})?""+{apart(game)}:""'


def crossings(game: Game) -> dict[str, list[str]]:
    """The hexsides of each kind that answers anything, as pairs of names both ways: 0703/0704."""
    wanted = [
        kind
        for attack in game.attacks.values()
        for one in attack.all_inputs
        if one.read == "hexside"
        for kind in (*one.choices, *one.hexsides)
    ]
    found: dict[str, list[str]] = {kind: [] for kind in wanted}
    for key, board in game.boards.items():
        for side, kinds in board.hexsides.items():
            names = [prefix(game, key) + board.grid.name(hex) for hex in side if hex in board.grid.hexes]
            for kind in kinds & found.keys() if len(names) == 2 else ():
                found[kind] += ["/".join(names), "/".join(reversed(names))]
    return {kind: pairs for kind, pairs in found.items() if pairs}


def across(game: Game) -> str:
    """An expression for the kind of the hexside between a piece and the target; nothing where there are several targets."""
    pair = f'{text_of("LocationName")}+"/"+{part(4)}'
    kinds = "".join(f'{among(pairs, pair)}?"{kind}":' for kind, pairs in crossings(game).items())
    return f'!{ON_MAP}||"".equals({text_of(TARGET)})||{text_of(TARGET)}.endsWith("*")?"":{kinds}""'


def turn(game: Game, otherwise: str) -> str:
    """An expression for the turn as a text."""
    if not game.turns or not game.turns.names:
        number = text_of("TurnNumber")
        return f'{number}.equals("")?"{otherwise}":{number}'
    name = text_of("TurnName")
    chained = "".join(f'{name}.equals("{bare(n)}")?"{i}":' for i, n in enumerate(game.turns.names, 1))
    return f'{chained}"{otherwise}"'


def default(game: Game, shape: Input) -> str:
    """The answer where nothing tells another."""
    kind = input_kind(shape, tuple(game.terrain))
    if shape.default is not None:
        return shape.default
    if shape.kind == "text":
        return next((c for c in shape.choices if c in (kind.choices or ())), "")
    return "false" if shape.kind == "flag" else "0"


def usual(game: Game, shape: Input, whole: bool) -> str:
    """An expression for the usual answer, of the whole battle or of a unit: what the map tells, or the default."""
    held = default(game, shape)
    if shape.kind == "flag":
        return _usual_flag(game, shape, held, whole)
    return _read(game, shape, held, whole)


def has_effect(scenario: Scenario, effect: str) -> bool:
    """Whether a special rule of a scenario has an effect, on all of its turns."""
    return any(one.effect == effect and not one.turns for special in scenario.special for one in special.effects)


def _texts(shape: Input) -> list[str]:
    """The properties with the places that count."""
    return {"targets": [TARGET], "attackers": [SOURCES]}.get(shape.at, [TARGET, SOURCES])


def _usual_flag(game: Game, shape: Input, held: str, whole: bool) -> str:
    if shape.read == "first_turn":
        named = bool(game.turns and game.turns.names)
        first = game.turns.names[0] if game.turns and named else "1"
        return f'{text_of("TurnName" if named else "TurnNumber")}.equals("{bare(first)}")'
    if shape.read == "sight":
        return f'"".equals({text_of(SEES)})?{held}:"true".equals({text_of(SEES)})'
    if shape.read == "shielded":
        return f'!"".equals({text_of(SHIELDED)})&&!"0".equals({text_of(SHIELDED)})'
    if shape.read == "support":
        return among(shape.support, text_of(SUPPORT))
    if shape.read == "effect":
        under = [key for key, scenario in game.scenarios.items() if has_effect(scenario, shape.effect)]
        return among(under, text_of(SCENARIO)) if under else held
    if shape.read == "adjacent":
        return f'"".equals({text_of("Hexes")})?{held}:"1".equals({text_of("Hexes")})'
    if shape.read == "hexside":
        slot, ended = (CROSSED, ";") if whole else (ACROSS, "")
        kinds = [kind for kind in crossings(game) if kind in shape.hexsides]
        return "(" + "||".join(f'"{kind}{ended}".equals({text_of(slot)})' for kind in kinds) + ")" if kinds else held
    if shape.read not in ("markers", "terrain"):
        return held
    if shape.at == "attackers" and not whole:
        return "||".join(map(_lies, shape.markers)) if shape.read == "markers" else among(shape.terrain, terrain(game))
    marks = (
        [f"|{key}|" for key in shape.markers] if shape.read == "markers" else [f";{kind};|" for kind in shape.terrain]
    )
    return "(" + "||".join(f'{text_of(text)}.contains("{mark}")' for text in _texts(shape) for mark in marks) + ")"


def _terrain(game: Game, shape: Input, usually: str) -> str:
    known = input_kind(shape, tuple(game.terrain)).choices or frozenset(game.terrain)
    read = usually
    for text in reversed(_texts(shape)):
        fits = among([kind for kind in game.terrain if kind in known], part(2, text))
        read = f'{text_of(text)}.equals("")?{read}:{fits}?{part(2, text)}:{usually}'
    return read


def _read(game: Game, shape: Input, held: str, whole: bool) -> str:
    usually = f'"{bare(held)}"'
    if shape.read == "terrain":
        return _terrain(game, shape, usually)
    if shape.read == "markers":
        listed = [key for key in shape.choices if key in game.markers]
        found = {key: "||".join(f'{text_of(text)}.contains("|{key}|")' for text in _texts(shape)) for key in listed}
        return "".join(f'{found[key]}?"{key}":' for key in reversed(listed)) + usually
    if shape.read == "distance":
        return f'{text_of("Hexes")}.equals("")?{usually}:{text_of("Hexes")}'
    if shape.read == "hexside":
        slot = CROSSED if whole else ACROSS
        ended = ";" if whole else ""
        kinds = [kind for kind in crossings(game) if kind in shape.choices]
        return "".join(f'"{kind}{ended}".equals({text_of(slot)})?"{kind}":' for kind in kinds) + usually
    if shape.read == "hexes":
        stood = text_of(SOURCES)
        return f'{stood}.equals("")?{usually}:String.valueOf({stood}.length()-{stood}.replace("#","").length())'
    if shape.read == "turn":
        return turn(game, held)
    if shape.read == "support":
        slot = SUPPORT_STRENGTH if shape.kind == "number" else SUPPORT_WEAPON
        return f"{among(shape.support, text_of(SUPPORT))}?{text_of(slot)}:{usually}"
    if shape.read == "year":
        years: dict[int, list[str]] = {}
        for key, scenario in game.scenarios.items():
            if scenario.year is not None:
                years.setdefault(scenario.year, []).append(key)
        return "".join(f'{among(keys, text_of(SCENARIO))}?"{year}":' for year, keys in years.items()) + usually
    return usually

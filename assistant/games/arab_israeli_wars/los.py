"""Sight as a question: the line between two hexes, what one hex sees, every pair of a map (Basic VII)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from assistant.answers import Answer, BadQuestion, Cell, Column, Line, Node, Ours, Place, Places, Table, Value
from assistant.games.arab_israeli_wars.asking import ON_THE_GROUND, asked_ground, counter, hex_of, place
from assistant.games.arab_israeli_wars.battle import Fighter, Look
from assistant.games.arab_israeli_wars.ground import Ground
from assistant.games.arab_israeli_wars.roster import roster
from assistant.games.arab_israeli_wars.sight import Block, Observer, Sight, Sights, look, observer, spotted
from assistant.games.arab_israeli_wars.sight_fast import sights
from assistant.games.arab_israeli_wars.sourced import of_ground
from assistant.questions import Input, Question, Told
from scenarios.game import Game
from scenarios.hexes import Corner, Hex, Hexside, direction, direction_name, hexes_at, neighbours
from scenarios.position import Piece, Position

OBSERVERS: tuple[Observer, ...] = ("ground", "infantry", "air")
_HOW = {"crossed": "crossed", "along": "the line runs along it", "end": "touched in a corner", "through": "passed through", "apart": ""}
_OBSERVED = {"ground": "", "infantry": " (infantry class)", "air": " (in the air)"}


def los_answer(game: Game, told: Told) -> Answer:
    """No hex: every pair of the map; one: what it sees; two: the line between them."""
    ground, position = asked_ground(game, told)
    hexes = [hex_of(ground, name) for name in told.get("hexes", ())]
    if len(hexes) > 2:
        raise BadQuestion(f"sight is from one hex to another, or from one to all; {len(hexes)} are given (Basic VII.B.2)")
    viewer, target = told["viewer"], told["target"]
    known = sights(ground)
    head: list[Node] = [Value("viewer", viewer, shown=False), Value("seen_as", target, shown=False)]
    if not hexes:
        nodes = pairs_nodes(known, viewer, target)
    elif len(hexes) == 1:
        nodes = seen_nodes(known, hexes[0], viewer, target, position, told)
    else:
        nodes = line_nodes(look(known, hexes[0], hexes[1], viewer, target))
    return Answer("los", game.id, [*head, *nodes, Ours(of_ground(ground))])


# --- a line -----------------------------------------------------------------------------------------------------------


def line_nodes(seen: Sight) -> list[Node]:
    """A line of sight: whether it is clear, the line itself, what blocks it, who is hull down, who is spotted."""
    ground, line = seen.ground, seen.line
    a, b = place(ground, seen.a), place(ground, seen.b)
    state = "clear" if seen.clear else "blocked"
    nodes: list[Node] = [
        Line((a, f"{_OBSERVED[seen.viewer]} to ", b, f"{_OBSERVED[seen.target]}, {_hexes(seen.distance)}: {state}")),
        Value("from", a, shown=False), Value("to", b, shown=False), Value("distance", seen.distance, shown=False),
        Value("clear", seen.clear, shown=False), Line(drawing(seen)),
        *(Line(f"blocked by {_blocking(ground, block)}", block.rule) for block in seen.blocked_by),
        Value("blocked_by", [_block(ground, block) for block in seen.blocked_by], shown=False),
    ]  # fmt: skip
    for whom, by, sides in ((b, a, seen.hull_down), (a, b, seen.hull_down_back)):
        if sides:
            named = ", ".join(f"{_kinds(ground, side)} {side_name(ground, side)}" for side in sides)
            nodes.append(Line((whom, " is hull down from ", by, f", behind {named}"), "Basic VII.F.1"))
    if seen.clear and seen.conceals and seen.target != "air":
        why = "next to the viewer, so spotted" if spotted(seen) else "only spotted units there may be attacked"
        nodes.append(Line((b, f" conceals: {why}"), "Basic VII.D.3"))
    shields = {"target": [side_name(ground, s) for s in seen.hull_down], "viewer": [side_name(ground, s) for s in seen.hull_down_back]}
    slope = {"from": ground.is_slope(seen.a), "to": ground.is_slope(seen.b)}
    silent: Mapping[str, Cell] = {
        "hexes_passed": [Place(ground.table.name(hex)) if hex in ground.table else "" for hex in line.hexes],
        "crossed": [_side(ground, side) for side in line.crossed], "along": [_side(ground, side) for side in line.along],
        "corners": [corner_name(ground, corner) for corner in line.corners], "hull_down": shields, "slope": slope,
        "conceals": seen.conceals, "spotted": spotted(seen), "rulings": dict(ground.rulings),
    }  # fmt: skip
    return [*nodes, *(Value(key, value, shown=False) for key, value in silent.items())]


def _block(ground: Ground, block: Block) -> dict[str, Cell]:
    at = Place(ground.table.name(block.hex)) if block.hex else None
    sides = [side_name(ground, side) for side in block.sides]
    return {"what": block.what, "place": at, "hexsides": sides, "how": block.how, "rule": block.rule}


def _blocking(ground: Ground, block: Block) -> str:
    if block.how == "apart":
        return "the gap between the boards"
    where = str(place(ground, block.hex)) if block.hex else " ".join(side_name(ground, s) for s in block.sides)
    return f"{_word(ground, block.what)} {where}, {_HOW[block.how]}"


def block_text(ground: Ground, block: Block) -> str:
    """What blocks, where, how and by which rule."""
    return f"{_blocking(ground, block)} ({block.rule})"


def drawing(seen: Sight) -> str:
    """The line from hex to hex: ─ open, ┃name┃ a bar crossed, ═ along a hexside, • through a corner."""
    ground, line = seen.ground, seen.line
    parts = [_spot(ground, line.hexes[0])]
    crossed = {frozenset(side): side for side in line.crossed}
    for here, there in pairwise(line.hexes):
        side = crossed.get(frozenset((here, there)))
        if side is not None:
            kinds = _kinds(ground, side)
            parts.append(f"┃{kinds}┃" if kinds else "─")
        else:
            parts.append("•" if here in neighbours(there) else f"═{_along(seen, here, there)}═")
        parts.append(_spot(ground, there))
    return " ".join(parts)


def side_name(ground: Ground, side: Hexside) -> str:
    """A hexside's name: its two hexes, or at the map's edge one hex and a direction."""
    table = ground.table
    if side.a in table and side.b in table:
        return f"{table.name(side.a)}/{table.name(side.b)}"
    here, there = (side.a, side.b) if side.a in table else (side.b, side.a)
    return f"{table.name(here)}:{direction_name(table.orientation, direction(here, there))}"


def corner_name(ground: Ground, corner: Corner) -> str:
    """A corner's name: the hexes that meet there."""
    return "+".join(ground.table.name(hex) for hex in hexes_at(corner) if hex in ground.table)


def _side(ground: Ground, side: Hexside) -> dict[str, Cell]:
    return {"hexside": side_name(ground, side), "kinds": sorted(ground.side_kinds(side))}


def _spot(ground: Ground, hex: Hex) -> str:
    """A hex with what stands or grows there, where that isn't open ground."""
    if hex not in ground.table:
        return "(off the map)"
    notes = [] if ground.kind(hex) == ground.table.plain else [_word(ground, ground.kind(hex))]
    shown = ("smoke", "fort", "improved_position", "trench")
    notes += sorted(ground.game.markers[work].name for work in ground.works.get(hex, ()) if work in shown)
    return ground.table.name(hex) + (f"[{', '.join(notes)}]" if notes else "")


def _kinds(ground: Ground, side: Hexside) -> str:
    return "+".join(_word(ground, kind) for kind in sorted(ground.side_kinds(side)))


def _word(ground: Ground, kind: str) -> str:
    game = ground.game
    known = game.hexsides.get(kind) or game.terrain.get(kind)
    return known.name.lower() if known is not None else kind


def _along(seen: Sight, here: Hex, there: Hex) -> str:
    """What lies on the hexside that leads from one hex to the one beyond it, or its two hexes."""
    side = next(side for side in seen.line.along if side.a in neighbours(here) and side.a in neighbours(there))
    return _kinds(seen.ground, side) or side_name(seen.ground, side)


def _hexes(count: int) -> str:
    return f"{count} hex{'es' if count != 1 else ''}"


# --- from one hex, and every pair -------------------------------------------------------------------------------------


def seen_nodes(
    known: Sights, hex: Hex, viewer: Observer, target: Observer, position: Position | None = None, told: Told | None = None
) -> list[Node]:
    """What a hex sees: the enemies of who stands there (or of `side`); the hexes where nobody is on the map, or on demand."""
    ground, options = known.ground, told or {}
    found = [other for other in known.seen_from(hex, viewer, target) if other != hex]
    names = sorted(found, key=lambda other: board_order(ground.table.name(other)))
    where = place(ground, hex)
    listed = position is None or bool(options.get("all"))
    nodes: list[Node] = [Value("from", where, shown=False)]
    if position is not None:
        nodes += _units_seen(known, hex, viewer, position, str(options.get("side", "")))
    title = f"{where} sees, of {len(ground.table.hexes) - 1} hexes"
    return [*nodes, Places("sees", {place(ground, other): {} for other in names}, title, listed=listed)]


def _units_seen(known: Sights, hex: Hex, viewer: Observer, position: Position, side: str) -> Iterator[Node]:
    """The units that a hex sees, without those of its own side and without passengers."""
    ground = known.ground
    game, whose = ground.game, roster(ground.game, position.scenario)
    units = [piece for piece in position.pieces if piece.unit in game.units and isinstance(piece.at, Hex) and "loaded" not in piece.states]
    own = side or next((whose.side(piece) for piece in units if piece.at == hex), "")
    rows = []
    for piece in units:
        if piece.at == hex or (own and whose.side(piece) == own):
            continue
        seen = look(known, hex, _at(piece), viewer, observer(game.units[piece.unit], piece.states))
        if seen.clear:
            rows.append(_seen(seen, piece, whose.side(piece)))
    rows.sort(key=lambda row: (str(row["side"]), int(str(row["distance"])), str(row["unit"])))
    yield Value("side", own or None, shown=False)
    columns = [
        Column("unit", "unit"), Column("place", "hex"), Column("distance", "off"), Column("side", "" if own else "side"),
        Column("note", "note", told=False),
    ]  # fmt: skip
    yield Table("in_view", columns, rows, f"{'enemies' if own else 'units'} that {place(ground, hex)} sees")
    if not rows:
        yield Line("none")


def _at(piece: Piece) -> Hex:
    assert isinstance(piece.at, Hex)
    return piece.at


def _seen(seen: Sight, piece: Piece, side: str) -> dict[str, Cell]:
    hidden = seen.conceals and seen.target != "air" and not spotted(seen) and "spotted" not in piece.states
    notes = ["hull down"] * bool(seen.hull_down) + ["concealed: spotted units only"] * hidden
    return {
        "unit": counter(seen.ground.game, piece.unit, piece.copy), "place": place(seen.ground, seen.b), "distance": seen.distance,
        "side": side, "hull_down": bool(seen.hull_down), "conceals": seen.conceals, "spotted": not hidden, "note": ", ".join(notes),
    }  # fmt: skip


def pairs_nodes(known: Sights, viewer: Observer, target: Observer) -> list[Node]:
    """Every pair of a map: how many see each other, and the hexes that see most."""
    ground, hexes, count = known.ground, len(known.places), known.count(viewer, target)
    seen = {hex: [other for other in known.seen_from(hex, viewer, target) if other != hex] for hex in known.places}
    best = sorted(seen, key=lambda hex: (-len(seen[hex]), hex))[:8]
    rows: list[dict[str, Cell]] = [
        {"place": place(ground, hex), "sees": [Place(name) for name in sorted(map(ground.table.name, others))]}
        for hex, others in seen.items()
    ]
    return [
        Line(f"{count} of {hexes * (hexes - 1) // 2} pairs of hexes see each other", "Basic VII.C"),
        Value("pairs", count, shown=False),
        Line("most is seen from " + ", ".join(f"{place(ground, hex)} ({len(seen[hex])})" for hex in best)),
        Table("places", [Column("place")], rows),
    ]


def board_order(name: str) -> tuple[str, int, str, int]:
    """What puts the names of hexes in the order of their boards, columns and rows: A-H-3, A-H-11, A-AA-1."""
    board, _, rest = name.rpartition("-")
    first, _, column = board.rpartition("-")
    return first, len(column), column, int(rest) if rest.isdecimal() else 0


LOS = Question(
    name="los", about="who sees whom: the line between two hexes, or what one hex sees", answer=los_answer, bare=("hexes",),
    inputs=(
        Input(name="hexes", about="one hex or two; none: every pair of the map", kind="places", example="A-H-3,A-H-5"),
        Input(name="viewer", about="who looks", kind="choice", choices=OBSERVERS, default="ground"),
        Input(name="target", about="who is looked at", kind="choice", choices=OBSERVERS, default="ground"),
        Input(name="side", about="of one hex: whose eyes, if nobody stands there", kind="choice", of="side"),
        Input(name="all", about="of one hex: list all hexes that it sees", kind="flag"),
        *ON_THE_GROUND,
    ),
)  # fmt: skip

# --- what fighters see of each other ---------------------------------------------------------------------------------


def by_the_rules(ground: Ground, firer: Fighter, target: Fighter) -> Look:
    """Sight by the rules (Basic VII), with the first thing that blocks it, or the hexsides that shield the target."""
    assert firer.at is not None and target.at is not None
    seen = look(sights(ground), firer.at, target.at, _as_seen(ground, firer), _as_seen(ground, target))
    if not seen.clear:
        return Look(False, block_text(ground, seen.blocked_by[0]) if seen.blocked_by else "")
    return Look(True, "", bool(seen.hull_down), ", ".join(side_name(ground, side) for side in seen.hull_down))


def _as_seen(ground: Ground, fighter: Fighter) -> Observer:
    unit = ground.game.units.get(fighter.unit)
    return "ground" if unit is None else observer(unit, fighter.states)

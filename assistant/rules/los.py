"""Sight as a question, for any pack that declares it: the line between two hexes, what one hex sees, every pair of a map."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from assistant.answers import Answer, BadQuestion, Cell, Column, Counter, Line, Node, Path, Place, Places, Table, Value
from assistant.questions import ON_ANY_MAP, Input, Question
from assistant.rules.field import Field
from assistant.rules.placed import asked_field, asked_place
from assistant.rules.sight import Effect, Look, Sights
from scenarios.game import Game
from scenarios.hexes import Corner, Hex, Hexside, direction, direction_name, hexes_at, neighbours
from scenarios.lines import Line as Drawn
from scenarios.lines import line
from scenarios.maps import HexMap

MANNERS = {
    "crossed": "crossed",
    "through": "passed through",
    "along": "the line runs along it",
    "corner": "touched in a corner",
}
MOST_SEEING = 8
HEXES = Input(name="hexes", about="one hex or two; none: every pair of the map", kind="places")
OF_ONE_HEX = (
    Input(name="side", about="of one hex: whose eyes, if nobody stands there", kind="choice", of="side"),
    Input(name="all", about="of one hex: list all hexes that it sees", kind="flag"),
)


def observers(game: Game) -> tuple[Input, ...]:
    """Who looks and who is looked at, where the pack tells kinds of them apart."""
    sight = game.rules.sight if game.rules is not None else None
    names = tuple(reversed(list(sight.observers))) if sight is not None else ()
    if not names:
        return ()
    return (
        Input(name="viewer", about="who looks", kind="choice", choices=names, default=names[0]),
        Input(name="target", about="who is looked at", kind="choice", choices=names, default=names[0]),
    )


def los_question(game: Game, inputs: tuple[Input, ...]) -> Question:
    """The question, with the inputs that the pack's rules take."""
    return Question(
        name="los",
        about="who sees whom: the line between two hexes, or what one hex sees",
        answer=los_answer,
        bare=("hexes",),
        inputs=(HEXES, *observers(game), *OF_ONE_HEX, *inputs, *ON_ANY_MAP),
    )


def los_answer(game: Game, told: Mapping[str, Any]) -> Answer:
    """No hex: every pair of the map; one: what it sees; two: the line between them."""
    field = asked_field(game, told)
    return Answer(
        "los",
        game.id,
        los_nodes(field, [asked_place(field.kinds, name, "hexes") for name in told.get("hexes", ())], told),
    )


def los_nodes(field: Field, hexes: list[int], told: Mapping[str, Any]) -> list[Node]:
    """The answer for some hexes of a field."""
    sights, looks = field.sights, (str(told.get("viewer", "")), str(told.get("target", "")))
    if len(hexes) > 2:
        raise BadQuestion(f"sight is from one hex to another, or from one to all; {len(hexes)} are given")
    head = (
        [Value("viewer", looks[0], shown=False), Value("seen_as", looks[1], shown=False)]
        if sights.rules.observers
        else []
    )
    if not hexes:
        return [*head, *_pairs(sights, *looks)]
    if len(hexes) == 1:
        return [*head, *_seen(sights, hexes[0], told, *looks)]
    return [*head, *line_nodes(sights, sights.look(hexes[0], hexes[1], *looks))]


# --- a line -----------------------------------------------------------------------------------------------------------


def line_nodes(sights: Sights, look: Look) -> list[Node]:
    """A line of sight: whether it is clear, the line itself, what blocks it, who is shielded, who is spotted."""
    field = sights.field
    a, b = field.place(look.a), field.place(look.b)
    drawn = _drawn(field, look)
    passed = drawn.hexes if drawn is not None else (_hex(field, look.a),)
    state = "clear" if look.clear else "blocked"
    nodes: list[Node] = [
        Line(
            (a, f"{_as(sights, look.viewer)} to ", b, f"{_as(sights, look.seen_as)}, {_hexes(look.distance)}: {state}")
        ),
        Value("from", a, shown=False),
        Value("to", b, shown=False),
        Value("distance", look.distance, shown=False),
        Value("clear", look.clear, shown=False),
        Path(
            "hexes_passed",
            [field.place(field.kinds.number[hex]) for hex in passed if hex in field.kinds.number],
            "The line",
            whole=True,
            drawn=drawing(sights, look),
        ),
    ]
    if look.too_far is not None:
        nodes.append(Line(f"too far: {look.too_far.text or 'the limit'}, {look.limit} hexes", look.too_far.rule))
    nodes += [Line(f"blocked by {blocking(field, effect)}", effect.rule) for effect in look.blocked_by]
    for effect in look.degraded_by:
        nodes.append(Line(f"{effect.record.text} {_where(field, effect)}: {effect.amount} worse", effect.rule))
    if look.degraded_by:
        nodes.append(Value("degraded", look.degraded, "Worse in all by"))
    for whom, by, effects in ((b, a, look.shields), (a, b, look.shields_back)):
        for effect in effects:
            kinds = f" ({_lying(field, effect.met.side)})" if effect.met.side is not None else ""
            nodes.append(
                Line(
                    (whom, " is shielded from ", by, f": {effect.record.text} {_where(field, effect)}{kinds}"),
                    effect.record.rule,
                )
            )
    ends = (("target", look.shields), ("viewer", look.shields_back))
    shields = {end: list(dict.fromkeys(_where(field, effect) for effect in effects)) for end, effects in ends}
    hides, unseen = sights.hides(look)
    if look.clear:
        nodes += [Line((b, f": {record.text}"), record.rule) for record in unseen]
    silent: Mapping[str, Cell] = {
        "blocked_by": [_block(field, effect) for effect in look.blocked_by],
        "hull_down": shields,
        "crossed": [_side(field, side) for side in drawn.crossed] if drawn is not None else [],
        "along": [_side(field, side) for side in drawn.along] if drawn is not None else [],
        "corners": [_corner(field, corner) for corner in drawn.corners] if drawn is not None else [],
        "conceals": hides,
        "spotted": look.clear and not unseen,
    }
    return [*nodes, *(Value(key, value, shown=False) for key, value in silent.items())]


def _hex(field: Field, n: int) -> Hex:
    hex = field.kinds.places[n]
    assert isinstance(hex, Hex)
    return hex


def _drawn(field: Field, look: Look) -> Drawn | None:
    return line(_hex(field, look.a), _hex(field, look.b)) if look.a != look.b else None


def _as(sights: Sights, observer: str) -> str:
    return "" if observer == sights.usual else f" ({observer})"


def _hexes(count: int) -> str:
    return f"{count} hex{'es' if count != 1 else ''}"


def blocking(field: Field, effect: Effect) -> str:
    """What blocks a line, where and how."""
    where = _where(field, effect)
    return f"{effect.record.text} {where}, {MANNERS[effect.met.manner]}" if where else effect.record.text


def _block(field: Field, effect: Effect) -> dict[str, Cell]:
    hex, side = effect.met.hex, effect.met.side
    return {
        "what": effect.record.text,
        "place": Place(field.kinds.name(field.kinds.number[hex])) if hex is not None else None,
        "hexsides": [side_name(field, side)] if side is not None else [],
        "how": effect.met.manner,
        "rule": effect.rule,
    }


def _where(field: Field, effect: Effect) -> str:
    if effect.met.side is not None:
        return side_name(field, effect.met.side)
    return field.kinds.name(field.kinds.number[effect.met.hex]) if effect.met.hex is not None else ""


def _map(field: Field) -> HexMap:
    assert isinstance(field.kinds.map, HexMap)
    return field.kinds.map


def side_name(field: Field, side: Hexside) -> str:
    """A hexside's name: its two hexes, or at the map's edge one hex and a direction."""
    map = _map(field)
    if side.a in map and side.b in map:
        return f"{map.name(side.a)}/{map.name(side.b)}"
    here, there = (side.a, side.b) if side.a in map else (side.b, side.a)
    return f"{map.name(here)}:{direction_name(map.orientation, direction(here, there))}"


def _side(field: Field, side: Hexside) -> dict[str, Cell]:
    return {"hexside": side_name(field, side), "kinds": sorted(_map(field).hexsides.get(side, ()))}


def _corner(field: Field, corner: Corner) -> str:
    """A corner's name: the hexes that meet there."""
    return "+".join(_map(field).name(hex) for hex in hexes_at(corner) if hex in _map(field))


def drawing(sights: Sights, look: Look) -> str:
    """The line from hex to hex: ─ open, ┃name┃ what is crossed, ═ along a hexside, • through a corner."""
    field, drawn = sights.field, _drawn(sights.field, look)
    if drawn is None:
        return _spot(sights, _hex(field, look.a))
    parts = [_spot(sights, drawn.hexes[0])]
    crossed = {frozenset(side): side for side in drawn.crossed}
    for here, there in pairwise(drawn.hexes):
        side = crossed.get(frozenset((here, there)))
        if side is not None:
            kinds = _lying(field, side)
            parts.append(f"┃{kinds}┃" if kinds else "─")
        elif here in neighbours(there):
            parts.append("•")
        else:
            between = next(side for side in drawn.along if side.a in neighbours(here) and side.a in neighbours(there))
            parts.append(f"═{_lying(field, between) or side_name(field, between)}═")
        parts.append(_spot(sights, there))
    return " ".join(parts)


def _spot(sights: Sights, hex: Hex) -> str:
    """A hex with what stands or grows there that matters for sight."""
    field, map = sights.field, _map(sights.field)
    if hex not in map:
        return "(off the map)"
    n = field.kinds.number[hex]
    terrain = map.terrain[hex]
    notes = [] if terrain == map.plain else [_word(field.game, terrain)]
    shown = sights.map.markers
    notes += sorted(
        {field.game.markers[str(marker["id"])].name for marker in field.markers.get(n, ()) if marker["id"] in shown}
    )
    return map.name(hex) + (f"[{', '.join(notes)}]" if notes else "")


def _lying(field: Field, side: Hexside) -> str:
    return "+".join(_word(field.game, kind) for kind in sorted(_map(field).hexsides.get(side, ())))


def _word(game: Game, kind: str) -> str:
    known = game.hexsides.get(kind) or game.terrain.get(kind)
    return known.name.lower() if known is not None else kind


# --- from one hex, and every pair -------------------------------------------------------------------------------------


def _seen(sights: Sights, n: int, told: Mapping[str, Any], viewer: str, target: str) -> list[Node]:
    """What a hex sees: the enemies of who stands there, or of a side; the hexes, where no enemy is on the map or on demand."""
    field = sights.field
    here = field.place(n)
    own = str(told.get("side") or next((standing.side for standing in field.by_place.get(n, ())), ""))
    nodes: list[Node] = [Value("from", here, shown=False), Value("side", own or None, shown=False)]
    if field.standings:
        rows = _in_view(sights, n, own, viewer)
        columns = [
            Column("unit", "unit"),
            Column("place", "hex"),
            Column("distance", "off"),
            Column("side", "" if own else "side"),
            Column("note", "note", told=False),
        ]
        nodes.append(Table("in_view", columns, rows, f"{'enemies' if own else 'units'} that {here} sees"))
        nodes += [] if rows else [Line("none")]
    seen: dict[Place, dict[str, Cell]] = {
        field.place(b): {} for b in sorted(sights.seen_from(n, viewer, target), key=sights.order)
    }
    listed = not field.standings or bool(told.get("all"))
    return [*nodes, Places("sees", seen, f"{here} sees, of {len(field.kinds.places) - 1} hexes", listed=listed)]


def _in_view(sights: Sights, n: int, own: str, viewer: str) -> list[dict[str, Cell]]:
    """The units that a hex sees, without those of its own side."""
    field = sights.field
    rows: list[dict[str, Cell]] = []
    for standing in field.standings:
        if standing.at == n or (own and standing.side == own):
            continue
        look = sights.look(n, standing.at, viewer, sights.observer(standing.fields))
        if look.clear:
            hides, unseen = sights.hides(look, standing)
            notes = ["shielded"] * bool(look.shields) + [f"not spotted: {record.text}" for record in unseen]
            rows.append(
                {
                    "unit": Counter(standing.key, standing.name),
                    "place": field.place(standing.at),
                    "distance": look.distance,
                    "side": standing.side,
                    "hull_down": bool(look.shields),
                    "conceals": hides,
                    "spotted": not unseen,
                    "note": ", ".join(notes),
                }
            )
    return sorted(
        rows, key=lambda row: (str(row["side"]), int(str(row["distance"])), str(row["place"]), str(row["unit"]))
    )


def _pairs(sights: Sights, viewer: str, target: str) -> list[Node]:
    """Every pair of a map: how many see each other, and the hexes that see most."""
    field = sights.field
    count, hexes = sights.count(viewer, target), len(field.kinds.places)
    seen = {
        n: sorted(sights.seen_from(n, viewer, target), key=sights.order) for n in sorted(range(hexes), key=sights.order)
    }
    best = sorted(seen, key=lambda n: (-len(seen[n]), sights.order(n)))[:MOST_SEEING]
    rows: list[dict[str, Cell]] = [
        {"place": field.place(n), "sees": [field.place(m) for m in others]} for n, others in seen.items()
    ]
    return [
        Line(f"{count} of {hexes * (hexes - 1) // 2} pairs of hexes see each other", sights.rules.rule),
        Value("pairs", count, shown=False),
        Line("most is seen from " + ", ".join(f"{field.place(n)} ({len(seen[n])})" for n in best)),
        Table("places", [Column("place")], rows),
    ]

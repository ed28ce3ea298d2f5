"""Sight as a question, for any pack that declares it: the line between two hexes, what one hex sees, every pair of a
map."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from assistant.engine.field import Field
from assistant.engine.question_field import asked_field, asked_place
from assistant.engine.sight.visibility import SightEffect, SightResult, Sights, sights_of
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    CounterRef,
    MapPath,
    Node,
    PlaceList,
    PlaceRef,
    RowTable,
    Sentence,
    TableColumn,
    Value,
)
from assistant.questions.question import ON_ANY_MAP, Input, Question
from scenarios.grammar import count_text
from scenarios.model.game import Game
from scenarios.model.hexes import Corner, Hex, Hexside, direction, direction_name, hexes_at, neighbours
from scenarios.model.lines import Line, line
from scenarios.model.maps import HexMap

MANNERS = {
    "crossed": "crossed",
    "through": "the line passes through it",
    "along": "the line runs along it",
    "corner": "the line touches its corner",
}
MOST_SEEING = 8
HEXES = Input(name="hexes", about="one hex or two; without any, every pair of hexes on the map", kind="places")
OF_ONE_HEX = (
    Input(
        name="side", about="with one hex: the side that looks, if no unit is there", kind="choice", vocabulary="side"
    ),
    Input(name="all", about="with one hex: list all hexes that it sees", kind="flag"),
)


def observers(game: Game) -> tuple[Input, ...]:
    """Return the inputs for observer and target, where the pack distinguishes kinds of them."""
    sight = game.rules.sight if game.rules is not None else None
    names = tuple(reversed(list(sight.observers))) if sight is not None else ()
    if not names:
        return ()
    return (
        Input(name="viewer", about="the kind of observer", kind="choice", choices=names, default=names[0]),
        Input(name="target", about="the kind of target", kind="choice", choices=names, default=names[0]),
    )


def los_question(game: Game, inputs: tuple[Input, ...]) -> Question:
    """Return the question, with the inputs of the pack's rules."""
    return Question(
        name="los",
        about="line of sight between two hexes, or everything that one hex sees",
        answer=los_answer,
        positional=("hexes",),
        inputs=(HEXES, *observers(game), *OF_ONE_HEX, *inputs, *ON_ANY_MAP),
    )


def los_answer(game: Game, inputs: Mapping[str, Any]) -> Answer:
    """Answer the question. Without a hex: every pair of the map; with one: what it sees; with two: the line between
    them."""
    field = asked_field(game, inputs)
    return Answer(
        "los",
        game.id,
        los_nodes(field, [asked_place(field.map_index, name, "hexes") for name in inputs.get("hexes", ())], inputs),
    )


def los_nodes(field: Field, hexes: list[int], inputs: Mapping[str, Any]) -> list[Node]:
    """The answer for some hexes of a field."""
    sights, looks = sights_of(field), (str(inputs.get("viewer", "")), str(inputs.get("target", "")))
    if len(hexes) > 2:
        raise BadQuestion(f"name one hex or two, not {len(hexes)}")
    head = (
        [Value("viewer", looks[0], for_people=False), Value("seen_as", looks[1], for_people=False)]
        if sights.rules.observers
        else []
    )
    if not hexes:
        return [*head, *_pairs(sights, *looks)]
    if len(hexes) == 1:
        return [*head, *_visible_nodes(sights, hexes[0], inputs, *looks)]
    return [*head, *line_nodes(sights, sights.look(hexes[0], hexes[1], *looks))]


# --- a line -----------------------------------------------------------------------------------------------------------


def line_nodes(sights: Sights, look: SightResult) -> list[Node]:
    """Return a line of sight: whether it is clear, the line itself, what blocks it, which end is shielded, which
    units are spotted."""
    field = sights.field
    a, b = field.place(look.a), field.place(look.b)
    drawn_line = _drawing_of(field, look)
    line_hexes = drawn_line.hexes if drawn_line is not None else (_hex(field, look.a),)
    state = "clear" if look.clear else "blocked"
    nodes: list[Node] = [
        Sentence(
            (
                a,
                f"{_as(sights, look.viewer)} to ",
                b,
                f"{_as(sights, look.seen_as)}, {count_text(look.distance, 'hex')}: {state}",
            )
        ),
        Value("from", a, for_people=False),
        Value("to", b, for_people=False),
        Value("distance", look.distance, for_people=False),
        Value("clear", look.clear, for_people=False),
        MapPath(
            "hexes_passed",
            [field.place(field.map_index.number[hex]) for hex in line_hexes if hex in field.map_index.number],
            "The line",
            complete=True,
            drawing=drawing(sights, look),
        ),
    ]
    if look.too_far is not None:
        nodes.append(
            Sentence(
                f"too far: {look.too_far.text or 'the limit'}, {count_text(look.limit or 0, 'hex')}", look.too_far.rule
            )
        )
    nodes += [Sentence(f"blocked by {blocking(field, effect)}", effect.rule) for effect in look.blocked_by]
    for effect in look.degraded_by:
        nodes.append(
            Sentence(f"{effect.record.text} {_effect_location(field, effect)}: {effect.amount} worse", effect.rule)
        )
    if look.degraded_by:
        nodes.append(Value("degraded", look.degradation, "Total degradation"))
    for shielded_place, observer_place, effects in ((b, a, look.shields), (a, b, look.shields_back)):
        for effect in effects:
            hexside_label = f" ({_lying(field, effect.crossing.side)})" if effect.crossing.side is not None else ""
            nodes.append(
                Sentence(
                    (
                        shielded_place,
                        " is shielded from ",
                        observer_place,
                        f": {effect.record.text} {_effect_location(field, effect)}{hexside_label}",
                    ),
                    effect.record.rule,
                )
            )
    ends = (("target", look.shields), ("viewer", look.shields_back))
    shields = {end: list(dict.fromkeys(_effect_location(field, effect) for effect in effects)) for end, effects in ends}
    hides, unseen = sights.hides(look)
    if look.clear:
        nodes += [Sentence((b, f": {record.text}"), record.rule) for record in unseen]
    silent: Mapping[str, Cell] = {
        "blocked_by": [_block(field, effect) for effect in look.blocked_by],
        "hull_down": shields,
        "crossed": [_side(field, side) for side in drawn_line.crossed_sides] if drawn_line is not None else [],
        "along": [_side(field, side) for side in drawn_line.followed_sides] if drawn_line is not None else [],
        "corners": [_corner(field, corner) for corner in drawn_line.corners] if drawn_line is not None else [],
        "conceals": hides,
        "spotted": look.clear and not unseen,
    }
    return [*nodes, *(Value(key, value, for_people=False) for key, value in silent.items())]


def _hex(field: Field, n: int) -> Hex:
    hex = field.map_index.places[n]
    assert isinstance(hex, Hex)
    return hex


def _drawing_of(field: Field, look: SightResult) -> Line | None:
    return line(_hex(field, look.a), _hex(field, look.b)) if look.a != look.b else None


def _as(sights: Sights, observer: str) -> str:
    return "" if observer == sights.usual else f" ({observer})"


def blocking(field: Field, effect: SightEffect) -> str:
    """Return what blocks a line, where and how."""
    place = _effect_location(field, effect)
    return f"{effect.record.text} {place}, {MANNERS[effect.crossing.manner]}" if place else effect.record.text


def _block(field: Field, effect: SightEffect) -> dict[str, Cell]:
    hex, side = effect.crossing.hex, effect.crossing.side
    return {
        "what": effect.record.text,
        "place": PlaceRef(field.map_index.name(field.map_index.number[hex])) if hex is not None else None,
        "hexsides": [side_name(field, side)] if side is not None else [],
        "how": effect.crossing.manner,
        "rule": effect.rule,
    }


def _effect_location(field: Field, effect: SightEffect) -> str:
    if effect.crossing.side is not None:
        return side_name(field, effect.crossing.side)
    return field.map_index.name(field.map_index.number[effect.crossing.hex]) if effect.crossing.hex is not None else ""


def _map(field: Field) -> HexMap:
    assert isinstance(field.map_index.map, HexMap)
    return field.map_index.map


def side_name(field: Field, side: Hexside) -> str:
    """Return a hexside's name: its two hexes, or at the map's edge one hex and a direction."""
    map = _map(field)
    if side.a in map and side.b in map:
        return f"{map.name(side.a)}/{map.name(side.b)}"
    inner_hex, outer_hex = (side.a, side.b) if side.a in map else (side.b, side.a)
    return f"{map.name(inner_hex)}:{direction_name(map.orientation, direction(inner_hex, outer_hex))}"


def _side(field: Field, side: Hexside) -> dict[str, Cell]:
    return {"hexside": side_name(field, side), "kinds": sorted(_map(field).hexsides.get(side, ()))}


def _corner(field: Field, corner: Corner) -> str:
    """Return a corner's name: the hexes that meet there."""
    return "+".join(_map(field).name(hex) for hex in hexes_at(corner) if hex in _map(field))


def drawing(sights: Sights, look: SightResult) -> str:
    """Draw the line from hex to hex: ─ open, ┃name┃ a crossed feature, ═ along a hexside, • through a corner."""
    field, drawn_line = sights.field, _drawing_of(sights.field, look)
    if drawn_line is None:
        return _spot(sights, _hex(field, look.a))
    parts = [_spot(sights, drawn_line.hexes[0])]
    side_by_hexes = {frozenset(side): side for side in drawn_line.crossed_sides}
    for first_hex, second_hex in pairwise(drawn_line.hexes):
        side = side_by_hexes.get(frozenset((first_hex, second_hex)))
        if side is not None:
            kinds = _lying(field, side)
            parts.append(f"┃{kinds}┃" if kinds else "─")
        elif first_hex in neighbours(second_hex):
            parts.append("•")
        else:
            between = next(
                side
                for side in drawn_line.followed_sides
                if side.a in neighbours(first_hex) and side.a in neighbours(second_hex)
            )
            parts.append(f"═{_lying(field, between) or side_name(field, between)}═")
        parts.append(_spot(sights, second_hex))
    return " ".join(parts)


def _spot(sights: Sights, hex: Hex) -> str:
    """Return a hex with the units and terrain that matter for sight."""
    field, map = sights.field, _map(sights.field)
    if hex not in map:
        return "(off the map)"
    n = field.map_index.number[hex]
    terrain = map.terrain[hex]
    notes = [] if terrain == map.plain else [_word(field.game, terrain)]
    sight_markers = sights.map.markers
    notes += sorted(
        {
            field.game.markers[str(marker["id"])].name
            for marker in field.markers.get(n, ())
            if marker["id"] in sight_markers
        }
    )
    return map.name(hex) + (f"[{', '.join(notes)}]" if notes else "")


def _lying(field: Field, side: Hexside) -> str:
    return "+".join(_word(field.game, kind) for kind in sorted(_map(field).hexsides.get(side, ())))


def _word(game: Game, kind: str) -> str:
    record = game.hexsides.get(kind) or game.terrain.get(kind)
    return record.name.lower() if record is not None else kind


# --- from one hex, and every pair -------------------------------------------------------------------------------------


def _visible_nodes(sights: Sights, n: int, inputs: Mapping[str, Any], viewer: str, target: str) -> list[Node]:
    """Return what a hex sees: the enemies of its occupant or of a side. It lists hexes on demand, or if no enemy is
    on the map."""
    field = sights.field
    viewer_place = field.place(n)
    own_side = str(inputs.get("side") or next((unit.side for unit in field.by_place.get(n, ())), ""))
    nodes: list[Node] = [
        Value("from", viewer_place, for_people=False),
        Value("side", own_side or None, for_people=False),
    ]
    if field.placed_units:
        rows = _in_view(sights, n, own_side, viewer)
        columns = [
            TableColumn("unit", "unit"),
            TableColumn("place", "hex"),
            TableColumn("distance", "off"),
            TableColumn("side", "" if own_side else "side"),
            TableColumn("note", "note", for_programs=False),
        ]
        nodes.append(
            RowTable("in_view", columns, rows, f"{'enemies' if own_side else 'units'} that {viewer_place} sees")
        )
        nodes += [] if rows else [Sentence("none")]
    seen_places: dict[PlaceRef, dict[str, Cell]] = {
        field.place(b): {} for b in sorted(sights.seen_from(n, viewer, target), key=sights.order)
    }
    is_listed = not field.placed_units or bool(inputs.get("all"))
    return [
        *nodes,
        PlaceList(
            "sees",
            seen_places,
            f"{viewer_place} sees, of {count_text(len(field.map_index.places) - 1, 'hex')}",
            list_names=is_listed,
        ),
    ]


def _in_view(sights: Sights, n: int, own_side: str, viewer: str) -> list[dict[str, Cell]]:
    """Return the units that a hex sees, without those of its own side."""
    field = sights.field
    rows: list[dict[str, Cell]] = []
    for unit in field.placed_units:
        if unit.place == n or (own_side and unit.side == own_side):
            continue
        look = sights.look(n, unit.place, viewer, sights.observer(unit.fields))
        if look.clear:
            hides, unseen = sights.hides(look, unit)
            notes = ["shielded"] * bool(look.shields) + [f"not spotted: {record.text}" for record in unseen]
            rows.append(
                {
                    "unit": CounterRef(unit.key, unit.name),
                    "place": field.place(unit.place),
                    "distance": look.distance,
                    "side": unit.side,
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
    """Return every pair of a map: how many see each other, and the hexes that see most."""
    field = sights.field
    count, hexes = sights.count(viewer, target), len(field.map_index.places)
    visible_places = {
        n: sorted(sights.seen_from(n, viewer, target), key=sights.order) for n in sorted(range(hexes), key=sights.order)
    }
    best = sorted(visible_places, key=lambda n: (-len(visible_places[n]), sights.order(n)))[:MOST_SEEING]
    rows: list[dict[str, Cell]] = [
        {"place": field.place(n), "sees": [field.place(m) for m in targets]} for n, targets in visible_places.items()
    ]
    return [
        Sentence(f"{count} of {hexes * (hexes - 1) // 2} pairs of hexes see each other", sights.rules.rule),
        Value("pairs", count, for_people=False),
        Sentence("the best views are from " + ", ".join(f"{field.place(n)} ({len(visible_places[n])})" for n in best)),
        RowTable("places", [TableColumn("place")], rows),
    ]

"""Sight as a question, for any pack that declares it: the line between two hexes, or what one hex sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.answers import Answer, BadQuestion, Cell, Column, Counter, Line, Node, Path, Place, Places, Table, Value
from assistant.questions import ON_A_MAP, Input, Question
from assistant.rules.field import Field
from assistant.rules.placed import asked_field, asked_place
from assistant.rules.sight import Effect, Look, Sights
from scenarios.game import Game
from scenarios.hexes import Hex, Hexside, direction, direction_name
from scenarios.lines import line
from scenarios.maps import HexMap

MANNERS = {"crossed": "crossed", "through": "passed through", "along": "the line runs along it", "corner": "touched in a corner"}


def los_question(game: Game, inputs: tuple[Input, ...]) -> Question:
    """The question, with the inputs that the pack's rules take."""
    return Question(
        name="los", about="who sees whom: the line between two hexes, or what one hex sees", answer=los_answer, bare=("hexes",),
        inputs=(
            Input(name="hexes", about="one hex or two", kind="places", needed=True),
            Input(name="side", about="of one hex: whose eyes, if nobody stands there", kind="choice", of="side"),
            Input(name="all", about="of one hex: list all hexes that it sees", kind="flag"),
            *inputs, *ON_A_MAP,
        ),
    )  # fmt: skip


def los_answer(game: Game, told: Mapping[str, Any]) -> Answer:
    """One hex: what it sees; two: the line between them."""
    field = asked_field(game, told)
    sights = Sights(field)
    hexes = [asked_place(field.kinds, name, "hexes") for name in told["hexes"]]
    if len(hexes) > 2:
        raise BadQuestion(f"sight is from one hex to another, or from one to all; {len(hexes)} are given")
    nodes = _seen(sights, hexes[0], told) if len(hexes) == 1 else _line(sights, sights.look(*hexes))
    return Answer("los", game.id, nodes)


def _line(sights: Sights, look: Look) -> list[Node]:
    field = sights.field
    a, b = field.place(look.a), field.place(look.b)
    start, end = field.kinds.places[look.a], field.kinds.places[look.b]
    assert isinstance(start, Hex) and isinstance(end, Hex)
    passed = line(start, end).hexes if start != end else (start,)
    state = "clear" if look.clear else "blocked"
    nodes: list[Node] = [
        Line((a, " to ", b, f", {look.distance} hex{'es' * (look.distance != 1)}: {state}")),
        Value("from", a, shown=False), Value("to", b, shown=False), Value("distance", look.distance, shown=False),
        Value("clear", look.clear, shown=False),
        Path("hexes_passed", [Place(field.kinds.name(field.kinds.number[hex])) for hex in passed if hex in field.kinds.number], "The line",
             whole=True),
    ]  # fmt: skip
    if look.too_far is not None:
        nodes.append(Line(f"too far: {look.too_far.text or 'the limit'}, {look.limit} hexes", look.too_far.rule))
    for effect in look.blocked_by:
        nodes.append(Line(f"blocked by {effect.record.text} {_where(field, effect)}, {MANNERS[effect.met.manner]}", effect.record.rule))
    for effect in look.degraded_by:
        nodes.append(Line(f"{effect.record.text} {_where(field, effect)}: {effect.amount} worse", effect.record.rule))
    if look.degraded_by:
        nodes.append(Value("degraded", look.degraded, "Worse in all by"))
    for whom, by, effects in ((b, a, look.shields), (a, b, look.shields_back)):
        for effect in effects:
            nodes.append(Line((whom, " is shielded from ", by, f": {effect.record.text} {_where(field, effect)}"), effect.record.rule))
    ends = (("target", look.shields), ("viewer", look.shields_back))
    shields = {end: [_where(field, effect) for effect in effects] for end, effects in ends}
    blocks = [_block(field, effect) for effect in look.blocked_by]
    return [*nodes, Value("blocked_by", blocks, shown=False), Value("hull_down", shields, shown=False)]


def _block(field: Field, effect: Effect) -> dict[str, Cell]:
    hex, side = effect.met.hex, effect.met.side
    return {
        "what": effect.record.text, "place": Place(field.kinds.name(field.kinds.number[hex])) if hex is not None else None,
        "hexsides": [_side_name(field, side)] if side is not None else [], "how": effect.met.manner, "rule": effect.record.rule,
    }  # fmt: skip


def _where(field: Field, effect: Effect) -> str:
    if effect.met.side is not None:
        return _side_name(field, effect.met.side)
    assert effect.met.hex is not None
    return field.kinds.name(field.kinds.number[effect.met.hex])


def _side_name(field: Field, side: Hexside) -> str:
    """A hexside's name: its two hexes, or at the map's edge one hex and a direction."""
    map = field.kinds.map
    assert isinstance(map, HexMap)
    if side.a in map and side.b in map:
        return f"{map.name(side.a)}/{map.name(side.b)}"
    here, there = (side.a, side.b) if side.a in map else (side.b, side.a)
    return f"{map.name(here)}:{direction_name(map.orientation, direction(here, there))}"


def _seen(sights: Sights, n: int, told: Mapping[str, Any]) -> list[Node]:
    """What a hex sees: the enemies of who stands there, or of a side; the hexes where nobody is on the map, or on demand."""
    field = sights.field
    here = field.place(n)
    own = str(told.get("side") or next((standing.side for standing in field.by_place.get(n, ())), ""))
    rows: list[dict[str, Cell]] = []
    for standing in field.standings:
        if standing.at == n or (own and standing.side == own):
            continue
        look = sights.look(n, standing.at)
        if look.clear:
            hidden = sights.unspotted(look, standing)
            notes = ["shielded"] * bool(look.shields) + [f"not spotted: {record.text}" for record in hidden]
            rows.append({
                "unit": Counter(standing.key, standing.name), "place": field.place(standing.at), "distance": look.distance,
                "side": standing.side, "hull_down": bool(look.shields), "spotted": not hidden, "note": ", ".join(notes),
            })  # fmt: skip
    rows.sort(key=lambda row: (str(row["side"]), int(str(row["distance"])), str(row["place"])))
    columns = [
        Column("unit", "unit"), Column("place", "hex"), Column("distance", "off"), Column("side", "" if own else "side"),
        Column("note", "note", told=False),
    ]  # fmt: skip
    seen: dict[Place, dict[str, Cell]] = {field.place(b): {} for b in sights.seen_from(n)}
    nodes: list[Node] = [Value("from", here, shown=False), Value("side", own or None, shown=False)]
    if field.standings:
        nodes.append(Table("in_view", columns, rows, f"{'enemies' if own else 'units'} that {here} sees"))
        nodes += [] if rows else [Line("none")]
    listed = not field.standings or bool(told.get("all"))
    return [*nodes, Places("sees", seen, f"{here} sees, of {len(field.kinds.places) - 1} hexes", listed=listed)]

"""Lines of sight as text for a terminal, with a small drawing, and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from assistant.games.arab_israeli_wars.ground import Ground
from assistant.games.arab_israeli_wars.sight import Block, Observer, Sight, Sights, spotted
from scenarios.hexes import Corner, Hex, Hexside, direction, direction_name, hexes_at, neighbours

WIDTH = 78
_HOW = {
    "crossed": "crossed",
    "along": "the line runs along it",
    "end": "touched in a corner",
    "through": "passed through",
    "apart": "",
}
_OBSERVERS = {"ground": "", "infantry": " (infantry class)", "air": " (in the air)"}


def hex_name(ground: Ground, hex: Hex) -> str:
    """A hex's name; both names of a seam hex."""
    return "=".join(ground.table.names[hex])


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


def sight_text(seen: Sight) -> Iterator[str]:
    """A line of sight in lines: the answer, a drawing of the line, what blocks, hull down, spotting."""
    ground = seen.ground
    a, b = hex_name(ground, seen.a), hex_name(ground, seen.b)
    ends = f"{a}{_OBSERVERS[seen.viewer]} to {b}{_OBSERVERS[seen.target]}"
    yield f"{ends}, {_hexes(seen.distance)}: {'clear' if seen.clear else 'blocked'}"
    yield from _wrapped(drawing(seen))
    for block in seen.blocked_by:
        yield from _wrapped(f"blocked by {block_text(ground, block)}")
    if not seen.clear:
        return
    for whom, by, sides in ((b, a, seen.hull_down), (a, b, seen.hull_down_back)):
        if sides:
            named = ", ".join(f"{_kinds(ground, side)} {side_name(ground, side)}" for side in sides)
            yield from _wrapped(f"{whom} is hull down from {by}, behind {named} (Basic VII.F.1)")
    if seen.conceals and seen.target != "air":
        reason = "next to the viewer, so spotted" if spotted(seen) else "only spotted units there may be attacked"
        yield from _wrapped(f"{b} conceals: {reason} (Basic VII.D.3)")


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)


def pairs_text(known: Sights, viewer: Observer, target: Observer) -> Iterator[str]:
    """Every pair of a map in a few lines: how many see each other, and the hexes that see most."""
    hexes = len(known.places)
    yield f"{known.count(viewer, target)} of {hexes * (hexes - 1) // 2} pairs of hexes see each other (Basic VII.C)"
    seen = {hex: len(known.seen_from(hex, viewer, target)) - 1 for hex in known.places}
    best = sorted(seen, key=lambda hex: (-seen[hex], hex))[:8]
    yield from _wrapped("most is seen from " + ", ".join(f"{hex_name(known.ground, hex)} ({seen[hex]})" for hex in best))


def pairs_json(known: Sights, viewer: Observer, target: Observer) -> dict[str, Any]:
    """Every pair of a map as JSON: what each hex sees."""
    table = known.ground.table
    return {
        "game": known.ground.game.id,
        "viewer": viewer,
        "target": target,
        "pairs": known.count(viewer, target),
        "sees": {
            table.name(hex): sorted(table.name(o) for o in known.seen_from(hex, viewer, target) if o != hex)
            for hex in known.places
        },
    }


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


def block_text(ground: Ground, block: Block) -> str:
    """What blocks, where, how and by which rule."""
    if block.how == "apart":
        return f"the gap between the boards ({block.rule})"
    name = _word(ground, block.what)
    where = hex_name(ground, block.hex) if block.hex else " ".join(side_name(ground, s) for s in block.sides)
    return f"{name} {where}, {_HOW[block.how]} ({block.rule})"


def sight_json(seen: Sight) -> dict[str, Any]:
    """A line of sight as JSON."""
    ground, line = seen.ground, seen.line
    return {
        "game": ground.game.id,
        "from": list(ground.table.names[seen.a]),
        "to": list(ground.table.names[seen.b]),
        "viewer": seen.viewer,
        "target": seen.target,
        "distance": seen.distance,
        "clear": seen.clear,
        "blocked_by": [
            {
                "what": block.what,
                "hex": ground.table.name(block.hex) if block.hex else None,
                "hexsides": [side_name(ground, side) for side in block.sides],
                "how": block.how,
                "rule": block.rule,
            }
            for block in seen.blocked_by
        ],
        "hexes": [ground.table.name(hex) if hex in ground.table else None for hex in line.hexes],
        "crossed": [_side_json(ground, side) for side in line.crossed],
        "along": [_side_json(ground, side) for side in line.along],
        "corners": [corner_name(ground, corner) for corner in line.corners],
        "hull_down": {
            "target": [side_name(ground, side) for side in seen.hull_down],
            "viewer": [side_name(ground, side) for side in seen.hull_down_back],
        },
        "slope": {"from": ground.is_slope(seen.a), "to": ground.is_slope(seen.b)},
        "conceals": seen.conceals,
        "spotted": spotted(seen),
        "readings": dict(ground.rulings),
    }


def seen_text(known: Sights, hex: Hex, seen: Iterable[Hex]) -> Iterator[str]:
    """All hexes that a hex sees, board by board and row by row."""
    ground = known.ground
    names = sorted(ground.table.name(other) for other in seen if other != hex)
    yield f"{hex_name(ground, hex)} sees {_hexes(len(names))} of {len(ground.table.hexes) - 1}"
    rows: dict[str, list[str]] = {}
    for name in names:
        row, _, number = name.rpartition("-")
        rows.setdefault(row, []).append(number)
    for row, numbers in sorted(rows.items(), key=lambda item: (item[0].rpartition("-")[0], len(item[0]), item[0])):
        yield f"  {row}: {' '.join(sorted(numbers, key=int))}"


def _hexes(count: int) -> str:
    return f"{count} hex{'es' if count != 1 else ''}"


def _side_json(ground: Ground, side: Hexside) -> dict[str, Any]:
    return {"hexside": side_name(ground, side), "kinds": sorted(ground.side_kinds(side))}


def _spot(ground: Ground, hex: Hex) -> str:
    """A hex with what stands or grows there, where that isn't open ground."""
    if hex not in ground.table:
        return "(off the map)"
    notes = [] if ground.kind(hex) == ground.table.plain else [_word(ground, ground.kind(hex))]
    notes += sorted(
        ground.game.markers[work].name
        for work in ground.works.get(hex, ())
        if work in ("smoke", "fort", "improved_position", "trench")
    )
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

"""Who sees whom, and why not (Basic VII, Standard VI, Advanced I.A, Optional I.C and II.B)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from assistant.games.arab_israeli_wars.ground import MORAINE, Ground
from assistant.games.arab_israeli_wars.sight_board import (
    BARS,
    CREST,
    HIDES,
    HIDES_A,
    HIGH,
    NEAR,
    OPEN,
    OPEN_TO_ALL,
    SMOKE_A,
    SMOKES,
)
from assistant.games.arab_israeli_wars.sight_fast import Observer, Sights, all_pairs, seen_from, sights
from assistant.games.arab_israeli_wars.sight_lines import ALONG, CROSSED, END, FIRST, LAST, Touch, Touched, touched
from scenarios.counters import Unit
from scenarios.hexes import Hex, Hexside, distance
from scenarios.lines import Line, line

__all__ = ["Block", "Observer", "Sight", "Sights", "all_pairs", "look", "observer", "seen_from", "sight", "spotted"]

_MANNER_RULES = {CROSSED: "", ALONG: ", Basic VII.C.4.b", END: ", Basic VII.C.4.c"}
_OPENED: Mapping[Observer, int] = {"ground": OPEN, "infantry": OPEN_TO_ALL, "air": 0}


class Block(NamedTuple):
    """Something that blocks a line: a hexside's bar, a hex that hides, or boards that don't touch."""

    what: str
    """The kind of hexside or terrain, smoke, or boards."""
    sides: tuple[Hexside, ...]
    """The hexsides that the line touches there."""
    hex: Hex | None
    """The hex, where a hex blocks."""
    how: str
    """crossed, along, end (touched in a corner), through or apart."""
    rule: str


class Sight(NamedTuple):
    """One line of sight from a to b. Hull down is told only where the line is clear."""

    ground: Ground
    a: Hex
    b: Hex
    viewer: Observer
    target: Observer
    clear: bool
    blocked_by: tuple[Block, ...]
    hull_down: tuple[Hexside, ...]
    """The hexsides that shield b from a."""
    hull_down_back: tuple[Hexside, ...]
    """The hexsides that shield a from b."""

    @property
    def line(self) -> Line:
        """The hexes, hexsides and corners that the line passes."""
        return line(self.a, self.b)

    @property
    def distance(self) -> int:
        """The range in hexes."""
        return distance(self.a, self.b)

    @property
    def conceals(self) -> bool:
        """Whether b hides ground units that aren't spotted: woods, town (VII.D.3) or smoke (Optional II.B.1.b)."""
        return _conceals(self.ground, self.b)


def observer(unit: Unit, states: Iterable[str] = ()) -> Observer:
    """How a unit sees and is seen: in the air unless it is down (Optional I.C.3), infantry class or not (VI.E.2)."""
    if unit.class_ == "air" and "down" not in states:
        return "air"
    return "infantry" if unit.class_ == "infantry" else "ground"


def sight(
    ground: Ground,
    a: Hex,
    b: Hex,
    *,
    viewer: Observer = "ground",
    target: Observer = "ground",
    air: bool = False,
) -> Sight:
    """The line of sight from a to b with its reasons. `air` says that the viewer flies."""
    return look(sights(ground), a, b, "air" if air else viewer, target)


def look(known: Sights, a: Hex, b: Hex, viewer: Observer = "ground", target: Observer = "ground") -> Sight:
    """The same from sights at hand."""
    clear = known.clear(a, b, viewer, target)
    air = viewer == "air" or target == "air"
    if a == b or (air and clear):
        # Advanced I.A.3, I.C.5 and I.E.5: in the air nothing shields and nothing is shielded from.
        return Sight(known.ground, a, b, viewer, target, clear, (), (), ())
    numbers = known.codes.numbers
    passed = touched(numbers.stride, b.q - a.q, b.r - a.r)
    start = numbers.number(a)
    if not clear:
        found = tuple(_blocks(known, passed, start, viewer, target))
        return Sight(known.ground, a, b, viewer, target, clear, found, (), ())
    shields: tuple[list[Hexside], list[Hexside]] = ([], [])
    hexes, sides = known.codes.hexes, known.codes.sides
    # VII.F.1 and F.4.a: any bar of the target's own hexes, but only a crest from or to a slope.
    shielding = CREST if (hexes[start] | hexes[start + passed.last]) & HIGH else BARS
    for touch in passed.own:
        how, plane, number, own, _ = touch
        if sides[plane][start + number] & shielding and (how == CROSSED or known.how.hull_end):
            for whose, found_sides in ((LAST, shields[0]), (FIRST, shields[1])):
                if own & whose:
                    found_sides.append(_side(known, start, touch))
    return Sight(known.ground, a, b, viewer, target, clear, (), tuple(shields[0]), tuple(shields[1]))


def spotted(seen: Sight, *, marked: bool = False, moving: bool = False, down: bool = False) -> bool:
    """Whether an undispersed unit in a makes the target in b one that may be attacked.

    `marked`: the target is under a SPOTTED marker; `moving`: it moves (Standard II.E.1.b); `down`: it is a helicopter
    that is down. Trucks and their passengers spot nobody (VII.D.5): ask no sight from them.
    """
    if marked or seen.target == "air":
        return True
    if seen.clear and (moving or down or not seen.conceals):
        return True
    return seen.conceals and seen.distance == 1


def _conceals(ground: Ground, hex: Hex) -> bool:
    return ground.seen_as(ground.kind(hex)) == "hides" or ground.has(hex, "smoke")


def _side(known: Sights, start: int, touch: Touch) -> Hexside:
    numbers = known.codes.numbers
    hex, other = numbers.at[start + touch.number], numbers.at[start + touch.number + numbers.steps[touch.plane]]
    return Hexside(hex, other) if hex < other else Hexside(other, hex)


def _blocks(known: Sights, passed: Touched, start: int, viewer: Observer, target: Observer) -> list[Block]:
    """Everything that blocks a line, each once: bars in order, then hexes that hide."""
    ground, how, codes = known.ground, known.how, known.codes
    sides, hexes, at = codes.sides, codes.hexes, codes.numbers.at
    air, high = viewer == "air" or target == "air", (hexes[start] | hexes[start + passed.last]) & HIGH != 0
    found: list[Block] = []
    if ground.apart and not ground.together(at[start], at[start + passed.last]):
        found.append(Block("boards", (), None, "apart", "Situation A-4"))
    bars = 0 if air else CREST if high else BARS
    hiding = SMOKE_A if air or high else SMOKE_A | HIDES_A
    wanted = bars | hiding | hiding << 1
    met = [(touch, code) for touch in passed.sides if (code := sides[touch[1]][start + touch[2]]) & wanted]
    barred: list[Touch] = []
    hidden: dict[int, list[Touch]] = {}
    for touch, code in met:
        if touch.own:
            # Standard VI.B.3.a; VI.E.2 opens the moraines of a fort or a position on the east bank.
            near = code & bars & NEAR and (touch.how == CROSSED or how.moraine_end)
            if near and _shut(hexes, start, passed.last, touch.own, viewer, target):
                barred.append(touch)
            continue
        if code & bars:
            barred.append(touch)
        if code & (hiding | hiding << 1):
            for number in _hiding_hexes(known, passed, touch, code, hiding):
                hidden.setdefault(number, []).append(touch)
    if not how.corner:
        _only_met_twice(barred, hidden)
    for touch in barred:
        key = start + touch.number, touch.plane, touch.how, touch.own != 0, high
        made = known.told.get(key)
        if made is None:
            made = known.told[key] = _bars(known, start, touch, high)
        found += made
    for number, touches in hidden.items():
        if touches:
            at_sides = tuple([(start + touch[2], touch[1], touch[0]) for touch in touches])
            made = known.told.get((start + number, air or high, at_sides))
            if made is None:
                made = _hiding(known, start, number, touches, air or high)
                known.told[start + number, air or high, at_sides] = made
            found += made
    if len(passed.inside) == 3 and len(passed.own) == len(passed.sides):
        found += _middle(known, start + passed.inside[1], air or high)
    return found


def _hiding_hexes(known: Sights, passed: Touched, touch: Touch, code: int, hiding: int) -> list[int]:
    """Which of a touched hexside's two hexes hide, as the rulings sight_along and sight_touch have it."""
    how, other = known.how, touch.number + known.codes.numbers.steps[touch.plane]
    found = [touch.number] if code & hiding else []
    found += [other] if code >> 1 & hiding else []
    if touch.how == ALONG and not how.along:
        return found if len(found) == 2 else []
    if touch.how == END and not (how.along if passed.runs_along else how.touch):
        return [number for number in found if number in passed.inside]
    return found


def _only_met_twice(barred: list[Touch], hidden: dict[int, list[Touch]]) -> None:
    """Leave out hexsides that block alone in a corner, where the ruling sight_corner is read so."""
    blocking = {t for t in (*barred, *(t for ts in hidden.values() for t in ts)) if t.how == END and not t.own}
    corners = [touch.corner for touch in blocking]
    alone = {touch for touch in blocking if corners.count(touch.corner) == 1}
    barred[:] = [touch for touch in barred if touch not in alone]
    for touches in hidden.values():
        touches[:] = [touch for touch in touches if touch not in alone]


def _middle(known: Sights, number: int, over: bool) -> Iterator[Block]:
    """The block by the hex exactly between two at distance 2 (rulings sight_between and smoke_between)."""
    code, hex = known.codes.hexes[number], known.codes.numbers.at[number]
    if code & SMOKES and (known.how.smoke_between or known.how.between):
        rule = "Optional II.B.5" if known.how.smoke_between else "ruling sight_between"
        yield Block("smoke", (), hex, "through", rule)
    elif code & HIDES and known.how.between and not over:
        yield Block(known.ground.kind(hex), (), hex, "through", "ruling sight_between")


def _shut(hexes: bytearray, start: int, last: int, own: int, viewer: Observer, target: Observer) -> bool:
    """Whether no work on the east bank opens a moraine of the first or the last hex (Standard VI.E.2)."""
    first = own & FIRST and hexes[start] & _OPENED[viewer]
    return not (first or (own & LAST and hexes[start + last] & _OPENED[target]))


def _hiding(known: Sights, start: int, number: int, touches: list[Touch], over: bool) -> tuple[Block]:
    """The block by a hex with woods, town or smoke."""
    hex = known.codes.numbers.at[start + number]
    smoke = known.ground.has(hex, "smoke") and (over or known.codes.hexes[start + number] & HIDES == 0)
    what = "smoke" if smoke else known.ground.kind(hex)
    manner = next((m for m in (CROSSED, ALONG) if any(t.how == m for t in touches)), END)
    rule = "Optional II.B.1.a" if smoke else "Basic VII.C.1.b"
    return (Block(what, tuple(_side(known, start, t) for t in touches), hex, manner, rule + _MANNER_RULES[manner]),)


def _bars(known: Sights, start: int, touch: Touch, high: bool) -> tuple[Block, ...]:
    """The blocks by the bars of a hexside."""
    ground, side, over = known.ground, _side(known, start, touch), _MANNER_RULES[touch.how]
    moraine = "Standard VI.B.3.a" if touch.own else "Standard VI.B.3"
    other = "Basic VII.C.2" if high else "Basic VII.C.1.a"
    return tuple(
        Block(kind, (side,), None, touch.how, (moraine if kind == MORAINE else other) + over)
        for kind in sorted(ground.side_kinds(side))
        if not high or ground.seen_as(kind) == "all"
    )

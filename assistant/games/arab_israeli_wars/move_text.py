"""Moves as text for a terminal, and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from assistant.games.arab_israeli_wars.hazards import Hazards
from assistant.games.arab_israeli_wars.moves import MoveAnswer
from assistant.games.arab_israeli_wars.opportunity import Trigger
from assistant.games.arab_israeli_wars.steps import Part
from assistant.games.arab_israeli_wars.walk import Spending
from scenarios.export import plain
from scenarios.hexes import Hex

WIDTH = 78


def move_text(answer: MoveAnswer) -> Iterator[str]:
    """A move's answer in lines: the path if one was asked for, else everything in reach by points spent."""
    mover, table = answer.mover, answer.ground.table
    states = "".join(f", {state}" for state in sorted(mover.states))
    aboard = "".join(f", with {one.unit.name}" for one in mover.passengers) + (", with a bridge" if mover.bridge else "")
    marching = ", quick march" if mover.quick else ""
    yield f"{mover.unit.name} in {table.name(mover.hex)}{states}{aboard}{marching}: allowance {mover.allowance}"
    if answer.reach.bar is not None:
        yield from _wrapped(f"stays: {answer.reach.bar}")
    elif answer.move is not None:
        yield from _path(answer)
    else:
        yield from _reach(answer)
    for one in answer.crossings:
        far = " or ".join(table.name(hex) for hex in one.far)
        how = f"canal by {one.how} at {table.name(one.canal)} to {far}: "
        turns = f"{one.turns} turn{'s' * (one.turns > 1)} ({one.rule})"
        yield from _wrapped(how + (f"no, {one.bar}" if one.bar else turns))
    for note in answer.reach.notes:
        yield from _wrapped(f"special rule: {note}")


def _reach(answer: MoveAnswer) -> Iterator[str]:
    table, found = answer.ground.table, answer.reach
    yield f"{len(found.stops) - 1} hexes in reach with {_points(found.points)} points"
    by_cost: dict[Fraction, list[str]] = {}
    for hex, stop in found.stops.items():
        if hex != answer.mover.hex:
            mark = ("*" if stop.mines else "") + ("!" if stop.overruns or stop.assaults else "")
            by_cost.setdefault(stop.spent, []).append(table.name(hex) + mark)
    for cost in sorted(by_cost):
        yield from _wrapped(f"{_points(cost):>4}  {' '.join(sorted(by_cost[cost], key=_order))}", " " * 6)
    yield from _handlings(answer)
    if any(stop.mines for stop in found.stops.values()):
        yield "* a minefield attacks on the way (Standard V.E.2)"
    if any(stop.overruns or stop.assaults for stop in found.stops.values()):
        yield "! an overrun (Standard II.D) or a close assault (II.C) is possible from there"


def _handlings(answer: MoveAnswer) -> Iterator[str]:
    table, game = answer.ground.table, answer.ground.game
    unloads = sorted((table.name(one.hex) for one in answer.handlings if one.kind == "unload"), key=_order)
    if unloads:
        yield from _wrapped(f"can unload in {' '.join(unloads)} (Basic V.B.7)")
    for one in answer.handlings:
        if one.kind == "load":
            names = ", ".join(game.units[unit].name for unit in one.units)
            left = f"{_points(one.left)} points left (Basic V.B.7)"
            yield from _wrapped(f"can load {names} in {table.name(one.hex)}, {left}")


def _path(answer: MoveAnswer) -> Iterator[str]:
    assert answer.move is not None
    table = answer.ground.table
    for index, one in enumerate(answer.move.spendings):
        where = table.name(one.end)
        note = f" [{one.note}]" if one.note else ""
        spent = f"  {where:8} {_points(one.points):>4} ={_points(one.total):>4}  "
        yield from _wrapped(f"{spent}{_parts(one.parts)}{note}", " " * len(spent))
        for line in _shots(answer, index):
            yield from _wrapped(f"    {line}", " " * 7)
    yield f"{_points(answer.move.spent)} of {_points(answer.move.points)} points spent"
    if answer.hazards is not None and answer.hazards.blasts:
        yield from _hazards(answer.hazards, answer)


def _shots(answer: MoveAnswer, index: int) -> Iterator[str]:
    table = answer.ground.table
    rule = "Advanced I.D.2" if answer.mover.air and not answer.mover.low else "Standard II.E"
    for one in answer.triggers:
        if one.step == index and not one.failures:
            at = f"{one.firer.unit.name} in {table.name(one.firer.hex)}"
            seen = f"{_points(one.in_sight)} points in its sight"
            yield f"<- {at} may fire at {one.distance} hex{'es' * (one.distance != 1)}: {seen} ({rule})"


def _hazards(found: Hazards, answer: MoveAnswer) -> Iterator[str]:
    table = answer.ground.table
    for blast in found.blasts:
        chances = ", ".join(f"{code} {chance}" for code, chance in blast.chances.items())
        marker = answer.ground.game.markers.get(blast.kind)
        what = marker.name if marker else blast.kind
        yield from _wrapped(f"{what} in {table.name(blast.hex)}: {chances} ({blast.rule})")
    for ending, chance in found.endings.items():
        bar = "█" * round(chance * 20)
        yield f"  {ending.fate:10} {table.name(ending.hex):8} {chance!s:>9} {float(chance):6.1%} {bar}"


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent)


def _points(value: Fraction) -> str:
    """Points as they are said at the table: 1½."""
    whole, rest = divmod(value, 1)
    part = {Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}.get(rest, str(rest) if rest else "")
    return f"{whole}{part}" if whole or not part else part


def _parts(parts: tuple[Part, ...]) -> str:
    return ", ".join(f"{part.text} {_points(part.points)} ({part.rule})" for part in parts)


def _order(name: str) -> tuple[str, int, str, int]:
    board, _, rest = name.rstrip("*!").rpartition("-")
    first, _, column = board.rpartition("-")
    return first, len(column), column, int(rest) if rest.isdecimal() else 0


def move_json(answer: MoveAnswer) -> dict[str, Any]:
    """A move's answer with stable keys. Points and chances are numbers when whole, else texts such as '1/2'."""
    table, mover, found = answer.ground.table, answer.mover, answer.reach

    def names(hexes: tuple[Hex, ...]) -> list[str]:
        return [table.name(hex) for hex in hexes]

    held: dict[str, Any] = {
        "game": answer.ground.game.id,
        "unit": mover.unit.id,
        "from": table.name(mover.hex),
        "side": mover.side,
        "states": sorted(mover.states),
        "passengers": [one.unit.id for one in mover.passengers],
        "quick_march": mover.quick,
        "rules": answer.here.level,
        "allowance": mover.allowance,
        "points": found.points,
        "stays": str(found.bar) if found.bar else None,
        "reach": [
            {
                "hex": table.name(hex),
                "spent": stop.spent,
                "path": names(stop.path),
                "road": any(step.road for step in stop.steps),
                "mines": stop.mines,
                "spent_off_road": stop.off_road,
                "spent_without_mines": stop.safe,
                "overruns": names(stop.overruns),
                "assaults": names(stop.assaults),
            }
            for hex, stop in sorted(found.stops.items(), key=lambda item: (item[1].spent, _order(table.name(item[0]))))
            if hex != mover.hex
        ],
        "path": None if answer.move is None else [_spending(answer, one) for one in answer.move.spendings],
        "spent": None if answer.move is None else answer.move.spent,
        "opportunity_fire": [_trigger(answer, one) for one in answer.triggers],
        "hazards": [
            {"kind": b.kind, "hex": table.name(b.hex), "chances": b.chances, "rule": b.rule}
            for b in (answer.hazards.blasts if answer.hazards else ())
        ],
        "endings": [
            {"fate": ending.fate, "hex": table.name(ending.hex), "chance": chance}
            for ending, chance in (answer.hazards.endings.items() if answer.hazards else ())
        ],
        "crossings": [
            {"how": c.how, "canal": table.name(c.canal), "to": names(c.far), "turns": c.turns,
             "not_allowed": str(c.bar) if c.bar else None, "rule": c.rule}
            for c in answer.crossings
        ],
        "handlings": [
            {"kind": h.kind, "hex": table.name(h.hex), "units": list(h.units), "left": h.left} for h in answer.handlings
        ],
        "notes": list(found.notes),
    }  # fmt: skip
    result: dict[str, Any] = plain(held)
    return result


def _spending(answer: MoveAnswer, one: Spending) -> dict[str, Any]:
    table = answer.ground.table
    parts = [part._asdict() for part in one.parts]
    return {"kind": one.kind, "hex": table.name(one.end), "points": one.points, "total": one.total,
            "road": one.road, "parts": parts, "note": one.note}  # fmt: skip


def _trigger(answer: MoveAnswer, one: Trigger) -> dict[str, Any]:
    table = answer.ground.table
    return {
        "step": one.step,
        "hex": table.name(one.hex),
        "firer": one.firer.unit.id,
        "copy": one.firer.copy,
        "firer_hex": table.name(one.firer.hex),
        "distance": one.distance,
        "in_sight": one.in_sight,
        "first": one.first,
        "may_fire": not one.failures,
        "failures": list(one.failures),
    }

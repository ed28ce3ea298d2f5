"""A scenario as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from scenarios.game import Game
from scenarios.scenario import Force, Group, Scenario, Victory

WIDTH = 100


def wrapped(text: str, indent: str = "  ") -> list[str]:
    """A text in lines that fit."""
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)


def card(game: Game, key: str, held: Scenario) -> Iterable[str]:
    """A scenario as a card: length, forces, special rules, victory."""
    yield f"{key} {held.title}" + (f", {held.date}" if held.date else "")
    yield from wrapped(held.summary)
    sides = game.sides_in(held)
    if held.turns:
        first = sides[held.first].name if held.first else "?"
        yield f"  {held.turns.last - held.turns.first + 1} turns, {first} first"
    if held.arrangement:
        rows = " / ".join(" ".join(row) for row in held.arrangement.boards)
        yield f"  boards {rows}, north {held.arrangement.north}"
    for side, force in held.forces.items():
        yield f"  {sides[side].name}"
        yield from _force(force)
    for special in held.special:
        yield from wrapped(f"* {special.text}", "    ")
    for victory in held.victory:
        yield from wrapped(f"{sides[victory.side].name}, {_worth(victory)}: {victory.text}", "    ")


def _worth(victory: Victory) -> str:
    """What a victory line gives."""
    if victory.points is None:
        return "wins"
    per = "" if victory.per in ("once", "other") else f" a {victory.per}"
    return f"{victory.points} {'point' if victory.points == 1 else 'points'}{per}"


def _force(force: Force) -> Iterable[str]:
    for number, group in enumerate(force.groups, 1):
        yield from wrapped(_group(group, number), "    ")
    for support in force.support:
        strength = f", {support.strength} {support.weapon} each" if support.strength is not None else ""
        yield from wrapped(f"{support.count} {support.name}{strength}", "    ")


def _group(group: Group, number: int) -> str:
    what = ", ".join(f"{count} {unit}" for unit, count in (*group.units.items(), *group.markers.items()))
    when = f" (turn {group.enters.turn})" if group.enters else ""
    return f"{group.id or number} {group.name or group.formation}{when}: {what}"

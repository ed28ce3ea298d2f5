"""A scenario or a table as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from scenarios.game import Game
from scenarios.position import shown
from scenarios.resolve import Resolver
from scenarios.scenario import Force, Group, Scenario, Victory, lettered
from scenarios.tables import Table

WIDTH = 100


def wrapped(text: str, indent: str = "  ", width: int = WIDTH) -> list[str]:
    """A text in lines that fit."""
    return textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent)


def card(game: Game, key: str, held: Scenario, width: int = WIDTH) -> Iterable[str]:
    """A scenario as a card: length, forces, special rules, victory."""
    yield f"{key} {held.title}" + (f", {held.date}" if held.date else "")
    yield from wrapped(held.summary, width=width)
    sides = game.sides_in(held)
    if held.turns:
        first = f", {sides[held.first].name} first" if held.first else ""
        yield f"  {held.turns.last - held.turns.first + 1} turns{first}"
    if held.arrangement:
        rows = " / ".join(" ".join(row) for row in held.arrangement.boards)
        yield f"  boards {rows}, north {held.arrangement.north}"
    for side, force in held.forces.items():
        yield f"  {sides[side].name}"
        yield from _force(game, key, held, force, width)
    if held.special:
        yield "  Special rules"
    for special in held.special:
        yield from wrapped(f"* {special.text}", "    ", width)
    if held.victory:
        yield "  Victory"
    for victory in held.victory:
        yield from wrapped(f"{sides[victory.side].name}, {_worth(victory)}: {victory.text}", "    ", width)


def _worth(victory: Victory) -> str:
    """What a victory line gives."""
    if victory.points is None:
        return "wins"
    per = "" if victory.per in ("once", "other") else f" a {victory.per}"
    return f"{victory.points} {'point' if victory.points == 1 else 'points'}{per}"


def _force(game: Game, key: str, held: Scenario, force: Force, width: int) -> Iterable[str]:
    for number, group in enumerate(force.groups, 1):
        yield from wrapped(_group(game, group, _where(game, key, held, group) or str(number)), "    ", width)
    for support in force.support:
        strength = f", {support.strength} {support.weapon} each" if support.strength is not None else ""
        yield from wrapped(f"{support.count} {support.name}{strength}", "    ", width)


def _where(game: Game, key: str, held: Scenario, group: Group) -> str:
    """What a group is called, else the one place where it stands."""
    if group.name or group.formation or group.at is None:
        return lettered(group, group.name or group.formation)
    table = game.scenario_maps[key]
    places = Resolver(table, dict(held.zones)).places(group.at)
    if len(places) == 1:
        return lettered(group, shown(table, next(iter(places))))
    return lettered(group, "") or group.id.replace("_", " ")


def _group(game: Game, group: Group, where: str) -> str:
    listed = [(game.units[unit].name, count) for unit, count in group.units.items()]
    listed += [(game.markers[marker].name, count) for marker, count in group.markers.items()]
    what = ", ".join(f"{count} x {name}" if count > 1 else name for name, count in listed)
    when = f" (turn {group.enters.turn})" if group.enters else ""
    return f"{where}{when}: {what}"


def columns(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """Rows of cells, lined up."""
    if not rows:
        return []
    wide = [max(len(row[i]) if i < len(row) else 0 for row in rows) for i in range(max(map(len, rows)))]
    return [indent + "  ".join(cell.ljust(wide[i]) for i, cell in enumerate(row)).rstrip() for row in rows]


def table_card(key: str, table: Table) -> Iterator[str]:
    """A table as it is printed, with what its codes mean."""
    yield f"{table.title} [{key}]" + (f" {table.dice}" if table.dice else "")
    if table.source:
        yield from wrapped(f"source: {table.source}")
    rows = [[table.row_title or ("die" if table.dice else ""), *table.columns.labels]]
    rows += [[label, *cells] for label, cells in table.cells.items()]
    yield from columns(rows, "  ")
    for code, outcome in table.results.items():
        yield from wrapped(f"{code}: {outcome.meaning}")
    for note in table.notes:
        yield from wrapped(f"* {note}")

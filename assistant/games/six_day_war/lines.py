"""Lines of communication: whether an eliminated Israeli goes to Refit or to the deadpile, and what would cut most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assistant.games.six_day_war.field import Field, Stand
from assistant.shared.hexpaths import Steps, Tree, grow
from assistant.shared.traces import Claim, Source, cuts
from scenarios.hexes import Hex, neighbours

HAVENS = ("city", "fortified_city", "town")


@dataclass(frozen=True)
class Line:
    """Where an Israeli unit would go if it were eliminated where it stands."""

    stand: Stand
    refit: bool
    path: tuple[Hex, ...]
    blocked: tuple[Hex, ...] = ()
    """Hexes that shut the way it would have without an enemy."""


@dataclass(frozen=True)
class Threat:
    """A hex and the units that would lose their line if an Arab stood there."""

    hex: Hex
    names: tuple[str, ...]


class _Net:
    """Land by number, each step worth one, and the ways from the havens of Israel (8.2)."""

    def __init__(self, field: Field) -> None:
        closed = field.closed("israeli") - field.held["israeli"].keys()
        self.places = [hex for hex in field.table.hexes if field.enterable(hex) and hex not in closed]
        self.numbers = {hex: number for number, hex in enumerate(self.places)}
        self.beside = [frozenset(self.numbers[n] for n in neighbours(hex) if n in self.numbers) for hex in self.places]
        self.steps: Steps = [[(near, 1) for near in sorted(around)] for around in self.beside]
        self.havens = [self.numbers[h] for h in self.places if h in field.israel and field.table.terrain[h] in HAVENS]
        shut = (*field.held["arab"], *field.zones["arab"], *field.closed("israeli"))
        self.shut = frozenset(self.numbers[hex] for hex in shut if hex in self.numbers)

    def tree(self, barred: bool) -> Tree:
        return grow(self.steps, self.havens, self.shut if barred else frozenset())


def replacement_lines(field: Field, *, most: int = 3) -> tuple[tuple[Line, ...], tuple[Threat, ...]]:
    """Which mobile Israelis have a way of free hexes to a city or town of Israel (8.2), and the Arab moves that would cut most.

    The way enters no enemy hex, no enemy zone of control, no water and no closed country; the unit's own hex is where it
    died and needn't be free of zones. A fortified city is a city (ruling fortified_city_is_a_city). An Arab who takes a
    hex brings his zone of control along (12.1).
    """
    net = _Net(field)
    tree, open_ = net.tree(True), net.tree(False)
    source = Source("Israel", net.steps, tree)
    lines, claims = [], []
    for stand in field.stands:
        if stand.side != "israeli" or stand.static or stand.hex not in net.numbers:
            continue
        home = net.numbers[stand.hex]
        if home in net.havens:
            lines.append(Line(stand, True, (stand.hex,)))
            continue
        claim = Claim(stand.key, home, net.beside[home], (source,))
        claims.append(claim)
        best = claim.best()
        if best is not None:
            way = tuple(net.places[n] for n in reversed(tree.path(best[1])))
            lines.append(Line(stand, True, (stand.hex, *(hex for hex in way if hex != stand.hex))))
            continue
        would = open_.path(home)[::-1] if home in open_.costs else ()
        blocked = tuple(net.places[n] for n in would if n in net.shut and n != home)
        lines.append(Line(stand, False, (), blocked))
    enemy = [net.numbers[hex] for hex in field.held["arab"] if hex in net.numbers]
    found = cuts(claims, most=most, barred=enemy, taken=_zone(field, net), around=_threats(field, net))
    names = {line.stand.key: line.stand.name for line in lines}
    return tuple(lines), tuple(Threat(net.places[cut.place], tuple(names[key] for key in cut.names)) for cut in found)


def _reached(field: Field, net: _Net, a: int, b: int) -> bool:
    """Whether the zone of an Arab in a reaches b (12.1)."""
    here, there = net.places[a], net.places[b]
    return field.front(here) == field.front(there) and not field.protects(there, "israeli")


def _zone(field: Field, net: _Net) -> Callable[[int], frozenset[int]]:
    return lambda place: frozenset(n for n in net.beside[place] if _reached(field, net, place, n))


def _threats(field: Field, net: _Net) -> Callable[[int], frozenset[int]]:
    return lambda place: frozenset(n for n in net.beside[place] if _reached(field, net, n, place))

"""Lines of communication: whether an eliminated Israeli goes to Refit or to the deadpile, and what would cut most."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from assistant.games.six_day_war.field import Field, Stand
from assistant.games.six_day_war.ground import Ground
from assistant.shared.hexpaths import Steps, grow
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


class _Land:
    """Land by number, each step worth one, and the havens of Israel (8.2)."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.places = [hex for hex in ground.table.hexes if ground.enterable(hex)]
        self.numbers = {hex: number for number, hex in enumerate(self.places)}
        self.beside = [frozenset(self.numbers[n] for n in neighbours(hex) if n in self.numbers) for hex in self.places]
        self.steps: Steps = [[(near, 1) for near in sorted(around)] for around in self.beside]
        self.havens = [n for n, h in enumerate(self.places) if h in ground.israel and ground.table.terrain[h] in HAVENS]
        watched = [[self.numbers[n] for n in ground.watched_from(hex, "arab") if n in self.numbers] for hex in self.places]
        self.zone = [frozenset(around) for around in watched]
        """What an Arab in a place would watch, and from where an Arab would watch it (12.1)."""
        self.watchers = [frozenset(n for n in around if place in self.zone[n]) for place, around in enumerate(self.beside)]

    def numbered(self, hexes: Iterable[Hex]) -> frozenset[int]:
        return frozenset(self.numbers[hex] for hex in hexes if hex in self.numbers)


@lru_cache(maxsize=8)
def _land(ground: Ground) -> _Land:
    return _Land(ground)


def replacement_lines(field: Field, *, most: int = 3) -> tuple[tuple[Line, ...], tuple[Threat, ...]]:
    """Which mobile Israelis have a way of free hexes to a city or town of Israel (8.2), and the Arab moves that would cut most.

    The way enters no enemy hex, no enemy zone of control, no water and no closed country; the unit's own hex is where it
    died and needn't be free of zones. A fortified city is a city (ruling fortified_city_is_a_city). An Arab who takes a
    hex brings his zone of control along (12.1).
    """
    land = _land(field.ground)
    barred = land.numbered(field.closed("israeli") - field.held["israeli"].keys())
    shut = land.numbered((*field.held["arab"], *field.zones["arab"], *field.closed("israeli")))
    tree, open_ = grow(land.steps, land.havens, shut), grow(land.steps, land.havens, barred)
    source = Source("Israel", land.steps, tree)
    lines, claims = [], []
    for stand in field.stands:
        if stand.side != "israeli" or stand.static or stand.hex not in land.numbers:
            continue
        home = land.numbers[stand.hex]
        if home in land.havens:
            lines.append(Line(stand, True, (stand.hex,)))
            continue
        claim = Claim(stand.key, home, land.beside[home], (source,))
        claims.append(claim)
        best = claim.best()
        if best is not None:
            way = tuple(land.places[n] for n in reversed(tree.path(best[1])))
            lines.append(Line(stand, True, (stand.hex, *(hex for hex in way if hex != stand.hex))))
            continue
        would = open_.path(home)[::-1] if home in open_.costs else ()
        blocked = tuple(land.places[n] for n in would if n in shut and n != home)
        lines.append(Line(stand, False, (), blocked))
    enemy = land.numbered(field.held["arab"]) | barred
    found = cuts(claims, most=most, barred=enemy, taken=land.zone.__getitem__, around=land.watchers.__getitem__)
    names = {line.stand.key: line.stand.name for line in lines}
    return tuple(lines), tuple(Threat(land.places[cut.place], tuple(names[key] for key in cut.names)) for cut in found)

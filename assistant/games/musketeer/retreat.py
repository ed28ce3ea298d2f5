"""Retreats: withdrawals and routs, hex by hex (16.0)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from assistant.answers import Answer, Cell, Chance, Column, Line, Node, Table, Value
from assistant.games.musketeer.asking import PLACED, asked_placed, counter, place
from assistant.games.musketeer.contingents import contingent
from assistant.games.musketeer.ends import sheltered
from assistant.games.musketeer.ground import Lazy
from assistant.games.musketeer.roads import MIXED, Road, roads
from assistant.games.musketeer.stacking import fits
from assistant.games.musketeer.support import Support
from assistant.questions import Question, Told
from assistant.shared.chains import gather
from scenarios.counters import Unit
from scenarios.dice import dice
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.same import Same

WAYS = {
    "a": "to a city or airbase", "b": "to the south edge", "c": "to the canal", MIXED: "where it still can", "": "withdraws",
}  # fmt: skip
STAYS = "it ignores R here and takes DR as D"
FURTHER = 4
"""How many hexes more a unit looks for one where it may stack (16.4 d)."""


class Fate(NamedTuple):
    """The best that can become of a unit that retreats so many hexes; no road where it is eliminated on the way."""

    hexes: int
    road: Road | None
    ends: tuple[Hex, ...]
    """The hexes where it can end with as little harm."""
    eliminated: bool
    disrupted: bool


class Costs(NamedTuple):
    """What a retreat costs."""

    eliminated: Fraction
    disrupted: Fraction


@dataclass(frozen=True)
class Retreat:
    """A unit that must retreat from a hex."""

    here: Support
    unit: Unit
    start: Hex
    disrupted: bool = False
    landed: bool = False
    """It is in a direct assault: lost if it has to retreat (29.5)."""

    @property
    def stays(self) -> bool:
        """Whether it ignores a retreat and takes DR as D; it may go all the same, unless it is static (16.1, 16.5)."""
        return sheltered(self.unit, self.here.table.terrain[self.start])

    @cached_property
    def routs(self) -> bool:
        """Whether it routs; otherwise it withdraws (16.1)."""
        table = self.here.game.tables["contingents"]
        code = table.cell(contingent(self.unit.nation), table.named_column("retreat")).code
        return code.startswith("routs") and not ("airborne withdraws" in code and "airborne" in self.unit.abilities)

    @cached_property
    def fates(self) -> dict[Fate, Fraction]:
        """What may become of it if it goes, with the die of a rout (16.3); nothing if it stays for good."""
        if self.unit.class_ == "static" and self.stays:
            return {}  # 16.1
        if self.unit.class_ == "static" or self.landed:
            return {Fate(0, None, (), True, False): Fraction(1)}  # 16.1, 29.5
        if not self.routs:
            return {self.fate(1): Fraction(1)}
        return {self.fate(hexes): chance for hexes, chance in dice("1d6").items()}

    @property
    def costs(self) -> Costs:
        """The chances that a unit which goes is eliminated and that it is disrupted; static, it is lost even where it may stay."""
        return Costs(Fraction(1), Fraction(0)) if self.unit.class_ == "static" else self.shares

    @property
    def shares(self) -> Costs:
        """The same by its fates; nothing where it stays for good."""
        return Costs(self._share(lambda fate: fate.eliminated), self._share(lambda fate: fate.disrupted))

    def _share(self, holds: Callable[[Fate], bool]) -> Fraction:
        return gather(self.fates, holds).get(True, Fraction(0))

    def fate(self, hexes: int) -> Fate:
        """The best end of a retreat of so many hexes: alive if any path allows, then in the order of 16.3 (16.4 g)."""
        for way in self._ways:
            roads = self._roads(hexes, way)
            if roads:
                least = min(road.harm for road in roads)
                best = [road for road in roads if road.harm == least]
                ends = tuple(sorted({road.path[-1] for road in best}))
                return Fate(hexes, best[0], ends, False, self.disrupted or least > 0)
        return Fate(hexes, None, (), True, False)

    def _roads(self, hexes: int, way: str) -> list[Road]:
        """Every cheapest road of a direction that the unit survives, to a hex where it may end.

        A hex over the stacking limit means one more (16.4 d); an Egyptian may end early in a fortification (16.5).
        """
        known, steps, forts = roads(Same(self.here), self.unit.nation, self.start), self._steps, self._forts
        before = (road for gone in range(1, hexes) for road in known.of(way, gone, steps)) if forts else ()
        early = [road for road in before if road.path[-1] in forts and self._may_end[road.path[-1]]]
        for gone in range(hexes, hexes + FURTHER + 1):
            ended = [road for road in known.of(way, gone, steps) if self._may_end[road.path[-1]]]
            if ended:
                return [*ended, *early]
        return early

    @property
    def _ways(self) -> tuple[str, ...]:
        """The directions in the order of 16.3; any, where it withdraws (16.2)."""
        west = "c" if self.start in self.here.ground.east else "b"
        return ("a", west, MIXED) if self.routs else ("",)

    @property
    def _steps(self) -> int:
        """Disruptions that eliminate it (15.3)."""
        return 1 if self.disrupted or self.unit.back is None else 2

    @property
    def _forts(self) -> frozenset[Hex]:
        """Where it may end early (16.5)."""
        return self.here.ground.forts if contingent(self.unit.nation) == "egypt" else frozenset()

    @cached_property
    def _may_end(self) -> Mapping[Hex, bool]:
        side, game, stacks = self.unit.side, self.here.game, self.here.stacks
        alone = fits(game, [self.unit])
        return Lazy(lambda hex: fits(game, [*stacks[side, hex], self.unit]) if (side, hex) in stacks else alone)


# --- the question -----------------------------------------------------------------------------------------------------


def _retreat(game: Game, told: Told) -> Answer:
    placed = asked_placed(game, told)
    one = Retreat(placed.here, placed.unit, placed.start, placed.disrupted, placed.landed)
    who = counter(game, placed.unit)
    lost, disrupted = one.shares
    goes = bool(one.fates) and not one.landed and one.unit.class_ != "static"
    columns = [
        Column("hexes", "hexes"), Column("chance", "chance"), Column("outcome", "it is"), Column("direction", "goes", told=False),
        Column("path", "way"), Column("ends", "ends in"),
    ]  # fmt: skip
    nodes: list[Node] = [
        Line((who, " in ", placed.place)), Value("unit", who, shown=False), Value("from", placed.place, shown=False),
        Value("routs", one.routs, shown=False), Value("stays", one.stays, shown=False), *_what_it_does(one),
        Value("eliminated", Chance(lost), "Eliminated", shown=goes), Value("disrupted", Chance(disrupted), "Disrupted", shown=goes),
        Table("fates", columns if goes else columns[:3], fates(one)),
    ]  # fmt: skip
    return Answer("retreat", game.id, nodes)


def _what_it_does(one: Retreat) -> list[Node]:
    """Whether it stays, is lost, withdraws or routs."""
    nodes: list[Node] = []
    if one.stays:
        nodes.append(Line(STAYS + ("; its owner may let it go:" if one.fates else ""), "16.5"))
    if not one.fates:
        return nodes
    if one.landed:
        return [*nodes, Line("in direct assault it is lost if it must retreat", "29.5")]
    if one.unit.class_ == "static":
        return [*nodes, Line("it is static: eliminated if it must retreat", "16.1")]
    return [*nodes, Line("it routs" if one.routs else "it withdraws one hex", "16.1")]


def fates(one: Retreat) -> list[dict[str, Cell]]:
    """What becomes of a unit, die by die, as rows of an answer."""
    map = one.here.table
    return [
        {
            "hexes": fate.hexes, "chance": Chance(chance),
            "outcome": "eliminated" if fate.eliminated else "disrupted" if fate.disrupted else "unharmed",
            "way": fate.road.way if fate.road else "", "direction": WAYS[fate.road.way] if fate.road else "",
            "path": [place(map, hex) for hex in fate.road.path] if fate.road else [], "ends": [place(map, hex) for hex in fate.ends],
        }
        for fate, chance in one.fates.items()
    ]  # fmt: skip


RETREAT = Question(
    name="retreat", about="withdrawal or rout: where a unit goes, what it costs", inputs=PLACED, answer=_retreat, bare=("unit", "from"),
)  # fmt: skip

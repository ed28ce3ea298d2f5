"""Victory: points, the objectives of October 8th, and the level."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from assistant.games.yom_kippur.field import SIDES, Field, Stand
from assistant.games.yom_kippur.supply import in_supply
from assistant.shared.scoring import Line, Score, counted, scenario_of
from assistant.shared.specials import effects
from scenarios.hexes import Hex
from scenarios.maps import HexMap
from scenarios.reading.shapes import number
from scenarios.resolve import Location, Resolver
from scenarios.scenario import Scenario, Victory


def standing(
    field: Field, *, control: Mapping[Hex, str] | None = None, ignored: Mapping[str, int] | None = None,
    world_war: str = "", schnell_abdul: bool = False,
) -> Score:  # fmt: skip
    """The score of a position (1.15, 4.5).

    A hex belongs to who stands on it, else to `control`, else to the side whose bank it lies on. `ignored` counts
    cease-fires, `world_war` names the side that began it, `schnell_abdul` is the price of 3.8.
    """
    game, table = field.ground.game, field.ground.table
    scenario = scenario_of(game, field.position)
    owner = _owners(field, control or {})

    def there(line: Victory) -> tuple[Stand, ...]:
        """The units in supply that a line speaks of."""
        classes = line.who.classes if line.who else ()
        area = areas(table, scenario, line)
        stands = [s for s in field.of(line.side) if s.hex in area and (not classes or s.unit.class_ in classes)]
        return in_supply(field, line.side, stands)

    def told(line: Victory) -> int:
        if line.event == "supplied":
            return int(bool(there(line)))
        if line.rule == "1.15b":
            return (ignored or {}).get(line.side, 0)
        return int(line.rule == "1.15c" and world_war == line.side)

    def holds(side: str, spot: Location) -> bool:
        return isinstance(spot, Hex) and owner.get(spot) == side

    lines = counted(game, scenario, table, holds, holds, (), told)
    for effect in effects(game, field.position, "may_cross_east") if schnell_abdul else ():
        lines += (Line("israeli", "Egyptian headquarters and SAMs may cross", "3.8", number(effect.value), 1),)
    goals = _goals(scenario)
    if goals:
        winners = [line.side for line in goals if len({s.hex for s in there(line)}) >= line.least]
        return Score(lines, f"{game.sides[winners[0]].name} victory" if len(winners) == 1 else "Draw")
    return Score(lines, level(field, difference(lines)))


def _goals(scenario: Scenario) -> list[Victory]:
    return [line for line in scenario.victory if line.wins and line.event == "occupied"]


def areas(table: HexMap, scenario: Scenario, line: Victory) -> frozenset[Location]:
    """The places that a line speaks of."""
    return frozenset() if line.at is None else Resolver(table, dict(scenario.zones)).places(line.at)


def objectives(field: Field) -> dict[Hex, tuple[str, tuple[Stand, ...]]]:
    """Each hex that wins the scenario, the side that holds it with units in supply, or none, and those units (4.5)."""
    scenario = scenario_of(field.ground.game, field.position)
    hexes = {hex for line in _goals(scenario) for hex in areas(field.ground.table, scenario, line) if isinstance(hex, Hex)}
    found: dict[Hex, tuple[str, tuple[Stand, ...]]] = dict.fromkeys(sorted(hexes), ("", ()))
    for side in SIDES:
        supplied = in_supply(field, side, [s for hex in hexes for s in field.held[side].get(hex, ())])
        for hex in hexes:
            if there := tuple(s for s in supplied if s.hex == hex):
                found[hex] = side, there
    return found


def difference(lines: tuple[Line, ...]) -> Fraction:
    """Israeli points less Egyptian points (1.15)."""
    return sum((line.points if line.side == "israeli" else -line.points for line in lines), Fraction(0))


def level(field: Field, ahead: Fraction) -> str:
    """What a difference is called (1.15)."""
    table = field.ground.game.tables["victory"]
    column = table.find_column(ahead)
    return table.cell("level", 0 if column is None else column).code


def if_ignored(field: Field, score: Score) -> dict[str, str]:
    """The level there would be if a side, or both, ignored a cease-fire now (1.15b; ruling vp_both)."""
    prices = {line.side: line.each for line in score.lines if line.rule == "1.15b"}
    if set(prices) != set(SIDES):
        return {}
    ahead = difference(score.lines)
    return {
        "israeli": level(field, ahead + prices["israeli"]),
        "egyptian": level(field, ahead - prices["egyptian"]),
        "both": level(field, ahead + prices["israeli"] - prices["egyptian"]),
    }


def _owners(field: Field, control: Mapping[Hex, str]) -> dict[Hex, str]:
    owner = dict.fromkeys(field.ground.west, "egyptian") | dict.fromkeys(field.ground.east, "israeli") | dict(control)
    return owner | {hex: side for side in SIDES for hex in field.held[side]}

"""Victory: points, the two objectives of October 8th, and the level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from assistant.attacks import BadQuestion
from assistant.games.yom_kippur.field import SIDES, Field
from assistant.games.yom_kippur.supply import side_supply
from scenarios.hexes import Hex
from scenarios.resolve import Resolver
from scenarios.scenario import Victory


@dataclass(frozen=True)
class Score:
    """One line of the score: how many times it counts, and what that gives."""

    line: Victory
    count: int
    detail: str

    @property
    def points(self) -> Fraction:
        """The points of the line."""
        return (self.line.points or Fraction(0)) * self.count


@dataclass(frozen=True)
class Standing:
    """The score of both sides and who would win now."""

    scores: tuple[Score, ...]
    totals: Mapping[str, Fraction]
    difference: Fraction
    level: str


def standing(
    field: Field, *, control: Mapping[Hex, str] | None = None, ignored: Mapping[str, int] | None = None,
    world_war: str = "", schnell_abdul: bool = False,
) -> Standing:  # fmt: skip
    """The score of a position (1.15, 4.5).

    A hex belongs to who stands on it, else to `control`, else to the side whose bank it lies on. `ignored` counts
    cease-fires, `world_war` names the side that began it, `schnell_abdul` is the price of 3.8.
    """
    scenario = field.ground.game.scenarios.get(field.position.scenario)
    if scenario is None:
        raise BadQuestion("a score needs the scenario of the position")
    supplied = {
        side: {line.stand.key for line in side_supply(field, side, most=0).lines if line.supplied} for side in SIDES
    }
    owner = _owners(field, control or {})
    places = Resolver(field.ground.table, dict(scenario.zones))
    scores = []
    for line in scenario.victory:
        area = frozenset(hex for hex in places.places(line.at) if isinstance(hex, Hex)) if line.at else frozenset()
        count, detail = 0, ""
        if line.event == "controlled":
            held = [hex for hex in sorted(area) if owner.get(hex) == line.side]
            count, detail = len(held), " ".join(map(field.ground.table.name, held))
        elif line.event in ("supplied", "occupied"):
            classes = line.who.classes if line.who else ()
            there = [
                stand
                for stand in field.of(line.side)
                if stand.hex in area and stand.key in supplied[line.side] and (not classes or stand.unit.class_ in classes)
            ]
            hexes = {stand.hex for stand in there}
            enough = len(hexes if line.event == "occupied" else there) >= line.least
            count, detail = int(enough), ", ".join(stand.name for stand in there)
        elif line.rule == "1.15b":
            count = (ignored or {}).get(line.side, 0)
        elif line.rule == "1.15c":
            count = int(world_war == line.side)
        elif line.wins:
            continue
        scores.append(Score(line, count, detail))
    totals = {
        side: sum((score.points for score in scores if score.line.side == side), Fraction(0)) for side in SIDES
    }
    if schnell_abdul:
        totals["israeli"] += 2
    difference = totals["israeli"] - totals["egyptian"]
    return Standing(tuple(scores), totals, difference, _level(field, scores, difference))


def _owners(field: Field, control: Mapping[Hex, str]) -> dict[Hex, str]:
    owner = dict.fromkeys(field.ground.west, "egyptian") | dict.fromkeys(field.ground.east, "israeli") | dict(control)
    return owner | {hex: side for side in SIDES for hex in field.held[side]}


def _level(field: Field, scores: list[Score], difference: Fraction) -> str:
    """The level of victory: by objectives where the scenario says so (4.5), else by the difference (1.15)."""
    outright = [score for score in scores if score.line.wins]
    if outright:
        winners = [score.line.side for score in outright if score.count]
        return f"{field.ground.game.sides[winners[0]].name} victory" if len(winners) == 1 else "Draw"
    table = field.ground.game.tables["victory"]
    column = table.find_column(difference)
    return table.cell("level", 0 if column is None else column).code

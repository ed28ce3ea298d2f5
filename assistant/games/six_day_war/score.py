"""Victory points of both players, sudden death, and the level of victory (23)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from assistant.attacks import BadQuestion
from assistant.games.six_day_war.field import FRONTS, Field
from scenarios.hexes import Hex
from scenarios.position import Piece
from scenarios.resolve import Resolver
from scenarios.scenario import Victory
from scenarios.tables import span


@dataclass(frozen=True)
class Score:
    """One line of a player's score."""

    front: str
    line: Victory
    count: int
    detail: str

    @property
    def points(self) -> Fraction:
        """The points of the line."""
        return (self.line.points or Fraction(0)) * self.count


@dataclass(frozen=True)
class Standing:
    """Both players' scores, the level, and what ends the game at once."""

    scores: tuple[Score, ...]
    totals: Mapping[str, Fraction]
    level: str
    winner: str
    sudden_death: str


def standing(
    field: Field, *, control: Mapping[Hex, str] | None = None, spent: Mapping[str, int] | None = None,
    air_defense: Mapping[str, int] | None = None,
) -> Standing:  # fmt: skip
    """The score of both players (23.2). A hex is held by who stands there, else `control`, else by its country.

    Dead and refitting units are counted in their boxes. `spent` are reserve points by front, `air_defense` the levels
    left; those of the scenario's start where they are not told.
    """
    scenario = field.game.scenarios.get(field.position.scenario)
    if scenario is None:
        raise BadQuestion("a score needs the scenario of the position")
    levels = dict(zip(FRONTS, start_levels(field), strict=True)) | dict(air_defense or {})
    places = Resolver(field.table, dict(scenario.zones))
    scores = []
    for line in scenario.victory:
        front = line.text.partition(" ")[0].lower()
        if line.points is None or front not in FRONTS or line.at is None:
            continue
        area = places.places(line.at)
        count, detail = 0, ""
        if line.event == "controlled":
            wanted = line.who.side if line.who and line.who.side else line.side
            hexes = sorted(h for h in area if isinstance(h, Hex) and holder(field, h, control or {}) == wanted)
            count, detail = len(hexes), " ".join(map(field.table.name, hexes))
        elif line.at.box == f"{front}_zrp":
            count = (spent or {}).get(front, 0)
        elif line.at.box == f"{front}_air_defense":
            count = levels[front]
        else:
            counted = [piece for piece in field.position.pieces if piece.at in area and _meant(field, line, piece)]
            count, detail = len(counted), ", ".join(piece.unit for piece in counted)
        scores.append(Score(front, line, count, detail))
    totals = {front: sum((s.points for s in scores if s.front == front), Fraction(0)) for front in FRONTS}
    level, winner = outcome(field, totals)
    return Standing(tuple(scores), totals, level, winner, _sudden(field, places))


def start_levels(field: Field) -> tuple[int, int]:
    """Arab air defense at the start, in Sinai and in the East (24.1)."""
    found = {}
    scenario = field.game.scenarios[field.position.scenario]
    for special in scenario.special:
        for effect in special.effects:
            if effect.effect == "air_defense_level" and effect.at is not None:
                found[effect.at.zone.removesuffix("_sector")] = int(effect.value)
    return found["sinai"], found["eastern"]


def _meant(field: Field, line: Victory, piece: Piece) -> bool:
    who = line.who
    if who is None:
        return False
    if who.units:
        return piece.unit in who.units
    unit = field.game.units.get(piece.unit)
    return unit is not None and unit.side == who.side and (not who.classes or unit.class_ in who.classes)


def holder(field: Field, hex: Hex, control: Mapping[Hex, str]) -> str:
    """Which side controls a hex (2.14)."""
    for side in ("israeli", "arab"):
        if hex in field.held[side]:
            return side
    return control.get(hex, "israeli" if hex in field.table.zones["israel"] else "arab")


def outcome(field: Field, totals: Mapping[str, Fraction]) -> tuple[str, str]:
    """The level of victory and who has it (23.5, 23.6)."""
    if all(points <= 0 for points in totals.values()):
        return "Both players lose", ""
    ranked = sorted(totals, key=lambda front: totals[front], reverse=True)
    difference = totals[ranked[0]] - totals[ranked[1]]
    table = field.game.tables["victory_levels"]
    level = next(row[0] for label, row in table.cells.items() if span(label).holds(difference))
    return level, "" if level == "Draw" else ranked[0]


def _sudden(field: Field, places: Resolver) -> str:
    """Whether the game ends at once: Arabs on every city, or Israelis on every objective of a front (23.1)."""
    scenario = field.game.scenarios[field.position.scenario]
    for line in scenario.victory:
        if line.wins and line.at is not None:
            cities = [hex for hex in places.places(line.at) if isinstance(hex, Hex)]
            if cities and all(hex in field.held["arab"] for hex in cities):
                return "Arabs stand on every city of Israel: both players lose"
    homes = [h for h in field.table.zones["israel"] if field.table.terrain[h] in ("city", "fortified_city", "town", "kibbutz")]
    if any(hex in field.held["arab"] for hex in homes):
        return ""
    for front in FRONTS:
        if all(hex in field.held["israeli"] for hex in field.table.zones[f"{front}_objectives"]):
            return f"Israelis stand on every objective of the {front.capitalize()} front: points are counted now"
    return ""

"""Victory points of both players, sudden death, and the level of victory (23)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from assistant.games.six_day_war.field import Field
from assistant.games.six_day_war.ground import FRONTS, SIDES
from assistant.games.six_day_war.marks import dead
from assistant.shared.scoring import Line, Score, scenario_of
from assistant.shared.tracks import on_track
from scenarios.hexes import Hex
from scenarios.position import Piece
from scenarios.resolve import Location
from scenarios.scenario import Victory
from scenarios.sources import Source
from scenarios.tables import span

HOMES = ("city", "fortified_city", "town", "kibbutz")
LOST = "Both players lose"
PLAYERS: Mapping[str, str] = {"sinai": "Sinai Front player", "eastern": "Eastern Front player"}


def standing(
    field: Field, *, control: Mapping[Hex, str] | None = None, spent: Mapping[str, int] | None = None,
    air_defense: Mapping[str, int] | None = None,
) -> Score:  # fmt: skip
    """The score of both players (23.2). Dead and refitting units are counted in their boxes.

    `spent` are reserve points by front, `air_defense` the levels left; where they are not told, those of the tracks.
    """
    scenario = scenario_of(field.game, field.position)
    levels = {**air_levels(field), **(air_defense or {})}
    points = {front: on_track(field.position, f"{front}_zrp") or 0 for front in FRONTS} | dict(spent or {})
    lines = []
    for line in scenario.victory:
        front = line.text.partition(" ")[0].lower()
        if line.points is None or front not in FRONTS or line.at is None:
            continue
        area = field.ground.places(line.at)
        spots: tuple[Location, ...] = ()
        if line.event == "controlled":
            wanted = line.who.side if line.who and line.who.side else line.side
            spots = tuple(h for h in area if isinstance(h, Hex) and holder(field, h, control or {}) == wanted)
            count = len(spots)
        elif line.at.box == f"{front}_zrp":
            count = points[front]
        elif line.at.box == f"{front}_air_defense":
            count = levels[front]
        elif line.event == "eliminated":
            count = sum(_meant(field, line, piece) for piece in dead(field.game, field.position, front))
        else:
            count = sum(piece.at in area and _meant(field, line, piece) for piece in field.position.pieces)
        lines.append(Line(front, line.text.partition(": ")[2], line.rule, line.points, count, spots))
    score = Score(tuple(lines), "")
    ended = sudden_death(field)
    totals = {front: score.total(front) for front in FRONTS}
    lost = any(side == "arab" for side, _ in ended)
    return Score(tuple(lines), LOST if lost else outcome(field, totals)[0], ended)


def counted_lines(field: Field, score: Score) -> dict[str, Source | None]:
    """The entries of the victory lines that count for anything here, each with where its points come from."""
    scenario = scenario_of(field.game, field.position)
    counted = {(line.side, line.text) for line in score.lines if line.count}
    name = next(key for key, one in field.game.scenarios.items() if one is scenario)
    return {
        f"scenarios/{name}/victory/{number}/points": line.sources.get("points") or line.source
        for number, line in enumerate(scenario.victory)
        if (line.text.partition(" ")[0].lower(), line.text.partition(": ")[2]) in counted
    }


def air_levels(field: Field) -> dict[str, int]:
    """Arab air defense by front: as the tracks show it, else as at the start (16.7, 24.1)."""
    start = {
        effect.at.zone.removesuffix("_sector"): int(effect.value)
        for effect in field.effects("air_defense_level")
        if effect.at is not None
    }
    shown = {front: on_track(field.position, f"{front}_air_defense") for front in FRONTS}
    return {front: start[front] if level is None else level for front, level in shown.items()}


def verdict(field: Field, found: Score) -> str:
    """Who has won and by how much, in a sentence (23.1, 23.5, 23.6)."""
    totals = {front: found.total(front) for front in FRONTS}
    if found.level == LOST:
        return f"{LOST} ({'23.1' if found.won else '23.5: nobody has more than 0'})"
    apart, winner = abs(totals[FRONTS[0]] - totals[FRONTS[1]]), outcome(field, totals)[1]
    return f"{found.level}{f' of the {PLAYERS[winner]}' if winner else ''}: {apart} apart (23.6)"


def _meant(field: Field, line: Victory, piece: Piece) -> bool:
    who = line.who
    if who is None:
        return False
    if who.units:
        return piece.unit in who.units
    unit = field.game.units.get(piece.unit)
    return unit is not None and unit.side == who.side and (not who.classes or unit.class_ in who.classes)


def holder(field: Field, hex: Hex, control: Mapping[Hex, str]) -> str:
    """Which side controls a hex: who stands there, else `control`, a control marker, or its country (2.14)."""
    for side in SIDES:
        if hex in field.held[side]:
            return side
    return control.get(hex) or field.control.get(hex) or ("israeli" if hex in field.israel else "arab")


def outcome(field: Field, totals: Mapping[str, Fraction]) -> tuple[str, str]:
    """The level of victory and whose it is (23.5, 23.6)."""
    if all(points <= 0 for points in totals.values()):
        return LOST, ""
    ranked = sorted(totals, key=lambda front: totals[front], reverse=True)
    difference = totals[ranked[0]] - totals[ranked[1]]
    table = field.game.tables["victory_levels"]
    level = next(row[0] for label, row in table.cells.items() if span(label).holds(difference))
    return level, "" if level == "Draw" else ranked[0]


def sudden_death(field: Field) -> tuple[tuple[str, str], ...]:
    """Whether the game ends at once: Arabs on every city, or Israelis on every objective of a front (23.1)."""
    scenario = scenario_of(field.game, field.position)
    for line in scenario.victory:
        if line.wins and line.at is not None:
            cities = field.ground.places(line.at)
            if cities and all(hex in field.held["arab"] for hex in cities):
                return (("arab", "Arabs stand on every city of Israel: both players lose"),)
    homes = [hex for hex in field.israel if field.table.terrain[hex] in HOMES]
    if any(hex in field.held["arab"] for hex in homes):
        return ()
    return tuple(
        ("israeli", f"Israelis stand on every objective of the {front.capitalize()} front: points are counted now")
        for front in FRONTS
        if all(hex in field.held["israeli"] for hex in field.table.zones[f"{front}_objectives"])
    )

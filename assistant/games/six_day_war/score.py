"""Victory points of both players, sudden death, and the level of victory (23)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from assistant.answers import Answer, Node, Ours, Place, Value
from assistant.answers import Line as Sentence
from assistant.games.six_day_war.fronts import FRONTS, HOMES, area, dead, holder, region, terrain
from assistant.games.six_day_war.questions import CONTROL, ON_THE_MAP, asked_control, asked_field, place
from assistant.questions import Input, Question, Told
from assistant.rules.field import Field
from assistant.rules.scoring import Line, Score, scenario_of, score_nodes
from assistant.sourced import ours
from scenarios.game import Game
from scenarios.position import Piece
from scenarios.resolve import Location
from scenarios.scenario import Victory
from scenarios.sources import Source
from scenarios.tables import span

LOST = "Both players lose"
PLAYERS: Mapping[str, str] = {"sinai": "Sinai Front player", "eastern": "Eastern Front player"}
FRONT_OF = {player: front for front, player in PLAYERS.items()}


def standing(
    field: Field, *, control: Mapping[int, str] | None = None, spent: Mapping[str, int] | None = None,
    air_defense: Mapping[str, int] | None = None,
) -> Score:  # fmt: skip
    """The score of both players (23.2). Dead and refitting units are counted in their boxes.

    `spent` are reserve points by front, `air_defense` the levels left; where they are not told, those of the tracks.
    """
    scenario = scenario_of(field.game, field.position)
    levels = {**air_levels(field), **(air_defense or {})}
    points = {front: field.position.on_track(f"{front}_zrp") or 0 for front in FRONTS} | dict(spent or {})
    lines = []
    for line in scenario.victory:
        if line.points is None or line.player not in FRONT_OF or line.at is None:
            continue
        front = FRONT_OF[line.player]
        spots: tuple[Location, ...] = ()
        if line.event == "controlled":
            wanted = line.who.side if line.who and line.who.side else line.side
            held = sorted(n for n in area(field, line.at) if holder(field, n, control or {}) == wanted)
            spots = tuple(field.kinds.places[n] for n in held)
            count = len(spots)
        elif line.at.box == f"{front}_zrp":
            count = points[front]
        elif line.at.box == f"{front}_air_defense":
            count = levels[front]
        elif line.event == "eliminated":
            count = sum(_meant(field, line, piece) for piece in dead(field.game, field.position, front))
        else:
            there = {f"box:{line.at.box}", *(field.kinds.places[n] for n in area(field, line.at))}
            count = sum(piece.at in there and _meant(field, line, piece) for piece in field.position.pieces)
        lines.append(Line(front, line.text.removeprefix(f"{line.player}: "), line.rule, line.points, count, spots))
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
        if (FRONT_OF.get(line.player, ""), line.text.removeprefix(f"{line.player}: ")) in counted
    }


def air_levels(field: Field) -> dict[str, int]:
    """Arab air defense by front: as the tracks show it, else as at the start (16.7, 24.1)."""
    start = {
        effect.at.zone.removesuffix("_sector"): int(effect.value)
        for effect in field.in_force("air_defense_level")
        if effect.at is not None
    }
    shown = {front: field.position.on_track(f"{front}_air_defense") for front in FRONTS}
    return {front: start[front] if level is None else level for front, level in shown.items()}


def _verdict(field: Field, found: Score) -> Sentence:
    """Who has won and by how much (23.1, 23.5, 23.6)."""
    totals = {front: found.total(front) for front in FRONTS}
    if found.level == LOST:
        return Sentence(LOST if found.won else f"{LOST}: nobody has more than 0", "23.1" if found.won else "23.5")
    apart, winner = abs(totals[FRONTS[0]] - totals[FRONTS[1]]), outcome(field, totals)[1]
    return Sentence(f"{found.level}{f' of the {PLAYERS[winner]}' if winner else ''}: {apart} apart", "23.6")


def _meant(field: Field, line: Victory, piece: Piece) -> bool:
    who = line.who
    if who is None:
        return False
    if who.units:
        return piece.unit in who.units
    unit = field.game.units.get(piece.unit)
    return unit is not None and unit.side == who.side and (not who.classes or unit.class_ in who.classes)


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
            cities = area(field, line.at)
            if cities and all(field.occupied(n, "arab") for n in cities):
                return (("arab", "Arabs stand on every city of Israel: both players lose"),)
    if any(terrain(field, n) in HOMES and field.occupied(n, "arab") for n in region(field, "israel")):
        return ()
    return tuple(
        ("israeli", f"Israelis stand on every objective of the {front.capitalize()} front: points are counted now")
        for front in FRONTS
        if all(field.occupied(n, "israeli") for n in region(field, f"{front}_objectives"))
    )


# --- the question -----------------------------------------------------------------------------------------------------


def _score(game: Game, told: Told) -> Answer:
    """Both players' points and the level of victory (23)."""
    field = asked_field(game, told)
    found = standing(
        field, control=asked_control(field, told), spent={front: int(count) for front, count in told.get("spent", {}).items()},
        air_defense={front: int(level) for front, level in told.get("air_defense", {}).items()},
    )  # fmt: skip

    def named(spot: Location) -> Place:
        return place(field, field.kinds.number[spot])

    totals = {front: found.total(front) for front in FRONTS}
    verdict: list[Node] = [_verdict(field, found), *(Sentence(f"the game ends at once: {why}", "23.1") for _, why in found.won)]
    return Answer("score", game.id, [
        *score_nodes(game, found, named, PLAYERS, verdict),
        Value("winner", "" if found.level == LOST else outcome(field, totals)[1], shown=False),
        Value("difference", abs(totals[FRONTS[0]] - totals[FRONTS[1]]), shown=False), Ours(ours(game, more=counted_lines(field, found))),
    ])  # fmt: skip


SCORE = Question(
    name="score", about="the points of both players and the level of victory", answer=_score,
    inputs=(
        *ON_THE_MAP, CONTROL, Input(name="spent", about="reserve points spent", kind="pairs", choices=FRONTS, example="sinai:12,eastern:3"),
        Input(name="air_defense", about="Arab air defense left", kind="pairs", choices=FRONTS, example="sinai:0,eastern:2"),
    ),
)  # fmt: skip

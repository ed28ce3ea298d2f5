"""Victory points of both players, sudden death, and the level of victory (23)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from assistant.engine.field import Field
from assistant.engine.roster import roster
from assistant.engine.scoring import Score, scenario_of, score_nodes
from assistant.engine.victory import level_of, score
from assistant.games.six_day_war.forces import FRONTS, dead
from assistant.games.six_day_war.questions import CONTROL, ON_THE_MAP, asked_field
from assistant.questions.answer import Answer, Node, PlaceRef, Sentence, Unofficial, Value
from assistant.questions.question import Input, Inputs, Question
from assistant.unofficial import unofficial_addresses
from scenarios.areas.resolving import Location
from scenarios.model.game import Game
from scenarios.model.sources import Source

LOST = "Both players lose"
PLAYERS: Mapping[str, str] = {"sinai": "Sinai Front player", "eastern": "Eastern Front player"}
FRONT_OF = {player: front for front, player in PLAYERS.items()}


def standing(field: Field) -> Score:
    """The score of both players (23.2), and whether the game ends at once (23.1). The dead are counted by front, wherever they lie."""
    told: dict[str, Fraction] = {}
    whose = roster(field.game, field.position.scenario)
    for number, line in enumerate(scenario_of(field.game, field.position).victory, 1):
        if line.event == "eliminated":
            fallen = dead(field.game, field.position, FRONT_OF[line.player])
            told[str(number)] = Fraction(sum(bool(whose.matches(piece, line.who)) for piece in fallen))
    found = score(field, told).score
    lines = tuple(
        replace(
            line,
            side=FRONT_OF[line.side],
            text=line.text.removeprefix(f"{line.side}: "),
            places=field.map_index.in_order(line.places),
        )
        for line in found.lines
        if line.side in FRONT_OF
    )
    totals = {front: Score(lines, "").total(front) for front in FRONTS}
    lost = any(side == "arab" for side, _ in found.won)
    return Score(lines, LOST if lost else outcome(field, totals)[0], found.won)


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


def outcome(field: Field, totals: Mapping[str, Fraction]) -> tuple[str, str]:
    """The level of victory and whose it is (23.5, 23.6)."""
    if all(points <= 0 for points in totals.values()):
        return LOST, ""
    ranked = sorted(totals, key=lambda front: totals[front], reverse=True)
    difference = totals[ranked[0]] - totals[ranked[1]]
    level = level_of(field, difference)
    return level, "" if level == "Draw" else ranked[0]


# --- the question -----------------------------------------------------------------------------------------------------


def _score(game: Game, told: Inputs) -> Answer:
    """Both players' points and the level of victory (23)."""
    spent, levels = told.get("spent", {}), told.get("air_defense", {})
    field = asked_field(game, told)
    more = {f"{front}_spent": count for front, count in spent.items()}
    more |= {f"{front}_defense": Fraction(level) for front, level in {**air_levels(field), **levels}.items()}
    field = field.telling(**more)
    found = standing(field)

    def named(spot: Location) -> PlaceRef:
        return field.place(field.map_index.number[spot])

    totals = {front: found.total(front) for front in FRONTS}
    verdict: list[Node] = [
        _verdict(field, found),
        *(Sentence(f"the game ends at once: {why}", "23.1") for _, why in found.won),
    ]
    return Answer(
        "score",
        game.id,
        [
            *score_nodes(game, found, named, PLAYERS, verdict),
            Value("winner", "" if found.level == LOST else outcome(field, totals)[1], for_people=False),
            Value("difference", abs(totals[FRONTS[0]] - totals[FRONTS[1]]), for_people=False),
            Unofficial(unofficial_addresses(game, other_sources=counted_lines(field, found))),
        ],
    )


SCORE = Question(
    name="score",
    about="the points of both players and the level of victory",
    answer=_score,
    inputs=(
        *ON_THE_MAP,
        CONTROL,
        Input(name="spent", about="reserve points spent", kind="pairs", choices=FRONTS, example="sinai:12,eastern:3"),
        Input(
            name="air_defense", about="Arab air defense left", kind="pairs", choices=FRONTS, example="sinai:0,eastern:2"
        ),
    ),
)

"""Victory points and sudden death in Operation Musketeer (3.0)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.answers import Answer, Place
from assistant.games.musketeer.questions import the_map
from assistant.questions import Question, Told
from assistant.rules.field import Field
from assistant.rules.placed import asked_field
from assistant.rules.questions import MAP
from assistant.shared.scoring import Holds, Score, counted, held, level, scenario_of, score_nodes
from scenarios.game import Game
from scenarios.resolve import Location
from scenarios.scenario import Scenario


def score(field: Field) -> Score:
    """Places occupied and units eliminated (3.3); who has won at once (3.1)."""
    game = field.game
    scenario = scenario_of(game, field.position)
    lines = counted(game, scenario, field.kinds.map, _occupied(field), _occupied(field), field.lost, lambda line: 0)
    total = Score(lines, "")
    lead = total.total("west") - total.total("east")
    return Score(lines, level(game, lead), tuple(_sudden(field, scenario)))


def _occupied(field: Field) -> Holds:
    """Whether ground units of a side are in a hex."""
    return lambda side, spot: field.occupied(field.kinds.number[spot], side)


def _sudden(field: Field, scenario: Scenario) -> Iterator[tuple[str, str]]:
    occupied = _occupied(field)
    for line in scenario.victory:
        if not line.wins:
            continue
        if line.at is not None:
            wins = len(held(scenario, field.kinds.map, line, occupied, occupied)) >= line.least
        else:
            wins = field.position.turn > 1 and not field.of("west")
        if wins:
            yield line.side, line.text


def _score(game: Game, told: Told) -> Answer:
    field = asked_field(game, told)

    def place(spot: Location) -> Place:
        names = [one.name for one in the_map(field.kinds).places.values() if spot in one.hexes]
        return Place(field.kinds.name(field.kinds.number[spot]), names[0] if names else "")

    return Answer("score", game.id, score_nodes(game, score(field), place))


SCORE = Question(
    name="score", about="victory points, level of victory, sudden death; what is eliminated stands in its box", answer=_score,
    inputs=MAP, bare=("scenario",),
)  # fmt: skip

"""Victory points and sudden death in Operation Musketeer (3.0)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.answers import Answer, Place
from assistant.games.musketeer.asking import ON_THE_MAP, asked_support
from assistant.games.musketeer.field import DEAD
from assistant.games.musketeer.support import Support
from assistant.questions import Question, Told
from assistant.shared.scoring import Holds, Score, counted, held, level, scenario_of, score_nodes
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.resolve import Location
from scenarios.scenario import Scenario


def score(here: Support) -> Score:
    """Places occupied and units eliminated (3.3); who has won at once (3.1)."""
    game = here.game
    scenario = scenario_of(game, here.position)
    gone = tuple(piece for piece in here.position.pieces if piece.at == DEAD)
    lines = counted(game, scenario, here.table, _occupied(here), _occupied(here), gone, lambda line: 0)
    total = Score(lines, "")
    lead = total.total("west") - total.total("east")
    return Score(lines, level(game, lead), tuple(_sudden(here, scenario)))


def _occupied(here: Support) -> Holds:
    """Whether ground units of a side are in a hex."""
    sides = {(unit.side, hex) for _, unit, hex in here.units}
    return lambda side, spot: (side, spot) in sides


def _sudden(here: Support, scenario: Scenario) -> Iterator[tuple[str, str]]:
    occupied = _occupied(here)
    for line in scenario.victory:
        if not line.wins:
            continue
        if line.at is not None:
            wins = len(held(scenario, here.table, line, occupied, occupied)) >= line.least
        else:
            wins = here.position.turn > 1 and not any(unit.side == "west" for _, unit, _ in here.units)
        if wins:
            yield line.side, line.text


def _score(game: Game, told: Told) -> Answer:
    here = asked_support(game, told)

    def place(spot: Location) -> Place:
        assert isinstance(spot, Hex)
        names = [one.name for one in here.table.places.values() if spot in one.hexes]
        return Place(here.table.name(spot), names[0] if names else "")

    return Answer("score", game.id, score_nodes(game, score(here), place))


SCORE = Question(
    name="score", about="victory points, level of victory, sudden death; what is eliminated stands in its box", answer=_score,
    inputs=ON_THE_MAP, bare=("scenario",),
)  # fmt: skip

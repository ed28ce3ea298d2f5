"""Victory points and sudden death in Operation Musketeer (3.0)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.games.musketeer.asked import PLACE, asked_support
from assistant.games.musketeer.support import Support
from assistant.shared.asking import Options, Said
from assistant.shared.scoring import Holds, Score, counted, held, level, scenario_of, score_json, score_text
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.resolve import Location
from scenarios.scenario import Scenario

DEAD = "box:eliminated"
NAMES = {**PLACE, "position": "a position file; what is eliminated stands in its box"}


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


def score_answer(game: Game, options: Options) -> Said:
    """The score of a position; what is eliminated stands in the box `eliminated`."""
    here = asked_support(game, options)
    found = score(here)

    def name(spot: Location) -> str:
        assert isinstance(spot, Hex)
        names = [place.name for place in here.table.places.values() if spot in place.hexes]
        return names[0] if names else here.table.name(spot)

    return score_json(game, found, name), list(score_text(game, found, name))

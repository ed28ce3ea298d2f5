"""Victory points and sudden death in October War (4.0, 7.0)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.games.october_war.ground import Ground, ground
from assistant.games.october_war.limits import LOST, limit
from assistant.games.october_war.sudden import Casualties, ways
from assistant.shared.asking import Options, Said, asked_position
from assistant.shared.options import whole, word
from assistant.shared.scoring import Score, counted, level, scenario_of, score_json, score_text
from scenarios.game import Game
from scenarios.resolve import Location

TRACKS = ("israeli", "egyptian", "syrian")
NAMES = {
    "israeli": "Israeli casualty points",
    "egyptian": "Arab casualty points in the Sinai",
    "syrian": "Arab casualty points on the Golan",
    "position": "a position file",
    "scenario": "the start of a scenario, instead of a position",
}


def score(here: Ground, casualties: Casualties) -> Score:
    """The points of both sides (4.2), the level of victory (4.3), and sudden death if the turn ended now (4.1)."""
    game = here.game
    scenario = scenario_of(game, here.position)
    points = {"arab": casualties["israeli"], "israeli": casualties["egyptian"] + casualties["syrian"]}

    def occupied(side: str, spot: Location) -> bool:
        return here.holds(side, str(spot))

    def controlled(side: str, spot: Location) -> bool:
        return here.control.get(str(spot)) == side

    lines = counted(game, scenario, here.map, occupied, controlled, (), lambda line: points[line.side])
    total = Score(lines, "")
    lead = total.total("arab") - total.total("israeli")
    won = tuple((way.side, way.text) for way in ways(here, scenario, casualties) if not way.lacks)
    return Score(lines, level(game, lead), won)


def score_answer(game: Game, options: Options) -> Said:
    """The score of a position, with the casualty points that are told."""
    here = ground(game, asked_position(game, options))
    casualties = {track: whole(options, track) for track in TRACKS}
    found = score(here, casualties)

    def name(spot: Location) -> str:
        return here.map.points[str(spot)].name

    open_ = ways(here, scenario_of(game, here.position), casualties)
    json = score_json(game, found, name) | {"casualties": casualties}
    json["sudden_death"] = [{"side": way.side, "text": way.text, "lacks": list(way.lacks)} for way in open_]
    lines = [
        f"for sudden death {game.sides[way.side].name} lacks: {'; '.join(way.lacks)} (4.1)"
        for way in open_
        if way.lacks and way.places
    ]
    return json, [*score_text(game, found, name), *_asked(game, options, casualties), *lines]


def _asked(game: Game, options: Options, casualties: Casualties) -> Iterator[str]:
    """How far each track is from its end, and what isn't told."""
    for track, points in casualties.items():
        end = limit(game, LOST, "israeli" if track == "israeli" else "arab")
        yield f"{track} casualty points: {points}, the game ends above {end} (4.1)"
    missing = [track for track in TRACKS if not word(options, track)]
    if missing:
        yield f"casualty points not told count as 0: {missing[0]}=NUMBER"

"""Victory points and sudden death in October War (4.0, 7.0)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.games.october_war import casualties as tracks
from assistant.games.october_war.casualties import Casualties, Known, asked_casualties
from assistant.games.october_war.ground import Ground, ground
from assistant.games.october_war.limits import LOST, limit
from assistant.games.october_war.sudden import ways
from assistant.shared.asking import Options, Said, asked_position
from assistant.shared.scoring import Score, counted, level, scenario_of, score_json, score_text
from scenarios.game import Game
from scenarios.resolve import Location

NAMES = {
    **tracks.NAMES,
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
    known = asked_casualties(options, here.position)
    casualties = known.points
    found = score(here, casualties)

    def name(spot: Location) -> str:
        return here.map.points[str(spot)].name

    open_ = ways(here, scenario_of(game, here.position), casualties)
    json = score_json(game, found, name) | {"casualties": dict(casualties)}
    json["sudden_death"] = [{"side": way.side, "text": way.text, "lacks": list(way.lacks)} for way in open_]
    lines = [
        f"for sudden death {game.sides[way.side].name} lacks: {'; '.join(way.lacks)} (4.1)"
        for way in open_
        if way.lacks and way.places
    ]
    return json, [*score_text(game, found, name), *_told(here, known), *lines]


def _told(here: Ground, known: Known) -> Iterator[str]:
    """How far each track is from its end, and what isn't told."""
    for track, points in known.points.items():
        end = limit(here.game, LOST, "israeli" if track == "israeli" else "arab")
        read = " on their track" * (track in known.read)
        yield f"{track} casualty points: {points}{read}, the game ends above {end} (4.1)"
    for track in [track for track in known.read if known.points[track]][:1]:
        round_ = int(here.map.tracks[f"{track}_casualties"].labels[-1])
        yield f"a marker that has gone round its track counts {round_} more (7.2): {track}={known.points[track] + round_}"
    if known.unknown:
        yield f"casualty points not told count as 0: {known.unknown[0]}=NUMBER"

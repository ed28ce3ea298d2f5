"""Victory points and sudden death in October War (4.0, 7.0)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.answers import Answer, Cell, Column, Line, Node, Table
from assistant.games.october_war.casualties import CASUALTIES, Casualties, Known, asked_casualties
from assistant.games.october_war.ground import Ground
from assistant.games.october_war.limits import LOST, limit
from assistant.games.october_war.questions import asked_ground, place
from assistant.games.october_war.sudden import ways
from assistant.questions import ON_A_MAP, Question, Told
from assistant.shared.scoring import Score, counted, level, scenario_of, score_nodes
from scenarios.game import Game
from scenarios.resolve import Location


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


def _score(game: Game, told: Told) -> Answer:
    here = asked_ground(game, told)
    known = asked_casualties(told, here.position)
    open_ = ways(here, scenario_of(game, here.position), known.points)
    tracks: list[dict[str, Cell]] = [
        {"track": track, "points": points, "on_track": track in known.read,
         "limit": limit(game, LOST, "israeli" if track == "israeli" else "arab")}
        for track, points in known.points.items()
    ]  # fmt: skip
    columns = [
        Column("track", "casualty points"), Column("points", "so far"), Column("on_track", "read from the track"),
        Column("limit", "the game ends above (4.1)"),
    ]  # fmt: skip
    deaths: list[dict[str, Cell]] = [{"side": way.side, "text": way.text, "lacks": list(way.lacks)} for way in open_]
    return Answer("score", game.id, [
        *score_nodes(game, score(here, known.points), lambda spot: place(here, spot)),
        Table("casualties", columns, tracks),
        *_told(here, known),
        Table("sudden_death", [Column("side"), Column("text"), Column("lacks")], deaths),
        *(Line(f"for sudden death {game.sides[way.side].name} lacks: {'; '.join(way.lacks)}", "4.1")
          for way in open_ if way.lacks and way.places),
    ])  # fmt: skip


def _told(here: Ground, known: Known) -> Iterator[Node]:
    """What a track can't show, and what isn't told."""
    for track in [track for track in known.read if known.points[track]][:1]:
        round_ = int(here.map.tracks[f"{track}_casualties"].labels[-1])
        more = f"{track}={known.points[track] + round_}"
        yield Line(f"a marker that has gone round its track counts {round_} more: {more}", "7.2")
    if known.unknown:
        yield Line(f"casualty points not told count as 0: {known.unknown[0]}=NUMBER")


SCORE = Question(
    name="score", about="victory points, level of victory, sudden death (4.0)", inputs=(*ON_A_MAP, *CASUALTIES), answer=_score,
    bare=("scenario",),
)  # fmt: skip

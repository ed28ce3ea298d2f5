"""Victory points, casualty points and sudden death in October War (4.0, 7.0)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from assistant.answers import Answer, Cell, Column, Line, Node, Table
from assistant.games.october_war.battle import ATTACKER, DEFENDER, Result
from assistant.games.october_war.questions import ENEMY
from assistant.games.october_war.stacking import LOST, SHIELD, limit
from assistant.questions import ON_A_MAP, Input, Question, Told
from assistant.rules.field import Field
from assistant.rules.placed import asked_field
from assistant.shared.scoring import Score, counted, level, scenario_of, score_nodes
from assistant.shared.tracks import on_track
from scenarios.game import Game
from scenarios.position import Position
from scenarios.resolve import Location
from scenarios.scenario import Victory

TRACKS = ("israeli", "egyptian", "syrian")
Casualties = Mapping[str, int]
CASUALTIES = (
    Input(name="israeli", about="Israeli casualty points, where they are not those of the position's track", kind="number"),
    Input(name="egyptian", about="the same of the Arabs in the Sinai", kind="number"),
    Input(name="syrian", about="the same of the Arabs on the Golan", kind="number"),
)
NAMED = 4
"""So many places are named, the others counted."""


# --- casualty points --------------------------------------------------------------------------------------------------


class Known(NamedTuple):
    """The casualty points so far; which of them are read from a track, and which nobody tells."""

    points: Casualties
    read: Sequence[str]
    unknown: Sequence[str]


def asked_casualties(told: Told, position: Position | None) -> Known:
    """The casualty points that are told, else those on the tracks of a position, else none (7.1)."""
    shown = {track: on_track(position, f"{track}_casualties") if position is not None else None for track in TRACKS}
    points = {track: int(told.get(track, shown[track] or 0)) for track in TRACKS}
    untold = [track for track in TRACKS if track not in told]
    read = [track for track in untold if shown[track] is not None]
    return Known(points, read, [track for track in untold if track not in read])


def lacking(game: Game, side: str, points: Casualties) -> str:
    """What a side lacks to win by its enemy's casualties (7.2, 7.3); nothing if it has won."""
    tracks = ("israeli",) if side == "arab" else ("egyptian", "syrian")
    most, end = max(tracks, key=lambda track: points[track]), limit(game, LOST, ENEMY[side])
    if points[most] <= end:
        return f"{end + 1 - points[most]} more {most} casualty points"
    if side == "israeli" and points["israeli"] > (shield := limit(game, SHIELD, "israeli")):
        return f"no more than {shield} Israeli casualty points (7.3)"
    return ""


def ended(game: Game, result: Result, points: Casualties, golan: bool) -> dict[str, Fraction]:
    """The chance that a battle leaves each side the winner by casualties (4.1), if nothing else happens in the turn."""
    sides = {ATTACKER: result.attacker.side, DEFENDER: result.defender.side}
    tracks = {name: "israeli" if side == "israeli" else "syrian" if golan else "egyptian" for name, side in sides.items()}
    found = dict.fromkeys(game.sides, Fraction(0))
    for toll, chance in result.tolls().items():
        after = dict(points)
        after[tracks[ATTACKER]] += toll.attacker
        after[tracks[DEFENDER]] += toll.defender
        for side in found:
            if not lacking(game, side, after):
                found[side] += chance
    return found


# --- sudden death -----------------------------------------------------------------------------------------------------


class Way(NamedTuple):
    """A way to win at once, and what is still missing; nothing if it is won."""

    side: str
    text: str
    lacks: tuple[str, ...]
    places: bool
    """It is won by places, not by casualties."""


def ways(field: Field, casualties: Casualties) -> tuple[Way, ...]:
    """4.1, read as the ruling on its and and or says."""
    lines = scenario_of(field.game, field.position).victory
    return tuple(
        Way(line.side, line.text, tuple(_lacks(field, line, casualties)), line.at is not None) for line in lines if line.wins
    )


def _lacks(field: Field, line: Victory, casualties: Casualties) -> Iterator[str]:
    if line.at is None:
        bled = lacking(field.game, line.side, casualties)
        yield from [bled] if bled else []
        return

    def zone(name: str) -> list[str]:
        return sorted(map(str, field.kinds.regions[name]))

    spots = sorted(map(str, field.places_of(line.at)))
    has = occupied if line.event == "occupied" else controlled
    missing = [point for point in spots if not has(field, line.side, point)]
    short = line.least - (len(spots) - len(missing))
    if short > 0:
        yield f"{short} more of {_names(field, missing)}"
    if line.side == "arab":
        sinai = bool(set(spots) & set(zone("bar_lev_line")))
        goals = zone("arab_objectives_sinai" if sinai else "arab_objectives_golan")
        if not any(occupied(field, "arab", point) for point in goals):
            yield f"a unit in {_names(field, goals, 'or')}"
        yield from _driven_out(field, "israeli", zone("arab_strongholds"))
        return
    forts = [point for point in zone("syrian_forts") if not occupied(field, "israeli", point)]
    if forts:
        yield f"units in {_names(field, forts)}"
    yield from _driven_out(field, "arab", [*zone("bar_lev_line"), *zone("west_of_purple_line")])


def _driven_out(field: Field, side: str, points: Iterable[str]) -> Iterator[str]:
    left = [point for point in points if occupied(field, side, point)]
    if left:
        yield f"no {field.game.sides[side].name} unit in {_names(field, left, 'or')}"


def _names(field: Field, points: list[str], word: str = "and") -> str:
    names = [field.kinds.title(field.kinds.number[point]) for point in points]
    if len(names) > NAMED + 1:
        names = [*names[:NAMED], f"{len(names) - NAMED} others"]
    return f" {word} ".join(([", ".join(names[:-1])] if names[1:] else []) + names[-1:])


def occupied(field: Field, side: str, place: Location) -> bool:
    """Whether a side has a unit in a point (2.6)."""
    return field.occupied(field.kinds.number[place], side)


def controlled(field: Field, side: str, place: Location) -> bool:
    """Whether a point is a side's (2.6)."""
    return field.control(field.kinds.number[place]) == side


# --- the score --------------------------------------------------------------------------------------------------------


def score(field: Field, casualties: Casualties) -> Score:
    """The points of both sides (4.2), the level of victory (4.3), and sudden death if the turn ended now (4.1)."""
    game = field.game
    points = {"arab": casualties["israeli"], "israeli": casualties["egyptian"] + casualties["syrian"]}
    lines = counted(
        game, scenario_of(game, field.position), field.kinds.map, lambda side, spot: occupied(field, side, spot),
        lambda side, spot: controlled(field, side, spot), (), lambda line: points[line.side],
    )  # fmt: skip
    total = Score(lines, "")
    lead = total.total("arab") - total.total("israeli")
    won = tuple((way.side, way.text) for way in ways(field, casualties) if not way.lacks)
    return Score(lines, level(game, lead), won)


def _score(game: Game, told: Told) -> Answer:
    field = asked_field(game, told)
    known = asked_casualties(told, field.position)
    open_ = ways(field, known.points)
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
        *score_nodes(game, score(field, known.points), lambda spot: field.place(field.kinds.number[spot])),
        Table("casualties", columns, tracks),
        *_told(field, known),
        Table("sudden_death", [Column("side"), Column("text"), Column("lacks")], deaths),
        *(Line(f"for sudden death {game.sides[way.side].name} lacks: {'; '.join(way.lacks)}", "4.1")
          for way in open_ if way.lacks and way.places),
    ])  # fmt: skip


def _told(field: Field, known: Known) -> Iterator[Node]:
    """What a track can't show, and what isn't told."""
    for track in [track for track in known.read if known.points[track]][:1]:
        round_ = int(field.kinds.map.tracks[f"{track}_casualties"].labels[-1])
        more = f"{track}={known.points[track] + round_}"
        yield Line(f"a marker that has gone round its track counts {round_} more: {more}", "7.2")
    if known.unknown:
        yield Line(f"casualty points not told count as 0: {known.unknown[0]}=NUMBER")


SCORE = Question(
    name="score", about="victory points, level of victory, sudden death (4.0)", inputs=(*ON_A_MAP, *CASUALTIES), answer=_score,
    bare=("scenario",),
)  # fmt: skip

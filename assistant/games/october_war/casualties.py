"""Casualty points: told or read from their tracks, and the battles that end the game by them (4.1, 7.0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from assistant.games.october_war.ground import ENEMY
from assistant.games.october_war.limits import LOST, SHIELD, limit
from assistant.games.october_war.result import ATTACKER, DEFENDER, Result
from assistant.questions import Input, Told
from assistant.shared.tracks import on_track
from scenarios.game import Game
from scenarios.position import Position

TRACKS = ("israeli", "egyptian", "syrian")
Casualties = Mapping[str, int]
CASUALTIES = (
    Input(name="israeli", about="Israeli casualty points, where they are not those of the position's track", kind="number"),
    Input(name="egyptian", about="the same of the Arabs in the Sinai", kind="number"),
    Input(name="syrian", about="the same of the Arabs on the Golan", kind="number"),
)


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

"""Tracks whose spaces are the turns of the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scenarios.model.definitions import TurnTrack
from scenarios.model.maps import TrackShape
from scenarios.reading.shapes import Findings, place


def with_turns(
    tracks: Mapping[str, TrackShape], turns: TurnTrack | None, findings: Findings
) -> Mapping[str, TrackShape]:
    """The tracks of a map. A turn track without spaces of its own gets those of the game."""
    return {key: _with_turns(track, turns, findings) for key, track in tracks.items()}


def _with_turns(track: TrackShape, turns: TurnTrack | None, findings: Findings) -> TrackShape:
    if track.spaces or track.last is not None:
        return track
    if track.turns and turns is not None and (turns.names or turns.count):
        return replace(track, spaces=turns.names, last=track.first + (turns.count or len(turns.names)) - 1)
    missing = (
        "the pack has no `turns`; add them" if track.turns else "it has none; give `spaces`, or `first` and `last`"
    )
    findings.add(place(track), f"the track {track.name} needs its spaces, and {missing}")
    return track

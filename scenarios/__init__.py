"""What a game is: data packs in YAML, the model they load into, the checks on them.

`pack` and the modules that it imports are the shapes of a pack's files, read by `reading/`; `loading` finds a pack and `building` makes a
`game` of it, `prepared` keeps that in the cache. `hexes`, `grids`, `boards`, `maps` and `points` are the ground, `counters` the pieces,
`tables`, `attacks`, `expressions/` and `rules/` what they do, `scenario` and `position` where they stand, `vassal/` the formats of VASSAL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scenarios.pack.loading import check, load, shipped_games
    from scenarios.reading.findings import Finding, NoSuchGame, PackError

__all__ = ["Finding", "NoSuchGame", "PackError", "check", "load", "shipped_games"]


def __getattr__(name: str) -> Any:
    """Import late: a command that only answers --help loads nothing."""
    if name in ("check", "load", "shipped_games"):
        from scenarios.pack import loading

        return getattr(loading, name)
    if name in ("Finding", "NoSuchGame", "PackError"):
        from scenarios.reading import findings

        return getattr(findings, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

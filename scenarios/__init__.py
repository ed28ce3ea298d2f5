"""The model of a game: data packs in YAML, their loading and the checks on them.

`pack/pack_file` and the modules that it imports are the shapes of a pack's files, read by `reading/`; `pack/pack_folder` finds a pack,
`pack/building` makes a `game` of it, and `pack/pack_cache` keeps that in the cache. In `model/`, `hexes`, `grids`, `boards`, `maps` and
`points` are the ground, `counters` the pieces, `tables` and `attacks` what they do, `scenario` and `position` where they stand;
`expressions/` and `rules/` are what records say, `vassal/` the formats of VASSAL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scenarios.pack.loading import check, load
    from scenarios.pack.pack_folder import shipped_games
    from scenarios.reading.findings import Finding, NoSuchGame, PackError

__all__ = ["Finding", "NoSuchGame", "PackError", "check", "load", "shipped_games"]


def __getattr__(name: str) -> Any:
    """Import late: a command that only answers --help loads nothing."""
    if name in ("check", "load"):
        from scenarios.pack import loading

        return getattr(loading, name)
    if name == "shipped_games":
        from scenarios.pack.pack_folder import shipped_games

        return shipped_games
    if name in ("Finding", "NoSuchGame", "PackError"):
        from scenarios.reading import findings

        return getattr(findings, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

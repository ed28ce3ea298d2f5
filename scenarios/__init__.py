"""The model of a game: data packs in YAML, their loading and the checks on them.

`pack/` has the shapes of a pack's files, which `reading/` parses; it finds, builds, checks and caches packs. `model/` has the loaded
game: the ground (hexes, grids, boards, maps, points), the counters, tables and attacks, scenarios and positions. `expressions/` and
`rules/` are the languages in which packs declare arithmetic and rules. `areas/` resolves areas of a map. `vassal/` reads and writes
the formats of VASSAL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scenarios.pack.loading import check, load, shipped_games
    from scenarios.reading.findings import Finding, NoSuchGame, PackError

__all__ = ["Finding", "NoSuchGame", "PackError", "check", "load", "shipped_games"]


def __getattr__(name: str) -> Any:
    """Import lazily, so that a command with --help loads nothing."""
    if name in ("check", "load", "shipped_games"):
        from scenarios.pack import loading

        return getattr(loading, name)
    if name in ("Finding", "NoSuchGame", "PackError"):
        from scenarios.reading import findings

        return getattr(findings, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

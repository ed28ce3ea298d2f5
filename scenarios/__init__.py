"""The model of a game: data packs in YAML, their loading and the checks on them.

`pack/` has the content of a pack's files, which `reading/` parses: `pack_folder` finds a pack, `building` makes a `game` from it, and
`pack_cache` caches that. `model/` has the loaded game: the ground (hexes, grids, boards, maps, points), the counters, tables and
attacks, the definitions, scenarios and positions. `expressions/` and `rules/` are the languages in which packs declare arithmetic and
rules. `areas/` resolves areas of a map. `vassal/` reads and writes the formats of VASSAL.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scenarios.pack.loading import check, load
    from scenarios.pack.pack_folder import shipped_games
    from scenarios.reading.findings import Finding, NoSuchGame, PackError

__all__ = ["Finding", "NoSuchGame", "PackError", "check", "load", "shipped_games"]
_MODULES = {
    "Finding": "scenarios.reading.findings",
    "NoSuchGame": "scenarios.reading.findings",
    "PackError": "scenarios.reading.findings",
    "check": "scenarios.pack.loading",
    "load": "scenarios.pack.loading",
    "shipped_games": "scenarios.pack.pack_folder",
}


def __getattr__(name: str) -> Any:
    """Import a name of this package when it is used, so that a command with --help loads nothing."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_MODULES[name]), name)

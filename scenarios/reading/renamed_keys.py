"""Keys that packs of Mitla 0.1 had and that are gone: where to write it now."""

from __future__ import annotations

from collections.abc import Mapping

RENAMED_KEYS: Mapping[tuple[str, str], str] = {
    (
        "Card",
        "zone_of",
    ): "zones of control are rules now: write `rules: {zones: {zoc: {has: attack >= 1}}}`, with your factor for `attack`",
    ("TerrainKind", "stops_ranges"): (
        "what ends a range is said where the range is: under `rules: zones: ID: steps:` write "
        "`- {text: it ends here, when: from.TERRAIN, forbid: true}`"
    ),
    ("Modifier", "on"): "it is called `to` now, with the same words",
    ("Requirement", "on"): "it is called `to` now, with the same words",
}
"""By the kind of record and the key in it."""


def new_key(record: str, key: str) -> str:
    """Where a key of a record went; empty where it never was one."""
    return RENAMED_KEYS.get((record, key), "")

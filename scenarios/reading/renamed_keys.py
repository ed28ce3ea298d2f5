"""Keys of Mitla 0.1 packs that no longer exist, with the new place of each."""

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
"""The new place, by the kind of record and the old key."""


def new_key(record: str, key: str) -> str:
    """The new place of an old key. Empty if the key never existed."""
    return RENAMED_KEYS.get((record, key), "")

"""Keys and names of older packs that no longer exist, with the new name or place of each."""

from __future__ import annotations

from collections.abc import Mapping

NEW_NAMES: Mapping[tuple[str, str], str] = {
    ("Amount", "throw"): "roll",
    ("Attack", "each"): "per_defender",
    ("Attack", "throws"): "rolls",
    ("Attacking", "all_touched"): "all_adjacent",
    ("Attacking", "whole"): "all_or_none",
    ("Command", "free"): "exempt",
    ("Distance", "least"): "at_least",
    ("Distance", "most"): "at_most",
    ("Goal", "one"): "places",
    ("Group", "each"): "at_each",
    ("GroupShape", "least"): "at_least",
    ("GroupShape", "most"): "at_most",
    ("Need", "least"): "at_least",
    ("Phase", "chores"): "clean_up",
    ("ResultRule", "many"): "count",
    ("Retreat", "fate"): "outcomes",
    ("Retreat", "none"): "no_path",
    ("Rules", "placing"): "auto_set_up",
    ("Rules", "standing"): "allowed_places",
    ("SetUp", "least"): "at_least",
    ("SetUp", "most"): "at_most",
    ("Sight", "most"): "degrade_limit",
    ("Span", "stands"): "usable",
    ("Span", "told_by"): "effect",
    ("State", "loses"): "steps_lost",
    ("Supply", "free"): "exempt",
    ("Supply", "none"): "no_path",
    ("TurnRule", "throw"): "roll",
    ("Turns", "sooner"): "early_end",
    ("Victory", "least"): "at_least",
    ("Victory", "most"): "at_most",
}
"""The new name of a key that only changed its name, by the kind of record and the old name."""
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
    ("RuleInput", "track"): (
        "a number that is read from a track is a counter now: write `rules: {counters: {NAME: {title: ..., track: TRACK}}}`, and "
        "`counter.NAME` for `input.NAME`"
    ),
    ("BattleShape", "told"): "it is called `inputs` now",
    ("FighterShape", "told"): "it is called `inputs` now",
    **{place: f"it is called `{name}` now" for place, name in NEW_NAMES.items()},
}
"""What to write instead, by the kind of record and the old key."""
RENAMED_PREFIXES: Mapping[str, str] = {"told": "input"}
"""The new word before the dot of a name in expressions, by the old word."""


def new_key(record: str, key: str) -> str:
    """What to write instead of an old key. Empty if the key never existed."""
    return RENAMED_KEYS.get((record, key), "")


def new_name(name: str) -> str:
    """The new form of an old name in an expression: `input.x` for `told.x`. Empty if the name was never different."""
    prefix, dot, rest = name.partition(".")
    return f"{RENAMED_PREFIXES[prefix]}.{rest}" if dot and prefix in RENAMED_PREFIXES else ""

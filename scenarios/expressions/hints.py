"""Suggestions for a word that an expression doesn't know."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from scenarios.reading.renamed_keys import new_name


class Choosing(Protocol):
    """A kind of value, with its few possible texts if it has any."""

    @property
    def base(self) -> str:
        """The base kind: number, text or flag."""

    @property
    def choices(self) -> Collection[str] | None:
        """The possible texts, if they are known."""


def suggestion(word: str, known_words: Iterable[str], quote: str = "'", max_words: int = 6) -> str:
    """`; did you mean ...?` with the nearest known words, else a list of the known words. Empty if there are none."""
    words = sorted(known_words)
    close_words = difflib.get_close_matches(word[:80], words, n=3, cutoff=0.6)
    if close_words:
        return f"; did you mean {' or '.join(f'{quote}{close_word}{quote}' for close_word in close_words)}?"
    remainder = [f"{len(words) - max_words} more"] * (len(words) > max_words)
    return f"; known are {', '.join(words[:max_words] + remainder)}" if words else ""


def for_name(word: str, names: Mapping[str, Choosing], groups: Mapping[str, Mapping[str, Choosing]]) -> str:
    """What to write instead of an unknown name: a text in quotes, a unit's field with its group, or a known name."""
    all_kinds = [*names.values(), *(kind for fields in groups.values() for kind in fields.values())]
    if any(word in (kind.choices or ()) for kind in all_kinds):
        return f'; a text stands in quotes: "{word}"'
    owner = next((group for group, fields in groups.items() if word in fields), None)
    if owner is not None:
        aggregate_by_base = {"number": f"sum({owner}, {word})", "flag": f"any({owner}, {word})"}
        use = aggregate_by_base.get(groups[owner][word].base, f'any({owner}, {word} == "...")')
        return f"; it is told of units: write {use}, or say `to: {owner}`"
    if (new_word := new_name(word)) in names:
        return f"; it is called {new_word} now"
    prefix, dot, _ = word.partition(".")
    dotted_names = {name for name in (*names, *groups) if name.startswith(f"{prefix}.")} if dot else set()
    if dotted_names:
        hint = suggestion(word, dotted_names)
        return (
            hint
            if hint.startswith("; did you mean")
            else f"; behind `{prefix}.` may stand {_list_names(dotted_names, prefix)}"
        )
    plain_names = {name for name in (*names, *groups) if "." not in name} | {"true", "false"}
    hint = suggestion(word, {*names, *plain_names})
    return hint if hint.startswith("; did you mean") else f"; known here are {_list_names(plain_names)}"


MAX_NAMES = 40
"""The maximum number of names in a list."""


def _list_names(names: Collection[str], prefix: str = "") -> str:
    words = sorted(name.removeprefix(f"{prefix}.") if prefix else name for name in names)
    remainder = f" and {len(words) - MAX_NAMES} more" if len(words) > MAX_NAMES else ""
    return f"{', '.join(words[:MAX_NAMES])}{remainder} (the tables of names are in docs/packs.md and docs/rules.md)"

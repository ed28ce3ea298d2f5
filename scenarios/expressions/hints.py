"""What a pack's author probably meant by a word that an expression doesn't know."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from typing import Protocol


class Choosing(Protocol):
    """A kind of value, perhaps with the few texts it can be."""

    @property
    def base(self) -> str:
        """number, text or flag."""

    @property
    def choices(self) -> Collection[str] | None:
        """The texts."""


def suggestion(word: str, known: Iterable[str], quote: str = "'") -> str:
    """`; did you mean ...?` with the nearest known words, or nothing."""
    near = difflib.get_close_matches(word[:80], sorted(known), n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(f'{quote}{other}{quote}' for other in near)}?" if near else ""


def for_name(word: str, names: Mapping[str, Choosing], groups: Mapping[str, Mapping[str, Choosing]]) -> str:
    """What to write instead of an unknown name: a text in quotes, a unit's field by its group, or a known name."""
    kinds = [*names.values(), *(kind for fields in groups.values() for kind in fields.values())]
    if any(word in (kind.choices or ()) for kind in kinds):
        return f'; a text stands in quotes: "{word}"'
    owner = next((group for group, fields in groups.items() if word in fields), None)
    if owner is not None:
        asked = {"number": f"sum({owner}, {word})", "flag": f"any({owner}, {word})"}
        use = asked.get(groups[owner][word].base, f'any({owner}, {word} == "...")')
        return f"; it is told of units: write {use}, or say `to: {owner}`"
    known = {*names, *groups, "true", "false"}
    return suggestion(word, known) or (f"; there are {', '.join(sorted(names))}" if 0 < len(names) <= 12 else "")

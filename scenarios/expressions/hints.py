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


def suggestion(word: str, known: Iterable[str], quote: str = "'", most: int = 6) -> str:
    """`; did you mean ...?` with the nearest known words, else what is known; nothing where nothing is."""
    words = sorted(known)
    near = difflib.get_close_matches(word[:80], words, n=3, cutoff=0.6)
    if near:
        return f"; did you mean {' or '.join(f'{quote}{other}{quote}' for other in near)}?"
    more = [f"{len(words) - most} more"] * (len(words) > most)
    return f"; known are {', '.join(words[:most] + more)}" if words else ""


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
    prefix, dot, _ = word.partition(".")
    behind = {name for name in (*names, *groups) if name.startswith(f"{prefix}.")} if dot else set()
    if behind:
        found = suggestion(word, behind)
        return (
            found if found.startswith("; did you mean") else f"; behind `{prefix}.` may stand {_listed(behind, prefix)}"
        )
    own = {name for name in (*names, *groups) if "." not in name} | {"true", "false"}
    found = suggestion(word, {*names, *own})
    return found if found.startswith("; did you mean") else f"; known here are {_listed(own)}"


MOST = 40
"""So many names are listed."""


def _listed(names: Collection[str], prefix: str = "") -> str:
    words = sorted(name.removeprefix(f"{prefix}.") if prefix else name for name in names)
    more = f" and {len(words) - MOST} more" if len(words) > MOST else ""
    return f"{', '.join(words[:MOST])}{more} (the tables of names are in docs/packs.md and docs/rules.md)"

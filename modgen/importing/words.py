"""Ids and names out of what a module calls things."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

LONGEST = 40
LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "ae", "ø": "o", "Ø": "o", "đ": "d", "ł": "l", "Ł": "l", "þ": "th", "œ": "oe"}
)


def slug(text: str, instead: str = "x") -> str:
    """A text as an id: small letters, figures and _."""
    plain = unicodedata.normalize("NFKD", text.translate(LETTERS)).encode("ascii", "ignore").decode()
    found = re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_")[:LONGEST].strip("_")
    if not found:
        return instead
    return found if found[0].isalpha() else f"{instead}_{found}"


def clean(text: str, longest: int = 80) -> str:
    """A name fit to be printed: one line, no formatting of HTML."""
    bare = re.sub(r"<[^<>]{0,200}>", " ", text)
    plain = "".join(letter if letter.isprintable() else " " for letter in bare)
    return " ".join(plain.split())[:longest].strip()


@dataclass
class Ids:
    """Ids of one kind of thing, each given once."""

    taken: set[str] = field(default_factory=set)

    def of(self, text: str, instead: str = "x") -> str:
        """An id that nothing has yet."""
        first = slug(text, instead)
        key, number = first, 1
        while key in self.taken:
            number += 1
            key = f"{first}_{number}"
        self.taken.add(key)
        return key

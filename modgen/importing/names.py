"""Ids and names made from a module's names."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

LONGEST = 40
LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "ae", "ø": "o", "Ø": "o", "đ": "d", "ł": "l", "Ł": "l", "þ": "th", "œ": "oe"}
)


def slug(text: str, fallback: str = "x") -> str:
    """A text as an id: lower-case letters, digits and _."""
    ascii_text = unicodedata.normalize("NFKD", text.translate(LETTERS)).encode("ascii", "ignore").decode()
    key = re.sub(r"[^a-z0-9]+", "_", ascii_text.lower()).strip("_")[:LONGEST].strip("_")
    if not key:
        return fallback
    return key if key[0].isalpha() else f"{fallback}_{key}"


def clean(text: str, longest: int = 80) -> str:
    """A name fit for print: one line, without HTML."""
    untagged_text = re.sub(r"<[^<>]{0,200}>", " ", text)
    printable_text = "".join(letter if letter.isprintable() else " " for letter in untagged_text)
    return " ".join(printable_text.split())[:longest].strip()


@dataclass
class Ids:
    """Unique ids for one kind of thing."""

    used: set[str] = field(default_factory=set)

    def new_id(self, text: str, fallback: str = "x") -> str:
        """An id that isn't in use yet."""
        first = slug(text, fallback)
        key, number = first, 1
        while key in self.used:
            number += 1
            key = f"{first}_{number}"
        self.used.add(key)
        return key

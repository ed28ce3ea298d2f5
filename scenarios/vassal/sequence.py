"""Sequences: texts put together with a delimiter, as VASSAL writes types, states and commands.

A delimiter inside a text has a backslash before it. A text that begins with a backslash, or that begins and
ends with a quote, stands in quotes, so that neither is taken for what it isn't.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache


def join(texts: Iterable[str], delimiter: str) -> str:
    """Texts as one sequence."""
    return delimiter.join(_guarded(text, delimiter) for text in texts)


def _guarded(text: str, delimiter: str) -> str:
    escaped = text.replace(delimiter, "\\" + delimiter) if delimiter in text else text
    first = text[:1]
    return f"'{escaped}'" if first == "\\" or (first == "'" and text[-1] == "'") else escaped


def split(sequence: str, delimiter: str) -> list[str]:
    """The texts of a sequence."""
    if "\\" not in sequence and "'" not in sequence:
        return sequence.split(delimiter)
    guarded = "\\" + delimiter
    return [_bare(text.replace(guarded, delimiter)) for text in _between(delimiter).split(sequence)]


@cache
def _between(delimiter: str) -> re.Pattern[str]:
    """A delimiter that stands between texts, not in one."""
    # The delimiter comes first so that the search can leap from one to the next; then what stands before it is looked at.
    found = re.escape(delimiter)
    return re.compile(rf"{found}(?<!\\{found})")


def _bare(text: str) -> str:
    """A text without the quotes that guarded it."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == "'" else text

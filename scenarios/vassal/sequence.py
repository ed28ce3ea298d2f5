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
    return delimiter.join(_escape(text, delimiter) for text in texts)


def _escape(text: str, delimiter: str) -> str:
    escaped_text = text.replace(delimiter, "\\" + delimiter) if delimiter in text else text
    first = text[:1]
    return f"'{escaped_text}'" if first == "\\" or (first == "'" and text[-1] == "'") else escaped_text


def split(sequence: str, delimiter: str) -> list[str]:
    """The texts of a sequence."""
    if "\\" not in sequence and "'" not in sequence:
        return sequence.split(delimiter)
    escaped_delimiter = "\\" + delimiter
    return [
        _unquote(text.replace(escaped_delimiter, delimiter)) for text in _delimiter_pattern(delimiter).split(sequence)
    ]


@cache
def _delimiter_pattern(delimiter: str) -> re.Pattern[str]:
    """A delimiter that stands between texts, not in one."""
    # The delimiter comes first so that the search can leap from one to the next; then what stands before it is looked at.
    pattern = re.escape(delimiter)
    return re.compile(rf"{pattern}(?<!\\{pattern})")


def _unquote(text: str) -> str:
    """A text without the quotes that guarded it."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == "'" else text

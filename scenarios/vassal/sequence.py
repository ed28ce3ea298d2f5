"""Sequences: texts joined by a delimiter, as VASSAL writes types, states and commands.

A delimiter inside a text has a backslash before it. A text that begins with a backslash, or that begins and
ends with a quote, is put in quotes. Otherwise it would be read as an escape or as a quoted text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache


def join(texts: Iterable[str], delimiter: str) -> str:
    """Join texts into one sequence."""
    return delimiter.join(_escape(text, delimiter) for text in texts)


def _escape(text: str, delimiter: str) -> str:
    escaped_text = text.replace(delimiter, "\\" + delimiter) if delimiter in text else text
    first = text[:1]
    return f"'{escaped_text}'" if first == "\\" or (first == "'" and text[-1] == "'") else escaped_text


def split(sequence: str, delimiter: str) -> list[str]:
    """Split a sequence into its texts."""
    if "\\" not in sequence and "'" not in sequence:
        return sequence.split(delimiter)
    escaped_delimiter = "\\" + delimiter
    return [
        _unquote(text.replace(escaped_delimiter, delimiter)) for text in _delimiter_pattern(delimiter).split(sequence)
    ]


@cache
def _delimiter_pattern(delimiter: str) -> re.Pattern[str]:
    """A pattern for a delimiter between texts, not one inside a text."""
    # The delimiter comes first, so that the search can jump to the next one. The lookbehind then tests the text before.
    pattern = re.escape(delimiter)
    return re.compile(rf"{pattern}(?<!\\{pattern})")


def _unquote(text: str) -> str:
    """Remove the protecting quotes of a text."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == "'" else text

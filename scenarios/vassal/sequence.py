"""Sequences: texts put together with a delimiter, as VASSAL writes types, states and commands.

A delimiter inside a text has a backslash before it. A text that begins with a backslash, or that begins and
ends with a quote, stands in quotes, so that neither is taken for what it isn't.
"""

from __future__ import annotations

from collections.abc import Iterable


def join(texts: Iterable[str], delimiter: str) -> str:
    """Texts as one sequence."""
    return delimiter.join(_guarded(text, delimiter) for text in texts)


def _guarded(text: str, delimiter: str) -> str:
    escaped = text.replace(delimiter, "\\" + delimiter) if delimiter in text else text
    first = text[:1]
    return f"'{escaped}'" if first == "\\" or (first == "'" and text[-1] == "'") else escaped


def split(sequence: str, delimiter: str) -> list[str]:
    """The texts of a sequence."""
    texts: list[str] = []
    built = ""
    start = 0
    found = sequence.find(delimiter)
    while found >= 0:
        if found > 0 and sequence[found - 1] == "\\":
            built += sequence[start : found - 1]
            start = found
        else:
            texts.append(_bare(built + sequence[start:found]))
            built, start = "", found + 1
        found = sequence.find(delimiter, found + 1)
    return [*texts, _bare(built + sequence[start:])]


def _bare(text: str) -> str:
    """A text without the quotes that guarded it."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == "'" else text

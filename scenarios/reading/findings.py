"""What is wrong with a file, and where."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

_INTERNAL = re.compile(r"<[\w.]+ .*at 0x|<_io|\bcodec\b|\bbase \d+: |\bb['\"]")
"""Words of Python, which no message has."""
_INNER_ERRORS = (TypeError, AttributeError, LookupError, RecursionError)
"""Errors that speak of Python's own things."""


class Finding(NamedTuple):
    """One thing wrong in one place; lines and columns count from 1. The columns of a spreadsheet are shown as letters."""

    path: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{display_path(self.path)}:{self.line}:{self.place}: {self.message}"

    @property
    def place(self) -> str:
        """The column as a person would look it up."""
        return letters(self.column) if self.path.lower().endswith(SHEETS) else str(self.column)


SHEETS = (".csv", ".tsv")


def letters(column: int) -> str:
    """A column as a spreadsheet names it: 1 is A, 27 is AA."""
    result = ""
    while column > 0:
        column, digit = divmod(column - 1, 26)
        result = chr(65 + digit) + result
    return result or "A"


class PackError(Exception):
    """A pack that can't be loaded; `findings` says all that is wrong with it."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(sorted(set(findings)))
        super().__init__("\n".join(map(str, self.findings)))


class NoSuchGame(Exception):
    """A game was asked for that isn't there."""


def surely(ask: Callable[[], bool]) -> bool:
    """What a path says of itself; False where the system doesn't let it look."""
    try:
        return ask()
    except OSError:
        return False


def plain_reason(error: BaseException) -> str:
    """Why something can't be read, for people: no objects, codecs or classes of the language that Mitla is written in."""
    if isinstance(error, UnicodeError):
        return "there is text in it that isn't UTF-8"
    if isinstance(error, KeyError):
        return f"{error} is missing"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    lines = str(error).splitlines()
    if not lines or isinstance(error, _INNER_ERRORS) or _INTERNAL.search(lines[0]):
        return "what is in it isn't what its name says"
    return lines[0]


def display_path(path: str) -> str:
    """The path as a person would type it: relative to the working folder when it lies below it."""
    try:
        return str(Path(path).resolve().relative_to(Path.cwd()))
    except (ValueError, OSError, RuntimeError):
        return path


def nearest(word: str, known_words: Iterable[str], max_words: int = 3) -> list[str]:
    """The known words that `word` was probably meant to be."""
    by_folded = {k.casefold(): k for k in known_words}
    longer = [k for k in by_folded if k.startswith(f"{word.casefold()}_")]
    if 0 < len(longer) <= max_words + 2:  # a counter of several nations: infantry_north, infantry_south
        return [by_folded[k] for k in longer]
    hits = difflib.get_close_matches(word.casefold(), by_folded, n=max_words, cutoff=0.6)
    return [by_folded[h] for h in hits]


def suggest(word: str, known_words: Iterable[str]) -> str:
    """The half sentence that tells what to write instead of `word`."""
    all_known = sorted(set(known_words) - {""})
    close_words = nearest(word, all_known)
    if close_words:
        return "did you mean " + join_alternatives(close_words) + "?"
    if not all_known:
        return "there are none yet: add it first, or leave it out"
    if len(all_known) <= 24:
        return "write one of " + ", ".join(all_known)
    return f"there are {len(all_known)} to choose from, such as " + ", ".join(all_known[:5])


def join_alternatives(words: Iterable[str]) -> str:
    """'a', 'a or b', 'a, b or c'."""
    alternatives = list(words)
    return " or ".join([", ".join(alternatives[:-1]), alternatives[-1]] if len(alternatives) > 1 else alternatives)

"""Findings: what is wrong with a file, and where."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

_INTERNAL = re.compile(r"<[\w.]+ .*at 0x|<_io|\bcodec\b|\bbase \d+: |\bb['\"]")
"""Python terms, which no message may contain."""
_INNER_ERRORS = (TypeError, AttributeError, LookupError, RecursionError)
"""Errors whose texts mention Python's internals."""


class Finding(NamedTuple):
    """One error at one place. Lines and columns count from 1. Spreadsheet columns are shown as letters."""

    path: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{display_path(self.path)}:{self.line}:{self.place}: {self.message}"

    @property
    def place(self) -> str:
        """The column as a person looks it up: a number, or in a spreadsheet a letter."""
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
    """Raised for a pack that can't be loaded. `findings` has everything that is wrong with it."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(sorted(set(findings)))
        super().__init__("\n".join(map(str, self.findings)))


class NoSuchGame(Exception):
    """Raised if a game doesn't exist."""


def surely(ask: Callable[[], bool]) -> bool:
    """The answer of a path to a question about it. False if the system denies access."""
    try:
        return ask()
    except OSError:
        return False


def plain_reason(error: BaseException) -> str:
    """The reason why something can't be read, for people: without Python's objects, codecs or classes."""
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
    """The path as a person types it: relative to the working folder if it is inside."""
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
    """The clause that says what to write instead of `word`."""
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
    """Join words: 'a', 'a or b', 'a, b or c'."""
    alternatives = list(words)
    return " or ".join([", ".join(alternatives[:-1]), alternatives[-1]] if len(alternatives) > 1 else alternatives)

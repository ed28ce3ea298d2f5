"""Commands: the contents of a save or a log. A save is one command that contains many others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from scenarios.vassal.archive import SAVE_AGAIN
from scenarios.vassal.sequence import join, split

ESCAPE = "\x1b"
DEEPEST = 100
LONGEST = 1_000_000
"""The maximum length of a piece's traits. In real modules they have some ten thousand letters."""
MOST_COMMANDS = 500_000
"""The maximum number of commands in a save or log. Long games have some ten thousand."""
LONGEST_COMMAND = 2 * LONGEST
MOST_REREAD = 20
"""The maximum length of all text to split, as a multiple of the save's length. Each level of nested commands is split once."""
BEGIN, END = "begin_save", "end_save"


class Trait(NamedTuple):
    """One trait of a piece: its type (definition) and its state (in play). The innermost trait is the basic piece."""

    type: str
    state: str


class Added(NamedTuple):
    """A piece (or stack) that a command adds to the game: its id and its traits from the outside in."""

    id: str
    traits: tuple[Trait, ...]


def flatten(text: str) -> Iterator[str]:
    """The single commands of a text in order, at any depth of nesting."""
    if text.count(ESCAPE) > MOST_COMMANDS:
        raise ValueError(f"this save has more than {MOST_COMMANDS:,} commands, which no game has; {SAVE_AGAIN}")
    characters_left = MOST_REREAD * len(text) + LONGEST
    waiting = [(0, text)]
    while waiting:
        depth, text = waiting.pop()
        characters_left -= len(text)
        if characters_left < 0:
            raise ValueError(f"this save is damaged (its commands are nested too deep); {SAVE_AGAIN}")
        parts = split(text, ESCAPE)
        if len(parts) == 1 and parts[0] == text:
            if len(text) > LONGEST_COMMAND:
                raise ValueError(
                    f"this save is damaged (a command has more than {LONGEST_COMMAND:,} letters); {SAVE_AGAIN}"
                )
            yield text
            continue
        if depth == DEEPEST:
            raise ValueError(f"this save is damaged (its commands are nested more than {DEEPEST} deep); {SAVE_AGAIN}")
        waiting += [(depth + 1, part) for part in reversed(parts)]


def append_commands(first: str, further_commands: Iterable[str]) -> str:
    """Append commands to a first one."""
    return join([first, *further_commands], ESCAPE)


def add_piece_command(piece: Added) -> str:
    """The command that adds a piece to the game."""
    return "+/" + join(
        [piece.id or "null", join_traits([t.type for t in piece.traits]), join_traits([t.state for t in piece.traits])],
        "/",
    )


def read_added(command: str) -> Added | None:
    """The piece that a command adds to the game. None for any other command."""
    if not command.startswith("+/"):
        return None
    parts = split(command[2:], "/")
    if len(parts) != 3:
        return None
    types, states = _types(parts[1]), split_traits(parts[2])
    # A stack has one type and one state. A piece has one of each for every trait.
    return Added(
        "" if parts[0] == "null" else parts[0], tuple(Trait(*pair) for pair in zip(types, states, strict=False))
    )


@lru_cache(1024)
def _types(text: str) -> tuple[str, ...]:
    """The types of traits. They are cached, because they are long and the same for all copies of a counter."""
    return tuple(split_traits(text))


def join_traits(texts: Sequence[str]) -> str:
    """Join types or states of traits, from the outside in. Each text contains all texts further inside."""
    # If no quotes are needed, each tab gets a backslash for every level of nesting.
    last = len(texts) - 1
    parts = []
    for depth, text in enumerate(texts):
        if text and text[0] in "\\'\t":
            return _one_by_one(texts)
        parts.append(text.replace("\t", "\\" * min(depth + 1, last) + "\t") if "\t" in text else text)
        parts.append("\\" * depth + "\t")
    return "".join(parts[:-1])


def _one_by_one(texts: Sequence[str]) -> str:
    inner = texts[-1]
    for outer in reversed(texts[:-1]):
        inner = join([outer, inner], "\t")
    return inner


def split_traits(text: str) -> list[str]:
    """Split a text into the types or states of traits, from the outside in."""
    plain_parts = _plainly(text)
    if plain_parts is not None:
        return plain_parts
    if len(text) > LONGEST:
        raise ValueError(f"a piece has more than {LONGEST:,} letters, which no module's have; leave it out")
    result = []
    while True:
        parts = split(text, "\t")
        result.append(parts[0])
        if len(parts) < 2:
            return result
        text = parts[1]


def _plainly(text: str) -> list[str] | None:
    """A fast split for a text without quotes or tabs in its parts: the number of backslashes before a tab is its depth."""
    if "'" in text:
        return None
    *outer, last = text.split("\t")
    result = []
    for depth, part in enumerate(outer):
        unescaped_part = part.rstrip("\\")
        if len(part) - len(unescaped_part) != depth:
            return None
        result.append(unescaped_part)
    return [*result, last]

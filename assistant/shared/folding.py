"""Answers that fit a terminal of a hundred columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from fractions import Fraction

from assistant.shared.asking import Answerer, Options, Said
from scenarios.game import Game

WIDTH = 100


def folded(lines: Iterable[str]) -> list[str]:
    """The lines, the long ones broken between words and set in under their start."""
    result = []
    for line in lines:
        indent = " " * (_indent(line) + 4)
        fits = len(line) <= WIDTH
        broken = [line] if fits else textwrap.wrap(
            line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )  # fmt: skip
        result += broken
    return result


def unfolded(lines: Iterable[str]) -> list[str]:
    """The lines before they were folded, for a page that breaks them where it likes."""
    result: list[str] = []
    last = ""
    for line in lines:
        words = line.split(maxsplit=1)
        under = bool(result) and _indent(line) == _indent(result[-1]) + 4
        if under and words and len(last) + 1 + len(words[0]) > WIDTH:
            result[-1] += f" {line.lstrip()}"
        else:
            result.append(line)
        last = line
    return result


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def spread_text(spread: Mapping[int, Fraction]) -> str:
    """The chance of each number, in a line."""
    return ", ".join(f"{value}: {float(chance):.1%}" for value, chance in spread.items())


def fitting(answer: Answerer) -> Answerer:
    """An answer whose lines fit."""

    def fitted(game: Game, options: Options) -> Said:
        json, lines = answer(game, options)
        return json, folded(lines)

    fitted.__doc__ = answer.__doc__
    return fitted

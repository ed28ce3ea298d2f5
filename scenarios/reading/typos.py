"""Typos that YAML reports badly or not at all: an unclosed quote, an unclosed bracket, a # without quotes.

One pass goes through the characters as YAML reads them. Quotes and brackets open where a value begins. # begins a comment
after a blank. Texts in blocks (`|`, `>`) are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

BLOCK = re.compile(r"(^|[:\-]\s+|[:\-])[|>][+-]?\d*\s*(#.*)?$")
KEY = re.compile(r"( *)(- )?[\w-]+:(\s|$)")
STRAY = re.compile(r"\s#[^\s#]")
CALL = re.compile(r"(:\s+)((?!['\"])[\w.]+(?:[^'\"{}\[\],:]*)\()[^'{}\[\]]*\"")
"""A value without quotes that contains a bracket and a quoted text."""
TWICE = re.compile(r":\s+(\")[^\"]*:\s+\"(?=[^\s,}\]])")
BRACES = re.compile(r":\s+([{\[])[^{}\[\]:]*[}\]]\s*(?=[<>=!+*/-]|and |or )")
"""A bracketed value that is followed by an operator."""
PAIRS = {"{": "}", "[": "]"}


class Slip(NamedTuple):
    """A character that is probably a typo: its place, and how to fix it."""

    line: int
    column: int
    message: str


class YamlMark(NamedTuple):
    """A quote, a bracket or a #, with its place. `end` is the line where a quoted text ends."""

    kind: str
    line: int
    column: int
    end: int = 0
    text: str = ""
    depth: int = 0


def marks(text: str) -> Iterator[YamlMark]:
    """The quoted texts, the opening and closing brackets, and the comments of a file."""
    skip: int | None = None
    quote: YamlMark | None = None
    depth = 0
    for number, line in enumerate(text.split("\n"), 1):
        indent = len(line) - len(line.lstrip(" "))
        if skip is not None and quote is None:
            if not line.strip() or indent > skip:
                continue
            skip = None
        previous_sign = ""  # the last character that isn't blank
        index = 0
        while index < len(line):
            sign = line[index]
            if quote is not None:
                if sign == "\\" and quote.kind == '"':
                    index += 1
                elif sign == quote.kind:
                    if sign == "'" and line[index + 1 : index + 2] == "'":
                        index += 1
                    else:
                        yield quote._replace(end=number)
                        quote, previous_sign = None, sign
                index += 1
                continue
            begins = (index == 0 or line[index - 1] in " [{,") and (
                not previous_sign or previous_sign in ":[{," or not line[:index].strip(" -")
            )
            if sign in "\"'" and begins:
                quote = YamlMark(sign, number, index + 1, depth=depth)
            elif sign == "#" and (index == 0 or line[index - 1].isspace()):
                yield YamlMark("#", number, index + 1, text=line[index:], depth=depth)
                break
            elif sign in PAIRS and (begins or depth):
                depth += 1
                yield YamlMark(sign, number, index + 1)
            elif sign in "}]" and depth:
                depth -= 1
                yield YamlMark(sign, number, index + 1)
            if not sign.isspace():
                previous_sign = sign
            index += 1
        if quote is None and not depth and BLOCK.search(line):
            skip = indent
    if quote is not None:
        yield quote


def behind_an_error(text: str, line: int) -> Slip | None:
    """The probable typo that makes a file unreadable, up to the line of YAML's error."""
    open_: list[YamlMark] = []
    for mark in marks(text):
        if mark.line > line:
            break
        if mark.kind in "\"'" and mark.end != mark.line:
            problem = f"the quote {mark.kind} that opens here isn't closed in its line"
            return Slip(mark.line, mark.column, f"{problem}; close it where its text ends")
        if mark.kind == "#" and mark.depth and not mark.text.startswith(("# ", "##")) and mark.text != "#":
            return Slip(mark.line, mark.column, f"{COMMENT}; put quotes around a text with a # in it")
        if mark.kind in PAIRS:
            open_.append(mark)
        elif mark.kind in PAIRS.values() and open_:
            open_.pop()
    if (slip := _in_line(text.split("\n")[line - 1], line) if 0 < line <= text.count("\n") + 1 else None) is not None:
        return slip
    if open_ and open_[-1].line < line:
        mark = open_[-1]
        return Slip(
            mark.line,
            mark.column,
            f"the {mark.kind} that opens here isn't closed; write {PAIRS[mark.kind]} where it ends",
        )
    return None


def _in_line(line: str, number: int) -> Slip | None:
    """A part of a line that needs quotes, or a misplaced quote in it."""
    if match := CALL.search(line):
        problem = f"{match[2]!r} begins an expression with commas and quotes in it"
        return Slip(number, match.start(2) + 1, f"{problem}; inside {{ }} put single quotes ' around all of it")
    if match := TWICE.search(line):
        problem = "the quote that opens here is closed by the next one, in the middle of a word"
        return Slip(number, match.start(1) + 1, f"{problem}; close it where its text ends")
    if match := BRACES.search(line):
        return Slip(number, match.start(1) + 1, f"this {match[1]} stands in an expression; put quotes around all of it")
    return None


COMMENT = "the # begins a comment, so what follows isn't read"


def _is_key(line: str, opening: str) -> bool:
    """Whether a line inside a quoted text is a key, indented no deeper than the line where the quote opens."""
    match = KEY.match(line)
    return match is not None and len(match[1]) <= len(opening) - len(opening.lstrip(" "))


def find_slips(text: str) -> Iterator[Slip]:
    """Typos that YAML accepts without an error: a quote that swallows keys, a comment that was meant as part of a text."""
    lines = text.split("\n")
    swallowing = any(line.count('"') % 2 or line.count("'") % 2 for line in lines)
    if not swallowing and not STRAY.search(text):
        return
    for mark in marks(text):
        if mark.kind in "\"'" and mark.end > mark.line:
            if any(_is_key(inner_line, lines[mark.line - 1]) for inner_line in lines[mark.line : mark.end]):
                problem = f"the quote {mark.kind} that opens here closes only in line {mark.end}, after other keys"
                yield Slip(mark.line, mark.column, f"{problem}; close it where its text ends")
        elif (
            mark.kind == "#"
            and STRAY.match(f" {mark.text}")
            and mark.column > 1
            and lines[mark.line - 1][: mark.column - 1].strip()
        ):
            yield Slip(
                mark.line,
                mark.column,
                f"{COMMENT}; put quotes around the text if it belongs to it, or a blank behind the #",
            )

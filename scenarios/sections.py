"""Section numbers of a rulebook, and the citations that name them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

SECTION = re.compile(
    r"(?:(?P<book>[A-Z][a-z]+) )?(?P<number>(?:\d+|[IVXL]+)(?:\s?\.\s?\w{1,2}|\s?\(\w{1,2}\)|\s?[A-Za-z])*)\.?"
)
"""A section number: 1.4a, 5.3 (2) f, Advanced II.C.2."""
PART = re.compile(r"\d+|[IVXL]{2,}|[A-Za-z]")


class SectionNumber(NamedTuple):
    """A section number in parts, with its book if a game has several."""

    book: str
    parts: tuple[str, ...]
    text: str

    def covers(self, section: SectionNumber) -> bool:
        """Whether a section is this one or one below it."""
        return self.book in ("", section.book) and section.parts[: len(self.parts)] == self.parts

    def distance(self, section: SectionNumber) -> tuple[Any, ...]:
        """The distance to another section. Sections with a common beginning are nearer, then those with a close number."""
        own_ranks, section_ranks = [_rank(part) for part in self.parts], [_rank(part) for part in section.parts]
        shared_count = next(
            (index for index, pair in enumerate(zip(own_ranks, section_ranks, strict=False)) if pair[0] != pair[1]),
            len(own_ranks),
        )
        gap = (section_ranks[shared_count] if shared_count < len(section_ranks) else 0) - (
            own_ranks[shared_count] if shared_count < len(own_ranks) else 0
        )
        further_ranks = [number if gap > 0 else -number for number in section_ranks[shared_count + 1 :]]
        return self.book not in ("", section.book), -shared_count, abs(gap), further_ranks


def _rank(part: str) -> int:
    return int(part) if part.isdecimal() else ord(part[0])


def section_number(text: str) -> SectionNumber | None:
    """Parse a section number. None if the text isn't one."""
    match = SECTION.fullmatch(text.strip())
    if match is None or (match["book"] and match["number"][0].isdecimal()):
        return None
    parts = tuple(part.lower() for part in PART.findall(match["number"]))
    return SectionNumber((match["book"] or "").lower(), parts, text.strip())


def cited_sections(rule: str) -> Iterator[SectionNumber]:
    """The sections in a citation: `4.2, 5.3`, `21.3 to 21.7`, `16.4 b, e`, `Advanced II.C, II.D`."""
    last: SectionNumber | None = None
    for text in re.split(r"[,;]|\band\b", rule):
        first, separator, end = (part.strip() for part in text.partition(" to "))
        section = section_number(first)
        if last is not None and re.fullmatch(r"[a-z]", first):
            section = SectionNumber(last.book, (*last.parts[:-1], first), f"{last.text[:-1]}{first}")
        if section is None:
            last = None
            continue
        if not section.book and last is not None and not section.parts[0].isdecimal():
            section = section._replace(book=last.book, text=f"{last.book.title()} {section.text}".strip())
        yield section
        last, until = section, section_number(end) if separator else None
        if until is not None and until.parts[-1].isdecimal() and section.parts[-1].isdecimal():
            stem = section.text[: len(section.text) - len(section.parts[-1])]
            for number in range(int(section.parts[-1]) + 1, int(until.parts[-1]) + 1):
                yield SectionNumber(section.book, (*section.parts[:-1], str(number)), f"{stem}{number}")

"""What can be chosen about a kit: the paper, the backs, the sizes. Read once, at the edge."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from scenarios.reading.findings import instead

Backs = Literal["duplex-long", "duplex-short", "fold", "none"]
BACKS: tuple[Backs, ...] = get_args(Backs)
ONLY = ("kit", "module", "cut", "png", "json", "calibration")
"""What `modgen build` can write."""


class WrongOption(ValueError):
    """An option that can't be carried out; the sentence says what would be right."""


class Paper(NamedTuple):
    """A size of paper, upright, in millimetres."""

    name: str
    width: float
    height: float

    @property
    def title(self) -> str:
        """What it is called on a page."""
        return self.name.upper() if self.name[0] == "a" else self.name.capitalize()


PAPERS: Mapping[str, Paper] = {
    paper.name: paper
    for paper in (
        Paper("a4", 210, 297),
        Paper("letter", 215.9, 279.4),
        Paper("a3", 297, 420),
        Paper("tabloid", 279.4, 431.8),
    )
}


@dataclass(frozen=True)
class Options:
    """Everything that can be chosen about a kit."""

    paper: Paper = PAPERS["a4"]
    backs: Backs = "duplex-long"
    back_offset: tuple[float, float] = (0.0, 0.0)
    ink_saver: bool = False
    counter_size: float = 16.0
    margin: float = 10.0
    scenario: str = ""
    pieces: tuple[str, ...] = ()
    dpi: int = 300


def paper_of(name: str) -> Paper:
    """The paper of that name."""
    found = PAPERS.get(name.lower())
    if found is None:
        raise WrongOption(f"there is no paper {name!r}; {instead(name.lower(), PAPERS)}")
    return found


def backs_of(name: str) -> Backs:
    """The way of printing backs that has that name."""
    for known in BACKS:
        if name.lower() == known:
            return known
    raise WrongOption(f"there is no way {name!r} to print backs; {instead(name.lower(), BACKS)}")


def offset(text: str) -> tuple[float, float]:
    """'0.5,-1' is half a millimetre to the right and one up."""
    parts = re.fullmatch(r"\s*([+-]?\d+(?:\.\d+)?)\s*,\s*([+-]?\d+(?:\.\d+)?)\s*", text)
    if not parts:
        raise WrongOption(f"{text!r} is no back offset; write two numbers of millimetres such as 0.5,-1")
    x, y = float(parts[1]), float(parts[2])
    if max(abs(x), abs(y)) > 10:
        raise WrongOption(
            f"a back offset of {text} mm is more than a printer drifts; measure it on the calibration sheet"
        )
    return x, y


def within(name: str, value: float, least: float, most: float, unit: str = "mm") -> float:
    """A number that lies between two others."""
    if not least <= value <= most:
        raise WrongOption(f"--{name} {value:g} can't be; choose {least:g} to {most:g} {unit}")
    return value


def options(
    paper: str = "a4",
    backs: str = "duplex-long",
    back_offset: str = "0,0",
    ink_saver: bool = False,
    counter_size: float = 16.0,
    margin: float = 10.0,
    scenario: str = "",
    pieces: str = "",
    dpi: int = 300,
) -> Options:
    """The options as they were typed, read and checked."""
    return Options(
        paper_of(paper),
        backs_of(backs),
        offset(back_offset),
        ink_saver,
        within("counter-size", counter_size, 8, 50),
        within("margin", margin, 0, 200),
        scenario,
        tuple(word.strip() for word in pieces.split(",") if word.strip()),
        int(within("dpi", dpi, 36, 1200, "dots an inch")),
    )

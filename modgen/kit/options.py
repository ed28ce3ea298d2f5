"""The options of a kit: the paper, the backs, the sizes. They are parsed once, from the command line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from modgen.kit.paper import PageLayout, PaperSize, WrongOption
from modgen.kit.template import read_template
from scenarios.model.game import Game
from scenarios.reading.findings import suggest

Backs = Literal["duplex-long", "duplex-short", "fold", "none"]
Cuts = Literal["separate", "shared"]
CUTS: tuple[Cuts, ...] = get_args(Cuts)
BACKS: tuple[Backs, ...] = get_args(Backs)
FORMATS = ("kit", "module", "cut", "png", "json", "calibration", "tabletop", "tts")
"""The outputs of `modgen build`."""


PAPERS: Mapping[str, PaperSize] = {
    paper.name: paper
    for paper in (
        PaperSize("a4", 210, 297),
        PaperSize("letter", 215.9, 279.4),
        PaperSize("a3", 297, 420),
        PaperSize("tabloid", 279.4, 431.8),
    )
}


@dataclass(frozen=True)
class Options:
    """All options of a kit."""

    paper: PaperSize = PAPERS["a4"]
    backs: Backs = "duplex-long"
    back_offset: tuple[float, float] = (0.0, 0.0)
    ink_saver: bool = False
    grey: bool = False
    counter_size: float = 0.0
    """The side of a counter in millimeters; 0 means the pack's own, until `with_pack_size` fills it in."""
    scale: float = 1.0
    """The size of charts and text relative to the default."""
    cuts: Cuts = "separate"
    roll: float = 0.0
    """The width of the roll for posters, in millimeters; 0 for any width."""
    margin: float = 10.0
    scenario: str = ""
    pieces: tuple[str, ...] = ()
    dpi: int = 300
    layout: PageLayout | None = None
    """The layout of a template. With one, only counters are printed."""
    bleed: bool = False
    """Whether PNG pictures of pieces include the bleed."""

    @property
    def tone(self) -> str:
        """The tone of colors: 'ink-saver', 'grey', both, or empty for unchanged."""
        return " ".join(word for word, is_on in (("ink-saver", self.ink_saver), ("grey", self.grey)) if is_on)


LARGE_PRINT, TRAVEL = 25.0, 13.0
LARGE_PRINT_SCALE = 1.25
"""The size of charts and text in a large-print kit relative to the default."""


def with_pack_size(game: Game, options: Options) -> Options:
    """The options with the pack's own counter size, if none was chosen."""
    return options if options.counter_size else replace(options, counter_size=float(game.card.counter_size))


def suffix(options: Options) -> str:
    """A suffix for the file name that distinguishes kits by their options: '-letter-fold-25mm'."""
    usual = Options()
    words = [options.paper.name]
    words += [options.backs] if options.backs != usual.backs else []
    if options.scale != 1:
        words.append("large-print")
    elif options.counter_size and not options.layout:
        words.append(f"{options.counter_size:g}mm")
    words += [f"{options.cuts}-cuts"] if options.cuts != usual.cuts else []
    words += [f"roll-{options.roll:g}"] if options.roll else []
    words += [f"margin-{options.margin:g}"] if options.margin != usual.margin else []
    words += [f"offset{x:+g}{y:+g}" for x, y in [options.back_offset] if (x, y) != (0, 0)]
    words += [word for word, is_on in (("grey", options.grey), ("ink-saver", options.ink_saver)) if is_on]
    return "".join(f"-{word}" for word in words)


def paper_of(name: str) -> PaperSize:
    """The paper with this name."""
    paper = PAPERS.get(name.lower())
    if paper is None:
        raise WrongOption(f"there is no paper {name!r}; {suggest(name.lower(), PAPERS)}")
    return paper


def backs_of(name: str) -> Backs:
    """The way of printing backs with this name."""
    for backs in BACKS:
        if name.lower() == backs:
            return backs
    raise WrongOption(f"there is no way {name!r} to print backs; {suggest(name.lower(), BACKS)}")


def offset(text: str) -> tuple[float, float]:
    """An offset as two numbers: '0.5,-1' is half a millimeter to the right and one up."""
    parts = re.fullmatch(r"\s*([+-]?\d+(?:\.\d+)?)\s*,\s*([+-]?\d+(?:\.\d+)?)\s*", text)
    if not parts:
        raise WrongOption(f"{text!r} is no back offset; write two numbers of millimetres such as 0.5,-1")
    x, y = float(parts[1]), float(parts[2])
    if max(abs(x), abs(y)) > 10:
        raise WrongOption(
            f"a back offset of {text} mm is more than a printer drifts; measure it on the calibration sheet"
        )
    return x, y


def within(name: str, value: float, minimum: float, maximum: float, unit: str = "mm") -> float:
    """A number, if it is between a minimum and a maximum."""
    if not minimum <= value <= maximum:
        raise WrongOption(f"--{name} {value:g} can't be; choose {minimum:g} to {maximum:g} {unit}")
    return value


def cuts_of(name: str) -> Cuts:
    """The way of cutting with this name."""
    for cuts in CUTS:
        if name.lower() == cuts:
            return cuts
    raise WrongOption(f"there are no cuts {name!r}; {suggest(name.lower(), CUTS)}")


def size_of(counter_size: float | None, large_print: bool, travel: bool) -> tuple[float, float]:
    """The side of a counter (0 for the pack's own), and the size of text relative to the default."""
    option_names = [
        name
        for name, is_given in (
            ("--large-print", large_print),
            ("--travel", travel),
            ("--counter-size", counter_size is not None),
        )
        if is_given
    ]
    if len(option_names) > 1:
        raise WrongOption(
            f"{option_names[0]} and {option_names[1]} both say how large counters are; leave one of them out"
        )
    if large_print:
        return LARGE_PRINT, LARGE_PRINT_SCALE
    if travel:
        return TRAVEL, 1.0
    return (0.0 if counter_size is None else within("counter-size", counter_size, 8, 50)), 1.0


def pieces_of(text: str | None) -> tuple[str, ...]:
    """The chosen pieces, by id or name; none if there is no choice."""
    if text is None:
        return ()
    words = tuple(word.strip() for word in text.split(",") if word.strip())
    if not words:
        raise WrongOption("--pieces names no piece; write ids or names such as --pieces T-62,BMP, or leave it out")
    return words


def options(
    paper: str = "a4",
    backs: str = "duplex-long",
    back_offset: str = "0,0",
    ink_saver: bool = False,
    grey: bool = False,
    counter_size: float | None = None,
    large_print: bool = False,
    travel: bool = False,
    cuts: str = "separate",
    roll: float | None = None,
    margin: float = 10.0,
    scenario: str = "",
    pieces: str | None = None,
    dpi: int = 300,
    bleed: bool = False,
    template: Path | None = None,
) -> Options:
    """The options as a user typed them, parsed and checked."""
    size, enlargement = size_of(counter_size, large_print, travel)
    sheet, layout = paper_of(paper), None
    if template is not None:
        if size:
            raise WrongOption(
                "--template says how large counters are; leave --counter-size, --large-print and --travel out"
            )
        sheet, size, layout = read_template(template)
    return Options(
        paper=sheet,
        backs=backs_of(backs),
        back_offset=offset(back_offset),
        ink_saver=ink_saver,
        grey=grey,
        counter_size=size,
        scale=enlargement,
        cuts=cuts_of(cuts),
        roll=0.0 if roll is None else within("roll", roll, 200, 2000),
        margin=_margin(margin, sheet),
        scenario=scenario,
        pieces=pieces_of(pieces),
        dpi=int(within("dpi", dpi, 36, 1200, "dots an inch")),
        layout=layout,
        bleed=bleed,
    )


def _margin(margin: float, paper: PaperSize) -> float:
    """A margin that leaves at least half of the paper's width to print on."""
    max_margin = int(paper.width / 4)
    if not 0 <= margin <= max_margin:
        raise WrongOption(
            f"--margin {margin:g} leaves too little of {paper.title} to print on; choose 0 to {max_margin} mm"
        )
    return margin

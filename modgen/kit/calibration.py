"""The calibration sheet. A player prints both sides and holds it against the light to see the drift of the backs."""

from __future__ import annotations

from art import svg
from art.svg import Element
from art.text import centred_text, text
from modgen.cache import Cache
from modgen.kit.imposition import HINTS
from modgen.kit.marks import INK, ruler
from modgen.kit.options import Options
from modgen.kit.plates import plate
from modgen.notices import NOTICE

RED = "#b3261e"
ARM, OUTER, REACH = 15.0, 9.0, 5
"""The arm of a cross, the distance of a scale from its middle, and the length of a scale to each side."""
RELEASE = "2026-11-16"


def _stations(options: Options) -> list[tuple[float, float]]:
    """The positions of the marks: the middle of the page and four points around it."""
    w, h = options.paper.width, options.paper.height
    dx, dy = w / 2 - options.margin - 24, h / 2 - options.margin - 66
    middle = (w / 2, h / 2)
    return [middle, *((w / 2 + x * dx, h / 2 + y * dy) for y in (-1, 1) for x in (-1, 1))]


def _cross(x: float, y: float) -> Element:
    """The front's mark: a cross that shines through."""
    lines = f"M{x - ARM:.3f} {y:.3f}H{x + ARM:.3f}M{x:.3f} {y - ARM:.3f}V{y + ARM:.3f}"
    return svg.path(lines, fill="none", stroke="#000000", stroke_width=0.2)


def _scale(x: float, y: float) -> Element:
    """The back's mark: a horizontal and a vertical scale in half millimeters, each over an arm of the front's cross.

    The number where the arm shines through is the offset that moves the scale's zero onto it.
    """
    parts = f"M{x - REACH:.3f} {y - OUTER:.3f}h{2 * REACH}M{x - OUTER:.3f} {y - REACH:.3f}v{2 * REACH}"
    numbers = []
    for half_steps in range(-2 * REACH, 2 * REACH + 1):
        offset = half_steps / 2
        long = 3.4 if half_steps == 0 else 2.2 if half_steps % 2 == 0 else 1.2
        parts += f"M{x + offset:.3f} {y - OUTER:.3f}v{-long}M{x - OUTER:.3f} {y + offset:.3f}h{-long}"
        if half_steps % 4 == 0:
            label = f"{offset:+g}".replace("-", "−") if half_steps else "0"
            if half_steps % 8 == 0:
                numbers.append(centred_text(label, x + offset, y - OUTER - 4.9, 2.0, "semibold", fill=RED))
            numbers.append(text(label, x - OUTER - 4.0, y + offset + 0.65, 2.0, "semibold", "end", fill=RED))
    words = [
        text("across", x + REACH + 1.5, y - OUTER, 2.2, "italic", "start", fill=RED),
        text("down", x - OUTER, y + REACH + 3.2, 2.2, "italic", "middle", fill=RED),
    ]
    return svg.group([svg.path(parts, fill="none", stroke=RED, stroke_width=0.12), *numbers, *words])


def _page(options: Options, side: str, lines: list[str], parts: list[Element]) -> list[Element]:
    paper, x = options.paper, options.margin + 12
    y = options.margin + 14
    head = [
        text("Calibration sheet", x, y, 6, "black", "start", fill=INK),
        text(f"{side} · {paper.title} · {HINTS[options.backs]}", x, y + 5, 3, "semibold", "start", fill=INK),
    ]
    body = [text(line, x, y + 12 + 4.4 * i, 3, "regular", "start", fill=INK) for i, line in enumerate(lines)]
    foot = paper.height - options.margin - 14
    return [
        *head,
        *body,
        *parts,
        ruler(x, foot, paper.width - 2 * x),
        text(NOTICE, x, foot + 9, 2, "regular", "start", fill=INK),
    ]


FOLDED_STEPS = [
    "1. Print this page on one side at 100 % and check the ruler.",
    "2. Fold it back along the dashed line and hold it against the light: the edges of both halves must meet.",
    "3. Where they don't, your fold is off, not your printer: fold again along a scored line.",
    "     With --backs fold fronts and backs are on one side, so a --back-offset is hardly ever needed.",
]
FRONT = [
    "1. Print both pages on one sheet, double-sided, at 100 %. Check the ruler.",
    "2. Turn to the red scales and hold the sheet against the light.",
]
BACK_STEPS = [
    "3. Read where the black cross shines through on each red scale: across first, then down.",
    "4. Take the middle value of the five. A cross at +0.5 across and −1 down means:",
    "     modgen build --back-offset 0.5,-1",
]


def calibration(options: Options) -> list[Element]:
    """The two sides of the sheet, or its one side if it is folded. Their positions match in the chosen mode."""
    paper = options.paper
    spots = _stations(options)
    if options.backs == "fold":
        x = paper.width / 2
        line = svg.line(
            x, options.margin, x, paper.height - options.margin, stroke=INK, stroke_width=0.15, stroke_dasharray="2 1.2"
        )
        crosses = [_cross(x + direction * (x - options.margin - 24), y) for direction in (-1, 1) for _, y in spots[:1]]
        return [svg.drawing(paper.width, paper.height, [*_page(options, "Fold", FOLDED_STEPS, crosses), line])]
    front = _page(options, "Front", FRONT, [_cross(x, y) for x, y in spots])
    back_elements = _page(options, "Back", BACK_STEPS, [_scale(x, y) for x, y in spots])
    ox, oy = options.back_offset
    shifted_elements = [svg.translate(svg.group(back_elements), ox, oy)] if (ox, oy) != (0, 0) else back_elements
    return [svg.drawing(paper.width, paper.height, front), svg.drawing(paper.width, paper.height, shifted_elements)]


def calibration_pdf(options: Options, cache: Cache) -> bytes:
    """The sheet as a PDF of two pages."""
    return plate([svg.to_bytes(page) for page in calibration(options)], RELEASE, cache)

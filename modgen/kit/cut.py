"""Cut files for cutting machines: the cuts of each sheet as closed lines, with the registration marks of the page."""

from __future__ import annotations

from art import svg
from art.svg import Element
from modgen.kit.imposition import target_spots
from modgen.kit.marks import target
from modgen.kit.options import Options
from modgen.kit.sheets import CounterSheet

CORNER = 1.0
"""The radius of a counter's rounded corner."""


def cut_file(sheet: CounterSheet, options: Options) -> Element:
    """The cuts of a sheet, one rounded square for each counter, and its registration marks, which aren't cut.

    A folded sheet is cut after folding, from its front.
    """
    size, paper = sheet.frame.size, options.paper
    corner = options.layout.corner if options.layout else CORNER * size / 16
    squares = [
        svg.rect(c.x, c.y, size, size, rx=corner, id=f"cut-{i}", fill="none", stroke="#ff0000", stroke_width=0.05)
        for i, c in enumerate(sheet.cells, 1)
    ]
    marks = [target(x, y) for x, y in target_spots(options)]
    layers = [svg.group(marks, id="registration"), svg.group(squares, id="cut")]
    if options.backs == "fold":
        x = paper.width / 2
        layers.append(svg.group([svg.line(x, 0, x, paper.height, stroke="#0000ff", stroke_width=0.05)], id="fold"))
    return svg.drawing(paper.width, paper.height, layers)

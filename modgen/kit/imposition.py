"""Fronts and backs on paper: the position of each back so that it ends up behind its front.

A back is upright when its counter is turned sideways, like the page of a book. So the back of a front at x is at the
width of the page minus x. It is on the page behind (double-sided, flipping on the long edge), on that page turned
upside down (flipping on the short edge), or beyond the fold on the same page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from art import svg
from art.counters.face import SIZE
from art.svg import Element
from art.text import text
from modgen.kit.faces import Faces
from modgen.kit.marks import HAIR, INK, TARGET, crop_marks, ruler, target
from modgen.kit.options import Backs, Options
from modgen.kit.sheets import BLEED, FOOT, HEAD, MARK, CounterSheet, SheetCell
from scenarios.model.game import Game

Page = Literal["front", "back"]
PAGES: dict[Backs, tuple[Page, ...]] = {
    "duplex-long": ("front", "back"),
    "duplex-short": ("front", "back"),
    "fold": ("front",),
    "none": ("front",),
}
SEAM = 0.04
"""The overlap of neighboring colors, so that no gap shows between them."""
TICK = 1.2
HINTS: dict[Backs, str] = {
    "duplex-long": "print double-sided, flip on the long edge",
    "duplex-short": "print double-sided, flip on the short edge",
    "fold": "fold along the dashed line, glue, then cut",
    "none": "fronts only",
}


def back_corner(cell: SheetCell, size: float, width: float) -> tuple[float, float]:
    """The top left corner of a cell's back, on a page of this width."""
    return width - cell.x - size, cell.y


def bleed_of(options: Options) -> float:
    """The bleed of a counter on its square of 16 units. If counters share their cuts it is only a seam."""
    if options.layout:
        return options.layout.bleed * SIZE / options.counter_size
    return ((BLEED if options.cuts == "separate" else 0.0) + SEAM) * SIZE / options.counter_size


def sheet_page(faces: Faces, sheet: CounterSheet, page: Page, options: Options, sheet_count: int) -> Element:
    """One page of a sheet, at true size. `faces` already have the bleed of `bleed_of`."""
    paper = options.paper
    labels = _labels(faces.game, sheet, page, options, sheet_count)
    if options.layout and not options.layout.marks:
        face_elements = (
            _fronts(faces, sheet) if page == "front" else _translate(_backs(faces, sheet, options), options.back_offset)
        )
        return svg.drawing(paper.width, paper.height, face_elements)
    if options.backs == "fold":
        page_elements = [
            *_fronts(faces, sheet),
            *_translate(_backs(faces, sheet, options), options.back_offset),
            *labels,
        ]
    elif page == "front":
        page_elements = [*_fronts(faces, sheet), *labels]
    else:
        page_elements = _turned_over([*_backs(faces, sheet, options), *labels], options)
    return svg.drawing(paper.width, paper.height, page_elements)


def sheet_marks(sheet: CounterSheet, page: Page, options: Options) -> Element:
    """The cut lines of a page of a sheet: crop and registration marks, ticks in the corners, the fold."""
    if options.backs == "fold":
        marks = [*_ticks(sheet), *_fold(options), *_frame_marks(sheet, options, both_sides=True)]
    elif page == "front":
        marks = [*_ticks(sheet), *_frame_marks(sheet, options)]
    else:
        marks = _turned_over(_back_marks(sheet, options), options)
    return svg.drawing(options.paper.width, options.paper.height, marks)


def _turned_over(parts: list[Element], options: Options) -> list[Element]:
    """The content of the back of a page, at its position there."""
    if options.backs == "duplex-short":
        turn = f"rotate(180 {svg.number(options.paper.width / 2)} {svg.number(options.paper.height / 2)})"
        parts = [svg.group(parts, transform=turn)]
    return _translate(parts, options.back_offset)


def _translate(parts: list[Element], offset: tuple[float, float]) -> list[Element]:
    return [svg.translate(svg.group(parts), *offset)] if offset != (0, 0) else parts


def _fronts(faces: Faces, sheet: CounterSheet) -> list[Element]:
    return _lay_faces(faces, sheet, [(cell, cell.x, cell.y) for cell in sheet.cells], "front")


def _lay_faces(
    faces: Faces, sheet: CounterSheet, cells: Sequence[tuple[SheetCell, float, float]], side: Page
) -> list[Element]:
    """The faces in their positions. If counters share their cuts, only the outer edge of the block has a bleed."""
    face_elements = [_face(faces, sheet, cell, side, x, y) for cell, x, y in cells]
    if sheet.frame.gutter or sheet.frame.gutter_down is not None:
        return face_elements
    size = sheet.frame.size
    backgrounds = []
    for face, (_, x, y) in zip(face_elements, cells, strict=True):
        ground = next(part for part in face.iter() if str(part.tag).endswith("rect"))
        side_ = size + 2 * BLEED
        backgrounds.append(svg.rect(x - BLEED, y - BLEED, side_, side_, fill=ground.get("fill") or "none"))
    return [*backgrounds, *face_elements]


def _ticks(sheet: CounterSheet) -> list[Element]:
    """Fine lines in the corners of every counter, for cuts that are made after the crop marks are gone."""
    size = sheet.frame.size
    data = ""
    for cell in sheet.cells:
        for x, dx in ((cell.x, TICK), (cell.x + size, -TICK)):
            for y, dy in ((cell.y, TICK), (cell.y + size, -TICK)):
                data += f"M{svg.number(x + dx)} {svg.number(y)}H{svg.number(x)}V{svg.number(y + dy)}"
    return [svg.path(data, fill="none", stroke=INK, stroke_width=0.07, stroke_opacity=0.45)]


def _backs(faces: Faces, sheet: CounterSheet, options: Options) -> list[Element]:
    width = options.paper.width
    return _lay_faces(
        faces, sheet, [(cell, *back_corner(cell, sheet.frame.size, width)) for cell in sheet.cells], "back"
    )


def _face(faces: Faces, sheet: CounterSheet, cell: SheetCell, side: Page, x: float, y: float) -> Element:
    return svg.translate(faces(cell.piece, side), x, y, sheet.frame.size / SIZE)


def _box(sheet: CounterSheet) -> tuple[float, float, float, float]:
    """The box around all bleeds of a sheet."""
    size = sheet.frame.size
    xs, ys = [cell.x for cell in sheet.cells], [cell.y for cell in sheet.cells]
    return min(xs) - BLEED, min(ys) - BLEED, max(xs) + size + BLEED, max(ys) + size + BLEED


def trim_margins(sheet: CounterSheet, page: Page, options: Options) -> tuple[float, float, float, float]:
    """The part of a page that remains when the block of counters is cut out: left, top, right, bottom."""
    left, top, right, bottom = _box(sheet)
    left, top, right, bottom = left + BLEED, top + BLEED, right - BLEED, bottom - BLEED
    paper = options.paper
    if options.backs == "fold":
        return left, top, paper.width - left, bottom
    if page == "back":
        left, right = paper.width - right, paper.width - left
        if options.backs == "duplex-short":
            left, right, top, bottom = (
                paper.width - right,
                paper.width - left,
                paper.height - bottom,
                paper.height - top,
            )
    return left, top, right, bottom


def cuts(sheet: CounterSheet) -> tuple[list[float], list[float]]:
    """The positions of the vertical and the horizontal cuts."""
    size = sheet.frame.size
    xs = sorted({round(edge, 4) for cell in sheet.cells for edge in (cell.x, cell.x + size)})
    ys = sorted({round(edge, 4) for cell in sheet.cells for edge in (cell.y, cell.y + size)})
    return xs, ys


def _frame_marks(sheet: CounterSheet, options: Options, both_sides: bool = False) -> list[Element]:
    xs, ys = cuts(sheet)
    left, top, right, bottom = _box(sheet)
    if both_sides:
        width = options.paper.width
        xs, right = [*xs, *(width - x for x in reversed(xs))], width - left
    return [*crop_marks(xs, ys, (left, top, right, bottom)), *_targets(options)]


def _back_marks(sheet: CounterSheet, options: Options) -> list[Element]:
    width = options.paper.width
    xs, ys = cuts(sheet)
    left, top, right, bottom = _box(sheet)
    return [*crop_marks([width - x for x in xs], ys, (width - right, top, width - left, bottom)), *_targets(options)]


def target_spots(options: Options) -> list[tuple[float, float]]:
    """The centers of the four registration marks; the same on both pages."""
    paper, inset = options.paper, options.margin + TARGET * 1.35
    return [(x, y) for y in (inset, paper.height - inset) for x in (inset, paper.width - inset)]


def _targets(options: Options) -> list[Element]:
    return [target(x, y) for x, y in target_spots(options)]


def _fold(options: Options) -> list[Element]:
    x, paper = options.paper.width / 2, options.paper
    return [
        svg.line(
            x,
            options.margin,
            x,
            paper.height - options.margin,
            stroke=INK,
            stroke_width=HAIR * 1.5,
            stroke_dasharray="2 1.2",
        )
    ]


def _labels(game: Game, sheet: CounterSheet, page: Page, options: Options, sheet_count: int) -> list[Element]:
    """The label above the counters and the ruler below, between the registration marks."""
    paper, margin = options.paper, options.margin
    x, y = margin + 2 * MARK, margin + HEAD / 2 - 1.4
    side = "fronts and backs" if options.backs == "fold" else f"{page}s"
    title = text(f"{game.title}", x, y, 3.4, "bold", "start", fill=INK)
    sheet_label = text(
        f"Counter sheet {sheet.number} of {sheet_count}: {side}", x, y + 3.7, 2.6, "regular", "start", fill=INK
    )
    hint = text(HINTS[options.backs], paper.width - x, y + 3.7, 2.2, "italic", "end", fill=INK)
    size = text(f"counters {sheet.frame.size:g} mm, {paper.title}", paper.width - x, y, 2.2, "italic", "end", fill=INK)
    foot = paper.height - margin - FOOT / 2 + 0.7
    check = text(
        "Print at 100 %: this ruler must be true.", paper.width - x, foot + 0.6, 2.2, "italic", "end", fill=INK
    )
    room = paper.width - 2 * x
    parts = [title, sheet_label, ruler(x, foot, room if room > 150 else room + 20)]
    if room > 150:
        parts += [hint, size, check]
    return parts

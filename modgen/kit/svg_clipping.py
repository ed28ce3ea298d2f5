"""A part of a drawing: only what a window shows, so that a page contains just its own part of a map."""

from __future__ import annotations

import contextlib
import json
import math
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from art.svg import SVG, Element, number
from modgen.typesetting import run_in_process

COMMAND = re.compile(r"([A-Za-z])([^A-Za-z]*)")
NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
CHUNK = re.compile(r"M[^M]*")
MOVE = re.compile(r"(translate|rotate|scale)\(([^)]*)\)")
MAX_PARTS = 200
"""With at least this many parts, a group has an index of their positions."""
TAKES = {"a": 7, "c": 6, "s": 4, "q": 4, "t": 2}
"""The number of arguments of each curve command of a path."""


class Bounds(NamedTuple):
    """A rectangle by its corners."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, box: Bounds) -> bool:
        """Whether two boxes share a point."""
        return self.left <= box.right and box.left <= self.right and self.top <= box.bottom and box.top <= self.bottom


class Transform(NamedTuple):
    """A transform of points: a matrix as in SVG."""

    a: float = 1
    b: float = 0
    c: float = 0
    d: float = 1
    e: float = 0
    f: float = 0

    def compose(self, inner: Transform) -> Transform:
        """This transform after the inner one."""
        a, b, c, d, e, f = inner
        return Transform(
            self.a * a + self.c * b,
            self.b * a + self.d * b,
            self.a * c + self.c * d,
            self.b * c + self.d * d,
            self.a * e + self.c * f + self.e,
            self.b * e + self.d * f + self.f,
        )

    def bounding_box(self, box: Bounds) -> Bounds:
        """The box around a transformed box."""
        corners = [(x, y) for x in (box.left, box.right) for y in (box.top, box.bottom)]
        xs = [self.a * x + self.c * y + self.e for x, y in corners]
        ys = [self.b * x + self.d * y + self.f for x, y in corners]
        return Bounds(min(xs), min(ys), max(xs), max(ys))


@dataclass(slots=True)
class SvgPart:
    """An element of a drawing: the text before and after its content, and its bounds (None: everywhere).

    An element without content is all in `opening`.
    """

    opening: str
    closing: str
    box: Bounds | None = None
    inner: Sequence[SvgPart] = ()
    neighbours: NearIndex | None = None
    """An index of the inner parts by position, if there are many."""


class NearIndex:
    """Many parts, indexed by the cells of a grid that they touch, so that a window checks only some of them."""

    CELL = 40.0
    CELL_SIZE = 64
    """Parts that cover more cells than this are checked for every window."""

    def __init__(self, parts: Sequence[SvgPart]) -> None:
        self.cells: dict[tuple[int, int], list[int]] = {}
        self.always: list[int] = []
        for index, part in enumerate(parts):
            cells = self._cells(part.box) if part.box is not None else None
            if cells is None or len(cells[0]) * len(cells[1]) > self.CELL_SIZE:
                self.always.append(index)
                continue
            for column in cells[0]:
                for row in cells[1]:
                    self.cells.setdefault((column, row), []).append(index)

    def parts_in(self, window: Bounds) -> list[int]:
        """The parts that a window may show, in order."""
        columns, rows = self._cells(window)
        indexes = set(self.always)
        for column in columns:
            for row in rows:
                indexes.update(self.cells.get((column, row), ()))
        return sorted(indexes)

    def _cells(self, box: Bounds) -> tuple[range, range]:
        left, top, right, bottom = (math.floor(value / self.CELL) for value in box)
        return range(left, right + 1), range(top, bottom + 1)


class PartIndex:
    """A drawing, parsed once, from which parts can be cut."""

    def __init__(self, drawing: bytes) -> None:
        root = etree.fromstring(drawing)
        self.parts = [_part(child, Transform(), 0.0, 0.0) for child in root]

    def through(self, left: float, top: float, width: float, height: float, scale: float = 1.0) -> bytes:
        """The part of the drawing that a window shows, as a drawing that is printed larger by the scale."""
        window = Bounds(left, top, left + width, top + height)
        body: list[str] = []
        for part in self.parts:
            _see(part, window, body)
        view = " ".join(map(number, (left, top, width, height)))
        size = f'width="{number(width * scale)}mm" height="{number(height * scale)}mm"'
        return f'<svg xmlns="{SVG}" {size} viewBox="{view}">{"".join(body)}</svg>'.encode()


def _see(part: SvgPart, window: Bounds, body: list[str]) -> None:
    """Append what a window shows of a part to a body."""
    if part.box is not None and not part.box.meets(window):
        return
    if not part.inner:
        if part.opening:
            body.append(part.opening)
        return
    start = len(body)
    body.append(part.opening)
    for index in part.neighbours.parts_in(window) if part.neighbours is not None else range(len(part.inner)):
        _see(part.inner[index], window, body)
    if len(body) == start + 1:
        body.pop()
    else:
        body.append(part.closing)


def _enclose(opening: str, closing: str, inner: Sequence[SvgPart]) -> SvgPart:
    """A part around others. It is visible where they are, and nowhere without any."""
    if not inner:
        return SvgPart("", "")
    boxes = [part.box for part in inner]
    box = None
    if None not in boxes:
        inner_boxes = [box for box in boxes if box is not None]
        box = Bounds(
            min(b.left for b in inner_boxes),
            min(b.top for b in inner_boxes),
            max(b.right for b in inner_boxes),
            max(b.bottom for b in inner_boxes),
        )
    return SvgPart(opening, closing, box, inner, NearIndex(inner) if len(inner) > MAX_PARTS else None)


def _part(element: Element, turn: Transform, pen: float, size: float) -> SvgPart:
    """An element with its content. `pen` and `size` are the stroke width and font size of its parent."""
    tag = etree.QName(element).localname
    if tag == "defs":
        return SvgPart(_strip_namespace(etree.tostring(element, encoding="unicode")), "")
    turn = turn.compose(_turn(element.get("transform") or ""))
    pen = float(element.get("stroke-width") or pen)
    size = float(element.get("font-size") or size)
    if tag == "g":
        opening, closing = _tags(element)
        return _enclose(opening, closing, [_part(child, turn, pen, size) for child in element])
    margin = pen * max(abs(turn.a) + abs(turn.c), abs(turn.b) + abs(turn.d)) + 0.1
    if tag == "path":
        data = element.get("d") or ""
        element.set("d", "")
        opening, closing = _strip_namespace(etree.tostring(element, encoding="unicode")).split(' d=""', 1)
        chunks = CHUNK.findall(data)
        inner = [SvgPart(chunk, "", _grow(turn.bounding_box(_bounds(chunk)), margin)) for chunk in chunks]
        return _enclose(f'{opening} d="', f'"{closing}', inner)
    text = _strip_namespace(etree.tostring(element, encoding="unicode"))
    return SvgPart(text, "", _grow(turn.bounding_box(_shape(element, tag, size)), margin))


def _strip_namespace(text: str) -> str:
    return text.replace(f' xmlns="{SVG}"', "")


def _tags(element: Element) -> tuple[str, str]:
    """The text before and after the content of a group."""
    names = "".join(f' {key}="{_escape(value)}"' for key, value in _attributes(element))
    return f"<g{names}>", "</g>"


def _attributes(element: Element) -> list[tuple[str, str]]:
    return [(str(key), str(value)) for key, value in element.attrib.items()]


def _escape(value: str) -> str:
    return value.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def _grow(box: Bounds, margin: float) -> Bounds:
    return Bounds(box.left - margin, box.top - margin, box.right + margin, box.bottom + margin)


def _turn(text: str) -> Transform:
    turn = Transform()
    for name, inside in MOVE.findall(text):
        numbers = [float(n) for n in inside.replace(",", " ").split()]
        if name == "translate":
            turn = turn.compose(Transform(e=numbers[0], f=numbers[1] if len(numbers) > 1 else 0.0))
        elif name == "scale":
            turn = turn.compose(Transform(a=numbers[0], d=numbers[-1]))
        else:
            angle = math.radians(numbers[0])
            x, y = (numbers[1], numbers[2]) if len(numbers) == 3 else (0.0, 0.0)
            rotation = Transform(math.cos(angle), math.sin(angle), -math.sin(angle), math.cos(angle))
            turn = turn.compose(Transform(e=x, f=y)).compose(rotation).compose(Transform(e=-x, f=-y))
    return turn


def _shape(element: Element, tag: str, size: float) -> Bounds:
    """The box around a shape or text. That of a text has the greatest possible width."""

    def number_of(name: str) -> float:
        return float(element.get(name) or 0)

    if tag == "text":
        text_width = (
            size
            * max(1, len("".join(map(str, element.itertext()))))
            * (1.2 + float(element.get("letter-spacing") or 0) / max(size, 0.1))
        )
        return Bounds(
            number_of("x") - text_width,
            number_of("y") - size * 1.2,
            number_of("x") + text_width,
            number_of("y") + size * 0.5,
        )
    if tag in ("circle", "ellipse"):
        radius_x, radius_y = number_of("rx") or number_of("r"), number_of("ry") or number_of("r")
        return Bounds(
            number_of("cx") - radius_x,
            number_of("cy") - radius_y,
            number_of("cx") + radius_x,
            number_of("cy") + radius_y,
        )
    if tag in ("rect", "image"):
        return Bounds(
            number_of("x"), number_of("y"), number_of("x") + number_of("width"), number_of("y") + number_of("height")
        )
    if tag == "line":
        return Bounds(
            min(number_of("x1"), number_of("x2")),
            min(number_of("y1"), number_of("y2")),
            max(number_of("x1"), number_of("x2")),
            max(number_of("y1"), number_of("y2")),
        )
    numbers = [float(n) for n in re.findall(r"-?[\d.]+", element.get("points") or "0 0")]
    return Bounds(min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2]))


def _bounds(data: str) -> Bounds:
    """The box around a path. That of an arc has the greatest possible size."""
    x = y = start_x = start_y = 0.0
    xs: list[float] = []
    ys: list[float] = []
    for command, text in COMMAND.findall(data):
        low = command.lower()
        if low == "z":
            x, y = start_x, start_y
            continue
        numbers = list(map(float, NUMBER.findall(text)))
        is_relative = command == low
        if low in "ml" or (low in "cqst" and not is_relative):
            new_xs, new_ys = (numbers[::2], numbers[1::2])
            if is_relative:
                new_xs, new_ys = list(accumulate(new_xs, initial=x))[1:], list(accumulate(new_ys, initial=y))[1:]
            xs += new_xs
            ys += new_ys
            x, y = new_xs[-1], new_ys[-1]
            if low == "m":
                start_x, start_y = new_xs[0], new_ys[0]
        elif low == "h":
            x = sum(numbers, x) if is_relative else numbers[-1]
            xs.append(x)
        elif low == "v":
            y = sum(numbers, y) if is_relative else numbers[-1]
            ys.append(y)
        else:
            for arguments in (numbers[i : i + TAKES[low]] for i in range(0, len(numbers), TAKES[low])):
                reach = 2 * max(arguments[0], arguments[1]) if low == "a" else max(map(abs, arguments))
                xs += [x - reach, x + reach]
                ys += [y - reach, y + reach]
                x, y = (x + arguments[-2], y + arguments[-1]) if is_relative else (arguments[-2], arguments[-1])
                xs.append(x)
                ys.append(y)
    return Bounds(min(xs), min(ys), max(xs), max(ys))


@contextlib.contextmanager
def cut_apart(
    drawing: bytes, boxes: Sequence[tuple[float, float, float, float]], scale: float = 1.0
) -> Iterator[list[Path]]:
    """The parts of a large drawing as files, which exist as long as the caller needs them.

    A separate process makes them and frees its memory when it ends.
    """
    with tempfile.TemporaryDirectory(prefix="mitla-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "whole.svg").write_bytes(drawing)
        (folder / "boxes.json").write_text(json.dumps({"boxes": boxes, "scale": scale}), encoding="utf-8")
        run_in_process("modgen.kit.svg_clipping", name)
        yield [folder / f"{index}.svg" for index in range(len(boxes))]


def cut(folder: Path) -> None:
    """Write 0.svg, 1.svg ...: the parts of whole.svg in the windows of boxes.json."""
    settings = json.loads((folder / "boxes.json").read_bytes())
    drawing = PartIndex((folder / "whole.svg").read_bytes())
    for index, (left, top, width, height) in enumerate(settings["boxes"]):
        (folder / f"{index}.svg").write_bytes(drawing.through(left, top, width, height, settings["scale"]))


if __name__ == "__main__":
    cut(Path(sys.argv[1]))

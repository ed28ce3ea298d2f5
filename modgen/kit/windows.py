"""A part of a drawing: just what can be seen through a window, so that a page holds its own part of a map and no more."""

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
from modgen.typesetting import apart

COMMAND = re.compile(r"([A-Za-z])([^A-Za-z]*)")
NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
CHUNK = re.compile(r"M[^M]*")
MOVE = re.compile(r"(translate|rotate|scale)\(([^)]*)\)")
MANY = 200
"""From so many parts inside another on they are kept by where they lie."""
TAKES = {"a": 7, "c": 6, "s": 4, "q": 4, "t": 2}
"""How many numbers a curve of a path takes."""


class Box(NamedTuple):
    """A rectangle by its corners."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Whether two boxes have a point in common."""
        return (
            self.left <= other.right
            and other.left <= self.right
            and self.top <= other.bottom
            and other.top <= self.bottom
        )


class Turn(NamedTuple):
    """A transform of points: a matrix as in SVG."""

    a: float = 1
    b: float = 0
    c: float = 0
    d: float = 1
    e: float = 0
    f: float = 0

    def then(self, inner: Turn) -> Turn:
        """This transform around another."""
        a, b, c, d, e, f = inner
        return Turn(
            self.a * a + self.c * b,
            self.b * a + self.d * b,
            self.a * c + self.c * d,
            self.b * c + self.d * d,
            self.a * e + self.c * f + self.e,
            self.b * e + self.d * f + self.f,
        )

    def around(self, box: Box) -> Box:
        """The box around a box that is transformed."""
        corners = [(x, y) for x in (box.left, box.right) for y in (box.top, box.bottom)]
        xs = [self.a * x + self.c * y + self.e for x, y in corners]
        ys = [self.b * x + self.d * y + self.f for x, y in corners]
        return Box(min(xs), min(ys), max(xs), max(ys))


@dataclass(slots=True)
class Part:
    """An element of a drawing: what is written before and after its inside, and where it is seen (None: everywhere).

    Without an inside all of it is `before`."""

    before: str
    after: str
    box: Box | None = None
    inner: Sequence[Part] = ()
    near: Near | None = None
    """Where there is much inside: which of it lies where."""


class Near:
    """Many parts by the cells of a grid that they lie in, so that a window needn't look at all of them."""

    CELL = 40.0
    WIDE = 64
    """What covers more cells is looked at by every window."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.cells: dict[tuple[int, int], list[int]] = {}
        self.always: list[int] = []
        for index, part in enumerate(parts):
            cells = self._cells(part.box) if part.box is not None else None
            if cells is None or len(cells[0]) * len(cells[1]) > self.WIDE:
                self.always.append(index)
                continue
            for across in cells[0]:
                for down in cells[1]:
                    self.cells.setdefault((across, down), []).append(index)

    def of(self, window: Box) -> list[int]:
        """What may be seen through a window, in its order."""
        columns, rows = self._cells(window)
        found = set(self.always)
        for across in columns:
            for down in rows:
                found.update(self.cells.get((across, down), ()))
        return sorted(found)

    def _cells(self, box: Box) -> tuple[range, range]:
        left, top, right, bottom = (math.floor(value / self.CELL) for value in box)
        return range(left, right + 1), range(top, bottom + 1)


class Windows:
    """A drawing, read once, of which parts can be had."""

    def __init__(self, drawing: bytes) -> None:
        root = etree.fromstring(drawing)
        self.parts = [_part(child, Turn(), 0.0, 0.0) for child in root]

    def through(self, left: float, top: float, width: float, height: float, scale: float = 1.0) -> bytes:
        """What is seen of the drawing through a window, as a drawing that is printed that much larger."""
        window = Box(left, top, left + width, top + height)
        body: list[str] = []
        for part in self.parts:
            _see(part, window, body)
        view = " ".join(map(number, (left, top, width, height)))
        size = f'width="{number(width * scale)}mm" height="{number(height * scale)}mm"'
        return f'<svg xmlns="{SVG}" {size} viewBox="{view}">{"".join(body)}</svg>'.encode()


def _see(part: Part, window: Box, body: list[str]) -> None:
    """Write what is seen of a part to the end of a body."""
    if part.box is not None and not part.box.meets(window):
        return
    if not part.inner:
        if part.before:
            body.append(part.before)
        return
    start = len(body)
    body.append(part.before)
    for index in part.near.of(window) if part.near is not None else range(len(part.inner)):
        _see(part.inner[index], window, body)
    if len(body) == start + 1:
        body.pop()
    else:
        body.append(part.after)


def _whole(before: str, after: str, inner: Sequence[Part]) -> Part:
    """A part around others: it is seen where they are, and nowhere without any."""
    if not inner:
        return Part("", "")
    boxes = [part.box for part in inner]
    box = None
    if None not in boxes:
        seen = [box for box in boxes if box is not None]
        box = Box(
            min(b.left for b in seen), min(b.top for b in seen), max(b.right for b in seen), max(b.bottom for b in seen)
        )
    return Part(before, after, box, inner, Near(inner) if len(inner) > MANY else None)


def _part(element: Element, turn: Turn, pen: float, size: float) -> Part:
    """An element with all that is in it; `pen` and `size` are the stroke width and font size around it."""
    tag = etree.QName(element).localname
    if tag == "defs":
        return Part(_bare(etree.tostring(element, encoding="unicode")), "")
    turn = turn.then(_turn(element.get("transform") or ""))
    pen = float(element.get("stroke-width") or pen)
    size = float(element.get("font-size") or size)
    if tag == "g":
        before, after = _tags(element)
        return _whole(before, after, [_part(child, turn, pen, size) for child in element])
    grown = pen * max(abs(turn.a) + abs(turn.c), abs(turn.b) + abs(turn.d)) + 0.1
    if tag == "path":
        data = element.get("d") or ""
        element.set("d", "")
        before, after = _bare(etree.tostring(element, encoding="unicode")).split(' d=""', 1)
        chunks = CHUNK.findall(data)
        inner = [Part(chunk, "", _grown(turn.around(_bounds(chunk)), grown)) for chunk in chunks]
        return _whole(f'{before} d="', f'"{after}', inner)
    whole = _bare(etree.tostring(element, encoding="unicode"))
    return Part(whole, "", _grown(turn.around(_shape(element, tag, size)), grown))


def _bare(text: str) -> str:
    return text.replace(f' xmlns="{SVG}"', "")


def _tags(element: Element) -> tuple[str, str]:
    """What is written before and after the inside of a group."""
    names = "".join(f' {key}="{_escaped(value)}"' for key, value in _attributes(element))
    return f"<g{names}>", "</g>"


def _attributes(element: Element) -> list[tuple[str, str]]:
    return [(str(key), str(value)) for key, value in element.attrib.items()]


def _escaped(value: str) -> str:
    return value.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def _grown(box: Box, by: float) -> Box:
    return Box(box.left - by, box.top - by, box.right + by, box.bottom + by)


def _turn(text: str) -> Turn:
    turn = Turn()
    for name, inside in MOVE.findall(text):
        numbers = [float(n) for n in inside.replace(",", " ").split()]
        if name == "translate":
            turn = turn.then(Turn(e=numbers[0], f=numbers[1] if len(numbers) > 1 else 0.0))
        elif name == "scale":
            turn = turn.then(Turn(a=numbers[0], d=numbers[-1]))
        else:
            angle = math.radians(numbers[0])
            x, y = (numbers[1], numbers[2]) if len(numbers) == 3 else (0.0, 0.0)
            rotated = Turn(math.cos(angle), math.sin(angle), -math.sin(angle), math.cos(angle))
            turn = turn.then(Turn(e=x, f=y)).then(rotated).then(Turn(e=-x, f=-y))
    return turn


def _shape(element: Element, tag: str, size: float) -> Box:
    """The box around a shape or text; that of a text is as wide as it could be."""

    def at(name: str) -> float:
        return float(element.get(name) or 0)

    if tag == "text":
        wide = (
            size
            * max(1, len("".join(map(str, element.itertext()))))
            * (1.2 + float(element.get("letter-spacing") or 0) / max(size, 0.1))
        )
        return Box(at("x") - wide, at("y") - size * 1.2, at("x") + wide, at("y") + size * 0.5)
    if tag in ("circle", "ellipse"):
        across, down = at("rx") or at("r"), at("ry") or at("r")
        return Box(at("cx") - across, at("cy") - down, at("cx") + across, at("cy") + down)
    if tag in ("rect", "image"):
        return Box(at("x"), at("y"), at("x") + at("width"), at("y") + at("height"))
    if tag == "line":
        return Box(min(at("x1"), at("x2")), min(at("y1"), at("y2")), max(at("x1"), at("x2")), max(at("y1"), at("y2")))
    numbers = [float(n) for n in re.findall(r"-?[\d.]+", element.get("points") or "0 0")]
    return Box(min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2]))


def _bounds(data: str) -> Box:
    """The box around a path; that of an arc is as large as it could be."""
    x = y = start_x = start_y = 0.0
    xs: list[float] = []
    ys: list[float] = []
    for command, text in COMMAND.findall(data):
        low = command.lower()
        if low == "z":
            x, y = start_x, start_y
            continue
        numbers = list(map(float, NUMBER.findall(text)))
        own = command == low
        if low in "ml" or (low in "cqst" and not own):
            across, down = (numbers[::2], numbers[1::2])
            if own:
                across, down = list(accumulate(across, initial=x))[1:], list(accumulate(down, initial=y))[1:]
            xs += across
            ys += down
            x, y = across[-1], down[-1]
            if low == "m":
                start_x, start_y = across[0], down[0]
        elif low == "h":
            x = sum(numbers, x) if own else numbers[-1]
            xs.append(x)
        elif low == "v":
            y = sum(numbers, y) if own else numbers[-1]
            ys.append(y)
        else:
            for some in (numbers[i : i + TAKES[low]] for i in range(0, len(numbers), TAKES[low])):
                reach = 2 * max(some[0], some[1]) if low == "a" else max(map(abs, some))
                xs += [x - reach, x + reach]
                ys += [y - reach, y + reach]
                x, y = (x + some[-2], y + some[-1]) if own else (some[-2], some[-1])
                xs.append(x)
                ys.append(y)
    return Box(min(xs), min(ys), max(xs), max(ys))


@contextlib.contextmanager
def cut_apart(
    drawing: bytes, boxes: Sequence[tuple[float, float, float, float]], scale: float = 1.0
) -> Iterator[list[Path]]:
    """The parts of a large drawing as files, for as long as they are needed; made in a process of its own, which takes its memory along."""
    with tempfile.TemporaryDirectory(prefix="mitla-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "whole.svg").write_bytes(drawing)
        (folder / "boxes.json").write_text(json.dumps({"boxes": boxes, "scale": scale}), encoding="utf-8")
        apart("modgen.kit.windows", name)
        yield [folder / f"{index}.svg" for index in range(len(boxes))]


def cut(folder: Path) -> None:
    """Write 0.svg, 1.svg ...: what is seen of whole.svg through the windows of boxes.json."""
    told = json.loads((folder / "boxes.json").read_bytes())
    drawing = Windows((folder / "whole.svg").read_bytes())
    for index, (left, top, width, height) in enumerate(told["boxes"]):
        (folder / f"{index}.svg").write_bytes(drawing.through(left, top, width, height, told["scale"]))


if __name__ == "__main__":
    cut(Path(sys.argv[1]))

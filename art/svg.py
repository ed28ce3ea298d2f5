"""SVG elements through lxml: one small function for each shape. Numbers are rounded, so that equal input gives equal bytes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from lxml import etree

SVG = "http://www.w3.org/2000/svg"
Element: TypeAlias = "etree._Element"
Value: TypeAlias = "str | float | None"


def number(value: float) -> str:
    """A number with at most three decimals, as short as possible."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def element(tag: str, children: Iterable[Element] = (), /, **attributes: Value) -> Element:
    """Make an element. `stroke_width` becomes stroke-width. Attributes that are None are left out."""
    node = etree.Element(f"{{{SVG}}}{tag}", nsmap={None: SVG})  # type: ignore[dict-item]
    for name, value in attributes.items():
        if value is not None:
            node.set(name.rstrip("_").replace("_", "-"), value if isinstance(value, str) else number(value))
    for child in children:
        node.append(child)
    return node


def drawing(width: float, height: float, children: Iterable[Element], unit: str = "mm") -> Element:
    """A complete drawing of that size. One user unit is one `unit`, by default a millimeter."""
    return element(
        "svg",
        children,
        width=f"{number(width)}{unit}",
        height=f"{number(height)}{unit}",
        viewBox=f"0 0 {number(width)} {number(height)}",
    )


def scale_drawing(root: Element, factor: float) -> Element:
    """Scale a complete drawing in place: its printed size changes, its content doesn't."""
    for name in ("width", "height"):
        side = root.get(name) or ""
        root.set(name, f"{number(float(side.removesuffix('mm')) * factor)}mm")
    return root


def group(children: Iterable[Element], **attributes: Value) -> Element:
    """A group of elements."""
    return element("g", children, **attributes)


def translate(child: Element, x: float, y: float, scale: float = 1) -> Element:
    """Move an element, and optionally scale it."""
    transform = f"translate({number(x)} {number(y)})" + (f" scale({number(scale)})" if scale != 1 else "")
    return group([child], transform=transform)


def rect(x: float, y: float, width: float, height: float, **attributes: Value) -> Element:
    """A rectangle."""
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def circle(x: float, y: float, radius: float, **attributes: Value) -> Element:
    """A circle."""
    return element("circle", cx=x, cy=y, r=radius, **attributes)


def ellipse(x: float, y: float, x_radius: float, y_radius: float, **attributes: Value) -> Element:
    """An ellipse by its half axes."""
    return element("ellipse", cx=x, cy=y, rx=x_radius, ry=y_radius, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, **attributes: Value) -> Element:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)


def path(d: str, **attributes: Value) -> Element:
    """A path."""
    return element("path", d=d, **attributes)


def polygon(points: Iterable[tuple[float, float]], **attributes: Value) -> Element:
    """A closed shape through points."""
    return element("polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in points), **attributes)


def to_bytes(root: Element) -> bytes:
    """A drawing as a file."""
    return etree.tostring(root, encoding="utf-8", xml_declaration=False)

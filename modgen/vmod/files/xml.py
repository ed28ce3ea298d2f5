"""The build file of a module: nested elements whose names are classes of the engine."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

MODULE = "VASSAL.build.module."
MAP = MODULE + "map."
BOARD = MAP + "boardPicker."
GRID = BOARD + "board."
WIDGET = "VASSAL.build.widget."
Value = str | int | bool


class XmlPart:
    """An element: its class, its attributes, its content."""

    def __init__(self, tag: str, /, *parts: XmlPart, content: str = "", **attributes: Value) -> None:
        self.tag = tag
        self.parts = list(parts)
        self.content = content
        self.attributes = attributes

    def lines(self, depth: int = 0) -> list[str]:
        """The element as lines of XML."""
        pad = " " * depth
        attribute_text = "".join(
            f" {name.rstrip('_')}={quoteattr(_text(value))}" for name, value in self.attributes.items()
        )
        if not self.parts:
            body = escape(self.content)
            return [
                f"{pad}<{self.tag}{attribute_text}>{body}</{self.tag}>"
                if body
                else f"{pad}<{self.tag}{attribute_text}/>"
            ]
        inner = [line for part in self.parts for line in part.lines(depth + 1)]
        return [f"{pad}<{self.tag}{attribute_text}>", *inner, f"{pad}</{self.tag}>"]


def _text(value: Value) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def document(root: XmlPart) -> bytes:
    """An XML element as a whole file."""
    head = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>'
    return ("\n".join([head, *root.lines()]) + "\n").encode("utf-8")


STYLE = (
    "body {font-family: SansSerif; font-size: 12pt; margin: 8px} h1 {font-size: 17pt} h2 {font-size: 13pt; margin-bottom: 2px} "
    "p {margin-top: 3px} ul {margin-left: 16px; margin-top: 3px} td, th {text-align: left; padding-right: 12px}"
)


def html_page(body: str) -> str:
    """A page for the engine's windows."""
    return f"<html><head><style>{STYLE}</style></head><body>{body}</body></html>"

"""YAML as a tree of nodes. Every scalar is still text, and every node knows its place.

Plain YAML would read hex 4.10 as 4.1, 0101 as 65, 3:1 as 181 and NO as False. Here nothing is
guessed: the shapes (shapes.py) give each text its type.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from scenarios.reading.findings import Finding

LONG = 100
CELL = "cell"
"""The style of a spreadsheet cell. Its letters have no places of their own."""
MONTH = "(jan|feb|m.r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])"
DATE = rf"(?i)\d{{1,2}}[-./ ] ?{MONTH}\w*\.?|{MONTH}\w*[-./ ]\d{{1,4}}|\d{{4}}-\d\d-\d\d( 00:00:00)?|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}"
"""What spreadsheets turn odds and ranges such as 3-1 into."""


@dataclass(slots=True, eq=False)
class Node:
    """A scalar (`text`), a list (`items`) or a mapping (`entries`, key node and value node by key).

    `indent` is the indentation of a block text (`|`) in the file.
    """

    path: str
    line: int
    column: int
    text: str | None = None
    items: list[Node] | None = None
    entries: dict[str, tuple[Node, Node]] | None = None
    style: str | None = None
    indent: int = 0

    def find(self, message: str) -> Finding:
        """Make a finding at this node."""
        if self.style == CELL and self.text is not None and re.fullmatch(DATE, self.text):
            message += " (the spreadsheet may have made a date of it: format the column as text)"
        return Finding(self.path, self.line, self.column, message)

    def get(self, key: str) -> Node | None:
        """The value of a key in a mapping."""
        pair = self.entries.get(key) if self.entries else None
        return pair[1] if pair else None

    def inside(self, line: int, column: int) -> Node:
        """The place of a character in a block text. Line and column count from 0."""
        if self.style == "|":
            return Node(self.path, self.line + 1 + line, self.indent + 1 + column)
        return self

    def letter(self, offset: int) -> Node:
        """The place of a character in a one-line text. For a longer text, its start."""
        if "\n" in (self.text or "") or self.style in ("|", ">", CELL):
            return self
        return Node(self.path, self.line, self.column + offset + (self.style in ("'", '"')))

    def child(self, *steps: str | int) -> Node:
        """The node at the end of these steps, or the last node that exists on the path."""
        node = self
        for step in steps:
            child: Node | None = None
            if isinstance(step, str):
                child = node.get(step)
            elif node.items is not None and step < len(node.items):
                child = node.items[step]
            if child is None:
                return node
            node = child
        return node

    @property
    def empty(self) -> bool:
        """Whether the value is missing: `key:` with nothing after it."""
        return self.text == "" and self.style is None

    @property
    def kind(self) -> str:
        """The kind of node, in plain words."""
        if self.entries is not None:
            return "a mapping"
        if self.items is not None:
            return "a list"
        return "nothing" if self.empty else f"the text {brief(self.text or '')}"


def brief(text: str) -> str:
    """A text in quotes, cut to fit a sentence."""
    return repr(text if len(text) <= LONG else text[: LONG - 1] + "…")

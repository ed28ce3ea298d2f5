"""Read a CSV file as rows of cells, each with its place. Files from LibreOffice and Excel give the same result.

Commas, semicolons or tabs separate the cells. A byte-order mark, a `sep=;` line, blank rows and blank cells at the end of a row are
ignored. Row numbers and column letters are those that the spreadsheet shows.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

from scenarios.files import LONGEST
from scenarios.reading.findings import Finding, letters
from scenarios.reading.nodes import CELL, Node, brief

MOST_CELLS = 500_000
SEPARATORS = (",", ";", "\t")
_SEP = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
_CELL_ERRORS = re.compile(r"#(REF!|N/A|NAME\?|DIV/0!|VALUE!|NULL!|NUM!|WERT!|BEZUG!|NV|ZAHL!)|Err:\d{3}")
UTF8 = 'save it as "CSV UTF-8" (Excel) or with the character set Unicode (UTF-8) (LibreOffice)'


@dataclass(frozen=True)
class Spreadsheet:
    """The headings and rows of a file: cells that aren't blank, by column from 0."""

    path: str
    headings: dict[int, Node]
    rows: list[tuple[int, dict[int, Node]]]
    decimal_comma: bool

    def cell_node(self, row: int = 1, column: int = 0) -> Node:
        """The place of a cell, for a finding."""
        return Node(self.path, row, column + 1, style=CELL)


def read_sheet(path: Path) -> tuple[Spreadsheet | None, list[Finding]]:
    """Read the cells of a CSV file, with everything that is wrong with it. None if it can't be read."""
    name = str(path)
    try:
        with path.open("rb") as file:
            raw = file.read(LONGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file has such a name"
        return None, [Finding(name, 1, 1, f"this file can't be read ({reason}); check its name and rights")]
    return parse_sheet(raw, name)


def parse_sheet(raw: bytes, name: str) -> tuple[Spreadsheet | None, list[Finding]]:
    """Read the cells from the bytes of a CSV file."""

    def refuse(message: str, row: int = 1, column: int = 1) -> tuple[None, list[Finding]]:
        return None, [Finding(name, row, column, message)]

    if len(raw) > LONGEST:
        return refuse(f"this file has more than {LONGEST:,} bytes; split it")
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return refuse(f"this file is UTF-16, not UTF-8; {UTF8}")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return refuse(f"byte 0x{raw[error.start]:02x} is not UTF-8; {UTF8}", raw[: error.start].count(b"\n") + 1)
    separator = ""
    if separator_line := _SEP.match(text):
        separator, text = separator_line[1], text[separator_line.end() :]
    first = next((line for line in text.splitlines() if line.strip()), "")
    unquoted_text = re.sub(r'"[^"]*"', "", first)
    separator = separator or max(SEPARATORS, key=unquoted_text.count)
    if text.count(separator) + text.count("\n") > MOST_CELLS:  # before any cell is created
        return refuse(f"this file has more than {MOST_CELLS:,} cells; split it, or leave out what isn't the game's")
    findings: list[Finding] = []
    rows: list[tuple[int, dict[int, Node]]] = []
    number = 0
    bad = _UNPRINTABLE.search(text) is not None
    try:
        for number, cells in enumerate(csv.reader(text.splitlines(keepends=True), delimiter=separator, strict=True), 1):
            row_cells = {}
            for column, cell in enumerate(cells):
                if cell and (cell := cell.strip()):
                    node = Node(name, number, column + 1, text=cell, style=CELL)
                    if "\r" in cell:
                        node.text = cell.replace("\r\n", "\n").replace("\r", "\n")
                    if bad and (sign := _UNPRINTABLE.search(cell)):
                        findings.append(node.find(f"the character U+{ord(sign[0]):04X} can't be printed; delete it"))
                        node.text = _UNPRINTABLE.sub("?", cell)
                    if cell[0] in "#E" and _CELL_ERRORS.fullmatch(cell):
                        findings.append(
                            node.find(f"the spreadsheet's formula failed ({cell}); correct it and save again")
                        )
                    row_cells[column] = node
            # A row that begins with # is a note of the author, unless it is a failed formula.
            if row_cells and not next(iter(row_cells.values())).text.startswith("#"):  # type: ignore[union-attr]
                rows.append((number, row_cells))
    except csv.Error as error:
        if "limit" in str(error):
            return refuse("a cell here has more than 131,072 characters; is a quote left open?", number + 1)
        problem = "a quote that opens isn't closed" if "end of data" in str(error) else "a quote stands inside a cell"
        return refuse(f"{problem}; close it, and write a quote inside a text twice", number + 1)
    if not rows:
        return refuse("this file has no headings; its first row names the keys, such as id, name, nation, count")
    return Spreadsheet(name, rows[0][1], rows[1:], separator in ";\t"), findings + _headings(rows[0][1])


def _headings(cells: dict[int, Node]) -> list[Finding]:
    """Findings about the headings themselves."""
    findings = []
    column_of_heading: dict[str, int] = {}
    for column, node in cells.items():
        text = node.text or ""
        if text in column_of_heading:
            first = letters(column_of_heading[text] + 1)
            findings.append(
                node.find(f"the heading {brief(text)} stands here twice (first in {first}); rename or remove one")
            )
        column_of_heading.setdefault(text, column)
    return findings

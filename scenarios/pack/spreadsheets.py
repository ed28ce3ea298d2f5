"""Parts of a pack in spreadsheets: `counters: {csv: counters.csv}`.

Each row becomes the same nodes as the record would in YAML. Each node has the place of its cell, so every check applies and points
at the cell. A heading is a key or a path to one (`back.state`, `variants.red.count`, `at.1`). The bare name of a factor is that factor.
"""

from __future__ import annotations

import dataclasses
import functools
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from scenarios.files import pack_file
from scenarios.model.scenario import Force, Group
from scenarios.model.tables import COLUMN_KINDS
from scenarios.pack.pack_file import PackFile
from scenarios.reading.findings import SHEETS, suggest
from scenarios.reading.nodes import CELL, Node
from scenarios.reading.rows import MOST_CELLS, Spreadsheet, read_sheet
from scenarios.reading.shapes import Findings, Form, Id, Record, Scalar, key_of
from scenarios.reading.yaml_tree import parse_nodes

DECIMAL = re.compile(r"[+-]?\d+,\d+")
IN_TABLE, IN_FORCES, IN_MAPPING, IN_LIST = "table", "forces", "mapping", "list"
CSV = "csv"


class SheetTarget(NamedTuple):
    """A part of a pack that a spreadsheet may hold: its address (`*` is any id), the content of a row, and how rows are inserted."""

    address: tuple[str, ...]
    shape: Any
    kind: str


@functools.cache
def places() -> tuple[SheetTarget, ...]:
    """Every part of a pack that a spreadsheet may hold."""
    return tuple(_places(PackFile, ()))


def _places(shape: Any, parents: tuple[str, ...]) -> Iterator[SheetTarget]:
    hints = fields(shape)
    for f in dataclasses.fields(shape):
        origin, args = typing.get_origin(hints.get(key_of(f.name))), typing.get_args(hints.get(key_of(f.name)))
        address = (*parents, key_of(f.name))
        mapping = origin in (dict, Mapping)
        inner = args[1] if mapping else args[0] if origin is tuple else None
        if f.metadata.get("sheet"):
            if inner is Force:
                yield SheetTarget(address, Group, IN_FORCES)
            elif not is_record(inner):
                yield SheetTarget(address, inner, IN_TABLE)
            else:
                yield SheetTarget(address, inner, IN_MAPPING if mapping else IN_LIST)
        if mapping and is_record(inner):
            yield from _places(inner, (*address, "*"))


@functools.cache
def fields(shape: Any) -> Mapping[str, Any]:
    """The shapes of a record's keys, optional ones included."""
    hints = typing.get_type_hints(shape, include_extras=True)
    sheet_fields = (f for f in dataclasses.fields(shape) if f.name != "node" and not f.metadata.get("inner"))
    return {key_of(f.name): without_none(hints[f.name]) for f in sheet_fields}


def without_none(shape: Any) -> Any:
    """The shape without its `| None`."""
    if typing.get_origin(shape) in (typing.Union, types.UnionType):
        return next(arg for arg in typing.get_args(shape) if arg is not type(None))
    return shape


def is_record(shape: Any) -> bool:
    return isinstance(shape, type) and issubclass(shape, Record)


# --- where a pack names its spreadsheets ------------------------------------------------------------------------------


def fill(files: list[Node], folder: Path, findings: Findings) -> bool:
    """Insert the rows of spreadsheets where the files of a pack name them. False if a spreadsheet couldn't be read."""
    filler = _Filler(folder, findings)
    for only_factors in (True, False):  # a heading may be a factor's name, so the factors come first
        for root in files:
            for place in places():
                if (place.address == ("factors",)) == only_factors:
                    for parent, node, owner in _matching(root, place.address):
                        filler.fill(place, parent, node, owner)
            if only_factors and (factors_node := root.get("factors")) is not None:
                for key, (_, factor) in (factors_node.entries or {}).items():
                    filler.factors[key] = factor.child("kind").text if factor.get("kind") else "number"
    return filler.is_complete


def _matching(root: Node, address: tuple[str, ...]) -> list[tuple[Node, Node, str]]:
    """The nodes at an address, each with the record around it and that record's id."""
    matches = [(root, root, "")]
    for step in address:
        further: list[tuple[Node, Node, str]] = []
        for _, node, owner in matches:
            entries = node.entries or {}
            if step == "*":
                further += [(node, value, key) for key, (_, value) in entries.items()]
            elif step in entries:
                further.append((node, entries[step][1], owner))
        matches = further
    return matches


class _Filler:
    def __init__(self, folder: Path, findings: Findings) -> None:
        self.folder, self.findings = folder, findings
        self.factors: dict[str, str | None] = {}
        self.cells = 0
        self.is_complete = True

    def fill(self, place: SheetTarget, parent: Node, node: Node, owner: str) -> None:
        """Insert the rows, if the node names a spreadsheet."""
        csv_node = node.get(CSV)
        if csv_node is None or node.entries is None:
            return
        names = csv_node.items if csv_node.items is not None else [csv_node]
        if any(not (name.text or "").lower().endswith(SHEETS) for name in names):
            if place.kind in (IN_LIST, IN_TABLE, IN_FORCES) or csv_node.text is None:
                self.findings.add(csv_node, "this is no spreadsheet's name; write one that ends in .csv or .tsv")
            return
        sheets = [sheet for name in names if (sheet := self.sheet(name)) is not None]
        if len(sheets) < len(names):
            self.is_complete = False
            return
        if place.kind == IN_TABLE:
            self.table(sheets[0], parent, node)
        elif place.kind == IN_FORCES:
            self.forces(sheets, node)
        else:
            rows = [row for sheet in sheets for row in self.rows(sheet, place.shape, place.kind == IN_MAPPING)]
            if place.kind == IN_LIST:
                for key, (key_node, _) in node.entries.items():
                    if key != CSV:
                        self.findings.add(
                            key_node, f"beside `csv` nothing else can stand here; move {key!r} into the file"
                        )
                node.items, node.entries = [record for _, record in rows], None
            else:
                self.insert(node, rows)

    def sheet(self, name: Node) -> Spreadsheet | None:
        try:
            path = pack_file(self.folder, name.text or "")
        except ValueError as error:
            self.findings.add(name, str(error))
            return None
        sheet, file_findings = read_sheet(path)
        self.findings.extend(file_findings)
        self.cells += sum(len(cells) for _, cells in sheet.rows) if sheet is not None else 0
        if self.cells > MOST_CELLS:
            self.findings.add(
                name,
                f"the spreadsheets of this pack have more than {MOST_CELLS:,} cells; leave out what isn't the game's",
            )
            return None
        return sheet

    def insert(self, node: Node, rows: list[tuple[Node, Node]]) -> None:
        """Replace the `csv` entry by records by id, before or after the records in the YAML file."""
        entries: dict[str, tuple[Node, Node]] = {}
        for key, pair in (node.entries or {}).items():
            for item, value in rows if key == CSV else [pair]:
                text = item.text or ""
                if text in entries:
                    first = entries[text][0]
                    self.findings.add(
                        item, f"the id {text!r} is taken by {Path(first.path).name}:{first.line}; choose another"
                    )
                else:
                    entries[text] = (item, value)
        node.entries = entries

    # --- rows to records ----------------------------------------------------------------------------------------------

    def rows(
        self, sheet: Spreadsheet, shape: Any, by_id: bool, extra_shapes: Mapping[str, Any] = types.MappingProxyType({})
    ) -> list[tuple[Node, Node]]:
        """Each row as a record, with the cell of its id. `extra_shapes` are headings that aren't keys of the record."""
        columns: dict[int, _Column] = {}
        id_column = next((c for c, node in sheet.headings.items() if by_id and node.text == "id"), None)
        if by_id and id_column is None:
            self.findings.add(sheet.cell_node(), "no heading is `id`; add a column with the id of each row")
            return []
        for column, node in sheet.headings.items():
            text = node.text or ""
            if column == id_column or text.startswith("#"):  # such a column is a note of the author
                continue
            try:
                columns[column] = self.column(node, shape, extra_shapes, sheet.decimal_comma)
            except KeyError as error:
                known_keys = [*fields(shape), *self.factors, *extra_shapes, *(["id"] if by_id else [])]
                self.findings.add(node, f"no key is called {text!r}; {suggest(error.args[0], known_keys)}")
        result: list[tuple[Node, Node]] = []
        for number, cells in sheet.rows:
            record = Node(sheet.path, number, 1, entries={}, style=CELL)
            for column, cell in cells.items():
                if column in columns:
                    columns[column].put(record, cell, self.findings)
                elif column not in sheet.headings:
                    self.findings.add(cell, f"no heading stands above {cell.text!r}; write one, or remove the cell")
            if id_column is None:
                result.append((record, record))
            elif id_column in cells:
                result.append((cells[id_column], record))
            else:
                self.findings.add(
                    sheet.cell_node(number, id_column),
                    "this row has no id; write one, or begin the row with # to leave it out",
                )
        return result

    def column(self, node: Node, shape: Any, extra_shapes: Mapping[str, Any], decimal_comma: bool) -> _Column:
        """What a heading stands for. Raises KeyError with the unknown word."""
        keys: list[str | int] = []
        for step in (node.text or "").split("."):
            origin, args = typing.get_origin(shape), typing.get_args(shape)
            if is_record(shape):
                known_fields = fields(shape)
                if not keys and step in extra_shapes:
                    shape = extra_shapes[step]
                elif step in known_fields:
                    shape = known_fields[step]
                elif "factors" in known_fields and step in self.factors:
                    keys.append("factors")
                    shape = str
                else:
                    raise KeyError(step)
            elif origin in (dict, Mapping):
                shape = args[1] if keys[-1] != "factors" else str
            elif origin is tuple and step.isdecimal() and 0 < int(step) < 1000:
                keys.append(int(step) - 1)
                shape = args[0]
                continue
            elif origin is typing.Annotated and not issubclass(args[1], Scalar):
                shape = None  # the form reads everything below it itself
            elif shape is not None:
                raise KeyError(step)
            keys.append(step)
        factor = self.factors.get(str(keys[-1])) if keys[:-1] and keys[-2] == "factors" else None
        return _Column(node, tuple(keys), cell_reader(without_none(shape), factor, decimal_comma))

    # --- parts that are no mapping of records -------------------------------------------------------------------------

    def forces(self, sheets: list[Spreadsheet], node: Node) -> None:
        """Read set-ups: a row is a group of a `side`. `unit` and `count` name one counter. Rows with the same id form one group."""
        assert node.entries is not None
        force_entries: dict[str, tuple[Node, Node]] = {}
        extra_shapes = {"side": str, "unit": str, "count": int, "marker": str}
        for sheet in sheets:
            if all(heading.text != "side" for heading in sheet.headings.values()):
                self.findings.add(
                    sheet.cell_node(), "no heading is `side`; add a column that says whose units each row has"
                )
                continue
            groups: dict[tuple[str, str], Node] = {}
            for _, row in self.rows(sheet, Group, False, extra_shapes):
                side = row.get("side")
                if side is None or row.entries is None:
                    self.findings.add(row, "this row has no side; say whose units these are")
                    continue
                count = row.get("count")
                for word, section in (("unit", "units"), ("marker", "markers")):
                    unit = row.get(word)
                    if unit is not None:
                        section_node = row.entries.setdefault(
                            section, (_like(unit, text=section), _like(unit, entries={}))
                        )[1]
                        if section_node.entries is not None:
                            section_node.entries[unit.text or ""] = (unit, count or _like(unit, text="1"))
                if count is not None and row.get("unit") is None and row.get("marker") is None:
                    self.findings.add(count, "this counts no unit; name it in the column `unit`")
                row.entries = {key: pair for key, pair in row.entries.items() if key not in extra_shapes}
                group_key = (side.text or "", row.child("id").text or "" if row.get("id") else "")
                if group_key[1] and group_key in groups:
                    self.join(groups[group_key], row)
                    continue
                groups[group_key] = row
                force = force_entries.setdefault(group_key[0], (side, _like(side, entries={})))[1]
                assert force.entries is not None
                force.entries.setdefault("groups", (_like(side, text="groups"), _like(side, items=[])))[1].items.append(  # type: ignore[union-attr]
                    row
                )
        all_entries = dict(force_entries)
        for key, (key_node, force) in node.entries.items():
            if key == CSV:
                continue
            if key not in force_entries or force.entries is None:
                all_entries[key] = (key_node, force)
            elif "groups" in force.entries:
                self.findings.add(
                    force.entries["groups"][0], f"the groups of {key} stand in the spreadsheet too; keep one of them"
                )
            else:
                force.entries["groups"] = force_entries[key][1].entries["groups"]  # type: ignore[index]
                all_entries[key] = (key_node, force)
        node.entries = all_entries

    def join(self, group: Node, row: Node) -> None:
        """Add one more row to a group. Its units are added; its other cells must agree with the first row."""
        assert group.entries is not None and row.entries is not None
        for key, (key_node, value) in row.entries.items():
            old = group.get(key)
            if key in ("units", "markers") and old is not None and old.entries is not None:
                for unit, pair in (value.entries or {}).items():
                    if unit in old.entries:
                        self.findings.add(pair[0], f"{unit!r} stands twice in this group; add the counts up in one row")
                    old.entries.setdefault(unit, pair)
            elif old is None:
                group.entries[key] = (key_node, value)
            elif old.text != value.text or old.text is None:
                problem = f"the group has another `{key}` in row {old.line}"
                self.findings.add(value, f"{problem}; leave it out here, or give the row an id of its own")

    def table(self, sheet: Spreadsheet, parent: Node, node: Node) -> None:
        """Read a table: the first row has the column labels, the first column the row labels."""
        assert parent.entries is not None
        labels = {column: heading for column, heading in sheet.headings.items() if column}
        for key, (key_node, _) in (node.entries or {}).items():
            if key != CSV:
                self.findings.add(key_node, f"beside `csv` nothing else can stand here; move {key!r} into the file")
        columns = parent.get("columns")
        if columns is not None and columns.text in COLUMN_KINDS:
            labels_node = _like(sheet.cell_node(), items=list(labels.values()))
            parent.entries["columns"] = (columns, _like(columns, entries={columns.text: (columns, labels_node)}))
        elif columns is not None:
            table_labels = next((value.items for _, value in (columns.entries or {}).values() if value.items), [])
            for heading, label in zip(labels.values(), table_labels, strict=False):
                if heading.text != label.text:
                    problem = f"the heading {heading.text!r} isn't the column {label.text!r} of the table"
                    self.findings.add(heading, f"{problem}; write only the columns' kind there")
        width = max(labels, default=0)
        rows: dict[str, tuple[Node, Node]] = {}
        for number, cells in sheet.rows:
            name = cells.get(0)
            if name is None or name.text is None:
                self.findings.add(sheet.cell_node(number), "this row has no label; write one into its first cell")
            elif name.text in rows:
                self.findings.add(
                    name,
                    f"the row {name.text!r} stands here twice (first in row {rows[name.text][0].line}); remove one",
                )
            else:
                last = max(width, *cells)
                items = [
                    cells.get(c) or _like(sheet.cell_node(number, c), text="", style=CELL) for c in range(1, last + 1)
                ]
                rows[name.text] = (name, _like(name, items=items))
        node.entries = rows


# --- cells to nodes ---------------------------------------------------------------------------------------------------


class _Column(NamedTuple):
    """A column: the path from the record to its key, and the reader of its cells."""

    heading: Node
    keys: tuple[str | int, ...]
    read: Callable[[Node, Findings], Node]

    def put(self, record: Node, cell: Node, findings: Findings) -> None:
        """Insert a cell at the place that its heading names."""
        node = record
        for key, further in zip(self.keys, (*self.keys[1:], None), strict=True):
            if isinstance(key, int):
                if node.items is None or key != len(node.items):
                    findings.add(
                        cell, "the cell before this one is empty; fill it, or write the whole list in one cell"
                    )
                    return
                node.items.append(self.read(cell, findings))
                return
            if node.entries is None:
                findings.add(cell, f"{self.heading.text!r} is given twice in this row; keep one of its cells")
                return
            if further is None:
                if key in node.entries:
                    findings.add(cell, f"{self.heading.text!r} is given twice in this row; keep one of its cells")
                else:
                    node.entries[key] = (_like(self.heading, text=key), self.read(cell, findings))
                return
            if key not in node.entries:
                child = _like(cell, items=[]) if isinstance(further, int) else _like(cell, entries={})
                node.entries[key] = (_like(self.heading, text=key), child)
            node = node.entries[key][1]


def _like(node: Node, **content: Any) -> Node:
    """A new node at the place of another."""
    return Node(node.path, node.line, node.column, **content)


def cell_reader(shape: Any, factor: str | None, decimal_comma: bool) -> Callable[[Node, Findings], Node]:
    """A function that makes a node from a cell, for a shape."""
    origin, args = typing.get_origin(shape), typing.get_args(shape)
    if factor == "flag":
        return _flag
    if decimal_comma and (shape is Fraction or factor == "number"):
        return _decimal
    if origin is tuple:
        number = args[0] is Fraction
        words = args[0] in (Fraction, int) or (
            typing.get_origin(args[0]) is typing.Annotated and typing.get_args(args[0])[1] is Id
        )
        separator = (r"[;\s]+" if decimal_comma and number else r"[,;\s]+") if words else r"\s*[,;]\s*"
        return functools.partial(_cell_list, between=separator, decimal=decimal_comma and number)
    if origin in (dict, Mapping):
        return _pairs
    if origin is typing.Annotated and issubclass(args[1], Form):
        return _ranges if args[1].is_list else _flow
    return _flow if shape is None or is_record(shape) else _plain_cell


def _plain_cell(cell: Node, findings: Findings) -> Node:
    return cell


def _flag(cell: Node, findings: Findings) -> Node:
    if cell.text in ("TRUE", "FALSE", "True", "False"):
        cell.text = cell.text.lower()
    return cell


def _decimal(cell: Node, findings: Findings) -> Node:
    """A number with a decimal comma. Spreadsheets write it if semicolons separate the cells."""
    if DECIMAL.fullmatch(cell.text or ""):
        cell.text = (cell.text or "").replace(",", ".")
    return cell


def _cell_list(cell: Node, findings: Findings, between: str, decimal: bool) -> Node:
    text = cell.text or ""
    if text.startswith("["):
        return _flow(cell, findings)
    items = [item.strip() for item in (text.split("|") if "|" in text else re.split(between, text))]
    nodes = [_like(cell, text=item, style=CELL) for item in items if item]
    return _like(cell, items=[_decimal(node, findings) for node in nodes] if decimal else nodes)


def _ranges(cell: Node, findings: Findings) -> Node:
    """One number or range, or several."""
    list_node = _cell_list(cell, findings, r"[,;\s]+", False)
    return (
        cell if list_node.items and len(list_node.items) == 1 and not (cell.text or "").startswith("[") else list_node
    )


def _pairs(cell: Node, findings: Findings) -> Node:
    text = cell.text or ""
    return _flow(cell if text.startswith("{") else _like(cell, text=f"{{{text}}}", style=CELL), findings)


def _flow(cell: Node, findings: Findings) -> Node:
    """A cell with more than one value, written as in YAML: {zone: west} or [a, b]."""
    text = cell.text or ""
    if text[:1] not in ("{", "["):
        return cell
    root, flow_findings = parse_nodes(text.encode("utf-8", "surrogatepass"), cell.path)
    for finding in flow_findings:
        findings.add(cell, finding.message)
    if root is None:
        return _like(cell, text="")  # treated as missing, so that only one finding appears
    return _move_to_cell(root, cell)


def _move_to_cell(node: Node, cell: Node) -> Node:
    """A tree whose nodes all have the place of one cell."""
    node.line, node.column = cell.line, cell.column
    if node.text:
        node.style = CELL
    for item in node.items or ():
        _move_to_cell(item, cell)
    for key, value in (node.entries or {}).values():
        _move_to_cell(key, cell)
        _move_to_cell(value, cell)
    return node

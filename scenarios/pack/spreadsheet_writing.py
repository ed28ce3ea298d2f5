"""Write a part of a pack as a CSV file that reads back the same: the reverse of `scenarios/pack/spreadsheets.py`."""

from __future__ import annotations

import csv
import io
import json
import re
import typing
from collections.abc import Iterator, Mapping
from typing import Any

from scenarios.model.sources import _SourceForm
from scenarios.model.tables import split_cells
from scenarios.pack.spreadsheets import (
    IN_FORCES,
    IN_MAPPING,
    IN_TABLE,
    SheetTarget,
    cell_reader,
    fields,
    is_record,
    places,
    without_none,
)
from scenarios.reading.findings import suggest
from scenarios.reading.nodes import CELL, Node
from scenarios.reading.shapes import Findings

UNQUOTED = re.compile(r"[A-Za-z0-9_+/(][A-Za-z0-9_+/()'. -]*(?<! )")


def to_csv(root: Node, address: str) -> str:
    """The CSV file of a part of a pack, such as `counters` or `boards/desert/places`. Raises ValueError with a sentence if none exists."""
    steps = tuple(address.split("/"))
    if len(steps) == 2 and steps[0] == "tables":
        steps = (*steps, "cells")
    place = _place(root, steps)
    node = root.child(*steps)
    if place.kind == IN_TABLE:
        return _format_rows(list(_grid(root.child(*steps[:-1]))))
    if place.kind == IN_FORCES:
        rows = [
            {"side": side, **_flat(group, place.shape)}
            for side, (_, force) in (node.entries or {}).items()
            for group in force.child("groups").items or ()
        ]
    elif place.kind == IN_MAPPING:
        rows = [{"id": key, **_flat(value, place.shape)} for key, (_, value) in (node.entries or {}).items()]
    else:
        rows = [_flat(item, place.shape) for item in node.items or ()]
    headings = _headings(rows)
    return _format_rows([headings, *([row.get(heading, "") for heading in headings] for row in rows)])


def _place(root: Node, steps: tuple[str, ...]) -> SheetTarget:
    """The kind of part at an address. The part must exist."""
    for place in places():
        fits = len(place.address) == len(steps) and all(
            a in ("*", b) for a, b in zip(place.address, steps, strict=True)
        )
        if (
            fits
            and root.child(*steps[:-1]).get(steps[-1]) is not None
            and all(root.child(*steps[:i]).get(steps[i]) for i in range(len(steps)))
        ):
            return place
    known_addresses = sorted({"/".join(address) for place in places() for address in addresses(root, place.address)})
    raise ValueError(f"no part {'/'.join(steps)!r} can be written as CSV; {suggest('/'.join(steps), known_addresses)}")


def addresses(node: Node, address: tuple[str, ...], prefix: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if not address:
        yield prefix
        return
    for key, (_, value) in (node.entries or {}).items():
        if address[0] in ("*", key):
            yield from addresses(value, address[1:], (*prefix, key))


def _headings(rows: list[dict[str, str]]) -> list[str]:
    """Every heading, placed after the heading that precedes it in the row where it first occurs."""
    headings: list[str] = []
    for row in rows:
        index = 0
        for heading in row:
            if heading in headings:
                index = headings.index(heading) + 1
            else:
                headings.insert(index, heading)
                index += 1
    return headings


def _format_rows(rows: list[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _grid(table: Node) -> Iterator[list[str]]:
    labels = next((value.items for _, value in (table.child("columns").entries or {}).values() if value.items), [])
    yield [
        table.child("row_title").text or "row" if table.get("row_title") else "row",
        *(label.text or "" for label in labels or ()),
    ]
    for key, (_, row) in (table.child("cells").entries or {}).items():
        yield [
            key,
            *([item.text or "" for item in row.items] if row.items is not None else split_cells(row.text or "")),
        ]


def _flat(node: Node, shape: Any, prefix: str = "") -> dict[str, str]:
    """The cells of a record by heading."""
    if node.entries is None:  # a shorthand
        key = getattr(shape, "shorthand", "name")
        return {f"{prefix}.{key}".strip("."): node.text or ""}
    cells: dict[str, str] = {}
    shape_fields = fields(shape)
    for key, (_, value) in node.entries.items():
        column = f"{prefix}.{key}".strip(".")
        if value.empty or key not in shape_fields:
            continue
        if key == "factors" and value.entries:
            for factor, (_, factor_node) in value.entries.items():
                cells[f"{prefix}.{factor if factor not in shape_fields else f'factors.{factor}'}".strip(".")] = (
                    factor_node.text or ""
                )
        else:
            cells.update(_cells(value, shape_fields.get(key), column))
    return cells


def _cells(node: Node, shape: Any, heading: str) -> dict[str, str]:
    origin, args = typing.get_origin(shape), typing.get_args(shape)
    if is_record(shape) and node.entries:
        return _flat(node, shape, heading)
    of_records = origin in (dict, Mapping) and is_record(without_none(args[1]))
    if (
        of_records
        and node.entries
        and all(value.entries and "." not in key for key, (_, value) in node.entries.items())
    ):
        return {
            k: v
            for key, (_, value) in node.entries.items()
            for k, v in _flat(value, args[1], f"{heading}.{key}").items()
        }
    if origin is typing.Annotated and args[1] is _SourceForm and node.entries and len(node.entries) == 1:
        return {f"{heading}.{key}": value.text or "" for key, (_, value) in node.entries.items()}
    if node.text is not None:
        return {heading: node.text}
    for text in _tries(node):
        if _same_texts(cell_reader(shape, None, False)(Node("", 1, 1, text=text, style=CELL), Findings()), node):
            return {heading: text}
    return {heading: flow(node)}


def _tries(node: Node) -> Iterator[str]:
    """Simpler ways to write a list of texts or a mapping. The caller uses one only if it reads back the same."""
    items = [item.text for item in node.items or ()]
    if items and all(items):
        yield ", ".join(text or "" for text in items)
        yield " | ".join(text or "" for text in items)
    if node.entries:
        yield flow(node)[1:-1]


def _same_texts(a: Node, b: Node) -> bool:
    """Whether two trees have the same texts."""
    if a.items is not None and b.items is not None:
        return len(a.items) == len(b.items) and all(map(_same_texts, a.items, b.items))
    if a.entries is not None and b.entries is not None:
        return list(a.entries) == list(b.entries) and all(
            _same_texts(a.entries[key][1], b.entries[key][1]) for key in a.entries
        )
    return a.text is not None and a.text == b.text


def flow(node: Node) -> str:
    """A node as YAML on one line."""
    if node.entries is not None:
        return "{" + ", ".join(f"{_scalar(key)}: {flow(value)}" for key, (_, value) in node.entries.items()) + "}"
    if node.items is not None:
        return "[" + ", ".join(map(flow, node.items)) + "]"
    return _scalar(node.text or "")


def _scalar(text: str) -> str:
    return text if UNQUOTED.fullmatch(text) else json.dumps(text, ensure_ascii=False)

"""Every datum of a pack: its address, its value and its source."""

from __future__ import annotations

from collections.abc import Iterator

from scenarios.model.sources import Datum, Source, _SourceForm
from scenarios.model.tables import split_cells
from scenarios.pack.pack_file import DATA_SECTIONS
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings

PROSE = frozenset(
    {
        "name",
        "title",
        "note",
        "notes",
        "text",
        "rule",
        "summary",
        "question",
        "why",
        "meaning",
        "results",
        "source",
        "sources",
        "row_title",
        "column_title",
        "level",
        "date",
        "description",
        "numbering",
        "orientation",
        "columns",
        "lines",
        "was",
        "image",
    }
)


def data(root: Node, unofficial_paths: frozenset[str]) -> Iterator[Datum]:
    """All data of a pack. `unofficial_paths` are the paths of the user's overlays."""
    for section in DATA_SECTIONS:
        node = root.get(section)
        if node is not None:
            for datum in _data_below(node, (section,), None, unofficial_paths):
                yield _by_column(root, datum) if section == "tables" else datum


def _by_column(root: Node, datum: Datum) -> Datum:
    """Change the address of a cell to name its column by label, not by number."""
    address = datum.address
    if address[2:3] != ("cells",) or len(address) != 5 or not address[4].isdecimal():
        return datum
    columns = root.child("tables", address[1], "columns")
    labels = next((value.items for _, value in (columns.entries or {}).values() if value.items), [])
    index = int(address[4])
    if index >= len(labels):
        return datum
    row, column = address[3], labels[index].text or ""
    source = datum.source
    if source is None or source.word != "mine":
        source = cell_source(root.child("tables", address[1]).get("sources"), row, column) or source
    return datum._replace(address=(*address[:4], column), source=source)


def cell_source(single: Node | None, row: str, column: str) -> Source | None:
    """The source that a table's `sources` gives to one cell: by row/column, else by row, else by column."""
    return _single(single, f"{row}/{column}") or _single(single, row) or _single(single, column)


def _data_below(
    node: Node, address: tuple[str, ...], source: Source | None, unofficial_paths: frozenset[str]
) -> Iterator[Datum]:
    if node.entries is not None:
        source_node = node.get("source")
        if source_node is not None:
            source = _SourceForm.read(source_node, Findings()) or source
        single = node.get("sources")
        for key, (_, value) in node.entries.items():
            if key in PROSE:
                continue
            key_source = _single(single, key) or source
            if key == "factors" and value.entries is not None:
                for factor, (_, factor_node) in value.entries.items():
                    yield from _data_below(
                        factor_node, (*address, key, factor), _single(single, factor) or key_source, unofficial_paths
                    )
            else:
                yield from _data_below(value, (*address, key), key_source, unofficial_paths)
    elif node.items is not None:
        for i, item in enumerate(node.items):
            yield from _data_below(item, (*address, str(i)), source, unofficial_paths)
    elif node.text is not None and not node.empty:
        if node.path in unofficial_paths:
            source = Source("mine", "")
        yield from _leaf(node, node.text, address, source)


def _single(single: Node | None, key: str) -> Source | None:
    """The source that a record gives to one of its keys (or to one of its factors)."""
    key_node = single.get(key) if single is not None else None
    return _SourceForm.read(key_node, Findings()) if key_node is not None else None


def _leaf(node: Node, text: str, address: tuple[str, ...], source: Source | None) -> Iterator[Datum]:
    """The data of one leaf: one value, or several for a row of cells or a drawn board."""
    if address[0] == "tables" and address[2:3] == ("cells",) and len(address) == 4:
        for i, cell in enumerate(split_cells(text)):
            yield Datum((*address, str(i)), cell, source, node)
    elif address[0] == "boards" and address[2:] == ("terrain",):
        lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
        for i, line in enumerate(lines):
            for j, mark in enumerate(line.partition(" ")[2].replace(" ", "")):
                yield Datum((*address, f"{i}.{j}"), mark, source, node)
    else:
        yield Datum(address, text, source, node)

"""Overlays: files with the user's own numbers, which replace those of a pack."""

from __future__ import annotations

from pathlib import Path

from scenarios.folders import config_folder as config_folder
from scenarios.folders import standing_overlays as standing_overlays
from scenarios.model.tables import split_cells
from scenarios.pack.pack_file import DATA_SECTIONS, SOURCED_SECTIONS
from scenarios.reading.findings import suggest
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings
from scenarios.reading.yaml_tree import read_nodes

SECTIONS = (*SOURCED_SECTIONS, "factors", "turns", "sides")
BOARD_PARTS = ("terrain", "hexes", "features", "hexsides", "paths", "places", "zones", "lines", "image")
MAP_PARTS = ("points", "routes", "areas", "lines")
ABOUT = ("overlay", "note", "release")
"""The facts about an overlay: its game, its description and its date. An extension uses the date as its version."""
ADD = "add"
"""The part of an overlay with additions to the pack: whole counters, markers, tables, scenarios ..."""
ADDABLE_SECTIONS = tuple(section for section in SECTIONS if section != "turns")
"""The sections that accept additions: those with an id for each entry."""
REMOVED = "gone"
"""The value that removes a part of a board or map that the user's own copy doesn't have."""


def overlay_for(path: Path) -> str:
    """The id of the game that an overlay file is for. Empty if the file has none."""
    node, _ = read_nodes(path)
    about = node.get("overlay") if node is not None else None
    return (about.text or "") if about is not None else ""


def lay_over(root: Node, game_id: str, path: Path, findings: Findings) -> None:
    """Replace numbers of the pack by those of an overlay. Everything that the overlay names must exist."""
    node, file_findings = read_nodes(path)
    findings.extend(file_findings)
    if node is None:
        return
    if node.entries is None or node.get("overlay") is None:
        findings.add(node, f"an overlay begins with the game it is for, such as `overlay: {game_id}`")
        return
    about = node.child("overlay")
    if about.text != game_id:
        findings.add(about, f"this overlay is for {about.text!r}, not for {game_id}")
        return
    for section, (key, value) in node.entries.items():
        if section in ABOUT:
            continue
        if section == ADD:
            _add(root, value, findings)
        elif section == "rulings" and root.get(section) is not None:
            _choose(root.child(section), value, findings)
        elif section not in SECTIONS:
            findings.add(key, f"an overlay has no section {section!r}; {suggest(section, (*DATA_SECTIONS, ADD))}")
        elif root.get(section) is None:
            findings.add(key, f"{game_id} has no {section}; there is nothing to replace")
        else:
            _merge(root.child(section), value, (section,), findings)


def _add(root: Node, additions: Node, findings: Findings) -> None:
    """Add new entries to the pack. None of them may exist already."""
    if root.entries is None or additions.entries is None:
        findings.add(
            additions,
            f"`{ADD}` is a mapping of sections, not {additions.kind}; write as in a pack: {ADD}: {{counters: ...}}",
        )
        return
    for section, (key, value) in additions.entries.items():
        if section not in ADDABLE_SECTIONS:
            findings.add(key, f"nothing can be added to {section!r}; {suggest(section, ADDABLE_SECTIONS)}")
        elif value.entries is None:
            findings.add(
                value, f"{section} to add are a mapping by id, not {value.kind}; write {section}: {{my_id: ...}}"
            )
        else:
            section_node = root.entries.setdefault(
                section, (key, Node(value.path, value.line, value.column, entries={}))
            )[1]
            if section_node.entries is None:
                section_node.entries = {}
            for name, pair in value.entries.items():
                if name in section_node.entries:
                    message = f"there is a {section}/{name} already; choose another id, or change what is there outside `{ADD}`"
                    findings.add(pair[0], message)
                else:
                    section_node.entries[name] = pair
                    if section in SOURCED_SECTIONS:
                        _mark_as_users(pair[1])


def _mark_as_users(record: Node) -> None:
    """Mark the additions of an overlay as the user's own (`mine`), unless they have another source."""
    if record.entries is not None and "source" not in record.entries:
        name = Node(record.path, record.line, record.column, text=Path(record.path).name)
        record.entries["source"] = name, Node(record.path, record.line, record.column, entries={"mine": (name, name)})


def _choose(rulings: Node, choices: Node, findings: Findings) -> None:
    """Choose other readings of rulings, as in `canal_retreat: never`. Only switchable rulings allow that."""
    ruling_nodes = {key: value for key, (_, value) in (rulings.entries or {}).items()}
    open_ = [key for key, ruling in ruling_nodes.items() if ruling.child("switch").text == "true"]
    if choices.entries is None:
        findings.add(choices, f"name a ruling and the reading you want; these can be switched: {', '.join(open_)}")
        return
    for key, (key_node, value) in choices.entries.items():
        if key not in open_:
            problem = (
                f"the ruling {key} has one reading that is played"
                if key in ruling_nodes
                else f"there is no ruling {key!r}"
            )
            findings.add(key_node, f"{problem}; {suggest(key, open_)}")
        elif value.text is None:
            findings.add(
                value,
                f"write the id of a reading, as in {key}: {next(iter(ruling_nodes[key].child('readings').entries or {}))}",
            )
        else:
            _replace(ruling_nodes[key].child("choice"), value)


def _merge(old: Node, new: Node, address: tuple[str, ...], findings: Findings) -> None:
    """Replace leaves of `old` by those of `new`, in place."""
    address_text = "/".join(address)
    if new.entries is None:
        if old.entries is not None or (old.items is not None and new.items is None):
            inside = list(old.entries or {}) or [str(i) for i in range(len(old.items or []))]
            findings.add(
                new, f"{address_text} is not a single number; name what to replace in it: {', '.join(inside[:8])}"
            )
            return
        _replace(old, new)
        return
    if address[0] == "tables" and address[2:] and address[-2] == "cells" and old.entries is None:
        findings.add(new, f"name a row's cells by column under `cells`, as in {address_text}")
        return
    for key, (key_node, value) in new.entries.items():
        old_child = _step(old, key)
        if _is_drawing((*address, key)) and old.entries is not None and (old_child is None or value.text == REMOVED):
            if value.text == REMOVED and old.entries.pop(key, None) is None:
                findings.add(key_node, f"there is no {address_text}/{key} to take away; {suggest(key, old.entries)}")
            elif value.text != REMOVED:
                old.entries[key] = key_node, value
            continue
        if old_child is None:
            known_keys = list(old.entries or {}) or [str(i) for i in range(len(old.items or []))]
            findings.add(key_node, f"there is no {address_text}/{key} to replace; {suggest(key, known_keys)}")
            continue
        _merge(old_child, value, (*address, key), findings)


def _is_drawing(address: tuple[str, ...]) -> bool:
    """Whether an address is part of a board or a point map, or a thing in one. These may be added and removed."""
    parts = {"boards": BOARD_PARTS, "maps": MAP_PARTS}.get(address[0], ())
    return 3 <= len(address) <= 5 and address[2] in parts


def _step(old: Node, key: str) -> Node | None:
    if old.entries is not None:
        return old.get(key)
    if old.items is not None:
        return old.items[int(key)] if key.isdecimal() and len(key) < 6 and int(key) < len(old.items) else None
    return None


def spread_cells(root: Node) -> None:
    """Turn rows of cells into mappings by column, so that an overlay can name one cell."""
    tables = root.get("tables")
    for _, table in (tables.entries or {}).values() if tables is not None else ():
        columns = table.child("columns")
        labels = next((value for _, value in (columns.entries or {}).values() if value.items), None)
        cells = table.get("cells")
        if labels is None or cells is None or cells.entries is None:
            continue
        names = [label.text or "" for label in labels.items or []]
        for _, row in cells.entries.values():
            if row.text is not None:
                row.items = [Node(row.path, row.line, row.column, text=cell) for cell in split_cells(row.text)]
                row.text = None
            if row.items is not None and len(row.items) == len(names) == len(set(names)):
                row.entries = {name: (item, item) for name, item in zip(names, row.items, strict=True)}
                row.items = None


def gather_cells(root: Node) -> None:
    """Turn mappings by column back into rows of cells."""
    tables = root.get("tables")
    for _, table in (tables.entries or {}).values() if tables is not None else ():
        cells = table.get("cells")
        for _, row in (cells.entries or {}).values() if cells is not None else ():
            if row.entries is not None:
                row.items = [value for _, value in row.entries.values()]
                row.entries = None


def _replace(old: Node, new: Node) -> None:
    old.path, old.line, old.column = new.path, new.line, new.column
    old.text, old.items, old.style, old.indent = new.text, new.items, new.style, new.indent

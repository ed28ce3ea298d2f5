"""Replaces parts of a YAML file in its text. Every other line stays as its author wrote it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scenarios.reading.nodes import Node
from scenarios.reading.yaml_tree import parse_nodes

PLAIN_SCALAR = re.compile(r"[A-Za-z_][\w .()/+-]*[\w).]|[A-Za-z_]|-?(?:0|[1-9]\d{0,2})")
"""A text that needs no quotes, even inside brackets."""
WORDS = {"true", "false", "yes", "no", "on", "off", "null"}
MAX_WIDTH = 130


class CannotEdit(ValueError):
    """A part of a file can't be replaced; the text says why."""


def put(text: str, address: Sequence[str], value: Any) -> str:
    """The text with the part at `address` replaced, or added if it is missing. A `value` of None removes it."""
    if not address:
        raise CannotEdit("the whole file can't be replaced here")
    if not text.strip():
        return "" if value is None else _entry(address, value, 0) + "\n"
    root, findings = parse_nodes(text.encode("utf-8"), "the file")
    if root is None or findings:
        raise CannotEdit("\n".join(map(str, findings)))
    lines = text.splitlines()
    node, depth, end = root, 0, len(lines)
    indent = 0
    while True:
        if node.entries is None:
            if not node.empty:
                raise CannotEdit(f"{'/'.join(address[:depth])} isn't a list of names with values; write it as one")
            break
        if _in_braces(node, lines):
            if not depth:
                raise CannotEdit("the whole file stands in braces; write its parts on lines of their own")
            return put(text, address[:depth], _with_change(to_plain(node), address[depth:], value))
        keys = [(key.line - 1, name) for name, (key, _) in node.entries.items()]
        indent = next((key.column - 1 for key, _ in node.entries.values()), indent)
        entry = node.entries.get(address[depth])
        if entry is None:
            break
        start = entry[0].line - 1
        next_line = min((line for line, _ in keys if line > start), default=end)
        end = _last(lines, start, next_line)
        if depth == len(address) - 1:
            new_lines = [] if value is None else _entry(address[depth:], value, indent).splitlines()
            return "\n".join([*lines[:start], *new_lines, *lines[end:]]) + "\n"
        node, depth = entry[1], depth + 1
        if node.entries is None:  # a key without a value
            indent += 2
    if value is None:
        return text
    insert_line = _last(lines, 0, end)
    new_lines = _entry(address[depth:], value, indent).splitlines()
    return "\n".join([*lines[:insert_line], *new_lines, *lines[insert_line:]]) + "\n"


def _in_braces(mapping: Node, lines: Sequence[str]) -> bool:
    """Whether a mapping's parts share a line in braces."""
    return any(lines[key.line - 1][: key.column - 1].strip(" -") for key, _ in (mapping.entries or {}).values())


def to_plain(node: Node) -> Any:
    """A node as mappings, lists and texts."""
    if node.entries is not None:
        return {key: to_plain(value) for key, (_, value) in node.entries.items()}
    return [to_plain(item) for item in node.items] if node.items is not None else node.text or ""


def _with_change(mapping: Any, address: Sequence[str], value: Any) -> Any:
    """A mapping with one part replaced, added or removed."""
    if not address:
        return value
    if not isinstance(mapping, Mapping):
        mapping = {}
    child = _with_change(mapping.get(address[0], {}), address[1:], value)
    siblings = {key: sibling for key, sibling in mapping.items() if key != address[0]}
    return (
        siblings
        if child is None
        else {key: child if key == address[0] else sibling for key, sibling in {**mapping, address[0]: child}.items()}
    )


def _last(lines: Sequence[str], start: int, end: int) -> int:
    """The end of a part without the comments and empty lines after it, which belong to the next part."""
    while end > start + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return end


def _entry(address: Sequence[str], value: Any, indent: int) -> str:
    """Nested keys on separate lines, with the value under the last."""
    lines = [f"{' ' * (indent + 2 * depth)}{quote_yaml(key)}:" for depth, key in enumerate(address)]
    inner_indent = indent + 2 * len(address)
    flat = flow(value)
    if isinstance(value, str) and "\n" in value:
        lines[-1] += " |"
        lines += [" " * inner_indent + line for line in value.splitlines()]
    elif len(lines[-1]) + 1 + len(flat) <= MAX_WIDTH:
        lines[-1] += f" {flat}"
    else:
        lines += block(value, inner_indent)
    return "\n".join(lines)


def block(value: Any, indent: int) -> list[str]:
    """A long value on several lines: one for each entry or item. Long lists of names fill their lines."""
    if isinstance(value, Mapping):
        lines = []
        for key, child in value.items():
            line = f"{' ' * indent}{quote_yaml(key)}: {flow(child)}"
            lines += (
                [line] if len(line) <= MAX_WIDTH else [f"{' ' * indent}{quote_yaml(key)}:", *block(child, indent + 2)]
            )
        return lines
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        lines, line = [], " " * indent + "["
        for i, item in enumerate(value):
            word = quote_yaml(item) + ("," if i < len(value) - 1 else "]")
            if len(line) + 1 + len(word) > MAX_WIDTH:
                lines.append(line.rstrip())
                line = " " * (indent + 1)
            line += word if line.endswith("[") or not line.strip() else f" {word}"
        return [*lines, line]
    if isinstance(value, list):
        return [line for item in value for line in _item(item, indent)]
    return [" " * indent + flow(value)]


def _item(item: Any, indent: int) -> list[str]:
    line = f"{' ' * indent}- {flow(item)}"
    if len(line) <= MAX_WIDTH or not isinstance(item, Mapping):
        return [line]
    lines = block(item, indent + 2)
    lines[0] = f"{' ' * indent}- {lines[0].lstrip()}"
    return lines


def flow(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{quote_yaml(key)}: {flow(child)}" for key, child in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, float) else str(value)
    return quote_yaml(str(value))


def quote_yaml(text: str) -> str:
    """A text with quotes if YAML needs them."""
    if PLAIN_SCALAR.fullmatch(text) and text.lower() not in WORDS:
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'

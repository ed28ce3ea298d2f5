"""Plain values as YAML in the style of packs: sections and records in blocks, deeper values on one line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

PLAIN_SCALAR = re.compile(r"[A-Za-z_][\w.'-]*(?: [\w.'-]+)*|-?\d+(?:\.\d+)?")
"""Texts that need no quotes in YAML, even inside brackets."""
MAX_WIDTH = 110


def document(sections: Mapping[str, Any]) -> str:
    """A file of a pack; it omits empty sections."""
    lines: list[str] = []
    for name, value in sections.items():
        if value:
            lines += [*_block(name, value, 0), ""]
    return "\n".join(lines)


def _block(key: str, value: Any, depth: int) -> Iterator[str]:
    indent = "  " * depth
    line = f"{indent}{scalar(key)}: {flow(value)}"
    if isinstance(value, str) and "\n" in value:
        yield f"{indent}{scalar(key)}: |"
        yield from (f"{indent}  {row}".rstrip() for row in value.splitlines())
    elif (depth > 0 and len(line) <= MAX_WIDTH) or not isinstance(value, (dict, list)) or not value:
        yield line
    elif isinstance(value, dict):
        yield f"{indent}{scalar(key)}:"
        for inner, child in value.items():
            yield from _block(inner, child, depth + 1)
    else:
        yield f"{indent}{scalar(key)}:"
        yield from (f"{indent}  - {flow(child)}" for child in value)


def flow(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(key)}: {flow(child)}" for key, child in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(flow, value)) + "]"
    return scalar(value)


def scalar(value: object) -> str:
    """A text, number or boolean."""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return text if PLAIN_SCALAR.fullmatch(text) else json.dumps(text, ensure_ascii=False)

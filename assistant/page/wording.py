"""Rewords the command line's answers for the page: its fields instead of options and inputs."""

from __future__ import annotations

import re
from typing import Any

from assistant.unofficial import unofficial_line
from scenarios.model.game import Game

OPTION = re.compile(r"(?<![\w-])--([a-z][a-z_-]*)(?: [A-Z]{2}[A-Z_,:]*\b)?")
"""An option, with the placeholder of its value: `--from HEX`."""
INPUT = re.compile(r"(?<![\w=-])([a-z][a-z_]*)=([^\s;()]*[^\s;(),.:])")
"""An input with a value or a placeholder: `side=arab`, `attackers=UNIT,UNIT`."""
PLACEHOLDER = re.compile(r"[^a-z]*[A-Z]{2}[^a-z]*")
TWICE = re.compile("(“[^”]+”) or \\1(?! [^(])")
CHOOSER = ("scenario", "position")
"""Inputs that aren't fields: one selector of the page stands for both."""


def for_page(text: str) -> str:
    """Return a sentence with the names of the page's fields."""
    text = OPTION.sub(lambda match: _field(match[1]), text)
    text = INPUT.sub(lambda match: f"{_field(match[1])}{_value(match[2])}", text)
    return TWICE.sub(r"\1", text)


def _field(name: str) -> str:
    """Return a field as the page names it."""
    title = "Scenario or save" if name in CHOOSER else re.sub("[_-]", " ", name).capitalize()
    return f"“{title}”"


def _value(text: str) -> str:
    return "" if PLACEHOLDER.fullmatch(text) else f" {text}"


def nodes_for_page(game: Game, nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return an answer's nodes with their sentences reworded for the page."""
    return [_node_for_page(game, node) for node in nodes]


def _node_for_page(game: Game, node: dict[str, Any]) -> dict[str, Any]:
    if "nodes" in node:
        return {**node, "nodes": nodes_for_page(game, node["nodes"])}
    if node.get("kind") == "unofficial":
        line = unofficial_line(game, node["entries"])
        return {"kind": "unofficial", "text": [f"{line}."] if line else []}
    if node.get("kind") not in ("line", "warning"):
        return node
    text = node["text"]
    parts = [for_page(part) if isinstance(part, str) else part for part in text] if isinstance(text, list) else text
    return {**node, "text": for_page(parts) if isinstance(parts, str) else parts}

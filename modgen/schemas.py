"""The JSON Schemas of the files that people write."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scenarios.model.position import PositionShape
from scenarios.pack.overlays import ADD, ADDABLE_SECTIONS, SECTIONS
from scenarios.pack.pack_file import PackFile
from scenarios.reading.jsonschema import schema_of


def pack() -> dict[str, Any]:
    """The schema of a file of a pack."""
    return schema_of(PackFile, "A file of a Mitla pack")


def position() -> dict[str, Any]:
    """The schema of a position file."""
    return schema_of(PositionShape, "A Mitla position")


def overlay() -> dict[str, Any]:
    """The schema of an overlay: the same sections with only the replaced parts, and additions as in a pack."""
    pack_schema = pack()
    any_section = {"type": "object", "description": "What to replace, by id, as deep as the pack has it."}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A Mitla overlay",
        "type": "object",
        "properties": {
            "overlay": {"type": "string", "description": "The id of the game it is for."},
            "note": {"type": "string", "description": "What it is; an extension shows it."},
            "release": {
                "type": "string",
                "format": "date",
                "description": "Its date: an extension has it for its version.",
            },
            ADD: {
                "type": "object",
                "description": "What the pack doesn't have, by id, whole as a pack writes it.",
                "properties": {section: pack_schema["properties"][section] for section in ADDABLE_SECTIONS},
                "additionalProperties": False,
            },
            **dict.fromkeys(SECTIONS, any_section),
        },
        "required": ["overlay"],
        "additionalProperties": False,
        "$defs": pack_schema["$defs"],
    }


SCHEMAS: Mapping[str, Callable[[], dict[str, Any]]] = {"pack": pack, "position": position, "overlay": overlay}

"""The JSON Schema of a pack file, generated from the shapes, for completion and checks in editors."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from scenarios.reading.shapes import Record, Scalar, Schema, key_of

_SCALAR_SCHEMAS: dict[Any, Schema] = {
    str: {"type": ["string", "number", "boolean"]},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    Fraction: {"type": ["number", "string"], "pattern": r"^[+-]?\d+(/\d+|\.\d+)?$"},
}


def schema_of(shape: type[Record], title: str) -> Schema:
    """The schema of a file that contains one `shape`."""
    writer = _Writer()
    body = writer.body(shape)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        **body,
        "$defs": dict(sorted(writer.definitions.items())),
    }


_FILE: Schema = {"type": "string", "pattern": r"(?i)\.(csv|tsv)$"}
_FILES: Schema = {"anyOf": [_FILE, {"type": "array", "items": _FILE}]}


def _or_sheet(about: Schema) -> Schema:
    """A value that may also be in a spreadsheet: {csv: FILE}."""
    if "additionalProperties" in about:
        csv_schema = {"anyOf": [_FILES, about["additionalProperties"]]}  # an id may be csv
        return {**about, "properties": {"csv": csv_schema}}
    return {
        "anyOf": [
            about,
            {"type": "object", "properties": {"csv": _FILES}, "required": ["csv"], "additionalProperties": False},
        ]
    }


class _Writer:
    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}

    def schema_of(self, shape: Any) -> Schema:
        origin = typing.get_origin(shape)
        if origin is typing.Annotated:
            form = typing.get_args(shape)[1]
            if issubclass(form, Scalar):
                return dict(form.schema)
            result: Schema = form.schema(self.schema_of)
            return result
        if isinstance(shape, type) and issubclass(shape, Record):
            if shape.__name__ not in self.definitions:
                self.definitions[shape.__name__] = {}
                self.definitions[shape.__name__] = self.body(shape)
            return {"$ref": f"#/$defs/{shape.__name__}"}
        if shape in _SCALAR_SCHEMAS:
            return dict(_SCALAR_SCHEMAS[shape])
        if origin is typing.Literal:
            return {"enum": list(typing.get_args(shape))}
        if origin is tuple:
            return {"type": "array", "items": self.schema_of(typing.get_args(shape)[0])}
        if origin in (dict, Mapping):
            return {"type": ["object", "null"], "additionalProperties": self.schema_of(typing.get_args(shape)[1])}
        if origin in (typing.Union, types.UnionType):
            inner = [a for a in typing.get_args(shape) if a is not type(None)]
            return self.schema_of(inner[0])
        raise TypeError(f"no schema for {shape!r}")

    def body(self, shape: type[Record]) -> Schema:
        hints = typing.get_type_hints(shape, include_extras=True)
        properties: dict[str, Schema] = {}
        required_keys = []
        for f in dataclasses.fields(shape):
            if f.name == "node" or f.metadata.get("inner"):
                continue
            about = self.schema_of(hints[f.name])
            if f.metadata.get("sheet"):
                about = _or_sheet(about)
            if note := f.metadata.get("note"):
                about = {"description": note, **about}
            properties[key_of(f.name)] = about
            if f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING:
                required_keys.append(key_of(f.name))
        body: Schema = {
            "type": "object",
            "description": (shape.__doc__ or "").split("\n")[0],
            "properties": properties,
            "additionalProperties": False,
        }
        if required_keys and not getattr(shape, "partial", False):
            body["required"] = required_keys
        if words := getattr(shape, "words", ()):
            return {"anyOf": [body, {"enum": list(words)}]}
        shorthand = getattr(shape, "shorthand", None)
        return {"anyOf": [body, properties[shorthand]]} if shorthand else body

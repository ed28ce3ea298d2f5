"""A written reference of the shapes, for people."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from scenarios.model.areas import Area
from scenarios.pack.pack_file import PackFile
from scenarios.reading.shapes import Record, key_of

_SCALAR_NAMES = {str: "text", int: "whole number", bool: "true or false", Fraction: "number"}
_FORMS = {
    "_AreaForm": "area, or a hex",
    "_SourceForm": "source",
    "_FormulaForm": "expression",
    "_StepsForm": "list of [steps](#step), or of names of lists",
    "_GatesForm": "list of [gates](#gate)",
    "_AmountsForm": "expression, or list of [amounts](#amount)",
    "_NumbersForm": "number, range or list of them",
    "_CellsForm": "cells",
    "_BoardRowsForm": "rows of boards",
    "_PointsForm": "points such as `1.5,2 1.7,2.25`",
    "Id": "id",
    "Color": "colour",
    "Mark": "mark",
}


def reference(shape: type[Record], title: str) -> str:
    """The reference of a shape and everything in it, as Markdown."""
    todo, done, parts = [shape], set(), [f"# {title}\n"]
    while todo:
        record = todo.pop(0)
        if record in done:
            continue
        done.add(record)
        hints = typing.get_type_hints(record, include_extras=True)
        parts.append(f"## {record.__name__}\n\n{(record.__doc__ or '').splitlines()[0]}\n")
        shorthand = getattr(record, "shorthand", None)
        if shorthand:
            parts.append(f"May be written as just its `{shorthand}`.\n")
        rows = ["| key | value | |", "|---|---|---|"]
        for f in dataclasses.fields(record):
            if f.name == "node" or f.metadata.get("inner"):
                continue
            is_required = f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
            note = f.metadata.get("note", "") + (" **Required.**" if is_required else "")
            sheet = ", or a [spreadsheet](packs.md#spreadsheets)" if f.metadata.get("sheet") else ""
            rows.append(f"| `{key_of(f.name)}` | {_word(hints[f.name], todo)}{sheet} | {note} |")
        parts.append("\n".join(rows) + "\n")
    return "\n".join(parts)


def _word(shape: Any, todo: list[type[Record]]) -> str:
    origin, args = typing.get_origin(shape), typing.get_args(shape)
    if origin is typing.Annotated:
        name = args[1].__name__
        if name == "_AreaForm":
            todo.append(Area)
        if (item := getattr(args[1], "item", None)) is not None:
            todo.append(item)
        return _FORMS[name]
    if isinstance(shape, type) and issubclass(shape, Record):
        todo.append(shape)
        return f"[{shape.__name__}](#{shape.__name__.lower()})"
    if shape in _SCALAR_NAMES:
        return _SCALAR_NAMES[shape]
    if origin is typing.Literal:
        return ", ".join(f"`{arg}`" for arg in args)
    if origin is tuple:
        return "list of " + _word(args[0], todo)
    if origin in (dict, Mapping):
        return "mapping of ids to " + _word(args[1], todo)
    if origin in (typing.Union, types.UnionType):
        return _word(next(a for a in args if a is not type(None)), todo)
    raise TypeError(f"no word for {shape!r}")


def main() -> None:
    """Regenerate docs/pack-reference.md."""
    from pathlib import Path

    path = Path(__file__).parents[2] / "docs" / "pack-reference.md"
    path.write_text(reference(PackFile, "What a pack may hold"), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()

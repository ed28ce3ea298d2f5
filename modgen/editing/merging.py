"""Merges two edits of one board or map: the editor's changes, and changes of the file in the meantime."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

Address = tuple[str, ...]
Winner = Literal["edit", "file"]
MAX_LISTED = 5
"""The number of clashes that a sentence names."""


class Merge(NamedTuple):
    """Both edits in one, and the places where they clash."""

    parts: dict[str, Any]
    clashes: list[Address]


def merge_parts(original: Mapping[str, Any], edit: Mapping[str, Any], file: Mapping[str, Any], winner: Winner) -> Merge:
    """The opened version with the changes of both. If they clash, the winner's change counts."""
    clashes: list[Address] = []
    return Merge(_merge_mappings((), original, edit, file, winner, clashes), clashes)


def describe_clashes(clashes: list[Address]) -> str:
    """The sentence that asks which of two edits to keep."""
    names = [f"{address[1]} ({address[0]})" if address[1:] else address[0] for address in clashes]
    names = list(dict.fromkeys(names))
    remainder = len(names) - MAX_LISTED
    name_list = ", ".join(names[:MAX_LISTED]) + (f" and {remainder} more" if remainder > 0 else "")
    return f"The file was changed meanwhile where you changed it too: {name_list}. Keep your edit, or take the file's."


def _merge_mappings(
    address: Address,
    original: Mapping[str, Any],
    edit: Mapping[str, Any],
    file: Mapping[str, Any],
    winner: Winner,
    clashes: list[Address],
) -> dict[str, Any]:
    result = {
        key: _merge_values((*address, key), original.get(key), edit.get(key), file.get(key), winner, clashes)
        for key in dict.fromkeys((*file, *edit))
    }
    return {key: value for key, value in result.items() if value is not None}


def _merge_values(address: Address, original: Any, edit: Any, file: Any, winner: Winner, clashes: list[Address]) -> Any:
    """One merged value; None if there is none."""
    if edit in (file, original):
        return file
    if file == original:
        return edit
    if isinstance(edit, Mapping) and isinstance(file, Mapping):
        return _merge_mappings(address, original or {}, edit, file, winner, clashes)
    if _is_collection(edit) and _is_collection(file) and _is_collection(original or []):
        base = original or []
        removals = [item for item in base if item not in edit]
        additions = [item for item in edit if item not in base]
        both_replace = any(item not in file for item in removals) and any(item not in base for item in file)
        if not (both_replace and additions):
            remaining = [item for item in file if item not in removals]
            return remaining + [item for item in additions if item not in remaining]
    clashes.append(address)
    return edit if winner == "edit" else file


def _is_collection(value: Any) -> bool:
    """Whether a value is a list of independent items, such as names, roads or routes, and not a pair of coordinates."""
    return isinstance(value, list) and not any(isinstance(item, int | float) for item in value)

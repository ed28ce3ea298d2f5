"""Reads turn trackers as the turns and the sequence of a pack."""

from __future__ import annotations

from typing import Any

from modgen.importing.names import Ids, clean
from modgen.importing.report import Report
from modgen.vmod.files.loaded_module import Element, LoadedModule, kind_of, name_of
from scenarios.vassal.sequence import split

LEVELS = ("CounterTurnLevel", "ListTurnLevel")
MOST_TURNS = 200
USUAL = 20
"""The number of turns of a game whose tracker gives none."""


def turns(module: LoadedModule, report: Report) -> dict[str, Any]:
    """`turns` and `sequence` of the pack. The outermost level has the turns; the lists inside are the phases."""
    trackers = list(module.elements("TurnTracker"))
    for leftover in trackers[1:]:
        report.left_out("further turn trackers", name_of(leftover))
    levels = [part for part in trackers[0] if kind_of(part) in LEVELS] if trackers else []
    if not levels:
        return {}
    outer, *other_levels = levels
    for leftover in other_levels:
        report.left_out("levels of the turn tracker beside the first", name_of(leftover))
    result: dict[str, Any] = {"turns": _turns(outer, report)}
    phases = _phases(outer, Ids(), report)
    if phases:
        result["sequence"] = {"standard": {"title": clean(name_of(trackers[0])) or "Turn", "phases": phases}}
    return result


def _turns(level: Element, report: Report) -> dict[str, Any]:
    if kind_of(level) == "ListTurnLevel":
        names = [clean(name) for name in split(level.get("list", ""), ",") if clean(name)]
        return {"names": names[:MOST_TURNS]} if names else {"count": USUAL}
    start, limit = _integer(level.get("start", "1")), _integer(level.get("loopLimit", "-1"))
    count = limit - start + 1 if level.get("loop") == "true" else 0
    if not 0 < count <= MOST_TURNS:
        report.chose(f"the turn tracker counts without end; the pack has {USUAL} turns")
        return {"count": USUAL}
    return {"count": count} if start == 1 else {"names": [str(number) for number in range(start, limit + 1)]}


def _phases(level: Element, ids: Ids, report: Report, depth: int = 0) -> list[dict[str, Any]]:
    """The phases inside a level: those of each list, with those of the lists inside it."""
    result: list[dict[str, Any]] = []
    for inner in level:
        kind = kind_of(inner)
        if kind == "CounterTurnLevel":
            report.left_out("levels of the turn tracker that count inside a turn", name_of(inner))
        if kind != "ListTurnLevel":
            continue
        for name in split(inner.get("list", ""), ",")[:MOST_TURNS]:
            if not clean(name):
                continue
            phase: dict[str, Any] = {"id": ids.new_id(name, "phase"), "name": clean(name)}
            subphases = _phases(inner, ids, report, depth + 1) if depth < 3 else []
            result.append(phase | ({"phases": subphases} if subphases else {}))
    return result


def _integer(text: str) -> int:
    return int(text) if text.lstrip("-").isdecimal() and len(text) < 6 else -1

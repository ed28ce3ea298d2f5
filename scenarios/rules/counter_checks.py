"""Checks on counters: the numbers, flags and texts that a game keeps."""

from __future__ import annotations

from collections.abc import Collection

from scenarios.reading.shapes import Findings, check_known, number, place
from scenarios.rules.counters import RuleCounter, start_text


def check_counter(counter: RuleCounter, tracks: Collection[str], markers: Collection[str], findings: Findings) -> None:
    """Check that the keys of a counter fit its kind, and that it can start as it says."""
    check_known(counter, "track", counter.track, tracks, "track", findings)
    check_known(counter, "marker", counter.marker, markers, "marker", findings)
    if counter.marker and counter.kind != "flag":
        findings.add(place(counter, "marker"), "only a flag is read from a marker; add `kind: flag`")
    for key in ("at_least", "at_most", "track"):
        if getattr(counter, key) not in (None, "") and counter.kind != "number":
            findings.add(place(counter, key), f"only a number has `{key}`; leave it out")
    if bool(counter.choices) != (counter.kind == "text"):
        findings.add(place(counter, "choices"), "a counter of the kind text has `choices`, and no other has them")
    if counter.at_least is not None and counter.at_most is not None and counter.at_least > counter.at_most:
        findings.add(place(counter, "at_most"), "`at_most` is below `at_least`")
    problem = start_problem(counter)
    if problem:
        findings.add(place(counter, "start"), problem)


def start_problem(counter: RuleCounter) -> str:
    """The reason why a counter can't start as it says. Empty if it can."""
    text = start_text(counter)
    if counter.kind == "text":
        return "" if text in counter.choices else f"{text!r} is none of its choices"
    if counter.kind == "flag":
        return "" if text in ("true", "false") else f"{text!r} is neither true nor false"
    try:
        value = number(text)
    except ValueError:
        return f"{text!r} is no number"
    low, high = counter.at_least, counter.at_most
    return (
        f"{text} is outside of its limits"
        if (low is not None and value < low) or (high is not None and value > high)
        else ""
    )

"""From Enter to the answer: whole commands, start of Python and loading of the pack included."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

COMMANDS = (
    ("assistant", "odds", "yom_kippur", "3-1"),
    ("assistant", "los", "arab_israeli_wars", "--map", "A", "A-H-3", "A-H-5"),
    ("assistant", "supply", "yom_kippur", "4.5"),
    ("modgen", "list"),
)


def _processor(words: list[str]) -> float:
    """Seconds of processor time that a command takes, the best of five."""
    best = float("inf")
    for _ in range(5):
        start_times = os.times()
        subprocess.run(words, capture_output=True, check=True)
        end_times = os.times()
        best = min(
            best,
            end_times.children_user
            + end_times.children_system
            - start_times.children_user
            - start_times.children_system,
        )
    return best


def figures() -> Iterator[str]:
    """Each command, and how many times a bare start of Python it takes."""
    bare_seconds = _processor([sys.executable, "-c", "pass"])
    for room, *words in COMMANDS:
        took = _processor([sys.executable, "-m", f"{room}.cli", *words])
        yield f"{room} {' '.join(words)}: {took:.2f} s of processor (promised 0.2), {took / bare_seconds:.1f} times a bare start of Python"

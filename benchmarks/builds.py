"""How long builds take: everything from an empty cache, and what one changed counter costs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from scenarios.loading import PACKS, shipped

COUNTERS = {
    "arab_israeli_wars": "counters_arab.yaml",
    "six_day_war": "counters_israeli.yaml",
    "october_war": "counters_israeli.yaml",
    "yom_kippur": "counters_israeli.yaml",
    "musketeer": "counters_west.yaml",
}
"""A file of each game with a counter to change."""
PROMISED = {"kit": (20, 25), "module": (15, 40)}
"""Seconds for all five from an empty cache on two cores, and megabytes of each."""
CHANGED = 2
"""Seconds after one counter changed."""


def timed(words: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """How long a command takes, in seconds on the clock and of all processors (0 where the system doesn't say)."""
    before, start = os.times(), time.perf_counter()
    subprocess.run(words, env=environment, capture_output=True, check=True)
    took, after = time.perf_counter() - start, os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return took, used


def unit() -> float:
    """What this machine needs for five million steps of plain Python, to compare machines by."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        total = 0
        for n in range(5_000_000):
            total += n
        best = min(best, time.process_time() - start)
    return best


def figures(folder: Path) -> Iterator[str]:
    """Every figure of kits and modules with what was promised."""
    one = unit()
    yield f"five million steps of Python: {one:.2f} s; processor time is told in seconds and in such units"
    packs = {game: Path(shutil.copytree(PACKS / game, folder / "packs" / game)) for game in shipped()}
    for what in PROMISED:
        yield from _builds(what, packs, folder, one)


def _builds(what: str, packs: Mapping[str, Path], folder: Path, one: float) -> Iterator[str]:
    environment = {**os.environ, "MITLA_CACHE": str(folder / "cache")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    first, second = folder / what / "a", folder / what / "b"
    every = list(packs.values())
    seconds, megabytes = PROMISED[what]

    def built(label: str, promised: float, games: Sequence[Path]) -> str:
        took, used = timed(command(what, first, games), environment)
        return f"{label}: {took:.1f} s on the clock (promised {promised}), {used:.1f} s of processors, {used / one:.0f} units"

    yield built(f"all five {what}s, cold", seconds, every)
    timed(
        command(what, second, every), {**environment, "MITLA_CACHE": "off", "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}
    )
    for path in sorted(file for file in first.rglob("*") if file.is_file()):
        same = path.read_bytes() == (second / path.relative_to(first)).read_bytes()
        size = path.stat().st_size / 1e6
        yield f"{path.name}: {size:.1f} MB (promised {megabytes}), {'identical' if same else 'NOT identical'} when built twice"
    for game, file in COUNTERS.items():
        change(packs[game] / file, 31 + 10 * len(what))
        yield built(f"one counter of {game} changed", CHANGED, [packs[game]])
    yield built(f"all five {what}s, nothing changed", CHANGED, every)


def command(what: str, out: Path, games: Sequence[Path]) -> list[str]:
    """The words of a build."""
    start = [sys.executable, "-m", "modgen.cli", "build", "--no-overlay", "--only", what, "--out", str(out)]
    return [*start, *map(str, games)]


def change(counters: Path, value: int) -> None:
    """Give the first counter of a file another first factor, one that no build before has seen."""
    text = counters.read_text(encoding="utf-8")
    counters.write_text(re.sub(r"(factors: \{\w+: )\d+", rf"\g<1>{value}", text, count=1), encoding="utf-8")

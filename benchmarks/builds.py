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

from scenarios.pack.pack_folder import PACKS, shipped_games

COUNTERS = {
    "arab_israeli_wars": "counters_arab.yaml",
    "six_day_war": "counters_israeli.yaml",
    "october_war": "counters_israeli.yaml",
    "yom_kippur": "counters_israeli.yaml",
    "musketeer": "counters_west.yaml",
}
"""A file of each game with a counter to change."""
BUILD_BUDGETS = {"kit": (20, 25), "module": (15, 40)}
"""Seconds for all five from an empty cache on two cores, and megabytes of each."""
REBUILD_SECONDS = 2
"""Seconds after one counter changed."""


def time_command(words: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """How long a command takes, in seconds on the clock and of all processors (0 where the system doesn't say)."""
    start_times, start = os.times(), time.perf_counter()
    subprocess.run(words, env=environment, capture_output=True, check=True)
    took, end_times = time.perf_counter() - start, os.times()
    used = end_times.children_user + end_times.children_system - start_times.children_user - start_times.children_system
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
    unit_seconds = unit()
    yield f"five million steps of Python: {unit_seconds:.2f} s; processor time is told in seconds and in such units"
    packs = {game: Path(shutil.copytree(PACKS / game, folder / "packs" / game)) for game in shipped_games()}
    for output_kind in BUILD_BUDGETS:
        yield from _builds(output_kind, packs, folder, unit_seconds)


def _builds(output_kind: str, packs: Mapping[str, Path], folder: Path, unit_seconds: float) -> Iterator[str]:
    environment = {**os.environ, "MITLA_CACHE": str(folder / "cache")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    first, second = folder / output_kind / "a", folder / output_kind / "b"
    all_packs = list(packs.values())
    seconds, megabytes = BUILD_BUDGETS[output_kind]

    def time_build(label: str, limit: float, games: Sequence[Path]) -> str:
        took, used = time_command(command(output_kind, first, games), environment)
        return f"{label}: {took:.1f} s on the clock (promised {limit}), {used:.1f} s of processors, {used / unit_seconds:.0f} units"

    yield time_build(f"all five {output_kind}s, cold", seconds, all_packs)
    time_command(
        command(output_kind, second, all_packs),
        {**environment, "MITLA_CACHE": "off", "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"},
    )
    for path in sorted(file for file in first.rglob("*") if file.is_file()):
        is_identical = path.read_bytes() == (second / path.relative_to(first)).read_bytes()
        size = path.stat().st_size / 1e6
        yield f"{path.name}: {size:.1f} MB (promised {megabytes}), {'identical' if is_identical else 'NOT identical'} when built twice"
    for game, file in COUNTERS.items():
        change(packs[game] / file, 31 + 10 * len(output_kind))
        yield time_build(f"one counter of {game} changed", REBUILD_SECONDS, [packs[game]])
    yield time_build(f"all five {output_kind}s, nothing changed", REBUILD_SECONDS, all_packs)


def command(output_kind: str, out_folder: Path, games: Sequence[Path]) -> list[str]:
    """The words of a build."""
    start = [
        sys.executable,
        "-m",
        "modgen.cli",
        "build",
        "--no-overlay",
        "--only",
        output_kind,
        "--out",
        str(out_folder),
    ]
    return [*start, *map(str, games)]


def change(counters: Path, value: int) -> None:
    """Give the first counter of a file another first factor, one that no build before has seen."""
    text = counters.read_text(encoding="utf-8")
    counters.write_text(re.sub(r"(factors: \{\w+: )\d+", rf"\g<1>{value}", text, count=1), encoding="utf-8")

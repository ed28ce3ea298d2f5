"""What ten times as much costs: counters checked and built, hexes built, moves of a log read. Prints; asserts nothing."""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from scenarios.vassal.commands import Added, Trait, add_piece_command
from scenarios.vassal.playing import play

HEAD = """
source: {mine: a benchmark}
game: {id: growing, title: Growing, release: 2026-01-01}
sides: {red: Red, blue: Blue}
nations:
  red: {name: Red, side: red, colors: {fill: "#cc8173", ink: "#3a0d06"}}
  blue: {name: Blue, side: blue, colors: {fill: "#b9d3ea", ink: "#0b2238"}}
states: {reduced: {name: Reduced, short: RED, steps_lost: 1}}
classes: {foot: Foot}
types: {infantry: Infantry}
factors: {attack: {name: Attack}, movement: {name: Movement}}
turns: {count: 5}
terrain:
  clear: {name: Clear, mark: ".", color: "#efe3bd"}
  hill: {name: Hill, mark: "^", color: "#cdaf7e"}
  woods: {name: Woods, mark: "w", color: "#9fbf87"}
hexsides: {river: {name: River, color: "#4477aa"}}
paths: {road: {name: Road, color: "#8c5a2b"}}
"""
RUN = """
import json, resource, sys
from modgen.cli import main
sys.argv = ["modgen", *sys.argv[1:]]
try:
    main()
except SystemExit as end:
    if end.code:
        raise
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(sum(one.ru_utime + one.ru_stime for one in used), file=sys.stderr)
"""


LOOK = 0.05
"""How many seconds pass between two looks at the memory."""


class Cost(NamedTuple):
    """Seconds of processor, and the most memory that all processes of a command took together."""

    seconds: float
    megabytes: float

    def __str__(self) -> str:
        return f"{self.seconds:.1f} s, {self.megabytes:.0f} MB"


def pack(folder: Path, counters: int, side: int) -> Path:
    """A pack of so many counters, ten to a formation, and a board of `side` by `side` hexes; its one scenario places them all."""
    rnd = random.Random(1)
    names = [f"{column:03}{row:03}" for column in range(1, side + 1) for row in range(1, side + 1)]
    terrain_kinds = rnd.choices(["clear", "hill", "woods"], [6, 2, 2], k=len(names))
    rivers = ", ".join(f"{column:03}{side // 2:03}/{column:03}{side // 2 + 1:03}" for column in range(1, side + 1))
    roads = "".join(
        f"      - {{kind: road, name: Road {column}, hexes: [{', '.join(repr(f'{column:03}{row:03}') for row in range(1, side + 1))}]}}\n"
        for column in range(5, side, 10)
    )
    units = "".join(
        f"  unit_{i}: {{name: Unit {i}, nation: {'red' if i % 2 else 'blue'}, class: foot, type: infantry, size: brigade, "
        f"formation: {i // 20} Division, factors: {{attack: {i % 9 + 1}, movement: {i % 7 + 1}}}, steps: 2, "
        f"back: {{state: reduced, factors: {{attack: 1}}}}}}\n"
        for i in range(counters)
    )
    groups_by_force = {
        force: "".join(
            f"          - {{id: G{i}, nation: {force}, units: {{unit_{i}: 1}}, at: '{rnd.choice(names)}'}}\n"
            for i in range(counters)
            if ("red" if i % 2 else "blue") == force
        )
        for force in ("red", "blue")
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.yaml").write_text(
        f"{HEAD}counters:\n{units}"
        f"boards:\n  sheet:\n    name: Sheet\n    grid: {{columns: {side}, rows: {side}, numbering: {{scheme: xxyy, digits: 3}}}}\n"
        f"    hexes: {{{', '.join(f'{name!r}: {kind}' for name, kind in zip(names, terrain_kinds, strict=True))}}}\n"
        f"    hexsides: {{river: [{rivers}]}}\n    paths:\n{roads}"
        "maps: {main: {name: Main, arrangement: {boards: sheet}}}\n"
        "scenarios:\n  all:\n    title: All of them\n    map: main\n    turns: {last: 5}\n    forces:\n"
        + "".join(f"      {force}:\n        groups:\n{groups}" for force, groups in groups_by_force.items()),
        encoding="utf-8",
    )
    return folder


def cost(*words: str) -> Cost:
    """Processor time and most memory of a command of modgen, with nothing kept from before. Memory is known on Linux only."""
    environment = {**os.environ, "MITLA_CACHE": "off"}
    with tempfile.TemporaryFile("w+", encoding="utf-8") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", RUN, *words], env=environment, stdout=log, stderr=log, start_new_session=True
        )
        max_memory = 0
        while process.poll() is None:
            max_memory = max(max_memory, session_memory(process.pid))
            time.sleep(LOOK)
        log.seek(0)
        lines = log.read().splitlines()
    if process.returncode:
        raise SystemExit(f"modgen {' '.join(words)} failed: {lines}")
    return Cost(float(lines[-1]), max_memory / 1e6)


def session_memory(session: int) -> int:
    """The bytes of memory that the processes of a session take now; pages that several share are counted once."""
    size = 0
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            if os.getsid(int(process.name)) == session:
                memory_text = (process / "smaps_rollup").read_text()
                size += 1024 * int(memory_text.partition("\nPss:")[2].split()[0])
    return size


def figures(folder: Path) -> Iterator[str]:
    """Every step with what was promised for the last."""
    for number in (100, 1_000, 10_000):
        pack_folder = pack(folder / f"check{number}", number, 40)
        yield f"check {number:,} counters: {cost('check', str(pack_folder))}{' (promised 5 s)' if number == 10_000 else ''}"
    for number in (50, 500, 5_000):
        pack_folder = pack(folder / f"build{number}", number, 40)
        for output_kind in ("kit", "module"):
            build_cost = cost("build", "--only", output_kind, "--out", str(pack_folder / "out"), str(pack_folder))
            yield f"{output_kind} of {number:,} counters: {build_cost}{' (promised 25 s and 800 MB)' if number == 5_000 else ''}"
    for side in (20, 63, 200):
        pack_folder = pack(folder / f"board{side}", 20, side)
        for output_kind in ("kit", "module"):
            build_cost = cost("build", "--only", output_kind, "--out", str(pack_folder / "out"), str(pack_folder))
            yield f"{output_kind} with a board of {side} by {side} hexes: {build_cost}{' (promised 800 MB)' if side == 200 else ''}"

    for number in (100, 1_000, 10_000):
        yield f"a log of {number:,} stacks and {number:,} moves: {time_log_reading(number, number):.2f} s"


def time_log_reading(stacks: int, moves: int) -> float:
    """Seconds to read a log in which so many stacks of three make so many moves."""
    pieces = [
        add_piece_command(Added(f"p{n}", (Trait("piece;;;;Unit", f"Main Map;{n};{n};;0"),))) for n in range(3 * stacks)
    ]
    piles = [
        add_piece_command(Added(f"s{n}", (Trait("stack", f"Main Map;{n};{n};p{3 * n};p{3 * n + 1};p{3 * n + 2};@@0"),)))
        for n in range(stacks)
    ]
    move_commands = [
        f"LOG\tM/p{n % (3 * stacks)}/Main Map/{n % 999}/{n % 999}/s{n % stacks}/Main Map/0/0/null/me"
        for n in range(moves)
    ]
    start = time.process_time()
    play([*pieces, *piles, *move_commands])
    return time.process_time() - start


def main() -> None:
    """Print every figure."""
    with tempfile.TemporaryDirectory() as name:
        for line in figures(Path(name)):
            print(line, flush=True)


if __name__ == "__main__":
    main()

"""Recordings of every question: `python -m tests.net record|add|compare [GAME]...`; `add` records only questions of which there is
nothing yet, `list` writes the list of all questions."""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from scenarios import load, shipped_games
from tests.net import questions
from tests.net.adapter import input_names
from tests.net.facts import GAMES
from tests.net.recording import CRASHED, add, differences, format_differences, path_of, read, record


def main() -> int:
    """Record, or compare with what was recorded; 1 if anything differs or dies."""
    parser = argparse.ArgumentParser(prog="tests.net", description=__doc__)
    parser.add_argument("what", choices=("record", "add", "compare", "list"))
    parser.add_argument("game", nargs="*", help="only these games")
    parser.add_argument(
        "--draw", action="store_true", help="with record: draw positions and questions anew from their seeds"
    )
    parser.add_argument(
        "--most", type=int, default=20, help="with compare: how many differences of a game are shown whole"
    )
    parser.add_argument("--jobs", type=int, default=2, help="how many games at once")
    arguments = parser.parse_args()
    if arguments.what == "list":
        questions.write()
        return 0
    games = arguments.game or list(shipped_games())
    failures = 0
    with ProcessPoolExecutor(max(1, min(arguments.jobs, len(games)))) as pool:
        recorder = partial(_record, draw=arguments.draw, is_addition=arguments.what == "add")
        work = partial(_compare, max_differences=arguments.most) if arguments.what == "compare" else recorder
        for lines, wrong in pool.map(work, games):
            print("\n".join(lines), flush=True)
            failures += wrong
    return 1 if failures else 0


def _record(game: str, draw: bool, is_addition: bool) -> tuple[list[str], int]:
    began = time.perf_counter()
    recording = add(game) if is_addition else record(game, draw)
    size = path_of(game).stat().st_size
    died = [
        f"{game} {number}: {case.question} {dict(case.inputs)}: {answer[CRASHED]}"
        for number, (case, answer) in enumerate(zip(recording.cases, recording.answers, strict=True))
        if CRASHED in answer
    ]
    seconds = time.perf_counter() - began
    return [
        *died,
        f"{game}: {len(recording.cases)} questions, {len(recording.positions)} positions, {size:,} bytes, {seconds:.0f} s",
    ], len(died)


def _compare(game: str, max_differences: int) -> tuple[list[str], int]:
    began = time.perf_counter()
    recording = read(game)
    changes = list(differences(recording))
    lines = list(format_differences(game, changes, recording, max_differences))
    how_many = (
        f"{len(changes)} of {len(recording.cases)} questions are answered otherwise" if changes else "no difference"
    )
    new = sorted(set(input_names(load(game))) - set(GAMES[game]))
    lines += [f"{game}: not recorded yet: {', '.join(new)}"] if new else []
    return [*lines, f"{game}: {how_many} ({time.perf_counter() - began:.0f} s)"], len(changes)


if __name__ == "__main__":
    sys.exit(main())

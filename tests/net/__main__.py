"""Recordings of every question: `python -m tests.net record|add|compare [GAME]...`; `add` records only questions of which there is
nothing yet, `list` writes the list of all questions."""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from scenarios import load, shipped
from tests.net import questions
from tests.net.adapter import offered
from tests.net.facts import GAMES
from tests.net.recording import CRASHED, add, differences, path_of, read, record, told


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
    asked = parser.parse_args()
    if asked.what == "list":
        questions.write()
        return 0
    games = asked.game or list(shipped())
    failed = 0
    with ProcessPoolExecutor(max(1, min(asked.jobs, len(games)))) as pool:
        recorded = partial(_record, draw=asked.draw, more=asked.what == "add")
        work = partial(_compare, most=asked.most) if asked.what == "compare" else recorded
        for lines, wrong in pool.map(work, games):
            print("\n".join(lines), flush=True)
            failed += wrong
    return 1 if failed else 0


def _record(game: str, draw: bool, more: bool) -> tuple[list[str], int]:
    began = time.perf_counter()
    held = add(game) if more else record(game, draw)
    size = path_of(game).stat().st_size
    died = [
        f"{game} {number}: {case.question} {dict(case.inputs)}: {answer[CRASHED]}"
        for number, (case, answer) in enumerate(zip(held.cases, held.answers, strict=True))
        if CRASHED in answer
    ]
    spent = time.perf_counter() - began
    return [
        *died,
        f"{game}: {len(held.cases)} questions, {len(held.positions)} positions, {size:,} bytes, {spent:.0f} s",
    ], len(died)


def _compare(game: str, most: int) -> tuple[list[str], int]:
    began = time.perf_counter()
    held = read(game)
    found = list(differences(held))
    lines = list(told(game, found, held, most))
    how_many = f"{len(found)} of {len(held.cases)} questions are answered otherwise" if found else "no difference"
    new = sorted(set(offered(load(game))) - set(GAMES[game]))
    lines += [f"{game}: not recorded yet: {', '.join(new)}"] if new else []
    return [*lines, f"{game}: {how_many} ({time.perf_counter() - began:.0f} s)"], len(found)


if __name__ == "__main__":
    sys.exit(main())

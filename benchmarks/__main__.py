"""Measure what the figures promise. Prints; asserts nothing."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from itertools import chain
from pathlib import Path

from benchmarks import (
    builds,
    fire,
    growth,
    importing,
    musketeer,
    october_war,
    page,
    rules,
    sheets,
    sight,
    six_day_war,
    startup,
    watch,
    yom_kippur,
)
from scenarios import check, shipped_games
from scenarios.model.drawn_boards import draw
from scenarios.model.grids import Grid, Numbering


def big_pack(folder: Path) -> None:
    """A pack with 500 counters, 2,000 hexes, a table, and a scenario that places every counter."""
    rng = random.Random(1)
    grid = Grid("flat", 50, 40, "even", numbering=Numbering("xxyy"))
    drawing = draw(grid, {hex: rng.choice("...^v") for hex in grid.hexes})
    names = [grid.name(hex) for hex in grid.hexes]
    rows = "".join(f'    {die}: "{" ".join(["D1"] * 12)}"\n' for die in range(2, 13))
    counters = "".join(
        f"  unit_{i}: {{name: Unit {i}, nation: red, class: foot, type: inf, size: brigade, formation: {i // 10} Div, "
        f"factors: {{attack: {i % 9 + 1}, defense: {i % 7 + 1}, movement: 6}}, steps: 2, "
        "back: {state: reduced, factors: {attack: 1}}, abilities: [elite]}\n"
        for i in range(500)
    )
    groups = "".join(f"        - {{units: {{unit_{i}: 1}}, at: '{rng.choice(names)}'}}\n" for i in range(500))
    block = "".join(f"      {line}\n" for line in drawing.splitlines())
    (folder / "game.yaml").write_text(
        'source: {rulebook: "1"}\ngame: {id: big, title: Big, release: 2026-01-01}\nsides: {red: Red, blue: Blue}\n'
        'nations: {red: {name: Red, side: red, colors: {fill: "#e3a59a", ink: "#3a0d06"}}}\n'
        "states: {reduced: Reduced}\nclasses: {foot: Foot}\ntypes: {inf: Infantry}\nabilities: {elite: Elite}\n"
        "factors: {attack: Attack, defense: Defense, movement: Movement}\n".replace("Attack", "{name: Attack}", 1)
        .replace(": Defense", ": {name: Defense}")
        .replace(": Movement", ": {name: Movement}")
        + 'terrain: {clear: {name: Clear, mark: ".", color: "#ffffff"}, hill: {name: Hill, mark: "^", color: "#aaaaaa"}, '
        'town: {name: Town, mark: "v", color: "#888888"}}\n'
        f"counters:\n{counters}"
        f"tables:\n  crt:\n   title: CRT\n   dice: 2d6\n   columns: {{strength: [{', '.join(map(str, range(1, 13)))}]}}\n"
        f"   cells:\n{rows}"
        "boards:\n  sheet:\n    name: Sheet\n    grid: {columns: 50, rows: 40, numbering: {scheme: xxyy}}\n"
        f"    terrain: |\n{block}"
        "maps: {main: {name: Main, arrangement: {boards: sheet}}}\n"
        f"scenarios:\n  s:\n    title: S\n    map: main\n    turns: {{last: 9}}\n    forces:\n      red:\n       groups:\n{groups}",
        encoding="utf-8",
    )


def best(times: int, call: object) -> float:
    """The best of several runs, in seconds."""
    result = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        call()  # type: ignore[operator]
        result = min(result, time.perf_counter() - start)
    return result


def main() -> None:
    """Print every figure with what was promised."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        big_pack(folder)
        findings = check(folder)
        assert not findings, findings[0]
        print(f"load and check 500 counters, 2,000 hexes: {best(5, lambda: check(folder)):.3f} s (promised 0.3)")
    for game in shipped_games():
        print(f"load and check {game}: {best(3, lambda game=game: check(game)):.3f} s")
    for module in ("modgen.cli", "assistant.cli"):
        words = [sys.executable, "-m", module, "--help"]
        took = best(5, lambda words=words: subprocess.run(words, capture_output=True, check=True))
        bare_seconds = best(5, lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
        print(f"{module} --help: {took:.3f} s (promised 0.25), {took / bare_seconds:.1f} times a bare start of Python")
    with tempfile.TemporaryDirectory() as name:
        for line in chain(builds.figures(Path(name)), growth.figures(Path(name) / "growth")):
            print(line, flush=True)
    for part in (
        startup,
        sheets,
        importing,
        watch,
        rules,
        sight,
        fire,
        october_war,
        yom_kippur,
        six_day_war,
        musketeer,
        page,
    ):
        print("\n".join(part.figures()), flush=True)


if __name__ == "__main__":
    main()

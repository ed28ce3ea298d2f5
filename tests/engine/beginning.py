"""When the Set-up window opens: as a scenario begins, and never as a save or log is loaded or a player joins.

Nothing of it may make the engine ask to save a game that was only looked at.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from modgen.cache import Cache, cache_folder
from modgen.vmod.files.lock import read_lock
from modgen.vmod.files.module import module_bytes
from modgen.vmod.setups.setups import setup_file
from scenarios import load, shipped_games
from scenarios.model.game import Game
from scenarios.model.position import from_scenario
from scenarios.vassal.windows import SETUP, setup_sheets
from tests.engine.battles import Ring
from tests.engine.run import drive, widest
from tests.packs import TWO_WELLS

NO_WINDOW = "no set-up window"


def has_trays(game: Game, scenario: str) -> bool:
    """Whether a scenario has anything to take from trays."""
    return any(sheet.trays for sheet in setup_sheets(game, scenario) if sheet.window == SETUP)


def play_orders(game: Game, folder: Path, scenario: str, number: int) -> Iterator[str]:
    """Orders that begin a scenario, look, save it as it is, take a piece from its place, and save and log on."""
    yield from (f"begin\t{setup_file(game, scenario)}", "loaded", f"say\tVIEW start {scenario}", "frames", "modified")
    yield f"save\t{folder / f'{number}-looked.vsav'}"
    first_piece = next(piece for piece in from_scenario(game, scenario).pieces if piece.unit in game.units)
    places = Ring(game, scenario, read_lock(game.folder), 1).places
    _, x, y = places[len(places) // 2]
    yield from (
        f"log\t{folder / f'{number}.vlog'}",
        f"take\tp\t{first_piece.unit}\t{first_piece.copy}",
        f"go\tp\t{x}\t{y}",
    )
    yield from ("log", f"save\t{folder / f'{number}-moved.vsav'}", f"joined\t{folder / f'{number}-join.txt'}")


def load_orders(folder: Path, scenario: str, number: int) -> Iterator[str]:
    """Orders that load what was written, as File, Load game does; as a player joins; and a log, step by step."""
    for name in ("looked.vsav", "moved.vsav"):
        yield from (
            f"open\t{folder / f'{number}-{name}'}",
            "loaded",
            f"say\tVIEW {name} {scenario}",
            "frames",
            "modified",
        )
    yield from (f"join\t{folder / f'{number}-join.txt'}", "loaded", f"say\tVIEW join {scenario}", "frames")
    yield from (
        f"open\t{folder / f'{number}.vlog'}",
        "loaded",
        "step",
        "step",
        "loaded",
        f"say\tVIEW log {scenario}",
        "frames",
    )


def problems(game: Game, lines: list[str], expected_count: int) -> Iterator[str]:
    """Windows that opened or didn't, and games that are taken for changed ones."""
    views: dict[str, list[str]] = {}
    view = ""
    for line in lines:
        word, *fields = line.split("\t")
        if word.startswith("VIEW "):
            view = word.removeprefix("VIEW ")
            views[view] = []
        elif word == "frame" and fields[0].rpartition(" - ")[2].startswith(SETUP):
            # The name of the file stands before the window's.
            views[view].append(fields[0].rpartition(" - ")[2])
        elif word == "modified" and fields[0] != "false":
            yield f"{view}: the engine would ask to save a game that was only opened"
        elif word in ("unknown", "failed"):
            yield f"{view}: {line}"
    if len(views) != expected_count:
        yield f"{len(views)} of {expected_count} looks were made"
    for view, windows in views.items():
        stage, _, scenario = view.partition(" ")
        right = [SETUP] if stage == "start" and has_trays(game, scenario) else []
        if windows != right:
            yield f"{view}: {', '.join(windows) or NO_WINDOW}; it should be {', '.join(right) or NO_WINDOW}"


def check(engine: Path, game: Game) -> tuple[int, list[str]]:
    """How often it was looked, and everything that isn't right: one engine begins every scenario and writes, another one loads."""
    folder = Path(tempfile.mkdtemp(prefix="mitla-beginning-"))
    module = folder / f"{game.id}.vmod"
    module.write_bytes(module_bytes(game, read_lock(game.folder), Cache(cache_folder())))
    numbered_scenarios = list(enumerate(game.scenarios))
    reloaded_scenarios = [
        (number, key) for number, key in numbered_scenarios if key in (next(iter(game.scenarios)), widest(game))
    ]
    lines = drive(
        engine, module, [order for n, key in numbered_scenarios for order in play_orders(game, folder, key, n)], folder
    )
    findings = [*problems(game, lines, len(numbered_scenarios))]
    lines = drive(
        engine, module, [order for n, key in reloaded_scenarios for order in load_orders(folder, key, n)], folder
    )
    findings += problems(game, lines, 4 * len(reloaded_scenarios))
    if not os.environ.get("KEEP"):
        shutil.rmtree(folder, ignore_errors=True)
    return len(numbered_scenarios) + 4 * len(reloaded_scenarios), findings


def main() -> int:
    """`python -m tests.engine.beginning ENGINE [GAME ...]`"""
    parser = argparse.ArgumentParser(prog="tests.engine.beginning")
    parser.add_argument("engine", type=Path)
    parser.add_argument("games", nargs="*")
    arguments = parser.parse_intermixed_args()
    bad = 0
    for name in arguments.games or [*shipped_games(), TWO_WELLS]:
        looks, findings = check(arguments.engine, load(name))
        print(f"{name}: {looks} looks, {len(findings)} problems", *findings, sep="\n  ", flush=True)
        bad += len(findings)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

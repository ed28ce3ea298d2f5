"""What the menu Ask says of selected units, in every game, and whether the commands that it prints run as they are printed."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from modgen.cache import Cache, cache_folder
from modgen.vmod.files.lock import read_lock
from modgen.vmod.files.module import module_bytes
from modgen.vmod.setups.setups import setup_file
from modgen.vmod.text.advice import ENTRIES, save_questions
from scenarios import load, shipped_games
from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.model.position import Piece, from_scenario
from tests.engine.battles import Ring
from tests.engine.run import drive

SAVE, TAB = "a game.vsav", "\t"


def choose_units(game: Game, scenario: str) -> list[Piece]:
    """Two units of a side, such as can move, and that the scenario sets up on the map if it sets up any there."""
    units = [piece for piece in from_scenario(game, scenario).pieces if piece.unit in game.units]
    placed_pieces = [piece for piece in units if not isinstance(piece.at, str) or ":" not in piece.at]
    movable_pieces = [piece for piece in (*placed_pieces, *units) if can_move(game.units[piece.unit])]
    first = game.units[movable_pieces[0].unit]
    return [piece for piece in movable_pieces if game.units[piece.unit].side == first.side][:2]


def can_move(unit: Unit) -> bool:
    """Whether a unit isn't one that never moves."""
    return (
        unit.factors.get("movement", 1) not in (0, "0")
        and unit.class_ not in ("static", "strike")
        and "static" not in unit.abilities
    )


def orders(game: Game, scenario: str, start: Path, save: Path) -> Iterator[str]:
    """Nobody selected, then one unit, then two, before the game was saved and after it."""
    yield f"load\t{start}"
    places = Ring(game, scenario, read_lock(game.folder), 1).places
    _, x, y = places[len(places) // 2]
    for number, piece in enumerate(choose_units(game, scenario)):
        yield f"take\t{number}\t{piece.unit}\t{piece.copy}"
        yield f"go\t{number}\t{x}\t{y}"
    for selection in ("select", "select\t0", "saved", "select", "select\t0", "select\t0\t1"):
        if selection == "saved":
            yield f"save\t{save}"
            continue
        for name in save_questions(game):
            yield from (selection, f"say\tASK {name} of {selection.count(TAB)}", f"click\t{ENTRIES[name]}", "chat")


def run(command: str, folder: Path) -> tuple[int, str]:
    """What a command says, as it was printed, in the folder of the save."""
    # The commands are beside Python, also where that folder isn't in the path.
    search_path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        shlex.split(command),
        cwd=folder,
        env={**os.environ, "PATH": search_path},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, (done.stdout + done.stderr).strip()


def check(engine: Path, game: Game, scenario: str, show: bool) -> list[str]:
    """What isn't right."""
    folder = Path(tempfile.mkdtemp(prefix="mitla-advice-"))
    module, start, save = folder / f"{game.id}.vmod", folder / "start.vsav", folder / SAVE
    module.write_bytes(module_bytes(game, read_lock(game.folder), Cache(cache_folder())))
    with zipfile.ZipFile(module) as archive:
        start.write_bytes(archive.read(setup_file(game, scenario)))
    lines = drive(engine, module, [*orders(game, scenario, start, save)], folder)
    problems = [line for line in lines if line.startswith(("unknown", "failed"))] + (
        [] if lines[-1] == "DONE" else ["stopped early"]
    )
    about, ran = "", 0
    for line in lines:
        if line.startswith("ASK "):
            about = line
        if show:
            print("   ", line)
        if "Bad Data" in line:
            problems.append(f"{about}: {line}")
        index = line.find("assistant ")
        if line.startswith("chat\t") and index >= 0 and SAVE in line:
            code, output = run(line[index:], folder)
            ran += 1
            if show:
                print("        >", *output.splitlines()[:3], sep="\n        ")
            if code and "can't move: " not in output:
                problems.append(f"{about}: {line[index:]}\n    {output}")
    if ran < len(save_questions(game)):
        problems.append(f"{ran} commands were printed for {len(save_questions(game))} questions")
    shutil.rmtree(folder, ignore_errors=True)
    return problems


def main() -> int:
    """`python -m tests.engine.advice ENGINE [--show] [GAME ...]`"""
    engine, *arguments = sys.argv[1:]
    bad = 0
    for name in [argument for argument in arguments if argument != "--show"] or shipped_games():
        game = load(name)
        problems = check(Path(engine), game, next(iter(game.scenarios)), "--show" in arguments)
        print(f"{name}: {len(problems)} problems", *problems, sep="\n  ", flush=True)
        bad += len(problems)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

"""How long a module keeps a player waiting, in an installed VASSAL: `python -m benchmarks.engine FOLDER`."""

from __future__ import annotations

import statistics
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from modgen.cache import Cache, cache_folder
from modgen.vmod.lock import read_lock
from modgen.vmod.module import module_bytes
from modgen.vmod.setups import setup_file
from scenarios import load
from scenarios.game import Game
from scenarios.position import Piece, from_scenario
from scenarios.vassal.windows import MAIN
from tests.engine.run import drive, replies

BATTLES = (
    ("arab_israeli_wars", "S-2", "direct_fire"),
    ("arab_israeli_wars", "A-5", "direct_fire"),
    ("yom_kippur", "4.5", "ground"),
)
TIMES = 9


def fighters(game: Game, scenario: str) -> list[tuple[str, int]]:
    """Three units of one side and two of the other that are among the pieces of a scenario."""
    position = from_scenario(game, scenario)
    sides: dict[str, list[Piece]] = {}
    for piece in position.pieces:
        if piece.unit in game.units:
            sides.setdefault(game.units[piece.unit].side, []).append(piece)
    first, second, *_ = sides.values()
    return [*((piece.unit, 1) for piece in first[:3]), *((piece.unit, 2) for piece in second[:2])]


def orders(game: Game, scenario: str, attack: str, start: Path, slots: dict[str, str]) -> Iterator[str]:
    """A full set-up, five more pieces on the map that are marked, and the odds again and again."""
    yield f"load\t{start}"
    for number, (unit, role) in enumerate(fighters(game, scenario)):
        x, y = (500, 500) if role == 1 else (620, 500)
        yield f"put\tp{number}\t{slots[unit]}\t{MAIN}\t{x}\t{y}"
        yield f"set\tp{number}\tRole\t{role}"
    for _ in range(TIMES):
        yield f"time\t{attack}-odds"
        yield "say\tEND"


def measure(engine: Path, name: str, scenario: str, attack: str) -> str:
    """One line: the first press, and the middle of those that follow."""
    game = load(name)
    lock = read_lock(game.folder)
    with tempfile.TemporaryDirectory(prefix="mitla-engine-") as held:
        folder = Path(held)
        module, start = folder / "game.vmod", folder / "start.vsav"
        module.write_bytes(module_bytes(game, lock, Cache(cache_folder())))
        with zipfile.ZipFile(module) as archive:
            start.write_bytes(archive.read(setup_file(game, scenario)))
        slots = {unit: lock.gpid(unit) for unit in game.units}
        listed = [*orders(game, scenario, attack, start, slots)]
        times = [float(told["ms"]) for told, _ in replies(drive(engine, module, listed, folder))]
        sizes = f"module {module.stat().st_size / 1e6:.1f} MB, set-up {start.stat().st_size / 1e3:.0f} KB"
    pieces = len(from_scenario(game, scenario).pieces)
    middle = statistics.median(times[1:])
    return f"{name} {scenario} ({pieces} pieces): odds {times[0]:.0f} ms at first, then {middle:.0f} ms; {sizes}"


def main() -> None:
    """Measure every battle."""
    wanted = sys.argv[2:]
    for name, scenario, attack in BATTLES:
        if not wanted or name in wanted:
            print(measure(Path(sys.argv[1]), name, scenario, attack), flush=True)


if __name__ == "__main__":
    main()

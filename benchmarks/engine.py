"""How long a module keeps a player waiting, in an installed VASSAL: `python -m benchmarks.engine FOLDER`."""

from __future__ import annotations

import statistics
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from modgen.cache import Cache, cache_folder
from modgen.vmod.files.keys import SEEN_KEY, SIGHT_KEY
from modgen.vmod.files.lock import read_lock
from modgen.vmod.files.module import module_bytes
from modgen.vmod.setups.setups import setup_file
from modgen.vmod.sight.visibility import has_eyes
from scenarios import load
from scenarios.model.game import Game
from scenarios.model.position import Piece, from_scenario
from scenarios.vassal.windows import MAIN
from tests.engine.run import drive, replies

BATTLES = (
    ("arab_israeli_wars", "S-2", "direct_fire"),
    ("arab_israeli_wars", "A-5", "direct_fire"),
    ("yom_kippur", "4.1", "ground"),
    ("yom_kippur", "4.5", "ground"),
    ("october_war", "standard", "ground"),
)
TIMES = {"open": 3, "odds": 9, "sight": 5, "shade": 5}
"""How often each is done."""
TIME_BUDGETS = {"open": "5 s", "odds": "0.3 s, 1 s at first", "sight": "0.3 s", "shade": "0.3 s"}


def fighters(game: Game, scenario: str) -> list[tuple[str, int]]:
    """Three units of one side and two of the other that are among the pieces of a scenario."""
    position = from_scenario(game, scenario)
    sides: dict[str, list[Piece]] = {}
    for piece in position.pieces:
        if piece.unit in game.units:
            sides.setdefault(game.units[piece.unit].side, []).append(piece)
    first, second, *_ = sides.values()
    return [*((piece.unit, 1) for piece in first[:3]), *((piece.unit, 2) for piece in second[:2])]


def orders(game: Game, scenario: str, attack: str, start: Path, slots: dict[str, str]) -> Iterator[tuple[str, str]]:
    """What is timed and the order for it (before that, with no name, what it takes): a full set-up is opened, five more pieces on
    the map are marked, the odds and sight asked again and again."""
    for _ in range(TIMES["open"]):
        yield "open", f"load\t{start}"
    for number, (unit, role) in enumerate(fighters(game, scenario)):
        x, y = (500, 500) if role == 1 else (620, 500)
        yield "", f"put\tp{number}\t{slots[unit]}\t{MAIN}\t{x}\t{y}"
        yield "", f"set\tp{number}\tRole\t{role}"
    timed_orders = {"odds": f"press\t{attack}-odds"}
    if has_eyes(game):
        timed_orders |= {"sight": f"hotkey\t{SIGHT_KEY}", "shade": f"do\tp0\t{SEEN_KEY}"}
    for name, order in timed_orders.items():
        yield from ((name, order) for _ in range(TIMES[name]))


def measure(engine: Path, name: str, scenario: str, attack: str) -> Iterator[str]:
    """Lines: how long each takes at first, and the middle of the times that follow."""
    game = load(name)
    lock = read_lock(game.folder)
    with tempfile.TemporaryDirectory(prefix="mitla-engine-") as folder_name:
        folder = Path(folder_name)
        module, start = folder / "game.vmod", folder / "start.vsav"
        module.write_bytes(module_bytes(game, lock, Cache(cache_folder())))
        with zipfile.ZipFile(module) as archive:
            start.write_bytes(archive.read(setup_file(game, scenario)))
        slots = {unit: lock.gpid(unit) for unit in game.units}
        labelled_orders = [*orders(game, scenario, attack, start, slots)]
        lines = [
            line for label, order in labelled_orders for line in ([f"time\t{order}", "say\tEND"] if label else [order])
        ]
        times = [float(reply["ms"]) for reply, _ in replies(drive(engine, module, lines, folder))]
        sizes = f"module {module.stat().st_size / 1e6:.1f} MB, set-up {start.stat().st_size / 1e3:.0f} KB"
    yield f"{name} {scenario}: {len(from_scenario(game, scenario).pieces)} pieces, {sizes}"
    timed_labels = [label for label, _ in labelled_orders if label]
    for label, limit in TIME_BUDGETS.items():
        label_times = [ms for timed_label, ms in zip(timed_labels, times, strict=True) if timed_label == label]
        if label_times:
            yield f"  {label}: {label_times[0]:.0f} ms at first, then {statistics.median(label_times[1:]):.0f} ms (promised {limit})"


def main() -> None:
    """Measure every battle."""
    selection = sys.argv[2:]
    for name, scenario, attack in BATTLES:
        if not selection or name in selection:
            for line in measure(Path(sys.argv[1]), name, scenario, attack):
                print(line, flush=True)


if __name__ == "__main__":
    main()

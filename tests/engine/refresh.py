"""An old save in a new module: after the engine's Refresh Counters every piece is as it was, and called as it is now."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from modgen.cache import Cache, cache_folder
from modgen.vmod.check.engine import Engine, EngineLine, find_engine, run_script
from modgen.vmod.check.engine_report import EnginePiece, complaints, parse_line
from modgen.vmod.files.lock import Lock
from modgen.vmod.files.module import module_bytes
from scenarios import load
from scenarios.pack.pack_folder import find_pack
from tests.changing import reorder_counters
from tests.engine.saves import PLAY, STEPS
from tests.packs import TWO_WELLS

PACKS = ((TWO_WELLS, "counters.yaml"), (find_pack("six_day_war"), "counters_egypt.yaml"))
REFRESH = """
open(given[0]);
load(new File(given[1]));
step("before", new Runnable() { public void run() { list(); } });
say("REFRESH", new Object[] {});
refresh();
step("after", new Runnable() { public void run() { list(); paint(); } });
chat();
"""


def piece_identity(piece: EnginePiece) -> tuple[object, ...]:
    """What a piece must keep; a layer that shows nothing may come anew."""
    layers = tuple(sorted((name, level) for name, level in piece.layers.items() if level))
    return piece.gpid, piece.unit, piece.copy, piece.window, piece.location, piece.x, piece.y, layers


def piece_changes(old_pieces: list[EnginePiece], new_pieces: list[EnginePiece]) -> Iterator[str]:
    """The pieces that aren't as they were."""
    was, new_counts = Counter(map(piece_identity, old_pieces)), Counter(map(piece_identity, new_pieces))
    yield from (f"was {piece}" for piece in was - new_counts)
    yield from (f"now {piece}" for piece in new_counts - was)


def check(engine: Engine, pack: Path, file: str, folder: Path) -> tuple[int, list[str]]:
    """One game: how many pieces were refreshed, and what isn't right."""
    cache, lock = Cache(cache_folder()), Lock()
    old, save, log, new = (folder / name for name in ("old.vmod", "a.vsav", "a.vlog", "new.vmod"))
    old.write_bytes(module_bytes(load(pack, with_config_overlays=False), lock, cache))
    copy, renamed_key = reorder_counters(pack, file, folder / "next")
    changed_game = load(copy, with_config_overlays=False)
    new.write_bytes(module_bytes(changed_game, lock, cache))
    words = PLAY.read_text(encoding="utf-8")
    play_lines = run_script(engine, STEPS, [str(old), str(save), str(log), f'{{"game":"{changed_game.id}"}}'], words)
    lines = run_script(engine, REFRESH, [str(new), str(save)])
    differences = [*complaints(play_lines), *complaints(lines)]
    differences += [
        line.fields[0] for line in lines if line.word == "CHAT" and line.fields[0].lstrip("- ").startswith("~")
    ]
    if EngineLine("REFRESH", ()) not in lines:
        return 0, [*differences, "nothing was refreshed"]
    middle = lines.index(EngineLine("REFRESH", ()))
    parts = (lines[:middle], lines[middle:])
    first, second = ([parse_line(line) for line in part if line.word == "PIECE"] for part in parts)
    differences += piece_changes(first, second)
    names = {piece.name for piece in second if piece.unit == renamed_key}
    if names and names != {changed_game.units[renamed_key].name}:
        differences.append(f"{renamed_key} is still called {names}")
    return len(second), differences


def main() -> int:
    """`python -m tests.engine.refresh ENGINE`"""
    engine = find_engine(Path(sys.argv[1]))
    bad = 0
    for pack, file in PACKS:
        with tempfile.TemporaryDirectory() as folder:
            pieces, differences = check(engine, pack, file, Path(folder))
        print(
            f"{pack.name}: {pieces} pieces refreshed, {len(differences)} differences",
            *differences[:10],
            sep="\n  ",
            flush=True,
        )
        bad += len(differences) + (not pieces)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

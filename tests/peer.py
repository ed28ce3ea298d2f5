"""Our modules read by another program: pywargame must find the same pieces, in the palette and in every set-up.

`python -m tests.peer PYTHON [FILE.vmod ...]`, where PYTHON is one that has pywargame (see `make check-peer`).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from modgen.cache import Cache, cache_folder
from modgen.vmod.files.loaded_module import LoadedModule, open_module, traits_of
from modgen.vmod.files.lock import read_lock
from modgen.vmod.files.module import module_bytes
from scenarios import load, shipped_games
from scenarios.vassal.archive import read_save
from scenarios.vassal.playing import TablePiece, play_text
from scenarios.vassal.sequence import split

READER = Path(__file__).with_name("peer_reading.py")
Pieces = Counter[tuple[object, ...]]


def palette(module: LoadedModule) -> Pieces:
    """Id and name of every slot, as we read them."""
    return Counter((slot.get("gpid"), basic_name(traits_of(slot.text or ""))) for slot in module.elements("PieceSlot"))


def basic_name(types: list[str]) -> str:
    """The name of the piece itself."""
    return split(types[-1], ";")[4]


def read_save_rows(path: Path) -> Pieces:
    """Every piece of a save, as we read it."""
    text, _ = read_save(path)
    return Counter(map(row, play_text(text).pieces.values()))


def row(piece: TablePiece) -> tuple[object, ...]:
    """What must be the same: palette id, counter, name, window, pixels."""
    unit = piece.properties.get("unit", "")
    gpid = split(piece.states[-1], ";")[3]
    return gpid, unit, basic_name(list(piece.types)), piece.window, piece.x, piece.y


def differences(our_pieces: Pieces, their_pieces: Pieces, source: str) -> Iterator[str]:
    """What only one of the two found."""
    yield from (f"{source}: only we find {piece}" for piece in our_pieces - their_pieces)
    yield from (f"{source}: only pywargame finds {piece}" for piece in their_pieces - our_pieces)


def compare(path: Path, their_reading: dict[str, Any]) -> Iterator[str]:
    """Both readings of a module and its set-ups, compared."""
    module = open_module(path)
    yield from differences(
        palette(module), Counter((p["gpid"], p["name"]) for p in their_reading["palette"]), "palette"
    )
    saves = {name: content for name, content in module.files.items() if name.endswith(".vsav")}
    keys = ("gpid", "unit", "name", "window", "x", "y")
    with tempfile.TemporaryDirectory() as folder:
        for name, content in saves.items():
            save = Path(folder) / name
            save.write_bytes(content)
            save_pieces = Counter(tuple(piece[key] for key in keys) for piece in their_reading["saves"].get(name, ()))
            yield from differences(read_save_rows(save), save_pieces, name)


def main() -> int:
    """Build every game's module (or take those that are named) and compare."""
    python, *paths = sys.argv[1:]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        if not paths:
            for name in shipped_games():
                path, game = Path(folder) / f"{name}.vmod", load(name, with_config_overlays=False)
                path.write_bytes(module_bytes(game, read_lock(game.folder), Cache(cache_folder())))
                paths.append(str(path))
        for path_name in paths:
            done = subprocess.run([python, str(READER), path_name], capture_output=True, text=True, check=False)
            if done.returncode:
                print(f"{Path(path_name).name}: pywargame can't read it", done.stderr.strip()[-400:], sep="\n  ")
                bad += 1
                continue
            their_reading = json.loads(done.stdout.splitlines()[-1])
            differences = list(compare(Path(path_name), their_reading))
            pieces = sum(map(len, their_reading["saves"].values()))
            summary = (
                f"{len(their_reading['palette'])} in the palette, {pieces} in {len(their_reading['saves'])} set-ups"
            )
            print(
                f"{Path(path_name).name}: {summary}, {len(differences)} differences",
                *differences[:10],
                sep="\n  ",
                flush=True,
            )
            bad += len(differences)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

"""Marks, piles and cancelled questions in an installed VASSAL, by the keys that a player presses."""

from __future__ import annotations

import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from modgen.cache import Cache, cache_folder
from modgen.vmod.files.keys import ATTACKER, DEFENDER, ELIMINATE
from modgen.vmod.files.lock import read_lock
from modgen.vmod.files.module import module_bytes
from modgen.vmod.setups.setups import setup_file
from scenarios import load
from scenarios.vassal.windows import MAIN
from tests.engine.run import drive, replies

SCENARIO = "S-2"


def orders(start: Path, tank: str, enemy: str, table: str) -> Iterator[str]:
    """What a player does: three marks, two of them eliminated, odds, an attack, a roll that is cancelled."""
    yield f"load\t{start}"
    yield "clear"
    for name, slot, x, y in (("one", tank, 400, 400), ("two", tank, 400, 500), ("target", enemy, 600, 500)):
        yield f"put\t{name}\t{slot}\t{MAIN}\t{x}\t{y}"
    for name, key in (("one", ATTACKER), ("two", ATTACKER), ("target", DEFENDER)):
        yield f"key\t{name}\t{key}"
    roles = [f"of\t{name}\tRole" for name in ("one", "two", "target")]
    ask_orders = ["ask\tv_direct_fire_attack", *roles, "chat", "say\tEND"]
    yield from ["press\tdirect_fire-odds", *ask_orders]
    yield from [f"key\ttwo\t{ELIMINATE}", "press\tdirect_fire-odds", *ask_orders]
    yield from ["set\ttwo\tRole\t1", "press\tdirect_fire-odds", *ask_orders]
    yield from ["press\tdirect_fire-fight", *ask_orders]
    yield from [f"click\t{table}", "chat", "say\tEND"]


def check(engine: Path) -> Iterator[str]:
    """Everything that isn't as a player expects."""
    game = load("arab_israeli_wars")
    lock = read_lock(game.folder)
    table = next(
        candidate for candidate in game.tables.values() if candidate.dice and len(candidate.columns.labels) > 1
    )
    with tempfile.TemporaryDirectory(prefix="mitla-engine-") as name:
        folder = Path(name)
        module, start = folder / "game.vmod", folder / "start.vsav"
        module.write_bytes(module_bytes(game, lock, Cache(cache_folder())))
        with zipfile.ZipFile(module) as archive:
            start.write_bytes(archive.read(setup_file(game, SCENARIO)))
        commands = [*orders(start, lock.gpid("m60a1"), lock.gpid("t_55"), table.title)]
        lines = drive(engine, module, commands, folder)
    (both_readings, _), (alone_readings, _), (repeat_readings, chat), (fight_readings, fight_chat), (_, cancel_chat) = (
        replies(lines)
    )
    roles = [
        [readings[f"{name}.Role"] for name in ("one", "two", "target")]
        for readings in (both_readings, alone_readings, repeat_readings, fight_readings)
    ]
    if roles != [["1", "1", "2"], ["1", "0", "2"], ["1", "0", "2"], ["0", "0", "0"]]:
        yield f"roles are {roles}"
    strengths = [
        float(readings["v_direct_fire_attack"]) for readings in (both_readings, alone_readings, repeat_readings)
    ]
    if not strengths[0] == 2 * strengths[1] == 2 * strengths[2] > 0:
        yield f"strengths are {strengths}"
    if not any("isn't on the map" in line for line in chat):
        yield f"nobody is told that a marked piece is off the map: {chat}"
    if not any(" = " in line for line in fight_chat):
        yield f"nothing was thrown: {fight_chat}"
    if cancel_chat:
        yield f"a question that was cancelled told {cancel_chat}"


def main() -> int:
    """`python -m tests.engine.marks ENGINE`"""
    problems = [*check(Path(sys.argv[1]))]
    print(f"marks: {len(problems)} problems", *problems, sep="\n  ")
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main())

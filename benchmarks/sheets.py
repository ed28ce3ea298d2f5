"""A pack whose 5,000 counters stand in a spreadsheet."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from scenarios import check

ROWS = 5000
PACK = """source: {mine: a measurement}
game: {id: large, title: Large, release: 2026-01-01}
sides: {red: Red}
nations: {red: {name: Red, side: red, colors: {fill: "#e3a59a", ink: "#3a0d06"}}}
states: {reduced: Reduced}
classes: {foot: Foot}
types: {infantry: Infantry}
abilities: {elite: Elite}
factors: {attack: {name: Attack}, defense: {name: Defense}, movement: {name: Movement}}
terrain: {clear: {name: Clear, mark: ".", color: "#ffffff"}}
counters: {csv: counters.csv}
"""


def figures() -> Iterator[str]:
    """How long reading and checking it takes."""
    with tempfile.TemporaryDirectory() as temporary_folder:
        folder = Path(temporary_folder)
        (folder / "game.yaml").write_text(PACK, encoding="utf-8")
        head = "id,name,nation,class,type,size,attack,defense,movement,back.state,back.attack,steps,abilities,numbers"
        rows = [
            f"unit_{i},Unit {i},red,foot,infantry,brigade,{i % 9},{i % 7},6,reduced,1,2,elite,{i + 1}"
            for i in range(ROWS)
        ]
        (folder / "counters.csv").write_text("\n".join([head, *rows]), encoding="utf-8")
        assert not check(folder)
        start = time.perf_counter()
        check(folder)
        yield f"load and check {ROWS:,} counters in a spreadsheet: {time.perf_counter() - start:.3f} s (promised 1)"

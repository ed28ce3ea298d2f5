"""A module of 1,000 pieces as a pack."""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from PIL import Image

from modgen.importing.pack import read_module, write_pack
from scenarios.vassal.archive import pack_zip, veil
from scenarios.vassal.commands import Added, Trait, add_piece_command, append_commands

PIECES = 1000
NUMBERS = '<g.HexGridNumbering first="H" hLeading="1" vLeading="1" stagger="false"/>'
GRID = f'<g.HexGrid x0="50" y0="50" dx="52" dy="60" sideways="false">{NUMBERS}</g.HexGrid>'
BOARD = f'<b.BoardPicker><b.Board name="Board" image="map.png">{GRID}</b.Board></b.BoardPicker>'


def module() -> bytes:
    """1,000 pieces, each with pictures of its own for both sides and eight traits, set up in one save."""
    files: dict[str, bytes] = {}
    slots, stack_commands = [], []
    for n in range(PIECES):
        for side, color in (("f", (n % 256, 90, 60)), ("b", (60, 90, n % 256))):
            buffer = io.BytesIO()
            Image.new("RGB", (75, 75), color).save(buffer, "PNG")
            files[f"images/{n}{side}.png"] = buffer.getvalue()
        layer = Trait(
            f"emb2;;;;;;;;;;;;1;false;0;0;{n}f.png,{n}b.png;,;true;Steps;;;false;;1;1;true;;;;;1.0;;true", "1"
        )
        marks = [Trait(f"mark;Value{i}", str(n % (i + 2))) for i in range(6)]
        traits = [layer, *marks, Trait("mark;Side", "Red" if n % 2 else "Blue")]
        text = add_piece_command(Added("", (*traits, Trait(f"piece;;;;Unit {n}", f"null;0;0;{n};0"))))
        slots.append(
            f'<VASSAL.build.widget.PieceSlot entryName="Unit {n}" gpid="{n}">{escape(text)}</VASSAL.build.widget.PieceSlot>'
        )
        state = f"Map;{50 + 52 * (n % 30)};{50 + 60 * (n // 30) + 30 * (n % 30 % 2)};{n};0"
        stack_commands.append(add_piece_command(Added(str(n), (*traits, Trait(f"piece;;;;Unit {n}", state)))))
    buffer = io.BytesIO()
    Image.new("RGB", (1650, 2200), "beige").save(buffer, "PNG")
    files["images/map.png"] = buffer.getvalue()
    files["a.vsav"] = pack_zip({"savedGame": veil(append_commands("begin_save", [*stack_commands, "end_save"]))})
    board = f'<VASSAL.build.module.Map mapName="Map">{BOARD}</VASSAL.build.module.Map>'
    roster = "<m.PlayerRoster><entry>Red</entry><entry>Blue</entry></m.PlayerRoster>"
    setup = '<m.PredefinedSetup name="All" file="a.vsav" useFile="true" isMenu="false"/>'
    build = f'<VASSAL.build.GameModule name="Large" version="1">{roster}{board}{"".join(slots)}{setup}</VASSAL.build.GameModule>'
    return pack_zip({**files, "buildFile.xml": build.encode()})


def figures() -> Iterator[str]:
    """How long importing it takes."""
    with tempfile.TemporaryDirectory() as temporary_folder:
        path = Path(temporary_folder) / "large.vmod"
        path.write_bytes(module())
        start = time.perf_counter()
        imported_module = read_module(path)
        write_pack(imported_module, Path(temporary_folder) / "large")
        seconds = time.perf_counter() - start
        assert (
            imported_module.report.counts["pieces set up"] == PIECES
            and imported_module.report.counts["counters"] == PIECES
        )
        yield f"import a module of {PIECES:,} pieces: {seconds:.2f} s (promised 10)"

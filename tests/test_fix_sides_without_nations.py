"""A side may have no nation, and a module may have no sides: what `check` passes, `build` builds."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from modgen.cli import cli as modgen
from tests.asking import run_command
from tests.packs import break_pack
from tests.vassal_module import (
    MODULE,
    board,
    element,
    module,
    picture,
    piece,
    piece_command,
    regions,
    roster,
    save,
    setup,
    slot,
    window,
)


def built(pack: Path, out: Path) -> zipfile.ZipFile:
    """The module of a pack that checks."""
    checked = run_command(modgen, "check", pack, "--no-overlay")
    assert checked.exit_code == 0, checked.output
    result = run_command(modgen, "build", pack, "--only", "module", "--only", "kit", "--out", out, "--no-overlay")
    assert result.exit_code == 0, result.output
    return zipfile.ZipFile(next(out.rglob("*.vmod")))


def test_a_side_without_a_nation_has_a_flag(tmp_path: Path) -> None:
    pack, _, _ = break_pack(
        tmp_path, "game.yaml", "  blue: {name: Blue}\n", "  blue: {name: Blue}\n  green: {name: Green}\n"
    )
    with built(pack, tmp_path / "out") as files:
        for side in ("red", "blue", "green"):
            flag = Image.open(io.BytesIO(files.read(f"images/flag-{side}.png")))
            assert len(flag.convert("RGBA").getcolors(1 << 20) or ()) > 2
        assert "Green" in files.read("buildFile.xml").decode()


@pytest.mark.parametrize("sides", [("Red", "Blue", "Green"), ("Red",), ()], ids=["three", "one", "none"])
def test_an_imported_pack_with_idle_sides_builds(sides: tuple[str, ...], tmp_path: Path) -> None:
    parts = [
        roster(*sides),
        element(
            MODULE + "PieceWindow",
            element("VASSAL.build.widget.ListWidget", slot("Red foot", gpid="1", image="red.png"), entryName="Red"),
            name="Pieces",
        ),
        window("Map", board("Land", "map.png", regions(("Paris", 100, 100), ("Metz", 300, 120)))),
        setup("Start", "start.vsav"),
    ]
    commands = [
        piece_command("a", piece("Red foot", gpid="1", image="red.png", position="Map;100;100")),
        "MapBoardPicker\tLand\t0\t0",
    ]
    files = {
        "images/red.png": picture("red"),
        "images/map.png": picture("khaki", (600, 400)),
        "start.vsav": save(commands),
    }
    path = module(tmp_path / "theirs.vmod", *parts, files=files)
    pack = tmp_path / "my_game"
    assert run_command(modgen, "import", path, "--to", pack).exit_code == 0
    with built(pack, tmp_path / "out") as made:
        assert "buildFile.xml" in made.namelist()

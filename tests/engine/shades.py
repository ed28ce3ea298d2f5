"""Shaded hexes in an installed VASSAL: the background beside the map is never shaded, whatever the zoom."""

from __future__ import annotations

import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageChops

from modgen.cache import Cache, cache_folder
from modgen.vmod.files.keys import AREAS, ZONE
from modgen.vmod.files.lock import read_lock
from modgen.vmod.files.module import module_bytes
from modgen.vmod.pieces.prototypes import shade_colors
from modgen.vmod.setups.setups import setup_file
from scenarios import load, shipped_games
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.vassal.geometry import BoardSheet
from scenarios.vassal.windows import MAIN
from tests.engine.run import drive

BEYOND = 300
"""The pixels of background that are painted to the right of the map and below."""


def check(engine: Path, game: Game) -> Iterator[str]:
    """What isn't right: each counter's areas are shaded in the last corner of the map."""
    scenario, table = next((key, value) for key, value in game.scenario_maps.items() if isinstance(value, HexMap))
    sheet = BoardSheet(table)
    x, y = max((sheet.centre(hex) for hex in table.hexes), key=sum)
    lock = read_lock(game.folder)
    with tempfile.TemporaryDirectory(prefix="mitla-shades-") as name:
        folder = Path(name)
        module, start = folder / "a.vmod", folder / "start.vsav"
        module.write_bytes(module_bytes(game, lock, Cache(cache_folder())))
        with zipfile.ZipFile(module) as archive:
            start.write_bytes(archive.read(setup_file(game, scenario)))
        units = [*game.units][:: max(1, len(game.units) // 12)]
        commands = [f"load\t{start}", "units gone"]
        commands += [f"put\t{i}\t{lock.gpid(unit)}\t{MAIN}\t{x}\t{y}" for i, unit in enumerate(units)]
        commands += [f"paint\t{MAIN}\t{folder / 'plain.png'}\t{BEYOND}", "rest"]
        commands += [f"do\t{i}\t{key}" for i in range(len(units)) for key in (*AREAS, ZONE)]
        lines = drive(engine, module, [*commands, f"paint\t{MAIN}\t{folder / 'shaded.png'}\t{BEYOND}"], folder)
        yield from (line for line in lines if line.startswith(("failed", "unknown")))
        plain_image, shaded_image = (Image.open(folder / f"{name}.png") for name in ("plain", "shaded"))
        width, height = plain_image.width - BEYOND, plain_image.height - BEYOND
        changes = ImageChops.difference(plain_image, shaded_image).convert("L")
        inside = changes.crop((0, 0, width, height))
        if inside.getbbox() is None:
            yield f"{game.id}: nothing is shaded"
        for box in ((width + 1, 0, width + BEYOND, height + BEYOND), (0, height + 1, width + BEYOND, height + BEYOND)):
            if changes.crop(box).getbbox() is not None:
                yield f"{game.id}: the background is shaded in {changes.crop(box).getbbox()} of {box}"


def main() -> int:
    """`python -m tests.engine.shades PATH`"""
    problems = [
        f"{game.id}: {line}"
        for game in map(load, shipped_games())
        if shade_colors(game)
        for line in check(Path(sys.argv[1]), game)
    ]
    print("\n".join(problems) or "shadings end at the edge of every map")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

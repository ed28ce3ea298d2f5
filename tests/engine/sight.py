"""Random pairs of hexes: what the module's tables say of sight and hull down, and what the assistant says; and one known shot."""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

from PIL import Image

from modgen.cache import Cache, cache_folder
from modgen.vmod.battle.combat import LOCATE
from modgen.vmod.files.keys import SEEN_KEY
from modgen.vmod.files.lock import read_lock
from modgen.vmod.files.module import module_bytes
from modgen.vmod.setups.setups import setup_file
from modgen.vmod.sight.visibility import SightTable
from scenarios import load
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, distance
from scenarios.model.maps import HexMap
from scenarios.pack.pack_folder import SAMPLES
from scenarios.vassal.geometry import BoardSheet
from scenarios.vassal.windows import MAIN
from tests.engine.run import drive
from tests.sights import field_of, look

GAME, SCENARIOS = "arab_israeli_wars", ("S-2", "A-5")
"""One board, and four."""
GUN, TANK = "85", "centurion"
SHOT = ("W-6", "Y-7")
"""In S-2: the guns see the tanks, and a hillside shields them."""


def orders(game: Game, scenario: str, pairs: list[tuple[Hex, Hex]]) -> list[str]:
    """Each pair with a gun in the first hex and a tank in the second."""
    table, lock = game.scenario_maps[scenario], read_lock(game.folder)
    assert isinstance(table, HexMap)
    sheet = BoardSheet(table)
    gun = next(key for key in game.units if GUN in key)
    tank = next(key for key in game.units if TANK in key)
    commands = ["clear"]
    for name, unit, role, hex in (("a", gun, "1", pairs[0][0]), ("b", tank, "2", pairs[0][1])):
        x, y = sheet.centre(hex)
        commands += [f"put\t{name}\t{lock.gpid(unit)}\t{MAIN}\t{x}\t{y}", f"set\t{name}\tRole\t{role}"]
    for pair in pairs:
        for name, hex in zip(("a", "b"), pair, strict=True):
            x, y = sheet.centre(hex)
            commands.append(f"at\t{name}\t{x}\t{y}")
        commands += [f"press\t{LOCATE.rpartition(',')[2]}", "of\ta\tSees", "of\ta\tFold", "say\tEND"]
    return commands


def check(engine: Path, game: Game, scenario: str, number: int) -> list[str]:
    """Where module and assistant differ."""
    folder = Path(tempfile.mkdtemp(prefix="mitla-sight-"))
    module, start = folder / "a.vmod", folder / "start.vsav"
    module.write_bytes(module_bytes(game, read_lock(game.folder), Cache(cache_folder())))
    with zipfile.ZipFile(module) as archive:
        start.write_bytes(archive.read(setup_file(game, scenario)))
    table = game.scenario_maps[scenario]
    assert isinstance(table, HexMap)
    dice = random.Random(f"{scenario} {number}")
    pairs = [tuple(dice.sample(table.hexes, 2)) for _ in range(number)]
    if scenario == "S-2":
        pairs.append(tuple(map(table.hex, SHOT)))
    lines = drive(engine, module, [f"load\t{start}", *orders(game, scenario, pairs)], folder)  # type: ignore[arg-type]
    shutil.rmtree(folder, ignore_errors=True)
    answers: list[dict[str, str]] = []
    properties: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition("\t")
        if name == "END":
            answers.append(properties)
            properties = {}
        else:
            properties[name] = value
    field, wrong = field_of(game, scenario), []
    if len(answers) != len(pairs):
        wrong.append(f"{scenario}: {len(answers)} of {len(pairs)} pairs were answered")
    for (from_hex, two), answer in zip(pairs, answers, strict=False):
        expected_look = look(field, from_hex, two)
        sees, hull_down = answer.get("a.Sees") == "true", answer.get("a.Fold") not in ("0", "", None)
        if (sees, hull_down) != (expected_look.clear, expected_look.clear and bool(expected_look.shields)):
            line = f"{scenario}: {table.name(from_hex)} to {table.name(two)}"
            wrong.append(f"{line}: {sees}, {hull_down}, not {expected_look.clear}, {len(expected_look.shields)}")
    if (
        scenario == "S-2"
        and answers
        and (answers[-1].get("a.Sees"), answers[-1].get("a.Fold") in ("0", "")) != ("true", False)
    ):
        wrong.append(f"{' to '.join(SHOT)} isn't told hull down: {answers[-1]}")
    return wrong


def shading(engine: Path, game: Game, scenario: str, unit: str, number: int) -> list[str]:
    """Hexes that are shaded for a unit and not seen, or the other way round: the map is painted before and after it is asked."""
    folder = Path(tempfile.mkdtemp(prefix="mitla-shading-"))
    module, start = folder / "a.vmod", folder / "start.vsav"
    lock = read_lock(game.folder)
    module.write_bytes(module_bytes(game, lock, Cache(cache_folder())))
    with zipfile.ZipFile(module) as archive:
        start.write_bytes(archive.read(setup_file(game, scenario)))
    table = game.scenario_maps[scenario]
    assert isinstance(table, HexMap)
    sheet, look = BoardSheet(table), SightTable(game, scenario)
    lookers = random.Random(scenario).sample(table.hexes, number)
    x, y = sheet.centre(lookers[0])
    slot = next(key for key in game.units if unit in key)
    paint = f"paint\t{MAIN}\t{folder / 'bare.png'}"
    commands = [
        f"load\t{start}",
        "units gone",
        f"put\ta\t{lock.gpid(slot)}\t{MAIN}\t{x}\t{y}",
        *(paint, "rest") * 3,
        paint,
    ]
    for i, hex in enumerate(lookers):
        x, y = sheet.centre(hex)
        commands += [
            f"at\ta\t{x}\t{y}",
            f"do\ta\t{SEEN_KEY}",
            f"paint\t{MAIN}\t{folder / f'{i}.png'}",
            f"do\ta\t{SEEN_KEY}",
        ]
    lines = drive(engine, module, commands, folder)
    times = [float(line.partition("\t")[2]) for line in lines if line.startswith("painted")]
    print(f"  {scenario}: painted in {times[3]:.0f} ms without shading, {max(times[4:]):.0f} ms with it")
    wrong = [line for line in lines if line.startswith(("failed", "unknown"))]
    views = look.visible_hexes()
    plain_image = Image.open(folder / "bare.png")
    for i, hex in enumerate(lookers):
        shaded_image, visible_hexes = Image.open(folder / f"{i}.png"), set(views[hex])
        zoom = shaded_image.width / sheet.size[0]
        for other_hex in table.hexes:
            x, y = (
                min(round(zoom * value), length - 1)
                for value, length in zip(sheet.centre(other_hex), shaded_image.size, strict=True)
            )
            is_shaded = plain_image.getpixel((x, y)) != shaded_image.getpixel((x, y))
            if (
                distance(hex, other_hex) > 1
                and distance(lookers[0], other_hex) > 1
                and is_shaded != (other_hex in visible_hexes)
            ):
                wrong.append(
                    f"{scenario}: from {table.name(hex)}: {table.name(other_hex)} is {'' if is_shaded else 'not '}shaded"
                )
    shutil.rmtree(folder, ignore_errors=True)
    return wrong


def main() -> int:
    """`python -m tests.engine.sight ENGINE [NUMBER]`"""
    game, number, bad = load(GAME), int(sys.argv[2]) if len(sys.argv) > 2 else 1000, 0
    for scenario in SCENARIOS:
        problems = check(Path(sys.argv[1]), game, scenario, number // len(SCENARIOS))
        print(
            f"{scenario}: {number // len(SCENARIOS)} pairs, {len(problems)} differences",
            *problems[:10],
            sep="\n  ",
            flush=True,
        )
        bad += len(problems)
    for pack, scenario, unit in (
        (GAME, "S-2", GUN),
        (GAME, "A-5", GUN),
        (GAME, "A-4", GUN),
        ("ridge", "dusk", "tanks"),
    ):
        loaded_game = load(SAMPLES / pack if pack == "ridge" else pack)
        problems = shading(Path(sys.argv[1]), loaded_game, scenario, unit, 4)
        print(
            f"{pack} {scenario}: what four units see is shaded, {len(problems)} differences",
            *problems[:10],
            sep="\n  ",
            flush=True,
        )
        bad += len(problems)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

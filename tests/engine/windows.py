"""Opens every window of every module on a small and on a large screen: each has to fit, and none may cover toolbar or chat.

With a folder it also writes a picture of each: `python -m tests.engine.windows ENGINE --pictures FOLDER [GAME ...]`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from modgen.cache import Cache, cache_folder
from modgen.vmod.files import keys
from modgen.vmod.files.frame import HELP
from modgen.vmod.files.loaded_module import open_module
from modgen.vmod.files.lock import read_lock
from modgen.vmod.files.module import module_bytes
from modgen.vmod.pieces.pools import hand_name
from modgen.vmod.setups.setups import setup_file
from modgen.vmod.sight.visibility import has_eyes
from scenarios import load, shipped_games
from scenarios.model.game import Game
from scenarios.model.position import from_scenario
from scenarios.vassal.sequence import split
from scenarios.vassal.windows import SETUP, SOLITAIRE, TraySheet, box_sheets, map_of, setup_sheets
from tests.engine.battles import Ring
from tests.engine.run import drive, widest

SCREENS = ((1366, 768), (1920, 1200))
FIXED_WINDOWS = ("main", "map", *HELP)
"""What the engine places by itself."""
TALL = (1, 3, 10, 16)
"""How many pieces a stack has that is looked into."""


INNER = ("State", "Battle", "Movement", "Eliminate")
"""The menus in a piece's menu."""


@dataclass(frozen=True)
class Frame:
    """A window on the screen, and how many scrollbars show in it."""

    name: str
    x: int
    y: int
    width: int
    height: int
    bars: int


def scenarios(game: Game) -> list[str]:
    """The scenarios to look at: the first, the one with most boards, and the one with most to set up; or those that LOOK names."""
    if os.environ.get("LOOK"):
        return [key for key in os.environ["LOOK"].split(",") if key in game.scenarios]
    trays = {key: sum(len(sheet.trays) for sheet in setup_sheets(game, key)) for key in game.scenarios}
    return list(dict.fromkeys([next(iter(game.scenarios)), widest(game), max(trays, key=lambda key: trays[key])]))


Menus = Mapping[str, list[str]]
"""The menus of the toolbar, each with the menus in it."""


def menus(module: Path) -> Menus:
    """The menus of a module's toolbar: those that are no entry of another."""
    texts = {
        part.get("text", ""): split(part.get("menuItems", ""), ",")
        for part in open_module(module).elements("ToolbarMenu")
    }
    inner = {entry for entries in texts.values() for entry in entries}
    return {
        text: [entry for entry in entries if entry in texts] for text, entries in texts.items() if text not in inner
    }


def empty_places(game: Game, scenario: str) -> Iterator[tuple[str, int, int]]:
    """A place of each kind of terrain that nobody is in, with its point."""
    occupied_places = {piece.at for piece in from_scenario(game, scenario).pieces}
    ring = Ring(game, scenario, read_lock(game.folder), 1)
    place_by_terrain: dict[str, tuple[str, int, int]] = {}
    for place in ring.places:
        if place[0] not in occupied_places:
            place_by_terrain.setdefault(ring.terrain(place), (ring.terrain(place), place[1], place[2]))
    yield from place_by_terrain.values()


def views(game: Game, scenario: str, toolbar: Menus) -> Iterator[tuple[str, list[str]]]:
    """What is opened, by name, and the orders that open it; the windows of the module only for a scenario with a toolbar."""
    yield "start", []
    for sheet in (*setup_sheets(game, scenario), *box_sheets(game, map_of(game, scenario))):
        yield sheet.window, [f"window\t{sheet.window}"]
    for number in TALL:
        # The map moves first, then the pointer.
        yield f"stack of {number}", [*stack_orders(game, scenario, number), "point\ts0", "rest", "point\ts0"]
    yield "menu", ["point\ts0\tmenu"]
    for terrain, x, y in empty_places(game, scenario):
        yield f"over {terrain}", [f"hover\tMain Map\t{x}\t{y}", "rest", f"hover\tMain Map\t{x}\t{y}"]
    if has_eyes(game):
        yield "seen", [f"do\ts0\t{keys.SEEN_KEY}"]
        yield "not seen", [f"do\ts0\t{keys.SEEN_KEY}"]
    if not toolbar:
        return
    for text in INNER:
        yield f"menu {text}", ["point\ts0\tmenu", "rest", f"submenu\t{text}", "entries"]
    # Markers have menus of their own; the first and the last, as they lie in their boxes.
    markers = [piece for piece in from_scenario(game, scenario).pieces if piece.unit in game.markers]
    for piece in dict.fromkeys((*markers[:1], *markers[-1:])):
        window_orders = [
            f"window\t{sheet.window}"
            for sheet in box_sheets(game, map_of(game, scenario))
            if has_place(sheet, str(piece.at))
        ]
        yield (
            f"menu of {piece.unit}",
            [*window_orders, f"take\tm\t{piece.unit}\t{piece.copy}", "rest", "point\tm\tmenu", "entries"],
        )
    for number in range(len(game.scenarios)):
        yield f"scenarios {number + 1}", [f"hotkey\t{keys.SCENARIO_KEY}", f"tab\t{number}"]
    yield "charts", [f"hotkey\t{keys.CHARTS_KEY}"]
    for number in range(1, len(game.tables) + 1):
        yield f"charts {number}", [f"hotkey\t{keys.CHARTS_KEY}", f"tab\t{number}"]
    yield "inventory", [f"hotkey\t{keys.INVENTORY_KEY}"]
    yield "notes", [f"hotkey\t{keys.NOTES_KEY}"]
    for title in HELP:
        yield f"help {title}", [f"help\t{title}"]
    yield "about", [f"help\tAbout {game.title}"]
    for side in game.sides.values() if game.card.fog else ():
        yield hand_name(side.name), [f"window\t{hand_name(side.name)}"]
    for text, inner in toolbar.items():
        yield f"drop {text}", [f"drop\t{text}", "entries"]
        for entry in inner:
            yield f"drop {text}, {entry}", [f"drop\t{text}", f"submenu\t{entry}"]
    yield "pieces", [f"hotkey\t{keys.PALETTE_KEY}"]
    yield "overview", [f"hotkey\t{keys.OVERVIEW_KEY}"]


def has_place(sheet: TraySheet, location: str) -> bool:
    """Whether a sheet has a place."""
    return any(location in (tray.location, tray.location.partition("/")[0]) for tray in sheet.trays)


def stack_orders(game: Game, scenario: str, number: int) -> list[str]:
    """Orders that put units of the scenario on one another, in the middle of the map."""
    units = [piece for piece in from_scenario(game, scenario).pieces if piece.unit in game.units][:number]
    places = Ring(game, scenario, read_lock(game.folder), 1).places
    _, x, y = places[(len(places) // 2 + number) % len(places)]
    take_orders = [f"take\ts{i}\t{piece.unit}\t{piece.copy}" for i, piece in enumerate(units)]
    return [*take_orders, *(f"go\ts{i}\t{x}\t{y}" for i in range(len(units)))]


def orders(game: Game, scenario: str, toolbar: Menus, folder: Path | None, prefix: str) -> list[str]:
    """Every window of a scenario, one after the other, each by itself."""
    commands = [f"begin\t{setup_file(game, scenario)}", "loaded", f"side\t{SOLITAIRE}"]
    for name, opening in views(game, scenario, toolbar):
        commands += ["put away", *opening] if name != "start" else []
        commands += ["rest", f"say\tVIEW {name}", "frames"]
        commands += [f"picture\t{folder / f'{prefix}-{name}.png'}"] if folder is not None else []
    # The palette and the overview lie in the main window: their keys close them again.
    return [
        *commands,
        "put away",
        *((f"hotkey\t{keys.PALETTE_KEY}", f"hotkey\t{keys.OVERVIEW_KEY}") if toolbar else ()),
    ]


def problems(lines: list[str], screen: tuple[int, int]) -> Iterator[str]:
    """Windows that run off the screen, cover toolbar or chat, or have to be scrolled."""
    view, low = "", 0
    for line in lines:
        word, *fields = line.split("\t")
        if word.startswith("VIEW "):
            view = word.removeprefix("VIEW ")
        if word in ("unknown", "failed"):
            yield f"{view}: {line}"
        if word != "frame":
            continue
        # The name of the set-up's file stands before a window's.
        frame = Frame(fields[0].rpartition(" - ")[2], *map(int, fields[1:]))
        if frame.name == "map":
            low = frame.y
        if frame.x < 0 or frame.y < 0 or frame.x + frame.width > screen[0] or frame.y + frame.height > screen[1]:
            yield f"{view}: {frame} runs off the screen"
        if frame.name not in FIXED_WINDOWS and frame.name and low and frame.y < low:
            yield f"{view}: {frame} covers toolbar or chat, which end at {low}"
        if frame.bars and frame.name.startswith(SETUP):
            yield f"{view}: {frame} has scrollbars"


def check(engine: Path, game: Game, screen: tuple[int, int], pictures: Path | None) -> list[str]:
    """Everything that isn't right on a screen."""
    folder = Path(tempfile.mkdtemp(prefix="mitla-windows-"))
    module = folder / f"{game.id}.vmod"
    module.write_bytes(module_bytes(game, read_lock(game.folder), Cache(cache_folder())))
    commands: list[str] = []
    for number, scenario in enumerate(scenarios(game)):
        commands += orders(
            game, scenario, menus(module) if number == 0 else {}, pictures, f"{game.id}-{screen[0]}-{scenario}"
        )
    lines = drive(engine, module, commands, folder, screen=screen)
    if pictures is not None:
        menu_lines = [line for line in lines if line.startswith(("VIEW", "entry"))]
        (pictures / f"{game.id}-{screen[0]}-menus.txt").write_text("\n".join(menu_lines), encoding="utf-8")
    findings = [] if lines and lines[-1].startswith("DONE") else ["the engine stopped early"]
    findings += problems(lines, screen)
    if not os.environ.get("KEEP"):
        shutil.rmtree(folder, ignore_errors=True)
    return findings


def main() -> int:
    """`python -m tests.engine.windows ENGINE [--pictures FOLDER] [--screen WIDTHxHEIGHT] [GAME ...]`"""
    parser = argparse.ArgumentParser(prog="tests.engine.windows")
    parser.add_argument("engine", type=Path)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--pictures", type=Path, help="a folder for a picture of every window")
    parser.add_argument("--screen", help="one screen only, such as 1366x768")
    arguments = parser.parse_intermixed_args()
    width, _, height = (arguments.screen or "").partition("x")
    screens = [(int(width), int(height))] if arguments.screen else [*SCREENS]
    if arguments.pictures is not None:
        arguments.pictures.mkdir(parents=True, exist_ok=True)
    bad = 0
    for name in arguments.games or shipped_games():
        for screen in screens:
            findings = check(arguments.engine, load(name), screen, arguments.pictures)
            print(f"{name} at {screen[0]} by {screen[1]}: {len(findings)} problems", *findings, sep="\n  ", flush=True)
            bad += len(findings)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

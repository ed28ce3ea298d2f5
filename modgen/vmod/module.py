"""The module: build file, pictures, saves and all, as one .vmod."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from modgen.cache import Cache
from modgen.vmod import advice, aids, art, chances, chat, chores, frame, pieces, shading, sight, support
from modgen.vmod.boards import boards
from modgen.vmod.briefing import pages, scenario_name, window
from modgen.vmod.buttons import folder
from modgen.vmod.charts import charts, dice
from modgen.vmod.combat import combat
from modgen.vmod.conditions import told
from modgen.vmod.eyes import has_eyes
from modgen.vmod.faces import back, front
from modgen.vmod.icons import icons
from modgen.vmod.laying import lying
from modgen.vmod.lock import Lock, LockChanged
from modgen.vmod.maps import EMPTY, blank, main_map, side_maps
from modgen.vmod.palette import palette
from modgen.vmod.patch import apply_patch
from modgen.vmod.pictures import Drawn, hashed, rendered
from modgen.vmod.pools import draw_piles, hand_name
from modgen.vmod.rolls import rolls
from modgen.vmod.setups import Kinds, commands, positions, save, setup_file
from modgen.vmod.sheets import box_colors, box_notes, box_pictures, colors, instructions, tray_picture, zoned_board
from modgen.vmod.sight import read_here, written
from modgen.vmod.turns import markers_moved, phases, state, tracker
from modgen.vmod.words import about, description, guide, keys_page, sources
from modgen.vmod.xml import MODULE, Part, document
from scenarios.game import Game, Map
from scenarios.position import Position
from scenarios.vassal.archive import packed
from scenarios.vassal.commands import Trait
from scenarios.vassal.geometry import pixels
from scenarios.vassal.windows import (
    MAIN,
    SOLITAIRE,
    Sheets,
    TraySheet,
    board_names,
    box_sheets,
    map_of,
    setup_sheets,
    windows,
)

VASSAL = "3.7.0"
"""The lowest engine whose features a module uses."""
MANY = 8
"""With more scenarios than these they are in a menu of their own."""


@dataclass(frozen=True)
class Module:
    """A module in the making: its files, and the pictures still to be drawn."""

    files: Mapping[str, bytes]
    pictures: Mapping[str, Drawn]


def version(game: Game) -> str:
    """The module's version: the pack's release."""
    return game.card.release.replace("-", ".")


def stamp(game: Game) -> int:
    """The pack's release in milliseconds."""
    day = datetime.date.fromisoformat(game.card.release)
    return int(datetime.datetime(day.year, day.month, day.day, tzinfo=datetime.UTC).timestamp()) * 1000


def metadata(game: Game) -> bytes:
    """What the module manager reads."""
    return document(
        Part(
            "data",
            Part("version", content=version(game)),
            Part("extra1"),
            Part("extra2"),
            Part("VassalVersion", content=VASSAL),
            Part("dateSaved", content=str(stamp(game))),
            Part("description", content=description(game)),
            Part("name", content=game.title),
            version="1",
        )
    )


@dataclass(frozen=True)
class Beside:
    """The windows beside the map: the boards of each, its draw piles, and the pictures."""

    shown: Mapping[str, list[Part]]
    piles: Mapping[str, list[Part]]
    sheets: Mapping[str, Sheets]
    """Tracks and boxes by map."""
    pictures: Mapping[str, Drawn]

    def of(self, table: Map | None) -> Sheets:
        """The tracks and boxes of a map."""
        return self.sheets[table.id if table is not None else ""]


def beside(game: Game, lock: Lock, starts: Mapping[str, Position]) -> Beside:
    """Trays for every scenario, and the boxes and tracks."""
    shown: dict[str, list[Part]] = {}
    piles: dict[str, list[Part]] = {}
    pictures: dict[str, Drawn] = {}
    trays = [(key, sheet) for key in game.scenarios for sheet in setup_sheets(game, key, starts[key])]
    sheets: dict[str, Sheets] = {}
    for table in game.maps.values() or [None]:
        own = [start for key, start in starts.items() if map_of(game, key) is table]
        sheets[table.id if table is not None else ""] = box_sheets(game, table, own)
    sizes = window_sizes([*(sheet for _, sheet in trays), *(sheet for held in sheets.values() for sheet in held)])

    def add(sheet: TraySheet, picture: Drawn) -> None:
        file = sheet_file(sheet, picture)
        pictures[file] = picture
        shown.setdefault(sheet.window, []).append(zoned_board(sheet, file))
        lock.board(sheet.name, sheet.width, sheet.height)

    def wide(sheet: TraySheet) -> TraySheet:
        return replace(sheet, width=sizes[sheet.window][0], height=sizes[sheet.window][1])

    for key, tight in trays:
        sheet = wide(tight)
        add(sheet, setup_picture(game, key, sheet))
    for table in game.maps.values() or [None]:
        for tight in sheets[table.id if table is not None else ""]:
            sheet = wide(tight)
            add(
                sheet,
                tray_picture(sheet, box_notes(sheet), box_colors(game, table, sheet), box_pictures(game, table, sheet)),
            )
            piles.setdefault(sheet.window, []).extend(draw_piles(game, table, sheet))
    for name, size in sizes.items():
        shown[name].append(blank(EMPTY, *size))
    return Beside(shown, piles, sheets, pictures)


def setup_picture(game: Game, key: str, sheet: TraySheet) -> Drawn:
    """The trays of a scenario, with what is to be done with them."""
    return tray_picture(sheet, instructions(game, key, sheet), colors(game, key, sheet))


def sheet_file(sheet: TraySheet, picture: Drawn) -> str:
    """The name of the picture of trays or boxes."""
    return hashed(re.sub(r"[^a-z0-9.]+", "-", sheet.name.lower()), picture)


def window_sizes(sheets: Iterable[TraySheet]) -> dict[str, tuple[int, int]]:
    """The largest board of each window. All its boards are as large: the engine keeps a window's size from game to game, so
    that a small scenario before a large one would leave too little room."""
    sizes: dict[str, tuple[int, int]] = {}
    for sheet in sheets:
        across, down = sizes.get(sheet.window, (0, 0))
        sizes[sheet.window] = max(across, sheet.width), max(down, sheet.height)
    return sizes


def small_pictures(game: Game, cache: Cache | None = None) -> dict[str, Drawn]:
    """Faces, badges and icons: what pieces and buttons name."""
    named = ["player", "trays", "boxes", "ground", "charts", *(["scenario"] if game.scenarios else [])]
    named += ["roll"] if any(table.dice for table in game.tables.values()) else []
    named += ["battle"] if game.attacks else []
    named += ["conditions"] if any(told(game, [*game.attacks])) else []
    named += ["sight"] if read_here(game) else []
    named += ["ask"] if advice.asked(game) else []
    named += ["hand"] if game.card.fog else []
    named += ["chores"] if any(chores.listed(game)) else []
    faces = art.faces(game, cache)
    # Pieces of saves wear the pictures that their counters had when they were called otherwise.
    faces |= {
        name(old): faces[name(now)] for old, now in game.renamed.items() for name in (front, back) if name(now) in faces
    }
    shades = shading.pictures(game) if has_eyes(game) else {}
    return faces | art.badges(game) | icons(named) | support.pictures(game) | aids.pictures(game) | shades


def earlier(game: Game, piece: str) -> list[str]:
    """The ids that a counter or marker had before."""
    return [old for old, now in game.renamed.items() if now == piece]


def keep(game: Game, lock: Lock, small: Mapping[str, Drawn]) -> None:
    """Everything that a save names goes into the lock."""
    for name, laid in lying(game).items():
        grid = pixels(laid.board.grid)
        lock.board(name, *grid.size, *grid.origin, grid.lane, grid.high)
    sides = [side.name for side in game.sides.values()]
    held = windows(game)
    lock.keep("windows", [MAIN, *held.boxes, *held.trays, *(hand_name(side) for side in sides if game.card.fog)])
    theirs = (side.name for key in game.scenarios for side in game.sides_in(game.scenarios[key]).values())
    lock.keep(
        "sides", [*dict.fromkeys([*(game.card.players or sides), *(() if game.card.players else theirs)]), SOLITAIRE]
    )
    lock.keep("pictures", small)


def slots(game: Game, lock: Lock) -> dict[str, str]:
    """The id of every slot of the palette, by counter, marker or what else it holds."""
    gpids = {piece: lock.gpid(piece, earlier(game, piece)) for piece in (*game.units, *game.markers)}
    more = [*support.listed(game), *aids.slots(game), *([shading.NAME] if has_eyes(game) else [])]
    gpids |= {slot: lock.gpid(slot) for slot in more}
    return gpids


def compose(game: Game, lock: Lock, cache: Cache | None = None) -> Module:
    """Everything a module is made of."""
    known = pieces.prototypes(game)
    gpids = slots(game, lock)
    parts, pictures = boards(game, cache)
    starts = positions(game)
    side = beside(game, lock, starts)
    small = small_pictures(game, cache)
    chart_parts, chart_pictures = charts(game)
    opening = about(game)
    opening_file = hashed("about", opening)
    listed = lock.keep("phases", phases(game)) if game.sequence else ["Play"]
    keep(game, lock, small)
    props, buttons = rolls(game)
    fought, battles, _ = combat(game)
    asked, advised = advice.advice(game)
    fought += asked
    choring, chore_buttons = frame.chore_menu(game)
    data = metadata(game)
    files: dict[str, bytes] = {
        "moduledata": data,
        "help/guide.html": guide(game).encode("utf-8"),
        "help/keys.html": keys_page(game).encode("utf-8"),
        "help/sources.html": sources(game).encode("utf-8"),
    }
    files |= pages(game)
    made: Kinds = {}
    lying = written(game)
    for key, position in starts.items():
        held = game.scenarios[key]
        text = commands(
            game,
            position,
            gpids,
            known,
            state(game, held, listed),
            side.of(map_of(game, key)),
            made,
            lying.get(key, ""),
        )
        files[setup_file(game, key)] = save(text, data, version(game), VASSAL, stamp(game), held.title)
    build = Part(
        "VASSAL.build.GameModule",
        Part(MODULE + "BasicCommandEncoder"),
        frame.documentation(game, opening_file),
        frame.roster(lock.names["sides"]),
        frame.options(),
        Part(
            MODULE + "properties.GlobalProperties",
            folder("The game", "What a save tells of its game", *frame.properties(game), kind="GlobalPropertyFolder"),
            *([folder("Phases", "What chores know", *choring, kind="GlobalPropertyFolder")] if choring else []),
            *([folder("Tables", "What rolls know", *props, kind="GlobalPropertyFolder")] if props else []),
            *(
                [folder("Battles", "What is told and worked out in a battle", *fought, kind="GlobalPropertyFolder")]
                if fought
                else []
            ),
        ),
        *constants(game, cache),
        Part(MODULE + "PrototypesContainer", *(prototype(name, traits) for name, traits in known.items())),
        palette(game, gpids),
        Part(MODULE + "Chatter"),
        Part(MODULE + "KeyNamer"),
        *setups(game),
        tracker(game, listed, chores.at_phases(game)),
        *sorted_out("Phases: what they do to pieces", [*markers_moved(game), *chore_buttons]),
        frame.first_places(),
        main_map(game, parts, default_boards(game)),
        *side_maps(game, side.shown, side.piles),
        *window(game),
        *chart_parts,
        *dice(game),
        *sorted_out("Tables: what rolls on them", buttons),
        *sorted_out("Battles: how they are worked out", battles),
        *sorted_out("Ask: what the selected units tell", advised),
        frame.inventory(game),
        frame.notes(),
        *frame.opening(),
        name=game.title,
        version=version(game),
        VassalVersion=VASSAL,
        description=description(game),
        nextPieceSlotId=lock.next,
        ModuleOther1="",
        ModuleOther2="",
    )
    files["buildFile.xml"] = document(build)
    return Module(files, {**pictures, **side.pictures, **small, **chart_pictures, opening_file: opening})


def sorted_out(name: str, parts: list[Part]) -> list[Part]:
    """Commands that no button shows in a folder of the editor's tree, then the buttons."""
    hidden = [part for part in parts if not (part.attributes.get("text") or part.attributes.get("buttonText"))]
    shown = [part for part in parts if part not in hidden]
    return [*([folder(name, "Commands that buttons and other commands press", *hidden)] if hidden else []), *shown]


def constants(game: Game, cache: Cache | None = None) -> list[Part]:
    """The tables that expressions look things up in; no save has them."""
    held = [*sight.messages(game, cache), *chances.messages(game), *chat.messages(game)]
    return [Part(MODULE + "properties.GlobalTranslatableMessages", *held)] if held else []


def setups(game: Game) -> list[Part]:
    """Every scenario as an entry of the File menu, or of a menu in it where there are many."""
    listed = [setup(game, key) for key in game.scenarios]
    if len(listed) <= MANY:
        return listed
    return [
        Part(MODULE + "PredefinedSetup", *listed, name="Scenarios", file="", useFile=False, isMenu=True, description="")
    ]


def setup(game: Game, key: str) -> Part:
    """A scenario as an entry of the File menu."""
    return Part(
        MODULE + "PredefinedSetup",
        name=scenario_name(game, key),
        file=setup_file(game, key),
        useFile=True,
        isMenu=False,
        description=game.scenarios[key].summary.replace("\n", " "),
    )


def default_boards(game: Game) -> list[str]:
    """The boards that lie on the table when nothing else is said."""
    names = board_names(game)
    return [next(iter(names.values())), "0", "0"]


def prototype(name: str, traits: tuple[Trait, ...]) -> Part:
    """A prototype as an element."""
    text = pieces.definition((*traits, Trait("piece;;;;", "null;0;0;;0")))
    return Part(MODULE + "PrototypeDefinition", content=text, name=name, description="")


def module_bytes(game: Game, lock: Lock, cache: Cache, pool: bool = True) -> bytes:
    """The whole module as a file."""
    made = compose(game, lock, cache)
    images = rendered(made.pictures, cache, pool, small=True)
    files = {**made.files, **{f"images/{name}": content for name, content in images.items()}}
    return packed(apply_patch(game.folder, files))


__all__ = ["Lock", "LockChanged", "Module", "compose", "module_bytes"]

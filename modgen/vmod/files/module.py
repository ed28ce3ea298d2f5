"""The module as one .vmod file: build file, pictures and saves."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from modgen.cache import Cache
from modgen.vmod.battle import chances
from modgen.vmod.battle.combat import combat
from modgen.vmod.battle.conditions import inputs_by_name
from modgen.vmod.battle.rolls import rolls
from modgen.vmod.files import frame
from modgen.vmod.files.buttons import folder
from modgen.vmod.files.lock import Lock, LockChanged
from modgen.vmod.files.patch import apply_patch
from modgen.vmod.files.xml import MODULE, XmlPart, document
from modgen.vmod.maps import beyond
from modgen.vmod.maps.board_pictures import lying
from modgen.vmod.maps.boards import boards
from modgen.vmod.maps.charts import charts, dice
from modgen.vmod.maps.icons import icons
from modgen.vmod.maps.trays import box_colors, box_notes, box_pictures, colors, instructions, tray_picture, zoned_board
from modgen.vmod.maps.windows import EMPTY, blank, main_map, side_maps
from modgen.vmod.pieces import aids, face_pictures, pieces, support
from modgen.vmod.pieces.faces import back_picture, front
from modgen.vmod.pieces.palette import palette
from modgen.vmod.pieces.pictures import SvgPicture, hashed_name, render_all
from modgen.vmod.pieces.pools import draw_piles, hand_name
from modgen.vmod.setups import phase_effects
from modgen.vmod.setups.setups import Kinds, commands, kind, positions, save, setup_file
from modgen.vmod.setups.turns import markers_moved, phases, state, tracker
from modgen.vmod.sight import shading, sight_tables
from modgen.vmod.sight.sight_tables import read_here, setup_values
from modgen.vmod.sight.visibility import has_eyes
from modgen.vmod.text import advice, chat
from modgen.vmod.text.briefing import pages, scenario_name, window
from modgen.vmod.text.help_pages import about, description, guide, keys_page, sources
from scenarios.model.game import Game, Map
from scenarios.model.position import Position
from scenarios.vassal.archive import pack_zip
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
    windows_of,
)

VASSAL = "3.7.0"
"""The oldest engine with all features that a module uses."""
MAX_MENU_ENTRIES = 8
"""With more scenarios than this, they are in a submenu."""


@dataclass(frozen=True)
class Module:
    """A module under construction: its files, and the pictures that are still to be drawn."""

    files: Mapping[str, bytes]
    pictures: Mapping[str, SvgPicture]


def version(game: Game) -> str:
    """The module's version: the pack's release."""
    return game.card.release.replace("-", ".")


def stamp(game: Game) -> int:
    """The pack's release in milliseconds."""
    day = datetime.date.fromisoformat(game.card.release)
    return int(datetime.datetime(day.year, day.month, day.day, tzinfo=datetime.UTC).timestamp()) * 1000


def metadata(game: Game) -> bytes:
    """The metadata that the module manager reads."""
    return document(
        XmlPart(
            "data",
            XmlPart("version", content=version(game)),
            XmlPart("extra1"),
            XmlPart("extra2"),
            XmlPart("VassalVersion", content=VASSAL),
            XmlPart("dateSaved", content=str(stamp(game))),
            XmlPart("description", content=description(game)),
            XmlPart("name", content=game.title),
            version="1",
        )
    )


@dataclass(frozen=True)
class SideWindows:
    """The windows beside the map: the boards of each, its draw piles, and the pictures."""

    parts_by_map: Mapping[str, list[XmlPart]]
    piles: Mapping[str, list[XmlPart]]
    sheets: Mapping[str, Sheets]
    """Tracks and boxes by map."""
    pictures: Mapping[str, SvgPicture]

    def sheets_of(self, table: Map | None) -> Sheets:
        """The tracks and boxes of a map."""
        return self.sheets[table.id if table is not None else ""]


def side_windows(game: Game, lock: Lock, starts: Mapping[str, Position]) -> SideWindows:
    """The trays of every scenario, and the boxes and tracks."""
    window_boards: dict[str, list[XmlPart]] = {}
    piles: dict[str, list[XmlPart]] = {}
    pictures: dict[str, SvgPicture] = {}
    trays = [(key, sheet) for key in game.scenarios for sheet in setup_sheets(game, key, starts[key])]
    sheets: dict[str, Sheets] = {}
    for table in game.maps.values() or [None]:
        map_positions = [start for key, start in starts.items() if map_of(game, key) is table]
        sheets[table.id if table is not None else ""] = box_sheets(game, table, map_positions)
    sizes = window_sizes(
        [*(sheet for _, sheet in trays), *(sheet for map_sheets in sheets.values() for sheet in map_sheets)]
    )

    def add(sheet: TraySheet, picture: SvgPicture) -> None:
        file = sheet_file(sheet, picture)
        pictures[file] = picture
        window_boards.setdefault(sheet.window, []).append(zoned_board(sheet, file))
        lock.board(sheet.name, sheet.width, sheet.height)

    def widen(sheet: TraySheet) -> TraySheet:
        return replace(sheet, width=sizes[sheet.window][0], height=sizes[sheet.window][1])

    for key, tight in trays:
        sheet = widen(tight)
        add(sheet, setup_picture(game, key, sheet))
    for table in game.maps.values() or [None]:
        for tight in sheets[table.id if table is not None else ""]:
            sheet = widen(tight)
            add(
                sheet,
                tray_picture(sheet, box_notes(sheet), box_colors(game, table, sheet), box_pictures(game, table, sheet)),
            )
            piles.setdefault(sheet.window, []).extend(draw_piles(game, table, sheet))
    for name, size in sizes.items():
        window_boards[name].append(blank(EMPTY, *size))
    return SideWindows(window_boards, piles, sheets, pictures)


def setup_picture(game: Game, key: str, sheet: TraySheet) -> SvgPicture:
    """The trays of a scenario, each with its instruction."""
    return tray_picture(sheet, instructions(game, key, sheet), colors(game, key, sheet))


def sheet_file(sheet: TraySheet, picture: SvgPicture) -> str:
    """The file name of a picture of trays or boxes."""
    return hashed_name(re.sub(r"[^a-z0-9.]+", "-", sheet.name.lower()), picture)


def window_sizes(sheets: Iterable[TraySheet]) -> dict[str, tuple[int, int]]:
    """The largest board of each window. All boards of a window get its size.

    The engine keeps a window's size from game to game. A small scenario before a large one would leave too little
    space.
    """
    sizes: dict[str, tuple[int, int]] = {}
    for sheet in sheets:
        width, height = sizes.get(sheet.window, (0, 0))
        sizes[sheet.window] = max(width, sheet.width), max(height, sheet.height)
    return sizes


def small_pictures(game: Game, cache: Cache | None = None) -> dict[str, SvgPicture]:
    """The pictures that pieces and buttons name: faces, badges and icons."""
    icon_names = ["player", "trays", "boxes", "ground", "charts", *(["scenario"] if game.scenarios else [])]
    icon_names += ["roll"] if any(table.dice for table in game.tables.values()) else []
    icon_names += ["battle"] if game.attacks else []
    icon_names += ["conditions"] if any(inputs_by_name(game, [*game.attacks])) else []
    icon_names += ["sight"] if read_here(game) else []
    icon_names += ["ask"] if advice.save_questions(game) else []
    icon_names += ["hand"] if game.card.fog else []
    icon_names += ["chores"] if any(phase_effects.all_clean_ups(game)) else []
    faces = face_pictures.faces(game, cache)
    # Pieces in old saves use the picture names of their counters' former ids.
    faces |= {
        name(old): faces[name(new_id)]
        for old, new_id in game.former_ids.items()
        for name in (front, back_picture)
        if name(new_id) in faces
    }
    shades = shading.pictures(game) if has_eyes(game) else {}
    return (
        faces | face_pictures.badges(game) | icons(icon_names) | support.pictures(game) | aids.pictures(game) | shades
    )


def earlier(game: Game, piece: str) -> list[str]:
    """The former ids of a counter or marker."""
    return [old for old, new_id in game.former_ids.items() if new_id == piece]


def keep(game: Game, lock: Lock, small: Mapping[str, SvgPicture]) -> None:
    """Add every name that a save uses to the lock."""
    for name, board_layout in lying(game).items():
        grid = pixels(board_layout.board.grid)
        lock.board(name, *grid.size, *grid.origin, grid.lane, grid.height)
    sides = [side.name for side in game.sides.values()]
    window_names = windows_of(game)
    lock.keep(
        "windows",
        [MAIN, *window_names.boxes, *window_names.trays, *(hand_name(side) for side in sides if game.card.fog)],
    )
    scenario_sides = (side.name for key in game.scenarios for side in game.sides_in(game.scenarios[key]).values())
    lock.keep(
        "sides",
        [*dict.fromkeys([*(game.card.players or sides), *(() if game.card.players else scenario_sides)]), SOLITAIRE],
    )
    lock.keep("pictures", small)


def slots(game: Game, lock: Lock) -> dict[str, str]:
    """The id of every palette slot, by counter, marker or other content."""
    gpids = {piece: lock.gpid(piece, earlier(game, piece)) for piece in (*game.units, *game.markers)}
    extra_slots = [*support.all_support(game), *aids.slots(game), *([shading.NAME] if has_eyes(game) else [])]
    extra_slots += [beyond.NAME] if beyond.needed(game) else []
    gpids |= {slot: lock.gpid(slot) for slot in extra_slots}
    return gpids


def compose(game: Game, lock: Lock, cache: Cache | None = None) -> Module:
    """All parts of a module."""
    prototype_traits = pieces.prototypes(game)
    gpids = slots(game, lock)
    parts, pictures = boards(game, cache)
    starts = positions(game)
    side = side_windows(game, lock, starts)
    small = small_pictures(game, cache)
    chart_parts, chart_pictures = charts(game)
    opening = about(game)
    opening_file = hashed_name("about", opening)
    phase_names = lock.keep("phases", phases(game)) if game.sequence else ["Play"]
    keep(game, lock, small)
    props, buttons = rolls(game)
    battle_props, battles, _ = combat(game)
    advice_props, advice_buttons = advice.advice(game)
    battle_props += advice_props
    clean_up_properties, clean_up_buttons = frame.clean_up_menu(game)
    data = metadata(game)
    files: dict[str, bytes] = {
        "moduledata": data,
        "help/guide.html": guide(game).encode("utf-8"),
        "help/keys.html": keys_page(game).encode("utf-8"),
        "help/sources.html": sources(game).encode("utf-8"),
    }
    files |= pages(game)
    entries = {piece: pieces.piece_entry(game, piece, gpids[piece]) for piece in (*game.units, *game.markers)}
    used_pieces = {piece.unit for position in starts.values() for piece in position.pieces}
    piece_kinds: Kinds = {piece: kind(game, entries[piece], prototype_traits) for piece in used_pieces}
    lying = setup_values(game)
    for key, position in starts.items():
        scenario = game.scenarios[key]
        text = commands(
            game,
            position,
            gpids,
            prototype_traits,
            state(game, scenario, phase_names),
            side.sheets_of(map_of(game, key)),
            piece_kinds,
            lying.get(key, ""),
        )
        files[setup_file(game, key)] = save(text, data, version(game), VASSAL, stamp(game), scenario.title)
    build = XmlPart(
        "VASSAL.build.GameModule",
        XmlPart(MODULE + "BasicCommandEncoder"),
        frame.documentation(game, opening_file),
        frame.roster(lock.names["sides"]),
        frame.options(),
        XmlPart(
            MODULE + "properties.GlobalProperties",
            folder("The game", "What a save tells of its game", *frame.properties(game), kind="GlobalPropertyFolder"),
            *(
                [folder("Phases", "What clean-up reads", *clean_up_properties, kind="GlobalPropertyFolder")]
                if clean_up_properties
                else []
            ),
            *([folder("Tables", "What rolls know", *props, kind="GlobalPropertyFolder")] if props else []),
            *(
                [
                    folder(
                        "Battles", "What is told and worked out in a battle", *battle_props, kind="GlobalPropertyFolder"
                    )
                ]
                if battle_props
                else []
            ),
        ),
        *constants(game, cache),
        XmlPart(
            MODULE + "PrototypesContainer", *(prototype(name, traits) for name, traits in prototype_traits.items())
        ),
        palette(game, gpids, entries),
        XmlPart(MODULE + "Chatter"),
        XmlPart(MODULE + "KeyNamer"),
        *setups(game),
        tracker(game, phase_names, phase_effects.at_phases(game)),
        *sorted_out("Phases: what they do to pieces", [*markers_moved(game), *clean_up_buttons]),
        frame.first_places(),
        main_map(game, parts, default_boards(game)),
        *side_maps(game, side.parts_by_map, side.piles),
        *window(game),
        *chart_parts,
        *dice(game),
        *sorted_out("Tables: what rolls on them", buttons),
        *sorted_out("Battles: how they are worked out", battles),
        *sorted_out("Ask: what the selected units tell", advice_buttons),
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


def sorted_out(name: str, parts: list[XmlPart]) -> list[XmlPart]:
    """Commands without a visible button in a folder of the editor's tree, then the buttons."""
    hidden_parts = [part for part in parts if not (part.attributes.get("text") or part.attributes.get("buttonText"))]
    visible_parts = [part for part in parts if part not in hidden_parts]
    return [
        *([folder(name, "Commands that buttons and other commands press", *hidden_parts)] if hidden_parts else []),
        *visible_parts,
    ]


def constants(game: Game, cache: Cache | None = None) -> list[XmlPart]:
    """The tables that expressions look up; no save contains them."""
    constant_parts = [*sight_tables.messages(game, cache), *chances.messages(game), *chat.messages(game)]
    return [XmlPart(MODULE + "properties.GlobalTranslatableMessages", *constant_parts)] if constant_parts else []


def setups(game: Game) -> list[XmlPart]:
    """Every scenario as an entry of the File menu, or of a submenu if there are many."""
    setup_parts = [setup(game, key) for key in game.scenarios]
    if len(setup_parts) <= MAX_MENU_ENTRIES:
        return setup_parts
    return [
        XmlPart(
            MODULE + "PredefinedSetup",
            *setup_parts,
            name="Scenarios",
            file="",
            useFile=False,
            isMenu=True,
            description="",
        )
    ]


def setup(game: Game, key: str) -> XmlPart:
    """A scenario as an entry of the File menu."""
    return XmlPart(
        MODULE + "PredefinedSetup",
        name=scenario_name(game, key),
        file=setup_file(game, key),
        useFile=True,
        isMenu=False,
        description=game.scenarios[key].summary.replace("\n", " "),
    )


def default_boards(game: Game) -> list[str]:
    """The boards of the default arrangement."""
    names = board_names(game)
    return [next(iter(names.values())), "0", "0"]


def prototype(name: str, traits: tuple[Trait, ...]) -> XmlPart:
    """A prototype as an element."""
    text = pieces.definition((*traits, Trait("piece;;;;", "null;0;0;;0")))
    return XmlPart(MODULE + "PrototypeDefinition", content=text, name=name, description="")


def module_bytes(game: Game, lock: Lock, cache: Cache, pool: bool = True) -> bytes:
    """The whole module as a file."""
    module = compose(game, lock, cache)
    images = render_all(module.pictures, cache, pool, small=True)
    files = {**module.files, **{f"images/{name}": content for name, content in images.items()}}
    return pack_zip(apply_patch(game.folder, files))


__all__ = ["Lock", "LockChanged", "Module", "compose", "module_bytes"]

"""The module: build file, pictures, saves and all, as one .vmod."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from dataclasses import dataclass

from modgen.cache import Cache
from modgen.vmod import art, pieces
from modgen.vmod.boards import boards
from modgen.vmod.buttons import prop
from modgen.vmod.charts import charts, dice
from modgen.vmod.combat import combat
from modgen.vmod.lock import Lock, LockChanged
from modgen.vmod.maps import main_map, side_maps
from modgen.vmod.palette import palette
from modgen.vmod.pictures import Drawn, hashed, rendered
from modgen.vmod.places import SCENARIO
from modgen.vmod.rolls import rolls
from modgen.vmod.setups import Kinds, commands, positions, save
from modgen.vmod.sheets import colors, instructions, tray_picture, zoned_board
from modgen.vmod.turns import phases, state, tracker
from modgen.vmod.words import about, description, guide, sources
from modgen.vmod.xml import MODULE, Part, document
from scenarios.game import Game
from scenarios.maps import HexMap
from scenarios.vassal.archive import packed
from scenarios.vassal.commands import Trait
from scenarios.vassal.geometry import pixels
from scenarios.vassal.windows import BOXES, MAIN, SETUP, board_names, box_sheet, map_of, setup_sheet

VASSAL = "3.7.0"
"""The lowest engine whose features a module uses."""
SOLITAIRE = "Solitaire"


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


def compose(game: Game, lock: Lock) -> Module:
    """Everything a module is made of."""
    known = pieces.prototypes(game)
    gpids = {piece: lock.gpid(piece) for piece in (*game.units, *game.markers)}
    parts, pictures = boards(game)
    trays, tray_parts = {}, []
    starts = positions(game)
    for key in game.scenarios:
        sheet = setup_sheet(game, key, starts[key])
        picture = tray_picture(sheet, instructions(game, key, sheet), colors(game, key, sheet))
        file = hashed(f"setup-{key}", picture)
        trays[file] = picture
        tray_parts.append(zoned_board(sheet, file))
        lock.board(sheet.name, sheet.width, sheet.height)
    boxes = box_sheet(game, map_of(game), list(starts.values()))
    box_picture = tray_picture(boxes, {}, {})
    box_file = hashed("boxes", box_picture)
    small = art.faces(game) | art.badges(game)
    pictures |= trays | {box_file: box_picture} | small
    chart_parts, chart_pictures = charts(game)
    pictures |= chart_pictures
    opening = about(game)
    pictures[hashed("about", opening)] = opening
    listed = lock.keep("phases", phases(game)) if game.sequence else ["Play"]
    for key, board in game.boards.items():
        grid = pixels(board.grid)
        lock.board(board_names(game)[key], *grid.size, *grid.origin, grid.lane, grid.high)
    lock.keep("windows", [MAIN, BOXES, SETUP])
    lock.keep("sides", [*(side.name for side in game.sides.values()), SOLITAIRE])
    lock.keep("pictures", small)
    props, buttons = rolls(game)
    fought, battles, _ = combat(game)
    data = metadata(game)
    files: dict[str, bytes] = {
        "moduledata": data,
        "help/guide.html": guide(game).encode("utf-8"),
        "help/sources.html": sources(game).encode("utf-8"),
    }
    setups = []
    made: Kinds = {}
    for key, position in starts.items():
        held = game.scenarios[key]
        text = commands(game, position, gpids, known, state(game, held, listed), boxes, made)
        name = f"setup-{key}.vsav"
        files[name] = save(text, data, version(game), VASSAL, stamp(game), held.title)
        setups.append(
            Part(
                MODULE + "PredefinedSetup",
                name=f"{key} {held.title}" if len(game.scenarios) > 1 else held.title,
                file=name,
                useFile=True,
                isMenu=False,
                description=held.summary.replace("\n", " "),
            )
        )
    build = Part(
        "VASSAL.build.GameModule",
        Part(MODULE + "BasicCommandEncoder"),
        Part(
            MODULE + "Documentation",
            Part(MODULE + "documentation.AboutScreen", title=f"About {game.title}", fileName=hashed("about", opening)),
            Part(
                MODULE + "documentation.HelpFile", title="Quick guide", fileName="help/guide.html", fileType="archive"
            ),
            Part(
                MODULE + "documentation.HelpFile",
                title="Sources and licence",
                fileName="help/sources.html",
                fileType="archive",
            ),
        ),
        Part(
            MODULE + "PlayerRoster",
            *(Part("entry", content=side) for side in lock.names["sides"]),
            buttonText="Retire",
            buttonToolTip="Change sides or give up a side",
            buttonIcon="",
            buttonKeyStroke="",
        ),
        Part(
            MODULE + "GlobalOptions",
            autoReport="Always",
            centerOnMove="Use Preferences Setting",
            chatterHTMLSupport="Always",
            nonOwnerUnmaskable="Never",
            playerIdFormat="$playerName$",
        ),
        Part(MODULE + "properties.GlobalProperties", *properties(game), *props, *fought),
        Part(MODULE + "PrototypesContainer", *(prototype(name, traits) for name, traits in known.items())),
        palette(game, gpids),
        Part(MODULE + "Chatter"),
        Part(MODULE + "KeyNamer"),
        *setups,
        tracker(game, listed),
        main_map(game, parts, default_boards(game)),
        *side_maps(tray_parts, [zoned_board(boxes, box_file)]),
        *chart_parts,
        *dice(game),
        *buttons,
        *battles,
        inventory(game),
        Part(MODULE + "NotesWindow", buttonText="Notes", tooltip="Notes", hotkey="", icon=""),
        name=game.title,
        version=version(game),
        VassalVersion=VASSAL,
        description=description(game),
        nextPieceSlotId=lock.next,
        ModuleOther1="",
        ModuleOther2="",
    )
    files["buildFile.xml"] = document(build)
    return Module(files, pictures)


def default_boards(game: Game) -> list[str]:
    """The boards that lie on the table when nothing else is said."""
    names = board_names(game)
    return [next(iter(names.values())), "0", "0"]


def properties(game: Game) -> list[Part]:
    """What a save tells of its game without the module: the pack, its release, and the grids."""
    grids = {}
    for key, board in game.boards.items():
        grid = pixels(board.grid)
        grids[board_names(game)[key]] = [*grid.size, *grid.origin, grid.lane, grid.high]
    told = json.dumps({"game": game.id, "release": game.card.release, "grids": grids}, separators=(",", ":"))
    held = [("Mitla", told), (SCENARIO, "")]
    if not isinstance(map_of(game), HexMap) and game.maps:
        held.append(("PointMap", "true"))
    return [prop(name, value) for name, value in held]


def prototype(name: str, traits: tuple[Trait, ...]) -> Part:
    """A prototype as an element."""
    text = pieces.definition((*traits, Trait("piece;;;;", "null;0;0;;0")))
    return Part(MODULE + "PrototypeDefinition", content=text, name=name, description="")


def inventory(game: Game) -> Part:
    """The list of pieces by side, class and formation."""
    return Part(
        MODULE + "Inventory",
        name="Inventory",
        text="Inventory",
        tooltip="All pieces by side",
        icon="",
        hotkey="73,520",
        include='{unit != ""}',
        groupBy="SideName,CurrentMap,formation",
        nonLeafFormat="$PropertyValue$",
        leafFormat="$PieceName$: $LocationName$",
        sortPieces=True,
        sorting="alpha",
        sortFormat="$PieceName$",
        centerOnPiece=True,
        forwardKeystroke=True,
        showMenu=True,
        drawPieces=True,
        foldersOnly=False,
        zoomOn=False,
        pieceZoom="0.5",
        pieceZoom2="0.6",
        pieceZoom3="0.7",
        sides="",
    )


def module_bytes(game: Game, lock: Lock, cache: Cache, pool: bool = True) -> bytes:
    """The whole module as a file."""
    made = compose(game, lock)
    images = rendered(made.pictures, cache, pool)
    return packed({**made.files, **{f"images/{name}": content for name, content in images.items()}})


__all__ = ["Lock", "LockChanged", "Module", "compose", "module_bytes"]

"""Map windows: the main map with its tools, and the windows of trays, tracks and boxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from modgen.vmod.battle.places import ground_under
from modgen.vmod.files import keys
from modgen.vmod.files.buttons import menu, tool
from modgen.vmod.files.xml import BOARD, MAP, MODULE, XmlPart
from modgen.vmod.maps import beyond
from modgen.vmod.maps.icons import icon
from modgen.vmod.maps.stack_handling import handling
from modgen.vmod.pieces.pools import hand_name, hand_sides
from modgen.vmod.pieces.prototypes import shade_colors
from modgen.vmod.text.chat import formats, silent
from modgen.vmod.text.piece_reports import has_box_report
from scenarios.model.game import Game
from scenarios.vassal.sequence import join
from scenarios.vassal.windows import MAIN, windows_of

EMPTY = "Nothing in this scenario"
"""The board of a window that a scenario doesn't use."""
FRONT_X, FRONT_Y = "FrontX", "FrontY"
"""The properties with the pixels where a scenario's armies meet."""
BACKGROUND = "230,224,210"
"""The color beside a map."""
HIDDEN_ICONS = {"showingIcon": "/images/globe_unselected.gif", "hiddenIcon": "/images/globe_selected.gif"}


def picker(window: str, boards: Sequence[XmlPart], default: Sequence[str]) -> XmlPart:
    """The boards of a window, and the default arrangement."""
    first, *place = default
    setup = XmlPart("setup", content=join([f"{window}BoardPicker", join([first], "/"), *place], "\t"))
    return XmlPart(
        MAP + "BoardPicker",
        setup,
        *boards,
        addColumnText="Add column",
        addRowText="Add row",
        boardPrompt="Select board",
        slotHeight=125,
        slotScale="0.2",
        slotWidth=350,
        title="Choose boards",
    )


def _window(
    name: str,
    *parts: XmlPart,
    button: str = "",
    hotkey: str = "",
    multiple: bool = False,
    picture: str = "/images/map.gif",
    kind: str = "Map",
    report_formats: Mapping[str, str],
    arrival_key: str = "",
) -> XmlPart:
    return XmlPart(
        MODULE + kind,
        *parts,
        mapName=name,
        allowMultiple=multiple,
        launch=bool(button),
        buttonName=button,
        hotkey=hotkey,
        icon=picture,
        tooltip=f"{name} window",
        markMoved="Always" if not button else "Never",
        markUnmovedIcon="/images/unmoved.gif",
        markUnmovedText="",
        markUnmovedTooltip="Clear moved marks and trails",
        markUnmovedHotkey=keys.UNMOVED_KEY if not button else "",
        markUnmovedReport="Moved marks and trails are cleared",
        edgeWidth=0,
        edgeHeight=0,
        # The background around a sheet of trays has the color of its paper.
        backgroundcolor=BACKGROUND if not button else "239,233,220",
        color="130,40,150",
        thickness=3,
        moveKey=arrival_key,
        onlyReportChangedLocation=True,
        **report_formats,
    )


def main_map(game: Game, boards: Sequence[XmlPart], default: Sequence[str], tools: Sequence[XmlPart] = ()) -> XmlPart:
    """The map that players play on."""
    hexes = bool(game.boards)
    thread = XmlPart(
        MAP + "LOS_Thread",
        threadName="Line of sight",
        label="",
        tooltip="Line of sight: drag from hex to hex",
        hotkey=keys.THREAD_KEY,
        iconName="/images/thread.gif",
        snapLOS=True,
        snapStart=True,
        snapEnd=True,
        report="",
        persistence="Ctrl-Click & Drag",
        persistentIconName="/images/thread.gif",
        global_="When Persisting",
        drawRange=hexes,
        scale=1,
        round="Nearest whole number",
        hideCounters=False,
        hideOpacity=50,
        losThickness=2,
        threadColor="200,0,0",
        rangeFg="255,255,255",
        rangeBg="0,0,0",
    )
    return _window(
        MAIN,
        picker(MAIN, boards, default),
        *handling(True, ground_under(game)),
        tool(
            "map.GlobalMap", "Overview", keys.OVERVIEW_KEY, icon="/images/overview.gif", scale="0.12", color="255,0,0"
        ),
        tool("map.HidePiecesButton", "Hide all pieces", keys.HIDE_KEY, **HIDDEN_ICONS),
        tool("map.ImageSaver", "Save the map as a picture", icon="/images/camera.gif"),
        tool("map.TextSaver", "Save the positions of all pieces as text", icon="/images/Save16.gif"),
        camera("Bring to front", "/images/recenter.gif", keys.FRONT_KEY, f"{{{FRONT_X}}}", f"{{{FRONT_Y}}}"),
        thread,
        *(shader(name, color) for name, color in shade_colors(game).items()),
        # Last, because it covers the others.
        *([shader(beyond.NAME, BACKGROUND, opacity=100)] if beyond.needed(game) else []),
        XmlPart(
            MAP + "Flare",
            flareName="Flare",
            flareKey="keyAlt",
            circleSize=100,
            circleColor="255,0,0",
            circleScale=True,
            flarePulses=6,
            flarePulsesPerSec=3,
            reportFormat="$PlayerName$ points at $FlareLocation$",
        ),
        *tools,
        multiple=len(game.boards) > 1,
        report_formats=formats(game),
        arrival_key=keys.ARRIVAL,
    )


def shader(name: str, color: str, opacity: int = 25) -> XmlPart:
    """A shading of the map. The areas of all pieces that name it are drawn as one, under the pieces."""
    return XmlPart(
        MAP + "MapShader",
        name=name,
        alwaysOn=True,
        startsOn=True,
        buttonText="",
        tooltip="",
        icon="",
        addToMapToolbar=True,
        hotkey="",
        boards="Yes",
        boardList="",
        type="Foreground",
        drawOver=False,
        pattern="100% (Solid)",
        color=color,
        image="",
        scaleImage=False,
        opacity=opacity,
        border=False,
        borderColor="0,0,0",
        borderWidth=1,
        borderOpacity=100,
    )


def camera(tooltip: str, picture: str, stroke: str, x: str, y: str) -> XmlPart:
    """A button that centers a window on a place, at true size."""
    return XmlPart(
        MAP + "MoveCameraButton",
        name=tooltip,
        text="",
        tooltip=tooltip if picture else "",
        icon=picture,
        hotkey=stroke,
        moveCameraMode="L",
        boardName="",
        xPos=x,
        yPos=y,
        xOffset="0",
        yOffset="0",
        zoom="1.0",
    )


def side_maps(
    game: Game, window_boards: Mapping[str, Sequence[XmlPart]], piles: Mapping[str, Sequence[XmlPart]]
) -> list[XmlPart]:
    """The windows of trays, of tracks and boxes with their draw piles, and each side's hand in games with fog.

    A menu gathers windows of one kind if there are several.
    """
    window_names, side_formats = windows_of(game), formats(game, main=False)
    result: list[XmlPart] = []
    for names, title, picture, first_key, about in (
        (window_names.trays, "Forces", "trays", keys.SETUP_KEY, "Set-up trays and reinforcements"),
        (window_names.boxes, "Boxes", "boxes", keys.BOXES_KEY, "Tracks, boxes and losses"),
    ):
        for name in names:
            boards = window_boards.get(name) or [blank(EMPTY)]
            result.append(
                _window(
                    name,
                    picker(name, boards, [str(boards[0].attributes["name"]), "0", "0"]),
                    *handling(False),
                    camera("At full size", "", keys.TRUE_SIZE, "0", "0"),
                    *piles.get(name, ()),
                    button=name,
                    hotkey=first_key if name == names[0] else "",
                    picture=icon(picture),
                    report_formats=side_formats,
                    arrival_key=keys.BOX_ARRIVAL if has_box_report(game) else "",
                )
            )
        if len(names) > 1:
            result += menu(title, [*names], about, icon(picture))
    result[0].attributes["showKey"] = keys.SHOW_SETUP
    return [*result, *(hand(side.name) for side in game.sides.values() if game.card.fog)]


def blank(name: str, width: int = 600, height: int = 300) -> XmlPart:
    """An empty board."""
    return XmlPart(
        BOARD + "Board", name=name, image="", reversible=False, width=width, height=height, color="239,233,220"
    )


def hand(side: str) -> XmlPart:
    """A window that only its side sees, for secret plans and draws."""
    name = hand_name(side)
    window = _window(
        name,
        picker(name, [blank(name)], [name, "0", "0"]),
        *handling(False),
        camera("At full size", "", keys.TRUE_SIZE, "0", "0"),
        button=name,
        picture=icon("hand"),
        kind="PrivateMap",
        report_formats=silent(name),
    )
    window.attributes |= {"side": hand_sides(side), "visible": False, "useBoards": ""}
    return window

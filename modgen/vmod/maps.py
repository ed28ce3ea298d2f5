"""Map windows: the main map with everything a player expects of one, trays, tracks and boxes."""

from __future__ import annotations

from collections.abc import Sequence

from modgen.vmod import keys
from modgen.vmod.icons import icon
from modgen.vmod.pools import draw_piles, hand_name, hand_sides
from modgen.vmod.prototypes import GROUND, UNITS
from modgen.vmod.xml import BOARD, MAP, MODULE, Part
from scenarios.game import Game
from scenarios.vassal.sequence import join
from scenarios.vassal.windows import BOXES, MAIN, SETUP, TraySheet

MOVED = "$pieceName$ moves $previousLocation$ -> $location$"
TEXT = (
    '{PieceName + (Face_Level == 2 && FactorsBack != "" ? ": " + FactorsBack : Factors == "" ? "" : ": " + Factors)'
    f' + (Enters == "" || CurrentMap == "{MAIN}" ? "" : ". " + Enters)}}'
)
"""What the viewer says of a piece: its name, the factors of the face that shows, when and where it comes."""


def picker(window: str, boards: Sequence[Part], default: Sequence[str]) -> Part:
    """The boards of a window, and which lie there when nothing else is said."""
    setup = Part("setup", content=join([f"{window}BoardPicker", *default], "\t"))
    return Part(
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


def _viewer(zoom: str = "1.4") -> Part:
    return Part(
        MAP + "CounterDetailViewer",
        description="Stacks",
        version=4,
        delay=500,
        hotkey=keys.LOOK,
        bgColor="255,250,240",
        fgColor="20,20,20",
        borderWidth=4,
        minDisplayPieces=1,
        zoomlevel="0.1",
        showgraph=True,
        graphicsZoom=zoom,
        showgraphsingle=True,
        showtext=True,
        showtextsingle=True,
        fontSize=12,
        summaryReportFormat="$LocationName$",
        counterReportFormat=TEXT,
        emptyHexReportForma="$LocationName$",
        display="from all layers",
        unrotatePieces=False,
        showDeck=True,
        showDeckMasked=True,
        enableHTML=False,
        verticalTopText=4,
        verticalBottomText=4,
    )


def layers(control: bool) -> Part:
    """What lies on the ground is drawn under the units and stacks by itself; a button takes the units off."""
    buttons = [
        Part(
            MAP + "LayerControl",
            name="Units",
            description="",
            command="Switch Layer between Active and Inactive",
            layers=UNITS,
            skip=True,
            text="",
            icon=icon("ground"),
            tooltip="Show only what lies on the ground, or the units too",
            hotkey=keys.GROUND_KEY,
        )
    ]
    return Part(
        MAP + "LayeredPieceCollection",
        *(buttons if control else []),
        property="Layer",
        layerOrder=join([GROUND, UNITS], ","),
        description="",
    )


def _handling(main: bool = True) -> list[Part]:
    """What every window needs before pieces can be handled in it."""
    return [
        Part(
            MAP + "StackMetrics",
            bottom="40,0",
            top="38,0",
            up="39,0",
            down="37,0",
            disabled=False,
            exSepX=8,
            exSepY=20,
            unexSepX=2 if main else 1,
            unexSepY=3 if main else 1,
        ),
        layers(main),
        Part(MAP + "ForwardToKeyBuffer"),
        Part(MAP + "Scroller", useArrows="Use Preferences Setting"),
        Part(MAP + "ForwardToChatter"),
        Part(MAP + "MenuDisplayer"),
        Part(MAP + "MapCenterer"),
        Part(MAP + "StackExpander"),
        Part(MAP + "PieceMover"),
        Part(MAP + "KeyBufferer"),
        Part(
            MAP + "Zoomer",
            zoomLevels="0.2,0.25,0.333,0.4,0.5,0.625,0.8,1.0,1.25,1.6,2.0",
            zoomStart=4,
            zoomInKey=keys.ZOOM_IN,
            zoomOutKey=keys.ZOOM_OUT,
            zoomPickKey="",
            inTooltip="Zoom in",
            outTooltip="Zoom out",
            pickTooltip="Select zoom",
            inButtonText="",
            outButtonText="",
            pickButtonText="",
            inIconName="/images/zoomIn.gif",
            outIconName="/images/zoomOut.gif",
            pickIconName="/images/zoom.png",
        ),
        _viewer(),
        Part(MAP + "SelectionHighlighters"),
        *([Part(MAP + "HighlightLastMoved", color="255,205,0", enabled=True, thickness=2)] if main else []),
    ]


def _window(
    name: str,
    *parts: Part,
    button: str = "",
    hotkey: str = "",
    multiple: bool = False,
    picture: str = "/images/map.gif",
    kind: str = "Map",
) -> Part:
    return Part(
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
        backgroundcolor="230,224,210",
        color="130,40,150",
        thickness=3,
        moveKey="",
        onlyReportChangedLocation=True,
        moveWithinFormat=MOVED,
        moveToFormat="$pieceName$ moves $previousLocation$ [$previousMap$] -> $location$ [$mapName$]",
        createFormat="$pieceName$ put in $location$",
        changeFormat="$message$",
    )


def main_map(game: Game, boards: Sequence[Part], default: Sequence[str], tools: Sequence[Part] = ()) -> Part:
    """The map that is played on."""
    hexes = bool(game.boards)
    thread = Part(
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
        *_handling(),
        Part(
            MAP + "GlobalMap",
            scale="0.12",
            color="255,0,0",
            hotkey=keys.OVERVIEW_KEY,
            tooltip="Overview",
            buttonText="",
            icon="/images/overview.gif",
        ),
        Part(
            MAP + "HidePiecesButton",
            buttonText="",
            tooltip="Hide all pieces",
            hotkey=keys.HIDE_KEY,
            showingIcon="/images/globe_unselected.gif",
            hiddenIcon="/images/globe_selected.gif",
        ),
        Part(
            MAP + "ImageSaver", buttonText="", tooltip="Save the map as a picture", icon="/images/camera.gif", hotkey=""
        ),
        Part(
            MAP + "TextSaver",
            buttonText="",
            tooltip="Save what is on the map as text",
            icon="/images/Save16.gif",
            hotkey="",
        ),
        thread,
        Part(
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
    )


def side_map(
    name: str, boards: Sequence[Part], default: Sequence[str], button: str, hotkey: str, picture: str, *more: Part
) -> Part:
    """A window beside the main map."""
    return _window(
        name, picker(name, boards, default), *_handling(False), *more, button=button, hotkey=hotkey, picture=picture
    )


def side_maps(game: Game, trays: Sequence[Part], boxes: Part, sheet: TraySheet) -> list[Part]:
    """The windows of trays, of tracks and boxes with their draw piles, and each side's own hand where there is fog."""
    trays = trays or [blank("No scenario yet")]
    first = str(trays[0].attributes["name"])
    piles = draw_piles(game, sheet)
    setup = side_map(SETUP, trays, [first, "0", "0"], "Set-up", keys.SETUP_KEY, icon("trays"))
    setup.attributes["showKey"] = keys.SHOW_SETUP
    return [
        setup,
        side_map(BOXES, [boxes], [sheet.name, "0", "0"], "Tracks", keys.BOXES_KEY, icon("boxes"), *piles),
        *(hand(side.name) for side in game.sides.values() if game.card.fog),
    ]


def blank(name: str) -> Part:
    """A board with nothing on it."""
    return Part(BOARD + "Board", name=name, image="", reversible=False, width=900, height=420, color="239,233,220")


def hand(side: str) -> Part:
    """A window that only its side sees: for what is planned or drawn in secret."""
    name = hand_name(side)
    made = _window(
        name,
        picker(name, [blank(name)], [name, "0", "0"]),
        *_handling(False),
        button=name,
        picture=icon("hand"),
        kind="PrivateMap",
    )
    made.attributes |= {"side": hand_sides(side), "visible": False, "useBoards": ""}
    return made

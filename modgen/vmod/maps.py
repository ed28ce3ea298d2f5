"""Map windows: the main map with everything a player expects of one, trays, tracks and boxes."""

from __future__ import annotations

from collections.abc import Sequence

from modgen.vmod.pieces import UNMOVE
from modgen.vmod.traits import ALT, CTRL, SHIFT, key
from modgen.vmod.xml import MAP, MODULE, Part
from scenarios.game import Game
from scenarios.vassal.sequence import join
from scenarios.vassal.windows import BOXES, MAIN, SETUP

MOVED = "$pieceName$ moves $previousLocation$ -> $location$"
TEXT = '{PieceName + (Factors == "" ? "" : ": " + Factors)}'


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
        hotkey=key(" ", CTRL),
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
        display="from top-most layer only",
        unrotatePieces=False,
        showDeck=False,
        enableHTML=False,
        verticalTopText=4,
        verticalBottomText=4,
    )


def _handling(highlight: bool = True) -> list[Part]:
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
            unexSepX=2,
            unexSepY=3,
        ),
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
            zoomInKey=key("=", CTRL),
            zoomOutKey=key("-", CTRL),
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
        *([Part(MAP + "HighlightLastMoved", color="255,0,0", enabled=True, thickness=2)] if highlight else []),
    ]


def _window(
    name: str, *parts: Part, button: str = "", hotkey: str = "", multiple: bool = False, icon: str = "/images/map.gif"
) -> Part:
    return Part(
        MODULE + "Map",
        *parts,
        mapName=name,
        allowMultiple=multiple,
        launch=bool(button),
        buttonName=button,
        hotkey=hotkey,
        icon="" if button else icon,
        tooltip=f"{name} window",
        markMoved="Always" if not button else "Never",
        markUnmovedIcon="/images/unmoved.gif",
        markUnmovedText="",
        markUnmovedTooltip="Clear moved marks",
        markUnmovedHotkey=key("M", CTRL | SHIFT),
        edgeWidth=0,
        edgeHeight=0,
        backgroundcolor="230,224,210",
        color="200,30,30",
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
        hotkey=key("L", ALT),
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
            hotkey=key("O", ALT),
            tooltip="Overview",
            buttonText="",
            icon="/images/overview.gif",
        ),
        Part(
            MAP + "HidePiecesButton",
            buttonText="",
            tooltip="Hide all pieces",
            hotkey=key("H", ALT),
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
            icon="/images/camera.gif",
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
        Part(
            MAP + "MassKeyCommand",
            name="Clear moved marks and trails",
            buttonText="",
            tooltip="Clear moved marks and trails",
            icon="/images/unmoved.gif",
            buttonHotkey=key("U", ALT),
            hotkey=UNMOVE,
            filter="",
            deckCount=0,
            reportSingle=True,
            reportFormat="Moved marks are cleared",
            singleMap=True,
        ),
        *tools,
        multiple=len(game.boards) > 1,
    )


def side_map(name: str, boards: Sequence[Part], default: Sequence[str], button: str, hotkey: str) -> Part:
    """A window beside the main map."""
    return _window(name, picker(name, boards, default), *_handling(False), button=button, hotkey=hotkey)


def side_maps(trays: Sequence[Part], boxes: Sequence[Part]) -> list[Part]:
    """The windows of trays, and of tracks and boxes."""
    first = str(trays[0].attributes["name"]) if trays else ""
    return [
        side_map(SETUP, trays, [first, "0", "0"], "Set-up", key("S", ALT)),
        side_map(BOXES, boxes, ["Boxes", "0", "0"], "Boxes", key("B", ALT)),
    ]

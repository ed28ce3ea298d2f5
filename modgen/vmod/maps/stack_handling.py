"""How a window handles pieces: stacks, layers, zoom, and the viewer of what is under the pointer."""

from __future__ import annotations

from modgen.vmod.files import keys
from modgen.vmod.files.xml import MAP, XmlPart
from modgen.vmod.maps.icons import icon
from modgen.vmod.pieces.prototypes import GROUND, UNITS
from scenarios.vassal.sequence import join
from scenarios.vassal.windows import MAIN

_STACK_COUNT = 'CountStack("{PieceName!=\\"\\"}")'
_ROW = "<html><table cellpadding=0 width="
_CELL = "><tr><td align=center>"
_IS_FLIPPED = 'Face_Level == 2 && ShortBack != ""'
_WITH_SPACES = '.replace("-", " ")'
TEXT = (
    f'{{({_STACK_COUNT} > 15 ? "{_ROW}52{_CELL}<font size=2>" : {_STACK_COUNT} > 10 ? "{_ROW}78{_CELL}" : "{_ROW}106{_CELL}")'
    ' + "<b>" + PieceName + "</b><br>"'
    f' + ({_STACK_COUNT} > 15 ? ({_IS_FLIPPED} ? GetString("ShortBack"){_WITH_SPACES} : GetString("Short"){_WITH_SPACES})'
    f" : {_IS_FLIPPED} ? ShortBack : Short)"
    f' + (Enters == "" || CurrentMap == "{MAIN}" ? "" : "<br><i>" + Enters + "</i>") + "</td></tr></table></html>"}}'
)
"""The text of the viewer under a piece: its name, the factors of the visible face, when and where it enters.

On a screen of 1366 pixels the engine draws more than ten pieces smaller, and more than fifteen smaller still. Their
texts are narrower, and lines can break between factors.
"""
ZOOMS = (0.2, 0.25, 0.333, 0.4, 0.5, 0.625, 0.8, 1.0, 1.25, 1.6, 2.0)
ROOMY = 1.05
"""How far a player can zoom a window, and the scale of a tray's window before it is shown.

A tray's window has the size for this scale, so that at true size everything fits without scrollbars.
"""


def viewer(empty: str = "") -> XmlPart:
    """The viewer of what is under the pointer: the pieces side by side with their factors. On an empty place it shows an expression."""
    return XmlPart(
        MAP + "CounterDetailViewer",
        description="Stacks",
        version=4,
        delay=500,
        hotkey=keys.LOOK,
        bgColor="255,250,240",
        fgColor="20,20,20",
        borderWidth=8,
        minDisplayPieces=0 if empty else 1,
        zoomlevel="0.1",
        showgraph=True,
        graphicsZoom="1.8",
        showgraphsingle=True,
        showtext=True,
        showtextsingle=True,
        fontSize=11,
        summaryReportFormat="$LocationName$",
        counterReportFormat=TEXT,
        emptyHexReportForma=empty or "$LocationName$",
        display="from all layers",
        unrotatePieces=False,
        showDeck=True,
        showDeckMasked=True,
        enableHTML=True,
        verticalTopText=4,
        verticalBottomText=30,
    )


def layers(control: bool) -> XmlPart:
    """Draws ground pieces under the units and stacks them separately. A button hides the units."""
    buttons = [
        XmlPart(
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
    return XmlPart(
        MAP + "LayeredPieceCollection",
        *(buttons if control else []),
        property="Layer",
        layerOrder=join([GROUND, UNITS], ","),
        description="",
    )


def handling(main: bool = True, empty: str = "") -> list[XmlPart]:
    """What a window needs to handle pieces. It opens at true size."""
    zooms = ZOOMS if main else tuple(sorted((*ZOOMS, ROOMY)))
    return [
        XmlPart(
            MAP + "StackMetrics",
            bottom="40,0",
            top="38,0",
            up="39,0",
            down="37,0",
            disabled=False,
            exSepX=8,
            exSepY=20,
            # Each piece of a tray's stack is a pixel higher and none is to the side, so a tall stack doesn't cover its
            # neighbors.
            unexSepX=2 if main else 0,
            unexSepY=3 if main else 1,
        ),
        layers(main),
        XmlPart(MAP + "ForwardToKeyBuffer"),
        XmlPart(MAP + "Scroller", useArrows="Use Preferences Setting"),
        XmlPart(MAP + "ForwardToChatter"),
        XmlPart(MAP + "MenuDisplayer"),
        XmlPart(MAP + "MapCenterer"),
        XmlPart(MAP + "StackExpander"),
        XmlPart(MAP + "PieceMover"),
        XmlPart(MAP + "KeyBufferer"),
        XmlPart(
            MAP + "Zoomer",
            zoomLevels=",".join(map(str, zooms)),
            zoomStart=len(zooms) - zooms.index(1.0 if main else ROOMY),
            zoomInKey=keys.ZOOM_IN,
            zoomOutKey=keys.ZOOM_OUT,
            zoomPickKey="",
            inTooltip="Zoom in",
            outTooltip="Zoom out",
            pickTooltip="Select zoom",
            inButtonText="",
            outButtonText="",
            pickButtonText="",
            # A tray's window shows all of its board. It has no row of buttons, to save space; keys zoom.
            inIconName="/images/zoomIn.gif" if main else "",
            outIconName="/images/zoomOut.gif" if main else "",
            pickIconName="/images/zoom.png" if main else "",
        ),
        viewer(empty),
        XmlPart(MAP + "SelectionHighlighters"),
        *([XmlPart(MAP + "HighlightLastMoved", color="255,205,0", enabled=True, thickness=2)] if main else []),
    ]

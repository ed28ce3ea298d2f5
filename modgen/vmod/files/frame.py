"""The frame of a module: sides, options, help, inventory, notes, and what it reports at the start of a session."""

from __future__ import annotations

from collections.abc import Sequence

from modgen.vmod.battle.places import SCENARIO
from modgen.vmod.files import keys
from modgen.vmod.files.buttons import folder, menu, press, prop, tool
from modgen.vmod.files.xml import MODULE, XmlPart
from modgen.vmod.maps.icons import icon
from modgen.vmod.maps.point_ranges import range_texts
from modgen.vmod.maps.windows import FRONT_X, FRONT_Y
from modgen.vmod.setups import phase_effects
from modgen.vmod.setups.turns import PLAYERS, named_players
from modgen.vmod.sight.shading import LOOKER
from modgen.vmod.sight.sight_tables import LAYOUT
from modgen.vmod.sight.visibility import has_eyes
from modgen.vmod.text.briefing import WAITING, WELCOME
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.vassal.playing import SAVE_DATA
from scenarios.vassal.reading import about
from scenarios.vassal.windows import map_of

SHOWN_PARTS = {
    "TurnTracker.defaultDocked": "true",
    "TurnTracker.defaultFontSize": "13",
    "TurnTracker.defaultFontBold": "true",
}
"""Defaults that the engine looks up: turn and phase are in the toolbar unless a player removes them."""
HELP = {"Quick guide": "help/guide.html", "Keys": "help/keys.html", "Sources and licence": "help/sources.html"}


def documentation(game: Game, opening: str) -> XmlPart:
    """The Help menu."""
    pages = [
        XmlPart(MODULE + "documentation.HelpFile", title=title, fileName=file, fileType="archive")
        for title, file in HELP.items()
    ]
    screen = XmlPart(MODULE + "documentation.AboutScreen", title=f"About {game.title}", fileName=opening)
    return XmlPart(MODULE + "Documentation", screen, *pages)


def roster(sides: Sequence[str]) -> XmlPart:
    """The sides that players can take."""
    return XmlPart(
        MODULE + "PlayerRoster",
        *(XmlPart("entry", content=side) for side in sides),
        buttonText="Retire",
        buttonToolTip="Change sides or give up a side",
        buttonIcon=icon("player"),
        buttonKeyStroke="",
    )


def options() -> XmlPart:
    """The options for all players."""
    return XmlPart(
        MODULE + "GlobalOptions",
        autoReport="Always",
        centerOnMove="Use Preferences Setting",
        chatterHTMLSupport="Always",
        hotKeysOnClosedWindows="Always",
        inventoryForAll="Always",
        nonOwnerUnmaskable="Never",
        playerIdFormat="$playerName$ ($playerSide$)",
        promptString="Opponents can unmask my pieces",
        sendToLocationMoveTrails="Never",
        storeLeadingZeroIntegersAsStrings=True,
    )


def properties(game: Game) -> list[XmlPart]:
    """What a save says of its game without the module: the pack, its release, the grids, and lists of points."""
    initial_values = [
        (SAVE_DATA, about(game)),
        (SCENARIO, ""),
        (FRONT_X, "0"),
        (FRONT_Y, "0"),
        (WELCOME, ""),
        (WAITING, "0"),
    ]
    initial_values += [(LAYOUT, ""), (LOOKER, "")] if has_eyes(game) else []
    if not isinstance(map_of(game), HexMap) and game.maps:
        initial_values.append(("PointMap", "true"))
    initial_values += [(name, words) for words, name in PLAYERS.items()] if named_players(game) else []
    return [prop(name, value) for name, value in [*initial_values, *SHOWN_PARTS.items(), *range_texts(game).items()]]


def inventory(game: Game) -> XmlPart:
    """The list of pieces by side and formation; by class where counters have no formation."""
    has_formations = any(unit.formation for unit in game.units.values())
    return XmlPart(
        MODULE + "Inventory",
        name="Inventory",
        text="",
        tooltip="Inventory of all pieces by side",
        icon="/images/inventory.gif",
        hotkey=keys.INVENTORY_KEY,
        include='{unit != ""}',
        groupBy="SideName,formation,CurrentMap" if has_formations else "SideName,ClassName,CurrentMap",
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


def notes() -> XmlPart:
    """The notes of the scenario, of all players, and of each player alone."""
    tooltip = "Notes on the scenario, for all players and for yourself"
    return tool("NotesWindow", tooltip, keys.NOTES_KEY, icon="/images/notes.gif")


def clean_up_menu(game: Game) -> tuple[list[XmlPart], list[XmlPart]]:
    """Properties and buttons of the clean-up menu."""
    props, buttons = phase_effects.buttons(game)
    items = [str(part.attributes["text"]) for part in buttons if part.attributes.get("text")]
    return props, [
        *buttons,
        *menu("Clean-up", items, "Clean up many units at once, as the phase requires", icon("chores")),
    ]


GAP = 11
"""The engine opens each window 30 pixels right of and below the last one, beginning in the corner.

This many would cover the toolbar and the chat.
"""


def first_places() -> XmlPart:
    """Hidden lists that take the windows' positions over toolbar and chat, so that the game's windows open below."""
    placeholders = [
        XmlPart(
            MODULE + "Inventory",
            name=f"Place {n}",
            text="",
            tooltip="",
            icon="",
            hotkey="",
            include="{false}",
            sides="nobody",
        )
        for n in range(1, GAP)
    ]
    return folder(
        "Places of windows over the toolbar", "Taken, so that the game's windows open below the chat", *placeholders
    )


def opening() -> list[XmlPart]:
    """The actions at the start: the chat introduces the scenario and its Set-up window opens. The map comes to the
    front for every opened game.

    The engine records in its saves and logs what it does only at the start of a game. None of it changes the game, so
    the engine doesn't ask to save a game that a player only looked at.
    """
    return [
        press("Begin", [keys.OPEN_SETUP], stroke=keys.BEGIN, report=f"|<b>${WELCOME}$</b>"),
        _open_setup(),
        _at_start("Begin the scenario", "startOfGameOnly", keys.BEGIN),
        _at_start("Bring the map to the front", "everyLaunchOfSession", keys.FRONT_KEY),
        _at_start("Show trays at full size", "everyLaunchOfSession", keys.TRUE_SIZE),
    ]


def _open_setup() -> XmlPart:
    """Shows the Set-up window if the scenario has anything in it."""
    button = press("Open the set-up", [keys.SHOW_SETUP], stroke=keys.OPEN_SETUP)
    button.attributes |= {"doLoop": True, "loopType": "counted", "loopCount": f"{{{WAITING}>0?1:0}}"}
    return button


def _at_start(name: str, occasion: str, stroke: str) -> XmlPart:
    return XmlPart(
        MODULE + "StartupGlobalKeyCommand",
        name=name,
        whenToApply=occasion,
        hotkeyOrKeyCommand="sendHotkey",
        globalHotkey=stroke,
        hotkey="",
        buttonText="",
        tooltip="",
        icon="",
        buttonHotkey="",
        filter="",
        deckCount=0,
        reportSingle=False,
        reportFormat="",
    )

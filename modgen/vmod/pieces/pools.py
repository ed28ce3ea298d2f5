"""Draw pools: boxes from which players draw random markers, as decks that shuffle themselves; and each side's hand."""

from __future__ import annotations

from collections.abc import Sequence

from modgen.vmod.files.xml import MAP, XmlPart
from scenarios.model.game import Game, Map
from scenarios.vassal.sequence import join
from scenarios.vassal.windows import SOLITAIRE, TraySheet, counter_size, pools

OUTLINE = "120,110,90"
MENUS = ("Draw several", "Draw a chosen one", "Turn face up", "Turn face down")


def draw_piles(game: Game, table: Map | None, sheet: TraySheet) -> list[XmlPart]:
    """A deck for each pool of a map whose box is on this sheet, in the box's first place."""
    result = []
    for key in pools(table):
        tray = next((tray for tray in sheet.trays if tray.location == f"box:{key}"), None)
        if tray is None:
            continue
        x, y = tray.cells[0]
        result.append(
            XmlPart(
                MAP + "DrawPile",
                name=tray.name,
                description="Drawn at random",
                owningBoard=sheet.name,
                x=x,
                y=y,
                width=counter_size(game),
                height=counter_size(game),
                allowMultiple=True,
                drawMultipleMessage=MENUS[0],
                allowSelect=True,
                drawSpecificMessage=MENUS[1],
                selectDisplayProperty="$BasicName$",
                selectSortProperty="",
                faceDown="Always",
                drawFaceUp=True,
                shuffle="Always",
                reversible=False,
                draw=True,
                color=OUTLINE,
                hotkeyOnEmpty=False,
                reshufflable=False,
                canSave=False,
                maxStack=10,
                expressionCounting=False,
                restrictOption=False,
                deckRestrictAccess=False,
                faceUpMessage=MENUS[2],
                faceDownMessage=MENUS[3],
            )
        )
    return result


def deck_type(game: Game, name: str) -> str:
    """The type of such a deck, as the engine writes it."""
    size = str(counter_size(game))
    looks = ["true", OUTLINE, size, size, "Always", "Always", "true", "true", "false"]
    sending = ["", "", "", name, "", "", "", "true", "false", "", "", "10", "", "false", "", "false", ""]
    choosing = ["$BasicName$", "", "false", "", "Shuffle", "Reverse", ""]
    keys = [*MENUS, "", "", "", "", "Save Deck", "", "Deck Saved", "Load Deck", "", "Deck Loaded", "false", ""]
    return "deck;" + join([*looks, *sending, *choosing, *keys], ";")


def deck_state(window: str, x: int, y: int, ids: Sequence[str]) -> str:
    """The state of a deck: its position, face down, and its pieces."""
    return join([window, str(x), str(y), "true", *([join(ids, ",")] if ids else [])], ";")


def hand_name(side: str) -> str:
    """The name of the window that only one side sees."""
    return f"{side} hand"


def hand_sides(side: str) -> str:
    """The sides that may open a side's hand."""
    return join([side, SOLITAIRE], ",")

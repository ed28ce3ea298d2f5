"""What a unit sees, shaded for the player who asks.

Neither an area of effect nor map shading takes a list of hexes. One piece under all others has a label instead, which is drawn
from the row of the table of sight: each character of it is the picture of six hexes of a lane, and lanes stand side by side. A save
grows by that piece alone. A unit writes its place and its player into one property; the label of other players stays empty.
"""

from __future__ import annotations

from art import svg
from modgen.vmod import traits
from modgen.vmod.beanshell import text_of
from modgen.vmod.buttons import set_to
from modgen.vmod.eyes import flying
from modgen.vmod.keys import SEEN_KEY
from modgen.vmod.looking import cell, flies, part, steps, table
from modgen.vmod.pictures import Drawn, drawn
from modgen.vmod.sight import BITS, LAYOUT, LETTERS, cells_of
from scenarios.game import Game
from scenarios.maps import HexMap
from scenarios.vassal.commands import Trait
from scenarios.vassal.geometry import pixels
from scenarios.vassal.windows import MAIN

LOOKER = "Looker"
"""The property that tells who asked what a unit sees, and where it stands: x, y, window, in the air, player."""
ENTRY = "Show what it sees (bare map)"
NAME = "Sight shading"
"""The piece that draws it, and its slot in the palette."""
LIGHT, EDGE = "#ffe14d", "#7a5c00"
PANE = (3, 3)
"""How far the engine's text pane begins from the corner of a label."""
DOTS = "." * 24
"""As many characters as a lane can have."""


def asking(game: Game) -> Trait:
    """The command of a unit that has what it sees shaded, or no more."""
    place, air = 'CurrentX+";"+CurrentY+";"', f'({flies(game)}?"air":"")+' if flying(game) else ""
    asked = f'{text_of(LOOKER)}.startsWith({place})?"":{place}+CurrentMap+";"+{air}";"+PlayerName'
    # The engine sends the keystroke to each selected piece: only the first of them switches, or a stack of two would switch back.
    asked = f'{text_of("UiPieceIndex")}.matches("[01]?")?({asked}):{text_of(LOOKER)}'
    return traits.folded(LOOKER, [(ENTRY, SEEN_KEY, set_to(f"{{{asked}}}"))])


def shaded(game: Game) -> str:
    """An expression for the label's text: a table of pictures."""
    grid = pixels(next(iter(game.boards.values())).grid)
    flat, lane, high = grid.grid.orientation == "flat", grid.lane, grid.high
    held = [f'{text_of(LOOKER)}.split(";")[{i}]' for i in range(4)]
    number, wide = cell(steps(game, held[0], held[1])), f"Integer.parseInt({part(2)})"
    letters = f"Integer.parseInt({part(1)})/{BITS}"
    if flying(game):
        from_air = f'GetString(("air".equals({held[3]})?"SightAir":"Sight")+{part(0)})'
        known = f'&&(!"air".equals({held[3]})||"air".equals({part(3)}))'
    else:
        from_air, known = table(game, "Sight"), ""
    across, along = (lane, BITS * high) if flat else (BITS * high, lane)
    half = (lane, high // 2) if flat else (high // 2, lane)
    after = "<br>" if flat else ""
    spacer = f"<img src={picture('A')} width={half[0]} height={half[1]}>{after}"
    whole = f"({letters}*{BITS * high}+{high // 2})"
    begin = (
        f'"<td valign=top width={lane} height="+{whole}+">"'
        if flat
        else f'"<tr><td height={lane} width="+{whole}+"><nobr>"'
    )
    end = "</td>" if flat else "</nobr></td></tr>"
    first, second = (f'({part(5)}.equals("{i}")?"{spacer}":"")' for i in (1, 0))
    pairs = f'{begin}+{first}+"$1{end}"+{begin}+{second}+"$2{end}"'
    image = f"<img src={picture('$1')} width={across} height={along}>{after}"
    rows = (
        f"{from_air}.substring({number}*{wide},{number}*{wide}+{wide})"
        f'.replaceAll("("+"{DOTS}".substring(0,{letters})+")","$1/").replaceAll("([a-z])","+$1")'
        f'.replaceAll("([+]?[A-Za-z0-9_-])","{image}").replaceAll("([^/]+)/([^/]*)/?",{pairs})'
    )
    mine = f'!{text_of(LAYOUT)}.equals("")&&{text_of(LOOKER)}.endsWith(";"+{text_of("PlayerName")})&&"{MAIN}".equals({held[2]}){known}'
    row = ("<tr>", "</tr>") if flat else ("", "")
    return f'{mine}?"<html><table cellspacing=0 cellpadding=0 border=0>{row[0]}"+{rows}+"{row[1]}</table>":""'


def piece(game: Game, gpid: str, layer: str) -> tuple[Trait, ...]:
    """The piece that draws it: players can't select, move or stack it."""
    first = next(table for table in game.scenario_maps.values() if isinstance(table, HexMap))
    cells = cells_of(first)
    away = cells.shift[0] - cells.lane // 2, cells.shift[1] - cells.half
    x, y = away if cells.flat else (away[1], away[0])
    return (
        traits.fixed(),
        traits.marks({"Layer": layer}),
        traits.page(f"{{{shaded(game)}}}", x - PANE[0], y - PANE[1]),
        traits.basic(NAME, gpid),
    )


def picture(letter: str) -> str:
    """The picture of a character. Small letters have a sign before them: some systems don't tell them from large ones."""
    return f"see-{'+' if letter.islower() else ''}{letter}.png"


def pictures(game: Game) -> dict[str, Drawn]:
    """Six hexes of a lane, for each character: those that are seen are light."""
    grid = pixels(next(iter(game.boards.values())).grid)
    flat, lane, high = grid.grid.orientation == "flat", grid.lane, grid.high
    wide, tall = (lane, BITS * high) if flat else (BITS * high, lane)
    half = lane / 2 - 1
    corners = [(half, 0), (half / 2, 1), (-half / 2, 1), (-half, 0), (-half / 2, -1), (half / 2, -1)]
    rise = half * 0.866

    def hexagon(number: int) -> str:
        spots = [(lane / 2 + x, number * high + high / 2 + y * rise) for x, y in corners]
        listed = [(x, y) if flat else (y, x) for x, y in spots]
        return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in listed) + "Z"

    made: dict[str, Drawn] = {}
    for bits, letter in enumerate(LETTERS):
        seen = [hexagon(number) for number in range(BITS) if bits >> number & 1]
        parts = [
            svg.path(d, fill=LIGHT, fill_opacity=0.45, stroke=EDGE, stroke_width=1, stroke_opacity=0.55) for d in seen
        ]
        made[picture(letter)] = drawn(parts, wide, tall)
    return made

"""What a unit sees, shaded for the player who asks.

Neither an area of effect nor map shading accepts a list of hexes. So one piece under all others has a label, drawn
from a row of the sight table. Each character of it is the picture of six hexes of a lane, and lanes are side by side.
A save grows by that piece alone. A unit writes its place and its player into one property. For other players the
label stays empty.
"""

from __future__ import annotations

from art import svg
from modgen.vmod.battle.beanshell import text_of
from modgen.vmod.files.buttons import set_to
from modgen.vmod.files.keys import SEEN_KEY
from modgen.vmod.pieces import traits
from modgen.vmod.pieces.pictures import SvgPicture, draw_picture
from modgen.vmod.sight.battle_sight import cell, flies, part, steps, table
from modgen.vmod.sight.sight_tables import BITS, LAYOUT, LETTERS, cells_of
from modgen.vmod.sight.visibility import flying
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.vassal.commands import Trait
from scenarios.vassal.geometry import pixels
from scenarios.vassal.windows import MAIN

LOOKER = "Looker"
"""The property with the player who asked and the unit's place: x, y, window, in the air, player."""
ENTRY = "Show what it sees (map without pieces)"
NAME = "Sight shading"
"""The name of the piece that draws the shading, and of its palette slot."""
LIGHT, EDGE = "#ffe14d", "#7a5c00"
PANE = (3, 3)
"""The offset of the engine's text pane from the corner of a label."""
DOTS = "." * 24
"""As many characters as a lane can have."""


def asking(game: Game) -> Trait:
    """The command of a unit that turns the shading of its view on and off."""
    place, air = 'CurrentX+";"+CurrentY+";"', f'({flies(game)}?"air":"")+' if flying(game) else ""
    expression = f'{text_of(LOOKER)}.startsWith({place})?"":{place}+CurrentMap+";"+{air}";"+PlayerName'
    # The engine sends the keystroke to each selected piece. Only the first switches, or a stack of two would switch
    # back.
    expression = f'{text_of("UiPieceIndex")}.matches("[01]?")?({expression}):{text_of(LOOKER)}'
    return traits.fold_commands(LOOKER, [(ENTRY, SEEN_KEY, set_to(f"{{{expression}}}"))])


def shading_table(game: Game) -> str:
    """An expression for the label's text: a table of pictures."""
    grid = pixels(next(iter(game.boards.values())).grid)
    flat, lane, hex_height = grid.grid.orientation == "flat", grid.lane, grid.height
    looker_parts = [f'{text_of(LOOKER)}.split(";")[{i}]' for i in range(4)]
    number, row_length = cell(steps(game, looker_parts[0], looker_parts[1])), f"Integer.parseInt({part(2)})"
    letters = f"Integer.parseInt({part(1)})/{BITS}"
    if flying(game):
        from_air = f'GetString(("air".equals({looker_parts[3]})?"SightAir":"Sight")+{part(0)})'
        air_test = f'&&(!"air".equals({looker_parts[3]})||"air".equals({part(3)}))'
    else:
        from_air, air_test = table(game, "Sight"), ""
    image_width, image_height = (lane, BITS * hex_height) if flat else (BITS * hex_height, lane)
    spacer_size = (lane, hex_height // 2) if flat else (hex_height // 2, lane)
    line_break = "<br>" if flat else ""
    spacer = f"<img src={picture('A')} width={spacer_size[0]} height={spacer_size[1]}>{line_break}"
    strip_length = f"({letters}*{BITS * hex_height}+{hex_height // 2})"
    begin = (
        f'"<td valign=top width={lane} height="+{strip_length}+">"'
        if flat
        else f'"<tr><td height={lane} width="+{strip_length}+"><nobr>"'
    )
    end = "</td>" if flat else "</nobr></td></tr>"
    first, second = (f'({part(5)}.equals("{i}")?"{spacer}":"")' for i in (1, 0))
    pairs = f'{begin}+{first}+"$1{end}"+{begin}+{second}+"$2{end}"'
    image = f"<img src={picture('$1')} width={image_width} height={image_height}>{line_break}"
    rows = (
        f"{from_air}.substring({number}*{row_length},{number}*{row_length}+{row_length})"
        f'.replaceAll("("+"{DOTS}".substring(0,{letters})+")","$1/").replaceAll("([a-z])","+$1")'
        f'.replaceAll("([+]?[A-Za-z0-9_-])","{image}").replaceAll("([^/]+)/([^/]*)/?",{pairs})'
    )
    visible_test = (
        f'!{text_of(LAYOUT)}.equals("")&&{text_of(LOOKER)}.endsWith(";"+{text_of("PlayerName")})'
        f'&&"{MAIN}".equals({looker_parts[2]}){air_test}'
    )
    row = ("<tr>", "</tr>") if flat else ("", "")
    return f'{visible_test}?"<html><table cellspacing=0 cellpadding=0 border=0>{row[0]}"+{rows}+"{row[1]}</table>":""'


def piece(game: Game, gpid: str, layer: str) -> tuple[Trait, ...]:
    """The piece that draws the shading. Players can't select, move or stack it."""
    first = next(table for table in game.scenario_maps.values() if isinstance(table, HexMap))
    cells = cells_of(first)
    offset = cells.shift[0] - cells.lane // 2, cells.shift[1] - cells.half_height
    x, y = offset if cells.flat else (offset[1], offset[0])
    return (
        traits.immovable(),
        traits.marks({"Layer": layer}),
        traits.page(f"{{{shading_table(game)}}}", x - PANE[0], y - PANE[1]),
        traits.basic(NAME, gpid),
    )


def picture(letter: str) -> str:
    """The picture of a character. Small letters have a sign before them, because some systems don't distinguish them from capitals."""
    return f"see-{'+' if letter.islower() else ''}{letter}.png"


def pictures(game: Game) -> dict[str, SvgPicture]:
    """Pictures of six hexes of a lane, one for each character. Visible hexes are light."""
    grid = pixels(next(iter(game.boards.values())).grid)
    flat, lane, hex_height = grid.grid.orientation == "flat", grid.lane, grid.height
    image_width, tall = (lane, BITS * hex_height) if flat else (BITS * hex_height, lane)
    radius = lane / 2 - 1
    corners = [(radius, 0), (radius / 2, 1), (-radius / 2, 1), (-radius, 0), (-radius / 2, -1), (radius / 2, -1)]
    rise = radius * 0.866

    def hexagon(number: int) -> str:
        spots = [(lane / 2 + x, number * hex_height + hex_height / 2 + y * rise) for x, y in corners]
        points = [(x, y) if flat else (y, x) for x, y in spots]
        return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points) + "Z"

    drawings: dict[str, SvgPicture] = {}
    for bits, letter in enumerate(LETTERS):
        outlines = [hexagon(number) for number in range(BITS) if bits >> number & 1]
        parts = [
            svg.path(d, fill=LIGHT, fill_opacity=0.45, stroke=EDGE, stroke_width=1, stroke_opacity=0.55)
            for d in outlines
        ]
        drawings[picture(letter)] = draw_picture(parts, image_width, tall)
    return drawings

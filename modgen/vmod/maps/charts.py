"""Charts: the legend of the map and every table in one window, drawn as in the kit, and a button for each kind of roll."""

from __future__ import annotations

from art import svg
from art.charts.charts import chart_group
from art.maps.hexmap import SIDE, sheet_of
from art.maps.pointmap import point_entries
from art.maps.scenery import has_scenery, sample
from art.sheets.legend import LegendEntry, entries, legend_group
from modgen.vmod.files.xml import MODULE, WIDGET, XmlPart
from modgen.vmod.maps.icons import icon
from modgen.vmod.pieces.pictures import SvgPicture, draw_picture, hashed_name
from modgen.vmod.pieces.traits import ALT, key
from scenarios.model.dice import DICE
from scenarios.model.game import Game
from scenarios.model.maps import HexMap

PER_MM = 5
CHART_WIDTH = 180
PICTURES = CHART_WIDTH * PER_MM + 20
"""The width of the pictures, with a scrollbar."""
LETTER = 7.5
"""The width of a letter in the engine's lists, in pixels."""
CHART_HEIGHT = 400
"""The height of the window in pixels. It leaves the toolbar and the chat visible on a small screen."""
PAPER = "#fbf8f0"
MARGIN = 3
COLUMNS = 4
"""The number of columns of the legend."""


def charts(game: Game) -> tuple[list[XmlPart], dict[str, SvgPicture]]:
    """The window of charts and its pictures."""
    pictures: dict[str, SvgPicture] = {}
    tabs: list[XmlPart] = []
    for table_id, table in game.tables.items():
        body, body_height = chart_group(game, table_id, CHART_WIDTH)
        width, height = CHART_WIDTH * PER_MM, int(body_height * PER_MM) + 1
        ground = svg.rect(0, 0, CHART_WIDTH, height / PER_MM, fill="#ffffff")
        picture = draw_picture([ground, body], width, height, (0, 0, CHART_WIDTH, height / PER_MM))
        file = hashed_name(f"chart-{table_id}", picture)
        pictures[file] = picture
        tabs.append(XmlPart(WIDGET + "Chart", chartName=table.title, fileName=file, description=""))
    legend_entries = signs(game)
    _, body_height = legend_group(legend_entries, CHART_WIDTH, COLUMNS)
    # A long legend is drawn wider, and so appears smaller, until it needs no scrolling.
    legend_width = min(
        1.35 * CHART_WIDTH,
        max(CHART_WIDTH, (body_height + 2 * MARGIN) * CHART_WIDTH * PER_MM / (CHART_HEIGHT - 10) - 2 * MARGIN),
    )
    body, body_height = legend_group(legend_entries, legend_width, COLUMNS)
    total_width, total_height = legend_width + 2 * MARGIN, body_height + 2 * MARGIN
    ground = svg.rect(-MARGIN, -MARGIN, total_width, total_height, fill=PAPER)
    picture = draw_picture(
        [ground, body],
        CHART_WIDTH * PER_MM,
        int(total_height * CHART_WIDTH / total_width * PER_MM),
        (-MARGIN, -MARGIN, total_width, total_height),
    )
    file = hashed_name("legend", picture)
    pictures[file] = picture
    tabs.insert(0, XmlPart(WIDGET + "Chart", chartName="Legend of the map", fileName=file, description=""))
    longest = max(len(str(tab.attributes["chartName"])) for tab in tabs)
    total_width = PICTURES + int(longest * LETTER) + 30
    inner = XmlPart(
        WIDGET + "ListWidget",
        *tabs,
        entryName="Charts",
        divider=PICTURES,
        width=total_width,
        height=CHART_HEIGHT,
        scale="1.0",
    )
    window = XmlPart(
        MODULE + "ChartWindow",
        inner,
        name="Charts",
        text="Charts",
        tooltip="Tables and charts",
        icon=icon("charts"),
        hotkey=key("C", ALT),
        description="",
    )
    return [window], pictures


SCENERY = "Wadis, tracks and fields: without effect"


def signs(game: Game) -> list[LegendEntry]:
    """Every terrain, hexside, path and sign of all maps, each once."""
    entries_by_words: dict[str, LegendEntry] = {}
    for table in game.scenario_maps.values():
        map_entries = (
            entries(game, table, sheet_of(table, SIDE).paper)
            if isinstance(table, HexMap)
            else point_entries(game, table)
        )
        for entry in map_entries:
            entries_by_words.setdefault(entry.words, entry)
        if isinstance(table, HexMap) and has_scenery(game, table):
            color = game.terrain[table.plain].color
            entries_by_words.setdefault(
                SCENERY,
                LegendEntry("Lines", SCENERY, lambda x, y, color=color: sample(x, y, color)),  # type: ignore[misc]
            )
    return sorted(entries_by_words.values(), key=lambda entry: (entry.group != "Terrain", entry.words == SCENERY))


def dice_rolls(game: Game) -> list[str]:
    """The rolls that a game needs: 1d6, 2d6 ..."""
    throws = [game.card.dice, *(table.dice for table in game.tables.values())]
    return sorted({throw for throw in throws if DICE.fullmatch(throw)})


def dice(game: Game) -> list[XmlPart]:
    """A button for each roll."""
    result = []
    for throw in dice_rolls(game):
        match = DICE.fullmatch(throw)
        assert match
        result.append(
            XmlPart(
                MODULE + "DiceButton",
                name=throw,
                text=throw,
                tooltip=f"Roll {throw}",
                icon="/images/die.gif",
                hotkey="",
                nDice=int(match[1] or 1),
                nSides=int(match[2]),
                plus=0,
                addToTotal=0,
                reportTotal=int(match[1] or 1) > 1,
                prompt=False,
                reportFormat="|<b>$name$ = $result$</b> ($playerName$)",
                sortDice=False,
            )
        )
    return result

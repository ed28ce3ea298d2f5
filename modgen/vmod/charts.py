"""Charts: the legend of the map and every table in one window, as they are in the kit; and a button that rolls on each."""

from __future__ import annotations

from art import svg
from art.charts import chart_group
from art.hexmap import SIDE, sheet_of
from art.legend import Entry, entries, legend_group
from art.pointmap import entries as point_entries
from art.scenery import has_scenery, sample
from modgen.vmod.icons import icon
from modgen.vmod.pictures import Drawn, drawn, hashed
from modgen.vmod.traits import ALT, key
from modgen.vmod.xml import MODULE, WIDGET, Part
from scenarios.dice import DICE
from scenarios.game import Game
from scenarios.maps import HexMap

PER_MM = 5
WIDE = 180
PICTURES = WIDE * PER_MM + 20
"""The room that the pictures take, with a scrollbar."""
LETTER = 7.5
"""The width of a letter in the engine's lists, in pixels."""
HIGH = 400
"""The height of the window in pixels: it leaves toolbar and chat free on a small screen."""
PAPER = "#fbf8f0"
MARGIN = 3
COLUMNS = 4
"""The columns of the legend."""


def charts(game: Game) -> tuple[list[Part], dict[str, Drawn]]:
    """The window of charts, and its pictures."""
    pictures: dict[str, Drawn] = {}
    tabs: list[Part] = []
    for table_id, table in game.tables.items():
        body, high = chart_group(game, table_id, WIDE)
        width, height = WIDE * PER_MM, int(high * PER_MM) + 1
        ground = svg.rect(0, 0, WIDE, height / PER_MM, fill="#ffffff")
        picture = drawn([ground, body], width, height, (0, 0, WIDE, height / PER_MM))
        file = hashed(f"chart-{table_id}", picture)
        pictures[file] = picture
        tabs.append(Part(WIDGET + "Chart", chartName=table.title, fileName=file, description=""))
    listed = signs(game)
    _, high = legend_group(listed, WIDE, COLUMNS)
    # A long legend is drawn wider and so shown smaller, until it needn't be scrolled.
    wide = min(1.35 * WIDE, max(WIDE, (high + 2 * MARGIN) * WIDE * PER_MM / (HIGH - 10) - 2 * MARGIN))
    body, high = legend_group(listed, wide, COLUMNS)
    across, down = wide + 2 * MARGIN, high + 2 * MARGIN
    ground = svg.rect(-MARGIN, -MARGIN, across, down, fill=PAPER)
    picture = drawn([ground, body], WIDE * PER_MM, int(down * WIDE / across * PER_MM), (-MARGIN, -MARGIN, across, down))
    file = hashed("legend", picture)
    pictures[file] = picture
    tabs.insert(0, Part(WIDGET + "Chart", chartName="Legend of the map", fileName=file, description=""))
    longest = max(len(str(tab.attributes["chartName"])) for tab in tabs)
    across = PICTURES + int(longest * LETTER) + 30
    inner = Part(
        WIDGET + "ListWidget", *tabs, entryName="Charts", divider=PICTURES, width=across, height=HIGH, scale="1.0"
    )
    window = Part(
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


def signs(game: Game) -> list[Entry]:
    """Every terrain, hexside, path and sign of all maps, each once."""
    found: dict[str, Entry] = {}
    for table in game.scenario_maps.values():
        listed = (
            entries(game, table, sheet_of(table, SIDE).paper)
            if isinstance(table, HexMap)
            else point_entries(game, table)
        )
        for entry in listed:
            found.setdefault(entry.words, entry)
        if isinstance(table, HexMap) and has_scenery(game, table):
            color = game.terrain[table.plain].color
            found.setdefault(SCENERY, Entry("Lines", SCENERY, lambda x, y, color=color: sample(x, y, color)))  # type: ignore[misc]
    return sorted(found.values(), key=lambda entry: (entry.group != "Terrain", entry.words == SCENERY))


def thrown(game: Game) -> list[str]:
    """The throws that a game needs: 1d6, 2d6 ..."""
    found = [game.card.dice, *(table.dice for table in game.tables.values())]
    return sorted({throw for throw in found if DICE.fullmatch(throw)})


def dice(game: Game) -> list[Part]:
    """A button for each throw."""
    result = []
    for throw in thrown(game):
        match = DICE.fullmatch(throw)
        assert match
        result.append(
            Part(
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

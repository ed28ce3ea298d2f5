"""A scenario in words: its card as the notes of its set-up and as a page of a window."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from textwrap import wrap

from art.charts.charts import number_rulings
from modgen.kit.cards import facts, group_words, support_lines, victory_line
from modgen.vmod.files.buttons import plain_text
from modgen.vmod.files.keys import SCENARIO_KEY, SETUP_KEY, display_key
from modgen.vmod.files.xml import MODULE, WIDGET, XmlPart, html_page
from modgen.vmod.maps.charts import CHART_HEIGHT, LETTER
from modgen.vmod.maps.icons import icon
from scenarios.areas.wording import AreaDescriber
from scenarios.model.game import Game
from scenarios.model.scenario import Group
from scenarios.unit_view import display_name
from scenarios.vassal.sequence import join
from scenarios.vassal.windows import setup_sheets

Section = tuple[str, list[str]]
NOTES = "NOTES\t"
"""The beginning of a save's command for the scenario's notes."""
PAGE_WIDE = 660
"""The width of a scenario's page in pixels."""
PAGE_WIDTH = 72
"""The characters of a line in the window of notes, which doesn't wrap lines itself."""


def sections(game: Game, key: str) -> Iterator[Section]:
    """Everything that a player has to know about a scenario, by heading."""
    scenario = game.scenarios[key]
    sides = game.sides_in(scenario)
    opening = [*([scenario.date] if scenario.date else []), *([scenario.summary] if scenario.summary else [])]
    yield scenario.title, [_plain_text(game, line) for line in opening]
    players = " against ".join(sides[side].name for side in scenario.forces if side in sides)
    yield (
        "The scenario",
        [*([f"Sides: {players}"] if players else []), *(f"{name}: {fact}" for name, fact in facts(game, scenario))],
    )
    if scenario.special:
        yield "Special rules", [_plain_text(game, special_rule.text) for special_rule in scenario.special]
    for side, player_side in sides.items():
        lines = [_plain_text(game, victory_line(victory)) for victory in scenario.victory if victory.side == side]
        if lines:
            yield f"{player_side.name}: victory", lines
    place_words = AreaDescriber(game, key)
    for side, force in scenario.forces.items():
        lines = [_line(game, place_words, group, number) for number, group in enumerate(force.groups, 1)]
        support = [f"Off the map: {line}" for line in support_lines(force)]
        yield sides[side].name if side in sides else side, [*lines, *support]
    if scenario.notes:
        yield "Notes", [_plain_text(game, line) for line in scenario.notes]


def _plain_text(game: Game, words: str) -> str:
    """A text of the pack on one line, with names in place of ids."""
    return " ".join(number_rulings(game, words).split())


def _line(game: Game, place_words: AreaDescriber, group: Group, number: int) -> str:
    """A group on one line: its name, its place, when it enters, its units."""
    description = group_words(game, place_words, group, number)
    contents = [(_name(game, unit, group.nation), count) for unit, count in group.units.items() if unit in game.units]
    contents += [
        (game.markers[marker].name, count) for marker, count in group.markers.items() if marker in game.markers
    ]
    words = ["; ".join(filter(None, (description["name"], description["where"]))), *description["notes"]]
    contents_text = ", ".join(f"{count} x {name}" if count > 1 else name for name, count in contents)
    return ". ".join(sentence.removesuffix(".") for sentence in words if sentence) + (
        f": {contents_text}" if contents else ""
    )


def _name(game: Game, unit: str, nation: str) -> str:
    """A counter's name under the heading of its side: the name alone, unless it is a number. A nation may use the
    counters of another.
    """
    name = game.units[unit].name
    return name if any(map(str.isalpha, name)) else display_name(game, game.units[unit], nation)


def note(game: Game, key: str) -> str:
    """The command of a save that fills the scenario's notes."""
    lines: list[str] = []
    for heading, section_lines in sections(game, key):
        wrapped_lines = (
            row
            for line in section_lines
            for row in wrap(line, PAGE_WIDTH, subsequent_indent="  ", break_on_hyphens=False)
        )
        lines += [heading.upper(), *wrapped_lines, ""]
    return NOTES + join(lines[:-1], "|")


WELCOME, WAITING = "Welcome", "Waiting"
"""The properties with the chat's text at the start of a scenario, and the number of pieces in the Set-up window then."""


def welcome(game: Game, key: str) -> str:
    """The chat's text at the start of a scenario: who moves first, the length, where north is, and where to read on."""
    scenario = game.scenarios[key]
    sides = game.sides_in(scenario)
    statements = [f"first player: {sides[scenario.first].name}"] if scenario.first in sides else []
    if scenario.turns is not None and scenario.turns.last:
        statements.append(f"turns {scenario.turns.first} to {scenario.turns.last}")
    north = game.scenario_maps[key].north
    direction = {"up": "up on", "down": "at the bottom of"}.get(north, f"to the {north} of")
    statements.append(f"north is {direction} the map")
    waits = any(sheet.trays for sheet in setup_sheets(game, key))
    read = f"{display_key(SCENARIO_KEY)}: scenario description" + (
        f"; {display_key(SETUP_KEY)}: set-up" if waits else ""
    )
    return plain_text(f"{scenario_name(game, key)}: {', '.join(statements)}. {read}.")


def scenario_name(game: Game, key: str) -> str:
    """A scenario's name in menus and lists: its title after its printed number. It doesn't depend on the other scenarios."""
    title = game.scenarios[key].title
    first_id = next(scenario_id for scenario_id, scenario in game.scenarios.items() if scenario.title == title)
    return f"{key} {title}" if first_id != key or any(map(str.isdecimal, key)) else title


def page(game: Game, key: str) -> str:
    """The card of a scenario as an HTML page."""
    body = ""
    for number, (heading, section_lines) in enumerate(sections(game, key)):
        level = 2 if number else 1
        body += f"<h{level}>{escape(heading)}</h{level}>"
        items = "".join(f"<li>{escape(line)}</li>" for line in section_lines)
        body += f"<ul>{items}</ul>" if number and items else "".join(f"<p>{escape(line)}</p>" for line in section_lines)
    return html_page(body)


def file(game: Game, key: str) -> str:
    """The file name of a scenario's page. It uses the scenario's number, because an id may contain any character."""
    return f"scenario-{[*game.scenarios].index(key) + 1}.html"


def pages(game: Game) -> dict[str, bytes]:
    """Every page by the name of its file."""
    return {file(game, key): page(game, key).encode("utf-8") for key in game.scenarios}


def window(game: Game) -> list[XmlPart]:
    """The window with a page for each scenario."""
    if not game.scenarios:
        return []
    page_parts = [
        XmlPart(WIDGET + "HtmlChart", chartName=scenario_name(game, key), fileName=file(game, key), description="")
        for key in game.scenarios
    ]
    longest = max(len(str(part.attributes["chartName"])) for part in page_parts)
    window_width = PAGE_WIDE + int(longest * LETTER) + 30
    inner = XmlPart(
        WIDGET + "ListWidget",
        *page_parts,
        entryName="Scenarios",
        divider=PAGE_WIDE,
        width=window_width,
        height=CHART_HEIGHT,
        scale="1.0",
    )
    return [
        XmlPart(
            MODULE + "ChartWindow",
            inner,
            name="Scenarios",
            text="",
            tooltip="Scenarios: sides, length, special rules, victory, forces and reinforcements",
            icon=icon("scenario"),
            hotkey=SCENARIO_KEY,
            description="",
        )
    ]

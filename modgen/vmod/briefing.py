"""A scenario in words: its card in the notes of its set-up, and as a page of a window."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from textwrap import wrap

from art.charts import referred
from modgen.kit.cards import facts, group_words, support_lines, victory_line
from modgen.vmod.buttons import bare
from modgen.vmod.charts import HIGH, LETTER
from modgen.vmod.icons import icon
from modgen.vmod.keys import SCENARIO_KEY, SETUP_KEY, shown
from modgen.vmod.xml import MODULE, WIDGET, Part, styled
from scenarios.display_names import display_name
from scenarios.game import Game
from scenarios.scenario import Group
from scenarios.vassal.sequence import join
from scenarios.vassal.windows import setup_sheets
from scenarios.where import Where

Section = tuple[str, list[str]]
NOTES = "NOTES\t"
"""How a save begins the scenario's notes."""
PAGE_WIDE = 660
"""The width of a scenario's page in pixels."""
WIDE = 72
"""The letters of a line in the window of notes, which doesn't break lines by itself."""


def sections(game: Game, key: str) -> Iterator[Section]:
    """Everything that a player has to know of a scenario, heading by heading."""
    held = game.scenarios[key]
    sides = game.sides_in(held)
    opening = [*([held.date] if held.date else []), *([held.summary] if held.summary else [])]
    yield held.title, [_said(game, line) for line in opening]
    players = " against ".join(sides[side].name for side in held.forces if side in sides)
    yield (
        "The scenario",
        [*([f"Sides: {players}"] if players else []), *(f"{name}: {what}" for name, what in facts(game, held))],
    )
    if held.special:
        yield "Special rules", [_said(game, one.text) for one in held.special]
    for side, named in sides.items():
        lines = [_said(game, victory_line(one)) for one in held.victory if one.side == side]
        if lines:
            yield f"{named.name}: victory", lines
    where = Where(game, key)
    for side, force in held.forces.items():
        lines = [_line(game, where, group, number) for number, group in enumerate(force.groups, 1)]
        support = [f"Off the map: {line}" for line in support_lines(force)]
        yield sides[side].name if side in sides else side, [*lines, *support]
    if held.notes:
        yield "Notes", [_said(game, line) for line in held.notes]


def _said(game: Game, words: str) -> str:
    """A text of the pack on one line, with names for the ids in it."""
    return " ".join(referred(game, words).split())


def _line(game: Game, where: Where, group: Group, number: int) -> str:
    """A group: what it is called, where it goes, when it comes, who is in it."""
    said = group_words(game, where, group, number)
    held = [(_name(game, unit), count) for unit, count in group.units.items() if unit in game.units]
    held += [(game.markers[one].name, count) for one, count in group.markers.items() if one in game.markers]
    words = ["; ".join(filter(None, (said["name"], said["where"]))), *said["notes"]]
    listed = ", ".join(f"{count} x {name}" if count > 1 else name for name, count in held)
    return ". ".join(one.removesuffix(".") for one in words if one) + (f": {listed}" if held else "")


def _name(game: Game, unit: str) -> str:
    """What a counter is called under the heading of its side: its name alone, unless that is a number."""
    name = game.units[unit].name
    return name if any(map(str.isalpha, name)) else display_name(game, game.units[unit])


def note(game: Game, key: str) -> str:
    """The command of a save that fills the scenario's notes."""
    lines: list[str] = []
    for heading, listed in sections(game, key):
        folded = (row for line in listed for row in wrap(line, WIDE, subsequent_indent="  ", break_on_hyphens=False))
        lines += [heading.upper(), *folded, ""]
    return NOTES + join(lines[:-1], "|")


WELCOME, WAITING = "Welcome", "Waiting"
"""The properties with what the chat says as a scenario begins, and how many pieces wait in the Set-up window then."""


def welcome(game: Game, key: str) -> str:
    """What the chat says as a scenario begins: who moves first, how long, where north is, and where to read on."""
    held = game.scenarios[key]
    sides = game.sides_in(held)
    said = [f"first player: {sides[held.first].name}"] if held.first in sides else []
    if held.turns is not None and held.turns.last:
        said.append(f"turns {held.turns.first} to {held.turns.last}")
    north = game.scenario_maps[key].north
    where = {"up": "up on", "down": "at the bottom of"}.get(north, f"to the {north} of")
    said.append(f"north is {where} the map")
    waits = any(sheet.trays for sheet in setup_sheets(game, key))
    read = f"{shown(SCENARIO_KEY)}: the scenario in words" + (f"; {shown(SETUP_KEY)}: the set-up" if waits else "")
    return bare(f"{scenario_name(game, key)}: {', '.join(said)}. {read}.")


def scenario_name(game: Game, key: str) -> str:
    """What a scenario is called in menus and lists, whatever others there are: its title, after the number that players know it by."""
    title = game.scenarios[key].title
    before = next(other for other, held in game.scenarios.items() if held.title == title)
    return f"{key} {title}" if before != key or any(map(str.isdecimal, key)) else title


def page(game: Game, key: str) -> str:
    """The same as a page."""
    body = ""
    for number, (heading, listed) in enumerate(sections(game, key)):
        level = 2 if number else 1
        body += f"<h{level}>{escape(heading)}</h{level}>"
        items = "".join(f"<li>{escape(line)}</li>" for line in listed)
        body += f"<ul>{items}</ul>" if number and items else "".join(f"<p>{escape(line)}</p>" for line in listed)
    return styled(body)


def file(game: Game, key: str) -> str:
    """The file of a scenario's page; its number, because a scenario's id may be anything."""
    return f"scenario-{[*game.scenarios].index(key) + 1}.html"


def pages(game: Game) -> dict[str, bytes]:
    """Every page by the name of its file."""
    return {file(game, key): page(game, key).encode("utf-8") for key in game.scenarios}


def window(game: Game) -> list[Part]:
    """The window with a page for each scenario."""
    if not game.scenarios:
        return []
    listed = [
        Part(WIDGET + "HtmlChart", chartName=scenario_name(game, key), fileName=file(game, key), description="")
        for key in game.scenarios
    ]
    longest = max(len(str(part.attributes["chartName"])) for part in listed)
    across = PAGE_WIDE + int(longest * LETTER) + 30
    inner = Part(
        WIDGET + "ListWidget", *listed, entryName="Scenarios", divider=PAGE_WIDE, width=across, height=HIGH, scale="1.0"
    )
    return [
        Part(
            MODULE + "ChartWindow",
            inner,
            name="Scenarios",
            text="",
            tooltip="Scenarios: who plays, how long, special rules, victory, forces and when they come",
            icon=icon("scenario"),
            hotkey=SCENARIO_KEY,
            description="",
        )
    ]

"""Boards of trays, boxes and tracks: their pictures and their zones."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from art import svg
from art.color import contrast
from art.images import PictureBox, place_image, text_over_image
from art.svg import Element
from art.text import lines, text, width
from modgen.vmod.files.xml import BOARD, GRID, XmlPart
from modgen.vmod.pieces.pictures import SvgPicture, draw_picture
from scenarios.areas.wording import AreaDescriber
from scenarios.model.game import Game, Map
from scenarios.model.scenario import Arrival, Group, labelled_name
from scenarios.vassal.windows import OFF_MAP, Tray, TraySheet

PAPER, INK, QUIET, EDGE, TRAY = "#efe9dc", "#1f2328", "#55524a", "#8b8370", "#fbf8f0"
SIZES = ((10.5, 12.5, 2), (9.0, 10.0, 3), (7.5, 8.0, 4))
"""The sizes of a tray's instruction, each with its line spacing and the number of lines that fit."""


def fit_text(words: str, room: float, size: float, min_size: float = 7.5) -> tuple[str, float]:
    """A text and a size that fit the width: first the text gets smaller, then it is cut."""
    fit = size
    while fit > min_size and width(words, fit, "bold") > room:
        fit -= 0.5
    while words and width(words, fit, "bold") > room:
        words = words[:-2].rstrip() + "…" if len(words) > 2 else ""
    return words, fit


def tray_element(
    tray: Tray, instruction: str, color: str, small: bool, picture: Sequence[Element] = ()
) -> list[Element]:
    """One tray with its title and its player's instruction, perhaps on a picture."""
    parts = [
        svg.rect(tray.x, tray.y, tray.width, tray.height, rx=5, fill=TRAY, stroke=EDGE, stroke_width=1),
        *picture,
        svg.rect(tray.x, tray.y, tray.width, 20 if not small else 15, rx=5, fill=color),
    ]
    title = tray.location.partition("/")[2] if small else tray.name
    ink = max(INK, "#ffffff", key=lambda ink: contrast(color, ink))
    words, size = fit_text(title, tray.width - 10, 13 if not small else 11)
    parts.append(
        text(words, tray.x + tray.width / 2, tray.y + (14.5 if not small else 11.5), size, "bold", "middle", fill=ink)
    )
    size, pitch, max_rows = next(
        (s for s in SIZES if len(lines(instruction, tray.width - 12, s[0])) <= s[2]), SIZES[-1]
    )
    rows = lines(instruction, tray.width - 12, size)
    if len(rows) > max_rows:
        rows = [*rows[: max_rows - 1], fit_text(" ".join(rows[max_rows - 1 :]), tray.width - 22, size, size)[0]]
    note_elements = [
        text(row, tray.x + 6, tray.y + 22 + size * 0.95 + i * pitch, size, "regular", "start", fill=QUIET)
        for i, row in enumerate(rows)
    ]
    return [*parts, *(text_over_image(note_elements, TRAY) if picture else note_elements)]


def tray_picture(
    sheet: TraySheet,
    instructions: dict[str, str],
    colors: dict[str, str],
    pictures: Mapping[str, Sequence[Element]] | None = None,
) -> SvgPicture:
    """A board of trays, some with their own pictures."""
    parts: list[Element] = [svg.rect(0, 0, sheet.width, sheet.height, fill=PAPER)]
    titled_groups: set[str] = set()
    for tray in sheet.trays:
        small = tray.location.startswith("box:") and "/" in tray.location
        if small and tray.group not in titled_groups:
            titled_groups.add(tray.group)
            parts.append(
                text(
                    tray.name.removesuffix(" " + tray.location.partition("/")[2]),
                    tray.x,
                    tray.y - 6,
                    13,
                    "bold",
                    "start",
                    fill=INK,
                )
            )
        color, picture = colors.get(tray.name, "#d8cfba"), (pictures or {}).get(tray.name, ())
        parts += tray_element(tray, without_title(instructions.get(tray.name, ""), tray.name), color, small, picture)
    return draw_picture(parts, sheet.width, sheet.height)


def zoned_board(sheet: TraySheet, file: str) -> XmlPart:
    """A board of trays as an element, with a zone for each tray."""
    zones = []
    for tray in sheet.trays:
        left, top, right, bottom = tray.x, tray.y, tray.x + tray.width, tray.y + tray.height
        zones.append(
            XmlPart(
                GRID + "mapgrid.Zone",
                name=tray.name,
                locationFormat="$name$",
                useParentGrid=False,
                useHighlight=False,
                path=f"{left},{top};{right},{top};{right},{bottom};{left},{bottom}",
            )
        )
    return XmlPart(BOARD + "Board", XmlPart(GRID + "ZonedGrid", *zones), name=sheet.name, image=file, reversible=False)


def instructions(game: Game, scenario_id: str, sheet: TraySheet) -> dict[str, str]:
    """The instruction of each tray: where its group goes, and when it enters."""
    place_words = AreaDescriber(game, scenario_id)
    groups: dict[str, Group] = {}
    for side, force in game.scenarios[scenario_id].forces.items():
        groups |= {f"{side}/{group.id or number}": group for number, group in enumerate(force.groups, 1)}
    result = {}
    for tray in sheet.trays:
        group = groups.get(tray.group)
        if group is None:
            result[tray.name] = tray.note
            continue
        place_text = place_words.words(group.at) if group.at is not None else ""
        if group.enters is not None:
            place_text = ", or ".join(_arrival(place_words, way) for way in group.enters.ways)
        is_named = labelled_name(group, tray.name) == tray.name
        note = f"only with {group.only_with}. {group.note}" if group.only_with else group.note
        result[tray.name] = sentences(place_text if is_named else labelled_name(group, place_text), note)
    return result


def _arrival(place_words: AreaDescriber, way: Arrival) -> str:
    turns = f"turn {way.turn}" + (f" to {way.until}" if way.until else "")
    return turns + (f", {place_words.words(way.at)}" if way.at is not None else "")


def without_title(instruction: str, title: str) -> str:
    """What an instruction adds to the title of its tray, which has the turn and often the place."""
    turn = re.match(r"(Turn \d+)(?:[,.] |$)", instruction)
    if turn and title.startswith(f"{turn[1]},"):
        remainder = instruction[turn.end() :]
        instruction = remainder[:1].upper() + remainder[1:]
    place, _, note = instruction.partition(". ")
    place_name = place.partition(" ")[2].lower()
    return note if place_name and title.lower().endswith(place_name) else instruction


def sentences(place_text: str, note: str) -> str:
    """A group's place and further notes, without repetition."""
    parts = [part.strip(" .") for part in (place_text, *note.split(". "))]
    unique_parts: dict[str, str] = {}
    for part in filter(None, parts):
        unique_parts.setdefault(part.lower(), part[:1].upper() + part[1:])
    return ". ".join(unique_parts.values())


def box_notes(sheet: TraySheet) -> dict[str, str]:
    """A note for each box on what may be in it."""
    return {tray.name: sentences("", tray.note) for tray in sheet.trays if tray.note}


def box_colors(game: Game, table: Map | None, sheet: TraySheet) -> dict[str, str]:
    """The color of each box's title: that of its owner, a side or a nation."""
    result = {}
    for tray in sheet.trays:
        box = table.boxes.get(tray.location.removeprefix("box:")) if table is not None else None
        owner = box.side if box is not None else ""
        nation = game.nations.get(owner) or next((n for n in game.nations.values() if owner and n.side == owner), None)
        if nation is not None:
            result[tray.name] = nation.colors.fill
    return result


def box_pictures(game: Game, table: Map | None, sheet: TraySheet) -> dict[str, list[Element]]:
    """The pictures of boxes that have one, below their titles."""
    result = {}
    for tray in sheet.trays:
        box = table.boxes.get(tray.location.removeprefix("box:")) if table is not None else None
        if box is not None and box.image is not None:
            result[tray.name] = place_image(
                game.folder, box.image, PictureBox(tray.x + 1, tray.y + 19, tray.width - 2, tray.height - 20)
            )
    return result


def colors(game: Game, scenario_id: str, sheet: TraySheet) -> dict[str, str]:
    """The color of each tray's title: its nation's."""
    result = {}
    forces = game.scenarios[scenario_id].forces
    for tray in sheet.trays:
        side, _, key = tray.group.partition("/")
        group = (
            next((g for n, g in enumerate(forces[side].groups, 1) if (g.id or str(n)) == key), None)
            if side in forces
            else None
        )
        nation = group.nation if group else ""
        if tray.location.startswith(OFF_MAP):
            nation = forces[side].support[0].nation
        if group and not nation:
            nation = next((game.units[u].nation for u in group.units if u in game.units), "")
        if nation in game.nations:
            result[tray.name] = game.nations[nation].colors.fill
    return result

"""Charts: a table of the game as a player-aid card of the height that it needs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from art import svg
from art.charts.table_grid import Row, TableGrid, fit_grid, natural_width
from art.counters.slots import NoRoom
from art.svg import Element
from art.text import CAPITAL, lines, paragraph, text, width
from scenarios.model.boards import Place
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.model.points import PointShape
from scenarios.model.sources import Source
from scenarios.model.tables import Table

INK, PAPER, QUIET = "#1f2328", "#fffdf7", "#5b6168"
BAR = "#2e4057"
PAD = 4.0
"""The padding inside the edge of a card."""
TITLE, BODY, SMALL = 4.6, 3.1, 2.83
GAP = 6.0
"""The space between a narrow table and the text beside it."""
ON_BAR = "#dfe6ee"
SIGNS = {"-": "–", "1/2": "½", "1/4": "¼", "3/4": "¾", "1/3": "⅓", "2/3": "⅔"}
ID = re.compile(r"[a-z][a-z0-9_]*")
ODDS = re.compile(r"(?<=\b\d) (?=\d\b)")
COMPASS = frozenset({"n", "ne", "e", "se", "s", "sw", "w", "nw"})
MUCH = 420
"""The maximum length of notes in letters on a card of half the width."""
TAGS = {"rulebook": "#2f5d3a", "inferred": "#7a5a00", "reconstructed": "#8a2f1d", "mine": "#4b3a86"}


@dataclass
class ChartSheet:
    """An unfinished card: its elements, and the height used so far."""

    parts: list[Element]
    y: float

    def add(self, block: Element, height: float) -> None:
        """Add a block below the existing ones."""
        self.parts.append(svg.translate(block, 0, self.y))
        self.y += height


SUFFERS = {"attacker": "#d5e4f7", "defender": "#fadbd3", "both": "#e9dcf1"}
"""The background color of a result, by the side that suffers from it."""
SUFFER = {"attacker": "the attacker suffers", "defender": "the other side suffers", "both": "both suffer"}
OWN_PREFIXES = ("attacker_", "own_")
HARM = (
    "loses",
    "retreat",
    "steps",
    "losses",
    "eliminate",
    "hits",
    "state",
    "support",
    "refit",
    "superiority",
    "airstrike",
)


def suffers(effects: Mapping[str, str]) -> str:
    """The side that suffers from a result: the attacker, the defender (or target), or both. Empty for nobody."""
    harms = [key for key, value in effects.items() if any(word in key for word in HARM) and value not in ("0", "none")]
    harms_attacker = any(key.startswith(OWN_PREFIXES) for key in harms)
    harms_defender = any(not key.startswith(OWN_PREFIXES) for key in harms)
    return (
        "both"
        if harms_attacker and harms_defender
        else "attacker"
        if harms_attacker
        else "defender"
        if harms_defender
        else ""
    )


def fills(game: Game, table: Table) -> dict[str, str]:
    """The background colors for the cells of a combat table. Other tables have none."""
    victims = {format_label(game, code, table): suffers(outcome.effects) for code, outcome in table.results.items()}
    if (
        not table.dice
        or table.columns.kind == "names"
        or any(len(code) > 10 for code in victims)
        or "defender" not in victims.values()
    ):
        return {}
    return {code: SUFFERS[victim] for code, victim in victims.items() if victim}


def chart(game: Game, table_id: str, width: float = 180) -> Element:
    """A table as a separate drawing, without the text on the source of its numbers."""
    body, height = chart_group(game, table_id, width, has_sources=False)
    return svg.drawing(width, height, [body])


def chart_group(game: Game, table_id: str, width: float, has_sources: bool = True) -> tuple[Element, float]:
    """A table as a card of the given width, with its height. The text on the sources of its numbers is optional."""
    table = readable_table(game, game.tables[table_id])
    room = width - 2 * PAD
    sheet = ChartSheet([], 0)
    sheet.add(*_heading(table, width))
    throw = throw_words(table)
    if throw:
        sheet.add(*_block(throw, PAD, room, SMALL, QUIET, 0.8))
    grids = _grids(game, table, room)
    free_width = room - grids[0].width - GAP
    if len(grids) == 1 and free_width > max(52, 0.4 * room):
        side_sheet = ChartSheet([], 0)
        _explain(side_sheet, game, table, free_width)
        parts = [
            svg.translate(grids[0].drawing, PAD, 0),
            svg.translate(svg.group(side_sheet.parts), grids[0].width + GAP, 0),
        ]
        sheet.add(svg.group(parts), max(grids[0].height, side_sheet.y) + 2.2)
    else:
        for grid in grids:
            sheet.add(svg.translate(grid.drawing, PAD, 0), grid.height + 2.2)
        _explain(sheet, game, table, room)
    origins, origins_height = _origins(game, table, room) if has_sources else (svg.group([]), 0.0)
    sheet.add(origins, origins_height)
    height = sheet.y + PAD * 0.5
    edge = svg.rect(0.15, 0.15, width - 0.3, height - 0.3, rx=1.6, fill=PAPER, stroke=BAR, stroke_width=0.3)
    return svg.group([edge, *sheet.parts]), height


def _explain(sheet: ChartSheet, game: Game, table: Table, room: float) -> None:
    """Add the meaning of the codes, and the notes."""
    colors = fills(game, table)
    if colors:
        sheet.add(*_key(colors, room))
    if table.results:
        sheet.add(
            *_legend(
                [(format_label(game, code, table), outcome.meaning) for code, outcome in table.results.items()], room
            )
        )
    for note in table.notes:
        sheet.add(*_bullet(quote_backticks(note), room))


def readable_table(game: Game, table: Table) -> Table:
    """A copy of a table with all texts as players read them. It can be drawn without the rest of the game."""
    raw = {*table.columns.labels, *table.cells, *(cell for cells in table.cells.values() for cell in cells)}
    labels = {
        **{label: format_label(game, label, table) for label in sorted(raw) if ID.fullmatch(label) or " " in label},
        **table.labels,
    }
    sources_by_row = {key: _source(game, source) for key, source in table.sources.items()}
    return replace(
        table,
        labels=MappingProxyType(labels),
        notes=tuple(number_rulings(game, _code(game, table, note)) for note in table.notes),
        source=_source(game, table.source),
        sources=MappingProxyType(sources_by_row),
    )


def _code(game: Game, table: Table, note: str) -> str:
    """A note with names instead of the ids in backticks."""
    return re.sub(r"`([a-z][a-z0-9_]*)`", lambda match: f"`{format_heading(game, match[1], table)}`", note)


def _source(game: Game, source: Source | None) -> Source | None:
    return source._replace(note=number_rulings(game, source.note)) if source and source.note else source


RULING = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*(?:_[a-z0-9]+)+|(?<=ruling )[a-z]+")
SEVERAL_RULINGS = re.compile(r"(rulings? \d+)((?:(?:,| and) ruling \d+)+)")


def number_rulings(game: Game, words: str) -> str:
    """A text that cites rulings by their number in the list of rulings instead of their id."""
    numbers = {key: str(number) for number, key in enumerate(game.rulings, 1)}
    text = RULING.sub(lambda match: f"ruling {numbers[match[0]]}" if match[0] in numbers else match[0], words)
    text = re.sub(r"\brulings? (?=ruling \d)", "", text)
    return SEVERAL_RULINGS.sub(
        lambda match: match[1].replace("ruling ", "rulings ") + match[2].replace("ruling ", ""), text
    )


def format_label(game: Game, label: str, table: Table | None = None) -> str:
    """A label or cell as players read it: the name instead of an id, a single character for a fraction."""
    if table and label in table.labels:
        return table.labels[label]
    if label in SIGNS:
        return SIGNS[label]
    if ID.fullmatch(label):
        words = _vocabulary(game, label, table)
        if label in words:
            return str(words[label].name)
        for field in game.maps.values():
            places: Mapping[str, Place | PointShape] = field.places if isinstance(field, HexMap) else field.points
            if label in places:
                return places[label].name
    text = ODDS.sub("-", " ".join(_word(game, word) for word in label.replace("_", " ").split(" ")))
    for spelling in game.card.spellings:
        pattern = "[ -]".join(map(re.escape, re.split("[ -]", spelling)))
        text = re.sub(rf"\b{pattern}\b", spelling, text, flags=re.IGNORECASE)
    return text


def _vocabulary(game: Game, label: str, table: Table | None) -> Mapping[str, Any]:
    """The vocabulary of a label: one with all labels of its row or column, else the first that has the label.

    `armor` may be a class and a type. Beside `foot` it is the class.
    """
    vocabularies = (game.terrain, game.hexsides, game.paths, game.routes, game.types, game.nations)
    if table is not None:
        neighbour_labels = (
            table.columns.labels
            if label in table.columns.labels
            else tuple(table.cells)
            if label in table.cells
            else ()
        )
        ids = [label_id for label_id in neighbour_labels if ID.fullmatch(label_id)]
        for words in (*vocabularies, game.classes) if len(ids) > 1 else ():
            if all(label_id in words for label_id in ids):
                return words
    return next((words for words in vocabularies if label in words), {})


def _word(game: Game, word: str) -> str:
    """The name of a nation for its id. Any other word stays as it is."""
    return game.nations[word].name if word in game.nations else word


def format_heading(game: Game, label: str, table: Table | None = None) -> str:
    """The label of a row or column with a capital letter."""
    words = format_label(game, label, table)
    return words[:1].upper() + words[1:] if words[:2].islower() else words


def quote_backticks(words: str) -> str:
    """Replace backticks by quotation marks."""
    return re.sub(r"`([^`]*)`", "\N{LEFT DOUBLE QUOTATION MARK}\\1\N{RIGHT DOUBLE QUOTATION MARK}", words)


def _heading(table: Table, card_width: float) -> tuple[Element, float]:
    """The title on a dark bar. The rule and the source tag stand at its right end, or below it."""
    tag, tag_wide = source_tag(table.source)
    rule = f"Rule {table.rule}" if table.rule else ""
    right = card_width - PAD - tag_wide
    title_room = right - PAD - (width(rule, SMALL) + 5 if rule else 3)
    level_with = width(table.title, TITLE, "bold") <= title_room
    room = title_room if level_with else card_width - 2 * PAD
    size = TITLE if level_with or width(table.title, TITLE, "bold") <= room else TITLE - 0.8
    titles = lines(table.title, room, size, "bold")
    rules = [rule] if level_with else lines(rule, right - PAD - 2, SMALL)
    upper = 2.6 + len(titles) * size * 1.12
    height = upper if level_with else upper + max(4.4, SMALL * 1.2 * len(rules)) + 0.6
    parts = [
        svg.path(
            f"M0 1.6A1.6 1.6 0 0 1 1.6 0H{card_width - 1.6:g}A1.6 1.6 0 0 1 {card_width:g} 1.6V{height:g}H0Z", fill=BAR
        )
    ]
    for i, row in enumerate(titles):
        parts.append(text(row, PAD, 1.3 + size * (0.94 + 1.12 * i), size, "bold", "start", fill="#ffffff"))
    if level_with:
        middle = height / 2
        parts.append(text(rule, right - 2, middle + SMALL * CAPITAL / 2, SMALL, "regular", "end", fill=ON_BAR))
    else:
        middle = upper + 2.0
        for i, row in enumerate(rules):
            parts.append(text(row, PAD, upper + SMALL * (0.95 + 1.2 * i), SMALL, "regular", "start", fill=ON_BAR))
    parts.append(svg.translate(tag, right, middle - 2.0))
    return svg.group(parts), height + 1.8


def source_tag(source: Source | None) -> tuple[Element, float]:
    """A source word on a tag, with the width of the tag. Shape and color distinguish the four words."""
    word = source.word if source else "rulebook"
    color, size, height = TAGS[word], SMALL, 4.0
    inner = width(word, size, "semibold")
    tag_width = inner + 3.2
    r = height / 2
    shapes = {
        "rulebook": f"M0 0H{tag_width:g}V{height}H0Z",
        "inferred": f"M{r} 0H{tag_width - r:g}A{r} {r} 0 0 1 {tag_width - r:g} {height}H{r}A{r} {r} 0 0 1 {r} 0Z",
        "reconstructed": f"M1.3 0H{tag_width - 1.3:g}L{tag_width:g} {r}L{tag_width - 1.3:g} {height}H1.3L0 {r}Z",
        "mine": f"M1.3 0H{tag_width:g}L{tag_width - 1.3:g} {height}H0Z",
    }
    paper = "#ffffff" if word in ("rulebook", "inferred") else color
    ink = color if paper == "#ffffff" else "#ffffff"
    dash = "0.8 0.5" if word == "inferred" else None
    shape = svg.path(shapes[word], fill=paper, stroke=color, stroke_width=0.4, stroke_dasharray=dash)
    label = text(word, tag_width / 2, height / 2 + size * CAPITAL / 2 - 0.1, size, "semibold", "middle", fill=ink)
    return svg.group([shape, label]), tag_width


def throw_words(table: Table) -> str:
    """What to roll, and the meaning of rows and columns."""
    parts = []
    if table.dice:
        parts.append(f"Throw {table.dice}.")
    if table.column_title:
        parts.append(f"{table.column_title}.")
    if table.columns.kind in ("odds", "percent") and table.below == "none":
        parts.append("No attack below the first column.")
    return " ".join(parts)


def _grids(game: Game, table: Table, room: float) -> list[TableGrid]:
    """The table itself, split into parts below each other if it has too many columns."""
    labels, rows = texts(game, table)
    colors = fills(game, table)
    for parts in range(1, len(labels) + 1):
        share = -(-len(labels) // parts)
        cuts = [slice(i, i + share) for i in range(0, len(labels), share)]
        grids: list[TableGrid] = []
        for cut in cuts:
            grid = fit_grid(table.row_title, labels[cut], [(row, cells[cut]) for row, cells in rows], room, colors)
            if grid is None:
                break
            grids.append(grid)
        if len(grids) == len(cuts):
            return grids
    raise NoRoom(f"{table.title}: a row or column is too wide for {room:.0f} mm; shorten its heads or cells")


def texts(game: Game, table: Table) -> tuple[list[str], list[Row]]:
    """The column heads and the rows, as players read them."""
    columns = list(zip(*table.cells.values(), strict=True))
    winds = [set(column) <= COMPASS for column in columns]
    rows = [
        (
            format_heading(game, row, table),
            [
                cell.upper() if wind else format_label(game, cell, table)
                for cell, wind in zip(cells, winds, strict=True)
            ],
        )
        for row, cells in table.cells.items()
    ]
    return [format_heading(game, label, table) for label in table.columns.labels], rows


def is_narrow(game: Game, table_id: str, width: float) -> bool:
    """Whether a table and its texts fit a card of that width."""
    table = readable_table(game, game.tables[table_id])
    texts_below = [
        *table.notes,
        *(outcome.meaning for outcome in table.results.values()),
        table.source.note if table.source else "",
    ]
    labels, rows = texts(game, table)
    return sum(map(len, texts_below)) <= MUCH and natural_width(table.row_title, labels, rows) <= width - 2 * PAD


def _key(colors: Mapping[str, str], room: float) -> tuple[Element, float]:
    """The meaning of the cell colors."""
    parts, x, y = [], PAD, 0.0
    for victim, color in SUFFERS.items():
        if color in colors.values():
            long = 5.2 + width(SUFFER[victim], SMALL)
            if x > PAD and x + long > PAD + room:
                x, y = PAD, y + 3.6
            parts.append(svg.rect(x, y, 4.2, 2.4, fill=color, stroke=QUIET, stroke_width=0.12))
            parts.append(
                text(SUFFER[victim], x + 5.2, y + SMALL * CAPITAL + 0.2, SMALL, "regular", "start", fill=QUIET)
            )
            x += long + 5
    return svg.group(parts), y + 4.0


def _legend(results: Sequence[tuple[str, str]], room: float) -> tuple[Element, float]:
    """The meaning of each code, in one or two columns."""
    codes = max(width(code, BODY, "bold") for code, _ in results) + 1.8
    size = SMALL
    longest = max(width(meaning, size) for _, meaning in results)
    columns = 2 if len(results) > 2 and room > 110 and longest + codes < room else 1
    column_width = (room - 5 * (columns - 1)) / columns
    blocks = []
    for code, meaning in results:
        meaning_block, height = paragraph(meaning or "no effect", codes, 0, column_width - codes, size, fill=INK)
        label = text(code, 0, size * CAPITAL, size, "bold", "start", fill=BAR)
        blocks.append((svg.group([label, meaning_block]), height + 0.55))
    blocks_per_column = -(-len(blocks) // columns)
    parts, deepest = [], 0.0
    for column in range(columns):
        y = 0.0
        for meaning_block, height in blocks[column * blocks_per_column : (column + 1) * blocks_per_column]:
            parts.append(svg.translate(meaning_block, PAD + column * (column_width + 5), y))
            y += height
        deepest = max(deepest, y)
    return svg.group(parts), deepest + 1.4


def _block(words: str, x: float, room: float, size: float, ink: str, gap_below: float) -> tuple[Element, float]:
    block, height = paragraph(words, x, 0, room, size, fill=ink)
    return block, height + gap_below


def _bullet(words: str, room: float) -> tuple[Element, float]:
    block, height = paragraph(words, PAD + 2.2, 0, room - 2.2, SMALL, fill=INK)
    dot = svg.rect(PAD + 0.3, SMALL * CAPITAL / 2 - 0.35, 0.7, 0.7, fill=BAR)
    return svg.group([dot, block]), height + 1.1


def table_origins(game: Game, table: Table) -> list[str]:
    """The sources of a table's numbers, in sentences."""
    sentences = []
    if table.source and table.source.note:
        sentences.append(f"{table.source.word.capitalize()}: {table.source.note}.".replace("..", "."))
    for key, source in table.sources.items():
        if source:
            row, _, column = key.partition("/")
            cell_name = format_heading(game, row, table) + (f" ({format_label(game, column, table)})" if column else "")
            sentences.append(f"{cell_name}, {source.word}: {source.note}.".replace("..", "."))
    return sentences


def _origins(game: Game, table: Table, room: float) -> tuple[Element, float]:
    sentences = table_origins(game, table)
    if not sentences:
        return svg.group([]), 0
    block, height = paragraph(" ".join(sentences), PAD, 1.2, room, SMALL, "italic", fill=QUIET)
    rule = svg.line(PAD, 0.3, PAD + room, 0.3, stroke=QUIET, stroke_width=0.15)
    return svg.group([rule, block]), height + 1.2

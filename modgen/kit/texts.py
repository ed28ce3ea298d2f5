"""The texts of a kit's other pages: cover, printing, origins, the list of pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from art.charts.charts import number_rulings, readable_table, table_origins
from modgen.kit.imposition import HINTS, PAGES, trim_margins
from modgen.kit.options import Options
from modgen.kit.sheets import BLEED, CounterSheet
from modgen.notices import credits_of, notice, sharing
from scenarios.areas.wording import words_of_id
from scenarios.model.game import Game
from scenarios.model.sources import WORDS
from scenarios.pack.export import count_sources

Json = dict[str, Any]
AUTHOR = "Mitla"
GOES_ON = " (continued)"
TITLES = {
    "contents": "Contents",
    "cover": "Cover",
    "tile": "tile",
    "poster_label": "poster",
    "print": "What to print, and how",
    "make": "How to make it",
    "sheets": "Counter sheets",
    "maps": "Map",
    "poster": "poster at full size",
    "glue": "glue",
    "sequence": "Sequence of play",
    "rulebook": "Rulebook",
    "rules": "The rules in short",
    "charts": "Player aid cards",
    "scenarios": "Scenarios",
    "formations": "Set-up by formation",
    "formations_about": "Each formation with its counters, and where it stands in",
    "goes_on": GOES_ON,
    "of": "of",
    "ruling": "Ruling",
    "places": "In the hex below each",
    "displays": "Tracks and displays",
    "origins": "Where the numbers come from",
    "tables": "Table by table",
    "rulings": "Where the rulebook is in doubt",
    "rulings_about": "Charts and cards name these rulings by number. The arrow marks the reading that this kit follows.",
    "pieces": "List of pieces",
    "last": "Colophon",
}
MEANINGS = {
    "rulebook": "is printed in the rulebook or follows from it without doubt.",
    "inferred": "the rulebook leaves one sensible value.",
    "reconstructed": "our own best value, where the printed one isn't in the rulebook.",
    "mine": "the author's own, or the user's from an overlay.",
}
COLORS = ("#3f6b52", "#c9973f", "#8a3a22", "#43638a")
STEPS = (
    "Cut every tile along its left and top edge, from crop mark to crop mark; keep the hatched strips.",
    "Put glue on the hatched strip and lay the tile that it names on it, edge to the long ticks.",
    "Glue row by row, then row to row. Or have the poster page printed in a copy shop.",
)


def overlaid(game: Game) -> list[str]:
    """A line for each overlay that the game was loaded with."""
    return [f"Built with the overlay {path.name}: your own numbers." for path in game.overlays]


def cover(game: Game, options: Options, counts: Mapping[str, int]) -> Json:
    """The texts of the cover."""
    card = game.card
    original = (
        f"{game.title}" + (f", {card.publisher}" if card.publisher else "") + (f" {card.year}" if card.year else "")
    )
    designer_text = f", designed by {', '.join(card.designers)}" if card.designers else ""
    facts = [(words_of_id(key).capitalize(), value) for key, value in card.scale.items()]
    facts += [(name.capitalize(), str(count)) for name, count in counts.items() if count]
    return {
        "kicker": "Print-and-play kit" + (f" · {options.paper.title}" if options.paper else ""),
        "facts": facts,
        "credits": credits_of(game, f"{original}{designer_text}"),
    }


def printing(parts: Sequence[str], options: Options, posters: bool) -> list[Json]:
    """Which pages to print, and how."""
    rows = []
    if "sheets" in parts:
        hint = HINTS[options.backs]
        rows.append(("sheets-first", "sheets-last", f"Counter sheets: {hint}, on label paper or thin card."))
    if "maps" in parts:
        rows.append(("maps-first", "tiles-last", "Map in tiles: one side only, 100 %."))
        if posters:
            rows.append(
                ("posters-first", "posters-last", "Map as a poster at full size, for a copy shop or a plotter.")
            )
    for part, instruction in (
        ("sequence", "Sequence of play: one for each player."),
        ("rulebook", "Rulebook: one for each player."),
        ("rules", "The rules in short: one for each player."),
        ("charts", "Player aid cards: as you like, best on card."),
        ("scenarios", "Scenario cards: only those you play."),
        ("formations", "Set-up by formation: for sorting the counters."),
        ("displays", "Tracks and displays: one side only."),
        ("reading", "For reading: no need to print."),
    ):
        if part in parts:
            rows.append((f"{part}-first", f"{part}-last", instruction))
    return [{"first": first, "last": last, "said": instruction} for first, last, instruction in rows]


def making(options: Options) -> list[str]:
    """How to make the kit, step by step."""
    thick = "For thick counters print fronts and backs on label paper and stick them on both sides of 1.5 mm card."
    backs = {
        "duplex-long": f"Print the counter sheets double-sided (flip on the long edge). {thick}",
        "duplex-short": f"Print the counter sheets double-sided (flip on the short edge). {thick}",
        "fold": "Print the counter sheets on one side, score and fold them back along the dashed line around 1 mm card, and glue.",
        "none": "Print the counter sheets on one side and glue them to 1.5 mm card.",
    }
    return [
        "Print at 100 % (“actual size”), never “fit to page”. Check the printed ruler: 100 mm must measure 100 mm.",
        backs[options.backs],
        "If backs drift, print the calibration sheet (modgen calibrate) and build again with the --back-offset that it shows.",
        "Cut from crop mark to crop mark: first all the level cuts, then strip by strip along the small corner ticks.",
        "Trim the tiles of the map, glue them row by row.",
    ]


def reading(game: Game, counter_sheets: Sequence[CounterSheet]) -> Json:
    """The texts of the last pages: sources, doubts, pieces, colophon."""
    return {
        "origins": origins(game),
        "tables": table_sources(game),
        "rulings": rulings(game),
        "pieces": piece_list(game, counter_sheets),
        "colophon": colophon(game),
    }


def origins(game: Game) -> Json:
    """How many numbers come from each source."""
    about = count_sources(game)
    rows = [
        (words_of_id(section).capitalize(), source_counts, False)
        for section, source_counts in about["by_section"].items()
        if sum(source_counts.values())
    ]
    rows.append(("All", about["sources"], True))
    return {
        "about": "Every number of this kit has a source. What isn't the rulebook's can be replaced with an overlay.",
        "words": list(WORDS),
        "colors": list(COLORS),
        "meanings": list(MEANINGS.items()),
        "rows": [
            {
                "name": name,
                "total": total,
                "counts": [source_counts[word] for word in WORDS],
                "shares": [source_counts[word] / max(1, sum(source_counts.values())) for word in WORDS],
            }
            for name, source_counts, total in rows
        ],
    }


def table_sources(game: Game) -> list[Json]:
    """The sources of each table's numbers."""
    table_pairs = [(readable_table(game, table), table) for table in game.tables.values()]
    return [
        {"title": table.title, "said": " ".join(table_origins(game, worded_table))}
        for worded_table, table in table_pairs
        if table_origins(game, worded_table)
    ]


def rulings(game: Game) -> list[Json]:
    """The places where the rulebook is unclear, with the rulings chosen."""
    return [
        {
            "number": number,
            "question": ruling.question,
            "readings": [
                {
                    "said": number_rulings(game, reading.text) + (f" ({reading.rule})" if reading.rule else ""),
                    "chosen": name == ruling.choice,
                }
                for name, reading in ruling.readings.items()
            ],
            "why": number_rulings(game, ruling.why),
        }
        for number, ruling in enumerate(game.rulings.values(), 1)
    ]


def piece_list(game: Game, counter_sheets: Sequence[CounterSheet]) -> list[Json]:
    """Every kind of piece with its count and the sheets it is on."""
    count: dict[str, int] = {}
    sheet_numbers: dict[str, list[int]] = {}
    for sheet in counter_sheets:
        for cell in sheet.cells:
            key = cell.piece.id
            count[key] = count.get(key, 0) + 1
            if sheet.number not in sheet_numbers.setdefault(key, []):
                sheet_numbers[key].append(sheet.number)

    def lines(piece_names: Sequence[tuple[str, str]]) -> list[Json]:
        return [
            {"name": name, "count": count[key], "sheets": ", ".join(map(str, sheet_numbers[key]))}
            for key, name in piece_names
            if key in count
        ]

    owners = []
    for nation_id, nation in game.nations.items():
        units = [(unit.id, unit.name) for unit in game.units.values() if unit.nation == nation_id]
        colors = {"fill": nation.colors.fill, "ink": nation.colors.ink}
        owners.append({"name": nation.name, "colors": colors, "pieces": lines(units)})
    markers = [(key, marker.name) for key, marker in game.markers.items()]
    owners.append({"name": "Markers", "colors": {"fill": "#e8e2d4", "ink": "#2b2620"}, "pieces": lines(markers)})
    return [owner for owner in owners if owner["pieces"]]


def colophon(game: Game) -> list[str]:
    """The text at the end of the last page."""
    return [
        f"This kit was made by Mitla from the data pack of {game.title}, release {game.card.release}.",
        notice(game),
        sharing(game),
        *overlaid(game),
    ]


def sheet_titles(counter_sheets: Sequence[CounterSheet], options: Options) -> list[Json]:
    """The pages of the counter sheets, in order: their titles, and their plates and pages."""
    return [
        {
            "title": f"Sheet {sheet.number}",
            "said": f"Counter sheet {sheet.number}, {side}s"
            if options.backs != "fold"
            else f"Counter sheet {sheet.number}",
            "label": f"Sheet {sheet.number} {side}",
            "trim": trim_margins(sheet, side, options),
            "bleed": BLEED,
            "first": n == 1,
            "plate": f"sheet-{sheet.number}.pdf",
            "cuts": "" if options.layout and not options.layout.marks else f"sheet-{sheet.number}-cuts.pdf",
            "page": n,
        }
        for sheet in counter_sheets
        for n, side in enumerate(PAGES[options.backs], 1)
    ]


MAPS_ABOUT = (
    "At full size: counters fit the spaces. Print the tiles, or have the poster printed: it has all tracks and boxes. "
    "On the tiles they lie where nobody plays; those without room have their own pages."
)
RULES_ABOUT = "For reference during play. Brackets give the section of the rulebook or the number of our ruling."
CHARTS_ABOUT = "Every table of the game. The sources of its numbers follow the scenarios."
DISPLAYS_ABOUT = "Lay them beside the map."
PIECES_ABOUT = "Number of each piece, its name and its sheet. Replace a lost piece with modgen build --pieces NAME."

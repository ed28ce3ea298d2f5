"""Faces with their numbers and backs, maps and charts as pictures, and a manifest that describes each."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from modgen.cache import Cache
from modgen.kit.kit import lay_out
from modgen.kit.options import Options, with_pack_size
from modgen.kit.pngs import pngs
from modgen.kit.sheets import PrintedPiece
from modgen.notices import notice
from scenarios.model.game import Game
from scenarios.model.position import format_location, from_scenario

COLUMNS = (
    "kind",
    "id",
    "name",
    "side",
    "nation",
    "number",
    "copies",
    "front",
    "back",
    "width_mm",
    "height_mm",
    "width_px",
    "height_px",
    "sheet",
    "sheet_column",
    "sheet_row",
)
SHEET_COLUMNS, SHEET_ROWS, WIDEST = 10, 7, 4096
"""The columns and rows of faces on a sheet, and its greatest width in dots: the limits for decks in Tabletop Simulator."""
Row = dict[str, Any]


def tabletop(game: Game, options: Options, cache: Cache) -> Iterator[tuple[str, bytes]]:
    """Every picture by file name, then the manifest as CSV and as JSON."""
    sizes: dict[str, tuple[int, int]] = {}
    contents: dict[str, bytes] = {}
    for name, content in pngs(game, options, cache):
        if name.startswith(("counters/", "markers/")):
            contents[name] = content
        sizes[name] = int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big")
        yield name, content
    rows = [*_pieces(game, options, sizes), *_boards(game, options, sizes)]
    yield from _sheets(rows, contents)
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    yield "manifest.csv", buffer.getvalue().encode("utf-8")
    manifest = {
        "game": game.id,
        "title": game.title,
        "release": game.card.release,
        "notice": notice(game),
        "dpi": options.dpi,
        "items": rows,
        "scenarios": {key: _setup(game, key) for key in game.scenarios},
    }
    yield "manifest.json", (json.dumps(manifest, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def _pieces(game: Game, options: Options, sizes: dict[str, tuple[int, int]]) -> Iterator[Row]:
    size = with_pack_size(game, options).counter_size
    cell_counts = Counter(cell.piece for sheet in lay_out(game, options) for cell in sheet.cells)
    copy_counts: Counter[PrintedPiece] = Counter()
    for piece, count in cell_counts.items():
        copy_counts[piece._replace(owner="")] += count
    for piece, count in copy_counts.items():
        folder, kind = ("markers", "marker") if piece.kind == "marker" else ("counters", "counter")
        stem = f"{folder}/{piece.id}-{piece.copy}" if piece.copy else f"{folder}/{piece.id}"
        width, height = sizes[f"{stem}-front.png"]
        name, side, nation = _owner(game, piece)
        yield {
            "kind": kind,
            "id": piece.id,
            "name": name,
            "side": side,
            "nation": nation,
            "number": piece.copy,
            "copies": count,
            "front": f"{stem}-front.png",
            "back": f"{stem}-back.png",
            "width_mm": size,
            "height_mm": size,
            "width_px": width,
            "height_px": height,
        }


def _sheets(rows: Sequence[Row], contents: dict[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """All faces on sheets of ten by seven, fronts and backs in the same positions. Each row gets its sheet and position."""
    from PIL import Image

    pieces = [row for row in rows if row["kind"] in ("counter", "marker")]
    for first in range(0, len(pieces), SHEET_COLUMNS * SHEET_ROWS):
        sheet_rows = pieces[first : first + SHEET_COLUMNS * SHEET_ROWS]
        number = first // (SHEET_COLUMNS * SHEET_ROWS) + 1
        side = min(max(int(row["width_px"]) for row in sheet_rows), WIDEST // SHEET_COLUMNS)
        column_count, row_count = min(SHEET_COLUMNS, len(sheet_rows)), -(-len(sheet_rows) // SHEET_COLUMNS)
        for face in ("front", "back"):
            sheet = Image.new("RGB", (column_count * side, row_count * side), "white")
            for place, row in enumerate(sheet_rows):
                with Image.open(io.BytesIO(contents[str(row[face])])) as picture:
                    sheet.paste(
                        picture.convert("RGB").resize((side, side)),
                        (place % SHEET_COLUMNS * side, place // SHEET_COLUMNS * side),
                    )
                row |= {
                    "sheet": f"sheets/{number}",
                    "sheet_column": place % SHEET_COLUMNS + 1,
                    "sheet_row": place // SHEET_COLUMNS + 1,
                }
            buffer = io.BytesIO()
            sheet.save(buffer, "PNG")
            yield f"sheets/{number}-{face}.png", buffer.getvalue()


def _owner(game: Game, piece: PrintedPiece) -> tuple[str, str, str]:
    if piece.kind == "unit":
        unit = game.units[piece.id]
        return unit.name, unit.side, unit.nation
    marker = game.markers[piece.id]
    return marker.name, marker.side, ""


def _boards(game: Game, options: Options, sizes: dict[str, tuple[int, int]]) -> Iterator[Row]:
    for file, (width, height) in sizes.items():
        folder, _, sheet_name = file.partition("/")
        if folder not in ("maps", "charts"):
            continue
        key = sheet_name.rpartition("/")[2].removesuffix(".png")
        kind = "chart" if folder == "charts" else "tile" if "/" in sheet_name else "board"
        source: Any = game.tables.get(key) if kind == "chart" else game.maps.get(key) or game.boards.get(key)
        title = getattr(source, "title", "") or getattr(source, "name", "") or key
        yield {
            "kind": kind,
            "id": key,
            "name": title,
            "front": file,
            "copies": 1,
            "width_px": width,
            "height_px": height,
        }


def _setup(game: Game, key: str) -> dict[str, Any]:
    """The starting place of each piece."""
    table = game.scenario_maps.get(key)
    pieces = [
        {"id": piece.unit, "number": piece.copy, "at": format_location(table, piece.at), "states": sorted(piece.states)}
        for piece in from_scenario(game, key).pieces
    ]
    return {"title": game.scenarios[key].title, "map": game.scenarios[key].map, "pieces": pieces}

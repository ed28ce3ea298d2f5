"""Faces with their numbers and backs, maps and charts as pictures, and a manifest that says what each is."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from modgen.cache import Cache
from modgen.kit.kit import lay_out
from modgen.kit.options import Options, settled
from modgen.kit.pngs import pngs
from modgen.kit.sheets import Piece
from modgen.notices import notice
from scenarios.game import Game
from scenarios.position import from_scenario, shown

COLUMNS = (
    "kind", "id", "name", "side", "nation", "number", "copies", "front", "back", "width_mm", "height_mm", "width_px", "height_px", "sheet",
    "sheet_column", "sheet_row",
)  # fmt: skip
ACROSS, DOWN, WIDEST = 10, 7, 4096
"""How many faces a sheet has across and down, and how many dots it is wide at most: what decks of Tabletop Simulator take."""
Row = dict[str, Any]


def tabletop(game: Game, options: Options, cache: Cache) -> Iterator[tuple[str, bytes]]:
    """Every picture by file name, then the manifest as CSV and as JSON."""
    sizes: dict[str, tuple[int, int]] = {}
    held: dict[str, bytes] = {}
    for name, content in pngs(game, options, cache):
        if name.startswith(("counters/", "markers/")):
            held[name] = content
        sizes[name] = int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big")
        yield name, content
    rows = [*_pieces(game, options, sizes), *_boards(game, options, sizes)]
    yield from _sheets(rows, held)
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    yield "manifest.csv", out.getvalue().encode("utf-8")
    whole = {
        "game": game.id,
        "title": game.title,
        "release": game.card.release,
        "notice": notice(game),
        "dpi": options.dpi,
        "items": rows,
        "scenarios": {key: _setup(game, key) for key in game.scenarios},
    }
    yield "manifest.json", (json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def _pieces(game: Game, options: Options, sizes: dict[str, tuple[int, int]]) -> Iterator[Row]:
    size = settled(game, options).counter_size
    counted = Counter(cell.piece for sheet in lay_out(game, options) for cell in sheet.cells)
    alike: Counter[Piece] = Counter()
    for piece, count in counted.items():
        alike[piece._replace(owner="")] += count
    for piece, count in alike.items():
        folder, kind = ("markers", "marker") if piece.kind == "marker" else ("counters", "counter")
        stem = f"{folder}/{piece.id}-{piece.copy}" if piece.copy else f"{folder}/{piece.id}"
        wide, high = sizes[f"{stem}-front.png"]
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
            "width_px": wide,
            "height_px": high,
        }


def _sheets(rows: Sequence[Row], held: dict[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """All faces on sheets of ten by seven, fronts and backs in the same places; each row is told its own."""
    from PIL import Image

    pieces = [row for row in rows if row["kind"] in ("counter", "marker")]
    for first in range(0, len(pieces), ACROSS * DOWN):
        listed = pieces[first : first + ACROSS * DOWN]
        number = first // (ACROSS * DOWN) + 1
        side = min(max(int(row["width_px"]) for row in listed), WIDEST // ACROSS)
        across, down = min(ACROSS, len(listed)), -(-len(listed) // ACROSS)
        for face in ("front", "back"):
            sheet = Image.new("RGB", (across * side, down * side), "white")
            for place, row in enumerate(listed):
                with Image.open(io.BytesIO(held[str(row[face])])) as picture:
                    sheet.paste(
                        picture.convert("RGB").resize((side, side)), (place % ACROSS * side, place // ACROSS * side)
                    )
                row |= {
                    "sheet": f"sheets/{number}",
                    "sheet_column": place % ACROSS + 1,
                    "sheet_row": place // ACROSS + 1,
                }
            out = io.BytesIO()
            sheet.save(out, "PNG")
            yield f"sheets/{number}-{face}.png", out.getvalue()


def _owner(game: Game, piece: Piece) -> tuple[str, str, str]:
    if piece.kind == "unit":
        unit = game.units[piece.id]
        return unit.name, unit.side, unit.nation
    marker = game.markers[piece.id]
    return marker.name, marker.side, ""


def _boards(game: Game, options: Options, sizes: dict[str, tuple[int, int]]) -> Iterator[Row]:
    for file, (wide, high) in sizes.items():
        folder, _, rest = file.partition("/")
        if folder not in ("maps", "charts"):
            continue
        key = rest.rpartition("/")[2].removesuffix(".png")
        kind = "chart" if folder == "charts" else "tile" if "/" in rest else "board"
        held: Any = game.tables.get(key) if kind == "chart" else game.maps.get(key) or game.boards.get(key)
        title = getattr(held, "title", "") or getattr(held, "name", "") or key
        yield {"kind": kind, "id": key, "name": title, "front": file, "copies": 1, "width_px": wide, "height_px": high}


def _setup(game: Game, key: str) -> dict[str, Any]:
    """Where each piece starts."""
    table = game.scenario_maps.get(key)
    pieces = [
        {"id": piece.unit, "number": piece.copy, "at": shown(table, piece.at), "states": sorted(piece.states)}
        for piece in from_scenario(game, key).pieces
    ]
    return {"title": game.scenarios[key].title, "map": game.scenarios[key].map, "pieces": pieces}

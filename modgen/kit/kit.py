"""The whole kit: it turns drawings into plates, and plates and texts into one PDF."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from art.counters.face import Side
from art.counters.slots import SIZE, SMALLEST
from modgen.cache import Cache, code_key, key_of
from modgen.kit import texts
from modgen.kit.cards import letters_of, scenario_card, turned_over
from modgen.kit.charts import chart_cards
from modgen.kit.covers import cover_picture, regions, showpieces, view_of
from modgen.kit.drawings import (
    TEXT_MARGIN,
    MapDrawing,
    display_drawings,
    is_wide,
    map_drawings,
    mark_drawings,
    ruler_drawing,
    scenario_field,
    sheet_drawings,
    text_room,
    thumbnail_drawing,
    tile_marks,
)
from modgen.kit.faces import MIN_MARGIN, SIDES, Faces, check_sizes, piece_group
from modgen.kit.formations import formation_card
from modgen.kit.frame import COVER, RULER, frame_of
from modgen.kit.imposition import bleed_of
from modgen.kit.ink_saving import in_tone, ink_saving_game
from modgen.kit.leaves import TEMPLATES, Leaves, leaves
from modgen.kit.options import Options, suffix, with_pack_size
from modgen.kit.paper import WrongOption
from modgen.kit.pdf_finish import PageSettings, PdfOverlay, finish_pdf
from modgen.kit.plates import Drawing, plate, size_of, svg_of, windowed_plate
from modgen.kit.rulebook import pictures_of, rulebook
from modgen.kit.rules import rules_page
from modgen.kit.sequence import sequences
from modgen.kit.sheets import CounterSheet, PrintedPiece, frame, pieces, scenario, sheets
from modgen.kit.shelves import GAP, ShelfCard, pages
from modgen.kit.tiles import Window, roll_strips, space_centres, tiling
from modgen.kit.views import GROUND, view
from modgen.typesetting import pdf_and_told
from scenarios.model.game import Game

Json = dict[str, Any]
Tell = Callable[[str], None]
SEQUENCE = texts.TITLES["sequence"]
LOT = 40
"""The number of faces on a plate."""


def kit_name(game: Game, options: Options) -> str:
    """The file name of a kit. That of a part of a game says so."""
    part_name = _contents_text(options)
    return f"{game.id}-{part_name}{suffix(options)}.pdf"


def _contents_text(options: Options) -> str:
    if options.pieces:
        return f"pieces-{_short(options.pieces)}"
    return f"scenario-{options.scenario}" if options.scenario else "counters" if options.layout else "kit"


def _short(pieces: Sequence[str]) -> str:
    """A few pieces as a part of a file name, different for other pieces."""
    words = "-".join(re.sub(r"[^A-Za-z0-9]+", "_", piece).strip("_") for piece in pieces)
    return words if len(words) <= 40 else f"{words[:32]}-{key_of(*pieces)[:6]}"


def lay_out(game: Game, options: Options) -> tuple[CounterSheet, ...]:
    """The counter sheets of a game. Raises WrongOption if they aren't possible."""
    options = with_pack_size(game, options)
    if options.scenario:
        scenario(game, options.scenario)
    grid = frame(options)
    chosen_pieces = pieces(game, options)
    if options.counter_size < MIN_MARGIN * SIZE / SMALLEST:
        distinct_pieces = {(piece.kind, piece.id): piece for piece in chosen_pieces}.values()
        check_sizes(
            ((_name(game, piece), piece_group(game, piece, side)) for piece in distinct_pieces for side in SIDES),
            options.counter_size,
        )
    return sheets(chosen_pieces, grid)


def _name(game: Game, piece: PrintedPiece) -> str:
    return (game.units if piece.kind == "unit" else game.markers)[piece.id].name


def make_kit(game: Game, options: Options, cache: Cache, tell: Tell = lambda step: None) -> bytes:
    """The kit of a game as a PDF."""
    with ThreadPoolExecutor(2) as workers:
        return KitMaker(game, with_pack_size(game, options), cache, tell, workers).kit()


class KitMaker:
    """Makes one kit. It has the data of all steps, and the plates as they are finished."""

    def __init__(self, game: Game, options: Options, cache: Cache, tell: Tell, workers: ThreadPoolExecutor) -> None:
        game = ink_saving_game(game) if options.ink_saver else game
        self.game, self.options, self.cache, self.tell = game, options, cache, tell
        self.files: dict[str, Future[bytes]] = {}
        self.pictures: dict[str, Json] = {}
        self.paper: dict[str, int] = {}
        """The number of sheets of paper for each part."""
        self.leaves: list[tuple[Json, Future[Leaves]]] = []
        self.workers = workers
        self.frame = frame_of(game, options)
        self.ground = view(game, GROUND)
        self.faces = Faces(game, cache, bleed_of(options))

    def kit(self) -> bytes:
        """The kit as a PDF: every part, then the whole."""
        game, options = self.game, self.options
        counter_sheets = lay_out(game, options)
        data: Json = {"parts": [], **self.frame}
        self._sheets(counter_sheets, data)
        if not options.pieces and not options.layout:
            self._faces()
            self._maps(data)
            self._sequence(data)
            self._rulebook(data)
            self._rules(data)
            self._charts(data)
            self._scenarios(data)
            self._formations(data)
            self._displays(data)
            data["parts"] = ["cover", "contents", *data["parts"], "reading"]
            data["reading"] = self._leaves("reading", "reading", texts.reading(game, counter_sheets))
            data["cover"] = self._cover(counter_sheets, data)
            data["printing"] = texts.printing(data["parts"], options, bool(data.get("maps")))
        data["pictures"] = self.pictures
        self.tell("pages")
        return self._whole_kit(data)

    def _svgs(self, drawings: Sequence[Drawing], step: str) -> list[bytes]:
        result = []
        for drawing in drawings:
            self.tell(step)
            result.append(svg_of(drawing, self.cache, self.options.tone))
        return result

    def _plate(self, name: str, svgs: Sequence[bytes]) -> None:
        """Start a plate, while the next drawings are made."""
        self.files[f"{name}.pdf"] = self.workers.submit(plate, svgs, self.game.card.release, self.cache)

    def _leaves(self, name: str, template: str, data: Json) -> Json:
        """Start leaves. Their page count, windows and headings are added when they are bound."""
        leaf_data = {"plate": f"{name}.pdf"}
        future = self.workers.submit(leaves, template, {**self.frame, **data}, self.game.card.release, self.cache)
        self.leaves.append((leaf_data, future))
        return leaf_data

    def _sheets(self, counter_sheets: Sequence[CounterSheet], data: Json) -> None:
        data["sheets"] = texts.sheet_titles(counter_sheets, self.options)
        if counter_sheets:
            for number, drawings in enumerate(sheet_drawings(self.faces, counter_sheets, self.options), 1):
                self._plate(f"sheet-{number}", self._svgs(drawings, "counters"))
            for number, drawings in enumerate(mark_drawings(counter_sheets, self.options), 1):
                self._plate(f"sheet-{number}-cuts", self._svgs(drawings, "counters"))
            data["parts"].append("sheets")
            self.paper["counters"] = len(counter_sheets)

    def _faces(self) -> None:
        """One picture of every piece, in a few plates, so that a change of one counter renews only its plate.

        Units that are set up with their backs up also have a picture of the back.
        """
        forces = [force for scenario in self.game.scenarios.values() for force in scenario.forces.values()]
        flipped_units = {key for force in forces for group in force.groups for key in turned_over(self.game, group)}
        fronts = [PrintedPiece("unit", key, "", "") for key in self.game.units]
        fronts += [PrintedPiece("marker", key, "", "") for key in self.game.markers]
        backs = [PrintedPiece("unit", key, "", "") for key in self.game.units if key in flipped_units]
        piece_sides: list[tuple[PrintedPiece, Side]] = [(piece, "front") for piece in fronts]
        piece_sides += [(piece, "back") for piece in backs]
        for start in range(0, len(piece_sides), LOT):
            lot = piece_sides[start : start + LOT]
            drawings = [self.faces.drawing(piece, side) for piece, side in lot]
            name = f"faces-{start // LOT + 1}"
            self._plate(name, [in_tone(face, self.options.tone) for face in drawings])
            for page, (piece, side) in enumerate(lot, 1):
                counter = self.game.units[piece.id] if piece.kind == "unit" else self.game.markers[piece.id]
                picture_name = f"face/{piece.id}" + "/back" * (side == "back")
                alt = f"{counter.name}, the back" if side == "back" else counter.name
                self.pictures[picture_name] = {"plate": f"{name}.pdf", "page": page, "alt": alt}

    def _maps(self, data: Json) -> None:
        drawings = map_drawings(self.game, self.ground, self.options, self.cache)
        self.on_maps = {drawing.id: drawing.displays for drawing in drawings}
        data["maps"] = [self._map(drawing, n) for n, drawing in enumerate(drawings, 1)]
        if drawings:
            self._plate("ruler", self._svgs([ruler_drawing(RULER)], "maps"))
            data["parts"].append("maps")

    def _map(self, drawing: MapDrawing, number: int) -> Json:
        sheet, source = self._svgs([drawing.sheet, drawing.tiled_drawing], "maps")
        map_plate = self._map_plate(f"map-{number}", sheet)
        width, height = size_of(source)
        spots = space_centres(self.game, drawing.id)
        map_tiling = tiling(width, height, self.options, spots, drawing.scale)
        kept_tiles = map_tiling.used_tiles(spots, drawing.scale)
        windows = [map_tiling.window(*place) for place in kept_tiles]
        strips = roll_strips(map_plate["width"], map_plate["height"], self.options.roll)
        self._windows(f"map-{number}-tiles", source, windows, drawing.scale)
        self._plate(f"map-{number}-cuts", self._svgs(tile_marks(map_tiling, kept_tiles), "maps"))
        if len(strips) > 1:
            self._windows(f"map-{number}-strips", sheet, strips, drawing.scale)
        if drawing.sheet_numbers and drawing.tiled_numbers:
            on_sheet, on_tiles = self._svgs([drawing.sheet_numbers, drawing.tiled_numbers], "maps")
            self._windows(f"map-{number}-tile-numbers", on_tiles, windows, drawing.scale)
            self._windows(f"map-{number}-numbers", on_sheet, strips, drawing.scale)
        self.paper["map"] = self.paper.get("map", 0) + len(kept_tiles)
        paper, pages_ = self.options.paper.title, "page" if len(kept_tiles) == 1 else "pages"
        return {
            "id": drawing.id,
            "title": drawing.title,
            "label": f"{drawing.id} " if drawing.id not in self.game.maps else "Map ",
            "scale": drawing.scale,
            "about": f"{width:.0f} × {height:.0f} mm, {len(kept_tiles)} {pages_} of {paper}.",
            "width": width,
            "height": height,
            "cover": map_plate,
            "tiling": vars(map_tiling),
            "tiles": [{"column": column, "row": row} for column, row in kept_tiles],
            "plate": f"map-{number}-tiles.pdf",
            "cuts": f"map-{number}-cuts.pdf",
            "numbers": f"map-{number}-numbers.pdf" if drawing.sheet_numbers else "",
            "tile_numbers": f"map-{number}-tile-numbers.pdf" if drawing.tiled_numbers else "",
            "posters": _posters(map_plate, strips, f"map-{number}-strips.pdf"),
        }

    def _windows(self, name: str, source: bytes, windows: Sequence[Window], scale: float) -> None:
        """Start a plate with parts of a drawing."""
        self.files[f"{name}.pdf"] = self.workers.submit(
            windowed_plate, source, windows, scale, self.game.card.release, self.cache
        )

    def _map_plate(self, name: str, svg: bytes) -> Json:
        self._plate(name, [svg])
        width, height = size_of(svg)
        return {"plate": f"{name}.pdf", "width": width, "height": height}

    def _sequence(self, data: Json) -> None:
        sequence_cards = sequences(self.game, self.options.scenario)
        if sequence_cards:
            data["sequence"] = self._leaves("sequence", "sequence", {"sequences": sequence_cards})
            data["parts"].append("sequence")
            self.paper["sequence"] = len(sequence_cards)

    def _rulebook(self, data: Json) -> None:
        """The pack's own rulebook, with its tables and counters."""
        blocks = rulebook(self.game, text_room(self.options) / self.options.scale)
        if not blocks:
            return
        backs = sorted(pictures_of(blocks, "back/"))
        for page, name in enumerate(backs, 1):
            key = name.removeprefix("back/")
            counter = self.game.units.get(key) or self.game.markers[key]
            self.pictures[name] = {"plate": "rulebook-backs.pdf", "page": page, "alt": counter.name}
        if backs:
            pieces_ = [
                PrintedPiece("unit" if name[5:] in self.game.units else "marker", name[5:], "", "") for name in backs
            ]
            self._plate(
                "rulebook-backs", [in_tone(self.faces.drawing(piece, "back"), self.options.tone) for piece in pieces_]
            )
        data["rulebook"] = blocks
        data["parts"].append("rulebook")

    def _rules(self, data: Json) -> None:
        data["rules"] = rules_page(self.game)
        if data["rules"]:
            data["parts"].append("rules")

    def _charts(self, data: Json) -> None:
        scale = self.options.scale
        # a table of the sequence of play would repeat its card
        skipped_title = SEQUENCE if "sequence" in data else ""
        data["charts"] = chart_cards(self.game, text_room(self.options) / scale, GAP / scale, skipped_title)
        if data["charts"]:
            data["parts"].append("charts")

    def _pages(self, cards: Sequence[ShelfCard]) -> list[list[list[Json]]]:
        """Cards on as few pages as their order allows."""
        margin = max(self.options.margin, TEXT_MARGIN)
        return pages(cards, text_room(self.options), self.options.paper.height - 2 * margin)

    def _scenarios(self, data: Json) -> None:
        game, scenario_id = self.game, self.options.scenario
        keys = [scenario_id] if scenario_id else list(game.scenarios)
        room = text_room(self.options)
        map_pictures: dict[str, Json] = {}
        drawings: list[Drawing] = []
        for key in keys:
            field = scenario_field(game, key)
            if field is None:
                continue
            has_wide_map = is_wide(field)
            width = room if has_wide_map else room * 0.52
            drawings.append(thumbnail_drawing(game, self.ground, key, width))
            map_pictures[key] = {"picture": f"map/{key}", "width": width, "wide": has_wide_map}
            alt_text = f"Set-up map of {game.scenarios[key].title}"
            self.pictures[f"map/{key}"] = {"plate": "thumbnails.pdf", "page": len(drawings), "alt": alt_text}
        if drawings:
            svgs = self._svgs(drawings, "scenarios")
            self._plate("thumbnails", svgs)
            for picture, svg in zip(map_pictures.values(), svgs, strict=True):
                picture["height"] = size_of(svg)[1]
        letters = {key: self._letters(key, drawing) for key, drawing in zip(map_pictures, drawings, strict=True)}
        pieces = {*game.units, *game.markers}
        data["scenarios"] = []
        for n, key in enumerate(keys, 1):
            card = scenario_card(game, key, pieces, map_pictures.get(key), letters.get(key, {}))
            data["scenarios"].append(self._leaves(f"scenario-{n}", "scenario", {"card": card}))
        if keys:
            data["parts"].append("scenarios")

    def _formations(self, data: Json) -> None:
        card = formation_card(self.game, self.options.scenario)
        if card:
            data["formations"] = self._leaves("formations", "formations", {"card": card})
            data["parts"].append("formations")

    def _letters(self, key: str, picture: Drawing) -> dict[str, Json]:
        content = self.cache.get_or_make(
            key_of("letters", picture.key), lambda: json.dumps(letters_of(self.game, key)).encode("utf-8")
        )
        read: dict[str, Json] = json.loads(content)
        return read

    def _displays(self, data: Json) -> None:
        named_drawings = display_drawings(self.game, self.ground, self.options, self.on_maps)
        if named_drawings:
            svgs = self._svgs([drawing for _, drawing in named_drawings], "displays")
            cards = [
                ShelfCard(title, n, *size_of(svg), 2 if drawing.name.startswith("track") else 3)
                for n, ((title, drawing), svg) in enumerate(zip(named_drawings, svgs, strict=True), 1)
            ]
            data["displays"] = self._pages(cards)
            self.paper["displays"] = len(data["displays"])
            self._plate("displays", svgs)
            data["parts"].append("displays")

    def _cover(self, counter_sheets: Sequence[CounterSheet], data: Json) -> Json:
        game = self.game
        counts = {
            "counters": sum(cell.piece.kind == "unit" for sheet in counter_sheets for cell in sheet.cells),
            "markers": sum(cell.piece.kind == "marker" for sheet in counter_sheets for cell in sheet.cells),
            "tables": len(game.tables),
            "scenarios": len(data["scenarios"]),
        }
        return {
            **texts.cover(game, self.options, counts),
            "map": self._cover_map(data["maps"]),
            "faces": [f"face/{key}" for key in showpieces(game)],
        }

    def _cover_map(self, maps: Sequence[Json]) -> Json | None:
        """The part of a map on the cover: its corner and its scale."""
        paper = self.options.paper
        if self.game.card.image is not None:
            cover_image = cover_picture(self.game, paper.width, COVER * paper.height)
            return {
                **self._map_plate("cover-picture", in_tone(cover_image, self.options.tone)),
                "left": 0,
                "top": 0,
                "scale": 1,
            }
        if not maps:
            return None
        content = self.cache.get_or_make(
            key_of("cover", self.ground.key, str(paper), *(map_data["id"] for map_data in maps)),
            lambda: json.dumps(
                view_of(
                    {map_data["id"]: regions(self.game, map_data["id"]) for map_data in maps},
                    paper.width,
                    COVER * paper.height,
                )
            ).encode("utf-8"),
        )
        key, (left, top), scale = json.loads(content)
        cover_map = next(map_data for map_data in maps if map_data["id"] == key)
        size, map_scale = cover_map["cover"], cover_map["scale"]
        return {**size, "left": left * map_scale, "top": top * map_scale, "scale": scale / map_scale}

    def _whole_kit(self, data: Json) -> bytes:
        leaves_by_plate = {leaf_data["plate"]: future.result() for leaf_data, future in self.leaves}
        for leaf_data, _ in self.leaves:
            leaf_data |= leaves_by_plate[leaf_data["plate"]].data
        text = json.dumps(data, ensure_ascii=False, sort_keys=True).encode("utf-8")
        files = {name: self.files[name].result() for name in sorted(self.files)}
        files |= {name: plate_leaves.plate for name, plate_leaves in sorted(leaves_by_plate.items())}
        key = key_of("kit", code_key(), self.game.card.release, text, *files, *files.values())
        files["data.json"] = text
        return self.cache.get_or_make(key, lambda: self._bind(files))

    def _bind(self, files: Mapping[str, bytes]) -> bytes:
        """All pages in one file, with the additions that Typst can't write."""
        pdf_bytes, leaf_records = pdf_and_told(
            '#include "kit.typ"\n', files, self.game.card.release, "<leaf>", TEMPLATES
        )
        records_by_page = {leaf_record["page"]: leaf_record for leaf_record in leaf_records}
        leaves_ = [
            PageSettings(
                leaf_record.get("label", ""),
                tuple(leaf_record["trim"]) if leaf_record.get("trim") else None,
                leaf_record.get("bleed", 0.0),
                tuple(PdfOverlay(**layer) for layer in leaf_record.get("layers", ())),
            )
            for leaf_record in (records_by_page.get(n, {}) for n in range(1, max(records_by_page, default=0) + 1))
        ]
        paper = {**self.paper, **Counter(leaf_record["part"] for leaf_record in leaf_records if "part" in leaf_record)}
        return finish_pdf(pdf_bytes, self.options.backs, leaves_, paper, files)


def _posters(map_plate: Json, strips: Sequence[Window], plate: str) -> list[Json]:
    """The pages of a poster: the whole, or strips as wide as the roll."""
    if len(strips) < 2:
        return [{**map_plate, "page": 1}]
    return [{"plate": plate, "page": n, "width": strip[2], "height": strip[3]} for n, strip in enumerate(strips, 1)]


__all__ = ["WrongOption", "kit_name", "lay_out", "make_kit"]

"""A watched pack in the browser: its drawings, each with a key of its content, and its findings with their lines."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from art import svg
from art.charts.charts import chart
from art.counters.face import NoRoom, face
from art.counters.markers import draw_marker
from art.images import NoPicture
from art.maps.setup_thumbnail import thumbnail
from art.sheets.mapsheet import board_sheet, map_sheet
from assistant.page.response import HTML, SCRIPT, STYLE, Response, json_response, wrong
from assistant.questions.answering import answer_question
from assistant.questions.rendering import as_nodes
from assistant.scenario import SCENARIO
from modgen.cache import key_of
from modgen.kit.rulebook import rulebook
from modgen.kit.views import GROUND, face_view, faces_view, view
from modgen.watch.watcher import Watcher, WatchState
from scenarios.files import read
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.pack.rulebook import rules_file
from scenarios.reading.findings import SHEETS, Finding, display_path, letters
from scenarios.reading.rows import read_sheet
from scenarios.unit_view import printed_name

ASSETS = {"": ("watch.html", HTML), "watch.js": ("watch.js", SCRIPT), "watch.css": ("watch.css", STYLE)}
MARGIN = 3
"""The number of lines shown before and after the line of a finding."""
MOST_ASKED = 400
"""The greatest number of drawings in one request."""
MOST_BYTES = 100_000
MOST_KEPT = 4000
THUMBNAIL = 120.0
ROOM = 182.0
"""The width of the pages of a rulebook, in millimeters."""


class WatchPage:
    """The page of a watched pack: a Mount of the page's server."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher
        self._drawings: dict[str, str] = {}
        """Drawings by the key of their source data."""
        self._last_state: tuple[int, str] = (-1, "")
        self._lock = threading.Lock()

    def longest(self, path: str) -> int:
        """The greatest length of a request. Names of drawings are short."""
        return MOST_BYTES

    def get(self, path: str) -> Response:
        """A file of the page, or the state as JSON."""
        if path in ASSETS:
            name, kind = ASSETS[path]
            return Response(200, kind, (resources.files("modgen.watch") / "assets" / name).read_bytes())
        if path == "state.json":
            return json_response(json.loads(self._line(self.watcher.state)))
        return wrong("there is no such page", 404)

    def post(self, path: str, body: bytes) -> Response:
        """Drawings by name."""
        game = self.watcher.state.game
        if path != "drawings" or game is None:
            return wrong("there is no such page", 404)
        try:
            names = json.loads(body)["names"]
        except (ValueError, KeyError, TypeError, RecursionError):
            return wrong("ask for drawings by their names")
        if not isinstance(names, list) or len(names) > MOST_ASKED or not all(isinstance(name, str) for name in names):
            return wrong(f"ask for up to {MOST_ASKED} drawings by their names")
        with self._lock:
            keys = {item["name"]: item["key"] for items in shown_of(self.watcher.state).values() for item in items}
            return json_response({name: self._drawing(game, name, keys[name]) for name in names if name in keys})

    def news(self, last_version: str, seconds: float) -> str:
        """The state in one line, as soon as it changes."""
        version = json.loads(last_version)["version"] if last_version else -1
        return self._line(self.watcher.wait(version, seconds))

    def _line(self, state: WatchState) -> str:
        with self._lock:
            if self._last_state[0] != state.version:
                self._last_state = state.version, json.dumps(state_json(state, self.watcher.folder), ensure_ascii=False)
            return self._last_state[1]

    def _drawing(self, game: Game, name: str, key: str) -> Any:
        kind, _, drawing_id = name.partition("/")
        if kind == "rulebook":
            return {"blocks": self._rulebook(game)}
        if kind == "card":
            nodes = as_nodes(answer_question(SCENARIO, game, {"scenario": drawing_id}))
            return {
                "svg": self._svg(key, lambda: thumbnail(game, drawing_id, THUMBNAIL))
                if drawing_id in game.scenario_maps
                else "",
                "nodes": nodes,
            }
        try:
            return {"svg": self._svg(key, lambda: DRAWINGS[kind](game, drawing_id))}
        except (NoRoom, NoPicture) as error:
            return {"wrong": str(error)}

    def _rulebook(self, game: Game) -> list[dict[str, Any]]:
        """The blocks of the rulebook, with drawings of what they refer to."""
        blocks = rulebook(game, ROOM)
        keys = {item["name"]: item["key"] for items in shown_of(self.watcher.state).values() for item in items}
        spans = [span for block in blocks for span in block.get("spans", ())]
        spans += [span for block in blocks for row in block.get("rows", ()) for cell in row for span in cell]
        for part in (*blocks, *spans):
            if "picture" in part:
                name = part["picture"].replace("face/", "front/", 1)
                part["drawn"] = self._drawing(game, name, keys[name])
            if "table" in part:
                name = f"chart/{part['table']}"
                part["drawn"] = self._drawing(game, name, keys[name])
        return blocks

    def _svg(self, key: str, draw: Callable[[], svg.Element]) -> str:
        if key not in self._drawings:
            while len(self._drawings) >= MOST_KEPT:
                del self._drawings[next(iter(self._drawings))]
            self._drawings[key] = svg.to_bytes(draw()).decode("utf-8")
        return self._drawings[key]


def _front(game: Game, piece: str) -> svg.Element:
    return face(game, game.units[piece]) if piece in game.units else draw_marker(game, piece)


def _back_face(game: Game, piece: str) -> svg.Element:
    return face(game, game.units[piece], "back") if piece in game.units else draw_marker(game, piece, side="back")


DRAWINGS: dict[str, Callable[[Game, str], svg.Element]] = {
    "front": _front,
    "back": _back_face,
    "map": map_sheet,
    "board": board_sheet,
    "chart": chart,
}


def state_json(state: WatchState, folder: Path) -> dict[str, Any]:
    """The state for the browser; files are named from the pack's folder down."""
    return {
        "version": state.version,
        "title": state.game.title if state.game else "",
        "id": state.game.id if state.game else "",
        "good": state.good,
        "whole": state.is_complete,
        "findings": [_finding(finding, False, folder) for finding in state.findings]
        + [_finding(finding, True, folder) for finding in state.warnings],
        "shown": shown_of(state),
    }


def shown_of(state: WatchState) -> dict[str, list[dict[str, str]]]:
    """The names of all drawings, each with a title, a group and a key of its source data."""
    if state.game is None:
        return {}
    if "shown" not in state.parts:
        game = state.game
        ground, charts_key = view(game, GROUND).key, view(game, CHART_VIEW).key
        state.parts["shown"] = {
            "counters": list(_pieces(game)),
            "maps": list(_maps(game, ground)),
            "charts": [
                {"name": f"chart/{key}", "title": table.title, "group": "", "key": key_of(charts_key, key)}
                for key, table in game.tables.items()
            ],
            "rulebook": list(_rulebook(game)),
            "cards": [
                {
                    "name": f"card/{key}",
                    "title": scenario.title,
                    "group": "",
                    "key": key_of(ground, key, repr(scenario)),
                }
                for key, scenario in game.scenarios.items()
            ],
        }
    sections: dict[str, list[dict[str, str]]] = state.parts["shown"]  # type: ignore[assignment]
    return sections


CHART_VIEW = (
    "sides",
    "nations",
    "states",
    "terrain",
    "hexsides",
    "paths",
    "routes",
    "classes",
    "types",
    "abilities",
    "factors",
    "tables",
    "boards",
    "maps",
)
"""The sections that a chart may refer to."""


def _pieces(game: Game) -> Iterator[dict[str, str]]:
    faces = faces_view(game)
    for key in (*game.units, *game.markers):
        face_key = face_view(faces, game, key).key
        unit = game.units.get(key)
        name = printed_name(game, key)
        group = game.nations[unit.nation].name if unit and unit.nation in game.nations else "Markers"
        for side in ("front", "back"):
            yield {"name": f"{side}/{key}", "title": name, "group": group, "key": key_of(face_key, side)}


def _rulebook(game: Game) -> Iterator[dict[str, str]]:
    path = rules_file(game.folder)
    if path is not None:
        # It may refer to anything in the pack, so every change renews it.
        key = key_of(
            _content(path), *(repr(datum[:2]) for datum in game.data), *(item["key"] for item in _pieces(game))
        )
        yield {"name": "rulebook/", "title": "Rulebook", "group": "", "key": key}


def _content(path: Path) -> bytes:
    """The content of a file; empty if it can't be read, which has its own finding."""
    try:
        return read(path)
    except OSError:
        return b""


def _maps(game: Game, ground: str) -> Iterator[dict[str, str]]:
    lying = {
        placed_board.board.id
        for field in game.maps.values()
        if isinstance(field, HexMap)
        for placed_board in field.placed
    }
    for key, field in game.maps.items():
        yield {"name": f"map/{key}", "title": field.title, "group": "", "key": key_of(ground, "map", key)}
    for key, board in game.boards.items():
        if key not in lying:
            yield {
                "name": f"board/{key}",
                "title": f"Board {key}: {board.name}",
                "group": "",
                "key": key_of(ground, "board", key),
            }


def _finding(finding: Finding, warning: bool, folder: Path) -> dict[str, Any]:
    path = Path(finding.path)
    name = path.relative_to(folder).as_posix() if path.is_relative_to(folder) else display_path(finding.path)
    sheet = finding.path.lower().endswith(SHEETS)
    return {
        "where": f"{name}:{finding.line}:{finding.place}",
        "path": str(path.resolve()),
        "line": finding.line,
        "column": 1 if sheet else finding.column,
        "message": finding.message,
        "warning": warning,
        "mark": finding.place if sheet else str(finding.line),
        "lines": _cells(path, finding) if sheet else _lines(path, finding),
    }


def _lines(path: Path, finding: Finding) -> list[list[str]]:
    """The lines around a finding, with their numbers."""
    first, last = finding.line - MARGIN, finding.line + MARGIN
    try:
        lines = io.TextIOWrapper(io.BytesIO(read(path)), encoding="utf-8", errors="replace")
        return [[str(n), line.rstrip("\n")[:300]] for n, line in enumerate(lines, 1) if first <= n <= last]
    except OSError:
        return []


def _cells(path: Path, finding: Finding) -> list[list[str]]:
    """The cells around a finding in its row, with their columns and headings, and the first cell, which is usually the id."""
    sheet, _ = read_sheet(path)
    if sheet is None:
        return []
    row = dict(sheet.rows).get(finding.line, sheet.headings if finding.line == 1 else {})
    nearby_columns = [0, *range(max(1, finding.column - 1 - MARGIN), finding.column + MARGIN)]
    heads = {column: node.text or "" for column, node in sheet.headings.items()}
    texts = {column: (row[column].text or "")[:100] if column in row else "" for column in nearby_columns}
    return [[letters(column + 1), f"{heads[column]}: {texts[column]}"] for column in nearby_columns if column in heads]

"""Answers the editor's page: it sends a board or map, its picture, photos and numbers, and saves them."""

from __future__ import annotations

import base64
import binascii
import io
import json
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from art import svg
from art.maps.hexmap import draw_map
from art.maps.point_layout import point_sheet
from art.maps.pointmap import points_group
from art.sheets.mapsheet import board_map
from assistant.page.response import HTML, SCRIPT, STYLE, SVG, Response, json_response, or_error, wrong
from assistant.page.server import Server
from assistant.page.site import site_of
from modgen.editing.document import document, editable
from modgen.editing.merging import MAX_LISTED, describe_clashes, merge_parts
from modgen.editing.saving import ChangedMeanwhile, new_board, save_numbers, save_overlay, save_pack
from modgen.editing.straighten import CannotStraighten, open_photo, straighten
from scenarios.files import write
from scenarios.model.game import Game
from scenarios.model.points import PointMap
from scenarios.pack.export import blanks
from scenarios.pack.images import MOST_BYTES
from scenarios.pack.loading import load
from scenarios.pack.pack_folder import pack_files, sheet_files

ASSETS = {
    "": ("edit.html", HTML),
    "edit.css": ("edit.css", STYLE),
    **{name: (name, SCRIPT) for name in ("edit.js", "numbers.js", "photo.js", "words.js")},
}
MOST_ASKED = 5_000_000
"""The greatest length of a request in bytes: a whole map."""
MOST_PHOTO = MOST_BYTES * 4 // 3 + 1000
"""The greatest length of a photo as sent, in base64."""
NUMBERS = ("counters", "tables", "markers", "factors", "terrain", "turns")
"""The sections whose numbers have a form. Boards are painted instead."""
ID = re.compile(r"[a-z][a-z0-9_]{0,39}")
ATTEMPTS = 3
"""The number of attempts to save while another program writes the same file."""


@dataclass
class Work:
    """The object of the editing: a pack with an overlay over it, or the user's own pack."""

    pack: str
    overlay: Path | None = None
    overlays: tuple[Path, ...] = ()
    game: Game = field(init=False)
    photos: dict[str, bytes] = field(default_factory=dict)
    """Photos as taken, by board."""
    sent: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The version that the browser received last, by board or map."""
    lock: threading.RLock = field(default_factory=threading.RLock)
    on_change: Callable[[Game], None] = lambda game: None
    """A callback with the game whenever its files change."""
    files: Mapping[Path, tuple[int, int]] = field(default_factory=dict)
    """The files that the game was loaded from, each with its time and size."""

    def __post_init__(self) -> None:
        self.read()

    def read(self) -> None:
        """Load the saved game again if its files have changed."""
        own_overlays = [self.overlay] if self.overlay is not None and self.overlay.exists() else []
        with self.lock:
            if self.files and self.files == self._stamps(self.game.folder):
                return
            game = load(self.pack, [*self.overlays, *own_overlays])
            self.game, self.files = game, self._stamps(game.folder)
        self.on_change(self.game)

    def _stamps(self, folder: Path) -> dict[Path, tuple[int, int]]:
        overlays = [path for path in (*self.overlays, self.overlay) if path is not None and path.exists()]
        stamps = {path: path.stat() for path in (*pack_files(folder), *sheet_files(folder), *overlays)}
        return {path: (stamp.st_mtime_ns, stamp.st_size) for path, stamp in stamps.items()}

    def parts(self, key: str) -> dict[str, Any]:
        """The editable parts of a board or map as the files have them now, with its picture."""
        self.read()
        board_document = document(self.game, key)
        parts: dict[str, Any] = json.loads(json.dumps({**board_document["parts"], "image": board_document["image"]}))
        return parts

    @property
    def folder(self) -> Path:
        """The folder for pictures: beside the overlay, or in the pack."""
        return self.overlay.parent if self.overlay is not None else self.game.folder

    def save(self, key: str, parts: Mapping[str, Any], image: Mapping[str, Any] | None) -> None:
        """Save a board or map. Raises ChangedMeanwhile if another program writes the same file at that moment."""
        if self.files != self._stamps(self.game.folder):
            raise ChangedMeanwhile("the files are being changed by another program; save again")
        if self.overlay is not None:
            save_overlay(self.pack, self.overlay, self.overlays, key, parts, image)
        else:
            save_pack(self.game.folder, key, parts, image)
        self.read()


class EditPage:
    """The editor's page: a Mount of the page's server."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def longest(self, path: str) -> int:
        """The greatest length of a request. Only photos may be long."""
        return MOST_PHOTO if path == "api/photo" else MOST_ASKED

    def get(self, path: str) -> Response:
        """A file of the page, a board or map, its picture or photo, or the numbers to fill in."""
        if path in ASSETS:
            name, kind = ASSETS[path]
            return Response(200, kind, (resources.files("modgen.editing") / "assets" / name).read_bytes())
        match path.split("/"):
            case ["api", "work"]:
                return json_response(self._about())
            case ["api", "map", section, name]:
                return or_error(lambda: self._map(section, name))
            case ["api", "drawn", section, name]:
                return or_error(lambda: Response(200, SVG, board_svg(self.work.game, f"{section}/{name}")))
            case ["api", "photo", name]:
                return self._photo(name)
            case ["api", "flat", name]:
                return self._flat(name)
            case ["api", "numbers"]:
                return json_response(numbers(self.work.game))
        return wrong("there is no such page", 404)

    def post(self, path: str, body: bytes) -> Response:
        """Save something, or accept a photo."""
        jobs = {
            "save": self._save,
            "numbers": self._numbers,
            "photo": self._take,
            "fix": self._fix,
            "board": self._board,
        }
        job = jobs.get(path.removeprefix("api/")) if path.startswith("api/") else None
        if job is None:
            return wrong("there is no such page", 404)
        try:
            request = json.loads(body)
        except (ValueError, RecursionError):
            return wrong("this isn't JSON")
        if not isinstance(request, dict):
            return wrong("name each value that you send")
        try:
            with self.work.lock:
                return or_error(lambda: job(request))
        except (TypeError, LookupError, AttributeError):
            return wrong("the editor sent something that isn't a map")
        except OSError as error:
            return wrong(
                f"{error.filename or 'the file'} can't be written: {error.strerror}; check the folder's rights"
            )

    def news(self, last_version: str, seconds: float) -> str:
        """Always empty, because the page knows what it saved."""
        time.sleep(seconds)
        return last_version

    # Requests for data.

    def _about(self) -> dict[str, Any]:
        work = self.work
        target = str(work.overlay) if work.overlay is not None else str(work.game.folder)
        return {
            "game": work.game.id,
            "title": work.game.title,
            "into": target,
            "overlay": work.overlay is not None,
            "maps": editable(work.game),
        }

    def _map(self, section: str, name: str) -> Response:
        key = f"{section}/{name}"
        self.work.sent[key] = self.work.parts(key)
        board = self.work.game.boards.get(name) if section == "boards" else None
        flat = board is not None and (self.work.folder / flat_name(name)).is_file()
        return json_response({**document(self.work.game, key), "flat": flat})

    def _photo(self, name: str) -> Response:
        content = self.work.photos.get(name)
        return Response(200, "image/jpeg", content) if content is not None else wrong("this board has no photo", 404)

    def _flat(self, name: str) -> Response:
        path = self.work.folder / flat_name(name)
        if name not in self.work.game.boards or not path.is_file():
            return wrong("this board has no straightened photo", 404)
        return Response(200, "image/jpeg", path.read_bytes())

    # Requests for actions.

    def _save(self, request: dict[str, Any]) -> Response:
        """Save the user's changes and keep changes of the file in the meantime.

        If both changed the same value, nothing is saved, and the answer has both versions to choose from.
        """
        key = str(request["map"])
        for attempt in range(ATTEMPTS):
            file = self.work.parts(key)
            original = request.get("opened") or self.work.sent.get(key) or file
            edit = {**request["parts"], "image": request.get("image") or original.get("image")}
            merge = merge_parts(original, edit, file, "edit")
            if merge.clashes:
                choices = {"edit": merge.parts, "theirs": merge_parts(original, edit, file, "file").parts, "file": file}
                return json_response({"wrong": describe_clashes(merge.clashes), **choices}, 409)
            image = merge.parts.get("image")
            try:
                self.work.save(key, _checked(merge.parts, request["parts"]), image if image != file["image"] else None)
                break
            except ChangedMeanwhile:
                if attempt == ATTEMPTS - 1:
                    raise
        self.work.sent[key] = saved_parts = self.work.parts(key)
        return json_response(
            {"saved": str(self.work.overlay or self.work.game.folder), "parts": saved_parts, "merged": file != original}
        )

    def _numbers(self, request: dict[str, Any]) -> Response:
        work = self.work
        if work.overlay is None:
            raise ValueError("numbers go into an overlay; start the editor with --overlay FILE")
        work.read()
        current_values = {row["address"]: str(row["value"]) for row in numbers(work.game)["numbers"]}
        new_values = request["numbers"]
        if not set(new_values) <= set(current_values):
            raise ValueError(
                f"{sorted(set(new_values) - set(current_values))[0]} isn't one of the numbers that can be filled in"
            )
        original_values = request.get("opened") or {}
        if clashes := [
            address
            for address, value in original_values.items()
            if address in new_values and str(value) != current_values[address]
        ]:
            clash_text = ", ".join(f"{address} is {current_values[address]} now" for address in clashes[:MAX_LISTED])
            raise ValueError(f"the file was changed meanwhile: {clash_text}; look at it and save again")
        save_numbers(
            work.pack, work.overlay, work.overlays, {str(address): str(value) for address, value in new_values.items()}
        )
        work.read()
        return json_response({"saved": str(work.overlay)})

    def _take(self, request: dict[str, Any]) -> Response:
        """Accept a photo of a board, convert it to JPEG, and show it so that the user can set its points."""
        name = str(request["map"]).partition("/")[2]
        if name not in self.work.game.boards:
            raise ValueError("photos lie under boards of hexes")
        try:
            image = open_photo(base64.b64decode(str(request["data"]), validate=True))
        except (binascii.Error, ValueError) as error:
            has_reason = isinstance(error, CannotStraighten)
            raise ValueError(str(error) if has_reason else "the photo arrived incomplete; send it again") from None
        content = io.BytesIO()
        image.save(content, "JPEG", quality=92)
        self.work.photos[name] = content.getvalue()
        return json_response({"width": image.width, "height": image.height})

    def _fix(self, request: dict[str, Any]) -> Response:
        """Straighten a photo by the positions of at least four hexes. The picture is written beside the overlay or into the pack."""
        work, name = self.work, str(request["map"]).partition("/")[2]
        if name not in work.photos:
            raise ValueError("send a photo first")
        board_document = document(work.game, f"boards/{name}")
        centres = {hex: (x, y) for hex, x, y in board_document["hexes"]}
        photo_spots = {str(hex): (float(spot[0]), float(spot[1])) for hex, spot in request["hexes"].items()}
        if strange := set(photo_spots) - set(centres):
            raise ValueError(f"there is no hex {sorted(strange)[0]} on this board")
        image, dots = straighten(
            open_photo(work.photos[name]), centres, photo_spots, (board_document["width"], board_document["height"])
        )
        content = io.BytesIO()
        image.save(content, "JPEG", quality=92)
        file = flat_name(name)
        write(work.folder / file, content.getvalue())
        ends = [board_document["hexes"][0], board_document["hexes"][-1]]
        hexes = {hex: [round(x * dots, 2), round(y * dots, 2)] for hex, x, y in ends}
        return json_response({"image": {"file": file, "hexes": hexes}, "width": image.width, "height": image.height})

    def _board(self, request: dict[str, Any]) -> Response:
        """Add a new board of plain terrain to the user's own pack."""
        work = self.work
        if work.overlay is not None:
            raise ValueError(
                "an overlay changes boards that are there; make a pack of your own for a new one: modgen new"
            )
        key, name = str(request["id"]), str(request["name"]).strip()
        if not ID.fullmatch(key):
            raise ValueError(f"{key!r} is no id; use small letters, figures and _, such as my_board")
        if not name:
            raise ValueError("give the board a name")
        grid = {
            "columns": int(request["columns"]),
            "rows": int(request["rows"]),
            "orientation": str(request["orientation"]),
            "numbering": {"scheme": str(request["scheme"])},
        }
        new_board(work.game.folder, key, {"name": name, "grid": grid})
        work.read()
        return json_response({"map": f"boards/{key}"})


def _checked(parts: Mapping[str, Any], edit: Mapping[str, Any]) -> dict[str, Any]:
    """The parts to save, checked against the shape that the editor sent."""
    return {part: parts.get(part, type(value)()) for part, value in edit.items()}


def board_svg(game: Game, key: str) -> bytes:
    """A board or map as Mitla draws it, without a frame."""
    section, _, name = key.partition("/")
    if section == "boards" and name in game.boards:
        return svg.to_bytes(draw_map(game, board_map(game, name), ids=False))
    map = game.maps.get(name)
    if section == "maps" and isinstance(map, PointMap):
        sheet = point_sheet(map)
        return svg.to_bytes(svg.drawing(sheet.width, sheet.height, [points_group(game, map)]))
    raise ValueError(f"there is no board or map of points {key!r}")


def numbers(game: Game) -> dict[str, Any]:
    """The unofficial numbers, and those that the user has filled in."""
    blank_rows: Any = blanks(game)["blanks"]
    rows = [row for row in blank_rows if row["address"].partition("/")[0] in NUMBERS]
    own_rows = [
        {"address": datum.path, "value": datum.value, "source": "mine", "why": ""}
        for datum in game.data
        if datum.source is not None
        and datum.source.word == "mine"
        and datum.path.partition("/")[0] in NUMBERS
        and game.overlays
    ]
    return {"numbers": [*own_rows, *rows]}


def flat_name(board: str) -> str:
    """The file name of a board's straightened photo."""
    return f"{board}-photo.jpg"


def editor(pack: str, overlay: Path | None, other_overlays: Sequence[Path] = ()) -> EditPage:
    """The editor page of a game."""
    return EditPage(Work(pack, overlay, tuple(other_overlays)))


def serve(page: EditPage, port: int) -> Server:
    """A server with the editor and the assistant's page of the saved game. Loopback only. Raises OSError if the port is in use."""
    server = Server("127.0.0.1", port, site_of(page.work.game), mounts={"edit": page})

    def on_change(game: Game) -> None:
        server.application.site = site_of(game)

    page.work.on_change = on_change
    return server

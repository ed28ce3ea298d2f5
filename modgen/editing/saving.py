"""Saves edits into an overlay, or into the files of the user's own pack. It writes only what loads."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from modgen.editing.document import Parts, changes, document
from modgen.editing.yamltext import CannotEdit, put, to_plain
from scenarios.files import write_text
from scenarios.model.boards import Board
from scenarios.model.drawn_boards import draw, spots
from scenarios.model.game import Game
from scenarios.pack.loading import read_pack
from scenarios.pack.overlays import REMOVED
from scenarios.pack.pack_folder import PICTURES, pack_files
from scenarios.reading.findings import PackError
from scenarios.reading.nodes import Node
from scenarios.reading.yaml_tree import parse_nodes, read_nodes


class SaveRefused(PackError):
    """Nothing was saved, because the files would have these faults."""


class ChangedMeanwhile(ValueError):
    """Another program wrote the file during the save."""


def _write_over(path: Path, expected_text: str, text: str) -> None:
    """Replace the text that this one was made from. Raises ChangedMeanwhile if the file has a different text now."""
    if _text(path) != expected_text:
        raise ChangedMeanwhile(f"{path.name} is being changed by another program; save again")
    write_text(path, text)


def _text(path: Path) -> str:
    """The content of a file; "" if there is none."""
    return path.read_text(encoding="utf-8") if path.exists() else ""


# Saving into an overlay.


def save_overlay(
    pack: str,
    overlay: Path,
    other_overlays: Sequence[Path],
    key: str,
    parts: Parts,
    image: Mapping[str, Any] | None = None,
) -> None:
    """Write a board's or map's differences from the pack into an overlay. The rest of the overlay stays."""
    original_text = _text(overlay)
    base, findings = read_pack(pack, other_overlays, with_config_overlays=False)
    if base is None or findings:
        raise SaveRefused(findings)
    section, _, name = key.partition("/")
    text = original_text or f"overlay: {base.id}\n"
    original_parts: Parts = document(base, key)["parts"]
    for part in ("terrain", "hexes", *original_parts):
        text = put(text, (section, name, part), None)
    for address, value in changes(original_parts, parts):
        address = ("hexes", *address[1:]) if address[0] == "terrain" else address
        text = put(text, (section, name, *address), REMOVED if value is None else value)
    if image is not None:
        text = put(text, (section, name, "image"), dict(image))
    _write_overlay(pack, overlay, other_overlays, original_text, _without_empty(text, (section, name)))


def save_numbers(pack: str, overlay: Path, other_overlays: Sequence[Path], numbers: Mapping[str, str]) -> None:
    """Write the user's own numbers into an overlay, by the addresses that `modgen show GAME blanks` gives. "" removes a number."""
    original_text = _text(overlay)
    text = original_text or f"overlay: {_id_of(pack)}\n"
    for address, value in numbers.items():
        text = put(text, address.split("/"), value.strip() or None)
        text = _without_empty(text, address.split("/")[:-1])
    _write_overlay(pack, overlay, other_overlays, original_text, text)


def _id_of(pack: str) -> str:
    game, findings = read_pack(pack, (), with_config_overlays=False)
    if game is None:
        raise SaveRefused(findings)
    return game.id


def _without_empty(text: str, address: Sequence[str]) -> str:
    """The text without keys along an address that have no content any more."""
    for depth in range(len(address), 0, -1):
        root, _ = parse_nodes(text.encode("utf-8"), "the overlay")
        node: Node | None = root
        for key in address[:depth]:
            node = node.get(key) if node is not None else None
        if node is not None and (node.empty or node.entries == {}):
            text = put(text, address[:depth], None)
    return text


def _write_overlay(pack: str, overlay: Path, other_overlays: Sequence[Path], original_text: str, text: str) -> None:
    """Try the overlay on the pack, and replace the opened file only if that loads."""
    overlay.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".edit.", dir=overlay.parent) as folder:
        trial = Path(folder) / overlay.name
        for picture in overlay.parent.iterdir():
            if picture.suffix.lower() in PICTURES:
                shutil.copy2(picture, folder)
        trial.write_text(text, encoding="utf-8")
        _, findings = read_pack(pack, [*other_overlays, trial], with_config_overlays=False)
    if findings:
        raise SaveRefused(
            [finding._replace(path=finding.path.replace(str(trial), str(overlay))) for finding in findings]
        )
    _write_over(overlay, original_text, text)


# Saving into the pack itself.


def save_pack(folder: Path, key: str, parts: Parts, image: Mapping[str, Any] | None = None) -> None:
    """Write changes into the files of a pack. Every line that they don't concern stays the same."""
    section, _, name = key.partition("/")
    file, node = _find_node(folder, section, name)
    original_text = text = _text(file)
    game, findings = read_pack(folder, (), with_config_overlays=False)
    if game is None:
        raise SaveRefused(findings)
    part_changes = list(changes(document(game, key)["parts"], parts))
    new_terrain = {address[1]: value for address, value in part_changes if address[0] == "terrain"}
    if new_terrain and section == "boards":
        text = _paint(text, game, game.boards[name], node, new_terrain)
    for address, value in part_changes:
        if address[0] != "terrain":
            _in_yaml(node, address)
            text = put(text, (section, name, *address), value)
    if image is not None:
        text = put(text, (section, name, "image"), dict(image))
    _write_pack(folder, file, original_text, text)


def new_board(folder: Path, board: str, shape: Mapping[str, Any]) -> None:
    """Write a board of plain terrain into a pack, and a map of it if the pack has none."""
    game, findings = read_pack(folder, (), with_config_overlays=False)
    if game is None:
        raise SaveRefused(findings)
    if board in game.boards:
        raise CannotEdit(f"there is a board {board} already; choose another id")
    file = next(
        (path for path in pack_files(folder) if (read_nodes(path)[0] or Node("", 1, 1)).get("boards")),
        folder / "map.yaml",
    )
    original_text = _text(file)
    text = original_text or "source: {mine: my map}\n"
    text = put(text, ("boards", board), dict(shape))
    if not game.maps:
        text = put(text, ("maps", "main"), {"name": str(shape["name"]), "arrangement": {"boards": board}})
    _write_pack(folder, file, original_text, text)


def _find_node(folder: Path, section: str, name: str) -> tuple[Path, Node]:
    """The file that contains a board or map, and its node."""
    for path in pack_files(folder):
        root, _ = read_nodes(path)
        record = root.child(section).get(name) if root is not None and root.get(section) is not None else None
        if record is not None:
            return path, record
    raise CannotEdit(f"no file of {folder} has {section}/{name}")


def _in_yaml(node: Node, address: Sequence[str]) -> None:
    """Raise CannotEdit if a part is in a spreadsheet."""
    part = node.get(address[0])
    if part is not None and part.get("csv") is not None:
        raise CannotEdit(f"{address[0]} stand in {part.child('csv').text}; change them there")


def _paint(text: str, game: Game, board: Board, node: Node, new_terrain: Mapping[str, str]) -> str:
    """The file with changed marks in the drawing of a board, and changed entries for hexes that are listed singly."""
    marks = {kind: terrain_kind.mark for kind, terrain_kind in game.terrain.items()}
    drawing, single = node.get("terrain"), node.get("hexes")
    named_hexes = set(to_plain(single)) if single is not None and not single.empty else set()
    singles = {name: kind for name, kind in new_terrain.items() if name in named_hexes}
    address = ("boards", board.id)
    if drawing is None or drawing.style != "|":
        full_terrain = {**{board.grid.name(hex): kind for hex, kind in board.terrain.items()}, **new_terrain}
        return put(text, (*address, "terrain"), board_drawing(board, marks, full_terrain))
    lines = text.splitlines()
    start, indent = drawing.line, drawing.indent
    rows = [
        n
        for n, line in enumerate((drawing.text or "").splitlines())
        if line.strip() and not line.lstrip().startswith("#")
    ]
    spot_of_hex, width = spots(board.grid), max(len(board.grid.row_name(hex)) for hex in board.grid.hexes)
    order = sorted({spot.line for spot in spot_of_hex.values()})
    for name, kind in new_terrain.items():
        if name in singles:
            continue
        spot = spot_of_hex[board.grid.hex(name)]
        row = start + rows[order.index(spot.line)]
        offset = indent + width + 1 + spot.place
        lines[row] = lines[row][:offset] + marks[kind] + lines[row][offset + 1 :]
    text = "\n".join(lines) + "\n"
    for name, kind in singles.items():
        text = put(text, (*address, "hexes", name), kind)
    return text


def board_drawing(board: Board, marks: Mapping[str, str], terrain: Mapping[str, str]) -> str:
    """A board as a block of text."""
    return draw(board.grid, {hex: marks[terrain[board.grid.name(hex)]] for hex in board.grid.hexes})


def _write_pack(folder: Path, file: Path, original_text: str, text: str) -> None:
    """Try the changed file in a copy of the pack. Replace the opened file only if that loads as well as before."""
    earlier_messages = {finding.message for finding in read_pack(folder, (), with_config_overlays=False)[1]}
    with tempfile.TemporaryDirectory(prefix=".edit.") as name:
        trial = Path(name) / folder.resolve().name
        shutil.copytree(folder, trial, ignore=shutil.ignore_patterns("dist", ".*"))
        (trial / file.relative_to(folder)).write_text(text, encoding="utf-8")
        _, findings = read_pack(trial, (), with_config_overlays=False)
    new = [finding for finding in findings if finding.message not in earlier_messages]
    if new:
        raise SaveRefused([finding._replace(path=finding.path.replace(str(trial), str(folder))) for finding in new])
    _write_over(file, original_text, text)

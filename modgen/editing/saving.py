"""Saving what was edited: into an overlay, or into the files of the user's own pack. Nothing is written that doesn't load."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from modgen.editing.document import Parts, changes, document
from modgen.editing.yamltext import CannotEdit, plain, put
from scenarios.blocks import draw, spots
from scenarios.boards import Board
from scenarios.files import write_text
from scenarios.game import Game
from scenarios.loading import PICTURES, pack_files, read_pack
from scenarios.overlays import GONE
from scenarios.reading.composing import parse_nodes, read_nodes
from scenarios.reading.findings import PackError
from scenarios.reading.nodes import Node


class Unsaved(PackError):
    """Why nothing was saved: what would be wrong with the files."""


class ChangedMeanwhile(ValueError):
    """Another program wrote the file while it was being saved."""


def _write_over(path: Path, before: str, text: str) -> None:
    """Write a text over the one that it was made from. ChangedMeanwhile where another stands there now."""
    if _text(path) != before:
        raise ChangedMeanwhile(f"{path.name} is being changed by another program; save again")
    write_text(path, text)


def _text(path: Path) -> str:
    """What stands in a file; "" where there is none."""
    return path.read_text(encoding="utf-8") if path.exists() else ""


# Into an overlay.


def save_overlay(
    pack: str, overlay: Path, others: Sequence[Path], key: str, parts: Parts, image: Mapping[str, Any] | None = None
) -> None:
    """Write what of a board or map differs from the pack's into an overlay; what else the overlay holds stays."""
    opened = _text(overlay)
    base, findings = read_pack(pack, others, standing=False)
    if base is None or findings:
        raise Unsaved(findings)
    section, _, name = key.partition("/")
    text = opened or f"overlay: {base.id}\n"
    before: Parts = document(base, key)["parts"]
    for part in ("terrain", "hexes", *before):
        text = put(text, (section, name, part), None)
    for address, value in changes(before, parts):
        address = ("hexes", *address[1:]) if address[0] == "terrain" else address
        text = put(text, (section, name, *address), GONE if value is None else value)
    if image is not None:
        text = put(text, (section, name, "image"), dict(image))
    _write_overlay(pack, overlay, others, opened, _without_empty(text, (section, name)))


def save_numbers(pack: str, overlay: Path, others: Sequence[Path], numbers: Mapping[str, str]) -> None:
    """Write numbers of the user's own, by the address that `modgen show GAME blanks` gives, into an overlay; "" takes one away."""
    opened = _text(overlay)
    text = opened or f"overlay: {_id_of(pack)}\n"
    for address, value in numbers.items():
        text = put(text, address.split("/"), value.strip() or None)
        text = _without_empty(text, address.split("/")[:-1])
    _write_overlay(pack, overlay, others, opened, text)


def _id_of(pack: str) -> str:
    game, findings = read_pack(pack, (), standing=False)
    if game is None:
        raise Unsaved(findings)
    return game.id


def _without_empty(text: str, address: Sequence[str]) -> str:
    """The text without keys on the way to an address that have nothing behind them any more."""
    for depth in range(len(address), 0, -1):
        root, _ = parse_nodes(text.encode("utf-8"), "the overlay")
        here: Node | None = root
        for key in address[:depth]:
            here = here.get(key) if here is not None else None
        if here is not None and (here.empty or here.entries == {}):
            text = put(text, address[:depth], None)
    return text


def _write_overlay(pack: str, overlay: Path, others: Sequence[Path], opened: str, text: str) -> None:
    """Try the overlay on the pack; write it over what was opened only where that loads."""
    overlay.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".edit.", dir=overlay.parent) as folder:
        trial = Path(folder) / overlay.name
        for picture in overlay.parent.iterdir():
            if picture.suffix.lower() in PICTURES:
                shutil.copy2(picture, folder)
        trial.write_text(text, encoding="utf-8")
        _, findings = read_pack(pack, [*others, trial], standing=False)
    if findings:
        raise Unsaved([finding._replace(path=finding.path.replace(str(trial), str(overlay))) for finding in findings])
    _write_over(overlay, opened, text)


# Into the pack itself.


def save_pack(folder: Path, key: str, parts: Parts, image: Mapping[str, Any] | None = None) -> None:
    """Write what was changed into the files of a pack; every line that has nothing to do with it stays as it is."""
    section, _, name = key.partition("/")
    file, node = _where(folder, section, name)
    opened = text = _text(file)
    game, findings = read_pack(folder, (), standing=False)
    if game is None:
        raise Unsaved(findings)
    changed = list(changes(document(game, key)["parts"], parts))
    painted = {address[1]: value for address, value in changed if address[0] == "terrain"}
    if painted and section == "boards":
        text = _painted(text, game, game.boards[name], node, painted)
    for address, value in changed:
        if address[0] != "terrain":
            _in_yaml(node, address)
            text = put(text, (section, name, *address), value)
    if image is not None:
        text = put(text, (section, name, "image"), dict(image))
    _write_pack(folder, file, opened, text)


def new_board(folder: Path, board: str, shape: Mapping[str, Any]) -> None:
    """Write a board of plain ground, and a map of it where the pack has none, into a pack."""
    game, findings = read_pack(folder, (), standing=False)
    if game is None:
        raise Unsaved(findings)
    if board in game.boards:
        raise CannotEdit(f"there is a board {board} already; choose another id")
    file = next(
        (path for path in pack_files(folder) if (read_nodes(path)[0] or Node("", 1, 1)).get("boards")),
        folder / "map.yaml",
    )
    opened = _text(file)
    text = opened or "source: {mine: my map}\n"
    text = put(text, ("boards", board), dict(shape))
    if not game.maps:
        text = put(text, ("maps", "main"), {"name": str(shape["name"]), "arrangement": {"boards": board}})
    _write_pack(folder, file, opened, text)


def _where(folder: Path, section: str, name: str) -> tuple[Path, Node]:
    """The file that a board or map stands in, and its node."""
    for path in pack_files(folder):
        root, _ = read_nodes(path)
        found = root.at(section).get(name) if root is not None and root.get(section) is not None else None
        if found is not None:
            return path, found
    raise CannotEdit(f"no file of {folder} has {section}/{name}")


def _in_yaml(node: Node, address: Sequence[str]) -> None:
    """CannotEdit where a part stands in a spreadsheet."""
    part = node.get(address[0])
    if part is not None and part.get("csv") is not None:
        raise CannotEdit(f"{address[0]} stand in {part.at('csv').text}; change them there")


def _painted(text: str, game: Game, board: Board, node: Node, painted: Mapping[str, str]) -> str:
    """The file with other marks in the drawing of a board, and other entries for hexes that are named singly."""
    marks = {kind: held.mark for kind, held in game.terrain.items()}
    drawing, single = node.get("terrain"), node.get("hexes")
    named = set(plain(single)) if single is not None and not single.empty else set()
    singles = {name: kind for name, kind in painted.items() if name in named}
    address = ("boards", board.id)
    if drawing is None or drawing.style != "|":
        whole = {**{board.grid.name(hex): kind for hex, kind in board.terrain.items()}, **painted}
        return put(text, (*address, "terrain"), board_drawing(board, marks, whole))
    lines = text.splitlines()
    start, indent = drawing.line, drawing.indent
    rows = [
        n
        for n, line in enumerate((drawing.text or "").splitlines())
        if line.strip() and not line.lstrip().startswith("#")
    ]
    where, width = spots(board.grid), max(len(board.grid.row_name(hex)) for hex in board.grid.hexes)
    order = sorted({spot.line for spot in where.values()})
    for name, kind in painted.items():
        if name in singles:
            continue
        spot = where[board.grid.hex(name)]
        row = start + rows[order.index(spot.line)]
        at = indent + width + 1 + spot.place
        lines[row] = lines[row][:at] + marks[kind] + lines[row][at + 1 :]
    text = "\n".join(lines) + "\n"
    for name, kind in singles.items():
        text = put(text, (*address, "hexes", name), kind)
    return text


def board_drawing(board: Board, marks: Mapping[str, str], terrain: Mapping[str, str]) -> str:
    """A board as a block of text."""
    return draw(board.grid, {hex: marks[terrain[board.grid.name(hex)]] for hex in board.grid.hexes})


def _write_pack(folder: Path, file: Path, opened: str, text: str) -> None:
    """Try the changed file in a copy of the pack; write it over what was opened only where that loads as well as before."""
    before = {finding.message for finding in read_pack(folder, (), standing=False)[1]}
    with tempfile.TemporaryDirectory(prefix=".edit.") as name:
        trial = Path(name) / folder.resolve().name
        shutil.copytree(folder, trial, ignore=shutil.ignore_patterns("dist", ".*"))
        (trial / file.relative_to(folder)).write_text(text, encoding="utf-8")
        _, findings = read_pack(trial, (), standing=False)
    new = [finding for finding in findings if finding.message not in before]
    if new:
        raise Unsaved([finding._replace(path=finding.path.replace(str(trial), str(folder))) for finding in new])
    _write_over(file, opened, text)

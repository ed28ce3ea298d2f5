"""Counters from a spreadsheet with pictures, and a map that is a warped, noisy scan of our own board: kit and module, right to a pixel."""

from __future__ import annotations

import base64
import csv
import io
import json
import random
import shutil
import zipfile
from pathlib import Path

import pypdfium2
from PIL import Image, ImageDraw

from art.maps.hexmap import draw_map
from art.sheets.mapsheet import board_map
from art.svg import to_bytes
from modgen.cli import cli
from modgen.editing.document import document
from modgen.editing.page import editor
from modgen.editing.straighten import project, projection
from modgen.render import Picture, draw
from scenarios import load
from scenarios.model.maps import HexMap
from scenarios.pack.pack_folder import SAMPLES
from scenarios.vassal.geometry import BoardSheet
from tests.asking import run_command
from tests.test_editing_photo import darkest, png

DOTS = 7
CORNERS = [(150.0, 70.0), (1480.0, 190.0), (1590.0, 1370.0), (60.0, 1240.0)]


def scan() -> tuple[Image.Image, tuple[float, ...]]:
    """Our board with a cross in every hex, seen from the side, with noise; and where its millimetres come to lie."""
    game = load("ridge")
    board = document(game, "boards/solla")
    width, height = board["width"], board["height"]
    size = round(width * DOTS), round(height * DOTS)
    (content,) = draw(
        {"board": Picture(to_bytes(draw_map(game, board_map(game, "solla"), ids=False, names=False)), *size)}
    )
    flat = Image.open(io.BytesIO(content)).convert("RGB")
    flat = Image.blend(flat, Image.new("RGB", flat.size, "white"), 0.85)
    pen = ImageDraw.Draw(flat)
    for _, x, y in board["hexes"]:
        pen.line([(x * DOTS - 10, y * DOTS), (x * DOTS + 10, y * DOTS)], fill="black", width=3)
        pen.line([(x * DOTS, y * DOTS - 10), (x * DOTS, y * DOTS + 10)], fill="black", width=3)
    corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
    coefficients = projection(CORNERS, [(x * DOTS, y * DOTS) for x, y in corners])
    photo = flat.transform(
        (1700, 1450), Image.Transform.PERSPECTIVE, coefficients, Image.Resampling.BICUBIC, fillcolor="#404040"
    )
    noise = Image.frombytes("L", photo.size, random.Random(1).randbytes(photo.width * photo.height)).convert("RGB")
    return Image.blend(photo, noise, 0.1), projection(corners, CORNERS)


def spreadsheet(pack: Path) -> None:
    """The counters of a pack as a spreadsheet, each with a picture of its own."""
    text = run_command(cli, "show", str(pack), "counters", "--csv").output
    rows = list(csv.DictReader(io.StringIO(text)))
    (pack / "pictures").mkdir()
    for number, row in enumerate(rows):
        name = f"pictures/{row['id']}.png"
        Image.new("RGB", (120, 120), (40 + 30 * number % 200, 90, 140)).save(pack / name)
        row["image"] = name
    with (pack / "counters.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0]])
        writer.writeheader()
        writer.writerows(rows)
    lines = (pack / "counters.yaml").read_text(encoding="utf-8").splitlines()
    start = lines.index("counters:")
    end = next(
        (i for i in range(start + 1, len(lines)) if lines[i] and not lines[i].startswith((" ", "#"))), len(lines)
    )
    lines[start:end] = ["counters: {csv: counters.csv}", ""]
    (pack / "counters.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_spreadsheet_pictures_and_a_scan_make_kit_and_module(tmp_path: Path) -> None:
    pack = Path(shutil.copytree(SAMPLES / "ridge", tmp_path / "my_ridge"))
    (pack / "module.lock.json").unlink()
    spreadsheet(pack)
    scan_image, coefficients = scan()
    site = editor(str(pack), None)
    board_document = document(load(pack), "boards/solla")
    centres = {name: (x, y) for name, x, y in board_document["hexes"]}
    photo = {"map": "boards/solla", "data": base64.b64encode(png(scan_image)).decode()}
    assert site.post("api/photo", json.dumps(photo).encode()).status == 200
    pins = {name: project(coefficients, centres[name]) for name in ("0101", "1201", "1209", "0109")}
    fix_answer = json.loads(site.post("api/fix", json.dumps({"map": "boards/solla", "hexes": pins}).encode()).body)
    response = site.post(
        "api/save",
        json.dumps({"map": "boards/solla", "parts": board_document["parts"], "image": fix_answer["image"]}).encode(),
    )
    assert response.status == 200, response.body
    result = run_command(cli, "build", str(pack), "--only", "kit", "--only", "module", "--out", str(tmp_path / "dist"))
    assert result.exit_code == 0, result.output
    (kit,) = (tmp_path / "dist").rglob("*.pdf")
    assert len(pypdfium2.PdfDocument(kit)) > 4
    game = load(pack)
    table = game.scenario_maps["dusk"]
    assert isinstance(table, HexMap)
    sheet = BoardSheet(table)
    (module,) = (tmp_path / "dist").rglob("*.vmod")
    with zipfile.ZipFile(module) as archive:
        pictures = [
            Image.open(io.BytesIO(archive.read(name))) for name in archive.namelist() if name.startswith("images/")
        ]
    (board,) = [picture.convert("L") for picture in pictures if picture.size == sheet.size]
    for hex in table.hexes:
        x, y = sheet.centre(hex)
        u, v = darkest(board, x, y, 12)
        assert abs(u - x) <= 1 and abs(v - y) <= 1, f"{table.name(hex)} is off by {u - x:.1f}, {v - y:.1f} pixels"

"""What the editor's page asks and sends: maps, pictures, photos, numbers, new boards; and that wrong things are sentences."""

from __future__ import annotations

import base64
import datetime
import http.client
import json
import re
import shutil
import threading
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from art.maps.hexmap import draw_map
from art.sheets.mapsheet import board_map
from art.svg import to_bytes
from assistant.page.site import asset
from modgen.cli import cli
from modgen.editing.document import document
from modgen.editing.page import ASSETS, MOST_PHOTO, EditPage, editor, serve
from modgen.editing.straighten import project
from modgen.new import new_game
from scenarios import load
from scenarios.pack.images import MOST_BYTES
from scenarios.pack.pack_folder import SAMPLES
from tests.asking import run_command
from tests.test_editing_photo import photo, png


def request_json(site: EditPage, path: str, body: Any = None) -> tuple[int, Any]:
    answer = site.get(f"api/{path}") if body is None else site.post(f"api/{path}", json.dumps(body).encode())
    return answer.status, json.loads(answer.body)


@pytest.fixture
def overlaid(tmp_path: Path) -> EditPage:
    return editor("ridge", tmp_path / "mine.yaml")


def test_every_file_of_the_page_is_there(overlaid: EditPage) -> None:
    for name in ASSETS:
        text = overlaid.get(name).body.decode()
        for reference in re.findall(r'(?:src=|href=|from )"(?:\./)?([^"$]+)"', text):
            response = asset(reference.removeprefix("../")) if reference.startswith("../") else overlaid.get(reference)
            assert response.status == 200, (name, reference)
    page = overlaid.get("").body.decode()
    assert 'src="edit.js"' in page and "http" not in page
    assert overlaid.get("../../etc/passwd").status == 404 and overlaid.get("page.py").status == 404


def test_a_board_is_painted_and_saved(overlaid: EditPage, tmp_path: Path) -> None:
    assert request_json(overlaid, "work")[1]["maps"] == {"boards/solla": "The ridge above Solla"}
    board = request_json(overlaid, "map/boards/solla")[1]
    assert overlaid.get("api/drawn/boards/solla").body.startswith(b"<svg")
    board["parts"]["terrain"]["0101"] = "woods"
    assert request_json(overlaid, "save", {"map": "boards/solla", "parts": board["parts"]})[0] == 200
    assert request_json(overlaid, "map/boards/solla")[1]["parts"]["terrain"]["0101"] == "woods"
    assert load("ridge", [tmp_path / "mine.yaml"]).boards["solla"].terrain


def test_wrong_things_are_sentences_and_nothing_is_written(overlaid: EditPage, tmp_path: Path) -> None:
    parts = request_json(overlaid, "map/boards/solla")[1]["parts"]
    for body, message in [
        ({"map": "boards/none", "parts": parts}, "no board"),
        ({"map": "boards/solla", "parts": {}}, "missing"),
        ({"map": "boards/solla", "parts": {**parts, "terrain": {"0101": "lava"}}}, "lava"),
        ({"parts": parts}, "isn't a map"),
        ({"map": "boards/solla", "parts": {**parts, "paths": [{"kind": "road", "hexes": ["0101", "0909"]}]}}, "touch"),
    ]:
        status, answer = request_json(overlaid, "save", body)
        assert status == 400 and message in answer["wrong"], answer
    assert overlaid.post("api/save", b"{").status == 400 and overlaid.post("api/nothing", b"{}").status == 404
    assert request_json(overlaid, "photo", {"map": "boards/solla", "data": "%%"})[0] == 400
    assert (
        request_json(overlaid, "photo", {"map": "boards/solla", "data": base64.b64encode(b"x" * 99).decode()})[0] == 400
    )
    assert request_json(overlaid, "fix", {"map": "boards/solla", "hexes": {}})[0] == 400
    assert request_json(overlaid, "board", {"id": "x", "name": "X"})[0] == 400
    assert not list(tmp_path.iterdir())


def test_photos_have_the_limit_of_pictures(overlaid: EditPage) -> None:
    data = base64.b64encode(bytes(MOST_BYTES + 1)).decode()
    status, answer = request_json(overlaid, "photo", {"map": "boards/solla", "data": data})
    assert status == 400 and "40 MB" in answer["wrong"], answer
    assert len(data) <= MOST_PHOTO == overlaid.longest("api/photo") and overlaid.longest("api/save") < MOST_PHOTO


def test_the_editor_is_mounted_beside_the_assistant(overlaid: EditPage) -> None:
    """Under one server: the editor below edit/, and the assistant's page of the game as it was saved last."""
    server = serve(overlaid, 0)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()

    def send_request(path: str, body: bytes | None = None) -> tuple[int, bytes]:
        request = urllib.request.Request(
            server.url + path, body, {"Content-Type": "application/json"} if body is not None else {}
        )
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    try:
        assert b"edit.js" in send_request("edit/")[1] and send_request("tools.js")[0] == 200
        map_picture = send_request("data/ridge/map/dusk.svg")[1]
        board = json.loads(send_request("edit/api/map/boards/solla")[1])
        board["parts"]["terrain"] = dict.fromkeys(board["parts"]["terrain"], "woods")
        body = json.dumps({"map": "boards/solla", "parts": board["parts"]})
        assert send_request("edit/api/save", body.encode())[0] == 200
        assert send_request("data/ridge/map/dusk.svg")[1] != map_picture
        oversize_connection = http.client.HTTPConnection("127.0.0.1", server.address[1], timeout=20)
        oversize_connection.request(
            "POST", "/edit/api/save", headers={"Content-Type": "application/json", "Content-Length": "6000000"}
        )
        assert oversize_connection.getresponse().status == 413
        oversize_connection.close()
        long = json.dumps({"map": "boards/solla", "data": "A" * 6_000_000}).encode()
        assert send_request("edit/api/photo", long)[0] == 400, "taken in, and no photo"
        assert send_request("api/work")[0] == 404
    finally:
        server.shutdown()
        thread.join(10)


def test_a_photo_lies_under_the_board_in_kit_and_module(overlaid: EditPage, tmp_path: Path) -> None:
    board_document = document(load("ridge"), "boards/solla")
    photo_image, photo_projection = photo(
        board_document, [(120, 60), (1300, 150), (1380, 1100), (40, 1000)], (1450, 1200)
    )
    status, size = request_json(
        overlaid, "photo", {"map": "boards/solla", "data": base64.b64encode(png(photo_image)).decode()}
    )
    assert status == 200 and size == {"width": 1450, "height": 1200}
    assert overlaid.get("api/photo/solla").kind == "image/jpeg"
    centres = {name: (x, y) for name, x, y in board_document["hexes"]}
    pins = {name: project(photo_projection, centres[name]) for name in ("0101", "1201", "1209", "0109")}
    status, straightened_photo = request_json(overlaid, "fix", {"map": "boards/solla", "hexes": pins})
    assert status == 200 and (tmp_path / straightened_photo["image"]["file"]).is_file()
    assert (
        request_json(
            overlaid,
            "save",
            {"map": "boards/solla", "parts": board_document["parts"], "image": straightened_photo["image"]},
        )[0]
        == 200
    )
    game = load("ridge", [tmp_path / "mine.yaml"])
    image = game.boards["solla"].shape.image
    assert image is not None and image.home(game.folder) == tmp_path.resolve()
    assert b"data:image" in to_bytes(draw_map(game, board_map(game, "solla")))
    # Another photo under the same name is another game.
    Image.new("RGB", (straightened_photo["width"], straightened_photo["height"]), "red").save(
        tmp_path / straightened_photo["image"]["file"]
    )
    reloaded_image = load("ridge", [tmp_path / "mine.yaml"]).boards["solla"].shape.image
    assert reloaded_image is not None and reloaded_image.digest != image.digest


def test_numbers_are_filled_in(tmp_path: Path) -> None:
    site = editor("yom_kippur", tmp_path / "mine.yaml")
    rows = request_json(site, "numbers")[1]["numbers"]
    assert any(row["address"] == "counters/hq_3_army/factors/supply_range" for row in rows)
    assert request_json(site, "numbers", {"numbers": {"counters/hq_3_army/factors/supply_range": "11"}})[0] == 200
    assert "mine" in {row["source"] for row in request_json(site, "numbers")[1]["numbers"]}
    assert request_json(site, "numbers", {"numbers": {"game/title": "Mine"}})[0] == 400
    assert request_json(site, "numbers", {"numbers": {"counters/hq_3_army/factors/supply_range": "far"}})[0] == 400


def test_a_new_board_in_a_pack_of_ones_own(tmp_path: Path) -> None:
    new_game(tmp_path / "mine", "Mine", datetime.date(2026, 1, 1))
    site = editor(str(tmp_path / "mine"), None)
    body = {"id": "valley", "name": "The valley", "columns": "8", "rows": "6", "orientation": "pointy", "scheme": "x.y"}
    assert request_json(site, "board", body) == (200, {"map": "boards/valley"})
    assert len(request_json(site, "map/boards/valley")[1]["hexes"]) == 48
    assert request_json(site, "board", body)[0] == 400, "there is one already"
    assert request_json(site, "board", {**body, "id": "Other one"})[0] == 400
    assert request_json(site, "board", {**body, "id": "wide", "columns": "100000"})[0] == 400
    assert request_json(site, "numbers", {"numbers": {}})[0] == 400


def test_a_pack_that_comes_with_mitla_needs_an_overlay() -> None:
    answer = run_command(cli, "edit", "ridge")
    assert answer.exit_code == 2 and "--overlay" in answer.output
    answer = run_command(cli, "edit", "yom_kipur")
    assert answer.exit_code == 2 and "yom_kippur" in answer.output


def test_a_pack_of_ones_own_is_edited_in_place(tmp_path: Path) -> None:
    pack = Path(shutil.copytree(SAMPLES / "two_wells", tmp_path / "two_wells"))
    site = editor(str(pack), None)
    key = next(iter(request_json(site, "work")[1]["maps"]))
    board = request_json(site, f"map/{key}")[1]
    board["parts"]["places"]["camp"] = {"name": "Camp", "hex": board["hexes"][0][0]}
    assert request_json(site, "save", {"map": key, "parts": board["parts"]})[0] == 200
    assert "camp:" in "".join(path.read_text(encoding="utf-8") for path in pack.glob("*.yaml"))

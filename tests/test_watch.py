"""`modgen watch`: a saved change is seen, a broken file leaves the last good state, and nobody else is answered."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.page.server import Server
from modgen.cli import cli
from modgen.watch.page import WatchPage, state_json
from modgen.watch.serving import serve
from modgen.watch.watcher import Watcher
from tests.asking import run_command
from tests.packs import copy
from tests.test_sheets import sheet_pack


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def keys(watcher: Watcher) -> dict[str, str]:
    return {
        item["name"]: item["key"]
        for items in state_json(watcher.state, watcher.folder)["shown"].values()
        for item in items
    }


def test_only_what_changed_is_drawn_anew(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    watcher = Watcher(str(pack))
    old_keys = keys(watcher)
    assert not watcher.look()
    change(
        pack / "counters.yaml",
        "factors: {attack: 5, defense: 3, movement: 6}",
        "factors: {attack: 7, defense: 3, movement: 6}",
    )
    assert watcher.look() and watcher.state.is_complete
    new_keys = keys(watcher)
    assert {name for name in new_keys if new_keys[name] != old_keys[name]} == {"front/cars", "back/cars", "rulebook/"}
    answer = json.loads(
        WatchPage(watcher).post("drawings", b'{"names": ["front/cars", "map/main", "chart/combat", "card/noon"]}').body
    )
    assert ">7-3-6<" in answer["front/cars"]["svg"] and answer["map/main"]["svg"] and answer["chart/combat"]["svg"]
    assert answer["card/noon"]["svg"] and answer["card/noon"]["nodes"]


def test_the_last_good_state_stays_while_a_file_is_broken(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    watcher = Watcher(str(pack))
    good, old_keys = watcher.state.game, keys(watcher)
    change(pack / "counters.yaml", "nation: red\n    class: wheels", "nation: rde\n    class: wheels")
    assert watcher.look() and watcher.state.game is good and not watcher.state.is_complete
    state = state_json(watcher.state, pack)
    (finding,) = state["findings"]
    assert (
        finding["where"] == "counters.yaml:17:13"
        and finding["message"] == "there is no nation 'rde'; did you mean red?"
    )
    assert ["17", "    nation: rde"] in finding["lines"] and finding["mark"] == "17"
    assert keys(watcher) == old_keys
    change(pack / "counters.yaml", "nation: rde", "nation: red")
    assert (
        watcher.look() and watcher.state.is_complete and not watcher.state.findings and watcher.state.game is not good
    )


def test_a_cell_is_shown_with_its_heading(tmp_path: Path) -> None:
    pack = sheet_pack(tmp_path)
    watcher = Watcher(str(pack))
    change(pack / "counters.csv", "cars,platoon,5,3,6", "cars,platoon,five,3,6")
    watcher.look()
    (finding,) = state_json(watcher.state, pack)["findings"]
    assert finding["where"] == "counters.csv:3:G" and finding["mark"] == "G"
    assert finding["lines"][0] == ["A", "id: cars"] and ["G", "attack: five"] in finding["lines"]


def test_a_pack_that_never_was_whole_shows_what_is_wrong(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    change(pack / "game.yaml", "id: two_wells", "id: [")
    watcher = Watcher(str(pack))
    state = state_json(watcher.state, pack)
    assert watcher.state.game is None and state["shown"] == {} and state["findings"]
    assert WatchPage(watcher).post("drawings", b'{"names": []}').status == 404


def test_words_that_do_not_fit_are_told_after_the_drawing(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    watcher = Watcher(str(pack))
    change(pack / "counters.yaml", "name: Camel riders", "name: The very famous and extraordinarily fast camel riders")
    watcher.look()
    assert watcher.state.is_complete and not watcher.state.findings
    watcher.measure()
    assert watcher.state.is_complete and "shorten it" in watcher.state.findings[0].message
    answer = json.loads(WatchPage(watcher).post("drawings", b'{"names": ["front/camels"]}').body)
    assert "shorten it" in answer["front/camels"]["wrong"]


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b'{"names": 3}', b'{"names": [3]}', json.dumps({"names": ["x"] * 500}).encode()]
)
def test_bad_questions_get_a_sentence(tmp_path: Path, body: bytes) -> None:
    answer = WatchPage(Watcher("two_wells")).post("drawings", body)
    assert answer.status == 400 and b"drawings by their names" in answer.body


@pytest.fixture
def running(tmp_path: Path) -> Iterator[tuple[Server, Path]]:
    pack = copy(tmp_path)
    server, watcher = serve(str(pack), 0)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server, pack
    watcher.end()
    server.shutdown()
    thread.join(10)


def send_request(
    server: Server, method: str, path: str, headers: dict[str, str] | None = None, body: bytes | None = None
) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.address[1], timeout=10)
    connection.request(method, path, body=body, headers=headers or {})
    answer = connection.getresponse()
    return answer.status, answer.read()


def test_a_listener_is_told_of_a_saved_change(running: tuple[Server, Path]) -> None:
    server, pack = running
    connection = http.client.HTTPConnection("127.0.0.1", server.address[1], timeout=20)
    connection.request("GET", "/watch/events")
    answer = connection.getresponse()
    assert answer.getheader("content-type") == "text/event-stream"

    def news() -> dict[str, Any]:
        while True:
            line = answer.readline().decode()
            if line.startswith("data: "):
                return dict(json.loads(line.removeprefix("data: ")))

    assert news()["whole"]
    change(pack / "counters.yaml", "name: Armoured cars", "name: Fast cars")
    second = news()
    assert second["whole"] and any(item["title"] == "Fast cars" for item in second["shown"]["counters"])
    # and the assistant answers for what was saved
    status, body = send_request(server, "GET", "/data/two_wells/about.json")
    assert status == 200 and b"Fast cars" in body
    connection.close()


def test_only_this_machine_is_answered(running: tuple[Server, Path]) -> None:
    server, _ = running
    assert server.address[0] == "127.0.0.1"
    assert send_request(server, "GET", "/watch/")[0] == 200
    assert send_request(server, "GET", "/watch/", {"Host": "evil.example"})[0] == 403
    assert send_request(server, "GET", "/watch/state.json", {"Origin": "http://evil.example"})[0] == 403
    assert send_request(server, "GET", "/watch/events", {"Host": "evil.example"})[0] == 403
    for path in ("/watch/../../etc/passwd", "/watch/%2e%2e/game.yaml", "/watch/game.yaml", "/watch//etc/passwd"):
        assert send_request(server, "GET", path)[0] == 404
    assert send_request(server, "POST", "/watch/drawings", {"content-type": "text/plain"}, b"{}")[0] == 415
    assert send_request(server, "PUT", "/watch/drawings")[0] == 405


def test_a_wrong_game_is_a_sentence() -> None:
    answer = run_command(cli, "watch", "two_wels", "--no-open")
    assert answer.exit_code == 2 and "did you mean two_wells" in answer.stderr

"""`modgen watch` over a folder that is away for a moment: it says so, and reads it again when it is back."""

from __future__ import annotations

import http.client
import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.page.server import Server
from modgen.watch.serving import serve
from tests.packs import copy


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


def state(server: Server) -> dict[str, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", server.address[1], timeout=10)
    connection.request("GET", "/watch/state.json")
    answer = connection.getresponse()
    assert answer.status == 200
    content = dict(json.loads(answer.read()))
    connection.close()
    return content


def wait(server: Server, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    end = time.monotonic() + 20
    while not condition(current_state := state(server)):
        assert time.monotonic() < end, current_state["findings"]
        time.sleep(0.1)
    return current_state


def messages(server_state: dict[str, Any]) -> list[str]:
    return [finding["message"] for finding in server_state["findings"]]


def test_a_folder_that_is_away_is_told_and_read_again(running: tuple[Server, Path]) -> None:
    server, pack = running
    assert state(server)["whole"]
    for _ in range(2):
        pack.rename(pack.with_name("moved"))
        absent_state = wait(server, lambda watch_state: not watch_state["whole"])
        assert len(messages(absent_state)) == 1 and "when it is back" in messages(absent_state)[0]
        assert absent_state["shown"]["counters"], "the last good state stays"
        time.sleep(0.5)
        assert state(server)["version"] == absent_state["version"], "told once"
        pack.with_name("moved").rename(pack)
        assert not messages(wait(server, lambda watch_state: bool(watch_state["whole"])))


def test_a_folder_that_is_written_anew_is_read_again(running: tuple[Server, Path]) -> None:
    """As a version control system does: all files go, and others come."""
    server, pack = running
    backup = pack.with_name("kept")
    shutil.copytree(pack, backup)
    shutil.rmtree(pack)
    wait(server, lambda watch_state: not watch_state["whole"])
    text = (backup / "counters.yaml").read_text(encoding="utf-8")
    (backup / "counters.yaml").write_text(text.replace("name: Armoured cars", "name: Fast cars"), encoding="utf-8")
    shutil.copytree(backup, pack)
    final_state = wait(server, lambda watch_state: bool(watch_state["whole"]))
    assert any(item["title"] == "Fast cars" for item in final_state["shown"]["counters"])


def test_a_wrong_state_is_told_after_the_folder_was_away(running: tuple[Server, Path]) -> None:
    server, pack = running
    moved_pack = pack.with_name("moved")
    pack.rename(moved_pack)
    wait(server, lambda watch_state: not watch_state["whole"])
    (moved_pack / "game.yaml").write_text("id: [\n", encoding="utf-8")
    moved_pack.rename(pack)
    final_state = wait(server, lambda watch_state: "back" not in "".join(messages(watch_state)))
    assert not final_state["whole"] and final_state["findings"][0]["where"].startswith("game.yaml")

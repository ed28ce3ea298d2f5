"""Two servers that keep their tables in one folder: a change that was answered is never lost, and each sees the other's."""

from __future__ import annotations

import http.client
import json
import threading
from pathlib import Path
from typing import Any

from assistant.page.live_tables import Live
from assistant.page.saves import Saves
from assistant.page.site import Site
from scenarios import load
from tests.packs import TWO_WELLS
from tests.test_fix_page_load import serving

GAME = load(TWO_WELLS)


def site(folder: Path) -> Site:
    return Site({"two_wells": "Two Wells"}, lambda key: GAME, saves=Saves(live=Live(folder)))


def play(page: Site, **body: Any) -> tuple[int, dict[str, Any]]:
    answer = page.post("/api/two_wells/play", json.dumps(body).encode())
    return answer.status, json.loads(answer.body)


def list_saves(page: Site) -> list[tuple[str, int, int]]:
    saves = json.loads(page.get("/api/two_wells/saves").body)
    return [(save["id"], save["live"], save["turn"]) for save in saves]


def test_servers_see_the_changes_of_each_other(tmp_path: Path) -> None:
    first, second = site(tmp_path), site(tmp_path)
    key = play(first, begin="noon")[1]["id"]
    assert list_saves(second) == [(key, 1, 1)]
    assert play(first, table=key, version=1, change={"turn": 2})[0] == 200
    status, answer = play(second, table=key, version=1, change={"turn": 9})
    assert status == 400 and "another player changed" in answer["wrong"]
    assert list_saves(second) == [(key, 2, 2)]
    assert play(second, table=key, version=2, change={"turn": 3})[0] == 200
    assert list_saves(first) == list_saves(second) == list_saves(site(tmp_path)) == [(key, 3, 3)]
    assert play(first, table=key, version=3, change={"undo": True})[1]["turn"] == 2
    assert play(second, end=key)[0] == 200
    status, answer = play(first, table=key, version=4, change={"turn": 5})
    assert status == 400 and "that table has ended" in answer["wrong"]
    assert list_saves(first) == []


def test_a_line_that_was_cut_off_is_written_over(tmp_path: Path) -> None:
    first, second = site(tmp_path), site(tmp_path)
    key = play(first, begin="noon")[1]["id"]
    with next(tmp_path.glob("*.jsonl")).open("ab") as file:
        file.write(b'{"turn": 7')
    assert list_saves(second) == [(key, 1, 1)]
    assert play(second, table=key, version=1, change={"turn": 2})[0] == 200
    assert list_saves(first) == list_saves(site(tmp_path)) == [(key, 2, 2)]


def post(port: int, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("POST", "/api/two_wells/play", json.dumps(body), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    content = json.loads(answer.read())
    connection.close()
    return answer.status, content


def test_no_answered_change_is_lost_between_two_processes(tmp_path: Path) -> None:
    with serving(tmp_path) as first, serving(tmp_path) as second:
        table = post(first, {"begin": "noon"})[1]
        confirmed_turns: list[int] = []

        def change(port: int, turns: list[int]) -> None:
            version = 1
            for turn in turns:
                for _ in range(500):
                    status, answer = post(port, {"table": table["id"], "version": version, "change": {"turn": turn}})
                    if status == 200:
                        confirmed_turns.append(turn)
                        version = answer["live"]
                        break
                    assert "another player" in answer["wrong"], answer
                    version += 1

        players = [
            threading.Thread(target=change, args=(first, [1, 2, 3] * 13)),
            threading.Thread(target=change, args=(second, [4, 5, 6] * 13)),
        ]
        for player in players:
            player.start()
        for player in players:
            player.join(120)
    lines = next(tmp_path.rglob("*.jsonl")).read_text(encoding="ascii").splitlines()
    logged_turns = [json.loads(line)["turn"] for line in lines[1:]]
    assert len(confirmed_turns) == 78 and sorted(logged_turns) == sorted(confirmed_turns)

"""Live tables: changed by several devices, kept whatever happens to the server, exported as a file."""

from __future__ import annotations

import http.client
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.page.live_tables import Live
from assistant.page.saves import Saves
from assistant.page.server import Server
from assistant.page.site import Site
from scenarios import load
from scenarios.model.position import format_location, from_file, from_scenario
from scenarios.opening_positions import open_position
from tests.packs import TWO_WELLS

GAME = load(TWO_WELLS)


def site(folder: Path | None = None) -> Site:
    return Site({"two_wells": "Two Wells"}, lambda key: GAME, saves=Saves(live=Live(folder)))


def post_play(page: Site, **body: Any) -> tuple[int, dict[str, Any]]:
    answer = page.post("/api/two_wells/play", json.dumps(body).encode())
    return answer.status, json.loads(answer.body)


def pieces(page: Site, key: str) -> dict[str, list[dict[str, Any]]]:
    return dict(json.loads(page.get(f"/api/two_wells/pieces/noon/{key}").body))


def test_a_table_is_played_and_taken_back(tmp_path: Path) -> None:
    page = site(tmp_path)
    status, table = post_play(page, begin="noon")
    assert status == 200 and table["live"] == 1 and not table["undo"]
    key = table["id"]
    status, table = post_play(page, table=key, version=1, change={"move": [["camels", "23"]], "to": "0102"})
    assert status == 200 and pieces(page, key)["0102"][0]["unit"] == "camels"
    status, table = post_play(page, table=key, version=2, change={"states": [["camels", "23"]], "now": ["dry"]})
    assert pieces(page, key)["0102"][0]["states"] == ["dry"]
    status, table = post_play(page, table=key, version=3, change={"turn": 4})
    assert table["turn"] == 4 and table["undo"]
    reach = page.post(
        "/api/two_wells/ask",
        json.dumps({"question": "move", "inputs": {"unit": "camels/23", "position": key}}).encode(),
    )
    assert reach.status == 200, reach.body
    for version in (4, 5, 6):
        status, table = post_play(page, table=key, version=version, change={"undo": True})
        assert status == 200
    assert table["turn"] == from_scenario(GAME, "noon").turn and not table["undo"]
    assert post_play(page, table=key, version=7, change={"undo": True})[0] == 400


def test_a_stale_change_leaves_the_table_alone(tmp_path: Path) -> None:
    page = site(tmp_path)
    key = post_play(page, begin="noon")[1]["id"]
    post_play(page, table=key, version=1, change={"turn": 2})
    status, answer = post_play(page, table=key, version=1, change={"turn": 3})
    assert status == 400 and "another player" in answer["wrong"]
    assert page.saves.position(GAME, key).turn == 2


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"move": [["camels", "23"]], "to": "9999"}, "9999"),
        ({"move": [["nobody", "1"]], "to": "0102"}, "not on the table"),
        ({"move": "camels", "to": "0102"}, "list of"),
        ({"states": [["camels", "23"]], "now": ["drj"]}, "did you mean dry"),
        ({"lost": [["camels", "23"]], "steps": -1}, "whole number"),
        ({"add": "carts", "to": "0102"}, "did you mean cars"),
        ({"turn": "two"}, "whole number"),
        ({"fly": 1}, "fly"),
        ([], "a change has one of the forms"),
    ],
)
def test_a_wrong_change_gets_a_sentence(change: object, sentence: str, tmp_path: Path) -> None:
    page = site(tmp_path)
    key = post_play(page, begin="noon")[1]["id"]
    status, answer = post_play(page, table=key, version=1, change=change)
    assert status == 400 and sentence in answer["wrong"]
    assert page.saves.position(GAME, key) == from_scenario(GAME, "noon")


CHANGES = st.one_of(
    st.builds(
        lambda destination: {"move": [["camels", "23"]], "to": destination},
        st.sampled_from(["0101", "0102", "0202", "box:dead", "turn:3"]),
    ),
    st.builds(lambda turn: {"turn": turn}, st.integers(1, 9)),
    st.builds(lambda destination: {"add": "cars", "to": destination}, st.sampled_from(["0101", "0102"])),
    st.just({"undo": True}),
    st.just({"states": [["camels", "23"]], "now": ["dry"]}),
    st.just({"lost": [["camels", "23"]], "steps": 1}),
)


@given(st.lists(CHANGES, max_size=12), st.integers(0, 60))
@settings(max_examples=40, deadline=None)
def test_a_table_outlives_its_server(
    tmp_path_factory: pytest.TempPathFactory, changes: list[dict[str, Any]], cut: int
) -> None:
    """A new server reads every change that was answered; a line cut off in the middle of writing is left out."""
    folder = tmp_path_factory.mktemp("tables")
    page = site(folder)
    key = post_play(page, begin="noon")[1]["id"]
    version = 1
    for change in changes:
        status, table = post_play(page, table=key, version=version, change=change)
        version = table["live"] if status == 200 else version
    assert site(folder).saves.position(GAME, key) == page.saves.position(GAME, key)
    with (folder / f"{key}.jsonl").open("ab") as file:
        file.write(b'{"move": [["camels", "23"]], "to": "0202"}'[:cut])
    restarted_site = site(folder)
    assert restarted_site.saves.position(GAME, key) == page.saves.position(GAME, key)


def test_a_table_becomes_a_position_file(tmp_path: Path) -> None:
    page = site()
    key = post_play(page, begin="noon")[1]["id"]
    post_play(page, table=key, version=1, change={"move": [["camels", "23"]], "to": "0102"})
    answer = page.get(f"/api/two_wells/position/{key}")
    path = tmp_path / "mine.yaml"
    path.write_bytes(answer.body)
    camels = next(piece for piece in from_file(GAME, path).copies_of("camels") if piece.copy == "23")
    assert format_location(GAME.scenario_maps["noon"], camels.at) == "0102"


def test_what_is_off_the_map_is_listed() -> None:
    page = site()
    key = post_play(page, begin="noon")[1]["id"]
    off_map_pieces = json.loads(page.get(f"/api/two_wells/away/noon/{key}").body)
    assert any(place.startswith("turn:") for place in off_map_pieces) and sum(map(len, off_map_pieces.values())) > 2


def test_other_devices_are_told_at_once() -> None:
    page = site()
    server = Server("127.0.0.1", 0, page)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    listening = http.client.HTTPConnection("127.0.0.1", server.address[1], timeout=20)
    listening.request("GET", "/api/two_wells/live")
    news = listening.getresponse()
    assert news.headers["Content-Type"] == "text/event-stream"
    assert news.readline() == b"data: []\n"
    other_connection = http.client.HTTPConnection("127.0.0.1", server.address[1], timeout=20)
    other_connection.request("POST", "/api/two_wells/play", b'{"begin": "noon"}', {"Content-Type": "application/json"})
    key = json.loads(other_connection.getresponse().read())["id"]
    news.readline()
    assert news.readline() == f'data: [["{key}", "1"]]\n'.encode()
    listening.close()
    server.shutdown()
    thread.join(10)
    assert not thread.is_alive()


def test_a_table_can_be_saved_for_vassal(tmp_path: Path) -> None:
    page = Site({"ridge": "Ridge"}, {"ridge": load("ridge")}.__getitem__, saves=Saves(live=Live(tmp_path / "tables")))
    game = load("ridge")
    scenario = next(iter(game.scenarios))
    table = json.loads(page.post("/api/ridge/play", json.dumps({"begin": scenario}).encode()).body)
    answer = page.get(f"/api/ridge/vassal/{table['id']}")
    assert answer.status == 200, answer.body
    (tmp_path / "mine.vsav").write_bytes(answer.body)
    assert len(open_position(game, tmp_path / "mine.vsav").pieces) == table["pieces"]


def test_where_nothing_writes_saves_a_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("assistant.page.save_export.entry_points", lambda **_: ())
    page = Site({"ridge": "Ridge"}, {"ridge": load("ridge")}.__getitem__, saves=Saves(live=Live(tmp_path / "tables")))
    table = json.loads(
        page.post("/api/ridge/play", json.dumps({"begin": next(iter(load("ridge").scenarios))}).encode()).body
    )
    answer = page.get(f"/api/ridge/vassal/{table['id']}")
    assert answer.status == 400 and "modgen save" in answer.body.decode()

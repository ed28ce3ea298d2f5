"""The link for looking on asks and never changes anything, however an address is spelled."""

from __future__ import annotations

import base64
import http.client
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.page.live_tables import Live
from assistant.page.saves import Saves
from assistant.page.server import Server
from assistant.page.site import Site
from scenarios import load
from tests.packs import TWO_WELLS
from tests.test_page_network import running

GAME = load(TWO_WELLS)
SPELLINGS = (
    "/api/two_wells/{}",
    "/api/two_wells/{}/",
    "/api/two_wells/{}//",
    "//api/two_wells/{}",
    "/api//two_wells/{}",
    "/api/two_wells//{}",
    "/api/two_wells/{}?x=1",
    "/api/two_wells/{}/?x=/roll",
    "/api/two_wells/{};x",
    "/api/two_wells/./{}",
    "/api/two_wells/roll/../{}",
    "/api/two_wells/{}/../roll",
    "/api/two_wells/{}%2f",
    "/api/two_wells%2f{}",
    "/%61pi/two_wells/{}",
    "/API/two_wells/{}",
    "/api/TWO_WELLS/{}",
    "http://localhost/api/two_wells/{}",
)
BODIES = {
    "play": {"begin": "noon"},
    "open": {"name": "a.yaml", "data": base64.b64encode(b"game: two_wells\nscenario: noon\npieces: []\n").decode()},
    "faces": {"faces": ["cars/front"]},
    "roll": {"what": "1d6"},
    "odds": {"attack": "assault"},
    "table": {"table": "combat"},
    "ask": {"question": "scenario", "inputs": {"scenario": "noon"}},
}


def spellings(name: str) -> list[str]:
    first = f"%{ord(name[0]):02x}{name[1:]}"
    return [path.format(text) for path in SPELLINGS for text in (name, name.upper(), first, first.replace("%", "%25"))]


def post(server: Server, path: str, body: object, token: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.address[1], timeout=30)
    headers = {"Content-Type": "application/json", "Cookie": f"mitla_{server.address[1]}={token}"}
    connection.request("POST", path, json.dumps(body).encode(), headers)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, content


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    site = Site({"two_wells": "Two Wells"}, lambda key: GAME, saves=Saves(live=Live(tmp_path)))
    with running("0.0.0.0", site=site) as started_server:
        yield started_server


@pytest.mark.parametrize("name", ["play", "open"])
def test_no_spelling_of_a_change_is_open_to_who_looks_on(server: Server, name: str) -> None:
    host = json.loads(post(server, "/api/two_wells/play", {"begin": "noon"}, server.token)[1])["id"]
    changes = [{"end": host}, {"table": host, "version": 1, "change": {"turn": 2}}] if name == "play" else []
    for path in spellings(name):
        for body in (BODIES[name], *changes):
            assert post(server, path, body, server.look)[0] == 403, path
    saves = json.loads(server.application.site.get("/api/two_wells/saves").body)
    assert [(save["id"], save["version"], save["turn"]) for save in saves] == [(host, "1", 1)]


def test_who_looks_on_may_ask(server: Server) -> None:
    for name in ("roll", "odds", "table", "ask", "faces"):
        assert post(server, f"/api/two_wells/{name}", BODIES[name], server.look)[0] in (200, 400), name
        assert post(server, f"/api/two_wells/{name}", BODIES[name], server.token)[0] in (200, 400), name


@pytest.mark.parametrize("name", sorted(BODIES))
def test_an_address_is_spelled_one_way(server: Server, name: str) -> None:
    """A double or a trailing slash names no question; a percent sign is decoded before anything is decided."""
    plain_response = post(server, f"/api/two_wells/{name}", BODIES[name], server.token)
    assert plain_response[0] in (200, 400), plain_response
    encoded_response = post(server, f"/api/two_wells/%{ord(name[0]):02x}{name[1:]}", BODIES[name], server.token)
    assert encoded_response[0] == plain_response[0]
    for path in (f"/api/two_wells/{name}/", f"//api/two_wells/{name}", f"/api/two_wells//{name}"):
        assert post(server, path, BODIES[name], server.token)[0] == 404, path


def test_only_a_save_is_long_however_its_address_is_spelled(server: Server) -> None:
    long = {"what": "1d6", "more": "x" * 200_000}
    for path in ("/api/two_wells/roll/open", "/api/two_wells/roll?x=/open", "/watch/open", "/open", "/x/y/open"):
        assert post(server, path, long, server.token)[0] == 413, path
    for path in ("/api/two_wells/open", "/api/two_wells/%6fpen"):
        assert post(server, path, long, server.token)[0] == 400, f"{path}: read, and no save"

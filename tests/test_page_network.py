"""The page on a network: who is answered, under which names, with which token, and how much at once."""

from __future__ import annotations

import base64
import http.client
import json
import os
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from assistant.cli import cli
from assistant.page import application, site, workers
from assistant.page.jobs import GameSource, Job
from assistant.page.response import Response
from assistant.page.server import Server
from assistant.page.site import Site
from assistant.page.workers import Workers
from scenarios import load
from scenarios.model.game import Game
from tests.asking import run_command
from tests.packs import TWO_WELLS

SITE = Site({"two_wells": "Two Wells"}, lambda key: load(TWO_WELLS))
ASKED = b'{"what": "1d6"}'


@contextmanager
def running(host: str, names: tuple[str, ...] = (), site: Site = SITE) -> Iterator[Server]:
    new_server = Server(host, 0, site, names)
    thread = threading.Thread(target=new_server.serve_forever, daemon=True)
    thread.start()
    try:
        yield new_server
    finally:
        new_server.shutdown()
        thread.join(10)


@pytest.fixture
def opened() -> Iterator[Server]:
    """A server that listens to the whole network."""
    with running("0.0.0.0") as server:
        yield server


def request(server: Server, path: str = "/", body: bytes = b"", **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", server.address[1], timeout=30)
    if body:
        headers.setdefault("Content_Type", "application/json")
    header_fields = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("POST" if body else "GET", path, body or None, header_fields)
    answer = connection.getresponse()
    answer.held = answer.read()  # type: ignore[attr-defined]
    connection.close()
    return answer


def token_of(server: Server) -> str:
    match = re.search(r"\?token=([\w-]{20,})$", server.url)
    assert match, server.url
    return match[1]


def test_off_loopback_nobody_is_answered_without_the_token(opened: Server) -> None:
    for path in ("/", "/page.js", "/data/games.json", "/api/two_wells/saves", "/?token=wrong", "/?token="):
        assert request(opened, path).status == 403, path
    assert request(opened, "/api/two_wells/roll", ASKED).status == 403
    first = request(opened, f"/?token={token_of(opened)}")
    assert first.status == 200
    cookie = first.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    session_cookie = cookie.partition(";")[0]
    assert request(opened, "/data/games.json", Cookie=session_cookie).status == 200
    assert request(opened, "/api/two_wells/roll", ASKED, Cookie=session_cookie).status == 200
    assert request(opened, "/data/games.json", Cookie=session_cookie + "x").status == 403


def test_each_start_has_a_token_of_its_own(opened: Server) -> None:
    with running("0.0.0.0") as other_server:
        assert token_of(other_server) != token_of(opened)
        assert request(other_server, f"/?token={token_of(opened)}").status == 403
    with running("127.0.0.1") as local:
        assert "token" not in local.url and request(local).status == 200


def test_a_name_that_is_not_served_is_refused(opened: Server) -> None:
    """A site that points its own name at this machine (DNS rebinding) asks under that name."""
    port, path = opened.address[1], f"/data/games.json?token={token_of(opened)}"
    strange = ("evil.example", f"127.0.0.1.evil.example:{port}", "10.1.2.3", "", "[::1", "127.0.0.1@evil.example")
    for host in (f"evil.example:{port}", *strange):
        assert request(opened, path, Host=host).status == 403, host
    for host in (f"127.0.0.1:{port}", f"localhost:{port}", "LOCALHOST"):
        assert request(opened, path, Host=host).status == 200, host
    with running("0.0.0.0", ("games.example",)) as named_server:
        path = f"/data/games.json?token={token_of(named_server)}"
        assert request(named_server, path, Host="games.example").status == 200
        assert request(named_server, path, Host="evil.example").status == 403
    with running("127.0.0.2") as second:
        connection = http.client.HTTPConnection("127.0.0.2", second.address[1], timeout=30)
        connection.request("GET", "/")
        assert connection.getresponse().status == 200, "its own address"
        connection.close()


def test_another_site_is_refused(opened: Server) -> None:
    path = f"/api/two_wells/roll?token={token_of(opened)}"
    for origin in ("http://evil.example", "null", f"http://localhost:{opened.address[1]}"):
        assert request(opened, path, ASKED, Origin=origin).status == 403, origin
    assert request(opened, path, ASKED, Origin=f"http://127.0.0.1:{opened.address[1]}").status == 200


def test_no_other_page_may_frame_it() -> None:
    with running("127.0.0.1") as server:
        for path in ("/", "/page.js", "/data/games.json", "/nowhere"):
            assert "frame-ancestors 'none'" in request(server, path).headers["Content-Security-Policy"], path


def test_serve_prints_an_address_that_can_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Server, "serve_forever", lambda self: self.server_close())
    result = run_command(cli, "serve", str(TWO_WELLS), "--host", "0.0.0.0", "--port", "0")
    assert result.exit_code == 0 and re.search(r"http://(?!0\.0\.0\.0)\S+/\?token=[\w-]{20,} ", result.output), (
        result.output
    )
    result = run_command(cli, "serve", str(TWO_WELLS), "--port", "0")
    assert re.search(r"http://127\.0\.0\.1:\d+/ ", result.output) and "token" not in result.output


def test_a_question_is_short_and_only_a_save_is_long() -> None:
    with running("127.0.0.1") as server:
        long = json.dumps({"what": "1d6", "more": "x" * 200_000}).encode()
        assert request(server, "/api/two_wells/roll", long).status == 413
        assert request(server, "/api/two_wells/open", long).status == 400, "read, and no save"


def test_saves_are_read_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two at once would take twice the memory: the second waits, and after a while is told to try again."""
    monkeypatch.setattr(application, "PATIENCE", 0.1)
    start_event, go_on = threading.Event(), threading.Event()

    class Slow(Site):
        def plan_post(self, target: str, body: bytes) -> Any:
            if target.endswith("open"):
                start_event.set()
                go_on.wait(30)
            return super().plan_post(target, body)

    save = json.dumps({"name": "a.vsav", "data": base64.b64encode(b"x" * 90_000).decode()}).encode()
    statuses: list[int] = []
    with running("127.0.0.1", site=Slow(SITE.games, SITE.load)) as server:
        first = threading.Thread(target=lambda: statuses.append(request(server, "/api/two_wells/open", save).status))
        first.start()
        assert start_event.wait(30)
        second = request(server, "/api/two_wells/open", save)
        assert second.status == 503 and b"try again" in second.held  # type: ignore[attr-defined]
        assert request(server, "/api/two_wells/roll", ASKED).status == 200, "others go on"
        go_on.set()
        first.join(30)
    assert statuses == [400]


def test_a_link_for_looking_on_changes_nothing(opened: Server) -> None:
    look = opened.look_url.partition("?token=")[2]
    assert look and look != token_of(opened)
    first = request(opened, f"/?token={look}")
    cookie = first.headers["Set-Cookie"].partition(";")[0]
    assert first.status == 200 and look in cookie
    assert request(opened, "/api/two_wells/roll", ASKED, Cookie=cookie).status == 200
    refusal = request(opened, "/api/two_wells/open", b'{"name": "a.yaml", "data": ""}', Cookie=cookie)
    assert refusal.status == 403 and b"for spectators" in refusal.held  # type: ignore[attr-defined]


def test_work_is_done_in_processes_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Workers(1)
    source = GameSource(str(TWO_WELLS))
    roll = pool.ask(source, Job("two_wells", site.answer, ("roll", {"what": "1d6"}))).result(60)
    assert roll.status == 200 and json.loads(roll.body)["rolls"]
    unit = pool.ask(source, Job("two_wells", site.answer, ("odds", {"attack": "asault"}))).result(60)
    assert unit.status == 400 and b"did you mean assault" in unit.body
    response = pool.ask(GameSource("nowhere"), Job("nowhere", site.about)).result(60)
    assert response.status == 400 and b"there is no game" in response.body
    monkeypatch.setattr(workers, "LONGEST", 0.5)
    slow = pool.ask(source, Job("two_wells", asleep)).result(60)
    assert slow.status == 503 and b"longer than a minute" in slow.body
    monkeypatch.setattr(workers, "LONGEST", 60.0)
    dead = pool.ask(source, Job("two_wells", dying)).result(60)
    assert dead.status == 500 and b"has stopped" in dead.body
    assert pool.ask(source, Job("two_wells", site.about)).result(60).status == 200, "the next job gets a new process"
    pool.close()


def asleep(game: Game) -> Response:
    """A job that takes too long."""
    time.sleep(600)
    raise AssertionError


def dying(game: Game) -> Response:
    """A job that ends its process."""
    os._exit(3)


def test_who_comes_when_too_many_wait_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "MOST_WAITING", 2)
    pool = Workers(1)
    futures = [pool.ask(GameSource(str(TWO_WELLS)), Job("two_wells", site.about)) for _ in range(40)]
    statuses = [future.result(60).status for future in futures]
    assert set(statuses) == {200, 503} and statuses[0] == 200
    pool.close()


def test_what_many_ask_for_at_once_is_made_once() -> None:
    new_keys: list[str] = []

    def slowly(key: str) -> Game:
        new_keys.append(key)
        time.sleep(0.2)
        return SITE.load(key)

    with running("127.0.0.1", site=Site(SITE.games, slowly)) as server:
        threads = [threading.Thread(target=request, args=(server, "/data/two_wells/about.json")) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
    assert len(new_keys) == 1


def test_many_faces_come_at_once() -> None:
    body = json.dumps({"faces": ["cars/front", "cars/back", "nobody/front", "cars"]}).encode()
    faces = json.loads(SITE.post("/api/two_wells/faces", body).body)
    assert set(faces) == {"cars/front", "cars/back"} and faces["cars/front"].startswith("<svg")
    assert SITE.post("/api/two_wells/faces", b'{"faces": [3]}').status == 400


def test_a_picture_is_drawn_once_however_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn_scenarios: list[str] = []

    def draw(game: Game, scenario: str) -> bytes:
        drawn_scenarios.append(scenario)
        return b"<svg/>"

    monkeypatch.setattr("assistant.page.pictures.map_picture", draw)
    site = Site(SITE.games, SITE.load)
    for number in range(5):
        assert site.get(f"/data/two_wells/map/noon.svg?{number}").status == 200
    assert site.get("/data/two_wells/map/%6eoon.svg").body == b"<svg/>"
    assert drawn_scenarios == ["noon"]

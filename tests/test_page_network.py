"""The page on a network: who is answered, under which names, with which token, and how much at once."""

from __future__ import annotations

import base64
import http.client
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from click.testing import CliRunner

from assistant.cli import cli
from assistant.page import server as serving
from assistant.page.server import Server
from assistant.page.site import Site
from scenarios import load
from tests.packs import TWO_WELLS

SITE = Site({"two_wells": "Two Wells"}, lambda key: load(TWO_WELLS))
ASKED = b'{"what": "1d6"}'


@contextmanager
def running(host: str, names: tuple[str, ...] = ()) -> Iterator[Server]:
    made = Server(host, 0, SITE, names)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    try:
        yield made
    finally:
        made.shutdown()
        made.server_close()


@pytest.fixture
def opened() -> Iterator[Server]:
    """A server that listens to the whole network."""
    with running("0.0.0.0") as server:
        yield server


def request(server: Server, path: str = "/", body: bytes = b"", **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=30)
    if body:
        headers.setdefault("Content_Type", "application/json")
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("POST" if body else "GET", path, body or None, told)
    answer = connection.getresponse()
    answer.held = answer.read()  # type: ignore[attr-defined]
    connection.close()
    return answer


def token_of(server: Server) -> str:
    found = re.search(r"\?token=([\w-]{20,})$", server.url)
    assert found, server.url
    return found[1]


def test_off_loopback_nobody_is_answered_without_the_token(opened: Server) -> None:
    for path in ("/", "/page.js", "/api/games", "/api/two_wells/saves", "/?token=wrong", "/?token="):
        assert request(opened, path).status == 403, path
    assert request(opened, "/api/two_wells/roll", ASKED).status == 403
    first = request(opened, f"/?token={token_of(opened)}")
    assert first.status == 200
    cookie = first.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    kept = cookie.partition(";")[0]
    assert request(opened, "/api/games", Cookie=kept).status == 200
    assert request(opened, "/api/two_wells/roll", ASKED, Cookie=kept).status == 200
    assert request(opened, "/api/games", Cookie=kept + "x").status == 403


def test_each_start_has_a_token_of_its_own(opened: Server) -> None:
    with running("0.0.0.0") as other:
        assert token_of(other) != token_of(opened)
        assert request(other, f"/?token={token_of(opened)}").status == 403
    with running("127.0.0.1") as local:
        assert "token" not in local.url and request(local).status == 200


def test_a_name_that_is_not_served_is_refused(opened: Server) -> None:
    """A site that points its own name at this machine (DNS rebinding) asks under that name."""
    port, path = opened.server_address[1], f"/api/games?token={token_of(opened)}"
    strange = ("evil.example", f"127.0.0.1.evil.example:{port}", "10.1.2.3", "", "[::1", "127.0.0.1@evil.example")
    for host in (f"evil.example:{port}", *strange):
        assert request(opened, path, Host=host).status == 403, host
    for host in (f"127.0.0.1:{port}", f"localhost:{port}", "LOCALHOST"):
        assert request(opened, path, Host=host).status == 200, host
    with running("0.0.0.0", ("games.example",)) as named:
        path = f"/api/games?token={token_of(named)}"
        assert request(named, path, Host="games.example").status == 200
        assert request(named, path, Host="evil.example").status == 403
    with running("127.0.0.2") as second:
        connection = http.client.HTTPConnection("127.0.0.2", second.server_address[1], timeout=30)
        connection.request("GET", "/")
        assert connection.getresponse().status == 200, "its own address"
        connection.close()


def test_another_site_is_refused(opened: Server) -> None:
    path = f"/api/two_wells/roll?token={token_of(opened)}"
    for origin in ("http://evil.example", "null", f"http://localhost:{opened.server_address[1]}"):
        assert request(opened, path, ASKED, Origin=origin).status == 403, origin
    assert request(opened, path, ASKED, Origin=f"http://127.0.0.1:{opened.server_address[1]}").status == 200


def test_no_other_page_may_frame_it() -> None:
    with running("127.0.0.1") as server:
        for path in ("/", "/page.js", "/api/games", "/nowhere"):
            assert "frame-ancestors 'none'" in request(server, path).headers["Content-Security-Policy"], path


def test_serve_prints_an_address_that_can_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Server, "serve_forever", lambda self: self.server_close())
    result = CliRunner().invoke(cli, ["serve", str(TWO_WELLS), "--host", "0.0.0.0", "--port", "0"])
    assert result.exit_code == 0 and re.search(r"http://(?!0\.0\.0\.0)\S+/\?token=[\w-]{20,} ", result.output), result.output
    result = CliRunner().invoke(cli, ["serve", str(TWO_WELLS), "--port", "0"])
    assert re.search(r"http://127\.0\.0\.1:\d+/ ", result.output) and "token" not in result.output


def test_a_question_is_short_and_only_a_save_is_long() -> None:
    with running("127.0.0.1") as server:
        long = json.dumps({"what": "1d6", "more": "x" * 200_000}).encode()
        assert request(server, "/api/two_wells/roll", long).status == 413
        assert request(server, "/api/two_wells/open", long).status == 400, "read, and no save"


def test_saves_are_read_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two at once would take twice the memory: the second waits, and after a while is told to try again."""
    monkeypatch.setattr(serving, "PATIENCE", 0.1)
    begun, go_on = threading.Event(), threading.Event()

    class Slow(Site):
        def post(self, target: str, body: bytes) -> Any:
            if target.endswith("open"):
                begun.set()
                go_on.wait(30)
            return super().post(target, body)

    data = base64.b64encode(b"x" * 60_000).decode()
    save = json.dumps({"name": "a.vsav", "data": data}).encode()
    server = Server("127.0.0.1", 0, Slow(SITE.games, SITE.load))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    found: list[int] = []
    first = threading.Thread(target=lambda: found.append(request(server, "/api/two_wells/open", save).status))
    first.start()
    assert begun.wait(30)
    second = request(server, "/api/two_wells/open", save)
    assert second.status == 503 and b"try again" in second.held  # type: ignore[attr-defined]
    assert request(server, "/api/two_wells/roll", ASKED).status == 200, "others go on"
    go_on.set()
    first.join(30)
    assert found == [400]
    server.shutdown()
    server.server_close()


def test_a_picture_is_kept_once_however_it_is_asked_for() -> None:
    site = Site(SITE.games, SITE.load)
    for number in range(5):
        assert site.get(f"/counter/two_wells/cars/front?{number}").status == 200
    site.get("/counter/two_wells/%63ars/front")
    assert len(site.drawn) == 1



"""The page under slow, many and heavy requests: nobody waits for another's slow network, and a small file stays cheap."""

from __future__ import annotations

import base64
import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.page import application
from scenarios.vassal.archive import ENTRY, pack_zip, veil
from tests.packs import TWO_WELLS
from tests.test_page_network import ASKED, request, running

SAVE = json.dumps({"name": "a.vsav", "data": base64.b64encode(b"x" * 90_000).decode()}).encode()
FILE_LIMIT = "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, (300, 300)); "
SERVE = "import sys; sys.argv[0] = 'assistant'; from assistant.cli import main; main()"


def half_sent(port: int, path: str, length: int, body_start: bytes = b"") -> socket.socket:
    """A request whose body doesn't come."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=60)
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    )
    connection.sendall(head.encode() + body_start)
    return connection


def test_nobody_waits_for_a_slow_sender(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "PATIENCE", 3.0)
    with running("127.0.0.1") as server:
        slow = [half_sent(server.address[1], "/api/two_wells/open", 500_000, b"{") for _ in range(5)]
        start = time.monotonic()
        assert request(server, "/api/two_wells/open", SAVE).status == 400, "read, and no save"
        assert time.monotonic() - start < 2.5
        for connection in slow:
            connection.close()


def test_a_body_that_does_not_arrive_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a byte comes now and then: the whole body has a deadline."""
    monkeypatch.setattr(application, "PATIENCE", 1.0)
    with running("127.0.0.1") as server:
        connection = half_sent(server.address[1], "/api/two_wells/roll", 5000)
        for _ in range(30):
            try:
                connection.sendall(b" ")
            except OSError:
                break
            time.sleep(0.1)
        assert b" 408 " in connection.recv(100)
        connection.close()


@contextlib.contextmanager
def serving(config: Path, has_few_files: bool = False) -> Iterator[int]:
    """`assistant serve` in a process of its own; gives the port."""
    command = [
        sys.executable,
        "-c",
        (FILE_LIMIT if has_few_files else "") + SERVE,
        "serve",
        str(TWO_WELLS),
        "--port",
        "0",
    ]
    environment = {**os.environ, "XDG_CONFIG_HOME": str(config), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [*command, "--workers", "1"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline().partition("127.0.0.1:")[2].partition("/")[0])
        finally:
            process.terminate()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows counts sockets apart")
def test_heads_that_never_end_give_way(tmp_path: Path) -> None:
    """More half-sent heads than the system allows files: others are answered all the same, and the heads are dropped."""
    with serving(tmp_path, has_few_files=True) as port, contextlib.ExitStack() as open_heads:
        heads = []
        for _ in range(350):
            head = open_heads.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))
            head.sendall(b"GET / HTTP/1.1\r\nHost: local")
            heads.append(head)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=8)
        connection.request("GET", "/page.js")
        assert connection.getresponse().status == 200
        connection.close()
        assert heads[-1].recv(10) == b"", "dropped after a deadline"


def test_listeners_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "MOST_LISTENERS", 2)
    with running("127.0.0.1") as server, contextlib.ExitStack() as open_pages:
        statuses = []
        for _ in range(3):
            connection = http.client.HTTPConnection("127.0.0.1", server.address[1], timeout=20)
            open_pages.callback(connection.close)
            connection.request("GET", "/api/two_wells/live")
            statuses.append((answer := connection.getresponse()).status)
        assert statuses == [200, 200, 503] and b"close one" in answer.read()


def test_the_name_of_a_save_has_a_limit() -> None:
    body = json.dumps({"name": "a" * 5000 + ".yaml", "data": ""}).encode()
    with running("127.0.0.1") as server:
        answer = request(server, "/api/two_wells/open", body)
        assert answer.status == 400 and b"at most 200 characters" in answer.held  # type: ignore[attr-defined]
        assert request(server, "/api/two_wells/roll", ASKED).status == 200


MEASURE = """
import resource, sys
from assistant.page.site import Site
from scenarios import load
site = Site({"two_wells": "Two Wells"}, lambda key: load(sys.argv[1]))
site.get("/api/two_wells/saves")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
status = site.post("/api/two_wells/open", open(sys.argv[2], "rb").read()).status
print(status, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
HEAVY = {
    "text that packs well": veil("a" * 45_000_000),
    "commands without end": b"\x1b" * 25_000_000,
    "traits without end": b"begin_save\x1b+/1/" + b"\t" * 25_000_000 + b"/x\x1b",
    "lists without end": b'begin_save\x1bGlobalProperty\t;Mitla;{"grids":[' + b"[]," * 8_000_000 + b"[]]}\x1b",
}


@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted otherwise elsewhere")
@pytest.mark.parametrize("kind", HEAVY)
def test_a_small_save_costs_little_memory(kind: str, tmp_path: Path) -> None:
    save = pack_zip({ENTRY: HEAVY[kind], "picture.png": os.urandom(90_000 if kind != "text that packs well" else 100)})
    assert len(save) < 130_000
    body = tmp_path / "body"
    body.write_text(json.dumps({"name": "a.vsav", "data": base64.b64encode(save).decode()}), encoding="ascii")
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(TWO_WELLS), str(body)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    status, kilobytes = map(int, done.stdout.split())
    assert status == 400 and kilobytes < 150_000, kilobytes

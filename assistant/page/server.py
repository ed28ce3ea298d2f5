"""The page on the network: on this machine alone, unless asked otherwise."""

from __future__ import annotations

import gzip
import ipaddress
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from assistant.page.site import MOST, Response, Site, split_url, wrong

LOCAL = ("localhost", "127.0.0.1", "::1")
WORTH = 2000
"""Bytes from which an answer is packed, for a phone on a slow network."""


class Server(ThreadingHTTPServer):
    """A server of one site."""

    daemon_threads = True

    def __init__(self, host: str, port: int, site: Site) -> None:
        self.site = site
        self.open_to_all = not is_loopback(host)
        super().__init__((host, port), Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in the middle is no error; anything else is shown."""
        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    @property
    def url(self) -> str:
        """Where the page is."""
        host, port = self.server_address[:2]
        return f"http://{host if isinstance(host, str) else host.decode()}:{port}/"


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Handler(BaseHTTPRequestHandler):
    """Hands requests to the site."""

    server: Server
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        """A page or a picture."""
        if self._welcome():
            self._send(_safely(lambda: self.server.site.get(self.path)))

    def do_POST(self) -> None:
        """A question: JSON from our own page only."""
        if not self._welcome():
            return
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or len(length) > len(str(MOST)) or int(length) > MOST:
            self.close_connection = True
            self._send(wrong(f"a question tells its length, up to {MOST} bytes; ask a shorter one", 413))
            return
        body = self.rfile.read(int(length))
        if self.headers.get_content_type() != "application/json":
            self._send(wrong("a question is written in JSON", 415))
            return
        self._send(_safely(lambda: self.server.site.post(self.path, body)))

    def _welcome(self) -> bool:
        """A page of another site must not ask through the player's browser."""
        host = split_url(f"//{self.headers.get('Host', '')}").hostname or ""
        origin = self.headers.get("Origin")
        own = origin is None or split_url(origin).netloc == self.headers.get("Host")
        if own and (host in LOCAL or self.server.open_to_all):
            return True
        self.close_connection = True
        self._send(wrong("this page answers on this machine only; start it with --host to open it to others", 403))
        return False

    def _send(self, response: Response) -> None:
        body, packed = response.body, len(response.body) > WORTH and "gzip" in self.headers.get("Accept-Encoding", "")
        if packed:
            body = gzip.compress(body, 5)
        self.send_response(response.status)
        self.send_header("Content-Type", response.kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Vary", "Accept-Encoding")
        if packed:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Content-Security-Policy", "default-src 'self'; style-src 'self' 'unsafe-inline'")
        self.send_header("Cache-Control", "no-cache")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Silence: the terminal belongs to the player."""


def _safely(answer: Callable[[], Response]) -> Response:
    """A mistake of ours is told as one; the page goes on."""
    try:
        return answer()
    except Exception as error:
        return wrong(f"that went wrong here: {type(error).__name__}: {error}", 500)

"""The page on the network: on this machine alone, unless asked otherwise."""

from __future__ import annotations

import gzip
import hmac
import ipaddress
import secrets
import socket
import sys
import threading
from collections.abc import Callable, Collection
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

from assistant.page.site import Response, Site, longest, plain, split_url, wrong

WORTH = 2000
"""Bytes from which an answer is packed, for a phone on a slow network."""
SMALL = 20_000
"""Questions up to this many bytes are taken at any time; longer ones, which are saves, one after the other."""
PATIENCE = 20.0
"""How many seconds a save waits for its turn."""
POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
BUSY = "another save is being read; try again in a moment"
LENGTH = "a question tells its length, up to {} bytes; ask a shorter one"
STRANGER = "this page isn't served under the name {!r}; open the address that `assistant serve` printed, or add --name"
OTHER_SITE = "this page answers its own questions only, not those of {}"
NO_TOKEN = "this page asks for a token; open the whole address that `assistant serve` printed, with ?token= in it"


class Server(ThreadingHTTPServer):
    """A server of one site.

    Off loopback a token is needed: in the address, and from then on in a cookie. `names` are names of this machine
    under which the page may be asked for, besides the address that it is reached at.
    """

    daemon_threads = True

    def __init__(self, host: str, port: int, site: Site, names: Collection[str] = ()) -> None:
        self.site = site
        self.token = "" if is_loopback(host) else secrets.token_urlsafe(16)
        self.names = {"localhost", host.lower(), *(name.lower() for name in names)}
        if self.token:
            machine = socket.gethostname().lower()
            self.names |= {machine, f"{machine}.local"}
        self.reading = threading.BoundedSemaphore(1)
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        super().__init__((host, port), Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in the middle is no error; anything else is shown."""
        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    @property
    def url(self) -> str:
        """Where the page is, with its token."""
        host, port = self.server_address[:2]
        address = ipaddress.ip_address(host if isinstance(host, str) else host.decode())
        if address.is_unspecified:
            address = own_address(self.address_family) or address
        shown = f"[{address}]" if address.version == 6 else str(address)
        return f"http://{shown}:{port}/" + (f"?token={self.token}" if self.token else "")


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def own_address(family: int) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address by which others on the network reach this machine, if it has one. Nothing is sent."""
    probe = "192.0.2.1" if family == socket.AF_INET else "2001:db8::1"
    with socket.socket(family, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect((probe, 9))
            return ipaddress.ip_address(asked.getsockname()[0])
        except OSError:
            return None


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
        length, most = self.headers.get("Content-Length", ""), longest(self.path)
        if not length.isdecimal() or len(length) > len(str(most)) or int(length) > most:
            self._refuse(wrong(LENGTH.format(most), 413))
        elif int(length) <= SMALL:
            self._ask(int(length))
        elif self.server.reading.acquire(timeout=PATIENCE):
            try:
                self._ask(int(length))
            finally:
                self.server.reading.release()
        else:
            self._refuse(wrong(BUSY, 503))

    def _ask(self, length: int) -> None:
        body = self.rfile.read(length)
        if self.headers.get_content_type() != "application/json":
            self._send(wrong("a question is written in JSON", 415))
            return
        self._send(_safely(lambda: self.server.site.post(self.path, body)))

    def _welcome(self) -> bool:
        """A page of another site must not ask through the player's browser, and a stranger on the network not at all."""
        host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
        if not self._served(split_url(f"//{host}").hostname or ""):
            return self._refuse(wrong(STRANGER.format(host), 403))
        if origin is not None and split_url(origin).netloc != host:
            return self._refuse(wrong(OTHER_SITE.format(origin), 403))
        if self.server.token and not self._known():
            return self._refuse(plain(NO_TOKEN, 403) if split_url(self.path).path == "/" else wrong(NO_TOKEN, 403))
        return True

    def _served(self, host: str) -> bool:
        """Whether a host is one of ours: a name of the server's, or the very address that was connected to.

        A name that another site has pointed at this machine is neither."""
        try:
            return _address(host) == _address(self.connection.getsockname()[0])
        except ValueError:
            return host.lower() in self.server.names

    def _known(self) -> bool:
        """Whether the request has the token, in its address or in the cookie."""
        told = parse_qs(split_url(self.path).query).get("token", [])
        try:
            kept = SimpleCookie(self.headers.get("Cookie", "")).get(self._cookie)
        except CookieError:
            kept = None
        given = [*told, *([kept.value] if kept is not None else [])]
        return any(hmac.compare_digest(one.encode(), self.server.token.encode()) for one in given)

    @property
    def _cookie(self) -> str:
        """The name of the cookie; browsers keep those of all ports together."""
        return f"mitla_{self.server.server_address[1]}"

    def _refuse(self, response: Response) -> bool:
        """Answer and hang up: what else the request holds isn't read."""
        self.close_connection = True
        self._send(response)
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
        if self.server.token and response.status == 200 and "token=" in self.path:
            self.send_header("Set-Cookie", f"{self._cookie}={self.server.token}; Path=/; HttpOnly; SameSite=Strict")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-cache")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Silence: the terminal belongs to the player."""


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """An address; that of IPv4 where it is told as one of IPv6."""
    found = ipaddress.ip_address(host)
    return getattr(found, "ipv4_mapped", None) or found


def _safely(answer: Callable[[], Response]) -> Response:
    """A mistake of ours is told as one; the page goes on."""
    try:
        return answer()
    except Exception as error:
        return wrong(f"that went wrong here: {type(error).__name__}: {error}", 500)

"""The page on the network, by default on this machine alone. It runs on uvicorn."""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
import socket
from collections.abc import Collection, Mapping

import uvicorn

from assistant.page.application import Application
from assistant.page.connections import Connection
from assistant.page.jobs import GameSource
from assistant.page.mount import Mount
from assistant.page.site import Site
from assistant.page.workers import Workers

BACKLOG = 1024
"""The number of connections that may wait to be accepted."""
AT_ONCE = 16
"""The number accepted at once, so that idle ones can give way in time."""


class _Patient(uvicorn.Server):
    """Accepts few connections at once and lets many wait; asyncio has one number for both."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen."""
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(BACKLOG)


class Server:
    """A server of one site. Off loopback it needs a token.

    `names` are names of this machine that requests may use, besides its own address.
    """

    def __init__(
        self,
        host: str,
        port: int,
        site: Site,
        names: Collection[str] = (),
        sources: Mapping[str, GameSource] | None = None,
        workers: Workers | None = None,
        mounts: Mapping[str, Mount] | None = None,
    ) -> None:
        self.token = "" if is_loopback(host) else secrets.token_urlsafe(16)
        self.look = secrets.token_urlsafe(16) if self.token else ""
        host_names = {"localhost", host, *names}
        if self.token:
            machine = socket.gethostname().lower()
            host_names |= {machine, f"{machine}.local"}
        self.workers = workers
        self.family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # With the protocol named, asyncio sends head and body at once; otherwise an answer waits 40 ms for the network.
        self.socket = socket.socket(self.family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self.socket.bind((host, port))
            self.socket.listen(BACKLOG)
        except BaseException:
            self.socket.close()
            raise
        self.address: tuple[str, int] = self.socket.getsockname()[:2]
        self.application = Application(site, host_names, self.token, self.look, sources, workers, mounts)
        self._server = _Patient(
            uvicorn.Config(
                self.application,
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                ws="none",
                timeout_keep_alive=30,
                timeout_graceful_shutdown=2,
                loop="asyncio",
                http=Connection,
                backlog=AT_ONCE,
            )
        )

        self.application.closing = lambda: self._server.should_exit

    def serve_forever(self) -> None:
        """Answer until `shutdown`, or until Ctrl+C."""
        asyncio.run(self._server.serve(sockets=[self.socket]))
        self.server_close()

    def shutdown(self) -> None:
        """Stop answering, from another thread."""
        self._server.should_exit = True

    def server_close(self) -> None:
        """Release the port and end the workers."""
        self.socket.close()
        if self.workers is not None:
            self.workers.close()

    @property
    def url(self) -> str:
        """The address of the page, with its token."""
        return self._url(self.token)

    @property
    def look_url(self) -> str:
        """The address for read-only access; empty where there are no tokens."""
        return self._url(self.look) if self.look else ""

    def _url(self, token: str) -> str:
        host, port = self.address
        address = ipaddress.ip_address(host)
        if address.is_unspecified:
            address = own_address(self.family) or address
        host_text = f"[{address}]" if address.version == 6 else str(address)
        return f"http://{host_text}:{port}/" + (f"?token={token}" if token else "")


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def own_address(family: int) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the address by which others on the network reach this machine, if it has one. Nothing is sent."""
    probe = "192.0.2.1" if family == socket.AF_INET else "2001:db8::1"
    with socket.socket(family, socket.SOCK_DGRAM) as probe_socket:
        try:
            probe_socket.connect((probe, 9))
            return ipaddress.ip_address(probe_socket.getsockname()[0])
        except OSError:
            return None

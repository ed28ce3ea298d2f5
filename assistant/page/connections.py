"""Connections of the page's server: a request's head has to arrive in time, and idle connections give way to new ones."""

from __future__ import annotations

import asyncio
import time

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""How many seconds the head of a request may take."""
MOST_CONNECTIONS = 1000
"""How many connections are open at once, where the system allows so many files."""
SPARE = 128
"""So many of the files that the system allows are left for everything else."""
FEWEST = 16


class Connection(H11Protocol):
    """A connection of HTTP that is closed where it keeps the server waiting."""

    waiting_since = 0.0
    _deadline: asyncio.TimerHandle | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A browser has connected; where there are too many, the one that has waited longest is let go."""
        super().connection_made(transport)
        self.waiting_since = time.monotonic()
        self._watch()
        if len(self.connections) > max_connections():
            other_connections = [
                connection
                for connection in self.connections
                if isinstance(connection, Connection) and connection is not self
            ]
            idle = (
                connection
                for connection in other_connections
                if connection.is_waiting and not connection.transport.is_closing()
            )
            min(idle, key=lambda connection: connection.waiting_since, default=self).transport.abort()

    def data_received(self, data: bytes) -> None:
        """Bytes of a request; they prolong the deadline of its head by nothing."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """A request is answered; the browser may keep the connection for the next one."""
        self.waiting_since = time.monotonic()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        self._unwatch()
        super().connection_lost(exc)

    def _watch(self) -> None:
        if not self.is_waiting:
            self._unwatch()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _unwatch(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def max_connections() -> int:
    """How many connections may be open at once."""
    try:
        import resource
    except ImportError:  # Windows, which counts sockets apart
        return MOST_CONNECTIONS
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, max(FEWEST, soft - SPARE))

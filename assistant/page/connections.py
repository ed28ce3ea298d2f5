"""Connections of the page's server: a request's head must arrive in time, and idle connections give way to new ones."""

from __future__ import annotations

import asyncio
import time

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""The seconds that the head of a request may take."""
MOST_CONNECTIONS = 1000
"""The maximum number of open connections, where the system allows so many files."""
SPARE = 128
"""The number of files that are reserved for everything else."""
FEWEST = 16


class Connection(H11Protocol):
    """An HTTP connection that is closed if it keeps the server waiting."""

    waiting_since = 0.0
    _deadline: asyncio.TimerHandle | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Handle a new connection. If there are too many, close the one that has waited longest."""
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
        """Handle bytes of a request; they never extend the deadline of its head."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Handle the end of an answer; the browser may keep the connection for the next request."""
        self.waiting_since = time.monotonic()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle the end of the connection."""
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
    """Return the maximum number of open connections."""
    try:
        import resource
    except ImportError:  # Windows, which counts sockets separately
        return MOST_CONNECTIONS
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, max(FEWEST, soft - SPARE))

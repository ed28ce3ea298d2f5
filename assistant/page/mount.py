"""Further pages on the page's server, each below a name of its own: those of `modgen watch` and `modgen edit`."""

from __future__ import annotations

from typing import Protocol

from assistant.page.response import Response


class Mount(Protocol):
    """A page below /NAME/. `path` is the rest of the address. The lines of `news` go out at /NAME/events."""

    def longest(self, path: str) -> int:
        """Return the maximum size of a question, in bytes."""

    def get(self, path: str) -> Response:
        """Return a file, a picture, or what to show."""

    def post(self, path: str, body: bytes) -> Response:
        """Return the answer to a question."""

    def news(self, last_line: str, seconds: float) -> str:
        """Return one line about what there is to see now. Wait at most this long for a line other than `last_line`.
        It is called in a thread of its own."""

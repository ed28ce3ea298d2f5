"""Further pages on the page's server, each below a name of its own: what `modgen watch` and `modgen edit` show."""

from __future__ import annotations

from typing import Protocol

from assistant.page.response import Response


class Mount(Protocol):
    """A page below /NAME/. `path` is what stands behind that in the address; what `news` tells goes out at /NAME/events."""

    def longest(self, path: str) -> int:
        """How many bytes a question may have."""

    def get(self, path: str) -> Response:
        """A file, a picture, or what is to be shown."""

    def post(self, path: str, body: bytes) -> Response:
        """The answer to a question."""

    def news(self, last_line: str, seconds: float) -> str:
        """One line that tells what is to be seen now; waits at most so long for one other than `seen`. Called in a thread of its own."""

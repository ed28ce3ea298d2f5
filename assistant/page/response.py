"""What the page sends back."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

HTML, JSON, SVG = "text/html; charset=utf-8", "application/json; charset=utf-8", "image/svg+xml"
SCRIPT, STYLE = "text/javascript; charset=utf-8", "text/css; charset=utf-8"


class Response(NamedTuple):
    """A status, a kind and the bytes themselves."""

    status: int
    kind: str
    body: bytes


def json_response(value: Any, status: int = 200) -> Response:
    """An answer in JSON."""
    return Response(status, JSON, json.dumps(value, ensure_ascii=False).encode("utf-8"))


def wrong(message: str, status: int = 400) -> Response:
    """A sentence that says what was wrong."""
    return json_response({"wrong": message}, status)


def plain(message: str, status: int) -> Response:
    """A sentence for a person who looks at it without our page."""
    return Response(status, "text/plain; charset=utf-8", f"{message}\n".encode())

"""What the page sends back."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from assistant.questions.answer import Answer, BadQuestion
from assistant.questions.rendering import as_lines
from scenarios.reading.findings import PackError

HTML, JSON, SVG = "text/html; charset=utf-8", "application/json; charset=utf-8", "image/svg+xml"
SCRIPT, STYLE = "text/javascript; charset=utf-8", "text/css; charset=utf-8"


Made = TypeVar("Made")


class Response(NamedTuple):
    """A status, a content type and the bytes themselves."""

    status: int
    kind: str
    body: bytes


def json_response(value: Any, status: int = 200) -> Response:
    """Return an answer in JSON."""
    return Response(status, JSON, json.dumps(value, ensure_ascii=False).encode("utf-8"))


def wrong(message: str, status: int = 400) -> Response:
    """Return a sentence that says what was wrong."""
    return json_response({"wrong": message}, status)


def or_error(make: Callable[[], Made], reword: Callable[[str], str] = str) -> Made | Response:
    """Return the result of a function, or the sentence that says why it failed."""
    try:
        return make()
    except PackError as error:
        return json_response({"wrong": str(error), "findings": [finding._asdict() for finding in error.findings]}, 400)
    except BadQuestion as error:
        first_lines = [reword(line) for line in as_lines(Answer("", "", error.preface), width=None)]
        return json_response({**({"preface": first_lines} if first_lines else {}), "wrong": reword(str(error))}, 400)
    except ValueError as error:
        return wrong(reword(str(error)))


def text_response(message: str, status: int) -> Response:
    """Return a sentence for a person who sees it outside our page."""
    return Response(status, "text/plain; charset=utf-8", f"{message}\n".encode())

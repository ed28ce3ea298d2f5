"""Two tabs of the page without a server: both play, nothing is lost, and each shows what the other did. Part of `make check-page`."""

from __future__ import annotations

import http.server
import json
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modgen.page import NoRuntime, build_page
from scenarios import load

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.check_page import Checks

ASK = """async ([question, body]) => {
  const { get, post } = await import("./api.js");
  return question ? post({ id: "two_wells" }, question, body) : get("api/two_wells/saves");
}"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves a folder without a word."""

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


def ask(page: Page, question: str = "", **body: Any) -> Any:
    """What a tab answers: to a question, or the tables that it lists."""
    return page.evaluate(ASK, [question, body])


def tables(page: Page) -> dict[str, tuple[int, int]]:
    """Version and turn of each table that a tab lists."""
    return {table["id"]: (table["live"], table["turn"]) for table in ask(page)}


def two_tabs(checks: Checks, folder: Path) -> None:
    """Two tabs begin and change tables in turn; then a third is opened."""
    try:
        build_page([load("two_wells")], folder / "tabs", None, lambda message: None)
    except NoRuntime as error:
        print(f"left out, two tabs without a server: {error}")
        return
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder / "tabs")))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/#two_wells/map"
    with checks.page() as (first, wrong):
        try:
            first.set_default_timeout(60_000)
            second = first.context.new_page()
            second.set_default_timeout(60_000)
            for page in (first, second):
                page.goto(url)
                page.wait_for_selector("#map svg")
                ask(page)
            of_first = ask(first, "play", begin="noon")["id"]
            of_second = ask(second, "play", begin="noon")["id"]
            ask(first, "play", table=of_first, version=1, change={"turn": 2})
            for version in range(1, 6):
                page = (first, second)[version % 2]
                ask(page, "play", table=of_second, version=version, change={"turn": version + 1})
            stale = second.evaluate(
                f"({ASK})({json.dumps(['play', {'table': of_first, 'version': 1, 'change': {'turn': 5}}])}).catch((error) => error.message)"
            )
            wrong += [] if "another player" in str(stale) else [f"a stale change is answered {stale}"]
            expected_tables = {of_first: (2, 2), of_second: (6, 6)}
            wrong += (
                [] if tables(first) == tables(second) == expected_tables else [f"{tables(first)} and {tables(second)}"]
            )
            first.get_by_label("Scenario or save").locator("option", has_text="turn 6").wait_for(state="attached")
            second.close()
            third = first.context.new_page()
            third.goto(url)
            wrong += [] if tables(third) == expected_tables else [f"after opening it again: {tables(third)}"]
        except Exception as error:
            wrong.insert(0, str(error).splitlines()[0])
        checks.say("two tabs without a server", wrong)
    server.shutdown()
    server.server_close()

"""The page in a real browser: run `make check-page`. Needs Chromium (or Chrome); nothing else of the tests does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from assistant.page.about import title_of
from assistant.page.saves import Saves
from assistant.page.server import Server
from assistant.page.site import Response, Site
from assistant.parts import questions
from scenarios import load, shipped

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync",
         "--disable-component-update", "--window-size=390,844", "--virtual-time-budget=15000")  # fmt: skip
WANTED = {
    "fight": ('class="tray"', 'class="result"'),
    "map": ('id="map"', "<circle"),
    "ask": ('class="main wide"', 'aria-label="Question"'),
    "tables": ('class="bars"', "Throw"),
    "scenarios": ("turns,", 'class="line"'),
}


def dom(browser: str, url: str) -> str:
    """What the browser has made of a page."""
    with tempfile.TemporaryDirectory() as home:
        command = [browser, *FLAGS, f"--user-data-dir={Path(home) / 'profile'}", "--dump-dom", url]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False).stdout


class Moving(Site):
    """A site whose watched save changes once the map was drawn from it."""

    def get(self, target: str) -> Response:
        answer = super().get(target)
        if target.endswith("/watched") and self.saves.file is not None:
            text = self.saves.file.read_text(encoding="utf-8")
            self.saves.file.write_text(text.replace("turn: 5", "turn: 11"), encoding="utf-8")
        return answer


def follows(browser: str) -> bool:
    """Whether the map follows a watched save that changes."""
    with tempfile.TemporaryDirectory() as folder:
        save = shutil.copy("docs/examples/chinese_farm.yaml", Path(folder) / "farm.yaml")
        site = Moving({"october_war": "October War"}, load, saves=Saves(Path(save), "october_war"))
        server = Server("127.0.0.1", 0, site)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        shown = dom(browser, f"{server.url}#october_war/map")
        server.shutdown()
    fine = "farm.yaml, turn 11" in shown
    print(f"a watched save: {'fine' if fine else 'the map does not follow it'}")
    return fine


def main() -> int:
    """Open every tab of every game and look for what it must show."""
    browser = os.environ.get("BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print("no browser found; install Chromium or name one in BROWSER", file=sys.stderr)
        return 2
    failed = 0 if follows(browser) else 1
    server = Server("127.0.0.1", 0, Site({key: title_of(key) for key in shipped()}, load))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for key in shipped():
        for tab, wanted in WANTED.items():
            if tab == "ask" and not questions(load(key)):
                continue
            shown = dom(browser, f"{server.url}#{key}/{tab}")
            missing = [text for text in wanted if text not in shown] + ["an error"] * ('class="wrong"' in shown)
            print(f"{key} {tab}: {'fine' if not missing else 'lacks or shows ' + ', '.join(missing)}")
            failed += bool(missing)
    server.shutdown()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

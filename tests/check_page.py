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
from assistant.page.server import Server
from assistant.page.site import Site
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


def main() -> int:
    """Open every tab of every game and look for what it must show."""
    browser = os.environ.get("BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print("no browser found; install Chromium or name one in BROWSER", file=sys.stderr)
        return 2
    server = Server("127.0.0.1", 0, Site({key: title_of(key) for key in shipped()}, load))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    failed = 0
    for key in shipped():
        for tab, wanted in WANTED.items():
            if tab == "ask" and not questions(load(key)):
                continue
            with tempfile.TemporaryDirectory() as home:
                command = [browser, *FLAGS, f"--user-data-dir={Path(home) / 'profile'}", "--dump-dom", f"{server.url}#{key}/{tab}"]
                shown = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False).stdout
            missing = [text for text in wanted if text not in shown] + ["an error"] * ('class="wrong"' in shown)
            print(f"{key} {tab}: {'fine' if not missing else 'lacks or shows ' + ', '.join(missing)}")
            failed += bool(missing)
    server.shutdown()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

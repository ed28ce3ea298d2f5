"""`modgen watch` in a real browser: a part of tests/check_page.py."""

from __future__ import annotations

import shutil
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from modgen.watch.serving import serve

if TYPE_CHECKING:
    from tests.check_page import Checks

TABS = {
    "Counters": ".faces svg",
    "Map": ".sheet svg",
    "Charts": ".charts svg",
    "Cards": ".cards svg",
    "Rulebook": ".rulebook svg",
}


def replace_text(path: Path, old: str, new: str) -> None:
    """Save a file with one text changed."""
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{old!r} isn't in {path.name}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def seconds_until(page: Page, selector: str, text: str) -> float:
    """How long it takes until a text is seen."""
    start = time.perf_counter()
    page.locator(selector, has_text=text).first.wait_for()
    return time.perf_counter() - start


def watching(checks: Checks, folder: Path) -> None:
    """A pack that is changed, broken and mended while somebody looks on."""
    pack = folder / "watched" / "island"
    shutil.copytree("scenarios/samples/island", pack)
    server, watcher = serve(str(pack), 0)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        for size, scheme in ((None, "light"), ({"width": 1366, "height": 768}, "dark")):
            with checks.page(size, scheme) as (page, wrong):
                page.goto(f"{server.url}watch/")
                for tab, selector in TABS.items():
                    page.locator("nav button", has_text=tab).click()
                    page.locator(selector).first.wait_for()
                    page.wait_for_timeout(200)
                    overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                    wrong += [f"{tab} is {overflow} too wide"] if overflow > 0 else []
                    violations = Axe().run(page, context={"exclude": [["main svg"]]}).response["violations"]
                    wrong += [
                        f"{tab}: axe: {violation['id']}"
                        for violation in violations
                        if violation["impact"] in ("serious", "critical")
                    ]
                    checks.shot(page, f"watch-{tab.lower()}-{scheme}")
                checks.say(f"a watched pack, {scheme}", wrong)
        with checks.page({"width": 1366, "height": 768}) as (page, wrong):
            page.goto(f"{server.url}watch/")
            page.locator(".faces svg").first.wait_for()
            try:
                replace_text(pack / "counters.csv", "militia,battalion,2,2,2", "militia,battalion,7,2,2")
                took = seconds_until(page, ".faces text", "7-2-2")
                print(f"  a saved change is seen after {took:.2f} s")
                replace_text(pack / "counters.csv", "battalion,7,2,2", "battalion,seven,2,2")
                page.locator("aside article a", has_text="counters.csv:4:G").wait_for()
                expect(page.locator("aside .broken")).to_contain_text("1 problem to fix")
                expect(page.locator(".faces text", has_text="7-2-2").first).to_be_visible()  # the last good state stays
                checks.shot(page, "watch-broken")
                replace_text(pack / "counters.csv", "battalion,seven,2,2", "battalion,5,2,2")
                seconds_until(page, ".faces text", "5-2-2")
                expect(page.locator("aside .state")).to_contain_text("All is well")
                replace_text(pack / "pictures" / "gunboat.svg", "#22303f", "#aa1111")
                page.locator(".fresh").first.wait_for()
            except Exception as error:
                wrong.insert(0, " ".join(str(error).split())[:160])
            checks.say("a pack that is changed, broken and mended", wrong)
    finally:
        watcher.end()
        server.shutdown()
        thread.join(10)

"""The page in a real browser: run `make check-page`. Needs Chromium or Chrome; nothing else of the tests does.

Phone and desktop, light and dark, every tab of every game, a sample and a pack of one's own; the jobs of an evening by taps;
a reload in the middle, a server that goes away and comes back, no server at all; keyboard; axe. `--shots FOLDER` keeps pictures of it all.
"""

from __future__ import annotations

import argparse
import datetime
import http.server
import os
import re
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from assistant.page.game_info import title_of
from assistant.page.live_tables import Live
from assistant.page.saves import Saves
from assistant.page.server import Server
from assistant.page.site import Site
from modgen.editing import page as editing
from modgen.new import new_game
from modgen.page import NoRuntime, build_page
from scenarios import load, shipped_games
from scenarios.model.position import format_location
from scenarios.opening_positions import open_position
from scenarios.pack.pack_folder import samples
from tests.check_two_tabs import two_tabs
from tests.check_watch import watching

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE, DESKTOP = {"width": 412, "height": 900}, {"width": 1366, "height": 768}
TABS = ("fight", "map", "ask", "turn", "tables", "scenarios")
TAB_SELECTORS = {
    "fight": ".tray", "map": "#map svg", "ask": "button.main.wide", "turn": ".phases", "tables": ".bars, .card", "scenarios": ".card p",
}  # fmt: skip
"""What each tab must show."""


class Checks:
    """What was looked at, and what was wrong."""

    def __init__(self, browser: Browser, shots: Path | None) -> None:
        self.browser, self.shots = browser, shots
        self.failure_count = 0

    def say(self, title: str, wrong: list[str]) -> None:
        """One line for one look."""
        print(f"{title}: {'; '.join(wrong) if wrong else 'fine'}", flush=True)
        self.failure_count += bool(wrong)

    @contextmanager
    def page(self, size: Any = None, scheme: Any = "light") -> Iterator[tuple[Page, list[str]]]:
        """A page, and what its console complains of."""
        size = size or PHONE
        context = self.browser.new_context(viewport=size, color_scheme=scheme, has_touch=size is PHONE)
        page = context.new_page()
        page.set_default_timeout(15_000)
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(f"error in the page: {error}"))
        page.on(
            "console", lambda message: wrong.append(f"console: {message.text}") if message.type == "error" else None
        )
        try:
            yield page, wrong
        finally:
            context.close()

    def shot(self, page: Page, name: str) -> None:
        """A picture, if they are kept."""
        if self.shots is not None:
            page.screenshot(path=str(self.shots / f"{name}.png"))

    def attempt(self, title: str, job: Callable[[Page], None], size: Any = None) -> None:
        """A job by taps."""
        with self.page(size) as (page, wrong):
            try:
                job(page)
            except Exception as error:
                wrong.insert(0, _short(error))
            self.shot(page, title.replace(" ", "-").replace(",", ""))
            self.say(title, wrong)


@contextmanager
def serving(games: dict[str, str], saves: Saves | None = None, scenario: str = "", port: int = 0) -> Iterator[Server]:
    """A server for some games, ids or folders by id."""
    loaded_games = {key: load(pack) for key, pack in games.items()}
    site = Site(
        {key: title_of(pack) for key, pack in games.items()},
        loaded_games.__getitem__,
        saves=saves or Saves(),
        scenario=scenario,
    )
    server = Server("127.0.0.1", port, site)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join(10)


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:160]


def tap(page: Page, place: str) -> None:
    """Tap a place of the map, once it is drawn."""
    page.wait_for_selector("#map:not([aria-busy]) svg")
    spot = page.evaluate("name => document.getElementById('map').spots().find(spot => spot.name === name)", place)
    assert spot, f"there is no place {place} on the map"
    page.mouse.click(spot["left"], spot["top"])


def seek(page: Page, text: str) -> None:
    """Type a place or a unit, as somebody with a keyboard does."""
    page.get_by_label("Find a place or a unit").fill(text)
    page.keyboard.press("Enter")


def tabs(checks: Checks, server: Server, key: str) -> None:
    """Every tab of a game, on a phone in the light and on a desk in the dark."""
    for size, scheme in ((PHONE, "light"), (DESKTOP, "dark")):
        with checks.page(size, scheme) as (page, wrong):
            page.goto(server.url + f"#{key}/fight")
            page.wait_for_selector("nav button")
            button_texts = [button.inner_text() for button in page.locator("nav button").all()]
            for tab in TABS:
                page.goto(server.url + f"#{key}/{tab}")
                title = {"fight": "Odds"}.get(tab, tab.capitalize())
                if title not in button_texts:
                    continue
                try:
                    page.wait_for_selector(f"nav button[aria-current]:has-text('{title}')")
                    page.wait_for_selector(TAB_SELECTORS[tab])
                    page.wait_for_timeout(150)
                    wrong += [f"{tab}: {text}" for text in page.locator(".wrong").all_inner_texts()]
                    overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                    wrong += [f"{tab} is {overflow} px too wide"] * (overflow > 0)
                    if size is PHONE and key in ("yom_kippur", "two_wells"):
                        violations = Axe().run(page, context={"exclude": [["#map svg"]]}).response["violations"]
                        grave = [
                            violation for violation in violations if violation["impact"] in ("serious", "critical")
                        ]
                        wrong += [
                            f"{tab}: axe: {violation['id']} {violation['nodes'][0]['html'][:90]}" for violation in grave
                        ]
                except Exception as error:
                    wrong.append(f"{tab}: {_short(error)}")
                checks.shot(page, f"{key}-{tab}-{scheme}")
            checks.say(f"{key}, {'phone' if size is PHONE else 'desk'}, {scheme}", wrong)


def evening(checks: Checks, server: Server) -> None:
    """The jobs of an evening."""

    def odds_by_taps(page: Page) -> None:
        page.goto(server.url + "#yom_kippur/map")
        page.get_by_label("Scenario or save").select_option("4.6")
        seek(page, "Raviv A")
        page.get_by_role("button", name="Raviv A").wait_for()
        tap(page, "25.18")
        expect(page.locator(".float")).to_contain_text("Column")
        expect(page.locator(".float")).to_contain_text("4-1")

    def reach(page: Page) -> None:
        page.goto(server.url + "#corps/map")
        seek(page, "0704")
        page.get_by_role("button", name="Reach").click()
        page.wait_for_selector(".over text")
        page.get_by_role("button", name="Supply", exact=True).click()
        expect(page.locator(".float")).to_contain_text("in supply")

    def trays_stay(page: Page) -> None:
        page.goto(server.url + "#two_wells/fight")
        page.get_by_role("button", name="Add attackers").click()
        page.get_by_role("button", name="Armoured cars").first.click()
        page.get_by_role("button", name="Done").click()
        page.get_by_role("button", name="Add defenders").click()
        page.locator(".picker button").first.click()
        page.get_by_role("button", name="Done").click()
        page.wait_for_selector(".result .headline b")
        page.reload()
        page.wait_for_selector(".result .headline b")
        assert page.locator(".tray .counter").count() == 2, "the trays are empty after a reload"
        page.get_by_role("button", name="Swap sides").click()
        page.get_by_role("button", name="Clear").click()
        assert page.locator(".tray .counter").count() == 0
        page.get_by_role("button", name="Undo").click()
        assert page.locator(".tray .counter").count() == 2, "undo doesn't bring the trays back"
        page.locator(".result button.main").click()
        page.wait_for_selector(".thrown b")
        page.get_by_role("button", name="Log of dice rolls and answers").click()
        expect(page.locator(".log li").first).to_contain_text("rolled")

    def odds_of_a_scenario(page: Page) -> None:
        page.goto(server.url + "#yom_kippur/fight")
        page.get_by_label("Scenario or save").select_option("4.1")
        expect(page.locator("label", has_text=re.compile("^The turn")).locator("input")).to_have_value("1")
        page.get_by_label("Scenario or save").select_option("4.3")
        first = load("yom_kippur").scenarios["4.3"].turns
        assert first is not None
        expect(page.locator("label", has_text=re.compile("^The turn")).locator("input")).to_have_value(str(first.first))
        page.goto(server.url + "#arab_israeli_wars/fight")
        for scenario, year in (("B-1", "1956"), ("S-9", "1973")):
            page.get_by_label("Scenario or save").select_option(scenario)
            expect(page.locator("label", has_text="year").locator("input")).to_have_value(year)
        page.locator(".tray .add").first.click()
        page.locator(".picker button").first.click()
        page.get_by_role("button", name="Done").click()
        expect(page.locator(".tray .tag").first).to_contain_text("distance 1?")

    def by_keyboard(page: Page) -> None:
        page.goto(server.url + "#two_wells/map")
        page.wait_for_selector("#map svg")
        page.focus("#map")
        old_style = page.locator(".world").get_attribute("style")
        page.keyboard.press("+")
        page.keyboard.press("ArrowLeft")
        assert page.locator(".world").get_attribute("style") != old_style, "keys don't move the map"

    def dice(page: Page) -> None:
        page.goto(server.url + "#two_wells/tables")
        page.get_by_role("button", name="2d6", exact=True).click()
        page.wait_for_selector("p.headline b")
        page.get_by_role("button", name="Whole table").click()
        page.wait_for_selector(".chart .marked")

    def turn(page: Page) -> None:
        page.goto(server.url + "#yom_kippur/turn")
        page.locator(".tick input").first.check()
        page.reload()
        expect(page.locator(".tick input").first).to_be_checked()
        page.get_by_role("button", name="Next turn").click()
        expect(page.locator(".tick input").first).not_to_be_checked()
        expect(page.locator("#main")).to_contain_text("Due on turn 2")

    jobs = (
        ("odds by two taps", odds_by_taps),
        ("reach and supply on the map", reach),
        ("odds of the chosen scenario", odds_of_a_scenario),
        ("trays over a reload", trays_stay),
        ("the map by keys", by_keyboard),
        ("dice and a whole table", dice),
        ("the turn", turn),
    )
    for title, job in jobs:
        checks.attempt(title, job)


CONTACTS = {
    "arab_israeli_wars": ("docs/examples/el_firdan.yaml", "A-N-7", "A-M-6"),
    "musketeer": ("docs/examples/sinai_1956.yaml", "5508", "5509"),
    "october_war": ("docs/examples/chinese_farm.yaml", "Hamutal", "purkan"),
    "six_day_war": ("docs/examples/rafah.yaml", "4622", "4621"),
    "yom_kippur": ("4.6", "25.17", "25.18"),
}
"""A position or scenario of each game, a place with units of a side, and one next to it with enemies."""


def look_at(page: Page, contact: str) -> None:
    """Choose a scenario, or open a position file, and wait for its map."""
    page.wait_for_selector("#map:not([aria-busy]) svg")
    if contact.endswith(".yaml"):
        page.locator("input[type=file]").set_input_files(contact)
        expect(page.get_by_label("Scenario or save").locator("option:checked")).to_contain_text(Path(contact).name)
    else:
        page.get_by_label("Scenario or save").select_option(contact)
    page.wait_for_selector("#map:not([aria-busy]) svg")


def taps(checks: Checks, server: Server) -> None:
    """A unit, then an enemy, in each game: all units of the place, and one of them alone; then each button of the panel."""
    for key, (contact, source, target) in CONTACTS.items():

        def unit_then_enemy(
            page: Page, key: str = key, contact: str = contact, source: str = source, target: str = target
        ) -> None:
            page.goto(server.url + f"#{key}/map")
            look_at(page, contact)
            panel = page.locator(".float")
            seek(page, source)
            panel.locator(".tray .counter").first.wait_for()
            tap(page, target)
            panel.locator(".answer summary").first.wait_for()
            assert not panel.locator("p.wrong[role=alert]").count(), panel.inner_text()
            checks.shot(page, f"taps-{key}")
            page.get_by_label("Clear the selection").click()
            seek(page, source)
            counters = panel.locator(".tray .counter")
            if counters.count() > 1:
                counters.first.click()
                tap(page, target)
                panel.locator(".answer summary").first.wait_for()
                assert not panel.locator("p.wrong[role=alert]").count(), panel.inner_text()
                page.get_by_label("Clear the selection").click()
                seek(page, source)
            for chip in ("Attack here", "Reach", "Line of sight", "Supply", "Retreat paths", "Stacking"):
                button = panel.get_by_role("button", name=chip, exact=True)
                if button.count():
                    button.click()
                    expect(panel.locator(".answer")).not_to_contain_text("One moment")
                    assert not panel.locator("p.wrong[role=alert]").count(), f"{chip}: {panel.inner_text()}"

        checks.attempt(f"a unit, then an enemy, in {key}", unit_then_enemy)

    def both_in_one_point(page: Page) -> None:
        page.goto(server.url + "#october_war/map")
        look_at(page, CONTACTS["october_war"][0])
        seek(page, "Chinese Farm")
        page.get_by_role("button", name="Attack here").click()
        page.locator(".float .answer .bars").first.wait_for()
        assert not page.locator(".float p.wrong[role=alert]").count(), page.locator(".float").inner_text()

    def a_line_once(page: Page) -> None:
        page.goto(server.url + "#arab_israeli_wars/map")
        look_at(page, CONTACTS["arab_israeli_wars"][0])
        seek(page, "A-N-7")
        tap(page, "A-M-6")
        page.locator(".over line").wait_for()
        assert page.locator(".over line").count() == 1 and not page.locator(".over polyline").count()

    def a_double_tap(page: Page) -> None:
        page.goto(server.url + "#yom_kippur/map")
        look_at(page, "4.6")
        old_style = page.locator(".world").get_attribute("style")
        tap(page, "10.15")
        tap(page, "10.15")
        page.wait_for_timeout(600)
        assert page.locator(".world").get_attribute("style") != old_style, "a double tap doesn't zoom"
        assert not page.locator(".float h2").count(), "a double tap chooses too"

    checks.attempt("both sides in one point", both_in_one_point)
    checks.attempt("a line of sight is drawn once", a_line_once)
    checks.attempt("a double tap zooms and chooses nothing", a_double_tap)


def check_live_table(checks: Checks, folder: Path) -> None:
    """A live table on two devices, a server that is killed and one that takes its place."""
    saves = Saves(live=Live(folder / "tables"))
    with checks.page() as (first_page, wrong), checks.page() as (two, second_errors):
        try:
            with serving({"yom_kippur": "yom_kippur"}, saves, "4.6") as server:
                for page in (first_page, two):
                    page.goto(server.url + "#yom_kippur/map")
                    page.wait_for_selector("#map svg")
                first_page.get_by_role("button", name="Play from here").click()
                first_page.get_by_role("button", name="Off the map").wait_for()
                chooser = two.get_by_label("Scenario or save")
                expect(chooser.locator("option").last).to_contain_text("Counterattack")
                chooser.select_option(index=chooser.locator("option").count() - 1)
                two.get_by_role("button", name="Off the map").wait_for()
                seek(first_page, "Raviv A")
                first_page.get_by_text("Move or change").click()
                first_page.get_by_role("button", name="Move", exact=True).click()
                tap(first_page, "24.18")
                first_page.get_by_role("heading", name="24.18").wait_for()
                seek(two, "Raviv A")
                two.get_by_role("heading", name="24.18").wait_for()
                two.keyboard.press("Escape")
                two.get_by_label("Map: the arrow").press("Escape")
                with two.expect_download() as download:
                    two.get_by_role("button", name="Save for VASSAL").click()
                download.value.save_as(folder / "table.vsav")
                game = load("yom_kippur")
                (raviv,) = open_position(game, folder / "table.vsav").copies_of("raviv_arm_bde_a")
                place = format_location(game.scenario_maps["4.6"], raviv.at)
                wrong += [] if place == "24.18" else [f"the save for VASSAL has Raviv A in {place}"]
            with serving({"yom_kippur": "yom_kippur"}, Saves(live=Live(folder / "tables")), "4.6", server.address[1]):
                two.reload()
                seek(two, "Raviv A")
                two.get_by_role("heading", name="24.18").wait_for()
        except Exception as error:
            wrong.insert(0, _short(error))
        checks.shot(first_page, "live-one")
        checks.shot(two, "live-two")
        checks.say("a live table on two devices", [line for line in (*wrong, *second_errors) if "ERR_" not in line])


def a_move_begun(checks: Checks, folder: Path) -> None:
    """A move that was begun on a live table while others change it, and while the server is away; and the table's turn."""
    saves = Saves(live=Live(folder / "begun"))
    with checks.page() as (first_page, wrong), checks.page() as (two, second_errors):

        def begin(page: Page) -> None:
            seek(page, "25.17")
            page.get_by_text("Move or change").click()
            page.get_by_role("button", name="Move", exact=True).click()
            expect(page.get_by_role("heading", name="Tap the destination")).to_be_visible()

        def change_turn(page: Page, turn: int) -> None:
            page.get_by_label("Clear the selection").click() if page.get_by_label(
                "Clear the selection"
            ).count() else None
            page.get_by_label("Turn: one more").click()
            expect(page.get_by_label("Scenario or save").locator("option:checked")).to_contain_text(f"turn {turn}")

        try:
            with serving({"yom_kippur": "yom_kippur"}, saves, "4.6") as server:
                for page in (first_page, two):
                    page.goto(server.url + "#yom_kippur/map")
                    page.wait_for_selector("#map:not([aria-busy]) svg")
                first_page.get_by_role("button", name="Play from here").click()
                first_page.get_by_role("button", name="Off the map").wait_for()
                chooser = two.get_by_label("Scenario or save")
                expect(chooser.locator("option").last).to_contain_text("Counterattack")
                chooser.select_option(index=chooser.locator("option").count() - 1)
                two.get_by_role("button", name="Off the map").wait_for()
                checks.shot(two, "live-table")
                # What the other changes doesn't hide the move: it is still shown, and left by the button that says so.
                begin(first_page)
                change_turn(two, 7)
                first_page.wait_for_timeout(1500)
                expect(first_page.get_by_role("heading", name="Tap the destination")).to_be_visible()
                first_page.get_by_label("Don't move it").click()
                seek(first_page, "25.17")
                tap(first_page, "25.18")
                expect(first_page.locator(".float")).to_contain_text("4-1")
                first_page.get_by_label("Clear the selection").click()
                # The other moves the same pieces: the move is off, and says so.
                begin(first_page)
                begin(two)
                tap(two, "24.18")
                two.get_by_role("heading", name="24.18").wait_for()
                expect(first_page.locator(".float")).to_contain_text("was moved in the meantime")
                seek(two, "24.18")
                two.get_by_role("heading", name="24.18").wait_for()
                two.get_by_label("Clear the selection").click()
                two.get_by_role("button", name="Undo").click()
                first_page.get_by_role("button", name="Off the map").wait_for()
                first_page.wait_for_timeout(1000)
                # The turn is everybody's, in the Turn tab too, and it is in what is saved.
                first_page.goto(server.url + "#yom_kippur/turn")
                expect(first_page.get_by_label("Turn", exact=True)).to_have_value("7")
                first_page.get_by_role("button", name="Next turn").click()
                expect(two.get_by_label("Scenario or save").locator("option:checked")).to_contain_text("turn 8")
                for name, file in (("Save as a file", "turn.yaml"), ("Save for VASSAL", "turn.vsav")):
                    with two.expect_download() as download:
                        two.get_by_role("button", name=name).click()
                    download.value.save_as(folder / file)
                    turn = open_position(load("yom_kippur"), folder / file).turn
                    wrong += [] if turn == 8 else [f"{file} has turn {turn}"]
                first_page.goto(server.url + "#yom_kippur/map")
                first_page.wait_for_selector("#map:not([aria-busy]) svg")
                begin(first_page)
            # The server is away: the move stays begun, and the error goes with its cause.
            tap(first_page, "24.18")
            expect(first_page.locator(".float p.wrong")).to_contain_text("doesn't answer")
            expect(first_page.get_by_role("heading", name="Tap the destination")).to_be_visible()
            reopened_saves = Saves(live=Live(folder / "begun"))
            with serving({"yom_kippur": "yom_kippur"}, reopened_saves, "4.6", server.address[1]):
                expect(first_page.locator(".float p.wrong")).to_have_count(0, timeout=15_000)
                expect(first_page.get_by_role("heading", name="Tap the destination")).to_be_visible()
                tap(first_page, "24.18")
                first_page.get_by_role("heading", name="24.18").wait_for()
        except Exception as error:
            wrong.insert(0, _short(error))
        checks.shot(first_page, "begun-one")
        checks.shot(two, "begun-two")
        checks.say(
            "a move that was begun on a live table", [line for line in (*wrong, *second_errors) if "ERR_" not in line]
        )


def check_server_loss(checks: Checks) -> None:
    """Errors of a server that was away go when it is back, in each tab, without a reload."""
    with checks.page() as (page, wrong):
        try:
            with serving({"two_wells": "two_wells", "yom_kippur": "yom_kippur"}) as server:
                page.goto(server.url + "#two_wells/fight")
                for group, unit in (("attackers", "Armoured cars"), ("defenders", "Camel")):
                    page.get_by_role("button", name=f"Add {group}").click()
                    page.locator(".picker button", has_text=unit).first.click()
                    page.get_by_role("button", name="Done").click()
                page.wait_for_selector(".result .headline b")
            page.get_by_role("button", name="Swap sides").click()
            expect(page.locator(".result .wrong")).to_contain_text("doesn't answer")
            page.goto(server.url + "#yom_kippur/tables")
            expect(page.locator("#main .wrong")).to_contain_text("doesn't answer")
            page.evaluate("location.hash = 'two_wells/fight'")
            expect(page.locator(".result .wrong")).to_contain_text("doesn't answer")
            games = {"two_wells": "two_wells", "yom_kippur": "yom_kippur"}
            with serving(games, port=server.address[1]):
                page.wait_for_selector(".result .headline b")
                assert not page.locator(".wrong").count(), page.locator(".wrong").first.inner_text()
        except Exception as error:
            wrong.insert(0, _short(error))
        checks.shot(page, "lost")
        checks.say("a server that was away", [line for line in wrong if "ERR_" not in line])


def follows(checks: Checks) -> None:
    """Whether the map follows a watched save, over a server that goes away for a moment."""
    with tempfile.TemporaryDirectory() as folder:
        save = Path(shutil.copy("docs/examples/chinese_farm.yaml", Path(folder) / "farm.yaml"))
        saves = Saves(save, "october_war")
        with checks.page() as (page, wrong):
            with serving({"october_war": "october_war"}, saves) as server:
                page.goto(server.url + "#october_war/map")
                expect(page.locator(".float")).to_contain_text("farm.yaml, turn 5", timeout=15_000)
                save.write_text(save.read_text(encoding="utf-8").replace("turn: 5", "turn: 6"), encoding="utf-8")
                try:
                    expect(page.locator(".float")).to_contain_text("turn 6", timeout=15_000)
                except AssertionError:
                    wrong.append("the map doesn't follow it")
            page.wait_for_timeout(3000)
            with serving({"october_war": "october_war"}, saves, port=server.address[1]):
                save.write_text(save.read_text(encoding="utf-8").replace("turn: 6", "turn: 7"), encoding="utf-8")
                try:
                    expect(page.locator(".float")).to_contain_text("turn 7", timeout=15_000)
                except AssertionError:
                    wrong.append("it doesn't come back with the server")
            checks.say("a watched save", [line for line in wrong if "ERR_" not in line])


def hostile(checks: Checks, folder: Path) -> None:
    """A pack whose names are markup: shown as they are written, never run."""
    pack = folder / "hostile"
    shutil.copytree("scenarios/samples/two_wells", pack)
    for path in pack.glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("name: Armoured cars", 'name: "<img src=x onerror=alert(1)>"'), encoding="utf-8")
    with serving({"two_wells": str(pack)}) as server, checks.page() as (page, wrong):
        page.add_init_script("window.alert = () => console.error('a name of the pack ran as a script')")
        page.goto(server.url + "#two_wells/fight")
        page.get_by_role("button", name="Add attackers").click()
        page.wait_for_timeout(500)
        picker_text = page.locator(".picker").inner_text()
        wrong += [] if "onerror" in picker_text else ["the name isn't shown as it is written"]
        checks.say("a pack with markup in its names", wrong)


def editor(checks: Checks, folder: Path) -> None:
    """The editor: a hex painted, a road drawn, undone, saved; the overlay has what was painted."""
    overlay = folder / "mine.yaml"
    server = editing.serve(editing.editor("ridge", overlay), 0)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    with checks.page(DESKTOP) as (page, wrong):
        try:
            page.goto(server.url + "edit/")
            page.wait_for_selector("#board svg image")
            page.get_by_role("button", name="Terrain").click()
            page.locator("button.kind", has_text="Woods").click()
            box = page.locator("#board svg").bounding_box()
            assert box is not None
            x, y = box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.95
            page.mouse.click(x, y)
            page.get_by_role("button", name="Roads").click()
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(x - box["width"] * 0.3, y, steps=20)
            page.mouse.up()
            page.get_by_role("button", name="Undo").click()
            checks.shot(page, "editor")
            page.get_by_role("button", name="Save", exact=True).click()
            expect(page.locator("#note")).to_contain_text("Saved to")
            text = overlay.read_text(encoding="utf-8")
            wrong += [] if "woods" in text and "paths" not in text else [f"the overlay has {text}"]
            violations = Axe().run(page).response["violations"]
            wrong += [
                f"axe: {violation['id']} {violation['nodes'][0]['html'][:90]}"
                for violation in violations
                if violation["impact"] in ("serious", "critical")
            ]
        except Exception as error:
            wrong.insert(0, _short(error))
        checks.say("the editor", wrong)
    server.shutdown()
    thread.join(10)


def edited_twice(checks: Checks, folder: Path) -> None:
    """Two editors on one overlay: both edits are kept, one hex painted by both is asked about; drafts; a long undo."""
    overlay = folder / "both.yaml"
    servers = [editing.serve(editing.editor("ridge", overlay), 0) for _ in range(2)]
    threads = [threading.Thread(target=server.serve_forever, daemon=True) for server in servers]
    for thread in threads:
        thread.start()

    def paint(page: Page, kind: str, x_share: float, y_share: float) -> None:
        page.get_by_role("button", name="Terrain").click()
        page.locator("button.kind", has_text=kind).click()
        box = page.locator("#board svg").bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] * x_share, box["y"] + box["height"] * y_share)

    def save(page: Page, note: str) -> None:
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.locator("#note")).to_contain_text(note)

    with checks.page(DESKTOP) as (first, wrong), checks.page(DESKTOP) as (second, second_errors):
        try:
            for page, server in zip((first, second), servers, strict=True):
                page.goto(server.url + "edit/")
                page.wait_for_selector("#board svg image")
            paint(first, "Woods", 0.5, 0.95)
            save(first, "Saved to")
            paint(second, "Summit", 0.5, 0.95)
            paint(second, "Woods", 0.3, 0.95)
            second.get_by_role("button", name="Save", exact=True).click()
            expect(second.locator("#sheet")).to_contain_text("changed meanwhile")
            checks.shot(second, "editor-clash")
            second.get_by_role("button", name="Take the file's").click()
            save(second, "Saved to")
            text = overlay.read_text(encoding="utf-8")
            wrong += [] if text.count("woods") == 2 and "summit" not in text else [f"the overlay has {text}"]
            paint(second, "Summit", 0.5, 0.8)
            second.reload()
            expect(second.locator("#note")).to_contain_text("unsaved changes")
            second.on("dialog", lambda dialog: dialog.accept())
            second.get_by_role("button", name="Discard").click()
            expect(second.get_by_role("button", name="Discard")).to_be_disabled()
            expect(second.get_by_role("button", name="Save", exact=True)).to_be_disabled()
            for stroke in range(100):
                paint(second, ("Summit", "Woods")[stroke % 2], 0.5, 0.8)
            for _ in range(100):
                second.get_by_role("button", name="Undo").click()
            expect(second.get_by_role("button", name="Undo")).to_be_disabled()
            expect(second.get_by_role("button", name="Save", exact=True)).to_be_disabled()
        except Exception as error:
            wrong.insert(0, _short(error))
        checks.shot(second, "editor-twice")
        checks.say("two editors on one map", [line for line in (*wrong, *second_errors) if "409" not in line])
    for server, thread in zip(servers, threads, strict=True):
        server.shutdown()
        thread.join(10)


def offline(checks: Checks, folder: Path) -> None:
    """The page without a server: built, visited once, then the server is stopped."""
    try:
        build_page(
            [load(key) for key in ("arab_israeli_wars", "yom_kippur", "corps")],
            folder / "page",
            None,
            lambda message: None,
        )
    except NoRuntime as error:
        print(f"left out, the page without a server: {error}")
        return
    handler = partial(Quiet, directory=str(folder / "page"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/"
    with checks.page() as (page, wrong):
        page.set_default_timeout(90_000)
        try:
            page.goto(url + "#yom_kippur/map")
            page.wait_for_selector("#map svg")
            page.evaluate("navigator.serviceWorker.ready.then(() => new Promise(done => setTimeout(done, 500)))")
            page.wait_for_function("navigator.serviceWorker.controller !== null")
            server.shutdown()
            server.server_close()
            page.reload()
            page.get_by_label("Scenario or save").select_option("4.6")
            seek(page, "Raviv A")
            page.get_by_role("button", name="Raviv A").wait_for()
            tap(page, "25.18")
            expect(page.locator(".float")).to_contain_text("4-1", timeout=90_000)
            page.goto(url + "#arab_israeli_wars/map")
            page.get_by_label("Scenario or save").select_option("S-1")
            page.wait_for_selector("#map:not([aria-busy]) svg")
            seek(page, page.evaluate("document.getElementById('map').spots()[150].name"))
            page.get_by_role("button", name="Line of sight", exact=True).click()
            page.wait_for_selector(".over circle[fill-opacity]")
            page.get_by_label("Map: the arrow").press("Escape")
            page.get_by_role("button", name="Play from here").click()
            page.get_by_role("button", name="Undo").wait_for()
            page.reload()
            expect(page.get_by_label("Scenario or save").locator("option:checked")).to_contain_text(
                "turn", timeout=90_000
            )
            page.get_by_role("button", name="Undo").wait_for()
            page.goto(url + "#corps/map")
            seek(page, "0704")
            page.get_by_role("button", name="Supply", exact=True).click()
            expect(page.locator(".float")).to_contain_text("in supply", timeout=90_000)
        except Exception as error:
            wrong.insert(0, _short(error))
        checks.shot(page, "offline")
        checks.say("the page without a server, and without a network", wrong)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves a folder without a word."""

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


def main() -> int:
    """Look at all of it; 1 where something is wrong, 2 without a browser."""
    parser = argparse.ArgumentParser(prog="tests.check_page", description=__doc__)
    parser.add_argument("--shots", type=Path, help="keep pictures in this folder")
    parts = (
        "tabs",
        "evening",
        "taps",
        "follows",
        "together",
        "a_move_begun",
        "lost",
        "hostile",
        "editor",
        "edited_twice",
        "watch",
        "offline",
        "two_tabs",
    )
    parser.add_argument("--only", choices=parts, help="only this part")
    arguments = parser.parse_args()
    browser_path = os.environ.get("BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser_path is None:
        print("no browser found; install Chromium or name one in BROWSER", file=sys.stderr)
        return 2
    if arguments.shots is not None:
        arguments.shots.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as name:
        pack_folder = Path(name) / "my_game"
        new_game(pack_folder, "My Game", datetime.date(2026, 1, 1))
        checks = Checks(playwright.chromium.launch(executable_path=browser_path, args=FLAGS), arguments.shots)
        games = {**{key: key for key in (*shipped_games(), *samples())}, load(pack_folder).id: str(pack_folder)}

        def is_wanted(part: str) -> bool:
            return arguments.only in (None, part)

        with serving(games) as server:
            for key in games if is_wanted("tabs") else ():
                tabs(checks, server, key)
            if is_wanted("evening"):
                evening(checks, server)
            if is_wanted("taps"):
                taps(checks, server)
        if is_wanted("follows"):
            follows(checks)
        later = {
            "together": check_live_table,
            "a_move_begun": a_move_begun,
            "lost": lambda checks, folder: check_server_loss(checks),
            "hostile": hostile,
            "editor": editor,
            "edited_twice": edited_twice,
            "watch": watching,
            "offline": offline,
            "two_tabs": two_tabs,
        }
        for part, look in later.items():
            if is_wanted(part):
                look(checks, Path(name))
    print(f"{checks.failure_count} wrong" if checks.failure_count else "the page is fine")
    return 1 if checks.failure_count else 0


if __name__ == "__main__":
    sys.exit(main())

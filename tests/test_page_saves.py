"""Saves on the page: sight and map look at the save that is open, and a watched save stays open."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import Any

from assistant.cli import cli
from assistant.page.saves import Saves
from assistant.page.site import Site
from modgen.cache import Cache
from modgen.vmod.files.lock import Lock
from modgen.vmod.files.module import compose
from scenarios import load
from scenarios.model.game import Game
from tests.asking import run_command

AIW = "arab_israeli_wars"
GAMES: dict[str, Game] = {}
SMOKE = """\
game: arab_israeli_wars
scenario: S-2
pieces:
  - {unit: smoke, at: B-H-6}
"""


def game(key: str) -> Game:
    if key not in GAMES:
        GAMES[key] = load(key)
    return GAMES[key]


def site(path: Path | None = None) -> Site:
    saves = Saves(path, AIW) if path is not None else Saves()
    return Site({AIW: AIW}, game, saves=saves)


def post_json(site: Site, action: str, **body: Any) -> dict[str, Any]:
    answer = site.post(f"/api/{AIW}/{action}", json.dumps(body).encode())
    assert answer.status == 200, answer.body
    return dict(json.loads(answer.body))


def open_text(site: Site, text: str, name: str = "mine.yaml") -> dict[str, Any]:
    return post_json(site, "open", name=name, data=base64.b64encode(text.encode()).decode())


def test_sight_on_the_page_is_that_of_the_command_line(tmp_path: Path) -> None:
    """Smoke between two hexes blocks the line (Optional II.B.1.a), in the tab Sight as in `assistant los`."""
    path = tmp_path / "smoke.yaml"
    path.write_text(SMOKE, encoding="utf-8")
    hexes = ["B-H-4", "B-H-8"]
    result = run_command(cli, "los", AIW, *hexes, "--position", str(path), "--json")
    line = json.loads(result.output)
    assert line["clear"] is False and line["blocked_by"][0]["what"] == "smoke"
    page = site()
    save = open_text(page, SMOKE)
    assert post_json(page, "ask", question="los", inputs={"hexes": hexes, "position": save["id"]})["answer"] == line
    assert post_json(page, "ask", question="los", inputs={"hexes": hexes, "scenario": "S-2"})["answer"]["clear"] is True
    sees = post_json(page, "ask", question="los", inputs={"hexes": hexes[:1], "position": save["id"]})["answer"]["sees"]
    assert hexes[1] not in sees


def test_a_watched_save_says_when_it_has_changed(tmp_path: Path) -> None:
    """The map is drawn again when `version` is another; the same save has the same."""
    path = tmp_path / "watched.yaml"
    path.write_text(SMOKE, encoding="utf-8")
    page = site(path)

    def version() -> str:
        return str(json.loads(page.get(f"/api/{AIW}/saves").body)[0]["version"])

    old_version = version()
    assert version() == old_version
    path.write_text(SMOKE.replace("B-H-6", "B-H-10"), encoding="utf-8")
    assert version() != old_version
    places = json.loads(page.get(f"/api/{AIW}/pieces/S-2/watched").body)
    assert set(places) == {"B-H-10"}
    assert (
        post_json(page, "ask", question="los", inputs={"hexes": ["B-H-4", "B-H-8"], "position": "watched"})["answer"][
            "clear"
        ]
        is True
    )


def test_a_watched_save_stays_open_whatever_is_sent(tmp_path: Path) -> None:
    path = tmp_path / "watched.yaml"
    path.write_text(SMOKE, encoding="utf-8")
    page = site(path)
    page.get(f"/api/{AIW}/saves")
    for number in range(25):
        open_text(page, f"{SMOKE}# {number}\n")
    saves = json.loads(page.get(f"/api/{AIW}/saves").body)
    assert saves[0]["id"] == "watched" and len(saves) == 21
    assert (
        post_json(page, "ask", question="los", inputs={"hexes": ["B-H-4", "B-H-8"], "position": "watched"})["answer"][
            "clear"
        ]
        is False
    )


def test_a_question_about_a_position_is_offered_with_one() -> None:
    """Smoke is asked of the save that is looked at, or of a Situation with pieces put there."""
    about = json.loads(site().get(f"/data/{AIW}/about.json").body)
    smoke = next(question_row for question_row in about["questions"] if question_row["id"] == "smoke")
    assert smoke["placed"] and smoke["starts"] and any(form_field["name"] == "put" for form_field in smoke["fields"])


def test_the_newest_save_of_a_folder_is_watched(tmp_path: Path) -> None:
    two_wells = load("scenarios/samples/two_wells")
    files = compose(two_wells, Lock(), Cache(None)).files
    page = Site(
        {"two_wells": "Two Wells"}, lambda key: two_wells, saves=Saves(watched_path=tmp_path, file_game="two_wells")
    )

    def names() -> list[str]:
        return [save_row["name"] for save_row in json.loads(page.get("/api/two_wells/saves").body)]

    assert names() == []
    for number, name in enumerate(("first.vsav", "second.vsav")):
        (tmp_path / name).write_bytes(files["Noon.vsav"])
        os.utime(tmp_path / name, (number + 1e9, number + 1e9))
        assert names() == [name]
    (tmp_path / "notes.txt").write_text("not a save", encoding="utf-8")
    assert names() == ["second.vsav"]

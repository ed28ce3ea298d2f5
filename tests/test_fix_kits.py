"""Printed kits and maps: faces of set-up cards, what tracks and notes promise, the disclaimer, a road over a road."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pypdfium2
import pytest

from art.color import lighter
from assistant.cli import cli as assistant
from assistant.page.site import Site
from modgen.cli import cli as modgen
from scenarios import load
from scenarios.model.game import Game
from tests.asking import run_command

TWO_WELLS = Path(__file__).parent.parent / "scenarios" / "samples" / "two_wells"
COLUMN = "units: {infantry_red: 3}, at: {zone: west, within: {distance: 0, of: {edge: west}}}"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The text of a kit, page by page: the sample Two Wells, its Red infantry set up reduced and in a third step."""
    folder = tmp_path_factory.mktemp("kit")
    pack = folder / "two_wells"
    shutil.copytree(TWO_WELLS, pack)
    map_file = pack / "map.yaml"
    text = map_file.read_text(encoding="utf-8")
    assert COLUMN in text
    map_file.write_text(text.replace(COLUMN, f"{COLUMN}, states: [reduced], order: 3"), encoding="utf-8")
    result = run_command(modgen, "build", str(pack), "--only", "kit", "--out", str(folder / "dist"))
    assert result.exit_code == 0, result.output
    (kit,) = (folder / "dist").glob("**/*.pdf")
    document = pypdfium2.PdfDocument(kit)
    return [" ".join(page.get_textpage().get_text_bounded().split()) for page in document]


def test_a_unit_that_starts_reduced_is_shown_reduced(pages: list[str]) -> None:
    """Two Wells: infantry is 3-4-3 at full strength and 2-2-3 reduced; no other Red unit is either."""
    (card,) = [page for page in pages if "Starts reduced" in page]
    assert "2-2-3" in card and "3-4-3" not in card


def test_a_card_says_in_which_step_a_group_sets_up(pages: list[str]) -> None:
    """Where there are more steps than sides, who sets up first doesn't say it."""
    assert sum("Sets up in step 3" in page for page in pages) == 1


def test_the_project_does_not_disown_itself(pages: list[str]) -> None:
    full_text = " ".join(pages)
    assert "affiliated with Mitla" not in full_text and "Mitla is not affiliated with any publisher." in full_text


def test_notes_promise_nothing_that_is_not_printed() -> None:
    """October War's turn tracks have no points on them (10.0); Six Day War's groups have letters and steps, no numbers (5.0)."""
    output = run_command(modgen, "show", "october_war", "map", "--json", "--no-overlay").output
    assert "printed on it" not in output
    assert "Mobilization points by turn" in output
    card = run_command(assistant, "scenario", "six_day_war", "standard", "--no-overlay").output
    assert "groups' numbers" not in " ".join(card.split())


@pytest.fixture(scope="module")
def yom_kippur() -> Game:
    return load("yom_kippur", with_config_overlays=False)


def test_a_road_of_few_hexes_lies_over_the_ordinary_one(yom_kippur: Game) -> None:
    """Yom Kippur 2.2: the PCB roads end on the canal road and begin on the Artillery Road, and can be seen all the way."""
    site = Site({"yom_kippur": "Yom Kippur"}, lambda key: yom_kippur)
    map_svg = site.get("/data/yom_kippur/map/4.5.svg").body.decode()
    places = {
        kind: [
            match.start() for match in re.finditer(f'stroke="{lighter(yom_kippur.paths[kind].color, 0.3)}"', map_svg)
        ]
        for kind in ("road", "pcb_road")
    }
    assert places["road"] and places["pcb_road"]
    # A legend, if there is one, comes after both.
    assert min(places["pcb_road"]) > min(places["road"])

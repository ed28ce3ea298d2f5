"""Cards that lie in a deck of a saved set-up say themselves that they are nowhere: the deck has them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from modgen.cli import cli
from tests.asking import run_command
from tests.vassal_module import (
    MODULE,
    board,
    element,
    module,
    picture,
    piece,
    piece_command,
    regions,
    roster,
    save,
    setup,
    slot,
    stack,
    window,
)

PICTURES = {f"images/{name}.png": picture(color) for name, color in (("red", "red"), ("card", "white"))}
CARDS = ("11", "12", "13")


def deck(key: str, name: str, at: str, ids: tuple[str, ...]) -> str:
    """The command that puts a deck into a save, as the engine writes it: where it lies, face down, what is in it."""
    kind = f"deck;true;120,110,90;60;90;Always;Always;true;true;false;;;;{name};;;true;false"
    return f"+/{key}/{kind}/{at};true" + (f";{','.join(ids)}" if ids else "")


def theirs(path: Path, commands: list[str]) -> Path:
    cards = [slot(f"Card {key}", gpid=key, image="card", kind="CardSlot") for key in CARDS]
    parts = [
        roster("Red", "Blue"),
        element(
            MODULE + "PieceWindow",
            element("VASSAL.build.widget.ListWidget", slot("Red foot", gpid="1", image="red.png"), entryName="Red"),
            name="Pieces",
        ),
        window(
            "Map",
            board("Land", "map.png", regions(("Paris", 100, 100), ("Metz", 300, 120))),
            inside=[stack("Events", 500, 50, *cards, board="Land", kind="DrawPile")],
        ),
        setup("Start", "start.vsav"),
    ]
    files = {**PICTURES, "images/map.png": picture("khaki", (600, 400)), "start.vsav": save(commands)}
    return module(path, *parts, files=files)


FOOT = piece_command("a", piece("Red foot", gpid="1", image="red.png", position="Map;100;100"))
IN_DECK = [
    piece_command(f"c{key}", piece(f"Card {key}", gpid=key, image="card", position="null;500;50")) for key in CARDS
]
HELD = tuple(f"c{key}" for key in CARDS)
LAID = "MapBoardPicker\tLand\t0\t0"


@pytest.mark.parametrize("at", ["Map;500;50", "Map;420;300"], ids=["in its place", "moved"])
@pytest.mark.parametrize("first", [False, True], ids=["cards first", "deck first"])
def test_cards_of_a_deck_are_in_its_box(at: str, first: bool, tmp_path: Path) -> None:
    held = deck("d", "Events", at, HELD)
    commands = [FOOT, *([held, *IN_DECK] if first else [*IN_DECK, held]), LAID]
    pack = tmp_path / "my_game"
    result = run_command(cli, "import", str(theirs(tmp_path / "theirs.vmod", commands)), "--to", str(pack), "--json")
    assert result.exit_code == 0, result.output
    assert "pieces of set-ups that lie on no map" not in json.loads(result.stdout)["left_out"]
    shown = run_command(cli, "show", str(pack), "scenarios", "--json", "--no-overlay")
    assert shown.exit_code == 0, shown.output
    groups = json.loads(shown.stdout)["scenarios"][0]["forces"]["red"]["groups"]
    boxes = {group["at"]["box"]: group["markers"] for group in groups if "box" in group["at"]}
    assert boxes == {"events": {"card_11": 1, "card_12": 1, "card_13": 1}}


def test_a_card_that_lies_nowhere_is_told(tmp_path: Path) -> None:
    commands = [FOOT, *IN_DECK, deck("d", "Events", "Map;500;50", HELD[:2]), LAID]
    pack = tmp_path / "my_game"
    result = run_command(cli, "import", str(theirs(tmp_path / "theirs.vmod", commands)), "--to", str(pack), "--json")
    assert result.exit_code == 0, result.output
    left = json.loads(result.stdout)["left_out"]["pieces of set-ups that lie on no map"]
    assert len(left) == 1 and "Card 13" in str(left)

"""The rules page: every sentence that a pack declares, with its number and its figures."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterator, Mapping
from typing import Any

import pikepdf
import pypdfium2
import pytest

from art.charts.charts import number_rulings
from modgen.kit.options import Options
from modgen.kit.rules import HINT, rules_page
from scenarios import load, shipped_games
from scenarios.model.game import Game
from scenarios.pack.pack_folder import samples
from scenarios.rules.records import RuleRecord
from tests import shared

GAMES = [*shipped_games(), *samples()]


def records(node: Any) -> Iterator[RuleRecord]:
    """Every record of a pack's rules, wherever it stands."""
    if isinstance(node, RuleRecord):
        yield node
    elif isinstance(node, Mapping):
        for inner in node.values():
            yield from records(inner)
    elif isinstance(node, tuple):
        for inner in node:
            yield from records(inner)
    elif dataclasses.is_dataclass(node) and not hasattr(node, "expression"):
        for field in dataclasses.fields(node):
            if field.name != "node":
                yield from records(getattr(node, field.name))


def squeeze_text(text: str) -> str:
    return "".join(text.split()).casefold()


def lines(game: Game) -> list[dict[str, str]]:
    return [
        line
        for section in rules_page(game)
        for part in section["parts"]
        for group in part["groups"]
        for line in group["lines"]
    ]


@pytest.mark.parametrize("name", GAMES)
def test_every_record_is_on_the_page_with_its_number(name: str) -> None:
    game = load(name)
    if game.rules is None:
        assert rules_page(game) == []
        return
    printed_lines: dict[str, str] = {}
    for line in lines(game):
        text = squeeze_text(line["said"])
        printed_lines[text] = f"{printed_lines.get(text, '')} {line['rule']} {line['value']}"
    for record in records(game.rules):
        if record.text:
            record_line = printed_lines[squeeze_text(HINT.sub("", number_rulings(game, record.text)))]
            assert all(part in record_line for part in number_rulings(game, record.rule or "").split(", "))


def test_figures_are_worked_out_and_tables_are_named() -> None:
    values = {line["said"]: line["value"] for line in lines(load("six_day_war"))}
    assert values["A river"] == "+3"
    assert values["A road"] == "½"
    assert values["A forced march"] == "1d6"
    assert values["The ground"] == "see Terrain Effects Chart"
    assert values["It has no retreat path"] == "it is lost"


def test_a_name_in_capitals_keeps_them() -> None:
    assert "Its SAM range" in {line["said"] for line in lines(load("yom_kippur"))}


def test_what_is_said_before_is_only_named() -> None:
    movement = next(section for section in rules_page(load("yom_kippur")) if section["title"] == "Movement")
    move, exploitation = movement["parts"][:2]
    assert any(note.startswith("As under “Movement”: ") for note in exploitation["notes"])
    assert not [group for group in exploitation["groups"] if group in move["groups"]]


@pytest.mark.parametrize("options", [Options(), Options(counter_size=25, scale=1.25)], ids=["usual", "large"])
def test_the_page_is_in_the_kit_and_counted(options: Options) -> None:
    game = load("corps")
    kit = shared.kit(game, options)
    text = squeeze_text("".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(kit)))
    for line in lines(game):
        assert squeeze_text(line["said"]) in text
    with pikepdf.open(io.BytesIO(kit)) as pdf:
        assert ", rules " in str(pdf.docinfo["/SheetsOfPaper"])


@pytest.mark.parametrize("name", GAMES)
def test_no_title_stands_over_nothing_and_no_number_is_said_twice(name: str) -> None:
    for section in rules_page(load(name)):
        for part in section["parts"]:
            assert part["notes"] or part["groups"], (section["title"], part["title"])
            assert all(group["lines"] for group in part["groups"])
    for line in lines(load(name)):
        if line["value"] == "1":
            assert " one " not in f" {line['said'].casefold()} ", line


@pytest.mark.parametrize("name", GAMES)
def test_no_line_is_a_condition(name: str) -> None:
    """A number, dice, a table, a state: a value is never a truth value, nor what only sorts units."""
    assert not [line for line in lines(load(name)) if line["value"] in ("True", "False")]


def test_sight_says_what_blocks_and_what_shields() -> None:
    (sight,) = (section for section in rules_page(load("arab_israeli_wars")) if section["title"] == "Line of sight")
    sight_lists = {
        group["title"]: {line["said"] for line in group["lines"]} for part in sight["parts"] for group in part["groups"]
    }
    assert sight_lists["Hexsides that block"] == {
        "Sand dune",
        "Ridge",
        "Crest",
        "Moraine",
    }  # Basic VII.C.1.a, Standard VI.B.3
    assert (
        {"Woods", "Town"} <= sight_lists["Hexes that block"]
        and "Hexsides that shield" in sight_lists
        and "How many at a time" not in sight_lists
    )


def test_numbers_of_the_only_scenario_are_filled_in() -> None:
    values = {line["said"]: line["value"] for line in lines(load("six_day_war"))}
    assert values["Israeli movement points"] == "6"  # 10.2
    assert (
        values["There are too many mobile units in the hex"] == "as the scenario says"
    )  # 11.2: three Israelis, 11.3: two Arabs

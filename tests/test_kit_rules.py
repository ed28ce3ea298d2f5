"""The rules page: every sentence that a pack declares, with its number and its figures."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest

from art.charts.charts import number_rulings
from modgen.kit.options import Options
from modgen.kit.rule_words import HINT, ProcedureWords
from modgen.kit.rules import rules_page
from scenarios import load, shipped_games
from scenarios.expressions import parse
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


SEA = Path(__file__).parent / "data" / "procedures" / "sea"


def steps(game: Game, title: str) -> dict[str, list[Any]]:
    """The lists of a procedure: each line with its number, text, value and details."""
    section = next(section for section in rules_page(game) if section["title"] == "Step by step")
    part = next(part for part in section["parts"] if part["title"] == title)
    return {
        group["title"]: [(line.get("number"), line["said"], line["value"], *line["details"]) for line in group["lines"]]
        for group in part["groups"]
    }


def test_a_procedure_is_a_numbered_list() -> None:
    """A battle in rounds: conditions, dice, effects and ends in words, numbered on from round to round."""
    fight = steps(load(SEA), "A fight at sea")
    assert list(fight) == ["In each round", "How it ends"]
    rounds = fight["In each round"]
    assert [line[0] for line in rounds] == [1, 2, 3, 4, 5, 6, 7]
    assert rounds[0] == (1, "A round", "Rounds +1")
    assert rounds[1][3:] == ("Each unit rolls 1d6 on the table “Gunnery”.",)
    assert rounds[2][3:] == (
        "As in step 2, with the sides exchanged.",
        "At the same time as step 2: units lost in that step still fire. Not if blue surprises red.",
    )
    assert rounds[3] == (4, "A side is sunk", "it ends")
    assert rounds[4] == (5, "The reds break off", "all of them leave, or nobody", "Only if the owner so chooses.")
    assert rounds[6] == (7, "It is night", "it ends", "Only if Rounds is 8.")
    assert fight["How it ends"][0] == (None, "Night falls", "", "Winner: nobody.")
    raid = steps(load(SEA), "An air raid")["In this order"]
    assert raid[2] == (
        3,
        "Fighters that are left fire at the bombers",
        "",
        "The fighters fire at the bombers, as in step 1.",
    )
    assert raid[3][3:] == (
        "Only if any of the bombers are left.",
        "The bombers fire.",
        "All units together roll 1d6 on the table “Bombs”.",
    )
    year = steps(load(SEA), "Events of a year")["In each turn"]
    assert year[0][2] == "draw one of the chits in the cup at random; see the table “Events”"
    assert [line[2] for line in year[1:4]] == [
        "Oil −2", "roll 1d6 on the table “Weather”", "on a 1d6 roll of 6: Oil + the roll",
    ]  # fmt: skip
    assert year[4] == (5, "The tanks are empty", "it ends", "Only if Oil is 0.")


def test_who_goes_first_is_in_the_notes_of_a_procedure() -> None:
    section = next(section for section in rules_page(load("october_war")) if section["title"] == "Step by step")
    assert section["parts"][0]["notes"] == [
        "The attackers go first if the attacker fires first by 6.3, or if the attacker plays an EW marker, unless the defender answers "
        "with an EW marker. Otherwise the defenders do."
    ]
    kept = next(section for section in rules_page(load("musketeer")) if section["title"] == "Kept from turn to turn")
    assert kept["parts"][0]["groups"][0]["lines"][0]["value"] == "1 to 50, starts at 1"


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("count(reds) <= 2", "Only if at most 2 of the red ships are left."),
        ("turn >= 3", "Only if turn 3 has come."),
        ("not input.fog", "Not if there is fog."),
        ("counter.oil < 4 and counter.war", "Only if Oil is less than 4 and the neutral is at war."),
        ("counter.war and not input.fog", "Only if the neutral is at war, unless there is fog."),
        ("sum(reds, guns) < 2 * sum(blues, guns)", "Only if the guns of the red ships is less than twice the guns of the blue ships."),
        ('goes_first == "blues"', "Only if the blue ships go first."),
        ("any(reds, hit)", "Only if a unit of the red ships is hit."),
        ('lookup("guns", "1", "2") == "-"', ""),
    ],
)  # fmt: skip
def test_conditions_are_in_plain_words_or_left_to_the_text(condition: str, words: str) -> None:
    game = load(SEA)
    assert game.rules is not None
    assert ProcedureWords(game, game.rules, game.rules.procedures["fight"]).restriction(parse(condition)) == words


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

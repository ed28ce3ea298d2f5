"""A unit by its whole name, a rule by its number or by words that mean something."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from assistant.cli import cli
from tests.asking import ask_text


def rules(game: str, *words: str) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = json.loads(CliRunner().invoke(cli, ["rules", game, *words, "--json"]).output)[
        "rules"
    ]
    return records


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("Reshef", "special_forces_res"),
        ("RECON", "special_forces_france"),
        ("1 REPX", "rep_1_france"),
        ("Golani", "gol_israel"),
    ],
)
def test_a_part_of_a_name_or_more_than_it_is_asked_back(name: str, suggestion: str) -> None:
    """None of these is printed on a counter: Res, REC, 1 REP and Gol are."""
    output = ask_text("move", "musketeer", f"unit={name}", "from=5709", "scenario=none", "--json", code=2)
    assert f"{name!r}" in output and f"did you mean {suggestion}" in output


@pytest.mark.parametrize(("name", "unit_id"), [("1 rep", "rep_1_france"), ("Israeli Gol", "gol_israel")])
def test_a_whole_name_is_understood(name: str, unit_id: str) -> None:
    by_id, by_name = (
        ask_text("move", "musketeer", f"unit={unit}", "from=5709", "scenario=none", "--json")
        for unit in (unit_id, name)
    )
    assert by_id == by_name


@pytest.mark.parametrize(
    ("game", "number", "nearest_number"),
    [("yom_kippur", "9.9", "4.6"), ("musketeer", "2.2", "2.1"), ("six_day_war", "13.14", "13.13")],
)
def test_a_number_without_a_record_names_its_neighbours(game: str, number: str, nearest_number: str) -> None:
    output = ask_text("rules", game, number, code=2)
    assert f"nothing is recorded under {number}; nearest: " in output and nearest_number in output


@pytest.mark.parametrize(
    ("game", "number", "part"),
    [
        ("yom_kippur", "2.2", "PCB road"),  # a path's rule
        ("yom_kippur", "1.14c", "east or west of its hex"),  # a span's
        ("arab_israeli_wars", "Advanced II.D", "cross-country penalty"),
        ("arab_israeli_wars", "Advanced II.B", "bailout"),  # named behind a comma
    ],
)
def test_a_number_finds_notes_paths_and_spans(game: str, number: str, part: str) -> None:
    assert any(part in record["text"] for record in rules(game, number))


def test_a_number_means_its_section_and_those_below() -> None:
    cited_rules = {record["rule"] for record in rules("yom_kippur", "1.4")}
    assert cited_rules and all("1.4" in rule for rule in cited_rules)
    assert any(rule.startswith("1.4a") for rule in cited_rules)


@pytest.mark.parametrize(
    ("game", "words", "part"),
    [
        ("october_war", ("US", "resupply"), "US Resupply"),  # a marker and a row of a table
        ("arab_israeli_wars", ("bailout",), "bailout"),
        ("october_war", ("antitank", "battalion"), "Antitank battalion"),
    ],
)
def test_words_search_tables_and_notes(game: str, words: tuple[str, ...], part: str) -> None:
    assert all(word.lower() in f"{rules(game, *words)[0]}".lower() for word in words)
    assert any(part in record["text"] for record in rules(game, *words))


def test_words_that_say_nothing_find_nothing() -> None:
    assert "is in nearly every rule" in ask_text("rules", "musketeer", "the", "of", code=2)
    assert "no rule about 'allies'" in ask_text("rules", "musketeer", "allies", code=2)
    assert ask_text("rules", "yom_kippur", "the", "canal") == ask_text("rules", "yom_kippur", "canal")

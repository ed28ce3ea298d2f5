"""Tables and dice against brute force."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios import load
from scenarios.model.dice import dice
from scenarios.model.tables import Table, check_table, parse_odds, span
from scenarios.reading.shapes import Findings, reader
from scenarios.reading.yaml_tree import parse_nodes
from tests.packs import TWO_WELLS


def table(text: str) -> tuple[Table, list[str]]:
    node, parse_findings = parse_nodes(text.encode(), "f")
    assert node is not None and not parse_findings
    findings = Findings()
    parsed_table: Table = reader(Table)(node, findings)
    check_table(parsed_table, node, findings)
    return parsed_table, [f.message for f in findings]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_dice_by_counting_every_throw(count: int) -> None:
    throws = Counter(sum(faces) for faces in itertools.product(range(1, 7), repeat=count))
    assert dict(dice(f"{count}d6")) == {total: Fraction(n, 6**count) for total, n in throws.items()}


@pytest.mark.parametrize("text", ["", "d", "6", "0d6", "1d0", "2d6+1", "99d6"])
def test_no_dice(text: str) -> None:
    with pytest.raises(ValueError, match="write one such as"):
        dice(text)


CRT = 'title: T\ndice: 1d6\nbelow: none\ncolumns: {odds: [1-4, 1-3, 1-2, 1-1, "2:1", 3-1, 4-1]}\ncells:\n' + "".join(
    f'  {die}: "{" ".join(f"r{die}c{c}" for c in range(7))}"\n' for die in range(-1, 8)
)


@given(st.integers(1, 200), st.integers(1, 200))
def test_odds_round_down_in_the_defenders_favour(attack: int, defense: int) -> None:
    odds_table, findings = table(CRT)
    assert not findings
    ratios = [Fraction(1, 4), Fraction(1, 3), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3), Fraction(4)]
    slow = None
    for i, ratio in enumerate(ratios):
        if attack >= ratio * defense:
            slow = i
    assert odds_table.find_column(Fraction(attack, defense)) == slow


def test_the_rulebooks_own_odds() -> None:
    """The Arab-Israeli Wars VI.A: 11 to 3 is 3 to 1, and 3 against 11 is 1 to 4."""
    odds_table, _ = table(CRT)
    assert odds_table.find_column(Fraction(11, 3)) == odds_table.named_column("3-1")
    assert odds_table.find_column(Fraction(3, 11)) == odds_table.named_column("1-4")
    assert odds_table.find_column(Fraction(1, 5)) is None


@given(st.integers(-20, 20), st.integers(0, 6), st.integers(-20, 20))
def test_shifts_and_dice_stop_at_both_ends(shift: int, column: int, modifier: int) -> None:
    odds_table, _ = table(CRT)
    assert odds_table.shift_column(column, shift) == min(6, max(0, column + shift))
    chances = odds_table.distribution(column, modifier)
    assert sum(chances.values()) == 1
    slow = Counter(f"r{min(7, max(-1, die + modifier))}c{column}" for die in range(1, 7))
    assert chances == {code: Fraction(n, 6) for code, n in slow.items()}


def test_strength_and_percentage_columns() -> None:
    """October War: 25 with one shift to the left is 19. Six Day War: 1000 % less one shift is 500."""
    strength = "title: S\ndice: 1d6\ncolumns: {strength: [0, 1, 2, 3-4, 5+]}\ncells: {1-3: a b c d e, 4+: a b c d f}"
    column_table, findings = table(strength)
    assert not findings
    assert [column_table.find_column(Fraction(n)) for n in (0, 1, 2, 3, 4, 5, 25)] == [0, 1, 2, 3, 3, 4, 4]
    assert column_table.columns.labels[column_table.shift_column(4, -1)] == "3-4"
    assert (
        column_table.cell(4, 4).code == "f"
        and column_table.cell(9, 4).code == "f"
        and column_table.cell(-3, 4).code == "e"
    )
    percent = "title: P\ndice: 1d6\ncolumns: {percent: [50-99, 100-149, 150-199, 200-499, 500-599, 600+]}\ncells: {1-6: a b c d e f}"
    column_table, findings = table(percent)
    assert not findings
    column = {
        n: column_table.columns.labels[column_table.find_column(Fraction(n)) or 0] for n in (40, 99, 100, 166, 1000)
    }
    assert column == {40: "50-99", 99: "50-99", 100: "100-149", 166: "150-199", 1000: "600+"}
    assert column_table.columns.labels[column_table.shift_column(5, -1)] == "500-599"
    assert column_table.find_column(Fraction(2999, 20)) == 1, "149.95 % is not yet 150"


def test_names_and_costs() -> None:
    cost_table = load(TWO_WELLS).tables["movement"]
    assert cost_table.cell("hill", cost_table.named_column("cost")).code == "2"
    with pytest.raises(ValueError, match="did you mean hill"):
        cost_table.cell("hil", 0)
    with pytest.raises(ValueError, match="write one of cost"):
        cost_table.named_column("price")


def test_results_have_a_meaning() -> None:
    result_table = load(TWO_WELLS).tables["combat"]
    assert result_table.cell(1, 4) == ("DE", "All defenders are eliminated.")


@pytest.mark.parametrize(
    ("label", "low", "upper_bound"),
    [
        ("7", 7, 7),
        ("-1", -1, -1),
        ("3-5", 3, 5),
        ("20+", 20, None),
        ("2-", None, 2),
        ("50-99%", 50, 99),
        ("-1 to 2", -1, 2),
    ],
)
def test_labels(label: str, low: int | None, upper_bound: int | None) -> None:
    assert span(label) == (low, upper_bound)


@pytest.mark.parametrize("label", ["", "x", "5-3", "3-5+", "1-2-3"])
def test_labels_that_are_none(label: str) -> None:
    with pytest.raises(ValueError, match=r"number or range|backwards"):
        span(label)


def test_odds_labels() -> None:
    assert parse_odds("3-1") == parse_odds("3:1") == 3 and parse_odds("1-4") == Fraction(1, 4)
    for bad in ("0-1", "1", "1-0", "a-b"):
        with pytest.raises(ValueError, match="no odds"):
            parse_odds(bad)


def test_what_is_wrong_with_a_table() -> None:
    assert "columns of one kind" in table("title: T\ncolumns: {odds: [1-1], names: [a]}\ncells: {a: b}")[1][0]
    assert "no columns" in table("title: T\ncolumns: {}\ncells: {a: b}")[1][0]
    overlap = "title: T\ncolumns: {percent: [50-99, 90-149]}\ncells: {a: b c}"
    assert "90-149 overlaps 50-99" in table(overlap)[1][0]
    assert "no rows" in table("title: T\ncolumns: {names: [a]}\ncells: {}")[1][0]
    table_text = "title: T\ncolumns: {names: [a, b]}\ncells: {x: one | two words, y: [1, 2], z: 1}"
    parsed_table, findings = table(table_text)
    assert parsed_table.cells["x"] == ("one", "two words") and parsed_table.cells["y"] == ("1", "2")
    assert findings == ["row z has 1 cell, but the table has 2 columns; add what is missing"]

"""Plurals, articles and fractions of texts."""

from fractions import Fraction

import pytest

from scenarios.grammar import count_text, number_text, with_article


@pytest.mark.parametrize(
    ("count", "noun", "text"),
    [
        (0, "hex", "0 hexes"),
        (1, "hex", "1 hex"),
        (2, "Egyptian air unit", "2 Egyptian air units"),
        (Fraction(1, 2), "point", "½ point"),
        (Fraction(3, 2), "point", "1½ points"),
    ],
)
def test_a_noun_agrees_with_its_number(count: Fraction, noun: str, text: str) -> None:
    assert count_text(count, noun) == text


def test_numbers_are_written_as_players_write_them() -> None:
    assert [number_text(Fraction(*pair)) for pair in ((4, 1), (7, 3), (1, 3), (-3, 2))] == ["4", "2 1/3", "1/3", "-1½"]


def test_articles() -> None:
    assert [with_article(noun) for noun in ("fort", "improved position")] == ["a fort", "an improved position"]

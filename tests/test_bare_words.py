"""What a player types first: a column instead of strengths, a scenario or a save without its name."""

from __future__ import annotations

import pytest

from assistant.cli import cli
from tests.asking import run_assistant, run_command


@pytest.mark.parametrize(
    ("words", "same_words"),
    [
        (("odds", "yom_kippur", "3-1"), ("table", "yom_kippur", "combat", "--column", "3-1")),
        (("odds", "arab_israeli_wars", "2-1", "shift=1"), ("table", "arab_israeli_wars", "combat", "--column", "3-1")),
        (("odds", "six_day_war", "150-199", "table=assault"), ("table", "six_day_war", "assault", "--column", "150-199")),
        (("supply", "yom_kippur", "4.5"), ("supply", "yom_kippur", "--scenario", "4.5")),
        (("score", "arab_israeli_wars", "S-9"), ("score", "arab_israeli_wars", "--scenario", "S-9")),
        (("supply", "october_war", "docs/examples/chinese_farm.yaml"),
         ("supply", "october_war", "--position", "docs/examples/chinese_farm.yaml")),
    ],
)  # fmt: skip
def test_it_is_the_same_question(words: tuple[str, ...], same_words: tuple[str, ...]) -> None:
    assert run_assistant(*words) == run_assistant(*same_words)


def test_a_column_of_another_table_is_no_odds() -> None:
    result = run_command(cli, "odds", "six_day_war", "150-199", "table=strike")
    assert result.exit_code == 2 and "Error" in result.output

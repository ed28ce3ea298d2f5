"""What can't be is refused: a turn that the game hasn't got, more counters than there are, no hexes at all."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from assistant.cli import cli

CARS = ("attackers=cars", "defenders=gun")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("turn", "two_wells", "turn=20"), "the scenario noon has turns 1 to 6, not 20"),
        (("turn", "arab_israeli_wars", "--scenario", "S-5", "turn=30"), "the scenario S-5 has turns 1 to 20, not 30"),
        (
            ("odds", "yom_kippur", "attackers=raviv_a", "defenders=inf_2_4", "turn=20"),
            "Yom Kippur has turns 1 to 12, not 20",
        ),
        (
            ("air", "october_war", "mission=superiority", "israel=12", "egypt=5", "turn=20"),
            "the scenario standard has turns 1 to 9, not 20",
        ),
        (("odds", "two_wells", *CARS, "hexes=0"), "hexes must be a whole number from 1"),
        (("odds", "two_wells", *CARS, "hexes=1.5"), "hexes must be a whole number from 1"),
        (
            ("odds", "two_wells", "attackers=3*cars", "defenders=gun"),
            "there are only 2 counters of Armoured cars, and 3 are named",
        ),
        (("odds", "two_wells", "attackers=cars/14,cars/14", "defenders=gun"), "cars/14 is named twice"),
        (
            ("odds", "arab_israeli_wars", "firers=t_62:distance=-4", "targets=m60a1"),
            "distance must be a whole number from 0",
        ),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, tuple) else "",
)
def test_it_is_refused_with_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    result = CliRunner().invoke(cli, list(words))
    assert result.exit_code == 2 and sentence in " ".join(result.output.split()), result.output


def test_the_last_turn_and_all_counters_are_fine() -> None:
    for words in (
        ("turn", "two_wells", "turn=6"),
        ("odds", "yom_kippur", "attackers=raviv_a", "defenders=inf_2_4", "turn=12"),
        ("odds", "two_wells", "attackers=cars/14,cars", "defenders=gun", "hexes=2"),
    ):
        assert CliRunner().invoke(cli, list(words)).exit_code == 0
